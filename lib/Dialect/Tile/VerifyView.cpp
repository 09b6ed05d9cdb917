//===- VerifyView.cpp - rules of views, spans, loads, stores, atomics -----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Verify.h"

#include "tessera/Dialect/Tile/DTypes.h"
#include "tessera/Dialect/Tile/TileOps.h"
#include "tessera/Dialect/Tile/TypeText.h"

using namespace mlir;

namespace tessera::tile {

//===- boxes --------------------------------------------------------------===//

FailureOr<SmallVector<int64_t>> verifyIndex(Operation *op, ViewType view, ValueRange indices,
                                            ArrayRef<bool> whole) {
  if (static_cast<int64_t>(whole.size()) != view.getRank()) {
    return op->emitOpError() << "expected an index or `:` for each of " << view.getRank()
                             << " axes, found " << whole.size();
  }
  for (auto [axis, isWhole] : llvm::enumerate(whole)) {
    if (isWhole && ShapedType::isDynamic(view.getShape()[axis])) {
      return op->emitOpError() << "expected a static extent at axis " << axis
                               << " indexed by `:`, found `?`: "
                               << "index it by a span, as `whole` gives one";
    }
  }
  size_t wanted = llvm::count(whole, false);
  if (indices.size() != wanted) {
    return op->emitOpError() << "expected an index for each of " << wanted
                             << " axes that are not `:`, found " << indices.size();
  }
  return *boxShape(view, indices, whole);
}

LogicalResult AtomicOp::verify() {
  ViewType view = getView().getType();
  // C1
  if (view.getMode() != AccessMode::inout) {
    return emitOpError() << "expected an `inout` view, found `"
                         << stringifyAccessMode(view.getMode()) << "`: an atomic reads and writes";
  }
  // C2
  FailureOr<SmallVector<int64_t>> box = verifyIndex(*this, view, getIndices(), getWhole());
  if (failed(box)) {
    return failure();
  }
  // C3
  Type type = scalarOrTile(*box, view.getElementType());
  if (failed(verifyType(*this, "a value", getValue().getType(), type)) ||
      (getOld() && failed(verifyType(*this, "a result", getOld().getType(), type)))) {
    return failure();
  }
  // C4
  if ((getKind() == AtomicKind::cas) != static_cast<bool>(getCompare())) {
    return emitOpError() << "expected a value to compare with "
                         << (getCompare() ? "only for `cas`, found `expect` on `"
                                          : "for `cas`, found no `expect` on `")
                         << stringifyAtomicKind(getKind()) << "`";
  }
  if (getCompare() &&
      failed(verifyType(*this, "a value to compare with", getCompare().getType(), type))) {
    return failure();
  }
  // C5
  DType dtype = dtypeOf(type);
  bool isBitwise =
      llvm::is_contained({AtomicKind::and_, AtomicKind::or_, AtomicKind::xor_}, getKind());
  if (isBitwise && !isInteger(dtype)) {
    return emitOpError() << "expected integers for `" << stringifyAtomicKind(getKind())
                         << "`, found `" << text(view.getElementType()) << "`";
  }
  // C6
  bool isArithmetic =
      llvm::is_contained({AtomicKind::add, AtomicKind::max, AtomicKind::min}, getKind());
  if (isArithmetic && (isBool(dtype) || isFp8(dtype))) {
    return emitOpError() << "expected numbers for `" << stringifyAtomicKind(getKind())
                         << "`, found `" << text(view.getElementType()) << "`";
  }
  // C7
  if (!getOrderAny() && (isFloat(dtype) || getOld())) {
    return emitOpError() << "expected `order_any` on an atomic that "
                         << (getOld() ? "returns what was there" : "works on floats")
                         << ": its result depends on the order, and the source must allow any";
  }
  return success();
}

LogicalResult LoadOp::verify() {
  // C1
  FailureOr<SmallVector<int64_t>> box =
      verifyIndex(*this, getView().getType(), getIndices(), getWhole());
  if (failed(box)) {
    return failure();
  }
  // C2
  return verifyType(*this, "a result", getResult().getType(),
                    scalarOrTile(*box, getView().getType().getElementType()));
}

LogicalResult StoreOp::verify() {
  ViewType view = getView().getType();
  // C1
  if (!view.isWritable()) {
    return emitOpError()
           << "expected an `out` or `inout` view, found `in`: declare the argument `out`";
  }
  // C2
  FailureOr<SmallVector<int64_t>> box = verifyIndex(*this, view, getIndices(), getWhole());
  if (failed(box)) {
    return failure();
  }
  // C3
  return verifyType(*this, "a value", getValue().getType(),
                    scalarOrTile(*box, view.getElementType()));
}

//===- extents and spans --------------------------------------------------===//

LogicalResult DimOp::verify() {
  // C1
  return verifyAxis(*this, getAxis(), getView().getType().getRank());
}

LogicalResult SpanIndexOp::verify() {
  // C1
  return verifyType(
      *this, "a result", getResult().getType(),
      RankedTensorType::get({getSpan().getType().getWidth()}, IntegerType::get(getContext(), 64)));
}

//===- parts of views -----------------------------------------------------===//

static ViewType withShape(ViewType view, ArrayRef<int64_t> shape) {
  return ViewType::get(view.getContext(), shape, view.getElementType(), view.getMode());
}

LogicalResult ViewGroupOp::verify() {
  ViewType from = getView().getType();
  int64_t axis = getAxis(), size = getSize();
  // C1
  if (failed(verifyAxis(*this, axis, from.getRank()))) {
    return failure();
  }
  if (size < 1) {
    return emitOpError() << "expected groups of at least 1 element, found " << size;
  }
  int64_t extent = from.getShape()[axis];
  if (!ShapedType::isDynamic(extent) && extent % size != 0) {
    return emitOpError() << "expected a group size that divides the extent " << extent
                         << " of axis " << axis << ", found " << size;
  }
  // C2
  SmallVector<int64_t> shape = withExtent(from.getShape(), axis, size);
  shape.insert(shape.begin() + axis, ShapedType::isDynamic(extent) ? extent : extent / size);
  return verifyType(*this, "a result", getResult().getType(), withShape(from, shape));
}

LogicalResult ViewPermuteOp::verify() {
  ViewType from = getView().getType();
  // C1
  if (failed(verifyPermutation(*this, getPermutation(), from.getRank()))) {
    return failure();
  }
  // C2
  SmallVector<int64_t> shape;
  for (int64_t axis : getPermutation()) {
    shape.push_back(from.getShape()[axis]);
  }
  return verifyType(*this, "a result", getResult().getType(), withShape(from, shape));
}

/// A part of `from` along `axis` may have `?` or the extent `known` there.
static LogicalResult verifyPart(Operation *op, ViewType from, ViewType part, int64_t axis,
                                std::optional<int64_t> known) {
  if (part == withShape(from, withExtent(from.getShape(), axis, ShapedType::kDynamic)) ||
      (known && part == withShape(from, withExtent(from.getShape(), axis, *known)))) {
    return success();
  }
  InFlightDiagnostic error = op->emitOpError()
                             << "expected a result like `" << text(from) << "` with `?`";
  if (known) {
    error << " or " << *known;
  }
  return error << " at axis " << axis << ", found `" << text(part) << "`";
}

LogicalResult ViewSliceOp::verify() {
  ViewType from = getView().getType();
  int64_t axis = getAxis();
  // C1
  if (failed(verifyAxis(*this, axis, from.getRank()))) {
    return failure();
  }
  // C2
  std::optional<int64_t> difference;
  auto lo = getLo().getDefiningOp<ConstantOp>(), hi = getHi().getDefiningOp<ConstantOp>();
  if (lo && hi && isa<IntegerAttr>(lo.getValue()) && isa<IntegerAttr>(hi.getValue())) {
    difference =
        cast<IntegerAttr>(hi.getValue()).getInt() - cast<IntegerAttr>(lo.getValue()).getInt();
  }
  return verifyPart(*this, from, getResult().getType(), axis,
                    difference && *difference >= 0 ? difference : std::nullopt);
}

LogicalResult ViewSplitOp::verify() {
  ViewType from = getView().getType();
  int64_t axis = getAxis(), parts = getParts().size();
  // C1
  if (failed(verifyAxis(*this, axis, from.getRank()))) {
    return failure();
  }
  // C2
  if (parts == 0) {
    return emitOpError() << "expected at least one part, found none";
  }
  std::optional<int64_t> quotient;
  int64_t extent = from.getShape()[axis];
  if (!ShapedType::isDynamic(extent)) {
    if (extent % parts != 0) {
      return emitOpError() << "expected a number of parts that divides the extent " << extent
                           << " of axis " << axis << ", found " << parts;
    }
    quotient = extent / parts;
  }
  for (Value part : getParts()) {
    if (failed(verifyPart(*this, from, cast<ViewType>(part.getType()), axis, quotient))) {
      return failure();
    }
  }
  return success();
}

} // namespace tessera::tile
