// Several elements of one op together. One test that all of them are of ordinary size pays for a shorter way to the same
// bits: exponentials without the ends of the range, quotients by one Newton step and one correction (Markstein 1990).
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Emit.h"
#include "OpModes.h"

#include "tessera/Conversion/ShortWays.h"

#include "llvm/ADT/bit.h"

#include <cmath>

using namespace tessera;
using namespace tessera::convert;
using llvm::ArrayRef;
using llvm::Value;
namespace Intrinsic = llvm::Intrinsic;

using Conditions = llvm::SmallVectorImpl<Condition>;
using Values = ScalarLowering::Values;

//===- exponentials -------------------------------------------------------===//

static llvm::Expected<Values> shortFunction(const Emit &e, ScalarOp op, ArrayRef<Value *> x,
                                            Known known, Conditions &conditions) {
  std::string name = mnemonic(op).str() + "_middle";
  llvm::Function *helper = helperFunction(e.module(), name, e.b.getFloatTy(), {e.b.getFloatTy()});
  if (helper->empty()) {
    if (llvm::Error error = defineMiddle(*helper, op)) {
      helper->eraseFromParent();
      return error;
    }
  }
  Values results;
  Value *largest = nullptr;
  for (Value *element : x) {
    results.push_back(e.b.CreateCall(helper, {element}));
    if (known == Known::nothing) {
      Value *size = e.unary(Intrinsic::fabs, element);
      // NaN stays, and is not within the bound.
      largest = largest ? e.binary(Intrinsic::maximum, largest, size) : size;
    }
  }
  if (largest) {
    Value *holds = e.b.CreateFCmpOLE(largest, e.number(e.b.getFloatTy(), *middleBound(op)));
    conditions.push_back({holds, nullptr});
  }
  return results;
}

//===- quotients ----------------------------------------------------------===//

// With the reciprocal r of d that one Newton step makes, q = a r and the remainder a - d q in one rounding, q + r (a - d q) is
// the correctly rounded quotient for every pair of mantissas, provided that nothing leaves the normal range on the way and
// that d's mantissa is not one of the last three (Markstein's exception is the last). The approximation that the machine
// begins with may be any within 2^-23 of 1 / d for d in [1, 2). The tests of Quotients go through the pairs.
//
// The sizes for which nothing leaves the range: |d| in [2^-31, 2^33), |a| in [2^-63, 2^65). By bits: with the least exponent
// taken off, what must be clear; 3 more carries into the exponent for the last three mantissas.
static constexpr uint32_t divisorLeast = (96u << 23) - 3, divisorClear = 0x60000000;
static constexpr uint32_t dividendLeast = 64u << 23, dividendClear = 0x40000000;
static constexpr uint32_t exponentStep = 1u << 23;

// A divisor that is known may be as large as 2^60: the least quotient is 2^-123.
bool convert::isShortDivisor(float d) {
  float size = std::abs(d);
  return size >= 0x1p-31f && size < 0x1p60f && (llvm::bit_cast<uint32_t>(d) & 0x7fffff) < 0x7ffffd;
}

/// The reciprocal, rounded to nearest for d whose exponent is in range.
static Value *reciprocal(const Emit &e, Value *d) {
  if (auto *known = llvm::dyn_cast<llvm::ConstantFP>(d)) {
    return e.number(d->getType(), 1.0f / known->getValueAPF().convertToFloat());
  }
  Value *r = e.marker("start.rcp", d->getType(), {d});
  Value *error = e.fma(e.b.CreateFNeg(d), r, e.number(d->getType(), 1.0));
  return e.fma(error, r, r);
}

static Value *together(const Emit &e, Value *a, Value *b) { return a ? e.b.CreateOr(a, b) : b; }

/// Dividends of +0 are common, and what was computed of them is right: the rest must be of ordinary size. Of -0 the sign is lost.
static Value *dividesZeros(const Emit &e, ArrayRef<Value *> dividends, Value *oddDivisors) {
  llvm::IRBuilderBase &b = e.b;
  Value *all = nullptr;
  for (Value *x : dividends) {
    Value *bits = e.bitsOf(x);
    Value *size = b.CreateSub(bits, b.getInt32(dividendLeast));
    Value *isZero = b.CreateICmpEQ(bits, b.getInt32(0));
    all = together(e, all, b.CreateSelect(isZero, b.getInt32(0), size));
  }
  Value *odd = b.CreateOr(oddDivisors, b.CreateAnd(all, dividendClear));
  return b.CreateICmpEQ(odd, b.getInt32(0));
}

/// Quotients of which everything is known, zeros included: the remainder's sign is that of d q - a, so that a zero keeps its own.
static Values knownQuotients(const Emit &e, ArrayRef<Value *> a, ArrayRef<Value *> d,
                             bool withNewton) {
  Values results;
  for (auto [x, y] : llvm::zip_equal(a, d)) {
    Value *r = withNewton ? reciprocal(e, y) : e.marker("start.rcp", y->getType(), {y});
    Value *q = e.b.CreateFMul(x, r);
    Value *rest = e.fma(y, q, e.b.CreateFNeg(x));
    results.push_back(e.fma(e.b.CreateFNeg(rest), r, q));
  }
  return results;
}

