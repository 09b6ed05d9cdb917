// Layouts, instructions and syncs: what the tree holds, and that it prints and reads back.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "SyntaxTest.h"

using namespace tessera;
using namespace tessera::ast;
using namespace tessera::testing;
using llvm::cast;
using llvm::isa;

namespace {
constexpr const char *kMma =
    "instr mma(a: frag<[16, 16], bf16, mma_a>, b: frag<[16, 8], bf16, mma_b>, c: inout frag<[16, "
    "8], f32, mma_c>) "
    "on sm_80 scope warp converged\n"
    "  order dot   ptx \"mma.sync {c}, {a}, {b}, {c};\"      { c = mma(a, b, c) }\n";
constexpr const char *kCopy =
    "instr cp_async_16(dst: smem<[8], bf16> contiguous align 16, src: view<[8], bf16> contiguous "
    "align 16) on sm_80 "
    "scope thread\n"
    "  effects { read src; write dst whole via cp_async; completes group(thread) }  order exact\n"
    "  ptx \"cp.async.cg.shared.global [{dst}], [{src}], 16, {present_bytes(src)};\"      { dst = "
    "src fill 0 }\n";
constexpr const char *kMatrix = "instr ldmatrix_x4(dst: frag<[16, 16], bf16, mma_a>, src: "
                                "smem<[16, 16], bf16> rows(8) align 16) on sm_75 scope "
                                "warp converged\n"
                                "  address src at (lane % 16, 8 * (lane // 16))     ptx \"ldmatrix "
                                "{dst}, [{src}];\"      { dst = src }\n";
constexpr const char *kWgmma = "instr wgmma<const N: int>(a: smem<[64, 16], bf16> in kmajor(sw128, "
                               "sw64, sw32), b: smem<[16, N], bf16> in "
                               "kmajor(..) or mnmajor(sw128), c: inout frag<[64, N], f32, "
                               "wgmma_d(N)>) on sm_90a scope warpgroup converged\n"
                               "  where N % 8 == 0, N <= 256   effects { read a, b via wgmma; "
                               "update c via wgmma; completes wgmma_group }\n"
                               "  order dot  lower hook \"wgmma\"      { c = mma(a, b, c) }\n";
} // namespace

TEST(Instr, Operands) {
  Parsed parsed(std::string(kMma) + kCopy + kMatrix + kWgmma);
  ASSERT_EQ(parsed.errors(), "");
  ASSERT_EQ(parsed.file->items.size(), 4u);
  const auto &mma = parsed.item<Instr>(0);
  ASSERT_EQ(mma.operands.size(), 3u);
  EXPECT_EQ(mma.operands[0].kind, OperandKind::Frag);
  EXPECT_EQ(mma.operands[0].mode, OperandMode::Unspecified);
  EXPECT_EQ(mma.operands[2].mode, OperandMode::InOut);
  EXPECT_EQ(cast<Name>(*mma.operands[1].layout).name, "mma_b");
  const auto &copy = parsed.item<Instr>(1);
  EXPECT_EQ(copy.operands[0].kind, OperandKind::Smem);
  EXPECT_EQ(copy.operands[1].kind, OperandKind::View);
  EXPECT_TRUE(copy.operands[1].contiguous);
  EXPECT_EQ(cast<IntLit>(*copy.operands[1].align).value, 16u);
  const auto &matrix = parsed.item<Instr>(2);
  EXPECT_EQ(cast<IntLit>(*matrix.operands[1].rows).value, 8u);
  EXPECT_FALSE(matrix.operands[1].contiguous);
  const auto &wgmma = parsed.item<Instr>(3);
  EXPECT_EQ(wgmma.generics.size(), 1u);
  EXPECT_TRUE(isa<Call>(*wgmma.operands[2].layout));
  ASSERT_EQ(wgmma.operands[1].families.size(), 2u);
  EXPECT_TRUE(wgmma.operands[1].families[0].all);
  EXPECT_EQ(wgmma.operands[1].families[1].major.name, "mnmajor");
  EXPECT_EQ(wgmma.operands[0].families[0].layouts.size(), 3u);
}

TEST(Instr, Clauses) {
  Parsed parsed(std::string(kMma) + kCopy + kMatrix + kWgmma);
  ASSERT_EQ(parsed.errors(), "");
  const auto &mma = parsed.item<Instr>(0);
  EXPECT_EQ(mma.arch.name, "sm_80");
  EXPECT_EQ(mma.scope.name, "warp");
  EXPECT_TRUE(mma.converged);
  EXPECT_EQ(mma.order.name, "dot");
  EXPECT_EQ(mma.ptx->value, "mma.sync {c}, {a}, {b}, {c};");
  EXPECT_FALSE(mma.hasEffects);
  const auto &copy = parsed.item<Instr>(1);
  EXPECT_FALSE(copy.converged);
  ASSERT_EQ(copy.effects.size(), 2u);
  EXPECT_EQ(copy.effects[0].effect, EffectKind::Read);
  EXPECT_TRUE(copy.effects[1].whole);
  EXPECT_EQ(copy.effects[1].via.name, "cp_async");
  EXPECT_EQ(copy.completes.name, "group");
  EXPECT_EQ(copy.completesOf.name, "thread");
  EXPECT_NE(cast<Assign>(*copy.body->stmts[0]).fill, nullptr);
  const auto &matrix = parsed.item<Instr>(2);
  ASSERT_EQ(matrix.addresses.size(), 1u);
  EXPECT_EQ(matrix.addresses[0].coords.size(), 2u);
  EXPECT_FALSE(matrix.order);
  const auto &wgmma = parsed.item<Instr>(3);
  EXPECT_EQ(wgmma.where.size(), 2u);
  EXPECT_EQ(wgmma.effects[0].operands.size(), 2u);
  EXPECT_EQ(wgmma.effects[1].effect, EffectKind::Update);
  EXPECT_EQ(wgmma.hook->value, "wgmma");
  EXPECT_EQ(wgmma.ptx, nullptr);
}

