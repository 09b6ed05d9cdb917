// The launch domain: extents, orders, points.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "InterpreterTesting.h"

#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <set>

using namespace tessera;
using namespace tessera::interptest;

namespace {
/// The order in which a grid of `n` points visits its indices, as the printed values.
std::vector<int> visits(int64_t n, GridOrder order, uint64_t seed = 0) {
  std::string text;
  llvm::raw_string_ostream os(text);
  RunOptions options;
  options.order = order;
  options.seed = seed;
  options.print = &os;
  TestKernel kernel;
  RunReport r = kernel.with(options).scalar("n", DType::i64, double(n)).run(R"(
    %c0 = tile.constant 0 : i64
    tile.grid (%i = range(%c0 to %n)) {
      tile.print "at", %i : i64
    })");
  EXPECT_TRUE(r.succeeded()) << explain(r);
  EXPECT_EQ(r.counters.points, uint64_t(std::max<int64_t>(n, 0)));
  std::vector<int> order_;
  llvm::SmallVector<llvm::StringRef> lines;
  llvm::StringRef(text).split(lines, '\n', -1, false);
  for (llvm::StringRef line : lines) {
    order_.push_back(std::stoi(line.rsplit("= ").second.str()));
  }
  return order_;
}
} // namespace

TEST(Grid, Orders) {
  EXPECT_EQ(visits(4, GridOrder::rowMajor), (std::vector<int>{0, 1, 2, 3}));
  EXPECT_EQ(visits(4, GridOrder::reverse), (std::vector<int>{3, 2, 1, 0}));
}

TEST(Grid, ShufflesAreOrdersOfAllPoints) {
  for (int64_t n : {1, 2, 3, 5, 16, 17, 100}) {
    for (uint64_t seed : {0, 1, 2, 77}) {
      std::vector<int> order = visits(n, GridOrder::shuffle, seed);
      EXPECT_EQ(order, visits(n, GridOrder::shuffle, seed));
      std::sort(order.begin(), order.end());
      EXPECT_EQ(order, visits(n, GridOrder::rowMajor));
    }
  }
  std::set<std::vector<int>> orders;
  for (uint64_t seed = 0; seed < 40; ++seed) {
    orders.insert(visits(3, GridOrder::shuffle, seed));
  }
  EXPECT_EQ(orders.size(), 6u);
}

TEST(Grid, EmptyAxesRunNothing) {
  EXPECT_TRUE(visits(0, GridOrder::rowMajor).empty());
  EXPECT_TRUE(visits(-5, GridOrder::shuffle).empty());
  TestKernel kernel;
  RunReport r = kernel.run(R"(
    %c0 = tile.constant 0 : i64
    %big = tile.constant 9223372036854775807 : i64
    tile.grid (%i = range(%c0 to %big), %j = range(%c0 to %big), %k = tiles(%c0 to %c0 by 8)) {
      %x = tile.constant false
      tile.assert %x, "never" : i1
    })");
  EXPECT_TRUE(r.succeeded()) << explain(r);
  EXPECT_EQ(r.counters.points, 0u);
}

TEST(Grid, TilesAndIndicesRowMajor) {
  HostArray y = outputOf(DType::i64, {5, 3});
  TestKernel kernel;
  RunReport r = kernel.out("y", "?x?xi64", y).run(R"(
    %c0 = tile.constant 0 : i64
    %c3 = tile.constant 3 : i64
    %c5 = tile.constant 5 : i64
    %ten = tile.constant 10 : i64 tensor<2xi64>
    tile.grid (%m = tiles(%c0 to %c5 by 2), %j = range(%c0 to %c3)) {
      %i = tile.span_index %m : !tile.span<2> -> tensor<2xi64>
      %a = tile.mul %i, %ten : tensor<2xi64>
      %b = tile.splat %j : i64 to tensor<2xi64>
      %c = tile.add %a, %b : tensor<2xi64>
      tile.store %c, %y[%m, %j] : tensor<2xi64>, !tile.view<?x?xi64, out>, !tile.span<2>, i64
    })");
  EXPECT_TRUE(r.succeeded()) << explain(r);
  EXPECT_EQ(r.counters.points, 9u);
  EXPECT_SAME(valuesOf(y), ({0, 1, 2, 10, 11, 12, 20, 21, 22, 30, 31, 32, 40, 41, 42}));
}

TEST(Grid, TooManyPointsAreRefused) {
  TestKernel kernel;
  RunReport r = kernel.run(R"(
    %c0 = tile.constant -9223372036854775808 : i64
    %big = tile.constant 9223372036854775807 : i64
    tile.grid (%i = range(%c0 to %big)) {
    })");
  EXPECT_EQ(codes(r.errors), std::vector<std::string>{"T0887"});
}

TEST(Grid, AbsentBoundsAreErrors) {
  TestKernel kernel;
  RunReport r = kernel.run(R"(
    %c0 = tile.constant 0 : i64
    %n = tile.absent : i64
    tile.grid (%i = range(%c0 to %n)) {
    })");
  ASSERT_EQ(codes(r.errors), std::vector<std::string>{"T0872"});
  EXPECT_EQ(lineOf(r.errors[0].where), 5u);
}

TEST(Grid, OtherPointsRunAfterAnError) {
  std::string body = R"(
    %c0 = tile.constant 0 : i64
    %c1 = tile.constant 1 : i64
    %c4 = tile.constant 4 : i64
    tile.grid (%i = range(%c0 to %c4)) {
      %ok = tile.cmp ne, %i, %c1 : i64
      tile.assert %ok, "not one" : i1
      tile.store %i, %y[%i] : i64, !tile.view<?xi64, out>, i64
    })";
  HostArray y = outputOf(DType::i64, {4});
  TestKernel kernel;
  RunReport r = kernel.out("y", "?xi64", y).run(body);
  ASSERT_EQ(codes(r.errors), std::vector<std::string>{"T0878"});
  EXPECT_EQ(r.written[1], (std::vector<bool>{true, false, true, true}));
  RunOptions once;
  once.maxErrors = 1;
  TestKernel first;
  r = first.with(once).out("y", "?xi64", outputOf(DType::i64, {4})).run(body);
  EXPECT_EQ(r.written[1], (std::vector<bool>{true, false, false, false}));
}

TEST(Grid, ABodyWithoutAGridIsOnePoint) {
  HostArray y = outputOf(DType::i64, {1});
  TestKernel kernel;
  RunReport r = kernel.out("y", "?xi64", y).run(R"(
    %c0 = tile.constant 0 : i64
    tile.store %c0, %y[%c0] : i64, !tile.view<?xi64, out>, i64)");
  EXPECT_TRUE(r.succeeded());
  EXPECT_EQ(r.counters.points, 1u);
}
