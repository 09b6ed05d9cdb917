// realize.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "MemoryTesting.h"

#include "tessera/Interpreter/KernelRun.h"

using namespace tessera;
using namespace tessera::testing;
using ::testing::HasSubstr;

namespace {

const char *const kWhole = R"(
kernel product(a: in view<[M, K], bf16>, b: in view<[K, N], bf16>, d: out view<[M, N], f32>)
    where K <= 64
{
    grid m in tiles(M, 16), n in tiles(N, 8)
    let k = whole(K, width = 64)
    d[m, n] = mma(a[m, k], b[k, n])
}
)";
const std::vector<Extents> sizes = {{{"M", 17}, {"N", 9}, {"K", 50}},
                                    {{"M", 16}, {"N", 8}, {"K", 64}},
                                    {{"M", 3}, {"N", 1}, {"K", 0}}};

const char *const kRows = R"(
kernel rows(x: in view<[M, N], f32>, s: out view<[M], f32>, t: out view<[M], f32>, u: out view<[M], f32>,
            y: out view<[M, N], f32>)
    where N <= 32
{
    grid r in tiles(M, 8)
    let c = whole(N, width = 32)
    let e = x[r, c]
    let tree = sum(e, axis = 1)
    let most = max(e * 2.0, axis = 1)
    let loose = sum(e, axis = 1, order = any)
    s[r] = tree
    t[r] = most
    u[r] = loose
    y[r, c] = e * e + 1.0
}
)";
const std::vector<Extents> rows = {
    {{"M", 9}, {"N", 21}}, {{"M", 8}, {"N", 32}}, {{"M", 1}, {"N", 1}}, {{"M", 2}, {"N", 0}}};

} // namespace

TEST(Realize, ALoopOverTheSumOfAProduct) {
  Scheduled done(
      kWhole,
      "let {outer: o, inner: i} = realize(split(op(`mma(_, _, _)`).k, 16))\nprint o; print i");
  expectSame(done, sizes);
  EXPECT_THAT(done.lines("tile.for"), HasSubstr("by 16) carry("));
  EXPECT_EQ(count(done.ir, "tile.load"), 2u) << "the whole loads are gone";
  EXPECT_EQ(iterOf(done, "tile.mma"), "k = open 16");
  EXPECT_EQ(done.printed.substr(0, 4), "loop");
}

TEST(Realize, ALoopOverWhatIsStored) {
  Scheduled done(kRows, "realize(split(store(y).r, 2).outer)");
  expectSame(done, rows);
  EXPECT_THAT(done.lines("tile.for"), HasSubstr("by 2)"));
  Scheduled columns(kRows, "realize(split(store(y).c, 5).outer)");
  expectSame(columns, rows);
}

TEST(Realize, ReductionsThatMayBeCut) {
  Scheduled max(kRows, "realize(split(def(most).c, 8).outer)");
  expectSame(max, rows);
  EXPECT_EQ(count(max.ir, "tile.max"), 1u);
  Scheduled any(kRows, "realize(split(def(loose).c, 8).outer)");
  EXPECT_EQ(any.errors, "");
  Parsed before(any.before), after(any.ir);
  for (const Extents &extents : rows) {
    // Integers: sums are the same in every order.
    auto wanted = runKernel(before.kernel(), extents, 3, {}, RunContents::integers);
    auto found = runKernel(after.kernel(), extents, 3, {}, RunContents::integers);
    ASSERT_TRUE(wanted && found);
    EXPECT_EQ(found->difference(*wanted), "");
  }
}

TEST(Realize, StepsSideBySide) {
  Scheduled done(kRows, "realize(bind(split(store(y).r, 2).outer, warp))");
  expectSame(done, rows);
  EXPECT_THAT(done.lines("tile.par"), HasSubstr("tile.par warp 4"));
  EXPECT_THAT(done.ir, HasSubstr("tile.warps = 4"));
}

TEST(Realize, CopiesOneAfterTheOther) {
  Scheduled done(kWhole, "realize(unroll(split(op(`mma(_, _, _)`).k, 16).outer))");
  expectSame(done, sizes);
  EXPECT_EQ(count(done.ir, "tile.mma"), 4u);
  EXPECT_EQ(count(done.ir, "tile.slice"), 8u);
  Scheduled rowsOf(kWhole, "realize(unroll(split(op(`mma(_, _, _)`).m, 8).outer))");
  expectSame(rowsOf, sizes);
  EXPECT_EQ(count(rowsOf.ir, "tile.cat"), 1u);
  Scheduled stored(kRows, "realize(unroll(split(store(y).c, 24).outer))");
  expectSame(stored, rows);
  EXPECT_EQ(count(stored.ir, "tile.store"), 5u);
}

