// Whole modules: entries, strict arithmetic, source lines, errors of the backend, a vector add with a tail.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PTXTesting.h"

using namespace tessera::ptx;
using namespace tessera::ptx::testing;

namespace {
std::string arithmetic(const std::string &type, const std::string &expression,
                       const std::string &declarations = "") {
  return kernel(expression + "\nstore " + type + " %v, ptr addrspace(1) %g", declarations);
}

TEST(Emit, Entry) {
  std::string text = emitText(kernel(""));
  EXPECT_TRUE(hasInOrder(text, {"\\.version 8\\.0", "\\.target sm_90a", "\\.address_size 64",
                                "\\.visible \\.entry k\\(", "\\.reqntid 128"}));
  EXPECT_TRUE(
      hasInOrder(emitText(kernel(""), Arch::sm_80), {"\\.version 7\\.0", "\\.target sm_80"}));
  EXPECT_TRUE(
      hasInOrder(emitText(kernel(""), Arch::sm_100a), {"\\.version 8\\.6", "\\.target sm_100a"}));
}

TEST(Emit, Names) {
  for (Arch arch : allArchs) {
    EXPECT_EQ(parseArch(name(arch)), arch);
  }
  EXPECT_FALSE(parseArch("sm_90"));
}

/// By both code generators.
TEST(Emit, ArithmeticIsStrict) {
  for (bool byLLVM : {false, true}) {
    auto text = [&](const std::string &type, const std::string &body) {
      return emitText(arithmetic(type, body), Arch::sm_90a, nullptr, byLLVM);
    };
    std::string product = "%m = fmul float %f, %f2\n%v = fadd float %m, 1.0";
    EXPECT_TRUE(hasInOrder(text("float", product), {"mul\\.rn\\.f32", "add\\.rn\\.f32"}));
    std::string fused = "%m = fmul contract float %f, %f2\n%v = fadd contract float %m, 1.0";
    EXPECT_TRUE(hasInOrder(text("float", fused), {"fma\\.rn\\.f32"}));
    EXPECT_TRUE(hasInOrder(text("double", "%m = fmul double %d, %d\n%v = fsub double %m, 1.0"),
                           {"mul\\.rn\\.f64", "add\\.rn\\.f64|sub\\.rn\\.f64"}));
  }
}

TEST(Emit, DivisionAndRootsRoundToNearest) {
  EXPECT_TRUE(
      hasInOrder(emitText(arithmetic("float", "%v = fdiv float %f, %f2")), {"div\\.rn\\.f32"}));
  EXPECT_TRUE(hasInOrder(emitText(arithmetic("float", "%v = fdiv float 1.0, %f")),
                         {"(div|rcp)\\.rn\\.f32"}));
  EXPECT_TRUE(
      hasInOrder(emitText(arithmetic("double", "%v = fdiv double %d, 3.0")), {"div\\.rn\\.f64"}));
  for (std::string type : {"float", "double"}) {
    std::string suffix = type == "float" ? "f32" : "f64", argument = type == "float" ? "%f" : "%d";
    std::string text = emitText(arithmetic(
        type, "%v = call " + type + " @llvm.sqrt." + suffix + "(" + type + " " + argument + ")",
        "declare " + type + " @llvm.sqrt." + suffix + "(" + type + ")"));
    EXPECT_TRUE(hasInOrder(text, {"sqrt\\.rn\\." + suffix}));
    text = emitText(arithmetic(type,
                               "%v = call " + type + " @llvm.fma." + suffix + "(" + type + " " +
                                   argument + ", " + type + " " + argument + ", " + type + " 1.0)",
                               "declare " + type + " @llvm.fma." + suffix + "(" + type + ", " +
                                   type + ", " + type + ")"));
    EXPECT_TRUE(hasInOrder(text, {"fma\\.rn\\." + suffix}));
    EXPECT_THAT(text, ::testing::Not(::testing::HasSubstr("ftz")));
  }
}

/// Minimum and maximum as the language has them: NaN wins, -0 lies below 0.
TEST(Emit, MinimumAndMaximum) {
  for (std::string type : {"float", "double"}) {
    std::string suffix = type == "float" ? "f32" : "f64", x = type == "float" ? "%f" : "%d";
    for (std::string f : {"minimum", "maximum", "minimumnum", "maximumnum"}) {
      std::string name = "@llvm." + f + "." + suffix;
      std::string text = emitText(arithmetic(
          type, "%v = call " + type + " " + name + "(" + type + " " + x + ", " + type + " 0.5)",
          "declare " + type + " " + name + "(" + type + ", " + type + ")"));
      EXPECT_TRUE(hasInOrder(text, {"(min|max)\\.(NaN\\.)?" + suffix}));
      EXPECT_TRUE(assembles(text, Arch::sm_90a));
    }
  }
}

const char *lines = R"(
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!9}
!0 = distinct !DICompileUnit(language: DW_LANG_C, file: !1, producer: "t", isOptimized: true, emissionKind: KIND)
!1 = !DIFile(filename: "add.tile", directory: "src")
!2 = distinct !DISubprogram(name: "k", scope: !1, file: !1, line: 3, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!3 = !DISubroutineType(types: !4)
!4 = !{null}
!5 = !DILocation(line: 7, column: 5, scope: !2)
!9 = !{i32 2, !"Debug Info Version", i32 3}
)";

