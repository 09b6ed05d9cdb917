// Sections and what they know of their loop.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TESSERA_LIB_CONVERSION_TILETOLLVM_RINGS_H
#define TESSERA_LIB_CONVERSION_TILETOLLVM_RINGS_H

#include "Control.h"

namespace tessera::convert {

/// Waits until the slot that is next in turn is filled, by all threads.
void waitFor(Lowering &l, tile::AwaitOp await);

/// A section in its place: its body, its results.
mlir::LogicalResult lowerSection(Lowering &l, mlir::Operation *op);

} // namespace tessera::convert

#endif // TESSERA_LIB_CONVERSION_TILETOLLVM_RINGS_H
