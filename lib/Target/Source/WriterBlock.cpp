//===- WriterBlock.cpp - statements, pending expressions, operands --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Writer.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace tessera::source {

/// Longest expression that waits for its use, in a body and in a formula, and most launch expressions that are written in
/// place.
static constexpr size_t kMaxWaiting = 72, kMaxWaitingFormula = 400;
static constexpr unsigned kMaxInlined = 20000;

Text Writer::fail(Operation *op, const llvm::Twine &text) {
  if (!failed) {
    op->emitError("has no `.tile` text: ") << text;
  }
  failed = true;
  return primary("0");
}

void Writer::statement(Scope &scope, const llvm::Twine &text) {
  flush(scope);
  scope.out += (text + "\n").str();
}

void Writer::flush(Scope &scope) {
  for (Value value : scope.pending) {
    Text &text = texts[value];
    std::string name = names.fresh(nameOf(value.getLoc()));
    scope.out += "let " + name + " = " + text.text + "\n";
    text = primary(name);
  }
  scope.pending.clear();
}

void Writer::take(Scope &scope, ValueRange order) {
  SmallVector<Value> waiting;
  for (Value value : order) {
    if (llvm::is_contained(scope.pending, value)) {
      waiting.push_back(value);
    }
  }
  size_t count = waiting.size();
  if (count > scope.pending.size() ||
      ArrayRef<Value>(scope.pending).take_back(count) != ArrayRef<Value>(waiting)) {
    flush(scope);
    return;
  }
  scope.pending.truncate(scope.pending.size() - count);
}

bool Writer::mayWait(Operation &op, const Text &text) {
  if (op.getNumResults() != 1 || !op.getResult(0).hasOneUse() || !nameOf(op.getLoc()).empty()) {
    return false;
  }
  bool isLong = text.text.size() > (inFormula ? kMaxWaitingFormula : kMaxWaiting);
  if (isLong || (!inFormula && text.text.find('\n') != std::string::npos)) {
    return false;
  }
  Operation *user = *op.getResult(0).user_begin();
  // Operands of a loop's or branch's own head are read in this block, those inside of it are not.
  return user->getBlock() == op.getBlock() && (isMemoryEffectFree(&op) || isa<tile::LoadOp>(op));
}

void Writer::define(Scope &scope, Operation &op, Text text) {
  if (mayWait(op, text)) {
    texts[op.getResult(0)] = std::move(text);
    scope.pending.push_back(op.getResult(0));
    return;
  }
  if (op.getNumResults() == 0) {
    statement(scope, text.text);
    return;
  }
  flush(scope);
  std::vector<std::string> list;
  for (Value result : op.getResults()) {
    list.push_back(names.fresh(list.empty() ? nameOf(op.getLoc()) : StringRef()));
    texts[result] = primary(list.back());
  }
  std::string pattern = llvm::join(list, ", ");
  statement(scope, "let " + (list.size() == 1 ? pattern : "(" + pattern + ")") + " = " + text.text);
}

/// A scalar of a formula that stands outside of every array: it is written where it is used.
bool Writer::isTopLevelScalar(Value value) {
  Operation *op = value.getDefiningOp();
  return inFormula && op && op->getParentOp() == kernel && op->getNumRegions() == 0 &&
         op->getNumResults() == 1;
}

Text Writer::use(Value value, LiteralType place) {
  if (auto constant = value.getDefiningOp<tile::ConstantOp>()) {
    auto tile = dyn_cast<RankedTensorType>(value.getType());
    if (!tile || place == LiteralType::FromPlace) {
      return literal(constant, place);
    }
    return primary("full(" + typeText(tile.getElementType()) + ", " + listText(tile.getShape()) +
                   ", " + literal(constant, LiteralType::FromPlace).text + ")");
  }
  if (hiddenViews.contains(value)) {
    return fail(kernel, "a formula reads a view whose name stands for the array that defines it");
  }
  if (auto it = texts.find(value); it != texts.end()) {
    return it->second;
  }
  if (isTopLevelScalar(value)) {
    if (++inlined > kMaxInlined) {
      return fail(value.getDefiningOp(), "the expressions of the launch repeat too often");
    }
    if (std::optional<Text> text = expression(*value.getDefiningOp())) {
      return *text;
    }
  }
  Operation *op = value.getDefiningOp();
  return fail(op ? op : value.getParentBlock()->getParentOp(),
              "a value is used outside of the region that makes it");
}

Text Writer::opaque(Value value) {
  bool known = value.getDefiningOp<tile::ConstantOp>() || extents.of(value);
  bool scalar = !isa<RankedTensorType>(value.getType());
  Text text = use(value);
  return known && scalar ? hidden(text) : text;
}

void Writer::writeBlock(Scope &scope, Block &block) {
  for (Operation &op : block) {
    if (failed) {
      return;
    }
    if (!op.hasTrait<OpTrait::IsTerminator>()) {
      writeOp(scope, op);
    }
  }
}

void Writer::writeOp(Scope &scope, Operation &op) {
  if (isa<tile::ConstantOp>(op) || writeControl(scope, op)) {
    return;
  }
  take(scope, evaluationOrder(op));
  if (std::optional<Text> text = expression(op)) {
    define(scope, op, std::move(*text));
  } else {
    fail(&op, "the language has no such op");
  }
}

Text Writer::blockText(Block &block, ValueRange values, bool braces) {
  Scope scope;
  writeBlock(scope, block);
  take(scope, values);
  Text value;
  SmallVector<std::string> parts;
  for (Value yielded : values) {
    Text text = use(yielded);
    parts.push_back(text.whole());
    value = std::move(text);
  }
  flush(scope);
  if (values.size() > 1) {
    value = primary("(" + llvm::join(parts, ", ") + ")");
  }
  if (!braces && scope.out.empty()) {
    return value;
  }
  std::string last = values.empty() ? std::string() : value.whole();
  return {"{\n" + scope.out + last + "\n}", Open};
}

} // namespace tessera::source
