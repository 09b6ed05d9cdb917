// Conditions of `replace` on memory: whether the elements of a piece are neighbours, whether its address is a multiple of
// what the instruction asks for, whether its layout is one that it can read, and what becomes of absent elements.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "FillFlow.h"
#include "Memory.h"
#include "Replace.h"

#include "tessera/Layout/Access.h"
#include "tessera/Layout/Notation.h"
#include "tessera/Schedule/Dims.h"
#include "tessera/Schedule/Facts.h"
#include "tessera/Schedule/ScheduleHost.h"

using namespace tessera;
using namespace tessera::schedule;
using llvm::SmallVector;
using llvm::StringRef;
using llvm::Twine;

static int64_t bytesOf(mlir::Type element) { return (element.getIntOrFloatBitWidth() + 7) / 8; }

namespace {

/// One operand in memory.
class MemoryCheck {
public:
  MemoryCheck(ReplaceStep &step, unsigned index)
      : step(step), index(index), bound(step.match.operands[index]),
        info(operandInfo(step.instr, index)), what(step.operandText(index)),
        pieces(tile::shapeOf(step.instr.getBody().front().getArgument(index).getType())) {
    auto alignment = info.getAs<mlir::IntegerAttr>("align");
    align = alignment ? alignment.getInt() : 0;
  }

  llvm::Error check();

private:
  llvm::Error checkView(const tile::Window &window);
  llvm::Error checkRow(const tile::Window &window, mlir::BlockArgument root,
                       const tile::WindowAxis &axis);
  llvm::Error checkWhole(const tile::Window &window, unsigned viewAxis, int64_t piece);
  llvm::Error checkShared(const tile::Window &window);
  llvm::Error checkLayout(const Layout &layout, tile::BufType type);
  llvm::Error checkFamilies(mlir::ArrayAttr families, const Layout &layout, tile::BufType type);
  std::optional<unsigned> majorAxis(StringRef major);
  bool takesPartsOfPieces();
  llvm::Error prove(solver::Obligation obligation, StringRef code, const Twine &message,
                    const Twine &help) {
    return step.context.prove(std::move(obligation), bound.access,
                              step.refusal(code, message, help, bound.access));
  }

  ReplaceStep &step;
  unsigned index;
  const BoundOperand &bound;
  mlir::DictionaryAttr info;
  std::string what;
  llvm::ArrayRef<int64_t> pieces;
  int64_t align = 0;
};

} // namespace

/// `present_bytes(src)` in the text: the instruction is told how much of a piece is there.
bool MemoryCheck::takesPartsOfPieces() {
  std::string mark = ("present_bytes(" + operandName(step.instr, index) + ")").str();
  return step.instr.getPtx().contains(mark);
}

//===-- Views ------------------------------------------------------------------------------------------------------===//

llvm::Error MemoryCheck::checkWhole(const tile::Window &window, unsigned viewAxis, int64_t piece) {
  const tile::WindowAxis &axis = window.axes[viewAxis];
  if (piece == 1 || axis.kind == tile::WindowAxis::whole) {
    return llvm::Error::success(); // pieces fill the axis: checked as a tail
  }
  if (axis.kind == tile::WindowAxis::gather) {
    return step.require(false, what + " is one place in memory", "replace_gather",
                        what + " is one place in memory, and here a tile of indices says where "
                               "each element is",
                        "use an instruction for single elements", bound.access);
  }
  if (takesPartsOfPieces()) {
    return llvm::Error::success();
  }
  SpanTerms span = step.context.values().span(axis.index);
  solver::Expr number =
      step.context.terms().local("piece", solver::Range::between(0, (span.width - 1) / piece));
  solver::Expr first = span.start + number * piece;
  solver::Expr isWhole = first + piece <= span.stop || span.stop <= first;
  // A hook makes a box of the array itself, which ends where the array does.
  if (step.instr.getPtx().empty() && llvm::isa<mlir::BlockArgument>(window.view)) {
    isWhole = isWhole || step.context.values().extent(window.view, viewAxis) <= span.stop;
  }
  return prove({"each piece of " + what + " is present as a whole or not at all", {}, isWhole},
               "replace_absence",
               "a piece of " + Twine(piece) + " elements of " + what + " would be present in part",
               "make `versions` for extents that are multiples of " + Twine(piece) +
                   ", or use an instruction that is told how much is there (`present_bytes`)");
}

