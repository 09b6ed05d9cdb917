// peel: a loop is cut in two, so that the steps on one side need no mask (`keep_if`), or all have whole spans (`edge`), or
// both (`interior`), or are the first n.
//
// The cut is lo + width * k: the steps before it and those from it on are the steps of the loop, in their order. For a mask
// k comes from the mask itself, read as `sum <= 0` in the step's index; whether the mask then holds everywhere on its side
// is proved from the mask, not from how k was found.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Loops.h"
#include "Memory.h"
#include "Presence.h"
#include "Recut.h"
#include "TileTerms.h"

using namespace tessera;
using namespace tessera::schedule;
using llvm::SmallVector;
using llvm::Twine;
using script::ValueKind;
using solver::Expr;

namespace {

/// A number of steps before the cut, as a term and as what the kernel computes: floor(numerator / divisor), not below 0.
struct CutPoint {
  Expr steps;
  IndexSum numerator; ///< `lo` is in it already
  int64_t divisor = 1;
  bool isLoopBound = false; ///< the numerator is hi - lo
};

class Peeler {
public:
  Peeler(PrimitiveContext &context, tile::ForOp loop)
      : context(context), loop(loop), text("`" + context.text(loop) + "`"),
        width(std::max<int64_t>(static_cast<int64_t>(loop.getWidth()), 1)),
        lo(context.values().value(loop.getLo())), hi(context.values().value(loop.getHi())) {}

  llvm::Expected<Value> first(int64_t count);
  llvm::Expected<Value> edge();
  llvm::Expected<Value> mask(bool withEdge);

private:
  llvm::Error checkLoop();
  llvm::Error addEdge();
  llvm::Error findMasks();
  void dropMasks();
  llvm::Error checkCut(Expr steps);
  llvm::Expected<bool> findCut(tile::KeepIfOp keep);
  llvm::Error addCut(tile::KeepIfOp keep, const IndexSum &sum);
  llvm::Error checkMask(tile::KeepIfOp keep);
  llvm::Error checkPresence(tile::KeepIfOp keep, const std::vector<solver::Fact> &inside);
  std::vector<solver::Fact> insideFacts();
  Expr greatest(IndexSum &sum, bool &isOutside);
  mlir::Value emit(const CutPoint &cut);
  mlir::Value emitSum(const IndexSum &sum);
  mlir::Value number(int64_t value);
  tile::ForOp cutAt(mlir::Value at, bool keepsFirst);
  llvm::Error refuse(llvm::StringRef code, const Twine &message, const Twine &help,
                     mlir::Operation *at = nullptr) {
    return context.refuse(code, message, help, {{at ? at : loop.getOperation(), "here"}});
  }
  Expr startOf(Expr steps) { return lo + steps * width; }

  PrimitiveContext &context;
  tile::ForOp loop;
  std::string text;
  int64_t width;
  Expr lo, hi;
  SmallVector<tile::KeepIfOp> masks;
  SmallVector<CutPoint> cuts; ///< of masks
  bool holdsFirst = true;     ///< masks hold before the cut, or from it on
};

} // namespace

//===-- Checks -----------------------------------------------------------------------------------------------------===//

llvm::Error Peeler::checkLoop() {
  if (!loop.getReversed()) {
    return llvm::Error::success();
  }
  return context.require(
      false, text + " goes upwards",
      {"peel_reversed",
       text + " goes downwards, from the last step to the first, and would do the steps before the "
              "cut first",
       "write it upwards, where the order does not matter",
       {{loop, "the loop"}}});
}

/// Both loops together have the steps of the one, in order.
llvm::Error Peeler::checkCut(Expr steps) {
  Expr at = startOf(steps), end = max(hi, lo);
  solver::Obligation inside =
      context.space().cutInside(text + " is cut between its ends", lo, min(at, end), end);
  if (llvm::Error error = context.prove(
          std::move(inside), loop,
          {"peel_cut", text + " would be cut outside of its range", "", {{loop, "here"}}})) {
    return error;
  }
  solver::Obligation whole = context.space().aligned(text + " is cut between two steps", at - lo,
                                                     static_cast<solver::Int>(width));
  return context.prove(std::move(whole), loop,
                       {"peel_cut", text + " would be cut inside of a step", "", {{loop, "here"}}});
}

