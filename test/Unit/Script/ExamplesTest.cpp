// Whole scripts: what they ask of the host, in order.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Examples.h"

#include "ScriptTest.h"

using namespace tessera;
using namespace tessera::testing;

TEST(ScriptExamples, ArraysToAKernel) {
  RunScript ran(kArrays);
  EXPECT_EQ(ran.errors, "");
  EXPECT_NE(ran.log.find("compute_at(def s, nothing, def y.K.outer)"), std::string::npos)
      << ran.log;
}

TEST(ScriptExamples, RowsInAWarp) {
  RunScript ran(kRows);
  EXPECT_EQ(ran.errors, "");
  EXPECT_EQ(ran.log, "versions((((N % 8) == 0) and aligned(x, 16)) and aligned(y, 16))\n"
                     "split(load x.c, 256)\n"
                     "split(load x.c.inner, 8)\n"
                     "bind(load x.r, warp)\n"
                     "bind(load x.c.outer, reg)\n"
                     "bind(load x.c.inner.outer, lane)\n"
                     "vectorize(load x.c.inner.inner)\n"
                     "pin(load x, nothing)\n"
                     "pin(store y, load x)\n"
                     "seal(yes)\n"
                     "split(load x.c, 32)\n"
                     "split(load x.c.inner, 1)\n"
                     "bind(load x.r, warp)\n"
                     "bind(load x.c.outer, reg)\n"
                     "bind(load x.c.inner.outer, lane)\n"
                     "vectorize(load x.c.inner.inner)\n"
                     "pin(load x, nothing)\n"
                     "pin(store y, load x)\n"
                     "seal(no)\n");
}

TEST(ScriptExamples, MatmulWithVersions) {
  RunScript ran(kMatmul);
  EXPECT_EQ(ran.errors, "");
  EXPECT_NE(ran.log.find("ring([def acc.a.buf, def acc.b.buf], 3, cp_async)"), std::string::npos);
  EXPECT_NE(ran.log.find("ring([def acc.a.buf, def acc.b.buf], 2, cp_async)"), std::string::npos);
  EXPECT_NE(ran.log.find("split(def acc.m, 64)"), std::string::npos);
  EXPECT_NE(ran.log.find("split(def acc.n, 32)"), std::string::npos);
  EXPECT_NE(ran.log.find("overlay(store d.value.buf, [def acc.a.buf, def acc.b.buf])"),
            std::string::npos)
      << ran.log;
}

TEST(ScriptExamples, MatmulWithSettings) {
  script::RunOptions options;
  options.settings = {{"WM", "4"}, {"S", "4"}};
  RunScript ran(kMatmul, options);
  EXPECT_EQ(ran.errors, "");
  EXPECT_NE(ran.log.find("], 4, cp_async)"), std::string::npos) << ran.log;
  EXPECT_EQ(ran.log.find("split(def acc.m, 64)"), std::string::npos);
}

TEST(ScriptExamples, Attention) {
  RunScript ran(kAttention);
  EXPECT_EQ(ran.errors, "");
  EXPECT_NE(ran.log.find("replace(def s.mma.b.copy, cp_async_16)\n"), std::string::npos) << ran.log;
  EXPECT_NE(ran.log.find("peel(loop n, keep_if)\n"), std::string::npos);
  EXPECT_NE(ran.log.find("auto_sync(kernel)\nseal(nothing)\n"), std::string::npos);
}

TEST(ScriptExamples, Roles) {
  RunScript ran(kRoles);
  EXPECT_EQ(ran.errors, "");
  EXPECT_NE(ran.log.find("roles({producer: [load], consumer: rest}, {producer: 4, consumer: 8}, "
                         "{producer: 40, consumer: 232})\n"),
            std::string::npos)
      << ran.log;
  EXPECT_NE(ran.log.find("ring([store d.value.buf], 2, bulk)\n"), std::string::npos);
}

TEST(ScriptExamples, EveryForm) {
  RunScript ran(kForms);
  EXPECT_EQ(ran.errors, "");
  EXPECT_EQ(ran.printed, "step 0 0 false [0, {a: 0}] [1, 2]\n"
                         "step 1 -1 false [1, {a: 1}] [1, 2]\n"
                         "split_factor split\n"
                         "5 7 true 3 1 16 10 op `mma(_, truncf(p), ..)`.m.outer "
                         "op `mma(_, truncf(p), ..)`.before\n");
  EXPECT_NE(ran.log.find("trust measured by hand\nunroll(loop k)\nend of trust\n"),
            std::string::npos);
  EXPECT_NE(ran.log.find("assume M > 0\nassume (K % 64) == 0\n"), std::string::npos);
  EXPECT_NE(ran.log.find("expect regs <= 128\n"), std::string::npos);
  EXPECT_NE(ran.log.find("ring(loop k.a.buf, 3, cp_async)\n"), std::string::npos) << ran.log;
}
