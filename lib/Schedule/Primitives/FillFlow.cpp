// What a fill changes, followed from use to use; what lanes must hold, by the lattice of pads that `seal` has.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "FillFlow.h"

#include "../Seal/Pads.h"
#include "../Seal/Sealer.h"
#include "Memory.h"

#include "tessera/Schedule/Dims.h"

#include "llvm/ADT/TypeSwitch.h"

#include <cmath>
#include <limits>

using namespace tessera;
using namespace tessera::schedule;
using llvm::SmallVector;

bool schedule::restates(mlir::Operation *reader, const PresenceFactor &factor) {
  mlir::ValueRange indices;
  llvm::ArrayRef<bool> whole;
  if (auto read = llvm::dyn_cast<tile::ReadOp>(reader)) {
    indices = read.getSpans();
    whole = read.getWhole();
  } else if (auto copy = llvm::dyn_cast<tile::CopyOutOp>(reader)) {
    indices = copy.getIndices();
    whole = copy.getWhole();
  }
  unsigned dim = 0, next = 0;
  for (bool isWhole : whole) {
    if (isWhole) {
      ++dim;
      continue;
    }
    mlir::Value index = indices[next++];
    if (llvm::isa<tile::SpanType>(index.getType())) {
      if (factor.axes == uint64_t(1) << dim && index == factor.span) {
        return true;
      }
      ++dim;
    } else {
      dim += tile::shapeOf(index.getType()).size();
    }
  }
  return false;
}

Presence schedule::presenceOfBox(mlir::Operation *op, mlir::ValueRange indices,
                                 llvm::ArrayRef<bool> whole) {
  Presence presence;
  unsigned dim = 0, next = 0;
  for (bool isWhole : whole) {
    mlir::Value index = isWhole ? mlir::Value() : indices[next++];
    if (isWhole || llvm::isa<tile::SpanType>(index.getType())) {
      if (index) {
        presence.add({uint64_t(1) << dim, index, op});
      }
      ++dim;
      continue;
    }
    size_t rank = tile::shapeOf(index.getType()).size();
    if (rank) {
      presence.add({((uint64_t(1) << rank) - 1) << dim, {}, op});
    }
    dim += rank;
  }
  return presence;
}

//===-- What lanes must hold ---------------------------------------------------------------------------------------===//

/// The least or greatest number of an element type; nothing where a double does not hold it.
static std::optional<double> limitOf(mlir::Type element, bool isLeast) {
  if (llvm::isa<mlir::FloatType>(element)) {
    return isLeast ? -std::numeric_limits<double>::infinity()
                   : std::numeric_limits<double>::infinity();
  }
  auto integer = llvm::cast<mlir::IntegerType>(element);
  unsigned bits = integer.getWidth() - (integer.isUnsigned() ? 0 : 1);
  if (isLeast) {
    return integer.isUnsigned() ? 0 : -std::ldexp(1.0, static_cast<int>(bits));
  }
  return bits > 53 ? std::nullopt : std::optional(std::ldexp(1.0, static_cast<int>(bits)) - 1);
}

/// The number that adds nothing to a reduction; nothing where no number that is known does.
static std::optional<double> neutralOf(tile::ReduceOp op) {
  mlir::Type element = tile::elementTypeOf(op.getX().getType());
  switch (op.getKind()) {
  case tile::ReduceKind::sum:
  case tile::ReduceKind::absmax:
    return 0;
  case tile::ReduceKind::prod:
    return 1;
  case tile::ReduceKind::max:
  case tile::ReduceKind::max_num:
    return limitOf(element, /*isLeast=*/true);
  case tile::ReduceKind::min:
  case tile::ReduceKind::min_num:
    return limitOf(element, /*isLeast=*/false);
  default:
    return std::nullopt;
  }
}

namespace {

/// The analyses of one kernel.
class Lanes {
public:
  Lanes(tile::KernelOp kernel, solver::Solver &solver)
      : options{"sm_80", /*emit=*/false}, sealer(kernel, solver, options),
        presence((sealer.collect(), sealer.presence())), writes(sealer), pads(presence, writes) {}

