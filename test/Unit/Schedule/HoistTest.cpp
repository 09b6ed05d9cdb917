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
  expectRefused(kSteps, "let X = stage(op(`mul(load(x, ..), _)`).lhs, shared)",
                "hoist(X.read, loop(n))", "hoist_effects", "`x.copy` writes what `x.read` reads");
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
  expectRefused(kernel, "", "hoist(op(`store(load(z, ..), ..)`).value.op, loop(i))",
                "hoist_effects", "writes what");
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
  expectRefused(kernel, "", "hoist(op(`store(load(z, ..), ..)`).value.op, loop(i))",
                "hoist_effects", "writes what");
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
  expectRefused(kernel, "", "hoist(op(`print(_)`), loop(i))", "hoist_effect",
                "happens in every step");
}

TEST(Hoist, ALoopWithoutStepAndALoadThatCouldFail) {
  const char *kernel = R"(
kernel trap(x: in view<[M, 8], f32>, p: i64, y: out view<[N, 8], f32>)
{
    grid g in 0..1
    for i in 0..N { y[i, :] = x[p, :] }
})";
  expectRefused(kernel, "", "hoist(load(x), loop(i))", "hoist_trap", "may have no step");
  std::string runs = kernel;
  runs.insert(runs.find("{"), "    where N >= 1\n");
  Scheduled done(runs, "hoist(load(x), loop(i))");
  EXPECT_EQ(done.errors, "");
}

TEST(Hoist, AStoreInALoopWithoutStep) {
  const char *kernel = R"(
kernel zero(x: in view<[N], f32>, y: out view<[8], f32>)
{
    grid g in 0..1
    for i in 0..N { y[:] = zeros(f32, [8]) }
})";
  expectRefused(kernel, "", "hoist(store(y), loop(i))", "hoist_zero_trip", "is looked at outside");
}
