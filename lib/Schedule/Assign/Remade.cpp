// Values that are cheaper to make once more in another distribution than to move between threads: loads that no schedule pins
// and what little is computed of them, as a tile that a product's result is combined with.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Remade.h"

#include "tessera/Dialect/Tile/Structure.h"
#include "tessera/Numeric/ScalarOp.h"

using namespace tessera;
using namespace tessera::schedule;
using mlir::Operation;
using mlir::Value;

/// Bytes side by side along the last axis that a warp's lanes take at once.
static int64_t bytesTogether(const Dist &dist, mlir::RankedTensorType type) {
  int64_t run = 1, last = type.getRank() - 1;
  for (tile::Place place : {tile::Place::reg, tile::Place::lane}) {
    bool isLonger = true;
    while (isLonger) {
      isLonger = false;
      for (const tile::DistMode &mode : dist.modes(place)) {
        if (mode.axis == last && mode.stride == run && mode.extent > 1) {
          run *= mode.extent;
          isLonger = true;
        }
      }
    }
  }
  return run * std::max<int64_t>(type.getElementType().getIntOrFloatBitWidth() / 8, 1);
}

/// A sector of memory is 32 bytes: half of it at least is used at once, the rest by the next registers.
static bool isLoadedAnew(tile::LoadOp load, const Dist &want) {
  constexpr int64_t leastBytes = 16;
  auto type = llvm::dyn_cast<mlir::RankedTensorType>(load.getResult().getType());
  bool hasTiles = llvm::any_of(load->getOperandTypes(), [](mlir::Type operand) {
    return llvm::isa<mlir::RankedTensorType>(operand);
  });
  return type && !hasTiles && !load->hasAttr(tile::iterAttrName) &&
         bytesTogether(want, type) >= leastBytes;
}

static bool isCheap(Operation *op) {
  auto row = scalarOpByMnemonic(op->getName().stripDialect());
  bool isFunction = row && (info(*row).hasAccuracy || row == ScalarOp::Div);
  return (tile::isElementwise(op) && !isFunction && !llvm::isa<tile::PhiloxOp>(op)) ||
         renamedAxes(op).has_value();
}

static bool isRemade(Preferences &prefer, Value value, const Dist &want, unsigned depth) {
  if (!llvm::isa<mlir::RankedTensorType>(value.getType()) || !prefer.of(value)) {
    return true;
  }
  Operation *op = value.getDefiningOp();
  if (!op || !value.hasOneUse() || op->hasAttr(tile::iterAttrName)) {
    return false;
  }
  if (auto load = llvm::dyn_cast<tile::LoadOp>(op)) {
    return isLoadedAnew(load, want);
  }
  if (depth == 0 || !isCheap(op)) {
    return false;
  }
  for (auto [i, operand] : llvm::enumerate(op->getOperands())) {
    std::optional<Dist> needed = operandFor(op, i, want);
    if (!needed || !isRemade(prefer, operand, *needed, depth - 1)) {
      return false;
    }
  }
  return true;
}

bool schedule::isCheaperToMake(Preferences &prefer, Value value, const Dist &want) {
  constexpr unsigned depth = 4;
  return isRemade(prefer, value, want, depth);
}
