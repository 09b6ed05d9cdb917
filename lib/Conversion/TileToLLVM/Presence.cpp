// What is present: factors of a tile as conditions on its registers.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Lowering.h"

#include "tessera/Support/Mutants.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace tessera;
using namespace tessera::convert;
using llvm::ArrayRef;
using llvm::SmallVector;
using mlir::Operation;

llvm::Value *Lowering::both(llvm::Value *a, llvm::Value *c) {
  if (!a || !c) {
    return a ? a : c;
  }
  return a == c ? a : b.CreateAnd(a, c);
}

Factor Lowering::spanFactor(unsigned axis, mlir::Value span) {
  const SpanValue &held = spans.at(span);
  Factor factor;
  factor.axes = AxisSet(1) << axis;
  factor.count = b.CreateSub(held.stop, held.start);
  factor.span = span;
  return factor;
}

/// How many coordinates of a span a thread has from its own on, and comparisons with that: asked for each register, made once
/// in a block.
llvm::Value *Lowering::spanHolds(llvm::Value *count, llvm::Value *thread, int64_t coord) {
  if (compared.block != b.GetInsertBlock()) {
    compared = Compared();
    compared.block = b.GetInsertBlock();
  }
  llvm::Value *&left = compared.left[{count, thread}];
  if (!left) {
    left = b.CreateSub(count, b.CreateZExt(thread, b.getInt64Ty()));
  }
  llvm::Value *&isBelow = compared.isBelow[{left, coord}];
  if (!isBelow) {
    isBelow = b.CreateICmp(TESSERA_MUTANT(440, "one element beyond a span is present",
                                          llvm::CmpInst::ICMP_SGT, llvm::CmpInst::ICMP_SGE),
                           left, i64(coord));
  }
  return isBelow;
}

llvm::Value *Lowering::holds(const Factor &factor, const Dist &dist, ArrayRef<int64_t> coords) {
  if (factor.count) {
    unsigned axis = llvm::countr_zero(factor.axes);
    return spanHolds(factor.count, threadCoord(dist, axis), coords[axis]);
  }
  SmallVector<int64_t> own(coords);
  for (unsigned axis = 0; axis < own.size(); ++axis) {
    own[axis] = factor.axes >> axis & 1 ? own[axis] : 0;
  }
  std::optional<int64_t> reg = factor.dist.regAt(own);
  return reg ? factor.bits[*reg] : static_cast<llvm::Value *>(b.getTrue());
}

llvm::Value *Lowering::present(const TileValue &tile, int64_t reg) {
  if (tile.factors.empty()) {
    return nullptr;
  }
  Coords coords = tile.dist.regCoords(reg, tile.shape.size());
  llvm::Value *all = nullptr;
  for (const Factor &factor : tile.factors) {
    all = both(all, holds(factor, tile.dist, coords));
  }
  return all;
}

llvm::Value *Lowering::inside(const TileValue &tile, int64_t reg) {
  Coords coords = tile.dist.regCoords(reg, tile.shape.size());
  llvm::Value *all = nullptr;
  for (auto [axis, extent] : llvm::enumerate(tile.shape)) {
    if (tile.dist.reach(axis) > extent) {
      llvm::Value *at = b.CreateAdd(threadCoord(tile.dist, axis), i32(coords[axis]));
      all = both(all, b.CreateICmp(TESSERA_MUTANT(441, "one element beyond the shape is inside",
                                                  llvm::CmpInst::ICMP_ULT, llvm::CmpInst::ICMP_ULE),
                                   at, i32(extent)));
    }
  }
  return all;
}

//===- where factors come from --------------------------------------------===//

namespace {
/// Whether every factor over exactly one axis stems from one span, around loops too.
class Origin {
public:
  Origin(mlir::Value span) : span(span) {}

