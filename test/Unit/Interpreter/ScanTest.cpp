// Running sums, products and extrema.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "InterpreterTesting.h"

using namespace tessera;
using namespace tessera::interptest;

namespace {
Values scan(const std::string &kind, const std::string &flags, const std::string &from,
            const std::string &to, const Values &x, int axis = 0) {
  return evaluate({{"x", from, x}}, to,
                  "%r = tile.scan " + kind + " %x along " + std::to_string(axis) + flags +
                      " : tensor<" + from + "> -> tensor<" + to + ">")
      .values;
}
} // namespace

TEST(Scan, Directions) {
  EXPECT_SAME(scan("sum", "", "4xf32", "4xf32", {1, 2, 3, 4}), ({1, 3, 6, 10}));
  EXPECT_SAME(scan("sum", " {exclusive}", "4xf32", "4xf32", {1, 2, 3, 4}), ({0, 1, 3, 6}));
  EXPECT_SAME(scan("sum", " {reverse}", "4xf32", "4xf32", {1, 2, 3, 4}), ({10, 9, 7, 4}));
  EXPECT_SAME(scan("sum", " {exclusive, reverse}", "4xf32", "4xf32", {1, 2, 3, 4}), ({9, 7, 4, 0}));
  EXPECT_SAME(scan("sum", " {exclusive}", "1xf32", "1xf32", {5}), ({0}));
}

TEST(Scan, Kinds) {
  EXPECT_SAME(scan("prod", "", "3xf32", "3xf32", {2, 3, 4}), ({2, 6, 24}));
  EXPECT_SAME(scan("max", "", "4xf32", "4xf32", {-1, 3, qnan, 4}), ({-1, 3, qnan, qnan}));
  EXPECT_SAME(scan("max", " {exclusive}", "2xf32", "2xf32", {1, 2}), ({-inf, 1}));
  EXPECT_SAME(scan("min", "", "3xi8", "3xi8", {5, -7, 2}), ({5, -7, -7}));
}

TEST(Scan, AccumulatorTypes) {
  EXPECT_SAME(scan("sum", "", "3xi8", "3xi32", {127, 127, 127}), ({127, 254, 381}));
  EXPECT_SAME(scan("sum", "", "3xbf16", "3xf32", {256, 1, 1}), ({256, 257, 258}));
}

TEST(Scan, SequentialOrderOfFloats) {
  // (1e8 + 1) + -1e8 is 0 in f32, whatever a tree would give.
  EXPECT_SAME(scan("sum", "", "3xf32", "3xf32", {1e8, 1, -1e8}), ({1e8, 1e8, 0}));
  EXPECT_SAME(scan("sum", "", "1xf32", "1xf32", {-0.0}), ({0.0}));
}

TEST(Scan, AxesOfAMatrix) {
  EXPECT_SAME(scan("sum", "", "2x3xi32", "2x3xi32", {1, 2, 3, 4, 5, 6}, 0), ({1, 2, 3, 5, 7, 9}));
  EXPECT_SAME(scan("sum", " {reverse}", "2x3xi32", "2x3xi32", {1, 2, 3, 4, 5, 6}, 1),
              ({6, 5, 3, 15, 11, 6}));
}

TEST(Scan, AbsentTermsAreSkippedAndFactorsKept) {
  Evaluated r =
      evaluate({{"x", "5xf32", {1, 2, 4, 8, 16}}, {"c", "5xi1", {1, 0, 1, 0, 1}}}, "5xf32", R"(
    %k = tile.keep_if %x, %c over [0] : tensor<5xf32>, tensor<5xi1>
    %r = tile.scan sum %k along 0 : tensor<5xf32> -> tensor<5xf32>)");
  EXPECT_EQ(r.present, (std::vector<int>{1, 0, 1, 0, 1}));
  EXPECT_SAME(r.values, ({1, 0, 5, 0, 21}));
  // A ragged tail, from the far end.
  r = evaluate({{"x", "4xf32", {1, 2, 4, 8}}, {"c", "4xi1", {1, 1, 1, 0}}}, "4xf32", R"(
    %k = tile.keep_if %x, %c over [0] : tensor<4xf32>, tensor<4xi1>
    %r = tile.scan sum %k along 0 {reverse} : tensor<4xf32> -> tensor<4xf32>)");
  EXPECT_SAME(r.values, ({7, 6, 4, 0}));
  EXPECT_EQ(r.present, (std::vector<int>{1, 1, 1, 0}));
  // A row that is absent altogether does not enter the other row.
  r = evaluate({{"x", "2x2xf32", {1, 2, 4, 8}}, {"c", "2x1xi1", {0, 1}}}, "2x2xf32", R"(
    %k = tile.keep_if %x, %c over [0] : tensor<2x2xf32>, tensor<2x1xi1>
    %r = tile.scan sum %k along 0 : tensor<2x2xf32> -> tensor<2x2xf32>)");
  EXPECT_SAME(r.values, ({0, 0, 4, 8}));
  EXPECT_EQ(r.present, (std::vector<int>{0, 0, 1, 1}));
}
