// The distribution that a value has by itself.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TESSERA_LIB_SCHEDULE_ASSIGN_PREFER_H
#define TESSERA_LIB_SCHEDULE_ASSIGN_PREFER_H

#include "Pins.h"

#include "tessera/Schedule/Alignment.h"
#include "tessera/Schedule/Placement.h"

#include "llvm/ADT/DenseSet.h"

namespace tessera::schedule {

/// Whether elements of the operands and the result lie at the same positions.
bool isPointwise(mlir::Operation *op);

/// Decides from the anchors: pins of the schedule, instructions, vector accesses, reductions. Values without a preference are
/// free: they are made where they are needed.
class Preferences {
public:
  Preferences(tile::KernelOp kernel, int64_t warps) : facts(kernel), warps(warps) {}

  std::optional<Dist> of(mlir::Value value);
  /// The pin of an op over its dims; errors are kept for `takeError`.
  std::optional<Dist> pin(mlir::Operation *op);
  /// The distribution of the points of a load, store, copy or write without a pin: vectors where the memory has them.
  Dist access(mlir::Operation *op);
  /// The distribution of the operand of a reduction, scan or choice along an axis: one that has code.
  Dist terms(mlir::Operation *op);
  Dist fallback(mlir::Type type, int64_t vec = 1) const;
  /// Of a value that is free: what the instructions give that read it from shared memory. Nothing where there are none.
  std::optional<Dist> natural(mlir::Value value);
  /// An instruction other than a plain product in its place, null where the ops are not what it does: `error` then says so.
  const Placement *placement(tile::ApplyOp apply);
  /// Which thread does which piece of it: as the schedule says, else as an operand is held that is made of such pieces, else
  /// as dims are spread that a schedule leaves open.
  std::optional<Dist> pieces(tile::ApplyOp apply);

  Alignment &alignment() { return facts; }
  int64_t numWarps() const { return warps; }
  /// The first error and the op that it is about.
  std::optional<std::pair<mlir::Operation *, std::string>> error;

private:
  std::optional<Dist> compute(mlir::Value value);
  std::optional<Dist> ofArgument(mlir::BlockArgument argument);
  std::optional<Dist> ofOp(mlir::Operation *op, unsigned result);
  std::optional<Dist> rearranged(mlir::Operation *op);
  std::optional<Dist> ofApply(tile::ApplyOp apply, unsigned result);
  std::optional<Dist> spreadPieces(tile::ApplyOp apply, const Placement &placement);
  std::optional<Dist> ofRegion(mlir::Operation *op, unsigned result);
  std::optional<Dist> firstOf(mlir::ValueRange values);

  Alignment facts;
  int64_t warps;
  llvm::DenseMap<mlir::Value, std::optional<Dist>> known;
  llvm::DenseMap<mlir::Operation *, std::unique_ptr<Placement>> placements;
  llvm::DenseMap<mlir::Operation *, Dist> piecesOf;
  llvm::DenseSet<mlir::Value> open;
  bool isTainted = false; ///< the answer went past a value that is being decided
};

} // namespace tessera::schedule

#endif // TESSERA_LIB_SCHEDULE_ASSIGN_PREFER_H
