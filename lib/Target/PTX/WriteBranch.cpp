// Branches of the PTX writer. What a phi becomes is copied on the edge: where a branch has another way too, the copies stand
// behind it or in a block of the edge's own.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Writer.h"

#include "tessera/Support/Mutants.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/ProfDataUtils.h"

using namespace tessera::ptx;

/// True where a loop's way back says that ptxas shall leave the loop as it is.
static bool isKeptRolled(const llvm::Instruction &branch) {
  const llvm::MDNode *loop = branch.getMetadata(llvm::LLVMContext::MD_loop);
  if (!loop) {
    return false;
  }
  for (const llvm::MDOperand &operand : llvm::drop_begin(loop->operands())) {
    auto *node = llvm::dyn_cast<llvm::MDNode>(operand);
    auto *name = node && node->getNumOperands() != 0
                     ? llvm::dyn_cast<llvm::MDString>(node->getOperand(0))
                     : nullptr;
    if (name && name->getString() == "llvm.loop.unroll.disable") {
      return true;
    }
  }
  return false;
}

/// True where profiles say that the edge is hardly ever taken.
static bool isRare(const llvm::BasicBlock &from, const llvm::BasicBlock &to) {
  auto *branch = llvm::dyn_cast<llvm::BranchInst>(from.getTerminator());
  uint64_t yes = 0, no = 0;
  if (!branch || branch->isUnconditional() || !llvm::extractBranchWeights(*branch, yes, no)) {
    return false;
  }
  uint64_t taken = branch->getSuccessor(0) == &to ? yes : no;
  return taken < (yes + no) / 16;
}

/// Blocks that hardly any thread enters stand behind the others.
void FunctionWriter::arrange() {
  llvm::DenseSet<const llvm::BasicBlock *> rare;
  for (const llvm::BasicBlock *block : llvm::ReversePostOrderTraversal(&function)) {
    bool isEntered =
        block->isEntryBlock() ||
        llvm::any_of(llvm::predecessors(block), [&](const llvm::BasicBlock *from) {
          return numbers.contains(from) && !rare.contains(from) && !isRare(*from, *block);
        });
    if (!isEntered) {
      rare.insert(block);
    }
    numbers[block] = order.size();
    order.push_back(block);
  }
  for (bool isRare : {false, true}) {
    for (const llvm::BasicBlock &block : function) {
      if (numbers.contains(&block) && rare.contains(&block) == isRare) {
        placed.push_back(&block);
      }
    }
  }
  for (size_t i = 1; i < placed.size(); ++i) {
    next[placed[i - 1]] = placed[i];
  }
}

/// The block and all that its branches lead to, on ways that do not meet `without`.
static llvm::DenseSet<const llvm::BasicBlock *> reachedFrom(const llvm::BasicBlock &start,
                                                            const llvm::BasicBlock *without) {
  llvm::DenseSet<const llvm::BasicBlock *> reached;
  llvm::SmallVector<const llvm::BasicBlock *> left{&start};
  while (!left.empty()) {
    const llvm::BasicBlock *block = left.pop_back_val();
    if (block != without && reached.insert(block).second) {
      llvm::append_range(left, llvm::successors(block));
    }
  }
  return reached;
}

namespace {
/// A value that becomes a phi and nothing else, and the blocks at whose end it does.
struct Candidate {
  const llvm::Instruction *value = nullptr;
  llvm::SmallVector<const llvm::BasicBlock *, 2> ends;
};
} // namespace

/// What is behind each block, found when it is first asked for.
class FunctionWriter::Reach {
public:
  bool operator()(const llvm::BasicBlock *from, const llvm::BasicBlock *to) {
    auto [place, isNew] = known.try_emplace(from);
    if (isNew) {
      place->second = reachedFrom(*from, nullptr);
    }
    return place->second.contains(to);
  }

private:
  llvm::DenseMap<const llvm::BasicBlock *, llvm::DenseSet<const llvm::BasicBlock *>> known;
};

/// The value, seen through other types of the same bits.
static Candidate candidateOf(const llvm::Use &incoming, const llvm::PHINode &phi) {
  Candidate found{llvm::dyn_cast<llvm::Instruction>(incoming.get()), {}};
  if (!found.value || llvm::isa<llvm::PHINode>(found.value)) {
    return {};
  }
  for (const llvm::Use &use : found.value->uses()) {
    if (use.getUser() != &phi) {
      return {};
    }
    found.ends.push_back(phi.getIncomingBlock(use));
  }
  while (llvm::isa<llvm::BitCastInst>(found.value)) {
    found.value = llvm::dyn_cast<llvm::Instruction>(found.value->getOperand(0));
    if (!found.value || !found.value->hasOneUse() || llvm::isa<llvm::PHINode>(found.value)) {
      return {};
    }
  }
  return found;
}

