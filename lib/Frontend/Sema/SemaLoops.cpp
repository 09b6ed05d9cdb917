// Loops: domains, `for` at run time and unrolled, `while`.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Emitter.h"

#include "tessera/Dialect/Tile/TileDialect.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tessera::sema {

/// Greatest number of steps of an unrolled loop (`in static 0..4`).
static constexpr int64_t kMaxUnrolled = 4096;

Emitter::Domain Emitter::emitDomain(const ast::Expr &expr) {
  Domain domain;
  const auto *tiles = llvm::dyn_cast<ast::Tiles>(&expr);
  const auto *range = tiles ? tiles->bounds.get() : llvm::dyn_cast<ast::Range>(&expr);
  if (!range) {
    error(diag::expression_misplaced, expr.range, "write `tiles(N, width)` or a range `0..N`",
          "this");
    return domain;
  }
  auto bound = [&](const ast::Expr *bound) {
    Value value = bound ? emitExpr(*bound) : Value::untyped(0);
    return coerce(std::move(value), Type::scalar(DType::i64), bound ? bound->range : range->range,
                  "the bound of a range");
  };
  domain.loValue = bound(range->lo.get());
  domain.hiValue = bound(range->hi.get());
  if (tiles) {
    std::optional<int64_t> width = constI64(*tiles->width, "the width of a span");
    if (!width || !checkShape({{*width, false}}, tiles->width->range)) {
      return domain;
    }
    domain.width = *width;
    domain.step.kind = Value::Kind::Span;
    domain.step.type.kind = Type::Kind::Span;
    domain.step.type.width = domain.step.width = *width;
    domain.step.symbolic = symbolicOf(domain.hiValue);
  } else {
    domain.step = Value::runtime({}, DType::i64);
  }
  if (domain.loValue.isError() || domain.hiValue.isError()) {
    return domain;
  }
  domain.lo = materialize(domain.loValue, expr.range);
  domain.hi = materialize(domain.hiValue, expr.range);
  domain.ok = domain.lo && domain.hi;
  return domain;
}

namespace {
/// Variables that a loop carries.
struct Carried {
  std::vector<llvm::StringRef> names;
  std::vector<Value> values;
  llvm::SmallVector<mlir::Value> leaves;
};
} // namespace

static bool gatherCarried(Emitter &e, Carried &carried, std::vector<llvm::StringRef> names,
                          SourceRange range) {
  for (llvm::StringRef name : names) {
    Binding *binding = e.lookup(name);
    if (!binding || binding->value.isError()) {
      continue;
    }
    Value value = e.dynamic(binding->value, range);
    if (value.isError()) {
      return false;
    }
    binding = e.lookup(name);
    carried.names.push_back(name);
    carried.values.push_back(value);
    collectLeaves(value, carried.leaves);
  }
  return true;
}

/// Binds the carried names to `leaves`.
static void bindCarried(Emitter &e, const Carried &carried, llvm::ArrayRef<mlir::Value> leaves) {
  size_t next = 0;
  for (auto [name, value] : llvm::zip(carried.names, carried.values)) {
    e.lookup(name)->value = replaceLeaves(value, leaves, next);
  }
}

/// Enum cases, types and missing arguments cannot change from step to step: they are no values at run time.
static bool sameKnownParts(const Value &a, const Value &b) {
  if (a.ssa || b.ssa) {
    return a.ssa && b.ssa;
  }
  if (a.kind != b.kind || a.parts.size() != b.parts.size() ||
      (a.parts.empty() && !identical(a, b))) {
    return false;
  }
  for (size_t i = 0; i < a.parts.size(); ++i) {
    if (!sameKnownParts(a.parts[i], b.parts[i])) {
      return false;
    }
  }
  return true;
}

/// The values at the end of a step, in the order of the carried leaves; false with an error reported.
static bool yieldCarried(Emitter &e, const Carried &carried,
                         llvm::SmallVectorImpl<mlir::Value> &yields, SourceRange range) {
  for (auto [name, start] : llvm::zip(carried.names, carried.values)) {
    Binding *binding = e.lookup(name);
    if (binding->value.isError()) {
      return false;
    }
    Value value = e.dynamic(binding->value, range);
    if (value.isError() || !sameKnownParts(start, value)) {
      if (!value.isError()) {
        e.error(diag::carried_static, range, "unroll the loop with `in static lo..hi`", name);
      }
      return false;
    }
    collectLeaves(value, yields);
  }
  return true;
}

static void emitYield(Emitter &e, llvm::ArrayRef<mlir::Value> values, SourceRange range) {
  mlir::OperationState yield(e.loc(range), "tile.yield");
  yield.addOperands(values);
  e.builder.create(yield);
}

