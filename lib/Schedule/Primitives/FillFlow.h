// What a `fill_absent` changes, and what instructions ask of lanes without elements: shared by `drop_fill` and
// `explicit_pads`.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TESSERA_LIB_SCHEDULE_PRIMITIVES_FILLFLOW_H
#define TESSERA_LIB_SCHEDULE_PRIMITIVES_FILLFLOW_H

#include "Presence.h"

#include "tessera/Schedule/Primitive.h"

namespace tessera::schedule {

/// Lanes of absent elements that do not hold what their user asks for.
struct PadNeed {
  mlir::Operation *op = nullptr;
  unsigned operand = 0, axis = 0;
  double wanted = 0;
  std::string found; ///< what they hold
};
/// Every product and reduction of the kernel that uses absent lanes which do not hold what adds nothing.
std::vector<PadNeed> unmetNeeds(tile::KernelOp kernel, solver::Solver &solver);

/// Why a fill is seen.
struct FillSeen {
  mlir::Operation *at = nullptr;
  std::string why;
};
/// Whether the results of the kernel are the same with and without the fill: at every use the elements that it makes are
/// neutral, or are not used. Nothing: they are the same.
std::optional<FillSeen> findFillSeen(tile::KernelOp kernel, tile::FillAbsentOp fill,
                                     solver::Solver &solver);

/// Whether an op that reads a buf calls absent what `factor` does: it restates the span along the axis.
bool restates(mlir::Operation *reader, const PresenceFactor &factor);
/// Spans and index tiles of a box as factors over its axes.
Presence presenceOfBox(mlir::Operation *op, mlir::ValueRange indices, llvm::ArrayRef<bool> whole);

} // namespace tessera::schedule

#endif // TESSERA_LIB_SCHEDULE_PRIMITIVES_FILLFLOW_H
