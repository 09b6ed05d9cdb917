// argmax, argmin, topk: NaN, zeros, ties, missing terms.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "InterpreterTesting.h"

using namespace tessera;
using namespace tessera::interptest;

namespace {
struct Found {
  Values value, index;
};
Found arg(const std::string &op, const std::string &type, const Values &x,
          const Values &keep = {}) {
  std::string n = std::to_string(x.size()), t = n + "x" + type;
  Values mask = keep.empty() ? Values(x.size(), 1) : keep;
  std::string text = "%k = tile.keep_if %x, %c over [0] : tensor<" + t + ">, tensor<" + n +
                     "xi1>\n%v, %i = tile." + op + " %k along 0 : tensor<" + t + "> -> " + type +
                     ", i64\n";
  std::vector<Input> inputs = {{"x", t, x}, {"c", n + "xi1", mask}};
  std::string zero = "%z = tile.constant 0 : i64\n%r = tile.add %i, %z : i64";
  std::string select = "%t = tile.constant true\n%r = tile.select %t, %v, %v : " + type;
  Evaluated value = evaluate(inputs, type, text + select),
            index = evaluate(inputs, "i64", text + zero);
  EXPECT_EQ(value.present, std::vector<int>{1});
  EXPECT_EQ(index.present, std::vector<int>{1});
  return {value.values, index.values};
}
#define EXPECT_FOUND(found, theValue, theIndex)                                                    \
  {                                                                                                \
    Found f = found;                                                                               \
    EXPECT_SAME(f.value, ({theValue}));                                                            \
    EXPECT_SAME(f.index, ({theIndex}));                                                            \
  }
} // namespace

TEST(Selection, ArgMax) {
  EXPECT_FOUND(arg("argmax", "f32", {1, 5, 3}), 5, 1);
  EXPECT_FOUND(arg("argmax", "f32", {5, 5, 5}), 5, 0);
  EXPECT_FOUND(arg("argmax", "f32", {-0.0, 0.0}), -0.0, 0);
  EXPECT_FOUND(arg("argmax", "f32", {inf, qnan, qnan}), qnan, 1);
  EXPECT_FOUND(arg("argmax", "i8", {-128, -128}), -128, 0);
  EXPECT_FOUND(arg("argmax", "ui64", {1, 9}), 9, 1);
}

TEST(Selection, ArgMin) {
  EXPECT_FOUND(arg("argmin", "f32", {4, 2, 2}), 2, 1);
  EXPECT_FOUND(arg("argmin", "f32", {4, qnan, 2, qnan}), qnan, 1);
  EXPECT_FOUND(arg("argmin", "bf16", {inf, inf}), inf, 0);
}

TEST(Selection, AbsentTermsAndNone) {
  EXPECT_FOUND(arg("argmax", "f32", {9, 1, 3}, {0, 1, 1}), 3, 2);
  EXPECT_FOUND(arg("argmax", "f32", {qnan, -inf, qnan}, {0, 1, 0}), -inf, 1);
  EXPECT_FOUND(arg("argmax", "f32", {1, 2, 3}, {0, 0, 0}), -inf, -1);
  EXPECT_FOUND(arg("argmin", "i16", {1, 2, 3}, {0, 0, 0}), 32767, -1);
}

TEST(Selection, ArgMaxAlongColumnsKeepsOtherFactors) {
  Evaluated r =
      evaluate({{"x", "2x3xf32", {1, 5, 3, 4, 2, 3}}, {"c", "1x3xi1", {1, 0, 1}}}, "3xi64", R"(
    %k = tile.keep_if %x, %c over [1] : tensor<2x3xf32>, tensor<1x3xi1>
    %v, %r = tile.argmax %k along 0 : tensor<2x3xf32> -> tensor<3xf32>, tensor<3xi64>)");
  EXPECT_EQ(r.present, (std::vector<int>{1, 0, 1}));
  EXPECT_SAME(r.values, ({1, 0, 0}));
}

namespace {
Found topk(int k, const Values &x, const Values &keep = {}) {
  std::string n = std::to_string(x.size()), ks = std::to_string(k);
  Values mask = keep.empty() ? Values(x.size(), 1) : keep;
  auto text = [&](const std::string &v, const std::string &i) {
    return "%k = tile.keep_if %x, %c over [0] : tensor<" + n + "xf32>, tensor<" + n + "xi1>\n%" +
           v + ", %" + i + " = tile.topk " + ks + " of %k along 0 : tensor<" + n +
           "xf32> -> tensor<" + ks + "xf32>, tensor<" + ks + "xi64>";
  };
  std::vector<Input> inputs = {{"x", n + "xf32", x}, {"c", n + "xi1", mask}};
  Evaluated value = evaluate(inputs, ks + "xf32", text("r", "i")),
            index = evaluate(inputs, ks + "xi64", text("v", "r"));
  EXPECT_EQ(value.present, std::vector<int>(k, 1));
  return {value.values, index.values};
}
} // namespace

TEST(Selection, TopK) {
  Found f = topk(3, {1, 5, 3, 5});
  EXPECT_SAME(f.value, ({5, 5, 3}));
  EXPECT_SAME(f.index, ({1, 3, 2}));
  f = topk(4, {-inf, qnan, 2, qnan});
  EXPECT_SAME(f.value, ({qnan, qnan, 2, -inf}));
  EXPECT_SAME(f.index, ({1, 3, 2, 0}));
  f = topk(2, {0.0, -0.0});
  EXPECT_SAME(f.value, ({0.0, -0.0}));
  EXPECT_SAME(f.index, ({0, 1}));
  f = topk(3, {4, 9, 7}, {1, 0, 0});
  EXPECT_SAME(f.value, ({4, -inf, -inf}));
  EXPECT_SAME(f.index, ({0, -1, -1}));
}

TEST(Selection, TopKAlongRowsKeepsOtherFactors) {
  Evaluated r =
      evaluate({{"x", "2x3xi32", {1, 3, 2, 9, 8, 7}}, {"c", "2x1xi1", {1, 0}}}, "2x2xi32", R"(
    %k = tile.keep_if %x, %c over [0] : tensor<2x3xi32>, tensor<2x1xi1>
    %r, %i = tile.topk 2 of %k along 1 : tensor<2x3xi32> -> tensor<2x2xi32>, tensor<2x2xi64>)");
  EXPECT_EQ(r.present, (std::vector<int>{1, 1, 0, 0}));
  EXPECT_SAME(r.values, ({3, 2, 0, 0}));
  r = evaluate(
      {{"x", "3x2xi32", {1, 6, 5, 2, 3, 4}}}, "2x2xi32",
      "%r, %i = tile.topk 2 of %x along 0 : tensor<3x2xi32> -> tensor<2x2xi32>, tensor<2x2xi64>");
  EXPECT_SAME(r.values, ({5, 6, 3, 4}));
}
