// Matrix products: order of k, types, and the three ways in which an operand can be absent.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "InterpreterTesting.h"

using namespace tessera;
using namespace tessera::interptest;

namespace {
std::string mma(const std::string &a = "%a", const std::string &b = "%b",
                const std::string &acc = "%c") {
  return "%r = tile.mma " + a + ", " + b + ", " + acc +
         " : tensor<2x3xf32>, tensor<3x2xf32>, tensor<2x2xf32>";
}
const Input left = {"a", "2x3xf32", {1, 2, 3, 4, 5, 6}};
const Input right = {"b", "3x2xf32", {1, 10, 2, 20, 3, 30}};
const Input acc = {"c", "2x2xf32", {0.5, 0.5, 0.5, 0.5}};
} // namespace

TEST(Product, Plain) {
  Evaluated r = evaluate({left, right, acc}, "2x2xf32", mma());
  EXPECT_SAME(r.values, ({14.5, 140.5, 32.5, 320.5}));
  EXPECT_TRUE(r.report.warnings.empty());
}

TEST(Product, TypesAndWrapping) {
  Evaluated r = evaluate(
      {{"a", "1x2xi8", {-128, 127}}, {"b", "2x1xi8", {-128, 2}}, {"c", "1x1xi32", {5}}}, "1x1xi32",
      "%r = tile.mma %a, %b, %c : tensor<1x2xi8>, tensor<2x1xi8>, tensor<1x1xi32>");
  EXPECT_SAME(r.values, ({16384 + 254 + 5}));
  r = evaluate({{"a", "1x2xbf16", {1, 2}}, {"b", "2x1xbf16", {3, 4}}, {"c", "1x1xf32", {0}}},
               "1x1xf32",
               "%r = tile.mma %a, %b, %c : tensor<1x2xbf16>, tensor<2x1xbf16>, tensor<1x1xf32>");
  EXPECT_SAME(r.values, ({11}));
  r = evaluate(
      {{"a", "1x2xf8E5M2", {1, 2}}, {"b", "2x1xf8E5M2", {3, 4}}, {"c", "1x1xf32", {0}}}, "1x1xf32",
      "%r = tile.mma %a, %b, %c : tensor<1x2xf8E5M2>, tensor<2x1xf8E5M2>, tensor<1x1xf32>");
  EXPECT_SAME(r.values, ({11}));
}

TEST(Product, FusedAndAscendingInK) {
  // 1e8 + 1 rounds to 1e8, then -1e8 gives 0; any other order gives 1.
  Evaluated r = evaluate(
      {{"a", "1x3xf32", {1e8, 1, -1e8}}, {"b", "3x1xf32", {1, 1, 1}}, {"c", "1x1xf32", {0}}},
      "1x1xf32", "%r = tile.mma %a, %b, %c : tensor<1x3xf32>, tensor<3x1xf32>, tensor<1x1xf32>");
  EXPECT_SAME(r.values, ({0}));
  // (1 + 2^-12)^2 - 1 - 2^-11 is 2^-24 when the product is not rounded.
  double x = 1 + std::ldexp(1, -12);
  r = evaluate(
      {{"a", "1x1xf32", {x}}, {"b", "1x1xf32", {x}}, {"c", "1x1xf32", {-1 - std::ldexp(1, -11)}}},
      "1x1xf32", "%r = tile.mma %a, %b, %c : tensor<1x1xf32>, tensor<1x1xf32>, tensor<1x1xf32>");
  EXPECT_SAME(r.values, ({std::ldexp(1, -24)}));
}

TEST(Product, AbsentKIsSkipped) {
  std::vector<Input> inputs = {
      {"a", "2x3xf32", {1, qnan, 3, 4, inf, 6}}, right, acc, {"k", "1x3xi1", {1, 0, 1}}};
  Evaluated r =
      evaluate(inputs, "2x2xf32",
               "%x = tile.keep_if %a, %k over [1] : tensor<2x3xf32>, tensor<1x3xi1>\n" + mma("%x"));
  EXPECT_SAME(r.values, ({10.5, 100.5, 22.5, 220.5}));
  EXPECT_EQ(r.present, (std::vector<int>{1, 1, 1, 1}));
  EXPECT_TRUE(r.report.warnings.empty());
  // Either operand's factor is enough, and both are joined.
  inputs = {{"a", "2x3xf32", {1, qnan, 3, 4, inf, 6}},
            right,
            acc,
            {"k", "3x1xi1", {1, 0, 0}},
            {"l", "1x3xi1", {0, 1, 1}}};
  r = evaluate(inputs, "2x2xf32",
               "%y = tile.keep_if %b, %k over [0] : tensor<3x2xf32>, tensor<3x1xi1>\n" +
                   mma("%a", "%y"));
  EXPECT_SAME(r.values, ({1.5, 10.5, 4.5, 40.5}));
  r = evaluate(inputs, "2x2xf32",
               "%x = tile.keep_if %a, %l over [1] : tensor<2x3xf32>, tensor<1x3xi1>\n"
               "%y = tile.keep_if %b, %k over [0] : tensor<3x2xf32>, tensor<3x1xi1>\n" +
                   mma("%x", "%y"));
  EXPECT_SAME(r.values, ({0.5, 0.5, 0.5, 0.5}));
}

