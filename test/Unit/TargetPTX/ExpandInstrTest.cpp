// Declared instructions: holes of their texts, ties, predicates, what is pure; texts as the library of instructions has them.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PTXTesting.h"

using namespace tessera::ptx;
using namespace tessera::ptx::testing;

namespace {
/// A kernel with one call of `tessera.i.x`; `results` is its type, `arguments` with types.
std::string instr(const std::string &results, const std::string &arguments,
                  const std::string &types, const std::string &ptx, const std::string &operands,
                  const std::string &scope, const std::string &after = "") {
  std::string value = results == "void" ? "" : "%v = ";
  return kernel("%q = getelementptr i8, ptr addrspace(3) @tessera.smem, i32 %i\n" + value +
                    "call " + results + " @tessera.i.x(" + arguments + ")\n" + after,
                "declare " + results + " @tessera.i.x(" + types +
                    ") #0\nattributes #0 = { convergent "
                    "nounwind willreturn \"tessera.ptx\"=\"" +
                    ptx + "\" \"tessera.operands\"=\"" + operands + "\" \"tessera.scope\"=\"" +
                    scope + "\" }");
}

const char *storeVector = "store <4 x i32> %v, ptr addrspace(1) %g, align 16";

std::string mma(const std::string &after) {
  return instr("<4 x i32>",
               "<4 x i32> <i32 1, i32 2, i32 3, i32 4>, <2 x i32> <i32 5, i32 6>, <4 x i32> "
               "<i32 11, i32 12, i32 13, i32 14>, i1 true",
               "<4 x i32>, <2 x i32>, <4 x i32>, i1",
               "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {c}, {a}, {b}, {c};",
               "a:frag:in:8:bf16,b:frag:in:4:bf16,c:frag:inout:4:f32", "warp", after);
}

TEST(Instructions, Product) {
  for (Arch arch : allArchs) {
    std::string text = emitText(mma(storeVector), arch);
    // The accumulator comes in and goes out in the same registers.
    EXPECT_TRUE(
        hasInOrder(text, {"mov\\.b32 %r[0-9]+, 11;",
                          "mma\\.sync\\.aligned\\.m16n8k16\\.row\\.col\\.f32\\.bf16\\.bf16\\.f32 "
                          "(\\{%r[0-9]+, %r[0-9]+, %r[0-9]+, %r[0-9]+\\}), \\{%r[0-9]+, "
                          "%r[0-9]+, %r[0-9]+, %r[0-9]+\\}, \\{%r[0-9]+, %r[0-9]+\\}, \\1;",
                          "st\\.global\\.v4"}));
    EXPECT_TRUE(assembles(text, arch));
  }
}

/// All lanes compute a product, though some of them only go on with it.
TEST(Instructions, ProductsStayInFrontOfBranches) {
  std::string text = emitText(mma("br i1 %p, label %some, label %all\nsome:\n" +
                                  std::string(storeVector) + "\nbr label %all\nall:"));
  EXPECT_TRUE(hasInOrder(text, {"mma\\.sync", "@!?%p[0-9]+ bra", "st\\.global\\.v4"}));
}

/// A product whose result nobody reads is no side effect.
TEST(Instructions, ProductsArePure) {
  EXPECT_THAT(emitText(mma("")), ::testing::Not(::testing::HasSubstr("mma.sync")));
}

TEST(Instructions, FragmentFromSharedMemory) {
  std::string ir = instr("<4 x i32>", "ptr addrspace(3) %q, i1 true", "ptr addrspace(3), i1",
                         "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {dst}, [{src}];",
                         "dst:frag:out:8:bf16,src:smem:in:256:bf16", "warp", storeVector);
  std::string text = emitText(ir);
  EXPECT_TRUE(hasInOrder(text, {"ldmatrix\\.sync\\.aligned\\.m8n8\\.x4\\.shared\\.b16 \\{%r[0-9]+, "
                                "%r[0-9]+, %r[0-9]+, %r[0-9]+\\}, \\[%r[0-9]+\\];"}));
  EXPECT_TRUE(assembles(text, Arch::sm_90a));
}

TEST(Instructions, CopyWithPresentBytes) {
  std::string ir = instr("void", "ptr addrspace(3) %q, ptr addrspace(1) %c, i32 %i, i1 true",
                         "ptr addrspace(3), ptr addrspace(1), i32, i1",
                         "cp.async.cg.shared.global [{dst}], [{src}], 16, {present_bytes(src)};",
                         "dst:smem:out:8:bf16,src:view:in:8:bf16", "thread");
  std::string text = emitText(ir, Arch::sm_80);
  EXPECT_TRUE(hasInOrder(
      text, {"cp\\.async\\.cg\\.shared\\.global \\[%r[0-9]+\\], \\[%rd[0-9]+\\], 16, %r[0-9]+;"}));
  EXPECT_TRUE(assembles(text, Arch::sm_80));
}

TEST(Instructions, PredicateOfAThread) {
  std::string ir = instr("void", "ptr addrspace(3) %q, ptr addrspace(1) %c, i32 16, i1 %p",
                         "ptr addrspace(3), ptr addrspace(1), i32, i1",
                         "cp.async.cg.shared.global [{dst}], [{src}], 16, {present_bytes(src)};",
                         "dst:smem:out:8:bf16,src:view:in:8:bf16", "thread");
  std::string text = emitText(ir);
  EXPECT_TRUE(hasInOrder(text, {"@%p[0-9]+ cp\\.async\\.cg"}));
  EXPECT_TRUE(assembles(text, Arch::sm_90a));
}

/// A thread that stays out goes on with zeros.
TEST(Instructions, FragmentsOfThreadsThatStayOut) {
  std::string ir = instr("i32", "ptr addrspace(1) %c, i32 4, i1 %p", "ptr addrspace(1), i32, i1",
                         "ld.global.b32 {dst}, [{src}];", "dst:frag:out:2:bf16,src:view:in:2:bf16",
                         "thread", "store i32 %v, ptr addrspace(1) %g");
  EXPECT_TRUE(
      hasInOrder(emitText(ir), {"mov\\.b32 %r[0-9]+, 0;", "@%p[0-9]+ ld\\.global\\.b32 %r"}));
  std::string never = ir;
  never.replace(never.find("i32 4, i1 %p"), 12, "i32 4, i1 false");
  EXPECT_THAT(emitText(never), ::testing::Not(::testing::HasSubstr("ld.global.b32")));
}

/// Several statements under one predicate are jumped over.
TEST(Instructions, SeveralStatements) {
  std::string ir =
      instr("void", "ptr addrspace(1) %g, i32 4, i32 %i, i1 %p", "ptr addrspace(1), i32, i32, i1",
            "{{ .reg .b32 t; add.s32 t, {a}, 1; st.global.b32 [{dst}], t; }}",
            "dst:view:out:1:i32,a:frag:in:1:i32", "thread");
  std::string text = emitText(ir);
  EXPECT_TRUE(
      hasInOrder(text, {"@!%p[0-9]+ bra tessera_out;", "\\{ \\.reg \\.b32 t; add\\.s32 t, %r"}));
  EXPECT_TRUE(assembles(text, Arch::sm_90a));
}

/// Two inlined copies have labels of their own.
TEST(Instructions, LabelsAreLocal) {
  std::string ir =
      instr("void", "ptr addrspace(1) %g, i32 4, i32 %i, i1 %p", "ptr addrspace(1), i32, i32, i1",
            "st.global.b32 [{dst}], {a}; st.global.b32 [{dst}+4], {a};",
            "dst:view:out:1:i32,a:frag:in:1:i32", "thread",
            "call void @tessera.i.x(ptr addrspace(1) %g, i32 4, i32 1, i1 %p)");
  EXPECT_TRUE(assembles(emitText(ir), Arch::sm_90a));
}

TEST(Instructions, NumbersStandInTheText) {
  std::string ir = instr("void", "i32 3, i1 true", "i32, i1", "cp.async.wait_group {n};",
                         "n:scalar:in:1:i32", "thread");
  EXPECT_TRUE(hasInOrder(emitText(ir), {"cp\\.async\\.wait_group 3;"}));
  ir =
      instr("void", "i1 %p, ptr addrspace(1) %g, i32 4, i1 true", "i1, ptr addrspace(1), i32, i1",
            "@{go} st.global.b32 [{dst}], 1;", "go:predicate:in:1:i1,dst:view:out:1:i32", "thread");
  EXPECT_TRUE(hasInOrder(emitText(ir), {"@%p[0-9]+ st\\.global\\.b32 \\[%rd[0-9]+\\], 1;"}));
}

TEST(Instructions, SeveralResults) {
  std::string ir = instr(
      "{ i32, <2 x i32> }", "i32 %i, i1 true", "i32, i1", "mov.b32 {a}, {c}; mov.b64 {b}, 0;",
      "a:frag:out:1:i32,b:frag:out:2:i32,c:frag:in:1:i32", "thread",
      "%x = extractvalue { i32, <2 x i32> } %v, 0\n%y = extractvalue { i32, <2 x i32> } %v, 1\n"
      "store i32 %x, ptr addrspace(1) %g\nstore <2 x i32> %y, ptr addrspace(1) %g");
  EXPECT_TRUE(hasInOrder(emitText(ir), {"mov\\.b32 %r[0-9]+, %r[0-9]+; mov\\.b64 \\{%r[0-9]+, "
                                        "%r[0-9]+\\}, 0;"}));
}

/// What an instruction means on whole operands is dropped with all it calls.
TEST(Instructions, BodiesAreDropped) {
  std::string ir =
      kernel("call void @tessera.i.x(i1 true) #0",
             "declare void @tessera.i.x(i1)\ndeclare void @tessera.host(ptr)\n"
             "define void @body(ptr %a) {\ncall void @tessera.host(ptr %a)\nret void\n}\n"
             "attributes #0 = { \"tessera.ptx\"=\"membar.cta;\" \"tessera.scope\"=\"thread\" "
             "\"tessera.body\"=\"body\" }");
  std::string text = emitText(ir);
  EXPECT_THAT(text, ::testing::HasSubstr("membar.cta;"));
  EXPECT_THAT(text, ::testing::Not(::testing::HasSubstr("host")));
  EXPECT_TRUE(assembles(text, Arch::sm_90a));
}

TEST(Instructions, Errors) {
  auto refused = [](const std::string &ptx, const std::string &operands, const std::string &scope,
                    const std::string &last = "true") {
    return emitText(instr("void", "i32 %i, i1 " + last, "i32, i1", ptx, operands, scope));
  };
  const char *good = "a:frag:in:1:i32";
  EXPECT_THAT(refused("", good, "thread"), ::testing::HasSubstr("has no PTX text"));
  EXPECT_THAT(refused("x {b};", good, "thread"), ::testing::HasSubstr("hole `{b}`"));
  EXPECT_THAT(refused("x {present_bytes(a)};", good, "thread"), ::testing::HasSubstr("hole"));
  EXPECT_THAT(refused("x {a;", good, "thread"), ::testing::HasSubstr("write it twice"));
  EXPECT_THAT(refused("x }", good, "thread"), ::testing::HasSubstr("write it twice"));
  EXPECT_THAT(refused("x {a};", "a:frog:in:1:i32", "thread"), ::testing::HasSubstr("`a:frog:in"));
  EXPECT_THAT(refused("x {a};", "a:frag:in:1:i32,b:frag:in:1:i32", "thread"),
              ::testing::HasSubstr("fewer arguments"));
  EXPECT_THAT(refused("x;", "", "thread"), ::testing::HasSubstr("has 2 arguments"));
  EXPECT_THAT(refused("x {a};", good, "warp", "%p"),
              ::testing::HasSubstr("cannot have a predicate"));
  EXPECT_THAT(refused("x {a};", "a:smem:in:1:i32", "thread"),
              ::testing::HasSubstr("of another kind than operand `a`"));
  EXPECT_THAT(refused("x {a};", "a:frag:inout:1:i32", "thread"),
              ::testing::HasSubstr("gives 0 values for 1 fragments"));
}
} // namespace
