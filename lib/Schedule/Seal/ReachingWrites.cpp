//===- ReachingWrites.cpp - last writes that reach a read -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Values.h. A write takes the place of all before it: what a partial write leaves is older data, and that no read
// sees it is what Values.cpp proves. Loops are repeated until nothing is added.
//
//===----------------------------------------------------------------------===//

#include "Values.h"

#include "tessera/Support/Mutants.h"

#include "llvm/ADT/MapVector.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tessera::tile;

namespace tessera::sealing {

ReachingWrites::ReachingWrites(Sealer &sealer) : sealer(sealer) {
  for (const Access &access : sealer.accesses) {
    if (access.isBuf) {
      byOp[access.op].push_back(&access);
    }
  }
  State state;
  sealer.kernel.getBody().walk([&](AllocOp alloc) { state[alloc.getResult()] = {Definition()}; });
  flow(sealer.kernel.getBody().front(), state);
  SmallVector<RingOp> rings;
  sealer.kernel.getBody().walk([&](RingOp ring) { rings.push_back(ring); });
  for (RingOp ring : rings) {
    flowRing(ring);
  }
}

ArrayRef<Definition> ReachingWrites::of(Operation *read) const {
  auto at = found.find(read);
  return at == found.end() ? ArrayRef<Definition>() : ArrayRef<Definition>(at->second);
}

std::optional<std::pair<Operation *, Operation *>>
ReachingWrites::sameSteps(Operation *read) const {
  auto at = loops.find(read);
  return at == loops.end() ? std::nullopt : std::optional(at->second);
}

static void add(Definitions &all, const Definition &definition) {
  if (!llvm::is_contained(all, definition)) {
    all.push_back(definition);
  }
}

void ReachingWrites::note(Operation *read, const Definitions &definitions) {
  for (const Definition &definition : definitions) {
    add(found[read], definition);
  }
}

void ReachingWrites::join(State &into, const State &from) {
  for (const auto &[buf, definitions] : from) {
    for (const Definition &definition : definitions) {
      add(into[buf], definition);
    }
  }
}

void ReachingWrites::cross(State &state, Operation *loop) {
  for (auto &[buf, definitions] : state) {
    Definitions crossed;
    for (Definition definition : definitions) {
      bool isInside = definition.op && loop->isProperAncestor(definition.op);
      if (isInside && !llvm::is_contained(definition.crossed, loop)) {
        definition.crossed.push_back(loop);
        llvm::sort(definition.crossed);
      }
      add(crossed, definition);
    }
    definitions = crossed;
  }
}

void ReachingWrites::touch(const Access &access, State &state) {
  // Whoever shares the memory finds other bytes from now on; slots of rings are followed by turns.
  bool isTurn = static_cast<bool>(access.window.slot);
  if (!isTurn && !access.isWrite()) {
    note(access.op, state[access.memory]);
    return;
  }
  if (!access.isWrite()) {
    return;
  }
  for (auto &[buf, definitions] : state) {
    if (buf != access.memory && TESSERA_MUTANT(134, "a write keeps overlaid bufs whole",
                                               tile::shareMemory(buf, access.memory), false)) {
      definitions = {{Definition::clobber, access.op, {}}};
    }
  }
  if (!isTurn) {
    state[access.memory] = {{Definition::write, access.op, {}}};
  }
}

void ReachingWrites::flow(Block &block, State &state) {
  for (Operation &op : block) {
    flow(&op, state);
  }
}

void ReachingWrites::flow(Operation *op, State &state) {
  auto accesses = byOp.find(op);
  if (accesses != byOp.end()) {
    for (const Access *access : accesses->second) {
      touch(*access, state);
    }
  }
  if (isa<ForOp, TasksOp, scf::WhileOp>(op)) {
    flowLoop(op, state);
  } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
    State other = state;
    flow(branch.getThenRegion().front(), state);
    if (!branch.getElseRegion().empty()) {
      flow(branch.getElseRegion().front(), other);
    }
    join(state, other);
  } else if (isa<GridOp, ParOp, SectionOp, ElectOp, ApplyOp>(op)) {
    flow(op->getRegion(0).front(), state);
  }
}

