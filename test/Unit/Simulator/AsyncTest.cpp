// Copies that do not wait: what may be read when, and what lands.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SimTesting.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace tessera::sim;
using namespace tessera::simtest;
using testing::Contains;
using testing::HasSubstr;

namespace {
/// Each thread copies 16 bytes from in[4 * tid] to shared memory in its own place, and takes them out to `out` as `rest` says.
/// %mine, %theirs: shared memory of this thread and of its neighbour.
Kernel copyKernel(llvm::StringRef rest) {
  return Kernel((R"(
declare void @tessera.i.cp16(ptr addrspace(3), ptr addrspace(1), i32, i1) #1
attributes #1 = { "tessera.operands"="dst:smem:out:4:f32,src:view:in:4:f32" "tessera.scope"="thread"
                  "tessera.via"="cp_async" "tessera.body"="copy" "tessera.ptx"="" }
define internal void @copy(ptr %dst, ptr %src) {
  %v = load <4 x i32>, ptr %src
  store <4 x i32> %v, ptr %dst
  ret void
}
define void @k(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %present) #0 {
  %tid = call i32 @tessera.tid()
  %t = zext i32 %tid to i64
  %o = shl i64 %t, 4
  %n = xor i64 %o, 16
  %src = getelementptr i8, ptr addrspace(1) %in, i64 %o
  %dst = getelementptr i8, ptr addrspace(1) %out, i64 %o
  %mine = getelementptr i8, ptr addrspace(3) @tessera.smem, i64 %o
  %theirs = getelementptr i8, ptr addrspace(3) @tessera.smem, i64 %n
)" + rest + R"(
  ret void
}
)")
                    .str());
}
const std::string copy =
    "call void @tessera.i.cp16(ptr addrspace(3) %mine, ptr addrspace(1) %src, i32 "
    "%present, i1 true)\n";
const std::string commit = "call void @tessera.cp.commit()\n";
const std::string waitAll = "call void @tessera.cp.wait(i32 0)\n";
const std::string barrier = "call void @tessera.bar.cta()\n";
std::string take(llvm::StringRef from) {
  return ("%v = call <4 x i32> @tessera.ld.shared.v4i32(ptr addrspace(3) " + from +
          ", i64 0, i1 true, <4 x i32> zeroinitializer)\n"
          "call void @tessera.st.global.v4i32(ptr addrspace(1) %dst, i64 0, <4 x i32> %v, i1 "
          "true)\n")
      .str();
}

struct Result {
  SimReport report;
  std::vector<float> out;
};
Result run(Kernel &kernel, uint64_t seed, uint32_t present = 16) {
  alignas(16) static float in[64];
  for (int i = 0; i < 64; ++i) {
    in[i] = float(i + 1);
  }
  Result result;
  result.out.assign(64, -1);
  SimLaunch launch;
  launch.threads = 16;
  launch.seed = seed;
  launch.arguments = {word(&in[0]), word(result.out.data()), present};
  launch.regions = {{"in", in, 4, {64}, {1}, RegionMode::in},
                    region("out", result.out, RegionMode::out)};
  result.report = kernel.run(launch);
  return result;
}
void expectClean(llvm::StringRef rest, unsigned swapped) {
  Kernel kernel = copyKernel(rest);
  for (uint64_t seed = 0; seed < 10; ++seed) {
    Result result = run(kernel, seed);
    EXPECT_TRUE(result.report.clean()) << text(result.report);
    for (unsigned i = 0; i < 64; ++i) {
      ASSERT_EQ(result.out[i], float((i ^ swapped) + 1));
    }
  }
}
void expectFound(llvm::StringRef rest, ErrorKind kind, llvm::StringRef part = "") {
  Kernel kernel = copyKernel(rest);
  for (uint64_t seed = 0; seed < 10; ++seed) {
    SimReport report = run(kernel, seed).report;
    ASSERT_THAT(kinds(report), Contains(kind)) << text(report);
    auto error = llvm::find_if(report.errors, [&](const SimError &e) { return e.kind == kind; });
    EXPECT_THAT(error->message, HasSubstr(part.str()));
    EXPECT_FALSE(error->otherSite.empty());
  }
}
} // namespace

