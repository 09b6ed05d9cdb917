// How an instance's static values are chosen: settings, defaults, first of a tune, first test case.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Emitter.h"

#include "llvm/ADT/StringExtras.h"

namespace tessera::sema {

//===-- first test case --------------------------------------------------------------------------------------------===//

static std::string sourceText(const ModuleSet &modules, const ast::Expr &expr) {
  return modules.getEngine().getSources().text(expr.range).str();
}

static void firstOfAxis(const ModuleSet &modules, const ast::TestAxis &axis,
                        std::map<std::string, std::string> &first) {
  const ast::Expr *element = nullptr;
  if (const auto *set = llvm::dyn_cast_or_null<ast::Set>(axis.set.get());
      set && !set->elements.empty()) {
    element = set->elements.front().get();
  } else if (const auto *range = llvm::dyn_cast_or_null<ast::Range>(axis.set.get())) {
    element = range->lo.get();
    if (!element && axis.pattern.names.size() == 1) {
      first[axis.pattern.names[0].name] = "0";
    }
  }
  if (!element) {
    return;
  }
  const auto *tuple = llvm::dyn_cast<ast::Tuple>(element);
  for (auto [i, name] : llvm::enumerate(axis.pattern.names)) {
    if (tuple && i < tuple->elements.size()) {
      first[name.name] = sourceText(modules, *tuple->elements[i]);
    } else if (!tuple && !axis.pattern.isTuple) {
      first[name.name] = sourceText(modules, *element);
    }
  }
}

std::map<std::string, std::string> firstTestCase(const ModuleSet &modules, const Module &module,
                                                 const ast::Kernel &kernel) {
  std::map<std::string, std::string> first;
  const ast::Test *test = module.tests.lookup(kernel.name.name);
  if (!test) {
    return first;
  }
  for (const auto &entry : test->entries) {
    if (const auto *axis = llvm::dyn_cast<ast::TestAxis>(entry.get())) {
      firstOfAxis(modules, *axis, first);
    } else if (const auto *bind = llvm::dyn_cast<ast::TestBind>(entry.get())) {
      first[bind->name.name] = sourceText(modules, *bind->value);
    } else if (const auto *input = llvm::dyn_cast<ast::TestInput>(entry.get())) {
      const auto *name = input->generators.empty()
                             ? nullptr
                             : llvm::dyn_cast<ast::Name>(input->generators[0].get());
      first[input->name.name] = name && name->name == "missing" ? "missing" : "present";
    }
  }
  return first;
}

//===-- choices ----------------------------------------------------------------------------------------------------===//

Choices::Choices(Instance &instance, Emitter &header)
    : instance(instance), header(header),
      first(firstTestCase(instance.modules, instance.module, instance.kernel)) {}

std::optional<std::string> Choices::setting(llvm::StringRef name) {
  used[name] = true;
  auto it = instance.settings.values.find(name.str());
  return it == instance.settings.values.end() ? std::nullopt
                                              : std::optional<std::string>(it->second);
}

std::optional<std::string> Choices::firstCase(llvm::StringRef name) const {
  auto it = first.find(name.str());
  return it == first.end() ? std::nullopt : std::optional<std::string>(it->second);
}

static std::string listValues(llvm::ArrayRef<Value> values) {
  std::string text;
  for (const Value &value : values) {
    text += (text.empty() ? "`" : ", `") + value.spelling() + "`";
  }
  return text;
}

static std::string allowedText(const Type &type, const std::vector<Value> *candidates) {
  if (candidates) {
    return "it is one of " + listValues(*candidates);
  }
  if (type.kind == Type::Kind::Enum) {
    std::string text;
    for (const ast::Ident &item : type.enumeration->cases) {
      text += (text.empty() ? "`" : ", `") + item.name + "`";
    }
    return "it is one of " + text;
  }
  return type.kind == Type::Kind::DType ? "it is an element type, such as `f32`"
                                        : "it is of type `" + type.str() + "`";
}

std::optional<Value> Choices::choose(llvm::StringRef name, const Type &type,
                                     const std::vector<Value> *candidates,
                                     std::optional<Value> fallback, SourceRange range,
                                     bool firstCandidate) {
  std::optional<std::string> text = setting(name);
  if (!text && fallback) {
    return fallback;
  }
  if (!text && firstCandidate && candidates && !candidates->empty()) {
    return candidates->front();
  }
  if (!text) {
    text = firstCase(name);
  }
  if (!text) {
    missing(name, range);
    return std::nullopt;
  }
  std::optional<Value> value = header.valueFromText(*text, &type);
  bool allowed = value && !value->isError() && header.typeOf(*value) == type;
  if (allowed && candidates) {
    allowed = llvm::any_of(*candidates,
                           [&](const Value &v) { return v.spelling() == value->spelling(); });
  }
  if (!allowed) {
    header.error(diag::setting_invalid, range, allowedText(type, candidates), name, *text);
    failed = true;
    return std::nullopt;
  }
  return value;
}

void Choices::missing(llvm::StringRef name, SourceRange range) {
  missingNames.emplace_back(name.str(), range);
}

bool Choices::finish(bool checkUnused) {
  if (!missingNames.empty()) {
    std::string names, flags;
    for (const auto &[name, range] : missingNames) {
      names += (names.empty() ? "`" : ", `") + name + "`";
      flags += (flags.empty() ? "" : ",") + name + "=…";
    }
    DiagnosticBuilder d =
        header.error(diag::instance_incomplete, missingNames.front().second,
                     "set it: `--set " + flags + "`", names, instance.kernel.name.name);
    for (const auto &[name, range] : llvm::drop_begin(missingNames)) {
      d.note(range, "`" + name + "` is declared here");
    }
    failed = true;
  }
  if (checkUnused) {
    llvm::SmallVector<llvm::StringRef> known;
    for (const auto &entry : used) {
      known.push_back(entry.getKey());
    }
    llvm::sort(known);
    for (const auto &[name, value] : instance.settings.values) {
      if (used.count(name)) {
        continue;
      }
      std::string near = nearestName(name, known);
      header.error(diag::setting_unknown, instance.kernel.name.range,
                   !near.empty()   ? "did you mean `" + near + "`?"
                   : known.empty() ? std::string("it has none")
                                   : "it has `" + llvm::join(known, "`, `") + "`",
                   instance.kernel.name.name, name);
      failed = true;
    }
  }
  return !failed;
}

//===-- generic parameters -----------------------------------------------------------------------------------------===//

static std::optional<Value> chooseType(Emitter &header, Choices &choices,
                                       const ast::GenericParam &param) {
  Type dtype;
  dtype.kind = Type::Kind::DType;
  std::optional<std::vector<Value>> candidates;
  if (param.set) {
    candidates = header.constSet(*param.set, &dtype);
    if (!candidates) {
      return std::nullopt;
    }
  }
  std::optional<Value> fallback;
  if (param.defaultType) {
    std::optional<DType> type = header.resolveDType(*param.defaultType);
    if (!type) {
      return std::nullopt;
    }
    fallback = Value::dtype(*type);
  }
  std::optional<Value> value = choices.choose(
      param.name.name, dtype, candidates ? &*candidates : nullptr, fallback, param.range, false);
  if (!value || !header.bindGeneric(param, value->element(), param.range)) {
    return std::nullopt;
  }
  return value;
}

static std::optional<Value> chooseConst(Emitter &header, Choices &choices,
                                        const ast::GenericParam &param) {
  Type type = header.resolveType(*param.type);
  if (type.isError()) {
    return std::nullopt;
  }
  if (!type.isScalar() && type.kind != Type::Kind::Enum) {
    header.error(diag::const_type, param.type->range, "use an element type or an enum", type.str());
    return std::nullopt;
  }
  std::optional<std::vector<Value>> candidates;
  if (param.set) {
    candidates = header.constSet(*param.set, &type);
    if (!candidates) {
      return std::nullopt;
    }
  }
  std::optional<Value> fallback;
  if (param.value) {
    fallback = header.coerce(header.constEval(*param.value, "a default", &type), type,
                             param.value->range, "the default of `" + param.name.name + "`");
    if (fallback->isError()) {
      return std::nullopt;
    }
  }
  return choices.choose(param.name.name, type, candidates ? &*candidates : nullptr, fallback,
                        param.range, false);
}

bool chooseGenerics(Instance &instance, Emitter &header, Choices &choices) {
  bool ok = true;
  for (const ast::GenericParam &param : instance.kernel.generics) {
    if (param.kind == ast::GenericKind::Shape) {
      header.error(diag::kernel_shape_generic, param.range,
                   "write the shape where it is used: `view<[M, N], f32>`", param.name.name);
      ok = false;
      continue;
    }
    bool isConst = param.kind == ast::GenericKind::Const;
    std::optional<Value> value =
        isConst ? chooseConst(header, choices, param) : chooseType(header, choices, param);
    Value bound = value.value_or(Value::error());
    header.declare(param.name.name, param.name.range, bound);
    instance.parameters.emplace_back(param.name.name, bound);
    ok &= value.has_value();
  }
  return ok;
}

//===-- tunes and statics ------------------------------------------------------------------------------------------===//

static std::optional<Value> chooseTune(Emitter &header, Choices &choices,
                                       const ast::Choice &choice) {
  std::optional<std::vector<Value>> candidates = header.constSet(*choice.set, nullptr);
  if (!candidates) {
    return std::nullopt;
  }
  for (Value &value : *candidates) {
    value = header.settle(std::move(value), choice.set->range);
    if (value.isError()) {
      return std::nullopt;
    }
  }
  if (candidates->empty()) {
    header.error(diag::set_empty, choice.set->range, "list at least one value", choice.name.name);
    return std::nullopt;
  }
  Type type = header.typeOf(candidates->front());
  for (const Value &value : *candidates) {
    if (header.typeOf(value) != type) {
      header.error(diag::mixed_types, choice.set->range, "give all values one type", type.str(),
                   header.typeOf(value).str());
      return std::nullopt;
    }
  }
  return choices.choose(choice.name.name, type, &*candidates, std::nullopt, choice.name.range,
                        true);
}

/// The value of a static for the launch at hand, or for the first test case; Error where an extent is missing.
static Value staticFromLaunch(Instance &instance, const ast::Static &stmt, Choices &choices) {
  mlir::Block scratch;
  Emitter launch(instance, &scratch);
  for (const std::string &name : instance.extents) {
    auto it = instance.settings.launchExtents.find(name);
    std::optional<Value> value;
    if (it != instance.settings.launchExtents.end()) {
      value = Value::i64(it->second);
    } else if (instance.settings.launchExtents.empty()) {
      Type i64 = Type::scalar(DType::i64);
      std::optional<std::string> text = choices.firstCase(name);
      value = text ? launch.valueFromText(*text, &i64) : std::nullopt;
    }
    // An extent that nothing knows stays a run-time value, so that its use shows.
    mlir::Location unknown = mlir::UnknownLoc::get(&instance.context);
    launch.declare(name, SourceRange(),
                   value ? *value
                         : Value::runtime(scratch.addArgument(launch.irType(DType::i64), unknown),
                                          DType::i64));
  }
  Value value = launch.emitExpr(*stmt.value);
  return value.kind == Value::Kind::Runtime ? Value::error()
                                            : launch.settle(std::move(value), stmt.value->range);
}

static std::optional<Value> chooseStatic(Instance &instance, Emitter &header, Choices &choices,
                                         const ast::Static &stmt, bool needed) {
  Type i64 = Type::scalar(DType::i64);
  Value value = header.emitExpr(*stmt.value);
  if (value.isError()) {
    return std::nullopt;
  }
  bool known = value.kind != Value::Kind::Runtime;
  std::optional<std::string> text = choices.setting(stmt.name.name);
  if (text) {
    std::optional<Value> set = header.valueFromText(*text, &i64);
    if (!set || !set->asI64()) {
      header.error(diag::setting_invalid, stmt.name.range, "it is an integer", stmt.name.name,
                   *text);
      return std::nullopt;
    }
    value = *set;
  } else if (!known) {
    value = staticFromLaunch(instance, stmt, choices);
    if (value.isError()) {
      if (needed) {
        choices.missing(stmt.name.name, stmt.name.range);
      }
      return std::nullopt;
    }
  }
  value = header.settle(std::move(value), stmt.value->range);
  std::optional<int64_t> number = value.asI64();
  if (!number || value.asBool()) {
    if (!value.isError()) {
      header.error(diag::not_static_integer, stmt.value->range, "write an integer",
                   "`" + stmt.name.name + "`", value.describe());
    }
    return std::nullopt;
  }
  if (*number < 1) {
    header.error(diag::static_not_positive, stmt.value->range,
                 "make it 1 or more for every extent, for example `max(1, …)`", stmt.name.name,
                 *number);
    return std::nullopt;
  }
  return value;
}

bool chooseBodyParameters(Instance &instance, Emitter &header, Choices &choices, bool needStatics) {
  bool ok = true;
  auto add = [&](const ast::Ident &name, std::optional<Value> value) {
    Value bound = value.value_or(Value::error());
    header.declare(name.name, name.range, bound);
    instance.parameters.emplace_back(name.name, bound);
    ok &= value.has_value();
  };
  for (const auto &stmt : instance.kernel.body->stmts) {
    if (const auto *tune = llvm::dyn_cast<ast::Tune>(stmt.get())) {
      for (const ast::Choice &choice : tune->choices) {
        add(choice.name, chooseTune(header, choices, choice));
      }
    } else if (const auto *fixed = llvm::dyn_cast<ast::Static>(stmt.get())) {
      std::optional<Value> value = chooseStatic(instance, header, choices, *fixed, needStatics);
      bool wasOk = ok;
      add(fixed->name, value);
      ok = needStatics ? ok : wasOk;
    }
  }
  return ok;
}

} // namespace tessera::sema
