// Changing the order of loops' steps: two loops swapped, the steps of one side by side.
//
// Steps may change their order where no two of them meet in a cell that one of them writes. The question is asked of each
// pair of accesses to one array or buf: is there a cell that both touch in two instances whose order changes? An access is
// the variables of the loops around it, points of its op, coordinates. Arrays of different arguments do not overlap unless
// both are read (the language's rule for arguments that a kernel writes).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Loops.h"
#include "Memory.h"
#include "Places.h"

#include "tessera/Schedule/Dims.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace tessera;
using namespace tessera::schedule;

namespace {

struct Touch {
  mlir::Operation *op;
  tile::Window window;
  mlir::Value memory; ///< the argument or the buf
  unsigned number;    ///< of the window among those of its op
};

/// A pair of instances in question, beside being two instances: i before i', say.
using Order =
    std::function<solver::Expr(const solver::IndexBox &first, const solver::IndexBox &second)>;

/// Asks for all pairs of accesses inside one op.
class OrderCheck {
public:
  OrderCheck(PrimitiveContext &context, mlir::Operation *root, unsigned shared, Order order,
             Refusal refusal)
      : context(context), root(root), shared(shared), order(std::move(order)),
        refusal(std::move(refusal)) {}

  llvm::Error check();

private:
  llvm::Error checkPair(const Touch &a, const Touch &b);

  PrimitiveContext &context;
  mlir::Operation *root;
  unsigned shared; ///< loops around whose step is the same in both instances
  Order order;
  Refusal refusal;
};

} // namespace

static bool isAtomic(const Touch &touch) { return touch.window.kind == tile::Window::atomic; }

llvm::Error OrderCheck::check() {
  llvm::SmallVector<Touch> touches;
  root->walk([&](tile::TileIterOpInterface points) {
    for (auto [i, window] : llvm::enumerate(points.getWindows())) {
      touches.push_back(
          {points.getOperation(), window, memoryOf(window.view), static_cast<unsigned>(i)});
    }
  });
  for (size_t i = 0; i < touches.size(); ++i) {
    for (size_t j = i; j < touches.size(); ++j) {
      const Touch &a = touches[i], &b = touches[j];
      bool isRead = a.window.kind == tile::Window::read && b.window.kind == tile::Window::read;
      // Atomics meet in one step each; those that depend on the order are marked so in the source.
      if (isRead || a.memory != b.memory || (isAtomic(a) && isAtomic(b))) {
        continue;
      }
      if (llvm::Error error = checkPair(a, b)) {
        return error;
      }
      if (i != j) {
        if (llvm::Error error = checkPair(b, a)) {
          return error;
        }
      }
    }
  }
  return llvm::Error::success();
}

/// Coordinates of a touch in the view that both share; nothing where its view is another part of the array.
static std::optional<solver::Access> accessIn(PrimitiveContext &context, const Touch &touch,
                                              const PointTerms &points) {
  return accessOf(context, touch.window, points, "access of " + context.text(touch.op));
}

llvm::Error OrderCheck::checkPair(const Touch &a, const Touch &b) {
  Refusal words = refusal;
  std::string first = "`" + context.text(a.op) + "`", second = "`" + context.text(b.op) + "`";
  words.message += a.op == b.op ? ": two steps of " + first + " meet in one cell"
                                : ": " + first + " and " + second + " meet in one cell";
  words.places = {{a.op, "one access"}};
  if (a.op != b.op) {
    words.places.push_back({b.op, "the other access"});
  }
  PointTerms left = pointTerms(context, a.op, tile::IterAttr::getEmpty(context.mlir()));
  PointTerms right = pointTerms(context, b.op, tile::IterAttr::getEmpty(context.mlir()));
  std::optional<solver::Access> x = accessIn(context, a, left), y = accessIn(context, b, right);
  std::string title = first + (a.op == b.op ? "" : " and " + second) +
                      " touch different cells in steps whose order changes";
  if (!x || !y || a.window.view != b.window.view) {
    return context.require(false, title, words);
  }
  // One box with the variables of both.
  solver::IndexBox box = left.box;
  for (const solver::Axis &axis : right.box.axes) {
    bool isKnown = llvm::any_of(
        box.axes, [&](const solver::Axis &other) { return other.variable == axis.variable; });
    if (!isKnown) {
      box.axes.push_back(axis);
    }
  }
  solver::SpaceBuilder space = context.space();
  solver::Obligation obligation =
      space.disjoint(title, box, *x, *y, solver::Pairs::Different, shared);
  solver::Expr condition = order(box, space.second(box, shared));
  obligation.facts.push_back({condition, condition.str(), "steps whose order changes"});
  return context.prove(std::move(obligation), root, words);
}

