// What primitives on memory and time share.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Memory.h"

#include "Presence.h"

#include "tessera/Schedule/Dims.h"
#include "tessera/Support/Mutants.h"

using namespace tessera;
using namespace tessera::schedule;
using solver::Expr;

//===-- Accesses ---------------------------------------------------------------------------------------------------===//

mlir::Value schedule::memoryOf(mlir::Value view) {
  if (llvm::isa<tile::BufType>(view.getType())) {
    return view;
  }
  mlir::BlockArgument root = rootView(view);
  return root ? root : view;
}

llvm::SmallVector<MemoryAccess> schedule::accessesIn(mlir::Operation *op) {
  llvm::SmallVector<MemoryAccess> found;
  op->walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *inner) {
    if (auto points = llvm::dyn_cast<tile::TileIterOpInterface>(inner)) {
      for (tile::Window &window : points.getWindows()) {
        found.push_back({inner, std::move(window), {}});
        found.back().memory = memoryOf(found.back().window.view);
      }
    }
  });
  return found;
}

llvm::SmallVector<MemoryAccess> schedule::accessesTo(mlir::Value buf) {
  llvm::SmallVector<MemoryAccess> found;
  for (mlir::Operation *user : buf.getUsers()) {
    for (MemoryAccess &access : accessesIn(user)) {
      if (access.memory == buf &&
          !llvm::is_contained(llvm::map_range(found, [](auto &known) { return known.op; }),
                              access.op)) {
        found.push_back(std::move(access));
      }
    }
  }
  llvm::sort(found,
             [](const MemoryAccess &a, const MemoryAccess &b) { return standsBefore(a.op, b.op); });
  return found;
}

bool schedule::mayConflict(const MemoryAccess &a, const MemoryAccess &b) {
  // Overlaid bufs: whoever comes second finds the other's bytes, even if both only read.
  bool touches = a.isWrite() || b.isWrite() || a.memory != b.memory;
  return touches && tile::shareMemory(a.memory, b.memory);
}

mlir::Operation *schedule::findUntold(mlir::Operation *op) {
  mlir::Operation *found = nullptr;
  op->walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *inner) {
    bool isTold = llvm::isa<tile::TileIterOpInterface, tile::AllocOp>(inner) ||
                  inner->hasTrait<mlir::OpTrait::HasRecursiveMemoryEffects>() ||
                  mlir::isMemoryEffectFree(inner);
    found = found || isTold ? found : inner;
  });
  return found;
}

bool schedule::isPlain(mlir::Operation *op) {
  return mlir::isMemoryEffectFree(op) && op->getNumRegions() == 0 &&
         llvm::none_of(op->getResultTypes(), [](mlir::Type type) {
           return llvm::isa<mlir::RankedTensorType, tile::ViewType, tile::BufType>(type);
         });
}

//===-- Cells ------------------------------------------------------------------------------------------------------===//

namespace {
/// From a window to coordinates of the argument that its view is cut from.
class CellMaker {
public:
  CellMaker(PrimitiveContext &context, const MemoryAccess &access)
      : values(context.values()), terms(context.terms()), access(access) {
    cells.box = values.axesAround(access.op);
  }

  AccessCells make();

private:
  void addAxis(const tile::WindowAxis &axis, unsigned number);
  void toRoot();
  void guard(Expr condition) {
    cells.guard = cells.guard.isNull() ? condition : cells.guard && condition;
  }
  Expr element(unsigned number, int64_t size) {
    Expr variable = terms.index("e" + std::to_string(number));
    cells.box.axes.push_back({variable, terms.constant(0), terms.constant(size)});
    return variable;
  }

  SymbolicValues &values;
  solver::ExprContext &terms;
  const MemoryAccess &access;
  AccessCells cells;
};
} // namespace

