// split.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ScheduleTesting.h"

using namespace tessera;
using namespace tessera::testing;
using ::testing::HasSubstr;

TEST(Split, CutsADimInTwoFactors) {
  Scheduled done(kRowsKernel, "let {outer: o, inner: i} = split(load(x).c, 256)\n"
                              "print o; print i; print extent(o), extent(i)");
  EXPECT_EQ(done.errors, "");
  EXPECT_EQ(iterOf(done, "tile.load"), "d1 = open 16 * open 256");
  EXPECT_EQ(done.printed, "load x.c.outer\nload x.c.inner\n16 256\n");
}

TEST(Split, SplitsAFactorAgain) {
  Scheduled done(kRowsKernel, "let {outer: v, inner: e} = split(load(x).c, 256)\n"
                              "let {outer: l, inner: w} = split(e, 8)\nprint l; print w");
  EXPECT_EQ(done.errors, "");
  EXPECT_EQ(iterOf(done, "tile.load"), "d1 = open 16 * open 32 * open 8");
  EXPECT_EQ(done.printed, "load x.c.inner.outer\nload x.c.inner.inner\n");
}

TEST(Split, TheLastPartIsAbsence) {
  Scheduled done(kRowsKernel, "split(load(x).c, 3000)");
  EXPECT_EQ(done.errors, "");
  EXPECT_EQ(iterOf(done, "tile.load"), "d1 = open 2 * open 3000");
  EXPECT_THAT(done.report, HasSubstr("proved"));
}

TEST(Split, KeepsThePlaceOfABoundFactor) {
  Scheduled done(kProductKernel, "let mm = def(acc)\nsplit(bind(mm.m, warp), 32)",
                 {"sm_80", {}, true, {}});
  EXPECT_THAT(done.errors, HasSubstr("128 warps of a CTA; there are at most 32"));
  Scheduled fits(kRowsKernel, "split(bind(load(x).r, warp), 2)");
  EXPECT_EQ(fits.errors, "");
  EXPECT_EQ(iterOf(fits, "tile.load"), "d0 = warp 2 * warp 2");
}

TEST(Split, OldCursorsAreAmbiguous) {
  Scheduled done(kRowsKernel, "let {outer: o, inner: i} = split(load(x).c, 256)\n"
                              "split(i, 8)\nbind(i, lane)");
  EXPECT_THAT(done.errors, HasSubstr("4:1 T1075"));
  EXPECT_THAT(done.errors, HasSubstr("`load x.c.inner.outer`, `load x.c.inner.inner`"));
  Scheduled named(kRowsKernel, "let {outer: o, inner: i} = split(load(x).c, 256)\n"
                               "split(i, 8)\nbind(i.outer, lane)");
  EXPECT_EQ(named.errors, "");
  EXPECT_EQ(iterOf(named, "tile.load"), "d1 = open 16 * lane 32 * open 8");
}

TEST(Split, ADimWithSeveralFactorsIsAmbiguous) {
  Scheduled done(kRowsKernel, "split(load(x).c, 256)\nsplit(load(x).c, 8)");
  EXPECT_THAT(done.errors, HasSubstr("3:1 T1075"));
  Scheduled named(kRowsKernel, "split(load(x).c, 256)\nsplit(load(x).c.inner, 8)");
  EXPECT_EQ(named.errors, "");
}

TEST(Split, CutsALoop) {
  Scheduled done(kProductKernel, "let {outer: o, inner: i} = split(loop(k), 4)\nprint o; print i");
  EXPECT_EQ(done.errors, "");
  EXPECT_THAT(done.lines("tile.for"), HasSubstr("to %K by 128) carry"));
  EXPECT_THAT(done.lines("tile.for"), HasSubstr("by 32) carry"));
  EXPECT_EQ(done.printed, "loop k.outer\nloop k.inner\n");
}

TEST(Split, CutsALoopOverIndices) {
  const char *kernel = "kernel k(x: inout view<[N], f32>) {\n    grid g in 0..1\n"
                       "    for i in 0..N { x[i] = x[i] + 1.0 }\n}\n";
  Scheduled done(kernel, "split(loop(i), 8)");
  EXPECT_EQ(done.errors, "");
  EXPECT_THAT(done.lines("tile.for"), HasSubstr("by 8)"));
  EXPECT_THAT(done.lines("tile.for"), HasSubstr("range("));
}

TEST(Split, CursorsIntoALoopLiveOn) {
  Scheduled done(kProductKernel,
                 "let mm = def(acc)\nsplit(loop(k), 4)\nbind(split(mm.m, 64).outer, warp)");
  EXPECT_EQ(done.errors, "");
  EXPECT_EQ(iterOf(done, "tile.mma"), "m = warp 2 * open 64");
}

TEST(Split, ManySplitsStayWithinTheAttribute) {
  // Each one nearly doubles the number of points, most of which are absent.
  std::string body = "let d = load(x).c\nlet c = split(d, 2049).inner\n";
  for (int i = 0; i < 24; ++i) {
    body += "c = split(c, extent(c) // 2 + 1).inner\nc = split(c, extent(c) * 2 - 1).inner\n";
  }
  Scheduled failed(kRowsKernel, body);
  EXPECT_THAT(failed.errors, HasSubstr("too large"));
}

TEST(Split, Refused) {
  expectRefused(kRowsKernel, "let d = load(x).c", "split(d, 0)", "split_factor",
                "the factor 0 is not positive");
  expectRefused(kRowsKernel, "let d = load(x).c", "split(d, -4)", "split_factor",
                "the factor -4 is not positive");
  expectRefused(kRowsKernel, "let d = load(x).c", "split(d, 4000000000)", "split_factor",
                "too large");
  expectRefused(kProductKernel, "let l = loop(k)", "split(l, 1000000000)", "split_factor",
                "too large");
  expectRefused(kRowsKernel, "let o = load(x)", "split(o, 4)", "split_kind", "cannot be split");
}

TEST(Split, AnAxisOrALoopOfSections) {
  expectRefused(kProductKernel, "let g = loop(k).parent", "split(g.m, 4)", "split_dim",
                "is the axis of a grid");
  expectRefused(kProductKernel, "let l = loop(k)\nsections(l, {all: rest})", "split(l, 4)",
                "split_sections", "is cut into sections");
}
