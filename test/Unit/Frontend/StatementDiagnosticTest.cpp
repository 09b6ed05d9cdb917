// Statements and what stands in the wrong place: every diagnostic with its sentence, its place and its way out.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FrontendTesting.h"

namespace tessera::testing {
namespace {

// Line, items behind the kernel, diagnostics, help.
const DiagnosticCase cases[] = {
    {"RangeAsValue", "let u = (0..4)", "", "T0111 4:15 expected `,` or `)` in the parentheses, found `..`",
     "write `,` before the next one, `)` after the last"},
    {"WildcardAsValue", "let u = _", "", "T0104 4:13 expected an expression, found `_`",
     "`_` stands alone in an index list or a shape"},
    {"FoldInABody", "let u = sum(k in 0..4: s)", "", "T0506 4:13 `sum` over a range is for formulas",
     "reduce a tile instead: `sum(t, axis = 0)`"},
    {"AbsentInABody", "let u = absent", "", "T0507 4:13 `absent` is for formulas",
     "in a body use `t.keep_if(condition)`"},
    {"ArrayInABody", "let u[k in M] = 1.0", "", "T0509 4:5 an array in index notation is for formulas",
     "in a body make a tile: `let t = zeros(f32, [64])`"},
    {"EdgesInABody", "let u = 1 in edges(M)", "", "T0502 4:18 `edges(…)` is not a value",
     "it stands in `test` blocks only; list the values: `{1, 2, 4}`"},
    {"PlaceOfATile", "t[0..1, :] = t", "", "T0523 4:5 elements of `tile<[4, 8], f32>` cannot be assigned",
     "tiles are values: make a new one with `select` or `keep_if`, and assign it to a `var`"},
    {"DeepNesting", "let u = h0(s)",
     "fn h0(a: f32) -> f32 { h1(a) }\nfn h1(a: f32) -> f32 { h2(a) }\nfn h2(a: f32) -> f32 { h3(a) }\nfn h3(a: f32) -> f32 { h4(a) }\nfn h4(a: f32) -> f32 { h5(a) }\nfn h5(a: f32) -> f32 { h6(a) }\nfn h6(a: f32) -> f32 { h7(a) }\nfn h7(a: f32) -> f32 { h8(a) }\nfn h8(a: f32) -> f32 { h9(a) }\nfn h9(a: f32) -> f32 { h10(a) }\nfn h10(a: f32) -> f32 { h11(a) }\nfn h11(a: f32) -> f32 { h12(a) }\nfn h12(a: f32) -> f32 { h13(a) }\nfn h13(a: f32) -> f32 { h14(a) }\nfn h14(a: f32) -> f32 { h15(a) }\nfn h15(a: f32) -> f32 { h16(a) }\nfn h16(a: f32) -> f32 { h17(a) }\nfn h17(a: f32) -> f32 { h18(a) }\nfn h18(a: f32) -> f32 { h19(a) }\nfn h19(a: f32) -> f32 { h20(a) }\nfn h20(a: f32) -> f32 { h21(a) }\nfn h21(a: f32) -> f32 { h22(a) }\nfn h22(a: f32) -> f32 { h23(a) }\nfn h23(a: f32) -> f32 { h24(a) }\nfn h24(a: f32) -> f32 { h25(a) }\nfn h25(a: f32) -> f32 { h26(a) }\nfn h26(a: f32) -> f32 { h27(a) }\nfn h27(a: f32) -> f32 { h28(a) }\nfn h28(a: f32) -> f32 { h29(a) }\nfn h29(a: f32) -> f32 { h30(a) }\nfn h30(a: f32) -> f32 { h31(a) }\nfn h31(a: f32) -> f32 { h32(a) }\nfn h32(a: f32) -> f32 { h33(a) }\nfn h33(a: f32) -> f32 { h34(a) }\nfn h34(a: f32) -> f32 { h35(a) }\nfn h35(a: f32) -> f32 { h36(a) }\nfn h36(a: f32) -> f32 { h37(a) }\nfn h37(a: f32) -> f32 { h38(a) }\nfn h38(a: f32) -> f32 { h39(a) }\nfn h39(a: f32) -> f32 { h40(a) }\nfn h40(a: f32) -> f32 { h41(a) }\nfn h41(a: f32) -> f32 { h42(a) }\nfn h42(a: f32) -> f32 { h43(a) }\nfn h43(a: f32) -> f32 { h44(a) }\nfn h44(a: f32) -> f32 { h45(a) }\nfn h45(a: f32) -> f32 { h46(a) }\nfn h46(a: f32) -> f32 { h47(a) }\nfn h47(a: f32) -> f32 { h48(a) }\nfn h48(a: f32) -> f32 { h49(a) }\nfn h49(a: f32) -> f32 { h50(a) }\nfn h50(a: f32) -> f32 { h51(a) }\nfn h51(a: f32) -> f32 { h52(a) }\nfn h52(a: f32) -> f32 { h53(a) }\nfn h53(a: f32) -> f32 { h54(a) }\nfn h54(a: f32) -> f32 { h55(a) }\nfn h55(a: f32) -> f32 { h56(a) }\nfn h56(a: f32) -> f32 { h57(a) }\nfn h57(a: f32) -> f32 { h58(a) }\nfn h58(a: f32) -> f32 { h59(a) }\nfn h59(a: f32) -> f32 { h60(a) }\nfn h60(a: f32) -> f32 { h61(a) }\nfn h61(a: f32) -> f32 { h62(a) }\nfn h62(a: f32) -> f32 { h63(a) }\nfn h63(a: f32) -> f32 { h64(a) }\nfn h64(a: f32) -> f32 { h65(a) }\nfn h65(a: f32) -> f32 { h66(a) }\nfn h66(a: f32) -> f32 { h67(a) }\nfn h67(a: f32) -> f32 { h68(a) }\nfn h68(a: f32) -> f32 { h69(a) }\nfn h69(a: f32) -> f32 { h70(a) }\nfn h70(a: f32) -> f32 { a }",
     "T0415 70:25 more than 64 nested calls", "call fewer functions inside each other"},
};

class StatementDiagnostic : public ::testing::TestWithParam<DiagnosticCase> {};

TEST_P(StatementDiagnostic, SaysWhatIsWrong) { expectDiagnostic(GetParam()); }

INSTANTIATE_TEST_SUITE_P(All, StatementDiagnostic, ::testing::ValuesIn(cases), caseName);

TEST(StatementDiagnostics, GridTwice) {
  Outcome o = compileBody("    grid r in tiles(M, 4)\n    grid q in tiles(N, 8)\n    y[r, q] = 0.0", "");
  EXPECT_EQ(only(o), "T0503 3:5 a kernel has one `grid`");
  EXPECT_EQ(help(o), "write all axes in one `grid`, separated by commas");
}

TEST(StatementDiagnostics, GridInABranch) {
  Outcome o = compileBody("    if true { grid r in tiles(M, 4) }", "");
  EXPECT_EQ(only(o), "T0501 2:15 `grid` cannot stand here");
  EXPECT_EQ(help(o), "move it to the kernel's body");
}

TEST(StatementDiagnostics, TuneInALoop) {
  Outcome o = compileBody("    for k in 0..2 { tune BM in {1, 2} }", "");
  EXPECT_EQ(only(o), "T0501 2:21 `tune` cannot stand here");
  EXPECT_EQ(help(o), "move it to the start of the kernel's body");
}

TEST(StatementDiagnostics, StaticInAFunction) {
  Outcome o = compileBody("    let u = f(s)", "fn f(a: f32) -> f32 { static Q = 4\n a }");
  EXPECT_EQ(only(o), "T0501 4:23 `static` cannot stand here");
  EXPECT_EQ(help(o), "move it to the start of the kernel's body");
}

} // namespace
} // namespace tessera::testing
