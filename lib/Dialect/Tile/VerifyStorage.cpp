//===- VerifyStorage.cpp - rules of bufs, copies, rings, barriers ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Verify.h"

#include "tessera/Dialect/Tile/Structure.h"
#include "tessera/Dialect/Tile/TileOps.h"
#include "tessera/Dialect/Tile/TypeText.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tessera::tile {

//===- what several rules share -------------------------------------------===//

/// Memory of a CTA is made once: not in anything that runs more than once, or perhaps not at all, within it.
static LogicalResult verifyTopLevel(Operation *op) {
  Operation *parent = op->getParentOp();
  bool isOnce =
      isa_and_nonnull<KernelOp, GridOp, TasksOp>(parent) ||
      !isa_and_nonnull<TileDialect, scf::SCFDialect>(parent ? parent->getDialect() : nullptr);
  if (!isOnce) {
    return op->emitOpError() << "expected to stand directly in the body of a kernel, a grid or "
                                "tasks, found it in `"
                             << parent->getName() << "`: move it out";
  }
  return success();
}

/// Whether a slot that an op gives on the spot is of another ring than the one that the buf is in; other slots are
/// believed. Neighbours may not be verified yet.
static bool isOfOtherRing(Value buf, Value slot) {
  Operation *giver = slot.getDefiningOp();
  if (!isa_and_nonnull<AcquireOp, AwaitOp>(giver) || giver->getNumOperands() != 1) {
    return false;
  }
  auto ring = giver->getOperand(0).getDefiningOp<RingOp>();
  return ring && !llvm::is_contained(ring->getOperands(), buf);
}

/// The rule on slots that all accesses share.
static LogicalResult verifySlot(Operation *op, TypedValue<BufType> buf, Value slot) {
  bool isInRing = static_cast<bool>(ringOf(buf));
  bool wanted = buf.getType().getSlots() > 1 || isInRing;
  if (wanted && !slot) {
    return op->emitOpError() << "expected `slot`, as the buf "
                             << (isInRing ? "is in a ring" : "has several slots")
                             << ": take it from `tile.acquire` or `tile.await`";
  }
  if (!wanted && slot) {
    return op->emitOpError() << "expected no `slot`, as the buf has one slot and is in no ring";
  }
  if (slot && isOfOtherRing(buf, slot)) {
    InFlightDiagnostic error = op->emitOpError()
                               << "expected a slot of the buf's own ring, found one of another";
    error.attachNote(slot.getLoc()) << "it is given here";
    return error;
  }
  return success();
}

/// The box of a view has the shape and the elements of a buf.
static LogicalResult verifyBox(Operation *op, ViewType view, ValueRange indices,
                               ArrayRef<bool> whole, BufType buf) {
  FailureOr<SmallVector<int64_t>> box = verifyIndex(op, view, indices, whole);
  if (failed(box)) {
    return failure();
  }
  return verifyType(op, "a box", scalarOrTile(*box, view.getElementType()), buf.getTileType());
}

//===- AllocOp ------------------------------------------------------------===//

LogicalResult AllocOp::verify() {
  // C1
  if (failed(verifyTopLevel(*this))) {
    return failure();
  }
  // C2
  BufType type = getResult().getType();
  int64_t room = 0;
  llvm::SmallPtrSet<Value, 4> seen;
  for (Value over : getOver()) {
    auto other = cast<BufType>(over.getType());
    if (other.getStorage() != type.getStorage() || other.getPer() != type.getPer()) {
      return emitOpError() << "expected `over` to name `" << stringifyStorage(type.getStorage())
                           << "` bufs per `" << stringifyExecScope(type.getPer()) << "`, found `"
                           << text(other) << "`";
    }
    for (Value base : memoryBases(over)) {
      if (!seen.insert(base).second) {
        return emitOpError() << "expected `over` to name each memory once, found two bufs that "
                                "share theirs";
      }
    }
    room += other.getBytes();
  }
  // C3
  if (!getOver().empty() && type.getBytes() > room) {
    return emitOpError() << "expected a result of at most " << room
                         << " bytes, as `over` has them, found " << type.getBytes();
  }
  return success();
}

//===- accesses -----------------------------------------------------------===//

LogicalResult CopyOp::verify() {
  // C1, C2
  if (failed(verifyBox(*this, getView().getType(), getIndices(), getWhole(), getBuf().getType()))) {
    return failure();
  }
  // C3
  return verifySlot(*this, getBuf(), getSlot());
}

LogicalResult CopyOutOp::verify() {
  // C1
  if (!getView().getType().isWritable()) {
    return emitOpError()
           << "expected an `out` or `inout` view, found `in`: declare the argument `out`";
  }
  // C2, C3
  if (failed(verifyBox(*this, getView().getType(), getIndices(), getWhole(), getBuf().getType()))) {
    return failure();
  }
  // C4
  return verifySlot(*this, getBuf(), getSlot());
}

