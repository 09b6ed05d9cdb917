// Runs the tests of a file.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_LIB_RUNNER_TESTMODE_H
#define TESSERA_LIB_RUNNER_TESTMODE_H

#include "KernelSource.h"

#include "tessera/Runner/Options.h"

namespace tessera {

/// Runs every test that the options ask for and prints the report; the last line is `N passed, N failed`. `source` is null
/// if the file could not be read, which counts as one failure. True if something ran and nothing failed.
bool runTests(KernelSource *source, const RunnerOptions &options, mlir::MLIRContext &context,
              llvm::raw_ostream &out, Reporter &reporter);

} // namespace tessera

#endif // TESSERA_LIB_RUNNER_TESTMODE_H
