// overlay.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "IRTesting.h"
#include "MemoryTesting.h"

#include "tessera/Schedule/Replay.h"

using namespace tessera;
using namespace tessera::testing;
using ::testing::HasSubstr;

static const std::vector<Extents> sizes = {{{"M", 17}, {"N", 9}, {"K", 70}},
                                           {{"M", 1}, {"N", 1}, {"K", 0}}};

static const char *const staged =
    "let mm = def(acc), k = loop(k)\nlet C = stage(store(d).value, shared)\n"
    "let A = stage(mm.a, shared), B = stage(mm.b, shared)\n";

static std::string after(const char *a, const char *b) { return std::string(a) + b; }

TEST(Overlay, WhatIsOverGivesItsMemory) {
  Scheduled done(kSmallProduct,
                 after(staged, "let c = overlay(C.buf, A.buf, B.buf)\nprint c\nauto_sync(self)"));
  expectSame(done, sizes);
  EXPECT_EQ(count(done.lines("tile.alloc over"), " over "), 2u) << "operands and their types";
  EXPECT_THAT(done.report, HasSubstr("are past"));
  expectSealed(done.ir, {{{"M", 17}, {"N", 9}, {"K", 40}}});
}

TEST(Overlay, InTurnInEachStep) {
  Scheduled done(kSmallProduct, after(staged, "overlay(B.buf, A.buf)\nauto_sync(self)"));
  expectSame(done, sizes);
  expectSealed(done.ir, {{{"M", 17}, {"N", 9}, {"K", 40}}});
}

TEST(Overlay, OverRings) {
  Scheduled done(kSmallProduct,
                 after(staged, "sections(k, {load: [A.copy, B.copy], use: rest})\n"
                               "ring([A.buf, B.buf], 2)\noverlay(C.buf, A.buf)\nauto_sync(self)"));
  expectSame(done, sizes);
  expectSealed(done.ir, {{{"M", 17}, {"N", 9}, {"K", 40}}});
}

TEST(Overlay, InTasks) {
  Scheduled done(kSmallProduct,
                 after(staged, "persistent(self)\noverlay(C.buf, A.buf)\nauto_sync(self)"));
  expectSame(done, sizes);
  expectSealed(done.ir, {{{"M", 33}, {"N", 9}, {"K", 40}}});
}

//===-- Refused ----------------------------------------------------------------------------------------------------===//

TEST(Overlay, OneMemoryTwice) {
  expectRefused(kSmallProduct, after(staged, "overlay(C.buf, A.buf, B.buf)"),
                "overlay(B.buf, A.buf)", "overlay_twice_below", "which would be one memory");
}

TEST(Overlay, TheOldOneIsStillUsed) {
  expectRefused(kSmallProduct, staged, "overlay(B.buf, C.buf)", "overlay_order", "still uses");
  expectUnsafe(kSmallProduct, after(staged, "sections(k, {load: [A.copy, B.copy], use: rest})"),
               "overlay(B.buf, A.buf)", "overlay_order", "still uses", 2);
}

TEST(Overlay, WhatAnEarlierStepLeft) {
  // The step reads what the one before copied, and then another buf takes the memory.
  const char *text = R"(
tile.kernel @kept[%N "N"](%x "x": !tile.view<?x8xf32, in> shape ()[s0] -> (s0, 8),
                          %y "y": !tile.view<?x8xf32, out> shape ()[s0] -> (s0, 8)) body {
  %c0 = tile.constant 0 : i64
  %c1 = tile.constant 1 : i64
  tile.grid (%g = range(%c0 to %c1)) {
    %a = tile.alloc : !tile.buf<8xf32, shared>
    %b = tile.alloc : !tile.buf<8xf32, shared>
    tile.for %i in range(%c0 to %N) {
      %t = tile.read %a span[:] : !tile.buf<8xf32, shared> -> tensor<8xf32>
      tile.copy %x[%i, :] to %a fill undef : !tile.view<?x8xf32, in>, i64 to !tile.buf<8xf32, shared>
      tile.write %t to %b : tensor<8xf32> to !tile.buf<8xf32, shared>
      tile.copy_out %b to %y[%i, :] : !tile.buf<8xf32, shared> to !tile.view<?x8xf32, out>, i64
    }
  }
})";
  OnIR on(text);
  std::vector<Value> bufs;
  on.host().getModule().walk([&](tile::AllocOp op) {
    bufs.push_back(on.host().getCursors().op(op, script::ValueKind::Buf));
  });
  ASSERT_EQ(bufs.size(), 2u);
  std::string before = on.text();
  EXPECT_THAT(on.call("overlay", {bufs[1], Value::list({bufs[0]})}),
              HasSubstr("overlay_carried: "));
  EXPECT_EQ(on.text(), before);
}