static bool isHeldAlike(llvm::Type *a, llvm::Type *b, const llvm::DataLayout &layout) {
  llvm::SmallVector<Bank, 4> first, second;
  return banksOf(a, layout, first) && banksOf(b, layout, second) && first == second;
}

/// What becomes a phi and nothing else is made in the phi's registers: no way leads back to it from where the phi holds, and no
/// other value that is made there is made while it waits.
void FunctionWriter::merge() {
  Reach reach;
  auto isMadeWhileWaiting = [&](const Candidate &other, const Candidate &waiting) {
    const llvm::BasicBlock *at = other.value->getParent();
    return reach(waiting.value->getParent(), at) &&
           llvm::any_of(waiting.ends, [&](const llvm::BasicBlock *end) { return reach(at, end); });
  };
  for (const llvm::BasicBlock *block : order) {
    for (const llvm::PHINode &phi : block->phis()) {
      llvm::SmallVector<Candidate, 2> taken;
      for (const llvm::Use &use : phi.incoming_values()) {
        Candidate one = candidateOf(use, phi);
        bool fits =
            one.value && isHeldAlike(one.value->getType(), phi.getType(), layout) &&
            !reach(block, one.value->getParent()) &&
            llvm::none_of(one.ends, [&](auto *end) { return reach(block, end); }) &&
            llvm::none_of(taken, [&](const Candidate &other) {
              return TESSERA_MUTANT(590, "values that wait are overwritten",
                                    other.value != one.value && (isMadeWhileWaiting(other, one) ||
                                                                 isMadeWhileWaiting(one, other)),
                                    false);
            });
        if (fits) {
          merged[one.value] = &phi;
          taken.push_back(std::move(one));
        }
      }
    }
  }
}

void FunctionWriter::label(const llvm::BasicBlock &block) {
  if (!block.isEntryBlock()) {
    os << "$L__BB0_" << numbers.lookup(&block) << ":\n";
  }
  for (const llvm::BasicBlock *from : llvm::predecessors(&block)) {
    bool isBack = numbers.contains(from) && numbers.lookup(from) >= numbers.lookup(&block);
    if (isBack && isKeptRolled(*from->getTerminator())) {
      os << "\t.pragma \"nounroll\";\n";
      return;
    }
  }
}

/// The jump, where the block is not the next one anyway.
void FunctionWriter::goTo(const llvm::BasicBlock &from, const llvm::BasicBlock &to) {
  if (next.lookup(&from) != &to) {
    os << "\tbra.uni \t$L__BB0_" << numbers.lookup(&to) << ";\n";
  }
}

bool FunctionWriter::hasCopies(const llvm::BasicBlock &from, const llvm::BasicBlock &to) const {
  return llvm::any_of(to.phis(), [&](const llvm::PHINode &phi) {
    const llvm::Value *value = phi.getIncomingValueForBlock(&from);
    return value != &phi && !llvm::isa<llvm::UndefValue>(value);
  });
}

/// All phis change at once: a register is written when nobody reads what it had; what is left are cycles, which a further
/// register opens.
void FunctionWriter::copies(const llvm::BasicBlock &from, const llvm::BasicBlock &to) {
  llvm::SmallVector<std::pair<Word, Word>> left;
  for (const llvm::PHINode &phi : to.phis()) {
    const llvm::Value *value = phi.getIncomingValueForBlock(&from);
    if (llvm::isa<llvm::UndefValue>(value)) {
      continue;
    }
    llvm::SmallVector<Word, 4> sources = words(value), places = words(&phi);
    if (!reason.empty()) {
      return;
    }
    for (auto [place, source] : llvm::zip_equal(places, sources)) {
      if (!(place == source)) {
        left.emplace_back(place, source);
      }
    }
  }
  auto copy = [&](const Word &place, const Word &source) {
    put(place.bank == Bank::Pred ? "mov.pred" : "mov." + typed('b', bitsOf(place.bank)), place,
        source);
  };
  llvm::DenseMap<std::pair<unsigned, uint64_t>, unsigned> readers;
  auto key = [](const Word &word) { return std::pair(unsigned(word.bank), word.number); };
  for (auto &[place, source] : left) {
    readers[key(source)] += source.isRegister();
  }
  llvm::SmallVector<std::pair<Word, Word>> later;
  while (!left.empty()) {
    for (auto &[place, source] : left) {
      bool isRead =
          readers.lookup(key(place)) != 0 &&
          !TESSERA_MUTANT(583, "values of a step are copied one after another", false, true);
      if (isRead) {
        later.emplace_back(place, source);
        continue;
      }
      copy(place, source);
      readers[key(source)] -= source.isRegister();
    }
    if (later.size() == left.size()) {
      Word kept = registers.fresh(later.front().second.bank), source = later.front().second;
      copy(kept, source);
      for (auto &each : later) {
        if (each.second == source) {
          each.second = kept;
        }
      }
      readers[key(kept)] = std::exchange(readers[key(source)], 0);
    }
    left = std::exchange(later, {});
  }
}

