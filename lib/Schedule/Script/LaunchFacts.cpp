// Conditions of versions, evaluated for a launch: the script's own syntax, numbers and truths alone.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tessera/Schedule/LaunchFacts.h"

#include "tessera/Schedule/ScriptParser.h"

using namespace tessera;
using namespace tessera::schedule;
using llvm::Twine;
using script::BinaryOp;

namespace {

struct Outcome {
  bool isTruth = false;
  __int128 number = 0; ///< of a truth 0 or 1

  static Outcome of(__int128 number) { return {false, number}; }
  static Outcome truth(bool holds) { return {true, holds ? 1 : 0}; }
};

class Evaluator {
public:
  explicit Evaluator(const LaunchValues &launch) : launch(launch) {}

  llvm::Expected<Outcome> value(const script::Expr &expr) const;

private:
  llvm::Expected<Outcome> unary(const script::Unary &expr) const;
  llvm::Expected<Outcome> binary(const script::Binary &expr) const;
  llvm::Expected<Outcome> call(const script::Call &expr) const;

  const LaunchValues &launch;
};

} // namespace

static llvm::Error sentence(const Twine &text) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), text);
}

/// Greater values are those of no program; sums and products of them still fit.
static bool isHuge(__int128 number) {
  constexpr __int128 most = __int128(1) << 62;
  return number > most || number < -most;
}

llvm::Expected<Outcome> Evaluator::unary(const script::Unary &expr) const {
  llvm::Expected<Outcome> operand = value(*expr.operand);
  if (!operand) {
    return operand;
  }
  bool isNot = expr.op == script::UnaryOp::Not;
  if (operand->isTruth != isNot) {
    return sentence(isNot ? "`not` stands before a number" : "`-` stands before a condition");
  }
  return isNot ? Outcome::truth(operand->number == 0) : Outcome::of(-operand->number);
}

static std::optional<bool> compared(BinaryOp op, __int128 a, __int128 b) {
  switch (op) {
  case BinaryOp::Eq:
    return a == b;
  case BinaryOp::Ne:
    return a != b;
  case BinaryOp::Lt:
    return a < b;
  case BinaryOp::Le:
    return a <= b;
  case BinaryOp::Gt:
    return a > b;
  case BinaryOp::Ge:
    return a >= b;
  default:
    return std::nullopt;
  }
}

static __int128 floorDivided(__int128 a, __int128 b) { return a / b - (a % b < 0 ? 1 : 0); }

static llvm::Expected<Outcome> computed(BinaryOp op, __int128 a, __int128 b) {
  bool divides = op == BinaryOp::FloorDiv || op == BinaryOp::Mod;
  bool shifts = op == BinaryOp::Shl || op == BinaryOp::Shr;
  if ((divides && b <= 0) || (shifts && (b < 0 || b > 62))) {
    return sentence(Twine("`") + script::spelling(op) + "` by " + Twine(int64_t(b)));
  }
  __int128 power = shifts ? __int128(1) << int(b) : 1;
  switch (op) {
  case BinaryOp::Add:
    return Outcome::of(a + b);
  case BinaryOp::Sub:
    return Outcome::of(a - b);
  case BinaryOp::Mul:
    return Outcome::of(a * b);
  case BinaryOp::FloorDiv:
    return Outcome::of(floorDivided(a, b));
  case BinaryOp::Mod:
    return Outcome::of(a - floorDivided(a, b) * b);
  case BinaryOp::Shl:
    return Outcome::of(a * power);
  case BinaryOp::Shr:
    return Outcome::of(floorDivided(a, power));
  default:
    return sentence(Twine("`") + script::spelling(op) + "` has no meaning for a launch");
  }
}

