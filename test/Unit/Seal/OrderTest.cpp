//===- OrderTest.cpp - the collective rule -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rules one by one, each with a near miss; refused kernels with one fault each are test/Schedule/faults.
//
//===----------------------------------------------------------------------===//

#include "Snippets.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace tessera;
using namespace tessera::sealtest;

TEST(SealOrder, HalvesOfAViewNeedNoBarrier) {
  auto halves = [&](const std::string &second) {
    return codes("tile.grid (%p = range(%c0 to %R)) {\n"
                 "%t = tile.constant 0.0 : f32 tensor<8xf32>\n"
                 "tile.for %k in range(%c0 to %c1) {\n"
                 "  tile.store %t, %w[%p, :] : tensor<8xf32>, !tile.view<?x8xf32, inout>, i64\n"
                 "  %u = tile.load %w[" +
                 second + ", :] : !tile.view<?x8xf32, inout>, i64 -> tensor<8xf32>\n}\n}");
  };
  // The row of another point: refused as a race of points; its own row: a race of threads.
  EXPECT_NE(halves("%p").find("T1210"), std::string::npos);
  EXPECT_EQ(
      codes(
          "tile.grid (%m = tiles(%c0 to %N by 32)) {\n%from = tile.span_start %m : !tile.span<32>\n"
          "%end = tile.span_stop %m : !tile.span<32>\n%c16 = tile.constant 16 : i64\n"
          "%mid = tile.add %from, %c16 : i64\n%p = tile.span %from, %end : !tile.span<16>\n"
          "%q = tile.span %mid, %end : !tile.span<16>\n"
          "%t = tile.load %y[%p] : !tile.view<?xf32, inout>, !tile.span<16> -> tensor<16xf32>\n"
          "tile.store %t, %y[%q] : tensor<16xf32>, !tile.view<?xf32, inout>, !tile.span<16>\n}"),
      "");
}

TEST(SealOrder, AtomicsOrderThemselves) {
  std::string add = "tile.atomic add %t, %y[%m] {order_any} : tensor<32xf32>, !tile.view<?xf32, "
                    "inout>, !tile.span<32>\n";
  EXPECT_EQ(codes(grid(load + add + add)), "");
  EXPECT_EQ(codes(grid(load + add + "%u = tile.add %t, %t : tensor<32xf32>\n" + store)), "T1210");
}

TEST(SealOrder, LoopsOfTwoRegions) {
  auto loop = [&](const std::string &last) {
    return codes(
        grid(alloc + load + "%n = scf.while (%j = %c0) : (i64) -> i64 {\n" + writeA + barrier +
             "  %more = tile.cmp lt, %j, %R : i64\n  scf.condition(%more) %j : i64\n} do {\n"
             "^bb0(%j: i64):\n" +
             readA + "  tile.print \"seen\", %u : tensor<32xf32>\n" + last +
             "  %next = tile.add %j, %c1 : i64\n  scf.yield %next : i64\n}\n"));
  };
  EXPECT_EQ(loop(barrier), "");
  EXPECT_EQ(loop(""), "T1211");
}

TEST(SealOrder, ReversedLoopsKeepTheirCellsApart) {
  EXPECT_EQ(
      codes(
          "tile.grid (%p = range(%c0 to %c1)) {\ntile.for %m in tiles(%c0 to %N by 32) reversed "
          "{\n" +
          load +
          "tile.store %t, %y[%m] : tensor<32xf32>, !tile.view<?xf32, inout>, !tile.span<32>\n}\n}"),
      "");
}

TEST(SealOrder, GroupsAreCounted) {
  std::string other = "%b = tile.alloc : " + buf + "\n";
  std::string copyToB = copy;
  copyToB.replace(copyToB.find("to %a"), 5, "to %b");
  auto waits = [&](int pending) {
    return codes(grid(alloc + other + copy + commit + copyToB + commit + wait(pending) + barrier +
                      readA + store + wait(0)));
  };
  EXPECT_EQ(waits(0), "");
  EXPECT_EQ(waits(1), ""); // the second copy may be pending, the first one is not
  EXPECT_EQ(waits(2), "T1215");
  // An empty group counts like any other.
  EXPECT_EQ(
      codes(grid(alloc + copy + commit + commit + wait(1) + barrier + readA + store + wait(0))),
      "");
  // A commit in a loop that may have no step does not.
  EXPECT_EQ(codes(grid(alloc + copy + commit + "tile.for %j in range(%c0 to %R) {\n" + commit +
                       "}\n" + wait(1) + barrier + readA + store + wait(0))),
            "T1215");
  EXPECT_EQ(codes(grid(alloc + copy + commit + "tile.for %j in range(%c0 to %N) {\n" + commit +
                       "}\n" + wait(1) + barrier + readA + store + wait(0))),
            "");
}