std::string withLines(const std::string &kind, const std::string &body,
                      const std::string &more = "") {
  std::string text = kernel(body, more + lines);
  text.replace(text.find("KIND"), 4, kind);
  text.replace(text.find(" {\n"), 3, " !dbg !2 {\n");
  return text;
}

TEST(Emit, SourceLines) {
  for (std::string kind : {"LineTablesOnly", "FullDebug", "DebugDirectivesOnly"}) {
    std::string text = emitText(withLines(kind, "store i32 %i, ptr addrspace(1) %g, !dbg !5"));
    EXPECT_TRUE(hasInOrder(text, {"\\.loc 1 7 5", "st\\.global", "\\.file 1 \".*add\\.tile\""}));
    EXPECT_THAT(text, ::testing::Not(::testing::HasSubstr(", debug")));
    EXPECT_THAT(text, ::testing::Not(::testing::HasSubstr(".debug_info")));
    EXPECT_TRUE(assembles(text, Arch::sm_90a));
  }
}

TEST(Emit, SourceLinesCanBeLeftOut) {
  llvm::LLVMContext context;
  auto module = parseModule(
      context, withLines("LineTablesOnly", "store i32 %i, ptr addrspace(1) %g, !dbg !5"));
  TargetOptions options;
  options.lineInfo = false;
  llvm::Expected<std::string> text = emitPTX(*module, options);
  ASSERT_TRUE(bool(text));
  EXPECT_THAT(*text, ::testing::Not(::testing::HasSubstr(".loc")));
}

TEST(Emit, ErrorsNameTheLine) {
  std::string text = emitText(withLines("LineTablesOnly", "call void @tessera.oops(), !dbg !5",
                                        "declare void @tessera.oops()\n"));
  EXPECT_EQ(text.find("error: add.tile:7:5: in `k`: `tessera.oops` is not known"), 0u) << text;
}

TEST(Emit, WrongModules) {
  EXPECT_THAT(emitText("define void @k() { ret void }"), ::testing::HasSubstr("so no kernel"));
  EXPECT_THAT(emitText("define void @k() \"tessera.threads\"=\"1025\" { ret void }"),
              ::testing::HasSubstr("a CTA has 1 to 1024"));
  EXPECT_THAT(emitText("define void @k() \"tessera.threads\"=\"many\" { ret void }"),
              ::testing::HasSubstr("`many` threads"));
  EXPECT_THAT(emitText("define i32 @k() \"tessera.threads\"=\"32\" { ret i32 0 }"),
              ::testing::HasSubstr("gives a value"));
}

