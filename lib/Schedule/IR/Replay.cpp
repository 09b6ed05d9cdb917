// A refused step is run: done without its conditions on a copy, against the kernel as it is.
//
// A primitive checks everything before it edits, so the same call under trust is the edit alone. The kernel of a schedule
// at work often lacks its barriers: its own runs fail under the adversary, whatever the step does. Both sides then get
// those that `auto_sync` finds; so they do where the step makes memory or asynchronous ops, of which nobody could have
// said before who waits for them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tessera/Schedule/ScheduleHost.h"

#include "mlir/IR/Verifier.h"

using namespace tessera;
using namespace tessera::schedule;
using llvm::StringRef;

/// The first line of an error.
static std::string brief(llvm::Error error) {
  std::string text = llvm::toString(std::move(error));
  return StringRef(text).split('\n').first.str();
}

/// Whether facts allow a launch with these extents. Facts on what is no extent (data, steps of loops) say nothing about it;
/// arrays begin where every alignment holds.
static bool admits(llvm::ArrayRef<solver::Fact> facts,
                   const std::map<std::string, int64_t> &extents) {
  for (const solver::Fact &fact : facts) {
    llvm::SmallVector<solver::Expr> atoms;
    solver::collectAtoms({fact.condition}, atoms);
    solver::Assignment values;
    bool isKnown = true;
    for (solver::Expr atom : atoms) {
      auto extent = extents.find(atom.declaration().name);
      bool isExtent = extent != extents.end();
      isKnown &= isExtent || atom.declaration().role == solver::Role::Size;
      values.set(atom, isExtent ? extent->second : 256);
    }
    std::optional<solver::Int> holds = isKnown ? solver::evaluate(fact.condition, values) : 1;
    if (holds && *holds == 0) {
      return false;
    }
  }
  return true;
}

llvm::Error ScheduleHost::addSync(StringRef symbol) {
  const Primitive *primitive = primitiveOf("auto_sync");
  auto kernel = module->lookupSymbol<tile::KernelOp>(symbol);
  if (!primitive || !kernel) {
    return llvm::make_error<HostError>(HostError::Kind::NotFound, "there is no `auto_sync`");
  }
  HostCall call{primitive->signature, Value(), {table.op(kernel, script::ValueKind::Kernel)}, {}};
  return runPrimitive(*primitive, call).takeError();
}

llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>> ScheduleHost::forced(const Primitive *primitive,
                                                                       const HostCall &call,
                                                                       StringRef kernel,
                                                                       bool synced) {
  uint64_t start = mark();
  Step kept = std::move(pending);
  aboutToEdit();
  reasons.push_back("a refused step is run");
  llvm::Error error =
      primitive ? runPrimitive(*primitive, call).takeError() : llvm::Error::success();
  reasons.pop_back();
  if (!error && synced) {
    error = addSync(kernel);
  }
  mlir::OwningOpRef<mlir::ModuleOp> after;
  if (!error) {
    after = module->clone();
  }
  rollback(start);
  pending = std::move(kept);
  if (error) {
    return std::move(error);
  }
  return std::move(after);
}

/// Bufs and asynchronous ops: what barriers and waits are for.
static unsigned countUnordered(mlir::ModuleOp module) {
  unsigned count = 0;
  module.walk([&](mlir::Operation *op) {
    auto apply = llvm::dyn_cast<tile::ApplyOp>(op);
    count += llvm::isa<tile::AllocOp>(op) || (apply && apply.getVia() != tile::Proxy::generic);
  });
  return count;
}

std::string ScheduleHost::replay(const Primitive &primitive, const HostCall &call,
                                 StringRef kernel) {
  solver::Witness witness = std::move(*failed);
  std::vector<solver::Fact> facts;
  if (auto op = module->lookupSymbol<tile::KernelOp>(kernel)) {
    facts = symbols.facts(op);
    llvm::append_range(facts, assumedFacts(kernel));
  }
  ReplayResult result{ReplayResult::Unordered, ""};
  for (bool synced : {false, true}) {
    llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>> before =
        forced(nullptr, call, kernel, synced);
    llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>> after =
        forced(&primitive, call, kernel, synced);
    if (!before || !after) {
      llvm::Error error = llvm::joinErrors(before.takeError(), after.takeError());
      if (result.kind == ReplayResult::NotReproduced) {
        llvm::consumeError(std::move(error));
        break;
      }
      return "; not run: " + brief(std::move(error));
    }
    if (!synced && countUnordered(**before) != countUnordered(**after)) {
      continue;
    }
    ReplayResult found =
        options.replayer({**before, **after, kernel.str(), witness,
                          [&](const auto &extents) { return admits(facts, extents); }});
    // At some sizes the kernel may be ordered without barriers, and show nothing.
    if (result.kind == ReplayResult::Unordered || found.kind == ReplayResult::Confirmed) {
      result = std::move(found);
    }
    if (result.kind == ReplayResult::Confirmed || result.kind == ReplayResult::NotRun) {
      break;
    }
  }
  switch (result.kind) {
  case ReplayResult::Confirmed:
    return "; confirmed by a run: " + result.words;
  case ReplayResult::NotReproduced:
    return "; runs showed no difference, so the condition may be stronger than needed" +
           (result.words.empty() ? "" : ": " + result.words);
  case ReplayResult::Unordered:
    return "; not run: what stands before the step is not ordered yet: " + result.words;
  case ReplayResult::NotRun:
    break;
  }
  return "; not run: " + result.words;
}
