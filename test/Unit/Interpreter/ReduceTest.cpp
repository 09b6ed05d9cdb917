// Reductions: kinds, identities, the tree order, missing terms.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "InterpreterTesting.h"

using namespace tessera;
using namespace tessera::interptest;

namespace {
std::string reduce(const std::string &kind, const std::string &from, const std::string &to,
                   int axis = 0, const std::string &operand = "%x") {
  return "%r = tile.reduce " + kind + " " + operand + " along " + std::to_string(axis) +
         " : tensor<" + from + "> -> " + to;
}
Values one(const std::string &kind, const std::string &type, const Values &x,
           const std::string &result) {
  std::string n = std::to_string(x.size());
  return evaluate({{"x", n + "x" + type, x}}, result, reduce(kind, n + "x" + type, result)).values;
}

/// The tree as the language defines it, written as a recursion over present terms.
float tree(const std::vector<float> &x, const std::vector<int> &present) {
  struct Node {
    bool has;
    float value;
  };
  std::vector<Node> nodes;
  for (size_t i = 0; i < x.size(); ++i) {
    nodes.push_back({present[i] != 0, x[i]});
  }
  size_t width = 1;
  while (width < nodes.size()) {
    width *= 2;
  }
  nodes.resize(width, {false, 0});
  for (; width > 1; width /= 2) {
    for (size_t i = 0; i < width / 2; ++i) {
      Node &a = nodes[i], &b = nodes[i + width / 2];
      a = a.has && b.has ? Node{true, a.value + b.value} : a.has ? a : b;
    }
  }
  return nodes[0].has ? nodes[0].value + 0.0f : 0.0f;
}
} // namespace

TEST(Reduce, KindsOfFloats) {
  EXPECT_SAME(one("sum", "f32", {1, 2, 3}, "f32"), ({6}));
  EXPECT_SAME(one("prod", "f32", {2, 3, 4}, "f32"), ({24}));
  EXPECT_SAME(one("max", "f32", {1, qnan, 3}, "f32"), ({qnan}));
  EXPECT_SAME(one("max", "f32", {-0.0, 0.0, -1}, "f32"), ({0.0}));
  EXPECT_SAME(one("max", "f32", {-5, -7}, "f32"), ({-5}));
  EXPECT_SAME(one("min", "f32", {0.0, -0.0, 1}, "f32"), ({-0.0}));
  EXPECT_SAME(one("max_num", "f32", {1, qnan, 3}, "f32"), ({3}));
  EXPECT_SAME(one("min_num", "f32", {qnan, qnan}, "f32"), ({qnan}));
  EXPECT_SAME(one("absmax", "f32", {1, -7, 3}, "f32"), ({7}));
  EXPECT_SAME(one("absmax", "f32", {-7}, "f32"), ({7}));
  EXPECT_SAME(one("absmax", "i8", {-128}, "i8"), ({-128}));
  EXPECT_SAME(one("absmax", "bf16", {-9, qnan}, "bf16"), ({qnan}));
}

TEST(Reduce, KindsOfIntegersAndTruthValues) {
  EXPECT_SAME(one("sum", "i8", {127, 127, 127}, "i32"), ({381}));
  EXPECT_SAME(one("sum", "ui16", {65535, 65535}, "ui32"), ({131070}));
  EXPECT_SAME(one("prod", "i32", {1 << 20, 1 << 12}, "i32"), ({0}));
  EXPECT_SAME(one("min", "i64", {3, -4, 5}, "i64"), ({-4}));
  EXPECT_SAME(one("and", "ui8", {0xF0, 0x3C}, "ui8"), ({0x30}));
  EXPECT_SAME(one("or", "i32", {1, 4}, "i32"), ({5}));
  EXPECT_SAME(one("xor", "i32", {7, 2}, "i32"), ({5}));
  EXPECT_SAME(one("any", "i1", {0, 1, 0}, "i1"), ({1}));
  EXPECT_SAME(one("all", "i1", {1, 1, 0}, "i1"), ({0}));
  EXPECT_SAME(one("count", "i1", {1, 1, 0, 1}, "i64"), ({3}));
}

