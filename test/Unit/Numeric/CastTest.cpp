//===- CastTest.cpp - casts between all element types -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Casts against the definition: nearest values by table and midpoint, integers by exact arithmetic, f32 by MPFR.
//
//===----------------------------------------------------------------------===//

#include "NumericTesting.h"

#include <algorithm>
#include <gtest/gtest.h>

using namespace tessera;
using namespace tessera::testing;

static const Round rounds[] = {Round::rne, Round::rz, Round::ru, Round::rd, Round::away};
static const Overflow overflows[] = {Overflow::inf, Overflow::sat, Overflow::nan, Overflow::wrap};
static const DType smallFloats[] = {DType::bf16, DType::f16, DType::f8E4M3FN, DType::f8E5M2};

static std::string describe(DType from, DType to, Round r, Overflow o) {
  return name(from).str() + " to " + name(to).str() + " " + name(r).str() + " " + name(o).str();
}

/// Runs a cast over values that are exact in `from`, and compares with the table.
static void checkAgainstTable(DType from, const std::vector<double> &values, DType to,
                              const ValueTable &table) {
  size_t n = values.size();
  std::vector<char> in(n * byteSize(from)), out(n * byteSize(to));
  ExactSystem::cast(DType::f64, from, Round::rne, Overflow::nan)(values.data(), in.data(), n);
  for (Round r : rounds) {
    for (Overflow o : overflows) {
      CastKernel k = ExactSystem::cast(from, to, r, o);
      ASSERT_EQ(bool(k), castAccepts(from, to, o)) << describe(from, to, r, o);
      if (!k || castIsExact(from, to)) {
        continue;
      }
      k(in.data(), out.data(), n);
      size_t wrong = 0;
      for (size_t i = 0; i < n && wrong < 3; ++i) {
        double x = toDouble(from, &in[i * byteSize(from)]);
        double expected = table.round(x, r, o),
               got = valueOf(to, patternOf(to, &out[i * byteSize(to)]));
        if (!same(expected, got)) {
          ++wrong;
          ADD_FAILURE() << describe(from, to, r, o) << ": " << x << " gives " << got
                        << ", expected " << expected;
        }
      }
    }
  }
}

/// Every value of the type and what lies around every midpoint, in f64.
static std::vector<double> criticalValues(const ValueTable &table, double gap) {
  std::vector<double> r = {0.0, -0.0, infinity, -infinity, quietNaN};
  const std::vector<double> &v = table.values();
  for (size_t i = 1; i < v.size(); ++i) {
    double middle = v[i - 1] + (v[i] - v[i - 1]) / 2;
    for (double x : {v[i], v[i] * (1 - gap), v[i] * (1 + gap), middle, middle * (1 - gap),
                     middle * (1 + gap)}) {
      r.push_back(x);
      r.push_back(-x);
    }
  }
  double last = v.back(), step = last - v[v.size() - 2];
  for (double x : {last + step / 4, last + step / 2, (last + step / 2) * (1 + gap), last + step,
                   last + 2 * step, last * 16, double(std::numeric_limits<float>::max())}) {
    r.push_back(x);
    r.push_back(-x);
  }
  return r;
}

TEST(Cast, F64ToSmallFloatsAroundEveryValueAndMidpoint) {
  for (DType to : smallFloats) {
    ValueTable table(to);
    std::vector<double> values = criticalValues(table, 0x1p-52);
    for (double x : {1e300, -1e300, 1e-300, -1e-300, 0x1p-150, 0x1p-1074}) {
      values.push_back(x);
    }
    checkAgainstTable(DType::f64, values, to, table);
  }
}

TEST(Cast, F32ToSmallFloatsAroundEveryValueAndMidpoint) {
  for (DType to : smallFloats) {
    ValueTable table(to);
    checkAgainstTable(DType::f32, criticalValues(table, 0x1p-23), to, table);
  }
}

TEST(Cast, F32SamplesToSmallFloats) {
  std::vector<float> x = floatSamples(samples(1 << 18, 1 << 24), 3);
  for (DType to : smallFloats) {
    ValueTable table(to);
    checkAgainstTable(DType::f32, std::vector<double>(x.begin(), x.end()), to, table);
  }
}

TEST(Cast, SmallFloatsToSmallFloatsEveryValue) {
  for (DType from : smallFloats) {
    std::vector<double> values;
    for (uint64_t bits = 0; bits < (uint64_t(1) << bitWidth(from)); ++bits) {
      values.push_back(valueOf(from, bits));
    }
    for (DType to : smallFloats) {
      checkAgainstTable(from, values, to, ValueTable(to));
    }
  }
}

