// What functions ask of kernels that they were not written for: all, loops, dims, operands, source, kind, name, reduced, shape,
// bytes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ScheduleTesting.h"

using namespace tessera;
using namespace tessera::testing;
using ::testing::HasSubstr;

static std::string printed(const char *kernel, const std::string &expr) {
  Scheduled done(kernel, "print " + expr);
  return done.errors.empty() ? llvm::StringRef(done.printed).trim().str() : done.errors;
}

TEST(Parts, AllThatAPatternFits) {
  EXPECT_EQ(printed(kProductKernel, "all(`load(..)`)"), "[load a, load b]");
  EXPECT_EQ(printed(kProductKernel, "all(`load(..)`) == [load(a), load(b)]"), "true");
  EXPECT_EQ(printed(kProductKernel, "all(`reduce(_)`)"), "[]");
  EXPECT_EQ(printed(kLoopsKernel, "len(loop(u).all(`load(..)`))"), "1");
  EXPECT_EQ(printed(kLoopsKernel, "loop(w).all(`load(..)`)[0] == op(`reduce(_)`).load"), "true");
  EXPECT_THAT(printed(kProductKernel, "all(`_`)"), HasSubstr("`_` is no op"));
}

TEST(Parts, Loops) {
  EXPECT_EQ(printed(kLoopsKernel, "loops()"), "[loop u, loop v, loop w, loop q]");
  EXPECT_EQ(printed(kLoopsKernel, "loop(u).loops()"), "[loop v]");
  EXPECT_EQ(printed(kRowsKernel, "loops()"), "[]");
  // They are loops: what takes a loop takes them.
  Scheduled done(kLoopsKernel, "for l in loops() { print is_const(l), extent(l), name(l) }");
  EXPECT_EQ(done.printed, "true 8 u\ntrue 2 v\ntrue 4 w\ntrue 4 q\n");
}

TEST(Parts, DimsAndOperands) {
  EXPECT_EQ(printed(kProductKernel, "dims(def(acc))"), "[mma acc.m, mma acc.n, mma acc.k]");
  EXPECT_EQ(printed(kProductKernel, "dims(def(acc))[2] == def(acc).k"), "true");
  EXPECT_EQ(printed(kProductKernel, "reduced(def(acc))"), "[mma acc.k]");
  EXPECT_EQ(printed(kProductKernel, "reduced(load(a))"), "[]");
  EXPECT_EQ(printed(kProductKernel, "operands(def(acc)) == [def(acc).a, def(acc).b, def(acc).c]"),
            "true");
  EXPECT_EQ(printed(kProductKernel, "operands(load(a))"), "[]");
  EXPECT_EQ(printed(kProductKernel, "dims(loop(k))"), "[]");
  EXPECT_EQ(printed(kProductKernel, "uses(load(a)) == [def(acc).a]"), "true");
  EXPECT_EQ(printed(kProductKernel, "uses(store(d))"), "[]");
  // Every use is listed, in the order of the program: both operands of one op, and what only moves elements.
  const char *kernel = "kernel k(a: in view<[8, 8], f32>, y: out view<[8, 8], f32>) {\n"
                       "    grid g in 0..1\n    let s = a[:, :]\n    let q = s * s\n"
                       "    y[:, :] = q + s.T\n}\n";
  EXPECT_EQ(printed(kernel, "uses(load(a))"), "[mul q.lhs, mul q.rhs, permute.x]");
}

TEST(Parts, SourceOfAnOperand) {
  const char *kernel = "kernel k(a: in view<[16, 16], f32>, y: out view<[16, 16], f32>) {\n"
                       "    grid g in 0..1\n    var acc = zeros(f32, [16, 16])\n"
                       "    for i in 0..4 { let s = a[:, :] * 2.0\n"
                       "        acc = mma(a[:, :].T, s.T, acc) }\n    y[:, :] = acc\n}\n";
  EXPECT_EQ(printed(kernel, "[kind(source(def(acc).a)), kind(def(acc).a.op)]"),
            "[\"load\", \"permute\"]");
  EXPECT_EQ(printed(kernel, "source(def(acc).b) == def(s)"), "true");
  EXPECT_EQ(printed(kernel, "source(def(acc).c) == loop(i)"), "true");
}

TEST(Parts, Names) {
  EXPECT_EQ(printed(kProductKernel, "[name(loop(k)), name(self), name(load(a).k), name(def(acc))]"),
            "[k, product, k, acc]");
  EXPECT_EQ(printed(kProductKernel, "loop(name(loop(k))) == loop(k)"), "true");
  EXPECT_EQ(printed(kProductKernel, "[kind(loop(k)), kind(store(d)), kind(def(acc))]"),
            "[\"for\", \"store\", \"mma\"]");
  EXPECT_EQ(printed(kProductKernel, "[bytes(load(a)), bytes(def(acc)), bytes(store(d))]"),
            "[2, 4, 4]");
}

TEST(Parts, ExtentsOfArrays) {
  EXPECT_EQ(printed(kProductKernel, "shape(b)"), "[K, N]");
  EXPECT_EQ(printed(kLoopsKernel, "shape(x)"), "[64, 32]");
  const char *kernel = "kernel k(x: in view<[M, 2 * H], f32>, y: out view<[M, H // 8], f32>)\n"
                       "    where H % 8 == 0\n{\n    grid r in tiles(M, 4), c in tiles(H // 8, 4)\n"
                       "    y[r, c] = x[r, c]\n}\n";
  EXPECT_EQ(printed(kernel, "[provable(shape(x)[1] % 16 == 0), provable(shape(x)[1] % 32 == 0)]"),
            "[true, false]");
  EXPECT_EQ(printed(kernel, "provable(shape(y)[1] * 16 == shape(x)[1])"), "true");
  // The names of arrays that a script holds.
  EXPECT_EQ(printed(kernel, "shape(reads(load(x))[0]) == shape(x)"), "true");
  expectRefused(kernel, "", "shape(H)", "shape_view", "the kernel has no view `H`");
}
