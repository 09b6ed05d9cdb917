//===- IndexModel.cpp - scalars, spans and boxes as terms -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See IndexModel.h.
//
//===----------------------------------------------------------------------===//

#include "IndexModel.h"

#include "tessera/Schedule/Comparison.h"

#include "llvm/ADT/TypeSwitch.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/AffineExpr.h"

using namespace mlir;
using namespace tessera::tile;

namespace tessera::sealing {

using solver::Range;
using solver::Role;

Value throughBodies(Value value) {
  while (auto result = dyn_cast<OpResult>(value)) {
    if (!isa<SectionOp, ApplyOp>(result.getOwner())) {
      break;
    }
    Operation *yield = result.getOwner()->getRegion(0).front().getTerminator();
    value = yield->getOperand(result.getResultNumber());
  }
  return value;
}

unsigned stepAxes(Operation *loop) {
  return llvm::TypeSwitch<Operation *, unsigned>(loop)
      .Case<GridOp, TasksOp>([](auto domain) { return domain.getWidths().size(); })
      .Case<ForOp, ParOp>([](Operation *) { return 1; })
      .Default([](Operation *) { return 0; });
}

StepRange stepRange(Operation *loop, unsigned axis) {
  if (auto op = dyn_cast<ForOp>(loop)) {
    return {op.getLo(), op.getHi(), static_cast<int64_t>(op.getWidth())};
  }
  if (auto op = dyn_cast<GridOp>(loop)) {
    return {op.getLows()[axis], op.getHighs()[axis], op.getWidths()[axis]};
  }
  auto op = cast<TasksOp>(loop);
  return {op.getLows()[axis], op.getHighs()[axis], op.getWidths()[axis]};
}

IndexModel::IndexModel(KernelOp kernel, solver::ExprContext &context)
    : kernel(kernel), terms(context) {
  unsigned next = 0;
  kernel.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<ForOp>(op)) {
      loopNumbers[op] = next++;
    }
  });
  addLaunchFacts();
}

//===- symbols ------------------------------------------------------------===//

/// Symbols are local ones, numbered in the order of the kernel: no fact of anybody else speaks about them, and the same
/// kernel asks the same questions again.
Expr IndexModel::leaf(StringRef name, Operation *owner, bool isData, Range range) {
  std::string unique = name.str();
  // These are names of elements of a window.
  if (name.starts_with("element") || name.starts_with("index")) {
    unique = "the " + unique;
  }
  if (unsigned before = names[unique]++) {
    unique += "%" + std::to_string(before + 1);
  }
  Expr symbol = terms.local(unique, range);
  leaves.push_back({symbol, owner, isData});
  return symbol;
}

/// The name of the variable where the source gave one.
static std::string nameOf(Value value, StringRef otherwise) {
  if (auto name = value.getLoc()->findInstanceOf<NameLoc>()) {
    return name.getName().str();
  }
  return otherwise.str();
}

Expr IndexModel::leafOf(Value value, bool isData) {
  Operation *owner = value.getDefiningOp();
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    owner = argument.getOwner()->getParentOp();
    // What a block brings has a value in each step of its loop: it belongs to what is inside.
    owner = argument.getOwner()->empty() ? owner : &argument.getOwner()->front();
  }
  std::string name = owner && isa<LoadOp>(owner) ? "element" : "value";
  return leaf(nameOf(value, name), owner, isData, Range::all());
}

solver::Substitution IndexModel::otherInstance(Operation *scope, ArrayRef<Expr> also) {
  solver::Substitution renaming;
  for (const Leaf &known : leaves) {
    bool isInside = scope && known.owner && scope->isAncestor(known.owner) &&
                    (scope != known.owner || llvm::any_of(steps, [&](auto &entry) {
                       return entry.second == known.symbol;
                     }));
    if (isInside) {
      renaming[known.symbol.raw()] = terms.prime(known.symbol);
    }
  }
  for (Expr symbol : also) {
    renaming[symbol.raw()] = terms.prime(symbol);
  }
  return renaming;
}

bool IndexModel::dependsOnData(Expr term) const {
  SmallVector<Expr> atoms;
  solver::collectAtoms({term}, atoms);
  return llvm::any_of(atoms, [&](Expr atom) {
    return llvm::any_of(leaves,
                        [&](const Leaf &known) { return known.isData && known.symbol == atom; });
  });
}

//===- facts --------------------------------------------------------------===//

void IndexModel::addLaunchFacts() {
  if (kernel.getWhere().empty()) {
    return;
  }
  // Arguments are known by name, so those of `where` and of the body are the same.
  for (RequireOp require : kernel.getWhere().getOps<RequireOp>()) {
    launch.push_back({condition(require.getCondition()), require.getText().str(), "where"});
  }
}

