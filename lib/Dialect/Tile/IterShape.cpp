//===- IterShape.cpp - dims of constants, index maps, absence -------------===//
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

/// The result's axes are the dims; operands are filled in by the op.
IterSpec byResult(Operation *op) {
  ArrayRef<int64_t> shape = shapeOf(op->getResult(0).getType());
  return {parallelDims(shape), noUses(op->getNumOperands()), {identityUses(shape)}};
}

IterSpec specOf(BroadcastOp op) {
  IterSpec spec = byResult(op);
  ArrayRef<int64_t> from = op.getX().getType().getShape(), to = op.getResult().getType().getShape();
  AxisUses &uses = spec.operands[0] = identityUses(to);
  for (size_t axis = 0; axis < from.size(); ++axis) {
    if (from[axis] != to[axis]) {
      uses[axis] = AxisUse{};
    }
  }
  return spec;
}

IterSpec specOf(CatOp op) {
  IterSpec spec = byResult(op);
  int64_t start = 0;
  for (auto [i, part] : llvm::enumerate(op.getParts())) {
    auto shape = shapeOf(part.getType());
    AxisUses &uses = spec.operands[i] = identityUses(shape);
    unsigned axis = op.getAxis();
    uses[axis] = {AxisUse::part, axis, shape[axis], start};
    start += shape[axis];
  }
  return spec;
}

IterSpec specOf(ExpandOp op) {
  IterSpec spec;
  ArrayRef<int64_t> from = shapeOf(op.getX().getType());
  spec.dims = parallelDims(from);
  spec.operands = {identityUses(from)};
  AxisUses &uses = spec.results.emplace_back();
  unsigned next = 0;
  for (auto [axis, extent] : llvm::enumerate(op.getResult().getType().getShape())) {
    if (llvm::is_contained(op.getAxes(), static_cast<int64_t>(axis))) {
      uses.push_back(AxisUse{});
    } else {
      uses.push_back({AxisUse::along, next++, extent});
    }
  }
  return spec;
}

IterSpec specOf(SqueezeOp op) {
  IterSpec spec = byResult(op);
  unsigned next = 0;
  for (auto [axis, extent] : llvm::enumerate(op.getX().getType().getShape())) {
    if (llvm::is_contained(op.getAxes(), static_cast<int64_t>(axis))) {
      spec.operands[0].push_back(AxisUse{});
    } else {
      spec.operands[0].push_back({AxisUse::along, next++, extent});
    }
  }
  return spec;
}

IterSpec specOf(FlipOp op) {
  IterSpec spec = byResult(op);
  spec.operands[0] = identityUses(op.getX().getType().getShape());
  spec.operands[0][op.getAxis()].kind = AxisUse::mirror;
  return spec;
}

IterSpec specOf(KeepIfOp op) {
  IterSpec spec = byResult(op);
  spec.operands[0] = identityUses(shapeOf(op.getX().getType()));
  AxisUses &condition = spec.operands[1] = spec.operands[0];
  for (auto [axis, use] : llvm::enumerate(condition)) {
    if (!llvm::is_contained(op.getAxes(), static_cast<int64_t>(axis))) {
      use = AxisUse{};
    }
  }
  return spec;
}

IterSpec specOf(PermuteOp op) {
  IterSpec spec = byResult(op);
  ArrayRef<int64_t> shape = op.getX().getType().getShape();
  AxisUses &uses = spec.operands[0];
  uses.resize(shape.size());
  for (auto [i, axis] : llvm::enumerate(op.getPermutation())) {
    uses[axis] = {AxisUse::along, static_cast<unsigned>(i), shape[axis]};
  }
  return spec;
}

/// An axis of the operand that the reshape keeps follows the result's; all others are needed whole, because a range of
/// one shape is in general no box of the other.
IterSpec specOf(ReshapeOp op) {
  IterSpec spec = byResult(op);
  for (int64_t extent : op.getX().getType().getShape()) {
    spec.operands[0].push_back({AxisUse::whole, 0, extent});
  }
  for (auto [from, to] :
       keptAxes(op.getX().getType().getShape(), op.getResult().getType().getShape())) {
    AxisUse &use = spec.operands[0][from];
    use.kind = AxisUse::along;
    use.dim = to;
  }
  return spec;
}