/// True where the other way never reads what the copies overwrite: then they may stand in front of the branch, as the way back
/// of a loop wants it, which has one jump less so.
bool FunctionWriter::mayCopyBefore(const llvm::BranchInst &branch, const llvm::BasicBlock &to,
                                   const llvm::BasicBlock &other) const {
  llvm::DenseSet<const llvm::BasicBlock *> reached = reachedFrom(other, &to);
  // A value that was made in the phi's registers may wait there for another way to it.
  auto isWaiting = [&](const llvm::PHINode &phi) {
    return llvm::any_of(llvm::zip_equal(phi.blocks(), phi.incoming_values()), [&](auto edge) {
      const llvm::Value *value = std::get<1>(edge);
      return reached.contains(std::get<0>(edge)) && registers.isKnown(value) &&
             registers.of(value) == registers.of(&phi);
    });
  };
  return llvm::all_of(to.phis(), [&](const llvm::PHINode &phi) {
    return branch.getCondition() != &phi && !isWaiting(phi) &&
           llvm::all_of(phi.uses(), [&](const llvm::Use &use) {
             auto *user = llvm::cast<llvm::Instruction>(use.getUser());
             auto *next = llvm::dyn_cast<llvm::PHINode>(user);
             return !reached.contains(next ? next->getIncomingBlock(use) : user->getParent());
           });
  });
}

void FunctionWriter::jump(const llvm::BasicBlock &from, const llvm::BasicBlock &to) {
  copies(from, to);
  goTo(from, to);
}

void FunctionWriter::branch(const llvm::BranchInst &op) {
  const llvm::BasicBlock &from = *op.getParent(), *yes = op.getSuccessor(0);
  if (op.isUnconditional() || op.getSuccessor(1) == yes) {
    jump(from, *yes);
    return;
  }
  const llvm::BasicBlock *no = op.getSuccessor(1);
  Word condition = held(op.getCondition());
  bool yesCopies = hasCopies(from, *yes), noCopies = hasCopies(from, *no);
  if (yesCopies && noCopies) {
    unsigned edge = edges++;
    os << "\t@" << condition << " bra \t$L__edge0_" << edge << ";\n";
    copies(from, *no);
    os << "\tbra.uni \t$L__BB0_" << numbers.lookup(no) << ";\n$L__edge0_" << edge << ":\n";
    jump(from, *yes);
    return;
  }
  if (yesCopies != noCopies) {
    const llvm::BasicBlock &to = yesCopies ? *yes : *no, &other = yesCopies ? *no : *yes;
    if (mayCopyBefore(op, to, other)) {
      copies(from, to);
      yesCopies = noCopies = false;
    }
  }
  // The way without copies is the branch's; without any, the one that is not next.
  bool turned = yesCopies || (!noCopies && next.lookup(&from) == yes);
  os << "\t@" << (turned ? "!" : "") << condition << " bra \t$L__BB0_"
     << numbers.lookup(turned ? no : yes) << ";\n";
  if (yesCopies || noCopies) {
    copies(from, turned ? *yes : *no);
  }
  goTo(from, turned ? *yes : *no);
}

void FunctionWriter::choose(const llvm::SwitchInst &op) {
  const llvm::BasicBlock &from = *op.getParent();
  Word value = held(op.getCondition());
  if (value.bank == Bank::Pred) {
    fail(op, "a switch over one bit");
    return;
  }
  for (auto &each : op.cases()) {
    const llvm::BasicBlock &to = *each.getCaseSuccessor();
    Word one = registers.fresh(Bank::Pred);
    put("setp.ne." + typed('b', bitsOf(value.bank)), one, value, word(each.getCaseValue()));
    unsigned edge = edges++;
    os << "\t@" << one << " bra \t$L__edge0_" << edge << ";\n";
    copies(from, to);
    os << "\tbra.uni \t$L__BB0_" << numbers.lookup(&to) << ";\n$L__edge0_" << edge << ":\n";
  }
  jump(from, *op.getDefaultDest());
}
