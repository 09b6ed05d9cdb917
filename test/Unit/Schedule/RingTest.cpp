// ring.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "MemoryTesting.h"

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
  expectRefused(kSmallProduct, cut, "ring([A.buf, B.buf], 2, lead = 2)", "queue_slots",
                "slots > lead(fill) - lead(use) + lag, here 2 > 2 - 0 + 0");
  expectRefused(kSmallProduct, after(cut, "ring(A.buf, 3, lead = 0)"), "ring(B.buf, 2, lead = 2)",
                "queue_slots", "here 2 > 2 - 0 + 0");
  expectRefused(kSmallProduct, after(cut, "set_lag(use, 2)"), "ring([A.buf, B.buf], 2)",
                "queue_slots", "here 2 > 0 - 0 + 2");
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
}

TEST(Ring, TooManyBytes) {
  expectRefused(kSmallProduct, cut, "ring(A.buf, 400)", "ring_bytes", "would take 204800 bytes");
}

TEST(Ring, UsedBeforeAllAreFilled) {
  expectRefused(kSmallProduct, staged, "ring([A.buf, B.buf], 1)", "ring_order",
                "before all of them are filled");
}

TEST(Ring, ALeadThatCannotBe) {
  expectRefused(kSmallProduct, staged, "ring(A.buf, 3, lead = 1)", "ring_lead",
                "cannot run 1 steps ahead");
}

TEST(Ring, NoBuf) {
  expectRefused(kSmallProduct, staged, "ring(mm, 2)", "ring_buf", "is no buf");
  expectRefused(kSmallProduct, staged, "ring([], 2)", "ring_none", "a ring of no buf");
}
