// Transactions, sealing, what a failed run leaves, replay of witnesses.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "IRTesting.h"
#include "ScheduleTesting.h"

#include "tessera/Schedule/Replay.h"

using namespace tessera;
using namespace tessera::testing;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(ScheduleHost, ATryThatFailsLeavesNothing) {
  Scheduled done(
      kRowsKernel,
      "let d = load(x).c\n"
      "try { split(d, 8); split(d.outer, 2); bind(d, grid) } else err { print err.code }\n"
      "print d\nsplit(d, 16)");
  EXPECT_EQ(done.errors, "");
  EXPECT_EQ(iterOf(done, "tile.load"), "d1 = open 256 * open 16");
  EXPECT_EQ(done.ledger.steps.size(), 1u);
}

TEST(ScheduleHost, NestedTries) {
  Scheduled done(kRowsKernel,
                 "let x = load(x)\n"
                 "try { split(x.r, 2)\n"
                 "      try { split(x.c, 8); bind(x.c, grid) } else inner { split(x.c, 16) }\n"
                 "} else outer { print \"not here\" }\nprint extent(x.c.inner)");
  EXPECT_EQ(done.errors, "");
  EXPECT_EQ(done.printed, "16\n");
  EXPECT_EQ(iterOf(done, "tile.load"), "d0 = open 2 * open 2, d1 = open 256 * open 16");
}

// Where steps are not verified, a `try` of one call keeps no kernel: it gives what a `try` gives that does.
TEST(ScheduleHost, ATryOfOneCall) {
  const std::pair<const char *, const char *> cases[] = {
      {"try { split(x.c, 8) } else err { print err.code }", ""},
      {"try { bind(x.c, grid) } else err { print err.code }\nsplit(x.c, 8)", "place_grid\n"},
      {"let isCut = false\ntry { split(x.c, 8); isCut = true } else err { }\n"
       "try { bind(x.r, grid); isCut = false } else err { print err.code }\nprint isCut",
       "place_grid\ntrue\n"},
      // An outer one goes back behind the inner, done or not.
      {"try {\n try { bind(x.c, grid) } else a { }\n try { split(x.c, 8) } else b { }\n"
       " try { bind(x.r, grid) } else c { }\n require false\n} else outer { print outer.primitive "
       "}\nsplit(x.c, 16)",
       "require\n"},
      // One in which something may fail behind the call.
      {"try { split(x.c, 8); bind(x.r, grid) } else err { print err.code }", "place_grid\n"},
      {"try { bind(split(x.c, 8).inner, grid) } else err { print err.code }", "place_grid\n"},
      // The run ends, and leaves nothing.
      {"try { nobody = split(x.c, 8) } else err { print err.code }", ""},
  };
  for (auto [body, printed] : cases) {
    SCOPED_TRACE(body);
    Scheduled::Options options;
    Scheduled kept(kRowsKernel, std::string("let x = load(x)\n") + body, options);
    options.verifyEach = false;
    Scheduled done(kRowsKernel, std::string("let x = load(x)\n") + body, options);
    EXPECT_EQ(kept.printed, printed);
    EXPECT_EQ(done.printed, kept.printed);
    EXPECT_EQ(done.ir, kept.ir);
    EXPECT_EQ(done.errors, kept.errors);
    EXPECT_EQ(done.report, kept.report);
  }
}

// Instructions are read for a script that may name one.
TEST(ScheduleHost, InstructionsAreCalled) {
  Scheduled::Options options;
  options.instructions = true;
  Scheduled called(kRowsKernel, "print wgmma_m64k16(48)", options);
  EXPECT_EQ(called.errors, "");
  EXPECT_EQ(called.printed, "wgmma_m64k16(48)\n");
  Scheduled misspelt(kRowsKernel, "print wgmma_m64k1(48)", options);
  EXPECT_THAT(misspelt.errors, HasSubstr("T1"));
  EXPECT_EQ(misspelt.help, "did you mean `wgmma_m64k16`?");
  Scheduled hidden(kRowsKernel, "}\ndef wgmma_m64k16(n) { return n", options);
  EXPECT_THAT(hidden.errors, HasSubstr("`wgmma_m64k16`"));
}

