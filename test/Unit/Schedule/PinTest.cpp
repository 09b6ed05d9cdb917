// pin.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ScheduleTesting.h"

using namespace tessera;
using namespace tessera::testing;
using ::testing::HasSubstr;

TEST(Pin, WhatIsOpenRunsInRegisters) {
  Scheduled done(kRowsKernel, "let x = load(x)\nbind(split(x.c, 32).inner, lane)\npin(x)");
  EXPECT_EQ(done.errors, "");
  EXPECT_EQ(iterOf(done, "tile.load"), "d0 = reg 4, d1 = reg 128 * lane 32");
}

TEST(Pin, CursorsToFactorsLiveOn) {
  Scheduled done(kRowsKernel, "let x = load(x), s = split(x.c, 32)\npin(x)\nbind(s.inner, lane)");
  EXPECT_EQ(done.errors, "");
  EXPECT_EQ(iterOf(done, "tile.load"), "d0 = reg 4, d1 = reg 128 * lane 32");
}

TEST(Pin, LikeAnotherOp) {
  Scheduled done(kRowsKernel, "let x = load(x)\nbind(x.r, warp); bind(split(x.c, 32).inner, lane)\n"
                              "pin(store(y), like = x)");
  EXPECT_EQ(done.errors, "");
  EXPECT_EQ(iterOf(done, "tile.store"), "d0 = warp 4, d1 = open 128 * lane 32");
  EXPECT_THAT(done.report, HasSubstr("instances of `store y` write different cells"));
}

TEST(Pin, Refused) {
  expectRefused(kRowsKernel, "", "pin(store(y), like = load(x))", "pin_like",
                "is not scheduled itself");
  expectRefused(kProductKernel, "bind(load(a).m, reg)", "pin(def(acc), like = load(a))", "pin_dims",
                "has no counterpart in `load a`");
  expectRefused(kLoopsKernel, "bind(store(y).u, warp)", "pin(store(y), like = store(s))",
                "pin_like", "is not scheduled itself");
}

TEST(Pin, OtherExtentsAreRefused) {
  const char *kernel = "kernel k(x: in view<[M, N], f32>, y: out view<[M], f32>) {\n"
                       "    grid r in tiles(M, 8)\n    let c = whole(N, width = 64)\n"
                       "    let t = x[r, c]\n    y[r] = sum(t, axis = 1)\n}\n";
  expectRefused(kernel, "bind(load(x).r, warp)", "pin(load(x), like = store(y))", "pin_like",
                "is not scheduled itself");
  expectRefused(kernel, "bind(store(y).r, warp)", "pin(load(x), like = store(y))", "pin_dims",
                "`load x.c` has no counterpart in `store y`");
}

TEST(Pin, WhatHasNoDims) {
  const char *kernel = "kernel k(x: in view<[8], f32>, y: out view<[8], f32>, s: f32) {\n"
                       "    grid g in 0..1\n    let t = s * 2.0\n"
                       "    y[:] = x[:] * broadcast(t, [8])\n}\n";
  expectRefused(kernel, "", "pin(def(t))", "pin_op", "has no dims");
}
