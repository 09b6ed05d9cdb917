// vectorize.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ScheduleTesting.h"

using namespace tessera;
using namespace tessera::testing;
using ::testing::HasSubstr;

namespace {
const char *const kAligned = "assume N % 8 == 0, aligned(x, 16), aligned(y, 16)\n";
}

TEST(Vectorize, ALoad) {
  Scheduled done(kRowsKernel, std::string(kAligned) + "vectorize(split(load(x).c, 8).inner)");
  EXPECT_EQ(done.errors, "");
  EXPECT_EQ(iterOf(done, "tile.load"), "d1 = open 512 * vec 8");
  EXPECT_THAT(done.report, HasSubstr("proved   rows of `x` begin at multiples of 16 bytes"));
  EXPECT_THAT(done.report, HasSubstr("is present as a whole or not at all"));
}

TEST(Vectorize, AStoreWhoseValueComesFromTheSameSpan) {
  Scheduled done(kRowsKernel, std::string(kAligned) + "vectorize(split(store(y).c, 8).inner)");
  EXPECT_EQ(done.errors, "");
  EXPECT_EQ(iterOf(done, "tile.store"), "d1 = open 512 * vec 8");
}

TEST(Vectorize, SmallerVectorsNeedLess) {
  Scheduled done(kRowsKernel, "assume N % 8 == 0, aligned(x, 16)\n"
                              "vectorize(split(load(x).c, 4).inner)");
  EXPECT_EQ(done.errors, "") << "16 bytes are a multiple of 8";
  Scheduled one(kRowsKernel, "vectorize(split(load(x).c, 1).inner)");
  EXPECT_EQ(one.errors, "") << "a vector of one asks for nothing";
}

TEST(Vectorize, ElementwiseOpsAskForNothing) {
  Scheduled done(kRowsKernel, "vectorize(split(def(t).c, 8).inner)");
  EXPECT_EQ(done.errors, "");
}

TEST(Vectorize, Refused) {
  std::string body = kAligned;
  expectUnsafe(kRowsKernel, "assume N % 8 == 0\nlet d = split(load(x).c, 8).inner", "vectorize(d)",
               "vector_alignment", "need rows that begin at multiples of it");
  expectUnsafe(kRowsKernel, "assume aligned(x, 16)\nlet d = split(load(x).c, 8).inner",
               "vectorize(d)", "vector_tail", "would be present in part, for instance with N = 1");
  expectUnsafe(kRowsKernel, "assume N % 4 == 0, aligned(x, 16)\nlet d = split(load(x).c, 8).inner",
               "vectorize(d)", "vector_tail", "would be present in part");
  expectRefused(kRowsKernel, body + "let d = split(load(x).c, 8).outer", "vectorize(d)",
                "place_order", "are the innermost factors of a dim");
  expectRefused(kRowsKernel, body + "let d = split(load(x).c, 3).inner", "vectorize(d)",
                "vector_width", "6 bytes; accesses have 1, 2, 4, 8 or 16");
  expectRefused(kRowsKernel, body + "let d = split(load(x).c, 16).inner", "vectorize(d)",
                "vector_width", "32 bytes");
  expectUnsafe(kRowsKernel, body + "let d = split(load(x).r, 2).inner", "vectorize(d)",
               "vector_axis", "is not the last axis of `x`");
  expectRefused(kRowsKernel,
                body + "vectorize(split(load(x).c, 8).inner)\n"
                       "let d = split(load(x).r, 2).inner",
                "vectorize(d)", "vector_dims", "has vectors along `c` already");
  expectRefused(
      kRowsKernel, body + "let {outer: o, inner: i} = split(load(x).c, 512)\nbind(i, reg)",
      "vectorize(split(o, 8).inner)", "place_order", "are the innermost factors of a dim");
}

TEST(Vectorize, WhereTheSpanStarts) {
  auto kernel = [](const std::string &range) {
    return "kernel k(x: in view<[M, 64], f32>, y: inout view<[M, 64], f32>) {\n"
           "    grid r in tiles(M, 4)\n    for c in tiles(" +
           range + ", 8) { y[r, c] = x[r, c] * 2.0 }\n}\n";
  };
  std::string setup = "assume aligned(x, 16)\nlet d = split(load(x).c, 4).inner\n";
  expectUnsafe(kernel("1..57"), setup, "vectorize(d)", "vector_start",
               "would not start at multiples of 4");
  Scheduled done(kernel("4..60"), setup + "vectorize(d)");
  EXPECT_EQ(done.errors, "");
}

