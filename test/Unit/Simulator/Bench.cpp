// Prints millions of marker calls a second of processor time for a few kernels: accesses to global memory, shared memory
// with barriers, shuffles.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SimTesting.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <ctime>

using namespace tessera::sim;
using namespace tessera::simtest;

static const char *address = R"(
  %cta = call i32 @tessera.ctaid()
  %first = mul i32 %cta, 256
  %i = add i32 %first, %tid
  %i64 = zext i32 %i to i64
  %o = shl i64 %i64, 2
  %p = getelementptr i8, ptr addrspace(1) %a, i64 %o
  %q = getelementptr i8, ptr addrspace(1) %b, i64 %o
  %t = zext i32 %tid to i64
  %so = shl i64 %t, 2
  %s = getelementptr i8, ptr addrspace(3) @tessera.smem, i64 %so
)";

static void measure(const char *name, const std::string &body, uint32_t grid, bool counted) {
  Kernel kernel = kernelOf("ptr addrspace(1) %a, ptr addrspace(1) %b", address + body);
  std::vector<uint32_t> a(size_t(grid) * 256), b(a.size());
  SimLaunch launch;
  launch.grid = grid;
  launch.threads = 256;
  launch.arguments = {word(a.data()), word(b.data())};
  launch.regions = {region("a", a, RegionMode::in), region("b", b, RegionMode::out)};
  launch.countedCtas = counted ? grid : 0;
  std::clock_t start = std::clock();
  SimReport report = kernel.run(launch);
  double seconds = double(std::clock() - start) / CLOCKS_PER_SEC;
  llvm::outs() << llvm::format("%-28s %8.1f M marker calls/s, %7.1f ms, %s\n", name,
                               double(report.markerCalls) / seconds / 1e6, seconds * 1e3,
                               report.clean() ? "clean" : "ERRORS");
}

static std::string loop(const std::string &body) {
  return "br label %loop\nloop:\n%n = phi i32 [0, %0], [%n1, %loop]\n" + body +
         "%n1 = add i32 %n, 1\n%done = icmp eq i32 %n1, 64\nbr i1 %done, label %end, label "
         "%loop\nend:\n";
}

/// Compilation of a small kernel, parsing included.
static void measureCompilation() {
  constexpr int times = 20;
  std::clock_t start = std::clock();
  for (int i = 0; i < times; ++i) {
    kernelOf("ptr addrspace(1) %a, ptr addrspace(1) %b", address);
  }
  double seconds = double(std::clock() - start) / CLOCKS_PER_SEC;
  llvm::outs() << llvm::format("compilation of a small kernel: %.1f ms\n", seconds / times * 1e3);
}

int main() {
  measureCompilation();
  const std::string copy =
      "%v = call i32 @tessera.ld.global.i32(ptr addrspace(1) %p, i64 0, i1 true, "
      "i32 0)\ncall void @tessera.st.global.i32(ptr addrspace(1) %q, i64 0, i32 "
      "%v, i1 true)\n";
  const std::string shared =
      "call void @tessera.st.shared.i32(ptr addrspace(3) %s, i64 0, i32 1, i1 "
      "true)\n%w = call i32 @tessera.ld.shared.i32(ptr addrspace(3) %s, i64 0, "
      "i1 true, i32 0)\n";
  for (bool counted : {true, false}) {
    llvm::outs() << (counted ? "counted in detail\n" : "not counted in detail\n");
    measure("copy, 4096 CTAs", copy, 4096, counted);
    measure("copy 64 times", loop(copy), 128, counted);
    measure("shared 64 times", loop(shared), 128, counted);
    measure("shared and barrier 64 times", loop(shared + "call void @tessera.bar.cta()\n"), 64,
            counted);
    measure("shuffle 64 times", loop("%x = call i32 @tessera.shfl.bfly(i32 %tid, i32 1)\n"), 64,
            counted);
    measure("bar.warp 64 times", loop("call void @tessera.bar.warp()\n"), 64, counted);
  }
  return 0;
}
