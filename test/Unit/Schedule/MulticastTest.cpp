// multicast.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "MemoryTesting.h"

using namespace tessera;
using namespace tessera::testing;
using ::testing::HasSubstr;

static Scheduled::Options sm90() {
  Scheduled::Options options;
  options.target = "sm_90";
  options.instructions = true;
  return options;
}

static const char *const kTiles = R"(
kernel product(a: in view<[M, K], bf16>, b: in view<[K, N], bf16>, d: out view<[M, N], f32>)
    where M % 64 == 0, N % 64 == 0, K % 64 == 0
{
    grid m in tiles(M, 64), n in tiles(N, 64)
    var acc = zeros(f32, [64, 64])
    for k in tiles(K, 64) { acc = mma(a[m, k], b[k, n], acc) }
    d[m, n] = acc
}
)";

/// Both operands by bulk copies through a ring, with a cluster along an axis.
static std::string bulk(const std::string &axis, const std::string &protocol = "mbarrier") {
  return "let t = persistent(self)\n" + (axis.empty() ? "" : "cluster(t." + axis + ", 2)\n") +
         "let mm = def(acc)\nlet A = stage(mm.a, shared, layout = sw128)\n"
         "let B = stage(mm.b, shared, layout = sw128)\n" +
         (protocol == "mbarrier" ? "for c in [A.copy, B.copy] { replace(c, tma_load_2d(64, 64)) }\n"
                                 : "") +
         "sections(loop(k), {load: [A.copy, B.copy], use: rest})\n"
         "ring([A.buf, B.buf], 3, protocol = " +
         protocol + ")";
}

TEST(Multicast, ACopyThatAllShare) {
  Scheduled done(kTiles, bulk("m") + "\nmulticast(B.copy, over = cluster)", sm90());
  expectSame(done, {{{"M", 128}, {"N", 64}, {"K", 128}}, {{"M", 64}, {"N", 128}, {"K", 0}}});
  EXPECT_EQ(count(done.ir, "tile.multicast = 2"), 1u);
  EXPECT_THAT(done.lines("tile.multicast"), HasSubstr("tile.copy %b"));
  EXPECT_THAT(done.report, HasSubstr("all 2 CTAs along `m` copy one box"));
  // Along the other axis it is the other operand.
  Scheduled other(kTiles, bulk("n") + "\nmulticast(A.copy)", sm90());
  EXPECT_EQ(other.errors, "");
  EXPECT_THAT(other.lines("tile.multicast"), HasSubstr("tile.copy %a"));
}

//===-- Refused ----------------------------------------------------------------------------------------------------===//

TEST(Multicast, AnotherBoxInEachCta) {
  expectRefused(kTiles, bulk("m"), "multicast(A.copy)", "multicast_window", "it depends on `m`",
                sm90());
  expectRefused(kTiles, bulk("n"), "multicast(B.copy)", "multicast_window", "it depends on `n`",
                sm90());
  // How often it is done counts, too.
  std::string text = kTiles;
  text.replace(text.find("tiles(K, 64)"), 12, "tiles(0..min(K, m.stop), 64)");
  expectRefused(text, bulk("m"), "multicast(B.copy)", "multicast_window", "it depends on `m`",
                sm90());
}

TEST(Multicast, WhatIsMissing) {
  expectRefused(kTiles, bulk(""), "multicast(B.copy)", "multicast_cluster", "has no neighbours",
                sm90());
  expectRefused(kTiles, bulk("m", "cta_sync"), "multicast(B.copy)", "multicast_bulk",
                "is no bulk copy", sm90());
  expectRefused(kTiles,
                "let t = persistent(self)\ncluster(t.m, 2)\n"
                "let B = stage(def(acc).b, shared, layout = sw128)\n"
                "replace(B.copy, tma_load_2d(64, 64))",
                "multicast(B.copy)", "multicast_ring", "fills no ring", sm90());
  expectRefused(kTiles, bulk("m") + "\nmulticast(B.copy)", "multicast(B.copy)", "multicast_twice",
                "already", sm90());
}
