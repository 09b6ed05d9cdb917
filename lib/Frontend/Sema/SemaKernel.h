// Emission of one instance.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TESSERA_LIB_FRONTEND_SEMA_SEMAKERNEL_H
#define TESSERA_LIB_FRONTEND_SEMA_SEMAKERNEL_H

#include "Instance.h"

namespace tessera::sema {

/// Adds the instance's `tile.kernel` to `module`; false with errors reported, then the module is of no use.
bool emitKernel(Instance &instance, mlir::ModuleOp module);

} // namespace tessera::sema

#endif // TESSERA_LIB_FRONTEND_SEMA_SEMAKERNEL_H
