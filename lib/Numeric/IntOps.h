//===- IntOps.h - meanings of integer and bool ops ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functors for Loops.h over native integers. Every result is defined: sums wrap, division by zero gives 0 (quotient) or
// the dividend (remainder), shifts by the width or more give 0 or the sign.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_LIB_NUMERIC_INTOPS_H
#define TESSERA_LIB_NUMERIC_INTOPS_H

#include "Formats.h"

namespace tessera::numeric {

/// An unsigned type that wraps without promotion to a signed one.
template <class I>
using Wrapping = std::conditional_t<(sizeof(I) < 4), uint32_t, std::make_unsigned_t<I>>;
template <class I> inline constexpr unsigned widthOf = sizeof(I) * 8;

namespace integer {

struct Add {
  template <class I> TESSERA_INLINE static I apply(I a, I b) {
    return I(Wrapping<I>(a) + Wrapping<I>(b));
  }
};
struct Sub {
  template <class I> TESSERA_INLINE static I apply(I a, I b) {
    return I(Wrapping<I>(a) - Wrapping<I>(b));
  }
};
struct Mul {
  template <class I> TESSERA_INLINE static I apply(I a, I b) {
    return I(Wrapping<I>(a) * Wrapping<I>(b));
  }
};
struct Neg {
  template <class I> TESSERA_INLINE static I apply(I a) {
    return I(Wrapping<I>(0) - Wrapping<I>(a));
  }
};
struct Abs {
  template <class I> TESSERA_INLINE static I apply(I a) { return a < I(0) ? Neg::apply(a) : a; }
};
struct Sign {
  template <class I> TESSERA_INLINE static I apply(I a) { return I(I(a > I(0)) - I(a < I(0))); }
};
struct Min {
  template <class I> TESSERA_INLINE static I apply(I a, I b) { return a < b ? a : b; }
};
struct Max {
  template <class I> TESSERA_INLINE static I apply(I a, I b) { return a > b ? a : b; }
};
/// The least value is its own absolute value and stays the least.
struct AbsMax {
  template <class I> TESSERA_INLINE static I apply(I a, I b) {
    return Max::apply(Abs::apply(a), Abs::apply(b));
  }
};
struct Clamp {
  template <class I> TESSERA_INLINE static I apply(I x, I lo, I hi) {
    return Min::apply(Max::apply(x, lo), hi);
  }
};

struct DivTrunc {
  template <class I> TESSERA_INLINE static I apply(I a, I b) {
    if (b == I(0)) {
      return 0;
    }
    if constexpr (std::is_signed_v<I>) {
      if (b == I(-1)) {
        return Neg::apply(a);
      }
    }
    return I(a / b);
  }
};
struct RemTrunc {
  template <class I> TESSERA_INLINE static I apply(I a, I b) {
    if (b == I(0)) {
      return a;
    }
    if constexpr (std::is_signed_v<I>) {
      if (b == I(-1)) {
        return 0;
      }
    }
    return I(a % b);
  }
};
struct FloorDiv {
  template <class I> TESSERA_INLINE static I apply(I a, I b) {
    I q = DivTrunc::apply(a, b);
    if constexpr (std::is_signed_v<I>) {
      I r = RemTrunc::apply(a, b);
      bool down = b != I(0) && r != I(0) && ((r < I(0)) != (b < I(0)));
      q = down ? I(Wrapping<I>(q) - 1) : q;
    }
    return q;
  }
};
struct Mod {
  template <class I> TESSERA_INLINE static I apply(I a, I b) {
    I r = RemTrunc::apply(a, b);
    if constexpr (std::is_signed_v<I>) {
      bool shift = b != I(0) && r != I(0) && ((r < I(0)) != (b < I(0)));
      r = shift ? Add::apply(r, b) : r;
    }
    return r;
  }
};

struct And {
  template <class I> TESSERA_INLINE static I apply(I a, I b) { return I(a & b); }
};
struct Or {
  template <class I> TESSERA_INLINE static I apply(I a, I b) { return I(a | b); }
};
struct Xor {
  template <class I> TESSERA_INLINE static I apply(I a, I b) { return I(a ^ b); }
};
struct Not {
  template <class I> TESSERA_INLINE static I apply(I a) { return I(~a); }
};
struct NotBool {
  template <class I> TESSERA_INLINE static I apply(I a) { return I(a ^ I(1)); }
};
struct Shl {
  template <class I> TESSERA_INLINE static I apply(I a, I b) {
    auto amount = std::make_unsigned_t<I>(b);
    I r = I(Wrapping<I>(a) << (amount & (widthOf<I> - 1)));
    return amount < widthOf<I> ? r : I(0);
  }
};
struct Shr {
  template <class I> TESSERA_INLINE static I apply(I a, I b) {
    auto amount = std::make_unsigned_t<I>(b);
    I r = I(a >> (amount & (widthOf<I> - 1)));
    I all = I(a >> (widthOf<I> - 1));
    return amount < widthOf<I> ? r : std::is_signed_v<I> ? all : I(0);
  }
};
struct MulHi {
  template <class I> TESSERA_INLINE static I apply(I a, I b) {
    if constexpr (sizeof(I) == 8) {
      using W = std::conditional_t<std::is_signed_v<I>, __int128, unsigned __int128>;
      return I((W(a) * W(b)) >> 64);
    } else {
      using W = std::conditional_t<std::is_signed_v<I>, int64_t, uint64_t>;
      return I((W(a) * W(b)) >> widthOf<I>);
    }
  }
};
struct Popcount {
  template <class I> TESSERA_INLINE static I apply(I a) {
    return I(__builtin_popcountll(std::make_unsigned_t<I>(a)));
  }
};
struct Clz {
  template <class I> TESSERA_INLINE static I apply(I a) {
    uint64_t u = std::make_unsigned_t<I>(a);
    return u ? I(__builtin_clzll(u) - int(64 - widthOf<I>)) : I(widthOf<I>);
  }
};
struct Ctz {
  template <class I> TESSERA_INLINE static I apply(I a) {
    uint64_t u = std::make_unsigned_t<I>(a);
    return u ? I(__builtin_ctzll(u)) : I(widthOf<I>);
  }
};
struct Brev {
  template <class I> TESSERA_INLINE static I apply(I a) {
    return I(__builtin_bitreverse64(std::make_unsigned_t<I>(a)) >> (64 - widthOf<I>));
  }
};

struct Eq {
  template <class I> TESSERA_INLINE static bool apply(I a, I b) { return a == b; }
};
struct Ne {
  template <class I> TESSERA_INLINE static bool apply(I a, I b) { return a != b; }
};
struct Lt {
  template <class I> TESSERA_INLINE static bool apply(I a, I b) { return a < b; }
};
struct Le {
  template <class I> TESSERA_INLINE static bool apply(I a, I b) { return a <= b; }
};
struct Gt {
  template <class I> TESSERA_INLINE static bool apply(I a, I b) { return a > b; }
};
struct Ge {
  template <class I> TESSERA_INLINE static bool apply(I a, I b) { return a >= b; }
};

} // namespace integer

/// Binds a functor to one integer type; R is the result type.
template <class I, class Fn, class R = I> struct Int1 {
  using In = I;
  using Out = R;
  TESSERA_INLINE static R apply(I a) { return R(Fn::apply(a)); }
};
template <class I, class Fn, class R = I> struct Int2 {
  using In = I;
  using Out = R;
  TESSERA_INLINE static R apply(I a, I b) { return R(Fn::apply(a, b)); }
};
template <class I, class Fn> struct Int3 {
  using In = I;
  using Out = I;
  TESSERA_INLINE static I apply(I a, I b, I c) { return Fn::apply(a, b, c); }
};

} // namespace tessera::numeric

#endif // TESSERA_LIB_NUMERIC_INTOPS_H