void CellMaker::addAxis(const tile::WindowAxis &axis, unsigned number) {
  switch (axis.kind) {
  case tile::WindowAxis::scalar:
    cells.coordinates.push_back(values.value(axis.index));
    return;
  case tile::WindowAxis::whole:
    cells.coordinates.push_back(element(number, axis.size));
    return;
  case tile::WindowAxis::span: {
    SpanTerms span = values.span(axis.index);
    cells.coordinates.push_back(span.start + element(number, span.width));
    guard(TESSERA_MUTANT(107, "no element of a span is there", cells.coordinates.back() < span.stop,
                         cells.coordinates.back() < span.start));
    return;
  }
  case tile::WindowAxis::gather:
    cells.isOpaque = true;
    return;
  }
}

void CellMaker::toRoot() {
  mlir::Value view = access.window.view;
  while (mlir::Operation *op = view.getDefiningOp()) {
    if (auto permute = llvm::dyn_cast<tile::ViewPermuteOp>(op)) {
      llvm::SmallVector<Expr, 4> moved(cells.coordinates.size());
      for (auto [i, from] : llvm::enumerate(permute.getPermutation())) {
        moved[from] = cells.coordinates[i];
      }
      cells.coordinates = moved;
    } else if (auto slice = llvm::dyn_cast<tile::ViewSliceOp>(op)) {
      Expr &at = cells.coordinates[slice.getAxis()];
      at = at + values.value(slice.getLo());
    } else if (auto group = llvm::dyn_cast<tile::ViewGroupOp>(op)) {
      unsigned axis = group.getAxis();
      Expr joined = cells.coordinates[axis] * static_cast<int64_t>(group.getSize()) +
                    cells.coordinates[axis + 1];
      cells.coordinates[axis] = joined;
      cells.coordinates.erase(cells.coordinates.begin() + axis + 1);
    } else {
      cells.isOpaque |= !llvm::isa<tile::AllocOp>(op);
      return;
    }
    view = op->getOperand(0);
  }
}

AccessCells CellMaker::make() {
  for (auto [number, axis] : llvm::enumerate(access.window.axes)) {
    addAxis(axis, number);
  }
  if (!cells.isOpaque) {
    toRoot();
  }
  return std::move(cells);
}

AccessCells schedule::cellsOf(PrimitiveContext &context, const MemoryAccess &access) {
  return CellMaker(context, access).make();
}

/// How many axes of a box belong to what is around `loop`.
static unsigned sharedAxes(PrimitiveContext &context, mlir::Operation *loop) {
  return context.values().axesAround(loop).axes.size();
}

/// The innermost op around both that has steps; the kernel where there is none.
static mlir::Operation *around(mlir::Operation *a, mlir::Operation *b) {
  mlir::Operation *common = a->getParentOp();
  while (!common->isAncestor(b)) {
    common = common->getParentOp();
  }
  return common;
}

/// Number of leading axes that both boxes have in common where both ops are in one step of everything around both.
static unsigned commonAxes(PrimitiveContext &context, mlir::Operation *a, mlir::Operation *b) {
  mlir::Operation *common = around(a, b);
  llvm::SmallVector<solver::Axis, 4> mine = context.values().axesAround(a).axes;
  // Axes of `common` itself are shared: they are those of an op directly inside it.
  mlir::Operation *inside = a;
  while (inside->getParentOp() != common) {
    inside = inside->getParentOp();
  }
  return std::min<unsigned>(mine.size(), context.values().axesAround(inside).axes.size());
}

