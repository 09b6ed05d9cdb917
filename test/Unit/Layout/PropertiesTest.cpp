// Equality, injectivity, surjectivity, each against the table of values.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TestLayouts.h"

#include "tessera/Layout/Notation.h"

#include <algorithm>
#include <set>

using namespace tessera;
using namespace tessera::layouttest;

namespace {
/// The same function with its modes cut into pieces.
Layout cut(Random &random, const Layout &layout) {
  llvm::SmallVector<InDim, 3> ins;
  for (const InDim &in : layout.ins()) {
    ins.push_back({in.name, {}});
    for (Mode mode : in.modes) {
      for (int64_t part : {2, 3, 5}) {
        if (mode.extent > part && mode.extent % part == 0 && below(random, 2)) {
          Mode first = mode;
          first.extent = part;
          ins.back().modes.push_back(first);
          mode.extent /= part;
          for (Stride &stride : mode.strides) {
            stride.value *= part;
          }
        }
      }
      ins.back().modes.push_back(mode);
      if (below(random, 4) == 0) {
        ins.back().modes.push_back(Mode{1, StrideVector(layout.outs().size(), Stride{3, false})});
      }
    }
  }
  return valueOf(Layout::get(ins, layout.outs()));
}

/// One stride, extent or kind changed; nothing if that is no layout.
std::optional<Layout> mutate(Random &random, const Layout &layout) {
  llvm::SmallVector<InDim, 3> ins(layout.ins().begin(), layout.ins().end());
  InDim &in = ins[below(random, ins.size())];
  if (in.modes.empty()) {
    return std::nullopt;
  }
  Mode &mode = in.modes[below(random, in.modes.size())];
  Stride &stride = mode.strides[below(random, mode.strides.size())];
  switch (below(random, 3)) {
  case 0:
    stride.value += 1 + below(random, 3);
    break;
  case 1:
    stride.isXor = !stride.isXor;
    break;
  default:
    std::swap(in.modes.front(), in.modes.back());
  }
  llvm::SmallVector<OutDim, 2> outs(layout.outs().begin(), layout.outs().end());
  for (OutDim &out : outs) {
    out.size = 0;
  }
  llvm::Expected<Layout> changed = Layout::get(ins, outs);
  if (!changed) {
    llvm::consumeError(changed.takeError());
    return std::nullopt;
  }
  return *changed;
}
} // namespace

TEST(LayoutProperties, EqualityIsEqualityOfFunctions) {
  Random random(2);
  int equal = 0;
  int different = 0;
  for (int round = 0; round < 6000; ++round) {
    Layout layout = randomLayout(random, 1 + below(random, 3), 1 + below(random, 2));
    Layout other = cut(random, layout);
    ASSERT_TRUE(equivalent(layout, other)) << printLayout(layout) << "\n" << printLayout(other);
    std::optional<Layout> changed = mutate(random, other);
    if (!changed) {
      continue;
    }
    bool sizes = true;
    for (unsigned in = 0; in < layout.ins().size(); ++in) {
      sizes &= layout.ins()[in].size() == changed->ins()[in].size();
    }
    bool same = sizes && tableOf(layout) == tableOf(*changed);
    ASSERT_EQ(equivalent(layout, *changed), same) << printLayout(layout) << "\n"
                                                  << printLayout(*changed);
    (same ? equal : different) += 1;
  }
  // Both answers occurred often among the mutants.
  EXPECT_GT(equal, 200);
  EXPECT_GT(different, 1000);
}

TEST(LayoutProperties, EqualityMatchesNames) {
  Layout layout = parse("(2, 3) : (1, 2)");
  EXPECT_TRUE(equivalent(layout, valueOf(layout.reorderIns({"i1", "i0"}))));
  EXPECT_FALSE(equivalent(layout, valueOf(layout.withInNames({"i1", "i0"}))));
  EXPECT_FALSE(equivalent(layout, valueOf(layout.withOutNames({"other"}))));
  EXPECT_FALSE(equivalent(layout, layout.flattenIns("i0")));
  EXPECT_TRUE(equivalent(layout, valueOf(layout.withOutSizes({100}))));
}

