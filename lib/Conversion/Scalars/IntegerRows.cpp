// Integer and bool arithmetic. Every result is defined: sums wrap, division by zero gives 0 (quotient) or the dividend
// (remainder), shifts by the width or more give 0 or the sign.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Emit.h"

#include "tessera/Support/Mutants.h"

using namespace tessera;
using namespace tessera::convert;
using llvm::ArrayRef;
using llvm::Value;
namespace Intrinsic = llvm::Intrinsic;

static Value *zeroOf(Value *x) { return llvm::ConstantInt::get(x->getType(), 0); }
static Value *minusOneOf(Value *x) { return llvm::Constant::getAllOnesValue(x->getType()); }

namespace {
/// Quotient and remainder rounded towards zero, with the divisor's special cases.
struct Truncated {
  Value *quotient, *remainder;
};
} // namespace

/// LLVM's division is undefined by 0 and for the least value by -1; there the divisor is replaced by 1.
static Truncated divide(const Emit &e, bool isSigned, Value *a, Value *d) {
  Value *byZero = e.b.CreateICmpEQ(d, zeroOf(d));
  Value *one = llvm::ConstantInt::get(d->getType(), 1);
  if (!isSigned) {
    Value *safe = e.pick(byZero, one, d);
    Value *q = e.b.CreateUDiv(a, safe), *r = e.b.CreateURem(a, safe);
    return {e.pick(byZero, zeroOf(a), q), e.pick(byZero, a, r)};
  }
  Value *byMinusOne = e.b.CreateICmpEQ(d, minusOneOf(d));
  Value *nonZero = e.pick(byZero, one, d);
  Value *safe = TESSERA_MUTANT(411, "the least value is divided by -1",
                               e.pick(byMinusOne, one, nonZero), nonZero);
  Value *q = e.b.CreateSDiv(a, safe), *r = e.b.CreateSRem(a, safe);
  q = e.pick(byMinusOne, e.b.CreateNeg(a), q);
  // x % 1 = 0 is right for -1, too.
  return {
      TESSERA_MUTANT(412, "a quotient by zero is the dividend", e.pick(byZero, zeroOf(a), q), q),
      e.pick(byZero, a, r)};
}

static Value *divisionRow(const Emit &e, ScalarOp op, bool isSigned, Value *a, Value *d) {
  bool quotient = op == ScalarOp::DivTrunc || op == ScalarOp::FloorDiv;
  bool floored = op == ScalarOp::FloorDiv || op == ScalarOp::Mod;
  Truncated t = divide(e, isSigned, a, d);
  if (!isSigned || !floored) {
    return quotient ? t.quotient : t.remainder;
  }
  // Signs that differ, and a rest: the quotient is one less. Of a divisor 0 the remainder is the dividend.
  Value *rest = e.b.CreateICmpNE(t.remainder, zeroOf(a));
  Value *differ = e.b.CreateICmpSLT(e.b.CreateXor(t.remainder, d), zeroOf(a));
  Value *divided = e.b.CreateICmpNE(d, zeroOf(d));
  Value *down = e.b.CreateAnd(TESSERA_MUTANT(413, "every quotient with a rest is one less",
                                             e.b.CreateAnd(rest, differ), rest),
                              divided);
  return quotient ? e.pick(down, e.b.CreateAdd(t.quotient, minusOneOf(a)), t.quotient)
                  : e.pick(down, e.b.CreateAdd(t.remainder, d), t.remainder);
}

static Value *shiftRow(const Emit &e, ScalarOp op, bool isSigned, Value *a, Value *amount) {
  unsigned width = a->getType()->getIntegerBitWidth();
  Value *inside = e.b.CreateICmp(TESSERA_MUTANT(414, "a shift by the width is one by nothing",
                                                llvm::CmpInst::ICMP_ULT, llvm::CmpInst::ICMP_ULE),
                                 amount, e.integer(a->getType(), width));
  // The amount that LLVM sees is always below the width.
  Value *safe = e.b.CreateAnd(amount, e.integer(a->getType(), width - 1));
  if (op == ScalarOp::Shl) {
    return e.pick(inside, e.b.CreateShl(a, safe), zeroOf(a));
  }
  if (!isSigned) {
    return e.pick(inside, e.b.CreateLShr(a, safe), zeroOf(a));
  }
  return e.pick(inside, e.b.CreateAShr(a, safe), e.b.CreateAShr(a, width - 1));
}

