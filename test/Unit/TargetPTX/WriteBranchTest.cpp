// The writer's branches: where copies of phis stand, cycles among them, loops that stay loops, blocks hardly ever entered.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "WriterTesting.h"

using namespace tessera::ptx;
using namespace tessera::ptx::testing;

namespace {
std::string checked(const std::string &body, const std::string &declarations = "") {
  std::string text = writeText(plain(body, declarations));
  EXPECT_TRUE(assembles(text, Arch::sm_90a));
  return text;
}
} // namespace

/// The way back has one jump: nobody reads the old value behind the loop.
TEST(WriteBranch, WayBack) {
  std::string loop =
      "br label %loop\nloop:\n%k = phi i32 [ 0, %0 ], [ %next, %loop ]\n%next = add i32 %k, 1\n"
      "store i32 %k, ptr addrspace(1) %g\n%more = icmp slt i32 %next, %i\n"
      "br i1 %more, label %loop, label %done\ndone:\n";
  EXPECT_TRUE(
      hasInOrder(checked(loop), {"mov\\.b32 (%r\\d+), 0;", "BB0_1:", "setp\\.lt",
                                 "mov\\.b32 %r\\d+, %r\\d+;", "@%p\\d+ bra \\$L__BB0_1;", "ret;"}));
  // Read behind the loop, it must still be there on the way out.
  EXPECT_TRUE(hasInOrder(checked(loop + "store i32 %k, ptr addrspace(1) %c"),
                         {"BB0_1:", "@!%p\\d+ bra \\$L__BB0_2;", "mov\\.b32",
                          "bra\\.uni \\$L__BB0_1;", "BB0_2:", "st\\."}));
}

/// What becomes a phi alone is made in its register, on each way.
TEST(WriteBranch, ValuesAreMadeInPlace) {
  std::string text = checked(
      "%x = fmul float %f, %f2\n%t = bitcast float %x to i32\nbr i1 %p, label %slow, label %done\n"
      "slow:\n%y = mul i32 %i, 7\nbr label %done\n"
      "done:\n%v = phi i32 [ %t, %0 ], [ %y, %slow ]\nstore i32 %v, ptr addrspace(1) %g");
  EXPECT_TRUE(hasInOrder(text, {"mul\\.rn\\.f32 (%r\\d+),", "mul\\.lo\\.s32 <1>,",
                                "st\\.global\\.b32 \\[%rd\\d+\\], <1>;"}));
  EXPECT_THAT(text, ::testing::Not(::testing::HasSubstr("mov.b32")));
}

/// Near misses: another user, a way back, another value that is made while the first one waits.
TEST(WriteBranch, ValuesThatMustWait) {
  std::string text =
      checked("%x = mul i32 %i, 3\nbr i1 %p, label %slow, label %done\n"
              "slow:\n%y = mul i32 %x, 7\nbr label %done\n"
              "done:\n%v = phi i32 [ %x, %0 ], [ %y, %slow ]\nstore i32 %v, ptr addrspace(1) %g");
  EXPECT_THAT(text, ::testing::HasSubstr("mov.b32"));
  text = checked("br label %loop\nloop:\n%k = phi i32 [ %i, %0 ], [ %x, %loop ]\n%x = mul i32 %k, "
                 "3\nstore i32 %k, ptr addrspace(1) %g\n"
                 "br i1 %p, label %loop, label %done\ndone:");
  EXPECT_THAT(text, ::testing::HasSubstr("mov.b32"));
  // Bits that are held otherwise have no text at all, whoever waits.
  text = writeText(plain(
      "%x = mul i64 %n, 3\n%t = bitcast i64 %x to <2 x i32>\nbr i1 %p, label %slow, label %done\n"
      "slow:\nbr label %done\n"
      "done:\n%v = phi <2 x i32> [ %t, %0 ], [ zeroinitializer, %slow ]\nstore <2 x i32> %v, ptr "
      "addrspace(1) %g"));
  EXPECT_EQ(text.find("error: bits between words"), 0u) << text;
  // `%x` waits for the second way to `done` while `%y` is made, which goes there on the third.
  text = checked("%x = mul i32 %i, 3\nbr i1 %p, label %slow, label %done\n"
                 "slow:\n%y = mul i32 %i, 7\nbr i1 %q, label %done, label %last\n"
                 "last:\nbr label %done\n"
                 "done:\n%v = phi i32 [ %x, %0 ], [ %y, %slow ], [ %x, %last ]\nstore i32 %v, ptr "
                 "addrspace(1) %g");
  std::smatch match;
  ASSERT_TRUE(std::regex_search(text, match, std::regex("mul\\.lo\\.s32\\s+(%r\\d+), %r1, 3;")))
      << text;
  std::string first = match[1];
  ASSERT_TRUE(std::regex_search(text, match, std::regex("mul\\.lo\\.s32\\s+(%r\\d+), %r1, 7;")))
      << text;
  EXPECT_NE(first, match[1].str()) << text;
}

