// What a schedule said of an op's dims, as distributions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TESSERA_LIB_SCHEDULE_ASSIGN_PINS_H
#define TESSERA_LIB_SCHEDULE_ASSIGN_PINS_H

#include "tessera/Schedule/Assign.h"
#include "tessera/Schedule/Dist.h"

#include <optional>

namespace tessera::schedule {

/// The distribution over an op's dims, axis i for dim i, that its `tile.iter` asks for. Dims it leaves open take the lanes
/// that are left, from the last dim, then the warps that are left, from the first, then registers. Nothing where the op has
/// no `tile.iter` or it places nothing. The error says which place has no code.
llvm::Expected<std::optional<Dist>> pinnedDims(mlir::Operation *op, int64_t warps);

/// The distribution of an op's pieces, which have the extents `atoms`, over `warps` warps and as many lanes of each; dims
/// left open take what is free, as above.
llvm::Expected<Dist> pieceDist(mlir::Operation *op, llvm::ArrayRef<int64_t> atoms, int64_t warps,
                               int64_t lanes);

/// Whether the schedule has given a dim of the op to lanes or warps.
bool bindsThreads(mlir::Operation *op);

/// An instruction applied to a product: what each operand and the result must be.
struct ProductDists {
  Dist a, b, c;
};
llvm::Expected<ProductDists> productDists(tile::ApplyOp apply, tile::MmaOp mma);

/// The fragment map of operand `index` of a declaration, over its tile.
llvm::Expected<Dist> fragmentOf(tile::InstrOp instr, unsigned index);

} // namespace tessera::schedule

#endif // TESSERA_LIB_SCHEDULE_ASSIGN_PINS_H
