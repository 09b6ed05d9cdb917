// Arguments by kind.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Arguments.h"

#include "Fitting.h"

#include "tessera/Schedule/Dims.h"

#include "llvm/ADT/StringSwitch.h"

using namespace tessera;
using namespace tessera::schedulefuzz;
using llvm::StringRef;
using script::Parameter;
using script::Signature;
using script::Value;
using script::ValueKind;

//===-- Places -----------------------------------------------------------------------------------------------------===//

static bool hasTile(const Place &place) {
  llvm::SmallVector<mlir::Type> types(place.op->getOperandTypes());
  return llvm::any_of(types,
                      [](mlir::Type type) { return llvm::isa<mlir::RankedTensorType>(type); });
}

static bool isSection(const Place &place) {
  return place.kind == ValueKind::Op && llvm::isa<tile::SectionOp>(place.op);
}

/// What a primitive is about, where the kind of its parameter alone says too little.
bool Arguments::suits(StringRef primitive, StringRef parameter, const Place &place) const {
  bool isDim = place.kind == ValueKind::Dim || place.kind == ValueKind::Factor;
  bool isLoop = place.kind == ValueKind::Loop;
  mlir::Operation *op = place.op;
  if (primitive == "reorder" || primitive == "realize") {
    return isDim && hasFactors(place);
  }
  if (primitive == "split" || primitive == "bind" || primitive == "unroll" ||
      primitive == "vectorize") {
    return isDim || (isLoop && primitive != "vectorize");
  }
  if (!op) {
    return true;
  }
  if (primitive == "stage") {
    return hasTile(place);
  }
  if (primitive == "pin") {
    return !schedule::dimsOf(op).empty();
  }
  if (primitive == "remove_barrier" || primitive == "weaken_barrier") {
    return llvm::isa<tile::BarrierOp>(op);
  }
  if (primitive == "insert_barrier") {
    return op->getParentOfType<tile::GridOp>() != nullptr;
  }
  if (primitive == "drop_fill") {
    return llvm::isa<tile::FillAbsentOp, tile::CopyOp>(op);
  }
  if (primitive == "replace") {
    return llvm::isa<tile::CopyOp, tile::CopyOutOp, tile::MmaOp, tile::ReadOp, tile::WriteOp>(op);
  }
  if (primitive == "reduce_plan") {
    return llvm::isa<tile::ReduceOp>(op);
  }
  if (primitive == "hoist" || primitive == "compute_at") {
    return isLoop ? llvm::isa<tile::ForOp>(op) : place.kind == ValueKind::Op;
  }
  if (primitive == "peel") {
    return llvm::isa<tile::ForOp>(op);
  }
  if (primitive == "cluster") {
    return llvm::isa<tile::GridOp, tile::TasksOp>(op);
  }
  if (primitive == "set_lead" || primitive == "set_lag" || parameter == "section") {
    return llvm::isa<tile::SectionOp>(op);
  }
  return true;
}

std::optional<Written> Arguments::place(StringRef primitive, const Parameter &parameter,
                                        ValueKind kind) {
  std::vector<const Place *> fitting, suitable, near;
  for (const Place &place : places) {
    if (!script::accepts(kind, place.value)) {
      continue;
    }
    fitting.push_back(&place);
    if (suits(primitive, parameter.name, place)) {
      suitable.push_back(&place);
      if (place.op == at) {
        near.push_back(&place);
      }
    }
  }
  if (fitting.empty()) {
    return std::nullopt;
  }
  // Several cursors of a call are mostly about one op: factors of one dim, dims of one op.
  const auto &pool = !near.empty() && chance(60)       ? near
                     : !suitable.empty() && chance(93) ? suitable
                                                       : fitting;
  const Place *chosen = pool[random.below(pool.size())];
  at = at ? at : chosen->op;
  return *chosen;
}

