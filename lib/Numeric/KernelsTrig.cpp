//===- KernelsTrig.cpp - loops of sine, cosine, tangent ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks whose elements all lie within the narrow range take the functions without the wide reduction; the bits are the
// same, the loop several times faster.
//
//===----------------------------------------------------------------------===//

#include "KernelsFunction.h"
#include "StrictTrig.h"

#include <algorithm>

namespace tessera::numeric {

template <bool Wide> struct SinFn {
  TESSERA_INLINE static float apply(float x) { return strict::sin<Wide>(x); }
};
template <bool Wide> struct CosFn {
  TESSERA_INLINE static float apply(float x) { return strict::cos<Wide>(x); }
};
template <bool Wide> struct TanFn {
  TESSERA_INLINE static float apply(float x) { return strict::tan<Wide>(x); }
};

template <DType T> static bool allNarrow(const Storage<T> *x, size_t n) {
  bool narrow = true;
  for (size_t i = 0; i < n; ++i) {
    narrow &= absOf(widen<T>(x[i])) <= strict::NARROW;
  }
  return narrow;
}

template <DType T, template <bool> class Fn>
static void blocks(const void *a, void *out, size_t n) {
  constexpr size_t size = 512;
  const auto *x = static_cast<const Storage<T> *>(a);
  auto *y = static_cast<Storage<T> *>(out);
  Kernel1 narrow = Loop1<Float1<T, Fn<false>>>::kernel();
  Kernel1 wide = Loop1<Float1<T, Fn<true>>>::kernel();
  for (size_t i = 0; i < n; i += size) {
    size_t count = std::min(size, n - i);
    (allNarrow<T>(x + i, count) ? narrow : wide)(x + i, y + i, count);
  }
}

template <template <bool> class Fn> static Kernel1 trigKernel(DType t) {
  switch (t) {
  case DType::bf16:
    return &blocks<DType::bf16, Fn>;
  case DType::f16:
    return &blocks<DType::f16, Fn>;
  case DType::f32:
    return &blocks<DType::f32, Fn>;
  default:
    return nullptr;
  }
}

Kernel1 trigUnary(ScalarOp op, DType t) {
  switch (op) {
  case ScalarOp::Sin:
    return trigKernel<SinFn>(t);
  case ScalarOp::Cos:
    return trigKernel<CosFn>(t);
  case ScalarOp::Tan:
    return trigKernel<TanFn>(t);
  default:
    return nullptr;
  }
}

} // namespace tessera::numeric
