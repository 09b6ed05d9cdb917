// reorder.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ScheduleTesting.h"

using namespace tessera;
using namespace tessera::testing;
using ::testing::HasSubstr;

TEST(Reorder, FactorsOfOneDim) {
  Scheduled done(kRowsKernel, "let {outer: o, inner: i} = split(load(x).c, 32)\nbind(i, lane)\n"
                              "print reorder(i, o)\nprint extent(i)");
  EXPECT_EQ(done.errors, "");
  EXPECT_EQ(iterOf(done, "tile.load"), "d1 = lane 32 * open 128");
  EXPECT_EQ(done.printed, "[load x.c.inner, load x.c.outer]\n32\n") << "cursors follow";
}

TEST(Reorder, DimsOfOneOp) {
  Scheduled done(kProductKernel, "let mm = def(acc)\nsplit(mm.m, 16); split(mm.n, 8)\n"
                                 "reorder(mm.n, mm.m)");
  EXPECT_EQ(done.errors, "");
  EXPECT_EQ(iterOf(done, "tile.mma"), "n = open 16 * open 8, m = open 8 * open 16");
}

TEST(Reorder, Loops) {
  Scheduled done(kLoopsKernel, "reorder(loop(v), loop(u))\nprint loop(v).body");
  EXPECT_EQ(done.errors, "");
  EXPECT_THAT(done.report, HasSubstr("touch different cells in steps whose order changes"));
  size_t v = done.ir.find("by 16)"), u = done.ir.find("by 8)");
  EXPECT_LT(v, u) << done.ir;
}

TEST(Reorder, LoopsThatDepend) {
  const char *crossed =
      "kernel k(y: inout view<[16, 16], f32>) {\n    grid g in 0..1\n    for i in 1..15 {\n"
      "        for j in 1..15 { y[i, j] = y[i - 1, j + 1] }\n    }\n}\n";
  expectUnsafe(crossed, "let a = loop(j), b = loop(i)", "reorder(a, b)", "reorder_dependence",
               "cannot be the outer loop", 2);
  const char *kernel =
      "kernel k(y: inout view<[64, 64], f32>) {\n    grid g in 0..1\n"
      "    for i in 1..63 {\n        for j in 1..63 { y[i, j] = y[i - 1, j + 1] }\n"
      "    }\n    for p in 1..63 {\n"
      "        for q in 1..63 { y[p, q] = y[p - 1, q - 1] }\n    }\n}\n";
  expectRefused(kernel, "let a = loop(j), b = loop(i)", "reorder(a, b)", "reorder_dependence",
                "cannot be the outer loop");
  Scheduled done(kernel, "reorder(loop(q), loop(p))");
  EXPECT_EQ(done.errors, "") << "the diagonal keeps its order";
}

TEST(Reorder, Refused) {
  expectRefused(kRowsKernel, "let d = load(x).c", "reorder(d)", "reorder_count", "has no order");
  expectRefused(kRowsKernel, "let a = load(x).r, b = store(y).r", "reorder(a, b)", "reorder_kind",
                "no dim or factor of the op of the first one");
  expectRefused(kRowsKernel, "let x = load(x)", "reorder(x.r, x.c)", "reorder_dim",
                "has no factors to nest yet");
  expectRefused(kRowsKernel, "let s = split(load(x).c, 32)", "reorder(s.outer, s.outer)",
                "reorder_twice", "is given twice");
  expectRefused(kLoopsKernel, "let a = loop(w), b = loop(u)", "reorder(a, b)", "reorder_nest",
                "`loop w` does not stand in `loop u`");
  const char *between = "kernel k(y: inout view<[64, 64], f32>, z: out view<[64], f32>) {\n"
                        "    grid g in 0..1\n    for i in 0..64 {\n        z[i] = 0.0\n"
                        "        for j in 0..64 { y[i, j] = 0.0 }\n    }\n}\n";
  expectRefused(between, "let a = loop(j), b = loop(i)", "reorder(a, b)", "reorder_nest",
                "`loop j` is not all that `loop i` does");
  expectRefused(kRowsKernel, "let s = split(load(x).c, 1)\nvectorize(s.inner)",
                "reorder(s.inner, s.outer)", "place_order", "innermost factors");
  const char *last =
      "kernel k(i: in view<[64], i64>, x: in view<[64], f32>, y: out view<[64], f32>) "
      "{\n    grid g in 0..1\n    let t = i[:]\n"
      "    store(y[t], x[:], conflict = last)\n}\n";
  expectRefused(last, "let s = split(store(y).d0, 8)", "reorder(s.inner, s.outer)", "reorder_order",
                "lets the last of two elements for one cell win");
  const char *triangle =
      "kernel k(y: inout view<[64, 64], f32>) {\n    grid g in 0..1\n"
      "    for i in 0..64 {\n        for j in 0..i { y[i, j] = 0.0 }\n    }\n}\n";
  expectRefused(triangle, "let a = loop(j), b = loop(i)", "reorder(a, b)", "reorder_bound",
                "a bound of `loop j` depends on `loop i`");
}

