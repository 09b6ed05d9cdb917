//===- SealTest.cpp - entries of the report -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rules one by one, each with a near miss; refused kernels with one fault each are test/Schedule/faults.
//
//===----------------------------------------------------------------------===//

#include "SealTesting.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace tessera;
using namespace tessera::sealtest;

namespace {

const char *const head = R"(
tile.instr @copies on "sm_80" scope thread order exact via cp_async operands [
    {name = "dst", kind = "smem", out}, {name = "src", kind = "view"}] ptx "" {
^bb0(%dst: tensor<32xf32>, %src: tensor<32xf32>):
  tile.yield %src : tensor<32xf32>
}
tile.kernel @k[%N "N", %R "R"](%x "x": !tile.view<?xf32, in> shape ()[s0, s1] -> (s0), %y "y": !tile.view<?xf32, inout> shape ()[s0, s1] -> (s0),
    %i "i": !tile.view<?xi64, in> shape ()[s0, s1] -> (s1), %w "w": !tile.view<?x8xf32, inout> shape ()[s0, s1] -> (s1, 8)) attributes {tile.warps = 4 : i64} body {
  %c0 = tile.constant 0 : i64
  %c1 = tile.constant 1 : i64
  %c2 = tile.constant 2 : i64
  %c32 = tile.constant 32 : i64
  %zero = tile.constant 0.0 : f32 tensor<32xf32>
)";

/// Codes of the open entries for a body of the kernel above, and how many entries are left to the program.
struct Outcome {
  std::vector<std::string> codes;
  unsigned programs = 0, proved = 0;
  std::string text; ///< of the first open entry
};

Outcome sealOf(const std::string &body, const SealOptions &given = {}) {
  Parsed parsed(head + body + "\n}\n");
  EXPECT_TRUE(parsed.module) << parsed.problems << body;
  Outcome outcome;
  if (!parsed.module) {
    return outcome;
  }
  SealOptions options = given;
  options.emit = false;
  solver::ExprContext context;
  solver::Solver solver(context);
  SealReport report = seal(parsed.kernel(), solver, options);
  EXPECT_TRUE(solver.facts().empty());
  for (const SealEntry &entry : report.entries) {
    outcome.programs += entry.status == SealStatus::program;
    outcome.proved += entry.status == SealStatus::proved;
    if (entry.isOpen()) {
      outcome.codes.push_back(sealDiagCode(*entry.diagnostic).str());
      if (outcome.text.empty()) {
        outcome.text =
            entry.message + "; " + entry.missing + "; " + entry.witness + "; " + entry.help;
      }
    }
  }
  return outcome;
}

std::string codes(const std::string &body) {
  std::string all;
  for (const std::string &code : sealOf(body).codes) {
    all += (all.empty() ? "" : " ") + code;
  }
  return all;
}

std::string grid(const std::string &body) {
  return "tile.grid (%m = tiles(%c0 to %N by 32)) {\n" + body + "\n}";
}

const std::string buf = "!tile.buf<32xf32, shared>";
const std::string alloc = "%a = tile.alloc : " + buf + "\n";
const std::string load =
    "%t = tile.load %x[%m] : !tile.view<?xf32, in>, !tile.span<32> -> tensor<32xf32>\n";
const std::string writeA = "tile.write %t to %a : tensor<32xf32> to " + buf + "\n";
const std::string readA =
    "%u = tile.read %a span[%m] : " + buf + ", !tile.span<32> -> tensor<32xf32>\n";
const std::string store =
    "tile.store %u, %y[%m] : tensor<32xf32>, !tile.view<?xf32, inout>, !tile.span<32>\n";
const std::string barrier = "tile.barrier cta\n";
const std::string copy =
    "tile.apply @copies via cp_async {\n  tile.copy %x[%m] to %a fill zero : !tile.view<?xf32, "
    "in>, !tile.span<32> to " +
    buf + "\n}\n";
const std::string commit = "tile.group_commit cp_async\n";
std::string wait(int pending) {
  return "tile.group_wait cp_async pending " + std::to_string(pending) + "\n";
}

} // namespace

