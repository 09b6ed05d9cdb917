// Opening files of kernels; the choice of a kernel.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "KernelSource.h"

#include "llvm/ADT/StringExtras.h"

using namespace tessera;

std::unique_ptr<KernelSource> KernelSource::open(llvm::StringRef path, mlir::MLIRContext &context,
                                                 Reporter &reporter) {
  const bool isTile = path.ends_with(".tile");
  if (!isTile && !path.ends_with(".mlir")) {
    reporter.report(
        runnerError(RunnerDiag::source_kind, "give the file the ending of what it holds", path));
    return nullptr;
  }
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer) {
    reporter.report(runnerError(RunnerDiag::source_read, "check the path and its permissions", path,
                                buffer.getError().message()));
    return nullptr;
  }
  return isTile ? openTileSource(path, context, reporter) : openIRSource(path, context, reporter);
}

llvm::Expected<std::string> tessera::chooseKernel(KernelSource &source, llvm::StringRef path,
                                                  llvm::StringRef name) {
  const std::vector<std::string> names = source.kernels();
  if (names.empty()) {
    return runnerError(RunnerDiag::source_no_kernel, "give a file with a kernel", path);
  }
  if (name.empty()) {
    if (names.size() == 1) {
      return names.front();
    }
    return runnerError(RunnerDiag::source_which_kernel,
                       "say which, as in `--kernel=" + names.front() + "`", path, names.size(),
                       llvm::join(names, ", "));
  }
  if (source.hasKernel(name)) {
    return name.str();
  }
  return runnerError(RunnerDiag::source_unknown_kernel,
                     "its kernels are " + llvm::join(names, ", "), path, name);
}
