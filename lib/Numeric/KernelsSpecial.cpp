//===- KernelsSpecial.cpp - loops of tanh, erf, erfc, pow -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The f32 definitions over arrays of bf16, f16 and f32, and the entry points to all functions.
//
//===----------------------------------------------------------------------===//

#include "KernelsFunction.h"
#include "StrictSpecial.h"

namespace tessera::numeric {

TESSERA_FUNCTOR(TanhFn, strict::tanh)
TESSERA_FUNCTOR(ErfFn, strict::erf)
TESSERA_FUNCTOR(ErfcFn, strict::erfc)
struct PowFn {
  TESSERA_INLINE static float apply(float x, float y) { return strict::pow(x, y); }
};

Kernel1 specialUnary(ScalarOp op, DType t) {
  switch (op) {
  case ScalarOp::Tanh:
    return functionKernel<TanhFn>(t);
  case ScalarOp::Erf:
    return functionKernel<ErfFn>(t);
  case ScalarOp::Erfc:
    return functionKernel<ErfcFn>(t);
  default:
    return nullptr;
  }
}

Kernel1 functionUnary(ScalarOp op, DType t) {
  if (t == DType::f64) {
    return functionUnary64(op);
  }
  Kernel1 k = expLogUnary(op, t);
  k = k ? k : trigUnary(op, t);
  return k ? k : specialUnary(op, t);
}

Kernel2 functionBinary(ScalarOp op, DType t) {
  if (op != ScalarOp::Pow) {
    return nullptr;
  }
  switch (t) {
  case DType::bf16:
    return Loop2<Float2<DType::bf16, PowFn>>::kernel();
  case DType::f16:
    return Loop2<Float2<DType::f16, PowFn>>::kernel();
  case DType::f32:
    return Loop2<Float2<DType::f32, PowFn>>::kernel();
  case DType::f64:
    return functionBinary64(op);
  default:
    return nullptr;
  }
}

} // namespace tessera::numeric
