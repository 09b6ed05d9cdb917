// replace: instructions of the library and small ones, on kernels.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ReplaceKernels.h"

using namespace tessera;
using namespace tessera::testing;
using ::testing::HasSubstr;

TEST(Replace, AProductOfFragments) {
  Scheduled done(kProduct, "let r = replace(def(acc), mma_m16n8k16_bf16)\nprint r", on());
  expectSame(done, productSizes);
  EXPECT_THAT(done.ir, HasSubstr("tile.apply @mma_m16n8k16_bf16"));
  EXPECT_EQ(iterOf(done, "tile.mma"),
            "m = reg 2 * atom 16, n = reg 2 * atom 8, k = reg 2 * atom 16");
  EXPECT_EQ(count(done.lines("tile.apply"), "tile.apply"), 1u);
  EXPECT_THAT(done.report, HasSubstr("keeps the class"));
}

TEST(Replace, WhatIsBoundStays) {
  Scheduled done(kProduct,
                 "let mm = def(acc)\nbind(split(mm.m, 16).outer, warp)\n"
                 "replace(mm, mma_m16n8k16_bf16)\nprint mm",
                 on());
  expectSame(done, productSizes);
  EXPECT_EQ(iterOf(done, "tile.mma"),
            "m = warp 2 * atom 16, n = reg 2 * atom 8, k = reg 2 * atom 16");
  EXPECT_THAT(done.ir, HasSubstr("tile.warps = 2"));
}

TEST(Replace, TwoOpsOneInstruction) {
  // The factors of the product stand the other way round in the kernel.
  Scheduled done(kRowsOfOps, "replace(op(`cast(_)`), fma_cvt)", on());
  expectSame(done, rowSizes);
  EXPECT_THAT(done.ir, HasSubstr("tile.apply @fma_cvt"));
  EXPECT_EQ(iterOf(done, "tile.cast"), "d1 = open 8 * atom 2");
  size_t apply = done.ir.find("tile.apply");
  EXPECT_GT(done.ir.find("tile.fma", apply), apply) << "the ops before it are in it";
}

TEST(Replace, AnOperandUsedTwice) {
  Scheduled done(kRowsOfOps, "replace(def(q), square)", on());
  expectSame(done, rowSizes);
  EXPECT_THAT(done.ir, HasSubstr("tile.apply @square"));
  // The other way round: one value for two operands.
  Scheduled both(kRowsOfOps, "replace(def(q), times)", on());
  expectSame(both, rowSizes);
  expectRefused(kRowsOfOps, "", "replace(def(p), square)", "replace_twice", "is used twice", on());
}

TEST(Replace, AConstant) {
  Scheduled done(kRowsOfOps, "replace(def(h), twice)", on());
  expectSame(done, rowSizes);
  EXPECT_THAT(done.ir, HasSubstr("tile.apply @twice"));
  expectRefused(kRowsOfOps, "", "replace(def(p), twice)", "replace_constant", "has the constant",
                on());
}

TEST(Replace, ACopyThatDoesNotWait) {
  Scheduled done(kProduct,
                 "let {yes, no} = versions(aligned(a, 16))\nlet A = yes.def(acc).a\n"
                 "let s = stage(A, shared)\nreplace(s.copy, cp_async_16)",
                 on());
  EXPECT_EQ(done.errors, "");
  EXPECT_THAT(done.ir, HasSubstr("via cp_async"));
  EXPECT_EQ(iterOf(done, "tile.copy"), "d1 = open 4 * atom 8");
  EXPECT_THAT(done.lines("tile.copy"), HasSubstr("fill zero"));
  EXPECT_THAT(done.report, HasSubstr("is waited for"));
}

TEST(Replace, WhatIsReplacedMovesAsAWhole) {
  std::string kernel =
      "layout two = (1, 2) : (0, 1)\n"
      "instr twice(d: out frag<[2], f32, two>, a: frag<[2], f32, two>)\n"
      "    on sm_80 scope thread order exact ptx \"dbl {d}, {a};\" { d = a * 2.0 }" +
      std::string(kSteps);
  kernel.insert(kernel.find(")\n{") + 1, "\n    where N >= 1");
  const std::vector<Extents> sizes = {{{"M", 5}, {"N", 3}}, {{"M", 4}, {"N", 1}}};
  const char *script = "let l = loop(n), t = def(t)\nreplace(t, twice)\nhoist(t, l)";
  Scheduled done(kernel, script, on());
  expectSame(done, sizes);
  EXPECT_LT(done.ir.find("tile.apply @twice"), done.ir.find("tile.for"));
  Scheduled again(kernel, std::string(script) + "\nhoist(t, l)", on());
  expectSame(again, sizes);
  EXPECT_THAT(again.report, HasSubstr("stands before `loop n` already"));
}

TEST(Replace, AMatrixLoadAbsorbsTheRead) {
  Scheduled done(kProduct,
                 "let s = stage(def(acc).a, shared, layout = row_major)\n"
                 "replace(s.read, ldmatrix_x4)\nreplace(def(acc), mma_m16n8k16_bf16)",
                 on());
  expectSame(done, productSizes);
  EXPECT_EQ(iterOf(done, "tile.read"), "d0 = reg 2 * atom 16, d1 = reg 2 * atom 16");
  EXPECT_THAT(done.report, HasSubstr("lie together in groups of 8"));
}

TEST(Replace, TheNumberOfColumnsIsFound) {
  const char *kernel = R"(
kernel product(a: in view<[M, K], bf16>, b: in view<[K, N], bf16>, d: out view<[M, N], f32>)
{
    grid m in tiles(M, 64), n in tiles(N, 48)
    var acc = zeros(f32, [64, 48])
    for k in tiles(K, 64) { acc = mma(a[m, k], b[k, n], acc) }
    d[m, n] = acc
}
)";
  Scheduled done(kernel,
                 "let mm = def(acc)\nstage(mm.a, shared, layout = sw128)\nstage(mm.b, shared)\n"
                 "replace(mm, wgmma_m64k16)",
                 on("sm_90a"));
  EXPECT_EQ(done.errors, "");
  EXPECT_THAT(done.ir, HasSubstr("wgmma_m64k16<48>"));
  EXPECT_EQ(iterOf(done, "tile.mma"), "m = atom 64, n = atom 48, k = reg 4 * atom 16");
  size_t apply = done.ir.find("tile.apply");
  EXPECT_GT(done.ir.find("tile.read", apply), apply) << "both reads are in it";
  EXPECT_EQ(count(done.ir.substr(0, apply), "tile.read"), 0u);
  expectRefused(kernel, "", "replace(def(acc), wgmma_m64k16)", "replace_constant",
                "is in shared memory", on("sm_90a"));
}

TEST(Replace, AllOfAScope) {
  Scheduled done(kRowsOfOps,
                 "let r = replace_all([square, twice, mma_m16n8k16_bf16])\nprint r.done\n"
                 "for s in r.skipped { print s.reason }",
                 on());
  expectSame(done, rowSizes);
  EXPECT_EQ(count(done.ir, "tile.apply @square"), 1u);
  EXPECT_EQ(count(done.ir, "tile.apply @twice"), 1u);
  EXPECT_THAT(done.printed, HasSubstr("`tile.load`"));
}
