// Elements that share a shorter way to the same bits: the proof of the quotient by its near ties, the bounds of the short
// exponentials, both ways on all kinds of operands, and what stays plain.
//
// TESSERA_FULL=1 takes every mantissa and every argument.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ScalarTesting.h"

#include "tessera/Numeric/NumberSystem.h"

#include "llvm/ADT/bit.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>
#include <cstdlib>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>

using namespace tessera;
using namespace tessera::testing;
using llvm::ArrayRef;
using llvm::Value;
using ::testing::HasSubstr;
using ::testing::Not;
using Values = convert::ScalarLowering::Values;

static uint32_t stride(uint32_t otherwise) { return std::getenv("TESSERA_FULL") ? 1 : otherwise; }

//===- the quotient's proof -----------------------------------------------===//

static float mantissa(uint32_t m) { return float(m) * 0x1p-23f; } // m in [2^23, 2^24)

/// What the Newton step makes of every start that a machine may give for d in [1, 2).
static std::set<float> reciprocals(float d) {
  std::set<float> all;
  double exact = 1.0 / double(d);
  for (float r = float(exact - 0x1p-23); double(r) <= exact + 0x1p-23;
       r = std::nextafter(r, 2.0f)) {
    if (std::abs(double(r) - exact) <= 0x1p-23) {
      all.insert(std::fma(std::fma(-d, r, 1.0f), r, r));
    }
  }
  return all;
}

static float quotient(float a, float d, float r) {
  float q = a * r;
  return std::fma(std::fma(-d, q, a), r, q);
}

/// x with odd * x = 1 modulo 2^32.
static uint32_t inverse(uint32_t odd) {
  uint32_t x = odd;
  for (int i = 0; i < 5; ++i) {
    x *= 2 - odd * x;
  }
  return x;
}

/// Calls with each A for which A / D is within `most` / (2^shift D) of the middle of two neighbouring floats, never on it: with M
/// odd, A 2^shift = M D + rest.
static void nearTies(uint32_t d, unsigned shift, int most,
                     llvm::function_ref<void(uint32_t)> call) {
  unsigned twos = llvm::countr_zero(d);
  uint64_t modulus = 1ull << (shift - twos);
  for (int rest = -most; rest <= most; ++rest) {
    if (rest == 0 || rest % (1 << twos) != 0) {
      continue;
    }
    uint64_t m = uint32_t(-(rest >> twos)) * uint64_t(inverse(d >> twos)) & (modulus - 1);
    for (; m < (1u << 25); m += modulus) {
      uint64_t a = (m * d + uint64_t(int64_t(rest))) >> shift;
      if (m % 2 == 1 && m >= (1u << 24) && a >= (1u << 23) && a < (1u << 24)) {
        call(uint32_t(a));
      }
    }
  }
}

// Before its last rounding the short way is within 7 units of 1 / (2^shift D) of A / D, so only dividends whose quotient is
// nearer than that to the middle of two floats can go wrong (docs/rationale/gpu-code.md); 10 leaves room.
TEST(Quotients, NearTiesRoundAsTheyShould) {
  uint64_t pairs = 0, wrong = 0;
  auto check = [&](uint32_t divisor) {
    float d = mantissa(divisor);
    for (float r : reciprocals(d)) {
      for (unsigned shift : {24u, 25u}) {
        nearTies(divisor, shift, 10, [&](uint32_t dividend) {
          float a = mantissa(dividend);
          ++pairs;
          wrong += quotient(a, d, r) != a / d;
        });
      }
    }
  };
  // The last three mantissas do not take the short way.
  constexpr uint32_t end = (1u << 24) - 3;
  for (uint32_t divisor = 1u << 23; divisor < end; divisor += stride(41)) {
    check(divisor);
  }
  for (uint32_t divisor = end - 2000; divisor < end; ++divisor) {
    check(divisor);
  }
  EXPECT_EQ(wrong, 0u) << "of " << pairs;
  EXPECT_GT(pairs, 1000000u);
  // Markstein's exception: 1 divided by the greatest mantissa.
  check((1u << 24) - 1);
  EXPECT_EQ(wrong, 1u) << "the mantissas that are left out could come in";
}

//===- what is emitted ----------------------------------------------------===//

/// The first of a group of two, whose second is ordinary or, with `far`, too large for the short way.
static void addPair(ScalarLoops &loops, const std::string &name, ScalarOp op, DType type,
                    bool far) {
  llvm::SmallVector<DType> in(info(op).arity, type);
  loops.add(name, in, type,
            [&](convert::ScalarLowering &scalars, llvm::IRBuilderBase &b,
                ArrayRef<Value *> x) -> llvm::Expected<Value *> {
              float second = far ? 0x1p100f : 1.5f;
              Elements other(type, 1);
              ExactSystem::cast(DType::f32, type, Round::rne, Overflow::inf)(&second, other.data(),
                                                                             1);
              Values constants(info(op).arity, scalars.constant(type, other.data()));
              auto both = scalars.group(b, op, type, {Values(x), constants});
              if (!both) {
                return both.takeError();
              }
              return both->front();
            });
}

