// Random sequences of primitives on small kernels: 500 seeds; TESSERA_FULL=1 runs 20,000, TESSERA_SCHEDULES=N as many,
// TESSERA_SCHEDULES=A..B those from A on and below B, with the table so far after each thousand.
// TESSERA_SCHEDULE_CONDITIONS=1 prints how often each condition refused something.
// TESSERA_SEED=N runs one: each call is printed before it is made, then its script. TESSERA_SCHEDULE_LOG names a file
// that gets every script. TESSERA_SCRIPT names a file that is replayed on the fixed kernel that its schedule is of.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tessera/Testing/ScheduleFuzz.h"

#include "llvm/Support/MemoryBuffer.h"

#include <cstdio>
#include <cstdlib>
#include <gtest/gtest.h>

using namespace tessera;

namespace {

const char *setting(const char *name) {
  const char *value = std::getenv(name);
  return value && *value && std::string(value) != "0" ? value : nullptr;
}

/// The first seed, and the one after the last.
std::pair<uint64_t, uint64_t> seeds() {
  if (const char *text = setting("TESSERA_SCHEDULES")) {
    auto [first, last] = llvm::StringRef(text).split("..");
    uint64_t from = 0, to = 0;
    bool isBad = first.getAsInteger(10, from) || (!last.empty() && last.getAsInteger(10, to));
    EXPECT_FALSE(isBad) << "TESSERA_SCHEDULES=" << text << ": expected N or A..B";
    return last.empty() ? std::make_pair(uint64_t(0), from) : std::make_pair(from, to);
  }
  return {0, setting("TESSERA_FULL") ? 20000 : 500};
}

/// A seed's kernel is one of the fixed ones, and every twelfth time a generated one.
class Trials {
public:
  Trials() {
    if (setting("TESSERA_SEED")) {
      options.onCall = [](llvm::StringRef call) {
        std::printf("# %s\n", call.str().c_str());
        std::fflush(stdout);
      };
    }
    for (const char *target : {"sm_80", "sm_90a"}) {
      options.target = target;
      for (const ScheduleKernel &kernel : scheduleKernels()) {
        fuzzers.push_back(std::make_unique<ScheduleFuzzer>(kernel, options));
      }
    }
    if (const char *path = setting("TESSERA_SCHEDULE_LOG")) {
      log = std::fopen(path, "w");
    }
  }
  ~Trials() {
    if (log) {
      std::fclose(log);
    }
  }

  /// The problem with its least script; empty if there is none.
  std::string run(uint64_t seed) {
    std::unique_ptr<ScheduleFuzzer> own;
    ScheduleFuzzer *fuzzer = nullptr;
    if (seed % 12 == 11) {
      own = std::make_unique<ScheduleFuzzer>(generatedScheduleKernel(seed), options);
      fuzzer = own.get();
    } else {
      fuzzer = fuzzers[seed % fuzzers.size()].get();
    }
    EXPECT_EQ(fuzzer->unusable(), "");
    if (!fuzzer->unusable().empty()) {
      return "";
    }
    ScheduleTrial trial = fuzzer->run(seed);
    if (log) {
      std::fprintf(log, "# seed %llu: %s\n%s", static_cast<unsigned long long>(seed),
                   trial.problem.empty() ? "good" : trial.problem.c_str(), trial.script.c_str());
      std::fflush(log);
    }
    last = trial.script;
    std::string problem;
    if (!trial.problem.empty()) {
      ScheduleTrial least = fuzzer->shrink(trial);
      problem = "seed " + std::to_string(seed) + ": " + least.problem + "\n" + least.script;
      problem += seed % 12 == 11 ? generatedScheduleKernel(seed).text : "";
    }
    if (own) {
      generated.add(own->counts());
    }
    return problem;
  }

  ScheduleCounts counts() const {
    ScheduleCounts all = generated;
    for (const auto &fuzzer : fuzzers) {
      all.add(fuzzer->counts());
    }
    return all;
  }
  const std::string &script() const { return last; }

private:
  ScheduleFuzzOptions options;
  std::vector<std::unique_ptr<ScheduleFuzzer>> fuzzers;
  ScheduleCounts generated;
  std::string last;
  std::FILE *log = nullptr;
};

} // namespace

