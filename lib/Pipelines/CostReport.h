//===- CostReport.h - --report ----------------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_LIB_PIPELINES_COSTREPORT_H
#define TESSERA_LIB_PIPELINES_COSTREPORT_H

#include "Options.h"

#include "tessera/Analysis/Work.h"
#include "tessera/Conversion/DeviceModule.h"
#include "tessera/Target/PTX/Ptxas.h"

#include "mlir/IR/BuiltinOps.h"

namespace tessera::opt {

/// Operations of a kernel, or why they are not known.
struct CountedWork {
  std::optional<Work> work;
  std::string reason;
};
using KernelWork = std::map<std::string, CountedWork>;

/// `expect regs …` of schedules against what ptxas says; without a log a warning at the script's line.
mlir::LogicalResult checkRegisters(const convert::DeviceModule &device, const ptx::PtxasLog *log);

/// By the names of kernels, before schedules.
KernelWork workOfAll(mlir::ModuleOp module);

/// What the code of scheduled kernels costs without running: operations and the least time that they and the arrays
/// take, threads, memory, registers where ptxas is there, and each access to memory. Errors are emitted at the source.
mlir::LogicalResult emitReport(mlir::ModuleOp module, const KernelWork &work,
                               const Options &options, llvm::raw_ostream &os);

} // namespace tessera::opt

#endif // TESSERA_LIB_PIPELINES_COSTREPORT_H
