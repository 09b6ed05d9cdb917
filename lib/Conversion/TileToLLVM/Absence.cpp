// What is absent of the values inside an instruction: their registers are the instruction's own, their factors are not.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Boxes.h"
#include "Bufs.h"
#include "Instructions.h"
#include "Reducer.h"

#include "tessera/Dialect/Tile/Structure.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace tessera;
using namespace tessera::convert;
using llvm::SmallVector;
using mlir::Operation;
using mlir::Value;

/// What is known of a value: of those outside all, of those inside shape and factors.
TileValue BodyAbsence::of(Value value) {
  auto found = inside.find(value);
  if (found != inside.end()) {
    return found->second;
  }
  TileValue known;
  if (l.hasTile(value)) {
    const TileValue &tile = l.tile(value);
    known.shape = tile.shape;
    known.dist = tile.dist;
    known.factors = tile.factors;
  }
  return known;
}

/// What is read from a view may be filled by the text; of registers and shared memory an instruction knows nothing.
llvm::Error BodyAbsence::fill(tile::FillAbsentOp op) {
  bool isLoaded = op.getX().getDefiningOp<tile::LoadOp>() && !l.hasTile(op.getX());
  if (!of(op.getFill()).factors.empty() || (!isLoaded && !of(op.getX()).factors.empty())) {
    return llvm::createStringError("an instruction cannot tell which elements of its registers "
                                   "are absent: fill them before it");
  }
  return llvm::Error::success();
}

llvm::Error BodyAbsence::through(Operation *op) {
  TileValue made;
  Value result = op->getResult(0);
  llvm::append_range(made.shape, tile::shapeOf(result.getType()));
  if (auto fills = llvm::dyn_cast<tile::FillAbsentOp>(op)) {
    if (llvm::Error error = fill(fills)) {
      return error;
    }
  } else if (auto axes = schedule::renamedAxes(op)) {
    for (const Factor &factor : of(op->getOperand(0)).factors) {
      made.factors.push_back(renumbered(factor, *axes));
    }
  } else if (auto mma = llvm::dyn_cast<tile::MmaOp>(op)) {
    productFactors(of(mma.getA()), of(mma.getB()), of(mma.getAcc()), made);
  } else if (auto reduce = llvm::dyn_cast<tile::ReduceOp>(op)) {
    splitFactors(of(reduce.getX()), reduce.getAxis(), made);
  } else if (auto read = llvm::dyn_cast<tile::ReadOp>(op)) {
    made.factors = factorsOf(l, read);
  } else if (tile::isElementwise(op)) {
    for (Value operand : op->getOperands()) {
      addFactors(made.factors, of(operand).factors);
    }
  } else if (llvm::any_of(op->getOperands(),
                          [&](Value operand) { return !of(operand).factors.empty(); })) {
    return llvm::createStringError("what is absent after `" + op->getName().getStringRef().str() +
                                   "` in an instruction has no code: fill it before");
  }
  inside[result] = std::move(made);
  return llvm::Error::success();
}

void BodyAbsence::set(Value value, llvm::ArrayRef<Factor> factors) {
  TileValue known;
  llvm::append_range(known.shape, tile::shapeOf(value.getType()));
  known.factors.assign(factors.begin(), factors.end());
  inside[value] = std::move(known);
}

llvm::Error BodyAbsence::run(mlir::Block &body) {
  for (Operation &op : body.without_terminator()) {
    if (op.getNumResults() == 1 && !inside.count(op.getResult(0))) {
      if (llvm::Error error = through(&op)) {
        return error;
      }
    }
  }
  return llvm::Error::success();
}
