//===- IterElementwise.cpp - dims of elementwise ops ----------------------===//
//
// Every axis is a parallel dim of operands and results alike; scalar operands beside
// a tile (philox' seed) are not cut.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IterSpec.h"

#include "tessera/Dialect/Tile/Structure.h"
#include "tessera/Dialect/Tile/TileOps.h"

using namespace mlir;

namespace tessera::tile {

std::optional<IterSpec> elementwiseSpec(Operation *op) {
  if (!isElementwise(op) && !isa<ConvertOp, FillAbsentOp, PresentOp>(op)) {
    return std::nullopt;
  }
  ArrayRef<int64_t> shape = shapeOf(op->getResult(0).getType());
  IterSpec spec;
  spec.dims = parallelDims(shape);
  for (Value operand : op->getOperands()) {
    spec.operands.push_back(identityUses(shapeOf(operand.getType())));
  }
  spec.results.assign(op->getNumResults(), identityUses(shape));
  return spec;
}

} // namespace tessera::tile
