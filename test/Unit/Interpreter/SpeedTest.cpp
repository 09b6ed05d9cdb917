// What the interpreter costs, printed; the bounds are far below what one core does, so that only a slip fails them.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "InterpreterTesting.h"

#include <chrono>
#include <cstdio>

using namespace tessera;
using namespace tessera::interptest;

namespace {
/// Seconds of one run of `count` repetitions of `step` (from %t to %u, type `type`), a second run taken off.
double secondsOf(const std::string &type, const std::string &constants, const std::string &step,
                 int64_t count) {
  auto measure = [&](int64_t repetitions) {
    TestKernel kernel;
    tile::KernelOp op = kernel.scalar("n", DType::i64, double(repetitions)).parse(R"(
      %c0 = tile.constant 0 : i64
      %one = tile.constant 1.0 : f32 tensor<)" + type + ">\n" + constants + R"(
      %r = tile.for %i in range(%c0 to %n) carry(%t = %one : tensor<)" + type + R"(>) {
)" + step + R"(
        tile.yield %u : tensor<)" + type + R"(>
      })");
    std::vector<Argument> arguments = kernel.launch();
    auto start = std::chrono::steady_clock::now();
    RunReport r = interpret<ExactSystem>(op, arguments);
    double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    EXPECT_TRUE(r.succeeded()) << explain(r);
    return seconds;
  };
  measure(1);
  return std::max(measure(count) - measure(0), 1e-9);
}
void report(const char *what, double rate, const char *unit, double bound) {
  std::printf("[ speed    ] %-44s %10.1f %s\n", what, rate, unit);
  EXPECT_GT(rate, bound) << what;
}
} // namespace

TEST(Speed, Elementwise) {
  std::string adds;
  for (int i = 0; i < 8; ++i) {
    adds += "%a" + std::to_string(i) + " = tile.add %" + (i ? "a" + std::to_string(i - 1) : "t") +
            ", %one : tensor<4096xf32>\n";
  }
  double seconds =
      secondsOf("4096xf32", "", adds + "%u = tile.add %a7, %one : tensor<4096xf32>", 5000);
  report("f32 additions, tiles of 4096", 9 * 4096 * 5000.0 / seconds / 1e6, "M/s", 50);
  seconds = secondsOf(
      "4096xf32", "%small = tile.constant 0.001 : f32 tensor<4096xf32>",
      "%v = tile.mul %t, %small : tensor<4096xf32>\n%u = tile.exp %v : tensor<4096xf32>", 1000);
  report("f32 exponentials (with a product)", 4096 * 1000.0 / seconds / 1e6, "M/s", 20);
  seconds = secondsOf("4xf32", "", "%u = tile.add %t, %one : tensor<4xf32>", 200000);
  report("additions of 4 elements (with the loop)", seconds / 200000 * 1e9, "ns", 0);
}

TEST(Speed, ReduceAndProduct) {
  double seconds = secondsOf("16x1024xf32", "", R"(
    %s = tile.reduce sum %t along 1 : tensor<16x1024xf32> -> tensor<16xf32>
    %e = tile.expand %s at [1] : tensor<16xf32> to tensor<16x1xf32>
    %b = tile.broadcast %e : tensor<16x1xf32> to tensor<16x1024xf32>
    %u = tile.div %t, %b : tensor<16x1024xf32>)",
                             500);
  report("sum, broadcast, quotient of rows of 1024", 16 * 1024 * 500.0 / seconds / 1e6, "M/s", 2);
  seconds = secondsOf(
      "64x96xf32",
      "%a = tile.constant 1.0 : bf16 tensor<64x32xbf16>\n%b = tile.constant 0.5 : bf16 "
      "tensor<32x96xbf16>",
      "%u = tile.mma %a, %b, %t : tensor<64x32xbf16>, tensor<32x96xbf16>, tensor<64x96xf32>", 200);
  report("bf16 product, 64 x 96 x 32", 2.0 * 64 * 96 * 32 * 200 / seconds / 1e9, "GFLOP/s", 0.3);
}

TEST(Speed, MemoryAndGrid) {
  HostArray x = outputOf(DType::f32, {1024, 1024}), y = outputOf(DType::f32, {1024, 1024});
  std::memset(x.data(), 0, 4 << 20);
  TestKernel kernel;
  tile::KernelOp op = kernel.in("x", "?x?xf32", x).out("y", "?x?xf32", y).parse(R"(
    %c0 = tile.constant 0 : i64
    %n = tile.constant 1024 : i64
    tile.grid (%m = tiles(%c0 to %n by 4), %k = tiles(%c0 to %n by 100)) {
      %t = tile.load %x[%m, %k] : !tile.view<?x?xf32, in>, !tile.span<4>, !tile.span<100> -> tensor<4x100xf32>
      tile.store %t, %y[%m, %k] : tensor<4x100xf32>, !tile.view<?x?xf32, out>, !tile.span<4>, !tile.span<100>
    })");
  std::vector<Argument> arguments = kernel.launch();
  auto start = std::chrono::steady_clock::now();
  RunReport r = interpret<ExactSystem>(op, arguments);
  double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  EXPECT_TRUE(r.succeeded()) << explain(r);
  report("elements loaded and stored, tiles of 4 x 100", 1024 * 1024 / seconds / 1e6, "M/s", 2);
}
