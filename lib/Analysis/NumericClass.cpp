//===- NumericClass.cpp - how far outputs are determined ------------------===//
//
// A walk over the body is repeated until nothing is added. A view or buffer stands for its elements: what is written joins
// the class of the argument or `tile.alloc` that it is a part of, what is read takes it.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tessera/Analysis/NumericClass.h"

#include "BranchFlow.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tessera {

llvm::StringRef name(NumericClass numericClass) {
  static constexpr llvm::StringLiteral names[] = {"exact", "tree", "scan", "dot", "any", "loose"};
  return names[static_cast<unsigned>(numericClass)];
}

static ClassAndCause loosest(ClassAndCause a, ClassAndCause b) {
  return b.numericClass > a.numericClass ? b : a;
}

/// The argument or allocation that a view or buffer is a part of.
static Value rootOf(Value memory) {
  while (Operation *op = memory.getDefiningOp()) {
    if (op->getNumOperands() == 0 || isa<tile::AllocOp>(op)) {
      break;
    }
    memory = op->getOperand(0);
  }
  return memory;
}

static bool isFloating(Type type) { return isa<FloatType>(tile::elementTypeOf(type)); }

NumericClassAnalysis::NumericClassAnalysis(tile::KernelOp kernel) : kernel(kernel) {
  do {
    changed = false;
    kernel.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) { visit(op); });
  } while (changed);
}

ClassAndCause NumericClassAnalysis::ofArgument(llvm::StringRef name) {
  int64_t index = kernel.findArgument(name);
  if (kernel.getBody().empty() || index < 0) {
    return {};
  }
  return of(kernel.getBody().getArgument(index));
}

void NumericClassAnalysis::join(Value value, ClassAndCause more) {
  ClassAndCause &there = known[value];
  if (more.numericClass > there.numericClass) {
    there = more;
    changed = true;
  }
}

//===----------------------------------------------------------------------===//
// What ops leave open themselves
//===----------------------------------------------------------------------===//

static NumericClass classOfSum(tile::ReduceKind kind, Type element, NumericClass ofFloats) {
  bool isSum = kind == tile::ReduceKind::sum || kind == tile::ReduceKind::prod;
  return isSum && isFloating(element) ? ofFloats : NumericClass::exact;
}

/// Products and sums that `math contract` may fuse, and functions that `fast` replaces.
static bool isLoose(Operation *op, tile::MathMode math) {
  auto accuracy = op->getAttrOfType<tile::AccuracyAttr>("accuracy");
  if (accuracy && (math == tile::MathMode::fast || accuracy.getValue() == tile::Accuracy::fast)) {
    return true;
  }
  bool isSum = isa<tile::AddOp, tile::SubOp>(op) && isFloating(op->getResult(0).getType());
  return isSum && math != tile::MathMode::strict;
}

ClassAndCause NumericClassAnalysis::ownClass(Operation *op) {
  NumericClass own = NumericClass::exact;
  tile::MathMode math = kernel.getMath();
  if (auto reduce = dyn_cast<tile::ReduceOp>(op)) {
    bool isOpen = reduce.getOrder() == tile::ReduceOrder::any || math == tile::MathMode::fast;
    own = classOfSum(reduce.getKind(), reduce.getX().getType(),
                     isOpen ? NumericClass::any : NumericClass::tree);
  } else if (auto scan = dyn_cast<tile::ScanOp>(op)) {
    own = classOfSum(scan.getKind(), scan.getX().getType(), NumericClass::scan);
  } else if (isa<tile::ScanWithOp>(op) && isFloating(op->getResult(0).getType())) {
    own = NumericClass::scan;
  } else if (auto mma = dyn_cast<tile::MmaOp>(op)) {
    own = isFloating(mma.getAcc().getType()) ? NumericClass::dot : NumericClass::exact;
  } else if (auto atomic = dyn_cast<tile::AtomicOp>(op)) {
    bool isExchange =
        atomic.getKind() == tile::AtomicKind::xchg || atomic.getKind() == tile::AtomicKind::cas;
    bool isFloatSum =
        atomic.getKind() == tile::AtomicKind::add && isFloating(atomic.getValue().getType());
    own = isExchange || isFloatSum || atomic.getOld() ? NumericClass::any : NumericClass::exact;
  } else if (isLoose(op, math)) {
    own = NumericClass::loose;
  }
  return {own, own == NumericClass::exact ? nullptr : op};
}

