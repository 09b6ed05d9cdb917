// Contents of arrays: distributions, ends of the ranges, independence of strides, and what is refused.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tessera/Check/Generators.h"

#include "CheckTesting.h"

#include <cmath>
#include <limits>
#include <map>
#include <set>

using namespace tessera;

namespace {
constexpr double infinity = std::numeric_limits<double>::infinity();

Generator gen(const char *name, std::vector<TestValue> args = {}) {
  return must(Generator::get(name, args));
}

HostArray fill(DType dtype, const Generator &generator, int64_t count = 1000, uint64_t seed = 1) {
  HostArray array = makeArray(dtype, {count});
  EXPECT_EQ(textOf(fillArray(array, generator, seed)), "") << name(dtype).str();
  return array;
}

std::string refuse(DType dtype, const Generator &generator) {
  std::string text = textOf(fillArray(makeArray(dtype, {4}), generator, 1));
  EXPECT_FALSE(text.empty()) << name(dtype).str() << " " << generator.str();
  return text;
}

bool isDenormal(DType dtype, double value) {
  double next = minPositive(dtype);
  // The least normal is where the spacing of doubles of the type starts to grow: 2^(significand bits) denormals below.
  double leastNormal = next;
  while (ulp(dtype, leastNormal) == next) {
    leastNormal *= 2;
  }
  return std::abs(value) >= next && std::abs(value) < leastNormal / 2;
}
} // namespace

TEST(Generators, NormalLooksNormalInEveryFloatType) {
  for (DType dtype : allDTypes) {
    if (!isFloat(dtype)) {
      continue;
    }
    double sum = 0, squares = 0;
    std::set<double> unique;
    for (double value : valuesOf(fill(dtype, gen("normal"), 20000))) {
      EXPECT_LT(std::abs(value), 6.2);
      sum += value;
      squares += value * value;
      unique.insert(value);
    }
    EXPECT_NEAR(sum / 20000, 0, 0.03) << name(dtype).str();
    EXPECT_NEAR(squares / 20000, 1, 0.05) << name(dtype).str();
    EXPECT_GT(unique.size(), isFp8(dtype) ? 50u : 300u);
  }
}

TEST(Generators, NormalIsTheSameEverywhere) {
  // Pinned: a change would change every test of every kernel.
  EXPECT_EQ(normalAt(0, 0), 0x1.0ee788bb8a872p-4);
  EXPECT_EQ(normalAt(12345, 678), 0x1.39f048fb7ac2cp+0);
  EXPECT_NE(normalAt(1, 0), normalAt(2, 0));
  double previous = normalAt(7, 0);
  for (unsigned i = 1; i < 100; ++i) {
    EXPECT_NE(normalAt(7, i), previous);
    previous = normalAt(7, i);
  }
}

TEST(Generators, NormalOfIntegersIsSmall) {
  for (DType dtype :
       {DType::i8, DType::i16, DType::i32, DType::i64, DType::ui8, DType::ui32, DType::ui64}) {
    std::set<double> seen;
    for (double value : valuesOf(fill(dtype, gen("normal")))) {
      EXPECT_LE(std::abs(value), 25);
      seen.insert(value);
    }
    EXPECT_EQ(*seen.begin() < 0, isSigned(dtype));
    EXPECT_GT(seen.size(), 8u);
  }
  std::vector<uint64_t> bools = bitsOf(fill(DType::i1, gen("normal")));
  EXPECT_EQ(std::set<uint64_t>(bools.begin(), bools.end()), (std::set<uint64_t>{0, 1}));
}

TEST(Generators, ContentsDoNotDependOnStrides) {
  for (const Generator &generator :
       {gen("normal"), gen("full"), gen("one", {2.0}), gen("cancel", {3.0})}) {
    HostArray plain = makeArray(DType::f32, {7, 40});
    EXPECT_EQ(textOf(fillArray(plain, generator, 5)), "");
    for (unsigned order = 0; order < numArrayOrders; ++order) {
      HostArray other = makeArray(DType::f32, {7, 40}, static_cast<ArrayOrder>(order));
      EXPECT_EQ(textOf(fillArray(other, generator, 5)), "");
      EXPECT_EQ(bitsOf(other), bitsOf(plain)) << generator.str();
    }
    HostArray seeded = makeArray(DType::f32, {7, 40});
    EXPECT_EQ(textOf(fillArray(seeded, generator, 6)), "");
    EXPECT_NE(bitsOf(seeded), bitsOf(plain));
  }
}

