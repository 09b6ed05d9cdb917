// Every syntax error once, with its place, and what mends it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ScriptTest.h"

using namespace tessera;
using namespace tessera::testing;

static void expectErrors(const std::string &text, const std::string &errors,
                         const std::string &fixed = "") {
  ParsedScript parsed(text);
  EXPECT_EQ(parsed.errors(), errors) << text;
  if (!fixed.empty()) {
    EXPECT_EQ(applyFixIts(text, parsed.engine.diagnostics()), fixed);
    EXPECT_EQ(ParsedScript(fixed).errors(), "");
  }
}
static void expectBody(const std::string &body, const std::string &errors,
                       const std::string &fixed = "") {
  expectErrors(inSchedule(body), errors, fixed.empty() ? "" : inSchedule(fixed));
}

TEST(ScriptParserErrors, Items) {
  expectErrors("split(c, 2)\n",
               "1:1 T1001 expected `import`, `def` or `schedule`, found `split`\n");
  expectErrors("schedule s {\n}\n",
               "1:12 T1009 expected `on` and a target after the name of the schedule, found `{`\n",
               "schedule s on sm_80 {\n}\n");
  expectErrors("def f(c: thing) { }\n", "1:10 T1002 `thing` is not a kind of value\n");
  expectErrors("def f(a = 1, b) { }\n",
               "1:14 T1008 the parameter `b` without a default follows one that has a default\n");
  expectErrors("def f(a, a) { }\n", "1:10 T0205 `a` is declared twice\n");
  expectErrors("schedule s on sm_80 (S) { }\n",
               "1:22 T1012 the parameter `S` of a schedule has no default\n");
  expectErrors("schedule s on sm_80 (S = 1, S = 2) { }\n", "1:29 T0205 `S` is declared twice\n");
  expectErrors("schedule s on sm_80 (S = choose(3)) { }\n",
               "1:26 T1013 `choose` takes a default and a set of values\n");
  expectErrors("def f() { }\nimport \"a.sched\"\n",
               "2:1 T1014 `import` stands before functions and schedules\n");
  expectErrors("import a\n", "1:8 T0108 expected a string after `import`, found `a`\n");
  expectErrors("fn f() { }\n", "1:1 T1010 there is no `fn`; it is written `def`\n",
               "def f() { }\n");
  expectErrors("def f() { } def g() { }\n", "");
  expectErrors("def f() { } 3\n",
               "1:13 T0110 expected a new line or `;` between items, found `3`\n");
  expectErrors("def for() { }\n",
               "1:1 T1001 expected `import`, `def` or `schedule`, found `def`\n");
  expectErrors("schedule s on sm_80 {\n  f(\n}\ndef g( { }\n",
               "2:5 T0114 expected `)` to close `(`, found `}`\n4:8 T0102 expected a name for the "
               "parameter, found `{`\n");
}

TEST(ScriptParserErrors, Statements) {
  expectBody("var x = 1", "2:1 T1010 there is no `var`; it is written `let`\n", "let x = 1");
  expectBody("if a { } else { }\nelif b { }",
             "3:1 T1010 there is no `elif`; it is written `else if`\n");
  expectBody("break", "2:1 T0134 `break` does not exist in the language\n");
  expectBody("permit reassoc", "2:1 T0134 `permit` does not exist in the language\n");
  expectBody("return 3", "2:1 T1007 `return` stands only in a function\n");
  expectBody("try { f() }",
             "2:12 T1006 expected `else` and a name for the error after the block of `try`, "
             "found the end of the line\n");
  expectBody("try { f() } else { }", "2:13 T1006 expected `else` and a name for the error after "
                                     "the block of `try`, found `else`\n");
  expectBody("trust { }", "2:7 T0108 expected a string in parentheses after `trust`, found `{`\n");
  expectBody("let x", "2:6 T0137 expected `=` and a value, found the end of the line\n");
  expectBody("let {3} = x", "2:6 T0102 expected a name of a field, found `3`\n");
  expectBody("let if = 3", "2:5 T0103 `if` is a keyword and cannot be a name\n");
  expectBody("let {if} = x", "2:6 T0103 `if` is a keyword and cannot be a name\n");
  expectBody("x.y = 3", "2:1 T0139 this expression cannot be assigned to\n");
  expectBody("x += 3", "2:3 T0140 there is no `+=`\n");
  expectBody("3", "2:1 T0132 the value of this expression is not used\n");
  expectBody("let x = if a { b } else { 4; c }\nif a { 5 }",
             "2:27 T0132 the value of this expression is not used\n3:8 T0132 the value of this "
             "expression is not used\n");
  expectBody("f(); g() h()",
             "2:10 T0110 expected a new line or `;` between statements, found `h`\n");
  expectBody("if a\n{ f() }", "3:1 T0118 `{` before what is done then must not start a new line\n");
  expectErrors("schedule s on sm_80 {\n  f()\ndef g() { }\n",
               "3:1 T0115 expected `}` to close the block, found `def`\n");
}

