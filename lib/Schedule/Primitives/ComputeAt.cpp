// compute_at: a value is made where it is used: inside a loop, for the part that the loop's ops need, or right before it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Memory.h"
#include "Presence.h"
#include "Recut.h"

#include "tessera/Schedule/Dims.h"

using namespace tessera;
using namespace tessera::schedule;
using llvm::SmallVector;
using llvm::Twine;
using script::ValueKind;

namespace {

class Producer {
public:
  Producer(PrimitiveContext &context, mlir::Operation *op, mlir::Operation *loop)
      : context(context), op(op), loop(loop), text("`" + context.text(op) + "`"),
        where("`" + context.text(loop) + "`") {}

  llvm::Expected<Value> inside();
  llvm::Expected<Value> before();

private:
  llvm::Error checkPure();
  llvm::Error checkUnwritten(mlir::Operation *first, mlir::Operation *end);
  llvm::Error checkReduction();
  llvm::Error findBox();
  llvm::Error findPlace();
  mlir::Operation *remake();
  void redirect(mlir::Operation *copy);
  llvm::Error refuse(llvm::StringRef code, const Twine &message, const Twine &help,
                     mlir::Operation *at, const char *what) {
    return context.refuse(code, message, help, {{op, "is made here"}, {at, what}});
  }

  PrimitiveContext &context;
  mlir::Operation *op, *loop;
  std::string text, where;
  SmallVector<mlir::OpOperand *> uses; ///< inside the loop
  mlir::Operation *place = nullptr;    ///< it is made right before this one
  tile::IterBox box;                   ///< of the op's dims
  bool isWhole = true;
};

} // namespace

//===-- Checks -----------------------------------------------------------------------------------------------------===//

llvm::Error Producer::checkPure() {
  if (llvm::isa<tile::AllocOp, tile::RingOp>(op)) {
    return refuse("compute_at_memory",
                  text + " is memory, which lives from step to step: made anew in each, it would "
                         "forget",
                  "leave it outside", loop, "the loop");
  }
  bool isAtomic = llvm::isa<tile::AtomicOp>(op);
  bool isPure = mlir::isMemoryEffectFree(op) || llvm::isa<tile::LoadOp>(op);
  if ((!isPure && !isAtomic) || op->getNumRegions() || op->getNumResults() == 0) {
    return refuse("compute_at_pure", text + " does more than give a value", "move a pure op", loop,
                  "the loop");
  }
  if (op->getParentOfType<tile::ApplyOp>()) {
    return refuse("compute_at_done", text + " is done by an instruction",
                  "move it before `replace`", loop, "the loop");
  }
  if (isAtomic) {
    Refusal refusal{"compute_at_effect",
                    text + " changes memory each time that it is done, and what it gives tells how "
                           "often and when it was",
                    "leave it where it is",
                    {{op, "it changes memory here"}, {loop, "the loop"}}};
    return context.require(false, text + " gives the same wherever it is done", refusal);
  }
  return llvm::Error::success();
}

/// A load that is done later, or again, reads what it read: nothing on the way writes there.
llvm::Error Producer::checkUnwritten(mlir::Operation *first, mlir::Operation *end) {
  for (const MemoryAccess &mine : accessesIn(op)) {
    for (mlir::Operation *at = first; at && at != end; at = at->getNextNode()) {
      for (const MemoryAccess &other : accessesIn(at)) {
        if (!other.isWrite() || !mayConflict(mine, other)) {
          continue;
        }
        Refusal refusal{"compute_at_written",
                        text + " done again in a step would read what `" + context.text(other.op) +
                            "` has written by then",
                        "leave it where it is, or read from an array that is not written",
                        {{op, "reads"}, {other.op, "writes"}}};
        return context.require(false, "what " + text + " reads is not written on the way", refusal);
      }
    }
  }
  return llvm::Error::success();
}

static std::string intervalText(const solver::Expr &lo, const solver::Expr &hi) {
  return "[" + lo.str() + ", " + hi.str() + ")";
}

