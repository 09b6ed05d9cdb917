// roles.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "MemoryTesting.h"

using namespace tessera;
using namespace tessera::testing;
using ::testing::HasSubstr;

static const std::vector<Extents> sizes = {{{"M", 17}, {"N", 9}, {"K", 70}},
                                           {{"M", 1}, {"N", 1}, {"K", 0}}};

static const char *const ready = "let t = persistent(self)\nlet mm = def(acc), k = loop(k)\n"
                                 "let A = stage(mm.a, shared), B = stage(mm.b, shared)\n"
                                 "let s = sections(k, {load: [A.copy, B.copy], use: rest})\n"
                                 "ring([A.buf, B.buf], 3, protocol = mbarrier)\n";

static std::string after(const char *a, const char *b) { return std::string(a) + b; }
static const Scheduled::Options sm90{"sm_90", {}, true, {}};

TEST(Roles, APproducerAndAConsumer) {
  Scheduled done(
      kSmallProduct,
      after(ready,
            "let r = roles({producer: [load], consumer: rest}, warps = {producer: 4, consumer: 8}, "
            "regs = {producer: 40, consumer: 232})\nprint r.prologue; print r.epilogue"),
      sm90);
  expectSame(done, sizes);
  EXPECT_THAT(done.ir, HasSubstr("tile.section @load lead 2 role @producer {"));
  EXPECT_THAT(done.ir, HasSubstr("tile.section @use role @consumer"));
  EXPECT_THAT(done.ir, HasSubstr("tile.section @epilogue role @consumer"));
  EXPECT_THAT(done.ir, HasSubstr("tile.warps = 12"));
  EXPECT_THAT(done.ir, HasSubstr("regs = 232"));
  EXPECT_EQ(done.printed, "section prologue\nsection epilogue\n");
  EXPECT_THAT(done.report, HasSubstr("4*32*40 + 8*32*232 = 64512"));
  expectSealed(done.ir, {{{"M", 17}, {"N", 9}, {"K", 70}}}, "sm_90");
}

TEST(Roles, SectionsByCursor) {
  Scheduled done(
      kSmallProduct,
      after(ready,
            "self.roles({p: [s.load], c: [s.use], other: rest}, warps = {p: 1, c: 2, other: 1})"));
  EXPECT_THAT(done.errors, HasSubstr("would pass from role `other`"))
      << "the sum passes from c to other";
}

//===-- Refused ----------------------------------------------------------------------------------------------------===//

static const char *const call =
    "roles({producer: [load], consumer: rest}, warps = {producer: 4, consumer: 8})";

TEST(Roles, ATilePassesInRegisters) {
  expectRefused(
      kSmallProduct, "persistent(self)\nsections(loop(k), {load: [load(a), load(b)], use: rest})",
      call, "roles_value",
      "would pass from role `producer` (`section load`) to role `consumer` (`section use`)");
}

TEST(Roles, MemoryWithoutARing) {
  expectUnsafe(
      kSmallProduct,
      "persistent(self)\nlet mm = def(acc)\nlet A = stage(mm.a, shared), B = stage(mm.b, shared)\n"
      "sections(loop(k), {load: [A.copy, B.copy], use: rest})",
      call, "roles_memory", "neither waits for the other", 2);
}

TEST(Roles, ABarrierOfTheCta) {
  expectRefused(kSmallProduct, after(ready, "insert_barrier(mm.before, cta)"), call,
                "roles_barrier", "would stand in role `consumer`");
  // One that orders the copies of one role and the reads of the other.
  expectUnsafe(kSmallProduct,
               "persistent(self)\nlet mm = def(acc)\nlet A = stage(mm.a, shared)\n"
               "sections(loop(k), {load: [A.copy], use: rest})\n"
               "insert_barrier(A.copy.before, cta)\ninsert_barrier(A.copy.after, cta)",
               call, "roles_barrier", "would stand in role `producer`");
}

TEST(Roles, ARingOfBarriers) {
  for (const char *protocol : {"cta_sync", "cp_async"}) {
    std::string barriers = ready;
    barriers.replace(barriers.find("mbarrier"), strlen("mbarrier"), protocol);
    expectUnsafe(kSmallProduct, barriers, call, "roles_protocol",
                 "would be filled by role `producer` (`section load`) and used by role `consumer` "
                 "(`section use`), and its protocol `" +
                     std::string(protocol) + "` hands slots over by a barrier",
                 2);
    EXPECT_EQ(Scheduled(kSmallProduct, barriers + call).help,
              "make the ring with `protocol = mbarrier`");
    // One role that has both sides is the same threads.
    Scheduled one(kSmallProduct, barriers + "roles({all: rest}, warps = {all: 4})", sm90);
    EXPECT_EQ(one.errors, "");
    expectSame(one, sizes);
    expectSealed(one.ir, {{{"M", 17}, {"N", 9}, {"K", 70}}}, "sm_90");
  }
}

TEST(Roles, BesideSectionsInAGrid) {
  std::string grid = ready;
  grid = grid.substr(grid.find('\n') + 1);
  expectRefused(kSmallProduct, grid, call, "roles_beside", "would be run by all roles");
}

