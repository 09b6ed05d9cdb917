// A search over goals `this value of the body is that of the kernel`. A goal is met by one op on each side, whose operands
// are new goals; ops that commute have two ways to pair them. Bodies are small, so a plain search with a copy of the state
// for each way is enough.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Unifier.h"

#include "tessera/Schedule/Dims.h"

#include "llvm/ADT/SmallBitVector.h"

using namespace tessera;
using namespace tessera::schedule;
using llvm::SmallVector;
using llvm::StringRef;
using llvm::Twine;

bool Unifier::fail(const State &state, StringRef code, const Twine &message, const Twine &help,
                   std::vector<std::pair<mlir::Operation *, std::string>> places) {
  unsigned depth = state.match.unified.size();
  if (!failedOnce || depth > why.depth) {
    why = {code.str(), message.str(), help.str(), std::move(places), depth};
    failedOnce = true;
  }
  return false;
}

//===-- Attributes -------------------------------------------------------------------------------------------------===//

/// Those that speak about axes: what they say is compared through the dims.
static bool isAboutAxes(StringRef name) {
  return name == "axis" || name == "axes" || name == "permutation";
}

bool Unifier::compareAttributes(mlir::Operation *body, mlir::Operation *op, const State &state) {
  mlir::DictionaryAttr wanted = body->getAttrDictionary(), found = op->getAttrDictionary();
  auto differs = [&](mlir::NamedAttribute attribute, mlir::DictionaryAttr other) {
    StringRef name = attribute.getName().getValue();
    return !isAboutAxes(name) && !name.contains('.') && other.get(name) != attribute.getValue();
  };
  auto reduce = llvm::dyn_cast<tile::ReduceOp>(op);
  for (auto [from, other] : {std::pair(wanted, found), std::pair(found, wanted)}) {
    for (mlir::NamedAttribute attribute : from) {
      if (!differs(attribute, other)) {
        continue;
      }
      StringRef attrName = attribute.getName().getValue();
      if (reduce && attrName == "order") {
        // The tree is one of the orders that `any` leaves open, not the other way round.
        if (reduce.getOrder() == tile::ReduceOrder::any) {
          continue;
        }
        return fail(state, "replace_order",
                    name() + " sums in any order, and the sum here is in the order of the tree",
                    "write `order = any` in the source, if the order does not matter",
                    {{op, "sums in the order of the tree"}});
      }
      return fail(state, "replace_body",
                  name() + " has another `" + attrName + "` at " + opText(body) +
                      " than the kernel",
                  "", {{op, "is not what the instruction does here"}});
    }
  }
  return true;
}

//===-- Dims and axes ----------------------------------------------------------------------------------------------===//

/// Ops whose points along a dim do the same wherever they stand in it, so that pieces can be done alone.
static bool isCutInPieces(mlir::Operation *op) {
  return llvm::isa<tile::TileIterOpInterface>(op) && op->getNumRegions() == 0 &&
         !llvm::isa<tile::SliceOp, tile::CatOp, tile::FlipOp, tile::ReshapeOp, tile::IotaOp,
                    tile::ScanOp, tile::TopKOp, tile::ArgMaxOp, tile::ArgMinOp, tile::HistogramOp,
                    tile::LoadOp, tile::ReadOp>(op);
}

/// For each dim of the body's op the dim of the kernel's op: by the axes of the results, the dims that no result has in
/// their order.
std::optional<SmallVector<unsigned>> Unifier::pairDims(mlir::Operation *body, mlir::Operation *op,
                                                       const Goal &goal, const State &state) {
  SmallVector<tile::IterDim> ofBody = dimsOf(body), ofOp = dimsOf(op);
  constexpr unsigned none = ~0u;
  SmallVector<unsigned> dims(ofBody.size(), none);
  llvm::SmallBitVector taken(ofOp.size());
  unsigned result = llvm::cast<mlir::OpResult>(goal.body).getResultNumber();
  for (auto [axis, to] : llvm::enumerate(goal.axes)) {
    std::optional<unsigned> from = dimOfResultAxis(body, result, axis);
    std::optional<unsigned> there = dimOfResultAxis(op, result, to);
    if (!from || dims[*from] != none) {
      continue; // an axis of one element that the op makes
    }
    if (!there || taken.test(*there)) {
      fail(state, "replace_dims",
           "the axes of " + opText(op) + " do not lie as those of " + name() + "'s " + opText(body),
           "", {{op, "is compared"}});
      return std::nullopt;
    }
    dims[*from] = *there;
    taken.set(*there);
  }
  for (auto [i, dim] : llvm::enumerate(ofBody)) {
    for (unsigned j = 0; j < ofOp.size() && dims[i] == none; ++j) {
      if (!taken.test(j) && ofOp[j].kind == dim.kind && dim.kind != tile::IterKind::parallel) {
        dims[i] = j;
        taken.set(j);
      }
    }
    // The orders of a sum may differ: compared as attributes.
    for (unsigned j = 0; j < ofOp.size() && dims[i] == none; ++j) {
      if (!taken.test(j) && dim.kind != tile::IterKind::parallel &&
          ofOp[j].kind != tile::IterKind::parallel) {
        dims[i] = j;
        taken.set(j);
      }
    }
    if (dims[i] == none) {
      fail(state, "replace_dims",
           "dim `" + dim.name + "` of " + name() + "'s " + opText(body) +
               " has none to stand for in the kernel",
           "", {{op, "is compared"}});
      return std::nullopt;
    }
  }
  return dims;
}

