// Bufs in order of the program: what goes in comes out, memory forgets absence, and a cell without a value is not read.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ScheduleKernels.h"

using namespace tessera;
using namespace tessera::interptest;

namespace {
/// A body over x (6 x 4, 0 to 23) and y of the same shape; `%r` is a span of 8 with 6 present.
Outcome overRows(const std::string &body, const std::string &attributes = "") {
  Values x;
  for (int i = 0; i < 24; ++i) {
    x.push_back(i);
  }
  Schedule schedule{
      {{"x", "?x4xf32", arrayOf(DType::f32, {6, 4}, x)}}, {{"y", "?x4xf32", {6, 4}}}, ""};
  schedule.attributes = attributes;
  return run(schedule.with(R"(
    %c0 = tile.constant 0 : i64
    %c1 = tile.constant 1 : i64
    %c2 = tile.constant 2 : i64
    %c8 = tile.constant 8 : i64
    %n = tile.dim %x, 0 : !tile.view<?x4xf32, in>
    %r = tile.span %c0, %n : !tile.span<8>
    %all = tile.span %c0, %c8 : !tile.span<8>
    %a = tile.alloc : !tile.buf<8x4xf32, shared>
    %seven = tile.constant 7.0 : f32
)" + body));
}

const std::string copyIn = "tile.copy %x[%r, :] to %a fill FILL : !tile.view<?x4xf32, in>, "
                           "!tile.span<8> to !tile.buf<8x4xf32, shared>\n";
std::string copyAs(const std::string &fill) { return edit(copyIn, "FILL", fill); }
std::string read(const std::string &name, const std::string &span) {
  return "%" + name + " = tile.read %a span[%" + span +
         ", :] : !tile.buf<8x4xf32, shared>, !tile.span<8> -> tensor<8x4xf32>\n";
}
std::string store(const std::string &name) {
  return "tile.store %" + name +
         ", %y[%r, :] : tensor<8x4xf32>, !tile.view<?x4xf32, out>, !tile.span<8>\n";
}
std::string write(const std::string &name) {
  return "tile.write %" + name + " to %a : tensor<8x4xf32> to !tile.buf<8x4xf32, shared>\n";
}

void expectCode(const Outcome &outcome, const std::string &code, const std::string &words) {
  ASSERT_EQ(codes(outcome.report.errors), std::vector<std::string>{code})
      << explain(outcome.report);
  EXPECT_NE(outcome.report.errors[0].message.find(words), std::string::npos)
      << outcome.report.errors[0].message;
  EXPECT_NE(lineOf(outcome.report.errors[0].where), 0u);
}
} // namespace

TEST(Storage, WhatGoesInComesOut) {
  Outcome found = overRows(copyAs("undef") + read("t", "r") + store("t"));
  ASSERT_TRUE(found.report.succeeded()) << explain(found.report);
  for (int i = 0; i < 24; ++i) {
    EXPECT_EQ(found.values[i], i);
  }
}

TEST(Storage, ReadsRestateAbsence) {
  // Sums of columns over present rows: 6 of 8, whatever the other two hold.
  Outcome found = overRows(copyAs("zero") + read("t", "r") + R"(
    %m = tile.reduce min %t along 0 : tensor<8x4xf32> -> tensor<4xf32>
    tile.store %m, %y[%c0, :] : tensor<4xf32>, !tile.view<?x4xf32, out>, i64
    %u = tile.read %a span[%all, :] : !tile.buf<8x4xf32, shared>, !tile.span<8> -> tensor<8x4xf32>
    %v = tile.add %u, %u : tensor<8x4xf32>
    %w = tile.reduce max %v along 0 : tensor<8x4xf32> -> tensor<4xf32>
    tile.store %w, %y[%c1, :] : tensor<4xf32>, !tile.view<?x4xf32, out>, i64
    %z = tile.reduce min %u along 0 : tensor<8x4xf32> -> tensor<4xf32>
    tile.store %z, %y[%c2, :] : tensor<4xf32>, !tile.view<?x4xf32, out>, i64)");
  ASSERT_TRUE(found.report.succeeded()) << explain(found.report);
  EXPECT_SAME(Values(found.values.begin(), found.values.begin() + 12),
              ({0, 1, 2, 3, 40, 42, 44, 46, 0, 0, 0, 0}));
}

TEST(Storage, CellsWithoutAValueAreNotRead) {
  expectCode(overRows(read("t", "r")), "T1154", "nothing was written to it");
  expectCode(overRows(copyAs("undef") + read("t", "all")), "T1154", "`fill undef` did not write");
  Outcome found = overRows(copyAs("zero") + copyAs("undef") + read("t", "all"));
  expectCode(found, "T1154", "`fill undef` did not write");
  EXPECT_EQ(found.report.errors[0].index, (std::vector<int64_t>{6, 0}));
  EXPECT_EQ(found.report.errors[0].notes.size(), 1u);
  EXPECT_TRUE(overRows(copyAs("zero") + read("t", "all")).report.succeeded());
}

TEST(Storage, WritesLeaveTheCellsOfAbsentElements) {
  // Rows 6 and 7 are absent in the load; they keep what the first write put there.
  const std::string seven = R"(
    %s = tile.splat %seven : f32 to tensor<8x4xf32>
)" + write("s");
  Outcome found = overRows(seven +
                           R"(
    %t = tile.load %x[%r, :] : !tile.view<?x4xf32, in>, !tile.span<8> -> tensor<8x4xf32>
)" + write("t") + read("u", "all") +
                           R"(
    %m = tile.reduce max %u along 0 : tensor<8x4xf32> -> tensor<4xf32>
    %h = tile.slice %u from [6, 0] : tensor<8x4xf32> to tensor<1x4xf32>
    %q = tile.squeeze %h at [0] : tensor<1x4xf32> to tensor<4xf32>
    tile.store %q, %y[%c0, :] : tensor<4xf32>, !tile.view<?x4xf32, out>, i64
    tile.store %m, %y[%c1, :] : tensor<4xf32>, !tile.view<?x4xf32, out>, i64)");
  ASSERT_TRUE(found.report.succeeded()) << explain(found.report);
  EXPECT_SAME(Values(found.values.begin(), found.values.begin() + 8),
              ({7, 7, 7, 7, 20, 21, 22, 23}));
}

