// Memory operands of declared instructions: addresses and presence of pieces.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TESSERA_LIB_CONVERSION_TILETOLLVM_PIECEMEMORY_H
#define TESSERA_LIB_CONVERSION_TILETOLLVM_PIECEMEMORY_H

#include "Boxes.h"
#include "Bufs.h"
#include "Instructions.h"

#include "tessera/Schedule/Placement.h"

namespace tessera::convert {

/// One operand in shared or global memory. Points are the first elements of pieces.
class PieceMemory {
public:
  PieceMemory(Lowering &l, const Instr &instr, const schedule::Placement &placement, unsigned index,
              const Dist &pieces);

  /// Addresses, and what must hold of the memory for the instruction.
  llvm::Error prepare();

  /// Origins are coordinates in the box of a piece's first element, without the thread's part.
  llvm::Value *addressOf(llvm::ArrayRef<int64_t> origin);
  /// i32: how many bytes of a view's piece exist.
  llvm::Value *presentBytes(llvm::ArrayRef<int64_t> origin);
  /// i1: the piece lies in the box, and what the instruction asks for is present; null where that is always so.
  llvm::Value *isThere(llvm::ArrayRef<int64_t> origin);

  /// The numbers of what markers touch here, one marker for each origin, where a report is asked for. `isOwned`: of threads
  /// that hold copies one acts.
  llvm::MDNode *note(llvm::ArrayRef<Coords> origins, bool isWritten, bool isOwned);

  bool isView() const { return operand.kind == "view"; }
  /// What the box says is absent.
  llvm::ArrayRef<Factor> factors() const { return points.factors; }
  /// Stored values bring factors of their own.
  llvm::Error addStored(mlir::Value value, llvm::ArrayRef<Factor> more);

private:
  llvm::Error checkRuns() const;
  llvm::Error makeAddresses();

  Lowering &l;
  const InstrOperand &operand;
  const schedule::Placement &placement;
  const schedule::PlacedOperand &placed;
  mlir::Operation *access;
  TileValue points;
  Dist lanes; ///< points, and what lanes add to the address of a piece
  mlir::Value buf, slot;
  std::unique_ptr<Box> box;
  std::unique_ptr<BufAddress> address;
  bool fillsAbsent = false;   ///< the text knows how many bytes are present
  bool areCellsThere = false; ///< of a buf, whatever is absent
};

} // namespace tessera::convert

#endif // TESSERA_LIB_CONVERSION_TILETOLLVM_PIECEMEMORY_H
