//===- Equivalence.cpp - comparison of two kernels op by op ---------------===//
//
// Two blocks are walked side by side. Ops that float (constants everywhere, launch
// expressions in formulas) are passed over by the walk and compared when an
// operand reaches them; all others must come in the same order, and their results
// are then known to correspond.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tessera/Dialect/Tile/Equivalence.h"

#include "tessera/Dialect/Tile/ClusterAttrs.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tessera::tile {
namespace {

class Comparison {
public:
  Comparison(KernelOp first, KernelOp second) : first(first), second(second) {}

  std::optional<KernelDifference> run();

private:
  using ValuePair = std::pair<Value, Value>;

  bool differ(const Twine &text, Operation *a, Operation *b) {
    difference = KernelDifference{text.str(), a, b};
    return false;
  }

  bool compareHeads();
  bool compareArguments();
  bool compareRegions(Region &a, Region &b, StringRef what, bool isFormula);
  bool compareWhere();
  bool compareBlocks(Block &a, Block &b);
  bool compareOps(Operation &a, Operation &b);
  bool compareIf(scf::IfOp a, scf::IfOp b);
  bool compareBlockArguments(Block &a, Block &b, Operation *opA, Operation *opB);
  bool corresponds(Value a, Value b);

  bool isLaunchValue(Value value);
  bool floats(Operation &op);
  /// The next op at or after `at` that the walk compares.
  Block::iterator next(Block::iterator at, Block &block, bool skipRequires);
  SmallVector<Operation *> conditions(Block *block);

  KernelOp first, second;
  bool inFormula = false;
  DenseMap<Value, Value> known;
  DenseMap<Value, bool> launch;
  DenseSet<ValuePair> equalTrees;
  std::optional<KernelDifference> difference;
};

bool isConstant(Value value) { return value.getDefiningOp<ConstantOp>() != nullptr; }

/// The op's own attributes without what is not compared.
Attribute inherentAttributes(Operation &op) {
  if (isa<RequireOp>(op)) {
    return {};
  }
  return op.getPropertiesAsAttribute();
}

/// Whether a schedule says the same of both: where their points and warps run.
bool sameSchedule(Operation *a, Operation *b) {
  return llvm::all_of(ArrayRef<StringRef>{iterAttrName, warpsAttrName, clusterAttrName,
                                          rolesAttrName, clusterAxisAttrName, multicastAttrName},
                      [&](StringRef name) { return a->getAttr(name) == b->getAttr(name); });
}

/// Whether two uses of an instruction's name mean the same declaration. One that is not declared is the verifier's matter.
bool sameInstruction(ApplyOp a, ApplyOp b) {
  auto x = SymbolTable::lookupNearestSymbolFrom<InstrOp>(a, a.getInstrAttr());
  auto y = SymbolTable::lookupNearestSymbolFrom<InstrOp>(b, b.getInstrAttr());
  return x == y ||
         (x && y &&
          OperationEquivalence::isEquivalentTo(x, y, OperationEquivalence::IgnoreLocations));
}

bool sameConstant(Value a, Value b) {
  auto x = a.getDefiningOp<ConstantOp>(), y = b.getDefiningOp<ConstantOp>();
  return x && y && a.getType() == b.getType() && x.getValue() == y.getValue();
}

bool hasOps(Region &region) {
  return !region.empty() &&
         !llvm::all_of(region.front(), [](Operation &op) { return isa<scf::YieldOp>(op); });
}

} // namespace

/// Whether the value depends on the launch alone: an argument of the kernel, a constant, a scalar op of such.
bool Comparison::isLaunchValue(Value value) {
  if (auto it = launch.find(value); it != launch.end()) {
    return it->second;
  }
  Operation *op = value.getDefiningOp();
  if (!op) {
    bool isArgument = isa<KernelOp>(value.getParentBlock()->getParentOp());
    return launch[value] = isArgument;
  }
  bool scalar = op->getNumResults() == 1 && op->getNumRegions() == 0 &&
                elementTypeOf(value.getType()) == value.getType();
  bool result =
      scalar && isMemoryEffectFree(op) &&
      llvm::all_of(op->getOperands(), [&](Value operand) { return isLaunchValue(operand); });
  return launch[value] = result;
}

