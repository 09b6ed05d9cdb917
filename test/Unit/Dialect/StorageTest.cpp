// Accesses to bufs: their dims, windows and cuts, and what bufs say of themselves.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "DialectTesting.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace tessera::tile;

namespace tessera {
namespace {

constexpr char arguments[] =
    "%x: !tile.view<?x8x?xf32, in>, %w: !tile.view<4x8xf32, inout>, %r: !tile.span<4>, "
    "%c: !tile.span<8>, %i: i64, %t: tensor<8xi64>, %f: tensor<4x8xf32>, %s: !tile.slot, "
    "%a: !tile.buf<4x8xf32, shared>, %b: !tile.buf<4x8xf32, shared, slots = 2>";

constexpr char instruction[] = R"(
tile.instr @tma on "sm_90" scope thread order exact via tma operands [] ptx "" {
}
)";

class StorageTest : public DialectTest {
protected:
  /// The windows of the last op with any, of a function with the arguments above.
  SmallVector<Window> windowsOf(StringRef ops) {
    module = parse(
        (instruction + ("func.func @f(" + Twine(arguments) + ") {\n  " + ops + "\n  return\n}\n"))
            .str());
    SmallVector<Window> windows;
    (*module)->walk([&](TileIterOpInterface iter) {
      SmallVector<Window> these = iter.getWindows();
      windows = these.empty() ? windows : these;
    });
    return windows;
  }

  /// `span whole` for a window of those axes.
  static std::string kinds(const Window &window) {
    std::string text;
    for (const WindowAxis &axis : window.axes) {
      constexpr const char *words[] = {"scalar", "span", "gather", "whole"};
      text += std::string(text.empty() ? "" : " ") + words[axis.kind];
      text += std::to_string(axis.size);
      EXPECT_EQ(axis.kind == WindowAxis::whole, !axis.index);
    }
    return text;
  }

  Value argument(unsigned i) { return first<func::FuncOp>(*module).getArgument(i); }

  OwningOpRef<ModuleOp> module;
};

TEST_F(StorageTest, copyReadsTheViewAndWritesTheSlot) {
  auto windows =
      windowsOf("tile.copy %x[%r, :, %i] to %b slot %s fill zero : !tile.view<?x8x?xf32, in>, "
                "!tile.span<4>, i64 to !tile.buf<4x8xf32, shared, slots = 2>");
  ASSERT_EQ(windows.size(), 2u);
  EXPECT_EQ(windows[0].kind, Window::read);
  EXPECT_EQ(windows[0].view, argument(0));
  EXPECT_EQ(kinds(windows[0]), "span4 whole8 scalar1");
  EXPECT_FALSE(windows[0].slot);
  // A span may be short, but zeros fill the rest of the slot.
  EXPECT_FALSE(windows[0].must);
  EXPECT_EQ(windows[1].kind, Window::write);
  EXPECT_EQ(windows[1].view, argument(9));
  EXPECT_EQ(windows[1].slot, argument(7));
  EXPECT_EQ(kinds(windows[1]), "whole4 whole8");
  EXPECT_TRUE(windows[1].must);
  EXPECT_EQ(windows[0].via, Proxy::generic);
  EXPECT_EQ(windows[1].via, Proxy::generic);
}

TEST_F(StorageTest, fillUndefIsNoMust) {
  auto windows = windowsOf("tile.copy %x[%r, :, %i] to %a fill undef : !tile.view<?x8x?xf32, in>, "
                           "!tile.span<4>, i64 to !tile.buf<4x8xf32, shared>");
  ASSERT_EQ(windows.size(), 2u);
  EXPECT_FALSE(windows[1].must);
  EXPECT_FALSE(windows[1].slot);
  // Unless nothing of the box can be absent.
  windows = windowsOf("tile.copy %w[:, :] to %a fill undef : !tile.view<4x8xf32, inout> to "
                      "!tile.buf<4x8xf32, shared>");
  ASSERT_EQ(windows.size(), 2u);
  EXPECT_TRUE(windows[0].must);
  EXPECT_TRUE(windows[1].must);
  // An index tile of unknown origin may lack elements.
  windows = windowsOf("%0 = tile.alloc : !tile.buf<8x8xf32, shared>\n"
                      "tile.copy %x[%t, :, %i] to %0 fill undef : !tile.view<?x8x?xf32, in>, "
                      "tensor<8xi64>, i64 to !tile.buf<8x8xf32, shared>");
  ASSERT_EQ(windows.size(), 2u);
  EXPECT_EQ(kinds(windows[0]), "gather8 whole8 scalar1");
  EXPECT_FALSE(windows[1].must);
  // It lies along the dim of its axis.
  auto copy = cast<TileIterOpInterface>(first<CopyOp>(*module).getOperation());
  EXPECT_EQ(copy.getOperandBox(1, {{1, 2}, {3, 4}}), (IterBox{{1, 2}}));
  EXPECT_TRUE(copy.getOperandBox(2, {{1, 2}, {3, 4}}).empty());
}

TEST_F(StorageTest, copyOut) {
  auto windows = windowsOf("tile.copy_out %b slot %s to %w[%r, :] : !tile.buf<4x8xf32, shared, "
                           "slots = 2> to !tile.view<4x8xf32, inout>, !tile.span<4>");
  ASSERT_EQ(windows.size(), 2u);
  EXPECT_EQ(windows[0].kind, Window::read);
  EXPECT_EQ(windows[0].view, argument(9));
  EXPECT_EQ(windows[0].slot, argument(7));
  EXPECT_EQ(kinds(windows[0]), "whole4 whole8");
  EXPECT_EQ(windows[1].kind, Window::write);
  EXPECT_EQ(windows[1].view, argument(1));
  EXPECT_FALSE(windows[1].slot);
  EXPECT_EQ(kinds(windows[1]), "span4 whole8");
  EXPECT_FALSE(windows[1].must);
}

TEST_F(StorageTest, readAndWrite) {
  auto windows = windowsOf("%0 = tile.read %b slot %s span[%r, :] : !tile.buf<4x8xf32, shared, "
                           "slots = 2>, !tile.span<4> -> tensor<4x8xf32>");
  ASSERT_EQ(windows.size(), 1u);
  EXPECT_EQ(windows[0].kind, Window::read);
  EXPECT_EQ(windows[0].slot, argument(7));
  EXPECT_EQ(kinds(windows[0]), "span4 whole8");
  EXPECT_FALSE(windows[0].must);
  windows = windowsOf("%0 = tile.read %a span[:, :] : !tile.buf<4x8xf32, shared> -> "
                      "tensor<4x8xf32>\n tile.write %0 to %a : tensor<4x8xf32> to "
                      "!tile.buf<4x8xf32, shared>");
  ASSERT_EQ(windows.size(), 1u);
  EXPECT_EQ(windows[0].kind, Window::write);
  EXPECT_EQ(windows[0].view, argument(8));
  // What is read whole is there in full.
  EXPECT_TRUE(windows[0].must);
  // The argument may lack elements.
  windows = windowsOf("tile.write %f to %a : tensor<4x8xf32> to !tile.buf<4x8xf32, shared>");
  EXPECT_FALSE(windows[0].must);
}

TEST_F(StorageTest, anInstructionGivesItsWay) {
  auto windows = windowsOf(R"(tile.elect {
    tile.apply @tma via tma {
      tile.copy %w[:, :] to %a fill zero : !tile.view<4x8xf32, inout> to !tile.buf<4x8xf32, shared>
    }
  })");
  ASSERT_EQ(windows.size(), 2u);
  EXPECT_EQ(windows[0].via, Proxy::tma);
  EXPECT_EQ(windows[1].via, Proxy::tma);
}

