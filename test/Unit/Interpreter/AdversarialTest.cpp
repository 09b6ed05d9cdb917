// The adversary and correct schedules: nothing is found, and what may differ between runs does differ.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ScheduleKernels.h"

#include "llvm/ADT/StringExtras.h"

#include <set>

using namespace tessera;
using namespace tessera::interptest;

namespace {
/// What a body without arguments prints under a seed, without the places; failures are test failures.
std::vector<std::string> printed(const std::string &body, uint64_t seed,
                                 const std::string &attributes = "") {
  std::string text;
  llvm::raw_string_ostream os(text);
  TestKernel kernel;
  RunOptions options;
  options.print = &os;
  options.adversarial = seed;
  RunReport report = kernel.with(options).before(instructions).attributes(attributes).run(body);
  EXPECT_TRUE(report.succeeded()) << explain(report);
  std::vector<std::string> lines;
  for (llvm::StringRef rest = text; !rest.empty();) {
    auto [line, more] = rest.split('\n');
    lines.push_back((line.split(' ').first + line.rsplit("= ").second).str());
    rest = more;
  }
  return lines;
}

std::string joined(const std::vector<std::string> &lines) { return llvm::join(lines, " "); }
} // namespace

TEST(Adversarial, StagedCopy) { expectAgrees(stagedCopy(), plainCopy()); }
TEST(Adversarial, StagedSoftmax) { expectAgrees(stagedSoftmax(), plainSoftmax()); }
TEST(Adversarial, PipelinedGemm) { expectAgrees(pipelinedGemm(), plainGemm()); }
TEST(Adversarial, GemmOfRoles) { expectAgrees(rolesGemm(), plainGemm()); }
TEST(Adversarial, PipelinedAttention) { expectAgrees(pipelinedAttention(), plainAttention()); }
TEST(Adversarial, SynchronousCopies) {
  Schedule gemm = pipelinedGemm();
  std::string body = edit(gemm.body, "%As, %Bs protocol cp_async", "%As, %Bs protocol cta_sync");
  const std::string way = "tile.apply @cp via cp_async";
  for (size_t at; (at = body.find(way)) != std::string::npos;) {
    body.replace(at, way.size(), "tile.apply @plain");
  }
  expectAgrees(gemm.with(body), plainGemm(), 20);
}

TEST(Adversarial, StoreRingsOfWarps) {
  // Each warp has a ring of two slots and stores out of it; a slot comes round while the others' stores are under way.
  Schedule plain{{{"x", "?x8xbf16", arrayOf(DType::bf16, {16, 8}, numbers(128))}},
                 {{"y", "?x8xbf16", {16, 8}}},
                 R"(
    %c0 = tile.constant 0 : i64
    %n = tile.dim %x, 0 : !tile.view<?x8xbf16, in>
    %r = tile.span %c0, %n : !tile.span<16>
    %t = tile.load %x[%r, :] : !tile.view<?x8xbf16, in>, !tile.span<16> -> tensor<16x8xbf16>
    tile.store %t, %y[%r, :] : tensor<16x8xbf16>, !tile.view<?x8xbf16, out>, !tile.span<16>)"};
  Schedule rings = plain.with(R"(
    %c0 = tile.constant 0 : i64
    %c4 = tile.constant 4 : i64
    %b = tile.alloc : !tile.buf<8xbf16, shared, slots = 2, per = warp>
    %r = tile.ring %b protocol bulk : !tile.buf<8xbf16, shared, slots = 2, per = warp> -> !tile.ring<2>
    tile.for %i in range(%c0 to %c4) {
      tile.par warp 4 {
      ^bb0(%w: i64):
        %s = tile.acquire %r : !tile.ring<2>
        %first = tile.mul %i, %c4 : i64
        %row = tile.add %first, %w : i64
        tile.copy %x[%row, :] to %b slot %s fill zero
          : !tile.view<?x8xbf16, in>, i64 to !tile.buf<8xbf16, shared, slots = 2, per = warp>
        tile.fence
        tile.barrier warp
        tile.elect {
          tile.apply @bulk via bulk {
            tile.copy_out %b slot %s to %y[%row, :]
              : !tile.buf<8xbf16, shared, slots = 2, per = warp> to !tile.view<?x8xbf16, out>, i64
          }
        }
        tile.commit %r : !tile.ring<2>
      }
    })");
  expectAgrees(rings, plain, 20);
  EXPECT_EQ(timesFound(rings.with(edit(rings.body, "        tile.fence\n", "")), "T1162"), 20u);
}

TEST(Adversarial, PlainKernels) {
  expectAgrees(plainSoftmax(), plainSoftmax(), 10);
  expectAgrees(plainGemm(), plainGemm(), 10);
  expectAgrees(plainAttention(), plainAttention(), 10);
}

