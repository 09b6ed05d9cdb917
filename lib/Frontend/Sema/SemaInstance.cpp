// The header of an instance: presence of optional arguments, extents, types of arguments.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Emitter.h"

namespace tessera::sema {

const Value *Instance::findParameter(llvm::StringRef name) const {
  for (const auto &[parameter, value] : parameters) {
    if (parameter == name) {
      return &value;
    }
  }
  return nullptr;
}

int Instance::findExtent(llvm::StringRef name) const {
  for (size_t i = 0; i < extents.size(); ++i) {
    if (extents[i] == name) {
      return static_cast<int>(i);
    }
  }
  return -1;
}

static bool mentions(const ast::Node &node, llvm::StringRef name) {
  if (const auto *written = llvm::dyn_cast<ast::Name>(&node)) {
    return written->name == name;
  }
  bool found = false;
  ast::forEachChild(node, [&](const ast::Node &child) { found |= mentions(child, name); });
  return found;
}

const Argument *Instance::missingViewWith(llvm::StringRef name) const {
  for (const Argument &argument : arguments) {
    const auto *view = llvm::dyn_cast<ast::ViewType>(argument.decl->type.get());
    if (argument.isMissing && view && mentions(*view->shape, name)) {
      return &argument;
    }
  }
  return nullptr;
}

DiagnosticParams Instance::paramsInForce() const {
  DiagnosticParams params;
  for (const auto &[name, value] : parameters) {
    if (std::string text = value.spelling(); !text.empty()) {
      params.emplace_back(name, text);
    }
  }
  for (const auto &fixed : fixedExtents) {
    params.emplace_back(fixed.getKey().str(), std::to_string(fixed.getValue()));
  }
  for (const Argument &argument : arguments) {
    if (argument.decl->isOptional) {
      params.emplace_back(argument.decl->name.name, argument.isMissing ? "missing" : "present");
    }
  }
  return params;
}

static void choosePresence(Instance &instance, Choices &choices) {
  for (const ast::KernelParam &param : instance.kernel.params) {
    Argument argument;
    argument.decl = &param;
    if (param.isOptional) {
      std::optional<std::string> text = choices.setting(param.name.name);
      if (!text) {
        text = choices.firstCase(param.name.name);
      }
      argument.isMissing = text && *text == "missing";
    }
    instance.arguments.push_back(std::move(argument));
  }
}

//===-- extents ----------------------------------------------------------------------------------------------------===//

/// Names in a shape that nothing else declares, in order.
static void collectExtents(Instance &instance, Emitter &header, const ast::Node &node) {
  if (const auto *name = llvm::dyn_cast<ast::Name>(&node)) {
    const Module *owner = nullptr;
    bool argument = llvm::any_of(instance.kernel.params, [&](const ast::KernelParam &param) {
      return param.name.name == name->name;
    });
    if (!header.lookup(name->name) && !instance.module.find(name->name, owner) && !argument &&
        instance.findExtent(name->name) < 0) {
      instance.extents.push_back(name->name);
      instance.extentRanges[name->name] = name->range;
    }
    return;
  }
  if (const auto *call = llvm::dyn_cast<ast::Call>(&node)) {
    for (const ast::Arg &arg : call->args) {
      collectExtents(instance, header, *arg.value);
    }
    return;
  }
  ast::forEachChild(node, [&](const ast::Node &child) { collectExtents(instance, header, child); });
}

/// Extents of missing views may be set, to no effect.
static void useMissingExtents(const Instance &instance, Choices &choices) {
  for (const Argument &argument : instance.arguments) {
    const auto *view = llvm::dyn_cast<ast::ViewType>(argument.decl->type.get());
    const auto *list = view ? llvm::dyn_cast<ast::List>(view->shape.get()) : nullptr;
    for (size_t i = 0; argument.isMissing && list && i < list->elements.size(); ++i) {
      if (const auto *name = llvm::dyn_cast<ast::Name>(list->elements[i].get())) {
        (void)choices.setting(name->name);
      }
    }
  }
}

static bool fixExtents(Instance &instance, Emitter &header, Choices &choices) {
  for (const Argument &argument : instance.arguments) {
    const auto *view = llvm::dyn_cast<ast::ViewType>(argument.decl->type.get());
    if (view && !argument.isMissing) {
      collectExtents(instance, header, *view->shape);
    }
  }
  useMissingExtents(instance, choices);
  bool ok = true;
  Type i64 = Type::scalar(DType::i64);
  std::vector<std::string> open;
  for (const std::string &name : instance.extents) {
    std::optional<std::string> text = choices.setting(name);
    std::optional<Value> value = text ? header.valueFromText(*text, &i64) : std::nullopt;
    if (!text) {
      open.push_back(name);
      continue;
    }
    if (!value || value->asI64().value_or(-1) < 0) {
      header.error(diag::setting_invalid, instance.extentRanges[name],
                   "an extent is an integer of 0 or more", name, *text);
      ok = false;
      continue;
    }
    // Scopes keep references to names: the key of the map stays, the list of extents is replaced below.
    auto fixed = instance.fixedExtents.try_emplace(name, *value->asI64()).first;
    header.declare(fixed->getKey(), instance.extentRanges[name], *value);
  }
  instance.extents = std::move(open);
  return ok;
}

//===-- arguments --------------------------------------------------------------------------------------------------===//

static bool resolveExtent(Instance &instance, Emitter &header, const ast::Expr &expr,
                          mlir::AffineExpr &extent) {
  if (llvm::isa<ast::Wildcard>(expr)) {
    header.error(diag::view_shape, expr.range, "name the extent or write a number");
    return false;
  }
  Type i64 = Type::scalar(DType::i64);
  Value value = header.coerce(header.emitExpr(expr), i64, expr.range, "an extent");
  if (value.isError()) {
    return false;
  }
  extent = header.symbolicOf(value);
  if (!extent) {
    header.error(diag::view_shape, expr.range,
                 "combine extents and constants with `+`, `-`, `*`, `//` and `%`");
    return false;
  }
  if (auto known = llvm::dyn_cast<mlir::AffineConstantExpr>(extent);
      known && known.getValue() < 0) {
    header.error(diag::extent_negative, expr.range, "extents are 0 or more", known.getValue());
    return false;
  }
  return true;
}

/// Constant extents of a missing view, so that `:` on them has its width.
static void missingExtents(Emitter &header, Argument &argument, const ast::List &list) {
  for (auto [i, expr] : llvm::enumerate(list.elements)) {
    const auto *name = llvm::dyn_cast<ast::Name>(expr.get());
    bool known = llvm::isa<ast::IntLit>(*expr) || (name && header.lookup(name->name));
    Value value = known ? header.emitExpr(*expr) : Value::error();
    if (std::optional<int64_t> number = value.asI64()) {
      argument.extents[i] = mlir::getAffineConstantExpr(*number, &header.instance.context);
    }
  }
}

static bool resolveView(Instance &instance, Emitter &header, Argument &argument,
                        const ast::ViewType &view) {
  argument.mode = view.mode == ast::ViewMode::Unspecified ? ast::ViewMode::In : view.mode;
  std::optional<DType> element = header.resolveDType(*view.element);
  argument.type.kind = Type::Kind::View;
  argument.type.element = element.value_or(DType::f32);
  const auto *list = llvm::dyn_cast<ast::List>(view.shape.get());
  if (!list || list->elements.empty()) {
    header.error(diag::view_shape, view.shape->range, "write the extents: `view<[M, N], f32>`");
    return false;
  }
  argument.type.rank = list->elements.size();
  if (argument.isMissing) {
    argument.extents.assign(argument.type.rank, mlir::AffineExpr());
    missingExtents(header, argument, *list);
    return element.has_value();
  }
  bool ok = element.has_value();
  for (const ast::ExprPtr &expr : list->elements) {
    mlir::AffineExpr extent;
    ok &= resolveExtent(instance, header, *expr, extent);
    argument.extents.push_back(extent);
  }
  return ok;
}

/// Scalar arguments are known by their type only: an extent or static that needs one is refused for what it is.
static void declareScalars(Instance &instance, Emitter &header, mlir::Block &scratch) {
  for (const Argument &argument : instance.arguments) {
    const ast::KernelParam &param = *argument.decl;
    const auto *named = llvm::dyn_cast<ast::NamedType>(param.type.get());
    std::optional<DType> type = named ? parseDType(named->name) : std::nullopt;
    if (type && !header.lookup(param.name.name)) {
      mlir::Value value =
          scratch.addArgument(header.irType(*type), mlir::UnknownLoc::get(&instance.context));
      header.declare(param.name.name, param.name.range, Value::runtime(value, *type));
    }
  }
}

static bool resolveArguments(Instance &instance, Emitter &header) {
  bool ok = true;
  int position = static_cast<int>(instance.extents.size());
  for (Argument &argument : instance.arguments) {
    const ast::KernelParam &param = *argument.decl;
    if (const auto *view = llvm::dyn_cast<ast::ViewType>(param.type.get())) {
      ok &= resolveView(instance, header, argument, *view);
    } else {
      argument.type = header.resolveType(*param.type);
      if (!argument.type.isError() && !argument.type.isScalar()) {
        header.error(diag::kernel_argument_type, param.type->range, "pass a view or a scalar",
                     argument.type.str());
        argument.type = Type::error();
      }
      ok &= !argument.type.isError();
    }
    argument.position = argument.isMissing ? -1 : position++;
  }
  return ok;
}

bool buildInstance(Instance &instance, bool needStatics) {
  mlir::Block scratch;
  Emitter header(instance, &scratch);
  Choices choices(instance, header);
  bool ok = chooseGenerics(instance, header, choices);
  choosePresence(instance, choices);
  ok &= fixExtents(instance, header, choices);
  mlir::Location unknown = mlir::UnknownLoc::get(&instance.context);
  for (auto [i, name] : llvm::enumerate(instance.extents)) {
    Value extent =
        Value::runtime(scratch.addArgument(header.irType(DType::i64), unknown), DType::i64);
    extent.symbolic = mlir::getAffineSymbolExpr(i, &instance.context);
    header.declare(name, instance.extentRanges[name], std::move(extent));
  }
  declareScalars(instance, header, scratch);
  if (ok) {
    ok &= resolveArguments(instance, header);
    instance.engine.setParams(instance.paramsInForce());
    ok &= chooseBodyParameters(instance, header, choices, needStatics);
    instance.engine.setParams(instance.paramsInForce());
  }
  ok &= choices.finish(ok);
  scratch.dropAllReferences();
  return ok;
}

} // namespace tessera::sema
