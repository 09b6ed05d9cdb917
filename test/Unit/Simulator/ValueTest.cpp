// Conversions, packing, fast functions, assertions and traps.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SimTesting.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <cmath>

using namespace tessera::sim;
using namespace tessera::simtest;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {
/// Stores the i32 %v that the body computes from the float %x.
uint32_t compute(llvm::StringRef body, float x) {
  Kernel kernel = kernelOf("ptr addrspace(1) %out, float %x", (body + R"(
    call void @tessera.st.global.i32(ptr addrspace(1) %out, i64 0, i32 %v, i1 true))")
                                                                  .str());
  std::vector<uint32_t> out(1);
  SimLaunch launch;
  launch.threads = 1;
  launch.arguments = {word(out.data()), word(x)};
  launch.regions = {region("out", out, RegionMode::out)};
  SimReport report = kernel.run(launch);
  EXPECT_TRUE(report.clean()) << text(report);
  return out[0];
}
} // namespace

TEST(SimulatorValue, Conversions) {
  auto to = [](llvm::StringRef marker, llvm::StringRef type, float x) {
    return compute(("%s = call " + type + " @tessera.cvt." + marker + "(float %x)\n%v = zext " +
                    type + " %s to i32")
                       .str(),
                   x);
  };
  EXPECT_EQ(to("rn.bf16.f32", "i16", 1.00390625f), 0x3f80u); // halfway: to even
  EXPECT_EQ(to("rn.bf16.f32", "i16", 1.01171875f), 0x3f82u);
  EXPECT_EQ(to("rz.f16.f32", "i16", 1.9999f), 0x3fffu);
  EXPECT_EQ(to("rn.e4m3.f32", "i8", 1000.0f), 0x7fu);
  EXPECT_EQ(to("rn.e4m3.sat.f32", "i8", 1000.0f), 0x7eu);
  EXPECT_EQ(
      compute("%s = call float @tessera.cvt.rn.f32.f16(i16 15361)\n%v = bitcast float %s to i32",
              0),
      0x3f802000u);
}

TEST(SimulatorValue, Packs) {
  EXPECT_EQ(compute("%v = call i32 @tessera.pack.rn.bf16x2(float %x, float 2.0)", 1.0f),
            0x40003f80u);
  EXPECT_EQ(
      compute("%s = call i16 @tessera.pack.rn.e4m3x2(float %x, float 1.0)\n%v = zext i16 %s to "
              "i32",
              1.0e9f),
      0x387eu);
}

// 1.0625^2 is half way between two bf16: to the even one, unless a third operand that f32 would lose decides.
TEST(SimulatorValue, FusedMultiplyAddRoundsOnce) {
  auto fma = [](llvm::StringRef type, unsigned a, unsigned b, unsigned c) {
    std::string call =
        ("%s = call i16 @tessera.fma.rn." + type + "(i16 " + llvm::Twine(a) + ", i16 " +
         llvm::Twine(b) + ", i16 " + llvm::Twine(c) + ")\n" + "%v = zext i16 %s to i32")
            .str();
    return compute(call, 0);
  };
  const unsigned x = 0x3f88, tiny = 0x0d00, minus = 0x8000;
  EXPECT_EQ(fma("bf16", x, x, 0), 0x3f90u);
  EXPECT_EQ(fma("bf16", x, x, tiny), 0x3f91u);
  EXPECT_EQ(fma("bf16", x, x, tiny | minus), 0x3f90u);
  EXPECT_EQ(fma("bf16", x, x | minus, tiny | minus), 0x3f91u | minus);
  // 2049 of f16 is a tie: down to 2048, and up where the product is a little more than 1.
  EXPECT_EQ(fma("f16", 0x3c00, 0x3c00, 0x6800), 0x6800u);
  EXPECT_EQ(fma("f16", 0x3c01, 0x3c00, 0x6800), 0x6801u);
  EXPECT_EQ(fma("f16", 0x7c00, 0, 0x3c00) & 0x7e00, 0x7e00u); // NaN
}

TEST(SimulatorValue, FastFunctions) {
  auto fast = [](llvm::StringRef name, float x) {
    uint32_t bits = compute(
        ("%s = call float @tessera.fast." + name + "(float %x)\n%v = bitcast float %s to i32")
            .str(),
        x);
    float value;
    std::memcpy(&value, &bits, 4);
    return value;
  };
  EXPECT_EQ(fast("ex2", 3.0f), 8.0f);
  EXPECT_EQ(fast("rsqrt", 0.25f), 2.0f);
}

TEST(SimulatorValue, AssertionsAndTraps) {
  const char *functions = R"(
@text = private constant [11 x i8] c"i < extent\00"
define void @k(i32 %limit) #0 {
  %tid = call i32 @tessera.tid()
  %c = icmp ult i32 %tid, %limit
  call void @tessera.assert(i1 %c, ptr @text)
  ret void
}
define void @t(i32 %limit) #0 {
  %tid = call i32 @tessera.tid()
  %c = icmp ult i32 %tid, %limit
  br i1 %c, label %end, label %never
never:
  call void @tessera.trap(ptr @text)
  br label %end
end:
  ret void
})";
  Kernel kernel(functions);
  SimLaunch launch;
  launch.arguments = {64};
  EXPECT_TRUE(kernel.run(launch).clean());
  EXPECT_TRUE(kernel.run(launch, "t").clean());
  launch.arguments = {63};
  SimReport report = kernel.run(launch);
  ASSERT_THAT(kinds(report), ElementsAre(ErrorKind::assertion));
  EXPECT_THAT(report.errors[0].message, HasSubstr("thread 63 of CTA 0"));
  EXPECT_THAT(report.errors[0].message, HasSubstr("i < extent"));
  EXPECT_FALSE(report.complete);
  EXPECT_THAT(kinds(kernel.run(launch, "t")), ElementsAre(ErrorKind::trap));
}
