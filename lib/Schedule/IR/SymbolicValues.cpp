// Scalars, spans and loops as terms: arguments, loops, opaque values, facts. Arithmetic is in SymbolicArith.cpp.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tessera/Schedule/SymbolicValues.h"

#include "llvm/Support/raw_ostream.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/AffineExprVisitor.h"
#include "mlir/IR/BuiltinOps.h"

using namespace tessera;
using namespace tessera::schedule;
using solver::Expr;
using solver::Role;

//===-- Names ------------------------------------------------------------------------------------------------------===//

static llvm::StringRef nameIn(mlir::Location loc) {
  if (auto named = llvm::dyn_cast<mlir::NameLoc>(loc)) {
    return named.getName().getValue();
  }
  // What was inlined is called what the function calls it.
  if (auto call = llvm::dyn_cast<mlir::CallSiteLoc>(loc)) {
    return nameIn(call.getCallee());
  }
  return {};
}

std::string SymbolicValues::sourceName(mlir::Operation *op) { return nameIn(op->getLoc()).str(); }

std::string SymbolicValues::sourceName(mlir::Value value) {
  auto argument = llvm::dyn_cast<mlir::BlockArgument>(value);
  if (!argument) {
    return sourceName(value.getDefiningOp());
  }
  auto kernel = llvm::dyn_cast_or_null<tile::KernelOp>(argument.getOwner()->getParentOp());
  if (kernel && argument.getArgNumber() < kernel.getNumArguments()) {
    return kernel.getArgName(argument.getArgNumber()).str();
  }
  return nameIn(argument.getLoc()).str();
}

static std::string placeText(mlir::Operation *op) {
  std::string text;
  llvm::raw_string_ostream os(text);
  op->getLoc().print(os);
  return text;
}

//===-- Arguments and extents --------------------------------------------------------------------------------------===//

namespace {
/// A shape map's result as a term; symbols are the kernel's extents.
struct ExtentTerm : mlir::AffineExprVisitor<ExtentTerm, Expr> {
  ExtentTerm(solver::ExprContext &terms, tile::KernelOp kernel) : terms(terms), kernel(kernel) {}

  Expr visitConstantExpr(mlir::AffineConstantExpr e) { return terms.constant(e.getValue()); }
  Expr visitSymbolExpr(mlir::AffineSymbolExpr e) {
    return terms.size(kernel.getArgName(e.getPosition()));
  }
  Expr visitDimExpr(mlir::AffineDimExpr) { return terms.invalid("a shape map without dims"); }
  Expr visitAddExpr(mlir::AffineBinaryOpExpr e) { return visit(e.getLHS()) + visit(e.getRHS()); }
  Expr visitMulExpr(mlir::AffineBinaryOpExpr e) { return visit(e.getLHS()) * visit(e.getRHS()); }
  Expr visitModExpr(mlir::AffineBinaryOpExpr e) { return byConstant(e, 0); }
  Expr visitFloorDivExpr(mlir::AffineBinaryOpExpr e) { return byConstant(e, 1); }
  Expr visitCeilDivExpr(mlir::AffineBinaryOpExpr e) { return byConstant(e, 2); }

  Expr byConstant(mlir::AffineBinaryOpExpr e, int which) {
    auto divisor = llvm::dyn_cast<mlir::AffineConstantExpr>(e.getRHS());
    if (!divisor || divisor.getValue() <= 0) {
      return terms.invalid("an extent divided by an extent");
    }
    Expr number = visit(e.getLHS());
    return which == 0   ? mod(number, divisor.getValue())
           : which == 1 ? floorDiv(number, divisor.getValue())
                        : ceilDiv(number, divisor.getValue());
  }

  solver::ExprContext &terms;
  tile::KernelOp kernel;
};
} // namespace

