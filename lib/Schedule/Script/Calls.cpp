// Calls: finding the callee, functions of the script, primitives of the host, functions of the language.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Interpreter.h"

#include <algorithm>

using namespace tessera;
using namespace tessera::script;
using llvm::StringRef;

llvm::ArrayRef<Signature> script::builtins() {
  auto make = [](const char *name, std::vector<Parameter> params) {
    Signature result;
    result.name = name;
    result.params = std::move(params);
    result.isPure = true;
    return result;
  };
  static const std::vector<Signature> table = {
      make("len", {{"x", ValueKind::Any}}),
      make("str", {{"x", ValueKind::Any}}),
      make("has", {{"r", ValueKind::Record}, {"key", ValueKind::String}}),
      make("keys", {{"r", ValueKind::Record}}),
      make("min", {{"a", ValueKind::Int}, {"b", ValueKind::Int}}),
      make("max", {{"a", ValueKind::Int}, {"b", ValueKind::Int}}),
      make("ceil_div", {{"a", ValueKind::Int}, {"b", ValueKind::Int}}),
  };
  return table;
}

//===-- The callee -------------------------------------------------------------------------------------------------===//

/// What `name` means in `module`: its function, a function of the language, a primitive.
bool Interpreter::resolveName(StringRef name, const Module &module, Callee &callee) {
  callee.name = name.str();
  auto function = module.functions.find(name);
  if (function != module.functions.end()) {
    callee.function = function->second;
    return true;
  }
  for (const Signature &signature : builtins()) {
    if (signature.name == name) {
      callee.builtin = &signature;
      return true;
    }
  }
  callee.primitive = host.lookupPrimitive(name);
  return callee.primitive != nullptr;
}

bool Interpreter::resolve(const Call &expr, Callee &callee, std::optional<Value> &receiver) {
  const Module &module = *frames.back().module;
  if (const auto *name = llvm::dyn_cast<Name>(expr.callee.get())) {
    if (!resolveName(name->text, module, callee)) {
      return unknownCallee(expr, name->text, receiver);
    }
    setParams(callee);
    return true;
  }
  const auto *member = llvm::dyn_cast<Member>(expr.callee.get());
  if (!member) {
    return raise(diag::not_callable, expr.callee->range, {"this expression"},
                 "call a function or a primitive by its name");
  }
  const auto *base = llvm::dyn_cast<Name>(member->base.get());
  auto alias = base ? module.aliases.find(base->text) : module.aliases.end();
  if (alias != module.aliases.end() && !variable(base->text)) {
    auto function = alias->second->functions.find(member->name.text);
    if (function == alias->second->functions.end() || function->second.module != alias->second) {
      return raise(DiagId::script_function, member->name.range, {pathText(*member)},
                   "the file `" + alias->second->path + "` does not define it");
    }
    callee.name = pathText(*member);
    callee.function = function->second;
    setParams(callee);
    return true;
  }
  Value value = eval(*member->base);
  if (stopped()) {
    return false;
  }
  receiver = std::move(value);
  if (!resolveName(member->name.text, module, callee)) {
    return unknownCallee(expr, member->name.text, receiver);
  }
  setParams(callee);
  return true;
}

bool Interpreter::unknownCallee(const Call &expr, StringRef name,
                                const std::optional<Value> &receiver) {
  if (variable(name) && !receiver) {
    return raise(diag::not_callable, expr.callee->range, {name.str()},
                 "it is a variable; call a function or a primitive");
  }
  std::vector<std::string> names;
  for (const auto &function : frames.back().module->functions) {
    names.push_back(function.first().str());
  }
  for (llvm::ArrayRef<Signature> some : {host.primitives(), host.instructions()}) {
    for (const Signature &signature : some) {
      names.push_back(signature.name);
    }
  }
  for (const Signature &signature : builtins()) {
    names.push_back(signature.name);
  }
  std::string near = nearest(name, names);
  return raise(DiagId::script_function, expr.callee->range, {name.str()},
               near.empty() ? "define it with `def`, or import its file"
                            : "did you mean `" + near + "`?");
}

void Interpreter::setParams(Callee &callee) const {
  if (const Def *def = callee.function.def) {
    for (const Param &param : def->params) {
      callee.params.push_back({param.name.text, param.kind, param.value != nullptr, false});
    }
    return;
  }
  const Signature &signature = callee.builtin ? *callee.builtin : *callee.primitive;
  for (const Parameter &param : signature.params) {
    callee.params.push_back(
        {param.name, param.kind, param.fallback || param.isVariadic, param.isVariadic});
  }
}

Value Interpreter::call(const Call &expr) {
  Callee callee;
  std::optional<Value> receiver;
  if (!resolve(expr, callee, receiver)) {
    return Value();
  }
  std::optional<Value> scope;
  if (callee.primitive && callee.primitive->takesScope && receiver) {
    scope = std::move(receiver);
    receiver.reset();
  }
  std::vector<BoundArg> bound;
  std::vector<ArgView> args = argsOf(expr, callee, receiver.has_value());
  if (!bind(callee, args, std::move(receiver), expr.range, bound)) {
    return Value();
  }
  if (callee.function.def) {
    return callFunction(callee, std::move(bound), expr.range);
  }
  return callPrimitive(callee, std::move(bound), std::move(scope), expr);
}

//===-- Functions of scripts ---------------------------------------------------------------------------------------===//

