// The regions of a kernel: conditions, bounds over the arrays of the reference, extents of views, missing regions.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ReferenceTest.h"

using namespace tessera;
using namespace tessera::testing;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

namespace {
class RegionTest : public ReferenceTest {};

FormulaArgument ofFloat(float value) {
  FormulaArgument argument;
  std::memcpy(argument.scalar.data(), &value, sizeof(value));
  return argument;
}
} // namespace

TEST_F(RegionTest, Where) {
  tile::KernelOp kernel = parse(R"([%N "N"](%s "s": f32) where {
    %c4 = tile.constant 4 : i64
    %half = tile.constant 0.5 : f32
    %a = tile.cmp le, %N, %c4 : i64
    tile.require %a, "N <= 4"
    %b = tile.cmp gt, %s, %half : f32
    tile.require %b, "s > 0.5"
    %n = tile.absent : i1
    tile.require %n, "nothing"
  })");
  auto violated = [&](int64_t n, float s) {
    std::vector<std::string> texts;
    for (const Violation &v :
         llvm::cantFail(evaluateWhere(kernel, {FormulaArgument::ofExtent(n), ofFloat(s)}))) {
      texts.push_back(v.text + (v.absent ? " absent" : ""));
    }
    return texts;
  };
  EXPECT_THAT(violated(4, 1), ElementsAre("nothing absent"));
  EXPECT_THAT(violated(5, 1), ElementsAre("N <= 4", "nothing absent"));
  EXPECT_THAT(violated(5, 0.5f), ElementsAre("N <= 4", "s > 0.5", "nothing absent"));
}

TEST_F(RegionTest, NoWhereHoldsAlways) {
  EXPECT_TRUE(
      llvm::cantFail(evaluateWhere(parse("[%N \"N\"]() body {\n}"), {FormulaArgument::ofExtent(1)}))
          .empty());
}

TEST_F(RegionTest, ToleranceReadsTheReference) {
  tile::KernelOp kernel = parse(R"([%N "N"](%x "x": !tile.view<?xf32, in> shape ()[s0] -> (s0),
      %y "y": !tile.view<?xf32, out> shape ()[s0] -> (s0)) reference ["m", "y"] {
    %c0 = tile.constant 0 : i64
    %n = tile.dim %y, 0 : !tile.view<?xf32, out>
    %m = tile.map (%i in %c0 to %n) -> tensor<?xf32> {
      %e = tile.at %x[%i] : !tile.view<?xf32, in> -> f32
      %a = tile.abs %e : f32
      tile.yield %a : f32
    }
    %r = tile.map (%i in %c0 to %n) -> tensor<?xf64> {
      %e = tile.at %m[%i] : tensor<?xf32> -> f32
      %w = tile.cast %e : f32 to f64
      tile.yield %w : f64
    }
    tile.yield %m, %r : tensor<?xf32>, tensor<?xf64>
  } tolerance ["y"] (%m: tensor<?xf32>, %r: tensor<?xf64>) {
    %c0 = tile.constant 0 : i64
    %eps = tile.constant 0.5 : f32
    %b = tile.map (%i in %c0 to %N) -> tensor<?xf32> {
      %e = tile.at %m[%i] : tensor<?xf32> -> f32
      %t = tile.mul %e, %eps : f32
      tile.yield %t : f32
    }
    tile.yield %b : tensor<?xf32>
  })");
  // The output has no array yet: the reference knows its extents all the same.
  std::vector<FormulaArgument> arguments = {
      FormulaArgument::ofExtent(3),
      FormulaArgument::ofArray(*array<float>(DType::f32, {3}, {1, -2, 4})),
      {}};
  llvm::Expected<FormulaResult> reference = evaluateReference(kernel, arguments);
  ASSERT_TRUE(bool(reference)) << llvm::toString(reference.takeError());
  ASSERT_NE(reference->find("y"), nullptr);
  EXPECT_EQ(reference->find("z"), nullptr);
  EXPECT_THAT(elements<double>(*reference->find("y")), ElementsAre(1, 2, 4));
  llvm::Expected<FormulaResult> bounds = evaluateTolerance(kernel, arguments, *reference);
  ASSERT_TRUE(bool(bounds)) << llvm::toString(bounds.takeError());
  ASSERT_EQ(bounds->arrays.size(), 1u);
  EXPECT_EQ(bounds->arrays[0].name, "y");
  EXPECT_EQ(bounds->arrays[0].array.dtype(), DType::f64);
  EXPECT_THAT(elements<double>(bounds->arrays[0]), ElementsAre(0.5, 1, 2));
}

TEST_F(RegionTest, NoReference) {
  EXPECT_THAT(evaluateError(parse("[%N \"N\"]() body {\n}"), {FormulaArgument::ofExtent(1)}),
              HasSubstr("T0906: kernel `k` has no `reference`"));
}
