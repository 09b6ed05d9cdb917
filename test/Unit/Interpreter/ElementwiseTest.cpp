// The elementwise family in the interpreter: every row of the table runs, on scalars and tiles, with the union of the
// operands' absence. The arithmetic itself is tested with the number systems.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "InterpreterTesting.h"

using namespace tessera;
using namespace tessera::interptest;

TEST(Elementwise, AddsTilesAndScalars) {
  Evaluated r = evaluate({{"a", "3xf32", {1, -0.0, inf}}, {"b", "3xf32", {2, -0.0, -inf}}}, "3xf32",
                         "%r = tile.add %a, %b : tensor<3xf32>");
  EXPECT_SAME(r.values, ({3, -0.0, qnan}));
  r = evaluate({{"a", "i8", {127}}, {"b", "i8", {1}}}, "i8", "%r = tile.add %a, %b : i8");
  EXPECT_SAME(r.values, ({-128}));
}

/// Each row of the table once for every type that it takes: the interpreter's result is the number system's.
TEST(Elementwise, EveryRowRunsForEveryType) {
  for (unsigned row = 0; row < numScalarOps; ++row) {
    auto op = static_cast<ScalarOp>(row);
    for (DType t : allDTypes) {
      if (!accepts(op, t)) {
        continue;
      }
      std::string type = "5x" + irName(t).str(), tensor = "tensor<" + type + ">";
      Values a = {3, 1, 0, 2, 1}, b = {1, 2, 0, 1, 3}, c = {2, 2, 2, 0, 1};
      if (isBool(t)) {
        a = {1, 1, 0, 0, 1}, b = {1, 0, 1, 0, 0};
      }
      std::string operands = info(op).arity == 1   ? "%a"
                             : info(op).arity == 2 ? "%a, %b"
                                                   : "%a, %b, %c";
      DType out = resultType(op, t);
      Evaluated r = evaluate({{"a", type, a}, {"b", type, b}, {"c", type, isBool(t) ? a : c}},
                             "5x" + irName(out).str(),
                             "%r = tile." + mnemonic(op).str() + " " + operands + " : " + tensor);
      HostArray x = arrayOf(t, {5}, a), y = arrayOf(t, {5}, b),
                z = arrayOf(t, {5}, isBool(t) ? a : c);
      HostArray expected = outputOf(out, {5});
      if (info(op).arity == 1) {
        ExactSystem::unary(op, t)(x.data(), expected.data(), 5);
      } else if (info(op).arity == 2) {
        ExactSystem::binary(op, t)(x.data(), y.data(), expected.data(), 5);
      } else {
        ExactSystem::ternary(op, t)(x.data(), y.data(), z.data(), expected.data(), 5);
      }
      EXPECT_TRUE(same(r.values, valuesOf(expected)))
          << mnemonic(op).str() << " " << irName(t).str();
    }
  }
}

TEST(Elementwise, AbsenceIsTheUnion) {
  std::vector<Input> inputs = {{"a", "2x2xf32", {1, 2, 3, 4}},
                               {"b", "2x2xf32", {10, 20, 30, 40}},
                               {"c", "2x2xf32", {5, 5, 5, 5}},
                               {"ka", "2x1xi1", {1, 0}},
                               {"kb", "1x2xi1", {0, 1}}};
  std::string keep = R"(
    %x = tile.keep_if %a, %ka over [0] : tensor<2x2xf32>, tensor<2x1xi1>
    %y = tile.keep_if %b, %kb over [1] : tensor<2x2xf32>, tensor<1x2xi1>
  )";
  Evaluated r = evaluate(inputs, "2x2xf32", keep + "%r = tile.add %x, %y : tensor<2x2xf32>");
  EXPECT_EQ(r.present, (std::vector<int>{0, 1, 0, 0}));
  EXPECT_SAME(r.values, ({0, 22, 0, 0}));
  r = evaluate(inputs, "2x2xf32", keep + "%r = tile.fma %c, %x, %y : tensor<2x2xf32>");
  EXPECT_EQ(r.present, (std::vector<int>{0, 1, 0, 0}));
  EXPECT_SAME(r.values, ({0, 30, 0, 0}));
  r = evaluate(inputs, "2x2xi1", keep + "%r = tile.cmp lt, %x, %y : tensor<2x2xf32>");
  EXPECT_EQ(r.present, (std::vector<int>{0, 1, 0, 0}));
  EXPECT_SAME(r.values, ({0, 1, 0, 0}));
  r = evaluate(inputs, "2x2xf32", keep + "%r = tile.neg %y : tensor<2x2xf32>");
  EXPECT_EQ(r.present, (std::vector<int>{0, 1, 0, 1}));
}