//===-- Reorder ----------------------------------------------------------------------------------------------------===//

namespace {
/// What stands beside the inner loop: arithmetic that may be done before the nest, or in it.
struct Beside {
  llvm::SmallVector<mlir::Operation *> before, inside;
};
} // namespace

static bool isArithmetic(mlir::Operation *op) {
  auto isScalar = [](mlir::Type type) {
    return type.isIntOrFloat() || llvm::isa<tile::SpanType>(type);
  };
  return op->getNumRegions() == 0 && mlir::isMemoryEffectFree(op) &&
         llvm::all_of(op->getResultTypes(), isScalar);
}

/// Sorts what stands beside `inner` by whether it depends on the outer step; the error is that something else does.
static llvm::Error sortBeside(PrimitiveContext &context, tile::ForOp outer, tile::ForOp inner,
                              Beside &beside) {
  llvm::DenseSet<mlir::Value> dependent{outer.getStep()};
  for (mlir::Operation &op : outer.getBody().front().without_terminator()) {
    if (&op == inner.getOperation()) {
      continue;
    }
    if (!isArithmetic(&op)) {
      return context.refuse("reorder_nest",
                            "`" + context.text(inner) + "` is not all that `" +
                                context.text(outer) + "` does",
                            "move the other statements out of the nest (`hoist`)",
                            {{outer, "the outer loop"}, {&op, "this stands between"}});
    }
    bool isDependent = llvm::any_of(
        op.getOperands(), [&](mlir::Value operand) { return dependent.contains(operand); });
    if (isDependent) {
      dependent.insert(op.result_begin(), op.result_end());
    }
    (isDependent ? beside.inside : beside.before).push_back(&op);
  }
  for (mlir::Value bound : {inner.getLo(), inner.getHi()}) {
    if (dependent.contains(bound)) {
      return context.refuse("reorder_bound",
                            "a bound of `" + context.text(inner) + "` depends on `" +
                                context.text(outer) + "`",
                            "only rectangular nests are swapped", {{inner, "the inner loop"}});
    }
  }
  return llvm::Error::success();
}

/// The outer loop carries nothing, or hands what it carries to the inner one and yields what that gives.
static bool handsOn(tile::ForOp outer, tile::ForOp inner) {
  mlir::Operation *yield = outer.getBody().front().getTerminator();
  auto isOnlyUse = [](mlir::Value value) { return value.hasOneUse(); };
  return llvm::equal(inner.getInits(), outer.getCarried()) &&
         llvm::equal(yield->getOperands(), inner.getResults()) &&
         llvm::all_of(outer.getCarried(), isOnlyUse) && llvm::all_of(inner.getResults(), isOnlyUse);
}

static llvm::Error checkNest(PrimitiveContext &context, tile::ForOp outer, tile::ForOp inner,
                             Beside &beside) {
  if (inner->getParentOp() != outer.getOperation()) {
    return context.refuse("reorder_nest",
                          "`" + context.text(inner) + "` does not stand in `" +
                              context.text(outer) + "`",
                          "give two loops of which one stands in the other",
                          {{outer, "one loop"}, {inner, "the other"}});
  }
  if (llvm::Error error = sortBeside(context, outer, inner, beside)) {
    return error;
  }
  if (!handsOn(outer, inner)) {
    return context.refuse("reorder_nest",
                          "`" + context.text(outer) +
                              "` does more with the values it carries than "
                              "to hand them to `" +
                              context.text(inner) + "`",
                          "loops are swapped that carry the same values, or none",
                          {{outer, "the outer loop"}, {inner, "the inner loop"}});
  }
  return llvm::Error::success();
}

/// What has an order of its own, beside accesses to memory.
static llvm::Error checkOrdered(PrimitiveContext &context, tile::ForOp outer, tile::ForOp inner) {
  if (!outer.getInits().empty()) {
    Refusal refusal{"reorder_carried",
                    "`" + context.text(inner) + "` carries a value, whose order is kept",
                    "loops are swapped that carry nothing",
                    {{outer, "one loop"}, {inner, "the other, which carries it on"}}};
    if (llvm::Error error =
            context.require(false, "carried values may be made in any order", refusal)) {
      return error;
    }
  }
  if (mlir::Operation *ordered = findOrdered(inner)) {
    Refusal refusal{"reorder_order",
                    "`" + context.text(ordered) + "` happens in order",
                    "swap the loops before it is inserted",
                    {{ordered, "here"}, {inner, "in this loop"}}};
    return context.require(false, "nothing in the loops happens in order", refusal);
  }
  return llvm::Error::success();
}

