//===- Rings.h - turns of a ring's slots --------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_LIB_SCHEDULE_SEAL_RINGS_H
#define TESSERA_LIB_SCHEDULE_SEAL_RINGS_H

#include "Paths.h"

namespace tessera::sealing {

/// One turn in the text: from acquire to commit, or from await to release.
struct Turn {
  mlir::Operation *begin = nullptr, *end = nullptr;
  mlir::Value slot() const { return begin->getResult(0); }
};

/// The turns of a ring in the order of the text.
struct RingTurns {
  tile::RingOp ring;
  llvm::SmallVector<Turn> fills, uses;
  /// The n-th turn of `fills` gives the slot of the n-th turn of `uses`, in one step of the loop around both or, where
  /// they stand in loops of their own, in the same step of these.
  bool isPaired = false;
};

RingTurns turnsOf(tile::RingOp ring);
/// The turns by the loop that they stand in, where several loops fill and use a ring, each for itself: after each of them
/// the ring is as empty as before. All turns are one part where a loop has one half only or lies in another one, and where
/// slots are given back late or by other warps, so that a loop may begin before the one in front has ended.
llvm::SmallVector<RingTurns> partsOf(const RingTurns &turns);
/// The op that ends the turn of `begin` in its block; null where the verifier was not asked.
mlir::Operation *endOf(mlir::Operation *begin);
/// By how many steps the section around an op gives slots back late.
int64_t lagOf(mlir::Operation *op);

/// Whether fills and uses run at one rate, and what to compare their steps by: the loop of the fills that is not around
/// the uses, and the other way round (null where there is none).
struct Rates {
  bool areEqual = false;
  std::string reason; ///< why they are not
  std::string witness;
  mlir::Operation *outer = nullptr; ///< the loop around both
  mlir::Operation *fillLoop = nullptr, *useLoop = nullptr;
};
Rates ratesOf(Sealer &sealer, const RingTurns &turns);

} // namespace tessera::sealing

#endif // TESSERA_LIB_SCHEDULE_SEAL_RINGS_H