class Groups : public ::testing::TestWithParam<std::tuple<ScalarOp, DType>> {};

TEST_P(Groups, HaveTheBitsOfTheExactSystemBothWays) {
  auto [op, type] = GetParam();
  ScalarLoops loops;
  addPair(loops, "near", op, type, /*far=*/false);
  addPair(loops, "far", op, type, /*far=*/true);
  loops.compile();
  std::vector<Elements> in = info(op).arity == 1 ? std::vector<Elements>{everyPattern(type, 200000)}
                                                 : samples(type, 2, 400000);
  Elements expected = exact(op, type, in);
  for (auto name : {"near", "far"}) {
    expectSame(name, in, loops.run(name, in, type), expected);
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, Groups,
    ::testing::Combine(::testing::Values(ScalarOp::Div, ScalarOp::Exp, ScalarOp::Exp2),
                       ::testing::Values(DType::f32, DType::bf16, DType::f16)),
    [](auto &info) {
      return (mnemonic(std::get<0>(info.param)) + "_" + irName(std::get<1>(info.param))).str();
    });

// Around the bounds and everywhere within them.
TEST(Exponentials, ShortWaysHoldUpToTheirBounds) {
  ScalarLoops loops;
  for (ScalarOp op : {ScalarOp::Exp, ScalarOp::Exp2}) {
    addPair(loops, mnemonic(op).str(), op, DType::f32, /*far=*/false);
  }
  loops.compile();
  Elements in(DType::f32);
  for (uint64_t pattern = 0; pattern < llvm::bit_cast<uint32_t>(130.0f); pattern += stride(1999)) {
    in.push(pattern);
    in.push(pattern | 0x80000000u);
  }
  for (float bound : {87.0f, 125.0f}) {
    for (int i = -500; i < 500; ++i) {
      in.push(llvm::bit_cast<uint32_t>(bound) + uint32_t(i));
      in.push((llvm::bit_cast<uint32_t>(bound) + uint32_t(i)) | 0x80000000u);
    }
  }
  for (ScalarOp op : {ScalarOp::Exp, ScalarOp::Exp2}) {
    expectSame(mnemonic(op).str(), {in}, loops.run(mnemonic(op).str(), {in}, DType::f32),
               exact(op, DType::f32, {in}));
  }
}

TEST(Groups, OnlyWhereThereIsAShortWay) {
  llvm::LLVMContext context;
  llvm::Module module("groups", context);
  convert::ScalarLowering strict(module), fast(module, tile::MathMode::fast);
  EXPECT_TRUE(strict.hasShortWay(ScalarOp::Exp, DType::f32));
  EXPECT_FALSE(strict.hasShortWay(ScalarOp::Exp, DType::f32, Accuracy::fast));
  EXPECT_FALSE(strict.hasShortWay(ScalarOp::Exp, DType::f64));
  EXPECT_FALSE(strict.hasShortWay(ScalarOp::Log, DType::f32));
  EXPECT_FALSE(fast.hasShortWay(ScalarOp::Exp, DType::f32));
  EXPECT_TRUE(fast.hasShortWay(ScalarOp::Div, DType::f32));
  EXPECT_FALSE(strict.hasShortWay(ScalarOp::Div, DType::f64));
  EXPECT_FALSE(strict.hasShortWay(ScalarOp::Div, DType::i32));
}

// One divisor is prepared once, however many dividends it has.
TEST(Quotients, ShareTheReciprocalOfADivisor) {
  ScalarLoops loops;
  DType types[] = {DType::f32, DType::f32};
  loops.add("shared", types, DType::f32,
            [&](convert::ScalarLowering &scalars, llvm::IRBuilderBase &b,
                ArrayRef<Value *> x) -> llvm::Expected<Value *> {
              auto all =
                  scalars.group(b, ScalarOp::Div, DType::f32,
                                {Values{x[0], x[1]}, Values{x[1], x[1]}, Values{x[0], x[1]}});
              if (!all) {
                return all.takeError();
              }
              return b.CreateFAdd((*all)[0], b.CreateFSub((*all)[1], (*all)[2]));
            });
  std::string text;
  llvm::raw_string_ostream(text) << *loops.module;
  size_t first = text.find("call float @tessera.start.rcp");
  ASSERT_NE(first, std::string::npos);
  EXPECT_EQ(text.find("call float @tessera.start.rcp", first + 1), std::string::npos);
}
