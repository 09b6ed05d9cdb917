//===- TileEnums.h - words that tile ops are qualified with -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_DIALECT_TILE_TILEENUMS_H
#define TESSERA_DIALECT_TILE_TILEENUMS_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/OpImplementation.h"

#include "tessera/Dialect/Tile/TileEnums.h.inc"

#endif // TESSERA_DIALECT_TILE_TILEENUMS_H
