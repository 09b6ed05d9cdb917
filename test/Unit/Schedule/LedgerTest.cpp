// The report.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ScheduleTesting.h"

#include "tessera/Schedule/SchedTool.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace tessera;
using namespace tessera::testing;
using ::testing::HasSubstr;

TEST(Ledger, Text) {
  Scheduled done(kRowsKernel, "let y = store(y)\nbind(y.r, warp)\nexpect regs <= 128");
  EXPECT_EQ(done.report, "bind(store y.r, warp)    at t.sched:3:1\n"
                         "    proved   instances of `store y` write different cells\n"
                         "expect regs <= 128    at t.sched:4:8\n"
                         "    open     regs <= 128 (layouts)\n"
                         "2 steps: 1 proved, 0 assumed, 0 trusted, 0 program, 1 open\n");
}

static std::string reportOf(const schedule::Ledger &ledger, schedule::Detail detail) {
  std::string text;
  llvm::raw_string_ostream os(text);
  ledger.print(os, nullptr, detail);
  return text;
}

TEST(Ledger, SumsByKindAndWhoDecided) {
  Scheduled done(kRowsKernel, "let y = store(y)\nbind(y.r, warp)\nsplit(y.c, 8)\nseal()");
  ASSERT_EQ(done.errors, "");
  EXPECT_EQ(done.report.find("queries"), std::string::npos);
  std::string text = reportOf(done.ledger, schedule::Detail::Totals);
  EXPECT_THAT(text, HasSubstr("\nkinds: bind_cells 1, bounds 4, form 1, "));
  const solver::SolverStatistics &sum = done.ledger.spending->queries;
  EXPECT_EQ(sum.queries, sum.bySimplification + sum.byRules + sum.fromCache + sum.bySolver);
  EXPECT_GT(sum.queries, 0u);
  EXPECT_THAT(text, HasSubstr("\nqueries: " + std::to_string(sum.queries) + "; by form "));
  EXPECT_THAT(text, HasSubstr("\ntime: "));
  EXPECT_GE(done.ledger.spending->milliseconds, sum.totalMilliseconds);
  EXPECT_GE(sum.slowestMilliseconds, sum.medianMilliseconds);
}

/// Each condition, those of `seal`, too, says what was asked for it, or that nothing was.
TEST(Ledger, EveryConditionHasItsQueries) {
  Scheduled done(kRowsKernel, "let y = store(y)\nbind(y.r, warp)\nseal()");
  ASSERT_EQ(done.errors, "");
  std::set<std::string> hashes;
  for (const schedule::Entry &entry : done.ledger.steps.back().entries) {
    EXPECT_NE(entry.kind, "") << entry.title;
    EXPECT_EQ(llvm::StringRef(entry.title).split(':').first, entry.kind);
    for (const solver::AskedQuery &query : entry.queries) {
      EXPECT_EQ(query.hash.size(), 32u) << entry.title;
      hashes.insert(query.hash);
    }
    // Whether points are apart, and whether a span ends inside, nobody knows without a question.
    bool isAsked = entry.kind == "instances" || entry.kind == "bounds";
    EXPECT_EQ(isAsked, !entry.queries.empty()) << entry.title;
  }
  EXPECT_GT(hashes.size(), 1u);
  llvm::SmallVector<llvm::StringRef> lines;
  std::string text = reportOf(done.ledger, schedule::Detail::Costs);
  llvm::StringRef(text).split(lines, '\n');
  for (llvm::StringRef line : lines) {
    EXPECT_EQ(line.starts_with("    "), line.ends_with("]")) << line.str();
  }
}

/// A cache that says otherwise is believed, until it is proved again.
TEST(Ledger, ACacheIsProvedAgain) {
  const char *script = "print provable(N >= 4)";
  Scheduled honest(kRowsKernel, script);
  ASSERT_EQ(honest.printed, "false\n");
  Scheduled::Options options;
  options.verdicts = solver::VerdictCache::formatLine(
      honest.ledger.spending->queries.slowestQuery,
      {solver::Outcome::Proved, solver::UnknownCause::None, 1, false, {0}});
  Scheduled believed(kRowsKernel, script, options);
  EXPECT_EQ(believed.printed, "true\n");
  EXPECT_EQ(believed.ledger.spending->queries.fromCache, 1u);
  EXPECT_TRUE(believed.ledger.problems.empty());
  options.recheck = true;
  Scheduled checked(kRowsKernel, script, options);
  EXPECT_EQ(checked.printed, "false\n");
  EXPECT_EQ(checked.ledger.spending->queries.fromCache, 0u);
  EXPECT_EQ(checked.ledger.spending->queries.disagreements, 1u);
  ASSERT_EQ(checked.ledger.problems.size(), 1u);
  EXPECT_THAT(checked.ledger.problems[0], HasSubstr("was `proved`, the solver disagrees"));
}