Expr SymbolicValues::kernelArgument(tile::KernelOp kernel, unsigned index) {
  llvm::StringRef name = kernel.getArgName(index);
  if (index < static_cast<unsigned>(kernel.getExtents())) {
    return terms->size(name);
  }
  // A scalar of the launch: the same in every region and at every point.
  if (kernel.getArgType(index).isInteger(1)) {
    return terms->condition(name);
  }
  return terms->index(name);
}

Expr SymbolicValues::viewExtent(mlir::Value view, unsigned axis) {
  if (auto argument = llvm::dyn_cast<mlir::BlockArgument>(view)) {
    auto kernel = llvm::dyn_cast_or_null<tile::KernelOp>(argument.getOwner()->getParentOp());
    if (kernel && argument.getArgNumber() < kernel.getNumArguments()) {
      mlir::AffineMap map = kernel.getShapeMap(argument.getArgNumber());
      if (map && axis < map.getNumResults()) {
        Expr extent = ExtentTerm(*terms, kernel).visit(map.getResult(axis));
        return extent.isInvalid() ? Expr() : extent;
      }
    }
    return Expr();
  }
  mlir::Operation *op = view.getDefiningOp();
  if (auto permute = llvm::dyn_cast<tile::ViewPermuteOp>(op)) {
    return extent(permute.getView(), permute.getPermutation()[axis]);
  }
  if (auto slice = llvm::dyn_cast<tile::ViewSliceOp>(op)) {
    return axis == slice.getAxis() ? value(slice.getHi()) - value(slice.getLo())
                                   : extent(slice.getView(), axis);
  }
  if (auto group = llvm::dyn_cast<tile::ViewGroupOp>(op)) {
    unsigned cut = group.getAxis();
    return axis < cut    ? extent(group.getView(), axis)
           : axis == cut ? floorDiv(extent(group.getView(), axis), group.getSize())
                         : extent(group.getView(), axis - 1);
  }
  if (auto split = llvm::dyn_cast<tile::ViewSplitOp>(op)) {
    Expr whole = extent(split.getView(), axis);
    return axis == split.getAxis() ? floorDiv(whole, split.getParts().size()) : whole;
  }
  return Expr();
}

Expr SymbolicValues::extent(mlir::Value shaped, unsigned axis) {
  llvm::ArrayRef<int64_t> shape;
  if (auto view = llvm::dyn_cast<tile::ViewType>(shaped.getType())) {
    shape = view.getShape();
  } else if (auto buf = llvm::dyn_cast<tile::BufType>(shaped.getType())) {
    shape = buf.getShape();
  } else {
    shape = tile::shapeOf(shaped.getType());
  }
  if (axis < shape.size() && !mlir::ShapedType::isDynamic(shape[axis])) {
    return terms->constant(shape[axis]);
  }
  Expr known = llvm::isa<tile::ViewType>(shaped.getType()) ? viewExtent(shaped, axis) : Expr();
  return known.isNull() ? opaque(shaped, axis + 1, false, solver::Range::atLeast(0)) : known;
}

Expr SymbolicValues::argument(mlir::BlockArgument argument) {
  mlir::Operation *parent = argument.getOwner()->getParentOp();
  if (auto kernel = llvm::dyn_cast_or_null<tile::KernelOp>(parent)) {
    if (argument.getArgNumber() < kernel.getNumArguments()) {
      return kernelArgument(kernel, argument.getArgNumber());
    }
  }
  bool isStep = llvm::isa_and_nonnull<tile::ForOp, tile::ParOp>(parent)
                    ? argument.getArgNumber() == 0
                    : llvm::isa_and_nonnull<tile::GridOp, tile::TasksOp>(parent);
  return isStep ? step(argument).start
                : opaque(argument, 0, argument.getType().isInteger(1), solver::Range::all());
}

//===-- Loops ------------------------------------------------------------------------------------------------------===//

namespace {
/// lo, hi and width of one axis of a loop.
struct Bounds {
  mlir::Value lo, hi;
  int64_t width = 0;
  mlir::Value step;
};
} // namespace