/// Ops that stand side by side: what sections, rings and moves are given.
std::optional<Written> Arguments::ops() {
  std::vector<const Place *> inside;
  for (const Place &place : places) {
    bool isOp = place.kind == ValueKind::Op || place.kind == ValueKind::Loop;
    if (isOp && place.op && (!at || place.op->getParentOp() == at)) {
      inside.push_back(&place);
    }
  }
  if (inside.empty()) {
    return std::nullopt;
  }
  Written list;
  std::vector<Value> values;
  for (uint64_t count = 1 + random.below(3); count > 0; --count) {
    const Place *place = inside[random.below(inside.size())];
    if (llvm::is_contained(values, place->value)) {
      continue;
    }
    list.text += (values.empty() ? "" : ", ") + place->text;
    values.push_back(place->value);
    list.uses.insert(place->uses.begin(), place->uses.end());
  }
  list.text = "[" + list.text + "]";
  list.value = Value::list(std::move(values));
  return list;
}

//===-- Words and numbers ------------------------------------------------------------------------------------------===//

Written Arguments::integer() {
  static constexpr int64_t usual[] = {1, 2, 2, 2, 4, 4, 8, 8, 16, 3, 32};
  static constexpr int64_t rare[] = {0, -1, 5, 7, 6, 12, 13, 33, 64, 128, 1 << 20};
  int64_t value =
      chance(85) ? usual[random.below(std::size(usual))] : rare[random.below(std::size(rare))];
  return {Value::integer(value), std::to_string(value), {}};
}

Written Arguments::name(const Signature &signature, const Parameter &parameter) {
  std::vector<std::string> words = parameter.words;
  if (words.empty() && (signature.name == "replace" || parameter.name == "instruction")) {
    words = host.getOptions().instructions->names();
  }
  if (words.empty()) {
    words = namesOf(host);
  }
  if (words.empty()) {
    words.push_back("x");
  }
  const std::string &word = words[random.below(words.size())];
  return {Value::name(word), word, {}};
}

std::optional<Written> Arguments::layout() {
  if (chance(50)) {
    int64_t chunks = int64_t(1) << random.below(4);
    std::optional<Value> made = look(host, "xor16", Value(), {Value::integer(chunks)});
    std::string text = "xor16(" + std::to_string(chunks) + ")";
    return made ? std::optional<Written>(Written{*made, text, {}}) : std::nullopt;
  }
  static constexpr const char *names[] = {"row_major", "col_major", "sw128", "sw64", "sw32"};
  const char *word = names[random.below(std::size(names))];
  std::optional<Value> made = host.resolveName(word);
  return made ? std::optional<Written>(Written{*made, word, {}}) : std::nullopt;
}

/// `N % 8 == 0`, `N <= 16`, `aligned(x, 16)`.
Written Arguments::fact() {
  std::vector<std::string> extents, views;
  for (tile::KernelOp kernel : host.kernels()) {
    for (unsigned i = 0; i < kernel.getNumArguments(); ++i) {
      bool isView = llvm::isa<tile::ViewType>(kernel.getArgType(i));
      (isView ? views : extents).push_back(kernel.getArgName(i).str());
    }
    break;
  }
  if (!views.empty() && (extents.empty() || chance(40))) {
    std::string view = views[random.below(views.size())];
    int64_t bytes = int64_t(1) << random.below(6);
    std::optional<Value> made =
        look(host, "aligned", Value(), {Value::name(view), Value::integer(bytes)});
    if (made) {
      return {*made, "aligned(" + view + ", " + std::to_string(bytes) + ")", {}};
    }
  }
  std::optional<Value> extent;
  if (!extents.empty()) {
    extent = host.resolveName(extents[random.below(extents.size())]);
  }
  if (!extent || !extent->getFact()) {
    return {Value::boolean(true), "true", {}};
  }
  auto binary = [](script::BinaryOp op, script::FactPtr a, script::FactPtr b) {
    auto fact = std::make_shared<script::Fact>();
    fact->kind = script::Fact::Kind::Binary;
    fact->binary = op;
    fact->size = a->size + b->size + 1;
    fact->lhs = std::move(a);
    fact->rhs = std::move(b);
    return script::FactPtr(fact);
  };
  script::FactPtr number = script::asFact(integer().value);
  script::FactPtr fact;
  if (chance(50)) {
    fact = binary(script::BinaryOp::Le, extent->getFactPtr(), number);
  } else {
    number = script::asFact(Value::integer(int64_t(1) << random.below(6)));
    script::FactPtr rest = binary(script::BinaryOp::Mod, extent->getFactPtr(), number);
    fact = binary(script::BinaryOp::Eq, rest, script::asFact(Value::integer(0)));
  }
  std::string text = script::str(*fact);
  return {Value::fact(std::move(fact)), text, {}};
}

