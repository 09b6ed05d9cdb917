// Vectors in memory: `vec` factors of loads, stores and copies.
//
// A vector of w elements at position p of a span is one access where the elements are neighbours in memory, the address is
// a multiple of its width, and either all of its elements are present or none. Neighbours and row addresses are what
// `aligned(view, bytes)` says; the rest are congruences of the span's start and stop.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Memory.h"
#include "Places.h"

#include "tessera/Layout/Notation.h"
#include "tessera/Schedule/Dims.h"
#include "tessera/Schedule/Facts.h"
#include "tessera/Support/Mutants.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

using namespace tessera;
using namespace tessera::schedule;
using llvm::StringRef;
using tile::Place;

namespace {

/// One op and the dim that is to be vectorized.
class VectorCheck {
public:
  VectorCheck(PrimitiveContext &context, mlir::Operation *op, StringRef dim, unsigned position,
              int64_t width)
      : context(context), op(op), position(position), width(width),
        text("`" + context.text(op) + "." + context.dimName(op, dim) + "`") {}

  llvm::Error check(const tile::Window &window);
  llvm::Error checkStored() { return checkValue(); }

private:
  llvm::Error checkView(const tile::Window &window, const tile::WindowAxis &axis, unsigned viewAxis,
                        int64_t bytes);
  llvm::Error checkParts(mlir::Value view, unsigned rootedAxis, StringRef name);
  llvm::Error checkSpan(const SpanTerms &span, StringRef what, mlir::Operation *at);
  llvm::Error checkValue();
  Refusal refusal(const char *code, const std::string &message, const std::string &help) {
    return {code, message, help, {{op, "it is accessed here"}}};
  }

  PrimitiveContext &context;
  mlir::Operation *op;
  unsigned position;
  int64_t width;
  std::string text;
};

} // namespace

/// Start at a multiple of the width, and all or nothing of each vector present.
llvm::Error VectorCheck::checkSpan(const SpanTerms &span, StringRef what, mlir::Operation *at) {
  std::string number = std::to_string(width);
  solver::Obligation start =
      context.space().aligned(what.str() + " starts at a multiple of " + number, span.start,
                              TESSERA_MUTANT(106, "vectors start anywhere", width, 1));
  if (llvm::Error error = context.prove(std::move(start), at,
                                        refusal("vector_start",
                                                "vectors of " + number + " along " + text +
                                                    " would not start at multiples of " + number,
                                                "use a smaller vector"))) {
    return error;
  }
  solver::Expr vector =
      context.terms().local("vector", solver::Range::between(0, (span.width - 1) / width));
  solver::Expr first = span.start + vector * width;
  solver::Obligation whole{"each vector of " + what.str() + " is present as a whole or not at all",
                           {},
                           TESSERA_MUTANT(104, "a vector may cross the end",
                                          first + width <= span.stop || span.stop <= first,
                                          first <= span.stop || span.stop <= first)};
  return context.prove(
      std::move(whole), at,
      refusal("vector_tail",
              "a vector of " + number + " along " + text + " would be present in part",
              "make `versions` for extents that are multiples of " + number +
                  ", or use a smaller vector"));
}

