// Finding ops by the names of the source, members, inspection.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ScheduleTesting.h"

using namespace tessera;
using namespace tessera::testing;
using ::testing::HasSubstr;

static std::string printed(const char *kernel, const std::string &expr) {
  Scheduled done(kernel, "print " + expr);
  return done.errors.empty() ? llvm::StringRef(done.printed).trim().str() : done.errors;
}

TEST(Find, ByName) {
  EXPECT_EQ(printed(kProductKernel, "loop(k)"), "loop k");
  EXPECT_EQ(printed(kProductKernel, "load(a)"), "load a");
  EXPECT_EQ(printed(kProductKernel, "store(d)"), "store d");
  EXPECT_EQ(printed(kProductKernel, "def(acc) == op(`mma(_, _, _)`)"), "true");
  EXPECT_EQ(printed(kProductKernel, "loop(k).load(b) == load(b)"), "true");
  EXPECT_EQ(printed(kProductKernel, "self"), "kernel product");
  EXPECT_EQ(printed(kRowsKernel, "def(t)"), "cast t");
}

TEST(Find, ByPattern) {
  EXPECT_EQ(printed(kRowsKernel, "op(`mul(t, _)`)"), "mul");
  EXPECT_EQ(printed(kRowsKernel, "op(`cast(mul(..))`)"), "cast");
  EXPECT_EQ(printed(kRowsKernel, "op(`store(_, y, ..)`)"), "store y");
  EXPECT_THAT(printed(kRowsKernel, "op(`mul(_)`)"), HasSubstr("there is no `op(mul(_))`"));
}

TEST(Find, NothingOfThatName) {
  EXPECT_THAT(printed(kProductKernel, "loop(j)"),
              HasSubstr("there is no `loop(j)` in `kernel product`"));
  EXPECT_THAT(printed(kProductKernel, "load(d)"), HasSubstr("T1076"));
  Scheduled failed(kProductKernel, "print loop(j)");
  EXPECT_EQ(failed.help, "there are `k`");
}

TEST(Find, SeveralOfThatName) {
  const char *kernel = "kernel k(x: in view<[64], f32>, y: inout view<[64], f32>) {\n"
                       "    grid g in 0..1\n    for i in 0..8 { y[i] = x[i] }\n"
                       "    for i in 8..16 { y[i] = x[i] }\n}\n";
  Scheduled failed(kernel, "loop(i)");
  EXPECT_THAT(failed.errors,
              HasSubstr("stands for 2 places: `loop i at line 3`, `loop i at line 4`"));
  EXPECT_THAT(failed.notes, HasSubstr("kernel 3:"));
  EXPECT_THAT(failed.notes, HasSubstr("kernel 4:"));
}

TEST(Find, TheLastValueOfAVariable) {
  const char *kernel = "kernel k(x: in view<[64], f32>, y: out view<[64], f32>) {\n"
                       "    grid g in 0..1\n    var t = x[:] * 2.0\n    t = t + 1.0\n"
                       "    y[:] = t\n}\n";
  EXPECT_EQ(printed(kernel, "def(t) == op(`add(..)`)"), "true");
  EXPECT_EQ(printed(kernel, "def(t).mul == op(`mul(..)`)"), "true");
}

TEST(Find, WhatSectionsHandOut) {
  Scheduled done(kProductKernel,
                 "let mm = def(acc), A = stage(mm.a, shared), B = stage(mm.b, shared)\n"
                 "sections(loop(k), {load: [A.copy, B.copy], use: rest})\n"
                 "print def(acc) == mm");
  EXPECT_EQ(done.errors, "");
  EXPECT_EQ(done.printed, "true\n");
}

