//===- Paths.cpp - what surely happens between two ops --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Paths.h.
//
//===----------------------------------------------------------------------===//

#include "Paths.h"

#include "llvm/ADT/STLExtras.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tessera::tile;

namespace tessera::sealing {

SectionOp sectionOf(Operation *op) { return op->getParentOfType<SectionOp>(); }

SectionOp sectionIn(Operation *op, Operation *loop) {
  for (Operation *at = op; at && at != loop; at = at->getParentOp()) {
    if (auto section = dyn_cast<SectionOp>(at); section && at->getParentOp() == loop) {
      return section;
    }
  }
  return {};
}

StringRef roleOf(Operation *op) {
  for (Operation *at = op; at; at = at->getParentOp()) {
    if (auto section = dyn_cast<SectionOp>(at); section && section.getRole()) {
      return *section.getRole();
    }
  }
  return "";
}

//===- structure ----------------------------------------------------------===//

static bool isLoop(Operation *op) { return isa<ForOp, TasksOp, scf::WhileOp>(op); }

SmallVector<Operation *> Paths::commonLoops(Operation *a, Operation *b) {
  SmallVector<Operation *> loops;
  for (Operation *at = a->getParentOp(); at; at = at->getParentOp()) {
    if (isLoop(at) && at->isProperAncestor(b)) {
      loops.push_back(at);
    }
  }
  std::reverse(loops.begin(), loops.end());
  return loops;
}

Operation *Paths::commonLoop(Operation *a, Operation *b) {
  SmallVector<Operation *> loops = commonLoops(a, b);
  return loops.empty() ? nullptr : loops.back();
}

/// The innermost region around both; and the ops of its blocks that hold them.
static Region *commonRegion(Operation *a, Operation *b) {
  for (Region *region = a->getParentRegion(); region; region = region->getParentRegion()) {
    if (region->isAncestor(b->getParentRegion())) {
      return region;
    }
  }
  return nullptr;
}

bool Paths::isBefore(Operation *a, Operation *b) {
  Region *region = commonRegion(a, b);
  Operation *mine = region->findAncestorOpInRegion(*a);
  Operation *theirs = region->findAncestorOpInRegion(*b);
  if (mine != theirs) {
    return mine->isBeforeInBlock(theirs);
  }
  // Different regions of one op, in their order.
  unsigned left = 0, right = 0;
  for (Region &inner : mine->getRegions()) {
    left = inner.isAncestor(a->getParentRegion()) ? inner.getRegionNumber() : left;
    right = inner.isAncestor(b->getParentRegion()) ? inner.getRegionNumber() : right;
  }
  return left < right;
}

bool Paths::areExclusive(Operation *a, Operation *b) {
  Region *region = commonRegion(a, b);
  Operation *mine = region->findAncestorOpInRegion(*a);
  return a != b && mine == region->findAncestorOpInRegion(*b) && isa<scf::IfOp>(mine);
}

//===- events -------------------------------------------------------------===//

/// What an op does to order by itself; false for none.
static bool eventOf(Operation *op, Event &event) {
  event.op = op;
  event.isElected = static_cast<bool>(op->getParentOfType<ElectOp>());
  if (auto barrier = dyn_cast<BarrierOp>(op)) {
    event.kind = Event::barrier;
    event.scope = barrier.getScope();
    return true;
  }
  if (isa<FenceOp>(op)) {
    event.kind = Event::fence;
    return true;
  }
  if (auto commit = dyn_cast<GroupCommitOp>(op)) {
    event.kind = Event::commit;
    event.via = commit.getVia();
    return true;
  }
  if (auto wait = dyn_cast<GroupWaitOp>(op)) {
    event.kind = Event::wait;
    event.via = wait.getVia();
    event.pending = wait.getPending();
    return true;
  }
  // Groups that a ring ends are the ring's to count: a wait by number is sure of those alone that the program names.
  return false;
}

static bool isSame(const Event &a, const Event &b) {
  return a.kind == b.kind && a.scope == b.scope && a.via == b.via && a.pending == b.pending &&
         a.isElected == b.isElected;
}

/// Events that both branches have, in order.
void Paths::addBranch(Way &way, Operation *op) {
  auto branch = cast<scf::IfOp>(op);
  if (branch.getElseRegion().empty()) {
    return;
  }
  Way yes{{}, way.role}, no{{}, way.role};
  addBlock(yes, branch.getThenRegion().front());
  addBlock(no, branch.getElseRegion().front());
  auto next = no.events.begin();
  for (const Event &event : yes.events) {
    auto found = std::find_if(next, no.events.end(),
                              [&](const Event &other) { return isSame(event, other); });
    if (found != no.events.end()) {
      way.events.push_back(event);
      next = found + 1;
    }
  }
}

void Paths::addBlock(Way &way, Block &block) {
  for (Operation &op : block) {
    addSure(way, &op);
  }
}

/// What surely happens when `op` is run, all of its steps.
void Paths::addSure(Way &way, Operation *op) {
  Event event;
  if (eventOf(op, event)) {
    way.events.push_back(event);
    return;
  }
  if (isa<scf::IfOp>(op)) {
    addBranch(way, op);
    return;
  }
  if (auto loop = dyn_cast<ForOp>(op)) {
    if (!sealer.surelyRuns(loop)) {
      return;
    }
    // One of its steps is enough; sections that run ahead are left out.
    for (Operation &inner : loop.getBody().front()) {
      auto section = dyn_cast<SectionOp>(inner);
      if (!section || section.getLead() == 0) {
        addSure(way, &inner);
      }
    }
    return;
  }
  if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    addBlock(way, loop.getBefore().front());
    return;
  }
  if (auto section = dyn_cast<SectionOp>(op)) {
    if (!section.getRole() || *section.getRole() == way.role) {
      addBlock(way, section.getBody().front());
    }
    return;
  }
  if (auto elect = dyn_cast<ElectOp>(op)) {
    addBlock(way, elect.getBody().front());
  }
}

