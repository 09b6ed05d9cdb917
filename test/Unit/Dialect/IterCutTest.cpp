// What single cuts look like: offsets, mirrored ranges, prefixes, spans.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "DialectTesting.h"

using namespace mlir;
using namespace tessera::tile;

namespace tessera {
namespace {

class IterCutTest : public DialectTest {
protected:
  /// The only op with dims of a function with these arguments.
  TileIterOpInterface make(StringRef arguments, StringRef op) {
    module = parse(("func.func @f(" + arguments + ") {\n  " + op + "\n  return\n}\n").str());
    return first<TileIterOpInterface>(*module);
  }

  /// The text of the ops that cloneAt makes, one a line.
  std::string cut(TileIterOpInterface op, const IterBox &box, ValueRange operands) {
    OpBuilder b(op);
    Operation *before = op->getPrevNode();
    Operation *made = op.cloneAt(b, op->getLoc(), operands, box);
    EXPECT_TRUE(made);
    std::string text;
    llvm::raw_string_ostream out(text);
    for (Operation *o = before ? before->getNextNode() : &op->getBlock()->front(); o != op;
         o = o->getNextNode()) {
      out << *o << "\n";
    }
    return text;
  }

  OwningOpRef<ModuleOp> module;
};

TEST_F(IterCutTest, operandRanges) {
  auto slice =
      make("%x: tensor<8xf32>", "%0 = tile.slice %x from [2] : tensor<8xf32> to tensor<5xf32>");
  EXPECT_EQ(slice.getOperandBox(0, {{1, 3}}), (IterBox{{3, 3}}));
  auto flip = make("%x: tensor<8xf32>", "%0 = tile.flip %x along 0 : tensor<8xf32>");
  EXPECT_EQ(flip.getOperandBox(0, {{1, 3}}), (IterBox{{4, 3}}));
  auto cat = make("%x: tensor<3xf32>, %y: tensor<5xf32>",
                  "%0 = tile.cat %x, %y along 0 : tensor<3xf32>, tensor<5xf32> to tensor<8xf32>");
  EXPECT_EQ(cat.getOperandBox(0, {{2, 4}}), (IterBox{{2, 1}}));
  EXPECT_EQ(cat.getOperandBox(1, {{2, 4}}), (IterBox{{0, 3}}));
  EXPECT_EQ(cat.getOperandBox(0, {{3, 4}})[0].size, 0);
  auto scan =
      make("%x: tensor<8xf32>", "%0 = tile.scan sum %x along 0 : tensor<8xf32> -> tensor<8xf32>");
  EXPECT_EQ(scan.getOperandBox(0, {{2, 3}}), (IterBox{{0, 5}}));
  auto reverse = make("%x: tensor<8xf32>",
                      "%0 = tile.scan sum %x along 0 {reverse} : tensor<8xf32> -> tensor<8xf32>");
  EXPECT_EQ(reverse.getOperandBox(0, {{2, 3}}), (IterBox{{2, 6}}));
  auto permute = make("%x: tensor<2x3x4xf32>",
                      "%0 = tile.permute %x, [2, 0, 1] : tensor<2x3x4xf32> to tensor<4x2x3xf32>");
  EXPECT_EQ(permute.getOperandBox(0, {{1, 3}, {0, 2}, {2, 1}}), (IterBox{{0, 2}, {2, 1}, {1, 3}}));
  auto keep = make("%x: tensor<4x8xf32>, %c: tensor<1x8xi1>",
                   "%0 = tile.keep_if %x, %c over [1] : tensor<4x8xf32>, tensor<1x8xi1>");
  EXPECT_EQ(keep.getOperandBox(1, {{1, 2}, {3, 4}}), (IterBox{{0, 1}, {3, 4}}));
}

TEST_F(IterCutTest, dimsOfReductionsAndProducts) {
  auto dims = [&](StringRef arguments, StringRef op) {
    std::string text;
    for (const IterDim &dim : make(arguments, op).getIterDims()) {
      text += dim.name + ":" + std::to_string(dim.extent) + ":" +
              std::to_string(static_cast<int>(dim.kind)) + " ";
    }
    return text;
  };
  EXPECT_EQ(dims("%x: tensor<2x3x4xf32>",
                 "%0 = tile.reduce sum %x along 1 : tensor<2x3x4xf32> -> tensor<2x4xf32>"),
            "d0:2:0 d1:4:0 r:3:2 ");
  EXPECT_EQ(dims("%x: tensor<4xf32>", "%0 = tile.reduce sum %x along 0 {order = "
                                      "#tile.reduce_order<any>} : tensor<4xf32> -> f32"),
            "r:4:3 ");
  EXPECT_EQ(dims("%x: tensor<4xf32>", "%0 = tile.reduce max %x along 0 : tensor<4xf32> -> f32"),
            "r:4:1 ");
  EXPECT_EQ(dims("%x: tensor<4xi32>", "%0 = tile.reduce sum %x along 0 : tensor<4xi32> -> i32"),
            "r:4:1 ");
  EXPECT_EQ(dims("%a: tensor<2x3xf32>, %b: tensor<3x4xf32>, %c: tensor<2x4xf32>",
                 "%0 = tile.mma %a, %b, %c : tensor<2x3xf32>, tensor<3x4xf32>, tensor<2x4xf32>"),
            "m:2:0 n:4:0 k:3:4 ");
}

TEST_F(IterCutTest, spansAreCutByTheirStart) {
  auto load =
      make("%x: !tile.view<?xf32, in>, %r: !tile.span<64>",
           "%0 = tile.load %x[%r] : !tile.view<?xf32, in>, !tile.span<64> -> tensor<64xf32>");
  EXPECT_EQ(cut(load, {{16, 32}}, load->getOperands()),
            R"(%0 = tile.span_start %arg1 : !tile.span<64>
%1 = tile.span_stop %arg1 : !tile.span<64>
%2 = tile.constant 16 : i64
%3 = tile.add %0, %2 : i64
%4 = tile.span %3, %1 : !tile.span<32>
%5 = tile.load %arg0[%4] : !tile.view<?xf32, in>, !tile.span<32> -> tensor<32xf32>
)");
}

TEST_F(IterCutTest, wholeAxesBecomeSpans) {
  auto load = make("%x: !tile.view<8xf32, in>",
                   "%0 = tile.load %x[:] : !tile.view<8xf32, in> -> tensor<8xf32>");
  EXPECT_EQ(cut(load, {{2, 4}}, load->getOperands()), R"(%0 = tile.constant 2 : i64
%1 = tile.constant 6 : i64
%2 = tile.span %0, %1 : !tile.span<4>
%3 = tile.load %arg0[%2] : !tile.view<8xf32, in>, !tile.span<4> -> tensor<4xf32>
)");
}

TEST_F(IterCutTest, laterIndicesKeepTheirNumbers) {
  auto iota = make("", "%0 = tile.iota : tensor<8xi64>");
  EXPECT_EQ(cut(iota, {{3, 2}}, {}), R"(%0 = tile.iota : tensor<2xi64>
%1 = tile.constant 3 : i64 tensor<2xi64>
%2 = tile.add %0, %1 : tensor<2xi64>
)");
}

TEST_F(IterCutTest, indicesCountFromTheStart) {
  auto op = make("%x: tensor<8xf32>", "%0:2 = tile.argmax %x along 0 : tensor<8xf32> -> f32, i64");
  std::string message;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    message = diagnostic.str();
    return success();
  });
  OpBuilder b(op);
  EXPECT_FALSE(op.cloneAt(b, op->getLoc(), op->getOperands(), {{2, 4}}));
  EXPECT_EQ(message, "expected a part of dim `r` of `tile.argmax` that starts at 0 and has 1 "
                     "points or more, found 4 points "
                     "from 2: the indices it returns count from the first element");
}

} // namespace
} // namespace tessera
