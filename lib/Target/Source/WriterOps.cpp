//===- WriterOps.cpp - elementwise ops, comparisons, casts ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Writer.h"

#include "tessera/Dialect/Tile/DTypes.h"
#include "tessera/Numeric/Modes.h"
#include "tessera/Numeric/ScalarOp.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tessera::source {

static bool isConstant(Value value) { return value.getDefiningOp<tile::ConstantOp>() != nullptr; }
static bool isScalar(Value value) { return !isa<RankedTensorType>(value.getType()); }

std::string Writer::call(StringRef name, ArrayRef<std::string> arguments) {
  return (name + "(" + llvm::join(arguments, ", ") + ")").str();
}

/// In the order in which the text of the op evaluates them; for most ops that of the operands.
SmallVector<Value> Writer::evaluationOrder(Operation &op) {
  SmallVector<Value> order;
  if (auto store = dyn_cast<tile::StoreOp>(op)) {
    bool last = store.getConflict() == tile::Conflict::last;
    if (!last) {
      order.push_back(store.getValue());
    }
    order.push_back(store.getView());
    llvm::append_range(order, store.getIndices());
    if (last) {
      order.push_back(store.getValue());
    }
    return order;
  }
  if (auto atomic = dyn_cast<tile::AtomicOp>(op)) {
    order.push_back(atomic.getView());
    llvm::append_range(order, atomic.getIndices());
    order.push_back(atomic.getValue());
    if (atomic.getCompare()) {
      order.push_back(atomic.getCompare());
    }
    return order;
  }
  return SmallVector<Value>(op.getOperands());
}

SmallVector<Text> Writer::alike(ValueRange operands) {
  SmallVector<Text> list;
  bool typed = llvm::any_of(operands, [](Value value) { return !isConstant(value); });
  for (auto [i, value] : llvm::enumerate(operands)) {
    // Where all are known the checker would compute the result itself.
    bool hide = !typed && i == 0 && isScalar(value);
    Text text = use(value, typed ? LiteralType::FromPlace : LiteralType::Settled);
    list.push_back(hide ? hidden(text) : text);
  }
  return list;
}

static Prec precedenceOf(StringRef op, unsigned arity) {
  if (arity == 1) {
    return op == "not" ? Not : Minus;
  }
  return llvm::StringSwitch<Prec>(op)
      .Case("or", Or)
      .Case("xor", Xor)
      .Case("and", And)
      .Cases({"<<", ">>"}, Shift)
      .Cases({"+", "-"}, Sum)
      .Default(Product);
}

std::optional<Text> Writer::elementwise(Operation &op) {
  StringRef mnemonic = op.getName().stripDialect();
  std::optional<ScalarOp> row = scalarOpByMnemonic(mnemonic);
  if (!row || op.getName().getDialectNamespace() != "tile" ||
      op.getNumOperands() != info(*row).arity) {
    return std::nullopt;
  }
  const ScalarOpInfo &facts = info(*row);
  SmallVector<Text> operands = alike(op.getOperands());
  DType type = dtypeOf(op.getOperand(0).getType());
  if (facts.isOperator && facts.arity == 2) {
    // `and` and `or` do not look at their right side where the left one decides; a known left side is hidden.
    if (isConstant(op.getOperand(0)) && isScalar(op.getOperand(0)) && isBool(type) &&
        operands[0].prec == Primary && !StringRef(operands[0].text).starts_with("dynamic(")) {
      operands[0] = hidden(operands[0]);
    }
    return infix(facts.surface, precedenceOf(facts.surface, 2), operands[0], operands[1]);
  }
  if (facts.isOperator && !(mnemonic == "neg" && !isSigned(type))) {
    Prec prec = precedenceOf(facts.surface, 1);
    std::string space = prec == Not ? " " : "";
    // A minus in front of digits is a literal.
    return Text{facts.surface + space + operands[0].at(prec == Not ? Not : As), prec};
  }
  SmallVector<std::string> arguments;
  for (const Text &text : operands) {
    arguments.push_back(text.whole());
  }
  if (auto accuracy = op.getAttrOfType<tile::AccuracyAttr>("accuracy");
      accuracy && accuracy.getValue() == tile::Accuracy::fast) {
    arguments.push_back("accuracy = fast");
  }
  return primary(call(facts.isOperator ? mnemonic : StringRef(facts.surface), arguments));
}

Text Writer::compareText(tile::CmpOp op) {
  static constexpr StringLiteral symbols[] = {"==", "!=", "<", "<=", ">", ">="};
  SmallVector<Text> operands = alike(op.getOperands());
  return infix(symbols[static_cast<unsigned>(op.getPredicate())], Compare, operands[0],
               operands[1]);
}