TEST(Roles, UnderACondition) {
  const char *kernel = R"(
kernel guarded(x: in view<[N], f32>, y: out view<[N], f32>)
{
    grid g in 0..1
    if N > 8 {
        for i in tiles(N, 4) { y[i] = x[i] }
    }
})";
  expectRefused(kernel, "sections(loop(i), {all: rest})", "roles({all: rest}, warps = {all: 4})",
                "roles_place", "which roles do not run alike");
}

TEST(Roles, WithoutSections) {
  expectRefused(kSmallProduct, "", "roles({all: rest}, warps = {all: 4})", "roles_sections",
                "has no sections");
}

TEST(Roles, Twice) {
  expectRefused(kSmallProduct, after(ready, call), call, "roles_twice", "has roles already");
}

TEST(Roles, ASectionInASection) {
  // The tasks are cut, too: who does not run the outer section never comes to the inner ones.
  std::string cut = ready;
  cut.insert(cut.find("let s = "), "let o = sections(t, {all: rest})\n");
  expectRefused(kSmallProduct, cut,
                "roles({producer: [load, o.all], consumer: [s.use]}, "
                "warps = {producer: 4, consumer: 8})",
                "roles_nested", "of role `consumer` stands in");
  // What is not named has the role of the section around it.
  Scheduled done(kSmallProduct, cut + "let r = roles({one: [o.all], other: rest}, warps = {one: 4, "
                                      "other: 4})");
  expectSame(done, sizes);
  EXPECT_EQ(count(done.ir, "role @one"), 3u);
}

TEST(Roles, ALoopAroundTheOneThatIsCut) {
  std::string cut = ready;
  const std::string whole = "let s = sections(k,";
  cut.replace(cut.find(whole), whole.size(),
              "let both = split(k, 2)\nlet s = sections(both.inner,");
  expectRefused(kSmallProduct, cut, call, "roles_around", "is around the loop that is cut");
}

TEST(Roles, ForgottenSections) {
  expectRefused(kSmallProduct, ready, "roles({producer: [load]}, warps = {producer: 4})",
                "roles_missing", "`section use` is in no role");
}

TEST(Roles, NamedTwice) {
  expectRefused(kSmallProduct, ready,
                "roles({a: [load], b: [load], c: rest}, warps = {a: 1, b: 1, c: 1})",
                "roles_shared", "in the roles `a` and `b`");
}

TEST(Roles, TwoRests) {
  expectRefused(kSmallProduct, ready, "roles({a: rest, b: rest}, warps = {a: 1, b: 1})",
                "roles_rest", "both have all");
}

TEST(Roles, WarpsOfEach) {
  expectRefused(kSmallProduct, ready, "roles({a: [load], b: rest}, warps = {a: 4})", "roles_number",
                "role `b` has no warps");
  expectRefused(kSmallProduct, ready, "roles({a: [load], b: rest}, warps = {a: 4, b: 4, c: 4})",
                "roles_number", "there is no such role");
}

TEST(Roles, TooManyThreads) {
  expectRefused(kSmallProduct, ready, "roles({a: [load], b: rest}, warps = {a: 16, b: 24})",
                "roles_threads", "the roles have 1280 threads");
}

TEST(Roles, TooManyRegisters) {
  expectRefused(kSmallProduct, ready,
                "roles({a: [load], b: rest}, warps = {a: 4, b: 8}, regs = {a: 56, b: 232})",
                "roles_registers", "4*32*56 + 8*32*232 = 66560", sm90);
}

TEST(Roles, RegistersThatCannotBe) {
  expectRefused(kSmallProduct, ready,
                "roles({a: [load], b: rest}, warps = {a: 4, b: 8}, regs = {a: 30})", "roles_regs",
                "30 registers a thread", sm90);
  expectRefused(kSmallProduct, ready,
                "roles({a: [load], b: rest}, warps = {a: 4, b: 8}, regs = {a: 40})", "roles_regs",
                "cannot give roles registers");
  expectRefused(kSmallProduct, ready,
                "roles({a: [load], b: rest}, warps = {a: 2, b: 8}, regs = {a: 40})", "roles_regs",
                "whole groups of 4", sm90);
}

TEST(Roles, MoreWarpsThanTheRoleHas) {
  const char *small =
      "roles({producer: [load], consumer: rest}, warps = {producer: 4, consumer: 2})";
  expectRefused(kSmallProduct, after(ready, "bind(split(mm.m, 4).outer, warp)"), small,
                "roles_warps", "spread over 4 warps");
  expectUnsafe(kSmallProduct, after(ready, "bind(split(A.read.m, 4).outer, warp)"), small,
               "roles_warps", "spread over 4 warps");
}

TEST(Roles, MoreWarpsThanTheRoleHasAfterwards) {
  const std::string roles = after(
      ready, "roles({producer: [load], consumer: rest}, warps = {producer: 4, consumer: 4})\n");
  expectRefused(kSmallProduct, roles, "bind(mm.m, warp)", "place_role",
                "would be spread over 16 warps, and role `consumer` has 4");
  expectUnsafe(kSmallProduct, roles, "bind(A.read.m, warp)", "place_role",
               "would be spread over 16 warps, and role `consumer` has 4");
  Scheduled done(kSmallProduct, roles + "bind(split(mm.m, 4).outer, warp)");
  expectSame(done, sizes);
}
