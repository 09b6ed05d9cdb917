// hoist: an op that does the same in every step of a loop is done once, before it.
//
// What holds then, and is checked here:
//   values     operands are made outside the loop, or by ops that may move with it
//   reads      no step writes what the op reads, the op itself aside
//   writes     nothing else in the loop writes the same cells, and nothing reads them before the op does
//   effects    no step has an effect that no window tells and that the op would pass
//   zero trip  the loop has a step, or the op can fail nowhere and what it writes is not looked at outside
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Memory.h"

#include "tessera/Support/Mutants.h"
using namespace tessera;
using namespace tessera::schedule;
using llvm::SmallVector;
using script::ValueKind;

namespace {

class Hoist {
public:
  Hoist(PrimitiveContext &context, const HostCall &call) : context(context), call(call) {}
  llvm::Expected<Value> run();

private:
  llvm::Error match();
  llvm::Error gather(mlir::Operation *at);
  llvm::Error checkPlace();
  llvm::Error checkEffects(mlir::Operation *op);
  llvm::Error checkAccess(const MemoryAccess &mine, const MemoryAccess &other);
  llvm::Error checkZeroTrip();
  llvm::Error checkMayNotFail(mlir::Operation *op);
  llvm::Error checkBounds(const MemoryAccess &access);
  bool isWrittenBefore(tile::ReadOp read);
  bool isMoved(mlir::Operation *op) const { return llvm::is_contained(moved, op); }

  PrimitiveContext &context;
  const HostCall &call;
  tile::ForOp loop;
  SmallVector<mlir::Operation *> asked; ///< inside the loop
  SmallVector<mlir::Operation *> moved; ///< with what they need, in order of the program
  std::string text;
};

} // namespace

//===-- Match ------------------------------------------------------------------------------------------------------===//

llvm::Error Hoist::match() {
  llvm::Expected<tile::ForOp> found = context.opOf<tile::ForOp>(call.arg("loop"), "a loop");
  if (!found) {
    return found.takeError();
  }
  loop = *found;
  llvm::Expected<SmallVector<mlir::Operation *>> ops = context.ops(call.arg("ops"));
  if (!ops) {
    return ops.takeError();
  }
  for (mlir::Operation *op : *ops) {
    // What an instruction does moves as a whole.
    if (auto apply = op->getParentOfType<tile::ApplyOp>()) {
      op = apply;
    }
    if (loop->isProperAncestor(op)) {
      asked.push_back(op);
      continue;
    }
    bool isOutside = op != loop.getOperation() && standsBefore(op, loop) &&
                     inBlock(op->getBlock(), loop) != nullptr;
    if (!isOutside) {
      return context.refuse(
          "hoist_outside", quoted(context, op) + " is not in " + quoted(context, loop),
          "name the loop that it stands in", {{op, "it stands here"}, {loop, "the loop is here"}});
    }
    context.note(quoted(context, op) + " stands before " + quoted(context, loop) + " already");
  }
  for (mlir::Operation *op : asked) {
    text += (text.empty() ? "" : ", ") + quoted(context, op);
    if (llvm::Error error = gather(op)) {
      return error;
    }
  }
  llvm::sort(moved, [](mlir::Operation *a, mlir::Operation *b) { return standsBefore(a, b); });
  return checkPlace();
}

/// `at` and the pure ops inside the loop that its operands come from.
llvm::Error Hoist::gather(mlir::Operation *at) {
  if (isMoved(at)) {
    return llvm::Error::success();
  }
  moved.push_back(at);
  llvm::SmallSetVector<mlir::Value, 8> operands;
  at->walk([&](mlir::Operation *op) {
    for (mlir::Value operand : op->getOperands()) {
      if (!at->isAncestor(operand.getParentBlock()->getParentOp())) {
        operands.insert(operand);
      }
    }
  });
  for (mlir::Value operand : operands) {
    mlir::Operation *source = operand.getDefiningOp();
    mlir::Operation *inside = source ? source : operand.getParentBlock()->getParentOp();
    bool isOutside = source ? !loop->isAncestor(source)
                            : inside != loop.getOperation() && !loop->isAncestor(inside);
    if (isOutside || (source && isMoved(source))) {
      continue;
    }
    if (!source || source->getNumRegions() != 0) {
      bool isStep = !source && inside == loop.getOperation() && operand == loop.getStep();
      return context.refuse(
          "hoist_depends",
          quoted(context, at) + " depends on " + quoted(context, operand) +
              (isStep ? ", the step of " : ", which changes from step to step of ") +
              quoted(context, loop),
          "hoist what does not depend on it",
          {{at, "it is used here"}, {inside, "it is made here"}});
    }
    if (!isEffectFree(source) && !llvm::is_contained(asked, source)) {
      return context.refuse("hoist_needs",
                            quoted(context, at) + " needs " + quoted(context, source) +
                                ", which touches memory",
                            "hoist that first", {{at, "it is used here"}, {source, "it is here"}});
    }
    if (llvm::Error error = gather(source)) {
      return error;
    }
  }
  return llvm::Error::success();
}

