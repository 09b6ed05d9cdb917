// Branches: `if` and `match`, at compile time and at run time.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Emitter.h"

#include "llvm/ADT/StringExtras.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tessera::sema {

static std::string articled(const Type &type) { return "`" + type.str() + "`"; }

Value Emitter::condition(const ast::Expr &expr, bool allowTile) {
  Value value = emitExpr(expr);
  value = operand(std::move(value), expr.range, DType::i1);
  if (value.isError()) {
    return value;
  }
  if (value.isUntyped() || value.element() != DType::i1) {
    error(diag::condition_not_bool, expr.range, "write a comparison, for example `x != 0`",
          value.describe());
    return Value::error();
  }
  if (!allowTile && value.kind == Value::Kind::Runtime && !value.shape().empty()) {
    error(diag::condition_not_scalar, expr.range,
          "choose elements with `select(c, a, b)` or `keep_if(c)`, or reduce the condition with "
          "`any` or `all`",
          value.describe());
    return Value::error();
  }
  return value;
}

Value Emitter::dynamic(const Value &value, SourceRange range) {
  if (value.isKnown()) {
    Value known = settle(value, range);
    mlir::Value ssa = known.isError() ? mlir::Value() : materialize(known, range);
    return ssa ? Value::runtime(ssa, known.element()) : Value::error();
  }
  if (value.kind != Value::Kind::Tuple && value.kind != Value::Kind::Struct) {
    return value;
  }
  Value result = value;
  for (Value &part : result.parts) {
    part = dynamic(part, range);
    if (part.isError()) {
      return part;
    }
  }
  return result.kind == Value::Kind::Tuple ? Value::tuple(std::move(result.parts)) : result;
}

/// Compile-time parts (enum cases, types, missing arguments) cannot differ between the sides of a branch.
static bool sameStaticParts(const Value &a, const Value &b) {
  if (a.kind != b.kind || a.parts.size() != b.parts.size()) {
    return false;
  }
  for (size_t i = 0; i < a.parts.size(); ++i) {
    if (!sameStaticParts(a.parts[i], b.parts[i])) {
      return false;
    }
  }
  // A view's extents and mode are known by its argument, so the argument must be known.
  bool runtime = (a.ssa && a.kind != Value::Kind::View && a.kind != Value::Kind::Array) ||
                 a.kind == Value::Kind::Tuple || a.kind == Value::Kind::Struct;
  return runtime || identical(a, b);
}

bool Emitter::join(Value &a, Value &b, SourceRange rangeA, SourceRange rangeB,
                   const llvm::Twine &what) {
  Type typeA = typeOf(a), typeB = typeOf(b);
  bool same = typeA == typeB;
  if (!same && typeA.kind == Type::Kind::Tile && typeB.kind == Type::Kind::Tile &&
      typeA.element == typeB.element &&
      irType(typeA.element, typeA.shape) == irType(typeB.element, typeB.shape)) {
    // An axis is `_` only if it is on both sides.
    for (size_t i = 0; i < typeA.shape.size(); ++i) {
      typeA.shape[i].wild &= typeB.shape[i].wild;
    }
    a.type = b.type = typeA;
    same = true;
  }
  if (same && sameStaticParts(a, b)) {
    return true;
  }
  DiagnosticBuilder d =
      error(diag::branch_types, rangeA,
            same ? "what differs here must be known at compile time: make the condition static"
                 : "give both sides one type with `as`, `_` or `broadcast`",
            what.str(), articled(typeA), articled(typeB));
  d.note(rangeB, "the other side");
  return false;
}

namespace {
/// One side of a branch: where it was walked and what came out.
struct Side {
  mlir::Block *block = nullptr;
  Value value;
  std::vector<std::pair<llvm::StringRef, Value>> vars;
};
} // namespace

