// Loops and branches: no step, one step, reversed, carried values and their absence.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "InterpreterTesting.h"

using namespace tessera;
using namespace tessera::interptest;

namespace {
/// Collects the indices of a loop as decimal digits: 0*10 + i + 1 …
Values digits(double lo, double hi, const std::string &flags = "") {
  return evaluate({{"lo", "i64", {lo}}, {"hi", "i64", {hi}}, {"z", "i64", {0}}}, "i64", R"(
    %ten = tile.constant 10 : i64
    %r = tile.for %i in range(%lo to %hi))" + flags + R"( carry(%a = %z : i64) {
      %b = tile.mul %a, %ten : i64
      %c = tile.add %b, %i : i64
      tile.yield %c : i64
    })")
      .values;
}
} // namespace

TEST(Control, ForOverIndices) {
  EXPECT_SAME(digits(1, 5), ({1234}));
  EXPECT_SAME(digits(1, 5, " reversed"), ({4321}));
  EXPECT_SAME(digits(3, 3), ({0}));
  EXPECT_SAME(digits(3, -7), ({0}));
  EXPECT_SAME(digits(7, 8), ({7}));
}

TEST(Control, ForOverTiles) {
  auto run = [](const std::string &flags) {
    return evaluate({{"z", "i64", {0}}, {"n", "i64", {7}}}, "i64", R"(
      %k = tile.constant 100 : i64
      %r = tile.for %s in tiles(%c0 to %n by 3))" + flags + R"( carry(%a = %z : i64) {
        %start = tile.span_start %s : !tile.span<3>
        %stop = tile.span_stop %s : !tile.span<3>
        %b = tile.mul %a, %k : i64
        %c = tile.add %b, %start : i64
        %d = tile.mul %c, %k : i64
        %e = tile.add %d, %stop : i64
        tile.yield %e : i64
      })")
        .values;
  };
  EXPECT_SAME(run(""), ({303060607.0}));
  EXPECT_SAME(run(" reversed"), ({60703060003.0}));
}

TEST(Control, BoundsAtTheEndsOfTheRange) {
  Evaluated r = evaluate({{"z", "i64", {0}}}, "i64", R"(
    %lo = tile.constant 9223372036854775805 : i64
    %hi = tile.constant 9223372036854775807 : i64
    %one = tile.constant 1 : i64
    %r = tile.for %s in tiles(%lo to %hi by 4) carry(%a = %z : i64) {
      %b = tile.add %a, %one : i64
      tile.yield %b : i64
    })");
  EXPECT_SAME(r.values, ({1}));
}

TEST(Control, CarriedValuesSwapAndKeepTheirAbsence) {
  // Swapping two carried values reads both before writing either.
  Evaluated r = evaluate({{"a", "f32", {1}}, {"b", "f32", {2}}, {"n", "i64", {3}}}, "f32", R"(
    %r, %q = tile.for %i in range(%c0 to %n) carry(%x = %a : f32, %y = %b : f32) {
      tile.yield %y, %x : f32, f32
    })");
  EXPECT_SAME(r.values, ({2}));
  // Each step takes the element of the step away.
  r = evaluate({{"x", "4xf32", {1, 2, 3, 4}}, {"n", "i64", {2}}}, "4xf32", R"(
    %t = tile.iota : tensor<4xi64>
    %r = tile.for %i in range(%c0 to %n) carry(%a = %x : tensor<4xf32>) {
      %j = tile.splat %i : i64 to tensor<4xi64>
      %c = tile.cmp ne, %t, %j : tensor<4xi64>
      %k = tile.keep_if %a, %c over [0] : tensor<4xf32>, tensor<4xi1>
      tile.yield %k : tensor<4xf32>
    })");
  EXPECT_EQ(r.present, (std::vector<int>{0, 0, 1, 1}));
}