/// An op of a ring, whose partner stays in the loop.
static mlir::Operation *findTurn(mlir::Operation *op) {
  mlir::Operation *found = nullptr;
  op->walk([&](mlir::Operation *inner) {
    if (llvm::isa<tile::AcquireOp, tile::CommitOp, tile::AwaitOp, tile::ReleaseOp>(inner)) {
      found = inner;
    }
  });
  return found;
}

/// Every step of the loop comes by: the op stands directly in the body, or in a section of it.
llvm::Error Hoist::checkPlace() {
  for (mlir::Operation *op : moved) {
    if (llvm::isa<tile::SectionOp>(op)) {
      return context.refuse("hoist_section",
                            quoted(context, op) + " is a part of the steps of " +
                                quoted(context, op->getParentOp()) + ", which it stands in",
                            "hoist the ops in it", {{op, "it stands here"}});
    }
    mlir::Operation *at = op->getParentOp();
    while (at != loop.getOperation() && llvm::isa<tile::SectionOp>(at)) {
      at = at->getParentOp();
    }
    if (at != loop.getOperation()) {
      bool isLoop = llvm::isa<mlir::LoopLikeOpInterface, tile::ParOp>(at);
      Refusal refusal{"hoist_inner",
                      quoted(context, op) + " stands in " + quoted(context, at) + " inside of " +
                          quoted(context, loop) + ", which may run it more than once or not at all",
                      isLoop ? "hoist it out of that loop first"
                             : "only what every step does can be done once before",
                      {{op, "it stands here"}, {at, "inside of this"}}};
      if (llvm::Error error =
              context.require(false, "every step does " + quoted(context, op) + " once", refusal)) {
        return error;
      }
    }
    if (mlir::Operation *turn = findTurn(op)) {
      return context.refuse("hoist_turn",
                            quoted(context, turn) + " is one side of a turn of its ring in each "
                                                    "step",
                            "hoist before `ring`", {{turn, "it stands here"}});
    }
    if (mlir::Operation *untold = findUntold(op)) {
      Refusal refusal{"hoist_effect",
                      quoted(context, untold) +
                          " happens in every step: done once, it would be another program",
                      "leave it in the loop",
                      {{untold, "it stands here"}, {loop, "the loop is here"}}};
      if (llvm::Error error = context.require(
              false, quoted(context, op) + " does nothing that is told by no access", refusal)) {
        return error;
      }
    }
  }
  return llvm::Error::success();
}

//===-- Conditions -------------------------------------------------------------------------------------------------===//

/// One access of the op against one of the rest of the loop.
llvm::Error Hoist::checkAccess(const MemoryAccess &mine, const MemoryAccess &other) {
  if (TESSERA_MUTANT(137, "views never conflict", !mayConflict(mine, other), !mine.isBuf())) {
    return llvm::Error::success();
  }
  // A later read of what the op wrote finds the same in every step.
  if (mine.isWrite() && !other.isWrite() && mine.memory == other.memory &&
      standsBefore(mine.op, other.op)) {
    return llvm::Error::success();
  }
  std::string what = !mine.isWrite() ? " writes what " + quoted(context, mine.op) + " reads"
                     : other.isWrite()
                         ? " writes where " + quoted(context, mine.op) + " writes"
                         : " reads, before it, what " + quoted(context, mine.op) + " writes";
  Refusal refusal{"hoist_effects",
                  quoted(context, other.op) + what + ", in a step of " + quoted(context, loop),
                  "leave it in the loop, or hoist both",
                  {{other.op, "it touches the memory here"}, {mine.op, "it stands here"}}};
  std::string title =
      quoted(context, mine.op) + " and " + quoted(context, other.op) + " touch different cells";
  if (mine.isBuf()) {
    return context.require(false, title, refusal);
  }
  solver::Obligation obligation = apart(context, title, mine, other, loop, Steps::Any);
  if (obligation.goal.isInvalid()) {
    refusal.message += "; " + obligation.goal.reason().str();
    return context.require(false, title, refusal);
  }
  return context.prove(std::move(obligation), mine.op, refusal);
}

