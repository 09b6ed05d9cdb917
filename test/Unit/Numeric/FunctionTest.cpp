//===- FunctionTest.cpp - errors of the functions against MPFR --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every function stays within its documented bound: f32 and f64 on stratified samples of all bit patterns, the 16-bit
// types on every value. Prints the table of docs/accuracy.md and holds the bounds printed there to those of the library.
// TESSERA_FULL=1 takes 2^24 samples.
//
//===----------------------------------------------------------------------===//

#include "NumericTesting.h"

#include "tessera/Numeric/Accuracy.h"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <sstream>

using namespace tessera;
using namespace tessera::testing;

using MpfrUnary = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);
static int reciprocal(mpfr_ptr r, mpfr_srcptr x, mpfr_rnd_t mode) {
  return mpfr_ui_div(r, 1, x, mode);
}

/// MPFR's has no sign at zero; rsqrt(-0) is -inf.
static int reciprocalRoot(mpfr_ptr r, mpfr_srcptr x, mpfr_rnd_t mode) {
  return mpfr_zero_p(x) ? mpfr_ui_div(r, 1, x, mode) : mpfr_rec_sqrt(r, x, mode);
}

static const std::pair<ScalarOp, MpfrUnary> functions[] = {
    {ScalarOp::Sqrt, mpfr_sqrt}, {ScalarOp::Rcp, reciprocal}, {ScalarOp::Rsqrt, reciprocalRoot},
    {ScalarOp::Exp, mpfr_exp},   {ScalarOp::Exp2, mpfr_exp2}, {ScalarOp::Expm1, mpfr_expm1},
    {ScalarOp::Log, mpfr_log},   {ScalarOp::Log2, mpfr_log2}, {ScalarOp::Log1p, mpfr_log1p},
    {ScalarOp::Sin, mpfr_sin},   {ScalarOp::Cos, mpfr_cos},   {ScalarOp::Tan, mpfr_tan},
    {ScalarOp::Tanh, mpfr_tanh}, {ScalarOp::Erf, mpfr_erf},   {ScalarOp::Erfc, mpfr_erfc}};

/// Error of `got` in ulps of type `t` around the exact value; infinite if one is NaN or infinite and the other not.
static double errorInUlps(DType t, mpfr_srcptr exact, double got, mpfr_ptr scratch) {
  double rounded = mpfr_get_d(exact, MPFR_RNDN);
  if (rounded != rounded || got != got) {
    return rounded != rounded && got != got ? 0 : infinity;
  }
  double most = maxFinite(t), unit = ulp(t, rounded);
  if (std::fabs(got) == infinity) {
    // Rounding to infinity is right from half an ulp beyond the largest finite value; an early one counts by distance.
    if (std::signbit(got) != std::signbit(rounded)) {
      return infinity;
    }
    return std::fabs(rounded) > most ? 0 : (most + unit - std::fabs(rounded)) / unit;
  }
  if (std::fabs(rounded) == infinity) {
    return infinity;
  }
  mpfr_sub_d(scratch, exact, got, MPFR_RNDN);
  return std::fabs(mpfr_get_d(scratch, MPFR_RNDN)) / unit;
}

struct Worst {
  double error = 0, x = 0, y = 0;
};

static Worst measure(ScalarOp op, MpfrUnary exact, DType t, const std::vector<double> &x) {
  size_t n = x.size();
  std::vector<char> in(n * byteSize(t)), out(n * byteSize(t));
  ExactSystem::cast(DType::f64, t, Round::rne, Overflow::inf)(x.data(), in.data(), n);
  ExactSystem::unary(op, t)(in.data(), out.data(), n);
  mpfr_t a, r, s;
  mpfr_init2(a, 53);
  mpfr_init2(r, t == DType::f64 ? 80 : 50);
  mpfr_init2(s, 80);
  Worst w;
  for (size_t i = 0; i < n; ++i) {
    mpfr_set_d(a, x[i], MPFR_RNDN);
    exact(r, a, MPFR_RNDN);
    double got = toDouble(t, &out[i * byteSize(t)]);
    double e = errorInUlps(t, r, got, s);
    if (e > w.error) {
      w = {e, x[i], 0};
    }
  }
  mpfr_clears(a, r, s, static_cast<mpfr_ptr>(nullptr));
  return w;
}