//===-- Lists and records ------------------------------------------------------------------------------------------===//

/// `{load: [x, y], use: rest}`: parts of a loop's body; mostly what brings data in is the first.
Written Arguments::opsRecord() {
  static constexpr const char *names[] = {"load", "mid", "use"};
  Written made;
  std::vector<std::pair<std::string, Value>> fields;
  auto add = [&](const std::string &field, const Written &part) {
    made.text += (fields.empty() ? "" : ", ") + field + ": " + part.text;
    made.uses.insert(part.uses.begin(), part.uses.end());
    fields.push_back({field, part.value});
  };
  Written rest{Value::name("rest"), "rest", {}};
  std::vector<Written> loads = some(
      [&](const Place &place) {
        bool isIn = place.kind == ValueKind::Op && place.op->getParentOp() == at;
        return isIn && llvm::isa<tile::CopyOp, tile::LoadOp>(place.op);
      },
      3);
  uint64_t count = 2 + random.below(2);
  if (!loads.empty() && chance(75)) {
    add(names[0], listOf(std::move(loads)));
    count = 1;
  }
  for (uint64_t i = 1; i < count; ++i) {
    if (std::optional<Written> part = ops()) {
      add(names[i - 1], *part);
    }
  }
  add(names[2], rest);
  made.text = "{" + made.text + "}";
  made.value = Value::record(std::move(fields));
  return made;
}

/// Factors of one dim, or dims of one op, all of them in some order.
std::optional<std::vector<Written>> Arguments::forReorder() {
  std::map<std::pair<mlir::Operation *, std::string>, std::vector<Written>> groups;
  for (const Place &place : places) {
    bool isDim = place.kind == ValueKind::Dim, isFactor = place.kind == ValueKind::Factor;
    if ((isDim || isFactor) && hasFactors(place)) {
      llvm::Expected<schedule::Site> site = host.getCursors().resolve(place.value);
      if (site) {
        groups[{place.op, isFactor ? site->dim : ""}].push_back(place);
      } else {
        llvm::consumeError(site.takeError());
      }
    }
  }
  std::vector<std::vector<Written>> several;
  for (const Place &place : places) {
    // In the order of the places: addresses differ from run to run.
    for (auto &[key, group] : groups) {
      if (key.first == place.op && group.size() > 1) {
        several.push_back(std::move(group));
        group.clear();
      }
    }
  }
  if (several.empty()) {
    return std::nullopt;
  }
  std::vector<Written> group = std::move(several[random.below(several.size())]);
  for (size_t i = group.size(); i > 1; --i) {
    std::swap(group[i - 1], group[random.below(i)]);
  }
  Written first = group.front();
  group.erase(group.begin());
  Written rest = listOf(std::move(group));
  rest.text = rest.text.substr(1, rest.text.size() - 2);
  return std::vector<Written>{first, rest};
}

/// Numbers for the names of an earlier record (`warps = {producer: 4}`).
Written Arguments::record(const Signature &signature, const Parameter &) {
  const Value *parts = nullptr;
  for (const Written &earlier : made) {
    parts = earlier.value.getRecord() ? &earlier.value : parts;
  }
  if (!parts) {
    return opsRecord();
  }
  static constexpr int64_t numbers[] = {1, 2, 4, 4, 8, 40, 232, 0};
  Written result;
  std::vector<std::pair<std::string, Value>> fields;
  for (const auto &field : *parts->getRecord()) {
    int64_t number = numbers[random.below(std::size(numbers))];
    result.text += (fields.empty() ? "" : ", ") + field.first + ": " + std::to_string(number);
    fields.push_back({field.first, Value::integer(number)});
  }
  result.text = "{" + result.text + "}";
  result.value = Value::record(std::move(fields));
  return result;
}

