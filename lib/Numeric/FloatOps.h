//===- FloatOps.h - meanings of float ops that are not functions --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functors for Loops.h: arithmetic, minimum and maximum, rounding to integral values, predicates, operations on the sign.
// bf16 and f16 compute in f32 and round once; for + - * / and square root that equals one rounding of the exact result,
// because f32 has at least 2p + 2 bits (p = 8 or 11) and covers both ranges. fma goes through f64 rounded to odd.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_LIB_NUMERIC_FLOATOPS_H
#define TESSERA_LIB_NUMERIC_FLOATOPS_H

#include "Formats.h"

namespace tessera::numeric {

template <class F> struct SignBit;
template <> struct SignBit<float> {
  static constexpr uint32_t value = 0x80000000u;
};
template <> struct SignBit<double> {
  static constexpr uint64_t value = 0x8000000000000000u;
};
template <class F> using BitsOf = std::conditional_t<sizeof(F) == 8, uint64_t, uint32_t>;
template <class F> TESSERA_INLINE F quietNaN() { return std::numeric_limits<F>::quiet_NaN(); }
template <class F> TESSERA_INLINE bool isNaN(F x) { return x != x; }
template <class F> TESSERA_INLINE F absOf(F x) {
  return bitCast<F>(bitsOf(x) & ~SignBit<F>::value);
}
/// The magnitude of the first with the sign of the second.
template <class F> TESSERA_INLINE F withSign(F x, F s) {
  return bitCast<F>((bitsOf(x) & ~SignBit<F>::value) | (bitsOf(s) & SignBit<F>::value));
}

//===- functors on the compute type ---------------------------------------===//

struct Add {
  template <class F> TESSERA_INLINE static F apply(F a, F b) { return a + b; }
};
struct Sub {
  template <class F> TESSERA_INLINE static F apply(F a, F b) { return a - b; }
};
struct Mul {
  template <class F> TESSERA_INLINE static F apply(F a, F b) { return a * b; }
};
struct Div {
  template <class F> TESSERA_INLINE static F apply(F a, F b) { return a / b; }
};
struct Min {
  template <class F> TESSERA_INLINE static F apply(F a, F b) {
    F r = a < b ? a : b;
    r = a == b ? bitCast<F>(bitsOf(a) | bitsOf(b)) : r;
    return isNaN(a) || isNaN(b) ? quietNaN<F>() : r;
  }
};
struct Max {
  template <class F> TESSERA_INLINE static F apply(F a, F b) {
    F r = a > b ? a : b;
    r = a == b ? bitCast<F>(bitsOf(a) & bitsOf(b)) : r;
    return isNaN(a) || isNaN(b) ? quietNaN<F>() : r;
  }
};
struct MinNum {
  template <class F> TESSERA_INLINE static F apply(F a, F b) {
    F r = a < b ? a : b;
    r = a == b ? bitCast<F>(bitsOf(a) | bitsOf(b)) : r;
    r = isNaN(b) ? a : r;
    r = isNaN(a) ? b : r;
    return isNaN(r) ? quietNaN<F>() : r;
  }
};
struct MaxNum {
  template <class F> TESSERA_INLINE static F apply(F a, F b) {
    F r = a > b ? a : b;
    r = a == b ? bitCast<F>(bitsOf(a) & bitsOf(b)) : r;
    r = isNaN(b) ? a : r;
    r = isNaN(a) ? b : r;
    return isNaN(r) ? quietNaN<F>() : r;
  }
};
struct AbsMax {
  template <class F> TESSERA_INLINE static F apply(F a, F b) {
    return Max::apply(absOf(a), absOf(b));
  }
};
struct Clamp {
  template <class F> TESSERA_INLINE static F apply(F x, F lo, F hi) {
    return Min::apply(Max::apply(x, lo), hi);
  }
};
struct Sign {
  template <class F> TESSERA_INLINE static F apply(F x) {
    F r = x == F(0) ? x : withSign(F(1), x);
    return isNaN(x) ? quietNaN<F>() : r;
  }
};
struct Floor {
  template <class F> TESSERA_INLINE static F apply(F x) { return __builtin_elementwise_floor(x); }
};
struct Ceil {
  template <class F> TESSERA_INLINE static F apply(F x) { return __builtin_elementwise_ceil(x); }
};
struct Trunc {
  template <class F> TESSERA_INLINE static F apply(F x) { return __builtin_elementwise_trunc(x); }
};
struct RoundEven {
  template <class F> TESSERA_INLINE static F apply(F x) {
    return __builtin_elementwise_roundeven(x);
  }
};
struct RoundAway {
  template <class F> TESSERA_INLINE static F apply(F x) {
    F t = __builtin_elementwise_trunc(x);
    // x - t is exact; for |x| beyond the mantissa it is 0, for infinities NaN, which the comparison rejects.
    F up = absOf(x - t) >= F(0.5) ? F(1) : F(0);
    return withSign(t + withSign(up, x), x);
  }
};
struct Sqrt {
  template <class F> TESSERA_INLINE static F apply(F x) { return sqrtOf(x); }
};
struct Rcp {
  template <class F> TESSERA_INLINE static F apply(F x) { return F(1) / x; }
};
/// Total of a sum: no sum is -0.
struct PlusZero {
  template <class F> TESSERA_INLINE static F apply(F x) { return x + F(0); }
};
struct IsNan {
  template <class F> TESSERA_INLINE static bool apply(F x) { return isNaN(x); }
};
struct IsInf {
  template <class F> TESSERA_INLINE static bool apply(F x) {
    return absOf(x) == std::numeric_limits<F>::infinity();
  }
};
struct IsFinite {
  template <class F> TESSERA_INLINE static bool apply(F x) {
    return absOf(x) < std::numeric_limits<F>::infinity();
  }
};
struct Eq {
  template <class F> TESSERA_INLINE static bool apply(F a, F b) { return a == b; }
};
struct Ne {
  template <class F> TESSERA_INLINE static bool apply(F a, F b) { return a != b; }
};
struct Lt {
  template <class F> TESSERA_INLINE static bool apply(F a, F b) { return a < b; }
};
struct Le {
  template <class F> TESSERA_INLINE static bool apply(F a, F b) { return a <= b; }
};
struct Gt {
  template <class F> TESSERA_INLINE static bool apply(F a, F b) { return a > b; }
};
struct Ge {
  template <class F> TESSERA_INLINE static bool apply(F a, F b) { return a >= b; }
};
struct RanksAbove {
  template <class F> TESSERA_INLINE static bool apply(F a, F b) {
    return (isNaN(a) && !isNaN(b)) || a > b;
  }
};

//===- lifting to stored elements -----------------------------------------===//

template <DType T> TESSERA_INLINE Storage<T> put(Compute<T> x) {
  if constexpr (T == DType::f64) {
    return x;
  } else {
    return narrow<T>(x);
  }
}

template <DType T, class Fn> struct Float1 {
  using In = Storage<T>;
  using Out = Storage<T>;
  TESSERA_INLINE static Out apply(In a) { return put<T>(Fn::apply(widen<T>(a))); }
};
template <DType T, class Fn> struct Float2 {
  using In = Storage<T>;
  using Out = Storage<T>;
  TESSERA_INLINE static Out apply(In a, In b) {
    return put<T>(Fn::apply(widen<T>(a), widen<T>(b)));
  }
};
template <DType T, class Fn> struct Float3 {
  using In = Storage<T>;
  using Out = Storage<T>;
  TESSERA_INLINE static Out apply(In a, In b, In c) {
    return put<T>(Fn::apply(widen<T>(a), widen<T>(b), widen<T>(c)));
  }
};
template <DType T, class Fn> struct FloatTest1 {
  using In = Storage<T>;
  using Out = uint8_t;
  TESSERA_INLINE static Out apply(In a) { return Fn::apply(widen<T>(a)); }
};
template <DType T, class Fn> struct FloatTest2 {
  using In = Storage<T>;
  using Out = uint8_t;
  TESSERA_INLINE static Out apply(In a, In b) { return Fn::apply(widen<T>(a), widen<T>(b)); }
};

/// a * b + c rounded once. For the 16-bit types the product is exact in f64; the sum is rounded to odd there.
template <DType T> struct FusedMultiplyAdd {
  using In = Storage<T>;
  using Out = Storage<T>;
  TESSERA_INLINE static Out apply(In a, In b, In c) {
    if constexpr (T == DType::f32 || T == DType::f64) {
      return fmaOf(a, b, c);
    } else {
      double p = double(widen<T>(a)) * double(widen<T>(b));
      double z = double(widen<T>(c));
      double s = p + z;
      double zPart = s - p;
      double error = (p - (s - zPart)) + (z - zPart);
      uint64_t bits = bitsOf(s);
      // An inexact even sum moves to the neighbour on the side of the exact one.
      uint64_t odd = bits + ((error > 0) == (s > 0) ? uint64_t(1) : ~uint64_t(0));
      bool fix = (error > 0 || error < 0) && (bits & 1) == 0;
      return narrow<T>(roundToOdd(doubleOf(fix ? odd : bits)));
    }
  }
};

//===- sign operations, on the stored bits --------------------------------===//

template <DType T>
using RawBits = std::conditional_t<bitWidth(T) == 64, uint64_t,
                                   std::conditional_t<bitWidth(T) == 32, uint32_t, uint16_t>>;

template <DType T> struct NegBits {
  using In = RawBits<T>;
  using Out = In;
  TESSERA_INLINE static Out apply(In a) { return Out(a ^ (In(1) << (bitWidth(T) - 1))); }
};
template <DType T> struct AbsBits {
  using In = RawBits<T>;
  using Out = In;
  TESSERA_INLINE static Out apply(In a) { return Out(a & (In(~In(0)) >> 1)); }
};
template <DType T> struct CopySignBits {
  using In = RawBits<T>;
  using Out = In;
  TESSERA_INLINE static Out apply(In a, In s) {
    In mask = In(In(~In(0)) >> 1);
    return Out((a & mask) | (s & In(~mask)));
  }
};

} // namespace tessera::numeric

#endif // TESSERA_LIB_NUMERIC_FLOATOPS_H