static std::vector<double> every16BitValue(DType t) {
  std::vector<double> r;
  for (uint64_t bits = 0; bits < 65536; ++bits) {
    r.push_back(valueOf(t, bits));
  }
  return r;
}

/// Samples where the results are neither trivial nor out of range, which strata of all bit patterns rarely meet.
static void addOrdinary(std::vector<double> &x, bool narrow, size_t count) {
  Random random(99);
  for (size_t i = 0; i < count; ++i) {
    double u = double(random.next32()) * 0x1p-32;
    double v = i % 4 == 0   ? u * 2 - 1
               : i % 4 == 1 ? u * 20 - 10
               : i % 4 == 2 ? u * 200 - 100
                            : u * 2e5;
    x.push_back(narrow ? double(float(v)) : v);
  }
}

// Reused by the table test; measuring twice would cost the time twice.
static std::map<std::pair<ScalarOp, DType>, double> measured;

static void measureAll(DType t, const std::vector<double> &x) {
  for (auto &[op, exact] : functions) {
    Worst w = measure(op, exact, t, x);
    measured[{op, t}] = w.error;
    EXPECT_LE(w.error, *maxUlp(op, t))
        << mnemonic(op).str() << " " << name(t).str() << " at " << w.x;
  }
}

TEST(Function, F32WithinItsBound) {
  size_t n = samples(1 << 18, 1 << 24);
  std::vector<float> s = floatSamples(n, 31);
  std::vector<double> x(s.begin(), s.end());
  addOrdinary(x, true, n / 8);
  measureAll(DType::f32, x);
}

TEST(Function, F64WithinItsBound) {
  size_t n = samples(1 << 13, 1 << 21);
  std::vector<double> x = doubleSamples(n, 32);
  addOrdinary(x, false, n);
  measureAll(DType::f64, x);
}

TEST(Function, SixteenBitTypesEveryValue) {
  for (DType t : {DType::bf16, DType::f16}) {
    measureAll(t, every16BitValue(t));
  }
}

/// Pairs whose power is in range, bases near 1 with large exponents among them.
static void powSamples(DType t, size_t n, std::vector<double> &x, std::vector<double> &y) {
  Random random(41);
  double reach = t == DType::f64 ? 1080 : t == DType::f16 ? 26 : 152;
  for (size_t i = 0; i < n; ++i) {
    double u = double(random.next32()) * 0x1p-32,
           v = (double(random.next32()) * 0x1p-31 - 1) * reach;
    double base =
        i % 3 == 0 ? 1 + (u - 0.5) * 0.01 : std::exp2((u * 2 - 1) * (t == DType::f16 ? 14 : 120));
    double exponent = v / std::log2(base);
    if (i % 7 == 0) {
      exponent = std::floor(std::fmod(exponent, 50));
      base = i % 2 ? -base : base;
    }
    uint64_t e = 0;
    fromDouble(t, base, Round::rne, Overflow::inf, &e);
    x.push_back(toDouble(t, &e));
    fromDouble(t, exponent, Round::rne, Overflow::inf, &e);
    y.push_back(toDouble(t, &e));
  }
}

