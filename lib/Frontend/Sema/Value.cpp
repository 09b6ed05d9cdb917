// Construction, comparison and texts of types and values.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Value.h"

#include "tessera/Frontend/Literals.h"
#include "tessera/Numeric/Value.h"

#include "llvm/ADT/StringExtras.h"

#include <cstring>

namespace tessera::sema {

Type Type::tile(DType element, Shape shape) {
  Type t;
  t.kind = Kind::Tile;
  t.element = element;
  t.shape = std::move(shape);
  return t;
}

std::string str(const Shape &shape) {
  std::string text = "[";
  for (size_t i = 0; i < shape.size(); ++i) {
    text += (i ? ", " : "") + (shape[i].wild ? std::string("_") : std::to_string(shape[i].extent));
  }
  return text + "]";
}

static std::string joined(const std::vector<Type> &parts) {
  std::string text;
  for (size_t i = 0; i < parts.size(); ++i) {
    text += (i ? ", " : "") + parts[i].str();
  }
  return text;
}

static std::string wildcards(unsigned rank) {
  std::string text = "[";
  for (unsigned i = 0; i < rank; ++i) {
    text += i ? ", :" : ":";
  }
  return text + "]";
}

static std::string structText(const StructInstance &structure) {
  std::string text = structure.decl->name.name;
  for (size_t i = 0; i < structure.generics.size(); ++i) {
    text += (i ? ", " : "<") + structure.generics[i].second.spelling();
  }
  return structure.generics.empty() ? text : text + ">";
}

std::string Type::str() const {
  switch (kind) {
  case Kind::Error:
    return "?";
  case Kind::Unit:
    return "()";
  case Kind::Tile:
    return shape.empty() ? name(element).str()
                         : "tile<" + sema::str(shape) + ", " + name(element).str() + ">";
  case Kind::Span:
    return "span<" + std::to_string(width) + ">";
  case Kind::View:
    return "view<" + wildcards(rank) + ", " + name(element).str() + ">";
  case Kind::Array:
    return "array<" + wildcards(rank) + ", " + name(element).str() + ">";
  case Kind::Tuple:
    return "(" + joined(parts) + ")";
  case Kind::Struct:
    return structText(*structure);
  case Kind::Enum:
    return enumeration->name.name;
  case Kind::String:
    return "string";
  case Kind::DType:
    return "type";
  case Kind::Optional:
    return parts.front().str() + "?";
  }
  return "?";
}

bool Type::operator==(const Type &o) const {
  if (kind != o.kind) {
    return false;
  }
  switch (kind) {
  case Kind::Tile:
    return element == o.element && shape == o.shape;
  case Kind::Span:
    return width == o.width;
  case Kind::View:
  case Kind::Array:
    return element == o.element && rank == o.rank;
  case Kind::Tuple:
  case Kind::Optional:
    return parts == o.parts;
  case Kind::Struct:
    return structure->decl == o.structure->decl &&
           structText(*structure) == structText(*o.structure) &&
           structure->fields == o.structure->fields;
  case Kind::Enum:
    return enumeration == o.enumeration;
  default:
    return true;
  }
}

Value Value::untyped(__int128 value) {
  Value v;
  v.kind = Kind::Int;
  v.integer = value;
  return v;
}

Value Value::untypedFloat(llvm::StringRef text, bool negative) {
  Value v;
  v.kind = Kind::Float;
  v.text = text.str();
  v.negative = negative;
  v.quad = convertFloat(text, llvm::APFloat::IEEEquad()).value;
  if (negative) {
    v.quad->changeSign();
  }
  return v;
}

Value Value::untypedFloat(llvm::APFloat quad) {
  Value v;
  v.kind = Kind::Float;
  v.quad = std::move(quad);
  return v;
}

Value Value::constant(DType type, uint64_t bits) {
  Value v;
  v.kind = Kind::Const;
  v.type = Type::scalar(type);
  unsigned width = bitWidth(type);
  v.bits = width == 64 ? bits : bits & ((uint64_t(1) << width) - 1);
  return v;
}

Value Value::runtime(mlir::Value ssa, DType element, Shape shape) {
  Value v;
  v.kind = Kind::Runtime;
  v.type = Type::tile(element, std::move(shape));
  v.ssa = ssa;
  return v;
}

Value Value::dtype(DType type) {
  Value v;
  v.kind = Kind::DType;
  v.type.kind = Type::Kind::DType;
  v.type.element = type;
  return v;
}

Value Value::shapeList(Shape shape) {
  Value v;
  v.kind = Kind::ShapeList;
  v.type = Type::tile(DType::i64, std::move(shape));
  return v;
}

Value Value::string(llvm::StringRef text) {
  Value v;
  v.kind = Kind::String;
  v.type.kind = Type::Kind::String;
  v.text = text.str();
  return v;
}

Value Value::enumCase(const ast::Enum *decl, unsigned index) {
  Value v;
  v.kind = Kind::EnumCase;
  v.type.kind = Type::Kind::Enum;
  v.type.enumeration = decl;
  v.index = index;
  return v;
}

Value Value::missing(Type type) {
  Value v;
  v.kind = Kind::Missing;
  v.type = std::move(type);
  return v;
}

Value Value::tuple(std::vector<Value> parts) {
  Value v;
  v.kind = Kind::Tuple;
  v.type.kind = Type::Kind::Tuple;
  for (const Value &part : parts) {
    if (part.isError()) {
      return Value::error();
    }
    v.type.parts.push_back(part.type);
  }
  v.parts = std::move(parts);
  return v;
}

std::optional<__int128> Value::asInteger() const {
  if (kind == Kind::Int) {
    return integer;
  }
  if (kind != Kind::Const || isFloat(element())) {
    return std::nullopt;
  }
  unsigned width = bitWidth(element());
  if (isSigned(element())) {
    int64_t extended = static_cast<int64_t>(bits << (64 - width)) >> (64 - width);
    return extended;
  }
  return bits;
}

std::optional<int64_t> Value::asI64() const {
  std::optional<__int128> value = asInteger();
  if (!value || *value < INT64_MIN || *value > INT64_MAX) {
    return std::nullopt;
  }
  return static_cast<int64_t>(*value);
}

std::optional<bool> Value::asBool() const {
  if (kind != Kind::Const || element() != DType::i1) {
    return std::nullopt;
  }
  return bits != 0;
}

double Value::asDouble() const {
  if (kind == Kind::Int) {
    return static_cast<double>(integer);
  }
  if (kind == Kind::Float) {
    llvm::APFloat value = *quad;
    bool lost = false;
    value.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven, &lost);
    return value.convertToDouble();
  }
  return toDouble(element(), &bits);
}

