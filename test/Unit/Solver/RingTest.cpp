//===- RingTest.cpp - rings of slots, for all numbers of steps ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The closed form of the queue rule is held against the state space it summarises.
//
//===----------------------------------------------------------------------===//

#include "tessera/Solver/Space.h"

#include <gtest/gtest.h>

using namespace tessera::solver;

namespace {

class RingTest : public ::testing::Test {
protected:
  Expr num(Int value) { return c.constant(value); }
  std::string ask(const Obligation &obligation) { return solver.prove(obligation).str(); }

  ExprContext c;
  Solver solver{c};
  SpaceBuilder space{c};
  Expr k = c.size("K", 1);
};

TEST_F(RingTest, QueueRule) {
  EXPECT_EQ(ask(space.queueRule("ring", num(3), num(1), num(1))), "holds");
  EXPECT_EQ(ask(space.queueRule("ring", num(2), num(1), num(1))), "fails in every case");
  Expr slots = c.size("S", 1), lag = c.size("d", 0);
  solver.assume(slots >= lag + 1, "S >= d + 1");
  EXPECT_EQ(ask(space.queueRule("ring", slots, num(0), lag)), "holds");
  EXPECT_EQ(ask(space.queueRule("ring", slots, num(1), lag)), "fails for S = 1, d = 0");
}

TEST_F(RingTest, SlotsAreNotReusedWhileRead) {
  EXPECT_EQ(ask(space.slotExclusive("S = 4, waits 4 behind", k, 4, num(4))), "holds");
  EXPECT_EQ(ask(space.slotExclusive("S = 4, waits 5 behind", k, 4, num(5))),
            "fails for K = 5, kc~ = 0, kp~ = 4");
  EXPECT_EQ(ask(space.slotExclusive("S = 4, waits 3 behind", k, 4, num(3))), "holds");
}

TEST_F(RingTest, LiveExactlyWhenSlotsExceedLag) {
  for (Int slots = 1; slots <= 4; ++slots) {
    for (Int lag = 0; lag <= 4; ++lag) {
      Verdict live = solver.prove(space.ringLive("ring", k, num(slots), num(lag)));
      Verdict rule = solver.prove(space.queueRule("rule", num(slots), num(0), num(lag)));
      EXPECT_EQ(live.proved(), rule.proved()) << toString(slots) << " slots, lag " << toString(lag);
      EXPECT_FALSE(live.unknown());
    }
  }
  EXPECT_EQ(ask(space.ringLive("S = 1, lag 1", k, num(1), num(1))),
            "fails for K = 2, kc~ = 1, kp~ = 1");
}

TEST_F(RingTest, LiveForAllSlotsAndLags) {
  Expr slots = c.size("S", 1), lag = c.size("d", 0);
  {
    Assuming scope(solver);
    solver.assume(slots > lag, "S > d");
    EXPECT_EQ(ask(space.ringLive("ring", k, slots, lag)), "holds");
  }
  solver.assume(slots <= lag, "S <= d");
  EXPECT_TRUE(solver.prove(space.ringLive("ring", k, slots, lag)).refuted());
}

TEST_F(RingTest, ParityIsNotLapped) {
  EXPECT_EQ(ask(space.parityUnambiguous("lead 4 of 4", k, 4, num(4))), "holds");
  EXPECT_EQ(ask(space.parityUnambiguous("lead 5 of 4", k, 4, num(5))),
            "fails for K = 5, kp~ = 5, k~ = 0");
}

TEST_F(RingTest, FactsAboutTheProgramDoNotReachTheRing) {
  solver.assume(c.index("kp") < 2, "a loop of the same name is short");
  EXPECT_EQ(ask(space.slotExclusive("S = 4, waits 5 behind", k, 4, num(5))),
            "fails for K = 5, kc~ = 0, kp~ = 4");
}

} // namespace
