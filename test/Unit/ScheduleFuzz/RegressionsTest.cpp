// Scripts that once broke something, as the fuzzer left them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tessera/Testing/ScheduleFuzz.h"

#include <gtest/gtest.h>

using namespace tessera;

namespace {

struct Found {
  const char *name, *kernel, *script;
  const char *target = "sm_80";
};

const Found found[] = {
    // A part of a store had more points than the store.
    {"RealizeOfMoreThanTheDim", "columns", "let v0 = split(store(y).c, 64)\nrealize(v0.outer)"},
    // The second CTA had no arguments where tasks stand behind the last use of one.
    {"TasksAfterAnArgument", "normal", "persistent(self)"},
    // The barrier was made, and the verifier refused it.
    {"BarrierBesideSections", "rows",
     "let v0 = sections(loop(c), {load: [def(t)], use: rest})\n"
     "try { insert_barrier(v0.use.before, scope = warp) } else e { }"},
    // The load was made beside sections.
    {"ComputeAtBesideSections", "scores",
     "let v0 = sections(loop(n), {load: [load(k), load(v)], use: rest})\n"
     "compute_at(load(q), l = loop(n))"},
    // The section that uses the ring stood in one of the role that fills it.
    {"RolesInRoles", "columns",
     "let v0 = persistent(self)\nlet v2 = stage(op(`mul(..)`).lhs, shared)\n"
     "let v3 = sections(v0, {use: rest})\nlet v4 = sections(loop(c), {load: [v2.copy], use: "
     "rest})\n"
     "let v5 = ring([v2.buf], 3, protocol = mbarrier)\n"
     "let v6 = roles({producer: [v3.use, v4.load], consumer: rest}, {producer: 4, consumer: 8})\n"
     "auto_sync(self)"},
    // The loop around the one that is cut became a section of one role.
    {"RolesAroundALoopThatIsCut", "scores",
     "let v1 = split(loop(n), 2)\nlet v2 = persistent(self, order = row_major)\n"
     "let v3 = stage(def(s).b, shared)\n"
     "let v5 = sections(v1.inner, {load: [v3.copy], use: rest})\n"
     "let v6 = ring([v3.buf], 2, protocol = mbarrier)\n"
     "try { roles({producer: [v5.load], consumer: rest}, {producer: 4, consumer: 4}) } else e { }"},
    // A bulk copy read what was written without a fence, from an array this time.
    {"BulkCopyOfWhatWasStored", "twice",
     "let v1 = stage(op(`add(..)`).lhs, shared)\nlet v3 = ring([v1.buf], 2, protocol = mbarrier)\n"
     "auto_sync(self)\nreplace(v1.copy, tma_load_2d)",
     "sm_90"},
    // One buf over two that became one memory.
    {"OverlayBelowAnother", "product",
     "let v0 = stage(def(acc).b, shared)\nlet v1 = stage(def(acc).a, shared)\n"
     "let v2 = stage(store(d).value, shared)\nlet v3 = overlay(v2.buf, v0.buf, v1.buf)\n"
     "try { overlay(v0.buf, v1.buf) } else e { }"},
    // Threads were to wait where only one comes.
    {"RingInAnElect", "update",
     "let v2 = stage(op(`mul(..)`).lhs, shared)\nlet v3 = elect(loop(c))\n"
     "try { ring([v2.buf], 1, protocol = mbarrier) } else e { }"},
    // A section was moved out of its loop.
    {"HoistOfASection", "scores",
     "let v1 = compute_at(load(q), l = loop(n))\n"
     "let v2 = sections(loop(n), {first: [v1], second: [load(k)], use: rest})\n"
     "try { hoist([v2.first], loop(n)) } else e { }"},
    // A role of four warps was to do what sixteen share.
    {"MoreWarpsThanTheRole", "scores",
     "let v0 = persistent(self)\nlet v1 = stage(op(`permute(..)`).x, shared)\n"
     "let v2 = sections(loop(n), {load: [v1.copy], use: rest})\n"
     "let v3 = ring([v1.buf], 3, protocol = mbarrier)\n"
     "let v4 = roles({producer: [v2.load], consumer: rest}, {producer: 1, consumer: 4})\n"
     "auto_sync(self)\ntry { bind(load(q).m, warp) } else e { }"},
    // What an instruction accesses at once lay apart then.
    {"LayoutUnderAnInstruction", "running",
     "let v0 = stage(store(y).value, shared)\nlet v1 = replace(v0.write, st_shared_16)\n"
     "let v3 = auto_sync(self)\ntry { set_layout(v0.buf, col_major) } else e { }"},
    // The slots of a loop inside a section were never free, and the seal did not see it.
    {"LagAroundALoop", "twice",
     "let v0 = persistent(self)\n"
     "let v1 = stage(store(z).value, shared, layout = row_major)\n"
     "let v2 = sections(v0, {use: rest})\nlet v3 = ring([v1.buf], 3, protocol = mbarrier)\n"
     "auto_sync(self)\ntry { set_lag(v2.use, 2) } else e { }"},
};

class RegressionTest : public ::testing::TestWithParam<Found> {};

} // namespace

TEST_P(RegressionTest, Holds) {
  const Found &one = GetParam();
  for (const ScheduleKernel &kernel : scheduleKernels()) {
    if (kernel.name == one.kernel) {
      ScheduleFuzzOptions options;
      options.target = one.target;
      ScheduleFuzzer fuzzer(kernel, options);
      std::string script =
          "schedule " + kernel.name + " on " + one.target + " {\n" + one.script + "\n}\n";
      EXPECT_EQ(fuzzer.replay(script).problem, "");
      return;
    }
  }
  ADD_FAILURE() << "there is no kernel `" << one.kernel << "`";
}

INSTANTIATE_TEST_SUITE_P(Scripts, RegressionTest, ::testing::ValuesIn(found),
                         [](const auto &info) { return std::string(info.param.name); });