/// The start of each piece in a row.
llvm::Error MemoryCheck::checkRow(const tile::Window &window, mlir::BlockArgument root,
                                  const tile::WindowAxis &axis) {
  std::string name = SymbolicValues::sourceName(root);
  int64_t element = bytesOf(llvm::cast<tile::ViewType>(root.getType()).getElementType());
  if (align <= element) {
    return llvm::Error::success();
  }
  int64_t neighbours = align / element;
  if (llvm::Error error =
          prove({"rows of `" + name + "` begin at multiples of " + std::to_string(align) + " bytes",
                 {},
                 eq(mod(FactTable::alignment(name, step.context.terms()), align), 0)},
                "replace_alignment",
                what + " is at a multiple of " + Twine(align) + " bytes, and rows of `" + name +
                    "` need not be",
                "make `versions(aligned(" + name + ", " + Twine(align) + "))`")) {
    return error;
  }
  for (mlir::Value view = window.view; view != root;) {
    mlir::Operation *made = view.getDefiningOp();
    auto slice = llvm::dyn_cast<tile::ViewSliceOp>(made);
    if (slice && rootAxis(slice.getResult(), slice.getAxis()) ==
                     llvm::cast<tile::ViewType>(root.getType()).getRank() - 1) {
      if (llvm::Error error = prove(
              step.context.space().aligned("the slice of `" + name + "` starts at a multiple of " +
                                               std::to_string(neighbours),
                                           step.context.values().value(slice.getLo()), neighbours),
              "replace_alignment", "the slice of `" + name + "` moves pieces off their multiples",
              "use a narrower instruction")) {
        return error;
      }
    }
    view = made->getOperand(0);
  }
  if (axis.kind == tile::WindowAxis::whole) {
    return llvm::Error::success();
  }
  solver::Expr start = axis.kind == tile::WindowAxis::span
                           ? step.context.values().span(axis.index).start
                           : step.context.values().value(axis.index);
  return prove(step.context.space().aligned(what + " starts at a multiple of " +
                                                std::to_string(neighbours) + " elements",
                                            start, neighbours),
               "replace_alignment",
               what + " is at a multiple of " + Twine(align) + " bytes, and here it starts between",
               "use a narrower instruction, or a block that is a multiple of " + Twine(neighbours));
}

llvm::Error MemoryCheck::checkView(const tile::Window &window) {
  mlir::BlockArgument root = rootView(window.view);
  unsigned last = root ? llvm::cast<tile::ViewType>(root.getType()).getRank() - 1 : 0;
  bool needsNeighbours = info.contains("contiguous") || align != 0;
  unsigned dim = 0;
  bool sawRow = false;
  for (auto [viewAxis, axis] : llvm::enumerate(window.axes)) {
    bool isScalar = axis.kind == tile::WindowAxis::scalar;
    unsigned count = isScalar ? 0
                     : axis.kind == tile::WindowAxis::gather
                         ? tile::shapeOf(axis.index.getType()).size()
                         : 1;
    int64_t piece = 1;
    for (auto [at, extent] : llvm::zip(bound.axes, pieces)) {
      piece = at >= dim && at < dim + count ? piece * extent : piece;
    }
    dim += count;
    std::optional<unsigned> rooted = rootAxis(window.view, viewAxis);
    bool isRow = root && rooted && *rooted == last;
    if (piece > 1 && needsNeighbours && !isRow) {
      if (llvm::Error error = step.require(
              false, "pieces of " + what + " are neighbours in memory", "replace_contiguous",
              what + " is " + Twine(piece) +
                  " neighbours in memory, and here they lie along an axis of `" +
                  (root ? SymbolicValues::sourceName(root) : "the array") +
                  "` that is not its last",
              "read it transposed, or use an instruction for single elements", bound.access)) {
        return error;
      }
    }
    if (llvm::Error error = checkWhole(window, viewAxis, piece)) {
      return error;
    }
    if (isRow && needsNeighbours && axis.kind != tile::WindowAxis::gather) {
      sawRow = true;
      if (llvm::Error error = checkRow(window, root, axis)) {
        return error;
      }
    }
  }
  if (align > bytesOf(llvm::cast<tile::ViewType>(window.view.getType()).getElementType()) &&
      !sawRow) {
    return step.require(false, what + " is at a multiple of " + Twine(align) + " bytes",
                        "replace_alignment",
                        what + " is at a multiple of " + Twine(align) +
                            " bytes, and nothing is known of the address here",
                        "index the last axis of the array itself by a span", bound.access);
  }
  return llvm::Error::success();
}