/// The inner loop takes the place of the outer one. Only the heads change: the body stays what it is. The old loops are
/// left for the caller, empty.
static std::pair<tile::ForOp, tile::ForOp> swap(mlir::RewriterBase &rewriter, tile::ForOp outer,
                                                tile::ForOp inner, const Beside &beside) {
  mlir::OpBuilder::InsertionGuard guard(rewriter);
  auto copyHead = [&](tile::ForOp loop, mlir::ValueRange inits) {
    return makeLoop(rewriter, loop.getLoc(), loop.getLo(), loop.getHi(), inits,
                    static_cast<int64_t>(loop.getWidth()), loop.getReversed(),
                    SymbolicValues::sourceName(loop.getStep()));
  };
  for (mlir::Operation *op : beside.before) {
    rewriter.moveOpBefore(op, outer);
  }
  for (mlir::Operation *op : llvm::reverse(beside.inside)) {
    rewriter.moveOpBefore(op, &inner.getBody().front(), inner.getBody().front().begin());
  }
  rewriter.setInsertionPoint(outer);
  tile::ForOp newOuter = copyHead(inner, outer.getInits());
  rewriter.setInsertionPointToEnd(&newOuter.getBody().front());
  tile::ForOp newInner = copyHead(outer, newOuter.getCarried());
  tile::YieldOp::create(rewriter, inner.getLoc(), newInner.getResults());
  rewriter.replaceAllUsesWith(outer.getStep(), newInner.getStep());
  llvm::SmallVector<mlir::Value> arguments{newOuter.getStep()};
  llvm::append_range(arguments, newInner.getCarried());
  rewriter.inlineBlockBefore(&inner.getBody().front(), &newInner.getBody().front(),
                             newInner.getBody().front().end(), arguments);
  rewriter.replaceAllUsesWith(outer.getResults(), newOuter.getResults());
  return {newOuter, newInner};
}

static llvm::Error checkSwap(PrimitiveContext &context, tile::ForOp outer, tile::ForOp inner,
                             Beside &beside) {
  if (llvm::Error error = checkNest(context, outer, inner, beside)) {
    return error;
  }
  if (llvm::Error error = checkOrdered(context, outer, inner)) {
    return error;
  }
  solver::Axis i = context.values().axis(outer), j = context.values().axis(inner);
  unsigned shared = context.values().axesAround(outer).axes.size();
  Order order = [i, j, shared](const solver::IndexBox &, const solver::IndexBox &second) {
    return i.variable < second.axes[shared].variable &&
           j.variable > second.axes[shared + 1].variable;
  };
  Refusal refusal{"reorder_dependence",
                  "`" + context.text(inner) + "` cannot be the outer loop",
                  "keep the order",
                  {}};
  return OrderCheck(context, inner, shared, order, refusal).check();
}

llvm::Expected<Value> schedule::reorderLoops(PrimitiveContext &context, const HostCall &call) {
  const std::vector<Value> &rest = *call.arg("rest").getList();
  if (rest.size() != 1) {
    return context.refuse("reorder_count", "loops are swapped two at a time",
                          "give the loop that shall be the outer one, then the other");
  }
  llvm::Expected<tile::ForOp> first = loopOf(context, call.arg("first"));
  if (!first) {
    return first.takeError();
  }
  llvm::Expected<tile::ForOp> second = loopOf(context, rest.front());
  if (!second) {
    return second.takeError();
  }
  if ((*first)->isProperAncestor(*second)) {
    context.note("`" + context.text(*first) + "` is the outer loop already");
    return Value::list({call.arg("first"), rest.front()});
  }
  Beside beside;
  if (llvm::Error error = checkSwap(context, *second, *first, beside)) {
    return std::move(error);
  }
  auto [outer, inner] = swap(context.rewriter(), *second, *first, beside);
  context.derive(outer, *first, "");
  context.derive(inner, *second, "");
  context.rewriter().eraseOp(*second);
  return Value::list({call.arg("first"), rest.front()});
}

//===-- Bind -------------------------------------------------------------------------------------------------------===//

