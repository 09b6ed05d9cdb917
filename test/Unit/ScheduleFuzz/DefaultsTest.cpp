// The defaults of the library for the examples: after each step the kernel gives the bits of its source, and what is sealed
// gives them under the adversary, too.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tessera/Testing/ScheduleFuzz.h"

#include "llvm/Support/MemoryBuffer.h"

#include <gtest/gtest.h>

using namespace tessera;

namespace {

struct Example {
  std::string name;
  std::vector<std::map<std::string, int64_t>> sizes;
};

class ScheduleDefaultsTest : public ::testing::TestWithParam<Example> {};

/// What went wrong with the default of a kernel; empty where nothing did and it was sealed.
std::string problemOf(ScheduleKernel kernel, bool &isUsable) {
  std::string script = "import \"std/defaults.sched\"\nschedule " + kernel.name +
                       " on sm_80 { default_sm80(self) }\n";
  ScheduleFuzzOptions options;
  options.allSizes = true;
  ScheduleFuzzer fuzzer(std::move(kernel), options);
  isUsable = fuzzer.unusable().empty();
  if (!isUsable) {
    return fuzzer.unusable();
  }
  std::string problem = fuzzer.replay(script).problem;
  bool isJudged = fuzzer.counts().sealed == 1 && fuzzer.counts().adversarialRuns > 0;
  return !problem.empty() || isJudged ? problem : "it is not sealed";
}

} // namespace

TEST_P(ScheduleDefaultsTest, GivesTheSameBits) {
  const Example &example = GetParam();
  std::string path = TESSERA_SOURCE_DIR + std::string("/examples/") + example.name + ".tile";
  auto file = llvm::MemoryBuffer::getFile(path);
  ASSERT_TRUE(file) << path;
  bool isUsable = false;
  EXPECT_EQ(problemOf({example.name, (*file)->getBuffer().str(), example.sizes}, isUsable), "");
  EXPECT_TRUE(isUsable);
}

TEST(ScheduleDefaults, ServeKernelsThatTheyHaveNeverSeen) {
  bool isUsable = false;
  for (const ScheduleKernel &kernel : scheduleKernels()) {
    EXPECT_EQ(problemOf(kernel, isUsable), "") << kernel.text;
    EXPECT_TRUE(isUsable) << kernel.name;
  }
  unsigned usable = 0;
  constexpr uint64_t seeds = 24;
  for (uint64_t seed = 0; seed < seeds; ++seed) {
    ScheduleKernel kernel = generatedScheduleKernel(seed);
    std::string problem = problemOf(kernel, isUsable);
    usable += isUsable;
    EXPECT_TRUE(problem.empty() || !isUsable) << "seed " << seed << ": " << problem << kernel.text;
  }
  EXPECT_GT(usable, seeds / 2);
}

INSTANTIATE_TEST_SUITE_P(
    Rules, ScheduleDefaultsTest,
    ::testing::Values(
        Example{"softmax", {{{"M", 3}, {"N", 7}}, {{"M", 2}, {"N", 16}}}},
        Example{"gemm", {{{"M", 65}, {"N", 40}, {"K", 72}}, {{"M", 3}, {"N", 5}, {"K", 33}}}},
        Example{"attention", {{{"B", 1}, {"HQ", 1}, {"HK", 1}, {"SQ", 66}, {"SK", 110}}}},
        Example{"topk_gate", {{{"TOK", 3}}}}, Example{"swiglu_cast", {{{"TOK", 2}, {"H", 128}}}},
        Example{"cumsum_reverse", {{{"M", 2}, {"N", 300}}, {{"M", 1}, {"N", 259}}}},
        Example{"ngram_hash", {{{"TOK", 35}}}}),
    [](const auto &info) { return info.param.name; });
