//===- BranchFlow.h - edges between the regions of an op -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_LIB_ANALYSIS_BRANCHFLOW_H
#define TESSERA_LIB_ANALYSIS_BRANCHFLOW_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"

namespace tessera {

/// Calls with every value that may flow along an edge into, between or out of the op's regions, and the one that it becomes.
void visitEdges(mlir::RegionBranchOpInterface branch,
                llvm::function_ref<void(mlir::Value source, mlir::Value target)> flow);

} // namespace tessera

#endif // TESSERA_LIB_ANALYSIS_BRANCHFLOW_H