TEST(ScheduleHost, CursorsOfAFailedTryAreDead) {
  Scheduled done(kRowsKernel, "let x = load(x), keep = x.c\nlet kept = [keep]\n"
                              "try { let s = split(x.c, 8)\n kept = [s.inner]\n require false } "
                              "else err { }\nbind(kept[0], reg)");
  EXPECT_EQ(done.errors, "") << "the script's variables go back, too";
  EXPECT_EQ(iterOf(done, "tile.load"), "d1 = reg 4096");
}

TEST(ScheduleHost, ClonesAndLoopsGoBack) {
  Scheduled done(kLoopsKernel, "let s = store(s), l = loop(w)\n"
                               "try { unroll(l); require false } else err { }\nbind(s.w, warp)");
  EXPECT_THAT(done.errors, HasSubstr("")) << done.errors;
  EXPECT_EQ(done.errors, "");
  EXPECT_EQ(done.lines("tile.par"), "");
  EXPECT_EQ(iterOf(done, "tile.store %"), "none") << "the first store is that of y";
  EXPECT_THAT(done.lines("tile.store"), HasSubstr("d0 = warp 16"));
}

TEST(ScheduleHost, AFailedRunGivesNothing) {
  Scheduled failed(kRowsKernel, "split(load(x).c, 8)\nrequire false, \"no\"");
  EXPECT_FALSE(failed.good);
  EXPECT_EQ(failed.errors, "3:1 T1070 no\n");
  EXPECT_EQ(failed.ledger.steps.size(), 0u);
}

TEST(ScheduleHost, NoSuchKernelOrTarget) {
  Scheduled::Options options;
  options.target = "sm_42";
  Scheduled failed(kRowsKernel, "", options);
  EXPECT_EQ(failed.errors,
            "1:10 T1078 the schedule `rows` cannot start: `sm_42` is no target that is known\n");
}

TEST(ScheduleHost, NothingIsEditedOnceSealed) {
  OnIR test(
      "tile.kernel @k[%M \"M\"](%x \"x\": !tile.view<?xf32, inout> shape ()[s0] -> (s0)) body {\n"
      "  %c0 = tile.constant 0 : i64\n  tile.grid (%r = tiles(%c0 to %M by 8)) {\n"
      "    %t = tile.load %x[%r] : !tile.view<?xf32, inout>, !tile.span<8> -> tensor<8xf32>\n"
      "    tile.store %t, %x[%r] : tensor<8xf32>, !tile.view<?xf32, inout>, !tile.span<8>\n  "
      "}\n}\n");
  Value dim = test.host().getCursors().dim(test.first<tile::LoadOp>(), "d0");
  EXPECT_EQ(test.call("split", {dim, Value::integer(2)}), "");
  test.first<tile::KernelOp>()->setAttr("tile.sealed",
                                        mlir::UnitAttr::get(test.host().getModule().getContext()));
  EXPECT_EQ(test.call("split", {dim, Value::integer(2)}), "sealed: the kernel `k` is sealed");
  EXPECT_EQ(test.words(test.host().assume(Value::boolean(true), {})),
            "sealed: the kernel `k` is sealed");
}

TEST(ScheduleHost, AKernelWithoutABody) {
  OnIR test("tile.kernel @k[%M \"M\"]() body {\n}\n");
  Value fact = *test.host().resolveName("M");
  EXPECT_EQ(test.words(test.host().assume(fact, {})), "assume_fact: `M` is a number");
  EXPECT_EQ(test.words(test.host().assume(Value::boolean(true), {})), "");
  EXPECT_THAT(test.call("loop", {Value::name("k")}), HasSubstr("there is no `loop(k)`"));
}

