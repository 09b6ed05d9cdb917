// Faults of schedules, each beside its repaired twin: the adversary finds every one under every seed, with the places of
// both sides.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ScheduleKernels.h"

using namespace tessera;
using namespace tessera::interptest;

namespace {
constexpr uint64_t seeds = 20;

/// The fault is found under every seed, and the schedule that it was made from is good.
void expectFound(const Schedule &good, const std::string &body, const std::string &code,
                 const std::string &words = "") {
  Schedule bad = good.with(body);
  EXPECT_EQ(timesFound(bad, code, seeds), seeds);
  Outcome outcome = run(bad, 1);
  ASSERT_FALSE(outcome.report.errors.empty());
  const RunError &error = outcome.report.errors[0];
  EXPECT_NE(error.message.find(words), std::string::npos) << error.message;
  EXPECT_NE(lineOf(error.where), 0u);
  EXPECT_EQ(error.values[0], (std::pair<std::string, std::string>{"adversary", "seed 1"}));
}
std::string without(const std::string &text, const std::string &part) {
  return edit(text, part, "");
}
std::string replaceAll(std::string text, const std::string &part, const std::string &with) {
  size_t at = text.find(part);
  EXPECT_NE(at, std::string::npos) << part;
  for (; at != std::string::npos; at = text.find(part, at + with.size())) {
    text.replace(at, part.size(), with);
  }
  return text;
}

/// A body with x and y of 4 x 8, a buf %a of that shape and the span %r; warps 4.
Schedule small(const std::string &body) {
  return {{{"x", "?x8xbf16", arrayOf(DType::bf16, {4, 8}, numbers(32))}},
          {{"y", "?x8xbf16", {4, 8}}},
          R"(
    %c0 = tile.constant 0 : i64
    %n = tile.dim %x, 0 : !tile.view<?x8xbf16, in>
    %r = tile.span %c0, %n : !tile.span<4>
    %a = tile.alloc : !tile.buf<4x8xbf16, shared>
)" + body};
}
const std::string copyIn = "tile.copy %x[%r, :] to %a fill zero : !tile.view<?x8xbf16, in>, "
                           "!tile.span<4> to !tile.buf<4x8xbf16, shared>\n";
const std::string copyOut = "tile.copy_out %a to %y[%r, :] : !tile.buf<4x8xbf16, shared> to "
                            "!tile.view<?x8xbf16, out>, !tile.span<4>\n";
std::string apply(const std::string &instr, const std::string &via, const std::string &body) {
  return "tile.apply @" + instr + " via " + via + " {\n" + body + "}\n";
}
const std::string barrier = "tile.barrier cta\n", fence = "tile.fence\n";
std::string wait(const std::string &via, int pending = 0) {
  return "tile.group_commit " + via + "\ntile.group_wait " + via + " pending " +
         std::to_string(pending) + "\n";
}
void expectGood(const Schedule &schedule) {
  for (uint64_t seed = 0; seed < seeds; ++seed) {
    Outcome outcome = run(schedule, seed);
    ASSERT_TRUE(outcome.report.succeeded()) << "seed " << seed << ": " << explain(outcome.report);
  }
}
void expectSmall(const std::string &good, const std::string &bad, const std::string &code,
                 const std::string &words = "") {
  expectGood(small(good));
  expectFound(small(good), small(bad).body, code, words);
}
} // namespace

TEST(Fault, MissingBarrier) {
  Schedule copy = stagedCopy();
  expectFound(copy, without(copy.body, "      tile.barrier cta\n"), "T1160", "put a barrier");
  Outcome outcome = run(copy.with(without(copy.body, "      tile.barrier cta\n")), 5);
  ASSERT_EQ(outcome.report.errors[0].notes.size(), 1u);
  EXPECT_NE(outcome.report.errors[0].message.find("is read by warp"), std::string::npos)
      << outcome.report.errors[0].message;
  EXPECT_NE(outcome.report.errors[0].notes[0].text.find("written here by warp"), std::string::npos);
  EXPECT_LT(lineOf(outcome.report.errors[0].notes[0].where),
            lineOf(outcome.report.errors[0].where));
}

