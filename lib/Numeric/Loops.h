//===- Loops.h - loops over arrays, compiled for two machines -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Turns a functor into a kernel. Each loop exists twice with the same body: for machines with AVX2 and FMA, and for any
// machine (there fma comes from the C library). Both give the same bits. The choice is made when a kernel is asked for.
//
// A functor has `using In = …; using Out = …;` and an always-inlined `static Out apply(In…)`.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_LIB_NUMERIC_LOOPS_H
#define TESSERA_LIB_NUMERIC_LOOPS_H

#include "Formats.h"

#include "tessera/Numeric/NumberSystem.h"

#if defined(__x86_64__)
#define TESSERA_FAST_TARGET [[gnu::target("avx2,fma")]]
#else
#define TESSERA_FAST_TARGET
#endif
// `out` may be an operand itself, never a shifted one, so iterations are independent.
#define TESSERA_ELEMENTWISE_LOOP _Pragma("clang loop vectorize(assume_safety)")

namespace tessera::numeric {

/// Whether this machine runs the fast loops (and no test has switched them off).
bool useFastLoops();

template <class Op> struct Loop1 {
  using In = typename Op::In;
  using Out = typename Op::Out;
  TESSERA_INLINE static void body(const void *a, void *out, size_t n) {
    const In *x = static_cast<const In *>(a);
    Out *y = static_cast<Out *>(out);
    TESSERA_ELEMENTWISE_LOOP
    for (size_t i = 0; i < n; ++i) {
      y[i] = Op::apply(x[i]);
    }
  }
  TESSERA_FAST_TARGET static void fast(const void *a, void *out, size_t n) { body(a, out, n); }
  static void plain(const void *a, void *out, size_t n) { body(a, out, n); }
  static Kernel1 kernel() { return useFastLoops() ? fast : plain; }
};

template <class Op> struct Loop2 {
  using In = typename Op::In;
  using Out = typename Op::Out;
  TESSERA_INLINE static void body(const void *a, const void *b, void *out, size_t n) {
    const In *x = static_cast<const In *>(a);
    const In *z = static_cast<const In *>(b);
    Out *y = static_cast<Out *>(out);
    TESSERA_ELEMENTWISE_LOOP
    for (size_t i = 0; i < n; ++i) {
      y[i] = Op::apply(x[i], z[i]);
    }
  }
  TESSERA_FAST_TARGET static void fast(const void *a, const void *b, void *out, size_t n) {
    body(a, b, out, n);
  }
  static void plain(const void *a, const void *b, void *out, size_t n) { body(a, b, out, n); }
  static Kernel2 kernel() { return useFastLoops() ? fast : plain; }
};

template <class Op> struct Loop3 {
  using In = typename Op::In;
  using Out = typename Op::Out;
  TESSERA_INLINE static void body(const void *a, const void *b, const void *c, void *out,
                                  size_t n) {
    const In *x = static_cast<const In *>(a);
    const In *z = static_cast<const In *>(b);
    const In *w = static_cast<const In *>(c);
    Out *y = static_cast<Out *>(out);
    TESSERA_ELEMENTWISE_LOOP
    for (size_t i = 0; i < n; ++i) {
      y[i] = Op::apply(x[i], z[i], w[i]);
    }
  }
  TESSERA_FAST_TARGET static void fast(const void *a, const void *b, const void *c, void *out,
                                       size_t n) {
    body(a, b, c, out, n);
  }
  static void plain(const void *a, const void *b, const void *c, void *out, size_t n) {
    body(a, b, c, out, n);
  }
  static Kernel3 kernel() { return useFastLoops() ? fast : plain; }
};

} // namespace tessera::numeric

#endif // TESSERA_LIB_NUMERIC_LOOPS_H