TEST(Elementwise, SelectIsStrictInAllOperands) {
  std::vector<Input> inputs = {{"c", "4xi1", {1, 0, 1, 0}},      {"a", "4xf32", {1, 2, 3, 4}},
                               {"b", "4xf32", {-1, -2, -3, -4}}, {"ka", "4xi1", {1, 0, 1, 1}},
                               {"kb", "4xi1", {0, 1, 1, 1}},     {"kc", "4xi1", {1, 1, 0, 1}}};
  Evaluated r = evaluate(inputs, "4xf32", R"(
    %x = tile.keep_if %a, %ka over [0] : tensor<4xf32>, tensor<4xi1>
    %y = tile.keep_if %b, %kb over [0] : tensor<4xf32>, tensor<4xi1>
    %z = tile.keep_if %c, %kc over [0] : tensor<4xi1>, tensor<4xi1>
    %r = tile.select %z, %x, %y : tensor<4xf32>)");
  EXPECT_EQ(r.present, (std::vector<int>{0, 0, 0, 1}));
  EXPECT_SAME(r.values, ({0, 0, 0, -4}));
  r = evaluate(inputs, "4xf32", "%r = tile.select %c, %a, %b : tensor<4xf32>");
  EXPECT_SAME(r.values, ({1, -2, 3, -4}));
}

TEST(Elementwise, CastsRoundOnce) {
  Evaluated r = evaluate({{"a", "4xf32", {1.00390625, 3.4e38, qnan, -0.0}}}, "4xbf16",
                         "%r = tile.cast %a : tensor<4xf32> to tensor<4xbf16>");
  EXPECT_SAME(r.values, ({1, inf, qnan, -0.0}));
  r = evaluate(
      {{"a", "3xf32", {448, 1e9, qnan}}}, "3xf8E4M3FN",
      "%r = tile.cast %a {overflow = #tile.overflow<sat>} : tensor<3xf32> to tensor<3xf8E4M3FN>");
  EXPECT_SAME(r.values, ({448, 448, qnan}));
  r = evaluate({{"a", "5xf32", {2.5, -2.5, 300, qnan, -inf}}}, "5xi8",
               "%r = tile.cast %a {round = #tile.round<rz>} : tensor<5xf32> to tensor<5xi8>");
  EXPECT_SAME(r.values, ({2, -2, 127, 0, -128}));
  r = evaluate(
      {{"a", "2xi32", {300, -1}}}, "2xui8",
      "%r = tile.cast %a {overflow = #tile.overflow<wrap>} : tensor<2xi32> to tensor<2xui8>");
  EXPECT_SAME(r.values, ({44, 255}));
  r = evaluate({{"a", "3xf32", {0, qnan, -2}}}, "3xi1",
               "%r = tile.cast %a : tensor<3xf32> to tensor<3xi1>");
  EXPECT_SAME(r.values, ({0, 1, 1}));
}

TEST(Elementwise, BitsGoBothWays) {
  Evaluated r =
      evaluate({{"a", "2xf32", {1, -0.0}}}, "2xui32", "%r = tile.bits %a : tensor<2xf32>");
  EXPECT_SAME(r.values, ({0x3f800000, 2147483648.0}));
  r = evaluate({{"a", "2xui16", {0x3f80, 0xff80}}}, "2xbf16",
               "%r = tile.from_bits %a : tensor<2xui16> to tensor<2xbf16>");
  EXPECT_SAME(r.values, ({1, -inf}));
}

TEST(Elementwise, ComparisonsWithNanAndZeros) {
  std::vector<Input> inputs = {{"a", "4xf32", {qnan, -0.0, 1, -inf}},
                               {"b", "4xf32", {qnan, 0.0, 2, inf}}};
  auto compare = [&](const std::string &predicate) {
    return evaluate(inputs, "4xi1", "%r = tile.cmp " + predicate + ", %a, %b : tensor<4xf32>")
        .values;
  };
  EXPECT_SAME(compare("eq"), ({0, 1, 0, 0}));
  EXPECT_SAME(compare("ne"), ({1, 0, 1, 1}));
  EXPECT_SAME(compare("lt"), ({0, 0, 1, 1}));
  EXPECT_SAME(compare("ge"), ({0, 1, 0, 0}));
}

TEST(Elementwise, FastAccuracyIsAccepted) {
  Evaluated r = evaluate({{"a", "3xf32", {0, 1, -inf}}}, "3xf32",
                         "%r = tile.exp2 %a {accuracy = #tile.accuracy<fast>} : tensor<3xf32>");
  EXPECT_SAME(r.values, ({1, 2, 0}));
}