/// Some of the places that fit, each once.
std::vector<Written> Arguments::some(llvm::function_ref<bool(const Place &)> fits, unsigned most) {
  std::vector<Written> fitting;
  for (const Place &place : places) {
    if (place.op && fits(place)) {
      fitting.push_back(place);
    }
  }
  std::vector<Written> chosen;
  for (uint64_t count = 1 + random.below(most); count > 0 && !fitting.empty(); --count) {
    size_t at = random.below(fitting.size());
    chosen.push_back(fitting[at]);
    fitting.erase(fitting.begin() + at);
  }
  return chosen;
}

/// `{producer: [v3.load], consumer: rest}`.
std::optional<Written> Arguments::rolesRecord() {
  std::vector<Written> sections = some(isSection, 2);
  if (sections.empty()) {
    return std::nullopt;
  }
  Written first = listOf(std::move(sections));
  Written made = first;
  made.text = "{producer: " + first.text + ", consumer: rest}";
  made.value = Value::record({{"producer", first.value}, {"consumer", Value::name("rest")}});
  return made;
}

/// A word as a script that writes it gets it; nothing where it means nothing.
std::optional<Written> Arguments::word(StringRef text) {
  std::optional<Value> value = host.resolveName(text);
  return value ? std::optional<Written>(Written{*value, text.str(), {}}) : std::nullopt;
}

std::optional<Written> Arguments::instructionName() {
  std::vector<std::string> names = host.getOptions().instructions->names();
  for (unsigned tries = 0; tries < 8 && !names.empty(); ++tries) {
    if (std::optional<Written> found = word(names[random.below(names.size())])) {
      return found;
    }
  }
  return std::nullopt;
}

std::optional<Written> Arguments::order() {
  if (chance(40)) {
    return word("row_major");
  }
  Written steps = integer();
  std::optional<Value> made = look(host, "grouped", Value(), {steps.value});
  return made ? std::optional<Written>(Written{*made, "grouped(" + steps.text + ")", {}})
              : std::nullopt;
}

/// What the primitive's documentation says of a parameter beyond its kind.
std::optional<Written> Arguments::ofMeaning(const Signature &signature,
                                            const Parameter &parameter) {
  std::string key = signature.name + "." + parameter.name;
  auto first = [](std::vector<Written> found) {
    return found.empty() ? std::nullopt : std::optional<Written>(found.front());
  };
  auto isOp = [](const Place &place) {
    return place.kind == ValueKind::Op || place.kind == ValueKind::Loop;
  };
  if (key == "peel.what") {
    Written number = integer();
    return chance(50) ? word("edge") : chance(60) ? word("keep_if") : number;
  }
  if (key == "ring.bufs" || key == "overlay.over") {
    auto isBuf = [](const Place &place) { return place.kind == ValueKind::Buf; };
    std::vector<Written> bufs = some(isBuf, 2);
    return bufs.empty() ? std::nullopt : std::optional<Written>(listOf(std::move(bufs)));
  }
  if (key == "hoist.ops" || key == "elect.ops" || key == "replace.ops") {
    std::optional<Written> found = first(some(
        [&](const Place &place) {
          bool isInLoop = place.op->getParentOfType<tile::ForOp>() != nullptr;
          return isOp(place) && (key == "hoist.ops" ? isInLoop : true) &&
                 suits(signature.name, parameter.name, place);
        },
        1));
    return found;
  }
  if (key == "realize.f") {
    return first(some(
        [&](const Place &place) {
          return suits(signature.name, parameter.name, place) || chance(5);
        },
        1));
  }
  if (parameter.name == "section") {
    return first(some(isSection, 1));
  }
  if (parameter.name == "steps") {
    int64_t steps = random.below(4);
    return Written{Value::integer(steps), std::to_string(steps), {}};
  }
  if (key == "replace.instr") {
    return instructionName();
  }
  if (key == "replace_all.instrs") {
    std::vector<Written> names;
    for (uint64_t count = 1 + random.below(3); count > 0; --count) {
      if (std::optional<Written> found = instructionName()) {
        names.push_back(*found);
      }
    }
    return listOf(std::move(names));
  }
  if (key == "reduce_plan.plan") {
    return planOf(at, random);
  }
  if (key == "roles.parts") {
    return rolesRecord();
  }
  return parameter.name == "order" ? order() : std::nullopt;
}

