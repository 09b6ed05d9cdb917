// Loops in functions that formulas use, random words, assertions.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ReferenceTest.h"

using namespace tessera;
using namespace tessera::testing;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

namespace {
class LoopTest : public ReferenceTest {};
} // namespace

TEST_F(LoopTest, ForWithBoundsPerElement) {
  // Fibonacci numbers by exchanging two carried values.
  FormulaArray r = evaluateVector(R"(
    %r = tile.map (%i in %c0 to %N) -> tensor<?xi64> {
      %a, %b = tile.for %k in range(%c0 to %i) carry(%p = %c0 : i64, %q = %c1 : i64) {
        %s = tile.add %p, %q : i64
        tile.yield %q, %s : i64, i64
      }
      tile.yield %a : i64
    }
    tile.yield %r : tensor<?xi64>)",
                                  std::vector<float>(8));
  EXPECT_THAT(elements<int64_t>(r), ElementsAre(0, 1, 1, 2, 3, 5, 8, 13));
}

TEST_F(LoopTest, ForReversed) {
  // Digits of the indices 2, 1, 0 in this order.
  FormulaArray r = evaluateVector(R"(
    %c3 = tile.constant 3 : i64
    %c10 = tile.constant 10 : i64
    %r = tile.map (%i in %c0 to %c1) -> tensor<?xi64> {
      %a = tile.for %k in range(%c0 to %c3) reversed carry(%p = %c0 : i64) {
        %t = tile.mul %p, %c10 : i64
        %s = tile.add %t, %k : i64
        tile.yield %s : i64
      }
      tile.yield %a : i64
    }
    tile.yield %r : tensor<?xi64>)",
                                  {});
  EXPECT_THAT(elements<int64_t>(r), ElementsAre(210));
}

TEST_F(LoopTest, WhileStopsEachLaneByItself) {
  // Steps of the Collatz sequence down to 1.
  FormulaArray r = evaluateVector(R"(
    %c2 = tile.constant 2 : i64
    %c3 = tile.constant 3 : i64
    %r = tile.map (%i in %c0 to %N) -> tensor<?xi64> {
      %start = tile.add %i, %c1 : i64
      %n, %steps = scf.while (%m = %start, %s = %c0) : (i64, i64) -> (i64, i64) {
        %more = tile.cmp gt, %m, %c1 : i64
        scf.condition(%more) %m, %s : i64, i64
      } do {
      ^bb0(%m: i64, %s: i64):
        %odd = tile.mod %m, %c2 : i64
        %isOdd = tile.cmp eq, %odd, %c1 : i64
        %t = tile.mul %m, %c3 : i64
        %u = tile.add %t, %c1 : i64
        %h = tile.floordiv %m, %c2 : i64
        %next = tile.select %isOdd, %u, %h : i64
        %s1 = tile.add %s, %c1 : i64
        scf.yield %next, %s1 : i64, i64
      }
      tile.yield %steps : i64
    }
    tile.yield %r : tensor<?xi64>)",
                                  std::vector<float>(9));
  EXPECT_THAT(elements<int64_t>(r), ElementsAre(0, 1, 7, 2, 5, 8, 16, 3, 19));
}

TEST_F(LoopTest, RandomWords) {
  // Known answer for counter and key of zeros: published with the generator (philox4x32-10).
  FormulaArray r = evaluateVector(R"(
    %seed = tile.constant 0 : ui64
    %r = tile.map (%i in %c0 to %c1) -> tensor<?xui32> {
      %a, %b, %c, %d = tile.philox %seed, %seed, %i : i64 -> ui32
      tile.yield %a : ui32
    }
    tile.yield %r : tensor<?xui32>)",
                                  {});
  EXPECT_THAT(elements<uint32_t>(r), ElementsAre(0x6627e8d5u));
}

TEST_F(LoopTest, Assertion) {
  tile::KernelOp kernel = vectorKernel(R"(
    %zero = tile.constant 0.0 : f32
    %r = tile.map (%i in %c0 to %N) -> tensor<?xf32> {
      %e = tile.at %x[%i] : !tile.view<?xf32, in> -> f32
      %p = tile.cmp ge, %e, %zero : f32
      tile.assert %p, "x is not negative" : i1
      tile.yield %e : f32
    }
    tile.yield %r : tensor<?xf32>)");
  HostArray *good = array<float>(DType::f32, {2}, {1, 0}),
            *bad = array<float>(DType::f32, {2}, {1, -1});
  EXPECT_EQ(evaluateError(kernel, {FormulaArgument::ofExtent(2), FormulaArgument::ofArray(*good)}),
            "no error");
  EXPECT_THAT(evaluateError(kernel, {FormulaArgument::ofExtent(2), FormulaArgument::ofArray(*bad)}),
              HasSubstr("T0905: assertion failed in a formula: x is not negative [index 0 = 1]"));
}
