//===- InitTessera.h - everything a tool registers --------------*- C++ -*-===//
//
// The one place that lists dialects and passes; mains of tools call it and stay short.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_INITTESSERA_H
#define TESSERA_INITTESSERA_H

#include "tessera/Dialect/Tile/TileDialect.h"
#include "tessera/Dialect/Tile/Transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Transforms/Passes.h"

namespace tessera {

/// The dialects that a kernel is made of, and `func` for tests of single ops.
inline void registerTesseraDialects(mlir::DialectRegistry &registry) {
  registry.insert<tile::TileDialect, mlir::scf::SCFDialect, mlir::func::FuncDialect>();
}

/// Passes of this project and the general ones of MLIR (canonicalize, cse, …). `canonicalize` is the one that keeps to
/// the dialects of a kernel.
inline void registerTesseraPasses() {
  tile::registerTilePasses();
  mlir::registerPass([] { return tile::createKernelCanonicalizerPass(); });
  mlir::registerCSEPass();
  mlir::registerControlFlowSinkPass();
  mlir::registerInlinerPass();
  mlir::registerLocationSnapshotPass();
  mlir::registerLoopInvariantCodeMotionPass();
  mlir::registerPrintIRPass();
  mlir::registerPrintOpStatsPass();
  mlir::registerRemoveDeadValuesPass();
  mlir::registerSCCPPass();
  mlir::registerStripDebugInfoPass();
  mlir::registerSymbolDCEPass();
  mlir::registerTopologicalSortPass();
}

/// Both.
inline void registerTessera(mlir::DialectRegistry &registry) {
  registerTesseraDialects(registry);
  registerTesseraPasses();
}

} // namespace tessera

#endif // TESSERA_INITTESSERA_H
