//===- Accuracy.cpp - error bounds of the functions -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table of bounds. Measured maxima lie below (docs/accuracy.md); the f64 column leaves room for other C libraries.
//
//===----------------------------------------------------------------------===//

#include "tessera/Numeric/Accuracy.h"

namespace tessera {

struct Bound {
  ScalarOp op;
  double f32, f64;
};

static constexpr Bound bounds[] = {
    {ScalarOp::Sqrt, 0.5, 0.5}, {ScalarOp::Rcp, 0.5, 0.5},  {ScalarOp::Rsqrt, 0.51, 0.51},
    {ScalarOp::Exp, 1, 1},      {ScalarOp::Exp2, 1, 1},     {ScalarOp::Expm1, 1.5, 1},
    {ScalarOp::Log, 1, 1},      {ScalarOp::Log2, 1, 1},     {ScalarOp::Log1p, 1, 1},
    {ScalarOp::Sin, 1, 1},      {ScalarOp::Cos, 1, 1},      {ScalarOp::Tan, 1, 1},
    {ScalarOp::Tanh, 1.5, 2.5}, {ScalarOp::Erf, 1.25, 1.5}, {ScalarOp::Erfc, 4, 4},
    {ScalarOp::Pow, 1, 1.25},
};

std::optional<double> maxUlp(ScalarOp op, DType t) {
  for (const Bound &b : bounds) {
    if (b.op != op) {
      continue;
    }
    switch (t) {
    case DType::f32:
      return b.f32;
    case DType::f64:
      return b.f64;
    // The f32 error is 2^-16 (bf16) or 2^-13 (f16) of the type's ulp, on top of the one rounding. sqrt and rcp stay
    // correctly rounded.
    case DType::bf16:
      return b.f32 == 0.5 ? 0.5 : 0.5 + b.f32 / 65536;
    case DType::f16:
      return b.f32 == 0.5 ? 0.5 : 0.5 + b.f32 / 8192;
    default:
      return std::nullopt;
    }
  }
  return std::nullopt;
}

} // namespace tessera
