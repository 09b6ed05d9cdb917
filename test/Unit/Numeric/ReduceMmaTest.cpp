//===- ReduceMmaTest.cpp - reductions, products, the f64 system -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Identities and combining steps of reductions; the matrix product bit for bit against a triple loop with fma; what the
// f64 system has and lacks.
//
//===----------------------------------------------------------------------===//

#include "NumericTesting.h"

#include <gtest/gtest.h>

using namespace tessera;
using namespace tessera::testing;

static double identityOf(ReduceKind kind, DType t) {
  uint64_t element = 0;
  EXPECT_TRUE(ExactSystem::identity(kind, t, &element)) << name(kind).str() << " " << name(t).str();
  return toDouble(t, &element);
}

TEST(Reduce, IdentitiesAreNeutral) {
  Random random(61);
  unsigned checked = 0;
  for (unsigned i = 0; i < numReduceKinds; ++i) {
    ReduceKind kind = ReduceKind(i);
    for (DType t : allDTypes) {
      uint64_t element = 0;
      bool defined = ExactSystem::identity(kind, t, &element);
      Kernel2 combine = ExactSystem::combine(kind, t);
      ASSERT_EQ(defined, combine != nullptr) << name(kind).str() << " " << name(t).str();
      ASSERT_FALSE(defined && isFp8(t));
      for (int j = 0; defined && j < 200; ++j) {
        uint64_t x = 0, r = 0;
        double value = double(int64_t(random.next() % 200)) - (isSigned(t) ? 100 : 0);
        fromDouble(t, t == DType::i1 ? j % 2 : value, Round::rne,
                   isFloat(t) ? Overflow::inf : Overflow::wrap, &x);
        if (Kernel1 prepare = ExactSystem::prepare(kind, t)) {
          prepare(&x, &x, 1);
        }
        combine(&element, &x, &r, 1);
        ASSERT_EQ(patternOf(t, &x), patternOf(t, &r)) << name(kind).str() << " " << name(t).str();
        ++checked;
      }
    }
  }
  EXPECT_GT(checked, 10000u);
}

TEST(Reduce, ValuesOfIdentities) {
  EXPECT_EQ(identityOf(ReduceKind::max, DType::bf16), -infinity);
  EXPECT_EQ(identityOf(ReduceKind::min, DType::f16), infinity);
  EXPECT_EQ(identityOf(ReduceKind::max, DType::i8), -128);
  EXPECT_EQ(identityOf(ReduceKind::max, DType::ui16), 0);
  EXPECT_EQ(identityOf(ReduceKind::min, DType::ui32), 4294967295.0);
  EXPECT_EQ(identityOf(ReduceKind::prod, DType::f32), 1);
  EXPECT_EQ(identityOf(ReduceKind::and_, DType::i32), -1);
  EXPECT_EQ(identityOf(ReduceKind::all, DType::i1), 1);
  EXPECT_FALSE(std::signbit(identityOf(ReduceKind::sum, DType::f32)));
  uint64_t out;
  EXPECT_FALSE(ExactSystem::identity(ReduceKind::any, DType::f32, &out));
  EXPECT_FALSE(ExactSystem::identity(ReduceKind::max_num, DType::i32, &out));
  EXPECT_EQ(ExactSystem::combine(ReduceKind::xor_, DType::f32), nullptr);
}

TEST(Reduce, AbsMaxAndTheSignOfASum) {
  float a = -3, b = 2, r;
  ExactSystem::combine(ReduceKind::absmax, DType::f32)(&a, &b, &r, 1);
  EXPECT_EQ(r, 3);
  b = std::numeric_limits<float>::quiet_NaN();
  ExactSystem::combine(ReduceKind::absmax, DType::f32)(&a, &b, &r, 1);
  EXPECT_TRUE(std::isnan(r));
  int8_t least = -128, zero = 0, m;
  ExactSystem::combine(ReduceKind::absmax, DType::i8)(&least, &zero, &m, 1);
  EXPECT_EQ(m, 0) << "the least value is its own absolute value";
  float negative = -0.0f;
  ExactSystem::finish(ReduceKind::sum, DType::f32)(&negative, &r, 1);
  EXPECT_FALSE(std::signbit(r));
  EXPECT_EQ(ExactSystem::finish(ReduceKind::prod, DType::f32), nullptr);
}

//===- products -----------------------------------------------------------===//

struct Shape {
  int64_t m, n, k;
  MmaStrides strides;
};

static std::vector<Shape> shapes() {
  std::vector<Shape> r;
  for (auto [m, n, k] : {std::array<int64_t, 3>{1, 1, 1},
                         {4, 16, 8},
                         {5, 17, 9},
                         {3, 40, 1},
                         {13, 7, 33},
                         {0, 4, 4},
                         {4, 4, 0},
                         {33, 65, 20}}) {
    r.push_back({m, n, k, {k, 1, n, 1, n, 1}});
    r.push_back({m, n, k, {1, m, 1, k, 1, m}});
  }
  return r;
}

