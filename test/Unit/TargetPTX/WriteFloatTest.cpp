// The writer's floats: how what rounds is spelt, what is contracted and what is not, comparisons with NaN, conversions.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "WriterTesting.h"

using namespace tessera::ptx;
using namespace tessera::ptx::testing;

TEST(WriteFloat, Arithmetic) {
  checkWritten({
      {"float", "%v = fadd float %f, 1.0", {"add\\.rn\\.f32 %r\\d+, %r\\d+, 0f3F800000;"}},
      {"float", "%v = fsub float -0.0, %f", {"sub\\.rn\\.f32 %r\\d+, 0f80000000, %r\\d+;"}},
      {"double",
       "%v = fmul double %d, 3.0",
       {"mul\\.rn\\.f64 %rd\\d+, %rd\\d+, 0d4008000000000000;"}},
      {"float", "%v = fdiv float %f, %f2", {"div\\.rn\\.f32"}},
      {"float", "%v = fdiv float 1.0, %f2", {"rcp\\.rn\\.f32 %r\\d+, %r\\d+;"}},
      {"float", "%v = fdiv float -1.0, %f2", {"div\\.rn\\.f32 %r\\d+, 0fBF800000,"}},
      {"float", "%v = fneg float %f", {"neg\\.f32"}},
  });
}

/// A product and a sum become one where both say that they may.
TEST(WriteFloat, Contraction) {
  const std::string product = "%m = fmul contract float %f, %f2\n";
  const struct {
    std::string sum;
    std::vector<std::string> text;
  } cases[] = {
      {"%v = fadd contract float %m, 2.0", {"fma\\.rn\\.f32 %r\\d+, %r\\d+, %r\\d+, 0f40000000;"}},
      {"%v = fadd contract float 2.0, %m", {"fma\\.rn\\.f32 %r\\d+, %r\\d+, %r\\d+, 0f40000000;"}},
      {"%v = fsub contract float %m, 2.0", {"fma\\.rn\\.f32 %r\\d+, %r\\d+, %r\\d+, 0fC0000000;"}},
      {"%v = fsub contract float 2.0, %m",
       {"neg\\.f32 (%r\\d+), %r\\d+;", "fma\\.rn\\.f32 %r\\d+, <1>, %r\\d+, 0f40000000;"}},
  };
  for (const auto &each : cases) {
    EXPECT_TRUE(hasInOrder(written("float", product + each.sum), each.text)) << each.sum;
  }
  for (std::string body :
       {product + "%v = fadd float %m, 2.0",
        std::string("%m = fmul float %f, %f2\n%v = fadd contract float %m, 2.0"),
        std::string("%m = fdiv contract float %f, %f2\n%v = fadd contract float %m, 2.0")}) {
    EXPECT_THAT(written("float", body), ::testing::Not(::testing::HasSubstr("fma"))) << body;
  }
  // Of two products the one that nothing else needs.
  std::string two =
      written("float", "%a = fmul contract float %f, %f\n%o = fmul contract float %f2, 3.0\n"
                       "store float %a, ptr addrspace(1) %g\n%v = fadd contract float %a, %o");
  EXPECT_TRUE(hasInOrder(two, {"fma\\.rn\\.f32 %r\\d+, %r\\d+, 0f40400000, %r"}));
}

/// The sign of a factor goes to a constant that it is multiplied by, and nobody makes the negative.
TEST(WriteFloat, SignsOfFactors) {
  const std::string declaration = "declare float @llvm.fma.f32(float, float, float)\n";
  std::string text = written(
      "float", "%m = fneg float %f\n%v = call float @llvm.fma.f32(float %m, float 2.0, float %f2)",
      declaration);
  EXPECT_TRUE(hasInOrder(text, {"fma\\.rn\\.f32 %r\\d+, %r\\d+, 0fC0000000, %r"}));
  EXPECT_THAT(text, ::testing::Not(::testing::HasSubstr("neg.")));
  text = written(
      "float", "%m = fneg float %f\n%v = call float @llvm.fma.f32(float -2.0, float %m, float %m)",
      declaration);
  EXPECT_TRUE(
      hasInOrder(text, {"neg\\.f32 (%r\\d+),", "fma\\.rn\\.f32 %r\\d+, 0f40000000, %r\\d+, <1>;"}));
  text = written(
      "float", "%m = fneg float %f\n%v = call float @llvm.fma.f32(float %m, float %f2, float 1.0)",
      declaration);
  EXPECT_TRUE(
      hasInOrder(text, {"neg\\.f32 (%r\\d+),", "fma\\.rn\\.f32 %r\\d+, <1>, %r\\d+, 0f3F800000;"}));
}

