//===- SolverTest.cpp - verdicts, witnesses, budgets, facts ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every claim here comes with a near miss: the same question with one fact less, refuted by the smallest case.
//
//===----------------------------------------------------------------------===//

#include "tessera/Solver/Solver.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace tessera::solver;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

namespace {

class SolverTest : public ::testing::Test {
protected:
  ExprContext c;
  Solver solver{c};
  Expr i = c.index("i"), j = c.index("j");
  Expr m = c.size("M", 1), n = c.size("N", 1), k = c.size("K", 1);
};

TEST_F(SolverTest, VectorEndsInsideTheRow) {
  solver.assume(0 <= i && i < n, "i in [0, N)", "row.tile:4");
  solver.assume(eq(mod(n, 8), 0), "N % 8 = 0", "row.tile:1");
  solver.assume(eq(mod(i, 8), 0), "i % 8 = 0");
  Verdict verdict = solver.prove(i + 7 < n);
  EXPECT_TRUE(verdict.proved());
  EXPECT_THAT(verdict.usedFacts, ElementsAre("i in [0, N)", "N % 8 = 0", "i % 8 = 0"));
  EXPECT_EQ(verdict.str(), "holds");
}

TEST_F(SolverTest, WithoutTheFactTheSmallestCaseIsFound) {
  solver.assume(0 <= i && i < n);
  solver.assume(eq(mod(i, 8), 0));
  Verdict verdict = solver.prove(i + 7 < n);
  EXPECT_TRUE(verdict.refuted());
  EXPECT_TRUE(verdict.witness.smallest);
  EXPECT_EQ(verdict.str(), "fails for N = 1, i = 0");
}

TEST_F(SolverTest, SizesAreMadeSmallBeforeIndices) {
  solver.assume(i < m && j < n && 0 <= i && 0 <= j);
  Verdict verdict = solver.prove(i + j < 120);
  EXPECT_TRUE(verdict.refuted());
  EXPECT_TRUE(verdict.witness.smallest);
  EXPECT_EQ(verdict.witness.str(), "M = 57, N = 65, i = 56, j = 64");
}

TEST_F(SolverTest, UnusedFactsAreNotNamed) {
  solver.assume(i < n, "i < N");
  solver.assume(n <= m, "N <= M");
  solver.assume(k < j, "K < j");
  Verdict verdict = solver.prove(i < m);
  EXPECT_TRUE(verdict.proved());
  EXPECT_THAT(verdict.usedFacts, ElementsAre("i < N", "N <= M"));
}

TEST_F(SolverTest, ContradictingFactsAreSaid) {
  solver.assume(i < 0, "i < 0");
  solver.assume(i > 3, "i > 3");
  Verdict related = solver.prove(i < n - 100);
  EXPECT_TRUE(related.proved());
  EXPECT_TRUE(related.vacuous);
  Verdict unrelated = solver.prove(n < m);
  EXPECT_TRUE(unrelated.proved());
  EXPECT_TRUE(unrelated.vacuous);
  EXPECT_EQ(unrelated.str(), "holds, because the facts contradict each other");
  EXPECT_TRUE(solver.contradiction().proved());
}

TEST_F(SolverTest, ContradictionIsOneQuestion) {
  solver.options().maxTightenings = 0;
  solver.assume(i < n && i > 3);
  solver.assume(j < m);
  EXPECT_EQ(solver.contradiction().cost.checks, 1u);
}

TEST_F(SolverTest, RunningOutOfMemoryIsUnknown) {
  // The limit is one of the process, and the solver may not give all memory back.
  pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    SolverOptions options;
    options.memoryMebibytes = 1;
    Solver small(c, options);
    Verdict starved = small.prove(i < j);
    bool good =
        starved.unknown() && starved.cause == UnknownCause::Memory &&
        starved.str() == "no proof and no counterexample were found: the solver ran out of memory";
    good &= small.prove(j < i).unknown();
    small.options().memoryMebibytes = 4000;
    good &= small.prove(i < j).refuted();
    ::_exit(good ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

TEST_F(SolverTest, FactsThatCanHoldDoNotContradict) {
  solver.assume(i < n && i > 3);
  Verdict verdict = solver.contradiction();
  EXPECT_TRUE(verdict.refuted());
  EXPECT_TRUE(verdict.witness.smallest);
  EXPECT_FALSE(verdict.query.empty());
  EXPECT_EQ(verdict.witness["N"], 5);
}

TEST_F(SolverTest, OtherFactsCompleteTheWitness) {
  solver.assume(k > 6 && k < j, "K in (6, j)");
  Verdict verdict = solver.prove(n < m);
  ASSERT_TRUE(verdict.refuted());
  EXPECT_EQ(verdict.witness.str(), "M = 1, N = 1");
  EXPECT_EQ(verdict.witness["K"], 7);
  EXPECT_EQ(verdict.witness["j"], 8);
}

TEST_F(SolverTest, ScopesDropTheirFacts) {
  {
    Assuming scope(solver);
    solver.assume(i < 5);
    EXPECT_TRUE(solver.prove(i < 6).proved());
  }
  EXPECT_TRUE(solver.prove(i < 6).refuted());
  EXPECT_TRUE(solver.facts().empty());
  EXPECT_FALSE(solver.pop());
}

TEST_F(SolverTest, GatheredIndicesAreOpaque) {
  const Declaration *idx = c.function("idx", 1, Range::between(0, 9));
  Expr a = c.apply(idx, {i}), b = c.apply(idx, {j});
  EXPECT_TRUE(solver.prove(a < 10).proved());
  solver.assume(i < j);
  Verdict verdict = solver.prove(ne(a, b));
  ASSERT_TRUE(verdict.refuted());
  EXPECT_THAT(verdict.str(), HasSubstr("idx("));
  solver.assume(implies(ne(i, j), ne(a, b)), "idx is injective here");
  EXPECT_TRUE(solver.prove(ne(a, b)).proved());
  EXPECT_TRUE(solver.prove(implies(eq(i, k), eq(a, c.apply(idx, {k})))).proved());
}

TEST_F(SolverTest, DataDependentGuardsAreOpaque) {
  const Declaration *flag = c.predicate("flag", 1);
  Expr at = c.apply(flag, {i}), p = c.condition("p");
  solver.assume(implies(at, i < 4));
  EXPECT_TRUE(solver.prove(implies(at && i > 2, eq(i, 3))).proved());
  EXPECT_TRUE(solver.prove(i < 4).refuted());
  EXPECT_TRUE(solver.prove(p || !p).proved());
  EXPECT_EQ(solver.prove(p).str(), "fails for p = false");
}

TEST_F(SolverTest, SymbolicBlockSizeByFactsAboutProducts) {
  Expr bm = c.size("BM", 1), a = c.index("a"), b = c.index("b"), x = c.index("x"), y = c.index("y");
  solver.assume(0 <= x && x < bm && 0 <= y && y < bm, "x, y in [0, BM)");
  solver.assume(eq(a * bm + x, b * bm + y), "same cell");
  Verdict verdict = solver.prove(eq(a, b));
  EXPECT_TRUE(verdict.proved());
  EXPECT_EQ(verdict.cost.checks, 1u);
}

TEST_F(SolverTest, ProductsAreRefutedByRealProducts) {
  Expr bm = c.size("BM", 1), a = c.index("a", Range::atLeast(0)), x = c.index("x");
  solver.assume(0 <= x && x <= bm, "x in [0, BM]");
  Verdict verdict = solver.prove(a * bm + x < (a + 1) * bm);
  ASSERT_TRUE(verdict.refuted());
  EXPECT_EQ(verdict.witness["x"], verdict.witness["BM"]);
  Verdict square = solver.prove(ne(m * m, 49));
  ASSERT_TRUE(square.refuted());
  EXPECT_EQ(square.witness["M"], 7);
}

TEST_F(SolverTest, AHardProductIsUnknownWithItsOwnWords) {
  solver.options().rlimit = 3000;
  Expr x = c.size("x", 1), y = c.size("y", 1), z = c.size("z", 1);
  Verdict verdict = solver.prove(ne(x * x * x + y * y * y, z * z * z), "no cubes");
  EXPECT_TRUE(verdict.unknown());
  EXPECT_THAT(verdict.str(), HasSubstr("no proof and no counterexample were found"));
  EXPECT_THAT(verdict.str(), HasSubstr("`x * x * x`"));
  EXPECT_GE(verdict.exits().size(), 4u);
}

TEST_F(SolverTest, ASpentBudgetIsUnknown) {
  solver.options().rlimit = 20;
  solver.options().useRules = false;
  solver.assume(eq(3 * i + 5 * j, 7 * k) && eq(mod(i, 11), 3) && eq(mod(j, 13), 4));
  Verdict verdict = solver.prove(ne(mod(k, 17), 5));
  EXPECT_TRUE(verdict.unknown());
  EXPECT_EQ(verdict.cause, UnknownCause::Budget);
  EXPECT_THAT(verdict.str(), HasSubstr("the budget of the query was spent"));
  solver.options().rlimit = 200000;
  EXPECT_TRUE(solver.prove(ne(mod(k, 17), 5)).refuted());
}

TEST_F(SolverTest, InvalidTermsAreRefusedWithTheirReason) {
  Verdict goal = solver.prove(floorDiv(i, 0) < 3);
  EXPECT_EQ(goal.cause, UnknownCause::Invalid);
  EXPECT_EQ(goal.str(),
            "no proof and no counterexample were found: the goal: a divisor is not positive");
  EXPECT_TRUE(goal.exits().empty());
  EXPECT_EQ(solver.prove(i + 1).detail, "the goal: `i + 1` is not a condition");
  EXPECT_EQ(solver.prove(Expr()).detail, "the goal: a term is missing");
  solver.assume(Expr(), "lost");
  EXPECT_EQ(solver.prove(i < 3).detail, "fact `lost`: a term is missing");
}

TEST_F(SolverTest, NumbersBeyondTheSpanAreNoWitness) {
  Expr big = c.constant(Int(1) << 120);
  solver.options().useRules = false;
  Verdict verdict = solver.prove(i * 3 + j * 5 < big);
  EXPECT_FALSE(verdict.proved());
}

TEST_F(SolverTest, CostsAreCounted) {
  solver.assume(0 <= i && i < n);
  solver.prove(i < n + 1);
  solver.prove(i < n - 1);
  solver.prove(c.boolean(true));
  SolverStatistics statistics = solver.statistics();
  EXPECT_EQ(statistics.queries, 3u);
  EXPECT_EQ(statistics.proved, 2u);
  EXPECT_EQ(statistics.refuted, 1u);
  EXPECT_EQ(statistics.bySimplification, 1u);
  EXPECT_EQ(statistics.byRules, 1u);
  EXPECT_EQ(statistics.bySolver, 1u);
  EXPECT_GT(statistics.rlimit, 0u);
  EXPECT_THAT(statistics.str(), HasSubstr("3 queries: 2 proved, 1 refuted, 0 unknown"));
}

TEST_F(SolverTest, AnswersDoNotDependOnHistory) {
  auto ask = [](ExprContext &context, Solver &s) {
    Expr a = context.index("a"), b = context.index("b"), size = context.size("S", 1);
    Assuming scope(s);
    s.assume(0 <= a && a < size && 0 <= b && b < size && ne(a, b));
    return s.prove(ne(mod(5 * a, 12), mod(5 * b + 7, 12)));
  };
  Verdict late;
  for (int round = 0; round < 20; ++round) {
    solver.prove(i + round < j * (round + 1));
    late = ask(c, solver);
  }
  ExprContext fresh;
  Solver other(fresh);
  Verdict early = ask(fresh, other);
  EXPECT_EQ(early.str(), late.str());
  EXPECT_EQ(early.query, late.query);
}

} // namespace
