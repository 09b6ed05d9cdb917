// insert_barrier, remove_barrier.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ScheduleTesting.h"

using namespace tessera;
using namespace tessera::testing;
using ::testing::HasSubstr;

TEST(Barrier, BeforeAndAfter) {
  Scheduled done(kRowsKernel, "print insert_barrier(load(x).after)");
  EXPECT_EQ(done.errors, "");
  EXPECT_EQ(done.printed, "barrier\n");
  size_t load = done.ir.find("tile.load"), barrier = done.ir.find("tile.barrier cta"),
         store = done.ir.find("tile.store");
  EXPECT_TRUE(load < barrier && barrier < store) << done.ir;
  EXPECT_THAT(done.report, HasSubstr("open     all threads of the cta reach the barrier"));
  Scheduled first(kRowsKernel, "insert_barrier(load(x).before, scope = warp)");
  EXPECT_LT(first.ir.find("tile.barrier warp"), first.ir.find("tile.load"));
}

TEST(Barrier, IsRemoved) {
  Scheduled done(kRowsKernel, "remove_barrier(insert_barrier(load(x).after))");
  EXPECT_EQ(done.errors, "");
  EXPECT_EQ(done.lines("tile.barrier"), "");
  EXPECT_THAT(done.report, HasSubstr("accesses on both sides of the removed barrier"));
}

TEST(Barrier, Refused) {
  expectRefused(kRowsKernel, "let b = load(x)", "remove_barrier(b)", "op_kind",
                "expected a barrier");
  expectRefused(kLoopsKernel, "bind(loop(u), warp)\nlet g = store(y).after",
                "insert_barrier(g, scope = cta)", "barrier_uniform",
                "not all threads of the cta come to the gap");
  Scheduled warp(kLoopsKernel, "bind(loop(u), warp)\ninsert_barrier(store(y).after, scope = warp)");
  EXPECT_EQ(warp.errors, "");
  expectRefused(kRowsKernel, "let g = load(x).parent.before", "insert_barrier(g)", "barrier_place",
                "outside of the grid");
}
