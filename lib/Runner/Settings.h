// `--set`: which names are parameters of the instance and which are extents of the launch.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_LIB_RUNNER_SETTINGS_H
#define TESSERA_LIB_RUNNER_SETTINGS_H

#include "KernelSource.h"

namespace tessera {

struct SplitSettings {
  Settings settings;
  std::map<std::string, int64_t> extents;
};

/// Parameters by their names; every other name must be an extent and its value a whole number.
/// Error: T0937.
llvm::Expected<SplitSettings> splitSettings(KernelSource &source, llvm::StringRef kernel,
                                            const std::map<std::string, std::string> &given);

/// Every extent that was set is one of the signature. Error: T0936.
llvm::Error checkExtentNames(llvm::StringRef kernel, const Signature &signature,
                             llvm::ArrayRef<Parameter> parameters,
                             const std::map<std::string, int64_t> &extents);

/// Whether the kernel has `static` values, which an instance computes from the extents of the launch.
bool hasStatics(llvm::ArrayRef<Parameter> parameters);

} // namespace tessera

#endif // TESSERA_LIB_RUNNER_SETTINGS_H
