// The names by which scripts call dims and operands of ops.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TESSERA_SCHEDULE_DIMS_H
#define TESSERA_SCHEDULE_DIMS_H

#include "tessera/Dialect/Tile/TileOps.h"

namespace tessera::schedule {

/// Dims of any op; empty where it has none.
llvm::SmallVector<tile::IterDim> dimsOf(mlir::Operation *op);
/// The position of a dim by its interface name; nothing where there is none.
std::optional<unsigned> findDim(mlir::Operation *op, llvm::StringRef dim);

/// Names of the axes of a tile in the source: those of the spans that it was loaded by, carried through the ops on the way;
/// empty where an axis has none.
llvm::SmallVector<std::string> axisNames(mlir::Value tile);

/// A script's names of an op's dims: the name of the span that a dim comes from, else the interface's. `mma` has m, n, k
/// always. Two dims of one name keep the interface's.
llvm::SmallVector<std::string> dimNames(mlir::Operation *op);
/// The dim that a script calls `name`, by a script's name or else the interface's: its position.
std::optional<unsigned> dimNamed(mlir::Operation *op, llvm::StringRef name);

/// The word of scripts for a kind of dim; `exact` also for parallel ones.
const char *classOf(tile::IterKind kind);

/// The dim that an axis of an operand or result lies along, point by point; nothing for an axis that is needed whole, cut
/// or counted backwards.
std::optional<unsigned> dimOfOperandAxis(mlir::Operation *op, unsigned operand, unsigned axis);
std::optional<unsigned> dimOfResultAxis(mlir::Operation *op, unsigned result, unsigned axis);

/// `a`, `b`, `c` of mma, `value` of a store, `x`, `lhs`, `rhs`; empty for operands without a name (indices).
std::string operandName(mlir::Operation *op, unsigned index);

/// The argument of the kernel that a view is a part of; null where there is none.
mlir::BlockArgument rootView(mlir::Value view);
/// The axis of that argument which axis `axis` of `view` walks along with step 1; nothing for an axis that a group cuts.
std::optional<unsigned> rootAxis(mlir::Value view, unsigned axis);

} // namespace tessera::schedule

#endif // TESSERA_SCHEDULE_DIMS_H
