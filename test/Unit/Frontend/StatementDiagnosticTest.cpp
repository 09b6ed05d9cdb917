// Statements and what stands in the wrong place: every diagnostic with its sentence, its place and its way out.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FrontendTesting.h"

namespace tessera::testing {
namespace {

// Line, items behind the kernel, diagnostics, help.
const DiagnosticCase cases[] = {
    {"RangeAsValue", "let u = (0..4)", "",
     "T0111 4:15 expected `,` or `)` in the parentheses, found `..`",
     "write `,` before the next one, `)` after the last"},
    {"WildcardAsValue", "let u = _", "", "T0104 4:13 expected an expression, found `_`",
     "`_` stands alone in an index list or a shape"},
    {"FoldInABody", "let u = sum(k in 0..4: s)", "",
     "T0506 4:13 `sum` over a range is for formulas", "reduce a tile instead: `sum(t, axis = 0)`"},
    {"AbsentInABody", "let u = absent", "", "T0507 4:13 `absent` is for formulas",
     "in a body use `t.keep_if(condition)`"},
    {"ArrayInABody", "let u[k in M] = 1.0", "",
     "T0509 4:5 an array in index notation is for formulas",
     "in a body make a tile: `let t = zeros(f32, [64])`"},
    {"EdgesInABody", "let u = 1 in edges(M)", "", "T0502 4:18 `edges(…)` is not a value",
     "it stands in `test` blocks only; list the values: `{1, 2, 4}`"},
    {"PlaceOfATile", "t[0..1, :] = t", "",
     "T0523 4:5 elements of `tile<[4, 8], f32>` cannot be assigned",
     "tiles are values: make a new one with `select` or `keep_if`, and assign it to a `var`"},
};

class StatementDiagnostic : public ::testing::TestWithParam<DiagnosticCase> {};

TEST_P(StatementDiagnostic, SaysWhatIsWrong) { expectDiagnostic(GetParam()); }

INSTANTIATE_TEST_SUITE_P(All, StatementDiagnostic, ::testing::ValuesIn(cases), caseName);

TEST(StatementDiagnostics, GridTwice) {
  Outcome o =
      compileBody("    grid r in tiles(M, 4)\n    grid q in tiles(N, 8)\n    y[r, q] = 0.0", "");
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

TEST(StatementDiagnostics, EffectBeforeGrid) {
  Outcome o = compileBody("    y[0, 0] = 1.0\n    grid r in tiles(M, 4)\n    y[r, 0] = 1.0", "");
  EXPECT_EQ(only(o), "T0528 3:5 something is stored or printed before the grid");
  EXPECT_EQ(help(o), "move it behind `grid`: the rest of the body runs at every point");
}

} // namespace
} // namespace tessera::testing
