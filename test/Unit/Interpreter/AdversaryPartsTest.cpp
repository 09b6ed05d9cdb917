// What factors of dims do under the adversary: sums, scans and products in parts, and which of two elements is the last.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ScheduleTesting.h"

#include <cmath>

using namespace tessera;
using namespace tessera::interptest;

namespace {
/// Numbers whose sums are rounded.
Values rounded(int64_t count) {
  Values values;
  for (int64_t i = 0; i < count; ++i) {
    values.push_back(std::sin(double(i * i + 1)) * double(i % 7 + 1));
  }
  return values;
}

/// An op on a vector `%t` of 96 elements, with attributes; its result is a number.
Schedule ofRow(const std::string &op, const std::string &attributes) {
  return {{{"x", "96xf32", arrayOf(DType::f32, {96}, rounded(96))}},
          {{"y", "1xf32", {1}}},
          "    %c0 = tile.constant 0 : i64\n"
          "    %t = tile.load %x[:] : !tile.view<96xf32, in> -> tensor<96xf32>\n    %s = " +
              op + " {" + attributes +
              "} : tensor<96xf32> -> f32\n"
              "    tile.store %s, %y[%c0] : f32, !tile.view<1xf32, out>, i64\n"};
}
Schedule sum(const std::string &factors) {
  return ofRow("tile.reduce sum %t along 0", "tile.iter = #tile.iter<r = " + factors + ">");
}

/// Under some seed the values are others than in order.
bool differs(const Schedule &schedule) {
  Outcome inOrder = run(schedule);
  EXPECT_TRUE(inOrder.report.succeeded()) << explain(inOrder.report);
  for (uint64_t seed = 0; seed < 20; ++seed) {
    Outcome found = run(schedule, seed);
    EXPECT_TRUE(found.report.succeeded()) << explain(found.report);
    if (!same(found.values, inOrder.values)) {
      return true;
    }
  }
  return false;
}
} // namespace

TEST(Parts, OfASumInTheOrderOfTheTree) {
  for (const char *factors :
       {"reg 3 * lane 32", "lane 32 * reg 4", "reg 3 * lane 2 * warp 4 * lane 4", "warp 3 * reg 32",
        "open 7 * open 5 * reg 3", "reg 2 * lane 16 * vec 4"}) {
    EXPECT_FALSE(differs(sum(factors))) << factors;
  }
  for (const char *factors :
       {"lane 32 * reg 3", "reg 8 * lane 4 * reg 3", "reg 4 * warp 6 * reg 4"}) {
    EXPECT_TRUE(differs(sum(factors))) << factors;
  }
}

TEST(Parts, OfAPlan) {
  auto planned = [](const std::string &steps, const std::string &factors) {
    return ofRow("tile.reduce sum %t along 0",
                 "tile.plan = [" + steps + "]" +
                     (factors.empty() ? "" : ", tile.iter = #tile.iter<r = " + factors + ">"));
  };
  auto step = [](const std::string &place, int count) {
    return "{place = #tile.place<" + place + ">, steps = " + std::to_string(count) + "}";
  };
  EXPECT_FALSE(differs(planned(step("lane", 32) + ", " + step("reg", 4), "")));
  EXPECT_FALSE(differs(planned(step("lane", 32) + ", " + step("reg", 4), "lane 32 * reg 4")));
  EXPECT_TRUE(differs(planned(step("reg", 4) + ", " + step("lane", 32), "lane 32 * reg 4")));
  EXPECT_TRUE(differs(planned(step("seq", 48) + ", " + step("reg", 2), "")));
}

TEST(Parts, OfOtherOrders) {
  EXPECT_FALSE(
      differs(ofRow("tile.reduce max %t along 0", "tile.iter = #tile.iter<r = lane 32 * reg 3>")));
}

TEST(Parts, InOtherCtas) {
  EXPECT_TRUE(differs(
      ofRow("tile.reduce max %t along 0", "tile.iter = #tile.iter<r = cluster 2 * reg 48>")));
  EXPECT_TRUE(differs(sum("cluster 4 * reg 24")));
  EXPECT_TRUE(differs({{{"x", "4x8xf32", arrayOf(DType::f32, {4, 8}, rounded(32))}},
                       {{"y", "4x4xf32", {4, 4}}},
                       R"(
    %t = tile.load %x[:, :] : !tile.view<4x8xf32, in> -> tensor<4x8xf32>
    %u = tile.permute %t, [1, 0] : tensor<4x8xf32> to tensor<8x4xf32>
    %z = tile.constant 0.0 : f32 tensor<4x4xf32>
    %r = tile.mma %t, %u, %z {tile.iter = #tile.iter<k = cluster 2 * open 4>} : tensor<4x8xf32>, tensor<8x4xf32>, tensor<4x4xf32>
    tile.store %r, %y[:, :] : tensor<4x4xf32>, !tile.view<4x4xf32, out>
)"}));
}

TEST(Parts, OfAScan) {
  auto scan = [](const std::string &factors, const std::string &direction) {
    return Schedule{{{"x", "96xf32", arrayOf(DType::f32, {96}, rounded(96))}},
                    {{"y", "96xf32", {96}}},
                    "    %t = tile.load %x[:] : !tile.view<96xf32, in> -> tensor<96xf32>\n"
                    "    %s = tile.scan sum %t along 0 {" +
                        direction + "tile.iter = #tile.iter<r = " + factors +
                        ">} : tensor<96xf32> -> tensor<96xf32>\n"
                        "    tile.store %s, %y[:] : tensor<96xf32>, !tile.view<96xf32, out>\n"};
  };
  EXPECT_FALSE(differs(scan("reg 3 * reg 32", "")));
  EXPECT_TRUE(differs(scan("lane 32 * reg 3", "")));
  EXPECT_TRUE(differs(scan("warp 2 * reg 48", "reverse, ")));
}

TEST(Parts, WhichOneIsTheLast) {
  Values twice;
  for (int i = 0; i < 64; ++i) {
    twice.push_back(i % 8);
  }
  auto store = [&](const std::string &attributes) {
    return Schedule{{{"x", "8x8xf32", arrayOf(DType::f32, {8, 8}, rounded(64))},
                     {"i", "8x8xi64", arrayOf(DType::i64, {8, 8}, twice)}},
                    {{"y", "8xf32", {8}, "inout"}},
                    "    %t = tile.load %x[:, :] : !tile.view<8x8xf32, in> -> tensor<8x8xf32>\n"
                    "    %j = tile.load %i[:, :] : !tile.view<8x8xi64, in> -> tensor<8x8xi64>\n"
                    "    tile.store %t, %y[%j] {conflict = #tile.conflict<last>" +
                        attributes +
                        "} : tensor<8x8xf32>, !tile.view<8xf32, inout>, tensor<8x8xi64>\n"};
  };
  auto iter = [](const std::string &dims) { return ", tile.iter = #tile.iter<" + dims + ">"; };
  EXPECT_FALSE(differs(store("")));
  EXPECT_FALSE(differs(store(iter("d0 = reg 2 * reg 4, d1 = open 8"))));
  EXPECT_FALSE(differs(store(iter("d1 = lane 8"))));
  EXPECT_TRUE(differs(store(iter("d0 = lane 8"))));
  EXPECT_TRUE(differs(store(iter("d0 = reg 4 * warp 2"))));
}
