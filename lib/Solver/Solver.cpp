//===- Solver.cpp - facts, goals and verdicts -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A question holds only the facts that share a symbol with the goal, directly or through other facts: it is smaller and
// its text does not change with unrelated facts. When such a question has an instance, the remaining facts are decided
// on their own: they may contradict each other, which proves the goal, and their values complete the witness.
//
//===----------------------------------------------------------------------===//

#include "tessera/Solver/Solver.h"

#include "Decider.h"
#include "TermOrder.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <chrono>

namespace tessera::solver {

using Keys = llvm::SmallVector<const void *, 4>;

/// Symbols and functions that occur.
static Keys keysOf(Expr expr) {
  llvm::SmallVector<Expr, 8> atoms;
  collectAtoms(expr, atoms);
  Keys keys;
  for (Expr atom : atoms) {
    keys.push_back(&atom.declaration());
  }
  return keys;
}

struct Solver::Impl {
  Impl(ExprContext &context, SolverOptions options)
      : context(context), options(options), decider(context, this->options) {}

  struct Split {
    std::vector<unsigned> relevant, others; ///< positions in `facts`
  };
  Split split(Expr negated) const;
  std::optional<Verdict> refuseInvalid(Expr goal) const;
  Verdict prove(Expr goal, llvm::StringRef title);
  Verdict decide(Expr goal, llvm::StringRef title);
  void settleOthers(const Split &parts, llvm::StringRef title, Decision &decision,
                    Verdict &verdict);
  Decision ask(llvm::ArrayRef<unsigned> positions, Expr negated, llvm::StringRef title);
  void fillProof(const Decision &decision, llvm::ArrayRef<unsigned> positions, Verdict &verdict);
  void fillWitness(const Decision &decision, Expr negated, const Keys &goalKeys, Verdict &verdict);
  void addCost(const Decision &decision, Verdict &verdict);
  std::string nameOf(unsigned position) const {
    const Fact &fact = facts[position];
    return fact.name.empty() ? fact.condition.str() : fact.name;
  }

