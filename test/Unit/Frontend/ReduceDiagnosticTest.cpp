// Reductions, products, random numbers: every diagnostic with its sentence, its place and its way out.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FrontendTesting.h"

namespace tessera::testing {
namespace {

// Line, items behind the kernel, diagnostics, help.
const DiagnosticCase cases[] = {
    {"AxisMissing", "let u = sum(t)", "",
     "T0340 4:13 `sum` of a tile with 2 axes needs to know along which", "write `axis = …`"},
    {"AxisRange", "let u = sum(t, axis = 2)", "", "T0341 4:27 axis 2 of a tile with 2 axes",
     "axes are counted from 0; -1 is the last"},
    {"AxisDynamic", "let u = sum(t, axis = M)", "",
     "T0402 4:27 `axis` is an integer that is known at compile time, found `i64`",
     "write an integer that is known at compile time"},
    {"Scalar", "let u = sum(s)", "", "T0312 4:17 `sum` takes a tile, found `f32`",
     "a scalar has no axes"},
    {"AnyOfFloats", "let u = any(t, axis = 1)", "", "T0304 4:17 `any` takes `bool`, found `f32`",
     "compare first, for example `x != 0`"},
    {"MaxOfBool", "let u = max(t > 0.0, axis = 1)", "",
     "T0304 4:17 `max` takes numbers, found `bool`", "convert first: `… as f32` or `… as i32`"},
    {"ExtremumBoth", "let u = max(t, t, axis = 1)", "",
     "T0342 4:13 `max` is elementwise with several values and a reduction with `axis`, not both",
     "leave out `axis` for elementwise, or give one tile"},
    {"TopK", "let u = topk(t, 9, axis = 1)", "", "T0343 4:21 the 9 greatest of 8 elements",
     "take at most the axis"},
    {"MmaShapes", "let u = mma(t, t)", "",
     "T0344 4:13 a product of shapes `[4, 8]` and `[4, 8]` does not exist",
     "the operands are [M, K] and [K, N]; transpose one with `.T`"},
    {"MmaTypes", "let u = mma(t, (t as bf16).T)", "",
     "T0301 4:13 `f32` and `bf16` do not mix: types never change silently",
     "convert one of them with `as`"},
    {"MmaIntegers", "let z = i[r][:, _]\n    let u = mma(z, z.T)", "",
     "T0304 5:13 `mma` takes `bf16`, `f16`, `f32`, `f64`, 8-bit floats, `i8` and `ui8`, found "
     "`i32`",
     "convert the operands with `as`"},
    {"MmaAccumulator", "let u = mma(t, t.T, t)", "",
     "T0302 4:25 expected the accumulator to be `tile<[4, 4], f32>`, found `tile<[4, 8], f32>`",
     "make the shapes equal: index with `_`, reduce, or `reshape`"},
    {"MmaPrecision", "let z = t as bf16\n    let u = mma(z, z.T, precision = tf32)", "",
     "T0345 5:37 the precision `tf32` is for `f32` operands, found `bf16`", "leave it out"},
    {"HistogramFloats", "let u = histogram(t, 8)", "",
     "T0304 4:23 `histogram` takes integers, found `f32`", "convert with `as i32(rz)`"},
    {"PhiloxSeed", "let u = philox(s, 0, r.index)", "",
     "T0302 4:20 expected the seed to be `ui64`, found `f32`", "convert it: `… as ui64`"},
    {"PhiloxIndex", "let u = philox(1, 0, i[r])", "",
     "T0302 4:26 expected the index to be `i64`, found `tile<[4], i32>`", "convert it: `… as i64`"},
};

class ReduceDiagnostic : public ::testing::TestWithParam<DiagnosticCase> {};

TEST_P(ReduceDiagnostic, SaysWhatIsWrong) { expectDiagnostic(GetParam()); }

INSTANTIATE_TEST_SUITE_P(All, ReduceDiagnostic, ::testing::ValuesIn(cases), caseName);

} // namespace
} // namespace tessera::testing
