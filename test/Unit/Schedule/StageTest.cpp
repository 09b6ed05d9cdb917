// stage.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "IRTesting.h"
#include "MemoryTesting.h"

using namespace tessera;
using namespace tessera::testing;
using ::testing::HasSubstr;

static const std::vector<Extents> sizes = {{{"M", 1}, {"N", 1}, {"K", 1}},
                                           {{"M", 17}, {"N", 9}, {"K", 33}},
                                           {{"M", 16}, {"N", 8}, {"K", 0}}};
static const std::vector<Extents> rows = {
    {{"M", 1}, {"N", 1}}, {{"M", 6}, {"N", 11}}, {{"M", 8}, {"N", 16}}};

TEST(Stage, ALoadBecomesACopyAndARead) {
  Scheduled done(kSmallProduct,
                 "let A = stage(def(acc).a, shared)\nprint A.copy; print A.read; print A.buf");
  expectSame(done, sizes);
  EXPECT_THAT(done.lines("tile.alloc"), HasSubstr("!tile.buf<16x16xbf16, shared>"));
  EXPECT_THAT(done.lines("tile.copy"), HasSubstr("fill zero"));
  EXPECT_THAT(done.lines("tile.read"), HasSubstr("span[%"));
  EXPECT_EQ(count(done.ir, "tile.load"), count(done.before, "tile.load") - 1);
  EXPECT_THAT(done.report, HasSubstr("open"));
  EXPECT_THAT(done.printed, HasSubstr("a.copy\na.read\na.buf\n"));
}

TEST(Stage, TheBufStandsOutsideOfTheLoop) {
  Scheduled done(kSmallProduct, "stage(def(acc).a, shared)\nstage(def(acc).b, shared)");
  expectSame(done, sizes);
  size_t loop = done.ir.find("tile.for"), last = done.ir.rfind("tile.alloc");
  EXPECT_LT(last, loop);
}

TEST(Stage, OldCursorsAreAmbiguous) {
  Scheduled done(kSmallProduct, "let l = load(a)\nstage(def(acc).a, shared)\nunroll(l.k)");
  EXPECT_THAT(done.errors, HasSubstr("T1075"));
  EXPECT_THAT(done.errors, HasSubstr("`load a.copy`"));
}

TEST(Stage, ThroughIndexMaps) {
  Scheduled done(R"(
kernel scores(a: in view<[M, 16], bf16>, b: in view<[N, 16], bf16>, d: out view<[M, N], f32>)
{
    grid m in tiles(M, 16), n in tiles(N, 8)
    d[m, n] = mma(a[m, :], b[n, :].T)
})",
                 "stage(op(`mma(..)`).b, shared)");
  expectSame(done, {{{"M", 5}, {"N", 9}}});
  EXPECT_THAT(done.lines("tile.alloc"), HasSubstr("8x16xbf16"));
  EXPECT_EQ(count(done.ir, "tile.permute"), 1u);
}

TEST(Stage, WithoutAbsenceNothingIsFilled) {
  Scheduled done(R"(
kernel fixed(a: in view<[16, 16], bf16>, b: in view<[16, 8], bf16>, d: out view<[16, 8], f32>)
{
    grid g in 0..1
    d[:, :] = mma(a[:, :], b[:, :])
})",
                 "stage(op(`mma(..)`).a, shared)");
  expectSame(done, {{}});
  EXPECT_THAT(done.lines("tile.copy"), HasSubstr("fill undef"));
}

TEST(Stage, WhatIsOnlyStoredNeedsNoPads) {
  Scheduled done(R"(
kernel twice(x: in view<[M, N], f32>, y: out view<[M, N], f32>)
{
    grid r in tiles(M, 4), c in tiles(N, 8)
    y[r, c] = x[r, c] * 2.0
})",
                 "stage(op(`mul(_, _)`).lhs, shared)");
  expectSame(done, {{{"M", 5}, {"N", 9}}});
  EXPECT_THAT(done.lines("tile.copy"), HasSubstr("fill undef"));
}

TEST(Stage, AnotherValueIsWrittenAndRead) {
  Scheduled done(kRowsOfSums,
                 "let U = stage(op(`add(_, _)`).lhs, shared)\nprint U.write; print U.read");
  expectSame(done, rows);
  EXPECT_EQ(count(done.ir, "tile.write"), 1u);
  EXPECT_EQ(count(done.ir, "tile.read"), 1u);
  EXPECT_EQ(done.printed, "u.write\nu.read\n");
}