bool Comparison::floats(Operation &op) {
  return isa<ConstantOp>(op) ||
         (inFormula && op.getNumResults() == 1 && isLaunchValue(op.getResult(0)));
}

bool Comparison::corresponds(Value a, Value b) {
  if (auto it = known.find(a); it != known.end()) {
    return it->second == b;
  }
  if (sameConstant(a, b)) {
    return true;
  }
  Operation *x = a.getDefiningOp(), *y = b.getDefiningOp();
  if (!inFormula || !x || !y || isConstant(a) || isConstant(b) || !isLaunchValue(a) ||
      !isLaunchValue(b)) {
    return false;
  }
  if (equalTrees.contains({a, b})) {
    return true;
  }
  bool same = x->getName() == y->getName() && inherentAttributes(*x) == inherentAttributes(*y) &&
              x->getNumOperands() == y->getNumOperands() && a.getType() == b.getType();
  for (unsigned i = 0; same && i < x->getNumOperands(); ++i) {
    same = corresponds(x->getOperand(i), y->getOperand(i));
  }
  if (same) {
    equalTrees.insert({a, b});
  }
  return same;
}

//===----------------------------------------------------------------------===//
// Heads
//===----------------------------------------------------------------------===//

bool Comparison::compareArguments() {
  if (first.getNumArguments() != second.getNumArguments() ||
      first.getExtents() != second.getExtents()) {
    return differ("the kernels have " + Twine(first.getNumArguments()) + " and " +
                      Twine(second.getNumArguments()) + " arguments, " + Twine(first.getExtents()) +
                      " and " + Twine(second.getExtents()) + " of them extents",
                  first, second);
  }
  unsigned extents = first.getExtents();
  SmallVector<AffineExpr> symbols;
  for (unsigned i = 0; i < first.getNumArguments(); ++i) {
    StringRef name = first.getArgName(i);
    if (i < extents) {
      int64_t at = second.findArgument(name);
      if (at < 0 || at >= extents) {
        return differ("the second kernel has no extent `" + name + "`", first, second);
      }
      symbols.push_back(getAffineSymbolExpr(at, first.getContext()));
      continue;
    }
    if (name != second.getArgName(i) || first.getArgType(i) != second.getArgType(i)) {
      return differ("argument " + Twine(i) + ", `" + name + "` and `" + second.getArgName(i) +
                        "`, differs in name or type",
                    first, second);
    }
    AffineMap a = first.getShapeMap(i), b = second.getShapeMap(i);
    if (a) {
      a = a.replaceDimsAndSymbols({}, symbols, 0, extents);
    }
    if (a != b) {
      return differ("the argument `" + name + "` has another shape", first, second);
    }
  }
  return true;
}

