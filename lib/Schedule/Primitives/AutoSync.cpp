// auto_sync: the waits, fences and barriers that `seal` misses, and no more.
//
// On a copy of the kernel: `seal` names two accesses and the edge that is missing between them; the edge is put where it
// serves the most pairs, which is just before the second access, the earliest such place first (a point of each interval,
// chosen from the right); then `seal` is asked again. When nothing more can be repaired, each op that was added is taken
// away in turn, and stays away if `seal` is as content without it. What is left is put into the kernel.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../Seal/Sealer.h"
#include "Sections.h"

#include "tessera/Schedule/KernelCopy.h"
#include "tessera/Schedule/Seal.h"

#include <set>

using namespace tessera;
using namespace tessera::schedule;
using llvm::SmallVector;
using script::ValueKind;

namespace {

/// Ops to be put before an op of the copy, or at the end of a block.
struct Repair {
  enum Kind { fence, wait, barrier } kind = barrier;
  mlir::Block *block = nullptr;
  mlir::Operation *before = nullptr; ///< null: at the end
  tile::ExecScope scope = tile::ExecScope::cta;
  tile::Proxy via = tile::Proxy::generic;
  bool commits = false; ///< a commit first
  int64_t pending = 0;
  bool isAround = false; ///< from step to step of a loop
  std::string reason;
};

class AutoSync {
public:
  AutoSync(PrimitiveContext &context) : context(context) {
    options.target = context.target().arch;
    options.emit = false;
    options.onlySynchronisation = true;
  }
  Value run();

private:
  SealReport look();
  static size_t countOpen(const SealReport &report);
  std::optional<Repair> repairFor(const SealEntry &entry);
  bool placeBetween(Repair &repair, mlir::Operation *first, mlir::Operation *second);
  bool placeBehind(Repair &repair, mlir::Operation *op);
  bool placeAtEnd(Repair &repair, mlir::Operation *op);
  static bool mayStand(mlir::Block *block);
  void add(const Repair &repair);
  void repairAll();
  bool isEnough(size_t open);
  void takeBack();
  std::vector<Value> replay(const mlir::IRMapping &copyOf);
  bool isBefore(const Repair &a, const Repair &b) const;

  PrimitiveContext &context;
  SealOptions options;
  tile::KernelOp copy;
  llvm::SmallSetVector<mlir::Operation *, 16> added; ///< in the copy
  llvm::DenseMap<mlir::Operation *, std::string> reasons;
  SealReport last;                         ///< of what stands in the copy
  std::unique_ptr<sealing::Sealer> looked; ///< the last time
};

} // namespace

//===-- Asking -----------------------------------------------------------------------------------------------------===//

SealReport AutoSync::look() {
  // The schedule's own solver: it has the verdicts that are kept, and counts.
  auto sealer = std::make_unique<sealing::Sealer>(copy, context.solver(), options);
  if (looked) {
    // Barriers, fences and waits have no part in how often a loop runs.
    sealer->takeRuns(*looked);
  }
  looked = std::move(sealer);
  return looked->run();
}

size_t AutoSync::countOpen(const SealReport &report) {
  return llvm::count_if(report.entries, [](const SealEntry &entry) { return entry.isOpen(); });
}

//===-- Places -----------------------------------------------------------------------------------------------------===//

/// A barrier, a fence or a wait may stand in the block: not beside sections, in an instruction or in what one thread does.
bool AutoSync::mayStand(mlir::Block *block) {
  mlir::Operation *parent = block->getParentOp();
  return block->getOps<tile::SectionOp>().empty() &&
         !llvm::isa<tile::ApplyOp, tile::ElectOp>(parent) &&
         !parent->getParentOfType<tile::ApplyOp>() && !parent->getParentOfType<tile::ElectOp>();
}

