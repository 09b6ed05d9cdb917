// peel.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "MemoryTesting.h"

using namespace tessera;
using namespace tessera::testing;
using ::testing::HasSubstr;

namespace {

/// Sums over what a causal mask leaves; `off` moves the diagonal.
const char *const kCausal = R"(
kernel causal(s: in view<[M, N], f32>, y: out view<[M], f32>, off: i64)
{
    grid m in tiles(M, 8)
    var total = zeros(f32, [8])
    for n in tiles(N, 4) {
        let t = s[m, n]
        let kept = t.keep_if(n.index[_, :] <= m.index[:, _] + off)
        total = total + sum(kept, axis = 1)
    }
    y[m] = total
}
)";
/// The mask is on the other side.
const char *const kWindow = R"(
kernel window(s: in view<[M, N], f32>, y: out view<[M], f32>, off: i64)
{
    grid m in tiles(M, 8)
    var total = zeros(f32, [8])
    for n in tiles(N, 4) {
        let t = s[m, n]
        let kept = t.keep_if(n.index[_, :] > m.index[:, _] - off)
        total = total + sum(kept, axis = 1)
    }
    y[m] = total
}
)";
const std::vector<Extents> sizes = {
    {{"M", 17}, {"N", 19}}, {{"M", 8}, {"N", 32}}, {{"M", 3}, {"N", 1}}, {{"M", 9}, {"N", 0}}};

} // namespace

TEST(Peel, AMaskThatHoldsAtFirst) {
  Scheduled done(kCausal, "let {interior: i, rest: r} = peel(loop(n), keep_if)\nprint i; print r");
  expectSame(done, sizes);
  EXPECT_EQ(count(done.ir, "tile.for"), 2u);
  EXPECT_EQ(count(done.ir, "tile.keep_if"), 1u);
  EXPECT_GT(done.ir.find("tile.keep_if"), done.ir.rfind("tile.for")) << "the second one has it";
  EXPECT_THAT(done.report, HasSubstr("the mask holds everywhere in the steps before the cut"));
}

TEST(Peel, AMaskThatHoldsAtLast) {
  Scheduled done(kWindow, "peel(loop(n), keep_if)");
  expectSame(done, sizes);
  EXPECT_EQ(count(done.ir, "tile.keep_if"), 1u);
  EXPECT_LT(done.ir.find("tile.keep_if"), done.ir.rfind("tile.for")) << "the first one has it";
}

TEST(Peel, CursorsMeanTheInterior) {
  Scheduled done(kCausal, "let l = loop(n)\npeel(l, keep_if)\npeel(l, edge)\nprint l");
  expectSame(done, sizes);
  EXPECT_EQ(count(done.ir, "tile.for"), 3u);
  EXPECT_EQ(count(done.ir, "tile.keep_if"), 1u);
}

TEST(Peel, MaskAndEdgeAtOneCut) {
  Scheduled done(kCausal, "let {interior: i, rest: r} = peel(loop(n), interior)\nprint i; print r");
  expectSame(done, sizes);
  EXPECT_EQ(count(done.ir, "tile.for"), 2u);
  EXPECT_EQ(count(done.ir, "tile.keep_if"), 1u);
  EXPECT_GT(done.ir.find("tile.keep_if"), done.ir.rfind("tile.for")) << "the second one has it";
  EXPECT_THAT(done.report, HasSubstr("the mask holds everywhere in the steps before the cut"));
  EXPECT_THAT(done.report, HasSubstr("spans before the cut are whole"));
  expectRefused(kWindow, "", "peel(loop(n), interior)", "peel_condition", "holds from a step on");
  expectRefused(kSmallProduct, "", "peel(loop(k), interior)", "peel_condition", "has no mask");
}

TEST(Peel, TheEdge) {
  Scheduled done(kCausal, "peel(loop(n), edge)");
  expectSame(done, sizes);
  EXPECT_EQ(count(done.ir, "tile.for"), 2u);
  EXPECT_EQ(count(done.ir, "tile.floordiv"), 1u) << done.ir;
  EXPECT_THAT(done.report, HasSubstr("spans before the cut are whole"));
}

TEST(Peel, FirstSteps) {
  Scheduled done(kCausal, "let {first: f, rest: r} = peel(loop(n), first = 2)\nprint f; print r");
  expectSame(done, sizes);
  EXPECT_EQ(count(done.ir, "tile.for"), 2u);
  Scheduled indices(kSteps, "peel(loop(n), first = 1)");
  expectSame(indices, {{{"M", 5}, {"N", 0}}, {{"M", 5}, {"N", 1}}, {{"M", 5}, {"N", 4}}});
}

