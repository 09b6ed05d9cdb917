//===- AbsenceTransfer.h - what an op does with factors ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_LIB_ANALYSIS_ABSENCETRANSFER_H
#define TESSERA_LIB_ANALYSIS_ABSENCETRANSFER_H

#include "tessera/Analysis/AbsenceAnalysis.h"

namespace tessera {

/// Ascending, each once.
void normalize(Factors &factors);

/// The factor over all axes of a tile, or over none of a scalar: what is not known better.
AxisSet allAxes(mlir::Value value);

/// The factors of the results of a tile op without control flow, given those of its operands. One list for each result.
llvm::SmallVector<Factors>
transferAbsence(mlir::Operation *op, llvm::function_ref<llvm::ArrayRef<AxisSet>(mlir::Value)> of);

} // namespace tessera

#endif // TESSERA_LIB_ANALYSIS_ABSENCETRANSFER_H
