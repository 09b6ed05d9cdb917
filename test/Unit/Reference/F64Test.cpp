// References with all floats held as f64: nothing is rounded on the way, integers stay what they are.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ReferenceTest.h"

using namespace tessera;
using namespace tessera::testing;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

namespace {
class F64Test : public ReferenceTest {
protected:
  llvm::Expected<FormulaResult> wide(const std::string &body, const std::vector<float> &x) {
    const auto size = static_cast<int64_t>(x.size());
    return evaluateReference(
        vectorKernel(body),
        {FormulaArgument::ofExtent(size), FormulaArgument::ofArray(*array(DType::f32, {size}, x))},
        Numbers::f64);
  }
};
} // namespace

TEST_F(F64Test, NothingIsRounded) {
  // In f32, and all the more in bf16, 1 + 2^-30 is 1; the literal 0.1 is taken before it was rounded to f32.
  llvm::Expected<FormulaResult> result = wide(R"(
    %tiny = tile.constant 9.31322574615478515625e-10 : f32
    %tenth = tile.constant 0.1 : f32 {tile.exact = 0.1 : f64}
    %a = tile.map (%i in %c0 to %N) -> tensor<?xbf16> {
      %e = tile.at %x[%i] : !tile.view<?xf32, in> -> f32
      %s = tile.add %e, %tiny : f32
      %t = tile.mul %s, %tenth : f32
      %b = tile.cast %t : f32 to bf16
      tile.yield %b : bf16
    }
    %r = tile.map (%i in %c0 to %N) -> tensor<?xf32> {
      %e = tile.at %a[%i] : tensor<?xbf16> -> bf16
      %w = tile.cast %e : bf16 to f32
      tile.yield %w : f32
    }
    tile.yield %r : tensor<?xf32>)",
                                              {1, 3});
  ASSERT_TRUE(bool(result)) << llvm::toString(result.takeError());
  EXPECT_EQ(result->arrays[0].array.dtype(), DType::f64);
  const double tiny = 0x1p-30;
  EXPECT_THAT(elements<double>(result->arrays[0]), ElementsAre((1 + tiny) * 0.1, (3 + tiny) * 0.1));
}

TEST_F(F64Test, IntegersAndTruth) {
  llvm::Expected<FormulaResult> result = wide(R"(
    %r = tile.map (%i in %c0 to %c1) -> tensor<?xi8> {
      %n = tile.fold count %k in (%c0 to %N) -> i64 {
        %e = tile.at %x[%k] : !tile.view<?xf32, in> -> f32
        %p = tile.isnan %e : f32
        tile.yield %p : i1
      }
      %b = tile.cast %n {overflow = #tile.overflow<wrap>} : i64 to i8
      tile.yield %b : i8
    }
    tile.yield %r : tensor<?xi8>)",
                                              {1, NAN, NAN});
  ASSERT_TRUE(bool(result)) << llvm::toString(result.takeError());
  EXPECT_EQ(result->arrays[0].array.dtype(), DType::i8);
  EXPECT_THAT(elements<int8_t>(result->arrays[0]), ElementsAre(2));
}

TEST_F(F64Test, BitsHaveNoMeaning) {
  llvm::Expected<FormulaResult> result = wide(R"(
    %r = tile.map (%i in %c0 to %N) -> tensor<?xui32> {
      %e = tile.at %x[%i] : !tile.view<?xf32, in> -> f32
      %b = tile.bits %e : f32
      tile.yield %b : ui32
    }
    tile.yield %r : tensor<?xui32>)",
                                              {1});
  ASSERT_FALSE(bool(result));
  EXPECT_THAT(llvm::toString(result.takeError()),
              HasSubstr("T0902: `tile.bits` is not an operation of formulas"));
}

TEST_F(F64Test, CountsWithoutComputing) {
  tile::KernelOp kernel = vectorKernel(R"(
    %big = tile.constant 1000000000000 : i64
    %a = tile.map (%i in %c0 to %N, %j in %c0 to %big) -> tensor<?x?xf32> {
      %e = tile.at %x[%i] : !tile.view<?xf32, in> -> f32
      tile.yield %e : f32
    }
    %r = tile.map (%i in %c0 to %N) -> tensor<?xf32> {
      %e = tile.at %a[%i, %c0] : tensor<?x?xf32> -> f32
      tile.yield %e : f32
    }
    tile.yield %r : tensor<?xf32>)");
  EXPECT_EQ(llvm::cantFail(countReferenceElements(kernel, {FormulaArgument::ofExtent(3), {}})),
            3000000000003u);
  EXPECT_EQ(llvm::cantFail(countReferenceElements(parse("[%N \"N\"]() body {\n}"),
                                                  {FormulaArgument::ofExtent(1)})),
            0u);
}
