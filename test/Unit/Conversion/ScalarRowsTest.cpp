// Every row of the elementwise table on every type it takes, comparisons and selections: bit for bit as the exact system.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ScalarTesting.h"

#include "tessera/Numeric/NumberSystem.h"

#include <gtest/gtest.h>

using namespace tessera;
using namespace tessera::testing;
using llvm::ArrayRef;
using llvm::Value;

static std::string nameOf(ScalarOp op, DType type) {
  return (mnemonic(op) + "_" + irName(type)).str();
}

/// All rows without an accuracy, of one domain's kind of types.
static void checkRows(llvm::function_ref<bool(DType)> wanted) {
  ScalarLoops loops;
  std::vector<std::pair<ScalarOp, DType>> cases;
  for (unsigned k = 0; k < numScalarOps; ++k) {
    auto op = static_cast<ScalarOp>(k);
    for (DType type : allDTypes) {
      if (!info(op).hasAccuracy && accepts(op, type) && wanted(type)) {
        cases.emplace_back(op, type);
        llvm::SmallVector<DType> in(info(op).arity, type);
        loops.add(nameOf(op, type), in, resultType(op, type),
                  [&](convert::ScalarLowering &scalars, llvm::IRBuilderBase &b,
                      ArrayRef<Value *> x) { return scalars.row(b, op, type, x); });
      }
    }
  }
  ASSERT_GT(cases.size(), 10u);
  loops.compile();
  for (auto [op, type] : cases) {
    unsigned arity = info(op).arity;
    std::vector<Elements> in =
        arity == 1 ? std::vector<Elements>{everyPattern(type, 20000)} : samples(type, arity, 20000);
    Elements got = loops.run(nameOf(op, type), in, resultType(op, type));
    expectSame(nameOf(op, type), in, got, exact(op, type, in));
  }
}

TEST(ScalarRows, SignedIntegersAndBool) {
  checkRows([](DType t) { return isBool(t) || (isInteger(t) && isSigned(t)); });
}
TEST(ScalarRows, UnsignedIntegers) {
  checkRows([](DType t) { return isInteger(t) && !isSigned(t); });
}
TEST(ScalarRows, Floats) {
  checkRows([](DType t) { return isFloat(t); });
}

// Products that end half way between two 16-bit floats: one rounding, not two.
TEST(ScalarRows, FusedMultiplyAddOf16BitsRoundsOnce) {
  ScalarLoops loops;
  const DType types[] = {DType::bf16, DType::f16};
  for (DType type : types) {
    loops.add(nameOf(ScalarOp::Fma, type), {type, type, type}, type,
              [&](convert::ScalarLowering &scalars, llvm::IRBuilderBase &b, ArrayRef<Value *> x) {
                return scalars.row(b, ScalarOp::Fma, type, x);
              });
  }
  loops.compile();
  for (DType type : types) {
    std::vector<Elements> in = samples(type, 3, 1 << 19);
    std::string name = nameOf(ScalarOp::Fma, type);
    expectSame(name, in, loops.run(name, in, type), exact(ScalarOp::Fma, type, in));
  }
}

TEST(ScalarRows, ComparisonsOfEveryType) {
  ScalarLoops loops;
  auto nameOf = [](CmpPredicate p, DType t) { return (name(p) + "_" + irName(t)).str(); };
  constexpr CmpPredicate predicates[] = {CmpPredicate::eq, CmpPredicate::ne, CmpPredicate::lt,
                                         CmpPredicate::le, CmpPredicate::gt, CmpPredicate::ge};
  for (DType type : allDTypes) {
    for (CmpPredicate predicate : predicates) {
      loops.add(nameOf(predicate, type), {type, type}, DType::i1,
                [&](convert::ScalarLowering &scalars, llvm::IRBuilderBase &b, ArrayRef<Value *> x) {
                  return scalars.compare(b, predicate, type, x[0], x[1]);
                });
    }
    loops.add(("ranks_" + irName(type)).str(), {type, type}, DType::i1,
              [&](convert::ScalarLowering &scalars, llvm::IRBuilderBase &b, ArrayRef<Value *> x) {
                return scalars.ranksAbove(b, type, x[0], x[1]);
              });
  }
  loops.compile();
  for (DType type : allDTypes) {
    std::vector<Elements> in = samples(type, 2, 4000);
    size_t n = in[0].size();
    Elements expected(DType::i1, n);
    for (CmpPredicate predicate : predicates) {
      std::string name = nameOf(predicate, type);
      ExactSystem::compare(predicate, type)(in[0].data(), in[1].data(), expected.data(), n);
      expectSame(name, in, loops.run(name, in, DType::i1), expected);
    }
    std::string name = ("ranks_" + irName(type)).str();
    ExactSystem::ranksAbove(type)(in[0].data(), in[1].data(), expected.data(), n);
    expectSame(name, in, loops.run(name, in, DType::i1), expected);
  }
}

TEST(ScalarRows, WhatARowDoesNotTakeIsAnError) {
  ScalarLoops loops;
  llvm::IRBuilder<> b(loops.module->getContext());
  convert::ScalarLowering scalars(*loops.module);
  Value *x = b.getInt8(1);
  auto text = [&](llvm::Expected<Value *> r) {
    return r ? std::string() : llvm::toString(r.takeError());
  };
  EXPECT_EQ(text(scalars.row(b, ScalarOp::Add, DType::f8E5M2, {x, x})),
            "tile.add does not take 2 operands of f8E5M2");
  EXPECT_EQ(text(scalars.row(b, ScalarOp::Add, DType::i8, {x})),
            "tile.add does not take 1 operands of i8");
}
