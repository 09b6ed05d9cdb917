// Calls: inlining of functions and methods, binding of arguments.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Builtins.h"
#include "Emitter.h"

namespace tessera::sema {

static constexpr size_t kMaxCallDepth = 64;

/// The enum that a parameter's type names, so that a bare case can be its argument.
static std::optional<Type> enumOf(const Module &owner, const ast::Type *type) {
  const auto *named = llvm::dyn_cast_or_null<ast::NamedType>(type);
  if (!named) {
    return std::nullopt;
  }
  const Module *where = nullptr;
  const auto *decl = llvm::dyn_cast_or_null<ast::Enum>(owner.find(named->name, where));
  if (!decl) {
    return std::nullopt;
  }
  Type result;
  result.kind = Type::Kind::Enum;
  result.enumeration = decl;
  return result;
}

namespace {
/// Arguments of a call in the order of the parameters.
struct Matched {
  std::vector<const ast::Expr *> exprs;
  std::vector<std::pair<const ast::GenericParam *, const ast::Expr *>> generics;
};
} // namespace

static const ast::GenericParam *findGeneric(const std::vector<ast::GenericParam> &generics,
                                            llvm::StringRef name) {
  for (const ast::GenericParam &generic : generics) {
    if (generic.name.name == name) {
      return &generic;
    }
  }
  return nullptr;
}

static std::string parameterList(const std::vector<ast::Param> &params) {
  std::string text;
  for (const ast::Param &param : params) {
    if (!param.isSelf) {
      text += (text.empty() ? "`" : ", `") + param.name.name + "`";
    }
  }
  return text.empty() ? "it has no parameters" : "its parameters are " + text;
}

static bool matchArguments(Emitter &e, const ast::Fn &fn, const ast::Call &call, Matched &matched) {
  size_t next = 0;
  matched.exprs.assign(fn.params.size(), nullptr);
  for (const ast::Arg &arg : call.args) {
    size_t at = fn.params.size();
    if (arg.name) {
      for (size_t i = 0; i < fn.params.size(); ++i) {
        at = fn.params[i].name.name == arg.name.name && !fn.params[i].isSelf ? i : at;
      }
      if (at == fn.params.size()) {
        if (const ast::GenericParam *generic = findGeneric(fn.generics, arg.name.name)) {
          matched.generics.emplace_back(generic, arg.value.get());
          continue;
        }
        e.error(diag::unknown_argument, arg.name.range, parameterList(fn.params), fn.name.name,
                arg.name.name)
            .note(fn.name.range, "declared here");
        return false;
      }
    } else {
      while (next < fn.params.size() && fn.params[next].isSelf) {
        ++next;
      }
      at = next++;
    }
    if (at >= fn.params.size()) {
      e.error(diag::too_many_arguments, arg.value->range, parameterList(fn.params), fn.name.name,
              fn.params.size() - (!fn.params.empty() && fn.params.front().isSelf), call.args.size())
          .note(fn.name.range, "declared here");
      return false;
    }
    if (matched.exprs[at]) {
      e.error(diag::argument_twice, arg.value->range, "give it once", fn.params[at].name.name);
      return false;
    }
    matched.exprs[at] = arg.value.get();
  }
  for (size_t i = 0; i < fn.params.size(); ++i) {
    if (!matched.exprs[i] && !fn.params[i].isSelf && !fn.params[i].value) {
      e.error(diag::argument_missing, call.range, parameterList(fn.params), fn.name.name,
              fn.params[i].name.name)
          .note(fn.params[i].range, "declared here");
      return false;
    }
  }
  return true;
}

/// Converts a bound argument to its parameter's type and declares it.
static bool declareParam(Emitter &e, const ast::Param &param, Value value, SourceRange range) {
  std::string what = "the argument `" + param.name.name + "`";
  if (value.kind == Value::Kind::Struct) {
    const auto *named = llvm::dyn_cast<ast::NamedType>(param.type.get());
    if (named && named->args.empty() && value.type.structure->decl->name.name == named->name) {
      e.declare(param.name.name, param.name.range, std::move(value),
                param.mode == ast::ParamMode::InOut);
      return true;
    }
  }
  const auto *tile = llvm::dyn_cast<ast::TileType>(param.type.get());
  if (!(tile && tile->isArray)) {
    Type type = e.resolveType(*param.type);
    if (value.kind == Value::Kind::Missing && type.kind != Type::Kind::Optional &&
        !type.isError()) {
      value = e.operand(std::move(value), range);
    }
    if (value.kind == Value::Kind::Missing && type.kind == Type::Kind::Optional) {
      value.type = type.parts.front();
    }
    value = e.coerce(std::move(value), type, range, what);
  }
  if (value.isError()) {
    return false;
  }
  e.declare(param.name.name, param.name.range, std::move(value),
            param.mode == ast::ParamMode::InOut);
  return true;
}

bool Emitter::bindParams(const std::vector<ast::Param> &params,
                         std::vector<std::optional<Value>> &values,
                         llvm::ArrayRef<SourceRange> ranges, const ast::Call &call) {
  // What is typed decides generics before literals take them.
  for (bool literals : {false, true}) {
    for (size_t i = 0; i < params.size(); ++i) {
      if (!values[i] || params[i].isSelf || values[i]->isUntyped() != literals) {
        continue;
      }
      if (!bindType(*params[i].type, *values[i], ranges[i],
                    "the argument `" + params[i].name.name + "`")) {
        return false;
      }
    }
  }
  for (size_t i = 0; i < params.size(); ++i) {
    const ast::Param &param = params[i];
    if (param.isSelf) {
      continue;
    }
    Value value = values[i] ? *values[i] : emitExpr(*param.value);
    if (param.mode == ast::ParamMode::Const && !value.isError() && value.spelling().empty()) {
      error(diag::not_static, ranges[i],
            "only literals, constants, `static`, `tune` and const parameters of the instance are "
            "known at compile time",
            "the argument `" + param.name.name + "`")
          .note(param.range, "the parameter is `const`");
      return false;
    }
    if (!declareParam(*this, param, std::move(value), ranges[i])) {
      return false;
    }
  }
  for (const auto &left : frames.back()->unbound) {
    error(diag::generic_unbound, call.range, "give it by name: `" + left.getKey() + " = …`",
          left.getKey())
        .note(left.getValue()->range, "declared here");
    return false;
  }
  return true;
}

/// Declares the generic parameters that the call gives by name; the others wait for the arguments.
static bool declareGenerics(Emitter &e, Frame &frame, const ast::Fn &fn,
                            llvm::ArrayRef<std::pair<const ast::GenericParam *, Value>> given) {
  for (const ast::GenericParam &generic : fn.generics) {
    frame.unbound[generic.name.name] = &generic;
  }
  for (const auto &[generic, value] : given) {
    if (value.kind == Value::Kind::DType) {
      if (!e.bindGeneric(*generic, value.element(), generic->range)) {
        return false;
      }
      continue;
    }
    frame.unbound.erase(generic->name.name);
    e.declare(generic->name.name, generic->name.range, e.settle(value, generic->range));
  }
  for (const ast::GenericParam &generic : fn.generics) {
    if (generic.kind == ast::GenericKind::Const && generic.value &&
        frame.unbound.count(generic.name.name)) {
      Value value = e.constEval(*generic.value, "a default");
      if (value.isError()) {
        return false;
      }
      frame.unbound.erase(generic.name.name);
      e.declare(generic.name.name, generic.name.range, e.settle(std::move(value), generic.range));
    }
  }
  return true;
}

static bool refuseRecursion(Emitter &e, llvm::ArrayRef<std::unique_ptr<Frame>> frames,
                            const ast::Fn &fn, const ast::Call &call) {
  for (const auto &frame : frames) {
    if (frame->fn == &fn) {
      e.error(diag::recursion, call.range, "functions are inlined; write a loop", fn.name.name)
          .note(fn.name.range, "declared here");
      return true;
    }
  }
  if (frames.size() > kMaxCallDepth) {
    e.error(diag::program_too_large, call.range, "call fewer functions inside each other",
            "nested calls", kMaxCallDepth);
    return true;
  }
  return false;
}

static Value finishCall(Emitter &e, const ast::Fn &fn) {
  if (!fn.result) {
    Type unit = Type::unit();
    Value value = e.emitBlock(*fn.body, &unit);
    return value.isError() ? value : Value::unit();
  }
  Type result = e.resolveType(*fn.result);
  Value value = e.emitBlock(*fn.body, &result);
  if (result.isError() || value.isError()) {
    return Value::error();
  }
  if (value.kind == Value::Kind::Unit && result.kind != Type::Kind::Unit) {
    e.error(diag::value_missing, fn.body->range.isValid() ? fn.body->range.atEnd() : fn.name.range,
            "end the body with the value", fn.name.name, result.str())
        .note(fn.result->range, "the result's type");
    return Value::error();
  }
  const ast::Expr *last = fn.body->value.get();
  return e.coerce(std::move(value), result, last ? last->range : fn.name.range,
                  "the value of `" + fn.name.name + "`");
}

Value Emitter::invoke(const Module &owner, const ast::Fn &fn, const ast::Call &call,
                      std::vector<std::optional<Value>> &values, llvm::ArrayRef<SourceRange> ranges,
                      llvm::ArrayRef<std::pair<const ast::GenericParam *, Value>> given,
                      const Value *self, std::vector<Value> &out, Value &newSelf) {
  frames.push_back(
      std::make_unique<Frame>(Frame{&owner, &fn, loc(call.range), call.range, {}, {}}));
  pushScope();
  bool selfInOut = !fn.params.empty() && fn.params.front().isSelf &&
                   fn.params.front().mode == ast::ParamMode::InOut;
  if (self) {
    for (const auto &[name, value] : self->type.structure->generics) {
      declare(name, SourceRange(), value);
    }
    declare("self", fn.name.range, *self, selfInOut);
  }
  Value result;
  if (declareGenerics(*this, *frames.back(), fn, given) &&
      bindParams(fn.params, values, ranges, call)) {
    result = finishCall(*this, fn);
    for (const ast::Param &param : fn.params) {
      Binding *binding = param.isSelf ? nullptr : lookup(param.name.name);
      out.push_back(binding ? binding->value : Value::error());
    }
    newSelf = self && selfInOut ? lookup("self")->value : Value::error();
  }
  frames.pop_back();
  return result;
}

Value Emitter::inlineValues(const Module &owner, const ast::Fn &fn, llvm::ArrayRef<Value> values,
                            const ast::Call &call) {
  if (refuseRecursion(*this, frames, fn, call)) {
    return Value::error();
  }
  bool fits =
      fn.params.size() == values.size() && llvm::none_of(fn.params, [](const ast::Param &p) {
        return p.isSelf || p.mode == ast::ParamMode::InOut;
      });
  if (!fits) {
    error(diag::function_expected, call.range,
          "give a `fn` of " + std::to_string(values.size()) + " parameters that are not `inout`",
          fn.name.name)
        .note(fn.name.range, "declared here");
    return Value::error();
  }
  std::vector<std::optional<Value>> arguments(values.begin(), values.end());
  std::vector<SourceRange> ranges(values.size(), call.range);
  std::vector<Value> out;
  Value newSelf;
  return invoke(owner, fn, call, arguments, ranges, {}, nullptr, out, newSelf);
}

Value Emitter::inlineFn(const Module &owner, const ast::Fn &fn, const ast::Call &call,
                        const Value *self, const ast::Expr *selfPlace) {
  Matched matched;
  if (refuseRecursion(*this, frames, fn, call) || !matchArguments(*this, fn, call, matched)) {
    return Value::error();
  }
  std::vector<std::optional<Value>> values(fn.params.size());
  std::vector<SourceRange> ranges(fn.params.size(), call.range);
  bool failed = false;
  for (size_t i = 0; i < fn.params.size(); ++i) {
    if (const ast::Expr *expr = matched.exprs[i]) {
      std::optional<Type> expected = enumOf(owner, fn.params[i].type.get());
      values[i] = emitExpr(*expr, expected ? &*expected : nullptr);
      ranges[i] = expr->range;
      failed |= values[i]->isError();
    }
  }
  std::vector<std::pair<const ast::GenericParam *, Value>> given;
  for (const auto &[generic, expr] : matched.generics) {
    given.emplace_back(generic, constEval(*expr, "a generic argument"));
    failed |= given.back().second.isError();
  }
  if (failed) {
    return Value::error();
  }

  std::vector<Value> out;
  Value newSelf;
  Value result = invoke(owner, fn, call, values, ranges, given, self, out, newSelf);
  if (result.isError()) {
    return result;
  }
  if (!newSelf.isError() && selfPlace) {
    assign(*selfPlace, std::move(newSelf), call.range);
  }
  for (size_t i = 0; i < fn.params.size(); ++i) {
    if (fn.params[i].mode == ast::ParamMode::InOut && !fn.params[i].isSelf && matched.exprs[i]) {
      assign(*matched.exprs[i], std::move(out[i]), matched.exprs[i]->range);
    }
  }
  return result;
}

//===-- what is called ---------------------------------------------------------------------------------------------===//

static Value callItem(Emitter &e, const Module &owner, const ast::Item &item,
                      const ast::Call &call) {
  if (const auto *fn = llvm::dyn_cast<ast::Fn>(&item)) {
    return e.inlineFn(owner, *fn, call, nullptr, nullptr);
  }
  if (const auto *decl = llvm::dyn_cast<ast::Struct>(&item)) {
    return e.construct(owner, *decl, call);
  }
  e.error(diag::not_callable, call.callee->range, "functions and structs are called",
          e.instance.engine.getSources().text(call.callee->range));
  return Value::error();
}

/// A method of a struct, a builtin as a method.
static Value callMethod(Emitter &e, const ast::Member &member, const ast::Call &call,
                        const Type *expected) {
  Value base = e.emitExpr(*member.base);
  if (base.isError()) {
    return base;
  }
  llvm::StringRef name = member.member.name;
  if (base.kind == Value::Kind::Struct) {
    const StructInstance &structure = *base.type.structure;
    llvm::SmallVector<llvm::StringRef> known;
    for (const auto &method : structure.decl->methods) {
      if (method->name.name == name) {
        bool takesSelf = !method->params.empty() && method->params.front().isSelf;
        return e.inlineFn(*structure.module, *method, call, takesSelf ? &base : nullptr,
                          member.base.get());
      }
      known.push_back(method->name.name);
    }
    std::string near = nearestName(name, known);
    e.error(diag::unknown_member, member.member.range,
            near.empty() ? std::string("declare the method in the struct")
                         : "did you mean `" + near + "`?",
            base.describe(), name)
        .note(structure.decl->name.range, "declared here");
    return Value::error();
  }
  const Builtin *builtin = findMethod(name);
  if (!builtin) {
    std::string near = nearestName(name, builtinNames());
    e.error(diag::unknown_member, member.member.range,
            near.empty() ? std::string("call a function: `f(x)`") : "did you mean `" + near + "`?",
            base.describe(), name);
    return Value::error();
  }
  return e.emitBuiltin(*builtin, call, &base, expected);
}

Value Emitter::emitCall(const ast::Call &call, const Type *expected) {
  if (const auto *name = llvm::dyn_cast<ast::Name>(call.callee.get())) {
    if (Binding *binding = lookup(name->name)) {
      error(diag::not_callable, name->range, "functions and structs are called", name->name)
          .note(binding->decl, "declared here");
      return Value::error();
    }
    const Module *owner = nullptr;
    if (const ast::Item *item = module().find(name->name, owner)) {
      return callItem(*this, *owner, *item, call);
    }
    if (std::optional<Value> special = emitSpecialCall(name->name, call)) {
      return *special;
    }
    if (const Builtin *builtin = findBuiltin(name->name)) {
      return emitBuiltin(*builtin, call, nullptr, expected);
    }
    std::string near = nearestName(name->name, builtinNames());
    error(diag::unknown_name, name->range,
          near.empty() ? std::string("declare it, or correct the spelling")
                       : "did you mean `" + near + "`?",
          name->name);
    return Value::error();
  }
  const auto *member = llvm::dyn_cast<ast::Member>(call.callee.get());
  if (!member) {
    error(diag::not_callable, call.callee->range, "functions and structs are called",
          instance.engine.getSources().text(call.callee->range));
    return Value::error();
  }
  if (Module *space = namespaceOf(*member->base)) {
    const Module *owner = nullptr;
    if (const ast::Item *item = space->find(member->member.name, owner)) {
      return callItem(*this, *owner, *item, call);
    }
    llvm::SmallVector<llvm::StringRef> known;
    for (const auto &entry : space->items) {
      known.push_back(entry.getKey());
    }
    std::string near = nearestName(member->member.name, known);
    error(diag::unknown_member, member->member.range,
          near.empty() ? std::string("correct the spelling") : "did you mean `" + near + "`?",
          "`" + space->name + "`", member->member.name);
    return Value::error();
  }
  return callMethod(*this, *member, call, expected);
}

} // namespace tessera::sema
