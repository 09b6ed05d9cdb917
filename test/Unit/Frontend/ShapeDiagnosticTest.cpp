// Builtins that make and move tiles: every diagnostic with its sentence, its place and its way out.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FrontendTesting.h"

namespace tessera::testing {
namespace {

// Line, items behind the kernel, diagnostics, help.
const DiagnosticCase cases[] = {
    {"ReshapeCount", "let u = reshape(t, [4, 4])", "",
     "T0346 4:13 a reshape from `[4, 8]` (32 elements) to `[4, 4]` (16 elements)",
     "the numbers of elements are equal"},
    {"PermuteInvalid", "let u = permute(t, [0, 0])", "",
     "T0347 4:24 this is not an order of 2 axes", "name every axis once, for example `[1, 0]`"},
    {"ExpandInvalid", "let u = expand(t, [5])", "",
     "T0348 4:23 these are not positions of new axes in a tile of rank 3",
     "axes are positions in the result, each once"},
    {"SqueezeInvalid", "let u = squeeze(t, [0])", "",
     "T0349 4:24 these are not axes of extent 1 of the shape `[4, 8]`",
     "name axes of extent 1, each once"},
    {"CatMismatch", "let u = cat(t, t.T, axis = 0)", "",
     "T0350 4:13 `tile<[4, 8], f32>` and `tile<[8, 4], f32>` cannot be joined",
     "parts have one element type and equal extents but along the axis"},
    {"CatOfScalars", "let u = cat(s, s, axis = 0)", "",
     "T0312 4:13 `cat` takes a tile, found `f32`", "a scalar has no axes"},
    {"BroadcastMismatch", "let u = broadcast(t, [4, 9])", "",
     "T0303 4:13 the shapes `[4, 8]` and `[4, 9]` do not fit",
     "only axes of extent 1 are repeated; add axes with `[:, _]`"},
    {"KeepIfShape", "let u = t.keep_if(t.T > 0.0)", "",
     "T0303 4:13 the shapes `[4, 8]` and `[8, 4]` do not fit",
     "index the condition with `_` where it does not depend on the axis"},
    {"KeepIfNoBool", "let u = t.keep_if(t)", "",
     "T0320 4:23 a condition is a `bool`, found `tile<[4, 8], f32>`", "write a comparison"},
    {"SelectNoBool", "let u = select(t, t, t)", "",
     "T0320 4:13 a condition is a `bool`, found `tile<[4, 8], f32>`",
     "write a comparison, for example `x != 0`"},
    {"PrintString", "print(\"hello\")", "",
     "T0311 4:11 expected a number or a tile, found `string`", "write `print(value, \"text\")`"},
    {"PrintNoText", "print(t, 4)", "", "T0314 4:14 expected a string, found the integer `4`",
     "write a string: `\"…\"`"},
    {"TransposeRank", "let u = max(t, axis = 1).T", "", "T0351 4:13 `.T` is for two axes, found 1",
     "for other ranks write `.permute([…])`"},
};

class ShapeDiagnostic : public ::testing::TestWithParam<DiagnosticCase> {};

TEST_P(ShapeDiagnostic, SaysWhatIsWrong) { expectDiagnostic(GetParam()); }

INSTANTIATE_TEST_SUITE_P(All, ShapeDiagnostic, ::testing::ValuesIn(cases), caseName);

} // namespace
} // namespace tessera::testing
