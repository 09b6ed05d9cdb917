// Why elements of a tile are absent. The cases are the absence sentences of the op descriptions, with the spans kept.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Presence.h"

#include "tessera/Dialect/Tile/Structure.h"

#include "llvm/ADT/TypeSwitch.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace tessera;
using namespace tessera::schedule;
using llvm::SmallVector;

static size_t rankOf(mlir::Value value) { return tile::shapeOf(value.getType()).size(); }
static uint64_t bit(unsigned axis) { return uint64_t(1) << axis; }
static uint64_t allAxes(mlir::Value value) {
  size_t rank = rankOf(value);
  return rank >= 64 ? ~uint64_t(0) : bit(rank) - 1;
}

void Presence::add(const PresenceFactor &factor) {
  if (!llvm::is_contained(factors, factor)) {
    factors.push_back(factor);
  }
}

void Presence::add(const Presence &other) {
  for (const PresenceFactor &factor : other.factors) {
    add(factor);
  }
  if (!other.isExact) {
    isExact = false;
    inexactAt = inexactAt ? inexactAt : other.inexactAt;
  }
}

static bool isSame(const Presence &a, const Presence &b) {
  return a.factors.size() == b.factors.size() &&
         llvm::all_of(a.factors, [&](const PresenceFactor &factor) {
           return llvm::is_contained(b.factors, factor);
         });
}

Presence PresenceTrace::joined(const Presence &a, const Presence &b, mlir::Operation *at) {
  Presence result = a;
  result.add(b);
  if (!isSame(a, b)) {
    result.isExact = false;
    result.inexactAt = at;
  }
  return result;
}

//===-- Values -----------------------------------------------------------------------------------------------------===//

Presence PresenceTrace::of(mlir::Value value) {
  auto taken = assumed.find(value);
  if (taken != assumed.end()) {
    return taken->second;
  }
  auto found = known.find(value);
  if (found != known.end()) {
    return found->second;
  }
  Presence result;
  if (auto argument = llvm::dyn_cast<mlir::BlockArgument>(value)) {
    auto loop = llvm::dyn_cast_or_null<tile::ForOp>(argument.getOwner()->getParentOp());
    bool isCarried = loop && argument.getArgNumber() > 0;
    bool isStep = llvm::isa_and_nonnull<tile::KernelOp, tile::GridOp, tile::TasksOp, tile::ForOp,
                                        tile::ParOp>(argument.getOwner()->getParentOp());
    if (isCarried) {
      result = ofCarried(loop, argument.getArgNumber() - 1);
    } else if (!isStep) {
      result.add({allAxes(value), {}, argument.getOwner()->getParentOp()});
      result.isExact = false;
    }
  } else {
    auto made = llvm::cast<mlir::OpResult>(value);
    result = ofOp(made.getOwner(), made.getResultNumber());
  }
  known[value] = result;
  return result;
}

/// Operands have what they have, the result all of it.
Presence PresenceTrace::ofUnion(mlir::Operation *op) {
  Presence result;
  for (mlir::Value operand : op->getOperands()) {
    result.add(of(operand));
  }
  return result;
}

/// Present everywhere if the operands are; else nobody knows.
Presence PresenceTrace::blurred(mlir::Operation *op) {
  Presence any = ofUnion(op), result;
  if (!any.factors.empty() && op->getNumResults() > 0) {
    result.add({allAxes(op->getResult(0)), {}, op});
    result.isExact = false;
    result.inexactAt = op;
  }
  return result;
}

Presence PresenceTrace::renumbered(mlir::Operation *op, mlir::Value x, llvm::ArrayRef<int64_t> to) {
  Presence source = of(x), result;
  result.isExact = source.isExact;
  result.inexactAt = source.inexactAt;
  for (PresenceFactor factor : source.factors) {
    uint64_t axes = 0;
    bool isLost = false;
    for (auto [from, target] : llvm::enumerate(to)) {
      if (factor.axes & bit(from)) {
        axes |= target >= 0 ? bit(target) : 0;
        isLost |= target < 0;
      }
    }
    // A span over an axis that is gone decides about everything.
    result.add({axes, isLost ? mlir::Value() : factor.span, isLost ? op : factor.from});
  }
  return result;
}

Presence PresenceTrace::reduced(mlir::Operation *op, mlir::Value x, unsigned axis,
                                bool removesAxis) {
  Presence source = of(x), result;
  result.isExact = source.isExact;
  result.inexactAt = source.inexactAt;
  for (PresenceFactor factor : source.factors) {
    if (factor.axes & bit(axis)) {
      continue;
    }
    uint64_t low = factor.axes & (bit(axis) - 1);
    uint64_t high = factor.axes & ~(bit(axis) | (bit(axis) - 1));
    factor.axes = removesAxis ? low | high >> 1 : factor.axes;
    result.add(factor);
  }
  return result;
}

