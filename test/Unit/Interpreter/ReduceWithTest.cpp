// Reductions and scans by a region.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "InterpreterTesting.h"

using namespace tessera;
using namespace tessera::interptest;

namespace {
/// Subtraction is not associative: the result tells the order.
const char *subtract = R"( {
  ^bb0(%a: f32, %b: f32):
    %d = tile.sub %a, %b : f32
    tile.yield %d : f32
  })";
} // namespace

TEST(ReduceWith, TreeOrder) {
  Evaluated r = evaluate(
      {{"x", "5xf32", {1, 10, 100, 1000, 10000}}, {"i", "f32", {0}}}, "f32",
      std::string("%r = tile.reduce_with %x, %i along 0 : tensor<5xf32>, f32 -> f32") + subtract);
  // Width 8: (x0 - x4) - x2 and x1 - x3, then their difference.
  EXPECT_SAME(r.values, ({(1.0 - 10000 - 100) - (10.0 - 1000)}));
}

TEST(ReduceWith, AbsentSidesPassAndNoTermIsTheIdentity) {
  std::string keep = "%k = tile.keep_if %x, %c over [0, 1] : tensor<3x2xf32>, tensor<3x2xi1>\n";
  std::string reduce =
      "%r = tile.reduce_with %k, %i along 0 : tensor<3x2xf32>, f32 -> tensor<2xf32>";
  Evaluated r = evaluate({{"x", "3x2xf32", {1, 2, 4, 8, 16, 32}},
                          {"c", "3x2xi1", {1, 0, 0, 0, 1, 0}},
                          {"i", "f32", {-5}}},
                         "2xf32", keep + reduce + subtract);
  EXPECT_SAME(r.values, ({1.0 - 16, -5}));
  EXPECT_EQ(r.present, (std::vector<int>{1, 1}));
}

TEST(ReduceWith, TheRegionSeesValuesOutside) {
  Evaluated r = evaluate({{"x", "2xf32", {3, 4}}, {"w", "f32", {10}}, {"i", "f32", {0}}}, "f32", R"(
    %r = tile.reduce_with %x, %i along 0 : tensor<2xf32>, f32 -> f32 {
    ^bb0(%a: f32, %b: f32):
      %m = tile.mul %b, %w : f32
      %s = tile.add %a, %m : f32
      tile.yield %s : f32
    })");
  EXPECT_SAME(r.values, ({43}));
}

TEST(ReduceWith, AnAbsentIdentityIsAnError) {
  Evaluated r =
      evaluate({{"x", "2xf32", {3, 4}}}, "f32",
               std::string("%i = tile.absent : f32\n"
                           "%r = tile.reduce_with %x, %i along 0 : tensor<2xf32>, f32 -> f32") +
                   subtract,
               /*mayFail=*/true);
  ASSERT_EQ(codes(r.report.errors), std::vector<std::string>{"T0872"});
  EXPECT_NE(r.report.errors[0].message.find("identity"), std::string::npos);
}

TEST(ScanWith, RunsElementByElementFromTheIdentity) {
  std::vector<Input> inputs = {{"x", "4xf32", {1, 2, 3, 4}}, {"i", "f32", {100}}};
  auto scan = [&](const std::string &flags) {
    return evaluate(inputs, "4xf32",
                    "%r = tile.scan_with %x, %i along 0" + flags +
                        " : tensor<4xf32>, f32 -> tensor<4xf32>" + subtract)
        .values;
  };
  EXPECT_SAME(scan(""), ({99, 97, 94, 90}));
  EXPECT_SAME(scan(" {exclusive}"), ({100, 99, 97, 94}));
  EXPECT_SAME(scan(" {reverse}"), ({90, 91, 93, 96}));
  EXPECT_SAME(scan(" {exclusive, reverse}"), ({91, 93, 96, 100}));
}

TEST(ScanWith, AbsentTermsAreSkippedAndStayAbsent) {
  Evaluated r = evaluate(
      {{"x", "4xf32", {1, 2, 3, 4}}, {"c", "4xi1", {1, 0, 1, 0}}, {"i", "f32", {0}}}, "4xf32",
      std::string("%k = tile.keep_if %x, %c over [0] : tensor<4xf32>, tensor<4xi1>\n"
                  "%r = tile.scan_with %k, %i along 0 : tensor<4xf32>, f32 -> tensor<4xf32>") +
          subtract);
  EXPECT_EQ(r.present, (std::vector<int>{1, 0, 1, 0}));
  EXPECT_SAME(r.values, ({-1, 0, -4, 0}));
}
