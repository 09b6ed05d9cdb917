//===- ReportTest.cpp - entries, tables, resources ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rules one by one, each with a near miss; refused kernels with one fault each are test/Schedule/faults.
//
//===----------------------------------------------------------------------===//

#include "Snippets.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace tessera;
using namespace tessera::sealtest;

TEST(Seal, UnknownTargetIsRefused) {
  SealOptions options;
  options.target = "sm_1";
  Outcome outcome = sealOf(grid(load), options);
  ASSERT_EQ(outcome.codes, std::vector<std::string>{"T1254"});
  EXPECT_NE(outcome.text.find("sm_80"), std::string::npos);
  // Emitted once, so that the code counts as provoked.
  Parsed parsed(head + grid(load) + "\n}\n");
  std::string emitted;
  ScopedDiagnosticHandler handler(&parsed.context, [&](Diagnostic &diagnostic) {
    emitted += diagnostic.str();
    return success();
  });
  solver::ExprContext context;
  solver::Solver solver(context);
  EXPECT_FALSE(seal(parsed.kernel(), solver, options).isSealed());
  EXPECT_NE(emitted.find("T1254: `sm_1` is no target"), std::string::npos);
}

TEST(Seal, TargetsDifferInSharedMemory) {
  std::string large = grid("%big = tile.alloc : !tile.buf<200x256xf32, shared>\n" + load);
  EXPECT_EQ(codes(large), "T1250");
  SealOptions options;
  options.target = "sm_90a";
  EXPECT_TRUE(sealOf(large, options).codes.empty());
}

TEST(Seal, WarpsMultiplyMemoryOfTheirOwn) {
  EXPECT_EQ(codes(grid("%b = tile.alloc : !tile.buf<80x128xf32, shared, per = warp>\n")), "");
  EXPECT_EQ(codes(grid("%b = tile.alloc : !tile.buf<128x128xf32, shared, per = warp>\n")), "T1250");
  // Memory that is taken over is not counted twice.
  EXPECT_EQ(
      codes(grid("%b = tile.alloc : !tile.buf<256x128xf32, shared>\n%c = tile.alloc over %b : "
                 "!tile.buf<256x128xf32, shared> over !tile.buf<256x128xf32, shared>\n")),
      "");
}

TEST(Seal, EntriesNameBothOpsAndTheEdge) {
  Outcome outcome = sealOf(grid(alloc + load + writeA + readA + store));
  ASSERT_EQ(outcome.codes, std::vector<std::string>{"T1210"});
  EXPECT_NE(outcome.text.find("`tile.write` and `tile.read`"), std::string::npos);
  EXPECT_NE(outcome.text.find("read after write needs a barrier of scope `cta`"),
            std::string::npos);
  EXPECT_NE(outcome.text.find("put `tile.barrier cta`"), std::string::npos);
}

TEST(Seal, TableCountsByKind) {
  Parsed parsed(head + grid(alloc + load + writeA + readA + store) + "\n}\n");
  ASSERT_TRUE(parsed.module) << parsed.problems;
  solver::ExprContext context;
  solver::Solver solver(context);
  SealOptions options;
  options.emit = false;
  SealReport report = seal(parsed.kernel(), solver, options);
  EXPECT_FALSE(report.isSealed());
  EXPECT_EQ(report.count(SealKind::order, SealStatus::refuted), 1u);
  EXPECT_EQ(report.count(SealKind::values, SealStatus::proved), 1u);
  EXPECT_NE(report.table().find("refuted: `tile.write`"), std::string::npos);
  EXPECT_NE(report.table().find("(T1210)"), std::string::npos);
}