/// Facts inside the loop on the side where masks hold.
std::vector<solver::Fact> Peeler::insideFacts() {
  Expr step = context.values().axis(loop).variable;
  Expr start = startOf(step);
  std::vector<solver::Fact> facts = {{start < hi, "the step is one of the loop", ""}};
  for (const CutPoint &cut : cuts) {
    facts.push_back({holdsFirst ? step < cut.steps : step >= cut.steps, "the side of the cut", ""});
  }
  return facts;
}

//===-- Masks ------------------------------------------------------------------------------------------------------===//

/// The greatest value of what does not depend on the step; those terms stay in `sum` as scalars and a constant.
Expr Peeler::greatest(IndexSum &sum, bool &isOutside) {
  Expr total = context.terms().constant(0);
  auto outside = [&](mlir::Value value) {
    isOutside &= !loop->isAncestor(value.getParentBlock()->getParentOp());
    return isOutside;
  };
  for (const auto &[span, factor] : sum.spans) {
    if (factor == 0 || !outside(span)) {
      continue;
    }
    int64_t extra = factor > 0 ? llvm::cast<tile::SpanType>(span.getType()).getWidth() - 1 : 0;
    total = total + context.values().span(span).start * factor;
    sum.constant += extra * factor;
  }
  for (const auto &[scalar, factor] : sum.scalars) {
    if (factor != 0 && outside(scalar)) {
      total = total + context.values().value(scalar) * factor;
    }
  }
  for (const auto &[extent, factor] : sum.counts) {
    sum.constant += factor > 0 ? (extent - 1) * factor : 0;
  }
  sum.counts.clear();
  return total + sum.constant;
}

/// Steps s for which factor * (lo + width * s) + rest <= 0 at every element: those below a bound for a positive factor,
/// those from a bound on for a negative one.
llvm::Error Peeler::addCut(tile::KeepIfOp keep, const IndexSum &sum) {
  IndexSum rest;
  rest.constant = sum.constant;
  rest.counts = sum.counts;
  int64_t factor = 0;
  mlir::Value step = loop.getStep();
  for (const auto &[span, coefficient] : sum.spans) {
    if (span == step) {
      factor += coefficient;
      rest.constant += coefficient > 0 ? coefficient * (width - 1) : 0;
    } else {
      rest.spans.push_back({span, coefficient});
    }
  }
  for (const auto &[scalar, coefficient] : sum.scalars) {
    auto start = scalar.getDefiningOp<tile::SpanStartOp>();
    if (scalar == step || (start && start.getSpan() == step)) {
      factor += coefficient;
    } else {
      rest.scalars.push_back({scalar, coefficient});
    }
  }
  if (factor == 0) {
    return llvm::Error::success(); // says nothing about the step: the proof shows whether it holds
  }
  bool isOutside = true;
  Expr most = greatest(rest, isOutside);
  if (!isOutside) {
    return refuse("peel_condition",
                  "the mask compares with what " + text + " computes in its steps",
                  "compute it before the loop", keep);
  }
  if (!cuts.empty() && holdsFirst != (factor > 0)) {
    return refuse("peel_condition",
                  "the mask holds neither from the first step on nor up to the last one",
                  "write two masks, one for each end, and peel twice", keep);
  }
  holdsFirst = factor > 0;
  int64_t size = std::abs(factor);
  CutPoint cut;
  cut.divisor = size * width;
  // Below: s < (size * width - rest - size * lo) / (size * width). From: s >= (rest - size * lo) / (size * width), up.
  cut.numerator.add(rest, holdsFirst ? -1 : 1);
  cut.numerator.scalars.push_back({loop.getLo(), -size});
  cut.numerator.constant += holdsFirst ? cut.divisor : cut.divisor - 1;
  Expr numerator =
      (holdsFirst ? -most : most) - lo * size + (holdsFirst ? cut.divisor : cut.divisor - 1);
  cut.steps = max(floorDiv(numerator, cut.divisor), context.terms().constant(0));
  cuts.push_back(cut);
  return llvm::Error::success();
}

/// Whether the mask depends on the step; then its cuts are added.
llvm::Expected<bool> Peeler::findCut(tile::KeepIfOp keep) {
  std::optional<std::vector<IndexSum>> sums = asUpperBounds(keep.getCondition());
  if (!sums) {
    return false;
  }
  size_t before = cuts.size();
  for (const IndexSum &sum : *sums) {
    if (llvm::Error error = addCut(keep, sum)) {
      return std::move(error);
    }
  }
  return cuts.size() > before;
}

