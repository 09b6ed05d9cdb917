//===- VerifyReduce.cpp - rules of reductions, scans, products ------------===//
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

static bool isNumber(DType dtype) { return !isBool(dtype) && !isFp8(dtype); }

/// The element types that a kind of reduction takes, in words; empty if `dtype` is one.
static StringRef wantedBy(ReduceKind kind, DType dtype) {
  switch (kind) {
  case ReduceKind::any:
  case ReduceKind::all:
  case ReduceKind::count:
    return isBool(dtype) ? "" : "truth values (`i1`)";
  case ReduceKind::and_:
  case ReduceKind::or_:
  case ReduceKind::xor_:
    return isBool(dtype) || isInteger(dtype) ? "" : "integers or truth values";
  case ReduceKind::max_num:
  case ReduceKind::min_num:
    return isNumber(dtype) && isFloat(dtype) ? "" : "floats with arithmetic";
  default:
    return isNumber(dtype) ? "" : "numbers";
  }
}

static LogicalResult verifyKind(Operation *op, ReduceKind kind, Type type) {
  StringRef wanted = wantedBy(kind, dtypeOf(type));
  if (wanted.empty()) {
    return success();
  }
  return op->emitOpError() << "expected " << wanted << " for `" << stringifyReduceKind(kind)
                           << "`, found `" << text(elementTypeOf(type)) << "`";
}

template <class Op> static LogicalResult verifyArgExtremum(Op op) {
  RankedTensorType from = op.getX().getType();
  // C1
  if (failed(verifyAxis(op, op.getAxis(), from.getRank()))) {
    return failure();
  }
  // C2
  SmallVector<int64_t> shape = withoutAxis(from.getShape(), op.getAxis());
  if (failed(verifyType(op, "a value", op.getValue().getType(),
                        scalarOrTile(shape, from.getElementType())))) {
    return failure();
  }
  return verifyType(op, "an index", op.getIndex().getType(),
                    scalarOrTile(shape, IntegerType::get(op.getContext(), 64)));
}

LogicalResult ArgMaxOp::verify() { return verifyArgExtremum(*this); }
LogicalResult ArgMinOp::verify() { return verifyArgExtremum(*this); }

LogicalResult HistogramOp::verify() {
  int64_t rank = getResult().getType().getRank();
  // C1
  if (rank != 1) {
    return emitOpError() << "expected a result of rank 1, one element for each bin, found rank "
                         << rank;
  }
  return success();
}

LogicalResult MmaOp::verify() {
  RankedTensorType a = getA().getType(), b = getB().getType(), acc = getAcc().getType();
  // C1
  if (a.getRank() != 2 || b.getRank() != 2 || acc.getRank() != 2 ||
      a.getDimSize(1) != b.getDimSize(0) || a.getDimSize(0) != acc.getDimSize(0) ||
      b.getDimSize(1) != acc.getDimSize(1)) {
    return emitOpError() << "expected operands of shapes MxK, KxN and MxN, found `" << text(a)
                         << "`, `" << text(b) << "` and `" << text(acc) << "`";
  }
  // C2
  if (a.getElementType() != b.getElementType()) {
    return emitOpError() << "expected `a` and `b` of one element type, found `"
                         << text(a.getElementType()) << "` and `" << text(b.getElementType())
                         << "`: cast one";
  }
  DType in = dtypeOf(a);
  DType wanted = in == DType::f64 ? DType::f64 : isFloat(in) ? DType::f32 : DType::i32;
  if (!isFloat(in) && in != DType::i8 && in != DType::ui8) {
    return emitOpError() << "expected operands of a float type, `i8` or `ui8`, found `"
                         << text(a.getElementType()) << "`";
  }
  if (dtypeOf(acc) != wanted) {
    return emitOpError() << "expected an accumulator of element type `"
                         << text(typeOf(wanted, getContext())) << "` for operands of `"
                         << text(a.getElementType()) << "`, found `" << text(acc.getElementType())
                         << "`";
  }
  // C3
  if (getPrecision() != MmaPrecision::ieee && in != DType::f32) {
    return emitOpError() << "expected precision `ieee` for operands of `"
                         << text(a.getElementType()) << "`, found `"
                         << stringifyMmaPrecision(getPrecision()) << "`: the others are for `f32`";
  }
  return success();
}

