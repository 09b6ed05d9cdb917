// The class itself: the examples of its tutorial, evaluation, refusals of bad input, the normal form.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TestLayouts.h"

#include "tessera/Layout/Algebra.h"
#include "tessera/Layout/Notation.h"

using namespace tessera;
using namespace tessera::layouttest;
using testing::HasSubstr;

namespace {
Mode mode(int64_t extent, StrideVector strides) { return Mode{extent, std::move(strides)}; }

llvm::Expected<Layout> oneIn(std::initializer_list<Mode> modes, int64_t size = 0) {
  return Layout::get(InDim{"x", llvm::SmallVector<Mode, 4>(modes)}, OutDim{"y", size});
}
} // namespace

TEST(Layout, BlocksOfTwoByTwo) {
  InDim ins[] = {
      {"register", {mode(2, {{0}, {1}}), mode(2, {{1}, {0}})}},
      {"lane", {mode(2, {{0}, {2}}), mode(2, {{2}, {0}})}},
  };
  Layout layout = valueOf(Layout::get(ins, {{"row", 4}, {"col", 4}}));
  EXPECT_EQ(row(layout.evaluate({3, 2})), (std::vector<int64_t>{3, 1}));
  EXPECT_EQ(row(layout.evaluate({1, 1})), (std::vector<int64_t>{0, 3}));
  EXPECT_EQ(printLayout(layout), "row = ((2, 2), (2, 2)) : ((0, 1), (0, 2)), "
                                 "col = ((2, 2), (2, 2)) : ((1, 0), (2, 0))");
  EXPECT_TRUE(isInjective(layout));
  EXPECT_TRUE(isSurjective(layout));
}

TEST(Layout, ExamplesOfTheTutorial) {
  Layout rows = parse("(4, 4) : (4, 1)");
  Layout padded = parse("(4, 4) : (5, 1)");
  Layout swizzledRows = parse("compose(swizzle(2, 0, 2), (4, 4) : (4, 1))");
  Layout repeated = parse("(4, 32) : (1, 0)");
  for (int64_t r = 0; r < 4; ++r) {
    for (int64_t c = 0; c < 4; ++c) {
      EXPECT_EQ(rows.evaluate({r, c})[0], 4 * r + c);
      EXPECT_EQ(padded.evaluate({r, c})[0], 5 * r + c);
      EXPECT_EQ(swizzledRows.evaluate({r, c})[0], 4 * r + (c ^ r));
    }
  }
  EXPECT_EQ(swizzledRows, parse("((2, 2), (2, 2)) : ((^5, ^10), (^1, ^2))"));
  EXPECT_EQ(repeated.evaluate({3, 17})[0], 3);
  EXPECT_FALSE(isInjective(repeated));
}

TEST(Layout, RefusesBadModes) {
  EXPECT_THAT(messageOf(oneIn({mode(0, {{1}})})), HasSubstr("T0960: mode 0 of dim `x`: extent 0"));
  EXPECT_THAT(messageOf(oneIn({mode(2, {{-1}})})), HasSubstr("stride -1, strides are 0 or more"));
  EXPECT_THAT(messageOf(oneIn({mode(2, {{1}, {2}})})), HasSubstr("expected one for each of 1"));
  EXPECT_THAT(messageOf(oneIn({mode(4, {{1, true}})})), HasSubstr("expected extent 2"));
  EXPECT_EQ(messageOf(oneIn({mode(2, {{1, true}}), mode(1, {{7, true}})})), "no error");
}

TEST(Layout, RefusesNumbersBeyondTheRange) {
  int64_t large = int64_t(1) << 61;
  EXPECT_THAT(messageOf(oneIn({mode(large, {{0}}), mode(4, {{0}})})), HasSubstr("T0961"));
  EXPECT_THAT(messageOf(oneIn({mode(3, {{large}})})), HasSubstr("T0961"));
  EXPECT_THAT(messageOf(oneIn({mode(5, {{INT64_MAX}})})), HasSubstr("T0961"));
  EXPECT_EQ(messageOf(oneIn({mode(large, {{1}})})), "no error");
  InDim in{"x", {mode(large, {{1}, {0}}), mode(2, {{0}, {2}})}};
  EXPECT_THAT(messageOf(Layout::get(in, {{"y", 0}, {"z", 0}})), HasSubstr("number of values"));
}

TEST(Layout, RefusesSizesThatAreTooSmall) {
  EXPECT_THAT(messageOf(oneIn({mode(4, {{3}})}, 9)),
              HasSubstr("T0964: output `y`: the layout reaches 9, its size is 9"));
  EXPECT_EQ(messageOf(oneIn({mode(4, {{3}})}, 10)), "no error");
  // The largest XOR of 5 and 6 is 6.
  EXPECT_THAT(messageOf(oneIn({mode(2, {{5, true}}), mode(2, {{6, true}})}, 6)),
              HasSubstr("T0964"));
  EXPECT_EQ(valueOf(oneIn({mode(2, {{5, true}}), mode(2, {{6, true}})})).outs()[0].size, 7);
}

