// The writer's calls: assembly with its operands, intrinsics of integers and of threads; what it refuses goes to LLVM.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "WriterTesting.h"

using namespace tessera::ptx;
using namespace tessera::ptx::testing;

TEST(WriteCall, Assembly) {
  std::string text =
      written("i32", "%w = call { i32, i32 } asm \"@$3 ld.global.v2.b32 {$0,$1}, [$2+8];\", "
                     "\"=r,=r,l,b,0,1\"(ptr addrspace(1) %g, i1 %p, i32 5, i32 %i)\n"
                     "%v = extractvalue { i32, i32 } %w, 1");
  EXPECT_TRUE(
      hasInOrder(text, {"mov\\.b32 %r\\d+, 5;", "mov\\.b32 (%r\\d+), %r\\d+;",
                        "@%p\\d+ ld\\.global\\.v2\\.b32 \\{%r\\d+,<1>\\}, \\[%rd\\d+\\+8\\];",
                        "st\\.global\\.b32 .*, <1>;"}));
  text = written("i32", "%v = call i32 asm \"{ .reg .b32 $$t; mov.b32 $$t, ${1}; add.s32 $0, $$t, "
                        "1; }\", \"=r,r\"(i32 %i)");
  EXPECT_TRUE(hasInOrder(
      text, {"\\{ \\.reg \\.b32 \\$t; mov\\.b32 \\$t, %r\\d+; add\\.s32 %r\\d+, \\$t, 1; \\}"}));
  text = written("i32",
                 "call void asm sideeffect \"bar.sync 0;\", \"~{memory}\"()\n%v = add i32 %i, 1");
  EXPECT_THAT(text, ::testing::HasSubstr("bar.sync 0;"));
  EXPECT_EQ(writeText(plain("%v = call i32 asm \"mov.b32 $0, ${1:x};\", \"=r,r\"(i32 %i)"))
                .find("error: "),
            0u);
  EXPECT_EQ(
      writeText(plain("%v = call i32 asm \"mov.b32 $0, $4;\", \"=r,r\"(i32 %i)")).find("error: "),
      0u);
}

TEST(WriteCall, Integers) {
  const std::string declarations =
      "declare i8 @llvm.smax.i8(i8, i8)\ndeclare i64 @llvm.umin.i64(i64, i64)\ndeclare <2 x i16> "
      "@llvm.umax.v2i16(<2 x i16>, <2 x i16>)\n"
      "declare i32 @llvm.ctlz.i32(i32, i1)\ndeclare i8 @llvm.ctlz.i8(i8, i1)\ndeclare i16 "
      "@llvm.cttz.i16(i16, i1)\n"
      "declare i64 @llvm.ctpop.i64(i64)\ndeclare i32 @llvm.bitreverse.i32(i32)\ndeclare i32 "
      "@llvm.bswap.i32(i32)\n"
      "declare i32 @llvm.fshl.i32(i32, i32, i32)\ndeclare i32 @llvm.abs.i32(i32, i1)\ndeclare i32 "
      "@llvm.usub.sat.i32(i32, i32)\n"
      "declare i32 @llvm.fptoui.sat.i32.f64(double)\n";
  const struct {
    const char *type, *body;
    std::vector<std::string> text;
  } cases[] = {
      {"i8",
       "%v = call i8 @llvm.smax.i8(i8 %b, i8 -3)",
       {"cvt\\.s16\\.s8", "max\\.s16 .*, -3;", "and\\.b16 .*, 255;"}},
      {"i64", "%v = call i64 @llvm.umin.i64(i64 %n, i64 7)", {"min\\.u64"}},
      {"i32", "%v = call i32 @llvm.ctlz.i32(i32 %i, i1 false)", {"clz\\.b32"}},
      {"i8",
       "%v = call i8 @llvm.ctlz.i8(i8 %b, i1 false)",
       {"cvt\\.u32\\.u16 (%r\\d+),", "shf\\.l\\.wrap\\.b32 (%r\\d+), -1, <1>, 24;",
        "clz\\.b32 %r\\d+, <1>;"}},
      {"i16",
       "%v = call i16 @llvm.cttz.i16(i16 %h, i1 false)",
       {"or\\.b32 %r\\d+, %r\\d+, 65536;", "brev\\.b32", "clz\\.b32"}},
      {"i64",
       "%v = call i64 @llvm.ctpop.i64(i64 %n)",
       {"popc\\.b64 (%r\\d+), %rd", "cvt\\.u64\\.u32 %rd\\d+, <1>;"}},
      {"i32", "%v = call i32 @llvm.bitreverse.i32(i32 %i)", {"brev\\.b32"}},
      {"i32", "%v = call i32 @llvm.bswap.i32(i32 %i)", {"prmt\\.b32 %r\\d+, %r\\d+, 0, 0x0123;"}},
      {"i32",
       "%v = call i32 @llvm.fshl.i32(i32 1, i32 2, i32 %i)",
       {"shf\\.l\\.wrap\\.b32 %r\\d+, 2, 1, %r"}},
      {"i32", "%v = call i32 @llvm.abs.i32(i32 %i, i1 false)", {"abs\\.s32"}},
      {"i32",
       "%v = call i32 @llvm.usub.sat.i32(i32 %i, i32 9)",
       {"max\\.u32 (%r\\d+), %r\\d+, 9;", "sub\\.s32 %r\\d+, <1>, 9;"}},
      {"i32", "%v = call i32 @llvm.fptoui.sat.i32.f64(double %d)", {"cvt\\.rzi\\.u32\\.f64"}},
  };
  for (const auto &each : cases) {
    EXPECT_TRUE(hasInOrder(written(each.type, each.body, declarations), each.text)) << each.body;
  }
  // Older devices have no extremes of two at once.
  std::string ir = plain("%w = bitcast i32 %i to <2 x i16>\n%v = call <2 x i16> "
                         "@llvm.umax.v2i16(<2 x i16> %w, <2 x i16> <i16 1, i16 2>)\n"
                         "store <2 x i16> %v, ptr addrspace(1) %g",
                         declarations);
  EXPECT_TRUE(hasInOrder(writeText(ir, Arch::sm_90a),
                         {"mov\\.b32 (%r\\d+), 131073;", "max\\.u16x2 %r\\d+, %r\\d+, <1>;"}));
  EXPECT_TRUE(hasInOrder(writeText(ir, Arch::sm_80),
                         {"max\\.u16", "max\\.u16", "mov\\.b32 %r\\d+, \\{%rs\\d+, %rs\\d+\\};"}));
  EXPECT_TRUE(assembles(writeText(ir, Arch::sm_80), Arch::sm_80));
}

