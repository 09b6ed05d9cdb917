// Functions of one bf16 element: which values are such, up to where what is expected of them holds, and that their quotients are
// right for every start that a machine may give.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tessera/Conversion/OneElement.h"

#include "tessera/Dialect/Tile/TileDialect.h"

#include "llvm/ADT/bit.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace tessera;
using namespace tessera::convert;

namespace {
/// Tiles %x and %w of bf16, %y of f16, and what follows from them.
class OneElementTest : public ::testing::Test {
protected:
  OneElementTest() { context.loadDialect<tile::TileDialect>(); }

  void parse(const std::string &ops) {
    module = mlir::parseSourceString<mlir::ModuleOp>(
        R"(tile.kernel @k[%N "N"](%a "a": !tile.view<?xbf16, in> shape ()[s0] -> (s0),
             %b "b": !tile.view<?xbf16, in> shape ()[s0] -> (s0), %c "c": !tile.view<?xf16, in> shape ()[s0] -> (s0)) body {
      %zero = tile.constant 0 : i64
      %one = tile.constant 1.0 : f32 tensor<8xf32>
      tile.grid (%n = tiles(%zero to %N by 8)) {
        %x = tile.load %a[%n] : !tile.view<?xbf16, in>, !tile.span<8> -> tensor<8xbf16>
        %w = tile.load %b[%n] : !tile.view<?xbf16, in>, !tile.span<8> -> tensor<8xbf16>
        %h = tile.load %c[%n] : !tile.view<?xf16, in>, !tile.span<8> -> tensor<8xf16>
        %t = tile.cast %x : tensor<8xbf16> to tensor<8xf32>
        %u = tile.cast %w : tensor<8xbf16> to tensor<8xf32>
        %v = tile.cast %h : tensor<8xf16> to tensor<8xf32>
)" + ops + "\n}\n}",
        &context);
    ASSERT_TRUE(module) << ops;
  }

  mlir::Operation *last(llvm::StringRef name) {
    mlir::Operation *found = nullptr;
    module->walk(
        [&](mlir::Operation *op) { found = op->getName().getStringRef() == name ? op : found; });
    EXPECT_TRUE(found) << name.str();
    return found;
  }
  mlir::Value value(llvm::StringRef name) { return last(name)->getResult(0); }
  mlir::Value load(unsigned number) {
    llvm::SmallVector<mlir::Value> loads;
    module->walk([&](tile::LoadOp op) { loads.push_back(op.getResult()); });
    return loads[number];
  }

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};
} // namespace

static const char *silu = R"(
  %m = tile.neg %t : tensor<8xf32>
  %e = tile.exp %m : tensor<8xf32>
  %d = tile.add %one, %e : tensor<8xf32>
  %q = tile.div %t, %d : tensor<8xf32>)";

static float element(unsigned magnitude, bool negative = false) {
  return llvm::bit_cast<float>(uint32_t(negative) << 31 | uint32_t(magnitude) << 16);
}

TEST_F(OneElementTest, SourcesAreBf16TilesThatAValueDependsOnAlone) {
  parse(silu);
  EXPECT_EQ(OneElement::sourceOf(value("tile.div")), load(0));
  EXPECT_EQ(OneElement::sourceOf(value("tile.exp")), load(0));
  parse("%s = tile.add %t, %u : tensor<8xf32>");
  EXPECT_FALSE(OneElement::sourceOf(value("tile.add"))) << "two elements";
  parse("%s = tile.add %v, %one : tensor<8xf32>");
  EXPECT_FALSE(OneElement::sourceOf(value("tile.add"))) << "an f16 has other patterns";
  parse("%e = tile.exp %t {accuracy = #tile.accuracy<fast>} : tensor<8xf32>");
  EXPECT_FALSE(OneElement::sourceOf(value("tile.exp"))) << "what a machine approximates";
}

TEST_F(OneElementTest, ExponentialsHoldUpToTheirBound) {
  parse("%e = tile.exp %t : tensor<8xf32>");
  OneElement functions(load(0));
  functions.expectShortWay(last("tile.exp"));
  std::optional<ElementWindow> window = functions.window();
  ASSERT_TRUE(window);
  EXPECT_LE(element(window->end - 1), 87.0f);
  EXPECT_GT(element(window->end), 87.0f);
  EXPECT_TRUE(window->hasZeros);
  parse(R"(%k = tile.constant 16.0 : f32 tensor<8xf32>
           %p = tile.mul %t, %k : tensor<8xf32>
           %e = tile.exp %p : tensor<8xf32>)");
  OneElement narrow(load(0));
  narrow.expectShortWay(last("tile.exp"));
  EXPECT_FALSE(narrow.window()) << "elements of ordinary size are beyond the bound";
}

TEST_F(OneElementTest, DivisorsKeepAwayFromTheirLastMantissas) {
  parse(silu);
  OneElement functions(load(0));
  functions.expectDivisor(value("tile.add"));
  std::optional<ElementWindow> window = functions.window();
  ASSERT_TRUE(window);
  // 1 + exp(-2^-23) is the float before 2.
  EXPECT_GT(element(window->first), 0x1p-23f);
  EXPECT_LT(std::exp(element(window->end - 1)), 0x1p60f);
}

// Every element of the window, every start: what is said there without a Newton step.
TEST_F(OneElementTest, QuotientsAreRightWithoutANewtonStep) {
  parse(silu);
  OneElement functions(load(0));
  functions.expectShortWay(last("tile.exp"));
  EXPECT_TRUE(functions.expectShortWay(last("tile.div")));
  std::optional<ElementWindow> window = functions.window();
  ASSERT_TRUE(window);
  EXPECT_LE(element(window->first), 0x1p-16f);
  EXPECT_GE(element(window->end - 1), 64.0f);
  unsigned wrong = 0, pairs = 0;
  for (unsigned i = 2 * window->first; i < 2 * window->end; ++i) {
    float a = element(i / 2, i % 2), d = 1.0f + float(std::exp(-double(a)));
    double exact = 1.0 / double(d);
    for (float r :
         {std::nextafter(float(exact), 0.0f), float(exact), std::nextafter(float(exact), 1.0f)}) {
      float q = a * r, rest = std::fma(d, q, -a);
      wrong += std::fma(-rest, r, q) != a / d;
      ++pairs;
    }
  }
  // The divisors here are not the strict ones, so that a few may be near a tie.
  EXPECT_LE(wrong, pairs / 10000);
}

TEST_F(OneElementTest, SizesOfSumsAndProducts) {
  parse(R"(%s = tile.sub %t, %u : tensor<8xf32>
           %k = tile.constant 3.0 : f32 tensor<8xf32>
           %p = tile.mul %s, %k : tensor<8xf32>)");
  ElementWindow window = {(127 - 10) << 7, (127 + 4) << 7, true};
  auto all = [&](mlir::Value) { return std::optional<ElementWindow>(window); };
  std::optional<Sizes> sizes = sizesOf(value("tile.mul"), all);
  ASSERT_TRUE(sizes);
  EXPECT_EQ(sizes->least, -10 - 7);  // the last place of the smallest element, times 1
  EXPECT_EQ(sizes->most, 4 + 1 + 2); // the greatest, a sum of two, times less than 4
  EXPECT_FALSE(sizesOf(value("tile.mul"), [&](mlir::Value source) {
    return source == load(0) ? all(source) : std::nullopt;
  }));
  parse("%e = tile.exp %t : tensor<8xf32>");
  EXPECT_FALSE(sizesOf(value("tile.exp"), all));
}
