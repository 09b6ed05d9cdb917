//===- StrictSpecial.h - tanh, erf, erfc, pow ---------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C++ twin of the last part of lib/Std/math.tile. erfc rests on a polynomial for (1 + 2x) exp(x^2) erfc(x) in
// (x - 3)/(x + 3) (the form of Shepherd and Laframboise 1981, own coefficients); pow on log2 by an atanh series whose
// leading terms are kept as pairs.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_LIB_NUMERIC_STRICTSPECIAL_H
#define TESSERA_LIB_NUMERIC_STRICTSPECIAL_H

#include "StrictExpLog.h"

namespace tessera::strict {

TESSERA_INLINE float tanh(float x) {
  float a = abs(x);
  float z = x * x;
  float t4 = fma(-0x1.9776d8p-8f, z, 0x1.58a528p-6f);
  float t3 = fma(t4, z, -0x1.b91880p-5f);
  float t2 = fma(t3, z, 0x1.110cd8p-3f);
  float t1 = fma(t2, z, -0x1.55554ap-2f);
  float small = copysign(fma(z * x, t1, x), x); // -0 stays -0
  // 1 - 2 / (e^(2a) + 1)
  float e = exp(min(a + a, 40.0f));
  float large = copysign(1.0f - 2.0f / (e + 1.0f), x);
  return select(a < 0x1.19999ap-1f, small, select(x != x, x, large));
}

/// erf for |x| <= 1.
TESSERA_INLINE float erf_small(float x) {
  float z = x * x;
  float q6 = fma(0x1.4c2f4cp-14f, z, -0x1.a5099ep-11f);
  float q5 = fma(q6, z, 0x1.542deep-8f);
  float q4 = fma(q5, z, -0x1.b7fe8ep-6f);
  float q3 = fma(q4, z, 0x1.ce2d50p-4f);
  float q2 = fma(q3, z, -0x1.812740p-2f);
  float q1 = fma(q2, z, 0x1.06eba8p-3f);
  return fma(x, q1, x);
}

/// erfc for a >= 15/32.
TESSERA_INLINE float erfc_large(float a) {
  float b = min(a, 10.25f);
  float t = (b - 3.0f) / (b + 3.0f);
  float p10 = fma(-0x1.8d13d2p-13f, t, -0x1.6b2fc6p-11f);
  float p9 = fma(p10, t, 0x1.009c98p-9f);
  float p8 = fma(p9, t, 0x1.4873dcp-9f);
  float p7 = fma(p8, t, -0x1.85c780p-6f);
  float p6 = fma(p7, t, 0x1.17cd56p-4f);
  float p5 = fma(p6, t, -0x1.e88912p-4f);
  float p4 = fma(p5, t, 0x1.09834cp-3f);
  float p3 = fma(p4, t, -0x1.85a190p-5f);
  float p2 = fma(p3, t, -0x1.15c084p-3f);
  float p1 = 0x1.40c522p0f + fma(p2, t, 0x1.b538bcp-25f);
  // e^(-b^2) with the part that the square loses
  float h = b * b;
  float l = fma(b, b, -h);
  float m = fma(-h, 0x1.715476p0f, MAGIC);
  float n = m - MAGIC;
  Pair r1 = two_sum(fma(-n, 0x1.62e4p-1f, -h), -l);
  float r = fma(-n, 0x1.7f7d1cp-20f, r1.hi);
  float rl = fma(-n, 0x1.7f7d1cp-20f, r1.hi - r) + r1.lo;
  float e = exp_core(r, rl);
  return scale_by(e * (p1 / fma(2.0f, b, 1.0f)), bits(m));
}

TESSERA_INLINE float erf(float x) {
  float a = abs(x);
  float large = copysign(1.0f - erfc_large(a), x);
  return select(a < 0.875f, erf_small(x), select(x != x, x, large));
}

TESSERA_INLINE float erfc(float x) {
  float a = abs(x);
  float t = erfc_large(a);
  float large = select(x < 0.0f, 2.0f - t, t);
  return select(a < 0.46875f, 1.0f - erf_small(x), select(x != x, x, large));
}

/// log2 of a positive finite a, as a pair with about 2^-34 relative error.
TESSERA_INLINE Pair log2_pair(float a) {
  bool tiny = a < 0x1p-126f;
  Split k = log_split(select(tiny, a * 0x1p24f, a));
  float e = select(tiny, k.e - 24.0f, k.e);
  float f = k.f;
  // s = f / (2 + f), log(1 + f) = 2 atanh(s)
  Pair d = fast_two_sum(2.0f, f);
  float s = f / d.hi;
  float sl = (fma(-s, d.hi, f) - s * d.lo) / d.hi;
  Pair z = two_prod(s, s);
  float zl = fma(s + s, sl, z.lo);
  float q4 = fma(0x1.989a60p-3f, z.hi, 0x1.c5c646p-3f);
  float q3 = fma(q4, z.hi, 0x1.24948cp-2f);
  float q2 = fma(q3, z.hi, 0x1.999998p-2f);
  Pair u = fast_two_sum(0x1.555556p-1f, fma(q2, z.hi, -0x1.555556p-26f));
  Pair v = two_prod(z.hi, u.hi);
  float vl = v.lo + fma(z.hi, u.lo, zl * u.hi);
  Pair w = two_prod(s, v.hi);
  float wl = w.lo + fma(s, vl, sl * v.hi);
  Pair h = fast_two_sum(s + s, w.hi);
  float hl = h.lo + fma(2.0f, sl, wl);
  // to base 2
  Pair p = two_prod(h.hi, 0x1.715476p0f);
  float pl = p.lo + fma(h.hi, 0x1.4ae0c0p-26f, hl * 0x1.715476p0f);
  Pair r = fast_two_sum(e, p.hi);
  return fast_two_sum(r.hi, r.lo + pl);
}

TESSERA_INLINE float pow(float x, float y) {
  float a = abs(x);
  float b = abs(y);
  Pair l = log2_pair(a);
  float h = y * l.hi;
  float hl = fma(y, l.hi, -h) + y * l.lo;
  float c = clamp(h, -200.0f, 200.0f);
  float g = exp2_pair(c, select(c == h, hl, 0.0f));
  bool integral = trunc(y) == y;
  float half = 0.5f * y;
  bool odd = integral and trunc(half) != half;
  // zero and infinite bases, then infinite exponents
  float g1 = select(a == 0.0f or a == inf, select((a == 0.0f) == (y < 0.0f), inf, 0.0f), g);
  float g2 =
      select(b == inf, select(a == 1.0f, 1.0f, select((a > 1.0f) == (y > 0.0f), inf, 0.0f)), g1);
  float r1 = select(odd, copysign(g2, x), g2);
  float r2 = select(x < 0.0f and a < inf and not integral, nan, r1);
  float r3 = select(x != x or y != y, x + y, r2);
  return select(x == 1.0f or y == 0.0f, 1.0f, r3);
}

} // namespace tessera::strict

#endif // TESSERA_LIB_NUMERIC_STRICTSPECIAL_H