/// Just before `second`, as far out as `first` allows: on every way from the one to the other, in the same step or around
/// a loop.
bool AutoSync::placeBetween(Repair &repair, mlir::Operation *first, mlir::Operation *second) {
  repair.isAround = !standsBefore(first, second);
  mlir::Block *block;
  if (repair.isAround) {
    mlir::Operation *loop = loopAround(second);
    while (loop && !loop->isProperAncestor(first)) {
      loop = loopAround(loop);
    }
    if (!loop || loop->getNumRegions() != 1) {
      return false;
    }
    block = &loop->getRegion(0).front();
  } else {
    block = commonBlock({first, second});
  }
  mlir::Operation *at = inBlock(block, second);
  // Beside sections nothing may stand: inside the one of the second access.
  auto section = llvm::dyn_cast<tile::SectionOp>(at);
  if (section && !mayStand(block)) {
    block = &section.getBody().front();
    at = inBlock(block, second);
  }
  while (!mayStand(block)) {
    mlir::Operation *parent = block->getParentOp();
    if (!llvm::isa<tile::ApplyOp, tile::ElectOp>(parent)) {
      return false;
    }
    block = parent->getBlock();
    at = parent;
  }
  repair.block = block;
  repair.before = at;
  return true;
}

bool AutoSync::placeBehind(Repair &repair, mlir::Operation *op) {
  mlir::Operation *at = op;
  while (at && !mayStand(at->getBlock())) {
    at = at->getParentOp();
    if (!llvm::isa_and_nonnull<tile::ApplyOp, tile::ElectOp>(at)) {
      return false;
    }
  }
  repair.block = at->getBlock();
  repair.before = at->getNextNode();
  return true;
}

/// Behind everything that may start it again, before its CTA ends.
bool AutoSync::placeAtEnd(Repair &repair, mlir::Operation *op) {
  mlir::Operation *at = op;
  while (!llvm::isa<tile::GridOp, tile::TasksOp, tile::KernelOp>(at->getParentOp())) {
    at = at->getParentOp();
  }
  if (auto section = llvm::dyn_cast<tile::SectionOp>(at)) {
    repair.block = &section.getBody().front();
    repair.before = repair.block->getTerminator();
    return true;
  }
  repair.block = at->getBlock();
  repair.before = at->getNextNode();
  return mayStand(repair.block);
}

//===-- Repairs ----------------------------------------------------------------------------------------------------===//

/// The way of an op to memory.
static tile::Proxy viaOf(mlir::Operation *op) {
  auto apply = op->getParentOfType<tile::ApplyOp>();
  return apply ? apply.getVia() : tile::Proxy::generic;
}

/// All threads that share the memory that both touch, or those of one step of a `tile.par` around both.
static tile::ExecScope scopeFor(mlir::Operation *first, mlir::Operation *second) {
  tile::ExecScope scope = tile::ExecScope::thread;
  for (const MemoryAccess &a : accessesIn(first)) {
    for (const MemoryAccess &b : accessesIn(second)) {
      if (mayConflict(a, b)) {
        auto buf = llvm::dyn_cast<tile::BufType>(a.memory.getType());
        scope = std::max(scope, buf ? buf.getPer() : tile::ExecScope::cta);
      }
    }
  }
  scope = scope == tile::ExecScope::thread ? tile::ExecScope::cta : scope;
  for (mlir::Operation *at = first->getParentOp(); at; at = at->getParentOp()) {
    auto par = llvm::dyn_cast<tile::ParOp>(at);
    if (par && par->isProperAncestor(second)) {
      scope = std::min(scope, par.getPlace() == tile::Place::warp ? tile::ExecScope::warp
                              : par.getPlace() == tile::Place::wg ? tile::ExecScope::wg
                                                                  : tile::ExecScope::cta);
    }
  }
  return scope;
}

static bool mayBeCounted(tile::Proxy via) {
  return via == tile::Proxy::cp_async || via == tile::Proxy::bulk || via == tile::Proxy::wgmma;
}

