// Expressions of scripts, except operators and calls.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Interpreter.h"

#include "llvm/ADT/StringExtras.h"

using namespace tessera;
using namespace tessera::script;
using llvm::StringRef;

/// Counts work; false when the script has done too much or is nested too deeply.
bool Interpreter::step(SourceRange range, uint64_t cost) {
  steps += cost;
  if (steps > options.maxSteps) {
    return raise(DiagId::out_of_steps, range, {std::to_string(options.maxSteps)},
                 "a loop or a recursion does not end, or does more than a schedule needs");
  }
  if (depth > kMaxDepthOfSteps) {
    return raise(DiagId::evaluation_depth, range, {std::to_string(kMaxDepthOfSteps)},
                 "use a loop instead of the recursion");
  }
  return !stopped();
}

Value Interpreter::eval(const Expr &expr) {
  Value value = evalAny(expr);
  if (!stopped() && value.isNone()) {
    StringRef text = program.getEngine().getSources().text(expr.range);
    raise(DiagId::no_value_here, expr.range, {text.take_front(60).str()},
          "write it as a statement of its own");
  }
  return value;
}

/// Also where there is no value: a call as a statement.
Value Interpreter::evalAny(const Expr &expr) {
  Deeper deeper(*this);
  if (!step(expr.range)) {
    return Value();
  }
  Value value;
  switch (expr.kind) {
  case Kind::Name:
    return name(llvm::cast<Name>(expr)); // keeps the origin of the variable's value
  case Kind::Int:
    value = Value::integer(llvm::cast<Int>(expr).value);
    break;
  case Kind::Bool:
    value = Value::boolean(llvm::cast<Bool>(expr).value);
    break;
  case Kind::String:
    value = Value::string(llvm::cast<String>(expr).value);
    break;
  case Kind::Pattern:
    value = Value::pattern(llvm::cast<Pattern>(expr).pattern, llvm::cast<Pattern>(expr).text);
    break;
  case Kind::List:
    value = list(llvm::cast<List>(expr));
    break;
  case Kind::Record:
    value = record(llvm::cast<Record>(expr));
    break;
  case Kind::Range:
    value = range(llvm::cast<script::Range>(expr));
    break;
  case Kind::Unary:
    value = unary(llvm::cast<Unary>(expr));
    break;
  case Kind::Binary:
    value = binary(llvm::cast<Binary>(expr));
    break;
  case Kind::Member:
    return member(llvm::cast<Member>(expr));
  case Kind::Index:
    return index(llvm::cast<Index>(expr));
  case Kind::Call:
    return call(llvm::cast<Call>(expr));
  case Kind::If:
    return ifValue(llvm::cast<If>(expr));
  default:
    break;
  }
  value.origin = expr.range;
  return value;
}

/// Keeps what a script makes within bounds, so that it cannot fill the memory in a few steps.
Value Interpreter::sized(Value value, size_t size, size_t limit, SourceRange range) {
  if (size > limit || value.depth() > kMaxDepth) {
    bool isDeep = size <= limit;
    raise(DiagId::value_too_large, range,
          {isDeep ? "lists nested " + std::to_string(value.depth()) + " deep, and so many"
                  : std::to_string(size),
           std::to_string(isDeep ? kMaxDepth : limit)},
          "schedules are made of few values");
    return Value();
  }
  step(range, size / 16);
  value.origin = range;
  return value;
}

Value Interpreter::name(const Name &expr) {
  if (const Value *found = variable(expr.text)) {
    return *found;
  }
  Value value;
  if (expr.text == "self") {
    value = host.self();
  } else if (std::optional<Value> known = host.resolveName(expr.text)) {
    value = std::move(*known);
  } else if (words.count(expr.text)) {
    value = Value::name(expr.text);
  } else {
    unknownName(expr.text, expr.range);
    return value;
  }
  value.origin = expr.range;
  return value;
}

bool Interpreter::unknownName(StringRef name, SourceRange range) {
  std::vector<std::string> names = frames.back().order;
  for (const auto &function : frames.back().module->functions) {
    if (function.first() == name) {
      return raise(DiagId::script_name, range, {name.str()},
                   "there is a function of this name; call it with `" + name + "(…)`");
    }
  }
  if (frames.back().module->aliases.count(name)) {
    return raise(DiagId::script_name, range, {name.str()},
                 "it is the name of an import; call its functions with `" + name + ".f(…)`");
  }
  std::string near = nearest(name, names);
  return raise(DiagId::script_name, range, {name.str()},
               near.empty() ? "declare it with `let`, or check its spelling"
                            : "did you mean `" + near + "`?");
}

Value Interpreter::list(const List &expr) {
  std::vector<Value> values;
  for (const ExprPtr &element : expr.elements) {
    values.push_back(eval(*element));
    if (stopped()) {
      return Value();
    }
  }
  size_t size = values.size();
  return sized(Value::list(std::move(values)), size, kMaxElements, expr.range);
}

