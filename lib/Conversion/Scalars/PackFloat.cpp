// The cast to a float that no instruction does: sign, exponent and magnitude as integers, one rounding, the range. The steps
// are those of Numeric's general conversion; a cast becomes a helper function of the module.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Emit.h"

#include "tessera/Support/Mutants.h"

using namespace tessera;
using namespace tessera::convert;
using llvm::Value;
namespace Intrinsic = llvm::Intrinsic;

namespace {
/// (-1)^negative * magnitude * 2^exponent, the magnitude as i64 and the exponent as i32.
struct Unpacked {
  Value *negative, *exponent, *magnitude;
  Value *infinite, *nan;
};
} // namespace

static Unpacked unpackInteger(const Emit &e, Value *x, bool isSigned) {
  llvm::IRBuilderBase &b = e.b;
  Value *none = b.getFalse();
  if (!isSigned) {
    return {none, b.getInt32(0), b.CreateZExt(x, b.getInt64Ty()), none, none};
  }
  Value *wide = b.CreateSExt(x, b.getInt64Ty());
  Value *negative = b.CreateICmpSLT(wide, b.getInt64(0));
  return {negative, b.getInt32(0), b.CreateSelect(negative, b.CreateNeg(wide), wide), none, none};
}

/// From float or double.
static Unpacked unpackFloat(const Emit &e, Value *x, DType from) {
  llvm::IRBuilderBase &b = e.b;
  Format f = formatOf(from);
  Value *bits = b.CreateZExt(e.bitsOf(x), b.getInt64Ty());
  uint64_t signBit = uint64_t(1) << (f.width - 1);
  Value *pattern = b.CreateAnd(bits, signBit - 1);
  Value *biased = b.CreateTrunc(b.CreateLShr(pattern, f.mantissaBits), b.getInt32Ty());
  uint64_t hidden = uint64_t(1) << f.mantissaBits;
  Value *fraction = b.CreateAnd(pattern, hidden - 1);
  Value *denormal = b.CreateICmpEQ(biased, b.getInt32(0));
  Unpacked u;
  u.negative = b.CreateICmpNE(b.CreateAnd(bits, signBit), b.getInt64(0));
  u.magnitude = b.CreateSelect(denormal, fraction, b.CreateOr(fraction, hidden));
  Value *field = b.CreateSelect(denormal, b.getInt32(1), biased);
  u.exponent = b.CreateSub(field, b.getInt32(f.bias + f.mantissaBits));
  u.infinite = b.CreateICmpEQ(pattern, b.getInt64(f.inf));
  u.nan = b.CreateICmpUGT(pattern, b.getInt64(f.inf));
  return u;
}

/// magnitude / 2^drop as an integer, rounded; 0 <= drop <= 63.
static Value *shiftRounded(const Emit &e, Value *magnitude, Value *drop, Round round,
                           Value *negative) {
  llvm::IRBuilderBase &b = e.b;
  Value *kept = b.CreateLShr(magnitude, drop);
  Value *rest = b.CreateSub(magnitude, b.CreateShl(kept, drop));
  Value *half = b.CreateLShr(b.CreateShl(b.getInt64(1), drop), 1);
  Value *up = nullptr;
  switch (round) {
  case Round::rne: {
    Value *odd = b.CreateICmpNE(b.CreateAnd(kept, 1), b.getInt64(0));
    up = b.CreateOr(b.CreateICmpUGT(rest, half),
                    b.CreateAnd(b.CreateICmpEQ(rest, half),
                                TESSERA_MUTANT(425, "ties round away from zero", odd,
                                               static_cast<Value *>(b.getTrue()))));
    break;
  }
  case Round::away:
    up = b.CreateICmpUGE(rest, half);
    break;
  case Round::rz:
    return kept;
  case Round::ru:
    up = b.CreateNot(negative);
    break;
  case Round::rd:
    up = negative;
    break;
  }
  up = b.CreateAnd(up, b.CreateICmpNE(rest, b.getInt64(0)));
  return b.CreateAdd(kept, b.CreateZExt(up, b.getInt64Ty()));
}