TEST(Seal, UnknownTargetIsRefused) {
  SealOptions options;
  options.target = "sm_1";
  Outcome outcome = sealOf(grid(load), options);
  ASSERT_EQ(outcome.codes, std::vector<std::string>{"T1254"});
  EXPECT_NE(outcome.text.find("sm_80"), std::string::npos);
  // Emitted once, so that the code counts as provoked.
  Parsed parsed(head + grid(load) + "\n}\n");
  std::string emitted;
  ScopedDiagnosticHandler handler(&parsed.context, [&](Diagnostic &diagnostic) {
    emitted += diagnostic.str();
    return success();
  });
  solver::ExprContext context;
  solver::Solver solver(context);
  EXPECT_FALSE(seal(parsed.kernel(), solver, options).isSealed());
  EXPECT_NE(emitted.find("T1254: `sm_1` is no target"), std::string::npos);
}

TEST(Seal, TargetsDifferInSharedMemory) {
  std::string large = grid("%big = tile.alloc : !tile.buf<200x256xf32, shared>\n" + load);
  EXPECT_EQ(codes(large), "T1250");
  SealOptions options;
  options.target = "sm_90a";
  EXPECT_TRUE(sealOf(large, options).codes.empty());
}

TEST(Seal, WarpsMultiplyMemoryOfTheirOwn) {
  EXPECT_EQ(codes(grid("%b = tile.alloc : !tile.buf<80x128xf32, shared, per = warp>\n")), "");
  EXPECT_EQ(codes(grid("%b = tile.alloc : !tile.buf<128x128xf32, shared, per = warp>\n")), "T1250");
  // Memory that is taken over is not counted twice.
  EXPECT_EQ(
      codes(grid("%b = tile.alloc : !tile.buf<256x128xf32, shared>\n%c = tile.alloc over %b : "
                 "!tile.buf<256x128xf32, shared> over !tile.buf<256x128xf32, shared>\n")),
      "");
}

TEST(Seal, EntriesNameBothOpsAndTheEdge) {
  Outcome outcome = sealOf(grid(alloc + load + writeA + readA + store));
  ASSERT_EQ(outcome.codes, std::vector<std::string>{"T1210"});
  EXPECT_NE(outcome.text.find("`tile.write` and `tile.read`"), std::string::npos);
  EXPECT_NE(outcome.text.find("read after write needs a barrier of scope `cta`"),
            std::string::npos);
  EXPECT_NE(outcome.text.find("put `tile.barrier cta`"), std::string::npos);
}

TEST(Seal, TableCountsByKind) {
  Parsed parsed(head + grid(alloc + load + writeA + readA + store) + "\n}\n");
  ASSERT_TRUE(parsed.module) << parsed.problems;
  solver::ExprContext context;
  solver::Solver solver(context);
  SealOptions options;
  options.emit = false;
  SealReport report = seal(parsed.kernel(), solver, options);
  EXPECT_FALSE(report.isSealed());
  EXPECT_EQ(report.count(SealKind::order, SealStatus::refuted), 1u);
  EXPECT_EQ(report.count(SealKind::values, SealStatus::proved), 1u);
  EXPECT_NE(report.table().find("refuted: `tile.write`"), std::string::npos);
  EXPECT_NE(report.table().find("(T1210)"), std::string::npos);
}

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

