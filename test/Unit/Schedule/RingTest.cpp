// ring.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "IRTesting.h"
#include "MemoryTesting.h"

#include "tessera/Schedule/Replay.h"

using namespace tessera;
using namespace tessera::testing;
using ::testing::HasSubstr;

static const std::vector<Extents> sizes = {{{"M", 1}, {"N", 1}, {"K", 1}},
                                           {{"M", 17}, {"N", 9}, {"K", 70}},
                                           {{"M", 16}, {"N", 8}, {"K", 0}}};

static const char *const staged =
    "let mm = def(acc), k = loop(k)\nlet A = stage(mm.a, shared), B = stage(mm.b, shared)\n";
static const char *const cut =
    "let mm = def(acc), k = loop(k)\nlet A = stage(mm.a, shared), B = stage(mm.b, shared)\n"
    "let s = sections(k, {load: [A.copy, B.copy], use: rest})\n";

static std::string after(const char *a, const char *b = "") { return std::string(a) + b; }

TEST(Ring, TwoBufsInOneQueue) {
  Scheduled done(kSmallProduct, after(cut, "let q = ring([A.buf, B.buf], 3)\nprint q"));
  expectSame(done, sizes);
  EXPECT_THAT(done.lines("tile.alloc"), HasSubstr("slots = 3"));
  EXPECT_THAT(done.lines("tile.ring"), HasSubstr("protocol cta_sync"));
  EXPECT_THAT(done.ir, HasSubstr("tile.section @load lead 2 {"));
  EXPECT_EQ(count(done.ir, "tile.acquire"), 1u);
  EXPECT_EQ(count(done.ir, "tile.await"), 1u);
  EXPECT_LT(done.ir.find("tile.acquire"), done.ir.find("tile.copy"));
  EXPECT_LT(done.ir.rfind("tile.copy"), done.ir.find("tile.commit"));
  EXPECT_LT(done.ir.rfind("tile.read"), done.ir.find("tile.release"));
  EXPECT_LT(done.ir.find("tile.release"), done.ir.find("tile.mma")) << "right behind the last use";
  expectSealed(done.ir, {{{"M", 17}, {"N", 9}, {"K", 70}}});
}

TEST(Ring, TwoQueuesAreReleasedInTurn) {
  Scheduled done(kSmallProduct,
                 after(staged, "sections(k, {la: [A.copy], lb: [B.copy], use: rest})\n"
                               "ring(A.buf, 2)\nring(B.buf, 3)"));
  expectSame(done, sizes);
  EXPECT_THAT(done.ir, HasSubstr("tile.section @la lead 1 {"));
  EXPECT_THAT(done.ir, HasSubstr("tile.section @lb lead 2 {"));
  size_t first = done.ir.find("tile.release"), second = done.ir.rfind("tile.release");
  EXPECT_NE(first, second);
  expectSealed(done.ir, {{{"M", 17}, {"N", 9}, {"K", 70}}});
}

TEST(Ring, WithoutSections) {
  Scheduled done(kSmallProduct, after(staged, "ring(A.buf, 1)"));
  expectSame(done, sizes);
  EXPECT_EQ(count(done.ir, "tile.acquire"), 1u);
}

TEST(Ring, ALeadOfItsOwn) {
  Scheduled done(kSmallProduct, after(cut, "ring([A.buf, B.buf], 4, lead = 2)"));
  expectSame(done, sizes);
  EXPECT_THAT(done.ir, HasSubstr("tile.section @load lead 2 {"));
}

TEST(Ring, ASecondRingKeepsTheLead) {
  Scheduled done(kSmallProduct,
                 after(cut, "ring(A.buf, 3, lead = 0)\nring(B.buf, 4)\nset_lead(load, 2)"));
  expectSame(done, sizes);
  EXPECT_THAT(done.ir, HasSubstr("tile.section @load lead 2 {"));
}

TEST(Ring, OfWhatAStoreWrites) {
  Scheduled done(kSmallProduct,
                 "persistent(self)\nlet C = stage(store(d).value, shared)\nring(C.buf, 2)");
  expectSame(done, sizes);
  EXPECT_LT(done.ir.find("tile.commit"), done.ir.find("tile.await"));
}

TEST(Ring, ALagTakesASlot) {
  Scheduled done(kSmallProduct, after(cut, "set_lag(use, 1)\nring([A.buf, B.buf], 4)"));
  expectSame(done, sizes);
  EXPECT_THAT(done.ir, HasSubstr("tile.section @load lead 2 {"));
}

//===-- Refused ----------------------------------------------------------------------------------------------------===//