TEST(ScheduleKernelsTest, CompileAndRun) {
  for (const ScheduleKernel &kernel : scheduleKernels()) {
    ScheduleFuzzer fuzzer(kernel);
    EXPECT_EQ(fuzzer.unusable(), "") << kernel.name;
    bool hasEmpty = false, hasSmall = false;
    for (const auto &extents : kernel.sizes) {
      bool isSmall = true;
      for (const auto &[name, extent] : extents) {
        EXPECT_LE(extent, 40) << kernel.name << " " << name;
        hasEmpty |= extent == 0;
        isSmall &= extent <= 8;
      }
      hasSmall |= isSmall;
    }
    EXPECT_TRUE(hasEmpty && hasSmall) << kernel.name;
  }
}

TEST(ScheduleSequencesTest, AllSeedsHold) {
  Trials trials;
  if (const char *one = setting("TESSERA_SEED")) {
    std::string problem = trials.run(std::strtoull(one, nullptr, 10));
    std::printf("%s", trials.script().c_str());
    EXPECT_EQ(problem, "");
    return;
  }
  unsigned problems = 0;
  auto [first, end] = seeds();
  for (uint64_t seed = first; seed < end; ++seed) {
    std::string problem = trials.run(seed);
    EXPECT_EQ(problem, "");
    problems += !problem.empty();
    if (problems == 5 && end - first <= 1000) {
      break; // more would not be read
    }
    uint64_t done = seed + 1 - first;
    if (done % 1000 == 0 && seed + 1 != end) {
      std::printf("seeds %llu to %llu:\n%s", static_cast<unsigned long long>(first),
                  static_cast<unsigned long long>(seed), trials.counts().table().c_str());
      std::fflush(stdout);
    }
  }
  ScheduleCounts counts = trials.counts();
  std::printf("%s", counts.table().c_str());
  if (setting("TESSERA_SCHEDULE_CONDITIONS")) {
    std::printf("%s", counts.conditions().c_str());
  }
  unsigned accepted = 0, called = 0;
  for (const auto &[name, own] : counts.primitives) {
    accepted += own.accepted;
    called += own.accepted + own.refused + own.gone;
  }
  // A primitive that is never accepted is not tested here: it needs arguments that fit (Fitting.cpp) or a recipe. Some
  // need more luck than a short run has.
  std::string missing;
  unsigned count = 0;
  for (const auto &[name, own] : counts.primitives) {
    missing += own.accepted ? "" : " " + name;
    count += own.accepted == 0;
  }
  EXPECT_TRUE(end - first < 500 || count <= (end - first < 5000 ? 2 : 0)) << missing;
  EXPECT_GT(accepted * 4, called) << "too much is refused for the sequences to reach anything";
  EXPECT_GT(counts.sealed, 0u);
}

TEST(ScheduleSequencesTest, ASeedIsAScript) {
  ScheduleFuzzOptions options;
  for (size_t i = 0; i < scheduleKernels().size(); ++i) {
    ScheduleFuzzer fuzzer(scheduleKernels()[i], options), other(scheduleKernels()[i], options);
    for (uint64_t seed = 0; seed < 2; ++seed) {
      ScheduleTrial trial = fuzzer.run(seed), again = other.run(seed);
      EXPECT_EQ(trial.script, again.script);
      // What the text says is what was done.
      ScheduleTrial replayed = fuzzer.replay(trial.script);
      EXPECT_EQ(replayed.problem, "") << trial.script;
      EXPECT_EQ(replayed.result, trial.result) << trial.script;
    }
    EXPECT_NE(fuzzer.run(1).script, fuzzer.run(2).script);
  }
}

TEST(ScheduleSequencesTest, AScriptThatIsGiven) {
  const char *path = setting("TESSERA_SCRIPT");
  if (!path) {
    GTEST_SKIP() << "no script is given";
  }
  auto buffer = llvm::MemoryBuffer::getFile(path);
  ASSERT_TRUE(buffer) << path;
  llvm::StringRef text = (*buffer)->getBuffer();
  llvm::StringRef head = text.substr(text.find("schedule ")).substr(9);
  llvm::StringRef name = head.take_until([](char c) { return c == ' '; });
  llvm::StringRef target = head.substr(name.size() + 4).take_until([](char c) { return c == ' '; });
  ScheduleFuzzOptions options;
  options.target = target.str();
  for (const ScheduleKernel &kernel : scheduleKernels()) {
    if (kernel.name == name) {
      ScheduleFuzzer fuzzer(kernel, options);
      ScheduleTrial trial = fuzzer.replay(text);
      EXPECT_EQ(trial.problem, "");
      std::printf("%s", trial.result.c_str());
      return;
    }
  }
  ADD_FAILURE() << "there is no kernel `" << name.str() << "`";
}