TEST(Cast, WideningIsExactForEveryValue) {
  for (DType from : smallFloats) {
    for (DType to : {DType::bf16, DType::f16, DType::f32, DType::f64}) {
      if (!castIsExact(from, to)) {
        continue;
      }
      for (uint64_t bits = 0; bits < (uint64_t(1) << bitWidth(from)); ++bits) {
        uint64_t out = 0;
        ExactSystem::cast(from, to, Round::rz, Overflow::wrap)(&bits, &out, 1);
        double expected = valueOf(from, bits);
        ASSERT_TRUE(same(expected, valueOf(to, out)))
            << name(from).str() << " " << bits << " to " << name(to).str();
        ASSERT_TRUE(same(expected, toDouble(from, &bits)));
      }
    }
  }
}

TEST(Cast, F64ToF32AgainstMpfr) {
  std::vector<double> x = doubleSamples(samples(1 << 16, 1 << 20), 5);
  for (float f : floatSamples(1 << 16, 6)) {
    double up = std::nextafter(f, std::numeric_limits<float>::infinity());
    x.insert(x.end(), {double(f), (double(f) + up) / 2, std::nextafter((double(f) + up) / 2, 0.0)});
  }
  MpfrFormat f32(DType::f32);
  mpfr_t value;
  mpfr_init2(value, 24);
  const std::pair<Round, mpfr_rnd_t> modes[] = {{Round::rne, MPFR_RNDN},
                                                {Round::rz, MPFR_RNDZ},
                                                {Round::ru, MPFR_RNDU},
                                                {Round::rd, MPFR_RNDD}};
  for (auto [r, mode] : modes) {
    std::vector<float> y(x.size());
    ExactSystem::cast(DType::f64, DType::f32, r, Overflow::inf)(x.data(), y.data(), x.size());
    for (size_t i = 0; i < x.size(); ++i) {
      double expected = f32.finish(value, mpfr_set_d(value, x[i], mode), mode);
      ASSERT_TRUE(same(expected, y[i])) << x[i] << " " << name(r).str() << " gives " << y[i];
    }
  }
  mpfr_clear(value);
}

/// Rounds to an integral value by definition; exact for |x| < 2^52 and the identity beyond.
static double integral(double x, Round r) {
  double low = std::floor(x), rest = x - low;
  switch (r) {
  case Round::rd:
    return low;
  case Round::ru:
    return std::ceil(x);
  case Round::rz:
    return x < 0 ? std::ceil(x) : low;
  case Round::rne:
    return rest < 0.5 || (rest == 0.5 && std::fmod(low, 2) == 0) ? low : low + 1;
  case Round::away:
    return rest < 0.5 || (rest == 0.5 && x < 0) ? low : low + 1;
  }
  return x;
}

TEST(Cast, FloatToInteger) {
  std::vector<double> base = doubleSamples(1 << 13, 8);
  for (int k = 0; k < 70; ++k) {
    for (double d : {-1.5, -1.0, -0.5, -0.25, 0.0, 0.25, 0.5, 0.75, 1.0, 1.5, 2.5}) {
      base.insert(base.end(), {std::ldexp(1.0, k) + d, -std::ldexp(1.0, k) - d});
    }
  }
  for (DType from :
       {DType::f64, DType::f32, DType::bf16, DType::f16, DType::f8E4M3FN, DType::f8E5M2}) {
    size_t n = base.size();
    std::vector<char> in(n * byteSize(from));
    ExactSystem::cast(DType::f64, from, Round::rne, Overflow::nan)(base.data(), in.data(), n);
    for (unsigned t = unsigned(DType::i8); t <= unsigned(DType::ui64); ++t) {
      DType to = DType(t);
      int width = int(bitWidth(to));
      double low = isSigned(to) ? -std::ldexp(1.0, width - 1) : 0,
             end = std::ldexp(1.0, isSigned(to) ? width - 1 : width);
      for (Round r : rounds) {
        for (bool wrap : {false, true}) {
          std::vector<char> out(n * byteSize(to));
          ExactSystem::cast(from, to, r, wrap ? Overflow::wrap : Overflow::sat)(in.data(),
                                                                                out.data(), n);
          for (size_t i = 0; i < n; ++i) {
            double x = toDouble(from, &in[i * byteSize(from)]), whole = integral(x, r);
            uint64_t mask = width == 64 ? ~uint64_t(0) : (uint64_t(1) << width) - 1, expected;
            if (x != x || (wrap && std::fabs(x) == infinity)) {
              expected = 0;
            } else if (wrap) {
              double m = std::fmod(std::fabs(whole), std::ldexp(1.0, width));
              expected = whole < 0 ? uint64_t(0) - uint64_t(m) : uint64_t(m);
            } else if (whole >= end) {
              expected = isSigned(to) ? mask >> 1 : mask;
            } else if (whole < low) {
              expected = isSigned(to) ? (mask >> 1) + 1 : 0;
            } else {
              expected = whole < 0 ? uint64_t(0) - uint64_t(-whole) : uint64_t(whole);
            }
            ASSERT_EQ(expected & mask, patternOf(to, &out[i * byteSize(to)]))
                << describe(from, to, r, wrap ? Overflow::wrap : Overflow::sat) << " of " << x;
          }
        }
      }
    }
  }
}

