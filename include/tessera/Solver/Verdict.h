//===- Verdict.h - what a proof attempt found out -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Three outcomes that look different to a user. Proved: for all values allowed by the facts. Refuted: a witness, which
// was evaluated in every fact and in the goal before it was handed out. Unknown: neither, and why; it is a refusal, and
// its words name what would help.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_SOLVER_VERDICT_H
#define TESSERA_SOLVER_VERDICT_H

#include "tessera/Solver/Expr.h"

#include <string>
#include <vector>

namespace tessera::solver {

enum class Outcome : uint8_t { Proved, Refuted, Unknown };

enum class UnknownCause : uint8_t {
  None,
  Budget,     ///< the resource limit of the query was spent
  Incomplete, ///< the solver gave up: products of unknowns, numbers beyond 2^120
  Memory,     ///< the solver ran out of memory
  Invalid,    ///< a fact or the goal is an Invalid term
  Failure,    ///< the solver reported an error or a model that does not hold
};

enum class DecidedBy : uint8_t {
  Simplification, ///< the goal became true or false while it was made
  Rules,          ///< ranges, divisibility and equalities, without the solver
  Cache,
  Solver,
};

/// One value of a witness: a symbol, or a function at arguments.
struct WitnessValue {
  std::string name;
  std::vector<Int> arguments;
  Int value = 0;
  Role role = Role::Index;
  /// Occurs in the goal or in a fact that shares a symbol with it, directly or through others.
  bool relevant = true;
};

struct Witness {
  std::vector<WitnessValue> values; ///< sizes first, each group by name
  Assignment assignment;
  /// Sizes, held together under a power of two, then indices are as small as they can be, one after the other by name.
  bool smallest = false;

  /// `M = 130, i = 128, idx(3) = 5`; relevant values only.
  std::string str() const;
  /// The value of the symbol or application printed as `name`.
  std::optional<Int> operator[](llvm::StringRef name) const;
};

struct Cost {
  DecidedBy by = DecidedBy::Simplification;
  double milliseconds = 0; ///< for reports only; no answer depends on it
  uint64_t rlimit = 0;     ///< resource units spent in this query
  unsigned checks = 0;     ///< calls of the solver, tightening of the witness included
};

/// A question that was asked, for reports: the hash of its text and what it cost.
struct AskedQuery {
  std::string hash;
  Cost cost;
};

struct Verdict {
  Outcome outcome = Outcome::Unknown;
  Witness witness; ///< of Refuted

  UnknownCause cause = UnknownCause::None;
  std::string detail;                 ///< of Unknown: the solver's or the term's own words
  std::vector<std::string> hardTerms; ///< of Unknown: products the answer may hang on

  /// Of Proved: names of the facts the proof uses, in order of assumption. Not always the fewest.
  std::vector<std::string> usedFacts;
  /// Of Proved: the facts contradict each other, so the goal does not matter.
  bool vacuous = false;
  /// Of Refuted: facts that share no symbol with the goal were not decided, the witness ignores them.
  bool othersUndecided = false;

  std::string query; ///< hash of the query's text, the name in the log and in the cache
  Cost cost;

  bool proved() const { return outcome == Outcome::Proved; }
  bool refuted() const { return outcome == Outcome::Refuted; }
  bool unknown() const { return outcome == Outcome::Unknown; }

  /// The outcome in a sentence, without the goal: `holds`, `fails for M = 130, i = 128`, `no proof and no counterexample
  /// were found: ...`.
  std::string str() const;
  /// Of Unknown: what the user can do, one suggestion each.
  std::vector<std::string> exits() const;
};

} // namespace tessera::solver

#endif // TESSERA_SOLVER_VERDICT_H
