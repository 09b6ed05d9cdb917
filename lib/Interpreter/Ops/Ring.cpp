// Rings: in order of the program a queue of slots is a few counts. A slot is held between `acquire` and `commit`, and
// between `await` and `release`.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Adversary.h"
#include "../Compiler.h"
#include "../Mutants.h"

#include "llvm/ADT/STLExtras.h"

using namespace tessera;
using namespace tessera::interp;

namespace {
StepFn compileRing(Compiler &c, tile::RingOp op) {
  unsigned ring = c.machine.storage.rings.size();
  RingState &state = c.machine.storage.rings.emplace_back();
  state.op = op;
  state.name = nameOf(op.getResult(), "ring");
  state.protocol = op.getProtocol();
  state.slots = op.getResult().getType().getSlots();
  state.drains = state.protocol == tile::Protocol::bulk &&
                 llvm::none_of(op.getResult().getUsers(), [](mlir::Operation *user) {
                   return mlir::isa<tile::AwaitOp>(user);
                 });
  for (mlir::Value value : op.getBufs()) {
    auto found = c.bufs.find(value);
    if (found == c.bufs.end()) {
      return c.unknown(op, " on a buf that is not the result of `tile.alloc`");
    }
    BufState &buf = c.machine.storage.bufs[found->second];
    buf.ring = ring;
    state.per = buf.per;
    state.bufs.push_back(found->second);
  }
  c.rings[op.getResult()] = ring;
  return [=](Machine &m) { m.storage.renewRing(ring); };
}

/// The ring's number; nothing, with an error, if the value is not the result of `tile.ring`.
std::optional<unsigned> ringOf(Compiler &c, mlir::Operation *op) {
  auto found = c.rings.find(op->getOperand(0));
  if (found == c.rings.end()) {
    c.unknown(op, " on a ring that is not the result of `tile.ring`");
    return std::nullopt;
  }
  return found->second;
}

StepFn compileAcquire(Compiler &c, tile::AcquireOp op) {
  std::optional<unsigned> ring = ringOf(c, op);
  if (!ring) {
    return nullptr;
  }
  unsigned slot = c.slot(op.getSlot()).index;
  return [ring = *ring, slot](Machine &m) {
    RingState &state = m.storage.rings[ring];
    std::optional<uint64_t> number;
    if (m.adversary) {
      number = m.adversary->acquire(ring);
    } else {
      RingQueue &queue = m.storage.queueOf(ring);
      uint64_t used = queue.acquired - queue.freed;
      if (used >= state.slots) {
        m.fail(RunDiag::run_ring_full, state.name, used, state.slots, queue.acquired, queue.freed);
        return;
      }
      number = queue.acquired++ % state.slots;
    }
    if (number) {
      if (TESSERA_MUTANT(54, "a slot keeps its values", true, false)) {
        m.storage.mark(m.pool, ring, *number, CellState::reused);
      }
      m.setIndex(slot, *number);
    }
  };
}

StepFn compileCommit(Compiler &c, tile::CommitOp op) {
  std::optional<unsigned> ring = ringOf(c, op);
  if (!ring) {
    return nullptr;
  }
  return [ring = *ring](Machine &m) {
    if (m.adversary) {
      m.adversary->commit(ring);
      return;
    }
    RingQueue &queue = m.storage.queueOf(ring);
    ++queue.committed;
    if (m.storage.rings[ring].drains) {
      queue.awaited = queue.released = queue.freed = queue.committed;
    }
  };
}

StepFn compileAwait(Compiler &c, tile::AwaitOp op) {
  std::optional<unsigned> ring = ringOf(c, op);
  if (!ring) {
    return nullptr;
  }
  unsigned slot = c.slot(op.getSlot()).index;
  return [ring = *ring, slot](Machine &m) {
    RingState &state = m.storage.rings[ring];
    if (m.adversary) {
      if (std::optional<uint64_t> number = m.adversary->await(ring)) {
        m.setIndex(slot, *number);
      }
      return;
    }
    RingQueue &queue = m.storage.queueOf(ring);
    if (queue.committed == queue.awaited) {
      m.fail(RunDiag::run_ring_empty, state.name, queue.committed, queue.awaited);
      return;
    }
    m.setIndex(slot, queue.awaited++ % state.slots);
  };
}

StepFn compileRelease(Compiler &c, tile::ReleaseOp op) {
  std::optional<unsigned> ring = ringOf(c, op);
  if (!ring) {
    return nullptr;
  }
  return [ring = *ring](Machine &m) {
    if (m.adversary) {
      m.adversary->release(ring);
      return;
    }
    RingQueue &queue = m.storage.queueOf(ring);
    ++queue.released;
    ++queue.freed;
  };
}
} // namespace

void tessera::interp::addRingCases(OpCases &cases) {
  cases.add<tile::RingOp>(compileRing);
  cases.add<tile::AcquireOp>(compileAcquire);
  cases.add<tile::CommitOp>(compileCommit);
  cases.add<tile::AwaitOp>(compileAwait);
  cases.add<tile::ReleaseOp>(compileRelease);
}
