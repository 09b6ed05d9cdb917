// Values of scripts: making, comparing, printing.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tessera/Schedule/ScriptValue.h"

#include <algorithm>

using namespace tessera;
using namespace tessera::script;
using llvm::StringRef;

Value Value::list(std::vector<Value> values) {
  auto data = std::make_shared<Elements>();
  for (const Value &value : values) {
    data->depth = std::max(data->depth, value.depth() + 1);
  }
  data->values = std::move(values);
  return Value(Data(std::shared_ptr<const Elements>(std::move(data))));
}

Value Value::record(std::vector<std::pair<std::string, Value>> fields) {
  auto data = std::make_shared<Fields>();
  for (const auto &field : fields) {
    data->depth = std::max(data->depth, field.second.depth() + 1);
  }
  data->fields = std::move(fields);
  return Value(Data(std::shared_ptr<const Fields>(std::move(data))));
}

Value Value::cursor(Cursor cursor) {
  return Value(Data(std::make_shared<const Cursor>(std::move(cursor))));
}

Value Value::layout(uint64_t id, StringRef text) {
  return Value(Data(std::make_shared<const LayoutHandle>(LayoutHandle{id, text.str()})));
}

Value Value::leaf(uint64_t id, StringRef text) {
  auto fact = std::make_shared<Fact>();
  fact->leaf = id;
  fact->text = text.str();
  return Value::fact(std::move(fact));
}

Value Value::pattern(OpPattern pattern, StringRef text) {
  return Value(
      Data(std::make_shared<const PatternText>(PatternText{std::move(pattern), text.str()})));
}

const std::string *Value::text(bool isName) const {
  const Text *found = std::get_if<Text>(&data);
  return found && found->isName == isName ? &found->text : nullptr;
}

template <typename T, typename Data> static const T *shared(const Data &data) {
  const auto *found = std::get_if<std::shared_ptr<const T>>(&data);
  return found ? found->get() : nullptr;
}

const std::vector<Value> *Value::getList() const {
  const Elements *found = shared<Elements>(data);
  return found ? &found->values : nullptr;
}
const std::vector<std::pair<std::string, Value>> *Value::getRecord() const {
  const Fields *found = shared<Fields>(data);
  return found ? &found->fields : nullptr;
}
const Value *Value::getField(StringRef name) const {
  if (const auto *fields = getRecord()) {
    for (const auto &field : *fields) {
      if (field.first == name) {
        return &field.second;
      }
    }
  }
  return nullptr;
}
const Cursor *Value::getCursor() const { return shared<Cursor>(data); }
const LayoutHandle *Value::getLayout() const { return shared<LayoutHandle>(data); }
const Fact *Value::getFact() const { return shared<Fact>(data); }
FactPtr Value::getFactPtr() const {
  const FactPtr *found = std::get_if<FactPtr>(&data);
  return found ? *found : nullptr;
}
const Value::PatternText *Value::getPattern() const { return shared<PatternText>(data); }

ValueKind Value::kind() const {
  if (const Cursor *cursor = getCursor()) {
    return cursor->kind;
  }
  if (const Text *found = std::get_if<Text>(&data)) {
    return found->isName ? ValueKind::Name : ValueKind::String;
  }
  static constexpr ValueKind kinds[] = {ValueKind::Any,    ValueKind::Int,    ValueKind::Bool,
                                        ValueKind::String, ValueKind::List,   ValueKind::Record,
                                        ValueKind::Cursor, ValueKind::Layout, ValueKind::Fact,
                                        ValueKind::Pattern};
  return kinds[data.index()];
}

unsigned Value::depth() const {
  if (const Elements *found = shared<Elements>(data)) {
    return found->depth;
  }
  const Fields *found = shared<Fields>(data);
  return found ? found->depth : 0;
}

//===-- Text -------------------------------------------------------------------------------------------------------===//

static void printFact(const Fact &fact, std::string &out, bool nested) {
  switch (fact.kind) {
  case Fact::Kind::Leaf:
    out += fact.text;
    return;
  case Fact::Kind::Integer:
    out += std::to_string(fact.integer);
    return;
  case Fact::Kind::Truth:
    out += fact.integer ? "true" : "false";
    return;
  case Fact::Kind::Unary:
    out += fact.unary == UnaryOp::Neg ? "-" : "not ";
    printFact(*fact.lhs, out, true);
    return;
  case Fact::Kind::Binary:
    out += nested ? "(" : "";
    printFact(*fact.lhs, out, true);
    out += std::string(" ") + spelling(fact.binary) + " ";
    printFact(*fact.rhs, out, true);
    out += nested ? ")" : "";
    return;
  }
}

