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
/// Numbers of ops in the order of the text: the same for a copy.
class Numbers {
public:
  explicit Numbers(mlir::ModuleOp module) {
    module->walk<mlir::WalkOrder::PreOrder>(
        [&](mlir::Operation *op) { numbers.try_emplace(op, numbers.size() + 1); });
  }
  unsigned operator[](mlir::Operation *op) const { return numbers.lookup(op); }

private:
  llvm::DenseMap<mlir::Operation *, unsigned> numbers;
};
} // namespace

/// What a cursor stands for now, as text.
static std::string standing(schedule::ScheduleHost &host, const Value &value,
                            const Numbers &numbers) {
  llvm::Expected<schedule::Site> site = host.getCursors().resolve(value);
  if (!site) {
    llvm::consumeError(site.takeError());
    return "none";
  }
  std::string text;
  llvm::raw_string_ostream os(text);
  os << unsigned(site->kind) << " " << numbers[site->op] << " "
     << numbers[site->block ? site->block->getParentOp() : nullptr] << " " << site->dim << " "
     << site->factor << " " << site->operand << " " << site->isBefore << " " << site->text;
  for (mlir::Operation *op : site->ops) {
    os << " " << numbers[op];
  }
  return text;
}

WatchedHost::State WatchedHost::state() const {
  State result;
  result.module = textOf(inner->getModule());
  llvm::raw_string_ostream os(result.ledger);
  inner->ledger().printJson(os, nullptr);
  Numbers numbers(inner->getModule());
  for (const Value &value : seen) {
    result.cursors += standing(*inner, value, numbers) + "\n";
  }
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
  if (probes < options.maxProbes) {
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

/// Does the refused edit without its checks, runs, and takes it back. Where runs before it show a fault already nothing
/// can be said.
void WatchedHost::probe(const HostCall &call, PrimitiveCounts &primitive, const State &before) {
  if (!smallRuns().empty()) {
    return;
  }
  uint64_t mark = inner->mark();
  bool isTrusted = true;
  if (llvm::Error error = inner->enterTrust("a probe", {})) {
    llvm::consumeError(std::move(error));
    isTrusted = false;
  }
  llvm::Expected<Value> result = inner->call(call);
  if (result) {
    ++probes;
    ++primitive.probed;
    primitive.needless += smallRuns().empty();
  } else {
    llvm::consumeError(result.takeError());
  }
  if (isTrusted) {
    inner->leaveTrust();
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