LogicalResult ReadOp::verify() {
  BufType buf = getBuf().getType();
  // C1
  if (static_cast<int64_t>(getWhole().size()) != buf.getRank()) {
    return emitOpError() << "expected a span or `:` for each of " << buf.getRank()
                         << " axes, found " << getWhole().size();
  }
  size_t wanted = llvm::count(getWhole(), false);
  if (getSpans().size() != wanted) {
    return emitOpError() << "expected a span for each of " << wanted
                         << " axes that are not `:`, found " << getSpans().size();
  }
  unsigned next = 0;
  for (auto [extent, isWhole] : llvm::zip(buf.getShape(), getWhole())) {
    if (isWhole) {
      continue;
    }
    auto span = cast<SpanType>(getSpans()[next++].getType());
    if (span.getWidth() != extent) {
      return emitOpError() << "expected a span of width " << extent
                           << ", the axis' extent, found width " << span.getWidth();
    }
  }
  // C2
  if (failed(verifyType(*this, "a result", getResult().getType(), buf.getTileType()))) {
    return failure();
  }
  // C3
  return verifySlot(*this, getBuf(), getSlot());
}

LogicalResult WriteOp::verify() {
  // C1
  if (failed(
          verifyType(*this, "a value", getValue().getType(), getBuf().getType().getTileType()))) {
    return failure();
  }
  // C2
  return verifySlot(*this, getBuf(), getSlot());
}

//===- rings --------------------------------------------------------------===//

LogicalResult RingOp::verify() {
  // C1
  int64_t slots = getResult().getType().getSlots();
  if (getBufs().empty()) {
    return emitOpError() << "expected at least one buf, found none";
  }
  llvm::SmallPtrSet<Value, 4> seen;
  for (Value buf : getBufs()) {
    if (cast<BufType>(buf.getType()).getSlots() != slots) {
      return emitOpError() << "expected bufs of " << slots << " slots, as the ring has, found `"
                           << text(buf.getType()) << "`";
    }
    // C2
    for (Operation *user : buf.getUsers()) {
      if (isa<RingOp>(user) && user != getOperation()) {
        InFlightDiagnostic error = emitOpError()
                                   << "expected bufs that are in no other ring: one queue tells "
                                      "when their slots are free";
        error.attachNote(user->getLoc()) << "the other ring is here";
        return error;
      }
    }
    if (!seen.insert(buf).second) {
      return emitOpError() << "expected each buf once, found one twice";
    }
  }
  // C3
  return verifyTopLevel(*this);
}

/// From `op` to the op that must follow (forward) or precede it on the same ring in its block, without another `Self`
/// between.
template <class Self, class Partner>
static LogicalResult verifyPair(Self op, bool forward, StringRef partner) {
  Operation *at = op.getOperation();
  while ((at = forward ? at->getNextNode() : at->getPrevNode())) {
    // Neighbours may not be verified yet.
    if (at->getNumOperands() != 1 || at->getOperand(0) != op.getRing()) {
      continue;
    }
    if (isa<Partner>(at)) {
      return success();
    }
    if (isa<Self>(at)) {
      break;
    }
  }
  InFlightDiagnostic error = op.emitOpError()
                             << "expected `" << partner << "` of the ring "
                             << (forward ? "after" : "before") << " it in the same block";
  if (at) {
    error << ", found another `" << op->getName() << "` first";
    error.attachNote(at->getLoc()) << "it is here";
  }
  return error;
}

LogicalResult AcquireOp::verify() {
  return verifyPair<AcquireOp, CommitOp>(*this, true, "tile.commit"); // C1
}
LogicalResult CommitOp::verify() {
  return verifyPair<CommitOp, AcquireOp>(*this, false, "tile.acquire"); // C1
}
LogicalResult AwaitOp::verify() {
  return verifyPair<AwaitOp, ReleaseOp>(*this, true, "tile.release"); // C1
}
LogicalResult ReleaseOp::verify() {
  return verifyPair<ReleaseOp, AwaitOp>(*this, false, "tile.await"); // C1
}

//===- barriers and groups ------------------------------------------------===//

LogicalResult BarrierOp::verify() {
  // C1
  if (getScope() == ExecScope::thread) {
    return emitOpError() << "expected `warp`, `wg`, `cta` or `cluster`, found `thread`";
  }
  return success();
}

/// Kinds of asynchronous ops that are counted in groups.
static LogicalResult verifyGroup(Operation *op, Proxy via) {
  if (via == Proxy::generic || via == Proxy::tma) {
    return op->emitOpError() << "expected `cp_async`, `bulk` or `wgmma`, found `"
                             << stringifyProxy(via) << "`, whose ops are not counted in groups";
  }
  return success();
}

LogicalResult GroupCommitOp::verify() { return verifyGroup(*this, getVia()); /* C1 */ }

LogicalResult GroupWaitOp::verify() {
  // C1
  if (failed(verifyGroup(*this, getVia()))) {
    return failure();
  }
  // C2
  int64_t pending = getPending();
  if (pending < 0) {
    return emitOpError() << "expected 0 or more pending groups, found " << pending;
  }
  return success();
}

} // namespace tessera::tile
