//===- FuzzSupport.h - what the fuzz targets share --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_TOOLS_FUZZ_FUZZSUPPORT_H
#define TESSERA_TOOLS_FUZZ_FUZZSUPPORT_H

#include "tessera/Dialect/Tile/TileOps.h"
#include "tessera/Frontend/Frontend.h"

#include "llvm/ADT/ArrayRef.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"

#include <functional>
#include <string>

namespace tessera::fuzz {

/// Words that mutations put in; each target says which.
llvm::ArrayRef<llvm::StringLiteral> words();
/// Those of the language and of its IR.
llvm::ArrayRef<llvm::StringLiteral> tileWords();

/// Ends the process with the text, so that the fuzzer keeps the input: a property that must hold does not.
void require(bool holds, const llvm::Twine &text);

/// A context of its own, so that one input leaves nothing behind for the next. Diagnostics are dropped.
class Session {
public:
  Session();
  mlir::MLIRContext context;

private:
  mlir::ScopedDiagnosticHandler silence;
};

/// Prints the module, parses that, and requires the same text again.
void checkPrinted(mlir::ModuleOp module);

/// If the kernels have source text that compiles, it compiles to equivalent kernels. `mustCompile`: it has and does.
void checkSource(mlir::ModuleOp module, bool mustCompile);

/// Runs the kernel within small limits. Kernels with large values are left out.
void runSmall(tile::KernelOp kernel, uint64_t seed);

} // namespace tessera::fuzz

#endif // TESSERA_TOOLS_FUZZ_FUZZSUPPORT_H