static Values shortQuotients(const Emit &e, ArrayRef<Value *> a, ArrayRef<Value *> d, Known known,
                             Conditions &conditions) {
  if (known == Known::all || known == Known::allWithoutNewton) {
    return knownQuotients(e, a, d, known == Known::all);
  }
  llvm::IRBuilderBase &b = e.b;
  Values results;
  Value *dividends = nullptr, *divisors = b.getInt32(0), *carries = b.getInt32(0);
  llvm::SmallDenseMap<Value *, Value *, 8> reciprocals;
  for (auto [x, y] : llvm::zip_equal(a, d)) {
    Value *&r = reciprocals[y];
    if (!r) {
      r = reciprocal(e, y);
      if (known == Known::nothing) {
        Value *size = b.CreateSub(e.bitsOf(y), b.getInt32(divisorLeast));
        divisors = b.CreateOr(size, divisors);
        carries = b.CreateOr(b.CreateXor(size, e.bitsOf(y)), carries);
      }
    }
    dividends = together(e, dividends, b.CreateSub(e.bitsOf(x), b.getInt32(dividendLeast)));
    Value *q = b.CreateFMul(x, r);
    Value *rest = e.fma(b.CreateFNeg(y), q, x);
    results.push_back(e.fma(rest, r, q));
  }
  Value *oddDivisors =
      b.CreateOr(b.CreateAnd(divisors, divisorClear), b.CreateAnd(carries, exponentStep));
  Value *odd = b.CreateOr(b.CreateAnd(dividends, dividendClear), oddDivisors);
  auto second = [&b, all = Values(a), oddDivisors] {
    return dividesZeros(Emit{b}, all, oddDivisors);
  };
  conditions.push_back({b.CreateICmpEQ(odd, b.getInt32(0)), second});
  return results;
}

/// Divisions that LLVM turns into products, or that never have a divisor of ordinary size.
static bool isBetterPlain(Value *d) {
  auto *known = llvm::dyn_cast<llvm::ConstantFP>(d);
  if (!known) {
    return false;
  }
  uint32_t bits = uint32_t(known->getValueAPF().bitcastToAPInt().getZExtValue());
  uint32_t size = bits - divisorLeast;
  return known->getValueAPF().getExactInverse(nullptr) || (size & divisorClear) ||
         ((size ^ bits) & exponentStep);
}

//===- groups -------------------------------------------------------------===//

bool ScalarLowering::hasShortWay(ScalarOp op, DType type, Accuracy accuracy) const {
  if (type != DType::f32 && type != DType::bf16 && type != DType::f16) {
    return false;
  }
  bool isStrict = math != tile::MathMode::fast && accuracy == Accuracy::strict;
  return op == ScalarOp::Div || (isStrict && middleBound(op));
}

bool convert::hasShortWay(const ScalarLowering &scalars, mlir::Operation *op) {
  auto row = scalarOpByMnemonic(op->getName().stripDialect());
  return row && scalars.hasShortWay(*row, dtypeOf(op->getOperand(0).getType()), accuracyOf(op));
}

llvm::Expected<Values> convert::shortWay(llvm::IRBuilderBase &b, ScalarOp op, DType type,
                                         ArrayRef<Values> operands, Known known,
                                         Conditions &conditions) {
  Emit e{b};
  std::vector<Values> columns(info(op).arity);
  for (const Values &element : operands) {
    for (auto [column, operand] : llvm::zip_equal(columns, element)) {
      column.push_back(e.widen(operand, type));
    }
  }
  if (op != ScalarOp::Div) {
    return shortFunction(e, op, columns[0], known, conditions);
  }
  return shortQuotients(e, columns[0], columns[1], known, conditions);
}

llvm::Expected<Values> ScalarLowering::group(llvm::IRBuilderBase &b, ScalarOp op, DType type,
                                             ArrayRef<Values> operands) {
  assert(operands.size() > 1 && operands.size() <= groupSize && "no group");
  Emit e{b};
  llvm::SmallVector<Condition, 1> conditions;
  llvm::Expected<Values> way = convert::shortWay(b, op, type, operands, Known::nothing, conditions);
  if (!way) {
    return way.takeError();
  }
  std::vector<Values> columns(info(op).arity);
  for (const Values &element : operands) {
    for (auto [column, operand] : llvm::zip_equal(columns, element)) {
      column.push_back(e.widen(operand, type));
    }
  }
  auto element = [&](ArrayRef<Value *> x) -> llvm::Expected<Values> {
    llvm::Expected<Value *> one = row(b, op, DType::f32, x);
    return one ? llvm::Expected<Values>(Values{*one}) : one.takeError();
  };
  llvm::Function *function = b.GetInsertBlock()->getParent();
  auto all = guarded(b, {{*way}, conditions, columns, element}, longWay[function]);
  if (!all) {
    return all.takeError();
  }
  Values results;
  for (Value *result : all->front()) {
    results.push_back(e.narrow(result, type));
  }
  return results;
}

llvm::Expected<std::vector<ScalarLowering::Values>>
ScalarLowering::lowerAll(llvm::IRBuilderBase &builder, mlir::Operation *op,
                         ArrayRef<Values> operands) {
  std::vector<Values> results;
  std::optional<ScalarOp> row = scalarOpByMnemonic(op->getName().stripDialect());
  DType type = row ? dtypeOf(op->getOperand(0).getType()) : DType::f32;
  bool inGroups =
      convert::hasShortWay(*this, op) && llvm::none_of(operands, [](const Values &element) {
        return element.size() == 2 && isBetterPlain(element[1]);
      });
  while (!operands.empty()) {
    size_t count = std::min<size_t>(operands.size(), inGroups ? groupSize : 1);
    auto made = count == 1 ? lower(builder, op, operands.front())
                           : group(builder, *row, type, operands.take_front(count));
    if (!made) {
      return made.takeError();
    }
    if (count == 1) {
      results.push_back(std::move(*made));
    } else {
      for (Value *value : *made) {
        results.push_back(Values{value});
      }
    }
    operands = operands.drop_front(count);
  }
  return results;
}
