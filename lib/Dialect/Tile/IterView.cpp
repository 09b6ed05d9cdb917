//===- IterView.cpp - dims and windows of loads, stores, atomics ----------===//
//
// The dims are the axes of the box: one for a span or `:`, those of the tile for a
// gather, none for an i64. A cut box is indexed by cut spans:
//
//   %s = tile.span (start + offset), stop    of width `size`
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IterSpec.h"

#include "tessera/Dialect/Tile/TileOps.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tessera::tile {
namespace {

/// What loads, stores and atomics share.
struct BoxOp {
  TypedValue<ViewType> view;
  ValueRange indices;
  ArrayRef<bool> whole;
  unsigned firstIndex; ///< operand number of the first index
  SmallVector<int64_t> shape;
  SmallVector<unsigned> tiles; ///< operands that have the box's shape
  Window::Kind kind;
};

std::optional<BoxOp> boxOpOf(Operation *op) {
  BoxOp box;
  if (auto load = dyn_cast<LoadOp>(op)) {
    box = {load.getView(), load.getIndices(), load.getWhole(), 1, {}, {}, Window::read};
  } else if (auto store = dyn_cast<StoreOp>(op)) {
    box = {store.getView(), store.getIndices(), store.getWhole(), 2, {}, {0}, Window::write};
  } else if (auto atomic = dyn_cast<AtomicOp>(op)) {
    unsigned compare = atomic.getCompare() ? 1 : 0;
    box = {atomic.getView(), atomic.getIndices(), atomic.getWhole(), 2 + compare, {}, {0},
           Window::atomic};
    if (compare) {
      box.tiles.push_back(1);
    }
  } else {
    return std::nullopt;
  }
  box.shape = boxShape(box.view.getType(), box.indices, box.whole).value_or(SmallVector<int64_t>());
  return box;
}

/// A part of a span: the same positions, absent as before.
Value cutSpan(Value span, IterRange range, const Cut &cut) {
  OpBuilder &b = cut.builder;
  Value start = SpanStartOp::create(b, cut.loc, b.getI64Type(), span);
  Value stop = SpanStopOp::create(b, cut.loc, b.getI64Type(), span);
  Value offset = ConstantOp::create(b, cut.loc, b.getI64Type(), b.getI64IntegerAttr(range.offset));
  Value first = AddOp::create(b, cut.loc, start, offset);
  return SpanOp::create(b, cut.loc, SpanType::get(b.getContext(), range.size), first, stop);
}

/// A part of `:`.
Value wholePart(IterRange range, const Cut &cut) {
  OpBuilder &b = cut.builder;
  Value first = ConstantOp::create(b, cut.loc, b.getI64Type(), b.getI64IntegerAttr(range.offset));
  Value end = ConstantOp::create(b, cut.loc, b.getI64Type(),
                                 b.getI64IntegerAttr(range.offset + range.size));
  return SpanOp::create(b, cut.loc, SpanType::get(b.getContext(), range.size), first, end);
}

/// Indices and whole axes of the cut box.
void cutIndices(const BoxOp &box, const Cut &cut, SmallVectorImpl<Value> &indices,
                SmallVectorImpl<bool> &whole) {
  unsigned dim = 0, next = 0;
  for (auto [extent, isWhole] : llvm::zip(box.view.getType().getShape(), box.whole)) {
    if (isWhole) {
      IterRange range = cut.box[dim++];
      whole.push_back(range.size == extent);
      if (!whole.back()) {
        indices.push_back(wholePart(range, cut));
      }
      continue;
    }
    Value index = cut.operands[box.firstIndex + next];
    Type before = box.indices[next++].getType();
    whole.push_back(false);
    if (auto span = dyn_cast<SpanType>(before)) {
      IterRange range = cut.box[dim++];
      indices.push_back(range.size == span.getWidth() ? index : cutSpan(index, range, cut));
    } else {
      indices.push_back(index);
      dim += shapeOf(before).size();
    }
  }
}

Operation *cutBoxOp(Operation *op, const BoxOp &box, const Cut &cut) {
  SmallVector<Value> indices;
  SmallVector<bool> whole;
  cutIndices(box, cut, indices, whole);
  Value view = cut.operands[box.firstIndex - 1];
  SmallVector<int64_t> shape;
  for (const IterRange &range : cut.box) {
    shape.push_back(range.size);
  }
  Type type = scalarOrTile(shape, box.view.getType().getElementType());
  if (isa<LoadOp>(op)) {
    return LoadOp::create(cut.builder, cut.loc, type, view, indices, whole);
  }
  if (auto store = dyn_cast<StoreOp>(op)) {
    return StoreOp::create(cut.builder, cut.loc, cut.operands[0], view, indices, whole,
                           store.getConflict());
  }
  auto atomic = cast<AtomicOp>(op);
  return AtomicOp::create(cut.builder, cut.loc, atomic.getOld() ? type : Type(), atomic.getKind(),
                          cut.operands[0], atomic.getCompare() ? cut.operands[1] : Value(), view,
                          indices, whole, atomic.getOrder(), atomic.getScope(),
                          atomic.getOrderAny());
}

} // namespace

