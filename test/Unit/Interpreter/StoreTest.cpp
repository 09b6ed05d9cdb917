// Stores: what is present is written and nothing else, in every layout; duplicates of scattered elements.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "InterpreterTesting.h"

using namespace tessera;
using namespace tessera::interptest;

namespace {
std::vector<int> writtenOf(const RunReport &report, size_t argument) {
  return {report.written[argument].begin(), report.written[argument].end()};
}
const std::string spans = R"(
  %c0 = tile.constant 0 : i64
  %c2 = tile.constant 2 : i64
  %c3 = tile.constant 3 : i64
  %a = tile.span %c0, %c2 : !tile.span<2>
  %b = tile.span %c0, %c3 : !tile.span<4>
)";
} // namespace

TEST(Store, SpansCutTheValueInEveryLayout) {
  for (ArrayOrder order : {ArrayOrder::row, ArrayOrder::col, ArrayOrder::padded, ArrayOrder::offset,
                           ArrayOrder::huge}) {
    HostArray y = outputOf(DType::f32, {2, 3}, order);
    TestKernel kernel;
    RunReport r = kernel.out("y", "?x?xf32", y).run(spans + R"(
      %t = tile.constant 2.5 : f32 tensor<2x4xf32>
      tile.store %t, %y[%a, %b] : tensor<2x4xf32>, !tile.view<?x?xf32, out>, !tile.span<2>, !tile.span<4>)");
    EXPECT_TRUE(r.succeeded()) << explain(r);
    EXPECT_SAME(valuesOf(y), ({2.5, 2.5, 2.5, 2.5, 2.5, 2.5}));
    EXPECT_FALSE(bool(y.checkGuards("y")));
    EXPECT_EQ(writtenOf(r, 2), (std::vector<int>(6, 1)));
  }
}

TEST(Store, AbsentElementsAreNotWritten) {
  // Factors of one axis, of both, and with holes.
  for (const char *axes : {"[0]", "[1]", "[0, 1]"}) {
    bool row = std::string(axes) == "[0]", column = std::string(axes) == "[1]";
    std::string type = row ? "2x1xi1" : column ? "1x3xi1" : "2x3xi1";
    Values mask = row ? Values{0, 1} : column ? Values{1, 0, 1} : Values{1, 0, 0, 0, 1, 1};
    HostArray y = arrayOf(DType::i32, {2, 3}, {9, 9, 9, 9, 9, 9});
    TestKernel kernel;
    Extents shape = row ? Extents{2, 1} : column ? Extents{1, 3} : Extents{2, 3};
    RunReport r =
        kernel.inout("y", "2x3xi32", y).in("c", type, arrayOf(DType::i1, shape, mask)).run(R"(
      %t = tile.constant 1 : i32 tensor<2x3xi32>
      %c1 = tile.load %c[:, :] : !tile.view<)" + type + ", in> -> tensor<" + type + R"(>
      %k = tile.keep_if %t, %c1 over )" + axes + " : tensor<2x3xi32>, tensor<" + type + R"(>
      tile.store %k, %y[:, :] : tensor<2x3xi32>, !tile.view<2x3xi32, inout>)");
    EXPECT_TRUE(r.succeeded()) << explain(r);
    Values expected;
    std::vector<int> written;
    for (int i = 0; i < 6; ++i) {
      bool keep = row ? mask[i / 3] : column ? mask[i % 3] : mask[i];
      expected.push_back(keep ? 1 : 9);
      written.push_back(keep);
    }
    EXPECT_TRUE(same(valuesOf(y), expected));
    EXPECT_EQ(writtenOf(r, 0), written);
  }
}

TEST(Store, ScalarsPresentOrNot) {
  HostArray y = outputOf(DType::f32, {2});
  TestKernel kernel;
  RunReport r = kernel.out("y", "?xf32", y).run(R"(
    %i = tile.constant 0 : i64
    %j = tile.constant 1 : i64
    %s = tile.constant 3.0 : f32
    %n = tile.absent : f32
    tile.store %s, %y[%i] : f32, !tile.view<?xf32, out>, i64
    tile.store %n, %y[%j] : f32, !tile.view<?xf32, out>, i64)");
  EXPECT_TRUE(r.succeeded()) << explain(r);
  EXPECT_EQ(writtenOf(r, 1), (std::vector<int>{1, 0}));
  EXPECT_EQ(valuesOf(y)[0], 3);
}

namespace {
/// Scatters 10, 20, 30 to rows given by `indices` (i32; kept where `keep`) of a 4-element array of nines.
RunReport scatter(HostArray y, const Values &indices, const Values &keep,
                  const std::string &conflict) {
  TestKernel kernel;
  return kernel.inout("y", "?xi32", y)
      .in("i", "3xi32", arrayOf(DType::i32, {3}, indices))
      .in("c", "3xi1", arrayOf(DType::i1, {3}, keep))
      .in("v", "3xi32", arrayOf(DType::i32, {3}, {10, 20, 30}))
      .run(R"(
    %i1 = tile.load %i[:] : !tile.view<3xi32, in> -> tensor<3xi32>
    %c1 = tile.load %c[:] : !tile.view<3xi1, in> -> tensor<3xi1>
    %v1 = tile.load %v[:] : !tile.view<3xi32, in> -> tensor<3xi32>
    %k = tile.keep_if %v1, %c1 over [0] : tensor<3xi32>, tensor<3xi1>
    tile.store %k, %y[%i1] )" +
           conflict + " : tensor<3xi32>, !tile.view<?xi32, inout>, tensor<3xi32>");
}
const std::string last = "{conflict = #tile.conflict<last>}";
} // namespace

