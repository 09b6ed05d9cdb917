//===- Extents.h - what the checker knows about sizes -----------*- C++ -*-===//
//
// The checker keeps i64 scalars that are expressions in the extents, and adds a launch check where a span with such a
// limit indexes an axis of another extent. The printer must know when it would, because text that adds a condition is
// not the program that was printed.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_LIB_TARGET_SOURCE_EXTENTS_H
#define TESSERA_LIB_TARGET_SOURCE_EXTENTS_H

#include "tessera/Dialect/Tile/TileOps.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "mlir/IR/AffineExpr.h"

namespace tessera::source {

class Extents {
public:
  explicit Extents(tile::KernelOp kernel) : kernel(kernel) {}

  /// The i64 value as an expression in the extents, as the checker finds it; null where it is none.
  mlir::AffineExpr of(mlir::Value value);
  /// Extents of a view's axes; null where they are no such expressions.
  llvm::SmallVector<mlir::AffineExpr> ofView(mlir::Value view);
  /// Whether a span with this limit, given to `step` (a span op's result, or the block argument of a loop or grid),
  /// would be rejected or would add a condition to `where` that is not there.
  bool needsOpaqueLimit(mlir::Value step, mlir::Value limit);

private:
  mlir::AffineExpr compute(mlir::Value value);
  bool isStated(mlir::AffineExpr limit, mlir::AffineExpr extent);

  tile::KernelOp kernel;
  llvm::DenseMap<mlir::Value, mlir::AffineExpr> known;
  llvm::DenseSet<std::pair<mlir::AffineExpr, mlir::AffineExpr>> stated;
  bool readWhere = false;
};

} // namespace tessera::source

#endif // TESSERA_LIB_TARGET_SOURCE_EXTENTS_H
