// Tiles of indices and conditions as terms at a point: what a mask says of one element.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TESSERA_LIB_SCHEDULE_PRIMITIVES_TILETERMS_H
#define TESSERA_LIB_SCHEDULE_PRIMITIVES_TILETERMS_H

#include "tessera/Schedule/Primitive.h"

namespace tessera::schedule {

/// The element of an i64 or i1 tile at `point`, a coordinate for each axis; null for what is not made of indices.
solver::Expr elementAt(SymbolicValues &values, mlir::Value tile,
                       llvm::ArrayRef<solver::Expr> point);

/// A sum of integers, each times a constant: indices of spans, scalars, a number.
struct IndexSum {
  llvm::SmallVector<std::pair<mlir::Value, int64_t>> spans;   ///< `span_index` of the span
  llvm::SmallVector<std::pair<mlir::Value, int64_t>> scalars; ///< i64 values
  llvm::SmallVector<std::pair<int64_t, int64_t>> counts;      ///< iota of an extent
  int64_t constant = 0;

  void add(const IndexSum &other, int64_t factor);
};
/// Nothing for what is no such sum.
std::optional<IndexSum> indexSum(mlir::Value tile);

/// A condition as `sum <= 0` for each part of a conjunction; nothing where a part is none.
std::optional<std::vector<IndexSum>> asUpperBounds(mlir::Value condition);

} // namespace tessera::schedule

#endif // TESSERA_LIB_SCHEDULE_PRIMITIVES_TILETERMS_H
