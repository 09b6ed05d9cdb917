// Branches, loops and variables in the IR.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FrontendTesting.h"

namespace tessera::testing {
namespace {

TEST(Control, StaticBranchesLeaveNoTrace) {
  Outcome o = compileBody("    y[0, 0] = if 1 < 2 { s } else { x[r, 0] }\n    let r = 1");
  // Names are resolved on both sides all the same.
  EXPECT_THAT(only(o), HasSubstr("`r` is not declared"));
  o = compileBody("    let r = 1\n    y[0, 0] = if 1 < 2 { s } else { t as q8 }\n");
  EXPECT_THAT(only(o), HasSubstr("is not declared"));
  o = compileBody("    y[0, 0] = if 1 < 2 { s } else { x + s }");
  ASSERT_TRUE(o.ok()) << o.rendered;
  EXPECT_THAT(o.ir, Not(HasSubstr("scf.if")));
}

TEST(Control, RunTimeBranchGivesAValue) {
  Outcome o = compileBody("    y[0, 0] = if s > 0.0 { s } else { 1.0 }");
  ASSERT_TRUE(o.ok()) << o.rendered;
  EXPECT_THAT(o.ir, HasSubstr("scf.if %"));
  EXPECT_THAT(o.ir, HasSubstr("-> (f32)"));
  EXPECT_THAT(o.ir, HasSubstr("scf.yield %s : f32"));
}

TEST(Control, RunTimeBranchAssignsVariables) {
  Outcome o = compileBody("    var a = 1\n    var d = 2\n    var c = 3\n    if s > 0.0 { a = 5\n d "
                          "= 6 } else if s < -1.0 { d = 7 }\n"
                          "    y[0, 0] = (a + d + c) as f32");
  ASSERT_TRUE(o.ok()) << o.rendered;
  // `c` is not assigned, so it stays a constant.
  EXPECT_THAT(o.ir, HasSubstr(":2 = scf.if"));
  EXPECT_THAT(o.ir, HasSubstr("-> (i64, i64)"));
  EXPECT_THAT(o.ir, HasSubstr("-> (i64) {"));
}

TEST(Control, BranchWithoutElse) {
  Outcome o = compileBody("    var a = s\n    if s > 0.0 { a = a + 1.0 }\n    y[0, 0] = a");
  ASSERT_TRUE(o.ok()) << o.rendered;
  EXPECT_THAT(o.ir, HasSubstr("scf.yield %s : f32"));
}

TEST(Control, EffectsInABranchNeedNoResult) {
  Outcome o = compileBody("    if s > 0.0 { y[0, 0] = s } else { y[0, 0] = 0.0 }");
  ASSERT_TRUE(o.ok()) << o.rendered;
  EXPECT_THAT(o.ir, ::testing::ContainsRegex("scf.if %[0-9]+ [{]"));
}

TEST(Control, LoopsCarryWhatTheyAssign) {
  Outcome o =
      compileBody("    var a = zeros(f32, [8])\n    var d = 0\n    var c = s\n"
                  "    for k in tiles(N, 8) { a = a + x[0, k]\n if k.start > 8 { d = d + 1 } }\n"
                  "    y[0, 0] = sum(a) + (d as f32) + c");
  ASSERT_TRUE(o.ok()) << o.rendered;
  EXPECT_THAT(o.ir, HasSubstr("tile.for"));
  EXPECT_THAT(o.ir, HasSubstr("tiles("));
  EXPECT_THAT(o.ir, HasSubstr(": tensor<8xf32>, %"));
  EXPECT_THAT(o.ir, HasSubstr(": tensor<8xf32>, i64"));
}

TEST(Control, RangesAndDirections) {
  Outcome o =
      compileBody("    for k in 0..M { y[k, 0] = s }\n    for k in 2..4 reversed { y[k, 1] = s }\n"
                  "    for k in tiles(4..N, 8) reversed { y[0, k] = 0.0 }");
  ASSERT_TRUE(o.ok()) << o.rendered;
  EXPECT_THAT(o.ir, HasSubstr("range(%"));
  EXPECT_THAT(o.ir, HasSubstr(") reversed"));
  EXPECT_THAT(o.ir, HasSubstr("by 8) reversed"));
}

TEST(Control, UnrolledLoopsHaveConstantIndices) {
  Outcome o = compileBody("    var a = 0\n    for k in static 1..4 { a = a * 10 + k }\n    for k "
                          "in static 1..3 reversed { a = a * 10 + k }\n"
                          "    y[0, 0] = a as f32");
  ASSERT_TRUE(o.ok()) << o.rendered;
  EXPECT_THAT(o.ir, HasSubstr("tile.constant 1.232100e+04 : f32"));
  EXPECT_THAT(o.ir, Not(HasSubstr("tile.for")));
}

TEST(Control, While) {
  Outcome o = compileBody("    var a = 0\n    var c = s\n    while a < 10 and c > 0.5 { a = a + "
                          "1\n c = c * 0.5 }\n    y[0, 0] = c");
  ASSERT_TRUE(o.ok()) << o.rendered;
  EXPECT_THAT(o.ir, HasSubstr("scf.while"));
  EXPECT_THAT(o.ir, HasSubstr("scf.condition"));
  EXPECT_THAT(o.ir, HasSubstr("(i64, f32) -> (i64, f32)"));
}

TEST(Control, TheConditionMayAssign) {
  Outcome o = compileBody("    var n = 0\n    while next(n) < 5 { y[n, 0] = s }",
                          "fn next(inout c: i64) -> i64 { c = c + 1\n c }");
  ASSERT_TRUE(o.ok()) << o.rendered;
  // What the condition made of `n` is what the body and the next step see.
  EXPECT_THAT(o.ir, ::testing::ContainsRegex("%([0-9]+) = tile.add %arg[0-9]+, %[0-9]+ : i64"));
  EXPECT_THAT(o.ir, ::testing::ContainsRegex("scf.condition\\(%[0-9]+\\) %[0-9]+ : i64"));
}

TEST(Control, StructsAndTuplesAreCarriedByTheirFields) {
  Outcome o = compileBody("    var p = P(a = s)\n    var q = (s, 1)\n    for k in 0..4 { "
                          "p.add(2.0)\n let (u, v) = q\n q = (u + 1.0, v) }\n"
                          "    let (u, v) = q\n    y[0, 0] = p.a + u + (v as f32) + (p.n as f32)",
                          "struct P { a: f32, n: i64 = 0\n fn add(inout self, by: f32) { self.a = "
                          "self.a + by\n self.n = self.n + 1 } }");
  ASSERT_TRUE(o.ok()) << o.rendered;
  EXPECT_THAT(o.ir, HasSubstr("%s : f32, %"));
  EXPECT_THAT(o.ir, HasSubstr("tile.yield %"));
  EXPECT_THAT(o.ir, HasSubstr(": f32, i64, f32, i64"));
}

TEST(Control, MatchTakesOneArm) {
  Settings settings;
  settings.values["A"] = "relu";
  const char *text =
      "enum Act { none, relu }\nkernel k<const A: Act = none>(x: in view<[M], f32>, y: out "
      "view<[M], f32>) {\n"
      "    grid r in tiles(M, 4)\n    y[r] = match A { none => x[r], relu => max(x[r], 0.0) }\n}";
  EXPECT_THAT(compile(text).ir, Not(HasSubstr("tile.max")));
  EXPECT_THAT(compile(text, settings).ir, HasSubstr("tile.max"));
}

TEST(Control, AssertionsAndPrints) {
  Outcome o = compileBody("    assert s > 0.0, \"positive\"\n    assume x[0, 0] == x[0, 0]\n    "
                          "assert 1 < 2\n    print(s, \"scale\")\n"
                          "    print(x[0, 0])\n    y[0, 0] = s");
  ASSERT_TRUE(o.ok()) << o.rendered;
  EXPECT_THAT(o.ir, HasSubstr("tile.assert %"));
  EXPECT_THAT(o.ir, HasSubstr("\"positive\""));
  EXPECT_THAT(o.ir, HasSubstr("tile.assume %"));
  EXPECT_THAT(o.ir, HasSubstr("\"x[0, 0] == x[0, 0]\""));
  EXPECT_THAT(o.ir, HasSubstr("tile.print \"scale\", %s"));
  EXPECT_THAT(o.ir, HasSubstr("tile.print \"x[0, 0]\""));
}

} // namespace
} // namespace tessera::testing
