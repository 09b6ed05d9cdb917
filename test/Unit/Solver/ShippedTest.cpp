//===- ShippedTest.cpp - answers that are shipped with the tools ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// They lie beneath the user's file, are never written, and are proved again on demand.
//
//===----------------------------------------------------------------------===//

#include "tessera/Solver/Solver.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

#include <gtest/gtest.h>

using namespace tessera::solver;

/// A question that the solver decides.
static Verdict ask(Solver &solver) {
  ExprContext &c = solver.context();
  Expr a = c.index("a"), b = c.index("b"), n = c.size("N", 1);
  Assuming scope(solver);
  solver.assume(0 <= a && a < b && b < n, "a < b < N");
  return solver.prove(b - a < 40);
}

TEST(ShippedVerdicts, AreComparedWithRules) {
  auto prove = [](Solver &solver) {
    Expr i = solver.context().index("i");
    solver.assume(i > 3);
    return solver.prove(i > 2);
  };
  ExprContext c;
  Solver solver(c);
  Verdict honest = prove(solver);
  ASSERT_EQ(honest.cost.by, DecidedBy::Rules);
  SolverOptions options;
  options.recheck = true;
  for (bool forged : {false, true}) {
    CachedAnswer answer{Outcome::Proved, UnknownCause::None, 1, false, {0}};
    if (forged) {
      answer = {Outcome::Refuted, UnknownCause::None, 1, false, {5}};
    }
    ExprContext c2;
    Solver other(c2, options);
    other.cache().addReadOnlyText(VerdictCache::formatLine(honest.query, answer));
    EXPECT_TRUE(prove(other).proved());
    EXPECT_EQ(other.statistics().disagreements, forged ? 1u : 0u);
  }
}

/// What is shipped lies beneath the user's file: hits are not written there, a recheck writes all of it.
TEST(ShippedVerdicts, LieBeneathAFile) {
  llvm::SmallString<128> folder;
  ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("tessera-cache", folder));
  std::string path = (folder + "/answers.txt").str(), own = (folder + "/own.txt").str();
  {
    ExprContext c;
    Solver solver(c);
    ASSERT_EQ(solver.cache().openWritable(path), std::nullopt);
    ask(solver);
  }
  auto buffer = llvm::MemoryBuffer::getFile(path);
  ASSERT_TRUE(buffer);
  llvm::StringRef shipped = (*buffer)->getBuffer();
  for (bool recheck : {false, true}) {
    SolverOptions options;
    options.recheck = recheck;
    ExprContext c;
    Solver solver(c, options);
    solver.cache().addReadOnlyText(shipped);
    ASSERT_EQ(solver.cache().openWritable(own), std::nullopt);
    EXPECT_EQ(ask(solver).cost.by, recheck ? DecidedBy::Solver : DecidedBy::Cache);
    EXPECT_EQ(ask(solver).cost.by, DecidedBy::Cache) << "its own answer";
    VerdictCache written;
    ASSERT_EQ(written.addReadOnly(own), std::nullopt);
    EXPECT_EQ(written.size(), recheck ? solver.cache().size() : 0u);
    EXPECT_EQ(solver.statistics().disagreements, 0u);
  }
  llvm::sys::fs::remove_directories(folder);
}
