//===- Solver.h - proves facts about all sizes --------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Facts are assumed on a stack; `prove` asks whether a goal follows from them for all values of all symbols. The
// question is put the other way round: facts and the negated goal, without quantifiers, must contradict each other. An
// instance of them is the witness of a refutation. Effort is counted in the solver's resource units, never in time, so
// an answer is the same on every machine. Nothing here throws, aborts or asserts on what it is given.
//
//   Solver solver(context);
//   solver.assume(i < N, "i < N", "loop i, row.tile:4");
//   Verdict verdict = solver.prove(i * 8 + 7 < N * 8, "the vector ends inside the row");
//
// One Solver per compile and thread.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_SOLVER_SOLVER_H
#define TESSERA_SOLVER_SOLVER_H

#include "tessera/Solver/ExprContext.h"
#include "tessera/Solver/QueryLog.h"
#include "tessera/Solver/Verdict.h"
#include "tessera/Solver/VerdictCache.h"

#include <memory>

namespace tessera::solver {

/// A condition that may be relied on, and where it comes from.
struct Fact {
  Expr condition;
  std::string name; ///< short, for explanations: `M % 128 = 0`; the condition itself when empty
  std::string provenance; ///< for the log: the source line, the primitive
};

/// A goal with the facts that only it needs.
struct Obligation {
  std::string title; ///< what is claimed, in the words of the program
  std::vector<Fact> facts;
  Expr goal;
};

struct SolverOptions {
  uint64_t rlimit = 200000;       ///< units for one question
  uint64_t tightenRlimit = 20000; ///< units for one step that makes a witness smaller
  unsigned maxTightenings = 40;   ///< steps for one witness; 0: hand out the first witness found
  bool useRules = true;           ///< decide without the solver where possible
  bool recheck =
      false; ///< read only answers of this solver from the cache; compare with the others
  unsigned memoryMebibytes = 0; ///< for the solver in this process; 0: no limit
};

struct SolverStatistics {
  unsigned queries = 0, proved = 0, refuted = 0, unknown = 0;
  unsigned bySimplification = 0, byRules = 0, fromCache = 0, bySolver = 0;
  unsigned checks = 0, tightenings = 0; ///< calls of the solver
  uint64_t rlimit = 0;
  double totalMilliseconds = 0, medianMilliseconds = 0, slowestMilliseconds = 0;
  std::string slowestQuery; ///< its hash; empty where none was asked
  /// Of those that the solver itself decided.
  double solverMilliseconds = 0, solverMedianMilliseconds = 0;
  unsigned disagreements = 0; ///< of a recheck: cached answers that are not those of the solver

  /// Several lines for a report.
  std::string str() const;
};

class Solver {
public:
  explicit Solver(ExprContext &context, SolverOptions options = {});
  ~Solver();
  Solver(const Solver &) = delete;
  Solver &operator=(const Solver &) = delete;

  ExprContext &context() const;
  SolverOptions &options();

  /// Facts assumed between push and pop are dropped by pop; a pop without push does nothing and returns false.
  void push();
  bool pop();
  void assume(Fact fact);
  void assume(Expr condition, llvm::StringRef name = "", llvm::StringRef provenance = "");
  llvm::ArrayRef<Fact> facts() const;

  /// Whether `goal` follows from the facts. `title` is for the log.
  Verdict prove(Expr goal, llvm::StringRef title = "");
  Verdict prove(const Obligation &obligation);
  /// Whether the facts have an instance: Refuted (with an instance) when they do, Proved when they contradict.
  Verdict contradiction(llvm::StringRef title = "the facts contradict each other");

  /// Answers of earlier compiles.
  VerdictCache &cache();
  /// Files of queries; closed until opened.
  QueryLog &log();

  SolverStatistics statistics() const;
  /// What went wrong beside the answers: files that could not be written, cached answers that did not hold.
  llvm::ArrayRef<std::string> problems() const;

  /// Name and version of the solver library.
  static std::string version();

private:
  struct Impl;
  std::unique_ptr<Impl> impl;
};

/// Assumes for the time of a scope.
class Assuming {
public:
  explicit Assuming(Solver &solver) : solver(solver) { solver.push(); }
  ~Assuming() { solver.pop(); }
  Assuming(const Assuming &) = delete;
  Assuming &operator=(const Assuming &) = delete;

private:
  Solver &solver;
};

} // namespace tessera::solver

#endif // TESSERA_SOLVER_SOLVER_H