TEST(Overlay, WhatACopyLeaves) {
  // A copy is before the read, and writes what its span has.
  auto overlaid = [](const std::string &read) {
    std::string text = R"(
tile.kernel @left[%N "N"](%x "x": !tile.view<?xf32, in> shape ()[s0] -> (s0),
                          %y "y": !tile.view<?xf32, out> shape ()[s0] -> (s0)) body {
  %c0 = tile.constant 0 : i64
  %c1 = tile.constant 1 : i64
  tile.grid (%g = range(%c0 to %c1)) {
    %a = tile.alloc : !tile.buf<8xf32, shared>
    %b = tile.alloc : !tile.buf<8xf32, shared>
    tile.for %i in tiles(%c0 to %N by 8) {
      tile.copy %x[%i] to %a fill undef : !tile.view<?xf32, in>, !tile.span<8> to !tile.buf<8xf32, shared>
      %t = tile.read %a span)" +
                       read + R"( -> tensor<8xf32>
      tile.write %t to %b : tensor<8xf32> to !tile.buf<8xf32, shared>
      tile.copy_out %b to %y[%i] : !tile.buf<8xf32, shared> to !tile.view<?xf32, out>, !tile.span<8>
    }
  }
})";
    OnIR on(text);
    std::vector<Value> bufs;
    on.host().getModule().walk([&](tile::AllocOp op) {
      bufs.push_back(on.host().getCursors().op(op, script::ValueKind::Buf));
    });
    return on.call("overlay", {bufs[1], Value::list({bufs[0]})});
  };
  EXPECT_EQ(overlaid("[%i] : !tile.buf<8xf32, shared>, !tile.span<8>"), "");
  EXPECT_THAT(overlaid("[:] : !tile.buf<8xf32, shared>"), HasSubstr("overlay_carried: "));
}

TEST(Overlay, TooSmall) {
  const char *kernel = R"(
kernel wide(x: in view<[M], f32>, y: out view<[M], f32>, z: out view<[M, 8], f32>)
{
    grid r in tiles(M, 4)
    let t = x[r] * 2.0
    y[r] = t
    z[r, :] = t[:, _] + zeros(f32, [4, 8])
})";
  expectRefused(kernel, "let Y = stage(store(y).value, shared), Z = stage(store(z).value, shared)",
                "overlay(Z.buf, Y.buf)", "overlay_bytes", "takes 128 bytes");
}

TEST(Overlay, OtherHomes) {
  expectRefused(
      kSmallProduct,
      "let mm = def(acc)\nlet C = stage(store(d).value, shared), A = stage(mm.a, workspace)",
      "overlay(C.buf, A.buf)", "overlay_home", "`workspace` per `cta`");
}

TEST(Overlay, Itself) {
  expectRefused(kSmallProduct, staged, "overlay(C.buf, C.buf)", "overlay_self", "its own memory");
}

TEST(Overlay, Twice) {
  expectRefused(kSmallProduct, after(staged, "overlay(C.buf, A.buf)"), "overlay(C.buf, B.buf)",
                "overlay_twice", "lies over other bufs already");
}

TEST(Overlay, NoneNamed) {
  Scheduled done(kSmallProduct, staged);
  OnIR on(done.ir);
  EXPECT_THAT(on.call("overlay", {on.buf()}), HasSubstr("overlay_none: no buf is named"));
  EXPECT_EQ(on.text(), done.ir);
}

TEST(Overlay, SharedMemoryTwice) {
  const char *kernel = R"(
kernel three(x: in view<[M], f32>, y: out view<[M], f32>, z: out view<[M], f32>, w: out view<[M], f32>)
{
    grid r in tiles(M, 4)
    let t = x[r] * 2.0
    y[r] = t
    z[r] = t + 1.0
    w[r] = t + 2.0
})";
  expectRefused(kernel,
                "let Y = stage(store(y).value, shared), Z = stage(store(z).value, shared)\n"
                "let W = stage(store(w).value, shared)\noverlay(Z.buf, Y.buf)",
                "overlay(W.buf, Y.buf, Z.buf)", "overlay_shared", "share memory already");
  expectRefused(kernel,
                "let Y = stage(store(y).value, shared), Z = stage(store(z).value, "
                "shared)\noverlay(Z.buf, Y.buf)",
                "overlay(Y.buf, Z.buf)", "overlay_cycle", "lies over");
}

