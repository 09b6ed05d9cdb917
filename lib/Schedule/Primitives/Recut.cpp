// Tiles made again for a part of them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Recut.h"

#include "Memory.h"

#include "tessera/Schedule/Dims.h"

using namespace tessera;
using namespace tessera::schedule;
using llvm::SmallVector;
using llvm::Twine;

llvm::Error Recutter::refuse(const char *what, const Twine &message, const Twine &help,
                             mlir::Operation *at) {
  return context.refuse(code + what, message, help, {{at, "here"}});
}

llvm::SmallVector<mlir::Value> schedule::slicedOperands(mlir::RewriterBase &rewriter,
                                                        mlir::Operation *op,
                                                        const tile::IterBox &box) {
  llvm::SmallVector<mlir::Value> operands(op->getOperands());
  for (auto [number, operand] : llvm::enumerate(operands)) {
    auto type = llvm::dyn_cast<mlir::RankedTensorType>(operand.getType());
    if (!type) {
      continue;
    }
    llvm::SmallVector<int64_t> offsets, shape;
    for (const tile::IterRange &range :
         llvm::cast<tile::TileIterOpInterface>(op).getOperandBox(number, box)) {
      offsets.push_back(range.offset);
      shape.push_back(range.size);
    }
    if (llvm::ArrayRef<int64_t>(shape) != type.getShape()) {
      operand = tile::SliceOp::create(rewriter, op->getLoc(),
                                      mlir::RankedTensorType::get(shape, type.getElementType()),
                                      operand, offsets);
    }
  }
  return operands;
}

//===-- Checks -----------------------------------------------------------------------------------------------------===//

/// Ops whose points along a parallel dim do the same wherever they stand.
static bool isUniform(mlir::Operation *op) {
  return op->hasTrait<tile::ElementwiseRow>() ||
         llvm::isa<tile::BitsOp, tile::CastOp, tile::CmpOp, tile::FillAbsentOp, tile::FromBitsOp,
                   tile::PhiloxOp, tile::PresentOp, tile::SelectOp, tile::BroadcastOp,
                   tile::ExpandOp, tile::SqueezeOp, tile::PermuteOp, tile::KeepIfOp, tile::ReduceOp,
                   tile::MmaOp>(op);
}

/// The window of the view of a load or store.
static tile::Window windowOf(mlir::Operation *op) {
  return llvm::cast<tile::TileIterOpInterface>(op).getWindows().front();
}

/// The axis of a window that has a dim, and the first dim of that axis.
static std::pair<unsigned, unsigned> axisOfDim(const tile::Window &window, unsigned dim) {
  unsigned next = 0;
  for (auto [i, axis] : llvm::enumerate(window.axes)) {
    unsigned count = axis.kind == tile::WindowAxis::scalar ? 0
                     : axis.kind == tile::WindowAxis::gather
                         ? tile::shapeOf(axis.index.getType()).size()
                         : 1;
    if (dim < next + count) {
      return {i, next};
    }
    next += count;
  }
  return {0, 0};
}

/// What a load reads is what it was, wherever in the kernel it is done again.
llvm::Error Recutter::checkUnwritten(mlir::Operation *load) {
  auto kernel = load->getParentOfType<tile::KernelOp>();
  for (const MemoryAccess &mine : accessesIn(load)) {
    for (const MemoryAccess &other : accessesIn(kernel)) {
      if (!other.isWrite() || !mayConflict(mine, other)) {
        continue;
      }
      Refusal refusal{code + "_written",
                      "`" + context.text(load) + "` would be done again where `" +
                          context.text(other.op) + "` may have written what it reads",
                      "read from an array that the kernel does not write",
                      {{load, "reads"}, {other.op, "writes"}}};
      return context.require(false, "nothing writes what `" + context.text(load) + "` reads",
                             refusal);
    }
  }
  return llvm::Error::success();
}

llvm::Error Recutter::checkAccess(mlir::Operation *op, unsigned dim) {
  tile::Window window = windowOf(op);
  auto [at, first] = axisOfDim(window, dim);
  const tile::WindowAxis &axis = window.axes[at];
  if (axis.kind == tile::WindowAxis::span) {
    cutSpans.insert(axis.index);
  } else if (axis.kind == tile::WindowAxis::whole) {
    usesOffset = true;
  } else {
    return check(axis.index, dim - first);
  }
  return llvm::Error::success();
}

