// Number literals are rounded once, to nearest, ties to even.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tessera/Frontend/Literals.h"

#include "gtest/gtest.h"

#include <cstdlib>
#include <cstring>
#include <random>
#include <string>

using namespace tessera;
using llvm::APFloat;

namespace {

uint64_t bits(const ConvertedFloat &value) { return value.value.bitcastToAPInt().getZExtValue(); }
uint64_t f32(const char *text) { return bits(convertFloat(text, APFloat::IEEEsingle())); }
uint64_t bf16(const char *text) { return bits(convertFloat(text, APFloat::BFloat())); }

} // namespace

TEST(Literals, Exact) {
  EXPECT_EQ(f32("0x1p-24"), 0x33800000u);
  EXPECT_EQ(f32("0x1.8p1"), 0x40400000u);
  EXPECT_EQ(f32("1_000.5"), 0x447A2000u);
  EXPECT_EQ(f32("inf"), 0x7F800000u);
  EXPECT_TRUE(convertFloat("nan", APFloat::IEEEsingle()).value.isNaN());
  EXPECT_TRUE(convertFloat("0.5", APFloat::IEEEhalf()).exact);
  EXPECT_FALSE(convertFloat("0.1", APFloat::IEEEdouble()).exact);
}

TEST(Literals, TiesGoToEven) {
  // bf16 has 8 bits of precision: 1 + 2^-8 is halfway between 1 and 1 + 2^-7.
  EXPECT_EQ(bf16("0x1.01p0"), 0x3F80u);
  EXPECT_EQ(bf16("0x1.03p0"), 0x3F82u);
  EXPECT_EQ(bf16("1.00390625"), 0x3F80u);
  EXPECT_EQ(bf16("1.003906250000000000000000000000000000000000000000000000000000000000001"),
            0x3F81u);
  // Rounding to f32 first would give the tie and lose the last digit.
  EXPECT_EQ(bf16("0x1.0100000000000001p0"), 0x3F81u);
  EXPECT_EQ(f32("16777217.0"), f32("16777216.0"));
  EXPECT_EQ(f32("16777219.0"), f32("16777220.0"));
}

TEST(Literals, OverflowAndUnderflow) {
  EXPECT_FALSE(convertFloat("3.4028235e38", APFloat::IEEEsingle()).overflow);
  EXPECT_TRUE(convertFloat("3.4028236e38", APFloat::IEEEsingle()).overflow);
  EXPECT_TRUE(convertFloat("65520.0", APFloat::IEEEhalf()).overflow);
  EXPECT_FALSE(convertFloat("65519.0", APFloat::IEEEhalf()).overflow);
  EXPECT_TRUE(convertFloat("1e-60", APFloat::IEEEsingle()).underflow);
  EXPECT_FALSE(convertFloat("0e5", APFloat::IEEEsingle()).underflow);
  EXPECT_FALSE(convertFloat("0x0.0p3", APFloat::IEEEsingle()).underflow);
  EXPECT_TRUE(convertFloat("inf", APFloat::Float8E4M3FN()).overflow);
  EXPECT_TRUE(convertFloat("1e999999999", APFloat::IEEEdouble()).overflow);
  EXPECT_TRUE(convertFloat("1e-999999999", APFloat::IEEEdouble()).underflow);
}

TEST(Literals, AgreesWithTheCLibrary) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 20000; ++i) {
    std::string text = std::to_string(random() % 1000000000) + "." +
                       std::to_string(random() % 1000000000) + "e" +
                       std::to_string(static_cast<int>(random() % 80) - 40);
    float expected = std::strtof(text.c_str(), nullptr);
    uint32_t expectedBits;
    std::memcpy(&expectedBits, &expected, 4);
    ASSERT_EQ(f32(text.c_str()), expectedBits) << text;
  }
}

TEST(Literals, Integers) {
  EXPECT_TRUE(convertInt(256, APFloat::BFloat()).exact);
  EXPECT_FALSE(convertInt(257, APFloat::BFloat()).exact);
  EXPECT_TRUE(convertInt(70000, APFloat::IEEEhalf()).overflow);
  uint64_t value = 0;
  EXPECT_TRUE(floatAsInteger("4e3", value));
  EXPECT_EQ(value, 4000u);
  EXPECT_TRUE(floatAsInteger("0x1p63", value));
  EXPECT_EQ(value, uint64_t(1) << 63);
  EXPECT_FALSE(floatAsInteger("0x1p64", value));
  EXPECT_FALSE(floatAsInteger("1.5", value));
  EXPECT_FALSE(floatAsInteger("1e60", value));
  EXPECT_FALSE(floatAsInteger("inf", value));
}
