// Statements: names, places, grid, assertions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Emitter.h"

#include "tessera/Dialect/Tile/TileDialect.h"

namespace tessera::sema {

Value Emitter::emitBlock(const ast::Block &block, const Type *expected) {
  pushScope();
  emitStmts(block);
  Value value = Value::unit();
  if (block.value && !stopped) {
    value = emitExpr(*block.value, expected);
  }
  popScope();
  return value;
}

void Emitter::emitStmts(const ast::Block &block) {
  for (const ast::StmtPtr &stmt : block.stmts) {
    if (stopped) {
      return;
    }
    emitStmt(*stmt);
  }
}

void Emitter::emitStmt(const ast::Stmt &stmt) {
  switch (stmt.kind) {
  case ast::Kind::Let:
    return emitLet(llvm::cast<ast::Let>(stmt));
  case ast::Kind::Assign: {
    const auto &assignment = llvm::cast<ast::Assign>(stmt);
    Binding *binding = nullptr;
    if (const auto *name = llvm::dyn_cast<ast::Name>(assignment.place.get())) {
      binding = lookup(name->name);
    }
    Type expected = binding ? binding->type : Type::error();
    Value value = emitExpr(*assignment.value, binding ? &expected : nullptr);
    return assign(*assignment.place, std::move(value), assignment.value->range);
  }
  case ast::Kind::ExprStmt: {
    Type unit = Type::unit();
    emitExpr(*llvm::cast<ast::ExprStmt>(stmt).expr, &unit);
    return;
  }
  case ast::Kind::For:
    return emitFor(llvm::cast<ast::For>(stmt));
  case ast::Kind::While:
    return emitWhile(llvm::cast<ast::While>(stmt));
  case ast::Kind::Assert:
    return emitAssert(llvm::cast<ast::Assert>(stmt));
  case ast::Kind::Unsafe: {
    Type unit = Type::unit();
    emitBlock(*llvm::cast<ast::Unsafe>(stmt).body, &unit);
    return;
  }
  case ast::Kind::Grid:
    return emitGrid(llvm::cast<ast::Grid>(stmt));
  case ast::Kind::Static:
  case ast::Kind::Tune:
    // Fixed with the instance; only their place is checked here.
    if (frames.size() > 1 || frames.back()->scopes.size() > 2) {
      error(diag::statement_misplaced, stmt.range, "move it to the start of the kernel's body",
            stmt.kind == ast::Kind::Static ? "static" : "tune");
    }
    return;
  default:
    return;
  }
}

//===-- names ------------------------------------------------------------------------------------------------------===//

static bool holdsView(const Value &value) {
  return value.kind == Value::Kind::View || value.kind == Value::Kind::Array ||
         llvm::any_of(value.parts, holdsView);
}

void Emitter::emitLet(const ast::Let &stmt) {
  if (!stmt.indices.empty()) {
    error(diag::array_outside_formula, stmt.range,
          "in a body make a tile: `let t = zeros(f32, [64])`");
    for (const ast::Ident &name : stmt.pattern.names) {
      declare(name.name, name.range, Value::error());
    }
    return;
  }
  std::optional<Type> type;
  if (stmt.type) {
    type = resolveType(*stmt.type);
  }
  Value value = emitExpr(*stmt.value, type ? &*type : nullptr);
  llvm::StringRef first = stmt.pattern.names.empty() ? llvm::StringRef("")
                                                     : llvm::StringRef(stmt.pattern.names[0].name);
  if (type) {
    value = coerce(std::move(value), *type, stmt.value->range, "`" + first + "`");
  }
  if (value.kind == Value::Kind::Unit) {
    error(diag::no_value, stmt.value->range, "end the block or function with a value");
    value = Value::error();
  }
  if (value.kind == Value::Kind::Absent) {
    value = operand(std::move(value), stmt.value->range);
  }
  if (stmt.isVar) {
    if (value.kind == Value::Kind::Float) {
      SourceRange after =
          stmt.pattern.range.isValid() ? stmt.pattern.range.atEnd() : stmt.value->range.atBegin();
      error(diag::var_needs_type, stmt.value->range, "write `var " + first + ": f32 = …`", first)
          .fixIt(after, ": f32");
      value = Value::error();
    }
    value = settle(std::move(value), stmt.value->range);
    if (holdsView(value)) {
      error(diag::var_of_view, stmt.value->range, "name it with `let`", value.describe());
      value = Value::error();
    }
  }
  if (!stmt.pattern.isTuple) {
    if (!stmt.pattern.names.empty()) {
      nameValue(value, first, stmt.pattern.range);
      declare(stmt.pattern.names[0].name, stmt.pattern.names[0].range, std::move(value),
              stmt.isVar);
    }
    return;
  }
  bool fits = value.kind == Value::Kind::Tuple && value.parts.size() == stmt.pattern.names.size();
  if (!fits && !value.isError()) {
    error(diag::pattern_mismatch, stmt.pattern.range, "write as many names as the value has parts",
          stmt.pattern.names.size(), value.describe());
  }
  for (auto [i, name] : llvm::enumerate(stmt.pattern.names)) {
    declare(name.name, name.range, fits ? value.parts[i] : Value::error(), stmt.isVar);
  }
}

//===-- places -----------------------------------------------------------------------------------------------------===//

static void assignName(Emitter &e, const ast::Name &name, Value value, SourceRange valueRange) {
  Binding *binding = e.lookup(name.name);
  if (!binding) {
    e.error(diag::not_assignable, name.range, "declare it: `var " + name.name + " = …`", name.name,
            "not a variable");
    return;
  }
  if (!binding->isVar) {
    // `let` stands before the name, or before the `(` of a pattern.
    SourceRange decl = binding->decl;
    SourceRange keyword{decl.file, decl.begin - std::min(decl.begin, 4u), decl.begin};
    bool isLet = decl.isValid() && e.instance.engine.getSources().text(keyword) == "let ";
    DiagnosticBuilder d =
        e.error(diag::not_assignable, name.range,
                isLet ? "declare it with `var`" : "copy it into a `var` first", name.name, "fixed");
    d.note(decl, "declared here");
    if (isLet) {
      d.fixIt(keyword, "var ");
    }
    return;
  }
  if (value.isError() || binding->value.isError()) {
    binding->value = Value::error();
    return;
  }
  Type found = e.typeOf(value);
  bool literal =
      value.isUntyped() || value.kind == Value::Kind::Absent || value.kind == Value::Kind::Missing;
  bool sameIr =
      found.kind == Type::Kind::Tile && binding->type.kind == Type::Kind::Tile &&
      found.element == binding->type.element &&
      e.irType(found.element, found.shape) == e.irType(binding->type.element, binding->type.shape);
  if (!literal && found != binding->type && !sameIr && found.kind != Type::Kind::Tuple) {
    std::string help =
        found.kind == Type::Kind::Tile && found.shape == binding->type.shape
            ? ("convert it: `… as " + llvm::StringRef(tessera::name(binding->type.element)) + "`")
                  .str()
            : std::string("a variable keeps its type; use another name");
    e.error(diag::var_type_changed, valueRange, help, name.name, binding->type.str(), found.str())
        .note(binding->decl, "declared here");
    return;
  }
  Value converted = e.coerce(std::move(value), binding->type, valueRange, "`" + name.name + "`");
  e.nameValue(converted, name.name, name.range);
  binding = e.lookup(name.name);
  binding->value = std::move(converted);
}

void Emitter::assign(const ast::Expr &place, Value value, SourceRange valueRange) {
  if (const auto *name = llvm::dyn_cast<ast::Name>(&place)) {
    return assignName(*this, *name, std::move(value), valueRange);
  }
  if (const auto *index = llvm::dyn_cast<ast::Index>(&place)) {
    Value view = writableView(*index->base, "a store");
    if (!view.isError()) {
      store(view, *index, std::move(value), valueRange, "error");
    }
    return;
  }
  const auto *member = llvm::dyn_cast<ast::Member>(&place);
  if (!member) {
    error(diag::not_assignable, place.range, "assign to a variable, a field or elements of a view",
          instance.engine.getSources().text(place.range), "not a place");
    return;
  }
  Value base = emitExpr(*member->base);
  if (base.isError() || value.isError()) {
    return;
  }
  if (base.kind == Value::Kind::Struct) {
    const StructInstance &structure = *base.type.structure;
    for (size_t i = 0; i < structure.fields.size() && i < base.parts.size(); ++i) {
      if (structure.fields[i].first == member->member.name) {
        base.parts[i] = coerce(std::move(value), structure.fields[i].second, valueRange,
                               "the field `" + member->member.name + "`");
        if (!base.parts[i].isError()) {
          assign(*member->base, std::move(base), valueRange);
        }
        return;
      }
    }
  }
  error(diag::not_assignable, place.range, "assign to a variable, a field or elements of a view",
        instance.engine.getSources().text(place.range), "not a field");
}

//===-- grid -------------------------------------------------------------------------------------------------------===//

/// After an error the axes exist, so that their uses are not reported too.
static void declareAxes(Emitter &e, const ast::Grid &stmt) {
  for (const ast::Axis &axis : stmt.axes) {
    e.declare(axis.name.name, axis.name.range, Value::error());
  }
}

/// Stores, atomics and prints: outside of the grid they would belong to no point.
static bool hasEffects(mlir::Block &block) {
  return block
      .walk([](mlir::Operation *op) {
        llvm::StringRef name = op->getName().getStringRef();
        bool effect = name == "tile.store" || name == "tile.atomic" || name == "tile.print";
        return effect ? mlir::WalkResult::interrupt() : mlir::WalkResult::advance();
      })
      .wasInterrupted();
}

void Emitter::emitGrid(const ast::Grid &stmt) {
  if (frames.size() > 1 || frames.back()->scopes.size() > 2 || isFormula()) {
    error(diag::statement_misplaced, stmt.range, "move it to the kernel's body", "grid");
    return declareAxes(*this, stmt);
  }
  if (gridSeen) {
    error(diag::grid_twice, stmt.range, "write all axes in one `grid`, separated by commas");
    return declareAxes(*this, stmt);
  }
  gridSeen = true;
  if (hasEffects(*builder.getInsertionBlock())) {
    error(diag::effect_before_grid, stmt.range,
          "move it behind `grid`: the rest of the body runs at every point");
    return declareAxes(*this, stmt);
  }
  llvm::SmallVector<mlir::Value> lows, highs;
  llvm::SmallVector<int64_t> widths;
  std::vector<Value> axes;
  for (const ast::Axis &axis : stmt.axes) {
    Domain domain = emitDomain(*axis.domain);
    if (!domain.ok) {
      return declareAxes(*this, stmt);
    }
    lows.push_back(domain.lo);
    highs.push_back(domain.hi);
    widths.push_back(domain.width);
    axes.push_back(domain.step);
  }
  mlir::OperationState state(loc(stmt.range), "tile.grid");
  state.addOperands(lows);
  state.addOperands(highs);
  int32_t count = static_cast<int32_t>(lows.size());
  state.addAttributes({attr("widths", widths),
                       attr("operandSegmentSizes", builder.getDenseI32ArrayAttr({count, count}))});
  auto *block = new mlir::Block();
  state.addRegion()->push_back(block);
  builder.create(state);
  for (auto [i, axis] : llvm::enumerate(stmt.axes)) {
    axes[i].ssa = block->addArgument(
        axes[i].kind == Value::Kind::Span
            ? mlir::Type(tile::SpanType::get(&instance.context, axes[i].width))
            : irType(DType::i64),
        mlir::NameLoc::get(builder.getStringAttr(axis.name.name), loc(axis.name.range)));
    declare(axis.name.name, axis.name.range, axes[i]);
  }
  // The rest of the body runs at every point.
  builder.setInsertionPointToEnd(block);
}

void Emitter::emitAssert(const ast::Assert &stmt) {
  Value value = condition(*stmt.cond, true);
  if (value.isError()) {
    return;
  }
  llvm::StringRef source = instance.engine.getSources().text(stmt.cond->range);
  llvm::StringRef text = stmt.message ? llvm::StringRef(stmt.message->value) : source;
  if (std::optional<bool> known = value.asBool()) {
    if (!*known) {
      error(diag::assert_false, stmt.cond->range, "correct the condition or the instance", text);
    }
    return;
  }
  mlir::OperationState state(loc(stmt.range), stmt.isAssume ? "tile.assume" : "tile.assert");
  state.addOperands(value.ssa);
  state.addAttributes(attr("text", builder.getStringAttr(text)));
  builder.create(state);
}

} // namespace tessera::sema
