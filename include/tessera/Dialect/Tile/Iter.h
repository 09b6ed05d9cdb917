//===- Iter.h - ops as points in a box of named dims ------------*- C++ -*-===//
//
// The data types of TileIterOpInterface: dims, boxes, effect windows. They know
// MLIR values and types but no op.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_DIALECT_TILE_ITER_H
#define TESSERA_DIALECT_TILE_ITER_H

#include "tessera/Dialect/Tile/TileEnums.h"

#include "llvm/ADT/SmallVector.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Value.h"

#include <cstdint>
#include <string>

namespace tessera::tile {

/// What the points along a dim have to do with each other.
enum class IterKind {
  parallel, ///< independent
  exact,    ///< reduction whose order does not matter (max, integers, any, …)
  tree,     ///< float sum or product in the fixed tree order
  any,      ///< float sum or product in any order
  dot,      ///< products of a matrix product, free within one op
  scan      ///< running combination
};

/// One dim of an op: extents are static at this level.
struct IterDim {
  std::string name;
  int64_t extent = 0;
  IterKind kind = IterKind::parallel;
};

/// Part of one dim.
struct IterRange {
  int64_t offset = 0;
  int64_t size = 0;
  friend bool operator==(const IterRange &a, const IterRange &b) {
    return a.offset == b.offset && a.size == b.size;
  }
};

/// One range for each dim of an op, or for each axis of an operand or result.
using IterBox = llvm::SmallVector<IterRange>;

/// How a window meets one axis of a view.
struct WindowAxis {
  enum Kind { scalar, span, gather, whole } kind = whole;
  mlir::Value index; ///< i64, span or integer tile; null for whole
  int64_t size = 1;  ///< elements along the axis (gather: elements of the tile)
};

/// What an op reads or writes of one view or buf. Only present elements are touched; of a buf, whose axes are `whole` or
/// spans, one slot.
struct Window {
  enum Kind { read, write, atomic } kind = read;
  mlir::Value view; ///< a view or a buf
  llvm::SmallVector<WindowAxis> axes;
  /// Every element of the box is touched: no absence can exist in the value.
  bool must = false;
  mlir::Value slot; ///< of a buf with slots
  /// The way of the `tile.apply` that the op stands in: not `generic` means asynchronous.
  Proxy via = Proxy::generic;
};

//===- the implementation behind TileIterOpInterface ----------------------===//
// Shared by all ops; call the interface's methods instead.

llvm::SmallVector<IterDim> iterDims(mlir::Operation *op);
IterBox iterOperandBox(mlir::Operation *op, unsigned index, const IterBox &box);
IterBox iterResultBox(mlir::Operation *op, unsigned index, const IterBox &box);
mlir::Operation *iterCloneAt(mlir::Operation *op, mlir::OpBuilder &builder, mlir::Location loc,
                             mlir::ValueRange operands, const IterBox &box);
llvm::SmallVector<Window> iterWindows(mlir::Operation *op);

} // namespace tessera::tile

#endif // TESSERA_DIALECT_TILE_ITER_H