TEST(SealOrder, HalvesOfAViewNeedNoBarrier) {
  auto halves = [&](const std::string &second) {
    return codes("tile.grid (%p = range(%c0 to %R)) {\n"
                 "%t = tile.constant 0.0 : f32 tensor<8xf32>\n"
                 "tile.for %k in range(%c0 to %c1) {\n"
                 "  tile.store %t, %w[%p, :] : tensor<8xf32>, !tile.view<?x8xf32, inout>, i64\n"
                 "  %u = tile.load %w[" +
                 second + ", :] : !tile.view<?x8xf32, inout>, i64 -> tensor<8xf32>\n}\n}");
  };
  // The row of another point: refused as a race of points; its own row: a race of threads.
  EXPECT_NE(halves("%p").find("T1210"), std::string::npos);
  EXPECT_EQ(
      codes(
          "tile.grid (%m = tiles(%c0 to %N by 32)) {\n%from = tile.span_start %m : !tile.span<32>\n"
          "%end = tile.span_stop %m : !tile.span<32>\n%c16 = tile.constant 16 : i64\n"
          "%mid = tile.add %from, %c16 : i64\n%p = tile.span %from, %end : !tile.span<16>\n"
          "%q = tile.span %mid, %end : !tile.span<16>\n"
          "%t = tile.load %y[%p] : !tile.view<?xf32, inout>, !tile.span<16> -> tensor<16xf32>\n"
          "tile.store %t, %y[%q] : tensor<16xf32>, !tile.view<?xf32, inout>, !tile.span<16>\n}"),
      "");
}

TEST(SealOrder, AtomicsOrderThemselves) {
  std::string add = "tile.atomic add %t, %y[%m] {order_any} : tensor<32xf32>, !tile.view<?xf32, "
                    "inout>, !tile.span<32>\n";
  EXPECT_EQ(codes(grid(load + add + add)), "");
  EXPECT_EQ(codes(grid(load + add + "%u = tile.add %t, %t : tensor<32xf32>\n" + store)), "T1210");
}

TEST(SealOrder, LoopsOfTwoRegions) {
  auto loop = [&](const std::string &last) {
    return codes(
        grid(alloc + load + "%n = scf.while (%j = %c0) : (i64) -> i64 {\n" + writeA + barrier +
             "  %more = tile.cmp lt, %j, %R : i64\n  scf.condition(%more) %j : i64\n} do {\n"
             "^bb0(%j: i64):\n" +
             readA + "  tile.print \"seen\", %u : tensor<32xf32>\n" + last +
             "  %next = tile.add %j, %c1 : i64\n  scf.yield %next : i64\n}\n"));
  };
  EXPECT_EQ(loop(barrier), "");
  EXPECT_EQ(loop(""), "T1211");
}

TEST(SealOrder, ReversedLoopsKeepTheirCellsApart) {
  EXPECT_EQ(
      codes(
          "tile.grid (%p = range(%c0 to %c1)) {\ntile.for %m in tiles(%c0 to %N by 32) reversed "
          "{\n" +
          load +
          "tile.store %t, %y[%m] : tensor<32xf32>, !tile.view<?xf32, inout>, !tile.span<32>\n}\n}"),
      "");
}

TEST(SealOrder, GroupsAreCounted) {
  std::string other = "%b = tile.alloc : " + buf + "\n";
  std::string copyToB = copy;
  copyToB.replace(copyToB.find("to %a"), 5, "to %b");
  auto waits = [&](int pending) {
    return codes(grid(alloc + other + copy + commit + copyToB + commit + wait(pending) + barrier +
                      readA + store + wait(0)));
  };
  EXPECT_EQ(waits(0), "");
  EXPECT_EQ(waits(1), ""); // the second copy may be pending, the first one is not
  EXPECT_EQ(waits(2), "T1215");
  // An empty group counts like any other.
  EXPECT_EQ(
      codes(grid(alloc + copy + commit + commit + wait(1) + barrier + readA + store + wait(0))),
      "");
  // A commit in a loop that may have no step does not.
  EXPECT_EQ(codes(grid(alloc + copy + commit + "tile.for %j in range(%c0 to %R) {\n" + commit +
                       "}\n" + wait(1) + barrier + readA + store + wait(0))),
            "T1215");
  EXPECT_EQ(codes(grid(alloc + copy + commit + "tile.for %j in range(%c0 to %N) {\n" + commit +
                       "}\n" + wait(1) + barrier + readA + store + wait(0))),
            "");
}

TEST(SealOrder, BothBranchesMayWait) {
  auto branches = [&](const std::string &yes, const std::string &no) {
    return codes(grid(alloc + copy + commit + "%is = tile.cmp lt, %R, %N : i64\nscf.if %is {\n" +
                      yes + "} else {\n" + no + "}\n" + barrier + readA + store + wait(0)));
  };
  EXPECT_EQ(branches(wait(0), wait(0)), "");
  EXPECT_EQ(branches(wait(0), ""), "T1214");
}

