//===- SpaceTest.cpp - instances, cells, windows, splits ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each question in a case that holds for all sizes and in a near miss with the smallest witness.
//
//===----------------------------------------------------------------------===//

#include "tessera/Solver/Space.h"

#include <gtest/gtest.h>

using namespace tessera::solver;

namespace {

class SpaceTest : public ::testing::Test {
protected:
  Expr num(Int value) { return c.constant(value); }
  std::string ask(const Obligation &obligation) { return solver.prove(obligation).str(); }

  ExprContext c;
  Solver solver{c};
  SpaceBuilder space{c};
  Expr m = c.size("M", 1), n = c.size("N", 1), k = c.size("K", 1);
};

//===----------------------------------------------------------------------===//
// Two instances
//===----------------------------------------------------------------------===//

TEST_F(SpaceTest, TiledRowsAreDisjoint) {
  IndexBox box{{space.axis("io", num(0), ceilDiv(m, 16)), space.axis("ii", 0, 16)}};
  Expr io = box.axes[0].variable, ii = box.axes[1].variable;
  Access write{"write of y", {16 * io + ii}, 16 * io + ii < m};
  EXPECT_EQ(ask(space.disjoint("tiles", box, write, write)), "holds");
  Access overlap{"write of y", {15 * io + ii}, 15 * io + ii < m};
  EXPECT_EQ(ask(space.disjoint("overlapping tiles", box, overlap, overlap)),
            "fails for M = 17, ii = 0, ii' = 15, io = 1, io' = 0");
}

TEST_F(SpaceTest, ThreadsWriteATileOnce) {
  // 64 x 64 tile, 128 threads, 8 elements each, 4 passes.
  IndexBox box{{space.axis("t", 0, 128), space.axis("p", 0, 4), space.axis("v", 0, 8)}};
  Expr t = box.axes[0].variable, p = box.axes[1].variable, v = box.axes[2].variable;
  Access good{"write of s", {p * 16 + floorDiv(t, 8), mod(t, 8) * 8 + v}, Expr()};
  EXPECT_EQ(ask(space.disjoint("threads", box, good, good)), "holds");
  Access bad{"write of s", {p * 16 + floorDiv(t, 8), mod(t, 8) * 7 + v}, Expr()};
  EXPECT_EQ(ask(space.disjoint("threads", box, bad, bad)),
            "fails for p = 0, p' = 0, t = 0, t' = 1, v = 7, v' = 0");
}

TEST_F(SpaceTest, EarlierAndSwappedPairs) {
  IndexBox box{{space.axis("i", num(0), n), space.axis("j", num(0), n)}};
  Expr i = box.axes[0].variable, j = box.axes[1].variable;
  Access write{"write of A", {i, j}, Expr()}, read{"read of A", {i, j + 1}, Expr()};
  // j + 1 is read before it is written: a pair in program order, but not one that swapping i and j reverses.
  EXPECT_EQ(ask(space.disjoint("order", box, read, write, Pairs::Earlier)),
            "fails for N = 2, i = 0, i' = 0, j = 0, j' = 1");
  EXPECT_EQ(ask(space.disjoint("swap", box, read, write, Pairs::Swapped)), "holds");
  // The second instance is one row further or in the same row, never in an earlier one.
  Access here{"write of A", {i}, Expr()}, below{"read of A", {i + 1}, Expr()};
  EXPECT_EQ(ask(space.disjoint("rows", box, here, below, Pairs::Earlier)), "holds");
  EXPECT_EQ(ask(space.disjoint("rows", box, below, here, Pairs::Earlier)),
            "fails for N = 2, i = 0, i' = 1, j = 0, j' = 0");
  Access diagonal{"read of A", {i - 1, j + 1}, Expr()};
  EXPECT_EQ(ask(space.disjoint("swap", box, write, diagonal, Pairs::Swapped)),
            "fails for N = 2, i = 0, i' = 1, j = 1, j' = 0");
}

TEST_F(SpaceTest, SharedAxesHaveOneValue) {
  IndexBox box{{space.axis("k", num(0), k), space.axis("t", 0, 32)}};
  Expr step = box.axes[0].variable, t = box.axes[1].variable;
  Access cell{"write of s", {mod(step, 2), t + step}, Expr()};
  EXPECT_EQ(ask(space.disjoint("threads of one step", box, cell, cell, Pairs::Different, 1)),
            "holds");
  EXPECT_EQ(ask(space.disjoint("threads of all steps", box, cell, cell)),
            "fails for K = 3, k = 0, k' = 2, t = 2, t' = 0");
}

TEST_F(SpaceTest, PhasesAreCoordinates) {
  // Read of step k in phase 2 k + 1, write of step k in phase 2 k; without the barrier at the end of a step the read
  // shares its phase with the next write.
  IndexBox box{{space.axis("k", num(0), k), space.axis("t", 0, 64)}};
  Expr step = box.axes[0].variable, t = box.axes[1].variable;
  auto read = [&](Expr phase) { return Access{"read of s", {phase, 63 - t}, Expr()}; };
  auto write = [&](Expr phase) { return Access{"write of s", {phase, t}, Expr()}; };
  EXPECT_EQ(ask(space.disjoint("two barriers", box, read(2 * step + 1), write(2 * step))), "holds");
  EXPECT_EQ(ask(space.disjoint("one barrier", box, read(step + 1), write(step))),
            "fails for K = 2, k = 0, k' = 1, t = 0, t' = 63");
}

TEST_F(SpaceTest, WrongArgumentsAreRefused) {
  IndexBox box{{space.axis("i", num(0), n)}};
  Expr i = box.axes[0].variable;
  Access one{"a", {i}, Expr()}, two{"b", {i, i}, Expr()}, lost{"c", {Expr()}, Expr()};
  EXPECT_EQ(solver.prove(space.disjoint("", box, one, two)).detail,
            "the goal: two accesses of one buffer have different numbers of coordinates");
  EXPECT_TRUE(solver.prove(space.disjoint("", box, lost, one)).unknown());
  EXPECT_TRUE(solver.prove(space.disjoint("", box, one, one, Pairs::Swapped)).unknown());
  EXPECT_TRUE(solver.prove(space.contained("", box, one, {})).unknown());
  EXPECT_TRUE(solver.prove(space.covered("", box, box, one, {})).unknown());
  EXPECT_TRUE(solver.prove(space.equalTrips("", num(0), n, 0, num(0), n, 1)).unknown());
  EXPECT_EQ(space.inverse(box, box, lost), std::nullopt);
}

//===----------------------------------------------------------------------===//
// Coverage
//===----------------------------------------------------------------------===//

TEST_F(SpaceTest, TilesCoverTheOutput) {
  IndexBox cells{{space.axis("r", num(0), m), space.axis("c", num(0), n)}};
  auto tiles = [&](Expr blocks) {
    return IndexBox{{space.axis("bi", num(0), blocks), space.axis("bj", num(0), ceilDiv(n, 64)),
                     space.axis("t", 0, 128), space.axis("e", 0, 64)}};
  };
  for (bool enough : {true, false}) {
    IndexBox box = tiles(enough ? ceilDiv(m, 128) : floorDiv(m, 128));
    Expr row = 128 * box.axes[0].variable + box.axes[2].variable;
    Expr column = 64 * box.axes[1].variable + box.axes[3].variable;
    Access write{"write of C", {row, column}, row < m && column < n};
    auto inverse = space.inverse(cells, box, write);
    ASSERT_TRUE(inverse);
    EXPECT_EQ((*inverse)[0].str(), "r // 128");
    EXPECT_EQ((*inverse)[2].str(), "r % 128");
    EXPECT_EQ(ask(space.covered("C is written", cells, box, write, *inverse)),
              enough ? "holds" : "fails for M = 1, N = 1, c = 0, r = 0");
  }
}

TEST_F(SpaceTest, InverseTakesOffsetsAndLowerBounds) {
  IndexBox cells{{space.axis("x", k, k + 24)}};
  IndexBox box{{space.axis("a", 1, 4), space.axis("b", 0, 8)}};
  Access write{"write", {8 * box.axes[0].variable + box.axes[1].variable + k - 8}, Expr()};
  auto inverse = space.inverse(cells, box, write);
  ASSERT_TRUE(inverse);
  EXPECT_EQ(ask(space.covered("window", cells, box, write, *inverse)), "holds");
  IndexBox more{{space.axis("x", k, k + 25)}};
  EXPECT_EQ(ask(space.covered("window", more, box, write, *space.inverse(more, box, write))),
            "fails for K = 1, x = 25");
}

TEST_F(SpaceTest, NoInverseForOtherForms) {
  IndexBox cells{{space.axis("x", num(0), n)}};
  IndexBox box{{space.axis("a", num(0), n)}};
  Expr a = box.axes[0].variable;
  EXPECT_EQ(space.inverse(cells, box, {"", {2 * a}, Expr()}), std::nullopt);
  EXPECT_EQ(space.inverse(cells, box, {"", {-a + n}, Expr()}), std::nullopt);
  EXPECT_EQ(space.inverse(cells, box, {"", {floorDiv(a, 2)}, Expr()}), std::nullopt);
}

//===----------------------------------------------------------------------===//
// Windows and equality
//===----------------------------------------------------------------------===//

TEST_F(SpaceTest, AsyncCopyInBounds) {
  IndexBox box{{space.axis("t", 0, 128), space.axis("b", num(0), ceilDiv(k, 64))}};
  Expr column = 64 * box.axes[1].variable + 8 * mod(box.axes[0].variable, 8);
  Access last{"read of A", {column + 7}, column < k};
  Window row{{num(0)}, {k}};
  EXPECT_EQ(ask(space.contained("16 bytes inside the row", box, last, row)),
            "fails for K = 1, b = 0, t = 0");
  solver.assume(eq(mod(k, 8), 0), "K % 8 = 0");
  EXPECT_EQ(ask(space.contained("16 bytes inside the row", box, last, row)), "holds");
}

TEST_F(SpaceTest, WindowsHoldOrMiss) {
  IndexBox box{{space.axis("i", 0, 8)}};
  Expr i = box.axes[0].variable;
  Access next{"read of x", {i + 1}, Expr()};
  EXPECT_EQ(ask(space.contained("stage", box, next, {{num(0)}, {num(8)}})), "fails for i = 7");
  EXPECT_EQ(ask(space.contained("stage", box, next, {{num(0)}, {num(9)}})), "holds");
  EXPECT_EQ(ask(space.outside("other half", box, next, {{num(9)}, {n}})), "holds");
  EXPECT_EQ(ask(space.outside("other half", box, next, {{num(8)}, {n}})), "fails for N = 1, i = 7");
}

TEST_F(SpaceTest, AccessesAreEqualOverTheBox) {
  IndexBox box{{space.axis("i", 0, 32)}};
  Expr i = box.axes[0].variable;
  Access one{"a", {floorDiv(i, 4), mod(i, 4)}, i < n};
  Access same{"b", {floorDiv(i + 4, 4) - 1, i - 4 * floorDiv(i, 4)}, !(n <= i)};
  Access other{"c", {floorDiv(i, 4), mod(i, 8)}, i < n};
  EXPECT_EQ(ask(space.equal("same", box, one, same)), "holds");
  EXPECT_EQ(ask(space.equal("other", box, one, other)), "fails for N = 5, i = 4");
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

TEST_F(SpaceTest, Splits) {
  EXPECT_EQ(ask(space.splitExact("exact", 12 * n, 4)), "holds");
  EXPECT_EQ(ask(space.splitExact("exact", n, 4)), "fails for N = 1");
  solver.assume(n >= 6);
  EXPECT_EQ(ask(space.splitExact("exact", n, 4)), "fails for N = 6");
  EXPECT_EQ(ask(space.splitCovers("guard", n, 4, space.split(n, 4).ceiling)), "holds");
  EXPECT_EQ(ask(space.splitCovers("full blocks only", n, 4, space.split(n, 4).full)),
            "fails for N = 6, i~ = 4");
  SpaceBuilder::Split parts = space.split(n, 4);
  EXPECT_EQ(solver.prove(eq(4 * parts.full + parts.rest, n)).str(), "holds");
  EXPECT_EQ(solver.prove(parts.rest < 4 && 0 <= parts.rest).str(), "holds");
  EXPECT_EQ(solver.prove(parts.ceiling <= parts.full + 1).str(), "holds");
}

TEST_F(SpaceTest, TripsBoundsCuts) {
  Expr zero = num(0);
  EXPECT_EQ(ask(space.equalTrips("blocks", zero, n, 64, zero, ceilDiv(n, 64), 1)), "holds");
  EXPECT_EQ(ask(space.equalTrips("blocks", zero, n, 64, zero, floorDiv(n, 64), 1)),
            "fails for N = 1");
  EXPECT_EQ(ask(space.equalTrips("shifted", num(3), n + 3, 4, zero, n, 4)), "holds");
  EXPECT_EQ(ask(space.equalBounds("fuse", zero, n + m, num(0), m + n)), "holds");
  EXPECT_EQ(ask(space.equalBounds("fuse", zero, n, num(1), n)), "fails in every case");
  EXPECT_EQ(ask(space.cutInside("cut", zero, num(8), n)), "fails for N = 1");
  EXPECT_EQ(ask(space.cutInside("cut", zero, min(num(8), n), n)), "holds");
}

TEST_F(SpaceTest, Alignment) {
  Expr i = c.index("i"), ld = c.size("ld", 1);
  EXPECT_EQ(ask(space.aligned("row", 2 * i * ld, 16)), "fails for ld = 1, i = 1");
  solver.assume(eq(mod(ld, 8), 0), "ld % 8 = 0");
  EXPECT_EQ(ask(space.aligned("row", 2 * ld * 3 + 32 * i, 16)), "holds");
  EXPECT_EQ(ask(space.aligned("row", 2 * ld + 8, 16, 8)), "holds");
  EXPECT_EQ(ask(space.aligned("row", ld, 16)), "fails for ld = 8");
  EXPECT_EQ(ask(space.aligned("any row", 2 * ld * i + 16, 16)), "holds");
  EXPECT_EQ(ask(space.aligned("any row", ld * i, 16)), "fails for ld = 8, i = 1");
}

TEST_F(SpaceTest, DivisionByASymbol) {
  Expr g = c.size("G", 1), x = c.index("x", Range::atLeast(0)), y = c.index("y", Range::atLeast(0));
  auto dx = space.divideBySymbol(x, g), dy = space.divideBySymbol(y, g);
  for (const auto &facts : {dx.facts, dy.facts}) {
    for (const Fact &fact : facts) {
      solver.assume(fact);
    }
  }
  solver.assume(eq(dx.quotient, dy.quotient) && eq(dx.remainder, dy.remainder), "one task");
  EXPECT_TRUE(solver.prove(eq(x, y)).proved());
  EXPECT_TRUE(solver.prove(eq(x, y + 1)).refuted());
  EXPECT_EQ(space.divideBySymbol(x, g).quotient, dx.quotient);
  EXPECT_NE(space.divideBySymbol(x + 1, g).quotient, dx.quotient);
}

} // namespace
