// Many seeds from the same start.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tessera/Interpreter/Adversarial.h"

using namespace tessera;

namespace {
using Bytes = std::vector<std::byte>;

/// The elements of the arrays that a kernel may write, by argument.
std::vector<Bytes> contentsOf(tile::KernelOp kernel, llvm::ArrayRef<Argument> arguments) {
  std::vector<Bytes> all(arguments.size());
  for (size_t i = 0; i < arguments.size() && i < kernel.getNumArguments(); ++i) {
    auto view = mlir::dyn_cast<tile::ViewType>(kernel.getArgType(i));
    const HostArray *array = arguments[i].array;
    if (view && view.isWritable() && array) {
      all[i].resize(size_t(array->numElements()) * array->elementBytes());
      array->copyTo(all[i].data());
    }
  }
  return all;
}

void restore(const std::vector<Bytes> &contents, llvm::ArrayRef<Argument> arguments) {
  for (size_t i = 0; i < contents.size(); ++i) {
    if (!contents[i].empty()) {
      arguments[i].array->copyFrom(contents[i].data());
    }
  }
}
} // namespace

std::optional<AdversarialFinding> tessera::findFault(const SystemTable &system,
                                                     tile::KernelOp kernel,
                                                     llvm::ArrayRef<Argument> arguments,
                                                     uint64_t first, uint64_t count,
                                                     RunOptions options) {
  std::vector<Bytes> before = contentsOf(kernel, arguments);
  options.adversarial.reset();
  RunReport sequential = interpretWith(system, kernel, arguments, options);
  if (!sequential.succeeded()) {
    return AdversarialFinding{std::nullopt, std::move(sequential), std::nullopt};
  }
  std::vector<Bytes> expected = contentsOf(kernel, arguments);
  std::optional<AdversarialFinding> finding;
  for (uint64_t seed = first; seed < first + count && !finding; ++seed) {
    restore(before, arguments);
    options.adversarial = seed;
    RunReport report = interpretWith(system, kernel, arguments, options);
    if (!report.succeeded()) {
      finding = AdversarialFinding{seed, std::move(report), std::nullopt};
      break;
    }
    std::vector<Bytes> found = contentsOf(kernel, arguments);
    for (size_t i = 0; i < found.size(); ++i) {
      if (found[i] != expected[i]) {
        finding = AdversarialFinding{seed, std::move(report), unsigned(i)};
        break;
      }
    }
  }
  restore(expected, arguments);
  return finding;
}

bool tessera::isScheduleFault(RunDiag id) {
  return id >= RunDiag::run_ring_full && id <= RunDiag::run_over_early;
}
