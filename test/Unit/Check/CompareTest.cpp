// Comparison bit for bit and within bounds: corner cases of rounding, overflow, NaN, presence, and the reports.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tessera/Check/Compare.h"

#include "CheckTesting.h"

#include <cmath>
#include <limits>
#include <random>

using namespace tessera;

namespace {
constexpr double infinity = std::numeric_limits<double>::infinity();
const double notANumber = std::nan("");

/// Whether one element with the given bits passes.
bool passes(DType dtype, uint64_t bits, double reference, double bound,
            Overflow overflow = Overflow::inf) {
  return must(compareBounded(fromBits(dtype, {bits}), {reference}, {bound}, overflow, {})).passed();
}

uint64_t f32Bits(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, 4);
  return bits;
}

bool passesF32(float value, double reference, double bound) {
  return passes(DType::f32, f32Bits(value), reference, bound);
}
} // namespace

TEST(CompareExact, BitsDecideButForNaN) {
  auto equal = [](DType dtype, uint64_t a, uint64_t b) {
    return must(compareExact(fromBits(dtype, {a}), fromBits(dtype, {b}), {})).passed();
  };
  EXPECT_TRUE(equal(DType::f32, 0x3F800000, 0x3F800000));
  EXPECT_FALSE(equal(DType::f32, 0x3F800000, 0x3F800001));
  EXPECT_FALSE(equal(DType::f32, 0x80000000, 0x00000000));
  EXPECT_TRUE(equal(DType::f32, 0x7FC00000, 0xFF800001));
  EXPECT_FALSE(equal(DType::f32, 0x7F800000, 0x7FC00000));
  EXPECT_TRUE(equal(DType::f8E4M3FN, 0x7F, 0xFF));
  EXPECT_FALSE(equal(DType::f8E4M3FN, 0x7E, 0x7F));
  EXPECT_TRUE(equal(DType::f8E5M2, 0x7D, 0xFE));
  EXPECT_FALSE(equal(DType::f8E5M2, 0x7C, 0xFC));
  EXPECT_FALSE(equal(DType::i64, (uint64_t(1) << 62) + 1, uint64_t(1) << 62));
  EXPECT_TRUE(equal(DType::i1, 1, 1));
}

TEST(CompareExact, StridesDoNotMatterAndShapesMust) {
  HostArray row = makeArray(DType::i32, {3, 4}),
            column = makeArray(DType::i32, {3, 4}, ArrayOrder::col);
  std::vector<int32_t> values(12, 9);
  values[7] = 3;
  row.copyFrom(values.data());
  column.copyFrom(values.data());
  EXPECT_TRUE(must(compareExact(row, column, {})).passed());
  EXPECT_EQ(textOf(compareExact(row, makeArray(DType::i32, {4, 3}), {})),
            "T0863: `output`: expected i32 [4, 3], found i32 [3, 4]");
  EXPECT_EQ(textOf(compareExact(row, makeArray(DType::ui32, {3, 4}), {})).substr(0, 5), "T0863");
  std::vector<uint8_t> few(11, 1);
  EXPECT_EQ(textOf(compareExact(row, column, {few, {}})),
            "T0863: `present`: expected 12 flags, found 11");
}

TEST(CompareExact, ReportsFirstAndWorst) {
  HostArray got = makeArray(DType::i32, {2, 3}), expected = makeArray(DType::i32, {2, 3});
  std::vector<int32_t> a = {1, 2, 3, 4, 5, 6}, b = {1, 3, 3, 4, -100, 6};
  got.copyFrom(a.data());
  expected.copyFrom(b.data());
  CompareResult result = must(compareExact(got, expected, {}));
  EXPECT_EQ(result.failures, 2);
  EXPECT_EQ(result.str(), "2 of 6 elements wrong, first [0, 1]: got 2, expected 3, 1 away; worst "
                          "[1, 1]: got 5, expected "
                          "-100, 105 away");
  EXPECT_EQ(textOf(toError(result, CompareKind::exact, "y")).substr(0, 48),
            "T0860: `y`: not equal to the reference: 2 of 6 e");
  EXPECT_EQ(textOf(toError(must(compareExact(got, got, {})), CompareKind::exact, "y")), "");
  CompareResult bits =
      must(compareExact(fromBits(DType::bf16, {0x3F81}), fromBits(DType::bf16, {0x3F80}), {}));
  EXPECT_EQ(bits.first->str(), "[0]: got 1.0078125 (0x3f81), expected 1.0 (0x3f80), 1 ulp away");
  bits = must(
      compareExact(fromBits(DType::f32, {0x80000001}), fromBits(DType::f32, {0x00000002}), {}));
  EXPECT_EQ(bits.first->ulps, 3u);
}