TEST(Instr, ScalarsAndPredicates) {
  Parsed parsed("instr i(d: out frag<[1], f32, v>, s: f32, p: predicate, n: in i32) ptx \"x\" "
                "scope thread on sm_90a "
                "{ d = s }\n");
  ASSERT_EQ(parsed.errors(), "");
  const auto &item = parsed.item<Instr>();
  EXPECT_EQ(item.operands[0].mode, OperandMode::Out);
  EXPECT_EQ(item.operands[1].kind, OperandKind::Scalar);
  EXPECT_EQ(item.operands[2].kind, OperandKind::Predicate);
  EXPECT_EQ(item.operands[3].mode, OperandMode::In);
}

TEST(Layouts, Forms) {
  Parsed parsed(
      "layout a = ((4, 8), (2, 2, 2)) : ((32, 1), (16, 8, 128))  # behind\n"
      "layout b(rows, c: int, d = 4) = compose(swizzle(3, 4 - c, -3), (rows, 8 * d) : (8, 1))\n"
      "layout e = std.xor16(4, rows = 8)\n"
      "layout f = a\n");
  ASSERT_EQ(parsed.errors(), "");
  EXPECT_TRUE(isa<LayoutLit>(*parsed.item<LayoutDecl>(0).value));
  const auto &b = parsed.item<LayoutDecl>(1);
  ASSERT_EQ(b.params.size(), 3u);
  EXPECT_EQ(b.params[0].value, nullptr);
  EXPECT_NE(b.params[2].value, nullptr);
  const auto &call = cast<Call>(*b.value);
  ASSERT_EQ(call.args.size(), 2u);
  EXPECT_TRUE(isa<LayoutLit>(*call.args[1].value));
  EXPECT_TRUE(isa<Member>(*cast<Call>(*parsed.item<LayoutDecl>(2).value).callee));
  EXPECT_TRUE(isa<Name>(*parsed.item<LayoutDecl>(3).value));
}

TEST(Syncs, Steps) {
  Parsed parsed(
      "sync bar_cta on sm_80 scope cta { barrier }        sync cp_wait(n: const int) on sm_80 "
      "scope thread { "
      "wait group(n) of cp_async; publishes cp_async -> generic }        sync fence_async { "
      "publishes "
      "generic -> async }\n"
      "sync all(b: mbarrier, x: i32) { commit group bulk; fence; mbarrier init(b, 8); mbarrier "
      "arrive(b)\n"
      "  mbarrier expect(b, x); mbarrier wait(b, 0)\n  setreg inc 232; setreg dec 40 }\n");
  ASSERT_EQ(parsed.errors(), "");
  ASSERT_EQ(parsed.file->items.size(), 4u);
  EXPECT_EQ(parsed.item<Sync>(0).steps[0].step, SyncKind::Barrier);
  const auto &wait = parsed.item<Sync>(1);
  EXPECT_EQ(wait.params[0].kind, SyncParamKind::ConstInt);
  ASSERT_EQ(wait.steps.size(), 2u);
  EXPECT_EQ(wait.steps[0].of.name, "cp_async");
  EXPECT_EQ(wait.steps[1].to.name, "generic");
  EXPECT_FALSE(parsed.item<Sync>(2).arch);
  const auto &all = parsed.item<Sync>(3);
  ASSERT_EQ(all.steps.size(), 8u);
  EXPECT_EQ(all.params[0].kind, SyncParamKind::Mbarrier);
  EXPECT_EQ(all.steps[4].object.name, "b");
  EXPECT_EQ(all.steps[7].step, SyncKind::RegistersDown);
}

TEST(Instr, RoundTrip) {
  for (const char *text : {kMma, kCopy, kMatrix, kWgmma}) {
    expectRoundTrip(text);
  }
  expectRoundTrip("instr i<T in {bf16, f16}, const N: int in {8, 16}>(d: out frag<[N], T, (1, N) : "
                  "(0, 1)>, s: T, p: "
                  "predicate, v: in view<[2 * N], T> rows(N) align (2 * N))\n on sm_90a scope "
                  "thread converged where "
                  "N >= 8, (N > 8) == true effects {} address v at lane * N order any lower hook "
                  "\"h\" ptx \"{{x}}\"\n"
                  "{\n let t = v[0..8] # why\n d = select(p, t, s)\n}\n");
  expectRoundTrip(
      "## two\nlayout a = (4, 8) : (8, 1)\nlayout b(n, m = 3) = complement(divide(a, n : 1), 4 * "
      "(n + m))\n"
      "sync s(b: mbarrier, n: const int, k: i32) on sm_90 scope warpgroup {\n # note\n barrier; "
      "fence; commit "
      "group wgmma; wait group(n) of bulk; publishes generic -> tma; mbarrier init(b, k); mbarrier "
      "arrive(b); "
      "mbarrier expect(b, k * 2); mbarrier wait(b, 1); setreg inc 232; setreg dec n }\n");
}

TEST(Instr, LibraryRoundTrip) { expectRoundTrip(readFile("lib/Std/instructions.tile")); }

TEST(Instr, WordsAreNames) {
  Parsed parsed("fn layout(instr: f32) -> f32 {\n  let sync = instr; let def = sync; let fill = "
                "def\n  let frag = fill\n"
                "  let smem = frag; let scope = smem; let on = scope; let order = on; let ptx = "
                "order; ptx }\n"
                "kernel instr() {}\nconst sync = 1\n");
  EXPECT_EQ(parsed.errors(), "");
}