/// `%x` waits in the register of the phi until `last`, so what another way brings there is copied behind the branch.
TEST(WriteBranch, CopiesDoNotMeetWhatWaits) {
  std::string body = "%x = mul i32 %i, 3\nbr i1 %p, label %mid, label %done\n"
                     "mid:\nbr i1 %q, label %done, label %last\n"
                     "last:\nstore i32 1, ptr addrspace(1) %g\nbr label %done\n"
                     "done:\n%v = phi i32 [ 77, %mid ], [ %x, %last ], [ %x, %0 ]\nstore i32 %v, "
                     "ptr addrspace(1) %c";
  std::string text = checked(body);
  EXPECT_TRUE(hasInOrder(text, {"mul\\.lo\\.s32 (%r\\d+),", "bra", "bra", "mov\\.b32 <1>, 77;"}))
      << text;
}

/// Both ways have copies: one of them has a block of the edge's own.
TEST(WriteBranch, CopiesOnBothWays) {
  std::string text = checked(
      "br i1 %p, label %one, label %two\none:\n%x = phi i32 [ 1, %0 ], [ 2, %two ]\n"
      "store i32 %x, ptr addrspace(1) %g\nbr label %done\n"
      "two:\n%y = phi i32 [ 3, %0 ]\nstore i32 %y, ptr addrspace(1) %c\nbr label %one\ndone:\n");
  EXPECT_TRUE(hasInOrder(text, {"@%p\\d+ bra \\$L__edge0_0;", "mov\\.b32 %r\\d+, 3;", "bra\\.uni",
                                "\\$L__edge0_0:", "mov\\.b32 %r\\d+, 1;"}));
}

/// Values that change places need a further register; one that several read is written when all have it.
TEST(WriteBranch, CopiesAtOnce) {
  std::string text =
      checked("br label %loop\nloop:\n%x = phi i32 [ 1, %0 ], [ %y, %loop ]\n%y = phi i32 [ 2, %0 "
              "], [ %x, %loop ]\n"
              "%c1 = phi i32 [ 3, %0 ], [ %x, %loop ]\nstore i32 %x, ptr addrspace(1) %g\n"
              "store i32 %c1, ptr addrspace(1) %g\n%more = icmp slt i32 %x, %i\nbr i1 %more, label "
              "%loop, label %done\ndone:");
  std::smatch match;
  ASSERT_TRUE(std::regex_search(text, match, std::regex("setp[^;]*;\\s*([^@]*)@"))) << text;
  // Runs the copies: a, b, c1 are 1, 2, 3 and must be 2, 1, 1.
  std::map<std::string, int> registers;
  std::smatch first;
  std::string copies = match[1], inits = text.substr(0, match.position(0));
  std::vector<std::string> names;
  std::regex constant("mov\\.b32\\s+(%r\\d+), (\\d+);");
  for (std::sregex_iterator it(inits.begin(), inits.end(), constant), end; it != end; ++it) {
    registers[(*it)[1]] = std::stoi((*it)[2]);
    names.push_back((*it)[1]);
  }
  ASSERT_EQ(names.size(), 3u) << text;
  std::regex copy("mov\\.b32\\s+(%r\\d+), (%r\\d+);");
  for (std::sregex_iterator it(copies.begin(), copies.end(), copy), end; it != end; ++it) {
    ASSERT_TRUE(registers.count((*it)[2])) << text;
    registers[(*it)[1]] = registers[(*it)[2]];
  }
  EXPECT_EQ(registers[names[0]], 2) << text;
  EXPECT_EQ(registers[names[1]], 1) << text;
  EXPECT_EQ(registers[names[2]], 1) << text;
}

