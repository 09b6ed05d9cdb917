// The writer's memory: addresses with offsets, what is never written, vectors, arrays of a kernel, elements and members.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "WriterTesting.h"

using namespace tessera::ptx;
using namespace tessera::ptx::testing;

namespace {
const std::string shared = "@smem = external addrspace(3) global [0 x i8], align 1024\n";
} // namespace

/// Constant steps stand in the access; what else an address is used for has them added.
TEST(WriteMemory, Offsets) {
  std::string text = written("i32", "%a = getelementptr i8, ptr addrspace(1) %g, i64 %n\n"
                                    "%e = getelementptr i8, ptr addrspace(1) %a, i64 16\n"
                                    "%c1 = getelementptr i32, ptr addrspace(1) %e, i64 -8\n"
                                    "%v = load i32, ptr addrspace(1) %c1");
  EXPECT_TRUE(
      hasInOrder(text, {"add\\.s64 (%rd\\d+),", "ld\\.global\\.b32 %r\\d+, \\[<1>\\+-16\\];"}));
  text = written("i64", "%a = getelementptr i8, ptr addrspace(1) %g, i64 16\n%v = ptrtoint ptr "
                        "addrspace(1) %a to i64\n"
                        "%w = load i32, ptr addrspace(1) %a\nstore i32 %w, ptr addrspace(1) %c");
  EXPECT_TRUE(hasInOrder(text, {"add\\.s64 (%rd\\d+), %rd\\d+, 16;",
                                "ld\\.global\\.b32 %r\\d+, \\[%rd\\d+\\+16\\];",
                                "st\\.global\\.b64 .*, <1>;"}));
  // An offset has 32 bits.
  text = written("i32", "%a = getelementptr i8, ptr addrspace(1) %g, i64 1073741824\n%v = load "
                        "i32, ptr addrspace(1) %a");
  EXPECT_TRUE(hasInOrder(text, {"add\\.s64 (%rd\\d+), %rd\\d+, 1073741824;", "\\[<1>\\];"}));
}

TEST(WriteMemory, Steps) {
  std::string text = written(
      "i32",
      "%a = getelementptr i32, ptr addrspace(1) %g, i32 %i\n%v = load i32, ptr addrspace(1) %a");
  EXPECT_TRUE(hasInOrder(text, {"cvt\\.s64\\.s32 (%rd\\d+), %r",
                                "mad\\.lo\\.s64 (%rd\\d+), %rd\\d+, 4,", "\\[<1>\\]"}));
  text = writeText(plain("%a = getelementptr [0 x i8], ptr addrspace(3) @smem, i32 0, i32 %i\n"
                         "%v = load i32, ptr addrspace(3) %a\nstore i32 %v, ptr addrspace(3) "
                         "getelementptr (i8, ptr addrspace(3) @smem, i32 12)",
                         shared));
  EXPECT_TRUE(hasInOrder(text, {"\\.extern \\.shared \\.align 1024 \\.b8 smem\\[\\];",
                                "mov\\.b32 (%r\\d+), smem;", "add\\.s32 (%r\\d+), %r\\d+, %r",
                                "ld\\.shared\\.b32 %r\\d+, \\[<1>\\]",
                                "st\\.shared\\.b32 \\[smem\\+12\\],"}));
  EXPECT_TRUE(assembles(text, Arch::sm_90a));
}