TEST(Product, OtherAbsentElementsAreZeroAndMultiplied) {
  std::vector<Input> inputs = {
      left, {"b", "3x2xf32", {1, 10, qnan, 20, 3, 30}}, acc, {"k", "2x3xi1", {1, 0, 1, 1, 1, 1}}};
  Evaluated r = evaluate(
      inputs, "2x2xf32",
      "%x = tile.keep_if %a, %k over [0, 1] : tensor<2x3xf32>, tensor<2x3xi1>\n" + mma("%x"));
  // Row 0 meets 0 * NaN and 0 * 20.
  EXPECT_SAME(r.values, ({qnan, 100.5, qnan, 320.5}));
  ASSERT_EQ(r.report.warnings.size(), 1u);
  EXPECT_EQ(r.report.warnings[0].code(), "T0898");
  EXPECT_TRUE(isWarning(r.report.warnings[0].id));
}

TEST(Product, OneWarningPerOp) {
  Evaluated r = evaluate({left, right, acc, {"k", "2x3xi1", {1, 0, 1, 1, 1, 1}}}, "2x2xf32", R"(
    %x = tile.keep_if %a, %k over [0, 1] : tensor<2x3xf32>, tensor<2x3xi1>
    %c3 = tile.constant 3 : i64
    %r = tile.for %i in range(%c0 to %c3) carry(%t = %c : tensor<2x2xf32>) {
      %n = tile.mma %x, %b, %t : tensor<2x3xf32>, tensor<3x2xf32>, tensor<2x2xf32>
      tile.yield %n : tensor<2x2xf32>
    })");
  EXPECT_EQ(r.report.warnings.size(), 1u);
}

TEST(Product, RowsAndColumnsStayAbsent) {
  std::vector<Input> inputs = {left,
                               right,
                               acc,
                               {"m", "2x1xi1", {0, 1}},
                               {"n", "1x2xi1", {1, 0}},
                               {"q", "2x2xi1", {1, 1, 0, 1}}};
  Evaluated r =
      evaluate(inputs, "2x2xf32",
               "%x = tile.keep_if %a, %m over [0] : tensor<2x3xf32>, tensor<2x1xi1>\n" + mma("%x"));
  EXPECT_EQ(r.present, (std::vector<int>{0, 0, 1, 1}));
  EXPECT_TRUE(r.report.warnings.empty());
  r = evaluate(inputs, "2x2xf32",
               "%y = tile.keep_if %b, %n over [1] : tensor<3x2xf32>, tensor<1x2xi1>\n" +
                   mma("%a", "%y"));
  EXPECT_EQ(r.present, (std::vector<int>{1, 0, 1, 0}));
  r = evaluate(inputs, "2x2xf32",
               "%z = tile.keep_if %c, %q over [0, 1] : tensor<2x2xf32>, tensor<2x2xi1>\n" +
                   mma("%a", "%b", "%z"));
  EXPECT_EQ(r.present, (std::vector<int>{1, 1, 0, 1}));
}

TEST(Product, Precisions) {
  double fine = 1 + std::ldexp(1, -12);
  std::vector<Input> inputs = {
      {"a", "1x1xf32", {fine}}, {"b", "1x1xf32", {1}}, {"c", "1x1xf32", {0}}};
  auto with = [&](const std::string &precision) {
    return evaluate(inputs, "1x1xf32",
                    "%r = tile.mma %a, %b, %c {precision = #tile.mma_precision<" + precision +
                        ">} : tensor<1x1xf32>, tensor<1x1xf32>, tensor<1x1xf32>")
        .values;
  };
  EXPECT_SAME(with("tf32"), ({1}));
  EXPECT_SAME(with("tf32x3"), ({fine}));
  EXPECT_SAME(with("bf16x6"), ({fine}));
}
