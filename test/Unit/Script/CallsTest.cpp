// Calls: positions, names, the short form, receivers, functions, recursion.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Examples.h"
#include "ScriptTest.h"

using namespace tessera;
using namespace tessera::script;
using namespace tessera::testing;

static std::string printed(llvm::StringRef defs, llvm::StringRef body) {
  RunScript ran((defs + "\n" + inSchedule(body)).str());
  return ran.errors.empty() ? ran.printed : ran.errors;
}

TEST(ScriptCalls, PositionsNamesDefaults) {
  const char *f = "def f(a, b: int = 2, c = a) { print a, b, c }";
  EXPECT_EQ(printed(f, "f(1)"), "1 2 1\n");
  EXPECT_EQ(printed(f, "f(1, c = 5)"), "1 2 5\n");
  EXPECT_EQ(printed(f, "f(c = 7, b = 8, a = 9)"), "9 8 7\n");
}

TEST(ScriptCalls, ShortForm) {
  const char *f = "def f(k: name, stages: int = 1, mode: name = off) { print k, stages, mode }";
  // The default is a name that the kernel does not know, so it must not be evaluated when it is given.
  EXPECT_EQ(printed(f, "f k stages 3 mode any"), "k 3 any\n");
  EXPECT_EQ(printed(f, "f k 4 mode any"), "k 4 any\n");
  EXPECT_EQ(printed(f, "f k 4 any"), "k 4 any\n");
  EXPECT_EQ(printed(f, "f mode any k x"), "x 1 any\n");
  EXPECT_EQ(
      printed("def s(slots: int = 1, n: int = 2) { print slots, n }", "s slots 3; s n 4; s; s 5 6"),
      "3 2\n1 4\n1 2\n5 6\n");
  EXPECT_EQ(printed("def w(k: name, a = 1, b = 2, mode: name = x) { print k, a, b, mode }",
                    "w k 3 mode any"),
            "k 3 2 any\n");
  EXPECT_EQ(printed("def d(d: name, q: int) { print d, q }", "d d 4"), "d 4\n");
  // `stages` names a parameter, but as the only argument it is one.
  const char *g = "def g(stages: name) { print stages }";
  EXPECT_EQ(printed(g, "g stages"), "stages\n");
  const char *h = "def h() { print \"h\" }\ndef two(f, place) { print f, place }";
  EXPECT_EQ(printed(h, "let f = 1\ntwo f warp"), "1 warp\n");
  EXPECT_EQ(printed("def v(x: int) -> int { return x + 1 }", "let y = v 3\nprint y"), "4\n");
}

TEST(ScriptCalls, Receivers) {
  EXPECT_EQ(printed("def twice(x: int) -> int { return 2 * x }", "print (3).twice(), [1].len()"),
            "6 1\n");
  RunScript ran(inSchedule(
      "let {yes, no} = versions(K == 1)\nyes.load(x).m.split(4).outer.bind(warp)\nseal"));
  EXPECT_EQ(ran.errors, "");
  EXPECT_EQ(ran.log,
            "versions(K == 1)\nsplit(load x.m, 4)\nbind(load x.m.outer, warp)\nseal(nothing)\n");
}

TEST(ScriptCalls, NamesAreTakenAsWritten) {
  EXPECT_EQ(printed("", "let k = loop(k)\nlet l = loop(k)\nprint l"), "loop k\n");
  // A variable that holds a name gives it.
  EXPECT_EQ(printed("def find(v: name) { print def(v) }", "find(acc); find(\"s\")"),
            "def acc\ndef s\n");
}

TEST(ScriptCalls, Recursion) {
  EXPECT_EQ(printed("def sum(n: int) -> int { if n == 0 { return 0 }; return n + sum(n - 1) }",
                    "print sum(90)"),
            "4095\n");
  EXPECT_EQ(printed("def even(n) -> bool { return if n == 0 { true } else { odd(n - 1) } }\n"
                    "def odd(n) -> bool { return if n == 0 { false } else { even(n - 1) } }",
                    "print even(10)"),
            "true\n");
}

TEST(ScriptCalls, ChainOfFunctionsInErrors) {
  RunScript ran("def inner(d: dim) {\n  split(d, 0)\n}\ndef outer(d: dim) {\n  inner(d)\n}\n"
                "schedule s on sm_80 {\n  outer(loop(k).m)\n}\n");
  EXPECT_EQ(ran.rendered,
            "t.sched:2:3: error[T1073]: `split` refused: the factor 0 is not positive\n"
            "    2 |   split(d, 0)\n"
            "      |   ^~~~~~~~~~~\n"
            "t.sched:5:3: note: in `inner`, called here\n"
            "    5 |   inner(d)\n"
            "      |   ^~~~~~~~\n"
            "t.sched:8:3: note: in `outer`, called here\n"
            "    8 |   outer(loop(k).m)\n"
            "      |   ^~~~~~~~~~~~~~~~\n"
            "help: split by 1 or more\n");
}

TEST(ScriptCalls, ValuesKnowWhereTheyComeFrom) {
  RunScript ran(inSchedule("let f = split(loop(k).m, 4)\nlet g = f.outer\nunroll(g)"));
  EXPECT_EQ(ran.rendered, "t.sched:4:8: error[T1040]: the parameter `l` of `unroll` is a loop, "
                          "found the factor `loop k.m.outer`\n"
                          "    4 | unroll(g)\n"
                          "      |        ^\n"
                          "t.sched:2:9: note: it comes from here\n"
                          "    2 | let f = split(loop(k).m, 4)\n"
                          "      |         ^~~~~~~~~~~~~~~~~~~\n"
                          "help: `print` shows what a value is\n");
}

TEST(ScriptCalls, DocumentationOfPrimitives) {
  Signature split;
  split.name = "split";
  split.params = {{"d", ValueKind::Dim},
                  {"q", ValueKind::Int},
                  {"tail", ValueKind::Name, Value::name("guard"), {"guard", "exact"}}};
  split.result = "{outer, inner}";
  split.group = "Factors";
  split.doc = "Cuts a dim.";
  split.before = "m = reg 128";
  split.after = "m = reg 4 . reg 32\n";
  Signature loop;
  loop.name = "loop";
  loop.params = {{"name", ValueKind::Name}};
  loop.takesScope = loop.isPure = true;
  loop.group = "Cursors";
  loop.doc = "The loop of a name.";
  Signature all = split;
  all.name = "overlay";
  all.params = {{"b", ValueKind::Buf, std::nullopt, {}, true}, {"o", ValueKind::Any, Value()}};
  all.before = all.after = "";
  std::string text;
  llvm::raw_string_ostream os(text);
  printPrimitives(os, {split, loop, all});
  EXPECT_EQ(text,
            "## Factors\n\n"
            "### `split(d: dim, q: int, tail in {guard, exact} = guard) -> {outer, inner}`\n\nCuts "
            "a dim.\n\n"
            "before:\n\n```\nm = reg 128\n```\n\nafter:\n\n```\nm = reg 4 . reg 32\n```\n\n"
            "### `overlay(b: buf, …, o?) -> {outer, inner}`\n\nCuts a dim.\n\n"
            "## Cursors\n\n### `[scope.]loop(name: name)`\n\nLooks only. The loop of a name.\n\n");
}