TEST(Storage, CopyOutWritesThePresentBox) {
  const std::string out =
      "tile.copy_out %a to %y[%r, :] : !tile.buf<8x4xf32, shared> to !tile.view<?x4xf32, out>, "
      "!tile.span<8>\n";
  Outcome found = overRows(copyAs("undef") + out);
  ASSERT_TRUE(found.report.succeeded()) << explain(found.report);
  EXPECT_EQ(found.values[23], 23);
  expectCode(overRows(out), "T1154", "nothing was written to it");
}

TEST(Storage, MemoryTakenByAnotherIsLost) {
  const std::string over = R"(
    %b = tile.alloc over %a : !tile.buf<8x4xf32, shared> over !tile.buf<8x4xf32, shared>
)";
  const std::string toB = "tile.write %t to %b : tensor<8x4xf32> to !tile.buf<8x4xf32, shared>\n";
  EXPECT_TRUE(overRows(over + copyAs("undef") + read("t", "r") + toB).report.succeeded());
  expectCode(overRows(over + copyAs("undef") + read("t", "r") + toB + read("u", "r")), "T1155",
             "took its memory");
}

TEST(Storage, WhoWritesTakesTheMemoryBack) {
  const std::string over = R"(
    %b = tile.alloc over %a : !tile.buf<8x4xf32, shared> over !tile.buf<8x4xf32, shared>
    %e = tile.alloc over %b : !tile.buf<8x4xf32, shared> over !tile.buf<8x4xf32, shared>
)";
  const auto to = [](const char *buf) {
    return std::string("tile.write %t to ") + buf +
           " : tensor<8x4xf32> to !tile.buf<8x4xf32, shared>\n";
  };
  const auto from = [](const char *name, const char *buf) {
    return std::string(name) + " = tile.read " + buf +
           " span[%r, :] : !tile.buf<8x4xf32, shared>, !tile.span<8> -> tensor<8x4xf32>\n";
  };
  const std::string begin = over + copyAs("undef") + read("t", "r");
  EXPECT_TRUE(overRows(begin + to("%b") + to("%a") + read("u", "r")).report.succeeded());
  EXPECT_TRUE(overRows(begin + to("%b") + to("%e") + to("%a") + read("u", "r")).report.succeeded());
  EXPECT_TRUE(
      overRows(begin + to("%b") + to("%a") + to("%b") + from("%v", "%b")).report.succeeded());
  // What the taker held is lost, through a chain of takers too.
  expectCode(overRows(begin + to("%b") + to("%a") + from("%v", "%b")), "T1154", "took its memory");
  expectCode(overRows(begin + to("%b") + to("%e") + to("%a") + from("%v", "%e")), "T1154",
             "took its memory");
  expectCode(overRows(begin + to("%b") + to("%a") + to("%b") + read("u", "r")), "T1155",
             "took its memory");
}

