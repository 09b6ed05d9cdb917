// Loops whose sections run ahead of the rest of the step.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Rings.h"

#include "tessera/Support/Mutants.h"

using namespace tessera;
using namespace tessera::convert;
using llvm::SmallVector;
using mlir::failed;
using mlir::failure;
using mlir::LogicalResult;
using mlir::Operation;
using mlir::success;

LogicalResult convert::lowerSection(Lowering &l, Operation *op) {
  auto section = llvm::cast<tile::SectionOp>(op);
  if (section.getRole()) {
    return l.error(op, "sections of roles have no code yet");
  }
  mlir::Block &body = section.getBody().front();
  if (failed(l.block(body))) {
    return failure();
  }
  for (auto [result, value] :
       llvm::zip(section.getResults(), body.getTerminator()->getOperands())) {
    if (llvm::isa<tile::SpanType>(value.getType())) {
      l.spans[result] = l.spans.at(value);
    } else {
      l.set(result, TileValue(l.tile(value)));
    }
  }
  return success();
}

namespace {
class Pipeline {
public:
  Pipeline(Lowering &l, tile::ForOp loop) : l(l), loop(loop) {}
  LogicalResult run();

private:
  LogicalResult collect();
  void countPending();
  void findFirstWait();
  LogicalResult ahead(tile::SectionOp section, llvm::Value *number);
  LogicalResult prologue();
  LogicalResult step(llvm::Value *number);
  void bind(llvm::Value *number) { bindStep(l, loop.getStep(), lo, hi, loop.getWidth(), number); }
  LogicalResult scalarsBefore(Operation *end);
  int64_t commitsOf(tile::SectionOp section);

  Lowering &l;
  tile::ForOp loop;
  SmallVector<tile::SectionOp> early, late;
  int64_t most = 0; ///< the greatest lead
  tile::AwaitOp firstWait;
  llvm::Value *lo = nullptr, *hi = nullptr, *steps = nullptr;
};
} // namespace

LogicalResult Pipeline::collect() {
  for (tile::SectionOp section : loop.getBody().front().getOps<tile::SectionOp>()) {
    int64_t lead = section.getLead();
    if (lead == 0) {
      late.push_back(section);
      continue;
    }
    if (section.getNumResults() > 0) {
      return l.error(section, "a section that runs ahead and has results has no code yet: let a "
                              "ring carry them");
    }
    early.push_back(section);
    most = std::max(most, lead);
  }
  if (!early.empty() && loop.getReversed()) {
    return l.error(loop, "sections ahead in a loop that goes downwards have no code");
  }
  return success();
}

int64_t Pipeline::commitsOf(tile::SectionOp section) {
  int64_t commits = 0;
  section.walk([&](tile::CommitOp commit) {
    commits += l.rings.at(commit.getRing()).protocol == tile::Protocol::cp_async;
  });
  return commits;
}

/// The wait that a step begins with: the first of the sections that are not ahead.
void Pipeline::findFirstWait() {
  for (tile::SectionOp section : late) {
    for (tile::AwaitOp await : section.getBody().front().getOps<tile::AwaitOp>()) {
      firstWait = await;
      return;
    }
  }
}

/// For each wait how many groups a thread may have left: those committed after the group of the slot that is awaited. The
/// order of commits and waits is written down for a few steps, as they will run, and the least number over steps is taken.
void Pipeline::countPending() {
  llvm::DenseMap<mlir::Value, SmallVector<int64_t>> committed; // by ring, group numbers in order
  llvm::DenseMap<mlir::Value, size_t> awaited;
  int64_t groups = 0;
  auto commit = [&](tile::SectionOp section) {
    section.walk([&](tile::CommitOp op) {
      if (l.rings.at(op.getRing()).protocol == tile::Protocol::cp_async) {
        committed[op.getRing()].push_back(groups++);
      }
    });
  };
  auto await = [&](tile::AwaitOp op) {
    if (l.rings.at(op.getRing()).protocol != tile::Protocol::cp_async) {
      return;
    }
    size_t turn = awaited[op.getRing()]++;
    const auto &own = committed[op.getRing()];
    int64_t left = turn < own.size() ? groups - 1 - own[turn] : 0;
    auto [place, isFirst] = l.pendingAt.try_emplace(op, left);
    place->second = std::min(place->second, left);
  };
  for (int64_t step = 0; step < most; ++step) {
    for (tile::SectionOp section : early) {
      if (int64_t(section.getLead()) > step) {
        commit(section);
      }
    }
  }
  for (int64_t step = 0; step < 2 * most + 2; ++step) {
    if (firstWait) {
      await(firstWait);
    }
    for (tile::SectionOp section : early) {
      commit(section);
    }
    for (tile::SectionOp section : late) {
      section.walk<mlir::WalkOrder::PreOrder>([&](Operation *op) {
        if (auto wait = llvm::dyn_cast<tile::AwaitOp>(op); wait && wait != firstWait) {
          await(wait);
        } else if (auto fills = llvm::dyn_cast<tile::CommitOp>(op)) {
          if (l.rings.at(fills.getRing()).protocol == tile::Protocol::cp_async) {
            committed[fills.getRing()].push_back(groups++);
          }
        }
      });
    }
  }
}

