//===- Kernels.h - kernel tables inside the room ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the source files of the exact system offer each other. Each function returns null where the op, the type and the
// arity do not fit together.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_LIB_NUMERIC_KERNELS_H
#define TESSERA_LIB_NUMERIC_KERNELS_H

#include "tessera/Numeric/NumberSystem.h"

namespace tessera::numeric {

Kernel1 floatUnary(ScalarOp op, DType t);
Kernel2 floatBinary(ScalarOp op, DType t);
Kernel3 floatTernary(ScalarOp op, DType t);
Kernel2 floatAbsMax(DType t);
Kernel1 floatPlusZero(DType t);

Kernel1 intUnary(ScalarOp op, DType t);
Kernel2 intBinary(ScalarOp op, DType t);
Kernel2 intDivision(ScalarOp op, DType t);
Kernel3 intTernary(ScalarOp op, DType t);
Kernel2 intAbsMax(DType t);

/// Ops with an accuracy attribute.
Kernel1 functionUnary(ScalarOp op, DType t);
Kernel2 functionBinary(ScalarOp op, DType t);
/// The f64 functions.
Kernel1 functionUnary64(ScalarOp op);
Kernel2 functionBinary64(ScalarOp op);

/// Vectorised casts of the common modes; null: take the general one, which does everything castAccepts allows.
CastKernel::Fn fastCast(DType from, DType to, Round round, Overflow overflow);
void generalCast(const CastKernel &self, const void *a, void *out, size_t n);

/// Copies of whole elements, by element size.
Kernel1 copyKernel(size_t size);
SelectKernel selectKernel(size_t size);

} // namespace tessera::numeric

#endif // TESSERA_LIB_NUMERIC_KERNELS_H
