//===- SmallWitness.cpp - the smallest case of a refutation ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bisection with the solver, bounded in steps and units. A step first tries the wanted value in the terms themselves,
// which costs microseconds; the solver is asked only when that fails.
//
//===----------------------------------------------------------------------===//

#include "Decider.h"

#include "llvm/ADT/STLExtras.h"

#include <tuple>

namespace tessera::solver {

Assignment assignmentOf(const SmtQuery &query, llvm::ArrayRef<Int> values) {
  Assignment assignment;
  for (size_t i = 0; i < query.atoms.size() && i < values.size(); ++i) {
    if (query.atoms[i].first.is(ExprKind::Symbol)) {
      assignment.set(query.atoms[i].first, values[i]);
    }
  }
  // Arguments may hold applications themselves; atoms are listed inner ones first.
  for (size_t i = 0; i < query.atoms.size() && i < values.size(); ++i) {
    Expr atom = query.atoms[i].first;
    if (!atom.is(ExprKind::Apply)) {
      continue;
    }
    std::vector<Int> arguments;
    for (Expr operand : atom.operands()) {
      std::optional<Int> value = evaluate(operand, assignment);
      if (!value) {
        break;
      }
      arguments.push_back(*value);
    }
    if (arguments.size() == atom.operands().size()) {
      assignment.functions[{&atom.declaration(), arguments}] = values[i];
    }
  }
  return assignment;
}

static bool withinDeclaredRanges(const Assignment &assignment) {
  bool within = true;
  for (const auto &[node, value] : assignment.symbols) {
    within &= Expr(node).range().contains(value);
  }
  for (const auto &[call, value] : assignment.functions) {
    within &= call.first->range.contains(value);
  }
  return within;
}

bool allHold(llvm::ArrayRef<Expr> conditions, const Assignment &assignment) {
  if (!withinDeclaredRanges(assignment)) {
    return false;
  }
  return llvm::all_of(conditions, [&](Expr condition) {
    std::optional<Int> value = evaluate(condition, assignment);
    return value && *value == 1;
  });
}

namespace {

class Shrinking {
public:
  Shrinking(Backend &backend, const SmtQuery &query, llvm::ArrayRef<Expr> conditions,
            const SolverOptions &options, std::vector<Int> &values, Decision &decision)
      : backend(backend), query(query), conditions(conditions), options(options), values(values),
        decision(decision) {}

  bool run();

private:
  using Bounds = llvm::SmallVector<std::pair<unsigned, Range>, 8>;

  bool possible(const Bounds &extra);
  bool possibleAt(unsigned position, Range range, Int wanted);
  void holdSizes();
  void minimise(unsigned position);

  Backend &backend;
  const SmtQuery &query;
  llvm::ArrayRef<Expr> conditions;
  const SolverOptions &options;
  std::vector<Int> &values;
  Decision &decision;
  Bounds held;
  bool complete = true;
};

/// Asks for an instance within the bounds held so far and `extra`; takes its values over.
bool Shrinking::possible(const Bounds &extra) {
  if (decision.tightenings >= options.maxTightenings) {
    complete = false;
    return false;
  }
  ++decision.tightenings;
  Bounds bounds = held;
  bounds.append(extra.begin(), extra.end());
  CheckAnswer answer = backend.tighten(bounds, options.tightenRlimit);
  decision.rlimit += answer.rlimit;
  if (answer.result == CheckResult::Sat &&
      allHold(conditions, assignmentOf(query, answer.values))) {
    values = answer.values;
    return true;
  }
  complete &= answer.result == CheckResult::Unsat;
  return false;
}

bool Shrinking::possibleAt(unsigned position, Range range, Int wanted) {
  std::vector<Int> trial = values;
  trial[position] = wanted;
  if (!query.hasFunctions && allHold(conditions, assignmentOf(query, trial))) {
    values = trial;
    return true;
  }
  return possible({{position, range}});
}

/// All sizes at most 2^k above their least value, for the least k.
void Shrinking::holdSizes() {
  llvm::SmallVector<unsigned, 4> sizes;
  auto least = [&](unsigned position) {
    return query.atoms[position].first.range().lo.value_or(0);
  };
  Int largest = 0;
  for (unsigned i = 0; i < query.atoms.size(); ++i) {
    if (query.atoms[i].first.is(ExprKind::Symbol) &&
        query.atoms[i].first.declaration().role == Role::Size) {
      sizes.push_back(i);
      largest = std::max(largest, values[i] - least(i));
    }
  }
  unsigned high = 0;
  while (high < 100 && (Int(1) << high) < largest) {
    ++high;
  }
  constexpr unsigned smallEnough = 2;
  if (sizes.size() < 2 || high <= smallEnough) {
    return;
  }
  auto bounds = [&](unsigned exponent) {
    Bounds all;
    for (unsigned position : sizes) {
      all.push_back({position, Range{std::nullopt, least(position) + (Int(1) << exponent)}});
    }
    return all;
  };
  for (unsigned low = smallEnough; low < high;) {
    unsigned middle = (low + high) / 2;
    if (possible(bounds(middle))) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  Bounds found = bounds(high);
  held.append(found.begin(), found.end());
}

void Shrinking::minimise(unsigned position) {
  std::optional<Int> declared = query.atoms[position].first.range().lo;
  if (!declared && values[position] < 0) {
    possible({{position, Range::atLeast(0)}});
  }
  // Towards the declared least value, or towards zero from either side.
  bool mirrored = !declared && values[position] < 0;
  Int sign = mirrored ? -1 : 1;
  auto span = [&](Int from, Int to) {
    return mirrored ? Range::between(-to, -from) : Range::between(from, to);
  };
  Int low = mirrored ? 1 : declared.value_or(0);
  bool first = true;
  while (sign * values[position] > low) {
    Int middle = first ? low : low + (sign * values[position] - low) / 2;
    first = false;
    if (!possibleAt(position, span(low, middle), sign * middle)) {
      low = middle + 1;
      if (!complete) {
        break;
      }
    }
  }
  held.push_back({position, Range::exactly(values[position])});
}

bool Shrinking::run() {
  holdSizes();
  llvm::SmallVector<unsigned, 16> order;
  for (unsigned i = 0; i < query.atoms.size(); ++i) {
    Expr atom = query.atoms[i].first;
    if (atom.is(ExprKind::Symbol) && atom.declaration().role != Role::Condition) {
      order.push_back(i);
    }
  }
  llvm::sort(order, [&](unsigned a, unsigned b) {
    const Declaration &x = query.atoms[a].first.declaration();
    const Declaration &y = query.atoms[b].first.declaration();
    return std::tie(x.role, x.name) < std::tie(y.role, y.name);
  });
  for (size_t i = 0; i < order.size() && complete; ++i) {
    minimise(order[i]);
  }
  return complete;
}

} // namespace

bool makeSmall(Backend &backend, const SmtQuery &query, llvm::ArrayRef<Expr> conditions,
               const SolverOptions &options, std::vector<Int> &values, Decision &decision) {
  if (options.maxTightenings == 0) {
    return false;
  }
  return Shrinking(backend, query, conditions, options, values, decision).run();
}

} // namespace tessera::solver