TEST(SealOrder, BothBranchesMayWait) {
  auto branches = [&](const std::string &yes, const std::string &no) {
    return codes(grid(alloc + copy + commit + "%is = tile.cmp lt, %R, %N : i64\nscf.if %is {\n" +
                      yes + "} else {\n" + no + "}\n" + barrier + readA + store + wait(0)));
  };
  EXPECT_EQ(branches(wait(0), wait(0)), "");
  EXPECT_EQ(branches(wait(0), ""), "T1214");
}

TEST(SealOrder, OwnBufsOfWarpsNeedAWarpsBarrierOnly) {
  auto steps = [&](const std::string &between) {
    return codes(
        "%b = tile.alloc : !tile.buf<8xf32, shared, per = warp>\ntile.grid (%p = range(%c0 to %R)) "
        "{\n"
        "tile.par warp 4 {\n^bb0(%s: i64):\n"
        "  %t = tile.constant 1.0 : f32 tensor<8xf32>\n"
        "  tile.write %t to %b : tensor<8xf32> to !tile.buf<8xf32, shared, per = warp>\n" +
        between +
        "  %u = tile.read %b span[:] : !tile.buf<8xf32, shared, per = warp> -> tensor<8xf32>\n"
        "  tile.print \"mine\", %u : tensor<8xf32>\n}\n}");
  };
  EXPECT_EQ(steps("tile.barrier warp\n"), "");
  EXPECT_EQ(steps(""), "T1210");
}

TEST(SealOrder, AnotherWarpMayFollowInTheNextStep) {
  // Warp s writes row s + k: in the next step its neighbour's row of this one.
  auto rows = [&](const std::string &index, const std::string &last) {
    return codes(
        "tile.grid (%p = range(%c0 to %c1)) {\ntile.for %k in range(%c0 to %R) {\n"
        "tile.par warp 4 {\n^bb0(%s: i64):\n  %sum = tile.add %s, %k : i64\n"
        "  %row = tile.min " +
        index +
        ", %R : i64\n"
        "  %t = tile.constant 0.0 : f32 tensor<8xf32>\n  %is = tile.cmp lt, %row, %R : i64\n"
        "  scf.if %is {\n  tile.store %t, %w[%row, :] : tensor<8xf32>, !tile.view<?x8xf32, inout>, "
        "i64\n  }\n"
        "  tile.barrier warp\n}\n" +
        last + "}\n}");
  };
  EXPECT_EQ(rows("%sum", barrier), "");
  EXPECT_EQ(rows("%sum", ""), "T1211");
  EXPECT_EQ(rows("%s", "tile.barrier warp\n"), "T1211");
}

TEST(SealSections, ABarrierOutOfStepOrdersNothing) {
  auto lead = [&](const std::string &between, const std::string &last = " lead 1") {
    return codes("tile.grid (%p = range(%c0 to %c1)) {\n" + alloc +
                 "tile.for %m in tiles(%c0 to %N by 32) {\ntile.section @a lead 1 {\n" + load +
                 writeA + "}\ntile.section @z" + between + " {\n" + barrier + "}\ntile.section @c" +
                 last + " {\n" + readA + "tile.print \"seen\", %u : tensor<32xf32>\n" + barrier +
                 "}\n}\n}");
  };
  EXPECT_EQ(lead(" lead 1"), "");
  EXPECT_EQ(lead(""), "T1210");
  EXPECT_EQ(lead(" lead 1", ""), "T1212");
}

TEST(SealSections, ALoopBesideSectionsHasNoLead) {
  auto beside = [&](const std::string &lead) {
    return codes("tile.grid (%p = range(%c0 to %c1)) {\n" + alloc +
                 "tile.for %m in tiles(%c0 to %N by 32) {\ntile.section @a" + lead + " {\n" + load +
                 writeA + barrier + "}\ntile.for %j in range(%c0 to %c2) {\ntile.section @c {\n" +
                 readA + "tile.print \"seen\", %u : tensor<32xf32>\n" + barrier + "}\n}\n}\n}");
  };
  EXPECT_EQ(beside(""), "");
  EXPECT_EQ(beside(" lead 1"), "T1212");
}