TEST(SealOrder, OwnBufsOfWarpsNeedAWarpsBarrierOnly) {
  auto steps = [&](const std::string &between) {
    return codes(
        "%b = tile.alloc : !tile.buf<8xf32, shared, per = warp>\ntile.grid (%p = range(%c0 to %R)) "
        "{\n"
        "tile.par warp 4 {\n^bb0(%s: i64):\n"
        "  %t = tile.constant 1.0 : f32 tensor<8xf32>\n"
        "  tile.write %t to %b : tensor<8xf32> to !tile.buf<8xf32, shared, per = warp>\n" +
        between +
        "  %u = tile.read %b span[:] : !tile.buf<8xf32, shared, per = warp> -> tensor<8xf32>\n"
        "  tile.print \"mine\", %u : tensor<8xf32>\n}\n}");
  };
  EXPECT_EQ(steps("tile.barrier warp\n"), "");
  EXPECT_EQ(steps(""), "T1210");
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

TEST(SealValues, PartsOfATileAreReadByTheirSpans) {
  auto part = [&](const std::string &limit) {
    return codes(grid(
        load +
        "%b = tile.alloc : !tile.buf<16xf32, shared>\n"
        "%half = tile.slice %t from [16] : tensor<32xf32> to tensor<16xf32>\n"
        "tile.write %half to %b : tensor<16xf32> to !tile.buf<16xf32, shared>\n" +
        barrier +
        "%c16 = tile.constant 16 : i64\n%start = tile.span_start %m : !tile.span<32>\n"
        "%stop = tile.span_stop %m : !tile.span<32>\n%more = tile.add %stop, %c1 : i64\n"
        "%from = tile.add %start, %c16 : i64\n%s = tile.span %from, " +
        limit +
        " : !tile.span<16>\n"
        "%u = tile.read %b span[%s] : !tile.buf<16xf32, shared>, !tile.span<16> -> tensor<16xf32>\n"
        "tile.print \"half\", %u : tensor<16xf32>\n"));
  };
  EXPECT_EQ(part("%stop"), "");
  EXPECT_EQ(part("%more"), "T1202");
}

TEST(SealValues, TheLastWriteDecides) {
  std::string whole = "tile.write %zero to %a : tensor<32xf32> to " + buf + "\n" + barrier;
  std::string readAll = "%u = tile.read %a span[:] : " + buf + " -> tensor<32xf32>\n";
  EXPECT_EQ(codes(grid(alloc + whole + readAll + store)), "");
  EXPECT_EQ(codes(grid(alloc + whole + load + writeA + barrier + readAll + store)), "T1202");
}

TEST(SealValues, AStepOfAnotherLoopIsAnotherSpan) {
  // What a loop's last step copied is read by a span of the same length, and by one that may be longer.
  auto after = [&](const std::string &span) {
    return codes("tile.grid (%p = range(%c0 to %c1)) {\n" + alloc +
                 "tile.for %k in tiles(%c0 to %N by 32) {\n"
                 "  tile.copy %x[%k] to %a fill undef : !tile.view<?xf32, in>, !tile.span<32> to " +
                 buf + "\n" + barrier +
                 "}\n"
                 "%m = tile.span %c0, " +
                 span + " : !tile.span<32>\n" + "tile.for %j in range(%c0 to %N) {\n" + "}\n" +
                 readA + "tile.print \"last\", %u : tensor<32xf32>\n}");
  };
  EXPECT_EQ(after("%c0").find("T1202"), std::string::npos); // nothing is read
  EXPECT_NE(after("%N").find("T1202"), std::string::npos);
}

//===----------------------------------------------------------------------===//
// Instances, bounds
//===----------------------------------------------------------------------===//

TEST(SealInstances, ScattersAreTheProgramsOwn) {
  std::string scatter =
      "tile.grid (%p = range(%c0 to %R)) {\n%j = tile.load %i[%p] : !tile.view<?xi64, in>, i64 -> "
      "i64\n"
      "%t = tile.constant 0.0 : f32 tensor<8xf32>\n"
      "tile.store %t, %w[%j, :] : tensor<8xf32>, !tile.view<?x8xf32, inout>, i64\n}";
  Outcome outcome = sealOf(scatter);
  EXPECT_TRUE(outcome.codes.empty()) << outcome.text;
  EXPECT_EQ(outcome.programs, 2u); // the index' bound, and two points that meet
}

TEST(SealInstances, ViewsAreFollowedToTheirArgument) {
  auto rows = [&](const std::string &hi) {
    return codes("tile.grid (%p = range(%c0 to %R)) {\n%q = tile.add %p, %c1 : i64\n"
                 "%v = tile.view_slice %w, 0 from %p to " +
                 hi +
                 " : !tile.view<?x8xf32, inout> -> !tile.view<?x8xf32, inout>\n"
                 "%g = tile.view_group %v, 1 by 4 : !tile.view<?x8xf32, inout> -> "
                 "!tile.view<?x2x4xf32, inout>\n"
                 "%pm = tile.view_permute %g, [2, 0, 1] : !tile.view<?x2x4xf32, inout> -> "
                 "!tile.view<4x?x2xf32, inout>\n"
                 "%t = tile.constant 0.0 : f32 tensor<4x2xf32>\n"
                 "tile.store %t, %pm[:, " +
                 (hi == "%q" ? "%c0" : "%c1") +
                 ", :] : tensor<4x2xf32>, !tile.view<4x?x2xf32, inout>, i64\n}");
  };
  EXPECT_EQ(rows("%q"), "");
  EXPECT_NE(rows("%R"), ""); // the second row of the part: beyond the end at the last point
}

TEST(SealBounds, SpansOverTheirOwnExtentStayInside) {
  EXPECT_EQ(codes(grid(load)), "");
  EXPECT_EQ(codes("tile.grid (%m = tiles(%c0 to %R by 32)) {\n" + load + "}"), "T1200");
}

//===----------------------------------------------------------------------===//
// Rings
//===----------------------------------------------------------------------===//

namespace {
const std::string slots = "!tile.buf<32xf32, shared, slots = 2>";
const std::string ring = "%a = tile.alloc : " + slots +
                         "\n%r = tile.ring %a protocol cta_sync : " + slots + " -> !tile.ring<2>\n";
std::string of(const std::string &op) { return "tile." + op + " %r : !tile.ring<2>\n"; }
const std::string fill = "%s = " + of("acquire") +
                         "tile.write %zero to %a slot %s : tensor<32xf32> to " + slots + "\n" +
                         of("commit");
const std::string use = "%v = " + of("await") + "%u = tile.read %a slot %v span[:] : " + slots +
                        " -> tensor<32xf32>\n" + "tile.print \"seen\", %u : tensor<32xf32>\n" +
                        of("release");
std::string steps(const std::string &body) {
  return "tile.grid (%p = range(%c0 to %R)) {\n" + ring + "tile.for %k in range(%c0 to %N) {\n" +
         body + "}\n}";
}
} // namespace

TEST(SealRings, OneTurnIsOrderedByHand) {
  std::string write = "tile.write %zero to %a slot %s : tensor<32xf32> to " + slots + "\n";
  auto inner = [&](const std::string &body) {
    return codes(steps("%s = " + of("acquire") + "tile.for %j in range(%c0 to %N) {\n" + body +
                       "}\n" + of("commit") + use));
  };
  EXPECT_EQ(codes(steps(fill + use)), "");
  EXPECT_EQ(inner(write + barrier), "");
  EXPECT_EQ(inner(write), "T1211");
}

TEST(SealRings, SlotsForAllFillsOfAStep) {
  std::string again = fill, later = use;
  for (std::string *text : {&again, &later}) {
    for (const char *name : {"%s", "%v", "%u"}) {
      for (size_t at = text->find(name); at != std::string::npos; at = text->find(name, at + 3)) {
        text->insert(at + 2, "2");
      }
    }
  }
  EXPECT_EQ(codes(steps(fill + again + use + later)), "");
  EXPECT_EQ(codes(steps(fill + use + again + later)), "");
  // Three fills before the first use.
  std::string third = again;
  for (size_t at = third.find("%s2"); at != std::string::npos; at = third.find("%s2", at + 3)) {
    third.replace(at, 3, "%s3");
  }
  std::string last = later;
  for (const char *name : {"%v2", "%u2"}) {
    for (size_t at = last.find(name); at != std::string::npos; at = last.find(name, at + 3)) {
      last.replace(at + 2, 1, "3");
    }
  }
  EXPECT_EQ(codes(steps(fill + again + third + use + later + last)), "T1220");
}

TEST(SealRings, EachWarpMayHaveARing) {
  std::string own = "!tile.buf<32xf32, shared, slots = 2, per = warp>";
  std::string body = "%a = tile.alloc : " + own + "\n%r = tile.ring %a protocol cta_sync : " + own +
                     " -> !tile.ring<2>\n" +
                     "tile.grid (%p = range(%c0 to %R)) {\ntile.par warp 4 {\n^bb0(%w4: i64):\n" +
                     fill + use + "}\n}";
  for (size_t at = body.find(slots); at != std::string::npos;
       at = body.find(slots, at + own.size())) {
    body.replace(at, slots.size(), own);
  }
  EXPECT_EQ(codes(body), "");
}

//===----------------------------------------------------------------------===//
// Sections
//===----------------------------------------------------------------------===//

TEST(SealSections, ABarrierOutOfStepOrdersNothing) {
  auto lead = [&](const std::string &between, const std::string &last = " lead 1") {
    return codes("tile.grid (%p = range(%c0 to %c1)) {\n" + alloc +
                 "tile.for %m in tiles(%c0 to %N by 32) {\ntile.section @a lead 1 {\n" + load +
                 writeA + "}\ntile.section @z" + between + " {\n" + barrier + "}\ntile.section @c" +
                 last + " {\n" + readA + "tile.print \"seen\", %u : tensor<32xf32>\n" + barrier +
                 "}\n}\n}");
  };
  EXPECT_EQ(lead(" lead 1"), "");
  EXPECT_EQ(lead(""), "T1210");
  EXPECT_EQ(lead(" lead 1", ""), "T1212");
}

TEST(SealSections, ALoopBesideSectionsHasNoLead) {
  auto beside = [&](const std::string &lead) {
    return codes("tile.grid (%p = range(%c0 to %c1)) {\n" + alloc +
                 "tile.for %m in tiles(%c0 to %N by 32) {\ntile.section @a" + lead + " {\n" + load +
                 writeA + barrier + "}\ntile.for %j in range(%c0 to %c2) {\ntile.section @c {\n" +
                 readA + "tile.print \"seen\", %u : tensor<32xf32>\n" + barrier + "}\n}\n}\n}");
  };
  EXPECT_EQ(beside(""), "");
  EXPECT_EQ(beside(" lead 1"), "T1212");
}

//===----------------------------------------------------------------------===//
// Worked forms
//===----------------------------------------------------------------------===//

class GoldenTest : public ::testing::TestWithParam<const char *> {};

TEST_P(GoldenTest, HoldsUnderTheAdversary) {
  Parsed parsed(sealtest::read(std::string("golden/") + GetParam()));
  ASSERT_TRUE(parsed.module) << parsed.problems;
  std::map<std::string, int64_t> extents{{"M", 130}, {"N", 72},  {"K", 40}, {"B", 1},
                                         {"H", 1},   {"SQ", 65}, {"SK", 70}};
  EXPECT_EQ(misbehaviour(parsed.kernel(), extents, 2), "");
}

INSTANTIATE_TEST_SUITE_P(Forms, GoldenTest,
                         ::testing::Values("softmax_sm80.mlir", "gemm_sm80.mlir",
                                           "attention_sm80.mlir", "gemm_sm90.mlir"),
                         [](const auto &info) {
                           return std::string(info.param, std::strchr(info.param, '.'));
                         });
