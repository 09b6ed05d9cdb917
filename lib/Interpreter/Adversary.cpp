// The adversary's structure: warps and roles, CTAs, barriers, groups of asynchronous ops.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Adversary.h"

#include "Compiler.h"
#include "Mutants.h"

#include "llvm/ADT/STLExtras.h"

using namespace tessera;
using namespace tessera::interp;

/// More would not fit a cell's byte; no target has as many warps in a CTA.
static constexpr unsigned maxAgents = 128;
static constexpr unsigned warpsOfGroup = 4;

Adversary::Adversary(Machine &machine, uint64_t seed) : machine(machine), random(seed), seed(seed) {
  readRoles();
  order.reset(warps);
  for (unsigned agent = 0; agent < warps; ++agent) {
    current.agents.push_back(agent);
  }
  arrayCells.resize(machine.arrays.size());
}

Adversary::~Adversary() = default;

static unsigned warpsOf(mlir::Attribute attribute, unsigned otherwise) {
  auto number = mlir::dyn_cast_if_present<mlir::IntegerAttr>(attribute);
  int64_t value = number ? number.getInt() : otherwise;
  return unsigned(std::clamp<int64_t>(value, 1, maxAgents));
}

void Adversary::readRoles() {
  mlir::Operation *kernel = machine.kernel;
  warps = warpsOf(kernel->getAttr(tile::warpsAttrName), 4);
  if (auto named = kernel->getAttrOfType<mlir::DictionaryAttr>(tile::rolesAttrName)) {
    unsigned next = 0;
    for (mlir::NamedAttribute role : named) {
      auto info = mlir::dyn_cast<mlir::DictionaryAttr>(role.getValue());
      AgentRole &made = roles.emplace_back();
      made.name = role.getName().str();
      unsigned count = warpsOf(info ? info.get("warps") : mlir::Attribute(), 1);
      for (unsigned i = 0; i < count && next < maxAgents; ++i) {
        made.agents.push_back(next++);
      }
      if (made.agents.empty()) {
        made.agents.push_back(maxAgents - 1);
      }
    }
    warps = std::max(warps, next);
  }
  // Steps of a `par` are warps even where the kernel does not say how many it has.
  kernel->walk([&](tile::ParOp par) {
    int64_t each = par.getPlace() == tile::Place::wg ? warpsOfGroup : 1;
    warps = std::max(warps, unsigned(std::min<int64_t>(int64_t(par.getSteps()) * each, maxAgents)));
  });
}

std::string Adversary::describeAgent(unsigned agent) const {
  std::string text = "warp " + std::to_string(agent);
  for (const AgentRole &role : roles) {
    if (llvm::is_contained(role.agents, agent)) {
      text += " (" + role.name + ")";
    }
  }
  return text;
}

//===- CTAs ---------------------------------------------------------------===//

void Adversary::beginCta() {
  ++ctas;
  order.cut();
  pending.clear();
  groups.clear();
  sections.clear();
  filled.clear();
  freed.clear();
}

bool Adversary::endCta() {
  // Stores out of a ring that drains are waited for by the ring's own end.
  completeIf([&](const AsyncOp &op) {
    auto drains = [&](const std::optional<AsyncOp::Place> &place) {
      std::optional<unsigned> ring =
          place ? machine.storage.bufs[place->buf].ring : std::optional<unsigned>();
      return ring && machine.storage.rings[*ring].drains;
    };
    return drains(op.readsBuf);
  });
  if (TESSERA_MUTANT(41, "nobody need wait at the end", pending.empty(), true)) {
    return true;
  }
  const AsyncOp &op = *pending.begin()->second;
  mlir::Operation *what = machine.memoryOps[op.op - 1];
  if (RunError *error =
          machine.fail(RunDiag::run_async_left, pending.size(), pending.size() == 1 ? "op" : "ops",
                       tile::stringifyProxy(op.via))) {
    error->notes.push_back({what->getLoc(), "the first one started here"});
  }
  return false;
}

void Adversary::narrowToStep(tile::Place place, uint64_t step, uint64_t steps) {
  llvm::SmallVector<unsigned, 8> all = current.agents;
  if (place == tile::Place::cluster || all.empty()) {
    return;
  }
  unsigned each = place == tile::Place::wg ? std::min<unsigned>(warpsOfGroup, all.size()) : 1;
  current.agents.clear();
  for (unsigned i = 0; i < each; ++i) {
    current.agents.push_back(all[(step * each + i) % all.size()]);
  }
  // Where there is a step for each group, they all come, if in the adversary's order.
  if (steps * each != all.size()) {
    bool isGroup = place == tile::Place::wg;
    current.whole = std::min(current.whole, isGroup ? tile::ExecScope::wg : tile::ExecScope::warp);
  }
  current.representative = current.agents.front();
  current.key = mixBits(current.key * 1024 + step + 1);
}

void Adversary::narrowToOne() {
  // The same thread each time: what it starts, it waits for.
  uint64_t which = mixBits(seed ^ current.key ^ ctas * 0x632BE59BD9B4E019u);
  current.agents = {current.agents[which % current.agents.size()]};
  current.whole = tile::ExecScope::thread;
}