template <class E> static double element(DType t, const E *p, int64_t i) {
  return toDouble(t, p + i);
}

/// Runs all shapes and compares with `step(a, b, acc)` in the order the product promises.
template <class In, class Acc, class Step>
static void checkMma(DType in, DType acc, MmaPrecision precision, Step step) {
  Random random(71);
  MmaKernel kernel = ExactSystem::mma(in, acc, precision);
  ASSERT_TRUE(kernel);
  for (const Shape &s : shapes()) {
    std::vector<In> a(s.m * s.k + 1), b(s.k * s.n + 1);
    std::vector<Acc> c(s.m * s.n + 1);
    auto fill = [&](DType t, void *p) {
      double x = double(int64_t(random.next() % 4001)) / (isFloat(t) ? 997.0 : 16.0) -
                 (isSigned(t) ? 2 : 0);
      fromDouble(t, x, Round::rne, isFloat(t) ? Overflow::nan : Overflow::wrap, p);
    };
    for (In &x : a) {
      fill(in, &x);
    }
    for (In &x : b) {
      fill(in, &x);
    }
    for (Acc &x : c) {
      fill(acc, &x);
    }
    std::vector<Acc> expected = c;
    kernel(a.data(), b.data(), c.data(), s.m, s.n, s.k, s.strides);
    for (int64_t i = 0; i < s.m; ++i) {
      for (int64_t j = 0; j < s.n; ++j) {
        Acc &sum = expected[i * s.strides.accRow + j * s.strides.accCol];
        for (int64_t k = 0; k < s.k; ++k) {
          double x = toDouble(in, &a[i * s.strides.aRow + k * s.strides.aCol]);
          double y = toDouble(in, &b[k * s.strides.bRow + j * s.strides.bCol]);
          sum = step(x, y, sum);
        }
      }
    }
    ASSERT_EQ(std::memcmp(c.data(), expected.data(), c.size() * sizeof(Acc)), 0)
        << name(in).str() << " " << name(precision).str() << " " << s.m << "x" << s.n << "x" << s.k;
  }
}

static float fmaF32(double x, double y, float c) { return std::fma(float(x), float(y), c); }

TEST(Mma, IsAChainOfFma) {
  for (bool portable : {false, true}) {
    forcePortableKernels(portable);
    checkMma<uint16_t, float>(DType::bf16, DType::f32, MmaPrecision::ieee, fmaF32);
    checkMma<uint16_t, float>(DType::f16, DType::f32, MmaPrecision::ieee, fmaF32);
    checkMma<uint8_t, float>(DType::f8E4M3FN, DType::f32, MmaPrecision::ieee, fmaF32);
    checkMma<uint8_t, float>(DType::f8E5M2, DType::f32, MmaPrecision::ieee, fmaF32);
    checkMma<float, float>(DType::f32, DType::f32, MmaPrecision::ieee, fmaF32);
    checkMma<double, double>(DType::f64, DType::f64, MmaPrecision::ieee,
                             [](double x, double y, double c) { return std::fma(x, y, c); });
    auto integerStep = [](double x, double y, int32_t c) {
      return int32_t(uint32_t(int32_t(x)) * uint32_t(int32_t(y)) + uint32_t(c));
    };
    checkMma<int8_t, int32_t>(DType::i8, DType::i32, MmaPrecision::ieee, integerStep);
    checkMma<uint8_t, int32_t>(DType::ui8, DType::i32, MmaPrecision::ieee, integerStep);
  }
  forcePortableKernels(false);
}

/// Rounds to `bits` mantissa bits after the first, by scaling.
static float roundedTo(float x, int bits, bool tiesAway) {
  if (x == 0) {
    return x;
  }
  double unit = std::ldexp(1.0, std::ilogb(x) - bits), q = x / unit;
  return float((tiesAway ? std::round(q) : std::nearbyint(q)) * unit);
}

