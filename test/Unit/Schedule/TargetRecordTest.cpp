// Targets.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tessera/Schedule/TargetRecord.h"

#include "gtest/gtest.h"

using tessera::schedule::TargetRecord;

TEST(TargetRecord, IsFoundByName) {
  EXPECT_EQ(TargetRecord::named("sm_80")->smem, 163 << 10);
  EXPECT_EQ(TargetRecord::named("sm_90a")->cluster, 8);
  EXPECT_EQ(TargetRecord::named("sm_90a")->suffix, 'a');
  EXPECT_FALSE(TargetRecord::named("sm_80a")) << "letters come with sm_90";
  for (const char *wrong : {"sm_42", "80", "sm_", "sm_90ab", "sm_90-", ""}) {
    EXPECT_FALSE(TargetRecord::named(wrong)) << wrong;
  }
}

TEST(TargetRecord, HasTheInstructionsOfOlderOnes) {
  TargetRecord hopper = *TargetRecord::named("sm_90"), own = *TargetRecord::named("sm_90a");
  EXPECT_TRUE(hopper.supports("sm_80"));
  EXPECT_TRUE(hopper.supports("sm_90"));
  EXPECT_FALSE(hopper.supports("sm_90a")) << "a letter belongs to one version with it";
  EXPECT_TRUE(own.supports("sm_90a"));
  EXPECT_FALSE(TargetRecord::named("sm_80")->supports("sm_90"));
  EXPECT_FALSE(TargetRecord::named("sm_100a")->supports("sm_90a"));
  EXPECT_FALSE(hopper.supports("nonsense"));
}
