// Launches that do not fit the kernel, and ops that cannot be run: errors by name, never an abort.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "InterpreterTesting.h"

#include "mlir/IR/Builders.h"

#include <set>

using namespace tessera;
using namespace tessera::interptest;

namespace {
void expectError(const RunReport &r, const std::string &code, const std::string &part) {
  ASSERT_EQ(codes(r.errors), std::vector<std::string>{code}) << explain(r);
  EXPECT_NE(r.errors[0].message.find(part), std::string::npos) << r.errors[0].message;
}
const std::string nothing = "%c = tile.constant 0 : i64";
} // namespace

TEST(Argument, CountsAndKinds) {
  TestKernel kernel;
  tile::KernelOp op = kernel.in("x", "?xf32", arrayOf(DType::f32, {1}, {0}))
                          .scalar("s", DType::f32, 1)
                          .parse(nothing);
  ASSERT_TRUE(op);
  std::vector<Argument> all = kernel.launch();
  expectError(interpret<ExactSystem>(op, llvm::ArrayRef(all).drop_back()), "T0890",
              "takes 3 arguments, found 2");
  std::vector<Argument> swapped = {all[0], all[2], all[1]};
  RunReport r = interpret<ExactSystem>(op, swapped);
  EXPECT_EQ(codes(r.errors), (std::vector<std::string>{"T0891", "T0891"}));
  double wrong = 1;
  swapped = {all[0], all[1], Argument::of(DType::f64, &wrong)};
  expectError(interpret<ExactSystem>(op, swapped), "T0892",
              "argument `s` has elements of f64, expected f32");
}

TEST(Argument, TypesAndShapes) {
  TestKernel dtype;
  expectError(dtype.in("x", "?xf32", arrayOf(DType::f64, {1}, {0})).run(nothing), "T0892",
              "elements of f64, expected f32");
  TestKernel rank;
  expectError(rank.in("x", "4xf32", arrayOf(DType::f32, {2, 2}, {0, 0, 0, 0})).run(nothing),
              "T0893", "1 axes");
  TestKernel extent;
  expectError(extent.in("x", "4xf32", arrayOf(DType::f32, {3}, {0, 0, 0})).run(nothing), "T0893",
              "extent 4 of axis 0");
}

TEST(Argument, ScalarsKeepTheirValue) {
  HostArray y = outputOf(DType::bf16, {1});
  TestKernel kernel;
  RunReport r = kernel.scalar("s", DType::bf16, 1.5).out("y", "?xbf16", y).run(R"(
    %i = tile.constant 0 : i64
    tile.store %s, %y[%i] : bf16, !tile.view<?xbf16, out>, i64)");
  EXPECT_TRUE(r.succeeded()) << explain(r);
  EXPECT_SAME(valuesOf(y), ({1.5}));
}

TEST(Argument, ArraysWithoutElements) {
  for (ArrayOrder order : {ArrayOrder::row, ArrayOrder::col}) {
    HostArray y = outputOf(DType::f32, {0, 4}, order);
    TestKernel kernel;
    RunReport r = kernel.in("x", "?x?xf32", arrayOf(DType::f32, {0, 4}, {}, order))
                      .out("y", "?x?xf32", y)
                      .run(R"(
      %c0 = tile.constant 0 : i64
      %n = tile.dim %x, 0 : !tile.view<?x?xf32, in>
      %m = tile.dim %x, 1 : !tile.view<?x?xf32, in>
      %a = tile.span %c0, %n : !tile.span<2>
      %b = tile.span %c0, %m : !tile.span<4>
      %t = tile.load %x[%a, %b] : !tile.view<?x?xf32, in>, !tile.span<2>, !tile.span<4> -> tensor<2x4xf32>
      tile.store %t, %y[%a, %b] : tensor<2x4xf32>, !tile.view<?x?xf32, out>, !tile.span<2>, !tile.span<4>)");
    EXPECT_TRUE(r.succeeded()) << explain(r);
    EXPECT_TRUE(r.written[3].empty());
  }
}

TEST(Argument, TilesTooLargeAreRefused) {
  TestKernel kernel;
  RunReport r = kernel.run("%t = tile.constant 0.0 : f64 tensor<4294967296x4xf64>");
  expectError(r, "T0886", "needs 137438953472 bytes");
}

TEST(Argument, ForeignOpsAreNamed) {
  TestKernel kernel;
  tile::KernelOp op = kernel.parse(nothing);
  ASSERT_TRUE(op);
  op->getContext()->allowUnregisteredDialects();
  mlir::OpBuilder builder(&op.getBody().front(), op.getBody().front().begin());
  mlir::OperationState state(op.getLoc(), "other.thing");
  builder.create(state);
  expectError(interpret<ExactSystem>(op, {}), "T0884", "`other.thing` cannot be run");
  op->getContext()->allowUnregisteredDialects(false);
}

TEST(Argument, AKernelWithoutABody) {
  TestKernel kernel;
  tile::KernelOp op = kernel.parse(nothing);
  ASSERT_TRUE(op);
  op.getBody().getBlocks().clear();
  expectError(interpret<ExactSystem>(op, {}), "T0889", "`k` has no body");
}

TEST(Argument, WholeAxesMeetTheirExtent) {
  // The extent of a loop's carried view is what the program says it is; here the text is wrong on purpose, as a faulty
  // pass would leave it.
  TestKernel kernel;
  tile::KernelOp op = kernel.in("x", "?xf32", arrayOf(DType::f32, {8}, Values(8, 1)))
                          .scalar("h", DType::i64, 3)
                          .parse(R"(
    %c0 = tile.constant 0 : i64
    %p = tile.view_slice %x, 0 from %c0 to %h : !tile.view<?xf32, in> -> !tile.view<?xf32, in>
    %s = tile.span %c0, %h : !tile.span<4>
    %t = tile.load %p[%s] : !tile.view<?xf32, in>, !tile.span<4> -> tensor<4xf32>)");
  ASSERT_TRUE(op);
  tile::LoadOp load = *op.getBody().getOps<tile::LoadOp>().begin();
  auto narrow = tile::ViewType::get(
      op->getContext(), {4}, load.getView().getType().getElementType(), tile::AccessMode::in);
  load.getView().setType(narrow);
  load.getIndicesMutable().clear();
  load.setWhole({true});
  expectError(interpret<ExactSystem>(op, kernel.launch()), "T0874", "as 4 elements and has 3");
}

TEST(Argument, MemoryThatCannotBeReserved) {
  std::byte one[4] = {};
  auto memory = HostMemory::borrow(one, uint64_t(1) << 62);
  llvm::Expected<HostArray> array = HostArray::view(memory, DType::i8, {2}, {int64_t(1) << 60}, 0);
  ASSERT_TRUE(bool(array)) << llvm::toString(array.takeError());
  TestKernel kernel;
  expectError(kernel.inout("y", "?xi8", *array).run(nothing), "T0888",
              "the record of accesses to `y`");
}

TEST(Argument, EveryCodeIsListedOnce) {
  std::set<std::string> seen;
  for (unsigned i = 0; i < numRunDiags(); ++i) {
    auto id = static_cast<RunDiag>(i);
    EXPECT_TRUE(seen.insert(runDiagCode(id).str()).second);
    EXPECT_TRUE(runDiagName(id).starts_with("run_"));
    EXPECT_FALSE(runDiagFormat(id).empty());
  }
}
