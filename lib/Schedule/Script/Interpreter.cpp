// Statements of scripts, the parameters of a schedule, transactions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Interpreter.h"

#include "llvm/Support/raw_ostream.h"

using namespace tessera;
using namespace tessera::script;
using llvm::StringRef;

bool script::run(const Program &program, const Schedule &schedule, Host &host,
                 const RunOptions &options) {
  return Interpreter(program, host, options).run(schedule);
}

bool Interpreter::run(const Schedule &schedule) {
  const Module *module = program.moduleOf(schedule);
  if (!module) {
    return false; // its file has errors, which were reported when it was read
  }
  frames.push_back({nullptr, module, SourceRange(), {}, {}});
  for (const Signature &signature : host.primitives()) {
    for (const Parameter &param : signature.params) {
      words.insert(param.words.begin(), param.words.end());
    }
  }
  uint64_t mark = host.mark();
  if (checkFunctions() && setParams(schedule)) {
    block(schedule.body);
  }
  if (failed) {
    host.rollback(mark);
    reportFailure();
    return false;
  }
  host.commit(mark);
  return true;
}

/// A function of the script must not take the place of a primitive: whoever reads a call could not tell.
bool Interpreter::checkFunctions() {
  for (const File *file : program.files()) {
    for (const auto &def : file->defs) {
      bool isBuiltin = llvm::any_of(
          builtins(), [&](const Signature &signature) { return signature.name == def->name.text; });
      if (isBuiltin || host.lookupPrimitive(def->name.text)) {
        return raise(DiagId::function_hides_primitive, def->name.range, {def->name.text},
                     "give the function another name");
      }
    }
  }
  return true;
}

//===-- Parameters -------------------------------------------------------------------------------------------------===//

/// Text of a setting: an integer, a truth, or a name.
static Value settingValue(StringRef text) {
  int64_t number = 0;
  if (!text.getAsInteger(0, number)) {
    return Value::integer(number);
  }
  return text == "true" || text == "false" ? Value::boolean(text == "true") : Value::name(text);
}

bool Interpreter::setParams(const Schedule &schedule) {
  std::vector<std::string> names;
  for (const ScheduleParam &param : schedule.params) {
    names.push_back(param.name.text);
  }
  for (const auto &setting : options.settings) {
    if (std::find(names.begin(), names.end(), setting.first) == names.end()) {
      std::string near = nearest(setting.first, names);
      return raise(DiagId::unknown_setting, schedule.name.range,
                   {schedule.name.text, setting.first},
                   near.empty() ? "remove it from the settings" : "did you mean `" + near + "`?");
    }
  }
  for (const ScheduleParam &param : schedule.params) {
    Value fallback = eval(*param.value);
    std::optional<Value> value = failed ? std::nullopt : settingOf(schedule, param, fallback);
    if (!value) {
      return false;
    }
    value->origin = param.name.range;
    declare(param.name, std::move(*value));
  }
  return !failed;
}

/// The value of a parameter: the setting, or else the default; one of the choices where there are any.
std::optional<Value> Interpreter::settingOf(const Schedule &schedule, const ScheduleParam &param,
                                            const Value &fallback) {
  auto setting = options.settings.find(param.name.text);
  bool isSet = setting != options.settings.end();
  Value value = isSet ? settingValue(setting->second) : fallback;
  if (isSet && fallback.getString()) {
    value = Value::string(setting->second);
  }
  if (!param.isChoice) {
    if (value.kind() != fallback.kind()) {
      raise(DiagId::setting_value, param.name.range,
            {param.name.text, describe(fallback.kind()), value.describe()},
            "set a value of the kind of its default");
      return std::nullopt;
    }
    return value;
  }
  std::string allowed;
  for (const ExprPtr &choice : param.choices) {
    Value candidate = eval(*choice);
    // A range stands for its integers.
    std::vector<Value> single{candidate};
    const auto *several = llvm::isa<script::Range>(*choice) ? candidate.getList() : &single;
    for (const Value &one : several ? *several : single) {
      if (failed || one == value) {
        return failed ? std::nullopt : std::optional<Value>(value);
      }
      allowed += (allowed.empty() ? "" : ", ") + one.str();
    }
  }
  raise(DiagId::setting_value, param.name.range,
        {param.name.text, "one of " + StringRef(allowed).take_front(200).str(), value.describe()},
        isSet ? "set one of the values of its `choose`" : "add the default to its set");
  return std::nullopt;
}

//===-- Variables --------------------------------------------------------------------------------------------------===//

Value *Interpreter::variable(StringRef name) {
  Frame &frame = frames.back();
  auto found = frame.names.find(name);
  return found == frame.names.end() ? nullptr : &slots[found->second];
}

