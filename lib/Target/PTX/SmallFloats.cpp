// Rounding f32 to a small float in integer instructions: both binades of normal numbers and denormals by one shift.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tessera/Target/PTX/SmallFloats.h"

#include "tessera/Support/Mutants.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/IRBuilder.h"

using namespace tessera::ptx;

std::optional<SmallFormat> tessera::ptx::smallFormat(llvm::StringRef name) {
  return llvm::StringSwitch<std::optional<SmallFormat>>(name)
      .Case("f16", SmallFormat{5, 10, 15, 0x7bff, 0x7c00, 0x7e00})
      .Case("bf16", SmallFormat{8, 7, 127, 0x7f7f, 0x7f80, 0x7fc0})
      .Case("e4m3", SmallFormat{4, 3, 7, 0x7e, 0, 0x7f})
      .Case("e5m2", SmallFormat{5, 2, 15, 0x7b, 0x7c, 0x7e})
      .Default(std::nullopt);
}

namespace {
constexpr int f32Bias = 127;
constexpr unsigned f32Mantissa = 23, f32Infinity = 0x7f800000;
/// With so many bits dropped nothing of a 24-bit significand is half of the last place.
constexpr unsigned allDropped = 25;

/// One conversion; `magnitude` is the f32 pattern without its sign.
class SmallRounder {
public:
  SmallRounder(llvm::IRBuilderBase &builder, const SmallFormat &format, Rounding rounding,
               bool saturate)
      : b(builder), format(format), rounding(rounding), saturate(saturate) {}

  llvm::Value *run(llvm::Value *value) {
    llvm::Value *bits = b.CreateBitCast(value, b.getInt32Ty());
    llvm::Value *magnitude = b.CreateAnd(bits, 0x7fffffff);
    negative = b.CreateICmpSLT(bits, b.getInt32(0));
    llvm::Value *pattern = finite(magnitude);
    pattern = b.CreateSelect(b.CreateICmpUGT(pattern, b.getInt32(format.max)), beyond(), pattern);
    pattern = b.CreateSelect(b.CreateICmpEQ(magnitude, b.getInt32(f32Infinity)),
                             b.getInt32(ofInfinity()), pattern);
    pattern = b.CreateSelect(b.CreateICmpUGT(magnitude, b.getInt32(f32Infinity)),
                             b.getInt32(format.nan), pattern);
    llvm::Value *sign = b.CreateShl(b.CreateLShr(bits, 31), format.width() - 1);
    return b.CreateOr(pattern, sign);
  }

private:
  llvm::IRBuilderBase &b;
  const SmallFormat &format;
  Rounding rounding;
  bool saturate;
  llvm::Value *negative = nullptr;

  llvm::Value *max(llvm::Value *x, llvm::Value *y) {
    return b.CreateBinaryIntrinsic(llvm::Intrinsic::smax, x, y);
  }

  unsigned ofInfinity() const {
    return saturate ? format.max : format.inf != 0 ? format.inf : format.nan;
  }

  /// Of a finite value that rounds beyond the range.
  llvm::Value *beyond() {
    llvm::Value *infinite = b.getInt32(ofInfinity()), *largest = b.getInt32(format.max);
    if (saturate || format.inf == 0 || rounding == Rounding::nearest) {
      return infinite;
    }
    return rounding == Rounding::zero ? largest
           : rounding == TESSERA_MUTANT(556, "rounding up overflows downwards", Rounding::up,
                                        Rounding::down)
               ? b.CreateSelect(negative, largest, infinite)
               : b.CreateSelect(negative, infinite, largest);
  }

  /// The pattern if exponents had no upper end. In a normal binade the hidden bit adds one to the exponent's field, and so
  /// does a carry; so the sum of field and rounded significand is the pattern of normal numbers and denormals alike.
  llvm::Value *finite(llvm::Value *magnitude) {
    llvm::Value *exponent = b.CreateLShr(magnitude, f32Mantissa);
    llvm::Value *hidden = b.CreateSelect(b.CreateICmpNE(exponent, b.getInt32(0)),
                                         b.getInt32(1u << f32Mantissa), b.getInt32(0));
    llvm::Value *significand = b.CreateOr(b.CreateAnd(magnitude, (1u << f32Mantissa) - 1), hidden);
    llvm::Value *field = max(exponent, b.getInt32(1));
    llvm::Value *drop = b.getInt32(f32Mantissa - format.mantissaBits);
    if (format.bias != f32Bias) {
      llvm::Value *wanted = b.CreateSub(field, b.getInt32(f32Bias - format.bias));
      field = max(wanted, b.getInt32(1));
      drop = b.CreateAdd(drop, b.CreateSub(field, wanted));
      drop = b.CreateBinaryIntrinsic(llvm::Intrinsic::smin, drop, b.getInt32(allDropped));
    }
    llvm::Value *rounded = b.CreateLShr(b.CreateAdd(significand, bias(significand, drop)), drop);
    llvm::Value *below = b.CreateShl(b.CreateSub(field, b.getInt32(1)), format.mantissaBits);
    return b.CreateAdd(below, rounded);
  }

  /// What is added before the last `drop` bits are cut off.
  llvm::Value *bias(llvm::Value *significand, llvm::Value *drop) {
    llvm::Value *one = b.getInt32(1), *zero = b.getInt32(0);
    switch (rounding) {
    case Rounding::zero:
      return zero;
    case Rounding::nearest: {
      llvm::Value *half = b.CreateShl(one, b.CreateSub(drop, one));
      llvm::Value *odd = b.CreateAnd(b.CreateLShr(significand, drop), one);
      return b.CreateAdd(
          b.CreateSub(half, one),
          TESSERA_MUTANT(555, "ties of small floats round away from zero", odd, one));
    }
    case Rounding::up:
    case Rounding::down:
      break;
    }
    llvm::Value *all = b.CreateSub(b.CreateShl(one, drop), one);
    return rounding == Rounding::up ? b.CreateSelect(negative, zero, all)
                                    : b.CreateSelect(negative, all, zero);
  }
};
} // namespace

llvm::Value *tessera::ptx::roundToSmall(llvm::IRBuilderBase &builder, llvm::Value *value,
                                        const SmallFormat &format, Rounding rounding,
                                        bool saturate) {
  return SmallRounder(builder, format, rounding, saturate).run(value);
}

/// The bits shifted under f16's are the value times 2^-8, denormals included; the product with 2^8 is exact.
llvm::Value *tessera::ptx::widenE4M3(llvm::IRBuilderBase &b, llvm::Value *bits) {
  llvm::Value *wide = b.CreateZExt(bits, b.getInt16Ty());
  llvm::Value *magnitude = b.CreateAnd(wide, 0x7f);
  llvm::Value *sign = b.CreateShl(b.CreateAnd(wide, 0x80), 8);
  llvm::Value *half = b.CreateOr(b.CreateShl(magnitude, 7), sign);
  llvm::Value *scaled = b.CreateFPExt(b.CreateBitCast(half, b.getHalfTy()), b.getFloatTy());
  llvm::Value *value = b.CreateFMul(scaled, llvm::ConstantFP::get(b.getFloatTy(), 256.0));
  llvm::Value *isNaN = b.CreateICmpEQ(magnitude, b.getInt16(0x7f));
  return TESSERA_MUTANT(557, "NaN of e4m3 is 480",
                        b.CreateSelect(isNaN, llvm::ConstantFP::getNaN(b.getFloatTy()), value),
                        value);
}