static Value *mulHigh(const Emit &e, bool isSigned, Value *a, Value *c) {
  unsigned width = a->getType()->getIntegerBitWidth();
  llvm::Type *wide = e.b.getIntNTy(width * 2);
  auto extend = [&](Value *v) {
    return TESSERA_MUTANT(415, "high halves of products have no sign", isSigned, false)
               ? e.b.CreateSExt(v, wide)
               : e.b.CreateZExt(v, wide);
  };
  Value *product = e.b.CreateMul(extend(a), extend(c));
  return e.b.CreateTrunc(e.b.CreateLShr(product, width), a->getType());
}

static Value *unaryRow(const Emit &e, ScalarOp op, bool isSigned, Value *a) {
  switch (op) {
  case ScalarOp::Neg:
    return e.b.CreateNeg(a);
  case ScalarOp::Abs:
    // The least value is its own absolute value, so it is not poison.
    return isSigned ? e.b.CreateBinaryIntrinsic(Intrinsic::abs, a, e.b.getFalse()) : a;
  case ScalarOp::Sign: {
    Value *positive = e.b.CreateZExt(e.b.CreateICmpNE(a, zeroOf(a)), a->getType());
    return isSigned ? e.pick(e.b.CreateICmpSLT(a, zeroOf(a)), minusOneOf(a), positive) : positive;
  }
  case ScalarOp::Not:
    return e.b.CreateNot(a);
  case ScalarOp::Popcount:
    return e.unary(Intrinsic::ctpop, a);
  case ScalarOp::Clz:
    return e.b.CreateBinaryIntrinsic(Intrinsic::ctlz, a, e.b.getFalse());
  case ScalarOp::Ctz:
    return e.b.CreateBinaryIntrinsic(Intrinsic::cttz, a, e.b.getFalse());
  case ScalarOp::Brev:
    return e.unary(Intrinsic::bitreverse, a);
  default:
    return nullptr;
  }
}

static Value *least(const Emit &e, bool isSigned, Value *a, Value *c) {
  return e.binary(isSigned ? Intrinsic::smin : Intrinsic::umin, a, c);
}
static Value *greatest(const Emit &e, bool isSigned, Value *a, Value *c) {
  return e.binary(isSigned ? Intrinsic::smax : Intrinsic::umax, a, c);
}

static Value *binaryRow(const Emit &e, ScalarOp op, bool isSigned, Value *a, Value *c) {
  switch (op) {
  case ScalarOp::Add:
    return e.b.CreateAdd(a, c);
  case ScalarOp::Sub:
    return e.b.CreateSub(a, c);
  case ScalarOp::Mul:
    return e.b.CreateMul(a, c);
  case ScalarOp::FloorDiv:
  case ScalarOp::Mod:
  case ScalarOp::DivTrunc:
  case ScalarOp::RemTrunc:
    return divisionRow(e, op, isSigned, a, c);
  case ScalarOp::Min:
    return least(e, isSigned, a, c);
  case ScalarOp::Max:
    return greatest(e, isSigned, a, c);
  case ScalarOp::And:
    return e.b.CreateAnd(a, c);
  case ScalarOp::Or:
    return e.b.CreateOr(a, c);
  case ScalarOp::Xor:
    return e.b.CreateXor(a, c);
  case ScalarOp::Shl:
  case ScalarOp::Shr:
    return shiftRow(e, op, isSigned, a, c);
  case ScalarOp::MulHi:
    return mulHigh(e, isSigned, a, c);
  default:
    return nullptr;
  }
}

Value *convert::integerRow(const Emit &e, ScalarOp op, DType t, ArrayRef<Value *> x) {
  bool isSigned = tessera::isSigned(t);
  if (op == ScalarOp::Clamp) {
    return least(e, isSigned, greatest(e, isSigned, x[0], x[1]), x[2]);
  }
  return x.size() == 1 ? unaryRow(e, op, isSigned, x[0]) : binaryRow(e, op, isSigned, x[0], x[1]);
}