TEST(Ring, TooFewSlots) {
  expectUnsafe(kSmallProduct, cut, "ring([A.buf, B.buf], 2, lead = 2)", "queue_slots",
               "slots > lead(fill) - lead(use) + lag, here 2 > 2 - 0 + 0", 2);
  expectUnsafe(kSmallProduct, after(cut, "ring(A.buf, 3, lead = 0)"), "ring(B.buf, 2, lead = 2)",
               "queue_slots", "here 2 > 2 - 0 + 0", 2);
  expectUnsafe(kSmallProduct, after(cut, "set_lag(use, 2)"), "ring([A.buf, B.buf], 2)",
               "queue_slots", "here 2 > 0 - 0 + 2", 2);
}

TEST(Ring, OneOfItsBufsIsInARing) {
  expectRefused(kSmallProduct, after(cut, "ring(A.buf, 3, lead = 0)"), "ring([A.buf, B.buf], 3)",
                "ring_twice", "is in a ring already");
}

TEST(Ring, AValueIsCarried) {
  const char *kernel = R"(
kernel lags(x: in view<[N], f32>, y: out view<[N], f32>)
{
    grid g in 0..1
    var t = zeros(f32, [4])
    for i in tiles(N, 4) {
        y[i] = t
        t = x[i] * 2.0
    }
})";
  expectRefused(kernel,
                "let T = stage(op(`mul(_, _)`).lhs, shared)\nsections(loop(i), {use: [T.copy, "
                "T.read], rest_of_it: rest})",
                "ring(T.buf, 0)", "ring_slots", "a ring of 0 slots");
}

TEST(Ring, FilledOutsideOfTheLoop) {
  expectRefused(kSteps,
                "let X = stage(op(`mul(load(x, ..), _)`).lhs, shared)\nhoist(X.copy, loop(n))",
                "ring(X.buf, 2)", "ring_loop", "no loop holds both");
}

TEST(Ring, UsedInTwoSections) {
  expectRefused(kSmallProduct,
                after(staged, "sections(k, {load: [A.copy, B.copy], one: [A.read], two: rest})"),
                "ring([A.buf, B.buf], 2)", "ring_sections", "used in two sections");
}

TEST(Ring, AProtocolThatCannotTell) {
  expectRefused(kSmallProduct, cut, "ring([A.buf, B.buf], 3, protocol = bulk)", "ring_protocol",
                "tells when bulk stores out of a slot are done");
  Scheduled::Options options;
  options.instructions = true;
  expectRefused(kSmallProduct,
                "assume aligned(a, 16)\nlet mm = def(acc), k = loop(k)\n"
                "let A = stage(mm.a, shared)\nreplace(A.copy, cp_async_16)\n"
                "sections(k, {load: [A.copy], use: rest})",
                "ring(A.buf, 3, protocol = cta_sync)", "ring_protocol",
                "the protocol `cta_sync` cannot tell when", options);
  expectRefused(
      kSmallProduct,
      "persistent(self)\nlet mm = def(acc), k = loop(k)\nlet A = stage(mm.a, shared)\n"
      "sections(k, {load: [A.copy], use: rest})\n"
      "trust(\"as if it were in a ring\") {\n"
      "    roles({producer: [load], consumer: rest}, warps = {producer: 1, consumer: 1})\n"
      "}",
      "ring(A.buf, 3, protocol = cta_sync)", "ring_protocol",
      "would pass from role `producer` to role `consumer`");
}

TEST(Ring, TooManyBytes) {
  expectRefused(kSmallProduct, cut, "ring(A.buf, 400)", "ring_bytes", "would take 204800 bytes");
}

TEST(Ring, UsedBeforeAllAreFilled) {
  expectUnsafe(kSmallProduct, staged, "ring([A.buf, B.buf], 1)", "ring_order",
               "before all of them are filled", 2);
}

TEST(Ring, FilledNotOnceAStep) {
  const char *kernel = R"(
kernel guarded(x: in view<[N], f32>, y: inout view<[N], f32>)
{
    grid g in 0..1
    for i in tiles(N, 4) {
        if i.start < 8 { y[i] = x[i] + 1.0 }
    }
})";
  expectUnsafe(kernel, "let Y = stage(store(y).value, shared)", "ring(Y.buf, 2)", "ring_rate",
               "which may run it more than once in a step, or not at all", 2);
  expectUnsafe(kSmallProduct,
               "persistent(self)\nlet A = stage(def(acc).a, shared)\npeel(loop(k), edge)",
               "ring(A.buf, 2)", "ring_rate", "is written by 2 ops", 2);
}