TEST(Reorder, TheLastOneWins) {
  const char *kernel = "kernel k(i: in view<[8, 8], i64>, x: in view<[8, 8], f32>, "
                       "y: out view<[64], f32>) {\n    grid g in 0..1\n    let t = i[:, :] % 8\n"
                       "    store(y[t], x[:, :], conflict = last)\n}\n";
  expectUnsafe(kernel, "let s = store(y)\nbind(s.d0, reg); bind(s.d1, reg)", "reorder(s.d1, s.d0)",
               "reorder_order", "lets the last of two elements for one cell win");
}

TEST(Reorder, CarriedValuesStayInOrder) {
  const char *kernel =
      "kernel k(x: in view<[4, 4, 8], f32>, y: out view<[8], f32>) {\n    grid g in 0..1\n"
      "    var s = zeros(f32, [8])\n    for i in 0..4 {\n"
      "        for j in 0..4 { s = s * 2.0 + x[i, j, :] }\n    }\n    y[:] = s\n}\n";
  expectUnsafe(kernel, "let a = loop(j), b = loop(i)", "reorder(a, b)", "reorder_carried",
               "carries a value, whose order is kept", 2);
  Scheduled trusted(kernel,
                    "trust(\"any order\") { reorder(loop(j), loop(i)) }\nprint loop(j).body");
  EXPECT_EQ(trusted.errors, "");
  EXPECT_THAT(trusted.report, HasSubstr("(reason: any order)"));
  const char *more =
      "kernel k(x: in view<[4, 4, 8], f32>, y: out view<[8], f32>) {\n    grid g in 0..1\n"
      "    var s = zeros(f32, [8])\n    for i in 0..4 {\n        var t = s * 2.0\n"
      "        for j in 0..4 { t = t + x[i, j, :] }\n        s = t\n    }\n    y[:] = s\n}\n";
  expectRefused(more, "", "reorder(loop(j), loop(i))", "reorder_nest", "is not all that");
  const char *apart =
      "kernel k(x: in view<[4, 4, 8], f32>, y: out view<[8], f32>) {\n    grid g in 0..1\n"
      "    var s = zeros(f32, [8])\n    for i in 0..4 {\n        var t = zeros(f32, [8])\n"
      "        for j in 0..4 { t = t + x[i, j, :] }\n        s = t\n    }\n    y[:] = s\n}\n";
  expectRefused(apart, "", "reorder(loop(j), loop(i))", "reorder_nest", "");
}

TEST(Reorder, WhatHappensInOrder) {
  const char *kernel =
      "kernel k(y: out view<[3, 3], f32>) {\n    grid g in 0..1\n    for i in 0..3 {\n"
      "        for j in 0..3 {\n            print(i * 3 + j)\n            y[i, j] = 1.0\n"
      "        }\n    }\n}\n";
  expectUnsafe(kernel, "", "reorder(loop(j), loop(i))", "reorder_order", "happens in order", 2);
}
