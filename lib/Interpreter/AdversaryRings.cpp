// Rings, and memory that one buf takes from another, as the adversary sees them.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Adversary.h"
#include "Mutants.h"

#include "llvm/ADT/STLExtras.h"

using namespace tessera;
using namespace tessera::interp;

/// Protocols of one flow of control: their ops do not wait for another one.
static bool waitsForOthers(tile::Protocol protocol) {
  return protocol == tile::Protocol::mbarrier || protocol == tile::Protocol::bulk;
}

bool Adversary::sameSlot(const std::optional<AsyncOp::Place> &place, unsigned ring, unsigned owner,
                         uint64_t slot) const {
  return place && machine.storage.bufs[place->buf].ring == ring && place->owner == owner &&
         uint64_t(place->slot) == slot;
}

/// Whether a slot of such a ring is filled only when an op that fills it is done.
static bool tellsWhenDone(tile::Protocol protocol, tile::Proxy via) {
  switch (protocol) {
  case tile::Protocol::cta_sync:
    return false;
  case tile::Protocol::cp_async:
    return via == tile::Proxy::cp_async;
  case tile::Protocol::mbarrier:
    return via != tile::Proxy::wgmma;
  case tile::Protocol::bulk:
    return via == tile::Proxy::bulk;
  }
  return false;
}

std::string Adversary::describeWait(llvm::StringRef what, unsigned ring) const {
  const RingState &state = machine.storage.rings[ring];
  RingQueue &queue = machine.storage.queueOf(ring);
  return llvm::formatv("waits for {0} slot of `{1}` ({2} of {3} slots in use, {4} acquired, {5} "
                       "committed, {6} awaited, {7} released)",
                       what, state.name, queue.acquired - queue.freed, state.slots, queue.acquired,
                       queue.committed, queue.awaited, queue.released)
      .str();
}

bool Adversary::waitFor(const std::function<bool()> &ready, llvm::StringRef what, unsigned ring) {
  if (flows) {
    return flows->waitFor(ready, describeWait(what, ring));
  }
  if (!ready()) {
    machine.fail(RunDiag::run_deadlock, "the CTA " + describeWait(what, ring));
    return false;
  }
  return true;
}

std::optional<uint64_t> Adversary::acquire(unsigned ring) {
  if (flows) {
    flows->pause();
  }
  tick();
  RingState &state = machine.storage.rings[ring];
  unsigned owner = machine.storage.ownerOf(state.per);
  machine.storage.queueOf(ring);
  auto queue = [&state, owner]() -> RingQueue & { return state.queues[owner]; };
  auto isFree = [&state, queue] {
    return TESSERA_MUTANT(45, "every slot is free", queue().acquired - queue().freed < state.slots,
                          true);
  };
  uint64_t slot = queue().acquired % state.slots;
  if (state.drains) {
    // The stores out of the slot are done, and all know it; what else was done to the slot is not told.
    llvm::SmallVector<unsigned, 8> readers;
    for (auto &[id, op] : pending) {
      if (sameSlot(op->readsBuf, ring, owner, slot)) {
        llvm::append_range(readers, op->agents);
      }
    }
    completeIf([&](const AsyncOp &op) { return sameSlot(op.readsBuf, ring, owner, slot); });
    llvm::sort(readers);
    readers.erase(std::unique(readers.begin(), readers.end()), readers.end());
    order.learn(current.agents, order.publish(readers));
  } else if (!waitsForOthers(state.protocol) && !isFree()) {
    machine.fail(RunDiag::run_ring_full, state.name, queue().acquired - queue().freed, state.slots,
                 queue().acquired, queue().freed);
    return std::nullopt;
  } else if (!waitFor(isFree, "a free", ring)) {
    return std::nullopt;
  }
  slot = queue().acquired++ % state.slots;
  if (TESSERA_MUTANT(46, "acquire orders nothing", true, false)) {
    order.learn(current.agents, stamp(freed, ring, owner, slot));
  }
  return slot;
}

void Adversary::commit(unsigned ring) {
  tick();
  RingState &state = machine.storage.rings[ring];
  unsigned owner = machine.storage.ownerOf(state.per);
  RingQueue &queue = machine.storage.queueOf(ring);
  uint64_t slot = queue.committed++ % state.slots;
  stamp(filled, ring, owner, slot) = order.publish(current.agents);
  if (state.drains) {
    queue.awaited = queue.released = queue.freed = queue.committed;
  }
  if (flows) {
    flows->pause();
  }
}

