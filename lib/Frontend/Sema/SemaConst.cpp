// What is known at compile time: literals that meet a type, constant expressions, sets, values given as text.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Emitter.h"

#include "tessera/Frontend/Literals.h"
#include "tessera/Frontend/Parser.h"
#include "tessera/Numeric/Value.h"

namespace tessera::sema {

static const llvm::fltSemantics &semanticsOf(DType type) {
  switch (type) {
  case DType::bf16:
    return llvm::APFloat::BFloat();
  case DType::f16:
    return llvm::APFloat::IEEEhalf();
  case DType::f64:
    return llvm::APFloat::IEEEdouble();
  case DType::f8E4M3FN:
    return llvm::APFloat::Float8E4M3FN();
  case DType::f8E5M2:
    return llvm::APFloat::Float8E5M2();
  default:
    return llvm::APFloat::IEEEsingle();
  }
}

/// Least and greatest value of an integer type.
static std::pair<__int128, __int128> limits(DType type) {
  unsigned width = bitWidth(type);
  if (isSigned(type)) {
    return {-(static_cast<__int128>(1) << (width - 1)),
            (static_cast<__int128>(1) << (width - 1)) - 1};
  }
  return {0, (static_cast<__int128>(1) << width) - 1};
}

static Value floatConst(DType type, const llvm::APFloat &value, double wide) {
  Value v = Value::constant(type, value.bitcastToAPInt().getZExtValue());
  v.wide = wide;
  return v;
}

static Value intToFloat(Emitter &e, const Value &value, DType type, SourceRange range) {
  bool negative = value.integer < 0;
  unsigned __int128 magnitude = negative ? -static_cast<unsigned __int128>(value.integer)
                                         : static_cast<unsigned __int128>(value.integer);
  llvm::APInt big(128, {static_cast<uint64_t>(magnitude), static_cast<uint64_t>(magnitude >> 64)});
  llvm::APFloat number(semanticsOf(type));
  llvm::APFloat::opStatus status =
      number.convertFromAPInt(big, false, llvm::APFloat::rmNearestTiesToEven);
  if (negative) {
    number.changeSign();
  }
  if (status & llvm::APFloat::opOverflow || !number.isFinite()) {
    e.error(diag::literal_overflow, range,
            "write `" + std::string(negative ? "-" : "") + "inf` if that is meant",
            toString(value.integer), name(type), Value::constant(type, 0).spelling());
    return Value::error();
  }
  Value result = floatConst(type, number, static_cast<double>(value.integer));
  if (status & llvm::APFloat::opInexact) {
    e.error(diag::literal_inexact, range,
            "the nearest value is `" + result.spelling() +
                "`; write that, or a float literal if rounding is meant",
            toString(value.integer), name(type))
        .fixIt(range, result.spelling());
    return Value::error();
  }
  return result;
}

static Value floatToFloat(Emitter &e, const Value &value, DType type, SourceRange range) {
  llvm::APFloat number = *value.quad;
  bool overflow = false, underflow = false;
  if (!value.text.empty()) {
    ConvertedFloat converted = convertFloat(value.text, semanticsOf(type));
    number = converted.value;
    overflow = converted.overflow;
    underflow = converted.underflow;
    if (value.negative) {
      number.changeSign();
    }
  } else {
    bool lost = false;
    bool finite = number.isFinite(), zero = number.isZero();
    number.convert(semanticsOf(type), llvm::APFloat::rmNearestTiesToEven, &lost);
    overflow = finite && !number.isFinite();
    underflow = !zero && number.isZero();
  }
  if (isFp8(type) && value.quad->isInfinity() && type == DType::f8E4M3FN) {
    e.error(diag::literal_overflow, range,
            "`f8e4m3` has no infinity; its greatest value is `448.0`", value.spelling(),
            name(type));
    return Value::error();
  }
  if (overflow) {
    double greatest = value.quad->isNegative() ? -maxFinite(type) : maxFinite(type);
    std::string text = Value::untypedFloat(llvm::APFloat(greatest)).spelling();
    e.error(diag::literal_overflow, range,
            "the nearest finite value is `" + text + "`; write that, or `inf` if that is meant",
            value.spelling(), name(type))
        .fixIt(range, text);
    return Value::error();
  }
  if (underflow) {
    double least = value.quad->isNegative() ? -minPositive(type) : minPositive(type);
    std::string text = Value::untypedFloat(llvm::APFloat(least)).spelling();
    e.error(diag::literal_underflow, range,
            "the nearest value other than 0 is `" + text + "`; write that, or `0.0`",
            value.spelling(), name(type))
        .fixIt(range, text);
    return Value::error();
  }
  return floatConst(type, number, value.asDouble());
}

static Value toInteger(Emitter &e, const Value &value, DType type, SourceRange range) {
  __int128 number = value.integer;
  if (value.kind == Value::Kind::Float) {
    uint64_t whole = 0;
    if (!value.text.empty() && floatAsInteger(value.text, whole)) {
      std::string text = (value.negative ? "-" : "") + std::to_string(whole);
      e.error(diag::float_for_integer, range, "write `" + text + "`", value.spelling(), name(type))
          .fixIt(range, text);
    } else {
      e.error(diag::float_for_integer, range,
              "write an integer, or give the other operand a float type with `as`",
              value.spelling(), name(type));
    }
    return Value::error();
  }
  auto [least, greatest] = limits(type);
  if (number < least || number > greatest) {
    std::string nearest = toString(number < least ? least : greatest);
    e.error(diag::literal_out_of_range, range,
            "the nearest value is `" + nearest + "`; write that, or use a wider type",
            toString(number), name(type), toString(least), toString(greatest))
        .fixIt(range, nearest);
    return Value::error();
  }
  return Value::constant(type, static_cast<uint64_t>(number));
}

Value Emitter::toDType(const Value &value, DType type, SourceRange range) {
  if (!value.isUntyped()) {
    return value;
  }
  range = placeOf(value, range);
  if (type == DType::i1) {
    error(diag::number_for_bool, range, "write `true` or `false`, or a comparison",
          value.spelling());
    return Value::error();
  }
  if (isInteger(type)) {
    return toInteger(*this, value, type, range);
  }
  return value.kind == Value::Kind::Int ? intToFloat(*this, value, type, range)
                                        : floatToFloat(*this, value, type, range);
}

Value Emitter::settle(Value value, SourceRange range) {
  if (value.kind == Value::Kind::Int) {
    return toDType(value, DType::i64, range);
  }
  if (value.kind == Value::Kind::Float) {
    return toDType(value, DType::f32, range);
  }
  if (value.kind == Value::Kind::Tuple || value.kind == Value::Kind::Struct) {
    for (size_t i = 0; i < value.parts.size(); ++i) {
      value.parts[i] = settle(value.parts[i], range);
      if (value.parts[i].isError()) {
        return Value::error();
      }
    }
    return value.kind == Value::Kind::Tuple ? Value::tuple(std::move(value.parts)) : value;
  }
  return value;
}

Value Emitter::constEval(const ast::Expr &expr, const llvm::Twine &what, const Type *expected) {
  mlir::OpBuilder::InsertionGuard guard(builder);
  mlir::Block scratch;
  builder.setInsertionPointToEnd(&scratch);
  Value value = emitExpr(expr, expected);
  bool isStatic = true;
  llvm::SmallVector<mlir::Value> leaves;
  collectLeaves(value, leaves);
  isStatic = leaves.empty();
  scratch.dropAllReferences();
  if (value.isError()) {
    return value;
  }
  if (!isStatic) {
    error(diag::not_static, expr.range,
          "only literals, constants, `static`, `tune` and const parameters of the instance are "
          "known at compile time",
          what.str());
    return Value::error();
  }
  return value;
}

std::optional<int64_t> Emitter::constI64(const ast::Expr &expr, const llvm::Twine &what) {
  Value value = constEval(expr, what);
  if (value.isError()) {
    return std::nullopt;
  }
  if (std::optional<int64_t> number = value.asI64(); number && value.element() != DType::i1) {
    return number;
  }
  error(diag::not_static_integer, expr.range, "write an integer", what.str(), value.describe());
  return std::nullopt;
}

std::optional<bool> Emitter::constBool(const ast::Expr &expr, const llvm::Twine &what) {
  Value value = constEval(expr, what);
  if (value.isError()) {
    return std::nullopt;
  }
  if (std::optional<bool> known = value.asBool()) {
    return known;
  }
  error(diag::condition_not_bool, expr.range, "write a comparison", value.describe());
  return std::nullopt;
}

std::optional<std::vector<Value>> Emitter::constSet(const ast::Expr &set, const Type *element) {
  std::vector<Value> values;
  if (const auto *listed = llvm::dyn_cast<ast::Set>(&set)) {
    for (const ast::ExprPtr &item : listed->elements) {
      Value value = constEval(*item, "an element of a set", element);
      if (element && !value.isError()) {
        value = coerce(std::move(value), *element, item->range, "an element of the set");
      }
      if (value.isError()) {
        return std::nullopt;
      }
      values.push_back(std::move(value));
    }
    return values;
  }
  const auto *range = llvm::dyn_cast<ast::Range>(&set);
  if (!range) {
    error(diag::set_expected, set.range, "write `{1, 2, 4}` or a range `1..5`");
    return std::nullopt;
  }
  std::optional<int64_t> lo = range->lo ? constI64(*range->lo, "a bound of a set") : 0;
  std::optional<int64_t> hi = constI64(*range->hi, "a bound of a set");
  if (!lo || !hi) {
    return std::nullopt;
  }
  constexpr int64_t kGreatest = 4096;
  if (*hi > *lo && static_cast<unsigned __int128>(static_cast<__int128>(*hi) - *lo) > kGreatest) {
    error(diag::set_too_large, set.range, "list the values that matter", kGreatest);
    return std::nullopt;
  }
  for (int64_t i = *lo; i < *hi; ++i) {
    values.push_back(Value::i64(i));
  }
  return values;
}

std::optional<Value> Emitter::valueFromText(llvm::StringRef text, const Type *expected) {
  text = text.trim();
  if (expected && expected->kind == Type::Kind::Enum) {
    for (auto [i, item] : llvm::enumerate(expected->enumeration->cases)) {
      if (item.name == text) {
        return Value::enumCase(expected->enumeration, i);
      }
    }
    return std::nullopt;
  }
  if (expected && expected->kind == Type::Kind::DType) {
    std::optional<DType> type = parseDType(text);
    return type ? std::optional<Value>(Value::dtype(*type)) : std::nullopt;
  }
  if (text == "true" || text == "false") {
    return Value::boolean(text == "true");
  }
  bool negative = text.consume_front("-");
  std::string digits = text.str();
  llvm::erase(digits, '_');
  llvm::APInt number;
  Value value;
  if (!digits.empty() && !llvm::StringRef(digits).getAsInteger(0, number)) {
    if (number.getActiveBits() > 64) {
      return std::nullopt;
    }
    __int128 magnitude = number.getZExtValue();
    value = Value::untyped(negative ? -magnitude : magnitude);
  } else {
    llvm::APFloat parsed(llvm::APFloat::IEEEdouble());
    llvm::Expected<llvm::APFloat::opStatus> status =
        parsed.convertFromString(digits, llvm::APFloat::rmNearestTiesToEven);
    if (!status) {
      llvm::consumeError(status.takeError());
      return std::nullopt;
    }
    value = Value::untypedFloat(digits, negative);
  }
  if (!expected || expected->kind != Type::Kind::Tile) {
    return value;
  }
  DType type = expected->element;
  if (type == DType::i1 || (value.kind == Value::Kind::Float && isInteger(type))) {
    return std::nullopt;
  }
  if (isInteger(type)) {
    auto [least, greatest] = limits(type);
    if (value.integer < least || value.integer > greatest) {
      return std::nullopt;
    }
  }
  return toDType(value, type, SourceRange());
}

Value Emitter::constItem(const Module &owner, const ast::Const &item) {
  ConstState &state = owner.consts[item.name.name];
  if (state.state == ConstState::Done) {
    return state.value;
  }
  if (state.state == ConstState::Running) {
    error(diag::const_cycle, item.name.range, "give one of the constants a literal",
          item.name.name);
    return Value::error();
  }
  state.state = ConstState::Running;
  // A constant sees its module only, not the names around its use.
  enterModule(owner);
  Value value = constEval(*item.value, "a constant");
  if (item.type && !value.isError()) {
    Type type = resolveType(*item.type);
    value = type.isError() ? Value::error()
                           : coerce(std::move(value), type, item.value->range, "the constant");
  }
  leaveModule();
  ConstState &done = owner.consts[item.name.name];
  // An error is reported again where the constant is used by another instance.
  done.state = value.isError() ? ConstState::Fresh : ConstState::Done;
  done.value = value;
  return value;
}

} // namespace tessera::sema
