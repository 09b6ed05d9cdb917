// What is different inside a formula: indexing reads one element, folds exist, `absent` and `present` exist, loops and
// stores do not.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FormulaEmitter.h"

#include "tessera/Dialect/Tile/TileDialect.h"

namespace tessera::sema {

//===-- statements -------------------------------------------------------------------------------------------------===//

static llvm::StringRef nameOfStatement(const ast::Stmt &stmt) {
  switch (stmt.kind) {
  case ast::Kind::For:
    return "a `for` loop";
  case ast::Kind::While:
    return "a `while` loop";
  case ast::Kind::Grid:
    return "`grid`";
  case ast::Kind::Tune:
    return "`tune`";
  case ast::Kind::Unsafe:
    return "`unsafe`";
  case ast::Kind::Assert:
    return "an assertion";
  default:
    return "a store";
  }
}

void FormulaEmitter::emitStmt(const ast::Stmt &stmt) {
  switch (stmt.kind) {
  case ast::Kind::Let:
    if (!llvm::cast<ast::Let>(stmt).indices.empty()) {
      return emitArrayLet(llvm::cast<ast::Let>(stmt));
    }
    return Emitter::emitStmt(stmt);
  case ast::Kind::Static:
  case ast::Kind::ExprStmt:
    return Emitter::emitStmt(stmt);
  case ast::Kind::For:
    if (llvm::cast<ast::For>(stmt).isStatic) {
      return Emitter::emitStmt(stmt);
    }
    break;
  case ast::Kind::Assign:
    if (!llvm::isa<ast::Index>(*llvm::cast<ast::Assign>(stmt).place)) {
      return Emitter::emitStmt(stmt);
    }
    break;
  default:
    break;
  }
  error(diag::formula_statement, stmt.range, "a formula has `let`, `if`, folds and calls",
        nameOfStatement(stmt));
}

//===-- elements ---------------------------------------------------------------------------------------------------===//

mlir::Value FormulaEmitter::emitElementIndex(const ast::Expr &expr) {
  if (llvm::isa<ast::Colon, ast::Wildcard, ast::Range>(expr)) {
    error(diag::formula_index, expr.range, "write an index for each axis: `x[i, j]`",
          instance.engine.getSources().text(expr.range));
    return {};
  }
  Value value = settle(operand(emitExpr(expr), expr.range, DType::i64), expr.range);
  if (value.isError()) {
    return {};
  }
  if (!value.type.isScalar() || !isInteger(value.element())) {
    error(diag::formula_index, expr.range, "use an index of the formula or an integer element",
          value.describe());
    return {};
  }
  // Index arithmetic is 64-bit by meaning; widening an integer changes nothing.
  if (value.element() != DType::i64) {
    std::optional<Overflow> overflow;
    if (value.element() == DType::ui64) {
      overflow = Overflow::wrap;
    }
    value = cast(std::move(value), DType::i64, std::nullopt, overflow, expr.range);
  }
  return value.isError() ? mlir::Value() : materialize(value, expr.range);
}

Value FormulaEmitter::emitIndex(const ast::Index &index) {
  Value base = emitExpr(*index.base);
  if (base.isError()) {
    return base;
  }
  bool missing = base.kind == Value::Kind::Missing && base.type.kind == Type::Kind::View;
  if (!missing && base.kind != Value::Kind::View && base.kind != Value::Kind::Array) {
    error(diag::formula_indexed, index.range, "index a view, an output or a `let` with indices",
          base.describe());
    return Value::error();
  }
  if (base.type.rank != index.indices.size()) {
    error(diag::reference_rank, index.range, "write one index for each axis",
          instance.engine.getSources().text(index.base->range), base.type.rank,
          index.indices.size());
    return Value::error();
  }
  llvm::SmallVector<mlir::Value> operands;
  if (!missing) {
    operands.push_back(base.ssa);
  }
  for (const ast::ExprPtr &expr : index.indices) {
    mlir::Value value = emitElementIndex(*expr);
    if (!value) {
      return Value::error();
    }
    operands.push_back(value);
  }
  if (missing) {
    return opValue("absent", {}, base.element(), {}, index.range);
  }
  return opValue("at", operands, base.element(), {}, index.range);
}

//===-- folds ------------------------------------------------------------------------------------------------------===//

mlir::Value FormulaEmitter::emitBound(const ast::Expr &expr) {
  Value value = settle(operand(emitExpr(expr), expr.range, DType::i64), expr.range);
  if (value.isError()) {
    return {};
  }
  if (!value.type.isScalar() || value.element() != DType::i64) {
    error(diag::fold_bound, expr.range, "use extents, constants and indices (`as i64`)",
          value.describe());
    return {};
  }
  return materialize(value, expr.range);
}

std::pair<mlir::Value, mlir::Value> FormulaEmitter::emitRange(const ast::Range &range) {
  mlir::Value lo = range.lo ? emitBound(*range.lo) : materialize(Value::i64(0), range.range);
  mlir::Value hi = emitBound(*range.hi);
  return {lo, hi};
}

static tile::FoldKind foldKind(ast::FoldKind kind) {
  switch (kind) {
  case ast::FoldKind::Sum:
    return tile::FoldKind::sum;
  case ast::FoldKind::Prod:
    return tile::FoldKind::prod;
  case ast::FoldKind::Max:
    return tile::FoldKind::max;
  case ast::FoldKind::Min:
    return tile::FoldKind::min;
  case ast::FoldKind::Count:
    return tile::FoldKind::count;
  case ast::FoldKind::Any:
    return tile::FoldKind::any;
  case ast::FoldKind::All:
    return tile::FoldKind::all;
  case ast::FoldKind::First:
    return tile::FoldKind::first;
  }
  return tile::FoldKind::sum;
}

/// Whether a fold of this kind asks whether terms are true.
static bool foldsTruth(ast::FoldKind kind) {
  return kind == ast::FoldKind::Count || kind == ast::FoldKind::Any || kind == ast::FoldKind::All ||
         kind == ast::FoldKind::First;
}

Value FormulaEmitter::emitElement(const ast::Expr &expr, const Type *expected) {
  return settle(operand(emitExpr(expr, expected), expr.range,
                        expected ? std::optional<DType>(expected->element) : std::nullopt),
                expr.range);
}

Value FormulaEmitter::emitFold(const ast::Fold &fold, const Type *expected) {
  auto [lo, hi] = emitRange(*fold.bounds);
  if (!lo || !hi) {
    return Value::error();
  }
  mlir::OperationState state(loc(fold.range), "tile.fold");
  state.addOperands({lo, hi});
  state.addAttribute("kind", tile::FoldKindAttr::get(&instance.context, foldKind(fold.fold)));
  mlir::Region *region = state.addRegion();
  mlir::Block &body = region->emplaceBlock();
  mlir::Type i64 = irType(DType::i64);
  body.addArgument(i64, loc(fold.var.range));
  Value term;
  {
    mlir::OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(&body);
    pushScope();
    declare(fold.var.name, fold.var.range, Value::runtime(body.getArgument(0), DType::i64));
    Type truth = Type::scalar(DType::i1);
    term = emitElement(*fold.body, foldsTruth(fold.fold) ? &truth : expected);
    popScope();
    bool fits = term.isNumeric() && term.type.isScalar() &&
                (term.element() == DType::i1) == foldsTruth(fold.fold);
    if (!fits) {
      if (!term.isError()) {
        error(diag::fold_body, fold.body->range,
              "fold a number for each index, or a condition for `count` and `first`",
              ast::spelling(fold.fold), foldsTruth(fold.fold) ? "conditions" : "numbers",
              term.describe());
      }
      return Value::error();
    }
    mlir::OperationState yield(loc(fold.body->range), "tile.yield");
    yield.addOperands(materialize(term, fold.body->range));
    builder.create(yield);
  }
  bool index = fold.fold == ast::FoldKind::Count || fold.fold == ast::FoldKind::First;
  DType element = index ? DType::i64 : term.element();
  state.addTypes(irType(element));
  return Value::runtime(builder.create(state)->getResult(0), element);
}

//===-- absence ----------------------------------------------------------------------------------------------------===//

std::optional<Value> FormulaEmitter::emitSpecialName(llvm::StringRef name, SourceRange range,
                                                     const Type *expected) {
  if (name != "absent") {
    return std::nullopt;
  }
  if (expected && expected->isScalar()) {
    return opValue("absent", {}, expected->element, {}, range);
  }
  return Value::absent();
}

std::optional<Value> FormulaEmitter::emitSpecialCall(llvm::StringRef name, const ast::Call &call) {
  if (name != "present") {
    return std::nullopt;
  }
  if (call.args.size() != 1 || call.args.front().name) {
    error(diag::formula_indexed, call.range, "write `present(x[i])`", "a list of arguments");
    return Value::error();
  }
  const ast::Expr &arg = *call.args.front().value;
  Value value = emitExpr(arg);
  if (value.kind == Value::Kind::Missing || value.kind == Value::Kind::Absent) {
    return Value::boolean(false);
  }
  if (value.isKnown()) {
    return Value::boolean(true);
  }
  value = operand(std::move(value), arg.range);
  return value.isError() ? value : opValue("present", value.ssa, DType::i1, {}, call.range);
}

} // namespace tessera::sema
