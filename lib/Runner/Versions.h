// Which version of a kernel a launch takes.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_LIB_RUNNER_VERSIONS_H
#define TESSERA_LIB_RUNNER_VERSIONS_H

#include "Launch.h"

namespace tessera {

/// Whether the kernel is a version of another one, which the launch of that one may take.
bool isVersion(tile::KernelOp kernel);

struct ChosenVersion {
  tile::KernelOp kernel;
  /// `version @k.yes: (N % 8) == 0 holds`, or what holds of no version; empty where the kernel has none.
  std::string report;
};

/// Of the versions of the launch's kernel the one with the most conditions, all of which hold; the kernel itself where there
/// is none. The error says which condition has no meaning for the launch.
llvm::Expected<ChosenVersion> chooseVersion(const Launch &launch);

} // namespace tessera

#endif // TESSERA_LIB_RUNNER_VERSIONS_H
