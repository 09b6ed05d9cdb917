//===- FaultsTest.cpp - the faulted files misbehave, their twins do not ---===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What `seal` refuses in test/Schedule/faults is no fancy: under the adversary some run of the file goes wrong. And what
// it accepts never does. Faults that no run can show stand below with the reason.
//
//===----------------------------------------------------------------------===//

#include "SealTesting.h"

#include <algorithm>
#include <gtest/gtest.h>

using namespace tessera;
using namespace tessera::sealtest;

namespace {

const std::pair<llvm::StringRef, llvm::StringRef> unseen[] = {
    {"absent-in-different-parts", "the zeros of one side meet finite numbers in these runs"},
    {"row-of-no-base", "as above"},
    {"fill-of-a-whole-copy", "as above"},
    {"write-to-an-awaited-slot", "the users are one group here; with two it would be seen"},
    {"slot-of-no-turn", "both slots are the same one in every step"},
    {"barrier-under-a-branch", "a run's barriers wait for nobody"},
    {"cluster-barrier-in-a-role", "as above"},
    {"too-much-shared-memory", "a run has what it needs"},
    {"too-many-threads", "as above"},
    {"too-many-registers", "as above"},
    {"too-many-barriers", "as above"},
    {"instruction-of-a-later-target", "a run has no target"},
    {"another-op-than-declared", "a run does the ops of an apply, not its instruction"},
    {"products-of-sizes", "no fault: a weakness of the solver"},
};

class FaultTest : public ::testing::TestWithParam<std::string> {};
class TwinTest : public ::testing::TestWithParam<std::string> {};

std::string nameOf(const ::testing::TestParamInfo<std::string> &info) {
  std::string name = info.param;
  std::replace_if(name.begin(), name.end(), [](char c) { return !std::isalnum(c); }, '_');
  return name;
}

} // namespace

TEST_P(FaultTest, MisbehavesUnderSomeSeed) {
  Parsed parsed(read("faults/" + GetParam()));
  ASSERT_TRUE(parsed.module) << parsed.problems;
  bool isUnseen = llvm::any_of(
      unseen, [&](const auto &entry) { return llvm::StringRef(GetParam()).contains(entry.first); });
  EXPECT_EQ(misbehaviour(parsed.kernel(), 20).empty(), isUnseen);
}

TEST_P(TwinTest, HoldsUnderAllSeeds) {
  Parsed parsed(read("faults/" + GetParam()));
  ASSERT_TRUE(parsed.module) << parsed.problems;
  EXPECT_EQ(misbehaviour(parsed.kernel(), 20), "");
}

TEST(FaultFiles, EachHasATwin) {
  std::vector<std::string> faults = faultFiles(false), twins = faultFiles(true);
  EXPECT_GE(faults.size(), 40u);
  for (std::string &name : faults) {
    name.insert(name.size() - 5, ".ok");
  }
  EXPECT_EQ(faults, twins);
}

INSTANTIATE_TEST_SUITE_P(Faults, FaultTest, ::testing::ValuesIn(faultFiles(false)), nameOf);
INSTANTIATE_TEST_SUITE_P(Twins, TwinTest, ::testing::ValuesIn(faultFiles(true)), nameOf);

//===----------------------------------------------------------------------===//
// Worked forms
//===----------------------------------------------------------------------===//

class GoldenTest : public ::testing::TestWithParam<const char *> {};

TEST_P(GoldenTest, HoldsUnderTheAdversary) {
  Parsed parsed(sealtest::read(std::string("golden/") + GetParam()));
  ASSERT_TRUE(parsed.module) << parsed.problems;
  EXPECT_EQ(misbehaviour(parsed.kernel(), workedExtents(), 2), "");
}

INSTANTIATE_TEST_SUITE_P(Forms, GoldenTest,
                         ::testing::Values("softmax_sm80.mlir", "gemm_sm80.mlir",
                                           "attention_sm80.mlir", "gemm_sm90.mlir"),
                         [](const auto &info) {
                           return std::string(info.param, std::strchr(info.param, '.'));
                         });
