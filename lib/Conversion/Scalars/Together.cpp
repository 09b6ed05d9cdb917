// Several elements of one op together. One test that all of them are of ordinary size pays for a shorter way to the same
// bits: exponentials without the ends of the range, quotients by one Newton step and one correction (Markstein 1990).
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Emit.h"
#include "OpModes.h"

#include "llvm/IR/MDBuilder.h"

#include <functional>

using namespace tessera;
using namespace tessera::convert;
using llvm::ArrayRef;
using llvm::BasicBlock;
using llvm::Value;
namespace Intrinsic = llvm::Intrinsic;

using Columns = std::vector<llvm::SmallVector<Value *>>;

namespace {
/// What the short way gives, and whether it may be taken.
struct ShortWay {
  std::vector<Value *> results;
  Value *holds = nullptr;
  /// Emits a closer look at the same results where that does not hold; may be null.
  std::function<Value *()> second;
};
} // namespace

//===- exponentials -------------------------------------------------------===//

static llvm::Expected<ShortWay> shortFunction(const Emit &e, ScalarOp op, ArrayRef<Value *> x) {
  std::string name = mnemonic(op).str() + "_middle";
  llvm::Function *helper = helperFunction(e.module(), name, e.b.getFloatTy(), {e.b.getFloatTy()});
  if (helper->empty()) {
    if (llvm::Error error = defineMiddle(*helper, op)) {
      helper->eraseFromParent();
      return error;
    }
  }
  ShortWay way;
  Value *largest = nullptr;
  for (Value *element : x) {
    way.results.push_back(e.b.CreateCall(helper, {element}));
    Value *size = e.unary(Intrinsic::fabs, element);
    // NaN stays, and is not within the bound.
    largest = largest ? e.binary(Intrinsic::maximum, largest, size) : size;
  }
  way.holds = e.b.CreateFCmpOLE(largest, e.number(e.b.getFloatTy(), *middleBound(op)));
  return way;
}

//===- quotients ----------------------------------------------------------===//

// With the reciprocal r of d that one Newton step makes, q = a r and the remainder a - d q in one rounding, q + r (a - d q) is
// the correctly rounded quotient for every pair of mantissas, provided that nothing leaves the normal range on the way and
// that d's mantissa is not one of the last three (Markstein's exception is the last). The approximation that the machine
// begins with may be any within 2^-23 of 1 / d for d in [1, 2). The tests of Quotients go through the pairs.
//
// The sizes for which nothing leaves the range: |d| in [2^-31, 2^33), |a| in [2^-63, 2^65). By bits: with the least exponent
// taken off, what must be clear; 3 more carries into the exponent for the last three mantissas.
static constexpr uint32_t divisorLeast = (96u << 23) - 3, divisorClear = 0x60000000;
static constexpr uint32_t dividendLeast = 64u << 23, dividendClear = 0x40000000;
static constexpr uint32_t exponentStep = 1u << 23;

/// The reciprocal, rounded to nearest for d whose exponent is in range.
static Value *reciprocal(const Emit &e, Value *d) {
  if (auto *known = llvm::dyn_cast<llvm::ConstantFP>(d)) {
    return e.number(d->getType(), 1.0f / known->getValueAPF().convertToFloat());
  }
  Value *r = e.marker("start.rcp", d->getType(), {d});
  Value *error = e.fma(e.b.CreateFNeg(d), r, e.number(d->getType(), 1.0));
  return e.fma(error, r, r);
}

static Value *together(const Emit &e, Value *a, Value *b) { return a ? e.b.CreateOr(a, b) : b; }

/// Dividends of +0 are common, and what was computed of them is right: the rest must be of ordinary size. Of -0 the sign is lost.
static Value *dividesZeros(const Emit &e, ArrayRef<Value *> dividends, Value *oddDivisors) {
  llvm::IRBuilderBase &b = e.b;
  Value *all = nullptr;
  for (Value *x : dividends) {
    Value *bits = e.bitsOf(x);
    Value *size = b.CreateSub(bits, b.getInt32(dividendLeast));
    Value *isZero = b.CreateICmpEQ(bits, b.getInt32(0));
    all = together(e, all, b.CreateSelect(isZero, b.getInt32(0), size));
  }
  Value *odd = b.CreateOr(oddDivisors, b.CreateAnd(all, dividendClear));
  return b.CreateICmpEQ(odd, b.getInt32(0));
}

