// Atomics: values, order, races.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SimTesting.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace tessera::sim;
using namespace tessera::simtest;
using testing::Each;

namespace {
template <typename T>
SimReport run(std::vector<T> &data, llvm::StringRef body, unsigned threads = 64,
              uint32_t grid = 1) {
  Kernel kernel = kernelOf("ptr addrspace(1) %x", body);
  SimLaunch launch;
  launch.grid = grid;
  launch.threads = threads;
  launch.arguments = {word(data.data())};
  launch.regions = {region("x", data)};
  return kernel.run(launch);
}
} // namespace

TEST(SimulatorAtomic, Values) {
  std::vector<uint32_t> data = {5, 100, 0, 7};
  SimReport report = run(data, R"(
    %odd = trunc i32 %tid to i1
    %a = call i32 @tessera.atom.add.u32.relaxed.gpu(ptr addrspace(1) %x, i32 2, i1 %odd)
    %y = getelementptr i8, ptr addrspace(1) %x, i64 4
    %m = call i32 @tessera.atom.max.s32.relaxed.gpu(ptr addrspace(1) %y, i32 -7, i1 true)
    %z = getelementptr i8, ptr addrspace(1) %x, i64 8
    %i = add i32 %tid, 1
    %b = call i32 @tessera.atom.cas.u32.relaxed.gpu(ptr addrspace(1) %z, i32 0, i32 %i, i1 true)
    %u = getelementptr i8, ptr addrspace(1) %x, i64 12
    %d = call i32 @tessera.atom.cas.u32.relaxed.gpu(ptr addrspace(1) %u, i32 8, i32 1, i1 true)
  )",
                         64, 3);
  EXPECT_TRUE(report.clean()) << text(report);
  EXPECT_EQ(data[0], 5u + 2 * 32 * 3);
  EXPECT_EQ(data[1], 100u);
  EXPECT_GE(data[2], 1u);
  EXPECT_LE(data[2], 64u);
  EXPECT_EQ(data[3], 7u);
}

TEST(SimulatorAtomic, Floats) {
  std::vector<float> data = {0.25f};
  EXPECT_TRUE(run(data, R"(
    %v = bitcast float 1.5 to i32
    %a = call i32 @tessera.atom.add.f32.relaxed.gpu(ptr addrspace(1) %x, i32 %v, i1 true))")
                  .clean());
  EXPECT_EQ(data[0], 96.25f);
  // bf16: 0x3f80 is 1, 0x4280 is 64; one rounding each, exact here.
  std::vector<uint16_t> half = {0};
  EXPECT_TRUE(run(half, R"(
    %a = call i16 @tessera.atom.add.bf16.relaxed.gpu(ptr addrspace(1) %x, i16 16256, i1 true))")
                  .clean());
  EXPECT_EQ(half[0], 0x4280);
}

TEST(SimulatorAtomic, PlainAccessesRace) {
  std::vector<uint32_t> data(2);
  SimReport report = run(data, R"(
    %is0 = icmp eq i32 %tid, 0
    %not0 = icmp ne i32 %tid, 0
    call void @tessera.st.global.i32(ptr addrspace(1) %x, i64 0, i32 1, i1 %is0)
    %a = call i32 @tessera.atom.add.u32.relaxed.gpu(ptr addrspace(1) %x, i32 1, i1 %not0))");
  EXPECT_FALSE(report.errors.empty());
  EXPECT_THAT(kinds(report), Each(ErrorKind::race));
  data.assign(2, 0);
  report = run(data, R"(
    %is0 = icmp eq i32 %tid, 0
    call void @tessera.st.global.i32(ptr addrspace(1) %x, i64 0, i32 1, i1 %is0)
    call void @tessera.bar.cta()
    %a = call i32 @tessera.atom.add.u32.relaxed.gpu(ptr addrspace(1) %x, i32 1, i1 true))");
  EXPECT_TRUE(report.clean()) << text(report);
  EXPECT_EQ(data[0], 65u);
}

namespace {
/// Thread 0 writes x[0] and raises the flag x[1]; thread 1 waits for the flag and reads x[0].
std::string handOver(llvm::StringRef release, llvm::StringRef acquire) {
  return (R"(
    %flag = getelementptr i8, ptr addrspace(1) %x, i64 4
    %is0 = icmp eq i32 %tid, 0
    br i1 %is0, label %give, label %wait
  give:
    call void @tessera.st.global.i32(ptr addrspace(1) %x, i64 0, i32 7, i1 true)
    %a = call i32 @tessera.atom.add.u32.)" +
          release + R"((ptr addrspace(1) %flag, i32 1, i1 true)
    br label %end
  wait:
    %seen = call i32 @tessera.atom.add.u32.)" +
          acquire + R"((ptr addrspace(1) %flag, i32 0, i1 true)
    %there = icmp eq i32 %seen, 1
    br i1 %there, label %take, label %wait
  take:
    %v = call i32 @tessera.ld.global.i32(ptr addrspace(1) %x, i64 0, i1 true, i32 0)
    br label %end
  end:)")
      .str();
}
} // namespace

TEST(SimulatorAtomic, ReleaseAndAcquireOrder) {
  std::vector<uint32_t> data(2);
  SimReport report = run(data, handOver("release.cta", "acquire.cta"), 2);
  EXPECT_TRUE(report.clean()) << text(report);
  data.assign(2, 0);
  EXPECT_THAT(kinds(run(data, handOver("relaxed.gpu", "acquire.cta"), 2)),
              testing::ElementsAre(ErrorKind::race));
  data.assign(2, 0);
  EXPECT_THAT(kinds(run(data, handOver("release.cta", "relaxed.gpu"), 2)),
              testing::ElementsAre(ErrorKind::race));
}

TEST(SimulatorAtomic, AFlagThatNobodyRaises) {
  Kernel kernel = kernelOf("ptr addrspace(1) %x", R"(
    br label %wait
  wait:
    %seen = call i32 @tessera.atom.add.u32.acquire.cta(ptr addrspace(1) %x, i32 0, i1 true)
    %there = icmp eq i32 %seen, 1
    br i1 %there, label %end, label %wait
  end:)");
  std::vector<uint32_t> data(1);
  SimLaunch launch;
  launch.patience = 100000;
  launch.arguments = {word(data.data())};
  launch.regions = {region("x", data)};
  for (unsigned every : {0, 64}) {
    launch.yieldEvery = every;
    SimReport report = kernel.run(launch);
    EXPECT_THAT(kinds(report), testing::ElementsAre(ErrorKind::deadlock)) << text(report);
    EXPECT_FALSE(report.complete);
  }
}
