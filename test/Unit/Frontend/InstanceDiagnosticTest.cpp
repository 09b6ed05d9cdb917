// Instances: settings, defaults, extents: every diagnostic with its sentence, its place and its way out.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FrontendTesting.h"

namespace tessera::testing {
namespace {

TEST(InstanceDiagnostics, Incomplete) {
  Outcome o = compile(
      R"(kernel k<const D: i64, T in {f32, bf16}>(x: in view<[M, N], f32>, y: out view<[M, N], f32>) {
    let u = 1
    grid r in tiles(M, 4), q in tiles(N, 8)
    y[r, q] = x[r, q]
}
)");
  EXPECT_EQ(only(o), "T0403 1:10 nothing gives `D`, `T` of the kernel `k` a value");
  EXPECT_EQ(help(o), "set it: `--set D=…,T=…`");
}

TEST(InstanceDiagnostics, BadValue) {
  Outcome o = compile(
      R"(kernel k<const D: i64 in {1, 2} = 1>(x: in view<[M, N], f32>, y: out view<[M, N], f32>) {
    let u = 1
    grid r in tiles(M, 4), q in tiles(N, 8)
    y[r, q] = x[r, q]
}
)",
      {{{"D", "3"}}, {}});
  EXPECT_EQ(only(o), "T0404 1:10 `D` cannot be `3`");
  EXPECT_EQ(help(o), "it is one of `1`, `2`");
}

TEST(InstanceDiagnostics, BadType) {
  Outcome o = compile(
      R"(kernel k<T in {f32, bf16} = f32>(x: in view<[M, N], f32>, y: out view<[M, N], f32>) {
    let u = 1
    grid r in tiles(M, 4), q in tiles(N, 8)
    y[r, q] = x[r, q]
}
)",
      {{{"T", "i32"}}, {}});
  EXPECT_EQ(only(o), "T0404 1:10 `T` cannot be `i32`");
  EXPECT_EQ(help(o), "it is one of `f32`, `bf16`");
}

TEST(InstanceDiagnostics, BadEnum) {
  Outcome o =
      compile(R"(kernel k<const A: Act = none>(x: in view<[M, N], f32>, y: out view<[M, N], f32>) {
    let u = 1
    grid r in tiles(M, 4), q in tiles(N, 8)
    y[r, q] = x[r, q]
}
enum Act { none, relu })",
              {{{"A", "relo"}}, {}});
  EXPECT_EQ(only(o), "T0404 1:10 `A` cannot be `relo`");
  EXPECT_EQ(help(o), "it is one of `none`, `relu`");
}

TEST(InstanceDiagnostics, BadBool) {
  Outcome o =
      compile(R"(kernel k<const A: bool = true>(x: in view<[M, N], f32>, y: out view<[M, N], f32>) {
    let u = 1
    grid r in tiles(M, 4), q in tiles(N, 8)
    y[r, q] = x[r, q]
}
)",
              {{{"A", "1"}}, {}});
  EXPECT_EQ(only(o), "T0404 1:10 `A` cannot be `1`");
  EXPECT_EQ(help(o), "it is of type `bool`");
}

TEST(InstanceDiagnostics, UnknownSetting) {
  Outcome o =
      compile(R"(kernel k<const DD: i64 = 1>(x: in view<[M, N], f32>, y: out view<[M, N], f32>) {
    let u = 1
    grid r in tiles(M, 4), q in tiles(N, 8)
    y[r, q] = x[r, q]
}
)",
              {{{"DE", "3"}}, {}});
  EXPECT_EQ(only(o), "T0405 1:8 the kernel `k` has no parameter `DE` to set");
  EXPECT_EQ(help(o), "did you mean `DD`?");
}

TEST(InstanceDiagnostics, WhereViolated) {
  Outcome o = compile(
      R"(kernel k<const D: i64 = 3>(x: in view<[M, N], f32>, y: out view<[M, N], f32>) where D % 2 == 0, M > 0 {
    let u = 1
    grid r in tiles(M, 4), q in tiles(N, 8)
    y[r, q] = x[r, q]
}
)");
  EXPECT_EQ(only(o), "T0408 1:85 the instance violates `D % 2 == 0` of the kernel `k`");
  EXPECT_EQ(help(o), "choose other values for the instance");
}

TEST(InstanceDiagnostics, TuneValue) {
  Outcome o =
      compile(R"(kernel k<const D: i64 = 3>(x: in view<[M, N], f32>, y: out view<[M, N], f32>) {
    tune BM in {1, 2}
    grid r in tiles(M, 4), q in tiles(N, 8)
    y[r, q] = x[r, q]
}
)",
              {{{"BM", "4"}}, {}});
  EXPECT_EQ(only(o), "T0404 2:10 `BM` cannot be `4`");
  EXPECT_EQ(help(o), "it is one of `1`, `2`");
}

