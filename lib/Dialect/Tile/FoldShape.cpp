//===- FoldShape.cpp - folds and patterns of index maps and extents -------===//
//
// An index map of a constant is the constant: no element of a constant is absent.
// Two reshapes are not one: the first may merge factors of absence, and what a
// reduction later makes of them depends on that.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tessera/Dialect/Tile/TileOps.h"

#include "mlir/IR/PatternMatch.h"

using namespace mlir;

namespace tessera::tile {

//===- facts --------------------------------------------------------------===//

static bool isNeverAbsent(Value value, unsigned depth) {
  constexpr unsigned limit = 16;
  if (depth > limit) {
    return false;
  }
  Operation *def = value.getDefiningOp();
  if (!def) {
    // Extents, scalar arguments and loop indices; a carried value may be absent, and so may a scalar that a region's
    // op hands to it.
    auto argument = cast<BlockArgument>(value);
    Operation *parent = argument.getOwner()->getParentOp();
    bool isCarried = isa_and_nonnull<ForOp>(parent) && argument.getArgNumber() > 0;
    return isa_and_nonnull<KernelOp, GridOp, TasksOp, ForOp, ParOp, MapOp, FoldOp>(parent) &&
           !isCarried && !isa<RankedTensorType>(value.getType());
  }
  if (isa<ConstantOp, DimOp, HistogramOp, IotaOp, PresentOp, SpanStartOp, SpanStopOp>(def)) {
    return true;
  }
  if (isa<ApplyOp, SectionOp>(def)) {
    // Folds are also asked for while a body is still being built.
    Region &body = def->getRegion(0);
    unsigned i = cast<OpResult>(value).getResultNumber();
    bool ends = !body.empty() && !body.front().empty() && isa<YieldOp>(body.front().back()) &&
                i < body.front().back().getNumOperands();
    return ends && isNeverAbsent(body.front().back().getOperand(i), depth + 1);
  }
  if (auto read = dyn_cast<ReadOp>(def)) {
    return read.getSpans().empty();
  }
  // Ops whose results have the factors of their operands, no more.
  bool isUnion = def->hasTrait<ElementwiseRow>() ||
                 isa<BitsOp, BroadcastOp, CastOp, CatOp, CmpOp, ExpandOp, FlipOp, FromBitsOp,
                     PermuteOp, PhiloxOp, ReshapeOp, SelectOp, SliceOp, SplatOp, SqueezeOp>(def);
  return isUnion &&
         llvm::all_of(def->getOperands(), [&](Value v) { return isNeverAbsent(v, depth + 1); });
}

bool isNeverAbsent(Value value) { return isNeverAbsent(value, 0); }

//===- folds --------------------------------------------------------------===//

OpFoldResult ConstantOp::fold(FoldAdaptor) { return getValue(); }

OpFoldResult SplatOp::fold(FoldAdaptor adaptor) { return adaptor.getX(); }

/// Same type: the op itself is nothing.
template <class Op> static OpFoldResult foldSameType(Op op, Attribute constant) {
  if (op.getX().getType() == op.getResult().getType()) {
    return op.getX();
  }
  return constant;
}

OpFoldResult BroadcastOp::fold(FoldAdaptor adaptor) { return foldSameType(*this, adaptor.getX()); }

OpFoldResult ReshapeOp::fold(FoldAdaptor adaptor) { return foldSameType(*this, adaptor.getX()); }

OpFoldResult PermuteOp::fold(FoldAdaptor adaptor) {
  // A square tile keeps its type under a transposition, so the order decides, not the type.
  if (llvm::equal(getPermutation(), llvm::seq<int64_t>(0, getPermutation().size()))) {
    return getX();
  }
  return adaptor.getX();
}

OpFoldResult ExpandOp::fold(FoldAdaptor adaptor) { return adaptor.getX(); }
OpFoldResult FlipOp::fold(FoldAdaptor adaptor) { return adaptor.getX(); }
OpFoldResult SliceOp::fold(FoldAdaptor adaptor) { return foldSameType(*this, adaptor.getX()); }
OpFoldResult SqueezeOp::fold(FoldAdaptor adaptor) { return adaptor.getX(); }

OpFoldResult PresentOp::fold(FoldAdaptor) {
  if (!isNeverAbsent(getX())) {
    return {};
  }
  return BoolAttr::get(getContext(), true);
}

OpFoldResult DimOp::fold(FoldAdaptor) {
  int64_t extent = getView().getType().getShape()[getAxis()];
  if (ShapedType::isDynamic(extent)) {
    return {};
  }
  return IntegerAttr::get(getResult().getType(), extent);
}

OpFoldResult SpanStartOp::fold(FoldAdaptor) {
  auto span = getSpan().getDefiningOp<SpanOp>();
  // The check of an `exact` span stays: its op is still there if something else uses it, and may go if nothing does.
  return span ? OpFoldResult(span.getStart()) : OpFoldResult();
}

//===- patterns -----------------------------------------------------------===//

/// permute(permute x) is one permute: factors are renumbered either way.
LogicalResult PermuteOp::canonicalize(PermuteOp op, PatternRewriter &rewriter) {
  auto inner = op.getX().getDefiningOp<PermuteOp>();
  if (!inner) {
    return rewriter.notifyMatchFailure(op, "the operand is no permute");
  }
  SmallVector<int64_t> order;
  for (int64_t axis : op.getPermutation()) {
    order.push_back(inner.getPermutation()[axis]);
  }
  rewriter.replaceOpWithNewOp<PermuteOp>(op, op.getResult().getType(), inner.getX(), order);
  return success();
}

/// squeeze(expand x) at the same axes is x: an axis of extent 1 that expand put in is in no factor. The other order,
/// expand(squeeze x), is not x: squeeze drops its axes from the factors.
LogicalResult SqueezeOp::canonicalize(SqueezeOp op, PatternRewriter &rewriter) {
  auto expand = op.getX().getDefiningOp<ExpandOp>();
  if (!expand || expand.getAxes() != op.getAxes()) {
    return rewriter.notifyMatchFailure(op, "the operand is no expand at the same axes");
  }
  rewriter.replaceOp(op, expand.getX());
  return success();
}

/// fill_absent(x, y) is x where x cannot be absent.
OpFoldResult FillAbsentOp::fold(FoldAdaptor) {
  return isNeverAbsent(getX()) ? OpFoldResult(getX()) : OpFoldResult();
}

} // namespace tessera::tile
