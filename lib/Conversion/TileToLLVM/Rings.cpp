// Rings, barriers, waits; loops whose sections run ahead.
//
// A loop with sections of leads d becomes: a prologue that runs each of them for its first d steps; then, step by step, the first
// wait of the step, a barrier, the sections ahead for step i + d, and the rest of the step. So one barrier makes a slot that
// was filled visible and lets the slot that was used in the step before be filled again. Groups of asynchronous copies are
// committed whether the step exists or not: their number is then the same in every step, and a wait is for a constant number
// of them.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Rings.h"

#include "tessera/Dialect/Tile/Structure.h"
#include "tessera/Support/Mutants.h"

using namespace tessera;
using namespace tessera::convert;
using llvm::SmallVector;
using mlir::failed;
using mlir::failure;
using mlir::LogicalResult;
using mlir::Operation;
using mlir::success;

//===- positions ----------------------------------------------------------===//

static LogicalResult lowerRing(Lowering &l, Operation *op) {
  auto ring = llvm::cast<tile::RingOp>(op);
  if (ring.getProtocol() != tile::Protocol::cp_async &&
      ring.getProtocol() != tile::Protocol::cta_sync) {
    return l.error(op, "rings with the protocol `" +
                           tile::stringifyProtocol(ring.getProtocol()).str() +
                           "` have no code yet: use `cp_async` or `cta_sync`");
  }
  RingValue state;
  state.protocol = ring.getProtocol();
  state.slots = ring.getResult().getType().getSlots();
  state.filled = l.variable(l.b.getInt32Ty(), "filled");
  state.used = l.variable(l.b.getInt32Ty(), "used");
  l.b.CreateStore(l.i32(0), state.filled);
  l.b.CreateStore(l.i32(0), state.used);
  l.rings[ring.getResult()] = state;
  return success();
}

static void advance(Lowering &l, llvm::Value *position, int64_t slots) {
  llvm::Value *next = l.b.CreateAdd(l.b.CreateLoad(l.b.getInt32Ty(), position), l.i32(1));
  next = l.b.CreateSelect(
      l.b.CreateICmpEQ(next, l.i32(TESSERA_MUTANT(483, "a ring turns a slot too early", slots,
                                                  std::max<int64_t>(slots - 1, 1)))),
      l.i32(0), next);
  l.b.CreateStore(next, position);
}

static LogicalResult lowerAcquire(Lowering &l, Operation *op) {
  auto acquire = llvm::cast<tile::AcquireOp>(op);
  // The slot may be in use by others: sections ahead stand behind a barrier of the step, all others have their own.
  bool isUsed = l.released.count(acquire.getRing());
  if (!l.defersCommits &&
      TESSERA_MUTANT(484, "a slot is filled while others read it", isUsed, false)) {
    l.barrier();
  }
  l.slots[acquire.getSlot()] =
      l.b.CreateLoad(l.b.getInt32Ty(), l.rings.at(acquire.getRing()).filled);
  return success();
}

static LogicalResult lowerCommit(Lowering &l, Operation *op) {
  const RingValue &ring = l.rings.at(op->getOperand(0));
  advance(l, ring.filled, ring.slots);
  if (ring.protocol == tile::Protocol::cp_async && !l.defersCommits) {
    l.marker("cp.commit", l.b.getVoidTy(), {});
  }
  return success();
}

void convert::waitFor(Lowering &l, tile::AwaitOp await) {
  bool isAsync = l.rings.at(await.getRing()).protocol == tile::Protocol::cp_async;
  if (TESSERA_MUTANT(480, "copies in flight are read", isAsync, false)) {
    auto pending = l.pendingAt.find(await);
    l.marker("cp.wait", l.b.getVoidTy(),
             {l.i32((pending == l.pendingAt.end() ? 0 : pending->second) +
                    TESSERA_MUTANT(481, "waits leave a group too many", 0, 1))});
  }
  if (TESSERA_MUTANT(482, "a wait is no barrier", true, false)) {
    l.barrier();
  }
}

static LogicalResult lowerAwait(Lowering &l, Operation *op) {
  auto await = llvm::cast<tile::AwaitOp>(op);
  if (!l.waited.count(op)) {
    waitFor(l, await);
  }
  l.slots[await.getSlot()] = l.b.CreateLoad(l.b.getInt32Ty(), l.rings.at(await.getRing()).used);
  return success();
}

static LogicalResult lowerRelease(Lowering &l, Operation *op) {
  const RingValue &ring = l.rings.at(op->getOperand(0));
  advance(l, ring.used, ring.slots);
  l.released.insert(op->getOperand(0));
  return success();
}

//===- barriers and groups ------------------------------------------------===//

static LogicalResult lowerBarrier(Lowering &l, Operation *op) {
  auto barrier = llvm::cast<tile::BarrierOp>(op);
  switch (barrier.getScope()) {
  case tile::ExecScope::warp:
    l.marker("bar.warp", l.b.getVoidTy(), {});
    return success();
  case tile::ExecScope::cta:
    l.barrier();
    return success();
  case tile::ExecScope::wg: {
    // A warpgroup has the barrier of its number; 0 is the CTA's. The last one may have fewer than four warps.
    if (l.warps <= 4) {
      l.barrier();
      return success();
    }
    llvm::Value *group = l.b.CreateLShr(l.warp(), l.i32(2));
    llvm::Value *warps = l.b.CreateSub(l.i32(l.warps), l.b.CreateShl(group, l.i32(2)));
    llvm::Value *whole = l.i32(4);
    llvm::Value *own =
        l.warps % 4 == 0 ? whole : l.b.CreateBinaryIntrinsic(llvm::Intrinsic::umin, warps, whole);
    l.marker("bar.named", l.b.getVoidTy(),
             {l.b.CreateAdd(group, l.i32(1)), l.b.CreateMul(own, l.i32(32))});
    return success();
  }
  default:
    return l.error(op, "a barrier of a cluster has no code yet");
  }
}

static LogicalResult lowerGroup(Lowering &l, Operation *op) {
  tile::Proxy via = llvm::isa<tile::GroupCommitOp>(op)
                        ? llvm::cast<tile::GroupCommitOp>(op).getVia()
                        : llvm::cast<tile::GroupWaitOp>(op).getVia();
  if (via != tile::Proxy::cp_async) {
    return l.error(op, "groups of `" + tile::stringifyProxy(via).str() + "` have no code yet");
  }
  if (auto wait = llvm::dyn_cast<tile::GroupWaitOp>(op)) {
    l.marker("cp.wait", l.b.getVoidTy(), {l.i32(wait.getPending())});
  } else {
    l.marker("cp.commit", l.b.getVoidTy(), {});
  }
  return success();
}

LowerOp convert::ringOp(Operation *op) {
  return llvm::TypeSwitch<Operation *, LowerOp>(op)
      .Case<tile::RingOp>([](auto) { return lowerRing; })
      .Case<tile::AcquireOp>([](auto) { return lowerAcquire; })
      .Case<tile::CommitOp>([](auto) { return lowerCommit; })
      .Case<tile::AwaitOp>([](auto) { return lowerAwait; })
      .Case<tile::ReleaseOp>([](auto) { return lowerRelease; })
      .Case<tile::BarrierOp>([](auto) { return lowerBarrier; })
      .Case<tile::GroupCommitOp, tile::GroupWaitOp>([](auto) { return lowerGroup; })
      .Case<tile::SectionOp>([](auto) { return lowerSection; })
      .Default([](Operation *) { return nullptr; });
}
