//===- CacheTest.cpp - answers on disk, damaged and shared ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A cache may save work, never change an answer: files are cut, corrupted, forged and written by several processes.
//
//===----------------------------------------------------------------------===//

#include "tessera/Solver/Solver.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace tessera::solver;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

namespace {

class CacheTest : public ::testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("tessera-cache", folder));
    path = (folder + "/answers.txt").str();
  }
  void TearDown() override { llvm::sys::fs::remove_directories(folder); }

  std::string content() {
    auto buffer = llvm::MemoryBuffer::getFile(path);
    return buffer ? (*buffer)->getBuffer().str() : "";
  }
  void setContent(llvm::StringRef text) {
    std::error_code error;
    llvm::raw_fd_ostream os(path, error);
    os << text;
  }
  static std::string keyOf(int number) { return VerdictCache::key(std::to_string(number), "", ""); }

  /// A question for the solver that is refuted, and one that is proved.
  static std::pair<Verdict, Verdict> ask(Solver &solver) {
    ExprContext &c = solver.context();
    Expr a = c.index("a"), b = c.index("b"), n = c.size("N", 1);
    Assuming scope(solver);
    solver.assume(0 <= a && a < b && b < n, "a < b < N");
    return {solver.prove(b - a < 40), solver.prove(a + b < 2 * n - 2)};
  }

  llvm::SmallString<128> folder;
  std::string path;
};

TEST_F(CacheTest, LinesReadBack) {
  CachedAnswer answer{Outcome::Refuted, UnknownCause::None, 77, true, {-3, Int(1) << 100, 0}};
  std::string line = VerdictCache::formatLine(keyOf(1), answer);
  auto read = VerdictCache::parseLine(line);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->first, keyOf(1));
  EXPECT_EQ(read->second.numbers, answer.numbers);
  EXPECT_EQ(read->second.outcome, Outcome::Refuted);
  EXPECT_EQ(read->second.rlimit, 77u);
  EXPECT_TRUE(read->second.smallest);
}

TEST_F(CacheTest, EveryCutAndEveryFlipIsNoticed) {
  CachedAnswer answer{Outcome::Proved, UnknownCause::None, 12, false, {0, 2}};
  std::string line = VerdictCache::formatLine(keyOf(1), answer);
  for (size_t length = 0; length + 1 < line.size(); ++length) {
    EXPECT_FALSE(VerdictCache::parseLine(llvm::StringRef(line).take_front(length))) << length;
  }
  for (size_t at = 0; at + 1 < line.size(); ++at) {
    std::string flipped = line;
    flipped[at] ^= 1;
    EXPECT_FALSE(VerdictCache::parseLine(flipped)) << at;
  }
}

TEST_F(CacheTest, AnswersComeBackInTheNextCompile) {
  Verdict first, second;
  for (int run = 0; run < 2; ++run) {
    ExprContext c;
    Solver solver(c);
    ASSERT_EQ(solver.cache().openWritable(path), std::nullopt);
    auto [refuted, other] = ask(solver);
    EXPECT_EQ(refuted.str(), "fails for N = 41, a = 0, b = 40") << run;
    EXPECT_TRUE(refuted.witness.smallest);
    EXPECT_EQ(refuted.cost.by, run ? DecidedBy::Cache : DecidedBy::Solver);
    EXPECT_EQ(other.cost.by, run ? DecidedBy::Cache : DecidedBy::Solver);
    EXPECT_EQ(refuted.cost.checks == 0, run == 1);
    (run ? second : first) = other;
    EXPECT_TRUE(solver.problems().empty());
  }
  EXPECT_EQ(first.str(), second.str());
  EXPECT_EQ(first.usedFacts, second.usedFacts);
}

TEST_F(CacheTest, ReadOnlyFilesAreNotWritten) {
  {
    ExprContext c;
    Solver solver(c);
    ASSERT_EQ(solver.cache().openWritable(path), std::nullopt);
    ask(solver);
  }
  std::string before = content();
  ExprContext c;
  Solver solver(c);
  ASSERT_EQ(solver.cache().addReadOnly(path), std::nullopt);
  ASSERT_EQ(solver.cache().addReadOnly(path + ".missing"), std::nullopt);
  EXPECT_EQ(ask(solver).first.cost.by, DecidedBy::Cache);
  EXPECT_TRUE(solver.prove(c.index("z") < 4).refuted());
  EXPECT_EQ(content(), before);
}

TEST_F(CacheTest, AForgedWitnessIsNotBelieved) {
  ExprContext c;
  Solver solver(c);
  Verdict honest = ask(solver).first;
  setContent(
      VerdictCache::formatLine(honest.query,
                               {Outcome::Refuted, UnknownCause::None, 1, true, {5, 5, 5}}) +
      VerdictCache::formatLine(keyOf(3), {Outcome::Proved, UnknownCause::None, 1, false, {}}));
  ExprContext c2;
  Solver other(c2);
  ASSERT_EQ(other.cache().openWritable(path), std::nullopt);
  EXPECT_EQ(ask(other).first.str(), honest.str());
  ASSERT_EQ(other.problems().size(), 1u);
  EXPECT_THAT(other.problems()[0], HasSubstr("does not hold; solved again"));
}