TEST(SimulatorAsync, WaitThenOwnRead) { expectClean(copy + commit + waitAll + take("%mine"), 0); }

TEST(SimulatorAsync, WaitBarrierThenOtherRead) {
  expectClean(copy + commit + waitAll + barrier + take("%theirs"), 4);
}

TEST(SimulatorAsync, NoWait) {
  expectFound(copy + commit + take("%mine"), ErrorKind::earlyRead, "wait for its group first");
  expectFound(copy + commit + barrier + take("%theirs"), ErrorKind::earlyRead);
}

TEST(SimulatorAsync, NoCommit) {
  expectFound(copy + waitAll + take("%mine"), ErrorKind::earlyRead, "never committed");
}

TEST(SimulatorAsync, NoBarrierForOthers) {
  Kernel kernel = copyKernel(copy + commit + waitAll + take("%theirs"));
  for (uint64_t seed = 0; seed < 10; ++seed) {
    EXPECT_FALSE(run(kernel, seed).report.errors.empty());
  }
  // The wait must stand before the barrier, not behind it.
  Kernel turned = copyKernel(copy + commit + barrier + waitAll + take("%theirs"));
  for (uint64_t seed = 0; seed < 10; ++seed) {
    EXPECT_FALSE(run(turned, seed).report.errors.empty());
  }
}

TEST(SimulatorAsync, WaitCountsGroups) {
  // A second, empty group: waiting for all but one is enough, for all but two is not.
  expectClean(copy + commit + commit + "call void @tessera.cp.wait(i32 1)\n" + take("%mine"), 0);
  expectFound(copy + commit + commit + "call void @tessera.cp.wait(i32 2)\n" + take("%mine"),
              ErrorKind::earlyRead);
  expectFound(copy + commit + "call void @tessera.cp.wait(i32 1)\n" + take("%mine"),
              ErrorKind::earlyRead);
}

TEST(SimulatorAsync, WritesOverACopyInFlight) {
  const char *store = "call void @tessera.st.shared.v4i32(ptr addrspace(3) %mine, i64 0, <4 x i32> "
                      "zeroinitializer, i1 true)\n";
  expectFound(copy + commit + store + waitAll, ErrorKind::earlyRead);
  // Before the copy, by the same thread, all is in order.
  expectClean(store + copy + commit + waitAll + take("%mine"), 0);
}

TEST(SimulatorAsync, CopyOverWhatOthersRead) {
  std::string read =
      "%w = call <4 x i32> @tessera.ld.shared.v4i32(ptr addrspace(3) %theirs, i64 0, i1 "
      "true, <4 x i32> zeroinitializer)\n";
  std::string first = copy + commit + waitAll + barrier + read;
  expectFound(first + copy + commit + waitAll + take("%mine"), ErrorKind::race);
  expectClean(first + barrier + copy + commit + waitAll + take("%mine"), 0);
}

TEST(SimulatorAsync, AbsentBytesAreZero) {
  Kernel kernel = copyKernel(copy + commit + waitAll + take("%mine"));
  for (uint32_t present : {0, 4, 12, 16}) {
    Result result = run(kernel, present, present);
    EXPECT_TRUE(result.report.clean()) << text(result.report);
    for (unsigned i = 0; i < 64; ++i) {
      ASSERT_EQ(result.out[i], i % 4 * 4 < present ? float(i + 1) : 0.0f);
    }
  }
}

TEST(SimulatorAsync, TargetIsGarbageBeforeItLands) {
  // What a kernel that reads too early sees differs from seed to seed.
  Kernel kernel = copyKernel(copy + commit + take("%mine") + waitAll);
  unsigned there = 0, total = 0;
  for (uint64_t seed = 0; seed < 10; ++seed) {
    for (float value : run(kernel, seed).out) {
      there += value >= 1 && value <= 64;
      ++total;
    }
  }
  EXPECT_GT(there, 0u);
  EXPECT_LT(there, total);
}
