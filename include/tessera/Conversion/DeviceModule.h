// A module of scheduled kernels as device code, with what a launch must know of it.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_CONVERSION_DEVICEMODULE_H
#define TESSERA_CONVERSION_DEVICEMODULE_H

#include "tessera/Conversion/TileToLLVM.h"
#include "tessera/Runtime/LaunchRecord.h"
#include "tessera/Schedule/Expectations.h"

#include "llvm/ExecutionEngine/Orc/ThreadSafeModule.h"

#include <vector>

namespace tessera::convert {

struct DeviceModule {
  llvm::orc::ThreadSafeContext context;
  std::unique_ptr<llvm::Module> code;
  /// One for each kernel that is no version of another, its versions in the order in which they are tried, itself last.
  std::vector<runtime::LaunchRecord> records;
  /// Demands of the schedule that the assembler's log answers, and the entry that they are of.
  std::vector<std::pair<std::string, schedule::LayoutExpectation>> registerDemands;
};

/// Layout assignment on a copy, then lowering, of all kernels of a module, or of one and its versions. Errors are emitted at the
/// source, and at lines of the script whose `expect` does not hold. `target`: `sm_80`, for the records. `report`: as of
/// `lowerKernel`.
mlir::FailureOr<DeviceModule> buildDeviceModule(mlir::ModuleOp module, llvm::StringRef kernel,
                                                llvm::StringRef target,
                                                AccessReport *report = nullptr);

/// Takes the code of a kernel or version, in a context of its own.
using TakeCode =
    llvm::function_ref<void(std::unique_ptr<llvm::LLVMContext>, std::unique_ptr<llvm::Module>)>;

/// The same, but each entry's code goes to `take` as soon as it is there, while the next one is still to come; the result has
/// none. Names of values are not kept.
mlir::FailureOr<DeviceModule> buildDeviceEntries(mlir::ModuleOp module, llvm::StringRef kernel,
                                                 llvm::StringRef target, TakeCode take);

/// What a launch checks and computes. Errors are emitted at the kernel.
mlir::FailureOr<runtime::LaunchRecord> launchRecordOf(llvm::ArrayRef<tile::KernelOp> versions,
                                                      llvm::ArrayRef<LoweredKernel> lowered,
                                                      llvm::StringRef target);

} // namespace tessera::convert

#endif // TESSERA_CONVERSION_DEVICEMODULE_H