TEST_F(StorageTest, accessesToBufsAreWhole) {
  auto windows = windowsOf("tile.write %f to %a : tensor<4x8xf32> to !tile.buf<4x8xf32, shared>");
  auto op = cast<TileIterOpInterface>(first<WriteOp>(*module).getOperation());
  EXPECT_EQ(op.getIterDims().size(), 2u);
  EXPECT_EQ(op.getOperandBox(0, {{1, 2}, {0, 8}}), (IterBox{{1, 2}, {0, 8}}));
  EXPECT_TRUE(op.getOperandBox(1, {{1, 2}, {0, 8}}).empty());
  std::string message;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    message = diagnostic.str();
    return success();
  });
  OpBuilder b(op);
  EXPECT_FALSE(op.cloneAt(b, op->getLoc(), op->getOperands(), {{1, 2}, {0, 8}}));
  EXPECT_EQ(message, "expected a box of all of `tile.write`, which accesses a slot whole: its "
                     "parts are told by its factors");
  Operation *clone = op.cloneAt(b, op->getLoc(), op->getOperands(), {{0, 4}, {0, 8}});
  ASSERT_TRUE(clone);
  EXPECT_TRUE(succeeded(verify(clone)));
}

TEST_F(StorageTest, bufsKnowTheirSize) {
  Builder b(&context);
  auto buf = [&](Type element, int64_t slots, StringAttr layout) {
    return BufType::get(&context, {4, 8}, element, Storage::shared, slots, ExecScope::warp, layout);
  };
  BufType plain = buf(b.getBF16Type(), 3, {});
  EXPECT_EQ(plain.getRank(), 2);
  EXPECT_EQ(plain.getNumElements(), 32);
  EXPECT_EQ(plain.getBytes(), 3 * 32 * 2);
  EXPECT_EQ(plain.getTileType(), RankedTensorType::get({4, 8}, b.getBF16Type()));
  // A truth value takes a byte.
  EXPECT_EQ(buf(b.getI1Type(), 1, {}).getBytes(), 32);
  // Rows that lie 9 apart: 3 * 9 + 8 elements, gaps between them included.
  BufType padded = plain.withLayout(b.getStringAttr("(4,8):(9,1)"));
  EXPECT_EQ(padded.getBytes(), 3 * 35 * 2);
  EXPECT_EQ(padded.getNumElements(), 32);
  EXPECT_EQ(padded.getSlots(), 3);
  EXPECT_EQ(padded.getPer(), ExecScope::warp);
  BufType single = padded.withSlots(1);
  EXPECT_EQ(single.getBytes(), 35 * 2);
  EXPECT_EQ(single.getLayout(), padded.getLayout());
  EXPECT_EQ(single.withLayout({}).withSlots(3), plain);
  BufType workspace =
      BufType::get(&context, {2}, b.getF64Type(), Storage::workspace, 1, ExecScope::cta, {});
  EXPECT_EQ(workspace.withSlots(2).getStorage(), Storage::workspace);
  EXPECT_EQ(workspace.withSlots(2).getBytes(), 32);
}

} // namespace
} // namespace tessera
