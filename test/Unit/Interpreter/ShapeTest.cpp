// Index maps and constants, and how absence moves with the elements.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "InterpreterTesting.h"

using namespace tessera;
using namespace tessera::interptest;

namespace {
const Input matrix = {"x", "2x3xf32", {1, 2, 3, 4, 5, 6}};
const Input rows = {"kr", "2x1xi1", {1, 0}};
const Input columns = {"kc", "1x3xi1", {1, 0, 1}};
const char *keepRows = "%k = tile.keep_if %x, %kr over [0] : tensor<2x3xf32>, tensor<2x1xi1>\n";
const char *keepColumns = "%k = tile.keep_if %x, %kc over [1] : tensor<2x3xf32>, tensor<1x3xi1>\n";
std::string body(const char *keep, const char *rest) { return std::string(keep) + rest; }
} // namespace

TEST(Shape, ConstantsOfEveryKind) {
  EXPECT_SAME(evaluate({}, "2xf32", "%r = tile.constant 0xFF800000 : f32 tensor<2xf32>").values,
              ({-inf, -inf}));
  EXPECT_SAME(evaluate({}, "ui8", "%r = tile.constant 200 : ui8").values, ({200}));
  EXPECT_SAME(evaluate({}, "2xi1", "%r = tile.constant true tensor<2xi1>").values, ({1, 1}));
  EXPECT_SAME(evaluate({}, "3xbf16", "%r = tile.constant 1.5 : bf16 tensor<3xbf16>").values,
              ({1.5, 1.5, 1.5}));
}

TEST(Shape, IotaAndSplat) {
  EXPECT_SAME(evaluate({}, "4xi64", "%r = tile.iota : tensor<4xi64>").values, ({0, 1, 2, 3}));
  Evaluated r =
      evaluate({{"s", "f32", {7}}}, "2x2xf32", "%r = tile.splat %s : f32 to tensor<2x2xf32>");
  EXPECT_SAME(r.values, ({7, 7, 7, 7}));
  r = evaluate({}, "2xf32", R"(%s = tile.absent : f32
    %r = tile.splat %s : f32 to tensor<2xf32>)");
  EXPECT_EQ(r.present, (std::vector<int>{0, 0}));
}

TEST(Shape, BroadcastRepeatsAndDropsTheAxisFromFactors) {
  Evaluated r = evaluate({{"x", "2x1xf32", {1, 2}}}, "2x3xf32",
                         "%r = tile.broadcast %x : tensor<2x1xf32> to tensor<2x3xf32>");
  EXPECT_SAME(r.values, ({1, 1, 1, 2, 2, 2}));
  // The factor over axis 0 stays one over axis 0 alone: a sum along axis 1 keeps it.
  r = evaluate({{"x", "2x1xf32", {1, 2}}, {"k", "2x1xi1", {0, 1}}}, "2xf32", R"(
    %a = tile.keep_if %x, %k over [0, 1] : tensor<2x1xf32>, tensor<2x1xi1>
    %b = tile.broadcast %a : tensor<2x1xf32> to tensor<2x3xf32>
    %r = tile.reduce sum %b along 1 : tensor<2x3xf32> -> tensor<2xf32>)");
  EXPECT_EQ(r.present, (std::vector<int>{0, 1}));
  EXPECT_SAME(r.values, ({0, 6}));
}

TEST(Shape, PermuteMovesElementsAndFactors) {
  Evaluated r = evaluate({matrix}, "3x2xf32",
                         "%r = tile.permute %x, [1, 0] : tensor<2x3xf32> to tensor<3x2xf32>");
  EXPECT_SAME(r.values, ({1, 4, 2, 5, 3, 6}));
  r = evaluate(
      {matrix, columns}, "3x2xf32",
      body(keepColumns, "%r = tile.permute %k, [1, 0] : tensor<2x3xf32> to tensor<3x2xf32>"));
  EXPECT_EQ(r.present, (std::vector<int>{1, 1, 0, 0, 1, 1}));
  Evaluated both = evaluate({matrix, {"c", "2x3xi1", {1, 0, 0, 0, 1, 1}}}, "3x2xf32", R"(
    %k = tile.keep_if %x, %c over [0, 1] : tensor<2x3xf32>, tensor<2x3xi1>
    %r = tile.permute %k, [1, 0] : tensor<2x3xf32> to tensor<3x2xf32>)");
  EXPECT_EQ(both.present, (std::vector<int>{1, 0, 0, 1, 0, 1}));
  Evaluated cube =
      evaluate({{"x", "2x2x2xi32", {0, 1, 2, 3, 4, 5, 6, 7}}}, "2x2x2xi32",
               "%r = tile.permute %x, [2, 0, 1] : tensor<2x2x2xi32> to tensor<2x2x2xi32>");
  EXPECT_SAME(cube.values, ({0, 2, 4, 6, 1, 3, 5, 7}));
}

