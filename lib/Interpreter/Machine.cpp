// Running compiled steps, and turning what goes wrong into entries of the report.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Machine.h"

#include "Adversary.h"

#include "llvm/ADT/STLExtras.h"

using namespace tessera;
using namespace tessera::interp;

void Machine::run(const Code &code) {
  const Step *outer = current;
  for (const Step &step : code.steps) {
    current = &step;
    count();
    if (stop) {
      break;
    }
    step.run(*this);
    if (stop) {
      break;
    }
    for (unsigned slot : step.releases) {
      tiles[slot].reset();
    }
  }
  current = outer;
}

void Machine::runStep(const Step &step) {
  const Step *outer = current;
  current = &step;
  count();
  if (!stop) {
    step.run(*this);
  }
  current = outer;
}

void Machine::runBefore(const Code &code, mlir::Operation *op) {
  for (const Step &step : code.steps) {
    if (stop || step.op == op) {
      return;
    }
    runStep(step);
  }
}

void Machine::runAfter(const Code &code, mlir::Operation *op) {
  bool isAfter = false;
  for (const Step &step : code.steps) {
    if (isAfter && !stop) {
      runStep(step);
    }
    isAfter |= step.op == op;
  }
}

void Machine::beginCta() {
  storage.renewAll();
  if (adversary) {
    adversary->beginCta();
  }
}

void Machine::endCta() {
  if (stop || (adversary && !adversary->endCta())) {
    return;
  }
  for (const RingState &ring : storage.rings) {
    for (const RingQueue &queue : ring.queues) {
      if (queue.committed != queue.awaited) {
        fail(RunDiag::run_ring_left, ring.name, queue.committed - queue.awaited,
             "when the CTA ends", queue.committed, queue.awaited);
        return;
      }
    }
  }
}

Frame Machine::copyFrame() const { return {tiles, spans, views, current, point, storage.parStep}; }

void Machine::swapFrame(Frame &other) {
  std::swap(tiles, other.tiles);
  std::swap(spans, other.spans);
  std::swap(views, other.views);
  std::swap(current, other.current);
  std::swap(point, other.point);
  std::swap(storage.parStep, other.parStep);
}

void Machine::takeFrom(const Frame &other, SlotRef slot) {
  switch (slot.kind) {
  case SlotRef::tile:
    tiles[slot.index] = other.tiles[slot.index];
    break;
  case SlotRef::span:
    spans[slot.index] = other.spans[slot.index];
    break;
  case SlotRef::view:
    views[slot.index] = other.views[slot.index];
    break;
  }
}

void Transfer::operator()(Machine &machine) const {
  if (moves.size() == 1 && moves[0].first.kind == SlotRef::tile) {
    machine.tiles[moves[0].second.index] = machine.tiles[moves[0].first.index];
    return;
  }
  // The sources may be among the targets: everything is read before anything is written.
  llvm::SmallVector<TileValue, 4> tiles;
  llvm::SmallVector<SpanValue, 2> spans;
  llvm::SmallVector<ViewValue, 2> views;
  for (auto [from, to] : moves) {
    switch (from.kind) {
    case SlotRef::tile:
      tiles.push_back(machine.tiles[from.index]);
      break;
    case SlotRef::span:
      spans.push_back(machine.spans[from.index]);
      break;
    case SlotRef::view:
      views.push_back(machine.views[from.index]);
      break;
    }
  }
  size_t nextTile = 0, nextSpan = 0, nextView = 0;
  for (auto [from, to] : moves) {
    switch (from.kind) {
    case SlotRef::tile:
      machine.tiles[to.index] = std::move(tiles[nextTile++]);
      break;
    case SlotRef::span:
      machine.spans[to.index] = spans[nextSpan++];
      break;
    case SlotRef::view:
      machine.views[to.index] = std::move(views[nextView++]);
      break;
    }
  }
}

std::byte *Machine::scratch(unsigned which, size_t bytes) {
  if (scratchBytes[which] < bytes || !scratchMemory[which]) {
    scratchMemory[which] = pool.allocate(bytes);
    scratchBytes[which] = bytes;
  }
  return scratchMemory[which].data();
}

bool Machine::failAbsent(llvm::StringRef what) {
  fail(RunDiag::run_absent_use, what);
  return false;
}

void Machine::failBudget() {
  bool steps = options.maxSteps && report.counters.steps > options.maxSteps;
  if (!exhausted) {
    fail(RunDiag::run_budget, steps ? options.maxSteps : options.maxBytes,
         steps ? "steps" : "bytes of values");
  }
  exhausted = stop = true;
}

