//===- LogTest.cpp - a stand-alone solver agrees with every answer --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Asks a mixture of questions, among them such that the rules decide without the solver, and runs `z3` on every file
// that the log holds.
//
//===----------------------------------------------------------------------===//

#include "tessera/Solver/Space.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace tessera::solver;
using ::testing::HasSubstr;

namespace {

std::string readFile(llvm::StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  return buffer ? (*buffer)->getBuffer().str() : "";
}

class LogTest : public ::testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("tessera-log", folder));
  }
  void TearDown() override { llvm::sys::fs::remove_directories(folder); }

  std::vector<std::string> files() {
    std::vector<std::string> result;
    std::error_code error;
    for (llvm::sys::fs::directory_iterator it(folder, error), end; it != end && !error;
         it.increment(error)) {
      if (llvm::StringRef(it->path()).ends_with(".smt2")) {
        result.push_back(it->path());
      }
    }
    std::sort(result.begin(), result.end());
    return result;
  }

  /// First line that the stand-alone solver prints; nothing when it is not installed.
  std::optional<std::string> standAlone(llvm::StringRef file) {
    llvm::ErrorOr<std::string> z3 = llvm::sys::findProgramByName("z3");
    if (!z3) {
      return std::nullopt;
    }
    std::string out = (folder + "/out.txt").str();
    llvm::StringRef arguments[] = {*z3, file};
    std::optional<llvm::StringRef> redirects[] = {std::nullopt, llvm::StringRef(out), std::nullopt};
    llvm::sys::ExecuteAndWait(*z3, arguments, std::nullopt, redirects, /*SecondsToWait=*/60);
    return llvm::StringRef(readFile(out)).split('\n').first.str();
  }

  llvm::SmallString<128> folder;
};

void askAMixture(ExprContext &c, Solver &solver) {
  SpaceBuilder space(c);
  Expr m = c.size("M", 1), n = c.size("odd name|!\\ N", 1);
  Expr zero = c.constant(0);
  IndexBox box{{space.axis("io", zero, ceilDiv(m, 16)), space.axis("ii", 0, 16)}};
  Expr row = 16 * box.axes[0].variable + box.axes[1].variable;
  Expr close = 15 * box.axes[0].variable + box.axes[1].variable;
  solver.prove(space.disjoint("tiles", box, {"w", {row}, row < m}, {"w", {row}, row < m}));
  solver.prove(space.disjoint("near", box, {"w", {close}, Expr()}, {"w", {close}, Expr()}));
  solver.prove(space.slotExclusive("ring", m, 4, c.constant(4)));
  solver.prove(space.slotExclusive("ring", m, 4, c.constant(5)));
  solver.prove(space.parityUnambiguous("parity", n, 3, c.constant(3)));
  solver.prove(space.equalTrips("trips", zero, n, 8, zero, ceilDiv(n, 8), 1));
  solver.prove(max(m, n) - min(m, n) >= 0, "absolute difference");
  solver.prove(max(m, n) - min(m, n) > 0, "line one\nline two");
  Expr i = c.index("i"), bm = c.size("BM", 1), a = c.index("a"), x = c.index("x");
  const Declaration *idx = c.function("idx", 1, Range::between(0, 63));
  solver.prove(c.apply(idx, {i}) < 64 && c.apply(idx, {i + 1}) >= 0, "gathered");
  solver.prove(ne(c.apply(idx, {i}), c.apply(idx, {x})), "gathered, two");
  Expr p = c.condition("p");
  solver.prove(select(p, i, x) <= max(i, x), "select");
  solver.prove((p || i < 3) && (!p || i < 4), "condition");
  solver.assume(0 <= x && x < bm, "x in [0, BM)", "a.tile:7");
  solver.prove(implies(eq(a * bm + x, bm * 3 + i) && 0 <= i && i < bm, eq(a, 3)), "symbolic block");
  solver.prove(a * bm + x < 100, "product");
}

TEST_F(LogTest, TheStandAloneSolverAgrees) {
  for (bool rules : {true, false}) {
    ExprContext c;
    SolverOptions options;
    options.useRules = rules;
    Solver solver(c, options);
    ASSERT_EQ(solver.log().open((folder + (rules ? "/rules" : "/plain")).str()), std::nullopt);
    askAMixture(c, solver);
    EXPECT_TRUE(solver.problems().empty());
    EXPECT_EQ(solver.statistics().unknown, 0u);
    // The usual questions stay cheap; about 1000 units take half a millisecond.
    EXPECT_LT(solver.statistics().rlimit, 40000u) << solver.statistics().str();
    llvm::SmallString<128> outer = folder;
    folder += rules ? "/rules" : "/plain";
    std::vector<std::string> all = files();
    EXPECT_GE(all.size(), 16u);
    unsigned compared = 0;
    for (const std::string &file : all) {
      std::string text = readFile(file);
      std::optional<std::string> answer = standAlone(file);
      if (!answer) {
        GTEST_SKIP() << "z3 is not installed";
      }
      EXPECT_THAT(text, HasSubstr("(set-info :status " + *answer + ")")) << file << "\n" << text;
      ++compared;
    }
    EXPECT_EQ(compared, solver.log().written());
    folder = outer;
  }
}

TEST_F(LogTest, FilesSayWhatWasAsked) {
  ExprContext c;
  Solver solver(c);
  ASSERT_EQ(solver.log().open(folder), std::nullopt);
  Expr i = c.index("i"), n = c.size("N", 1);
  solver.assume(0 <= i && i < n, "i in [0, N)", "row.tile:4\n(check-sat)");
  Verdict verdict = solver.prove(i < n - 1, "last one");
  ASSERT_EQ(files().size(), 1u);
  EXPECT_THAT(files()[0], HasSubstr("q0000-" + verdict.query + ".smt2"));
  std::string text = readFile(files()[0]);
  EXPECT_THAT(text, HasSubstr("; claim: last one\n"));
  EXPECT_THAT(text, HasSubstr("; goal, negated below: i + 2 <= N\n"));
  EXPECT_THAT(text, HasSubstr("[i in [0, N)] from row.tile:4\n; (check-sat)\n"));
  EXPECT_THAT(text, HasSubstr("; verdict: refuted\n"));
  EXPECT_THAT(text, HasSubstr("(set-logic QF_LIA)\n"));
}

TEST_F(LogTest, AFolderThatCannotBeMadeIsSaid) {
  QueryLog log;
  std::optional<std::string> problem = log.open("/dev/null/queries");
  ASSERT_TRUE(problem);
  EXPECT_THAT(*problem, HasSubstr("cannot write the query `/dev/null/queries`"));
  EXPECT_FALSE(log.isOpen());
}

} // namespace
