// Expressions: precedence, calls, indices, folds, sets. Trees are compared as fully parenthesised text.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "SyntaxTest.h"

using namespace tessera;
using namespace tessera::ast;
using namespace tessera::testing;
using llvm::cast;
using llvm::dyn_cast;

namespace {

/// Every operator in its own parentheses.
std::string shape(const Expr &e) {
  if (auto *b = dyn_cast<Binary>(&e)) {
    return "(" + shape(*b->lhs) + " " + spelling(b->op) + " " + shape(*b->rhs) + ")";
  }
  if (auto *u = dyn_cast<Unary>(&e)) {
    return std::string(u->op == UnaryOp::Not ? "(not " : "(-") + shape(*u->operand) + ")";
  }
  if (auto *in = dyn_cast<In>(&e)) {
    return "(" + shape(*in->operand) + " in " + shape(*in->set) + ")";
  }
  if (auto *r = dyn_cast<ast::Range>(&e)) {
    return r->lo ? shape(*r->lo) + ".." + shape(*r->hi) : shape(*r->hi);
  }
  if (auto *c = dyn_cast<Cast>(&e)) {
    return "(" + shape(*c->operand) + " as " + c->type.name + ")";
  }
  if (auto *m = dyn_cast<Member>(&e)) {
    return shape(*m->base) + "." + m->member.name;
  }
  return printExpr(e);
}

std::string shapeOf(const char *text) {
  Parsed parsed(inConst(text));
  EXPECT_EQ(parsed.errors(), "");
  return parsed.engine.hasErrors() ? "" : shape(*parsed.item<Const>().value);
}

const Expr &value(const Parsed &parsed) { return *parsed.item<Const>().value; }

} // namespace

TEST(Exprs, Precedence) {
  EXPECT_EQ(shapeOf("a ?? b or c xor d and not e == f << g + h * -i as T"),
            "(a ?? (b or (c xor (d and (not (e == (f << (g + (h * (-(i as T)))))))))))");
  EXPECT_EQ(shapeOf("a * b + c << d == e and f xor g or h ?? i"),
            "((((((((a * b) + c) << d) == e) and f) xor g) or h) ?? i)");
  EXPECT_EQ(shapeOf("a - b - c"), "((a - b) - c)");
  EXPECT_EQ(shapeOf("a / b // c % d"), "(((a / b) // c) % d)");
  EXPECT_EQ(shapeOf("a ?? b ?? c"), "((a ?? b) ?? c)");
  EXPECT_EQ(shapeOf("- - a"), "(-(-a))");
  EXPECT_EQ(shapeOf("not not a"), "(not (not a))");
  EXPECT_EQ(shapeOf("not a and b"), "((not a) and b)");
  EXPECT_EQ(shapeOf("-a.b as f32"), "(-(a.b as f32))");
  EXPECT_EQ(shapeOf("a as f64 as bf16 - m"), "(((a as f64) as bf16) - m)");
  EXPECT_EQ(shapeOf("a as f64 < b"), "((a as f64) < b)");
  EXPECT_EQ(shapeOf("a - -1"), "(a - (-1))");
}

TEST(Exprs, LessThanIsNeverABracket) {
  EXPECT_EQ(shapeOf("(a < b, c > d)"), "(a < b, c > d)");
  Parsed parsed(inConst("f(a < b, c > (d))"));
  EXPECT_EQ(cast<Call>(value(parsed)).args.size(), 2u);
}

TEST(Exprs, InBindsLikeAComparison) {
  EXPECT_EQ(shapeOf("not G in {32, 64} and b"), "((not (G in {32, 64})) and b)");
  EXPECT_EQ(shapeOf("a + 1 in 0..n * 2 or b"), "(((a + 1) in 0..(n * 2)) or b)");
  EXPECT_EQ(shapeOf("a in edges(B) and c"), "((a in edges(B)) and c)");
  EXPECT_EQ(shapeOf("a in n"), "(a in n)");
}

TEST(Exprs, Literals) {
  Parsed parsed(inConst("(0x1f, 1_000, 0b11, 1e-4, 0x1p-24, inf, nan, true, false, \"a\\n\")"));
  ASSERT_EQ(parsed.errors(), "");
  const auto &elements = cast<Tuple>(value(parsed)).elements;
  EXPECT_EQ(cast<IntLit>(*elements[0]).value, 31u);
  EXPECT_EQ(cast<IntLit>(*elements[0]).base, 16u);
  EXPECT_EQ(cast<IntLit>(*elements[1]).value, 1000u);
  EXPECT_EQ(cast<IntLit>(*elements[1]).text, "1_000");
  EXPECT_EQ(cast<IntLit>(*elements[2]).value, 3u);
  EXPECT_EQ(cast<FloatLit>(*elements[3]).text, "1e-4");
  EXPECT_EQ(cast<FloatLit>(*elements[4]).text, "0x1p-24");
  EXPECT_EQ(cast<FloatLit>(*elements[5]).text, "inf");
  EXPECT_EQ(cast<FloatLit>(*elements[6]).text, "nan");
  EXPECT_TRUE(cast<BoolLit>(*elements[7]).value);
  EXPECT_FALSE(cast<BoolLit>(*elements[8]).value);
  EXPECT_EQ(cast<StringLit>(*elements[9]).value, "a\n");
}

