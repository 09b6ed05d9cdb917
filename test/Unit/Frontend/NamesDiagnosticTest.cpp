// Names: declarations, items, members: every diagnostic with its sentence, its place and its way out.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FrontendTesting.h"

namespace tessera::testing {
namespace {

// Line, items behind the kernel, diagnostics, help.
const DiagnosticCase cases[] = {
    {"UnknownName", "let u = t + tt", "", "T0201 4:17 `tt` is not declared", "did you mean `t`?"},
    {"UnknownNameInABranchNotTaken", "let u = if false { tq } else { t }", "",
     "T0201 4:24 `tq` is not declared", "did you mean `q`?"},
    {"UnknownFunction", "let u = expp(t)", "", "T0201 4:13 `expp` is not declared",
     "did you mean `exp`?"},
    {"UnknownType", "let u: tile<[4, 8], f23> = t", "", "T0202 4:25 `f23` is not a type",
     "did you mean `f32`?"},
    {"UnknownCastType", "let u = t as bf61", "", "T0202 4:18 `bf61` is not a type",
     "did you mean `bf16`?"},
    {"DuplicateLet", "let r = 1", "", "T0205 4:9 `r` is declared twice", "choose another name"},
    {"ShadowedByLoop", "for k in 0..2 { let t = 1 }", "", "T0206 4:25 `t` would hide another `t`",
     "choose another name"},
    {"ShadowedItem", "let W = 1", "const W = 3", "T0206 4:9 `W` would hide another `W`",
     "choose another name"},
    {"ReservedName", "let exp = 1", "", "T0207 4:9 `exp` is a name of the language",
     "choose another name"},
    {"ReservedType", "let f32 = 1", "", "T0207 4:9 `f32` is a name of the language",
     "choose another name"},
    {"ReservedExtent", "let u = 1", "kernel e(x: in view<[M, f64], f32>) { }",
     "T0207 7:25 `f64` is a name of the language", "choose another name"},
    {"DuplicateItem", "let u = 1", "const W = 3\nfn W(a: f32) -> f32 { a }",
     "T0205 8:4 `W` is declared twice", "give one of them another name"},
    {"DuplicateCase", "let u = 1", "enum Act { none, relu, none }",
     "T0205 7:24 `none` is declared twice", "leave one of them out"},
    {"DuplicateField", "let u = 1", "struct P { a: f32, a: i32 }",
     "T0205 7:20 `a` is declared twice", "choose another name"},
    {"FunctionAsValue", "let u = f", "fn f(a: f32) -> f32 { a }",
     "T0208 4:13 `f` is a function, not a value", "call it: `f(…)`"},
    {"BuiltinAsValue", "let u = exp", "", "T0208 4:13 `exp` is a function, not a value",
     "call it: `exp(…)`"},
    {"ModuleAsValue", "let u = std", "", "T0208 4:13 `std` is a module, not a value",
     "name one of its items: `std.…`"},
    {"EnumAsValue", "let u = Act", "enum Act { none, relu }",
     "T0208 4:13 `Act` is an enum, not a value", "write a case: `Act.none`"},
    {"ValueAsType", "let u: s = 1.0", "", "T0209 4:12 `s` is `f32`, not a type", "write a type"},
    {"AmbiguousCase", "let u = none", "enum A { none, one }\nenum B { none, two }",
     "T0210 4:13 `none` is a case of 2 enums", "write `A.none`"},
    {"UnknownCase", "let u = Act.rel", "enum Act { none, relu }",
     "T0204 4:17 `Act` has no case `rel`", "did you mean `relu`?"},
    {"UnknownStdMember", "let u = std.gelu_tahn(t)", "",
     "T0203 4:17 `std` has no member `gelu_tahn`", "did you mean `gelu_tanh`?"},
    {"UnknownMember", "let u = t.foo", "", "T0203 4:15 `tile<[4, 8], f32>` has no member `foo`",
     "correct the spelling"},
    {"UnknownSpanMember", "let u = r.begin", "", "T0203 4:15 `span<4>` has no member `begin`",
     "a span has `.start`, `.stop`, `.index` and `.width`"},
    {"UnknownMethod", "let u = t.kep_if(t > 0.0)", "",
     "T0203 4:15 `tile<[4, 8], f32>` has no member `kep_if`", "did you mean `keep_if`?"},
    {"MethodWithoutCall", "let u = t.keep_if", "",
     "T0203 4:15 `tile<[4, 8], f32>` has no member `keep_if`",
     "it is a method: call it, `.keep_if(…)`"},
    {"CallOfAVariable", "let u = t(1)", "", "T0211 4:13 `t` cannot be called",
     "functions and structs are called"},
    {"CallOfAnExpression", "let u = (t + t)(1)", "", "T0211 4:14 `t + t` cannot be called",
     "functions and structs are called"},
    {"SelfOutside", "let u = self", "", "T0213 4:13 there is no `self` here",
     "only methods with a parameter `self` have it"},
    {"ConstCycle", "let u = A1", "const A1 = B1\nconst B1 = A1",
     "T0214 7:7 the constant `A1` needs its own value", "give one of the constants a literal"},
    {"Recursion", "let u = f(s)", "fn f(a: f32) -> f32 { g(a) }\nfn g(a: f32) -> f32 { f(a) }",
     "T0215 8:23 `f` calls itself", "functions are inlined; write a loop"},
    {"AssignToLet", "t = t + 1.0", "", "T0212 4:5 `t` is fixed and cannot be assigned",
     "declare it with `var`"},
    {"AssignToArgument", "s = 1.0", "", "T0212 4:5 `s` is fixed and cannot be assigned",
     "copy it into a `var` first"},
    {"AssignToCall", "exp(t) = t", "", "T0139 4:5 this expression cannot be assigned to",
     "the left side is a name, a member `a.b` or an element `a[i]`"},
    {"TestTwice", "let u = 1", "test k { M in {1} }\ntest k { M in {2} }",
     "T0218 8:6 `k` has two tests", "put everything in one `test` block"},
    {"TestWithoutKernel", "let u = 1", "test kk { M in {1} }",
     "T0219 7:6 there is no kernel `kk` to test", "did you mean `k`?"},
    {"DuplicateParameter", "let u = 1", "fn f(a: f32, a: f32) -> f32 { a }",
     "T0205 7:14 `a` is declared twice", "choose another name"},
    {"DuplicateGenericInStruct", "let u = 1", "struct P<const a: i64, const a: i64> { b: f32 }",
     "T0205 7:30 `a` is declared twice", "choose another name"},
    {"MethodNamedAsAField", "let u = 1", "struct P { a: f32\n fn a(self) -> f32 { 1.0 } }",
     "T0205 8:5 `a` is declared twice", "choose another name"},
    {"UnknownMatchArm", "let u = match Act.none { none => 1, rleu => 2 }",
     "enum Act { none, relu }", "T0201 4:41 `rleu` is not declared", "did you mean `relu`?"},
    {"NoShadowingByFold", "let u = 1", "fn f(a: f32) -> f32 { sum(a in 0..4: 1.0) }",
     "T0206 7:27 `a` would hide another `a`", "choose another name"},
    {"NameUsedBeforeItsDeclaration", "let u = v\n    let v = 1", "",
     "T0201 4:13 `v` is not declared", "declare it, or correct the spelling"},
};

class NamesDiagnostic : public ::testing::TestWithParam<DiagnosticCase> {};

TEST_P(NamesDiagnostic, SaysWhatIsWrong) { expectDiagnostic(GetParam()); }

INSTANTIATE_TEST_SUITE_P(All, NamesDiagnostic, ::testing::ValuesIn(cases), caseName);

} // namespace
} // namespace tessera::testing
