//===- Accuracy.h - error bounds of the functions -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How far a function of the exact system may be from the true value, in ulps of the result's type (the spacing of floats
// around the true value; denormal spacing below the least normal). Tests hold every function to its bound against MPFR;
// docs/accuracy.md shows bounds and measurements.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_NUMERIC_ACCURACY_H
#define TESSERA_NUMERIC_ACCURACY_H

#include "tessera/Numeric/ScalarOp.h"

namespace tessera {

/// Largest error of an op that takes an accuracy, for bf16, f16, f32 or f64; 0.5 means correctly rounded. The bound of
/// accuracy = strict and, as both are the same code here, of accuracy = fast. Nothing for other ops and types.
std::optional<double> maxUlp(ScalarOp op, DType t);

} // namespace tessera

#endif // TESSERA_NUMERIC_ACCURACY_H
