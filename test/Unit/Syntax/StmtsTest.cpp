// Statements, blocks, and where lines end.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "SyntaxTest.h"

using namespace tessera;
using namespace tessera::ast;
using namespace tessera::testing;
using llvm::cast;

namespace {

const Block &body(const Parsed &parsed) { return *parsed.item<Kernel>().body; }

/// The kinds of the statements and of the value of a kernel's body.
std::string kinds(const std::string &text) {
  Parsed parsed(inKernel(text));
  EXPECT_EQ(parsed.errors(), "");
  std::string result;
  for (const StmtPtr &stmt : body(parsed).stmts) {
    result += std::to_string(static_cast<int>(stmt->kind) - static_cast<int>(Kind::Let)) + " ";
  }
  return result + (body(parsed).value ? "value" : "");
}

} // namespace

TEST(Stmts, Let) {
  Parsed parsed(inKernel("let a: f32 = 1; var b = 2\nlet (c, d): (f32, i64) = e"));
  ASSERT_EQ(parsed.errors(), "");
  const auto &a = cast<Let>(*body(parsed).stmts[0]);
  EXPECT_FALSE(a.isVar);
  EXPECT_EQ(cast<NamedType>(*a.type).name, "f32");
  EXPECT_TRUE(cast<Let>(*body(parsed).stmts[1]).isVar);
  const auto &c = cast<Let>(*body(parsed).stmts[2]);
  EXPECT_TRUE(c.pattern.isTuple);
  EXPECT_EQ(c.pattern.names[1].name, "d");
  EXPECT_EQ(cast<TupleType>(*c.type).elements.size(), 2u);
}

TEST(Stmts, LetWithAxes) {
  Parsed parsed(inKernel("let y[i in M, j in 0..N] = x[j, i]"));
  ASSERT_EQ(parsed.errors(), "");
  const auto &y = cast<Let>(*body(parsed).stmts[0]);
  ASSERT_EQ(y.indices.size(), 2u);
  EXPECT_EQ(y.indices[1].name.name, "j");
  EXPECT_NE(y.indices[1].bounds->lo, nullptr);
  expectErrors(inKernel("let y[i] = 1"),
               "2:8 T0101 expected `in` and the range after the name of an axis, found `]`\n");
}

TEST(Stmts, StaticTuneGrid) {
  Parsed parsed(
      inKernel("static NC = bucket(N, 256)\ntune A in {1, 2},\n  B in 0..3, C in edges(A)\n"
               "grid m in tiles(M, BM), h in HQ, t in tiles(1..n, 4), u in 2..5"));
  ASSERT_EQ(parsed.errors(), "");
  EXPECT_EQ(cast<Static>(*body(parsed).stmts[0]).name.name, "NC");
  const auto &tune = cast<Tune>(*body(parsed).stmts[1]);
  ASSERT_EQ(tune.choices.size(), 3u);
  EXPECT_EQ(tune.choices[0].set->kind, Kind::Set);
  EXPECT_EQ(tune.choices[1].set->kind, Kind::Range);
  EXPECT_EQ(tune.choices[2].set->kind, Kind::Edges);
  const auto &grid = cast<Grid>(*body(parsed).stmts[2]);
  ASSERT_EQ(grid.axes.size(), 4u);
  EXPECT_EQ(grid.axes[0].domain->kind, Kind::Tiles);
  EXPECT_EQ(cast<ast::Range>(*grid.axes[1].domain).lo, nullptr);
  EXPECT_NE(cast<Tiles>(*grid.axes[2].domain).bounds->lo, nullptr);
  EXPECT_NE(cast<ast::Range>(*grid.axes[3].domain).lo, nullptr);
}

TEST(Stmts, Loops) {
  Parsed parsed(inKernel("for i in static 0..4 { f(i) }\nfor c in tiles(N, B) reversed { f(c) }\n"
                         "for j in n reversed { }\nwhile a < b { a = a + 1 }"));
  ASSERT_EQ(parsed.errors(), "");
  const auto &first = cast<For>(*body(parsed).stmts[0]);
  EXPECT_TRUE(first.isStatic);
  EXPECT_FALSE(first.isReversed);
  EXPECT_NE(first.body->value, nullptr);
  EXPECT_TRUE(cast<For>(*body(parsed).stmts[1]).isReversed);
  EXPECT_EQ(cast<ast::Range>(*cast<For>(*body(parsed).stmts[2]).domain).hi->kind, Kind::Name);
  EXPECT_EQ(cast<While>(*body(parsed).stmts[3]).body->stmts[0]->kind, Kind::Assign);
}