TEST(Vectorize, TheWitnessPointsAtTheKernel) {
  Scheduled failed(kRowsKernel, "assume aligned(x, 16)\nvectorize(split(load(x).c, 8).inner)");
  EXPECT_THAT(failed.notes, HasSubstr("kernel 7:13 it is accessed here"));
  EXPECT_THAT(failed.help, HasSubstr("make `versions` for extents that are multiples of 8"));
}

TEST(Vectorize, ValuesThatAConditionCuts) {
  const char *kernel = "kernel k(x: in view<[M, 64], f32>, y: out view<[M, 64], f32>) {\n"
                       "    grid r in tiles(M, 4)\n"
                       "    let t = x[r, :]\n    let u = t.keep_if(t > 0.0)\n    y[r, :] = u\n}\n";
  expectUnsafe(kernel, "assume aligned(y, 16)\nlet d = split(store(y).d1, 4).inner", "vectorize(d)",
               "vector_tail", "may be absent one by one", 2);
}

TEST(Vectorize, ValuesThatComeFromOtherPositions) {
  const char *kernel =
      "kernel k(x: in view<[M, N], f32>, y: out view<[M, N], f32>) where N <= 64\n{\n"
      "    grid r in tiles(M, 4)\n    let c = whole(N, width = 64)\n"
      "    let t = x[r, c]\n    y[r, c] = flip(t, axis = 1)\n}\n";
  expectRefused(kernel, "assume N % 4 == 0, aligned(y, 16)\nlet d = split(store(y).c, 4).inner",
                "vectorize(d)", "vector_tail", "may be absent one by one");
}

TEST(Vectorize, RowsOfAReductionCutNothing) {
  const char *kernel =
      "kernel k(x: in view<[M, N], f32>, y: out view<[M, N], f32>) where N <= 64\n{\n"
      "    grid r in tiles(M, 4)\n    let c = whole(N, width = 64)\n"
      "    let t = x[r, c]\n    y[r, c] = t - max(t, axis = 1, keep = true)\n}\n";
  Scheduled done(kernel, "assume N % 4 == 0, aligned(y, 16)\n"
                         "vectorize(split(store(y).c, 4).inner)");
  EXPECT_EQ(done.errors, "");
}

TEST(Vectorize, WhereAPartOfTheArrayStarts) {
  const char *halves = R"(
kernel halves(x: in view<[M, 2 * H], f32>, y: out view<[M, H], f32>)
{
    grid r in tiles(M, 2), c in tiles(H // 4 * 4, 4)
    let (a, b) = x.split(axis = 1, parts = 2)
    y[r, c] = a[r, c] * b[r, c]
}
)";
  std::string other =
      "let v = versions(aligned(x, 16)).yes\nlet l = v.op(`mul(load(..), load(..))`)";
  Scheduled first(halves, other + "\nvectorize(split(l.lhs.op.c, 4).inner)");
  EXPECT_EQ(first.errors, "");
  expectRefused(halves, other, "vectorize(split(l.rhs.op.c, 4).inner)", "vector_start",
                "a part of `x` moves vectors off their multiples");
  Scheduled second(
      halves, "let v = versions(aligned(x, 16) and H % 4 == 0).yes\n"
              "let l = v.op(`mul(load(..), load(..))`)\nvectorize(split(l.rhs.op.c, 4).inner)");
  EXPECT_EQ(second.errors, "");
  auto groups = [](const std::string &size) {
    return "kernel groups(x: in view<[M, N], f32>, y: out view<[M, N // " + size +
           ", 4], f32>)\n{\n    grid r in tiles(M, 2), g in tiles(N // " + size +
           ", 1), c in tiles(4, 4)\n    y[r, g, c] = x.group(1, " + size + ")[r, g, c]\n}\n";
  };
  std::string aligned = "let v = versions(aligned(x, 16)).yes";
  expectRefused(groups("6"), aligned, "vectorize(split(v.load(x).c, 4).inner)", "vector_start",
                "a group of `x` moves vectors off their multiples");
  EXPECT_EQ(Scheduled(groups("8"), aligned + "\nvectorize(split(v.load(x).c, 4).inner)").errors,
            "");
}

TEST(Vectorize, ABufWhoseRowsRunAcross) {
  const char *const staged = "let s = stage(def(t).x, shared, layout = %s)\n"
                             "let d = split(s.read.c, 8).inner";
  auto with = [&](const char *layout) {
    std::string body = staged;
    return body.replace(body.find("%s"), 2, layout);
  };
  expectUnsafe(kRowsKernel, with("col_major"), "vectorize(d)", "vector_layout",
               "accesses 8 neighbours at once, and in the layout");
  Scheduled done(kRowsKernel, with("row_major") + "\nvectorize(d)");
  EXPECT_EQ(done.errors, "");
}
