// The distribution that a value has by itself.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TESSERA_LIB_SCHEDULE_ASSIGN_PREFER_H
#define TESSERA_LIB_SCHEDULE_ASSIGN_PREFER_H

#include "Pins.h"

#include "tessera/Schedule/Alignment.h"

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

  Alignment &alignment() { return facts; }
  int64_t numWarps() const { return warps; }
  /// The first error and the op that it is about.
  std::optional<std::pair<mlir::Operation *, std::string>> error;

private:
  std::optional<Dist> compute(mlir::Value value);
  std::optional<Dist> ofArgument(mlir::BlockArgument argument);
  std::optional<Dist> ofOp(mlir::Operation *op, unsigned result);
  std::optional<Dist> rearranged(mlir::Operation *op);
  std::optional<Dist> ofRegion(mlir::Operation *op, unsigned result);
  std::optional<Dist> firstOf(mlir::ValueRange values);

  Alignment facts;
  int64_t warps;
  llvm::DenseMap<mlir::Value, std::optional<Dist>> known;
  llvm::DenseSet<mlir::Value> open;
  bool isTainted = false; ///< the answer went past a value that is being decided
};

} // namespace tessera::schedule

#endif // TESSERA_LIB_SCHEDULE_ASSIGN_PREFER_H