/// Bounds of the steps of a loop: asked for again by every question about what is inside.
const std::vector<Fact> &IndexModel::stepFacts(Operation *loop) {
  auto known = knownSteps.find(loop);
  if (known != knownSteps.end()) {
    return known->second;
  }
  std::vector<Fact> facts;
  for (unsigned axis = 0; axis < stepAxes(loop); ++axis) {
    Expr at = step(loop, axis);
    if (auto par = dyn_cast<ParOp>(loop)) {
      facts.push_back({at >= 0 && at < static_cast<int64_t>(par.getSteps()),
                       at.str() + " is a step of `tile.par`", "step"});
      continue;
    }
    StepRange range = stepRange(loop, axis);
    Expr stride = terms.constant(std::max<int64_t>(range.width, 1));
    facts.push_back({at >= 0 && number(range.lo) + stride * at < number(range.hi),
                     at.str() + " is a step", "step"});
  }
  return knownSteps[loop] = std::move(facts);
}

std::vector<Fact> IndexModel::factsAt(Operation *op) {
  std::vector<Fact> facts;
  for (Operation *at = op; at && at != kernel.getOperation(); at = at->getParentOp()) {
    Operation *parent = at->getParentOp();
    if (isa<ForOp, GridOp, TasksOp, ParOp>(parent)) {
      llvm::append_range(facts, stepFacts(parent));
    } else if (auto branch = dyn_cast<scf::IfOp>(parent)) {
      Expr holds = condition(branch.getCondition());
      bool isElse = at->getParentRegion() == &branch.getElseRegion();
      facts.push_back({isElse ? !holds : holds, isElse ? "else" : "if", "branch"});
    }
  }
  llvm::append_range(facts, launch);
  llvm::append_range(facts, general);
  return facts;
}

Expr IndexModel::step(Operation *loop, unsigned axis) {
  Expr &at = steps[{loop, axis}];
  if (at.isNull()) {
    std::string name = isa<ForOp>(loop)   ? "step" + std::to_string(loopNumbers[loop])
                       : isa<ParOp>(loop) ? "side"
                                          : "point" + std::to_string(axis);
    Value argument = loop->getRegion(0).getArgument(axis);
    Range range = Range::atLeast(0);
    Expr made = leaf(nameOf(argument, name), loop, /*isData=*/false, range);
    at = made;
  }
  return steps[{loop, axis}];
}

//===- numbers ------------------------------------------------------------===//

Expr IndexModel::number(Value value) {
  auto found = numbers.find(value);
  if (found != numbers.end()) {
    return found->second;
  }
  Expr made = makeNumber(value);
  numbers[value] = made;
  return made;
}

Expr IndexModel::stepIndex(BlockArgument argument) {
  Operation *loop = argument.getOwner()->getParentOp();
  Expr at = step(loop, argument.getArgNumber());
  return isa<ParOp>(loop) ? at : number(stepRange(loop, argument.getArgNumber()).lo) + at;
}

static bool isStep(BlockArgument argument) {
  Operation *loop = argument.getOwner()->getParentOp();
  return argument.getArgNumber() < stepAxes(loop);
}

Expr IndexModel::makeNumber(Value value) {
  value = throughBodies(value);
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    Operation *parent = argument.getOwner()->getParentOp();
    if (parent == kernel.getOperation()) {
      unsigned i = argument.getArgNumber();
      StringRef name = kernel.getArgName(i);
      return i < kernel.getExtents() ? terms.size(name) : terms.index(name);
    }
    return isStep(argument) ? stepIndex(argument) : leafOf(value, /*isData=*/true);
  }
  Expr made = makeNumber(value.getDefiningOp());
  // What has no term may be any number: only the source can say that it is a good one.
  return made.isNull() ? leafOf(value, /*isData=*/true) : made;
}

