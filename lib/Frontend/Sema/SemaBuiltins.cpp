// The builtin table: lookup, matching of arguments to signatures, elementwise functions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Builtins.h"

#include "llvm/ADT/StringExtras.h"

namespace tessera::sema {

//===-- lookup -----------------------------------------------------------------------------------------------------===//

static Value emitScalarOp(BuiltinCall &c) {
  llvm::SmallVector<Value, 3> operands;
  for (llvm::StringRef name : {"a", "b", "c"}) {
    if (c.has(name)) {
      operands.push_back(c.number(name));
    }
  }
  std::optional<ScalarOp> op = scalarOpBySurface(c.builtin.name, operands.size());
  if (c.failed || !op) {
    return Value::error();
  }
  Accuracy accuracy = c.word("accuracy", "strict") == "fast" ? Accuracy::fast : Accuracy::strict;
  return c.e.elementwise(*op, std::move(operands), c.range, accuracy);
}

static const char *elementwiseSignature(const ScalarOpInfo &row) {
  if (row.hasAccuracy) {
    return row.arity == 1 ? "a accuracy:strict|fast" : "a b accuracy:strict|fast";
  }
  return row.arity == 1 ? "a" : row.arity == 2 ? "a b" : "a b c";
}

namespace {
struct Table {
  llvm::StringMap<Builtin> rows;
  std::vector<llvm::StringRef> names;
  llvm::StringSet<> words;

  void add(const Builtin &row) {
    if (!rows.try_emplace(row.name, row).second) {
      return;
    }
    if (row.isFunction) {
      names.push_back(row.name);
    }
    for (llvm::StringRef part : llvm::split(row.signature, ' ')) {
      if (auto [name, choices] = part.split(':'); !choices.empty()) {
        words.insert(name);
      }
    }
  }

