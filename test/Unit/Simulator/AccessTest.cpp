// Bounds, alignment, modes of arrays, and what nobody wrote.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SimTesting.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace tessera::sim;
using namespace tessera::simtest;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {
/// out[i] = a[i] + b[i] for i < n; each thread one element.
const char *vectorAdd = R"(
define void @k(i64 %n, ptr addrspace(1) %a, ptr addrspace(1) %b, ptr addrspace(1) %out) #0 {
  %tid = call i32 @tessera.tid()
  %cta = call i32 @tessera.ctaid()
  %first = mul i32 %cta, 64
  %i32 = add i32 %first, %tid
  %i = zext i32 %i32 to i64
  %p = icmp slt i64 %i, %n
  %offset = shl i64 %i, 2
  %pa = getelementptr i8, ptr addrspace(1) %a, i64 %offset
  %pb = getelementptr i8, ptr addrspace(1) %b, i64 %offset
  %po = getelementptr i8, ptr addrspace(1) %out, i64 %offset
  %x = call i32 @tessera.ld.global.i32(ptr addrspace(1) %pa, i64 0, i1 %p, i32 7)
  %y = call i32 @tessera.ld.global.i32(ptr addrspace(1) %pb, i64 0, i1 %p, i32 7)
  %fx = bitcast i32 %x to float
  %fy = bitcast i32 %y to float
  %z = fadd float %fx, %fy
  %iz = bitcast float %z to i32
  call void @tessera.st.global.i32(ptr addrspace(1) %po, i64 0, i32 %iz, i1 %p)
  ret void
}
)";

struct VectorAdd {
  explicit VectorAdd(size_t n) : a(n), b(n), out(n, -1.0f) {
    for (size_t i = 0; i < n; ++i) {
      a[i] = float(i);
      b[i] = 0.5f;
    }
  }
  SimLaunch launch(int64_t n) {
    SimLaunch launch;
    launch.grid = uint32_t((a.size() + 63) / 64);
    launch.arguments = {word(n), word(a.data()), word(b.data()), word(out.data())};
    launch.regions = {region("a", a, RegionMode::in), region("b", b, RegionMode::in),
                      region("out", out, RegionMode::out)};
    return launch;
  }
  std::vector<float> a, b, out;
};
} // namespace

TEST(SimulatorAccess, VectorAddWithATail) {
  Kernel kernel(vectorAdd);
  for (size_t n : {1, 63, 64, 65, 130}) {
    VectorAdd data(n);
    SimReport report = kernel.run(data.launch(int64_t(n)));
    EXPECT_TRUE(report.clean()) << text(report);
    for (size_t i = 0; i < n; ++i) {
      ASSERT_EQ(data.out[i], float(i) + 0.5f) << i;
    }
    EXPECT_EQ(report.globalRead, 8 * n);
    EXPECT_EQ(report.globalWritten, 4 * n);
  }
}

TEST(SimulatorAccess, BeyondTheArray) {
  Kernel kernel(vectorAdd);
  VectorAdd data(65);
  SimReport report = kernel.run(data.launch(66));
  EXPECT_THAT(kinds(report),
              ElementsAre(ErrorKind::outOfBounds, ErrorKind::outOfBounds, ErrorKind::outOfBounds));
  EXPECT_TRUE(report.complete);
  const SimError &error = report.errors.front();
  EXPECT_EQ(error.site, "k.tile:3:1");
  EXPECT_EQ(error.cta, 1u);
  EXPECT_EQ(error.thread, 1u);
  EXPECT_THAT(error.message, HasSubstr("reads 4 bytes near `a[64]`, 1 bytes beyond"));
  EXPECT_EQ(data.out[64], 64.5f);
}

TEST(SimulatorAccess, SameErrorIsCounted) {
  Kernel kernel = kernelOf("ptr addrspace(1) %a", R"(
    call void @tessera.st.global.i32(ptr addrspace(1) %a, i64 -4, i32 1, i1 true))");
  std::vector<int> a(4);
  SimLaunch launch;
  launch.arguments = {word(a.data())};
  launch.regions = {region("a", a)};
  SimReport report = kernel.run(launch);
  ASSERT_THAT(kinds(report), ElementsAre(ErrorKind::outOfBounds));
  EXPECT_EQ(report.errors[0].count, 64u);
  EXPECT_THAT(report.errors[0].message, HasSubstr("before the array"));
}

