// Compile-time values: literals, constants, folding, and what the IR holds of them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FrontendTesting.h"

namespace tessera::testing {
namespace {

/// The IR of `assert <expression>`-free bodies: the constant that `y[0, 0] = …` stores.
std::string stored(llvm::StringRef expression, llvm::StringRef items = "") {
  Outcome o = compileBody(("    y[0, 0] = " + expression).str(), items);
  if (!o.ok()) {
    return o.rendered;
  }
  llvm::StringRef ir = o.ir;
  for (llvm::StringRef line : llvm::split(ir, '\n')) {
    if (line.contains("tile.constant") && line.contains("f32")) {
      return line.split("tile.constant ").second.split(" : ").first.str();
    }
  }
  return o.ir;
}

TEST(Value, UntypedIntegersAreExact) {
  EXPECT_EQ(stored("(7 // 2) as f32"), "3.000000e+00");
  EXPECT_EQ(stored("(-7 // 2) as f32"), "-4.000000e+00");
  EXPECT_EQ(stored("(-7 % 2) as f32"), "1.000000e+00");
  EXPECT_EQ(stored("((1 << 40) >> 38) as f32"), "4.000000e+00");
  EXPECT_EQ(stored("(5 and 3) as f32"), "1.000000e+00");
  EXPECT_EQ(stored("max(3, 4, 2)"), "4.000000e+00");
  EXPECT_EQ(stored("cdiv(-7, 2)"), "-3.000000e+00");
  EXPECT_EQ(stored("round_up(7, 4)"), "8.000000e+00");
  EXPECT_EQ(stored("bucket(7, 256)"), "2.560000e+02");
  EXPECT_EQ(stored("bucket(257, 256)"), "5.120000e+02");
}

TEST(Value, UntypedFloatsRoundOnce) {
  // 2^-24 + 2^-60 decides the tie upwards only if the sum is not rounded before it meets f32.
  EXPECT_EQ(stored("1.0 + (0x1p-24 + 0x1p-60)"), "1.00000012");
  EXPECT_EQ(stored("1.0 + 0x1p-24"), "1.000000e+00");
  EXPECT_EQ(stored("1.0 / 3.0"), "0.333333343");
  EXPECT_EQ(stored("-inf"), "0xFF800000");
  EXPECT_EQ(stored("LN2"), "0.693147182");
  EXPECT_EQ(stored("2 * LOG2E"), "2.885390e+00");
}

TEST(Value, TheValueBeforeRoundingStaysKnown) {
  Outcome o = compileBody("    y[0, 0] = 0.1");
  EXPECT_THAT(o.ir,
              HasSubstr("tile.constant 1.000000e-01 : f32 {tile.exact = 1.000000e-01 : f64}"));
  Outcome exact = compileBody("    y[0, 0] = 0.5");
  EXPECT_THAT(exact.ir, Not(HasSubstr("tile.exact")));
}

TEST(Value, TypedIntegersWrap) {
  EXPECT_EQ(stored("((200 as ui8) + (100 as ui8)) as f32"), "4.400000e+01");
  EXPECT_EQ(stored("((2147483647 as i32) + 1) as f32"), "-2.14748365E+9");
  EXPECT_EQ(stored("((1 as i64) // 0) as f32"), "0.000000e+00");
  EXPECT_EQ(stored("((-1 as i8) as ui8(wrap)) as f32"), "2.550000e+02");
  EXPECT_EQ(stored("(300 as i8(sat)) as f32"), "1.270000e+02");
  EXPECT_EQ(stored("(2.5 as i32(rne)) as f32"), "2.000000e+00");
  EXPECT_EQ(stored("(popcount(255 as i32)) as f32"), "8.000000e+00");
}

TEST(Value, FunctionsOfConstantsAreThoseOfTheRun) {
  EXPECT_EQ(stored("exp2(3.0)"), "8.000000e+00");
  EXPECT_EQ(stored("sqrt(2.0)"), "1.41421354");
  EXPECT_EQ(stored("from_bits(f32, 0x3f800000)"), "1.000000e+00");
  EXPECT_EQ(stored("(bits(1.0 as f32) >> 23) as f32"), "1.270000e+02");
  EXPECT_EQ(stored("select(1 < 2, 3.0, 4.0)"), "3.000000e+00");
  EXPECT_EQ(stored("if isnan(nan as f32) { 1.0 } else { 2.0 }"), "1.000000e+00");
}

TEST(Value, Conditions) {
  EXPECT_EQ(stored("if 3 in {1, 2, 3} { 1.0 } else { 2.0 }"), "1.000000e+00");
  EXPECT_EQ(stored("if 3 in 0..3 { 1.0 } else { 2.0 }"), "2.000000e+00");
  EXPECT_EQ(stored("if not (1 == 2) and 1 != 2 { 1.0 } else { 2.0 }"), "1.000000e+00");
  EXPECT_EQ(stored("if 1.5 >= 1.5 or false { 1.0 } else { 2.0 }"), "1.000000e+00");
  EXPECT_EQ(stored("if true xor true { 1.0 } else { 2.0 }"), "2.000000e+00");
  EXPECT_EQ(stored("if f32 == bf16 { 1.0 } else { 2.0 }"), "2.000000e+00");
}

TEST(Value, ConstantsOfTheFile) {
  EXPECT_EQ(stored("C", "const C: f32 = 2 * D\nconst D = 1.25"), "2.500000e+00");
  EXPECT_EQ(stored("C as f32", "const C: i64 = W // 2\nconst W = 9"), "4.000000e+00");
  EXPECT_EQ(stored("if M1 == slow { 1.0 } else { 2.0 }",
                   "enum Mode { quick, slow }\nconst M1: Mode = slow"),
            "1.000000e+00");
}

TEST(Value, WhatIsDecidedHidesTheOtherSide) {
  // The right side does not exist in this instance: `x` has no element of type bool.
  Outcome o = compileBody("    y[0, 0] = if false and x[0, 0] { 1.0 } else { 2.0 }");
  EXPECT_TRUE(o.ok()) << o.rendered;
  EXPECT_THAT(o.ir, Not(HasSubstr("tile.load")));
}

TEST(Value, LiteralsMeetTheOtherOperandsType) {
  Outcome o = compileBody(
      "    grid r in tiles(M, 4)\n    let a = i[r] + 1\n    let h = (b[r, :] * 2 + 0.5) as f32\n"
      "    y[0, 0] = (sum(a) as f32) + sum(sum(h, axis = 1))");
  ASSERT_TRUE(o.ok()) << o.rendered;
  EXPECT_THAT(o.ir, HasSubstr("tile.constant 1 : i32 tensor<4xi32>"));
  EXPECT_THAT(o.ir, HasSubstr("tile.constant 2.000000e+00 : bf16 tensor<4x64xbf16>"));
  EXPECT_THAT(o.ir, HasSubstr("tile.constant 5.000000e-01 : bf16 tensor<4x64xbf16>"));
}

} // namespace
} // namespace tessera::testing
