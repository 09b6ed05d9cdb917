// Whether a slot of a buf may be used, and what its cells hold.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "BufAccess.h"

#include "../Adversary.h"
#include "../Mutants.h"

using namespace tessera;
using namespace tessera::interp;

std::optional<BufPlan> BufPlan::make(Compiler &c, mlir::Operation *op, mlir::Value buf,
                                     mlir::Value slot) {
  auto found = c.bufs.find(buf);
  if (found == c.bufs.end()) {
    c.unknown(op, " on a buf that is not the result of `tile.alloc`");
    return std::nullopt;
  }
  BufPlan plan;
  plan.buf = found->second;
  plan.tileType = &c.type(mlir::cast<tile::BufType>(buf.getType()).getTileType());
  if (slot) {
    plan.slot = c.slot(slot).index;
  }
  return plan;
}

/// Memory that other bufs have taken is this one's again, and what they held is lost.
bool BufPlan::takeBack(Machine &m, unsigned from) {
  BufState &state = m.storage.bufs[from];
  if (!state.takenBy) {
    return true;
  }
  unsigned taker = *state.takenBy;
  if (!takeBack(m, taker) || (m.adversary && !m.adversary->takeOver(from, taker))) {
    return false;
  }
  BufState &lost = m.storage.bufs[taker];
  lost.active = false;
  for (BufMemory &memory : lost.memory) {
    std::fill(memory.states.begin(), memory.states.end(), CellState::taken);
  }
  for (unsigned other : lost.over) {
    m.storage.bufs[other].takenBy.reset();
  }
  return true;
}

bool BufPlan::takeOver(Machine &m) const {
  BufState &state = m.storage.bufs[buf];
  if (!takeBack(m, buf)) {
    return false;
  }
  if (state.follows) {
    if (m.adversary && !m.adversary->takeOver(buf, *state.follows)) {
      return false;
    }
    state.follows.reset();
  }
  if (state.active) {
    return true;
  }
  state.active = true;
  for (unsigned other : state.over) {
    BufState &from = m.storage.bufs[other];
    if (m.adversary && !m.adversary->takeOver(buf, other)) {
      return false;
    }
    if (from.ring) {
      const RingQueue &queue = m.storage.queueOf(*from.ring);
      if (queue.committed != queue.awaited) {
        m.fail(RunDiag::run_ring_left, m.storage.rings[*from.ring].name,
               queue.committed - queue.awaited, "when `" + state.name + "` takes its memory",
               queue.committed, queue.awaited);
        return false;
      }
    }
    from.takenBy = buf;
    for (BufMemory &memory : from.memory) {
      std::fill(memory.states.begin(), memory.states.end(), CellState::taken);
    }
  }
  return true;
}

bool BufPlan::find(Machine &m, bool write, BufSlot &found) const {
  BufState &state = m.storage.bufs[buf];
  // Who writes takes the memory; a read finds nothing of what was there.
  if (state.takenBy && !write) {
    m.fail(RunDiag::run_buf_taken, state.name, m.storage.bufs[*state.takenBy].name);
    return false;
  }
  found.buf = buf;
  found.owner = m.storage.ownerOf(state.per);
  found.slot = slot ? m.scalar<int64_t>(*slot) : 0;
  found.type = tileType;
  bool isHeld = !state.ring || m.storage.rings[*state.ring].isHeld(found.slot, found.owner);
  if (TESSERA_MUTANT(51, "slots need not be held", !isHeld, false)) {
    m.fail(RunDiag::run_slot_not_held, found.slot, state.name);
    return false;
  }
  if (write && !takeOver(m)) {
    return false;
  }
  BufMemory &memory = m.storage.memoryOf(m.pool, buf);
  found.memory = memory.data;
  found.data = memory.data.data() + found.slot * state.slotBytes();
  return true;
}

bool BufPlan::checkHeld(Machine &m, const BufSlot &slot, const uint8_t *mask) {
  const CellState *states = slot.states(m);
  for (int64_t i = 0; i < slot.type->count; ++i) {
    if (states[i] == CellState::held || (mask && !mask[i])) {
      continue;
    }
    std::vector<int64_t> index;
    for (int64_t at : indexOfPosition(slot.type->shape, i)) {
      index.push_back(at);
    }
    const BufState &buf = m.storage.bufs[slot.buf];
    std::string name = buf.name + (buf.slots > 1 ? " slot " + std::to_string(slot.slot) : "");
    if (RunError *error =
            m.fail(RunDiag::run_empty_cell, describeIndex(index), name, whyEmpty(states[i]))) {
      error->index = std::move(index);
      error->notes.push_back({buf.op->getLoc(), "the memory is made here"});
    }
    return false;
  }
  return true;
}

void BufPlan::mark(Machine &m, const BufSlot &slot, const uint8_t *mask, CellState state,
                   bool where) {
  CellState *states = slot.states(m);
  for (int64_t i = 0; i < slot.type->count; ++i) {
    if (!mask || (mask[i] != 0) == where) {
      states[i] = state;
    }
  }
}