TEST(Ring, OverTooLittleMemory) {
  expectRefused(kSmallProduct, after(staged, "overlay(B.buf, A.buf)"), "ring(B.buf, 3)",
                "ring_over", "of the memory that it lies over");
}

TEST(Ring, ALeadThatCannotBe) {
  expectRefused(kSmallProduct, staged, "ring(A.buf, 3, lead = 1)", "ring_lead",
                "cannot run 1 steps ahead");
}

TEST(Ring, NoBuf) {
  expectRefused(kSmallProduct, staged, "ring(mm, 2)", "ring_buf", "is no buf");
  expectRefused(kSmallProduct, staged, "ring([], 2)", "ring_none", "a ring of no buf");
}

//===-- What no schedule makes -------------------------------------------------------------------------------------===//

/// A loop over rows of x; `alloc` stands outside of it.
static std::string inLoop(const std::string &alloc, const std::string &body) {
  return R"(
tile.kernel @k[%N "N"](%x "x": !tile.view<?xf32, in> shape ()[s0] -> (s0),
                       %y "y": !tile.view<?x4xf32, out> shape ()[s0] -> (s0, 4)) body {
  %c0 = tile.constant 0 : i64
  %c1 = tile.constant 1 : i64
)" + alloc +
         "  tile.grid (%g = range(%c0 to %c1)) {\n    %b = tile.alloc : !tile.buf<4xf32, "
         "shared>\n" +
         "    tile.for %i in range(%c0 to %N) {\n" + body + "    }\n  }\n}\n";
}

static const std::string copyToB = R"(
      %q = tile.span %i, %N : !tile.span<4>
      tile.copy %x[%q] to %b fill zero : !tile.view<?xf32, in>, !tile.span<4> to !tile.buf<4xf32, shared>
)";

static std::vector<Value> bufsOf(OnIR &on) {
  std::vector<Value> bufs;
  on.host().getModule().walk([&](tile::AllocOp op) {
    bufs.push_back(on.host().getCursors().op(op, script::ValueKind::Buf));
  });
  return bufs;
}

TEST(Ring, WhatTheStepBeforeLeft) {
  // Read before it is filled: nothing of it in the first step, more in each.
  OnIR late(inLoop("", R"(
      %r = tile.span %c0, %i : !tile.span<4>
      %t = tile.read %b span[%r] : !tile.buf<4xf32, shared>, !tile.span<4> -> tensor<4xf32>
      tile.store %t, %y[%i, %r] : tensor<4xf32>, !tile.view<?x4xf32, out>, i64, !tile.span<4>
)" + copyToB),
            "sm_80", schedule::replayUnderAdversary);
  late.expectUnsafe("ring", {bufsOf(late).back(), Value::integer(2)}, "ring_carried",
                    "before the step fills it");
  // Filled in part: the rest is of the step before.
  OnIR part(inLoop("", R"(
      %q = tile.span %i, %N : !tile.span<4>
      %v = tile.load %x[%q] : !tile.view<?xf32, in>, !tile.span<4> -> tensor<4xf32>
      tile.write %v to %b : tensor<4xf32> to !tile.buf<4xf32, shared>
      %t = tile.read %b span[:] : !tile.buf<4xf32, shared> -> tensor<4xf32>
      tile.store %t, %y[%i, :] : tensor<4xf32>, !tile.view<?x4xf32, out>, i64
)"),
            "sm_80", schedule::replayUnderAdversary);
  part.expectUnsafe("ring", {bufsOf(part).back(), Value::integer(2)}, "ring_carried",
                    "what another step wrote to the slot");
}

TEST(Ring, OneSideOnly) {
  OnIR filled(inLoop("", copyToB));
  EXPECT_THAT(filled.call("ring", {bufsOf(filled).back(), Value::integer(2)}),
              HasSubstr("ring_side: "));
}

TEST(Ring, BufsOfDifferentBlocks) {
  OnIR on(inLoop("  %a = tile.alloc : !tile.buf<4xf32, shared>\n", copyToB));
  EXPECT_THAT(on.call("ring", {Value::list(bufsOf(on)), Value::integer(2)}),
              HasSubstr("ring_blocks: "));
}

TEST(Ring, ALoopOfOneThread) {
  const char *kernel = R"(
kernel update(x: inout view<[M, N], f32>)
{
    grid r in tiles(M, 4)
    for c in tiles(N, 8) { x[r, c] = x[r, c] * 3.0 }
}
)";
  expectRefused(kernel, "let A = stage(op(`mul(..)`).lhs, shared)\nelect(loop(c))",
                "ring(A.buf, 2)", "ring_elect", "all threads of the CTA wait in a ring");
}