/// `in static 0..4`: the body once for every value.
static void unroll(Emitter &e, const ast::For &stmt) {
  const auto *range = llvm::dyn_cast<ast::Range>(stmt.domain.get());
  if (!range) {
    e.error(diag::expression_misplaced, stmt.domain->range,
            "an unrolled loop runs over a range: `in static 0..4`", "this");
    return;
  }
  std::optional<int64_t> lo = range->lo ? e.constI64(*range->lo, "a bound of an unrolled loop") : 0;
  std::optional<int64_t> hi = e.constI64(*range->hi, "a bound of an unrolled loop");
  if (!lo || !hi) {
    return;
  }
  if (*hi > *lo && static_cast<__int128>(*hi) - *lo > kMaxUnrolled) {
    e.error(diag::program_too_large, stmt.domain->range, "use a run-time loop: leave out `static`",
            "unrolled steps", kMaxUnrolled);
    return;
  }
  for (int64_t k = 0; k < *hi - *lo; ++k) {
    e.pushScope();
    e.declare(stmt.var.name, stmt.var.range, Value::i64(stmt.isReversed ? *hi - 1 - k : *lo + k));
    e.emitBlock(*stmt.body);
    e.popScope();
    if (e.stopped) {
      return;
    }
  }
}

void Emitter::emitFor(const ast::For &stmt) {
  if (stmt.isStatic) {
    return unroll(*this, stmt);
  }
  Domain domain = emitDomain(*stmt.domain);
  Carried carried;
  if (!domain.ok || !gatherCarried(*this, carried, assignedVars({stmt.body.get()}), stmt.range)) {
    return;
  }
  mlir::OperationState state(loc(stmt.range), "tile.for");
  state.addOperands({domain.lo, domain.hi});
  state.addOperands(carried.leaves);
  state.addAttributes(attr("width", domain.width));
  if (stmt.isReversed) {
    state.addAttributes(unitAttr("reversed"));
  }
  auto *block = new mlir::Block();
  state.addRegion()->push_back(block);
  domain.step.ssa = block->addArgument(
      domain.width ? mlir::Type(tile::SpanType::get(&instance.context, domain.width))
                   : irType(DType::i64),
      mlir::NameLoc::get(builder.getStringAttr(stmt.var.name), loc(stmt.var.range)));
  llvm::SmallVector<mlir::Value> arguments;
  for (mlir::Value leaf : carried.leaves) {
    state.addTypes(leaf.getType());
    arguments.push_back(block->addArgument(leaf.getType(), leaf.getLoc()));
  }
  llvm::SmallVector<mlir::Value> yields;
  bool ok = false;
  {
    mlir::OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(block);
    bindCarried(*this, carried, arguments);
    pushScope();
    declare(stmt.var.name, stmt.var.range, domain.step);
    Type unit = Type::unit();
    emitBlock(*stmt.body, &unit);
    popScope();
    ok = yieldCarried(*this, carried, yields, stmt.range);
    if (ok) {
      emitYield(*this, yields, stmt.range);
    }
  }
  if (!ok) {
    // Uses outside of the body would be of a region that is dropped.
    for (llvm::StringRef name : carried.names) {
      lookup(name)->value = Value::error();
    }
    block->dropAllDefinedValueUses();
    return;
  }
  mlir::Operation *loop = builder.create(state);
  llvm::SmallVector<mlir::Value> results(loop->getResults().begin(), loop->getResults().end());
  bindCarried(*this, carried, results);
}

void Emitter::emitWhile(const ast::While &stmt) {
  Carried carried;
  if (!gatherCarried(*this, carried, assignedVars({stmt.cond.get(), stmt.body.get()}),
                     stmt.range)) {
    return;
  }
  llvm::SmallVector<mlir::Type> types;
  llvm::SmallVector<mlir::Location> locs;
  for (mlir::Value leaf : carried.leaves) {
    types.push_back(leaf.getType());
    locs.push_back(leaf.getLoc());
  }
  auto loop = mlir::scf::WhileOp::create(builder, loc(stmt.range), types, carried.leaves);
  auto arguments = [](mlir::Block *block) {
    return llvm::SmallVector<mlir::Value>(block->getArguments().begin(),
                                          block->getArguments().end());
  };
  mlir::OpBuilder::InsertionGuard guard(builder);
  mlir::Block *before = builder.createBlock(&loop.getBefore(), {}, types, locs);
  bindCarried(*this, carried, arguments(before));
  Value cond = condition(*stmt.cond);
  if (cond.asBool() == true) {
    error(diag::endless_loop, stmt.cond->range, "let the condition depend on a `var` of the loop");
    cond = Value::error();
  }
  mlir::Value flag = cond.isError() ? mlir::Value() : materialize(cond, stmt.cond->range);
  // Variables that the condition itself assigns go on with their new values.
  llvm::SmallVector<mlir::Value> passed;
  bool ok = flag && yieldCarried(*this, carried, passed, stmt.cond->range);
  if (ok) {
    mlir::scf::ConditionOp::create(builder, loc(stmt.cond->range), flag, passed);
  }
  mlir::Block *after = builder.createBlock(&loop.getAfter(), {}, types, locs);
  bindCarried(*this, carried, arguments(after));
  Type unit = Type::unit();
  emitBlock(*stmt.body, &unit);
  llvm::SmallVector<mlir::Value> yields;
  ok = yieldCarried(*this, carried, yields, stmt.range) && ok;
  if (ok) {
    mlir::scf::YieldOp::create(builder, loc(stmt.range), yields);
  }
  builder.setInsertionPointAfter(loop);
  llvm::SmallVector<mlir::Value> results(loop.getResults().begin(), loop.getResults().end());
  bindCarried(*this, carried, results);
}

} // namespace tessera::sema
