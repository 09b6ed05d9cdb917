// Bank conflicts and sectors of random layouts: what the layout library predicts against what the simulator counts from the
// addresses of a run. The two have no code in common.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SimTesting.h"
#include "gtest/gtest.h"

#include "tessera/Layout/Access.h"
#include "tessera/Layout/Algebra.h"
#include "tessera/Layout/Notation.h"

#include <map>
#include <random>

using namespace tessera;
using namespace tessera::sim;
using namespace tessera::simtest;

namespace {
using Random = std::mt19937;

int64_t below(Random &random, int64_t bound) { return int64_t(random() % uint64_t(bound)); }
template <typename T> T oneOf(Random &random, std::initializer_list<T> list) {
  return list.begin()[below(random, int64_t(list.size()))];
}
Mode mode(int64_t extent, int64_t row, int64_t column) {
  return Mode{extent, {Stride{row, false}, Stride{column, false}}};
}

/// Elements of a tile in memory: rows or columns one after the other, with gaps, swizzled, or bits moved anywhere.
llvm::Expected<Layout> randomMemory(Random &random, int64_t rows, int64_t columns) {
  auto plain = [&](int64_t row, int64_t column) {
    return Layout::get({InDim{"row", {Mode{rows, {Stride{row, false}}}}},
                        InDim{"col", {Mode{columns, {Stride{column, false}}}}}},
                       OutDim{dims::offset.str(), 0});
  };
  int64_t gap = oneOf<int64_t>(random, {0, 0, 1, 2, 4, 8});
  switch (below(random, 5)) {
  case 0:
    return plain(columns + gap, 1);
  case 1:
    return plain(1, rows + gap);
  case 2:
  case 3: {
    llvm::Expected<Layout> rowsFirst = plain(columns, 1);
    return rowsFirst
               ? swizzled(*rowsFirst, 1 + below(random, 3), below(random, 4), 3 + below(random, 3))
               : std::move(rowsFirst);
  }
  default:
    break;
  }
  // Every bit of a coordinate has an image of its own; some have a second bit that another has, too.
  llvm::SmallVector<int64_t> places;
  for (int64_t bit = 1; bit < rows * columns; bit *= 2) {
    places.push_back(bit);
  }
  int64_t kept = below(random, 4); // low bits of the columns stay where they are
  std::shuffle(places.begin() + std::min<int64_t>(kept, int64_t(places.size())), places.end(),
               random);
  InDim row{"row", {}}, column{"col", {}};
  int64_t next = 0;
  for (auto [in, extent] : {std::make_pair(&column, columns), std::make_pair(&row, rows)}) {
    for (int64_t bit = 1; bit < extent; bit *= 2) {
      int64_t image = places[next++];
      if (below(random, 3) == 0 && next + 1 < int64_t(places.size())) {
        image |= places[next + below(random, int64_t(places.size()) - next)];
      }
      in->modes.push_back(Mode{2, {Stride{image, true}}});
    }
  }
  return Layout::get({row, column}, OutDim{dims::offset.str(), 0});
}

/// (register, lane) -> (row, col): along rows in vectors, down columns, fragments of matrix instructions, copies.
llvm::Expected<Layout> randomThreads(Random &random, int64_t &rows, int64_t &columns) {
  InDim regs{dims::reg.str(), {}}, lane{dims::lane.str(), {}};
  int64_t vector = int64_t(1) << below(random, 5);
  switch (below(random, 5)) {
  case 0: { // some lanes along a row, the others on the next rows
    int64_t along = int64_t(1) << below(random, 6);
    regs.modes = {mode(vector, 0, 1), mode(2, 32 / along, 0)};
    lane.modes = {mode(along, 0, vector), mode(32 / along, 1, 0)};
    rows = 64 / along;
    columns = vector * along;
    break;
  }
  case 1: // a row for each lane
    regs.modes = {mode(vector, 0, 1), mode(2, 0, vector)};
    lane.modes = {mode(32, 1, 0)};
    rows = 32;
    columns = 2 * vector;
    break;
  case 2: // four lanes along a row, two elements each
    regs.modes = {mode(2, 0, 1), mode(2, 8, 0), mode(vector, 0, 8)};
    lane.modes = {mode(4, 0, 2), mode(8, 1, 0)};
    rows = 16;
    columns = 8 * vector;
    break;
  case 3: // copies in some bits of the lane
    regs.modes = {mode(vector, 0, 1)};
    lane.modes = {mode(4, 0, 0), mode(4, 0, vector), mode(2, 1, 0)};
    rows = 2;
    columns = 4 * vector;
    break;
  default: // extents that are no powers of two
    regs.modes = {mode(vector, 0, 1), mode(3, 0, 8 * vector)};
    lane.modes = {mode(8, 0, vector), mode(3, 1, 0)};
    rows = 3;
    columns = 24 * vector;
  }
  return Layout::get({regs, lane}, {OutDim{"row", rows}, OutDim{"col", columns}});
}

struct Sample {
  Layout access;
  AccessWidth width;
};

Sample randomSample(Random &random) {
  while (true) {
    int64_t rows = 1, columns = 1;
    llvm::Expected<Layout> threads = randomThreads(random, rows, columns);
    llvm::Expected<Layout> memory = randomMemory(random, rows, columns);
    if (!threads || !memory) {
      llvm::consumeError(threads.takeError());
      llvm::consumeError(memory.takeError());
      continue;
    }
    llvm::Expected<Layout> access = compose(*memory, *threads);
    llvm::Expected<int64_t> run =
        access ? contiguousRun(*access, dims::reg) : llvm::Expected<int64_t>(access.takeError());
    if (!run) {
      llvm::consumeError(run.takeError());
      continue;
    }
    AccessWidth width{int64_t(1) << below(random, 5), 0};
    width.bytes = width.elementBytes << below(random, 5);
    if (width.bytes <= 16 && *run % width.elements() == 0 &&
        access->outs()[0].size * width.elementBytes <= 64 * 1024) {
      return {*access, width};
    }
  }
}

/// Loads at `table[32 * i + thread]` bytes behind a base, i up to `count`.
class Loads {
public:
  Loads(llvm::StringRef type, llvm::StringRef word, bool isShared)
      : kernel(kernelOf("ptr addrspace(1) %table, ptr addrspace(1) %a, i32 %count",
                        textOf(type, word, isShared))),
        isShared(isShared) {}

