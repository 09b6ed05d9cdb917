//===- TileInput.h - `.tile` files as modules -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_LIB_PIPELINES_TILEINPUT_H
#define TESSERA_LIB_PIPELINES_TILEINPUT_H

#include "Options.h"

namespace tessera::opt {

/// The pieces of a file between lines that hold the split marker. Each starts with as many empty lines as stand before
/// it in the file, so that its line numbers are the file's.
std::vector<std::string> splitInput(llvm::StringRef text, llvm::StringRef marker);

/// Kernels that the text declares; 0 where it does not parse.
size_t countKernels(llvm::StringRef text);

/// The kernel asked for, or all of the text, in one module; null with errors reported.
mlir::OwningOpRef<mlir::ModuleOp> compileTile(llvm::StringRef text, const Options &options,
                                              DiagnosticEngine &engine, mlir::MLIRContext &context);

/// Emits what the engine collected as diagnostics of the context, at the places of the file.
void emitDiagnostics(const DiagnosticEngine &engine, mlir::MLIRContext &context);

/// Prints each kernel as source, compiles that and compares; false with an error emitted.
bool verifySourceRoundTrip(mlir::ModuleOp module);

} // namespace tessera::opt

#endif // TESSERA_LIB_PIPELINES_TILEINPUT_H
