// Distributions: normal form, coordinates against counting by hand, fragments against the instruction set's own tables.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tessera/Schedule/Dist.h"

#include "gtest/gtest.h"

#include "tessera/Layout/Notation.h"

#include <map>
#include <random>

using namespace tessera;
using namespace tessera::schedule;
using tile::DistMode;
using tile::Place;

namespace {
/// How many threads that act for others (all digits of copies 0, numbers within the modes) hold each element.
std::map<std::pair<int64_t, int64_t>, int> holders(const Dist &dist, int64_t rows,
                                                   int64_t columns) {
  std::map<std::pair<int64_t, int64_t>, int> count;
  auto acts = [&](Place place, int64_t number) {
    int64_t below = 1;
    bool is = true;
    for (const DistMode &mode : dist.modes(place)) {
      is &= mode.axis >= 0 || number / below % mode.extent == 0;
      below *= mode.extent;
    }
    return is && number < below;
  };
  for (int64_t warp = 0; warp < 8; ++warp) {
    for (int64_t lane = 0; lane < 32; ++lane) {
      if (!acts(Place::lane, lane) || !acts(Place::warp, warp)) {
        continue;
      }
      Coords thread = dist.threadCoords(lane, warp, 2);
      for (int64_t reg = 0; reg < dist.regs(); ++reg) {
        Coords at = dist.regCoords(reg, 2);
        int64_t row = at[0] + thread[0], column = at[1] + thread[1];
        if (row < rows && column < columns) {
          ++count[{row, column}];
        }
      }
    }
  }
  return count;
}
} // namespace

TEST(Dist, SpreadHoldsEachElementOnce) {
  std::mt19937 random(7);
  for (int i = 0; i < 200; ++i) {
    int64_t rows = 1 + random() % 70, columns = 1 + random() % 300;
    int64_t warps = int64_t(1) << (random() % 4), vec = int64_t(1) << (random() % 4);
    int64_t shape[] = {rows, columns};
    Dist dist = Dist::spread(shape, warps, vec);
    auto count = holders(dist, rows, columns);
    ASSERT_EQ(count.size(), size_t(rows * columns)) << dist.text();
    for (const auto &[element, times] : count) {
      ASSERT_EQ(times, 1) << dist.text() << " at " << element.first << ", " << element.second;
    }
    EXPECT_LE(dist.size(Place::warp), warps);
    EXPECT_LE(dist.size(Place::lane), 32);
  }
}

TEST(Dist, RegistersAreFoundByTheirCoordinates) {
  const DistMode modes[] = {
      {Place::reg, 2, 1, 1}, {Place::reg, 3, 0, 8}, {Place::lane, 4, 1, 2}, {Place::lane, 8, 0, 1}};
  Dist dist = Dist::get(modes);
  ASSERT_EQ(dist.regs(), 6);
  for (int64_t reg = 0; reg < 6; ++reg) {
    EXPECT_EQ(dist.regAt(dist.regCoords(reg, 2)), reg);
  }
  EXPECT_EQ(dist.regAt({0, 2}), std::nullopt); // a lane's part
  EXPECT_EQ(dist.regAt({24, 0}), std::nullopt);
}

TEST(Dist, OrderOfRegistersSaysNothing) {
  const DistMode a[] = {{Place::reg, 2, 0, 8}, {Place::reg, 2, 1, 1}, {Place::lane, 32, 1, 2}};
  const DistMode b[] = {{Place::lane, 32, 1, 2}, {Place::reg, 2, 1, 1}, {Place::reg, 2, 0, 8}};
  const DistMode other[] = {{Place::lane, 32, 1, 2}, {Place::reg, 2, 1, 1}, {Place::reg, 2, 0, 4}};
  EXPECT_EQ(Dist::get(a), Dist::get(b));
  EXPECT_NE(Dist::get(a), Dist::get(other));
}

TEST(Dist, NeighboursThatCountOnAreOneMode) {
  const DistMode parts[] = {{Place::lane, 4, 1, 1}, {Place::lane, 8, 1, 4}};
  const DistMode gap[] = {{Place::lane, 4, 1, 1}, {Place::lane, 8, 1, 8}};
  EXPECT_EQ(Dist::get(parts).modes().size(), 1u);
  EXPECT_EQ(Dist::get(gap).modes().size(), 2u);
}

