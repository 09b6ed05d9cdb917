//===- TileOps.h - the ops of the tile dialect ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_DIALECT_TILE_TILEOPS_H
#define TESSERA_DIALECT_TILE_TILEOPS_H

#include "tessera/Dialect/Tile/Iter.h"
#include "tessera/Dialect/Tile/TileDialect.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include <optional>

#include "tessera/Dialect/Tile/TileInterfaces.h.inc"

namespace tessera::tile {

/// Marks an op as a row of the elementwise table (see elementwiseRowOf).
template <typename ConcreteOp>
class ElementwiseRow : public mlir::OpTrait::TraitBase<ConcreteOp, ElementwiseRow> {};

} // namespace tessera::tile

#define GET_OP_CLASSES
#include "tessera/Dialect/Tile/TileOps.h.inc"

#endif // TESSERA_DIALECT_TILE_TILEOPS_H
