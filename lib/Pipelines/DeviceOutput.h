// From a module of kernels to device code.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TESSERA_LIB_PIPELINES_DEVICEOUTPUT_H
#define TESSERA_LIB_PIPELINES_DEVICEOUTPUT_H

#include "Options.h"

#include "mlir/IR/BuiltinOps.h"

namespace tessera::opt {

/// Writes what `options.emit` names, from `scheduled` to `cubin` and `launch`. Errors are emitted at the source.
mlir::LogicalResult emitDevice(mlir::ModuleOp module, const Options &options,
                               llvm::raw_ostream &os);

} // namespace tessera::opt

#endif // TESSERA_LIB_PIPELINES_DEVICEOUTPUT_H