llvm::Error Hoist::checkEffects(mlir::Operation *op) {
  SmallVector<MemoryAccess> accesses = accessesIn(op);
  for (const MemoryAccess &mine : accesses) {
    if (mine.window.kind == tile::Window::atomic) {
      Refusal refusal{"hoist_atomic",
                      quoted(context, op) + " changes memory in every step",
                      "leave it in the loop",
                      {{op, "it stands here"}, {loop, "the loop is here"}}};
      if (llvm::Error error =
              context.require(false, quoted(context, op) + " may be done once", refusal)) {
        return error;
      }
    }
    for (const MemoryAccess &other : accessesIn(loop)) {
      if (isMoved(other.op) || op->isAncestor(other.op)) {
        continue;
      }
      if (llvm::Error error = checkAccess(mine, other)) {
        return error;
      }
    }
    // An op that writes what it reads does something else the second time.
    for (const MemoryAccess &other : accesses) {
      bool isOwn = mine.isWrite() && !other.isWrite() && mayConflict(mine, other);
      if (!isOwn) {
        continue;
      }
      Refusal refusal{"hoist_effects",
                      quoted(context, op) + " writes what it reads",
                      "leave it in the loop",
                      {{op, "it stands here"}, {loop, "the loop is here"}}};
      if (llvm::Error error = context.require(
              false, quoted(context, op) + " does the same a second time", refusal)) {
        return error;
      }
    }
  }
  return llvm::Error::success();
}

//===-- Zero trip --------------------------------------------------------------------------------------------------===//

llvm::Error Hoist::checkBounds(const MemoryAccess &access) {
  for (auto [axis, at] : llvm::enumerate(access.window.axes)) {
    if (access.isBuf() || at.kind == tile::WindowAxis::whole) {
      continue;
    }
    Refusal refusal{"hoist_trap",
                    quoted(context, loop) + " may have no step, and " + quoted(context, access.op) +
                        " could then leave axis " + std::to_string(axis) + " of its view",
                    "state in `where` that the loop has a step",
                    {{access.op, "it stands here"}, {loop, "the loop is here"}}};
    solver::Expr extent = context.values().extent(access.window.view, axis), goal;
    if (at.kind == tile::WindowAxis::span) {
      SpanTerms span = context.values().span(at.index);
      goal = span.stop <= span.start || (span.start >= 0 && span.stop <= extent);
    } else if (at.kind == tile::WindowAxis::scalar) {
      solver::Expr index = context.values().value(at.index);
      goal = index >= 0 && index < extent;
    } else {
      if (llvm::Error error = context.require(false, "indices lie inside the view", refusal)) {
        return error;
      }
      continue;
    }
    if (llvm::Error error = context.prove(
            {quoted(context, access.op) + " stays inside axis " + std::to_string(axis), {}, goal},
            loop, refusal)) {
      return error;
    }
  }
  return llvm::Error::success();
}

/// Something before the loop, on every way to it, wrote all that the read finds present.
bool Hoist::isWrittenBefore(tile::ReadOp read) {
  for (const MemoryAccess &access : accessesTo(read.getBuf())) {
    bool comesFirst =
        access.isWrite() &&
        (isMoved(access.op) || (!loop->isAncestor(access.op) && standsBefore(access.op, loop) &&
                                inBlock(access.op->getBlock(), loop)));
    if (comesFirst && fillCovers(context, access.op, read)) {
      return true;
    }
  }
  return false;
}

