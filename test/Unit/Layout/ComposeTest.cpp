// Composition against f(g(x)) at every point; refusals against the question whether any layout has that table.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TestLayouts.h"

#include "tessera/Layout/Algebra.h"
#include "tessera/Layout/Notation.h"

using namespace tessera;
using namespace tessera::layouttest;
using testing::HasSubstr;

namespace {
/// A random layout into boxes of the given sizes: modes of the outer layout's digits, so that many compositions exist.
std::optional<Layout> randomInto(Random &random, unsigned numIns, llvm::ArrayRef<OutDim> boxes) {
  Layout layout = randomLayout(random, numIns, boxes.size());
  llvm::SmallVector<llvm::StringRef> names;
  llvm::SmallVector<int64_t> sizes;
  for (unsigned i = 0; i < boxes.size(); ++i) {
    names.push_back(boxes[i].name);
    sizes.push_back(boxes[i].size);
    if (layout.outs()[i].size > boxes[i].size) {
      return std::nullopt;
    }
  }
  return valueOf(valueOf(layout.withOutNames(names)).withOutSizes(sizes));
}

std::optional<Table> composedTable(const Layout &outer, const Layout &inner) {
  Table table;
  for (int64_t point = 0; point < inner.size(); ++point) {
    Coords mid = inner.evaluateAt(point);
    for (unsigned i = 0; i < mid.size(); ++i) {
      if (mid[i] >= outer.ins()[i].size()) {
        return std::nullopt;
      }
    }
    table.push_back(row(outer.evaluate(mid)));
  }
  return table;
}
} // namespace

TEST(LayoutCompose, MatchesEvaluation) {
  Random random(4);
  int composed = 0;
  int refused = 0;
  int accidental = 0;
  for (int round = 0; round < 20000; ++round) {
    unsigned mids = 1 + below(random, 2);
    Layout outer = randomLayout(random, mids, 1 + below(random, 2));
    llvm::SmallVector<OutDim> boxes;
    for (const InDim &in : outer.ins()) {
      boxes.push_back({in.name, in.size()});
    }
    std::optional<Layout> inner = randomInto(random, 1 + below(random, 2), boxes);
    if (!inner) {
      continue;
    }
    inner = valueOf(inner->withInNames(inner->ins().size() == 1
                                           ? llvm::ArrayRef<llvm::StringRef>({"a"})
                                           : llvm::ArrayRef<llvm::StringRef>({"a", "b"})));
    std::optional<Table> table = composedTable(outer, *inner);
    ASSERT_TRUE(table);
    llvm::Expected<Layout> result = compose(outer, *inner);
    if (result) {
      ASSERT_EQ(tableOf(*result), *table) << printLayout(outer) << "\n" << printLayout(*inner);
      ++composed;
      continue;
    }
    std::string message = messageOf(result.takeError());
    ++refused;
    if (std::optional<Layout> known = recognise(*inner, outer.outs(), *table)) {
      ++accidental;
      // Only sums that happen to fit: the values agree although digits carry.
      EXPECT_THAT(message,
                  testing::AnyOf(HasSubstr("T0966"), HasSubstr("T0962"), HasSubstr("T0967")));
    }
  }
  EXPECT_GT(composed, 3000);
  EXPECT_GT(refused, 300);
  EXPECT_LT(accidental * 20, composed);
  RecordProperty("composed", composed);
  RecordProperty("refused", refused);
  RecordProperty("accidental", accidental);
}

TEST(LayoutCompose, KnownResults) {
  // Worked by hand.
  EXPECT_EQ(parse("compose(20 : 2, (5, 4) : (4, 1))"), parse("(5, 4) : (8, 2)"));
  EXPECT_EQ(parse("coalesce(compose((10, 2) : (16, 4), (5, 4) : (1, 5)))"),
            parse("(5, (2, 2)) : (16, (80, 4))"));
  EXPECT_EQ(parse("compose((6, 2) : (8, 2), (4, 3) : (3, 1))"),
            parse("((2, 2), 3) : ((24, 2), 8)"));
}

TEST(LayoutCompose, NearMissesOfRefusals) {
  auto message = [](llvm::StringRef text) { return messageOf(parseLayout(text)); };
  EXPECT_THAT(message("compose(8 : 1, 3 : 4)"), HasSubstr("T0965"));
  EXPECT_THAT(message("compose(8 : 1, 3 : 4)"),
              HasSubstr("reaches `offset` = 8, the outer layout has 8 points"));
  EXPECT_EQ(message("compose(9 : 1, 3 : 4)"), "no error");
  EXPECT_THAT(message("compose((2, 4) : (1, 5), 3 : 1)"), HasSubstr("T0966"));
  EXPECT_EQ(message("compose((2, 4) : (1, 5), 4 : 1)"), "no error");
  EXPECT_EQ(message("compose((4, 4) : (1, 5), 3 : 1)"), "no error");
  EXPECT_THAT(message("compose((4, 4) : (1, 5), (3, 3) : (1, 2))"), HasSubstr("T0966"));
  EXPECT_EQ(message("compose((4, 4) : (1, 5), (2, 2) : (1, 2))"), "no error");
  EXPECT_EQ(message("compose(16 : 1, (3, 3) : (1, 2))"), "no error");
  // A swizzle whose source bits come from an odd extent.
  EXPECT_THAT(message("compose(swizzle(1, 0, 3), (3, 8) : (8, 1))"), HasSubstr("T09"));
  EXPECT_EQ(message("compose(swizzle(1, 0, 3), (6, 8) : (8, 1))"), "no error");
  EXPECT_THAT(message("compose((3, 2) : (2, 1), ((2, 2)) : ((^1, ^3)))"), HasSubstr("T0967"));
  EXPECT_EQ(message("compose((4, 2) : (2, 1), ((2, 2)) : ((^1, ^3)))"), "no error");
}

TEST(LayoutCompose, MatchesOutputsByName) {
  Layout memory = valueOf(parse("(4, 8) : (8, 1)").withInNames({"row", "col"}));
  InDim in{"x", {Mode{8, {{1}, {0}}}, Mode{4, {{0}, {1}}}}};
  Layout walk = valueOf(Layout::get(in, {{"col", 8}, {"row", 4}}));
  Layout offsets = valueOf(compose(memory, walk));
  for (int64_t x = 0; x < 32; ++x) {
    EXPECT_EQ(offsets.at(x), x);
  }
  EXPECT_THAT(messageOf(compose(memory, valueOf(walk.withOutNames({"col", "line"})))),
              HasSubstr("T0963: compose: the inner layout has outputs `col`, `line`"));
}

TEST(LayoutCompose, SwizzleOfWidthsThatAreNoPowerOfTwo) {
  Layout tile = valueOf(swizzled(parse("(176, 64) : (64, 1)"), 3, 3, 3));
  for (int64_t r = 0; r < 176; ++r) {
    for (int64_t c = 0; c < 64; ++c) {
      ASSERT_EQ(tile.evaluate({r, c})[0], r * 64 + (((c / 8) ^ (r % 8)) * 8) + c % 8);
    }
  }
  EXPECT_THAT(messageOf(swizzled(valueOf(Layout::unravel("x", {{"a", 2}, {"b", 2}})), 1, 0, 1)),
              HasSubstr("several outputs"));
}