/// The mask holds for every element of every step on its side.
llvm::Error Peeler::checkMask(tile::KeepIfOp keep) {
  SmallVector<Expr> point;
  for (auto [axis, extent] : llvm::enumerate(tile::shapeOf(keep.getCondition().getType()))) {
    point.push_back(context.terms().local("element " + std::to_string(axis),
                                          solver::Range::between(0, extent - 1)));
  }
  Expr holds = elementAt(context.values(), keep.getCondition(), point);
  if (holds.isNull()) {
    return refuse("peel_condition", "the mask is not made of indices", "peel at a number of steps",
                  keep);
  }
  std::vector<solver::Fact> inside = insideFacts();
  if (llvm::Error error =
          context.prove({"the mask holds everywhere in the steps " +
                             std::string(holdsFirst ? "before" : "from") + " the cut",
                         inside, holds},
                        keep,
                        {"peel_mask",
                         "the mask does not hold in all steps on one side of the cut",
                         "",
                         {{keep, "the mask"}, {loop, "the loop"}}})) {
    return error;
  }
  return checkPresence(keep, inside);
}

/// Without the mask the parts of its condition that were absent make nothing absent any more: the tile is absent there
/// itself, or they are whole.
llvm::Error Peeler::checkPresence(tile::KeepIfOp keep, const std::vector<solver::Fact> &inside) {
  PresenceTrace trace([&](tile::ForOp each) { return surelyRuns(context, each); });
  Presence tile = trace.of(keep.getX());
  for (const PresenceFactor &factor : trace.of(keep.getCondition()).factors) {
    if (tile.isExact && llvm::is_contained(tile.factors, factor)) {
      continue;
    }
    if (!factor.span) {
      if (llvm::Error error = context.require(false, "the mask is absent nowhere",
                                              {"peel_absence",
                                               "the mask is absent where the tile need not be",
                                               "make the mask of indices that are present",
                                               {{keep, "the mask"}}})) {
        return error;
      }
      continue;
    }
    SpanTerms span = context.values().span(factor.span);
    if (llvm::Error error =
            context.prove({"a span of the mask is whole, or it is one of the tile's", inside,
                           eq(span.stop, span.start + span.width)},
                          keep,
                          {"peel_absence",
                           "an index of the mask is absent where the tile need not be",
                           "index the tile by the same span",
                           {{keep, "the mask"}}})) {
      return error;
    }
  }
  return llvm::Error::success();
}

//===-- Edits ------------------------------------------------------------------------------------------------------===//

mlir::Value Peeler::number(int64_t value) {
  mlir::RewriterBase &b = context.rewriter();
  return tile::ConstantOp::create(b, loop.getLoc(), b.getI64Type(), b.getI64IntegerAttr(value));
}

mlir::Value Peeler::emitSum(const IndexSum &sum) {
  mlir::RewriterBase &b = context.rewriter();
  mlir::Location loc = loop.getLoc();
  mlir::Value total;
  auto add = [&](mlir::Value value, int64_t factor) {
    if (factor == 0) {
      return;
    }
    if (total && factor == -1) {
      total = tile::SubOp::create(b, loc, total, value);
      return;
    }
    mlir::Value scaled =
        factor == 1 ? value : tile::MulOp::create(b, loc, value, number(factor)).getResult();
    total = total ? tile::AddOp::create(b, loc, total, scaled).getResult() : scaled;
  };
  for (const auto &[span, factor] : sum.spans) {
    if (factor != 0) {
      add(tile::SpanStartOp::create(b, loc, b.getI64Type(), span), factor);
    }
  }
  for (const auto &[scalar, factor] : sum.scalars) {
    add(scalar, factor);
  }
  if (!total) {
    return number(sum.constant);
  }
  add(number(sum.constant), sum.constant ? 1 : 0);
  return total;
}

/// lo + width * max(floor(numerator / divisor), 0).
mlir::Value Peeler::emit(const CutPoint &cut) {
  mlir::RewriterBase &b = context.rewriter();
  mlir::Location loc = loop.getLoc();
  mlir::Value steps = emitSum(cut.numerator);
  if (cut.divisor != 1) {
    steps = tile::FloorDivOp::create(b, loc, steps, number(cut.divisor));
  }
  steps = tile::MaxOp::create(b, loc, steps, number(0));
  mlir::Value distance =
      width == 1 ? steps : tile::MulOp::create(b, loc, steps, number(width)).getResult();
  return tile::AddOp::create(b, loc, loop.getLo(), distance);
}

