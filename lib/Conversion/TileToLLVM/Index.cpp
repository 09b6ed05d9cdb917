// Index arithmetic: spans, extents, parts of views.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Lowering.h"

#include "tessera/Support/Mutants.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace tessera;
using namespace tessera::convert;
using mlir::LogicalResult;
using mlir::Operation;
using mlir::success;

static LogicalResult lowerSpan(Lowering &l, Operation *op) {
  auto span = llvm::cast<tile::SpanOp>(op);
  SpanValue made;
  made.width = span.getResult().getType().getWidth();
  made.start = l.scalar(span.getStart());
  llvm::Value *end = l.b.CreateAdd(made.start, l.i64(made.width));
  llvm::Value *limit = l.scalar(span.getLimit());
  made.stop = TESSERA_MUTANT(450, "spans do not end at their limit",
                             l.b.CreateBinaryIntrinsic(llvm::Intrinsic::smin, end, limit), end);
  l.spans[span.getResult()] = made;
  return success();
}

static LogicalResult lowerStart(Lowering &l, Operation *op) {
  l.setScalar(op->getResult(0), l.spans.at(op->getOperand(0)).start);
  return success();
}

static LogicalResult lowerStop(Lowering &l, Operation *op) {
  l.setScalar(op->getResult(0), l.spans.at(op->getOperand(0)).stop);
  return success();
}

static LogicalResult lowerSpanIndex(Lowering &l, Operation *op) {
  auto index = llvm::cast<tile::SpanIndexOp>(op);
  TileValue made = l.emptyFor(index.getResult());
  llvm::Value *base = l.b.CreateAdd(l.spans.at(index.getSpan()).start,
                                    l.b.CreateZExt(l.threadCoord(made.dist, 0), l.b.getInt64Ty()));
  for (int64_t reg = 0; reg < made.dist.regs(); ++reg) {
    made.regs.push_back(l.b.CreateAdd(base, l.i64(made.dist.regCoords(reg, 1)[0])));
  }
  if (!l.isWhole(index.getSpan())) {
    made.factors.push_back(l.spanFactor(0, index.getSpan()));
  }
  l.set(index.getResult(), std::move(made));
  return success();
}

static LogicalResult lowerIota(Lowering &l, Operation *op) {
  TileValue made = l.emptyFor(op->getResult(0));
  llvm::Value *base = l.b.CreateZExt(l.threadCoord(made.dist, 0), l.b.getInt64Ty());
  for (int64_t reg = 0; reg < made.dist.regs(); ++reg) {
    made.regs.push_back(l.b.CreateAdd(base, l.i64(made.dist.regCoords(reg, 1)[0])));
  }
  l.set(op->getResult(0), std::move(made));
  return success();
}

//===- views --------------------------------------------------------------===//

static LogicalResult lowerDim(Lowering &l, Operation *op) {
  auto dim = llvm::cast<tile::DimOp>(op);
  l.setScalar(dim.getResult(), l.views.at(dim.getView()).extents[dim.getAxis()]);
  return success();
}

static llvm::Value *advanced(Lowering &l, const ViewValue &view, unsigned axis, llvm::Value *index,
                             mlir::Type element) {
  llvm::Value *elements = l.b.CreateMul(index, view.strides[axis]);
  llvm::Value *bytes = l.b.CreateMul(elements, l.i64(l.elementBytes(element)));
  return l.b.CreateGEP(l.b.getInt8Ty(), view.base, bytes);
}

static LogicalResult lowerViewSlice(Lowering &l, Operation *op) {
  auto slice = llvm::cast<tile::ViewSliceOp>(op);
  ViewValue view = l.views.at(slice.getView());
  unsigned axis = slice.getAxis();
  llvm::Value *lo = l.scalar(slice.getLo());
  view.base = advanced(l, view, axis, lo, slice.getResult().getType().getElementType());
  llvm::Value *hi = l.scalar(slice.getHi());
  view.extents[axis] =
      TESSERA_MUTANT(454, "a part of a view is as long as its end", l.b.CreateSub(hi, lo), hi);
  view.op = slice.getResult();
  l.views[slice.getResult()] = std::move(view);
  return success();
}

static LogicalResult lowerViewSplit(Lowering &l, Operation *op) {
  auto split = llvm::cast<tile::ViewSplitOp>(op);
  const ViewValue whole = l.views.at(split.getView());
  unsigned axis = split.getAxis();
  llvm::Value *part = l.b.CreateUDiv(whole.extents[axis], l.i64(split.getNumResults()));
  for (auto [number, result] : llvm::enumerate(split.getParts())) {
    ViewValue view = whole;
    auto type = llvm::cast<tile::ViewType>(result.getType());
    view.base = advanced(
        l, whole, axis,
        l.b.CreateMul(part, l.i64(TESSERA_MUTANT(453, "parts of a split view are all the first",
                                                 int64_t(number), 0))),
        type.getElementType());
    view.extents[axis] = part;
    view.op = result;
    l.views[result] = std::move(view);
  }
  return success();
}

static LogicalResult lowerViewPermute(Lowering &l, Operation *op) {
  auto permute = llvm::cast<tile::ViewPermuteOp>(op);
  const ViewValue &whole = l.views.at(permute.getView());
  ViewValue view = whole;
  for (auto [to, axis] : llvm::enumerate(permute.getPermutation())) {
    view.extents[to] = whole.extents[axis];
    view.strides[to] =
        whole.strides[TESSERA_MUTANT(452, "a transposed view keeps its strides", size_t(axis), to)];
  }
  view.op = permute.getResult();
  l.views[permute.getResult()] = std::move(view);
  return success();
}

static LogicalResult lowerViewGroup(Lowering &l, Operation *op) {
  auto group = llvm::cast<tile::ViewGroupOp>(op);
  ViewValue view = l.views.at(group.getView());
  unsigned axis = group.getAxis();
  llvm::Value *size = l.i64(group.getSize()), *stride = view.strides[axis];
  llvm::Value *groups = l.b.CreateUDiv(view.extents[axis], size);
  view.strides.insert(view.strides.begin() + axis,
                      TESSERA_MUTANT(451, "groups of a view lie one element apart",
                                     l.b.CreateMul(stride, size), stride));
  view.extents[axis] = groups;
  view.extents.insert(view.extents.begin() + axis + 1, size);
  view.op = group.getResult();
  l.views[group.getResult()] = std::move(view);
  return success();
}

LowerOp convert::indexOp(Operation *op) {
  return llvm::TypeSwitch<Operation *, LowerOp>(op)
      .Case<tile::SpanOp>([](auto) { return lowerSpan; })
      .Case<tile::SpanStartOp>([](auto) { return lowerStart; })
      .Case<tile::SpanStopOp>([](auto) { return lowerStop; })
      .Case<tile::SpanIndexOp>([](auto) { return lowerSpanIndex; })
      .Case<tile::IotaOp>([](auto) { return lowerIota; })
      .Case<tile::DimOp>([](auto) { return lowerDim; })
      .Case<tile::ViewSliceOp>([](auto) { return lowerViewSlice; })
      .Case<tile::ViewSplitOp>([](auto) { return lowerViewSplit; })
      .Case<tile::ViewPermuteOp>([](auto) { return lowerViewPermute; })
      .Case<tile::ViewGroupOp>([](auto) { return lowerViewGroup; })
      .Default([](Operation *) { return nullptr; });
}
