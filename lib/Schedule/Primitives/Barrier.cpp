// insert_barrier, weaken_barrier, remove_barrier.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tessera/Schedule/Primitive.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace tessera;
using namespace tessera::schedule;
using script::ValueKind;

/// Whether each warp, or each warpgroup, of the CTA has one step.
static bool isForEach(tile::ParOp par) {
  auto kernel = par->getParentOfType<tile::KernelOp>();
  auto warps = kernel->getAttrOfType<mlir::IntegerAttr>(tile::warpsAttrName);
  int64_t each = par.getPlace() == tile::Place::wg ? 4 : 1;
  return par.getPlace() != tile::Place::cluster && warps &&
         warps.getInt() == int64_t(par.getSteps()) * each;
}

/// The op around a gap that not all threads of the scope run alike; null where there is none.
static mlir::Operation *findDivergent(mlir::Operation *parent, tile::ExecScope scope) {
  for (; parent && !llvm::isa<tile::KernelOp>(parent); parent = parent->getParentOp()) {
    if (llvm::isa<tile::ElectOp, tile::ApplyOp>(parent)) {
      return parent;
    }
    auto par = llvm::dyn_cast<tile::ParOp>(parent);
    if (!par || (scope == tile::ExecScope::cta && isForEach(par))) {
      continue;
    }
    // Steps of a `par` run in a warp, a warpgroup or a CTA each: a barrier of more than one step's threads waits for steps
    // that may be in turn.
    tile::ExecScope own = par.getPlace() == tile::Place::warp ? tile::ExecScope::warp
                          : par.getPlace() == tile::Place::wg ? tile::ExecScope::wg
                                                              : tile::ExecScope::cta;
    if (scope > own) {
      return parent;
    }
  }
  return nullptr;
}

/// The group of threads that a call names.
static tile::ExecScope scopeOf(const HostCall &call) {
  llvm::StringRef word = *call.arg("scope").getName();
  return *tile::symbolizeExecScope(word == "warpgroup" ? "wg" : word);
}

static llvm::Expected<Value> runInsert(PrimitiveContext &context, const HostCall &call) {
  llvm::Expected<Site> site = context.resolve(call.arg("gap"));
  if (!site) {
    return site.takeError();
  }
  if (site->kind != ValueKind::Gap) {
    return context.refuse("gap_kind", "`" + call.arg("gap").str() + "` is no gap",
                          "write `c.before` or `c.after`");
  }
  llvm::StringRef word = *call.arg("scope").getName();
  tile::ExecScope scope = scopeOf(call);
  mlir::Operation *parent = site->block->getParentOp();
  mlir::Operation *divergent = findDivergent(parent, scope);
  bool isOneThread = llvm::isa_and_nonnull<tile::ElectOp, tile::ApplyOp>(divergent);
  if (isOneThread) {
    return context.refuse("barrier_inside",
                          "the gap lies inside of what one thread or one instruction does",
                          "put it outside of this op", {{divergent, "it is in here"}});
  }
  bool isInGrid = llvm::isa<tile::GridOp, tile::TasksOp>(parent) ||
                  parent->getParentOfType<tile::GridOp>() ||
                  parent->getParentOfType<tile::TasksOp>();
  if (!isInGrid) {
    return context.refuse("barrier_place", "the gap lies outside of the grid, where no threads are",
                          "put it into the body of the grid", {{parent, "the gap is in here"}});
  }
  auto sections = site->block->getOps<tile::SectionOp>();
  if (!sections.empty()) {
    return context.refuse("barrier_beside",
                          "the gap lies beside sections, each of which comes there in its own time",
                          "put it into a section", {{*sections.begin(), "one is here"}});
  }
  if (divergent) {
    Refusal refusal{"barrier_uniform",
                    ("not all threads of the " + word + " come to the gap at one time").str(),
                    "put it outside of this op, or use a smaller scope",
                    {{divergent, "only some of them run this"}}};
    if (llvm::Error error = context.require(
            false, "all threads of the " + word + " come to the gap together", refusal)) {
      return std::move(error);
    }
  }
  context.note("a barrier of the " + word + " changes no value");
  context.open("uniform", "all threads of the " + word + " reach the barrier equally often",
               "seal");
  if (llvm::Error error = context.insertAt(call.arg("gap"))) {
    return std::move(error);
  }
  mlir::Location loc = site->op ? site->op->getLoc() : parent->getLoc();
  auto barrier = tile::BarrierOp::create(context.rewriter(), loc, scope);
  return context.cursor(barrier);
}