static std::optional<Bounds> boundsOf(mlir::Operation *op, unsigned index) {
  if (auto loop = llvm::dyn_cast<tile::ForOp>(op)) {
    return Bounds{loop.getLo(), loop.getHi(), static_cast<int64_t>(loop.getWidth()),
                  loop.getStep()};
  }
  auto of = [&](auto grid) -> std::optional<Bounds> {
    if (index >= grid.getLows().size()) {
      return std::nullopt;
    }
    return Bounds{grid.getLows()[index], grid.getHighs()[index], grid.getWidths()[index],
                  grid.getBody().front().getArgument(index)};
  };
  if (auto grid = llvm::dyn_cast<tile::GridOp>(op)) {
    return of(grid);
  }
  if (auto tasks = llvm::dyn_cast<tile::TasksOp>(op)) {
    return of(tasks);
  }
  return std::nullopt;
}

solver::Axis SymbolicValues::axis(mlir::Operation *loop, unsigned index) {
  auto known = axes.find({loop, index});
  if (known != axes.end()) {
    return known->second;
  }
  Expr zero = terms->constant(0), trips;
  std::string name;
  if (auto par = llvm::dyn_cast<tile::ParOp>(loop)) {
    trips = terms->constant(par.getSteps());
    name = sourceName(par.getBody().front().getArgument(0));
  } else if (std::optional<Bounds> bounds = boundsOf(loop, index)) {
    Expr range = value(bounds->hi) - value(bounds->lo);
    trips = bounds->width ? ceilDiv(range, bounds->width) : range;
    name = sourceName(bounds->step);
  }
  if (trips.isNull() || trips.isInvalid()) {
    trips = terms->fresh("trips", Role::Size, solver::Range::atLeast(0));
  }
  Expr variable =
      terms->fresh(name.empty() ? "step" : name, Role::Index, solver::Range::atLeast(0));
  return axes[{loop, index}] = {variable, zero, trips};
}

/// How many variables the steps of `op` need. Loops that are not the dialect's have one, of unknown length.
static unsigned axisCount(mlir::Operation *op) {
  if (auto grid = llvm::dyn_cast<tile::GridOp>(op)) {
    return grid.getLows().size();
  }
  if (auto tasks = llvm::dyn_cast<tile::TasksOp>(op)) {
    return tasks.getLows().size();
  }
  bool runsOnce = llvm::isa<mlir::ModuleOp, tile::KernelOp, tile::SectionOp, tile::ElectOp,
                            tile::ApplyOp, mlir::scf::IfOp>(op);
  return runsOnce ? 0 : 1;
}

solver::IndexBox SymbolicValues::axesAround(mlir::Operation *op) {
  llvm::SmallVector<mlir::Operation *> parents;
  for (mlir::Operation *at = op->getParentOp(); at; at = at->getParentOp()) {
    parents.push_back(at);
  }
  solver::IndexBox box;
  for (mlir::Operation *parent : llvm::reverse(parents)) {
    for (unsigned i = 0, count = axisCount(parent); i < count; ++i) {
      box.axes.push_back(axis(parent, i));
    }
  }
  return box;
}

SpanTerms SymbolicValues::step(mlir::BlockArgument argument) {
  mlir::Operation *loop = argument.getOwner()->getParentOp();
  if (llvm::isa<tile::ParOp>(loop)) {
    solver::Axis steps = axis(loop);
    return {steps.variable, steps.variable + 1, 1};
  }
  unsigned index = llvm::isa<tile::ForOp>(loop) ? 0 : argument.getArgNumber();
  std::optional<Bounds> bounds = boundsOf(loop, index);
  solver::Axis steps = axis(loop, index);
  // Steps are numbered in the order in which they run.
  auto forOp = llvm::dyn_cast<tile::ForOp>(loop);
  Expr number = forOp && forOp.getReversed() ? steps.hi - steps.variable - 1 : steps.variable;
  int64_t width = std::max<int64_t>(bounds->width, 1);
  Expr start = value(bounds->lo) + number * width;
  return {start, min(start + width, value(bounds->hi)), width};
}

