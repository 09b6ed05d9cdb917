// bind.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ScheduleTesting.h"

using namespace tessera;
using namespace tessera::testing;
using ::testing::HasSubstr;

TEST(Bind, PlacesADim) {
  Scheduled done(kRowsKernel, "bind(load(x).r, warp)");
  EXPECT_EQ(done.errors, "");
  EXPECT_EQ(iterOf(done, "tile.load"), "d0 = warp 4");
  EXPECT_THAT(done.ir, HasSubstr("tile.warps = 4")) << "the kernel has the warps";
}

TEST(Bind, PlacesFactors) {
  Scheduled done(kProductKernel, "let mm = def(acc)\nbind(split(mm.m, 64).outer, warp)\n"
                                 "bind(split(mm.n, 32).outer, warp)");
  EXPECT_EQ(done.errors, "");
  EXPECT_EQ(iterOf(done, "tile.mma"), "m = warp 2 * open 64, n = warp 4 * open 32");
  EXPECT_THAT(done.ir, HasSubstr("tile.warps = 8"));
}

TEST(Bind, AgainMovesIt) {
  Scheduled done(kRowsKernel, "bind(bind(load(x).r, warp), reg)");
  EXPECT_EQ(done.errors, "");
  EXPECT_EQ(iterOf(done, "tile.load"), "d0 = reg 4");
}

TEST(Bind, AStoreWritesDifferentCells) {
  Scheduled done(kRowsKernel, "let y = store(y)\nbind(y.r, warp)\n"
                              "bind(split(y.c, 32).inner, lane)");
  EXPECT_EQ(done.errors, "");
  EXPECT_EQ(iterOf(done, "tile.store"), "d0 = warp 4, d1 = open 128 * lane 32");
  EXPECT_THAT(done.report, HasSubstr("proved   instances of `store y` write different cells"));
}

TEST(Bind, AStoreThroughIndicesIsTheProgramsConflict) {
  Scheduled done(kLoopsKernel, "bind(store(z).q, lane)");
  EXPECT_EQ(done.errors, "");
  EXPECT_THAT(done.report, HasSubstr("program  instances of `store z` write different cells"));
}

TEST(Bind, ReductionClasses) {
  Scheduled tree(kLoopsKernel, "let t = op(`reduce(_)`)\nbind(t.r, lane)");
  EXPECT_EQ(tree.errors, "") << "32 lanes are a power of two";
  EXPECT_THAT(tree.report, HasSubstr("the tree reduction along `reduce total.r` allows 32 lane"));
  Scheduled dot(kProductKernel, "bind(split(def(acc).k, 16).outer, warp)");
  EXPECT_EQ(dot.errors, "");
  EXPECT_EQ(iterOf(dot, "tile.mma"), "k = warp 2 * open 16");
  expectRefused(kLoopsKernel, "let t = op(`reduce(_)`)", "bind(split(t.r, 3).outer, lane)",
                "reduce_class", "would group other elements");
}

TEST(Bind, SumsOfOtherParts) {
  const char *tree = "kernel k(x: in view<[M, 32], f32>, y: out view<[M], f32>) {\n"
                     "    grid m in tiles(M, 4)\n    let s = sum(x[m, :], axis = 1)\n"
                     "    y[m] = s\n}\n";
  expectUnsafe(tree, "let d = split(def(s).r, 3).outer", "bind(d, lane)", "reduce_class",
               "would group other elements");
  const char *scan = "kernel k(x: in view<[M, 64], f32>, y: out view<[M, 64], f32>) {\n"
                     "    grid m in tiles(M, 4)\n    let s = cumsum(x[m, :], axis = 1)\n"
                     "    y[m, :] = s\n}\n";
  expectUnsafe(scan, "let d = split(def(s).r, 8).outer", "bind(d, lane)", "reduce_class",
               "each step needs the one before");
}

TEST(Bind, PartsInOtherCtas) {
  const char *kernel =
      "kernel k(a: in view<[M, K], f32>, b: in view<[K, N], f32>, d: out view<[M, N], f32>) {\n"
      "    grid m in tiles(M, 4), n in tiles(N, 4)\n    var acc = zeros(f32, [4, 4])\n"
      "    for k in tiles(K, 8) { acc = mma(a[m, k], b[k, n], acc) }\n    d[m, n] = acc\n}\n";
  Scheduled::Options sm90;
  sm90.target = "sm_90";
  expectUnsafe(kernel, "let d = split(def(acc).k, 4).outer", "bind(d, cluster)", "reduce_place",
               "cannot be combined across CTAs", 1, sm90);
  const char *most = "kernel k(x: in view<[M, 32], f32>, y: out view<[M], f32>) {\n"
                     "    grid m in tiles(M, 4)\n    let s = max(x[m, :], axis = 1)\n"
                     "    y[m] = s\n}\n";
  expectUnsafe(most, "let d = split(def(s).r, 16).outer", "bind(d, cluster)", "reduce_place",
               "cannot be combined across CTAs", 1, sm90);
}

TEST(Bind, ALoop) {
  Scheduled done(kLoopsKernel, "print bind(loop(u), warp)");
  EXPECT_EQ(done.errors, "");
  EXPECT_EQ(done.printed, "loop u\n");
  EXPECT_THAT(done.lines("tile.par"), HasSubstr("tile.par warp 8"));
  EXPECT_THAT(done.report, HasSubstr("touch different cells"));
}