  bool isAbsentAlong(mlir::Value tile, unsigned axis) const {
    return llvm::any_of(presence.of(tile), [&](const sealing::PresenceFactor &factor) {
      return factor.isAlong(axis);
    });
  }
  /// A condition over several axes makes elements absent one by one: what their lanes hold is not known.
  bool isAbsentInPlaces(mlir::Value tile) const {
    return llvm::any_of(presence.of(tile),
                        [](const sealing::PresenceFactor &factor) { return factor.axis < 0; });
  }
  /// `isShared`: all rows of the result use the lanes, so that no NaN of a single row may stand there.
  bool holds(mlir::Value tile, unsigned axis, double wanted, bool isShared = false) {
    sealing::Pad pad = pads.along(tile, axis);
    return pad.isConstant(wanted) && !(isShared && pad.rowPoison) && !isAbsentInPlaces(tile);
  }
  bool isWhole(mlir::Value span) { return sealer.isWhole(span); }
  std::string text(mlir::Value tile, unsigned axis) {
    return isAbsentInPlaces(tile) ? "what was there before a condition made it absent"
                                  : pads.along(tile, axis).str();
  }

private:
  SealOptions options;
  sealing::Sealer sealer;
  sealing::PresenceAnalysis presence;
  sealing::ReachingWrites writes;
  sealing::PadAnalysis pads;
};

} // namespace

static void addNeed(std::vector<PadNeed> &needs, Lanes &lanes, mlir::Operation *op,
                    unsigned operand, unsigned axis, double wanted) {
  mlir::Value tile = op->getOperand(operand);
  bool isRight = llvm::isa<tile::MmaOp>(op) && operand == 1;
  if (!lanes.holds(tile, axis, wanted, isRight)) {
    needs.push_back({op, operand, axis, wanted, lanes.text(tile, axis)});
  }
}

std::vector<PadNeed> schedule::unmetNeeds(tile::KernelOp kernel, solver::Solver &solver) {
  Lanes lanes(kernel, solver);
  std::vector<PadNeed> needs;
  kernel.getBody().walk([&](mlir::Operation *op) {
    if (auto mma = llvm::dyn_cast<tile::MmaOp>(op)) {
      if (lanes.isAbsentAlong(mma.getA(), 1) || lanes.isAbsentAlong(mma.getB(), 0)) {
        addNeed(needs, lanes, op, 0, 1, 0);
        addNeed(needs, lanes, op, 1, 0, 0);
      }
      return;
    }
    auto reduce = llvm::dyn_cast<tile::ReduceOp>(op);
    std::optional<double> neutral = reduce ? neutralOf(reduce) : std::nullopt;
    if (neutral && lanes.isAbsentAlong(reduce.getX(), reduce.getAxis())) {
      addNeed(needs, lanes, op, 0, reduce.getAxis(), *neutral);
    }
  });
  return needs;
}

//===-- What a fill changes ----------------------------------------------------------------------------------------===//

namespace {

/// Follows the elements that a fill makes. A change is a factor that a value has without the fill and not with it.
class FillFlow {
public:
  FillFlow(tile::KernelOp kernel, solver::Solver &solver)
      : lanes(kernel, solver), trace([](tile::ForOp) { return false; }) {}

  std::optional<FillSeen> run(tile::FillAbsentOp fill);

private:
  using Factors = SmallVector<PresenceFactor>;
  void add(mlir::Value value, const Factors &factors);
  bool visit(mlir::OpOperand &use, const Factors &factors);
  bool visitReduce(tile::ReduceOp op, const Factors &factors);
  bool visitMma(tile::MmaOp op, unsigned operand, const Factors &factors);
  bool visitStore(tile::StoreOp op, const Factors &factors);
  bool visitWrite(tile::WriteOp op, const Factors &factors);
  bool visitYield(mlir::OpOperand &use, const Factors &factors);
  bool visitElementwise(mlir::OpOperand &use, const Factors &factors);
  bool visitMap(mlir::Operation *op, unsigned operand, const Factors &factors);
  bool seen(mlir::Operation *at, const llvm::Twine &why) {
    found = FillSeen{at, why.str()};
    return false;
  }

  Lanes lanes;
  PresenceTrace trace;
  llvm::DenseMap<mlir::Value, Factors> changed;
  SmallVector<mlir::Value> open;
  FillSeen found;
};

} // namespace

