//===- Backend.h - the one place that calls Z3 --------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Private to the library. One Z3 context, made at the first check (about 20 ms) and kept; every check parses the text of
// its query into a fresh core solver, so that an answer does not depend on the checks before it. Z3's exceptions end
// here: after one, the context is thrown away and the answer is `Unknown` with a cause.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_LIB_SOLVER_BACKEND_H
#define TESSERA_LIB_SOLVER_BACKEND_H

#include "SmtText.h"

#include "tessera/Solver/Verdict.h"

#include <memory>

namespace tessera::solver {

enum class CheckResult { Unsat, Sat, Unknown };

struct CheckAnswer {
  CheckResult result = CheckResult::Unknown;
  UnknownCause cause = UnknownCause::None;
  std::string detail;         ///< Z3's own words for an unknown
  uint64_t rlimit = 0;        ///< spent
  std::vector<unsigned> core; ///< after Unsat: conditions that contradict each other, ascending
  std::vector<Int> values;    ///< after Sat: of SmtQuery::atoms; conditions as 0 or 1
};

class Backend {
public:
  Backend();
  ~Backend();

  /// Memory of all solvers of the process while this one works, in MiB; 0: no limit. Reaching it gives
  /// UnknownCause::Memory.
  unsigned memoryMebibytes = 0;

  /// Keeps the query open for `tighten` when the answer is Sat.
  CheckAnswer check(const SmtQuery &query, uint64_t rlimit);

  /// The open query once more, with atoms (by position) held in ranges.
  CheckAnswer tighten(llvm::ArrayRef<std::pair<unsigned, Range>> bounds, uint64_t rlimit);

  /// Name and version of the solver library, for cache keys and reports.
  static std::string version();

private:
  struct State;
  template <typename Body> CheckAnswer guarded(Body body);

  std::unique_ptr<State> state;
};

} // namespace tessera::solver

#endif // TESSERA_LIB_SOLVER_BACKEND_H
