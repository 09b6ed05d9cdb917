//===- AskedAgainTest.cpp - a question asked more than once ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From the third time on neither text nor hash is made: the answer, its reason and what is counted are those of the second.
//
//===----------------------------------------------------------------------===//

#include "tessera/Solver/Solver.h"

#include <gtest/gtest.h>

using namespace tessera::solver;

namespace {

class AskedAgain : public ::testing::Test {
protected:
  AskedAgain() : solver(context) {
    solver.assume(0 <= a && a < b && b < n, "a < b < N");
    solver.assume(context.size("M", 1) >= 5, "another size");
  }

  ExprContext context;
  Expr a = context.index("a"), b = context.index("b"), n = context.size("N", 1);
  Solver solver;
};

TEST_F(AskedAgain, ProofsAreTheSame) {
  Verdict first = solver.prove(a + b < 2 * n - 2);
  EXPECT_TRUE(first.proved());
  EXPECT_EQ(first.cost.by, DecidedBy::Solver);
  for (int round = 0; round < 3; ++round) {
    Verdict again = solver.prove(a + b < 2 * n - 2);
    EXPECT_TRUE(again.proved());
    EXPECT_EQ(again.cost.by, DecidedBy::Cache);
    EXPECT_EQ(again.cost.rlimit, 0u);
    EXPECT_EQ(again.query, first.query);
    EXPECT_EQ(again.usedFacts, first.usedFacts);
  }
  EXPECT_EQ(solver.statistics().bySolver, 1u);
  EXPECT_EQ(solver.statistics().fromCache, 3u);
}

TEST_F(AskedAgain, WitnessesAreTheSame) {
  Verdict first = solver.prove(b - a < 40);
  ASSERT_TRUE(first.refuted());
  for (int round = 0; round < 3; ++round) {
    Verdict again = solver.prove(b - a < 40);
    ASSERT_TRUE(again.refuted());
    EXPECT_EQ(again.witness.str(), first.witness.str());
  }
}

TEST_F(AskedAgain, OtherFactsAreAnotherQuestion) {
  for (int round = 0; round < 3; ++round) {
    Assuming scope(solver);
    solver.assume(b - a < 40, "near");
    EXPECT_TRUE(solver.prove(b - a < 41).proved());
  }
  EXPECT_TRUE(solver.prove(b - a < 41).refuted());
}

TEST_F(AskedAgain, OtherOptionsAreAnotherQuestion) {
  for (int round = 0; round < 3; ++round) {
    EXPECT_TRUE(solver.prove(b - a < 40).refuted());
  }
  solver.options().maxTightenings = 0;
  EXPECT_EQ(solver.prove(b - a < 40).cost.by, DecidedBy::Solver);
}

} // namespace
