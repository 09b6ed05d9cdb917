// drop_fill, explicit_pads.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "IRTesting.h"
#include "MemoryTesting.h"

using namespace tessera;
using namespace tessera::testing;
using ::testing::HasSubstr;

namespace {

const std::vector<Extents> sizes = {
    {{"M", 5}, {"N", 11}}, {{"M", 4}, {"N", 16}}, {{"M", 1}, {"N", 1}}};

std::string rows(const std::string &body) {
  bool hasSums = body.find("s[r]") != std::string::npos,
       hasRows = body.find("y[r, c]") != std::string::npos;
  return "kernel rows(x: in view<[M, N], f32>, s: out view<[M], f32>, y: out view<[M, N], f32>)\n"
         "    where N <= 16, N >= 1\n{\n    grid r in tiles(M, 4)\n    let c = whole(N, width = "
         "16)\n"
         "    let t = x[r, c]\n" +
         body + (hasSums ? "" : "    s[r] = x[r, 0]\n") +
         (hasRows ? "" : "    y[r, c] = x[r, c] + 1.0\n") + "}\n";
}

} // namespace

TEST(DropFill, PadsThatAreMadeExplicit) {
  Scheduled done(rows("    s[r] = max(t, axis = 1)\n"), "let f = explicit_pads()\nprint f");
  expectSame(done, sizes);
  EXPECT_EQ(count(done.ir, "tile.fill_absent"), 1u);
  EXPECT_THAT(done.ir, HasSubstr("0xFF800000 : f32 tensor<4x16xf32>"));
  // Once they are there, nothing is missing.
  Scheduled again(rows("    s[r] = max(t, axis = 1)\n"), "explicit_pads()\nexplicit_pads()");
  EXPECT_EQ(count(again.ir, "tile.fill_absent"), 1u);
}

TEST(DropFill, BothSidesOfAProduct) {
  const char *kernel = R"(
kernel product(a: in view<[M, K], f32>, b: in view<[K, N], f32>, d: out view<[M, N], f32>)
{
    grid m in tiles(M, 8), n in tiles(N, 8)
    var acc = zeros(f32, [8, 8])
    for k in tiles(K, 16) { acc = mma(a[m, k], b[k, n], acc) }
    d[m, n] = acc
}
)";
  Scheduled done(kernel, "explicit_pads()");
  expectSame(done, {{{"M", 5}, {"N", 9}, {"K", 19}}, {{"M", 8}, {"N", 8}, {"K", 0}}});
  EXPECT_EQ(count(done.ir, "tile.fill_absent"), 2u);
  // Copies that fill say it already.
  Scheduled staged(kernel, "stage(def(acc).a, shared)\nstage(def(acc).b, shared)\nexplicit_pads()");
  EXPECT_EQ(staged.errors, "");
  EXPECT_EQ(count(staged.ir, "tile.fill_absent"), 0u);
}

TEST(DropFill, PadsOfSections) {
  const char *const cut = "sections(loop(k), {load: [load(x)], use: rest})\nexplicit_pads()";
  // Beside sections a sum to a scalar may stand, its fill may not.
  const char *flat = R"(
kernel flat(x: in view<[N], f32>, w: in view<[N], f32>, y: out view<[N], f32>)
    where N <= 16
{
    grid g in 0..1
    let c = whole(N, width = 16)
    let f = w[c]
    for k in tiles(N, 8) {
        let s = sum(f, axis = 0)
        y[k] = x[k] * s
    }
}
)";
  Scheduled beside(flat, cut);
  expectSame(beside, {{{"N", 11}}, {{"N", 16}}, {{"N", 0}}});
  EXPECT_LT(beside.ir.find("tile.fill_absent"), beside.ir.find("tile.for"));
  // In a section it stands right before its user.
  const char *sums = R"(
kernel sums(x: in view<[M, N], f32>, y: out view<[M], f32>)
{
    grid m in tiles(M, 4)
    var total = zeros(f32, [4])
    for k in tiles(N, 8) { total = total + sum(x[m, k], axis = 1) }
    y[m] = total
}
)";
  Scheduled inside(sums, cut);
  expectSame(inside, sizes);
  EXPECT_GT(inside.ir.find("tile.fill_absent"), inside.ir.find("tile.section @use"));
}

