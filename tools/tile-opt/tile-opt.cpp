//===- tile-opt.cpp - reads, transforms and writes tile programs ---------- ===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tessera/InitTessera.h"
#include "tessera/Pipelines/TileOpt.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  tessera::registerTessera(registry);
  return tessera::tileOptMain(argc, argv, registry);
}
