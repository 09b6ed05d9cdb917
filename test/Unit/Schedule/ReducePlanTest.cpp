// reduce_plan.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "MemoryTesting.h"

using namespace tessera;
using namespace tessera::testing;
using ::testing::HasSubstr;

namespace {

std::string sums(int width, const std::string &order) {
  std::string w = std::to_string(width);
  return "kernel sums(x: in view<[M, " + w + "], f32>, s: out view<[M], f32>, i: in view<[M, " + w +
         "], i32>, t: out view<[M], i32>)\n{\n    grid m in tiles(M, 4)\n    let u = sum(x[m, :], "
         "axis = 1" +
         order + ")\n    let v = sum(i[m, :], axis = 1)\n    s[m] = u\n    t[m] = v\n}\n";
}
const std::string any = ", order = any";

} // namespace

TEST(ReducePlan, HighBitsFirst) {
  Scheduled done(
      sums(4096, ""),
      "let p = reduce_plan(def(u), {reg: 16, lane: 32, vec: 8})\nprint p.shuffles; print p.shared");
  expectSame(done, {{{"M", 2}}});
  EXPECT_EQ(done.printed, "12\n0\n");
  EXPECT_THAT(done.lines("tile.reduce"),
              HasSubstr("tile.plan = [{place = #tile.place<reg>, steps = 16"));
  EXPECT_THAT(done.report, HasSubstr("12 shuffles"));
}

/// The costs of the three ways, as counted by hand.
TEST(ReducePlan, Costs) {
  auto cost = [](int width, const std::string &order, const std::string &plan) {
    return Scheduled(sums(width, order),
                     "let p = reduce_plan(def(u), " + plan + ")\nprint p.shuffles; print p.shared")
        .printed;
  };
  EXPECT_EQ(cost(4096, any, "{reg: 16, vec: 8, lane: 32}"), "5\n0\n");
  EXPECT_EQ(cost(4096, any, "{vec: 8, lane: 32, reg: 16}"), "20\n0\n");
  EXPECT_EQ(cost(128, "", "{reg: 16, lane: 4, vec: 2}"), "3\n0\n");
  EXPECT_EQ(cost(128, any, "{reg: 16, vec: 2, lane: 4}"), "2\n0\n");
  Scheduled warps(sums(4096, ""), "reduce_plan(def(u), {warp: 4, reg: 4, lane: 32, vec: 8})");
  EXPECT_THAT(warps.report, HasSubstr("256 values of a warp"));
  Scheduled last(sums(4096, any), "reduce_plan(def(u), {reg: 4, vec: 8, lane: 32, warp: 4})");
  EXPECT_THAT(last.report, HasSubstr(" 1 values of a warp and 16 bytes"));
}

TEST(ReducePlan, IntegersMayHaveAnyOrder) {
  Scheduled done(sums(96, ""), "reduce_plan(def(v), {vec: 3, lane: 32})");
  expectSame(done, {{{"M", 2}}});
  EXPECT_THAT(done.report, HasSubstr("is exact"));
}

TEST(ReducePlan, Refused) {
  expectRefused(sums(4096, ""), "", "reduce_plan(def(u), {lane: 64, reg: 64})", "plan_place",
                "a warp has 32 lanes");
  expectUnsafe(sums(4096, ""), "", "reduce_plan(def(u), {seq: 16, lane: 32, vec: 8})", "plan_class",
               "a loop over parts");
  expectRefused(sums(96, ""), "", "reduce_plan(def(u), {reg: 3, lane: 32})", "plan_class",
                "no bits of their own");
  expectUnsafe(sums(96, ""), "", "reduce_plan(def(u), {lane: 32, reg: 3})", "plan_class",
               "no bits of their own");
  expectUnsafe(sums(4096, ""), "", "reduce_plan(def(u), {reg: 2, lane: 32})", "plan_cover",
               "combines 64 of the 4096");
  expectUnsafe(sums(96, ""), "", "reduce_plan(def(v), {lane: 32})", "plan_cover",
               "combines 32 of the 96");
  expectRefused(sums(4096, ""), "", "reduce_plan(def(u), {grid: 4096})", "plan_place",
                "cannot be combined");
  expectRefused(sums(4096, ""), "", "reduce_plan(def(u), {rings: 4096})", "plan_form",
                "no step of a plan");
  expectRefused(sums(4096, ""), "", "reduce_plan(def(u), 3)", "plan_form", "is no plan");
  expectRefused(sums(4096, ""), "", "reduce_plan(load(x), {reg: 4096})", "op_kind",
                "expected a reduction");
}

TEST(ReducePlan, IsMadeOfTheFactors) {
  std::string bound = "let u = def(u)\nlet {outer: o, inner: e} = split(u.r, 256)\nlet {outer: l, "
                      "inner: w} = split(e, 8)\n"
                      "unroll(o)\nbind(l, lane)\nunroll(w)";
  Scheduled done(sums(4096, ""), bound + "\nreduce_plan(u, [{reg: 16}, {lane: 32}, {reg: 8}])");
  EXPECT_EQ(done.errors, "");
  expectUnsafe(sums(4096, ""), bound, "reduce_plan(u, [{lane: 32}, {reg: 16}, {reg: 8}])",
               "plan_class", "from the outermost to the innermost");
  expectRefused(sums(4096, any), bound, "reduce_plan(u, {reg: 128, lane: 32})", "plan_factors",
                "not made of the factors");
  Scheduled other(sums(4096, any), bound + "\nreduce_plan(u, [{lane: 32}, {reg: 16}, {reg: 8}])");
  EXPECT_EQ(other.errors, "");
}
