// versions, assume, expect, trust.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ScheduleTesting.h"

using namespace tessera;
using namespace tessera::testing;
using ::testing::HasSubstr;

TEST(Versions, TheFactIsKnownInOneOfThem) {
  Scheduled done(kRowsKernel, "let {yes, no} = versions(N % 8 == 0 and aligned(x, 16))\n"
                              "vectorize(split(yes.load(x).c, 8).inner)\nsplit(no.load(x).c, 8)\n"
                              "print yes; print no");
  EXPECT_EQ(done.errors, "");
  EXPECT_EQ(done.printed, "kernel rows.yes\nkernel rows.no\n");
  EXPECT_THAT(done.ir, HasSubstr("tile.kernel @rows.yes"));
  EXPECT_THAT(done.ir, HasSubstr("tile.kernel @rows["));
  EXPECT_THAT(done.ir, HasSubstr("tile.version_of = @rows, tile.when = [\"((N % 8) == 0) and "
                                 "aligned(x, 16)\"]"));
  EXPECT_THAT(done.lines("tile.load"), HasSubstr("open 512 * vec 8"));
  EXPECT_THAT(done.lines("tile.load"), HasSubstr("open 512 * open 8"));
}

TEST(Versions, TheOtherOneKnowsNothing) {
  expectRefused(kRowsKernel,
                "let {yes, no} = versions(N % 8 == 0 and aligned(x, 16))\n"
                "let d = split(no.load(x).c, 8).inner",
                "vectorize(d)", "vector_alignment", "need rows that begin");
}

TEST(Versions, OlderCursorsAreAmbiguous) {
  Scheduled done(kRowsKernel, "let x = load(x)\nlet v = versions(N % 8 == 0)\nbind(x.r, warp)");
  EXPECT_THAT(done.errors, HasSubstr("stands for 2 places: `load x.yes`, `load x.no`"));
  Scheduled self(kRowsKernel, "versions(N % 8 == 0)\nload(x)");
  EXPECT_THAT(self.errors, HasSubstr("T1075")) << "the kernel itself is two now";
  Scheduled named(kRowsKernel, "let x = load(x)\nversions(N % 8 == 0)\nbind(x.yes.r, warp)");
  EXPECT_EQ(named.errors, "");
}

TEST(Versions, WhatIsAskedOfBothIsKnownInBoth) {
  Scheduled done(kRowsKernel, "versions(N % 8 == 0)\nprint provable(N % 8 == 0)");
  EXPECT_EQ(done.printed, "false\n");
}

TEST(Versions, OfAVersion) {
  Scheduled done(kRowsKernel, "let {yes} = versions(N % 8 == 0)\n"
                              "let {yes: both} = yes.versions(aligned(x, 16))\n"
                              "vectorize(split(both.load(x).c, 8).inner)");
  EXPECT_EQ(done.errors, "");
  EXPECT_THAT(done.ir, HasSubstr("tile.when = [\"(N % 8) == 0\", \"aligned(x, 16)\"]"));
}

TEST(Versions, Refused) {
  expectRefused(kRowsKernel, "", "versions(N > 5000)", "versions_never",
                "contradicts what is known");
  expectRefused(kRowsKernel, "", "versions(regs <= 128)", "fact_kind",
                "`regs` is known only once layouts are");
  expectRefused(kRowsKernel, "", "versions(N % 8)", "fact_kind", "is a number, not a condition");
}

TEST(Assume, BecomesACheckOfTheLaunch) {
  Scheduled done(kRowsKernel, "assume N % 8 == 0, aligned(x, 16)\nprint provable(N % 4 == 0)\n"
                              "print provable(N % 16 == 0)");
  EXPECT_EQ(done.errors, "");
  EXPECT_EQ(done.printed, "true\nfalse\n");
  EXPECT_THAT(done.lines("tile.require"), HasSubstr("\"(N % 8) == 0\""));
  EXPECT_THAT(done.ir, HasSubstr("tile.assumes = [\"(N % 8) == 0\", \"aligned(x, 16)\"]"));
  EXPECT_EQ(done.ledger.totals().assumed, 2u);
}

TEST(Assume, MakesAWhereWhereThereIsNone) {
  Scheduled done(kProductKernel, "assume K % 8 == 0");
  EXPECT_EQ(done.errors, "");
  EXPECT_THAT(done.lines("tile.require"), HasSubstr("\"(K % 8) == 0\""));
  Scheduled address(kProductKernel, "assume aligned(a, 16)");
  EXPECT_EQ(address.errors, "");
  EXPECT_EQ(address.lines("tile.require"), "") << "no op sees an address";
}

TEST(Assume, Refused) {
  Scheduled failed(kRowsKernel, "assume regs <= 128");
  EXPECT_THAT(failed.errors, HasSubstr("known only once layouts are"));
}

TEST(Expect, IsDueLater) {
  Scheduled done(kRowsKernel, "expect regs <= 128");
  EXPECT_EQ(done.errors, "");
  EXPECT_EQ(done.ledger.totals().open, 1u);
  EXPECT_THAT(done.report, HasSubstr("open     regs <= 128 (layouts)"));
}

TEST(Trust, SkipsAndTaints) {
  Scheduled done(kRowsKernel,
                 "trust(\"rows are padded\") { vectorize(split(load(x).c, 8).inner) }");
  EXPECT_EQ(done.errors, "");
  EXPECT_TRUE(done.ledger.isTainted());
  EXPECT_THAT(done.report, HasSubstr("trusted"));
  EXPECT_THAT(done.report, HasSubstr("(reason: rows are padded)"));
}

TEST(Trust, CanBeForbidden) {
  Scheduled::Options options;
  options.allowTrust = false;
  expectRefused(kRowsKernel, "", "trust(\"no\") { split(load(x).c, 8) }", "no_trust",
                "`--no-trust` forbids it", options);
}
