//===- TileOpt.h - the program `tile-opt` -----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_PIPELINES_TILEOPT_H
#define TESSERA_PIPELINES_TILEOPT_H

#include "mlir/IR/DialectRegistry.h"

namespace tessera {

/// Runs `tile-opt` on a command line. `.tile` files are compiled first, everything else is read as IR. Returns the exit
/// status: 0 done, 1 the program has errors or a pass failed, 2 the command line cannot be followed.
int tileOptMain(int argc, char **argv, mlir::DialectRegistry &registry);

} // namespace tessera

#endif // TESSERA_PIPELINES_TILEOPT_H
