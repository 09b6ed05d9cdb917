// Every diagnostic of expressions and statements: whole message, place, and the fix where there is one.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "SyntaxTest.h"

using namespace tessera;
using namespace tessera::testing;

TEST(ExprErrors, ExpectedExpression) {
  expectErrors(inConst("a + * b"), "1:15 T0104 expected an expression, found `*`\n");
  expectErrors("const X = a +", "1:14 T0104 expected an expression, found the end of the file\n");
  expectErrors(inKernel("let x = \nlet y = 1"),
               "2:8 T0104 expected an expression, found the end of the line\n");
  expectErrors(inKernel("else { f() }"), "2:1 T0104 expected an expression, found `else`\n");
  expectErrors(inConst("f(_)"), "1:13 T0104 expected an expression, found `_`\n");
  expectErrors(inConst("a[1, ..2]"), "1:16 T0104 expected an expression, found `..`\n");
}

TEST(ExprErrors, Lists) {
  expectErrors(inKernel("f(a, b; c)"),
               "2:7 T0111 expected `,` or `)` in the arguments, found `;`\n");
  expectFixed(inKernel("f(a b)"), "2:5 T0112 expected `,` before `b` in the arguments\n",
              inKernel("f(a, b)"));
  expectFixed(inKernel("f([a, b,], c,)"),
              "2:8 T0113 `,` before `]` has nothing after it\n"
              "2:13 T0113 `,` before `)` has nothing after it\n",
              inKernel("f([a, b], c)"));
  expectErrors(inKernel("f(a, b\nlet y = 1"), "2:7 T0114 expected `)` to close `(`, found `let`\n");
  expectErrors(inKernel("f(\nlet y = [1, 2"), "2:3 T0114 expected `)` to close `(`, found `let`\n"
                                              "3:14 T0114 expected `]` to close `[`, found `}`\n");
  expectErrors(inConst("sum(i in 3: 4"),
               "1:24 T0114 expected `)` to close `(`, found the end of the file\n");
  expectErrors(inKernel("let a = x[]"), "2:10 T0127 the index list is empty\n");
  expectErrors(inKernel("tune A in {}"), "2:11 T0128 the set is empty\n");
  expectErrors(inConst("()"), "1:11 T0129 `()` is not a value\n");
}

TEST(ExprErrors, Comparisons) {
  expectFixed(inConst("a < b < c"),
              "1:17 T0120 comparisons do not chain: `<` follows another comparison\n",
              inConst("a < b and b < c"));
  expectFixed(inConst("1 <= (K + 1) <= E == F"),
              "1:24 T0120 comparisons do not chain: `<=` follows another comparison\n",
              inConst("1 <= (K + 1) and (K + 1) <= E and E == F"));
  expectFixed(inConst("not a < b < c"),
              "1:21 T0120 comparisons do not chain: `<` follows another comparison\n",
              inConst("not (a < b and b < c)"));
  expectErrors(inConst("a in {1} == b"),
               "1:20 T0120 comparisons do not chain: `==` follows another comparison\n");
  Parsed parsed(inConst("x xor a < b < c"));
  EXPECT_EQ(parsed.engine.diagnostics()[0].help, "write `a < b and b < c`");
}

TEST(ExprErrors, Operators) {
  expectFixed(inConst("a == not b and c"),
              "1:16 T0121 `not` binds looser than the operator before it\n",
              inConst("a == (not b) and c"));
  expectFixed(inConst("-not b"), "1:12 T0121 `not` binds looser than the operator before it\n",
              inConst("-(not b)"));
  expectFixed(inConst("+ 3"), "1:11 T0122 there is no unary `+`\n", inConst("3"));
  expectFixed(inConst("x as f32[_]"),
              "1:19 T0123 `[` directly after a cast would belong to the type\n",
              inConst("(x as f32)[_]"));
  expectFixed(inConst("a + x as f32(sat).y"),
              "1:28 T0123 `.` directly after a cast would belong to the type\n",
              inConst("a + (x as f32(sat)).y"));
}