TEST(Emit, InvalidModules) {
  llvm::LLVMContext context;
  auto module = parseModule(context, kernel(""));
  module->getFunction("k")->getEntryBlock().getTerminator()->eraseFromParent();
  EXPECT_THAT(llvm::toString(emitPTX(*module, TargetOptions()).takeError()),
              ::testing::StartsWith("the module is not valid LLVM IR: "));
}

TEST(Emit, OldVersionsAreRefused) {
  llvm::LLVMContext context;
  auto module = parseModule(context, kernel(""));
  TargetOptions options;
  options.arch = Arch::sm_90a;
  options.ptxVersion = 78;
  EXPECT_THAT(llvm::toString(emitPTX(*module, options).takeError()),
              ::testing::HasSubstr("PTX 7.8 does not know sm_90a; it takes 8.0 or higher"));
}

/// The backend has no code for it and would end the process.
TEST(Emit, WhatTheBackendCannotCompileIsAnError) {
  std::string ir = arithmetic("float", "%v = call float @llvm.pow.f32(float %f, float %f2)",
                              "declare float @llvm.pow.f32(float, float)");
  EXPECT_THAT(emitText(ir), ::testing::StartsWith("error: LLVM's NVPTX backend cannot compile"));
  // And the next module is not touched by it.
  EXPECT_THAT(emitText(kernel("")), ::testing::HasSubstr(".entry k("));
}

/// y[i] = a[i] + b[i], 4 elements a thread, the tail under predicates.
std::string vectorAdd() {
  std::string text =
      "define void @add(i64 %N, ptr addrspace(1) noalias readonly %a, i64 %as, ptr addrspace(1) "
      "noalias "
      "readonly %b, i64 %bs, ptr addrspace(1) noalias %y, i64 %ys) \"tessera.threads\"=\"128\" "
      "\"tessera.shared_bytes\"=\"0\" {\n"
      "%t = call i32 @tessera.tid()\n%c = call i32 @tessera.ctaid()\n%tw = zext i32 %t to i64\n"
      "%cw = zext i32 %c to i64\n%base = mul i64 %cw, 512\n";
  for (int k = 0; k < 4; ++k) {
    std::string n = std::to_string(k);
    text += "%o" + n + " = add i64 %tw, " + std::to_string(k * 128) + "\n%i" + n +
            " = add i64 %base, %o" + n + "\n%p" + n + " = icmp slt i64 %i" + n + ", %N\n%f" + n +
            " = shl i64 %i" + n + ", 2\n";
    for (std::string x : {"a", "b"}) {
      text += "%" + x + n + " = call i32 @tessera.ld.global.i32(ptr addrspace(1) %" + x +
              ", i64 %f" + n + ", i1 %p" + n + ", i32 0)\n%" + x + "f" + n + " = bitcast i32 %" +
              x + n + " to float\n";
    }
    text += "%s" + n + " = fadd float %af" + n + ", %bf" + n + "\n%sb" + n + " = bitcast float %s" +
            n + " to i32\ncall void @tessera.st.global.i32(ptr addrspace(1) %y, i64 %f" + n +
            ", i32 %sb" + n + ", i1 %p" + n + ")\n";
  }
  return text + "ret void\n}\ndeclare i32 @tessera.tid()\ndeclare i32 @tessera.ctaid()\n"
                "declare i32 @tessera.ld.global.i32(ptr addrspace(1), i64, i1, i32)\n"
                "declare void @tessera.st.global.i32(ptr addrspace(1), i64, i32, i1)\n";
}

TEST(Emit, VectorAdd) {
  for (Arch arch : allArchs) {
    EmitTimes times;
    std::string text = emitText(vectorAdd(), arch, &times);
    EXPECT_TRUE(hasInOrder(text, {"@%p1 ld\\.global\\.nc\\.b32", "add\\.rn\\.f32",
                                  "@%p1 st\\.global\\.b32", "@%p4 st\\.global\\.b32"}));
    EXPECT_THAT(text, ::testing::Not(::testing::HasSubstr("bra ")));
    EXPECT_TRUE(assembles(text, arch));
    RecordProperty(name(arch).str(), std::to_string(times.expand) + " ms expand, " +
                                         std::to_string(times.optimize) + " ms passes, " +
                                         std::to_string(times.codegen) + " ms code");
  }
}

