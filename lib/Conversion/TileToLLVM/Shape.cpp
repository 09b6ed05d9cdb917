// Shapes and absence: registers under other coordinates, presence as a value.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Boxes.h"

#include "tessera/Support/Mutants.h"

#include "llvm/ADT/TypeSwitch.h"
#include "mlir/IR/TypeUtilities.h"

using namespace tessera;
using namespace tessera::convert;
using llvm::SmallVector;
using mlir::failed;
using mlir::failure;
using mlir::LogicalResult;
using mlir::Operation;
using mlir::success;

Factor convert::renumbered(const Factor &factor, llvm::ArrayRef<int64_t> newAxisOf) {
  Factor result = factor;
  result.axes = 0;
  for (auto [axis, to] : llvm::enumerate(newAxisOf)) {
    if ((factor.axes >> axis & 1) && to >= 0) {
      result.axes |= AxisSet(1) << to;
    }
  }
  if (!factor.count) {
    result.dist = factor.dist.mapAxes(newAxisOf);
    // Registers are numbered by their coordinates: the bits follow.
    unsigned rank = 0;
    for (int64_t to : newAxisOf) {
      rank = std::max<unsigned>(rank, unsigned(to + 1));
    }
    for (int64_t reg = 0; reg < result.dist.regs(); ++reg) {
      Coords to = result.dist.regCoords(reg, rank), from(newAxisOf.size(), 0);
      for (auto [axis, at] : llvm::enumerate(newAxisOf)) {
        from[axis] = at >= 0 ? to[at] : 0;
      }
      result.bits[reg] = factor.bits[factor.dist.regAt(from).value_or(0)];
    }
    result.bits.resize(result.dist.regs());
  }
  return result;
}

/// Ops whose result element at some coordinates is the operand's at others.
static LogicalResult lowerRenaming(Lowering &l, Operation *op) {
  const SmallVector<int64_t> newAxisOf = *schedule::renamedAxes(op);
  const TileValue &x = l.tile(op->getOperand(0));
  TileValue made = l.emptyFor(op->getResult(0));
  unsigned rank = made.shape.size();
  for (int64_t reg = 0; reg < made.dist.regs(); ++reg) {
    Coords to = made.dist.regCoords(reg, rank), from(x.shape.size(), 0);
    for (auto [axis, at] : llvm::enumerate(newAxisOf)) {
      from[axis] = at >= 0 ? to[at] : 0;
    }
    std::optional<int64_t> given = x.shape.empty() ? std::optional<int64_t>(0) : x.dist.regAt(from);
    if (!given) {
      return l.error(op, "the operand is held as <" + x.dist.text() + ">, the result as <" +
                             made.dist.text() + ">: run layout assignment before this");
    }
    made.regs.push_back(x.regs[*given]);
  }
  for (const Factor &factor : x.factors) {
    made.factors.push_back(renumbered(factor, newAxisOf));
  }
  l.set(op->getResult(0), std::move(made));
  return success();
}

static LogicalResult lowerConstant(Lowering &l, Operation *op) {
  auto constant = llvm::cast<tile::ConstantOp>(op);
  mlir::Type type = mlir::getElementTypeOrSelf(constant.getResult().getType());
  llvm::Constant *value = l.scalars.constant(constant.getValue(), type);
  if (!value) {
    return l.error(op, "the constant is no element of its type");
  }
  TileValue made = l.emptyFor(constant.getResult());
  made.regs.assign(made.dist.regs(), value);
  l.set(constant.getResult(), std::move(made));
  return success();
}

static LogicalResult lowerSplat(Lowering &l, Operation *op) {
  const TileValue &x = l.tile(op->getOperand(0));
  TileValue made = l.emptyFor(op->getResult(0));
  made.regs.assign(made.dist.regs(), x.regs.front());
  if (llvm::Value *isThere = l.present(x, 0)) {
    Factor factor;
    factor.axes = (AxisSet(1) << made.shape.size()) - 1;
    factor.dist = made.dist;
    factor.bits.assign(made.dist.regs(), isThere);
    made.factors.push_back(std::move(factor));
  }
  l.set(op->getResult(0), std::move(made));
  return success();
}

//===- absence ------------------------------------------------------------===//