/// What is to be added for an entry; nothing where no wait, fence or barrier helps.
std::optional<Repair> AutoSync::repairFor(const SealEntry &entry) {
  if (!entry.isOpen() || !entry.diagnostic) {
    return std::nullopt;
  }
  // The error stands at the access that comes later.
  mlir::Operation *second = entry.first, *first = entry.second ? entry.second : entry.first;
  Repair repair;
  repair.reason = entry.title;
  repair.via = viaOf(first);
  bool isPlaced = false;
  switch (*entry.diagnostic) {
  case SealDiag::seal_race:
  case SealDiag::seal_race_loop:
  case SealDiag::seal_others_data:
    repair.scope = entry.scope ? *entry.scope : scopeFor(first, second);
    isPlaced = placeBetween(repair, first, second);
    break;
  case SealDiag::seal_fence:
  case SealDiag::seal_fence_late:
    repair.kind = Repair::fence;
    isPlaced = placeBehind(repair, first);
    break;
  case SealDiag::seal_no_group:
  case SealDiag::seal_pending:
    repair.kind = Repair::wait;
    repair.commits = *entry.diagnostic == SealDiag::seal_no_group;
    isPlaced = mayBeCounted(repair.via) && placeBetween(repair, first, second);
    break;
  case SealDiag::seal_in_flight:
    repair.kind = Repair::wait;
    repair.commits = true;
    isPlaced = mayBeCounted(repair.via) && placeAtEnd(repair, first);
    break;
  case SealDiag::seal_lag:
  case SealDiag::seal_protocol:
    // The access stands first here, and then the op that ends its turn.
    repair.via = viaOf(entry.first);
    repair.kind = repair.via == tile::Proxy::generic ? Repair::barrier : Repair::wait;
    repair.commits = true;
    repair.block = entry.second ? entry.second->getBlock() : nullptr;
    repair.before = entry.second;
    isPlaced = entry.second && (repair.via == tile::Proxy::generic || mayBeCounted(repair.via));
    break;
  default:
    break;
  }
  return isPlaced ? std::optional<Repair>(repair) : std::nullopt;
}

/// Which repair is tried first: those of one step before those around a loop, and the one that stands first.
bool AutoSync::isBefore(const Repair &a, const Repair &b) const {
  if (a.isAround != b.isAround) {
    return b.isAround;
  }
  mlir::Operation *x = a.before ? a.before : a.block->getParentOp();
  mlir::Operation *y = b.before ? b.before : b.block->getParentOp();
  if (x != y) {
    return standsBefore(x, y) || (!standsBefore(y, x) && y->isAncestor(x));
  }
  return a.kind < b.kind;
}

void AutoSync::add(const Repair &repair) {
  mlir::OpBuilder builder(copy.getContext());
  mlir::Location loc =
      repair.before ? repair.before->getLoc() : repair.block->getParentOp()->getLoc();
  if (repair.before) {
    builder.setInsertionPoint(repair.before);
  } else {
    builder.setInsertionPointToEnd(repair.block);
  }
  auto keep = [&](mlir::Operation *op) {
    added.insert(op);
    reasons[op] = repair.reason;
  };
  switch (repair.kind) {
  case Repair::fence:
    keep(tile::FenceOp::create(builder, loc));
    return;
  case Repair::wait:
    if (repair.commits) {
      keep(tile::GroupCommitOp::create(builder, loc, repair.via));
    }
    keep(tile::GroupWaitOp::create(builder, loc, repair.via, repair.pending));
    return;
  case Repair::barrier:
    keep(tile::BarrierOp::create(builder, loc, repair.scope));
    return;
  }
}

void AutoSync::repairAll() {
  // Each round adds something; what does not help is not tried twice.
  std::set<std::string> tried;
  constexpr unsigned most = 256;
  last = look();
  for (unsigned round = 0; round < most; ++round) {
    std::optional<Repair> best;
    for (const SealEntry &entry : last.entries) {
      std::optional<Repair> repair = repairFor(entry);
      std::string key =
          entry.title + std::to_string(entry.diagnostic ? int(*entry.diagnostic) : -1);
      if (repair && !tried.count(key) && (!best || isBefore(*repair, *best))) {
        best = repair;
        best->reason = entry.title;
      }
    }
    if (!best) {
      return;
    }
    size_t before = countOpen(last);
    add(*best);
    last = look();
    // An edge is made of several parts; only what changes nothing at all is given up.
    for (const SealEntry &entry : last.entries) {
      std::optional<Repair> again = entry.title == best->reason ? repairFor(entry) : std::nullopt;
      if (again && again->kind == best->kind && countOpen(last) >= before) {
        tried.insert(entry.title + std::to_string(int(*entry.diagnostic)));
      }
    }
  }
}

/// Whether `seal` is as content with what stands there now.
bool AutoSync::isEnough(size_t open) {
  SealReport report = look();
  if (countOpen(report) > open) {
    return false;
  }
  last = std::move(report);
  return true;
}

