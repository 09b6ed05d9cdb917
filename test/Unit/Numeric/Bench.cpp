//===- Bench.cpp - speed of the kernels -------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints millions of results a second on one core for common kernels on arrays of 4096 elements (in cache), and GFLOP/s
// of the matrix product.
//
//===----------------------------------------------------------------------===//

#include "tessera/Numeric/NumberSystem.h"
#include "tessera/Numeric/Value.h"

#include <chrono>
#include <cstdio>
#include <vector>

using namespace tessera;

static constexpr size_t length = 4096;

template <class Run> static double seconds(Run run) {
  using Clock = std::chrono::steady_clock;
  run();
  size_t rounds = 0;
  auto start = Clock::now();
  double elapsed = 0;
  while (elapsed < 0.05) {
    run();
    ++rounds;
    elapsed = std::chrono::duration<double>(Clock::now() - start).count();
  }
  return elapsed / double(rounds);
}

static std::vector<char> ordinary(DType t, double scale) {
  std::vector<char> r(length * byteSize(t));
  for (size_t i = 0; i < length; ++i) {
    double x = (double(i * 2654435761u % 4096) / 4096 + 0.01) * scale;
    fromDouble(t, x, Round::rne, isFloat(t) ? Overflow::inf : Overflow::wrap, &r[i * byteSize(t)]);
  }
  return r;
}

static void print(const char *what, DType t, double s) {
  std::printf("%-12s %-8s %8.0f M results/s\n", what, name(t).str().c_str(),
              double(length) / s * 1e-6);
}

static void benchOps() {
  std::vector<char> out(length * 8);
  for (unsigned i = 0; i < numScalarOps; ++i) {
    ScalarOp op = ScalarOp(i);
    for (DType t : {DType::f32, DType::bf16, DType::f16, DType::f64, DType::i32, DType::i64}) {
      std::vector<char> a = ordinary(t, 10), b = ordinary(t, 3), c = ordinary(t, 1);
      const char *what = info(op).mnemonic;
      if (Kernel1 k = ExactSystem::unary(op, t)) {
        print(what, t, seconds([&] { k(a.data(), out.data(), length); }));
      } else if (Kernel2 k = ExactSystem::binary(op, t)) {
        print(what, t, seconds([&] { k(a.data(), b.data(), out.data(), length); }));
      } else if (Kernel3 k = ExactSystem::ternary(op, t)) {
        print(what, t, seconds([&] { k(a.data(), b.data(), c.data(), out.data(), length); }));
      }
    }
  }
}

static void benchCasts() {
  const struct {
    DType from, to;
    Round round;
    Overflow overflow;
  } casts[] = {{DType::f32, DType::bf16, Round::rne, Overflow::inf},
               {DType::bf16, DType::f32, Round::rne, Overflow::inf},
               {DType::f32, DType::f16, Round::rne, Overflow::inf},
               {DType::f16, DType::f32, Round::rne, Overflow::inf},
               {DType::f32, DType::f8E4M3FN, Round::rne, Overflow::sat},
               {DType::f8E4M3FN, DType::f32, Round::rne, Overflow::inf},
               {DType::f32, DType::i32, Round::rz, Overflow::sat},
               {DType::i32, DType::f32, Round::rne, Overflow::inf},
               {DType::f32, DType::i32, Round::rd, Overflow::sat},
               {DType::f32, DType::bf16, Round::ru, Overflow::inf},
               {DType::i64, DType::i32, Round::rne, Overflow::wrap},
               {DType::f64, DType::bf16, Round::rne, Overflow::inf}};
  std::vector<char> out(length * 8);
  for (const auto &c : casts) {
    std::vector<char> a = ordinary(c.from, 10);
    CastKernel k = ExactSystem::cast(c.from, c.to, c.round, c.overflow);
    std::string what = name(c.from).str() + ">" + name(c.to).str() + " " + name(c.round).str();
    double s = seconds([&] { k(a.data(), out.data(), length); });
    std::printf("%-21s %8.0f M results/s\n", what.c_str(), double(length) / s * 1e-6);
  }
}

static void benchMma() {
  int64_t m = 128, n = 128, k = 64;
  for (DType t : {DType::bf16, DType::f16, DType::f8E4M3FN, DType::f32, DType::f64, DType::i8}) {
    DType acc = t == DType::f64 ? DType::f64 : t == DType::i8 ? DType::i32 : DType::f32;
    std::vector<char> a(m * k * byteSize(t), 1), b(k * n * byteSize(t), 1),
        c(m * n * byteSize(acc));
    MmaKernel kernel = ExactSystem::mma(t, acc);
    double s = seconds([&] { kernel(a.data(), b.data(), c.data(), m, n, k, {k, 1, n, 1, n, 1}); });
    std::printf("%-12s %-8s %8.2f GFLOP/s\n", "mma 128x128x64", name(t).str().c_str(),
                2.0 * double(m * n * k) / s * 1e-9);
  }
}

int main() {
  benchOps();
  benchCasts();
  benchMma();
  return 0;
}
