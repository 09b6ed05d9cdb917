//===- Formats.h - widening and narrowing of small floats ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Storage type and float format of each DType, and branch-free conversions between a stored element and the type its
// arithmetic runs in (float for bf16, f16, f32 and fp8; double for f64). All of it inlines into loops that vectorise.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_LIB_NUMERIC_FORMATS_H
#define TESSERA_LIB_NUMERIC_FORMATS_H

#include "tessera/Numeric/DType.h"
#include "tessera/Numeric/Modes.h"

#include <cstring>
#include <limits>
#include <type_traits>

#define TESSERA_INLINE [[gnu::always_inline]] inline

namespace tessera::numeric {

template <DType T> struct StorageOf;
template <> struct StorageOf<DType::i1> {
  using type = uint8_t;
};
template <> struct StorageOf<DType::i8> {
  using type = int8_t;
};
template <> struct StorageOf<DType::i16> {
  using type = int16_t;
};
template <> struct StorageOf<DType::i32> {
  using type = int32_t;
};
template <> struct StorageOf<DType::i64> {
  using type = int64_t;
};
template <> struct StorageOf<DType::ui8> {
  using type = uint8_t;
};
template <> struct StorageOf<DType::ui16> {
  using type = uint16_t;
};
template <> struct StorageOf<DType::ui32> {
  using type = uint32_t;
};
template <> struct StorageOf<DType::ui64> {
  using type = uint64_t;
};
template <> struct StorageOf<DType::bf16> {
  using type = uint16_t;
};
template <> struct StorageOf<DType::f16> {
  using type = uint16_t;
};
template <> struct StorageOf<DType::f32> {
  using type = float;
};
template <> struct StorageOf<DType::f64> {
  using type = double;
};
template <> struct StorageOf<DType::f8E4M3FN> {
  using type = uint8_t;
};
template <> struct StorageOf<DType::f8E5M2> {
  using type = uint8_t;
};
template <DType T> using Storage = typename StorageOf<T>::type;

/// Type in which the arithmetic of a float DType runs.
template <DType T> using Compute = std::conditional_t<T == DType::f64, double, float>;

/// An IEEE-like binary format. `inf` is the magnitude pattern of infinity (0 if none), `nan` that of the quiet NaN and
/// `max` that of the largest finite value.
struct FloatFormat {
  unsigned exponentBits, mantissaBits;
  int bias;
  uint64_t inf, nan, max;
};

constexpr FloatFormat formatOf(DType t) {
  switch (t) {
  case DType::bf16:
    return {8, 7, 127, 0x7f80, 0x7fc0, 0x7f7f};
  case DType::f16:
    return {5, 10, 15, 0x7c00, 0x7e00, 0x7bff};
  case DType::f8E4M3FN:
    return {4, 3, 7, 0, 0x7f, 0x7e};
  case DType::f8E5M2:
    return {5, 2, 15, 0x7c, 0x7e, 0x7b};
  case DType::f64:
    return {11, 52, 1023, 0x7ff0000000000000, 0x7ff8000000000000, 0x7fefffffffffffff};
  default:
    return {8, 23, 127, 0x7f800000, 0x7fc00000, 0x7f7fffff};
  }
}

template <class To, class From> TESSERA_INLINE To bitCast(From x) {
  static_assert(sizeof(To) == sizeof(From));
  return __builtin_bit_cast(To, x);
}

TESSERA_INLINE uint32_t bitsOf(float x) { return bitCast<uint32_t>(x); }
TESSERA_INLINE uint64_t bitsOf(double x) { return bitCast<uint64_t>(x); }
TESSERA_INLINE float floatOf(uint32_t x) { return bitCast<float>(x); }
TESSERA_INLINE double doubleOf(uint64_t x) { return bitCast<double>(x); }

template <class F> TESSERA_INLINE F fmaOf(F a, F b, F c) {
  return __builtin_elementwise_fma(a, b, c);
}
template <class F> TESSERA_INLINE F sqrtOf(F x) { return __builtin_elementwise_sqrt(x); }

//===- widening -----------------------------------------------------------===//

/// A small format's magnitude sits in an f32 with too small an exponent; one exact product by a power of two puts that
/// right for normals and denormals alike.
template <DType T> TESSERA_INLINE float widenSmall(uint32_t bits) {
  constexpr FloatFormat f = formatOf(T);
  constexpr uint32_t magnitudeMask = (1u << (f.exponentBits + f.mantissaBits)) - 1;
  constexpr uint32_t firstSpecial = f.inf ? uint32_t(f.inf) : uint32_t(f.nan);
  uint32_t magnitude = bits & magnitudeMask;
  uint32_t sign = (bits >> (f.exponentBits + f.mantissaBits)) << 31;
  uint32_t placed = magnitude << (23 - f.mantissaBits);
  uint32_t scaled = bitsOf(floatOf(placed) * floatOf(uint32_t(127 + 127 - f.bias) << 23));
  uint32_t special = f.inf ? placed | 0x7f800000u : 0x7fc00000u;
  return floatOf((magnitude >= firstSpecial ? special : scaled) | sign);
}

template <DType T> TESSERA_INLINE Compute<T> widen(Storage<T> x) {
  if constexpr (T == DType::f32 || T == DType::f64) {
    return x;
  } else if constexpr (T == DType::bf16) {
    return floatOf(uint32_t(x) << 16);
  } else {
    return widenSmall<T>(x);
  }
}

//===- narrowing, to nearest even -----------------------------------------===//

/// Chooses the pattern beyond the range and for NaN; `magnitude` is the rounded pattern of a finite operand.
template <DType T, Overflow O>
TESSERA_INLINE uint32_t beyondRange(uint32_t magnitude, bool isInf, bool isNaN) {
  constexpr FloatFormat f = formatOf(T);
  constexpr uint32_t over = O == Overflow::inf   ? uint32_t(f.inf)
                            : O == Overflow::sat ? uint32_t(f.max)
                                                 : uint32_t(f.nan);
  constexpr uint32_t forInf = O == Overflow::nan && f.inf ? uint32_t(f.inf) : over;
  uint32_t r = magnitude > uint32_t(f.max) ? over : magnitude;
  r = isInf ? forInf : r;
  return isNaN ? uint32_t(f.nan) : r;
}

/// f32 to a 16- or 8-bit float, one rounding to nearest even. The sign of NaN is kept, its payload is not.
template <DType T, Overflow O = Overflow::inf> TESSERA_INLINE Storage<T> narrow(float x) {
  if constexpr (T == DType::f32) {
    return x;
  } else {
    constexpr FloatFormat f = formatOf(T);
    constexpr unsigned drop = 23 - f.mantissaBits;
    uint32_t bits = bitsOf(x);
    uint32_t a = bits & 0x7fffffffu;
    uint32_t sign = (bits >> 31) << (f.exponentBits + f.mantissaBits);
    uint32_t r = (a + ((1u << (drop - 1)) - 1) + ((a >> drop) & 1)) >> drop;
    if constexpr (f.exponentBits < 8) {
      constexpr uint32_t rebias = uint32_t(127 - f.bias) << f.mantissaBits;
      // Below the least normal: adding a number whose last place is the least denormal rounds there.
      constexpr uint32_t anchor = uint32_t(127 + 1 - f.bias - int(f.mantissaBits) + 23) << 23;
      uint32_t tiny = bitsOf(floatOf(a) + floatOf(anchor)) - anchor;
      r = a < (uint32_t(127 + 1 - f.bias) << 23) ? tiny : r - rebias;
    }
    return Storage<T>(beyondRange<T, O>(r, a == 0x7f800000u, a > 0x7f800000u) | sign);
  }
}

/// The double to f32 rounded to odd: a later rounding to at most 22 bits then equals one rounding of the double.
/// Overflow gives the infinity, whose rounding is that of every f32 near it.
TESSERA_INLINE float roundToOdd(double x) {
  float f = float(x);
  double back = double(f);
  uint32_t bits = bitsOf(f);
  bool inexact = back != x && ((bits & 0x7fffffffu) < 0x7f800000u);
  // |f| beyond |x| moves one towards zero, else one away, where f is even.
  bool beyond = (back > x) == (back > 0);
  uint32_t odd = bits + (beyond ? 0xffffffffu : 1u);
  // A double below the f32 range rounds to 0: the odd neighbour is the least denormal with the sign of x.
  odd = (bits & 0x7fffffffu) == 0 ? bits | 1u : odd;
  bool move = inexact && (bits & 1) == 0;
  return floatOf(move ? odd : bits);
}

/// f64 to any float, one rounding to nearest even (not for Overflow::nan with formats that have infinities: an overflow
/// of the middle step could not be told from an infinity).
template <DType T, Overflow O = Overflow::inf> TESSERA_INLINE Storage<T> narrowDouble(double x) {
  if constexpr (T == DType::f64) {
    return x;
  } else if constexpr (T == DType::f32) {
    return float(x);
  } else {
    return narrow<T, O>(roundToOdd(x));
  }
}

} // namespace tessera::numeric

#endif // TESSERA_LIB_NUMERIC_FORMATS_H
