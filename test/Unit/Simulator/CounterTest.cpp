// Banks and sectors on patterns whose cost is known, counted by hand.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SimTesting.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace tessera::sim;
using namespace tessera::simtest;

namespace {
/// 32 lanes load `type` from shared memory at stride * lane bytes (modulo what there is); the counters of the load.
SiteCounters sharedLoad(llvm::StringRef type, llvm::StringRef word, uint64_t stride,
                        unsigned threads = 32) {
  Kernel kernel = kernelOf("i32 %stride",
                           ("%o32 = mul i32 %tid, %stride\n%o = zext i32 %o32 to i64\n"
                            "%p = getelementptr i8, ptr addrspace(3) @tessera.smem, "
                            "i64 %o\n%v = call " +
                            type + " @tessera.ld.shared." + word +
                            "(ptr addrspace(3) %p, i64 0, i1 true, " + type + " zeroinitializer)")
                               .str());
  SimLaunch launch;
  launch.threads = threads;
  launch.sharedBytes = 64 * 1024;
  launch.arguments = {stride};
  SimReport report = kernel.run(launch);
  // Nobody wrote what is read.
  EXPECT_EQ(kinds(report), std::vector<ErrorKind>{ErrorKind::uninitialised});
  for (const SiteCounters &site : report.sites) {
    if (llvm::StringRef(site.marker).starts_with("ld.shared")) {
      EXPECT_EQ(site.executed, threads);
      return site;
    }
  }
  ADD_FAILURE() << "no such site";
  return {};
}
std::vector<uint64_t> banks(const SiteCounters &site) {
  return {site.warpExecutions, site.wavefronts, site.idealWavefronts, site.degree};
}
using V = std::vector<uint64_t>;
} // namespace

TEST(SimulatorCounters, BanksOfWords) {
  EXPECT_EQ(banks(sharedLoad("i32", "i32", 4)), (V{1, 1, 1, 1}));
  EXPECT_EQ(banks(sharedLoad("i32", "i32", 8)), (V{1, 2, 1, 2}));
  EXPECT_EQ(banks(sharedLoad("i32", "i32", 128)), (V{1, 32, 1, 32}));
  EXPECT_EQ(banks(sharedLoad("i32", "i32", 132)), (V{1, 1, 1, 1}));
  // All lanes read one word.
  EXPECT_EQ(banks(sharedLoad("i32", "i32", 0)), (V{1, 1, 1, 1}));
  // Two lanes share a word of 16-bit elements.
  EXPECT_EQ(banks(sharedLoad("i16", "i16", 2)), (V{1, 1, 1, 1}));
  EXPECT_EQ(banks(sharedLoad("i32", "i32", 4, 72)), (V{3, 3, 3, 1}));
}

TEST(SimulatorCounters, BanksOfVectors) {
  EXPECT_EQ(banks(sharedLoad("<2 x i32>", "v2i32", 8)), (V{1, 2, 2, 1}));
  EXPECT_EQ(banks(sharedLoad("<2 x i32>", "v2i32", 16)), (V{1, 4, 2, 2}));
  EXPECT_EQ(banks(sharedLoad("<4 x i32>", "v4i32", 16)), (V{1, 4, 4, 1}));
  // Rows of 128 bytes: eight lanes of a phase meet in four banks. With a row of 144 bytes they do not.
  EXPECT_EQ(banks(sharedLoad("<4 x i32>", "v4i32", 128)), (V{1, 32, 4, 8}));
  EXPECT_EQ(banks(sharedLoad("<4 x i32>", "v4i32", 144)), (V{1, 4, 4, 1}));
}