TEST(Dist, CopiesAtTheEndSayNothing) {
  const DistMode end[] = {{Place::lane, 8, 1, 1}, {Place::lane, 4, -1, 0}};
  const DistMode front[] = {{Place::lane, 4, -1, 0}, {Place::lane, 8, 1, 1}};
  EXPECT_EQ(Dist::get(end).modes().size(), 1u);
  EXPECT_EQ(Dist::get(front).modes().size(), 2u);
  EXPECT_NE(Dist::get(end), Dist::get(front));
}

TEST(Dist, AnAxisThatLeavesBecomesCopies) {
  const DistMode modes[] = {{Place::reg, 16, 1, 256},
                            {Place::lane, 32, 1, 8},
                            {Place::reg, 8, 1, 1},
                            {Place::warp, 4, 0, 1}};
  const int64_t map[] = {0, -1};
  Dist rows = Dist::get(modes).mapAxes(map);
  EXPECT_EQ(rows.text(), "warp 4 d0 1");
  EXPECT_EQ(rows.regs(), 1);
}

/// The accumulator of m16n8: row = 8 * (value / 2) + lane / 4, column = 2 * (lane % 4) + value % 2.
TEST(Dist, FragmentOfAnAccumulator) {
  llvm::Expected<Layout> map = parseLayout("((4,8),(2,2)):((32,1),(16,8))");
  ASSERT_TRUE(bool(map));
  const int64_t shape[] = {16, 8};
  llvm::Expected<Dist> dist = Dist::ofFragment(*map, shape);
  ASSERT_TRUE(bool(dist));
  for (int64_t lane = 0; lane < 32; ++lane) {
    Coords thread = dist->threadCoords(lane, 0, 2);
    EXPECT_EQ(thread[0], lane / 4);
    EXPECT_EQ(thread[1], 2 * (lane % 4));
  }
  EXPECT_EQ(dist->regAt({8, 1}), 3);
  EXPECT_EQ(dist->regs(), 4);
}

/// B of m16n8k16: k = 8 * (value / 2) + 2 * (lane % 4) + value % 2, column = lane / 4.
TEST(Dist, FragmentOfARightOperand) {
  llvm::Expected<Layout> map = parseLayout("((4,8),(2,2)):((2,16),(1,8))");
  ASSERT_TRUE(bool(map));
  const int64_t shape[] = {16, 8};
  llvm::Expected<Dist> dist = Dist::ofFragment(*map, shape);
  ASSERT_TRUE(bool(dist));
  for (int64_t lane = 0; lane < 32; ++lane) {
    Coords thread = dist->threadCoords(lane, 0, 2);
    EXPECT_EQ(thread[0], 2 * (lane % 4));
    EXPECT_EQ(thread[1], lane / 4);
  }
}

/// Two accumulators side by side, rounded, are the left operand of the next product: no element moves.
TEST(Dist, AccumulatorsAreTheNextLeftOperand) {
  const int64_t c[] = {16, 8}, a[] = {16, 16};
  llvm::Expected<Layout> mapC = parseLayout("((4,8),(2,2)):((32,1),(16,8))");
  llvm::Expected<Layout> mapA = parseLayout("((4,8),(2,2,2)):((32,1),(16,8,128))");
  ASSERT_TRUE(mapC && mapA);
  llvm::Expected<Dist> one = Dist::ofFragment(*mapC, c), next = Dist::ofFragment(*mapA, a);
  ASSERT_TRUE(one && next);
  const DistMode pair[] = {{Place::reg, 2, 1, 1}};
  EXPECT_EQ(Dist::nest(Dist::get(pair), *one, c), *next);
}

TEST(Dist, XoredMapsHaveNone) {
  llvm::Expected<Layout> swizzle = Layout::swizzle(2, 0, 2, 16);
  ASSERT_TRUE(bool(swizzle));
  const int64_t shape[] = {4, 4};
  llvm::Expected<Dist> dist = Dist::ofFragment(*swizzle, shape);
  EXPECT_FALSE(bool(dist));
  llvm::consumeError(dist.takeError());
}
