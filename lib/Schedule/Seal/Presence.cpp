//===- Presence.cpp - which spans make elements absent --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Presence.h. The cases follow the absence sentences of the ops' descriptions.
//
//===----------------------------------------------------------------------===//

#include "Presence.h"

#include "IndexModel.h"

#include "tessera/Dialect/Tile/DTypes.h"
#include "tessera/Support/Mutants.h"

#include "llvm/ADT/TypeSwitch.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tessera::tile;

namespace tessera::sealing {
namespace {

void join(Presence &all, const Presence &more) {
  for (const PresenceFactor &factor : more) {
    if (!llvm::is_contained(all, factor)) {
      all.push_back(factor);
    }
  }
}

/// Axis i becomes `to[i]`. A factor over an axis that is at -1 goes where `removes`: the axis was reduced. Where an axis of
/// one element went, it decides about everything.
Presence renumber(const Presence &factors, ArrayRef<int64_t> to, bool removes) {
  Presence result;
  for (PresenceFactor factor : factors) {
    bool isLost = factor.axis >= 0 && to[factor.axis] < 0;
    uint64_t axes = 0;
    for (auto [from, target] : llvm::enumerate(to)) {
      if (factor.axes >> from & 1) {
        isLost |= target < 0;
        axes |= target < 0 ? 0 : uint64_t(1) << target;
      }
    }
    if (isLost && TESSERA_MUTANT(160, "a map takes lost factors away", removes, true)) {
      continue;
    }
    factor.axis = factor.axis < 0 ? -1 : to[factor.axis];
    factor.axes = axes;
    join(result, {isLost ? PresenceFactor() : factor});
  }
  return result;
}

Presence merged(const Presence &factors) {
  return factors.empty() ? Presence() : Presence{PresenceFactor()};
}

/// Factors of a reduction's result: those over the axis are gone, later ones move up.
Presence reduced(const Presence &factors, int64_t axis, int64_t rank) {
  SmallVector<int64_t> to;
  for (int64_t i = 0; i < rank; ++i) {
    to.push_back(i == axis ? -1 : i - (i > axis));
  }
  return renumber(factors, to, /*removes=*/true);
}

int64_t rankOf(Value value) {
  auto tile = dyn_cast<RankedTensorType>(value.getType());
  return tile ? tile.getRank() : 0;
}

/// Values that a terminator hands to a result or a block argument.
void feeds(Operation *op, function_ref<void(Value from, Value to)> feed) {
  if (isa<SectionOp, ApplyOp>(op)) {
    for (auto [from, to] :
         llvm::zip(op->getRegion(0).front().getTerminator()->getOperands(), op->getResults())) {
      feed(from, to);
    }
  } else if (auto loop = dyn_cast<ForOp>(op)) {
    ValueRange yields = loop.getBody().front().getTerminator()->getOperands();
    for (auto [init, yield, carried, result] :
         llvm::zip(loop.getInits(), yields, loop.getCarried(), loop.getResults())) {
      feed(init, carried);
      feed(yield, carried);
      feed(init, result);
      feed(yield, result);
    }
  } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
    for (Region &region : branch->getRegions()) {
      if (!region.empty()) {
        for (auto [from, to] :
             llvm::zip(region.front().getTerminator()->getOperands(), op->getResults())) {
          feed(from, to);
        }
      }
    }
  } else if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    ValueRange handed = loop.getConditionOp().getArgs();
    for (auto [init, yield, before] :
         llvm::zip(loop.getInits(), loop.getYieldOp().getOperands(), loop.getBeforeArguments())) {
      feed(init, before);
      feed(yield, before);
    }
    for (auto [from, after, result] :
         llvm::zip(handed, loop.getAfterArguments(), loop.getResults())) {
      feed(from, after);
      feed(from, result);
    }
  }
}

} // namespace

PresenceAnalysis::PresenceAnalysis(Operation *root, std::function<bool(Value span)> isWhole)
    : isWhole(std::move(isWhole)) {
  std::vector<Operation *> ops;
  root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    stale.insert(op);
    ops.push_back(op);
  });
  // Round by round in the order of the program; an op of which no operand changed since it was visited gives nothing new.
  for (bool isVisited = true; isVisited;) {
    isVisited = false;
    for (Operation *op : ops) {
      if (stale.erase(op)) {
        visit(op);
        isVisited = true;
      }
    }
  }
}

void PresenceAnalysis::add(Value value, const Presence &factors) {
  if (factors.empty()) {
    return;
  }
  Presence &there = known[value];
  Presence before = there;
  join(there, factors);
  if (there == before) {
    return;
  }
  for (Operation *user : value.getUsers()) {
    // What a terminator hands on, the op around it feeds.
    stale.insert(user);
    stale.insert(user->hasTrait<OpTrait::IsTerminator>() ? user->getParentOp() : user);
  }
}

Presence PresenceAnalysis::of(Value tile) const {
  auto found = known.find(tile);
  return found == known.end() ? Presence() : found->second;
}

Presence PresenceAnalysis::ofSpan(int64_t axis, Value span) const {
  return isWhole && isWhole(span) ? Presence() : Presence{{axis, span}};
}

Presence PresenceAnalysis::ofBox(ValueRange indices, ArrayRef<bool> whole) const {
  Presence result;
  int64_t axis = 0;
  unsigned next = 0;
  for (bool isWhole : whole) {
    if (isWhole) {
      ++axis;
      continue;
    }
    Value index = indices[next++];
    if (isa<SpanType>(index.getType())) {
      join(result, ofSpan(axis++, index));
    } else if (int64_t rank = rankOf(index)) {
      join(result, merged(of(index)));
      axis += rank;
    }
  }
  return result;
}

