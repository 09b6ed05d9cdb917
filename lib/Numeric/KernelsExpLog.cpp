//===- KernelsExpLog.cpp - loops of exponentials, logarithms, roots ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The f32 definitions over arrays of bf16, f16 and f32.
//
//===----------------------------------------------------------------------===//

#include "KernelsFunction.h"
#include "StrictExpLog.h"

namespace tessera::numeric {

TESSERA_FUNCTOR(RsqrtFn, strict::rsqrt)
TESSERA_FUNCTOR(ExpFn, strict::exp)
TESSERA_FUNCTOR(Exp2Fn, strict::exp2)
TESSERA_FUNCTOR(Expm1Fn, strict::expm1)
TESSERA_FUNCTOR(LogFn, strict::log)
TESSERA_FUNCTOR(Log2Fn, strict::log2)
TESSERA_FUNCTOR(Log1pFn, strict::log1p)

Kernel1 expLogUnary(ScalarOp op, DType t) {
  switch (op) {
  case ScalarOp::Sqrt:
    return functionKernel<Sqrt>(t);
  case ScalarOp::Rcp:
    return functionKernel<Rcp>(t);
  case ScalarOp::Rsqrt:
    return functionKernel<RsqrtFn>(t);
  case ScalarOp::Exp:
    return functionKernel<ExpFn>(t);
  case ScalarOp::Exp2:
    return functionKernel<Exp2Fn>(t);
  case ScalarOp::Expm1:
    return functionKernel<Expm1Fn>(t);
  case ScalarOp::Log:
    return functionKernel<LogFn>(t);
  case ScalarOp::Log2:
    return functionKernel<Log2Fn>(t);
  case ScalarOp::Log1p:
    return functionKernel<Log1pFn>(t);
  default:
    return nullptr;
  }
}

} // namespace tessera::numeric
