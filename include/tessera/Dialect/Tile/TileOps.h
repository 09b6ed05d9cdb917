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

/// Folds an op of the elementwise table: constants through the exact number system, and the few identities that hold
/// bit for bit (neg of neg, not of not, integer x + 0, x - 0, x * 1).
mlir::OpFoldResult foldElementwise(mlir::Operation *op, llvm::ArrayRef<mlir::Attribute> operands);

/// Whether no element of the value can be absent, by its defining ops alone (conservative, bounded depth).
bool isNeverAbsent(mlir::Value value);

/// Whether only a schedule makes such ops: memory inside a kernel, rings, sections, tasks, instructions, barriers.
bool isScheduleOp(mlir::Operation *op);

/// Shape of the box that `indices` and `whole` cut out of a view; the axes of an integer tile take the place of the axis
/// that it indexes. Nothing if the numbers do not fit the view (LoadOp C1).
std::optional<llvm::SmallVector<int64_t>> boxShape(ViewType view, mlir::ValueRange indices,
                                                   llvm::ArrayRef<bool> whole);

/// `[%r, :, %i]`: an index for each axis, `:` where `whole` holds.
mlir::ParseResult parseIndex(mlir::OpAsmParser &parser,
                             llvm::SmallVectorImpl<mlir::OpAsmParser::UnresolvedOperand> &indices,
                             mlir::DenseBoolArrayAttr &whole);
void printIndex(mlir::OpAsmPrinter &printer, mlir::Operation *op, mlir::OperandRange indices,
                mlir::DenseBoolArrayAttr whole);

/// The bare word of an enum attribute: `sum`, not `#tile.reduce_kind<sum>`.
template <class EnumAttr>
mlir::ParseResult parseWord(mlir::OpAsmParser &parser, EnumAttr &attribute) {
  auto value = mlir::FieldParser<decltype(attribute.getValue())>::parse(parser);
  if (failed(value)) {
    return mlir::failure();
  }
  attribute = EnumAttr::get(parser.getContext(), *value);
  return mlir::success();
}
template <class EnumAttr>
void printWord(mlir::OpAsmPrinter &printer, mlir::Operation *op, EnumAttr attribute) {
  printer << stringifyEnum(attribute.getValue());
}

} // namespace tessera::tile

#define GET_OP_CLASSES
#include "tessera/Dialect/Tile/TileOps.h.inc"

#endif // TESSERA_DIALECT_TILE_TILEOPS_H
