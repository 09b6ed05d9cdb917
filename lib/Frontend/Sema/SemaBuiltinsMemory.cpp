// Builtins on views and memory: methods of views, atomics, printing.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Builtins.h"

#include "tessera/Dialect/Tile/TileDialect.h"

#include "llvm/ADT/StringExtras.h"

namespace tessera::sema {

static Value viewArg(BuiltinCall &c) {
  Value view = c.get("x");
  if (view.kind == Value::Kind::View || view.isError()) {
    return view;
  }
  c.failed = true;
  c.e.error(diag::view_expected, c.rangeOf("x"), "only views of a kernel are cut so",
            c.builtin.name, view.describe());
  return Value::error();
}

static mlir::Type viewType(Emitter &e, const Value &like,
                           llvm::ArrayRef<mlir::AffineExpr> extents) {
  llvm::SmallVector<int64_t> shape;
  for (mlir::AffineExpr extent : extents) {
    auto known = llvm::dyn_cast_or_null<mlir::AffineConstantExpr>(extent);
    shape.push_back(known && known.getValue() >= 0 ? known.getValue() : mlir::ShapedType::kDynamic);
  }
  auto type = llvm::cast<tile::ViewType>(like.ssa.getType());
  return tile::ViewType::get(&e.instance.context, shape, type.getElementType(), type.getMode());
}

static Value viewLike(const Value &view, mlir::Value ssa,
                      llvm::SmallVector<mlir::AffineExpr, 4> extents) {
  Value result = view;
  result.ssa = ssa;
  result.type.rank = extents.size();
  result.extents = std::move(extents);
  return result;
}

Value Emitter::permuteView(const Value &view, llvm::ArrayRef<int64_t> order, SourceRange range) {
  llvm::SmallVector<mlir::AffineExpr, 4> extents;
  for (int64_t axis : order) {
    extents.push_back(view.extents[axis]);
  }
  mlir::Value ssa = op("view_permute", view.ssa, viewType(*this, view, extents), range,
                       attr("permutation", order));
  return viewLike(view, ssa, std::move(extents));
}

/// A static extent that the number must divide.
static bool checkDivides(BuiltinCall &c, mlir::AffineExpr extent, int64_t by) {
  auto known = llvm::dyn_cast_or_null<mlir::AffineConstantExpr>(extent);
  if (by >= 1 && (!known || known.getValue() % by == 0)) {
    return true;
  }
  c.failed = true;
  if (by < 1) {
    c.e.error(diag::extent_not_positive, c.range, "use a number of 1 or more", by);
  } else {
    c.e.error(diag::not_divisible, c.range, "use a number that divides the extent", by,
              known.getValue());
  }
  return false;
}

static Value emitSplit(BuiltinCall &c) {
  Value view = viewArg(c);
  std::optional<int64_t> parts = c.integer("parts");
  std::optional<int64_t> axis = view.isError() ? std::nullopt : c.axis("axis", view.type.rank);
  if (!axis || !parts || !checkDivides(c, view.extents[*axis], *parts)) {
    return Value::error();
  }
  constexpr int64_t kMaxParts = 64;
  if (*parts > kMaxParts) {
    c.failed = true;
    c.e.error(diag::too_many_parts, c.rangeOf("parts"),
              "use `.group(axis, size)` and index the new axis", *parts, kMaxParts);
    return Value::error();
  }
  llvm::SmallVector<mlir::AffineExpr, 4> extents(view.extents);
  if (extents[*axis]) {
    extents[*axis] = extents[*axis].floorDiv(*parts);
  }
  mlir::OperationState state(c.e.loc(c.range), "tile.view_split");
  state.addOperands(view.ssa);
  state.addAttributes(c.e.attr("axis", *axis));
  mlir::Type type = viewType(c.e, view, extents);
  state.addTypes(llvm::SmallVector<mlir::Type>(*parts, type));
  mlir::Operation *op = c.e.builder.create(state);
  std::vector<Value> views;
  for (mlir::Value part : op->getResults()) {
    views.push_back(viewLike(view, part, extents));
  }
  return views.size() == 1 ? views.front() : Value::tuple(std::move(views));
}

static Value emitGroup(BuiltinCall &c) {
  Value view = viewArg(c);
  std::optional<int64_t> size = c.integer("size");
  std::optional<int64_t> axis = view.isError() ? std::nullopt : c.axis("axis", view.type.rank);
  if (!axis || !size || !checkDivides(c, view.extents[*axis], *size)) {
    return Value::error();
  }
  llvm::SmallVector<mlir::AffineExpr, 4> extents(view.extents);
  if (extents[*axis]) {
    extents[*axis] = extents[*axis].floorDiv(*size);
  }
  extents.insert(extents.begin() + *axis + 1,
                 mlir::getAffineConstantExpr(*size, &c.e.instance.context));
  mlir::Value ssa = c.e.op("view_group", view.ssa, viewType(c.e, view, extents), c.range,
                           {c.e.attr("axis", *axis), c.e.attr("size", *size)});
  return viewLike(view, ssa, std::move(extents));
}

static Value emitViewSlice(BuiltinCall &c) {
  Value view = viewArg(c);
  std::optional<int64_t> axis = view.isError() ? std::nullopt : c.axis("axis", view.type.rank);
  if (!axis) {
    return Value::error();
  }
  Value lo = c.e.coerce(c.get("lo"), Type::scalar(DType::i64), c.rangeOf("lo"), "the first index");
  Value hi = c.e.coerce(c.get("hi"), Type::scalar(DType::i64), c.rangeOf("hi"), "the end");
  if (lo.isError() || hi.isError()) {
    return Value::error();
  }
  std::optional<int64_t> first = lo.asI64(), end = hi.asI64();
  if ((first && *first < 0) || (first && end && *end < *first)) {
    c.failed = true;
    c.e.error(diag::slice_bounds, c.range, "0 <= lo <= hi", *first, end.value_or(0));
    return Value::error();
  }
  llvm::SmallVector<mlir::AffineExpr, 4> extents(view.extents);
  mlir::AffineExpr l = c.e.symbolicOf(lo), h = c.e.symbolicOf(hi);
  extents[*axis] = l && h ? h - l : mlir::AffineExpr();
  mlir::Value ssa =
      c.e.op("view_slice", {view.ssa, c.e.materialize(lo, c.range), c.e.materialize(hi, c.range)},
             viewType(c.e, view, extents), c.range, c.e.attr("axis", *axis));
  return viewLike(view, ssa, std::move(extents));
}

static Value emitDim(BuiltinCall &c) {
  Value x = c.get("x");
  if (x.kind == Value::Kind::Runtime && !x.shape().empty()) {
    std::optional<int64_t> axis = c.axis("axis", x.shape().size());
    return axis ? Value::i64(x.shape()[*axis].extent) : Value::error();
  }
  Value view = viewArg(c);
  std::optional<int64_t> axis = view.isError() ? std::nullopt : c.axis("axis", view.type.rank);
  std::optional<bool> dynamic = c.flag("dynamic", false);
  if (!axis || !dynamic) {
    return Value::error();
  }
  // `dynamic`: read from the view at run time, also where the extent is an expression that is known.
  return *dynamic ? c.e.opValue("dim", view.ssa, DType::i64, {}, c.range, c.e.attr("axis", *axis))
                  : c.e.extentOf(view, *axis, c.range);
}

//===-- atomics ----------------------------------------------------------------------------------------------------===//

static Value placeMissing(BuiltinCall &c) {
  c.failed = true;
  c.e.error(diag::place_expected, c.rangeOf("place"), "write the elements: `view[index, …]`",
            c.builtin.name);
  return Value::error();
}

static bool checkAtomicType(BuiltinCall &c, tile::AtomicKind kind, DType type) {
  bool bitwise = kind == tile::AtomicKind::and_ || kind == tile::AtomicKind::or_ ||
                 kind == tile::AtomicKind::xor_;
  bool exchange = kind == tile::AtomicKind::xchg || kind == tile::AtomicKind::cas;
  if (bitwise ? isInteger(type) : exchange || (!isBool(type) && !isFp8(type))) {
    return true;
  }
  c.failed = true;
  c.e.error(diag::wrong_domain, c.rangeOf("place"), "use a view of another element type",
            c.builtin.name, bitwise ? "integers" : "numbers", name(type));
  return false;
}

/// `order`, `memory` and `scope`; false with an error where the outcome depends on an order that the source leaves open.
static bool addAtomicWords(BuiltinCall &c, mlir::OperationState &state, DType element, bool old) {
  bool any = c.word("order", "") == "any";
  if (!any && (old || isFloat(element))) {
    c.failed = true;
    c.e.error(diag::atomic_order, c.range,
              "write `order = any`: the result depends on the order of the grid's points",
              c.builtin.name, old ? "returns old values" : "combines floats")
        .fixIt({c.range.file, c.range.end - 1, c.range.end - 1}, ", order = any");
    return false;
  }
  mlir::MLIRContext *context = &c.e.instance.context;
  if (any) {
    state.addAttributes(c.e.unitAttr("order_any"));
  }
  std::optional<tile::MemoryOrder> memory = tile::symbolizeMemoryOrder(c.word("memory", "relaxed"));
  if (memory && *memory != tile::MemoryOrder::relaxed) {
    state.addAttributes(c.e.attr("order", tile::MemoryOrderAttr::get(context, *memory)));
  }
  std::optional<tile::Scope> scope = tile::symbolizeScope(c.word("scope", "gpu"));
  if (scope && *scope != tile::Scope::gpu) {
    state.addAttributes(c.e.attr("scope", tile::ScopeAttr::get(context, *scope)));
  }
  return true;
}

static Value atomic(BuiltinCall &c, tile::AtomicKind kind) {
  const auto *place = llvm::dyn_cast<ast::Index>(c.find("place")->expr);
  if (!place) {
    return placeMissing(c);
  }
  Value view = c.e.writableView(*place->base, "an atomic");
  if (view.kind != Value::Kind::View || !checkAtomicType(c, kind, view.element())) {
    return Value::error();
  }
  Emitter::ViewIndex index = c.e.indexView(view, *place);
  if (!index.ok) {
    return Value::error();
  }
  auto evaluate = [&](llvm::StringRef name) {
    Value value = c.e.emitExpr(*c.find(name)->expr);
    value = c.e.coerce(std::move(value), Type::tile(view.element(), index.box), c.rangeOf(name),
                       ("the argument `" + name + "`").str());
    return value.isError() ? mlir::Value() : c.e.materialize(value, index.box, c.rangeOf(name));
  };
  bool compares = kind == tile::AtomicKind::cas;
  mlir::Value value = evaluate("value");
  mlir::Value expected = compares && value ? evaluate("expected") : mlir::Value();
  std::optional<bool> old = false;
  if (const BuiltinCall::Arg *arg = c.find("old")) {
    old = c.e.constBool(*arg->expr, "the flag `old`");
  }
  if (!value || !old || (compares && !expected)) {
    return Value::error();
  }
  mlir::OperationState state(c.e.loc(c.range), "tile.atomic");
  state.addOperands(value);
  if (expected) {
    state.addOperands(expected);
  }
  state.addOperands(view.ssa);
  state.addOperands(index.indices);
  int32_t indices = static_cast<int32_t>(index.indices.size());
  state.addAttributes({c.e.attr("kind", tile::AtomicKindAttr::get(&c.e.instance.context, kind)),
                       c.e.attr("whole", c.e.builder.getDenseBoolArrayAttr(index.whole)),
                       c.e.attr("operandSegmentSizes", c.e.builder.getDenseI32ArrayAttr(
                                                           {1, expected ? 1 : 0, 1, indices}))});
  if (!addAtomicWords(c, state, view.element(), *old)) {
    return Value::error();
  }
  if (*old) {
    state.addTypes(c.e.irType(view.element(), index.box));
  }
  mlir::Operation *op = c.e.builder.create(state);
  return *old ? Value::runtime(op->getResult(0), view.element(), index.box) : Value::unit();
}

template <tile::AtomicKind kind> static Value emitAtomic(BuiltinCall &c) { return atomic(c, kind); }

/// A store that says what duplicates in an index tile mean.
static Value emitStore(BuiltinCall &c) {
  const auto *place = llvm::dyn_cast<ast::Index>(c.find("place")->expr);
  if (!place) {
    return placeMissing(c);
  }
  Value view = c.e.writableView(*place->base, "a store");
  if (view.isError()) {
    return view;
  }
  Value value = c.e.emitExpr(*c.find("value")->expr);
  c.e.store(view, *place, std::move(value), c.rangeOf("value"), c.word("conflict", "error"));
  return Value::unit();
}

static Value emitPrint(BuiltinCall &c) {
  Value text = c.has("text") ? c.get("text")
                             : Value::string(c.e.instance.engine.getSources().text(c.rangeOf("x")));
  Value value = c.get("x");
  if (value.kind == Value::Kind::String && !c.has("text")) {
    c.failed = true;
    c.e.error(diag::number_expected, c.rangeOf("x"), "write `print(value, \"text\")`",
              value.describe());
    return Value::error();
  }
  value = c.number("x");
  if (value.isError()) {
    return value;
  }
  if (text.kind != Value::Kind::String) {
    c.failed = true;
    c.e.error(diag::string_expected, c.rangeOf("text"), "write a string: `\"…\"`", text.describe());
    return Value::error();
  }
  mlir::OperationState state(c.e.loc(c.range), "tile.print");
  state.addOperands(c.e.materialize(value, c.range));
  state.addAttributes(c.e.attr("text", c.e.builder.getStringAttr(text.text)));
  c.e.builder.create(state);
  return Value::unit();
}

llvm::ArrayRef<Builtin> memoryBuiltins() {
#define TESSERA_ATOMIC_WORDS                                                                       \
  " order:any memory:relaxed|acquire|release|acq_rel scope:block|cluster|gpu|sys old?"
  static const char *const atomicSignature = "place value" TESSERA_ATOMIC_WORDS;
  static const Builtin rows[] = {
      {"split", "x axis parts", emitSplit, true, false},
      {"group", "x axis size", emitGroup, true, false},
      {"slice", "x axis lo hi", emitViewSlice, true, false},
      {"dim", "x axis dynamic?", emitDim, true, false},
      {"atomic_add", atomicSignature, emitAtomic<tile::AtomicKind::add>, false, true, true},
      {"atomic_max", atomicSignature, emitAtomic<tile::AtomicKind::max>, false, true, true},
      {"atomic_min", atomicSignature, emitAtomic<tile::AtomicKind::min>, false, true, true},
      {"atomic_and", atomicSignature, emitAtomic<tile::AtomicKind::and_>, false, true, true},
      {"atomic_or", atomicSignature, emitAtomic<tile::AtomicKind::or_>, false, true, true},
      {"atomic_xor", atomicSignature, emitAtomic<tile::AtomicKind::xor_>, false, true, true},
      {"atomic_xchg", atomicSignature, emitAtomic<tile::AtomicKind::xchg>, false, true, true},
      {"atomic_cas", "place expected value" TESSERA_ATOMIC_WORDS, emitAtomic<tile::AtomicKind::cas>,
       false, true, true},
      {"store", "place value conflict:error|last", emitStore, false, true, true},
      {"print", "x text?", emitPrint},
  };
#undef TESSERA_ATOMIC_WORDS
  return rows;
}

} // namespace tessera::sema