  SiteCounters count(std::vector<uint32_t> &table, unsigned lanes) {
    alignas(128) static char memory[64 * 1024];
    SimLaunch launch;
    launch.threads = lanes;
    launch.sharedBytes = sizeof(memory);
    launch.arguments = {word(table.data()), word(&memory[0]), table.size() / 32};
    launch.regions = {region("table", table, RegionMode::in),
                      {"a", memory, 1, {sizeof(memory)}, {1}, RegionMode::in}};
    SimReport report = kernel.run(launch);
    // Nobody wrote what is read of shared memory.
    EXPECT_TRUE(report.complete && report.errors.size() == size_t(isShared)) << text(report);
    return report.sites.back();
  }

private:
  static std::string textOf(llvm::StringRef type, llvm::StringRef word, bool isShared) {
    std::string load = ("call " + type + " @tessera.ld." + (isShared ? "shared." : "global.") +
                        word + "(ptr addrspace(" + (isShared ? "3" : "1") +
                        ") %p, i64 0, i1 true, " + type + " zeroinitializer)")
                           .str();
    return std::string(R"(
    br label %loop
  loop:
    %i = phi i32 [0, %0], [%i1, %loop]
    %row = shl i32 %i, 5
    %n = add i32 %row, %tid
    %n64 = zext i32 %n to i64
    %at = getelementptr i32, ptr addrspace(1) %table, i64 %n64
    %o32 = call i32 @tessera.ld.global.i32(ptr addrspace(1) %at, i64 0, i1 true, i32 0)
    %o = zext i32 %o32 to i64
    %p = getelementptr i8, ptr addrspace()") +
           (isShared ? "3) @tessera.smem" : "1) %a") + ", i64 %o\n    %v = " + load + R"(
    %i1 = add i32 %i, 1
    %more = icmp ult i32 %i1, %count
    br i1 %more, label %loop, label %end
  end:)";
  }

