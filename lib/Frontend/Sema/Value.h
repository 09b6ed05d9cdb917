// Types and values of one instance while it is emitted. A value is known at compile time (untyped literal, typed
// scalar, element type, enum case, …), or stands for SSA values (tile, scalar, view, span), or is built from such
// (tuple, struct). The walk over the tree carries these and nothing else.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TESSERA_LIB_FRONTEND_SEMA_VALUE_H
#define TESSERA_LIB_FRONTEND_SEMA_VALUE_H

#include "tessera/Frontend/AST.h"
#include "tessera/Numeric/DType.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/SmallVector.h"
#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/Value.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tessera::sema {

class Module;
struct StructInstance;
struct Value;

/// One axis of a tile as the source sees it. `_` has extent 1 in the IR, and only it broadcasts.
struct Axis {
  int64_t extent = 1;
  bool wild = false;
  bool operator==(const Axis &o) const { return extent == o.extent && wild == o.wild; }
};
using Shape = llvm::SmallVector<Axis, 4>;

/// What may stand behind a name's colon.
struct Type {
  enum class Kind : uint8_t {
    Error, ///< already reported
    Unit,  ///< no value
    Tile,  ///< scalar (no axes) or tile of `element`
    Span,
    View,
    Array,
    Tuple,
    Struct,
    Enum,
    String,
    DType,
    Optional
  };
  Kind kind = Kind::Error;
  DType element = DType::f32; ///< Tile, View, Array
  Shape shape;                ///< Tile
  unsigned rank = 0;          ///< View, Array
  int64_t width = 0;          ///< Span
  std::vector<Type> parts;    ///< Tuple; Optional: one
  std::shared_ptr<const StructInstance> structure;
  const ast::Enum *enumeration = nullptr;

  static Type error() { return Type(); }
  static Type unit() {
    Type t;
    t.kind = Kind::Unit;
    return t;
  }
  static Type scalar(DType element) { return tile(element, {}); }
  static Type tile(DType element, Shape shape);
  bool isError() const { return kind == Kind::Error; }
  bool isScalar() const { return kind == Kind::Tile && shape.empty(); }
  /// As the source writes it: `tile<[64, _], f32>`, `bf16`, `(i64, f32)`.
  std::string str() const;
  bool operator==(const Type &other) const;
  bool operator!=(const Type &other) const { return !(*this == other); }
};

std::string str(const Shape &shape);

struct Value {
  enum class Kind : uint8_t {
    Error, ///< already reported; every operation on it is silent and gives Error
    Unit,
    Int,     ///< untyped integer literal or arithmetic of such
    Float,   ///< untyped float likewise
    Const,   ///< typed scalar known at compile time: `bits`
    Runtime, ///< scalar or tile: `ssa`
    Span,    ///< `ssa`, `width`, `limit`
    View,    ///< `ssa`, `extents`
    Array,   ///< whole array of a formula: `ssa`
    Tuple,
    Struct,    ///< `parts`
    DType,     ///< an element type as a value: `type.element`
    ShapeList, ///< `[BM, _]` or a `S: shape` parameter: `type.shape`
    EnumCase,  ///< `index` in `type.enumeration`
    String,    ///< `text`
    Missing,   ///< an optional that the instance is without; `type` is what it would have been
    Absent,    ///< `absent` of a formula before it meets a type
    Namespace, ///< an imported module: `module`
  };
  Kind kind = Kind::Error;
  Type type; ///< Const, Runtime, Span, View, Array, Tuple, Struct, EnumCase, DType, Missing

  __int128 integer = 0;  ///< Int
  std::string text;      ///< Float: the literal where it is just that (`-` in `negative`); String
  bool negative = false; ///< Float with text
  std::optional<llvm::APFloat>
      quad; ///< Float made by arithmetic, or the literal's value to 113 bits
  uint64_t bits =
      0; ///< Const: the element in its storage (DType.h), low bytes; i64 sign bits included
  std::optional<double> wide; ///< Const float: its value before it was rounded to the type
  bool wildAxis = false;      ///< Const i64 that names an axis `_` (extent 1)
  mlir::Value ssa;
  mlir::AffineExpr
      symbolic;       ///< Runtime i64 scalar that is an expression in extents; Span: its limit
  int64_t width = 0;  ///< Span
  int64_t start = -1; ///< Span with a start known at compile time
  llvm::SmallVector<mlir::AffineExpr, 4> extents; ///< View: null where not an expression in extents
  std::vector<mlir::Value> dims; ///< Array: extents as i64 values of the region it was made in
  int argument = -1;             ///< View: index into the instance's arguments
  unsigned index = 0;            ///< EnumCase
  std::vector<Value> parts;      ///< Tuple, Struct (order of the fields)
  const Module *module = nullptr;
  SourceRange origin; ///< the expression that gave it, for messages

  static Value error() { return Value(); }
  static Value unit() {
    Value v;
    v.kind = Kind::Unit;
    v.type = Type::unit();
    return v;
  }
  static Value untyped(__int128 value);
  static Value untypedFloat(llvm::StringRef text, bool negative = false);
  static Value untypedFloat(llvm::APFloat quad);
  static Value constant(DType type, uint64_t bits);
  static Value i64(int64_t value) { return constant(DType::i64, static_cast<uint64_t>(value)); }
  static Value boolean(bool value) { return constant(DType::i1, value); }
  static Value runtime(mlir::Value ssa, DType element, Shape shape = {});
  static Value dtype(DType type);
  static Value shapeList(Shape shape);
  static Value string(llvm::StringRef text);
  static Value enumCase(const ast::Enum *decl, unsigned index);
  static Value missing(Type type);
  static Value absent() {
    Value v;
    v.kind = Kind::Absent;
    return v;
  }
  static Value tuple(std::vector<Value> parts);

  bool isError() const { return kind == Kind::Error; }
  /// Int or Float: takes the type it meets.
  bool isUntyped() const { return kind == Kind::Int || kind == Kind::Float; }
  /// Untyped, Const or Runtime.
  bool isNumeric() const { return isUntyped() || kind == Kind::Const || kind == Kind::Runtime; }
  /// A number whose value is known now.
  bool isKnown() const { return isUntyped() || kind == Kind::Const; }
  const Shape &shape() const { return type.shape; }
  DType element() const { return type.element; }
  /// Value of an Int or of an integer or bool Const.
  std::optional<__int128> asInteger() const;
  std::optional<int64_t> asI64() const;
  std::optional<bool> asBool() const;
  double asDouble() const; ///< Int, Float, Const
  /// Type for messages: "an untyped integer", "`tile<[8], f32>`".
  std::string describe() const;
  /// Value as text of the language: "128", "bf16", "none", "true"; empty where it is not known now.
  std::string spelling() const;
};

/// A struct with its generic parameters fixed.
struct StructInstance {
  const Module *module = nullptr;
  const ast::Struct *decl = nullptr;
  std::vector<std::pair<std::string, Value>> generics;
  std::vector<std::pair<std::string, Type>> fields;
};

std::string toString(__int128 value);

/// SSA values inside `value`, in a fixed order; constants give none.
void collectLeaves(const Value &value, llvm::SmallVectorImpl<mlir::Value> &leaves);
/// `shape` with its leaves replaced in the order of collectLeaves; `next` moves on.
Value replaceLeaves(const Value &value, llvm::ArrayRef<mlir::Value> leaves, size_t &next);
/// Same constants and the same SSA values.
bool identical(const Value &a, const Value &b);

} // namespace tessera::sema

#endif // TESSERA_LIB_FRONTEND_SEMA_VALUE_H