TEST(SimulatorAccess, RunEndsWithManyErrors) {
  Kernel kernel(vectorAdd);
  VectorAdd data(65);
  SimLaunch launch = data.launch(128);
  launch.maxErrors = 2;
  SimReport report = kernel.run(launch);
  EXPECT_EQ(report.errors.size(), 2u);
  EXPECT_FALSE(report.complete);
}

TEST(SimulatorAccess, InArraysAreNotWritten) {
  Kernel kernel(vectorAdd);
  VectorAdd data(64);
  SimLaunch launch = data.launch(64);
  launch.regions[2].mode = RegionMode::in;
  SimReport report = kernel.run(launch);
  EXPECT_THAT(kinds(report), ElementsAre(ErrorKind::readOnly));
  EXPECT_EQ(data.out[3], -1.0f);
}

TEST(SimulatorAccess, OutArraysHoldNothing) {
  Kernel kernel(vectorAdd);
  VectorAdd data(64);
  SimLaunch launch = data.launch(64);
  launch.regions[0].mode = RegionMode::out;
  SimReport report = kernel.run(launch);
  ASSERT_THAT(kinds(report), ElementsAre(ErrorKind::unwritten));
  EXPECT_EQ(report.errors[0].count, 64u);

  // What the thread itself wrote may be read.
  Kernel reader = kernelOf("ptr addrspace(1) %a", R"(
    %t = zext i32 %tid to i64
    %o = shl i64 %t, 2
    %p = getelementptr i8, ptr addrspace(1) %a, i64 %o
    call void @tessera.st.global.i32(ptr addrspace(1) %p, i64 0, i32 1, i1 true)
    %v = call i32 @tessera.ld.global.i32(ptr addrspace(1) %p, i64 0, i1 true, i32 0)
    call void @tessera.st.global.i32(ptr addrspace(1) %p, i64 0, i32 %v, i1 true))");
  std::vector<int> a(64);
  launch.arguments = {word(a.data())};
  launch.regions = {region("a", a, RegionMode::out)};
  report = reader.run(launch);
  EXPECT_TRUE(report.clean()) << text(report);
}

TEST(SimulatorAccess, Misaligned) {
  Kernel kernel = kernelOf("ptr addrspace(1) %a, i64 %offset", R"(
    %v = call <4 x i32> @tessera.ld.global.v4i32(ptr addrspace(1) %a, i64 %offset, i1 true,
                                                 <4 x i32> zeroinitializer)
    %p = call <4 x i32> @tessera.ld.shared.v4i32(ptr addrspace(3) @tessera.smem, i64 8, i1 false,
                                                 <4 x i32> %v))");
  alignas(16) int a[16];
  SimLaunch launch;
  launch.threads = 1;
  launch.regions = {{"a", a, 4, {16}, {1}, RegionMode::in}};
  launch.arguments = {word(&a[0]), 4};
  SimReport report = kernel.run(launch);
  ASSERT_THAT(kinds(report), ElementsAre(ErrorKind::misaligned));
  EXPECT_THAT(report.errors[0].message, HasSubstr("16 bytes at `a[1]`"));
  // An access that is predicated off has no address.
  launch.arguments[1] = 16;
  EXPECT_TRUE(kernel.run(launch).clean());
}

TEST(SimulatorAccess, GapsOfStridedArrays) {
  Kernel kernel = kernelOf("ptr addrspace(1) %a, i64 %offset", R"(
    %v = call <2 x i32> @tessera.ld.global.v2i32(ptr addrspace(1) %a, i64 %offset, i1 true,
                                                 <2 x i32> zeroinitializer))");
  alignas(16) int a[64];
  SimLaunch launch;
  launch.threads = 1;
  // Rows of 6 in a pitch of 8; the last row has no end of its own.
  launch.regions = {{"a", a, 4, {3, 6}, {8, 1}, RegionMode::in}};
  auto kindsAt = [&](uint64_t offset) {
    launch.arguments = {word(&a[0]), offset};
    return kinds(kernel.run(launch));
  };
  EXPECT_THAT(kindsAt(16), IsEmpty());
  EXPECT_THAT(kindsAt(24), ElementsAre(ErrorKind::outOfBounds));
  EXPECT_THAT(kindsAt(32), IsEmpty());
  EXPECT_THAT(kindsAt(80), IsEmpty());
  EXPECT_THAT(kindsAt(88), ElementsAre(ErrorKind::outOfBounds));
  SimReport report = kernel.run(launch);
  EXPECT_THAT(report.errors[0].message, HasSubstr("near `a[2, 5]`"));
  // Columns that are neighbours, rows backwards: the base is the last row's address.
  launch.regions = {{"a", &a[16], 4, {3, 8}, {-8, 1}, RegionMode::in}};
  EXPECT_THAT(kindsAt(0), IsEmpty());
  EXPECT_THAT(kindsAt(88), IsEmpty());
  EXPECT_THAT(kindsAt(96), ElementsAre(ErrorKind::outOfBounds));
  // Every second element: pairs are never whole.
  launch.regions = {{"a", a, 4, {8}, {2}, RegionMode::in}};
  EXPECT_THAT(kindsAt(0), ElementsAre(ErrorKind::outOfBounds));
}