  ExprContext &context;
  SolverOptions options;
  Decider decider;
  std::vector<Fact> facts;
  std::vector<Keys> factKeys;
  std::vector<size_t> marks;
  SolverStatistics statistics;
  std::vector<double> times, solverTimes;
};

Solver::Impl::Split Solver::Impl::split(Expr negated) const {
  Split parts;
  llvm::DenseSet<const void *> reached;
  for (const void *key : keysOf(negated)) {
    reached.insert(key);
  }
  // A goal without symbols holds only if all facts together contradict.
  bool everything = reached.empty();
  std::vector<bool> taken(facts.size(), everything);
  for (bool changed = !everything; changed;) {
    changed = false;
    for (size_t i = 0; i < facts.size(); ++i) {
      if (!taken[i] &&
          llvm::any_of(factKeys[i], [&](const void *k) { return reached.contains(k); })) {
        taken[i] = changed = true;
        reached.insert(factKeys[i].begin(), factKeys[i].end());
      }
    }
  }
  for (size_t i = 0; i < facts.size(); ++i) {
    if (!facts[i].condition.isTrue()) {
      bool always = facts[i].condition.isFalse();
      (taken[i] || always ? parts.relevant : parts.others).push_back(i);
    }
  }
  return parts;
}

std::optional<Verdict> Solver::Impl::refuseInvalid(Expr goal) const {
  auto refused = [](std::string what, Expr expr) {
    Verdict verdict;
    verdict.cause = UnknownCause::Invalid;
    verdict.detail =
        what + ": " +
        (expr.isNull() || expr.isInvalid() ? expr.reason().str()
                                           : "`" + expr.str() + "` is not a condition");
    return verdict;
  };
  for (size_t i = 0; i < facts.size(); ++i) {
    if (!facts[i].condition.isBool()) {
      std::string name = facts[i].name.empty() ? std::to_string(i + 1) : "`" + facts[i].name + "`";
      return refused("fact " + name, facts[i].condition);
    }
  }
  if (!goal.isBool()) {
    return refused("the goal", goal);
  }
  return std::nullopt;
}

Decision Solver::Impl::ask(llvm::ArrayRef<unsigned> positions, Expr negated,
                           llvm::StringRef title) {
  std::vector<Expr> conditions;
  std::vector<std::string> comments;
  bool logged = decider.log.isOpen();
  if (logged) {
    comments.push_back("claim: " + (title.empty() ? std::string("(no title)") : title.str()));
    comments.push_back("goal, negated below: " +
                       (negated.isNull() ? std::string("false") : (!negated).str()));
  }
  for (unsigned position : positions) {
    const Fact &fact = facts[position];
    conditions.push_back(fact.condition);
    if (logged) {
      comments.push_back("fact " + std::to_string(conditions.size()) + ": " + fact.condition.str() +
                         (fact.name.empty() ? "" : " [" + fact.name + "]") +
                         (fact.provenance.empty() ? "" : " from " + fact.provenance));
    }
  }
  if (!negated.isNull() && !negated.isTrue()) {
    conditions.push_back(negated);
  }
  return decider.decide(conditions, std::move(comments));
}

void Solver::Impl::addCost(const Decision &decision, Verdict &verdict) {
  verdict.cost.rlimit += decision.rlimit;
  verdict.cost.checks += decision.checks + decision.tightenings;
  statistics.checks += decision.checks;
  statistics.tightenings += decision.tightenings;
  statistics.rlimit += decision.rlimit;
}

void Solver::Impl::fillProof(const Decision &decision, llvm::ArrayRef<unsigned> positions,
                             Verdict &verdict) {
  verdict.outcome = Outcome::Proved;
  verdict.vacuous = true;
  for (unsigned position : decision.used) {
    if (position < positions.size()) {
      verdict.usedFacts.push_back(nameOf(positions[position]));
    } else {
      verdict.vacuous = false;
    }
  }
  // Declared ranges alone may do it, without the goal being named.
  verdict.vacuous &= !verdict.usedFacts.empty();
}

void Solver::Impl::fillWitness(const Decision &decision, Expr negated, const Keys &goalKeys,
                               Verdict &verdict) {
  verdict.outcome = Outcome::Refuted;
  Witness &witness = verdict.witness;
  witness.assignment = decision.assignment;
  witness.smallest = decision.smallest;
  std::vector<Expr> conditions;
  for (const Fact &fact : facts) {
    conditions.push_back(fact.condition);
  }
  conditions.push_back(negated);
  llvm::SmallVector<Expr, 16> atoms;
  collectAtoms(conditions, atoms);
  llvm::sort(atoms, termBefore);
  for (Role role : {Role::Size, Role::Index, Role::Condition}) {
    for (Expr atom : atoms) {
      std::optional<Int> value = evaluate(atom, decision.assignment);
      if (!value || atom.declaration().role != role) {
        continue;
      }
      WitnessValue entry{atom.declaration().name,
                         {},
                         *value,
                         role,
                         llvm::is_contained(goalKeys, &atom.declaration())};
      for (Expr operand : atom.operands()) {
        entry.arguments.push_back(evaluate(operand, decision.assignment).value_or(0));
      }
      bool known = llvm::any_of(witness.values, [&](const WitnessValue &other) {
        return other.name == entry.name && other.arguments == entry.arguments;
      });
      if (!known) {
        witness.values.push_back(std::move(entry));
      }
    }
  }
}

/// The facts that the question left out.
void Solver::Impl::settleOthers(const Split &parts, llvm::StringRef title, Decision &decision,
                                Verdict &verdict) {
  if (parts.others.empty()) {
    return;
  }
  Decision rest = ask(parts.others, Expr(), title.empty() ? "" : title.str() + ": other facts");
  addCost(rest, verdict);
  switch (rest.result) {
  case CheckResult::Unsat:
    fillProof(rest, parts.others, verdict);
    verdict.vacuous = true;
    break;
  case CheckResult::Sat:
    for (const auto &[symbol, value] : rest.assignment.symbols) {
      decision.assignment.symbols[symbol] = value;
    }
    decision.assignment.functions.insert(rest.assignment.functions.begin(),
                                         rest.assignment.functions.end());
    break;
  case CheckResult::Unknown:
    verdict.othersUndecided = true;
    break;
  }
}

Verdict Solver::Impl::decide(Expr goal, llvm::StringRef title) {
  if (std::optional<Verdict> refused = refuseInvalid(goal)) {
    return *refused;
  }
  Verdict verdict;
  if (goal.isTrue()) {
    verdict.outcome = Outcome::Proved;
    return verdict;
  }
  Expr negated = !goal;
  Split parts = split(negated);
  Decision decision = ask(parts.relevant, negated, title);
  addCost(decision, verdict);
  verdict.cost.by = decision.by;
  verdict.query = decision.hash;
  switch (decision.result) {
  case CheckResult::Unsat:
    fillProof(decision, parts.relevant, verdict);
    return verdict;
  case CheckResult::Sat: {
    settleOthers(parts, title, decision, verdict);
    if (verdict.outcome == Outcome::Proved) {
      return verdict;
    }
    Keys keys = keysOf(negated);
    for (unsigned position : parts.relevant) {
      keys.append(factKeys[position].begin(), factKeys[position].end());
    }
    fillWitness(decision, negated, keys, verdict);
    return verdict;
  }
  case CheckResult::Unknown:
    break;
  }
  verdict.cause = decision.cause;
  verdict.detail = decision.detail;
  llvm::SmallVector<Expr, 4> products;
  std::vector<Expr> conditions = {negated};
  for (unsigned position : parts.relevant) {
    conditions.push_back(facts[position].condition);
  }
  collectProducts(conditions, products);
  for (Expr product : products) {
    verdict.hardTerms.push_back(product.str());
  }
  return verdict;
}

Verdict Solver::Impl::prove(Expr goal, llvm::StringRef title) {
  using Clock = std::chrono::steady_clock;
  Clock::time_point start = Clock::now();
  Verdict verdict = decide(goal, title);
  verdict.cost.milliseconds =
      std::chrono::duration<double, std::milli>(Clock::now() - start).count();
  ++statistics.queries;
  if (times.empty() || verdict.cost.milliseconds > statistics.slowestMilliseconds) {
    statistics.slowestMilliseconds = verdict.cost.milliseconds;
    statistics.slowestQuery = verdict.query;
  }
  times.push_back(verdict.cost.milliseconds);
  statistics.totalMilliseconds += verdict.cost.milliseconds;
  ++(verdict.proved()    ? statistics.proved
     : verdict.refuted() ? statistics.refuted
                         : statistics.unknown);
  switch (verdict.cost.by) {
  case DecidedBy::Simplification:
    ++statistics.bySimplification;
    break;
  case DecidedBy::Rules:
    ++statistics.byRules;
    break;
  case DecidedBy::Cache:
    ++statistics.fromCache;
    break;
  case DecidedBy::Solver:
    ++statistics.bySolver;
    solverTimes.push_back(verdict.cost.milliseconds);
    statistics.solverMilliseconds += verdict.cost.milliseconds;
    break;
  }
  return verdict;
}

//===----------------------------------------------------------------------===//
// The public face
//===----------------------------------------------------------------------===//

Solver::Solver(ExprContext &context, SolverOptions options)
    : impl(std::make_unique<Impl>(context, options)) {}

Solver::~Solver() = default;

ExprContext &Solver::context() const { return impl->context; }
SolverOptions &Solver::options() { return impl->options; }
VerdictCache &Solver::cache() { return impl->decider.cache; }
QueryLog &Solver::log() { return impl->decider.log; }
llvm::ArrayRef<std::string> Solver::problems() const { return impl->decider.problems; }
llvm::ArrayRef<Fact> Solver::facts() const { return impl->facts; }
std::string Solver::version() { return Backend::version(); }

void Solver::push() { impl->marks.push_back(impl->facts.size()); }

bool Solver::pop() {
  if (impl->marks.empty()) {
    return false;
  }
  impl->facts.resize(impl->marks.back());
  impl->factKeys.resize(impl->marks.back());
  impl->marks.pop_back();
  return true;
}

void Solver::assume(Fact fact) {
  impl->factKeys.push_back(keysOf(fact.condition));
  impl->facts.push_back(std::move(fact));
}

void Solver::assume(Expr condition, llvm::StringRef name, llvm::StringRef provenance) {
  assume(Fact{condition, name.str(), provenance.str()});
}

Verdict Solver::prove(Expr goal, llvm::StringRef title) { return impl->prove(goal, title); }

Verdict Solver::prove(const Obligation &obligation) {
  Assuming scope(*this);
  for (const Fact &fact : obligation.facts) {
    assume(fact);
  }
  return prove(obligation.goal, obligation.title);
}

Verdict Solver::contradiction(llvm::StringRef title) {
  return prove(impl->context.boolean(false), title);
}

static double medianOf(std::vector<double> times) {
  llvm::sort(times);
  return times.empty() ? 0 : times[times.size() / 2];
}

SolverStatistics Solver::statistics() const {
  SolverStatistics result = impl->statistics;
  result.medianMilliseconds = medianOf(impl->times);
  result.solverMedianMilliseconds = medianOf(impl->solverTimes);
  result.disagreements = impl->decider.disagreements;
  return result;
}

std::string SolverStatistics::str() const {
  return llvm::formatv(
             "{0} queries: {1} proved, {2} refuted, {3} unknown\n"
             "decided by simplification {4}, by rules {5}, from the cache {6}, by the solver {7}\n"
             "{8} checks and {9} tightenings of witnesses, {10} units\n"
             "{11:F3} ms in all, median {12:F3} ms, slowest {13:F3} ms\n",
             queries, proved, refuted, unknown, bySimplification, byRules, fromCache, bySolver,
             checks, tightenings, rlimit, totalMilliseconds, medianMilliseconds,
             slowestMilliseconds)
      .str();
}

} // namespace tessera::solver
