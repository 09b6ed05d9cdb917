// Arrays: several axes, strides, gathers, ranges that do not start at 0, index errors, operations without meaning here.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ReferenceTest.h"

using namespace tessera;
using namespace tessera::testing;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

namespace {
class ArrayTest : public ReferenceTest {};

/// r[a, b, c] = x[c, a, b] * 2, for x of i32 with extents (C, A, B).
const char *const rotated =
    R"([%A "A", %B "B", %C "C"](%x "x": !tile.view<?x?x?xi32, in> shape ()[s0, s1, s2] -> (s2, s0, s1))
  reference ["r"] {
  %c0 = tile.constant 0 : i64
  %two = tile.constant 2 : i32
  %r = tile.map (%a in %c0 to %A, %b in %c0 to %B, %c in %c0 to %C) -> tensor<?x?x?xi32> {
    %e = tile.at %x[%c, %a, %b] : !tile.view<?x?x?xi32, in> -> i32
    %d = tile.mul %e, %two : i32
    tile.yield %d : i32
  }
  tile.yield %r : tensor<?x?x?xi32>
})";
} // namespace

TEST_F(ArrayTest, EveryShapeAndOrder) {
  // Shapes chosen so that one, two or three axes become lanes, in one block and in several.
  tile::KernelOp kernel = parse(rotated);
  for (IndexVector size : {IndexVector{1, 1, 1},
                           {2, 3, 4},
                           {3, 5, 700},
                           {2, 300, 2},
                           {600, 2, 3},
                           {2, 0, 3},
                           {40, 41, 3}}) {
    const int64_t a = size[0], b = size[1], c = size[2];
    for (ArrayOrder order :
         {ArrayOrder::row, ArrayOrder::col, ArrayOrder::padded, ArrayOrder::offset}) {
      HostArray x = llvm::cantFail(HostArray::allocate(DType::i32, {c, a, b}, order));
      std::vector<int32_t> values(a * b * c), expected(values.size());
      for (size_t i = 0; i < values.size(); ++i) {
        values[i] = static_cast<int32_t>(i * 7919 % 100003);
      }
      x.copyFrom(values.data());
      for (int64_t i = 0; i < a * b * c; ++i) {
        const int64_t ia = i / (b * c), ib = i / c % b, ic = i % c;
        expected[i] = 2 * values[(ic * a + ia) * b + ib];
      }
      FormulaArray r =
          evaluate(kernel, {FormulaArgument::ofExtent(a), FormulaArgument::ofExtent(b),
                            FormulaArgument::ofExtent(c), FormulaArgument::ofArray(x)});
      ASSERT_EQ(elements<int32_t>(r), expected) << a << " " << b << " " << c;
    }
  }
}

TEST_F(ArrayTest, NegativeStrides) {
  llvm::Expected<HostArray> x = HostArray::allocateStrided(DType::f32, {3}, {-1});
  ASSERT_TRUE(bool(x));
  const float values[] = {1, 2, 3};
  x->copyFrom(values);
  tile::KernelOp kernel = vectorKernel(R"(
    %r = tile.map (%i in %c0 to %N) -> tensor<?xf32> {
      %e = tile.at %x[%i] : !tile.view<?xf32, in> -> f32
      tile.yield %e : f32
    }
    tile.yield %r : tensor<?xf32>)");
  FormulaArray r = evaluate(kernel, {FormulaArgument::ofExtent(3), FormulaArgument::ofArray(*x)});
  EXPECT_THAT(elements<float>(r), ElementsAre(1, 2, 3));
}

TEST_F(ArrayTest, ElementsBeforeARangeAreAbsent) {
  FormulaArray r = evaluateVector(R"(
    %r = tile.map (%i in %c1 to %N) -> tensor<?xf32> {
      %e = tile.at %x[%i] : !tile.view<?xf32, in> -> f32
      tile.yield %e : f32
    }
    tile.yield %r : tensor<?xf32>)",
                                  {5, 6, 7});
  EXPECT_THAT(presence(r), ElementsAre(0, 1, 1));
  EXPECT_EQ(elements<float>(r)[2], 7);
}

TEST_F(ArrayTest, Gather) {
  // r[i] = x[x[i]]
  const std::string body = R"(
    %r = tile.map (%i in %c0 to %N) -> tensor<?xf32> {
      %e = tile.at %x[%i] : !tile.view<?xf32, in> -> f32
      %k = tile.cast %e {round = #tile.round<rz>} : f32 to i64
      %g = tile.at %x[%k] : !tile.view<?xf32, in> -> f32
      tile.yield %g : f32
    }
    tile.yield %r : tensor<?xf32>)";
  EXPECT_THAT(elements<float>(evaluateVector(body, {2, 0, 1})), ElementsAre(1, 2, 0));
  HostArray *x = array<float>(DType::f32, {3}, {2, 3, 1});
  EXPECT_EQ(evaluateError(vectorKernel(body),
                          {FormulaArgument::ofExtent(3), FormulaArgument::ofArray(*x)}),
            "T0900: index 3 of axis 0 of `x` is out of range [0, 3) [index 0 = 1]");
}