TEST(Find, Members) {
  EXPECT_EQ(printed(kProductKernel, "[def(acc).m, def(acc).n, def(acc).k]"),
            "[mma acc.m, mma acc.n, mma acc.k]");
  EXPECT_EQ(printed(kProductKernel, "[load(a).m, load(a).k, load(b).k, load(b).n]"),
            "[load a.m, load a.k, load b.k, load b.n]");
  EXPECT_EQ(printed(kProductKernel, "def(acc).a"), "mma acc.a");
  EXPECT_EQ(printed(kProductKernel, "def(acc).a.op == load(a)"), "true");
  EXPECT_EQ(printed(kProductKernel, "store(d).value"), "store d.value");
  EXPECT_EQ(printed(kProductKernel, "def(acc).parent == loop(k)"), "true");
  EXPECT_EQ(printed(kProductKernel, "loop(k).body.last == def(acc)"), "true");
  EXPECT_EQ(printed(kProductKernel, "loop(k).body.after"), "mma acc.after");
  EXPECT_EQ(printed(kRowsKernel, "[def(t).r, def(t).c]"), "[cast t.r, cast t.c]");
  EXPECT_EQ(printed(kRowsKernel, "store(y).mul"), "mul");
  EXPECT_EQ(printed(kLoopsKernel, "op(`reduce(_)`).w"), "reduce total.w");
}

TEST(Find, NoSuchMember) {
  Scheduled failed(kProductKernel, "print def(acc).q");
  EXPECT_THAT(failed.errors, HasSubstr("`mma acc` has no `q`"));
  EXPECT_EQ(failed.help, "it has `m`, `n`, `k`, `a`, `b`, `c`, `before`, `after`, `parent`");
}

TEST(Find, Inspection) {
  EXPECT_EQ(printed(kProductKernel, "extent(def(acc).k)"), "32");
  EXPECT_EQ(printed(kLoopsKernel, "extent(loop(v))"), "2");
  EXPECT_EQ(printed(kProductKernel, "is_const(loop(k))"), "false");
  EXPECT_EQ(printed(kLoopsKernel, "is_const(loop(v))"), "true");
  EXPECT_EQ(printed(kProductKernel, "[reads(loop(k)), writes(store(d))]"), "[[a, b], [d]]");
  EXPECT_EQ(printed(kProductKernel, "class(def(acc))"), "dot");
  EXPECT_EQ(printed(kLoopsKernel, "class(op(`reduce(_)`))"), "tree");
  EXPECT_EQ(printed(kProductKernel, "[dtype(load(a)), dtype(def(acc)), dtype(def(acc).a)]"),
            "[bf16, f32, bf16]");
  EXPECT_EQ(printed(kRowsKernel, "[provable(N <= 4096), provable(N <= 4095), provable(M >= 0)]"),
            "[true, false, true]");
  EXPECT_EQ(printed(kRowsKernel, "[target.arch, target.smem]"), "[sm_80, 166912]");
  EXPECT_THAT(printed(kProductKernel, "extent(loop(k))"), HasSubstr("is no constant"));
  EXPECT_THAT(printed(kRowsKernel, "aligned(z, 16)"), HasSubstr("has no view `z`"));
  EXPECT_THAT(printed(kRowsKernel, "aligned(x, 12)"), HasSubstr("no power of two"));
}

TEST(Find, BlocksAndCalls) {
  EXPECT_EQ(printed(kProductKernel, "block(load(a), def(acc))"), "load a to mma acc");
  EXPECT_THAT(printed(kProductKernel, "block(def(acc), load(a))"),
              HasSubstr("does not come before"));
  const char *kernel = "fn twice(t: tile<[64], f32>) -> tile<[64], f32> { t + t }\n"
                       "kernel k(x: in view<[64], f32>, y: out view<[64], f32>) {\n"
                       "    grid g in 0..1\n    y[:] = twice(x[:])\n}\n";
  EXPECT_EQ(printed(kernel, "call(twice)"), "call twice");
  EXPECT_THAT(printed(kernel, "call(thrice)"), HasSubstr("no op comes from a call `thrice(…)`"));
}
