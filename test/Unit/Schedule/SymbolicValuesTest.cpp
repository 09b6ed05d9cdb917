// Scalars, spans and loops as terms.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tessera/Schedule/SymbolicValues.h"

#include "IRTesting.h"

using namespace tessera;
using namespace tessera::testing;

namespace {

const char *const kKernel = R"(
tile.kernel @k[%M "M", %N "N"](%x "x": !tile.view<?x?xf32, in> shape ()[s0, s1] -> (s0, s1 * 2 + 1),
    %lens "lens": !tile.view<?xi64, in> shape ()[s0, s1] -> (s0))
where {
  %limit = tile.constant 4096 : i64
  %0 = tile.cmp le, %N, %limit : i64
  tile.require %0, "N <= 4096"
}
body {
  %c0 = tile.constant 0 : i64
  %c3 = tile.constant 3 : i64
  %c8 = tile.constant 8 : i64
  tile.grid (%r = tiles(%c0 to %M by 64), %h = range(%c3 to %N)) {
    %start = tile.span_start %r : !tile.span<64>
    %stop = tile.span_stop %r : !tile.span<64>
    %half = tile.floordiv %start, %c8 : i64
    %len = tile.load %lens[%h] : !tile.view<?xi64, in>, i64 -> i64
    %sum = tile.add %len, %h : i64
    %wide = tile.dim %x, 1 : !tile.view<?x?xf32, in>
    %bad = tile.floordiv %start, %len : i64
    %c = tile.span %c0, %N exact : !tile.span<4096>
    %end = tile.span_stop %c : !tile.span<4096>
    tile.for %k in range(%c0 to %len) reversed {
      tile.print "half", %half : i64
      tile.print "sum", %sum : i64
      tile.print "wide", %wide : i64
      tile.print "bad", %bad : i64
      tile.print "stop", %stop : i64
      tile.print "end", %end : i64
      tile.print "k", %k : i64
    }
  }
}
)";

class Symbolic : public ::testing::Test {
protected:
  Symbolic() : test(kKernel), values(test.host().getValues()) {}
  mlir::Value printed(unsigned i) {
    llvm::SmallVector<tile::PrintOp> prints;
    test.host().getModule().walk([&](tile::PrintOp op) { prints.push_back(op); });
    return prints[i].getValue();
  }

  OnIR test;
  schedule::SymbolicValues &values;
};

} // namespace

TEST_F(Symbolic, StepsAreMultiples) {
  auto grid = test.first<tile::GridOp>();
  solver::Axis rows = values.axis(grid, 0), columns = values.axis(grid, 1);
  solver::ExprContext &terms = values.context();
  EXPECT_EQ(rows.hi, ceilDiv(terms.size("M"), 64));
  EXPECT_EQ(columns.hi, terms.size("N") - 3);
  EXPECT_EQ(values.value(printed(0)), rows.variable * 8) << "64 r // 8";
  mlir::Value h = grid.getBody().front().getArgument(1);
  EXPECT_EQ(values.value(h), columns.variable + 3);
  EXPECT_EQ(values.value(printed(4)), min(rows.variable * 64 + 64, terms.size("M")));
}

TEST_F(Symbolic, ExactSpansEndAtTheirLimit) {
  EXPECT_EQ(values.value(printed(5)), values.context().size("N"));
}

TEST_F(Symbolic, ExtentsOfViews) {
  EXPECT_EQ(values.value(printed(2)), values.context().size("N") * 2 + 1);
}

TEST_F(Symbolic, WhatIsLoadedDependsOnTheStep) {
  solver::Axis columns = values.axis(test.first<tile::GridOp>(), 1);
  solver::Expr len = values.value(printed(1)) - columns.variable - 3;
  EXPECT_TRUE(len.is(solver::ExprKind::Apply)) << len.str();
  EXPECT_TRUE(contains(len, columns.variable));
  EXPECT_EQ(values.value(printed(1)), values.value(printed(1))) << "the same value, the same term";
}

TEST_F(Symbolic, DivisionByTheUnknownIsOpaque) {
  EXPECT_TRUE(values.value(printed(3)).is(solver::ExprKind::Apply));
}

TEST_F(Symbolic, ReversedStepsAreNumberedAsTheyRun) {
  solver::Axis steps = values.axis(test.first<tile::ForOp>());
  EXPECT_EQ(values.value(printed(6)), steps.hi - steps.variable - 1);
}

TEST_F(Symbolic, FactsHold) {
  solver::Solver solver(values.context());
  for (const solver::Fact &fact : values.facts(test.first<tile::PrintOp>())) {
    solver.assume(fact);
  }
  solver::ExprContext &terms = values.context();
  EXPECT_TRUE(solver.prove(terms.size("N") <= 4096).proved());
  EXPECT_TRUE(solver.prove(terms.size("N") >= 4).proved()) << "the grid has a step";
  EXPECT_TRUE(solver.prove(values.value(printed(0)) * 8 < terms.size("M")).proved());
  EXPECT_FALSE(solver.prove(terms.size("M") >= 65).proved());
  EXPECT_FALSE(solver.contradiction().proved());
}
