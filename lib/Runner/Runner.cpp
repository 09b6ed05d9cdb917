// The entry of tile-run.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tessera/Runner/Runner.h"

#include "RunMode.h"
#include "TestMode.h"

#include "mlir/IR/MLIRContext.h"

using namespace tessera;

int tessera::runTileRun(llvm::ArrayRef<llvm::StringRef> words, llvm::raw_ostream &out,
                        llvm::raw_ostream &err) {
  llvm::Expected<RunnerOptions> options = parseRunnerOptions(words);
  if (!options) {
    Reporter reporter(err);
    reporter.report(options.takeError());
    return 2;
  }
  if (options->help) {
    out << runnerUsage();
    return 0;
  }
  // What a test finds is the report itself, so it goes where the report goes.
  Reporter reporter(options->test ? out : err);
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  std::unique_ptr<KernelSource> source = KernelSource::open(options->file, context, reporter);
  const bool held = options->test ? runTests(source.get(), *options, context, out, reporter)
                                  : source && runKernel(*source, *options, context, out, reporter);
  return held ? 0 : reporter.sawUsageError() ? 2 : 1;
}
