// Ops that an instruction does already: unified anew, so that nothing has to be remembered of how they were.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tessera/Schedule/Dims.h"
#include "tessera/Schedule/Unify.h"

#include "mlir/IR/SymbolTable.h"

using namespace tessera;
using namespace tessera::schedule;
using llvm::SmallVector;

/// The ops whose results leave the apply, in the order of its results, and those that write to memory: what a match
/// begins at.
static SmallVector<mlir::Operation *> lastOps(tile::ApplyOp apply) {
  SmallVector<mlir::Operation *> ops;
  mlir::Block &body = apply.getBody().front();
  for (mlir::Value value : body.getTerminator()->getOperands()) {
    if (mlir::Operation *op = value.getDefiningOp(); op && !llvm::is_contained(ops, op)) {
      ops.push_back(op);
    }
  }
  for (mlir::Operation &op : body.without_terminator()) {
    if (op.getNumResults() == 0) {
      ops.push_back(&op);
    }
  }
  return ops;
}

SmallVector<int64_t> schedule::atomsOf(mlir::Operation *op) {
  SmallVector<int64_t> atoms;
  auto iter = op->getAttrOfType<tile::IterAttr>(tile::iterAttrName);
  for (const tile::IterDim &dim : dimsOf(op)) {
    atoms.push_back(1);
    for (const tile::IterFactor &factor :
         iter ? iter.getFactors(dim.name) : SmallVector<tile::IterFactor>()) {
      atoms.back() *= factor.place == tile::Place::atom ? factor.steps : 1;
    }
  }
  return atoms;
}

llvm::Expected<UnifyMatch> schedule::unifyApplied(tile::ApplyOp apply) {
  auto instr =
      mlir::SymbolTable::lookupNearestSymbolFrom<tile::InstrOp>(apply, apply.getInstrAttr());
  Mismatch why;
  for (UnifyMatch &match : unify(instr, lastOps(apply), why)) {
    SmallVector<int64_t> atoms = atomsOf(match.root);
    bool isCut = llvm::any_of(atoms, [](int64_t atom) { return atom != 1; });
    if (!isCut || llvm::equal(atoms, match.pieces)) {
      return std::move(match);
    }
  }
  std::string text = why.message.empty() ? "its pieces have other extents" : why.message;
  return llvm::createStringError(text);
}