TEST(Stmts, AssignToEveryPlace) {
  Parsed parsed(inKernel("a = 1; self.m = 2; y[r, c] = 3; y.group(1, G)[t] = 4"));
  ASSERT_EQ(parsed.errors(), "");
  EXPECT_EQ(cast<Assign>(*body(parsed).stmts[0]).place->kind, Kind::Name);
  EXPECT_EQ(cast<Assign>(*body(parsed).stmts[1]).place->kind, Kind::Member);
  EXPECT_EQ(cast<Assign>(*body(parsed).stmts[3]).place->kind, Kind::Index);
}

TEST(Stmts, AssertAssumeUnsafe) {
  Parsed parsed(inKernel("assert a < b, \"why\"\nassume c\nunsafe { f() }"));
  ASSERT_EQ(parsed.errors(), "");
  EXPECT_EQ(cast<Assert>(*body(parsed).stmts[0]).message->value, "why");
  EXPECT_TRUE(cast<Assert>(*body(parsed).stmts[1]).isAssume);
  EXPECT_EQ(cast<Assert>(*body(parsed).stmts[1]).message, nullptr);
  EXPECT_EQ(body(parsed).stmts[2]->kind, Kind::Unsafe);
}

TEST(Stmts, LastExpressionIsTheValue) {
  EXPECT_EQ(kinds("f()\nlet a = 1\na + 1"), "5 0 value");
  EXPECT_EQ(kinds("if a { f() }\nmatch b { c => 1 }\ng()"), "5 5 value");
  EXPECT_EQ(kinds("let a = 1\nif a { 1 } else { 2 }"), "0 value");
  EXPECT_EQ(kinds("let a = 1;\n(a, a);"), "0 value");
  EXPECT_EQ(kinds(""), "");
  EXPECT_EQ(kinds(";;\n;"), "");
}

TEST(Stmts, WhereLinesEnd) {
  // After an operator, a comma or inside brackets a new line is a space.
  EXPECT_EQ(kinds("let a = b +\n  c\nlet d = f(\n  e\n)\nlet g = [1,\n 2]"), "0 0 0 ");
  EXPECT_EQ(kinds("let a =\n  b\na = not\n b"), "0 4 ");
  EXPECT_EQ(kinds("let a = b.\n  c as\n  f32"), "0 ");
  EXPECT_EQ(kinds("if a {\n f() }\n\nelse {\n g() }\nlet b = 1"), "5 0 ");
  // A bracket at the start of a line starts a new expression.
  EXPECT_EQ(kinds("let a = f\n(a, b)"), "0 value");
  EXPECT_EQ(kinds("let a = f\n[a, b]"), "0 value");
  // In a block inside parentheses lines count again.
  EXPECT_EQ(kinds("let a = (if b {\n let c = 1\n c } else { 2 })"), "0 ");
  // Behind `;` a minus is a sign.
  EXPECT_EQ(kinds("let a = 1;\n-a"), "0 value");
}

TEST(Stmts, StmtsTestKindsAreRight) {
  EXPECT_EQ(kinds("let a = 1\nstatic B = 2\ntune C in {3}\ngrid d in 4\ne = 5\nf(6)\nfor g in 7 "
                  "{}\nwhile h {}\n"
                  "assert i\nunsafe {}"),
            "0 1 2 3 4 5 6 7 8 9 ");
}

TEST(Stmts, MatchArmsTakeCommasOrLines) {
  for (const char *text : {"match a { b => 1, c => 2 }", "match a {\n b => 1\n c => 2\n}",
                           "match a {\n b => 1,\n c => 2,\n}"}) {
    Parsed parsed(inConst(text));
    EXPECT_EQ(parsed.errors(), "");
    EXPECT_EQ(cast<Match>(*parsed.item<Const>().value).arms.size(), 2u);
  }
}
