// Races, each with a near miss that is none.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SimTesting.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace tessera::sim;
using namespace tessera::simtest;
using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {
/// Shared memory at %mine (own word) and %first (the word of thread 0 of a group of 1 << %log).
SimReport runShared(llvm::StringRef body, uint64_t seed = 0, unsigned threads = 64) {
  Kernel kernel = kernelOf("", (R"(
    %t = zext i32 %tid to i64
    %o = shl i64 %t, 2
    %mine = getelementptr i8, ptr addrspace(3) @tessera.smem, i64 %o
    %is0 = icmp eq i32 %tid, 0
    %is40 = icmp eq i32 %tid, 40
    )" + body)
                                   .str());
  SimLaunch launch;
  launch.threads = threads;
  launch.seed = seed;
  return kernel.run(launch);
}
std::string store(llvm::StringRef p, llvm::StringRef where = "@tessera.smem") {
  return ("call void @tessera.st.shared.i32(ptr addrspace(3) " + where + ", i64 0, i32 1, i1 " + p +
          ")\n")
      .str();
}
std::string load(llvm::StringRef name, llvm::StringRef p, llvm::StringRef where = "@tessera.smem") {
  return ("%" + name + " = call i32 @tessera.ld.shared.i32(ptr addrspace(3) " + where +
          ", i64 0, i1 " + p + ", i32 0)\n")
      .str();
}
const std::string barrier = "call void @tessera.bar.cta()\n",
                  warp = "call void @tessera.bar.warp()\n";

/// All seeds find it: clocks do not depend on luck.
void expectRace(llvm::StringRef body, llvm::StringRef site, llvm::StringRef other) {
  for (uint64_t seed = 0; seed < 10; ++seed) {
    SimReport report = runShared(body, seed);
    ASSERT_THAT(kinds(report), Contains(ErrorKind::race)) << text(report);
    EXPECT_TRUE(report.complete);
    auto race =
        llvm::find_if(report.errors, [](const SimError &e) { return e.kind == ErrorKind::race; });
    // Whichever comes second is where it is found.
    bool straight = race->site == site && race->otherSite == other;
    bool turned = race->site == other && race->otherSite == site;
    EXPECT_TRUE(straight || turned) << text(report);
  }
}
void expectClean(llvm::StringRef body) {
  for (uint64_t seed = 0; seed < 10; ++seed) {
    SimReport report = runShared(body, seed);
    EXPECT_TRUE(report.clean()) << text(report);
  }
}
} // namespace

TEST(SimulatorRace, WriteAndWrite) {
  expectRace(store("true"), "k.tile:2:1", "k.tile:2:1");
  expectClean(store("%is0"));
  expectClean(store("true", "%mine"));
  expectClean(store("%is0") + barrier + store("%is40"));
}

TEST(SimulatorRace, WriteAndRead) {
  expectClean(store("%is0") + barrier + load("v", "true"));
  expectRace(store("%is0") + barrier + load("v", "true") + store("%is40"), "k.tile:4:1",
             "k.tile:5:1");
  expectClean(store("%is0") + barrier + load("v", "true") + barrier + store("%is40"));
  // One reader, who writes itself.
  expectClean(store("%is0") + barrier + load("v", "%is40") + store("%is40"));
}

TEST(SimulatorRace, WarpBarriersOrderTheirWarpOnly) {
  // Thread 0 is of the first warp, thread 40 of the second.
  expectRace(store("%is0") + barrier + load("v", "%is0") + warp + store("%is40"), "k.tile:4:1",
             "k.tile:6:1");
  expectClean("%is1 = icmp eq i32 %tid, 1\n" + store("%is0") + warp + load("v", "%is1") + warp +
              store("%is0"));
  // All lanes of both warps read; the barrier of the writer's warp does not hide the readers of the other.
  expectRace(store("%is0") + barrier + load("v", "true") + warp + store("%is0"), "k.tile:4:1",
             "k.tile:6:1");
}

