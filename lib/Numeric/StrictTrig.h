//===- StrictTrig.h - sine, cosine, tangent -----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C++ twin of the trigonometric part of lib/Std/math.tile. Arguments up to 2^16 are reduced by multiples of pi/2 in three
// parts with fma (Cody and Waite 1980); larger ones by an integer product with the bits of 2/pi that matter (Payne and
// Hanek 1983). Both give the reduced argument as hi + lo. `Wide` = false leaves the second way out, for arrays whose
// elements all lie within 2^16: the results are the same.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_LIB_NUMERIC_STRICTTRIG_H
#define TESSERA_LIB_NUMERIC_STRICTTRIG_H

#include "StrictBase.h"

namespace tessera::strict {

/// |x| = q pi/2 + (hi + lo) with |hi| <= pi/4; only q modulo 4 is given.
struct Reduced {
  uint32_t q;
  float hi, lo;
};

inline constexpr float NARROW = 0x1p16f;

TESSERA_INLINE Reduced reduce_narrow(float a) {
  float t = fma(a, 0x1.45f306p-1f, MAGIC);
  float n = t - MAGIC;
  float r1 = fma(-n, 0x1.921fb6p0f, a); // exact
  Pair p = two_prod(n, -0x1.777a5cp-25f);
  Pair h = two_sum(r1, -p.hi);
  float lo = fma(-n, -0x1.ee59dap-50f, h.lo - p.lo);
  return {bits(t), h.hi, lo};
}

/// Words of 2/pi after 32 zero bits, by index.
TESSERA_INLINE uint32_t pick5(uint32_t i, uint32_t w0, uint32_t w1, uint32_t w2, uint32_t w3,
                              uint32_t w4) {
  uint32_t a = select(i == 0u, w0, w1);
  uint32_t b = select(i < 2u, a, w2);
  uint32_t c = select(i < 3u, b, w3);
  return select(i < 4u, c, w4);
}

TESSERA_INLINE Reduced reduce_wide(float a) {
  uint32_t u = bits(a);
  uint32_t m = (u & 0x7fffffu) | 0x800000u;
  // a = m 2^(e - 150); the product's bits of weight 4 and more do not matter: skip e - 152 bits of 2/pi.
  uint32_t off = (u >> 23) - 120u;
  uint32_t i = off >> 5;
  uint32_t s = off & 31u;
  uint32_t w0 = pick5(i, 0u, 0xa2f9836eu, 0x4e441529u, 0xfc2757d1u, 0xf534ddc0u);
  uint32_t w1 = pick5(i, 0xa2f9836eu, 0x4e441529u, 0xfc2757d1u, 0xf534ddc0u, 0xdb629599u);
  uint32_t w2 = pick5(i, 0x4e441529u, 0xfc2757d1u, 0xf534ddc0u, 0xdb629599u, 0x3c439041u);
  uint32_t w3 = pick5(i, 0xfc2757d1u, 0xf534ddc0u, 0xdb629599u, 0x3c439041u, 0xfe5163abu);
  uint32_t a0 = (w0 << s) | ((w1 >> 1) >> (31u - s));
  uint32_t a1 = (w1 << s) | ((w2 >> 1) >> (31u - s));
  uint32_t a2 = (w2 << s) | ((w3 >> 1) >> (31u - s));
  uint64_t p0 = uint64_t(m * a0) << 32;
  uint64_t p1 = uint64_t(m) * uint64_t(a1);
  uint64_t p2 = (uint64_t(m) * uint64_t(a2)) >> 32;
  // Quadrants with 62 fraction bits, modulo 4.
  uint64_t p = (p0 + p1) + p2;
  uint64_t q = (p + 0x2000000000000000u) >> 62;
  int64_t f = int64_t(p - (q << 62));
  float fh = float(f);
  float fl = float(int64_t(uint64_t(f) - uint64_t(int64_t(fh))));
  float h = fh * 0x1p-62f;
  float hi = h * 0x1.921fb6p0f;
  float e = fma(h, 0x1.921fb6p0f, -hi);
  float lo = fma(h, -0x1.777a5cp-25f, fma(fl * 0x1p-62f, 0x1.921fb6p0f, e));
  return {uint32_t(q), hi, lo};
}

template <bool Wide> TESSERA_INLINE Reduced reduce_argument(float a) {
  Reduced n = reduce_narrow(a);
  if constexpr (Wide) {
    bool large = a > NARROW;
    // The other way's argument is replaced by one it can take.
    Reduced w = reduce_wide(clamp(a, NARROW, 0x1.fffffep127f));
    float hi = select(large, w.hi, n.hi);
    return {select(large, w.q, n.q), select(a < inf, hi, nan), select(large, w.lo, n.lo)};
  } else {
    return n;
  }
}

TESSERA_INLINE Pair sin_poly(float r, float l) {
  float z = r * r;
  float s3 = fma(0x1.7cd428p-19f, z, -0x1.a05bb2p-13f);
  float s2 = fma(s3, z, 0x1.111176p-7f);
  float s1 = fma(s2, z, -0x1.555556p-3f);
  float c = fma(-0.5f, z, 1.0f);
  return fast_two_sum(r, fma(z * r, s1, l * c));
}

TESSERA_INLINE Pair cos_poly(float r, float l) {
  float z = r * r;
  float c3 = fma(-0x1.372004p-22f, z, 0x1.a075e0p-16f);
  float c2 = fma(c3, z, -0x1.6c1762p-10f);
  float c1 = fma(c2, z, 0x1.555556p-5f);
  float h = fma(-0.5f, z, 1.0f);
  // The part of z that h lost, and what r^2 lost.
  float d = fma(-0.5f, z, 1.0f - h);
  float e = fma(r, r, -z);
  float k = fma(-r, l, fma(-0.5f, e, d));
  return fast_two_sum(h, fma(z * z, c1, k));
}

template <bool Wide = true> TESSERA_INLINE float sin(float x) {
  Reduced r = reduce_argument<Wide>(abs(x));
  Pair s = sin_poly(r.hi, r.lo);
  Pair c = cos_poly(r.hi, r.lo);
  float y = select((r.q & 1u) == 0u, s.hi, c.hi);
  return from_bits(bits(y) ^ ((r.q & 2u) << 30) ^ (bits(x) & 0x80000000u));
}

template <bool Wide = true> TESSERA_INLINE float cos(float x) {
  Reduced r = reduce_argument<Wide>(abs(x));
  Pair s = sin_poly(r.hi, r.lo);
  Pair c = cos_poly(r.hi, r.lo);
  float y = select((r.q & 1u) == 0u, c.hi, s.hi);
  return from_bits(bits(y) ^ (((r.q + 1u) & 2u) << 30));
}

/// The quotient of both polynomials, corrected by their low parts and its own remainder.
template <bool Wide = true> TESSERA_INLINE float tan(float x) {
  Reduced r = reduce_argument<Wide>(abs(x));
  Pair s = sin_poly(r.hi, r.lo);
  Pair c = cos_poly(r.hi, r.lo);
  bool even = (r.q & 1u) == 0u;
  float n = select(even, s.hi, -c.hi);
  float nl = select(even, s.lo, -c.lo);
  float d = select(even, c.hi, s.hi);
  float dl = select(even, c.lo, s.lo);
  float y = n / d;
  float e = fma(-y, dl, fma(-y, d, n) + nl);
  float t = y + e / d;
  return from_bits(bits(t) ^ (bits(x) & 0x80000000u));
}

} // namespace tessera::strict

#endif // TESSERA_LIB_NUMERIC_STRICTTRIG_H
