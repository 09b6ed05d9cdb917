// Types that no text can express, and the axes that a reshape keeps.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "DialectTesting.h"

#include "mlir/IR/Diagnostics.h"

using namespace mlir;
using namespace tessera::tile;

namespace tessera {
namespace {

class TypesTest : public DialectTest {
protected:
  /// The message of a type that breaks a rule.
  std::string refusal(ArrayRef<int64_t> shape) {
    std::string message;
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      message = diagnostic.str();
      return success();
    });
    auto emit = [&] { return emitError(UnknownLoc::get(&context)); };
    EXPECT_FALSE(ViewType::getChecked(emit, &context, shape, Type(Builder(&context).getF32Type()),
                                      AccessMode::in));
    return message;
  }
};

// RULE: tile.view C1
TEST_F(TypesTest, viewOfNegativeExtent) {
  EXPECT_EQ(refusal({4, -1}), "expected extents of 0 or more, or `?`, found -1");
}

TEST_F(TypesTest, modes) {
  Type f32 = Builder(&context).getF32Type();
  auto view = [&](AccessMode mode) {
    return ViewType::get(&context, {2, ShapedType::kDynamic}, f32, mode);
  };
  EXPECT_TRUE(view(AccessMode::in).isReadOnly());
  EXPECT_FALSE(view(AccessMode::in).isWritable());
  EXPECT_FALSE(view(AccessMode::inout).isReadOnly());
  EXPECT_TRUE(view(AccessMode::inout).isWritable());
  EXPECT_TRUE(view(AccessMode::out).isWritable());
  EXPECT_EQ(view(AccessMode::out).getRank(), 2);
}

TEST(KeptAxes, ofReshapes) {
  using Pairs = SmallVector<std::pair<unsigned, unsigned>>;
  EXPECT_EQ(keptAxes({4, 8}, {4, 8}), (Pairs{{0, 0}, {1, 1}}));
  EXPECT_EQ(keptAxes({4, 8}, {32}), Pairs());
  EXPECT_EQ(keptAxes({4, 8}, {8, 4}), Pairs());
  EXPECT_EQ(keptAxes({4, 8}, {4, 2, 4}), (Pairs{{0, 0}}));
  EXPECT_EQ(keptAxes({4, 2, 4}, {4, 8}), (Pairs{{0, 0}}));
  EXPECT_EQ(keptAxes({2, 2, 8}, {4, 8}), (Pairs{{2, 1}}));
  // Axes of extent 1 come and go.
  EXPECT_EQ(keptAxes({4, 8}, {1, 4, 1, 8, 1}), (Pairs{{0, 1}, {1, 3}}));
  EXPECT_EQ(keptAxes({1, 4, 8}, {4, 8}), (Pairs{{1, 0}, {2, 1}}));
  // Equal extents on both sides of a merge are other axes.
  EXPECT_EQ(keptAxes({4, 2, 3}, {2, 4, 3}), (Pairs{{2, 2}}));
  EXPECT_EQ(keptAxes({6, 4}, {4, 6}), Pairs());
}

} // namespace
} // namespace tessera
