// Elementwise arithmetic: checks, folding of what is known, and the ops of the elementwise table by mnemonic.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Emitter.h"

#include "tessera/Dialect/Tile/TileDialect.h"
#include "tessera/Numeric/NumberSystem.h"

namespace tessera::sema {

//===-- folding ----------------------------------------------------------------------------------------------------===//

/// Untyped integers; nothing where the op is none for them or the result leaves 127 bits.
static std::optional<__int128> foldInts(ScalarOp op, __int128 a, __int128 b) {
  __int128 r = 0;
  llvm::StringRef m = mnemonic(op);
  if (m == "add") {
    return __builtin_add_overflow(a, b, &r) ? std::nullopt : std::optional<__int128>(r);
  }
  if (m == "sub") {
    return __builtin_sub_overflow(a, b, &r) ? std::nullopt : std::optional<__int128>(r);
  }
  if (m == "mul") {
    return __builtin_mul_overflow(a, b, &r) ? std::nullopt : std::optional<__int128>(r);
  }
  if (m == "floordiv" || m == "mod") {
    if (b == 0) {
      return m == "mod" ? a : 0;
    }
    __int128 q = a / b, rest = a % b;
    if (rest != 0 && ((rest < 0) != (b < 0))) {
      --q;
      rest += b;
    }
    return m == "mod" ? rest : q;
  }
  if (m == "neg") {
    return __builtin_sub_overflow(static_cast<__int128>(0), a, &r) ? std::nullopt
                                                                   : std::optional<__int128>(r);
  }
  if (m == "abs") {
    return a < 0 ? -a : a;
  }
  if (m == "min") {
    return a < b ? a : b;
  }
  if (m == "max") {
    return a > b ? a : b;
  }
  if (m == "and") {
    return a & b;
  }
  if (m == "or") {
    return a | b;
  }
  if (m == "xor") {
    return a ^ b;
  }
  if (m == "shl" && b >= 0 && b < 64 && a >= 0 && a <= static_cast<__int128>(UINT64_MAX)) {
    r = a << b;
    return r <= static_cast<__int128>(UINT64_MAX) ? std::optional<__int128>(r) : std::nullopt;
  }
  if (m == "shr" && b >= 0) {
    return b >= 127 ? (a < 0 ? -1 : 0) : a >> b;
  }
  return std::nullopt;
}

/// Untyped floats, to 113 bits.
static std::optional<llvm::APFloat> foldFloats(ScalarOp op, llvm::APFloat a,
                                               const llvm::APFloat &b) {
  constexpr auto rne = llvm::APFloat::rmNearestTiesToEven;
  llvm::StringRef m = mnemonic(op);
  if (m == "add") {
    a.add(b, rne);
  } else if (m == "sub") {
    a.subtract(b, rne);
  } else if (m == "mul") {
    a.multiply(b, rne);
  } else if (m == "div") {
    a.divide(b, rne);
  } else if (m == "neg") {
    a.changeSign();
  } else if (m == "abs") {
    a.clearSign();
  } else if (m == "min") {
    return llvm::minimum(a, b);
  } else if (m == "max") {
    return llvm::maximum(a, b);
  } else {
    return std::nullopt;
  }
  return a;
}

static std::optional<Value> foldUntyped(ScalarOp op, llvm::ArrayRef<Value> operands) {
  if (operands.size() > 2) {
    return std::nullopt;
  }
  const Value &a = operands.front(), &b = operands.back();
  if (a.kind == Value::Kind::Int) {
    std::optional<__int128> r = foldInts(op, a.integer, b.integer);
    return r ? std::optional<Value>(Value::untyped(*r)) : std::nullopt;
  }
  if (mnemonic(op) == "neg" && !a.text.empty()) {
    return Value::untypedFloat(a.text, !a.negative);
  }
  std::optional<llvm::APFloat> r = foldFloats(op, *a.quad, *b.quad);
  return r ? std::optional<Value>(Value::untypedFloat(*r)) : std::nullopt;
}

template <typename System>
static bool applyScalar(ScalarOp op, DType type, Accuracy accuracy, llvm::ArrayRef<const void *> in,
                        void *out) {
  if (in.size() == 1) {
    Kernel1 kernel = System::unary(op, type, accuracy);
    return kernel && (kernel(in[0], out, 1), true);
  }
  if (in.size() == 2) {
    Kernel2 kernel = System::binary(op, type, accuracy);
    return kernel && (kernel(in[0], in[1], out, 1), true);
  }
  Kernel3 kernel = System::ternary(op, type, accuracy);
  return kernel && (kernel(in[0], in[1], in[2], out, 1), true);
}

static std::optional<Value> foldTyped(ScalarOp op, llvm::ArrayRef<Value> operands,
                                      Accuracy accuracy) {
  DType type = operands.front().element();
  llvm::SmallVector<const void *, 3> in, inWide;
  llvm::SmallVector<double, 3> wide;
  for (const Value &value : operands) {
    in.push_back(&value.bits);
    wide.push_back(isFloat(type) ? value.wide.value_or(value.asDouble()) : 0.0);
  }
  for (const double &value : wide) {
    inWide.push_back(&value);
  }
  uint64_t out = 0;
  if (!applyScalar<ExactSystem>(op, type, accuracy, in, &out)) {
    return std::nullopt;
  }
  Value result = Value::constant(resultType(op, type), out);
  double outWide = 0;
  if (isFloat(result.element()) && applyScalar<F64System>(op, type, accuracy, inWide, &outWide)) {
    result.wide = outWide;
  }
  return result;
}

/// i64 expressions in extents stay known as such.
static mlir::AffineExpr foldSymbolic(Emitter &e, ScalarOp op, llvm::ArrayRef<Value> operands) {
  if (operands.size() != 2) {
    return {};
  }
  llvm::SmallVector<mlir::AffineExpr, 2> exprs;
  for (const Value &value : operands) {
    if (value.element() != DType::i64) {
      return {};
    }
    if (value.kind == Value::Kind::Const) {
      exprs.push_back(mlir::getAffineConstantExpr(*value.asI64(), &e.instance.context));
    } else if (value.symbolic) {
      exprs.push_back(value.symbolic);
    } else {
      return {};
    }
  }
  auto right = llvm::dyn_cast<mlir::AffineConstantExpr>(exprs[1]);
  auto left = llvm::dyn_cast<mlir::AffineConstantExpr>(exprs[0]);
  // Constants that could overflow inside the affine library are left out.
  constexpr int64_t kSafe = int64_t(1) << 31;
  if ((right && std::abs(right.getValue()) > kSafe) ||
      (left && std::abs(left.getValue()) > kSafe)) {
    return {};
  }
  llvm::StringRef m = mnemonic(op);
  if (m == "add") {
    return exprs[0] + exprs[1];
  }
  if (m == "sub") {
    return exprs[0] - exprs[1];
  }
  if (m == "mul") {
    return exprs[0] * exprs[1];
  }
  bool positive = !right || right.getValue() > 0;
  if (m == "floordiv" && positive) {
    return exprs[0].floorDiv(exprs[1]);
  }
  if (m == "mod" && positive) {
    return exprs[0] % exprs[1];
  }
  return {};
}

//===-- checks -----------------------------------------------------------------------------------------------------===//

static llvm::StringRef domainText(OpDomain domain) {
  switch (domain) {
  case OpDomain::Float:
    return "floats (`bf16`, `f16`, `f32`, `f64`)";
  case OpDomain::Int:
    return "integers";
  case OpDomain::Num:
    return "numbers";
  case OpDomain::IntBool:
    return "integers and `bool`";
  }
  return "numbers";
}

static std::string domainHelp(ScalarOp op, DType type) {
  llvm::StringRef m = mnemonic(op);
  if (m == "div" && isInteger(type)) {
    return "integers divide with `//` (floor) or `div_trunc(a, b)`; for a float quotient convert "
           "both with `as f32`";
  }
  if (m == "floordiv" && isFloat(type)) {
    return "floats divide with `/`; for the floor of a quotient write `floor(a / b)`";
  }
  if (m == "mod" && isFloat(type)) {
    return "write `a - floor(a / b) * b`";
  }
  if (isFp8(type)) {
    return "8-bit floats have no arithmetic: convert with `as f32`";
  }
  if (isBool(type)) {
    return "convert with `as i32`, or combine truth values with `and`, `or`, `xor`, `not`";
  }
  if (isInteger(type)) {
    return "convert with `as f32`";
  }
  return "use `bits(x)` for the bit pattern of a float";
}

static bool checkDomain(Emitter &e, ScalarOp op, llvm::ArrayRef<Value> operands,
                        SourceRange range) {
  const Value &first = operands.front();
  bool ok = first.isUntyped() ? !(mnemonic(op) == "div" && first.kind == Value::Kind::Int)
                              : accepts(op, first.element());
  DType type = first.kind == Value::Kind::Int     ? DType::i64
               : first.kind == Value::Kind::Float ? DType::f32
                                                  : first.element();
  if (ok) {
    return true;
  }
  DiagnosticBuilder d = e.error(diag::wrong_domain, range, domainHelp(op, type), info(op).surface,
                                domainText(info(op).domain), name(type));
  (void)d;
  return false;
}

Value Emitter::elementwise(ScalarOp scalarOp, llvm::SmallVector<Value, 3> operands,
                           SourceRange range, Accuracy accuracy) {
  for (const Value &value : operands) {
    if (value.isError()) {
      return Value::error();
    }
  }
  if (!unify(operands, range) || !checkDomain(*this, scalarOp, operands, range)) {
    return Value::error();
  }
  bool known = llvm::all_of(operands, [](const Value &v) { return v.isKnown(); });
  if (known && operands.front().isUntyped()) {
    if (std::optional<Value> folded = foldUntyped(scalarOp, operands)) {
      return *folded;
    }
    DType type = operands.front().kind == Value::Kind::Int && accepts(scalarOp, DType::i64)
                     ? DType::i64
                     : DType::f32;
    for (Value &value : operands) {
      value = toDType(value, type, range);
      if (value.isError()) {
        return value;
      }
    }
    if (!checkDomain(*this, scalarOp, operands, range)) {
      return Value::error();
    }
  }
  if (known) {
    if (std::optional<Value> folded = foldTyped(scalarOp, operands, accuracy)) {
      return *folded;
    }
  }
  std::optional<Shape> shape = commonShape(operands, range);
  if (!shape) {
    return Value::error();
  }
  llvm::SmallVector<mlir::Value, 3> ssa;
  for (const Value &value : operands) {
    ssa.push_back(materialize(value, *shape, range));
    if (!ssa.back()) {
      return Value::error();
    }
  }
  llvm::SmallVector<mlir::NamedAttribute, 1> attributes;
  if (accuracy == Accuracy::fast) {
    attributes.push_back(
        attr("accuracy", tile::AccuracyAttr::get(&instance.context, tile::Accuracy::fast)));
  }
  DType element = resultType(scalarOp, operands.front().element());
  Value result = opValue(mnemonic(scalarOp), ssa, element, *shape, range, attributes);
  if (shape->empty()) {
    result.symbolic = foldSymbolic(*this, scalarOp, operands);
  }
  return result;
}

//===-- comparison, selection --------------------------------------------------------------------------------------===//

static bool holds(CmpPredicate predicate, int order, bool unordered) {
  switch (predicate) {
  case CmpPredicate::eq:
    return !unordered && order == 0;
  case CmpPredicate::ne:
    return unordered || order != 0;
  case CmpPredicate::lt:
    return !unordered && order < 0;
  case CmpPredicate::le:
    return !unordered && order <= 0;
  case CmpPredicate::gt:
    return !unordered && order > 0;
  case CmpPredicate::ge:
    return !unordered && order >= 0;
  }
  return false;
}

/// Enum cases, element types, presence: only equality.
static std::optional<Value> compareStatic(Emitter &e, CmpPredicate predicate, const Value &a,
                                          const Value &b, SourceRange range) {
  bool cases = a.kind == Value::Kind::EnumCase && b.kind == Value::Kind::EnumCase;
  bool types = a.kind == Value::Kind::DType && b.kind == Value::Kind::DType;
  if (!cases && !types) {
    return std::nullopt;
  }
  if (cases && a.type != b.type) {
    e.error(diag::mixed_types, range, "compare cases of one enum", a.type.str(), b.type.str());
    return Value::error();
  }
  if (predicate != CmpPredicate::eq && predicate != CmpPredicate::ne) {
    e.error(diag::no_order, range, "compare with `==` or `!=`", a.describe());
    return Value::error();
  }
  bool same = cases ? a.index == b.index : a.element() == b.element();
  return Value::boolean(same == (predicate == CmpPredicate::eq));
}

Value Emitter::compare(CmpPredicate predicate, Value lhs, Value rhs, SourceRange range) {
  if (lhs.isError() || rhs.isError()) {
    return Value::error();
  }
  if (std::optional<Value> result = compareStatic(*this, predicate, lhs, rhs, range)) {
    return *result;
  }
  llvm::SmallVector<Value, 2> operands{std::move(lhs), std::move(rhs)};
  if (!unify(operands, range)) {
    return Value::error();
  }
  const Value &a = operands[0], &b = operands[1];
  if (a.isKnown() && b.isKnown()) {
    if (a.kind == Value::Kind::Int) {
      return Value::boolean(
          holds(predicate, a.integer < b.integer ? -1 : a.integer > b.integer, false));
    }
    if (a.kind == Value::Kind::Float) {
      llvm::APFloat::cmpResult order = a.quad->compare(*b.quad);
      return Value::boolean(holds(
          predicate, order == llvm::APFloat::cmpLessThan ? -1 : order != llvm::APFloat::cmpEqual,
          order == llvm::APFloat::cmpUnordered));
    }
    if (Kernel2 kernel = ExactSystem::compare(predicate, a.element())) {
      uint64_t x = a.bits, y = b.bits, out = 0;
      kernel(&x, &y, &out, 1);
      return Value::boolean((out & 1) != 0);
    }
  }
  std::optional<Shape> shape = commonShape(operands, range);
  if (!shape) {
    return Value::error();
  }
  mlir::Value x = materialize(a, *shape, range), y = materialize(b, *shape, range);
  if (!x || !y) {
    return Value::error();
  }
  return opValue(
      "cmp", {x, y}, DType::i1, *shape, range,
      attr("predicate", tile::CmpPredicateAttr::get(&instance.context,
                                                    static_cast<tile::CmpPredicate>(predicate))));
}

Value Emitter::select(Value cond, Value a, Value b, SourceRange range) {
  cond = operand(std::move(cond), range, DType::i1);
  llvm::SmallVector<Value, 2> sides{std::move(a), std::move(b)};
  if (cond.isError() || sides[0].isError() || sides[1].isError() || !unify(sides, range)) {
    return Value::error();
  }
  if (cond.isUntyped() || cond.element() != DType::i1) {
    error(diag::condition_not_bool, range, "write a comparison, for example `x != 0`",
          cond.describe());
    return Value::error();
  }
  sides[0] = settle(sides[0], range);
  sides[1] = settle(sides[1], range);
  if (std::optional<bool> known = cond.asBool();
      known && sides[0].isKnown() && sides[1].isKnown()) {
    return sides[*known ? 0 : 1];
  }
  std::optional<Shape> shape = commonShape({cond, sides[0], sides[1]}, range);
  if (!shape || sides[0].isError() || sides[1].isError()) {
    return Value::error();
  }
  mlir::Value c = materialize(cond, *shape, range);
  mlir::Value x = materialize(sides[0], *shape, range), y = materialize(sides[1], *shape, range);
  return opValue("select", {c, x, y}, sides[0].element(), *shape, range);
}

Value Emitter::fillAbsent(Value value, Value fill, SourceRange range) {
  if (value.isError() || fill.isError()) {
    return Value::error();
  }
  if (value.kind == Value::Kind::Absent) {
    return fill;
  }
  if (value.kind == Value::Kind::Missing && value.type.kind == Type::Kind::Tile) {
    return coerce(std::move(fill), value.type, range, "the right side of `??`");
  }
  llvm::SmallVector<Value, 2> sides{std::move(value), std::move(fill)};
  if (!unify(sides, range)) {
    return Value::error();
  }
  if (sides[0].isKnown()) {
    return sides[0];
  }
  std::optional<Shape> shape = commonShape(sides, range);
  if (!shape) {
    return Value::error();
  }
  mlir::Value x = materialize(sides[0], *shape, range), y = materialize(sides[1], *shape, range);
  if (!x || !y) {
    return Value::error();
  }
  return opValue("fill_absent", {x, y}, sides[0].element(), *shape, range);
}

} // namespace tessera::sema
