// fuse: two loops, one after the other, as one: each step does a step of the first and then one of the second.
//
// What holds then, and is checked here:
//   steps   both have the same, from the same first one on
//   order   a step of the second that comes before a later step of the first now touches nothing that this one writes, and
//           writes nothing that it touches
//   values  the second uses no result of the first, which is there after its last step alone
//   between what stands between the loops has nothing to do with the first one, which comes after it now
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Loops.h"
#include "Memory.h"

#include "tessera/Support/Mutants.h"

using namespace tessera;
using namespace tessera::schedule;
using llvm::SmallVector;
using script::ValueKind;

namespace {

class Fuser {
public:
  Fuser(PrimitiveContext &context, tile::ForOp first, tile::ForOp second)
      : context(context), first(first), second(second),
        firstText(quoted(context, first.getOperation())),
        secondText(quoted(context, second.getOperation())) {}

  llvm::Expected<Value> run();

private:
  llvm::Error checkForm();
  llvm::Error checkBetween();
  llvm::Error checkPassed(mlir::Operation *op);
  llvm::Error checkBounds();
  llvm::Error checkOrdered();
  llvm::Error checkPair(const MemoryAccess &mine, const MemoryAccess &other);
  llvm::Error checkAccesses();
  tile::ForOp edit();
  std::vector<std::pair<mlir::Operation *, std::string>> places() {
    return {{first, "the first loop"}, {second, "the second one"}};
  }

  PrimitiveContext &context;
  tile::ForOp first, second;
  std::string firstText, secondText;
};

} // namespace

//===-- Form -------------------------------------------------------------------------------------------------------===//

llvm::Error Fuser::checkForm() {
  if (first->getBlock() != second->getBlock() || !first->isBeforeInBlock(second)) {
    return context.refuse("fuse_place", secondText + " does not stand behind " + firstText,
                          "give two loops of one block, the first one in front", places());
  }
  if (first.getWidth() != second.getWidth() || first.getReversed() != second.getReversed()) {
    return context.refuse("fuse_steps",
                          firstText + " and " + secondText + " go by steps of other kinds",
                          "`split` one of them, or write both with one width", places());
  }
  for (tile::ForOp loop : {first, second}) {
    for (auto section : loop.getBody().front().getOps<tile::SectionOp>()) {
      return context.refuse("fuse_sections",
                            quoted(context, loop.getOperation()) + " is cut into sections",
                            "fuse it before `sections`", {{section, "a section"}});
    }
  }
  return checkBetween();
}

/// The first loop comes after the op now.
llvm::Error Fuser::checkPassed(mlir::Operation *op) {
  Refusal refusal{"fuse_between",
                  quoted(context, op) + " stands between " + firstText + " and " + secondText +
                      ", and would come before what " + firstText + " does",
                  "move it (`hoist`, `compute_at`)",
                  {{op, "it stands here"}, {first, "the first loop"}}};
  bool isPassed = findUntold(op) == nullptr;
  for (const MemoryAccess &mine : accessesIn(op)) {
    for (const MemoryAccess &other : accessesIn(first)) {
      if (isPassed && mayConflict(mine, other)) {
        refusal.places[1] = {other.op, "the first loop touches the same memory here"};
        isPassed = false;
      }
    }
  }
  return isPassed ? llvm::Error::success()
                  : context.require(false, firstText + " may come after " + quoted(context, op),
                                    refusal);
}

/// What stands between stays before both; and nothing there, or in the second loop, needs what the first one gives.
llvm::Error Fuser::checkBetween() {
  for (mlir::Operation *op = first->getNextNode(); op != second; op = op->getNextNode()) {
    if (llvm::Error error = checkPassed(op)) {
      return error;
    }
  }
  for (mlir::Operation *user : first->getUsers()) {
    mlir::Operation *at = inBlock(first->getBlock(), user);
    if (at == second || at->isBeforeInBlock(second)) {
      return context.refuse("fuse_depends",
                            quoted(context, user) + " uses what " + firstText +
                                " gives after its last step",
                            "loops are fused of which the second needs no value of the first",
                            {{user, "it is used here"}, {first, "the first loop"}});
    }
  }
  return llvm::Error::success();
}

//===-- Conditions -------------------------------------------------------------------------------------------------===//

llvm::Error Fuser::checkBounds() {
  SymbolicValues &values = context.values();
  mlir::Value begin =
      TESSERA_MUTANT(145, "fused loops may begin elsewhere", second.getLo(), first.getLo());
  solver::Obligation same = context.space().equalBounds(
      firstText + " and " + secondText + " have the same steps", values.value(first.getLo()),
      values.value(first.getHi()), values.value(begin), values.value(second.getHi()));
  return context.prove(std::move(same), first,
                       {"fuse_bounds", firstText + " and " + secondText + " have other steps",
                        "`peel` what one has more", places()});
}

/// Of what no access tells, both may not have some.
llvm::Error Fuser::checkOrdered() {
  mlir::Operation *mine = findOrdered(first), *other = findOrdered(second);
  if (!mine || !other) {
    return llvm::Error::success();
  }
  Refusal refusal{"fuse_order",
                  quoted(context, mine) + " and " + quoted(context, other) + " happen in order",
                  "fuse the loops before they are inserted",
                  {{mine, "in the first loop"}, {other, "in the second one"}}};
  return context.require(false, "of what happens in order one loop has all", refusal);
}

