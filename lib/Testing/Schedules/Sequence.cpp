// Choosing the next call.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Sequence.h"

#include "Arguments.h"
#include "Fitting.h"
#include "Recipes.h"

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
  bool isSealed = false, hasBuf = false, hasCopy = false, hasSection = false, hasRing = false,
       hasBarrier = false;
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
  std::optional<std::vector<Written>> draw(const script::Signature *&signature);
  const script::Signature *signatureOf(llvm::StringRef name) const;
  void call(const script::Signature &signature, std::vector<Written> made);

  WatchedHost &host;
  Random random;
  const std::function<void(llvm::StringRef)> &onCall;
  std::vector<const script::Signature *> signatures;
  std::deque<Wish> wishes;   ///< calls of a recipe that are still to be made
  std::vector<Place> places; ///< of the kernel as it stands; empty where it has changed
  std::vector<Written> results;
  std::vector<Statement> statements;
};

} // namespace

/// A call is likely where it has something to act on; what ends a schedule comes late by itself.
unsigned Maker::weight(const script::Signature &signature, const Stage &stage) const {
  if (stage.isSealed) {
    // Hardly anything else refuses these.
    bool isRare = signature.name == "auto_sync" || signature.name == "replace_all" ||
                  signature.name == "versions" || signature.name == "explicit_pads";
    return isRare ? 8 : 1;
  }
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
  if (signature.name == "remove_barrier" || signature.name == "weaken_barrier") {
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
    auto kernel = llvm::dyn_cast<tile::KernelOp>(op);
    stage.isSealed |= kernel && schedule::ScheduleHost::isSealed(kernel);
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

const script::Signature *Maker::signatureOf(llvm::StringRef name) const {
  for (const script::Signature *signature : signatures) {
    if (signature->name == name) {
      return signature;
    }
  }
  return nullptr;
}

/// The next call of the recipe, or any, with arguments that fit, or any.
std::optional<std::vector<Written>> Maker::draw(const script::Signature *&signature) {
  Fitting fitting(host.host(), places, random);
  while (!wishes.empty() && random.below(100) < 75) {
    Wish wish = wishes.front();
    wishes.pop_front();
    signature = signatureOf(wish.primitive);
    std::optional<std::vector<Written>> made =
        signature ? fitting.forCall(*signature, wish.hint) : std::nullopt;
    if (made) {
      return made;
    }
  }
  signature = &choose();
  Arguments arguments(host.host(), places, random);
  std::optional<std::vector<Written>> free = arguments.forCall(*signature), made;
  if (random.below(2) == 0) {
    made = fitting.forCall(*signature);
  }
  if (!made || !free) {
    return made ? made : free;
  }
  // What fits but for one argument is refused for reasons that matter.
  if (!made->empty() && random.below(100) < 35) {
    size_t at = random.below(made->size());
    (*made)[at] = (*free)[at];
  }
  return made;
}

/// False where no call could be made.
bool Maker::step() {
  if (places.empty()) {
    places = placesOf(host.host(), results);
  } else {
    refresh(host.host(), places);
  }
  const script::Signature *signature = nullptr;
  std::optional<std::vector<Written>> made = draw(signature);
  if (!made) {
    return false;
  }
  call(*signature, std::move(*made));
  return true;
}

void Maker::call(const script::Signature &signature, std::vector<Written> made) {
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
  for (size_t i = 0; i < made.size(); ++i) {
    const script::Parameter &parameter = signature.params[i];
    Written &argument = made[i];
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
  // No mark: a refused call is judged to have left nothing behind, and then there is nothing to undo.
  llvm::Expected<Value> result = host.call({signature, scope, std::move(values), {}});
  statement.isAccepted = static_cast<bool>(result);
  if (result) {
    places.clear();
    statement.hasResult = !result->isNone();
    if (statement.hasResult) {
      results.push_back({*result, "v" + std::to_string(statement.number), {statement.number}});
    }
  } else {
    llvm::consumeError(result.takeError());
  }
  statements.push_back(std::move(statement));
}

std::vector<Statement> Maker::run(unsigned maxCalls) {
  Traits traits;
  traits.hasClusters = host.host().getOptions().target.cluster > 1;
  llvm::DenseMap<mlir::Block *, unsigned> loops;
  host.host().getModule()->walk([&](mlir::Operation *op) {
    bool isLoop = llvm::isa<tile::ForOp>(op);
    traits.hasLoop |= isLoop;
    traits.hasPair |= isLoop && ++loops[op->getBlock()] > 1;
    traits.hasProduct |= llvm::isa<tile::MmaOp>(op) && op->getParentOfType<tile::GridOp>();
  });
  wishes = drawRecipe(random, traits);
  // Of every length; long enough for a recipe with a few calls in between.
  size_t least = std::min<size_t>(maxCalls, wishes.size() + 2);
  size_t count = least + random.below(maxCalls - least + 1);
  for (unsigned tries = 0;
       tries < 3 * maxCalls && statements.size() < count && host.problem().empty(); ++tries) {
    if (!step()) {
      continue;
    }
    // Behind a seal everything is refused: a few calls tell that.
    bool isSealed = !statements.empty() && statements.back().isAccepted &&
                    llvm::StringRef(statements.back().call).starts_with("seal(");
    count = isSealed ? std::min(count, statements.size() + 4) : count;
  }
  return std::move(statements);
}

std::vector<Statement> schedulefuzz::makeSequence(WatchedHost &host, uint64_t seed,
                                                  const ScheduleFuzzOptions &options) {
  return Maker(host, seed, options.onCall).run(options.maxCalls);
}