TEST(Fault, MissingBarrierBeforeReuse) {
  const std::string t = "%t = tile.read %a span[%r, :] : !tile.buf<4x8xbf16, shared>, "
                        "!tile.span<4> -> tensor<4x8xbf16>\n";
  expectSmall(copyIn + barrier + t + barrier + copyIn, copyIn + barrier + t + copyIn, "T1160",
              "is written by warp");
}

TEST(Fault, BarrierOfTooFew) {
  expectSmall(copyIn + barrier + copyOut, copyIn + "tile.barrier warp\n" + copyOut, "T1160");
  // One warpgroup is all there is: its barrier is enough.
  expectGood(small(copyIn + "tile.barrier wg\n" + copyOut));
  Schedule two = small(copyIn + barrier + copyOut).warps("{tile.warps = 8 : i64}");
  expectGood(two);
  expectFound(two, small(copyIn + "tile.barrier wg\n" + copyOut).body, "T1160");
}

TEST(Fault, OwnersThatDiffer) {
  const std::string rows = "d0 = warp 4, d1 = lane 8";
  const std::string in = "tile.copy %x[%r, :] to %a fill zero {tile.iter = #tile.iter<FACTORS>} : "
                         "!tile.view<?x8xbf16, in>, !tile.span<4> to !tile.buf<4x8xbf16, shared>\n";
  const std::string out =
      "tile.copy_out %a to %y[%r, :] {tile.iter = #tile.iter<FACTORS>} : "
      "!tile.buf<4x8xbf16, shared> to !tile.view<?x8xbf16, out>, !tile.span<4>\n";
  std::string same = edit(in, "FACTORS", rows) + edit(out, "FACTORS", rows);
  // Warp and register factors the other way round: row 1 belongs to another warp.
  std::string other =
      edit(in, "FACTORS", rows) + edit(out, "FACTORS", "d0 = reg 2 * warp 2, d1 = warp 2 * lane 4");
  expectSmall(same, other, "T1160");
}

