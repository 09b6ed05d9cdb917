// replace: what is refused, and what is nearly refused.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ReplaceKernels.h"

using namespace tessera;
using namespace tessera::testing;
using ::testing::HasSubstr;
using ::testing::Not;
TEST(Replace, RefusedBodies) {
  expectRefused(kRowsOfOps, "", "replace(def(h), square)", "replace_twice",
                "two values stand for it", on());
  expectRefused(kRowsOfOps, "", "replace(def(t), times)", "replace_body",
                "`tile.mul` where the kernel does `tile.fma`", on());
  expectRefused(kRowsOfOps, "", "replace(op(`cast(_)`), square)", "replace_body", "does `tile.mul`",
                on());
  expectRefused(kRowsOfOps, "", "replace([def(p), def(q)], times)", "replace_results",
                "2 ops are given", on());
  expectRefused(kRowsOfOps, "", "replace([def(q), op(`cast(_)`)], times)", "replace_results",
                "2 ops are", on());
  expectRefused(kRowsOfOps, "", "replace(def(p), mma_m16n8k16_bf16)", "replace_body",
                "does `tile.mma`", on());
  expectRefused(kProduct, "", "replace(def(acc), mma_m16n8k16_f16)", "replace_dtype", "takes `f16`",
                on());
}

TEST(Replace, AWeakerClass) {
  expectRefused(kRowsOfOps, "", "replace(def(p), loose)", "replace_order", "`order any`", on());
  const char *sums = R"(
layout eight = (1, 8) : (0, 1)
layout one = (1, 1) : (0, 1)
instr row_sum(d: out frag<[1], f32, one>, a: frag<[1, 8], f32, eight>)
    on sm_80 scope thread order any ptx "sum {d}, {a};" { d = sum(a, axis = 1) }
instr any_sum(d: out frag<[1], f32, one>, a: frag<[1, 8], f32, eight>)
    on sm_80 scope thread order any ptx "sum {d}, {a};" { d = sum(a, axis = 1, order = any) }
kernel sums(x: in view<[M, 8], f32>, w: in view<[M, 16], f32>, y: out view<[M], f32>, z: out view<[M], f32>,
            v: out view<[M], f32>)
{
    grid r in tiles(M, 4)
    let s = sum(x[r, :], axis = 1)
    let t = sum(x[r, :] * 2.0, axis = 1, order = any)
    let u = sum(w[r, :], axis = 1, order = any)
    y[r] = s
    z[r] = t
    v[r] = u
}
)";
  expectRefused(sums, "", "replace(def(s), any_sum)", "replace_order", "in the order of the tree",
                on());
  expectUnsafe(sums, "", "replace(def(s), row_sum)", "replace_order", "weaker than the class", 1,
               on());
  Scheduled done(sums, "replace(def(t), any_sum)", on());
  expectSame(done, rowSizes);
  expectRefused(sums, "", "replace(def(u), any_sum)", "replace_partial",
                "combines 8 of the 16 terms", on());
}

TEST(Replace, ATransposedOperand) {
  const char *kernel = R"(
kernel scores(a: in view<[M, 16], bf16>, b: in view<[N, 16], bf16>, d: out view<[M, N], f32>)
{
    grid m in tiles(M, 16), n in tiles(N, 8)
    let q = a[m, :]
    let k = b[n, :]
    d[m, n] = mma(q, k.T)
}
)";
  // In registers the transposed tile is an operand like any other.
  Scheduled done(kernel, "replace(op(`mma(_, _, _)`), mma_m16n8k16_bf16)", on());
  expectSame(done, {{{"M", 20}, {"N", 9}}});
  size_t apply = done.ir.find("tile.apply");
  EXPECT_LT(done.ir.find("tile.permute"), apply);
  // From memory the transposition goes into the instruction: then rows must run along k.
  const char *wide = R"(