TEST(Bind, LoopsThatMeet) {
  const char *kernel = "kernel k(x: in view<[64], f32>, y: inout view<[64], f32>) {\n"
                       "    grid g in 0..1\n    for i in 0..8 { y[0] = x[i] }\n"
                       "    for j in 0..8 { y[j] = y[j + 1] }\n"
                       "    for p in 0..8 { y[2 * p] = y[2 * p + 1] }\n}\n";
  expectUnsafe(
      kernel, "let l = loop(i)", "bind(l, warp)", "bind_cells",
      "the steps of `loop i` are not independent: two steps of `store y` meet in one cell");
  expectUnsafe(kernel, "let l = loop(j)", "bind(l, warp)", "bind_cells",
               "meet in one cell, for instance with", 2);
  Scheduled apart(kernel, "bind(loop(p), warp)");
  EXPECT_EQ(apart.errors, "") << "even and odd cells";
}

TEST(Bind, Refused) {
  expectRefused(kRowsKernel, "let d = load(x).r", "bind(d, grid)", "place_grid",
                "CTAs run whole statements");
  expectRefused(kRowsKernel, "let d = load(x).r", "bind(d, seq)", "place_seq", "lies in registers");
  expectRefused(kRowsKernel, "let d = load(x).c", "bind(d, lane)", "place_count",
                "4096 lanes of a warp; there are at most 32");
  expectRefused(kRowsKernel, "let d = load(x).r", "bind(d, warpgroup)", "place_target",
                "has no warpgroups");
  expectRefused(kProductKernel, "let d = def(acc).k", "bind(split(d, 16).outer, cluster)",
                "reduce_place", "cannot be combined across CTAs", {"sm_90", {}, true, {}});
  expectRefused(kProductKernel, "let l = loop(k)", "bind(l, warp)", "bind_trips",
                "a number of threads is a positive constant");
  expectRefused(kLoopsKernel, "let l = loop(u)", "bind(l, lane)", "bind_place", "not in `lane`");
  expectRefused(kRowsKernel, "let o = load(x)", "bind(o, warp)", "bind_kind",
                "cannot be bound to a place");
  const char *steps = "kernel k(x: in view<[4], f32>, y: out view<[4], f32>) {\n"
                      "    grid g in 0..1\n    for j in 0..4 { y[j] = x[j] * 2.0 }\n}\n";
  expectRefused(steps, "let l = loop(j)\nsections(l, {all: rest})", "bind(l, warp)",
                "bind_sections", "is cut into sections");
}

TEST(Bind, CarriedValuesStayInOrder) {
  const char *kernel = "kernel k(x: in view<[64], f32>, y: out view<[8], f32>) {\n"
                       "    grid g in 0..1\n    var s = zeros(f32, [8])\n"
                       "    for i in tiles(64, 8) { s = s + x[i] }\n    y[:] = s\n}\n";
  expectRefused(kernel, "let l = loop(i)", "bind(l, warp)", "bind_carried", "carries a value");
}

TEST(Bind, TheLastOneWins) {
  const char *kernel = "kernel k(i: in view<[64], i64>, x: in view<[64], f32>, "
                       "y: out view<[64], f32>) {\n    grid g in 0..1\n    let t = i[:] % 8\n"
                       "    store(y[t], x[:], conflict = last)\n}\n";
  expectUnsafe(kernel, "let d = split(store(y).d0, 32).inner", "bind(d, lane)", "bind_order",
               "there is no last one");
  expectUnsafe(kernel, "let d = split(store(y).d0, 32).outer", "bind(d, warp)", "bind_order",
               "there is no last one");
  Scheduled reg(kernel, "bind(store(y).d0, reg)");
  EXPECT_EQ(reg.errors, "") << "registers keep the order";
}

TEST(Bind, WhatHappensInOrder) {
  const char *prints = "kernel k(x: in view<[4], f32>, y: out view<[4], f32>) {\n"
                       "    grid g in 0..1\n    for j in 0..4 {\n        print(j)\n"
                       "        y[j] = x[j] * 2.0\n    }\n}\n";
  expectUnsafe(prints, "", "bind(loop(j), warp)", "bind_order", "happens in order", 2);
  // A barrier of one warp alone orders nothing.
  const char *kernel = "kernel k(x: in view<[8], f32>, y: out view<[4, 8], f32>) {\n"
                       "    grid g in 0..1\n    let t = x[:] + 1.0\n"
                       "    for j in 0..4 { y[j, :] = t * 2.0 }\n}\n";
  expectUnsafe(kernel, "let s = stage(op(`mul(_, _)`).lhs, shared)\ninsert_barrier(s.read.before)",
               "bind(loop(j), warp)", "bind_order", "happens in order", 2);
}

TEST(Bind, AnAxisOrAPartOfAnInstruction) {
  expectRefused(kProductKernel, "let g = loop(k).parent", "bind(g.m, warp)", "bind_dim",
                "is the axis of a grid");
  const char *kernel =
      "kernel k(a: in view<[M, 16], bf16>, b: in view<[16, 8], bf16>, d: out view<[M, 8], f32>) {\n"
      "    grid m in tiles(M, 16)\n    let t = mma(a[m, :], b[:, :])\n    d[m, :] = t\n}\n";
  Scheduled::Options options;
  options.instructions = true;
  expectRefused(kernel, "let t = def(t)\nreplace(t, mma_m16n8k16_bf16)", "bind(t.n, warp)",
                "bind_atom", "runs inside one instruction", options);
}
