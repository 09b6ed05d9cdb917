// Structs: making, fields, methods: every diagnostic with its sentence, its place and its way out.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FrontendTesting.h"

namespace tessera::testing {
namespace {

// Line, items behind the kernel, diagnostics, help.
const DiagnosticCase cases[] = {
    {"FieldMissing", "let u = P(R = 4)",
     "struct P<const R: i64> { a: tile<[R], f32> = 0.0, n: i64\n fn get(self) -> i64 { self.n } }",
     "T0226 4:13 `P` is made without its field `n`", "write `n = …`"},
    {"UnknownField", "let u = P(R = 4, m = 1)",
     "struct P<const R: i64> { a: tile<[R], f32> = 0.0, n: i64\n fn get(self) -> i64 { self.n } }",
     "T0222 4:22 `P` has no parameter `m`", "its fields are `a`, `n`, `R`"},
    {"GenericUnbound", "let u = P(n = 1)",
     "struct P<const R: i64> { a: tile<[R], f32> = 0.0, n: i64\n fn get(self) -> i64 { self.n } }",
     "T0356 4:13 no argument says what `R` is", "give it by name: `P(R = …)`"},
    {"TooMany", "let u = P(t, 1, 2)",
     "struct P<const R: i64> { a: tile<[R], f32> = 0.0, n: i64\n fn get(self) -> i64 { self.n } }",
     "T0223 4:21 the call has 3 arguments in order, but `P` takes 2",
     "generic parameters are given by name"},
    {"FieldType", "let u = P(R = 4, n = s)",
     "struct P<const R: i64> { a: tile<[R], f32> = 0.0, n: i64\n fn get(self) -> i64 { self.n } }",
     "T0302 4:26 expected the field `n` to be `i64`, found `f32`", "convert it: `… as i64`"},
    {"UnknownFieldRead", "let u = P(R = 4, n = 1).m",
     "struct P<const R: i64> { a: tile<[R], f32> = 0.0, n: i64\n fn get(self) -> i64 { self.n } }",
     "T0203 4:29 `P<4>` has no member `m`", "its fields are `a`, `n`"},
    {"UnknownMethod", "let u = P(R = 4, n = 1).gte()",
     "struct P<const R: i64> { a: tile<[R], f32> = 0.0, n: i64\n fn get(self) -> i64 { self.n } }",
     "T0203 4:29 `P<4>` has no member `gte`", "did you mean `get`?"},
    {"GenericCount", "let u: P = P(R = 4, n = 1)",
     "struct P<const R: i64> { a: tile<[R], f32> = 0.0, n: i64\n fn get(self) -> i64 { self.n } }",
     "T0357 4:12 `P` has 1 generic parameters, found 0", "write a value for each of them"},
    {"AssignUnknownField", "var u = P(R = 4, n = 1)\n    u.m = 2",
     "struct P<const R: i64> { a: tile<[R], f32> = 0.0, n: i64\n fn get(self) -> i64 { self.n } }",
     "T0212 5:5 `u.m` is not a field and cannot be assigned",
     "assign to a variable, a field or elements of a view"},
    {"AssignFieldOfLet", "let u = P(R = 4, n = 1)\n    u.n = 2",
     "struct P<const R: i64> { a: tile<[R], f32> = 0.0, n: i64\n fn get(self) -> i64 { self.n } }",
     "T0212 5:5 `u` is fixed and cannot be assigned", "declare it with `var`"},
    {"Nested", "let u = Q(a = 1)", "struct Q { a: Q }", "T0362 7:15 the struct `Q` holds itself",
     "store an index instead"},
};

class StructDiagnostic : public ::testing::TestWithParam<DiagnosticCase> {};

TEST_P(StructDiagnostic, SaysWhatIsWrong) { expectDiagnostic(GetParam()); }

INSTANTIATE_TEST_SUITE_P(All, StructDiagnostic, ::testing::ValuesIn(cases), caseName);

} // namespace
} // namespace tessera::testing
