//===- Rings.cpp - rings neither block nor lose a slot --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A ring orders what is done to a slot in one turn before what is done to it in the next, provided that fills and uses
// run at one rate, that the slots suffice for how far fills run ahead, and that each access stands in its turn. An
// asynchronous access must be over when its turn ends: a fill by the ring's own protocol, a use by the section's lag or
// by a wait.
//
//===----------------------------------------------------------------------===//

#include "Rings.h"

#include "Order.h"

#include "tessera/Solver/Space.h"
#include "tessera/Support/Mutants.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tessera::tile;

namespace tessera::sealing {

//===- the checks of one ring ---------------------------------------------===//

namespace {
class RingCheck {
public:
  RingCheck(Sealer &sealer, RingOp ring)
      : sealer(sealer), paths(sealer), turns(turnsOf(ring)), ring(ring) {}

  void run();

private:
  void checkRates();
  void checkRoles();
  bool checkTurns(llvm::ArrayRef<Turn> turns, StringRef done, StringRef op);
  void checkPart(const RingTurns &part);
  bool refuseLagInside(const RingTurns &part, const std::string &title);
  void checkQueue(const RingTurns &part, const Rates &rates);
  void checkQueueOfLoops(const RingTurns &part, const Rates &rates);
  void checkAccess(const Access &access);
  void checkFill(const Access &access, const Turn &turn);
  void checkUse(const Access &access, const Turn &turn);
  void checkFences();
  std::string name() const;
  int64_t slots() { return ring.getResult().getType().getSlots(); }

