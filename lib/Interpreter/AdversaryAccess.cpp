// Accesses to cells: who does which, and what they are in conflict with.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Adversary.h"
#include "Mutants.h"
#include "Ops/Box.h"
#include "Ops/BufAccess.h"

#include "llvm/ADT/STLExtras.h"

using namespace tessera;
using namespace tessera::interp;

//===- who does which element ---------------------------------------------===//

namespace {
/// Number of a point of the op along the factors of a place: those of the first dim are the outer ones.
struct PlaceDigits {
  struct Digit {
    unsigned dim;
    int64_t below; ///< points of the dim in one step of the factor
    int64_t steps;
  };
  llvm::SmallVector<Digit, 4> digits;

  PlaceDigits(tile::IterAttr iter, llvm::ArrayRef<tile::IterDim> dims, tile::Place place) {
    for (unsigned dim = 0; dim < dims.size(); ++dim) {
      llvm::SmallVector<tile::IterFactor> factors = iter.getFactors(dims[dim].name);
      int64_t below = 1;
      llvm::SmallVector<Digit, 4> found;
      for (const tile::IterFactor &factor : llvm::reverse(factors)) {
        if (factor.place == place) {
          found.push_back({dim, below, factor.steps});
        }
        below *= factor.steps;
      }
      digits.append(found.rbegin(), found.rend());
    }
  }

  int64_t at(llvm::ArrayRef<int64_t> point) const {
    int64_t number = 0;
    for (const Digit &digit : digits) {
      number = number * digit.steps + point[digit.dim] / digit.below % digit.steps;
    }
    return number;
  }
};
} // namespace

static std::unique_ptr<OwnerPlan> planOwners(mlir::Operation *op) {
  auto plan = std::make_unique<OwnerPlan>();
  auto iter = op->getAttrOfType<tile::IterAttr>(tile::iterAttrName);
  auto points = mlir::dyn_cast<tile::TileIterOpInterface>(op);
  if (!iter || !points) {
    return plan;
  }
  llvm::SmallVector<tile::IterDim> dims = points.getIterDims();
  PlaceDigits groups(iter, dims, tile::Place::wg), warps(iter, dims, tile::Place::warp);
  if (groups.digits.empty() && warps.digits.empty()) {
    return plan;
  }
  plan->kind = warps.digits.empty() ? OwnerPlan::wg : OwnerPlan::warp;
  Shape shape;
  int64_t count = 1;
  for (const tile::IterDim &dim : dims) {
    shape.push_back(dim.extent);
    count *= dim.extent;
  }
  for (int64_t i = 0; i < count; ++i) {
    IndexVector index = indexOfPosition(shape, i);
    llvm::SmallVector<int64_t, 4> point(index.begin(), index.end());
    int64_t group = groups.digits.empty() ? 0 : groups.at(point);
    // The warps of a warpgroup are four, so that is how far apart groups are in numbers of warps.
    int64_t number = plan->kind == OwnerPlan::wg ? group : group * 4 + warps.at(point);
    plan->of.push_back(uint8_t(number));
  }
  return plan;
}

const OwnerPlan &Adversary::ownerPlan(uint32_t op) {
  if (op > plans.size()) {
    plans.resize(machine.memoryOps.size());
  }
  std::unique_ptr<OwnerPlan> &plan = plans[op - 1];
  if (!plan) {
    plan = planOwners(machine.memoryOps[op - 1]);
  }
  return *plan;
}

CellTable &Adversary::cellsOfBuf(unsigned buf, unsigned owner) {
  std::unique_ptr<CellTable> &table = bufCells[{buf, owner}];
  if (!table) {
    const BufState &state = machine.storage.bufs[buf];
    table = std::make_unique<CellTable>(0, uint64_t(state.slots) * state.type.count, warps);
  }
  return *table;
}