solver::Obligation schedule::apart(PrimitiveContext &context, llvm::StringRef title,
                                   const MemoryAccess &a, const MemoryAccess &b,
                                   mlir::Operation *loop, Steps steps) {
  solver::SpaceBuilder space = context.space();
  solver::Obligation obligation{title.str(), {}, Expr()};
  AccessCells mine = cellsOf(context, a), theirs = cellsOf(context, b);
  if (a.isBuf() || b.isBuf()) {
    obligation.goal = context.terms().invalid("an access to a buf touches all of it");
    return obligation;
  }
  if (mine.isOpaque || theirs.isOpaque || mine.coordinates.size() != theirs.coordinates.size()) {
    obligation.goal = context.terms().invalid("which elements are meant depends on data");
    return obligation;
  }
  bool isSame = steps == Steps::Same || !loop;
  unsigned shared = isSame ? commonAxes(context, a.op, b.op) : sharedAxes(context, loop);
  solver::IndexBox other = space.second(theirs.box, shared);
  auto add = [&](const solver::IndexBox &box) {
    for (solver::Fact &fact : space.facts(box, "steps")) {
      obligation.facts.push_back(std::move(fact));
    }
  };
  add(mine.box);
  add(other);
  if (steps == Steps::Later && loop) {
    solver::Axis step = context.values().axis(loop);
    Expr before = space.inSecond(step.variable, theirs.box, shared);
    obligation.facts.push_back(
        {before < step.variable, "the first one's step is later", "order of steps"});
  }
  auto inOther = [&](Expr term) { return space.inSecond(term, theirs.box, shared); };
  if (!mine.guard.isNull()) {
    obligation.facts.push_back({mine.guard, "elements are present", "spans"});
  }
  if (!theirs.guard.isNull()) {
    obligation.facts.push_back({inOther(theirs.guard), "elements are present", "spans"});
  }
  llvm::SmallVector<Expr> differ;
  for (auto [x, y] : llvm::zip(mine.coordinates, theirs.coordinates)) {
    differ.push_back(ne(x, inOther(y)));
  }
  obligation.goal = context.terms().disjunction(differ);
  return obligation;
}

/// Spans along the axes of a box, null where it is whole; axes of the view that scalars index are left out.
static llvm::SmallVector<mlir::Value> boxSpans(mlir::ValueRange indices,
                                               llvm::ArrayRef<bool> whole) {
  llvm::SmallVector<mlir::Value> spans;
  unsigned next = 0;
  for (bool isWhole : whole) {
    mlir::Value index = isWhole ? mlir::Value() : indices[next++];
    if (isWhole || llvm::isa<tile::SpanType>(index.getType())) {
      spans.push_back(index);
    }
  }
  return spans;
}

/// Spans of what an access to a buf finds present, axis by axis.
static llvm::SmallVector<mlir::Value> spansOf(mlir::Operation *op) {
  if (auto read = llvm::dyn_cast<tile::ReadOp>(op)) {
    return boxSpans(read.getSpans(), read.getWhole());
  }
  if (auto copy = llvm::dyn_cast<tile::CopyOutOp>(op)) {
    return boxSpans(copy.getIndices(), copy.getWhole());
  }
  auto copy = llvm::cast<tile::CopyOp>(op);
  return boxSpans(copy.getIndices(), copy.getWhole());
}

bool schedule::fillCovers(PrimitiveContext &context, mlir::Operation *fill, mlir::Operation *read) {
  if (!llvm::isa<tile::ReadOp, tile::CopyOutOp>(read)) {
    return false;
  }
  llvm::SmallVector<mlir::Value> wanted = spansOf(read);
  auto copy = llvm::dyn_cast<tile::CopyOp>(fill);
  if (copy) {
    llvm::SmallVector<mlir::Value> copied = spansOf(fill);
    return copy.getFill() == tile::Fill::zero ||
           (copied.size() == wanted.size() &&
            llvm::all_of(llvm::zip(copied, wanted), [](auto pair) {
              auto [mine, theirs] = pair;
              return !mine || mine == theirs;
            }));
  }
  auto write = llvm::dyn_cast<tile::WriteOp>(fill);
  if (!write) {
    return false;
  }
  PresenceTrace trace([&](tile::ForOp loop) { return surelyRuns(context, loop); });
  return llvm::all_of(trace.of(write.getValue()).factors, [&](const PresenceFactor &factor) {
    return factor.span && llvm::popcount(factor.axes) == 1 &&
           wanted[llvm::countr_zero(factor.axes)] == factor.span;
  });
}

bool schedule::surelyRuns(PrimitiveContext &context, tile::ForOp loop) {
  Expr lo = context.values().value(loop.getLo()), hi = context.values().value(loop.getHi());
  return context.ask({"the loop has a step", {}, lo < hi}, loop).proved();
}

//===-- Places -----------------------------------------------------------------------------------------------------===//