RunError *Machine::add(RunDiag id, std::string message) {
  mlir::Operation *op = currentOp();
  if (!seen.insert({op, static_cast<unsigned>(id)}).second) {
    return nullptr;
  }
  mlir::Location where = (op ? op : kernel)->getLoc();
  std::vector<RunError> &list = isWarning(id) ? report.warnings : report.errors;
  if (!isWarning(id) && finished()) {
    return nullptr;
  }
  list.push_back(makeRunError(id, std::move(message), where));
  RunError &error = list.back();
  error.gridPoint = coordinates(point);
  error.values = instance;
  if (options.adversarial) {
    error.values.emplace_back("adversary", "seed " + std::to_string(*options.adversarial));
  }
  for (size_t axis = 0; axis < error.gridPoint.size(); ++axis) {
    const GridAxis &on = grid[axis];
    int64_t at = error.gridPoint[axis];
    error.values.emplace_back(
        on.name, on.width == 0
                     ? std::to_string(at)
                     : llvm::formatv("{0}..{1}", at, spanStop(at, on.width, on.hi)).str());
  }
  return &error;
}

std::vector<int64_t> Machine::coordinates(uint32_t which) const {
  if (which < 2) {
    return {};
  }
  std::vector<int64_t> at(grid.size());
  uint64_t rest = which - 2;
  for (size_t axis = grid.size(); axis-- > 0;) {
    uint64_t step = rest % grid[axis].count;
    rest /= grid[axis].count;
    at[axis] = int64_t(grid[axis].lo + Wide(step) * std::max<int64_t>(grid[axis].width, 1));
  }
  return at;
}

std::string Machine::describePoint(uint32_t which) const {
  if (which < 2) {
    return "(outside the grid)";
  }
  std::string text = "(";
  llvm::raw_string_ostream os(text);
  std::vector<int64_t> at = coordinates(which);
  for (size_t axis = 0; axis < at.size(); ++axis) {
    os << (axis ? ", " : "") << grid[axis].name << " = " << at[axis];
    if (grid[axis].width) {
      os << ".." << spanStop(at[axis], grid[axis].width, grid[axis].hi);
    }
  }
  os << ")";
  return text;
}

void Machine::failConflict(unsigned argument, const AccessConflict &conflict) {
  const ArrayState &state = arrays[argument];
  std::vector<int64_t> index = indexOfCell(state.array->layout(), conflict.cell);
  std::string element = describeIndex(index);
  std::string mine = describePoint(point), other = describePoint(conflict.earlier.point);
  RunError *error = nullptr;
  if (conflict.kind == ConflictKind::unwritten) {
    error = fail(RunDiag::run_unwritten_read, element, state.name);
  } else if (conflict.kind == ConflictKind::writeWrite) {
    error = fail(RunDiag::run_write_conflict, element, state.name, other, mine);
  } else if (conflict.earlierReads) {
    error = fail(RunDiag::run_read_conflict, element, state.name, other, mine);
  } else {
    error = fail(RunDiag::run_read_conflict, element, state.name, mine, other);
  }
  if (!error) {
    return;
  }
  error->index = std::move(index);
  if (conflict.earlier.op) {
    error->notes.push_back({memoryOps[conflict.earlier.op - 1]->getLoc(),
                            llvm::formatv("{0} here by grid point {1}",
                                          conflict.earlierReads ? "read" : "written", other)
                                .str()});
  }
}

std::string tessera::interp::describeIndex(llvm::ArrayRef<int64_t> index) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "[";
  llvm::interleaveComma(index, os);
  os << "]";
  return text;
}

std::vector<int64_t> tessera::interp::indexOfCell(const HostLayout &layout, int64_t cell) {
  std::vector<int64_t> index(layout.rank(), 0);
  llvm::SmallVector<unsigned, 4> axes;
  Wide rest = Wide(cell) - layout.span().first;
  for (unsigned axis = 0; axis < layout.rank(); ++axis) {
    if (layout.strides[axis] != 0 && layout.shape[axis] > 1) {
      axes.push_back(axis);
    }
  }
  auto distance = [&](unsigned axis) {
    return Wide(layout.strides[axis]) < 0 ? -Wide(layout.strides[axis])
                                          : Wide(layout.strides[axis]);
  };
  llvm::sort(axes, [&](unsigned a, unsigned b) {
    return distance(a) != distance(b) ? distance(a) > distance(b) : a < b;
  });
  for (unsigned axis : axes) {
    Wide steps = std::min<Wide>(rest / distance(axis), layout.shape[axis] - 1);
    rest -= steps * distance(axis);
    index[axis] = int64_t(layout.strides[axis] < 0 ? layout.shape[axis] - 1 - steps : steps);
  }
  return index;
}
