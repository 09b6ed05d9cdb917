// Runs a kernel's body on contents made from a seed, for tests that compare two forms of one program.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_TESTING_KERNELRUN_H
#define TESSERA_TESTING_KERNELRUN_H

#include "tessera/Interpreter/Interpreter.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tessera {

struct KernelRun {
  /// Codes and messages of the errors.
  std::vector<std::string> errors;
  /// By written argument: name, and its elements as bytes in index order, NaNs all alike.
  std::vector<std::pair<std::string, std::vector<uint8_t>>> outputs;

  /// What differs, or nothing.
  std::string difference(const KernelRun &other) const;
};

/// What arrays and scalars hold: all kinds of values, or integers from -3 to 3, of which sums and products are the same in
/// every order where they stay small.
enum class RunContents { any, integers };

/// Extents not in `extents` get a small value from the seed. Nothing where the shapes are negative or have more than
/// 2^19 elements. Contents depend on names and the seed alone.
std::optional<KernelRun> runKernel(tile::KernelOp kernel,
                                   const std::map<std::string, int64_t> &extents, uint64_t seed,
                                   const RunOptions &options = {},
                                   RunContents contents = RunContents::any);

} // namespace tessera

#endif // TESSERA_TESTING_KERNELRUN_H