TEST(Realize, Refused) {
  expectUnsafe(kRows, "let d = split(def(tree).c, 8).outer", "realize(d)", "realize_class",
               "in the order of the tree");
  expectUnsafe(kRows, "let d = unroll(split(def(tree).c, 8).outer)", "realize(d)", "realize_class",
               "in the order of the tree");
  expectRefused(kWhole, "let d = split(op(`mma(_, _, _)`).m, 8).outer", "realize(d)",
                "realize_register", "lie in registers");
  expectRefused(kWhole, "", "realize(op(`mma(_, _, _)`).m)", "realize_factor", "has no factors");
  expectRefused(kWhole, "let d = split(split(op(`mma(_, _, _)`).k, 32).inner, 8).outer",
                "realize(d)", "realize_outer", "all over the dim");
  expectRefused(kWhole, "let d = bind(split(op(`mma(_, _, _)`).k, 32).outer, warp)", "realize(d)",
                "realize_parallel", "no value to put together");
  expectRefused(kRows, "let d = bind(split(store(y).c, 8).outer, lane)", "realize(d)",
                "realize_place", "no loop over it");
  expectRefused(kRows, "let s = stage(def(tree).x, shared)\nlet d = split(s.write.d1, 8).outer",
                "realize(d)", "realize_slot", "covers a slot");
}

TEST(Realize, WhatTheKernelWritesIsNotReadAgain) {
  expectRefused(R"(
kernel clear(b: inout view<[16], f32>)
{
    grid g in 0..1
    let t = b[:]
    b[:] = flip(t, axis = 0)
}
)",
                "let d = split(store(b).d0, 4).outer", "realize(d)", "realize_slice",
                "lies in registers");
  expectRefused(R"(
kernel add(b: inout view<[16], f32>)
{
    grid g in 0..1
    let t = b[:]
    b[:] = t + 1.0
}
)",
                "let d = split(store(b).d0, 4).outer", "realize(d)", "realize_written",
                "may have written what it reads");
}

TEST(Realize, ALoadThatWouldSeeWhatAStepWrote) {
  expectUnsafe(R"(
kernel shift(b: inout view<[24], f32>)
{
    grid g in 0..1
    let c = whole(16, width = 16)
    let t = b.slice(0, 0, 16)[c]
    b.slice(0, 8, 24)[c] = t + 1.0
}
)",
               "let d = split(store(b).c, 4).outer", "realize(d)", "realize_written",
               "may have written what it reads", 2);
}

TEST(Realize, WhatHasNoParts) {
  const char *scan = "kernel k(x: in view<[M, 64], f32>, y: out view<[M, 64], f32>) {\n"
                     "    grid m in tiles(M, 4)\n    let s = cumsum(x[m, :], axis = 1)\n"
                     "    y[m, :] = s\n}\n";
  expectRefused(scan, "let d = split(def(s).r, 8).outer", "realize(d)", "realize_parts",
                "cannot be combined");
}

TEST(Realize, TheLastOneWins) {
  const char *kernel = "kernel k(i: in view<[64], i64>, x: in view<[64], f32>, "
                       "y: out view<[64], f32>) {\n    grid g in 0..1\n    let t = i[:] % 8\n"
                       "    store(y[t], x[:], conflict = last)\n}\n";
  // Only a `bind` that is believed puts the factor there.
  expectRefused(kernel,
                "let d = split(store(y).d0, 32).outer\ntrust(\"no two are one\") { bind(d, warp) }",
                "realize(d)", "realize_order", "there is no last one");
}

TEST(Realize, WhatCannotBeCut) {
  const char *flips = "kernel k(x: in view<[64], f32>, y: out view<[64], f32>) {\n"
                      "    grid g in 0..1\n    let s = flip(x[:], axis = 0)\n    y[:] = s\n}\n";
  expectRefused(flips, "let d = unroll(split(def(s).d0, 8).outer)", "realize(d)", "realize_op",
                "cannot be cut into parts");
  expectRefused(kRowsKernel, "let d = unroll(split(store(y).c, 8).outer)", "realize(d)",
                "realize_size", "512 copies are more than");
  const char *kernel =
      "kernel k(a: in view<[M, 16], bf16>, b: in view<[16, 8], bf16>, d: out view<[M, 8], f32>) {\n"
      "    grid m in tiles(M, 32)\n    let t = mma(a[m, :], b[:, :])\n    d[m, :] = t\n}\n";
  Scheduled::Options options;
  options.instructions = true;
  expectRefused(
      kernel, "let t = def(t), w = bind(split(t.m, 16).outer, warp)\nreplace(t, mma_m16n8k16_bf16)",
      "realize(w)", "realize_done", "is done by an instruction", options);
}

// A row without elements stays one: the maximum along the joined axis would be that of nothing.
TEST(Realize, PartsOfRowsThatAreAbsent) {
  const char *kernel = R"(
kernel tops(x: in view<[M, N], f32>, y: out view<[8], f32>)
    where M <= 8, N <= 16
{
    grid g in 0..1
    let t = x[whole(M, width = 8), whole(N, width = 16)]
    let top = max(t * 2.0, axis = 1) ?? 127.0
    y[:] = top
}
)";
  const char *cut = "let d = unroll(split(load(x).d1, 8).outer)";
  expectUnsafe(kernel, cut, "realize(d)", "realize_absence", "do not say along which axes", 2);
  const char *stored = R"(
kernel doubled(x: in view<[M, N], f32>, y: out view<[M, N], f32>)
    where M <= 8, N <= 16
{
    grid g in 0..1
    let r = whole(M, width = 8)
    let c = whole(N, width = 16)
    y[r, c] = x[r, c] * 2.0
}
)";
  Scheduled done(stored, "realize(unroll(split(load(x).c, 8).outer))");
  EXPECT_EQ(done.errors, "");
}
