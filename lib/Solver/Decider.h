//===- Decider.h - can these conditions hold together? ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Private to the library. The order of attack for one list of conditions: rules, cache, the solver on linear text. With
// products in them: sizes that are multiples are written as such, products become constants with linear facts, then
// factors are fixed to small values, and last the products themselves are asked about. A model counts only after all
// conditions evaluated to true in it.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_LIB_SOLVER_DECIDER_H
#define TESSERA_LIB_SOLVER_DECIDER_H

#include "Backend.h"

#include "tessera/Solver/Solver.h"

namespace tessera::solver {

struct Decision {
  CheckResult result = CheckResult::Unknown;
  UnknownCause cause = UnknownCause::None;
  std::string detail;
  std::vector<unsigned> used; ///< of Unsat: positions of conditions
  Assignment assignment;      ///< of Sat
  bool smallest = false;
  DecidedBy by = DecidedBy::Solver;
  std::string hash;
  uint64_t rlimit = 0;
  unsigned checks = 0, tightenings = 0;
};

class Decider {
public:
  Decider(ExprContext &context, SolverOptions &options) : context(context), options(options) {}

  /// `comments` are for the log.
  Decision decide(llvm::ArrayRef<Expr> conditions, std::vector<std::string> comments);

  VerdictCache cache;
  QueryLog log;
  std::vector<std::string> problems;
  unsigned disagreements = 0; ///< of a recheck with the cache
  llvm::StringSet<> solved;   ///< hashes that this process answered itself

private:
  std::string keyOf(llvm::ArrayRef<Expr> conditions) const;
  Decision decideAnew(llvm::ArrayRef<Expr> conditions, std::vector<std::string> comments);

  /// Questions that were asked more than once, by the conditions themselves: their text and its hash need not be made again.
  llvm::StringMap<Decision> settled;

  struct Question {
    llvm::ArrayRef<Expr> conditions;
    SmtQuery exact;
    std::vector<std::string> comments;
  };

  bool fromCache(const Question &question, Decision &decision);
  void compareWithCache(const Decision &decision);
  void toCache(const Question &question, const Decision &decision);
  void solve(const Question &question, Decision &decision);
  void solveProducts(const Question &question, Decision &decision);
  bool solveWithMultiples(const Question &question, Decision &decision);
  bool solveWithFixedFactors(const Question &question, Decision &decision);
  /// One check of the solver. True when it settles the question: Unsat, or Sat with a model that holds.
  bool attempt(const Question &question, const SmtQuery &query, llvm::ArrayRef<Expr> conditions,
               llvm::StringRef stage, Decision &decision);
  void record(const Question &question, const SmtQuery &query, Products products,
              llvm::StringRef stage, std::optional<Outcome> outcome, llvm::StringRef hash);
  void complain(std::optional<std::string> problem) {
    if (problem) {
      problems.push_back(std::move(*problem));
    }
  }

  ExprContext &context;
  SolverOptions &options;
  Backend backend;
};

/// Values of the query's atoms as an assignment.
Assignment assignmentOf(const SmtQuery &query, llvm::ArrayRef<Int> values);
/// Every condition is true and every value inside its declared range.
bool allHold(llvm::ArrayRef<Expr> conditions, const Assignment &assignment);

/// Makes the values of the query that is open in `backend` small: sizes under a common power of two, then sizes and
/// indices one after the other. Returns whether every step got an answer; counts into `decision`.
bool makeSmall(Backend &backend, const SmtQuery &query, llvm::ArrayRef<Expr> conditions,
               const SolverOptions &options, std::vector<Int> &values, Decision &decision);

} // namespace tessera::solver

#endif // TESSERA_LIB_SOLVER_DECIDER_H
