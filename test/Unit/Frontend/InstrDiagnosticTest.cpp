// What is wrong with a layout, an instruction or a sync, told when its file is loaded.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "InstrTesting.h"

namespace tessera::testing {

namespace {
class LayoutDiagnostic : public ::testing::TestWithParam<Declaration> {};
} // namespace

TEST_P(LayoutDiagnostic, Reports) { expectDeclaration(GetParam()); }

INSTANTIATE_TEST_SUITE_P(
    Layouts, LayoutDiagnostic,
    ::testing::Values(
        Declaration{"unknown", "layout a = (4, 4) : (1, 4)\nlayout b = compose(aa, a)",
                    "T1120 2:20 no layout is called `aa`", "did you mean `a`?"},
        Declaration{"notALayout", "fn f() {}\nlayout b = f", "T1120 2:12 no layout is called `f`",
                    "declare it"},
        Declaration{"counts", "layout b = swizzle(3, 3)",
                    "T1121 1:12 `swizzle` takes three numbers: bits, base, shift, "
                    "found 2 arguments",
                    "in order"},
        Declaration{"tooMany", "layout a(n) = n : 1\nlayout b = a(1, 2)",
                    "T1121 2:12 `a` takes 1 number, found 2 arguments", "leave some"},
        Declaration{"numberForLayout", "layout b(n) = coalesce(n)",
                    "T1122 1:24 expected a layout, found the number `n`", "shape : stride"},
        Declaration{"layoutForNumber", "layout b = complement(4 : 1, 4 : 1)",
                    "T1122 1:30 expected a number of `complement`, found a layout",
                    "write a number"},
        Declaration{"nested", "layout b = (4, (2, 2)) : (1, 4)",
                    "T1123 1:30 there is no such layout: the strides are "
                    "one number where the shape has 2 parts",
                    "give"},
        Declaration{"algebra", "layout b = inverse(4 : 2)",
                    "T1123 1:12 there is no such layout: inverse: the layout does "
                    "not reach every value of `offset` "
                    "below 7",
                    "shrink"},
        Declaration{"negative", "layout b = 4 : -1",
                    "T1123 1:16 there is no such layout: expected a stride or `(`, "
                    "found `-`",
                    "correct"},
        Declaration{
            "recursion", "layout a = b\nlayout b = coalesce(a)",
            "T1124 2:21 the layout `a` needs itself\nT1124 1:12 the layout `b` needs itself",
            "shape and strides"},
        Declaration{"unset", "layout a(n) = n : 1\nlayout b = a",
                    "T1125 2:12 nothing gives the parameter `n` of the "
                    "layout `a` a value",
                    "a(n = …)"},
        Declaration{"operationName", "layout compose = 4 : 1",
                    "T0207 1:8 `compose` is a name of the language", "operation"},
        Declaration{"asValue", "layout a = 4 : 1\nkernel j() { let x = a }",
                    "T0208 2:22 `a` is a layout, not a value", "schedules use it"},
        Declaration{"asFunction", "sync a { barrier }\nkernel j() { a() }",
                    "T0211 2:14 `a` cannot be called", ""},
        Declaration{"hidden", "layout a = 4 : 1\nkernel j() { let a = 1 }",
                    "T0206 2:18 `a` would hide another `a`", "another name"},
        Declaration{"literalInNumbers", "layout a(n) = n : 1\nlayout b = a(cdiv(4 : 1, 2))",
                    "T0502 2:19 a layout is not a value", "layouts stand in"},
        Declaration{"parameters", "layout a(n) = compose(swizzle(3, 0, 3), b(n))",
                    "T1120 1:41 no layout is called `b`", ""},
        Declaration{"oddNumbers",
                    "layout a(n) = inverse((n, 4) : (1, 3))\nlayout b = a(3)\nlayout c = a(5)",
                    "T1123 3:12 there is no such layout: inverse: two points of the layout have "
                    "the same value, expected an injective layout",
                    "slice the repeated dim"},
        Declaration{"twice", "layout a = 4 : 1\nlayout a = 2 : 1",
                    "T0205 2:8 `a` is declared twice", "another name"},
        Declaration{"withFunction", "layout a = 4 : 1\nfn a() {}",
                    "T0205 2:4 `a` is declared twice", "another name"},
        Declaration{"namedUnknown", "layout a(n) = n : 1\nlayout b = a(m = 2)",
                    "T0222 2:18 `a` has no parameter `m`", "in order"},
        Declaration{"float", "layout b = 4 : 1.5",
                    "T0402 1:16 a number of a layout is an integer that is known at "
                    "compile time, found the float `1.5`",
                    "write an integer"}),
    declarationName);

INSTANTIATE_TEST_SUITE_P(
    Fragments, LayoutDiagnostic,
    ::testing::Values(
        Declaration{"inputs",
                    "instr i(d: out frag<[32], f32, 32 : 1>, s: smem<[32], f32>) " HEAD "{ d = s }",
                    "T1130 1:32 the map of `d` has 1 input, expected two: lane and value",
                    "(lane, value)"},
        Declaration{"lanes",
                    "instr i(d: out frag<[32], f32, (16, 2) : (1, 16)>, s: smem<[32], f32>) " HEAD
                    "{ d = s }",
                    "T1131 1:32 the map of `d` is for 16 lanes, but a warp has 32 threads",
                    "each thread"},
        Declaration{
            "collision",
            "instr i(d: out frag<[32, 2], f32, (32, 2) : (1, 31)>, s: smem<[32, 2], f32>) " HEAD
            "{ d = s }",
            "T1132 1:35 lane 31 value 0 and lane 0 value 1 both hold [31, 0] of `d`",
            "a position of its own"},
        Declaration{"gap",
                    "instr i(d: out frag<[64], f32, (32, 1) : (2, 1)>, s: smem<[64], f32>) " HEAD
                    "{ d = s }",
                    "T1133 1:32 nobody holds [1] of `d`",
                    "the map has 32 values, the tile 64 elements"},
        Declaration{
            "outside",
            "instr i(d: out frag<[16], f32, (32, 1) : (1, 1)>, s: smem<[16], f32>) " HEAD
            "{ d = s }",
            "T1134 1:32 lane 16 value 0 of `d` is at position 16, but the tile has 16 elements",
            "first axis"},
        Declaration{
            "scope",
            "instr i(d: out frag<[8], f32, (8, 1) : (1, 1)>, s: smem<[8], f32>) on sm_80 scope cta "
            "ptx \"x\" { d = s }",
            "T1135 1:9 the fragment `d` cannot be spread over a cta", "`warpgroup`"},
        Declaration{
            "constantsInForce",
            "layout v(n) = (1, n) : (0, 2)\ninstr i<const N: int>(d: out frag<[N], f32, v(N)>, s: "
            "smem<[N], f32>) "
            "on sm_80 scope thread where N in {4} ptx \"x\" { d = s }",
            "T1134 2:45 lane 0 value 2 of `d` is at position 4, but the tile has 4 elements",
            "first axis"}),
    declarationName);

INSTANTIATE_TEST_SUITE_P(
    Memory, LayoutDiagnostic,
    ::testing::Values(
        Declaration{"notPowerOfTwo",
                    "instr i(d: smem<[12], f32> align 12, s: view<[12], f32>) " THREAD "{ d = s }",
                    "T1136 1:34 `d` cannot be aligned to 12 bytes: an alignment is a power of two",
                    "from 4 on that divides 48"},
        Declaration{"belowElement",
                    "instr i(d: smem<[8], f32> align 2, s: view<[8], f32>) " THREAD "{ d = s }",
                    "T1136 1:33 `d` cannot be aligned to 2 bytes: an element of `f32` has 4",
                    "power of two"},
        Declaration{"beyondPiece",
                    "instr i(d: smem<[4, 6], bf16> rows(6) align 8, s: view<[4, 6], bf16>) " THREAD
                    "{ d = s }",
                    "T1136 1:45 `d` cannot be aligned to 8 bytes: a piece of it has 12",
                    "divides 12"},
        Declaration{"rows",
                    "instr i(d: smem<[4, 6], bf16> rows(4), s: view<[4, 6], bf16>) " THREAD
                    "{ d = s }",
                    "T1137 1:36 `d` has no rows of 4 elements: its last axis has 6", "divisor"},
        Declaration{
            "addressOutside",
            "instr i(d: out frag<[32], f32, (32, 1) : (1, 1)>, s: smem<[32], f32> rows(4)) " HEAD
            "address s at 4 * lane { d = s }",
            "T1138 1:115 the row of lane 8 begins at [32], which is not in `s`", "4 elements"},
        Declaration{
            "addressGap",
            "instr i(d: out frag<[32], f32, (32, 1) : (1, 1)>, s: smem<[32], f32> rows(4)) " HEAD
            "address s at 4 * (lane % 4) { d = s }",
            "T1139 1:115 no lane addresses [16] of `s`", "every row"},
        Declaration{
            "addressRank",
            "instr i(d: out frag<[32], f32, (32, 1) : (1, 1)>, s: smem<[32], f32> rows(4)) " HEAD
            "address s at (lane, 0) { d = s }",
            "T1140 1:115 the address of `s` has 2 coordinates, the operand 1 axis", "each axis"},
        Declaration{
            "addressForm",
            "instr i(d: out frag<[32], f32, (32, 1) : (1, 1)>, s: smem<[32], f32> rows(4)) " HEAD
            "address s at lane * lane { d = s }",
            "T1140 1:120 the address of `s` has a coordinate that is not affine in `lane`",
            "by constants"},
        Declaration{"addressWithoutRows",
                    "instr i(d: out frag<[32], f32, (32, 1) : (1, 1)>, s: smem<[32], f32>) " HEAD
                    "address s at lane { d = s }",
                    "T1140 1:107 the address of `s` is that of a row of unknown length", "rows(8)"},
        Declaration{"addressOfFragment",
                    "instr i(d: out frag<[32], f32, (32, 1) : (1, 1)>, s: smem<[32], f32>) " HEAD
                    "address d at lane { d = s }",
                    "T1140 1:107 the address of `d` does not exist: it is no memory",
                    "`smem` and `view`"},
        Declaration{"addressUnknown",
                    "instr i(d: smem<[32], f32>, s: smem<[32], f32>) " HEAD
                    "address e at lane { d = s }",
                    "T0201 1:85 `e` is not declared", "the operands are `d` or `s`"},
        Declaration{"tooLarge",
                    "instr i(d: smem<[1024, 256], f32>, s: view<[1024, 256], f32>) " THREAD
                    "{ d = s }",
                    "T0352 1:17 a tile of shape `[1024, 256]` has more than 131072 elements\nT0352 "
                    "1:44 a tile of shape "
                    "`[1024, 256]` has more than 131072 elements",
                    "small"},
        Declaration{"family",
                    "instr i(d: smem<[32], f32> in kmajor(sw127), s: smem<[32], f32>) " HEAD
                    "{ d = s }",
                    "T1120 1:38 no layout is called `sw127`", "`sw128`"}),
    declarationName);

} // namespace tessera::testing
