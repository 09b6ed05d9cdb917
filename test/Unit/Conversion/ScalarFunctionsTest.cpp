// The functions: strict ones bit for bit as the exact system, fast ones near the true value, and what a module is told.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ScalarTesting.h"

#include "tessera/Numeric/NumberSystem.h"
#include "tessera/Numeric/Value.h"

#include "llvm/Support/raw_ostream.h"

#include <chrono>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace tessera;
using namespace tessera::testing;
using llvm::ArrayRef;
using llvm::Value;
using ::testing::HasSubstr;
using ::testing::Not;

static std::string nameOf(ScalarOp op, DType type) {
  return (mnemonic(op) + "_" + irName(type)).str();
}

static std::vector<ScalarOp> functions() {
  std::vector<ScalarOp> all;
  for (unsigned k = 0; k < numScalarOps; ++k) {
    if (scalarOpTable[k].hasAccuracy) {
      all.push_back(static_cast<ScalarOp>(k));
    }
  }
  return all;
}

static void addFunction(ScalarLoops &loops, ScalarOp op, DType type,
                        Accuracy accuracy = Accuracy::strict) {
  llvm::SmallVector<DType> in(info(op).arity, type);
  loops.add(nameOf(op, type), in, type,
            [&](convert::ScalarLowering &scalars, llvm::IRBuilderBase &b, ArrayRef<Value *> x) {
              return scalars.row(b, op, type, x, accuracy);
            });
}

/// Ordinary arguments beside patterns of all kinds, which are mostly huge or tiny.
static void addOrdinary(std::vector<Elements> &in) {
  for (Elements &column : in) {
    for (int i = 0; i < 20000; ++i) {
      float x = float(i % 2 ? i : -i) * (i % 3 ? 0.0123f : 0.00077f) + (&column == &in[0] ? 1 : 0);
      Elements one(column.type, 1);
      ExactSystem::cast(DType::f32, column.type, Round::rne, Overflow::inf)(&x, one.data(), 1);
      column.push(one.pattern(0));
    }
  }
}

class StrictFunctions : public ::testing::TestWithParam<DType> {};

TEST_P(StrictFunctions, HaveTheBitsOfTheExactSystem) {
  DType type = GetParam();
  ScalarLoops loops;
  for (ScalarOp op : functions()) {
    addFunction(loops, op, type);
  }
  loops.compile();
  for (ScalarOp op : functions()) {
    std::vector<Elements> in = info(op).arity == 1
                                   ? std::vector<Elements>{everyPattern(type, 100000)}
                                   : samples(type, 2, 100000);
    addOrdinary(in);
    expectSame(nameOf(op, type), in, loops.run(nameOf(op, type), in, type), exact(op, type, in));
  }
}

INSTANTIATE_TEST_SUITE_P(All, StrictFunctions,
                         ::testing::Values(DType::f32, DType::bf16, DType::f16),
                         [](auto &info) { return irName(info.param).str(); });

TEST(ScalarFunctions, RootsOfF64AreExactTheOthersHaveNone) {
  ScalarLoops loops;
  const ScalarOp roots[] = {ScalarOp::Sqrt, ScalarOp::Rsqrt, ScalarOp::Rcp};
  for (ScalarOp op : roots) {
    addFunction(loops, op, DType::f64);
  }
  llvm::IRBuilder<> b(loops.module->getContext());
  convert::ScalarLowering scalars(*loops.module);
  Value *one = llvm::ConstantFP::get(b.getDoubleTy(), 1.0);
  for (ScalarOp op : functions()) {
    if (!llvm::is_contained(roots, op)) {
      llvm::SmallVector<Value *> operands(info(op).arity, one);
      auto r = scalars.row(b, op, DType::f64, operands);
      ASSERT_FALSE(bool(r));
      EXPECT_THAT(llvm::toString(r.takeError()), HasSubstr("has no f64 definition on a GPU"));
    }
  }
  loops.compile();
  for (ScalarOp op : roots) {
    std::vector<Elements> in = {everyPattern(DType::f64, 100000)};
    std::string name = nameOf(op, DType::f64);
    expectSame(name, in, loops.run(name, in, DType::f64), exact(op, DType::f64, in));
  }
}

static std::string textOf(llvm::Module &module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  module.print(os, nullptr);
  return text;
}

