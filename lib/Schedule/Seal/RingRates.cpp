//===- RingRates.cpp - turns of rings, and how often they come ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A turn is what stands between `acquire` and `commit`, or between `await` and `release`. Fills and uses of a ring run at
// one rate if their loops have equal steps.
//
//===----------------------------------------------------------------------===//

#include "Rings.h"

#include "tessera/Solver/Space.h"
#include "tessera/Support/Mutants.h"

#include "llvm/ADT/MapVector.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tessera::tile;

namespace tessera::sealing {

//===- turns and rates ----------------------------------------------------===//

Operation *endOf(Operation *begin) {
  Value ring = begin->getOperand(0);
  for (Operation *op = begin->getNextNode(); op; op = op->getNextNode()) {
    bool isEnd = isa<AcquireOp>(begin) ? isa<CommitOp>(op) : isa<ReleaseOp>(op);
    if (isEnd && op->getOperand(0) == ring) {
      return op;
    }
  }
  return nullptr;
}

RingTurns turnsOf(RingOp ring) {
  RingTurns turns;
  turns.ring = ring;
  auto kernel = ring->getParentOfType<KernelOp>();
  kernel.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (!isa<AcquireOp, AwaitOp>(op) || op->getOperand(0) != ring.getResult()) {
      return;
    }
    if (Operation *end = endOf(op)) {
      (isa<AcquireOp>(op) ? turns.fills : turns.uses).push_back({op, end});
    }
  });
  turns.isPaired = !turns.fills.empty() && turns.fills.size() == turns.uses.size();
  return turns;
}

int64_t lagOf(Operation *op) {
  SectionOp section = sectionOf(op);
  return section ? section.getLag() : 0;
}

SmallVector<RingTurns> partsOf(const RingTurns &turns) {
  llvm::MapVector<Operation *, RingTurns> parts;
  bool mayMeet = turns.fills.empty() || turns.uses.empty();
  for (auto side : {&RingTurns::fills, &RingTurns::uses}) {
    for (const Turn &turn : turns.*side) {
      auto loop = turn.begin->getParentOfType<LoopLikeOpInterface>();
      (parts[loop].*side).push_back(turn);
      mayMeet |= lagOf(turn.end) != 0 || !roleOf(turn.begin).empty();
    }
  }
  SmallVector<RingTurns> result;
  for (auto &entry : parts) {
    Operation *loop = entry.first;
    RingTurns &part = entry.second;
    part.ring = turns.ring;
    part.isPaired = !part.fills.empty() && part.fills.size() == part.uses.size();
    bool isNested = llvm::any_of(parts, [&](auto &other) {
      return loop && other.first && loop->isProperAncestor(other.first);
    });
    if (mayMeet || !part.isPaired || isNested || !isa_and_nonnull<ForOp>(loop)) {
      return {turns};
    }
    result.push_back(part);
  }
  return result;
}

namespace {
/// Loops and branches around an op, below `top`, outermost first.
SmallVector<Operation *> around(Operation *op, Operation *top) {
  SmallVector<Operation *> result;
  for (Operation *at = op->getParentOp(); at && at != top; at = at->getParentOp()) {
    if (isa<ForOp, TasksOp, scf::WhileOp, scf::IfOp, ParOp>(at)) {
      result.push_back(at);
    }
  }
  std::reverse(result.begin(), result.end());
  return result;
}

/// The op around all turns of one side that differs from what is around the other side; nothing if they differ among
/// themselves.
std::optional<SmallVector<Operation *>> commonAround(ArrayRef<Turn> turns, Operation *top) {
  SmallVector<Operation *> first = around(turns.front().begin, top);
  for (const Turn &turn : turns) {
    if (around(turn.begin, top) != first) {
      return std::nullopt;
    }
  }
  return first;
}
} // namespace

/// The innermost loop around all turns.
static Operation *loopAroundAll(const RingTurns &turns) {
  Operation *top = turns.fills.front().begin->getParentOp();
  auto holdsAll = [&](Operation *op) {
    auto holds = [&](const Turn &turn) { return op->isProperAncestor(turn.begin); };
    return llvm::all_of(turns.fills, holds) && llvm::all_of(turns.uses, holds);
  };
  while (!isa<KernelOp>(top) &&
         !(isa<ForOp, TasksOp, GridOp, ParOp, scf::WhileOp, scf::IfOp>(top) && holdsAll(top))) {
    top = top->getParentOp();
  }
  return top;
}

Rates ratesOf(Sealer &sealer, const RingTurns &turns) {
  Rates rates;
  rates.outer = loopAroundAll(turns);
  auto fills = commonAround(turns.fills, rates.outer), uses = commonAround(turns.uses, rates.outer);
  auto count = [](size_t n, StringRef what) {
    return std::to_string(n) + " " + what.str() + (n == 1 ? "" : "s");
  };
  if (!fills || !uses || fills->size() > 1 || uses->size() > 1) {
    rates.reason = "they stand in different loops and branches, which cannot be compared";
    return rates;
  }
  for (ArrayRef<Operation *> side : {ArrayRef<Operation *>(*fills), ArrayRef<Operation *>(*uses)}) {
    for (Operation *op : side) {
      if (!isa<ForOp>(op)) {
        rates.reason = "one of them stands in `" + op->getName().getStringRef().str() +
                       "`, which does not run as often as the other";
        return rates;
      }
    }
  }
  if (turns.fills.size() != turns.uses.size()) {
    rates.reason = count(turns.fills.size(), "fill") + " and " + count(turns.uses.size(), "use") +
                   " in a step";
    rates.witness = "the first step";
    return rates;
  }
  if (fills->size() != uses->size()) {
    rates.reason = "only one of them stands in a loop of its own";
    return rates;
  }
  rates.areEqual = true;
  if (fills->empty()) {
    return rates;
  }
  rates.fillLoop = fills->front();
  rates.useLoop = uses->front();
  auto mine = cast<ForOp>(rates.fillLoop), theirs = cast<ForOp>(rates.useLoop);
  solver::SpaceBuilder space(sealer.model.context());
  auto stride = [](ForOp loop) { return std::max<int64_t>(loop.getWidth(), 1); };
  IndexModel &model = sealer.model;
  solver::Obligation equal = space.equalTrips(
      "fills and uses have equal steps", model.number(mine.getLo()), model.number(mine.getHi()),
      stride(mine), model.number(theirs.getLo()), model.number(theirs.getHi()), stride(theirs));
  std::vector<Fact> facts = model.factsAt(mine);
  llvm::append_range(facts, equal.facts);
  solver::Verdict verdict = sealer.ask(equal.title, facts, equal.goal);
  if (!TESSERA_MUTANT(128, "loops of fills and uses may differ", verdict.proved(), true)) {
    rates.areEqual = false;
    rates.reason = "their loops have different numbers of steps";
    rates.witness = verdict.refuted() ? verdict.witness.str() : "";
  }
  return rates;
}

} // namespace tessera::sealing