/// Cuts the loop; it stays what cursors to it mean, on the side that is asked for. Gives the other one.
tile::ForOp Peeler::cutAt(mlir::Value at, bool keepsFirst) {
  mlir::RewriterBase &b = context.rewriter();
  // It has other bounds from now on: what is known of its steps is found anew.
  context.values().erased(loop);
  mlir::Value end = tile::MinOp::create(b, loop.getLoc(), at, loop.getHi());
  if (!keepsFirst) {
    auto other = llvm::cast<tile::ForOp>(b.clone(*loop));
    b.modifyOpInPlace(other, [&] { other.getHiMutable().assign(end); });
    b.modifyOpInPlace(loop, [&] {
      loop.getLoMutable().assign(at);
      loop.getInitsMutable().assign(other.getResults());
    });
    return other;
  }
  b.setInsertionPointAfter(loop);
  mlir::IRMapping mapping;
  auto other = llvm::cast<tile::ForOp>(b.clone(*loop, mapping));
  b.modifyOpInPlace(loop, [&] { loop.getHiMutable().assign(end); });
  for (auto [old, fresh] : llvm::zip(loop.getResults(), other.getResults())) {
    b.replaceAllUsesExcept(old, fresh, other);
  }
  b.modifyOpInPlace(other, [&] {
    other.getLoMutable().assign(at);
    other.getInitsMutable().assign(loop.getResults());
  });
  return other;
}

//===-- What is peeled ---------------------------------------------------------------------------------------------===//

llvm::Expected<Value> Peeler::first(int64_t count) {
  if (llvm::Error error = checkLoop()) {
    return std::move(error);
  }
  if (count < 1 || count > (int64_t(1) << 31)) {
    return refuse("peel_count", Twine(count) + " steps cannot be peeled off",
                  "give a number from 1 on");
  }
  if (llvm::Error error = checkCut(context.terms().constant(count))) {
    return std::move(error);
  }
  context.rewriter().setInsertionPoint(loop);
  CutPoint cut;
  cut.numerator.constant = count;
  tile::ForOp other = cutAt(emit(cut), /*keepsFirst=*/false);
  return PrimitiveContext::record({{"first", context.cursor(other, ValueKind::Loop)},
                                   {"rest", context.cursor(loop, ValueKind::Loop)}});
}

/// The cut behind the last step whose span is whole.
llvm::Error Peeler::addEdge() {
  if (loop.getWidth() == 0) {
    return refuse("peel_edge", text + " goes over indices, which have no part that is absent",
                  "peel a number of steps");
  }
  CutPoint cut;
  cut.divisor = width;
  cut.numerator.scalars = {{loop.getHi(), 1}, {loop.getLo(), -1}};
  cut.steps = max(floorDiv(hi - lo, width), context.terms().constant(0));
  if (llvm::Error error = checkCut(cut.steps)) {
    return error;
  }
  Expr step = context.values().axis(loop).variable;
  solver::Obligation whole{"spans before the cut are whole",
                           {{step < cut.steps, "before the cut", ""}, {step >= 0, "", ""}},
                           startOf(step) + width <= min(startOf(cut.steps), max(hi, lo))};
  if (llvm::Error error = context.prove(
          std::move(whole), loop,
          {"peel_edge", "a span before the cut would not be whole", "", {{loop, "here"}}})) {
    return error;
  }
  cuts.push_back(cut);
  return llvm::Error::success();
}

llvm::Expected<Value> Peeler::edge() {
  if (llvm::Error error = checkLoop()) {
    return std::move(error);
  }
  if (llvm::Error error = addEdge()) {
    return std::move(error);
  }
  context.rewriter().setInsertionPoint(loop);
  tile::ForOp other = cutAt(emit(cuts.front()), /*keepsFirst=*/true);
  return PrimitiveContext::record({{"interior", context.cursor(loop, ValueKind::Loop)},
                                   {"rest", context.cursor(other, ValueKind::Loop)}});
}

/// The masks that compare with the step, and their cuts.
llvm::Error Peeler::findMasks() {
  SmallVector<tile::KeepIfOp> found;
  loop->walk([&](tile::KeepIfOp keep) { found.push_back(keep); });
  for (tile::KeepIfOp keep : found) {
    llvm::Expected<bool> depends = findCut(keep);
    if (!depends) {
      return depends.takeError();
    }
    if (*depends) {
      masks.push_back(keep);
    }
  }
  if (masks.empty()) {
    return refuse("peel_condition",
                  found.empty() ? text + " has no mask"
                                : "no mask in " + text + " compares the index of its steps",
                  "peel at a number of steps",
                  found.empty() ? nullptr : found.front().getOperation());
  }
  for (tile::KeepIfOp keep : masks) {
    if (llvm::Error error = checkMask(keep)) {
      return error;
    }
  }
  for (const CutPoint &cut : cuts) {
    if (llvm::Error error = checkCut(cut.steps)) {
      return error;
    }
  }
  return llvm::Error::success();
}