/// What stands beside the sections is index arithmetic: it is done for the step at hand.
LogicalResult Pipeline::scalarsBefore(Operation *end) {
  for (Operation &op : loop.getBody().front()) {
    if (&op == end) {
      break;
    }
    if (!llvm::isa<tile::SectionOp, tile::YieldOp>(op) && failed(l.op(&op))) {
      return failure();
    }
  }
  return success();
}

/// A section for a step that may not exist; its groups are committed in any case.
LogicalResult Pipeline::ahead(tile::SectionOp section, llvm::Value *number) {
  llvm::LLVMContext &context = l.module.getContext();
  auto *inside = llvm::BasicBlock::Create(context, "ahead", l.function);
  auto *after = llvm::BasicBlock::Create(context, "went", l.function);
  l.b.CreateCondBr(l.b.CreateICmpSLT(number, steps), inside, after);
  l.b.SetInsertPoint(inside);
  bind(number);
  l.defersCommits =
      TESSERA_MUTANT(485, "groups of steps that do not exist are left out", true, false);
  LogicalResult done = scalarsBefore(section);
  if (mlir::succeeded(done)) {
    done = l.op(section);
  }
  l.defersCommits = false;
  l.b.CreateBr(after);
  l.b.SetInsertPoint(after);
  for (int64_t i = 0, count = TESSERA_MUTANT(485, "groups of steps that do not exist are left out",
                                             commitsOf(section), 0);
       i < count; ++i) {
    l.marker("cp.commit", l.b.getVoidTy(), {});
  }
  return done;
}

LogicalResult Pipeline::prologue() {
  // Slots of a ring that another loop used may still be read.
  bool isUsed = false;
  for (tile::SectionOp section : early) {
    section.walk([&](tile::AcquireOp acquire) { isUsed |= l.released.count(acquire.getRing()); });
  }
  if (TESSERA_MUTANT(488, "a ring is filled while another loop reads it", isUsed, false)) {
    l.barrier();
  }
  int64_t begun = TESSERA_MUTANT(486, "one step less is begun before the loop", most, most - 1);
  for (int64_t step = 0; step < begun; ++step) {
    for (tile::SectionOp section : early) {
      if (int64_t(section.getLead()) > step && failed(ahead(section, l.i64(step)))) {
        return failure();
      }
    }
  }
  return success();
}

LogicalResult Pipeline::step(llvm::Value *number) {
  if (!early.empty()) {
    if (TESSERA_MUTANT(489, "a step begins without its wait", bool(firstWait), false)) {
      waitFor(l, firstWait);
    } else {
      l.barrier();
    }
    for (tile::SectionOp section : early) {
      int64_t lead = section.getLead();
      llvm::Value *next = l.b.CreateAdd(
          number, l.i64(TESSERA_MUTANT(487, "sections ahead are a step behind", lead, lead - 1)));
      if (failed(ahead(section, next))) {
        return failure();
      }
    }
  }
  bind(number);
  for (Operation &op : loop.getBody().front()) {
    auto section = llvm::dyn_cast<tile::SectionOp>(op);
    if (section && section.getLead() > 0) {
      continue;
    }
    if (failed(l.op(&op))) {
      return failure();
    }
  }
  return success();
}

LogicalResult Pipeline::run() {
  if (failed(collect())) {
    return failure();
  }
  findFirstWait();
  countPending();
  for (tile::SectionOp section : late) {
    // In a loop a slot is acquired after the step before released one, wherever that stands.
    section.walk([&](tile::AcquireOp acquire) { l.released.insert(acquire.getRing()); });
  }
  if (!early.empty() && firstWait) {
    l.waited.insert(firstWait);
  }
  mlir::Block &body = loop.getBody().front();
  std::vector<Carried> carried = carriedOf(l, loop.getCarried());
  storeAll(l, carried, loop.getInits());
  lo = l.scalar(loop.getLo());
  hi = l.scalar(loop.getHi());
  steps = stepsOf(l, lo, hi, loop.getWidth());
  if (failed(prologue())) {
    return failure();
  }
  LogicalResult done = countedLoop(l, l.i64(0), steps, [&](llvm::Value *number) {
    if (loop.getReversed()) {
      number = l.b.CreateSub(l.b.CreateSub(steps, l.i64(1)), number);
    }
    loadAll(l, carried, loop.getCarried());
    if (failed(step(number))) {
      return failure();
    }
    storeAll(l, carried, body.getTerminator()->getOperands());
    return success();
  });
  loadAll(l, carried, loop.getResults());
  return done;
}

LogicalResult convert::lowerPipelined(Lowering &l, tile::ForOp loop) {
  return Pipeline(l, loop).run();
}
