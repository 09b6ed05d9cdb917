// The command line of tile-run.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_RUNNER_OPTIONS_H
#define TESSERA_RUNNER_OPTIONS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tessera {

/// In which order grid points run; nothing: row-major for a run, several shuffled orders for tests.
struct OrderOption {
  bool reverse = false;
  uint64_t seed = 0;
};

/// Who runs a kernel: the interpreter, or its device code on the simulator or a GPU.
enum class Device { cpu, sim, cuda };

struct RunnerOptions {
  Device device = Device::cpu;
  /// Of device code.
  std::string target = "sm_80";
  /// Of device code of a kernel without a schedule: `default`, or `none`.
  std::string schedule = "default";
  std::string file;
  std::string kernel;
  /// Argument and file or literal, in the order given.
  std::vector<std::pair<std::string, std::string>> inputs;
  /// Argument and file.
  std::vector<std::pair<std::string, std::string>> outputs;
  std::map<std::string, std::string> settings;
  bool check = false;
  /// Compare what a device writes with what the interpreter does.
  bool againstInterpreter = false;
  bool test = false;
  bool failFast = false;
  /// On the simulator: what accesses cost, predicted and counted.
  bool costs = false;
  bool help = false;
  /// `KERNEL` or `KERNEL:CASE`; empty for all tests.
  std::string filter;
  std::optional<OrderOption> gridOrder;
  /// Seed of the run's adversary (tessera/Interpreter/Adversarial.h).
  std::optional<uint64_t> adversarial;
  /// File of the report as JSON; empty for none.
  std::string json;
};

/// The words after the program's name. Errors: T0920 to T0927.
llvm::Expected<RunnerOptions> parseRunnerOptions(llvm::ArrayRef<llvm::StringRef> words);

/// What `--help` prints.
llvm::StringRef runnerUsage();

} // namespace tessera

#endif // TESSERA_RUNNER_OPTIONS_H