TEST(Reduce, SmallFloatsSumInF32) {
  EXPECT_SAME(one("sum", "bf16", {256, 1, 1, 1}, "f32"), ({259}));
  EXPECT_SAME(one("sum", "f16", {65504, 65504}, "f32"), ({131008}));
}

TEST(Reduce, ASumIsNeverNegativeZero) {
  EXPECT_SAME(one("sum", "f32", {-0.0, -0.0}, "f32"), ({0.0}));
  EXPECT_SAME(one("sum", "f32", {-0.0}, "f32"), ({0.0}));
  EXPECT_SAME(one("prod", "f32", {-0.0}, "f32"), ({-0.0}));
}

TEST(Reduce, AxesOfACube) {
  Input cube = {"x", "2x3x2xi32", {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}};
  EXPECT_SAME(evaluate({cube}, "3x2xi32", reduce("sum", "2x3x2xi32", "tensor<3x2xi32>", 0)).values,
              ({6, 8, 10, 12, 14, 16}));
  EXPECT_SAME(evaluate({cube}, "2x2xi32", reduce("sum", "2x3x2xi32", "tensor<2x2xi32>", 1)).values,
              ({6, 9, 24, 27}));
  EXPECT_SAME(evaluate({cube}, "2x3xi32", reduce("sum", "2x3x2xi32", "tensor<2x3xi32>", 2)).values,
              ({1, 5, 9, 13, 17, 21}));
}

/// Sums whose value depends on the order, for every extent and several patterns of absence.
TEST(Reduce, TreeOrderForEveryExtentAndPattern) {
  for (int extent : {1, 2, 3, 4, 5, 7, 8, 9, 13, 16, 17, 31, 33}) {
    for (int pattern = 0; pattern < 5; ++pattern) {
      std::vector<float> x;
      std::vector<int> present;
      Values values, mask;
      for (int i = 0; i < extent; ++i) {
        float v = (i % 3 == 0 ? 1e8f : i % 3 == 1 ? -1e8f : 1.25f) * float(1 + i % 5);
        bool keep = pattern == 0   ? true
                    : pattern == 1 ? i < (extent + 1) / 2
                    : pattern == 2 ? i % 2 == 1
                    : pattern == 3 ? i > 2
                                   : false;
        x.push_back(v);
        values.push_back(v);
        present.push_back(keep);
        mask.push_back(keep);
      }
      std::string n = std::to_string(extent), t = n + "xf32";
      Evaluated r = evaluate({{"x", t, values}, {"c", n + "xi1", mask}}, "f32",
                             "%k = tile.keep_if %x, %c over [0] : tensor<" + t + ">, tensor<" + n +
                                 "xi1>\n" + reduce("sum", t, "f32", 0, "%k"));
      EXPECT_SAME(r.values, ({tree(x, present)})) << "extent " << extent << ", pattern " << pattern;
      EXPECT_EQ(r.present, std::vector<int>{1});
    }
  }
}

TEST(Reduce, TreeOrderOfColumnsWithHoles) {
  Values x, mask;
  std::vector<std::vector<float>> columns(2);
  std::vector<std::vector<int>> present(2);
  for (int i = 0; i < 7; ++i) {
    for (int j = 0; j < 2; ++j) {
      float v = (i % 2 ? -1e8f : 1e8f) + float(i * 3 + j);
      bool keep = (i + j) % 3 != 0;
      x.push_back(v);
      mask.push_back(keep);
      columns[j].push_back(v);
      present[j].push_back(keep);
    }
  }
  Evaluated r =
      evaluate({{"x", "7x2xf32", x}, {"c", "7x2xi1", mask}}, "2xf32",
               "%k = tile.keep_if %x, %c over [0, 1] : tensor<7x2xf32>, tensor<7x2xi1>\n" +
                   reduce("sum", "7x2xf32", "tensor<2xf32>", 0, "%k"));
  EXPECT_SAME(r.values, ({tree(columns[0], present[0]), tree(columns[1], present[1])}));
}