TEST(LayoutProperties, InjectiveAndSurjectiveAreExact) {
  Random random(3);
  int counts[2][2] = {};
  for (int round = 0; round < 8000; ++round) {
    Layout layout = randomLayout(random, 1 + below(random, 3), 1 + below(random, 2));
    Table table = tableOf(layout);
    std::set<std::vector<int64_t>> values(table.begin(), table.end());
    bool injective = values.size() == table.size();
    bool surjective = static_cast<int64_t>(values.size()) == layout.outSize();
    ASSERT_EQ(isInjective(layout), injective) << printLayout(layout);
    ASSERT_EQ(isSurjective(layout), surjective) << printLayout(layout);
    ++counts[injective][surjective];
  }
  for (auto &line : counts) {
    for (int count : line) {
      EXPECT_GT(count, 100);
    }
  }
}

TEST(LayoutProperties, NearMisses) {
  EXPECT_TRUE(isInjective(parse("(3, 2) : (2, 3)")));  // 0 2 4 3 5 7
  EXPECT_FALSE(isInjective(parse("(4, 2) : (2, 6)"))); // 6 = 3 * 2
  EXPECT_TRUE(isInjective(parse("(4, 2) : (2, 7)")));
  EXPECT_TRUE(isInjective(parse("((2, 2)) : ((^1, ^3))")));
  EXPECT_FALSE(isInjective(parse("((2, 2, 2)) : ((^1, ^3, ^2))")));
  EXPECT_TRUE(isSurjective(parse("(4, 4) : (1, 2)")));
  EXPECT_FALSE(isSurjective(parse("(4, 4) : (1, 5)")));
  EXPECT_FALSE(isSurjective(valueOf(parse("8 : 1").withOutSizes({9}))));
}

TEST(LayoutProperties, WhereTheSearchIsShort) {
  // Strides that nest, in any order, with gaps, swizzled; two that overlap are solved for.
  for (const char *text :
       {"(128,32):(32,1)", "(128,32):(40,1)", "((4,8),(2,2,2)):((32,1),(16,8,128))",
        "compose(swizzle(3, 4, 3), (8,64):(64,1))", "(1000003,1000033):(1000037,999983)",
        "(2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2):(32768,1,2,4,8,16,32,64,128,256,512,1024,2048,4096,8192,"
        "16384)"}) {
    EXPECT_TRUE(isInjectiveDecidedSoon(parse(text))) << text;
  }
  // Sums of numbers near each other: which of them meet is hard to tell.
  std::string shape, strides;
  for (int i = 0; i < 24; ++i) {
    shape += i ? ",2" : "2";
    strides += (i ? "," : "") + std::to_string((1 << 30) + i * i * i * 7919);
  }
  EXPECT_FALSE(isInjectiveDecidedSoon(parse("(" + shape + "):(" + strides + ")")));
  // A step fewer than is too many: 12 choices of two.
  auto near = [](int count) {
    std::string shape, strides;
    for (int i = 0; i < count; ++i) {
      shape += i ? ",2" : "2";
      strides += (i ? "," : "") + std::to_string(1000 + i);
    }
    return isInjectiveDecidedSoon(parse("(" + shape + "):(" + strides + ")"));
  };
  EXPECT_TRUE(near(14));
  EXPECT_FALSE(near(15));
}

TEST(LayoutProperties, LargeLayoutsAreNotEnumerated) {
  Layout large = parse("(1048576, 1048576, 3) : (1, 1048576, 1099511627776)");
  EXPECT_TRUE(isInjective(large));
  EXPECT_TRUE(isSurjective(large));
  EXPECT_FALSE(isInjective(parse("(1048576, 1048576) : (1048575, 1048574)")));
  EXPECT_TRUE(isInjective(parse("(1000000000, 1000000000) : (1000000000, 1000000007)")));
  EXPECT_FALSE(isInjective(parse("(1000000008, 1000000001) : (1000000000, 1000000007)")));
}

TEST(LayoutProperties, SumsOfThreeStepsThatMeet) {
  // No two steps have a common multiple, three of them meet or just do not.
  Random random(23);
  int injective = 0;
  for (int round = 0; round < 20000; ++round) {
    std::vector<Mode> modes;
    for (int i = 0; i < 3 + static_cast<int>(below(random, 2)); ++i) {
      modes.push_back(Mode{2 + below(random, 4), {{1 + below(random, 90), false}}});
    }
    Layout layout = valueOf(Layout::get(
        InDim{"x", llvm::SmallVector<Mode, 4>(modes.begin(), modes.end())}, OutDim{"y", 0}));
    Table table = tableOf(layout);
    std::set<std::vector<int64_t>> values(table.begin(), table.end());
    ASSERT_EQ(isInjective(layout), values.size() == table.size()) << printLayout(layout);
    injective += values.size() == table.size();
  }
  EXPECT_GT(injective, 500);
}
