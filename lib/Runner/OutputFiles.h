// Writes the outputs of a run: all files appear, or none.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_LIB_RUNNER_OUTPUTFILES_H
#define TESSERA_LIB_RUNNER_OUTPUTFILES_H

#include "tessera/Host/HostArray.h"

#include <string>
#include <vector>

namespace tessera {

struct OutputFile {
  std::string argument;
  std::string path;
  HostArray array;
};

/// No two outputs go to one file and no target is something else than a file. Errors: T0948, T0949.
llvm::Error checkOutputFiles(const std::vector<OutputFile> &files);

/// Each array is written beside its target first; then all are moved to their places.
llvm::Error writeOutputFiles(const std::vector<OutputFile> &files);

} // namespace tessera

#endif // TESSERA_LIB_RUNNER_OUTPUTFILES_H
