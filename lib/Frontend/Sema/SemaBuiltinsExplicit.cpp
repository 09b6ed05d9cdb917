// Builtins that spell an op out where the usual form would fold, check or drop it: what a printer needs so that every op
// has text, and what a test needs to run an op on a constant.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Builtins.h"

#include "tessera/Dialect/Tile/TileDialect.h"
#include "tessera/Frontend/Frontend.h"

namespace tessera {

bool isReservedName(llvm::StringRef name) {
  return name == "absent" || name == "missing" || name == "self" || name == "present" ||
         parseDType(name) || sema::findBuiltin(name) || sema::builtinConstant(name);
}

} // namespace tessera

namespace tessera::sema {

/// `dynamic(x)`: the scalar as if it came with the launch. Nothing is folded, and no extent is known behind it.
static Value emitDynamic(BuiltinCall &c) {
  Value value = c.number("x");
  mlir::Value ssa = value.isError() ? mlir::Value() : c.e.materialize(value, c.range);
  if (!ssa) {
    return Value::error();
  }
  Value known = c.e.settle(value, c.range);
  return Value::runtime(ssa, known.element(),
                        known.kind == Value::Kind::Runtime ? known.shape() : Shape());
}

/// `span(start, limit, width = W)`: a span as loops and grids make them; with `exact` as `whole` makes it.
static Value emitSpan(BuiltinCall &c) {
  Type i64 = Type::scalar(DType::i64);
  Value start = c.e.coerce(c.get("start"), i64, c.rangeOf("start"), "the start");
  Value limit = c.e.coerce(c.get("limit"), i64, c.rangeOf("limit"), "the limit");
  std::optional<int64_t> width = c.integer("width");
  std::optional<bool> exact = c.flag("exact", false);
  if (start.isError() || limit.isError() || !width || !exact ||
      !c.e.checkShape({{*width, false}}, c.rangeOf("width"))) {
    return Value::error();
  }
  return c.e.makeSpan(start, limit, *width, *exact, c.range);
}

/// `cast(T, x, round = rz, overflow = sat)`: the op with exactly these modes, also where `as` would leave it out.
static Value emitExplicitCast(BuiltinCall &c) {
  Value to = c.get("T"), x = c.number("x");
  if (x.isError()) {
    return x;
  }
  if (to.kind != Value::Kind::DType) {
    c.failed = true;
    c.e.error(diag::element_type_expected, c.rangeOf("T"),
              "element types are `f32`, `bf16`, `i32`, …", to.describe());
    return Value::error();
  }
  DType target = to.element();
  x = c.e.settle(std::move(x), c.range);
  mlir::Value ssa = x.isError() ? mlir::Value() : c.e.materialize(x, c.range);
  if (!ssa) {
    return Value::error();
  }
  DType from = x.element();
  std::optional<Round> round = parseRound(c.word("round", ""));
  std::optional<Overflow> overflow = parseOverflow(c.word("overflow", ""));
  // What is exact or a truth value takes any mode; everything else is checked as `as` checks it.
  bool free = castIsExact(from, target) || isBool(from) || isBool(target);
  bool wrongDirection =
      (isFloat(from) && isInteger(target)) != round.has_value() && !isFloat(target);
  if (wrongDirection || (round && isInteger(from) && !isFloat(target))) {
    c.failed = true;
    c.e.error(wrongDirection && !round ? diag::cast_needs_direction : diag::cast_mode_useless,
              c.range, "a direction belongs to floats that become integers", name(from),
              name(target));
    return Value::error();
  }
  if (!free) {
    return c.e.cast(Value::runtime(ssa, from, x.shape()), target, round, overflow, c.range);
  }
  llvm::SmallVector<mlir::NamedAttribute, 2> attributes;
  mlir::MLIRContext *context = &c.e.instance.context;
  if (round) {
    attributes.push_back(
        c.e.attr("round", tile::RoundAttr::get(context, static_cast<tile::Round>(*round))));
  }
  if (overflow) {
    attributes.push_back(c.e.attr(
        "overflow", tile::OverflowAttr::get(context, static_cast<tile::Overflow>(*overflow))));
  }
  Shape shape = x.kind == Value::Kind::Runtime ? x.shape() : Shape();
  return c.e.opValue("cast", ssa, target, shape, c.range, attributes);
}

/// `neg(x)`, also of unsigned integers, which `-x` refuses because it is rarely meant.
static Value emitNeg(BuiltinCall &c) {
  return c.e.elementwise(*scalarOpByMnemonic("neg"), {c.number("x")}, c.range);
}

/// `absent(T)`, `absent(T, [8, 4])`: a value without a present element.
static Value emitAbsent(BuiltinCall &c) {
  Value type = c.get("T");
  if (type.kind != Value::Kind::DType) {
    c.failed = true;
    c.e.error(diag::element_type_expected, c.rangeOf("T"),
              "element types are `f32`, `bf16`, `i32`, …", type.describe());
    return Value::error();
  }
  Shape shape;
  if (c.has("shape")) {
    Value list = c.get("shape");
    if (list.kind != Value::Kind::ShapeList) {
      c.failed = true;
      c.e.error(diag::shape_expected, c.rangeOf("shape"), "write the extents: `[64, 32]`",
                list.describe());
      return Value::error();
    }
    shape = list.shape();
    if (!c.e.checkShape(shape, c.rangeOf("shape"))) {
      return Value::error();
    }
  }
  return c.e.opValue("absent", {}, type.element(), shape, c.range);
}

/// `present(t)`: which elements of a tile are present. Formulas have it for their elements.
static Value emitPresent(BuiltinCall &c) {
  Value x = c.number("x");
  if (x.isError()) {
    return x;
  }
  return x.isKnown() ? Value::boolean(true)
                     : c.e.opValue("present", x.ssa, DType::i1, x.shape(), c.range);
}

llvm::ArrayRef<Builtin> explicitBuiltins() {
  static const Builtin rows[] = {
      {"dynamic", "x", emitDynamic},
      {"span", "start limit width exact?", emitSpan},
      {"cast", "T x round:rne|rz|ru|rd|away overflow:inf|sat|nan|wrap", emitExplicitCast},
      {"neg", "x", emitNeg},
      {"absent", "T shape?", emitAbsent},
      {"present", "x", emitPresent},
  };
  return rows;
}

} // namespace tessera::sema