TEST(WriteFloat, Comparisons) {
  for (auto [name, text] :
       {std::pair("oeq", "eq"), std::pair("one", "ne"), std::pair("olt", "lt"),
        std::pair("ole", "le"), std::pair("ogt", "gt"), std::pair("oge", "ge"),
        std::pair("ord", "num"), std::pair("uno", "nan"), std::pair("ueq", "equ"),
        std::pair("une", "neu"), std::pair("ult", "ltu"), std::pair("ule", "leu"),
        std::pair("ugt", "gtu"), std::pair("uge", "geu")}) {
    EXPECT_TRUE(hasInOrder(written("i1", "%v = fcmp " + std::string(name) + " double %d, %d2"),
                           {"setp\\." + std::string(text) + "\\.f64"}));
  }
}

TEST(WriteFloat, Conversions) {
  checkWritten({
      {"float", "%v = sitofp i64 %n to float", {"cvt\\.rn\\.f32\\.s64"}},
      {"float", "%v = uitofp i8 %b to float", {"cvt\\.rn\\.f32\\.u16"}},
      {"float",
       "%v = sitofp i8 %b to float",
       {"cvt\\.s16\\.s8 (%rs\\d+),", "cvt\\.rn\\.f32\\.s16 %r\\d+, <1>;"}},
      {"i32", "%v = fptosi float %f to i32", {"cvt\\.rzi\\.s32\\.f32"}},
      {"i64", "%v = fptoui double %d to i64", {"cvt\\.rzi\\.u64\\.f64"}},
      {"double", "%v = fpext float %f to double", {"cvt\\.f64\\.f32"}},
      {"float", "%v = fptrunc double %d to float", {"cvt\\.rn\\.f32\\.f64"}},
      {"half", "%v = fptrunc float %f to half", {"cvt\\.rn\\.f16\\.f32 %rs"}},
      {"bfloat", "%v = fptrunc float %f to bfloat", {"cvt\\.rn\\.bf16\\.f32 %rs"}},
      {"float", "%w = bitcast i16 %h to half\n%v = fpext half %w to float", {"cvt\\.f32\\.f16"}},
      {"float",
       "%w = bitcast i16 %h to bfloat\n%v = fpext bfloat %w to float",
       {"cvt\\.u32\\.u16", "shl\\.b32 .*, 16;"}},
      {"i32", "%v = bitcast float %f to i32", {"st\\.global\\.b32"}},
  });
}

/// f64 has no extremes that hand NaN on; half precision has text for products and sums alone.
TEST(WriteFloat, Intrinsics) {
  const std::string declarations =
      "declare float @llvm.fma.f32(float, float, float)\ndeclare float @llvm.maximum.f32(float, "
      "float)\n"
      "declare double @llvm.minimum.f64(double, double)\ndeclare double "
      "@llvm.maximumnum.f64(double, double)\n"
      "declare float @llvm.copysign.f32(float, float)\ndeclare float @llvm.floor.f32(float)\n"
      "declare float @llvm.sqrt.f32(float)\ndeclare float @llvm.fabs.f32(float)\n"
      "declare double @llvm.roundeven.f64(double)\ndeclare half @llvm.fma.f16(half, half, half)\n";
  checkWritten(
      {
          {"float",
           "%v = call float @llvm.fma.f32(float %f, float 2.0, float %f2)",
           {"fma\\.rn\\.f32 %r\\d+, %r\\d+, 0f40000000, %r"}},
          {"float", "%v = call float @llvm.maximum.f32(float %f, float %f2)", {"max\\.NaN\\.f32"}},
          {"double",
           "%v = call double @llvm.minimum.f64(double %d, double %d2)",
           {"min\\.f64 (%rd\\d+), (%rd\\d+), (%rd\\d+);", "setp\\.nan\\.f64 (%p\\d+),",
            "selp\\.f64 %rd\\d+, 0d7FF8000000000000, %rd\\d+, %p"}},
          {"double", "%v = call double @llvm.maximumnum.f64(double %d, double %d2)", {"max\\.f64"}},
          {"float",
           "%v = call float @llvm.copysign.f32(float 3.0, float %f)",
           {"copysign\\.f32 %r\\d+, %r\\d+, 0f40400000;"}},
          {"float", "%v = call float @llvm.floor.f32(float %f)", {"cvt\\.rmi\\.f32\\.f32"}},
          {"double", "%v = call double @llvm.roundeven.f64(double %d)", {"cvt\\.rni\\.f64\\.f64"}},
          {"float", "%v = call float @llvm.sqrt.f32(float %f)", {"sqrt\\.rn\\.f32"}},
          {"float", "%v = call float @llvm.fabs.f32(float %f)", {"abs\\.f32"}},
          {"half",
           "%w = bitcast i16 %h to half\n%v = call half @llvm.fma.f16(half %w, half %w, half %w)",
           {"fma\\.rn\\.f16"}},
      },
      declarations);
}

TEST(WriteFloat, WhatHasNoText) {
  for (std::string body :
       {"%v = frem float %f, %f2", "%w = bitcast i16 %h to half\n%v = fadd half %w, %w",
        "%v = fptosi float %f to i16", "%v = sitofp i1 %p to float",
        "%v = fptrunc double %d to bfloat", "%v = fcmp true float %f, %f2"}) {
    EXPECT_EQ(writeText(plain(body)).find("error: "), 0u) << body;
  }
}
