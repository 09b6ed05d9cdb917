// A kernel's device code on a GPU.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TESSERA_LIB_RUNNER_CUDARUN_H
#define TESSERA_LIB_RUNNER_CUDARUN_H

#include "Launch.h"

#include "tessera/Runtime/Driver.h"

namespace tessera {

/// A context and a loaded module; what it needs of the driver is opened when it is made.
class CudaRun {
public:
  /// `ptx`: the text of the record's module.
  static runtime::Result<CudaRun> make(const runtime::LaunchRecord &record, const std::string &ptx);

  /// Arrays go to the device, a launch, what is written comes back. `written` gets a list for each view, in order: which of its
  /// elements (index order) the kernel wrote. That is seen by two runs over different contents: what both leave was not written.
  runtime::Failure run(const runtime::LaunchRecord &record, Launch &launch,
                       std::vector<std::vector<bool>> &written);

private:
  runtime::Context context;
  runtime::Module module;
};

} // namespace tessera

#endif // TESSERA_LIB_RUNNER_CUDARUN_H
