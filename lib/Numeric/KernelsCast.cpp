//===- KernelsCast.cpp - casts over arrays ----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Vectorised loops of the common casts: exact widening, rounding to nearest even, truncation to integers, integers by
// wrapping. Everything else goes through the general conversion (Rounding.h).
//
//===----------------------------------------------------------------------===//

#include "FloatOps.h"
#include "Kernels.h"
#include "Loops.h"

#include <utility>

namespace tessera::numeric {

template <class Op> struct CastLoop {
  TESSERA_FAST_TARGET static void fast(const CastKernel &, const void *a, void *out, size_t n) {
    Loop1<Op>::body(a, out, n);
  }
  static void plain(const CastKernel &, const void *a, void *out, size_t n) {
    Loop1<Op>::body(a, out, n);
  }
  static CastKernel::Fn fn() { return useFastLoops() ? fast : plain; }
};

//===- float to float -----------------------------------------------------===//

template <DType From, DType To, Overflow O> struct FloatToFloat {
  using In = Storage<From>;
  using Out = Storage<To>;
  TESSERA_INLINE static Out apply(In x) {
    if constexpr (To == DType::f64) {
      return double(widen<From>(x));
    } else if constexpr (From == DType::f64) {
      return narrowDouble<To, O>(x);
    } else {
      return narrow<To, O>(widen<From>(x));
    }
  }
};

template <DType From, DType To> static CastKernel::Fn floatToFloat(Round round, Overflow overflow) {
  if constexpr (From == To) {
    return nullptr;
  } else {
    bool exact = castIsExact(From, To);
    if (exact || (round == Round::rne && overflow == Overflow::inf)) {
      return CastLoop<FloatToFloat<From, To, Overflow::inf>>::fn();
    }
    // f32 as a target has its own range handling only in the general conversion.
    if (round != Round::rne || To == DType::f32 || To == DType::f64) {
      return nullptr;
    }
    if (overflow == Overflow::sat) {
      return CastLoop<FloatToFloat<From, To, Overflow::sat>>::fn();
    }
    return From == DType::f64 ? nullptr : CastLoop<FloatToFloat<From, To, Overflow::nan>>::fn();
  }
}

//===- integers -----------------------------------------------------------===//

template <DType From, DType To> struct IntToFloat {
  using In = Storage<From>;
  using Out = Storage<To>;
  TESSERA_INLINE static Out apply(In x) {
    if constexpr (To == DType::f64) {
      return double(x);
    } else if constexpr (To == DType::f32) {
      return float(x);
    } else {
      return narrowDouble<To>(double(x)); // exact in double: at most 32 bits
    }
  }
};

template <DType From, DType To> struct IntToInt {
  using In = Storage<From>;
  using Out = Storage<To>;
  TESSERA_INLINE static Out apply(In x) { return Out(x); }
};

template <DType From> struct ToBool {
  using In = Storage<From>;
  using Out = uint8_t;
  TESSERA_INLINE static Out apply(In x) {
    if constexpr (isFloat(From)) {
      return widen<From>(x) != 0;
    } else {
      return x != 0;
    }
  }
};

/// Towards zero, saturating, NaN to 0.
template <DType From, DType To> struct TruncToInt {
  using In = Storage<From>;
  using Out = Storage<To>;
  TESSERA_INLINE static Out apply(In stored) {
    using F = Compute<From>;
    using I = Storage<To>;
    constexpr F top =
        F(uint64_t(1) << (bitWidth(To) - 1)) * F(isSigned(To) ? 1 : 2); // first value too large
    constexpr F bottom = isSigned(To) ? -top : F(0);
    F x = widen<From>(stored);
    x = isSigned(To) ? x : (x > F(0) ? x : F(0)); // also NaN to 0
    bool inside = x >= bottom && x < top;
    I r = I(inside ? x : F(0));
    r = x >= top ? std::numeric_limits<I>::max() : r;
    return x < bottom ? std::numeric_limits<I>::min() : r;
  }
};

template <DType From, DType To> static CastKernel::Fn castOf(Round round, Overflow overflow) {
  if constexpr (isFloat(From) && isFloat(To)) {
    return floatToFloat<From, To>(round, overflow);
  } else if constexpr (To == DType::i1) {
    return CastLoop<ToBool<From>>::fn();
  } else if constexpr (isFloat(From)) {
    if constexpr (isFp8(From)) {
      return nullptr;
    } else {
      return round == Round::rz && overflow == Overflow::sat ? CastLoop<TruncToInt<From, To>>::fn()
                                                             : nullptr;
    }
  } else if constexpr (isFloat(To)) {
    constexpr bool viaDouble = bitWidth(To) < 32;
    if constexpr (isFp8(To) || (viaDouble && bitWidth(From) == 64)) {
      return nullptr;
    } else {
      bool plainMode = round == Round::rne && overflow == Overflow::inf;
      return castIsExact(From, To) || plainMode ? CastLoop<IntToFloat<From, To>>::fn() : nullptr;
    }
  } else {
    return castIsExact(From, To) || overflow == Overflow::wrap
               ? &CastLoop<IntToInt<From, To>>::plain
               : nullptr;
  }
}

using CastChoice = CastKernel::Fn (*)(Round, Overflow);
using EveryType = std::make_index_sequence<numDTypes>;

template <DType From, size_t... To>
static CastChoice choiceFrom(DType to, std::index_sequence<To...>) {
  static constexpr CastChoice table[] = {&castOf<From, DType(To)>...};
  return table[size_t(to)];
}

template <size_t... From>
static CastChoice choice(DType from, DType to, std::index_sequence<From...>) {
  using Row = CastChoice (*)(DType, EveryType);
  static constexpr Row table[] = {&choiceFrom<DType(From)>...};
  return table[size_t(from)](to, EveryType());
}

CastKernel::Fn fastCast(DType from, DType to, Round round, Overflow overflow) {
  return choice(from, to, EveryType())(round, overflow);
}

template <size_t Size>
static void copyCast(const CastKernel &, const void *a, void *out, size_t n) {
  copyKernel(Size)(a, out, n);
}

} // namespace tessera::numeric

namespace tessera {

CastKernel ExactSystem::cast(DType from, DType to, Round round, Overflow overflow) {
  CastKernel k;
  if (!castAccepts(from, to, overflow)) {
    return k;
  }
  k.from = from;
  k.to = to;
  k.round = round;
  k.overflow = overflow;
  if (from == to) {
    switch (byteSize(from)) {
    case 1:
      k.fn = &numeric::copyCast<1>;
      break;
    case 2:
      k.fn = &numeric::copyCast<2>;
      break;
    case 4:
      k.fn = &numeric::copyCast<4>;
      break;
    default:
      k.fn = &numeric::copyCast<8>;
      break;
    }
    return k;
  }
  k.fn = numeric::fastCast(from, to, round, overflow);
  if (!k.fn) {
    k.fn = &numeric::generalCast;
  }
  return k;
}

} // namespace tessera
