// compute_at.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "MemoryTesting.h"

using namespace tessera;
using namespace tessera::testing;
using ::testing::HasSubstr;

namespace {

const char *const kNorm = R"(
kernel norm(x: in view<[M, K], f32>, w: in view<[K, N], f32>, v: in view<[M], f32>, y: out view<[M, N], f32>)
    where K <= 64
{
    grid m in tiles(M, 8), n in tiles(N, 8)
    let row = whole(K, width = 64)
    let f = v[m] * 2.0
    let s = sum(x[m, row], axis = 1)
    var acc = zeros(f32, [8, 8])
    for k in tiles(K, 16) {
        let h = x[m, k] * s[:, _] + f[:, _]
        acc = mma(h, w[k, n], acc)
    }
    y[m, n] = acc
}
)";
const std::vector<Extents> sizes = {{{"M", 9}, {"N", 5}, {"K", 50}},
                                    {{"M", 8}, {"N", 8}, {"K", 64}},
                                    {{"M", 1}, {"N", 1}, {"K", 0}}};

} // namespace

TEST(ComputeAt, IntoTheLoopOfItsUser) {
  Scheduled done(kNorm, "let f = compute_at(def(f), loop(k))\nprint f");
  expectSame(done, sizes);
  size_t loop = done.ir.find("tile.for");
  EXPECT_LT(done.before.find("tile.mul"), done.before.find("tile.for"));
  EXPECT_GT(done.ir.find("tile.mul"), loop);
}

TEST(ComputeAt, BeforeALoop) {
  Scheduled done(kNorm, "compute_at(def(f), before = loop(k))");
  expectSame(done, sizes);
  EXPECT_GT(done.ir.find("tile.mul"), done.ir.find("tile.reduce"));
  EXPECT_LT(done.ir.find("tile.mul"), done.ir.find("tile.for"));
}

TEST(ComputeAt, OnlyThePartThatIsNeeded) {
  const char *kernel = R"(
kernel parts(x: in view<[32], f32>, y: out view<[N, 16], f32>)
{
    grid g in 0..1
    let e = exp(x[:])
    for i in 0..N { y[i, :] = e[8..24] }
}
)";
  Scheduled done(kernel, "compute_at(def(e), loop(i))");
  expectSame(done, {{{"N", 3}}, {{"N", 0}}});
  EXPECT_THAT(done.lines("tile.exp"), HasSubstr("tensor<16xf32>"));
  EXPECT_THAT(done.report, HasSubstr("in [8, 24)"));
}

TEST(ComputeAt, Refused) {
  expectRefused(kNorm, "", "compute_at(def(s), loop(k))", "compute_at_class",
                "needs all of [0, K) along `row`, and a step of `loop k` has 16 of them");
  expectRefused(kNorm, "", "compute_at(def(f))", "compute_at_where", "in a loop, or before one");
  expectRefused(kNorm, "", "compute_at(def(h), loop(k))", "compute_at_inside", "is made in");
  expectRefused(kNorm, "", "compute_at(store(y), before = loop(k))", "compute_at_pure",
                "more than give");
}

TEST(ComputeAt, IntoTheSectionOfItsUser) {
  const char *const cut = "sections(loop(k), {load: [load(w)], use: rest})\n";
  Scheduled done(kNorm, std::string(cut) + "compute_at(def(f), loop(k))");
  expectSame(done, sizes);
  EXPECT_GT(done.ir.find("tile.mul"), done.ir.find("tile.section @use"));
  // A load, too, is no op that may stand beside sections.
  Scheduled load(kNorm, std::string(cut) + "compute_at(def(f), loop(k))\n"
                                           "compute_at(load(v), loop(k))");
  expectSame(load, sizes);
  EXPECT_GT(load.ir.find("tile.load %v"), load.ir.find("tile.section @use"));
}