void FillFlow::add(mlir::Value value, const Factors &factors) {
  Factors &known = changed[value];
  bool isNew = false;
  for (const PresenceFactor &factor : factors) {
    if (!llvm::is_contained(known, factor)) {
      known.push_back(factor);
      isNew = true;
    }
  }
  if (isNew) {
    open.push_back(value);
  }
}

bool FillFlow::visitReduce(tile::ReduceOp op, const Factors &factors) {
  uint64_t axis = uint64_t(1) << op.getAxis();
  Factors rest;
  for (PresenceFactor factor : factors) {
    if (factor.axes & axis) {
      std::optional<double> neutral = neutralOf(op);
      if (!neutral || !lanes.holds(op.getX(), op.getAxis(), *neutral)) {
        return seen(op, "the reduction would have terms that change it");
      }
      continue;
    }
    uint64_t below = factor.axes & (axis - 1);
    factor.axes = below | (factor.axes & ~(axis | (axis - 1))) >> 1;
    rest.push_back(factor);
  }
  add(op.getResult(), rest);
  return true;
}

/// Along k: zeros on both sides add nothing, and terms that the other side lacks are none in any case.
bool FillFlow::visitMma(tile::MmaOp op, unsigned operand, const Factors &factors) {
  if (operand == 2) {
    add(op.getResult(), factors);
    return true;
  }
  unsigned k = operand == 0 ? 1 : 0;
  mlir::Value mine = operand == 0 ? op.getA() : op.getB();
  mlir::Value other = operand == 0 ? op.getB() : op.getA();
  Factors rest;
  for (PresenceFactor factor : factors) {
    if (!(factor.axes >> k & 1)) {
      rest.push_back(factor); // rows of a, columns of b: they lie so in the result
      continue;
    }
    bool isAbsentThere =
        factor.span && llvm::any_of(trace.of(other).factors, [&](const PresenceFactor &there) {
          return there.span == factor.span && there.axes == uint64_t(1) << (1 - k);
        });
    bool areZeros = lanes.holds(mine, k, 0, operand == 1) &&
                    (factor.axes != uint64_t(1) << k || lanes.holds(other, 1 - k, 0, operand == 0));
    if (!isAbsentThere && !areZeros) {
      return seen(op, "terms of the product along k would come in that are not zero on both sides");
    }
  }
  add(op.getResult(), rest);
  return true;
}

bool FillFlow::visitStore(tile::StoreOp op, const Factors &factors) {
  Presence box = presenceOfBox(op, op.getIndices(), op.getWhole());
  for (const PresenceFactor &factor : factors) {
    bool isOutside = factor.span && llvm::is_contained(box.factors, factor);
    if (!isOutside) {
      return seen(op, "the elements would be stored");
    }
  }
  return true;
}

bool FillFlow::visitWrite(tile::WriteOp op, const Factors &factors) {
  for (const MemoryAccess &access : accessesTo(op.getBuf())) {
    for (const PresenceFactor &factor : factors) {
      if (!access.isWrite() && !(factor.span && restates(access.op, factor))) {
        return seen(access.op, "the elements would be written to memory and read again");
      }
    }
  }
  return true;
}

bool FillFlow::visitYield(mlir::OpOperand &use, const Factors &factors) {
  mlir::Operation *parent = use.getOwner()->getParentOp();
  unsigned number = use.getOperandNumber();
  if (llvm::isa<tile::SectionOp, tile::ApplyOp>(parent)) {
    add(parent->getResult(number), factors);
    return true;
  }
  if (auto loop = llvm::dyn_cast<tile::ForOp>(parent)) {
    // A span of a step means another one in the next step.
    for (const PresenceFactor &factor : factors) {
      mlir::Value span = factor.span;
      if (!span || loop->isAncestor(span.getParentBlock()->getParentOp())) {
        return seen(use.getOwner(), "the elements would be carried on to the next step");
      }
    }
    add(loop.getResult(number), factors);
    add(loop.getCarried()[number], factors);
    return true;
  }
  return seen(use.getOwner(), "a branch gives the elements on");
}

