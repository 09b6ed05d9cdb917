// Headers of kernels: parameters, views, constants: every diagnostic with its sentence, its place and its way out.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FrontendTesting.h"

namespace tessera::testing {
namespace {

TEST(HeaderDiagnostics, ShapeGeneric) {
  Outcome o = compile(R"(kernel k<S: shape>(x: in view<[M, N], f32>, y: out view<[M, N], f32>) {
    let u = 1
    grid r in tiles(M, 4), q in tiles(N, 8)
    y[r, q] = x[r, q]
}
)");
  EXPECT_EQ(only(o), "T0360 1:10 the kernel's parameter `S` cannot be a shape");
  EXPECT_EQ(help(o), "write the shape where it is used: `view<[M, N], f32>`");
}

TEST(HeaderDiagnostics, ConstOfATile) {
  Outcome o = compile(
      R"(kernel k<const A: tile<[4], f32> = 1.0>(x: in view<[M, N], f32>, y: out view<[M, N], f32>) {
    let u = 1
    grid r in tiles(M, 4), q in tiles(N, 8)
    y[r, q] = x[r, q]
}
)");
  EXPECT_EQ(only(o), "T0361 1:19 a constant parameter cannot be `tile<[4], f32>`");
  EXPECT_EQ(help(o), "use an element type or an enum");
}

TEST(HeaderDiagnostics, DefaultType) {
  Outcome o =
      compile(R"(kernel k<const D: i64 = 1.5>(x: in view<[M, N], f32>, y: out view<[M, N], f32>) {
    let u = 1
    grid r in tiles(M, 4), q in tiles(N, 8)
    y[r, q] = x[r, q]
}
)");
  EXPECT_EQ(only(o), "T0309 1:25 the float `1.5` stands where a value of `i64` is needed");
  EXPECT_EQ(help(o), "write an integer, or give the other operand a float type with `as`");
}

TEST(HeaderDiagnostics, NegativeExtent) {
  Outcome o =
      compile(R"(kernel k<const D: i64 = 0>(x: in view<[D - 1], f32>, y: out view<[M], f32>) {
    y[0] = 1.0
})");
  EXPECT_EQ(only(o), "T0412 1:40 an extent is -1 in this instance");
  EXPECT_EQ(help(o), "extents are 0 or more");
}

TEST(HeaderDiagnostics, ViewOfWildcard) {
  Outcome o = compile(R"(kernel k(x: in view<[_], f32>, y: out view<[M], f32>) {
    y[0] = 1.0
})");
  EXPECT_EQ(only(o), "T0413 1:22 this is not the shape of a view");
  EXPECT_EQ(help(o), "name the extent or write a number");
}

TEST(HeaderDiagnostics, ViewOfArgument) {
  Outcome o = compile(R"(kernel k(n: i64, y: out view<[n], f32>) {
    y[0] = 1.0
})");
  EXPECT_EQ(only(o), "T0413 1:31 this is not the shape of a view");
  EXPECT_EQ(help(o), "combine extents and constants with `+`, `-`, `*`, `//` and `%`");
}

TEST(HeaderDiagnostics, TileArgument) {
  Outcome o = compile(R"(kernel k(n: tile<[4], f32>, y: out view<[M], f32>) {
    y[0] = 1.0
})");
  EXPECT_EQ(only(o), "T0359 1:13 a kernel cannot take `tile<[4], f32>`");
  EXPECT_EQ(help(o), "pass a view or a scalar");
}

TEST(HeaderDiagnostics, UnknownKernel) {
  Outcome o = compile(R"(kernel k(y: out view<[M], f32>) {
    y[0] = 1.0
})",
                      {}, "kk");
  EXPECT_EQ(only(o), "T0220 - the file has no kernel `kk`");
  EXPECT_EQ(help(o), "did you mean `k`?");
}

TEST(HeaderDiagnostics, NoGeneric) {
  Outcome o = compile(R"(kernel k(y: out view<[M], f32>) {
    let u = 1 as TT
    y[0] = 1.0
})");
  EXPECT_EQ(only(o), "T0202 2:18 `TT` is not a type");
  EXPECT_EQ(help(o), "declare it, or correct the spelling");
}

TEST(HeaderDiagnostics, AbsentEverywhere) {
  Outcome o = compile(R"(kernel k(x: in view<[M], f32>, y: out view<[M], f32>)
    reference {
        let a[j in M] = absent
        y[j] = a[j]
    }
    tolerance exact
{
    y[0] = 1.0
})");
  EXPECT_EQ(only(o), "T0508 3:25 nothing says of which type this `absent` is");
  EXPECT_EQ(help(o), "put a value of a type in the other branch");
}

TEST(HeaderDiagnostics, ConstReportedEveryTime) {
  Outcome o = compile(R"(kernel k(x: in view<[M], f32>, y: out view<[M], f32>) {
    y[0] = A1
}
const A1: i8 = 300)");
  EXPECT_EQ(only(o), "T0308 4:16 `300` is out of the range of `i8`, -128 to 127");
  EXPECT_EQ(help(o), "the nearest value is `127`; write that, or use a wider type");
}

TEST(HeaderDiagnostics, ExtentOfMissing) {
  Outcome o = compile(R"(kernel k(w: in view<[R], f32>?, y: out view<[M], f32>) {
    y[0] = R as f32
})",
                      {{{"w", "missing"}}, {}});
  EXPECT_EQ(only(o), "T0417 2:12 `R` is an extent of `w`, which this instance is without");
  EXPECT_EQ(help(o), "use it inside of `if some(w) { … }`");
}

} // namespace
} // namespace tessera::testing
