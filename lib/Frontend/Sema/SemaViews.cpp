// Views: index lists, loads, stores, spans, and extents as expressions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Builtins.h"

#include "tessera/Dialect/Tile/TileDialect.h"

namespace tessera::sema {

//===-- extents ----------------------------------------------------------------------------------------------------===//

mlir::AffineExpr Emitter::symbolicOf(const Value &value) const {
  if (std::optional<int64_t> known = value.asI64()) {
    return mlir::getAffineConstantExpr(*known, &instance.context);
  }
  return value.kind == Value::Kind::Runtime ? value.symbolic : mlir::AffineExpr();
}

Value Emitter::emitAffine(mlir::AffineExpr expr, SourceRange range) {
  if (auto constant = llvm::dyn_cast<mlir::AffineConstantExpr>(expr)) {
    return Value::i64(constant.getValue());
  }
  if (auto symbol = llvm::dyn_cast<mlir::AffineSymbolExpr>(expr)) {
    // Extents are declared in the kernel's own frame, outside of every call.
    Scope &scope = *frames.front()->scopes.front();
    auto it = scope.find(instance.extents[symbol.getPosition()]);
    return it == scope.end() ? Value::error() : it->second.value;
  }
  auto binary = llvm::cast<mlir::AffineBinaryOpExpr>(expr);
  Value lhs = emitAffine(binary.getLHS(), range), rhs = emitAffine(binary.getRHS(), range);
  llvm::StringRef mnemonic = expr.getKind() == mlir::AffineExprKind::Add   ? "add"
                             : expr.getKind() == mlir::AffineExprKind::Mul ? "mul"
                             : expr.getKind() == mlir::AffineExprKind::Mod ? "mod"
                                                                           : "floordiv";
  return elementwise(*scalarOpByMnemonic(mnemonic), {std::move(lhs), std::move(rhs)}, range);
}

Value Emitter::extentOf(const Value &array, unsigned axis, SourceRange range) {
  if (array.kind == Value::Kind::Array) {
    if (axis < array.dims.size()) {
      return Value::runtime(array.dims[axis], DType::i64);
    }
    error(diag::array_extent_unknown, range, "define what needs it in `reference`");
    return Value::error();
  }
  if (axis < array.extents.size() && array.extents[axis]) {
    return emitAffine(array.extents[axis], range);
  }
  return opValue("dim", array.ssa, DType::i64, {}, range, attr("axis", static_cast<int64_t>(axis)));
}

/// `2 * H`, `N`: an extent as the source would write it.
static std::string extentText(const Instance &instance, mlir::AffineExpr expr) {
  if (auto constant = llvm::dyn_cast<mlir::AffineConstantExpr>(expr)) {
    return std::to_string(constant.getValue());
  }
  if (auto symbol = llvm::dyn_cast<mlir::AffineSymbolExpr>(expr)) {
    return instance.extents[symbol.getPosition()];
  }
  auto binary = llvm::cast<mlir::AffineBinaryOpExpr>(expr);
  const char *op = expr.getKind() == mlir::AffineExprKind::Add   ? " + "
                   : expr.getKind() == mlir::AffineExprKind::Mul ? " * "
                   : expr.getKind() == mlir::AffineExprKind::Mod ? " % "
                                                                 : " // ";
  auto wrap = [&](mlir::AffineExpr part) {
    std::string text = extentText(instance, part);
    return llvm::isa<mlir::AffineBinaryOpExpr>(part) ? "(" + text + ")" : text;
  };
  return wrap(binary.getLHS()) + op + wrap(binary.getRHS());
}

//===-- spans ------------------------------------------------------------------------------------------------------===//

Value Emitter::makeSpan(const Value &start, const Value &hi, int64_t width, bool exact,
                        SourceRange range) {
  mlir::Value lo = materialize(start, range), limit = materialize(hi, range);
  if (!lo || !limit) {
    return Value::error();
  }
  Value span;
  span.kind = Value::Kind::Span;
  span.type.kind = Type::Kind::Span;
  span.type.width = span.width = width;
  span.symbolic = symbolicOf(hi);
  span.start = start.asI64().value_or(-1);
  llvm::SmallVector<mlir::NamedAttribute, 1> attributes;
  if (exact) {
    attributes.push_back(unitAttr("exact"));
  }
  span.ssa =
      op("span", {lo, limit}, tile::SpanType::get(&instance.context, width), range, attributes);
  return span;
}

/// A span on an axis: equal limits are fine, known ones are compared, others are checked at launch.
static bool checkSpan(Emitter &e, const Value &span, mlir::AffineExpr extent, SourceRange range) {
  mlir::AffineExpr limit = span.symbolic;
  if (!limit || !extent || limit == extent) {
    return true;
  }
  auto knownLimit = llvm::dyn_cast<mlir::AffineConstantExpr>(limit);
  auto knownExtent = llvm::dyn_cast<mlir::AffineConstantExpr>(extent);
  if (knownLimit && knownExtent) {
    if (knownLimit.getValue() <= knownExtent.getValue()) {
      return true;
    }
    e.error(diag::span_exceeds, range, "index the axis with a span of its own extent",
            knownLimit.getValue(), knownExtent.getValue());
    return false;
  }
  for (const LaunchCheck &check : e.instance.launchChecks) {
    if (check.lhs == limit && check.rhs == extent) {
      return true;
    }
  }
  e.instance.launchChecks.push_back(
      {limit, extent, extentText(e.instance, limit) + " <= " + extentText(e.instance, extent),
       range});
  return true;
}

//===-- index lists ------------------------------------------------------------------------------------------------===//

/// One index that is an expression: span, integer, integer tile.
static bool indexAxis(Emitter &e, Emitter::ViewIndex &result, const ast::Expr &expr,
                      mlir::AffineExpr extent) {
  Value value = e.emitExpr(expr);
  if (value.isError()) {
    return false;
  }
  result.whole.push_back(false);
  if (value.kind == Value::Kind::Span) {
    result.indices.push_back(value.ssa);
    result.box.push_back({value.width, false});
    return checkSpan(e, value, extent, expr.range);
  }
  value = e.operand(std::move(value), expr.range);
  if (value.isError()) {
    return false;
  }
  if (value.kind == Value::Kind::Float || (!value.isUntyped() && !isInteger(value.element()))) {
    e.error(diag::index_type, expr.range, "index with a span, an integer or a tile of integers",
            value.describe());
    return false;
  }
  if (value.kind == Value::Kind::Runtime && !value.shape().empty()) {
    result.indices.push_back(value.ssa);
    result.box.append(value.shape().begin(), value.shape().end());
    result.gathers = true;
    return true;
  }
  auto known = llvm::dyn_cast_or_null<mlir::AffineConstantExpr>(extent);
  std::optional<__int128> number = value.asInteger();
  if (number && (*number < 0 || (known && *number >= known.getValue()))) {
    e.error(diag::index_out_of_range, expr.range,
            "indices are counted from 0 and do not wrap around", toString(*number),
            known ? "[0, " + std::to_string(known.getValue()) + ")" : std::string("[0, extent)"));
    return false;
  }
  // An index is a number, whatever its width: widening it changes no value.
  value = value.isUntyped()
              ? e.toDType(value, DType::i64, expr.range)
              : e.cast(std::move(value), DType::i64, std::nullopt, std::nullopt, expr.range);
  mlir::Value ssa = value.isError() ? mlir::Value() : e.materialize(value, expr.range);
  result.indices.push_back(ssa);
  return static_cast<bool>(ssa);
}

Emitter::ViewIndex Emitter::indexView(const Value &view, const ast::Index &index) {
  ViewIndex result;
  if (index.indices.size() != view.type.rank) {
    error(diag::index_count, index.range,
          "write an index for every axis; `:` takes an axis of static extent whole", view.type.rank,
          index.indices.size());
    return result;
  }
  for (auto [axis, expr] : llvm::enumerate(index.indices)) {
    mlir::AffineExpr extent = axis < view.extents.size() ? view.extents[axis] : mlir::AffineExpr();
    if (llvm::isa<ast::Wildcard>(*expr) || llvm::isa<ast::Range>(*expr)) {
      bool wildcard = llvm::isa<ast::Wildcard>(*expr);
      error(diag::view_index_form, expr->range,
            wildcard
                ? "load first, then add the axis: `view[r, c][:, _]`"
                : "cut the view with `.slice(axis, lo, hi)`, or loop over `tiles(lo..hi, width)`",
            wildcard ? "`_`" : "a range");
      return result;
    }
    if (!llvm::isa<ast::Colon>(*expr)) {
      if (!indexAxis(*this, result, *expr, extent)) {
        return result;
      }
      continue;
    }
    auto known = llvm::dyn_cast_or_null<mlir::AffineConstantExpr>(extent);
    if (!known) {
      error(diag::whole_axis_dynamic, expr->range,
            "use a span: `whole(" + (extent ? extentText(instance, extent) : std::string("N")) +
                ", width = …)`",
            axis, extent ? extentText(instance, extent) : std::string("unknown"));
      return result;
    }
    result.whole.push_back(true);
    result.box.push_back({known.getValue(), false});
  }
  result.ok = checkShape(result.box, index.range);
  return result;
}

//===-- loads and stores -------------------------------------------------------------------------------------------===//

static Value load(Emitter &e, const Value &view, const ast::Index &index) {
  Emitter::ViewIndex at = e.indexView(view, index);
  if (!at.ok) {
    return Value::error();
  }
  if (view.argument >= 0) {
    Argument &argument = e.instance.arguments[view.argument];
    if (argument.mode == ast::ViewMode::Out && !argument.stored &&
        !e.warnedBefore(diag::out_read_first, index.range)) {
      e.error(diag::out_read_first, index.range, "declare it `inout view` to read what was there",
              argument.decl->name.name)
          .note(argument.decl->range, "declared here");
    }
  }
  llvm::SmallVector<mlir::Value> operands{view.ssa};
  operands.append(at.indices);
  return e.opValue("load", operands, view.element(), at.box, index.range,
                   e.attr("whole", e.builder.getDenseBoolArrayAttr(at.whole)));
}

/// A missing view: the box is all absent. The indices are checked as those of a view would be.
static Value loadMissing(Emitter &e, const Value &missing, const ast::Index &index) {
  Emitter::ViewIndex at = e.indexView(missing, index);
  return at.ok ? Value::missing(Type::tile(missing.type.element, at.box)) : Value::error();
}

Value Emitter::writableView(const ast::Expr &base, llvm::StringRef how) {
  Value view = emitExpr(base);
  if (view.isError()) {
    return view;
  }
  bool missing = view.kind == Value::Kind::Missing && view.type.kind == Type::Kind::View;
  if (view.kind != Value::Kind::View && !missing) {
    error(diag::place_not_view, base.range,
          "tiles are values: make a new one with `select` or `keep_if`, and assign it to a `var`",
          view.describe());
    return Value::error();
  }
  if (view.argument < 0) {
    return view;
  }
  Argument &argument = instance.arguments[view.argument];
  bool atomic = how != "a store";
  if (argument.mode == ast::ViewMode::In || argument.mode == ast::ViewMode::Unspecified ||
      (atomic && argument.mode != ast::ViewMode::InOut)) {
    error(diag::store_to_in, base.range,
          "declare `" + argument.decl->name.name + "` as `" + (atomic ? "inout" : "out") +
              " view<…>`",
          argument.decl->name.name, argument.mode == ast::ViewMode::Out ? "out" : "in", how)
        .note(argument.decl->range, "declared here");
    return Value::error();
  }
  argument.stored = true;
  return view;
}

void Emitter::store(const Value &view, const ast::Index &index, Value value, SourceRange valueRange,
                    llvm::StringRef conflict) {
  ViewIndex at = indexView(view, index);
  if (!at.ok || value.isError()) {
    return;
  }
  DType element = view.type.element;
  Type box = Type::tile(element, at.box);
  value = operand(std::move(value), valueRange, element);
  if (value.isError()) {
    return;
  }
  if (!value.isUntyped() && value.element() == element &&
      irType(element, value.shape()) != irType(element, at.box)) {
    error(diag::store_shape, valueRange,
          value.shape().empty()
              ? "fill a tile: `broadcast(x, " + str(at.box) + ")`"
              : std::string("make the shapes equal: add axes with `_`, or index with other spans"),
          str(at.box), value.describe())
        .note(index.range, "the elements that are stored to");
    return;
  }
  value = coerce(std::move(value), box, valueRange, "what is stored");
  if (value.isError() || view.kind == Value::Kind::Missing) {
    return;
  }
  mlir::OperationState state(loc(index.range), "tile.store");
  state.addOperands({materialize(value, at.box, valueRange), view.ssa});
  state.addOperands(at.indices);
  state.addAttributes(attr("whole", builder.getDenseBoolArrayAttr(at.whole)));
  if (conflict == "last") {
    state.addAttributes(
        attr("conflict", tile::ConflictAttr::get(&instance.context, tile::Conflict::last)));
  }
  builder.create(state);
}

Value Emitter::emitIndex(const ast::Index &index) {
  Value base = emitExpr(*index.base);
  switch (base.kind) {
  case Value::Kind::Error:
    return base;
  case Value::Kind::View:
    return load(*this, base, index);
  case Value::Kind::Missing:
    if (base.type.kind == Type::Kind::View) {
      return loadMissing(*this, base, index);
    }
    base = operand(std::move(base), index.range);
    break;
  default:
    base = operand(std::move(base), index.base->range);
  }
  return base.isError() ? base : indexTile(base, index);
}

} // namespace tessera::sema