bool Interpreter::declare(const Ident &name, Value value) {
  Frame &frame = frames.back();
  auto [entry, isNew] = frame.names.try_emplace(name.text, slots.size());
  if (!isNew) {
    return raise(diag::duplicate_name, name.range, {name.text},
                 "choose another name, or assign without `let`");
  }
  frame.order.push_back(name.text);
  slots.push_back(std::move(value));
  return true;
}

/// Forgets the variables of the frame beyond the first `count`.
void Interpreter::closeScope(size_t count) {
  Frame &frame = frames.back();
  while (frame.order.size() > count) {
    frame.names.erase(frame.order.back());
    frame.order.pop_back();
    slots.pop_back();
  }
}

//===-- Statements -------------------------------------------------------------------------------------------------===//

void Interpreter::block(const Block &block) {
  size_t count = frames.back().order.size();
  for (const StmtPtr &one : block.stmts) {
    stmt(*one);
    if (stopped()) {
      break;
    }
  }
  closeScope(count);
}

void Interpreter::stmt(const Stmt &stmt) {
  Deeper deeper(*this);
  if (!step(stmt.range)) {
    return;
  }
  switch (stmt.kind) {
  case Kind::Let:
    return let(llvm::cast<Let>(stmt));
  case Kind::Assign:
    return assign(llvm::cast<Assign>(stmt));
  case Kind::For:
    return forLoop(llvm::cast<For>(stmt));
  case Kind::While:
    return whileLoop(llvm::cast<While>(stmt));
  case Kind::Try:
    return tryBlock(llvm::cast<Try>(stmt));
  case Kind::Require:
    return require(llvm::cast<Require>(stmt));
  case Kind::Print:
    return print(llvm::cast<Print>(stmt));
  case Kind::Assume:
    return facts(llvm::cast<Assume>(stmt).facts, /*areAssumed=*/true);
  case Kind::Expect:
    return facts(llvm::cast<Expect>(stmt).facts, /*areAssumed=*/false);
  case Kind::Trust:
    return trust(llvm::cast<Trust>(stmt));
  case Kind::Return: {
    const Expr *value = llvm::cast<Return>(stmt).value.get();
    returned = value ? eval(*value) : Value();
    returning = !failed;
    return;
  }
  default:
    evalAny(*llvm::cast<ExprStmt>(stmt).expr);
    return;
  }
}

void Interpreter::let(const Let &let) {
  for (const Binding &binding : let.bindings) {
    Value value = eval(*binding.value);
    if (stopped()) {
      return;
    }
    if (!binding.target.isRecord) {
      declare(binding.target.name, std::move(value));
      continue;
    }
    if (!value.getRecord()) {
      raise(DiagId::not_a_record, binding.target.range, {value.describe()},
            "write a name instead of the pattern");
      return noteOrigin(value);
    }
    for (const auto &[key, name] : binding.target.fields) {
      Value field = memberOf(value, key, key.range);
      if (!stopped() && name.text != "_") {
        declare(name, std::move(field));
      }
    }
  }
}

void Interpreter::assign(const Assign &assign) {
  Value value = eval(*assign.value);
  if (stopped()) {
    return;
  }
  Value *place = variable(assign.name.text);
  if (!place) {
    raise(DiagId::assign_undeclared, assign.name.range, {assign.name.text},
          "write `let " + assign.name.text + " = …` where it begins");
    return;
  }
  if (openTries) {
    undo.emplace_back(place - slots.data(), *place);
  }
  *place = std::move(value);
}

void Interpreter::forLoop(const For &loop) {
  Value domain = eval(*loop.domain);
  if (stopped()) {
    return;
  }
  const std::vector<Value> *elements = domain.getList();
  if (!elements) {
    raise(DiagId::not_a_list, loop.domain->range, {domain.describe()},
          "write a list `[a, b]` or a range `0..n`");
    return noteOrigin(domain);
  }
  size_t count = frames.back().order.size();
  for (const Value &element : *elements) {
    if (!declare(loop.var, element)) {
      return;
    }
    if (!element.origin.isValid()) {
      slots.back().origin = domain.origin;
    }
    block(loop.body);
    closeScope(count);
    if (stopped() || !step(loop.range)) {
      return;
    }
  }
}

void Interpreter::whileLoop(const While &loop) {
  while (!stopped() && condition(*loop.cond) && !stopped()) {
    block(loop.body);
    step(loop.range);
  }
}

/// Evaluating it runs no primitive that edits, as far as that is plain.
static bool isPlain(const Expr &expr) {
  switch (expr.kind) {
  case Kind::Name:
  case Kind::Int:
  case Kind::Bool:
  case Kind::String:
  case Kind::Pattern:
    return true;
  case Kind::Member:
    return isPlain(*llvm::cast<Member>(expr).base);
  case Kind::List:
    return llvm::all_of(llvm::cast<List>(expr).elements,
                        [](const ExprPtr &element) { return isPlain(*element); });
  default:
    return false;
  }
}

