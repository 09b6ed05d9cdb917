//===- tile-opt.cpp - reads, transforms and writes tile IR --------------------- ===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tessera/InitTessera.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  tessera::registerTessera(registry);
  return mlir::asMainReturnCode(mlir::MlirOptMain(argc, argv, "Tessera compiler\n", registry));
}