static WindowAxis windowAxis(Value index) {
  if (auto span = dyn_cast<SpanType>(index.getType())) {
    return {WindowAxis::span, index, span.getWidth()};
  }
  if (auto tile = dyn_cast<RankedTensorType>(index.getType())) {
    return {WindowAxis::gather, index, tile.getNumElements()};
  }
  return {WindowAxis::scalar, index, 1};
}

void addIndexUses(IterSpec &spec, unsigned firstIndex, ValueRange indices, ArrayRef<bool> whole) {
  unsigned dim = 0, next = 0;
  for (bool isWhole : whole) {
    if (isWhole || next >= indices.size()) {
      ++dim;
      continue;
    }
    Type type = indices[next].getType();
    for (int64_t extent : shapeOf(type)) {
      spec.operands[firstIndex + next].push_back({AxisUse::along, dim++, extent});
    }
    dim += isa<SpanType>(type) ? 1 : 0;
    ++next;
  }
}

void addAxes(Window &window, ArrayRef<int64_t> extents, ValueRange indices, ArrayRef<bool> whole) {
  unsigned next = 0;
  for (auto [extent, isWhole] : llvm::zip(extents, whole)) {
    if (isWhole) {
      window.axes.push_back({WindowAxis::whole, Value(), extent});
    } else {
      window.axes.push_back(windowAxis(indices[next++]));
    }
  }
}

bool isFull(ValueRange indices) {
  return llvm::all_of(
      indices, [](Value index) { return !isa<SpanType>(index.getType()) && isNeverAbsent(index); });
}

std::optional<IterSpec> viewSpec(Operation *op) {
  if (auto index = dyn_cast<SpanIndexOp>(op)) {
    ArrayRef<int64_t> shape = index.getResult().getType().getShape();
    return IterSpec{parallelDims(shape), noUses(1), {identityUses(shape)}};
  }
  std::optional<BoxOp> box = boxOpOf(op);
  if (!box) {
    return std::nullopt;
  }
  IterSpec spec;
  spec.dims = parallelDims(box->shape);
  spec.operands = noUses(op->getNumOperands());
  for (unsigned tile : box->tiles) {
    spec.operands[tile] = identityUses(box->shape);
  }
  spec.results.assign(op->getNumResults(), identityUses(box->shape));
  addIndexUses(spec, box->firstIndex, box->indices, box->whole);
  return spec;
}

std::optional<Operation *> viewCloneAt(Operation *op, const Cut &cut) {
  if (auto index = dyn_cast<SpanIndexOp>(op)) {
    IterRange range = cut.box[0];
    Value span = cut.operands[0];
    if (range.size != index.getSpan().getType().getWidth()) {
      span = cutSpan(span, range, cut);
    }
    return cloneWith(op, {cut.builder, cut.loc, span, cut.box});
  }
  std::optional<BoxOp> box = boxOpOf(op);
  if (!box) {
    return std::nullopt;
  }
  return cutBoxOp(op, *box, cut);
}

SmallVector<Window> viewWindows(Operation *op) {
  std::optional<BoxOp> box = boxOpOf(op);
  if (!box) {
    return {};
  }
  Window window;
  window.kind = box->kind;
  window.view = box->view;
  // A span may be short, an index absent, a value not there.
  window.must = isFull(box->indices) && llvm::all_of(box->tiles, [&](unsigned i) {
                  return isNeverAbsent(op->getOperand(i));
                });
  addAxes(window, box->view.getType().getShape(), box->indices, box->whole);
  return {window};
}

} // namespace tessera::tile