/// What is added to an index goes to the offset, where sums of the two wrap round alike.
TEST(WriteMemory, ConstantsOfIndices) {
  std::string text = written("i32", "%s = add i64 %n, 3\n%a = getelementptr i32, ptr addrspace(1) "
                                    "%g, i64 %s\n%v = load i32, ptr addrspace(1) %a");
  EXPECT_TRUE(hasInOrder(text, {"mad\\.lo\\.s64 (%rd\\d+), %rd2, 4,", "\\[<1>\\+12\\]"}));
  text = written("i32", "%m = and i64 %n, -4\n%s = or disjoint i64 %m, 3\n%a = getelementptr i8, "
                        "ptr addrspace(1) %g, i64 %s\n"
                        "%v = load i32, ptr addrspace(1) %a");
  EXPECT_TRUE(hasInOrder(text, {"\\[%rd\\d+\\+3\\]"}));
  // 32 bits wrap round before 64 do.
  text = written("i32", "%s = add i32 %i, 3\n%w = zext i32 %s to i64\n%a = getelementptr i32, ptr "
                        "addrspace(1) %g, i64 %w\n"
                        "%v = load i32, ptr addrspace(1) %a");
  EXPECT_TRUE(hasInOrder(
      text, {"add\\.s32 %r\\d+, %r\\d+, 3;", "ld\\.global\\.b32 %r\\d+, \\[%rd\\d+\\];"}));
  text = written("i32", "%s = or i64 %n, 3\n%a = getelementptr i8, ptr addrspace(1) %g, i64 %s\n%v "
                        "= load i32, ptr addrspace(1) %a");
  EXPECT_TRUE(hasInOrder(text, {"ld\\.global\\.b32 %r\\d+, \\[%rd\\d+\\];"}));
  text = writeText(plain("%s = add i32 %i, 3\n%w = zext i32 %s to i64\n%a = getelementptr i32, ptr "
                         "addrspace(3) @smem, i64 %w\n"
                         "store i32 %i, ptr addrspace(3) %a",
                         shared));
  EXPECT_TRUE(hasInOrder(text, {"st\\.shared\\.b32 \\[%r\\d+\\+12\\],"}));
}

/// Two sums that differ in a constant alone; somebody who wants an address has it whole.
TEST(WriteMemory, ConstantsBetweenSteps) {
  std::string text = written("i64", "%a = getelementptr i8, ptr addrspace(1) %g, i64 64\n%e = "
                                    "getelementptr i8, ptr addrspace(1) %a, i64 %n\n"
                                    "%w = load i32, ptr addrspace(1) %e\nstore i32 %w, ptr "
                                    "addrspace(1) %c\n%v = ptrtoint ptr addrspace(1) %e to i64");
  EXPECT_TRUE(
      hasInOrder(text, {"add\\.s64 (%rd\\d+), %rd\\d+, %rd\\d+;", "add\\.s64 %rd\\d+, <1>, 64;",
                        "ld\\.global\\.b32 %r\\d+, \\[%rd\\d+\\+64\\];"}));
}

/// The argument says that nothing writes there; the other one does not.
TEST(WriteMemory, WhatIsNeverWritten) {
  std::string text = written(
      "i32",
      "%a = getelementptr i8, ptr addrspace(1) %c, i64 %n\n%v = load i32, ptr addrspace(1) %a");
  EXPECT_TRUE(hasInOrder(text, {"ld\\.global\\.nc\\.b32"}));
  text = written(
      "i32",
      "%a = getelementptr i8, ptr addrspace(1) %g, i64 %n\n%v = load i32, ptr addrspace(1) %a");
  EXPECT_THAT(text, ::testing::Not(::testing::HasSubstr(".nc")));
}

/// As wide as the alignment allows.
TEST(WriteMemory, Vectors) {
  for (auto [align, text] :
       {std::pair("16",
                  "ld\\.global\\.v4\\.b32 \\{%r\\d+, %r\\d+, %r\\d+, %r\\d+\\}, \\[%rd\\d+\\];"),
        std::pair("8", "ld\\.global\\.v2\\.b32 \\{%r\\d+, %r\\d+\\}, \\[%rd\\d+\\+8\\];"),
        std::pair("4", "ld\\.global\\.b32 %r\\d+, \\[%rd\\d+\\+12\\];")}) {
    std::string body = "%v = load <8 x i16>, ptr addrspace(1) %g, align " + std::string(align) +
                       "\nstore <8 x i16> %v, ptr addrspace(1) %g, align " + align;
    std::string ptx = writeText(plain(body));
    EXPECT_TRUE(hasInOrder(ptx, {text})) << align;
    EXPECT_TRUE(assembles(ptx, Arch::sm_90a));
  }
  EXPECT_EQ(writeText(plain("%v = load i32, ptr addrspace(1) %g, align 2")).find("error: a load"),
            0u);
  EXPECT_EQ(writeText(plain("store volatile i32 %i, ptr addrspace(1) %g")).find("error: a store"),
            0u);
  EXPECT_EQ(writeText(plain("store i1 %p, ptr addrspace(1) %g")).find("error: a store"), 0u);
}

