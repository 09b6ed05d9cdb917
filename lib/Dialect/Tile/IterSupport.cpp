//===- IterSupport.cpp - the methods of TileIterOpInterface ---------------===//
//
// Boxes and clones computed from the IterSpec of an op.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IterSpec.h"

#include "tessera/Dialect/Tile/TileOps.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace tessera::tile {

SmallVector<IterDim> parallelDims(ArrayRef<int64_t> shape) {
  SmallVector<IterDim> dims;
  for (auto [i, extent] : llvm::enumerate(shape)) {
    dims.push_back({"d" + std::to_string(i), extent, IterKind::parallel});
  }
  return dims;
}

AxisUses identityUses(ArrayRef<int64_t> shape) {
  AxisUses uses;
  for (auto [i, extent] : llvm::enumerate(shape)) {
    uses.push_back({AxisUse::along, static_cast<unsigned>(i), extent});
  }
  return uses;
}

SmallVector<AxisUses> noUses(size_t count) { return SmallVector<AxisUses>(count); }

/// An op without a description has no dims, as scalars have.
static IterSpec specOf(Operation *op) {
  for (auto chapter : {elementwiseSpec, shapeSpec, reduceSpec, viewSpec, storageSpec}) {
    if (std::optional<IterSpec> spec = chapter(op)) {
      return std::move(*spec);
    }
  }
  return {{}, noUses(op->getNumOperands()), noUses(op->getNumResults())};
}

static IterRange rangeOf(const AxisUse &use, const IterBox &box) {
  if (use.kind == AxisUse::whole || use.dim >= box.size()) {
    return {0, use.extent};
  }
  IterRange range = box[use.dim];
  switch (use.kind) {
  case AxisUse::along:
    return {range.offset + use.shift, range.size};
  case AxisUse::mirror:
    return {use.extent - range.offset - range.size, range.size};
  case AxisUse::prefix:
    return {0, range.offset + range.size};
  case AxisUse::suffix:
    return {range.offset, use.extent - range.offset};
  case AxisUse::part: {
    int64_t lo = std::max(range.offset, use.shift);
    int64_t hi = std::min(range.offset + range.size, use.shift + use.extent);
    return hi > lo ? IterRange{lo - use.shift, hi - lo} : IterRange{0, 0};
  }
  case AxisUse::whole:
    break;
  }
  return {0, use.extent};
}

static IterBox boxOf(const AxisUses &uses, const IterBox &box) {
  IterBox result;
  for (const AxisUse &use : uses) {
    result.push_back(rangeOf(use, box));
  }
  return result;
}

SmallVector<Window> iterWindows(Operation *op) {
  SmallVector<Window> windows = viewWindows(op);
  llvm::append_range(windows, storageWindows(op));
  if (auto apply = op->getParentOfType<ApplyOp>()) {
    for (Window &window : windows) {
      window.via = apply.getVia();
    }
  }
  return windows;
}

SmallVector<IterDim> iterDims(Operation *op) { return specOf(op).dims; }

IterBox iterOperandBox(Operation *op, unsigned index, const IterBox &box) {
  IterSpec spec = specOf(op);
  return index < spec.operands.size() ? boxOf(spec.operands[index], box) : IterBox();
}

IterBox iterResultBox(Operation *op, unsigned index, const IterBox &box) {
  IterSpec spec = specOf(op);
  return index < spec.results.size() ? boxOf(spec.results[index], box) : IterBox();
}

Operation *cloneWith(Operation *op, const Cut &cut) {
  IRMapping mapping;
  for (auto [old, fresh] : llvm::zip(op->getOperands(), cut.operands)) {
    mapping.map(old, fresh);
  }
  Operation *clone = op->clone(mapping);
  // One value may stand at two operands and be cut differently at each.
  clone->setOperands(cut.operands);
  clone->setLoc(cut.loc);
  for (auto [i, result] : llvm::enumerate(clone->getResults())) {
    SmallVector<int64_t> shape;
    for (const IterRange &range : iterResultBox(op, i, cut.box)) {
      shape.push_back(range.size);
    }
    result.setType(scalarOrTile(shape, elementTypeOf(result.getType())));
  }
  return cut.builder.insert(clone);
}

/// The box must have a range, inside its dim and not empty, for each dim.
static LogicalResult checkBox(Operation *op, Location loc, ArrayRef<IterDim> dims,
                              const IterBox &box) {
  if (box.size() != dims.size()) {
    return emitError(loc) << "expected a box of " << dims.size() << " ranges for `" << op->getName()
                          << "`, found " << box.size();
  }
  for (auto [dim, range] : llvm::zip(dims, box)) {
    if (range.offset < 0 || range.size < 1 || range.offset > dim.extent - range.size) {
      return emitError(loc) << "expected a range inside dim `" << dim.name << "` of extent "
                            << dim.extent << " of `" << op->getName() << "`, found " << range.size
                            << " points from " << range.offset;
    }
  }
  return success();
}

Operation *iterCloneAt(Operation *op, OpBuilder &builder, Location loc, ValueRange operands,
                       const IterBox &box) {
  if (failed(checkBox(op, loc, iterDims(op), box))) {
    return nullptr;
  }
  if (operands.size() != op->getNumOperands()) {
    emitError(loc) << "expected " << op->getNumOperands() << " operands for `" << op->getName()
                   << "`, found " << operands.size();
    return nullptr;
  }
  Cut cut{builder, loc, operands, box};
  for (auto chapter : {shapeCloneAt, reduceCloneAt, viewCloneAt, storageCloneAt}) {
    if (std::optional<Operation *> made = chapter(op, cut)) {
      return *made;
    }
  }
  return cloneWith(op, cut);
}

} // namespace tessera::tile
