// Builtins that make tiles and move elements: constants, shapes, absence, bit patterns.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Builtins.h"

#include "tessera/Dialect/Tile/TileDialect.h"

namespace tessera::sema {

/// A type given as a value (`f32`, `T`).
static std::optional<DType> dtypeArg(BuiltinCall &c, llvm::StringRef name) {
  Value value = c.get(name);
  if (value.kind == Value::Kind::DType) {
    return value.element();
  }
  c.failed = true;
  if (!value.isError()) {
    c.e.error(diag::element_type_expected, c.rangeOf(name),
              "element types are `f32`, `bf16`, `i32`, …", value.describe());
  }
  return std::nullopt;
}

static std::optional<Shape> shapeArg(BuiltinCall &c, llvm::StringRef name) {
  Value value = c.get(name);
  if (value.kind == Value::Kind::ShapeList) {
    c.failed |= !c.e.checkShape(value.shape(), c.rangeOf(name));
    return c.failed ? std::nullopt : std::optional<Shape>(value.shape());
  }
  c.failed = true;
  if (!value.isError()) {
    c.e.error(diag::shape_expected, c.rangeOf(name), "write the extents: `[64, 32]`",
              value.describe());
  }
  return std::nullopt;
}

/// A list of integers: `[1, 0]`, or one integer.
static std::optional<llvm::SmallVector<int64_t>> listArg(BuiltinCall &c, llvm::StringRef name) {
  Value value = c.get(name);
  llvm::SmallVector<int64_t> list;
  if (value.kind == Value::Kind::ShapeList) {
    for (const Axis &axis : value.shape()) {
      list.push_back(axis.extent);
    }
    return list;
  }
  std::optional<int64_t> single = c.integer(name);
  return single ? std::optional<llvm::SmallVector<int64_t>>({*single}) : std::nullopt;
}

static Value filled(BuiltinCall &c, Value value) {
  std::optional<DType> type = dtypeArg(c, "T");
  std::optional<Shape> shape = shapeArg(c, "shape");
  if (!type || !shape) {
    return Value::error();
  }
  value = c.e.coerce(std::move(value), Type::scalar(*type), c.rangeOf("value"), "the value");
  return shape->empty() ? value : c.e.broadcastTo(value, *shape, c.range);
}

static Value emitZeros(BuiltinCall &c) {
  std::optional<DType> type = dtypeArg(c, "T");
  return type ? filled(c, Value::constant(*type, 0)) : Value::error();
}

static Value emitFull(BuiltinCall &c) { return filled(c, c.get("value")); }

static Value emitIota(BuiltinCall &c) {
  std::optional<int64_t> n = c.integer("n");
  if (!n) {
    return Value::error();
  }
  Shape shape{{*n, false}};
  return c.e.checkShape(shape, c.rangeOf("n")) ? c.e.opValue("iota", {}, DType::i64, shape, c.range)
                                               : Value::error();
}

static Value emitBroadcast(BuiltinCall &c) {
  Value x = c.number("x");
  std::optional<Shape> shape = shapeArg(c, "shape");
  if (x.isError() || !shape) {
    return Value::error();
  }
  bool fits = !x.isUntyped() && (x.shape().empty() || x.shape().size() == shape->size());
  fits |= x.isUntyped();
  for (size_t i = 0; fits && !x.isUntyped() && i < x.shape().size(); ++i) {
    fits = x.shape()[i].extent == (*shape)[i].extent || x.shape()[i].extent == 1;
  }
  if (!fits) {
    c.failed = true;
    c.e.error(diag::shape_mismatch, c.range,
              "only axes of extent 1 are repeated; add axes with `[:, _]`", str(x.shape()),
              str(*shape));
    return Value::error();
  }
  if (shape->empty()) {
    return x;
  }
  // Written out, it is an op even where nothing is repeated.
  if (x.kind == Value::Kind::Runtime && x.shape().size() == shape->size()) {
    return c.e.opValue("broadcast", x.ssa, x.element(), *shape, c.range);
  }
  return c.e.broadcastTo(x, *shape, c.range);
}

static int64_t elementCount(const Shape &shape) {
  int64_t count = 1;
  for (const Axis &axis : shape) {
    count *= axis.extent;
  }
  return count;
}

static Value emitReshape(BuiltinCall &c) {
  Value x = c.tile("x");
  std::optional<Shape> shape = shapeArg(c, "shape");
  if (x.isError() || !shape) {
    return Value::error();
  }
  if (shape->empty() || elementCount(x.shape()) != elementCount(*shape)) {
    c.failed = true;
    c.e.error(diag::reshape_count, c.range, "the numbers of elements are equal", str(x.shape()),
              elementCount(x.shape()), str(*shape), elementCount(*shape));
    return Value::error();
  }
  return c.e.opValue("reshape", x.ssa, x.element(), *shape, c.range);
}

static Value emitPermute(BuiltinCall &c) {
  Value x = c.get("x");
  bool isView = x.kind == Value::Kind::View;
  if (!isView) {
    x = c.tile("x");
  }
  std::optional<llvm::SmallVector<int64_t>> order = listArg(c, "order");
  if (x.isError() || !order) {
    return Value::error();
  }
  size_t rank = isView ? x.type.rank : x.shape().size();
  llvm::SmallVector<int64_t> sorted(*order);
  llvm::sort(sorted);
  bool ok = sorted.size() == rank;
  for (size_t i = 0; ok && i < rank; ++i) {
    ok = sorted[i] == static_cast<int64_t>(i);
  }
  if (!ok) {
    c.failed = true;
    c.e.error(diag::permutation_invalid, c.rangeOf("order"),
              "name every axis once, for example `[1, 0]`", rank);
    return Value::error();
  }
  return isView ? c.e.permuteView(x, *order, c.range) : c.e.permuteTile(x, *order, c.range);
}

Value Emitter::permuteTile(const Value &tile, llvm::ArrayRef<int64_t> order, SourceRange range) {
  Shape shape;
  for (int64_t axis : order) {
    shape.push_back(tile.shape()[axis]);
  }
  return opValue("permute", tile.ssa, tile.element(), shape, range, attr("permutation", order));
}

static Value emitExpand(BuiltinCall &c) {
  Value x = c.number("x");
  std::optional<llvm::SmallVector<int64_t>> axes = listArg(c, "axes");
  if (x.isError() || !axes) {
    return Value::error();
  }
  mlir::Value ssa = c.e.materialize(x, c.range);
  x = x.kind == Value::Kind::Runtime || !ssa
          ? x
          : Value::runtime(ssa, c.e.settle(x, c.range).element());
  size_t rank = x.shape().size() + axes->size();
  llvm::sort(*axes);
  bool ok = ssa && !axes->empty();
  for (size_t i = 0; ok && i < axes->size(); ++i) {
    ok = (*axes)[i] >= 0 && (*axes)[i] < static_cast<int64_t>(rank) &&
         (i == 0 || (*axes)[i] != (*axes)[i - 1]);
  }
  if (!ok) {
    c.failed = true;
    c.e.error(diag::axes_invalid, c.rangeOf("axes"), "axes are positions in the result, each once",
              rank);
    return Value::error();
  }
  Shape shape;
  size_t next = 0;
  for (size_t i = 0; i < rank; ++i) {
    bool added = llvm::is_contained(*axes, static_cast<int64_t>(i));
    shape.push_back(added ? Axis{1, true} : x.shape()[next++]);
  }
  return c.e.opValue("expand", x.ssa, x.element(), shape, c.range, c.e.attr("axes", *axes));
}

static Value emitSqueeze(BuiltinCall &c) {
  Value x = c.tile("x");
  std::optional<llvm::SmallVector<int64_t>> axes = listArg(c, "axes");
  if (x.isError() || !axes) {
    return Value::error();
  }
  llvm::sort(*axes);
  Shape shape;
  bool ok = !axes->empty();
  for (size_t i = 0; ok && i < axes->size(); ++i) {
    int64_t axis = (*axes)[i];
    ok = axis >= 0 && axis < static_cast<int64_t>(x.shape().size()) &&
         x.shape()[axis].extent == 1 && (i == 0 || axis != (*axes)[i - 1]);
  }
  if (!ok) {
    c.failed = true;
    c.e.error(diag::squeeze_invalid, c.rangeOf("axes"), "name axes of extent 1, each once",
              str(x.shape()));
    return Value::error();
  }
  for (auto [i, axis] : llvm::enumerate(x.shape())) {
    if (!llvm::is_contained(*axes, static_cast<int64_t>(i))) {
      shape.push_back(axis);
    }
  }
  return c.e.opValue("squeeze", x.ssa, x.element(), shape, c.range, c.e.attr("axes", *axes));
}

static Value emitCat(BuiltinCall &c) {
  std::vector<Value> parts = c.rest("parts");
  llvm::SmallVector<mlir::Value> ssa;
  if (parts.empty()) {
    c.failed = true;
    c.e.error(diag::argument_missing, c.range, "give the tiles: `cat(a, b, axis = 0)`", "cat",
              "parts");
    return Value::error();
  }
  Shape shape;
  std::optional<int64_t> axis;
  for (auto [i, part] : llvm::enumerate(parts)) {
    if (part.kind != Value::Kind::Runtime || part.shape().empty()) {
      c.failed = true;
      c.e.error(diag::tile_expected, c.range, "a scalar has no axes", "cat", part.describe());
      return Value::error();
    }
    ssa.push_back(part.ssa);
    if (i == 0) {
      shape = part.shape();
      axis = c.axis("axis", shape.size());
      if (!axis) {
        return Value::error();
      }
      continue;
    }
    bool fits = part.shape().size() == shape.size() && part.element() == parts[0].element();
    for (size_t k = 0; fits && k < shape.size(); ++k) {
      fits = static_cast<int64_t>(k) == *axis || part.shape()[k].extent == shape[k].extent;
    }
    if (!fits) {
      c.failed = true;
      c.e.error(diag::cat_mismatch, c.range,
                "parts have one element type and equal extents but along the axis",
                parts[0].describe(), part.describe());
      return Value::error();
    }
    shape[*axis] = {shape[*axis].extent + part.shape()[*axis].extent, false};
  }
  return c.e.checkShape(shape, c.range)
             ? c.e.opValue("cat", ssa, parts[0].element(), shape, c.range, c.e.attr("axis", *axis))
             : Value::error();
}

static Value emitFlip(BuiltinCall &c) {
  Value x = c.tile("x");
  std::optional<int64_t> axis = x.isError() ? std::nullopt : c.axis("axis", x.shape().size());
  return axis ? c.e.opValue("flip", x.ssa, x.element(), x.shape(), c.range, c.e.attr("axis", *axis))
              : Value::error();
}

static Value emitSelect(BuiltinCall &c) {
  return c.e.select(c.get("condition"), c.get("a"), c.get("b"), c.range);
}

/// `axes = [0, 2]` of keep_if: the axes of the factor, where the condition's `_` do not say it.
static Value keepIfAlong(BuiltinCall &c, const Value &x, const Value &cond) {
  std::optional<llvm::SmallVector<int64_t>> axes = listArg(c, "axes");
  if (!axes) {
    return Value::error();
  }
  llvm::sort(*axes);
  Shape given = cond.kind == Value::Kind::Runtime ? cond.shape() : Shape();
  bool fits = given.size() == x.shape().size();
  for (size_t i = 0; fits && i < axes->size(); ++i) {
    fits = (*axes)[i] >= 0 && (*axes)[i] < static_cast<int64_t>(given.size()) &&
           (i == 0 || (*axes)[i] != (*axes)[i - 1]);
  }
  for (size_t i = 0; fits && i < given.size(); ++i) {
    bool named = llvm::is_contained(*axes, static_cast<int64_t>(i));
    fits = given[i].extent == (named ? x.shape()[i].extent : 1);
  }
  if (!fits) {
    c.failed = true;
    c.e.error(diag::shape_mismatch, c.range,
              "the condition has the tile's extents along `axes` and 1 elsewhere", str(x.shape()),
              str(given));
    return Value::error();
  }
  mlir::Value ssa = c.e.materialize(x, c.range);
  return c.e.opValue("keep_if", {ssa, c.e.materialize(cond, c.range)}, x.element(), x.shape(),
                     c.range, c.e.attr("axes", *axes));
}

/// The factor is over the condition's axes that are not `_`; the condition keeps extent 1 elsewhere.
static Value emitKeepIf(BuiltinCall &c) {
  Value x = c.number("x"), cond = c.number("condition");
  if (x.isError() || cond.isError()) {
    return Value::error();
  }
  c.failed = true;
  if (cond.isUntyped() || cond.element() != DType::i1) {
    c.e.error(diag::condition_not_bool, c.rangeOf("condition"), "write a comparison",
              cond.describe());
    return Value::error();
  }
  x = c.e.settle(std::move(x), c.range);
  if (c.has("axes")) {
    c.failed = false;
    return keepIfAlong(c, x, cond);
  }
  Shape condShape = cond.kind == Value::Kind::Runtime ? cond.shape() : Shape();
  llvm::SmallVector<int64_t> axes;
  Shape wanted;
  bool fits = condShape.empty() || condShape.size() == x.shape().size();
  for (size_t i = 0; fits && i < x.shape().size(); ++i) {
    Axis axis = condShape.empty() ? Axis{1, true} : condShape[i];
    fits = axis.wild || axis.extent == x.shape()[i].extent;
    wanted.push_back(axis.wild ? Axis{1, true} : axis);
    if (!axis.wild || condShape.empty()) {
      axes.push_back(i);
    }
  }
  if (!fits) {
    c.e.error(diag::shape_mismatch, c.range,
              "index the condition with `_` where it does not depend on the axis", str(x.shape()),
              str(condShape));
    return Value::error();
  }
  c.failed = false;
  if (cond.asBool() == true) {
    return x;
  }
  if (condShape.empty()) {
    wanted = x.shape();
  }
  mlir::Value condition = c.e.materialize(cond, wanted, c.range);
  mlir::Value ssa = c.e.materialize(x, c.range);
  return c.e.opValue("keep_if", {ssa, condition}, x.element(), x.shape(), c.range,
                     c.e.attr("axes", axes));
}

static Value emitBits(BuiltinCall &c) {
  Value x = c.number("x");
  if (x.isError()) {
    return x;
  }
  if (x.isUntyped() || isBool(x.element())) {
    c.failed = true;
    c.e.error(diag::bits_type, c.rangeOf("x"), "give it a type: `bits(x as f32)`", x.describe());
    return Value::error();
  }
  DType to = bitsType(x.element());
  return x.kind == Value::Kind::Const ? Value::constant(to, x.bits)
                                      : c.e.opValue("bits", x.ssa, to, x.shape(), c.range);
}

static Value emitFromBits(BuiltinCall &c) {
  std::optional<DType> to = dtypeArg(c, "T");
  Value x = c.number("x");
  if (!to || x.isError()) {
    return Value::error();
  }
  c.failed = isBool(*to);
  if (!c.failed && x.isUntyped()) {
    x = c.e.toDType(x, bitsType(*to), c.rangeOf("x"));
    c.failed = x.isError();
  }
  if (c.failed || x.element() != bitsType(*to)) {
    if (!x.isError()) {
      c.e.error(diag::from_bits_type, c.rangeOf("x"),
                ("convert the bits: `… as " + name(bitsType(*to)) + "(wrap)`"), name(*to),
                name(bitsType(*to)), x.describe());
    }
    c.failed = true;
    return Value::error();
  }
  return x.kind == Value::Kind::Const ? Value::constant(*to, x.bits)
                                      : c.e.opValue("from_bits", x.ssa, *to, x.shape(), c.range);
}

llvm::ArrayRef<Builtin> shapeBuiltins() {
  static const Builtin rows[] = {
      {"zeros", "T shape", emitZeros},
      {"full", "T shape value", emitFull},
      {"iota", "n", emitIota},
      {"broadcast", "x shape", emitBroadcast, true},
      {"splat", "x shape", emitBroadcast},
      {"reshape", "x shape", emitReshape, true},
      {"permute", "x order", emitPermute, true},
      {"expand", "x axes", emitExpand, true},
      {"squeeze", "x axes", emitSqueeze, true},
      {"cat", "parts* axis?", emitCat},
      {"flip", "x axis?", emitFlip, true},
      {"select", "condition a b", emitSelect},
      {"keep_if", "x condition axes?", emitKeepIf, true},
      {"bits", "x", emitBits, true},
      {"from_bits", "T x", emitFromBits},
  };
  return rows;
}

} // namespace tessera::sema