/// Magnitude pattern of what a cast gives beyond the range.
static Value *overflowPattern(const Emit &e, const Format &f, Round round, Overflow overflow,
                              Value *negative) {
  llvm::IRBuilderBase &b = e.b;
  Value *max = b.getInt64(f.max), *inf = b.getInt64(f.inf);
  if (overflow == Overflow::sat) {
    return max;
  }
  if (overflow == Overflow::nan || f.inf == 0) {
    return b.getInt64(f.nan);
  }
  switch (round) {
  case Round::rz:
    return max;
  case Round::ru:
    return TESSERA_MUTANT(426, "directed rounding overflows on both sides",
                          b.CreateSelect(negative, max, inf), inf);
  case Round::rd:
    return b.CreateSelect(negative, inf, max);
  default:
    return inf;
  }
}

/// The pattern of a number that is neither infinite nor NaN, without its sign.
static Value *packFinite(const Emit &e, const Format &f, const Unpacked &v, Round round,
                         Overflow overflow) {
  llvm::IRBuilderBase &b = e.b;
  auto i32 = [&](int value) { return b.getInt32(uint32_t(value)); };
  // |value| lies in [2^top, 2^(top+1)); `last` is the exponent of the last place kept.
  Value *zeros = b.CreateTrunc(b.CreateBinaryIntrinsic(Intrinsic::ctlz, v.magnitude, b.getFalse()),
                               b.getInt32Ty());
  Value *top = b.CreateSub(b.CreateAdd(v.exponent, i32(63)), zeros);
  int least = 1 - f.bias - int(f.mantissaBits);
  Value *last = e.binary(Intrinsic::smax, b.CreateSub(top, i32(int(f.mantissaBits))), i32(least));
  Value *shift = b.CreateSub(last, v.exponent);
  auto amount = [&](Value *x, int most) {
    Value *positive = e.binary(Intrinsic::smax, x, i32(0));
    return b.CreateZExt(e.binary(Intrinsic::smin, positive, i32(most)), b.getInt64Ty());
  };
  Value *lifted = b.CreateShl(v.magnitude, amount(b.CreateNeg(shift), 63));
  // A float's magnitude is below 2^53: dropping 60 bits of it leaves less than a half, as dropping more does. An integer
  // never drops more than 61.
  Value *rounded = shiftRounded(e, lifted, amount(shift, 62), round, v.negative);
  // In a normal binade the hidden bit adds one to the exponent field; a carry does the same. Adding is enough.
  Value *field = b.CreateSExt(b.CreateSub(last, i32(least)), b.getInt64Ty());
  Value *pattern = b.CreateAdd(b.CreateShl(field, f.mantissaBits), rounded);
  Value *beyond = b.CreateICmpUGT(pattern, b.getInt64(f.max));
  pattern = b.CreateSelect(beyond, overflowPattern(e, f, round, overflow, v.negative), pattern);
  return b.CreateSelect(b.CreateICmpEQ(v.magnitude, b.getInt64(0)), b.getInt64(0), pattern);
}

static Value *pack(const Emit &e, DType to, const Unpacked &v, Round round, Overflow overflow) {
  llvm::IRBuilderBase &b = e.b;
  Format f = formatOf(to);
  Value *pattern = packFinite(e, f, v, round, overflow);
  uint64_t forInf = overflow == Overflow::sat ? f.max : f.inf != 0 ? f.inf : f.nan;
  pattern = e.pick(v.infinite, b.getInt64(forInf), pattern);
  pattern = e.pick(v.nan, b.getInt64(f.nan), pattern);
  Value *sign = b.CreateShl(b.CreateZExt(v.negative, b.getInt64Ty()), f.width - 1);
  Value *bits = b.CreateTrunc(b.CreateOr(pattern, sign), b.getIntNTy(f.width));
  return f.width >= 32 ? e.floatOf(bits) : bits;
}

Value *convert::packFloat(const Emit &e, Value *x, DType from, DType to, Round round,
                          Overflow overflow) {
  std::string name = ("cast." + irName(from) + "." + irName(to) + "." + tessera::name(round) + "." +
                      tessera::name(overflow))
                         .str();
  llvm::Function *helper = helperFunction(e.module(), name, e.typeOf(to), {x->getType()});
  if (helper->empty()) {
    llvm::IRBuilder<> b(llvm::BasicBlock::Create(e.b.getContext(), "", helper));
    Emit inner{b};
    Value *argument = helper->getArg(0);
    Unpacked v = isFloat(from) ? unpackFloat(inner, argument, from)
                               : unpackInteger(inner, argument, isSigned(from));
    b.CreateRet(pack(inner, to, v, round, overflow));
  }
  return e.b.CreateCall(helper, {x});
}
