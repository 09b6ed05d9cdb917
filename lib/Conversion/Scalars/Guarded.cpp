// Results of a short way where its conditions hold, else those of a loop over the elements in the thread's own memory: rare, so
// it is to be small.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tessera/Conversion/ShortWays.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/MDBuilder.h"

using namespace tessera;
using namespace tessera::convert;
using llvm::ArrayRef;
using llvm::BasicBlock;
using llvm::Value;
using Values = ScalarLowering::Values;

namespace {
/// Loops over elements; a column of them is an array of words.
class LongWay {
public:
  LongWay(llvm::IRBuilderBase &b, llvm::MutableArrayRef<Value *> memory, const Guarded &both)
      : b(b), memory(memory), columns(both.columns), madeAgain(both.madeAgain),
        count(both.shortOnes.front().size()) {
    for (auto [i, column] : llvm::enumerate(columns)) {
      if (isMadeAgain(i)) {
        continue;
      }
      for (auto [k, value] : llvm::enumerate(column)) {
        b.CreateStore(value, at(i, b.getInt32(k)));
      }
    }
  }

  /// i1: the elements all hold.
  Value *all(decltype(Guarded::again) holds) {
    llvm::PHINode *before = nullptr;
    Value *now = nullptr;
    llvm::cantFail(loop(
        [&](BasicBlock *entry) {
          before = b.CreatePHI(b.getInt1Ty(), 2);
          before->addIncoming(b.getTrue(), entry);
        },
        [&](Value *index) {
          now = b.CreateAnd(before, holds(elementAt(index)));
          before->addIncoming(now, b.GetInsertBlock());
          return llvm::Error::success();
        }));
    return now;
  }

  /// Results take the places of operands, and are read again behind the loop.
  llvm::Expected<std::vector<Values>> results(decltype(Guarded::element) element) {
    Values one;
    auto body = [&](Value *index) -> llvm::Error {
      llvm::Expected<Values> made = element(elementAt(index));
      if (!made) {
        return made.takeError();
      }
      one = *made;
      for (auto [i, value] : llvm::enumerate(one)) {
        b.CreateStore(value, at(i, index));
      }
      return llvm::Error::success();
    };
    if (llvm::Error error = loop([](BasicBlock *) {}, body)) {
      return error;
    }
    std::vector<Values> all(one.size());
    for (auto [i, value] : llvm::enumerate(one)) {
      for (size_t k = 0; k < count; ++k) {
        all[i].push_back(b.CreateLoad(value->getType(), at(i, b.getInt32(k))));
      }
    }
    return all;
  }

private:
  llvm::Error loop(llvm::function_ref<void(BasicBlock *)> begin,
                   llvm::function_ref<llvm::Error(Value *)> body) {
    BasicBlock *before = b.GetInsertBlock();
    llvm::Function *function = before->getParent();
    BasicBlock *step = BasicBlock::Create(b.getContext(), "", function);
    BasicBlock *after = BasicBlock::Create(b.getContext(), "", function);
    b.CreateBr(step);
    b.SetInsertPoint(step);
    llvm::PHINode *index = b.CreatePHI(b.getInt32Ty(), 2);
    begin(before);
    if (llvm::Error error = body(index)) {
      return error;
    }
    Value *next = b.CreateAdd(index, b.getInt32(1));
    index->addIncoming(b.getInt32(0), before);
    index->addIncoming(next, b.GetInsertBlock());
    keepRolled(b.CreateCondBr(b.CreateICmpULT(next, b.getInt32(count)), step, after));
    b.SetInsertPoint(after);
    return llvm::Error::success();
  }

  Values elementAt(Value *index) {
    Values operands;
    for (auto [i, column] : llvm::enumerate(columns)) {
      operands.push_back(isMadeAgain(i) ? madeAgain[i](index)
                                        : b.CreateLoad(column.front()->getType(), at(i, index)));
    }
    return operands;
  }

  bool isMadeAgain(size_t column) const { return !madeAgain.empty() && madeAgain[column]; }

  Value *at(size_t column, Value *index) {
    if (!memory[column]) {
      size_t most = std::max<size_t>(count, ScalarLowering::groupSize);
      auto *type = llvm::ArrayType::get(b.getInt32Ty(), most);
      BasicBlock &first = b.GetInsertBlock()->getParent()->getEntryBlock();
      memory[column] = llvm::IRBuilder<>(&first, first.begin()).CreateAlloca(type);
    }
    return b.CreateInBoundsGEP(b.getInt32Ty(), memory[column], index);
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
  llvm::MutableArrayRef<Value *> memory;
  ArrayRef<Values> columns;
  ArrayRef<std::function<Value *(Value *)>> madeAgain;
  size_t count;
};
} // namespace

static Value *allOf(llvm::IRBuilderBase &b, ArrayRef<Value *> bits) {
  Value *all = bits.front();
  for (Value *bit : bits.drop_front()) {
    all = b.CreateAnd(all, bit);
  }
  return all;
}

llvm::Expected<std::vector<Values>> convert::guarded(llvm::IRBuilderBase &b, Guarded both,
                                                     llvm::MutableArrayRef<Value *> memory) {
  if (both.conditions.empty()) {
    return both.shortOnes;
  }
  assert(both.shortOnes.front().size() <= guardedMost &&
         "more elements than the long way has room for");
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
  Values all, closer;
  for (const Condition &condition : both.conditions) {
    all.push_back(condition.holds);
  }
  leaveIf(allOf(b, all));
  if (llvm::any_of(both.conditions, [](const Condition &c) { return bool(c.second); })) {
    for (const Condition &condition : both.conditions) {
      closer.push_back(condition.second ? condition.second() : condition.holds);
    }
    if (!both.again) {
      leaveIf(allOf(b, closer));
    }
  }
  LongWay way(b, memory, both);
  if (both.again) {
    closer.push_back(way.all(both.again));
    leaveIf(allOf(b, closer));
  }
  auto far = way.results(both.element);
  if (!far) {
    return far.takeError();
  }
  BasicBlock *farEnd = b.GetInsertBlock();
  b.CreateBr(join);
  b.SetInsertPoint(join);
  for (auto [near, other] : llvm::zip_equal(both.shortOnes, *far)) {
    for (auto [shortOne, longOne] : llvm::zip_equal(near, other)) {
      llvm::PHINode *either = b.CreatePHI(shortOne->getType(), 3);
      for (BasicBlock *end : nearEnds) {
        either->addIncoming(shortOne, end);
      }
      either->addIncoming(longOne, farEnd);
      shortOne = either;
    }
  }
  return both.shortOnes;
}
