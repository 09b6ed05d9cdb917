//===- ArithmeticTest.cpp - + - * / sqrt and fma against MPFR ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The basic operations are correctly rounded in every float type: 16-bit types for every value against chosen partners,
// f32 and f64 on stratified samples.
//
//===----------------------------------------------------------------------===//

#include "NumericTesting.h"

#include <gtest/gtest.h>

using namespace tessera;
using namespace tessera::testing;

using MpfrBinary = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t);
struct Operation {
  ScalarOp op;
  MpfrBinary exact;
};
static const Operation operations[] = {{ScalarOp::Add, mpfr_add},
                                       {ScalarOp::Sub, mpfr_sub},
                                       {ScalarOp::Mul, mpfr_mul},
                                       {ScalarOp::Div, mpfr_div}};

/// A value set once and read often.
struct Number {
  mpfr_t value;
  explicit Number(double x) {
    mpfr_init2(value, 53);
    mpfr_set_d(value, x, MPFR_RNDN);
  }
  Number(const Number &) = delete;
  ~Number() { mpfr_clear(value); }
};

static void checkAllValuesWithPartners(DType t, const Operation &o,
                                       const std::vector<uint64_t> &others) {
  constexpr size_t n = 65536;
  std::vector<uint16_t> x(n), y(n), r(n);
  std::vector<double> values(n);
  std::vector<std::unique_ptr<Number>> numbers;
  for (size_t i = 0; i < n; ++i) {
    x[i] = uint16_t(i);
    values[i] = valueOf(t, i);
    numbers.push_back(std::make_unique<Number>(values[i]));
  }
  MpfrFormat f(t);
  mpfr_t result;
  mpfr_init2(result, f.precision);
  Kernel2 kernel = ExactSystem::binary(o.op, t);
  for (uint64_t other : others) {
    std::fill(y.begin(), y.end(), uint16_t(other));
    kernel(x.data(), y.data(), r.data(), n);
    for (size_t i = 0; i < n; ++i) {
      double expected =
          f.finish(result, o.exact(result, numbers[i]->value, numbers[other]->value, MPFR_RNDN));
      ASSERT_TRUE(same(expected, values[r[i]]))
          << mnemonic(o.op).str() << " " << name(t).str() << " " << values[i] << ", "
          << values[other] << " gives " << values[r[i]] << ", expected " << expected;
    }
  }
  mpfr_clear(result);
}

TEST(Arithmetic, SixteenBitTypesEveryValueWithPartners) {
  for (DType t : {DType::bf16, DType::f16}) {
    for (const Operation &o : operations) {
      checkAllValuesWithPartners(t, o, partners(t, samples(4, 300)));
    }
  }
}

/// Pairs of samples that meet at like and unlike exponents.
template <class F> static void checkPairs(DType t, std::vector<F> x, std::vector<F> y) {
  size_t n = x.size();
  Random random(9);
  for (size_t i = 0; i < n; ++i) {
    // Every second pair has near exponents, so that sums cancel and round.
    std::swap(y[i], y[random.next() % n]);
    if (i % 2 == 0 && std::isfinite(x[i]) && x[i] != 0) {
      y[i] = F(std::ldexp(1.0 + double(random.next32()) * 0x1p-32,
                          std::ilogb(x[i]) + int(random.next() % 60) - 30));
    }
  }
  MpfrFormat f(t);
  mpfr_t a, b, r;
  mpfr_init2(a, 53);
  mpfr_init2(b, 53);
  mpfr_init2(r, f.precision);
  std::vector<F> z(n);
  for (const Operation &o : operations) {
    ExactSystem::binary(o.op, t)(x.data(), y.data(), z.data(), n);
    for (size_t i = 0; i < n; ++i) {
      mpfr_set_d(a, double(x[i]), MPFR_RNDN);
      mpfr_set_d(b, double(y[i]), MPFR_RNDN);
      double expected = f.finish(r, o.exact(r, a, b, MPFR_RNDN));
      ASSERT_TRUE(same(expected, z[i]))
          << mnemonic(o.op).str() << " " << x[i] << ", " << y[i] << " gives " << z[i];
    }
  }
  mpfr_clears(a, b, r, static_cast<mpfr_ptr>(nullptr));
}

TEST(Arithmetic, F32Samples) {
  size_t n = samples(1 << 20, 1 << 24);
  checkPairs<float>(DType::f32, floatSamples(n, 11), floatSamples(n, 12));
}

TEST(Arithmetic, F64Samples) {
  size_t n = samples(1 << 17, 1 << 20);
  checkPairs<double>(DType::f64, doubleSamples(n, 13), doubleSamples(n, 14));
}