TEST(WriteCall, Threads) {
  const std::string declarations =
      "declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()\ndeclare i32 "
      "@llvm.nvvm.shfl.sync.bfly.i32(i32, i32, i32, i32)\n"
      "declare i32 @llvm.nvvm.shfl.sync.idx.i32(i32, i32, i32, i32)\ndeclare void "
      "@llvm.nvvm.barrier.cta.sync.aligned.all(i32)\n"
      "declare void @llvm.nvvm.barrier.cta.sync.aligned.count(i32, i32)\ndeclare void "
      "@llvm.nvvm.bar.warp.sync(i32)\n"
      "declare void @llvm.nvvm.cp.async.commit.group()\ndeclare void "
      "@llvm.nvvm.cp.async.wait.group(i32)\ndeclare void @llvm.trap()\n";
  std::string text = written(
      "i32",
      "%x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()\n"
      "%y = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %x, i32 16, i32 31)\n"
      "%v = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 3, i32 %y, i32 %i, i32 31)\n"
      "call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)\n"
      "call void @llvm.nvvm.barrier.cta.sync.aligned.count(i32 1, i32 64)\n"
      "call void @llvm.nvvm.bar.warp.sync(i32 -1)\ncall void @llvm.nvvm.cp.async.commit.group()\n"
      "call void @llvm.nvvm.cp.async.wait.group(i32 2)",
      declarations);
  EXPECT_TRUE(hasInOrder(text, {"mov\\.u32 (%r\\d+), %ctaid\\.y;",
                                "shfl\\.sync\\.bfly\\.b32 (%r\\d+), <1>, 16, 31, -1;",
                                "shfl\\.sync\\.idx\\.b32 %r\\d+, <1>, %r\\d+, 31, 3;",
                                "bar\\.sync 0;", "bar\\.sync 1, 64;", "bar\\.warp\\.sync -1;",
                                "cp\\.async\\.commit_group;", "cp\\.async\\.wait_group 2;"}));
  EXPECT_TRUE(
      hasInOrder(writeText(plain("call void @llvm.trap()\nunreachable\nmore:", declarations)),
                 {"trap;", "exit;"}));
}

/// What the writer has no text for LLVM's code generator does, and it is said why.
TEST(WriteCall, OtherCodeGenerator) {
  EmitTimes times;
  std::string text = emitText(
      kernel("%v = load volatile i32, ptr addrspace(1) %g\nstore i32 %v, ptr addrspace(1) %g"),
      Arch::sm_90a, &times);
  EXPECT_THAT(text, ::testing::HasSubstr("LLVM NVPTX"));
  EXPECT_THAT(times.byLLVM, ::testing::HasSubstr("a load without text"));
  EmitTimes plainTimes;
  text = emitText(kernel("store i32 %i, ptr addrspace(1) %g"), Arch::sm_90a, &plainTimes);
  EXPECT_THAT(text, ::testing::HasSubstr("Generated by Tessera"));
  EXPECT_EQ(plainTimes.byLLVM, "");
}

TEST(WriteCall, WhatHasNoText) {
  EXPECT_EQ(
      writeText("define void @other() { ret void }\n").find("error: a function that is no kernel"),
      0u);
  EXPECT_EQ(writeText(plain("call void @other()", "define void @other() { ret void }\n"))
                .find("error: a call of a function"),
            0u);
  EXPECT_EQ(writeText(plain("call void @other()", "declare void @other()\n"))
                .find("error: a call of a function"),
            0u);
  EXPECT_EQ(writeText(plain("store i32 1, ptr addrspace(1) @t",
                            "@t = internal addrspace(1) global i32 7\n"))
                .find("error: a variable"),
            0u);
  EXPECT_EQ(writeText("define ptx_kernel void @k() \"nvvm.cluster_dim\"=\"2\" { ret void }\n")
                .find("error: an attribute"),
            0u);
  EXPECT_EQ(writeText("define ptx_kernel void @\"k.1\"() { ret void }\n").find("error: a function"),
            0u);
}