/// Where the parts of an array begin that the view is made of: slices and halves move the start of a row, groups begin one
/// after the other.
llvm::Error VectorCheck::checkParts(mlir::Value view, unsigned rootedAxis, StringRef name) {
  mlir::BlockArgument root = rootView(view);
  while (view != root) {
    mlir::Operation *made = view.getDefiningOp();
    solver::Expr offset;
    auto isAlong = [&](unsigned axis) { return rootAxis(view, axis) == rootedAxis; };
    auto slice = llvm::dyn_cast<tile::ViewSliceOp>(made);
    auto split = llvm::dyn_cast<tile::ViewSplitOp>(made);
    auto group = llvm::dyn_cast<tile::ViewGroupOp>(made);
    std::string what = slice ? "slice" : split ? "part" : "group";
    if (slice && isAlong(slice.getAxis())) {
      offset = context.values().value(slice.getLo());
    } else if (split && isAlong(split.getAxis())) {
      solver::Expr all = context.values().extent(split.getView(), split.getAxis());
      int64_t number = llvm::cast<mlir::OpResult>(view).getResultNumber();
      offset = floorDiv(all, static_cast<int64_t>(split.getNumResults())) * number;
    } else if (group && isAlong(group.getAxis() + 1)) {
      offset = context.terms().constant(group.getSize());
    }
    if (!offset.isNull()) {
      solver::Obligation cut = context.space().aligned(
          "a " + what + " of `" + name.str() + "` starts at a multiple of " + std::to_string(width),
          offset, width);
      if (llvm::Error error = context.prove(
              std::move(cut), op,
              refusal("vector_start",
                      "a " + what + " of `" + name.str() + "` moves vectors off their multiples",
                      "use a smaller vector"))) {
        return error;
      }
    }
    view = made->getOperand(0);
  }
  return llvm::Error::success();
}

llvm::Error VectorCheck::checkView(const tile::Window &window, const tile::WindowAxis &axis,
                                   unsigned viewAxis, int64_t bytes) {
  mlir::BlockArgument root = rootView(window.view);
  std::optional<unsigned> rootedAxis = rootAxis(window.view, viewAxis);
  unsigned lastAxis = root ? llvm::cast<tile::ViewType>(root.getType()).getRank() - 1 : 0;
  if (!root || !rootedAxis || *rootedAxis != lastAxis) {
    std::string name = root ? "`" + SymbolicValues::sourceName(root) + "`" : "the array";
    return context.require(false, "elements along " + text + " are neighbours in memory",
                           refusal("vector_axis",
                                   text + " is not the last axis of " + name +
                                       ", so its elements are no neighbours in memory",
                                   "vectorize the dim of the last axis"));
  }
  std::string name = SymbolicValues::sourceName(root);
  solver::Obligation rows{
      "rows of `" + name + "` begin at multiples of " + std::to_string(bytes) + " bytes",
      {},
      TESSERA_MUTANT(105, "rows begin anywhere",
                     eq(mod(FactTable::alignment(name, context.terms()), bytes), 0),
                     context.terms().boolean(true))};
  if (llvm::Error error =
          context.prove(std::move(rows), op,
                        refusal("vector_alignment",
                                "accesses of " + std::to_string(bytes) + " bytes to `" + name +
                                    "` need rows that begin at multiples of it",
                                "make `versions(aligned(" + name + ", " + std::to_string(bytes) +
                                    "))` and vectorize there"))) {
    return error;
  }
  if (llvm::Error error = checkParts(window.view, *rootedAxis, name)) {
    return error;
  }
  if (axis.kind == tile::WindowAxis::whole) {
    return context.require(axis.size % width == 0,
                           text + " has whole vectors of " + llvm::Twine(width),
                           refusal("vector_tail",
                                   text + " has " + std::to_string(axis.size) +
                                       " elements, no multiple of " + std::to_string(width),
                                   "use a vector that divides it"));
  }
  return checkSpan(context.values().span(axis.index), "the span along " + text, op);
}

namespace {
/// Follows the absence of a tile along one axis back to the spans that make it.
class AbsenceWalk {
public:
  /// The op behind which nobody knows; null where all of it comes from `spans`.
  mlir::Operation *walk(mlir::Value tile, unsigned axis);
  llvm::SmallSetVector<mlir::Value, 4> spans;

private:
  using At = std::pair<mlir::Value, unsigned>;
  mlir::Operation *visit(At at);
  mlir::Operation *visitCarried(At at, mlir::Operation *around);
  mlir::Operation *addSpans(mlir::Operation *made, unsigned dim);

  llvm::SmallVector<At> open;
  llvm::DenseSet<At> seen;
};
} // namespace

