// Reports as JSON, for other programs.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_LIB_RUNNER_RUNREPORTJSON_H
#define TESSERA_LIB_RUNNER_RUNREPORTJSON_H

#include "Verification.h"

namespace tessera {

/// What the tests of one kernel gave.
struct TestSummary {
  std::string kernel;
  uint64_t passed = 0, failed = 0, excluded = 0, dropped = 0, elements = 0;
  double seconds = 0;
};

/// `{"kernel": …, "extents": {…}, "checks": [{"output": …, "kind": …, "compared": …, "failures": …}]}`.
llvm::Error writeRunJson(llvm::StringRef path, llvm::StringRef kernel, const Launch &launch,
                         const Verification &verification);

/// `{"tests": [{"kernel": …, "passed": …, "failed": …, …}], "passed": …, "failed": …}`.
llvm::Error writeTestJson(llvm::StringRef path, llvm::ArrayRef<TestSummary> tests);

} // namespace tessera

#endif // TESSERA_LIB_RUNNER_RUNREPORTJSON_H
