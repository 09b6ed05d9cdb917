// Entries of a module side by side: each is a part, compiled by itself with what it calls, and the texts become one.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_LIB_TARGET_PTX_PARTS_H
#define TESSERA_LIB_TARGET_PTX_PARTS_H

#include "tessera/Target/PTX/EmitPTX.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"

#include <string>

namespace llvm {
class Module;
} // namespace llvm

namespace tessera::ptx {

/// What makes the text of a module; called by several threads at once, each with a module and a context of its own.
using EmitPart = llvm::function_ref<llvm::Expected<std::string>(llvm::Module &)>;

/// The text of `module` by `emit` for each of its entries, or a few together where there are many, on up to `threads` threads
/// (0: as many as the machine has). What the parts are does not depend on that number, nor does the text. The error is that
/// of the first part that has one. A
/// module with one entry, or with something that entries share other than functions and named variables, is given to `emit`
/// as it is. The module is of no more use then.
llvm::Expected<std::string> emitInParts(llvm::Module &module, unsigned threads, EmitPart emit);

/// All steps for one module: what `emitPTX` does with an entry. While there is a `KeptFatalErrors` (Backend.h), any number of
/// threads may call it, each with a module of a context of its own.
llvm::Expected<std::string> emitWhole(llvm::Module &module, const TargetOptions &options,
                                      EmitTimes &spent);

/// One text of those of a module's parts: what several begin with or call stands once, and so does each source file. The
/// version is the highest of theirs.
std::string joinTexts(llvm::ArrayRef<std::string> texts);

/// The same, or the error of the first that has one. All have been taken from then.
llvm::Expected<std::string> joinResults(llvm::MutableArrayRef<llvm::Expected<std::string>> texts);

} // namespace tessera::ptx

#endif // TESSERA_LIB_TARGET_PTX_PARTS_H