std::string Value::describe() const {
  switch (kind) {
  case Kind::Error:
    return "an erroneous value";
  case Kind::Unit:
    return "no value";
  case Kind::Int:
    return "the integer `" + toString(integer) + "`";
  case Kind::Float:
    return "the float `" + spelling() + "`";
  case Kind::ShapeList:
    return "the shape `" + sema::str(shape()) + "`";
  case Kind::DType:
    return "the type `" + name(element()).str() + "`";
  case Kind::Missing:
    return "a missing argument of type `" + type.str() + "`";
  case Kind::Absent:
    return "`absent`";
  case Kind::Namespace:
    return "a module";
  case Kind::Tuple:
    return "a tuple of " + std::to_string(parts.size()) + " values";
  default:
    return "`" + type.str() + "`";
  }
}

static std::string doubleText(double value) {
  if (value != value) {
    return "nan";
  }
  if (value == __builtin_inf() || value == -__builtin_inf()) {
    return value < 0 ? "-inf" : "inf";
  }
  llvm::SmallString<32> text;
  llvm::APFloat(value).toString(text, 0, 3);
  std::string out = text.str().str();
  for (char &c : out) {
    c = c == 'E' ? 'e' : c;
  }
  return out.find_first_of(".e") == std::string::npos ? out + ".0" : out;
}

std::string Value::spelling() const {
  switch (kind) {
  case Kind::Int:
    return toString(integer);
  case Kind::Float:
    return text.empty() ? doubleText(asDouble()) : (negative ? "-" : "") + text;
  case Kind::Const:
    if (element() == DType::i1) {
      return bits ? "true" : "false";
    }
    return isFloat(element()) ? doubleText(asDouble()) : toString(*asInteger());
  case Kind::DType:
    return name(element()).str();
  case Kind::ShapeList:
    return sema::str(shape());
  case Kind::EnumCase:
    return type.enumeration->cases[index].name;
  case Kind::Missing:
    return "missing";
  default:
    return "";
  }
}

std::string toString(__int128 value) {
  bool negative = value < 0;
  unsigned __int128 rest =
      negative ? -static_cast<unsigned __int128>(value) : static_cast<unsigned __int128>(value);
  std::string digits;
  do {
    digits.insert(digits.begin(), static_cast<char>('0' + static_cast<int>(rest % 10)));
    rest /= 10;
  } while (rest != 0);
  return negative ? "-" + digits : digits;
}

void collectLeaves(const Value &value, llvm::SmallVectorImpl<mlir::Value> &leaves) {
  if (value.ssa) {
    leaves.push_back(value.ssa);
  }
  for (const Value &part : value.parts) {
    collectLeaves(part, leaves);
  }
}

Value replaceLeaves(const Value &value, llvm::ArrayRef<mlir::Value> leaves, size_t &next) {
  Value result = value;
  if (result.ssa && next < leaves.size()) {
    if (result.ssa != leaves[next]) {
      result.symbolic = {};
      result.start = -1;
    }
    result.ssa = leaves[next++];
  }
  for (Value &part : result.parts) {
    part = replaceLeaves(part, leaves, next);
  }
  return result;
}

bool identical(const Value &a, const Value &b) {
  if (a.kind != b.kind || a.ssa != b.ssa || a.parts.size() != b.parts.size() ||
      a.integer != b.integer || a.bits != b.bits || a.index != b.index || a.text != b.text ||
      a.negative != b.negative || a.type != b.type) {
    return false;
  }
  if (a.quad && (!b.quad || !a.quad->bitwiseIsEqual(*b.quad))) {
    return false;
  }
  for (size_t i = 0; i < a.parts.size(); ++i) {
    if (!identical(a.parts[i], b.parts[i])) {
      return false;
    }
  }
  return true;
}

} // namespace tessera::sema