CellTable &Adversary::cellsOfArray(unsigned argument) {
  std::unique_ptr<CellTable> &table = arrayCells[argument];
  if (!table) {
    const HostLayout &layout = machine.arrays[argument].array->layout();
    OffsetSpan span = layout.hasElements() ? layout.span() : OffsetSpan{0, 0};
    table = std::make_unique<CellTable>(int64_t(span.first), uint64_t(span.last - span.first + 1),
                                        warps);
  }
  return *table;
}

AgentAccess::AgentAccess(Adversary &adversary, uint32_t op, int64_t elements)
    : adversary(adversary), op(op), plan(adversary.ownerPlan(op)) {
  adversary.moveOn();
  if (adversary.context().via != tile::Proxy::generic) {
    async = std::make_unique<AsyncOp>();
    async->id = adversary.nextAsync();
    async->op = op;
    async->via = adversary.context().via;
  }
}

unsigned AgentAccess::agentOf(int64_t element, const Memory &memory) {
  llvm::ArrayRef<unsigned> agents = adversary.context().agents;
  if (memory.one) {
    return *memory.one;
  }
  if (agents.size() == 1) {
    return agents.front();
  }
  if (plan.kind == OwnerPlan::warp) {
    return agents[plan.of[element] % agents.size()];
  }
  if (plan.kind == OwnerPlan::wg) {
    return agents[(plan.of[element] * 4 + adversary.random.below(4)) % agents.size()];
  }
  return agents[adversary.random.below(agents.size())];
}

bool AgentAccess::hasAllWarps() {
  llvm::ArrayRef<unsigned> agents = adversary.context().agents;
  if (adversary.context().role.empty() || plan.of.empty() || agents.size() == 1) {
    return true;
  }
  unsigned needed = *llvm::max_element(plan.of) + 1;
  needed *= plan.kind == OwnerPlan::wg ? 4 : 1;
  if (needed <= agents.size()) {
    return true;
  }
  auto text = [](unsigned count) { return "group of " + std::to_string(count) + " warps"; };
  mlir::Operation *access = adversary.machine.memoryOps[op - 1];
  adversary.machine.fail(RunDiag::run_part_of_group, access->getName().getStringRef(), text(needed),
                         "a " + text(agents.size()));
  return false;
}

//===- conflicts ----------------------------------------------------------===//

bool AgentAccess::read(const Memory &memory, int64_t at, unsigned agent) {
  Cell &cell = memory.table->cell(at);
  VectorClocks &clocks = adversary.clocks();
  if (TESSERA_MUTANT(35, "cells under way may be read", adversary.isPending(cell.asyncWrite),
                     false)) {
    return failInFlight(memory, at, /*writes=*/false, cell.asyncWrite, /*otherWrites=*/true);
  }
  bool races = cell.kind != WriteKind::none && !clocks.isOrdered(cell.agent, cell.time, agent);
  if (TESSERA_MUTANT(36, "reads race no more", races, false)) {
    return failRace(memory, at, false, agent, true, cell.agent, cell.op);
  }
  bool otherProxy = async && async->via != tile::Proxy::cp_async;
  if (otherProxy && cell.kind == WriteKind::generic &&
      !TESSERA_MUTANT(37, "no fence is needed", clocks.isFenced(cell.agent, cell.time, agent),
                      true)) {
    return failFence(memory, at, agent, cell);
  }
  memory.table->readers(at)[agent] = {clocks.now(agent), op};
  if (async) {
    cell.asyncRead = async->id;
    async->reads.push_back({memory.table, at, uint8_t(agent)});
  }
  return true;
}

