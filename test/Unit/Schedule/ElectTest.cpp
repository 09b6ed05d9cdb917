// elect.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "MemoryTesting.h"

using namespace tessera;
using namespace tessera::testing;
using ::testing::HasSubstr;

static const std::vector<Extents> sizes = {{{"M", 17}, {"N", 9}, {"K", 20}}};

static const char *const staged =
    "let mm = def(acc), k = loop(k)\nlet C = stage(store(d).value, shared)\n"
    "let A = stage(mm.a, shared), B = stage(mm.b, shared)\n";

static std::string after(const char *a, const char *b) { return std::string(a) + b; }

TEST(Elect, OneThreadCopies) {
  Scheduled done(kSmallProduct, after(staged, "let e = elect(C.copy)\nprint e\nprint C.copy"));
  expectSame(done, sizes);
  EXPECT_THAT(done.ir, HasSubstr("tile.elect {"));
  EXPECT_LT(done.ir.find("tile.elect"), done.ir.find("tile.copy_out"));
  EXPECT_THAT(done.printed, HasSubstr("d.copy\n"));
}

TEST(Elect, Neighbours) {
  Scheduled done(
      kSmallProduct,
      after(staged, "sections(k, {load: [A.copy, B.copy], use: rest})\nelect([A.copy, B.copy])"));
  expectSame(done, sizes);
  EXPECT_EQ(count(done.ir, "tile.elect"), 1u);
}

//===-- Refused ----------------------------------------------------------------------------------------------------===//

TEST(Elect, OpsWithAGap) {
  expectRefused(kSmallProduct, staged, "elect([A.copy, B.copy])", "elect_row", "does not follow");
}

TEST(Elect, ATileComesIn) {
  expectUnsafe(kSmallProduct, staged, "elect(C.write)", "elect_tile", "spread over the threads", 2);
}

TEST(Elect, ATileGoesOut) {
  expectRefused(kSmallProduct, staged, "elect(A.read)", "elect_result",
                "only one thread would have");
}

TEST(Elect, ABarrier) {
  expectRefused(kSmallProduct, after(staged, "let b = insert_barrier(A.read.before, cta)"),
                "elect(b)", "elect_threads", "other threads wait in it");
}

TEST(Elect, AnInstructionOfAWarp) {
  const char *kernel = R"(
kernel turned(x: in view<[M, 16], bf16>, y: out view<[M, 16], bf16>)
{
    grid r in tiles(M, 16)
    y[r, :] = -x[r, :]
})";
  Scheduled::Options options;
  options.target = "sm_90";
  options.instructions = true;
  expectUnsafe(kernel,
               "let neg = op(`neg(_)`)\nlet X = stage(neg.x, shared)\n"
               "let Y = stage(store(y).value, shared, layout = row_major)\n"
               "let w = replace(Y.write, stmatrix_x4)",
               "elect([X.read, neg, w])", "elect_group", "is run by a whole warp", 1, options);
}

TEST(Elect, Twice) {
  expectRefused(kSmallProduct, after(staged, "elect(C.copy)"), "elect(C.copy)", "elect_twice",
                "by one thread already");
}

TEST(Elect, None) {
  expectRefused(kSmallProduct, staged, "elect([])", "elect_none", "no op is named");
}

TEST(Elect, WhatIsOfAllThreads) {
  expectRefused(kSmallProduct,
                after(staged, "let s = sections(k, {load: [A.copy, B.copy], use: rest})"),
                "elect(s.load)", "elect_threads", "belongs to all threads");
}
