// Choosing the next call.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Sequence.h"

#include "Arguments.h"

#include "llvm/ADT/StringSwitch.h"

using namespace tessera;
using namespace tessera::schedulefuzz;

std::string schedulefuzz::scriptOf(llvm::StringRef kernel, llvm::StringRef target,
                                   const std::vector<Statement> &statements) {
  std::string text = ("schedule " + kernel + " on " + target + " {\n").str();
  for (const Statement &statement : statements) {
    std::string call = statement.call;
    if (statement.hasResult) {
      call = "let v" + std::to_string(statement.number) + " = " + call;
    }
    text += statement.isAccepted ? "  " + call + "\n" : "  try { " + call + " } else e { }\n";
  }
  return text + "}\n";
}

namespace {

/// What a kernel has, as far as the choice of the next call depends on it.
struct Stage {
  bool hasBuf = false, hasCopy = false, hasSection = false, hasRing = false, hasBarrier = false;
};

class Maker {
public:
  Maker(WatchedHost &host, uint64_t seed, const std::function<void(llvm::StringRef)> &onCall)
      : host(host), random(seed), onCall(onCall) {
    for (const script::Signature &signature : host.primitives()) {
      if (!signature.isPure) {
        signatures.push_back(&signature);
      }
    }
  }

  std::vector<Statement> run(unsigned maxCalls);

private:
  unsigned weight(const script::Signature &signature, const Stage &stage) const;
  const script::Signature &choose();
  bool step();

  WatchedHost &host;
  Random random;
  const std::function<void(llvm::StringRef)> &onCall;
  std::vector<const script::Signature *> signatures;
  std::vector<Written> results;
  std::vector<Statement> statements;
};

} // namespace

/// A call is likely where it has something to act on; what ends a schedule comes late by itself.
unsigned Maker::weight(const script::Signature &signature, const Stage &stage) const {
  unsigned usual = llvm::StringSwitch<unsigned>(signature.name)
                       .Cases({"split", "bind"}, 10)
                       .Case("stage", 16)
                       .Cases({"realize", "hoist", "compute_at", "reorder", "unroll", "peel"}, 7)
                       .Cases({"vectorize", "pin", "drop_fill", "reduce_plan", "insert_barrier"}, 5)
                       .Cases({"versions", "persistent", "order_tiles", "cluster"}, 2)
                       .Case("seal", 1)
                       .Default(4);
  if (signature.name == "sections") {
    return stage.hasCopy && !stage.hasSection ? 30 : 3;
  }
  if (signature.name == "ring") {
    return stage.hasSection && stage.hasBuf && !stage.hasRing ? 40 : 2;
  }
  if (signature.name == "set_lead" || signature.name == "set_lag" || signature.name == "roles") {
    return stage.hasSection ? 10 : 1;
  }
  if (signature.name == "replace") {
    return stage.hasCopy ? 12 : 5;
  }
  if (signature.name == "overlay" || signature.name == "set_layout") {
    return stage.hasBuf ? 7 : 1;
  }
  if (signature.name == "remove_barrier") {
    return stage.hasBarrier ? 6 : 1;
  }
  if (signature.name == "auto_sync") {
    return stage.hasBuf ? 6 : 1;
  }
  return usual;
}

const script::Signature &Maker::choose() {
  Stage stage;
  host.host().getModule()->walk([&](mlir::Operation *op) {
    stage.hasBuf |= llvm::isa<tile::AllocOp>(op);
    stage.hasCopy |= llvm::isa<tile::CopyOp>(op);
    stage.hasSection |= llvm::isa<tile::SectionOp>(op);
    stage.hasRing |= llvm::isa<tile::RingOp>(op);
    stage.hasBarrier |= llvm::isa<tile::BarrierOp>(op);
  });
  unsigned total = 0;
  for (const script::Signature *signature : signatures) {
    total += weight(*signature, stage);
  }
  uint64_t at = random.below(total);
  for (const script::Signature *signature : signatures) {
    unsigned own = weight(*signature, stage);
    if (at < own) {
      return *signature;
    }
    at -= own;
  }
  return *signatures.back();
}

/// False where no call could be made.
bool Maker::step() {
  std::vector<Place> places = placesOf(host.host(), results);
  const script::Signature &signature = choose();
  Arguments arguments(host.host(), places, random);
  std::optional<std::vector<Written>> made = arguments.forCall(signature);
  if (!made) {
    return false;
  }
  Statement statement;
  statement.number = statements.size();
  // The kernel, where the call names none; one of the versions where there are several.
  Value scope;
  std::string prefix;
  if (signature.takesScope) {
    scope = host.self();
    std::vector<const Place *> scopes;
    for (const Place &place : places) {
      bool isKernel = place.kind == script::ValueKind::Kernel && place.text != "self";
      if (isKernel) {
        scopes.push_back(&place);
      }
    }
    if (!scopes.empty()) {
      const Place *chosen = scopes[random.below(scopes.size())];
      scope = chosen->value;
      prefix = chosen->text + ".";
      statement.uses = chosen->uses;
    }
  }
  std::vector<Value> values;
  for (size_t i = 0; i < made->size(); ++i) {
    const script::Parameter &parameter = signature.params[i];
    Written &argument = (*made)[i];
    values.push_back(argument.value);
    statement.uses.insert(argument.uses.begin(), argument.uses.end());
    if (argument.text.empty()) {
      continue;
    }
    bool isNamed = parameter.fallback.has_value();
    statement.call += (statement.call.empty() ? "" : ", ") +
                      (isNamed ? parameter.name + " = " : "") + argument.text;
  }
  statement.call = prefix + signature.name + "(" + statement.call + ")";
  if (onCall) {
    onCall("v" + std::to_string(statement.number) + " = " + statement.call);
  }
  uint64_t mark = host.mark();
  llvm::Expected<Value> result = host.call({signature, scope, std::move(values), {}});
  statement.isAccepted = static_cast<bool>(result);
  if (result) {
    host.commit(mark);
    statement.hasResult = !result->isNone();
    if (statement.hasResult) {
      results.push_back({*result, "v" + std::to_string(statement.number), {statement.number}});
    }
  } else {
    llvm::consumeError(result.takeError());
    host.rollback(mark);
  }
  statements.push_back(std::move(statement));
  return true;
}

std::vector<Statement> Maker::run(unsigned maxCalls) {
  for (unsigned tries = 0;
       tries < 3 * maxCalls && statements.size() < maxCalls && host.problem().empty(); ++tries) {
    step();
  }
  return std::move(statements);
}

std::vector<Statement> schedulefuzz::makeSequence(WatchedHost &host, uint64_t seed,
                                                  const ScheduleFuzzOptions &options) {
  return Maker(host, seed, options.onCall).run(options.maxCalls);
}
