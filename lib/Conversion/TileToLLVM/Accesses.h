// Noting what the markers of an op touch, where a report of accesses is asked for. Each function gives the numbers that the
// markers which follow carry (`Lowering::access`); null, and nothing done, without a report.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TESSERA_LIB_CONVERSION_TILETOLLVM_ACCESSES_H
#define TESSERA_LIB_CONVERSION_TILETOLLVM_ACCESSES_H

#include "Boxes.h"
#include "Exchange.h"

namespace tessera::convert {

/// Who touches what of a tile.
struct Touch {
  llvm::StringRef verb; ///< "load", "write"
  const Dist &dist;
  llvm::ArrayRef<int64_t> shape;
  llvm::ArrayRef<Piece> pieces; ///< a marker for each
  int64_t elementBytes = 4;
  bool isWrite = false;
  bool isOwned = false; ///< of threads that hold copies one acts
};

/// A box of a view.
llvm::MDNode *noteView(Lowering &l, const Touch &touch, mlir::Value view, mlir::ValueRange indices,
                       llvm::ArrayRef<bool> whole);
/// The same where how often markers run, or which lanes act, is a matter of data.
llvm::MDNode *noteOpenView(Lowering &l, const Touch &touch, mlir::Value view,
                           llvm::StringRef unknown);
/// A buf.
llvm::MDNode *noteBuf(Lowering &l, const Touch &touch, mlir::Value buf);
/// Rows of a buf by an instruction of a warp, at each of the origins: a row begins where a lane of `lanes` does, the first
/// `count` lanes' addresses count, `bytes` at each.
llvm::MDNode *noteMatrix(Lowering &l, llvm::StringRef verb, mlir::Value buf, const Dist &lanes,
                         llvm::ArrayRef<Coords> origins, int64_t count, int64_t bytes,
                         bool isWrite);
/// Scratch memory, with elements placed in a row.
llvm::MDNode *noteRow(Lowering &l, const Touch &touch, const Placing &placing);
/// Scratch memory, one element for each thread in the order of threads.
llvm::MDNode *noteThreads(Lowering &l, llvm::StringRef verb, int64_t bytes, bool isWrite);
/// Scratch memory at numbers that are computed.
llvm::MDNode *noteComputed(Lowering &l, llvm::StringRef verb, int64_t bytes);
/// Of a marker with two operands in memory.
llvm::MDNode *together(Lowering &l, llvm::MDNode *first, llvm::MDNode *second);

} // namespace tessera::convert

#endif // TESSERA_LIB_CONVERSION_TILETOLLVM_ACCESSES_H