/// The expression that is all of a statement but a name; null where there is more.
static const Expr *onlyValue(const Stmt &stmt) {
  switch (stmt.kind) {
  case Kind::ExprStmt:
    return llvm::cast<ExprStmt>(stmt).expr.get();
  case Kind::Assign:
    return llvm::cast<Assign>(stmt).value.get();
  case Kind::Return:
    return llvm::cast<Return>(stmt).value.get();
  default:
    return nullptr;
  }
}

/// The block calls a primitive that edits, and then at most sets variables to literals.
bool Interpreter::isOneCall(const Block &block) {
  for (const StmtPtr &stmt : block.stmts) {
    const Expr *value = onlyValue(*stmt);
    if (&stmt != &block.stmts.front()) {
      if (!value || !llvm::isa<Int, Bool, String>(*value)) {
        return false;
      }
      continue;
    }
    const auto *call = llvm::dyn_cast_or_null<Call>(value);
    const auto *name = call ? llvm::dyn_cast<Name>(call->callee.get()) : nullptr;
    Callee callee;
    bool edits = name && resolveName(name->text, *frames.back().module, callee) &&
                 callee.primitive && !callee.primitive->isPure;
    if (!edits || !llvm::all_of(call->args, [](const Arg &arg) { return isPlain(*arg.value); })) {
      return false;
    }
  }
  return !block.stmts.empty();
}

/// The block is a transaction: on an error the kernel and the variables are as before it.
void Interpreter::tryBlock(const Try &stmt) {
  size_t count = frames.back().order.size();
  size_t undone = undo.size();
  size_t height = slots.size();
  uint64_t mark = isOneCall(stmt.body) ? host.markCall() : host.mark();
  ++openTries;
  block(stmt.body);
  --openTries;
  if (!failed) {
    host.commit(mark);
    if (!openTries) {
      undo.clear();
    }
    return;
  }
  host.rollback(mark);
  if (!failure.canCatch) {
    return;
  }
  while (undo.size() > undone) {
    auto &[slot, value] = undo.back();
    if (slot < height) {
      slots[slot] = std::move(value);
    }
    undo.pop_back();
  }
  failed = false;
  if (declare(stmt.error, errorRecord(stmt.range))) {
    block(stmt.handler);
  }
  closeScope(count);
}

void Interpreter::require(const Require &stmt) {
  bool holds = condition(*stmt.cond);
  if (stopped() || holds) {
    return;
  }
  std::string text;
  if (stmt.message) {
    text = eval(*stmt.message).str();
  } else {
    StringRef cond = program.getEngine().getSources().text(stmt.cond->range);
    text = "`" + cond.str() + "` does not hold";
  }
  if (!stopped()) {
    raise(DiagId::require_failed, stmt.range, {text},
          "this is a condition of the schedule's author");
    failure.canCatch = true;
    failure.primitive = "require";
  }
}

void Interpreter::print(const Print &stmt) {
  std::string line;
  for (const ExprPtr &expr : stmt.values) {
    Value value = eval(*expr);
    if (stopped()) {
      return;
    }
    line += (line.empty() ? "" : " ") + value.str();
    if (!step(stmt.range, line.size() / 16)) {
      return;
    }
  }
  if (options.out) {
    *options.out << line << "\n";
  }
}

void Interpreter::facts(const std::vector<ExprPtr> &facts, bool areAssumed) {
  for (const ExprPtr &expr : facts) {
    Value value = eval(*expr);
    if (stopped()) {
      return;
    }
    const char *word = areAssumed ? "assume" : "expect";
    if (!accepts(ValueKind::Fact, value) || value.getInteger()) {
      raise(DiagId::operand_kind, expr->range, {word, value.describe()},
            "write a condition, as in `K % 8 == 0`");
      return noteOrigin(value);
    }
    llvm::Error error =
        areAssumed ? host.assume(value, expr->range) : host.expect(value, expr->range);
    if (!raiseHost(std::move(error), expr->range, word)) {
      return;
    }
  }
}

void Interpreter::trust(const Trust &stmt) {
  if (!raiseHost(host.enterTrust(stmt.reason, stmt.range), stmt.range, "trust")) {
    return;
  }
  block(stmt.body);
  host.leaveTrust();
}

bool Interpreter::condition(const Expr &cond) {
  Value value = eval(cond);
  if (stopped()) {
    return false;
  }
  if (const bool *truth = value.getBoolean()) {
    return *truth;
  }
  raise(DiagId::condition_kind, cond.range, {value.describe()},
        value.getFact() ? "nobody knows this yet; ask `provable(…)`, or make `versions(…)` of it"
                        : "write a comparison");
  noteOrigin(value);
  return false;
}
