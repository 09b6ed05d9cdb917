// The fixed layouts against the formulas of the PTX ISA, written out anew.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tessera/Layout/Fragments.h"

#include "TestLayouts.h"

#include "tessera/Layout/Access.h"
#include "tessera/Layout/Algebra.h"
#include "tessera/Layout/Notation.h"

using namespace tessera;
using namespace tessera::layouttest;
using testing::HasSubstr;

namespace {
using Pair = std::vector<int64_t>;
Pair at(const Layout &layout, std::initializer_list<int64_t> coords) {
  return row(layout.evaluate(llvm::ArrayRef<int64_t>(coords)));
}
} // namespace

TEST(LayoutFragments, MmaM16N8K16) {
  Layout a = mmaM16N8K16A();
  Layout b = mmaM16N8K16B();
  Layout c = mmaM16N8K16C();
  for (int64_t lane = 0; lane < 32; ++lane) {
    int64_t group = lane >> 2;
    int64_t inGroup = lane % 4;
    for (int64_t i = 0; i < 8; ++i) {
      int64_t m = i < 2 || (i >= 4 && i < 6) ? group : group + 8;
      int64_t k = i < 4 ? inGroup * 2 + (i & 1) : inGroup * 2 + (i & 1) + 8;
      EXPECT_EQ(at(a, {i, lane}), (Pair{m, k}));
    }
    for (int64_t i = 0; i < 4; ++i) {
      int64_t k = i < 2 ? inGroup * 2 + (i & 1) : inGroup * 2 + (i & 1) + 8;
      EXPECT_EQ(at(b, {i, lane}), (Pair{k, group}));
      int64_t m = i < 2 ? group : group + 8;
      EXPECT_EQ(at(c, {i, lane}), (Pair{m, inGroup * 2 + (i & 1)}));
    }
  }
  for (const Layout &layout : {a, b, c}) {
    EXPECT_TRUE(isInjective(layout) && isSurjective(layout));
  }
}

TEST(LayoutFragments, NotationOfA) {
  // (lane, register) -> position in a 16 x 16 tile with columns first.
  Layout written = parse("((4, 8), (2, 2, 2)) : ((32, 1), (16, 8, 128))");
  Layout tile = valueOf(
      valueOf(unflattenOut(written, {{"m", 16}, {"k", 16}})).withInNames({"lane", "register"}));
  EXPECT_TRUE(equivalent(tile, mmaM16N8K16A()));
  Layout flat = valueOf(flattenOuts(mmaM16N8K16A(), "offset"));
  EXPECT_EQ(printLayout(valueOf(flat.reorderIns({"lane", "register"}))),
            "((4, 8), (2, 2, 2)) : ((32, 1), (16, 8, 128))");
}

TEST(LayoutFragments, Ldmatrix) {
  for (int64_t matrices : {1, 2, 4}) {
    Layout plain = valueOf(ldmatrixFragment(matrices, false));
    Layout transposed = valueOf(ldmatrixFragment(matrices, true));
    Layout addresses = valueOf(ldmatrixAddresses(matrices));
    for (int64_t lane = 0; lane < 32; ++lane) {
      for (int64_t i = 0; i < 2 * matrices; ++i) {
        EXPECT_EQ(at(plain, {i, lane}), (Pair{lane / 4, 2 * (lane % 4) + i % 2, i / 2}));
        EXPECT_EQ(at(transposed, {i, lane}), (Pair{2 * (lane % 4) + i % 2, lane / 4, i / 2}));
      }
      EXPECT_EQ(at(addresses, {lane}), (Pair{lane % 8, lane / 8 % matrices}));
    }
  }
  EXPECT_THAT(messageOf(ldmatrixFragment(3, false)),
              HasSubstr("T0981: ldmatrix: the number of matrices is 3, expected 1, 2 or 4"));
  EXPECT_THAT(messageOf(ldmatrixAddresses(8)), HasSubstr("T0981"));
}

TEST(LayoutFragments, LdmatrixGivesTheAOperand) {
  // Matrix q covers rows 8 (q % 2) and columns 8 (q / 2) of the tile.
  Layout quarter = valueOf(Layout::get({{"row", {Mode{8, {{1}, {0}}}}},
                                        {"col", {Mode{8, {{0}, {1}}}}},
                                        {"matrix", {Mode{2, {{8}, {0}}}, Mode{2, {{0}, {8}}}}}},
                                       {{"m", 16}, {"k", 16}}));
  EXPECT_TRUE(
      equivalent(valueOf(compose(quarter, valueOf(ldmatrixFragment(4, false)))), mmaM16N8K16A()));
}