kernel scores(a: in view<[M, 64], bf16>, b: in view<[N, 64], bf16>, d: out view<[M, N], f32>)
{
    grid m in tiles(M, 64), n in tiles(N, 64)
    let q = a[m, :]
    let k = b[n, :]
    d[m, n] = mma(q, k.T)
}
)";
  std::string staged = "let mm = op(`mma(_, _, _)`)\nstage(mm.a, shared, layout = sw128)\n"
                       "stage(mm.b, shared, layout = sw128)\n";
  Scheduled both(wide, staged + "replace(mm, wgmma_m64k16)", on("sm_90a"));
  EXPECT_EQ(both.errors, "");
  apply = both.ir.find("tile.apply");
  EXPECT_GT(both.ir.find("tile.permute", apply), apply) << both.ir;
  expectRefused(wide,
                "let mm = op(`mma(_, _, _)`)\nstage(mm.a, shared, layout = col_major)\n"
                "stage(mm.b, shared, layout = sw128)",
                "replace(mm, wgmma_m64k16)", "replace_layout", "has one of the layouts",
                on("sm_90a"));
}

TEST(Replace, Memory) {
  expectUnsafe(kProduct, "let s = stage(def(acc).a, shared)", "replace(s.copy, cp_async_16)",
               "replace_alignment", "rows of `a` need not be", 1, on());
  expectUnsafe(kProduct, "let s = stage(def(acc).a, shared, layout = col_major)",
               "replace(s.read, ldmatrix_x4)", "replace_layout", "needs 8 neighbours", 1, on());
  expectUnsafe(kProduct, "assume aligned(a, 16)", "replace(load(a), ld_global_16)",
               "replace_absence", "would be present in part", 1, on());
  Scheduled whole(kProduct, "assume aligned(a, 16), K % 8 == 0\nreplace(load(a), ld_global_16)",
                  on());
  EXPECT_EQ(whole.errors, "");
  EXPECT_EQ(iterOf(whole, "tile.load"), "d1 = open 4 * atom 8");
  // Of the element types that an instruction has, the kernel's is taken.
  Scheduled stored(kProduct, "assume aligned(d, 16), N % 4 == 0\nreplace(store(d), st_global_16)",
                   on());
  EXPECT_EQ(stored.errors, "");
  EXPECT_EQ(iterOf(stored, "tile.store"), "d1 = open 4 * atom 4");
  expectRefused(kProduct, "", "replace(store(d), st_f16)", "replace_dtype", "is of `f16`", on());
  expectRefused(kProduct, "", "replace(load(a), ldmatrix_x4)", "replace_home", "in shared memory",
                on());
}

TEST(Replace, Pieces) {
  const char *kernel = R"(
kernel product(a: in view<[M, K], bf16>, b: in view<[K, N], bf16>, d: out view<[M, N], f32>)
{
    grid m in tiles(M, 24), n in tiles(N, 12)
    var acc = zeros(f32, [24, 12])
    for k in tiles(K, 24) { acc = mma(a[m, k], b[k, n], acc) }
    d[m, n] = acc
}
)";
  // In registers points past the end are absent, and along k zeros.
  Scheduled done(kernel, "replace(def(acc), mma_m16n8k16_bf16)", on());
  expectSame(done, productSizes);
  EXPECT_EQ(iterOf(done, "tile.mma"),
            "m = reg 2 * atom 16, n = reg 2 * atom 8, k = reg 2 * atom 16");
  EXPECT_THAT(done.report, HasSubstr("are zeros on both sides"));
  // In memory there is something else.
  expectUnsafe(kernel, "let s = stage(def(acc).a, shared)", "replace(s.read, ldmatrix_x4)",
               "replace_tail", "would reach past the tile", 1, on());
  expectRefused(kernel, "let mm = def(acc)\nbind(split(mm.m, 12).outer, warp)",
                "replace(mm, mma_m16n8k16_bf16)", "replace_pieces",
                "12 points in one thread's turn", on());
  expectRefused(kProduct, "let mm = def(acc)\nbind(split(mm.m, 16).outer, lane)",
                "replace(mm, mma_m16n8k16_bf16)", "replace_scope", "run by a whole `warp`", on());
}

