//===- TileDialect.h - the dialect, its types and attributes ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_DIALECT_TILE_TILEDIALECT_H
#define TESSERA_DIALECT_TILE_TILEDIALECT_H

#include "tessera/Dialect/Tile/TileEnums.h"

#include "llvm/ADT/Hashing.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"

#include "tessera/Dialect/Tile/TileDialect.h.inc"

namespace tessera::tile {

/// One factor of a dim: `steps` steps at a place.
struct IterFactor {
  Place place = Place::reg;
  int64_t steps = 1;
  friend bool operator==(const IterFactor &a, const IterFactor &b) {
    return a.place == b.place && a.steps == b.steps;
  }
};

/// One mode of a distribution: `extent` steps of a place along an axis, or, axis -1, that all hold the same.
struct DistMode {
  Place place = Place::reg;
  int64_t extent = 1;
  int64_t axis = -1;
  int64_t stride = 0;
  friend bool operator==(const DistMode &a, const DistMode &b) {
    return a.place == b.place && a.extent == b.extent && a.axis == b.axis && a.stride == b.stride;
  }
};

inline llvm::hash_code hash_value(const DistMode &mode) {
  return llvm::hash_combine(mode.place, mode.extent, mode.axis, mode.stride);
}

/// Layout assignment's word on an op: an array with a #tile.dist for each result that is a tile.
inline constexpr llvm::StringLiteral distAttrName = "tile.dist";

/// Attributes that a schedule puts on ops of any kind: `tile.iter` on an op with dims, the rest on kernels.
inline constexpr llvm::StringLiteral iterAttrName = "tile.iter";
/// Warps of a CTA (i64, at least 1).
inline constexpr llvm::StringLiteral warpsAttrName = "tile.warps";
/// CTAs of a cluster (i64, at least 1).
inline constexpr llvm::StringLiteral clusterAttrName = "tile.cluster";
/// Roles of a CTA's warps: a dictionary from names to {warps = n, regs = n}; `regs`, registers of a thread, may be left
/// out.
inline constexpr llvm::StringLiteral rolesAttrName = "tile.roles";

} // namespace tessera::tile

#define GET_ATTRDEF_CLASSES
#include "tessera/Dialect/Tile/TileAttrs.h.inc"

#define GET_TYPEDEF_CLASSES
#include "tessera/Dialect/Tile/TileTypes.h.inc"

namespace tessera::tile {

/// Whether a tile may have this shape: 1 to 64 static extents of at least 1, at most 2^40 elements.
bool isTileShape(llvm::ArrayRef<int64_t> shape);
/// Element type of a scalar, tile, array or view; null for anything else.
mlir::Type elementTypeOf(mlir::Type type);
/// Extents of a tile or array; empty for a scalar.
llvm::ArrayRef<int64_t> shapeOf(mlir::Type type);
/// `type` (scalar or tensor) with another element type.
mlir::Type withElementType(mlir::Type type, mlir::Type element);
/// A tile of `shape`, or the element type itself for an empty shape.
mlir::Type scalarOrTile(llvm::ArrayRef<int64_t> shape, mlir::Type element);
/// The unsigned type of the operand's element width, in its shape.
mlir::Type bitsType(mlir::Type type);
/// Whether integers of `type` are signed: signless ones are, i1 is not.
bool isSignedInteger(mlir::Type type);
/// Element type of a sum or product over `element`: f32 for bf16 and f16, i32 for i8 and i16, ui32 for ui8 and ui16.
mlir::Type accumulatorType(mlir::Type element);
/// Axes (of `from`, of `to`) that a row-major reshape keeps as they are; the shapes have equally many elements. A factor
/// of absence over such axes alone is renumbered by `tile.reshape`, all others are merged into one over all axes.
llvm::SmallVector<std::pair<unsigned, unsigned>> keptAxes(llvm::ArrayRef<int64_t> from,
                                                          llvm::ArrayRef<int64_t> to);
/// Element type of `reduce <kind>` over `element`.
mlir::Type reductionType(ReduceKind kind, mlir::Type element);

} // namespace tessera::tile

#endif // TESSERA_DIALECT_TILE_TILEDIALECT_H