TEST(ComparePresence, WritingMustFollowTheReference) {
  HostArray got = makeArray(DType::i32, {4});
  std::vector<uint8_t> present = {1, 0, 1, 0}, written = {1, 1, 0, 0};
  CompareResult result = must(compareExact(got, got, {present, written}));
  EXPECT_EQ(result.failures, 2);
  EXPECT_EQ(result.compared, 2);
  EXPECT_EQ(result.first->kind, Mismatch::writtenAbsent);
  EXPECT_EQ(result.first->str(), "[1]: was written (0), the reference is absent there");
  // Values do not matter where the reference is absent.
  HostArray other = fromBits(DType::i32, {0, 5, 0, 7});
  EXPECT_TRUE(must(compareExact(got, other, {present, present})).passed());
  EXPECT_TRUE(must(compareExact(got, other, {present, {}})).passed());
  EXPECT_EQ(must(compareExact(got, other, {present, present})).str(),
            "2 elements compared, 2 absent");
  result = must(compareBounded(got, {0, 0, 0.5, 0}, {1, 1, 1, 1}, Overflow::inf, {{}, written}));
  EXPECT_EQ(result.failures, 2);
  EXPECT_EQ(result.first->str(), "[2]: was not written, the reference is 0.5");
}

TEST(CompareBounded, EndsAreRoundedToTheType) {
  // 0.1 is no bf16: both neighbours pass with a bound that reaches past the middle, only the nearer with bound 0.
  EXPECT_TRUE(passes(DType::bf16, 0x3DCD, 0.1, 0));
  EXPECT_FALSE(passes(DType::bf16, 0x3DCC, 0.1, 0));
  EXPECT_TRUE(passes(DType::bf16, 0x3DCC, 0.1, 0.0003));
  EXPECT_FALSE(passes(DType::bf16, 0x3DCB, 0.1, 0.0003));
  EXPECT_TRUE(passesF32(1.0f, 1.0, 0));
  EXPECT_FALSE(passesF32(std::nextafter(1.0f, 2.0f), 1.0, 0));
  EXPECT_TRUE(passesF32(std::nextafter(1.0f, 2.0f), 1.0, 0x1p-23));
}

TEST(CompareBounded, ZerosAndDenormals) {
  EXPECT_TRUE(passesF32(-0.0f, 0.0, 0));
  EXPECT_TRUE(passesF32(0.0f, -0.0, 0));
  // Rounds to zero, so zero of either sign is right and the least denormal is not.
  EXPECT_TRUE(passesF32(-0.0f, 0x1p-151, 0));
  EXPECT_FALSE(passesF32(0x1p-149f, 0x1p-151, 0));
  EXPECT_TRUE(passesF32(0x1p-149f, 0x1p-151, 0x1p-149));
  EXPECT_TRUE(passesF32(-0x1p-149f, 0x1p-151, 0x1p-149));
  EXPECT_FALSE(passesF32(-0x1p-148f, 0x1p-151, 0x1p-149));
  EXPECT_TRUE(passesF32(0x1p-149f, 0x1p-149, 0));
  EXPECT_FALSE(passesF32(0.0f, 0x1p-149, 0));
}