TEST(Peel, WholeSpansNeedNoPadsAnyMore) {
  // The spans of the interior are whole: its loads may be vectors.
  Scheduled done(R"(
kernel sums(x: in view<[N], f32>, y: out view<[4], f32>)
{
    grid g in 0..1
    var total = zeros(f32, [4])
    for n in tiles(N, 4) { total = total + x[n] }
    y[:] = total
}
)",
                 "assume aligned(x, 16)\nlet l = load(x)\npeel(loop(n), edge)\nvectorize(l.n)");
  EXPECT_EQ(done.errors, "");
  EXPECT_THAT(done.ir, HasSubstr("vec 4"));
}

TEST(Peel, Refused) {
  expectRefused(kSteps, "", "peel(loop(n), edge)", "peel_edge", "have no part that is absent");
  expectRefused(kSteps, "", "peel(loop(n), keep_if)", "peel_condition", "has no mask");
  expectRefused(kCausal, "", "peel(loop(n), first = 0)", "peel_count", "cannot be peeled off");
  expectRefused(kCausal, "", "peel(loop(n))", "peel_what", "one thing is peeled");
  expectRefused(kSmallProduct, "", "peel(loop(k), keep_if)", "peel_condition", "has no mask");
}

TEST(Peel, MasksThatCannotBePeeled) {
  auto masked = [](const std::string &condition) {
    return "kernel masks(s: in view<[M, N], f32>, y: out view<[M], f32>)\n{\n"
           "    grid m in tiles(M, 8)\n    var total = zeros(f32, [8])\n"
           "    for n in tiles(N, 4) {\n        let t = s[m, n]\n        let kept = t.keep_if(" +
           condition +
           ")\n        total = total + sum(kept, axis = 1)\n    }\n    y[m] = total\n}\n";
  };
  expectRefused(masked("t > 0.0"), "", "peel(loop(n), keep_if)", "peel_condition", "no mask in");
  expectRefused(masked("n.index[_, :] == m.index[:, _]"), "", "peel(loop(n), keep_if)",
                "peel_condition", "no mask in");
  expectRefused(masked("(n.index[_, :] <= m.index[:, _]) and (n.index[_, :] + 8 > m.index[:, _])"),
                "", "peel(loop(n), keep_if)", "peel_condition", "neither from the first step on");
}

TEST(Peel, CutsAreBetweenTwoSteps) {
  for (const char *call :
       {"peel(loop(n), first = 2)", "peel(loop(n), edge)", "peel(loop(n), keep_if)"}) {
    Scheduled done(kCausal, call);
    ASSERT_EQ(done.ledger.steps.size(), 1u) << done.errors;
    EXPECT_EQ(llvm::count_if(done.ledger.steps.front().entries,
                             [](const schedule::Entry &entry) { return entry.kind == "peel_cut"; }),
              2)
        << call;
  }
}

TEST(Peel, AMaskThatDoesNotHoldOnOneSide) {
  // The other condition says nothing about the step.
  expectUnsafe(R"(
kernel masks(s: in view<[M, N], f32>, y: out view<[M], f32>)
{
    grid m in tiles(M, 8)
    var total = zeros(f32, [8])
    for n in tiles(N, 4) {
        let t = s[m, n]
        let kept = t.keep_if((n.index[_, :] <= m.index[:, _]) and (m.index[:, _] < 5))
        total = total + sum(kept, axis = 1)
    }
    y[m] = total
}
)",
               "", "peel(loop(n), keep_if)", "peel_mask", "does not hold in all steps", 2);
}

TEST(Peel, AMaskThatIsAbsent) {
  // The tile is there where the index of the mask is not.
  expectUnsafe(R"(
kernel masks(y: out view<[M], f32>, N: i64)
{
    grid m in tiles(M, 8)
    var total = zeros(f32, [8])
    for n in tiles(N, 4) {
        let t = zeros(f32, [8, 4]) + 1.0
        let kept = t.keep_if(n.index[_, :] <= m.index[:, _] + 100)
        total = total + sum(kept, axis = 1)
    }
    y[m] = total
}
)",
               "", "peel(loop(n), keep_if)", "peel_absence",
               "is absent where the tile need not be");
}

TEST(Peel, StepsFromTheLastToTheFirst) {
  expectUnsafe(R"(
kernel down(x: in view<[N], f32>, y: out view<[4], f32>)
{
    grid g in 0..1
    var total = zeros(f32, [4])
    for n in tiles(N, 4) reversed { total = total * 2.0 + (x[n] ?? 1.0) }
    y[:] = total
}
)",
               "", "peel(loop(n), first = 1)", "peel_reversed", "goes downwards");
}
