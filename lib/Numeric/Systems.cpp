//===- Systems.cpp - the exact and the f64 number system --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Puts the kernels of the room together into the two number systems. In F64System every float type behaves as f64 does
// in ExactSystem, so it has no float kernels of its own.
//
//===----------------------------------------------------------------------===//

#include "FloatOps.h"
#include "Kernels.h"
#include "Loops.h"

#include <atomic>

namespace tessera {

using namespace numeric;

static std::atomic<bool> portableOnly{false};

void forcePortableKernels(bool on) { portableOnly = on; }

bool numeric::useFastLoops() {
#if defined(__x86_64__)
  static const bool machine = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  return machine && !portableOnly;
#else
  return false;
#endif
}

//===- ExactSystem --------------------------------------------------------===//

Kernel1 ExactSystem::unary(ScalarOp op, DType t, Accuracy) {
  if (!accepts(op, t) || info(op).arity != 1) {
    return nullptr;
  }
  if (info(op).hasAccuracy) {
    return functionUnary(op, t);
  }
  return isFloat(t) ? floatUnary(op, t) : intUnary(op, t);
}

Kernel2 ExactSystem::binary(ScalarOp op, DType t, Accuracy) {
  if (!accepts(op, t) || info(op).arity != 2) {
    return nullptr;
  }
  if (info(op).hasAccuracy) {
    return functionBinary(op, t);
  }
  return isFloat(t) ? floatBinary(op, t) : intBinary(op, t);
}

Kernel3 ExactSystem::ternary(ScalarOp op, DType t, Accuracy) {
  if (!accepts(op, t) || info(op).arity != 3) {
    return nullptr;
  }
  return isFloat(t) ? floatTernary(op, t) : intTernary(op, t);
}

Kernel1 ExactSystem::bits(DType t) { return copyKernel(byteSize(t)); }
Kernel1 ExactSystem::fromBits(DType t) { return copyKernel(byteSize(t)); }
Kernel1 ExactSystem::load(DType t) { return copyKernel(byteSize(t)); }
Kernel1 ExactSystem::store(DType t) { return copyKernel(byteSize(t)); }

/// Whether a reduction takes the type.
static bool reduces(ReduceKind kind, DType t) {
  switch (kind) {
  case ReduceKind::any:
  case ReduceKind::all:
    return t == DType::i1;
  case ReduceKind::and_:
  case ReduceKind::or_:
  case ReduceKind::xor_:
    return t == DType::i1 || isInteger(t);
  case ReduceKind::count:
    return t == DType::i64;
  case ReduceKind::max_num:
  case ReduceKind::min_num:
    return accepts(ScalarOp::MaxNum, t);
  default:
    return accepts(ScalarOp::Add, t);
  }
}

/// Least (or greatest) value: an infinity for floats.
static void writeExtreme(DType t, bool least, void *out) {
  Round r = Round::rne;
  double infinity = std::numeric_limits<double>::infinity();
  Overflow mode = isFloat(t) ? Overflow::inf : Overflow::sat;
  double x = least ? -infinity : infinity;
  ExactSystem::cast(DType::f64, t, r, mode)(&x, out, 1);
}

static void writeWhole(DType t, int64_t value, void *out) {
  Overflow mode = isFloat(t) ? Overflow::inf : Overflow::wrap;
  ExactSystem::cast(DType::i64, t, Round::rne, mode)(&value, out, 1);
}

bool ExactSystem::identity(ReduceKind kind, DType t, void *out) {
  if (!reduces(kind, t)) {
    return false;
  }
  switch (kind) {
  case ReduceKind::prod:
  case ReduceKind::all:
    writeWhole(t, 1, out);
    break;
  case ReduceKind::and_:
    writeWhole(t, -1, out); // all bits; true for bool
    break;
  case ReduceKind::max:
  case ReduceKind::max_num:
    writeExtreme(t, true, out);
    break;
  case ReduceKind::min:
  case ReduceKind::min_num:
    writeExtreme(t, false, out);
    break;
  case ReduceKind::sum:
  case ReduceKind::absmax:
  case ReduceKind::any:
  case ReduceKind::or_:
  case ReduceKind::xor_:
  case ReduceKind::count:
    writeWhole(t, 0, out);
    break;
  }
  return true;
}

Kernel2 ExactSystem::combine(ReduceKind kind, DType t) {
  if (!reduces(kind, t)) {
    return nullptr;
  }
  switch (kind) {
  case ReduceKind::sum:
  case ReduceKind::count:
    return binary(ScalarOp::Add, t);
  case ReduceKind::prod:
    return binary(ScalarOp::Mul, t);
  case ReduceKind::max:
    return binary(ScalarOp::Max, t);
  case ReduceKind::min:
    return binary(ScalarOp::Min, t);
  case ReduceKind::max_num:
    return binary(ScalarOp::MaxNum, t);
  case ReduceKind::min_num:
    return binary(ScalarOp::MinNum, t);
  case ReduceKind::absmax:
    return isFloat(t) ? floatAbsMax(t) : intAbsMax(t);
  case ReduceKind::any:
  case ReduceKind::or_:
    return binary(ScalarOp::Or, t);
  case ReduceKind::all:
  case ReduceKind::and_:
    return binary(ScalarOp::And, t);
  case ReduceKind::xor_:
    return binary(ScalarOp::Xor, t);
  }
  return nullptr;
}

Kernel1 ExactSystem::prepare(ReduceKind kind, DType t) {
  return kind == ReduceKind::absmax && reduces(kind, t) ? unary(ScalarOp::Abs, t) : nullptr;
}

Kernel1 ExactSystem::finish(ReduceKind kind, DType t) {
  return kind == ReduceKind::sum && isFloat(t) && reduces(kind, t) ? floatPlusZero(t) : nullptr;
}

//===- F64System ----------------------------------------------------------===//

/// The type whose exact kernels serve `t` in the f64 system.
static DType held(DType t) { return isFloat(t) ? DType::f64 : t; }

// fp8 has no arithmetic in any system: ask with the type itself, then take the f64 kernel.
Kernel1 F64System::unary(ScalarOp op, DType t, Accuracy a) {
  return accepts(op, t) ? ExactSystem::unary(op, held(t), a) : nullptr;
}
Kernel2 F64System::binary(ScalarOp op, DType t, Accuracy a) {
  return accepts(op, t) ? ExactSystem::binary(op, held(t), a) : nullptr;
}
Kernel3 F64System::ternary(ScalarOp op, DType t, Accuracy a) {
  return accepts(op, t) ? ExactSystem::ternary(op, held(t), a) : nullptr;
}
Kernel2 F64System::compare(CmpPredicate p, DType t) { return ExactSystem::compare(p, held(t)); }
Kernel2 F64System::ranksAbove(DType t) { return ExactSystem::ranksAbove(held(t)); }
SelectKernel F64System::select(DType t) { return selectKernel(elementSize(t)); }

CastKernel F64System::cast(DType from, DType to, Round round, Overflow overflow) {
  if (!castAccepts(from, to, overflow)) {
    return CastKernel();
  }
  // A double is not narrowed, so only casts to integers keep their modes.
  Overflow mode = isFloat(to) ? Overflow::inf : overflow;
  return ExactSystem::cast(held(from), held(to), isFloat(to) ? Round::rne : round, mode);
}

Kernel1 F64System::bits(DType t) { return isFloat(t) ? nullptr : ExactSystem::bits(t); }
Kernel1 F64System::fromBits(DType t) { return isFloat(t) ? nullptr : ExactSystem::fromBits(t); }

template <DType T, bool Load> static void convert(const void *a, void *out, size_t n) {
  constexpr Overflow mode = T == DType::f8E4M3FN ? Overflow::nan : Overflow::inf;
  constexpr DType from = Load ? T : DType::f64, to = Load ? DType::f64 : T;
  ExactSystem::cast(from, to, Round::rne, mode)(a, out, n);
}

template <bool Load> static Kernel1 convertKernel(DType t) {
  switch (t) {
  case DType::bf16:
    return &convert<DType::bf16, Load>;
  case DType::f16:
    return &convert<DType::f16, Load>;
  case DType::f32:
    return &convert<DType::f32, Load>;
  case DType::f8E4M3FN:
    return &convert<DType::f8E4M3FN, Load>;
  case DType::f8E5M2:
    return &convert<DType::f8E5M2, Load>;
  default:
    return copyKernel(byteSize(t));
  }
}

Kernel1 F64System::load(DType t) { return convertKernel<true>(t); }
Kernel1 F64System::store(DType t) { return convertKernel<false>(t); }

bool F64System::identity(ReduceKind kind, DType t, void *out) {
  return reduces(kind, t) && ExactSystem::identity(kind, held(t), out);
}
Kernel2 F64System::combine(ReduceKind kind, DType t) {
  return reduces(kind, t) ? ExactSystem::combine(kind, held(t)) : nullptr;
}
Kernel1 F64System::prepare(ReduceKind kind, DType t) {
  return reduces(kind, t) ? ExactSystem::prepare(kind, held(t)) : nullptr;
}
Kernel1 F64System::finish(ReduceKind kind, DType t) {
  return reduces(kind, t) ? ExactSystem::finish(kind, held(t)) : nullptr;
}

} // namespace tessera