  bool of(mlir::Value value, int64_t axis) {
    if (axis < 0 || !llvm::isa<mlir::RankedTensorType>(value.getType()) ||
        !seen.insert({value, axis}).second) {
      return true;
    }
    if (auto argument = llvm::dyn_cast<mlir::BlockArgument>(value)) {
      auto loop = llvm::dyn_cast<tile::ForOp>(argument.getOwner()->getParentOp());
      return loop && argument.getArgNumber() > 0 && ofLoop(loop, argument.getArgNumber() - 1, axis);
    }
    auto result = llvm::cast<mlir::OpResult>(value);
    return ofOp(result.getOwner(), result.getResultNumber(), axis);
  }

private:
  bool ofLoop(tile::ForOp loop, unsigned number, int64_t axis) {
    return of(loop.getInits()[number], axis) &&
           of(loop.getBody().front().getTerminator()->getOperand(number), axis);
  }
  bool ofIndices(mlir::OperandRange indices, ArrayRef<bool> whole, int64_t axis) {
    int64_t next = 0;
    unsigned index = 0;
    for (bool isWhole : whole) {
      if (isWhole) {
        if (next++ == axis) {
          return true;
        }
        continue;
      }
      mlir::Value given = indices[index++];
      auto tile = llvm::dyn_cast<mlir::RankedTensorType>(given.getType());
      int64_t axes = llvm::isa<tile::SpanType>(given.getType()) ? 1 : tile ? tile.getRank() : 0;
      if (axis < next + axes && axis >= next) {
        return given == span;
      }
      next += axes;
    }
    return true;
  }
  bool ofOp(Operation *op, unsigned result, int64_t axis) {
    auto all = [&](int64_t of) {
      return llvm::all_of(op->getOperands(), [&](mlir::Value v) { return this->of(v, of); });
    };
    if (op->hasTrait<tile::ElementwiseRow>()) {
      return all(axis);
    }
    return llvm::TypeSwitch<Operation *, bool>(op)
        .Case<tile::BitsOp, tile::CastOp, tile::CmpOp, tile::FromBitsOp, tile::SelectOp,
              tile::ConvertOp>([&](auto) { return all(axis); })
        .Case<tile::ConstantOp, tile::IotaOp, tile::SplatOp>([](auto) { return true; })
        .Case<tile::LoadOp>(
            [&](auto load) { return ofIndices(load.getIndices(), load.getWhole(), axis); })
        .Case<tile::ReadOp>(
            [&](auto read) { return ofIndices(read.getSpans(), read.getWhole(), axis); })
        .Case([&](tile::SpanIndexOp index) { return index.getSpan() == span; })
        .Case([&](tile::FillAbsentOp fill) { return of(fill.getFill(), axis); })
        .Case([&](tile::KeepIfOp keep) {
          return !(keep.getAxes().size() == 1 && keep.getAxes().front() == axis) &&
                 of(keep.getX(), axis) && of(keep.getCondition(), axis);
        })
        .Case([&](tile::BroadcastOp cast) {
          return cast.getX().getType().getShape()[axis] !=
                     cast.getResult().getType().getShape()[axis] ||
                 of(cast.getX(), axis);
        })
        .Case([&](tile::ExpandOp expand) {
          int64_t before = llvm::count_if(expand.getAxes(), [&](int64_t a) { return a < axis; });
          return llvm::is_contained(expand.getAxes(), axis) || of(expand.getX(), axis - before);
        })
        .Case([&](tile::PermuteOp permute) {
          return of(permute.getX(), permute.getPermutation()[axis]);
        })
        .Case([&](tile::ReduceOp reduce) {
          return of(reduce.getX(), axis < int64_t(reduce.getAxis()) ? axis : axis + 1);
        })
        .Case([&](tile::MmaOp mma) {
          return of(mma.getAcc(), axis) && of(axis == 0 ? mma.getA() : mma.getB(), axis);
        })
        .Case([&](tile::ForOp loop) { return ofLoop(loop, result, axis); })
        .Case<tile::SectionOp, tile::ApplyOp>([&](auto region) {
          return of(region.getBody().front().getTerminator()->getOperand(result), axis);
        })
        .Default([](Operation *) { return false; });
  }

  mlir::Value span;
  llvm::DenseSet<std::pair<mlir::Value, int64_t>> seen;
};
} // namespace

bool Lowering::isImplied(mlir::Value value, unsigned axis, mlir::Value span) {
  return TESSERA_MUTANT(442, "a mask over rows is taken for the span", Origin(span).of(value, axis),
                        true);
}