void Peeler::dropMasks() {
  llvm::SetVector<mlir::Operation *> unused;
  for (tile::KeepIfOp keep : masks) {
    SmallVector<mlir::Value> open = {keep.getCondition()};
    while (!open.empty()) {
      mlir::Operation *maker = open.pop_back_val().getDefiningOp();
      if (maker && loop->isAncestor(maker) && unused.insert(maker)) {
        llvm::append_range(open, maker->getOperands());
      }
    }
    context.rewriter().replaceOp(keep, keep.getX());
  }
  eraseUnused(context, unused.getArrayRef());
}

/// Where masks hold, and with `withEdge` where spans are whole, too: one loop for the rest of both.
llvm::Expected<Value> Peeler::mask(bool withEdge) {
  if (llvm::Error error = checkLoop()) {
    return std::move(error);
  }
  if (llvm::Error error = findMasks()) {
    return std::move(error);
  }
  if (withEdge) {
    if (!holdsFirst) {
      return refuse("peel_condition",
                    "the mask holds from a step on, and spans are whole up to one",
                    "peel twice, `keep_if` and then `edge`", masks.front());
    }
    if (llvm::Error error = addEdge()) {
      return std::move(error);
    }
  }
  mlir::RewriterBase &b = context.rewriter();
  b.setInsertionPoint(loop);
  mlir::Value at;
  for (const CutPoint &cut : cuts) {
    mlir::Value next = emit(cut);
    at = !at          ? next
         : holdsFirst ? tile::MinOp::create(b, loop.getLoc(), at, next).getResult()
                      : tile::MaxOp::create(b, loop.getLoc(), at, next).getResult();
  }
  tile::ForOp other = cutAt(at, holdsFirst);
  dropMasks();
  return PrimitiveContext::record({{"interior", context.cursor(loop, ValueKind::Loop)},
                                   {"rest", context.cursor(other, ValueKind::Loop)}});
}

//===-- Calls ------------------------------------------------------------------------------------------------------===//

static llvm::Expected<Value> runPeel(PrimitiveContext &context, const HostCall &call) {
  llvm::Expected<tile::ForOp> loop = loopOf(context, call.arg("l"));
  if (!loop) {
    return loop.takeError();
  }
  const Value &what = call.arg("what");
  Peeler peeler(context, *loop);
  const int64_t *count = call.arg("first").getInteger();
  if (count && what.isNone()) {
    return peeler.first(*count);
  }
  std::string word = count || what.isNone() ? "" : what.str();
  if (word == "edge") {
    return peeler.edge();
  }
  if (word == "keep_if" || word == "interior") {
    return peeler.mask(/*withEdge=*/word == "interior");
  }
  return context.refuse("peel_what", "one thing is peeled at a time",
                        "write `keep_if`, `edge`, `interior`, or `first = ` and a number of steps",
                        {{*loop, "the loop"}});
}

void schedule::addPeel(PrimitiveRegistry &registry) {
  script::Signature signature;
  signature.name = "peel";
  signature.params = {parameter("l", ValueKind::Loop),
                      parameter("what", ValueKind::Name, Value(), {"keep_if", "edge", "interior"}),
                      parameter("first", ValueKind::Int, Value())};
  signature.result = "{interior, rest}, or {first, rest}";
  signature.group = "Dims and loops";
  signature.doc = "The loop becomes two, one after the other. `keep_if`: in one of them the masks "
                  "that compare the step's index hold "
                  "everywhere and are gone. `edge`: in the first one every span is whole. "
                  "`interior`: both at one cut, so that one loop has all other steps. `first`: so "
                  "many steps are a loop of their own. Cursors into the loop mean the one without "
                  "masks, with whole spans, with "
                  "the later steps. Refused for loops "
                  "that go downwards, for masks that do not hold on one side of a cut, and where a "
                  "mask is not made of indices.";
  signature.before = "tile.for %n in tiles(%c0 to %N by 64) { … tile.keep_if %s, %c … }";
  signature.after =
      "tile.for %n in tiles(%c0 to %cut by 64) { … } ; tile.for %n in tiles(%cut to %N by 64) { … "
      "tile.keep_if %s, %c … }";
  registry.add({std::move(signature), runPeel});
}
