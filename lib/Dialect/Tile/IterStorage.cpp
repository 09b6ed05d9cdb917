//===- IterStorage.cpp - dims and windows of accesses to bufs -------------===//
//
// The dims are the axes of the buf, which are those of the box of the view.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IterSpec.h"

#include "tessera/Dialect/Tile/TileOps.h"

using namespace mlir;

namespace tessera::tile {
namespace {

TypedValue<BufType> bufOf(Operation *op) {
  if (auto copy = dyn_cast<CopyOp>(op)) {
    return copy.getBuf();
  }
  if (auto copy = dyn_cast<CopyOutOp>(op)) {
    return copy.getBuf();
  }
  if (auto read = dyn_cast<ReadOp>(op)) {
    return read.getBuf();
  }
  if (auto write = dyn_cast<WriteOp>(op)) {
    return write.getBuf();
  }
  return {};
}

/// All of one slot.
Window bufWindow(Window::Kind kind, TypedValue<BufType> buf, Value slot) {
  Window window;
  window.kind = kind;
  window.view = buf;
  window.slot = slot;
  ArrayRef<int64_t> shape = buf.getType().getShape();
  addAxes(window, shape, {}, SmallVector<bool>(shape.size(), true));
  return window;
}

template <class Op> Window viewWindow(Window::Kind kind, Op op) {
  Window window;
  window.kind = kind;
  window.view = op.getView();
  addAxes(window, op.getView().getType().getShape(), op.getIndices(), op.getWhole());
  window.must = isFull(op.getIndices());
  return window;
}

} // namespace

std::optional<IterSpec> storageSpec(Operation *op) {
  TypedValue<BufType> buf = bufOf(op);
  if (!buf) {
    return std::nullopt;
  }
  ArrayRef<int64_t> shape = buf.getType().getShape();
  IterSpec spec;
  spec.dims = parallelDims(shape);
  spec.operands = noUses(op->getNumOperands());
  if (isa<WriteOp>(op)) {
    spec.operands[0] = identityUses(shape);
  } else if (auto copy = dyn_cast<CopyOp>(op)) {
    addIndexUses(spec, copy.getODSOperandIndexAndLength(1).first, copy.getIndices(),
                 copy.getWhole());
  } else if (auto out = dyn_cast<CopyOutOp>(op)) {
    addIndexUses(spec, out.getODSOperandIndexAndLength(3).first, out.getIndices(), out.getWhole());
  }
  spec.results.assign(op->getNumResults(), identityUses(shape));
  return spec;
}

std::optional<Operation *> storageCloneAt(Operation *op, const Cut &cut) {
  TypedValue<BufType> buf = bufOf(op);
  if (!buf) {
    return std::nullopt;
  }
  for (auto [extent, range] : llvm::zip(buf.getType().getShape(), cut.box)) {
    if (range.size != extent) {
      emitError(cut.loc) << "expected a box of all of `" << op->getName()
                         << "`, which accesses a slot whole: its parts are told by its factors";
      return std::optional<Operation *>(nullptr);
    }
  }
  return cloneWith(op, cut);
}

SmallVector<Window> storageWindows(Operation *op) {
  if (auto copy = dyn_cast<CopyOp>(op)) {
    Window write = bufWindow(Window::write, copy.getBuf(), copy.getSlot());
    Window read = viewWindow(Window::read, copy);
    write.must = copy.getFill() == Fill::zero || read.must;
    return {read, write};
  }
  if (auto copy = dyn_cast<CopyOutOp>(op)) {
    return {bufWindow(Window::read, copy.getBuf(), copy.getSlot()),
            viewWindow(Window::write, copy)};
  }
  if (auto write = dyn_cast<WriteOp>(op)) {
    Window window = bufWindow(Window::write, write.getBuf(), write.getSlot());
    window.must = isNeverAbsent(write.getValue());
    return {window};
  }
  if (auto read = dyn_cast<ReadOp>(op)) {
    Window window = bufWindow(Window::read, read.getBuf(), read.getSlot());
    window.axes.clear();
    addAxes(window, read.getBuf().getType().getShape(), read.getSpans(), read.getWhole());
    window.must = read.getSpans().empty();
    return {window};
  }
  return {};
}

} // namespace tessera::tile
