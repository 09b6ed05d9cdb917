// Casts by the shortest way that is exact: an instruction or marker where one does the rounding and the range asked for,
// else integer arithmetic (PackFloat.cpp). 8- and 16-bit floats start from their exact f32.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Emit.h"

#include "tessera/Support/Mutants.h"

using namespace tessera;
using namespace tessera::convert;
using llvm::Value;
namespace Intrinsic = llvm::Intrinsic;

//===- to integers --------------------------------------------------------===//

static Value *integerToInteger(const Emit &e, Value *x, DType from, DType to, Overflow overflow) {
  if (!castIsExact(from, to) && overflow == Overflow::sat) {
    unsigned width = bitWidth(from), bits = bitWidth(to) - (isSigned(to) ? 1 : 0);
    llvm::Type *type = x->getType();
    if (isSigned(from)) {
      llvm::APInt lowest = isSigned(to) ? llvm::APInt::getSignedMinValue(bitWidth(to)).sext(width)
                                        : llvm::APInt(width, 0);
      Value *bounded = e.binary(Intrinsic::smax, x, llvm::ConstantInt::get(type, lowest));
      x = TESSERA_MUTANT(422, "integers saturate at their upper end only", bounded, x);
    }
    unsigned most = width - (isSigned(from) ? 1 : 0);
    if (bits < most) {
      llvm::Constant *top = llvm::ConstantInt::get(type, llvm::APInt::getLowBitsSet(width, bits));
      x = e.binary(isSigned(from) ? Intrinsic::smin : Intrinsic::umin, x, top);
    }
  }
  return isSigned(from) ? e.b.CreateSExtOrTrunc(x, e.typeOf(to))
                        : e.b.CreateZExtOrTrunc(x, e.typeOf(to));
}

/// x to an integral value of its own type.
static Value *integral(const Emit &e, Value *x, Round round) {
  switch (round) {
  case Round::rne:
    return e.unary(Intrinsic::roundeven, x);
  case Round::rz:
    return e.unary(Intrinsic::trunc, x);
  case Round::ru:
    return e.unary(Intrinsic::ceil, x);
  case Round::rd:
    return e.unary(Intrinsic::floor, x);
  case Round::away:
    return roundAway(e, x);
  }
  return x;
}

/// An integral value modulo 2^64, from the bits of its double; infinities and NaN give 0.
static Value *wrapped(const Emit &e, Value *x) {
  llvm::IRBuilderBase &b = e.b;
  Value *bits = e.bitsOf(b.CreateFPExt(x, b.getDoubleTy()));
  Value *biased = b.CreateAnd(b.CreateLShr(bits, 52), 0x7ff);
  Value *fraction = b.CreateAnd(bits, (uint64_t(1) << 52) - 1);
  Value *magnitude = b.CreateOr(fraction, uint64_t(1) << 52);
  // magnitude * 2^exponent; of 0 the exponent is far below, and everything is shifted out.
  Value *exponent = b.CreateSub(
      biased,
      b.getInt64(TESSERA_MUTANT(423, "casts that wrap count the exponent one off", 1075, 1074)));
  Value *zero = b.getInt64(0), *most = b.getInt64(63);
  Value *right = e.binary(Intrinsic::umin, b.CreateNeg(exponent), most);
  Value *left = e.binary(Intrinsic::umin, exponent, most);
  Value *lifted =
      b.CreateSelect(b.CreateICmpSLT(exponent, b.getInt64(64)), b.CreateShl(magnitude, left), zero);
  Value *lowered = b.CreateLShr(magnitude, right);
  Value *value = b.CreateSelect(b.CreateICmpSLT(exponent, zero), lowered, lifted);
  return b.CreateSelect(b.CreateICmpSLT(bits, zero), b.CreateNeg(value), value);
}

/// From float or double.
static Value *floatToInteger(const Emit &e, Value *x, DType to, Round round, Overflow overflow) {
  llvm::Type *type = e.typeOf(to);
  if (overflow == Overflow::wrap) {
    return e.b.CreateTrunc(wrapped(e, integral(e, x, round)), type);
  }
  // The saturating conversion rounds towards zero itself; NaN gives 0.
  Value *r = round == Round::rz ? x : integral(e, x, round);
  auto id = isSigned(to) ? Intrinsic::fptosi_sat : Intrinsic::fptoui_sat;
  return e.b.CreateIntrinsic(id, {type, r->getType()}, {r});
}

//===- to floats ----------------------------------------------------------===//

static llvm::StringRef word(DType t) {
  return t == DType::f8E4M3FN ? "e4m3" : t == DType::f8E5M2 ? "e5m2" : irName(t);
}