TEST(ScriptParserErrors, Expressions) {
  expectBody("f(1.5)", "2:3 T1003 scripts have no floats, found `1.5`\n");
  expectBody("f(inf)", "2:3 T1003 scripts have no floats, found `inf`\n");
  expectBody("f(9223372036854775808)",
             "2:3 T1004 the integer `9223372036854775808` does not fit in 63 bits\n");
  expectBody("f(a < b < c)",
             "2:9 T0120 comparisons do not chain: `<` follows another comparison\n");
  expectBody("f(a == not b)", "2:8 T0121 `not` binds looser than the operator before it\n",
             "f(a == (not b))");
  expectBody("f(x = 1, 2)", "2:10 T0125 a positional argument follows a named one\n");
  expectBody("f({a: 1, 2})", "2:10 T1011 a value without a key in a record\n");
  expectBody("f({a: 1, a: 2})", "2:10 T0205 `a` is declared twice\n");
  expectBody("f(a b)", "2:5 T0112 expected `,` before `b` in the arguments\n", "f(a, b)");
  expectBody("f(a, )", "2:4 T0113 `,` before `)` has nothing after it\n");
  expectBody("f(a", "2:4 T0114 expected `)` to close `(`, found `}`\n");
  expectBody("f(a[1)", "2:6 T0114 expected `]` to close `[`, found `)`\n");
  expectBody("f(a ; b)", "2:5 T0111 expected `,` or `)` in the arguments, found `;`\n");
  expectBody("f(a.3)", "2:4 T0012 digits are missing before the point of `.3`\n");
  expectBody("f(a.(b))", "2:5 T0102 expected a name after `.`, found `(`\n");
  expectBody("let x = a\n + b", "3:2 T0117 a line cannot start with the operator `+`\n",
             "let x = a +\n b");
  expectBody("3(x)", "2:1 T0211 `3` cannot be called\n");
  expectBody("let x = ", "2:8 T0104 expected an expression, found the end of the line\n");
  expectBody("f(a && b)", "2:5 T0007 `&&` is not an operator; it is written `and`\n", "f(a and b)");
  expectBody("f($)", "2:3 T0006 `$` has no meaning in the language\n");
}

TEST(ScriptParserErrors, PatternsInBackQuotes) {
  expectBody("f(`mma(_, )`)",
             "2:11 T1005 expected an op, a name, a number or `_` in the pattern, found `)`\n");
  expectBody("f(`mma(_ _)`)", "2:10 T1005 expected `,` or `)` in the pattern, found `_`\n");
  expectBody("f(`mma(_))",
             "2:10 T1005 expected the closing back-quote in the pattern, found `)`\n");
  expectBody("f(`a.1`)", "2:5 T0012 digits are missing before the point of `.1`\n");
  expectBody("f(`a.(b)`)", "2:6 T1005 expected a name after `.` in the pattern, found `(`\n");
  expectBody("f(a `)",
             "2:5 T0112 expected `,` before a back-quote in the arguments\n"
             "2:6 T1005 expected an op, a name, a number or `_` in the pattern, found `)`\n");
}

TEST(ScriptParserErrors, Depth) {
  std::string deep(5000, '(');
  ParsedScript brackets(inSchedule("f(" + deep));
  EXPECT_NE(brackets.errors().find("T0116 nested too deeply: at most 128 brackets"),
            std::string::npos);
  std::string sum = "f(1";
  for (int i = 0; i < 5000; ++i) {
    sum += " + 1";
  }
  EXPECT_NE(ParsedScript(inSchedule(sum + ")")).errors().find("T0116"), std::string::npos);
  std::string blocks;
  for (int i = 0; i < 300; ++i) {
    blocks += "if a { ";
  }
  EXPECT_NE(ParsedScript(inSchedule(blocks)).errors().find("T0116"), std::string::npos);
  std::string pattern = "f(`";
  for (int i = 0; i < 300; ++i) {
    pattern += "a(";
  }
  EXPECT_NE(ParsedScript(inSchedule(pattern)).errors().find("T0116"), std::string::npos);
}

TEST(ScriptParserErrors, SeveralAtOnceAndNotTooMany) {
  expectBody("f(1.5)\nlet = 3\ng(\nlet y = h(x)\nx += 1",
             "2:3 T1003 scripts have no floats, found `1.5`\n"
             "3:5 T0102 expected a name after `let`, found `=`\n"
             "4:3 T0114 expected `)` to close `(`, found `let`\n"
             "6:3 T0140 there is no `+=`\n");
  std::string many;
  for (int i = 0; i < 300; ++i) {
    many += "f(1.5)\n";
  }
  ParsedScript parsed(inSchedule(many));
  EXPECT_EQ(parsed.engine.diagnostics().size(), 101u);
  EXPECT_NE(parsed.errors().find("T0100"), std::string::npos);
}
