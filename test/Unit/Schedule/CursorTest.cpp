// The table of cursors.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "IRTesting.h"

using namespace tessera;
using namespace tessera::testing;
using script::ValueKind;

namespace {

const char *const kKernel = R"(
tile.kernel @k[%M "M"](%x "x": !tile.view<?xf32, inout> shape ()[s0] -> (s0)) body {
  %c0 = tile.constant 0 : i64
  tile.grid (%r = tiles(%c0 to %M by 8)) {
    %t = tile.load %x[%r] : !tile.view<?xf32, inout>, !tile.span<8> -> tensor<8xf32>
    %u = tile.add %t, %t : tensor<8xf32>
    %v = tile.mul %u, %t : tensor<8xf32>
    tile.store %v, %x[%r] : tensor<8xf32>, !tile.view<?xf32, inout>, !tile.span<8>
  }
}
)";

class Cursors : public ::testing::Test {
protected:
  Cursors() : test(kKernel), table(test.host().getCursors()) {}
  std::string text(const Value &cursor) {
    llvm::Expected<schedule::Site> site = table.resolve(cursor);
    return site ? site->text : test.words(site.takeError());
  }
  /// Through the host's own rewriter, as a primitive does.
  void edit(llvm::function_ref<void(mlir::RewriterBase &)> edit) {
    script::Signature signature;
    signature.name = "edit";
    schedule::HostCall call{signature, Value(), {}, {}};
    schedule::PrimitiveContext context(test.host(), call);
    table.enter("edit", {});
    edit(context.rewriter());
    table.leave();
  }

  OnIR test;
  schedule::CursorTable &table;
};

} // namespace

TEST_F(Cursors, TheSamePlaceHasOneCursor) {
  auto add = test.first<tile::AddOp>();
  EXPECT_TRUE(table.op(add, ValueKind::Op) == table.op(add, ValueKind::Op));
  EXPECT_TRUE(table.dim(add, "d0") == table.dim(add, "d0"));
  EXPECT_TRUE(table.gap(add, true) == table.gap(add, true));
  EXPECT_FALSE(table.gap(add, true) == table.gap(add, false));
}

TEST_F(Cursors, SurviveMoves) {
  auto add = test.first<tile::AddOp>();
  Value cursor = table.op(add, ValueKind::Op);
  edit(
      [&](mlir::RewriterBase &rewriter) { rewriter.moveOpBefore(add, test.first<tile::MulOp>()); });
  EXPECT_EQ(text(cursor), "add");
}

TEST_F(Cursors, DieWithTheirOp) {
  auto store = test.first<tile::StoreOp>();
  Value cursor = table.op(store, ValueKind::Op), dim = table.dim(store, "d0"),
        operand = table.operand(store, 0);
  edit([&](mlir::RewriterBase &rewriter) { rewriter.eraseOp(store); });
  for (const Value &dead : {cursor, dim, operand}) {
    llvm::Expected<schedule::Site> site = table.resolve(dead);
    ASSERT_FALSE(static_cast<bool>(site));
    llvm::handleAllErrors(site.takeError(), [&](const script::HostError &error) {
      EXPECT_EQ(error.kind, script::HostError::Kind::Dead);
      EXPECT_EQ(error.consumer, "edit");
    });
  }
}

TEST_F(Cursors, FollowASingleHeir) {
  auto add = test.first<tile::AddOp>();
  Value cursor = table.op(add, ValueKind::Op), operand = table.operand(add, 1);
  edit([&](mlir::RewriterBase &rewriter) {
    rewriter.setInsertionPoint(add);
    auto sub = tile::SubOp::create(rewriter, add.getLoc(), add.getLhs(), add.getRhs());
    table.derive(sub, add, "");
    rewriter.replaceOp(add, sub);
  });
  llvm::Expected<schedule::Site> site = table.resolve(cursor);
  ASSERT_TRUE(static_cast<bool>(site));
  EXPECT_TRUE(llvm::isa<tile::SubOp>(site->op));
  EXPECT_EQ(text(operand), "add.rhs") << "what hangs on it follows";
}