TEST(Arithmetic, SquareRootEverySixteenBitValueAndSamples) {
  for (DType t : {DType::bf16, DType::f16, DType::f32, DType::f64}) {
    std::vector<double> x;
    if (bitWidth(t) == 16) {
      for (uint64_t bits = 0; bits < 65536; ++bits) {
        x.push_back(valueOf(t, bits));
      }
    } else if (t == DType::f32) {
      std::vector<float> s = floatSamples(samples(1 << 20, 1 << 24), 15);
      x.assign(s.begin(), s.end());
    } else {
      x = doubleSamples(1 << 16, 16);
    }
    std::vector<char> in(x.size() * byteSize(t)), out(x.size() * byteSize(t));
    ExactSystem::cast(DType::f64, t, Round::rne, Overflow::inf)(x.data(), in.data(), x.size());
    ExactSystem::unary(ScalarOp::Sqrt, t)(in.data(), out.data(), x.size());
    MpfrFormat f(t);
    mpfr_t a, r;
    mpfr_init2(a, 53);
    mpfr_init2(r, f.precision);
    for (size_t i = 0; i < x.size(); ++i) {
      mpfr_set_d(a, x[i], MPFR_RNDN);
      double expected = f.finish(r, mpfr_sqrt(r, a, MPFR_RNDN));
      ASSERT_TRUE(same(expected, toDouble(t, &out[i * byteSize(t)])))
          << name(t).str() << " sqrt " << x[i];
    }
    mpfr_clears(a, r, static_cast<mpfr_ptr>(nullptr));
  }
}

/// Addends that put the exact a * b + c on or beside a midpoint: c is half an ulp of the product or the reverse.
template <class Store> static void checkFma(DType t, size_t count) {
  unsigned width = unsigned(bitWidth(t));
  int fraction = format(t).fractionBits;
  Random random(width);
  std::vector<Store> a(count), b(count), c(count), r(count);
  for (size_t i = 0; i < count; ++i) {
    uint64_t bits[3] = {random.next(), random.next(), random.next()};
    std::memcpy(&a[i], &bits[0], sizeof(Store));
    std::memcpy(&b[i], &bits[1], sizeof(Store));
    std::memcpy(&c[i], &bits[2], sizeof(Store));
    double x = toDouble(t, &a[i]), y = toDouble(t, &b[i]);
    if (i % 2 == 0 && std::isfinite(x) && std::isfinite(y) && x != 0 && y != 0) {
      int exponent = std::ilogb(x) + std::ilogb(y);
      int shift = int(random.next() % unsigned(3 * fraction)) - 2 * fraction;
      double addend =
          std::ldexp(i % 4 == 0 ? 1.0 : 1.0 + std::ldexp(1.0, -fraction), exponent + shift);
      fromDouble(t, i % 8 < 4 ? addend : -addend, Round::rne, Overflow::inf, &c[i]);
    }
  }
  ExactSystem::ternary(ScalarOp::Fma, t)(a.data(), b.data(), c.data(), r.data(), count);
  MpfrFormat f(t);
  mpfr_t x, y, z, w;
  mpfr_inits2(53, x, y, z, static_cast<mpfr_ptr>(nullptr));
  mpfr_init2(w, f.precision);
  for (size_t i = 0; i < count; ++i) {
    mpfr_set_d(x, toDouble(t, &a[i]), MPFR_RNDN);
    mpfr_set_d(y, toDouble(t, &b[i]), MPFR_RNDN);
    mpfr_set_d(z, toDouble(t, &c[i]), MPFR_RNDN);
    double expected = f.finish(w, mpfr_fma(w, x, y, z, MPFR_RNDN));
    ASSERT_TRUE(same(expected, toDouble(t, &r[i])))
        << name(t).str() << " fma " << toDouble(t, &a[i]) << ", " << toDouble(t, &b[i]) << ", "
        << toDouble(t, &c[i]);
  }
  mpfr_clears(x, y, z, w, static_cast<mpfr_ptr>(nullptr));
}

TEST(Arithmetic, FmaRoundsOnce) {
  size_t n = samples(1 << 19, 1 << 24);
  checkFma<uint16_t>(DType::bf16, n);
  checkFma<uint16_t>(DType::f16, n);
  checkFma<float>(DType::f32, n);
  checkFma<double>(DType::f64, n / 4);
}

/// The loops of a machine without fma give the same bits.
TEST(Arithmetic, PortableLoopsAgree) {
  Random random(21);
  size_t n = 4099;
  for (DType t : {DType::bf16, DType::f16, DType::f32, DType::f64}) {
    std::vector<uint64_t> a(n), b(n), c(n), fast(n), plain(n);
    for (size_t i = 0; i < n; ++i) {
      a[i] = random.next();
      b[i] = i % 3 ? random.next() : a[i] + 1;
      c[i] = random.next();
    }
    for (unsigned i = 0; i < numScalarOps; ++i) {
      ScalarOp op = ScalarOp(i);
      std::vector<uint64_t> *results[] = {&fast, &plain};
      for (int portable = 0; portable < 2; ++portable) {
        forcePortableKernels(portable);
        void *out = results[portable]->data();
        if (Kernel1 k = ExactSystem::unary(op, t)) {
          k(a.data(), out, n);
        } else if (Kernel2 k = ExactSystem::binary(op, t)) {
          k(a.data(), b.data(), out, n);
        } else if (Kernel3 k = ExactSystem::ternary(op, t)) {
          k(a.data(), b.data(), c.data(), out, n);
        }
      }
      forcePortableKernels(false);
      DType r = resultType(op, t);
      for (size_t j = 0; j < n && accepts(op, t); ++j) {
        const char *x = reinterpret_cast<char *>(fast.data()) + j * byteSize(r);
        const char *y = reinterpret_cast<char *>(plain.data()) + j * byteSize(r);
        ASSERT_TRUE(sameElement(r, x, y))
            << mnemonic(op).str() << " " << name(t).str() << " element " << j;
      }
    }
  }
}