std::string script::str(const Fact &fact) {
  std::string out;
  printFact(fact, out, false);
  return out;
}

void Value::print(std::string &out, bool quoted) const {
  if (const int64_t *value = getInteger()) {
    out += std::to_string(*value);
  } else if (const bool *value = getBoolean()) {
    out += *value ? "true" : "false";
  } else if (const std::string *value = getString()) {
    out += quoted ? "\"" + *value + "\"" : *value;
  } else if (const std::string *value = getName()) {
    out += *value;
  } else if (const auto *values = getList()) {
    out += "[";
    for (const Value &value : *values) {
      out += &value == values->data() ? "" : ", ";
      value.print(out, true);
    }
    out += "]";
  } else if (const auto *fields = getRecord()) {
    out += "{";
    for (const auto &field : *fields) {
      out += (&field == fields->data() ? "" : ", ") + field.first + ": ";
      field.second.print(out, true);
    }
    out += "}";
  } else if (const Cursor *cursor = getCursor()) {
    out += cursor->text;
  } else if (const LayoutHandle *layout = getLayout()) {
    out += layout->text;
  } else if (const Fact *fact = getFact()) {
    printFact(*fact, out, quoted);
  } else if (const PatternText *pattern = getPattern()) {
    out += "`" + pattern->text + "`";
  } else {
    out += "nothing";
  }
}

std::string Value::str() const {
  std::string out;
  print(out, false);
  return out;
}

static std::string shortened(StringRef text) {
  return text.size() <= 60 ? text.str() : text.take_front(57).str() + "…";
}

std::string Value::describe() const {
  if (isNone()) {
    return "nothing";
  }
  if (getInteger()) {
    return "the integer " + str();
  }
  if (const bool *value = getBoolean()) {
    return *value ? "`true`" : "`false`";
  }
  if (const std::string *value = getString()) {
    return "the string \"" + shortened(*value) + "\"";
  }
  if (const auto *values = getList()) {
    return "a list of " + std::to_string(values->size());
  }
  if (getRecord()) {
    return "a record";
  }
  const char *noun = getCursor() ? script::describe(getCursor()->kind) : script::describe(kind());
  StringRef word = StringRef(noun).split(' ').second; // without "a"
  return "the " + word.str() + " `" + shortened(str()) + "`";
}

//===-- Kinds ------------------------------------------------------------------------------------------------------===//

bool script::operator==(const Value &a, const Value &b) {
  if (const Cursor *left = a.getCursor()) {
    const Cursor *right = b.getCursor();
    return right && left->id == right->id;
  }
  if (a.kind() != b.kind() || a.isNone() != b.isNone()) {
    return false;
  }
  if (const auto *left = a.getList()) {
    return *left == *b.getList();
  }
  if (const auto *left = a.getRecord()) {
    const auto *right = b.getRecord();
    return left->size() == right->size() && std::all_of(left->begin(), left->end(), [&](auto &f) {
             const Value *other = b.getField(f.first);
             return other && *other == f.second;
           });
  }
  if (const LayoutHandle *left = a.getLayout()) {
    return left->id == b.getLayout()->id;
  }
  if (const int64_t *left = a.getInteger()) {
    return *left == *b.getInteger();
  }
  return a.str() == b.str();
}

bool script::isCursorKind(ValueKind kind) { return kind >= ValueKind::Cursor; }

bool script::accepts(ValueKind kind, const Value &value) {
  ValueKind found = value.kind();
  if (value.isNone()) {
    return false;
  }
  switch (kind) {
  case ValueKind::Any:
    return true;
  case ValueKind::Cursor:
    return isCursorKind(found);
  case ValueKind::Op:
    return found == ValueKind::Op || found == ValueKind::Loop;
  case ValueKind::Ops:
    return found == ValueKind::Ops || found == ValueKind::Op || found == ValueKind::Loop;
  case ValueKind::Dim:
    return found == ValueKind::Dim || found == ValueKind::Factor;
  case ValueKind::Fact:
    return found == ValueKind::Fact || found == ValueKind::Bool || found == ValueKind::Int;
  case ValueKind::Name:
    return found == ValueKind::Name || found == ValueKind::String;
  default:
    return found == kind;
  }
}

FactPtr script::asFact(const Value &value) {
  if (FactPtr fact = value.getFactPtr()) {
    return fact;
  }
  auto fact = std::make_shared<Fact>();
  if (const int64_t *integer = value.getInteger()) {
    fact->kind = Fact::Kind::Integer;
    fact->integer = *integer;
    return fact;
  }
  if (const bool *boolean = value.getBoolean()) {
    fact->kind = Fact::Kind::Truth;
    fact->integer = *boolean;
    return fact;
  }
  return nullptr;
}
