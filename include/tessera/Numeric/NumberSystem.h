//===- NumberSystem.h - kernels of a number system ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A number system says how an element of each DType is held and gives a kernel for each op over contiguous arrays. It is
// a class of static functions; the interpreter is a template over it. A kernel that a system lacks is a null pointer:
// the caller reports "op X is not defined in the number system Y". Two systems exist: ExactSystem (each type as itself,
// bit for bit as the language defines it) and F64System (every float type held as double, casts between floats the
// identity, integers exact). A further system is one more class with the same members.
//
// All kernels: operands contiguous, aligned to their element, `n` elements; `out` may be the same array as an operand
// of the same element size but may not overlap one otherwise. Kernels are pure, never fail and may be called from
// several threads.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_NUMERIC_NUMBERSYSTEM_H
#define TESSERA_NUMERIC_NUMBERSYSTEM_H

#include "tessera/Numeric/DType.h"
#include "tessera/Numeric/Modes.h"
#include "tessera/Numeric/ScalarOp.h"

namespace tessera {

using Kernel1 = void (*)(const void *a, void *out, size_t n);
using Kernel2 = void (*)(const void *a, const void *b, void *out, size_t n);
using Kernel3 = void (*)(const void *a, const void *b, const void *c, void *out, size_t n);
/// out[i] = cond[i] ? a[i] : b[i]; cond is `bool` (uint8_t 0 or 1).
using SelectKernel = void (*)(const uint8_t *cond, const void *a, const void *b, void *out,
                              size_t n);

/// A cast with its modes bound; callable as k(a, out, n). Null (false) if the system has no such cast.
struct CastKernel {
  using Fn = void (*)(const CastKernel &self, const void *a, void *out, size_t n);
  Fn fn = nullptr;
  DType from = DType::f32, to = DType::f32;
  Round round = Round::rne;
  Overflow overflow = Overflow::inf;

  explicit operator bool() const { return fn != nullptr; }
  void operator()(const void *a, void *out, size_t n) const { fn(*this, a, out, n); }
};

/// Strides of the three matrices of a product, in elements.
struct MmaStrides {
  int64_t aRow, aCol;     ///< a[i, k] is at i * aRow + k * aCol
  int64_t bRow, bCol;     ///< b[k, j] is at k * bRow + j * bCol
  int64_t accRow, accCol; ///< acc[i, j] is at i * accRow + j * accCol
};
/// acc[i, j] = fma(a[i, k], b[k, j], acc[i, j]) for k = 0 … k - 1 ascending, in the accumulator's type. acc [m, n] in
/// place and apart from a [m, k] and b [k, n].
using MmaKernel = void (*)(const void *a, const void *b, void *acc, int64_t m, int64_t n, int64_t k,
                           const MmaStrides &strides);

/// For tests: kernels asked for from now on are those of a machine without AVX2 and FMA. They give the same bits.
void forcePortableKernels(bool on);

/// Each DType in its own storage (DType.h), arithmetic as the language defines it.
struct ExactSystem {
  static llvm::StringRef name() { return "exact"; }
  /// Bytes of one element in this system.
  static size_t elementSize(DType t) { return byteSize(t); }

  /// Elementwise ops by arity; null if the op has another arity or does not take the type. `isnan`, `isinf` and
  /// `isfinite` write `bool`.
  static Kernel1 unary(ScalarOp op, DType t, Accuracy accuracy = Accuracy::strict);
  static Kernel2 binary(ScalarOp op, DType t, Accuracy accuracy = Accuracy::strict);
  static Kernel3 ternary(ScalarOp op, DType t, Accuracy accuracy = Accuracy::strict);
  /// Writes `bool`. Every type, fp8 and `bool` included. A comparison with NaN is false, `ne` true; -0 == +0.
  static Kernel2 compare(CmpPredicate p, DType t);
  /// Order of argmax and topk, writes `bool`: a ranks above b, i.e. a > b, or a is NaN and b is not.
  static Kernel2 ranksAbove(DType t);
  static SelectKernel select(DType t);
  static CastKernel cast(DType from, DType to, Round round, Overflow overflow);
  /// To and from `bitsType(t)`.
  static Kernel1 bits(DType t);
  static Kernel1 fromBits(DType t);
  /// Native memory (DType.h) to and from this system's storage.
  static Kernel1 load(DType t);
  static Kernel1 store(DType t);

  /// Writes the value of a reduction without terms; false if the reduction is not defined for the type. `any`, `all`
  /// take `bool`; `and`, `or`, `xor` integers and `bool`; `count` is reduced as i64; the rest numbers without fp8.
  static bool identity(ReduceKind kind, DType t, void *out);
  /// out[i] = a[i] combined with b[i].
  static Kernel2 combine(ReduceKind kind, DType t);
  /// Applied to each term before combining (absmax: abs); null if terms enter as they are.
  static Kernel1 prepare(ReduceKind kind, DType t);
  /// Applied to the total (float sums: + 0.0, so that no sum is -0); null if the total stays.
  static Kernel1 finish(ReduceKind kind, DType t);

  /// in × in → acc: bf16, f16, f32, fp8 → f32; f64 → f64; i8, ui8 → i32 (wraps). Precisions other than ieee only for f32
  /// inputs; there a and b are split and every partial product is an f32 fma, per k in this order:
  ///   tf32    round both to 10 mantissa bits, ties away
  ///   tf32x3  x = hi + lo, both tf32:       lo·hi, hi·lo, hi·hi
  ///   bf16x3  x = hi + lo, both bf16 (rne): lo·hi, hi·lo, hi·hi
  ///   bf16x6  x = hi + mid + lo, bf16:      mid·mid, lo·hi, hi·lo, mid·hi, hi·mid, hi·hi
  /// A non-finite x is its own hi with the other parts +0.
  static MmaKernel mma(DType in, DType acc, MmaPrecision precision = MmaPrecision::ieee);
};

/// Every float type is a double; integers and `bool` as in ExactSystem. Float functions are those of f64. There are no
/// bits of a float. `store` rounds to nearest even (f8E4M3FN: NaN beyond the range). All precisions of mma are f64.
struct F64System {
  static llvm::StringRef name() { return "f64"; }
  static size_t elementSize(DType t) { return isFloat(t) ? sizeof(double) : byteSize(t); }

  static Kernel1 unary(ScalarOp op, DType t, Accuracy accuracy = Accuracy::strict);
  static Kernel2 binary(ScalarOp op, DType t, Accuracy accuracy = Accuracy::strict);
  static Kernel3 ternary(ScalarOp op, DType t, Accuracy accuracy = Accuracy::strict);
  static Kernel2 compare(CmpPredicate p, DType t);
  static Kernel2 ranksAbove(DType t);
  static SelectKernel select(DType t);
  static CastKernel cast(DType from, DType to, Round round, Overflow overflow);
  static Kernel1 bits(DType t);
  static Kernel1 fromBits(DType t);
  static Kernel1 load(DType t);
  static Kernel1 store(DType t);
  static bool identity(ReduceKind kind, DType t, void *out);
  static Kernel2 combine(ReduceKind kind, DType t);
  static Kernel1 prepare(ReduceKind kind, DType t);
  static Kernel1 finish(ReduceKind kind, DType t);
  static MmaKernel mma(DType in, DType acc, MmaPrecision precision = MmaPrecision::ieee);
};

} // namespace tessera

#endif // TESSERA_NUMERIC_NUMBERSYSTEM_H