/// The side that is a literal or `absent` takes the other's type.
static void adapt(Emitter &e, Side &side, const Value &other, SourceRange range) {
  mlir::OpBuilder::InsertionGuard guard(e.builder);
  e.builder.setInsertionPointToEnd(side.block);
  Value &value = side.value;
  if (value.isUntyped() || value.kind == Value::Kind::Absent) {
    Type type = e.typeOf(other);
    if (other.kind == Value::Kind::Absent) {
      return;
    }
    if (value.kind == Value::Kind::Int && other.kind == Value::Kind::Float) {
      type = Type::scalar(DType::f32);
    }
    value = type.kind == Type::Kind::Tile
                ? e.coerce(value, Type::scalar(type.element), range, "this side")
                : e.operand(value, range);
  } else if (value.kind == Value::Kind::Tuple && other.kind == Value::Kind::Tuple) {
    for (size_t i = 0; i < value.parts.size() && i < other.parts.size(); ++i) {
      Side part{side.block, value.parts[i], {}};
      adapt(e, part, other.parts[i], range);
      value.parts[i] = part.value;
    }
    value = Value::tuple(std::move(value.parts));
  } else if (value.kind == Value::Kind::Missing) {
    value = e.operand(value, range);
  }
}

static Value makeDynamic(Emitter &e, mlir::Block *block, const Value &value, SourceRange range) {
  mlir::OpBuilder::InsertionGuard guard(e.builder);
  e.builder.setInsertionPointToEnd(block);
  return e.dynamic(value, range);
}

Value Emitter::emitDynamicIf(mlir::Value cond, llvm::function_ref<Value()> then,
                             llvm::function_ref<Value()> otherwise, SourceRange range,
                             SourceRange thenRange, SourceRange elseRange) {
  Frame &frame = *frames.back();
  std::vector<std::pair<llvm::StringRef, Value>> before;
  for (const auto &scope : frame.scopes) {
    for (const auto &[name, binding] : *scope) {
      if (binding.isVar) {
        before.emplace_back(name, binding.value);
      }
    }
  }
  auto ifOp = mlir::scf::IfOp::create(builder, loc(range), mlir::TypeRange(), cond, true, true);
  Side sides[2];
  for (int i = 0; i < 2; ++i) {
    mlir::OpBuilder::InsertionGuard guard(builder);
    sides[i].block = i == 0 ? ifOp.thenBlock() : ifOp.elseBlock();
    sides[i].block->clear();
    builder.setInsertionPointToEnd(sides[i].block);
    sides[i].value = i == 0 ? then() : otherwise();
    for (auto &[name, value] : before) {
      sides[i].vars.emplace_back(name, lookup(name)->value);
      lookup(name)->value = value;
    }
  }
  if (sides[0].value.isError() || sides[1].value.isError()) {
    return Value::error();
  }

  // Results: the value, then every variable that a side changed.
  llvm::SmallVector<mlir::Value> yields[2];
  Value shape;
  bool hasValue =
      sides[0].value.kind != Value::Kind::Unit && sides[1].value.kind != Value::Kind::Unit;
  if (hasValue &&
      !(sides[0].value.kind == Value::Kind::Absent && sides[1].value.kind == Value::Kind::Absent)) {
    adapt(*this, sides[0], sides[1].value, thenRange);
    adapt(*this, sides[1], sides[0].value, elseRange);
    for (Side &side : sides) {
      side.value =
          side.value.isError() ? side.value : makeDynamic(*this, side.block, side.value, range);
      if (side.value.isError()) {
        return Value::error();
      }
    }
    if (!join(sides[0].value, sides[1].value, thenRange, elseRange, "the value of this `if`")) {
      return Value::error();
    }
    shape = sides[0].value;
    collectLeaves(sides[0].value, yields[0]);
    collectLeaves(sides[1].value, yields[1]);
  } else if (hasValue) {
    shape = sides[0].value;
  }
  std::vector<std::pair<llvm::StringRef, Value>> changed;
  for (size_t i = 0; i < before.size(); ++i) {
    Value a = sides[0].vars[i].second, b = sides[1].vars[i].second;
    if (identical(a, before[i].second) && identical(b, before[i].second)) {
      continue;
    }
    a = makeDynamic(*this, sides[0].block, a, range);
    b = makeDynamic(*this, sides[1].block, b, range);
    if (a.isError() || b.isError()) {
      lookup(before[i].first)->value = Value::error();
      continue;
    }
    if (!join(a, b, thenRange, elseRange, "`" + before[i].first + "`")) {
      lookup(before[i].first)->value = Value::error();
      continue;
    }
    collectLeaves(a, yields[0]);
    collectLeaves(b, yields[1]);
    changed.emplace_back(before[i].first, a);
  }

  llvm::SmallVector<mlir::Type> types;
  for (mlir::Value value : yields[0]) {
    types.push_back(value.getType());
  }
  auto result = mlir::scf::IfOp::create(builder, loc(range), types, cond, true, true);
  for (int i = 0; i < 2; ++i) {
    mlir::OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(sides[i].block);
    mlir::scf::YieldOp::create(builder, loc(range), yields[i]);
  }
  result.getThenRegion().takeBody(ifOp.getThenRegion());
  result.getElseRegion().takeBody(ifOp.getElseRegion());
  ifOp.erase();
  llvm::SmallVector<mlir::Value> results(result.getResults().begin(), result.getResults().end());
  size_t next = 0;
  Value value = hasValue ? replaceLeaves(shape, results, next) : Value::unit();
  for (auto &[name, after] : changed) {
    lookup(name)->value = replaceLeaves(after, results, next);
  }
  return value;
}

