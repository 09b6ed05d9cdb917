// Branches and loops: every diagnostic with its sentence, its place and its way out.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FrontendTesting.h"

namespace tessera::testing {
namespace {

// Line, items behind the kernel, diagnostics, help.
const DiagnosticCase cases[] = {
    {"ConditionNotBool", "if s { let u = 1 }", "", "T0320 4:8 a condition is a `bool`, found `f32`",
     "write a comparison, for example `x != 0`"},
    {"ConditionTile", "if t > 0.0 { let u = 1 }", "",
     "T0321 4:8 a branch is taken for a whole tile: its condition is a scalar, found `tile<[4, 8], "
     "bool>`",
     "choose elements with `select(c, a, b)` or `keep_if(c)`, or reduce the condition with `any` "
     "or `all`"},
    {"BranchTypes", "let u = if s > 0.0 { t } else { t as bf16 }", "",
     "T0322 4:24 the value of this `if` has two types: `tile<[4, 8], f32>` and `tile<[4, 8], "
     "bf16>`",
     "give both sides one type with `as`, `_` or `broadcast`"},
    {"BranchShapes", "let u = if s > 0.0 { t } else { t.T }", "",
     "T0322 4:24 the value of this `if` has two types: `tile<[4, 8], f32>` and `tile<[8, 4], f32>`",
     "give both sides one type with `as`, `_` or `broadcast`"},
    {"BranchStatic", "let u = if s > 0.0 { Act.none } else { Act.relu }", "enum Act { none, relu }",
     "T0322 4:24 the value of this `if` has two types: `Act` and `Act`",
     "what differs here must be known at compile time: make the condition static"},
    {"MatchNotEnum", "let u = match s { none => 1, relu => 2 }", "enum Act { none, relu }",
     "T0330 4:19 `match` is for cases of an enum, found `f32`", "use `if` for other conditions"},
    {"MatchMissingCase", "let u = match Act.none { none => 1 }", "enum Act { none, relu }",
     "T0228 4:13 the case `relu` of `Act` is not handled", "add `relu => …`"},
    {"MatchUnknownCase", "let u = match Act.none { none => 1, relu => 2, silu => 3 }",
     "enum Act { none, relu }\nenum B { silu }", "T0204 4:52 `Act` has no case `silu`",
     "did you mean `relu`?"},
    {"MatchTwice", "let u = match Act.none { none => 1, relu => 2, none => 3 }",
     "enum Act { none, relu }", "T0227 4:52 the case `none` stands twice", "leave one of them out"},
    {"VariableInALoop", "var u = 1 as f32\n    for k in 0..3 { u = t }", "",
     "T0323 5:25 `u` is of type `f32`, found `tile<[4, 8], f32>`",
     "a variable keeps its type; use another name"},
    {"EndlessWhile", "var u = 1\n    while true { u = u + 1 }", "",
     "T0505 5:11 this condition is always true", "let the condition depend on a `var` of the loop"},
    {"DomainExpected", "for k in static tiles(N, 8) { let u = 1 }", "",
     "T0138 4:14 `static` stands before a range, not before `tiles`",
     "`static` unrolls a range such as `0..4`; leave it out here"},
    {"UnrollTooLong", "for k in static 0..100000 { let u = 1 }", "",
     "T0415 4:21 more than 4096 unrolled steps", "use a run-time loop: leave out `static`"},
    {"UnrollDynamic", "for k in static 0..M { let u = 1 }", "",
     "T0401 4:24 a bound of an unrolled loop must be known at compile time",
     "only literals, constants, `static`, `tune` and const parameters of the instance are known at "
     "compile time"},
    {"WidthDynamic", "for k in tiles(N, M) { let u = 1 }", "",
     "T0401 4:23 the width of a span must be known at compile time",
     "only literals, constants, `static`, `tune` and const parameters of the instance are known at "
     "compile time"},
    {"WidthZero", "for k in tiles(N, 0) { let u = 1 }", "", "T0353 4:23 an extent of 0",
     "a tile's extents are 1 or more"},
    {"BoundFloat", "for k in 0..s { let u = 1 }", "",
     "T0302 4:17 expected the bound of a range to be `i64`, found `f32`", "convert it: `… as i64`"},
    {"AssertFalse", "assert 1 > 2, \"never\"", "",
     "T0414 4:12 `never` does not hold in this instance", "correct the condition or the instance"},
    {"AssumeTile", "assume t", "", "T0320 4:12 a condition is a `bool`, found `tile<[4, 8], f32>`",
     "write a comparison, for example `x != 0`"},
    {"CarriedEnum", "var u = Act.none\n    for k in 0..3 { u = Act.relu }",
     "enum Act { none, relu }", "T0325 5:5 `u` changes in the loop, but is not a value at run time",
     "unroll the loop with `in static lo..hi`"},
    {"BranchOfViews", "let u = if s > 0.0 { x } else { y }", "",
     "T0322 4:24 the value of this `if` has two types: `view<[:, :], f32>` and `view<[:, :], f32>`",
     "what differs here must be known at compile time: make the condition static"},
};

class ControlDiagnostic : public ::testing::TestWithParam<DiagnosticCase> {};

TEST_P(ControlDiagnostic, SaysWhatIsWrong) { expectDiagnostic(GetParam()); }

INSTANTIATE_TEST_SUITE_P(All, ControlDiagnostic, ::testing::ValuesIn(cases), caseName);

} // namespace
} // namespace tessera::testing
