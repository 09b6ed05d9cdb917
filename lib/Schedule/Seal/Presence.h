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
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"
#include "mlir/IR/Operation.h"
#include "mlir/IR/Value.h"

#include <functional>

namespace tessera::sealing {

/// Element i of the axis is present iff start + offset + i < stop.
struct PresenceFactor {
  int64_t axis = -1; ///< -1: not by a span
  mlir::Value span;  ///< null: not by a span
  int64_t offset = 0;
  uint64_t axes = 0; ///< without a span: the axes that decide, i is bit i; 0: not known which

  /// Whether elements may be absent that differ along the axis.
  bool isAlong(int64_t which) const {
    return axis < 0 ? axes == 0 || (axes >> which & 1) : axis == which;
  }
  bool operator==(const PresenceFactor &other) const {
    return axis == other.axis && span == other.span && offset == other.offset && axes == other.axes;
  }
};
using Presence = llvm::SmallVector<PresenceFactor, 2>;

/// Factors of all tiles inside an op: what meets in loops and branches takes the union. Invalid after any change.
class PresenceAnalysis {
public:
  /// `isWhole` says of a span that it has its full length in every case: such a span makes nothing absent.
  explicit PresenceAnalysis(mlir::Operation *root,
                            std::function<bool(mlir::Value span)> isWhole = {});

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
  Presence ofSpan(int64_t axis, mlir::Value span) const;

  std::function<bool(mlir::Value span)> isWhole;
  llvm::DenseMap<mlir::Value, Presence> known;
  llvm::DenseSet<mlir::Operation *> stale; ///< to be visited
};

} // namespace tessera::sealing

#endif // TESSERA_LIB_SCHEDULE_SEAL_PRESENCE_H
