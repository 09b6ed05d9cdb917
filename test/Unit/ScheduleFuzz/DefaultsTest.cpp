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

} // namespace

TEST_P(ScheduleDefaultsTest, GivesTheSameBits) {
  const Example &example = GetParam();
  std::string path = TESSERA_SOURCE_DIR + std::string("/examples/") + example.name + ".tile";
  auto file = llvm::MemoryBuffer::getFile(path);
  ASSERT_TRUE(file) << path;
  ScheduleFuzzOptions options;
  options.allSizes = true;
  ScheduleFuzzer fuzzer({example.name, (*file)->getBuffer().str(), example.sizes}, options);
  ASSERT_EQ(fuzzer.unusable(), "");
  std::string script = "import \"std/defaults.sched\"\nschedule " + example.name +
                       " on sm_80 { default_sm80(self) }\n";
  EXPECT_EQ(fuzzer.replay(script).problem, "");
  EXPECT_EQ(fuzzer.counts().sealed, 1u);
  EXPECT_GT(fuzzer.counts().adversarialRuns, 0u);
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