std::optional<AxisMap> Unifier::operandAxes(mlir::Operation *body, unsigned bodyOperand,
                                            mlir::Operation *op, unsigned operand,
                                            llvm::ArrayRef<unsigned> dims) {
  size_t rank = tile::shapeOf(body->getOperand(bodyOperand).getType()).size();
  size_t rankThere = tile::shapeOf(op->getOperand(operand).getType()).size();
  AxisMap axes;
  SmallVector<unsigned> free; // axes of one element in the kernel
  for (unsigned j = 0; j < rankThere; ++j) {
    if (!dimOfOperandAxis(op, operand, j)) {
      free.push_back(j);
    }
  }
  unsigned nextFree = 0;
  for (unsigned i = 0; i < rank; ++i) {
    std::optional<unsigned> dim = dimOfOperandAxis(body, bodyOperand, i);
    if (!dim) {
      if (nextFree == free.size()) {
        return std::nullopt;
      }
      axes.push_back(free[nextFree++]);
      continue;
    }
    std::optional<unsigned> found;
    for (unsigned j = 0; j < rankThere && !found; ++j) {
      if (dimOfOperandAxis(op, operand, j) == dims[*dim] && !llvm::is_contained(axes, j)) {
        found = j;
      }
    }
    if (!found) {
      return std::nullopt;
    }
    axes.push_back(*found);
  }
  return axes;
}

//===-- Goals ------------------------------------------------------------------------------------------------------===//

static bool isZero(mlir::Value value) {
  mlir::TypedAttr element = constantElement(value);
  if (auto number = llvm::dyn_cast_or_null<mlir::FloatAttr>(element)) {
    return number.getValue().isPosZero();
  }
  auto number = llvm::dyn_cast_or_null<mlir::IntegerAttr>(element);
  return number && number.getValue().isZero();
}

/// A copy is a load, a fill and a write. `fill zero` is the body's `fill_absent` by zero; a copy that leaves absent cells
/// as they are is done by it too, which writes more than it.
bool Unifier::meetFill(tile::FillAbsentOp fill, const Goal &goal, State &state) {
  if (!isZero(fill.getFill())) {
    return fail(state, "replace_absence",
                name() + " fills absent elements, and not with zeros as copies do", "",
                {{goal.subject.copy, "is compared"}});
  }
  if (!goal.subject.isFilled) {
    state.match.widened = goal.subject.copy;
  }
  state.goals.push_back({fill.getX(), {{}, goal.subject.copy, false}, goal.axes});
  return solve(state);
}

/// Orders in which operands may be taken.
static SmallVector<SmallVector<unsigned>> operandOrders(mlir::Operation *op) {
  SmallVector<unsigned> plain = llvm::to_vector(llvm::seq<unsigned>(0, op->getNumOperands()));
  SmallVector<SmallVector<unsigned>> orders = {plain};
  bool commutes = op->hasTrait<mlir::OpTrait::IsCommutative>() && plain.size() == 2;
  if (commutes || llvm::isa<tile::FmaOp>(op)) {
    std::swap(plain[0], plain[1]);
    orders.push_back(plain);
  }
  return orders;
}