TEST(Replace, AbsenceAlongOtherDims) {
  // Rows and columns past the edge reach nothing that is stored: nothing is due for them.
  Scheduled done(R"(
kernel product(a: in view<[M, 16], bf16>, b: in view<[16, N], bf16>, d: out view<[M, N], f32>)
{
    grid m in tiles(M, 16), n in tiles(N, 8)
    d[m, n] = mma(a[m, :], b[:, n])
}
)",
                 "replace(op(`mma(_, _, _)`), mma_m16n8k16_bf16)", on());
  expectSame(done, {{{"M", 20}, {"N", 9}}});
  EXPECT_THAT(done.report, Not(HasSubstr("add nothing")));
  Scheduled along(kProduct, "replace(def(acc), mma_m16n8k16_bf16)", on());
  EXPECT_THAT(along.report, HasSubstr("absent elements along `"));
  // Inside of the edge the spans along k are whole.
  Scheduled inside(kProduct,
                   "let mm = def(acc)\npeel(loop(k), edge)\nreplace(mm, mma_m16n8k16_bf16)", on());
  expectSame(inside, productSizes);
  EXPECT_THAT(inside.report, Not(HasSubstr("add nothing")));
}

TEST(Replace, ThePlace) {
  expectRefused(kRowsOfOps, "", "replace(op(`cast(_)`), \"no_such\")", "instruction_unknown",
                "there is no instruction", on());
  expectRefused(kProduct, "replace(def(acc), mma_m16n8k16_bf16)",
                "replace(op(`mma(_, _, _)`), mma_m16n8k16_bf16)", "replace_done", "already", on());
  expectRefused(kProduct, "", "replace(def(acc), wgmma_m64k16)", "instruction_target",
                "needs sm_90a", on());
  // `t` is a step inside, and something else uses it.
  std::string kernel = kRowsOfOps;
  size_t at = kernel.find("h - v");
  kernel.replace(at, 5, "h - t");
  expectRefused(kernel, "", "replace(op(`cast(_)`), fma_cvt)", "replace_escapes",
                "something else uses it", on());
}

TEST(Replace, ElementsThatAConditionCuts) {
  const char *kernel = R"(
kernel cut(x: in view<[M, 16], f32>, y: out view<[M, 16], f32>)
{
    grid r in tiles(M, 4)
    let t = x[r, :]
    y[r, :] = t.keep_if(t > 0.0)
}
)";
  expectUnsafe(kernel, "assume aligned(y, 16)", "replace(store(y), st_global_16)",
               "replace_absence", "may be absent one by one", 2, on());
}

TEST(Replace, ElementsThatAreNoNeighbours) {
  const char *gathered = R"(
kernel gathered(x: in view<[N], f32>, i: in view<[M], i64>, y: out view<[M], f32>)
    where N >= 4
{
    grid r in tiles(M, 8)
    y[r] = x[min(max(i[r], 0), 3)]
}
)";
  expectUnsafe(gathered, "", "replace(load(x), ld_global_8)", "replace_gather",
               "a tile of indices says where each element is", 1, on());
  const char *turned = R"(
kernel turned(x: in view<[M, 8], f32>, y: out view<[8, M], f32>)
{
    grid r in tiles(M, 4)
    let v = x.T
    y[:, r] = v[:, r]
}
)";
  expectUnsafe(turned, "assume M % 4 == 0, aligned(x, 8)", "replace(load(x), ld_global_8)",
               "replace_contiguous", "lie along an axis of `x` that is not its last", 1, on());
}