/// Puts `pattern` in the place of a small float's magnitude where `c` holds.
static Value *replaceMagnitude(const Emit &e, Value *c, Value *x, DType t, uint64_t pattern) {
  uint64_t signBit = uint64_t(1) << (bitWidth(t) - 1);
  Value *sign = e.b.CreateAnd(x, e.integer(x->getType(), signBit));
  return e.b.CreateSelect(c, e.b.CreateOr(sign, e.integer(x->getType(), pattern)), x);
}

static Value *isInfinite(const Emit &e, Value *x, DType t) {
  uint64_t mask = (uint64_t(1) << (bitWidth(t) - 1)) - 1;
  Value *magnitude = e.b.CreateAnd(x, e.integer(x->getType(), mask));
  return e.b.CreateICmpEQ(magnitude, e.integer(x->getType(), formatOf(t).inf));
}

static Value *isFinite(const Emit &e, Value *x) {
  return e.b.CreateFCmpOLT(e.unary(Intrinsic::fabs, x),
                           llvm::ConstantFP::getInfinity(x->getType()));
}

/// What became an infinity, as the mode wants it: sat has none, nan only those that were there.
static Value *limit(const Emit &e, Value *result, Value *x, DType to, Overflow overflow) {
  if (overflow == Overflow::inf) {
    return result;
  }
  Value *beyond = isInfinite(e, result, to);
  if (overflow == Overflow::sat) {
    return TESSERA_MUTANT(421, "casts that saturate give infinities",
                          replaceMagnitude(e, beyond, result, to, formatOf(to).max), result);
  }
  return replaceMagnitude(e, e.b.CreateAnd(beyond, isFinite(e, x)), result, to, formatOf(to).nan);
}

/// f32 to bf16, not to nearest even: the upper half, one more or not.
static Value *toBF16(const Emit &e, Value *x, Round round) {
  llvm::IRBuilderBase &b = e.b;
  Value *bits = e.bitsOf(x), *moved = bits;
  // Adding to the magnitude rounds away from zero; a carry into the exponent, or to infinity, is right.
  Value *negative = b.CreateICmpSLT(bits, b.getInt32(0));
  Value *none = b.getInt32(0), *all = b.getInt32(0xffff);
  if (round == Round::away) {
    moved = b.CreateAdd(bits, b.getInt32(0x8000));
  } else if (round == Round::ru) {
    moved = b.CreateAdd(
        bits,
        b.CreateSelect(negative,
                       TESSERA_MUTANT(419, "rounding up rounds away from zero", none, all), all));
  } else if (round == Round::rd) {
    moved = b.CreateAdd(bits, b.CreateSelect(negative, all, none));
  }
  Value *half = b.CreateTrunc(b.CreateLShr(moved, 16), b.getInt16Ty());
  return b.CreateSelect(b.CreateFCmpUNO(x, x), b.getInt16(0x7fc0), half);
}

/// f32 to an 8-bit float, to nearest even: the saturating conversion that targets have, and the range by comparison.
static Value *toFloat8(const Emit &e, Value *x, DType to, Overflow overflow) {
  Value *r = e.marker(("cvt.rn." + word(to) + ".f32.sat").str(), e.b.getInt8Ty(), {x});
  if (overflow == Overflow::sat) {
    return r;
  }
  Format f = formatOf(to);
  Value *magnitude = e.unary(Intrinsic::fabs, x);
  // Halfway to the value that would come next, the even one of the two is taken: 448 stays, 57344 does not.
  Value *beyond =
      to == DType::f8E4M3FN
          ? e.b.CreateFCmp(TESSERA_MUTANT(420, "a tie at the end of e4m3 overflows",
                                          llvm::CmpInst::FCMP_OGT, llvm::CmpInst::FCMP_OGE),
                           magnitude, e.number(x->getType(), 464.0))
          : e.b.CreateFCmpOGE(magnitude, e.number(x->getType(), 61440.0));
  if (overflow == Overflow::inf) {
    return replaceMagnitude(e, beyond, r, to, f.inf);
  }
  r = replaceMagnitude(e, beyond, r, to, f.nan);
  if (f.inf == 0) {
    return r;
  }
  Value *infinite = e.b.CreateFCmpOEQ(magnitude, llvm::ConstantFP::getInfinity(x->getType()));
  return replaceMagnitude(e, infinite, r, to, f.inf);
}