//===-- Values -----------------------------------------------------------------------------------------------------===//

Expr SymbolicValues::opaque(mlir::Value value, unsigned part, bool boolean, solver::Range range) {
  auto known = opaques.find({value, part});
  if (known != opaques.end()) {
    return known->second;
  }
  std::string name = sourceName(value);
  if (name.empty()) {
    mlir::Operation *op = value.getDefiningOp();
    name = op ? op->getName().stripDialect().str() : "carried";
  }
  // What may differ from step to step is a function of the steps around.
  mlir::Operation *inside = value.getDefiningOp();
  solver::IndexBox box;
  if (inside) {
    box = axesAround(inside);
  } else if (mlir::Operation *parent = value.getParentBlock()->getParentOp()) {
    mlir::Block *block = value.getParentBlock();
    box = block->empty() ? axesAround(parent) : axesAround(&block->front());
  }
  Expr result;
  if (box.axes.empty()) {
    result = boolean ? terms->fresh(name, Role::Condition, solver::Range::all())
                     : terms->fresh(name, Role::Index, range);
  } else {
    // The number keeps two values of one name apart.
    std::string unique = name + "@" + std::to_string(opaques.size());
    unsigned count = box.axes.size();
    const solver::Declaration *function =
        boolean ? terms->predicate(unique, count) : terms->function(unique, count, range);
    result = terms->apply(function, box.variables());
  }
  return opaques[{value, part}] = result;
}

Expr SymbolicValues::value(mlir::Value scalar) {
  auto known = values.find(scalar);
  if (known != values.end()) {
    return known->second;
  }
  // Chains of arithmetic are short; a longer one is not looked through.
  constexpr unsigned deepest = 200;
  ++depth;
  Expr result = depth > deepest ? Expr() : compute(scalar);
  --depth;
  bool boolean = scalar.getType().isInteger(1);
  if (result.isNull() || result.isInvalid() || result.isBool() != boolean) {
    result = opaque(scalar, 0, boolean, solver::Range::all());
  }
  values[scalar] = result;
  return result;
}

Expr SymbolicValues::compute(mlir::Value scalar) {
  if (auto block = llvm::dyn_cast<mlir::BlockArgument>(scalar)) {
    return argument(block);
  }
  mlir::Operation *op = scalar.getDefiningOp();
  if (scalar.getType().isInteger(1)) {
    return computeBool(op);
  }
  // Narrower integers wrap in programs that are right.
  if (!scalar.getType().isInteger(64)) {
    return Expr();
  }
  return computeArith(op);
}

SpanTerms SymbolicValues::span(mlir::Value span) {
  auto known = spans.find(span);
  if (known != spans.end()) {
    return known->second;
  }
  SpanTerms result = computeSpan(span);
  return spans[span] = result;
}

SpanTerms SymbolicValues::computeSpan(mlir::Value span) {
  int64_t width = llvm::cast<tile::SpanType>(span.getType()).getWidth();
  if (auto block = llvm::dyn_cast<mlir::BlockArgument>(span)) {
    bool isStep = llvm::isa<tile::ForOp>(block.getOwner()->getParentOp())
                      ? block.getArgNumber() == 0
                      : llvm::isa<tile::GridOp, tile::TasksOp>(block.getOwner()->getParentOp());
    if (isStep) {
      return step(block);
    }
  }
  if (auto made = span.getDefiningOp<tile::SpanOp>()) {
    Expr start = value(made.getStart()), limit = value(made.getLimit());
    // `exact`: a limit beyond the width is a checked error.
    return {start, made.getExact() ? limit : min(start + width, limit), width};
  }
  Expr start = opaque(span, 1, false, solver::Range::all());
  Expr limit = opaque(span, 2, false, solver::Range::all());
  return {start, min(start + width, limit), width};
}

//===-- Facts ------------------------------------------------------------------------------------------------------===//

