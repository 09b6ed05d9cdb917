//===- ValueTest.cpp - neighbours, ulps, single elements --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The helpers on single elements: neighbours walk every value of the small floats in order, ulps are their distances.
//
//===----------------------------------------------------------------------===//

#include "NumericTesting.h"

#include <gtest/gtest.h>

using namespace tessera;
using namespace tessera::testing;

TEST(Value, NextUpWalksEveryValueInOrder) {
  for (DType t : {DType::bf16, DType::f16, DType::f8E4M3FN, DType::f8E5M2}) {
    double most = maxFinite(t);
    uint64_t x = 0, y = 0, back = 0;
    ASSERT_TRUE(fromDouble(t, -most, Round::rne, Overflow::nan, &x));
    size_t steps = 0;
    for (double value = -most; value < most;) {
      nextUp(t, &x, &y);
      double next = toDouble(t, &y);
      ASSERT_GT(next, value) << name(t).str();
      nextDown(t, &y, &back);
      ASSERT_EQ(toDouble(t, &back), value) << name(t).str();
      // The distance is the ulp of the magnitude nearer to zero.
      ASSERT_EQ(next - value, ulp(t, std::min(std::fabs(value), std::fabs(next))))
          << name(t).str() << " " << value;
      value = next;
      x = y;
      ++steps;
    }
    // Every finite pattern but one of the zeros.
    size_t finite = 2 * ValueTable(t).values().size() - 1;
    EXPECT_EQ(steps, finite - 1) << name(t).str();
    nextUp(t, &x, &y);
    EXPECT_EQ(toDouble(t, &y), hasInfinity(t) ? infinity : most);
  }
}

TEST(Value, NextOfIntegersStopsAtTheEnds) {
  int8_t x = 127, y = 0;
  nextUp(DType::i8, &x, &y);
  EXPECT_EQ(y, 127);
  nextDown(DType::i8, &x, &y);
  EXPECT_EQ(y, 126);
  uint16_t u = 0, v = 9;
  nextDown(DType::ui16, &u, &v);
  EXPECT_EQ(v, 0);
  float nan = std::numeric_limits<float>::quiet_NaN(), r = 0;
  nextUp(DType::f32, &nan, &r);
  EXPECT_TRUE(std::isnan(r));
}

TEST(Value, LimitsOfTypes) {
  EXPECT_EQ(maxFinite(DType::f8E4M3FN), 448);
  EXPECT_EQ(maxFinite(DType::f8E5M2), 57344);
  EXPECT_EQ(maxFinite(DType::f16), 65504);
  EXPECT_EQ(maxFinite(DType::i8), 127);
  EXPECT_EQ(maxFinite(DType::ui32), 4294967295.0);
  EXPECT_EQ(minPositive(DType::f8E4M3FN), 0x1p-9);
  EXPECT_EQ(minPositive(DType::bf16), 0x1p-133);
  EXPECT_EQ(minPositive(DType::f32), 0x1p-149);
  EXPECT_FALSE(hasInfinity(DType::f8E4M3FN));
  EXPECT_TRUE(hasInfinity(DType::f8E5M2));
}

TEST(Value, FromDoubleRefusesModesThatDoNotFit) {
  uint64_t x = 77;
  EXPECT_FALSE(fromDouble(DType::f8E4M3FN, 1.0, Round::rne, Overflow::inf, &x));
  EXPECT_FALSE(fromDouble(DType::i32, 1.0, Round::rz, Overflow::inf, &x));
  EXPECT_EQ(x, 77u);
  EXPECT_TRUE(fromDouble(DType::i32, -2.5, Round::away, Overflow::sat, &x));
  EXPECT_EQ(int32_t(x), -3);
}

TEST(Value, SameElementTakesAnyNaNForAnyNaN) {
  uint16_t a = 0x7fc0, b = 0xff81, c = 0x7f80, zero = 0, minusZero = 0x8000;
  EXPECT_TRUE(sameElement(DType::bf16, &a, &b));
  EXPECT_FALSE(sameElement(DType::bf16, &a, &c));
  EXPECT_FALSE(sameElement(DType::bf16, &zero, &minusZero));
}
