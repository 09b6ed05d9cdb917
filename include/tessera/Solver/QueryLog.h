//===- QueryLog.h - every query as a file -------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One SMT-LIB file for each question that was decided, by rules, by the solver or from a cache: `q0007-<hash>.smt2`. A
// file is complete: a stand-alone solver gives the same answer. Comments say what was asked, in the words of the
// program, where each fact comes from and what the answer was.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_SOLVER_QUERYLOG_H
#define TESSERA_SOLVER_QUERYLOG_H

#include "tessera/Solver/Verdict.h"

namespace tessera::solver {

/// One question for the log. Comments may hold several lines.
struct LoggedQuery {
  llvm::StringRef hash, logic, text;
  std::vector<std::string> comments;
  std::optional<Outcome> outcome; ///< sat, unsat; nothing: unknown
  uint64_t rlimit = 0;            ///< limit under which a stand-alone solver should try
};

class QueryLog {
public:
  /// Uses `folder`, made when it does not exist. Files of an earlier run with the same names are replaced. The error, if
  /// any, is a sentence with the path.
  std::optional<std::string> open(llvm::StringRef folder);
  bool isOpen() const { return !folder.empty(); }

  /// The error, if any, is a sentence with the path.
  std::optional<std::string> write(const LoggedQuery &query);

  unsigned written() const { return count; }

private:
  std::string folder;
  unsigned count = 0;
};

} // namespace tessera::solver

#endif // TESSERA_SOLVER_QUERYLOG_H