//===----------------------------------------------------------------------===//
// The flow
//===----------------------------------------------------------------------===//

ClassAndCause NumericClassAnalysis::operandsClass(Operation *op) const {
  ClassAndCause result;
  for (Value operand : op->getOperands()) {
    bool isMemory = isa<tile::ViewType, tile::BufType>(operand.getType());
    result = loosest(result, of(isMemory ? rootOf(operand) : operand));
  }
  return result;
}

/// Of what decides whether and how often the regions of an op run.
ClassAndCause NumericClassAnalysis::controlOf(Operation *op) const {
  ClassAndCause result;
  auto add = [&](ValueRange values) {
    for (Value value : values) {
      result = loosest(result, of(value));
    }
  };
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    add(branch.getCondition());
  } else if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    add(loop.getConditionOp().getCondition());
  } else if (auto loop = dyn_cast<LoopLikeOpInterface>(op)) {
    for (OpOperand &operand : op->getOpOperands()) {
      if (!llvm::is_contained(loop.getInits(), operand.get())) {
        add(operand.get());
      }
    }
  } else if (op->getNumRegions() != 0) {
    add(op->getOperands());
  }
  return result;
}

ClassAndCause NumericClassAnalysis::conditionsAround(Operation *op) {
  ClassAndCause result;
  for (Operation *parent = op->getParentOp(); parent && parent != kernel.getOperation();
       parent = parent->getParentOp()) {
    result = loosest(result, controlOf(parent));
  }
  return result;
}

/// Everything that may flow along an edge between regions reaches its target; results depend on the path, too.
void NumericClassAnalysis::visitBranches(Operation *op) {
  visitEdges(cast<RegionBranchOpInterface>(op),
             [&](Value source, Value target) { join(target, of(source)); });
  for (Value result : op->getResults()) {
    join(result, controlOf(op));
  }
}

/// Ops that write memory.
void NumericClassAnalysis::visitAccess(Operation *op, ClassAndCause given) {
  Value target;
  if (auto store = dyn_cast<tile::StoreOp>(op)) {
    target = store.getView();
  } else if (auto atomic = dyn_cast<tile::AtomicOp>(op)) {
    target = atomic.getView();
  } else if (auto copy = dyn_cast<tile::CopyOp>(op)) {
    target = copy.getBuf();
  } else if (auto copy = dyn_cast<tile::CopyOutOp>(op)) {
    target = copy.getView();
  } else if (auto write = dyn_cast<tile::WriteOp>(op)) {
    target = write.getBuf();
  }
  if (target) {
    join(rootOf(target), loosest(given, conditionsAround(op)));
  }
}

void NumericClassAnalysis::visit(Operation *op) {
  if (isa<RegionBranchOpInterface>(op)) {
    visitBranches(op);
    return;
  }
  ClassAndCause given = loosest(operandsClass(op), ownClass(op));
  for (Region &region : op->getRegions()) {
    if (region.empty() || !region.front().mightHaveTerminator()) {
      continue;
    }
    // Regions that combine elements, bodies of instructions and sections: arguments are made of operands, results of yields.
    for (BlockArgument argument : region.getArguments()) {
      join(argument, given);
    }
    given = loosest(given, operandsClass(region.front().getTerminator()));
  }
  visitAccess(op, given);
  for (Value result : op->getResults()) {
    if (!isa<tile::ViewType, tile::BufType>(result.getType())) {
      join(result, given);
    }
  }
}

} // namespace tessera