llvm::Error Recutter::checkMaker(mlir::Operation *op, unsigned result, unsigned axis) {
  made.insert(op);
  if (llvm::isa<tile::ConstantOp, tile::SplatOp, tile::AbsentOp>(op)) {
    return llvm::Error::success();
  }
  if (llvm::isa<tile::IotaOp>(op)) {
    usesOffset = true;
    return llvm::Error::success();
  }
  if (auto index = llvm::dyn_cast<tile::SpanIndexOp>(op)) {
    cutSpans.insert(index.getSpan());
    return llvm::Error::success();
  }
  if (llvm::isa<tile::LoadOp>(op)) {
    if (llvm::Error error = checkUnwritten(op)) {
      return error;
    }
    return checkAccess(op, axis);
  }
  std::optional<unsigned> dim = dimOfResultAxis(op, result, axis);
  bool isParallel = dim && dimsOf(op)[*dim].kind == tile::IterKind::parallel;
  if (!isUniform(op) || !isParallel) {
    return refuse("_slice",
                  "a part of what `" + context.text(op) +
                      "` gives lies in registers at a place that only the loop knows",
                  "bind the factor to `reg`, which is unrolled, or `stage` the tile in memory", op);
  }
  return checkOp(op, *dim);
}

llvm::Error Recutter::check(mlir::Value tile, unsigned axis) {
  if (!checked.insert({tile, axis}).second) {
    return llvm::Error::success();
  }
  if (mlir::Operation *op = tile.getDefiningOp()) {
    return checkMaker(op, llvm::cast<mlir::OpResult>(tile).getResultNumber(), axis);
  }
  return refuse(
      "_slice", "a part of a carried tile lies in registers at a place that only the loop knows",
      "bind the factor to `reg`, which is unrolled", tile.getParentBlock()->getParentOp());
}

llvm::Error Recutter::checkOp(mlir::Operation *op, unsigned dim) {
  if (llvm::isa<tile::StoreOp, tile::LoadOp>(op)) {
    if (llvm::Error error = checkAccess(op, dim)) {
      return error;
    }
  }
  for (auto [number, operand] : llvm::enumerate(op->getOperands())) {
    for (unsigned axis = 0; axis < tile::shapeOf(operand.getType()).size(); ++axis) {
      if (dimOfOperandAxis(op, number, axis) == dim) {
        if (llvm::Error error = check(operand, axis)) {
          return error;
        }
      }
    }
  }
  return llvm::Error::success();
}

//===-- Making -----------------------------------------------------------------------------------------------------===//

mlir::Value Recutter::partOf(mlir::Value span) {
  mlir::Value &part = parts[span];
  if (!part) {
    mlir::RewriterBase &b = context.rewriter();
    mlir::Location loc = span.getLoc();
    mlir::Value start = tile::SpanStartOp::create(b, loc, b.getI64Type(), span);
    mlir::Value stop = tile::SpanStopOp::create(b, loc, b.getI64Type(), span);
    mlir::Value first = tile::AddOp::create(b, loc, start, offset);
    part = tile::SpanOp::create(b, loc, tile::SpanType::get(b.getContext(), size), first, stop);
  }
  return part;
}

mlir::Value Recutter::partOfWhole(int64_t extent) {
  mlir::RewriterBase &b = context.rewriter();
  mlir::Value end =
      tile::ConstantOp::create(b, offset.getLoc(), b.getI64Type(), b.getI64IntegerAttr(extent));
  return tile::SpanOp::create(b, offset.getLoc(), tile::SpanType::get(b.getContext(), size), offset,
                              end);
}