TEST(Stage, AStoredValueIsCopiedOut) {
  Scheduled done(kSmallProduct,
                 "let C = stage(store(d).value, shared)\nprint C.write; print C.copy");
  expectSame(done, sizes);
  EXPECT_EQ(count(done.ir, "tile.copy_out"), 1u);
  EXPECT_EQ(count(done.ir, "tile.store"), 0u);
  EXPECT_EQ(done.printed, "d.write\nd.copy\n");
}

TEST(Stage, WithALayoutAndAnOwner) {
  Scheduled done(kSmallProduct,
                 "stage(def(acc).a, shared, layout = xor16(2))\n"
                 "stage(def(acc).b, workspace)\nstage(store(d).value, shared, per = warp)");
  ASSERT_EQ(done.errors, "");
  EXPECT_THAT(done.lines("tile.alloc"), HasSubstr("layout = \""));
  EXPECT_THAT(done.lines("tile.alloc"), HasSubstr("workspace"));
  EXPECT_THAT(done.lines("tile.alloc"), HasSubstr("per = warp"));
  EXPECT_THAT(done.report, HasSubstr("each warp reads what it wrote"));
}

TEST(Stage, AWrittenViewMayChange) {
  Scheduled done(R"(
kernel inplace(x: inout view<[M], f32>, y: out view<[M], f32>)
{
    grid r in tiles(M, 4)
    y[r] = x[r] * 2.0
    x[r] = x[r] + 1.0
})",
                 "stage(op(`mul(_, _)`).lhs, shared)");
  expectSame(done, {{{"M", 6}}});
  EXPECT_THAT(done.report, HasSubstr("does not change what is copied from"));
}

//===-- Refused ----------------------------------------------------------------------------------------------------===//

TEST(Stage, OnlyOperands) {
  expectRefused(kSmallProduct, "stage(def(acc).a, shared)", "stage(def(acc).a, shared)",
                "stage_twice", "comes from memory already");
}

TEST(Stage, AnOperandOfAnInstruction) {
  Scheduled::Options options;
  options.instructions = true;
  expectRefused(kSmallProduct, "let mm = def(acc)\nreplace(mm, mma_m16n8k16_bf16)",
                "stage(mm.a, shared)", "stage_instr", "is the operand of an instruction", options);
}

TEST(Stage, WhatNoScriptNames) {
  Scheduled done(kSmallProduct,
                 "persistent(self)\nlet mm = def(acc), k = loop(k)\n"
                 "let A = stage(mm.a, shared), B = stage(mm.b, shared)\n"
                 "sections(k, {load: [A.copy, B.copy], use: rest})\n"
                 "ring([A.buf, B.buf], 3, protocol = mbarrier)\n"
                 "roles({producer: [load], consumer: rest}, warps = {producer: 1, consumer: 1})");
  ASSERT_EQ(done.errors, "");
  OnIR on(done.ir);
  Value shared = Value::name("shared");
  // The accumulator comes to a loop that stands beside sections.
  Value first = on.host().getCursors().operand(on.first<tile::ForOp>(), 2);
  EXPECT_THAT(on.call("stage", {first, shared}), HasSubstr("stage_cut: "));
  EXPECT_THAT(on.call("stage", {on.buf(), shared}), HasSubstr("stage_operand: "));
}

TEST(Stage, AnArrayOfTheReference) {
  OnIR on(R"(
tile.kernel @tenfold[%N "N"](%x "x": !tile.view<?xi64, in> shape ()[s0] -> (s0),
                             %y "y": !tile.view<?xi64, out> shape ()[s0] -> (s0))
body {
} reference ["y"] {
  %c0 = tile.constant 0 : i64
  %r = tile.map (%i in %c0 to %N) -> tensor<?xi64> {
    %e = tile.at %x[%i] : !tile.view<?xi64, in> -> i64
    tile.yield %e : i64
  }
  tile.yield %r : tensor<?xi64>
} tolerance exact
)");
  Value array = on.host().getCursors().operand(
      on.first<tile::KernelOp>().getReference().front().getTerminator(), 0);
  EXPECT_THAT(on.call("stage", {array, Value::name("shared")}), HasSubstr("stage_extents: "));
}

TEST(Stage, OnlyTiles) {
  expectRefused(kSmallProduct, "", "stage(load(a).view, shared)", "stage_no_tile", "is no tile");
}

TEST(Stage, NoGather) {
  const char *kernel = R"(
kernel gather(x: in view<[N, 8], f32>, i: in view<[M], i64>, y: out view<[M, 8], f32>)
{
    grid r in tiles(M, 4)
    y[r, :] = x[i[r], :] * 2.0
})";
  expectRefused(kernel, "", "stage(op(`mul(_, _)`).lhs, shared)", "stage_gather",
                "through a tile of indices");
}

