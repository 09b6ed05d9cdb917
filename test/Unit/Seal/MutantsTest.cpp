//===- MutantsTest.cpp - what seal accepts does no harm -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every op that orders something is taken out of the repaired files or weakened, one at a time. A mutant that `seal`
// still accepts must hold under the adversary: an accepted mutant that misbehaves is an unsound rule.
//
//===----------------------------------------------------------------------===//

#include "SealTesting.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace tessera;
using namespace tessera::sealtest;

namespace {

using Change = std::function<void()>;

void addChanges(Operation *op, std::vector<std::pair<std::string, Change>> &changes) {
  auto add = [&](StringRef what, Change change) {
    changes.push_back({(what + " of " + op->getName().getStringRef()).str(), std::move(change)});
  };
  if (isa<tile::BarrierOp, tile::FenceOp, tile::GroupCommitOp, tile::GroupWaitOp>(op)) {
    add("removal", [=] { op->erase(); });
    if (op->getNextNode() && !op->getNextNode()->hasTrait<OpTrait::IsTerminator>()) {
      add("delay", [=] { op->moveAfter(op->getNextNode()); });
    }
  }
  if (auto barrier = dyn_cast<tile::BarrierOp>(op)) {
    if (barrier.getScope() == tile::ExecScope::cta) {
      add("a warp's scope", [=]() mutable { barrier.setScope(tile::ExecScope::warp); });
    }
  }
  if (auto wait = dyn_cast<tile::GroupWaitOp>(op)) {
    add("one more pending", [=]() mutable { wait.setPending(wait.getPending() + 1); });
  }
  bool endsTurn = isa<tile::CommitOp, tile::ReleaseOp>(op);
  if (endsTurn && op->getPrevNode() && op->getPrevNode() != op->getOperand(0).getDefiningOp()) {
    add("haste", [=] { op->moveBefore(op->getPrevNode()); });
  }
  if (auto ring = dyn_cast<tile::RingOp>(op)) {
    for (tile::Protocol protocol : {tile::Protocol::cta_sync, tile::Protocol::cp_async}) {
      if (ring.getProtocol() != protocol) {
        add(tile::stringifyProtocol(protocol), [=]() mutable { ring.setProtocol(protocol); });
      }
    }
  }
  if (auto copy = dyn_cast<tile::CopyOp>(op)) {
    add("no fill", [=]() mutable { copy.setFill(tile::Fill::undef); });
  }
  if (auto section = dyn_cast<tile::SectionOp>(op)) {
    add("lead", [=]() mutable { section.setLead(section.getLead() + 1); });
    add("lag", [=]() mutable { section.setLag(section.getLag() + 1); });
  }
  if (auto read = dyn_cast<tile::ReadOp>(op); read && !read.getSlot()) {
    add("reading before", [=] {
      if (Operation *before = read->getPrevNode()) {
        bool needed = llvm::any_of(read->getOperands(),
                                   [&](Value value) { return value.getDefiningOp() == before; });
        if (!needed) {
          read->moveBefore(before);
        }
      }
    });
  }
}

/// Changes of a file, by number, so that each is made on a fresh copy.
std::vector<std::pair<std::string, Change>> changesOf(tile::KernelOp kernel) {
  std::vector<std::pair<std::string, Change>> changes;
  kernel.getBody().walk([&](Operation *op) { addChanges(op, changes); });
  return changes;
}

bool isSealed(tile::KernelOp kernel) {
  solver::ExprContext context;
  solver::Solver solver(context);
  SealOptions options;
  options.emit = false;
  options.target = "sm_90";
  return seal(kernel, solver, options).isSealed();
}

} // namespace

struct Counts {
  unsigned made = 0, accepted = 0;
};

/// All mutants of one text; `runs` says what goes wrong with a kernel, or nothing.
static Counts checkMutants(const std::string &name, const std::string &text,
                           function_ref<std::string(tile::KernelOp)> runs) {
  Counts counts;
  size_t size = changesOf(Parsed(text).kernel()).size();
  for (size_t i = 0; i < size; ++i) {
    Parsed mutant(text);
    auto changes = changesOf(mutant.kernel());
    changes[i].second();
    ScopedDiagnosticHandler quiet(&mutant.context, [](Diagnostic &) { return success(); });
    if (failed(verify(*mutant.module))) {
      continue;
    }
    ++counts.made;
    if (isSealed(mutant.kernel())) {
      ++counts.accepted;
      EXPECT_EQ(runs(mutant.kernel()), "") << name << ": " << changes[i].first << " is accepted";
    }
  }
  return counts;
}

TEST(SealMutants, AcceptedOnesHold) {
  Counts all;
  for (const std::string &name : faultFiles(true)) {
    Counts counts = checkMutants(name, read("faults/" + name),
                                 [](tile::KernelOp kernel) { return misbehaviour(kernel, 3); });
    all.made += counts.made;
    all.accepted += counts.accepted;
  }
  // Most changes must be refused, or the test shows nothing.
  EXPECT_GT(all.made, 200u);
  EXPECT_LT(all.accepted, all.made / 2);
}

TEST(SealMutants, AcceptedOnesOfWorkedFormsHold) {
  for (const char *name : {"gemm_sm80.mlir", "attention_sm80.mlir", "gemm_sm90.mlir"}) {
    Counts counts =
        checkMutants(name, read(std::string("golden/") + name), [](tile::KernelOp kernel) {
          return misbehaviour(kernel, workedExtents(), 2);
        });
    EXPECT_GT(counts.made, 10u) << name;
    EXPECT_LT(counts.accepted, counts.made) << name;
  }
}
