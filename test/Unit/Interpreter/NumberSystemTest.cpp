// Other number systems: every float a double, and a field that is written here. Ops that a system lacks are refused by
// name before anything runs.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Evaluate.h"
#include "PrimeField.h"

using namespace tessera;
using namespace tessera::interptest;

namespace {
void expectUndefined(const RunReport &r, const std::string &part) {
  ASSERT_EQ(codes(r.errors), std::vector<std::string>{"T0885"}) << explain(r);
  EXPECT_NE(r.errors[0].message.find(part), std::string::npos) << r.errors[0].message;
  EXPECT_NE(lineOf(r.errors[0].where), 0u);
}
} // namespace

TEST(F64, NothingIsRounded) {
  double fine = 1 + std::ldexp(1, -40);
  Evaluated r =
      evaluate<F64System>({{"a", "2xf64", {fine, 3}}, {"b", "2xf64", {1, 1e300}}}, "2xbf16", R"(
    %x = tile.cast %a : tensor<2xf64> to tensor<2xbf16>
    %y = tile.cast %b : tensor<2xf64> to tensor<2xbf16>
    %r = tile.mul %x, %y : tensor<2xbf16>)");
  EXPECT_SAME(r.values, ({fine, 3e300}));
}

TEST(F64, InputsAreConvertedAndOutputsMayBeNarrow) {
  HostArray y = outputOf(DType::bf16, {3});
  TestKernel kernel;
  RunReport r = kernel.in("x", "3xbf16", arrayOf(DType::bf16, {3}, {1, -0.0, inf}))
                    .out("y", "3xbf16", y)
                    .run<F64System>(R"(
    %t = tile.load %x[:] : !tile.view<3xbf16, in> -> tensor<3xbf16>
    tile.store %t, %y[:] : tensor<3xbf16>, !tile.view<3xbf16, out>)");
  EXPECT_TRUE(r.succeeded()) << explain(r);
  EXPECT_SAME(valuesOf(y), ({1, -0.0, inf}));
}

TEST(F64, InoutMayBeWide) {
  HostArray y = arrayOf(DType::f64, {2}, {1 + std::ldexp(1, -40), 2});
  auto run = [&](bool exact) {
    TestKernel kernel;
    kernel.inout("y", "2xf32", y);
    const char *body = R"(
      %t = tile.load %y[:] : !tile.view<2xf32, inout> -> tensor<2xf32>
      %u = tile.add %t, %t : tensor<2xf32>
      tile.store %u, %y[:] : tensor<2xf32>, !tile.view<2xf32, inout>)";
    return exact ? kernel.run<ExactSystem>(body) : kernel.run<F64System>(body);
  };
  EXPECT_TRUE(run(false).succeeded());
  EXPECT_SAME(valuesOf(y), ({2 + std::ldexp(1, -39), 4}));
  EXPECT_EQ(codes(run(true).errors), std::vector<std::string>{"T0892"});
}

TEST(F64, ReductionsProductsAndScans) {
  EXPECT_SAME(evaluate<F64System>({{"x", "3xf32", {1e8, 1, -1e8}}}, "f32",
                                  "%r = tile.reduce sum %x along 0 : tensor<3xf32> -> f32")
                  .values,
              ({1}));
  EXPECT_SAME(evaluate<F64System>({{"x", "2xbf16", {-0.0, -0.0}}}, "f32",
                                  "%r = tile.reduce sum %x along 0 : tensor<2xbf16> -> f32")
                  .values,
              ({0.0}));
  EXPECT_SAME(evaluate<F64System>({{"x", "3xf32", {1e8, 1, -1e8}}}, "3xf32",
                                  "%r = tile.scan sum %x along 0 : tensor<3xf32> -> tensor<3xf32>")
                  .values,
              ({1e8, 1e8 + 1, 1}));
  EXPECT_SAME(
      evaluate<F64System>(
          {{"a", "1x3xf32", {1e8, 1, -1e8}}, {"b", "3x1xf32", {1, 1, 1}}, {"c", "1x1xf32", {0}}},
          "1x1xf32", "%r = tile.mma %a, %b, %c : tensor<1x3xf32>, tensor<3x1xf32>, tensor<1x1xf32>")
          .values,
      ({1}));
  EXPECT_SAME(evaluate<F64System>({{"x", "3xf32", {1, qnan, 2}}}, "i64", R"(
    %v, %r = tile.argmax %x along 0 : tensor<3xf32> -> f32, i64)")
                  .values,
              ({1}));
}

TEST(F64, BitsAreUndefined) {
  Evaluated r = evaluate<F64System>({{"x", "2xf32", {1, 2}}}, "2xui32",
                                    "%r = tile.bits %x : tensor<2xf32>", true);
  expectUndefined(r.report, "`tile.bits` of f32 is not defined in the number system `f64`");
  r = evaluate<F64System>({{"x", "2xui32", {1, 2}}}, "2xf32",
                          "%r = tile.from_bits %x : tensor<2xui32> to tensor<2xf32>", true);
  expectUndefined(r.report, "`tile.from_bits` of f32");
}

