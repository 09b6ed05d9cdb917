// Whole programs on ragged shapes, in every order of the grid and in two number systems.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "InterpreterTesting.h"

using namespace tessera;
using namespace tessera::interptest;

namespace {
const std::vector<std::pair<GridOrder, uint64_t>> orders = {{GridOrder::rowMajor, 0},
                                                            {GridOrder::reverse, 0},
                                                            {GridOrder::shuffle, 1},
                                                            {GridOrder::shuffle, 2}};

Values pseudo(int64_t n, int modulus, int offset) {
  Values values;
  for (int64_t i = 0; i < n; ++i) {
    values.push_back(double(int(i * 37 + i * i * 11) % modulus - offset));
  }
  return values;
}

RunOptions ordered(std::pair<GridOrder, uint64_t> order) {
  RunOptions options;
  options.order = order.first;
  options.seed = order.second;
  return options;
}
} // namespace

TEST(Program, RowsDividedByTheirSumOfExponentials) {
  int64_t rows = 5, columns = 37;
  Values x = pseudo(rows * columns, 23, 11);
  x[3 * columns + 4] = qnan;
  for (auto order : orders) {
    HostArray y = outputOf(DType::f32, {rows, columns}, ArrayOrder::padded);
    TestKernel kernel;
    RunReport r = kernel.with(ordered(order))
                      .in("x", "?x?xbf16", arrayOf(DType::bf16, {rows, columns}, x))
                      .out("y", "?x?xf32", y)
                      .run(R"(
      %c0 = tile.constant 0 : i64
      tile.grid (%m = tiles(%c0 to %E0 by 2)) {
        %c = tile.span %c0, %E1 exact : !tile.span<64>
        %a = tile.load %x[%m, %c] : !tile.view<?x?xbf16, in>, !tile.span<2>, !tile.span<64> -> tensor<2x64xbf16>
        %t = tile.cast %a : tensor<2x64xbf16> to tensor<2x64xf32>
        %h = tile.reduce max %t along 1 : tensor<2x64xf32> -> tensor<2xf32>
        %h1 = tile.expand %h at [1] : tensor<2xf32> to tensor<2x1xf32>
        %h2 = tile.broadcast %h1 : tensor<2x1xf32> to tensor<2x64xf32>
        %d = tile.sub %t, %h2 : tensor<2x64xf32>
        %e = tile.exp %d : tensor<2x64xf32>
        %s = tile.reduce sum %e along 1 : tensor<2x64xf32> -> tensor<2xf32>
        %s1 = tile.expand %s at [1] : tensor<2xf32> to tensor<2x1xf32>
        %s2 = tile.broadcast %s1 : tensor<2x1xf32> to tensor<2x64xf32>
        %q = tile.div %e, %s2 : tensor<2x64xf32>
        tile.store %q, %y[%m, %c] : tensor<2x64xf32>, !tile.view<?x?xf32, out>, !tile.span<2>, !tile.span<64>
      })");
    ASSERT_TRUE(r.succeeded()) << explain(r);
    EXPECT_FALSE(bool(y.checkGuards("y")));
    EXPECT_EQ(r.written.back(), std::vector<bool>(rows * columns, true));
    Values found = valuesOf(y);
    for (int64_t i = 0; i < rows; ++i) {
      double sum = 0, top = -inf;
      for (int64_t j = 0; j < columns; ++j) {
        top = std::max(top, x[i * columns + j]);
      }
      for (int64_t j = 0; j < columns; ++j) {
        sum += std::exp(x[i * columns + j] - top);
      }
      for (int64_t j = 0; j < columns; ++j) {
        double expected = std::exp(x[i * columns + j] - top) / sum;
        if (i == 3) {
          EXPECT_TRUE(std::isnan(found[i * columns + j]));
        } else {
          EXPECT_NEAR(found[i * columns + j], expected, 1e-6 * expected);
        }
      }
    }
  }
}

