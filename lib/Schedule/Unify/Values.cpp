// Values of either side, looked through: constants, ops that change nothing, operands of instructions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tessera/Schedule/Unify.h"

#include "llvm/ADT/STLExtras.h"

using namespace tessera;
using namespace tessera::schedule;

mlir::TypedAttr schedule::constantElement(mlir::Value value) {
  while (mlir::Operation *op = value ? value.getDefiningOp() : nullptr) {
    if (auto constant = llvm::dyn_cast<tile::ConstantOp>(op)) {
      return constant.getValue();
    }
    if (!llvm::isa<tile::SplatOp, tile::BroadcastOp, tile::ExpandOp, tile::SqueezeOp,
                   tile::ReshapeOp, tile::PermuteOp, tile::SliceOp, tile::FlipOp>(op)) {
      return {};
    }
    value = op->getOperand(0);
  }
  return {};
}

/// Whether an op gives its operand as it is.
static bool isIdentity(mlir::Operation *op) {
  if (op->getNumOperands() != 1 || op->getNumResults() != 1 ||
      op->getOperand(0).getType() != op->getResult(0).getType()) {
    return false;
  }
  if (auto permute = llvm::dyn_cast<tile::PermuteOp>(op)) {
    return llvm::all_of(llvm::enumerate(permute.getPermutation()), [](auto axis) {
      return axis.value() == static_cast<int64_t>(axis.index());
    });
  }
  return llvm::isa<tile::CastOp, tile::ReshapeOp, tile::BroadcastOp, tile::SliceOp>(op);
}

mlir::Value schedule::withoutIdentities(mlir::Value value,
                                        llvm::SmallVectorImpl<mlir::Operation *> *passed) {
  while (mlir::Operation *op = value ? value.getDefiningOp() : nullptr) {
    if (!isIdentity(op)) {
      break;
    }
    if (passed) {
      passed->push_back(op);
    }
    value = op->getOperand(0);
  }
  return value;
}

mlir::DictionaryAttr schedule::operandInfo(tile::InstrOp instr, unsigned index) {
  return llvm::cast<mlir::DictionaryAttr>(instr.getOperandInfo()[index]);
}

llvm::StringRef schedule::operandKind(tile::InstrOp instr, unsigned index) {
  return operandInfo(instr, index).getAs<mlir::StringAttr>("kind").getValue();
}

llvm::StringRef schedule::operandName(tile::InstrOp instr, unsigned index) {
  return operandInfo(instr, index).getAs<mlir::StringAttr>("name").getValue();
}

bool schedule::isWrittenOperand(tile::InstrOp instr, unsigned index) {
  mlir::DictionaryAttr info = operandInfo(instr, index);
  return info.contains("out") || info.contains("inout");
}
