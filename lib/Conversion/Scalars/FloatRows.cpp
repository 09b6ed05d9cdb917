// Float arithmetic that is not a function. bf16 and f16 compute in f32 and round once; for + - * / that equals one rounding
// of the exact result, because f32 has at least 2p + 2 bits. fma of 16-bit floats is an instruction of its own.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Emit.h"

#include "tessera/Support/Mutants.h"

using namespace tessera;
using namespace tessera::convert;
using llvm::ArrayRef;
using llvm::Value;
namespace Intrinsic = llvm::Intrinsic;

static bool isSmall(DType t) { return bitWidth(t) == 16; }

/// Sign operations, on the bits where the register holds bits: NaN keeps its payload.
static Value *signRow(const Emit &e, ScalarOp op, DType t, ArrayRef<Value *> x) {
  bool small = isSmall(t);
  switch (op) {
  case ScalarOp::Neg:
    return small ? e.b.CreateXor(x[0], 0x8000) : e.b.CreateFNeg(x[0]);
  case ScalarOp::Abs:
    return small ? e.b.CreateAnd(x[0], 0x7fff) : e.unary(Intrinsic::fabs, x[0]);
  case ScalarOp::CopySign:
    return small ? e.b.CreateOr(e.b.CreateAnd(x[0], 0x7fff), e.b.CreateAnd(x[1], 0x8000))
                 : e.binary(Intrinsic::copysign, x[0], x[1]);
  default:
    return nullptr;
  }
}

static Value *predicateRow(const Emit &e, ScalarOp op, DType t, Value *x) {
  if (isSmall(t)) {
    Value *magnitude = e.b.CreateAnd(x, 0x7fff);
    Value *inf = e.b.getInt16(uint16_t(formatOf(t).inf));
    return op == ScalarOp::IsNan   ? e.b.CreateICmpUGT(magnitude, inf)
           : op == ScalarOp::IsInf ? e.b.CreateICmpEQ(magnitude, inf)
                                   : e.b.CreateICmpULT(magnitude, inf);
  }
  if (op == ScalarOp::IsNan) {
    return e.b.CreateFCmpUNO(x, x);
  }
  Value *magnitude = e.unary(Intrinsic::fabs, x);
  Value *inf = llvm::ConstantFP::getInfinity(x->getType());
  return op == ScalarOp::IsInf ? e.b.CreateFCmpOEQ(magnitude, inf)
                               : e.b.CreateFCmpOLT(magnitude, inf);
}

/// a * b + c rounded once.
static Value *fusedMultiplyAdd(const Emit &e, DType t, ArrayRef<Value *> x) {
  if (!isSmall(t)) {
    return e.fma(x[0], x[1], x[2]);
  }
  auto wide = [&](unsigned i) { return e.widen(x[i], t); };
  (void)wide; // of the planted error alone
  return TESSERA_MUTANT(
      417, "products and sums of 16 bits round twice",
      e.marker(t == DType::bf16 ? "fma.rn.bf16" : "fma.rn.f16", e.b.getInt16Ty(), x),
      e.narrow(e.fma(wide(0), wide(1), wide(2)), t));
}

/// Results that may need rounding.
static Value *roundedRow(const Emit &e, ScalarOp op, ArrayRef<Value *> x) {
  Value *r = nullptr;
  switch (op) {
  case ScalarOp::Add:
    r = e.b.CreateFAdd(x[0], x[1]);
    break;
  case ScalarOp::Sub:
    r = e.b.CreateFSub(x[0], x[1]);
    break;
  case ScalarOp::Mul:
    r = e.b.CreateFMul(x[0], x[1]);
    break;
  case ScalarOp::Div:
    return e.b.CreateFDiv(x[0], x[1]);
  default:
    return nullptr;
  }
  if (auto *instruction = llvm::dyn_cast<llvm::Instruction>(r); instruction && e.contract) {
    instruction->setHasAllowContract(true);
  }
  return r;
}

static Value *sign(const Emit &e, Value *x) {
  Value *one = e.binary(Intrinsic::copysign, e.number(x->getType(), 1.0), x);
  // Zeros and NaN are their own sign.
  return e.b.CreateSelect(e.b.CreateFCmpUEQ(x, e.number(x->getType(), 0.0)), x, one);
}

Value *convert::roundAway(const Emit &e, Value *x) {
  llvm::Type *type = x->getType();
  Value *t = e.unary(Intrinsic::trunc, x);
  // x - t is exact; for |x| beyond the mantissa it is 0, for infinities NaN, which the comparison rejects.
  Value *rest = e.unary(Intrinsic::fabs, e.b.CreateFSub(x, t));
  Value *far = e.b.CreateFCmp(TESSERA_MUTANT(418, "halves round towards zero",
                                             llvm::CmpInst::FCMP_OGE, llvm::CmpInst::FCMP_OGT),
                              rest, e.number(type, 0.5));
  Value *up = e.b.CreateSelect(far, e.number(type, 1.0), e.number(type, 0.0));
  // Both sides have the sign of x, and so has a sum of zeros.
  return e.b.CreateFAdd(t, e.binary(Intrinsic::copysign, up, x));
}

/// Results that the element type always has.
static Value *exactRow(const Emit &e, ScalarOp op, ArrayRef<Value *> x) {
  switch (op) {
  case ScalarOp::Sign:
    return sign(e, x[0]);
  case ScalarOp::Min:
    return e.binary(
        TESSERA_MUTANT(416, "minima pass over NaN", Intrinsic::minimum, Intrinsic::minimumnum),
        x[0], x[1]);
  case ScalarOp::Max:
    return e.binary(Intrinsic::maximum, x[0], x[1]);
  case ScalarOp::MinNum:
    return e.binary(Intrinsic::minimumnum, x[0], x[1]);
  case ScalarOp::MaxNum:
    return e.binary(Intrinsic::maximumnum, x[0], x[1]);
  case ScalarOp::Clamp:
    return e.binary(Intrinsic::minimum, e.binary(Intrinsic::maximum, x[0], x[1]), x[2]);
  case ScalarOp::Floor:
    return e.unary(Intrinsic::floor, x[0]);
  case ScalarOp::Ceil:
    return e.unary(Intrinsic::ceil, x[0]);
  case ScalarOp::Trunc:
    return e.unary(Intrinsic::trunc, x[0]);
  case ScalarOp::RoundEven:
    return e.unary(Intrinsic::roundeven, x[0]);
  case ScalarOp::RoundAway:
    return roundAway(e, x[0]);
  default:
    return nullptr;
  }
}

Value *convert::floatRow(const Emit &e, ScalarOp op, DType t, ArrayRef<Value *> x) {
  if (Value *r = signRow(e, op, t, x)) {
    return r;
  }
  if (info(op).result == OpResult::Bool) {
    return predicateRow(e, op, t, x[0]);
  }
  if (op == ScalarOp::Fma) {
    return fusedMultiplyAdd(e, t, x);
  }
  llvm::SmallVector<Value *, 3> wide;
  for (Value *v : x) {
    wide.push_back(e.widen(v, t));
  }
  if (Value *r = roundedRow(e, op, wide)) {
    return e.narrow(r, t);
  }
  Value *r = exactRow(e, op, wide);
  return r ? e.narrowExact(r, t) : nullptr;
}