static llvm::Expected<Value> runWeaken(PrimitiveContext &context, const HostCall &call) {
  llvm::Expected<tile::BarrierOp> barrier =
      context.opOf<tile::BarrierOp>(call.arg("b"), "a barrier");
  if (!barrier) {
    return barrier.takeError();
  }
  llvm::StringRef word = *call.arg("scope").getName();
  tile::ExecScope scope = scopeOf(call);
  if (scope >= barrier->getScope()) {
    return context.refuse("weaken_scope",
                          "the barrier is one of the " +
                              tile::stringifyExecScope(barrier->getScope()) +
                              ", which is no more than the " + word,
                          "give a smaller group of threads", {{*barrier, "the barrier"}});
  }
  // As with a barrier that is removed: the program means the same, and `seal` asks for the order.
  context.note("a barrier changes no value");
  context.open("ordered", "accesses on both sides of the weaker barrier are ordered by it", "seal");
  context.rewriter().modifyOpInPlace(*barrier, [&] { barrier->setScope(scope); });
  return Value();
}

static llvm::Expected<Value> runRemove(PrimitiveContext &context, const HostCall &call) {
  llvm::Expected<tile::BarrierOp> barrier =
      context.opOf<tile::BarrierOp>(call.arg("b"), "a barrier");
  if (!barrier) {
    return barrier.takeError();
  }
  // A barrier is no value: the program means the same. Whether threads are still ordered is asked at `seal`, for all of
  // the kernel's accesses at once.
  context.note("a barrier changes no value");
  context.open("ordered", "accesses on both sides of the removed barrier are ordered without it",
               "seal");
  context.rewriter().eraseOp(*barrier);
  return Value();
}

void schedule::addBarrier(PrimitiveRegistry &registry) {
  script::Signature insert;
  insert.name = "insert_barrier";
  insert.params = {parameter("gap", ValueKind::Gap),
                   parameter("scope", ValueKind::Name, Value::name("cta"),
                             {"warp", "wg", "warpgroup", "cta", "cluster"})};
  insert.result = "op";
  insert.group = "Synchronisation";
  insert.doc =
      "A barrier of a group of threads at the gap. Refused where only some of them come there, and "
      "outside of the grid.";
  insert.before = "tile.write %t to %a ; %r = tile.read %a …";
  insert.after = "tile.write %t to %a ; tile.barrier cta ; %r = tile.read %a …";
  registry.add({std::move(insert), runInsert});
  script::Signature weaken;
  weaken.name = "weaken_barrier";
  weaken.params = {parameter("b", ValueKind::Op), parameter("scope", ValueKind::Name, std::nullopt,
                                                            {"warp", "wg", "warpgroup", "cta"})};
  weaken.group = "Synchronisation";
  weaken.doc =
      "A barrier waits for a smaller group of threads; `seal` proves that this orders what "
      "the barrier did. Refused for a scope that is not smaller.";
  weaken.before = "tile.barrier cta";
  weaken.after = "tile.barrier warp";
  registry.add({std::move(weaken), runWeaken});
  script::Signature remove;
  remove.name = "remove_barrier";
  remove.params = {parameter("b", ValueKind::Op)};
  remove.group = "Synchronisation";
  remove.doc = "Takes a barrier away; `seal` proves that what it ordered is ordered without it.";
  remove.before = "tile.barrier cta ; tile.barrier cta";
  remove.after = "tile.barrier cta";
  registry.add({std::move(remove), runRemove});
}