TEST(SimulatorCounters, Sectors) {
  Kernel kernel = kernelOf("ptr addrspace(1) %a, i32 %stride, i32 %limit", R"(
    %o32 = mul i32 %tid, %stride
    %o = zext i32 %o32 to i64
    %p = getelementptr i8, ptr addrspace(1) %a, i64 %o
    %c = icmp ult i32 %tid, %limit
    %v = call i32 @tessera.ld.global.i32(ptr addrspace(1) %p, i64 0, i1 %c, i32 0))");
  alignas(128) static uint32_t a[4096];
  auto sectors = [&](uint64_t stride, uint64_t limit, uint64_t first) {
    SimLaunch launch;
    launch.threads = 32;
    launch.arguments = {word(&a[first]), stride, limit};
    launch.regions = {{"a", a, 4, {4096}, {1}, RegionMode::in}};
    SimReport report = kernel.run(launch);
    EXPECT_TRUE(report.clean()) << text(report);
    const SiteCounters &site = report.sites.front();
    EXPECT_EQ(site.active, limit);
    EXPECT_EQ(site.bytes, 4 * limit);
    return V{site.warpExecutions, site.sectors, site.idealSectors};
  };
  EXPECT_EQ(sectors(4, 32, 0), (V{1, 4, 4}));
  EXPECT_EQ(sectors(4, 32, 1), (V{1, 5, 4}));
  EXPECT_EQ(sectors(8, 32, 0), (V{1, 8, 4}));
  EXPECT_EQ(sectors(128, 32, 0), (V{1, 32, 4}));
  EXPECT_EQ(sectors(0, 32, 0), (V{1, 1, 1}));
  EXPECT_EQ(sectors(4, 9, 0), (V{1, 2, 2}));
  EXPECT_EQ(sectors(4, 0, 0), (V{0, 0, 0}));
}

TEST(SimulatorCounters, LanesAreGroupedByExecution) {
  // Lane l makes l + 1 rounds; the n-th round of the lanes that make it is one access.
  Kernel kernel = kernelOf("", R"(
    br label %loop
  loop:
    %i = phi i32 [0, %0], [%i1, %loop]
    %row = shl i32 %i, 7
    %column = shl i32 %tid, 2
    %o32 = add i32 %row, %column
    %o = zext i32 %o32 to i64
    %p = getelementptr i8, ptr addrspace(3) @tessera.smem, i64 %o
    call void @tessera.st.shared.i32(ptr addrspace(3) %p, i64 0, i32 1, i1 true)
    %i1 = add i32 %i, 1
    %more = icmp ule i32 %i1, %tid
    br i1 %more, label %loop, label %end
  end:)");
  SimLaunch launch;
  launch.threads = 32;
  launch.sharedBytes = 4096;
  launch.grid = 3;
  launch.countedCtas = 2;
  for (uint64_t seed = 0; seed < 5; ++seed) {
    launch.seed = seed;
    SimReport report = kernel.run(launch);
    EXPECT_TRUE(report.clean()) << text(report);
    EXPECT_EQ(report.sites[0].executed, 3u * 528);
    EXPECT_EQ(banks(report.sites[0]), (V{64, 64, 64, 1}));
  }
}

TEST(SimulatorCounters, Totals) {
  Kernel kernel = kernelOf("", R"(
    %t = zext i32 %tid to i64
    %o = shl i64 %t, 2
    %p = getelementptr i8, ptr addrspace(3) @tessera.smem, i64 %o
    call void @tessera.st.shared.i32(ptr addrspace(3) %p, i64 0, i32 1, i1 true)
    call void @tessera.bar.cta()
    %v = call i32 @tessera.ld.shared.i32(ptr addrspace(3) %p, i64 0, i1 true, i32 0))");
  SimLaunch launch;
  launch.grid = 5;
  SimReport report = kernel.run(launch);
  EXPECT_TRUE(report.clean());
  EXPECT_EQ(report.ctasRun, 5u);
  EXPECT_EQ(report.markerCalls, 5u * 64 * 3);
  EXPECT_EQ(report.sharedRead, 5u * 64 * 4);
  EXPECT_EQ(report.sharedWritten, 5u * 64 * 4);
  EXPECT_EQ(report.globalRead + report.globalWritten, 0u);
}
