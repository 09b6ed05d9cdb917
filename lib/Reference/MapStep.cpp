// Computes the arrays of formulas, block by block. Lanes are the elements of the innermost axes; a recurrence runs along
// its axis, outermost, with the other axes as lanes.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Formula.h"

#include "tessera/Dialect/Tile/DTypes.h"

#include "llvm/ADT/ScopeExit.h"

using namespace tessera;
using namespace tessera::reference;

namespace {
/// With fewer lanes than this a further axis becomes lanes too: a step costs about as much as fifty elements.
constexpr int64_t enoughLanes = 128;

template <typename T>
void scatter(std::byte *to, const int64_t *offsets, const std::byte *from, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    reinterpret_cast<T *>(to)[offsets[i]] = reinterpret_cast<const T *>(from)[i];
  }
}

void scatter(size_t bytes, std::byte *to, const int64_t *offsets, const std::byte *from,
             size_t count) {
  switch (bytes) {
  case 1:
    return scatter<uint8_t>(to, offsets, from, count);
  case 2:
    return scatter<uint16_t>(to, offsets, from, count);
  case 4:
    return scatter<uint32_t>(to, offsets, from, count);
  default:
    return scatter<uint64_t>(to, offsets, from, count);
  }
}
} // namespace

namespace tessera::reference {

class ArrayRun {
public:
  ArrayRun(Formula &formula, tile::MapOp op) : formula(formula), op(op), machine(formula.machine) {}

  bool run();

private:
  struct Axis {
    int64_t lo = 0, hi = 0;
    Slot *index = nullptr;
    int64_t size() const { return std::max<int64_t>(hi - lo, 0); }
  };

  bool readRanges();
  bool allocate();
  void chooseLanes();
  bool compile();
  bool runPoints();
  bool runLanes();
  void setLaneIndices(int64_t first, size_t count);
  void setOffsets(size_t count);
  void store(size_t count);

  Formula &formula;
  tile::MapOp op;
  Machine &machine;
  Array *array = nullptr;
  std::vector<Axis> axes;
  /// Axis numbers, outermost first.
  llvm::SmallVector<unsigned> outer, lanes;
  int64_t numLanes = 1;
  Steps body;
  Slot *value = nullptr;
  std::vector<int64_t> offsets;
};

} // namespace tessera::reference

bool ArrayRun::readRanges() {
  for (unsigned i = 0; i < op.getHighs().size(); ++i) {
    Slot *lo = formula.slotOf(op.getLows()[i]), *hi = formula.slotOf(op.getHighs()[i]);
    if (lo->presence != Presence::all || hi->presence != Presence::all) {
      return machine.fail(
          checkedError(ReferenceDiag::ref_absent_extent, op.getLoc(), {},
                       "give the range a value in every case, for instance with `??`", i));
    }
    axes.push_back({std::max<int64_t>(lo->asIndex(), 0), std::max<int64_t>(hi->asIndex(), 0)});
  }
  return true;
}

bool ArrayRun::allocate() {
  IndexVector shape;
  bool holes = false;
  for (const Axis &axis : axes) {
    shape.push_back(axis.hi);
    holes |= axis.lo > 0;
  }
  const DType type =
      dtypeOf(llvm::cast<mlir::ShapedType>(op.getResult().getType()).getElementType());
  // In a system that holds all floats as f64 an array of them is one of f64.
  const bool native = machine.numbers.elementSize(type) == byteSize(type);
  llvm::Expected<HostArray> host = HostArray::allocate(native ? type : DType::f64, shape);
  if (!host) {
    return machine.fail(checkedError(ReferenceDiag::ref_array_size, op.getLoc(), {},
                                     "use smaller extents", llvm::toString(host.takeError())));
  }
  array = formula.arrays.lookup(op.getResult());
  array->host = std::move(*host);
  if (holes) {
    // What lies before the ranges is never computed.
    array->presence.assign(array->host.numElements(), 0);
  }
  if (op.getSelf()) {
    array->isRecurrence = true;
    array->axis = static_cast<unsigned>(op.getAxis().value_or(0));
    array->descending = op.getDescending();
    formula.arrays[op.getBody().front().getArguments().back()] = array;
  }
  return true;
}

void ArrayRun::chooseLanes() {
  llvm::SmallVector<unsigned> rest;
  for (unsigned i = axes.size(); i-- > 0;) {
    if (array->isRecurrence && i == array->axis) {
      continue;
    }
    const int64_t size = std::max<int64_t>(axes[i].size(), 1);
    if (numLanes < enoughLanes && !llvm::MulOverflow(numLanes, size, numLanes)) {
      lanes.insert(lanes.begin(), i);
    } else {
      rest.insert(rest.begin(), i);
    }
  }
  if (array->isRecurrence) {
    outer.push_back(array->axis);
  }
  outer.append(rest);
}

