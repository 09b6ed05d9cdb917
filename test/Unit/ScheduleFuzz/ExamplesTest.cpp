// The schedules of test/Schedule/examples: after each of their steps the kernel gives the bits of its source, and what is
// sealed gives them under the adversary, too.
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

class ScheduleExamplesTest : public ::testing::TestWithParam<Example> {};

} // namespace

TEST_P(ScheduleExamplesTest, GivesTheSameBits) {
  const Example &example = GetParam();
  std::string path =
      TESSERA_SOURCE_DIR + std::string("/test/Schedule/examples/") + example.name + ".tile";
  auto file = llvm::MemoryBuffer::getFile(path);
  ASSERT_TRUE(file) << path;
  // The kernel ends where its brace does; after it come the schedule and what it calls.
  auto [kernel, script] = (*file)->getBuffer().split("\n}\n");
  ScheduleFuzzOptions options;
  options.allSizes = true;
  ScheduleFuzzer fuzzer({example.name, kernel.str() + "\n}\n", example.sizes}, options);
  ASSERT_EQ(fuzzer.unusable(), "");
  EXPECT_EQ(fuzzer.replay(script).problem, "");
  EXPECT_EQ(fuzzer.counts().sealed, 1u);
  EXPECT_GT(fuzzer.counts().adversarialRuns, 0u);
}

INSTANTIATE_TEST_SUITE_P(
    Scripts, ScheduleExamplesTest,
    ::testing::Values(Example{"softmax",
                              {{{"M", 0}, {"N", 8}}, {{"M", 5}, {"N", 7}}, {{"M", 3}, {"N", 16}}}},
                      Example{"gemm",
                              {{{"M", 17}, {"N", 9}, {"K", 70}},
                               {{"M", 1}, {"N", 8}, {"K", 0}},
                               {{"M", 130}, {"N", 130}, {"K", 65}},
                               {{"M", 5}, {"N", 136}, {"K", 136}}}},
                      Example{"attention",
                              {{{"B", 1}, {"H", 1}, {"SQ", 9}, {"SK", 3}},
                               {{"B", 1}, {"H", 1}, {"SQ", 5}, {"SK", 200}},
                               {{"B", 1}, {"H", 1}, {"SQ", 130}, {"SK", 70}}}}),
    [](const auto &info) { return info.param.name; });
