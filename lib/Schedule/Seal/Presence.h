//===- Presence.h - which spans make elements absent --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The factors of a tile's absence, with the span that each comes from: what a write to a buf leaves out, and what a read
// of it restates. Where a factor comes from no span (a condition, an index tile), or an op is not known here, the factor
// stands without one: then nothing is known about what is present.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_LIB_SCHEDULE_SEAL_PRESENCE_H
#define TESSERA_LIB_SCHEDULE_SEAL_PRESENCE_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "mlir/IR/Operation.h"
#include "mlir/IR/Value.h"

namespace tessera::sealing {

/// Element i of the axis is present iff start + offset + i < stop.
struct PresenceFactor {
  int64_t axis = -1; ///< -1: over several axes
  mlir::Value span;  ///< null: not by a span
  int64_t offset = 0;

  bool operator==(const PresenceFactor &other) const {
    return axis == other.axis && span == other.span && offset == other.offset;
  }
};
using Presence = llvm::SmallVector<PresenceFactor, 2>;

/// Factors of all tiles inside an op: what meets in loops and branches takes the union. Invalid after any change.
class PresenceAnalysis {
public:
  explicit PresenceAnalysis(mlir::Operation *root);

  /// Factors that the elements of `tile` may have; empty: none is absent.
  Presence of(mlir::Value tile) const;
  /// Of the box that indices cut out of a view.
  Presence ofBox(mlir::ValueRange indices, llvm::ArrayRef<bool> whole) const;

private:
  void visit(mlir::Operation *op);
  void add(mlir::Value value, const Presence &factors);
  Presence transfer(mlir::Operation *op) const;
  Presence transferShape(mlir::Operation *op) const;
  Presence ofMma(mlir::Operation *op) const;
  Presence ofOperands(mlir::Operation *op) const;

  llvm::DenseMap<mlir::Value, Presence> known;
  bool changed = false;
};

} // namespace tessera::sealing

#endif // TESSERA_LIB_SCHEDULE_SEAL_PRESENCE_H