namespace {
/// A product of small integers: every order and system gives the same numbers.
template <class System> void checkProduct(int64_t m, int64_t n, int64_t k) {
  Values a = pseudo(m * k, 7, 3), b = pseudo(k * n, 5, 2), expected;
  for (int64_t i = 0; i < m * n; ++i) {
    double sum = 0;
    for (int64_t l = 0; l < k; ++l) {
      sum += a[i / n * k + l] * b[l * n + i % n];
    }
    expected.push_back(sum + 0.0);
  }
  for (auto order : orders) {
    HostArray d = outputOf(DType::f32, {m, n});
    TestKernel kernel;
    kernel.with(ordered(order)).in("a", "?x?xf32", arrayOf(DType::f32, {m, k}, a));
    kernel.in("b", "?x?xf32", arrayOf(DType::f32, {k, n}, b, ArrayOrder::col))
        .out("d", "?x?xf32", d);
    RunReport r = kernel.run<System>(R"(
      %c0 = tile.constant 0 : i64
      %z = tile.constant 0.0 : f32 tensor<4x8xf32>
      tile.grid (%m = tiles(%c0 to %E0 by 4), %n = tiles(%c0 to %E3 by 8)) {
        %acc = tile.for %k in tiles(%c0 to %E1 by 3) carry(%t = %z : tensor<4x8xf32>) {
          %x = tile.load %a[%m, %k] : !tile.view<?x?xf32, in>, !tile.span<4>, !tile.span<3> -> tensor<4x3xf32>
          %y = tile.load %b[%k, %n] : !tile.view<?x?xf32, in>, !tile.span<3>, !tile.span<8> -> tensor<3x8xf32>
          %u = tile.mma %x, %y, %t : tensor<4x3xf32>, tensor<3x8xf32>, tensor<4x8xf32>
          tile.yield %u : tensor<4x8xf32>
        }
        tile.store %acc, %d[%m, %n] : tensor<4x8xf32>, !tile.view<?x?xf32, out>, !tile.span<4>, !tile.span<8>
      })");
    ASSERT_TRUE(r.succeeded()) << explain(r);
    EXPECT_TRUE(r.warnings.empty());
    EXPECT_TRUE(same(valuesOf(d), expected)) << m << " " << n << " " << k;
  }
}
} // namespace

TEST(Program, TiledProducts) {
  for (int64_t k : {0, 1, 3, 7}) {
    checkProduct<ExactSystem>(5, 9, k);
    checkProduct<F64System>(5, 9, k);
  }
  checkProduct<ExactSystem>(4, 8, 6);
  checkProduct<ExactSystem>(1, 1, 2);
}

TEST(Program, RunningSumsFromTheFarEndWithACarry) {
  int64_t rows = 3, columns = 11;
  Values x = pseudo(rows * columns, 19, 9), expected(rows * columns);
  for (int64_t i = 0; i < rows; ++i) {
    double sum = 0;
    for (int64_t j = columns; j-- > 0;) {
      expected[i * columns + j] = sum += x[i * columns + j];
    }
  }
  HostArray y = outputOf(DType::f32, {rows, columns});
  TestKernel kernel;
  RunReport r = kernel.in("x", "?x?xf32", arrayOf(DType::f32, {rows, columns}, x))
                    .out("y", "?x?xf32", y)
                    .run(R"(
    %c0 = tile.constant 0 : i64
    %z = tile.constant 0.0 : f32 tensor<2xf32>
    tile.grid (%m = tiles(%c0 to %E0 by 2)) {
      %end = tile.for %c in tiles(%c0 to %E1 by 4) reversed carry(%k = %z : tensor<2xf32>) {
        %t = tile.load %x[%m, %c] : !tile.view<?x?xf32, in>, !tile.span<2>, !tile.span<4> -> tensor<2x4xf32>
        %s = tile.scan sum %t along 1 {reverse} : tensor<2x4xf32> -> tensor<2x4xf32>
        %e = tile.expand %k at [1] : tensor<2xf32> to tensor<2x1xf32>
        %b = tile.broadcast %e : tensor<2x1xf32> to tensor<2x4xf32>
        %v = tile.add %s, %b : tensor<2x4xf32>
        tile.store %v, %y[%m, %c] : tensor<2x4xf32>, !tile.view<?x?xf32, out>, !tile.span<2>, !tile.span<4>
        %all = tile.reduce sum %t along 1 : tensor<2x4xf32> -> tensor<2xf32>
        %next = tile.add %k, %all : tensor<2xf32>
        tile.yield %next : tensor<2xf32>
      }
    })");
  ASSERT_TRUE(r.succeeded()) << explain(r);
  EXPECT_TRUE(same(valuesOf(y), expected));
}

