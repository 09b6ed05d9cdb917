// Casts and bit patterns: every diagnostic with its sentence, its place and its way out.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FrontendTesting.h"

namespace tessera::testing {
namespace {

// Line, items behind the kernel, diagnostics, help.
const DiagnosticCase cases[] = {
    {"E4M3NeedsMode", "let u = t as f8e4m3", "",
     "T0333 4:13 a cast from `f32` to `f8e4m3` must say what becomes of values out of range",
     "write `sat` (greatest finite value) or `nan` for what is out of range"},
    {"E5M2NeedsMode", "let u = t as f8e5m2", "",
     "T0333 4:13 a cast from `f32` to `f8e5m2` must say what becomes of values out of range",
     "write `sat` (greatest finite value) or `inf` for what is out of range"},
    {"FloatToIntegerNeedsDirection", "let u = t as i32", "",
     "T0332 4:13 a cast from `f32` to `i32` needs a direction",
     "write the direction: `rz` towards zero, `rd` down, `ru` up, `rne` nearest even, `away` "
     "nearest"},
    {"NarrowingNeedsMode", "let u = i[r] as i8", "",
     "T0333 4:13 a cast from `i32` to `i8` must say what becomes of values out of range",
     "write `wrap` (low bits) or `sat` (nearest value)"},
    {"SignednessNeedsMode", "let u = i[r] as ui32", "",
     "T0333 4:13 a cast from `i32` to `ui32` must say what becomes of values out of range",
     "write `wrap` (low bits) or `sat` (nearest value)"},
    {"InfinityForE4M3", "let u = t as f8e4m3(inf)", "",
     "T0334 4:13 `inf` does not fit a cast from `f32` to `f8e4m3`", "write `sat` or `nan`"},
    {"WrapForFloat", "let u = t as bf16(wrap)", "",
     "T0334 4:13 `wrap` does not fit a cast from `f32` to `bf16`", "write `inf` or `sat`"},
    {"NanForHalf", "let u = t as f16(nan)", "",
     "T0334 4:13 `nan` does not fit a cast from `f32` to `f16`", "write `inf` or `sat`"},
    {"RoundOfIntegers", "let u = i[r] as i8(rz, wrap)", "",
     "T0335 4:13 a cast from `i32` to `i8` has no such mode",
     "integers do not round: leave the direction out"},
    {"ModeOfBool", "let u = (t > 0.0) as i32(wrap)", "",
     "T0335 4:13 a cast from `bool` to `i32` has no such mode", "leave the mode out"},
    {"UnknownMode", "let u = t as bf16(round)", "", "T0336 4:23 `round` is not a mode of a cast",
     "directions are `rne`, `rz`, `ru`, `rd`, `away`; out of range is `inf`, `sat`, `nan` or "
     "`wrap`"},
    {"TwoDirections", "let u = t as bf16(rz, ru)", "",
     "T0337 4:27 `ru` is a second mode of its kind",
     "directions are `rne`, `rz`, `ru`, `rd`, `away`; out of range is `inf`, `sat`, `nan` or "
     "`wrap`"},
    {"NanForInteger", "let u = t as i32(rz, nan)", "",
     "T0334 4:13 `nan` does not fit a cast from `f32` to `i32`", "write `wrap` or `sat`"},
    {"BitsOfLiteral", "let u = bits(1.0)", "",
     "T0338 4:18 `bits` needs a float or integer of a known type, found the float `1.0`",
     "give it a type: `bits(x as f32)`"},
    {"BitsOfBool", "let u = bits(t > 0.0)", "",
     "T0338 4:18 `bits` needs a float or integer of a known type, found `tile<[4, 8], bool>`",
     "give it a type: `bits(x as f32)`"},
    {"FromBitsWidth", "let u = from_bits(f16, bits(t))", "",
     "T0339 4:28 `f16` is made from the bits of a `ui16`, found `tile<[4, 8], ui32>`",
     "convert the bits: `… as ui16(wrap)`"},
    {"FromBitsSigned", "let u = from_bits(f32, i[r])", "",
     "T0339 4:28 `f32` is made from the bits of a `ui32`, found `tile<[4], i32>`",
     "convert the bits: `… as ui32(wrap)`"},
    {"DirectionButNoOverflow", "let u = t as f8e4m3(rz)", "",
     "T0333 4:13 a cast from `f32` to `f8e4m3` must say what becomes of values out of range",
     "write `sat` (greatest finite value) or `nan` for what is out of range"},
    {"OverflowButNoDirection", "let u = t as i32(sat)", "",
     "T0332 4:13 a cast from `f32` to `i32` needs a direction",
     "write the direction: `rz` towards zero, `rd` down, `ru` up, `rne` nearest even, `away` "
     "nearest"},
};

class CastDiagnostic : public ::testing::TestWithParam<DiagnosticCase> {};

TEST_P(CastDiagnostic, SaysWhatIsWrong) { expectDiagnostic(GetParam()); }

INSTANTIATE_TEST_SUITE_P(All, CastDiagnostic, ::testing::ValuesIn(cases), caseName);

} // namespace
} // namespace tessera::testing