//===-- Shared memory ----------------------------------------------------------------------------------------------===//

/// `kmajor`: the axis that a product sums over; `mnmajor`: the other one; else the last.
std::optional<unsigned> MemoryCheck::majorAxis(StringRef major) {
  mlir::Value argument = step.instr.getBody().front().getArgument(index);
  if (!major.starts_with("k") && !major.starts_with("mn")) {
    return pieces.size() - 1;
  }
  for (mlir::Operation *user : argument.getUsers()) {
    if (auto mma = llvm::dyn_cast<tile::MmaOp>(user)) {
      unsigned sum = mma.getA() == argument ? 1 : 0;
      return major.starts_with("k") ? sum : 1 - sum;
    }
  }
  return std::nullopt;
}

llvm::Error MemoryCheck::checkFamilies(mlir::ArrayAttr families, const Layout &layout,
                                       tile::BufType type) {
  std::string names;
  for (mlir::Attribute family : families) {
    StringRef text = llvm::cast<mlir::StringAttr>(family).getValue();
    names += (names.empty() ? "`" : ", `") + text.str() + "`";
    auto [major, rest] = text.split('(');
    StringRef kind = rest.empty() ? text : rest.rtrim(')');
    std::optional<unsigned> axis = rest.empty() ? pieces.size() - 1 : majorAxis(major);
    std::optional<LayoutChoice> choice = layoutNamed(kind);
    if (!axis || !choice || type.getRank() != 2) {
      continue;
    }
    // The family is of rows whose elements are neighbours: the major axis is the last one.
    bool isTurned = bound.axes[*axis] == 0;
    llvm::ArrayRef<int64_t> shape = type.getShape();
    tile::BufType asRows = isTurned ? tile::BufType::get(type.getContext(), {shape[1], shape[0]},
                                                         type.getElementType(), type.getStorage(),
                                                         type.getSlots(), type.getPer(), {})
                                    : type;
    llvm::Expected<Layout> wanted = choice->make(asRows);
    if (!wanted) {
      llvm::consumeError(wanted.takeError());
      continue;
    }
    if (isTurned) {
      wanted = wanted->withInNames({"i1", "i0"});
      if (!wanted) {
        return wanted.takeError();
      }
    }
    if (equivalent(*wanted, layout)) {
      step.context.note("the layout of " + what + " is `" + text + "`");
      return llvm::Error::success();
    }
  }
  return step.context.require(
      false, "the layout of " + what + " is one of " + names,
      step.refusal("replace_layout",
                   what + " has one of the layouts " + names + ", and the buf has `" +
                       type.getLayout().getValue() + "`",
                   "`stage` it with such a layout, or `set_layout`", bound.access));
}