namespace {
struct ToolRun {
  int status = -1;
  std::string out, err;
};
} // namespace

static ToolRun runTool(llvm::ArrayRef<std::string> words) {
  llvm::SmallVector<llvm::StringRef> refs(words.begin(), words.end());
  ToolRun run;
  llvm::raw_string_ostream out(run.out), err(run.err);
  run.status = runTileSched(refs, out, err);
  return run;
}

static void writeFile(llvm::StringRef path, llvm::StringRef text) {
  std::error_code error;
  llvm::raw_fd_ostream os(path, error);
  ASSERT_FALSE(error) << error.message();
  os << text;
}

/// The tool says which kept verdict is another one, and fails.
TEST(Ledger, TheToolFailsWhereAVerdictIsNotConfirmed) {
  llvm::SmallString<128> folder;
  ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("tessera-sched", folder));
  std::string kernel = (folder + "/k.tile").str(), cache = (folder + "/own.txt").str();
  writeFile(kernel, std::string(kProductKernel) +
                        "schedule product on sm_80 { stage(def(acc).a, shared); auto_sync(self); "
                        "seal() }\n");
  std::vector<std::string> words = {kernel, "--emit=none", "--recheck", "--cache=" + cache};
  ToolRun honest = runTool(words);
  EXPECT_EQ(honest.status, 0) << honest.err;
  EXPECT_EQ(honest.err, "");
  auto kept = llvm::MemoryBuffer::getFile(cache);
  ASSERT_TRUE(kept);
  llvm::SmallVector<llvm::StringRef> lines;
  (*kept)->getBuffer().split(lines, '\n');
  std::string forged;
  for (llvm::StringRef line : lines) {
    auto answer = solver::VerdictCache::parseLine(line);
    if (answer && answer->second.outcome == solver::Outcome::Proved) {
      answer->second.outcome = solver::Outcome::Refuted;
      forged += solver::VerdictCache::formatLine(answer->first, answer->second);
    }
  }
  ASSERT_NE(forged, "");
  // A witness is evaluated before it is used.
  writeFile(cache, forged);
  ToolRun warned = runTool({kernel, "--emit=none", "--cache=" + cache});
  EXPECT_EQ(warned.status, 0) << warned.err;
  EXPECT_THAT(warned.err, HasSubstr("warning: the cached witness of query "));
  writeFile(cache, forged);
  ToolRun checked = runTool(words);
  EXPECT_EQ(checked.status, 1);
  EXPECT_THAT(checked.err, HasSubstr("error: recheck: the cached answer of query "));
  EXPECT_THAT(checked.err, HasSubstr("help: remove the file of `--cache`"));
  llvm::sys::fs::remove_directories(folder);
}

TEST(Ledger, OptionalArgumentsAreNamed) {
  Scheduled done(kRowsKernel, "insert_barrier(load(x).after, scope = warp)\n"
                              "insert_barrier(load(x).after)");
  EXPECT_THAT(done.report, HasSubstr("insert_barrier(load x.after, scope = warp)    at"));
  EXPECT_THAT(done.report, HasSubstr("insert_barrier(load x.after)    at"));
}

TEST(Ledger, Json) {
  Scheduled done(kRowsKernel, "bind(store(y).r, warp)");
  std::string text;
  llvm::raw_string_ostream os(text);
  done.ledger.printJson(os, nullptr);
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(text);
  ASSERT_TRUE(static_cast<bool>(value)) << text;
  const llvm::json::Object *root = value->getAsObject();
  EXPECT_EQ(root->getObject("totals")->getInteger("proved"), 1);
  const llvm::json::Object *step = root->getArray("steps")->front().getAsObject();
  EXPECT_EQ(step->getString("primitive"), llvm::StringRef("bind"));
  EXPECT_EQ(step->getArray("conditions")->front().getAsObject()->getString("standing"),
            llvm::StringRef("proved"));
}

TEST(Ledger, EveryPrimitiveIsDocumented) {
  schedule::PrimitiveRegistry registry;
  schedule::addAllPrimitives(registry);
  std::set<std::string> names;
  for (const schedule::Primitive &primitive : registry.primitives()) {
    const script::Signature &signature = primitive.signature;
    EXPECT_TRUE(names.insert(signature.name).second) << signature.name << " twice";
    EXPECT_NE(signature.doc, "") << signature.name;
    EXPECT_NE(signature.group, "") << signature.name;
    EXPECT_TRUE(signature.isPure || !signature.after.empty()) << signature.name << ": no example";
  }
}
