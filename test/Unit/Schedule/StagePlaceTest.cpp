// stage: where the write to memory stands.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "MemoryTesting.h"

using namespace tessera;
using namespace tessera::testing;

// A tile that all points use is written by each to memory of its own.
TEST(Stage, WhatIsMadeBeforeTheGrid) {
  const char *kernel = R"(
kernel outside(x: in view<[M, N], f32>, w: in view<[64], f32>, y: out view<[M, N], f32>)
{
    let u = w[:] * 2.0
    grid r in tiles(M, 8), c in tiles(N, 64)
    y[r, c] = x[r, c] * u[_, :]
}
)";
  Scheduled done(kernel, "let s = stage(op(`expand(_)`).x, shared)\nauto_sync(self)\nseal(self)");
  expectSame(done, {{{"M", 17}, {"N", 70}}, {{"M", 1}, {"N", 0}}});
  EXPECT_GT(done.ir.find("tile.write"), done.ir.find("tile.grid")) << done.ir;
  expectSealed(done.ir, {{{"M", 17}, {"N", 70}}});
}
