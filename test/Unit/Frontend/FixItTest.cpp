// Fix-its: the text with them applied compiles.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FrontendTesting.h"

namespace tessera::testing {
namespace {

/// A line in the grid of inGrid, the line after the fix-its, items.
struct FixCase {
  const char *name, *line, *fixed, *items;
};

const FixCase cases[] = {
    {"Spelling", "let u = exp(t) + tt", "let u = exp(t) + t", ""},
    {"FunctionSpelling", "let u = epx(t)", "let u = exp(t)", ""},
    {"StdSpelling", "let u = std.gelu_tahn(t)", "let u = std.gelu_tanh(t)", ""},
    {"TypeSpelling", "let u = t as bf61", "let u = t as bf16", ""},
    {"MixedFloats", "let u = t + (t as f64)", "let u = t as f64 + (t as f64)", ""},
    {"MixedCompound", "let u = (t as f64) * (t + t)", "let u = (t as f64) * ((t + t) as f64)", ""},
    {"MixedIntegers", "let u = i[r] + (i[r] as i64)", "let u = i[r] as i64 + (i[r] as i64)", ""},
    {"LetType", "let u: tile<[4, 8], bf16> = t", "let u: tile<[4, 8], bf16> = t as bf16", ""},
    {"LetTypeOfASum", "let u: tile<[4, 8], f64> = t + t",
     "let u: tile<[4, 8], f64> = (t + t) as f64", ""},
    {"LiteralTooLarge", "let u = i[r] + 3000000000", "let u = i[r] + 2147483647", ""},
    {"LiteralInexact", "let u = t + 16777217", "let u = t + 16777216.0", ""},
    {"LiteralOverflow", "let u = t + 1e39", "let u = t + 3.4028234663852886e+38", ""},
    {"LiteralUnderflow", "let u = t + 1e-60", "let u = t + 1.4012984643248171e-45", ""},
    {"NegativeLiteral", "let u = t + -1e39", "let u = t + -3.4028234663852886e+38", ""},
    {"WholeFloat", "let u = i[r] + 4e3", "let u = i[r] + 4000", ""},
    {"E4M3", "let u = t as f8e4m3", "let u = t as f8e4m3(sat)", ""},
    {"E4M3WithDirection", "let u = t as f8e4m3(rz)", "let u = t as f8e4m3(rz, sat)", ""},
    {"FloatToInteger", "let u = t as i32", "let u = t as i32(rz)", ""},
    {"FloatToIntegerSaturating", "let u = t as i32(sat)", "let u = t as i32(sat, rz)", ""},
    {"Narrowing", "let u = i[r] as i8", "let u = i[r] as i8(wrap)", ""},
    {"VarType", "var u = 0.0", "var u: f32 = 0.0", ""},
    {"LetToVar", "let u = 1\n    u = 2", "var u = 1\n    u = 2", ""},
};

class FixIt : public ::testing::TestWithParam<FixCase> {};

TEST_P(FixIt, GivesAProgramThatCompiles) {
  std::string text = bodyText(inGrid(GetParam().line), GetParam().items);
  Outcome before = compile(text);
  ASSERT_FALSE(before.ok());
  std::string fixed = applyFixIts(text, before.list);
  EXPECT_EQ(fixed, bodyText(inGrid(GetParam().fixed), GetParam().items)) << before.rendered;
  Outcome after = compile(fixed);
  EXPECT_TRUE(after.ok()) << after.rendered;
}

INSTANTIATE_TEST_SUITE_P(All, FixIt, ::testing::ValuesIn(cases),
                         [](const auto &info) { return info.param.name; });

TEST(FixIts, OrderOfAnAtomic) {
  const char *text =
      "kernel k(x: in view<[M], f32>, y: inout view<[M], f32>) {\n    grid r in tiles(M, 4)\n"
      "    atomic_add(y[r], x[r])\n}";
  Outcome before = compile(text);
  std::string fixed = applyFixIts(text, before.list);
  EXPECT_THAT(fixed, HasSubstr("atomic_add(y[r], x[r], order = any)"));
  EXPECT_TRUE(compile(fixed).ok());
}

} // namespace
} // namespace tessera::testing
