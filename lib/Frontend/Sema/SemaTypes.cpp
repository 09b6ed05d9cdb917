// Types of the tree in an instance: resolution, and binding of what an argument decides.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Emitter.h"

namespace tessera::sema {

/// Greatest number of elements of a tile.
static constexpr int64_t kMaxElements = int64_t(1) << 24;

bool Emitter::checkShape(const Shape &shape, SourceRange range) {
  int64_t elements = 1;
  for (const Axis &axis : shape) {
    if (axis.extent < 1) {
      error(diag::extent_not_positive, range, "a tile's extents are 1 or more", axis.extent);
      return false;
    }
    if (axis.extent > kMaxElements || (elements *= axis.extent) > kMaxElements) {
      error(diag::tile_too_large, range, "cut it into smaller tiles with a loop", str(shape),
            kMaxElements);
      return false;
    }
  }
  return true;
}

std::optional<Shape> Emitter::resolveShape(const ast::Expr &shape) {
  Value value;
  if (const auto *name = llvm::dyn_cast<ast::Name>(&shape)) {
    Binding *binding = lookup(name->name);
    if (binding) {
      value = binding->value;
    } else {
      value = emitExpr(shape);
    }
  } else {
    value = emitExpr(shape);
  }
  if (value.isError()) {
    return std::nullopt;
  }
  if (value.kind != Value::Kind::ShapeList) {
    error(diag::shape_expected, shape.range, "write the extents: `[64, 32]`", value.describe());
    return std::nullopt;
  }
  return checkShape(value.shape(), shape.range) ? std::optional<Shape>(value.shape())
                                                : std::nullopt;
}

std::optional<DType> Emitter::resolveDType(const ast::Type &type) {
  Type resolved = resolveType(type);
  if (resolved.isError()) {
    return std::nullopt;
  }
  if (!resolved.isScalar()) {
    error(diag::element_type_expected, type.range, "element types are `f32`, `bf16`, `i32`, …",
          "`" + resolved.str() + "`");
    return std::nullopt;
  }
  return resolved.element;
}

static Type structType(Emitter &e, const Module &owner, const ast::Struct &decl,
                       const ast::NamedType &type) {
  if (type.args.size() != decl.generics.size()) {
    e.error(diag::generic_count, type.range, "write a value for each of them", decl.name.name,
            decl.generics.size(), type.args.size())
        .note(decl.name.range, "declared here");
    return Type::error();
  }
  auto structure = std::make_shared<StructInstance>();
  structure->module = &owner;
  structure->decl = &decl;
  for (auto [generic, arg] : llvm::zip(decl.generics, type.args)) {
    Value value;
    if (generic.kind == ast::GenericKind::Const) {
      if (arg.expr) {
        value = e.constEval(*arg.expr, "a generic argument");
      } else if (const auto *named = llvm::dyn_cast<ast::NamedType>(arg.type.get())) {
        // A lone identifier is parsed as a type; here it names a constant.
        ast::Name name;
        name.name = named->name;
        name.range = named->range;
        value = e.constEval(name, "a generic argument");
      }
      value = value.isUntyped() ? e.settle(value, type.range) : value;
    } else if (arg.type) {
      if (std::optional<DType> dtype = e.resolveDType(*arg.type)) {
        value = Value::dtype(*dtype);
      }
    }
    if (value.isError()) {
      return Type::error();
    }
    structure->generics.emplace_back(generic.name.name, std::move(value));
  }
  return e.finishStruct(std::move(structure), type.range);
}

static Type namedType(Emitter &e, const ast::NamedType &type) {
  if (Binding *binding = e.lookup(type.name)) {
    if (binding->value.kind == Value::Kind::DType) {
      return Type::scalar(binding->value.element());
    }
    if (!binding->value.isError()) {
      e.error(diag::not_a_type, type.range, "write a type", type.name, binding->value.describe());
    }
    return Type::error();
  }
  const Module *owner = nullptr;
  if (const ast::Item *item = e.module().find(type.name, owner)) {
    if (const auto *decl = llvm::dyn_cast<ast::Enum>(item)) {
      Type result;
      result.kind = Type::Kind::Enum;
      result.enumeration = decl;
      return result;
    }
    if (const auto *decl = llvm::dyn_cast<ast::Struct>(item)) {
      return structType(e, *owner, *decl, type);
    }
  }
  if (std::optional<DType> dtype = parseDType(type.name)) {
    return Type::scalar(*dtype);
  }
  e.error(diag::unknown_type, type.range,
          "element types are `f32`, `bf16`, `i32`, …; tiles are `tile<[64, 32], f32>`", type.name);
  return Type::error();
}

Type Emitter::resolveType(const ast::Type &type) {
  switch (type.kind) {
  case ast::Kind::NamedType:
    return namedType(*this, llvm::cast<ast::NamedType>(type));
  case ast::Kind::TileType: {
    const auto &tile = llvm::cast<ast::TileType>(type);
    std::optional<DType> element = resolveDType(*tile.element);
    if (tile.isArray) {
      Type result;
      result.kind = Type::Kind::Array;
      result.element = element.value_or(DType::f32);
      const auto *list = llvm::dyn_cast<ast::List>(tile.shape.get());
      result.rank = list ? list->elements.size() : 0;
      return element && list ? result : Type::error();
    }
    std::optional<Shape> shape = resolveShape(*tile.shape);
    return element && shape ? Type::tile(*element, *shape) : Type::error();
  }
  case ast::Kind::TupleType: {
    Type result = Type::unit();
    for (const ast::TypePtr &part : llvm::cast<ast::TupleType>(type).elements) {
      result.kind = Type::Kind::Tuple;
      result.parts.push_back(resolveType(*part));
      if (result.parts.back().isError()) {
        return Type::error();
      }
    }
    return result;
  }
  case ast::Kind::OptionalType: {
    Type result;
    result.parts.push_back(resolveType(*llvm::cast<ast::OptionalType>(type).element));
    result.kind = result.parts.front().isError() ? Type::Kind::Error : Type::Kind::Optional;
    return result;
  }
  case ast::Kind::ViewType:
    error(diag::element_type_expected, type.range, "load a tile and pass that", "a view");
    return Type::error();
  default:
    return Type::error();
  }
}

//===-- binding ----------------------------------------------------------------------------------------------------===//

bool Emitter::bindGeneric(const ast::GenericParam &generic, DType type, SourceRange range) {
  bool ok = true;
  llvm::StringRef what;
  switch (generic.kind) {
  case ast::GenericKind::Float:
    ok = isFloat(type);
    what = "a float type";
    break;
  case ast::GenericKind::Int:
    ok = isInteger(type) && isSigned(type);
    what = "a signed integer type";
    break;
  case ast::GenericKind::UInt:
    ok = isInteger(type) && !isSigned(type);
    what = "an unsigned integer type";
    break;
  case ast::GenericKind::Number:
    ok = isInteger(type) || isFloat(type);
    what = "a number type";
    break;
  case ast::GenericKind::Set: {
    Type dtype;
    dtype.kind = Type::Kind::DType;
    std::optional<std::vector<Value>> set = constSet(*generic.set, &dtype);
    if (!set) {
      return false;
    }
    ok = llvm::any_of(
        *set, [&](const Value &v) { return v.kind == Value::Kind::DType && v.element() == type; });
    what = "a type of its set";
    break;
  }
  case ast::GenericKind::Any:
    break;
  default:
    ok = false;
    what = generic.kind == ast::GenericKind::Shape ? "a shape" : "a constant";
  }
  if (!ok) {
    error(diag::generic_constraint, range, "convert the argument with `as`", generic.name.name,
          what, name(type))
        .note(generic.range, "`" + generic.name.name + "` is declared here");
    return false;
  }
  frames.back()->unbound.erase(generic.name.name);
  declare(generic.name.name, generic.name.range, Value::dtype(type));
  return true;
}

static bool bindElement(Emitter &e, const ast::Type &type, const Value &value, SourceRange range,
                        llvm::StringRef what, const ast::GenericParam *generic) {
  if (generic) {
    return e.bindGeneric(*generic, value.element(), range);
  }
  std::optional<DType> element = e.resolveDType(type);
  if (!element) {
    return false;
  }
  if (*element != value.element()) {
    e.error(diag::type_mismatch, range, "convert it: `… as " + name(*element) + "`", what,
            name(*element), value.describe());
    return false;
  }
  return true;
}

/// One element of a parameter's shape against an axis of the argument.
static bool bindAxis(Emitter &e, const ast::Expr &expr, const Axis &axis,
                     llvm::StringMap<const ast::GenericParam *> &unbound) {
  if (llvm::isa<ast::Wildcard>(expr)) {
    return axis.wild;
  }
  const auto *name = llvm::dyn_cast<ast::Name>(&expr);
  const Module *owner = nullptr;
  if (name && !e.lookup(name->name) && !e.module().find(name->name, owner)) {
    Value extent = Value::i64(axis.extent);
    extent.wildAxis = axis.wild;
    unbound.erase(name->name);
    e.declare(name->name, name->range, std::move(extent));
    return true;
  }
  Value value = e.constEval(expr, "an extent");
  return !value.isError() && value.asI64() == axis.extent &&
         (axis.wild == value.wildAxis || axis.extent != 1);
}

static bool bindShape(Emitter &e, const ast::Expr &expr, const Value &value, SourceRange range,
                      llvm::StringRef what, llvm::StringMap<const ast::GenericParam *> &unbound) {
  Shape shape = value.kind == Value::Kind::Runtime ? value.shape() : Shape();
  std::string wanted;
  if (const auto *name = llvm::dyn_cast<ast::Name>(&expr)) {
    if (unbound.count(name->name)) {
      unbound.erase(name->name);
      e.declare(name->name, name->range, Value::shapeList(shape));
      return true;
    }
    std::optional<Shape> known = e.resolveShape(expr);
    if (!known || *known == shape) {
      return known.has_value();
    }
    wanted = str(*known);
  } else if (const auto *list = llvm::dyn_cast<ast::List>(&expr)) {
    bool ok = list->elements.size() == shape.size();
    for (size_t i = 0; ok && i < shape.size(); ++i) {
      ok = bindAxis(e, *list->elements[i], shape[i], unbound);
    }
    if (ok) {
      return true;
    }
    wanted = e.instance.engine.getSources().text(expr.range).str();
  } else {
    e.error(diag::shape_expected, expr.range, "write the extents: `[64, 32]`", "an expression");
    return false;
  }
  e.error(diag::argument_shape, range,
          "give both the shape that the function was written for, or index with `_`", what, wanted,
          str(shape));
  return false;
}

static bool bindArray(Emitter &e, const ast::TileType &type, const Value &value, SourceRange range,
                      llvm::StringRef what, llvm::StringMap<const ast::GenericParam *> &unbound) {
  const auto *list = llvm::dyn_cast<ast::List>(type.shape.get());
  bool array = value.kind == Value::Kind::View || value.kind == Value::Kind::Array;
  if (!array || !list || list->elements.size() != value.type.rank) {
    e.error(diag::type_mismatch, range, "give a whole array of that rank", what,
            e.instance.engine.getSources().text(type.range), value.describe());
    return false;
  }
  for (auto [axis, expr] : llvm::enumerate(list->elements)) {
    const auto *name = llvm::dyn_cast<ast::Name>(expr.get());
    if (name && !e.lookup(name->name)) {
      unbound.erase(name->name);
      Value extent = e.extentOf(value, axis, range);
      if (extent.isError()) {
        return false;
      }
      e.declare(name->name, name->range, std::move(extent));
    }
  }
  return true;
}

bool Emitter::bindType(const ast::Type &type, const Value &value, SourceRange range,
                       llvm::StringRef what) {
  auto &unbound = frames.back()->unbound;
  if (value.isError()) {
    return false;
  }
  if (const auto *optional = llvm::dyn_cast<ast::OptionalType>(&type)) {
    return value.kind == Value::Kind::Missing || bindType(*optional->element, value, range, what);
  }
  auto genericOf = [&](const ast::Type &element) -> const ast::GenericParam * {
    const auto *named = llvm::dyn_cast<ast::NamedType>(&element);
    return named ? unbound.lookup(named->name) : nullptr;
  };
  if (const auto *tile = llvm::dyn_cast<ast::TileType>(&type)) {
    const ast::GenericParam *generic = genericOf(*tile->element);
    if (tile->isArray) {
      return bindArray(*this, *tile, value, range, what, unbound) &&
             bindElement(*this, *tile->element, value, range, what, generic);
    }
    Value known = operand(value, range);
    if (known.isError()) {
      return false;
    }
    if (known.isUntyped()) {
      // The literal takes the element type; a shape that nothing else has bound is that of a scalar.
      if (const auto *name = llvm::dyn_cast<ast::Name>(tile->shape.get());
          name && unbound.count(name->name)) {
        unbound.erase(name->name);
        declare(name->name, name->range, Value::shapeList({}));
      }
      known = settle(std::move(known), range);
      return !generic || bindGeneric(*generic, known.element(), range);
    }
    return bindElement(*this, *tile->element, known, range, what, generic) &&
           bindShape(*this, *tile->shape, known, range, what, unbound);
  }
  if (const ast::GenericParam *generic = genericOf(type)) {
    Value known = settle(operand(value, range), range);
    return !known.isError() && bindGeneric(*generic, known.element(), range);
  }
  if (const auto *tuple = llvm::dyn_cast<ast::TupleType>(&type);
      tuple && value.kind == Value::Kind::Tuple && tuple->elements.size() == value.parts.size()) {
    for (auto [part, element] : llvm::zip(value.parts, tuple->elements)) {
      if (!bindType(*element, part, range, what)) {
        return false;
      }
    }
  }
  if (const auto *named = llvm::dyn_cast<ast::NamedType>(&type);
      named && named->args.empty() && value.kind == Value::Kind::Struct &&
      value.type.structure->decl->name.name == named->name) {
    // `fn f(s: Name)` takes every instance of the struct.
    return true;
  }
  return true; // coerce compares the rest
}

} // namespace tessera::sema
