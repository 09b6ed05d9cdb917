// Errors of layouts, instructions and syncs: place, message, and that what follows is read.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "SyntaxTest.h"

using namespace tessera;
using namespace tessera::testing;

namespace {
std::string instr(const std::string &operands, const std::string &clauses = "ptx \"x\"",
                  const std::string &body = "{ d = s }") {
  return "instr i(" + operands + ") on sm_80 scope thread " + clauses + " " + body +
         "\nfn f() {}\n";
}
} // namespace

TEST(LayoutErrors, Forms) {
  expectErrors(
      "layout a = (4, 8)\nlayout b = 4\n",
      "1:18 T1106 expected `:` and the strides after the shape, found the end of the line\n");
  expectErrors("layout a : 4\n",
               "1:10 T0101 expected `=` and a layout after the name, found `:`\n");
  expectErrors("layout a(n: i64) = n : 1\n",
               "1:13 T1104 expected the type of a layout's parameter, found `i64`\n");
  expectErrors("layout a = 4 : 1 layout b = 2 : 1\n", "");
  expectErrors("layout a = 4 : 1 5\n",
               "1:18 T0110 expected a new line or `;` between items, found `5`\n");
  expectErrors("layout l = 3)\nfn f() {}\n",
               "1:13 T0110 expected a new line or `;` between items, found `)`\n");
}

TEST(InstrErrors, Operands) {
  expectErrors(
      instr("d: tile<[8], f32>, s: f32"),
      "1:12 T1100 expected `frag`, `smem`, `view`, `predicate` or an element type, found `tile`\n");
  expectErrors(
      instr("d: smem, s: f32"),
      "1:12 T1100 expected `frag`, `smem`, `view`, `predicate` or an element type, found `smem`\n");
  expectErrors(
      instr("d: frag<[8], f32>, s: f32"),
      "1:25 T0101 expected `,` and the layout after the element type of a fragment, found `>`\n");
  expectErrors(
      instr("d: frag<[1], f32, v> align 4, s: f32 contiguous, v: view<[1], f32> in kmajor(..)"),
      "1:30 T1101 `align` is not for `frag` operands\n1:46 T1101 `contiguous` is not for `scalar` "
      "operands\n"
      "1:76 T1101 `in` is not for `view` operands\n");
  expectErrors(instr("d: smem<[1], f32> align 4 align 8, s: f32"),
               "1:35 T0225 `align` is given twice\n");
  expectErrors(instr("d: smem<[1], f32> in rowmajr(sw128), s: f32"),
               "1:30 T1104 expected a family of layouts, found `rowmajr`\n");
  expectErrors(instr("d: smem<[1], f32> in kmajor(), s: f32"),
               "1:38 T0102 expected a name of a layout, found `)`\n");
}

TEST(InstrErrors, Clauses) {
  std::string operands = "d: smem<[1], f32>, s: f32";
  expectErrors(instr(operands, "ptx \"x\" order sum"),
               "1:72 T1104 expected an order after `order`, found `sum`\n");
  expectErrors(instr(operands, "ptx \"x\" ptx \"y\""), "1:66 T0147 a second `ptx` clause\n");
  expectErrors(instr(operands, "ptx x"), "1:62 T0108 expected a string after `ptx`, found `x`\n");
  expectErrors(instr(operands, "emit \"x\""),
               "1:58 T1102 expected a clause or the body of the instruction, found `emit`\n");
  expectErrors(instr(operands, "lower \"x\""),
               "1:64 T1104 expected `hook` after `lower`, found a string\n");
  expectErrors(instr(operands, "address d (lane)"),
               "1:68 T1104 expected `at` and the coordinates, found `(`\n");
  expectErrors(instr(operands, "effects { red s } ptx \"x\""),
               "1:68 T1104 expected an effect, found `red`\n");
  expectErrors(instr(operands, "effects { read s whole } ptx \"x\""),
               "1:75 T0110 expected a new line or `;` between effects, found `whole`\n");
  expectErrors(instr(operands, "effects { write d via dma } ptx \"x\""),
               "1:80 T1104 expected a way to memory after `via`, found `dma`\n");
  expectErrors(instr(operands, "effects { completes group(warp) } ptx \"x\""),
               "1:84 T1104 expected whose group it is, found `warp`\n");
}