void ReachingWrites::flowLoop(Operation *op, State &state) {
  State entry = state, exit;
  while (true) {
    State before = entry;
    exit = entry;
    for (Region &region : op->getRegions()) {
      if (isa<scf::WhileOp>(op) && region.getRegionNumber() == 1) {
        // The condition may be false the first time, or after a step.
        State body = exit;
        flow(region.front(), body);
        cross(body, op);
        join(entry, body);
      } else {
        flow(region.front(), exit);
      }
    }
    State back = exit;
    cross(back, op);
    if (!isa<scf::WhileOp>(op)) {
      join(entry, back);
    }
    bool isStable = llvm::all_of(
        entry, [&](auto &item) { return item.second.size() == before[item.first].size(); });
    if (isStable) {
      break;
    }
  }
  auto loop = dyn_cast<ForOp>(op);
  bool runs = isa<scf::WhileOp>(op) || TESSERA_MUTANT(109, "a loop has a step for sure",
                                                      loop && sealer.surelyRuns(loop), bool(loop));
  State after = exit;
  cross(after, op);
  if (!runs) {
    join(after, state);
  }
  state = after;
}

//===- slots --------------------------------------------------------------===//

/// The writes of one turn, in the order of the program; reads of the slot within the turn are noted.
void ReachingWrites::flowTurn(const Turn &turn, Value buf, Definitions &state) {
  State local;
  local[buf] = {Definition()};
  std::function<void(Operation *, Definitions &)> walk = [&](Operation *op, Definitions &now) {
    auto accesses = byOp.find(op);
    if (accesses != byOp.end()) {
      for (const Access *access : accesses->second) {
        if (access->memory != buf || access->window.slot != turn.slot()) {
          continue;
        }
        if (access->isWrite()) {
          now = {{Definition::write, op, {}}};
        } else {
          note(op, now);
        }
      }
    }
    auto loop = dyn_cast<ForOp>(op);
    bool mayRun = isa<scf::IfOp, ForOp, scf::WhileOp>(op) && !(loop && sealer.surelyRuns(loop));
    Definitions before = now, all;
    for (Region &region : op->getRegions()) {
      for (Block &block : region) {
        Definitions inner = before;
        for (Operation &nested : block) {
          walk(&nested, inner);
        }
        for (const Definition &definition : inner) {
          add(all, definition);
        }
      }
    }
    bool hasElse = isa<scf::IfOp>(op) && !cast<scf::IfOp>(op).getElseRegion().empty();
    if (op->getNumRegions() > 0 && !all.empty()) {
      now = all;
    }
    if (TESSERA_MUTANT(110, "a branch in a turn is taken", mayRun && !hasElse, false)) {
      for (const Definition &definition : before) {
        add(now, definition);
      }
    }
    if (isa<ForOp, scf::WhileOp>(op)) {
      for (Definition &definition : now) {
        if (definition.op && op->isProperAncestor(definition.op) && definition.crossed.empty()) {
          definition.crossed.push_back(op);
        }
      }
    }
  };
  Definitions now = {Definition()};
  for (Operation *op = turn.begin; op != turn.end; op = op->getNextNode()) {
    walk(op, now);
  }
  state = now;
}

void ReachingWrites::flowRing(RingOp ring) {
  for (const RingTurns &part : partsOf(turnsOf(ring))) {
    flowTurns(part);
  }
}

void ReachingWrites::flowTurns(const RingTurns &turns) {
  Rates rates;
  if (turns.isPaired) {
    rates = ratesOf(sealer, turns);
  }
  for (Value buf : RingOp(turns.ring).getBufs()) {
    for (auto [i, fill] : llvm::enumerate(turns.fills)) {
      Definitions filled;
      flowTurn(fill, buf, filled);
      if (!turns.isPaired || !rates.areEqual) {
        continue; // which fill a use gets is not known; Rings.cpp refuses that
      }
      for (auto &[read, accesses] : byOp) {
        for (const Access *access : accesses) {
          if (access->memory == buf && !access->isWrite() &&
              access->window.slot == turns.uses[i].slot()) {
            note(read, filled);
            if (rates.fillLoop) {
              loops[read] = {rates.fillLoop, rates.useLoop};
            }
          }
        }
      }
    }
  }
}

} // namespace tessera::sealing
