// Assertions, assumptions, printing.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "InterpreterTesting.h"

#include "llvm/Support/raw_ostream.h"

using namespace tessera;
using namespace tessera::interptest;

namespace {
std::string printed(const std::string &body) {
  std::string text;
  llvm::raw_string_ostream os(text);
  RunOptions options;
  options.print = &os;
  TestKernel kernel;
  RunReport r = kernel.with(options).run(body);
  EXPECT_TRUE(r.succeeded()) << explain(r);
  return text;
}
} // namespace

TEST(Message, AssertNamesTheElement) {
  Evaluated r = evaluate({{"c", "2x2xi1", {1, 1, 0, 1}}}, "2x2xi1", R"(
    tile.assert %c, "all set" : tensor<2x2xi1>
    %r = tile.not %c : tensor<2x2xi1>)",
                         /*mayFail=*/true);
  ASSERT_EQ(codes(r.report.errors), std::vector<std::string>{"T0878"});
  EXPECT_EQ(r.report.errors[0].index, (std::vector<int64_t>{1, 0}));
  EXPECT_EQ(
      r.report.errors[0].message,
      "assertion failed for element [1, 0]: all set; correct the program or what it is given");
  r = evaluate({{"c", "i1", {0}}}, "i1", R"(
    tile.assume %c, "aligned" : i1
    %r = tile.not %c : i1)",
               /*mayFail=*/true);
  ASSERT_EQ(codes(r.report.errors), std::vector<std::string>{"T0879"});
  EXPECT_TRUE(r.report.errors[0].index.empty());
}

TEST(Message, AbsentElementsAreNotAsked) {
  Evaluated r = evaluate({{"c", "3xi1", {1, 0, 1}}}, "3xi1", R"(
    %k = tile.keep_if %c, %c over [0] : tensor<3xi1>, tensor<3xi1>
    tile.assert %k, "present ones" : tensor<3xi1>
    tile.assume %k, "present ones" : tensor<3xi1>
    %n = tile.absent : i1
    tile.assert %n, "nobody" : i1
    %r = tile.not %c : tensor<3xi1>)");
  EXPECT_TRUE(r.report.succeeded());
}

TEST(Message, PrintShowsCoordinatesAndAbsence) {
  EXPECT_EQ(printed(R"(
    %a = tile.constant 1.5 : f32 tensor<1x2xf32>
    %i = tile.iota : tensor<2xi64>
    %z = tile.constant 0 : i64 tensor<2xi64>
    %c = tile.cmp eq, %i, %z : tensor<2xi64>
    %e = tile.expand %c at [0] : tensor<2xi1> to tensor<1x2xi1>
    %k = tile.keep_if %a, %e over [1] : tensor<1x2xf32>, tensor<1x2xi1>
    tile.print "k", %k : tensor<1x2xf32>)"),
            "k [0, 0] = 1.5\nk [0, 1] = absent\n");
}

TEST(Message, PrintShowsEveryKindOfElement) {
  EXPECT_EQ(printed("%a = tile.constant true\ntile.print \"t\", %a : i1"), "t = true\n");
  EXPECT_EQ(printed("%a = tile.constant -3 : i8\ntile.print \"i\", %a : i8"), "i = -3\n");
  EXPECT_EQ(printed("%a = tile.constant 18446744073709551615 : ui64\ntile.print \"u\", %a : ui64"),
            "u = 18446744073709551615\n");
  EXPECT_EQ(printed("%a = tile.constant 0x7F800000 : f32\ntile.print \"f\", %a : f32"),
            "f = inf\n");
  EXPECT_EQ(printed("%a = tile.constant -0.0 : bf16\ntile.print \"b\", %a : bf16"), "b = -0\n");
}

TEST(Message, PrintNamesTheGridPoint) {
  EXPECT_EQ(printed(R"(
    %c0 = tile.constant 0 : i64
    %c2 = tile.constant 2 : i64
    tile.grid (%i = range(%c0 to %c2)) {
      tile.print "i", %i : i64
    })"),
            "i at (axis0 = 0) = 0\ni at (axis0 = 1) = 1\n");
}