Presence PresenceTrace::ofMma(tile::MmaOp op) {
  Presence result = of(op.getAcc());
  // Factors over k say which products exist, or are zeros; what is left names rows or columns.
  auto addSide = [&](mlir::Value side, unsigned k) {
    Presence source = of(side);
    for (const PresenceFactor &factor : source.factors) {
      if (!(factor.axes & bit(k))) {
        result.add(factor);
        result.isExact &= source.isExact;
      }
    }
    result.inexactAt = result.inexactAt ? result.inexactAt : source.inexactAt;
  };
  addSide(op.getA(), 1);
  addSide(op.getB(), 0);
  return result;
}

/// A span brings a factor over its axis of the box, an integer tile the factors of its own.
Presence PresenceTrace::ofBox(mlir::Operation *op, mlir::ValueRange indices,
                              llvm::ArrayRef<bool> whole) {
  Presence result;
  unsigned axis = 0, next = 0;
  for (bool isWhole : whole) {
    if (isWhole) {
      ++axis;
      continue;
    }
    mlir::Value index = indices[next++];
    if (llvm::isa<tile::SpanType>(index.getType())) {
      result.add({bit(axis++), index, op});
      continue;
    }
    Presence inner = of(index);
    for (const PresenceFactor &factor : inner.factors) {
      result.add({factor.axes << axis, {}, op});
    }
    result.isExact &= inner.isExact;
    axis += rankOf(index);
  }
  return result;
}

//===-- Loops ------------------------------------------------------------------------------------------------------===//

/// `value` where `inside` is taken to be as `given`. Nothing that is known of other values holds then.
Presence PresenceTrace::under(mlir::Value inside, const Presence &given, mlir::Value value) {
  llvm::DenseMap<mlir::Value, Presence> saved;
  std::swap(saved, known);
  assumed[inside] = given;
  Presence result = of(value);
  assumed.erase(inside);
  std::swap(saved, known);
  return result;
}

/// What a carried value is inside the loop: the init's or the last step's, until nothing is added.
Presence PresenceTrace::ofCarried(tile::ForOp loop, unsigned number) {
  Presence init = of(loop.getInits()[number]);
  mlir::Value inside = loop.getRegionIterArgs()[number];
  mlir::Value next = loop.getBody().front().getTerminator()->getOperand(number);
  Presence now = init;
  // Factors only grow and are made by the ops of the kernel, so this ends; the bound is for programs that nobody writes.
  for (unsigned round = 0; round < 64; ++round) {
    Presence stepped = under(inside, now, next);
    Presence joint = joined(init, stepped, loop);
    if (isSame(joint, now)) {
      return joint;
    }
    now = joint;
  }
  now.isExact = false;
  now.inexactAt = loop;
  return now;
}

/// The result of a loop: what the last step yields, or the init where there is none.
Presence PresenceTrace::ofLoop(tile::ForOp loop, unsigned number) {
  Presence init = of(loop.getInits()[number]);
  mlir::Value inside = loop.getRegionIterArgs()[number];
  mlir::Value next = loop.getBody().front().getTerminator()->getOperand(number);
  Presence first = under(inside, init, next), second = under(inside, first, next);
  if (isSame(first, second) && (isSame(first, init) || (surelyRuns && surelyRuns(loop)))) {
    second.isExact &= init.isExact || !isSame(first, init);
    return second;
  }
  Presence result = joined(init, joined(first, ofCarried(loop, number), loop), loop);
  return result;
}

//===-- Ops --------------------------------------------------------------------------------------------------------===//

static SmallVector<int64_t> identityTo(size_t rank) {
  SmallVector<int64_t> to;
  for (size_t i = 0; i < rank; ++i) {
    to.push_back(i);
  }
  return to;
}