namespace {
Evaluated field(const std::vector<Input> &inputs, const std::string &type, const std::string &body,
                bool mayFail = false) {
  return evaluate<PrimeField>(inputs, type, body, mayFail);
}
} // namespace

TEST(Field, Arithmetic) {
  std::vector<Input> inputs = {{"a", "3xf32", {1, 1000000, 7}}, {"b", "3xf32", {2, 5, -1}}};
  EXPECT_SAME(field(inputs, "3xf32", "%r = tile.add %a, %b : tensor<3xf32>").values, ({3, 2, 6}));
  EXPECT_SAME(field(inputs, "3xf32", "%r = tile.mul %a, %b : tensor<3xf32>").values,
              ({2, 999988, 999996}));
  // Dividing and multiplying back gives the same number, which no float promises.
  EXPECT_SAME(field(inputs, "3xf32", R"(
    %q = tile.div %a, %b : tensor<3xf32>
    %r = tile.mul %q, %b : tensor<3xf32>)")
                  .values,
              ({1, 1000000, 7}));
}

TEST(Field, ReductionsProductsConstantsAndAbsence) {
  EXPECT_SAME(field({{"x", "3xf32", {1000000, 2, 5}}}, "f32",
                    "%r = tile.reduce sum %x along 0 : tensor<3xf32> -> f32")
                  .values,
              ({4}));
  EXPECT_SAME(field({{"x", "3xf32", {1000000, 2, 5}}, {"c", "3xi1", {1, 0, 1}}}, "f32", R"(
    %k = tile.keep_if %x, %c over [0] : tensor<3xf32>, tensor<3xi1>
    %r = tile.reduce sum %k along 0 : tensor<3xf32> -> f32)")
                  .values,
              ({2}));
  EXPECT_SAME(field({{"x", "3xf32", {2, 3, 4}}}, "3xf32",
                    "%r = tile.scan prod %x along 0 : tensor<3xf32> -> tensor<3xf32>")
                  .values,
              ({2, 6, 24}));
  EXPECT_SAME(field({{"a", "1x2xf32", {1000, 2}}, {"b", "2x1xf32", {1001, 3}}}, "1x1xf32", R"(
    %c = tile.constant 1.0 : f32 tensor<1x1xf32>
    %r = tile.mma %a, %b, %c : tensor<1x2xf32>, tensor<2x1xf32>, tensor<1x1xf32>)")
                  .values,
              ({1004}));
}

TEST(Field, WhatItLacksIsRefusedByName) {
  std::vector<Input> inputs = {{"a", "2xf32", {1, 2}}, {"b", "2xf32", {2, 1}}};
  expectUndefined(field(inputs, "2xf32", "%r = tile.exp %a : tensor<2xf32>", true).report,
                  "`tile.exp` of f32 is not defined in the number system `field`");
  expectUndefined(field(inputs, "2xi1", "%r = tile.cmp lt, %a, %b : tensor<2xf32>", true).report,
                  "`tile.cmp`");
  expectUndefined(field(inputs, "2xf32", "%r = tile.max %a, %b : tensor<2xf32>", true).report,
                  "`tile.max`");
  expectUndefined(field(inputs, "2xf32", "%r = tile.fma %a, %b, %a : tensor<2xf32>", true).report,
                  "`tile.fma`");
  expectUndefined(
      field(inputs, "f32", "%r = tile.reduce max %a along 0 : tensor<2xf32> -> f32", true).report,
      "`tile.reduce`");
  expectUndefined(
      field(inputs, "2xf32", "%r = tile.scan max %a along 0 : tensor<2xf32> -> tensor<2xf32>", true)
          .report,
      "`tile.scan`");
  expectUndefined(
      field(inputs, "f32", "%r, %i = tile.argmax %a along 0 : tensor<2xf32> -> f32, i64", true)
          .report,
      "`tile.argmax`");
  expectUndefined(
      field(inputs, "1xf32",
            "%r, %i = tile.topk 1 of %a along 0 : tensor<2xf32> -> tensor<1xf32>, tensor<1xi64>",
            true)
          .report,
      "`tile.topk`");
  expectUndefined(
      field(inputs, "2xi32",
            "%r = tile.cast %a {round = #tile.round<rz>} : tensor<2xf32> to tensor<2xi32>", true)
          .report,
      "`tile.cast`");
  TestKernel kernel;
  expectUndefined(kernel.in("x", "2xbf16", arrayOf(DType::bf16, {2}, {0, 0}))
                      .run<PrimeField>("%c = tile.constant 0 : i64"),
                  "`memory` of bf16");
}

TEST(Field, IntegersAreExact) {
  EXPECT_SAME(field({{"a", "2xi32", {7, -7}}, {"b", "2xi32", {2, 2}}}, "2xi32",
                    "%r = tile.floordiv %a, %b : tensor<2xi32>")
                  .values,
              ({3, -4}));
}