/// Null where the op has no term.
Expr IndexModel::makeNumber(Operation *op) {
  auto of = [&](unsigned i) { return number(op->getOperand(i)); };
  return llvm::TypeSwitch<Operation *, Expr>(op)
      .Case([&](ConstantOp constant) {
        auto value = dyn_cast<IntegerAttr>(constant.getValue());
        return value ? terms.constant(value.getValue().getSExtValue()) : Expr();
      })
      .Case<AddOp>([&](auto) { return of(0) + of(1); })
      .Case<SubOp>([&](auto) { return of(0) - of(1); })
      .Case<MulOp>([&](auto) { return of(0) * of(1); })
      .Case<NegOp>([&](auto) { return -of(0); })
      .Case<MinOp>([&](auto) { return solver::min(of(0), of(1)); })
      .Case<MaxOp>([&](auto) { return solver::max(of(0), of(1)); })
      .Case<ClampOp>([&](auto) { return solver::min(solver::max(of(0), of(1)), of(2)); })
      .Case<FloorDivOp, ModOp>([&](auto cast) {
        std::optional<solver::Int> by = of(1).constant();
        if (!by || *by <= 0) {
          return Expr();
        }
        return isa<ModOp>(cast) ? solver::mod(of(0), *by) : solver::floorDiv(of(0), *by);
      })
      .Case([&](SelectOp select) {
        return solver::select(condition(select.getCondition()), number(select.getA()),
                              number(select.getB()));
      })
      .Case([&](DimOp dim) { return extent(dim.getView(), dim.getAxis()); })
      .Case([&](SpanStartOp start) { return span(start.getSpan()).start; })
      .Case([&](SpanStopOp stop) { return span(stop.getSpan()).stop; })
      .Default([](Operation *) { return Expr(); });
}

Expr IndexModel::condition(Value value) {
  auto found = conditions.find(value);
  if (found != conditions.end()) {
    return found->second;
  }
  Expr made = makeCondition(value);
  conditions[value] = made;
  return made;
}

Expr IndexModel::makeCondition(Value value) {
  value = throughBodies(value);
  Operation *op = value.getDefiningOp();
  auto unknown = [&] {
    // Its own symbol: 0 is false.
    return solver::ne(leafOf(value, /*isData=*/true), 0);
  };
  if (!op) {
    return unknown();
  }
  if (auto cmp = dyn_cast<CmpOp>(op); cmp && cmp.getLhs().getType().isSignlessInteger(64)) {
    return schedule::compare(cmp.getPredicate(), number(cmp.getLhs()), number(cmp.getRhs()));
  }
  if (isa<AndOp, OrOp>(op)) {
    Expr a = condition(op->getOperand(0)), b = condition(op->getOperand(1));
    return isa<AndOp>(op) ? a && b : a || b;
  }
  if (isa<NotOp>(op)) {
    return !condition(op->getOperand(0));
  }
  if (auto constant = dyn_cast<ConstantOp>(op)) {
    if (auto truth = dyn_cast<IntegerAttr>(constant.getValue())) {
      return terms.boolean(!truth.getValue().isZero());
    }
  }
  return unknown();
}

//===- spans and extents --------------------------------------------------===//

SpanTerms IndexModel::span(Value value) {
  auto found = spans.find(value);
  if (found != spans.end()) {
    return found->second;
  }
  SpanTerms made = makeSpan(value);
  spans[value] = made;
  return made;
}

SpanTerms IndexModel::stepSpan(BlockArgument argument) {
  Operation *loop = argument.getOwner()->getParentOp();
  StepRange range = stepRange(loop, argument.getArgNumber());
  Expr width = terms.constant(range.width);
  Expr start = number(range.lo) + width * step(loop, argument.getArgNumber());
  return {start, solver::min(start + width, number(range.hi)), range.width};
}

SpanTerms IndexModel::makeSpan(Value value) {
  value = throughBodies(value);
  int64_t width = cast<SpanType>(value.getType()).getWidth();
  if (auto argument = dyn_cast<BlockArgument>(value); argument && isStep(argument)) {
    return stepSpan(argument);
  }
  if (auto made = value.getDefiningOp<SpanOp>()) {
    Expr start = number(made.getStart());
    return {start, solver::min(start + width, number(made.getLimit())), width};
  }
  // A carried span, or one of two: its ends are not known, but that it is no longer than its width.
  Expr start = leafOf(value, /*isData=*/true), stop = leafOf(value, /*isData=*/true);
  general.push_back({stop <= start + width, "a span's length", "type"});
  return {start, stop, width};
}

Expr IndexModel::ofMap(AffineExpr map) {
  if (auto constant = dyn_cast<AffineConstantExpr>(map)) {
    return terms.constant(constant.getValue());
  }
  if (auto symbol = dyn_cast<AffineSymbolExpr>(map)) {
    return terms.size(kernel.getArgName(symbol.getPosition()));
  }
  if (auto binary = dyn_cast<AffineBinaryOpExpr>(map)) {
    Expr a = ofMap(binary.getLHS()), b = ofMap(binary.getRHS());
    std::optional<solver::Int> by = b.constant();
    switch (map.getKind()) {
    case AffineExprKind::Add:
      return a + b;
    case AffineExprKind::Mul:
      return a * b;
    case AffineExprKind::FloorDiv:
      return by && *by > 0 ? solver::floorDiv(a, *by) : leaf("extent", nullptr, false, {});
    case AffineExprKind::CeilDiv:
      return by && *by > 0 ? solver::ceilDiv(a, *by) : leaf("extent", nullptr, false, {});
    case AffineExprKind::Mod:
      return by && *by > 0 ? solver::mod(a, *by) : leaf("extent", nullptr, false, {});
    default:
      break;
    }
  }
  return leaf("extent", nullptr, false, {});
}

