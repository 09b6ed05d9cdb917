//===- Decider.cpp - can these conditions hold together? ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Decider.h.
//
//===----------------------------------------------------------------------===//

#include "Decider.h"

#include "Rules.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

namespace tessera::solver {

static std::optional<Outcome> outcomeOf(CheckResult result) {
  switch (result) {
  case CheckResult::Unsat:
    return Outcome::Proved;
  case CheckResult::Sat:
    return Outcome::Refuted;
  case CheckResult::Unknown:
    return std::nullopt;
  }
  return std::nullopt;
}

void Decider::record(const Question &question, const SmtQuery &query, Products products,
                     llvm::StringRef stage, std::optional<Outcome> outcome, llvm::StringRef hash) {
  if (!log.isOpen()) {
    return;
  }
  std::vector<std::string> comments = question.comments;
  if (!stage.empty()) {
    comments.push_back("stage: " + stage.str());
  }
  complain(log.write({hash, query.logic(products), query.text, comments, outcome, options.rlimit}));
}

bool Decider::fromCache(const Question &question, Decision &decision) {
  // The log holds what the solver was asked, which for products depends on the stage that settled the question.
  bool isOthers = !solved.contains(decision.hash);
  if ((options.recheck && isOthers) || (log.isOpen() && question.exact.hasProducts)) {
    return false;
  }
  std::optional<CachedAnswer> answer = cache.find(decision.hash);
  if (!answer) {
    return false;
  }
  switch (answer->outcome) {
  case Outcome::Proved:
    for (Int position : answer->numbers) {
      if (position < 0 || position >= Int(question.conditions.size())) {
        problems.push_back("the cached proof of query " + decision.hash +
                           " names a condition that the query does not have; proved again");
        return false;
      }
      decision.used.push_back(static_cast<unsigned>(position));
    }
    decision.result = CheckResult::Unsat;
    break;
  case Outcome::Refuted:
    decision.assignment = assignmentOf(question.exact, answer->numbers);
    if (!allHold(question.conditions, decision.assignment)) {
      problems.push_back("the cached witness of query " + decision.hash +
                         " does not hold; solved again");
      return false;
    }
    decision.result = CheckResult::Sat;
    decision.smallest = answer->smallest;
    break;
  case Outcome::Unknown:
    if (answer->rlimit < options.rlimit) {
      return false;
    }
    decision.cause = answer->cause;
    decision.detail = "kept from an attempt with " + std::to_string(answer->rlimit) + " units";
    break;
  }
  decision.by = DecidedBy::Cache;
  record(question, question.exact, Products::Exact, "answer from the cache",
         outcomeOf(decision.result), decision.hash);
  return true;
}

void Decider::compareWithCache(const Decision &decision) {
  std::optional<CachedAnswer> old =
      options.recheck ? cache.find(decision.hash) : std::optional<CachedAnswer>();
  if (old && old->outcome != Outcome::Unknown && old->outcome != outcomeOf(decision.result)) {
    ++disagreements;
    problems.push_back("recheck: the cached answer of query " + decision.hash + " was `" +
                       (old->outcome == Outcome::Proved ? "proved" : "refuted") + "`, the solver " +
                       (decision.result == CheckResult::Unknown ? "finds no answer" : "disagrees"));
  }
}

void Decider::toCache(const Question &question, const Decision &decision) {
  // Running out of memory or an error says something about this process, not about the query.
  if (decision.cause == UnknownCause::Memory || decision.cause == UnknownCause::Failure) {
    return;
  }
  CachedAnswer answer;
  answer.outcome = outcomeOf(decision.result).value_or(Outcome::Unknown);
  answer.cause = decision.cause;
  answer.rlimit = answer.outcome == Outcome::Unknown ? options.rlimit : decision.rlimit;
  answer.smallest = decision.smallest;
  if (answer.outcome == Outcome::Proved) {
    answer.numbers.assign(decision.used.begin(), decision.used.end());
  } else if (answer.outcome == Outcome::Refuted) {
    for (const auto &[atom, name] : question.exact.atoms) {
      std::optional<Int> value = evaluate(atom, decision.assignment);
      if (!value) {
        return;
      }
      answer.numbers.push_back(*value);
    }
  }
  solved.insert(decision.hash);
  complain(cache.add(decision.hash, answer));
}

bool Decider::attempt(const Question &question, const SmtQuery &query,
                      llvm::ArrayRef<Expr> conditions, llvm::StringRef stage, Decision &decision) {
  ++decision.checks;
  CheckAnswer answer = backend.check(query, options.rlimit);
  decision.rlimit += answer.rlimit;
  bool abstract = stage == "axioms";
  std::string hash = decision.hash + (stage.empty() ? "" : "-" + stage.str());
  record(question, query, abstract ? Products::Axioms : Products::Exact, stage,
         outcomeOf(answer.result), hash);
  switch (answer.result) {
  case CheckResult::Unsat:
    decision.result = CheckResult::Unsat;
    decision.used = answer.core;
    return true;
  case CheckResult::Unknown:
    decision.cause = answer.cause;
    decision.detail = answer.detail;
    return false;
  case CheckResult::Sat:
    break;
  }
  if (!allHold(conditions, assignmentOf(query, answer.values))) {
    decision.cause = abstract ? UnknownCause::Incomplete : UnknownCause::Failure;
    decision.detail = abstract ? "the instance found has products that are not products"
                               : "the solver's instance does not satisfy the query";
    return false;
  }
  decision.result = CheckResult::Sat;
  decision.smallest = makeSmall(backend, query, conditions, options, answer.values, decision);
  decision.assignment = assignmentOf(query, answer.values);
  return true;
}

/// Symbols that make every product linear once they have values; empty when some product has no symbol.
static llvm::SmallVector<Expr, 4> factorsToFix(llvm::ArrayRef<Expr> conditions) {
  llvm::SmallVector<Expr, 4> products, fixed;
  collectProducts(conditions, products);
  for (Expr product : products) {
    unsigned open = 0;
    Expr candidate;
    for (Expr factor : product.operands()) {
      if (llvm::is_contained(fixed, factor)) {
        continue;
      }
      ++open;
      if (factor.is(ExprKind::Symbol) &&
          (candidate.isNull() || factor.declaration().role == Role::Size)) {
        candidate = factor;
      }
    }
    if (open < 2) {
      continue;
    }
    if (candidate.isNull()) {
      return {};
    }
    fixed.push_back(candidate);
  }
  return fixed;
}

/// Symbols that vanished with a substitution still need values.
static void completeAssignment(const SmtQuery &query, Assignment &assignment) {
  for (const auto &[atom, name] : query.atoms) {
    if (atom.is(ExprKind::Symbol)) {
      Range range = atom.range();
      assignment.symbols.try_emplace(atom.raw(), range.lo ? *range.lo : range.hi.value_or(0));
    }
  }
}

/// Looks for an instance only: with factors fixed the question is linear. Never proves anything.
bool Decider::solveWithFixedFactors(const Question &question, Decision &decision) {
  llvm::SmallVector<Expr, 4> factors = factorsToFix(question.conditions);
  if (factors.empty()) {
    return false;
  }
  for (Int step : {0, 1, 2, 3, 7}) {
    Substitution values;
    Assignment fixed;
    for (Expr factor : factors) {
      Range range = factor.range();
      Int value = range.lo.value_or(1) + step;
      value = range.hi ? std::min(value, *range.hi) : value;
      values[factor.raw()] = context.constant(value);
      fixed.set(factor, value);
    }
    llvm::SmallVector<Expr, 16> conditions;
    for (Expr condition : question.conditions) {
      conditions.push_back(substitute(condition, values));
    }
    if (llvm::any_of(conditions, [](Expr e) { return e.isFalse() || e.isInvalid(); })) {
      continue;
    }
    SmtQuery query = writeSmt(conditions, Products::Exact);
    Decision part;
    part.hash = decision.hash;
    bool settled =
        !query.hasProducts && attempt(question, query, conditions, "fixed" + toString(step), part);
    decision.rlimit += part.rlimit;
    decision.checks += part.checks;
    decision.tightenings += part.tightenings;
    if (!settled || part.result != CheckResult::Sat) {
      continue;
    }
    for (const auto &[symbol, value] : fixed.symbols) {
      part.assignment.symbols[symbol] = value;
    }
    completeAssignment(question.exact, part.assignment);
    if (allHold(question.conditions, part.assignment)) {
      decision.result = CheckResult::Sat;
      decision.assignment = std::move(part.assignment);
      return true;
    }
  }
  return false;
}

/// Writes sizes of which a remainder is known as multiples, and products by the facts about them.
bool Decider::solveWithMultiples(const Question &question, Decision &decision) {
  Substitution multiples;
  std::vector<Expr> conditions(question.conditions.begin(), question.conditions.end());
  std::vector<std::pair<Expr, Expr>> back;
  std::vector<unsigned> sources;
  for (unsigned i = 0; i < conditions.size(); ++i) {
    auto multiple = context.asMultiple(conditions[i]);
    if (multiple && multiples.try_emplace(multiple->first.raw(), multiple->second).second) {
      back.push_back(*multiple);
      sources.push_back(i);
    }
  }
  for (Expr &condition : conditions) {
    condition = substitute(condition, multiples);
    if (condition.isInvalid()) {
      return false;
    }
  }
  SmtQuery query = writeSmt(conditions, Products::Axioms);
  if (!attempt(question, query, conditions, "axioms", decision)) {
    return false;
  }
  if (decision.result == CheckResult::Unsat) {
    decision.used.insert(decision.used.end(), sources.begin(), sources.end());
    llvm::sort(decision.used);
    decision.used.erase(std::unique(decision.used.begin(), decision.used.end()),
                        decision.used.end());
    return true;
  }
  for (const auto &[symbol, solution] : back) {
    if (std::optional<Int> value = evaluate(solution, decision.assignment)) {
      decision.assignment.set(symbol, *value);
    }
  }
  completeAssignment(question.exact, decision.assignment);
  bool holds = allHold(question.conditions, decision.assignment);
  decision.result = holds ? CheckResult::Sat : CheckResult::Unknown;
  return holds;
}

void Decider::solveProducts(const Question &question, Decision &decision) {
  if (solveWithMultiples(question, decision) || solveWithFixedFactors(question, decision)) {
    return;
  }
  attempt(question, question.exact, question.conditions, "products", decision);
}

void Decider::solve(const Question &question, Decision &decision) {
  if (question.exact.hasProducts) {
    solveProducts(question, decision);
  } else {
    attempt(question, question.exact, question.conditions, "", decision);
  }
  if (decision.result != CheckResult::Unknown) {
    decision.cause = UnknownCause::None;
    decision.detail.clear();
  }
}

/// Terms are unique in their context, so equal conditions are the same nodes.
std::string Decider::keyOf(llvm::ArrayRef<Expr> conditions) const {
  std::string key;
  auto append = [&](auto value) {
    key.append(reinterpret_cast<const char *>(&value), sizeof(value));
  };
  append(uint64_t(options.rlimit));
  append(uint64_t(options.maxTightenings));
  append(uint64_t(options.tightenRlimit));
  append(options.useRules);
  for (Expr condition : conditions) {
    append(condition.raw());
  }
  return key;
}

Decision Decider::decide(llvm::ArrayRef<Expr> conditions, std::vector<std::string> comments) {
  // A log holds every question, and a recheck asks every question itself.
  if (log.isOpen() || options.recheck) {
    return decideAnew(conditions, std::move(comments));
  }
  std::string key = keyOf(conditions);
  if (auto found = settled.find(key); found != settled.end()) {
    return found->second;
  }
  Decision decision = decideAnew(conditions, std::move(comments));
  // An answer of the solver is kept as the cache gives it back, which costs nothing.
  if (decision.result != CheckResult::Unknown && decision.by != DecidedBy::Solver) {
    settled.try_emplace(key, decision);
  }
  return decision;
}

Decision Decider::decideAnew(llvm::ArrayRef<Expr> conditions, std::vector<std::string> comments) {
  backend.memoryMebibytes = options.memoryMebibytes;
  Decision decision;
  Question question{conditions, writeSmt(conditions, Products::Exact), std::move(comments)};
  std::string keyOptions = "witness " + std::to_string(options.maxTightenings) + " " +
                           std::to_string(options.tightenRlimit);
  static const std::string version = Backend::version();
  decision.hash = VerdictCache::key(question.exact.text, version, keyOptions);

  if (options.useRules) {
    if (std::optional<std::vector<unsigned>> used = contradictionByRules(context, conditions)) {
      decision.result = CheckResult::Unsat;
      decision.used = std::move(*used);
      decision.by = DecidedBy::Rules;
      record(question, question.exact, Products::Exact, "decided by rules", Outcome::Proved,
             decision.hash);
      compareWithCache(decision);
      return decision;
    }
  }
  if (!fromCache(question, decision)) {
    decision.used.clear();
    decision.assignment = Assignment();
    solve(question, decision);
    compareWithCache(decision);
    toCache(question, decision);
  }
  return decision;
}

} // namespace tessera::solver
