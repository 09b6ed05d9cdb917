// The writer's integers: predicates, bytes whose upper bits stay clear, wide products, conversions.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "WriterTesting.h"

using namespace tessera::ptx;
using namespace tessera::ptx::testing;

TEST(WriteInteger, Arithmetic) {
  checkWritten({
      {"i32", "%v = add i32 %i, -7", {"add\\.s32 %r\\d+, %r\\d+, -7;"}},
      {"i32", "%v = sub i32 5, %i", {"sub\\.s32 %r\\d+, 5, %r\\d+;"}},
      {"i64", "%v = mul i64 %n, %n", {"mul\\.lo\\.s64"}},
      {"i64", "%m = add i64 %n, 1\n%v = sdiv i64 %n, %m", {"div\\.s64"}},
      {"i64", "%m = add i64 %n, 1\n%v = udiv i64 %n, %m", {"div\\.u64"}},
      {"i32", "%m = add i32 %i, 1\n%v = srem i32 %i, %m", {"rem\\.s32"}},
      {"i32", "%m = add i32 %i, 1\n%v = urem i32 %i, %m", {"rem\\.u32"}},
      {"i16", "%v = ashr i16 %h, 3", {"shr\\.s16 %rs\\d+, %rs\\d+, 3;"}},
      {"i16", "%v = lshr i16 %h, 3", {"shr\\.u16"}},
      {"i64",
       "%v = shl i64 %n, %n",
       {"cvt\\.u32\\.u64 (%r\\d+),", "shl\\.b64 %rd\\d+, %rd\\d+, <1>;"}},
      {"i16", "%v = shl i16 %h, %h", {"cvt\\.u32\\.u16", "shl\\.b16"}},
      {"i32", "%v = or i32 %i, 255", {"or\\.b32"}},
      {"i32", "%v = freeze i32 %i", {"st\\.global\\.b32"}},
  });
}

/// Bytes lie in 16 bits. What can leave the lower ones is cut; what reads a sign makes it.
TEST(WriteInteger, Bytes) {
  for (std::string op : {"add", "sub", "mul", "shl"}) {
    EXPECT_TRUE(
        hasInOrder(written("i8", "%v = " + op + " i8 %b, 77"), {op + "\\.", "and\\.b16 .*, 255;"}));
  }
  for (std::string op : {"and", "or", "xor", "lshr", "udiv", "urem"}) {
    EXPECT_THAT(written("i8", "%v = " + op + " i8 %b, 7"),
                ::testing::Not(::testing::HasSubstr(", 255;")));
  }
  checkWritten({
      {"i8",
       "%v = ashr i8 %b, 2",
       {"cvt\\.s16\\.s8 (%rs\\d+),", "shr\\.s16 %rs\\d+, <1>, 2;", "and\\.b16 .*, 255;"}},
      {"i8", "%v = sdiv i8 %b, -3", {"cvt\\.s16\\.s8", "div\\.s16 .*, -3;", "and\\.b16"}},
      {"i1", "%v = icmp slt i8 %b, -3", {"cvt\\.s16\\.s8", "setp\\.lt\\.s16 .*, -3;"}},
      {"i1", "%v = icmp ult i8 %b, -3", {"setp\\.lt\\.u16 .*, 253;"}},
      {"i32", "%v = sext i8 %b to i32", {"cvt\\.s16\\.s8", "cvt\\.s32\\.s16"}},
      {"i32", "%v = zext i8 %b to i32", {"cvt\\.u32\\.u16"}},
      {"i8", "%v = trunc i32 %i to i8", {"cvt\\.u16\\.u32", "and\\.b16 .*, 255;"}},
      {"i8", "%v = xor i8 %b, -1", {"xor\\.b16 .*, 255;"}},
      {"i8", "%v = sext i1 %p to i8", {"selp\\.b16 .*, 255, 0,"}},
  });
}

TEST(WriteInteger, Predicates) {
  checkWritten({
      {"i1", "%v = and i1 %p, %q", {"and\\.pred"}},
      {"i1", "%v = xor i1 %p, true", {"not\\.pred"}},
      {"i1", "%v = xor i1 %p, %q", {"xor\\.pred"}},
      {"i1", "%v = select i1 %p, i1 true, i1 %q", {"or\\.pred"}},
      {"i1", "%v = select i1 %p, i1 %q, i1 false", {"and\\.pred"}},
      {"i1",
       "%v = select i1 %p, i1 false, i1 %q",
       {"not\\.pred (%p\\d+), (%p\\d+);", "and\\.pred %p\\d+, <1>,"}},
      {"i1", "%v = select i1 %p, i1 %q, i1 true", {"not\\.pred", "or\\.pred"}},
      {"i1",
       "%r = icmp eq i32 %i, 0\n%v = select i1 %p, i1 %q, i1 %r",
       {"not\\.pred", "and\\.pred", "and\\.pred", "or\\.pred"}},
      {"i1", "%v = icmp eq i1 %p, %q", {"not\\.pred", "xor\\.pred"}},
      {"i1", "%v = icmp ne i1 %p, %q", {"xor\\.pred"}},
      {"i32", "%v = zext i1 %p to i32", {"selp\\.b32 %r\\d+, 1, 0, %p"}},
      {"i64", "%v = sext i1 %p to i64", {"selp\\.b64 %rd\\d+, -1, 0, %p"}},
      {"i1",
       "%v = trunc i32 %i to i1",
       {"and\\.b32 (%r\\d+), %r\\d+, 1;", "setp\\.ne\\.b32 %p\\d+, <1>, 0;"}},
      {"float",
       "%v = select i1 %p, float %f, float 1.0",
       {"selp\\.f32 %r\\d+, %r\\d+, 0f3F800000, %p"}},
  });
}

