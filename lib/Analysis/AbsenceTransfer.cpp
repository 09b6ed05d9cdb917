//===- AbsenceTransfer.cpp - what an op does with factors -----------------===//
//
// One case for each op that does something else than take the union of its operands'
// factors. The cases are the absence sentences of the op descriptions.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AbsenceTransfer.h"

#include "tessera/Dialect/Tile/TileOps.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tessera::tile;

namespace tessera {

void normalize(Factors &factors) {
  llvm::sort(factors);
  factors.erase(llvm::unique(factors), factors.end());
}

AxisSet allAxes(Value value) {
  size_t rank = shapeOf(value.getType()).size();
  return rank >= 64 ? ~AxisSet(0) : (AxisSet(1) << rank) - 1;
}

namespace {

using FactorsOf = function_ref<ArrayRef<AxisSet>(Value)>;

AxisSet axis(unsigned i) { return AxisSet(1) << i; }

/// Every axis i of every factor becomes `to[i]`; an axis at -1 leaves its factor.
Factors renumber(ArrayRef<AxisSet> factors, ArrayRef<int64_t> to) {
  Factors result;
  for (AxisSet factor : factors) {
    AxisSet renamed = 0;
    for (auto [from, target] : llvm::enumerate(to)) {
      if ((factor & axis(from)) && target >= 0) {
        renamed |= axis(target);
      }
    }
    result.push_back(renamed);
  }
  return result;
}

Factors unionOf(Operation *op, FactorsOf of) {
  Factors result;
  for (Value operand : op->getOperands()) {
    llvm::append_range(result, of(operand));
  }
  return result;
}

/// One factor over all axes if there is any.
Factors merged(ArrayRef<AxisSet> factors, Value result) {
  return factors.empty() ? Factors() : Factors{allAxes(result)};
}

//===- index maps ---------------------------------------------------------===//

Factors transfer(BroadcastOp op, FactorsOf of) {
  SmallVector<int64_t> to;
  for (auto [i, from, extent] :
       llvm::enumerate(op.getX().getType().getShape(), op.getResult().getType().getShape())) {
    to.push_back(from == extent ? static_cast<int64_t>(i) : -1);
  }
  return renumber(of(op.getX()), to);
}

Factors transfer(ExpandOp op, FactorsOf of) {
  SmallVector<int64_t> to;
  for (int64_t i = 0, rank = op.getResult().getType().getRank(); i < rank; ++i) {
    if (!llvm::is_contained(op.getAxes(), i)) {
      to.push_back(i);
    }
  }
  return renumber(of(op.getX()), to);
}

Factors transfer(SqueezeOp op, FactorsOf of) {
  SmallVector<int64_t> to;
  int64_t next = 0;
  for (int64_t i = 0, rank = op.getX().getType().getRank(); i < rank; ++i) {
    to.push_back(llvm::is_contained(op.getAxes(), i) ? -1 : next++);
  }
  return renumber(of(op.getX()), to);
}

Factors transfer(PermuteOp op, FactorsOf of) {
  SmallVector<int64_t> to(op.getPermutation().size());
  for (auto [i, from] : llvm::enumerate(op.getPermutation())) {
    to[from] = i;
  }
  return renumber(of(op.getX()), to);
}

Factors transfer(ReshapeOp op, FactorsOf of) {
  SmallVector<int64_t> to(op.getX().getType().getRank(), -1);
  AxisSet kept = 0;
  for (auto [from, target] :
       keptAxes(op.getX().getType().getShape(), op.getResult().getType().getShape())) {
    to[from] = target;
    kept |= axis(from);
  }
  Factors whole, rest;
  for (AxisSet factor : of(op.getX())) {
    ((factor & ~kept) == 0 ? whole : rest).push_back(factor);
  }
  Factors result = renumber(whole, to);
  llvm::append_range(result, merged(rest, op.getResult()));
  return result;
}

//===- absence ------------------------------------------------------------===//

Factors transfer(KeepIfOp op, FactorsOf of) {
  Factors result = unionOf(op, of);
  AxisSet axes = 0;
  for (int64_t i : op.getAxes()) {
    axes |= axis(i);
  }
  result.push_back(axes);
  return result;
}

//===- reductions and products --------------------------------------------===//

/// Factors that do not name the axis stay; without the axis the later ones are renumbered.
Factors reduced(Value x, unsigned along, bool removesAxis, FactorsOf of) {
  Factors rest;
  for (AxisSet factor : of(x)) {
    if (!(factor & axis(along))) {
      rest.push_back(factor);
    }
  }
  if (!removesAxis) {
    return rest;
  }
  SmallVector<int64_t> to;
  for (int64_t i = 0, rank = shapeOf(x.getType()).size(); i < rank; ++i) {
    to.push_back(i < along ? i : i - 1);
  }
  return renumber(rest, to);
}

Factors transfer(MmaOp op, FactorsOf of) {
  Factors result(of(op.getAcc()));
  // a is m x k and b is k x n: factors that name k say which terms exist, or are zeros.
  for (AxisSet factor : of(op.getA())) {
    if (!(factor & axis(1))) {
      result.push_back(factor);
    }
  }
  for (AxisSet factor : of(op.getB())) {
    if (!(factor & axis(0))) {
      result.push_back(factor);
    }
  }
  return result;
}

//===- memory -------------------------------------------------------------===//

/// A span adds a factor over its axis of the box, an index brings its own.
Factors boxFactors(ValueRange indices, ArrayRef<bool> whole, FactorsOf of) {
  Factors result;
  unsigned boxAxis = 0, next = 0;
  for (bool isWhole : whole) {
    if (isWhole) {
      ++boxAxis;
      continue;
    }
    Value index = indices[next++];
    if (isa<SpanType>(index.getType())) {
      result.push_back(axis(boxAxis++));
      continue;
    }
    SmallVector<int64_t> to;
    for (size_t i = 0; i < shapeOf(index.getType()).size(); ++i) {
      to.push_back(boxAxis++);
    }
    llvm::append_range(result, renumber(of(index), to));
  }
  return result;
}

Factors transfer(AtomicOp op, FactorsOf of) {
  Factors result = boxFactors(op.getIndices(), op.getWhole(), of);
  llvm::append_range(result, of(op.getValue()));
  if (op.getCompare()) {
    llvm::append_range(result, of(op.getCompare()));
  }
  return result;
}

//===- formulas -----------------------------------------------------------===//

/// Elements of a view are there, those of an array may be missing; an absent index reads nothing.
Factors transfer(AtOp op, FactorsOf of) { return merged(unionOf(op, of), op.getResult()); }

Factors transfer(MapOp op, FactorsOf of) {
  Factors any(of(op.getBody().front().getTerminator()->getOperand(0)));
  for (Value low : op.getLows()) {
    auto constant = low.getDefiningOp<ConstantOp>();
    auto value = constant ? dyn_cast<IntegerAttr>(constant.getValue()) : IntegerAttr();
    if (!value || !value.getValue().isZero()) {
      any.push_back(0); // what lies before the first index is absent
    }
  }
  return merged(any, op.getResult());
}

} // namespace

SmallVector<Factors> transferAbsence(Operation *op, FactorsOf of) {
  Factors result =
      TypeSwitch<Operation *, Factors>(op)
          .Case<AtOp, AtomicOp, BroadcastOp, ExpandOp, KeepIfOp, MapOp, MmaOp, PermuteOp, ReshapeOp,
                SqueezeOp>([&](auto cast) { return transfer(cast, of); })
          .Case([&](AbsentOp cast) { return Factors{allAxes(cast.getResult())}; })
          .Case([&](SpanIndexOp cast) { return Factors{allAxes(cast.getResult())}; })
          .Case([&](CatOp cast) { return merged(unionOf(cast, of), cast.getResult()); })
          .Case([&](SplatOp cast) { return merged(of(cast.getX()), cast.getResult()); })
          .Case([&](FillAbsentOp cast) { return merged(of(cast.getFill()), cast.getResult()); })
          .Case([&](LoadOp cast) { return boxFactors(cast.getIndices(), cast.getWhole(), of); })
          // Memory forgets absence, the spans restate it.
          .Case([&](ReadOp cast) { return boxFactors(cast.getSpans(), cast.getWhole(), of); })
          .Case<ArgMaxOp, ArgMinOp, ReduceOp, ReduceWithOp>([&](auto cast) {
            return reduced(cast.getX(), cast.getAxis(), /*removesAxis=*/true, of);
          })
          .Case([&](TopKOp cast) {
            return reduced(cast.getX(), cast.getAxis(), /*removesAxis=*/false, of);
          })
          // A scan keeps all factors of its operand; its identity is no part of an element's presence.
          .Case<ScanOp, ScanWithOp>([&](auto cast) { return Factors(of(cast.getX())); })
          // Present everywhere, whatever the operands are.
          .Case<DimOp, FoldOp, HistogramOp, PresentOp, SpanStartOp, SpanStopOp>(
              [](auto) { return Factors(); })
          .Default([&](Operation *other) { return unionOf(other, of); });
  normalize(result);
  return SmallVector<Factors>(op->getNumResults(), result);
}

} // namespace tessera
