// Literals that meet a type: every diagnostic with its sentence, its place and its way out.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FrontendTesting.h"

namespace tessera::testing {
namespace {

// Line, items behind the kernel, diagnostics, help.
const DiagnosticCase cases[] = {
    {"IntegerTooLarge", "let u = i[r] + 3000000000", "",
     "T0308 4:20 `3000000000` is out of the range of `i32`, -2147483648 to 2147483647",
     "the nearest value is `2147483647`; write that, or use a wider type"},
    {"NegativeForUnsigned", "let u = (i[r] as ui32(wrap)) + -1", "",
     "T0308 4:36 `-1` is out of the range of `ui32`, 0 to 4294967295",
     "the nearest value is `0`; write that, or use a wider type"},
    {"FloatForInteger", "let u = i[r] + 1.5", "",
     "T0309 4:20 the float `1.5` stands where a value of `i32` is needed",
     "write an integer, or give the other operand a float type with `as`"},
    {"WholeFloatForInteger", "let u = i[r] + 4e3", "",
     "T0309 4:20 the float `4e3` stands where a value of `i32` is needed", "write `4000`"},
    {"Inexact", "let u = t + 16777217", "", "T0305 4:17 `16777217` is not a value of `f32`",
     "the nearest value is `16777216.0`; write that, or a float literal if rounding is meant"},
    {"Overflow", "let u = t + 1e39", "", "T0306 4:17 `1e39` is beyond the range of `f32`",
     "the nearest finite value is `3.4028234663852886e+38`; write that, or `inf` if that is meant"},
    {"OverflowInHalf", "let u = (t as f16) + 65520.0", "",
     "T0306 4:26 `65520.0` is beyond the range of `f16`",
     "the nearest finite value is `65504.0`; write that, or `inf` if that is meant"},
    {"Underflow", "let u = t + 1e-60", "", "T0307 4:17 `1e-60` would become 0 in `f32`",
     "the nearest value other than 0 is `1.4012984643248171e-45`; write that, or `0.0`"},
    {"NumberForBool", "let u = (t > 0.0) and 1", "",
     "T0310 4:27 the number `1` stands where a `bool` is needed",
     "write `true` or `false`, or a comparison"},
    {"InfinityOfE4M3", "let u = (t as f8e4m3(sat)) == inf", "",
     "T0306 4:35 `inf` is beyond the range of `f8e4m3`",
     "`f8e4m3` has no infinity; its greatest value is `448.0`"},
    {"IntegerOverflowsHalf", "let u = (t as f16) + 70000", "",
     "T0306 4:26 `70000` is beyond the range of `f16`", "write `inf` if that is meant"},
};

class LiteralDiagnostic : public ::testing::TestWithParam<DiagnosticCase> {};

TEST_P(LiteralDiagnostic, SaysWhatIsWrong) { expectDiagnostic(GetParam()); }

INSTANTIATE_TEST_SUITE_P(All, LiteralDiagnostic, ::testing::ValuesIn(cases), caseName);

} // namespace
} // namespace tessera::testing
