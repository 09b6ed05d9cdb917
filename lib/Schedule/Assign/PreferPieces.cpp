// What instructions give, and how the threads share out their pieces.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Prefer.h"

using namespace tessera;
using namespace tessera::schedule;
using llvm::SmallVector;
using mlir::Operation;
using mlir::Value;

const Placement *Preferences::placement(tile::ApplyOp apply) {
  std::unique_ptr<Placement> &known = placements[apply];
  if (known) {
    return known.get();
  }
  llvm::Expected<Placement> found = placementOf(apply);
  if (!found) {
    std::string text = llvm::toString(found.takeError());
    if (!error) {
      error.emplace(apply, text);
    }
    return nullptr;
  }
  known = std::make_unique<Placement>(std::move(*found));
  return known.get();
}

/// As the dims say. A group that executes a piece together has all its lanes in it.
std::optional<Dist> Preferences::spreadPieces(tile::ApplyOp apply, const Placement &placement) {
  bool isAlone = placement.instr.getScope() == tile::ExecScope::thread;
  bool isElected = bool(apply->getParentOfType<tile::ElectOp>());
  llvm::Expected<Dist> spread = pieceDist(placement.root, placement.atoms, isElected ? 1 : warps,
                                          isAlone && !isElected ? 32 : 1);
  if (spread) {
    return *spread;
  }
  std::string text = llvm::toString(spread.takeError());
  if (!error) {
    error.emplace(apply, text);
  }
  return std::nullopt;
}

std::optional<Dist> Preferences::pieces(tile::ApplyOp apply) {
  const Placement *found = placement(apply);
  if (!found) {
    return std::nullopt;
  }
  auto known = piecesOf.find(apply);
  if (known != piecesOf.end()) {
    return known->second;
  }
  std::optional<Dist> result;
  if (!bindsThreads(found->root)) {
    for (auto [index, operand] : llvm::enumerate(found->operands)) {
      bool isTile = operand.fragment && operand.value && !result;
      std::optional<Dist> has = isTile ? of(operand.value) : std::nullopt;
      has = has || !isTile ? has : natural(operand.value);
      result = has ? found->piecesFor(index, *has) : result;
    }
  }
  if (!result) {
    result = spreadPieces(apply, *found);
  }
  if (result) {
    piecesOf[apply] = *result;
  }
  return result;
}

std::optional<Dist> Preferences::ofApply(tile::ApplyOp apply, unsigned result) {
  if (isPlainProduct(apply)) {
    llvm::Expected<ProductDists> dists =
        productDists(apply, llvm::cast<tile::MmaOp>(pointsOf(apply)));
    if (dists) {
      return dists->c;
    }
    std::string text = llvm::toString(dists.takeError());
    if (!error) {
      error.emplace(apply, text);
    }
    return std::nullopt;
  }
  const Placement *found = placement(apply);
  if (!found || found->isFree()) {
    return std::nullopt; // what a matrix load gives is asked for by its user
  }
  std::optional<Dist> shared = pieces(apply);
  return shared ? std::optional<Dist>(found->held(found->results[result], *shared)) : std::nullopt;
}

std::optional<Dist> Preferences::natural(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op || !llvm::isa<mlir::RankedTensorType>(value.getType())) {
    return std::nullopt;
  }
  if (auto apply = llvm::dyn_cast<tile::ApplyOp>(op)) {
    const Placement *found = isPlainProduct(apply) ? nullptr : placement(apply);
    std::optional<Dist> shared = found && found->isFree() ? pieces(apply) : std::nullopt;
    return shared ? std::optional<Dist>(found->held(found->results.front(), *shared))
                  : std::nullopt;
  }
  std::optional<SmallVector<int64_t>> axes = renamedAxes(op);
  if (!isPointwise(op) && !axes) {
    return std::nullopt;
  }
  for (Value operand : op->getOperands()) {
    if (std::optional<Dist> found = natural(operand)) {
      return axes ? found->mapAxes(*axes) : *found;
    }
  }
  return std::nullopt;
}