LogicalResult PhiloxOp::verify() {
  // C1
  return verifyType(*this, "results", getR0().getType(),
                    withElementType(getIndex().getType(), typeOf(DType::ui32, getContext())));
}

LogicalResult ReduceOp::verify() {
  RankedTensorType from = getX().getType();
  // C1
  if (failed(verifyAxis(*this, getAxis(), from.getRank()))) {
    return failure();
  }
  // C2
  if (failed(verifyKind(*this, getKind(), from))) {
    return failure();
  }
  // C3
  Type element = reductionType(getKind(), from.getElementType());
  if (failed(verifyType(*this, "a result", getResult().getType(),
                        scalarOrTile(withoutAxis(from.getShape(), getAxis()), element)))) {
    return failure();
  }
  // C4
  if (getOrder() == ReduceOrder::any && getKind() != ReduceKind::sum &&
      getKind() != ReduceKind::prod) {
    return emitOpError() << "expected `order = any` only for `sum` and `prod`, found it for `"
                         << stringifyReduceKind(getKind()) << "`, which no order changes";
  }
  return success();
}

/// C1 and C2 of the two ops with a combining region.
template <class Op> static LogicalResult verifyCombiner(Op op) {
  RankedTensorType from = op.getX().getType();
  Type element = from.getElementType();
  // C1
  if (failed(verifyAxis(op, op.getAxis(), from.getRank())) ||
      failed(verifyType(op, "an identity", op.getIdentity().getType(), element))) {
    return failure();
  }
  // C2
  Block &block = op.getBody().front();
  SmallVector<Type> wanted(2, element);
  TypeRange yielded = block.getTerminator()->getOperandTypes();
  if (TypeRange(block.getArgumentTypes()) != TypeRange(wanted) || yielded.size() != 1 ||
      yielded[0] != element) {
    return op.emitOpError() << "expected a region from (" << text(TypeRange(wanted)) << ") to ("
                            << text(element) << "), found one from ("
                            << text(TypeRange(block.getArgumentTypes())) << ") to ("
                            << text(yielded) << ")";
  }
  return success();
}

LogicalResult ReduceWithOp::verifyRegions() {
  if (failed(verifyCombiner(*this))) {
    return failure();
  }
  RankedTensorType from = getX().getType();
  // C3
  return verifyType(*this, "a result", getResult().getType(),
                    scalarOrTile(withoutAxis(from.getShape(), getAxis()), from.getElementType()));
}

LogicalResult ScanOp::verify() {
  RankedTensorType from = getX().getType();
  // C1
  if (failed(verifyAxis(*this, getAxis(), from.getRank()))) {
    return failure();
  }
  // C2
  if (getKind() != ReduceKind::sum && getKind() != ReduceKind::prod &&
      getKind() != ReduceKind::max && getKind() != ReduceKind::min) {
    return emitOpError() << "expected `sum`, `prod`, `max` or `min`, found `"
                         << stringifyReduceKind(getKind()) << "`: `tile.scan_with` takes a region";
  }
  // C3
  return verifyType(*this, "a result", getResult().getType(),
                    withElementType(from, reductionType(getKind(), from.getElementType())));
}

LogicalResult ScanWithOp::verifyRegions() {
  if (failed(verifyCombiner(*this))) {
    return failure();
  }
  // C3
  return verifyType(*this, "a result", getResult().getType(), getX().getType());
}

LogicalResult TopKOp::verify() {
  RankedTensorType from = getX().getType();
  int64_t axis = getAxis(), k = getK();
  // C1
  if (failed(verifyAxis(*this, axis, from.getRank()))) {
    return failure();
  }
  if (k < 1 || k > from.getDimSize(axis)) {
    return emitOpError() << "expected 1 to " << from.getDimSize(axis)
                         << " elements of the axis, found " << k;
  }
  // C2
  SmallVector<int64_t> shape = withExtent(from.getShape(), axis, k);
  if (failed(verifyType(*this, "values", getValues().getType(),
                        RankedTensorType::get(shape, from.getElementType())))) {
    return failure();
  }
  return verifyType(*this, "indices", getIndices().getType(),
                    RankedTensorType::get(shape, IntegerType::get(getContext(), 64)));
}

} // namespace tessera::tile
