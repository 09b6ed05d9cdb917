//===- StrictBase.h - vocabulary of the strict functions ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The strict f32 functions are written once in the language (lib/Std/math.tile) and once in C++; both do the same
// operations in the same order, so they agree bit for bit. This header gives the C++ twin the language's vocabulary.
// One line here is one line there; keep them so.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_LIB_NUMERIC_STRICTBASE_H
#define TESSERA_LIB_NUMERIC_STRICTBASE_H

#include "FloatOps.h"

namespace tessera::strict {

TESSERA_INLINE float fma(float a, float b, float c) { return numeric::fmaOf(a, b, c); }
TESSERA_INLINE uint32_t bits(float x) { return numeric::bitsOf(x); }
TESSERA_INLINE float from_bits(uint32_t u) { return numeric::floatOf(u); }
template <class T> TESSERA_INLINE T select(bool c, T a, T b) { return c ? a : b; }
TESSERA_INLINE float abs(float x) { return numeric::absOf(x); }
TESSERA_INLINE float copysign(float x, float s) { return numeric::withSign(x, s); }
TESSERA_INLINE float clamp(float x, float lo, float hi) { return numeric::Clamp::apply(x, lo, hi); }
TESSERA_INLINE float min(float a, float b) { return numeric::Min::apply(a, b); }
TESSERA_INLINE float trunc(float x) { return numeric::Trunc::apply(x); }
TESSERA_INLINE float sqrt(float x) { return numeric::sqrtOf(x); }

inline constexpr float inf = std::numeric_limits<float>::infinity();
inline constexpr float nan = std::numeric_limits<float>::quiet_NaN();

/// x + MAGIC holds x rounded to an integer (to nearest even) in its last bits, for |x| < 2^22.
inline constexpr float MAGIC = 0x1.8p23f;

/// A value as the unevaluated sum hi + lo.
struct Pair {
  float hi, lo;
};

/// hi + lo = a + b exactly, for |a| >= |b| or a = 0 (Dekker 1971).
TESSERA_INLINE Pair fast_two_sum(float a, float b) {
  float hi = a + b;
  float lo = (a - hi) + b;
  return {hi, lo};
}

/// hi + lo = a + b exactly (Knuth).
TESSERA_INLINE Pair two_sum(float a, float b) {
  float hi = a + b;
  float t = hi - a;
  float lo = (a - (hi - t)) + (b - t);
  return {hi, lo};
}

/// hi + lo = a * b exactly, barring underflow.
TESSERA_INLINE Pair two_prod(float a, float b) {
  float hi = a * b;
  float lo = fma(a, b, -hi);
  return {hi, lo};
}

} // namespace tessera::strict

#endif // TESSERA_LIB_NUMERIC_STRICTBASE_H