Text Writer::selectText(tile::SelectOp op) {
  Text condition = use(op.getCondition());
  if (isConstant(op.getCondition()) && isScalar(op.getCondition())) {
    condition = hidden(condition);
  }
  // Two literals take the condition's shape; their type is written. One takes the other side's type.
  bool bothKnown = isConstant(op.getA()) && isConstant(op.getB());
  auto side = [&](Value value) {
    auto constant = value.getDefiningOp<tile::ConstantOp>();
    return constant && bothKnown ? literal(constant, LiteralType::Settled)
                                 : use(value, LiteralType::FromPlace);
  };
  Text a = side(op.getA()), b = side(op.getB());
  return primary(call("select", {condition.whole(), a.whole(), b.whole()}));
}

/// Whether `x as T(…)` gives this very op: the checker drops casts that change nothing and modes that say nothing.
static bool isSurfaceCast(tile::CastOp op, DType from, DType to) {
  if (from == to) {
    return false;
  }
  if (isBool(from) || isBool(to)) {
    return !op.getRound() && !op.getOverflow();
  }
  if (isInteger(from) && isInteger(to)) {
    return !op.getRound() && castIsExact(from, to) == !op.getOverflow();
  }
  return true;
}

Text Writer::castText(tile::CastOp op) {
  Value x = op.getX();
  DType from = dtypeOf(x.getType()), to = dtypeOf(op.getType());
  Text operand = isConstant(x) && isScalar(x) ? hidden(use(x)) : use(x);
  bool surface = isSurfaceCast(op, from, to);
  SmallVector<std::string> modes;
  if (op.getRound()) {
    modes.push_back((surface ? "" : "round = ") + stringifyRound(*op.getRound()).str());
  }
  if (op.getOverflow()) {
    modes.push_back((surface ? "" : "overflow = ") + stringifyOverflow(*op.getOverflow()).str());
  }
  if (!surface) {
    SmallVector<std::string> arguments{name(to).str(), operand.whole()};
    arguments.append(modes);
    return primary(call("cast", arguments));
  }
  std::string suffix = modes.empty() ? "" : "(" + llvm::join(modes, ", ") + ")";
  return {operand.at(As) + " as " + name(to).str() + suffix, As};
}

std::optional<Text> Writer::expression(Operation &op) {
  if (std::optional<Text> text = elementwise(op)) {
    return text;
  }
  auto known = [&](Value x) { return isConstant(x) && isScalar(x) ? hidden(use(x)) : use(x); };
  std::optional<Text> text =
      TypeSwitch<Operation *, std::optional<Text>>(&op)
          .Case([&](tile::CmpOp cmp) { return compareText(cmp); })
          .Case([&](tile::SelectOp select) { return selectText(select); })
          .Case([&](tile::CastOp convert) { return castText(convert); })
          .Case([&](tile::BitsOp bits) {
            return primary(call("bits", {known(bits.getX()).whole()}));
          })
          .Case([&](tile::FromBitsOp bits) {
            return primary(call("from_bits", {typeText(tile::elementTypeOf(bits.getType())),
                                              known(bits.getX()).whole()}));
          })
          .Case([&](tile::PresentOp present) {
            return primary(call("present", {known(present.getX()).whole()}));
          })
          .Case([&](tile::FillAbsentOp fill) {
            return infix("??", Coalesce, known(fill.getX()),
                         use(fill.getFill(), isConstant(fill.getX()) ? LiteralType::Settled
                                                                     : LiteralType::FromPlace));
          })
          .Case([&](tile::AbsentOp absent) {
            SmallVector<std::string> arguments{typeText(tile::elementTypeOf(absent.getType()))};
            if (auto tile = dyn_cast<RankedTensorType>(absent.getType())) {
              arguments.push_back(listText(tile.getShape()));
            }
            return primary(call("absent", arguments));
          })
          .Case([&](tile::AtOp at) { return indexed(at.getArray(), at.getIndices(), {}); })
          .Case<tile::AssertOp, tile::AssumeOp>([&](auto check) {
            StringRef keyword = isa<tile::AssertOp>(op) ? "assert " : "assume ";
            return primary(keyword + known(check.getCondition()).whole() + ", " +
                           stringText(check.getText()));
          })
          .Case([&](tile::PrintOp print) {
            return primary(
                call("print", {known(print.getValue()).whole(), stringText(print.getText())}));
          })
          .Default([](Operation *) { return std::nullopt; });
  if (!text) {
    text = shapeOp(op);
  }
  if (!text) {
    text = reduceOp(op);
  }
  return text ? text : viewOp(op);
}

} // namespace tessera::source