TEST(Mma, PrecisionsAreTheirSplits) {
  auto tf32 = [](float x) { return roundedTo(x, 10, true); };
  auto bf16 = [](float x) { return roundedTo(x, 7, false); };
  checkMma<float, float>(
      DType::f32, DType::f32, MmaPrecision::tf32,
      [&](double x, double y, float c) { return fmaF32(tf32(float(x)), tf32(float(y)), c); });
  auto three = [](auto split) {
    return [split](double x, double y, float c) {
      float a0 = split(float(x)), a1 = split(float(x) - a0), b0 = split(float(y)),
            b1 = split(float(y) - b0);
      c = std::fma(a1, b0, c);
      c = std::fma(a0, b1, c);
      return std::fma(a0, b0, c);
    };
  };
  checkMma<float, float>(DType::f32, DType::f32, MmaPrecision::tf32x3, three(tf32));
  checkMma<float, float>(DType::f32, DType::f32, MmaPrecision::bf16x3, three(bf16));
  checkMma<float, float>(
      DType::f32, DType::f32, MmaPrecision::bf16x6, [&](double x, double y, float c) {
        float a[3], b[3], p = float(x), q = float(y);
        for (int i = 0; i < 3; ++i) {
          a[i] = bf16(p);
          p -= a[i];
          b[i] = bf16(q);
          q -= b[i];
        }
        for (auto [i, j] : {std::pair<int, int>{1, 1}, {2, 0}, {0, 2}, {1, 0}, {0, 1}, {0, 0}}) {
          c = std::fma(a[i], b[j], c);
        }
        return c;
      });
  EXPECT_EQ(ExactSystem::mma(DType::bf16, DType::f32, MmaPrecision::tf32), nullptr);
  EXPECT_EQ(ExactSystem::mma(DType::f32, DType::f64), nullptr);
}

TEST(Mma, NonFiniteElementsStayVisible) {
  float a = std::numeric_limits<float>::infinity(), b = 2, c = 0;
  for (MmaPrecision p :
       {MmaPrecision::ieee, MmaPrecision::tf32, MmaPrecision::tf32x3, MmaPrecision::bf16x6}) {
    c = 0;
    ExactSystem::mma(DType::f32, DType::f32, p)(&a, &b, &c, 1, 1, 1, {1, 1, 1, 1, 1, 1});
    EXPECT_TRUE(p == MmaPrecision::ieee || p == MmaPrecision::tf32 ? std::isinf(c)
                                                                   : !std::isfinite(c))
        << name(p).str();
  }
}

//===- the f64 system -----------------------------------------------------===//

TEST(F64System, HoldsFloatsAsDoublesAndIntegersAsThemselves) {
  EXPECT_EQ(F64System::elementSize(DType::bf16), 8u);
  EXPECT_EQ(F64System::elementSize(DType::f8E4M3FN), 8u);
  EXPECT_EQ(F64System::elementSize(DType::i16), 2u);
  EXPECT_EQ(F64System::elementSize(DType::i1), 1u);
  uint16_t third = 0x3555, back = 0; // f16
  double x = 0, y = 0;
  F64System::load(DType::f16)(&third, &x, 1);
  EXPECT_EQ(x, toDouble(DType::f16, &third));
  double one = 1;
  F64System::binary(ScalarOp::Div, DType::f16)(&one, &x, &y, 1);
  EXPECT_EQ(y, 1 / x);
  F64System::cast(DType::f64, DType::f8E4M3FN, Round::rz, Overflow::sat)(&y, &x, 1);
  EXPECT_EQ(x, y) << "casts between floats are the identity";
  F64System::store(DType::f16)(&y, &back, 1);
  uint16_t expected = 0;
  fromDouble(DType::f16, y, Round::rne, Overflow::inf, &expected);
  EXPECT_EQ(back, expected);
  int32_t whole = 0;
  F64System::cast(DType::bf16, DType::i32, Round::ru, Overflow::sat)(&y, &whole, 1);
  EXPECT_EQ(whole, int32_t(std::ceil(y)));
}

TEST(F64System, LacksBitsAndFp8Arithmetic) {
  EXPECT_EQ(F64System::bits(DType::f32), nullptr);
  EXPECT_EQ(F64System::fromBits(DType::bf16), nullptr);
  EXPECT_NE(F64System::bits(DType::i32), nullptr);
  EXPECT_EQ(F64System::binary(ScalarOp::Add, DType::f8E5M2), nullptr);
  EXPECT_NE(F64System::compare(CmpPredicate::lt, DType::f8E5M2), nullptr);
  EXPECT_NE(F64System::mma(DType::f8E5M2, DType::f32), nullptr);
  EXPECT_EQ(F64System::mma(DType::f8E5M2, DType::i32), nullptr);
}

TEST(F64System, ReducesAndMultipliesInDouble) {
  double a[2] = {1.0 / 3, -0.1}, b[2] = {1e-9, 0.7}, c = 0;
  F64System::mma(DType::bf16, DType::f32)(a, b, &c, 1, 1, 2, {2, 1, 1, 1, 1, 1});
  EXPECT_EQ(c, std::fma(a[1], b[1], std::fma(a[0], b[0], 0.0)));
  double least = 0;
  ASSERT_TRUE(F64System::identity(ReduceKind::max, DType::bf16, &least));
  EXPECT_EQ(least, -infinity);
  F64System::combine(ReduceKind::sum, DType::f16)(a, b, &c, 1);
  EXPECT_EQ(c, a[0] + b[0]);
  uint8_t cond[2] = {1, 0};
  double r[2];
  F64System::select(DType::f8E4M3FN)(cond, a, b, r, 2);
  EXPECT_EQ(r[0], a[0]);
  EXPECT_EQ(r[1], b[1]);
}