/// A step that has a part of what the op sums over cannot give the sum.
llvm::Error Producer::checkReduction() {
  auto around = llvm::dyn_cast<tile::ForOp>(loop);
  if (!around || around.getWidth() == 0) {
    return llvm::Error::success();
  }
  PresenceTrace trace([&](tile::ForOp each) { return surelyRuns(context, each); });
  SmallVector<tile::IterDim> dims = dimsOf(op);
  solver::Expr lo = context.values().value(around.getLo());
  solver::Expr hi = context.values().value(around.getHi());
  for (auto [number, operand] : llvm::enumerate(op->getOperands())) {
    for (unsigned axis = 0; axis < tile::shapeOf(operand.getType()).size(); ++axis) {
      std::optional<unsigned> dim = dimOfOperandAxis(op, number, axis);
      if (!dim || dims[*dim].kind == tile::IterKind::parallel) {
        continue;
      }
      for (const PresenceFactor &factor : trace.of(operand).factors) {
        if (!factor.span || factor.axes != uint64_t(1) << axis) {
          continue;
        }
        SpanTerms span = context.values().span(factor.span);
        solver::Verdict same = context.ask({"a step of the loop has a part of the sum",
                                            {},
                                            eq(span.start, lo) && eq(span.stop, hi)},
                                           loop);
        if (same.proved()) {
          std::string step = std::to_string(static_cast<int64_t>(around.getWidth()));
          return refuse("compute_at_class",
                        text + " needs all of " + intervalText(lo, hi) + " along `" +
                            context.dimName(op, dims[*dim].name) + "`, and a step of " + where +
                            " has " + step + " of them",
                        "put it before the loop: `compute_at(" + context.text(op) +
                            ", before = " + context.text(loop) + ")`",
                        loop, "the loop");
        }
      }
    }
  }
  return llvm::Error::success();
}

/// The part of the op's dims that the uses in the loop need: slices at constant places, or all.
llvm::Error Producer::findBox() {
  SmallVector<tile::IterDim> dims = dimsOf(op);
  for (const tile::IterDim &dim : dims) {
    box.push_back({0, dim.extent});
  }
  if (op->getNumResults() != 1) {
    return llvm::Error::success();
  }
  SmallVector<std::pair<int64_t, int64_t>> hull;
  for (mlir::OpOperand *use : uses) {
    auto slice = llvm::dyn_cast<tile::SliceOp>(use->getOwner());
    if (!slice) {
      return llvm::Error::success();
    }
    for (auto [i, offset, extent] :
         llvm::enumerate(slice.getOffsets(), slice.getResult().getType().getShape())) {
      if (hull.size() == i) {
        hull.push_back({offset, offset + extent});
      }
      hull[i] = {std::min(hull[i].first, offset), std::max(hull[i].second, offset + extent)};
    }
  }
  bool isCutWell = !llvm::isa<tile::ScanOp, tile::ScanWithOp, tile::TopKOp, tile::ArgMaxOp,
                              tile::ArgMinOp, tile::HistogramOp, tile::ReshapeOp>(op);
  for (unsigned axis = 0; axis < hull.size() && isCutWell; ++axis) {
    std::optional<unsigned> dim = dimOfResultAxis(op, 0, axis);
    if (dim && dims[*dim].kind == tile::IterKind::parallel) {
      box[*dim] = {hull[axis].first, hull[axis].second - hull[axis].first};
      isWhole &= box[*dim].size == dims[*dim].extent;
    }
  }
  return llvm::Error::success();
}

