// Functions without the strict definition: those that are operations of the machine, and what accuracy = fast stands for.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Emit.h"

#include "tessera/Support/Mutants.h"

using namespace tessera;
using namespace tessera::convert;
using llvm::Value;
namespace Intrinsic = llvm::Intrinsic;

/// The quotient 1 / sqrt(x) corrected by the errors of both steps, as the exact system computes it on f64.
static Value *rsqrt64(const Emit &e, Value *x) {
  llvm::IRBuilderBase &b = e.b;
  auto c = [&](double value) { return e.number(b.getDoubleTy(), value); };
  Value *tiny = b.CreateFCmpOLT(x, c(0x1p-900));
  Value *m = b.CreateSelect(tiny, b.CreateFMul(x, c(0x1p200)), x);
  Value *s = e.unary(Intrinsic::sqrt, m);
  Value *r = b.CreateFDiv(c(1.0), s);
  Value *t = e.fma(s, s, b.CreateFNeg(m));
  Value *u = e.fma(s, r, c(-1.0));
  Value *v = e.fma(t, b.CreateFMul(b.CreateFMul(c(-0.5), r), r), u);
  Value *y = e.fma(b.CreateFNeg(r), v, r);
  y = b.CreateSelect(tiny, b.CreateFMul(y, c(0x1p100)), y);
  Value *infinity = llvm::ConstantFP::getInfinity(b.getDoubleTy());
  y = b.CreateSelect(b.CreateFCmpOEQ(x, infinity), c(0.0), y);
  return b.CreateSelect(b.CreateFCmpOEQ(x, c(0.0)), e.binary(Intrinsic::copysign, infinity, x), y);
}

Value *convert::machineFunction(const Emit &e, ScalarOp op, Value *x) {
  switch (op) {
  case ScalarOp::Sqrt:
    return e.unary(Intrinsic::sqrt, x);
  case ScalarOp::Rcp:
    return e.b.CreateFDiv(e.number(x->getType(), 1.0), x);
  case ScalarOp::Rsqrt:
    return x->getType()->isDoubleTy() ? rsqrt64(e, x) : nullptr;
  default:
    return nullptr;
  }
}

Value *convert::fastFunction(const Emit &e, ScalarOp op, Value *x) {
  llvm::IRBuilderBase &b = e.b;
  auto f = [&](llvm::StringRef name, Value *v) {
    return e.marker(("fast." + name).str(), b.getFloatTy(), {v});
  };
  constexpr double log2e = 0x1.715476p0, ln2 = 0x1.62e430p-1;
  switch (op) {
  case ScalarOp::Sqrt:
  case ScalarOp::Rsqrt:
  case ScalarOp::Rcp:
  case ScalarOp::Sin:
  case ScalarOp::Cos:
  case ScalarOp::Tanh:
    return f(mnemonic(op), x);
  case ScalarOp::Exp2:
    return f("ex2", x);
  case ScalarOp::Log2:
    return f("lg2", x);
  case ScalarOp::Exp:
    return f("ex2",
             b.CreateFMul(x, e.number(b.getFloatTy(),
                                      TESSERA_MUTANT(433, "the fast exponential has the other base",
                                                     log2e, ln2))));
  case ScalarOp::Log:
    return b.CreateFMul(f("lg2", x), e.number(b.getFloatTy(), ln2));
  case ScalarOp::Tan:
    return b.CreateFMul(f("sin", x), f("rcp", f("cos", x)));
  default:
    return nullptr;
  }
}
