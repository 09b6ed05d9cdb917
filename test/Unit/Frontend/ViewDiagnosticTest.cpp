// Stores, atomics and parts of views: every diagnostic with its sentence, its place and its way out.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FrontendTesting.h"

namespace tessera::testing {
namespace {

// Line, items behind the kernel, diagnostics, help.
const DiagnosticCase cases[] = {
    {"NotDivisible", "let u = b.split(axis = 1, parts = 3)", "",
     "T0519 4:13 3 does not divide the extent 64", "use a number that divides the extent"},
    {"NoParts", "let u = b.split(axis = 1, parts = 0)", "", "T0353 4:13 an extent of 0",
     "use a number of 1 or more"},
    {"TooManyParts", "let u = x.split(axis = 1, parts = 100)", "",
     "T0520 4:39 100 parts; a view is split into at most 64",
     "use `.group(axis, size)` and index the new axis"},
    {"SplitOfATile", "let u = t.split(axis = 1, parts = 2)", "",
     "T0313 4:13 `split` takes a view, found `tile<[4, 8], f32>`",
     "only views of a kernel are cut so"},
    {"SliceBackwards", "let u = b.slice(axis = 1, lo = 4, hi = 2)", "",
     "T0518 4:13 4..2 is not a part of the axis", "0 <= lo <= hi"},
    {"TransposeOfRank1", "let u = i.T", "", "T0351 4:13 `.T` is for two axes, found 1",
     "for other ranks write `.permute([…])`"},
    {"AtomicNeedsPlace", "atomic_add(t, t, order = any)", "",
     "T0524 4:16 `atomic_add` needs the elements of a view first",
     "write the elements: `view[index, …]`"},
    {"StorePlace", "store(t, t)", "", "T0524 4:11 `store` needs the elements of a view first",
     "write the elements: `view[index, …]`"},
};

class ViewDiagnostic : public ::testing::TestWithParam<DiagnosticCase> {};

TEST_P(ViewDiagnostic, SaysWhatIsWrong) { expectDiagnostic(GetParam()); }

INSTANTIATE_TEST_SUITE_P(All, ViewDiagnostic, ::testing::ValuesIn(cases), caseName);

TEST(ViewDiagnostics, StoreToIn) {
  Outcome o = compileBody(
      "    grid r in tiles(M, 4), q in tiles(N, 8)\n    x[r, q] = 0.0\n    y[r, q] = 0.0", "");
  EXPECT_EQ(only(o), "T0521 3:5 `x` is an `in` view; a store cannot go there");
  EXPECT_EQ(help(o), "declare `x` as `out view<…>`");
}

TEST(ViewDiagnostics, StoreShape) {
  Outcome o = compileBody("    grid r in tiles(M, 4), q in tiles(N, 8)\n    let t = x[r, q]\n    "
                          "let u = 1\n    y[r, q] = t.T",
                          "");
  EXPECT_EQ(only(o),
            "T0522 5:15 a tile of shape `[4, 8]` is stored here, found `tile<[8, 4], f32>`");
  EXPECT_EQ(help(o), "make the shapes equal: add axes with `_`, or index with other spans");
}

TEST(ViewDiagnostics, StoreScalar) {
  Outcome o = compileBody("    grid r in tiles(M, 4), q in tiles(N, 8)\n    let t = x[r, q]\n    "
                          "let u = 1\n    y[r, q] = s",
                          "");
  EXPECT_EQ(only(o), "T0522 5:15 a tile of shape `[4, 8]` is stored here, found `f32`");
  EXPECT_EQ(help(o), "fill a tile: `broadcast(x, [4, 8])`");
}

TEST(ViewDiagnostics, StoreType) {
  Outcome o = compileBody("    grid r in tiles(M, 4), q in tiles(N, 8)\n    let t = x[r, q]\n    "
                          "let u = 1\n    y[r, q] = t as bf16",
                          "");
  EXPECT_EQ(
      only(o),
      "T0302 5:15 expected what is stored to be `tile<[4, 8], f32>`, found `tile<[4, 8], bf16>`");
  EXPECT_EQ(help(o), "convert it: `… as f32`");
}

TEST(ViewDiagnostics, AtomicOnOut) {
  Outcome o = compileBody("    grid r in tiles(M, 4), q in tiles(N, 8)\n    let t = x[r, q]\n    "
                          "atomic_add(y[r, q], t, order = any)\n",
                          "");
  EXPECT_EQ(only(o), "T0521 4:16 `y` is an `out` view; an atomic cannot go there");
  EXPECT_EQ(help(o), "declare `y` as `inout view<…>`");
}

TEST(ViewDiagnostics, ReadFirst) {
  Outcome o = compileBody(
      "    grid r in tiles(M, 4), q in tiles(N, 8)\n    let u = y[r, q]\n    y[r, q] = u", "");
  EXPECT_EQ(only(o), "T0525 3:13 `y` is read before anything is stored to it");
  EXPECT_EQ(help(o), "declare it `inout view` to read what was there");
}

TEST(ViewDiagnostics, NeverStored) {
  Outcome o = compileBody("    grid r in tiles(M, 4)\n    let u = i[r]", "");
  EXPECT_EQ(only(o), "T0526 1:92 nothing is stored to the output `y`");
  EXPECT_EQ(help(o), "store to it, or leave the argument out");
}

TEST(ViewDiagnostics, AtomicOrder) {
  Outcome o = compile(R"(kernel k(x: in view<[M], f32>, y: inout view<[M], f32>) {
    grid r in tiles(M, 4)
    atomic_add(y[r], x[r])
})");
  EXPECT_EQ(only(o), "T0527 3:5 `atomic_add` combines floats, so its outcome depends on an order "
                     "that is not fixed");
  EXPECT_EQ(help(o), "write `order = any`: the result depends on the order of the grid's points");
}

TEST(ViewDiagnostics, AtomicOld) {
  Outcome o = compile(R"(kernel k(x: in view<[M], i32>, y: inout view<[M], i32>) {
    grid r in tiles(M, 4)
    let u = atomic_add(y[r], x[r], old = true)
})");
  EXPECT_EQ(only(o), "T0527 3:13 `atomic_add` returns old values, so its outcome depends on an "
                     "order that is not fixed");
  EXPECT_EQ(help(o), "write `order = any`: the result depends on the order of the grid's points");
}

TEST(ViewDiagnostics, AtomicBits) {
  Outcome o = compile(R"(kernel k(x: in view<[M], f32>, y: inout view<[M], f32>) {
    grid r in tiles(M, 4)
    atomic_or(y[r], x[r])
})");
  EXPECT_EQ(only(o), "T0304 3:15 `atomic_or` takes integers, found `f32`");
  EXPECT_EQ(help(o), "use a view of another element type");
}

} // namespace
} // namespace tessera::testing