llvm::Error MemoryCheck::checkLayout(const Layout &layout, tile::BufType type) {
  if (auto families = info.getAs<mlir::ArrayAttr>("families")) {
    return checkFamilies(families, layout, type);
  }
  auto rows = info.getAs<mlir::IntegerAttr>("rows");
  int64_t element = bytesOf(type.getElementType());
  int64_t wanted = rows ? rows.getInt() : info.contains("contiguous") ? pieces.back() : 1;
  wanted = std::max(wanted, align / element);
  unsigned along = bound.axes.back();
  llvm::Expected<int64_t> run = contiguousRun(layout, "i" + std::to_string(along));
  if (!run) {
    return run.takeError();
  }
  bool isFlat = !info.contains("contiguous") || rows ||
                llvm::all_of(pieces.drop_back(), [](int64_t extent) { return extent == 1; });
  return step.context.require(
      *run % wanted == 0 && isFlat,
      "elements of " + what + " lie together in groups of " + Twine(wanted) +
          ", at multiples of it",
      step.refusal("replace_layout",
                   what + " needs " + Twine(wanted) + " neighbours, and in the buf's layout `" +
                       type.getLayout().getValue() + "` there are " + Twine(*run) +
                       " along its axis " + Twine(along),
                   "choose a layout whose rows run along that axis, or a transposing instruction",
                   bound.access));
}

llvm::Error MemoryCheck::checkShared(const tile::Window &window) {
  auto type = llvm::cast<tile::BufType>(window.view.getType());
  bool asks = info.contains("contiguous") || align != 0 || info.contains("rows") ||
              info.contains("families");
  if (!asks || pieces.empty()) {
    return llvm::Error::success();
  }
  if (!type.getLayout()) {
    step.open("layout", "the buf's layout is one that " + what + " can have", "the buf's layout");
    return llvm::Error::success();
  }
  llvm::Expected<Layout> layout = parseLayout(type.getLayout().getValue());
  if (!layout) {
    return layout.takeError();
  }
  return checkLayout(*layout, type);
}

llvm::Error MemoryCheck::check() {
  bool isShared = operandKind(step.instr, index) == "smem";
  auto points = llvm::cast<tile::TileIterOpInterface>(bound.access);
  for (const tile::Window &window : points.getWindows()) {
    bool isBuf = llvm::isa<tile::BufType>(window.view.getType());
    if (isBuf == isShared) {
      return isShared ? checkShared(window) : checkView(window);
    }
  }
  return llvm::Error::success();
}

//===-- Absence ----------------------------------------------------------------------------------------------------===//

/// The instruction writes cells that the op leaves as they are: nobody may look at them.
static llvm::Error checkOverwritten(ReplaceStep &step, mlir::Operation *op, mlir::Value buf,
                                    const Presence &presence) {
  for (const MemoryAccess &access : accessesTo(buf)) {
    if (access.isWrite()) {
      continue;
    }
    for (const PresenceFactor &factor : presence.factors) {
      if (factor.span && restates(access.op, factor)) {
        continue;
      }
      Refusal refusal{"replace_fill",
                      step.name() + " writes the cells of absent elements, and `" +
                          step.context.text(op) + "` leaves what was there, which is read again",
                      "read it with the spans that it is filled by",
                      {{op, "leaves cells as they are"}, {access.op, "reads them"}}};
      return step.context.require(false, "absent elements are not read again", refusal);
    }
  }
  step.context.note("cells of absent elements that " + step.name() + " writes are never read");
  return llvm::Error::success();
}

static PresenceTrace traceOf(ReplaceStep &step) {
  return PresenceTrace([&step](tile::ForOp loop) { return surelyRuns(step.context, loop); });
}

