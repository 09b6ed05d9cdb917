// Boxes of views: addresses and presence of the elements that a thread's registers hold.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TESSERA_LIB_CONVERSION_TILETOLLVM_BOXES_H
#define TESSERA_LIB_CONVERSION_TILETOLLVM_BOXES_H

#include "Lowering.h"

#include <vector>

namespace tessera::convert {

/// Registers whose elements are neighbours along the last axis, in order.
struct Piece {
  llvm::SmallVector<int64_t, 8> regs;
  Coords coords; ///< of the first, without the thread's part
};
/// All registers of a distribution in pieces of at most `most` (a power of two) that begin at multiples of their width.
std::vector<Piece> piecesOf(const Dist &dist, unsigned rank, int64_t most);
/// The greatest width of a piece so that every thread's begins at a multiple of it.
int64_t widthFor(const Dist &dist, llvm::ArrayRef<int64_t> shape, int64_t known);

class Box {
public:
  Box(Lowering &l, mlir::Value view, mlir::ValueRange indices, llvm::ArrayRef<bool> whole,
      const Dist &dist, llvm::ArrayRef<int64_t> shape);

  /// The address that register coordinates lead to, without `constant` bytes that all threads add alike.
  llvm::Value *rowOf(llvm::ArrayRef<int64_t> coords, int64_t &constant);
  /// Elements (i64) that integer tiles move the address by, null without any; and the axes that they bring.
  llvm::Value *tableOffset(llvm::ArrayRef<int64_t> coords);
  AxisSet tableAxes() const;

  llvm::SmallVector<Factor, 2> factors;
  int64_t bytes; ///< of an element

  Lowering &l;

private:
  struct Axis {
    llvm::Value *stride = nullptr;
    llvm::Value *start = nullptr; ///< of a span, or the index
    const TileValue *table = nullptr;
    unsigned first = 0; ///< axis of the box
    unsigned axes = 0;  ///< how many it has there
    bool isUnsigned = false;
  };
  const ViewValue &view;
  llvm::SmallVector<Axis, 4> axes;
  llvm::Value *base = nullptr; ///< of the thread
};

/// For each register i1: no later element of the box meets its cell. `target` says what is stored at all.
Registers lastOfCells(Lowering &l, Box &box, const TileValue &target);

/// A copy from a view to a buf through registers.
mlir::LogicalResult lowerPlainCopy(Lowering &l, tile::CopyOp copy, const Dist &dist);

/// A factor under new numbers of axes; -1 for an axis that leaves.
Factor renumbered(const Factor &factor, llvm::ArrayRef<int64_t> newAxisOf);
/// Adds those of a stored value's factors that the box does not say itself.
void addValueFactors(Lowering &l, mlir::Value value, llvm::ArrayRef<Factor> more,
                     llvm::SmallVectorImpl<Factor> &factors);
/// Adds factors that are not there yet.
void addFactors(llvm::SmallVectorImpl<Factor> &factors, llvm::ArrayRef<Factor> more);

} // namespace tessera::convert

#endif // TESSERA_LIB_CONVERSION_TILETOLLVM_BOXES_H
