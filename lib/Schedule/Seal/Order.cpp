//===- Order.cpp - the collective rule ------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two accesses to one cell, one of which writes, are made by threads that nobody has chosen yet, so all threads that may
// touch the memory must be ordered between: by a barrier, from the first to the second in one step, and from each of them
// to the other one, and to itself, in the next step of each loop around both. An asynchronous access is first waited for.
// Slots of a ring are ordered by the ring (Rings.cpp); what is done to one slot in one turn is ordered here.
//
//===----------------------------------------------------------------------===//

#include "Order.h"

#include "tessera/Support/Mutants.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace tessera::tile;

namespace tessera::sealing {

//===- what events do -----------------------------------------------------===//

std::optional<Proxy> groupOf(const Access &access) {
  switch (access.via()) {
  case Proxy::cp_async:
  case Proxy::bulk:
  case Proxy::wgmma:
    return access.via();
  default:
    return std::nullopt;
  }
}

bool needsFence(const Access &first, const Access &second) {
  bool isGeneric = first.via() == Proxy::generic || first.via() == Proxy::cp_async;
  bool isAsyncProxy =
      second.via() == Proxy::tma || second.via() == Proxy::bulk || second.via() == Proxy::wgmma;
  return first.isWrite() && isGeneric &&
         TESSERA_MUTANT(123, "no fence is needed", isAsyncProxy, false);
}

Progress follow(const Access &first, const Events &events, bool fence, ExecScope scope) {
  Progress progress;
  progress.isDone = !first.isAsync();
  progress.isFenced = !fence;
  std::optional<Proxy> group = groupOf(first);
  bool sawBarrier = false;
  for (const Event &event : events) {
    // What one thread does counts for what that thread started.
    bool counts =
        TESSERA_MUTANT(125, "one thread waits for all", !event.isElected || first.isElected, true);
    switch (event.kind) {
    case Event::commit:
      if (group && event.via == *group && counts) {
        progress.commits += progress.isCommitted ? 1 : 0;
        progress.isCommitted = true;
      }
      break;
    case Event::wait:
      if (group && event.via == *group && counts && progress.isCommitted) {
        progress.pending = event.pending;
        progress.isDone |=
            TESSERA_MUTANT(124, "any wait ends a copy", progress.commits >= event.pending, true);
      }
      break;
    case Event::fence:
      if (progress.isDone && counts) {
        progress.isFencedLate |= !progress.isFenced && sawBarrier;
        progress.isFenced = true;
      }
      break;
    case Event::barrier:
      if (progress.isDone &&
          TESSERA_MUTANT(121, "a barrier of any scope will do", event.scope >= scope, true)) {
        sawBarrier = true;
        progress.isTold |= progress.isFenced;
      }
      break;
    }
  }
  return progress;
}

ExecScope scopeOf(Value memory) {
  auto buf = dyn_cast<BufType>(memory.getType());
  return buf ? buf.getPer() : ExecScope::cta;
}

//===- pairs --------------------------------------------------------------===//

namespace {

/// Two accesses, and on which way they follow each other.
struct Pair {
  const Access &first, &second;
  Operation *loop = nullptr; ///< from a step of this loop to the next; null: in one step
};

class OrderCheck {
public:
  explicit OrderCheck(Sealer &sealer) : sealer(sealer), paths(sealer) {}

  void run();

private:
  void check(const Access &a, const Access &b);
  void checkPair(const Pair &pair);
  bool isApart(const Pair &pair, solver::Verdict &verdict);
  Expr inOrder(Operation *loop, const solver::Substitution &other);
  bool isSamePlace(const Access &a, const Access &b);
  bool refuseSections(const Pair &pair);
  void refuse(const Pair &pair, const Progress &progress, bool fence, std::string witness);
  ExecScope scopeFor(const Pair &pair);
  std::string title(const Pair &pair);
  bool isTurnedOver(const Pair &pair);

