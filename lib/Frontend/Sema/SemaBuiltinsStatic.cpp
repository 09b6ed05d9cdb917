// Builtins of extents and compile time: rounding of sizes, spans, presence of optional arguments.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Builtins.h"

namespace tessera::sema {

static ScalarOp opOf(llvm::StringRef mnemonic) { return *scalarOpByMnemonic(mnemonic); }

/// Quotient rounded up, for every sign: -((-a) // b).
static Value quotientUp(BuiltinCall &c, const Value &a, const Value &b) {
  Value negated = c.e.elementwise(opOf("neg"), {a}, c.range);
  Value quotient = c.e.elementwise(opOf("floordiv"), {std::move(negated), b}, c.range);
  return c.e.elementwise(opOf("neg"), {std::move(quotient)}, c.range);
}

static bool checkIntegers(BuiltinCall &c, const Value &a, const Value &b) {
  for (const Value *value : {&a, &b}) {
    if (value->isError()) {
      return false;
    }
    bool integer =
        value->kind == Value::Kind::Int || (!value->isUntyped() && isInteger(value->element()));
    if (!integer) {
      c.failed = true;
      c.e.error(diag::wrong_domain, c.range, "divide floats with `/`", c.builtin.name, "integers",
                value->describe());
      return false;
    }
  }
  return true;
}

static Value emitCdiv(BuiltinCall &c) {
  Value a = c.number("a"), b = c.number("b");
  return checkIntegers(c, a, b) ? quotientUp(c, a, b) : Value::error();
}

static Value emitRoundUp(BuiltinCall &c) {
  Value a = c.number("a"), b = c.number("b");
  return checkIntegers(c, a, b) ? c.e.elementwise(opOf("mul"), {quotientUp(c, a, b), b}, c.range)
                                : Value::error();
}

/// max(b, a rounded up to a multiple of b).
static Value emitBucket(BuiltinCall &c) {
  Value a = c.number("a"), b = c.number("b");
  if (!checkIntegers(c, a, b)) {
    return Value::error();
  }
  Value rounded = c.e.elementwise(opOf("mul"), {quotientUp(c, a, b), b}, c.range);
  return c.e.elementwise(opOf("max"), {b, std::move(rounded)}, c.range);
}

static Value emitWhole(BuiltinCall &c) {
  Value extent = c.number("extent");
  std::optional<int64_t> width = c.integer("width");
  if (extent.isError() || !width) {
    return Value::error();
  }
  extent =
      c.e.coerce(std::move(extent), Type::scalar(DType::i64), c.rangeOf("extent"), "the extent");
  if (extent.isError() || !c.e.checkShape({{*width, false}}, c.rangeOf("width"))) {
    return Value::error();
  }
  if (std::optional<int64_t> known = extent.asI64(); known && *known > *width) {
    c.failed = true;
    c.e.error(diag::whole_too_narrow, c.range, "make the width at least the extent", *known,
              *width);
    return Value::error();
  }
  Value span = c.e.makeSpan(Value::i64(0), extent, *width, true, c.range);
  return span;
}

static Value emitSome(BuiltinCall &c) {
  const ast::Expr *expr = c.find("x")->expr;
  if (!expr) {
    return Value::boolean(true);
  }
  Value value = c.e.emitExpr(*expr);
  if (value.isError()) {
    return value;
  }
  return Value::boolean(value.kind != Value::Kind::Missing);
}

/// Bytes of an element in memory.
static Value emitSizeOf(BuiltinCall &c) {
  Value type = c.get("type");
  if (type.isError()) {
    return type;
  }
  if (type.kind != Value::Kind::DType) {
    c.failed = true;
    c.e.error(diag::element_type_expected, c.rangeOf("type"),
              "element types are `f32`, `bf16`, `i32`, …", type.describe());
    return Value::error();
  }
  return Value::i64(static_cast<int64_t>(byteSize(type.element())));
}

llvm::ArrayRef<Builtin> staticBuiltins() {
  static const Builtin rows[] = {
      {"cdiv", "a b", emitCdiv},
      {"round_up", "a b", emitRoundUp},
      {"bucket", "a b", emitBucket},
      {"size_of", "type", emitSizeOf},
      {"whole", "extent width", emitWhole},
      {"some", "x", emitSome, false, true, true},
  };
  return rows;
}

} // namespace tessera::sema
