//===- tile-lsp-server.cpp - language server for tile IR ---------------------- ===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tessera/InitTessera.h"

#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  tessera::registerTessera(registry);
  return failed(mlir::MlirLspServerMain(argc, argv, registry));
}
