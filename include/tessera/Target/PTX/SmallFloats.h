// Conversions of small floats written out in integer instructions, for targets and rounding modes without an instruction.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_TARGET_PTX_SMALLFLOATS_H
#define TESSERA_TARGET_PTX_SMALLFLOATS_H

#include "llvm/ADT/StringRef.h"

#include <optional>

namespace llvm {
class IRBuilderBase;
class Value;
} // namespace llvm

namespace tessera::ptx {

/// A binary float format of at most 16 bits. Patterns are those of magnitudes, without the sign.
struct SmallFormat {
  unsigned exponentBits, mantissaBits;
  int bias;
  /// Largest finite magnitude, infinity (0: the format has none), the NaN that conversions give.
  unsigned max, inf, nan;

  unsigned width() const { return 1 + exponentBits + mantissaBits; }
};

/// f16, bf16, e4m3, e5m2 as markers spell them; nothing for other names.
std::optional<SmallFormat> smallFormat(llvm::StringRef name);

enum class Rounding { nearest, zero, up, down };

/// The f32 value, rounded once, as bits in the low part of an i32. What exceeds the range becomes the largest finite value
/// where `saturate`, else infinity (for directed modes the largest finite value, as IEEE says), or NaN without infinities.
llvm::Value *roundToSmall(llvm::IRBuilderBase &builder, llvm::Value *value,
                          const SmallFormat &format, Rounding rounding, bool saturate);

/// The i8 bits of an e4m3 value as f32, exactly.
llvm::Value *widenE4M3(llvm::IRBuilderBase &builder, llvm::Value *bits);

} // namespace tessera::ptx

#endif // TESSERA_TARGET_PTX_SMALLFLOATS_H
