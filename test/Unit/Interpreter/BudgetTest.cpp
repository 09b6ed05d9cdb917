// Limits of a run: they end loops that would not, whatever they hold.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "InterpreterTesting.h"

using namespace tessera;
using namespace tessera::interptest;

namespace {

RunReport runWithin(uint64_t steps, uint64_t bytes, llvm::StringRef body) {
  RunOptions options;
  options.maxSteps = steps;
  options.maxBytes = bytes;
  TestKernel kernel;
  kernel.with(options);
  return kernel.run(body);
}

void expectBudget(const RunReport &report, llvm::StringRef what) {
  ASSERT_EQ(report.errors.size(), 1u);
  EXPECT_EQ(report.errors[0].code(), "T0894");
  EXPECT_NE(report.errors[0].message.find(what.str()), std::string::npos)
      << report.errors[0].message;
}

} // namespace

TEST(BudgetTest, EmptyLoopEnds) {
  RunReport report = runWithin(1000, 0, R"(
    %lo = tile.constant 0 : i64
    %hi = tile.constant 4611686018427387904 : i64
    tile.for %i in range(%lo to %hi) carry() { tile.yield }
  )");
  expectBudget(report, "1000 steps");
  EXPECT_LE(report.counters.steps, 1010u);
}

TEST(BudgetTest, EndlessWhileEnds) {
  expectBudget(runWithin(500, 0, R"(
    %true = tile.constant true
    scf.while : () -> () {
      scf.condition(%true)
    } do {
      scf.yield
    }
  )"),
               "500 steps");
}

TEST(BudgetTest, GridEndsAtOnce) {
  RunReport report = runWithin(100, 0, R"(
    %lo = tile.constant 0 : i64
    %hi = tile.constant 1000000 : i64
    tile.grid (%i = range(%lo to %hi)) { %a = tile.add %i, %i : i64 }
  )");
  expectBudget(report, "100 steps");
  EXPECT_LT(report.counters.points, 100u);
}

TEST(BudgetTest, BytesOfValues) {
  llvm::StringRef body = R"(
    %a = tile.constant 1.0 : f32 tensor<1024xf32>
    %b = tile.add %a, %a : tensor<1024xf32>
    %c = tile.add %b, %b : tensor<1024xf32>
    %d = tile.add %c, %c : tensor<1024xf32>
  )";
  expectBudget(runWithin(0, 5000, body), "5000 bytes of values");
  EXPECT_TRUE(runWithin(0, 1 << 20, body).succeeded());
  EXPECT_TRUE(runWithin(1000, 0, body).succeeded());
}
