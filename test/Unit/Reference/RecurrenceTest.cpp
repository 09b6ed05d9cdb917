// Arrays that read themselves: up, down, beside other axes, and reads of what is not computed yet.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ReferenceTest.h"

using namespace tessera;
using namespace tessera::testing;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

namespace {
class RecurrenceTest : public ReferenceTest {
protected:
  /// r[i] = x[i] + r[i + distance], where that is inside.
  static std::string sums(const std::string &direction, const std::string &distance,
                          const std::string &guard) {
    return R"(
      %zero = tile.constant 0.0 : f32
      %step = tile.constant )" +
           distance + R"( : i64
      %r = tile.map (%i in %c0 to %N) self %self along 0 )" +
           direction + R"( -> tensor<?xf32> {
        %e = tile.at %x[%i] : !tile.view<?xf32, in> -> f32
        %j = tile.add %i, %step : i64
        %in = tile.cmp )" +
           guard + R"( : i64
        %p = scf.if %in -> f32 {
          %q = tile.at %self[%j] : tensor<?xf32> -> f32
          scf.yield %q : f32
        } else {
          scf.yield %zero : f32
        }
        %s = tile.add %e, %p : f32
        tile.yield %s : f32
      }
      tile.yield %r : tensor<?xf32>)";
  }
};
} // namespace

TEST_F(RecurrenceTest, Up) {
  EXPECT_THAT(elements<float>(evaluateVector(sums("", "-1", "ge, %j, %c0"), {1, 2, 4})),
              ElementsAre(1, 3, 7));
}

TEST_F(RecurrenceTest, Down) {
  EXPECT_THAT(elements<float>(evaluateVector(sums("descending", "1", "lt, %j, %N"), {1, 2, 4})),
              ElementsAre(7, 6, 4));
}

TEST_F(RecurrenceTest, DistanceTwo) {
  EXPECT_THAT(elements<float>(evaluateVector(sums("", "-2", "ge, %j, %c0"), {1, 2, 4, 8})),
              ElementsAre(1, 2, 5, 10));
}

TEST_F(RecurrenceTest, EmptyAndOne) {
  EXPECT_EQ(evaluateVector(sums("", "-1", "ge, %j, %c0"), {}).array.numElements(), 0);
  EXPECT_THAT(elements<float>(evaluateVector(sums("descending", "1", "lt, %j, %N"), {3})),
              ElementsAre(3));
}

TEST_F(RecurrenceTest, ReadOfAnElementNotYetComputed) {
  tile::KernelOp kernel = vectorKernel(sums("", "1", "lt, %j, %N"));
  HostArray *x = array<float>(DType::f32, {3}, {1, 2, 3});
  EXPECT_THAT(evaluateError(kernel, {FormulaArgument::ofExtent(3), FormulaArgument::ofArray(*x)}),
              HasSubstr("T0901: element 1 along axis 0 of `r` is read before it is computed: the "
                        "recurrence runs up and "
                        "stands at 0"));
}

TEST_F(RecurrenceTest, ReadBeforeTheStart) {
  tile::KernelOp kernel = vectorKernel(sums("", "-1", "ge, %c1, %c0"));
  HostArray *x = array<float>(DType::f32, {3}, {1, 2, 3});
  EXPECT_THAT(evaluateError(kernel, {FormulaArgument::ofExtent(3), FormulaArgument::ofArray(*x)}),
              HasSubstr("T0900: index -1 of axis 0 of `r` is out of range [0, 3)"));
}

TEST_F(RecurrenceTest, OtherAxesAreLanes) {
  // Sums along the rows of a matrix (axis 1), then along its columns (axis 0): against a plain loop.
  for (unsigned axis : {0u, 1u}) {
    const int64_t rows = 150, columns = 11;
    std::vector<int64_t> x(rows * columns), expected(x.size());
    for (int64_t i = 0; i < rows; ++i) {
      for (int64_t j = 0; j < columns; ++j) {
        x[i * columns + j] = (i * 7 + j * 3) % 13;
        const bool inside = axis == 0 ? i > 0 : j > 0;
        const int64_t before =
            inside ? expected[(axis == 0 ? i - 1 : i) * columns + (axis == 0 ? j : j - 1)] : 0;
        // Wraps, as the language's integers do.
        expected[i * columns + j] = static_cast<int64_t>(static_cast<uint64_t>(x[i * columns + j]) +
                                                         2 * static_cast<uint64_t>(before));
      }
    }
    const std::string index = axis == 0 ? "%i" : "%j", at = axis == 0 ? "%p, %j" : "%i, %p";
    tile::KernelOp kernel =
        parse(R"([%M "M", %N "N"](%x "x": !tile.view<?x?xi64, in> shape ()[s0, s1] -> (s0, s1))
      reference ["r"] {
      %c0 = tile.constant 0 : i64
      %c1 = tile.constant 1 : i64
      %r = tile.map (%i in %c0 to %M, %j in %c0 to %N) self %self along )" +
              std::to_string(axis) + R"( -> tensor<?x?xi64> {
        %e = tile.at %x[%i, %j] : !tile.view<?x?xi64, in> -> i64
        %p = tile.sub )" +
              index + R"(, %c1 : i64
        %in = tile.cmp ge, %p, %c0 : i64
        %b = scf.if %in -> i64 {
          %q = tile.at %self[)" +
              at + R"(] : tensor<?x?xi64> -> i64
          scf.yield %q : i64
        } else {
          scf.yield %c0 : i64
        }
        %d = tile.add %b, %b : i64
        %s = tile.add %e, %d : i64
        tile.yield %s : i64
      }
      tile.yield %r : tensor<?x?xi64>
    })");
    FormulaArray r =
        evaluate(kernel, {FormulaArgument::ofExtent(rows), FormulaArgument::ofExtent(columns),
                          FormulaArgument::ofArray(*array(DType::i64, {rows, columns}, x))});
    EXPECT_EQ(elements<int64_t>(r), expected) << "axis " << axis;
  }
}