TEST(Function, PowWithinItsBound) {
  for (DType t : {DType::f32, DType::f64, DType::bf16, DType::f16}) {
    std::vector<double> x, y;
    powSamples(t, samples(1 << 17, 1 << 23), x, y);
    size_t n = x.size();
    std::vector<char> a(n * byteSize(t)), b(a.size()), r(a.size());
    ExactSystem::cast(DType::f64, t, Round::rne, Overflow::inf)(x.data(), a.data(), n);
    ExactSystem::cast(DType::f64, t, Round::rne, Overflow::inf)(y.data(), b.data(), n);
    ExactSystem::binary(ScalarOp::Pow, t)(a.data(), b.data(), r.data(), n);
    mpfr_t p, q, e, s;
    mpfr_inits2(80, p, q, e, s, static_cast<mpfr_ptr>(nullptr));
    Worst w;
    for (size_t i = 0; i < n; ++i) {
      mpfr_set_d(p, x[i], MPFR_RNDN);
      mpfr_set_d(q, y[i], MPFR_RNDN);
      mpfr_pow(e, p, q, MPFR_RNDN);
      double error = errorInUlps(t, e, toDouble(t, &r[i * byteSize(t)]), s);
      if (error > w.error) {
        w = {error, x[i], y[i]};
      }
    }
    measured[{ScalarOp::Pow, t}] = w.error;
    EXPECT_LE(w.error, *maxUlp(ScalarOp::Pow, t))
        << name(t).str() << " pow(" << w.x << ", " << w.y << ")";
    mpfr_clears(p, q, e, s, static_cast<mpfr_ptr>(nullptr));
  }
}

/// An element's result depends on nothing but the element: not on its place in the array, nor on its neighbours.
TEST(Function, ResultsDoNotDependOnThePlace) {
  std::vector<float> x = floatSamples(3000, 51);
  for (auto &[op, exact] : functions) {
    std::vector<float> all(x.size()), one(x.size());
    Kernel1 k = ExactSystem::unary(op, DType::f32);
    k(x.data(), all.data(), x.size());
    for (size_t i = 0; i < x.size(); ++i) {
      k(&x[i], &one[i], 1);
    }
    std::vector<float> inPlace = x;
    k(inPlace.data(), inPlace.data(), x.size());
    for (size_t i = 0; i < x.size(); ++i) {
      ASSERT_TRUE(sameElement(DType::f32, &all[i], &one[i])) << mnemonic(op).str() << " " << x[i];
      ASSERT_TRUE(sameElement(DType::f32, &all[i], &inPlace[i]))
          << mnemonic(op).str() << " " << x[i];
    }
  }
}

static std::string cell(double x) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.4g", x);
  return text;
}

/// The lines of docs/accuracy.md that show a bound: `| exp | 1 | … `.
TEST(Function, DocumentedBoundsAreThoseOfTheLibrary) {
  std::ifstream file(std::string(TESSERA_SOURCE_DIR) + "/docs/accuracy.md");
  std::stringstream text;
  text << file.rdbuf();
  ASSERT_FALSE(text.str().empty());
  std::printf("| function | f32 bound | f32 measured | f64 bound | f64 measured | bf16 measured | "
              "f16 measured |\n");
  for (unsigned i = 0; i < numScalarOps; ++i) {
    ScalarOp op = ScalarOp(i);
    if (!info(op).hasAccuracy) {
      continue;
    }
    std::string m = mnemonic(op).str();
    auto at = [&](DType t) { return cell(measured[{op, t}]); };
    std::string f32 = cell(*maxUlp(op, DType::f32)), f64 = cell(*maxUlp(op, DType::f64));
    std::printf("| %s | %s | %s | %s | %s | %s | %s |\n", m.c_str(), f32.c_str(),
                at(DType::f32).c_str(), f64.c_str(), at(DType::f64).c_str(),
                at(DType::bf16).c_str(), at(DType::f16).c_str());
    std::string row = "| " + m + " | " + f32 + " | ";
    size_t place = text.str().find(row);
    EXPECT_NE(place, std::string::npos) << "docs/accuracy.md lacks a row starting `" << row << "`";
    std::string rest = place == std::string::npos ? "" : text.str().substr(place + row.size(), 40);
    EXPECT_NE(rest.find(" | " + f64 + " | "), std::string::npos)
        << "docs/accuracy.md: f64 bound of " << m;
  }
}
