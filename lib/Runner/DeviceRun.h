// Device code of a kernel, made once and run for every launch.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TESSERA_LIB_RUNNER_DEVICERUN_H
#define TESSERA_LIB_RUNNER_DEVICERUN_H

#include "Costs.h"
#include "CudaRun.h"
#include "Launch.h"

#include "tessera/Conversion/DeviceModule.h"
#include "tessera/Runner/Options.h"
#include "tessera/Simulator/Simulator.h"

#include <map>

namespace tessera {

class DeviceRun {
public:
  explicit DeviceRun(const RunnerOptions &options) : options(options) {}

  /// Runs the launch on the device of the options, the interpreter included.
  llvm::Expected<RunReport> run(Launch &launch, const RunOptions &how);
  /// What the launches so far cost, where the options ask for it.
  void printCosts(llvm::raw_ostream &os) const;

  /// How often code was made: once for each instance of a kernel, whatever the extents of its launches.
  unsigned timesMade() const { return compilations; }

private:
  /// Runs the launch on the simulator. The error is of code that could not be made, of launches that are
  /// refused, and of what the code does wrong.
  llvm::Expected<RunReport> simulate(Launch &launch, uint64_t seed);
  llvm::Expected<RunReport> onGpu(Launch &launch);
  struct Code {
    runtime::LaunchRecord record;
    std::unique_ptr<sim::Simulator> simulator;
    std::unique_ptr<CudaRun> gpu;
    std::unique_ptr<Costs> costs;
  };
  llvm::Expected<Code *> codeOf(tile::KernelOp kernel);

  const RunnerOptions &options;
  std::map<mlir::Operation *, Code> made;
  unsigned compilations = 0;
  std::vector<const Costs *> costs; ///< in the order in which code was made
};

} // namespace tessera

#endif // TESSERA_LIB_RUNNER_DEVICERUN_H