static ShortWay shortQuotient(const Emit &e, ArrayRef<Value *> a, ArrayRef<Value *> d) {
  llvm::IRBuilderBase &b = e.b;
  ShortWay way;
  Value *dividends = nullptr, *divisors = nullptr, *carries = nullptr;
  llvm::SmallDenseMap<Value *, Value *, 8> reciprocals;
  for (auto [x, y] : llvm::zip_equal(a, d)) {
    Value *&r = reciprocals[y];
    if (!r) {
      r = reciprocal(e, y);
      Value *size = b.CreateSub(e.bitsOf(y), b.getInt32(divisorLeast));
      divisors = together(e, divisors, size);
      carries = together(e, carries, b.CreateXor(size, e.bitsOf(y)));
    }
    dividends = together(e, dividends, b.CreateSub(e.bitsOf(x), b.getInt32(dividendLeast)));
    Value *q = b.CreateFMul(x, r);
    Value *rest = e.fma(b.CreateFNeg(y), q, x);
    way.results.push_back(e.fma(rest, r, q));
  }
  Value *oddDivisors =
      b.CreateOr(b.CreateAnd(divisors, divisorClear), b.CreateAnd(carries, exponentStep));
  Value *odd = b.CreateOr(oddDivisors, b.CreateAnd(dividends, dividendClear));
  way.holds = b.CreateICmpEQ(odd, b.getInt32(0));
  way.second = [&e, a, oddDivisors] { return dividesZeros(e, a, oddDivisors); };
  return way;
}

/// Divisions that LLVM turns into products, or that never have a divisor of ordinary size.
static bool isBetterPlain(Value *d) {
  auto *known = llvm::dyn_cast<llvm::ConstantFP>(d);
  if (!known) {
    return false;
  }
  uint32_t bits = uint32_t(known->getValueAPF().bitcastToAPInt().getZExtValue());
  uint32_t size = bits - divisorLeast;
  return known->getValueAPF().getExactInverse(nullptr) || (size & divisorClear) ||
         ((size ^ bits) & exponentStep);
}

//===- the long way -------------------------------------------------------===//

namespace {
/// A loop over the group's elements in the thread's own memory: rare, so it is to be small.
class LongWay {
public:
  LongWay(llvm::IRBuilderBase &b, std::array<Value *, 2> &memory) : b(b), memory(memory) {
    if (!memory[0]) {
      llvm::Function *function = b.GetInsertBlock()->getParent();
      llvm::IRBuilder<> entry(&function->getEntryBlock(), function->getEntryBlock().begin());
      auto *type = llvm::ArrayType::get(b.getFloatTy(), ScalarLowering::groupSize);
      memory[0] = entry.CreateAlloca(type);
      memory[1] = entry.CreateAlloca(type);
    }
  }

  llvm::Expected<ScalarLowering::Values>
  emit(const Columns &columns, BasicBlock *join,
       llvm::function_ref<llvm::Expected<Value *>(ArrayRef<Value *>)> element) {
    size_t count = columns.front().size();
    for (auto [i, column] : llvm::enumerate(columns)) {
      for (auto [k, value] : llvm::enumerate(column)) {
        b.CreateStore(value, at(i, b.getInt32(k)));
      }
    }
    BasicBlock *before = b.GetInsertBlock();
    llvm::Function *function = before->getParent();
    BasicBlock *body = BasicBlock::Create(b.getContext(), "", function);
    BasicBlock *after = BasicBlock::Create(b.getContext(), "", function);
    b.CreateBr(body);
    b.SetInsertPoint(body);
    llvm::PHINode *index = b.CreatePHI(b.getInt32Ty(), 2);
    llvm::SmallVector<Value *, 2> operands;
    for (size_t i = 0; i < columns.size(); ++i) {
      operands.push_back(b.CreateLoad(b.getFloatTy(), at(i, index)));
    }
    llvm::Expected<Value *> made = element(operands);
    if (!made) {
      return made.takeError();
    }
    b.CreateStore(*made, at(0, index));
    Value *next = b.CreateAdd(index, b.getInt32(1));
    index->addIncoming(b.getInt32(0), before);
    index->addIncoming(next, b.GetInsertBlock());
    keepRolled(b.CreateCondBr(b.CreateICmpULT(next, b.getInt32(count)), body, after));
    b.SetInsertPoint(after);
    ScalarLowering::Values results;
    for (size_t k = 0; k < count; ++k) {
      results.push_back(b.CreateLoad(b.getFloatTy(), at(0, b.getInt32(k))));
    }
    b.CreateBr(join);
    return results;
  }

private:
  Value *at(size_t column, Value *index) {
    return b.CreateInBoundsGEP(b.getFloatTy(), memory[column], index);
  }