TEST_F(Cursors, SeveralHeirsAreAmbiguous) {
  auto add = test.first<tile::AddOp>();
  Value cursor = table.op(add, ValueKind::Op);
  edit([&](mlir::RewriterBase &rewriter) {
    rewriter.setInsertionPoint(add);
    auto first = tile::SubOp::create(rewriter, add.getLoc(), add.getLhs(), add.getRhs());
    auto second = tile::SubOp::create(rewriter, add.getLoc(), first, add.getRhs());
    table.derive(first, add, "first");
    table.derive(second, add, "second");
    rewriter.replaceOp(add, second);
  });
  EXPECT_EQ(text(cursor), "add | add.first | add.second");
  EXPECT_EQ(text(*table.heir(cursor, "second")), "add.second");
  EXPECT_FALSE(table.heir(cursor, "third"));
}

TEST_F(Cursors, GapsSlide) {
  auto add = test.first<tile::AddOp>();
  Value before = table.gap(add, true), after = table.gap(add, false);
  auto mul = test.first<tile::MulOp>();
  edit([&](mlir::RewriterBase &rewriter) {
    rewriter.replaceOp(add, mlir::ValueRange{add.getLhs()});
  });
  for (const Value &gap : {before, after}) {
    llvm::Expected<schedule::Site> site = table.resolve(gap);
    ASSERT_TRUE(static_cast<bool>(site));
    EXPECT_EQ(site->op, mul.getOperation());
    EXPECT_TRUE(site->isBefore);
  }
}

TEST_F(Cursors, BlocksAreTheirStatements) {
  Value block = table.block(test.first<tile::AddOp>(), test.first<tile::StoreOp>());
  llvm::Expected<schedule::Site> site = table.resolve(block);
  ASSERT_TRUE(static_cast<bool>(site));
  EXPECT_EQ(site->ops.size(), 3u);
  Value body = table.body(test.first<tile::AddOp>()->getBlock());
  site = table.resolve(body);
  ASSERT_TRUE(static_cast<bool>(site));
  EXPECT_EQ(site->ops.size(), 4u) << "without the terminator";
}

TEST_F(Cursors, SetsAreWhatIsLeftOfThem) {
  auto add = test.first<tile::AddOp>();
  auto mul = test.first<tile::MulOp>();
  Value set = table.ops({add, mul}, "call f");
  edit([&](mlir::RewriterBase &rewriter) {
    rewriter.replaceOp(add, mlir::ValueRange{add.getLhs()});
  });
  llvm::Expected<schedule::Site> site = table.resolve(set);
  ASSERT_TRUE(static_cast<bool>(site));
  EXPECT_EQ(site->ops, llvm::SmallVector<mlir::Operation *>{mul});
}

TEST_F(Cursors, WhatIsNoCursor) {
  EXPECT_EQ(text(Value::integer(3)), "expected a cursor, found the integer 3");
  EXPECT_NE(text(Value::cursor({9999, 0, ValueKind::Op, "far"})), "");
}

TEST_F(Cursors, RollBackBringsOpsBack) {
  auto store = test.first<tile::StoreOp>();
  Value cursor = table.op(store, ValueKind::Op);
  uint64_t mark = test.host().mark();
  EXPECT_EQ(test.call("split", {table.dim(store, "d0"), Value::integer(2)}), "");
  Value factor = test.result.getRecord()->front().second;
  edit([&](mlir::RewriterBase &rewriter) { rewriter.eraseOp(store); });
  test.host().rollback(mark);
  llvm::Expected<schedule::Site> site = table.resolve(cursor);
  ASSERT_TRUE(static_cast<bool>(site));
  EXPECT_EQ(site->op, test.first<tile::StoreOp>().getOperation());
  llvm::Expected<schedule::Site> gone = table.resolve(factor);
  ASSERT_FALSE(static_cast<bool>(gone));
  llvm::handleAllErrors(gone.takeError(), [&](const script::HostError &error) {
    EXPECT_EQ(error.consumer, "the end of `try`");
  });
}