  Sealer &sealer;
  Paths paths;
  RingTurns turns;
  RingOp ring;
};
} // namespace

std::string RingCheck::name() const {
  return "the ring at " + fileLine(const_cast<RingCheck *>(this)->ring);
}

void RingCheck::run() {
  if (turns.fills.empty() && turns.uses.empty()) {
    return;
  }
  checkRates();
  checkRoles();
  for (const Access &access : sealer.accesses) {
    if (access.isBuf && llvm::is_contained(ring.getBufs(), access.memory)) {
      checkAccess(access);
    }
  }
  checkFences();
}

void RingCheck::checkRates() {
  std::string title = "fills and uses of " + name() + " have one rate";
  if (turns.uses.empty() && ring.getProtocol() == Protocol::bulk) {
    // Bulk stores free their slots themselves.
    sealer.prove(SealKind::rings, title, ring);
    return;
  }
  if (turns.fills.empty() || turns.uses.empty()) {
    Operation *at = turns.fills.empty() ? turns.uses.front().begin : turns.fills.front().begin;
    StringRef missing = turns.fills.empty() ? "`tile.acquire` and `tile.commit`"
                                            : "`tile.await` and `tile.release`";
    sealer.refuse(SealKind::rings, title,
                  {SealDiag::seal_counts,
                   {turns.fills.empty() ? "it is never filled" : "it is never used"},
                   missing.str() + " of the ring",
                   "add the other half, or take the bufs out of the ring",
                   "slot " + std::to_string(turns.fills.empty() ? 0 : slots()) + " is never free"},
                  at, ring);
    return;
  }
  for (const RingTurns &part : partsOf(turns)) {
    checkPart(part);
  }
}

void RingCheck::checkPart(const RingTurns &part) {
  std::string title = "fills and uses of " + name() + " have one rate";
  Rates rates = ratesOf(sealer, part);
  if (!rates.areEqual) {
    sealer.refuse(SealKind::rings, title,
                  {SealDiag::seal_counts,
                   {rates.reason},
                   "one use for each fill",
                   "fill and use the ring equally often in one loop, or in loops over one range",
                   rates.witness},
                  part.uses.front().begin, part.fills.front().begin);
    return;
  }
  sealer.prove(SealKind::rings, title, ring);
  checkQueue(part, rates);
}

static std::string threadsOf(StringRef role) {
  return role.empty() ? "all threads" : "role `@" + role.str() + "`";
}

/// Roles run side by side: the n-th slot goes to whoever comes first, unless all turns of one kind are of one role.
bool RingCheck::checkTurns(llvm::ArrayRef<Turn> turns, StringRef done, StringRef op) {
  for (const Turn &turn : turns) {
    StringRef first = roleOf(turns.front().begin), other = roleOf(turn.begin);
    if (first != other) {
      sealer.refuse(SealKind::rings, "slots of " + name() + " are " + done.str() + " in one order",
                    {SealDiag::seal_ring_turns,
                     {done.str(), threadsOf(first), threadsOf(other)},
                     "an edge from `" + op.str() + "` of " + threadsOf(first) + " to that of " +
                         threadsOf(other),
                     "give each role a ring of its own",
                     threadsOf(other) + " may take slot 0 first"},
                    turn.begin, turns.front().begin);
      return false;
    }
  }
  return true;
}

/// Why a protocol tells no other role that a slot is filled or free; empty where it does.
static StringRef whyUntold(Protocol protocol) {
  switch (protocol) {
  case Protocol::cta_sync:
  case Protocol::cp_async:
    return "a barrier in a role orders its own threads only";
  case Protocol::bulk:
    return "bulk stores are over for those who started them only";
  case Protocol::mbarrier:
    return "";
  }
  return "";
}

/// Only barriers in memory hand slots from role to role.
void RingCheck::checkRoles() {
  if (!checkTurns(turns.fills, "filled", "tile.acquire") ||
      !checkTurns(turns.uses, "used", "tile.await")) {
    return;
  }
  Protocol protocol = ring.getProtocol();
  StringRef why = whyUntold(protocol);
  // Threads of one role do not hear of bulk stores that others of them started, either.
  bool isOnesOwn = protocol == Protocol::bulk;
  if (why.empty() || turns.uses.empty() || (!isOnesOwn && !sealer.kernel->hasAttr(rolesAttrName))) {
    return;
  }
  std::string title = "`" + stringifyProtocol(protocol).str() + "` tells when the slots of " +
                      name() + " are filled and free";
  for (const Turn &fill : turns.fills) {
    for (const Turn &use : turns.uses) {
      StringRef filler = roleOf(fill.begin), user = roleOf(use.begin);
      if (!isOnesOwn &&
          TESSERA_MUTANT(133, "a barrier in a role orders all", filler == user, true)) {
        continue;
      }
      sealer.refuse(
          SealKind::rings, title,
          {SealDiag::seal_ring_roles,
           {stringifyProtocol(protocol).str(), threadsOf(filler), threadsOf(user), why.str()},
           "an edge from `tile.commit` of " + threadsOf(filler) + " to `tile.await` of " +
               threadsOf(user),
           "make the ring with `protocol = mbarrier`",
           threadsOf(user) + " reads slot 0 before it is filled"},
          use.begin, fill.begin);
      return;
    }
  }
  sealer.prove(SealKind::rings, title, ring);
}

static int64_t leadOf(Operation *op, Operation *loop) {
  SectionOp section = loop ? sectionIn(op, loop) : SectionOp();
  return section ? section.getLead() : 0;
}

/// A loop between an op and the section that it stands in.
static bool stepsInside(Operation *op) {
  SectionOp section = sectionOf(op);
  auto loop = op->getParentOfType<LoopLikeOpInterface>();
  return section && loop && section->isProperAncestor(loop);
}

/// A lag counts steps of the section's loop, and no step of one inside of it frees a slot before.
bool RingCheck::refuseLagInside(const RingTurns &part, const std::string &title) {
  const Turn &fill = part.fills.front(), &use = part.uses.front();
  int64_t lag = lagOf(use.end);
  if (lag == 0 || !stepsInside(use.end)) {
    return false;
  }
  sealer.refuse(
      SealKind::rings, title,
      {SealDiag::seal_queue,
       {std::to_string(slots()), "steps of the loop in the section", "0", std::to_string(lag)},
       "a free slot when the fill of step " + std::to_string(slots()) + " starts",
       "cut that loop into sections, and give the lag to one of them"},
      fill.begin, use.begin);
  return true;
}

/// S > lead(fill) - lead(use) + lag, where a step has one fill; with more fills, all of a step's count.
void RingCheck::checkQueue(const RingTurns &part, const Rates &rates) {
  const Turn &fill = part.fills.front(), &use = part.uses.front();
  std::string title = "the slots of " + name() + " suffice";
  bool inLoops = rates.fillLoop != nullptr;
  bool roles = roleOf(fill.begin) != roleOf(use.begin);
  int64_t count = part.fills.size(), lag = lagOf(use.end);
  int64_t ahead = leadOf(fill.begin, rates.outer), behind = leadOf(use.begin, rates.outer);
  bool usesFirst =
      !roles && (ahead < behind || (!inLoops && !Paths::isBefore(fill.end, use.begin)) ||
                 (inLoops && Paths::isBefore(rates.useLoop, rates.fillLoop)));
  if (usesFirst) {
    sealer.refuse(SealKind::rings, title,
                  {SealDiag::seal_use_first,
                   {},
                   "`tile.commit` before `tile.await`",
                   "put the fill before the use, and give it at least the lead of the use",
                   "the first step"},
                  use.begin, fill.begin);
    return;
  }
  if (refuseLagInside(part, title)) {
    return;
  }
  // What is filled and not yet freed when a fill starts, beside lead and lag: earlier fills of the same step.
  int64_t extra = 0;
  if (inLoops) {
    checkQueueOfLoops(part, rates);
    return;
  }
  if (!roles) {
    int64_t open = 0;
    SmallVector<Operation *> order;
    for (auto &side : {part.fills, part.uses}) {
      for (const Turn &turn : side) {
        order.push_back(isa<AcquireOp>(turn.begin) ? turn.begin : turn.end);
      }
    }
    llvm::sort(order, [](Operation *a, Operation *b) { return Paths::isBefore(a, b); });
    for (Operation *op : order) {
      open += isa<AcquireOp>(op) ? 1 : -1;
      extra = std::max(extra, open - 1);
    }
  }
  solver::ExprContext &terms = sealer.model.context();
  solver::SpaceBuilder space(terms);
  int64_t lead = count * std::max<int64_t>(ahead - behind, 0) + extra;
  solver::Verdict verdict = sealer.ask(space.queueRule(
      title,
      TESSERA_MUTANT(127, "one slot too few will do", terms.constant(slots()),
                     terms.constant(slots() + 1)),
      terms.constant(lead),
      TESSERA_MUTANT(126, "lag takes no slots", terms.constant(count * lag), terms.constant(0))));
  auto text = [](int64_t number) { return std::to_string(number); };
  sealer.conclude(
      SealKind::rings, title, verdict,
      {SealDiag::seal_queue,
       {text(slots()), text(lead + count * behind), text(count * behind), text(count * lag)},
       "a free slot when the fill of step " + text(slots()) + " starts",
       "give the bufs " + text(lead + count * lag + 1) + " slots, or a smaller lead"},
      fill.begin, use.begin);
}

/// Loops of their own: run in order, which is what the kernel means, all fills come before the first use.
void RingCheck::checkQueueOfLoops(const RingTurns &part, const Rates &rates) {
  auto loop = cast<ForOp>(rates.fillLoop);
  IndexModel &model = sealer.model;
  solver::SpaceBuilder space(model.context());
  Expr trips = space.trips(model.number(loop.getLo()), model.number(loop.getHi()),
                           std::max<int64_t>(loop.getWidth(), 1));
  int64_t count = part.fills.size();
  std::string title = "the slots of " + name() + " hold all fills of a loop";
  solver::Verdict verdict = sealer.ask(title, model.factsAt(loop), trips * count <= slots());
  sealer.conclude(SealKind::rings, title, verdict,
                  {SealDiag::seal_queue,
                   {std::to_string(slots()), "steps of the loop - 1", "0", "0"},
                   "a use before the ring is full",
                   "put fill and use into one loop"},
                  part.fills.front().begin, part.uses.front().begin);
}

//===- accesses -----------------------------------------------------------===//

/// `op`, or what holds it in the block of `other`.
static Operation *inBlockOf(Operation *op, Operation *other) {
  return other->getBlock()->findAncestorOpInBlock(*op);
}

void RingCheck::checkAccess(const Access &access) {
  std::string title =
      "`" + nameOf(access) + "` (" + fileLine(access.op) + ") touches its slot in time";
  Operation *begin = access.window.slot ? access.window.slot.getDefiningOp() : nullptr;
  if (!isa_and_nonnull<AcquireOp, AwaitOp>(begin)) {
    sealer.refuse(SealKind::rings, title,
                  {SealDiag::seal_slot_unknown,
                   {nameOf(access)},
                   "the turn that the slot belongs to",
                   "use the result of `tile.acquire` or `tile.await` itself"},
                  access.op, ring);
    return;
  }
  bool isFill = isa<AcquireOp>(begin);
  Operation *end = endOf(begin), *at = end ? inBlockOf(access.op, end) : nullptr;
  if (!at ||
      TESSERA_MUTANT(129, "slots may be touched out of turn", !at->isBeforeInBlock(end), false)) {
    sealer.refuse(
        SealKind::rings, title,
        {isFill ? SealDiag::seal_after_commit : SealDiag::seal_after_release,
         {nameOf(access)},
         isFill ? "`tile.commit` after the last write to the slot"
                : "`tile.release` after the last read of the slot",
         isFill ? "move it before the commit" : "move it before the release",
         "the " + std::string(isFill ? "user" : "next fill") + " touches the slot meanwhile"},
        access.op, end);
    return;
  }
  if (!isFill && access.isWrite()) {
    sealer.refuse(SealKind::rings, title,
                  {SealDiag::seal_write_awaited,
                   {nameOf(access)},
                   "exclusive use of the slot: other users may read it",
                   "write to a buf of its own, or to a slot from `tile.acquire`"},
                  access.op, begin);
    return;
  }
  Turn turn{begin, end};
  isFill ? checkFill(access, turn) : checkUse(access, turn);
}

void RingCheck::checkFill(const Access &access, const Turn &turn) {
  std::string title =
      "`" + nameOf(access) + "` (" + fileLine(access.op) + ") is over when its slot is filled";
  Proxy via = access.via();
  Protocol protocol = ring.getProtocol();
  bool isTold = true;
  if (via != Proxy::generic) {
    bool byRing = (via == Proxy::cp_async &&
                   (protocol == Protocol::cp_async || protocol == Protocol::mbarrier)) ||
                  (via == Proxy::tma && protocol == Protocol::mbarrier) ||
                  (via == Proxy::bulk && protocol == Protocol::bulk);
    isTold = byRing ||
             follow(access, paths.between(access.op, turn.end), false, ExecScope::thread).isDone;
  } else if (!access.isWrite() && turns.uses.empty()) {
    // Nobody awaits the slot: its readers are ordered by hand, up to the commit.
    isTold =
        follow(access, paths.between(access.op, turn.end), false, scopeOf(access.memory)).isTold;
  }
  if (isTold) {
    sealer.prove(SealKind::rings, title, access.op, turn.end);
    return;
  }
  sealer.refuse(
      SealKind::rings, title,
      {SealDiag::seal_protocol,
       {nameOf(access), stringifyProtocol(protocol).str()},
       "an edge from the end of the " +
           (via == Proxy::generic ? std::string("read")
                                  : "asynchronous access via `" + stringifyProxy(via).str() + "`") +
           " to `tile.commit`",
       via == Proxy::tma        ? "use protocol `mbarrier`"
       : via == Proxy::cp_async ? "use protocol `cp_async` or `mbarrier`, or wait before the commit"
                                : "wait for it, with a barrier, before the commit"},
      access.op, turn.end);
}

void RingCheck::checkUse(const Access &access, const Turn &turn) {
  std::string title =
      "`" + nameOf(access) + "` (" + fileLine(access.op) + ") is over when its slot is released";
  if (!access.isAsync() || lagOf(turn.end) > 0) {
    sealer.prove(SealKind::rings, title, access.op, turn.end);
    return;
  }
  Progress progress = follow(access, paths.between(access.op, turn.end), false, ExecScope::thread);
  if (progress.isDone) {
    sealer.prove(SealKind::rings, title, access.op, turn.end);
    return;
  }
  std::string kind = stringifyProxy(access.via()).str();
  sealer.refuse(
      SealKind::rings, title,
      {SealDiag::seal_lag,
       {nameOf(access)},
       "an edge from the end of the read via `" + kind + "` to `tile.release`",
       "give the section `lag 1` and the ring one slot more, or wait with `tile.group_wait " +
           kind + " pending 0` before the release",
       "the next fill of slot 0 starts while step 0 is still read"},
      access.op, turn.end);
}

/// Generic writes of a fill, asynchronous reads of the use: the fence stands between the write and the commit.
void RingCheck::checkFences() {
  for (const Access &write : sealer.accesses) {
    auto *begin = write.window.slot ? write.window.slot.getDefiningOp() : nullptr;
    if (!write.isBuf || !write.isWrite() || !isa_and_nonnull<AcquireOp>(begin) ||
        !llvm::is_contained(ring.getBufs(), write.memory) || !endOf(begin)) {
      continue;
    }
    for (const Access &read : sealer.accesses) {
      auto *await = read.window.slot ? read.window.slot.getDefiningOp() : nullptr;
      if (read.memory != write.memory || !isa_and_nonnull<AwaitOp>(await) ||
          !needsFence(write, read)) {
        continue;
      }
      std::string title =
          "`" + nameOf(read) + "` sees what `" + nameOf(write) + "` wrote to its slot";
      Operation *end = endOf(begin);
      bool isBefore = inBlockOf(write.op, end) && inBlockOf(write.op, end)->isBeforeInBlock(end);
      Progress progress;
      if (isBefore) {
        progress = follow(write, paths.between(write.op, end), true, ExecScope::thread);
      }
      if (progress.isDone && progress.isFenced) {
        sealer.prove(SealKind::order, title, read.op, write.op);
        continue;
      }
      sealer.refuse(SealKind::order, title,
                    {SealDiag::seal_fence,
                     {nameOf(write), nameOf(read), memoryName(sealer.kernel, write.memory)},
                     "`tile.fence` by the threads of `" + nameOf(write) +
                         "`, once it is over, before `tile.commit`",
                     "put `tile.fence` before the commit"},
                    read.op, write.op);
    }
  }
}

void checkRings(Sealer &sealer) {
  SmallVector<RingOp> rings;
  sealer.kernel.getBody().walk([&](RingOp ring) { rings.push_back(ring); });
  for (RingOp ring : rings) {
    RingCheck(sealer, ring).run();
  }
  // Several slots, and no ring that tells them apart.
  for (const Access &access : sealer.accesses) {
    if (access.isBuf && access.window.slot && !tile::ringOf(access.memory)) {
      Operation *begin = access.window.slot.getDefiningOp();
      sealer.refuse(SealKind::rings, "`" + nameOf(access) + "` touches a slot of its own ring",
                    {SealDiag::seal_slot_unknown,
                     {nameOf(access)},
                     "a ring that the buf is in",
                     "name the buf in `tile.ring`"},
                    access.op, begin);
    }
  }
}

} // namespace tessera::sealing
