// Operators of scripts: checked 64-bit integers, truths, lists, strings, and facts, which are built instead of computed.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Interpreter.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace tessera;
using namespace tessera::script;
using llvm::StringRef;

Value Interpreter::unary(const Unary &expr) {
  Value operand = eval(*expr.operand);
  if (stopped()) {
    return Value();
  }
  bool isNot = expr.op == UnaryOp::Not;
  if (FactPtr fact = operand.getFactPtr()) {
    auto result = std::make_shared<Fact>();
    result->kind = Fact::Kind::Unary;
    result->unary = expr.op;
    result->size = fact->size + 1;
    result->lhs = std::move(fact);
    size_t size = result->size;
    return sized(Value::fact(std::move(result)), size, kMaxFact, expr.range);
  }
  if (const bool *truth = operand.getBoolean(); truth && isNot) {
    return Value::boolean(!*truth);
  }
  if (const int64_t *integer = operand.getInteger(); integer && !isNot) {
    int64_t result = 0;
    if (!llvm::SubOverflow(int64_t(0), *integer, result)) {
      return Value::integer(result);
    }
    raise(DiagId::integer_overflow, expr.range, {"-"}, "scripts count up to 9223372036854775807");
    return Value();
  }
  raise(DiagId::operand_kind, expr.range, {isNot ? "not" : "-", operand.describe()},
        isNot ? "`not` takes true or false" : "`-` takes an integer");
  noteOrigin(operand);
  return Value();
}

Value Interpreter::binary(const Binary &expr) {
  if (expr.op == BinaryOp::And || expr.op == BinaryOp::Or) {
    return logic(expr);
  }
  Value lhs = eval(*expr.lhs);
  Value rhs = stopped() ? Value() : eval(*expr.rhs);
  return stopped() ? Value() : operate(expr, lhs, rhs);
}

/// `and` and `or` do not look at the right where the left decides.
Value Interpreter::logic(const Binary &expr) {
  Value lhs = eval(*expr.lhs);
  if (stopped()) {
    return Value();
  }
  bool decides = expr.op == BinaryOp::Or;
  const bool *left = lhs.getBoolean();
  if (left && *left == decides) {
    return Value::boolean(decides);
  }
  if (!left && !lhs.getFact()) {
    raise(DiagId::operand_kind, expr.lhs->range, {spelling(expr.op), lhs.describe()},
          "it takes truths and facts");
    noteOrigin(lhs);
    return Value();
  }
  Value rhs = eval(*expr.rhs);
  if (stopped()) {
    return Value();
  }
  if (!rhs.getBoolean() && !rhs.getFact()) {
    raise(DiagId::operand_kind, expr.rhs->range, {spelling(expr.op), rhs.describe()},
          "it takes truths and facts");
    noteOrigin(rhs);
    return Value();
  }
  return left ? rhs : factOf(expr, lhs, rhs);
}

Value Interpreter::operate(const Binary &expr, const Value &lhs, const Value &rhs) {
  if (expr.op == BinaryOp::In) {
    return contains(expr, lhs, rhs);
  }
  if (lhs.getFact() || rhs.getFact()) {
    return factOf(expr, lhs, rhs);
  }
  if (expr.op == BinaryOp::Eq || expr.op == BinaryOp::Ne) {
    const auto *elements = lhs.getList();
    step(expr.range, elements ? elements->size() : 0);
    return Value::boolean((lhs == rhs) == (expr.op == BinaryOp::Eq));
  }
  if (lhs.getInteger() && rhs.getInteger()) {
    return arithmetic(expr, *lhs.getInteger(), *rhs.getInteger());
  }
  if (lhs.getBoolean() && rhs.getBoolean() && expr.op == BinaryOp::Xor) {
    return Value::boolean(*lhs.getBoolean() != *rhs.getBoolean());
  }
  if (lhs.getString() && rhs.getString() && expr.op == BinaryOp::Add) {
    size_t size = lhs.getString()->size() + rhs.getString()->size();
    return sized(size > kMaxText ? Value() : Value::string(*lhs.getString() + *rhs.getString()),
                 size, kMaxText, expr.range);
  }
  if (lhs.getList() && rhs.getList() && expr.op == BinaryOp::Add) {
    std::vector<Value> all = *lhs.getList();
    all.insert(all.end(), rhs.getList()->begin(), rhs.getList()->end());
    size_t size = all.size();
    return sized(Value::list(std::move(all)), size, kMaxElements, expr.range);
  }
  raise(DiagId::operand_kind, expr.range,
        {spelling(expr.op), lhs.describe() + " and " + rhs.describe()},
        "both sides are integers; `+` also joins strings and lists, `==` compares all values");
  noteOrigin(rhs);
  noteOrigin(lhs);
  return Value();
}