/// Functions of the library are inlined; shared code under a loop stays a loop.
TEST(Emit, FunctionsAreInlined) {
  std::string text = emitText(arithmetic(
      "float", "%v = call float @tessera.fn.twice(float %f)",
      "define internal float @tessera.fn.twice(float %x) alwaysinline {\n%y = fadd float %x, %x\n"
      "ret float %y\n}\n"));
  EXPECT_THAT(text, ::testing::Not(::testing::HasSubstr(".func")));
  EXPECT_TRUE(hasInOrder(text, {"add\\.rn\\.f32"}));
}

/// A loop of 64 products over 128 registers of accumulators: each stands once in the text, in registers that stay in place.
TEST(Emit, LoopOfProducts) {
  constexpr int tiles = 64;
  std::string body = "br label %loop\nloop:\n%k = phi i32 [ 0, %0 ], [ %k1, %loop ]\n";
  std::string sums, stores;
  for (int t = 0; t < tiles; ++t) {
    std::string n = std::to_string(t), fragment = "%a" + std::to_string(t / 8);
    body += "%c" + n + " = phi <4 x i32> [ zeroinitializer, %0 ], [ %d" + n + ", %loop ]\n";
    sums += "%d" + n + " = call <4 x i32> @tessera.i.mma(<4 x i32> " + fragment +
            ", <2 x i32> <i32 1, i32 2>, <4 x i32> %c" + n + ", i1 true)\n";
    stores += "call void @tessera.st.global.v4i32(ptr addrspace(1) %g, i64 " +
              std::to_string(16 * t) + ", <4 x i32> %d" + n + ", i1 %p)\n";
  }
  for (int f = 0; f < tiles / 8; ++f) {
    body += "%a" + std::to_string(f) +
            " = call <4 x i32> @tessera.ld.shared.v4i32(ptr addrspace(3) @tessera.smem, i64 " +
            std::to_string(16 * f) + ", i1 true, <4 x i32> zeroinitializer)\n";
  }
  body += sums +
          "call void @tessera.bar.cta()\n%k1 = add i32 %k, 1\n%more = icmp slt i32 %k1, %i\n"
          "br i1 %more, label %loop, label %done\ndone:\n" +
          stores;
  EmitTimes times;
  std::string text = emitText(
      kernel(body,
             "declare <4 x i32> @tessera.i.mma(<4 x i32>, <2 x i32>, <4 x i32>, i1) #0\n"
             "declare void @tessera.st.global.v4i32(ptr addrspace(1), i64, <4 x i32>, i1)\n"
             "declare <4 x i32> @tessera.ld.shared.v4i32(ptr addrspace(3), i64, i1, <4 x i32>)\n"
             "declare void @tessera.bar.cta()\n"
             "attributes #0 = { convergent nounwind willreturn \"tessera.ptx\"=\"mma.sync.aligned."
             "m16n8k16.row.col.f32.bf16.bf16.f32 {c}, {a}, {b}, {c};\" \"tessera.scope\"=\"warp\" "
             "\"tessera.operands\"=\"a:frag:in:8:bf16,b:frag:in:4:bf16,c:frag:inout:4:f32\" }"),
      Arch::sm_90a, &times);
  int found = 0;
  for (size_t at = 0; (at = text.find("mma.sync", at)) != std::string::npos; ++at) {
    ++found;
  }
  EXPECT_EQ(found, tiles);
  EXPECT_TRUE(hasInOrder(text, {"mma\\.sync", "bar", "bra", "@%p[0-9]+ st\\.global\\.v4\\.b32"}));
  EXPECT_TRUE(assembles(text, Arch::sm_90a));
  RecordProperty("times", std::to_string(times.expand) + " " + std::to_string(times.optimize) +
                              " " + std::to_string(times.codegen));
}
} // namespace
