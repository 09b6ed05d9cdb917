// Kernels without a schedule get the library's, before device code is made of them.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_CONVERSION_SCHEDULED_H
#define TESSERA_CONVERSION_SCHEDULED_H

#include "llvm/ADT/StringRef.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Support/LLVM.h"

#include <string>

namespace tessera::convert {

/// Whether a schedule has been at work on the module: versions, sealed kernels, factors.
bool isScheduled(mlir::ModuleOp module);

/// A module with the kernel scheduled by the schedule of its name in its own `.tile` file: the one for the target, else for
/// the last target before it. Null where there is none; failure with what went wrong in `problems`.
mlir::FailureOr<mlir::OwningOpRef<mlir::ModuleOp>>
scheduleByFile(mlir::ModuleOp module, llvm::StringRef kernel, llvm::StringRef target,
               llvm::StringRef file, std::string &problems);

/// A module with the kernel scheduled by the rules of the library for a target (`sm_80`), versions beside it. Null with what went
/// wrong in `problems`. Answers of the solver are kept in the file `cache`, if one is named; what is wrong with it is a warning.
mlir::OwningOpRef<mlir::ModuleOp> scheduleByDefault(mlir::ModuleOp module, llvm::StringRef kernel,
                                                    llvm::StringRef target, std::string &problems,
                                                    llvm::StringRef cache = "");

} // namespace tessera::convert

#endif // TESSERA_CONVERSION_SCHEDULED_H
