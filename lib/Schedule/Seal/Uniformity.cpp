//===- Uniformity.cpp - who reaches barriers and ring ops -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Everything is equal in all threads of a CTA but what comes from the index of a `tile.par` or from a buf that each warp
// or warpgroup has for itself, and what a branch or loop that hangs on such a value makes. A barrier, an op of a ring, an
// instruction of a scope must not stand under a branch or loop that hangs on a value that differs inside its scope.
//
//===----------------------------------------------------------------------===//

#include "Paths.h"

#include "tessera/Support/Mutants.h"

#include "llvm/ADT/TypeSwitch.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tessera::tile;

namespace tessera::sealing {
namespace {

/// Groups among which a value differs.
enum Among : unsigned { amongNone = 0, amongWarps = 1, amongWarpgroups = 2, amongCtas = 4 };

class Divergence {
public:
  explicit Divergence(KernelOp kernel);
  unsigned of(Value value) const { return known.lookup(value); }

private:
  void visit(Operation *op);
  void add(Value value, unsigned among);
  /// What decides whether `op` runs, or how often.
  unsigned ofControl(Operation *op) const;

  llvm::DenseMap<Value, unsigned> known;
  bool changed = false;
};

unsigned amongOf(Place place) {
  return place == Place::warp ? amongWarps : place == Place::wg ? amongWarpgroups : amongCtas;
}

/// Groups that differ inside a scope.
unsigned inside(ExecScope scope) {
  switch (scope) {
  case ExecScope::thread:
  case ExecScope::warp:
    return amongNone;
  case ExecScope::wg:
    return amongWarps;
  case ExecScope::cta:
    return amongWarps | amongWarpgroups;
  case ExecScope::cluster:
    return amongWarps | amongWarpgroups | amongCtas;
  }
  return amongNone;
}

StringRef wordsOf(unsigned among) {
  return among & amongWarps ? "warps" : among & amongWarpgroups ? "warpgroups" : "CTAs";
}

} // namespace

Divergence::Divergence(KernelOp kernel) {
  do {
    changed = false;
    kernel.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) { visit(op); });
  } while (changed);
}

void Divergence::add(Value value, unsigned among) {
  unsigned &there = known[value];
  changed |= (there | among) != there;
  there |= among;
}

unsigned Divergence::ofControl(Operation *op) const {
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    return of(branch.getCondition());
  }
  if (auto loop = dyn_cast<ForOp>(op)) {
    return of(loop.getLo()) | of(loop.getHi());
  }
  if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    return of(loop.getConditionOp().getCondition());
  }
  return amongNone;
}

void Divergence::visit(Operation *op) {
  unsigned among = ofControl(op);
  for (Value operand : op->getOperands()) {
    among |= of(operand);
    if (auto buf = dyn_cast<BufType>(operand.getType()); buf && isa<ReadOp>(op)) {
      among |= buf.getPer() == ExecScope::warp ? amongWarps
               : buf.getPer() == ExecScope::wg ? amongWarpgroups
                                               : amongNone;
    }
  }
  if (auto par = dyn_cast<ParOp>(op)) {
    add(par.getBody().getArgument(0), amongOf(par.getPlace()));
  }
  for (Region &region : op->getRegions()) {
    for (Block &block : region) {
      bool carries = isa<ForOp, scf::WhileOp>(op);
      for (BlockArgument argument : block.getArguments()) {
        if (carries) {
          add(argument, among);
        }
      }
      if (block.empty() || !block.back().hasTrait<OpTrait::IsTerminator>()) {
        continue;
      }
      for (Value value : block.back().getOperands()) {
        among |= of(value);
      }
    }
  }
  for (Value result : op->getResults()) {
    add(result, among);
  }
}

//===- the check ----------------------------------------------------------===//

namespace {
class UniformityCheck {
public:
  explicit UniformityCheck(Sealer &sealer) : sealer(sealer), divergence(sealer.kernel) {}

  void run();

private:
  void check(Operation *op, ExecScope scope);
  unsigned controlOf(Operation *op, Operation *&culprit);
  bool refuseRole(Operation *op, ExecScope scope, const std::string &title);
  bool refusePar(Operation *op, ExecScope scope, const std::string &title);

  Sealer &sealer;
  Divergence divergence;
};
} // namespace

void UniformityCheck::run() {
  sealer.kernel.getBody().walk([&](Operation *op) {
    if (auto barrier = dyn_cast<BarrierOp>(op)) {
      check(op, barrier.getScope());
    } else if (isa<AcquireOp, AwaitOp, CommitOp, ReleaseOp>(op)) {
      auto ring = op->getOperand(0).getDefiningOp<RingOp>();
      check(op, ring ? cast<BufType>(ring.getBufs().front().getType()).getPer() : ExecScope::cta);
    } else if (auto apply = dyn_cast<ApplyOp>(op)) {
      auto instr = SymbolTable::lookupNearestSymbolFrom<InstrOp>(op, apply.getInstrAttr());
      if (instr && instr.getScope() > ExecScope::warp) {
        check(op, instr.getScope());
      }
    }
  });
}