static llvm::Error checkBindLoop(PrimitiveContext &context, tile::ForOp loop, tile::Place place,
                                 int64_t &count) {
  bool isPlace =
      place == tile::Place::warp || place == tile::Place::wg || place == tile::Place::cluster;
  if (!isPlace) {
    return context.refuse("bind_place",
                          "the steps of a loop run in warps, warpgroups or CTAs of a cluster, not "
                          "in `" +
                              tile::stringifyPlace(place) + "`",
                          "lanes and registers hold the dims of ops; the grid is the kernel's",
                          {{loop, "the loop"}});
  }
  solver::Axis steps = context.values().axis(loop);
  std::optional<solver::Int> trips = (steps.hi - steps.lo).constant();
  if (!trips || *trips < 1) {
    return context.refuse("bind_trips",
                          "`" + context.text(loop) + "` has " + (steps.hi - steps.lo).str() +
                              " steps; a number of threads is a positive constant",
                          "`split` it and bind the inner loop", {{loop, "the loop"}});
  }
  count = static_cast<int64_t>(*trips);
  int64_t most = place == tile::Place::cluster ? context.target().cluster
                 : place == tile::Place::wg    ? context.target().threads / 128
                                               : context.target().threads / 32;
  if (count > most) {
    return context.refuse("place_count",
                          "`" + context.text(loop) + "` has " + llvm::Twine(count) +
                              " steps; there are at most " + llvm::Twine(most) + " of `" +
                              tile::stringifyPlace(place) + "`",
                          "`split` it and bind the inner loop", {{loop, "the loop"}});
  }
  if (!loop.getInits().empty()) {
    return context.refuse("bind_carried",
                          "`" + context.text(loop) + "` carries a value from step to step",
                          "bind a dim of the op that makes it instead", {{loop, "the loop"}});
  }
  for (auto section : loop.getBody().front().getOps<tile::SectionOp>()) {
    return context.refuse("bind_sections", "`" + context.text(loop) + "` is cut into sections",
                          "bind it before `sections`", {{section, "a section"}});
  }
  if (mlir::Operation *ordered = findOrdered(loop)) {
    Refusal refusal{"bind_order",
                    "`" + context.text(ordered) + "` happens in order",
                    "bind the loop before it is inserted",
                    {{ordered, "here"}, {loop, "in this loop"}}};
    return context.require(false, "nothing in the steps happens in order", refusal);
  }
  return llvm::Error::success();
}

/// A `tile.par` in the place of a loop, which is left for the caller, empty.
static tile::ParOp makePar(mlir::RewriterBase &rewriter, tile::ForOp loop, tile::Place place,
                           int64_t count) {
  mlir::OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(loop);
  auto par = tile::ParOp::create(rewriter, loop.getLoc(), place, count);
  mlir::Block &body = par.getBody().emplaceBlock();
  mlir::Location loc = named(loop.getLoc(), SymbolicValues::sourceName(loop.getStep()));
  body.addArgument(rewriter.getI64Type(), loc);
  rewriter.setInsertionPointToEnd(&body);
  mlir::Value offset = body.getArgument(0);
  int64_t width = static_cast<int64_t>(loop.getWidth());
  if (width > 1) {
    auto factor = tile::ConstantOp::create(rewriter, loop.getLoc(), rewriter.getI64Type(),
                                           rewriter.getI64IntegerAttr(width));
    offset = tile::MulOp::create(rewriter, loop.getLoc(), offset, factor);
  }
  mlir::Value value = makeStep(rewriter, loc, loop.getLo(), offset, loop.getHi(), width);
  rewriter.mergeBlocks(&loop.getBody().front(), &body, {value});
  return par;
}

llvm::Expected<Value> schedule::bindLoop(PrimitiveContext &context, const HostCall &call,
                                         tile::Place place) {
  llvm::Expected<tile::ForOp> found = loopOf(context, call.arg("f"));
  if (!found) {
    return found.takeError();
  }
  tile::ForOp loop = *found;
  int64_t count = 0;
  if (llvm::Error error = checkBindLoop(context, loop, place, count)) {
    return std::move(error);
  }
  solver::Axis step = context.values().axis(loop);
  unsigned shared = context.values().axesAround(loop).axes.size();
  Order order = [step, shared](const solver::IndexBox &, const solver::IndexBox &second) {
    return ne(step.variable, second.axes[shared].variable);
  };
  Refusal refusal{"bind_cells",
                  "the steps of `" + context.text(loop) + "` are not independent",
                  "keep the loop, or bind another one",
                  {}};
  if (llvm::Error error = OrderCheck(context, loop, shared, order, refusal).check()) {
    return std::move(error);
  }
  tile::ParOp par = makePar(context.rewriter(), loop, place, count);
  context.derive(par, loop, "");
  context.rewriter().eraseOp(loop);
  return context.cursor(par, script::ValueKind::Loop);
}
