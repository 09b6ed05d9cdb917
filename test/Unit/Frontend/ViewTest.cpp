// Loads, stores, gathers, parts of views, tiles by index.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FrontendTesting.h"

namespace tessera::testing {
namespace {

TEST(View, LoadsByEveryKindOfIndex) {
  Outcome o = compileBody("    grid r in tiles(M, 4), h in M\n    let a = b[r, :]\n    let c = "
                          "b[h, 3]\n    let d = b[i[r], :]\n"
                          "    let e = b[i[r], whole(64, width = 64)]\n    let f = b[i[h], :]\n    "
                          "y[r, 0] = sum(a as f32, axis = 1)");
  ASSERT_TRUE(o.ok()) << o.rendered;
  EXPECT_THAT(o.ir, HasSubstr("!tile.span<4> -> tensor<4x64xbf16>"));
  EXPECT_THAT(o.ir, HasSubstr("i64, i64 -> bf16"));
  EXPECT_THAT(o.ir, HasSubstr("tensor<4xi32> -> tensor<4x64xbf16>"));
  EXPECT_THAT(o.ir, HasSubstr("tensor<4xi32>, !tile.span<64> -> tensor<4x64xbf16>"));
  // A scalar index of another width is widened.
  EXPECT_THAT(o.ir, HasSubstr("i32 to i64"));
}

TEST(View, StoresOfEveryKind) {
  const char *text = "kernel k(x: in view<[M], f32>, j: in view<[M], i64>, y: inout view<[M], "
                     "f32>, n: inout view<[M], i32>) {\n"
                     "    grid r in tiles(M, 4)\n    y[r] = x[r]\n    y[r] = 0.0\n    "
                     "store(y[j[r]], x[r], conflict = last)\n"
                     "    y[j[r]] = x[r]\n    atomic_add(y[j[r]], x[r], order = any)\n"
                     "    atomic_max(n[r], 1, memory = acq_rel, scope = sys)\n    let old = "
                     "atomic_xchg(n[r], 2, order = any, old = true)\n"
                     "    let was = atomic_cas(n[r], old, 3, order = any, old = true)\n}";
  Outcome o = compile(text);
  ASSERT_TRUE(o.ok()) << o.rendered;
  EXPECT_THAT(o.ir, HasSubstr("conflict = #tile.conflict<last>"));
  EXPECT_THAT(o.ir, HasSubstr("tile.atomic add"));
  EXPECT_THAT(o.ir, HasSubstr("order_any"));
  EXPECT_THAT(o.ir, HasSubstr("#tile.memory_order<acq_rel>"));
  EXPECT_THAT(o.ir, HasSubstr("#tile.scope<sys>"));
  EXPECT_THAT(o.ir, HasSubstr("tile.atomic xchg"));
  EXPECT_THAT(o.ir, HasSubstr("expect %"));
}

TEST(View, PartsOfViews) {
  Outcome o = compileBody("    grid r in tiles(M, 4)\n    let (p, q) = b.split(axis = 1, parts = "
                          "2)\n    let g = b.group(1, 16)\n"
                          "    let t = b.T\n    let u = b.permute([1, 0])\n    let c = "
                          "b.slice(axis = 1, lo = 8, hi = 24)\n"
                          "    let s1 = p[r, :] + q[r, :] + t[0..0, r]\n    y[r, 0] = 0.0");
  EXPECT_THAT(only(o), HasSubstr("a view is not indexed by a range"));
  o = compileBody("    grid r in tiles(M, 4)\n    let (p, q) = b.split(axis = 1, parts = 2)\n    "
                  "let g = b.group(1, 16)\n"
                  "    let c = b.slice(axis = 1, lo = 8, hi = 24)\n    let z = p[r, :] + q[r, :]\n "
                  "   let w = g[r, :, :]\n"
                  "    let v = c[r, :] + b.T[8, r][:, _]\n    let e = x.slice(axis = 0, lo = 0, hi "
                  "= M - 1).dim(0)\n    y[r, 0] = 0.0");
  ASSERT_TRUE(o.ok()) << o.rendered;
  EXPECT_THAT(o.ir, HasSubstr("tile.view_split"));
  EXPECT_THAT(o.ir, HasSubstr("!tile.view<?x32xbf16, in>"));
  EXPECT_THAT(o.ir, HasSubstr("!tile.view<?x4x16xbf16, in>"));
  EXPECT_THAT(o.ir, HasSubstr("!tile.view<64x?xbf16, in>"));
  EXPECT_THAT(o.ir, HasSubstr("!tile.view<?x16xbf16, in>"));
}

TEST(View, SpansOfOtherExtentsAreCheckedAtLaunch) {
  Outcome o =
      compileBody("    grid r in tiles(M, 4), q in tiles(N // 2, 8)\n    y[r, q] = x[r, q]");
  ASSERT_TRUE(o.ok()) << o.rendered;
  EXPECT_THAT(o.ir, HasSubstr("\"N // 2 <= N\""));
  o = compileBody("    grid r in tiles(M, 4), q in tiles(N, 8)\n    y[r, q] = x[r, q]");
  EXPECT_THAT(o.ir, Not(HasSubstr("tile.require")));
  // A limit that is no expression in extents is left to the check of the load.
  o = compileBody("    grid r in tiles(M, 4), q in tiles(min(N, 100), 8)\n    y[r, q] = x[r, q]");
  ASSERT_TRUE(o.ok()) << o.rendered;
  EXPECT_THAT(o.ir, Not(HasSubstr("tile.require")));
}

TEST(View, SpanMembers) {
  Outcome o = compileBody(
      "    grid r in tiles(M, 4)\n    let n = r.start + r.stop + r.width\n    let t = r.index\n"
      "    y[r, 0] = (t + n) as f32");
  ASSERT_TRUE(o.ok()) << o.rendered;
  EXPECT_THAT(o.ir, HasSubstr("tile.span_start"));
  EXPECT_THAT(o.ir, HasSubstr("tile.span_stop"));
  EXPECT_THAT(o.ir, HasSubstr("tile.span_index"));
  EXPECT_THAT(o.ir, HasSubstr("tile.constant 4 : i64"));
}

TEST(View, TilesByIndex) {
  Outcome o = compileBody("    grid r in tiles(M, 4), q in tiles(N, 8)\n    let t = x[r, q]\n    "
                          "let a = t[0..2, :]\n    let c = t[:, _, 2..6]\n"
                          "    let d = s[_, _]\n    let e = t[:, 0..8]\n    y[r, q] = t + d");
  ASSERT_TRUE(o.ok()) << o.rendered;
  EXPECT_THAT(o.ir, HasSubstr("tile.slice %"));
  EXPECT_THAT(o.ir, HasSubstr("from [0, 0] : tensor<4x8xf32> to tensor<2x8xf32>"));
  EXPECT_THAT(o.ir, HasSubstr("tensor<4x4xf32> to tensor<4x1x4xf32>"));
  EXPECT_THAT(o.ir, HasSubstr("f32 to tensor<1x1xf32>"));
}

TEST(View, BroadcastsAreOps) {
  Outcome o = compileBody("    grid r in tiles(M, 4), q in tiles(N, 8)\n    let t = x[r, q]\n    "
                          "let m = max(t, axis = 1, keep = true)\n"
                          "    let n = min(t, axis = 0)\n    y[r, q] = t - m + n[_, :] * s");
  ASSERT_TRUE(o.ok()) << o.rendered;
  EXPECT_THAT(o.ir, HasSubstr("tile.broadcast %"));
  EXPECT_THAT(o.ir, HasSubstr("tensor<4x1xf32> to tensor<4x8xf32>"));
  EXPECT_THAT(o.ir, HasSubstr("tensor<1x8xf32> to tensor<4x8xf32>"));
  EXPECT_THAT(o.ir, HasSubstr("tile.splat %s : f32 to tensor<1x8xf32>"));
}

TEST(View, KeepIfIsOverTheAxesOfItsCondition) {
  Outcome o = compileBody("    grid r in tiles(M, 4), q in tiles(N, 8)\n    let t = x[r, q]\n    "
                          "let a = t.keep_if(r.index[:, _] > 2)\n"
                          "    let c = t.keep_if(t > 0.0)\n    let d = t.keep_if(s > 0.0)\n    let "
                          "e = t.keep_if(1 < 2)\n    y[r, q] = a + c + d + e ?? 0.0");
  ASSERT_TRUE(o.ok()) << o.rendered;
  EXPECT_THAT(o.ir, HasSubstr("over [0] : tensor<4x8xf32>, tensor<4x1xi1>"));
  EXPECT_THAT(o.ir, HasSubstr("over [0, 1] : tensor<4x8xf32>, tensor<4x8xi1>"));
  EXPECT_THAT(o.ir, HasSubstr("tile.splat"));
  EXPECT_THAT(o.ir, HasSubstr("tile.fill_absent"));
}

} // namespace
} // namespace tessera::testing
