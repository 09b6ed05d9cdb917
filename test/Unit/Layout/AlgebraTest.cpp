// Complement, division, product, concatenation, tensor product and slices against their definitions.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tessera/Layout/Algebra.h"

#include "TestLayouts.h"

#include "tessera/Layout/Notation.h"

#include <algorithm>
#include <set>

using namespace tessera;
using namespace tessera::layouttest;
using testing::HasSubstr;

namespace {
/// Two values of one output together: XOR below 2^bits, sum above.
int64_t together(int64_t a, int64_t b, unsigned bits) {
  int64_t mask = (int64_t(1) << bits) - 1;
  return ((a ^ b) & mask) + (a & ~mask) + (b & ~mask);
}

/// The complement by definition: the least value not covered yet begins the next copy.
std::optional<std::vector<int64_t>> greedyGaps(const Layout &layout, int64_t size) {
  std::vector<bool> covered(size, false);
  std::vector<int64_t> starts;
  for (int64_t next = 0; next < size; ++next) {
    if (covered[next]) {
      continue;
    }
    starts.push_back(next);
    for (int64_t point = 0; point < layout.size(); ++point) {
      int64_t value = together(layout.at(point), next, layout.atomBits(0));
      if (value >= size || covered[value]) {
        return std::nullopt; // copies do not fit side by side
      }
      covered[value] = true;
    }
  }
  return starts;
}
} // namespace

TEST(LayoutAlgebra, ComplementIsTheLeastSetOfGaps) {
  Random random(5);
  int found = 0;
  int refused = 0;
  for (int round = 0; round < 8000; ++round) {
    Layout layout = randomLayout(random, 1 + below(random, 2), 1);
    int64_t size = layout.outs()[0].size * (1 + below(random, 4)) + below(random, 3);
    llvm::Expected<Layout> gaps = complement(layout, size);
    if (gaps) {
      std::optional<std::vector<int64_t>> starts = greedyGaps(layout, size);
      ASSERT_TRUE(starts) << printLayout(layout) << " in " << size;
      std::vector<int64_t> values;
      for (int64_t point = 0; point < gaps->size(); ++point) {
        values.push_back(gaps->at(point));
      }
      ASSERT_EQ(values, *starts) << printLayout(layout) << " in " << size;
      ++found;
      continue;
    }
    std::string message = messageOf(gaps.takeError());
    std::optional<std::vector<int64_t>> starts = greedyGaps(layout, size);
    if (!isInjective(layout)) {
      ASSERT_THAT(message, HasSubstr("T0968"));
    } else {
      ASSERT_THAT(message, HasSubstr("T0970"));
      ASSERT_FALSE(starts) << printLayout(layout) << " in " << size << ": " << message;
    }
    ++refused;
  }
  EXPECT_GT(found, 500);
  EXPECT_GT(refused, 500);
}

TEST(LayoutAlgebra, ComplementOfSeveralOutputs) {
  Random random(6);
  int found = 0;
  for (int round = 0; round < 3000; ++round) {
    Layout layout = randomLayout(random, 1, 2);
    llvm::Expected<Layout> gaps = complement(layout);
    if (!gaps) {
      std::string message = messageOf(gaps.takeError());
      ASSERT_THAT(message,
                  testing::AnyOf(HasSubstr("T0968"), HasSubstr("T0970"), HasSubstr("T0971")));
      continue;
    }
    Layout whole = valueOf(concat(layout, *gaps));
    ASSERT_TRUE(isInjective(whole) && isSurjective(whole)) << printLayout(layout);
    ++found;
  }
  EXPECT_GT(found, 200);
}

