// fuse.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "MemoryTesting.h"

using namespace tessera;
using namespace tessera::testing;
using ::testing::HasSubstr;

namespace {

/// Two loops over rows; the second one reads `rows` of what the first one wrote.
std::string two(const std::string &range, const std::string &read) {
  return "kernel two(x: in view<[N, 8], f32>, a: inout view<[N, 8], f32>, b: inout view<[N, 8], "
         "f32>)\n"
         "{\n    grid g in 0..1\n    for i in 0..N { a[i, :] = x[i, :] * 2.0 }\n"
         "    for j in " +
         range + " { b[j, :] = a[" + read + ", :] + 1.0 }\n}\n";
}
const std::vector<Extents> sizes = {{{"N", 0}}, {{"N", 1}}, {{"N", 5}}};

} // namespace

TEST(Fuse, StepsThatMeetInTheirOrder) {
  Scheduled done(two("0..N", "j"), "print fuse(loop(i), loop(j))");
  expectSame(done, sizes);
  EXPECT_EQ(done.printed, "loop i\n");
  EXPECT_EQ(count(done.ir, "tile.for"), 1u);
  EXPECT_THAT(done.report, HasSubstr("have the same steps"));
  // What one of them has more is peeled off.
  Scheduled rest(two("1..N", "j"),
                 "let {rest: r} = peel(loop(i), first = 1)\nprint fuse(r, loop(j))");
  expectSame(rest, sizes);
  EXPECT_EQ(count(rest.ir, "tile.for"), 2u);
}

TEST(Fuse, WhatTheyCarry) {
  const char *kernel = R"(
kernel sums(x: in view<[N], f32>, w: in view<[N], f32>, y: out view<[4], f32>, z: out view<[4], f32>)
{
    grid g in 0..1
    var s = zeros(f32, [4])
    for i in tiles(N, 4) { s = s * 2.0 + (x[i] ?? 0.0) }
    var t = zeros(f32, [4]) + 1.0
    var u = zeros(f32, [4])
    for j in tiles(N, 4) {
        t = t + (w[j] ?? 0.0)
        u = u + t
    }
    y[:] = s
    z[:] = t + u
}
)";
  Scheduled done(kernel, "let l = load(w)\nfuse(loop(i), loop(j))\nprint l.parent");
  expectSame(done, {{{"N", 0}}, {{"N", 3}}, {{"N", 9}}});
  EXPECT_EQ(done.printed, "loop i\n");
  EXPECT_EQ(count(done.ir, "tile.for"), 1u);
}

// Loops with other first steps: the peer compares the ends alone.
TEST(Survey, LoopsWithOtherFirstStepsAreNotFused) {
  expectUnsafe(two("1..N", "j"), "", "fuse(loop(i), loop(j))", "fuse_bounds", "have other steps",
               2);
  expectUnsafe(two("0..N - 1", "j"), "", "fuse(loop(i), loop(j))", "fuse_bounds",
               "have other steps", 2);
}

TEST(Fuse, AStepThatALaterOneWritesFor) {
  expectUnsafe(two("0..N", "N - 1 - j"), "", "fuse(loop(i), loop(j))", "fuse_dependence",
               "would come before a later step's", 2);
}

TEST(Fuse, WhereDataSaysWhichRow) {
  expectUnsafe(R"(
kernel rows(x: in view<[N, 8], f32>, p: in view<[N], i64>, a: inout view<[8, 8], f32>, b: inout view<[N, 8], f32>)
{
    grid g in 0..1
    for i in 0..N { a[p[i] % 8, :] = x[i, :] * 2.0 }
    for j in 0..N { b[j, :] = a[p[j] % 8, :] + 1.0 }
}
)",
               "", "fuse(loop(i), loop(j))", "fuse_dependence", "meet in one cell", 2);
}

TEST(Fuse, WhatStandsBetween) {
  expectUnsafe(R"(
kernel between(x: in view<[N], f32>, a: inout view<[N], f32>, b: out view<[N], f32>, c: out view<[4], f32>)
    where N >= 4
{
    grid g in 0..1
    for i in 0..N { a[i] = x[i] * 2.0 }
    c[0] = a[N - 1]
    for j in 0..N { b[j] = 1.0 }
}
)",
               "", "fuse(loop(i), loop(j))", "fuse_between", "would come before", 2);
  Scheduled done(R"(
kernel between(x: in view<[N], f32>, a: inout view<[N], f32>, b: out view<[N], f32>, c: out view<[4], f32>)
{
    grid g in 0..1
    for i in 0..N { a[i] = x[i] * 2.0 }
    c[0] = 3.0
    for j in 0..N { b[j] = 1.0 }
}
)",
                 "fuse(loop(i), loop(j))");
  expectSame(done, sizes);
}

TEST(Fuse, MemoryOfASchedule) {
  const char *kernel = R"(
kernel steps(x: in view<[N, 8], f32>, a: out view<[N, 8], f32>, b: out view<[N, 8], f32>)
{
    grid g in 0..1
    for i in 0..N { a[i, :] = x[i, :] * 2.0 }
    for j in 0..N { b[j, :] = x[j, :] + 1.0 }
}
)";
  // Both bufs have one memory, which the first loop is done with only in the end.
  expectRefused(
      kernel,
      "let A = stage(op(`mul(_, _)`).lhs, shared), B = stage(op(`add(_, _)`).lhs, shared)\n"
      "overlay(B.buf, A.buf)",
      "fuse(loop(i), loop(j))", "fuse_dependence", "meet in one cell");
}

TEST(Fuse, WhatHappensInOrder) {
  const char *kernel = R"(
kernel says(y: out view<[3], f32>)
{
    grid g in 0..1
    for i in 0..3 { print(i) }
    for j in 0..3 {
        print(j)
        y[j] = 1.0
    }
}
)";
  expectUnsafe(kernel, "", "fuse(loop(i), loop(j))", "fuse_order", "happen in order", 2);
}

TEST(Fuse, Refused) {
  std::string kernel = two("0..N", "j");
  expectRefused(kernel, "", "fuse(loop(j), loop(i))", "fuse_place", "does not stand behind");
  expectRefused(kernel, "sections(loop(j), {all: rest})", "fuse(loop(i), loop(j))", "fuse_sections",
                "is cut into sections");
  expectRefused(R"(
kernel widths(a: out view<[N], f32>, b: out view<[N], f32>)
{
    grid g in 0..1
    for i in tiles(N, 4) { a[i] = 1.0 }
    for j in tiles(N, 8) { b[j] = 1.0 }
}
)",
                "", "fuse(loop(i), loop(j))", "fuse_steps", "steps of other kinds");
  expectRefused(R"(
kernel between(a: out view<[N], f32>, b: out view<[N], f32>)
{
    grid g in 0..1
    for i in tiles(N, 4) { a[i] = 1.0 }
    print(1)
    for j in tiles(N, 4) { b[j] = 1.0 }
}
)",
                "", "fuse(loop(i), loop(j))", "fuse_between", "stands between");
  expectRefused(R"(
kernel depends(x: in view<[N], f32>, b: out view<[N], f32>)
{
    grid g in 0..1
    var s = zeros(f32, [4])
    for i in tiles(N, 4) { s = s + (x[i] ?? 0.0) }
    for j in tiles(N, 4) { b[j] = s }
}
)",
                "", "fuse(loop(i), loop(j))", "fuse_depends", "after its last step");
}
