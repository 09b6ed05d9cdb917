//===- KernelsFloat.cpp - float arithmetic over arrays ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loops of the float ops that are not functions, for bf16, f16, f32 and f64.
//
//===----------------------------------------------------------------------===//

#include "FloatOps.h"
#include "Kernels.h"
#include "Loops.h"

namespace tessera::numeric {

template <DType T> static Kernel1 unaryOf(ScalarOp op) {
  switch (op) {
  case ScalarOp::Neg:
    return Loop1<NegBits<T>>::kernel();
  case ScalarOp::Abs:
    return Loop1<AbsBits<T>>::kernel();
  case ScalarOp::Sign:
    return Loop1<Float1<T, Sign>>::kernel();
  case ScalarOp::Floor:
    return Loop1<Float1<T, Floor>>::kernel();
  case ScalarOp::Ceil:
    return Loop1<Float1<T, Ceil>>::kernel();
  case ScalarOp::Trunc:
    return Loop1<Float1<T, Trunc>>::kernel();
  case ScalarOp::RoundEven:
    return Loop1<Float1<T, RoundEven>>::kernel();
  case ScalarOp::RoundAway:
    return Loop1<Float1<T, RoundAway>>::kernel();
  case ScalarOp::IsNan:
    return Loop1<FloatTest1<T, IsNan>>::kernel();
  case ScalarOp::IsInf:
    return Loop1<FloatTest1<T, IsInf>>::kernel();
  case ScalarOp::IsFinite:
    return Loop1<FloatTest1<T, IsFinite>>::kernel();
  default:
    return nullptr;
  }
}

template <DType T> static Kernel2 binaryOf(ScalarOp op) {
  switch (op) {
  case ScalarOp::Add:
    return Loop2<Float2<T, Add>>::kernel();
  case ScalarOp::Sub:
    return Loop2<Float2<T, Sub>>::kernel();
  case ScalarOp::Mul:
    return Loop2<Float2<T, Mul>>::kernel();
  case ScalarOp::Div:
    return Loop2<Float2<T, Div>>::kernel();
  case ScalarOp::Min:
    return Loop2<Float2<T, Min>>::kernel();
  case ScalarOp::Max:
    return Loop2<Float2<T, Max>>::kernel();
  case ScalarOp::MinNum:
    return Loop2<Float2<T, MinNum>>::kernel();
  case ScalarOp::MaxNum:
    return Loop2<Float2<T, MaxNum>>::kernel();
  case ScalarOp::CopySign:
    return Loop2<CopySignBits<T>>::kernel();
  default:
    return nullptr;
  }
}

template <DType T> static Kernel3 ternaryOf(ScalarOp op) {
  switch (op) {
  case ScalarOp::Fma:
    return Loop3<FusedMultiplyAdd<T>>::kernel();
  case ScalarOp::Clamp:
    return Loop3<Float3<T, Clamp>>::kernel();
  default:
    return nullptr;
  }
}

#define TESSERA_BY_FLOAT(TYPE, EXPR)                                                               \
  switch (TYPE) {                                                                                  \
  case DType::bf16: {                                                                              \
    constexpr DType T = DType::bf16;                                                               \
    return EXPR;                                                                                   \
  }                                                                                                \
  case DType::f16: {                                                                               \
    constexpr DType T = DType::f16;                                                                \
    return EXPR;                                                                                   \
  }                                                                                                \
  case DType::f32: {                                                                               \
    constexpr DType T = DType::f32;                                                                \
    return EXPR;                                                                                   \
  }                                                                                                \
  case DType::f64: {                                                                               \
    constexpr DType T = DType::f64;                                                                \
    return EXPR;                                                                                   \
  }                                                                                                \
  default:                                                                                         \
    return nullptr;                                                                                \
  }

Kernel1 floatUnary(ScalarOp op, DType t){TESSERA_BY_FLOAT(t, unaryOf<T>(op))} Kernel2
    floatBinary(ScalarOp op, DType t){TESSERA_BY_FLOAT(t, binaryOf<T>(op))} Kernel3
    floatTernary(ScalarOp op, DType t){TESSERA_BY_FLOAT(t, ternaryOf<T>(op))} Kernel2
    floatAbsMax(DType t){TESSERA_BY_FLOAT(t, (Loop2<Float2<T, AbsMax>>::kernel()))} Kernel1
    floatPlusZero(DType t) {
  TESSERA_BY_FLOAT(t, (Loop1<Float1<T, PlusZero>>::kernel()))
}

} // namespace tessera::numeric
