//===- VerifyShape.cpp - rules of constants, index maps, absence ----------===//
//
// Also the assembly of tile.constant.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Verify.h"

#include "tessera/Dialect/Tile/DTypes.h"
#include "tessera/Dialect/Tile/TileOps.h"
#include "tessera/Dialect/Tile/TypeText.h"

#include "mlir/IR/BuiltinAttributes.h"

using namespace mlir;

namespace tessera::tile {

//===- shared checks ------------------------------------------------------===//

LogicalResult verifyAxis(Operation *op, int64_t axis, int64_t rank) {
  if (axis < 0 || axis >= rank) {
    return op->emitOpError() << "expected an axis in 0 to " << rank - 1 << ", found " << axis;
  }
  return success();
}

LogicalResult verifyAxes(Operation *op, ArrayRef<int64_t> axes, int64_t rank) {
  int64_t last = -1;
  for (int64_t axis : axes) {
    if (axis <= last || axis >= rank) {
      return op->emitOpError() << "expected ascending axes in 0 to " << rank - 1 << ", found ["
                               << axes << "]";
    }
    last = axis;
  }
  return success();
}

LogicalResult verifyPermutation(Operation *op, ArrayRef<int64_t> permutation, int64_t rank) {
  SmallVector<int64_t> sorted(permutation);
  llvm::sort(sorted);
  if (!llvm::equal(sorted, llvm::seq<int64_t>(0, rank))) {
    return op->emitOpError() << "expected a permutation of the axes 0 to " << rank - 1
                             << ", found [" << permutation << "]";
  }
  return success();
}

LogicalResult verifyType(Operation *op, StringRef what, Type found, Type wanted) {
  if (found != wanted) {
    return op->emitOpError() << "expected " << what << " of type `" << text(wanted) << "`, found `"
                             << text(found) << "`";
  }
  return success();
}

LogicalResult verifySameElements(Operation *op, Type operand, Type result) {
  if (elementTypeOf(operand) != elementTypeOf(result)) {
    return op->emitOpError() << "expected a result of the operand's element type `"
                             << text(elementTypeOf(operand)) << "`, found `"
                             << text(elementTypeOf(result)) << "`: convert with `tile.cast`";
  }
  return success();
}

SmallVector<int64_t> withoutAxis(ArrayRef<int64_t> shape, int64_t axis) {
  SmallVector<int64_t> result(shape);
  result.erase(result.begin() + axis);
  return result;
}

SmallVector<int64_t> withExtent(ArrayRef<int64_t> shape, int64_t axis, int64_t extent) {
  SmallVector<int64_t> result(shape);
  result[axis] = extent;
  return result;
}

//===- constants ----------------------------------------------------------===//

ParseResult ConstantOp::parse(OpAsmParser &parser, OperationState &result) {
  SMLoc at = parser.getCurrentLocation();
  Attribute value;
  if (parser.parseAttribute(value)) {
    return failure();
  }
  auto typed = dyn_cast<TypedAttr>(value);
  if (!typed || !isElementType(typed.getType())) {
    return parser.emitError(at) << "expected an element with its type such as `1.0 : f32`, found `"
                                << value << "`";
  }
  Type type = typed.getType();
  OptionalParseResult tile = parser.parseOptionalType(type);
  if ((tile.has_value() && failed(*tile)) || parser.parseOptionalAttrDict(result.attributes)) {
    return failure();
  }
  result.addAttribute("value", value);
  result.addTypes(type);
  return success();
}

void ConstantOp::print(OpAsmPrinter &printer) {
  printer << " " << getValue();
  if (getResult().getType() != getValue().getType()) {
    printer << " " << getResult().getType();
  }
  printer.printOptionalAttrDict((*this)->getAttrs(), {"value"});
}

LogicalResult ConstantOp::verify() {
  // C1
  if (!isa<FloatAttr, IntegerAttr>(getValue()) ||
      getValue().getType() != elementTypeOf(getResult().getType())) {
    return emitOpError() << "expected a number of the element type `"
                         << text(elementTypeOf(getResult().getType())) << "`, found `" << getValue()
                         << "`";
  }
  return success();
}

LogicalResult IotaOp::verify() {
  int64_t rank = getResult().getType().getRank();
  // C1
  if (rank != 1) {
    return emitOpError() << "expected a result of rank 1, found rank " << rank
                         << ": expand and broadcast a tile of rank 1";
  }
  return success();
}

LogicalResult SplatOp::verify() {
  // C1
  return verifySameElements(*this, getX().getType(), getResult().getType());
}

//===- index maps ---------------------------------------------------------===//

LogicalResult BroadcastOp::verify() {
  auto from = getX().getType(), to = getResult().getType();
  // C1
  if (from.getRank() != to.getRank()) {
    return emitOpError() << "expected a result of the operand's rank " << from.getRank()
                         << ", found rank " << to.getRank() << ": put axes in with `tile.expand`";
  }
  if (failed(verifySameElements(*this, from, to))) {
    return failure();
  }
  // C2
  for (int64_t axis = 0; axis < from.getRank(); ++axis) {
    if (from.getDimSize(axis) != 1 && from.getDimSize(axis) != to.getDimSize(axis)) {
      return emitOpError() << "expected extent 1 or " << to.getDimSize(axis) << " at axis " << axis
                           << " of the operand, found " << from.getDimSize(axis)
                           << ": only axes of extent 1 are repeated";
    }
  }
  return success();
}

LogicalResult CatOp::verify() {
  auto to = getResult().getType();
  int64_t axis = getAxis();
  // C1
  if (getParts().empty()) {
    return emitOpError() << "expected at least one part, found none";
  }
  if (failed(verifyAxis(*this, axis, to.getRank()))) {
    return failure();
  }
  // C2
  int64_t sum = 0;
  for (auto [i, part] : llvm::enumerate(getParts())) {
    auto from = cast<RankedTensorType>(part.getType());
    if (from.getElementType() != to.getElementType() || from.getRank() != to.getRank() ||
        withExtent(from.getShape(), axis, 1) != withExtent(to.getShape(), axis, 1)) {
      return emitOpError() << "expected part " << i << " like the result `" << text(to)
                           << "` but for the extent at "
                           << "axis " << axis << ", found `" << text(from) << "`";
    }
    sum += from.getDimSize(axis);
  }
  if (sum != to.getDimSize(axis)) {
    return emitOpError() << "expected the sum " << sum << " of the parts' extents at axis " << axis
                         << " of the result, found " << to.getDimSize(axis);
  }
  return success();
}

/// The shape with extent 1 put in (axes are positions in the result); `axes` are in range.
static SmallVector<int64_t> expandedShape(ArrayRef<int64_t> shape, ArrayRef<int64_t> axes) {
  SmallVector<int64_t> result(shape);
  for (int64_t axis : axes) {
    result.insert(result.begin() + axis, 1);
  }
  return result;
}

LogicalResult ExpandOp::verify() {
  Type from = getX().getType();
  auto to = getResult().getType();
  int64_t added = to.getRank() - static_cast<int64_t>(shapeOf(from).size());
  // C1
  if (failed(verifyAxes(*this, getAxes(), to.getRank()))) {
    return failure();
  }
  if (getAxes().empty() || static_cast<int64_t>(getAxes().size()) != added) {
    return emitOpError() << "expected as many axes as the ranks differ (" << added
                         << "), at least one, found " << getAxes().size();
  }
  // C2
  if (failed(verifySameElements(*this, from, to))) {
    return failure();
  }
  return verifyType(*this, "a result", to,
                    scalarOrTile(expandedShape(shapeOf(from), getAxes()), to.getElementType()));
}

LogicalResult FlipOp::verify() {
  // C1
  return verifyAxis(*this, getAxis(), getX().getType().getRank());
}

LogicalResult PermuteOp::verify() {
  auto from = getX().getType();
  // C1
  if (failed(verifyPermutation(*this, getPermutation(), from.getRank()))) {
    return failure();
  }
  // C2
  SmallVector<int64_t> shape;
  for (int64_t axis : getPermutation()) {
    shape.push_back(from.getDimSize(axis));
  }
  return verifyType(*this, "a result", getResult().getType(),
                    scalarOrTile(shape, from.getElementType()));
}

LogicalResult ReshapeOp::verify() {
  auto from = getX().getType(), to = getResult().getType();
  // C1
  if (failed(verifySameElements(*this, from, to))) {
    return failure();
  }
  if (from.getNumElements() != to.getNumElements()) {
    return emitOpError() << "expected a result of " << from.getNumElements() << " elements, found "
                         << to.getNumElements();
  }
  return success();
}

LogicalResult SliceOp::verify() {
  auto from = getX().getType(), to = getResult().getType();
  // C1
  if (from.getRank() != to.getRank() ||
      static_cast<int64_t>(getOffsets().size()) != from.getRank()) {
    return emitOpError()
           << "expected an offset for each axis and operand and result of one rank, found "
           << getOffsets().size() << " offsets and ranks " << from.getRank() << " and "
           << to.getRank();
  }
  if (failed(verifySameElements(*this, from, to))) {
    return failure();
  }
  // C2
  for (auto [axis, offset] : llvm::enumerate(getOffsets())) {
    if (offset < 0 || offset > from.getDimSize(axis) - to.getDimSize(axis)) {
      return emitOpError() << "expected a part inside the operand's extent "
                           << from.getDimSize(axis) << " at axis " << axis << ", found "
                           << to.getDimSize(axis) << " elements from " << offset;
    }
  }
  return success();
}

LogicalResult SqueezeOp::verify() {
  auto from = getX().getType();
  Type to = getResult().getType();
  // C1
  if (failed(verifyAxes(*this, getAxes(), from.getRank()))) {
    return failure();
  }
  if (getAxes().empty()) {
    return emitOpError() << "expected at least one axis to drop, found none";
  }
  for (int64_t axis : getAxes()) {
    if (from.getDimSize(axis) != 1) {
      return emitOpError() << "expected extent 1 at axis " << axis << ", found "
                           << from.getDimSize(axis) << ": reduce or slice the axis first";
    }
  }
  // C2
  SmallVector<int64_t> shape(from.getShape());
  for (int64_t axis : llvm::reverse(getAxes())) {
    shape.erase(shape.begin() + axis);
  }
  return verifyType(*this, "a result", to, scalarOrTile(shape, from.getElementType()));
}

//===- absence ------------------------------------------------------------===//

LogicalResult KeepIfOp::verify() {
  ArrayRef<int64_t> shape = shapeOf(getX().getType()),
                    condition = shapeOf(getCondition().getType());
  // C1
  if (shape.size() != condition.size()) {
    return emitOpError() << "expected a condition of the operand's rank " << shape.size()
                         << ", found rank " << condition.size();
  }
  // C2
  if (failed(verifyAxes(*this, getAxes(), shape.size()))) {
    return failure();
  }
  // C3
  for (size_t axis = 0; axis < shape.size(); ++axis) {
    int64_t wanted = llvm::is_contained(getAxes(), static_cast<int64_t>(axis)) ? shape[axis] : 1;
    if (condition[axis] != wanted) {
      return emitOpError() << "expected extent " << wanted << " at axis " << axis
                           << " of the condition, found " << condition[axis];
    }
  }
  return success();
}

} // namespace tessera::tile
