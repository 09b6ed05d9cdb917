// elect: one thread does it for all.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Sections.h"

using namespace tessera;
using namespace tessera::schedule;
using llvm::SmallVector;
using script::ValueKind;

/// Why an op, or one inside it, can be no step of one thread; empty where nothing is against it.
static std::string needsOthers(mlir::Operation *op, mlir::Operation *&where) {
  std::string why;
  op->walk([&](mlir::Operation *inner) {
    if (!why.empty()) {
      return;
    }
    where = inner;
    if (isSync(inner) && !llvm::isa<tile::FenceOp, tile::GroupCommitOp, tile::GroupWaitOp>(inner)) {
      why = "other threads wait in it";
    } else if (llvm::isa<tile::AllocOp, tile::RingOp, tile::SectionOp, tile::ParOp, tile::GridOp,
                         tile::TasksOp, tile::ElectOp>(inner)) {
      why = "it belongs to all threads";
    }
  });
  return why;
}

/// Instructions are run by one thread each.
static llvm::Error checkInstructions(PrimitiveContext &context, mlir::Operation *op) {
  llvm::Error error = llvm::Error::success();
  op->walk([&](tile::ApplyOp apply) {
    auto instr =
        mlir::SymbolTable::lookupNearestSymbolFrom<tile::InstrOp>(apply, apply.getInstrAttr());
    if (error || !instr || instr.getScope() == tile::ExecScope::thread) {
      return;
    }
    std::string name = ("`@" + instr.getSymName() + "`").str();
    error = context.require(false, name + " is run by one thread",
                            {"elect_group",
                             quoted(context, apply.getOperation()) +
                                 " cannot be done by one thread: " + name + " is run by a whole " +
                                 tile::stringifyExecScope(instr.getScope()).str(),
                             "leave it outside",
                             {{apply, "it stands here"}}});
  });
  return error;
}

/// Ops of one block with nothing between them.
static llvm::Error checkRow(PrimitiveContext &context, llvm::ArrayRef<mlir::Operation *> ops) {
  for (auto [before, op] : llvm::zip(ops, ops.drop_front())) {
    if (before->getBlock() == op->getBlock() && before->getNextNode() == op) {
      continue;
    }
    return context.refuse("elect_row",
                          quoted(context, op) + " does not follow " + quoted(context, before) +
                              " at once",
                          "elect each group of neighbours",
                          {{before, "this one is here"}, {op, "and this one here"}});
  }
  return llvm::Error::success();
}

static llvm::Error checkOp(PrimitiveContext &context, mlir::Operation *op,
                           llvm::ArrayRef<mlir::Operation *> ops) {
  auto isInside = [&](mlir::Operation *other) {
    return llvm::any_of(ops, [&](mlir::Operation *one) { return one->isAncestor(other); });
  };
  mlir::Operation *where = nullptr;
  std::string why = needsOthers(op, where);
  if (op->hasTrait<mlir::OpTrait::IsTerminator>() || llvm::isa<tile::KernelOp, tile::InstrOp>(op)) {
    why = "it is no step of the program";
    where = op;
  }
  if (!why.empty()) {
    return context.refuse("elect_threads",
                          quoted(context, where) + " cannot be done by one thread: " + why,
                          "leave it outside", {{where, "it stands here"}});
  }
  for (mlir::Value result : op->getResults()) {
    for (mlir::Operation *user : result.getUsers()) {
      if (!isInside(user)) {
        return context.refuse("elect_result",
                              quoted(context, user) + " uses " + quoted(context, result) +
                                  ", which only one thread would have",
                              "elect the user, too",
                              {{op, "it is made here"}, {user, "used here"}});
      }
    }
  }
  llvm::Error error = llvm::Error::success();
  op->walk([&](mlir::Operation *inner) {
    for (mlir::Value operand : inner->getOperands()) {
      mlir::Operation *source = operand.getDefiningOp();
      bool isOutside =
          source ? !isInside(source) : !isInside(operand.getParentBlock()->getParentOp());
      if (!error && isOutside && llvm::isa<mlir::RankedTensorType>(operand.getType())) {
        Refusal refusal{"elect_tile",
                        quoted(context, inner) + " needs " + quoted(context, operand) +
                            ", whose elements are spread over the threads",
                        "stage it: one thread can read memory",
                        {{inner, "it is used here"}}};
        if (source) {
          refusal.places.push_back({source, "it is made here"});
        }
        error = context.require(false, "one thread has all elements of " + quoted(context, operand),
                                refusal);
      }
    }
  });
  return error ? std::move(error) : checkInstructions(context, op);
}

static llvm::Expected<Value> runElect(PrimitiveContext &context, const HostCall &call) {
  llvm::Expected<SmallVector<mlir::Operation *>> ops = context.ops(call.arg("ops"));
  if (!ops) {
    return ops.takeError();
  }
  if (ops->empty()) {
    return context.refuse("elect_none", "no op is named", "give the ops that one thread does");
  }
  // An op of an instruction stands for the instruction.
  SmallVector<mlir::Operation *> whole;
  for (mlir::Operation *op : *ops) {
    auto apply = op->getParentOfType<tile::ApplyOp>();
    mlir::Operation *outer = apply ? apply.getOperation() : op;
    if (auto elect = outer->getParentOfType<tile::ElectOp>()) {
      return context.refuse("elect_twice", quoted(context, op) + " is done by one thread already",
                            "leave it", {{elect, "it is elected here"}});
    }
    if (!llvm::is_contained(whole, outer)) {
      whole.push_back(outer);
    }
  }
  if (llvm::Error error = checkRow(context, whole)) {
    return std::move(error);
  }
  for (mlir::Operation *op : whole) {
    if (llvm::Error error = checkOp(context, op, whole)) {
      return std::move(error);
    }
  }
  mlir::RewriterBase &rewriter = context.rewriter();
  rewriter.setInsertionPoint(whole.front());
  auto elect = tile::ElectOp::create(rewriter, whole.front()->getLoc());
  mlir::Block *body =
      elect.getBody().empty() ? &elect.getBody().emplaceBlock() : &elect.getBody().front();
  if (body->empty()) {
    mlir::OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointToEnd(body);
    tile::YieldOp::create(rewriter, elect.getLoc());
  }
  for (mlir::Operation *op : whole) {
    rewriter.moveOpBefore(op, body->getTerminator());
  }
  context.note("what one thread does is done once, as before");
  return context.cursor(elect);
}

void schedule::addElect(PrimitiveRegistry &registry) {
  script::Signature signature;
  signature.name = "elect";
  signature.params = {parameter("ops", ValueKind::Any)};
  signature.result = "op";
  signature.group = "Time and roles";
  signature.doc = "Neighbouring ops are done by one thread, as instructions want that start a bulk "
                  "copy. Refused for ops with a gap "
                  "between, where an instruction is run by more than a thread, where other threads "
                  "wait in an op, and where a tile "
                  "would pass from or to the other threads.";
  signature.before = "tile.copy_out %buf to %y[%m, %n]";
  signature.after = "tile.elect { tile.copy_out %buf to %y[%m, %n] }";
  registry.add({std::move(signature), runElect});
}
