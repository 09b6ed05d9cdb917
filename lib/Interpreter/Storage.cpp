// Bufs and rings of a run.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Storage.h"

#include <algorithm>
#include <cstring>

using namespace tessera;
using namespace tessera::interp;

llvm::StringRef tessera::interp::whyEmpty(CellState state) {
  switch (state) {
  case CellState::never:
    return "nothing was written to it";
  case CellState::held:
    return "it holds a value";
  case CellState::left:
    return "the copy with `fill undef` did not write it";
  case CellState::reused:
    return "nothing was written to it since its slot was acquired again";
  case CellState::taken:
    return "another buf took its memory";
  case CellState::lanes:
    return "an instruction wrote what the lanes of absent elements held";
  }
  return "";
}

bool RingState::isHeld(uint64_t slot, unsigned owner) const {
  if (owner >= queues.size()) {
    return false;
  }
  const RingQueue &queue = queues[owner];
  bool filling = queue.acquired > queue.committed && (queue.acquired - 1) % slots == slot;
  bool used = queue.awaited > queue.released && (queue.awaited - 1) % slots == slot;
  return filling || used;
}

BufMemory &Storage::memoryOf(BufferPool &pool, unsigned buf) {
  BufState &state = bufs[buf];
  unsigned owner = ownerOf(state.per);
  if (owner >= state.memory.size()) {
    state.memory.resize(owner + 1);
  }
  BufMemory &memory = state.memory[owner];
  if (!memory.data) {
    memory.data = pool.allocateZeroed(state.slots * state.slotBytes());
    if (garbage) {
      garbage->fill(state.type, memory.data.data(), state.slots * state.type.count);
    }
    memory.states.assign(state.slots * state.type.count, CellState::never);
  }
  return memory;
}

RingQueue &Storage::queueOf(unsigned ring) {
  RingState &state = rings[ring];
  unsigned owner = ownerOf(state.per);
  if (owner >= state.queues.size()) {
    state.queues.resize(owner + 1);
  }
  return state.queues[owner];
}

void Storage::renew(unsigned buf) {
  BufState &state = bufs[buf];
  for (BufMemory &memory : state.memory) {
    std::fill(memory.states.begin(), memory.states.end(), CellState::never);
  }
  state.active = false;
  state.follows.reset();
  // Memory that this buf had taken is its first owners' again.
  for (unsigned other : state.over) {
    if (bufs[other].takenBy == buf) {
      bufs[other].takenBy.reset();
      bufs[other].follows = buf;
    }
  }
}

void Storage::renewRing(unsigned ring) {
  for (RingQueue &queue : rings[ring].queues) {
    queue = RingQueue();
  }
}

void Storage::renewAll() {
  for (unsigned buf = 0; buf < bufs.size(); ++buf) {
    renew(buf);
  }
  for (BufState &buf : bufs) {
    buf.follows.reset();
  }
  for (unsigned ring = 0; ring < rings.size(); ++ring) {
    renewRing(ring);
  }
}

void Storage::mark(BufferPool &pool, unsigned ring, int64_t slot, CellState state) {
  for (unsigned buf : rings[ring].bufs) {
    BufMemory &memory = memoryOf(pool, buf);
    int64_t count = bufs[buf].type.count;
    auto begin = memory.states.begin() + slot * count;
    // What was never written stays so.
    std::replace_if(
        begin, begin + count, [](CellState old) { return old != CellState::never; }, state);
  }
}

std::string tessera::interp::nameOf(mlir::Value value, llvm::StringRef kind) {
  std::string name;
  unsigned line = 0;
  value.getLoc()->walk([&](mlir::Location inner) {
    if (auto named = mlir::dyn_cast<mlir::NameLoc>(inner)) {
      name = named.getName().str();
      return mlir::WalkResult::interrupt();
    }
    if (auto file = mlir::dyn_cast<mlir::FileLineColLoc>(inner)) {
      line = file.getLine();
    }
    return mlir::WalkResult::advance();
  });
  return name.empty() ? kind.str() + " of line " + std::to_string(line) : name;
}
