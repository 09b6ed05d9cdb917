//===- WriterControl.cpp - grid, loops, branches, combining functions -----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Writer.h"

#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;

namespace tessera::source {

bool Writer::writeControl(Scope &scope, Operation &op) {
  if (auto grid = dyn_cast<tile::GridOp>(op)) {
    writeGrid(scope, grid);
  } else if (auto loop = dyn_cast<tile::ForOp>(op)) {
    writeFor(scope, loop);
  } else if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    writeWhile(scope, loop);
  } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
    writeIf(scope, branch);
  } else if (isa<tile::ReduceWithOp, tile::ScanWithOp>(op)) {
    writeWith(scope, op);
  } else if (auto fold = dyn_cast<tile::FoldOp>(op)) {
    take(scope, {fold.getLo(), fold.getHi()});
    define(scope, op, foldText(scope, fold));
  } else if (auto map = dyn_cast<tile::MapOp>(op)) {
    // An array inside a formula.
    flush(scope);
    std::string name = names.fresh(nameOf(op.getLoc()));
    texts[map.getResult()] = primary(name);
    statement(scope, arrayLet(name, mapText(map, name)));
  } else {
    return false;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Grid and loops
//===----------------------------------------------------------------------===//

/// `tiles(lo..hi, 64)`, `0..hi`. `step` is the block argument that takes the spans.
std::string Writer::domainText(Value step, Value lo, Value hi, int64_t width) {
  bool hide = width != 0 && extents.needsOpaqueLimit(step, hi);
  std::string limit = hide ? opaque(hi).whole() : use(hi).whole();
  bool fromZero = matchPattern(lo, m_Zero());
  if (width == 0) {
    return use(lo).whole() + ".." + limit;
  }
  return "tiles(" + (fromZero ? limit : use(lo).whole() + ".." + limit) + ", " +
         std::to_string(width) + ")";
}

void Writer::writeGrid(Scope &scope, tile::GridOp grid) {
  if (Operation *next = grid->getNextNode(); next && !next->hasTrait<OpTrait::IsTerminator>()) {
    fail(next, "the rest of a body after `grid` belongs to the grid");
    return;
  }
  Block &block = grid.getBody().front();
  SmallVector<Value> order;
  for (auto [lo, hi] : llvm::zip(grid.getLows(), grid.getHighs())) {
    order.append({lo, hi});
  }
  take(scope, order);
  SmallVector<std::string> axes;
  for (auto [i, width] : llvm::enumerate(grid.getWidths())) {
    Value step = block.getArgument(i);
    std::string domain = domainText(step, grid.getLows()[i], grid.getHighs()[i], width);
    std::string name = names.fresh(nameOf(step.getLoc()));
    texts[step] = primary(name);
    axes.push_back(name + " in " + domain);
  }
  statement(scope, "grid " + llvm::join(axes, ", "));
  Scope inner;
  writeBlock(inner, block);
  flush(inner);
  scope.out += inner.out;
}

std::vector<std::string> Writer::carry(Scope &scope, ValueRange inits, ArrayRef<Value> arguments,
                                       ValueRange results) {
  flush(scope);
  std::vector<std::string> variables;
  for (auto [i, init] : llvm::enumerate(inits)) {
    std::string name = names.fresh(nameOf(arguments[i].getLoc()));
    Text value = use(init, LiteralType::Settled);
    if (auto constant = init.getDefiningOp<tile::ConstantOp>();
        constant && !isa<RankedTensorType>(init.getType())) {
      value = literal(constant, LiteralType::Written); // a `var` has a type
    }
    scope.out += "var " + name + " = " + value.text + "\n";
    variables.push_back(name);
    texts[arguments[i]] = primary(name);
    if (i < results.size()) {
      texts[results[i]] = primary(name);
    }
  }
  return variables;
}

void Writer::assign(Scope &scope, ArrayRef<std::string> variables, ValueRange values) {
  if (values.size() > 1) {
    flush(scope); // an expression would see variables that were assigned before it
  }
  take(scope, values);
  SmallVector<std::string> list;
  SmallVector<bool> isVariable(values.size(), false);
  for (auto [i, value] : llvm::enumerate(values)) {
    list.push_back(use(value).text);
    isVariable[i] = llvm::is_contained(variables, list.back());
  }
  flush(scope);
  // A variable that takes another's value of before: all such are read first.
  bool permutes = false;
  for (size_t i = 0; i < list.size(); ++i) {
    permutes |= isVariable[i] && list[i] != variables[i];
  }
  for (size_t i = 0; permutes && i < list.size(); ++i) {
    if (isVariable[i] && list[i] != variables[i]) {
      std::string name = names.fresh();
      scope.out += "let " + name + " = " + list[i] + "\n";
      list[i] = name;
    }
  }
  for (auto [name, value] : llvm::zip(variables, list)) {
    scope.out += name + " = " + value + "\n";
  }
}

void Writer::writeFor(Scope &scope, tile::ForOp loop) {
  Block &block = loop.getBodyRegion().front();
  SmallVector<Value> order(loop.getInits());
  order.append({loop.getLo(), loop.getHi()});
  take(scope, order);
  Value step = block.getArgument(0);
  SmallVector<Value> carried(block.getArguments().drop_front());
  std::vector<std::string> variables = carry(scope, loop.getInits(), carried, loop.getResults());
  std::string domain = domainText(step, loop.getLo(), loop.getHi(), loop.getWidth());
  std::string name = names.fresh(nameOf(step.getLoc()));
  texts[step] = primary(name);
  scope.out += "for " + name + " in " + domain + (loop.getReversed() ? " reversed" : "") + " {\n";
  Scope inner;
  writeBlock(inner, block);
  assign(inner, variables, block.getTerminator()->getOperands());
  flush(inner);
  scope.out += inner.out + "}\n";
}

void Writer::writeWhile(Scope &scope, scf::WhileOp loop) {
  Block &before = loop.getBefore().front(), &after = loop.getAfter().front();
  auto condition = cast<scf::ConditionOp>(before.getTerminator());
  ValueRange passed = condition.getArgs();
  if (passed.size() != before.getNumArguments() || passed.getTypes() != before.getArgumentTypes()) {
    fail(loop, "`while` passes on exactly the variables that it carries");
    return;
  }
  take(scope, loop.getInits());
  std::vector<std::string> variables =
      carry(scope, loop.getInits(), SmallVector<Value>(before.getArguments()), loop.getResults());
  for (auto [argument, name] : llvm::zip(after.getArguments(), variables)) {
    texts[argument] = primary(name);
  }
  // The condition, behind what is computed for it.
  Scope head;
  writeBlock(head, before);
  bool changes = passed != ValueRange(before.getArguments());
  if (changes) {
    flush(head);
  }
  take(head, condition.getCondition());
  Text flag = use(condition.getCondition());
  if (condition.getCondition().getDefiningOp<tile::ConstantOp>()) {
    flag = hidden(flag);
  }
  flush(head);
  if (changes) {
    std::string name = names.fresh();
    head.out += "let " + name + " = " + flag.text + "\n";
    flag = primary(name);
    assign(head, variables, passed);
  }
  std::string text = head.out.empty() ? flag.whole() : "{\n" + head.out + flag.whole() + "\n}";
  Scope inner;
  writeBlock(inner, after);
  assign(inner, variables, after.getTerminator()->getOperands());
  flush(inner);
  scope.out += "while " + text + " {\n" + inner.out + "}\n";
}

//===----------------------------------------------------------------------===//
// Branches
//===----------------------------------------------------------------------===//

void Writer::writeIf(Scope &scope, scf::IfOp branch) {
  take(scope, branch.getCondition());
  Text condition = use(branch.getCondition());
  if (branch.getCondition().getDefiningOp<tile::ConstantOp>()) {
    condition = hidden(condition);
  }
  auto side = [&](Block *block) {
    return blockText(*block, block->getTerminator()->getOperands(), true).text;
  };
  std::string text = "if " + condition.whole() + " " + side(branch.thenBlock());
  Block *otherwise = branch.getElseRegion().empty() ? nullptr : branch.elseBlock();
  if (otherwise && (branch.getNumResults() != 0 || otherwise->getOperations().size() > 1)) {
    text += " else " + side(otherwise);
  }
  define(scope, *branch, {text, Open});
}

//===----------------------------------------------------------------------===//
// reduce_with, scan_with
//===----------------------------------------------------------------------===//

/// The region becomes a function of its own before the kernel.
void Writer::writeWith(Scope &scope, Operation &op) {
  Block &block = op.getRegion(0).front();
  llvm::SetVector<Value> captured;
  getUsedValuesDefinedAbove(op.getRegion(0), captured);
  for (Value value : captured) {
    if (!value.getDefiningOp<tile::ConstantOp>()) {
      fail(&op, "its region uses values from outside, a function cannot");
      return;
    }
  }
  take(scope, op.getOperands());
  std::string function = names.fresh(("combine_" + kernel.getSymName()).str()),
              first = names.fresh("a"), second = names.fresh("b");
  functionList.push_back(function);
  texts[block.getArgument(0)] = primary(first);
  texts[block.getArgument(1)] = primary(second);
  std::string type = typeText(block.getArgument(0).getType());
  Text value = blockText(block, block.getTerminator()->getOperands(), true);
  functions += "fn " + function + "(" + first + ": " + type + ", " + second + ": " + type +
               ") -> " + type + " " + value.text + "\n";
  SmallVector<std::string> arguments{
      use(op.getOperand(0)).whole(), function, use(op.getOperand(1)).whole(),
      "axis = " + std::to_string(op.getAttrOfType<IntegerAttr>("axis").getInt())};
  for (StringRef flag : {"reverse", "exclusive"}) {
    if (op.hasAttr(flag)) {
      arguments.push_back((flag + " = true").str());
    }
  }
  define(scope, op, primary(call(op.getName().stripDialect(), arguments)));
}

} // namespace tessera::source
