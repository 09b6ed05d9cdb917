// Ops of the tile dialect, reductions and constants as scalars.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ScalarTesting.h"

#include "tessera/Dialect/Tile/DTypes.h"
#include "tessera/Dialect/Tile/TileOps.h"
#include "tessera/Numeric/NumberSystem.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace tessera;
using namespace tessera::testing;
using llvm::ArrayRef;
using llvm::Value;
using ::testing::HasSubstr;

static std::string nameOf(ReduceKind kind, DType type) {
  return (name(kind) + "_" + irName(type)).str();
}

TEST(ScalarReductions, CombineAsTheExactSystem) {
  ScalarLoops loops;
  std::vector<std::pair<ReduceKind, DType>> cases;
  for (unsigned k = 0; k < numReduceKinds; ++k) {
    for (DType type : allDTypes) {
      auto kind = static_cast<ReduceKind>(k);
      if (!ExactSystem::combine(kind, type)) {
        continue;
      }
      cases.emplace_back(kind, type);
      loops.add(nameOf(kind, type), {type, type}, type,
                [&](convert::ScalarLowering &scalars, llvm::IRBuilderBase &b, ArrayRef<Value *> x) {
                  Value *left = scalars.prepare(b, kind, type, x[0]);
                  Value *right = scalars.prepare(b, kind, type, x[1]);
                  return scalars.combine(b, kind, type, left, right);
                });
      loops.add("finish_" + nameOf(kind, type), {type}, type,
                [&](convert::ScalarLowering &scalars, llvm::IRBuilderBase &b, ArrayRef<Value *> x) {
                  return scalars.finish(b, kind, type, x[0]);
                });
    }
  }
  EXPECT_EQ(cases.size(), 98u);
  loops.compile();
  for (auto [kind, type] : cases) {
    std::vector<Elements> in = samples(type, 2, 4000);
    size_t n = in[0].size();
    Elements a = in[0], b = in[1], expected(type, n);
    if (Kernel1 prepare = ExactSystem::prepare(kind, type)) {
      prepare(in[0].data(), a.data(), n);
      prepare(in[1].data(), b.data(), n);
    }
    ExactSystem::combine(kind, type)(a.data(), b.data(), expected.data(), n);
    std::string name = nameOf(kind, type);
    expectSame(name, in, loops.run(name, in, type), expected);
    expected = in[0];
    if (Kernel1 finish = ExactSystem::finish(kind, type)) {
      finish(in[0].data(), expected.data(), n);
    }
    expectSame("finish_" + name, in, loops.run("finish_" + name, {in[0]}, type), expected);
  }
}

TEST(ScalarReductions, IdentitiesAreThoseOfTheExactSystem) {
  ScalarLoops loops;
  convert::ScalarLowering scalars(*loops.module);
  for (unsigned k = 0; k < numReduceKinds; ++k) {
    for (DType type : allDTypes) {
      auto kind = static_cast<ReduceKind>(k);
      Elements expected(type, 1);
      auto got = scalars.identity(kind, type);
      if (!ExactSystem::identity(kind, type, expected.data())) {
        ASSERT_FALSE(bool(got));
        EXPECT_THAT(llvm::toString(got.takeError()), HasSubstr("is not defined on"));
        continue;
      }
      ASSERT_TRUE(bool(got));
      auto *number = llvm::dyn_cast<llvm::ConstantFP>(*got);
      llvm::APInt bits = number ? number->getValueAPF().bitcastToAPInt()
                                : llvm::cast<llvm::ConstantInt>(*got)->getValue();
      EXPECT_EQ(bits.getZExtValue(), expected.pattern(0)) << nameOf(kind, type);
    }
  }
}

namespace {
/// The ops of a function's body, lowered one after another; its last op's first result.
class TileText {
public:
  TileText(mlir::MLIRContext &context, llvm::StringRef arguments, llvm::StringRef ops) {
    context.loadDialect<tile::TileDialect>();
    context.allowUnregisteredDialects();
    std::string text =
        ("\"test.func\"() ({\n^bb0(" + arguments + "):\n" + ops + "\n}) : () -> ()").str();
    module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  }
  llvm::Expected<Value *> lower(convert::ScalarLowering &scalars, llvm::IRBuilderBase &b,
                                ArrayRef<Value *> arguments) {
    mlir::Block &body = module->getBody()->front().getRegion(0).front();
    llvm::DenseMap<mlir::Value, Value *> values;
    for (auto [argument, value] : llvm::zip(body.getArguments(), arguments)) {
      values[argument] = value;
    }
    Value *last = nullptr;
    for (mlir::Operation &op : body) {
      llvm::SmallVector<Value *> operands;
      for (mlir::Value operand : op.getOperands()) {
        operands.push_back(values.lookup(operand));
      }
      auto results = scalars.lower(b, &op, operands);
      if (!results) {
        return results.takeError();
      }
      for (auto [result, value] : llvm::zip_equal(op.getResults(), *results)) {
        values[result] = value;
      }
      last = results->back();
    }
    return last;
  }
  mlir::OwningOpRef<mlir::ModuleOp> module;
};
} // namespace

