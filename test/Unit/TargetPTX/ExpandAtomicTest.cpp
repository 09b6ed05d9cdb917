// Atomics: every operation of every type that PTX has, guarded and not, and the errors for those it lacks.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PTXTesting.h"

using namespace tessera::ptx;
using namespace tessera::ptx::testing;

namespace {
std::string atomic(const std::string &name, unsigned bits, const std::string &predicate = "true") {
  std::string type = "i" + std::to_string(bits);
  std::string value = bits == 16 ? "%h" : bits == 32 ? "%i" : "%n";
  bool isCas = name.find("cas") == 0;
  std::string extra = isCas ? type + " 1, " : "", extraType = isCas ? type + ", " : "";
  return kernel("%v = call " + type + " @tessera.atom." + name + "(ptr addrspace(1) %g, " + extra +
                    type + " " + value + ", i1 " + predicate + ")\nstore " + type +
                    " %v, ptr addrspace(1) %g",
                "declare " + type + " @tessera.atom." + name + "(ptr addrspace(1), " + extraType +
                    type + ", i1)");
}

struct Row {
  const char *kind, *type;
  unsigned bits;
  const char *ptx;
};
const Row rows[] = {{"add", "s32", 32, "add\\.s32"},         {"add", "u32", 32, "add\\.u32"},
                    {"add", "s64", 64, "add\\.u64"},         {"add", "u64", 64, "add\\.u64"},
                    {"add", "f32", 32, "add\\.f32"},         {"add", "f64", 64, "add\\.f64"},
                    {"add", "f16", 16, "add\\.noftz\\.f16"}, {"max", "s32", 32, "max\\.s32"},
                    {"max", "u64", 64, "max\\.u64"},         {"min", "u32", 32, "min\\.u32"},
                    {"min", "s64", 64, "min\\.s64"},         {"and", "s32", 32, "and\\.b32"},
                    {"or", "u64", 64, "or\\.b64"},           {"xor", "u32", 32, "xor\\.b32"},
                    {"xchg", "f32", 32, "exch\\.b32"},       {"xchg", "s64", 64, "exch\\.b64"},
                    {"cas", "f16", 16, "cas\\.b16"},         {"cas", "f32", 32, "cas\\.b32"},
                    {"cas", "u64", 64, "cas\\.b64"}};

TEST(Atomics, EveryOperation) {
  for (Arch arch : allArchs) {
    for (const Row &row : rows) {
      std::string name = std::string(row.kind) + "." + row.type + ".relaxed.gpu";
      std::string text = emitText(atomic(name, row.bits), arch);
      EXPECT_TRUE(
          hasInOrder(text, {std::string("\tatom\\.relaxed\\.gpu\\.global\\.") + row.ptx + " "}));
      EXPECT_TRUE(assembles(text, arch)) << name;
    }
  }
}

TEST(Atomics, OrdersAndScopes) {
  for (std::string order : {"relaxed", "acquire", "release", "acq_rel"}) {
    for (std::string scope : {"cta", "cluster", "gpu", "sys"}) {
      std::string text = emitText(atomic("add.u32." + order + "." + scope, 32));
      EXPECT_TRUE(hasInOrder(text, {"atom\\." + order + "\\." + scope + "\\.global\\.add\\.u32"}));
      EXPECT_TRUE(assembles(text, Arch::sm_90a));
    }
  }
  EXPECT_TRUE(hasInOrder(emitText(atomic("add.u32.relaxed.block", 32)), {"atom\\.relaxed\\.cta"}));
}

TEST(Atomics, GuardedOnesGiveZero) {
  std::string text = emitText(atomic("add.u32.relaxed.gpu", 32, "%p"));
  EXPECT_TRUE(hasInOrder(text, {"mov\\.b32 %r[0-9]+, 0;", "@%p[0-9]+ atom\\.relaxed"}));
  EXPECT_TRUE(assembles(text, Arch::sm_90a));
  text = emitText(atomic("add.u32.relaxed.gpu", 32, "false"));
  EXPECT_THAT(text, ::testing::Not(::testing::HasSubstr("atom")));
}

TEST(Atomics, SumsOfBF16NeedHopper) {
  EXPECT_TRUE(hasInOrder(emitText(atomic("add.bf16.relaxed.gpu", 16)), {"add\\.noftz\\.bf16"}));
  EXPECT_TRUE(assembles(emitText(atomic("add.bf16.relaxed.gpu", 16)), Arch::sm_90a));
  EXPECT_THAT(emitText(atomic("add.bf16.relaxed.gpu", 16), Arch::sm_80),
              ::testing::HasSubstr("needs sm_90 (atomic sums of bf16); the target is sm_80"));
  EXPECT_THAT(emitText(atomic("add.u32.relaxed.cluster", 32), Arch::sm_80),
              ::testing::HasSubstr("needs sm_90 (clusters)"));
}

/// An acquiring atomic keeps later loads behind it, a relaxed one does not order other memory.
TEST(Atomics, OrderMemory) {
  std::string body =
      "%v = call i32 @tessera.atom.cas.u32.acquire.gpu(ptr addrspace(1) %g, i32 0, i32 "
      "1, i1 true)\n%w = load i32, ptr addrspace(3) @tessera.smem\n"
      "%s = add i32 %v, %w\nstore i32 %s, ptr addrspace(1) %g";
  std::string text = emitText(kernel(
      body, "declare i32 @tessera.atom.cas.u32.acquire.gpu(ptr addrspace(1), i32, i32, i1)"));
  EXPECT_TRUE(hasInOrder(text, {"atom\\.acquire", "ld\\.shared"}));
}

TEST(Atomics, Errors) {
  const std::pair<const char *, unsigned> lacking[] = {{"max.f32.relaxed.gpu", 32},
                                                       {"min.f64.relaxed.gpu", 64},
                                                       {"xchg.f16.relaxed.gpu", 16},
                                                       {"and.f32.relaxed.gpu", 32},
                                                       {"nand.u32.relaxed.gpu", 32}};
  for (auto [name, bits] : lacking) {
    EXPECT_THAT(emitText(atomic(name, bits)), ::testing::HasSubstr("is not an instruction of PTX"));
  }
  EXPECT_THAT(emitText(atomic("add.u8.relaxed.gpu", 32)),
              ::testing::HasSubstr("no type of atomics"));
  EXPECT_THAT(emitText(atomic("add.u32.seq.gpu", 32)), ::testing::HasSubstr("unknown order"));
  EXPECT_THAT(emitText(atomic("add.u32.relaxed.grid", 32)), ::testing::HasSubstr("unknown scope"));
  EXPECT_THAT(emitText(atomic("add.u32.relaxed", 32)), ::testing::HasSubstr("not of the form"));
  EXPECT_THAT(emitText(atomic("add.u32.relaxed.gpu", 64)), ::testing::HasSubstr("another width"));
}
} // namespace
