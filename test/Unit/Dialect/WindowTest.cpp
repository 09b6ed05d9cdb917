// What loads, stores and atomics touch.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "DialectTesting.h"

using namespace mlir;
using namespace tessera::tile;

namespace tessera {
namespace {

class WindowTest : public DialectTest {
protected:
  /// The window of the only memory op of a function with these arguments.
  Window windowOf(StringRef arguments, StringRef op) {
    module = parse(("func.func @f(" + arguments + ") {\n  " + op + "\n  return\n}\n").str());
    Window window;
    unsigned count = 0;
    (*module)->walk([&](TileIterOpInterface iter) {
      for (Window &w : iter.getWindows()) {
        window = w;
        ++count;
      }
    });
    EXPECT_EQ(count, 1u);
    return window;
  }

  OwningOpRef<ModuleOp> module;
};

TEST_F(WindowTest, loadOfEveryKindOfIndex) {
  Window w = windowOf(
      "%x: !tile.view<?x?x8x?xf32, in>, %r: !tile.span<4>, %i: i64, %t: tensor<2x3xi64>",
      "%0 = tile.load %x[%r, %i, :, %t] : !tile.view<?x?x8x?xf32, in>, !tile.span<4>, i64, "
      "tensor<2x3xi64> -> tensor<4x8x2x3xf32>");
  EXPECT_EQ(w.kind, Window::read);
  ASSERT_EQ(w.axes.size(), 4u);
  EXPECT_EQ(w.axes[0].kind, WindowAxis::span);
  EXPECT_EQ(w.axes[0].size, 4);
  EXPECT_EQ(w.axes[1].kind, WindowAxis::scalar);
  EXPECT_EQ(w.axes[1].size, 1);
  EXPECT_EQ(w.axes[2].kind, WindowAxis::whole);
  EXPECT_FALSE(w.axes[2].index);
  EXPECT_EQ(w.axes[2].size, 8);
  EXPECT_EQ(w.axes[3].kind, WindowAxis::gather);
  EXPECT_EQ(w.axes[3].size, 6);
  // A span may be short.
  EXPECT_FALSE(w.must);
}

TEST_F(WindowTest, mustOfWholeAxes) {
  EXPECT_TRUE(windowOf("%x: !tile.view<4x8xf32, in>",
                       "%0 = tile.load %x[:, :] : !tile.view<4x8xf32, in> -> tensor<4x8xf32>")
                  .must);
  // The value of the store is of unknown origin, and may have absent elements.
  Window w = windowOf("%y: !tile.view<4xf32, out>, %t: tensor<4xf32>",
                      "tile.store %t, %y[:] : tensor<4xf32>, !tile.view<4xf32, out>");
  EXPECT_EQ(w.kind, Window::write);
  EXPECT_FALSE(w.must);
  EXPECT_TRUE(windowOf("%y: !tile.view<4xi64, out>",
                       "%0 = tile.iota : tensor<4xi64>\n  tile.store %0, "
                       "%y[:] : tensor<4xi64>, !tile.view<4xi64, out>")
                  .must);
}

TEST_F(WindowTest, atomic) {
  Window w = windowOf(
      "%y: !tile.view<?xi32, inout>, %t: tensor<4xi32>, %r: !tile.span<4>",
      "%0 = tile.atomic cas %t expect %t, %y[%r] {order_any} : tensor<4xi32> expect tensor<4xi32>, "
      "!tile.view<?xi32, inout>, !tile.span<4> -> tensor<4xi32>");
  EXPECT_EQ(w.kind, Window::atomic);
  ASSERT_EQ(w.axes.size(), 1u);
  EXPECT_EQ(w.axes[0].kind, WindowAxis::span);
}

} // namespace
} // namespace tessera
