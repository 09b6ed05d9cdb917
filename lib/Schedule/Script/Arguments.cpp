// Arguments: the short form, binding to parameters, kinds and words.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Interpreter.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

#include <algorithm>

using namespace tessera;
using namespace tessera::script;
using llvm::StringRef;

/// The arguments as written. In the short form `NAME pos… (KEY value)…` the keys are found by the callee's parameters:
/// the longest tail of pairs that start with parameters and leave no required one without an argument. A first argument
/// by position comes before that where the first parameter is required: `split d 4` may have a parameter `d`.
std::vector<Interpreter::ArgView> Interpreter::argsOf(const Call &expr, const Callee &callee,
                                                      bool hasReceiver) const {
  std::vector<ArgView> result;
  for (const Arg &arg : expr.args) {
    result.push_back({arg.name.text, arg.name.range, arg.value.get()});
  }
  if (!expr.isShort) {
    return result;
  }
  size_t count = result.size();
  size_t first = hasReceiver ? 1 : 0;
  auto fits = [&](size_t positional) {
    llvm::StringSet<> keys;
    for (size_t i = positional; i < count; i += 2) {
      const auto *key = llvm::dyn_cast<Name>(result[i].expr);
      auto param = llvm::find_if(callee.params,
                                 [&](const ParamView &p) { return key && p.name == key->text; });
      bool isFree = param != callee.params.end() &&
                    size_t(param - callee.params.begin()) >= positional + first;
      if (!isFree || !keys.insert(param->name).second) {
        return false;
      }
    }
    for (size_t i = positional + first; i < callee.params.size(); ++i) {
      if (!callee.params[i].hasDefault && !keys.count(callee.params[i].name)) {
        return false;
      }
    }
    return true;
  };
  // More pairs than parameters cannot fit.
  size_t most = std::min(count / 2, callee.params.size());
  std::vector<size_t> order;
  for (size_t pairs = most; pairs > 0; --pairs) {
    order.push_back(pairs);
  }
  bool needsFirst = !hasReceiver && !callee.params.empty() && !callee.params[0].hasDefault;
  if (needsFirst && most && count == 2 * most) {
    order.erase(order.begin());
    if (count > callee.params.size() || !fits(count)) {
      order.push_back(most);
    }
  }
  for (size_t pairs : order) {
    size_t positional = count - 2 * pairs;
    if (positional + first > callee.params.size() || !fits(positional)) {
      continue;
    }
    std::vector<ArgView> split(result.begin(), result.begin() + positional);
    for (size_t i = positional; i < count; i += 2) {
      const auto &key = llvm::cast<Name>(*result[i].expr);
      split.push_back({key.text, key.range, result[i + 1].expr});
    }
    return split;
  }
  return result;
}

bool Interpreter::bind(const Callee &callee, llvm::ArrayRef<ArgView> args,
                       std::optional<Value> receiver, SourceRange range,
                       std::vector<BoundArg> &bound) {
  bound.resize(callee.params.size());
  size_t next = 0;
  if (receiver) {
    if (callee.params.empty()) {
      return raise(DiagId::no_receiver, range, {receiver->describe(), callee.name},
                   "`" + callee.name + "` takes no arguments; call it without a receiver");
    }
    bound[next++].value = std::move(receiver);
  }
  for (const ArgView &arg : args) {
    size_t index = next;
    if (!arg.name.empty()) {
      auto param =
          llvm::find_if(callee.params, [&](const ParamView &p) { return p.name == arg.name; });
      if (param == callee.params.end()) {
        std::vector<std::string> names;
        for (const ParamView &p : callee.params) {
          names.push_back(p.name.str());
        }
        return raise(diag::unknown_argument, arg.nameRange, {callee.name, arg.name.str()},
                     names.empty() ? "it takes no arguments"
                                   : "its parameters are `" + llvm::join(names, "`, `") + "`");
      }
      index = static_cast<size_t>(param - callee.params.begin());
    } else if (next && next == callee.params.size() && callee.params.back().isVariadic) {
      bound.back().more.push_back(arg.expr);
      continue;
    } else if (next == callee.params.size()) {
      return raise(diag::too_many_arguments, arg.expr->range,
                   {callee.name, std::to_string(callee.params.size()), std::to_string(args.size())},
                   "remove the rest");
    } else {
      ++next;
    }
    if (bound[index].expr || bound[index].value) {
      return raise(diag::argument_twice, arg.nameRange.isValid() ? arg.nameRange : arg.expr->range,
                   {callee.params[index].name.str()}, "remove one of them");
    }
    bound[index].expr = arg.expr;
  }
  for (size_t i = 0; i < bound.size(); ++i) {
    if (!bound[i].expr && !bound[i].value && !callee.params[i].hasDefault) {
      std::string name = callee.params[i].name.str();
      return raise(diag::argument_missing, range, {callee.name, name},
                   "add `" + name + " = …`, or give it by position");
    }
  }
  return true;
}

Value Interpreter::argument(const Callee &callee, size_t param, const BoundArg &arg) {
  if (arg.value && !callee.params[param].isVariadic) {
    checkArgument(callee, param, *arg.value, arg.value->origin);
    return *arg.value;
  }
  if (!callee.params[param].isVariadic) {
    return oneArgument(callee, param, *arg.expr);
  }
  std::vector<Value> values;
  if (arg.value) {
    values.push_back(*arg.value);
    checkArgument(callee, param, values.back(), values.back().origin);
  } else {
    values.push_back(oneArgument(callee, param, *arg.expr));
  }
  for (const Expr *expr : arg.more) {
    if (stopped()) {
      break;
    }
    values.push_back(oneArgument(callee, param, *expr));
  }
  return stopped() ? Value() : Value::list(std::move(values));
}

Value Interpreter::oneArgument(const Callee &callee, size_t param, const Expr &expr) {
  Value value;
  std::string path = callee.params[param].kind == ValueKind::Name ? pathText(expr) : "";
  const Value *held = path.empty() ? nullptr : variable(path);
  if (!path.empty() && !(held && accepts(ValueKind::Name, *held))) {
    // A name is taken as written, whatever a variable of the same name holds: `let k = loop(k)`.
    value = Value::name(path);
    value.origin = expr.range;
  } else {
    value = eval(expr);
  }
  if (!stopped()) {
    checkArgument(callee, param, value, expr.range);
  }
  return value;
}

bool Interpreter::checkArgument(const Callee &callee, size_t param, const Value &value,
                                SourceRange range) {
  const ParamView &view = callee.params[param];
  if (!accepts(view.kind, value)) {
    raise(DiagId::argument_kind, range,
          {view.name.str(), callee.name, describe(view.kind), value.describe()},
          "`print` shows what a value is");
    noteOrigin(value);
    return false;
  }
  if (!callee.primitive || callee.primitive->params[param].words.empty()) {
    return true;
  }
  const std::vector<std::string> &words = callee.primitive->params[param].words;
  const std::string *word = value.getName() ? value.getName() : value.getString();
  if (word && llvm::is_contained(words, *word)) {
    return true;
  }
  std::string near = word ? nearest(*word, words) : "";
  raise(DiagId::argument_word, range,
        {view.name.str(), callee.name, "`" + llvm::join(words, "`, `") + "`", value.str()},
        near.empty() ? "write one of them" : "did you mean `" + near + "`?");
  noteOrigin(value);
  return false;
}