/// What `seal` does not miss is taken away again; waits are made as weak as they may be.
void AutoSync::takeBack() {
  size_t open = countOpen(last);
  std::set<std::vector<mlir::Operation *>> tooFew; // those without which it was asked, in vain
  for (bool changed = true; changed;) {
    changed = false;
    for (mlir::Operation *op : llvm::to_vector(added)) {
      std::vector<mlir::Operation *> rest;
      llvm::copy_if(added, std::back_inserter(rest),
                    [&](mlir::Operation *other) { return other != op; });
      if (!tooFew.insert(rest).second) {
        continue;
      }
      mlir::Operation *next = op->getNextNode();
      mlir::Block *block = op->getBlock();
      op->remove();
      if (isEnough(open)) {
        added.remove(op);
        op->destroy();
        changed = true;
        continue;
      }
      if (next) {
        block->getOperations().insert(next->getIterator(), op);
      } else {
        block->push_back(op);
      }
    }
  }
  // A wait that leaves more groups orders less, and mostly it may leave none or one.
  constexpr int64_t most = 8;
  for (mlir::Operation *op : added) {
    auto wait = llvm::dyn_cast<tile::GroupWaitOp>(op);
    for (int64_t pending = 1; wait && pending <= most; ++pending) {
      wait.setPending(pending);
      if (!isEnough(open)) {
        wait.setPending(pending - 1);
        break;
      }
    }
  }
}

//===-- Edit -------------------------------------------------------------------------------------------------------===//

std::vector<Value> AutoSync::replay(const mlir::IRMapping &copyOf) {
  llvm::DenseMap<mlir::Operation *, mlir::Operation *> original;
  for (auto [from, to] : copyOf.getOperationMap()) {
    original[to] = from;
  }
  mlir::RewriterBase &rewriter = context.rewriter();
  std::vector<Value> made;
  SmallVector<mlir::Operation *> inOrder;
  copy.walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
    if (added.contains(op)) {
      inOrder.push_back(op);
    }
  });
  for (mlir::Operation *op : inOrder) {
    mlir::Operation *next = op->getNextNode();
    while (next && added.contains(next)) {
      next = next->getNextNode();
    }
    if (next) {
      rewriter.setInsertionPoint(original[next]);
    } else {
      unsigned region = op->getParentRegion()->getRegionNumber();
      rewriter.setInsertionPointToEnd(&original[op->getParentOp()]->getRegion(region).front());
    }
    mlir::Operation *fresh = rewriter.clone(*op);
    made.push_back(context.cursor(fresh));
    std::string text;
    llvm::raw_string_ostream out(text);
    // It names no value: the whole kernel need not be numbered for it.
    op->print(out, mlir::OpPrintingFlags().useLocalScope().assumeVerified());
    context.note("added `" + text + "` for " + reasons[op]);
  }
  return made;
}

Value AutoSync::run() {
  tile::KernelOp kernel = context.kernel();
  KernelTrial trial(kernel);
  copy = trial.kernel;
  if (kernel.getBody().empty()) {
    return Value::list({});
  }
  repairAll();
  takeBack();
  std::vector<Value> made = replay(trial.mapping);
  for (const SealEntry &entry : last.entries) {
    if (entry.isOpen() && (entry.kind == SealKind::order || entry.kind == SealKind::rings)) {
      context.open("order", entry.title, "what no wait, fence or barrier gives: " + entry.missing);
    }
  }
  return Value::list(std::move(made));
}

static llvm::Expected<Value> runAutoSync(PrimitiveContext &context, const HostCall &) {
  return AutoSync(context).run();
}

void schedule::addAutoSync(PrimitiveRegistry &registry) {
  script::Signature signature;
  signature.name = "auto_sync";
  signature.params = {parameter("kernel", ValueKind::Kernel)};
  signature.result = "[op, …]";
  signature.group = "Synchronisation";
  signature.doc = "Adds the group commits and waits, fences and barriers that `seal` misses, with "
                  "the least scope and the most groups "
                  "pending, and none that it does not miss; the report names each with its reason. "
                  "What they cannot repair is left to "
                  "`seal`.";
  signature.before = "tile.copy %x[%k] to %b\n%t = tile.read %b";
  signature.after = "tile.barrier cta\ntile.copy %x[%k] to %b\ntile.barrier cta\n%t = tile.read %b";
  registry.add({std::move(signature), runAutoSync});
}