TEST(Adversarial, OneSeedIsOneRun) {
  const std::string body = R"(
    %c0 = tile.constant 0 : i64
    tile.par warp 8 {
    ^bb0(%w: i64):
      tile.print "w", %w : i64
    })";
  std::set<std::string> orders;
  for (uint64_t seed = 0; seed < 10; ++seed) {
    std::string order = joined(printed(body, seed));
    EXPECT_EQ(order, joined(printed(body, seed)));
    orders.insert(order);
  }
  EXPECT_GT(orders.size(), 5u);
}

TEST(Adversarial, SectionsRunAheadAsFarAsTheyLead) {
  const std::string body = R"(
    %c0 = tile.constant 0 : i64
    %c6 = tile.constant 6 : i64
    %x = tile.for %k in range(%c0 to %c6) carry(%c = %c0 : i64) {
      tile.section @a lead 3 {
        tile.print "a", %k : i64
      }
      %s = tile.section @b lead 1 -> i64 {
        tile.print "b", %k : i64
        tile.yield %k : i64
      }
      %u = tile.add %s, %s : i64
      %r = tile.section @c -> i64 {
        tile.print "c", %u : i64
        %t = tile.add %c, %u : i64
        tile.yield %t : i64
      }
      tile.yield %r : i64
    }
    tile.print "x", %x : i64)";
  std::set<int> leads;
  std::set<std::string> runs;
  for (uint64_t seed = 0; seed < 40; ++seed) {
    std::vector<std::string> lines = printed(body, seed);
    ASSERT_EQ(lines.size(), 19u);
    EXPECT_EQ(lines.back(), "x30");
    runs.insert(joined(lines));
    int a = 0, b = 0, c = 0, most = 0;
    for (const std::string &line : lines) {
      if (line[0] == 'a') {
        EXPECT_EQ(line, "a" + std::to_string(a++));
      } else if (line[0] == 'b') {
        EXPECT_EQ(line, "b" + std::to_string(b++));
      } else if (line[0] == 'c') {
        // The value that crossed is that of its own step.
        EXPECT_EQ(line, "c" + std::to_string(2 * c++));
      }
      EXPECT_LE(a - c, 4) << joined(lines);
      EXPECT_LE(b - c, 2) << joined(lines);
      EXPECT_TRUE(b <= a && c <= b) << joined(lines);
      most = std::max(most, a - c);
    }
    leads.insert(most);
  }
  EXPECT_GE(leads.size(), 2u);
  EXPECT_TRUE(leads.count(4));
  EXPECT_GT(runs.size(), 5u);
}

TEST(Adversarial, TasksRunOnSeveralCtas) {
  const std::string body = R"(
    %c0 = tile.constant 0 : i64
    %c5 = tile.constant 5 : i64
    tile.print "cta", %c0 : i64
    tile.tasks (%i = range(%c0 to %c5)) {
      tile.print "t", %i : i64
    }
    tile.print "end", %c0 : i64)";
  std::set<size_t> counts;
  for (uint64_t seed = 0; seed < 40; ++seed) {
    std::vector<std::string> lines = printed(body, seed);
    ASSERT_FALSE(lines.empty());
    std::multiset<std::string> tasks(lines.begin(), lines.end());
    for (int i = 0; i < 5; ++i) {
      EXPECT_EQ(tasks.count("t" + std::to_string(i)), 1u);
    }
    EXPECT_EQ(tasks.count("cta0"), tasks.count("end0"));
    EXPECT_EQ(lines.front(), "cta0");
    EXPECT_EQ(lines.back(), "end0");
    counts.insert(tasks.count("cta0"));
  }
  EXPECT_EQ(counts, (std::set<size_t>{1, 2, 3, 4, 5}));
}