TEST_F(ArrayTest, IndexPastTheEnd) {
  tile::KernelOp kernel = vectorKernel(R"(
    %r = tile.map (%i in %c0 to %N) -> tensor<?xf32> {
      %j = tile.add %i, %c1 : i64
      %e = tile.at %x[%j] : !tile.view<?xf32, in> -> f32
      tile.yield %e : f32
    }
    tile.yield %r : tensor<?xf32>)");
  HostArray *x = array<float>(DType::f32, {3}, {1, 2, 3});
  EXPECT_EQ(evaluateError(kernel, {FormulaArgument::ofExtent(3), FormulaArgument::ofArray(*x)}),
            "T0900: index 3 of axis 0 of `x` is out of range [0, 3) [index 0 = 2]");
}

TEST_F(ArrayTest, IndexThatWraps) {
  // i * 2^62 is a progression whose end wraps around.
  tile::KernelOp kernel = vectorKernel(R"(
    %big = tile.constant 4611686018427387904 : i64
    %r = tile.map (%i in %c0 to %N) -> tensor<?xf32> {
      %j = tile.mul %i, %big : i64
      %e = tile.at %x[%j] : !tile.view<?xf32, in> -> f32
      tile.yield %e : f32
    }
    tile.yield %r : tensor<?xf32>)");
  HostArray *x = array<float>(DType::f32, {5}, {1, 2, 3, 4, 5});
  EXPECT_EQ(
      evaluateError(kernel, {FormulaArgument::ofExtent(5), FormulaArgument::ofArray(*x)}),
      "T0900: index 4611686018427387904 of axis 0 of `x` is out of range [0, 5) [index 0 = 1]");
}

TEST_F(ArrayTest, ArrayTooLarge) {
  tile::KernelOp kernel = vectorKernel(R"(
    %big = tile.constant 4611686018427387904 : i64
    %r = tile.map (%i in %c0 to %big) -> tensor<?xf32> {
      %e = tile.at %x[%i] : !tile.view<?xf32, in> -> f32
      tile.yield %e : f32
    }
    tile.yield %r : tensor<?xf32>)");
  HostArray *x = array<float>(DType::f32, {1}, {1});
  EXPECT_THAT(evaluateError(kernel, {FormulaArgument::ofExtent(1), FormulaArgument::ofArray(*x)}),
              HasSubstr("T0904"));
}

TEST_F(ArrayTest, AbsentExtent) {
  tile::KernelOp kernel = vectorKernel(R"(
    %n = tile.absent : i64
    %r = tile.map (%i in %c0 to %n) -> tensor<?xi64> {
      tile.yield %i : i64
    }
    tile.yield %r : tensor<?xi64>)");
  HostArray *x = array<float>(DType::f32, {1}, {1});
  EXPECT_THAT(evaluateError(kernel, {FormulaArgument::ofExtent(1), FormulaArgument::ofArray(*x)}),
              HasSubstr("T0903: the range of axis 0 of an array is absent"));
}

TEST_F(ArrayTest, TilesHaveNoMeaningInFormulas) {
  tile::KernelOp kernel = vectorKernel(R"(
    %t = tile.iota : tensor<4xi64>
    %r = tile.map (%i in %c0 to %N) -> tensor<?xi64> {
      tile.yield %i : i64
    }
    tile.yield %r : tensor<?xi64>)");
  HostArray *x = array<float>(DType::f32, {1}, {1});
  EXPECT_THAT(evaluateError(kernel, {FormulaArgument::ofExtent(1), FormulaArgument::ofArray(*x)}),
              HasSubstr("T0902: `tile.iota` is not an operation of formulas"));
}

TEST_F(ArrayTest, SixteenBitTypesRoundAtEachStep) {
  // 256 + 1 is not a bf16; in f32 the sum would be 257.
  tile::KernelOp kernel =
      parse(R"([%N "N"](%x "x": !tile.view<?xbf16, in> shape ()[s0] -> (s0)) reference ["r"] {
    %c0 = tile.constant 0 : i64
    %c1 = tile.constant 1 : i64
    %r = tile.map (%i in %c0 to %c1) -> tensor<?xbf16> {
      %s = tile.fold sum %k in (%c0 to %N) -> bf16 {
        %e = tile.at %x[%k] : !tile.view<?xbf16, in> -> bf16
        tile.yield %e : bf16
      }
      tile.yield %s : bf16
    }
    tile.yield %r : tensor<?xbf16>
  })");
  HostArray *x = array<uint16_t>(DType::bf16, {2}, {0x4380, 0x3f80});
  FormulaArray r = evaluate(kernel, {FormulaArgument::ofExtent(2), FormulaArgument::ofArray(*x)});
  EXPECT_THAT(elements<uint16_t>(r), ElementsAre(0x4380));
}
