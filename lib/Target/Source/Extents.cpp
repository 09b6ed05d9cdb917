//===- Extents.cpp - sizes as expressions, and the checks they bring ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Extents.h"

#include "llvm/ADT/TypeSwitch.h"

#include <cstdlib>

using namespace mlir;

namespace tessera::source {

AffineExpr Extents::of(Value value) {
  if (auto it = known.find(value); it != known.end()) {
    return it->second;
  }
  AffineExpr expr = compute(value);
  known[value] = expr;
  return expr;
}

/// The operands of an op of two i64 scalars, where the checker would combine them.
AffineExpr Extents::compute(Value value) {
  MLIRContext *context = value.getContext();
  if (!value.getType().isSignlessInteger(64)) {
    return {};
  }
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    bool isExtent = argument.getOwner()->getParentOp() == kernel &&
                    argument.getArgNumber() < kernel.getExtents();
    return isExtent ? getAffineSymbolExpr(argument.getArgNumber(), context) : AffineExpr();
  }
  Operation *op = value.getDefiningOp();
  if (auto constant = dyn_cast<tile::ConstantOp>(op)) {
    return getAffineConstantExpr(cast<IntegerAttr>(constant.getValue()).getInt(), context);
  }
  if (!isa<tile::AddOp, tile::SubOp, tile::MulOp, tile::FloorDivOp, tile::ModOp>(op)) {
    return {};
  }
  AffineExpr a = of(op->getOperand(0)), b = of(op->getOperand(1));
  if (!a || !b) {
    return {};
  }
  auto left = dyn_cast<AffineConstantExpr>(a), right = dyn_cast<AffineConstantExpr>(b);
  constexpr int64_t kSafe = int64_t(1) << 31;
  auto isLarge = [](AffineConstantExpr expr) {
    return expr && (expr.getValue() > kSafe || expr.getValue() < -kSafe);
  };
  if (isLarge(left) || isLarge(right)) {
    return {};
  }
  bool positive = !right || right.getValue() > 0;
  return TypeSwitch<Operation *, AffineExpr>(op)
      .Case([&](tile::AddOp) { return a + b; })
      .Case([&](tile::SubOp) { return a - b; })
      .Case([&](tile::MulOp) { return a * b; })
      .Case([&](tile::FloorDivOp) { return positive ? a.floorDiv(b) : AffineExpr(); })
      .Case([&](tile::ModOp) { return positive ? a % b : AffineExpr(); })
      .Default([](Operation *) { return AffineExpr(); });
}

SmallVector<AffineExpr> Extents::ofView(Value view) {
  auto type = cast<tile::ViewType>(view.getType());
  SmallVector<AffineExpr> extents(type.getRank());
  if (auto argument = dyn_cast<BlockArgument>(view)) {
    if (argument.getOwner()->getParentOp() == kernel) {
      if (AffineMap map = kernel.getShapeMap(argument.getArgNumber())) {
        extents.assign(map.getResults().begin(), map.getResults().end());
      }
    }
    return extents;
  }
  Operation *op = view.getDefiningOp();
  if (auto permute = dyn_cast<tile::ViewPermuteOp>(op)) {
    SmallVector<AffineExpr> source = ofView(permute.getView());
    for (auto [i, axis] : llvm::enumerate(permute.getPermutation())) {
      extents[i] = source[axis];
    }
    return extents;
  }
  if (auto split = dyn_cast<tile::ViewSplitOp>(op)) {
    extents = ofView(split.getView());
    if (AffineExpr &axis = extents[split.getAxis()]) {
      axis = axis.floorDiv(split.getNumResults());
    }
    return extents;
  }
  if (auto group = dyn_cast<tile::ViewGroupOp>(op)) {
    extents = ofView(group.getView());
    AffineExpr &axis = extents[group.getAxis()];
    axis = axis ? axis.floorDiv(group.getSize()) : axis;
    extents.insert(extents.begin() + group.getAxis() + 1,
                   getAffineConstantExpr(group.getSize(), op->getContext()));
    return extents;
  }
  if (auto slice = dyn_cast<tile::ViewSliceOp>(op)) {
    extents = ofView(slice.getView());
    AffineExpr lo = of(slice.getLo()), hi = of(slice.getHi());
    extents[slice.getAxis()] = lo && hi ? hi - lo : AffineExpr();
  }
  return extents;
}

bool Extents::isStated(AffineExpr limit, AffineExpr extent) {
  if (!readWhere && !kernel.getWhere().empty()) {
    for (auto require : kernel.getWhere().getOps<tile::RequireOp>()) {
      auto compare = require.getCondition().getDefiningOp<tile::CmpOp>();
      if (compare && compare.getPredicate() == tile::CmpPredicate::le) {
        stated.insert({of(compare.getLhs()), of(compare.getRhs())});
      }
    }
  }
  readWhere = true;
  return stated.contains({limit, extent});
}

bool Extents::needsOpaqueLimit(Value step, Value limit) {
  AffineExpr bound = of(limit);
  if (!bound) {
    return false;
  }
  for (OpOperand &use : step.getUses()) {
    Value view;
    ArrayRef<bool> whole;
    OperandRange indices(nullptr, 0);
    TypeSwitch<Operation *>(use.getOwner())
        .Case<tile::LoadOp, tile::StoreOp, tile::AtomicOp>([&](auto op) {
          view = op.getView();
          whole = op.getWhole();
          indices = op.getIndices();
        });
    if (!view) {
      continue;
    }
    SmallVector<AffineExpr> extents = ofView(view);
    size_t next = 0;
    for (auto [axis, isWhole] : llvm::enumerate(whole)) {
      AffineExpr extent = axis < extents.size() ? extents[axis] : AffineExpr();
      if (isWhole || indices[next++] != step || !extent || extent == bound) {
        continue;
      }
      auto knownBound = dyn_cast<AffineConstantExpr>(bound),
           knownExtent = dyn_cast<AffineConstantExpr>(extent);
      if (knownBound && knownExtent ? knownBound.getValue() > knownExtent.getValue()
                                    : !isStated(bound, extent)) {
        return true;
      }
    }
  }
  return false;
}

} // namespace tessera::source
