// Threads that wait for each other: barriers, shuffles, and what goes wrong there.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SimTesting.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace tessera::sim;
using namespace tessera::simtest;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {
/// Each thread stores its number to shared memory, waits, and reads that of thread XOR mask.
std::string exchange(llvm::StringRef wait) {
  return (R"(
    %t = zext i32 %tid to i64
    %o = shl i64 %t, 2
    %other = xor i64 %t, %mask
    %oo = shl i64 %other, 2
    %mine = getelementptr i8, ptr addrspace(3) @tessera.smem, i64 %o
    %theirs = getelementptr i8, ptr addrspace(3) @tessera.smem, i64 %oo
    call void @tessera.st.shared.i32(ptr addrspace(3) %mine, i64 0, i32 %tid, i1 true)
    )" + wait +
          R"(
    %v = call i32 @tessera.ld.shared.i32(ptr addrspace(3) %theirs, i64 0, i1 true, i32 0)
    %p = getelementptr i8, ptr addrspace(1) %out, i64 %o
    call void @tessera.st.global.i32(ptr addrspace(1) %p, i64 0, i32 %v, i1 true))")
      .str();
}

SimReport runExchange(llvm::StringRef wait, uint64_t mask, unsigned threads = 64) {
  Kernel kernel = kernelOf("ptr addrspace(1) %out, i64 %mask", exchange(wait));
  std::vector<uint32_t> out(threads, 999);
  SimLaunch launch;
  launch.threads = threads;
  launch.arguments = {word(out.data()), mask};
  launch.regions = {region("out", out, RegionMode::out)};
  SimReport report = kernel.run(launch);
  for (uint32_t i = 0; report.clean() && i < threads; ++i) {
    EXPECT_EQ(out[i], i ^ mask);
  }
  return report;
}
} // namespace

TEST(SimulatorBarrier, OrderWhatTheyCover) {
  const char *cta = "call void @tessera.bar.cta()", *warp = "call void @tessera.bar.warp()";
  const char *named = "call void @tessera.bar.named(i32 1, i32 64)";
  const char *halves = R"(%w = lshr i32 %tid, 6
    %id = add i32 %w, 1
    call void @tessera.bar.named(i32 %id, i32 64))";
  for (uint64_t mask : {0, 1, 31, 32, 63}) {
    EXPECT_TRUE(runExchange(cta, mask).clean());
    EXPECT_TRUE(runExchange(named, mask).clean());
    SimReport report = runExchange(warp, mask);
    EXPECT_EQ(report.clean(), mask < 32) << text(report);
    report = runExchange("", mask);
    EXPECT_EQ(report.clean(), mask == 0) << text(report);
  }
  EXPECT_TRUE(runExchange(halves, 63, 128).clean());
  EXPECT_FALSE(runExchange(halves, 64, 128).clean());
}

TEST(SimulatorBarrier, ShufflesDoNotOrderMemory) {
  SimReport report = runExchange("%s = call i32 @tessera.shfl.bfly(i32 %tid, i32 1)", 1);
  // A read that comes first finds nothing; one that comes last finds a write that it is not ordered with.
  ASSERT_FALSE(report.errors.empty());
  for (const SimError &error : report.errors) {
    EXPECT_TRUE(error.kind == ErrorKind::race || error.kind == ErrorKind::uninitialised);
  }
}

TEST(SimulatorBarrier, Shuffles) {
  Kernel kernel = kernelOf("ptr addrspace(1) %out", R"(
    %x = mul i32 %tid, 10
    %a = call i32 @tessera.shfl.bfly(i32 %x, i32 5)
    %b = call i32 @tessera.shfl.idx(i32 %a, i32 3)
    %c = shl i32 %a, 16
    %d = or i32 %c, %b
    %t = zext i32 %tid to i64
    %o = shl i64 %t, 2
    %p = getelementptr i8, ptr addrspace(1) %out, i64 %o
    call void @tessera.st.global.i32(ptr addrspace(1) %p, i64 0, i32 %d, i1 true))");
  std::vector<uint32_t> out(40);
  SimLaunch launch;
  launch.threads = 40;
  launch.arguments = {word(out.data())};
  launch.regions = {region("out", out, RegionMode::out)};
  SimReport report = kernel.run(launch);
  EXPECT_TRUE(report.clean()) << text(report);
  for (uint32_t i = 0; i < 40; ++i) {
    uint32_t first = i / 32 * 32;
    // The second warp has 8 lanes.
    auto swapped = [&](uint32_t lane) { return 10 * (first + (lane ^ 5)); };
    EXPECT_EQ(out[i], swapped(i % 32) << 16 | swapped(3)) << i;
  }
}