TEST(CompareBounded, InfinitiesAndOverflow) {
  constexpr float greatest = std::numeric_limits<float>::max();
  EXPECT_TRUE(passesF32(INFINITY, infinity, 1.0));
  EXPECT_TRUE(passesF32(INFINITY, infinity, infinity));
  EXPECT_FALSE(passesF32(-INFINITY, infinity, infinity));
  EXPECT_FALSE(passesF32(greatest, infinity, infinity));
  EXPECT_FALSE(passesF32(NAN, infinity, 1.0));
  // Finite beyond the range is infinite after the cast.
  EXPECT_TRUE(passesF32(INFINITY, 1e39, 0));
  EXPECT_FALSE(passesF32(greatest, 1e39, 0));
  // The interval reaches past the range on one side only.
  EXPECT_TRUE(passesF32(INFINITY, greatest, 0x1p120));
  EXPECT_TRUE(passesF32(greatest, greatest, 0x1p120));
  EXPECT_FALSE(passesF32(INFINITY, greatest, 0x1p100));
  // r - b is below the range.
  EXPECT_TRUE(passesF32(-INFINITY, -double(greatest), 0x1p120));
  EXPECT_FALSE(passesF32(INFINITY, -double(greatest), 0x1p120));
  // Even in f64.
  uint64_t minus = 0xFFF0000000000000u, greatest64 = 0x7FEFFFFFFFFFFFFFu;
  double max64 = std::numeric_limits<double>::max();
  EXPECT_TRUE(passes(DType::f64, minus, -max64, max64));
  EXPECT_TRUE(passes(DType::f64, greatest64, max64, max64));
  EXPECT_FALSE(passes(DType::f64, minus, max64, max64));
}

TEST(CompareBounded, SaturationOfTypesWithoutInfinity) {
  // 0x7E is 448, the greatest e4m3; 0x7F is NaN.
  EXPECT_TRUE(passes(DType::f8E4M3FN, 0x7E, 1000, 0, Overflow::sat));
  EXPECT_FALSE(passes(DType::f8E4M3FN, 0x7F, 1000, 0, Overflow::sat));
  EXPECT_TRUE(passes(DType::f8E4M3FN, 0x7E, infinity, 0, Overflow::sat));
  EXPECT_TRUE(passes(DType::f8E4M3FN, 0xFE, -infinity, 0, Overflow::sat));
  EXPECT_FALSE(passes(DType::f8E4M3FN, 0x7D, 1000, 0, Overflow::sat));
  EXPECT_TRUE(passes(DType::f8E4M3FN, 0x7F, 1000, 0, Overflow::nan));
  EXPECT_FALSE(passes(DType::f8E4M3FN, 0x7E, 1000, 0, Overflow::nan));
  // The upper end overflows, the lower does not: from there on, NaN included.
  EXPECT_TRUE(passes(DType::f8E4M3FN, 0x7F, 450, 40, Overflow::nan));
  EXPECT_TRUE(passes(DType::f8E4M3FN, 0x7E, 450, 40, Overflow::nan));
  EXPECT_FALSE(passes(DType::f8E4M3FN, 0x7C, 450, 40, Overflow::nan));
  EXPECT_TRUE(passes(DType::f8E4M3FN, 0x00, 0, 1e6, Overflow::nan));
  EXPECT_FALSE(passes(DType::f8E4M3FN, 0x00, notANumber, 1e6, Overflow::nan));
  EXPECT_TRUE(passes(DType::f8E4M3FN, 0xFF, notANumber, 0, Overflow::sat));
  EXPECT_TRUE(passes(DType::f16, 0x7BFF, 1e6, 0, Overflow::sat));
  EXPECT_FALSE(passes(DType::f16, 0x7C00, 1e6, 0, Overflow::sat));
}

TEST(CompareBounded, NaNMeetsNaNOnly) {
  EXPECT_TRUE(passesF32(NAN, notANumber, 0));
  EXPECT_TRUE(passesF32(-NAN, notANumber, notANumber));
  EXPECT_FALSE(passesF32(0, notANumber, infinity));
  EXPECT_FALSE(passesF32(NAN, 0, infinity));
  EXPECT_FALSE(passesF32(INFINITY, notANumber, infinity));
}

