// Conversion plans, carried out by a small simulator of registers, lanes, warps and shared memory.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Simulator.h"

#include "tessera/Layout/Algebra.h"
#include "tessera/Layout/Fragments.h"
#include "tessera/Layout/Notation.h"

#include <map>

using namespace tessera;
using namespace tessera::layouttest;

namespace {
ConversionPlan planned(const Layout &from, const Layout &to, int64_t bytes,
                       std::optional<ConvertPath> path = std::nullopt) {
  ConversionPlan plan = valueOf(planConversion(from, to, bytes, path));
  EXPECT_EQ(simulate(plan, from, to), "") << printLayout(from) << "\n" << printLayout(to);
  return plan;
}

/// A layout of 2^bits elements over registers, 8 or 32 lanes and warps: a random matrix of full rank, some bits repeated.
Layout randomDistribution(Random &random, unsigned bits, unsigned laneBits, unsigned warpBits,
                          llvm::ArrayRef<OutDim> tile, bool repeats, bool dense) {
  std::vector<uint64_t> images;
  for (unsigned bit = 0; bit < bits; ++bit) {
    images.push_back(uint64_t(1) << bit);
  }
  for (int times = dense ? 20 : 0; times > 0; --times) {
    unsigned a = below(random, bits);
    unsigned b = below(random, bits);
    images[a] ^= a == b ? 0 : images[b];
  }
  std::shuffle(images.begin(), images.end(), random);
  for (int64_t more = repeats ? below(random, 3) : 0; more > 0; --more) {
    images.insert(images.begin() + below(random, images.size() + 1),
                  below(random, 2) ? 0 : images[below(random, bits)]);
  }
  while (images.size() < laneBits + warpBits) {
    images.push_back(0);
  }
  std::vector<InDim> ins{{"register", {}}, {"lane", {}}, {"warp", {}}};
  for (unsigned i = 0; i < images.size(); ++i) {
    Mode mode{2, {}};
    unsigned shift = 0;
    for (const OutDim &out : tile) {
      unsigned width = __builtin_ctzll(out.size);
      mode.strides.push_back(
          {static_cast<int64_t>((images[i] >> shift) & ((1u << width) - 1)), true});
      shift += width;
    }
    ins[i < laneBits ? 1 : i < laneBits + warpBits ? 2 : 0].modes.push_back(mode);
  }
  return valueOf(Layout::get(ins, tile));
}

std::vector<OutDim> tileOf(unsigned bits) {
  return {{"m", int64_t(1) << bits / 2}, {"n", int64_t(1) << (bits - bits / 2)}};
}
} // namespace

TEST(LayoutConvert, RandomLinearConversions) {
  Random random(20);
  std::map<ConvertPath, int> paths;
  int wideAccesses = 0;
  for (int round = 0; round < 1500; ++round) {
    unsigned laneBits = below(random, 3) ? 5 : 3;
    unsigned warpBits = below(random, 3);
    unsigned bits = laneBits + warpBits + 1 + below(random, 4);
    bool dense = below(random, 2);
    bool repeats = below(random, 4) == 0;
    int64_t bytes = int64_t(1) << below(random, 5);
    Layout from =
        randomDistribution(random, bits, laneBits, warpBits, tileOf(bits), repeats, dense);
    Layout to = randomDistribution(random, bits, laneBits, warpBits, tileOf(bits), repeats, dense);
    ConversionPlan plan = planned(from, to, bytes);
    ++paths[plan.path];
    ConversionPlan shared = planned(from, to, bytes, ConvertPath::shared);
    // The chosen order of memory is free of conflicts on both sides.
    ASSERT_EQ(shared.shared->write.degree, 1) << printLayout(from) << "\n" << printLayout(to);
    ASSERT_EQ(shared.shared->read.degree, 1) << printLayout(from) << "\n" << printLayout(to);
    ASSERT_LE(plan.cost.quarterCycles(), shared.cost.quarterCycles());
    wideAccesses += shared.shared->width.bytes == 16;
  }
  EXPECT_GT(paths[ConvertPath::shared], 150);
  EXPECT_GT(wideAccesses, 25);
}

TEST(LayoutConvert, RandomConversionsWithinWarps) {
  Random random(21);
  std::map<ConvertPath, int> paths;
  int refused = 0;
  for (int round = 0; round < 3000; ++round) {
    unsigned laneBits = below(random, 3) ? 5 : 3;
    unsigned bits = laneBits + 1 + below(random, 4);
    bool dense = below(random, 2);
    bool repeats = below(random, 3) == 0;
    int64_t bytes = int64_t(1) << below(random, 5);
    Layout from = randomDistribution(random, bits, laneBits, 0, tileOf(bits), repeats, dense);
    Layout to = randomDistribution(random, bits, laneBits, 0, tileOf(bits), repeats, dense);
    llvm::Expected<ConversionPlan> plan = planConversion(from, to, bytes, ConvertPath::shuffle);
    if (!plan) {
      ASSERT_TRUE(repeats) << messageOf(plan.takeError());
      llvm::consumeError(plan.takeError());
      ++refused;
      continue;
    }
    ASSERT_EQ(simulate(*plan, from, to), "") << printLayout(from) << "\n" << printLayout(to);
    ++paths[plan->path];
    int64_t words = (bytes + 3) / 4;
    ASSERT_LE(plan->cost.shuffles, to.inSize("register") * words);
  }
  EXPECT_GT(paths[ConvertPath::shuffle], 1500);
  EXPECT_LT(refused, 200);
}

