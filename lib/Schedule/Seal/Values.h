//===- Values.h - last writes that reach a read -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_LIB_SCHEDULE_SEAL_VALUES_H
#define TESSERA_LIB_SCHEDULE_SEAL_VALUES_H

#include "Presence.h"
#include "Rings.h"

#include "llvm/ADT/MapVector.h"

namespace tessera::sealing {

/// The last op that may have written a buf when it is read.
struct Definition {
  enum Kind { unwritten, write, clobber } kind = unwritten;
  mlir::Operation *op = nullptr; ///< the write, or the access that took the memory
  /// Loops that were gone round or left since: values made inside them are those of another step.
  llvm::SmallVector<mlir::Operation *, 2> crossed;

  bool operator==(const Definition &other) const {
    return kind == other.kind && op == other.op && crossed == other.crossed;
  }
};
using Definitions = llvm::SmallVector<Definition, 2>;

/// For each op that reads a buf: the definitions of what it reads. Bufs without slots are followed in the order of the
/// program, slots from the fill of a turn to the use that gets it.
class ReachingWrites {
public:
  explicit ReachingWrites(Sealer &sealer);

  llvm::ArrayRef<Definition> of(mlir::Operation *read) const;
  /// Loops of fill and use where the turns stand in two: steps are the same.
  std::optional<std::pair<mlir::Operation *, mlir::Operation *>>
  sameSteps(mlir::Operation *read) const;

private:
  using State = llvm::MapVector<mlir::Value, Definitions>;
  void flow(mlir::Block &block, State &state);
  void flow(mlir::Operation *op, State &state);
  void flowLoop(mlir::Operation *op, State &state);
  void touch(const Access &access, State &state);
  static void join(State &into, const State &from);
  static void cross(State &state, mlir::Operation *loop);
  void flowRing(tile::RingOp ring);
  void flowTurns(const RingTurns &turns);
  void flowTurn(const Turn &turn, mlir::Value buf, Definitions &state);
  void note(mlir::Operation *read, const Definitions &definitions);

  Sealer &sealer;
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<const Access *, 2>> byOp;
  llvm::DenseMap<mlir::Operation *, Definitions> found;
  llvm::DenseMap<mlir::Operation *, std::pair<mlir::Operation *, mlir::Operation *>> loops;
};

/// What a write leaves out: empty where it writes the whole slot.
Presence leftOut(const PresenceAnalysis &presence, mlir::Operation *write);
/// The buf that an op reads or writes, and the spans that cut a read of it.
Presence restated(const PresenceAnalysis &presence, mlir::Operation *read);

} // namespace tessera::sealing

#endif // TESSERA_LIB_SCHEDULE_SEAL_VALUES_H