TEST(Layout, RefusesNames) {
  InDim x{"x", {}};
  EXPECT_THAT(messageOf(Layout::get({x, x}, OutDim{"y", 1})), HasSubstr("T0963: input `x`"));
  EXPECT_THAT(messageOf(Layout::get(x, {{"y", 1}, {"y", 1}})), HasSubstr("output `y`"));
  EXPECT_THAT(messageOf(Layout::get(x, {})), HasSubstr("no output"));
  Layout layout = parse("(2, 3) : (1, 2)");
  EXPECT_THAT(messageOf(layout.withInNames({"a"})), HasSubstr("1 names for 2 dims"));
  EXPECT_THAT(messageOf(layout.withOutNames({"a", "b"})), HasSubstr("2 names for 1 dims"));
  EXPECT_THAT(messageOf(layout.reorderIns({"i0", "i0"})), HasSubstr("`i0` is not one of"));
  EXPECT_THAT(messageOf(layout.reorderIns({"i0"})), HasSubstr("1 names for 2 dims"));
  EXPECT_EQ(valueOf(layout.reorderIns({"i1", "i0"})).evaluate({2, 1})[0], 5);
}

TEST(Layout, SumsThatCarryIntoXoredBitsAreRefused) {
  // Bits 1 and 3 overlap, so the atom is [0, 4); a stride of 2 carries into it, 4 stands beside it.
  auto with = [](int64_t extent, int64_t stride) {
    return messageOf(oneIn({mode(2, {{1, true}}), mode(2, {{3, true}}), mode(extent, {{stride}})}));
  };
  EXPECT_THAT(with(3, 2),
              HasSubstr("T0962: output `y`: the mode 3 : 2 is added to bits below 2^2"));
  EXPECT_THAT(with(2, 1), HasSubstr("T0962"));
  EXPECT_EQ(with(3, 4), "no error");
  EXPECT_EQ(with(5, 12), "no error");
  // Bits of an addition may lie between XORed ones, but not on them.
  EXPECT_EQ(messageOf(oneIn({mode(2, {{1, true}}), mode(2, {{5, true}}), mode(2, {{2}})})),
            "no error");
  EXPECT_THAT(messageOf(oneIn({mode(2, {{1, true}}), mode(2, {{5, true}}), mode(4, {{2}})})),
              HasSubstr("T0962"));
}

TEST(Layout, XorThatIsASumIsStoredAsASum) {
  EXPECT_EQ(valueOf(oneIn({mode(2, {{1, true}}), mode(2, {{2, true}})})),
            valueOf(oneIn({mode(2, {{1}}), mode(2, {{2}})})));
  EXPECT_NE(valueOf(oneIn({mode(2, {{1, true}}), mode(2, {{3, true}})})),
            valueOf(oneIn({mode(2, {{1}}), mode(2, {{3}})})));
}

TEST(Layout, SwizzleFollowsItsDefinition) {
  for (auto [bits, base, shift] :
       {std::tuple(3, 4, 3), {2, 1, 2}, {1, 0, 5}, {0, 2, 1}, {2, 1, -3}}) {
    Layout layout = valueOf(Layout::swizzle(bits, base, shift, 5000));
    ASSERT_GE(layout.size(), 5000);
    for (int64_t v = 0; v < layout.size(); ++v) {
      int64_t ones = (int64_t(1) << bits) - 1;
      int64_t source = shift < 0 ? v << -shift : v >> shift;
      int64_t target = shift < 0 ? base - shift : base;
      ASSERT_EQ(layout.at(v), v ^ (source & (ones << target)));
    }
  }
}

TEST(Layout, SwizzleRefusesItsArguments) {
  EXPECT_THAT(messageOf(Layout::swizzle(3, 0, 2)),
              HasSubstr("T0972: swizzle(3, 0, 2): source and target bits overlap"));
  EXPECT_THAT(messageOf(Layout::swizzle(-1, 0, 2)), HasSubstr("a negative number of bits"));
  EXPECT_THAT(messageOf(Layout::swizzle(1, 61, 1)), HasSubstr("more than 62 bits"));
  EXPECT_THAT(messageOf(Layout::swizzle(1, 1, INT64_MIN)), HasSubstr("more than 62 bits"));
  EXPECT_EQ(messageOf(Layout::swizzle(3, 0, 3)), "no error");
}

TEST(Layout, CoalesceKeepsTheFunctionAndIsFinal) {
  Random random(1);
  for (int round = 0; round < 3000; ++round) {
    Layout layout = randomLayout(random, 1 + below(random, 3), 1 + below(random, 2));
    Layout joined = layout.coalesce();
    ASSERT_EQ(tableOf(joined), tableOf(layout)) << printLayout(layout);
    ASSERT_EQ(joined.coalesce(), joined);
    ASSERT_EQ(tableOf(layout.flattenIns("all")), tableOf(layout));
  }
  EXPECT_EQ(parse("((2, 1, 3, 4)) : ((5, 7, 10, 1))").coalesce(), parse("((6, 4)) : ((5, 1))"));
}

TEST(Layout, ColumnMajorAndUnravelAreInverse) {
  OutDim sizes[] = {{"a", 3}, {"b", 4}, {"c", 5}};
  Layout position = valueOf(Layout::columnMajor(sizes, "p"));
  Layout coords = valueOf(Layout::unravel("p", sizes));
  EXPECT_EQ(position.evaluate({2, 3, 4})[0], 2 + 3 * (3 + 4 * 4));
  for (int64_t p = 0; p < 60; ++p) {
    EXPECT_EQ(position.evaluate(coords.evaluateAt(p))[0], p);
  }
}
