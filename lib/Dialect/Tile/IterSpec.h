//===- IterSpec.h - how operands and results lie in an op's dims -*- C++ -*-===//
//
// One description of an op serves all methods of TileIterOpInterface. For each
// operand and result it says, axis by axis, which range of the axis the points of a
// box touch. Example, `tile.reduce sum %x along 1` on 4x64:
//
//   dims      d0: 4 parallel   r: 64 tree
//   operand   axis 0 = d0      axis 1 = r
//   result    axis 0 = d0
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_LIB_DIALECT_TILE_ITERSPEC_H
#define TESSERA_LIB_DIALECT_TILE_ITERSPEC_H

#include "tessera/Dialect/Tile/Iter.h"

#include "mlir/IR/Operation.h"

#include <optional>

namespace tessera::tile {

/// The range of one axis that a box touches.
struct AxisUse {
  enum Kind {
    along,  ///< the dim's range, `shift` further on
    mirror, ///< the dim's range counted from the axis' end
    whole,  ///< everything, whatever the box
    prefix, ///< from 0 to the end of the dim's range
    suffix, ///< from the start of the dim's range to the axis' end
    part    ///< what of the dim's range lies in [shift, shift + extent), counted from shift
  } kind = whole;
  unsigned dim = 0;
  int64_t extent = 1; ///< of the axis
  int64_t shift = 0;
};
using AxisUses = llvm::SmallVector<AxisUse>;

struct IterSpec {
  llvm::SmallVector<IterDim> dims;
  llvm::SmallVector<AxisUses> operands; ///< no axes for what is not a tile
  llvm::SmallVector<AxisUses> results;
};

/// A dim for each extent, called d0, d1, …
llvm::SmallVector<IterDim> parallelDims(llvm::ArrayRef<int64_t> shape);
/// Axis i lies along dim i.
AxisUses identityUses(llvm::ArrayRef<int64_t> shape);
/// As many empty lists as the op has operands, so that only tiles need be set.
llvm::SmallVector<AxisUses> noUses(size_t count);

// Chapter by chapter; nothing for an op of another chapter.
std::optional<IterSpec> elementwiseSpec(mlir::Operation *op);
std::optional<IterSpec> shapeSpec(mlir::Operation *op);
std::optional<IterSpec> reduceSpec(mlir::Operation *op);
std::optional<IterSpec> viewSpec(mlir::Operation *op);
std::optional<IterSpec> storageSpec(mlir::Operation *op);

/// What a chapter needs to build a cut op.
struct Cut {
  mlir::OpBuilder &builder;
  mlir::Location loc;
  mlir::ValueRange operands;
  const IterBox &box;
};

/// The op on other operands with the results that the box makes.
mlir::Operation *cloneWith(mlir::Operation *op, const Cut &cut);
/// The cut of ops that need more than other types; nothing for all others.
std::optional<mlir::Operation *> shapeCloneAt(mlir::Operation *op, const Cut &cut);
std::optional<mlir::Operation *> reduceCloneAt(mlir::Operation *op, const Cut &cut);
std::optional<mlir::Operation *> viewCloneAt(mlir::Operation *op, const Cut &cut);
std::optional<mlir::Operation *> storageCloneAt(mlir::Operation *op, const Cut &cut);

/// Tiles among the indices of a box lie along the dims of the axes that they make.
void addIndexUses(IterSpec &spec, unsigned firstIndex, mlir::ValueRange indices,
                  llvm::ArrayRef<bool> whole);
/// Axes of a view or a buf that are whole or met by an index.
void addAxes(Window &window, llvm::ArrayRef<int64_t> extents, mlir::ValueRange indices,
             llvm::ArrayRef<bool> whole);
/// Whether every element of a box of these indices is there: a span may be short.
bool isFull(mlir::ValueRange indices);
llvm::SmallVector<Window> viewWindows(mlir::Operation *op);
llvm::SmallVector<Window> storageWindows(mlir::Operation *op);

} // namespace tessera::tile

#endif // TESSERA_LIB_DIALECT_TILE_ITERSPEC_H
