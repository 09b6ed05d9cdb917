// The kernel of the script tests and its primitives.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "FakeHost.h"

#include "llvm/ADT/StringSwitch.h"

using namespace tessera;
using namespace tessera::script;
using namespace tessera::testing;
using llvm::StringRef;

namespace {

std::unique_ptr<HostError> error(HostError::Kind kind, const llvm::Twine &message) {
  return std::make_unique<HostError>(kind, message);
}

llvm::Error refuse(const llvm::Twine &message) {
  return llvm::Error(error(HostError::Kind::Refused, message));
}

} // namespace

Value FakeHost::self() const { return node(0); }

Value FakeHost::make(ValueKind kind, const std::string &text) {
  state.nodes.push_back({kind, text, true, "", {}, {}});
  return node(state.nodes.size() - 1);
}

Value FakeHost::node(uint64_t id) const {
  const Node &found = state.nodes[id];
  return Value::cursor({id, 0, found.kind, found.text});
}

std::optional<Value> FakeHost::resolveName(StringRef name) const {
  static const char *const words[] = {"warp",
                                      "grid",
                                      "reg",
                                      "lane",
                                      "shared",
                                      "rest",
                                      "use",
                                      "load",
                                      "cluster",
                                      "edge",
                                      "mbarrier",
                                      "cp_async_16",
                                      "ldmatrix_x4",
                                      "tma_load_2d",
                                      "tma_store_2d",
                                      "warpgroup",
                                      "tree",
                                      "stmatrix_x4",
                                      "any",
                                      "ldmatrix_x4_trans",
                                      "mma_m16n8k16_bf16"};
  if (llvm::is_contained(words, name)) {
    return Value::name(name);
  }
  if (name == "sw128") {
    return Value::layout(128, name);
  }
  if (name == "M" || name == "N" || name == "K" || name == "regs") {
    return Value::leaf(name[0], name);
  }
  if (name == "target") {
    return Value::record({{"arch", Value::name("sm_90")}, {"smem", Value::integer(232448)}});
  }
  return std::nullopt;
}

llvm::Error FakeHost::check(const Value &value) const {
  const Cursor *cursor = value.getCursor();
  if (const auto *values = value.getList()) {
    for (const Value &element : *values) {
      if (llvm::Error e = check(element)) {
        return e;
      }
    }
  }
  if (!cursor || state.nodes[cursor->id].alive) {
    return llvm::Error::success();
  }
  const Node &found = state.nodes[cursor->id];
  auto e = error(found.heirs.empty() ? HostError::Kind::Dead : HostError::Kind::Ambiguous, "");
  e->cursor = found.text;
  e->consumer = found.consumer;
  e->consumedAt = found.consumedAt;
  e->candidates = found.heirs;
  return llvm::Error(std::move(e));
}

llvm::Error FakeHost::checkAll(const HostCall &call) const {
  for (const Value &value : call.args) {
    if (llvm::Error e = check(value)) {
      return e;
    }
  }
  return check(call.scope);
}

void FakeHost::consume(const Value &value, const HostCall &call) {
  Node &found = state.nodes[value.getCursor()->id];
  found.alive = false;
  found.consumer = call.primitive.name;
  found.consumedAt = call.range;
}

llvm::Expected<Value> FakeHost::split(const HostCall &call) {
  int64_t q = *call.arg("q").getInteger();
  if (q <= 0) {
    auto e = error(HostError::Kind::Refused, "the factor " + llvm::Twine(q) + " is not positive");
    e->code = "split_factor";
    e->help = "split by 1 or more";
    return llvm::Error(std::move(e));
  }
  std::string text = call.arg("d").getCursor()->text;
  Value outer = make(ValueKind::Factor, text + ".outer");
  Value inner = make(ValueKind::Factor, text + ".inner");
  return Value::record({{"outer", outer}, {"inner", inner}});
}

llvm::Expected<Value> FakeHost::stage(const HostCall &call) {
  std::string text = call.arg("x").getCursor()->text;
  return Value::record({{"buf", make(ValueKind::Buf, text + ".buf")},
                        {"copy", make(ValueKind::Op, text + ".copy")},
                        {"read", make(ValueKind::Op, text + ".read")},
                        {"write", make(ValueKind::Op, text + ".write")}});
}

llvm::Expected<Value> FakeHost::versions(const HostCall &call) {
  return Value::record(
      {{"yes", make(ValueKind::Kernel, "yes")}, {"no", make(ValueKind::Kernel, "no")}});
}

