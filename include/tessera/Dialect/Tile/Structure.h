//===- Structure.h - questions about the form of a kernel -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_DIALECT_TILE_STRUCTURE_H
#define TESSERA_DIALECT_TILE_STRUCTURE_H

#include "llvm/ADT/SmallVector.h"
#include "mlir/IR/Value.h"

namespace tessera::tile {

class RingOp;

/// An op that gives a part of a view, or a view of the same memory: its first operand is what it is cut from.
bool isViewPart(mlir::Operation *op);
/// What a chain of view parts starts from: an argument, or the result of another op.
mlir::Value viewBase(mlir::Value view);

/// The bufs that a buf takes its memory from, directly or not, itself if there is none; each once.
llvm::SmallVector<mlir::Value> memoryBases(mlir::Value buf);
/// The same view or buf, or two bufs that take memory from one.
bool shareMemory(mlir::Value a, mlir::Value b);
/// The ring that a buf is in; null where there is none.
RingOp ringOf(mlir::Value buf);

/// A row of the elementwise table, or one of the ops like it that have modes or several types: element i of each result is made
/// of elements i of the operands, and is present where they all are.
bool isElementwise(mlir::Operation *op);

/// A loop whose body is cut into sections: may stand beside sections itself.
bool isMadeOfSections(mlir::Operation *op);

} // namespace tessera::tile

#endif // TESSERA_DIALECT_TILE_STRUCTURE_H
