//===- Functions64.cpp - the f64 functions ----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// sqrt and rcp are correctly rounded by the machine, rsqrt is corrected as in f32; the others come from the C library,
// whose errors the tests measure (StrictMath.h states the bounds). Their bits may differ between C libraries.
//
//===----------------------------------------------------------------------===//

#include "FloatOps.h"
#include "Kernels.h"
#include "Loops.h"

#include <cmath>

namespace tessera::numeric {

using Function = double (*)(double);

template <Function F> static void each(const void *a, void *out, size_t n) {
  const double *x = static_cast<const double *>(a);
  double *y = static_cast<double *>(out);
  for (size_t i = 0; i < n; ++i) {
    y[i] = F(x[i]);
  }
}

struct Rsqrt64 {
  TESSERA_INLINE static double apply(double x) {
    bool tiny = x < 0x1p-900;
    double m = tiny ? x * 0x1p200 : x;
    double s = sqrtOf(m);
    double r = 1.0 / s;
    double t = fmaOf(s, s, -m);
    double u = fmaOf(s, r, -1.0);
    double v = fmaOf(t, (-0.5 * r) * r, u);
    double y = fmaOf(-r, v, r);
    y = tiny ? y * 0x1p100 : y;
    y = x == std::numeric_limits<double>::infinity() ? 0.0 : y;
    return x == 0.0 ? withSign(std::numeric_limits<double>::infinity(), x) : y;
  }
};

static void power(const void *a, const void *b, void *out, size_t n) {
  const double *x = static_cast<const double *>(a);
  const double *z = static_cast<const double *>(b);
  double *y = static_cast<double *>(out);
  for (size_t i = 0; i < n; ++i) {
    y[i] = std::pow(x[i], z[i]);
  }
}

Kernel1 functionUnary64(ScalarOp op) {
  switch (op) {
  case ScalarOp::Sqrt:
    return Loop1<Float1<DType::f64, Sqrt>>::kernel();
  case ScalarOp::Rcp:
    return Loop1<Float1<DType::f64, Rcp>>::kernel();
  case ScalarOp::Rsqrt:
    return Loop1<Float1<DType::f64, Rsqrt64>>::kernel();
  case ScalarOp::Exp:
    return &each<std::exp>;
  case ScalarOp::Exp2:
    return &each<std::exp2>;
  case ScalarOp::Expm1:
    return &each<std::expm1>;
  case ScalarOp::Log:
    return &each<std::log>;
  case ScalarOp::Log2:
    return &each<std::log2>;
  case ScalarOp::Log1p:
    return &each<std::log1p>;
  case ScalarOp::Sin:
    return &each<std::sin>;
  case ScalarOp::Cos:
    return &each<std::cos>;
  case ScalarOp::Tan:
    return &each<std::tan>;
  case ScalarOp::Tanh:
    return &each<std::tanh>;
  case ScalarOp::Erf:
    return &each<std::erf>;
  case ScalarOp::Erfc:
    return &each<std::erfc>;
  default:
    return nullptr;
  }
}

Kernel2 functionBinary64(ScalarOp op) { return op == ScalarOp::Pow ? &power : nullptr; }

} // namespace tessera::numeric
