// Rings and sections in order of the program; tasks.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ScheduleKernels.h"

using namespace tessera;
using namespace tessera::interptest;

namespace {
/// A body over a ring %r of 2 slots of buf %a, with x and y of 8 elements and spans of 4.
Outcome overRing(const std::string &body, const std::string &protocol = "mbarrier") {
  Schedule schedule{
      {{"x", "?xf32", arrayOf(DType::f32, {8}, numbers(8))}}, {{"y", "?xf32", {8}}}, ""};
  return run(schedule.with(R"(
    %c0 = tile.constant 0 : i64
    %c4 = tile.constant 4 : i64
    %c8 = tile.constant 8 : i64
    %k = tile.span %c0, %c8 : !tile.span<4>
    %k1 = tile.span %c4, %c8 : !tile.span<4>
    %a = tile.alloc : !tile.buf<4xf32, shared, slots = 2>
    %r = tile.ring %a protocol )" +
                           protocol +
                           R"( : !tile.buf<4xf32, shared, slots = 2> -> !tile.ring<2>
)" + body));
}
std::string fill(const std::string &slot, const std::string &span) {
  return "%" + slot + " = tile.acquire %r : !tile.ring<2>\ntile.copy %x[%" + span +
         "] to %a slot %" + slot +
         " fill zero : !tile.view<?xf32, in>, !tile.span<4> to !tile.buf<4xf32, shared, slots = "
         "2>\n"
         "tile.commit %r : !tile.ring<2>\n";
}
std::string readSlot(const std::string &slot, const std::string &span) {
  return "%t" + slot + " = tile.read %a slot %" + slot + " span[%" + span +
         "] : !tile.buf<4xf32, shared, slots = 2>, !tile.span<4> -> tensor<4xf32>\n";
}
std::string use(const std::string &slot, const std::string &span) {
  return "%" + slot + " = tile.await %r : !tile.ring<2>\n" + readSlot(slot, span) +
         "tile.release %r : !tile.ring<2>\ntile.store %t" + slot + ", %y[%" + span +
         "] : tensor<4xf32>, !tile.view<?xf32, out>, !tile.span<4>\n";
}
void expectCode(const Outcome &outcome, const std::string &code, const std::string &words) {
  ASSERT_EQ(codes(outcome.report.errors), std::vector<std::string>{code})
      << explain(outcome.report);
  EXPECT_NE(outcome.report.errors[0].message.find(words), std::string::npos)
      << outcome.report.errors[0].message;
}
} // namespace

TEST(Ring, TheNthAwaitGetsTheNthFilled) {
  Outcome found = overRing(fill("s", "k") + fill("s1", "k1") + use("u", "k") + use("u1", "k1"));
  ASSERT_TRUE(found.report.succeeded()) << explain(found.report);
  EXPECT_TRUE(same(found.values, numbers(8)));
}

TEST(Ring, FullAndEmpty) {
  expectCode(overRing(fill("s", "k") + fill("s1", "k") + fill("s2", "k")), "T1150",
             "2 of its 2 slots are in use (2 acquired, 0 free again)");
  expectCode(overRing(use("u", "k")), "T1151", "0 committed, 0 awaited");
  expectCode(overRing(fill("s", "k") + use("u", "k") + use("u1", "k")), "T1151",
             "1 committed, 1 awaited");
  EXPECT_TRUE(overRing(fill("s", "k") + use("u", "k") + fill("s1", "k1") + use("u1", "k1"))
                  .report.succeeded());
}

TEST(Ring, NothingIsLeft) {
  expectCode(overRing(fill("s", "k") + fill("s1", "k1") + use("u", "k")), "T1152",
             "1 filled slots left when the CTA ends: 2 committed, 1 awaited");
}

TEST(Ring, SlotsAreUsedWhileTheyAreHeld) {
  expectCode(overRing(fill("s", "k") + readSlot("s", "k")), "T1153", "slot 0");
  expectCode(overRing(fill("s", "k") + use("u", "k") + edit(readSlot("u", "k"), "%tu", "%again")),
             "T1153", "slot 0");
}

TEST(Ring, AReusedSlotHoldsNothing) {
  const std::string partly = R"(
    %s2 = tile.acquire %r : !tile.ring<2>
    tile.commit %r : !tile.ring<2>
)";
  expectCode(overRing(fill("s", "k") + use("u", "k") + fill("s1", "k1") + use("u1", "k1") + partly +
                      use("u2", "k")),
             "T1154", "since its slot was acquired again");
}

TEST(Ring, AStoreRingDrainsItself) {
  // Nobody awaits: a filled slot of a bulk ring is free when its stores are done, and here they are at once.
  const std::string stores = fill("s", "k") + fill("s1", "k1") + fill("s2", "k");
  EXPECT_TRUE(overRing(stores, "bulk").report.succeeded());
  expectCode(overRing(stores, "mbarrier"), "T1150", "");
  expectCode(overRing(fill("p", "k") + use("u", "k") + stores, "bulk"), "T1150", "");
}

TEST(Sections, InOrderTheyAreTheBody) {
  for (auto [scheduled, plain] :
       {std::pair(pipelinedGemm(), plainGemm()), std::pair(rolesGemm(), plainGemm()),
        std::pair(pipelinedAttention(), plainAttention())}) {
    Outcome expected = run(plain), found = run(scheduled);
    ASSERT_TRUE(expected.report.succeeded()) << explain(expected.report);
    ASSERT_TRUE(found.report.succeeded()) << explain(found.report);
    EXPECT_TRUE(same(found.values, expected.values));
  }
}

TEST(Tasks, GroupedOrder) {
  std::string printed;
  llvm::raw_string_ostream os(printed);
  TestKernel kernel;
  RunOptions options;
  options.print = &os;
  RunReport report = kernel.with(options).run(R"(
    %c0 = tile.constant 0 : i64
    %c3 = tile.constant 3 : i64
    %c2 = tile.constant 2 : i64
    tile.tasks (%m = range(%c0 to %c3), %n = range(%c0 to %c2)) grouped 2 {
      %c10 = tile.constant 10 : i64
      %t = tile.mul %m, %c10 : i64
      %p = tile.add %t, %n : i64
      tile.print "p", %p : i64
    })");
  ASSERT_TRUE(report.succeeded()) << explain(report);
  EXPECT_EQ(report.counters.points, 6u);
  std::vector<std::string> order;
  for (llvm::StringRef rest = printed; !rest.empty();) {
    auto [line, more] = rest.split('\n');
    order.push_back(line.rsplit("= ").second.str());
    rest = more;
  }
  EXPECT_EQ(order, (std::vector<std::string>{"0", "10", "1", "11", "20", "21"}));
  EXPECT_NE(printed.find("axis0 = 2"), std::string::npos);
}

TEST(Tasks, MemoryAndRingsLastFromTaskToTask) {
  // Two tasks, one slot each: the third acquire is the first slot's again, in the CTA that ran both.
  const std::string body =
      R"(
    tile.tasks (%i = range(%c0 to %c4)) {
)" + fill("s", "k") +
      edit(use("u", "k"),
           "tile.store %tu, %y[%k] : tensor<4xf32>, !tile.view<?xf32, out>, !tile.span<4>\n", "") +
      "}\n";
  EXPECT_TRUE(overRing(body).report.succeeded());
  expectCode(overRing("tile.tasks (%i = range(%c0 to %c4)) {\n" + fill("s", "k") + "}\n"), "T1150",
             "");
}