TEST(Overlay, OtherRoles) {
  expectUnsafe(
      kSmallProduct,
      "persistent(self)\nlet mm = def(acc), k = loop(k)\nlet C = stage(store(d).value, shared)\n"
      "let A = stage(mm.a, shared), B = stage(mm.b, shared)\n"
      "sections(k, {load: [A.copy, B.copy], use: rest})\n"
      "ring([A.buf, B.buf], 2, protocol = mbarrier)\n"
      "roles({p: [load], c: rest}, warps = {p: 1, c: 4})",
      "overlay(C.buf, A.buf)", "overlay_roles", "do not wait for each other", 2);
}

TEST(Overlay, WhatOnlyTheFirstStepFilled) {
  // One step fills, all read, and another buf has the memory in between.
  OnIR on(R"(
tile.kernel @kept[%N "N"](%x "x": !tile.view<8xf32, in> shape ()[s0] -> (8),
                          %y "y": !tile.view<?x8xf32, out> shape ()[s0] -> (s0, 8)) body {
  %c0 = tile.constant 0 : i64
  %c1 = tile.constant 1 : i64
  tile.grid (%g = range(%c0 to %c1)) {
    %a = tile.alloc : !tile.buf<8xf32, shared>
    %b = tile.alloc : !tile.buf<8xf32, shared>
    tile.for %i in range(%c0 to %N) {
      %first = tile.cmp eq, %i, %c0 : i64
      scf.if %first {
        tile.copy %x[:] to %a fill undef : !tile.view<8xf32, in> to !tile.buf<8xf32, shared>
      }
      %t = tile.read %a span[:] : !tile.buf<8xf32, shared> -> tensor<8xf32>
      tile.write %t to %b : tensor<8xf32> to !tile.buf<8xf32, shared>
      tile.copy_out %b to %y[%i, :] : !tile.buf<8xf32, shared> to !tile.view<?x8xf32, out>, i64
    }
  }
})",
          "sm_80", schedule::replayUnderAdversary);
  std::vector<Value> bufs;
  on.host().getModule().walk([&](tile::AllocOp op) {
    bufs.push_back(on.host().getCursors().op(op, script::ValueKind::Buf));
  });
  ASSERT_EQ(bufs.size(), 2u);
  on.expectUnsafe("overlay", {bufs[1], Value::list({bufs[0]})}, "overlay_carried",
                  "may read what an earlier step");
}

TEST(Overlay, WhatIsNoBuf) {
  Scheduled done(kSmallProduct, staged);
  OnIR on(done.ir);
  Value copy = on.host().getCursors().op(on.first<tile::CopyOp>(), script::ValueKind::Buf);
  EXPECT_THAT(on.call("overlay", {on.buf(), Value::list({copy})}), HasSubstr("overlay_buf: "));
  EXPECT_EQ(on.text(), done.ir);
}

TEST(Overlay, OtherBlocks) {
  OnIR on(R"(
tile.kernel @blocks[%N "N"](%x "x": !tile.view<?x8xf32, inout> shape ()[s0] -> (s0, 8)) body {
  %c0 = tile.constant 0 : i64
  %a = tile.alloc : !tile.buf<8xf32, shared>
  tile.grid (%n = range(%c0 to %N)) {
    %b = tile.alloc : !tile.buf<8xf32, shared>
    tile.copy %x[%n, :] to %b fill undef : !tile.view<?x8xf32, inout>, i64 to !tile.buf<8xf32, shared>
  }
})");
  std::vector<Value> bufs;
  on.host().getModule().walk([&](tile::AllocOp op) {
    bufs.push_back(on.host().getCursors().op(op, script::ValueKind::Buf));
  });
  ASSERT_EQ(bufs.size(), 2u);
  EXPECT_THAT(on.call("overlay", {bufs[1], Value::list({bufs[0]})}), HasSubstr("overlay_block: "));
}
