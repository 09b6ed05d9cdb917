// keep_if, fill_absent, present, absent: factors are over the axes that the program names.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "InterpreterTesting.h"

using namespace tessera;
using namespace tessera::interptest;

namespace {
const Input matrix = {"x", "2x3xf32", {1, 2, 3, 4, 5, 6}};
} // namespace

TEST(Absence, KeepIfNamesItsAxes) {
  // A factor over axis 0 alone survives a reduction along axis 1.
  Evaluated r = evaluate({matrix, {"c", "2x1xi1", {0, 1}}}, "2xf32", R"(
    %k = tile.keep_if %x, %c over [0] : tensor<2x3xf32>, tensor<2x1xi1>
    %r = tile.reduce sum %k along 1 : tensor<2x3xf32> -> tensor<2xf32>)");
  EXPECT_EQ(r.present, (std::vector<int>{0, 1}));
  EXPECT_SAME(r.values, ({0, 15}));
  // Over both axes it decides terms, and no term is the identity.
  r = evaluate({matrix, {"c", "2x3xi1", {0, 0, 0, 1, 0, 1}}}, "2xf32", R"(
    %k = tile.keep_if %x, %c over [0, 1] : tensor<2x3xf32>, tensor<2x3xi1>
    %r = tile.reduce max %k along 1 : tensor<2x3xf32> -> tensor<2xf32>)");
  EXPECT_EQ(r.present, (std::vector<int>{1, 1}));
  EXPECT_SAME(r.values, ({-inf, 6}));
}

TEST(Absence, TheConditionsFactorsAreAdded) {
  // Row 0 of the condition is absent: the row is absent, it is no row without terms.
  std::vector<Input> inputs = {
      matrix, {"c", "2x3xi1", {1, 1, 1, 1, 0, 1}}, {"kc", "2x1xi1", {0, 1}}};
  std::string keep = R"(
    %d = tile.keep_if %c, %kc over [0] : tensor<2x3xi1>, tensor<2x1xi1>
    %k = tile.keep_if %x, %d over [0, 1] : tensor<2x3xf32>, tensor<2x3xi1>
  )";
  Evaluated r = evaluate(inputs, "2x3xf32", keep + "%r = tile.add %k, %k : tensor<2x3xf32>");
  EXPECT_EQ(r.present, (std::vector<int>{0, 0, 0, 1, 0, 1}));
  r = evaluate(inputs, "2xf32",
               keep + "%r = tile.reduce sum %k along 1 : tensor<2x3xf32> -> tensor<2xf32>");
  EXPECT_EQ(r.present, (std::vector<int>{0, 1}));
  EXPECT_SAME(r.values, ({0, 10}));
}

TEST(Absence, KeepIfOnAScalar) {
  for (int keep : {0, 1}) {
    Evaluated r = evaluate({{"x", "f32", {3}}, {"c", "i1", {double(keep)}}}, "f32",
                           "%r = tile.keep_if %x, %c over [] : f32, i1");
    EXPECT_EQ(r.present, (std::vector<int>{keep}));
  }
}

TEST(Absence, FillDropsTheFactors) {
  Evaluated r = evaluate(
      {matrix, {"c", "2x1xi1", {0, 1}}, {"f", "2x3xf32", {-1, -2, -3, -4, -5, -6}}}, "2x3xf32", R"(
    %k = tile.keep_if %x, %c over [0] : tensor<2x3xf32>, tensor<2x1xi1>
    %r = tile.fill_absent %k, %f : tensor<2x3xf32>)");
  EXPECT_EQ(r.present, (std::vector<int>{1, 1, 1, 1, 1, 1}));
  EXPECT_SAME(r.values, ({-1, -2, -3, 4, 5, 6}));
}

TEST(Absence, FillWithAnAbsentTileGivesOneFactorOverAllAxes) {
  std::vector<Input> inputs = {matrix,
                               {"c", "2x1xi1", {0, 1}},
                               {"f", "2x3xf32", {-1, -2, -3, -4, -5, -6}},
                               {"d", "1x3xi1", {0, 1, 1}}};
  std::string filled = R"(
    %k = tile.keep_if %x, %c over [0] : tensor<2x3xf32>, tensor<2x1xi1>
    %g = tile.keep_if %f, %d over [1] : tensor<2x3xf32>, tensor<1x3xi1>
    %e = tile.fill_absent %k, %g : tensor<2x3xf32>
  )";
  Evaluated r = evaluate(inputs, "2x3xf32", filled + "%r = tile.abs %e : tensor<2x3xf32>");
  EXPECT_EQ(r.present, (std::vector<int>{0, 1, 1, 1, 1, 1}));
  EXPECT_SAME(r.values, ({0, 2, 3, 4, 5, 6}));
  // Not over axis 1 alone: the column sum of column 0 exists.
  r = evaluate(inputs, "3xf32",
               filled + "%r = tile.reduce sum %e along 0 : tensor<2x3xf32> -> tensor<3xf32>");
  EXPECT_EQ(r.present, (std::vector<int>{1, 1, 1}));
  EXPECT_SAME(r.values, ({4, 3, 3}));
}

TEST(Absence, AbsentAndPresent) {
  Evaluated r = evaluate({}, "2x2xf32", "%r = tile.absent : tensor<2x2xf32>");
  EXPECT_EQ(r.present, (std::vector<int>{0, 0, 0, 0}));
  r = evaluate({}, "i64", "%r = tile.absent : i64");
  EXPECT_EQ(r.present, (std::vector<int>{0}));
  r = evaluate({matrix, {"c", "1x3xi1", {1, 0, 1}}}, "2x3xi1", R"(
    %k = tile.keep_if %x, %c over [1] : tensor<2x3xf32>, tensor<1x3xi1>
    %r = tile.present %k : tensor<2x3xf32>)");
  EXPECT_SAME(r.values, ({1, 0, 1, 1, 0, 1}));
  EXPECT_EQ(r.present, (std::vector<int>(6, 1)));
}

TEST(Absence, FactorsOverOneSetOfAxesMeet) {
  Evaluated r = evaluate(
      {{"x", "4xf32", {1, 2, 3, 4}}, {"a", "4xi1", {1, 1, 0, 0}}, {"b", "4xi1", {1, 0, 1, 0}}},
      "4xf32", R"(
    %k = tile.keep_if %x, %a over [0] : tensor<4xf32>, tensor<4xi1>
    %r = tile.keep_if %k, %b over [0] : tensor<4xf32>, tensor<4xi1>)");
  EXPECT_EQ(r.present, (std::vector<int>{1, 0, 0, 0}));
}
