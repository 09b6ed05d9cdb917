// Making sections, and what their time asks for: shared by `sections`, `set_lead`, `set_lag`, `ring`, `roles`.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TESSERA_LIB_SCHEDULE_PRIMITIVES_SECTIONS_H
#define TESSERA_LIB_SCHEDULE_PRIMITIVES_SECTIONS_H

#include "Memory.h"

#include "llvm/ADT/SetVector.h"

namespace tessera::schedule {

/// Ops that tell other threads something: barriers, groups, fences, and those of rings.
bool isSync(mlir::Operation *op);

/// The name of the role that runs an op; empty: all threads.
llvm::StringRef roleNameOf(mlir::Operation *op);
/// Protocols that hand slots over by a barrier of the CTA: in a role it stands for that role's threads only.
inline bool isByBarrier(tile::Protocol protocol) {
  return protocol == tile::Protocol::cta_sync || protocol == tile::Protocol::cp_async;
}

/// A section at the rewriter's insertion point that takes the ops, in their order; what is used of them elsewhere comes
/// out as its results.
tile::SectionOp makeSection(PrimitiveContext &context, llvm::StringRef name,
                            llvm::ArrayRef<mlir::Operation *> ops);
/// Ops of a body that need no section: plain ones, which stay beside, and parts of views, which are made again in each
/// section that uses them. Their operands come from outside or from their like.
struct FreeOps {
  llvm::SetVector<mlir::Operation *> beside, views;

  bool contains(mlir::Operation *op) const { return beside.contains(op) || views.contains(op); }
};
FreeOps freeOpsOf(mlir::Block *body);
/// The plain ones become the first ops of the body.
void moveBesideFirst(PrimitiveContext &context, mlir::Block *body, const FreeOps &free);
/// Parts of views that the section uses are made inside it.
void copyViewsInto(PrimitiveContext &context, tile::SectionOp section, const FreeOps &free);
/// Those that nobody uses any more go.
void eraseUnused(PrimitiveContext &context, const FreeOps &free);

/// Goes from each (user, value) back to what the value is made from, each value once: operands, what regions yield, inits
/// and the last step's values of what loops carry. `visit` says whether to go on beyond a value.
void followValues(llvm::ArrayRef<std::pair<mlir::Operation *, mlir::Value>> from,
                  llvm::function_ref<bool(mlir::Operation *user, mlir::Value value)> visit);
/// What a section uses from outside, by which op; the bounds of its loop count.
llvm::SmallVector<std::pair<mlir::Operation *, mlir::Value>> usesOf(tile::SectionOp section);

/// A name that no section of the block has: `name`, `name2`, …
std::string freeName(mlir::Block *block, llvm::StringRef name);

/// Whether two ops of one block may change places: `first` stands before `second` now. What it rests on goes into the
/// ledger; the error says why not. `code` and `what` (`section load comes before section use`) are for the refusal.
llvm::Error checkSwap(PrimitiveContext &context, mlir::Operation *first, mlir::Operation *second,
                      llvm::StringRef code, const std::string &what);

/// Whether the section may run `lead` steps ahead. Rings that it fills or uses keep their queue rule, those of `except`
/// aside; so do accesses to bufs of `except`, which are about to get a ring.
llvm::Error checkLead(PrimitiveContext &context, tile::SectionOp section, int64_t lead,
                      llvm::ArrayRef<mlir::Value> except = {});

/// S > lead(fill) - lead(use) + lag, and no use ahead of its fill.
struct QueueRule {
  std::string ring; ///< what messages call it
  int64_t slots = 1, fillLead = 0, useLead = 0, lag = 0;
  mlir::Operation *fill = nullptr, *use = nullptr;
};
llvm::Error checkQueue(PrimitiveContext &context, const QueueRule &rule);
/// A lag counts steps of the section's loop: the ring is used once in each of them, not in a loop inside the section.
llvm::Error checkLagLoop(PrimitiveContext &context, tile::SectionOp section, const QueueRule &rule);
/// The rules of the rings that a section takes part in, as they stand.
llvm::SmallVector<QueueRule> queueRules(PrimitiveContext &context, tile::SectionOp section);

} // namespace tessera::schedule

#endif // TESSERA_LIB_SCHEDULE_PRIMITIVES_SECTIONS_H