static llvm::Error checkWrites(ReplaceStep &step) {
  mlir::Operation *root = step.match.root;
  if (auto copy = llvm::dyn_cast<tile::CopyOp>(root)) {
    if (!step.match.widened) {
      return llvm::Error::success();
    }
    return checkOverwritten(step, root, copy.getBuf(),
                            presenceOfBox(root, copy.getIndices(), copy.getWhole()));
  }
  PresenceTrace trace = traceOf(step);
  if (auto write = llvm::dyn_cast<tile::WriteOp>(root)) {
    return checkOverwritten(step, root, write.getBuf(), trace.of(write.getValue()));
  }
  auto store = llvm::dyn_cast<tile::StoreOp>(root);
  if (!store) {
    return llvm::Error::success();
  }
  // An element is stored iff the value has it, too: pieces must have it whole.
  for (const PresenceFactor &factor : trace.of(store.getValue()).factors) {
    int64_t piece = 1;
    for (auto [dim, cut] : llvm::enumerate(step.dims)) {
      piece *= factor.axes >> dim & 1 ? cut.piece : 1;
    }
    if (piece == 1) {
      continue;
    }
    if (!factor.span) {
      Refusal refusal{"replace_absence",
                      "elements of a piece of " + std::to_string(piece) +
                          " may be absent one by one, and " + step.name() + " stores all of them",
                      "use an instruction for single elements",
                      {{root, "stores"}, {factor.from ? factor.from : root, "makes them absent"}}};
      if (llvm::Error error =
              step.context.require(false, "pieces are present as a whole or not at all", refusal)) {
        return error;
      }
      continue;
    }
    SpanTerms span = step.context.values().span(factor.span);
    solver::Expr number =
        step.context.terms().local("piece", solver::Range::between(0, (span.width - 1) / piece));
    solver::Expr first = span.start + number * piece;
    if (llvm::Error error = step.context.prove(
            {"each piece of the stored tile is present as a whole or not at all",
             {},
             first + piece <= span.stop || span.stop <= first},
            root,
            step.refusal("replace_absence",
                         "a piece of " + llvm::Twine(piece) + " elements would be present in part",
                         "make `versions` for extents that are multiples of " +
                             llvm::Twine(piece)))) {
      return error;
    }
  }
  return llvm::Error::success();
}

/// After `peel(edge)` the spans of the interior are whole: then nothing is absent by them.
static bool isWholeSpan(ReplaceStep &step, mlir::Operation *at, mlir::Value span) {
  if (!span) {
    return false;
  }
  SpanTerms terms = step.context.values().span(span);
  return step.context.ask({"the span is whole", {}, eq(terms.stop, terms.start + terms.width)}, at)
      .proved();
}

/// What is absent along a sum is no term of it; the instruction takes all lanes. Absence along other dims only reaches
/// results that are absent themselves.
static void openPads(ReplaceStep &step) {
  PresenceTrace trace = traceOf(step);
  for (const UnifiedOp &unified : step.match.unified) {
    SmallVector<tile::IterDim> dims = dimsOf(unified.op);
    for (auto [number, operand] : llvm::enumerate(unified.op->getOperands())) {
      for (unsigned axis = 0; axis < tile::shapeOf(operand.getType()).size(); ++axis) {
        std::optional<unsigned> dim = dimOfOperandAxis(unified.op, number, axis);
        if (!dim || dims[*dim].kind == tile::IterKind::parallel) {
          continue;
        }
        bool isAbsent = llvm::any_of(trace.of(operand).factors, [&](const PresenceFactor &factor) {
          return (factor.axes >> axis & 1) && !isWholeSpan(step, unified.op, factor.span);
        });
        if (isAbsent) {
          step.open("pads",
                    "absent elements along `" + step.context.text(unified.op) + "." +
                        step.context.dimName(unified.op, dims[*dim].name) +
                        "` add nothing to the result of " + step.name(),
                    "fills of both operands");
        }
      }
    }
  }
}

llvm::Error schedule::checkMemory(ReplaceStep &step) {
  for (unsigned i = 0; i < step.match.operands.size(); ++i) {
    if (step.match.operands[i].access) {
      if (llvm::Error error = MemoryCheck(step, i).check()) {
        return error;
      }
    }
  }
  if (llvm::Error error = checkWrites(step)) {
    return error;
  }
  openPads(step);
  return llvm::Error::success();
}