// The markers are the C library's functions here, a little off: which functions rest on them, and how.
TEST(ScalarFunctions, FastOnesAreNearTheStrictOnes) {
  const ScalarOp longForms[] = {ScalarOp::Expm1, ScalarOp::Log1p, ScalarOp::Erf, ScalarOp::Erfc,
                                ScalarOp::Pow};
  ScalarLoops loops;
  for (ScalarOp op : functions()) {
    addFunction(loops, op, DType::f32, Accuracy::fast);
  }
  for (auto marker : {"ex2", "lg2", "rcp", "rsqrt", "sqrt", "sin", "cos", "tanh"}) {
    EXPECT_THAT(textOf(*loops.module), HasSubstr(std::string("@tessera.fast.") + marker + "("));
  }
  loops.compile();
  for (ScalarOp op : functions()) {
    std::vector<Elements> in(info(op).arity, Elements(DType::f32));
    for (Elements &column : in) {
      for (float x = 0.125f; x < 3; x += 0.01f) {
        column.push(llvm::bit_cast<uint32_t>(x));
      }
    }
    Elements got = loops.run(nameOf(op, DType::f32), in, DType::f32);
    Elements expected = exact(op, DType::f32, in);
    if (llvm::is_contained(longForms, op)) {
      expectSame(nameOf(op, DType::f32), in, got, expected);
      continue;
    }
    for (size_t i = 0; i < got.size(); ++i) {
      double a = toDouble(DType::f32, got.at(i)), e = toDouble(DType::f32, expected.at(i));
      EXPECT_NEAR(a, e, 1e-3 * std::abs(e)) << nameOf(op, DType::f32) << " " << i;
      EXPECT_TRUE(std::abs(e) < 1e-3 || std::abs(a - e) > 1e-6 * std::abs(e))
          << nameOf(op, DType::f32) << " is not fast";
    }
  }
}

// A library function is emitted once for its module, inlined, and never contracted, whatever the kernel's mode.
TEST(ScalarFunctions, ALibraryFunctionIsOneHelperOfTheModule) {
  ScalarLoops loops(tile::MathMode::contract);
  addFunction(loops, ScalarOp::Exp, DType::f32);
  addFunction(loops, ScalarOp::Exp, DType::bf16);
  unsigned helpers = 0;
  for (llvm::Function &function : *loops.module) {
    if (function.getName().starts_with("tessera.fn.")) {
      ++helpers;
      EXPECT_EQ(function.getName(), "tessera.fn.exp");
      EXPECT_TRUE(function.hasFnAttribute(llvm::Attribute::AlwaysInline));
      EXPECT_TRUE(function.hasInternalLinkage());
    }
  }
  EXPECT_EQ(helpers, 1u);
  EXPECT_THAT(textOf(*loops.module), Not(HasSubstr("contract")));
}

TEST(ScalarFunctions, MathModes) {
  auto mad = [](convert::ScalarLowering &scalars, llvm::IRBuilderBase &b, ArrayRef<Value *> x) {
    auto product = scalars.row(b, ScalarOp::Mul, DType::f32, {x[0], x[1]});
    return scalars.row(b, ScalarOp::Sub, DType::f32, {llvm::cantFail(std::move(product)), x[2]});
  };
  for (auto mode : {tile::MathMode::strict, tile::MathMode::contract, tile::MathMode::fast}) {
    ScalarLoops loops(mode);
    loops.add("mad", {DType::f32, DType::f32, DType::f32}, DType::f32, mad);
    addFunction(loops, ScalarOp::Exp2, DType::f32);
    std::string text = textOf(*loops.module);
    bool strict = mode == tile::MathMode::strict;
    EXPECT_EQ(text.find("fmul contract float") == std::string::npos, strict);
    EXPECT_EQ(text.find("fsub contract float") == std::string::npos, strict);
    EXPECT_EQ(text.find("tessera.fast.ex2") != std::string::npos, mode == tile::MathMode::fast);
  }
}

// The first use in a process parses the library, the first in a module makes tile IR of the function. Both are part of every
// compile.
TEST(ScalarFunctions, CostOfTheFirstUse) {
  auto once = [](ScalarOp op) {
    ScalarLoops loops;
    auto start = std::chrono::steady_clock::now();
    addFunction(loops, op, DType::f32);
    std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
    return took.count();
  };
  for (ScalarOp op : {ScalarOp::Exp, ScalarOp::Exp, ScalarOp::Log, ScalarOp::Sin, ScalarOp::Pow}) {
    double took = once(op);
    std::printf("%s: %.2f ms\n", info(op).mnemonic, took);
    EXPECT_LT(took, 1000);
  }
}