  Table() {
    for (llvm::ArrayRef<Builtin> part : {reduceBuiltins(), shapeBuiltins(), staticBuiltins(),
                                         memoryBuiltins(), explicitBuiltins()}) {
      for (const Builtin &row : part) {
        add(row);
      }
    }
    for (const ScalarOpInfo &row : scalarOpTable) {
      if (!row.isOperator) {
        add({row.surface, elementwiseSignature(row), emitScalarOp, true});
      }
    }
    llvm::sort(names);
  }
};
} // namespace

static const Table &table() {
  static const Table instance;
  return instance;
}

const Builtin *findBuiltin(llvm::StringRef name) {
  auto it = table().rows.find(name);
  return it != table().rows.end() && it->second.isFunction ? &it->second : nullptr;
}

const Builtin *findMethod(llvm::StringRef name) {
  auto it = table().rows.find(name);
  return it != table().rows.end() && it->second.isMethod ? &it->second : nullptr;
}

llvm::ArrayRef<llvm::StringRef> builtinNames() { return table().names; }

bool isWordArgument(llvm::StringRef name) { return table().words.contains(name); }

static constexpr std::pair<llvm::StringLiteral, llvm::StringLiteral> kConstants[] = {
    {"LN2", "0.6931471805599453094172321214581765680755"},
    {"LN10", "2.302585092994045684017991454684364207601"},
    {"LOG2E", "1.442695040888963407359924681001892137427"},
    {"LOG10E", "0.4342944819032518276511289189166050822944"},
    {"PI", "3.141592653589793238462643383279502884197"},
    {"SQRT2", "1.414213562373095048801688724209698078570"},
    {"SQRT1_2", "0.7071067811865475244008443621048490392848"}};

std::optional<llvm::StringRef> builtinConstant(llvm::StringRef name) {
  for (const auto &[constant, digits] : kConstants) {
    if (constant == name) {
      return llvm::StringRef(digits);
    }
  }
  return std::nullopt;
}

llvm::ArrayRef<llvm::StringRef> builtinConstantNames() {
  static const std::vector<llvm::StringRef> names = [] {
    std::vector<llvm::StringRef> list;
    for (const auto &constant : kConstants) {
      list.push_back(constant.first);
    }
    return list;
  }();
  return names;
}

//===-- matching ---------------------------------------------------------------------------------------------------===//

namespace {
struct Slot {
  llvm::StringRef name;
  llvm::StringRef words; ///< "tree|any"
  bool optional = false;
  bool variadic = false;
};
} // namespace

static llvm::SmallVector<Slot, 6> slotsOf(const Builtin &builtin) {
  llvm::SmallVector<Slot, 6> slots;
  for (llvm::StringRef part : llvm::split(builtin.signature, ' ')) {
    if (part.empty()) {
      continue;
    }
    Slot slot;
    std::tie(slot.name, slot.words) = part.split(':');
    slot.optional = !slot.words.empty();
    if (slot.name.consume_back("?")) {
      slot.optional = true;
    }
    if (slot.name.consume_back("*")) {
      slot.variadic = slot.optional = true;
    }
    slots.push_back(slot);
  }
  return slots;
}

static std::string usage(const Builtin &builtin, llvm::ArrayRef<Slot> slots) {
  std::string text = std::string("it is used as `") + builtin.name + "(";
  bool first = true;
  for (const Slot &slot : slots) {
    text += first ? "" : ", ";
    first = false;
    std::string part = slot.name.str();
    if (!slot.words.empty()) {
      part += " = " + slot.words.str();
    } else if (slot.variadic) {
      part += ", …";
    }
    text += slot.optional && !slot.variadic ? "[" + part + "]" : part;
  }
  return text + ")`";
}

/// Takes a word (`any` of `order = any`).
static bool takeWord(BuiltinCall &c, BuiltinCall::Arg &arg, const Slot &slot,
                     const ast::Expr &expr) {
  const auto *name = llvm::dyn_cast<ast::Name>(&expr);
  llvm::SmallVector<llvm::StringRef> choices;
  slot.words.split(choices, '|');
  if (name && llvm::is_contained(choices, name->name)) {
    arg.word = name->name;
    return true;
  }
  c.e.error(diag::word_expected, expr.range, "write one of `" + llvm::join(choices, "`, `") + "`",
            slot.name, c.e.instance.engine.getSources().text(expr.range));
  return false;
}

/// Which parameter an argument is for: by name, or the next in order.
static std::optional<size_t> slotOf(BuiltinCall &c, llvm::ArrayRef<Slot> slots,
                                    const ast::Arg &given, size_t next, bool isMethod) {
  if (given.name) {
    for (size_t at = 0; at < slots.size(); ++at) {
      if (slots[at].name == given.name.name) {
        return at;
      }
    }
    c.e.error(diag::unknown_argument, given.name.range, usage(c.builtin, slots), c.builtin.name,
              given.name.name);
    return std::nullopt;
  }
  if (next < slots.size() && slots[next].words.empty()) {
    return next;
  }
  size_t inOrder = llvm::count_if(slots, [](const Slot &slot) { return slot.words.empty(); });
  c.e.error(diag::too_many_arguments, given.value->range, usage(c.builtin, slots), c.builtin.name,
            inOrder, c.call.args.size() + (isMethod ? 1 : 0));
  return std::nullopt;
}

static bool matchCall(BuiltinCall &c, const Value *self) {
  llvm::SmallVector<Slot, 6> slots = slotsOf(c.builtin);
  c.args.resize(slots.size());
  for (size_t i = 0; i < slots.size(); ++i) {
    c.args[i].name = slots[i].name;
    c.args[i].range = c.call.range;
  }
  size_t next = 0;
  auto take = [&](size_t at, const ast::Expr *expr, const Value *value) {
    BuiltinCall::Arg *arg = &c.args[at];
    if (slots[at].variadic) {
      c.args.push_back({slots[at].name, std::nullopt, nullptr, c.call.range, {}});
      arg = &c.args.back();
    } else {
      next = std::max(next, at + 1);
    }
    if (value) {
      arg->value = *value;
      const auto *member = llvm::cast<ast::Member>(c.call.callee.get());
      arg->range = member->base->range;
      return true;
    }
    if (arg->expr || arg->value) {
      c.e.error(diag::argument_twice, expr->range, "give it once", slots[at].name);
      return false;
    }
    arg->expr = expr;
    arg->range = expr->range;
    if (!slots[at].words.empty()) {
      return takeWord(c, *arg, slots[at], *expr);
    }
    if (!c.builtin.lazy) {
      arg->value = c.e.emitExpr(*expr);
      return !arg->value->isError();
    }
    return true;
  };
  if (self && !slots.empty() && !take(0, nullptr, self)) {
    return false;
  }
  for (const ast::Arg &given : c.call.args) {
    std::optional<size_t> at = slotOf(c, slots, given, next, self != nullptr);
    if (!at || !take(*at, given.value.get(), nullptr)) {
      return false;
    }
  }
  for (size_t i = 0; i < slots.size(); ++i) {
    if (!slots[i].optional && !c.args[i].value && !c.args[i].expr) {
      c.e.error(diag::argument_missing, c.call.range, usage(c.builtin, slots), c.builtin.name,
                slots[i].name);
      return false;
    }
  }
  return true;
}

Value Emitter::emitBuiltin(const Builtin &builtin, const ast::Call &call, const Value *self,
                           const Type *) {
  BuiltinCall c{*this, builtin, call, call.range, {}};
  if (!matchCall(c, self)) {
    return Value::error();
  }
  Value result = builtin.emit(c);
  return c.failed ? Value::error() : result;
}

//===-- arguments --------------------------------------------------------------------------------------------------===//

const BuiltinCall::Arg *BuiltinCall::find(llvm::StringRef name) const {
  for (const Arg &arg : args) {
    if (arg.name == name && (arg.value || arg.expr)) {
      return &arg;
    }
  }
  return nullptr;
}

Value BuiltinCall::get(llvm::StringRef name) const {
  const Arg *arg = find(name);
  return arg && arg->value ? *arg->value : Value::error();
}

SourceRange BuiltinCall::rangeOf(llvm::StringRef name) const {
  const Arg *arg = find(name);
  return arg ? arg->range : range;
}

std::vector<Value> BuiltinCall::rest(llvm::StringRef name) const {
  std::vector<Value> values;
  for (const Arg &arg : args) {
    if (arg.name == name && arg.value) {
      values.push_back(*arg.value);
    }
  }
  return values;
}

llvm::StringRef BuiltinCall::word(llvm::StringRef name, llvm::StringRef fallback) const {
  const Arg *arg = find(name);
  return arg && !arg->word.empty() ? arg->word : fallback;
}

std::optional<bool> BuiltinCall::flag(llvm::StringRef name, bool fallback) {
  const Arg *arg = find(name);
  if (!arg) {
    return fallback;
  }
  std::optional<bool> known = arg->value ? arg->value->asBool() : std::nullopt;
  if (!known) {
    failed = true;
    e.error(diag::flag_expected, arg->range, "write `true` or `false`", name, get(name).describe());
  }
  return known;
}

std::optional<int64_t> BuiltinCall::integer(llvm::StringRef name) {
  Value value = get(name);
  if (std::optional<int64_t> number = value.asI64(); number && !value.asBool()) {
    return number;
  }
  failed = true;
  if (!value.isError()) {
    e.error(diag::not_static_integer, rangeOf(name),
            "write an integer that is known at compile time", ("`" + name + "`").str(),
            value.describe());
  }
  return std::nullopt;
}

std::optional<int64_t> BuiltinCall::axis(llvm::StringRef name, size_t rank) {
  if (!has(name) && rank == 1) {
    return 0;
  }
  if (!has(name)) {
    failed = true;
    e.error(diag::axis_missing, range, "write `axis = …`", builtin.name, rank);
    return std::nullopt;
  }
  std::optional<int64_t> at = integer(name);
  if (!at) {
    return std::nullopt;
  }
  int64_t n = static_cast<int64_t>(rank);
  if (*at < -n || *at >= n) {
    failed = true;
    e.error(diag::axis_range, rangeOf(name), "axes are counted from 0; -1 is the last", *at, n);
    return std::nullopt;
  }
  return *at < 0 ? *at + n : *at;
}

Value BuiltinCall::number(llvm::StringRef name) {
  Value value = e.operand(get(name), rangeOf(name));
  failed |= value.isError();
  return value;
}

Value BuiltinCall::tile(llvm::StringRef name) {
  Value value = number(name);
  if (value.isError()) {
    return value;
  }
  if (value.kind != Value::Kind::Runtime || value.shape().empty()) {
    failed = true;
    e.error(diag::tile_expected, rangeOf(name), "a scalar has no axes", builtin.name,
            value.describe());
    return Value::error();
  }
  return value;
}

} // namespace tessera::sema