/// Integers of a type worth casting: ends, powers of two and their neighbours, random ones.
static std::vector<__int128> integers(DType t) {
  int width = int(bitWidth(t)) - (isSigned(t) ? 1 : 0);
  __int128 most = (__int128(1) << width) - 1, least = isSigned(t) ? -most - 1 : 0;
  std::vector<__int128> r;
  Random random(width);
  for (int k = 0; k <= width; ++k) {
    for (int d : {-3, -2, -1, 0, 1, 2, 3}) {
      r.insert(r.end(), {(__int128(1) << k) + d, -(__int128(1) << k) + d});
    }
    for (int i = 0; i < 16; ++i) {
      r.push_back(__int128(random.next() >> (63 - std::min(k, 63))));
    }
  }
  r.erase(std::remove_if(r.begin(), r.end(), [&](__int128 x) { return x < least || x > most; }),
          r.end());
  return r;
}

TEST(Cast, IntegerToIntegerAndBool) {
  for (unsigned f = unsigned(DType::i8); f <= unsigned(DType::ui64); ++f) {
    DType from = DType(f);
    for (__int128 x : integers(from)) {
      uint64_t in = uint64_t(x), out = 0;
      ExactSystem::cast(from, DType::i1, Round::rne, Overflow::inf)(&in, &out, 1);
      ASSERT_EQ(out, uint64_t(x != 0));
      for (unsigned t = unsigned(DType::i8); t <= unsigned(DType::ui64); ++t) {
        DType to = DType(t);
        int width = int(bitWidth(to)) - (isSigned(to) ? 1 : 0);
        __int128 most = (__int128(1) << width) - 1, least = isSigned(to) ? -most - 1 : 0;
        uint64_t mask = bitWidth(to) == 64 ? ~uint64_t(0) : (uint64_t(1) << bitWidth(to)) - 1;
        uint64_t wrapped = 0, clamped = 0;
        ExactSystem::cast(from, to, Round::rne, Overflow::wrap)(&in, &wrapped, 1);
        ExactSystem::cast(from, to, Round::rne, Overflow::sat)(&in, &clamped, 1);
        ASSERT_EQ(wrapped, uint64_t(x) & mask) << name(from).str() << " to " << name(to).str();
        __int128 limited = x < least ? least : x > most ? most : x;
        ASSERT_EQ(clamped, uint64_t(limited) & mask)
            << name(from).str() << " to " << name(to).str();
      }
    }
  }
}

TEST(Cast, IntegerToFloatAgainstMpfr) {
  for (DType to : {DType::f64, DType::f32, DType::bf16, DType::f16, DType::f8E5M2}) {
    MpfrFormat target(to);
    mpfr_t value;
    mpfr_init2(value, target.precision);
    for (unsigned f = unsigned(DType::i8); f <= unsigned(DType::ui64); ++f) {
      DType from = DType(f);
      for (__int128 x : integers(from)) {
        uint64_t in = uint64_t(x), out = 0;
        ExactSystem::cast(from, to, Round::rne, Overflow::inf)(&in, &out, 1);
        int ternary = isSigned(from) ? mpfr_set_sj(value, intmax_t(x), MPFR_RNDN)
                                     : mpfr_set_uj(value, in, MPFR_RNDN);
        ASSERT_TRUE(same(target.finish(value, ternary), valueOf(to, out)))
            << name(from).str() << " " << int64_t(x) << " to " << name(to).str();
      }
    }
    mpfr_clear(value);
  }
}

TEST(Cast, BoolToNumbersAndBack) {
  for (DType t : allDTypes) {
    for (uint8_t b : {0, 1}) {
      uint64_t element = 0;
      ExactSystem::cast(DType::i1, t, Round::rne, Overflow::inf)(&b, &element, 1);
      EXPECT_EQ(toDouble(t, &element), double(b)) << name(t).str();
    }
    if (isFloat(t)) {
      for (double x : {0.0, -0.0, 0.5, -1.0, quietNaN}) {
        uint64_t element = 0;
        uint8_t b = 2;
        ASSERT_TRUE(fromDouble(t, x, Round::rne, Overflow::nan, &element));
        ExactSystem::cast(t, DType::i1, Round::rne, Overflow::inf)(&element, &b, 1);
        EXPECT_EQ(b, x != 0) << name(t).str() << " " << x;
      }
    }
  }
}