Value Emitter::emitIf(const ast::If &expr, const Type *expected) {
  Value cond = condition(*expr.cond);
  if (cond.isError()) {
    return cond;
  }
  bool discard = expected && expected->kind == Type::Kind::Unit;
  auto then = [&]() {
    Value value = emitBlock(*expr.then, expected);
    return discard && !value.isError() ? Value::unit() : value;
  };
  auto otherwise = [&]() {
    Value value = expr.otherwise ? emitExpr(*expr.otherwise, expected) : Value::unit();
    return discard && !value.isError() ? Value::unit() : value;
  };
  if (std::optional<bool> known = cond.asBool()) {
    return *known ? then() : otherwise();
  }
  SourceRange elseRange = expr.otherwise ? expr.otherwise->range : expr.range;
  return emitDynamicIf(cond.ssa, then, otherwise, expr.range, expr.then->range, elseRange);
}

Value Emitter::emitMatch(const ast::Match &expr, const Type *expected) {
  Value value = emitExpr(*expr.scrutinee);
  if (value.isError()) {
    return value;
  }
  if (value.kind != Value::Kind::EnumCase) {
    error(diag::match_not_enum, expr.scrutinee->range, "use `if` for other conditions",
          value.describe());
    return Value::error();
  }
  const ast::Enum &decl = *value.type.enumeration;
  std::vector<const ast::MatchArm *> arms(decl.cases.size(), nullptr);
  llvm::SmallVector<llvm::StringRef> known;
  for (const ast::Ident &item : decl.cases) {
    known.push_back(item.name);
  }
  for (const ast::MatchArm &arm : expr.arms) {
    size_t at = llvm::find(known, llvm::StringRef(arm.name.name)) - known.begin();
    if (at == known.size()) {
      std::string near = nearestName(arm.name.name, known);
      error(diag::unknown_case, arm.name.range,
            near.empty() ? "its cases are `" + llvm::join(known, "`, `") + "`"
                         : "did you mean `" + near + "`?",
            decl.name.name, arm.name.name)
          .note(decl.name.range, "declared here");
      return Value::error();
    }
    if (arms[at]) {
      error(diag::case_twice, arm.name.range, "leave one of them out", arm.name.name)
          .note(arms[at]->name.range, "the first one");
      return Value::error();
    }
    arms[at] = &arm;
  }
  for (size_t i = 0; i < arms.size(); ++i) {
    if (!arms[i]) {
      error(diag::case_missing, expr.range, ("add `" + known[i] + " => …`").str(), known[i],
            decl.name.name)
          .note(decl.name.range, "declared here");
      return Value::error();
    }
  }
  return emitExpr(*arms[value.index]->value, expected);
}

} // namespace tessera::sema