bool Unifier::meetOps(mlir::Operation *body, mlir::Operation *op, const Goal &goal, State &state) {
  if (op->getName() != body->getName()) {
    return fail(state, "replace_body",
                name() + " does " + opText(body) + " where the kernel does " + opText(op), "",
                {{op, "is not what the instruction does here"}});
  }
  if (!isCutInPieces(body)) {
    return fail(state, "replace_body",
                opText(body) + " in the body of " + name() + " cannot be done piece by piece", "",
                {{body, "is declared here"}});
  }
  for (auto [wanted, found] : llvm::zip(body->getOperandTypes(), op->getOperandTypes())) {
    mlir::Type a = tile::elementTypeOf(wanted), b = tile::elementTypeOf(found);
    if (a != b) {
      std::string text;
      llvm::raw_string_ostream os(text);
      os << name() << " takes `" << a << "` at " << opText(body) << ", and the kernel has `" << b
         << "`";
      return fail(state, "replace_dtype", text, "", {{op, "is compared"}});
    }
  }
  if (body->getNumOperands() != op->getNumOperands() || !compareAttributes(body, op, state)) {
    return false;
  }
  std::optional<SmallVector<unsigned>> dims = pairDims(body, op, goal, state);
  if (!dims) {
    return false;
  }
  UnifiedOp unified{body, op, SmallVector<int64_t>(dimsOf(op).size(), 1)};
  for (auto [dim, to] : llvm::zip(dimsOf(body), *dims)) {
    unified.pieces[to] = dim.extent;
  }
  state.match.unified.push_back(unified);
  state.match.ops.push_back(op);
  for (const SmallVector<unsigned> &order : operandOrders(body)) {
    State next = state;
    bool fits = true;
    // The first operand is met first: goals are taken from the end.
    for (unsigned i = order.size(); i-- > 0;) {
      std::optional<AxisMap> axes = operandAxes(body, i, op, order[i], *dims);
      if (!axes) {
        fits = fail(
            state, "replace_dims", "an operand of " + opText(op) + " does not lie as in " + name(),
            "transpose it, or use an instruction for the other order", {{op, "is compared"}});
        break;
      }
      next.goals.push_back({body->getOperand(i), {op->getOperand(order[i])}, *axes});
    }
    if (fits && solve(next)) {
      state = std::move(next);
      return true;
    }
  }
  return false;
}

bool Unifier::meet(const Goal &goal, State &state) {
  if (auto argument = llvm::dyn_cast<mlir::BlockArgument>(goal.body)) {
    return bindOperand(argument.getArgNumber(), goal, state) && solve(state);
  }
  mlir::Operation *body = goal.body.getDefiningOp();
  if (goal.subject.copy) {
    if (auto fill = llvm::dyn_cast<tile::FillAbsentOp>(body)) {
      return meetFill(fill, goal, state);
    }
    return fail(state, "replace_body", name() + " does " + opText(body) + ", and a copy only moves",
                "", {{goal.subject.copy, "copies"}});
  }
  if (mlir::TypedAttr wanted = constantElement(goal.body)) {
    if (constantElement(goal.subject.value) == wanted) {
      return solve(state);
    }
    std::string text;
    llvm::raw_string_ostream os(text);
    os << name() << " has the constant " << wanted << " where the kernel has another value";
    return fail(state, "replace_constant", text);
  }
  SmallVector<mlir::Operation *> passed;
  mlir::Value bodyValue = withoutIdentities(goal.body);
  if (bodyValue != goal.body) {
    state.goals.push_back({bodyValue, goal.subject, goal.axes});
    return solve(state);
  }
  mlir::Value value = withoutIdentities(goal.subject.value, &passed);
  llvm::append_range(state.match.ops, passed);
  mlir::Operation *op = value.getDefiningOp();
  if (!op) {
    return fail(state, "replace_body",
                name() + " makes by " + opText(body) + " what here is carried by a loop");
  }
  if (llvm::cast<mlir::OpResult>(value).getResultNumber() !=
      llvm::cast<mlir::OpResult>(goal.body).getResultNumber()) {
    return fail(state, "replace_body", name() + " takes another result of " + opText(op));
  }
  Goal inner{goal.body, {value}, goal.axes};
  return meetOps(body, op, inner, state);
}

bool Unifier::solve(State &state) {
  if (fuel == 0) {
    return fail(state, "replace_search", "the body of " + name() + " has too many ways to be read");
  }
  --fuel;
  if (state.goals.empty()) {
    return true;
  }
  Goal goal = state.goals.pop_back_val();
  auto met = state.met.find(goal.body);
  bool isConstant = static_cast<bool>(constantElement(goal.body));
  if (met != state.met.end() && !isConstant) {
    if (met->second.subject == goal.subject && met->second.axes == goal.axes) {
      return solve(state);
    }
    auto argument = llvm::dyn_cast<mlir::BlockArgument>(goal.body);
    std::string what = argument ? operandText(argument.getArgNumber()) : "a value of " + name();
    return fail(state, "replace_twice", what + " is used twice, and here two values stand for it");
  }
  state.met.insert({goal.body, goal});
  return meet(goal, state);
}