TEST(SimulatorRace, SmallerThanAWord) {
  // Neighbours that write halves of one word.
  const char *halves = R"(
    %h = shl i64 %t, 1
    %p = getelementptr i8, ptr addrspace(3) @tessera.smem, i64 %h
    call void @tessera.st.shared.i16(ptr addrspace(3) %p, i64 0, i16 1, i1 true)
  )";
  expectClean(halves);
  // A word that lies over two of them.
  expectRace(std::string(halves) + load("v", "%is0", "%mine"), "k.tile:2:1", "k.tile:3:1");
  expectClean(std::string(halves) + barrier + load("v", "true"));
}

TEST(SimulatorRace, MessagesNameBoth) {
  SimReport report = runShared(store("%is0") + store("%is40"));
  ASSERT_THAT(kinds(report), ElementsAre(ErrorKind::race));
  EXPECT_THAT(report.errors[0].message, HasSubstr("shared memory at byte 0"));
  EXPECT_THAT(report.errors[0].message, HasSubstr("thread 0"));
  EXPECT_THAT(report.errors[0].message, HasSubstr("thread 40"));
}

namespace {
/// Global memory: `first` and `second` are calls on %p, an element of the array.
SimReport runGlobal(llvm::StringRef body, uint32_t grid, bool shuffle = false) {
  Kernel kernel = kernelOf("ptr addrspace(1) %p", body);
  std::vector<uint32_t> data(2);
  SimLaunch launch;
  launch.grid = grid;
  launch.threads = 1;
  launch.shuffle = shuffle;
  launch.arguments = {word(data.data())};
  launch.regions = {region("x", data)};
  return kernel.run(launch);
}
const std::string globalStore =
    "call void @tessera.st.global.i32(ptr addrspace(1) %p, i64 0, i32 1, i1 true)\n";
const std::string globalLoad =
    "%v = call i32 @tessera.ld.global.i32(ptr addrspace(1) %p, i64 0, i1 true, i32 0)\n";
const std::string globalAtomic = "%w = call i32 @tessera.atom.add.u32.relaxed.gpu(ptr addrspace(1) "
                                 "%p, i32 1, i1 true)\n";
} // namespace

TEST(SimulatorRace, BetweenCtas) {
  EXPECT_TRUE(runGlobal(globalLoad + globalStore, 1).clean());
  SimReport report = runGlobal(globalStore, 2, true);
  ASSERT_THAT(kinds(report), ElementsAre(ErrorKind::race));
  EXPECT_THAT(report.errors[0].message, HasSubstr("of CTA 0"));
  EXPECT_THAT(report.errors[0].message, HasSubstr("of CTA 1"));
  EXPECT_THAT(report.errors[0].message, HasSubstr("`x[0]`"));
  EXPECT_TRUE(runGlobal(globalLoad, 3).clean());
  EXPECT_TRUE(runGlobal(globalAtomic, 3).clean());
  EXPECT_THAT(kinds(runGlobal(globalAtomic + globalLoad, 3)), Each(ErrorKind::race));
  EXPECT_FALSE(runGlobal(globalAtomic + globalLoad, 3).clean());
  // A CTA that reads what the one before only read, and then writes.
  const char *readThenWrite = R"(
    %cta = call i32 @tessera.ctaid()
    %second = icmp eq i32 %cta, 1
    %v = call i32 @tessera.ld.global.i32(ptr addrspace(1) %p, i64 0, i1 true, i32 0)
    call void @tessera.st.global.i32(ptr addrspace(1) %p, i64 0, i32 1, i1 %second)
  )";
  EXPECT_THAT(kinds(runGlobal(readThenWrite, 2)), ElementsAre(ErrorKind::race));
}

TEST(SimulatorRace, LaunchesAreOrdered) {
  Kernel kernel = kernelOf("ptr addrspace(1) %p", globalStore);
  std::vector<uint32_t> data(1);
  SimLaunch launch;
  launch.threads = 1;
  launch.arguments = {word(data.data())};
  launch.regions = {region("x", data)};
  EXPECT_TRUE(kernel.run(launch).clean());
  EXPECT_TRUE(kernel.run(launch).clean());
}