TEST(Generators, ConstantsAndOneAmongMany) {
  for (double value : {0.5, -infinity, infinity}) {
    for (double found : valuesOf(fill(DType::bf16, gen("all", {value})))) {
      EXPECT_EQ(found, value);
    }
  }
  for (uint64_t bits : bitsOf(fill(DType::f16, gen("zeros")))) {
    EXPECT_EQ(bits, 0u);
  }
  std::set<unsigned> places;
  for (uint64_t seed = 0; seed < 50; ++seed) {
    std::vector<double> values = valuesOf(fill(DType::f32, gen("one", {std::nan("")}), 20, seed));
    unsigned count = 0;
    for (unsigned i = 0; i < 20; ++i) {
      count += std::isnan(values[i]);
      if (std::isnan(values[i])) {
        places.insert(i);
      }
    }
    EXPECT_EQ(count, 1u);
  }
  EXPECT_GT(places.size(), 12u);
  EXPECT_EQ(valuesOf(fill(DType::i32, gen("one", {1000}), 1)), std::vector<double>{1000});
  EXPECT_EQ(bitsOf(fill(DType::i1, gen("all", {true}), 3)), (std::vector<uint64_t>{1, 1, 1}));
  EXPECT_EQ(valuesOf(fill(DType::i64, gen("all", {INT64_MIN}), 1)), std::vector<double>{-0x1p63});
  fill(DType::f32, gen("one", {1.0}), 0);
}

TEST(Generators, DenormalsAreDenormalWithBothEnds) {
  for (DType dtype : allDTypes) {
    if (!isFloat(dtype)) {
      EXPECT_EQ(refuse(dtype, gen("denormal")).substr(0, 5), "T0843");
      continue;
    }
    std::vector<double> values = valuesOf(fill(dtype, gen("denormal"), 200));
    bool negative = false, positive = false, least = false;
    for (double value : values) {
      EXPECT_TRUE(isDenormal(dtype, value)) << name(dtype).str() << " " << value;
      negative |= value < 0;
      positive |= value > 0;
      least |= std::abs(value) == minPositive(dtype);
    }
    EXPECT_TRUE(negative && positive && least) << name(dtype).str();
  }
}

TEST(Generators, HugeIsAQuarterOfTheGreatest) {
  for (DType dtype : allDTypes) {
    if (isBool(dtype)) {
      EXPECT_EQ(refuse(dtype, gen("huge")).substr(0, 5), "T0843");
      continue;
    }
    bool negative = false;
    for (double value : valuesOf(fill(dtype, gen("huge")))) {
      EXPECT_LE(std::abs(value), maxFinite(dtype) / 4) << name(dtype).str();
      EXPECT_GE(std::abs(value), std::floor(maxFinite(dtype) / 8 * 0.9)) << name(dtype).str();
      negative |= value < 0;
    }
    EXPECT_EQ(negative, isSigned(dtype));
  }
}

TEST(Generators, IntegersCoverTheirRangeEvenly) {
  for (DType dtype :
       {DType::i8, DType::i32, DType::i64, DType::f32, DType::bf16, DType::f8E4M3FN}) {
    std::map<double, unsigned> counts;
    for (double value : valuesOf(fill(dtype, gen("ints", {-3, 3}), 7000))) {
      ++counts[value];
    }
    EXPECT_EQ(counts.size(), 7u);
    EXPECT_EQ(counts.begin()->first, -3);
    EXPECT_EQ(counts.rbegin()->first, 3);
    for (auto [value, count] : counts) {
      EXPECT_NEAR(count, 1000, 200) << value;
    }
  }
  std::vector<uint64_t> wide = bitsOf(fill(DType::i64, gen("ints", {INT64_MIN, INT64_MAX})));
  EXPECT_GT(std::set<uint64_t>(wide.begin(), wide.end()).size(), 990u);
  EXPECT_EQ(refuse(DType::i32, gen("ints", {1, 0})),
            "T0845: generator `ints(1, 0)`: the range is empty, expected lo <= hi; swap its ends");
  fill(DType::i32, gen("ints", {1, 0}), 0);
}

TEST(Generators, FullHasEveryPatternOfSmallTypes) {
  for (DType dtype : {DType::i8, DType::ui8, DType::f8E4M3FN, DType::f8E5M2, DType::bf16,
                      DType::f16, DType::i16}) {
    unsigned patterns = 1u << bitWidth(dtype);
    std::map<uint64_t, unsigned> counts;
    for (uint64_t bits : bitsOf(fill(dtype, gen("full"), 2 * patterns))) {
      ++counts[bits];
    }
    EXPECT_EQ(counts.size(), patterns);
    for (auto [bits, count] : counts) {
      EXPECT_EQ(count, 2u);
    }
  }
  for (uint64_t bits : bitsOf(fill(DType::i1, gen("full")))) {
    EXPECT_LE(bits, 1u);
  }
}

