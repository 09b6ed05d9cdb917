//===- ValuesTest.cpp - what is read; points; bounds -------------------===//
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

TEST(SealValues, PartsOfATileAreReadByTheirSpans) {
  auto part = [&](const std::string &limit) {
    return codes(grid(
        load +
        "%b = tile.alloc : !tile.buf<16xf32, shared>\n"
        "%half = tile.slice %t from [16] : tensor<32xf32> to tensor<16xf32>\n"
        "tile.write %half to %b : tensor<16xf32> to !tile.buf<16xf32, shared>\n" +
        barrier +
        "%c16 = tile.constant 16 : i64\n%start = tile.span_start %m : !tile.span<32>\n"
        "%stop = tile.span_stop %m : !tile.span<32>\n%more = tile.add %stop, %c1 : i64\n"
        "%from = tile.add %start, %c16 : i64\n%s = tile.span %from, " +
        limit +
        " : !tile.span<16>\n"
        "%u = tile.read %b span[%s] : !tile.buf<16xf32, shared>, !tile.span<16> -> tensor<16xf32>\n"
        "tile.print \"half\", %u : tensor<16xf32>\n"));
  };
  EXPECT_EQ(part("%stop"), "");
  EXPECT_EQ(part("%more"), "T1202");
}

TEST(SealValues, TheLastWriteDecides) {
  std::string whole = "tile.write %zero to %a : tensor<32xf32> to " + buf + "\n" + barrier;
  std::string readAll = "%u = tile.read %a span[:] : " + buf + " -> tensor<32xf32>\n";
  EXPECT_EQ(codes(grid(alloc + whole + readAll + store)), "");
  EXPECT_EQ(codes(grid(alloc + whole + load + writeA + barrier + readAll + store)), "T1202");
}

TEST(SealValues, AStepOfAnotherLoopIsAnotherSpan) {
  // What a loop's last step copied is read by a span of the same length, and by one that may be longer.
  auto after = [&](const std::string &span) {
    return codes("tile.grid (%p = range(%c0 to %c1)) {\n" + alloc +
                 "tile.for %k in tiles(%c0 to %N by 32) {\n"
                 "  tile.copy %x[%k] to %a fill undef : !tile.view<?xf32, in>, !tile.span<32> to " +
                 buf + "\n" + barrier +
                 "}\n"
                 "%m = tile.span %c0, " +
                 span + " : !tile.span<32>\n" + "tile.for %j in range(%c0 to %N) {\n" + "}\n" +
                 readA + "tile.print \"last\", %u : tensor<32xf32>\n}");
  };
  EXPECT_EQ(after("%c0").find("T1202"), std::string::npos); // nothing is read
  EXPECT_NE(after("%N").find("T1202"), std::string::npos);
}

TEST(SealValues, AReductionTakesConditionsOverItsAxisAway) {
  auto masked = [&](const std::string &axes, const std::string &map) {
    std::string cond = "%p = tile.cmp gt, %t, %zero : tensor<32xf32>\n"
                       "%p1 = tile.expand %p at [1] : tensor<32xi1> to tensor<32x1xi1>\n"
                       "%t1 = tile.expand %t at [1] : tensor<32xf32> to tensor<32x1xf32>\n"
                       "%t2 = tile.broadcast %t1 : tensor<32x1xf32> to tensor<32x8xf32>\n";
    bool isBoth = axes == "0, 1";
    std::string shape = isBoth ? "tensor<32x8xi1>" : "tensor<32x1xi1>";
    cond += isBoth ? "%q = tile.broadcast %p1 : tensor<32x1xi1> to tensor<32x8xi1>\n" : "";
    return codes(grid(alloc + load + cond + "%kept = tile.keep_if %t2, " + (isBoth ? "%q" : "%p1") +
                      " over [" + axes + "] : tensor<32x8xf32>, " + shape + "\n" + map +
                      "tile.write %r to %a : tensor<32xf32> to " + buf + "\n" + barrier + readA +
                      store));
  };
  std::string along1 = "%r = tile.reduce max %kept along 1 : tensor<32x8xf32> -> tensor<32xf32>\n";
  EXPECT_EQ(masked("0, 1", along1), "");
  EXPECT_EQ(masked("0", along1), "T1202");
  // Other maps keep it.
  std::string first = "%one = tile.slice %kept from [0, 0] : tensor<32x8xf32> to tensor<32x1xf32>\n"
                      "%r = tile.squeeze %one at [1] : tensor<32x1xf32> to tensor<32xf32>\n";
  EXPECT_EQ(masked("0, 1", first), "T1202");
}