TEST(ExprErrors, Calls) {
  expectErrors(inConst("foo(i in 0..3: i)"),
               "1:11 T0124 `foo` is not a fold, but has the form `name(i in range: …)`\n");
  expectErrors(inConst("f(a = 1, 2)"), "1:20 T0125 a positional argument follows a named one\n");
  expectErrors(inConst("x."),
               "1:13 T0102 expected a name of a member after `.`, found the end of the file\n");
}

TEST(ExprErrors, Slices) {
  expectFixed(inConst("x[a:b]"), "1:14 T0126 `:` does not make a slice\n", inConst("x[a..b]"));
  expectFixed(inConst("x[:b]"), "1:13 T0126 `:` does not make a slice\n", inConst("x[0..b]"));
  expectErrors(inConst("x[a:]"), "1:14 T0126 `:` does not make a slice\n");
}

TEST(ExprErrors, Match) {
  expectErrors(inConst("match a { }"), "1:11 T0130 `match` without cases\n");
  expectErrors(inConst("match a { b => 1 c => 2 }"),
               "1:28 T0131 expected `,` or a new line after the case, found `c`\n");
  expectErrors(inConst("match a { 1 => 2 }"), "1:21 T0102 expected a name of a case, found `1`\n");
  expectErrors(inConst("match a { b = 2 }"),
               "1:23 T0101 expected `=>` after the name of the case, found `=`\n");
}

TEST(ExprErrors, TooDeep) {
  std::string message =
      "nested too deeply: at most 256 brackets and blocks, and trees of height 512\n";
  expectErrors(inConst(std::string(300, '(') + "a" + std::string(300, ')')),
               "1:267 T0116 " + message);
  expectErrors(inConst(std::string(300, '-') + "a"), "1:266 T0116 " + message);
  std::string sum = "a";
  for (int i = 0; i < 600; ++i) {
    sum += " + a";
  }
  expectErrors(inConst(sum), "1:11 T0116 " + message);
}

TEST(StmtErrors, Separators) {
  expectFixed(inKernel("let x = 1 let y = 2"),
              "2:11 T0110 expected a new line or `;` between statements, found `let`\n",
              inKernel("let x = 1; let y = 2"));
  expectErrors(inKernel("let x = a b"),
               "2:11 T0110 expected a new line or `;` between statements, found `b`\n");
  Parsed parsed(inKernel("x = {1, 2}"));
  EXPECT_EQ(parsed.errors(),
            "2:7 T0110 expected a new line or `;` between statements, found `,`\n");
  EXPECT_EQ(parsed.engine.diagnostics()[0].help,
            "`{` opens a block here; a set `{a, b}` stands after `in`, a list is `[a, b]`");
}

TEST(StmtErrors, LineStartsWithOperator) {
  for (std::string op :
       {"+", "-", "*", "/", "//", "%", "<<", ">>", "==", "<", ">=", "and", "or", "xor", "??"}) {
    expectFixed(inKernel("let x = a  # why\n    " + op + " b"),
                "3:5 T0117 a line cannot start with the operator `" + op + "`\n",
                inKernel("let x = a " + op + "  # why\n    b"));
  }
  expectFixed(inKernel("let x = a\n  as f32"),
              "3:3 T0117 a line cannot start with the operator `as`\n",
              inKernel("let x = a as\n  f32"));
  expectFixed(inKernel("let x = a\n  .b"), "3:3 T0117 a line cannot start with the operator `.`\n",
              inKernel("let x = a .\n  b"));
  expectFixed(inKernel("let x\n  = a"), "3:3 T0117 a line cannot start with the operator `=`\n",
              inKernel("let x =\n  a"));
  expectFixed(inKernel("tune A in {1}\n  , B in {2}"),
              "3:3 T0117 a line cannot start with the operator `,`\n",
              inKernel("tune A in {1} ,\n  B in {2}"));
  // In a header and in brackets lines do not matter.
  EXPECT_EQ(Parsed("kernel k()\n where a\n + b > c\n{ f(a\n + b) }\n").errors(), "");
}