/// One of two bits is less where it is not set and the other is; a signed bit is minus one.
TEST(WriteInteger, OrderOfBits) {
  checkWritten({
      {"i1",
       "%v = icmp ult i1 %p, %q",
       {"not\\.pred (%p\\d+), (%p\\d+);", "and\\.pred %p\\d+, <1>, (%p\\d+);"}},
      {"i1",
       "%v = icmp ule i1 %p, %q",
       {"not\\.pred (%p\\d+), (%p\\d+);", "or\\.pred %p\\d+, <1>,"}},
  });
  // `ugt` turns the right one round, and so does `slt`.
  for (std::string less : {"ugt", "slt"}) {
    std::string text = written("i1", "%v = icmp " + less + " i1 %p, %q");
    EXPECT_TRUE(
        hasInOrder(text, {"not\\.pred (%p\\d+), (%p\\d+);", "and\\.pred %p\\d+, %p\\d+, %p"}))
        << text;
    EXPECT_TRUE(std::regex_search(
        text, std::regex("not\\.pred\\s+(%p\\d+), %p2;\\s+and\\.pred\\s+%p\\d+, %p1, \\1;")))
        << text;
  }
}

/// The near misses: a constant beyond 32 bits, a sign where there may be one.
TEST(WriteInteger, WideProducts) {
  checkWritten({
      {"i64",
       "%a = zext i32 %i to i64\n%v = mul i64 %a, 4294967295",
       {"mul\\.wide\\.u32 %rd\\d+, %r\\d+, -1;"}},
      {"i64",
       "%a = sext i32 %i to i64\n%v = mul i64 %a, -5",
       {"mul\\.wide\\.s32 %rd\\d+, %r\\d+, -5;"}},
      {"i64",
       "%a = zext nneg i32 %i to i64\n%s = sext i32 %i to i64\n%v = mul i64 %a, %s",
       {"mul\\.wide\\.s32"}},
      {"i64", "%a = zext i32 %i to i64\n%v = mul i64 %a, 4294967296", {"mul\\.lo\\.s64"}},
      {"i64", "%a = zext i32 %i to i64\n%v = mul i64 %a, -1", {"mul\\.lo\\.s64"}},
      {"i64", "%a = sext i32 %i to i64\n%v = mul i64 %a, 2147483648", {"mul\\.lo\\.s64"}},
      {"i64",
       "%a = zext i32 %i to i64\n%s = sext i32 %i to i64\n%v = mul i64 %a, %s",
       {"mul\\.lo\\.s64"}},
      {"i64", "%a = zext i16 %h to i64\n%v = mul i64 %a, 3", {"mul\\.lo\\.s64"}},
  });
}

/// So are numbers that are moved; a sign needs a factor that is positive with 32 bits.
TEST(WriteInteger, WideShifts) {
  checkWritten({
      {"i64",
       "%a = zext i32 %i to i64\n%v = shl i64 %a, 31",
       {"mul\\.wide\\.u32 %rd\\d+, %r\\d+, 2147483648;"}},
      {"i64",
       "%a = sext i32 %i to i64\n%v = shl i64 %a, 30",
       {"mul\\.wide\\.s32 %rd\\d+, %r\\d+, 1073741824;"}},
      {"i64", "%a = sext i32 %i to i64\n%v = shl i64 %a, 31", {"shl\\.b64"}},
      {"i64", "%a = zext i32 %i to i64\n%v = shl i64 %a, 32", {"shl\\.b64"}},
      {"i64", "%v = shl i64 %n, 3", {"shl\\.b64"}},
  });
}

TEST(WriteInteger, Comparisons) {
  for (auto [name, text] :
       {std::pair("eq", "eq\\.b32"), std::pair("ne", "ne\\.b32"), std::pair("sgt", "gt\\.s32"),
        std::pair("sge", "ge\\.s32"), std::pair("ult", "lt\\.u32"), std::pair("ule", "le\\.u32")}) {
    EXPECT_TRUE(hasInOrder(written("i1", "%v = icmp " + std::string(name) + " i32 %i, -2"),
                           {"setp\\." + std::string(text) + " %p\\d+, %r\\d+, -2;"}));
  }
}

TEST(WriteInteger, WhatHasNoText) {
  for (std::string body :
       {"%v = zext i64 %n to i128\n%t = add i128 %v, 1", "%v = trunc i64 %n to i24",
        "%w = bitcast i64 %n to <2 x i32>\n%v = add <2 x i32> %w, %w", "%v = lshr i1 %p, %q"}) {
    std::string text = writeText(plain(body));
    EXPECT_EQ(text.find("error: "), 0u) << body << "\n" << text;
    EXPECT_THAT(text, ::testing::HasSubstr(" = ")) << "the instruction is named";
  }
}
