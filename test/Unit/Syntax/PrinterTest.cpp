// The printer: what it prints parses to the same tree, also where parentheses or lines matter; comments stay.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "SyntaxTest.h"

using namespace tessera;
using namespace tessera::ast;
using namespace tessera::testing;
using llvm::cast;

namespace {

std::string reformat(llvm::StringRef text) {
  Parsed parsed(text);
  EXPECT_EQ(parsed.errors(), "");
  PrintOptions options;
  options.sources = &parsed.sources;
  return print(*parsed.file, options);
}

ExprPtr name(const char *text) {
  auto node = std::make_unique<Name>();
  node->name = text;
  return node;
}

ExprPtr binary(BinaryOp op, ExprPtr lhs, ExprPtr rhs) {
  auto node = std::make_unique<Binary>();
  node->op = op;
  node->lhs = std::move(lhs);
  node->rhs = std::move(rhs);
  return node;
}

} // namespace

TEST(Printer, RoundTripOfExpressions) {
  for (const char *text : {"a ?? b or c xor d and not e == f << g + h * -i as T",
                           "(a + b) * c",
                           "a - (b - c)",
                           "a / (b * c)",
                           "-(a + b)",
                           "(-a) as f32",
                           "-a as f32",
                           "(a as f32)[_, :]",
                           "(a < b) == c",
                           "not (a and b)",
                           "(not a) == b",
                           "a in {1, 2}",
                           "(a in {1, 2}) == b",
                           "a in 0..n + 1",
                           "a in (b or c)..(d ?? e)",
                           "any(x in {1})",
                           "sum(i in a ?? b: c or d)",
                           "sum(i in 0..n: sum(j in 0..i: x[i, j]))",
                           "(1).x",
                           "(1.5).x",
                           "x[0..4, :, _, a ?? b]",
                           "f(a, b = c < d)",
                           "if a { 1 } else if b { 2 } else { 3 }",
                           "(if a { 1 } else { 2 }) + 3",
                           "f(if a { 1 } else { 2 })",
                           "match a { b => 1, c => { let d = 2; d } }",
                           "{ let a = 1; (-a) + 2 }",
                           "{ let a = 1; a }",
                           "{}",
                           "\"a\\n\\\"\\\\\\x01é\"",
                           "0x1p-24 + 1_000 + 0b11 + inf + nan",
                           "(tiles(a, b))",
                           "x as f8e4m3(sat, rz)",
                           "(a, (b, c))",
                           "[a, _, 3]",
                           "[]",
                           "-(not a)",
                           "a == (not b)",
                           "(a ?? b) ?? c",
                           "a ?? (b ?? c)",
                           "{ for i in (tiles(N, 4)) { f(i) } }",
                           "{ for i in ({ 1 })..2 { f(i) } }",
                           "{ tune A in (edges(B)); f(A) }"}) {
    expectRoundTrip(inConst(text));
  }
}

TEST(Printer, RoundTripOfStatements) {
  for (const char *text :
       {"let (a, b): (f32, i64) = c; var d = e",
        "static A = 1\ntune B in {1, 2}, C in 0..3, D in edges(B)",
        "grid m in tiles(M, BM), h in HQ, t in tiles(1..n, 4), u in 2..5",
        "a = 1; b.c = 2; d[e, :] = 3",
        "for i in static 0..4 { f(i) }\nfor c in tiles(N, B) reversed { g(c); h(c) }",
        "while a < b { a = a + 1 }", "assert a, \"b\"\nassume c", "unsafe { f() }",
        "let y[i in M, j in 0..N] = x[j, i]\nf(y)", "if a { f() }\ng()",
        "match a { b => f(), c => g() }\nh()", "let a = 1\n(-a)", "f();\n-a + b",
        "if a { b = 1 } else { c = 2 }"}) {
    expectRoundTrip(inKernel(text));
  }
}

