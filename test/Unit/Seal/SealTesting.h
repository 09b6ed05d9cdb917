// Kernels from text, and files of the suite, for tests of `seal`.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_TEST_UNIT_SEAL_SEALTESTING_H
#define TESSERA_TEST_UNIT_SEAL_SEALTESTING_H

#include "tessera/Schedule/Seal.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"

#include <map>

namespace tessera::sealtest {

/// Errors of the parser and of the verifier go to `problems`.
struct Parsed {
  explicit Parsed(llvm::StringRef text) {
    context.loadDialect<tile::TileDialect, mlir::scf::SCFDialect>();
    mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &diagnostic) {
      problems += diagnostic.str() + "\n";
      return mlir::success();
    });
    module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  }

  tile::KernelOp kernel() {
    auto kernels = module->getOps<tile::KernelOp>();
    return *kernels.begin();
  }

  mlir::MLIRContext context;
  std::string problems;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

/// Names of the files in test/Schedule/faults: the faulted ones, or their twins.
std::vector<std::string> faultFiles(bool repaired);
/// The text of a file in test/Schedule.
std::string read(const std::string &name);

/// What goes wrong in some run, in order or under one of the adversary's `seeds`; empty for nothing.
std::string misbehaviour(tile::KernelOp kernel, const std::map<std::string, int64_t> &extents,
                         uint64_t seeds);
/// Extents of the files in test/Schedule/golden that show their tails.
std::map<std::string, int64_t> workedExtents();
/// With some lengths for all extents that `where` allows.
std::string misbehaviour(tile::KernelOp kernel, uint64_t seeds);

} // namespace tessera::sealtest

#endif // TESSERA_TEST_UNIT_SEAL_SEALTESTING_H
