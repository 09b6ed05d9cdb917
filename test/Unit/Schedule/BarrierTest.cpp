// insert_barrier, weaken_barrier, remove_barrier.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "IRTesting.h"
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

TEST(Barrier, IsWeaker) {
  Scheduled done(kRowsKernel, "weaken_barrier(insert_barrier(load(x).after), warp)");
  EXPECT_EQ(done.errors, "");
  EXPECT_EQ(done.lines("tile.barrier"), "tile.barrier warp\n");
  EXPECT_THAT(done.report, HasSubstr("accesses on both sides of the weaker barrier"));
  const char *inserted = "let b = insert_barrier(load(x).after, scope = warp)";
  expectRefused(kRowsKernel, inserted, "weaken_barrier(b, warp)", "weaken_scope",
                "which is no more than the warp");
  expectRefused(kRowsKernel, inserted, "weaken_barrier(b, cta)", "weaken_scope", "one of the warp");
  expectRefused(kRowsKernel, "let b = load(x)", "weaken_barrier(b, warp)", "op_kind",
                "expected a barrier");
  // What a buf of the CTA needs is asked by `seal`.
  const char *staged = "let s = stage(op(`mul(_, _)`).lhs, shared)\n"
                       "let b = insert_barrier(s.read.before)\ninsert_barrier(s.read.after)\n";
  Scheduled enough(kRowsKernel, (std::string(staged) + "seal(self)").c_str());
  EXPECT_EQ(enough.errors, "");
  Scheduled less(kRowsKernel,
                 (std::string(staged) + "weaken_barrier(b, warp)\nseal(self)").c_str());
  EXPECT_THAT(less.errors, HasSubstr("`seal` refused"));
}

TEST(Barrier, Refused) {
  expectRefused(kRowsKernel, "let b = load(x)", "remove_barrier(b)", "op_kind",
                "expected a barrier");
  const char *kernel = R"(
kernel scaled(x: in view<[64, 32], f32>, y: out view<[64, 32], f32>, z: out view<[64, 32], f32>)
{
    grid g in 0..1
    for u in tiles(64, 8) { y[u, :] = x[u, :] * 2.0 }
    for w in tiles(64, 16) {
        let t = x[w, :] + 1.0
        z[w, :] = t
    }
}
)";
  const std::string bound = "bind(loop(u), warp)\nbind(loop(w), warp)\n";
  expectUnsafe(kernel, bound + "let g = store(z).after", "insert_barrier(g, scope = cta)",
               "barrier_uniform", "not all threads of the cta come to the gap");
  // A loop that has a step for each of the eight warps.
  Scheduled each(kernel, "bind(loop(u), warp)\nbind(split(def(t).w, 2).outer, warp)\n"
                         "insert_barrier(store(y).after, scope = cta)");
  EXPECT_EQ(each.errors, "");
  EXPECT_THAT(each.ir, HasSubstr("tile.warps = 8"));
  Scheduled warp(kLoopsKernel, "bind(loop(u), warp)\ninsert_barrier(store(y).after, scope = warp)");
  EXPECT_EQ(warp.errors, "");
  expectRefused(kRowsKernel, "let g = load(x).parent.before", "insert_barrier(g)", "barrier_place",
                "outside of the grid");
  OnIR on(each.ir);
  EXPECT_THAT(on.call("insert_barrier", {on.host().self()}), HasSubstr("gap_kind: "));
  expectRefused(kernel, "let s = sections(loop(u), {all: rest})", "insert_barrier(s.all.before)",
                "barrier_beside", "beside sections");
  expectRefused(kernel, "let Y = stage(store(y).value, shared)\nelect(Y.copy)",
                "insert_barrier(Y.copy.before)", "barrier_inside", "what one thread");
}
