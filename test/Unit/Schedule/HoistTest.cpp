// hoist.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "MemoryTesting.h"

using namespace tessera;
using namespace tessera::testing;
using ::testing::HasSubstr;

static const std::vector<Extents> sizes = {
    {{"M", 1}, {"N", 0}}, {{"M", 5}, {"N", 3}}, {{"M", 4}, {"N", 1}}};

/// Whether the first op of a name stands before the loop.
static bool isBeforeLoop(const Scheduled &done, llvm::StringRef op) {
  return done.ir.find(op.str()) < done.ir.find("tile.for");
}

TEST(Hoist, AnOpWithWhatItNeeds) {
  Scheduled done(kSteps, "hoist(op(`mul(load(x, ..), _)`), loop(n))");
  expectSame(done, sizes);
  EXPECT_TRUE(isBeforeLoop(done, "tile.load"));
  EXPECT_TRUE(isBeforeLoop(done, "tile.mul"));
}

TEST(Hoist, AStagedCopyAndItsRead) {
  Scheduled done(kSteps, "let X = stage(op(`mul(load(x, ..), _)`).lhs, shared)\n"
                         "hoist([X.copy, X.read], loop(n))");
  expectSame(done, sizes);
  EXPECT_TRUE(isBeforeLoop(done, "tile.copy"));
  EXPECT_TRUE(isBeforeLoop(done, "tile.read"));
  EXPECT_THAT(done.report, HasSubstr("is seen in the loop"));
}

TEST(Hoist, OnlyTheCopy) {
  Scheduled done(kSteps,
                 "let X = stage(op(`mul(load(x, ..), _)`).lhs, shared)\nhoist(X.copy, loop(n))\n"
                 "hoist(X.read, loop(n))");
  expectSame(done, sizes);
  EXPECT_TRUE(isBeforeLoop(done, "tile.read"));
}

TEST(Hoist, WhatStandsBeforeStays) {
  Scheduled done(kSteps, "let l = load(x)\nhoist(l, loop(n))\nhoist(l, loop(n))");
  expectSame(done, sizes);
  EXPECT_THAT(done.report, HasSubstr("stands before `loop n` already"));
}

//===-- Refused ----------------------------------------------------------------------------------------------------===//

TEST(Hoist, WhatDependsOnTheStep) {
  expectRefused(kSteps, "", "hoist(load(w), loop(n))", "hoist_depends", "the step of `loop n`");
}

TEST(Hoist, WhatIsCarried) {
  expectRefused(kSteps, "", "hoist(def(acc), loop(n))", "hoist_depends", "depends on");
}

TEST(Hoist, TheReadAlone) {
  expectUnsafe(kSteps, "let X = stage(op(`mul(load(x, ..), _)`).lhs, shared)",
               "hoist(X.read, loop(n))", "hoist_effects", "`x.copy` writes what `x.read` reads", 2);
}

TEST(Hoist, AnotherLoop) {
  expectRefused(kLoopsKernel, "", "hoist(load(i), loop(u))", "hoist_outside", "is not in `loop u`");
}

TEST(Hoist, AnInnerLoop) {
  const char *kernel = R"(
kernel nested(x: in view<[8], f32>, y: out view<[N, N, 8], f32>)
{
    grid g in 0..1
    for i in 0..N { for j in 0..N { y[i, j, :] = x[:] * 2.0 } }
})";
  expectRefused(kernel, "", "hoist(load(x), loop(i))", "hoist_inner", "inside of `loop i`");
  Scheduled done(kernel, "hoist(load(x), loop(j))\nhoist(load(x), loop(i))");
  expectSame(done, {{{"N", 0}}, {{"N", 3}}});
}

TEST(Hoist, WhatAStepWrites) {
  const char *kernel = R"(
kernel feeds(z: inout view<[8], f32>, y: out view<[N, 8], f32>)
{
    grid g in 0..1
    for i in 0..N {
        y[i, :] = z[:]
        z[:] = z[:] + 1.0
    }
})";
  expectUnsafe(kernel, "", "hoist(op(`store(load(z, ..), ..)`).value.op, loop(i))", "hoist_effects",
               "writes what", 2);
}

TEST(Hoist, WhatAStepWritesBySpans) {
  const char *kernel = R"(
kernel feeds(z: inout view<[N], f32>, y: out view<[M, N], f32>)
    where N <= 8, N >= 1
{
    grid g in 0..1
    let c = whole(N, width = 8)
    for i in 0..M {
        y[i, c] = z[c]
        z[c] = z[c] + 1.0
    }
})";
  expectUnsafe(kernel, "", "hoist(op(`store(load(z, ..), ..)`).value.op, loop(i))", "hoist_effects",
               "writes what", 2);
}

TEST(Hoist, WhereDataSaysWhichRow) {
  expectUnsafe(R"(
kernel rows(p: in view<[8], i64>, z: inout view<[8, 8], f32>, y: out view<[M, 8, 8], f32>)
{
    grid g in 0..1
    let t = p[:] % 8
    for i in 0..M {
        y[i, :, :] = z[t, :]
        z[i % 8, :] = zeros(f32, [8]) + 7.0
    }
})",
               "", "hoist(op(`store(load(z, ..), ..)`).value.op, loop(i))", "hoist_effects",
               "depends on data", 2);
}