TEST(CompareBounded, BoundsThatAreNoBounds) {
  CompareResult result = must(
      compareBounded(fromBits(DType::f32, {0, 0}), {0, 0}, {-1, notANumber}, Overflow::inf, {}));
  EXPECT_EQ(result.failures, 2);
  EXPECT_EQ(result.first->str(),
            "[0]: the bound is -1.0 where the reference is 0.0; a bound must be 0 or more");
  result =
      must(compareBounded(fromBits(DType::f32, {0, 0}), {5, 0}, {infinity, 0}, Overflow::inf, {}));
  EXPECT_TRUE(result.passed());
  EXPECT_EQ(result.str(), "2 elements compared, 1 with an infinite bound");
  EXPECT_EQ(textOf(compareBounded(fromBits(DType::f32, {0}), {}, {0}, Overflow::inf, {})),
            "T0863: `reference`: expected 1 elements, found 0");
  EXPECT_EQ(textOf(compareBounded(fromBits(DType::f32, {0}), {0}, {0, 1}, Overflow::inf, {}))
                .substr(0, 15),
            "T0863: `bound`:");
}

TEST(CompareBounded, IntegersCompareWithoutLoss) {
  EXPECT_TRUE(passes(DType::i32, 7, 6.6, 0));
  EXPECT_FALSE(passes(DType::i32, 6, 6.6, 0));
  EXPECT_TRUE(passes(DType::i32, 6, 6.6, 0.5));
  EXPECT_TRUE(passes(DType::i8, 127, 1e9, 0));
  EXPECT_FALSE(passes(DType::i64, (uint64_t(1) << 60) + 1, 0x1p60, 0));
  EXPECT_TRUE(passes(DType::i64, uint64_t(1) << 60, 0x1p60, 0));
  EXPECT_TRUE(passes(DType::ui64, UINT64_MAX, 0x1p64, 0));
}

TEST(CompareBounded, ReportsWorstByExcessOverItsBound) {
  HostArray got =
      fromBits(DType::f32, {f32Bits(1.5f), f32Bits(12.0f), f32Bits(1.0f), f32Bits(3.0f)});
  CompareResult result =
      must(compareBounded(got, {1.0, 10.0, 1.0, 1.0}, {0.25, 1.5, 0.25, 0.25}, Overflow::inf, {}));
  EXPECT_EQ(result.failures, 3);
  EXPECT_EQ(result.first->index, IndexVector{0});
  EXPECT_EQ(result.worst->index, IndexVector{3});
  EXPECT_EQ(result.worst->ulps, 12582912u);
  EXPECT_EQ(
      result.first->str(),
      "[0]: got 1.5 (0x3fc00000), expected 1.0 +- 0.25, accepted 0.75 to 1.25, 4194304 ulp away");
  EXPECT_EQ(textOf(toError(result, CompareKind::bounded, "y")).substr(0, 35),
            "T0861: `y`: outside the tolerance: ");
  // A NaN is worse than any number.
  got = fromBits(DType::f32, {f32Bits(9.0f), f32Bits(NAN)});
  result = must(compareBounded(got, {1.0, 1.0}, {0, 0}, Overflow::inf, {}));
  EXPECT_EQ(result.worst->kind, Mismatch::nan);
}

TEST(CompareBounded, AgreesWithTheDefinitionOnRandomElements) {
  std::mt19937_64 random(9);
  unsigned accepted = 0;
  for (unsigned round = 0; round < 20000; ++round) {
    uint64_t bits = random() & 0xFFFF, near = (bits + random() % 5 - 2) & 0xFFFF;
    double reference = toDouble(DType::f16, &near), y = toDouble(DType::f16, &bits);
    double bound = ulp(DType::f16, reference) * static_cast<double>(random() % 40) / 16;
    if (!std::isfinite(reference) || std::isnan(y)) {
      continue;
    }
    uint64_t low = 0, high = 0;
    fromDouble(DType::f16, reference - bound, Round::rne, Overflow::inf, &low);
    fromDouble(DType::f16, reference + bound, Round::rne, Overflow::inf, &high);
    bool expected = toDouble(DType::f16, &low) <= y && y <= toDouble(DType::f16, &high);
    EXPECT_EQ(passes(DType::f16, bits, reference, bound), expected);
    accepted += expected;
  }
  EXPECT_GT(accepted, 2000u);
}
