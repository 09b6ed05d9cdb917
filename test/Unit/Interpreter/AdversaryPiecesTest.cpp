// Groups of threads of which only a part comes, accesses of several elements at once, what one thread has of a tile.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ScheduleTesting.h"

#include <gtest/gtest.h>

using namespace tessera;
using namespace tessera::interptest;

namespace {
constexpr uint64_t seeds = 20;

/// A body with x and y of 4 x 8, a buf %a of that shape and the span %r; warps 4.
Schedule small(const std::string &body) {
  return {{{"x", "?x8xbf16", arrayOf(DType::bf16, {4, 8}, numbers(32))}},
          {{"y", "?x8xbf16", {4, 8}}},
          R"(
    %c0 = tile.constant 0 : i64
    %n = tile.dim %x, 0 : !tile.view<?x8xbf16, in>
    %r = tile.span %c0, %n : !tile.span<4>
    %a = tile.alloc : !tile.buf<4x8xbf16, shared>
)" + body};
}
std::string load(const std::string &factors) {
  return "%t = tile.load %x[%r, :] {tile.iter = #tile.iter<" + factors +
         ">} : !tile.view<?x8xbf16, in>, !tile.span<4> -> tensor<4x8xbf16>\n";
}
const std::string store =
    "tile.store %t, %y[%r, :] : tensor<4x8xbf16>, !tile.view<?x8xbf16, out>, !tile.span<4>\n";

void expectFound(const Schedule &bad, const std::string &code, const std::string &words) {
  EXPECT_EQ(timesFound(bad, code, seeds), seeds);
  Outcome outcome = run(bad, 1);
  ASSERT_FALSE(outcome.report.errors.empty());
  EXPECT_NE(outcome.report.errors[0].message.find(words), std::string::npos)
      << outcome.report.errors[0].message;
}
void expectGood(const Schedule &schedule) {
  Values right = run(schedule).values;
  for (uint64_t seed = 0; seed < seeds; ++seed) {
    Outcome outcome = run(schedule, seed);
    EXPECT_TRUE(outcome.report.succeeded()) << outcome.report.errors[0].message;
    EXPECT_EQ(outcome.values, right);
  }
}
} // namespace

TEST(Groups, APartOfTheCta) {
  auto steps = [](const std::string &count) {
    return "tile.par warp " + count + " {\n^bb0(%w: i64):\ntile.barrier cta\n}\n";
  };
  // Each of the four warps has a step, or two of them have.
  expectGood(small(steps("4") + load("d1 = lane 8") + store));
  expectFound(small(steps("2") + load("d1 = lane 8") + store), "T1167",
              "`tile.barrier` is for a whole `cta`, and only one `warp` comes here");
}

TEST(Pieces, OfAView) {
  expectGood(small(load("d1 = reg 2 * vec 4") + store));
  expectFound(small(load("d0 = reg 2 * vec 2") + store), "T1168", "they do not lie side by side");
  expectFound(small(load("d1 = vec 16") + store), "T1168", "only 8 of them are present");
}

TEST(Pieces, BehindAnOddElement) {
  Schedule shifted = small(load("d1 = vec 8") + store);
  shifted.inputs[0].array = llvm::cantFail(
      HostArray::view(llvm::cantFail(HostMemory::reserve(4096)), DType::bf16, {4, 8}, {8, 1}, 2));
  expectFound(shifted, "T1168", "is no multiple of 16 bytes");
  expectGood(shifted.with(small(load("d1 = reg 8 * vec 1") + store).body));
}

TEST(Pieces, OfABuf) {
  auto read = [](const std::string &layout) {
    std::string type = "!tile.buf<4x8xbf16, shared, layout = \"" + layout + "\">";
    return "%b = tile.alloc : " + type + "\ntile.copy %x[%r, :] to %b fill zero : " +
           "!tile.view<?x8xbf16, in>, !tile.span<4> to " + type + "\ntile.barrier cta\n" +
           "%t = tile.read %b span[%r, :] {tile.iter = #tile.iter<d1 = vec 8>} : " + type +
           ", !tile.span<4> -> tensor<4x8xbf16>\n" + store;
  };
  expectGood(small(read("(4, 8) : (8, 1)")));
  expectFound(small(read("(4, 8) : (1, 4)")), "T1168", "no groups of 8 side by side");
}

TEST(Elect, HasAFewElements) {
  const std::string write =
      "tile.write %t to %a : tensor<4x8xbf16> to !tile.buf<4x8xbf16, shared>\n";
  const std::string rest = "tile.barrier cta\ntile.copy_out %a to %y[%r, :] : "
                           "!tile.buf<4x8xbf16, shared> to !tile.view<?x8xbf16, out>, "
                           "!tile.span<4>\n";
  expectGood(small(load("d1 = lane 8") + write + rest));
  Schedule bad = small(load("d1 = lane 8") + "tile.elect {\n" + write + "}\n" + rest);
  Values right = run(bad).values;
  for (uint64_t seed = 0; seed < seeds; ++seed) {
    EXPECT_NE(run(bad, seed).values, right);
  }
}