/// A load or store by cut indices.
mlir::Operation *Recutter::makeAccess(mlir::Operation *op, unsigned dim) {
  mlir::RewriterBase &b = context.rewriter();
  tile::Window window = windowOf(op);
  auto [at, first] = axisOfDim(window, dim);
  SmallVector<mlir::Value> indices;
  SmallVector<bool> whole;
  for (auto [i, axis] : llvm::enumerate(window.axes)) {
    if (axis.kind == tile::WindowAxis::whole) {
      whole.push_back(i != at);
      if (i == at) {
        indices.push_back(partOfWhole(axis.size));
      }
      continue;
    }
    whole.push_back(false);
    bool isCut = i == at;
    indices.push_back(!isCut                                  ? axis.index
                      : axis.kind == tile::WindowAxis::gather ? make(axis.index, dim - first)
                                                              : partOf(axis.index));
  }
  if (auto store = llvm::dyn_cast<tile::StoreOp>(op)) {
    return tile::StoreOp::create(b, op->getLoc(), make(store.getValue(), dim), store.getView(),
                                 indices, whole, store.getConflict());
  }
  auto load = llvm::cast<tile::LoadOp>(op);
  SmallVector<int64_t> shape(tile::shapeOf(load.getType()));
  shape[dim] = size;
  mlir::Type type = tile::scalarOrTile(shape, tile::elementTypeOf(load.getType()));
  return tile::LoadOp::create(b, op->getLoc(), type, load.getView(), indices, whole);
}

mlir::Operation *Recutter::makeOp(mlir::Operation *op, unsigned dim) {
  if (llvm::isa<tile::StoreOp, tile::LoadOp>(op)) {
    return makeAccess(op, dim);
  }
  SmallVector<mlir::Value> operands;
  for (auto [number, operand] : llvm::enumerate(op->getOperands())) {
    mlir::Value value = operand;
    for (unsigned axis = 0; axis < tile::shapeOf(operand.getType()).size(); ++axis) {
      if (dimOfOperandAxis(op, number, axis) == dim) {
        value = make(operand, axis);
      }
    }
    operands.push_back(value);
  }
  tile::IterBox box;
  for (const tile::IterDim &each : dimsOf(op)) {
    box.push_back({0, each.extent});
  }
  box[dim].size = size;
  mlir::Operation *copy = llvm::cast<tile::TileIterOpInterface>(op).cloneAt(
      context.rewriter(), op->getLoc(), operands, box);
  copy->removeAttr(tile::iterAttrName);
  return copy;
}

mlir::Value Recutter::make(mlir::Value tile, unsigned axis) {
  auto known = done.find({tile, axis});
  if (known != done.end()) {
    return known->second;
  }
  mlir::RewriterBase &b = context.rewriter();
  mlir::Operation *op = tile.getDefiningOp();
  SmallVector<int64_t> shape(tile::shapeOf(tile.getType()));
  shape[axis] = size;
  mlir::Type type = mlir::RankedTensorType::get(shape, tile::elementTypeOf(tile.getType()));
  mlir::Operation *copy = nullptr;
  if (llvm::isa<tile::ConstantOp, tile::SplatOp, tile::AbsentOp>(op)) {
    copy = b.clone(*op);
    copy->getResult(0).setType(type);
  } else if (llvm::isa<tile::IotaOp>(op)) {
    mlir::Value first = tile::IotaOp::create(b, op->getLoc(), type);
    mlir::Value shift = tile::SplatOp::create(b, op->getLoc(), type, offset);
    copy = tile::AddOp::create(b, op->getLoc(), first, shift);
  } else if (auto index = llvm::dyn_cast<tile::SpanIndexOp>(op)) {
    copy = tile::SpanIndexOp::create(b, op->getLoc(), type, partOf(index.getSpan()));
  } else if (llvm::isa<tile::LoadOp>(op)) {
    copy = makeAccess(op, axis);
  } else {
    unsigned result = llvm::cast<mlir::OpResult>(tile).getResultNumber();
    copy = makeOp(op, *dimOfResultAxis(op, result, axis));
  }
  context.derive(copy, op, "");
  mlir::Value value = copy->getResult(llvm::cast<mlir::OpResult>(tile).getResultNumber());
  done[{tile, axis}] = value;
  return value;
}

void schedule::eraseUnused(PrimitiveContext &context, llvm::ArrayRef<mlir::Operation *> ops) {
  // Users stand behind what they use.
  llvm::SetVector<mlir::Operation *> open(ops.begin(), ops.end());
  for (bool again = true; again;) {
    again = false;
    for (mlir::Operation *op : SmallVector<mlir::Operation *>(open.getArrayRef())) {
      bool isPure = mlir::isMemoryEffectFree(op) || llvm::isa<tile::LoadOp>(op);
      if (op->use_empty() && isPure) {
        open.remove(op);
        context.rewriter().eraseOp(op);
        again = true;
      }
    }
  }
}