TEST(SimulatorAccess, SharedMemory) {
  Kernel kernel = kernelOf("i64 %store, i64 %load", R"(
    call void @tessera.st.shared.i32(ptr addrspace(3) @tessera.smem, i64 %store, i32 5, i1 true)
    %v = call i32 @tessera.ld.shared.i32(ptr addrspace(3) @tessera.smem, i64 %load, i1 true, i32 0))");
  SimLaunch launch;
  launch.threads = 1;
  launch.grid = 2;
  auto kindsOf = [&](uint64_t store, uint64_t load) {
    launch.arguments = {store, load};
    return kinds(kernel.run(launch));
  };
  EXPECT_THAT(kindsOf(1020, 1020), IsEmpty());
  EXPECT_THAT(kindsOf(1024, 0), ElementsAre(ErrorKind::outOfBounds, ErrorKind::uninitialised));
  EXPECT_THAT(kindsOf(0, 4), ElementsAre(ErrorKind::uninitialised));
  EXPECT_THAT(kindsOf(0, 2), ElementsAre(ErrorKind::misaligned));
  launch.sharedBytes = 512;
  EXPECT_THAT(kindsOf(508, 512), ElementsAre(ErrorKind::outOfBounds));
}

TEST(SimulatorAccess, PartsOfVectorsNeedNotHaveBeenWritten) {
  Kernel kernel = kernelOf("i32 %used", R"(
    call void @tessera.st.shared.i32(ptr addrspace(3) @tessera.smem, i64 16, i32 5, i1 true)
    call void @tessera.st.shared.i16(ptr addrspace(3) @tessera.smem, i64 24, i16 5, i1 true)
    %any = icmp ne i32 %used, 0
    %v = call <4 x i32> @tessera.ld.shared.part.v4i32(ptr addrspace(3) @tessera.smem, i64 16, i1 %any,
                                                      <4 x i32> zeroinitializer, i32 %used))");
  SimLaunch launch;
  launch.threads = 1;
  auto kindsOf = [&](uint64_t used) {
    launch.arguments = {used};
    return kinds(kernel.run(launch));
  };
  EXPECT_THAT(kindsOf(0), IsEmpty());
  EXPECT_THAT(kindsOf(0x000f), IsEmpty());
  EXPECT_THAT(kindsOf(0x030f), IsEmpty());
  EXPECT_THAT(kindsOf(0x001f), ElementsAre(ErrorKind::uninitialised));
  EXPECT_THAT(kindsOf(0x0f0f), ElementsAre(ErrorKind::uninitialised));
  EXPECT_THAT(kindsOf(0x8000), ElementsAre(ErrorKind::uninitialised));
}

TEST(SimulatorAccess, EachCtaBeginsWithNothing) {
  // CTA 0 writes, CTA 1 reads: shared memory is not handed on.
  Kernel kernel = kernelOf("", R"(
    %cta = call i32 @tessera.ctaid()
    %first = icmp eq i32 %cta, 0
    %second = icmp eq i32 %cta, 1
    call void @tessera.st.shared.i32(ptr addrspace(3) @tessera.smem, i64 0, i32 5, i1 %first)
    %v = call i32 @tessera.ld.shared.i32(ptr addrspace(3) @tessera.smem, i64 0, i1 %second, i32 0))");
  SimLaunch launch;
  launch.threads = 1;
  launch.grid = 2;
  SimReport report = kernel.run(launch);
  ASSERT_THAT(kinds(report), ElementsAre(ErrorKind::uninitialised));
  EXPECT_EQ(report.errors[0].cta, 1u);
}
