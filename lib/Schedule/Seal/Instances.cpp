//===- Instances.cpp - points and steps that run side by side -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two points of a grid or of tasks, or two steps of a `tile.par`, run in no order: a cell that one of them writes, no
// other one touches, unless both do it by atomics. Asked of two instances at once. A conflict through an index tile is
// the source's, which has it, too.
//
//===----------------------------------------------------------------------===//

#include "Paths.h"

using namespace mlir;
using namespace tessera::tile;

namespace tessera::sealing {
namespace {

class InstanceCheck {
public:
  explicit InstanceCheck(Sealer &sealer) : sealer(sealer) {}

  void run();

private:
  void checkPairs(Operation *scope);
  void checkViews(Operation *scope, const Access &a, const Access &b);
  void checkBufs(ParOp par, const Access &a, const Access &b);
  void checkPrivate(const Access &access);
  Expr differ(Operation *scope, const solver::Substitution &other);

  Sealer &sealer;
};

} // namespace

static bool conflict(const Access &a, const Access &b) {
  bool atomic = a.window.kind == Window::atomic && b.window.kind == Window::atomic;
  return tile::shareMemory(a.memory, b.memory) && (a.isWrite() || b.isWrite()) && !atomic;
}

void InstanceCheck::run() {
  sealer.kernel.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<GridOp, TasksOp, ParOp>(op)) {
      checkPairs(op);
    }
  });
  for (const Access &access : sealer.accesses) {
    if (access.isBuf) {
      checkPrivate(access);
    }
  }
}

void InstanceCheck::checkPairs(Operation *scope) {
  const std::vector<Access> &all = sealer.accesses;
  for (size_t i = 0; i < all.size(); ++i) {
    for (size_t j = i; j < all.size(); ++j) {
      bool isInside = scope->isProperAncestor(all[i].op) && scope->isProperAncestor(all[j].op);
      if (!isInside || !conflict(all[i], all[j])) {
        continue;
      }
      if (!all[i].isBuf) {
        checkViews(scope, all[i], all[j]);
      } else if (auto par = dyn_cast<ParOp>(scope)) {
        checkBufs(par, all[i], all[j]);
      }
    }
  }
}

Expr InstanceCheck::differ(Operation *scope, const solver::Substitution &other) {
  SmallVector<Expr> differ;
  for (unsigned axis = 0; axis < stepAxes(scope); ++axis) {
    Expr mine = sealer.model.step(scope, axis);
    differ.push_back(solver::ne(mine, solver::substitute(mine, other)));
  }
  return sealer.model.context().disjunction(differ);
}

void InstanceCheck::checkViews(Operation *scope, const Access &a, const Access &b) {
  IndexModel &model = sealer.model;
  bool isPar = isa<ParOp>(scope);
  std::string title = "`" + nameOf(a) + "` (" + fileLine(a.op) + ") and `" + nameOf(b) + "` (" +
                      fileLine(b.op) + ") of two " + (isPar ? "steps" : "points") + " are apart";
  Cells mine = model.cells(a.window), theirs = model.cells(b.window);
  std::vector<Fact> facts = model.factsAt(a.op), others = model.factsAt(b.op);
  for (Expr guard : mine.guards) {
    facts.push_back({guard, "present", "guard"});
  }
  solver::Substitution other = model.otherInstance(scope, theirs.elements);
  for (Fact &fact : others) {
    facts.push_back({solver::substitute(fact.condition, other), fact.name, fact.provenance});
  }
  for (Expr guard : theirs.guards) {
    facts.push_back({solver::substitute(guard, other), "present", "guard"});
  }
  facts.push_back({differ(scope, other), "two instances", "instances"});
  SmallVector<Expr> apart;
  if (mine.coordinates.size() != theirs.coordinates.size()) {
    sealer.program(SealKind::instances, title, a.op, b.op);
    return;
  }
  bool isData = mine.isOpaque || theirs.isOpaque;
  for (auto [x, y] : llvm::zip(mine.coordinates, theirs.coordinates)) {
    apart.push_back(solver::ne(x, solver::substitute(y, other)));
    isData |= model.dependsOnData(x) || model.dependsOnData(y);
  }
  solver::Verdict verdict = sealer.ask(title, std::move(facts), model.context().disjunction(apart));
  if (isData && !verdict.proved()) {
    sealer.program(SealKind::instances, title, a.op, b.op);
    return;
  }
  sealer.conclude(SealKind::instances, title, verdict,
                  {isPar ? SealDiag::seal_steps : SealDiag::seal_points,
                   {nameOf(a), nameOf(b)},
                   "an index that differs from one to the other",
                   isPar ? "give each step cells of its own"
                         : "give each point cells of its own, or use an atomic"},
                  b.op, a.op);
}

/// Whether each step of the `par` has the memory for itself.
static bool isOwn(ParOp par, BufType buf) {
  switch (par.getPlace()) {
  case Place::warp:
    return buf.getPer() == ExecScope::warp;
  case Place::wg:
    return buf.getPer() == ExecScope::warp || buf.getPer() == ExecScope::wg;
  default:
    return buf.getStorage() == Storage::shared;
  }
}

void InstanceCheck::checkBufs(ParOp par, const Access &a, const Access &b) {
  std::string title = "`" + nameOf(a) + "` (" + fileLine(a.op) + ") and `" + nameOf(b) + "` (" +
                      fileLine(b.op) + ") of two steps are apart";
  if (isOwn(par, cast<BufType>(a.memory.getType())) || par.getSteps() == 1) {
    sealer.prove(SealKind::instances, title, a.op, b.op);
    return;
  }
  StringRef place = stringifyPlace(par.getPlace());
  sealer.refuse(SealKind::instances, title,
                {SealDiag::seal_steps,
                 {nameOf(a), nameOf(b)},
                 "memory of its own for each step: an access is to the whole slot",
                 "make the buf `per = " + place.str() + "`, or access it outside the steps",
                 "side = 0, side' = 1"},
                b.op, a.op);
}

/// A buf per warp is another one in each warp: outside its steps, an op on it would mean several things.
void InstanceCheck::checkPrivate(const Access &access) {
  auto buf = cast<BufType>(access.memory.getType());
  if (buf.getPer() != ExecScope::warp && buf.getPer() != ExecScope::wg) {
    return;
  }
  auto warps = sealer.kernel->getAttrOfType<IntegerAttr>(warpsAttrName);
  int64_t each = buf.getPer() == ExecScope::warp ? 1 : 4;
  bool isOne = warps && warps.getInt() <= each;
  bool isInside = false;
  for (auto par = access.op->getParentOfType<ParOp>(); par; par = par->getParentOfType<ParOp>()) {
    isInside |= buf.getPer() == ExecScope::warp ? par.getPlace() == Place::warp
                                                : par.getPlace() == Place::wg;
  }
  StringRef per = stringifyExecScope(buf.getPer());
  std::string title =
      "`" + nameOf(access) + "` (" + fileLine(access.op) + ") means one buf per " + per.str();
  if (isInside || isOne) {
    sealer.prove(SealKind::instances, title, access.op);
    return;
  }
  sealer.refuse(
      SealKind::instances, title,
      {SealDiag::seal_private,
       {nameOf(access), per.str()},
       "one " + per.str() + " that the value is of",
       "access it in a step of `tile.par " + per.str() + "`, or make the buf `per = cta`"},
      access.op, access.memory.getDefiningOp());
}

void checkInstances(Sealer &sealer) { InstanceCheck(sealer).run(); }

} // namespace tessera::sealing
