//===- Paths.h - what surely happens between two ops --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Order in structured code: from one op to another in the same step of all loops around both, or from one step of a loop
// to the next. What stands on the way and is surely reached is a list of events; a part of what really happens, which is
// enough, because more events never take order away.
//
// Sections of different leads, or roles, are not in step with each other: of a section only what has the lead of the
// op's own section counts, and a role's barrier orders two ops of that role only.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_LIB_SCHEDULE_SEAL_PATHS_H
#define TESSERA_LIB_SCHEDULE_SEAL_PATHS_H

#include "Sealer.h"

namespace tessera::sealing {

struct Event {
  enum Kind { barrier, commit, wait, fence } kind = barrier;
  mlir::Operation *op = nullptr;
  tile::ExecScope scope = tile::ExecScope::cta; ///< of a barrier
  tile::Proxy via = tile::Proxy::generic;       ///< of a commit or wait
  int64_t pending = 0;                          ///< of a wait
  bool isElected = false;                       ///< done by one thread
};
using Events = llvm::SmallVector<Event>;

class Paths {
public:
  explicit Paths(Sealer &sealer) : sealer(sealer) {}

  /// Loops and tasks around both, outermost first.
  static llvm::SmallVector<mlir::Operation *> commonLoops(mlir::Operation *a, mlir::Operation *b);
  /// The nearest loop around both; null for none.
  static mlir::Operation *commonLoop(mlir::Operation *a, mlir::Operation *b);
  /// Whether `a` stands before `b` in the text.
  static bool isBefore(mlir::Operation *a, mlir::Operation *b);
  /// Whether at most one of them runs in a step of the loops around both.
  static bool areExclusive(mlir::Operation *a, mlir::Operation *b);

  /// Between `a` and `b`, which follows it, in one step of the loops around both.
  Events between(mlir::Operation *a, mlir::Operation *b);
  /// Between `a` in a step of `loop` and `b` in the next.
  Events around(mlir::Operation *a, mlir::Operation *b, mlir::Operation *loop);
  /// After `a`, to the end of the kernel.
  Events toEnd(mlir::Operation *a);

private:
  struct Way {
    Events events;
    llvm::StringRef role; ///< barriers of this role count; empty: of all threads only
  };
  Way startWay(mlir::Operation *a, mlir::Operation *b);
  void addSure(Way &way, mlir::Operation *op);
  void addBlock(Way &way, mlir::Block &block);
  void addBranch(Way &way, mlir::Operation *op);
  /// Ops after `from` in its block; of sections those that stay behind `from`.
  void addAfter(Way &way, mlir::Operation *from, bool leavesLoop);
  /// Ops before `to` in its block.
  void addBefore(Way &way, mlir::Operation *to);
  void climb(Way &way, mlir::Operation *&from, mlir::Region *upTo);
  void descend(Way &way, mlir::Operation *to, mlir::Region *from);

  Sealer &sealer;
};

/// The section around `op` that stands directly in a loop, innermost first; null for none.
tile::SectionOp sectionOf(mlir::Operation *op);
/// The section of `loop` around `op`; null for none.
tile::SectionOp sectionIn(mlir::Operation *op, mlir::Operation *loop);
/// Name of the role that runs `op`; empty: all threads.
llvm::StringRef roleOf(mlir::Operation *op);

} // namespace tessera::sealing

#endif // TESSERA_LIB_SCHEDULE_SEAL_PATHS_H