TEST(Generators, FullOfWideTypesHasTheSpecialOnes) {
  std::vector<double> values = valuesOf(fill(DType::f32, gen("full")));
  auto has = [&](auto test) { return std::any_of(values.begin(), values.end(), test); };
  EXPECT_TRUE(has([](double v) { return v == infinity; }));
  EXPECT_TRUE(has([](double v) { return v == -infinity; }));
  EXPECT_TRUE(has([](double v) { return std::isnan(v); }));
  EXPECT_TRUE(has([](double v) { return v == 0 && std::signbit(v); }));
  EXPECT_TRUE(has([](double v) { return v == 0x1p-149; }));
  EXPECT_TRUE(has([](double v) { return v == maxFinite(DType::f32); }));
  std::vector<uint64_t> bits = bitsOf(fill(DType::i64, gen("full")));
  for (uint64_t wanted : {uint64_t(0), UINT64_MAX, uint64_t(1) << 63, (uint64_t(1) << 63) - 1}) {
    EXPECT_NE(std::find(bits.begin(), bits.end(), wanted), bits.end());
  }
}

TEST(Generators, CancelKeepsTheSumSmall) {
  HostArray array = makeArray(DType::f64, {6, 100});
  EXPECT_EQ(textOf(fillArray(array, gen("cancel", {1e8}), 3)), "");
  for (int64_t row = 0; row < 6; ++row) {
    unsigned positive = 0, negative = 0;
    for (int64_t column = 0; column < 100; ++column) {
      positive += array.loadDouble({row, column}) == 1e8;
      negative += array.loadDouble({row, column}) == -1e8;
    }
    EXPECT_EQ(positive, 6u);
    EXPECT_EQ(negative, 6u);
  }
  for (int64_t width : {0, 1, 2, 3}) {
    std::vector<double> values = valuesOf(fill(DType::f32, gen("cancel", {64.0}), width));
    EXPECT_EQ(std::count(values.begin(), values.end(), 64.0), width >= 2 ? 1 : 0);
    EXPECT_EQ(std::count(values.begin(), values.end(), -64.0), width >= 2 ? 1 : 0);
  }
  EXPECT_EQ(refuse(DType::ui8, gen("cancel", {1})).substr(0, 5), "T0843");
  EXPECT_EQ(refuse(DType::i8, gen("cancel", {-128})).substr(0, 5), "T0844");
}

TEST(Generators, ValuesTheTypeCannotHoldAreRefused) {
  EXPECT_EQ(refuse(DType::i32, gen("all", {0.5})),
            "T0844: generator `all(0.5)`: 0.5 is not a value of i32, it is no integer literal; use "
            "a value it can hold");
  EXPECT_EQ(refuse(DType::f8E4M3FN, gen("all", {infinity})),
            "T0844: generator `all(inf)`: inf is not a value of f8e4m3, which has no infinity; use "
            "a value it can hold");
  const std::pair<DType, Generator> bad[] = {
      {DType::i8, gen("all", {128})},         {DType::i8, gen("all", {-129})},
      {DType::ui8, gen("all", {-1})},         {DType::ui8, gen("ints", {0, 256})},
      {DType::i32, gen("one", {infinity})},   {DType::f16, gen("all", {1e6})},
      {DType::f16, gen("all", {65520.0})},    {DType::f32, gen("all", {1e-60})},
      {DType::bf16, gen("all", {257})},       {DType::f64, gen("all", {(int64_t(1) << 53) + 1})},
      {DType::f32, gen("all", {true})},       {DType::i1, gen("all", {1})},
      {DType::i1, gen("ints", {0, 2})},       {DType::f8E4M3FN, gen("all", {500.0})},
      {DType::f16, gen("ints", {0, 100000})},
  };
  for (const auto &[dtype, generator] : bad) {
    EXPECT_EQ(refuse(dtype, generator).substr(0, 5), "T0844")
        << name(dtype).str() << " " << generator.str();
  }
  EXPECT_EQ(refuse(DType::f32, gen("all", {"nan"})),
            "T0842: generator `all(nan)`: expected a number, found `nan`");
  EXPECT_EQ(refuse(DType::f32, gen("ints", {0.0, 1})).substr(0, 5), "T0842");
  EXPECT_EQ(refuse(DType::f32, gen("ints", {0, DeferredValue{"R", 0}})).substr(0, 5), "T0842");
  EXPECT_EQ(refuse(DType::f32, gen("missing")).substr(0, 5), "T0846");
  // These are rounded or in range.
  fill(DType::f16, gen("all", {65519.0}));
  fill(DType::f8E4M3FN, gen("all", {448.0}));
  fill(DType::f32, gen("all", {0.1}));
  fill(DType::bf16, gen("ints", {0, 1000}));
  fill(DType::i1, gen("ints", {0, 1}));
}
