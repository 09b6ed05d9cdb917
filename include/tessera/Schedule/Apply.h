// From a module and a script to a scheduled module.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TESSERA_SCHEDULE_APPLY_H
#define TESSERA_SCHEDULE_APPLY_H

#include "tessera/Schedule/ScheduleHost.h"
#include "tessera/Schedule/Script.h"

namespace tessera::schedule {

struct ApplyOptions {
  script::RunOptions run;
  const InstructionTable *instructions = nullptr;
  bool allowTrust = true;
  bool verifyEach = true; ///< see ScheduleHost::Options
  Replayer replayer;
  solver::SolverOptions solver;
  std::string queryLog, cacheFile;
  llvm::StringRef verdicts; ///< see ScheduleHost::Options
};

/// Verdicts of the library's and the examples' schedules, as they are shipped: the text of a file of a VerdictCache.
llvm::StringRef shippedVerdicts();

/// Runs the schedule on `kernel` of a copy of `module`, for the target that the schedule names. Null with errors reported
/// to the program's engine. The ledger is filled in any case with what was done before an error, and what it took.
mlir::OwningOpRef<mlir::ModuleOp> applySchedule(mlir::ModuleOp module, llvm::StringRef kernel,
                                                const script::Program &program,
                                                const script::Schedule &schedule,
                                                const ApplyOptions &options, Ledger &ledger);
/// The same for another target than the one that is written after `on`, which must serve it (`on sm_80` for sm_86).
mlir::OwningOpRef<mlir::ModuleOp> applySchedule(mlir::ModuleOp module, llvm::StringRef kernel,
                                                const script::Program &program,
                                                const script::Schedule &schedule,
                                                const TargetRecord &target,
                                                const ApplyOptions &options, Ledger &ledger);

/// Where the library keeps the rules that choose for a kernel; for each target a schedule `default`.
constexpr llvm::StringLiteral kDefaultsFile = "std/defaults.sched";
constexpr llvm::StringLiteral kDefaultSchedule = "default";
/// The library's choice for a kernel: its rules look at what the kernel has. What they print goes to `options.run.out`.
mlir::OwningOpRef<mlir::ModuleOp> applyDefault(mlir::ModuleOp module, llvm::StringRef kernel,
                                               DiagnosticEngine &engine, const TargetRecord &target,
                                               const ApplyOptions &options, Ledger &ledger);

} // namespace tessera::schedule

#endif // TESSERA_SCHEDULE_APPLY_H
