// Copies of kernels: for transactions, and to try edits on.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TESSERA_SCHEDULE_KERNELCOPY_H
#define TESSERA_SCHEDULE_KERNELCOPY_H

#include "tessera/Dialect/Tile/TileOps.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/OwningOpRef.h"

namespace tessera::schedule {

/// The kernel without its reference, which no edit touches.
mlir::OwningOpRef<tile::KernelOp> copyWithoutReference(tile::KernelOp kernel,
                                                       mlir::IRMapping &mapping);

/// A module with a copy of one kernel, without its reference, and of the declarations beside it.
struct KernelTrial {
  mlir::IRMapping mapping;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  tile::KernelOp kernel; ///< the copy

  explicit KernelTrial(tile::KernelOp original);
};

} // namespace tessera::schedule

#endif // TESSERA_SCHEDULE_KERNELCOPY_H