/// Where the axes of an index map's operand lie in its result; nothing for an op that is none.
static std::optional<SmallVector<int64_t>> axesTo(mlir::Operation *op) {
  SmallVector<int64_t> to;
  if (auto permute = llvm::dyn_cast<tile::PermuteOp>(op)) {
    to.resize(permute.getPermutation().size());
    for (auto [i, from] : llvm::enumerate(permute.getPermutation())) {
      to[from] = i;
    }
    return to;
  }
  if (auto expand = llvm::dyn_cast<tile::ExpandOp>(op)) {
    for (int64_t i = 0, rank = rankOf(expand.getResult()); i < rank; ++i) {
      if (!llvm::is_contained(expand.getAxes(), i)) {
        to.push_back(i);
      }
    }
    return to;
  }
  if (auto squeeze = llvm::dyn_cast<tile::SqueezeOp>(op)) {
    int64_t next = 0;
    for (int64_t i = 0, rank = rankOf(squeeze.getX()); i < rank; ++i) {
      to.push_back(llvm::is_contained(squeeze.getAxes(), i) ? -1 : next++);
    }
    return to;
  }
  if (auto broadcast = llvm::dyn_cast<tile::BroadcastOp>(op)) {
    for (auto [i, from, extent] : llvm::enumerate(broadcast.getX().getType().getShape(),
                                                  broadcast.getResult().getType().getShape())) {
      to.push_back(from == extent ? static_cast<int64_t>(i) : -1);
    }
    return to;
  }
  if (auto reshape = llvm::dyn_cast<tile::ReshapeOp>(op)) {
    to.assign(rankOf(reshape.getX()), -1);
    for (auto [from, target] : tile::keptAxes(reshape.getX().getType().getShape(),
                                              reshape.getResult().getType().getShape())) {
      to[from] = target;
    }
    return to;
  }
  return std::nullopt;
}

/// Where an index map loses an axis that has a factor, all that is known is that there is one.
static bool losesFactor(const Presence &source, llvm::ArrayRef<int64_t> to) {
  return llvm::any_of(source.factors, [&](const PresenceFactor &factor) {
    for (auto [from, target] : llvm::enumerate(to)) {
      if ((factor.axes & bit(from)) && target < 0) {
        return true;
      }
    }
    return false;
  });
}

Presence PresenceTrace::ofOp(mlir::Operation *op, unsigned result) {
  if (tile::isElementwise(op)) {
    return ofUnion(op);
  }
  if (std::optional<SmallVector<int64_t>> to = axesTo(op)) {
    mlir::Value x = op->getOperand(0);
    return losesFactor(of(x), *to) ? blurred(op) : renumbered(op, x, *to);
  }
  return llvm::TypeSwitch<mlir::Operation *, Presence>(op)
      .Case([&](tile::LoadOp load) { return ofBox(op, load.getIndices(), load.getWhole()); })
      .Case([&](tile::ReadOp read) { return ofBox(op, read.getSpans(), read.getWhole()); })
      .Case([&](tile::SpanIndexOp index) {
        Presence one;
        one.add({bit(0), index.getSpan(), op});
        return one;
      })
      .Case([&](tile::MmaOp mma) { return ofMma(mma); })
      .Case<tile::ArgMaxOp, tile::ArgMinOp, tile::ReduceOp, tile::ReduceWithOp>([&](auto reduce) {
        return reduced(op, reduce.getX(), reduce.getAxis(), /*removesAxis=*/true);
      })
      .Case([&](tile::TopKOp top) {
        return reduced(op, top.getX(), top.getAxis(), /*removesAxis=*/false);
      })
      .Case<tile::ScanOp, tile::ScanWithOp>(
          [&](auto scan) { return renumbered(op, scan.getX(), identityTo(rankOf(scan.getX()))); })
      .Case([&](tile::KeepIfOp keep) {
        Presence all = ofUnion(op);
        uint64_t axes = 0;
        for (int64_t axis : keep.getAxes()) {
          axes |= bit(axis);
        }
        all.add({axes, {}, op});
        return all;
      })
      .Case([&](tile::FillAbsentOp fill) {
        // Present where either is: for a fill without absence, everywhere.
        return of(fill.getFill()).factors.empty() ? Presence() : blurred(op);
      })
      .Case([&](tile::ForOp loop) { return ofLoop(loop, result); })
      .Case<tile::SectionOp, tile::ApplyOp>(
          [&](auto body) { return of(body.getBody().front().getTerminator()->getOperand(result)); })
      .Case([&](mlir::scf::IfOp branch) {
        if (branch.getElseRegion().empty()) {
          return Presence();
        }
        return joined(of(branch.thenBlock()->getTerminator()->getOperand(result)),
                      of(branch.elseBlock()->getTerminator()->getOperand(result)), op);
      })
      .Case<tile::ConstantOp, tile::DimOp, tile::HistogramOp, tile::IotaOp, tile::PresentOp,
            tile::SpanStartOp, tile::SpanStopOp>([](auto) { return Presence(); })
      .Case([&](tile::AbsentOp absent) {
        Presence none;
        none.add({allAxes(absent.getResult()), {}, op});
        return none;
      })
      .Default([&](mlir::Operation *) { return blurred(op); });
}