IterSpec specOf(SliceOp op) {
  IterSpec spec = byResult(op);
  AxisUses &uses = spec.operands[0] = identityUses(op.getX().getType().getShape());
  for (auto [use, offset] : llvm::zip(uses, op.getOffsets())) {
    use.shift = offset;
  }
  return spec;
}

} // namespace

std::optional<IterSpec> shapeSpec(Operation *op) {
  return TypeSwitch<Operation *, std::optional<IterSpec>>(op)
      .Case<BroadcastOp, CatOp, ExpandOp, FlipOp, KeepIfOp, PermuteOp, ReshapeOp, SliceOp,
            SqueezeOp>([](auto cast) { return specOf(cast); })
      // Their operand, if they have one, is a scalar.
      .Case<AbsentOp, ConstantOp, IotaOp, SplatOp>([](Operation *cast) { return byResult(cast); })
      .Default([](Operation *) { return std::nullopt; });
}

static Operation *cutIota(IotaOp op, const Cut &cut) {
  IterRange range = cut.box[0];
  Operation *iota = cloneWith(op, cut);
  if (range.offset == 0) {
    return iota;
  }
  Type type = iota->getResult(0).getType();
  Value start =
      ConstantOp::create(cut.builder, cut.loc, type, cut.builder.getI64IntegerAttr(range.offset));
  return AddOp::create(cut.builder, cut.loc, iota->getResult(0), start);
}

/// The reshape of what the operand's box holds, then the part of it that the box wants.
static Operation *cutReshape(ReshapeOp op, const Cut &cut) {
  SmallVector<int64_t> shape(op.getResult().getType().getShape());
  SmallVector<int64_t> offsets, part;
  for (const IterRange &range : cut.box) {
    offsets.push_back(range.offset);
    part.push_back(range.size);
  }
  for (auto [from, to] : keptAxes(op.getX().getType().getShape(), shape)) {
    shape[to] = cut.box[to].size;
    offsets[to] = 0;
  }
  Type element = op.getResult().getType().getElementType();
  auto reshape = ReshapeOp::create(cut.builder, cut.loc, RankedTensorType::get(shape, element),
                                   cut.operands[0]);
  if (shape == part) {
    return reshape;
  }
  return SliceOp::create(cut.builder, cut.loc, RankedTensorType::get(part, element),
                         reshape.getResult(), offsets);
}

std::optional<Operation *> shapeCloneAt(Operation *op, const Cut &cut) {
  return TypeSwitch<Operation *, std::optional<Operation *>>(op)
      .Case([&](IotaOp iota) { return cutIota(iota, cut); })
      .Case([&](ReshapeOp reshape) { return cutReshape(reshape, cut); })
      .Case([&](SliceOp slice) {
        // The operand is cut to the part already.
        auto clone = cast<SliceOp>(cloneWith(slice, cut));
        clone.setOffsets(SmallVector<int64_t>(cut.box.size(), 0));
        return clone.getOperation();
      })
      .Case([&](CatOp cat) -> Operation * {
        SmallVector<Value> parts;
        for (auto [i, part] : llvm::enumerate(cut.operands)) {
          if (iterOperandBox(cat, i, cut.box)[cat.getAxis()].size > 0) {
            parts.push_back(part);
          }
        }
        SmallVector<int64_t> shape;
        for (const IterRange &range : cut.box) {
          shape.push_back(range.size);
        }
        Type type = RankedTensorType::get(shape, cat.getResult().getType().getElementType());
        return CatOp::create(cut.builder, cut.loc, type, parts, cat.getAxis());
      })
      .Default([](Operation *) { return std::nullopt; });
}

} // namespace tessera::tile