bool ArrayRun::compile() {
  mlir::Block &block = op.getBody().front();
  auto savedOpen = std::move(formula.open);
  auto savedScope = std::move(formula.scope);
  const unsigned savedFloor = formula.floor;
  const bool savedLanes = formula.hasLanes;
  llvm::scope_exit restore([&] {
    formula.open = std::move(savedOpen);
    formula.scope = std::move(savedScope);
    formula.floor = savedFloor;
    formula.hasLanes = savedLanes;
  });
  formula.open = {nullptr, &body};
  formula.floor = 1;
  formula.hasLanes = !lanes.empty();
  formula.scope.clear();
  for (unsigned i = 0; i < axes.size(); ++i) {
    mlir::BlockArgument argument = block.getArgument(i);
    axes[i].index = formula.define(argument, llvm::is_contained(lanes, i));
    formula.scope.emplace_back(nameOf(argument.getLoc(), ("index " + llvm::Twine(i)).str()),
                               axes[i].index);
  }
  if (!formula.compileBlock(block)) {
    return false;
  }
  value = formula.slotOf(block.getTerminator()->getOperand(0));
  return true;
}

void ArrayRun::setLaneIndices(int64_t first, size_t count) {
  // The innermost axis runs fastest.
  llvm::SmallVector<int64_t> at(lanes.size());
  int64_t rest = first;
  for (unsigned i = lanes.size(); i-- > 0;) {
    const Axis &axis = axes[lanes[i]];
    at[i] = axis.lo + rest % axis.size();
    rest /= axis.size();
  }
  if (lanes.size() == 1) {
    Slot *index = axes[lanes[0]].index;
    index->linear = true;
    index->start = at[0];
    index->step = 1;
  }
  for (size_t lane = 0; lane < count; ++lane) {
    for (unsigned i = lanes.size(); i-- > 0;) {
      axes[lanes[i]].index->as<int64_t>()[lane] = at[i];
    }
    for (unsigned i = lanes.size(); i-- > 0;) {
      if (++at[i] < axes[lanes[i]].hi) {
        break;
      }
      at[i] = axes[lanes[i]].lo;
    }
  }
}

void ArrayRun::setOffsets(size_t count) {
  int64_t base = 0;
  for (unsigned i : outer) {
    base += axes[i].index->asIndex() * array->host.strides()[i];
  }
  offsets.assign(count, base);
  for (unsigned i : lanes) {
    const int64_t stride = array->host.strides()[i];
    for (size_t lane = 0; lane < count; ++lane) {
      offsets[lane] += axes[i].index->as<int64_t>()[lane] * stride;
    }
  }
}

void ArrayRun::store(size_t count) {
  if (value->presence != Presence::none) {
    const std::byte *data = machine.arena.lanes(*value, count);
    const size_t bytes = byteSize(array->host.dtype());
    // Offsets ascend, so their ends tell whether they are adjacent.
    if (offsets.back() - offsets.front() == static_cast<int64_t>(count) - 1) {
      std::memcpy(array->host.atOffset(offsets.front()), data, count * bytes);
    } else {
      scatter(bytes, array->host.data(), offsets.data(), data, count);
    }
  }
  if (value->presence != Presence::all) {
    array->makePresence();
  }
  if (array->presence.empty()) {
    return;
  }
  for (size_t lane = 0; lane < count; ++lane) {
    array->presence[offsets[lane]] = value->isPresent(lane);
  }
}

bool ArrayRun::runLanes() {
  for (int64_t first = 0; first < numLanes; first += maxLanes) {
    const size_t count = std::min<int64_t>(maxLanes, numLanes - first);
    setLaneIndices(first, count);
    setOffsets(count);
    if (!body.run(machine, {count, nullptr})) {
      return false;
    }
    store(count);
  }
  return true;
}

bool ArrayRun::runPoints() {
  for (const Axis &axis : axes) {
    if (axis.size() == 0) {
      return true;
    }
  }
  auto isDown = [&](unsigned axis) {
    return array->isRecurrence && axis == array->axis && array->descending;
  };
  for (unsigned i : outer) {
    axes[i].index->setScalar(isDown(i) ? axes[i].hi - 1 : axes[i].lo);
  }
  while (true) {
    if (array->isRecurrence) {
      array->current = axes[array->axis].index->asIndex();
    }
    if (!runLanes()) {
      return false;
    }
    unsigned position = outer.size();
    while (position-- > 0) {
      const Axis &axis = axes[outer[position]];
      const bool down = isDown(outer[position]);
      const int64_t next = axis.index->asIndex() + (down ? -1 : 1);
      if (down ? next >= axis.lo : next < axis.hi) {
        axis.index->setScalar(next);
        break;
      }
      axis.index->setScalar(down ? axis.hi - 1 : axis.lo);
    }
    if (position == ~0u) {
      return true;
    }
  }
}

bool ArrayRun::run() {
  if (!readRanges()) {
    return false;
  }
  if (formula.counting) {
    uint64_t size = 1;
    for (const Axis &axis : axes) {
      size = llvm::SaturatingMultiply(size, static_cast<uint64_t>(axis.hi));
    }
    formula.elements = llvm::SaturatingAdd(formula.elements, size);
    return true;
  }
  if (!allocate()) {
    return false;
  }
  chooseLanes();
  if (!compile() || !runPoints()) {
    return false;
  }
  array->isRecurrence = false;
  return true;
}

bool Formula::compileMap(tile::MapOp op) {
  for (mlir::Value bound : op->getOperands()) {
    if (!slots.contains(bound)) {
      return unsupported(*op);
    }
  }
  Array &array = ownedArrays.emplace_back();
  array.name = arrayNames.lookup(op.getResult());
  arrays[op.getResult()] = &array;
  append(std::make_unique<ArrayStep>([this, op] { return ArrayRun(*this, op).run(); }));
  return true;
}