TEST(StmtErrors, TokenOnNextLine) {
  expectFixed(inKernel("if a\n{ f() }"),
              "3:1 T0118 `{` after the condition of `if` must not start a new line\n",
              inKernel("if a {\nf() }"));
  expectFixed(inKernel("for i in 3  # x\n{ f() }"),
              "3:1 T0118 `{` after the range of `for` must not start a new line\n",
              inKernel("for i in 3 {  # x\nf() }"));
}

TEST(StmtErrors, Values) {
  expectErrors(inKernel("x + 1\nf()"), "2:1 T0132 the value of this expression is not used\n");
  expectFixed(inKernel("x[1] == 1\nf()"), "2:1 T0132 the value of this expression is not used\n",
              inKernel("x[1] = 1\nf()"));
  expectFixed(inKernel("if a { 1 } else { 2 } + 3"),
              "2:23 T0133 `+` cannot follow a block that stands as a statement\n",
              inKernel("(if a { 1 } else { 2 }) + 3"));
  expectFixed(inKernel("return x"), "2:1 T0134 `return` does not exist in the language\n",
              inKernel("x"));
  expectErrors(inKernel("while a { break }"),
               "2:11 T0134 `break` does not exist in the language\n");
  expectErrors(inKernel("continue\nreturn"), "2:1 T0134 `continue` does not exist in the language\n"
                                             "3:1 T0134 `return` does not exist in the language\n");
}

TEST(StmtErrors, Declarations) {
  expectErrors(inKernel("let (a) = b"),
               "2:5 T0135 a pattern in parentheses has two names or more\n");
  expectErrors(inKernel("var (a, b) = c"), "2:5 T0136 `var` declares one name, not a pattern\n");
  expectErrors(inKernel("let x"),
               "2:6 T0137 expected `=` and a value, found the end of the line\n");
  expectErrors(inKernel("let _ = 1"), "2:5 T0102 expected a name to declare, found `_`\n");
  expectFixed(inKernel("let in = 1"), "2:5 T0103 `in` is a keyword and cannot be a name\n",
              inKernel("let in_ = 1"));
  expectErrors(inKernel("let f() = 1"), "2:6 T0137 expected `=` and a value, found `(`\n");
  expectErrors(
      inKernel("static A\nf()"),
      "2:9 T0101 expected `=` after the name of a static value, found the end of the line\n");
  expectErrors(inKernel("grid m of 3"),
               "2:8 T0101 expected `in` after the name of a grid axis, found `of`\n");
  expectErrors(inKernel("tune A in\n"),
               "2:10 T0104 expected an expression, found the end of the line\n");
  expectErrors(inKernel("tune A in {1}, 2 in {3}"),
               "2:16 T0102 expected a name of a tuning parameter, found `2`\n");
}

TEST(StmtErrors, LoopsAndAssignments) {
  expectErrors(inKernel("for i in static tiles(N, 4) { f() }"),
               "2:10 T0138 `static` stands before a range, not before `tiles`\n");
  expectErrors(inKernel("for i in tiles(N) { f() }"),
               "2:17 T0101 expected `,` and the width after the range of `tiles`, found `)`\n");
  expectErrors(inKernel("a + b = c"), "2:1 T0139 this expression cannot be assigned to\n");
  expectErrors(inKernel("(a, b) = c"), "2:1 T0139 this expression cannot be assigned to\n");
  expectFixed(inKernel("x += 1"), "2:3 T0140 there is no `+=`\n", inKernel("x = x + 1"));
  expectFixed(inKernel("x[i] //= 1 + 2"), "2:6 T0140 there is no `//=`\n",
              inKernel("x[i] = x[i] // (1 + 2)"));
  expectErrors(inKernel("assert a, b"),
               "2:11 T0108 expected a string for the message, found `b`\n");
  expectErrors(inKernel("if a b { f() }"),
               "2:6 T0101 expected `{` after the condition of `if`, found `b`\n");
  expectErrors(inKernel("unsafe f()"), "2:8 T0101 expected `{` after `unsafe`, found `f`\n");
}
