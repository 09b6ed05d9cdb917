// Inverses against their defining equations; refusals against whether the inverse table is a layout.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TestLayouts.h"

#include "tessera/Layout/Algebra.h"
#include "tessera/Layout/Notation.h"

#include <set>

using namespace tessera;
using namespace tessera::layouttest;
using testing::HasSubstr;

TEST(LayoutInverse, RightInverse) {
  Random random(12);
  int found = 0;
  for (int round = 0; round < 6000; ++round) {
    Layout layout = randomLayout(random, 1 + below(random, 2), 1 + below(random, 2));
    llvm::Expected<Layout> back = rightInverse(layout);
    if (!isSurjective(layout)) {
      ASSERT_THAT(messageOf(back.takeError()), HasSubstr("T0969"));
      continue;
    }
    if (!back) {
      std::string message = messageOf(back.takeError());
      ASSERT_THAT(message,
                  testing::AnyOf(HasSubstr("T0970"), HasSubstr("T0971"), HasSubstr("T0962")));
      continue;
    }
    ++found;
    for (int64_t y = 0; y < back->size(); ++y) {
      Coords wanted = back->coordsOf(y);
      ASSERT_EQ(row(layout.evaluate(back->evaluateAt(y))), row(wanted)) << printLayout(layout);
    }
    ASSERT_EQ(back->size(), layout.outSize());
  }
  EXPECT_GT(found, 1000);
}

TEST(LayoutInverse, LeftInverse) {
  Random random(13);
  int found = 0;
  for (int round = 0; round < 6000; ++round) {
    Layout layout = randomLayout(random, 1 + below(random, 2), 1 + below(random, 2));
    llvm::Expected<Layout> back = leftInverse(layout);
    if (!isInjective(layout)) {
      ASSERT_THAT(messageOf(back.takeError()), HasSubstr("T0968"));
      continue;
    }
    if (!back) {
      std::string message = messageOf(back.takeError());
      ASSERT_THAT(message,
                  testing::AnyOf(HasSubstr("T0970"), HasSubstr("T0971"), HasSubstr("T0962")));
      continue;
    }
    ++found;
    for (int64_t x = 0; x < layout.size(); ++x) {
      ASSERT_EQ(row(back->evaluate(layout.evaluateAt(x))), row(layout.coordsOf(x)))
          << printLayout(layout);
    }
  }
  EXPECT_GT(found, 1000);
}

TEST(LayoutInverse, OfABijectionIsFoundWheneverItIsALayout) {
  Random random(14);
  int found = 0;
  int refused = 0;
  for (int round = 0; round < 6000; ++round) {
    Layout layout = randomBijective(random, 1 + below(random, 2), "y");
    if (layout.size() > 2048) {
      continue;
    }
    Table table(layout.size());
    for (int64_t x = 0; x < layout.size(); ++x) {
      table[layout.at(x)] = row(layout.coordsOf(x));
    }
    llvm::Expected<Layout> back = inverse(layout);
    if (back) {
      ++found;
      ASSERT_EQ(tableOf(*back), table) << printLayout(layout);
      continue;
    }
    std::string message = messageOf(back.takeError());
    ++refused;
    llvm::SmallVector<OutDim> outs;
    for (const InDim &in : layout.ins()) {
      outs.push_back({in.name, in.size()});
    }
    Layout line = valueOf(Layout::columnMajor(OutDim{"y", layout.size()}, "p"));
    EXPECT_FALSE(recognise(line, outs, table)) << printLayout(layout) << ": " << message;
  }
  EXPECT_GT(found, 2000);
  EXPECT_GT(refused, 10);
}

TEST(LayoutInverse, NearMisses) {
  auto message = [](llvm::StringRef text) { return messageOf(parseLayout(text)); };
  EXPECT_EQ(parse("inverse((4, 8) : (8, 1))"), parse("((8, 4)) : ((4, 1))"));
  EXPECT_THAT(message("inverse((4, 8) : (9, 1))"),
              HasSubstr("inverse: the layout does not reach every value"));
  EXPECT_THAT(message("inverse((4, 8, 2) : (8, 1, 0))"), HasSubstr("T0968"));
  EXPECT_EQ(message("right_inverse((4, 8, 2) : (8, 1, 0))"), "no error");
  EXPECT_THAT(message("right_inverse((4, 4) : (1, 2))"),
              HasSubstr("inverse: output `offset`: 2 is not a multiple of 4"));
  EXPECT_THAT(message("left_inverse((4, 8) : (9, 1))"),
              HasSubstr("T0970: column 1: complement: output `offset`: 9 is not a multiple of 8"));
  EXPECT_EQ(message("left_inverse((4, 8) : (16, 1))"), "no error");
  Layout diagonal = valueOf(Layout::get(
      {{"a", {Mode{2, {{1}, {1}}}}}, {"b", {Mode{2, {{0}, {1}}}}}}, {{"y", 0}, {"z", 0}}));
  EXPECT_THAT(messageOf(rightInverse(diagonal)),
              testing::AnyOf(HasSubstr("T0969"), HasSubstr("T0971")));
}

TEST(LayoutInverse, OfASwizzledTile) {
  Layout tile = valueOf(swizzled(parse("(24, 64) : (64, 1)"), 3, 3, 3));
  Layout back = valueOf(inverse(tile));
  for (int64_t p = 0; p < tile.size(); ++p) {
    ASSERT_EQ(tile.evaluate(back.evaluateAt(p))[0], p);
  }
}