llvm::Expected<Value> FakeHost::call(const HostCall &call) {
  if (state.sealed && call.primitive.name != "seal") {
    return refuse("the kernel is sealed");
  }
  if (llvm::Error e = checkAll(call)) {
    return std::move(e);
  }
  std::string line = call.primitive.name + "(";
  for (const Value &value : call.args) {
    line += (&value == call.args.data() ? "" : ", ") + value.str();
  }
  state.log.push_back(line + ")");
  if (call.primitive.name == "split") {
    return split(call);
  }
  if (call.primitive.name == "stage") {
    return stage(call);
  }
  if (call.primitive.name == "versions") {
    return versions(call);
  }
  if (call.primitive.name == "persistent") {
    return make(ValueKind::Loop, "tasks");
  }
  if (call.primitive.name == "realize") {
    return Value::record({{"outer", make(ValueKind::Loop, call.args[0].getField("outer")->str())}});
  }
  if (call.primitive.name == "unroll") {
    consume(call.args[0], call);
    if (call.args[0].str() == "loop twice") {
      state.nodes[call.args[0].getCursor()->id].heirs = {"twice.first", "twice.second"};
    }
  }
  // Each version of the kernel is sealed on its own; the kernel itself seals all.
  state.sealed |=
      call.primitive.name == "seal" && (call.args[0].isNone() || call.args[0] == self());
  return Value();
}

llvm::Expected<Value> FakeHost::find(const HostCall &call) {
  StringRef primitive = call.primitive.name;
  std::string name = call.args[0].str();
  if (name == "nothing") {
    auto e = error(HostError::Kind::NotFound, "the kernel has no " + primitive + " `nothing`");
    e->help = "it has `k` and `n`";
    return llvm::Error(std::move(e));
  }
  ValueKind kind = primitive == "loop"   ? ValueKind::Loop
                   : primitive == "call" ? ValueKind::Ops
                                         : ValueKind::Op;
  // The same question has the same answer: loops live on after edits.
  std::string key = primitive.str() + " " + name;
  auto known = state.members.find(key);
  if (known != state.members.end()) {
    return node(known->second);
  }
  Value made = make(kind, key);
  state.members[key] = made.getCursor()->id;
  return made;
}

llvm::Expected<Value> FakeHost::inspect(const HostCall &call) const {
  auto *self = const_cast<FakeHost *>(this); // cursors are made on demand
  StringRef name = call.primitive.name;
  if (call.primitive.takesScope) {
    return self->find(call);
  }
  if (llvm::Error e = checkAll(call)) {
    return std::move(e);
  }
  if (name == "extent") {
    return Value::integer(128);
  }
  if (name == "provable") {
    const Fact *fact = call.args[0].getFact();
    return Value::boolean(!fact || str(*fact) == "(K % 8) == 0");
  }
  std::string text = call.primitive.name + "(";
  for (const Value &value : call.args) {
    text += (&value == call.args.data() ? "" : ", ") + value.str();
  }
  text += ")";
  if (name == "aligned" || name == "bank_degree") {
    return Value::leaf(text.size(), text);
  }
  return name == "wgmma_m64k16" ? Value::name(text) : Value::layout(text.size(), text);
}

llvm::Expected<Value> FakeHost::navigate(const Cursor &cursor, StringRef member,
                                         SourceRange) const {
  if (llvm::Error e = check(node(cursor.id))) {
    return std::move(e);
  }
  if (member == "missing") {
    auto e = error(HostError::Kind::NotFound, cursor.text + " has no dim `missing`");
    return llvm::Error(std::move(e));
  }
  auto *self = const_cast<FakeHost *>(this);
  ValueKind kind = llvm::StringSwitch<ValueKind>(member)
                       .Cases({"a", "b", "value"}, ValueKind::Operand)
                       .Cases({"before", "after"}, ValueKind::Gap)
                       .Case("body", ValueKind::Block)
                       .Cases({"mma", "parent"}, ValueKind::Op)
                       .Default(ValueKind::Dim);
  std::string key = std::to_string(cursor.id) + "." + member.str();
  auto known = state.members.find(key);
  if (known != state.members.end()) {
    return node(known->second);
  }
  Value made = self->make(kind, cursor.text + "." + member.str());
  self->state.members[key] = made.getCursor()->id;
  return made;
}

llvm::Error FakeHost::assume(const Value &fact, SourceRange) {
  state.log.push_back("assume " + fact.str());
  return llvm::Error::success();
}

llvm::Error FakeHost::expect(const Value &fact, SourceRange) {
  state.log.push_back("expect " + fact.str());
  return llvm::Error::success();
}

llvm::Error FakeHost::enterTrust(StringRef reason, SourceRange) {
  if (trustForbidden) {
    return refuse("`--no-trust` forbids it");
  }
  ++state.trust;
  state.log.push_back("trust " + reason.str());
  return llvm::Error::success();
}

void FakeHost::leaveTrust() {
  --state.trust;
  state.log.push_back("end of trust");
}

uint64_t FakeHost::mark() {
  saved.push_back(state);
  return saved.size() - 1;
}

void FakeHost::rollback(uint64_t mark) {
  state = saved[mark];
  saved.resize(mark);
}

void FakeHost::commit(uint64_t mark) { saved.resize(mark); }

std::string FakeHost::log() const {
  std::string text;
  for (const std::string &line : state.log) {
    text += line + "\n";
  }
  return text;
}
