// Expressions: dispatch, names, members, operators.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Builtins.h"
#include "Emitter.h"

#include "tessera/Frontend/ASTInstr.h"

namespace tessera::sema {

/// Greatest nesting of expressions, inlined calls included.
static constexpr unsigned kMaxDepth = 1000;

static Value misplaced(Emitter &e, const ast::Expr &expr, llvm::StringRef what,
                       llvm::StringRef help) {
  e.error(diag::expression_misplaced, expr.range, help, what);
  return Value::error();
}

Value Emitter::emitExpr(const ast::Expr &expr, const Type *expected) {
  if (stopped) {
    return Value::error();
  }
  if (++steps > instance.settings.maxExpressions || depth > kMaxDepth) {
    stopped = true;
    error(diag::program_too_large, expr.range,
          "use a run-time loop instead of an unrolled one, or fewer calls",
          depth > kMaxDepth ? "nested expressions" : "expressions",
          depth > kMaxDepth ? kMaxDepth : instance.settings.maxExpressions);
    return Value::error();
  }
  struct Level {
    unsigned &depth;
    explicit Level(unsigned &depth) : depth(depth) { ++depth; }
    ~Level() { --depth; }
  } level(depth);
  Value value = emitExprKind(expr, expected);
  value.origin = expr.range;
  return value;
}

Value Emitter::emitExprKind(const ast::Expr &expr, const Type *expected) {
  switch (expr.kind) {
  case ast::Kind::IntLit:
    return Value::untyped(llvm::cast<ast::IntLit>(expr).value);
  case ast::Kind::FloatLit:
    return Value::untypedFloat(llvm::cast<ast::FloatLit>(expr).text);
  case ast::Kind::BoolLit:
    return Value::boolean(llvm::cast<ast::BoolLit>(expr).value);
  case ast::Kind::StringLit:
    return Value::string(llvm::cast<ast::StringLit>(expr).value);
  case ast::Kind::Name:
    return emitName(llvm::cast<ast::Name>(expr), expected);
  case ast::Kind::Member:
    return emitMember(llvm::cast<ast::Member>(expr), expected);
  case ast::Kind::Call:
    return emitCall(llvm::cast<ast::Call>(expr), expected);
  case ast::Kind::Index:
    return emitIndex(llvm::cast<ast::Index>(expr));
  case ast::Kind::Unary:
    return emitUnary(llvm::cast<ast::Unary>(expr), expected);
  case ast::Kind::Binary:
    return emitBinary(llvm::cast<ast::Binary>(expr), expected);
  case ast::Kind::In:
    return emitIn(llvm::cast<ast::In>(expr));
  case ast::Kind::Cast:
    return emitCast(llvm::cast<ast::Cast>(expr));
  case ast::Kind::If:
    return emitIf(llvm::cast<ast::If>(expr), expected);
  case ast::Kind::Match:
    return emitMatch(llvm::cast<ast::Match>(expr), expected);
  case ast::Kind::Block:
    return emitBlock(llvm::cast<ast::Block>(expr), expected);
  case ast::Kind::Fold:
    return emitFold(llvm::cast<ast::Fold>(expr), expected);
  case ast::Kind::Tuple:
    return emitTuple(llvm::cast<ast::Tuple>(expr), expected);
  case ast::Kind::List: {
    Shape shape;
    for (const ast::ExprPtr &item : llvm::cast<ast::List>(expr).elements) {
      if (llvm::isa<ast::Wildcard>(*item)) {
        shape.push_back({1, true});
        continue;
      }
      Value value = constEval(*item, "an element of a list");
      std::optional<int64_t> number = value.asI64();
      if (!number) {
        if (!value.isError()) {
          error(diag::not_static_integer, item->range, "write an integer", "an element of a list",
                value.describe());
        }
        return Value::error();
      }
      shape.push_back({*number, value.wildAxis});
    }
    return Value::shapeList(std::move(shape));
  }
  case ast::Kind::Range:
    return misplaced(*this, expr, "a range", "ranges stand after `in` and as a tile's index");
  case ast::Kind::Tiles:
    return misplaced(
        *this, expr, "`tiles(…)`",
        "it stands after `in` of `grid` and `for`; a single span is `whole(N, width = W)`");
  case ast::Kind::Colon:
  case ast::Kind::Wildcard:
    return misplaced(*this, expr, "an index", "`:` and `_` stand in `[…]` only");
  case ast::Kind::Set:
  case ast::Kind::Edges:
    return misplaced(*this, expr, "a set", "sets stand after `in`");
  case ast::Kind::LayoutLit:
    return misplaced(*this, expr, "a layout",
                     "layouts stand in `layout` declarations and as the map of a fragment");
  default:
    return Value::error();
  }
}

//===-- names ------------------------------------------------------------------------------------------------------===//

Module *Emitter::namespaceOf(const ast::Expr &expr) {
  if (const auto *name = llvm::dyn_cast<ast::Name>(&expr)) {
    return lookup(name->name) ? nullptr : module().findNamespace(name->name);
  }
  if (const auto *member = llvm::dyn_cast<ast::Member>(&expr)) {
    Module *outer = namespaceOf(*member->base);
    return outer ? outer->findNamespace(member->member.name) : nullptr;
  }
  return nullptr;
}

Value Emitter::itemValue(const Module &owner, const ast::Item &item, SourceRange range) {
  if (const auto *constant = llvm::dyn_cast<ast::Const>(&item)) {
    return constItem(owner, *constant);
  }
  llvm::StringRef what = itemKind(item);
  std::string text = instance.engine.getSources().text(range).str();
  const auto *cases = llvm::dyn_cast<ast::Enum>(&item);
  std::string help =
      cases && !cases->cases.empty() ? "write a case: `" + text + "." + cases->cases[0].name + "`"
      : llvm::isa<ast::Kernel>(item) ? std::string("kernels are started by their user, not called")
      : llvm::isa<ast::LayoutDecl, ast::Instr, ast::Sync>(item)
          ? std::string("schedules use it, kernels do not")
          : "call it: `" + text + "(…)`";
  error(diag::not_a_value, range, help, text, what);
  return Value::error();
}

Value Emitter::emitName(const ast::Name &expr, const Type *expected) {
  llvm::StringRef name = expr.name;
  if (Binding *binding = lookup(name)) {
    return binding->value;
  }
  if (expected && expected->kind == Type::Kind::Optional) {
    expected = &expected->parts.front();
  }
  if (expected && expected->kind == Type::Kind::Enum) {
    for (auto [i, item] : llvm::enumerate(expected->enumeration->cases)) {
      if (item.name == name) {
        return Value::enumCase(expected->enumeration, i);
      }
    }
  }
  const Module *owner = nullptr;
  if (const ast::Item *item = module().find(name, owner)) {
    return itemValue(*owner, *item, expr.range);
  }
  llvm::ArrayRef<std::pair<const ast::Enum *, unsigned>> cases = module().findCases(name);
  if (cases.size() == 1) {
    return Value::enumCase(cases.front().first, cases.front().second);
  }
  if (cases.size() > 1) {
    DiagnosticBuilder d =
        error(diag::ambiguous_case, expr.range,
              "write `" + cases.front().first->name.name + "." + name + "`", name, cases.size());
    for (const auto &found : cases) {
      d.note(found.first->cases[found.second].range, "a case of `" + found.first->name.name + "`");
    }
    return Value::error();
  }
  if (std::optional<Value> special = emitSpecialName(name, expr.range, expected)) {
    return *special;
  }
  if (name == "missing") {
    return Value::missing(Type::error());
  }
  if (std::optional<DType> type = parseDType(name)) {
    return Value::dtype(*type);
  }
  if (std::optional<llvm::StringRef> text = builtinConstant(name)) {
    return Value::untypedFloat(*text);
  }
  if (findBuiltin(name)) {
    error(diag::not_a_value, expr.range, "call it: `" + name + "(…)`", name, "a function");
    return Value::error();
  }
  if (module().findNamespace(name)) {
    error(diag::not_a_value, expr.range, "name one of its items: `" + name + ".…`", name,
          "a module");
    return Value::error();
  }
  if (const Argument *missing = instance.missingViewWith(name)) {
    llvm::StringRef view = missing->decl->name.name;
    error(diag::extent_of_missing, expr.range, "use it inside of `if some(" + view + ") { … }`",
          name, view)
        .note(missing->decl->range, "declared here");
    return Value::error();
  }
  error(diag::unknown_name, expr.range, "declare it, or correct the spelling", name);
  return Value::error();
}

static Value enumMember(Emitter &e, const ast::Enum &decl, const ast::Member &expr) {
  llvm::SmallVector<llvm::StringRef> known;
  for (auto [i, item] : llvm::enumerate(decl.cases)) {
    if (item.name == expr.member.name) {
      return Value::enumCase(&decl, i);
    }
    known.push_back(item.name);
  }
  std::string near = nearestName(expr.member.name, known);
  e.error(diag::unknown_case, expr.member.range,
          near.empty() ? "its cases are `" + llvm::join(known, "`, `") + "`"
                       : "did you mean `" + near + "`?",
          decl.name.name, expr.member.name);
  return Value::error();
}

Value Emitter::emitMember(const ast::Member &expr, const Type *expected) {
  if (Module *space = namespaceOf(*expr.base)) {
    const Module *owner = nullptr;
    if (const ast::Item *item = space->find(expr.member.name, owner)) {
      return itemValue(*owner, *item, expr.range);
    }
    error(diag::unknown_member, expr.member.range, "correct the spelling", "`" + space->name + "`",
          expr.member.name);
    return Value::error();
  }
  if (const auto *name = llvm::dyn_cast<ast::Name>(expr.base.get()); name && !lookup(name->name)) {
    const Module *owner = nullptr;
    const ast::Item *item = module().find(name->name, owner);
    if (const auto *decl = llvm::dyn_cast_or_null<ast::Enum>(item)) {
      return enumMember(*this, *decl, expr);
    }
  }
  (void)expected;
  Value base = emitExpr(*expr.base);
  return base.isError() ? base : emitField(base, expr);
}

//===-- operators --------------------------------------------------------------------------------------------------===//

Value Emitter::emitUnary(const ast::Unary &expr, const Type *) {
  Value value = emitExpr(*expr.operand);
  bool negate = expr.op == ast::UnaryOp::Neg;
  if (negate && (value.kind == Value::Kind::Const || value.kind == Value::Kind::Runtime) &&
      isInteger(value.element()) && !isSigned(value.element())) {
    error(diag::unsigned_negation, expr.range,
          "write `0 - x` if wrapping is meant, or convert to a signed type", name(value.element()));
    return Value::error();
  }
  return elementwise(*scalarOpByMnemonic(negate ? "neg" : "not"), {std::move(value)}, expr.range);
}

static std::optional<CmpPredicate> predicateOf(ast::BinaryOp op) {
  switch (op) {
  case ast::BinaryOp::Eq:
    return CmpPredicate::eq;
  case ast::BinaryOp::Ne:
    return CmpPredicate::ne;
  case ast::BinaryOp::Lt:
    return CmpPredicate::lt;
  case ast::BinaryOp::Le:
    return CmpPredicate::le;
  case ast::BinaryOp::Gt:
    return CmpPredicate::gt;
  case ast::BinaryOp::Ge:
    return CmpPredicate::ge;
  default:
    return std::nullopt;
  }
}

Value Emitter::emitBinary(const ast::Binary &expr, const Type *expected) {
  if (expr.op == ast::BinaryOp::Coalesce) {
    Value value = emitExpr(*expr.lhs, expected);
    Value fill = emitExpr(*expr.rhs, expected);
    return fillAbsent(std::move(value), std::move(fill), expr.range);
  }
  Value lhs = emitExpr(*expr.lhs);
  // What decides at compile time: the other side may not exist in this instance.
  if (std::optional<bool> known = lhs.asBool();
      known &&
      ((expr.op == ast::BinaryOp::And && !*known) || (expr.op == ast::BinaryOp::Or && *known))) {
    return lhs;
  }
  if (std::optional<bool> known = lhs.asBool();
      known &&
      ((expr.op == ast::BinaryOp::And && *known) || (expr.op == ast::BinaryOp::Or && !*known))) {
    Value rhs = emitExpr(*expr.rhs);
    bool truth = (rhs.kind == Value::Kind::Const || rhs.kind == Value::Kind::Runtime) &&
                 rhs.element() == DType::i1;
    return truth || rhs.isError() ? rhs
                                  : elementwise(*scalarOpBySurface(ast::spelling(expr.op), 2),
                                                {std::move(lhs), std::move(rhs)}, expr.range);
  }
  Value rhs = emitExpr(*expr.rhs, lhs.kind == Value::Kind::EnumCase ? &lhs.type : nullptr);
  if (lhs.kind != Value::Kind::EnumCase && rhs.kind == Value::Kind::EnumCase) {
    lhs = lhs.isError() ? lhs : emitExpr(*expr.lhs, &rhs.type);
  }
  if (std::optional<CmpPredicate> predicate = predicateOf(expr.op)) {
    return compare(*predicate, std::move(lhs), std::move(rhs), expr.range);
  }
  std::optional<ScalarOp> op = scalarOpBySurface(ast::spelling(expr.op), 2);
  if (!op) {
    return Value::error();
  }
  return elementwise(*op, {std::move(lhs), std::move(rhs)}, expr.range);
}

Value Emitter::emitIn(const ast::In &expr) {
  Value value = emitExpr(*expr.operand);
  if (value.isError()) {
    return value;
  }
  const ScalarOp both = *scalarOpByMnemonic("and"), either = *scalarOpByMnemonic("or");
  if (const auto *range = llvm::dyn_cast<ast::Range>(expr.set.get())) {
    Value lo = range->lo ? emitExpr(*range->lo) : Value::untyped(0);
    Value hi = emitExpr(*range->hi);
    return elementwise(both,
                       {compare(CmpPredicate::ge, value, std::move(lo), expr.range),
                        compare(CmpPredicate::lt, value, std::move(hi), expr.range)},
                       expr.range);
  }
  const auto *set = llvm::dyn_cast<ast::Set>(expr.set.get());
  if (!set) {
    return misplaced(*this, *expr.set, "`edges(…)`",
                     "it stands in `test` blocks only; list the values: `{1, 2, 4}`");
  }
  Value result = Value::boolean(false);
  for (const ast::ExprPtr &item : set->elements) {
    Value element = emitExpr(*item, value.kind == Value::Kind::EnumCase ? &value.type : nullptr);
    Value equal = compare(CmpPredicate::eq, value, std::move(element), item->range);
    if (equal.isError()) {
      return equal;
    }
    if (equal.asBool() == true) {
      return equal;
    }
    result = result.asBool() == false ? equal : elementwise(either, {result, equal}, expr.range);
  }
  return result;
}

Value Emitter::emitCast(const ast::Cast &expr) {
  std::optional<DType> to = parseDType(expr.type.name);
  if (Binding *binding = lookup(expr.type.name);
      binding && binding->value.kind == Value::Kind::DType) {
    to = binding->value.element();
  }
  Value value = emitExpr(*expr.operand);
  if (!to) {
    error(diag::unknown_type, expr.type.range, "element types are `f32`, `bf16`, `i32`, …",
          expr.type.name);
    return Value::error();
  }
  std::optional<Round> round;
  std::optional<Overflow> overflow;
  for (const ast::Ident &mode : expr.modes) {
    std::optional<Round> r = parseRound(mode.name);
    std::optional<Overflow> o = parseOverflow(mode.name);
    if ((!r && !o) || (r && round) || (o && overflow)) {
      error((!r && !o) ? diag::cast_mode_unknown : diag::cast_mode_twice, mode.range,
            "directions are `rne`, `rz`, `ru`, `rd`, `away`; out of range is `inf`, `sat`, `nan` "
            "or `wrap`",
            mode.name);
      return Value::error();
    }
    round = r ? r : round;
    overflow = o ? o : overflow;
  }
  if (value.kind == Value::Kind::Array || value.kind == Value::Kind::View) {
    return castArray(value, *to, round, overflow, expr.range);
  }
  return cast(std::move(value), *to, round, overflow, expr.range);
}

Value Emitter::emitTuple(const ast::Tuple &expr, const Type *expected) {
  std::vector<Value> parts;
  bool typed = expected && expected->kind == Type::Kind::Tuple &&
               expected->parts.size() == expr.elements.size();
  for (auto [i, item] : llvm::enumerate(expr.elements)) {
    parts.push_back(emitExpr(*item, typed ? &expected->parts[i] : nullptr));
  }
  return Value::tuple(std::move(parts));
}

//===-- what only formulas have ------------------------------------------------------------------------------------===//

Value Emitter::emitFold(const ast::Fold &fold, const Type *) {
  error(diag::fold_outside_formula, fold.range,
        std::string("reduce a tile instead: `") + ast::spelling(fold.fold) + "(t, axis = 0)`",
        ast::spelling(fold.fold));
  return Value::error();
}

std::optional<Value> Emitter::emitSpecialName(llvm::StringRef name, SourceRange range,
                                              const Type *) {
  if (name != "absent") {
    return std::nullopt;
  }
  error(diag::absent_outside_formula, range, "in a body use `t.keep_if(condition)`");
  return Value::error();
}

Value Emitter::castArray(const Value &array, DType, std::optional<Round>, std::optional<Overflow>,
                         SourceRange range) {
  return operand(array, range);
}

std::optional<Value> Emitter::emitSpecialCall(llvm::StringRef, const ast::Call &) {
  return std::nullopt;
}

} // namespace tessera::sema