TEST(Adversarial, RolesTakeTurns) {
  const std::string body = R"(
    %c0 = tile.constant 0 : i64
    %c4 = tile.constant 4 : i64
    %a = tile.alloc : !tile.buf<4xi64, shared, slots = 2>
    %r = tile.ring %a protocol mbarrier : !tile.buf<4xi64, shared, slots = 2> -> !tile.ring<2>
    %x = tile.for %k in range(%c0 to %c4) carry(%c = %c0 : i64) {
      tile.section @p role @producer {
        %s = tile.acquire %r : !tile.ring<2>
        %t = tile.splat %k : i64 to tensor<4xi64>
        tile.write %t to %a slot %s : tensor<4xi64> to !tile.buf<4xi64, shared, slots = 2>
        tile.print "p", %k : i64
        tile.commit %r : !tile.ring<2>
      }
      %n = tile.section @u role @consumer -> i64 {
        %s = tile.await %r : !tile.ring<2>
        %t = tile.read %a slot %s span[:] : !tile.buf<4xi64, shared, slots = 2> -> tensor<4xi64>
        tile.release %r : !tile.ring<2>
        tile.print "u", %k : i64
        %d = tile.add %c, %k : i64
        tile.yield %d : i64
      }
      tile.yield %n : i64
    }
    tile.print "x", %x : i64)";
  std::set<std::string> orders;
  for (uint64_t seed = 0; seed < 40; ++seed) {
    std::vector<std::string> lines = printed(
        body, seed, "{tile.roles = {consumer = {warps = 1 : i64}, producer = {warps = 1 : i64}}}");
    ASSERT_EQ(lines.size(), 9u);
    EXPECT_EQ(lines.back(), "x6");
    orders.insert(joined(lines));
    int ahead = 0;
    for (const std::string &line : lines) {
      ahead += line[0] == 'p' ? 1 : line[0] == 'u' ? -1 : 0;
      EXPECT_LE(ahead, 3) << joined(lines);
    }
  }
  EXPECT_GT(orders.size(), 3u);
}

TEST(Adversarial, AtomicsOfOneCtaDoNotRace) {
  Schedule adds{{{"x", "?xi32", arrayOf(DType::i32, {8}, Values(8, 1))}},
                {{"y", "?xi32", {8}, "inout"}},
                R"(
    %c0 = tile.constant 0 : i64
    %n = tile.dim %x, 0 : !tile.view<?xi32, in>
    %k = tile.span %c0, %n : !tile.span<8>
    %t = tile.load %x[%k] : !tile.view<?xi32, in>, !tile.span<8> -> tensor<8xi32>
    tile.atomic add %t, %y[%k] : tensor<8xi32>, !tile.view<?xi32, inout>, !tile.span<8>
    tile.atomic add %t, %y[%k] : tensor<8xi32>, !tile.view<?xi32, inout>, !tile.span<8>)"};
  expectAgrees(adds, adds, 10);
  // A load of what they made needs a barrier.
  const std::string load =
      "\n%u = tile.load %y[%k] : !tile.view<?xi32, inout>, !tile.span<8> -> tensor<8xi32>";
  EXPECT_EQ(timesFound(adds.with(adds.body + load), "T1160"), 20u);
  Schedule ordered = adds.with(adds.body + "\ntile.barrier cta" + load);
  expectAgrees(ordered, ordered, 10);
}

/// No thread reads: who writes last is told by nothing but a barrier.
TEST(Adversarial, WritesOfOneCellRace) {
  const std::string store =
      "tile.store %t, %y[%k] : tensor<8xi32>, !tile.view<?xi32, inout>, !tile.span<8>\n";
  Schedule once{{{"x", "?xi32", arrayOf(DType::i32, {8}, Values(8, 1))}},
                {{"y", "?xi32", {8}, "inout"}},
                R"(
    %c0 = tile.constant 0 : i64
    %n = tile.dim %x, 0 : !tile.view<?xi32, in>
    %k = tile.span %c0, %n : !tile.span<8>
    %t = tile.load %x[%k] : !tile.view<?xi32, in>, !tile.span<8> -> tensor<8xi32>
)" + store};
  Schedule ordered = once.with(once.body + "tile.barrier cta\n" + store);
  expectAgrees(ordered, once, 10);
  Schedule twice = once.with(once.body + store);
  EXPECT_EQ(timesFound(twice, "T1160"), 20u);
  EXPECT_NE(run(twice, 1).report.errors[0].message.find("is written by warp"), std::string::npos);
}

TEST(Adversarial, FindFaultRunsManySeeds) {
  Schedule good = stagedCopy(), bad = good.with(edit(good.body, "      tile.barrier cta\n", ""));
  for (bool isBad : {false, true}) {
    HostArray y = outputOf(DType::f32, {14, 8});
    TestKernel kernel;
    kernel.in("x", "?x8xf32", good.inputs[0].array).out("y", "?x8xf32", y);
    tile::KernelOp op = kernel.parse(isBad ? bad.body : good.body);
    std::vector<Argument> arguments = kernel.launch();
    auto finding = findFault(systemTable<ExactSystem>(), op, arguments, 3, 5);
    ASSERT_EQ(finding.has_value(), isBad);
    EXPECT_TRUE(same(valuesOf(y), numbers(14 * 8)));
    if (finding) {
      EXPECT_EQ(finding->seed, 3u);
      EXPECT_TRUE(isScheduleFault(finding->report.errors[0].id));
      EXPECT_EQ(finding->report.errors[0].values.front(),
                (std::pair<std::string, std::string>{"adversary", "seed 3"}));
    }
  }
  EXPECT_FALSE(isScheduleFault(RunDiag::run_index_range));
}