TEST(ComputeAt, BesideSections) {
  const char *kernel = R"(
kernel both(x: in view<[M, K], f32>, v: in view<[M], f32>, y: out view<[M], f32>, z: out view<[M, K], f32>)
{
    grid m in tiles(M, 8)
    let f = v[m] * 2.0
    let g = v[m] - 2.0
    var total = zeros(f32, [8])
    for k in tiles(K, 16) {
        z[m, k] = x[m, k] * f[:, _]
        for j in tiles(K, 8) {
            let u = x[m, j]
            let t = u * g[:, _]
            total = total + sum(t, axis = 1)
        }
    }
    y[m] = total
}
)";
  const char *const inner = "sections(loop(j), {one: [def(u), def(t)], two: rest})\n";
  const std::string outer = std::string(inner) + "sections(loop(k), {all: rest})\n";
  expectRefused(kernel, outer, "compute_at(def(g), loop(k))", "compute_at_beside",
                "beside the sections of `loop k`");
  expectRefused(kernel, outer, "compute_at(def(g), before = loop(j))", "compute_at_beside",
                "would stand before `loop j` beside sections");
  Scheduled done(kernel, outer + "compute_at(def(g), loop(j))");
  expectSame(done, {{{"M", 9}, {"K", 20}}, {{"M", 1}, {"K", 0}}});
  EXPECT_GT(done.ir.find("tile.sub"), done.ir.find("tile.section @one"));
}

// Done again over a write that came after it: the peer lets it pass.
TEST(Survey, WhatAStepHasWrittenIsNotReadAgain) {
  // Done again in a step, the load would see what the step before has cleared.
  const char *kernel = R"(
kernel shift(a: inout view<[8], f32>, b: out view<[8], f32>)
{
    grid g in 0..1
    let l = a[:]
    for i in 0..8 {
        b[i] = max(l, axis = 0)
        a[i] = 0.0
    }
}
)";
  expectUnsafe(kernel, "", "compute_at(def(l), loop(i))", "compute_at_written",
               "has written by then", 2);
}

TEST(ComputeAt, WhatChangesMemoryIsDoneOnce) {
  const char *kernel = R"(
kernel counts(a: inout view<[8], i32>, b: out view<[4, 8], i32>)
{
    grid g in 0..1
    let l = atomic_add(a[:], zeros(i32, [8]) + 1, old = true, order = any)
    for i in 0..4 { b[i, :] = l * 2 }
}
)";
  expectUnsafe(kernel, "", "compute_at(def(l), loop(i))", "compute_at_effect",
               "changes memory each time", 2);
}

// A buf whose value lives from step to step, made in the loop: the peer lets it pass.
TEST(Survey, MemoryIsNotMadeAnewInEachStep) {
  expectRefused(kNorm, "let s = stage(def(acc).b, shared)", "compute_at(s.buf, loop(k))",
                "compute_at_memory", "lives from step to step");
}

TEST(ComputeAt, OtherPlaces) {
  expectRefused(kNorm, "", "compute_at(def(h), before = loop(k))", "compute_at_place",
                "does not stand before");
  expectRefused(kNorm, "", "compute_at(def(f), loop(k).parent)", "compute_at_loop", "is no loop");
  const char *kernel = R"(
layout two = (1, 2) : (0, 1)
instr twice(d: out frag<[2], f32, two>, a: frag<[2], f32, two>)
    on sm_80 scope thread order exact ptx "dbl {d}, {a};" { d = a * 2.0 }
kernel done(x: in view<[M, 16], f32>, y: out view<[N, M, 16], f32>)
{
    grid r in tiles(M, 4)
    let u = x[r, :]
    let h = u * 2.0
    for n in 0..N { y[n, r, :] = h }
}
)";
  Scheduled::Options options;
  options.instructions = true;
  expectRefused(kernel, "let h = def(h)\nreplace(h, twice)", "compute_at(h, before = loop(n))",
                "compute_at_done", "is done by an instruction", options);
}
