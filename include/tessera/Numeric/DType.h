//===- DType.h - element types and their storage ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The element types of the language, how they are spelt, and how one element lies in memory: `bool` is one byte 0 or 1,
// bf16 and f16 are their bits in a uint16_t, fp8 its bits in a uint8_t, everything else is the native C++ type.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_NUMERIC_DTYPE_H
#define TESSERA_NUMERIC_DTYPE_H

#include "llvm/ADT/StringRef.h"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace tessera {

enum class DType : uint8_t {
  i1,
  i8,
  i16,
  i32,
  i64,
  ui8,
  ui16,
  ui32,
  ui64,
  bf16,
  f16,
  f32,
  f64,
  f8E4M3FN,
  f8E5M2
};

inline constexpr unsigned numDTypes = 15;
inline constexpr DType allDTypes[numDTypes] = {
    DType::i1,  DType::i8,   DType::i16,  DType::i32,      DType::i64,
    DType::ui8, DType::ui16, DType::ui32, DType::ui64,     DType::bf16,
    DType::f16, DType::f32,  DType::f64,  DType::f8E4M3FN, DType::f8E5M2};

/// Bits that carry the value; 1 for `bool`.
constexpr unsigned bitWidth(DType t) {
  constexpr unsigned widths[numDTypes] = {1, 8, 16, 32, 64, 8, 16, 32, 64, 16, 16, 32, 64, 8, 8};
  return widths[static_cast<unsigned>(t)];
}

/// Bytes of one element in memory.
constexpr size_t byteSize(DType t) { return t == DType::i1 ? 1 : bitWidth(t) / 8; }

/// bf16, f16, f32, f64 and both fp8 types.
constexpr bool isFloat(DType t) { return t >= DType::bf16; }
constexpr bool isFp8(DType t) { return t >= DType::f8E4M3FN; }
constexpr bool isBool(DType t) { return t == DType::i1; }
/// i8…i64 and ui8…ui64; `bool` is not an integer.
constexpr bool isInteger(DType t) { return t >= DType::i8 && t <= DType::ui64; }
/// Floats and i8…i64.
constexpr bool isSigned(DType t) { return isFloat(t) || (t >= DType::i8 && t <= DType::i64); }

/// The unsigned integer of the same width, i.e. the type of `bits(x)`; `bool` for `bool`.
constexpr DType bitsType(DType t) {
  if (t == DType::i1) {
    return DType::i1;
  }
  return bitWidth(t) == 8    ? DType::ui8
         : bitWidth(t) == 16 ? DType::ui16
         : bitWidth(t) == 32 ? DType::ui32
                             : DType::ui64;
}

/// As the language spells it: `bool`, `i32`, `ui8`, `bf16`, `f8e4m3`, `f8e5m2` …
llvm::StringRef name(DType t);

/// As the IR spells it: `i1`, `i32`, `ui8`, `bf16`, `f8E4M3FN`, `f8E5M2` …
llvm::StringRef irName(DType t);

/// Reads either spelling; nothing if the text names no element type.
std::optional<DType> parseDType(llvm::StringRef text);

} // namespace tessera

#endif // TESSERA_NUMERIC_DTYPE_H
