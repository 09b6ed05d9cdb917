// A sequence of calls as statements of a script.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TESSERA_LIB_TESTING_SCHEDULES_SEQUENCE_H
#define TESSERA_LIB_TESTING_SCHEDULES_SEQUENCE_H

#include "WatchedHost.h"

#include <set>

namespace tessera::schedulefuzz {

/// One call. `let v3 = split(load(x).c, 4)`; one that was refused stands in a `try`.
struct Statement {
  std::string call;
  unsigned number = 0; ///< of its variable
  bool hasResult = false, isAccepted = false;
  std::set<unsigned> uses;
};

/// The schedule of a kernel for a target with these statements.
std::string scriptOf(llvm::StringRef kernel, llvm::StringRef target,
                     const std::vector<Statement> &statements);

/// Makes calls until `options.maxCalls` were made or something does not hold.
std::vector<Statement> makeSequence(WatchedHost &host, uint64_t seed,
                                    const ScheduleFuzzOptions &options);

} // namespace tessera::schedulefuzz

#endif // TESSERA_LIB_TESTING_SCHEDULES_SEQUENCE_H