TEST(Exprs, CallsAndIndices) {
  Parsed parsed(inConst("x.group(1, G)[t, :, _, 0..4, i + 1](a, keep = true)"));
  ASSERT_EQ(parsed.errors(), "");
  const auto &call = cast<Call>(value(parsed));
  ASSERT_EQ(call.args.size(), 2u);
  EXPECT_FALSE(call.args[0].name);
  EXPECT_EQ(call.args[1].name.name, "keep");
  const auto &index = cast<Index>(*call.callee);
  ASSERT_EQ(index.indices.size(), 5u);
  EXPECT_EQ(index.indices[0]->kind, Kind::Name);
  EXPECT_EQ(index.indices[1]->kind, Kind::Colon);
  EXPECT_EQ(index.indices[2]->kind, Kind::Wildcard);
  EXPECT_EQ(index.indices[3]->kind, Kind::Range);
  EXPECT_EQ(index.indices[4]->kind, Kind::Binary);
  EXPECT_EQ(cast<Member>(*cast<Call>(*index.base).callee).member.name, "group");
}

TEST(Exprs, Casts) {
  Parsed parsed(inConst("x as i32(wrap, rz)"));
  ASSERT_EQ(parsed.errors(), "");
  const auto &node = cast<Cast>(value(parsed));
  EXPECT_EQ(node.type.name, "i32");
  ASSERT_EQ(node.modes.size(), 2u);
  EXPECT_EQ(node.modes[1].name, "rz");
  // Keywords elsewhere, modes here.
  Parsed special(inConst("x as f8e4m3(rz, nan)")), infinite(inConst("x as f16(inf)"));
  EXPECT_EQ(special.errors() + infinite.errors(), "");
  EXPECT_EQ(cast<Cast>(value(special)).modes[1].name, "nan");
  EXPECT_EQ(cast<Cast>(value(infinite)).modes[0].name, "inf");
}

TEST(Exprs, FoldsAreRecognisedByTheirColon) {
  Parsed parsed(inConst("max(max(i in 0..G: abs(z[i])), any(x in {1, 2}), any(x in a or b))"));
  ASSERT_EQ(parsed.errors(), "");
  const auto &call = cast<Call>(value(parsed));
  const auto &fold = cast<Fold>(*call.args[0].value);
  EXPECT_EQ(fold.fold, FoldKind::Max);
  EXPECT_EQ(fold.var.name, "i");
  EXPECT_NE(fold.bounds->lo, nullptr);
  EXPECT_EQ(cast<In>(*cast<Call>(*call.args[1].value).args[0].value).set->kind, Kind::Set);
  EXPECT_EQ(shape(*cast<Call>(*call.args[2].value).args[0].value), "((x in a) or b)");
  for (const char *name : {"sum", "prod", "max", "min", "count", "any", "all", "first"}) {
    Parsed one(inConst(std::string(name) + "(k in a ?? b: k)"));
    ASSERT_EQ(one.errors(), "");
    EXPECT_EQ(spelling(cast<Fold>(value(one)).fold), std::string(name));
    EXPECT_EQ(cast<Fold>(value(one)).bounds->lo, nullptr);
  }
}

TEST(Exprs, IfMatchBlock) {
  Parsed parsed(
      inConst("if a { 1 } else if b { 2 } else { let c = 3; c } + match d { e => 1, f => { 2 } }"));
  ASSERT_EQ(parsed.errors(), "");
  const auto &sum = cast<Binary>(value(parsed));
  const auto &node = cast<If>(*sum.lhs);
  const auto &second = cast<If>(*node.otherwise);
  const auto &last = cast<Block>(*second.otherwise);
  EXPECT_EQ(last.stmts.size(), 1u);
  EXPECT_NE(last.value, nullptr);
  const auto &match = cast<Match>(*sum.rhs);
  ASSERT_EQ(match.arms.size(), 2u);
  EXPECT_EQ(match.arms[1].name.name, "f");
}

TEST(Exprs, RangesOfNodes) {
  Parsed parsed(inConst("foo(a, 1) + b"));
  const auto &sum = cast<Binary>(value(parsed));
  EXPECT_EQ(parsed.sources.text(sum.range), "foo(a, 1) + b");
  EXPECT_EQ(parsed.sources.text(sum.opRange), "+");
  EXPECT_EQ(parsed.sources.text(sum.lhs->range), "foo(a, 1)");
}

TEST(Exprs, ParenthesesLeaveOnlyAMark) {
  Parsed parsed(inConst("((a + b)) * c"));
  const auto &product = cast<Binary>(value(parsed));
  EXPECT_EQ(product.lhs->parens, 2);
  EXPECT_EQ(shape(product), "((a + b) * c)");
  EXPECT_TRUE(equal(&product, &value(Parsed(inConst("(a + b) * c")))));
}