TEST(Storage, EachGridPointHasItsOwn) {
  EXPECT_TRUE(run(stagedCopy()).report.succeeded());
  // The second point finds nothing of the first.
  Schedule once =
      stagedCopy().with(edit(edit(stagedCopy().body, "      tile.copy %x[%m, :]", R"(
      %first = tile.span_start %m : !tile.span<4>
      %is = tile.cmp eq, %first, %c0 : i64
      scf.if %is {
      tile.copy %x[%m, :])"),
                             "      tile.barrier cta\n", "      }\n      tile.barrier cta\n"));
  Outcome found = run(once);
  expectCode(found, "T1154", "nothing was written to it");
  EXPECT_EQ(found.report.errors[0].gridPoint, std::vector<int64_t>{4});
}

TEST(Storage, StepsOfParHaveTheirOwnWherePerWarp) {
  // Each warp writes its number to its memory; then all read back what they wrote.
  const std::string body = R"(
    %w = tile.alloc : !tile.buf<4xi64, shared, per = PER>
    tile.par warp 4 {
    ^bb0(%i: i64):
      %s = tile.splat %i : i64 to tensor<4xi64>
      tile.write %s to %w : tensor<4xi64> to !tile.buf<4xi64, shared, per = PER>
    }
    tile.par warp 4 {
    ^bb0(%i: i64):
      %t = tile.read %w span[:] : !tile.buf<4xi64, shared, per = PER> -> tensor<4xi64>
      %f = tile.cast %t : tensor<4xi64> to tensor<4xf32>
      tile.store %f, %y[%i, :] : tensor<4xf32>, !tile.view<?x4xf32, out>, i64
    })";
  auto per = [&](const std::string &scope) {
    std::string text = body;
    for (size_t at; (at = text.find("PER")) != std::string::npos;) {
      text.replace(at, 3, scope);
    }
    return overRows(text);
  };
  Outcome found = per("warp");
  ASSERT_TRUE(found.report.succeeded()) << explain(found.report);
  EXPECT_SAME(Values(found.values.begin(), found.values.begin() + 16),
              ({0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3}));
  EXPECT_EQ(per("cta").values[0], 3);
}

TEST(Storage, TooMuchIsRefused) {
  Outcome found = overRows("%big = tile.alloc : !tile.buf<65536x65536xf32, workspace>\n");
  ASSERT_EQ(codes(found.report.errors), std::vector<std::string>{"T0886"});
}
