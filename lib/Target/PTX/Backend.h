// LLVM's NVPTX backend behind two calls that give errors where it would end the process.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_LIB_TARGET_PTX_BACKEND_H
#define TESSERA_LIB_TARGET_PTX_BACKEND_H

#include "tessera/Target/PTX/EmitPTX.h"

#include <memory>

namespace llvm {
class TargetMachine;
} // namespace llvm

namespace tessera::ptx {

llvm::Expected<std::unique_ptr<llvm::TargetMachine>> createMachine(const TargetOptions &options);

/// The text of a module with intrinsics only.
llvm::Expected<std::string> generate(llvm::Module &module, llvm::TargetMachine &machine);

} // namespace tessera::ptx

#endif // TESSERA_LIB_TARGET_PTX_BACKEND_H