TEST(Printer, RoundTripOfItems) {
  for (const char *text :
       {"import \"a\\\\b.tile\" as c\nimport \"d\"\nconst X: f32 = 1.5\nconst Y = X\n",
        "enum E { a, b }\n",
        "## doc\n##\n## more\nstruct S<const R: i64> { a: tile<[R], f32> = -inf, b: X<Y<3>>\n ## "
        "m\n fn f(inout self) { 1 } }\n",
        "struct E {}\n",
        "fn f<S: shape, T in {f32, bf16} = f32, const K: i64 in 1..9 = 2, const B: bool = (a > b)>"
        "(const a: i64 = 3, inout b: tile<S, F>, c: f32?) -> (tile<S, T>, array<[K, _], F>) { (a, "
        "b) }\n",
        "fn g(a: (), b: X<T, 3, [M], b * 2, (c > d), tile<S, f32>>) {}\n",
        "kernel k(a: in view<[M], T>, b: out view<S, f32>?, c: f32?) where a < b, c math fast "
        "reference y = 1 "
        "tolerance y[i] <= 1.0, z <= 2 { f() }\n",
        "kernel k() reference {} tolerance exact {}\n",
        "kernel k() reference { let m[i in M, j in 0..N] = i; (z, w) = f(m) } where a {}\n",
        "test k { M in {0, 1}; (E, K) in {(1, 2)}; N in 0..5; BM in tune; R = 7; x from normal, "
        "all(1); order x in {row}; "
        "cases 40 }\ntest l {}\n",
        "schedule s on sm_80 {\n  a  @b\n}\nlayout m = (1) : (2)\n"}) {
    expectRoundTrip(text);
  }
}

TEST(Printer, ParenthesesOfBuiltTrees) {
  auto sum = binary(BinaryOp::Add, name("a"), name("b"));
  EXPECT_EQ(printExpr(*binary(BinaryOp::Mul, std::move(sum), name("c"))), "(a + b) * c");
  EXPECT_EQ(
      printExpr(*binary(BinaryOp::Sub, name("a"), binary(BinaryOp::Sub, name("b"), name("c")))),
      "a - (b - c)");
  EXPECT_EQ(printExpr(*binary(BinaryOp::Lt, binary(BinaryOp::Lt, name("a"), name("b")), name("c"))),
            "(a < b) < c");
  EXPECT_EQ(
      printExpr(*binary(BinaryOp::Coalesce, name("a"), binary(BinaryOp::Or, name("b"), name("c")))),
      "a ?? b or c");
}

TEST(Printer, Types) {
  Parsed parsed("fn f(a: tile<[M, _], X<3, f32>>?, b: (f32, array<S, T>)) {}\n");
  EXPECT_EQ(printType(*parsed.item<Fn>().params[0].type), "tile<[M, _], X<3, f32>>?");
  EXPECT_EQ(printType(*parsed.item<Fn>().params[1].type), "(f32, array<S, T>)");
}

TEST(Printer, Layout) {
  EXPECT_EQ(
      reformat("kernel  k( a:f32 )where a>1,a<3\nmath  fast{let b=a;f( b )\n}"),
      "kernel k(a: f32)\n    where a > 1, a < 3\n    math fast\n{\n    let b = a\n    f(b)\n}\n");
  EXPECT_EQ(reformat("fn f(a:f32)->f32{a+1}"), "fn f(a: f32) -> f32 { a + 1 }\n");
  EXPECT_EQ(reformat("const A=1\nconst B=2\nenum E{a,b}"),
            "const A = 1\nconst B = 2\n\nenum E { a, b }\n");
}

TEST(Printer, LongLinesBreakBehindOperatorsAndCommas) {
  std::string text = "const X = aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa + "
                     "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb(ccccccccccc, "
                     "ddddddddddd) + eeeeeeeeeeeee\n";
  EXPECT_EQ(
      reformat(text),
      "const X = aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa +\n"
      "    bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb(ccccccccccc, ddddddddddd) + eeeeeeeeeeeee\n");
  expectRoundTrip(text);
}

TEST(Printer, CommentsAndBlankLinesStay) {
  std::string text = "# head\n\n## doc\nkernel k(a: f32)\n    where a > 1  # why\n{\n    # first\n "
                     "   let b = a  # second\n\n"
                     "    f(b)\n    # last\n}\n\n# tail\n";
  EXPECT_EQ(reformat(text), text);
  EXPECT_EQ(reformat("fn f() {\n  let a = g(1,  # inside\n    2)\n  a\n}\n"),
            "fn f() {\n    # inside\n    let a = g(1, 2)\n    a\n}\n");
  // Only what documents an item stays a doc comment.
  EXPECT_EQ(reformat("enum E { a, b  ## no doc\n}\n## tail\n"),
            "# no doc\nenum E { a, b }\n# tail\n");
}
