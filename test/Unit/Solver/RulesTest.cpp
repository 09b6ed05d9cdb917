//===- RulesTest.cpp - what is decided without the solver -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each rule proves its case alone, and the near miss beside it, which a rule that claims too much would prove as well,
// is refuted. The second half does the same for the linear facts about products.
//
//===----------------------------------------------------------------------===//

#include "tessera/Solver/Solver.h"

#include <gtest/gtest.h>

using namespace tessera::solver;

namespace {

class RulesTest : public ::testing::Test {
protected:
  void provedByRules(Expr goal, const std::vector<std::string> &used) {
    Verdict verdict = solver.prove(goal);
    EXPECT_TRUE(verdict.proved()) << goal.str() << " " << verdict.str();
    EXPECT_TRUE(verdict.cost.by == DecidedBy::Rules) << goal.str();
    EXPECT_EQ(verdict.usedFacts, used) << goal.str();
  }
  void refuted(Expr goal, const std::string &words) {
    EXPECT_EQ(solver.prove(goal).str(), words) << goal.str();
  }

  ExprContext c;
  Solver solver{c};
  Expr x = c.index("x"), y = c.index("y"), a = c.index("a"), b = c.index("b");
  Expr m = c.size("M", 1), n = c.size("N", 1);
};

TEST_F(RulesTest, RangesGoThroughSums) {
  solver.assume(x <= 5, "x <= 5");
  solver.assume(-4 <= y && y <= 2, "y in [-4, 2]");
  provedByRules(2 * x - 3 * y <= 22, {"x <= 5", "y in [-4, 2]"});
  refuted(2 * x - 3 * y <= 21, "fails for x = 5, y = -4");
}

TEST_F(RulesTest, RangesGoThroughDivision) {
  solver.assume(16 <= x && x < 40, "x in [16, 40)");
  provedByRules(floorDiv(x, 8) <= 4, {"x in [16, 40)"});
  provedByRules(floorDiv(x, 8) >= 2, {"x in [16, 40)"});
  refuted(floorDiv(x, 8) <= 3, "fails for x = 32");
  refuted(mod(x, 16) <= 14, "fails for x = 31");
}

TEST_F(RulesTest, RangesGoThroughExtremaAndSelect) {
  solver.assume(x <= 5, "x <= 5");
  solver.assume(y <= 7, "y <= 7");
  provedByRules(min(x, y + m) <= 5, {"x <= 5"});
  provedByRules(max(x, y) <= 7, {"x <= 5", "y <= 7"});
  refuted(max(x, y) <= 6, "fails for x = 0, y = 7");
  provedByRules(select(c.condition("p"), x, y) <= 7, {"x <= 5", "y <= 7"});
  refuted(select(c.condition("p"), x, y) <= 6, "fails for x = 0, y = 7, p = false");
}

TEST_F(RulesTest, TwoBoundsOfOneSum) {
  solver.assume(x - y <= 3, "x - y <= 3");
  provedByRules(2 * y + 7 >= 2 * x, {"x - y <= 3"});
  refuted(y + 2 >= x, "fails for x = 0, y = -3");
}

TEST_F(RulesTest, DigitsOfAnEquation) {
  solver.assume(0 <= x && x < 8 && 0 <= y && y < 8, "x, y in [0, 8)");
  solver.assume(eq(8 * a + x, 8 * b + y), "same address");
  provedByRules(eq(x, y), {"x, y in [0, 8)", "same address"});
  provedByRules(eq(a, b), {"x, y in [0, 8)", "same address"});
  {
    Assuming scope(solver);
    solver.assume(eq(b, 2) && eq(y, 3));
    refuted(ne(8 * a + x, 19), "fails for a = 2, b = 2, x = 3, y = 3");
  }
}

TEST_F(RulesTest, DigitsThatOverlapAreLeft) {
  solver.assume(0 <= x && x <= 8 && 0 <= y && y <= 8, "x, y in [0, 8]");
  solver.assume(eq(8 * a + x, 8 * b + y), "same address");
  refuted(eq(a, b), "fails for a = 0, b = 1, x = 8, y = 0");
}

TEST_F(RulesTest, QuotientAndRemainderGiveTheNumber) {
  solver.assume(eq(floorDiv(x, 8), floorDiv(y, 8)), "same quotient");
  solver.assume(eq(mod(x, 8), mod(y, 8)), "same remainder");
  provedByRules(eq(x, y), {"same quotient", "same remainder"});
}

TEST_F(RulesTest, KnownQuotientAndRemainder) {
  solver.assume(eq(floorDiv(x, 8), a), "quotient a");
  solver.assume(eq(mod(x, 8), b), "remainder b");
  solver.assume(a >= 3, "a >= 3");
  EXPECT_TRUE(solver.prove(eq(x, 8 * a + b)).proved());
  refuted(ne(x, 8 * a + b), "fails for a = 3, b = 0, x = 24");
  refuted(x > 8 * a + b, "fails for a = 3, b = 0, x = 24");
  refuted(x < 8 * a + b, "fails for a = 3, b = 0, x = 24");
}

TEST_F(RulesTest, MultiplesGoThroughProducts) {
  solver.assume(eq(mod(m, 8), 0), "M % 8 = 0");
  provedByRules(eq(mod(m * x + 16 * y, 8), 0), {"M % 8 = 0"});
  refuted(eq(mod(m * x, 16), 0), "fails for M = 8, x = 1");
  solver.assume(eq(mod(n, 6), 3), "N % 6 = 3");
  provedByRules(ne(mod(n, 2), 0), {"N % 6 = 3"});
  refuted(eq(mod(n, 4), 1), "fails for N = 3");
}

TEST_F(RulesTest, AlternativesAreRuledOut) {
  Expr p = c.condition("p");
  solver.assume(x < 3 || y < 4 || p, "one of three");
  solver.assume(x >= 3, "x >= 3");
  solver.assume(!p, "not p");
  provedByRules(y < 4, {"one of three", "x >= 3", "not p"});
  refuted(y < 3, "fails for x = 3, y = 3, p = false");
}

TEST_F(RulesTest, EqualitiesAreSubstituted) {
  solver.assume(eq(x, 2 * a + 1), "x = 2 a + 1");
  solver.assume(eq(y, 2 * b), "y = 2 b");
  provedByRules(ne(x, y), {"x = 2 a + 1", "y = 2 b"});
  refuted(ne(x, y + 1), "fails for a = 0, b = 0, x = 1, y = 0");
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

TEST_F(RulesTest, FactsAboutProductsClaimNoMoreThanHolds) {
  solver.options().useRules = false;
  refuted(m < 2 || n < 2 || ne(m * n, 4), "fails for M = 2, N = 2");
  EXPECT_TRUE(solver.prove(m * n >= m + n - 1).proved());
  refuted(m * n >= m + n, "fails for M = 1, N = 1");
  EXPECT_FALSE(solver.prove(m < 2 || n < 2 || m * n >= 4).refuted());
  Verdict signs = solver.prove(x > -2 || y < 2 || ne(x * y, -4));
  EXPECT_EQ(signs.str(), "fails for x = -2, y = 2");
}

TEST_F(RulesTest, ProductsWithOneFactorAreOneFactorApart) {
  solver.options().useRules = false;
  solver.assume(a < b, "a < b");
  EXPECT_TRUE(solver.prove(a * m + m <= b * m).proved());
  EXPECT_TRUE(solver.prove(ne(a * m + m, b * m)).refuted());
  EXPECT_TRUE(solver.prove(a * m + m < b * m).refuted());
  EXPECT_TRUE(solver.prove(a * x <= b * x).refuted()) << "the factor may be negative";
}

TEST_F(RulesTest, AModelOfTheFactsAboutProductsIsNotAWitness) {
  solver.options().useRules = false;
  Expr s = c.size("s", 2, 9), t = c.size("t", 2, 9);
  Verdict prime = solver.prove(ne(s * t, 67));
  EXPECT_FALSE(prime.refuted()) << prime.str();
  EXPECT_TRUE(solver.prove(ne(s * t, 63)).refuted());
}

} // namespace