TEST(Hoist, OtherCellsAreProved) {
  const char *kernel = R"(
kernel apart(z: inout view<[M, 8], f32>, y: out view<[M, 8], f32>)
    where M >= 1
{
    grid g in 0..1
    for i in 1..M {
        y[i, :] = z[0, :]
        z[i, :] = y[i, :]
    }
})";
  Scheduled done(kernel, "hoist(op(`store(load(z, ..), ..)`).value.op, loop(i))");
  expectSame(done, {{{"M", 1}}, {{"M", 4}}});
  EXPECT_THAT(done.report, HasSubstr("touch different cells"));
}

TEST(Hoist, APrint) {
  const char *kernel = R"(
kernel says(x: in view<[8], f32>, y: out view<[N, 8], f32>)
{
    grid g in 0..1
    for i in 0..N {
        print(1)
        y[i, :] = x[:]
    }
})";
  expectUnsafe(kernel, "", "hoist(op(`print(_)`), loop(i))", "hoist_effect",
               "happens in every step", 2);
}

TEST(Hoist, ALoopWithoutStepAndALoadThatCouldFail) {
  const char *kernel = R"(
kernel trap(x: in view<[M, 8], f32>, p: i64, y: out view<[N, 8], f32>)
{
    grid g in 0..1
    for i in 0..N { y[i, :] = x[p, :] }
})";
  expectUnsafe(kernel, "", "hoist(load(x), loop(i))", "hoist_trap", "may have no step", 2);
  std::string runs = kernel;
  runs.insert(runs.find("{"), "    where N >= 1\n");
  Scheduled done(runs, "hoist(load(x), loop(i))");
  EXPECT_EQ(done.errors, "");
}

TEST(Hoist, AStoreInALoopWithoutStep) {
  const char *kernel = R"(
kernel zero(x: in view<[N], f32>, y: inout view<[8], f32>)
{
    grid g in 0..1
    for i in 0..N { y[:] = zeros(f32, [8]) }
})";
  expectUnsafe(kernel, "", "hoist(store(y), loop(i))", "hoist_zero_trip", "is looked at outside",
               2);
}

TEST(Hoist, WhatOneStepDoesAndAnotherDoesNot) {
  const char *kernel = R"(
kernel sometimes(x: in view<[4], i32>, y: inout view<[8], f32>)
{
    grid g in 0..1
    for i in 0..4 {
        if x[i] > 0 { y[:] = zeros(f32, [8]) }
    }
})";
  expectUnsafe(kernel, "", "hoist(store(y), loop(i))", "hoist_inner", "or not at all", 2);
}

TEST(Hoist, WhatChangesMemoryInEachStep) {
  const char *kernel = R"(
kernel counts(y: inout view<[8], i32>)
{
    grid g in 0..1
    for i in 0..4 { atomic_add(y[:], zeros(i32, [8]) + 1) }
})";
  expectUnsafe(kernel, "", "hoist(op(`atomic(..)`), loop(i))", "hoist_atomic",
               "changes memory in every step", 2);
}

TEST(Hoist, OutOfALoopInATurn) {
  const char *kernel = R"(
kernel turns(x: in view<[N, 8], f32>, y: out view<[N, 4, 8], f32>)
{
    grid g in 0..1
    for n in 0..N {
        let t = x[n, :]
        for i in 0..4 { y[n, i, :] = t * 2.0 }
    }
})";
  const char *const body = "let X = stage(op(`mul(_, _)`).lhs, shared)\n"
                           "hoist(X.copy, loop(i))\n"
                           "sections(loop(n), {load: [X.copy], use: rest})\nring([X.buf], 2)\n";
  Scheduled done(kernel, std::string(body) + "hoist(X.read, loop(i))\nauto_sync(self)");
  expectSame(done, {{{"N", 0}}, {{"N", 3}}});
  expectSealed(done.ir, {{{"N", 3}}});
  EXPECT_LT(done.ir.find("tile.read"), done.ir.find("to %c4"));
  expectRefused(kernel, body, "hoist(op(`acquire(_)`), loop(n))", "hoist_turn",
                "a turn of its ring");
}

TEST(Hoist, WhatItNeedsFirst) {
  expectRefused(kSteps, "let X = stage(op(`mul(load(x, ..), _)`).lhs, shared)",
                "hoist(op(`mul(read(..), _)`), loop(n))", "hoist_needs", "which touches memory");
}

TEST(Hoist, ASection) {
  const char *const cut = "let s = sections(loop(n), {load: [load(x)], use: rest})\n";
  expectRefused(kSteps, cut, "hoist(s.load, loop(n))", "hoist_section",
                "is a part of the steps of `loop n`");
  Scheduled done(kSteps, std::string(cut) + "explicit_pads()");
  EXPECT_EQ(done.errors, "");
}

TEST(Hoist, BesideSections) {
  const char *kernel = R"(
kernel both(x: in view<[M, K], f32>, v: in view<[M], f32>, y: out view<[M], f32>, z: out view<[M, K], f32>)
    where K >= 1
{
    grid m in tiles(M, 8)
    var total = zeros(f32, [8])
    for k in tiles(K, 16) {
        z[m, k] = x[m, k]
        for j in tiles(K, 8) { total = total + sum(x[m, j] * v[m][:, _], axis = 1) }
    }
    y[m] = total
}
)";
  expectRefused(kernel, "sections(loop(j), {all: rest})\nsections(loop(k), {all: rest})",
                "hoist(load(v), loop(j))", "hoist_sections", "nothing may touch tiles or memory");
}
