// Judging calls.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "WatchedHost.h"

#include "tessera/Schedule/Seal.h"

#include "llvm/Support/raw_ostream.h"
#include "mlir/IR/Verifier.h"

using namespace tessera;
using namespace tessera::schedulefuzz;
using script::HostError;

//===-- State ------------------------------------------------------------------------------------------------------===//

namespace {
/// A module as numbers: every op with its name, attributes, types, operands by their number, regions. What a module
/// says is in them, and no address that differs between a module and its copy.
class Numbers {
public:
  explicit Numbers(mlir::ModuleOp module) { add(module); }
  unsigned operator[](mlir::Operation *op) const { return ops.lookup(op); }
  std::vector<uint64_t> words;

private:
  void add(mlir::Operation *op);
  void add(mlir::Value value) {
    values.try_emplace(value, values.size() + 1);
    words.push_back(reinterpret_cast<uintptr_t>(value.getType().getAsOpaquePointer()));
  }

  llvm::DenseMap<mlir::Operation *, unsigned> ops;
  llvm::DenseMap<mlir::Value, unsigned> values;
};
} // namespace

void Numbers::add(mlir::Operation *op) {
  ops.try_emplace(op, ops.size() + 1);
  words.push_back(reinterpret_cast<uintptr_t>(op->getName().getAsOpaquePointer()));
  words.push_back(
      reinterpret_cast<uintptr_t>(op->getDiscardableAttrDictionary().getAsOpaquePointer()));
  words.push_back(op->hashProperties());
  for (mlir::Value operand : op->getOperands()) {
    words.push_back(values.lookup(operand));
  }
  for (mlir::Value result : op->getResults()) {
    add(result);
  }
  for (mlir::Region &region : op->getRegions()) {
    for (mlir::Block &block : region) {
      words.push_back(0xB10C);
      for (mlir::Value argument : block.getArguments()) {
        add(argument);
      }
      for (mlir::Operation &inner : block) {
        add(&inner);
      }
    }
    words.push_back(0xE2D);
  }
}

/// What a cursor stands for now.
static void addStanding(schedule::ScheduleHost &host, const Value &value, const Numbers &numbers,
                        std::vector<uint64_t> &words) {
  llvm::Expected<schedule::Site> site = host.getCursors().resolve(value);
  if (!site) {
    llvm::consumeError(site.takeError());
    words.push_back(0xDEAD);
    return;
  }
  llvm::append_values(words, uint64_t(site->kind), numbers[site->op],
                      numbers[site->block ? site->block->getParentOp() : nullptr], site->factor,
                      site->operand, uint64_t(site->isBefore), hashText(site->dim),
                      hashText(site->text));
  for (mlir::Operation *op : site->ops) {
    words.push_back(numbers[op]);
  }
}

static uint64_t hashOf(const schedule::Ledger &ledger) {
  uint64_t hash = ledger.steps.size();
  auto add = [&](llvm::StringRef text) { hash = mixBits(hash + hashText(text)); };
  for (const schedule::Step &step : ledger.steps) {
    add(step.text);
    for (const schedule::Entry &entry : step.entries) {
      add(entry.title);
      add(entry.reason);
      add(entry.kind);
      add(schedule::spelling(entry.standing));
    }
  }
  return hash;
}

WatchedHost::State WatchedHost::state() const {
  State result;
  Numbers numbers(inner->getModule());
  for (const Value &value : seen) {
    addStanding(*inner, value, numbers, result.cursors);
  }
  result.module = std::move(numbers.words);
  result.ledger = hashOf(inner->ledger());
  return result;
}

static void addCursors(const Value &value, std::vector<Value> &list) {
  if (value.getCursor()) {
    if (list.size() < 64) {
      list.push_back(value);
    }
  } else if (const auto *elements = value.getList()) {
    for (const Value &element : *elements) {
      addCursors(element, list);
    }
  } else if (const auto *fields = value.getRecord()) {
    for (const auto &field : *fields) {
      addCursors(field.second, list);
    }
  }
}

void WatchedHost::report(const HostCall &call, const std::string &problem) {
  if (found.empty()) {
    found = problem + ", at `" + call.primitive.name + "`";
  }
}

//===-- Calls ------------------------------------------------------------------------------------------------------===//

llvm::Expected<Value> WatchedHost::call(const HostCall &call) {
  for (const Value &argument : call.args) {
    addCursors(argument, seen);
  }
  State before = state();
  llvm::Expected<Value> result = inner->call(call);
  if (result) {
    addCursors(*result, seen);
    ++counts.primitives[call.primitive.name].accepted;
    judgeAccepted(call);
    return result;
  }
  llvm::Error error = llvm::handleErrors(result.takeError(),
                                         [&](std::unique_ptr<HostError> refused) -> llvm::Error {
                                           judgeRefused(call, *refused, before);
                                           return llvm::Error(std::move(refused));
                                         });
  return std::move(error);
}

