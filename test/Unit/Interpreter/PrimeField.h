// A third number system, for the test that one more class is all it takes: floats are numbers modulo a prime. There is no
// order among them, so comparisons, extrema and functions do not exist.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_TEST_UNIT_INTERPRETER_PRIMEFIELD_H
#define TESSERA_TEST_UNIT_INTERPRETER_PRIMEFIELD_H

#include "tessera/Numeric/NumberSystem.h"
#include "tessera/Numeric/Value.h"

#include <cmath>

namespace tessera::interptest {

struct PrimeField {
  static constexpr uint64_t prime = 1000003;
  using Number = uint64_t;

  static llvm::StringRef name() { return "field"; }
  static size_t elementSize(DType t) { return isFloat(t) ? sizeof(Number) : byteSize(t); }

  static Number reduce(double x) {
    double r = std::fmod(std::trunc(x), double(prime));
    return Number(r < 0 ? r + prime : r);
  }
  static Number power(Number x, Number n) {
    Number result = 1;
    for (; n; n >>= 1, x = x * x % prime) {
      result = n & 1 ? result * x % prime : result;
    }
    return result;
  }

  template <Number (*op)(Number)> static void map1(const void *a, void *out, size_t n) {
    for (size_t i = 0; i < n; ++i) {
      static_cast<Number *>(out)[i] = op(static_cast<const Number *>(a)[i]);
    }
  }
  template <Number (*op)(Number, Number)>
  static void map2(const void *a, const void *b, void *out, size_t n) {
    for (size_t i = 0; i < n; ++i) {
      static_cast<Number *>(out)[i] =
          op(static_cast<const Number *>(a)[i], static_cast<const Number *>(b)[i]);
    }
  }
  static Number negOf(Number a) { return (prime - a) % prime; }
  static Number sameOf(Number a) { return a; }
  static Number addOf(Number a, Number b) { return (a + b) % prime; }
  static Number subOf(Number a, Number b) { return (a + prime - b) % prime; }
  static Number mulOf(Number a, Number b) { return a * b % prime; }
  static Number divOf(Number a, Number b) { return a * power(b, prime - 2) % prime; }

  static Kernel1 unary(ScalarOp op, DType t, Accuracy accuracy = Accuracy::strict) {
    return !isFloat(t)             ? ExactSystem::unary(op, t, accuracy)
           : mnemonic(op) == "neg" ? map1<negOf>
                                   : nullptr;
  }
  static Kernel2 binary(ScalarOp op, DType t, Accuracy accuracy = Accuracy::strict) {
    if (!isFloat(t)) {
      return ExactSystem::binary(op, t, accuracy);
    }
    llvm::StringRef name = mnemonic(op);
    return name == "add"   ? map2<addOf>
           : name == "sub" ? map2<subOf>
           : name == "mul" ? map2<mulOf>
           : name == "div" ? map2<divOf>
                           : nullptr;
  }
  static Kernel3 ternary(ScalarOp op, DType t, Accuracy accuracy = Accuracy::strict) {
    return isFloat(t) ? nullptr : ExactSystem::ternary(op, t, accuracy);
  }
  static Kernel2 compare(CmpPredicate p, DType t) {
    return isFloat(t) ? nullptr : ExactSystem::compare(p, t);
  }
  static Kernel2 ranksAbove(DType t) { return isFloat(t) ? nullptr : ExactSystem::ranksAbove(t); }
  static SelectKernel select(DType t) { return ExactSystem::select(isFloat(t) ? DType::ui64 : t); }
  static void castBetweenFloats(const CastKernel &, const void *a, void *out, size_t n) {
    map1<sameOf>(a, out, n);
  }
  static CastKernel cast(DType from, DType to, Round round, Overflow overflow) {
    if (isFloat(from) && isFloat(to)) {
      return {castBetweenFloats, from, to, round, overflow};
    }
    return isFloat(from) || isFloat(to) ? CastKernel()
                                        : ExactSystem::cast(from, to, round, overflow);
  }
  static Kernel1 bits(DType t) { return isFloat(t) ? nullptr : ExactSystem::bits(t); }
  static Kernel1 fromBits(DType t) { return isFloat(t) ? nullptr : ExactSystem::fromBits(t); }

  template <DType t> static void loadFloat(const void *a, void *out, size_t n) {
    for (size_t i = 0; i < n; ++i) {
      static_cast<Number *>(out)[i] =
          reduce(toDouble(t, static_cast<const std::byte *>(a) + i * byteSize(t)));
    }
  }
  template <DType t> static void storeFloat(const void *a, void *out, size_t n) {
    for (size_t i = 0; i < n; ++i) {
      fromDouble(t, double(static_cast<const Number *>(a)[i]), Round::rne, Overflow::sat,
                 static_cast<std::byte *>(out) + i * byteSize(t));
    }
  }
  static Kernel1 load(DType t) {
    return t == DType::f32   ? loadFloat<DType::f32>
           : t == DType::f64 ? loadFloat<DType::f64>
           : isFloat(t)      ? nullptr
                             : ExactSystem::load(t);
  }
  static Kernel1 store(DType t) {
    return t == DType::f32   ? storeFloat<DType::f32>
           : t == DType::f64 ? storeFloat<DType::f64>
           : isFloat(t)      ? nullptr
                             : ExactSystem::store(t);
  }
  static bool identity(ReduceKind kind, DType t, void *out) {
    if (!isFloat(t)) {
      return ExactSystem::identity(kind, t, out);
    }
    *static_cast<Number *>(out) = kind == ReduceKind::prod;
    return kind == ReduceKind::sum || kind == ReduceKind::prod;
  }
  static Kernel2 combine(ReduceKind kind, DType t) {
    if (!isFloat(t)) {
      return ExactSystem::combine(kind, t);
    }
    return kind == ReduceKind::sum ? map2<addOf> : kind == ReduceKind::prod ? map2<mulOf> : nullptr;
  }
  static Kernel1 prepare(ReduceKind kind, DType t) {
    return isFloat(t) ? nullptr : ExactSystem::prepare(kind, t);
  }
  static Kernel1 finish(ReduceKind kind, DType t) {
    return isFloat(t) ? nullptr : ExactSystem::finish(kind, t);
  }
  static void product(const void *a, const void *b, void *acc, int64_t m, int64_t n, int64_t k,
                      const MmaStrides &s) {
    for (int64_t i = 0; i < m; ++i) {
      for (int64_t j = 0; j < n; ++j) {
        Number &cell = static_cast<Number *>(acc)[i * s.accRow + j * s.accCol];
        for (int64_t l = 0; l < k; ++l) {
          cell = addOf(cell, mulOf(static_cast<const Number *>(a)[i * s.aRow + l * s.aCol],
                                   static_cast<const Number *>(b)[l * s.bRow + j * s.bCol]));
        }
      }
    }
  }
  static MmaKernel mma(DType in, DType acc, MmaPrecision precision = MmaPrecision::ieee) {
    return isFloat(in) ? product : ExactSystem::mma(in, acc, precision);
  }
};

} // namespace tessera::interptest

#endif // TESSERA_TEST_UNIT_INTERPRETER_PRIMEFIELD_H
