//===- IterReduce.cpp - dims of reductions, scans, products ---------------===//
//
// The dim along the reduced axis is `r`; the others are numbered as the result's axes.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IterSpec.h"

#include "tessera/Dialect/Tile/TileOps.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tessera::tile {
namespace {

/// Float sums and products depend on the order, everything else does not.
IterKind classOf(ReduceOp op) {
  bool isSum = op.getKind() == ReduceKind::sum || op.getKind() == ReduceKind::prod;
  if (!isSum || !isa<FloatType>(elementTypeOf(op.getX().getType()))) {
    return IterKind::exact;
  }
  return op.getOrder() == ReduceOrder::tree ? IterKind::tree : IterKind::any;
}

/// Dims of an operand reduced along `axis`: the other axes, then `r`.
IterSpec alongAxis(Operation *op, ArrayRef<int64_t> shape, int64_t axis, IterKind kind) {
  IterSpec spec;
  spec.operands = noUses(op->getNumOperands());
  AxisUses rest;
  for (auto [i, extent] : llvm::enumerate(shape)) {
    unsigned dim = static_cast<int64_t>(i) < axis ? i : i - 1;
    if (static_cast<int64_t>(i) == axis) {
      dim = shape.size() - 1;
    } else {
      spec.dims.push_back({"d" + std::to_string(dim), extent, IterKind::parallel});
      rest.push_back({AxisUse::along, dim, extent});
    }
    spec.operands[0].push_back({AxisUse::along, dim, extent});
  }
  spec.dims.push_back({"r", shape[axis], kind});
  spec.results.assign(op->getNumResults(), rest);
  return spec;
}

template <class Op> IterSpec scanSpec(Op op, bool reverse) {
  ArrayRef<int64_t> shape = op.getX().getType().getShape();
  IterSpec spec = alongAxis(op, shape, op.getAxis(), IterKind::scan);
  spec.results[0] = spec.operands[0];
  // An element needs all elements before it.
  spec.operands[0][op.getAxis()].kind = reverse ? AxisUse::suffix : AxisUse::prefix;
  return spec;
}

IterSpec specOf(TopKOp op) {
  ArrayRef<int64_t> shape = op.getX().getType().getShape();
  IterSpec spec = alongAxis(op, shape, op.getAxis(), IterKind::exact);
  for (AxisUses &uses : spec.results) {
    uses = spec.operands[0];
    uses[op.getAxis()] = {AxisUse::whole, 0, static_cast<int64_t>(op.getK())};
  }
  return spec;
}

IterSpec specOf(MmaOp op) {
  int64_t m = op.getA().getType().getDimSize(0), k = op.getA().getType().getDimSize(1);
  int64_t n = op.getB().getType().getDimSize(1);
  AxisUse alongM{AxisUse::along, 0, m}, alongN{AxisUse::along, 1, n}, alongK{AxisUse::along, 2, k};
  IterSpec spec;
  spec.dims = {{"m", m, IterKind::parallel}, {"n", n, IterKind::parallel}, {"k", k, IterKind::dot}};
  spec.operands = {{alongM, alongK}, {alongK, alongN}, {alongM, alongN}};
  spec.results = {{alongM, alongN}};
  return spec;
}

IterSpec specOf(HistogramOp op) {
  IterSpec spec;
  ArrayRef<int64_t> shape = op.getX().getType().getShape();
  for (auto [i, extent] : llvm::enumerate(shape)) {
    spec.dims.push_back({"r" + std::to_string(i), extent, IterKind::exact});
  }
  spec.operands = {identityUses(shape)};
  spec.results = {{AxisUse{AxisUse::whole, 0, op.getResult().getType().getDimSize(0)}}};
  return spec;
}

} // namespace

std::optional<IterSpec> reduceSpec(Operation *op) {
  return TypeSwitch<Operation *, std::optional<IterSpec>>(op)
      .Case<ArgMaxOp, ArgMinOp>([](auto cast) {
        return alongAxis(cast, cast.getX().getType().getShape(), cast.getAxis(), IterKind::exact);
      })
      .Case([](ReduceOp cast) {
        return alongAxis(cast, cast.getX().getType().getShape(), cast.getAxis(), classOf(cast));
      })
      .Case([](ReduceWithOp cast) {
        return alongAxis(cast, cast.getX().getType().getShape(), cast.getAxis(), IterKind::tree);
      })
      .Case<ScanOp, ScanWithOp>([](auto cast) { return scanSpec(cast, cast.getReverse()); })
      .Case<HistogramOp, MmaOp, TopKOp>([](auto cast) { return specOf(cast); })
      .Default([](Operation *) { return std::nullopt; });
}

/// The scan of everything up to the box, then the part of it inside.
static Operation *cutScan(Operation *op, int64_t axis, bool reverse, const Cut &cut) {
  IterBox operand = iterOperandBox(op, 0, cut.box), result = iterResultBox(op, 0, cut.box);
  auto from = cast<RankedTensorType>(op->getOperand(0).getType());
  // The longest box with this operand: from the scan's end up to the same border.
  IterBox longest = cut.box;
  longest.back() = operand[axis];
  Operation *scan = cloneWith(op, {cut.builder, cut.loc, cut.operands, longest});
  if (operand[axis] == result[axis]) {
    return scan;
  }
  SmallVector<int64_t> offsets(from.getRank(), 0), shape;
  for (const IterRange &range : result) {
    shape.push_back(range.size);
  }
  offsets[axis] = result[axis].offset - operand[axis].offset;
  Type type = scalarOrTile(shape, elementTypeOf(scan->getResult(0).getType()));
  return SliceOp::create(cut.builder, cut.loc, type, scan->getResult(0), offsets);
}

/// Indices along `r` count from the operand's first element: a part that starts later has no name for its own.
static Operation *cutIndexed(Operation *op, int64_t least, const Cut &cut) {
  IterRange range = cut.box.back();
  if (range.offset != 0 || range.size < least) {
    emitError(cut.loc) << "expected a part of dim `r` of `" << op->getName()
                       << "` that starts at 0 and has " << least << " points or more, found "
                       << range.size << " points from " << range.offset
                       << ": the indices it returns count from the first element";
    return nullptr;
  }
  return cloneWith(op, cut);
}

std::optional<Operation *> reduceCloneAt(Operation *op, const Cut &cut) {
  return TypeSwitch<Operation *, std::optional<Operation *>>(op)
      .Case<ArgMaxOp, ArgMinOp>([&](auto cast) { return cutIndexed(cast, 1, cut); })
      .Case([&](TopKOp cast) { return cutIndexed(cast, cast.getK(), cut); })
      .Case<ScanOp, ScanWithOp>(
          [&](auto cast) { return cutScan(cast, cast.getAxis(), cast.getReverse(), cut); })
      .Default([](Operation *) { return std::nullopt; });
}

} // namespace tessera::tile