llvm::Error Hoist::checkMayNotFail(mlir::Operation *op) {
  SmallVector<MemoryAccess> accesses = accessesIn(op);
  Refusal refusal{"hoist_trap",
                  quoted(context, loop) + " may have no step, and " + quoted(context, op) +
                      " could then report an error that the kernel does not have",
                  "state in `where` that the loop has a step",
                  {{op, "it stands here"}, {loop, "the loop is here"}}};
  if (auto read = llvm::dyn_cast<tile::ReadOp>(op)) {
    return context.require(isWrittenBefore(read),
                           quoted(context, op) + " finds what was written before", refusal);
  }
  for (const MemoryAccess &access : accesses) {
    bool isView = !access.isBuf();
    auto view = llvm::dyn_cast<tile::ViewType>(access.window.view.getType());
    if (isView && view && view.getMode() == tile::AccessMode::out && !access.isWrite()) {
      if (llvm::Error error =
              context.require(false, "what is read of an output was written", refusal)) {
        return error;
      }
    }
    if (llvm::Error error = checkBounds(access)) {
      return error;
    }
    if (!access.isWrite()) {
      continue;
    }
    // With no step the memory would have kept what it held: nobody may look.
    bool isSeen = isView || llvm::any_of(accessesTo(access.memory), [&](const MemoryAccess &other) {
                    return !loop->isAncestor(other.op);
                  });
    Refusal seen = refusal;
    seen.code = "hoist_zero_trip";
    seen.message = quoted(context, loop) + " may have no step, and what " + quoted(context, op) +
                   " writes is looked at outside of it";
    if (llvm::Error error = context.require(
            !isSeen, "what " + quoted(context, op) + " writes is used in the loop only", seen)) {
      return error;
    }
  }
  bool isSafe = !accesses.empty() || mlir::isSpeculatable(op);
  return context.require(isSafe, quoted(context, op) + " fails nowhere", refusal);
}

llvm::Error Hoist::checkZeroTrip() {
  if (TESSERA_MUTANT(108, "every loop has a step", surelyRuns(context, loop), true)) {
    context.note(quoted(context, loop) + " has a step");
    return llvm::Error::success();
  }
  for (mlir::Operation *op : moved) {
    if (llvm::Error error = checkMayNotFail(op)) {
      return error;
    }
  }
  return llvm::Error::success();
}

//===-- Edit -------------------------------------------------------------------------------------------------------===//

llvm::Expected<Value> Hoist::run() {
  if (llvm::Error error = match()) {
    return std::move(error);
  }
  if (asked.empty()) {
    return Value();
  }
  for (mlir::Operation *op : moved) {
    if (llvm::Error error = checkEffects(op)) {
      return std::move(error);
    }
  }
  if (llvm::Error error = checkZeroTrip()) {
    return std::move(error);
  }
  bool isCut = !loop->getBlock()->getOps<tile::SectionOp>().empty();
  if (isCut && !llvm::all_of(moved, isPlain)) {
    return context.refuse("hoist_sections",
                          "beside the sections around " + quoted(context, loop) +
                              " nothing may touch tiles or memory",
                          "hoist before the outer loop is cut into sections",
                          {{loop, "the loop is here"}});
  }
  bool writes = false;
  for (mlir::Operation *op : moved) {
    for (const MemoryAccess &access : accessesIn(op)) {
      writes |= access.isBuf() && access.isWrite();
    }
    context.rewriter().moveOpBefore(op, loop);
  }
  context.values().changed();
  if (writes) {
    context.open("raw", "what " + text + " writes is seen in the loop",
                 "a barrier before " + quoted(context, loop));
  }
  return Value();
}

static llvm::Expected<Value> runHoist(PrimitiveContext &context, const HostCall &call) {
  return Hoist(context, call).run();
}

void schedule::addHoist(PrimitiveRegistry &registry) {
  script::Signature signature;
  signature.name = "hoist";
  signature.params = {parameter("ops", ValueKind::Any), parameter("loop", ValueKind::Loop)};
  signature.group = "Loops";
  signature.doc = "An op, with the pure ops that it needs, moves before a loop. Refused where it "
                  "depends on the step or a carried "
                  "value, where a step of the loop writes what it reads or touches what it writes, "
                  "and, for a loop that may have no "
                  "step, where the op could report an error or leave something that is looked at. "
                  "An op that stands before the loop "
                  "already stays where it is.";
  signature.before =
      "tile.for %k in … {\n  tile.copy %x[%m] to %buf fill zero\n  %t = tile.read %buf span[%m]\n}";
  signature.after =
      "tile.copy %x[%m] to %buf fill zero\ntile.for %k in … {\n  %t = tile.read %buf span[%m]\n}";
  registry.add({std::move(signature), runHoist});
}