Value Interpreter::contains(const Binary &expr, const Value &lhs, const Value &rhs) {
  const auto *elements = rhs.getList();
  if (!elements) {
    raise(DiagId::operand_kind, expr.rhs->range, {"in", rhs.describe()},
          "write a set `{a, b}`, a list or a range behind it");
    noteOrigin(rhs);
    return Value();
  }
  step(expr.range, elements->size());
  bool isKnown = !lhs.getFact() && llvm::none_of(*elements, [](const Value &element) {
    return element.getFact() != nullptr;
  });
  if (!isKnown) {
    return containsFact(expr, lhs, *elements);
  }
  return Value::boolean(std::find(elements->begin(), elements->end(), lhs) != elements->end());
}

/// `K in {1, 2}` is `K == 1 or K == 2`.
Value Interpreter::containsFact(const Binary &expr, const Value &lhs,
                                const std::vector<Value> &elements) {
  Binary equal, either;
  equal.op = BinaryOp::Eq;
  either.op = BinaryOp::Or;
  equal.range = either.range = expr.range;
  Value result = Value::boolean(false);
  for (const Value &element : elements) {
    Value same = factOf(equal, lhs, element);
    if (stopped()) {
      return Value();
    }
    result = result.getFact() ? factOf(either, result, same) : same;
    if (stopped()) {
      return Value();
    }
  }
  return result;
}

/// Integers and truths that nobody knows yet: the operator becomes part of the fact.
Value Interpreter::factOf(const Binary &expr, const Value &lhs, const Value &rhs) {
  FactPtr left = asFact(lhs), right = asFact(rhs);
  if (!left || !right) {
    raise(DiagId::operand_kind, expr.range,
          {spelling(expr.op), lhs.describe() + " and " + rhs.describe()},
          "a fact is made of sizes, integers and truths");
    noteOrigin(rhs);
    noteOrigin(lhs);
    return Value();
  }
  auto result = std::make_shared<Fact>();
  result->kind = Fact::Kind::Binary;
  result->binary = expr.op;
  result->size = left->size + right->size + 1;
  result->lhs = std::move(left);
  result->rhs = std::move(right);
  size_t size = result->size;
  return sized(Value::fact(std::move(result)), size, kMaxFact, expr.range);
}

Value Interpreter::arithmetic(const Binary &expr, int64_t lhs, int64_t rhs) {
  int64_t result = 0;
  bool overflow = false;
  switch (expr.op) {
  case BinaryOp::Lt:
    return Value::boolean(lhs < rhs);
  case BinaryOp::Le:
    return Value::boolean(lhs <= rhs);
  case BinaryOp::Gt:
    return Value::boolean(lhs > rhs);
  case BinaryOp::Ge:
    return Value::boolean(lhs >= rhs);
  case BinaryOp::Xor:
    return Value::integer(lhs ^ rhs);
  case BinaryOp::Add:
    overflow = llvm::AddOverflow(lhs, rhs, result);
    break;
  case BinaryOp::Sub:
    overflow = llvm::SubOverflow(lhs, rhs, result);
    break;
  case BinaryOp::Mul:
    overflow = llvm::MulOverflow(lhs, rhs, result);
    break;
  case BinaryOp::Shl:
  case BinaryOp::Shr:
    if (rhs < 0 || rhs > 63) {
      raise(DiagId::shift_amount, expr.rhs->range, {std::to_string(rhs)}, "shift by fewer bits");
      return Value();
    }
    result = expr.op == BinaryOp::Shr ? lhs >> rhs : static_cast<int64_t>(uint64_t(lhs) << rhs);
    overflow = expr.op == BinaryOp::Shl && (result >> rhs) != lhs;
    break;
  default:
    return divide(expr, lhs, rhs);
  }
  if (overflow) {
    raise(DiagId::integer_overflow, expr.range, {spelling(expr.op)},
          "scripts count up to 9223372036854775807");
    return Value();
  }
  return Value::integer(result);
}

/// `/` is exact; `//` rounds down, `%` has the sign of the divisor, as in the kernel language.
Value Interpreter::divide(const Binary &expr, int64_t lhs, int64_t rhs) {
  if (rhs == 0) {
    raise(DiagId::division_by_zero, expr.range, {std::to_string(lhs)},
          "test the divisor with `if` before");
    return Value();
  }
  if (rhs == -1) { // the quotient of the least integer does not fit
    int64_t result = 0;
    if (expr.op != BinaryOp::Mod && llvm::SubOverflow(int64_t(0), lhs, result)) {
      raise(DiagId::integer_overflow, expr.range, {spelling(expr.op)},
            "scripts count up to 9223372036854775807");
      return Value();
    }
    return Value::integer(result);
  }
  int64_t quotient = lhs / rhs, remainder = lhs % rhs;
  if (expr.op == BinaryOp::Div && remainder) {
    raise(DiagId::division_inexact, expr.range,
          {std::to_string(lhs), std::to_string(rhs), std::to_string(remainder)},
          "`//` rounds down; `ceil_div(a, b)` rounds up");
    return Value();
  }
  if (remainder && (remainder < 0) != (rhs < 0)) {
    remainder += rhs;
    --quotient;
  }
  return Value::integer(expr.op == BinaryOp::Mod ? remainder : quotient);
}