static Value *floatToSmall(const Emit &e, Value *x, DType to, Round round, Overflow overflow) {
  bool directed = round == Round::rz || round == Round::ru || round == Round::rd;
  if (round == Round::rne) {
    return isFp8(to) ? toFloat8(e, x, to, overflow) : limit(e, e.narrow(x, to), x, to, overflow);
  }
  if (to == DType::bf16) {
    return limit(e, toBF16(e, x, round), x, to, overflow);
  }
  if (to == DType::f16 && directed && overflow != Overflow::nan) {
    std::string name = ("cvt." + tessera::name(round) + ".f16.f32").str();
    return limit(e, e.marker(name, e.b.getInt16Ty(), {x}), x, to, overflow);
  }
  return packFloat(e, x, DType::f32, to, round, overflow);
}

static Value *doubleToFloat(const Emit &e, Value *x, DType to, Round round, Overflow overflow) {
  if (to == DType::f32 && overflow == Overflow::inf && round == Round::rne) {
    return e.b.CreateFPTrunc(x, e.b.getFloatTy());
  }
  if (to == DType::f32 && overflow == Overflow::inf && round != Round::away) {
    return e.marker(("cvt." + tessera::name(round) + ".f32.f64").str(), e.b.getFloatTy(), {x});
  }
  // Under nan an overflow of the middle step could not be told from an infinity.
  if (to != DType::f32 && round == Round::rne && overflow != Overflow::nan) {
    return floatToSmall(e, e.roundToOdd(x), to, round, overflow);
  }
  return packFloat(e, x, DType::f64, to, round, overflow);
}

/// From float or double (`from` is f32 or f64).
static Value *floatToFloat(const Emit &e, Value *x, DType from, DType to, Round round,
                           Overflow overflow) {
  if (from == to) {
    return x;
  }
  if (to == DType::f64) {
    return e.b.CreateFPExt(x, e.b.getDoubleTy());
  }
  return from == DType::f64 ? doubleToFloat(e, x, to, round, overflow)
                            : floatToSmall(e, x, to, round, overflow);
}

static Value *integerToFloat(const Emit &e, Value *x, DType from, DType to, Round round,
                             Overflow overflow) {
  auto plain = [&](DType t) {
    llvm::Type *type = e.typeOf(t);
    return isSigned(from) ? e.b.CreateSIToFP(x, type) : e.b.CreateUIToFP(x, type);
  };
  bool direct = castIsExact(from, to) || round == Round::rne;
  if ((to == DType::f32 || to == DType::f64) && direct) {
    return plain(to); // no integer is beyond the range
  }
  if (castIsExact(from, DType::f32)) {
    return floatToFloat(e, plain(DType::f32), DType::f32, to, round, overflow);
  }
  return packFloat(e, x, from, to, round, overflow);
}

//===- all ----------------------------------------------------------------===//

static Value *toBool(const Emit &e, Value *x, DType from) {
  if (isFloat(from)) {
    Value *wide = e.widen(x, from);
    return e.b.CreateFCmpUNE(wide, e.number(wide->getType(), 0.0)); // NaN is true
  }
  return e.b.CreateICmpNE(x, llvm::ConstantInt::get(x->getType(), 0));
}

static Value *fromBool(const Emit &e, Value *x, DType to) {
  if (!isFloat(to)) {
    return e.b.CreateZExt(x, e.typeOf(to));
  }
  if (bitWidth(to) >= 32) {
    return e.b.CreateUIToFP(x, e.typeOf(to));
  }
  Format f = formatOf(to);
  return e.pick(x, e.integer(e.typeOf(to), uint64_t(f.bias) << f.mantissaBits),
                e.integer(e.typeOf(to), 0));
}

Value *convert::castElement(const Emit &e, Value *x, DType from, DType to, Round round,
                            Overflow overflow) {
  if (from == to) {
    return x;
  }
  if (isBool(to)) {
    return toBool(e, x, from);
  }
  if (isBool(from)) {
    return fromBool(e, x, to);
  }
  if (isFloat(from)) {
    Value *wide = e.widen(x, from);
    DType held = from == DType::f64 ? DType::f64 : DType::f32;
    if (!isFloat(to)) {
      return floatToInteger(e, wide, to, round, overflow);
    }
    if (castIsExact(from, to)) {
      return bitWidth(to) < 32 ? e.narrowExact(wide, to)
                               : floatToFloat(e, wide, held, to, Round::rne, Overflow::inf);
    }
    return floatToFloat(e, wide, held, to, round, overflow);
  }
  if (!isFloat(to)) {
    return integerToInteger(e, x, from, to, overflow);
  }
  if (castIsExact(from, to)) {
    round = Round::rne;
    overflow = Overflow::sat; // a mode that every float takes; nothing is beyond the range
  }
  return integerToFloat(e, x, from, to, round, overflow);
}