TEST(LayoutConvert, RegisterPermutations) {
  Random random(22);
  for (int round = 0; round < 500; ++round) {
    Layout from = randomDistribution(random, 9, 5, 1, tileOf(9), false, round % 2);
    llvm::SmallVector<InDim, 3> ins(from.ins().begin(), from.ins().end());
    std::shuffle(ins[0].modes.begin(), ins[0].modes.end(), random);
    Layout to = valueOf(Layout::get(ins, from.outs()));
    ConversionPlan plan = planned(from, to, 4);
    ASSERT_EQ(plan.path, ConvertPath::registers);
    ASSERT_EQ(plan.cost.quarterCycles(), 0);
    planned(from, to, 4, ConvertPath::registers);
  }
}

TEST(LayoutConvert, AccumulatorToOperandIsFree) {
  for (int64_t n : {16, 64}) {
    Layout d = valueOf(valueOf(wgmmaD(n)).withOutNames({"m", "k"}));
    Layout step = valueOf(
        Layout::get(InDim{"register", {Mode{n / 16, {{0}, {1}}}}}, {{"m", 1}, {"k", n / 16}}));
    Layout a = valueOf(tensorProduct(wgmmaA(), step));
    ConversionPlan plan = planned(d, a, 2);
    EXPECT_EQ(plan.path, ConvertPath::registers);
    EXPECT_EQ(plan.cost.quarterCycles(), 0) << "the accumulator is the operand";
  }
}

TEST(LayoutConvert, TransposeOfARegisterBitAndALaneBitIsOneShuffle) {
  Layout from = valueOf(
      Layout::get({{"register", {Mode{2, {{1}}}}}, {"lane", {Mode{2, {{2}}}, Mode{16, {{4}}}}}},
                  OutDim{"x", 64}));
  Layout to = valueOf(
      Layout::get({{"register", {Mode{2, {{2}}}}}, {"lane", {Mode{2, {{1}}}, Mode{16, {{4}}}}}},
                  OutDim{"x", 64}));
  ConversionPlan plan = planned(from, to, 4);
  EXPECT_EQ(plan.path, ConvertPath::shuffle);
  EXPECT_EQ(plan.cost.shuffles, 1);
  ASSERT_EQ(plan.shuffle->rounds.size(), 2u);
  EXPECT_TRUE(plan.shuffle->rounds[0].local);
  EXPECT_EQ(plan.shuffle->rounds[1].laneXor, 1);
}

TEST(LayoutConvert, NarrowElementsTravelPacked) {
  // Registers 0 and 1 stay neighbours while lanes change: two halves in one shuffle.
  Layout from = valueOf(
      Layout::get({{"register", {Mode{4, {{1}}}}}, {"lane", {Mode{32, {{4}}}}}}, OutDim{"x", 128}));
  Layout to = valueOf(
      Layout::get({{"register", {Mode{2, {{1}}}, Mode{2, {{64}}}}}, {"lane", {Mode{32, {{2}}}}}},
                  OutDim{"x", 128}));
  int64_t wide = planned(from, to, 4, ConvertPath::shuffle).cost.shuffles;
  ConversionPlan narrow = planned(from, to, 2, ConvertPath::shuffle);
  EXPECT_EQ(narrow.shuffle->packGiven.size(), 2u);
  EXPECT_EQ(narrow.cost.shuffles * 2, wide);
  EXPECT_EQ(narrow.cost.permutes, 0);
  EXPECT_EQ(planned(from, to, 8, ConvertPath::shuffle).cost.shuffles, 2 * wide);
}

TEST(LayoutConvert, WidthsThatAreNoPowerOfTwo) {
  for (int64_t n : {80, 96, 176}) {
    Layout d = valueOf(wgmmaD(n));
    // Rows over lanes for a wide store: 8 columns a thread.
    Layout store =
        valueOf(Layout::get({{"register", {Mode{8, {{0}, {1}}}, Mode{n / 16, {{0}, {16}}}}},
                             {"lane", {Mode{2, {{0}, {8}}}, Mode{16, {{1}, {0}}}}},
                             {"warp", {Mode{4, {{16}, {0}}}}}},
                            {{"m", 64}, {"n", n}}));
    for (int64_t bytes : {2, 4}) {
      planned(d, store, bytes);
      planned(d, store, bytes, ConvertPath::shuffle);
      ConversionPlan shared = planned(d, store, bytes, ConvertPath::shared);
      EXPECT_EQ(shared.shared->write.degree, 1);
      EXPECT_EQ(shared.shared->read.degree, 1);
      EXPECT_TRUE(shared.shared->withinWarps);
      EXPECT_EQ(shared.cost.blockBarriers, 0);
    }
  }
}

TEST(LayoutConvert, LayoutsThatAreNotLinearGoThroughPaddedMemory) {
  // 12 columns over 3 registers of 4, then over 4 lanes of 3.
  Layout from = valueOf(Layout::get(
      {{"register", {Mode{3, {{0}, {4}}}}}, {"lane", {Mode{4, {{0}, {1}}}, Mode{8, {{1}, {0}}}}}},
      {{"m", 8}, {"n", 12}}));
  Layout to = valueOf(Layout::get(
      {{"register", {Mode{3, {{0}, {1}}}}}, {"lane", {Mode{4, {{0}, {3}}}, Mode{8, {{1}, {0}}}}}},
      {{"m", 8}, {"n", 12}}));
  ConversionPlan plan = planned(from, to, 4);
  EXPECT_EQ(plan.path, ConvertPath::shared);
  EXPECT_LE(plan.shared->write.degree * plan.shared->read.degree, 2);
}