TEST(Program, RowsWithoutASlotAreNotWritten) {
  HostArray y = outputOf(DType::f32, {5, 2});
  TestKernel kernel;
  kernel.in("x", "?x2xf32", arrayOf(DType::f32, {5, 2}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}));
  kernel.in("slot", "?xi32", arrayOf(DType::i32, {5}, {1, -1, 0, -1, 2}))
      .in("w", "?xf32", arrayOf(DType::f32, {3}, {10, 100, 1000}));
  RunReport r = kernel.out("y", "?x2xf32", y).run(R"(
    %c0 = tile.constant 0 : i64
    %z = tile.constant 0 : i32 tensor<4xi32>
    tile.grid (%m = tiles(%c0 to %E0 by 4)) {
      %t = tile.load %x[%m, :] : !tile.view<?x2xf32, in>, !tile.span<4> -> tensor<4x2xf32>
      %s = tile.load %slot[%m] : !tile.view<?xi32, in>, !tile.span<4> -> tensor<4xi32>
      %c = tile.cmp ge, %s, %z : tensor<4xi32>
      %p = tile.keep_if %s, %c over [0] : tensor<4xi32>, tensor<4xi1>
      %g = tile.load %w[%p] : !tile.view<?xf32, in>, tensor<4xi32> -> tensor<4xf32>
      %e = tile.expand %g at [1] : tensor<4xf32> to tensor<4x1xf32>
      %b = tile.broadcast %e : tensor<4x1xf32> to tensor<4x2xf32>
      %q = tile.mul %t, %b : tensor<4x2xf32>
      tile.store %q, %y[%m, :] : tensor<4x2xf32>, !tile.view<?x2xf32, out>, !tile.span<4>
    })");
  ASSERT_TRUE(r.succeeded()) << explain(r);
  EXPECT_EQ(r.written.back(), (std::vector<bool>{1, 1, 0, 0, 1, 1, 0, 0, 1, 1}));
  Values found = valuesOf(y);
  EXPECT_SAME(Values(found.begin(), found.begin() + 2), ({100, 200}));
  EXPECT_SAME(Values(found.begin() + 4, found.begin() + 6), ({50, 60}));
  EXPECT_SAME(Values(found.begin() + 8, found.end()), ({9000, 10000}));
}

TEST(Program, RepeatedArgmaxIsTopK) {
  Values x = {3, qnan, 3, -inf, 7, qnan, 0.0, -0.0};
  HostArray index = outputOf(DType::i64, {2, 8});
  TestKernel kernel;
  RunReport r =
      kernel.in("x", "8xf32", arrayOf(DType::f32, {8}, x)).out("i", "2x8xi64", index).run(R"(
    %c0 = tile.constant 0 : i64
    %c1 = tile.constant 1 : i64
    %n = tile.constant 8 : i64
    %t = tile.load %x[:] : !tile.view<8xf32, in> -> tensor<8xf32>
    %at = tile.iota : tensor<8xi64>
    %rest = tile.for %j in range(%c0 to %n) carry(%c = %t : tensor<8xf32>) {
      %v, %k = tile.argmax %c along 0 : tensor<8xf32> -> f32, i64
      tile.store %k, %i[%c0, %j] : i64, !tile.view<2x8xi64, out>, i64, i64
      %s = tile.splat %k : i64 to tensor<8xi64>
      %o = tile.cmp ne, %at, %s : tensor<8xi64>
      %d = tile.keep_if %c, %o over [0] : tensor<8xf32>, tensor<8xi1>
      tile.yield %d : tensor<8xf32>
    }
    %values, %indices = tile.topk 8 of %t along 0 : tensor<8xf32> -> tensor<8xf32>, tensor<8xi64>
    tile.store %indices, %i[%c1, :] : tensor<8xi64>, !tile.view<2x8xi64, out>, i64)");
  ASSERT_TRUE(r.succeeded()) << explain(r);
  EXPECT_SAME(valuesOf(index), ({1, 5, 4, 0, 2, 6, 7, 3, 1, 5, 4, 0, 2, 6, 7, 3}));
}