/// Further arguments of the last parameter.
std::optional<Written> Arguments::more(const Signature &signature, const Parameter &parameter) {
  Written list;
  std::vector<Value> values;
  at = signature.name == "overlay" ? nullptr : at; // other bufs than the first
  for (uint64_t count = random.below(3); count > 0; --count) {
    std::optional<Written> one = ofKind(signature, parameter, parameter.kind);
    if (!one) {
      break;
    }
    bool isFirst = signature.name == "overlay" && one->value == made.front().value;
    if (isFirst && chance(80)) {
      continue;
    }
    list.text += (values.empty() ? "" : ", ") + one->text;
    list.uses.insert(one->uses.begin(), one->uses.end());
    values.push_back(one->value);
  }
  list.value = Value::list(std::move(values));
  return list;
}

//===-- Calls ------------------------------------------------------------------------------------------------------===//

std::optional<Written> Arguments::ofKind(const Signature &signature, const Parameter &parameter,
                                         ValueKind kind) {
  switch (kind) {
  case ValueKind::Int:
    return integer();
  case ValueKind::Bool:
    return chance(50) ? Written{Value::boolean(true), "true", {}}
                      : Written{Value::boolean(false), "false", {}};
  case ValueKind::String:
    return Written{Value::string("row"), "\"row\"", {}};
  case ValueKind::Name:
    return name(signature, parameter);
  case ValueKind::Layout:
    return layout();
  case ValueKind::Fact:
    return fact();
  case ValueKind::Record:
    return record(signature, parameter);
  case ValueKind::List:
    return ops();
  case ValueKind::Pattern:
    return std::nullopt;
  case ValueKind::Any: {
    // No name: where any value may stand, a script's word is a variable or what the kernel knows.
    static constexpr ValueKind kinds[] = {ValueKind::Op, ValueKind::List, ValueKind::Cursor,
                                          ValueKind::Int, ValueKind::Record};
    return ofKind(signature, parameter, kinds[random.below(std::size(kinds))]);
  }
  default:
    return place(signature.name, parameter, kind);
  }
}

std::optional<Written> Arguments::forParameter(const Signature &signature,
                                               const Parameter &parameter) {
  if (parameter.isVariadic) {
    return more(signature, parameter);
  }
  if (parameter.fallback && chance(60)) {
    return Written{*parameter.fallback, "", {}};
  }
  std::optional<Written> found;
  // Now and then what the kind allows, whatever the primitive is about.
  if (chance(95)) {
    found = ofMeaning(signature, parameter);
  }
  found = found ? found : ofKind(signature, parameter, parameter.kind);
  if (found && !script::accepts(parameter.kind, found->value)) {
    return std::nullopt;
  }
  if (!found && parameter.fallback) {
    return Written{*parameter.fallback, "", {}};
  }
  return found;
}

std::optional<std::vector<Written>> Arguments::forCall(const Signature &signature) {
  made.clear();
  at = nullptr;
  if (signature.name == "reorder" && chance(85)) {
    return forReorder();
  }
  for (const Parameter &parameter : signature.params) {
    std::optional<Written> argument = forParameter(signature, parameter);
    if (!argument) {
      return std::nullopt;
    }
    made.push_back(std::move(*argument));
  }
  return std::move(made);
}