TEST(LayoutAlgebra, ComplementNearMisses) {
  auto message = [](llvm::StringRef text) { return messageOf(parseLayout(text)); };
  EXPECT_EQ(printLayout(parse("complement(4 : 2, 24)")), "((2, 3)) : ((1, 8))");
  EXPECT_EQ(printLayout(parse("complement((2, 2) : (1, 6), 24)")), "((3, 2)) : ((2, 12))");
  EXPECT_THAT(message("complement(4 : 2, 20)"),
              HasSubstr("output `offset`: 20 is not a multiple of 8"));
  EXPECT_THAT(message("complement((2, 2) : (1, 3), 12)"), HasSubstr("3 is not a multiple of 2"));
  EXPECT_THAT(message("complement((2, 2) : (1, 1), 12)"), HasSubstr("T0968"));
  EXPECT_THAT(message("complement(4 : 2, 6)"), HasSubstr("T0964"));
  Layout diagonal = valueOf(Layout::get(InDim{"x", {Mode{3, {{1}, {1}}}}}, {{"y", 0}, {"z", 0}}));
  EXPECT_THAT(messageOf(complement(diagonal)),
              HasSubstr("T0971: complement: a mode of 3 moves `y` and `z`"));
}

TEST(LayoutAlgebra, DivisionVisitsTheTiles) {
  Random random(7);
  int found = 0;
  for (int round = 0; round < 6000; ++round) {
    Layout layout = randomLayout(random, 1 + below(random, 2), 1 + below(random, 2));
    Layout tiler = randomLayout(random, 1, 1);
    if (tiler.outs()[0].size > layout.size()) {
      continue;
    }
    llvm::Expected<Layout> result = logicalDivide(layout, tiler);
    if (!result) {
      std::string message = messageOf(result.takeError());
      ASSERT_THAT(message, testing::AnyOf(HasSubstr("T096"), HasSubstr("T0970")));
      continue;
    }
    Layout rest = valueOf(complement(tiler, layout.size()));
    ASSERT_EQ(result->inSize("tile"), tiler.size());
    ASSERT_EQ(result->inSize("rest"), rest.size());
    std::set<int64_t> seen;
    for (int64_t t = 0; t < tiler.size(); ++t) {
      for (int64_t r = 0; r < rest.size(); ++r) {
        int64_t point = together(tiler.at(t), rest.at(r), tiler.atomBits(0));
        seen.insert(point);
        ASSERT_EQ(row(result->evaluate({t, r})), row(layout.evaluateAt(point)));
      }
    }
    ASSERT_EQ(static_cast<int64_t>(seen.size()), layout.size());
    ++found;
  }
  EXPECT_GT(found, 300);
  EXPECT_EQ(parse("coalesce(divide((4, 2, 3) : (2, 1, 8), 4 : 2))"),
            parse("((2, 2), (2, 3)) : ((4, 1), (2, 8))"));
}

TEST(LayoutAlgebra, ProductRepeatsTheTile) {
  Random random(8);
  int found = 0;
  for (int round = 0; round < 6000; ++round) {
    Layout layout = randomLayout(random, 1, 1);
    Layout tiler = randomLayout(random, 1, 1);
    if (layout.size() * tiler.outs()[0].size > 4096) {
      continue;
    }
    llvm::Expected<Layout> result = logicalProduct(layout, tiler);
    if (!result) {
      std::string message = messageOf(result.takeError());
      ASSERT_THAT(message, testing::AnyOf(HasSubstr("T096"), HasSubstr("T0970")));
      continue;
    }
    std::vector<int64_t> starts;
    std::vector<int64_t> used;
    for (int64_t next = 0; static_cast<int64_t>(starts.size()) < tiler.outs()[0].size; ++next) {
      if (!std::binary_search(used.begin(), used.end(), next)) {
        starts.push_back(next);
        for (int64_t point = 0; point < layout.size(); ++point) {
          used.push_back(together(layout.at(point), next, layout.atomBits(0)));
        }
        std::sort(used.begin(), used.end());
      }
    }
    for (int64_t t = 0; t < layout.size(); ++t) {
      for (int64_t r = 0; r < tiler.size(); ++r) {
        ASSERT_EQ(result->evaluate({t, r})[0],
                  together(layout.at(t), starts[tiler.at(r)], layout.atomBits(0)))
            << printLayout(layout) << "\n"
            << printLayout(tiler);
      }
    }
    ++found;
  }
  EXPECT_GT(found, 300);
  EXPECT_EQ(parse("product((2, 2) : (4, 1), 6 : 1)"), parse("((2, 2), (2, 3)) : ((4, 1), (2, 8))"));
}

