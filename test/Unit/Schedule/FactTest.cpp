// Facts of scripts as terms.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gtest/gtest.h"

#include "tessera/Schedule/Facts.h"

using namespace tessera;
using namespace tessera::schedule;
using script::BinaryOp;
using script::Value;

namespace {

Value combine(BinaryOp op, const Value &a, const Value &b) {
  auto fact = std::make_shared<script::Fact>();
  fact->kind = script::Fact::Kind::Binary;
  fact->binary = op;
  fact->lhs = script::asFact(a);
  fact->rhs = script::asFact(b);
  return Value::fact(std::move(fact));
}

class Facts : public ::testing::Test {
protected:
  std::string term(const Value &fact) {
    llvm::Expected<solver::Expr> made = table.term(*script::asFact(fact), terms);
    return made ? made->str() : "error: " + llvm::toString(made.takeError());
  }
  Value n() { return table.leaf({Leaf::Kind::Extent, "N"}, "N"); }
  Value number(int64_t value) { return Value::integer(value); }

  FactTable table;
  solver::ExprContext terms;
};

} // namespace

TEST_F(Facts, LeavesAreInterned) {
  EXPECT_EQ(n().getFact()->leaf, n().getFact()->leaf);
  EXPECT_NE(n().getFact()->leaf, table.leaf({Leaf::Kind::Extent, "M"}, "M").getFact()->leaf);
}

TEST_F(Facts, AreTerms) {
  EXPECT_EQ(term(combine(BinaryOp::Eq, combine(BinaryOp::Mod, n(), number(8)), number(0))),
            eq(mod(terms.size("N"), 8), 0).str());
  EXPECT_EQ(term(combine(BinaryOp::Le, n(), number(5))), (terms.size("N") <= 5).str());
  EXPECT_EQ(
      term(combine(BinaryOp::And, Value::boolean(true), combine(BinaryOp::Gt, n(), number(1)))),
      (terms.size("N") > 1).str());
  EXPECT_EQ(term(combine(BinaryOp::Shl, n(), number(3))), (terms.size("N") * 8).str());
  EXPECT_EQ(term(combine(BinaryOp::FloorDiv, n(), number(4))), floorDiv(terms.size("N"), 4).str());
}

TEST_F(Facts, AlignmentDividesItself) {
  Value aligned = table.leaf({Leaf::Kind::Aligned, "x", 16}, "aligned(x, 16)");
  solver::Solver solver(terms);
  solver.assume(*table.term(*aligned.getFact(), terms));
  EXPECT_TRUE(solver.prove(eq(mod(FactTable::alignment("x", terms), 8), 0)).proved());
  EXPECT_FALSE(solver.prove(eq(mod(FactTable::alignment("x", terms), 32), 0)).proved());
  EXPECT_FALSE(solver.prove(eq(mod(FactTable::alignment("y", terms), 8), 0)).proved());
}

TEST_F(Facts, WhatHasNoMeaning) {
  Value regs = table.leaf({Leaf::Kind::Layout, "regs"}, "regs");
  EXPECT_EQ(term(combine(BinaryOp::Le, regs, number(128))),
            "error: `regs` is known only once layouts are: `expect` may speak of it");
  EXPECT_TRUE(table.needsLayouts(*combine(BinaryOp::Le, regs, number(1)).getFact()));
  EXPECT_FALSE(table.needsLayouts(*combine(BinaryOp::Le, n(), number(1)).getFact()));
  EXPECT_EQ(term(combine(BinaryOp::Mod, number(7), n())),
            "error: `7 % N` divides by what is no positive constant");
  EXPECT_EQ(term(combine(BinaryOp::And, n(), Value::boolean(true))),
            "error: `N and true` mixes numbers and conditions");
  EXPECT_EQ(term(combine(BinaryOp::Shl, n(), number(63))),
            "error: `N << 63` shifts by what is no constant from 0 to 62");
  EXPECT_TRUE(
      llvm::StringRef(term(combine(BinaryOp::Div, n(), number(2)))).contains("divides exactly"));
}
