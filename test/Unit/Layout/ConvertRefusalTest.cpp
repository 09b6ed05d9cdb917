// What conversions refuse, each beside what they accept.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Simulator.h"

#include "tessera/Layout/Convert.h"
#include "tessera/Layout/Fragments.h"

using namespace tessera;
using namespace tessera::layouttest;
using testing::HasSubstr;

namespace {
/// (register, lane, warp) -> x.
Layout held(llvm::StringRef text, int64_t size = 0) {
  return valueOf(
      valueOf(valueOf(parse(text).withInNames({"register", "lane", "warp"})).withOutNames({"x"}))
          .withOutSizes({size}));
}

std::string message(const Layout &from, const Layout &to,
                    std::optional<ConvertPath> path = std::nullopt, int64_t bytes = 4) {
  return messageOf(planConversion(from, to, bytes, path));
}
} // namespace

TEST(LayoutConvertRefusals, TilesMustAgree) {
  Layout plain = held("(2, 32, 2) : (1, 2, 64)");
  EXPECT_EQ(message(plain, plain), "no error");
  EXPECT_THAT(message(plain, held("(4, 32, 2) : (1, 4, 128)")),
              HasSubstr("T0979: convert: axis `x` has size 128 before and 256 after"));
  EXPECT_THAT(message(plain, held("(4, 16, 2) : (1, 4, 64)")),
              HasSubstr("`lane` has 32 points before and 16 after"));
  EXPECT_THAT(message(plain, held("(4, 32, 1) : (1, 4, 0)")),
              HasSubstr("`warp` has 2 points before and 1 after"));
  EXPECT_THAT(message(plain, held("(2, 32, 2) : (0, 2, 64)", 128)),
              HasSubstr("the target does not hold every element"));
  EXPECT_THAT(message(held("(2, 32, 2) : (1, 2, 0)", 128), plain),
              HasSubstr("the source does not hold every element"));
  EXPECT_THAT(message(held("(2, 64, 1) : (1, 2, 0)"), held("(2, 64, 1) : (1, 2, 0)")),
              HasSubstr("64 lanes"));
  EXPECT_THAT(message(held("(8192, 1, 1) : (1, 0, 0)"), held("(8192, 1, 1) : (1, 0, 0)")),
              HasSubstr("8192 registers"));
  EXPECT_THAT(message(plain, plain, std::nullopt, 3), HasSubstr("elements of 3 bytes"));
  EXPECT_THAT(message(valueOf(plain.withInNames({"register", "lane", "thread"})), plain),
              HasSubstr("`thread` is none of"));
  EXPECT_THAT(message(plain, valueOf(plain.withOutNames({"y"}))), HasSubstr("T0963"));
}

TEST(LayoutConvertRefusals, PathsThatDoNotReach) {
  Layout rows = held("(2, 32, 2) : (1, 2, 64)");
  Layout warpsSwapped = held("(2, 32, 2) : (64, 2, 1)");
  Layout lanesSwapped = held("(2, 32, 2) : (32, 1, 64)");
  EXPECT_THAT(
      message(rows, warpsSwapped, ConvertPath::shuffle),
      HasSubstr(
          "T0980: convert by shuffle: elements change their warps or blocks; use shared memory"));
  EXPECT_EQ(message(rows, warpsSwapped, ConvertPath::shared), "no error");
  EXPECT_THAT(message(rows, lanesSwapped, ConvertPath::registers),
              HasSubstr("T0980: convert by registers: elements change their lanes"));
  EXPECT_EQ(message(rows, lanesSwapped, ConvertPath::shuffle), "no error");
  EXPECT_EQ(message(rows, rows, ConvertPath::registers), "no error");
}

TEST(LayoutConvertRefusals, ShellsThatDiffer) {
  Layout byRegister = held("(3, 32, 1) : (32, 1, 0)");
  Layout byTriples = held("(3, 32, 1) : (1, 3, 0)");
  EXPECT_THAT(message(byRegister, byTriples, ConvertPath::shuffle),
              HasSubstr("the layouts repeat differently"));
  EXPECT_EQ(message(byRegister, byTriples, ConvertPath::shared), "no error");
}

TEST(LayoutConvertRefusals, Blocks) {
  auto blocks = [](llvm::StringRef text) {
    return valueOf(
        valueOf(parse(text).withInNames({"register", "lane", "block"})).withOutNames({"x"}));
  };
  Layout rows = blocks("(4, 32, 2) : (1, 4, 128)");
  Layout columns = blocks("(4, 32, 2) : (32, 1, 128)");
  Layout crossed = blocks("(4, 32, 2) : (64, 2, 1)");
  for (auto path : {ConvertPath::shuffle, ConvertPath::shared}) {
    ConversionPlan plan = valueOf(planConversion(rows, columns, 4, path));
    EXPECT_EQ(simulate(plan, rows, columns), "");
    EXPECT_THAT(message(rows, crossed, path), HasSubstr("blocks"));
  }
  ConversionPlan shared = valueOf(planConversion(rows, columns, 4, ConvertPath::shared));
  EXPECT_EQ(shared.shared->elements(), 128) << "a block needs memory for its own part only";
}

TEST(LayoutConvertRefusals, TheSimulatorSeesMistakes) {
  Layout from = held("(2, 32, 1) : (1, 2, 0)");
  Layout to = held("(2, 32, 1) : (32, 1, 0)");
  ConversionPlan plan = valueOf(planConversion(from, to, 4, ConvertPath::shuffle));
  ASSERT_EQ(simulate(plan, from, to), "");
  ConversionPlan wrong = plan;
  std::swap(wrong.shuffle->rounds[0].given[3], wrong.shuffle->rounds[1].given[3]);
  wrong.shuffle->rounds.back().filled[5] ^= 1;
  EXPECT_NE(simulate(wrong, from, to), "");
  ConversionPlan shared = valueOf(planConversion(from, to, 4, ConvertPath::shared));
  ASSERT_EQ(simulate(shared, from, to), "");
  ConversionPlan missing = shared;
  missing.shared->silentLanes = 1;
  EXPECT_NE(simulate(missing, from, to), "");
  ConversionPlan order = shared;
  std::swap(order.shared->readOrder[0], order.shared->readOrder[1]);
  order.shared->store = valueOf(parse("64 : 0").withInNames({"x"}));
  EXPECT_NE(simulate(order, from, to), "");
}
