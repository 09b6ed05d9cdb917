//===- VerifyElementwise.cpp - rules of casts and bit patterns ------------===//
//
// The ops of the elementwise table need no verifier: their traits and operand types
// say everything.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Verify.h"

#include "tessera/Dialect/Tile/DTypes.h"
#include "tessera/Dialect/Tile/TileOps.h"
#include "tessera/Dialect/Tile/TypeText.h"
#include "tessera/Numeric/Modes.h"

using namespace mlir;

namespace tessera::tile {

/// C2
static LogicalResult verifyRound(CastOp op, DType from, DType to) {
  bool isToInteger = isFloat(from) && isInteger(to);
  if (isToInteger && !op.getRound()) {
    return op.emitOpError() << "expected `round` when `" << text(op.getX().getType())
                            << "` becomes an integer, found "
                            << "none: `rz` truncates, `rne` rounds to nearest even";
  }
  bool isToFloat = isFloat(to) && !isBool(from);
  if (op.getRound() && !isToInteger && !isToFloat) {
    return op.emitOpError() << "expected no `round` from `"
                            << text(elementTypeOf(op.getX().getType())) << "` to `"
                            << text(elementTypeOf(op.getResult().getType()))
                            << "`, where nothing is rounded, found `"
                            << stringifyRound(*op.getRound()) << "`";
  }
  return success();
}

/// C3, C4. What may be said is what the numbers know; a mode must be said where no default exists.
static LogicalResult verifyOverflow(CastOp op, DType from, DType to) {
  auto fail = [&](StringRef wanted) -> LogicalResult {
    InFlightDiagnostic error = op.emitOpError()
                               << "expected " << wanted << " from `"
                               << text(elementTypeOf(op.getX().getType())) << "` to `"
                               << text(elementTypeOf(op.getResult().getType())) << "`, found ";
    if (op.getOverflow()) {
      return error << "`" << stringifyOverflow(*op.getOverflow()) << "`";
    }
    return error << "none: say what becomes of a value out of range";
  };
  auto isOneOf = [&](std::initializer_list<Overflow> modes) {
    return op.getOverflow() && llvm::is_contained(modes, *op.getOverflow());
  };
  if (castIsExact(from, to) || isBool(from) || isBool(to)) {
    return success(); // every value fits: whatever is said changes nothing
  }
  // C3
  if (to == DType::f8E4M3FN) {
    return isOneOf({Overflow::sat, Overflow::nan}) ? success()
                                                   : fail("`overflow` of `sat` or `nan`");
  }
  if (to == DType::f8E5M2) {
    return isOneOf({Overflow::sat, Overflow::inf}) ? success()
                                                   : fail("`overflow` of `sat` or `inf`");
  }
  if (isFloat(to)) {
    return !op.getOverflow() || isOneOf({Overflow::sat, Overflow::inf})
               ? success()
               : fail("`overflow` of `sat` or `inf`, or none,");
  }
  // C4
  if (isFloat(from)) {
    return !op.getOverflow() || isOneOf({Overflow::sat, Overflow::wrap})
               ? success()
               : fail("`overflow` of `sat` or `wrap`, or none,");
  }
  return isOneOf({Overflow::sat, Overflow::wrap}) ? success()
                                                  : fail("`overflow` of `sat` or `wrap`");
}

LogicalResult CastOp::verify() {
  Type from = getX().getType(), to = getResult().getType();
  // C1
  if (failed(verifyType(*this, "a result", to, withElementType(from, elementTypeOf(to))))) {
    return failure();
  }
  if (failed(verifyRound(*this, dtypeOf(from), dtypeOf(to)))) {
    return failure();
  }
  return verifyOverflow(*this, dtypeOf(from), dtypeOf(to));
}

LogicalResult FromBitsOp::verify() {
  Type from = getX().getType(), to = getResult().getType();
  // C1 (C2 is the operand's type)
  return verifyType(*this, "an operand", from, bitsType(to));
}

} // namespace tessera::tile
