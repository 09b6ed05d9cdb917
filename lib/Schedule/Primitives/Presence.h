// Why elements of a tile are absent, span by span: what a buf must be told again when it is read.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TESSERA_LIB_SCHEDULE_PRIMITIVES_PRESENCE_H
#define TESSERA_LIB_SCHEDULE_PRIMITIVES_PRESENCE_H

#include "tessera/Dialect/Tile/TileOps.h"

#include "llvm/ADT/DenseMap.h"

#include <functional>

namespace tessera::schedule {

/// A predicate over axes of a tile: element i of the one axis lies in the span, or anything else (a condition, the
/// presence of an index), made by `from`.
struct PresenceFactor {
  uint64_t axes = 0; ///< axis i is bit i; none for the presence of a scalar
  mlir::Value span;  ///< null for anything else
  mlir::Operation *from = nullptr;

  friend bool operator==(const PresenceFactor &a, const PresenceFactor &b) {
    return a.axes == b.axes && a.span == b.span && (a.span || a.from == b.from);
  }
};

/// An element is present iff all factors hold, where `isExact`; otherwise some of the factors may not exist, and
/// `inexactAt` is the op (a loop, a branch) that decides.
struct Presence {
  llvm::SmallVector<PresenceFactor> factors;
  bool isExact = true;
  mlir::Operation *inexactAt = nullptr;

  void add(const PresenceFactor &factor);
  void add(const Presence &other);
};

class PresenceTrace {
public:
  /// `surelyRuns` says whether a loop has a step in every case.
  explicit PresenceTrace(std::function<bool(tile::ForOp)> surelyRuns)
      : surelyRuns(std::move(surelyRuns)) {}

  Presence of(mlir::Value value);

private:
  Presence ofOp(mlir::Operation *op, unsigned result);
  Presence ofUnion(mlir::Operation *op);
  Presence ofLoop(tile::ForOp loop, unsigned number);
  Presence ofCarried(tile::ForOp loop, unsigned number);
  Presence under(mlir::Value inside, const Presence &given, mlir::Value value);
  Presence ofBox(mlir::Operation *op, mlir::ValueRange indices, llvm::ArrayRef<bool> whole);
  Presence ofMma(tile::MmaOp op);
  Presence reduced(mlir::Operation *op, mlir::Value x, unsigned axis, bool removesAxis);
  Presence renumbered(mlir::Operation *op, mlir::Value x, llvm::ArrayRef<int64_t> to);
  Presence blurred(mlir::Operation *op);
  static Presence joined(const Presence &a, const Presence &b, mlir::Operation *at);

  std::function<bool(tile::ForOp)> surelyRuns;
  llvm::DenseMap<mlir::Value, Presence> known;
  /// What carried values are taken to be while a loop is looked at.
  llvm::DenseMap<mlir::Value, Presence> assumed;
};

} // namespace tessera::schedule

#endif // TESSERA_LIB_SCHEDULE_PRIMITIVES_PRESENCE_H