TEST(Fault, InPlaceByOtherWarps) {
  auto body = [](const std::string &iter) {
    return R"(
    %t = tile.load %y[%r, :] {tile.iter = #tile.iter<d0 = warp 4>}
      : !tile.view<?x8xbf16, inout>, !tile.span<4> -> tensor<4x8xbf16>
    tile.store %t, %y[%r, :] {tile.iter = #tile.iter<)" +
           iter + R"(>} : tensor<4x8xbf16>, !tile.view<?x8xbf16, inout>, !tile.span<4>)";
  };
  Schedule good = small(body("d0 = warp 4"));
  good.outputs[0].mode = "inout";
  expectGood(good);
  expectFound(good, small(body("d1 = warp 4 * lane 2")).body, "T1160", "of `y`");
}

TEST(Fault, OneSlotTooFew) {
  Schedule gemm = pipelinedGemm();
  std::string two =
      replaceAll(replaceAll(gemm.body, "slots = 3", "slots = 2"), "ring<3>", "ring<2>");
  expectGood(gemm.with(edit(two, "lead 2", "lead 1")));
  expectFound(gemm, two, "T1150", "2 of its 2 slots are in use");
  // Where the fillers wait, they wait for ever.
  expectFound(gemm, edit(two, "protocol cp_async", "protocol mbarrier"), "T1163",
              "waits for a free slot");
}

TEST(Fault, WaitWithTooManyPending) {
  Schedule softmax = stagedSoftmax();
  expectFound(softmax, edit(softmax.body, "pending 0", "pending 1"), "T1161",
              "is read while an asynchronous op (`cp_async`) writes it");
  expectFound(softmax, without(softmax.body, "      tile.group_commit cp_async\n"), "T1161");
}

TEST(Fault, BarrierBeforeTheWait) {
  Schedule softmax = stagedSoftmax();
  expectFound(softmax,
              edit(softmax.body,
                   "      tile.group_wait cp_async pending 0\n      tile.barrier cta\n",
                   "      tile.barrier cta\n      tile.group_wait cp_async pending 0\n"),
              "T1160");
}

TEST(Fault, NobodyWaits) {
  const std::string copy = apply("cp", "cp_async", copyIn);
  expectSmall(copy + wait("cp_async"), copy, "T1164", "1 asynchronous op (`cp_async`)");
  expectSmall(copy + wait("cp_async"), copy + wait("cp_async", 1), "T1164");
  // A thread waits for its own: one for all is not enough.
  expectSmall(copy + wait("cp_async"),
              copy + "tile.group_commit cp_async\ntile.elect {\ntile.group_wait cp_async pending "
                     "0\n}\n",
              "T1164");
}

TEST(Fault, MissingFence) {
  const std::string out = "tile.elect {\n" + apply("bulk", "bulk", copyOut) + "}\n";
  expectSmall(copyIn + fence + barrier + out + wait("bulk"), copyIn + barrier + out + wait("bulk"),
              "T1162", "no fence between");
  // After the barrier it is another's fence.
  expectSmall(copyIn + fence + barrier + out + wait("bulk"),
              copyIn + barrier + fence + out + wait("bulk"), "T1162");
  Schedule gemm = rolesGemm();
  expectFound(gemm, without(gemm.body, "        tile.fence\n"), "T1162");
}

TEST(Fault, OverwrittenWhileRead) {
  const std::string out = apply("bulk", "bulk", copyOut);
  expectSmall(copyIn + fence + barrier + out + wait("bulk") + barrier + copyIn,
              copyIn + fence + barrier + out + barrier + copyIn + wait("bulk"), "T1161",
              "is written while an asynchronous op (`bulk`) reads it");
  // Waited for, but not by those who write.
  expectSmall(copyIn + fence + barrier + out + wait("bulk") + barrier + copyIn,
              copyIn + fence + barrier + out + wait("bulk") + copyIn, "T1160");
}

TEST(Fault, WrongFill) {
  // A read that does not restate the span of k counts on what the copy left in the columns past the end.
  Schedule gemm = pipelinedGemm();
  std::string whole = edit(gemm.body, "%As slot %u span[%m, %k]", "%As slot %u span[%m, :]");
  const std::string types =
      "!tile.buf<16x8xbf16, shared, slots = 3>, !tile.span<16>, !tile.span<8> -> tensor<16x8xbf16>";
  whole = edit(whole, types,
               "!tile.buf<16x8xbf16, shared, slots = 3>, !tile.span<16> -> tensor<16x8xbf16>");
  expectGood(gemm.with(whole));
  expectFound(gemm, edit(whole, "to %As slot %s fill zero", "to %As slot %s fill undef"), "T1154",
              "`fill undef` did not write");
}

TEST(Fault, RingThatCannotTell) {
  Schedule gemm = pipelinedGemm();
  expectFound(gemm, edit(gemm.body, "%As, %Bs protocol cp_async", "%As, %Bs protocol cta_sync"),
              "T1161", "is read while");
}

TEST(Fault, ReleasedTooEarly) {
  Schedule gemm = pipelinedGemm();
  const std::string release = "          tile.release %rg : !tile.ring<3>\n";
  std::string early = edit(without(gemm.body, release), "          %at = tile.read %As",
                           release + "          %at = tile.read %As");
  expectFound(gemm, early, "T1153", "used outside of its time");
}

TEST(Fault, LagMissing) {
  // The products of a step are waited for a step later, so its slot is free a step later.
  Schedule gemm = rolesGemm();
  expectFound(gemm, edit(gemm.body, "@use lag 1", "@use"), "T1165", "still reads it");
  const std::string release = "          tile.release %rg : !tile.ring<4>\n";
  std::string grouped = edit(
      gemm.body, release,
      "          tile.group_commit wgmma\n          tile.group_wait wgmma pending 1\n" + release);
  expectGood(gemm.with(grouped));
  expectFound(gemm, edit(grouped, "@use lag 1", "@use"), "T1165", "still reads it");
  expectGood(gemm.with(edit(edit(grouped, "@use lag 1", "@use"), "pending 1", "pending 0")));
}

TEST(Fault, LagWithoutASlotForIt) {
  Schedule gemm = rolesGemm();
  std::string one =
      replaceAll(replaceAll(gemm.body, "slots = 4", "slots = 1"), "ring<4>", "ring<1>");
  expectFound(gemm, one, "T1163", "`producer` waits for a free slot");
  Outcome outcome = run(gemm.with(one), 2);
  EXPECT_EQ(outcome.report.errors[0].notes.size(), 2u);
  expectGood(
      gemm.with(replaceAll(replaceAll(gemm.body, "slots = 4", "slots = 2"), "ring<4>", "ring<2>")));
}

TEST(Fault, OverTooEarly) {
  Schedule gemm = pipelinedGemm();
  const std::string end = "      tile.group_wait cp_async pending 0\n      tile.barrier cta\n";
  expectFound(gemm, without(gemm.body, end), "T1166", "takes the memory of");
  // An asynchronous op is still at it.
  const std::string b =
      "%b = tile.alloc over %a : !tile.buf<4x8xbf16, shared> over "
      "!tile.buf<4x8xbf16, shared>\n%z = tile.constant 0.0 : bf16 tensor<4x8xbf16>\n";
  const std::string write =
      "tile.write %z to %b : tensor<4x8xbf16> to !tile.buf<4x8xbf16, shared>\n";
  const std::string copy = b + apply("cp", "cp_async", copyIn);
  expectSmall(copy + wait("cp_async") + barrier + write, copy + barrier + write + wait("cp_async"),
              "T1166", "an asynchronous op is not done");
}

TEST(Fault, Deadlock) {
  Schedule gemm = rolesGemm();
  // Two slots are taken for each that is filled.
  std::string twice =
      edit(gemm.body, "          %u = tile.await %rg : !tile.ring<4>\n",
           "          %w = tile.await %rg : !tile.ring<4>\n          tile.release %rg : "
           "!tile.ring<4>\n          %u = tile.await %rg : !tile.ring<4>\n");
  expectFound(gemm, twice, "T1163", "`consumer` waits for a filled slot");
}

TEST(Fault, MoreFilledThanUsed) {
  Schedule gemm = rolesGemm();
  std::string more = edit(gemm.body, "      tile.section @epi role @consumer {\n", R"(
      tile.section @more role @producer {
        %s = tile.acquire %rg : !tile.ring<4>
        tile.commit %rg : !tile.ring<4>
      }
      tile.section @epi role @consumer {
)");
  for (uint64_t seed = 0; seed < seeds; ++seed) {
    Outcome outcome = run(gemm.with(more), seed);
    // A CTA with one task ends with a slot left; in one with more the next task meets an empty slot.
    ASSERT_FALSE(outcome.report.succeeded());
    for (const std::string &code : codes(outcome.report.errors)) {
      EXPECT_TRUE(code == "T1152" || code == "T1154") << explain(outcome.report);
    }
  }
}

TEST(Fault, StepsOfParMeet) {
  auto body = [](const std::string &index) {
    return R"(
    %b = tile.alloc : !tile.buf<8xbf16, shared, per = )" +
           index + R"(>
    tile.par warp 4 {
    ^bb0(%w: i64):
      tile.copy %x[%w, :] to %b fill zero : !tile.view<?x8xbf16, in>, i64 to !tile.buf<8xbf16, shared, per = )" +
           index + R"(>
      tile.copy_out %b to %y[%w, :] : !tile.buf<8xbf16, shared, per = )" +
           index +
           R"(> to !tile.view<?x8xbf16, out>, i64
    })";
  };
  expectSmall(body("warp"), body("cta"), "T1160");
}