Value Interpreter::record(const Record &expr) {
  std::vector<std::pair<std::string, Value>> fields;
  for (const Field &field : expr.fields) {
    fields.emplace_back(field.key.text, eval(*field.value));
    if (stopped()) {
      return Value();
    }
  }
  size_t size = fields.size();
  return sized(Value::record(std::move(fields)), size, kMaxElements, expr.range);
}

/// `lo..hi`: the integers from lo to hi - 1.
Value Interpreter::range(const script::Range &expr) {
  int64_t ends[2] = {0, 0};
  const Expr *parts[2] = {expr.lo.get(), expr.hi.get()};
  for (int i = 0; i < 2; ++i) {
    Value value = eval(*parts[i]);
    if (stopped()) {
      return Value();
    }
    const int64_t *end = value.getInteger();
    if (!end) {
      raise(DiagId::operand_kind, parts[i]->range, {"..", value.describe()},
            "the ends of a range are integers");
      noteOrigin(value);
      return Value();
    }
    ends[i] = *end;
  }
  uint64_t size = ends[1] > ends[0] ? uint64_t(ends[1]) - uint64_t(ends[0]) : 0;
  std::vector<Value> values;
  for (uint64_t i = 0; i < size && size <= kMaxElements; ++i) {
    values.push_back(Value::integer(ends[0] + int64_t(i)));
    values.back().origin = expr.range;
  }
  return sized(Value::list(std::move(values)), size, kMaxElements, expr.range);
}

/// What a host put into a record or a list comes from the call that gave it.
static Value withOrigin(Value part, const Value &whole) {
  if (!part.origin.isValid()) {
    part.origin = whole.origin;
  }
  return part;
}

Value Interpreter::member(const Member &expr) {
  Value base = eval(*expr.base);
  return stopped() ? Value() : memberOf(base, expr.name, expr.range);
}

Value Interpreter::memberOf(const Value &base, const Ident &name, SourceRange range) {
  if (const Value *field = base.getField(name.text)) {
    return withOrigin(*field, base);
  }
  if (const auto *fields = base.getRecord()) {
    std::vector<std::string> names;
    for (const auto &field : *fields) {
      names.push_back(field.first);
    }
    raise(DiagId::script_member, name.range, {"the record", name.text},
          names.empty() ? "it is empty" : "its fields are `" + llvm::join(names, "`, `") + "`");
    noteOrigin(base);
    return Value();
  }
  if (const Cursor *cursor = base.getCursor()) {
    llvm::Expected<Value> value = host.navigate(*cursor, name.text, range);
    if (!value) {
      raiseHost(value.takeError(), name.range, "." + name.text);
      noteOrigin(base);
      return Value();
    }
    value->origin = range;
    return *value;
  }
  raise(DiagId::script_member, name.range, {base.describe(), name.text},
        "records and cursors have members");
  noteOrigin(base);
  return Value();
}

Value Interpreter::index(const Index &expr) {
  Value base = eval(*expr.base);
  Value position = stopped() ? Value() : eval(*expr.index);
  if (stopped()) {
    return Value();
  }
  const auto *elements = base.getList();
  const int64_t *at = position.getInteger();
  if (!elements || !at) {
    raise(DiagId::not_indexable, expr.range, {base.describe(), position.describe()},
          "a list is indexed by an integer; a field of a record is `.name`");
    noteOrigin(base);
    return Value();
  }
  if (*at < 0 || uint64_t(*at) >= elements->size()) {
    raise(DiagId::list_index, expr.index->range,
          {std::to_string(*at), std::to_string(elements->size())},
          "indices start at 0; `len(list)` is the number of elements");
    noteOrigin(base);
    return Value();
  }
  return withOrigin((*elements)[static_cast<size_t>(*at)], base);
}

/// As a statement, or with the value of the last expression of the branch taken.
Value Interpreter::ifValue(const If &expr) {
  bool taken = condition(*expr.cond);
  if (stopped()) {
    return Value();
  }
  const Block *branch = taken ? &expr.then : expr.otherwise ? &*expr.otherwise : nullptr;
  if (!branch || branch->stmts.empty()) {
    return Value();
  }
  size_t count = frames.back().order.size();
  for (size_t i = 0; i + 1 < branch->stmts.size() && !stopped(); ++i) {
    stmt(*branch->stmts[i]);
  }
  Value value;
  if (!stopped()) {
    const Stmt &last = *branch->stmts.back();
    if (const auto *valued = llvm::dyn_cast<ExprStmt>(&last)) {
      value = evalAny(*valued->expr);
    } else {
      stmt(last);
    }
  }
  closeScope(count);
  return value;
}