// Through types of tiles: rows with and without attributes, casts with default modes, two types, constants.
TEST(ScalarOps, OfTilesAreLoweredByElement) {
  ScalarLoops loops;
  TileText text(loops.context, "%x: tensor<8xbf16>, %u: tensor<8xui32>", R"(
    %c = tile.constant 1.5 : bf16 tensor<8xbf16>
    %s = tile.add %x, %c : tensor<8xbf16>
    %e = tile.exp2 %s {accuracy = #tile.accuracy<strict>} : tensor<8xbf16>
    %w = tile.cast %e : tensor<8xbf16> to tensor<8xf32>
    %b = tile.bits %w : tensor<8xf32>
    %o = tile.xor %b, %u : tensor<8xui32>
    %f = tile.from_bits %o : tensor<8xui32> to tensor<8xf32>
    %l = tile.cmp lt, %f, %w : tensor<8xf32>
    %r = tile.select %l, %f, %w : tensor<8xf32>)");
  ASSERT_TRUE(text.module);
  loops.add("f", {DType::bf16, DType::ui32}, DType::f32,
            [&](auto &scalars, auto &b, ArrayRef<Value *> x) { return text.lower(scalars, b, x); });
  loops.compile();
  std::vector<Elements> in = {Elements(DType::bf16), Elements(DType::ui32)};
  Elements expected(DType::f32);
  // 2^(x + 1.5), with bits flipped where that makes it less: of 1 the sign, of 16 an exponent's bit, of 8 none.
  const uint32_t sign = 0x80000000u, factor = 0x00800000u;
  for (auto [x, flip, y] : {std::tuple(0xbfc0u, sign, -1.0f), std::tuple(0x4020u, factor, 8.0f),
                            std::tuple(0x3fc0u, factor, 8.0f)}) {
    in[0].push(x);
    in[1].push(flip);
    expected.push(llvm::bit_cast<uint32_t>(y));
  }
  expectSame("f", in, loops.run("f", in, DType::f32), expected);
}

// Known answers of the generator (D. E. Shaw Research, Random123, kat_vectors: philox 4x32 10).
TEST(ScalarOps, PhiloxKnownAnswers) {
  ScalarLoops loops;
  std::string op = "%r0, %r1, %r2, %r3 = tile.philox %seed, %offset, %i : tensor<8xi64> -> "
                   "tensor<8xui32>\n";
  TileText text(loops.context, "%seed: ui64, %offset: ui64, %i: tensor<8xi64>", op);
  ASSERT_TRUE(text.module);
  mlir::Operation &philox = text.module->getBody()->front().getRegion(0).front().front();
  for (unsigned k = 0; k < 4; ++k) {
    loops.add("word" + std::to_string(k), {DType::ui64, DType::ui64, DType::i64}, DType::ui32,
              [&](convert::ScalarLowering &scalars, llvm::IRBuilderBase &b,
                  ArrayRef<Value *> x) -> llvm::Expected<Value *> {
                auto words = scalars.lower(b, &philox, x);
                if (!words) {
                  return words.takeError();
                }
                return (*words)[k];
              });
  }
  loops.compile();
  Elements seed(DType::ui64), offset(DType::ui64), index(DType::i64);
  const uint64_t ones = ~uint64_t(0);
  for (auto [s, o, i] :
       {std::tuple(uint64_t(0), uint64_t(0), uint64_t(0)), std::tuple(ones, ones, ones),
        std::tuple(0x299f31d0a4093822u, 0x0370734413198a2eu, 0x85a308d3243f6a88u)}) {
    seed.push(s);
    offset.push(o);
    index.push(i);
  }
  const uint32_t words[3][4] = {{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8},
                                {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd},
                                {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}};
  for (unsigned k = 0; k < 4; ++k) {
    Elements expected(DType::ui32);
    for (auto &row : words) {
      expected.push(row[k]);
    }
    std::string name = "word" + std::to_string(k);
    expectSame(name, {seed, offset, index}, loops.run(name, {seed, offset, index}, DType::ui32),
               expected);
  }
}

TEST(ScalarOps, OthersAndWrongRegistersAreErrors) {
  ScalarLoops loops;
  TileText text(loops.context, "%x: tensor<8xf32>, %s: f32",
                "%0 = tile.neg %x : tensor<8xf32>\n%1 = tile.splat %s : f32 to tensor<8xf32>");
  ASSERT_TRUE(text.module);
  mlir::Block &body = text.module->getBody()->front().getRegion(0).front();
  llvm::IRBuilder<> b(loops.module->getContext());
  convert::ScalarLowering scalars(*loops.module);
  auto message = [&](mlir::Operation &op, Value *x) {
    auto r = scalars.lower(b, &op, {x});
    return r ? std::string() : llvm::toString(r.takeError());
  };
  Value *one = llvm::ConstantFP::get(b.getFloatTy(), 1.0);
  EXPECT_EQ(message(body.front(), one), "");
  EXPECT_THAT(message(body.front(), b.getInt32(1)), HasSubstr("not of its operands' types"));
  EXPECT_THAT(message(body.back(), one),
              HasSubstr("tile.splat is no operation on single elements"));
  mlir::Type f32 = mlir::Float32Type::get(&loops.context);
  EXPECT_EQ(scalars.constant(mlir::FloatAttr::get(f32, 2.0), f32),
            llvm::ConstantFP::get(b.getFloatTy(), 2.0));
  EXPECT_EQ(
      scalars.constant(mlir::FloatAttr::get(f32, 2.0), mlir::Float64Type::get(&loops.context)),
      nullptr);
  EXPECT_EQ(scalars.constant(mlir::StringAttr::get(&loops.context, "2"), f32), nullptr);
}