bool AgentAccess::write(const Memory &memory, int64_t at, unsigned agent, WriteKind kind) {
  Cell &cell = memory.table->cell(at);
  VectorClocks &clocks = adversary.clocks();
  for (auto [id, writes] : {std::pair(cell.asyncWrite, true), std::pair(cell.asyncRead, false)}) {
    if (TESSERA_MUTANT(38, "cells under way may be written", adversary.isPending(id), false)) {
      return failInFlight(memory, at, true, id, writes);
    }
  }
  bool together = kind == WriteKind::atomic && cell.kind == WriteKind::atomic;
  bool races =
      cell.kind != WriteKind::none && !together && !clocks.isOrdered(cell.agent, cell.time, agent);
  if (TESSERA_MUTANT(39, "writes race with writes no more", races, false)) {
    return failRace(memory, at, true, agent, true, cell.agent, cell.op);
  }
  const CellReader *readers = memory.table->readers(at);
  for (unsigned other = 0; other < clocks.size(); ++other) {
    bool unordered = readers[other].time && !clocks.isOrdered(other, readers[other].time, agent);
    if (TESSERA_MUTANT(40, "writes race with reads no more", unordered, false)) {
      return failRace(memory, at, true, agent, false, other, readers[other].op);
    }
  }
  cell.time = clocks.now(agent);
  cell.op = op;
  cell.agent = uint8_t(agent);
  cell.kind = kind;
  cell.asyncWrite = async ? async->id : 0;
  if (async) {
    async->writes.push_back({memory.table, at, uint8_t(agent)});
  }
  return true;
}

//===- boxes and slots ----------------------------------------------------===//

template <class Fn> bool AgentAccess::overBox(const Box &box, const uint8_t *more, Fn access) {
  bool good = true;
  forEachRow(box, [&](int64_t position, int64_t cell, const BoxAxis &row) {
    for (int64_t i = 0; good && i < row.prefix; ++i) {
      if (row.present(i) && (!more || more[position + i])) {
        good = access(position + i, cell + row.cell(i));
      }
    }
  });
  return good;
}

bool AgentAccess::readView(const Box &box, const uint8_t *more) {
  if (!hasAllWarps() || !checkPieces(box, more)) {
    return false;
  }
  if (!adversary.machine.arrays[box.argument].writable) {
    return true;
  }
  Memory memory{&adversary.cellsOfArray(box.argument), box.argument, nullptr, std::nullopt};
  return overBox(box, more, [&](int64_t position, int64_t cell) {
    return read(memory, cell, agentOf(position, memory));
  });
}

bool AgentAccess::writeView(const Box &box, const uint8_t *more) {
  if (!hasAllWarps() || !checkPieces(box, more)) {
    return false;
  }
  Memory memory{&adversary.cellsOfArray(box.argument), box.argument, nullptr, std::nullopt};
  WriteKind kind = async ? WriteKind::async : WriteKind::generic;
  return overBox(box, more, [&](int64_t position, int64_t cell) {
    return write(memory, cell, agentOf(position, memory), kind);
  });
}

bool AgentAccess::atomicView(const Box &box, const uint8_t *more) {
  Memory memory{&adversary.cellsOfArray(box.argument), box.argument, nullptr, std::nullopt};
  return overBox(box, more, [&](int64_t position, int64_t cell) {
    return write(memory, cell, agentOf(position, memory), WriteKind::atomic);
  });
}

static std::optional<unsigned> oneFor(Adversary &adversary, const BufSlot &slot) {
  tile::ExecScope per = adversary.machine.storage.bufs[slot.buf].per;
  return per == tile::ExecScope::cta ? std::nullopt
                                     : std::optional(adversary.context().representative);
}

bool AgentAccess::readBuf(const BufSlot &slot, const uint8_t *mask) {
  if (!hasAllWarps() || !checkPieces(slot)) {
    return false;
  }
  Memory memory{&adversary.cellsOfBuf(slot.buf, slot.owner), std::nullopt, &slot,
                oneFor(adversary, slot)};
  if (async) {
    async->readsBuf = AsyncOp::Place{slot.buf, slot.owner, slot.slot};
  }
  for (int64_t i = 0; i < slot.type->count; ++i) {
    if ((!mask || mask[i]) && !read(memory, slot.slot * slot.type->count + i, agentOf(i, memory))) {
      return false;
    }
  }
  return true;
}