TEST(InstrErrors, Parts) {
  expectErrors(
      "instr i() { }\n",
      "1:7 T1103 the instruction `i` has no target\n1:7 T1103 the instruction `i` has no "
      "scope\n1:7 T1103 the instruction `i` has no text\n1:7 T1103 the instruction `i` has "
      "no operands\n");
  expectErrors("instr i(d: smem<[1], f32>) on sm_8 scope warp ptx \"\" { }\n",
               "1:31 T1108 expected a target such as `sm_80`, found `sm_8`\n");
  expectErrors("instr i(d: smem<[1], f32>) on sm_80 scope lane ptx \"\" { }\n",
               "1:43 T1104 expected a scope after `scope`, found `lane`\n");
  expectErrors("instr i(d: smem<[1], f32>) on sm_80 scope warp ptx \"\"\nfn f() {}\n",
               "2:1 T0101 expected `{` before the body of the instruction, found `fn`\n");
}

TEST(InstrErrors, Body) {
  std::string operands = "d: smem<[1], f32>, s: f32";
  auto body = [&](const std::string &text, const std::string &errors) {
    expectErrors(instr(operands, "ptx \"x\"", text), errors);
  };
  body("{ var x = s; d = x }",
       "1:68 T1107 a variable cannot stand in the body of an instruction\n");
  body("{ d[0] = s }",
       "1:68 T1107 an assignment to a part cannot stand in the body of an instruction\n");
  body("{ d = s; s }",
       "1:75 T1107 a value at the end cannot stand in the body of an instruction\n");
  body("{ for i in 0..4 { d = s } }",
       "1:68 T1107 this statement cannot stand in the body of an instruction\n");
}

TEST(InstrErrors, FillIsForBodies) {
  expectErrors("fn f() { var x = 1\n x = 2 fill 3 }\n",
               "2:8 T0110 expected a new line or `;` between statements, found `fill`\n");
}

TEST(SyncErrors, Steps) {
  expectErrors("sync s { }\n", "1:6 T1105 expected a step of a `sync`, found none\n");
  expectErrors("sync s { bar }\n", "1:10 T1105 expected a step of a `sync`, found `bar`\n");
  expectErrors("sync s { commit cp_async; barrier }\n",
               "1:17 T1104 expected `group` after `commit`, found `cp_async`\n");
  expectErrors("sync s { wait group(1) of tma }\n",
               "1:27 T1104 expected the kind of the groups, found `tma`\n");
  expectErrors("sync s { publishes generic, async }\n",
               "1:27 T0101 expected `->` and the way that sees them, found `,`\n");
  expectErrors("sync s(n: int) { setreg up 3 }\n",
               "1:25 T1104 expected a direction after `setreg`, found `up`\n");
  expectErrors("sync s(b: mbarrier) { mbarrier wait(b) }\n",
               "1:38 T0101 expected `,` and the parity of the phase, found `)`\n");
  expectErrors("sync s(b: mbarrier) { mbarrier drop(b)\n barrier }\n",
               "1:32 T1104 expected what is done with an mbarrier, found `drop`\n");
}

TEST(RawItems, FunctionsOfSchedules) {
  Parsed parsed("import \"a.sched\"\ndef f(c: op) {\n  split(c, 8)\n}\nschedule s on sm_80 { "
                "f(loop(k)) }\ndef g() { }\n"
                "kernel s() {}\nschedule s on sm_90 { g() }\n");
  ASSERT_EQ(parsed.errors(), "");
  EXPECT_EQ(parsed.item<ast::Raw>(1).raw, ast::RawKind::Def);
  EXPECT_EQ(parsed.item<ast::Raw>(1).text, "def f(c: op) {\n  split(c, 8)\n}");
  EXPECT_EQ(parsed.item<ast::Raw>(2).raw, ast::RawKind::Schedule);
  EXPECT_EQ(parsed.item<ast::Raw>(3).text, "def g() { }");
  EXPECT_EQ(parsed.item<ast::Raw>(5).text, "schedule s on sm_90 { g() }");
}
