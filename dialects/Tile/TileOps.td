//===- TileOps.td - all ops of the dialect --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_TILE_OPS
#define TESSERA_TILE_OPS

include "TileOpsKernel.td"
include "TileOpsView.td"
include "TileOpsShape.td"
include "TileOpsElementwise.td"
include "TileOpsReduce.td"
include "TileOpsFormula.td"
include "TileOpsStorage.td"
include "TileOpsRing.td"
include "TileOpsParallel.td"
include "TileOpsSync.td"

#endif // TESSERA_TILE_OPS
