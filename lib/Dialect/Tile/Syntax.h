//===- Syntax.h - pieces of the custom assembly shared by ops ---*- C++ -*-===//
//
// Ops with regions print their block arguments where they are introduced, so the
// pieces below are parsed and printed by hand.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_LIB_DIALECT_TILE_SYNTAX_H
#define TESSERA_LIB_DIALECT_TILE_SYNTAX_H

#include "mlir/IR/OpImplementation.h"

namespace tessera::tile {

using Operands = llvm::SmallVector<mlir::OpAsmParser::UnresolvedOperand>;
using Arguments = llvm::SmallVector<mlir::OpAsmParser::Argument>;

/// `tiles(%lo to %hi by 32)` or `range(%lo to %hi)`; width 0 for the latter.
struct RangeText {
  mlir::OpAsmParser::UnresolvedOperand lo, hi;
  int64_t width = 0;
};
mlir::ParseResult parseRange(mlir::OpAsmParser &parser, RangeText &range);
void printRange(mlir::OpAsmPrinter &printer, mlir::Value lo, mlir::Value hi, int64_t width);

/// Type of the block argument that steps through a range: i64 or a span of the width.
mlir::Type stepType(mlir::MLIRContext *context, int64_t width);

/// `%name` of a block argument, with its location where locations are printed.
void printName(mlir::OpAsmPrinter &printer, mlir::BlockArgument argument);

/// `attributes {…}` of what the syntax does not show.
void printRest(mlir::OpAsmPrinter &printer, mlir::Operation *op,
               llvm::ArrayRef<llvm::StringRef> shown);

} // namespace tessera::tile

#endif // TESSERA_LIB_DIALECT_TILE_SYNTAX_H