  Kernel kernel;
  bool isShared;
};

/// First bytes of the lanes, for each instruction in turn.
std::vector<uint32_t> addressesOf(const Sample &sample, unsigned lanes) {
  std::vector<uint32_t> table;
  for (int64_t reg = 0; reg < sample.access.inSize(dims::reg); reg += sample.width.elements()) {
    for (unsigned lane = 0; lane < 32; ++lane) {
      int64_t offset = lane < lanes ? sample.access.evaluate({reg, lane}).front() : 0;
      table.push_back(uint32_t(offset * sample.width.elementBytes));
    }
  }
  return table;
}

struct Width {
  const char *type, *word;
};
const std::map<int64_t, Width> widths = {{1, {"i8", "i8"}},
                                         {2, {"i16", "i16"}},
                                         {4, {"i32", "i32"}},
                                         {8, {"<2 x i32>", "v2i32"}},
                                         {16, {"<4 x i32>", "v4i32"}}};

std::map<int64_t, std::unique_ptr<Loads>> allLoads(bool isShared) {
  std::map<int64_t, std::unique_ptr<Loads>> loads;
  for (const auto &[bytes, names] : widths) {
    loads[bytes] = std::make_unique<Loads>(names.type, names.word, isShared);
  }
  return loads;
}

std::string describe(const Sample &sample) {
  return printLayout(sample.access) + ", elements of " + std::to_string(sample.width.elementBytes) +
         ", " + std::to_string(sample.width.bytes) + " bytes a lane";
}
} // namespace

TEST(SimulatorPrediction, BanksOfRandomLayouts) {
  std::map<int64_t, std::unique_ptr<Loads>> loads = allLoads(/*isShared=*/true);
  Random random(2026);
  std::map<int64_t, int> byWidth, byDegree;
  for (int round = 0; round < 200; ++round) {
    Sample sample = randomSample(random);
    auto lanes = unsigned(sample.access.inSize(dims::lane));
    llvm::Expected<BankReport> predicted = bankConflicts(sample.access, sample.width);
    ASSERT_TRUE(bool(predicted)) << llvm::toString(predicted.takeError());
    std::vector<uint32_t> table = addressesOf(sample, lanes);
    SiteCounters counted = loads.at(sample.width.bytes)->count(table, lanes);
    ASSERT_EQ(int64_t(counted.degree), predicted->degree) << describe(sample);
    ASSERT_EQ(int64_t(counted.wavefronts), predicted->total) << describe(sample);
    ASSERT_EQ(int64_t(counted.warpExecutions), predicted->instructions) << describe(sample);
    ASSERT_EQ(int64_t(counted.idealWavefronts), predicted->instructions * predicted->phases)
        << describe(sample);
    ++byWidth[sample.width.bytes];
    ++byDegree[predicted->degree];
  }
  EXPECT_EQ(byWidth.size(), 5u);
  for (auto [bytes, times] : byWidth) {
    EXPECT_GE(times, 10) << bytes;
  }
  for (int64_t degree : {1, 2, 3, 4, 8}) {
    EXPECT_GE(byDegree[degree], 3) << degree;
  }
}

TEST(SimulatorPrediction, SectorsOfRandomLayouts) {
  std::map<int64_t, std::unique_ptr<Loads>> loads = allLoads(/*isShared=*/false);
  Random random(2027);
  std::map<int64_t, int> bySectors;
  for (int round = 0; round < 200; ++round) {
    Sample sample = randomSample(random);
    auto lanes = unsigned(sample.access.inSize(dims::lane));
    llvm::Expected<SectorReport> predicted = globalSectors(sample.access, sample.width);
    ASSERT_TRUE(bool(predicted)) << llvm::toString(predicted.takeError());
    std::vector<uint32_t> table = addressesOf(sample, lanes);
    SiteCounters counted = loads.at(sample.width.bytes)->count(table, lanes);
    ASSERT_EQ(int64_t(counted.sectors), predicted->total) << describe(sample);
    ++bySectors[predicted->sectors];
  }
  EXPECT_GE(bySectors.size(), 6u);
}

TEST(SimulatorPrediction, SomeLanesAct) {
  // Vectors of 16 bytes by lanes 0, 8, 9 and 31: three quarters of the warp, two lanes of one meet in a bank.
  std::vector<std::optional<int64_t>> lanes(32);
  lanes[0] = 0, lanes[8] = 16, lanes[9] = 16 + 128, lanes[31] = 48;
  BankReport banks = bankConflicts(LaneBytes(lanes), 16);
  EXPECT_EQ(banks.phases, 3);
  EXPECT_EQ(banks.degree, 2);
  EXPECT_EQ(banks.wavefronts, 4);
  SectorReport sectors = globalSectors(LaneBytes(lanes), 16);
  EXPECT_EQ(sectors.sectors, 3);
  EXPECT_EQ(sectors.ideal, 2);
  std::vector<std::optional<int64_t>> nobody(32);
  EXPECT_EQ(bankConflicts(LaneBytes(nobody), 4).instructions, 0);
  EXPECT_EQ(bankConflicts(LaneBytes(nobody), 4).wavefronts, 0);
  EXPECT_EQ(globalSectors(LaneBytes(nobody), 4).sectors, 0);
}