TEST(InstanceDiagnostics, TuneEmpty) {
  Outcome o =
      compile(R"(kernel k<const D: i64 = 3>(x: in view<[M, N], f32>, y: out view<[M, N], f32>) {
    tune BM in 4..2
    grid r in tiles(M, 4), q in tiles(N, 8)
    y[r, q] = x[r, q]
}
)");
  EXPECT_EQ(only(o), "T0410 2:16 the set of `BM` is empty");
  EXPECT_EQ(help(o), "list at least one value");
}

TEST(InstanceDiagnostics, SetTooLarge) {
  Outcome o = compile(
      R"(kernel k<const D: i64 in 0..100000 = 3>(x: in view<[M, N], f32>, y: out view<[M, N], f32>) {
    let u = 1
    grid r in tiles(M, 4), q in tiles(N, 8)
    y[r, q] = x[r, q]
}
)");
  EXPECT_EQ(only(o), "T0411 1:26 a set has at most 4096 values");
  EXPECT_EQ(help(o), "list the values that matter");
}

TEST(InstanceDiagnostics, StaticNotPositive) {
  Outcome o =
      compile(R"(kernel k<const D: i64 = 3>(x: in view<[M, N], f32>, y: out view<[M, N], f32>) {
    static S = D - 3
    grid r in tiles(M, 4), q in tiles(N, 8)
    y[r, q] = x[r, q]
}
)");
  EXPECT_EQ(only(o), "T0407 2:16 the static `S` is 0 in this instance");
  EXPECT_EQ(help(o), "make it 1 or more for every extent, for example `max(1, …)`");
}

TEST(InstanceDiagnostics, StaticMissing) {
  Outcome o =
      compile(R"(kernel k<const D: i64 = 3>(x: in view<[M, N], f32>, y: out view<[M, N], f32>) {
    static S = bucket(N, 16)
    grid r in tiles(M, 4), q in tiles(N, 8)
    y[r, q] = x[r, q]
}
)");
  EXPECT_EQ(only(o), "T0403 2:12 nothing gives `S` of the kernel `k` a value");
  EXPECT_EQ(help(o), "set it: `--set S=…`");
}

TEST(InstanceDiagnostics, StaticContradicts) {
  Outcome o =
      compile(R"(kernel k<const D: i64 = 3>(x: in view<[M, N], f32>, y: out view<[M, N], f32>) {
    static S = D + 1
    grid r in tiles(M, 4), q in tiles(N, 8)
    y[r, q] = x[r, q]
}
)",
              {{{"S", "8"}}, {}});
  EXPECT_EQ(only(o), "T0406 2:5 `S` is set to 8, but `D + 1` has another value");
  EXPECT_EQ(help(o), "leave the setting out");
}

TEST(InstanceDiagnostics, StaticFloat) {
  Outcome o =
      compile(R"(kernel k<const D: i64 = 3>(x: in view<[M, N], f32>, y: out view<[M, N], f32>) {
    static S = 1.5
    grid r in tiles(M, 4), q in tiles(N, 8)
    y[r, q] = x[r, q]
}
)");
  EXPECT_EQ(only(o), "T0402 2:16 `S` is an integer that is known at compile time, found `f32`");
  EXPECT_EQ(help(o), "write an integer");
}

TEST(InstanceDiagnostics, NegativeExtentSetting) {
  Outcome o =
      compile(R"(kernel k<const D: i64 = 3>(x: in view<[M, N], f32>, y: out view<[M, N], f32>) {
    let u = 1
    grid r in tiles(M, 4), q in tiles(N, 8)
    y[r, q] = x[r, q]
}
)",
              {{{"M", "-1"}}, {}});
  EXPECT_EQ(only(o), "T0404 1:40 `M` cannot be `-1`");
  EXPECT_EQ(help(o), "an extent is an integer of 0 or more");
}

TEST(InstanceDiagnostics, TuneEdges) {
  Outcome o =
      compile(R"(kernel k<const D: i64 = 3>(x: in view<[M, N], f32>, y: out view<[M, N], f32>) {
    tune BM in edges(M)
    grid r in tiles(M, 4), q in tiles(N, 8)
    y[r, q] = x[r, q]
}
)");
  EXPECT_EQ(only(o), "T0409 2:16 expected a set of values");
  EXPECT_EQ(help(o), "write `{1, 2, 4}` or a range `1..5`");
}

} // namespace
} // namespace tessera::testing