void PresenceAnalysis::visit(Operation *op) {
  bool feedsValues = isa<SectionOp, ApplyOp, ForOp, scf::IfOp, scf::WhileOp>(op);
  if (feedsValues) {
    feeds(op, [&](Value from, Value to) { add(to, of(from)); });
    return;
  }
  if (!llvm::any_of(op->getResults(), [](Value value) { return rankOf(value) > 0; })) {
    return;
  }
  Presence factors = transfer(op);
  for (Value result : op->getResults()) {
    if (rankOf(result) > 0) {
      add(result, factors);
    }
  }
}

Presence PresenceAnalysis::ofOperands(Operation *op) const {
  Presence result;
  for (Value operand : op->getOperands()) {
    join(result, of(operand));
  }
  return result;
}

Presence PresenceAnalysis::ofMma(Operation *op) const {
  auto mma = cast<MmaOp>(op);
  Presence result = of(mma.getAcc());
  // a is m x k, b is k x n: what is absent along k is left out of the sum, or counts as zero.
  auto add = [&](Value operand, int64_t k) {
    for (const PresenceFactor &factor : of(operand)) {
      bool isUnknown = factor.axis < 0 && factor.axes == 0;
      if (isUnknown || !factor.isAlong(k)) {
        join(result, {factor});
      }
    }
  };
  add(mma.getA(), 1);
  add(mma.getB(), 0);
  return result;
}

/// Ops that move elements.
Presence PresenceAnalysis::transferShape(Operation *op) const {
  Presence factors = of(op->getOperand(0));
  SmallVector<int64_t> to;
  if (auto cast = dyn_cast<BroadcastOp>(op)) {
    for (auto [i, from, extent] :
         llvm::enumerate(cast.getX().getType().getShape(), cast.getResult().getType().getShape())) {
      to.push_back(from == extent ? static_cast<int64_t>(i) : -1);
    }
  } else if (auto expand = dyn_cast<ExpandOp>(op)) {
    for (int64_t i = 0; i < expand.getResult().getType().getRank(); ++i) {
      if (!llvm::is_contained(expand.getAxes(), i)) {
        to.push_back(i);
      }
    }
  } else if (auto squeeze = dyn_cast<SqueezeOp>(op)) {
    int64_t next = 0;
    for (int64_t i = 0; i < rankOf(squeeze.getX()); ++i) {
      to.push_back(llvm::is_contained(squeeze.getAxes(), i) ? -1 : next++);
    }
  } else if (auto permute = dyn_cast<PermuteOp>(op)) {
    to.resize(permute.getPermutation().size());
    for (auto [i, from] : llvm::enumerate(permute.getPermutation())) {
      to[from] = i;
    }
  } else if (auto slice = dyn_cast<SliceOp>(op)) {
    for (PresenceFactor &factor : factors) {
      factor.offset += factor.axis >= 0 ? slice.getOffsets()[factor.axis] : 0;
    }
    return factors;
  }
  return renumber(factors, to, /*removes=*/false);
}

Presence PresenceAnalysis::transfer(Operation *op) const {
  return llvm::TypeSwitch<Operation *, Presence>(op)
      .Case([&](LoadOp load) { return ofBox(load.getIndices(), load.getWhole()); })
      .Case([&](ReadOp read) { return ofBox(read.getSpans(), read.getWhole()); })
      .Case<ConstantOp, IotaOp, PresentOp, HistogramOp>([](auto) { return Presence(); })
      .Case([&](SplatOp splat) {
        bool isThere = isNeverAbsent(splat.getX()) || isa<BlockArgument>(splat.getX());
        return isThere ? Presence() : Presence{PresenceFactor()};
      })
      .Case([&](SpanIndexOp index) { return ofSpan(0, index.getSpan()); })
      .Case([&](MmaOp mma) { return ofMma(mma); })
      .Case([&](FillAbsentOp fill) { return merged(of(fill.getFill())); })
      .Case([&](KeepIfOp keep) {
        PresenceFactor condition;
        for (int64_t axis : keep.getAxes()) {
          condition.axes |= uint64_t(1) << axis;
        }
        Presence factors = ofOperands(keep);
        join(factors, {condition});
        return factors;
      })
      .Case<BroadcastOp, ExpandOp, SqueezeOp, PermuteOp, SliceOp>(
          [&](Operation *shape) { return transferShape(shape); })
      .Case<ArgMaxOp, ArgMinOp, ReduceOp, ReduceWithOp>([&](auto reduce) {
        return reduced(of(reduce.getX()), reduce.getAxis(), rankOf(reduce.getX()));
      })
      .Case<ScanOp, ScanWithOp>([&](auto scan) { return of(scan.getX()); })
      .Default([&](Operation *other) {
        if (other->hasTrait<ElementwiseRow>() ||
            isa<BitsOp, CastOp, CmpOp, FromBitsOp, SelectOp>(other)) {
          return ofOperands(other);
        }
        bool keeps =
            other->getNumRegions() == 0 && isMemoryEffectFree(other) && !isa<AbsentOp>(other);
        return keeps ? merged(ofOperands(other)) : Presence{PresenceFactor()};
      });
}

} // namespace tessera::sealing
