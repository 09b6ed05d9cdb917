//===- CostReport.h - --report ----------------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_LIB_PIPELINES_COSTREPORT_H
#define TESSERA_LIB_PIPELINES_COSTREPORT_H

#include "Options.h"

#include "mlir/IR/BuiltinOps.h"

namespace tessera::opt {

/// What the code of scheduled kernels costs without running: threads, memory, registers where ptxas is there, and each
/// access to memory. Errors are emitted at the source.
mlir::LogicalResult emitReport(mlir::ModuleOp module, const Options &options,
                               llvm::raw_ostream &os);

} // namespace tessera::opt

#endif // TESSERA_LIB_PIPELINES_COSTREPORT_H
