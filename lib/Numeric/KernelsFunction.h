//===- KernelsFunction.h - loops of the functions -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Binds the strict f32 functions to loops. bf16 and f16 take the f32 result and round once.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_LIB_NUMERIC_KERNELSFUNCTION_H
#define TESSERA_LIB_NUMERIC_KERNELSFUNCTION_H

#include "FloatOps.h"
#include "Kernels.h"
#include "Loops.h"

namespace tessera::numeric {

Kernel1 expLogUnary(ScalarOp op, DType t);
Kernel1 trigUnary(ScalarOp op, DType t);
Kernel1 specialUnary(ScalarOp op, DType t);

/// The kernel of an f32 functor for bf16, f16 or f32.
template <class Fn> Kernel1 functionKernel(DType t) {
  switch (t) {
  case DType::bf16:
    return Loop1<Float1<DType::bf16, Fn>>::kernel();
  case DType::f16:
    return Loop1<Float1<DType::f16, Fn>>::kernel();
  case DType::f32:
    return Loop1<Float1<DType::f32, Fn>>::kernel();
  default:
    return nullptr;
  }
}

} // namespace tessera::numeric

// A functor out of a function of namespace strict.
#define TESSERA_FUNCTOR(NAME, FUNCTION)                                                            \
  struct NAME {                                                                                    \
    TESSERA_INLINE static float apply(float x) { return FUNCTION(x); }                             \
  };

#endif // TESSERA_LIB_NUMERIC_KERNELSFUNCTION_H
