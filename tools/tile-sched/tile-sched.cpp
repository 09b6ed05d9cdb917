// tile-sched: runs a schedule on a kernel and prints the result. What it does is the library TesseraScheduleDriver; here is
// how a witness is run: the kernel as it is against the refused one, as a machine that means harm would run it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tessera/Schedule/SchedTool.h"
#include "tessera/Testing/KernelRun.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/raw_ostream.h"

using namespace tessera;

static schedule::ReplayResult replay(const schedule::ReplayRequest &request) {
  using Result = schedule::ReplayResult;
  mlir::ModuleOp modules[] = {request.before, request.after};
  auto before = modules[0].lookupSymbol<tile::KernelOp>(request.kernel);
  auto after = modules[1].lookupSymbol<tile::KernelOp>(request.kernel);
  std::map<std::string, int64_t> extents;
  for (const solver::WitnessValue &value : request.witness.values) {
    if (value.role == solver::Role::Size && value.value < (1 << 20)) {
      extents[value.name] = static_cast<int64_t>(value.value);
    }
  }
  constexpr uint64_t runs = 16;
  for (uint64_t seed = 0; seed < runs; ++seed) {
    std::optional<KernelRun> right = runKernel(before, extents, seed, {}, RunContents::integers);
    RunOptions options;
    options.adversarial = seed;
    std::optional<KernelRun> wrong =
        right ? runKernel(after, extents, seed, options, RunContents::integers) : std::nullopt;
    if (!wrong) {
      return {Result::NotRun, "arrays of these sizes are too large to try"};
    }
    if (!right->errors.empty()) {
      return {Result::NotRun, "the kernel itself fails: " + right->errors.front()};
    }
    if (!wrong->errors.empty()) {
      return {Result::Confirmed, wrong->errors.front()};
    }
    std::string difference = right->difference(*wrong);
    if (!difference.empty()) {
      return {Result::Confirmed, difference};
    }
  }
  return {Result::NotReproduced, std::to_string(runs) + " runs were made"};
}

int main(int argc, char **argv) {
  llvm::SmallVector<llvm::StringRef> words(argv + 1, argv + argc);
  int status = runTileSched(words, llvm::outs(), llvm::errs(), replay);
  llvm::outs().flush();
  return status;
}