TEST(Reduce, NoTermIsTheIdentityAndPresent) {
  auto none = [](const std::string &kind, const std::string &type, const std::string &result) {
    std::string t = "3x" + type;
    Evaluated r = evaluate(
        {{"x", t, {1, 1, 1}}}, result,
        "%c = tile.constant false tensor<3xi1>\n%k = tile.keep_if %x, %c over [0] : tensor<" + t +
            ">, tensor<3xi1>\n" + reduce(kind, t, result, 0, "%k"));
    EXPECT_EQ(r.present, std::vector<int>{1}) << kind;
    return r.values;
  };
  EXPECT_SAME(none("sum", "f32", "f32"), ({0}));
  EXPECT_SAME(none("prod", "f32", "f32"), ({1}));
  EXPECT_SAME(none("max", "f32", "f32"), ({-inf}));
  EXPECT_SAME(none("min", "bf16", "bf16"), ({inf}));
  EXPECT_SAME(none("max", "i8", "i8"), ({-128}));
  EXPECT_SAME(none("min", "ui8", "ui8"), ({255}));
  EXPECT_SAME(none("max_num", "f32", "f32"), ({-inf}));
  EXPECT_SAME(none("absmax", "f32", "f32"), ({0}));
  EXPECT_SAME(none("any", "i1", "i1"), ({0}));
  EXPECT_SAME(none("all", "i1", "i1"), ({1}));
  EXPECT_SAME(none("and", "ui8", "ui8"), ({255}));
  EXPECT_SAME(none("or", "i32", "i32"), ({0}));
  EXPECT_SAME(none("xor", "i32", "i32"), ({0}));
  EXPECT_SAME(none("count", "i1", "i64"), ({0}));
}

TEST(Reduce, OtherFactorsStayRenumbered) {
  // Factors over 0 and 2 of a cube reduced along 1: rows and columns stay absent.
  Evaluated r = evaluate({{"x", "2x2x2xf32", {1, 2, 3, 4, 5, 6, 7, 8}},
                          {"a", "2x1x1xi1", {0, 1}},
                          {"b", "1x1x2xi1", {1, 0}}},
                         "2x2xf32", R"(
    %k = tile.keep_if %x, %a over [0] : tensor<2x2x2xf32>, tensor<2x1x1xi1>
    %l = tile.keep_if %k, %b over [2] : tensor<2x2x2xf32>, tensor<1x1x2xi1>
    %r = tile.reduce sum %l along 1 : tensor<2x2x2xf32> -> tensor<2x2xf32>)");
  EXPECT_EQ(r.present, (std::vector<int>{0, 0, 1, 0}));
  EXPECT_SAME(r.values, ({0, 0, 12, 0}));
}

TEST(Reduce, ExactKindsWithHoles) {
  Evaluated r =
      evaluate({{"x", "5xf32", {9, 1, qnan, -3, 4}}, {"c", "5xi1", {0, 1, 0, 1, 0}}}, "f32", R"(
    %k = tile.keep_if %x, %c over [0] : tensor<5xf32>, tensor<5xi1>
    %r = tile.reduce max %k along 0 : tensor<5xf32> -> f32)");
  EXPECT_SAME(r.values, ({1}));
  r = evaluate({{"x", "5xbf16", {9, -1, qnan, -3, 4}}, {"c", "5xi1", {0, 1, 0, 1, 0}}}, "bf16", R"(
    %k = tile.keep_if %x, %c over [0] : tensor<5xbf16>, tensor<5xi1>
    %r = tile.reduce absmax %k along 0 : tensor<5xbf16> -> bf16)");
  EXPECT_SAME(r.values, ({3}));
}

TEST(Reduce, AnyOrderIsAccepted) {
  Evaluated r = evaluate(
      {{"x", "4xf32", {1, 2, 3, 4}}}, "f32",
      "%r = tile.reduce sum %x along 0 {order = #tile.reduce_order<any>} : tensor<4xf32> -> f32");
  EXPECT_SAME(r.values, ({10}));
}