bool Adversary::comesWhole(tile::ExecScope group, llvm::StringRef what) {
  bool isCut = group > current.whole;
  bool isPart = group == tile::ExecScope::wg && current.whole > group &&
                current.agents.size() % warpsOfGroup != 0 && current.agents.size() > 1;
  if (TESSERA_MUTANT(170, "a part of a group is enough", !isCut && !isPart, true)) {
    return true;
  }
  std::string found = "one `" + tile::stringifyExecScope(current.whole).str() + "`";
  if (!isCut) {
    found = "a group of " + std::to_string(current.agents.size()) + " warps";
  }
  machine.fail(RunDiag::run_part_of_group, what, tile::stringifyExecScope(group), found);
  return false;
}

//===- order --------------------------------------------------------------===//

void Adversary::barrier(tile::ExecScope scope) {
  if (!comesWhole(scope, "tile.barrier")) {
    return;
  }
  tick();
  if (scope == tile::ExecScope::cta || scope == tile::ExecScope::cluster) {
    order.barrier(current.agents);
  } else if (scope == tile::ExecScope::wg) {
    llvm::ArrayRef<unsigned> all = current.agents;
    for (size_t i = 0; i < all.size(); i += warpsOfGroup) {
      order.barrier(all.slice(i, std::min<size_t>(warpsOfGroup, all.size() - i)));
    }
  }
}

void Adversary::fence() { order.fence(current.agents); }

void Adversary::groupCommit(tile::Proxy via) {
  uint64_t number = groups[{current.key, via}].committed++;
  for (auto &[id, op] : pending) {
    if (op->via == via && op->context == current.key && !op->group) {
      op->group = number;
    }
  }
}

void Adversary::groupWait(tile::Proxy via, uint64_t left) {
  uint64_t committed = groups[{current.key, via}].committed;
  // A thread waits for what it started itself.
  auto isMine = [&](unsigned agent) { return llvm::is_contained(current.agents, agent); };
  completeIf([&](const AsyncOp &op) {
    bool isEarly = op.group && *op.group + left < committed;
    return op.via == via && op.context == current.key &&
           TESSERA_MUTANT(42, "a wait leaves nothing pending", isEarly, op.group.has_value()) &&
           TESSERA_MUTANT(43, "one waits for all", llvm::all_of(op.agents, isMine), true);
  });
  tick();
}

//===- asynchronous ops ---------------------------------------------------===//

const AsyncOp *Adversary::findPending(uint32_t id) const {
  auto found = pending.find(id);
  return found == pending.end() ? nullptr : found->second.get();
}

void Adversary::start(std::unique_ptr<AsyncOp> op) {
  op->context = current.key;
  op->agents = current.agents;
  uint32_t id = op->id;
  pending[id] = std::move(op);
}

void Adversary::advance(AsyncOp &op) {
  if (op.fetch) {
    op.fetch();
    op.fetch = nullptr;
  } else if (op.land) {
    op.land();
    op.land = nullptr;
  }
}

void Adversary::tick() {
  for (auto &[id, op] : pending) {
    if ((op->fetch || op->land) && random.oneIn(3)) {
      advance(*op);
    }
  }
}

void Adversary::complete(uint32_t id) {
  std::unique_ptr<AsyncOp> op = std::move(pending[id]);
  pending.erase(id);
  advance(*op);
  advance(*op);
  if (op->done) {
    op->done();
  }
  // The accesses may have been as late as now.
  for (const AsyncOp::Touched &touched : op->writes) {
    Cell &cell = touched.table->cell(touched.cell);
    if (TESSERA_MUTANT(44, "copies end when they start", cell.asyncWrite == id, false)) {
      cell.time = order.now(touched.agent);
    }
  }
  for (const AsyncOp::Touched &touched : op->reads) {
    touched.table->readers(touched.cell)[touched.agent] = {order.now(touched.agent), op->op};
  }
}

void Adversary::completeIf(llvm::function_ref<bool(const AsyncOp &)> which) {
  llvm::SmallVector<uint32_t, 8> ids;
  for (auto &[id, op] : pending) {
    if (which(*op)) {
      ids.push_back(id);
    }
  }
  for (uint32_t id : ids) {
    complete(id);
  }
}

//===- roles and sections -------------------------------------------------===//

void Adversary::fork(const std::function<void()> &body,
                     llvm::ArrayRef<std::pair<SlotRef, std::string>> results) {
  flows = std::make_unique<Flows>(*this, roles);
  try {
    flows->run(body);
  } catch (...) {
    flows.reset();
    throw;
  }
  if (!machine.stopped()) {
    flows->collect(results);
  }
  flows.reset();
}

void Adversary::enterSection(mlir::Operation *section, uint64_t lag) {
  current.section = section;
  current.lag = lag;
  ++sections[{current.role, section}].step;
}

void Adversary::endSections(llvm::ArrayRef<mlir::Operation *> ended) {
  for (mlir::Operation *section : ended) {
    SectionTime time = std::move(sections[{current.role, section}]);
    sections.erase({current.role, section});
    for (const PendingRelease &release : time.releases) {
      if (!machine.stopped()) {
        freeSlot(release, /*atEnd=*/true);
      }
    }
  }
}