std::vector<solver::Fact> SymbolicValues::kernelFacts(tile::KernelOp kernel) {
  std::vector<solver::Fact> facts;
  for (unsigned i = 0, count = kernel.getExtents(); i < count; ++i) {
    Expr extent = kernelArgument(kernel, i);
    facts.push_back({extent >= 0, extent.str() + " >= 0", "extents"});
  }
  if (!kernel.getWhere().empty()) {
    for (auto require : kernel.getWhere().front().getOps<tile::RequireOp>()) {
      facts.push_back(
          {value(require.getCondition()), require.getText().str(), "where, " + placeText(require)});
    }
  }
  return facts;
}

/// Conditions that are checked before `op` on every way to it, and those of the branches it stands in.
void SymbolicValues::addBranchFacts(mlir::Operation *op, std::vector<solver::Fact> &facts) {
  auto add = [&](Expr condition, mlir::Operation *at) {
    facts.push_back({condition, condition.str(), placeText(at)});
  };
  for (mlir::Operation *at = op; at && !llvm::isa<tile::KernelOp>(at); at = at->getParentOp()) {
    for (mlir::Operation *before = at->getPrevNode(); before; before = before->getPrevNode()) {
      if (auto assumed = llvm::dyn_cast<tile::AssumeOp>(before)) {
        if (assumed.getCondition().getType().isInteger(1)) {
          add(value(assumed.getCondition()), assumed);
        }
      } else if (auto checked = llvm::dyn_cast<tile::AssertOp>(before)) {
        if (checked.getCondition().getType().isInteger(1)) {
          add(value(checked.getCondition()), checked);
        }
      }
    }
    auto branch = llvm::dyn_cast_or_null<mlir::scf::IfOp>(at->getParentOp());
    if (branch) {
      Expr condition = value(branch.getCondition());
      add(at->getParentRegion() == &branch.getThenRegion() ? condition : !condition, branch);
    }
  }
}

std::vector<solver::Fact> SymbolicValues::facts(mlir::Operation *op) {
  std::vector<solver::Fact> facts;
  auto kernel = llvm::dyn_cast<tile::KernelOp>(op);
  if (!kernel) {
    kernel = op->getParentOfType<tile::KernelOp>();
  }
  if (kernel) {
    facts = kernelFacts(kernel);
  }
  if (op == kernel.getOperation()) {
    return facts;
  }
  solver::IndexBox box = axesAround(op);
  for (solver::Fact &fact : solver::SpaceBuilder(*terms).facts(box, "loops around")) {
    facts.push_back(std::move(fact));
  }
  addBranchFacts(op, facts);
  return facts;
}

//===-- Edits ------------------------------------------------------------------------------------------------------===//

void SymbolicValues::erased(mlir::Operation *op) {
  changed();
  for (unsigned i = 0; i < 64 && axes.erase({op, i}); ++i) {
  }
  auto drop = [&](mlir::Value value) {
    for (unsigned part = 0; part < 64; ++part) {
      opaques.erase({value, part});
    }
  };
  for (mlir::Value result : op->getResults()) {
    drop(result);
  }
  for (mlir::Region &region : op->getRegions()) {
    for (mlir::Block &block : region) {
      for (mlir::BlockArgument argument : block.getArguments()) {
        drop(argument);
      }
    }
  }
}

void SymbolicValues::remap(const mlir::IRMapping &mapping, bool keep) {
  changed();
  auto oldOpaques = opaques;
  auto oldAxes = axes;
  if (!keep) {
    opaques.clear();
    axes.clear();
  }
  for (auto &[key, expr] : oldOpaques) {
    if (mlir::Value copy =
            keep ? mapping.lookupOrNull(key.first) : mapping.lookupOrDefault(key.first)) {
      opaques[{copy, key.second}] = expr;
    }
  }
  for (auto &[key, axis] : oldAxes) {
    if (mlir::Operation *copy =
            keep ? mapping.lookupOrNull(key.first) : mapping.lookupOrDefault(key.first)) {
      axes[{copy, key.second}] = axis;
    }
  }
}