mlir::Block *schedule::memoryBlock(mlir::Operation *op) {
  mlir::Operation *at = op;
  while (!llvm::isa<tile::GridOp, tile::KernelOp>(at->getParentOp())) {
    at = at->getParentOp();
  }
  return at->getBlock();
}

void schedule::insertMemoryAt(mlir::RewriterBase &rewriter, mlir::Block *block) {
  rewriter.setInsertionPointToStart(block);
  for (mlir::Operation &op : *block) {
    if (!llvm::isa<tile::AllocOp, tile::RingOp>(op)) {
      break;
    }
    rewriter.setInsertionPointAfter(&op);
  }
}

mlir::Block *schedule::commonBlock(llvm::ArrayRef<mlir::Operation *> ops) {
  mlir::Block *block = ops.front()->getBlock();
  auto holdsAll = [&] {
    return llvm::all_of(ops, [&](mlir::Operation *op) { return inBlock(block, op) != nullptr; });
  };
  while (!holdsAll()) {
    block = block->getParentOp()->getBlock();
  }
  return block;
}

bool schedule::standsBefore(mlir::Operation *a, mlir::Operation *b) {
  if (a == b || a->isAncestor(b) || b->isAncestor(a)) {
    return false;
  }
  mlir::Operation *common = around(a, b);
  mlir::Operation *mine = a, *theirs = b;
  while (mine->getParentOp() != common) {
    mine = mine->getParentOp();
  }
  while (theirs->getParentOp() != common) {
    theirs = theirs->getParentOp();
  }
  if (mine->getBlock() == theirs->getBlock()) {
    return mine->isBeforeInBlock(theirs);
  }
  return mine->getParentRegion()->getRegionNumber() < theirs->getParentRegion()->getRegionNumber();
}

mlir::Operation *schedule::loopAround(mlir::Operation *op) {
  for (mlir::Operation *at = op->getParentOp(); at; at = at->getParentOp()) {
    if (llvm::isa<tile::ForOp, tile::TasksOp, mlir::LoopLikeOpInterface>(at)) {
      return at;
    }
  }
  return nullptr;
}

//===-- Words ------------------------------------------------------------------------------------------------------===//

std::string schedule::listed(llvm::ArrayRef<std::string> words) {
  std::string text;
  for (auto [i, word] : llvm::enumerate(words)) {
    text += (i == 0 ? "" : i + 1 == words.size() ? " and " : ", ") + word;
  }
  return text;
}

std::string schedule::quoted(PrimitiveContext &context, mlir::Operation *op) {
  return "`" + context.text(op) + "`";
}

std::string schedule::quoted(PrimitiveContext &context, mlir::Value value) {
  std::string name = SymbolicValues::sourceName(value);
  if (!name.empty()) {
    return "`" + name + "`";
  }
  if (mlir::Operation *op = value.getDefiningOp()) {
    return "the result of " + quoted(context, op);
  }
  return "a value of " + quoted(context, value.getParentBlock()->getParentOp());
}

llvm::Expected<tile::SectionOp> schedule::sectionNamed(PrimitiveContext &context,
                                                       const Value &value) {
  const std::string *name = value.getName() ? value.getName() : value.getString();
  if (!name) {
    return context.opOf<tile::SectionOp>(value, "a section");
  }
  llvm::SmallVector<tile::SectionOp> found;
  std::vector<std::string> names;
  context.kernel().walk([&](tile::SectionOp section) {
    names.push_back("`" + section.getName().str() + "`");
    if (section.getName() == *name) {
      found.push_back(section);
    }
  });
  if (found.size() == 1) {
    return found.front();
  }
  if (found.size() > 1) {
    return context.refuse("section_name",
                          "`" + *name + "` names a section in each of " +
                              llvm::Twine(found.size()) + " loops",
                          "give the cursor that `sections` returned",
                          {{found[0], "one is here"}, {found[1], "another one is here"}});
  }
  return context.refuse("section_name", "the kernel has no section `" + *name + "`",
                        names.empty() ? "cut the loop with `sections` first"
                                      : "its sections are " + listed(names));
}
