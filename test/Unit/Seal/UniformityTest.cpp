//===- UniformityTest.cpp - who reaches barriers --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rules one by one, each with a near miss; refused kernels with one fault each are test/Schedule/faults.
//
//===----------------------------------------------------------------------===//

#include "Snippets.h"

#include <gtest/gtest.h>

using namespace tessera;
using namespace tessera::sealtest;

namespace {

/// In each of four warps, `%s` its number.
std::string warps(const std::string &body) {
  return "tile.grid (%p = range(%c0 to %R)) {\ntile.par warp 4 {\n^bb0(%s: i64):\n" + body + "}\n}";
}

std::string under(const std::string &condition, const std::string &body) {
  return condition + "scf.if %is {\n" + body + "}\n";
}

} // namespace

TEST(SealUniformity, WhatIsEqualInACta) {
  // Arguments, points, steps, and scalars from reductions of tiles.
  EXPECT_EQ(codes(grid(under("%is = tile.cmp lt, %N, %R : i64\n", barrier))), "");
  EXPECT_EQ(codes(grid(load +
                       "%all = tile.fill_absent %t, %zero : tensor<32xf32>\n"
                       "%most = tile.reduce max %all along 0 : tensor<32xf32> -> f32\n"
                       "%none = tile.constant 0.0 : f32\n" +
                       under("%is = tile.cmp lt, %most, %none : f32\n", barrier))),
            "");
  EXPECT_EQ(codes("tile.grid (%p = range(%c0 to %R)) {\ntile.for %j in range(%c0 to %p) {\n" +
                  barrier + "}\n}"),
            "");
}

TEST(SealUniformity, WhatDiffersAmongWarps) {
  std::string first = "%is = tile.cmp eq, %s, %c0 : i64\n";
  EXPECT_EQ(codes(warps(under(first, barrier))), "T1230");
  EXPECT_EQ(codes(warps(under(first, "tile.barrier warp\n"))), "");
  // What is computed from it, and how often a loop runs.
  EXPECT_EQ(codes(warps("%n = tile.mul %s, %c2 : i64\ntile.for %j in range(%c0 to %n) {\n" +
                        barrier + "}\n")),
            "T1230");
  // A value that a branch on it chooses, and one that a loop carries.
  EXPECT_EQ(
      codes(warps(
          first +
          "%n = scf.if %is -> i64 {\n  scf.yield %c1 : i64\n} else {\n  scf.yield %c2 : i64\n}\n"
          "tile.for %j in range(%c0 to %n) {\n" +
          barrier + "}\n")),
      "T1230");
  EXPECT_EQ(codes(warps("%n = tile.for %j in range(%c0 to %R) carry(%c = %c1 : i64) {\n"
                        "  %d = tile.add %c, %s : i64\n  tile.yield %d : i64\n}\n"
                        "tile.for %j in range(%c0 to %n) {\n" +
                        barrier + "}\n")),
            "T1230");
}

TEST(SealUniformity, BufsOfWarpsDiffer) {
  std::string own = "!tile.buf<32xf32, shared, per = warp>";
  auto branch = [&](const std::string &body) {
    return codes("%b = tile.alloc : " + own + "\n" +
                 warps("tile.write %zero to %b : tensor<32xf32> to " + own +
                       "\ntile.barrier warp\n"
                       "%v = tile.read %b span[:] : " +
                       own +
                       " -> tensor<32xf32>\n"
                       "%most = tile.reduce max %v along 0 : tensor<32xf32> -> f32\n"
                       "%none = tile.constant 0.0 : f32\n" +
                       under("%is = tile.cmp lt, %most, %none : f32\n", body)));
  };
  EXPECT_EQ(branch("tile.barrier warp\n"), "");
  EXPECT_EQ(branch(barrier), "T1230");
}

TEST(SealUniformity, StepsAreAllGroupsOfTheScope) {
  EXPECT_EQ(codes(warps(barrier)), "");
  std::string three = warps(barrier);
  three.replace(three.find("warp 4"), 6, "warp 3");
  EXPECT_EQ(codes(three), "T1232");
}

TEST(SealUniformity, RolesOfWholeWarpgroups) {
  auto role = [&](int count) {
    return R"(tile.kernel @k[%N "N"]() attributes {tile.roles = {a = {warps = )" +
           std::to_string(count) + R"( : i64}, b = {warps = )" + std::to_string(count) +
           R"( : i64}}} body {
  %c0 = tile.constant 0 : i64
  tile.tasks (%q = range(%c0 to %N)) {
    tile.section @one role @a {
      tile.barrier wg
    }
    tile.section @two role @b {
      tile.barrier cta
    }
  }
})";
  };
  auto sealed = [](const std::string &text) {
    Parsed parsed(text);
    EXPECT_TRUE(parsed.module) << parsed.problems;
    solver::ExprContext context;
    solver::Solver solver(context);
    SealOptions options;
    options.emit = false;
    return seal(parsed.kernel(), solver, options).isSealed();
  };
  EXPECT_TRUE(sealed(role(4)));
  EXPECT_FALSE(sealed(role(6)));
}