TEST_F(CacheTest, AForgedWitnessOutsideDeclaredRangesIsNotBelieved) {
  for (bool forged : {false, true}) {
    ExprContext c;
    Solver solver(c);
    ASSERT_EQ(solver.cache().openWritable(path), std::nullopt);
    Verdict verdict = solver.prove(c.index("q", Range::between(0, 9)) < 4);
    EXPECT_EQ(verdict.str(), "fails for q = 4");
    EXPECT_EQ(solver.problems().size(), forged ? 1u : 0u);
    setContent(VerdictCache::formatLine(verdict.query,
                                        {Outcome::Refuted, UnknownCause::None, 1, true, {50}}));
  }
}

TEST_F(CacheTest, RecheckFindsAForgedProof) {
  ExprContext c;
  Solver solver(c);
  Verdict honest = ask(solver).first;
  setContent(
      VerdictCache::formatLine(honest.query, {Outcome::Proved, UnknownCause::None, 1, false, {0}}));
  SolverOptions options;
  options.recheck = true;
  ExprContext c2;
  Solver other(c2, options);
  ASSERT_EQ(other.cache().openWritable(path), std::nullopt);
  EXPECT_EQ(ask(other).first.str(), honest.str());
  ASSERT_EQ(other.problems().size(), 1u);
  EXPECT_THAT(other.problems()[0], HasSubstr("was `proved`, the solver disagrees"));
  ExprContext c3;
  Solver later(c3);
  ASSERT_EQ(later.cache().openWritable(path), std::nullopt);
  EXPECT_EQ(ask(later).first.str(), honest.str()) << "the recheck repaired the file";
}

TEST_F(CacheTest, UnknownsAreKeptWithTheirLimit) {
  for (int run = 0; run < 3; ++run) {
    SolverOptions options;
    options.rlimit = run == 2 ? 200000 : 20;
    options.useRules = false;
    ExprContext c;
    Solver solver(c, options);
    ASSERT_EQ(solver.cache().openWritable(path), std::nullopt);
    Verdict verdict = ask(solver).first;
    EXPECT_EQ(verdict.unknown(), run < 2);
    EXPECT_EQ(verdict.cost.by == DecidedBy::Cache, run == 1);
  }
}

TEST_F(CacheTest, DamageCostsOnlyTheDamagedLines) {
  std::string text = "# a comment\n";
  for (int i = 0; i < 10; ++i) {
    text += VerdictCache::formatLine(keyOf(i), {Outcome::Proved, UnknownCause::None, 1, false, {}});
  }
  text.insert(text.size() / 2, std::string("\0\xff\n|||", 6));
  text.resize(text.size() - 7);
  setContent(text);
  VerdictCache cache;
  ASSERT_EQ(cache.openWritable(path), std::nullopt);
  EXPECT_EQ(cache.size(), 8u);
  EXPECT_EQ(cache.damagedLines(), 3u);
  ASSERT_EQ(cache.add(keyOf(99), {Outcome::Proved, UnknownCause::None, 1, false, {}}),
            std::nullopt);
  VerdictCache again;
  ASSERT_EQ(again.openWritable(path), std::nullopt);
  EXPECT_TRUE(again.find(keyOf(99))) << "appended after a cut line";
  EXPECT_EQ(again.size(), 9u);
  ASSERT_EQ(again.compact(), std::nullopt);
  VerdictCache compacted;
  ASSERT_EQ(compacted.openWritable(path), std::nullopt);
  EXPECT_EQ(compacted.size(), 9u);
  EXPECT_EQ(compacted.damagedLines(), 0u);
}

TEST_F(CacheTest, ManyProcessesAppend) {
  constexpr int processes = 6, each = 40;
  std::vector<pid_t> children;
  for (int p = 0; p < processes; ++p) {
    pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      VerdictCache cache;
      bool good = !cache.openWritable(path);
      for (int i = 0; i < each && good; ++i) {
        good = !cache.add(keyOf(1000 * p + i),
                          {Outcome::Refuted, UnknownCause::None, 1, true, {p, i}});
        if (i == each / 2) {
          good &= !cache.compact();
        }
      }
      ::_exit(good ? 0 : 1);
    }
    children.push_back(child);
  }
  for (pid_t child : children) {
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
  }
  VerdictCache cache;
  ASSERT_EQ(cache.openWritable(path), std::nullopt);
  EXPECT_EQ(cache.size(), unsigned(processes * each));
  EXPECT_EQ(cache.damagedLines(), 0u);
  EXPECT_THAT(cache.find(keyOf(5039))->numbers, ElementsAre(5, 39));
}

TEST_F(CacheTest, FilesThatCannotBeUsedAreSaid) {
  VerdictCache cache;
  std::optional<std::string> problem = cache.addReadOnly(folder);
  ASSERT_TRUE(problem);
  EXPECT_THAT(*problem, HasSubstr("cannot read the cache of proofs"));
  setContent("");
  problem = cache.openWritable(path + "/below/a/file");
  ASSERT_TRUE(problem);
  EXPECT_THAT(*problem, HasSubstr("cannot make the folder of"));
}

TEST_F(CacheTest, KeysSeparateTheirParts) {
  EXPECT_NE(VerdictCache::key("ab", "c", ""), VerdictCache::key("a", "bc", ""));
  EXPECT_NE(VerdictCache::key("a", "z3 4", ""), VerdictCache::key("a", "z3 5", ""));
  EXPECT_EQ(VerdictCache::key("a", "b", "c").size(), 32u);
}

} // namespace
