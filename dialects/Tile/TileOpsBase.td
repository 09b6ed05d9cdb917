//===- TileOpsBase.td - base classes of the ops ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_TILE_OPS_BASE
#define TESSERA_TILE_OPS_BASE

include "TileTypes.td"
include "TileEnums.td"
include "TileInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/LoopLikeInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/BuiltinAttributes.td"

class Tile_Op<string opMnemonic, list<Trait> traits = []> : Op<Tile_Dialect, opMnemonic, traits>;

/// An op on tile values: tells its dims, boxes and windows.
class Tile_PointsOp<string opMnemonic, list<Trait> traits = []>
  : Tile_Op<opMnemonic, traits # [Tile_IterOpInterface]>;

/// A tile op without memory.
class Tile_PureOp<string opMnemonic, list<Trait> traits = []> : Tile_PointsOp<opMnemonic, [Pure] # traits>;

#endif // TESSERA_TILE_OPS_BASE