llvm::Error Fuser::checkPair(const MemoryAccess &mine, const MemoryAccess &other) {
  std::string title = quoted(context, mine.op) + " and " + quoted(context, other.op) +
                      " touch different cells in steps whose order changes";
  Refusal refusal{"fuse_dependence",
                  quoted(context, other.op) + " would come before a later step's " +
                      quoted(context, mine.op) + ", and they meet in one cell",
                  "keep the loops apart",
                  {{mine.op, "the first loop does it here"},
                   {other.op, "the second one touches the cell here"}}};
  if (mine.isBuf() || other.isBuf()) {
    return context.require(false, title, refusal);
  }
  solver::Obligation obligation = apart(context, title, mine, other, nullptr, Steps::Same);
  if (obligation.goal.isInvalid()) {
    refusal.message += "; " + obligation.goal.reason().str();
    return context.require(false, title, refusal);
  }
  unsigned shared = context.values().axesAround(first).axes.size();
  solver::IndexBox box = cellsOf(context, other).box;
  solver::Expr step = context.values().axis(first).variable;
  solver::Expr earlier =
      context.space().inSecond(context.values().axis(second).variable, box, shared);
  obligation.facts.push_back(
      {earlier < step, "the step of the second one is earlier", "steps whose order changes"});
  return context.prove(std::move(obligation), first, refusal);
}

llvm::Error Fuser::checkAccesses() {
  SmallVector<MemoryAccess> theirs = accessesIn(second);
  for (const MemoryAccess &mine : accessesIn(first)) {
    for (const MemoryAccess &other : theirs) {
      bool areAtomic = mine.window.kind == tile::Window::atomic &&
                       other.window.kind == tile::Window::atomic && mine.memory == other.memory;
      if (areAtomic ||
          !TESSERA_MUTANT(146, "fused steps never meet", mayConflict(mine, other), false)) {
        continue;
      }
      if (llvm::Error error = checkPair(mine, other)) {
        return error;
      }
    }
  }
  return llvm::Error::success();
}

//===-- Edit -------------------------------------------------------------------------------------------------------===//

tile::ForOp Fuser::edit() {
  mlir::RewriterBase &rewriter = context.rewriter();
  rewriter.setInsertionPoint(second);
  SmallVector<mlir::Value> inits(first.getInits());
  llvm::append_range(inits, second.getInits());
  tile::ForOp made = makeLoop(rewriter, first.getLoc(), first.getLo(), first.getHi(), inits,
                              static_cast<int64_t>(first.getWidth()), first.getReversed(),
                              SymbolicValues::sourceName(first.getStep()));
  mlir::Block *body = &made.getBody().front();
  SmallVector<mlir::Value> yielded;
  auto carried = made.getCarried();
  for (tile::ForOp loop : {first, second}) {
    SmallVector<mlir::Value> arguments{made.getStep()};
    llvm::append_range(arguments, carried.slice(yielded.size(), loop.getInits().size()));
    mlir::Operation *yield = loop.getBody().front().getTerminator();
    rewriter.inlineBlockBefore(&loop.getBody().front(), body, body->end(), arguments);
    llvm::append_range(yielded, yield->getOperands());
    rewriter.eraseOp(yield);
  }
  rewriter.setInsertionPointToEnd(body);
  tile::YieldOp::create(rewriter, first.getLoc(), yielded);
  auto results = made.getResults();
  rewriter.replaceAllUsesWith(first.getResults(), results.take_front(first.getNumResults()));
  rewriter.replaceAllUsesWith(second.getResults(), results.drop_front(first.getNumResults()));
  // It is called what the first one was.
  context.derive(made, second, "");
  context.derive(made, first, "");
  rewriter.eraseOp(first);
  rewriter.eraseOp(second);
  context.values().changed();
  return made;
}

llvm::Expected<Value> Fuser::run() {
  for (auto check :
       {&Fuser::checkForm, &Fuser::checkBounds, &Fuser::checkOrdered, &Fuser::checkAccesses}) {
    if (llvm::Error error = (this->*check)()) {
      return std::move(error);
    }
  }
  return context.cursor(edit(), ValueKind::Loop);
}

static llvm::Expected<Value> runFuse(PrimitiveContext &context, const HostCall &call) {
  llvm::Expected<tile::ForOp> first = loopOf(context, call.arg("first"));
  if (!first) {
    return first.takeError();
  }
  llvm::Expected<tile::ForOp> second = loopOf(context, call.arg("second"));
  if (!second) {
    return second.takeError();
  }
  return Fuser(context, *first, *second).run();
}

void schedule::addFuse(PrimitiveRegistry &registry) {
  script::Signature signature;
  signature.name = "fuse";
  signature.params = {parameter("first", ValueKind::Loop), parameter("second", ValueKind::Loop)};
  signature.result = "loop";
  signature.group = "Loops";
  signature.doc =
      "Two loops, one after the other, become one that does a step of the first and then "
      "one of the second. Refused where they have other steps, where the second uses "
      "what the first gives, where something stands between that has to do with the first, and "
      "where a "
      "step of the second would come before one of the first that it meets in a cell.";
  signature.before = "tile.for %i in tiles(%c0 to %N by 8) { … }\n"
                     "tile.for %j in tiles(%c0 to %N by 8) { … }";
  signature.after = "tile.for %i in tiles(%c0 to %N by 8) { … ; … }";
  registry.add({std::move(signature), runFuse});
}
