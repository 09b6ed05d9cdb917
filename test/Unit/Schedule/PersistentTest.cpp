// persistent, order_tiles.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "IRTesting.h"
#include "MemoryTesting.h"

#include "tessera/Schedule/Replay.h"

using namespace tessera;
using namespace tessera::testing;
using ::testing::HasSubstr;

static const std::vector<Extents> sizes = {{{"M", 50}, {"N", 20}, {"K", 20}},
                                           {{"M", 1}, {"N", 1}, {"K", 0}}};

TEST(Persistent, PointsBecomeTasks) {
  Scheduled done(kSmallProduct, "let t = persistent(self, order = grouped(2))\nprint t");
  expectSame(done, sizes);
  EXPECT_THAT(done.lines("tile.tasks"), HasSubstr("grouped 2"));
  EXPECT_EQ(count(done.ir, "tile.grid"), 0u);
  EXPECT_EQ(done.printed, "tasks m, n\n");
  expectSealed(done.ir, sizes);
}

TEST(Persistent, MemoryBelongsToTheCta) {
  Scheduled done(kSmallProduct, "stage(def(acc).a, shared)\npersistent(self)\nauto_sync(self)");
  expectSame(done, sizes);
  EXPECT_LT(done.ir.find("tile.alloc"), done.ir.find("tile.tasks"));
  expectSealed(done.ir, sizes);
}

TEST(Persistent, ARingGoesOn) {
  Scheduled done(kSmallProduct,
                 "let A = stage(def(acc).a, shared), B = stage(def(acc).b, shared)\n"
                 "sections(loop(k), {load: [A.copy, B.copy], use: rest})\nring([A.buf, B.buf], 3)\n"
                 "persistent(self, order = row_major)\nauto_sync(self)");
  expectSame(done, sizes);
  EXPECT_LT(done.ir.find("tile.ring"), done.ir.find("tile.tasks"));
  expectSealed(done.ir, sizes);
}

TEST(Persistent, OldCursorsFollow) {
  Scheduled done(kSmallProduct,
                 "let g = loop(k).parent\npersistent(self)\nprint g\nsections(g, {all: rest})");
  EXPECT_EQ(done.errors, "");
}

TEST(Persistent, AnotherOrder) {
  Scheduled done(kSmallProduct, "persistent(self)\norder_tiles(self, grouped(4))");
  expectSame(done, sizes);
  EXPECT_THAT(done.lines("tile.tasks"), HasSubstr("grouped 4"));
  Scheduled back(kSmallProduct,
                 "persistent(self, order = grouped(4))\norder_tiles(self, row_major)");
  expectSame(back, sizes);
  EXPECT_EQ(count(back.ir, "grouped"), 0u);
}

//===-- Refused ----------------------------------------------------------------------------------------------------===//

TEST(Persistent, Twice) {
  expectRefused(kSmallProduct, "persistent(self)", "persistent(self)", "persistent_twice",
                "is persistent already");
}

TEST(Persistent, WithoutAGrid) {
  const char *kernel = R"(
kernel bare(x: in view<[4], f32>, y: out view<[4], f32>)
{
    y[:] = x[:] * 2.0
})";
  expectRefused(kernel, "", "persistent(self)", "persistent_grid", "has no grid");
}

TEST(Persistent, AnOrderThatIsNone) {
  expectRefused(kSmallProduct, "", "persistent(self, order = \"diagonal\")", "order_word",
                "is no order of tiles");
  expectRefused(kSmallProduct, "persistent(self)", "order_tiles(self, 3)", "order_word",
                "is no order of tiles");
}

TEST(Persistent, GroupsOfOneAxis) {
  expectRefused(kRowsKernel, "", "persistent(self, order = grouped(2))", "order_axes", "two axes");
  expectRefused(kRowsKernel, "persistent(self)", "order_tiles(self, grouped(2))", "order_axes",
                "two axes");
}

TEST(Persistent, AGridHasNoOrder) {
  expectRefused(kSmallProduct, "", "order_tiles(self, grouped(2))", "order_grid",
                "run in no order");
}

TEST(Persistent, NoGroups) {
  Scheduled done(kSmallProduct, "persistent(self, order = grouped(0))");
  EXPECT_THAT(done.errors, HasSubstr("groups of 0 steps"));
}

TEST(Persistent, WhatStandsBesideTheGrid) {
  OnIR on(R"(
tile.kernel @beside[%N "N"](%y "y": !tile.view<4xi32, inout> shape ()[s0] -> (4),
                            %z "z": !tile.view<?xi32, out> shape ()[s0] -> (s0)) body {
  %c0 = tile.constant 0 : i64
  %c3 = tile.constant 3 : i32
  %one = tile.constant 1 : i32 tensor<4xi32>
  tile.atomic add %one, %y[:] : tensor<4xi32>, !tile.view<4xi32, inout>
  tile.grid (%n = range(%c0 to %N)) {
    tile.store %c3, %z[%n] : i32, !tile.view<?xi32, out>, i64
  }
})",
          "sm_80", schedule::replayUnderAdversary);
  on.expectUnsafe("persistent", {on.host().self()}, "persistent_beside", "each CTA would run it");
}

TEST(Persistent, WhatAPointReadsItWrites) {
  // Believed: the read stands before the write. No run of it is right, so there is none to compare with.
  expectRefused(kSteps,
                "let X = stage(op(`mul(load(x, ..), _)`).lhs, shared)\n"
                "trust(\"moved\") { hoist(X.read, loop(n)) }",
                "persistent(self)", "persistent_memory", "before the point writes it");
}