TEST(WriteMemory, Bytes) {
  std::string text = written("i8", "%v = load i8, ptr addrspace(1) %g");
  EXPECT_TRUE(hasInOrder(text, {"ld\\.global\\.b8 (%rs\\d+),", "st\\.global\\.b8 .*, <1>;"}));
}

/// Arrays lie one behind another, as they are aligned, in one variable; their addresses have 32 bits.
TEST(WriteMemory, Arrays) {
  std::string text =
      written("i32", "%a = alloca [3 x i16], align 2\n%e = alloca [4 x i32], align 16\n"
                     "%w = zext i32 %i to i64\n%at = getelementptr i32, ptr %e, i64 %w\n"
                     "%near = getelementptr i8, ptr %e, i64 8\nstore i16 %h, ptr %a\n"
                     "store i32 7, ptr %near\nstore i32 %i, ptr %at\n%v = load i32, ptr %e");
  EXPECT_TRUE(hasInOrder(
      text, {"\\.local \\.align 16 \\.b8 __local_depot\\[32\\];", "cvt\\.u32\\.u64 (%r\\d+), %rd",
             "mad\\.lo\\.s32 %r\\d+, %r\\d+, 4, ", "st\\.local\\.b16 \\[%r\\d+\\],",
             "st\\.local\\.b32 \\[%r\\d+\\+24\\],", "st\\.local\\.b32 \\[%r\\d+\\+16\\],",
             "ld\\.local\\.b32 %r\\d+, \\[%r\\d+\\+16\\];"}));
  // A place in an array is no number: other spaces have other ones.
  for (std::string use : {"%v = ptrtoint ptr %e to i64\nstore i64 %v, ptr addrspace(1) %g",
                          "store ptr %e, ptr addrspace(1) %g",
                          "%v = select i1 %p, ptr %e, ptr null\nstore i32 1, ptr %v"}) {
    EXPECT_EQ(writeText(plain("%e = alloca i32\n" + use)).find("error: "), 0u) << use;
  }
}

TEST(WriteMemory, Elements) {
  std::string text =
      written("i16", "%w = bitcast i32 %i to <2 x i16>\n%v = extractelement <2 x i16> %w, i32 1");
  EXPECT_TRUE(
      hasInOrder(text, {"mov\\.b32 \\{%rs\\d+, (%rs\\d+)\\}, %r", "st\\.global\\.b16 .*, <1>;"}));
  text =
      written("i16", "%w = bitcast i32 %i to <2 x i16>\n%v = extractelement <2 x i16> %w, i32 0");
  EXPECT_TRUE(
      hasInOrder(text, {"mov\\.b32 \\{(%rs\\d+), %rs\\d+\\}, %r", "st\\.global\\.b16 .*, <1>;"}));
  text = written("i8", "%w = bitcast i32 %i to <4 x i8>\n%v = extractelement <4 x i8> %w, i32 3");
  EXPECT_TRUE(hasInOrder(text, {"shr\\.u32 %r\\d+, %r\\d+, 24;", "and\\.b16 .*, 255;"}));
  text =
      written("i1", "%w = bitcast i32 %i to <32 x i1>\n%v = extractelement <32 x i1> %w, i32 31");
  EXPECT_TRUE(hasInOrder(text, {"and\\.b32 %r\\d+, %r\\d+, -2147483648;", "setp\\.ne\\.b32"}));
  text = written(
      "i32", "%w = bitcast i32 %i to <2 x i16>\n%x = insertelement <2 x i16> %w, i16 %h, i32 1\n"
             "%v = bitcast <2 x i16> %x to i32");
  EXPECT_TRUE(hasInOrder(text, {"bfi\\.b32 %r\\d+, %r\\d+, %r\\d+, 16, 16;"}));
  text = written("<2 x i32>", "%v = insertelement <2 x i32> <i32 1, i32 2>, i32 %i, i32 0");
  EXPECT_TRUE(hasInOrder(text, {"mov\\.b32 (%r\\d+), 2;",
                                "st\\.global\\.v2\\.b32 \\[%rd\\d+\\], \\{%r\\d+, <1>\\};"}));
  EXPECT_EQ(
      writeText(plain("%w = bitcast i32 %i to <2 x i16>\n%v = extractelement <2 x i16> %w, i32 %i"))
          .find("error: "),
      0u);
}
