// Calls: arguments, generics, results: every diagnostic with its sentence, its place and its way out.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FrontendTesting.h"

namespace tessera::testing {
namespace {

// Line, items behind the kernel, diagnostics, help.
const DiagnosticCase cases[] = {
    {"UnknownArgument", "let u = f(t, c = 1.0)",
     "fn f(a: tile<[R, C], f32>, b: f32 = 1.0) -> tile<[R, C], f32> { a * b }",
     "T0222 4:18 `f` has no parameter `c`", "its parameters are `a`, `b`"},
    {"TooManyArguments", "let u = f(s, s)", "fn f(a: f32) -> f32 { a }",
     "T0223 4:18 the call has 2 arguments in order, but `f` takes 1", "its parameters are `a`"},
    {"MissingArgument", "let u = f()", "fn f(a: f32) -> f32 { a }",
     "T0224 4:13 `f` is called without `a`", "its parameters are `a`"},
    {"ArgumentTwice", "let u = f(s, a = s)", "fn f(a: f32, b: f32 = 0.0) -> f32 { a }",
     "T0225 4:22 `a` is given twice", "give it once"},
    {"BuiltinUnknownArgument", "let u = sum(t, axs = 1)", "",
     "T0222 4:20 `sum` has no parameter `axs`",
     "it is used as `sum(x, [axis], [keep], [order = tree|any])`"},
    {"BuiltinTooMany", "let u = exp(t, t)", "",
     "T0223 4:20 the call has 2 arguments in order, but `exp` takes 1",
     "it is used as `exp(a, [accuracy = strict|fast])`"},
    {"BuiltinMissing", "let u = exp()", "", "T0224 4:13 `exp` is called without `a`",
     "it is used as `exp(a, [accuracy = strict|fast])`"},
    {"WrongWord", "let u = sum(t, axis = 1, order = all)", "",
     "T0318 4:38 `order` is chosen by a word, found `all`", "write one of `tree`, `any`"},
    {"FlagNotBool", "let u = sum(t, axis = 1, keep = 1)", "",
     "T0319 4:37 `keep` is a flag that is known at compile time, found the integer `1`",
     "write `true` or `false`"},
    {"ArgumentType", "let u = f(t)", "fn f(a: f32) -> f32 { a }",
     "T0302 4:15 expected the argument `a` to be `f32`, found `tile<[4, 8], f32>`",
     "make the shapes equal: index with `_`, reduce, or `reshape`"},
    {"ArgumentShape", "let u = f(t, t.T)",
     "fn f(a: tile<[R, C], f32>, b: tile<[R, C], f32>) -> f32 { 1.0 }",
     "T0354 4:18 the argument `b` has the shape `[R, C]` in the function, found `[8, 4]`",
     "give both the shape that the function was written for, or index with `_`"},
    {"ArgumentRank", "let u = f(t)", "fn f(a: tile<[R], f32>) -> f32 { 1.0 }",
     "T0354 4:15 the argument `a` has the shape `[R]` in the function, found `[4, 8]`",
     "give both the shape that the function was written for, or index with `_`"},
    {"ElementType", "let u = f(t)", "fn f(a: tile<[R, C], bf16>) -> f32 { 1.0 }",
     "T0302 4:15 expected the argument `a` to be `bf16`, found `tile<[4, 8], f32>`",
     "convert it: `… as bf16`"},
    {"GenericConstraint", "let u = f(t)",
     "fn f<S: shape, I: int>(a: tile<S, I>) -> tile<S, I> { a }",
     "T0355 4:15 `I` stands for a signed integer type, found `f32`",
     "convert the argument with `as`"},
    {"GenericSet", "let u = f(t)",
     "fn f<S: shape, I in {bf16, f16}>(a: tile<S, I>) -> tile<S, I> { a }",
     "T0355 4:15 `I` stands for a type of its set, found `f32`", "convert the argument with `as`"},
    {"GenericUnbound", "let u = f(t)",
     "fn f<S: shape, const Q: i64>(a: tile<S, f32>) -> tile<S, f32> { a }",
     "T0356 4:13 no argument says what `Q` is", "give it by name: `Q = …`"},
    {"ValueMissing", "let u = f(s)", "fn f(a: f32) -> f32 { let b = a + 1.0 }",
     "T0328 7:40 `f` ends without a value of type `f32`", "end the body with the value"},
    {"ValueType", "let u = f(t)", "fn f(a: tile<[R, C], f32>) -> tile<[R], f32> { a }",
     "T0302 7:48 expected the value of `f` to be `tile<[4], f32>`, found `tile<[4, 8], f32>`",
     "make the shapes equal: index with `_`, reduce, or `reshape`"},
    {"NoValue", "let u = f(s)", "fn f(a: f32) { let b = a }", "T0327 4:13 there is no value here",
     "end the block or function with a value"},
    {"ConstArgument", "let u = f(s)", "fn f(const a: f32) -> f32 { a }",
     "T0401 4:15 the argument `a` must be known at compile time",
     "only literals, constants, `static`, `tune` and const parameters of the instance are known at "
     "compile time"},
    {"ErrorInsideACall", "let u = f(t)",
     "fn f<S: shape, F: float>(a: tile<S, F>) -> tile<S, F> { a + (1 as f64) }",
     "T0301 7:57 `f32` and `f64` do not mix: types never change silently",
     "write which type is meant: `… as f32` or `… as f64`"},
    {"ReduceWithNoFunction", "let u = reduce_with(t, 1, 0.0, axis = 1)", "",
     "T0317 4:28 `reduce_with` takes the name of a function here", "name a `fn` of two scalars"},
    {"ReduceWithWrongArity", "let u = reduce_with(t, f, 0.0, axis = 1)",
     "fn f(a: f32) -> f32 { a }", "T0317 4:13 `f` takes the name of a function here",
     "give a `fn` of 2 parameters that are not `inout`"},
    {"InOutNeedsAVariable", "let v = 1\n    let u = f(v)",
     "fn f(inout a: i64) -> i64 { a = a + 1\n a }",
     "T0212 5:15 `v` is fixed and cannot be assigned", "declare it with `var`"},
};

class CallDiagnostic : public ::testing::TestWithParam<DiagnosticCase> {};

TEST_P(CallDiagnostic, SaysWhatIsWrong) { expectDiagnostic(GetParam()); }

INSTANTIATE_TEST_SUITE_P(All, CallDiagnostic, ::testing::ValuesIn(cases), caseName);

} // namespace
} // namespace tessera::testing