mlir::Operation *AbsenceWalk::walk(mlir::Value tile, unsigned axis) {
  open.push_back({tile, axis});
  while (!open.empty()) {
    At at = open.pop_back_val();
    if (seen.insert(at).second && !tile::isNeverAbsent(at.first)) {
      if (mlir::Operation *unknown = visit(at)) {
        return unknown;
      }
    }
  }
  return nullptr;
}

/// A value that a loop carries, inside of it or behind it: the first one and what the body yields.
mlir::Operation *AbsenceWalk::visitCarried(At at, mlir::Operation *around) {
  auto loop = llvm::dyn_cast<tile::ForOp>(around);
  auto argument = llvm::dyn_cast<mlir::BlockArgument>(at.first);
  if (!loop || (argument && argument.getArgNumber() == 0)) {
    return around;
  }
  unsigned number = argument ? argument.getArgNumber() - 1
                             : llvm::cast<mlir::OpResult>(at.first).getResultNumber();
  open.push_back({loop.getInits()[number], at.second});
  open.push_back({loop.getBody().front().getTerminator()->getOperand(number), at.second});
  return nullptr;
}

/// Spans that index memory, or are listed, along a dim.
mlir::Operation *AbsenceWalk::addSpans(mlir::Operation *made, unsigned dim) {
  if (auto index = llvm::dyn_cast<tile::SpanIndexOp>(made)) {
    spans.insert(index.getSpan());
  }
  for (const tile::Window &window : llvm::cast<tile::TileIterOpInterface>(made).getWindows()) {
    unsigned at = 0;
    for (const tile::WindowAxis &axis : window.axes) {
      if (axis.kind == tile::WindowAxis::gather) {
        return made;
      }
      bool hasDim = axis.kind != tile::WindowAxis::scalar;
      if (hasDim && at++ == dim && axis.kind == tile::WindowAxis::span) {
        spans.insert(axis.index);
      }
    }
  }
  return nullptr;
}

mlir::Operation *AbsenceWalk::visit(At at) {
  auto [value, axis] = at;
  mlir::Operation *made = value.getDefiningOp();
  if (!made || made->getNumRegions()) {
    return visitCarried(at, made ? made : value.getParentBlock()->getParentOp());
  }
  if (llvm::isa<tile::FillAbsentOp>(made)) {
    return nullptr;
  }
  if (llvm::isa<tile::ScanOp>(made)) {
    // An element of it is there where the operand's is.
    open.push_back({made->getOperand(0), axis});
    return nullptr;
  }
  std::optional<unsigned> dim =
      dimOfResultAxis(made, llvm::cast<mlir::OpResult>(value).getResultNumber(), axis);
  // A part of a tile begins elsewhere than its vectors.
  if (!dim || llvm::isa<tile::KeepIfOp, tile::AbsentOp, tile::SliceOp>(made)) {
    return made;
  }
  for (auto [number, operand] : llvm::enumerate(made->getOperands())) {
    for (auto [from, extent] : llvm::enumerate(tile::shapeOf(operand.getType()))) {
      std::optional<unsigned> along = dimOfOperandAxis(made, number, from);
      if (along == *dim) {
        open.push_back({operand, static_cast<unsigned>(from)});
      } else if (!along && extent > 1 && !tile::isNeverAbsent(operand)) {
        return made; // several elements decide about one: a reshape, a reversal
      }
    }
  }
  return addSpans(made, *dim);
}

