//===- ExprTest.cpp - normal form, ranges, evaluation, printing -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Terms are simplified while they are made; each rule is shown once, with a near miss that must stay.
//
//===----------------------------------------------------------------------===//

#include "tessera/Solver/ExprContext.h"

#include <gtest/gtest.h>

using namespace tessera::solver;

namespace {

class ExprTest : public ::testing::Test {
protected:
  ExprContext c;
  Expr i = c.index("i", Range::between(0, 7));
  Expr j = c.index("j");
  Expr n = c.size("N", 1);
};

TEST_F(ExprTest, SumsAreMergedInOneOrder) {
  EXPECT_EQ(i + j + i, j + 2 * i);
  EXPECT_EQ((i + j - j - i).constant(), 0);
  EXPECT_EQ((3 * (i + 2) - 3 * i).str(), "6");
  EXPECT_NE(i + j, i + n);
}

TEST_F(ExprTest, OrderDoesNotDependOnHistory) {
  ExprContext other;
  Expr n2 = other.size("N", 1), j2 = other.index("j"), i2 = other.index("i", Range::between(0, 7));
  EXPECT_EQ((n2 + floorDiv(j2, 3) + mod(i2 * 5, 4)).str(),
            (mod(i * 5, 4) + n + floorDiv(j, 3)).str());
}

TEST_F(ExprTest, ProductsAreDistributed) {
  EXPECT_EQ((n + 1) * (j - 1), n * j - n + j - 1);
  EXPECT_TRUE((n * j).isNonlinear());
  EXPECT_FALSE((n * 5).isNonlinear());
  EXPECT_EQ((n * j).range(), Range::all());
  EXPECT_EQ((j * j).range(), Range::atLeast(0));
}

TEST_F(ExprTest, DivisionMovesMultiplesOut) {
  EXPECT_EQ(floorDiv(8 * j + i, 8), j);
  EXPECT_EQ(mod(8 * j + i, 8), i);
  EXPECT_EQ(floorDiv(8 * j + i + 1, 8).str(), "j + (i + 1) // 8");
  EXPECT_EQ(floorDiv(6 * j + 4, 8).str(), "(3 * j + 2) // 4");
  EXPECT_EQ(mod(6 * j + 5, 8).str(), "2 * ((3 * j + 2) % 4) + 1");
  EXPECT_EQ(floorDiv(floorDiv(j, 3) + 1, 4), floorDiv(j + 3, 12));
  EXPECT_EQ(mod(mod(j, 12) * 3, 9), 3 * mod(j, 3));
}

TEST_F(ExprTest, QuotientAndRemainderGiveTheNumberBack) {
  EXPECT_EQ(8 * floorDiv(j, 8) + mod(j, 8), j);
  EXPECT_EQ(floorDiv(j, 8) * 24 + mod(j, 8) * 3 + n, j * 3 + n);
  EXPECT_NE(8 * floorDiv(j, 8) + mod(n, 8), j);
  EXPECT_EQ(16 * floorDiv(6 * j + 5, 16) + mod(6 * j + 5, 16), 6 * j + 5);
}

TEST_F(ExprTest, ExtremaDropWhatNeverWins) {
  EXPECT_EQ(min(j, j + 3), j);
  EXPECT_EQ(max(j, j + 3), j + 3);
  EXPECT_EQ(max(c.constant(0), n), n);
  EXPECT_EQ(min(min(j, n), j + 1), min(n, j));
  EXPECT_EQ(min(j, n).str(), "min(N, j)");
}

TEST_F(ExprTest, ConditionsAreNormal) {
  EXPECT_EQ(2 * j <= 5 + 2 * n, j <= n + 2);
  EXPECT_EQ(!(j < n), j >= n);
  EXPECT_EQ(eq(2 * j, 4 * n), eq(n * 2, j));
  EXPECT_TRUE(eq(2 * j, 4 * n + 1).isFalse());
  EXPECT_TRUE(ne(2 * j, 4 * n + 1).isTrue());
  EXPECT_TRUE((i < 8).isTrue());
  EXPECT_TRUE((i > 7).isFalse());
  EXPECT_FALSE((i < 7).isTrue());
}

TEST_F(ExprTest, ConnectivesAreFlatAndNegationMovesIn) {
  Expr a = j < n, b = eq(j, 3), p = c.condition("p");
  EXPECT_EQ((a && b) && p, p && (b && a));
  EXPECT_TRUE((a && !a).isFalse());
  EXPECT_TRUE((p || !p || b).isTrue());
  EXPECT_EQ(!(a && p), n <= j || !p);
  EXPECT_EQ(select(p, a, b), (p && a) || (!p && b));
  EXPECT_EQ(implies(a, a || b).str(), "true");
}

TEST_F(ExprTest, PrintsAsAPersonWrites) {
  EXPECT_EQ((128 * j + i < n).str(), "128 * j + i < N");
  EXPECT_EQ((j - n <= -3).str(), "j + 3 <= N");
  EXPECT_EQ((0 <= j).str(), "0 <= j");
  EXPECT_EQ(ne(mod(n, 8), 0).str(), "N % 8 != 0");
  EXPECT_EQ((5 - j).str(), "-j + 5");
  EXPECT_EQ(((j < 3 || eq(n, 4)) && c.condition("p")).str(), "p and (j <= 2 or N = 4)");
  EXPECT_EQ(c.apply(c.function("idx", 2), {i, j + 1}).str(), "idx(i, j + 1)");
  EXPECT_EQ((n * j + 1).str(), "N * j + 1");
}

TEST_F(ExprTest, EvaluatesAndSubstitutes) {
  Assignment at;
  at.set(j, -5);
  at.set(n, 3);
  EXPECT_EQ(evaluate(floorDiv(j, 3), at), -2);
  EXPECT_EQ(evaluate(mod(j, 3), at), 1);
  EXPECT_EQ(evaluate(j * n < -14, at), 1);
  EXPECT_EQ(evaluate(i + j, at), std::nullopt);
  EXPECT_EQ(evaluate(j < n || i < 3, at), 1); // decided without i
  EXPECT_EQ(substitute(j * n + i, {{j.raw(), i + 1}}), n * i + n + i);
  EXPECT_EQ(substitute(floorDiv(j, 8), {{j.raw(), 8 * n + i}}), n);
}

TEST_F(ExprTest, OverflowIsATermWithAReason) {
  Expr huge = c.constant(Int(1) << 120);
  EXPECT_FALSE(huge.isInvalid());
  EXPECT_TRUE((huge * 2 < 3).isInvalid());
  EXPECT_EQ((huge + huge + j).reason(), "a number is beyond 2^120");
  EXPECT_TRUE((huge * j * huge).isInvalid());
  Assignment at;
  at.set(j, Int(1) << 100);
  EXPECT_EQ(evaluate(j * j, at), std::nullopt);
}

TEST_F(ExprTest, MisuseIsATermWithAReason) {
  ExprContext other;
  EXPECT_EQ(floorDiv(j, 0).reason(), "a divisor is not positive");
  EXPECT_EQ(mod(j, -4).reason(), "a divisor is not positive");
  EXPECT_EQ((j + (j < n)).reason(), "a condition stands where a number belongs");
  EXPECT_EQ((!j).reason(), "a number stands where a condition belongs");
  EXPECT_EQ((j + Expr()).reason(), "a term is missing");
  EXPECT_EQ((j + other.index("j")).reason(), "a term belongs to another context");
  EXPECT_EQ(c.index("e", Range::between(3, 2)).reason(), "the range declared for `e` is empty");
  EXPECT_EQ(c.apply(c.function("f", 2), {j}).reason(),
            "a function is applied to a wrong number of arguments");
  EXPECT_TRUE((c.invalid("why") < n || c.boolean(true)).isInvalid());
}

TEST_F(ExprTest, DeepTermsAreRefused) {
  Expr deep = j;
  for (unsigned k = 0; k < 3000; ++k) {
    deep = floorDiv(deep * 3 + 1, 2);
  }
  EXPECT_TRUE(deep.isInvalid());
  EXPECT_EQ(deep.reason(), "a term is nested deeper than 1000");
}

TEST_F(ExprTest, SharedConditionsStayShared) {
  // As a tree this has 2^300 leaves.
  Expr chain = c.condition("p");
  for (int k = 0; k < 300; ++k) {
    Expr step = c.index("s" + std::to_string(k % 5)) < k;
    chain = (chain && step) || (!chain && !step && c.condition("r" + std::to_string(k % 7)));
  }
  EXPECT_FALSE(chain.isInvalid());
  EXPECT_LT(c.size(), 20000u);
  Assignment at;
  at.set(c.condition("p"), 1);
  for (int k = 0; k < 7; ++k) {
    at.set(c.index("s" + std::to_string(k)), -1);
    at.set(c.condition("r" + std::to_string(k)), 0);
  }
  EXPECT_EQ(evaluate(chain, at), 1);
  EXPECT_EQ(evaluate(!chain, at), 0);
}

TEST_F(ExprTest, NamesTellSymbolsApart) {
  EXPECT_EQ(c.index("i", Range::between(0, 7)), i);
  EXPECT_NE(c.index("i"), i);
  EXPECT_EQ(c.index("i").str(), "i#2");
  EXPECT_EQ(c.prime(i).str(), "i'");
  EXPECT_NE(c.index("i'", Range::between(0, 7)), c.prime(i));
  EXPECT_EQ(c.index("a|b!c d\n").str(), "a_b_c_d_");
  Expr first = c.fresh("v", Role::Index), second = c.fresh("v", Role::Index);
  EXPECT_NE(first, second);
  EXPECT_EQ(c.local("k").str(), "k~");
}

TEST(RangeTest, OperationsNeverNarrow) {
  EXPECT_EQ(Range::between(-3, 4) * -2, Range::between(-8, 6));
  EXPECT_EQ(Range::between(-3, 4) * Range::between(-5, 2), Range::between(-20, 15));
  EXPECT_EQ(floorDiv(Range::between(-3, 4), 2), Range::between(-2, 2));
  EXPECT_EQ(floorMod(Range::between(9, 11), 8), Range::between(1, 3));
  EXPECT_EQ(floorMod(Range::between(6, 9), 8), Range::between(0, 7));
  EXPECT_EQ(Range::atLeast(Int(1) << 119) + Range::atLeast(Int(1) << 119),
            Range::atLeast(Int(1) << 120));
  EXPECT_EQ(Range::atLeast(Int(1) << 120) * 2, Range::all());
  EXPECT_EQ(parseInt("-1329227995784915872903807060280344576"), -(Int(1) << 120));
  EXPECT_EQ(toString(-(Int(1) << 120)), "-1329227995784915872903807060280344576");
  EXPECT_EQ(parseInt("1329227995784915872903807060280344577"), std::nullopt);
  EXPECT_EQ(parseInt(""), std::nullopt);
  EXPECT_EQ(parseInt("12x"), std::nullopt);
}

} // namespace