TEST(Shape, ExpandAndSqueezeRenumber) {
  Evaluated r = evaluate(
      {matrix, columns}, "2x1x3xf32",
      body(keepColumns, "%r = tile.expand %k at [1] : tensor<2x3xf32> to tensor<2x1x3xf32>"));
  EXPECT_EQ(r.present, (std::vector<int>{1, 0, 1, 1, 0, 1}));
  r = evaluate({matrix, rows}, "2x3xf32", body(keepRows, R"(
    %e = tile.expand %k at [0, 2] : tensor<2x3xf32> to tensor<1x2x1x3xf32>
    %r = tile.squeeze %e at [0, 2] : tensor<1x2x1x3xf32> to tensor<2x3xf32>)"));
  EXPECT_EQ(r.present, (std::vector<int>{1, 1, 1, 0, 0, 0}));
  EXPECT_SAME(
      evaluate({{"x", "1xf32", {4}}}, "f32", "%r = tile.squeeze %x at [0] : tensor<1xf32> to f32")
          .values,
      ({4}));
  r = evaluate({{"x", "1xf32", {4}}, {"c", "1xi1", {0}}}, "f32", R"(
    %k = tile.keep_if %x, %c over [0] : tensor<1xf32>, tensor<1xi1>
    %r = tile.squeeze %k at [0] : tensor<1xf32> to f32)");
  EXPECT_EQ(r.present, (std::vector<int>{0}));
}

TEST(Shape, ReshapeKeepsWholeAxesAndMergesTheRest) {
  // Axis 0 is kept whole: the sum over the new axes leaves its factor alone.
  Evaluated r =
      evaluate({{"x", "2x4xf32", {1, 2, 3, 4, 5, 6, 7, 8}}, {"k", "2x1xi1", {0, 1}}}, "2x2xf32", R"(
    %a = tile.keep_if %x, %k over [0] : tensor<2x4xf32>, tensor<2x1xi1>
    %b = tile.reshape %a : tensor<2x4xf32> to tensor<2x2x2xf32>
    %r = tile.reduce sum %b along 2 : tensor<2x2x2xf32> -> tensor<2x2xf32>)");
  EXPECT_EQ(r.present, (std::vector<int>{0, 0, 1, 1}));
  EXPECT_SAME(r.values, ({0, 0, 11, 15}));
  // Axis 1 is cut: its factor becomes one over all axes, and deciding a term it leaves an identity.
  r = evaluate({{"x", "2x4xf32", {1, 2, 3, 4, 5, 6, 7, 8}}, {"k", "1x4xi1", {0, 0, 1, 1}}},
               "2x2xf32", R"(
    %a = tile.keep_if %x, %k over [1] : tensor<2x4xf32>, tensor<1x4xi1>
    %b = tile.reshape %a : tensor<2x4xf32> to tensor<2x2x2xf32>
    %r = tile.reduce sum %b along 2 : tensor<2x2x2xf32> -> tensor<2x2xf32>)");
  EXPECT_EQ(r.present, (std::vector<int>{1, 1, 1, 1}));
  EXPECT_SAME(r.values, ({0, 7, 0, 15}));
}

TEST(Shape, FlipAndSliceMoveAbsence) {
  Evaluated r = evaluate({matrix, {"c", "1x3xi1", {1, 1, 0}}}, "2x3xf32", R"(
    %k = tile.keep_if %x, %c over [1] : tensor<2x3xf32>, tensor<1x3xi1>
    %r = tile.flip %k along 1 : tensor<2x3xf32>)");
  EXPECT_SAME(r.values, ({0, 2, 1, 0, 5, 4}));
  EXPECT_EQ(r.present, (std::vector<int>{0, 1, 1, 0, 1, 1}));
  EXPECT_SAME(evaluate({matrix}, "2x3xf32", "%r = tile.flip %x along 0 : tensor<2x3xf32>").values,
              ({4, 5, 6, 1, 2, 3}));
  r = evaluate(
      {matrix, columns}, "1x2xf32",
      body(keepColumns, "%r = tile.slice %k from [1, 1] : tensor<2x3xf32> to tensor<1x2xf32>"));
  EXPECT_SAME(r.values, ({0, 6}));
  EXPECT_EQ(r.present, (std::vector<int>{0, 1}));
}

TEST(Shape, CatMergesFactors) {
  Evaluated r = evaluate(
      {matrix, {"y", "2x1xf32", {10, 20}}}, "2x4xf32",
      "%r = tile.cat %x, %y along 1 : tensor<2x3xf32>, tensor<2x1xf32> to tensor<2x4xf32>");
  EXPECT_SAME(r.values, ({1, 2, 3, 10, 4, 5, 6, 20}));
  r = evaluate(
      {matrix, rows, {"y", "1x3xf32", {7, 8, 9}}}, "3x3xf32",
      body(keepRows,
           "%r = tile.cat %y, %k along 0 : tensor<1x3xf32>, tensor<2x3xf32> to tensor<3x3xf32>"));
  EXPECT_EQ(r.present, (std::vector<int>{1, 1, 1, 1, 1, 1, 0, 0, 0}));
  // One factor over all axes: a sum along axis 1 finds no term in the last row, and that is 0, present.
  r = evaluate({matrix, rows, {"y", "1x3xf32", {7, 8, 9}}}, "3xf32", body(keepRows, R"(
    %c = tile.cat %y, %k along 0 : tensor<1x3xf32>, tensor<2x3xf32> to tensor<3x3xf32>
    %r = tile.reduce sum %c along 1 : tensor<3x3xf32> -> tensor<3xf32>)"));
  EXPECT_EQ(r.present, (std::vector<int>{1, 1, 1}));
  EXPECT_SAME(r.values, ({24, 6, 0}));
}
