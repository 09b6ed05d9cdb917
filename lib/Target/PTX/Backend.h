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

/// For its time errors that the code generator gives to the process, and crashes in it, end `generate` instead, in whatever
/// thread they happen.
class KeptFatalErrors {
public:
  KeptFatalErrors();
  ~KeptFatalErrors();
  KeptFatalErrors(const KeptFatalErrors &) = delete;
  KeptFatalErrors &operator=(const KeptFatalErrors &) = delete;
};

/// The text of a module with intrinsics only, while there is a `KeptFatalErrors`. Threads may call it at once, each with a
/// module of a context of its own.
llvm::Expected<std::string> generate(llvm::Module &module, llvm::TargetMachine &machine);

} // namespace tessera::ptx

#endif // TESSERA_LIB_TARGET_PTX_BACKEND_H