void WatchedHost::judgeAccepted(const HostCall &call) {
  held.reset();
  if (mlir::failed(mlir::verify(inner->getModule()))) {
    report(call, "invalid: the verifier refuses what was made");
    return;
  }
  // A few sizes after each call, all of them at the end.
  size_t count = options.allSizes ? subject.sizeCount() : 3;
  for (size_t i = 0; i < count; ++i) {
    size_t size = options.allSizes ? i : random.below(subject.sizeCount());
    if (std::string wrong = subject.difference(*inner, size, counts); !wrong.empty()) {
      report(call, wrong);
      return;
    }
  }
}

void WatchedHost::judgeRefused(const HostCall &call, const HostError &error, const State &before) {
  PrimitiveCounts &primitive = counts.primitives[call.primitive.name];
  if (error.code == "internal") {
    report(call, "invalid: " + error.message);
    return;
  }
  if (error.message.empty() && error.kind != HostError::Kind::Dead &&
      error.kind != HostError::Kind::Ambiguous) {
    report(call, "changed: a refusal without a reason");
  }
  if (!(state() == before)) {
    State after = state();
    report(call, std::string("changed: a refused call changed ") +
                     (after.module != before.module   ? "the IR"
                      : after.ledger != before.ledger ? "the ledger"
                                                      : "a cursor"));
    return;
  }
  if (error.kind != HostError::Kind::Refused) {
    ++primitive.gone;
    return;
  }
  ++primitive.refused;
  ++primitive.codes[error.code];
  if (probes < options.maxProbes && tried < 3 * options.maxProbes && error.code != "sealed") {
    probe(call, primitive, before);
  }
}

//===-- Refusals under trust ---------------------------------------------------------------------------------------===//

std::string WatchedHost::smallRuns() {
  std::string wrong;
  for (size_t size = 0; size < subject.sizeCount(); ++size) {
    if (!subject.isSmall(size)) {
      continue;
    }
    wrong += subject.difference(*inner, size, counts);
    for (uint64_t seed = 1; seed <= options.adversarialSeeds && wrong.empty(); ++seed) {
      wrong += subject.difference(*inner, size, counts, seed);
    }
    if (!wrong.empty()) {
      break;
    }
  }
  return wrong;
}

/// Adds what the schedule would still need before `seal`.
void WatchedHost::sync() {
  const script::Signature *signature = inner->lookupPrimitive("auto_sync");
  for (tile::KernelOp kernel : inner->kernels()) {
    if (!signature || schedule::ScheduleHost::isSealed(kernel)) {
      continue;
    }
    Value cursor = inner->getCursors().op(kernel, script::ValueKind::Kernel);
    if (llvm::Expected<Value> added = inner->call({*signature, cursor, {cursor}, {}}); !added) {
      llvm::consumeError(added.takeError());
    }
  }
}

/// Whether the small sizes hold as things stand, or with barriers; nothing is left of these.
bool WatchedHost::holds() {
  if (smallRuns().empty()) {
    return true;
  }
  uint64_t mark = inner->mark();
  sync();
  bool isGood = smallRuns().empty();
  inner->rollback(mark);
  return isGood;
}

/// Does the refused edit without its checks, runs, and takes it back. Where runs before it show a fault already nothing
/// can be said.
void WatchedHost::probe(const HostCall &call, PrimitiveCounts &primitive, const State &before) {
  ++tried;
  held = held ? held : holds();
  if (!*held) {
    return;
  }
  uint64_t mark = inner->mark();
  bool isTrusted = true;
  if (llvm::Error error = inner->enterTrust("a probe", {})) {
    llvm::consumeError(std::move(error));
    isTrusted = false;
  }
  llvm::Expected<Value> result = inner->call(call);
  if (isTrusted) {
    inner->leaveTrust();
  }
  if (result) {
    ++probes;
    ++primitive.probed;
    primitive.needless += holds();
  } else {
    llvm::consumeError(result.takeError());
  }
  inner->rollback(mark);
  if (!(state() == before)) {
    report(call, "changed: undoing an edit does not give back the state before");
  }
}

//===-- The end ----------------------------------------------------------------------------------------------------===//

void WatchedHost::judgeEnd() {
  if (!found.empty()) {
    return;
  }
  for (size_t size = 0; size < subject.sizeCount(); ++size) {
    found = subject.difference(*inner, size, counts);
    if (!found.empty()) {
      return;
    }
  }
  SealOptions sealing;
  sealing.target = options.target;
  sealing.emit = false;
  bool isSealed = true;
  for (tile::KernelOp kernel : inner->kernels()) {
    isSealed &= seal(kernel, inner->getSolver(), sealing).isSealed();
  }
  ++(isSealed ? counts.sealed : counts.unsealed);
  // What is not sealed is run too, less often: a checker that refuses everything would pass otherwise.
  uint64_t seeds = isSealed ? options.adversarialSeeds : 1;
  std::string wrong;
  for (size_t size = 0; size < subject.sizeCount() && wrong.empty(); ++size) {
    for (uint64_t seed = 1; seed <= seeds && wrong.empty(); ++seed) {
      wrong = subject.difference(*inner, size, counts, seed + 16 * size);
    }
  }
  if (isSealed && !wrong.empty()) {
    found = "sealed: " + wrong;
  }
  counts.quiet += !isSealed && wrong.empty();
}