TEST(SealValues, WholeSpansMakeNothingAbsent) {
  auto copied = [&](const std::string &hi) {
    return codes("%c31 = tile.constant 31 : i64\n%up = tile.floordiv %N, %c32 : i64\n"
                 "%even = tile.mul %up, %c32 : i64\n"
                 "tile.grid (%m = tiles(%c0 to " +
                 hi + " by 32)) {\n" + alloc +
                 "tile.copy %x[%m] to %a fill undef : !tile.view<?xf32, in>, !tile.span<32> to " +
                 buf + "\n" + barrier + "%u = tile.read %a span[:] : " + buf +
                 " -> tensor<32xf32>\n" + store + "}");
  };
  EXPECT_EQ(copied("%even"), "");
  EXPECT_EQ(copied("%N"), "T1202");
}

/// exp2(-inf - base) along an absent axis: 0, or NaN where the row of `base` is.
static std::string product(bool isLeft) {
  std::string text = R"mlir(
tile.instr @mma on "sm_80" scope warp order dot via generic operands [
    {name = "a", kind = "frag", layout = "(16,16):(1,16)"},
    {name = "b", kind = "frag", layout = "(16,16):(1,16)"},
    {name = "c", kind = "frag", layout = "(16,16):(1,16)", inout}] ptx "" {
^bb0(%a: tensor<16x16xf32>, %b: tensor<16x16xf32>, %c: tensor<16x16xf32>):
  %0 = tile.mma %a, %b, %c : tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>
  tile.yield %0 : tensor<16x16xf32>
}
tile.kernel @k[%N "N"](%x "x": !tile.view<16x?xf32, in> shape ()[s0] -> (16, s0),
    %w "w": !tile.view<?x16xf32, in> shape ()[s0] -> (s0, 16), %r "r": !tile.view<16xf32, in> shape ()[s0] -> (16)) body {
  %c0 = tile.constant 0 : i64
  %none = tile.constant 0.0 : f32 tensor<16x16xf32>
  %low = tile.constant 0xFF800000 : f32 tensor<16xf32>
  %zero = tile.constant 0.0 : f32 tensor<16xf32>
  %least = tile.constant 0xFF800000 : f32 tensor<16x16xf32>
  tile.grid (%k = tiles(%c0 to %N by 16)) {
    %row = tile.load %r[:] : !tile.view<16xf32, in> -> tensor<16xf32>
    %is = tile.cmp eq, %row, %low : tensor<16xf32>
    %base = tile.select %is, %zero, %row : tensor<16xf32>
    %e = tile.expand %base at [AXIS] : tensor<16xf32> to tensor<EXPANDEDxf32>
    %b = tile.broadcast %e : tensor<EXPANDEDxf32> to tensor<16x16xf32>
    %t = tile.load SOURCE -> tensor<16x16xf32>
    %f = tile.fill_absent %t, %least : tensor<16x16xf32>
    %d = tile.sub %f, %b : tensor<16x16xf32>
    %p = tile.exp2 %d : tensor<16x16xf32>
    %s = tile.alloc : !tile.buf<16x16xf32, shared>
    tile.copy FROM to %s fill zero : VIEW to !tile.buf<16x16xf32, shared>
    tile.barrier cta
    %q = tile.read %s span[SPANS] : !tile.buf<16x16xf32, shared>, !tile.span<16> -> tensor<16x16xf32>
    %o = tile.apply @mma -> tensor<16x16xf32> {
      %0 = tile.mma ORDER, %none : tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>
      tile.yield %0 : tensor<16x16xf32>
    }
    tile.print "o", %o : tensor<16x16xf32>
  }
})mlir";
  auto put = [&](const char *name, const std::string &by) {
    for (size_t at = text.find(name); at != std::string::npos; at = text.find(name)) {
      text.replace(at, std::strlen(name), by);
    }
  };
  std::string left = "%x[:, %k] : !tile.view<16x?xf32, in>, !tile.span<16>";
  std::string right = "%w[%k, :] : !tile.view<?x16xf32, in>, !tile.span<16>";
  put("AXIS", isLeft ? "1" : "0");
  put("EXPANDED", isLeft ? "16x1" : "1x16");
  put("SOURCE", isLeft ? left : right);
  put("FROM", isLeft ? "%w[%k, :]" : "%x[:, %k]");
  put("VIEW", isLeft ? "!tile.view<?x16xf32, in>, !tile.span<16>"
                     : "!tile.view<16x?xf32, in>, !tile.span<16>");
  put("SPANS", isLeft ? "%k, :" : ":, %k");
  put("ORDER", isLeft ? "%p, %q" : "%q, %p");
  return text;
}

