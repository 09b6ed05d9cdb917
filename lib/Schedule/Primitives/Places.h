// What placing the factors of an op's dims depends on: shared by `bind`, `vectorize`, `pin`.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TESSERA_LIB_SCHEDULE_PRIMITIVES_PLACES_H
#define TESSERA_LIB_SCHEDULE_PRIMITIVES_PLACES_H

#include "tessera/Schedule/Primitive.h"

namespace tessera::schedule {

/// Several threads, or groups of them, run the steps side by side.
bool isParallel(tile::Place place);

/// Whether the factors of a dim make an attribute at all: `vec` and `atom` innermost, not too many steps.
llvm::Error checkFactors(PrimitiveContext &context, mlir::Operation *op, llvm::StringRef dim,
                         llvm::ArrayRef<tile::IterFactor> factors);

/// Whether `op` may run with `next` as its `tile.iter`, of which the factors of `dims` are new: the numbers of
/// threads, the classes of reductions, cells that two instances would both write, vectors in memory. Conditions
/// go into the ledger; the error is a refusal.
llvm::Error checkPlaces(PrimitiveContext &context, mlir::Operation *op, tile::IterAttr next,
                        llvm::ArrayRef<std::string> dims);

/// The conditions of `vec` factors on an op that touches memory (Vectors.cpp).
llvm::Error checkVectors(PrimitiveContext &context, mlir::Operation *op, tile::IterAttr next,
                         llvm::StringRef dim);

/// Puts the factor of a cursor (a dim without factors: all of it) at a place, checked. Gives the factor.
llvm::Expected<Value> placeFactor(PrimitiveContext &context, const Value &cursor,
                                  tile::Place place);

/// Whether the order of the op's points decides what memory holds: a store where the last of two elements for one cell wins.
bool hasOrder(mlir::Operation *op);

/// The kernel has as many warps as its ops are spread over.
void growWarps(PrimitiveContext &context, mlir::Operation *op);

/// Points of an op's dims as terms of its factors: one variable for each factor, one for each dim without.
struct PointTerms {
  solver::IndexBox box; ///< first the loops around, `shared` of them, then the factors
  unsigned shared = 0;
  llvm::SmallVector<solver::Expr> points; ///< of each dim
  solver::Expr inside;                    ///< every point lies in its dim
};
PointTerms pointTerms(PrimitiveContext &context, mlir::Operation *op, tile::IterAttr iter);

/// The cells of a window as coordinates of its view or buf, and when an element is touched. Nothing for a window that an
/// integer tile indexes.
std::optional<solver::Access> accessOf(PrimitiveContext &context, const tile::Window &window,
                                       const PointTerms &points, llvm::StringRef name);

} // namespace tessera::schedule

#endif // TESSERA_LIB_SCHEDULE_PRIMITIVES_PLACES_H