TEST(DropFill, StepsOfWholeSpansNeedNone) {
  const char *kernel = R"(
kernel rows(x: in view<[M, N], f32>, s: out view<[M], f32>)
{
    grid r in tiles(M, 4)
    var top: tile<[4], f32> = -inf
    for c in tiles(N, 8) { top = max(top, max(x[r, c], axis = 1)) }
    s[r] = top
}
)";
  const std::vector<Extents> all = {
      {{"M", 5}, {"N", 19}}, {{"M", 4}, {"N", 16}}, {{"M", 1}, {"N", 0}}};
  // Fills that are there leave the steps whose spans are whole, and stay in the last one.
  std::string dropped = "explicit_pads()\nlet p = peel(loop(c), edge)\n"
                        "for f in p.interior.all(`fill_absent(_, _)`) { drop_fill(f) }\n"
                        "print len(p.interior.all(`fill_absent(_, _)`)), "
                        "len(p.rest.all(`fill_absent(_, _)`))";
  Scheduled done(kernel, dropped);
  expectSame(done, all);
  EXPECT_EQ(done.printed, "0 1\n");
  expectRefused(kernel, "explicit_pads()\nlet p = peel(loop(c), edge)",
                "drop_fill(p.rest.op(`fill_absent(_, _)`))", "drop_fill_lanes",
                "needs -inf in lanes of absent elements along `c`");
  // Pads are asked for where they are needed only, and in a part of the kernel.
  Scheduled later(kernel, "let p = peel(loop(c), edge)\np.interior.explicit_pads()\n"
                          "print len(all(`fill_absent(_, _)`))\nexplicit_pads()\n"
                          "print len(p.rest.all(`fill_absent(_, _)`)), "
                          "len(all(`fill_absent(_, _)`))");
  expectSame(later, all);
  EXPECT_EQ(later.printed, "0\n1 1\n");
}

TEST(DropFill, SeenInTheResults) {
  expectUnsafe(rows("    let f = t ?? -1.0\n    s[r] = sum(f, axis = 1)\n"), "",
               "drop_fill(def(f))", "drop_fill_seen", "terms that change it", 2);
  expectUnsafe(rows("    let f = t ?? 0.0\n    s[r] = sum(exp(f), axis = 1)\n"), "",
               "drop_fill(def(f))", "drop_fill_seen", "terms that change it", 2);
  expectUnsafe(rows("    let f = t ?? 0.0\n    s[r] = max(f, axis = 1)\n"), "", "drop_fill(def(f))",
               "drop_fill_seen", "terms that change it", 2);
  expectUnsafe("kernel rows(x: in view<[N], f32>, y: out view<[16], f32>)\n    where N <= 16\n{\n"
               "    grid g in 0..1\n    let c = whole(N, width = 16)\n    let f = "
               "x[c] ?? 0.0\n    y[:] = f\n}\n",
               "", "drop_fill(def(f))", "drop_fill_seen", "would be stored", 2);
}

TEST(DropFill, TheLanesHoldWhatIsNeeded) {
  // The elements are not seen, but nobody else says what the lanes hold.
  std::string kernel = rows("    let f = t ?? 0.0\n    s[r] = sum(f, axis = 1)\n");
  expectRefused(kernel, "", "drop_fill(def(f))", "drop_fill_lanes",
                "needs 0 in lanes of absent elements");
  // A copy that fills does.
  Scheduled done(kernel, "stage(def(f).x, shared)\ndrop_fill(def(f))");
  expectSame(done, sizes);
  EXPECT_EQ(count(done.ir, "tile.fill_absent"), 0u);
  // Where only stored elements matter, the lanes may hold anything.
  Scheduled stored(rows("    let f = t ?? 0.0\n    y[r, c] = f * 2.0\n"), "drop_fill(def(f))");
  expectSame(stored, sizes);
}

TEST(DropFill, ACopyMayLeaveCells) {
  auto kernel = [](const std::string &use, const std::string &spans) {
    return "tile.kernel @rows[%N \"N\"](%x \"x\": !tile.view<?xf32, in> shape ()[s0] -> (s0), "
           "%y \"y\": !tile.view<?xf32, out> shape ()[s0] -> (s0), %s \"s\": !tile.view<1xf32, "
           "out> shape ()[s0] -> (1))\n"
           "body {\n  %c0 = tile.constant 0 : i64\n  %a = tile.alloc : !tile.buf<8xf32, shared>\n"
           "  tile.grid (%n = tiles(%c0 to %N by 8)) {\n"
           "    tile.copy %x[%n] to %a fill zero : !tile.view<?xf32, in>, !tile.span<8> to "
           "!tile.buf<8xf32, shared>\n"
           "    %t = tile.read %a span[" +
           spans + "] : !tile.buf<8xf32, shared>" + (spans == ":" ? "" : ", !tile.span<8>") +
           " -> tensor<8xf32>\n" + use + "  }\n}\n";
  };
  std::string store =
      "    tile.store %t, %y[%n] : tensor<8xf32>, !tile.view<?xf32, out>, !tile.span<8>\n";
  std::string sum = "    %r = tile.reduce sum %t along 0 : tensor<8xf32> -> f32\n"
                    "    tile.store %r, %s[%c0] : f32, !tile.view<1xf32, out>, i64\n";
  auto drop = [](OnIR &on) {
    return on.call("drop_fill", {on.host().getCursors().op(on.first<tile::CopyOp>(),
                                                           script::ValueKind::Op, "copy x")});
  };
  OnIR done(kernel(store, "%n"));
  EXPECT_EQ(drop(done), "");
  EXPECT_THAT(done.text(), HasSubstr("fill undef"));
  EXPECT_THAT(drop(done), HasSubstr("drop_fill_none"));
  OnIR sums(kernel(sum, "%n"));
  std::string before = sums.text();
  EXPECT_THAT(drop(sums), HasSubstr("drop_fill_lanes"));
  EXPECT_EQ(sums.text(), before);
  OnIR whole(kernel(store, ":"));
  EXPECT_THAT(drop(whole), HasSubstr("drop_fill_seen"));
  expectRefused(rows("    y[r, c] = t * 2.0\n"), "", "drop_fill(store(y))", "drop_fill_kind",
                "fills nothing");
}