/// Where another operand is absent the result is so with and without the fill.
bool FillFlow::visitElementwise(mlir::OpOperand &use, const Factors &factors) {
  mlir::Operation *op = use.getOwner();
  Factors rest;
  for (const PresenceFactor &factor : factors) {
    bool isHidden = llvm::any_of(op->getOperands(), [&](mlir::Value other) {
      return other != use.get() && factor.span && trace.of(other).isExact &&
             llvm::is_contained(trace.of(other).factors, factor);
    });
    if (!isHidden) {
      rest.push_back(factor);
    }
  }
  for (mlir::Value result : op->getResults()) {
    add(result, rest);
  }
  return true;
}

/// Ops that move elements: the axes are renumbered; an axis that leaves makes the change one of all axes.
bool FillFlow::visitMap(mlir::Operation *op, unsigned operand, const Factors &factors) {
  Factors moved;
  size_t rank = tile::shapeOf(op->getOperand(operand).getType()).size();
  size_t rankAfter = tile::shapeOf(op->getResult(0).getType()).size();
  for (PresenceFactor factor : factors) {
    uint64_t axes = 0;
    for (unsigned axis = 0; axis < rank; ++axis) {
      if (!(factor.axes >> axis & 1)) {
        continue;
      }
      std::optional<unsigned> dim = dimOfOperandAxis(op, operand, axis);
      bool isFound = false;
      for (unsigned to = 0; dim && to < rankAfter; ++to) {
        if (dimOfResultAxis(op, 0, to) == dim) {
          axes |= uint64_t(1) << to;
          isFound = true;
        }
      }
      if (!isFound) {
        return seen(op, "where the elements go from here is not known");
      }
    }
    factor.axes = axes;
    moved.push_back(factor);
  }
  add(op->getResult(0), moved);
  return true;
}

bool FillFlow::visit(mlir::OpOperand &use, const Factors &factors) {
  mlir::Operation *op = use.getOwner();
  unsigned number = use.getOperandNumber();
  return llvm::TypeSwitch<mlir::Operation *, bool>(op)
      .Case([&](tile::ReduceOp reduce) { return visitReduce(reduce, factors); })
      .Case([&](tile::MmaOp mma) { return visitMma(mma, number, factors); })
      .Case([&](tile::StoreOp store) {
        return number == 0 ? visitStore(store, factors)
                           : seen(op, "the elements are indices of a store");
      })
      .Case([&](tile::WriteOp write) { return visitWrite(write, factors); })
      .Case([&](tile::YieldOp) { return visitYield(use, factors); })
      .Case([&](tile::ForOp loop) {
        unsigned first = op->getNumOperands() - loop.getInits().size();
        if (number < first) {
          return seen(op, "they decide how often the loop runs");
        }
        add(loop.getCarried()[number - first], factors);
        add(loop.getResult(number - first), factors);
        return true;
      })
      .Case<tile::BroadcastOp, tile::ExpandOp, tile::PermuteOp, tile::SqueezeOp>(
          [&](mlir::Operation *) { return visitMap(op, number, factors); })
      .Case<tile::CastOp, tile::CmpOp, tile::SelectOp, tile::BitsOp, tile::FromBitsOp>(
          [&](mlir::Operation *) { return visitElementwise(use, factors); })
      .Case([&](tile::KeepIfOp keep) {
        if (number == 1) {
          return seen(op, "the elements decide what is kept");
        }
        add(keep.getResult(), factors);
        return true;
      })
      .Default([&](mlir::Operation *) {
        return op->hasTrait<tile::ElementwiseRow>() ? visitElementwise(use, factors)
                                                    : seen(op, "it sees which elements are absent");
      });
}

std::optional<FillSeen> FillFlow::run(tile::FillAbsentOp fill) {
  Factors lost;
  for (const PresenceFactor &factor : trace.of(fill.getX()).factors) {
    if (!factor.span || !lanes.isWhole(factor.span)) {
      lost.push_back(factor);
    }
  }
  if (lost.empty()) {
    return std::nullopt; // nothing is absent: the fill does nothing
  }
  add(fill.getResult(), lost);
  while (!open.empty()) {
    mlir::Value value = open.pop_back_val();
    Factors factors = changed[value];
    for (mlir::OpOperand &use : value.getUses()) {
      if (!visit(use, factors)) {
        return found;
      }
    }
  }
  return std::nullopt;
}

std::optional<FillSeen> schedule::findFillSeen(tile::KernelOp kernel, tile::FillAbsentOp fill,
                                               solver::Solver &solver) {
  return FillFlow(kernel, solver).run(fill);
}