TEST(LayoutFragments, WgmmaAccumulator) {
  for (int64_t n : {8, 16, 80, 96, 176, 256}) {
    Layout d = valueOf(wgmmaD(n));
    EXPECT_EQ(d.inSize("register"), n / 2);
    for (int64_t warp = 0; warp < 4; ++warp) {
      for (int64_t lane = 0; lane < 32; ++lane) {
        for (int64_t i = 0; i < n / 2; ++i) {
          int64_t m = 16 * warp + lane / 4 + 8 * (i / 2 % 2);
          int64_t col = 8 * (i / 4) + 2 * (lane % 4) + i % 2;
          ASSERT_EQ(at(d, {i, lane, warp}), (Pair{m, col}));
        }
      }
    }
    EXPECT_TRUE(isInjective(d) && isSurjective(d));
  }
  for (int64_t n : {0, 4, 12, 264, -8}) {
    EXPECT_THAT(messageOf(wgmmaD(n)), HasSubstr("T0981: wgmma: n is"));
  }
  Layout a = wgmmaA();
  for (int64_t i = 0; i < 8; ++i) {
    int64_t q = i / 2;
    EXPECT_EQ(at(a, {i, 13, 2}), (Pair{32 + 8 * (q & 1) + 3, 8 * (q >> 1) + 2 * 1 + i % 2}));
  }
}

TEST(LayoutFragments, SwizzledTiles) {
  for (int64_t bytes : {0, 32, 64, 128}) {
    for (int64_t element : {1, 2, 4}) {
      int64_t panel = std::max<int64_t>(bytes, 16) / element;
      int64_t rows = 24;
      Layout tile = valueOf(swizzledTile(bytes, element, rows, 3 * panel));
      for (int64_t r = 0; r < rows; ++r) {
        for (int64_t c = 0; c < 3 * panel; ++c) {
          int64_t address = (c / panel * rows * panel + r * panel + c % panel) * element;
          int64_t mask = bytes == 128 ? 7 : bytes == 64 ? 3 : bytes == 32 ? 1 : 0;
          address ^= (address >> 7 & mask) << 4;
          ASSERT_EQ(tile.evaluate({r, c})[0] * element, address);
        }
      }
    }
  }
  EXPECT_EQ(printLayout(valueOf(swizzledTile(128, 2, 64, 64)).coalesce()),
            "compose(swizzle(3, 3, 3), (64, 64) : (64, 1))");
}

TEST(LayoutFragments, SwizzledTilesRefuse) {
  auto message = [](int64_t swizzle, int64_t element, int64_t rows, int64_t cols) {
    return messageOf(swizzledTile(swizzle, element, rows, cols));
  };
  EXPECT_THAT(message(48, 2, 8, 64),
              HasSubstr("the swizzle is 48, expected 0, 32, 64 or 128 bytes"));
  EXPECT_THAT(message(128, 3, 8, 64), HasSubstr("the element is 3"));
  EXPECT_THAT(message(128, 2, 12, 64),
              HasSubstr("the number of rows is 12, expected a multiple of 8"));
  EXPECT_THAT(message(128, 2, 8, 96),
              HasSubstr("the number of columns is 96, expected a multiple of 64"));
  EXPECT_EQ(message(64, 2, 8, 96), "no error");
}

TEST(LayoutFragments, RowsOfASwizzledTileAreFreeOfConflicts) {
  // Eight lanes of ldmatrix read eight rows of 16 bytes: one phase each.
  Layout rows = valueOf(Layout::get(
      {{"register", {Mode{8, {{0}, {1}}}}}, {"lane", {Mode{16, {{1}, {0}}}, Mode{2, {{0}, {8}}}}}},
      {{"row", 64}, {"col", 64}}));
  auto degree = [&](int64_t swizzle) {
    Layout tile = swizzle ? valueOf(swizzledTile(swizzle, 2, 64, 64))
                          : valueOf(parse("(64, 64) : (64, 1)").withInNames({"row", "col"}));
    return valueOf(bankConflicts(valueOf(compose(tile, rows)), {2, 16})).degree;
  };
  EXPECT_EQ(degree(128), 1);
  EXPECT_EQ(degree(0), 8);
}