std::optional<uint64_t> Adversary::await(unsigned ring) {
  if (flows) {
    flows->pause();
  }
  tick();
  RingState &state = machine.storage.rings[ring];
  unsigned owner = machine.storage.ownerOf(state.per);
  machine.storage.queueOf(ring);
  auto queue = [&state, owner]() -> RingQueue & { return state.queues[owner]; };
  auto isFilled = [queue] { return queue().committed > queue().awaited; };
  // Bulk stores are counted by the thread that starts them: another role has nothing to wait for.
  bool isTold =
      waitsForOthers(state.protocol) && !(state.protocol == tile::Protocol::bulk && flows);
  if (!isTold && !isFilled()) {
    machine.fail(RunDiag::run_ring_empty, state.name, queue().committed, queue().awaited);
    return std::nullopt;
  }
  if (!waitFor(isFilled, "a filled", ring)) {
    return std::nullopt;
  }
  uint64_t slot = queue().awaited++ % state.slots;
  Stamp known = stamp(filled, ring, owner, slot);
  // Their accesses count as the fillers' up to the commit, which the stamp orders before what follows.
  llvm::SmallVector<uint32_t, 8> ids;
  for (auto &[id, op] : pending) {
    if (sameSlot(op->writesBuf, ring, owner, slot) && tellsWhenDone(state.protocol, op->via)) {
      op->writes.clear();
      ids.push_back(id);
    }
  }
  for (uint32_t id : ids) {
    complete(id);
  }
  // The other threads of a role do not hear of them, either.
  bool isHeard = state.protocol != tile::Protocol::bulk;
  if (TESSERA_MUTANT(47, "await orders nothing", isHeard, false)) {
    order.learn(current.agents, known);
  }
  if (!waitsForOthers(state.protocol)) {
    order.barrier(current.agents);
  }
  return slot;
}

void Adversary::release(unsigned ring) {
  RingState &state = machine.storage.rings[ring];
  unsigned owner = machine.storage.ownerOf(state.per);
  PendingRelease release{ring, owner, machine.storage.queueOf(ring).released++};
  if (TESSERA_MUTANT(48, "no release lags", !current.section || current.lag == 0, true)) {
    freeSlot(release);
  } else {
    SectionTime &time = sections[{current.role, current.section}];
    release.step = time.step;
    release.lags = true;
    time.releases.push_back(release);
    // What was released `lag` steps ago is free now.
    std::vector<PendingRelease> due;
    llvm::erase_if(time.releases, [&](const PendingRelease &other) {
      bool isDue = other.ring == ring && other.step + current.lag <= time.step;
      if (isDue) {
        due.push_back(other);
      }
      return isDue;
    });
    for (const PendingRelease &other : due) {
      freeSlot(other);
    }
  }
  if (flows) {
    flows->pause();
  }
}

void Adversary::freeSlot(const PendingRelease &release, bool atEnd) {
  RingState &state = machine.storage.rings[release.ring];
  uint64_t slot = release.number % state.slots;
  for (auto &[id, op] : pending) {
    bool reads = sameSlot(op->readsBuf, release.ring, release.owner, slot);
    // A lag waits for what was started so many steps ago; ops in a group wait for `group_wait`.
    bool isOpen = reads && (op->group || !release.lags) && !atEnd;
    if (TESSERA_MUTANT(49, "a release waits for all", isOpen, false)) {
      if (RunError *error = machine.fail(RunDiag::run_release_busy, slot, state.name,
                                         tile::stringifyProxy(op->via))) {
        error->notes.push_back({machine.memoryOps[op->op - 1]->getLoc(), "it reads here"});
      }
      return;
    }
  }
  completeIf(
      [&](const AsyncOp &op) { return sameSlot(op.readsBuf, release.ring, release.owner, slot); });
  stamp(freed, release.ring, release.owner, slot) = order.publish(current.agents);
  ++state.queues[release.owner].freed;
}

bool Adversary::overInFlight(unsigned buf, unsigned from) {
  for (auto &[id, op] : pending) {
    auto isFrom = [&](const std::optional<AsyncOp::Place> &place) {
      return place && place->buf == from;
    };
    if (isFrom(op->readsBuf) || isFrom(op->writesBuf)) {
      if (RunError *error = machine.fail(
              RunDiag::run_over_early, machine.storage.bufs[buf].name,
              machine.storage.bufs[from].name,
              "an asynchronous op is not done with it; wait for its group, or await its slot")) {
        error->notes.push_back({machine.memoryOps[op->op - 1]->getLoc(), "it started here"});
      }
      return true;
    }
  }
  return false;
}

bool Adversary::takeOver(unsigned buf, unsigned from) {
  if (overInFlight(buf, from)) {
    return false;
  }
  // Which of its cells an element meets is not known before there are layouts: every access counts for every warp.
  for (auto &[key, table] : bufCells) {
    if (key.first != from) {
      continue;
    }
    for (uint64_t i = 0; i < table->size(); ++i) {
      const Cell &cell = table->cell(i);
      const CellReader *readers = table->readers(i);
      for (unsigned other = 0; other < warps; ++other) {
        bool wrote = cell.kind != WriteKind::none && cell.agent == other;
        uint32_t time = std::max(wrote ? cell.time : 0, readers[other].time);
        uint32_t op = wrote && cell.time == time ? cell.op : readers[other].op;
        for (unsigned agent : current.agents) {
          if (time == 0 || TESSERA_MUTANT(50, "memory is always taken in time",
                                          order.isOrdered(other, time, agent), true)) {
            continue;
          }
          if (RunError *error =
                  machine.fail(RunDiag::run_over_early, machine.storage.bufs[buf].name,
                               machine.storage.bufs[from].name,
                               "an access by " + describeAgent(other) + " is not ordered before " +
                                   describeAgent(agent) + "; put a barrier between")) {
            error->notes.push_back({machine.memoryOps[op - 1]->getLoc(), "it is here"});
          }
          return false;
        }
      }
    }
  }
  return true;
}