TEST(Stage, NoScatter) {
  const char *kernel = R"(
kernel scatter(x: in view<[M, 8], f32>, i: in view<[M], i64>, y: out view<[N, 8], f32>)
{
    grid r in tiles(M, 4)
    y[i[r], :] = x[r, :] * 2.0
})";
  expectRefused(kernel, "", "stage(store(y).value, shared)", "stage_gather",
                "through a tile of indices");
}

TEST(Stage, AConditionWouldBeForgotten) {
  expectUnsafe(kRowsOfSums, "", "stage(op(`reduce(_)`).x, shared)", "stage_absence",
               "a condition makes absent", 2);
}

TEST(Stage, TwoSpansOnOneAxis) {
  const char *kernel = R"(
kernel shifted(x: in view<[N], f32>, z: in view<[K], f32>, y: out view<[N], f32>)
    where K >= 1, K <= 4
{
    grid r in tiles(N, 4), q in tiles(K, 4)
    let s = sum(x[r] * z[q], axis = 0)
    y[r] = x[r] * s
})";
  expectUnsafe(kernel, "", "stage(op(`reduce(_)`).x, shared)", "stage_absence",
               "two spans make elements of axis 0", 2);
}

TEST(Stage, AbsenceThatALoopDecides) {
  const char *kernel = R"(
kernel twice(a: in view<[M, K], f32>, b: in view<[K, N], f32>, d: out view<[M, N], f32>)
{
    grid m in tiles(M, 4), n in tiles(N, 4)
    var acc = zeros(f32, [4, 4])
    for k in tiles(K, 4) { acc = mma(a[m, k], b[k, n], acc) }
    d[m, n] = acc * 2.0
})";
  expectRefused(kernel, "", "stage(op(`mul(_, _)`).lhs, shared)", "stage_absence",
                "depends on whether `loop k` runs");
  std::string runs = kernel;
  runs.insert(runs.find("{"), "    where K >= 1\n");
  Scheduled done(runs, "stage(op(`mul(_, _)`).lhs, shared)");
  expectSame(done, {{{"M", 5}, {"N", 3}, {"K", 6}}});
  // Without a step all elements are there, and are summed.
  const char *sums = R"(
kernel sums(a: in view<[M, K], f32>, b: in view<[K, N], f32>, d: out view<[N], f32>)
    where M <= 4
{
    grid n in tiles(N, 4)
    let m = whole(M, width = 4)
    var acc = zeros(f32, [4, 4]) + 1.0
    for k in tiles(K, 4) { acc = mma(a[m, k], b[k, n], acc) }
    d[n] = sum(acc * 2.0, axis = 0)
})";
  expectUnsafe(sums, "", "stage(op(`mul(_, _)`).lhs, shared)", "stage_absence",
               "depends on whether `loop k` runs", 2);
}

TEST(Stage, StoredWhole) {
  const char *kernel = R"(
kernel padded(x: in view<[M], f32>, y: out view<[8], f32>)
{
    grid g in 0..1
    let r = whole(M, width = 8)
    y[:] = x[r] + 1.0
})";
  std::string some = kernel;
  some.insert(some.find("{"), "    where M <= 8\n");
  expectUnsafe(some, "", "stage(store(y).value, shared)", "stage_absence",
               "along an axis that is stored whole", 2);
}

TEST(Stage, StoredMoreThanTheValueHas) {
  const char *kernel = R"(
kernel shorter(x: in view<[M], f32>, y: out view<[N], f32>)
    where N >= M
{
    grid g in 0..1
    let r = whole(M, width = 8)
    let q = whole(N, width = 8)
    y[q] = x[r]  + 1.0
})";
  expectUnsafe(kernel, "", "stage(store(y).value, shared)", "stage_absence",
               "would write elements that are absent", 2);
}

TEST(Stage, AWorkspaceIsOfTheCta) {
  expectRefused(kSmallProduct, "", "stage(def(acc).a, workspace, per = warp)", "stage_per",
                "a workspace is per `cta`");
}

TEST(Stage, TooLarge) {
  const char *kernel = R"(
kernel large(x: in view<[M], f32>, y: out view<[M], f32>)
{
    grid r in tiles(M, 65536)
    y[r] = x[r] * 2.0
})";
  expectRefused(kernel, "", "stage(op(`mul(_, _)`).lhs, shared)", "stage_bytes",
                "takes 262144 bytes");
}

TEST(Stage, ALayoutOfAnotherShape) {
  expectRefused(kSmallProduct, "", "stage(def(acc).a, shared, layout = layout(\"(8,8):(8,1)\"))",
                "layout_fit", "does not fit the buf");
}