Paths::Way Paths::startWay(Operation *a, Operation *b) {
  StringRef mine = roleOf(a), theirs = b ? roleOf(b) : "";
  return {{}, mine == theirs ? mine : StringRef()};
}

/// How far `op`, which stands directly in a loop, runs ahead.
static int64_t leadOf(Operation *op) {
  auto section = dyn_cast<SectionOp>(op);
  return section ? section.getLead() : 0;
}

void Paths::addAfter(Way &way, Operation *from, bool leavesLoop) {
  for (Operation *op = from->getNextNode(); op; op = op->getNextNode()) {
    // What has no lead never runs before its place, so it stays behind `from` in the last step.
    if (leadOf(op) == leadOf(from) || (leavesLoop && leadOf(op) == 0)) {
      addSure(way, op);
    }
  }
}

void Paths::addBefore(Way &way, Operation *to) {
  for (Operation &op : *to->getBlock()) {
    if (&op == to) {
      return;
    }
    if (leadOf(&op) == leadOf(to)) {
      addSure(way, &op);
    }
  }
}

/// From `from` up to its ancestor in the region `upTo`, with all that follows on the way.
void Paths::climb(Way &way, Operation *&from, Region *upTo) {
  while (from->getParentRegion() != upTo) {
    addAfter(way, from, /*leavesLoop=*/true);
    from = from->getParentOp();
  }
}

/// From the region `from` down to `to`, with all that stands before it in the blocks on the way.
void Paths::descend(Way &way, Operation *to, Region *from) {
  SmallVector<Operation *> chain;
  for (Operation *at = to; at->getParentRegion() != from; at = at->getParentOp()) {
    chain.push_back(at);
  }
  for (Operation *at : llvm::reverse(chain)) {
    addBefore(way, at);
  }
}

Events Paths::between(Operation *a, Operation *b) {
  Way way = startWay(a, b);
  Region *region = commonRegion(a, b);
  Operation *from = a;
  Operation *end = region->findAncestorOpInRegion(*b);
  climb(way, from, region);
  if (from == end) {
    // From one region of an op to the next: the condition of a loop and its body.
    descend(way, b, region);
    return way.events;
  }
  for (Operation *op = from->getNextNode(); op && op != end; op = op->getNextNode()) {
    if (leadOf(op) == leadOf(from)) {
      addSure(way, op);
    }
  }
  descend(way, b, region);
  return way.events;
}

Events Paths::around(Operation *a, Operation *b, Operation *loop) {
  Way way = startWay(a, b);
  Operation *from = a;
  auto inLoop = [&](Operation *op) {
    while (op->getParentRegion()->getParentOp() != loop) {
      op = op->getParentOp();
    }
    return op;
  };
  Operation *mine = inLoop(a), *theirs = inLoop(b);
  climb(way, from, mine->getParentRegion());
  addAfter(way, from, /*leavesLoop=*/false);
  // A loop of two regions: the ones between, from where `a` is around to where `b` is.
  unsigned regions = loop->getNumRegions();
  unsigned at = (mine->getParentRegion()->getRegionNumber() + 1) % regions;
  for (; at != theirs->getParentRegion()->getRegionNumber(); at = (at + 1) % regions) {
    addBlock(way, loop->getRegion(at).front());
  }
  addBefore(way, theirs);
  descend(way, b, theirs->getParentRegion());
  return way.events;
}

Events Paths::toEnd(Operation *a) {
  Way way = startWay(a, nullptr);
  way.role = roleOf(a);
  Operation *from = a;
  while (!isa<KernelOp>(from->getParentOp())) {
    addAfter(way, from, /*leavesLoop=*/true);
    from = from->getParentOp();
  }
  addAfter(way, from, /*leavesLoop=*/true);
  return way.events;
}

} // namespace tessera::sealing