  Sealer &sealer;
  Paths paths;
};

} // namespace

static bool conflict(const Access &a, const Access &b) {
  bool atomic = a.window.kind == Window::atomic && b.window.kind == Window::atomic;
  bool overlaid = a.memory != b.memory; // whoever comes second finds the other's bytes
  bool share = TESSERA_MUTANT(143, "bufs over others are other memory",
                              tile::shareMemory(a.memory, b.memory), a.memory == b.memory);
  return share && (a.isWrite() || b.isWrite() || overlaid) && !atomic;
}

void OrderCheck::run() {
  const std::vector<Access> &all = sealer.accesses;
  for (size_t i = 0; i < all.size(); ++i) {
    for (size_t j = i; j < all.size(); ++j) {
      if (conflict(all[i], all[j])) {
        check(all[i], all[j]);
      }
    }
  }
}

void OrderCheck::check(const Access &a, const Access &b) {
  bool isOneOp = a.op == b.op;
  if (isOneOp && &a != &b) {
    return; // an op that reads and writes one memory orders itself
  }
  bool isRing = a.memory == b.memory && a.isBuf && tile::ringOf(a.memory);
  if (isRing && a.window.slot != b.window.slot) {
    return; // turns of slots are the ring's
  }
  bool isForward = isOneOp || Paths::isBefore(a.op, b.op);
  const Access &first = isForward ? a : b, &second = isForward ? b : a;
  if (!isOneOp && refuseSections({first, second})) {
    return;
  }
  if (!isOneOp && !Paths::areExclusive(a.op, b.op)) {
    checkPair({first, second});
  }
  Value slot = a.window.slot;
  for (Operation *loop :
       TESSERA_MUTANT(122, "steps are not compared", Paths::commonLoops(a.op, b.op),
                      SmallVector<Operation *>())) {
    // Within one turn the slot is a buf like any other; round the loop of the turns it is another slot.
    if (isRing && loop->isAncestor(slot.getParentBlock()->getParentOp())) {
      continue;
    }
    checkPair({first, second, loop});
    if (!isOneOp) {
      checkPair({second, first, loop});
    }
  }
}

/// The scope that must be ordered: all threads that share the memory, or those of one step of a `tile.par` around both.
/// From step to step of a loop that is around the `tile.par`, another of its steps may follow.
ExecScope OrderCheck::scopeFor(const Pair &pair) {
  ExecScope scope = scopeOf(pair.first.memory);
  Operation *inner = pair.loop ? pair.loop : pair.first.op;
  for (Operation *at = inner->getParentOp(); at; at = at->getParentOp()) {
    auto par = dyn_cast<ParOp>(at);
    if (par && par->isProperAncestor(pair.second.op)) {
      ExecScope place = par.getPlace() == Place::warp ? ExecScope::warp
                        : par.getPlace() == Place::wg ? ExecScope::wg
                                                      : ExecScope::cta;
      scope = std::min(scope, place);
    }
  }
  return scope;
}

static bool haveSameIndices(const Window &a, const Window &b) {
  return a.view == b.view &&
         llvm::equal(a.axes, b.axes, [](const WindowAxis &x, const WindowAxis &y) {
           return x.kind == y.kind && x.index == y.index;
         });
}

/// Both are spread over the threads alike, on one box: a cell is touched by one thread. All dims must say where they run,
/// over all warps of the CTA: what is left open may be chosen apart.
bool OrderCheck::isSamePlace(const Access &a, const Access &b) {
  auto mine = a.op->getAttrOfType<IterAttr>(iterAttrName);
  auto theirs = b.op->getAttrOfType<IterAttr>(iterAttrName);
  auto warps = sealer.kernel->getAttrOfType<IntegerAttr>(warpsAttrName);
  if (a.isBuf || !mine || mine != theirs || !haveSameIndices(a.window, b.window)) {
    return false;
  }
  bool isWhole = llvm::all_of(cast<TileIterOpInterface>(a.op).getIterDims(),
                              [&](const IterDim &dim) { return mine.has(dim.name); });
  // The warps of a warpgroup are named beside it, or open.
  int64_t groups = mine.getSteps(Place::wg), used = mine.getSteps(Place::warp) * groups;
  isWhole &= groups == 1 || mine.getSteps(Place::warp) == 4;
  bool isOpen = mine.getSteps(Place::open) > 1;
  return isWhole && !isOpen && warps && warps.getInt() == used;
}

/// The first of two steps of a loop comes before the other one. Tasks come in an order of their own.
Expr OrderCheck::inOrder(Operation *loop, const solver::Substitution &other) {
  IndexModel &model = sealer.model;
  SmallVector<Expr> differ;
  for (unsigned axis = 0; axis < stepAxes(loop); ++axis) {
    Expr before = model.step(loop, axis), after = solver::substitute(before, other);
    if (auto op = dyn_cast<ForOp>(loop)) {
      return op.getReversed() ? after < before : before < after;
    }
    differ.push_back(solver::ne(before, after));
  }
  return differ.empty() ? model.context().boolean(true) : model.context().disjunction(differ);
}

/// Whether no cell is touched by both: views only, an access to a buf is to all of it.
bool OrderCheck::isApart(const Pair &pair, solver::Verdict &verdict) {
  if (pair.first.isBuf) {
    return false;
  }
  IndexModel &model = sealer.model;
  Cells mine = model.cells(pair.first.window), theirs = model.cells(pair.second.window);
  std::vector<Fact> facts = model.factsAt(pair.first.op);
  std::vector<Fact> others = model.factsAt(pair.second.op);
  solver::Substitution other = model.otherInstance(pair.loop, theirs.elements);
  for (Fact &fact : others) {
    facts.push_back({solver::substitute(fact.condition, other), fact.name, fact.provenance});
  }
  if (pair.loop) {
    facts.push_back({inOrder(pair.loop, other), "two steps of the loop", "step"});
  }
  for (Expr guard : mine.guards) {
    facts.push_back({guard, "present", "guard"});
  }
  for (Expr guard : theirs.guards) {
    facts.push_back({solver::substitute(guard, other), "present", "guard"});
  }
  if (mine.coordinates.size() != theirs.coordinates.size()) {
    return false;
  }
  SmallVector<Expr> apart;
  for (auto [x, y] : llvm::zip(mine.coordinates, theirs.coordinates)) {
    apart.push_back(solver::ne(x, solver::substitute(y, other)));
  }
  verdict =
      sealer.ask("the accesses are apart", std::move(facts), model.context().disjunction(apart));
  return verdict.proved();
}

std::string OrderCheck::title(const Pair &pair) {
  return "`" + nameOf(pair.first) + "` (" + fileLine(pair.first.op) + ") before `" +
         nameOf(pair.second) + "` (" + fileLine(pair.second.op) + ")" +
         (pair.loop ? " of the next step" : "") + " on " +
         memoryName(sealer.kernel, pair.second.memory);
}

/// Sections out of step share memory by rings only.
bool OrderCheck::refuseSections(const Pair &pair) {
  Operation *loop = Paths::commonLoop(pair.first.op, pair.second.op);
  SectionOp mine = loop ? sectionIn(pair.first.op, loop) : SectionOp();
  SectionOp theirs = loop ? sectionIn(pair.second.op, loop) : SectionOp();
  StringRef role = roleOf(pair.first.op), otherRole = roleOf(pair.second.op);
  bool otherRoles = !role.empty() && !otherRole.empty() && role != otherRole;
  int64_t lead = mine ? mine.getLead() : 0, otherLead = theirs ? theirs.getLead() : 0;
  bool otherLeads = lead != otherLead;
  solver::Verdict verdict;
  if ((!otherRoles && !otherLeads) ||
      (isApart(pair, verdict) && (!loop || isApart({pair.first, pair.second, loop}, verdict)))) {
    return false;
  }
  auto name = [](SectionOp section) {
    return section ? "section `@" + section.getName().str() + "`" : std::string("what has no lead");
  };
  std::string missing =
      otherRoles ? "an edge from role `@" + role.str() + "` to role `@" + otherRole.str() + "`"
                 : "an edge from " + name(mine) + " to " + name(theirs);
  Refusal refusal{otherRoles ? SealDiag::seal_race_role : SealDiag::seal_race_lead,
                  {nameOf(pair.first), nameOf(pair.second),
                   memoryName(sealer.kernel, pair.second.memory), std::to_string(lead),
                   std::to_string(otherLead)},
                  missing,
                  "put the memory into a ring that the first fills and the second uses"};
  sealer.refuse(SealKind::order, title(pair), refusal, pair.second.op, pair.first.op);
  return true;
}

/// What the ring itself brings to an end before its loop is left, for one who takes over its memory: fills that are
/// awaited, and reads that lag behind, of which the loop's end waits for the last.
bool OrderCheck::isTurnedOver(const Pair &pair) {
  RingOp ring = pair.first.isBuf ? tile::ringOf(pair.first.memory) : RingOp();
  if (!ring || pair.first.memory == pair.second.memory) {
    return false;
  }
  Operation *turns = pair.first.op->getParentOfType<ForOp>();
  bool hasLeft = turns && !turns->isAncestor(pair.second.op) && turns != pair.loop;
  if (hasLeft && !pair.first.isWrite()) {
    SectionOp section = sectionIn(pair.first.op, turns);
    return section && section.getLag() > 0;
  }
  return hasLeft && llvm::any_of(ring.getResult().getUsers(), [&](Operation *user) {
           return isa<AwaitOp>(user) && turns->isAncestor(user);
         });
}

void OrderCheck::checkPair(const Pair &pair) {
  if (!pair.loop && isSamePlace(pair.first, pair.second)) {
    sealer.prove(SealKind::order, title(pair), pair.second.op, pair.first.op);
    return;
  }
  bool fence = needsFence(pair.first, pair.second);
  ExecScope scope = scopeFor(pair);
  Events events = pair.loop ? paths.around(pair.first.op, pair.second.op, pair.loop)
                            : paths.between(pair.first.op, pair.second.op);
  Progress progress;
  if (isTurnedOver(pair)) {
    Access done = pair.first;
    done.window.via = Proxy::generic;
    progress = follow(done, events, fence, scope);
  } else {
    progress = follow(pair.first, events, fence, scope);
  }
  if (progress.isTold) {
    sealer.prove(SealKind::order, title(pair), pair.second.op, pair.first.op);
    return;
  }
  solver::Verdict verdict;
  if (isApart(pair, verdict)) {
    sealer.prove(SealKind::order, title(pair), pair.second.op, pair.first.op);
    return;
  }
  refuse(pair, progress, fence, verdict.refuted() ? verdict.witness.str() : "");
}

static std::string kindOf(const Access &first, const Access &second) {
  if (!first.isWrite()) {
    return "write after read";
  }
  return second.isWrite() ? "write after write" : "read after write";
}

void OrderCheck::refuse(const Pair &pair, const Progress &progress, bool fence,
                        std::string witness) {
  const Access &first = pair.first, &second = pair.second;
  std::string what = memoryName(sealer.kernel, second.memory);
  std::string scope = stringifyExecScope(scopeFor(pair)).str();
  std::string barrier = "tile.barrier " + scope;
  if (pair.loop && witness.empty()) {
    witness = "steps 0 and 1 of the loop at " + fileLine(pair.loop);
  } else if (witness.empty()) {
    witness = "two threads, the second ahead of the first";
  }
  Refusal refusal{SealDiag::seal_race, {nameOf(first), nameOf(second), what}, "", "", witness};
  std::string way =
      pair.loop ? "after `" + nameOf(first) + "` in the loop, or before `" + nameOf(second) + "`"
                : "between them";
  if (progress.isDone && progress.isFenced) {
    bool isWaited = first.isAsync();
    refusal.id = isWaited    ? SealDiag::seal_others_data
                 : pair.loop ? SealDiag::seal_race_loop
                             : SealDiag::seal_race;
    refusal.missing = kindOf(first, second) + " needs a barrier of scope `" + scope + "` " + way;
    refusal.help = progress.isFencedLate ? "move the fence before the barrier"
                                         : "put `" + barrier + "` " + way;
    if (progress.isFencedLate) {
      refusal.id = SealDiag::seal_fence_late;
    }
  } else if (progress.isDone && fence) {
    refusal.id = SealDiag::seal_fence;
    refusal.missing = "`tile.fence` by the threads of `" + nameOf(first) + "`, then a barrier";
    refusal.help = "put `tile.fence` and `" + barrier + "` " + way;
  } else if (progress.pending >= 0) {
    refusal.id = SealDiag::seal_pending;
    refusal.arguments.push_back(std::to_string(progress.pending));
    refusal.arguments.push_back(std::to_string(progress.commits));
    refusal.missing = "the wait must reach the group of `" + nameOf(first) + "`";
    refusal.help = "wait with `pending " + std::to_string(progress.commits) + "` or less";
  } else {
    refusal.id = SealDiag::seal_no_group;
    std::string kind = stringifyProxy(first.via()).str();
    refusal.missing =
        groupOf(first)
            ? std::string(progress.isCommitted ? "" : "`tile.group_commit " + kind + "`, ") +
                  "`tile.group_wait " + kind + "`, then a barrier"
            : "only a ring of protocol `mbarrier` tells when it is done";
    refusal.help = groupOf(first) ? "wait for the group before `" + nameOf(second) + "`"
                                  : "copy to a slot of such a ring";
  }
  sealer.refuse(SealKind::order, title(pair), refusal, second.op, first.op);
}

void checkOrder(Sealer &sealer) { OrderCheck(sealer).run(); }

//===- the end of the kernel ----------------------------------------------===//

/// Whether the slot's ring takes care of the access.
static bool isRings(const Access &access) {
  return access.isBuf && access.window.slot && tile::ringOf(access.memory);
}

void checkInFlight(Sealer &sealer) {
  Paths paths(sealer);
  for (const Access &access : sealer.accesses) {
    bool matters = access.isBuf && access.isAsync() && access.via() != Proxy::wgmma;
    if (!matters || isRings(access)) {
      continue;
    }
    std::string title = "`" + nameOf(access) + "` is over at the end";
    Progress progress = follow(access, paths.toEnd(access.op), false, ExecScope::thread);
    if (progress.isDone) {
      sealer.prove(SealKind::rings, title, access.op);
      continue;
    }
    std::string kind = stringifyProxy(access.via()).str();
    sealer.refuse(SealKind::rings, title,
                  {SealDiag::seal_in_flight,
                   {nameOf(access)},
                   groupOf(access) ? "`tile.group_commit " + kind + "` and `tile.group_wait " +
                                         kind + " pending 0` after it"
                                   : "a ring of protocol `mbarrier` around the slot it fills",
                   "wait for it: memory of a CTA goes when the CTA ends"},
                  access.op);
  }
}

} // namespace tessera::sealing
