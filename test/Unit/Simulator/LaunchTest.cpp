// Modules that are refused, launches that are refused, seeds, order of CTAs, large CTAs.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SimTesting.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <set>

using namespace tessera::sim;
using namespace tessera::simtest;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {
std::string refusal(llvm::StringRef functions) {
  auto made = compile(functions);
  return made ? "" : llvm::toString(made.takeError());
}

/// Each thread takes a ticket and notes it.
const char *tickets = R"(
  %cta = call i32 @tessera.ctaid()
  %threads = mul i32 %cta, 64
  %i = add i32 %threads, %tid
  %i64 = zext i32 %i to i64
  %o = shl i64 %i64, 2
  %p = getelementptr i8, ptr addrspace(1) %out, i64 %o
  %ticket = call i32 @tessera.atom.add.u32.relaxed.gpu(ptr addrspace(1) %counter, i32 1, i1 true)
  call void @tessera.st.global.i32(ptr addrspace(1) %p, i64 0, i32 %ticket, i1 true)
)";

std::vector<uint32_t> order(Kernel &kernel, uint64_t seed, bool shuffle) {
  std::vector<uint32_t> counter(1), out(64 * 4);
  SimLaunch launch;
  launch.grid = 4;
  launch.seed = seed;
  launch.shuffle = shuffle;
  launch.yieldEvery = 0;
  launch.arguments = {word(counter.data()), word(out.data())};
  launch.regions = {region("counter", counter), region("out", out, RegionMode::out)};
  SimReport report = kernel.run(launch);
  EXPECT_TRUE(report.clean()) << text(report);
  EXPECT_EQ(counter[0], 256u);
  return out;
}
} // namespace

TEST(SimulatorLaunch, RefusedModules) {
  EXPECT_THAT(refusal("define void @k() { ret void }"), HasSubstr("no entry"));
  EXPECT_THAT(refusal(R"(declare void @tessera.fly()
    define void @k() #0 { call void @tessera.fly()
    ret void })"),
              HasSubstr("k.tile:1:1: the simulator does not know the marker `tessera.fly`"));
  EXPECT_THAT(refusal(R"(define void @k(ptr addrspace(1) %a) #0 { store i32 1, ptr addrspace(1) %a
    ret void })"),
              HasSubstr("touched without a marker"));
  EXPECT_THAT(refusal(R"(define void @k(ptr %a) #0 { store ptr @tessera.tid, ptr %a
    ret void })"),
              HasSubstr("otherwise than by a call"));
  EXPECT_THAT(refusal(R"(declare i32 @tessera.ld.shared.i32x(ptr addrspace(3), i1, i32)
    define void @k() #0 {
    %v = call i32 @tessera.ld.shared.i32x(ptr addrspace(3) null, i1 true, i32 0)
    ret void })"),
              HasSubstr("operands"));
  EXPECT_THAT(refusal("define void @k(i128 %a) #0 { ret void }"), HasSubstr("8 bytes"));
}

TEST(SimulatorLaunch, RefusedLaunches) {
  auto simulator = compile("define void @k(i64 %n) #0 { ret void }");
  ASSERT_TRUE(bool(simulator)) << llvm::toString(simulator.takeError());
  auto refused = [&](llvm::StringRef entry, const SimLaunch &launch) {
    auto report = (*simulator)->run(entry, launch);
    return report ? "" : llvm::toString(report.takeError());
  };
  SimLaunch launch;
  EXPECT_THAT(refused("k", launch), HasSubstr("has 1 parameters, the launch gives 0"));
  launch.arguments = {0};
  EXPECT_EQ(refused("k", launch), "");
  EXPECT_THAT(refused("other", launch), HasSubstr("it has k"));
  launch.threads = 1025;
  EXPECT_THAT(refused("k", launch), HasSubstr("1 to 1024"));
  launch.threads = 0;
  launch.sharedBytes = 1 << 20;
  EXPECT_THAT(refused("k", launch), HasSubstr("bytes of shared memory"));
  launch.sharedBytes.reset();
  launch.regions = {{"a", nullptr, 4, {4}, {}, RegionMode::in}};
  EXPECT_THAT(refused("k", launch), HasSubstr("one stride for each axis"));
}

