// Kernels as LLVM IR text, run by the simulator. The n-th marker call of a kernel is at `k.tile:n:1`.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_TEST_UNIT_SIMULATOR_SIMTESTING_H
#define TESSERA_TEST_UNIT_SIMULATOR_SIMTESTING_H

#include "tessera/Simulator/Simulator.h"

#include <numeric>

namespace tessera::simtest {

/// Text of functions; markers need no declaration. Attributes `#0` make an entry of 64 threads and 1024 bytes.
llvm::Expected<std::unique_ptr<sim::Simulator>> compile(llvm::StringRef functions);

/// `compile` that may not fail.
class Kernel {
public:
  explicit Kernel(llvm::StringRef functions);
  sim::SimReport run(const sim::SimLaunch &launch, llvm::StringRef entry = "k");

private:
  std::unique_ptr<sim::Simulator> simulator;
};

/// A body between `define void @k(PARAMETERS) #0 {` and a return; `%tid` is the thread.
Kernel kernelOf(llvm::StringRef parameters, llvm::StringRef body);

template <typename T> uint64_t word(T value) {
  uint64_t bits = 0;
  static_assert(sizeof(T) <= 8);
  std::memcpy(&bits, &value, sizeof(T));
  return bits;
}

template <typename T>
sim::MemoryRegion region(llvm::StringRef name, std::vector<T> &data,
                         sim::RegionMode mode = sim::RegionMode::inout) {
  return {name.str(), data.data(), sizeof(T), {int64_t(data.size())}, {1}, mode};
}

/// Kinds of the errors, in order.
std::vector<sim::ErrorKind> kinds(const sim::SimReport &report);
/// The report as text, for failures.
std::string text(const sim::SimReport &report);

} // namespace tessera::simtest

#endif // TESSERA_TEST_UNIT_SIMULATOR_SIMTESTING_H
