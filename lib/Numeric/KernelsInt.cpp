//===- KernelsInt.cpp - integer and bool ops over arrays --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loops of the integer ops but division, and of the logical ops on `bool`. No fma is involved, so one version of
// each loop serves every machine.
//
//===----------------------------------------------------------------------===//

#include "IntOps.h"
#include "Kernels.h"
#include "Loops.h"

namespace tessera::numeric {

template <class I> static Kernel1 unaryOf(ScalarOp op) {
  switch (op) {
  case ScalarOp::Neg:
    return &Loop1<Int1<I, integer::Neg>>::plain;
  case ScalarOp::Abs:
    return &Loop1<Int1<I, integer::Abs>>::plain;
  case ScalarOp::Sign:
    return &Loop1<Int1<I, integer::Sign>>::plain;
  case ScalarOp::Not:
    return &Loop1<Int1<I, integer::Not>>::plain;
  case ScalarOp::Popcount:
    return &Loop1<Int1<I, integer::Popcount>>::plain;
  case ScalarOp::Clz:
    return &Loop1<Int1<I, integer::Clz>>::plain;
  case ScalarOp::Ctz:
    return &Loop1<Int1<I, integer::Ctz>>::plain;
  case ScalarOp::Brev:
    return &Loop1<Int1<I, integer::Brev>>::plain;
  default:
    return nullptr;
  }
}

template <class I> static Kernel2 binaryOf(ScalarOp op) {
  switch (op) {
  case ScalarOp::Add:
    return &Loop2<Int2<I, integer::Add>>::plain;
  case ScalarOp::Sub:
    return &Loop2<Int2<I, integer::Sub>>::plain;
  case ScalarOp::Mul:
    return &Loop2<Int2<I, integer::Mul>>::plain;
  case ScalarOp::Min:
    return &Loop2<Int2<I, integer::Min>>::plain;
  case ScalarOp::Max:
    return &Loop2<Int2<I, integer::Max>>::plain;
  case ScalarOp::And:
    return &Loop2<Int2<I, integer::And>>::plain;
  case ScalarOp::Or:
    return &Loop2<Int2<I, integer::Or>>::plain;
  case ScalarOp::Xor:
    return &Loop2<Int2<I, integer::Xor>>::plain;
  case ScalarOp::Shl:
    return &Loop2<Int2<I, integer::Shl>>::plain;
  case ScalarOp::Shr:
    return &Loop2<Int2<I, integer::Shr>>::plain;
  case ScalarOp::MulHi:
    return &Loop2<Int2<I, integer::MulHi>>::plain;
  default:
    return nullptr;
  }
}

static Kernel1 boolUnary(ScalarOp op) {
  return op == ScalarOp::Not ? &Loop1<Int1<uint8_t, integer::NotBool>>::plain : nullptr;
}

static Kernel2 boolBinary(ScalarOp op) {
  return op == ScalarOp::And || op == ScalarOp::Or || op == ScalarOp::Xor ? binaryOf<uint8_t>(op)
                                                                          : nullptr;
}

#define TESSERA_BY_INT(TYPE, EXPR)                                                                 \
  switch (TYPE) {                                                                                  \
  case DType::i8: {                                                                                \
    using I = int8_t;                                                                              \
    return EXPR;                                                                                   \
  }                                                                                                \
  case DType::i16: {                                                                               \
    using I = int16_t;                                                                             \
    return EXPR;                                                                                   \
  }                                                                                                \
  case DType::i32: {                                                                               \
    using I = int32_t;                                                                             \
    return EXPR;                                                                                   \
  }                                                                                                \
  case DType::i64: {                                                                               \
    using I = int64_t;                                                                             \
    return EXPR;                                                                                   \
  }                                                                                                \
  case DType::ui8: {                                                                               \
    using I = uint8_t;                                                                             \
    return EXPR;                                                                                   \
  }                                                                                                \
  case DType::ui16: {                                                                              \
    using I = uint16_t;                                                                            \
    return EXPR;                                                                                   \
  }                                                                                                \
  case DType::ui32: {                                                                              \
    using I = uint32_t;                                                                            \
    return EXPR;                                                                                   \
  }                                                                                                \
  case DType::ui64: {                                                                              \
    using I = uint64_t;                                                                            \
    return EXPR;                                                                                   \
  }                                                                                                \
  default:                                                                                         \
    return nullptr;                                                                                \
  }

Kernel1 intUnary(ScalarOp op, DType t) {
  if (t == DType::i1) {
    return boolUnary(op);
  }
  TESSERA_BY_INT(t, unaryOf<I>(op))
}

Kernel2 intBinary(ScalarOp op, DType t) {
  if (t == DType::i1) {
    return boolBinary(op);
  }
  if (op == ScalarOp::FloorDiv || op == ScalarOp::Mod || op == ScalarOp::DivTrunc ||
      op == ScalarOp::RemTrunc) {
    return intDivision(op, t);
  }
  TESSERA_BY_INT(t, binaryOf<I>(op))
}

Kernel3 intTernary(ScalarOp op, DType t) {
  if (op != ScalarOp::Clamp) {
    return nullptr;
  }
  TESSERA_BY_INT(t, (&Loop3<Int3<I, integer::Clamp>>::plain))
}

Kernel2 intAbsMax(DType t) { TESSERA_BY_INT(t, (&Loop2<Int2<I, integer::AbsMax>>::plain)) }

template <class I> static Kernel2 divisionOf(ScalarOp op) {
  switch (op) {
  case ScalarOp::FloorDiv:
    return &Loop2<Int2<I, integer::FloorDiv>>::plain;
  case ScalarOp::Mod:
    return &Loop2<Int2<I, integer::Mod>>::plain;
  case ScalarOp::DivTrunc:
    return &Loop2<Int2<I, integer::DivTrunc>>::plain;
  case ScalarOp::RemTrunc:
    return &Loop2<Int2<I, integer::RemTrunc>>::plain;
  default:
    return nullptr;
  }
}

Kernel2 intDivision(ScalarOp op, DType t) { TESSERA_BY_INT(t, divisionOf<I>(op)) }

} // namespace tessera::numeric
