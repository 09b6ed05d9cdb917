// What is wrong with the body or the clauses of an instruction, or with a sync; near misses that are right.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "InstrTesting.h"

namespace tessera::testing {

namespace {
class InstrDiagnostic : public ::testing::TestWithParam<Declaration> {};
} // namespace

TEST_P(InstrDiagnostic, Reports) { expectDeclaration(GetParam()); }

INSTANTIATE_TEST_SUITE_P(
    Bodies, InstrDiagnostic,
    ::testing::Values(
        Declaration{
            "notAssigned",
            "instr i(d: out smem<[8], f32>, e: out smem<[8], f32>, s: view<[8], f32>) " THREAD
            "{ d = s }",
            "T1141 1:32 `e` is `out`, but the body does not assign it", "assign it"},
        Declaration{"input", "instr i(d: smem<[8], f32>, s: in view<[8], f32>) " THREAD "{ s = d }",
                    "T1142 1:82 `s` cannot be assigned: it is an input", "`out`"},
        Declaration{"scalar", "instr i(d: smem<[8], f32>, s: f32) " THREAD "{ s = 1.0; d = s }",
                    "T1142 1:68 `s` cannot be assigned: it is a scalar", "frag<[1]"},
        Declaration{
            "noOperand", "instr i(d: smem<[8], f32>, s: view<[8], f32>) " THREAD "{ d = s; i = s }",
            "T1142 1:86 `i` cannot be assigned: it is no operand", "the operands are `d` or `s`"},
        Declaration{"readFirst",
                    "instr i(d: smem<[8], f32>, s: view<[8], f32>) " THREAD "{ d = d + s }",
                    "T1143 1:83 `d` is read, but the instruction only writes it", "`inout`"},
        Declaration{"unused",
                    "instr i(d: smem<[8], f32>, s: view<[8], f32>, t: view<[8], f32>) " THREAD
                    "{ d = s }",
                    "T1144 1:47 the body does not use the operand `t`", "leave the operand out"},
        Declaration{
            "effect",
            "instr i(d: smem<[8], f32>, s: view<[8], f32>) " THREAD "{ d = { print(1.0); s } }",
            "T1107 1:77 `print` cannot stand in the body of an instruction", "nothing else"},
        Declaration{"noAxes", "instr i(d: smem<[], f32>, s: f32) " THREAD "{ d = s }",
                    "T0315 1:17 expected a shape, found `[]`", "`[1]`"},
        Declaration{"noResult", "instr i(d: smem<[8], f32>) " THREAD "{ let x = d }",
                    "T1145 1:58 the body of `i` assigns no operand", "dst = src"},
        Declaration{"twice",
                    "instr i(d: smem<[8], f32>, s: view<[8], f32>) " THREAD
                    "{ d = s; d = s + 1.0 }",
                    "T1146 1:86 `d` is assigned twice", "`let`"},
        Declaration{"type", "instr i(d: smem<[8], f32>, s: view<[8], bf16>) " THREAD "{ d = s }",
                    "T0302 1:84 expected `d` to be `tile<[8], f32>`, found `tile<[8], bf16>`",
                    "as f32"},
        Declaration{"shape", "instr i(d: smem<[8], f32>, s: view<[4], f32>) " THREAD "{ d = s }",
                    "T0302 1:83 expected `d` to be `tile<[8], f32>`, found `tile<[4], f32>`",
                    "shapes equal"},
        Declaration{"name", "instr i(d: smem<[8], f32>, s: view<[8], f32>) " THREAD "{ d = s + t }",
                    "T0201 1:87 `t` is not declared", ""},
        Declaration{"view",
                    "instr i(d: smem<[8], f32>, s: view<[8], f32>) " THREAD "{ d = foo(s) }",
                    "T0201 1:83 `foo` is not declared", ""}),
    declarationName);

INSTANTIATE_TEST_SUITE_P(
    Clauses, InstrDiagnostic,
    ::testing::Values(
        Declaration{"effectMismatch",
                    "instr i(d: smem<[8], f32>, s: view<[8], f32>) " THREAD
                    "effects { read s; update d } { d = s }",
                    "T1147 1:102 the effects say `update d`, but the body writes it", "`write d`"},
        Declaration{"effectMissing",
                    "instr i(d: smem<[8], f32>, s: view<[8], f32>) " THREAD
                    "effects { write d } { d = s }",
                    "T1148 1:28 the effects say nothing of `s`", "`read s`"},
        Declaration{"effectTwice",
                    "instr i(d: smem<[8], f32>, s: view<[8], f32>) " THREAD
                    "effects { write d; read s, s } { d = s }",
                    "T1149 1:104 the effects name `s` twice", "keep one"},
        Declaration{"effectUnknown",
                    "instr i(d: smem<[8], f32>, s: view<[8], f32>) " THREAD
                    "effects { write d; read s, t } { d = s }",
                    "T0201 1:104 `t` is not declared", "the operands are"},
        Declaration{"completion",
                    "instr i(d: smem<[8], f32>, s: view<[8], f32>) " THREAD
                    "effects { read s; write d via cp_async } { d = s }",
                    "T1110 1:107 accesses via `cp_async` complete by `group(thread)` or `ring`, "
                    "found nothing",
                    "completes group(thread)"},
        Declaration{"completionOfGeneric",
                    "instr i(d: smem<[8], f32>, s: view<[8], f32>) " THREAD
                    "effects { read s; write d; completes ring } { d = s }",
                    "T1110 1:114 accesses via `generic` complete by `now`, found `ring`",
                    "completes now"},
        Declaration{"twoWays",
                    "instr i(d: smem<[8], f32>, s: view<[8], f32>) " THREAD
                    "effects { read s via tma; write d via bulk; completes ring } { d = s }",
                    "T1111 1:115 an instruction takes one way to memory, found `tma` and `bulk`",
                    "two instructions"},
        Declaration{
            "holeUnknown",
            "instr i(d: smem<[8], f32>, s: view<[8], f32>) on sm_80 scope thread ptx \"st {e}\" "
            "{ d = s }",
            "T1112 1:77 `{e}` in the text of the instruction is neither an operand nor a constant",
            "written twice"},
        Declaration{
            "holeOpen",
            "instr i(d: smem<[8], f32>, s: view<[8], f32>) on sm_80 scope thread ptx \"st {d\" "
            "{ d = s }",
            "T1112 1:77 `{` in the text of the instruction is not closed", "written twice"},
        Declaration{
            "holeClosed",
            "instr i(d: smem<[8], f32>, s: view<[8], f32>) on sm_80 scope thread ptx \"{{ }\" "
            "{ d = s }",
            "T1112 1:77 `}` in the text of the instruction closes nothing", "written twice"},
        Declaration{"presentOfShared",
                    "instr i(d: smem<[8], f32>, s: view<[8], f32>) on sm_80 scope thread ptx "
                    "\"{present_bytes(d)}\" { d = s }",
                    "T1112 1:74 `{present_bytes(d)}` in the text of the instruction is for views: "
                    "only they end before "
                    "a tile does",
                    "`view` operand"},
        Declaration{
            "constantUnused",
            "instr i<const N: int>(d: smem<[8], f32>, s: view<[8], f32>) on sm_80 scope thread "
            "where N > 3 ptx \"\" { d = s }",
            "T1113 1:9 `N` is used nowhere in `i`", "leave it out"},
        Declaration{"constantType",
                    "instr i<const N: i64>(d: smem<[N], f32>, s: view<[N], f32>) " THREAD
                    "{ d = s }",
                    "T1114 1:9 the parameter `N` of an instruction is an `int` or an element type, "
                    "found `i64`",
                    "const N: int"},
        Declaration{"shapeGeneric",
                    "instr i<S: shape>(d: smem<S, f32>, s: view<S, f32>) " THREAD "{ d = s }",
                    "T1114 1:9 the parameter `S` of an instruction is an `int` or an element type, "
                    "found `shape`",
                    "const S: int"},
        Declaration{"defaultType",
                    "instr i<T in {bf16, f16} = f32>(d: smem<[4], T>, s: view<[4], T>) " THREAD
                    "{ d = s }",
                    "T0355 1:28 `T` stands for a type of its set, found `f32`", ""},
        Declaration{
            "whereNever",
            "instr i<const N: int in {4, 12}>(d: smem<[N], f32>, s: view<[N], f32>) on sm_80 scope "
            "thread where N % 8 == 0 ptx \"\" { d = s }",
            "T1115 1:100 `N % 8 == 0` does not hold for any listed value", "list other values"},
        Declaration{"orderOfMma",
                    "instr i(a: smem<[8, 8], f32>, c: inout smem<[8, 8], f32>) " THREAD
                    "{ c = mma(a, a, c) }",
                    "T1116 1:89 `order exact` promises more than the body: a product sums in an "
                    "order of its own",
                    "`order dot` or `order any`"},
        Declaration{
            "orderOfTree",
            "instr i(a: smem<[8], f32>, c: smem<[1], f32>) " THREAD
            "order exact { c = sum(a, axis = 0)[_] }",
            "T1116 1:83 `order exact` promises more than the body: a sum of floats is a tree",
            "`order tree`"},
        Declaration{"orderOfAny",
                    "instr i(a: smem<[8], f32>, c: smem<[1], f32>) " THREAD
                    "order tree { c = sum(a, axis = 0, order = any)[_] }",
                    "T1116 1:83 `order tree` promises more than the body: a sum with `order = any` "
                    "is free in its order",
                    "`order any`"},
        Declaration{"syncUnused", "sync s(n: const int) { barrier }",
                    "T1113 1:8 `n` is used nowhere in `s`", "step"},
        Declaration{"syncObject", "sync s(n: const int) { setreg inc n; mbarrier arrive(n) }",
                    "T0304 1:54 `mbarrier` takes a parameter of that type, found `n`", "mbarrier)"},
        Declaration{"syncAmount", "sync s(b: mbarrier) { mbarrier wait(b, b) }",
                    "T0304 1:40 `a step` takes a number there, found `b`", "write a number"},
        Declaration{"syncName", "sync s { setreg inc m }", "T0201 1:21 `m` is not declared", ""}),
    declarationName);

/// What may look wrong, but is not: near misses of the checks above.
TEST(InstrAccepted, NearMisses) {
  for (const char *text : {
           "instr i(a: smem<[8], i32>, c: smem<[1], i32>) " THREAD "{ c = sum(a, axis = 0)[_] }",
           "instr i(a: smem<[8], f32>, c: smem<[1], f32>) " THREAD "{ c = max(a, axis = 0)[_] }",
           "instr i(a: smem<[8], f32>, c: smem<[1], f32>) " THREAD
           "order tree { c = sum(a, axis = 0)[_] }",
           "instr i(a: smem<[8], f32>, c: smem<[8], f32>) " THREAD "order any { c = a }",
           "instr i(a: smem<[8], f32>, c: smem<[8], f32>) " THREAD "{ c = a; let x = c }",
           "instr i(a: smem<[8], f32>, b: smem<[8], f32>, c: inout smem<[8], f32>, d: smem<[8], "
           "bf16>) " THREAD "{ let t = fma(a, b, c); c = t; d = t as bf16 }",
           "instr i(a: smem<[8], f32>, s: f32, p: predicate, c: smem<[8], f32>) " THREAD
           "{ c = a * s }",
           "instr i(d: smem<[8], f32>, s: view<[8], f32>) on sm_80 scope thread ptx \"{{ {d}, {s} "
           "}}\" { d = s }",
           "instr i(d: smem<[8], f32> align 32, s: view<[8], f32>) " THREAD "{ d = s fill -1.0 }",
           "layout a(n) = n : 1\nlayout b = compose(a(8), a(n = 4))\nlayout c = std.sw128(8, 64, "
           "2)",
           "layout c = sw128(8, 64, 2)",
           "layout s = swizzle(2, 0, 2)\nlayout c = compose(s, (64, 64) : (64, 1))",
       }) {
    Outcome outcome = compile(std::string(text) + "\nkernel k() {}\n");
    EXPECT_TRUE(outcome.ok()) << text << "\n" << outcome.rendered;
  }
}

} // namespace tessera::testing