TEST(DropFill, PadsWhereOneSideHasElements) {
  expectRefused(R"(
kernel product(a: in view<[8, K], f32>, b: in view<[16, 8], f32>, d: out view<[8, 8], f32>)
    where K <= 16
{
    grid g in 0..1
    let k = whole(K, width = 16)
    d[:, :] = mma(a[:, k], b[:, :])
}
)",
                "", "explicit_pads()", "explicit_pads_other", "only the other operand has none");
}

TEST(DropFill, AnInstructionUsesTheLanes) {
  const char *kernel = R"(
kernel product(a: in view<[M, K], bf16>, b: in view<[K, N], bf16>, d: out view<[M, N], f32>)
    where K <= 32
{
    grid m in tiles(M, 16), n in tiles(N, 8)
    let k = whole(K, width = 32)
    let x = a[m, k] ?? 0.0
    let y = b[k, n] ?? 0.0
    let t = mma(x, y)
    d[m, n] = t
}
)";
  Scheduled::Options options;
  options.instructions = true;
  expectUnsafe(kernel, "replace(def(t), mma_m16n8k16_bf16)", "drop_fill(def(x))", "drop_fill_lanes",
               "needs 0 in lanes of absent elements", 2, options);
}

TEST(DropFill, AnInstructionThatLoadsItsOperand) {
  const char *kernel = R"(
kernel product(a: in view<[M, K], bf16>, b: in view<[K, N], bf16>, d: out view<[M, N], f32>)
{
    grid m in tiles(M, 64), n in tiles(N, 64)
    var acc = zeros(f32, [64, 64])
    for k in tiles(K, 64) { acc = mma((a[m, k] as f32 * 2.0) as bf16, b[k, n], acc) }
    d[m, n] = acc
}
)";
  Scheduled::Options options;
  options.target = "sm_90a";
  options.instructions = true;
  expectRefused(kernel,
                "let mm = def(acc)\nstage(mm.a, shared, layout = sw128)\n"
                "stage(mm.b, shared, layout = sw128)\nreplace(mm, wgmma_m64k16)",
                "explicit_pads()", "explicit_pads_instr", "the instruction loads them itself",
                options);
}

TEST(DropFill, PadsThatWouldBeSeen) {
  // A zero for an element that is absent on one side meets what the other side has.
  const char *kernel = R"(
kernel product(a: in view<[8, K], f32>, b: in view<[L, 8], f32>, d: out view<[8, 8], f32>)
    where K <= 16, L <= 16
{
    grid g in 0..1
    let k = whole(K, width = 16)
    let l = whole(L, width = 16)
    d[:, :] = mma(a[:, k], b[l, :])
}
)";
  expectUnsafe(kernel, "", "explicit_pads()", "explicit_pads_seen", "would be seen in the results");
}

TEST(DropFill, ACopyOfAnInstruction) {
  const char *kernel = R"(
kernel product(a: in view<[M, K], bf16>, b: in view<[K, N], bf16>, d: out view<[M, N], f32>)
{
    grid m in tiles(M, 16), n in tiles(N, 8)
    var acc = zeros(f32, [16, 8])
    for k in tiles(K, 16) { acc = mma(a[m, k], b[k, n], acc) }
    d[m, n] = acc
}
)";
  Scheduled::Options options;
  options.instructions = true;
  expectRefused(kernel,
                "let {yes, no} = versions(aligned(a, 16))\nlet s = stage(yes.def(acc).a, shared)\n"
                "replace(s.copy, cp_async_16)",
                "drop_fill(s.copy)", "drop_fill_done", "is done by an instruction", options);
}

TEST(DropFill, PadsOfWhatASectionGives) {
  OnIR on(R"(
tile.kernel @beside[%N "N"](%x "x": !tile.view<?xf32, in> shape ()[s0] -> (s0),
                            %y "y": !tile.view<?xf32, out> shape ()[s0] -> (s0)) body {
  %c0 = tile.constant 0 : i64
  %c1 = tile.constant 1 : i64
  tile.grid (%g = range(%c0 to %c1)) {
    tile.for %k in tiles(%c0 to %N by 8) {
      %t = tile.section @load -> tensor<8xf32> {
        %0 = tile.load %x[%k] : !tile.view<?xf32, in>, !tile.span<8> -> tensor<8xf32>
        tile.yield %0 : tensor<8xf32>
      }
      %s = tile.reduce max %t along 0 : tensor<8xf32> -> f32
      tile.section @use {
        %0 = tile.splat %s : f32 to tensor<8xf32>
        tile.store %0, %y[%k] : tensor<8xf32>, !tile.view<?xf32, out>, !tile.span<8>
      }
    }
  }
})");
  EXPECT_THAT(on.call("explicit_pads", {}), HasSubstr("explicit_pads_beside: "));
}