namespace {
SimReport diverge(llvm::StringRef then, llvm::StringRef otherwise, llvm::StringRef condition,
                  uint64_t seed = 0, unsigned threads = 64) {
  Kernel kernel = kernelOf("", ("%c = " + condition + R"(
    br i1 %c, label %then, label %else
  then:
    )" + then + R"(
    br label %end
  else:
    )" + otherwise + R"(
    br label %end
  end:)")
                                   .str());
  SimLaunch launch;
  launch.seed = seed;
  launch.threads = threads;
  return kernel.run(launch);
}
const char *lowWarp = "icmp ult i32 %tid, 32", *even = "icmp ult i32 %tid, 5";
const char *cta = "call void @tessera.bar.cta()", *warp = "call void @tessera.bar.warp()";
} // namespace

TEST(SimulatorBarrier, SomeThreadsMissTheBarrier) {
  // Whoever comes first, those that wait or those that end.
  for (uint64_t seed = 0; seed < 10; ++seed) {
    SimReport report = diverge(cta, "", "icmp eq i32 %tid, 0", seed, 2);
    ASSERT_THAT(kinds(report), ElementsAre(ErrorKind::divergence)) << text(report);
    EXPECT_FALSE(report.complete);
    EXPECT_EQ(report.errors[0].site, "k.tile:2:1");
    EXPECT_THAT(report.errors[0].message, HasSubstr("ended"));
  }
  // A warp may miss a barrier of warps.
  EXPECT_TRUE(diverge(warp, "", lowWarp).clean());
  EXPECT_THAT(kinds(diverge(warp, "", even)), ElementsAre(ErrorKind::divergence));
}

TEST(SimulatorBarrier, TwoPlaces) {
  SimReport report = diverge(cta, cta, lowWarp);
  ASSERT_THAT(kinds(report), ElementsAre(ErrorKind::divergence)) << text(report);
  std::vector<std::string> sites = {report.errors[0].site, report.errors[0].otherSite};
  EXPECT_THAT(sites, testing::UnorderedElementsAre("k.tile:2:1", "k.tile:3:1"));
  EXPECT_TRUE(diverge(warp, warp, lowWarp).clean());
  EXPECT_THAT(kinds(diverge(warp, "%s = call i32 @tessera.shfl.idx(i32 1, i32 1)", even)),
              ElementsAre(ErrorKind::divergence));
}

TEST(SimulatorBarrier, Deadlock) {
  // The lower warp waits for the CTA, the upper one for a barrier that nobody else comes to.
  SimReport report = diverge(cta, "call void @tessera.bar.named(i32 2, i32 64)", lowWarp);
  ASSERT_THAT(kinds(report), ElementsAre(ErrorKind::deadlock)) << text(report);
  EXPECT_THAT(report.errors[0].message, HasSubstr("barrier 2 has 32 of its 64 threads"));
  EXPECT_FALSE(report.errors[0].otherSite.empty());
  EXPECT_FALSE(report.complete);
  // The two roles of a named barrier come from different places.
  const char *named = "call void @tessera.bar.named(i32 2, i32 64)";
  EXPECT_TRUE(diverge(named, named, lowWarp).clean());
  EXPECT_THAT(kinds(diverge(named, "", lowWarp)), ElementsAre(ErrorKind::deadlock));
}

TEST(SimulatorBarrier, NamedBarriersThatCannotBe) {
  auto kindOf = [](llvm::StringRef call) { return kinds(kernelOf("", call).run({})); };
  EXPECT_THAT(kindOf("call void @tessera.bar.named(i32 16, i32 64)"),
              ElementsAre(ErrorKind::divergence));
  EXPECT_THAT(kindOf("call void @tessera.bar.named(i32 1, i32 40)"),
              ElementsAre(ErrorKind::divergence));
  EXPECT_THAT(kindOf("call void @tessera.bar.named(i32 1, i32 96)"),
              ElementsAre(ErrorKind::divergence));
  SimReport report = diverge("call void @tessera.bar.named(i32 1, i32 64)",
                             "call void @tessera.bar.named(i32 1, i32 32)", even);
  ASSERT_THAT(kinds(report), ElementsAre(ErrorKind::divergence));
  EXPECT_THAT(report.errors[0].message, HasSubstr("the same barrier of"));
}

TEST(SimulatorBarrier, AnErrorLeavesTheSimulatorUsable) {
  Kernel kernel = kernelOf("i32 %count", R"(
    %c = icmp ult i32 %tid, %count
    br i1 %c, label %then, label %end
  then:
    call void @tessera.bar.cta()
    br label %end
  end:)");
  SimLaunch launch;
  for (uint64_t count : {5, 64, 63, 0, 64}) {
    launch.arguments = {count};
    EXPECT_EQ(kernel.run(launch).clean(), count == 64 || count == 0) << count;
  }
}