bool Comparison::compareHeads() {
  if (first.getSymName() != second.getSymName()) {
    return differ("the kernels are called `" + first.getSymName() + "` and `" +
                      second.getSymName() + "`",
                  first, second);
  }
  if (!compareArguments()) {
    return false;
  }
  if (first.getMath() != second.getMath()) {
    return differ("the kernels have different `math`", first, second);
  }
  if (!sameSchedule(first, second)) {
    return differ("the kernels have other warps, clusters or roles", first, second);
  }
  if (first.getReferenceNames() != second.getReferenceNames()) {
    return differ("the references define other arrays", first, second);
  }
  if (first.getToleranceNames() != second.getToleranceNames() ||
      first.getToleranceExact() != second.getToleranceExact()) {
    return differ("the tolerances bound other outputs", first, second);
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

bool Comparison::compareBlockArguments(Block &a, Block &b, Operation *opA, Operation *opB) {
  if (a.getNumArguments() != b.getNumArguments()) {
    return differ("the regions have different numbers of arguments", opA, opB);
  }
  for (auto [x, y] : llvm::zip(a.getArguments(), b.getArguments())) {
    if (x.getType() != y.getType()) {
      return differ("argument " + Twine(x.getArgNumber()) + " of the region has another type", opA,
                    opB);
    }
    known[x] = y;
  }
  return true;
}

Block::iterator Comparison::next(Block::iterator at, Block &block, bool skipRequires) {
  while (at != block.end() && (floats(*at) || (skipRequires && isa<RequireOp>(*at)))) {
    ++at;
  }
  return at;
}

bool Comparison::compareBlocks(Block &a, Block &b) {
  auto x = next(a.begin(), a, false), y = next(b.begin(), b, false);
  while (x != a.end() && y != b.end()) {
    if (!compareOps(*x, *y)) {
      return false;
    }
    x = next(std::next(x), a, false);
    y = next(std::next(y), b, false);
  }
  if (x != a.end() || y != b.end()) {
    bool inFirst = x != a.end();
    return differ(inFirst ? "the second kernel lacks an op" : "the second kernel has one op more",
                  inFirst ? &*x : nullptr, inFirst ? nullptr : &*y);
  }
  return true;
}

bool Comparison::compareIf(scf::IfOp a, scf::IfOp b) {
  if (!compareBlocks(*a.thenBlock(), *b.thenBlock())) {
    return false;
  }
  if (hasOps(a.getElseRegion()) != hasOps(b.getElseRegion()) && a.getNumResults() == 0) {
    return differ("only one side has an `else`", a, b);
  }
  if (a.getElseRegion().empty() || b.getElseRegion().empty()) {
    return true;
  }
  return compareBlocks(*a.elseBlock(), *b.elseBlock());
}

bool Comparison::compareOps(Operation &a, Operation &b) {
  if (a.getName() != b.getName()) {
    return differ("`" + a.getName().getStringRef() + "` against `" + b.getName().getStringRef() +
                      "`",
                  &a, &b);
  }
  if (inherentAttributes(a) != inherentAttributes(b)) {
    return differ("the attributes of `" + a.getName().getStringRef() + "` differ", &a, &b);
  }
  if (!sameSchedule(&a, &b)) {
    return differ("`" + a.getName().getStringRef() + "` is spread over other places", &a, &b);
  }
  auto apply = dyn_cast<ApplyOp>(a);
  if (apply && !sameInstruction(apply, cast<ApplyOp>(b))) {
    return differ("`@" + apply.getInstr() + "` is declared in another way", &a, &b);
  }
  if (a.getNumOperands() != b.getNumOperands() || a.getNumRegions() != b.getNumRegions()) {
    return differ("the operands of `" + a.getName().getStringRef() + "` differ in number", &a, &b);
  }
  for (unsigned i = 0; i < a.getNumOperands(); ++i) {
    if (!corresponds(a.getOperand(i), b.getOperand(i))) {
      return differ("operand " + Twine(i) + " of `" + a.getName().getStringRef() +
                        "` is another value",
                    &a, &b);
    }
  }
  if (a.getResultTypes() != b.getResultTypes()) {
    return differ("the results of `" + a.getName().getStringRef() + "` have other types", &a, &b);
  }
  if (auto ifA = dyn_cast<scf::IfOp>(a)) {
    if (!compareIf(ifA, cast<scf::IfOp>(b))) {
      return false;
    }
  } else {
    for (auto [x, y] : llvm::zip(a.getRegions(), b.getRegions())) {
      if (x.empty() != y.empty()) {
        return differ("only one of the regions is empty", &a, &b);
      }
      if (!x.empty() && (!compareBlockArguments(x.front(), y.front(), &a, &b) ||
                         !compareBlocks(x.front(), y.front()))) {
        return false;
      }
    }
  }
  for (auto [x, y] : llvm::zip(a.getResults(), b.getResults())) {
    known[x] = y;
  }
  return true;
}

/// Kernel arguments correspond by name; the arrays of `reference` after them by position.
bool Comparison::compareRegions(Region &a, Region &b, StringRef what, bool isFormula) {
  auto isEmpty = [](Region &region) { return region.empty() || region.front().empty(); };
  if (isEmpty(a) || isEmpty(b)) {
    return isEmpty(a) == isEmpty(b) ||
           differ("only one kernel has a `" + what + "`", first, second);
  }
  if (a.getNumArguments() != b.getNumArguments()) {
    return differ("`" + what + "` has another number of arguments", first, second);
  }
  for (unsigned i = 0; i < a.getNumArguments(); ++i) {
    unsigned at = i < first.getNumArguments() ? second.findArgument(first.getArgName(i)) : i;
    if (a.getArgument(i).getType() != b.getArgument(at).getType()) {
      return differ("an argument of `" + what + "` has another type", first, second);
    }
    known[a.getArgument(i)] = b.getArgument(at);
  }
  inFormula = isFormula;
  return compareBlocks(a.front(), b.front());
}

/// The conditions of `where`, each once. Those of one kernel are told apart by the same comparison, with every value of
/// the block standing for itself.
SmallVector<Operation *> Comparison::conditions(Block *block) {
  SmallVector<Operation *> unique;
  if (!block) {
    return unique;
  }
  Comparison within(first, first);
  within.inFormula = true;
  for (Value argument : block->getArguments()) {
    within.known[argument] = argument;
  }
  for (auto require : block->getOps<RequireOp>()) {
    bool again = llvm::any_of(unique, [&](Operation *other) {
      Value a = other->getOperand(0), b = require.getCondition();
      return a == b || within.corresponds(a, b);
    });
    if (!again) {
      unique.push_back(require);
    }
  }
  return unique;
}

bool Comparison::compareWhere() {
  auto blockOf = [](KernelOp kernel) {
    return kernel.getWhere().empty() ? nullptr : &kernel.getWhere().front();
  };
  Block *a = blockOf(first), *b = blockOf(second);
  inFormula = true;
  if (a && b) {
    for (unsigned i = 0; i < first.getNumArguments(); ++i) {
      known[a->getArgument(i)] = b->getArgument(second.findArgument(first.getArgName(i)));
    }
    // Ops with regions, if there are any, come in order; conditions are compared apart.
    auto x = next(a->begin(), *a, true), y = next(b->begin(), *b, true);
    for (; x != a->end() && y != b->end();
         x = next(std::next(x), *a, true), y = next(std::next(y), *b, true)) {
      if (!compareOps(*x, *y)) {
        return false;
      }
    }
    if (x != a->end() || y != b->end()) {
      return differ("only one `where` has this op", x != a->end() ? &*x : nullptr,
                    y != b->end() ? &*y : nullptr);
    }
  }
  SmallVector<Operation *> left = conditions(a), right = conditions(b);
  for (size_t i = 0; i < std::max(left.size(), right.size()); ++i) {
    Operation *x = i < left.size() ? left[i] : nullptr, *y = i < right.size() ? right[i] : nullptr;
    if (!x || !y) {
      return differ("only one kernel has this condition", x, y);
    }
    if (!corresponds(x->getOperand(0), y->getOperand(0))) {
      return differ("condition " + Twine(i) + " of `where` differs", x, y);
    }
  }
  return true;
}

std::optional<KernelDifference> Comparison::run() {
  bool same = compareHeads() && compareWhere() &&
              compareRegions(first.getBody(), second.getBody(), "body", false) &&
              compareRegions(first.getReference(), second.getReference(), "reference", true) &&
              compareRegions(first.getTolerance(), second.getTolerance(), "tolerance", true);
  return same ? std::nullopt : difference;
}

std::optional<KernelDifference> findDifference(KernelOp first, KernelOp second) {
  return Comparison(first, second).run();
}

void KernelDifference::print(llvm::raw_ostream &os) const {
  OpPrintingFlags flags;
  flags.skipRegions().useLocalScope();
  auto printOp = [&](StringRef label, Operation *op) {
    os << "  " << label << ": ";
    if (op) {
      op->print(os, flags);
    } else {
      os << "(none)";
    }
    os << "\n";
  };
  os << text << "\n";
  printOp("first", first);
  printOp("second", second);
}

} // namespace tessera::tile