Value Interpreter::callFunction(const Callee &callee, std::vector<BoundArg> args,
                                SourceRange range) {
  const Def &def = *callee.function.def;
  if (frames.size() > options.maxCalls) {
    raise(DiagId::too_many_calls, range, {callee.name, std::to_string(options.maxCalls)},
          "end the recursion with an `if`, or use a loop");
    return Value();
  }
  std::vector<Value> values;
  for (size_t i = 0; i < args.size(); ++i) {
    bool given = args[i].expr || args[i].value;
    values.push_back(given ? argument(callee, i, args[i]) : Value());
    if (stopped()) {
      return Value();
    }
  }
  frames.push_back({&def, callee.function.module, range, {}, {}});
  for (size_t i = 0; i < values.size() && !failed; ++i) {
    // A default sees the parameters before it.
    if (values[i].isNone()) {
      values[i] = eval(*def.params[i].value);
      if (!failed) {
        checkArgument(callee, i, values[i], def.params[i].value->range);
      }
    }
    if (!failed) {
      declare(def.params[i].name, std::move(values[i]));
    }
  }
  if (!failed) {
    block(def.body);
  }
  returning = false;
  Value result = std::move(returned);
  returned = Value();
  if (!failed) {
    checkResult(def, result, range);
  }
  closeScope(0);
  frames.pop_back();
  return failed ? Value() : result;
}

bool Interpreter::checkResult(const Def &def, const Value &value, SourceRange range) {
  if (!def.hasResult) {
    return true;
  }
  SourceRange place = value.isNone() ? def.name.range : value.origin;
  if (!accepts(def.result, value)) {
    return raise(DiagId::result_kind, place,
                 {def.name.text, describe(def.result), value.describe()},
                 "return such a value on every way through the function");
  }
  for (const Ident &field : def.resultFields) {
    if (!value.getField(field.text)) {
      return raise(DiagId::result_field, place, {def.name.text, field.text},
                   "return a record with all fields of the function's head");
    }
  }
  return true;
}

//===-- Primitives -------------------------------------------------------------------------------------------------===//

Value Interpreter::callPrimitive(const Callee &callee, std::vector<BoundArg> args,
                                 std::optional<Value> scope, const Call &expr) {
  const Signature &signature = callee.builtin ? *callee.builtin : *callee.primitive;
  std::vector<Value> values;
  for (size_t i = 0; i < args.size(); ++i) {
    bool given = args[i].expr || args[i].value || !args[i].more.empty();
    const Parameter &param = signature.params[i];
    if (given) {
      values.push_back(argument(callee, i, args[i]));
    } else if (param.isVariadic) {
      values.push_back(Value::list({}));
    } else {
      values.push_back(param.fallback ? *param.fallback : Value());
    }
    if (stopped()) {
      return Value();
    }
  }
  if (callee.builtin) {
    Value result = callBuiltin(callee, values, expr.range);
    result.origin = expr.range;
    return result;
  }
  if (signature.takesScope && scope && !scope->getCursor()) {
    raise(DiagId::no_receiver, expr.callee->range, {scope->describe(), signature.name},
          "a kernel or another cursor stands there; without it the whole kernel is meant");
    noteOrigin(*scope);
    return Value();
  }
  HostCall call{signature, signature.takesScope ? scope.value_or(host.self()) : Value(),
                std::move(values), expr.range};
  llvm::Expected<Value> result = signature.isPure ? host.inspect(call) : host.call(call);
  if (!result) {
    raiseHost(result.takeError(), expr.range, signature.name);
    return Value();
  }
  result->origin = expr.range;
  return *result;
}

Value Interpreter::callBuiltin(const Callee &callee, const std::vector<Value> &args,
                               SourceRange range) {
  StringRef name = callee.name;
  const Value &first = args.front();
  if (name == "str") {
    std::string text = first.str();
    size_t size = text.size();
    return sized(Value::string(text), size, kMaxText, range);
  }
  if (name == "has") {
    return Value::boolean(first.getField(*args[1].getString()) != nullptr);
  }
  if (name == "keys") {
    std::vector<Value> names;
    for (const auto &field : *first.getRecord()) {
      names.push_back(Value::string(field.first));
      names.back().origin = range;
    }
    return Value::list(std::move(names));
  }
  if (name == "len") {
    if (const auto *list = first.getList()) {
      return Value::integer(static_cast<int64_t>(list->size()));
    }
    if (const auto *fields = first.getRecord()) {
      return Value::integer(static_cast<int64_t>(fields->size()));
    }
    if (const std::string *text = first.getString()) {
      return Value::integer(static_cast<int64_t>(text->size()));
    }
    raise(DiagId::argument_kind, range,
          {"x", "len", "a list, a record or a string", first.describe()},
          "lists, records and strings have a length");
    return Value();
  }
  int64_t a = *first.getInteger(), b = *args[1].getInteger();
  if (name == "min" || name == "max") {
    return Value::integer(name == "min" ? std::min(a, b) : std::max(a, b));
  }
  // Rounded up, with the errors of the division itself.
  Binary division;
  division.op = BinaryOp::FloorDiv;
  division.range = range;
  Value down = divide(division, a, b);
  const int64_t *quotient = down.getInteger();
  bool exact = !quotient || b == -1 || a % b == 0;
  return exact ? down : Value::integer(*quotient + 1);
}
