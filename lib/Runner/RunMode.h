// Runs one kernel on arrays from files.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_LIB_RUNNER_RUNMODE_H
#define TESSERA_LIB_RUNNER_RUNMODE_H

#include "KernelSource.h"

#include "tessera/Runner/Options.h"

namespace tessera {

/// True if everything held; otherwise something was reported.
bool runKernel(KernelSource &source, const RunnerOptions &options, mlir::MLIRContext &context,
               llvm::raw_ostream &out, Reporter &reporter);

} // namespace tessera

#endif // TESSERA_LIB_RUNNER_RUNMODE_H