TEST(Replace, PastAStoreToTheSameMemory) {
  const char *kernel = R"(
layout two = (1, 2) : (0, 1)
instr ld_neg(d: out frag<[2], f32, two>, a: view<[2], f32>)
    on sm_80 scope thread order exact ptx "neg {d}, [{a}], {present_bytes(a)};" { d = -a }
kernel shifts(x: inout view<[M, 16], f32>, w: in view<[M, 16], f32>, y: out view<[M, 16], f32>)
{
    grid r in tiles(M, 4)
    let t = x[r, :]
    x[r, :] = w[r, :]
    y[r, :] = -t
}
)";
  expectUnsafe(kernel, "", "replace(op(`neg(_)`), ld_neg)", "replace_moved",
               "past what changes or frees its memory", 2, on());
}

TEST(Replace, WhereOneThreadComes) {
  const char *kernel = R"(
kernel turned(x: in view<[M, 16], bf16>, y: out view<[M, 16], bf16>)
{
    grid r in tiles(M, 16)
    y[r, :] = -x[r, :]
}
)";
  expectUnsafe(kernel,
               "let neg = op(`neg(_)`)\nlet X = stage(neg.x, shared)\n"
               "let Y = stage(store(y).value, shared, layout = row_major)\n"
               "elect([X.read, neg, Y.write])",
               "replace(Y.write, stmatrix_x4)", "replace_group", "only part of one comes here", 2,
               on("sm_90"));
  expectRefused(kernel, "", "replace([], stmatrix_x4)", "replace_none", "no op to replace",
                on("sm_90"));
}

TEST(Replace, CellsThatAreReadAgain) {
  const char *kernel = R"(
kernel shorter(x: in view<[M], f32>, y: out view<[N], f32>)
    where M >= N, N <= 8, M <= 8
{
    grid g in 0..1
    let r = whole(M, width = 8)
    let q = whole(N, width = 8)
    y[q] = x[r] + 1.0
}
)";
  expectRefused(kernel, "let Y = stage(store(y).value, shared)", "replace(Y.write, st_shared_16)",
                "replace_fill", "leaves what was there", on());
}

TEST(Replace, AValueThatIsNotThereYet) {
  const char *kernel = R"(
layout two = (1, 2) : (0, 1)
instr ld_late(dst: out frag<[2], f32, two>, src: view<[2], f32>) on sm_80 scope thread
    effects { read src via cp_async; completes group(thread) }
    order exact ptx "ld {dst}, [{src}], {present_bytes(src)};" { dst = src }
kernel copies(x: in view<[M, 8], f32>, y: out view<[M, 8], f32>)
{
    grid r in tiles(M, 4)
    y[r, :] = x[r, :]
}
)";
  expectRefused(kernel, "", "replace(load(x), ld_late)", "replace_async",
                "gives a value, which only `wgmma` may", on());
}

TEST(Replace, AnotherLayoutAfterwards) {
  expectUnsafe(kProduct,
               "let s = stage(def(acc).a, shared, layout = row_major)\n"
               "replace(s.read, ldmatrix_x4)",
               "set_layout(s.buf, col_major)", "layout_instr", "accesses 8 neighbours at once", 1,
               on());
  const char *kernel = R"(
kernel product(a: in view<[M, K], bf16>, b: in view<[K, N], bf16>, d: out view<[M, N], f32>)
{
    grid m in tiles(M, 64), n in tiles(N, 64)
    var acc = zeros(f32, [64, 64])
    for k in tiles(K, 64) { acc = mma(a[m, k], b[k, n], acc) }
    d[m, n] = acc
}
)";
  expectRefused(kernel,
                "let mm = def(acc)\nlet A = stage(mm.a, shared, layout = sw128)\n"
                "let B = stage(mm.b, shared, layout = sw128)\nreplace(mm, wgmma_m64k16)",
                "set_layout(A.buf, row_major)", "layout_family",
                "which was fitted to the layout that the buf has", on("sm_90a"));
}
