// Folds of every kind: identities, absent terms, NaN, order, bounds that vary.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ReferenceTest.h"

#include <cmath>

using namespace tessera;
using namespace tessera::testing;
using ::testing::ElementsAre;

namespace {
constexpr float inf = std::numeric_limits<float>::infinity();

class FoldTest : public ReferenceTest {
protected:
  /// r[i] = fold of x[k] for k in [0, i): every length from 0 on, with bounds that vary over the lanes.
  FormulaArray prefix(const std::string &kind, const std::vector<float> &x) {
    return evaluateVector(R"(
      %M = tile.add %N, %c1 : i64
      %r = tile.map (%i in %c0 to %M) -> tensor<?xf32> {
        %s = tile.fold )" + kind +
                              R"( %k in (%c0 to %i) -> f32 {
          %e = tile.at %x[%k] : !tile.view<?xf32, in> -> f32
          tile.yield %e : f32
        }
        tile.yield %s : f32
      }
      tile.yield %r : tensor<?xf32>)",
                          x);
  }

  /// The same for folds of truth values, over x[k] > 0.
  FormulaArray truthPrefix(const std::string &kind, const std::string &type,
                           const std::vector<float> &x) {
    return evaluateVector(R"(
      %zero = tile.constant 0.0 : f32
      %M = tile.add %N, %c1 : i64
      %r = tile.map (%i in %c0 to %M) -> tensor<?x)" +
                              type + R"(> {
        %s = tile.fold )" + kind +
                              " %k in (%c0 to %i) -> " + type + R"( {
          %e = tile.at %x[%k] : !tile.view<?xf32, in> -> f32
          %p = tile.cmp gt, %e, %zero : f32
          tile.yield %p : i1
        }
        tile.yield %s : )" + type +
                              R"(
      }
      tile.yield %r : tensor<?x)" +
                              type + ">",
                          x);
  }
};
} // namespace

TEST_F(FoldTest, Sum) {
  EXPECT_THAT(elements<float>(prefix("sum", {1, 2, 4, 8})), ElementsAre(0, 1, 3, 7, 15));
}

TEST_F(FoldTest, SumIsSequentialInTheTypeWritten) {
  // Pairwise or wider sums would give 1: 1e8 swallows the 1 of its own sum only in ascending f32.
  EXPECT_THAT(elements<float>(prefix("sum", {1, 1e8f, -1e8f, 0})), ElementsAre(0, 1, 1e8f, 0, 0));
}

TEST_F(FoldTest, SumOfNegativeZerosIsPositive) {
  std::vector<float> sums = elements<float>(prefix("sum", {-0.0f, -0.0f}));
  EXPECT_FALSE(std::signbit(sums[1]));
  EXPECT_FALSE(std::signbit(sums[2]));
}

TEST_F(FoldTest, Prod) {
  EXPECT_THAT(elements<float>(prefix("prod", {2, 3, -4})), ElementsAre(1, 2, 6, -24));
}

TEST_F(FoldTest, MaxMinAndTheirIdentities) {
  EXPECT_THAT(elements<float>(prefix("max", {-5, 3, 1})), ElementsAre(-inf, -5, 3, 3));
  EXPECT_THAT(elements<float>(prefix("min", {5, -3, 1})), ElementsAre(inf, 5, -3, -3));
}

TEST_F(FoldTest, NaNWins) {
  std::vector<float> most = elements<float>(prefix("max", {1, NAN, inf}));
  EXPECT_EQ(most[1], 1);
  EXPECT_TRUE(std::isnan(most[2]));
  EXPECT_TRUE(std::isnan(most[3]));
  EXPECT_TRUE(std::isnan(elements<float>(prefix("min", {NAN, 1}))[2]));
}

TEST_F(FoldTest, CountAnyAllFirst) {
  EXPECT_THAT(elements<int64_t>(truthPrefix("count", "i64", {0, 1, NAN, 2})),
              ElementsAre(0, 0, 1, 1, 2));
  EXPECT_THAT(elements<uint8_t>(truthPrefix("any", "i1", {0, 1, 0})), ElementsAre(0, 0, 1, 1));
  EXPECT_THAT(elements<uint8_t>(truthPrefix("all", "i1", {1, 0, 1})), ElementsAre(1, 1, 0, 0));
  EXPECT_THAT(elements<int64_t>(truthPrefix("first", "i64", {0, 1, 0, 1})),
              ElementsAre(-1, -1, 1, 1, 1));
}

TEST_F(FoldTest, ScalarBoundsWithLanes) {
  // r[i] = sum over k in [2, 5) of x[i] * k, the term varying over more lanes than one block has.
  std::vector<float> x(1300);
  for (size_t i = 0; i < x.size(); ++i) {
    x[i] = static_cast<float>(i);
  }
  FormulaArray r = evaluateVector(R"(
    %c2 = tile.constant 2 : i64
    %c5 = tile.constant 5 : i64
    %r = tile.map (%i in %c0 to %N) -> tensor<?xf64> {
      %s = tile.fold sum %k in (%c2 to %c5) -> f64 {
        %e = tile.at %x[%i] : !tile.view<?xf32, in> -> f32
        %w = tile.cast %e : f32 to f64
        %f = tile.cast %k : i64 to f64
        %p = tile.mul %w, %f : f64
        tile.yield %p : f64
      }
      tile.yield %s : f64
    }
    tile.yield %r : tensor<?xf64>)",
                                  x);
  std::vector<double> got = elements<double>(r);
  for (size_t i = 0; i < x.size(); ++i) {
    ASSERT_EQ(got[i], 9.0 * static_cast<double>(i)) << i;
  }
}

TEST_F(FoldTest, ReversedAndNegativeBoundsAreEmpty) {
  FormulaArray r = evaluateVector(R"(
    %m3 = tile.constant -3 : i64
    %r = tile.map (%i in %c0 to %N) -> tensor<?xi64> {
      %s = tile.fold count %k in (%i to %m3) -> i64 {
        %t = tile.constant true
        tile.yield %t : i1
      }
      tile.yield %s : i64
    }
    tile.yield %r : tensor<?xi64>)",
                                  {1, 2});
  EXPECT_THAT(elements<int64_t>(r), ElementsAre(0, 0));
}

TEST_F(FoldTest, FoldInFold) {
  // sum over j of max over k in [0, j] of x[k].
  FormulaArray r = evaluateVector(R"(
    %r = tile.map (%i in %c0 to %c1) -> tensor<?xf32> {
      %s = tile.fold sum %j in (%c0 to %N) -> f32 {
        %end = tile.add %j, %c1 : i64
        %m = tile.fold max %k in (%c0 to %end) -> f32 {
          %e = tile.at %x[%k] : !tile.view<?xf32, in> -> f32
          tile.yield %e : f32
        }
        tile.yield %m : f32
      }
      tile.yield %s : f32
    }
    tile.yield %r : tensor<?xf32>)",
                                  {1, 3, 2, 5});
  EXPECT_THAT(elements<float>(r), ElementsAre(1 + 3 + 3 + 5));
}
