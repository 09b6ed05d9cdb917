// Layout assignment: every tile of a sealed kernel gets a distribution over the threads of its CTA.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_SCHEDULE_ASSIGN_H
#define TESSERA_SCHEDULE_ASSIGN_H

#include "tessera/Dialect/Tile/TileOps.h"

#include <memory>

namespace mlir {
class Pass;
} // namespace mlir

namespace tessera::schedule {

/// Puts `tile.dist` on every op of the kernel's body that makes a tile, or touches memory point by point, and `tile.convert`
/// where a user needs another distribution than the maker gives. What a schedule pinned (`tile.iter`, instructions) is kept.
/// Ops that are free anywhere (constants, broadcasts, spans' indices, reads of shared memory) are made where they are needed,
/// once for each distribution. Errors at the op that cannot be had.
mlir::LogicalResult assignLayouts(tile::KernelOp kernel);

/// The declaration that an apply names.
tile::InstrOp instrOf(tile::ApplyOp apply);
/// What it does: the last op of its body that has dims. Null where there is none.
mlir::Operation *pointsOf(tile::ApplyOp apply);

/// `--tile-assign`
std::unique_ptr<mlir::Pass> createAssignPass();
void registerAssignPass();

} // namespace tessera::schedule

#endif // TESSERA_SCHEDULE_ASSIGN_H