Expr IndexModel::extent(Value view, unsigned axis) {
  auto type = cast<ViewType>(view.getType());
  if (!ShapedType::isDynamic(type.getShape()[axis])) {
    return terms.constant(type.getShape()[axis]);
  }
  if (auto argument = dyn_cast<BlockArgument>(view)) {
    if (argument.getOwner()->getParentOp() == kernel.getOperation()) {
      AffineMap map = kernel.getShapeMap(argument.getArgNumber());
      if (map && axis < map.getNumResults()) {
        return ofMap(map.getResult(axis));
      }
    }
  } else if (auto slice = view.getDefiningOp<ViewSliceOp>()) {
    return axis == slice.getAxis() ? number(slice.getHi()) - number(slice.getLo())
                                   : extent(slice.getView(), axis);
  } else if (auto permute = view.getDefiningOp<ViewPermuteOp>()) {
    return extent(permute.getView(), permute.getPermutation()[axis]);
  } else if (auto split = view.getDefiningOp<ViewSplitOp>()) {
    Expr all = extent(split.getView(), axis);
    return axis == split.getAxis() ? solver::floorDiv(all, split.getNumResults()) : all;
  } else if (auto group = view.getDefiningOp<ViewGroupOp>()) {
    unsigned from = axis > group.getAxis() ? axis - 1 : axis;
    Expr all = extent(group.getView(), from);
    return axis == group.getAxis() ? solver::floorDiv(all, group.getSize()) : all;
  }
  Expr &known = numbers[view];
  if (known.isNull()) {
    known = leafOf(view, /*isData=*/true);
  }
  return known;
}

//===- cells --------------------------------------------------------------===//

/// From coordinates of `view` to those of the argument that it is cut from.
void IndexModel::rootCells(Value view, Cells &cells) {
  while (true) {
    if (auto slice = view.getDefiningOp<ViewSliceOp>()) {
      cells.coordinates[slice.getAxis()] =
          cells.coordinates[slice.getAxis()] + number(slice.getLo());
      view = slice.getView();
    } else if (auto permute = view.getDefiningOp<ViewPermuteOp>()) {
      SmallVector<Expr, 4> from(cells.coordinates.size());
      for (auto [i, axis] : llvm::enumerate(permute.getPermutation())) {
        from[axis] = cells.coordinates[i];
      }
      cells.coordinates = from;
      view = permute.getView();
    } else if (auto split = view.getDefiningOp<ViewSplitOp>()) {
      Expr part = solver::floorDiv(extent(split.getView(), split.getAxis()), split.getNumResults());
      Expr &at = cells.coordinates[split.getAxis()];
      at = at + part * terms.constant(cast<OpResult>(view).getResultNumber());
      view = split.getView();
    } else if (auto group = view.getDefiningOp<ViewGroupOp>()) {
      unsigned axis = group.getAxis();
      cells.coordinates[axis] = cells.coordinates[axis] * static_cast<int64_t>(group.getSize()) +
                                cells.coordinates[axis + 1];
      cells.coordinates.erase(cells.coordinates.begin() + axis + 1);
      view = group.getView();
    } else {
      cells.root = view;
      return;
    }
  }
}

Cells IndexModel::cells(const Window &window) {
  Cells cells;
  auto element = [&](int64_t size) {
    std::string name = "element" + std::to_string(cells.coordinates.size());
    cells.elements.push_back(terms.local(name, Range::between(0, std::max<int64_t>(size, 1) - 1)));
    return cells.elements.back();
  };
  for (const WindowAxis &axis : window.axes) {
    switch (axis.kind) {
    case WindowAxis::scalar:
      cells.coordinates.push_back(number(axis.index));
      break;
    case WindowAxis::span: {
      SpanTerms span = this->span(axis.index);
      Expr at = span.start + element(span.width);
      cells.guards.push_back(at < span.stop);
      cells.coordinates.push_back(at);
      break;
    }
    case WindowAxis::whole:
      cells.coordinates.push_back(element(axis.size));
      break;
    case WindowAxis::gather: {
      std::string name = "index" + std::to_string(cells.coordinates.size());
      cells.elements.push_back(terms.local(name));
      cells.coordinates.push_back(cells.elements.back());
      cells.isOpaque = true;
      break;
    }
    }
  }
  rootCells(window.view, cells);
  return cells;
}

} // namespace tessera::sealing
