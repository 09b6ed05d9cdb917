// A declared instruction in its place in a kernel: what stands for its operands, and which thread does which piece.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_SCHEDULE_PLACEMENT_H
#define TESSERA_SCHEDULE_PLACEMENT_H

#include "tessera/Schedule/Dist.h"
#include "tessera/Schedule/Unify.h"

namespace tessera::schedule {

/// On an apply, by layout assignment, a `#tile.dist`: coordinates count pieces along the dims of the op that is done last.
/// Lanes are those of the group that executes a piece together only where that is a single thread.
inline constexpr llvm::StringLiteral piecesAttrName = "tile.pieces";

/// An operand of the instruction.
struct PlacedOperand {
  /// Of a fragment or scalar: the value that comes in, null where none does.
  mlir::Value value;
  /// Of memory: the op that reads or writes there.
  mlir::Operation *access = nullptr;
  /// Axes of the operand's tile, or of the access' box, for those of the instruction.
  AxisMap axes;
  /// For each axis of the tile or box: the dim of the op that is done last, -1 for an axis that lies in one piece; and the
  /// extent of a piece.
  llvm::SmallVector<int64_t> dims, piece;
  /// The fragment map over the tile's axes; lanes are those of the instruction's scope.
  std::optional<Dist> fragment;
};

struct Placement {
  mutable tile::InstrOp instr;      ///< accessors of ops are not const
  mlir::Operation *root = nullptr;  ///< the op that is done last
  llvm::SmallVector<int64_t> atoms; ///< the extents of a piece along its dims
  std::vector<PlacedOperand> operands;
  /// The operand behind each result of the apply.
  llvm::SmallVector<unsigned> results;
  /// The value of the body behind each operand that is written, null for the others and for memory.
  llvm::SmallVector<mlir::Value> written;

  /// Which thread holds what of an operand, where pieces lie as in `pieces`: of a fragment all elements, of memory the first
  /// element of each piece.
  Dist held(unsigned operand, const Dist &pieces) const;
  /// The distribution of pieces that makes an operand be held like this; nothing where none does.
  std::optional<Dist> piecesFor(unsigned operand, const Dist &held) const;
  /// Whether it only reads shared memory into one tile: then it is made where it is needed, as it is needed.
  bool isFree() const;
};

/// Finds the operands anew, by the declaration: the error says where the ops of the apply are not what the instruction does.
llvm::Expected<Placement> placementOf(tile::ApplyOp apply);

/// A product of fragments and nothing else.
bool isPlainProduct(tile::ApplyOp apply);

} // namespace tessera::schedule

#endif // TESSERA_SCHEDULE_PLACEMENT_H