TEST(SimulatorLaunch, SeedsChooseTheOrder) {
  Kernel kernel = kernelOf("ptr addrspace(1) %counter, ptr addrspace(1) %out", tickets);
  std::set<std::vector<uint32_t>> orders;
  for (uint64_t seed = 0; seed < 8; ++seed) {
    std::vector<uint32_t> first = order(kernel, seed, false);
    EXPECT_EQ(first, order(kernel, seed, false));
    orders.insert(first);
    // CTA 0 comes first without a shuffle.
    EXPECT_LT(first[0], 64u);
    EXPECT_GE(first[255], 192u);
  }
  EXPECT_EQ(orders.size(), 8u);
}

TEST(SimulatorLaunch, ShuffledCtas) {
  Kernel kernel = kernelOf("ptr addrspace(1) %counter, ptr addrspace(1) %out", tickets);
  std::set<uint32_t> places;
  for (uint64_t seed = 0; seed < 32; ++seed) {
    places.insert(order(kernel, seed, true)[0] / 64);
  }
  EXPECT_THAT(places, ElementsAre(0, 1, 2, 3));
}

TEST(SimulatorLaunch, EmptyGrid) {
  Kernel kernel = kernelOf("", "");
  SimLaunch launch;
  launch.grid = 0;
  EXPECT_TRUE(kernel.run(launch).clean());
}

TEST(SimulatorLaunch, Registers) {
  Kernel kernel = kernelOf("ptr addrspace(1) %out, i8 %byte, float %f, double %d", R"(
    %ctas = call i32 @tessera.nctaid()
    %cta = call i32 @tessera.ctaid()
    %t = zext i32 %tid to i64
    %c = zext i32 %cta to i64
    %row = mul i64 %c, 64
    %i = add i64 %row, %t
    %o = shl i64 %i, 2
    %p = getelementptr i8, ptr addrspace(1) %out, i64 %o
    %b = zext i8 %byte to i32
    %fi = fptoui float %f to i32
    %di = fptoui double %d to i32
    %s1 = add i32 %ctas, %b
    %s2 = add i32 %s1, %fi
    %s3 = add i32 %s2, %di
    call void @tessera.bar.cta()
    %mine = add i32 %s3, %tid
    call void @tessera.st.global.i32(ptr addrspace(1) %p, i64 0, i32 %mine, i1 true))");
  std::vector<uint32_t> out(128);
  SimLaunch launch;
  launch.grid = 2;
  launch.arguments = {word(out.data()), word(uint8_t(200)), word(3000.0f), word(40000.0)};
  launch.regions = {region("out", out, RegionMode::out)};
  SimReport report = kernel.run(launch);
  EXPECT_TRUE(report.clean()) << text(report);
  EXPECT_EQ(out[0], 43202u);
  EXPECT_EQ(out[127], 43265u);
}

TEST(SimulatorLaunch, LargestCta) {
  // Each thread gives its number to the next one, by shared memory, a hundred times.
  Kernel kernel = kernelOf("ptr addrspace(1) %out", R"(
    %t = zext i32 %tid to i64
    %o = shl i64 %t, 2
    %next = add i32 %tid, 1
    %wrapped = and i32 %next, 1023
    %n = zext i32 %wrapped to i64
    %no = shl i64 %n, 2
    %mine = getelementptr i8, ptr addrspace(3) @tessera.smem, i64 %o
    %other = getelementptr i8, ptr addrspace(3) @tessera.smem, i64 %no
    br label %loop
  loop:
    %i = phi i32 [0, %0], [%i1, %loop]
    %v = phi i32 [%tid, %0], [%got, %loop]
    call void @tessera.st.shared.i32(ptr addrspace(3) %mine, i64 0, i32 %v, i1 true)
    call void @tessera.bar.cta()
    %got = call i32 @tessera.ld.shared.i32(ptr addrspace(3) %other, i64 0, i1 true, i32 0)
    call void @tessera.bar.cta()
    %i1 = add i32 %i, 1
    %done = icmp eq i32 %i1, 100
    br i1 %done, label %end, label %loop
  end:
    %p = getelementptr i8, ptr addrspace(1) %out, i64 %o
    call void @tessera.st.global.i32(ptr addrspace(1) %p, i64 0, i32 %got, i1 true))");
  std::vector<uint32_t> out(1024);
  SimLaunch launch;
  launch.threads = 1024;
  launch.sharedBytes = 4096;
  launch.arguments = {word(out.data())};
  launch.regions = {region("out", out, RegionMode::out)};
  for (uint64_t seed : {1, 2}) {
    launch.seed = seed;
    SimReport report = kernel.run(launch);
    EXPECT_TRUE(report.clean()) << text(report);
    for (uint32_t i = 0; i < 1024; ++i) {
      ASSERT_EQ(out[i], (i + 100) % 1024);
    }
  }
}