TEST(SealValues, NaNOfARowIsHarmlessOnTheLeftOnly) {
  for (bool isLeft : {true, false}) {
    Parsed parsed(product(isLeft));
    ASSERT_TRUE(parsed.module) << parsed.problems;
    solver::ExprContext context;
    solver::Solver solver(context);
    SealOptions options;
    options.emit = false;
    SealReport report = seal(parsed.kernel(), solver, options);
    EXPECT_EQ(report.isSealed(), isLeft) << report.table();
    EXPECT_EQ(report.count(SealKind::values, SealStatus::refuted), isLeft ? 0u : 1u);
  }
}

TEST(SealInstances, ScattersAreTheProgramsOwn) {
  std::string scatter =
      "tile.grid (%p = range(%c0 to %R)) {\n%j = tile.load %i[%p] : !tile.view<?xi64, in>, i64 -> "
      "i64\n"
      "%t = tile.constant 0.0 : f32 tensor<8xf32>\n"
      "tile.store %t, %w[%j, :] : tensor<8xf32>, !tile.view<?x8xf32, inout>, i64\n}";
  Outcome outcome = sealOf(scatter);
  EXPECT_TRUE(outcome.codes.empty()) << outcome.text;
  EXPECT_EQ(outcome.programs, 2u); // the index' bound, and two points that meet
}

TEST(SealInstances, ViewsAreFollowedToTheirArgument) {
  auto rows = [&](const std::string &hi) {
    return codes("tile.grid (%p = range(%c0 to %R)) {\n%q = tile.add %p, %c1 : i64\n"
                 "%v = tile.view_slice %w, 0 from %p to " +
                 hi +
                 " : !tile.view<?x8xf32, inout> -> !tile.view<?x8xf32, inout>\n"
                 "%g = tile.view_group %v, 1 by 4 : !tile.view<?x8xf32, inout> -> "
                 "!tile.view<?x2x4xf32, inout>\n"
                 "%pm = tile.view_permute %g, [2, 0, 1] : !tile.view<?x2x4xf32, inout> -> "
                 "!tile.view<4x?x2xf32, inout>\n"
                 "%t = tile.constant 0.0 : f32 tensor<4x2xf32>\n"
                 "tile.store %t, %pm[:, " +
                 (hi == "%q" ? "%c0" : "%c1") +
                 ", :] : tensor<4x2xf32>, !tile.view<4x?x2xf32, inout>, i64\n}");
  };
  EXPECT_EQ(rows("%q"), "");
  EXPECT_NE(rows("%R"), ""); // the second row of the part: beyond the end at the last point
}

TEST(SealBounds, SpansOverTheirOwnExtentStayInside) {
  EXPECT_EQ(codes(grid(load)), "");
  EXPECT_EQ(codes("tile.grid (%m = tiles(%c0 to %R by 32)) {\n" + load + "}"), "T1200");
}
