// Programs that go around: text to IR, IR to text, and what must be the same on the way.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_TEST_UNIT_ROUNDTRIP_ROUNDTRIPTESTING_H
#define TESSERA_TEST_UNIT_ROUNDTRIP_ROUNDTRIPTESTING_H

#include "gtest/gtest.h"

#include "tessera/Dialect/Tile/Equivalence.h"
#include "tessera/Frontend/Frontend.h"
#include "tessera/Interpreter/KernelRun.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

#include <string>

namespace tessera::roundtriptest {

using Module = mlir::OwningOpRef<mlir::ModuleOp>;

/// With the dialects of a kernel.
mlir::MLIRContext &context();

/// An instance of the kernel called `name`; null, with the errors as text in `problems`.
Module compile(llvm::StringRef text, llvm::StringRef name, const Settings &settings,
               std::string &problems);
/// IR from text; null, with the errors in `problems`.
Module parse(llvm::StringRef text, std::string &problems);
std::string printIR(mlir::ModuleOp module);
/// Canonicalised, common subexpressions removed. False if a pass fails.
bool simplify(mlir::ModuleOp module);
/// As `.tile` text; empty with the errors in `problems`.
std::string printedSource(mlir::ModuleOp module, std::string &problems);

tile::KernelOp kernelOf(const Module &module);

/// Everything that must hold for one program, as text; empty where it does:
///
///  - IR printed, parsed, simplified and run gives the bits of the IR run as it is (without errors, if `mustRun`);
///    `ran` tells whether it ran;
///  - the source printed from the IR, and from the simplified IR, compiles to equivalent kernels.
std::string checkRoundTrip(llvm::StringRef text, llvm::StringRef name, const Settings &settings,
                           const std::map<std::string, int64_t> &extents, uint64_t seed,
                           bool mustRun, bool *ran = nullptr);

} // namespace tessera::roundtriptest

#endif // TESSERA_TEST_UNIT_ROUNDTRIP_ROUNDTRIPTESTING_H