/// ptxas is told of the loop's first block, not of the one behind the loop.
TEST(WriteBranch, LoopsThatStayLoops) {
  std::string body =
      "br label %loop\nloop:\n%k = phi i32 [ 0, %0 ], [ %next, %loop ]\n%next = add i32 %k, 1\n"
      "store i32 %k, ptr addrspace(1) %g\n%more = icmp slt i32 %next, 4\nbr i1 %more, label %loop, "
      "label %done";
  std::string kept = checked(body + ", !llvm.loop !0\ndone:\n",
                             "!0 = distinct !{!0, !1}\n!1 = !{!\"llvm.loop.unroll.disable\"}\n");
  EXPECT_TRUE(hasInOrder(kept, {"BB0_1:", "\\.pragma \"nounroll\";", "bra"}));
  EXPECT_EQ(kept.find("nounroll"), kept.rfind("nounroll"));
  EXPECT_THAT(checked(body + "\ndone:\n"), ::testing::Not(::testing::HasSubstr("nounroll")));
}

TEST(WriteBranch, RareBlocksStandBehind) {
  std::string body = "br i1 %p, label %rare, label %often";
  std::string rest = "\nrare:\nstore i32 1, ptr addrspace(1) %g\nbr label %often\noften:\nstore "
                     "i32 2, ptr addrspace(1) %g\n";
  EXPECT_TRUE(hasInOrder(
      checked(body + ", !prof !0" + rest, "!0 = !{!\"branch_weights\", i32 1, i32 2000}\n"),
      {"@%p\\d+ bra", "mov\\.b32 %r\\d+, 2;", "ret;", "mov\\.b32 %r\\d+, 1;"}));
  EXPECT_TRUE(
      hasInOrder(checked(body + ", !prof !0" + rest, "!0 = !{!\"branch_weights\", i32 1, i32 2}\n"),
                 {"@!%p\\d+ bra", "mov\\.b32 %r\\d+, 1;", "mov\\.b32 %r\\d+, 2;", "ret;"}));
}

TEST(WriteBranch, Switch) {
  std::string text =
      checked("switch i32 %i, label %other [ i32 3, label %a\ni32 5, label %a ]\na:\n"
              "%x = phi i32 [ 1, %0 ], [ 1, %0 ]\nstore i32 %x, ptr addrspace(1) %g\nbr label "
              "%other\nother:\n");
  EXPECT_TRUE(hasInOrder(text, {"setp\\.ne\\.b32 (%p\\d+), %r\\d+, 3;", "@%p\\d+ bra",
                                "mov\\.b32 %r\\d+, 1;", "bra\\.uni",
                                "setp\\.ne\\.b32 %p\\d+, %r\\d+, 5;"}));
}

/// Values are written before they are read, whatever order the blocks have.
TEST(WriteBranch, OrderOfBlocks) {
  std::string text = checked("br label %first\nlast:\nstore i32 %x, ptr addrspace(1) %g\nret "
                             "void\nfirst:\n%x = add i32 %i, 1\n"
                             "br i1 %p, label %last, label %end\nend:\n");
  EXPECT_EQ(text.find("error: "), std::string::npos) << text;
}
