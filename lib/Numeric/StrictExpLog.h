//===- StrictExpLog.h - exponentials, logarithms, roots -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C++ twin of the first part of lib/Std/math.tile. Method: classical argument reduction (x = n ln 2 + r; x = 2^e m with m
// in [2/3, 4/3]), polynomials fitted for this project by Remez exchange or weighted least squares in 140-bit arithmetic
// with coefficients rounded to f32 one after another. Error bounds: StrictMath.h in the public headers.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_LIB_NUMERIC_STRICTEXPLOG_H
#define TESSERA_LIB_NUMERIC_STRICTEXPLOG_H

#include "StrictBase.h"

namespace tessera::strict {

/// x * 2^n, n given as the bits of n + MAGIC: two factors, so that only the last product rounds, if the result is denormal.
TESSERA_INLINE float scale_by(float x, uint32_t magic) {
  // n + 254, halved: the exponent fields of both factors
  uint32_t u = magic - 0x4b3fff02u;
  uint32_t h = u >> 1;
  float s1 = from_bits(h << 23);
  float s2 = from_bits((u - h) << 23);
  return (x * s1) * s2;
}

/// e^(r + l) for |r| <= ln 2 / 2 and l far below r's last place.
TESSERA_INLINE float exp_core(float r, float l) {
  float q4 = fma(0x1.6ac846p-10f, r, 0x1.123decp-7f);
  float q3 = fma(q4, r, 0x1.555858p-5f);
  float q2 = fma(q3, r, 0x1.55548cp-3f);
  float q1 = fma(q2, r, 0x1.fffffcp-2f);
  Pair h = fast_two_sum(1.0f, r);
  return h.hi + fma(r * r, q1, h.lo + l);
}

/// e^r - 1 for |r| <= ln 2 / 2, with relative precision.
TESSERA_INLINE float expm1_tail(float r) {
  float q4 = fma(0x1.a28f34p-13f, r, 0x1.6d437ap-10f);
  float q3 = fma(q4, r, 0x1.110fe2p-7f);
  float q2 = fma(q3, r, 0x1.5554f0p-5f);
  float q1 = fma(q2, r, 0x1.555556p-3f);
  float z = r * r;
  return r + fma(z * r, q1, 0.5f * z);
}

/// e^r for |r| <= ln 2 / 2.
TESSERA_INLINE float exp_short(float r) {
  float q4 = fma(0x1.6a524ep-10f, r, 0x1.12396ep-7f);
  float q3 = fma(q4, r, 0x1.5558aap-5f);
  float q2 = fma(q3, r, 0x1.555492p-3f);
  float q1 = fma(q2, r, 0x1.fffffcp-2f);
  return fma(fma(q1, r, 1.0f), r, 1.0f);
}

/// x rounded to n in units of ln 2, plus MAGIC, and what is left.
TESSERA_INLINE Pair exp_split(float x) {
  float t = fma(x, 0x1.715476p0f, MAGIC);
  float n = t - MAGIC;
  float r1 = fma(-n, 0x1.62e4p-1f, x); // exact: this part of ln 2 has 16 bits
  return {t, fma(-n, 0x1.7f7d1cp-20f, r1)};
}

TESSERA_INLINE float exp(float x) {
  Pair s = exp_split(clamp(x, -104.0f, 89.0f));
  return scale_by(exp_short(s.lo), bits(s.hi));
}

/// 2^(x + low) for |x| <= 150, |low| far below |x|'s last place.
TESSERA_INLINE float exp2_pair(float x, float low) {
  float t = x + MAGIC;
  float n = t - MAGIC;
  Pair r = fast_two_sum(x - n, low);
  float q4 = fma(0x1.c53e34p-17f, r.hi, 0x1.4417aap-13f);
  float q3 = fma(q4, r.hi, 0x1.5db4a8p-10f);
  float q2 = fma(q3, r.hi, 0x1.3b2a54p-7f);
  float q1 = fma(q2, r.hi, 0x1.c6b06ep-5f);
  float q0 = fma(q1, r.hi, 0x1.ebfbe0p-3f);
  float l = fma(r.hi, -0x1.05c610p-29f, r.lo * 0x1.62e430p-1f);
  float s = fma(r.hi * r.hi, q0, l);
  float p = 1.0f + fma(r.hi, 0x1.62e430p-1f, s);
  return scale_by(p, bits(t));
}

/// 2^r for |r| <= 1 / 2.
TESSERA_INLINE float exp2_short(float r) {
  float q4 = fma(0x1.416b5ep-13f, r, 0x1.5f082ep-10f);
  float q3 = fma(q4, r, 0x1.3b2de0p-7f);
  float q2 = fma(q3, r, 0x1.c6af7cp-5f);
  float q1 = fma(q2, r, 0x1.ebfbdcp-3f);
  return fma(fma(q1, r, 0x1.62e430p-1f), r, 1.0f);
}

TESSERA_INLINE float exp2(float x) {
  float c = clamp(x, -151.0f, 129.0f);
  float t = c + MAGIC;
  return scale_by(exp2_short(c - (t - MAGIC)), bits(t));
}

TESSERA_INLINE float expm1(float x) {
  float c = clamp(x, -18.0f, 89.0f);
  float t = fma(c, 0x1.715476p0f, MAGIC);
  float n = t - MAGIC;
  float r1 = fma(-n, 0x1.62e4p-1f, c); // exact: this part of ln 2 has 16 bits
  float r = fma(-n, 0x1.7f7d1cp-20f, r1);
  // 2^n (e^r) - 1 = 2 (2^(n-1) (e^r - 1) + (2^(n-1) - 1/2)); half the power, so that n = 128 is representable.
  float s = from_bits((bits(t) - 0x4b3fff82u) << 23);
  float y = fma(s, expm1_tail(r), s - 0.5f);
  return select(abs(x) < 0x1p-25f, x, y + y);
}

/// x = 2^e (1 + f) with 1 + f in [2/3, 4/3); positive normal x.
struct Split {
  float e, f;
};
TESSERA_INLINE Split log_split(float x) {
  uint32_t k = (bits(x) - 0x3f2aaaabu) & 0xff800000u;
  float f = from_bits(bits(x) - k) - 1.0f;
  // k >> 23 is e modulo 512, placed in the last bits of MAGIC; +128 keeps it positive.
  float e = from_bits(((k + 0x40000000u) >> 23) + 0x4b400000u) - 0x1.8001p23f;
  return {e, f};
}

/// log(1 + f) - f for f in [-1/3, 1/3].
TESSERA_INLINE float log_tail(float f) {
  float p8 = fma(0x1.f06756p-4f, f, -0x1.075f98p-3f);
  float p7 = fma(p8, f, 0x1.b7344ep-4f);
  float p6 = fma(p7, f, -0x1.f3643cp-4f);
  float p5 = fma(p6, f, 0x1.2504bcp-3f);
  float p4 = fma(p5, f, -0x1.559a78p-3f);
  float p3 = fma(p4, f, 0x1.9996dap-3f);
  float p2 = fma(p3, f, -0x1.ffff06p-3f);
  float p1 = fma(p2, f, 0x1.555558p-2f);
  float z = f * f;
  return fma(z * f, p1, -0.5f * z);
}

/// What a logarithm gives for zeros, negative numbers, infinity and NaN; else y.
TESSERA_INLINE float log_special(float x, float y) {
  float a = select(x == inf, x, y);
  float b = select(x == 0.0f, -inf, a);
  float c = select(x < 0.0f, nan, b);
  return select(x != x, x, c);
}

TESSERA_INLINE float log(float x) {
  bool tiny = x < 0x1p-126f;
  Split s = log_split(select(tiny, x * 0x1p24f, x));
  float e = select(tiny, s.e - 24.0f, s.e);
  float w = log_tail(s.f);
  // e times the first part of ln 2 is exact: that part has 16 bits.
  Pair h = fast_two_sum(e * 0x1.62e4p-1f, s.f);
  float y = h.hi + (h.lo + fma(e, 0x1.7f7d1cp-20f, w));
  return log_special(x, y);
}

TESSERA_INLINE float log2(float x) {
  bool tiny = x < 0x1p-126f;
  Split s = log_split(select(tiny, x * 0x1p24f, x));
  float e = select(tiny, s.e - 24.0f, s.e);
  float w = log_tail(s.f);
  Pair p = two_prod(s.f, 0x1.715476p0f);
  Pair h = fast_two_sum(e, p.hi);
  float l = fma(s.f, 0x1.4ae0c0p-26f, p.lo);
  float y = h.hi + (h.lo + fma(w, 0x1.715476p0f, l));
  return log_special(x, y);
}

TESSERA_INLINE float log1p(float x) {
  Split s = log_split(1.0f + x);
  // 2^-e, a denormal for e = 128; x 2^-e + (2^-e - 1) is the reduced argument without the rounding of 1 + x.
  float g = scale_by(1.0f, bits(MAGIC - s.e));
  Pair f = two_sum(x * g, g - 1.0f);
  float w = log_tail(f.hi) + f.lo * fma(-f.hi, 1.0f - f.hi, 1.0f);
  Pair h = fast_two_sum(s.e * 0x1.62e4p-1f, f.hi);
  float y = h.hi + (h.lo + fma(s.e, 0x1.7f7d1cp-20f, w));
  float z = select(abs(x) < 0x1p-25f, x, y);
  float a = select(x == inf, x, z);
  float b = select(x == -1.0f, -inf, a);
  float c = select(x < -1.0f, nan, b);
  return select(x != x, x, c);
}

TESSERA_INLINE float rcp(float x) { return 1.0f / x; }

/// The quotient 1 / sqrt(x) corrected by the errors of both steps.
TESSERA_INLINE float rsqrt(float x) {
  bool tiny = x < 0x1p-100f;
  float m = select(tiny, x * 0x1p48f, x);
  float s = sqrt(m);
  float r = 1.0f / s;
  float t = fma(s, s, -m);
  float u = fma(s, r, -1.0f);
  float v = fma(t, (-0.5f * r) * r, u);
  float y = fma(-r, v, r);
  float z = select(tiny, y * 0x1p24f, y);
  float a = select(x == inf, 0.0f, z);
  return select(x == 0.0f, copysign(inf, x), a);
}

} // namespace tessera::strict

#endif // TESSERA_LIB_NUMERIC_STRICTEXPLOG_H
