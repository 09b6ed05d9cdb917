// Runs a kernel's body on contents made from a seed, for what compares two forms of one program: tests, replays of refused
// steps.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_INTERPRETER_KERNELRUN_H
#define TESSERA_INTERPRETER_KERNELRUN_H

#include "tessera/Interpreter/Interpreter.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tessera {

/// A written argument after a run.
struct KernelOutput {
  std::string name;
  DType dtype;
  std::vector<int64_t> shape;
  std::vector<uint8_t> bytes; ///< elements in index order, NaNs all alike

  bool operator==(const KernelOutput &other) const {
    return name == other.name && dtype == other.dtype && shape == other.shape &&
           bytes == other.bytes;
  }
};

struct KernelRun {
  /// Codes and messages of the errors.
  std::vector<std::string> errors;
  std::vector<KernelOutput> outputs; ///< in order of the arguments
  std::string printed;
  uint64_t bytes = 0; ///< of values made

  /// What differs, or nothing: ``y[0, 3]` is 1 against 2`.
  std::string difference(const KernelRun &other) const;
  /// The same of what is printed; its order is the program's only inside of a grid point.
  std::string printedOtherwise(const KernelRun &other) const;
};

/// What arrays and scalars hold: all kinds of values, or integers from -3 to 3, of which sums and products are the same in
/// every order where they stay small.
enum class RunContents { any, integers };

/// The name under which `extents` say of which number of bytes the rows of a view begin at multiples, and of which not: a
/// power of two, at least an element.
std::string alignmentName(llvm::StringRef view);

/// Extents not in `extents` get a small value from the seed; rows of views whose alignment is not there begin at multiples of
/// 256 bytes, as a launch may have to check. Nothing where the shapes are negative or have more than 2^19 elements. Contents
/// depend on names and the seed alone.
std::optional<KernelRun> runKernel(tile::KernelOp kernel,
                                   const std::map<std::string, int64_t> &extents, uint64_t seed,
                                   const RunOptions &options = {},
                                   RunContents contents = RunContents::any);

/// Another way to run a kernel: gets the arguments, extents first, and gives the errors.
using KernelExecution = llvm::function_ref<std::vector<std::string>(llvm::ArrayRef<Argument>)>;

/// The same contents, run by `execute` instead of the interpreter.
std::optional<KernelRun> runKernelBy(tile::KernelOp kernel,
                                     const std::map<std::string, int64_t> &extents, uint64_t seed,
                                     RunContents contents, KernelExecution execute);

} // namespace tessera

#endif // TESSERA_INTERPRETER_KERNELRUN_H