TEST(ScheduleHost, RefusalsShowTheLines) {
  const char *kernel = "kernel k(x: in view<[64], f32>, y: inout view<[64], f32>) {\n"
                       "    grid g in 0..1\n    for j in 0..8 { y[j] = y[j + 1] }\n}\n";
  Scheduled failed(kernel, "bind(loop(j), warp)");
  EXPECT_THAT(failed.errors, HasSubstr("2:1 T1073 `bind` refused"));
  EXPECT_THAT(failed.errors, HasSubstr("for instance with"));
  EXPECT_THAT(failed.notes, HasSubstr("kernel 3:"));
  EXPECT_THAT(failed.notes, HasSubstr("one access"));
  EXPECT_THAT(failed.notes, HasSubstr("the other access"));
}

namespace {
const char *const kShift = "kernel k(y: inout view<[64], f32>) {\n"
                           "    grid g in 0..1\n    for j in 0..8 { y[j] = y[j + 1] }\n}\n";

std::string errorsWith(schedule::ReplayResult result, std::string *after = nullptr) {
  Scheduled::Options options;
  options.replayer = [&](const schedule::ReplayRequest &request) {
    mlir::ModuleOp before = request.before, refused = request.after;
    EXPECT_TRUE(before.lookupSymbol(request.kernel));
    if (after) {
      llvm::raw_string_ostream os(*after);
      refused.print(os);
    }
    EXPECT_TRUE(request.witness["j"].has_value());
    return result;
  };
  return Scheduled(kShift, "bind(loop(j), warp)", options).errors;
}
} // namespace

TEST(Replay, TheRefusalSaysWhetherItHappens) {
  using Result = schedule::ReplayResult;
  std::string after;
  EXPECT_THAT(errorsWith({Result::Confirmed, "y[0] is 1 and 2"}, &after),
              HasSubstr("; confirmed by a run: y[0] is 1 and 2"));
  EXPECT_THAT(after, HasSubstr("tile.par warp 8")) << "the refused step is done on a copy";
  EXPECT_THAT(errorsWith({Result::NotReproduced, ""}), HasSubstr("showed no difference"));
  EXPECT_THAT(errorsWith({Result::NotRun, "too large"}), HasSubstr("; not run: too large"));
}

TEST(Replay, OfASwap) {
  const char *kernel =
      "kernel k(y: inout view<[64, 64], f32>) {\n    grid g in 0..1\n"
      "    for i in 1..63 {\n        for j in 1..63 { y[i, j] = y[i - 1, j + 1] }\n"
      "    }\n}\n";
  expectUnsafe(kernel, "", "reorder(loop(j), loop(i))", "reorder_dependence",
               "cannot be the outer loop", 2);
}

// The kernel before the step has no barriers yet; both sides get them before they are compared.
TEST(Replay, WhereBarriersAreMissing) {
  Scheduled::Options options;
  std::vector<bool> ordered;
  options.replayer = [&](const schedule::ReplayRequest &request) {
    mlir::ModuleOp before = request.before;
    bool hasBarrier = false;
    before->walk([&](tile::BarrierOp) { hasBarrier = true; });
    ordered.push_back(hasBarrier);
    return schedule::replayUnderAdversary(request);
  };
  const char *kernel = "kernel k(x: in view<[64], f32>, y: inout view<[64], f32>) {\n"
                       "    grid g in 0..1\n    for u in tiles(64, 8) { y[u] = x[u] * 2.0 }\n"
                       "    for j in 0..8 { y[j] = y[j + 1] }\n}\n";
  Scheduled failed(kernel, "stage(op(`mul(_, _)`).lhs, shared)\nbind(loop(j), warp)", options);
  EXPECT_THAT(failed.errors, HasSubstr("; confirmed by a run: "));
  EXPECT_THAT(ordered, ElementsAre(false, true));
}

TEST(Replay, InTryNothingIsRun) {
  Scheduled::Options options;
  options.replayer = [&](const schedule::ReplayRequest &) {
    ADD_FAILURE() << "a caught refusal is not run";
    return schedule::ReplayResult{};
  };
  Scheduled tried(kShift, "try { bind(loop(j), warp) } else err { print err.code }", options);
  EXPECT_TRUE(tried.good) << tried.errors;
}
