// Arrays of a formula: `tile.map`, with its recurrences.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FormulaEmitter.h"

#include "tessera/Dialect/Tile/TileDialect.h"

#include "llvm/ADT/ScopeExit.h"

namespace tessera::sema {

//===-- recurrences ------------------------------------------------------------------------------------------------===//

/// What `let name = …` inside of `root` gives the name; null where there is none. Names are unique, so one is enough.
static const ast::Expr *findLet(const ast::Node &root, llvm::StringRef name) {
  if (const auto *let = llvm::dyn_cast<ast::Let>(&root)) {
    bool plain =
        !let->isVar && !let->pattern.isTuple && let->indices.empty() && !let->pattern.names.empty();
    if (plain && let->pattern.names.front().name == name) {
      return let->value.get();
    }
  }
  const ast::Expr *found = nullptr;
  ast::forEachChild(root,
                    [&](const ast::Node &child) { found = found ? found : findLet(child, name); });
  return found;
}

/// A literal, a negated one, or a name that is a number already.
static std::optional<int64_t> constantOffset(FormulaEmitter &e, const ast::Expr &expr) {
  if (const auto *literal = llvm::dyn_cast<ast::IntLit>(&expr)) {
    return static_cast<int64_t>(literal->value);
  }
  if (const auto *unary = llvm::dyn_cast<ast::Unary>(&expr);
      unary && unary->op == ast::UnaryOp::Neg) {
    const auto *literal = llvm::dyn_cast<ast::IntLit>(unary->operand.get());
    return literal ? std::optional<int64_t>(-static_cast<int64_t>(literal->value)) : std::nullopt;
  }
  const auto *constant = llvm::dyn_cast<ast::Name>(&expr);
  Binding *binding = constant ? e.lookup(constant->name) : nullptr;
  return binding ? binding->value.asI64() : std::nullopt;
}

/// The constant distance of `expr` from the index `name`: `i`, `i + 1`, `i - 2`, or a `let` of `root` that is one of
/// these; nothing for any other form.
static std::optional<int64_t> distance(FormulaEmitter &e, const ast::Expr &expr,
                                       llvm::StringRef name, const ast::Expr &root) {
  auto isIndex = [&](const ast::Expr &side) {
    const auto *found = llvm::dyn_cast<ast::Name>(&side);
    return found && found->name == name;
  };
  if (isIndex(expr)) {
    return 0;
  }
  if (const auto *local = llvm::dyn_cast<ast::Name>(&expr)) {
    const ast::Expr *value = findLet(root, local->name);
    return value && !llvm::isa<ast::Name>(*value) ? distance(e, *value, name, root) : std::nullopt;
  }
  const auto *binary = llvm::dyn_cast<ast::Binary>(&expr);
  if (!binary || (binary->op != ast::BinaryOp::Add && binary->op != ast::BinaryOp::Sub)) {
    return std::nullopt;
  }
  bool add = binary->op == ast::BinaryOp::Add;
  const ast::Expr *other = isIndex(*binary->lhs) ? binary->rhs.get() : nullptr;
  if (!other && add && isIndex(*binary->rhs)) {
    other = binary->lhs.get();
  }
  std::optional<int64_t> value = other ? constantOffset(e, *other) : std::nullopt;
  return value ? std::optional<int64_t>(add ? *value : -*value) : std::nullopt;
}

static void collectSelfReads(const ast::Node &node, llvm::StringRef name,
                             llvm::SmallVectorImpl<const ast::Index *> &reads) {
  if (const auto *index = llvm::dyn_cast<ast::Index>(&node)) {
    const auto *base = llvm::dyn_cast<ast::Name>(index->base.get());
    if (base && base->name == name) {
      reads.push_back(index);
    }
  }
  ast::forEachChild(node, [&](const ast::Node &child) { collectSelfReads(child, name, reads); });
}

std::optional<FormulaEmitter::Recurrence>
FormulaEmitter::findRecurrence(llvm::StringRef name, llvm::ArrayRef<ArrayAxis> axes,
                               const ast::Expr &value, bool &ok) {
  llvm::SmallVector<const ast::Index *> reads;
  if (!name.empty()) {
    collectSelfReads(value, name, reads);
  }
  std::optional<Recurrence> found;
  for (const ast::Index *read : reads) {
    std::optional<Recurrence> here;
    bool constant = read->indices.size() == axes.size();
    for (size_t axis = 0; constant && axis < axes.size(); ++axis) {
      std::optional<int64_t> offset =
          distance(*this, *read->indices[axis], axes[axis].index.name, value);
      constant = offset && (*offset == 0 || !here);
      if (constant && *offset != 0) {
        here = Recurrence{static_cast<unsigned>(axis), *offset > 0};
      }
    }
    if (!constant || !here) {
      ok = false;
      error(diag::recurrence_offset, read->range,
            "write the index of one axis as `i - 1` or `i + 1` and the others unchanged", name);
      return std::nullopt;
    }
    if (found && (found->axis != here->axis || found->descending != here->descending)) {
      ok = false;
      error(diag::recurrence_direction, read->range,
            "read only earlier, or only later, elements of one axis", name);
      return std::nullopt;
    }
    found = here;
  }
  return found;
}

/// The type of a recurrence is the one that its formula has when it reads elements of that type: each candidate is
/// tried on a scratch block and a silent engine.
std::optional<DType> FormulaEmitter::findElementType(llvm::StringRef name,
                                                     llvm::ArrayRef<ArrayAxis> axes,
                                                     const ast::Expr &value) {
  for (DType candidate :
       {DType::f64, DType::i64, DType::f32, DType::i32, DType::i1, DType::ui64, DType::ui32,
        DType::i16, DType::i8, DType::ui16, DType::ui8, DType::bf16, DType::f16}) {
    size_t mark = instance.engine.beginTrial();
    mlir::Block scratch;
    Value element = emitBody(scratch, name, axes, value, candidate, std::nullopt);
    bool clean = !instance.engine.trialFailed(mark);
    instance.engine.endTrial(mark);
    scratch.dropAllReferences();
    scratch.dropAllDefinedValueUses();
    if (clean && element.isNumeric() && element.type.isScalar() && element.element() == candidate) {
      return candidate;
    }
  }
  return std::nullopt;
}

//===-- maps -------------------------------------------------------------------------------------------------------===//

static mlir::RankedTensorType arrayType(mlir::Type element, size_t rank) {
  return mlir::RankedTensorType::get(llvm::SmallVector<int64_t>(rank, mlir::ShapedType::kDynamic),
                                     element);
}

/// Fills `body` and yields; Error with errors reported.
Value FormulaEmitter::emitBody(mlir::Block &body, llvm::StringRef name,
                               llvm::ArrayRef<ArrayAxis> axes, const ast::Expr &value,
                               std::optional<DType> self, std::optional<DType> element) {
  mlir::OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(&body);
  pushScope();
  auto pop = llvm::scope_exit([&] { popScope(); });
  for (const ArrayAxis &axis : axes) {
    mlir::Value index = body.addArgument(irType(DType::i64), loc(axis.index.range));
    if (axis.index) {
      declare(axis.index.name, axis.index.range, Value::runtime(index, DType::i64));
    }
  }
  if (self) {
    Value array;
    array.kind = Value::Kind::Array;
    array.type.kind = Type::Kind::Array;
    array.type.element = *self;
    array.type.rank = axes.size();
    array.ssa = body.addArgument(arrayType(irType(*self), axes.size()), loc(value.range));
    declare(name, value.range, std::move(array));
  }
  std::optional<Type> expected;
  if (self || element) {
    expected = Type::scalar(element ? *element : *self);
  }
  Value result = emitExpr(value, expected ? &*expected : nullptr);
  if (expected && result.isUntyped()) {
    result = toDType(std::move(result), expected->element, value.range);
  }
  result = settle(operand(std::move(result), value.range,
                          expected ? std::optional<DType>(expected->element) : std::nullopt),
                  value.range);
  if (result.isError()) {
    return result;
  }
  if (!result.isNumeric() || !result.type.isScalar()) {
    error(diag::reference_not_scalar, value.range, "write the formula of one element", name,
          result.describe());
    return Value::error();
  }
  mlir::OperationState yield(loc(value.range), "tile.yield");
  yield.addOperands(materialize(result, value.range));
  builder.create(yield);
  return result;
}

Value FormulaEmitter::emitMap(llvm::StringRef name, llvm::ArrayRef<ArrayAxis> axes,
                              const ast::Expr &value, SourceRange range,
                              std::optional<DType> element) {
  bool ok = true;
  std::optional<Recurrence> recurrence = findRecurrence(name, axes, value, ok);
  if (!ok) {
    return Value::error();
  }
  mlir::OperationState state(loc(range), "tile.map");
  Value array;
  for (const ArrayAxis &axis : axes) {
    state.addOperands(axis.lo);
  }
  for (const ArrayAxis &axis : axes) {
    state.addOperands(axis.hi);
    array.dims.push_back(axis.hi);
  }
  int32_t rank = axes.size();
  state.addAttribute("operandSegmentSizes", builder.getDenseI32ArrayAttr({rank, rank}));
  std::optional<DType> self;
  if (recurrence) {
    self = element ? element : findElementType(name, axes, value);
    if (!self) {
      error(diag::recurrence_type, value.range,
            "give the first element the type that is meant, as in `0.0 as f64`", name);
      return Value::error();
    }
    state.addAttribute("self", builder.getUnitAttr());
    state.addAttribute("axis", builder.getI64IntegerAttr(recurrence->axis));
    if (recurrence->descending) {
      state.addAttribute("descending", builder.getUnitAttr());
    }
  }
  mlir::Region *region = state.addRegion();
  Value result = emitBody(region->emplaceBlock(), name, axes, value, self, element);
  if (result.isError()) {
    return result;
  }
  state.addTypes(arrayType(irType(result.element()), axes.size()));
  array.kind = Value::Kind::Array;
  array.type.kind = Type::Kind::Array;
  array.type.element = result.element();
  array.type.rank = axes.size();
  array.ssa = builder.create(state)->getResult(0);
  nameValue(array, name, range);
  return array;
}

Value FormulaEmitter::emitArray(const ast::Ident &name, llvm::ArrayRef<ast::RefIndex> indices,
                                const ast::Expr &value, SourceRange range) {
  llvm::SmallVector<ArrayAxis> axes;
  for (const ast::RefIndex &index : indices) {
    auto [lo, hi] = emitRange(*index.bounds);
    if (!lo || !hi) {
      return Value::error();
    }
    axes.push_back({index.name, lo, hi});
  }
  return emitMap(name.name, axes, value, range);
}

void FormulaEmitter::emitArrayLet(const ast::Let &stmt) {
  const ast::Ident &name = stmt.pattern.names.front();
  declare(name.name, name.range, emitArray(name, stmt.indices, *stmt.value, stmt.range));
}

Value FormulaEmitter::castArray(const Value &array, DType to, std::optional<Round> round,
                                std::optional<Overflow> overflow, SourceRange range) {
  mlir::OperationState state(loc(range), "tile.map");
  Value result;
  mlir::Value zero = materialize(Value::i64(0), range);
  llvm::SmallVector<mlir::Value> lows(array.type.rank, zero);
  for (unsigned axis = 0; axis < array.type.rank; ++axis) {
    Value extent = extentOf(array, axis, range);
    mlir::Value high = extent.isError() ? mlir::Value() : materialize(extent, range);
    if (!high) {
      return Value::error();
    }
    result.dims.push_back(high);
  }
  state.addOperands(lows);
  state.addOperands(result.dims);
  int32_t rank = array.type.rank;
  state.addAttribute("operandSegmentSizes", builder.getDenseI32ArrayAttr({rank, rank}));
  mlir::Block &body = state.addRegion()->emplaceBlock();
  {
    mlir::OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(&body);
    llvm::SmallVector<mlir::Value> operands{array.ssa};
    for (int32_t axis = 0; axis < rank; ++axis) {
      operands.push_back(body.addArgument(irType(DType::i64), loc(range)));
    }
    Value element =
        cast(opValue("at", operands, array.element(), {}, range), to, round, overflow, range);
    if (element.isError()) {
      return element;
    }
    mlir::OperationState yield(loc(range), "tile.yield");
    yield.addOperands(materialize(element, range));
    builder.create(yield);
  }
  state.addTypes(arrayType(irType(to), rank));
  result.kind = Value::Kind::Array;
  result.type = array.type;
  result.type.kind = Type::Kind::Array;
  result.type.element = to;
  result.ssa = builder.create(state)->getResult(0);
  return result;
}

} // namespace tessera::sema
