// Views of views: splits, groups, permutations, parts.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "InterpreterTesting.h"

using namespace tessera;
using namespace tessera::interptest;

namespace {
Values counting(int n) {
  Values values;
  for (int i = 0; i < n; ++i) {
    values.push_back(i);
  }
  return values;
}
struct Out {
  RunReport report;
  Values values;
};
/// Runs over `x` of extents [2, n], storing %r: tensor<4xf32>.
Out run(int64_t n, const std::string &body, ArrayOrder order = ArrayOrder::row) {
  HostArray y = outputOf(DType::f32, {4});
  TestKernel kernel;
  kernel.in("x", "?x?xf32", arrayOf(DType::f32, {2, n}, counting(2 * n), order))
      .out("y", "4xf32", y);
  RunReport report =
      kernel.run(body + "\ntile.store %r, %y[:] : tensor<4xf32>, !tile.view<4xf32, out>");
  return {std::move(report), valuesOf(y)};
}
const std::string constants =
    "%c0 = tile.constant 0 : i64\n%c1 = tile.constant 1 : i64\n%c2 = tile.constant 2 : i64\n"
    "%c4 = tile.constant 4 : i64\n%s = tile.span %c0, %c4 : !tile.span<4>\n";
} // namespace

TEST(Views, SplitTakesEqualParts) {
  for (ArrayOrder order : {ArrayOrder::row, ArrayOrder::col, ArrayOrder::huge}) {
    Out out = run(8, constants + R"(
      %a, %b = tile.view_split %x, 1 : !tile.view<?x?xf32, in> -> !tile.view<?x?xf32, in>, !tile.view<?x?xf32, in>
      %r = tile.load %b[%c1, %s] : !tile.view<?x?xf32, in>, i64, !tile.span<4> -> tensor<4xf32>)",
                  order);
    EXPECT_TRUE(out.report.succeeded()) << explain(out.report);
    EXPECT_SAME(out.values, ({12, 13, 14, 15}));
  }
}

TEST(Views, SplitMustBeEven) {
  Out out = run(7, constants + R"(
    %a, %b = tile.view_split %x, 1 : !tile.view<?x?xf32, in> -> !tile.view<?x?xf32, in>, !tile.view<?x?xf32, in>
    %r = tile.load %b[%c1, %s] : !tile.view<?x?xf32, in>, i64, !tile.span<4> -> tensor<4xf32>)");
  ASSERT_EQ(codes(out.report.errors), std::vector<std::string>{"T0881"});
  EXPECT_NE(out.report.errors[0].message.find("extent 7 cannot be split into 2"),
            std::string::npos);
}

TEST(Views, GroupCutsAnAxis) {
  std::string body = constants + R"(
    %g = tile.view_group %x, 1 by 4 : !tile.view<?x?xf32, in> -> !tile.view<?x?x4xf32, in>
    %r = tile.load %g[%c1, %c1, :] : !tile.view<?x?x4xf32, in>, i64, i64 -> tensor<4xf32>)";
  Out out = run(8, body);
  EXPECT_SAME(out.values, ({12, 13, 14, 15}));
  out = run(6, body);
  ASSERT_EQ(codes(out.report.errors), std::vector<std::string>{"T0882"});
}

TEST(Views, Permute) {
  Out out = run(4, constants + R"(
    %t = tile.view_permute %x, [1, 0] : !tile.view<?x?xf32, in> -> !tile.view<?x?xf32, in>
    %r = tile.load %t[%s, %c1] : !tile.view<?x?xf32, in>, !tile.span<4>, i64 -> tensor<4xf32>)");
  EXPECT_SAME(out.values, ({4, 5, 6, 7}));
}

TEST(Views, SliceBounds) {
  auto slice = [](int64_t lo, int64_t hi) {
    return run(8, constants + "%lo = tile.constant " + std::to_string(lo) +
                      " : i64\n%hi = tile.constant " + std::to_string(hi) + R"( : i64
      %p = tile.view_slice %x, 1 from %lo to %hi : !tile.view<?x?xf32, in> -> !tile.view<?x?xf32, in>
      %n = tile.dim %p, 1 : !tile.view<?x?xf32, in>
      %q = tile.span %c0, %n : !tile.span<4>
      %t = tile.load %p[%c1, %q] : !tile.view<?x?xf32, in>, i64, !tile.span<4> -> tensor<4xf32>
      %z = tile.constant -1.0 : f32 tensor<4xf32>
      %r = tile.fill_absent %t, %z : tensor<4xf32>)");
  };
  EXPECT_SAME(slice(2, 6).values, ({10, 11, 12, 13}));
  EXPECT_SAME(slice(7, 8).values, ({15, -1, -1, -1}));
  EXPECT_SAME(slice(8, 8).values, ({-1, -1, -1, -1}));
  for (auto [lo, hi] : {std::pair<int64_t, int64_t>{-1, 3}, {5, 4}, {2, 9}}) {
    EXPECT_EQ(codes(slice(lo, hi).report.errors), std::vector<std::string>{"T0883"});
  }
}

TEST(Views, AbsentBoundsOfASlice) {
  Out out = run(8, constants + R"(
    %n = tile.absent : i64
    %p = tile.view_slice %x, 1 from %n to %c4 : !tile.view<?x?xf32, in> -> !tile.view<?x?xf32, in>
    %r = tile.load %p[%c0, %s] : !tile.view<?x?xf32, in>, i64, !tile.span<4> -> tensor<4xf32>)");
  EXPECT_EQ(codes(out.report.errors), std::vector<std::string>{"T0872"});
}

TEST(Views, StoresThroughViewsOfViews) {
  HostArray y = outputOf(DType::i32, {2, 4});
  TestKernel kernel;
  RunReport r = kernel.out("y", "2x4xi32", y).run(R"(
    %g = tile.view_group %y, 1 by 2 : !tile.view<2x4xi32, out> -> !tile.view<2x2x2xi32, out>
    %t = tile.view_permute %g, [1, 0, 2] : !tile.view<2x2x2xi32, out> -> !tile.view<2x2x2xi32, out>
    %i = tile.iota : tensor<8xi64>
    %j = tile.cast %i {overflow = #tile.overflow<wrap>} : tensor<8xi64> to tensor<8xi32>
    %k = tile.reshape %j : tensor<8xi32> to tensor<2x2x2xi32>
    tile.store %k, %t[:, :, :] : tensor<2x2x2xi32>, !tile.view<2x2x2xi32, out>)");
  EXPECT_TRUE(r.succeeded()) << explain(r);
  EXPECT_SAME(valuesOf(y), ({0, 1, 4, 5, 2, 3, 6, 7}));
}