TEST(Control, SpansAndViewsAreCarried) {
  HostArray y = outputOf(DType::f32, {2});
  TestKernel kernel;
  RunReport r = kernel.in("x", "?xf32", arrayOf(DType::f32, {8}, {0, 1, 2, 3, 4, 5, 6, 7}))
                    .out("y", "2xf32", y)
                    .run(R"(
    %c0 = tile.constant 0 : i64
    %c2 = tile.constant 2 : i64
    %s = tile.span %c0, %c2 : !tile.span<2>
    %v, %q = tile.for %i in range(%c0 to %c2) carry(%a = %x : !tile.view<?xf32, in>, %b = %s : !tile.span<2>) {
      %l, %h = tile.view_split %a, 0 : !tile.view<?xf32, in> -> !tile.view<?xf32, in>, !tile.view<?xf32, in>
      tile.yield %h, %b : !tile.view<?xf32, in>, !tile.span<2>
    }
    %t = tile.load %v[%q] : !tile.view<?xf32, in>, !tile.span<2> -> tensor<2xf32>
    tile.store %t, %y[:] : tensor<2xf32>, !tile.view<2xf32, out>)");
  EXPECT_TRUE(r.succeeded()) << explain(r);
  EXPECT_SAME(valuesOf(y), ({6, 7}));
}

TEST(Control, IfAndElse) {
  for (double c : {0, 1}) {
    Evaluated r = evaluate({{"c", "i1", {c}}, {"a", "f32", {1}}, {"b", "f32", {2}}}, "f32", R"(
      %r = scf.if %c -> (f32) {
        scf.yield %a : f32
      } else {
        %n = tile.neg %b : f32
        scf.yield %n : f32
      })");
    EXPECT_SAME(r.values, ({c ? 1.0 : -2.0}));
  }
}

TEST(Control, While) {
  Evaluated r = evaluate({{"n", "i64", {27}}}, "i64", R"(
    %one = tile.constant 1 : i64
    %two = tile.constant 2 : i64
    %three = tile.constant 3 : i64
    %last, %r = scf.while (%x = %n, %steps = %c0) : (i64, i64) -> (i64, i64) {
      %go = tile.cmp ne, %x, %one : i64
      scf.condition(%go) %x, %steps : i64, i64
    } do {
    ^bb0(%x: i64, %steps: i64):
      %odd = tile.mod %x, %two : i64
      %isOdd = tile.cmp eq, %odd, %one : i64
      %half = tile.floordiv %x, %two : i64
      %triple = tile.mul %x, %three : i64
      %up = tile.add %triple, %one : i64
      %next = tile.select %isOdd, %up, %half : i64
      %more = tile.add %steps, %one : i64
      scf.yield %next, %more : i64, i64
    })");
  EXPECT_SAME(r.values, ({111}));
}

TEST(Control, AbsentConditionsAndBoundsAreErrors) {
  auto fails = [](const std::string &body, const std::string &part) {
    Evaluated r = evaluate({{"a", "i64", {1}}}, "i64", body, /*mayFail=*/true);
    ASSERT_EQ(codes(r.report.errors), std::vector<std::string>{"T0872"});
    EXPECT_NE(r.report.errors[0].message.find(part), std::string::npos)
        << r.report.errors[0].message;
  };
  fails(R"(%c = tile.absent : i1
    %r = scf.if %c -> (i64) { scf.yield %a : i64 } else { scf.yield %c0 : i64 })",
        "the condition of `if`");
  fails(R"(%n = tile.absent : i64
    %r = tile.for %i in range(%c0 to %n) carry(%x = %a : i64) { tile.yield %x : i64 })",
        "the end of a loop");
  fails(R"(%n = tile.absent : i64
    %r = tile.for %i in range(%n to %a) carry(%x = %a : i64) { tile.yield %x : i64 })",
        "the first index of a loop");
  fails(R"(%c = tile.absent : i1
    %r = scf.while (%x = %a) : (i64) -> i64 { scf.condition(%c) %x : i64 } do { ^bb0(%x: i64): scf.yield %x : i64 })",
        "the condition of `while`");
}

TEST(Control, ErrorsInsideLoopsEndTheLoop) {
  Evaluated r = evaluate({{"n", "i64", {5}}}, "i64", R"(
    %no = tile.constant false
    %r = tile.for %i in range(%c0 to %n) carry(%x = %c0 : i64) {
      tile.assert %no, "stop here" : i1
      tile.yield %i : i64
    })",
                         /*mayFail=*/true);
  EXPECT_EQ(codes(r.report.errors), std::vector<std::string>{"T0878"});
}