static LogicalResult lowerAbsent(Lowering &l, Operation *op) {
  TileValue made = l.emptyFor(op->getResult(0));
  llvm::Type *type = l.registerOf(op->getResult(0).getType());
  made.regs.assign(made.dist.regs(), llvm::Constant::getNullValue(type));
  Factor factor;
  factor.axes = (AxisSet(1) << made.shape.size()) - 1;
  factor.dist = made.dist;
  factor.bits.assign(made.dist.regs(), l.b.getFalse());
  made.factors.push_back(std::move(factor));
  l.set(op->getResult(0), std::move(made));
  return success();
}

static LogicalResult lowerFill(Lowering &l, Operation *op) {
  auto fill = llvm::cast<tile::FillAbsentOp>(op);
  const TileValue x = l.tile(fill.getX()), other = l.tile(fill.getFill());
  TileValue made = x;
  made.factors.clear();
  Factor either;
  either.axes = (AxisSet(1) << made.shape.size()) - 1;
  either.dist = made.dist;
  for (int64_t reg = 0; reg < made.dist.regs(); ++reg) {
    llvm::Value *isThere = l.present(x, reg);
    if (isThere) {
      made.regs[reg] = l.b.CreateSelect(isThere, x.regs[reg], other.regs[reg]);
    }
    if (!other.factors.empty()) {
      llvm::Value *isOther = l.bit(l.present(other, reg));
      llvm::Value *always = l.b.getTrue();
      llvm::Value *one = isThere ? l.b.CreateOr(isThere, isOther) : always;
      either.bits.push_back(TESSERA_MUTANT(514, "what fills is always there", one, always));
    }
  }
  if (!either.bits.empty() && !x.factors.empty()) {
    made.factors.push_back(std::move(either));
  }
  l.set(fill.getResult(), std::move(made));
  return success();
}

static LogicalResult lowerKeep(Lowering &l, Operation *op) {
  auto keep = llvm::cast<tile::KeepIfOp>(op);
  TileValue made = l.tile(keep.getX());
  const TileValue &condition = l.tile(keep.getCondition());
  Factor factor;
  factor.dist = condition.dist;
  factor.bits = condition.regs;
  for (int64_t axis : keep.getAxes()) {
    factor.axes |= AxisSet(1) << axis;
  }
  made.factors.push_back(std::move(factor));
  llvm::ArrayRef<Factor> more =
      TESSERA_MUTANT(515, "an absent condition keeps", condition.factors, llvm::ArrayRef<Factor>());
  addFactors(made.factors, more);
  l.set(keep.getResult(), std::move(made));
  return success();
}

static LogicalResult lowerPresent(Lowering &l, Operation *op) {
  const TileValue &x = l.tile(op->getOperand(0));
  TileValue made = l.emptyFor(op->getResult(0));
  for (int64_t reg = 0; reg < x.dist.regs(); ++reg) {
    made.regs.push_back(l.bit(l.present(x, reg)));
  }
  l.set(op->getResult(0), std::move(made));
  return success();
}

static LogicalResult lowerConvert(Lowering &l, Operation *op) {
  const TileValue x = l.tile(op->getOperand(0));
  TileValue made = l.emptyFor(op->getResult(0));
  if (failed(l.moved(op, x, made))) {
    return failure();
  }
  l.set(op->getResult(0), std::move(made));
  return success();
}

LowerOp convert::shapeOp(Operation *op) {
  return llvm::TypeSwitch<Operation *, LowerOp>(op)
      .Case<tile::BroadcastOp, tile::ExpandOp, tile::SqueezeOp, tile::PermuteOp>(
          [](auto) { return lowerRenaming; })
      .Case<tile::ConstantOp>([](auto) { return lowerConstant; })
      .Case<tile::SplatOp>([](auto) { return lowerSplat; })
      .Case<tile::AbsentOp>([](auto) { return lowerAbsent; })
      .Case<tile::FillAbsentOp>([](auto) { return lowerFill; })
      .Case<tile::KeepIfOp>([](auto) { return lowerKeep; })
      .Case<tile::PresentOp>([](auto) { return lowerPresent; })
      .Case<tile::ConvertOp>([](auto) { return lowerConvert; })
      .Default([](Operation *) { return nullptr; });
}