llvm::Expected<Outcome> Evaluator::binary(const script::Binary &expr) const {
  llvm::Expected<Outcome> a = value(*expr.lhs);
  if (!a) {
    return a;
  }
  llvm::Expected<Outcome> b = value(*expr.rhs);
  if (!b) {
    return b;
  }
  bool isLogic = llvm::is_contained({BinaryOp::And, BinaryOp::Or, BinaryOp::Xor}, expr.op);
  if (a->isTruth != b->isTruth || (isLogic && !a->isTruth)) {
    return sentence(Twine("`") + script::spelling(expr.op) + "` mixes numbers and conditions");
  }
  if (isLogic) {
    bool both = a->number && b->number, one = a->number || b->number;
    return Outcome::truth(expr.op == BinaryOp::And  ? both
                          : expr.op == BinaryOp::Or ? one
                                                    : one && !both);
  }
  if (std::optional<bool> result = compared(expr.op, a->number, b->number)) {
    return Outcome::truth(*result);
  }
  if (a->isTruth) {
    return sentence(Twine("`") + script::spelling(expr.op) + "` of conditions");
  }
  llvm::Expected<Outcome> result = computed(expr.op, a->number, b->number);
  if (result && isHuge(result->number)) {
    return sentence(Twine("`") + script::spelling(expr.op) + "` gives a number beyond 2^62");
  }
  return result;
}

/// `aligned(x, 16)`
llvm::Expected<Outcome> Evaluator::call(const script::Call &expr) const {
  const auto *callee = llvm::dyn_cast<script::Name>(expr.callee.get());
  if (!callee || callee->text != "aligned" || expr.args.size() != 2) {
    return sentence("a call of `" + script::pathText(*expr.callee) + "` has no value for a launch");
  }
  std::string view = script::pathText(*expr.args[0].value);
  llvm::Expected<Outcome> bytes = value(*expr.args[1].value);
  if (!bytes) {
    return bytes;
  }
  std::optional<bool> known;
  if (!view.empty() && !bytes->isTruth && bytes->number > 0) {
    known = launch.aligned(view, static_cast<int64_t>(bytes->number));
  }
  if (!known) {
    return sentence("`aligned` wants a view and a number of bytes");
  }
  return Outcome::truth(*known);
}

llvm::Expected<Outcome> Evaluator::value(const script::Expr &expr) const {
  if (const auto *number = llvm::dyn_cast<script::Int>(&expr)) {
    return Outcome::of(number->value);
  }
  if (const auto *truth = llvm::dyn_cast<script::Bool>(&expr)) {
    return Outcome::truth(truth->value);
  }
  if (std::string name = script::pathText(expr); !name.empty()) {
    if (std::optional<int64_t> known = launch.number(name)) {
      return Outcome::of(*known);
    }
    return sentence("the launch has no number `" + name + "`");
  }
  if (const auto *op = llvm::dyn_cast<script::Unary>(&expr)) {
    return unary(*op);
  }
  if (const auto *op = llvm::dyn_cast<script::Binary>(&expr)) {
    return binary(*op);
  }
  if (const auto *op = llvm::dyn_cast<script::Call>(&expr)) {
    return call(*op);
  }
  return sentence("a part of it has no meaning for a launch");
}

schedule::Condition schedule::readCondition(llvm::StringRef text) {
  SourceManager sources;
  DiagnosticEngine engine(sources);
  Condition condition;
  condition.file =
      script::parseScript("def condition() { return " + text.str() + " }", "condition", engine);
  const auto &defs = condition.file->defs;
  if (!engine.hasErrors() && defs.size() == 1 && defs.front()->body.stmts.size() == 1) {
    const auto *result = llvm::dyn_cast<script::Return>(defs.front()->body.stmts.front().get());
    condition.expr = result ? result->value.get() : nullptr;
  }
  return condition;
}

llvm::Expected<bool> schedule::holds(llvm::StringRef condition, const LaunchValues &launch) {
  Condition read = readCondition(condition);
  if (!read.expr) {
    return sentence("`" + condition + "` is no condition");
  }
  llvm::Expected<Outcome> value = Evaluator(launch).value(*read.expr);
  if (!value) {
    return sentence("`" + condition + "`: " + llvm::toString(value.takeError()));
  }
  if (!value->isTruth) {
    return sentence("`" + condition + "` is a number, no condition");
  }
  return value->number != 0;
}
