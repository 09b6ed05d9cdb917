// Thread numbers, barriers, shuffles, groups of copies: the PTX of each marker, assembled for every target.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PTXTesting.h"

using namespace tessera::ptx;
using namespace tessera::ptx::testing;

namespace {
struct Case {
  const char *name, *body, *declarations;
  std::vector<std::string> lines;
};

class ThreadMarkers : public ::testing::TestWithParam<Case> {};

TEST_P(ThreadMarkers, Text) {
  for (Arch arch : allArchs) {
    std::string text = emitText(kernel(GetParam().body, GetParam().declarations), arch);
    EXPECT_TRUE(hasInOrder(text, GetParam().lines));
    EXPECT_TRUE(assembles(text, arch)) << name(arch).str();
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, ThreadMarkers,
    ::testing::Values(
        Case{"tid",
             "%v = call i32 @tessera.tid()\nstore i32 %v, ptr addrspace(1) %g",
             "declare i32 @tessera.tid()",
             {"mov\\.u32 %r[0-9]+, %tid\\.x;", "st\\.global"}},
        Case{"ctaid",
             "%v = call i32 @tessera.ctaid()\nstore i32 %v, ptr addrspace(1) %g",
             "declare i32 @tessera.ctaid()",
             {"%ctaid\\.x;"}},
        Case{"nctaid",
             "%v = call i32 @tessera.nctaid()\nstore i32 %v, ptr addrspace(1) %g",
             "declare i32 @tessera.nctaid()",
             {"%nctaid\\.x;"}},
        Case{"bar_cta",
             "call void @tessera.bar.cta()",
             "declare void @tessera.bar.cta()",
             {"bar(rier)?(\\.cta)?\\.sync(\\.aligned)? 0;"}},
        Case{"bar_named",
             "call void @tessera.bar.named(i32 3, i32 64)",
             "declare void @tessera.bar.named(i32, i32)",
             {"bar(rier)?(\\.cta)?\\.sync(\\.aligned)? 3, 64;"}},
        Case{"bar_warp",
             "call void @tessera.bar.warp()",
             "declare void @tessera.bar.warp()",
             {"bar\\.warp\\.sync (-1|0xffffffff);"}},
        Case{"bfly",
             "%v = call i32 @tessera.shfl.bfly(i32 %i, i32 4)\nstore i32 %v, ptr addrspace(1) %g",
             "declare i32 @tessera.shfl.bfly(i32, i32)",
             {"shfl\\.sync\\.bfly\\.b32 %r[0-9]+, %r[0-9]+, 4, 31, -1;"}},
        Case{"idx",
             "%v = call i32 @tessera.shfl.idx(i32 %i, i32 0)\nstore i32 %v, ptr addrspace(1) %g",
             "declare i32 @tessera.shfl.idx(i32, i32)",
             {"shfl\\.sync\\.idx\\.b32 %r[0-9]+, %r[0-9]+, 0, 31, -1;"}},
        Case{"cp",
             "call void @tessera.cp.commit()\ncall void @tessera.cp.wait(i32 2)",
             "declare void @tessera.cp.commit()\ndeclare void @tessera.cp.wait(i32)",
             {"cp\\.async\\.commit_group;", "cp\\.async\\.wait_group 2;"}},
        Case{"trap",
             "call void @tessera.trap(ptr @text)",
             "@text = private constant [4 x i8] c\"bad\\00\"\ndeclare void @tessera.trap(ptr)",
             {"trap;"}}),
    [](const auto &info) { return std::string(info.param.name); });

TEST(ThreadMarkers, AssertsLeaveNothing) {
  std::string text = emitText(kernel("call void @tessera.assert(i1 %p, ptr @text)",
                                     "@text = private constant [14 x i8] c\"must not stay\\00\"\n"
                                     "declare void @tessera.assert(i1, ptr)"));
  EXPECT_THAT(text, ::testing::Not(::testing::HasSubstr("assert")));
  EXPECT_THAT(text, ::testing::Not(::testing::HasSubstr(".b8 ")));
}

/// The range of thread numbers saves the comparison.
TEST(ThreadMarkers, ThreadNumbersHaveARange) {
  std::string text = emitText(kernel("%v = call i32 @tessera.tid()\n"
                                     "%q = icmp ult i32 %v, 128\n"
                                     "%w = zext i1 %q to i32\n"
                                     "store i32 %w, ptr addrspace(1) %g",
                                     "declare i32 @tessera.tid()"));
  EXPECT_THAT(text, ::testing::Not(::testing::HasSubstr("setp")));
}

/// A value is not read before the barrier that orders it.
TEST(ThreadMarkers, LoadsStayBehindBarriers) {
  std::string text = emitText(
      kernel("store i32 1, ptr addrspace(3) @tessera.smem\ncall void @tessera.bar.cta()\n"
             "%v = load i32, ptr addrspace(3) @tessera.smem\nstore i32 %v, ptr addrspace(1) %g",
             "declare void @tessera.bar.cta()"));
  EXPECT_TRUE(hasInOrder(text, {"st\\.shared", "bar", "ld\\.shared", "st\\.global"}));
}

struct Wrong {
  const char *body, *declarations, *says;
};

TEST(ThreadMarkers, Errors) {
  const Wrong wrongs[] = {
      {"call void @tessera.bar.named(i32 16, i32 64)", "declare void @tessera.bar.named(i32, i32)",
       "`tessera.bar.named` names a barrier that no CTA has"},
      {"call void @tessera.bar.gpu()", "declare void @tessera.bar.gpu()", "is no barrier"},
      {"call void @tessera.cp.wait(i32 %i)", "declare void @tessera.cp.wait(i32)",
       "needs a constant number of groups"},
      {"call void @tessera.nothing()", "declare void @tessera.nothing()", "is not known"},
      {"call void @tessera.shfl.bfly(i32 1)", "declare void @tessera.shfl.bfly(i32)",
       "takes 2 operands, not 1"},
      {"store ptr @tessera.tid, ptr addrspace(1) %g", "declare i32 @tessera.tid()",
       "markers have no address"},
  };
  for (const Wrong &wrong : wrongs) {
    std::string text = emitText(kernel(wrong.body, wrong.declarations));
    EXPECT_THAT(text, ::testing::StartsWith("error: "));
    EXPECT_THAT(text, ::testing::HasSubstr(wrong.says));
  }
}
} // namespace