bool AgentAccess::writeBuf(const BufSlot &slot, const uint8_t *mask) {
  if (!hasAllWarps() || !checkPieces(slot)) {
    return false;
  }
  Memory memory{&adversary.cellsOfBuf(slot.buf, slot.owner), std::nullopt, &slot,
                oneFor(adversary, slot)};
  if (async) {
    async->writesBuf = AsyncOp::Place{slot.buf, slot.owner, slot.slot};
  }
  WriteKind kind = async ? WriteKind::async : WriteKind::generic;
  for (int64_t i = 0; i < slot.type->count; ++i) {
    if ((!mask || mask[i]) &&
        !write(memory, slot.slot * slot.type->count + i, agentOf(i, memory), kind)) {
      return false;
    }
  }
  return true;
}

void AgentAccess::start(std::function<void()> fetch, std::function<void()> land,
                        std::function<void()> done) {
  async->fetch = std::move(fetch);
  async->land = std::move(land);
  async->done = std::move(done);
  adversary.start(std::move(async));
}

//===- words --------------------------------------------------------------===//

AgentAccess::Element AgentAccess::describe(const Memory &memory, int64_t cell) const {
  Machine &m = adversary.machine;
  if (memory.argument) {
    const ArrayState &array = m.arrays[*memory.argument];
    std::vector<int64_t> index = indexOfCell(array.array->layout(), cell);
    return {"element " + describeIndex(index) + " of `" + array.name + "`", index};
  }
  const BufState &buf = m.storage.bufs[memory.buf->buf];
  IndexVector found = indexOfPosition(buf.type.shape, cell % buf.type.count);
  std::vector<int64_t> index(found.begin(), found.end());
  std::string text = "element " + describeIndex(index) + " of `" + buf.name + "`";
  return {text + (buf.slots > 1 ? " slot " + std::to_string(memory.buf->slot) : ""), index};
}

bool AgentAccess::failRace(const Memory &memory, int64_t cell, bool writes, unsigned agent,
                           bool otherWrote, unsigned other, uint32_t otherOp) {
  Element element = describe(memory, cell);
  const char *verbs[] = {"read", "written"};
  if (RunError *error = adversary.machine.fail(RunDiag::run_race, element.name, verbs[writes],
                                               adversary.describeAgent(agent), verbs[otherWrote],
                                               adversary.describeAgent(other))) {
    error->index = element.index;
    error->notes.push_back(
        {adversary.machine.memoryOps[otherOp - 1]->getLoc(),
         std::string(verbs[otherWrote]) + " here by " + adversary.describeAgent(other)});
  }
  return false;
}

bool AgentAccess::failInFlight(const Memory &memory, int64_t cell, bool writes, uint32_t id,
                               bool otherWrites) {
  Element element = describe(memory, cell);
  const AsyncOp *other = adversary.findPending(id);
  if (RunError *error = adversary.machine.fail(
          RunDiag::run_in_flight, element.name, writes ? "written" : "read",
          otherWrites ? "writes" : "reads", tile::stringifyProxy(other->via))) {
    error->index = element.index;
    error->notes.push_back(
        {adversary.machine.memoryOps[other->op - 1]->getLoc(), "it started here"});
  }
  return false;
}

bool AgentAccess::failFence(const Memory &memory, int64_t cell, unsigned agent,
                            const Cell &written) {
  Element element = describe(memory, cell);
  if (RunError *error = adversary.machine.fail(RunDiag::run_no_fence, element.name,
                                               adversary.describeAgent(written.agent),
                                               tile::stringifyProxy(async->via))) {
    error->index = element.index;
    error->notes.push_back({adversary.machine.memoryOps[written.op - 1]->getLoc(), "written here"});
  }
  return false;
}
