// A script run on a kernel.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tessera/Schedule/Apply.h"

#include "tessera/Schedule/ScriptDiagnostics.h"

#include <chrono>

using namespace tessera;
using namespace tessera::schedule;
using llvm::StringRef;

namespace {
/// The registry is the same for every run.
const PrimitiveRegistry &allPrimitives() {
  static const PrimitiveRegistry registry = [] {
    PrimitiveRegistry made;
    addAllPrimitives(made);
    return made;
  }();
  return registry;
}
} // namespace

static mlir::OwningOpRef<mlir::ModuleOp> cannotStart(const script::Program &program,
                                                     const script::Schedule &schedule,
                                                     const llvm::Twine &why,
                                                     const llvm::Twine &help) {
  program.getEngine()
      .report(script::row(script::DiagId::schedule_start), schedule.name.range, schedule.name.text,
              why.str())
      .help(help);
  return nullptr;
}

mlir::OwningOpRef<mlir::ModuleOp> schedule::applySchedule(mlir::ModuleOp module, StringRef kernel,
                                                          const script::Program &program,
                                                          const script::Schedule &schedule,
                                                          const ApplyOptions &options,
                                                          Ledger &ledger) {
  std::optional<TargetRecord> target = TargetRecord::named(schedule.target.text);
  if (!target) {
    return cannotStart(program, schedule,
                       "`" + schedule.target.text + "` is no target that is known",
                       "there are " + TargetRecord::known());
  }
  return applySchedule(module, kernel, program, schedule, *target, options, ledger);
}

mlir::OwningOpRef<mlir::ModuleOp>
schedule::applySchedule(mlir::ModuleOp module, StringRef kernel, const script::Program &program,
                        const script::Schedule &schedule, const TargetRecord &target,
                        const ApplyOptions &options, Ledger &ledger) {
  ScheduleHost::Options given;
  given.target = target;
  given.registry = &allPrimitives();
  given.instructions = options.instructions;
  given.sources = &program.getEngine().getSources();
  given.allowTrust = options.allowTrust;
  given.verifyEach = options.verifyEach;
  given.replayer = options.replayer;
  given.solver = options.solver;
  given.queryLog = options.queryLog;
  given.cacheFile = options.cacheFile;
  given.verdicts = options.verdicts;
  auto begin = std::chrono::steady_clock::now();
  llvm::Expected<std::unique_ptr<ScheduleHost>> host =
      ScheduleHost::create(module, kernel, std::move(given));
  if (!host) {
    return cannotStart(program, schedule, llvm::toString(host.takeError()),
                       "name a kernel of the file, and folders that can be written");
  }
  bool good = script::run(program, schedule, **host, options.run);
  std::chrono::duration<double, std::milli> taken = std::chrono::steady_clock::now() - begin;
  ledger = (*host)->ledger();
  ledger.spending = {taken.count(), (*host)->getSolver().statistics()};
  ledger.problems = (*host)->getSolver().problems();
  return good ? (*host)->take() : nullptr;
}

// The rules name instructions of the library: without a table that has them, kernels with products are refused.
mlir::OwningOpRef<mlir::ModuleOp>
schedule::applyDefault(mlir::ModuleOp module, StringRef kernel, DiagnosticEngine &engine,
                       const TargetRecord &target, const ApplyOptions &options, Ledger &ledger) {
  script::Program library(engine);
  const script::Schedule *rules =
      library.loadLibrary(kDefaultsFile) ? library.select(kDefaultSchedule, target.arch) : nullptr;
  return rules ? applySchedule(module, kernel, library, *rules, target, options, ledger) : nullptr;
}
