// Conversions: one type for all operands, one shape for all operands, values as SSA, casts.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Emitter.h"

#include "tessera/Dialect/Tile/DTypes.h"
#include "tessera/Dialect/Tile/TileDialect.h"
#include "tessera/Numeric/NumberSystem.h"

namespace tessera::sema {

mlir::Type Emitter::irType(DType element) const {
  return tessera::typeOf(element, &instance.context);
}

mlir::Type Emitter::irType(DType element, const Shape &shape) const {
  llvm::SmallVector<int64_t> extents;
  for (const Axis &axis : shape) {
    extents.push_back(axis.extent);
  }
  return tile::scalarOrTile(extents, irType(element));
}

mlir::NamedAttribute Emitter::attr(llvm::StringRef name, int64_t value) {
  return mlir::NamedAttribute(mlir::StringAttr::get(&instance.context, name),
                              builder.getI64IntegerAttr(value));
}
mlir::NamedAttribute Emitter::attr(llvm::StringRef name, llvm::ArrayRef<int64_t> values) {
  return mlir::NamedAttribute(mlir::StringAttr::get(&instance.context, name),
                              builder.getDenseI64ArrayAttr(values));
}
mlir::NamedAttribute Emitter::unitAttr(llvm::StringRef name) {
  return mlir::NamedAttribute(mlir::StringAttr::get(&instance.context, name),
                              builder.getUnitAttr());
}
mlir::NamedAttribute Emitter::attr(llvm::StringRef name, mlir::Attribute value) {
  return mlir::NamedAttribute(mlir::StringAttr::get(&instance.context, name), value);
}

mlir::Value Emitter::op(llvm::StringRef mnemonic, mlir::ValueRange operands, mlir::Type result,
                        SourceRange range, llvm::ArrayRef<mlir::NamedAttribute> attributes) {
  mlir::OperationState state(loc(range), ("tile." + mnemonic).str());
  state.addOperands(operands);
  state.addTypes(result);
  state.addAttributes(attributes);
  return builder.create(state)->getResult(0);
}

Value Emitter::opValue(llvm::StringRef mnemonic, mlir::ValueRange operands, DType element,
                       const Shape &shape, SourceRange range,
                       llvm::ArrayRef<mlir::NamedAttribute> attributes) {
  return Value::runtime(op(mnemonic, operands, irType(element, shape), range, attributes), element,
                        shape);
}

Type Emitter::typeOf(const Value &value) const {
  switch (value.kind) {
  case Value::Kind::Int:
    return Type::scalar(DType::i64);
  case Value::Kind::Float:
    return Type::scalar(DType::f32);
  case Value::Kind::Tuple: {
    Type type;
    type.kind = Type::Kind::Tuple;
    for (const Value &part : value.parts) {
      type.parts.push_back(typeOf(part));
    }
    return type;
  }
  case Value::Kind::Missing: {
    Type type;
    type.kind = Type::Kind::Optional;
    type.parts.push_back(value.type);
    return type;
  }
  default:
    return value.type;
  }
}

Value Emitter::operand(Value value, SourceRange range, std::optional<DType> type) {
  if (value.isError() || value.isNumeric()) {
    return value;
  }
  range = placeOf(value, range);
  if (value.kind == Value::Kind::Missing && value.type.kind == Type::Kind::Tile) {
    return opValue("absent", {}, value.type.element, value.type.shape, range);
  }
  if (value.kind == Value::Kind::Absent) {
    if (type) {
      return opValue("absent", {}, *type, {}, range);
    }
    error(diag::absent_untyped, range, "put a value of a type in the other branch");
    return Value::error();
  }
  DiagnosticBuilder d =
      error(diag::number_expected, range, "use a number or a tile here", value.describe());
  if (value.kind == Value::Kind::View) {
    d.help("load the elements: `view[span, …]`");
  } else if (value.kind == Value::Kind::Span) {
    d.help("its indices are `.index`, its ends `.start` and `.stop`");
  } else if (value.kind == Value::Kind::Array) {
    d.help("read an element: `array[i, …]`");
  }
  return Value::error();
}

/// Whether `as to` needs no mode.
static bool castNeedsNoMode(DType from, DType to) {
  if (isFp8(to) || isBool(from) || isBool(to)) {
    return false;
  }
  return isFloat(to) || (isInteger(from) && castIsExact(from, to));
}

/// The repair `… as to` of the expression at `place`.
static void appendCast(Emitter &e, DiagnosticBuilder &d, SourceRange place, DType to) {
  // What has a blank may hold an operator that `as` would bind tighter than.
  bool compound = e.instance.engine.getSources().text(place).contains(' ');
  if (compound) {
    d.fixIt(place.atBegin(), "(");
  }
  d.fixIt(place.atEnd(), (compound ? ") as " : " as ") + name(to));
}

/// Names both types; where one holds all values of the other, the repair converts to it.
static void reportMixed(Emitter &e, const Value &first, const Value &second, SourceRange range) {
  llvm::StringRef a = name(first.element()), b = name(second.element());
  DiagnosticBuilder d =
      e.error(diag::mixed_types, range,
              "write which type is meant: `… as " + a + "` or `… as " + b + "`", a, b);
  bool toFirst = castIsExact(second.element(), first.element());
  const Value &converted = toFirst ? second : first;
  DType from = converted.element(), to = toFirst ? first.element() : second.element();
  bool plain = castIsExact(from, to) && !isBool(from) && isFloat(from) == isFloat(to);
  if (plain && converted.origin.isValid() && range.contains(converted.origin)) {
    appendCast(e, d, converted.origin, to);
  }
}

bool Emitter::unify(llvm::MutableArrayRef<Value> values, SourceRange range) {
  std::optional<DType> type;
  const Value *typed = nullptr;
  bool anyFloat = false;
  for (Value &value : values) {
    if (value.kind == Value::Kind::Missing) {
      value = operand(std::move(value), range);
    }
    anyFloat |= value.kind == Value::Kind::Float;
    if (value.kind == Value::Kind::Const || value.kind == Value::Kind::Runtime) {
      if (type && *type != value.element()) {
        reportMixed(*this, *typed, value, range);
        return false;
      }
      type = value.element();
      typed = &value;
    }
  }
  for (Value &value : values) {
    value = operand(std::move(value), range, type);
    if (type) {
      value = toDType(value, *type, range);
    } else if (anyFloat && value.kind == Value::Kind::Int) {
      Value same =
          Value::untypedFloat(llvm::APFloat(llvm::APFloat::IEEEquad(), toString(value.integer)));
      value = std::move(same);
    }
    if (value.isError()) {
      return false;
    }
  }
  return true;
}

std::optional<Shape> Emitter::commonShape(llvm::ArrayRef<Value> values, SourceRange range) {
  const Value *first = nullptr;
  Shape shape;
  for (const Value &value : values) {
    if (value.kind != Value::Kind::Runtime || value.shape().empty()) {
      continue;
    }
    if (!first) {
      first = &value;
      shape = value.shape();
      continue;
    }
    bool fits = value.shape().size() == shape.size();
    for (size_t i = 0; fits && i < shape.size(); ++i) {
      const Axis &other = value.shape()[i];
      if (shape[i].wild) {
        shape[i] = other;
      } else if (!other.wild) {
        fits = other.extent == shape[i].extent;
      }
    }
    if (!fits) {
      std::string help =
          value.shape().size() == first->shape().size()
              ? "only an axis `_` is repeated; make one with `[:, _]` or `keep = true`"
              : "give both the same number of axes: `_` in an index adds one, as in `t[:, _]`";
      error(diag::shape_mismatch, range, help, str(first->shape()), str(value.shape()));
      return std::nullopt;
    }
  }
  return shape;
}

static mlir::Value constantOp(Emitter &e, const Value &value, mlir::Type type, SourceRange range) {
  mlir::TypedAttr element = tessera::attributeOf(value.element(), &value.bits, &e.instance.context);
  llvm::SmallVector<mlir::NamedAttribute, 2> attributes{e.attr("value", element)};
  // The value before rounding: what the run in f64 takes for the literal.
  if (value.wide && *value.wide == *value.wide && *value.wide != value.asDouble()) {
    attributes.push_back(e.attr("tile.exact", e.builder.getF64FloatAttr(*value.wide)));
  }
  return e.op("constant", {}, type, range, attributes);
}

mlir::Value Emitter::materialize(const Value &value, SourceRange range) {
  Value known = settle(operand(value, range), range);
  if (known.isError()) {
    return {};
  }
  return known.kind == Value::Kind::Const ? constantOp(*this, known, irType(known.element()), range)
                                          : known.ssa;
}

mlir::Value Emitter::materialize(const Value &value, const Shape &shape, SourceRange range) {
  Value known = settle(value, range);
  if (known.isError()) {
    return {};
  }
  mlir::Type type = irType(known.element(), shape);
  if (known.kind == Value::Kind::Const) {
    return constantOp(*this, known, type, range);
  }
  if (known.ssa.getType() == type) {
    return known.ssa;
  }
  return op(known.shape().empty() ? "splat" : "broadcast", known.ssa, type, range);
}

Value Emitter::broadcastTo(const Value &value, const Shape &shape, SourceRange range) {
  if (value.isError()) {
    return value;
  }
  mlir::Value ssa = materialize(value, shape, range);
  return ssa ? Value::runtime(ssa, settle(value, range).element(), shape) : Value::error();
}

static Value coerceParts(Emitter &e, Value value, const Type &to, SourceRange range,
                         const llvm::Twine &what) {
  if (value.parts.size() != to.parts.size()) {
    e.error(diag::type_mismatch, range, "give as many values as the type has", what.str(), to.str(),
            value.describe());
    return Value::error();
  }
  for (size_t i = 0; i < value.parts.size(); ++i) {
    value.parts[i] = e.coerce(value.parts[i], to.parts[i], range, what);
  }
  return Value::tuple(std::move(value.parts));
}

/// The repair of a type mismatch between two tiles or scalars.
static std::string mismatchHelp(const Value &value, const Type &to) {
  if (value.kind != Value::Kind::Runtime && value.kind != Value::Kind::Const) {
    return "give a value of type `" + to.str() + "`";
  }
  if (to.kind != Type::Kind::Tile) {
    return "give a value of type `" + to.str() + "`";
  }
  if (value.shape() == to.shape) {
    return ("convert it: `… as " + name(to.element) + "`").str();
  }
  if (value.shape().empty()) {
    return "a scalar fills a tile only where it is written so: `broadcast(x, " + str(to.shape) +
           ")`";
  }
  return "make the shapes equal: index with `_`, reduce, or `reshape`";
}

Value Emitter::coerce(Value value, const Type &to, SourceRange range, const llvm::Twine &what) {
  if (value.isError() || to.isError()) {
    return Value::error();
  }
  if (to.kind == Type::Kind::Optional) {
    return value.kind == Value::Kind::Missing
               ? value
               : coerce(std::move(value), to.parts.front(), range, what);
  }
  if (to.kind == Type::Kind::Tuple && value.kind == Value::Kind::Tuple) {
    return coerceParts(*this, std::move(value), to, range, what);
  }
  if (to.kind == Type::Kind::Tile) {
    if (value.kind == Value::Kind::Absent || value.kind == Value::Kind::Missing) {
      return opValue("absent", {}, to.element, to.shape, range);
    }
    bool literal = value.isUntyped();
    value = toDType(value, to.element, range);
    if (value.isError()) {
      return value;
    }
    if (literal && !to.shape.empty()) {
      return broadcastTo(value, to.shape, range);
    }
  }
  if (typeOf(value) == to) {
    return value;
  }
  if (value.kind == Value::Kind::Runtime && to.kind == Type::Kind::Tile &&
      value.element() == to.element && irType(to.element, to.shape) == value.ssa.getType()) {
    // `_` and 1 have the same IR; the name's type says which it is from here on.
    value.type = to;
    return value;
  }
  SourceRange place = placeOf(value, range);
  DiagnosticBuilder d = error(diag::type_mismatch, place, mismatchHelp(value, to), what.str(),
                              to.str(), value.describe());
  bool number = value.kind == Value::Kind::Runtime || value.kind == Value::Kind::Const;
  if (number && to.kind == Type::Kind::Tile && value.shape() == to.shape &&
      castNeedsNoMode(value.element(), to.element)) {
    appendCast(*this, d, place, to.element);
  }
  return Value::error();
}

//===-- casts ------------------------------------------------------------------------------------------------------===//

static Value castConst(const Value &value, DType to, Round round, Overflow overflow) {
  CastKernel kernel = ExactSystem::cast(value.element(), to, round, overflow);
  if (!kernel) {
    return Value::error();
  }
  uint64_t in = value.bits, out = 0;
  kernel(&in, &out, 1);
  Value result = Value::constant(to, out);
  if (isFloat(to)) {
    result.wide =
        isFloat(value.element()) ? value.wide.value_or(value.asDouble()) : value.asDouble();
  }
  return result;
}

/// Checks the modes of a cast and names the repair. `insertAt` is where `(mode)` goes.
static bool checkCastModes(Emitter &e, DType from, DType to, std::optional<Round> round,
                           std::optional<Overflow> overflow, SourceRange range) {
  auto need = [&](diag::Id id, llvm::StringRef repair, llvm::StringRef help) {
    // A list of modes is there already if one of the other kind is.
    bool more = round || overflow;
    SourceRange end = range.atEnd();
    SourceRange inside{end.file, end.begin - std::min(end.begin, 1u),
                       end.end - std::min(end.end, 1u)};
    e.error(id, range, help, name(from), name(to))
        .fixIt(more ? inside : end, (more ? ", " + repair : "(" + repair + ")").str());
    return false;
  };
  if (isBool(from) || isBool(to)) {
    if (round || overflow) {
      e.error(diag::cast_mode_useless, range, "leave the mode out", name(from), name(to));
      return false;
    }
    return true;
  }
  if (isInteger(from) && isInteger(to) && round) {
    e.error(diag::cast_mode_useless, range, "integers do not round: leave the direction out",
            name(from), name(to));
    return false;
  }
  if (isFloat(from) && isInteger(to) && !round) {
    return need(diag::cast_needs_direction, "rz",
                "write the direction: `rz` towards zero, `rd` down, `ru` up, `rne` nearest even, "
                "`away` nearest");
  }
  bool nanWithInf = overflow == Overflow::nan && to != DType::f8E4M3FN;
  if (overflow && ((!castAccepts(from, to, *overflow) && !castIsExact(from, to)) || nanWithInf)) {
    e.error(diag::cast_mode_invalid, range,
            isInteger(to)
                ? "write `wrap` or `sat`"
                : (to == DType::f8E4M3FN ? "write `sat` or `nan`" : "write `inf` or `sat`"),
            name(*overflow), name(from), name(to));
    return false;
  }
  if (overflow) {
    return true;
  }
  if (to == DType::f8E4M3FN && from != to) {
    return need(diag::cast_needs_overflow, "sat",
                "write `sat` (greatest finite value) or `nan` for what is out of range");
  }
  if (to == DType::f8E5M2 && from != to) {
    return need(diag::cast_needs_overflow, "sat",
                "write `sat` (greatest finite value) or `inf` for what is out of range");
  }
  if (isInteger(from) && isInteger(to) && !castIsExact(from, to)) {
    return need(diag::cast_needs_overflow, "wrap",
                "write `wrap` (low bits) or `sat` (nearest value)");
  }
  return true;
}

Value Emitter::cast(Value value, DType to, std::optional<Round> round,
                    std::optional<Overflow> overflow, SourceRange range) {
  value = operand(std::move(value), range, to);
  if (value.isError()) {
    return value;
  }
  if (value.isUntyped()) {
    if (value.kind == Value::Kind::Float && isInteger(to) && round) {
      value = toDType(value, DType::f64, range);
    } else if (value.kind == Value::Kind::Int && overflow && !isFloat(to)) {
      value = toDType(value, value.integer > INT64_MAX ? DType::ui64 : DType::i64, range);
    } else if (to == DType::i1) {
      value = settle(std::move(value), range);
    } else {
      return toDType(value, to, range);
    }
    if (value.isError()) {
      return value;
    }
  }
  DType from = value.element();
  if (!checkCastModes(*this, from, to, round, overflow, range)) {
    return Value::error();
  }
  if (from == to) {
    return value;
  }
  if (value.kind == Value::Kind::Const) {
    Value folded = castConst(value, to, round.value_or(Round::rne),
                             overflow.value_or(defaultOverflow(from, to).value_or(Overflow::sat)));
    if (!folded.isError()) {
      folded.wildAxis = false;
      return folded;
    }
    value = Value::runtime(materialize(value, range), from);
  }
  llvm::SmallVector<mlir::NamedAttribute, 2> attributes;
  if (round) {
    attributes.push_back(
        attr("round", tile::RoundAttr::get(&instance.context, static_cast<tile::Round>(*round))));
  }
  if (overflow && !(isInteger(from) && isInteger(to) && castIsExact(from, to))) {
    attributes.push_back(
        attr("overflow",
             tile::OverflowAttr::get(&instance.context, static_cast<tile::Overflow>(*overflow))));
  }
  return opValue("cast", value.ssa, to, value.shape(), range, attributes);
}

} // namespace tessera::sema
