//===- Passes.h - passes on the tile dialect --------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_DIALECT_TILE_TRANSFORMS_PASSES_H
#define TESSERA_DIALECT_TILE_TRANSFORMS_PASSES_H

#include "tessera/Dialect/Tile/TileOps.h"

#include "mlir/Pass/Pass.h"

namespace tessera::tile {

/// The rules of tile-verify-kernels, with errors at the ops that break them; for tools that run no passes.
mlir::LogicalResult verifyKernel(KernelOp kernel);

/// MLIR's `canonicalize` without the patterns that would bring ops of other dialects into a kernel. Tools register it
/// under that name.
std::unique_ptr<mlir::Pass> createKernelCanonicalizerPass();

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "tessera/Dialect/Tile/TilePasses.h.inc"

} // namespace tessera::tile

#endif // TESSERA_DIALECT_TILE_TRANSFORMS_PASSES_H
