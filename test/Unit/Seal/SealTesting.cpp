// Kernels from text, files of the suite, runs of kernels.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SealTesting.h"

#include "tessera/Interpreter/KernelRun.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <algorithm>

using namespace tessera;

/// Some lengths that tiles of 32 and 16 divide, and some that they do not.
static constexpr int64_t lengths[] = {1, 16, 33, 96, 130};

std::vector<std::string> sealtest::faultFiles(bool repaired) {
  std::vector<std::string> found;
  std::string folder = std::string(TESSERA_SOURCE_DIR) + "/test/Schedule/faults";
  std::error_code error;
  for (llvm::sys::fs::directory_iterator at(folder, error), end; at != end && !error;
       at.increment(error)) {
    llvm::StringRef name = llvm::sys::path::filename(at->path());
    if (name.ends_with(".mlir") && name.ends_with(".ok.mlir") == repaired) {
      found.push_back(name.str());
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::string sealtest::read(const std::string &name) {
  auto buffer =
      llvm::MemoryBuffer::getFile(std::string(TESSERA_SOURCE_DIR) + "/test/Schedule/" + name);
  return buffer ? (*buffer)->getBuffer().str() : "";
}

/// Whether the launch is one that `where` allows: a requirement in these files is that a number divides the first extent.
static bool isAllowed(tile::KernelOp kernel, int64_t length) {
  if (kernel.getWhere().empty()) {
    return true;
  }
  int64_t divisor = 1;
  kernel.getWhere().walk([&](tile::ConstantOp constant) {
    divisor = std::max(divisor, mlir::cast<mlir::IntegerAttr>(constant.getValue()).getInt());
  });
  return length % divisor == 0;
}

std::string sealtest::misbehaviour(tile::KernelOp kernel,
                                   const std::map<std::string, int64_t> &extents, uint64_t seeds) {
  std::optional<KernelRun> inOrder = runKernel(kernel, extents, 1);
  if (!inOrder) {
    return "the kernel cannot be run";
  }
  if (!inOrder->errors.empty()) {
    return inOrder->errors.front();
  }
  for (uint64_t seed = 0; seed < seeds; ++seed) {
    RunOptions options;
    options.adversarial = seed;
    std::string difference = runKernel(kernel, extents, 1, options)->difference(*inOrder);
    if (!difference.empty()) {
      return difference;
    }
  }
  return "";
}

std::string sealtest::misbehaviour(tile::KernelOp kernel, uint64_t seeds) {
  for (int64_t length : lengths) {
    if (!isAllowed(kernel, length)) {
      continue;
    }
    std::map<std::string, int64_t> extents;
    for (unsigned i = 0; i < kernel.getExtents(); ++i) {
      extents[kernel.getArgName(i).str()] = i == 0 ? length : length - 1;
    }
    std::string found = misbehaviour(kernel, extents, seeds);
    if (!found.empty()) {
      return found;
    }
  }
  return "";
}

std::map<std::string, int64_t> sealtest::workedExtents() {
  return {{"M", 130}, {"N", 72}, {"K", 40}, {"B", 1}, {"H", 1}, {"SQ", 65}, {"SK", 70}};
}