TEST(LayoutAlgebra, ConcatCombinesValues) {
  Random random(9);
  int found = 0;
  for (int round = 0; round < 4000; ++round) {
    Layout a = valueOf(randomLayout(random, 1, 1).withInNames({"a"}));
    Layout b = valueOf(randomLayout(random, 1, 1).withInNames({"b"}));
    if (a.size() * b.size() > 4096) {
      continue;
    }
    llvm::Expected<Layout> result = concat(a, b);
    if (!result) {
      ASSERT_THAT(messageOf(result.takeError()), HasSubstr("T0962"));
      continue;
    }
    ++found;
    unsigned bits = std::max(a.atomBits(0), b.atomBits(0));
    for (int64_t i = 0; i < a.size(); ++i) {
      for (int64_t j = 0; j < b.size(); ++j) {
        ASSERT_EQ(result->evaluate({i, j})[0], together(a.at(i), b.at(j), bits));
      }
    }
  }
  EXPECT_GT(found, 1000);
  EXPECT_THAT(messageOf(concat(parse("2 : 1"), parse("2 : 2"))), HasSubstr("T0963: input `i0`"));
}

TEST(LayoutAlgebra, TensorProductNests) {
  Random random(10);
  for (int round = 0; round < 3000; ++round) {
    Layout a = randomLayout(random, 2, 2);
    Layout b = randomLayout(random, 2, 2);
    llvm::Expected<Layout> result = tensorProduct(a, b);
    if (!result) {
      ASSERT_THAT(messageOf(result.takeError()), HasSubstr("T0962"));
      continue;
    }
    for (int times = 0; times < 50; ++times) {
      int64_t i = below(random, a.size());
      int64_t j = below(random, b.size());
      Coords x = a.coordsOf(i);
      Coords y = b.coordsOf(j);
      Coords both{x[0] + a.ins()[0].size() * y[0], x[1] + a.ins()[1].size() * y[1]};
      Coords u = a.evaluateAt(i);
      Coords v = b.evaluateAt(j);
      std::vector<int64_t> wanted{u[0] + a.outs()[0].size * v[0], u[1] + a.outs()[1].size * v[1]};
      ASSERT_EQ(row(result->evaluate(both)), wanted) << printLayout(a) << "\n" << printLayout(b);
    }
  }
  Layout side = valueOf(tensorProduct(
      parse("2 : 1"), valueOf(valueOf(parse("3 : 1").withInNames({"b"})).withOutNames({"z"}))));
  EXPECT_EQ(row(side.evaluate({1, 2})), (std::vector<int64_t>{1, 2}));
}

TEST(LayoutAlgebra, SlicesCombineWithTheirBase) {
  Random random(11);
  for (int round = 0; round < 3000; ++round) {
    Layout layout = randomLayout(random, 2, 2);
    int64_t coord = below(random, layout.ins()[1].size());
    Slice part = valueOf(slice(layout, "x1", coord));
    for (int64_t x = 0; x < layout.ins()[0].size(); ++x) {
      ASSERT_EQ(row(part.combine(part.rest.evaluate({x}))), row(layout.evaluate({x, coord})));
    }
    Layout first = valueOf(restrictIns(layout, {"x0"}));
    Layout second = valueOf(restrictOuts(layout, {"y1"}));
    for (int64_t x = 0; x < layout.ins()[0].size(); ++x) {
      ASSERT_EQ(row(first.evaluate({x})), row(layout.evaluate({x, 0})));
    }
    for (int64_t point = 0; point < layout.size(); ++point) {
      ASSERT_EQ(second.at(point), layout.evaluateAt(point)[1]);
    }
  }
  Layout layout = parse("(2, 3) : (1, 2)");
  EXPECT_THAT(messageOf(slice(layout, "i1", 3).takeError()),
              HasSubstr("`i1` has 3 points, coordinate 3 is none"));
  EXPECT_THAT(messageOf(slice(layout, "i2", 0).takeError()), HasSubstr("no dim `i2`"));
  EXPECT_THAT(messageOf(restrictOuts(layout, {"i0"})), HasSubstr("no dim `i0`"));
}