/// Before the first op of the loop's body that needs it; in the section that needs it where the body is cut into such.
llvm::Error Producer::findPlace() {
  mlir::Block *body = &loop->getRegion(0).front();
  bool isCut = !body->getOps<tile::SectionOp>().empty() && !isPlain(op);
  if (isCut) {
    mlir::Operation *only = inBlock(body, uses.front()->getOwner());
    for (mlir::OpOperand *use : uses) {
      mlir::Operation *at = inBlock(body, use->getOwner());
      if (at != only || !llvm::isa<tile::SectionOp>(at)) {
        return refuse("compute_at_beside",
                      text + " would stand beside the sections of " + where +
                          ", each of which runs in its own time: it is not one section alone that "
                          "uses it",
                      "make it in the loop before `sections`, which gives it a section, or name an "
                      "inner loop with all its users",
                      use->getOwner(), "uses it");
      }
    }
    body = &only->getRegion(0).front();
  }
  for (mlir::OpOperand *use : uses) {
    mlir::Operation *at = inBlock(body, use->getOwner());
    place = !place || at->isBeforeInBlock(place) ? at : place;
  }
  return llvm::Error::success();
}

//===-- Edits ------------------------------------------------------------------------------------------------------===//

mlir::Operation *Producer::remake() {
  mlir::RewriterBase &rewriter = context.rewriter();
  rewriter.setInsertionPoint(place);
  if (isWhole) {
    return rewriter.clone(*op);
  }
  auto points = llvm::cast<tile::TileIterOpInterface>(op);
  SmallVector<mlir::Value> operands = slicedOperands(rewriter, op, box);
  mlir::Operation *copy = points.cloneAt(rewriter, op->getLoc(), operands, box);
  copy->removeAttr(tile::iterAttrName);
  return copy;
}

void Producer::redirect(mlir::Operation *copy) {
  mlir::RewriterBase &rewriter = context.rewriter();
  for (mlir::OpOperand *use : uses) {
    unsigned number = llvm::cast<mlir::OpResult>(use->get()).getResultNumber();
    mlir::Value fresh = copy->getResult(number);
    auto slice = llvm::dyn_cast<tile::SliceOp>(use->getOwner());
    if (isWhole || !slice) {
      rewriter.modifyOpInPlace(use->getOwner(), [&] { use->set(fresh); });
      continue;
    }
    SmallVector<int64_t> offsets(slice.getOffsets());
    for (unsigned axis = 0; axis < offsets.size(); ++axis) {
      std::optional<unsigned> dim = dimOfResultAxis(op, 0, axis);
      bool isCut = dim && box[*dim].size != dimsOf(op)[*dim].extent;
      offsets[axis] -= isCut ? box[*dim].offset : 0;
    }
    if (slice.getResult().getType() == fresh.getType()) {
      context.derive(copy, slice, "");
      rewriter.replaceOp(slice, fresh);
      continue;
    }
    rewriter.modifyOpInPlace(slice, [&] {
      use->set(fresh);
      slice.setOffsets(offsets);
    });
  }
}

llvm::Expected<Value> Producer::inside() {
  if (loop->isAncestor(op)) {
    return refuse("compute_at_inside", text + " is made in " + where + " already", "leave it there",
                  loop, "the loop");
  }
  for (mlir::Value result : op->getResults()) {
    for (mlir::OpOperand &use : result.getUses()) {
      if (loop->isProperAncestor(use.getOwner())) {
        uses.push_back(&use);
      }
    }
  }
  if (uses.empty()) {
    return refuse("compute_at_use", "nothing in " + where + " uses " + text,
                  "name the loop of its users", loop, "the loop");
  }
  mlir::Operation *at = op->getBlock()->findAncestorOpInBlock(*loop);
  for (auto check : {&Producer::checkPure, &Producer::checkReduction, &Producer::findBox,
                     &Producer::findPlace}) {
    if (llvm::Error error = (this->*check)()) {
      return std::move(error);
    }
  }
  if (llvm::Error error = checkUnwritten(op->getNextNode(), at ? at->getNextNode() : nullptr)) {
    return std::move(error);
  }
  std::string part;
  for (auto [dim, range] : llvm::zip(dimsOf(op), box)) {
    part += (part.empty() ? "" : ", ") + context.dimName(op, dim.name) + " in [" +
            std::to_string(range.offset) + ", " + std::to_string(range.offset + range.size) + ")";
  }
  context.note(where + " needs " + (part.empty() ? "all" : part) + " of " + text +
               ", whose own sums stay whole");
  mlir::Operation *copy = remake();
  redirect(copy);
  if (op->use_empty()) {
    context.derive(copy, op, "");
    context.rewriter().eraseOp(op);
  }
  return context.cursor(copy);
}