/// Where the elements of a stored tile may be absent along the vector: every span that it was loaded by keeps vectors
/// whole, and nothing else makes absence there.
llvm::Error VectorCheck::checkValue() {
  if (!llvm::isa<tile::StoreOp, tile::WriteOp>(op)) {
    return llvm::Error::success();
  }
  AbsenceWalk absence;
  if (mlir::Operation *unknown = absence.walk(op->getOperand(0), position)) {
    Refusal refusal{"vector_tail",
                    "elements along " + text + " may be absent one by one",
                    "vectorize a dim that no condition cuts",
                    {{op, "it is stored here"}, {unknown, "absence comes from here"}}};
    return context.require(false, "vectors along " + text + " are whole or absent", refusal);
  }
  for (mlir::Value span : absence.spans) {
    std::string name = SymbolicValues::sourceName(span);
    if (llvm::Error error =
            checkSpan(context.values().span(span),
                      name.empty() ? "a span of the value" : "the span `" + name + "`", op)) {
      return error;
    }
  }
  return llvm::Error::success();
}

llvm::Error VectorCheck::check(const tile::Window &window) {
  mlir::Type element = llvm::isa<tile::BufType>(window.view.getType())
                           ? llvm::cast<tile::BufType>(window.view.getType()).getElementType()
                           : llvm::cast<tile::ViewType>(window.view.getType()).getElementType();
  int64_t bytes = width * ((element.getIntOrFloatBitWidth() + 7) / 8);
  if (!llvm::isPowerOf2_64(bytes) || bytes > 16) {
    return context.refuse("vector_width",
                          "a vector of " + llvm::Twine(width) + " along " + text + " has " +
                              llvm::Twine(bytes) + " bytes; accesses have 1, 2, 4, 8 or 16",
                          "split the dim by another factor", {{op, "it is accessed here"}});
  }
  unsigned dim = 0;
  for (auto [viewAxis, axis] : llvm::enumerate(window.axes)) {
    if (axis.kind == tile::WindowAxis::scalar) {
      continue;
    }
    if (axis.kind == tile::WindowAxis::gather) {
      size_t axes = tile::shapeOf(axis.index.getType()).size();
      if (position >= dim && position < dim + axes) {
        return context.require(false, "elements along " + text + " are neighbours in memory",
                               refusal("vector_axis", text + " is indexed by a tile of indices",
                                       "vectorize a dim that a span indexes"));
      }
      dim += axes;
      continue;
    }
    if (dim++ != position) {
      continue;
    }
    if (auto buf = llvm::dyn_cast<tile::BufType>(window.view.getType())) {
      if (buf.getLayout()) {
        llvm::Expected<Layout> layout = parseLayout(buf.getLayout().getValue());
        return layout ? checkNeighbours(context, op, *layout,
                                        {unsigned(viewAxis), width, text, "vector_layout"})
                      : layout.takeError();
      }
      context.open("vector", text + " is accessed in vectors of " + llvm::Twine(bytes) + " bytes",
                   "the buf's layout");
      return llvm::Error::success();
    }
    return checkView(window, axis, viewAxis, bytes);
  }
  return llvm::Error::success();
}

llvm::Error schedule::checkVectors(PrimitiveContext &context, mlir::Operation *op,
                                   tile::IterAttr next, StringRef dim) {
  int64_t width = 1;
  for (StringRef other :
       llvm::map_range(next.getDims(), [](mlir::StringAttr name) { return name.getValue(); })) {
    int64_t steps = 1;
    for (const tile::IterFactor &factor : next.getFactors(other)) {
      steps *= factor.place == Place::vec ? factor.steps : 1;
    }
    if (other == dim) {
      width = steps;
    } else if (steps > 1) {
      return context.refuse("vector_dims",
                            "`" + context.text(op) + "` has vectors along `" +
                                context.dimName(op, other) + "` already",
                            "an access has vectors along one dim", {{op, "here"}});
    }
  }
  auto points = llvm::cast<tile::TileIterOpInterface>(op);
  llvm::SmallVector<tile::Window> windows = points.getWindows();
  VectorCheck check(context, op, dim, *findDim(op, dim), width);
  for (const tile::Window &window : windows) {
    if (llvm::Error error = check.check(window)) {
      return error;
    }
  }
  return windows.empty() ? llvm::Error::success() : check.checkStored();
}