  void keepRolled(llvm::Instruction *branch) {
    llvm::LLVMContext &context = b.getContext();
    llvm::Metadata *off =
        llvm::MDNode::get(context, llvm::MDString::get(context, "llvm.loop.unroll.disable"));
    llvm::MDNode *loop = llvm::MDNode::getDistinct(context, {nullptr, off});
    loop->replaceOperandWith(0, loop);
    branch->setMetadata(llvm::LLVMContext::MD_loop, loop);
  }

  llvm::IRBuilderBase &b;
  std::array<Value *, 2> &memory;
};
} // namespace

//===- groups -------------------------------------------------------------===//

bool ScalarLowering::hasShortWay(ScalarOp op, DType type, Accuracy accuracy) const {
  if (type != DType::f32 && type != DType::bf16 && type != DType::f16) {
    return false;
  }
  bool isStrict = math != tile::MathMode::fast && accuracy == Accuracy::strict;
  return op == ScalarOp::Div || (isStrict && middleBound(op));
}

llvm::Expected<ScalarLowering::Values>
ScalarLowering::group(llvm::IRBuilderBase &b, ScalarOp op, DType type, ArrayRef<Values> operands) {
  assert(operands.size() > 1 && operands.size() <= groupSize && "no group");
  Emit e{b};
  Columns columns(info(op).arity);
  for (const Values &element : operands) {
    for (auto [column, operand] : llvm::zip_equal(columns, element)) {
      column.push_back(e.widen(operand, type));
    }
  }
  llvm::Expected<ShortWay> way = op == ScalarOp::Div ? shortQuotient(e, columns[0], columns[1])
                                                     : shortFunction(e, op, columns[0]);
  if (!way) {
    return way.takeError();
  }
  llvm::Function *function = b.GetInsertBlock()->getParent();
  BasicBlock *join = BasicBlock::Create(b.getContext(), "", function);
  llvm::MDNode *likely = llvm::MDBuilder(b.getContext()).createLikelyBranchWeights();
  std::vector<BasicBlock *> nearEnds;
  auto leaveIf = [&](Value *holds) {
    nearEnds.push_back(b.GetInsertBlock());
    BasicBlock *rare = BasicBlock::Create(b.getContext(), "", function);
    b.CreateCondBr(holds, join, rare, likely);
    b.SetInsertPoint(rare);
  };
  leaveIf(way->holds);
  if (way->second) {
    leaveIf(way->second());
  }
  auto element = [&](ArrayRef<Value *> x) { return row(b, op, DType::f32, x); };
  llvm::Expected<Values> far = LongWay(b, longWay[function]).emit(columns, join, element);
  if (!far) {
    return far.takeError();
  }
  BasicBlock *farEnd = b.GetInsertBlock();
  b.SetInsertPoint(join);
  Values results;
  for (auto [shortOne, longOne] : llvm::zip_equal(way->results, *far)) {
    llvm::PHINode *either = b.CreatePHI(b.getFloatTy(), 3);
    for (BasicBlock *end : nearEnds) {
      either->addIncoming(shortOne, end);
    }
    either->addIncoming(longOne, farEnd);
    results.push_back(either);
  }
  for (Value *&result : results) {
    result = e.narrow(result, type);
  }
  return results;
}

llvm::Expected<std::vector<ScalarLowering::Values>>
ScalarLowering::lowerAll(llvm::IRBuilderBase &builder, mlir::Operation *op,
                         ArrayRef<Values> operands) {
  std::vector<Values> results;
  std::optional<ScalarOp> row = scalarOpByMnemonic(op->getName().stripDialect());
  DType type = row ? dtypeOf(op->getOperand(0).getType()) : DType::f32;
  bool inGroups = row && hasShortWay(*row, type, accuracyOf(op)) &&
                  llvm::none_of(operands, [](const Values &element) {
                    return element.size() == 2 && isBetterPlain(element[1]);
                  });
  while (!operands.empty()) {
    size_t count = std::min<size_t>(operands.size(), inGroups ? groupSize : 1);
    auto made = count == 1 ? lower(builder, op, operands.front())
                           : group(builder, *row, type, operands.take_front(count));
    if (!made) {
      return made.takeError();
    }
    if (count == 1) {
      results.push_back(std::move(*made));
    } else {
      for (Value *value : *made) {
        results.push_back(Values{value});
      }
    }
    operands = operands.drop_front(count);
  }
  return results;
}