llvm::Expected<Value> Producer::before() {
  if (llvm::Error error = checkPure()) {
    return std::move(error);
  }
  mlir::Operation *at = op->getBlock()->findAncestorOpInBlock(*loop);
  if (!at || !op->isBeforeInBlock(at)) {
    return refuse("compute_at_place",
                  text + " does not stand before " + where + ", in a block around it",
                  "`hoist` it, if it stands in the loop", loop, "the loop");
  }
  auto sections = loop->getBlock()->getOps<tile::SectionOp>();
  if (!sections.empty() && !isPlain(op)) {
    return refuse("compute_at_beside",
                  text + " would stand before " + where +
                      " beside sections, each of which runs in its own time",
                  "make it in " + where + ", or before the loop around the sections",
                  *sections.begin(), "one is here");
  }
  for (mlir::Operation *user : op->getUsers()) {
    bool isLater = loop->isAncestor(user) ||
                   (loop->getBlock()->findAncestorOpInBlock(*user) &&
                    loop->isBeforeInBlock(loop->getBlock()->findAncestorOpInBlock(*user)));
    if (!isLater) {
      return refuse("compute_at_use", text + " is needed before " + where, "name an earlier loop",
                    user, "uses it");
    }
  }
  if (llvm::Error error = checkUnwritten(op->getNextNode(), at->getNextNode())) {
    return std::move(error);
  }
  context.note(text + " is first needed in or after " + where);
  context.rewriter().moveOpBefore(op, loop);
  return context.cursor(op);
}

//===-- Calls ------------------------------------------------------------------------------------------------------===//

static llvm::Expected<Value> runComputeAt(PrimitiveContext &context, const HostCall &call) {
  llvm::Expected<mlir::Operation *> op = context.op(call.arg("p"));
  if (!op) {
    return op.takeError();
  }
  const Value &inside = call.arg("l"), &before = call.arg("before");
  if (inside.isNone() == before.isNone()) {
    return context.refuse("compute_at_where", "it is made in a loop, or before one",
                          "write `compute_at(p, k)` or `compute_at(p, before = k)`");
  }
  llvm::Expected<mlir::Operation *> loop = context.op(inside.isNone() ? before : inside);
  if (!loop) {
    return loop.takeError();
  }
  if (!llvm::isa<tile::ForOp, tile::ParOp, tile::TasksOp>(*loop)) {
    return context.refuse("compute_at_loop", "`" + context.text(*loop) + "` is no loop",
                          "give a loop around the users", {{*loop, "here"}});
  }
  Producer producer(context, *op, *loop);
  return inside.isNone() ? producer.before() : producer.inside();
}

void schedule::addComputeAt(PrimitiveRegistry &registry) {
  script::Signature signature;
  signature.name = "compute_at";
  signature.params = {parameter("p", ValueKind::Cursor), parameter("l", ValueKind::Loop, Value()),
                      parameter("before", ValueKind::Loop, Value())};
  signature.result = "op";
  signature.group = "Dims and loops";
  signature.doc = "A value is made inside the loop, before the first op that needs it and for the "
                  "part that is needed: what slices "
                  "take, else all. With `before`, it is moved right before the loop. Refused for "
                  "what is not pure, for loads of what is "
                  "written on the way, for sums over the range that the loop walks, of which a "
                  "step has only a part, and where it would stand beside sections: it goes into "
                  "the one section that uses it.";
  signature.before =
      "%s = tile.exp %x ; tile.for %i in range(%c0 to %n) { … tile.slice %s from [16] … }";
  signature.after =
      "tile.for %i in range(%c0 to %n) { %x1 = tile.slice %x from [16] ; %s = tile.exp %x1 … }";
  registry.add({std::move(signature), runComputeAt});
}