TEST(Store, Scatter) {
  HostArray y = arrayOf(DType::i32, {4}, {9, 9, 9, 9});
  EXPECT_TRUE(scatter(y, {3, 0, 1}, {1, 0, 1}, "").succeeded());
  EXPECT_SAME(valuesOf(y), ({9, 30, 9, 10}));
}

TEST(Store, DuplicatesAreAnErrorUnlessTheLastWins) {
  HostArray y = arrayOf(DType::i32, {4}, {9, 9, 9, 9});
  RunReport r = scatter(y, {2, 0, 2}, {1, 1, 1}, "");
  ASSERT_EQ(codes(r.errors), std::vector<std::string>{"T0873"});
  EXPECT_EQ(r.errors[0].index, std::vector<int64_t>{2});
  EXPECT_SAME(valuesOf(y), ({9, 9, 9, 9}));
  EXPECT_TRUE(scatter(y, {2, 0, 2}, {1, 1, 1}, last).succeeded());
  EXPECT_SAME(valuesOf(y), ({20, 9, 30, 9}));
  // An absent element meets nobody.
  y = arrayOf(DType::i32, {4}, {9, 9, 9, 9});
  EXPECT_TRUE(scatter(y, {2, 0, 2}, {0, 1, 1}, "").succeeded());
  EXPECT_SAME(valuesOf(y), ({20, 9, 30, 9}));
}

TEST(Store, DuplicatesByRowsAndCrossingAbsence) {
  // Equal row indices, but the two rows write different columns.
  HostArray y = arrayOf(DType::i32, {2, 2}, {9, 9, 9, 9});
  auto run = [&](const Values &mask) {
    TestKernel kernel;
    return kernel.inout("y", "?x2xi32", y)
        .in("c", "2x2xi1", arrayOf(DType::i1, {2, 2}, mask))
        .run(R"(
      %i = tile.constant 1 : i64 tensor<2xi64>
      %t = tile.constant 5 : i32 tensor<2x2xi32>
      %c1 = tile.load %c[:, :] : !tile.view<2x2xi1, in> -> tensor<2x2xi1>
      %k = tile.keep_if %t, %c1 over [0, 1] : tensor<2x2xi32>, tensor<2x2xi1>
      tile.store %k, %y[%i, :] : tensor<2x2xi32>, !tile.view<?x2xi32, inout>, tensor<2xi64>)");
  };
  EXPECT_TRUE(run({1, 0, 0, 1}).succeeded());
  EXPECT_SAME(valuesOf(y), ({9, 9, 5, 5}));
  RunReport r = run({1, 0, 1, 1});
  ASSERT_EQ(codes(r.errors), std::vector<std::string>{"T0873"});
  EXPECT_EQ(r.errors[0].index, (std::vector<int64_t>{1, 0}));
}

TEST(Store, NegativeAndZeroStrides) {
  Values x = {1, 2, 3, 4};
  HostArray memory = arrayOf(DType::f32, {4}, x);
  HostArray backwards = llvm::cantFail(
      HostArray::view(memory.memory(), DType::f32, {4}, {-1}, memory.byteOffset() + 12));
  HostArray repeated = llvm::cantFail(
      HostArray::view(memory.memory(), DType::f32, {2, 2}, {0, 1}, memory.byteOffset()));
  HostArray y = outputOf(DType::f32, {4}), z = outputOf(DType::f32, {2, 2});
  TestKernel kernel;
  RunReport r = kernel.in("a", "4xf32", backwards)
                    .in("b", "2x2xf32", repeated)
                    .out("y", "4xf32", y)
                    .out("z", "2x2xf32", z)
                    .run(R"(
    %s = tile.load %a[:] : !tile.view<4xf32, in> -> tensor<4xf32>
    %t = tile.load %b[:, :] : !tile.view<2x2xf32, in> -> tensor<2x2xf32>
    tile.store %s, %y[:] : tensor<4xf32>, !tile.view<4xf32, out>
    tile.store %t, %z[:, :] : tensor<2x2xf32>, !tile.view<2x2xf32, out>)");
  EXPECT_TRUE(r.succeeded()) << explain(r);
  EXPECT_SAME(valuesOf(y), ({4, 3, 2, 1}));
  EXPECT_SAME(valuesOf(z), ({1, 2, 1, 2}));
}

TEST(Store, EveryElementTypeKeepsItsBits) {
  for (DType t : allDTypes) {
    HostArray x = arrayOf(t, {5}, {1, 0, 1, 1, 0}), y = outputOf(t, {5});
    std::string type = "5x" + irName(t).str();
    TestKernel kernel;
    RunReport r =
        kernel.in("x", type, x)
            .out("y", type, y)
            .run("%t = tile.load %x[:] : !tile.view<" + type + ", in> -> tensor<" + type +
                 ">\ntile.store %t, %y[:] : tensor<" + type + ">, !tile.view<" + type + ", out>");
    EXPECT_TRUE(r.succeeded()) << explain(r);
    EXPECT_SAME(valuesOf(y), ({1, 0, 1, 1, 0})) << irName(t).str();
  }
}
