// Loads and stores: with a constant predicate LLVM's own, else one predicated instruction; offsets are immediates.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PTXTesting.h"

using namespace tessera::ptx;
using namespace tessera::ptx::testing;

namespace {
struct Type {
  const char *name, *ir, *zero, *ptx, *suffix;
};
// PTX has one word for the plain and for the guarded form.
const Type types[] = {{"i8", "i8", "7", "b8", ""},
                      {"i16", "i16", "7", "b16", ""},
                      {"i32", "i32", "7", "b32", ""},
                      {"i64", "i64", "7", "b64", ""},
                      {"v2i32", "<2 x i32>", "zeroinitializer", "b32", "\\.v2"},
                      {"v4i32", "<4 x i32>", "zeroinitializer", "b32", "\\.v4"}};

/// Copies one value from space to space by markers.
std::string copy(const Type &type, const std::string &space, const std::string &predicate,
                 const std::string &offset) {
  std::string number = space == "shared" ? "3" : "1";
  std::string pointer = "ptr addrspace(" + number + ")";
  std::string base = space == "shared" ? "@tessera.smem" : "%g";
  std::string ir = type.ir;
  return kernel("%v = call " + ir + " @tessera.ld." + space + "." + type.name + "(" + pointer +
                    " " + base + ", i64 " + offset + ", i1 " + predicate + ", " + ir + " " +
                    type.zero + ")\n" + "call void @tessera.st." + space + "." + type.name + "(" +
                    pointer + " " + base + ", i64 1024, " + ir + " %v, i1 " + predicate + ")",
                "declare " + ir + " @tessera.ld." + space + "." + type.name + "(" + pointer +
                    ", i64, i1, " + ir + ")\ndeclare void @tessera.st." + space + "." + type.name +
                    "(" + pointer + ", i64, " + ir + ", i1)");
}

TEST(Accesses, EveryTypeGuardedInEverySpace) {
  for (Arch arch : allArchs) {
    for (const Type &type : types) {
      for (std::string space : {"global", "shared"}) {
        std::string text = emitText(copy(type, space, "%p", "16"), arch);
        std::string form = "\\." + space + type.suffix + "\\." + type.ptx;
        EXPECT_TRUE(hasInOrder(text, {"@%p[0-9]+ ld" + form + " .*\\[%r?d?[0-9]*\\+16\\];",
                                      "@%p[0-9]+ st" + form + " \\[%r?d?[0-9]*\\+1024\\], "}))
            << type.name;
        EXPECT_TRUE(assembles(text, arch));
      }
    }
  }
}

TEST(Accesses, WhatIsUsedOfALoadIsNoBusinessOfTheHardware) {
  auto load = [](const std::string &space, const std::string &predicate) {
    std::string pointer = "ptr addrspace(" + std::string(space == "shared" ? "3" : "1") + ")";
    std::string base = space == "shared" ? "@tessera.smem" : "%g";
    return kernel("%v = call <4 x i32> @tessera.ld." + space + ".part.v4i32(" + pointer + " " +
                      base + ", i64 16, i1 " + predicate +
                      ", <4 x i32> zeroinitializer, i32 15)\n" +
                      "call void @tessera.st.global.v4i32(ptr addrspace(1) %g, i64 0, <4 x i32> "
                      "%v, i1 true)",
                  "declare <4 x i32> @tessera.ld." + space + ".part.v4i32(" + pointer +
                      ", i64, i1, <4 x i32>, i32)\ndeclare void "
                      "@tessera.st.global.v4i32(ptr addrspace(1), i64, <4 x i32>, i1)");
  };
  EXPECT_TRUE(hasInOrder(emitText(load("shared", "%p")), {"@%p[0-9]+ ld\\.shared\\.v4\\.b32 "}));
  EXPECT_TRUE(hasInOrder(emitText(load("shared", "true")), {"ld\\.shared\\.v4\\.b32 "}));
  EXPECT_THAT(emitText(load("global", "%p")), ::testing::HasSubstr("is no access"));
}

TEST(Accesses, EveryTypeAlways) {
  for (const Type &type : types) {
    for (std::string space : {"global", "shared"}) {
      std::string text = emitText(copy(type, space, "true", "16"));
      std::string form = "\\." + space + type.suffix + "\\." + type.ptx;
      EXPECT_TRUE(hasInOrder(text, {"ld" + form + " .*\\+16\\];", "st" + form + " .*\\+1024\\]"}));
      EXPECT_THAT(text, ::testing::Not(::testing::HasSubstr("@%p")));
      EXPECT_TRUE(assembles(text, Arch::sm_90a));
    }
  }
}

TEST(Accesses, NeverIsNoAccess) {
  std::string text = emitText(copy(types[2], "global", "false", "0"));
  EXPECT_THAT(text, ::testing::Not(::testing::HasSubstr("ld.global")));
  EXPECT_THAT(text, ::testing::Not(::testing::HasSubstr("st.global")));
}

/// The other value is what the register holds before the predicated load.
TEST(Accesses, OtherValue) {
  std::string text = emitText(copy(types[2], "global", "%p", "0"));
  EXPECT_TRUE(hasInOrder(text, {"mov\\.b32 %r[0-9]+, 7;", "@%p[0-9]+ ld\\.global\\.b32"}));
}

TEST(Accesses, ComputedAndHugeOffsets) {
  for (std::string offset : {"%n", "5000000000"}) {
    std::string text = emitText(copy(types[2], "global", "%p", offset));
    EXPECT_TRUE(
        hasInOrder(text, {"add\\.s64", "@%p[0-9]+ ld\\.global\\.b32 %r[0-9]+, \\[%rd[0-9]+\\];"}));
    EXPECT_TRUE(assembles(text, Arch::sm_90a));
  }
}

/// Shared addresses are 32-bit registers.
TEST(Accesses, SharedAddressesAreShort) {
  std::string text = emitText(copy(types[5], "shared", "%p", "0"));
  EXPECT_TRUE(hasInOrder(text, {"\\.extern \\.shared \\.align 1024 \\.b8 tessera_smem\\[\\];",
                                "mov\\.b32 %r[0-9]+, tessera_smem;",
                                "ld\\.shared\\.v4\\.b32 .*\\[%r[0-9]+\\];"}));
}

TEST(Accesses, ReadOnlyArguments) {
  std::string declaration = "declare i32 @tessera.ld.global.i32(ptr addrspace(1), i64, i1, i32)";
  for (std::string predicate : {"%p", "true"}) {
    std::string body = "%q = getelementptr i32, ptr addrspace(1) %c, i64 %n\n"
                       "%v = call i32 @tessera.ld.global.i32(ptr addrspace(1) %q, i64 4, i1 " +
                       predicate + ", i32 0)\nstore i32 %v, ptr addrspace(1) %g";
    EXPECT_TRUE(hasInOrder(emitText(kernel(body, declaration)), {"ld\\.global\\.nc\\.b32"}));
  }
}

/// Guarded accesses of one address keep their order; one of what nobody wrote is not made twice.
TEST(Accesses, OrderAndRepetition) {
  std::string declarations = "declare i32 @tessera.ld.global.i32(ptr addrspace(1), i64, i1, i32)\n"
                             "declare void @tessera.st.global.i32(ptr addrspace(1), i64, i32, i1)";
  std::string load =
      " = call i32 @tessera.ld.global.i32(ptr addrspace(1) %g, i64 0, i1 %p, i32 0)\n";
  std::string store =
      "call void @tessera.st.global.i32(ptr addrspace(1) %g, i64 0, i32 %i, i1 %p)\n";
  std::string sum = "%s = add i32 %v, %w\nstore i32 %s, ptr addrspace(1) %g";
  std::string text = emitText(kernel("%v" + load + store + "%w" + load + sum, declarations));
  EXPECT_TRUE(hasInOrder(text, {"@%p1 ld\\.global", "@%p1 st\\.global", "@%p1 ld\\.global"}));
  text = emitText(kernel("%v" + load + "%w" + load + sum, declarations));
  EXPECT_TRUE(hasInOrder(text, {"ld\\.global"}));
  EXPECT_FALSE(hasInOrder(text, {"ld\\.global", "ld\\.global"}));
}

TEST(Accesses, Errors) {
  std::string text = emitText(kernel("call void @tessera.st.global.i24(ptr addrspace(1) %g)",
                                     "declare void @tessera.st.global.i24(ptr addrspace(1))"));
  EXPECT_THAT(text, ::testing::HasSubstr("`tessera.st.global.i24` is no access"));
  text = emitText(kernel("call void @tessera.st.local.i32(ptr addrspace(1) %g)",
                         "declare void @tessera.st.local.i32(ptr addrspace(1))"));
  EXPECT_THAT(text, ::testing::HasSubstr("is no access"));
  text = emitText(
      kernel("call void @tessera.st.global.i32(ptr addrspace(1) %g, i64 0, i64 %n, i1 true)",
             "declare void @tessera.st.global.i32(ptr addrspace(1), i64, i64, i1)"));
  EXPECT_THAT(text, ::testing::HasSubstr("of another type than its name says"));
}
} // namespace
