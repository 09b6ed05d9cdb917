// Instructions as `tile.instr` ops, what schedules are told of them, layouts by name, syncs, ranges of scripts.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "InstrTesting.h"

#include "tessera/Layout/Notation.h"

#include "llvm/Support/MemoryBuffer.h"

namespace tessera::testing {

TEST(Instr, MmaAsOp) {
  Library library;
  std::optional<instr::Instruction> mma = library.lower("mma_m16n8k16_bf16", {});
  ASSERT_TRUE(mma) << library.errors();
  std::string ir = library.ir(*mma);
  EXPECT_THAT(ir, HasSubstr("tile.instr @mma_m16n8k16_bf16 on \"sm_80\" scope warp order dot via "
                            "generic operands ["));
  EXPECT_THAT(
      ir,
      HasSubstr(
          "{kind = \"frag\", layout = \"((4, 8), (2, 2, 2)) : ((32, 1), (16, 8, 128))\", name = "
          "\"a\"}"));
  EXPECT_THAT(ir, HasSubstr("inout"));
  EXPECT_THAT(
      ir,
      HasSubstr("ptx \"mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {c}, {a}, {b}, {c};\""));
  EXPECT_THAT(ir, HasSubstr("tile.mma"));
  EXPECT_EQ(mma->threads, 32);
  EXPECT_TRUE(mma->converged);
  EXPECT_EQ(mma->find("c")->mode, instr::OperandMode::InOut);
  EXPECT_EQ(mma->find("a")->mode, instr::OperandMode::In);
  EXPECT_EQ(mma->find("x"), nullptr);
}

TEST(Instr, CopyAsOp) {
  Library library;
  std::optional<instr::Instruction> copy = library.lower("cp_async_16", {});
  ASSERT_TRUE(copy) << library.errors();
  EXPECT_EQ(copy->symbol, "cp_async_16");
  EXPECT_EQ(copy->via, tile::Proxy::cp_async);
  EXPECT_EQ(copy->completion, instr::Completion::Group);
  const instr::Operand *dst = copy->find("dst");
  ASSERT_TRUE(dst);
  EXPECT_EQ(dst->kind, instr::OperandKind::Smem);
  EXPECT_EQ(dst->mode, instr::OperandMode::Out);
  EXPECT_EQ(dst->elements(), 8);
  EXPECT_EQ(dst->align, 16);
  EXPECT_TRUE(dst->contiguous && dst->whole);
  EXPECT_EQ(dst->via, tile::Proxy::cp_async);
  EXPECT_EQ(copy->find("src")->via, tile::Proxy::generic);
  std::string ir = library.ir(*copy);
  EXPECT_THAT(ir, HasSubstr("via cp_async"));
  EXPECT_THAT(ir, HasSubstr("tile.fill_absent"));
  EXPECT_THAT(ir, HasSubstr("tensor<8xbf16>"));
  std::optional<instr::Instruction> wide = library.lower("cp_async_16", {{"T", "f64"}});
  ASSERT_TRUE(wide) << library.errors();
  EXPECT_EQ(wide->find("dst")->elements(), 2);
  EXPECT_EQ(wide->symbol, "cp_async_16<f64>");
  std::optional<instr::Instruction> same = library.lower("cp_async_16", {{"T", "bf16"}});
  ASSERT_TRUE(same) << library.errors();
  EXPECT_EQ(same->op, copy->op);
}

TEST(Instr, AddressesAndFamilies) {
  Library library;
  std::optional<instr::Instruction> load = library.lower("ldmatrix_x4", {{"T", "bf16"}});
  ASSERT_TRUE(load) << library.errors();
  EXPECT_EQ(load->find("src")->rows, 8);
  EXPECT_THAT(library.ir(*load),
              HasSubstr("affine_map<(d0) -> (d0 mod 16, (d0 floordiv 16) * 8)>"));
  std::optional<instr::Instruction> wgmma = library.lower("wgmma_m64k16", {{"N", "256"}});
  ASSERT_TRUE(wgmma) << library.errors();
  EXPECT_EQ(wgmma->threads, 128);
  EXPECT_EQ(wgmma->hook, "wgmma");
  EXPECT_EQ(wgmma->via, tile::Proxy::wgmma);
  EXPECT_EQ(wgmma->completion, instr::Completion::WgmmaGroup);
  ASSERT_EQ(wgmma->find("b")->families.size(), 6u);
  EXPECT_EQ(wgmma->find("b")->families[3].major, "mnmajor");
  EXPECT_EQ(wgmma->find("b")->families[3].layout, "sw128");
  std::string ir = library.ir(*wgmma);
  EXPECT_THAT(ir, HasSubstr("@\"wgmma_m64k16<256>\""));
  EXPECT_THAT(ir, HasSubstr("\"kmajor(sw128)\""));
  EXPECT_THAT(ir, HasSubstr("tensor<64x256xf32>"));
}

TEST(Instr, OneOpForEachSetOfConstants) {
  Library library;
  std::optional<instr::Instruction> a = library.lower("wgmma_m64k16", {{"N", "64"}});
  std::optional<instr::Instruction> b = library.lower("wgmma_m64k16", {{"N", "128"}});
  std::optional<instr::Instruction> again = library.lower("wgmma_m64k16", {{"N", "64"}});
  ASSERT_TRUE(a && b && again) << library.errors();
  EXPECT_NE(a->op, b->op);
  EXPECT_EQ(a->op, again->op);
  EXPECT_EQ(std::distance(library.module->getBody()->begin(), library.module->getBody()->end()), 2);
}

TEST(Instr, Patterns) {
  Library library;
  std::optional<instr::Pattern> wgmma = library.instructions.find("wgmma_m64k16");
  ASSERT_TRUE(wgmma);
  EXPECT_EQ(wgmma->constants, std::vector<std::string>{"N"});
  EXPECT_EQ(wgmma->operands[1].axes[0].extent, 16);
  EXPECT_EQ(wgmma->operands[1].axes[1].constant, "N");
  EXPECT_EQ(wgmma->operands[2].mode, instr::OperandMode::InOut);
  EXPECT_EQ(wgmma->operands[2].dtype, DType::f32);
  std::optional<instr::Pattern> copy = library.instructions.find("cp_async_16");
  ASSERT_TRUE(copy);
  EXPECT_TRUE(copy->constants.empty());
  EXPECT_EQ(copy->types, std::vector<std::string>{"T"});
  EXPECT_EQ(copy->operands[0].dtypeConstant, "T");
  EXPECT_FALSE(copy->operands[0].axes[0].extent.has_value());
  EXPECT_EQ(copy->operands[0].axes[0].constant, "");
  EXPECT_EQ(copy->operands[0].mode, instr::OperandMode::Out);
  EXPECT_FALSE(library.instructions.find("bar_cta").has_value());
  EXPECT_FALSE(library.instructions.find("nothing").has_value());
  EXPECT_EQ(library.errors(), "");
}

/// Every instruction of the library is one for some constants, and its module verifies.
TEST(Instr, WholeLibrary) {
  Library library;
  std::vector<std::string> names = library.instructions.names();
  EXPECT_GE(names.size(), 25u);
  for (const std::string &name : names) {
    std::optional<instr::Pattern> pattern = library.instructions.find(name);
    ASSERT_TRUE(pattern) << name;
    instr::Constants constants;
    for (const std::string &constant : pattern->constants) {
      constants.emplace_back(constant, constant == "C" ? "64" : "128");
    }
    EXPECT_TRUE(library.lower(name, constants)) << name << "\n" << library.errors();
  }
}

TEST(Instr, MayBeFoundBeforeTheLibraryIsRead) {
  Library library(
      "instr bar(d: smem<[4], f32>, s: view<[4], f32>) on sm_80 scope thread ptx \"\" { d "
      "= s }\n");
  EXPECT_TRUE(library.instructions.mayFind("bar"));
  EXPECT_FALSE(library.instructions.mayFind("gelu_erf")) << "a function of the library";
  EXPECT_FALSE(library.instructions.mayFind("bar_of_nobody"));
  for (const std::string &name : library.instructions.names()) {
    EXPECT_TRUE(library.instructions.mayFind(name)) << name;
  }
}

/// The checks of a load, which the library itself is spared.
TEST(Instr, LibraryIsChecked) {
  auto buffer =
      llvm::MemoryBuffer::getFile(std::string(TESSERA_SOURCE_DIR) + "/lib/Std/instructions.tile");
  ASSERT_TRUE(bool(buffer));
  Outcome outcome = compile((*buffer)->getBuffer().str() + "\nkernel k() {}\n");
  EXPECT_TRUE(outcome.ok()) << outcome.rendered;
  EXPECT_EQ(outcome.diagnostics.size(), 0u) << outcome.rendered;
}

TEST(Instr, FileBeforeLibrary) {
  Library library(
      "instr bar(d: smem<[4], f32>, s: view<[4], f32>) on sm_80 scope thread ptx \"\" { d = s }\n"
      "instr ldmatrix_x2(d: smem<[4], f32>, s: view<[4], f32>) on sm_80 scope thread ptx \"\" { d "
      "= s }\n");
  std::vector<std::string> names = library.instructions.names();
  EXPECT_EQ(names[0], "bar");
  EXPECT_EQ(names[1], "ldmatrix_x2");
  EXPECT_EQ(llvm::count(names, "ldmatrix_x2"), 1);
  std::optional<instr::Instruction> own = library.lower("ldmatrix_x2", {});
  ASSERT_TRUE(own) << library.errors();
  EXPECT_EQ(own->find("d")->shape[0], 4);
}

TEST(Instr, LoweringRefuses) {
  auto message = [](const char *name, const instr::Constants &constants) {
    Library library;
    EXPECT_FALSE(library.lower(name, constants));
    return library.errors();
  };
  EXPECT_THAT(message("ldmatrix_x8", {}), HasSubstr("`ldmatrix_x8` is not declared"));
  EXPECT_THAT(message("ldmatrix_x8", {}), HasSubstr("did you mean `ldmatrix_x1`?"));
  EXPECT_THAT(message("wgmma_m64k16", {}), HasSubstr("`wgmma_m64k16` is called without `N`"));
  EXPECT_THAT(message("wgmma_m64k16", {{"N", "64"}, {"M", "64"}}),
              HasSubstr("`wgmma_m64k16` has no parameter `M`"));
  EXPECT_THAT(message("wgmma_m64k16", {{"N", "60"}}),
              HasSubstr("T1115]: `N % 8 == 0` does not hold for `N = 60`"));
  EXPECT_THAT(message("wgmma_m64k16", {{"N", "264"}}),
              HasSubstr("`N <= 256` does not hold for `N = 264`"));
  EXPECT_THAT(message("wgmma_m64k16", {{"N", "bf16"}}), HasSubstr("`N` cannot be `bf16`"));
  EXPECT_THAT(message("ldmatrix_x4", {{"T", "f32"}}), HasSubstr("`T` cannot be `f32`"));
  EXPECT_THAT(message("ldmatrix_x4", {{"T", "4"}}), HasSubstr("`T` cannot be `4`"));
}

TEST(Instr, TwoOpsInTheBody) {
  Library library(
      "instr fused(a: frag<[64], f32, (32, 2) : (1, 32)>, b: frag<[64], f32, (32, 2) : (1, 32)>, "
      "c: inout "
      "frag<[64], f32, (32, 2) : (1, 32)>, d: out frag<[64], bf16, (32, 2) : (1, 32)>)\n"
      "  on sm_80 scope warp ptx \"\" { let t = fma(a, b, c); c = t; d = t as bf16 }\n");
  std::optional<instr::Instruction> fused = library.lower("fused", {});
  ASSERT_TRUE(fused) << library.errors();
  std::string ir = library.ir(*fused);
  EXPECT_THAT(ir, HasSubstr("tile.fma"));
  EXPECT_THAT(ir, HasSubstr("tile.cast"));
  EXPECT_THAT(ir, HasSubstr("tensor<64xf32>, tensor<64xbf16>"));
}

TEST(Instr, ScalarAndPredicate) {
  Library library(
      "instr scaled(d: out frag<[2], f32, (1, 2) : (0, 1)>, s: view<[2], f32>, f: f32, p: "
      "predicate) on "
      "sm_80 scope thread ptx \"@{p} x {d}, {s}, {f}\" { d = select(p, s * f, 0.0) }\n");
  std::optional<instr::Instruction> scaled = library.lower("scaled", {});
  ASSERT_TRUE(scaled) << library.errors();
  EXPECT_EQ(scaled->find("p")->kind, instr::OperandKind::Predicate);
  EXPECT_EQ(scaled->find("p")->dtype, DType::i1);
  EXPECT_TRUE(scaled->find("f")->shape.empty());
  EXPECT_THAT(library.ir(*scaled), HasSubstr("kind = \"predicate\""));
}

TEST(DeclaredLayouts, ByName) {
  Library library("layout own(n, m = 2) = (n, m) : (m, 1)\n");
  Instructions &instructions = library.instructions;
  EXPECT_TRUE(instructions.hasLayout("own") && instructions.hasLayout("sw128"));
  EXPECT_FALSE(instructions.hasLayout("mma_m16n8k16_bf16"));
  std::optional<Layout> own = instructions.layout("own", {8}, {}, SourceRange());
  ASSERT_TRUE(own) << library.errors();
  EXPECT_EQ(printLayout(*own), "(8, 2) : (2, 1)");
  std::optional<Layout> rows = instructions.layout("row_major", {}, {4, 32, 2}, SourceRange());
  ASSERT_TRUE(rows);
  EXPECT_EQ(printLayout(*rows), "(4, 32) : (32, 1)");
  std::optional<Layout> panel = instructions.layout("sw128", {}, {64, 64, 2}, SourceRange());
  ASSERT_TRUE(panel);
  EXPECT_EQ(printLayout(panel->coalesce()), "compose(swizzle(3, 3, 3), (64, 64) : (64, 1))");
  EXPECT_EQ(library.errors(), "");
  EXPECT_FALSE(instructions.layout("nothing", {}, {}, SourceRange()));
  EXPECT_THAT(library.errors(), HasSubstr("T1120]: no layout is called `nothing`"));
  EXPECT_FALSE(instructions.layout("own", {1, 2, 3}, {}, SourceRange()));
  EXPECT_THAT(library.errors(), HasSubstr("T1121]: `own` takes 2 numbers, found 3 arguments"));
  EXPECT_FALSE(instructions.layout("xor16", {4}, {std::nullopt, std::nullopt, 2}, SourceRange()));
  EXPECT_THAT(library.errors(), HasSubstr("T1125]: nothing gives the parameter `rows`"));
}

TEST(DeclaredSyncs, Steps) {
  Library library;
  std::optional<instr::Sync> wait = library.instructions.findSync("cp_wait");
  ASSERT_TRUE(wait);
  EXPECT_EQ(wait->parameters, std::vector<std::string>{"n"});
  EXPECT_EQ(wait->scope, tile::ExecScope::thread);
  ASSERT_EQ(wait->steps.size(), 2u);
  EXPECT_EQ(wait->steps[0].kind, instr::SyncKind::Wait);
  EXPECT_EQ(wait->steps[0].parameter, "n");
  EXPECT_EQ(wait->steps[0].of, "cp_async");
  EXPECT_EQ(wait->steps[1].kind, instr::SyncKind::Publish);
  std::optional<instr::Sync> barrier = library.instructions.findSync("bar_cta");
  ASSERT_TRUE(barrier);
  EXPECT_EQ(barrier->scope, tile::ExecScope::cta);
  EXPECT_EQ(library.instructions.findSync("mbarrier_wait")->steps[0].object, "bar");
  EXPECT_FALSE(library.instructions.findSync("cp_async_16"));
}

TEST(Scripts, RangesOfTheFile) {
  std::string text =
      "import \"lib.sched\" as lib\ndef f(c: op) { split(c, 8) }\nkernel k() {}\n"
      "schedule k on sm_80 { f(loop(i)) }\ndef g() { }\nschedule k on sm_90 { g() }\n";
  Library library(text);
  std::vector<std::string> parts;
  for (SourceRange range : library.program->scripts()) {
    parts.push_back(library.sources.text(range).str());
  }
  EXPECT_THAT(parts,
              ::testing::ElementsAre("import \"lib.sched\" as lib", "def f(c: op) { split(c, 8) }",
                                     "schedule k on sm_80 { f(loop(i)) }", "def g() { }",
                                     "schedule k on sm_90 { g() }"));
}

} // namespace tessera::testing