unsigned UniformityCheck::controlOf(Operation *op, Operation *&culprit) {
  unsigned among = amongNone;
  for (Operation *at = op->getParentOp(); at && at != sealer.kernel.getOperation();
       at = at->getParentOp()) {
    unsigned mine = amongNone;
    if (auto branch = dyn_cast<scf::IfOp>(at)) {
      mine = TESSERA_MUTANT(132, "branches are taken by all", divergence.of(branch.getCondition()),
                            amongNone);
    } else if (auto loop = dyn_cast<ForOp>(at)) {
      mine = divergence.of(loop.getLo()) | divergence.of(loop.getHi());
    } else if (auto loop = dyn_cast<scf::WhileOp>(at)) {
      mine = divergence.of(loop.getConditionOp().getCondition());
    }
    culprit = mine ? at : culprit;
    among |= mine;
  }
  return among;
}

/// In a role there are only the role's threads: `cta` stands for them, other scopes must fit into them.
bool UniformityCheck::refuseRole(Operation *op, ExecScope scope, const std::string &title) {
  StringRef role = roleOf(op);
  if (role.empty() || (scope != ExecScope::cluster && scope != ExecScope::wg)) {
    return false;
  }
  auto roles = sealer.kernel->getAttrOfType<DictionaryAttr>(rolesAttrName);
  auto entry = roles ? roles.getAs<DictionaryAttr>(role) : DictionaryAttr();
  auto warps = entry ? entry.getAs<IntegerAttr>("warps") : IntegerAttr();
  if (scope == ExecScope::wg && warps && warps.getInt() % 4 == 0) {
    return false;
  }
  sealer.refuse(SealKind::uniformity, title,
                {SealDiag::seal_role_scope,
                 {nameOf(op), stringifyExecScope(scope).str(), role.str()},
                 "the scope's other threads, which never come",
                 scope == ExecScope::wg ? "give the role whole warpgroups, 4 warps each"
                                        : "put it outside sections with a role"},
                op, op->getParentOfType<SectionOp>());
  return true;
}

/// A scope that is wider than the place of a `tile.par` around needs all of its groups to have a step.
bool UniformityCheck::refusePar(Operation *op, ExecScope scope, const std::string &title) {
  auto par = op->getParentOfType<ParOp>();
  if (!par || !(inside(scope) & amongOf(par.getPlace()))) {
    return false;
  }
  auto warps = sealer.kernel->getAttrOfType<IntegerAttr>(warpsAttrName);
  int64_t each = par.getPlace() == Place::wg ? 4 : 1, steps = par.getSteps();
  bool isAll = scope == ExecScope::cta && par.getPlace() != Place::cluster && warps &&
               warps.getInt() == steps * each && roleOf(op).empty();
  if (isAll) {
    return false;
  }
  sealer.refuse(SealKind::uniformity, title,
                {SealDiag::seal_par_scope,
                 {nameOf(op), stringifyExecScope(scope).str(), std::to_string(steps),
                  "tile.par " + stringifyPlace(par.getPlace()).str()},
                 "a step for each group of the scope",
                 "state `tile.warps` and run a step in each, or move it out of the steps"},
                op, par);
  return true;
}

void UniformityCheck::check(Operation *op, ExecScope scope) {
  std::string title =
      "`" + nameOf(op) + "` (" + fileLine(op) + ") is reached by all threads of its scope";
  Operation *culprit = nullptr;
  unsigned among = controlOf(op, culprit) & inside(scope);
  if (among) {
    StringRef what = isa<scf::IfOp>(culprit) ? "the condition" : "the number of steps";
    sealer.refuse(SealKind::uniformity, title,
                  {SealDiag::seal_divergent,
                   {nameOf(op), what.str(), wordsOf(among).str()},
                   what.str() + " must be equal in all threads of scope `" +
                       stringifyExecScope(scope).str() + "`",
                   "move it out of the branch or loop",
                   "one of the " + wordsOf(among).str() + " waits for another that never comes"},
                  op, culprit);
    return;
  }
  if (!refuseRole(op, scope, title) && !refusePar(op, scope, title)) {
    sealer.prove(SealKind::uniformity, title, op);
  }
}

void checkUniformity(Sealer &sealer) { UniformityCheck(sealer).run(); }

} // namespace tessera::sealing
