// Copies of many narrow pieces as loops, where little code is worth more than the time of a launch.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TESSERA_LIB_CONVERSION_TILETOLLVM_ROLLED_H
#define TESSERA_LIB_CONVERSION_TILETOLLVM_ROLLED_H

#include "Lowering.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace tessera::convert {

/// Whether the kernel serves the launches that none of its versions takes: rare ones.
bool servesTheRest(tile::KernelOp kernel);

/// `body` makes the code for the elements that a distribution gives to each thread: of all at once, or in a loop of a part each,
/// in which `threadCoord` has what the step adds. Pieces are of `width` elements.
mlir::LogicalResult inParts(Lowering &l, const Dist &dist, llvm::ArrayRef<int64_t> shape,
                            int64_t width,
                            llvm::function_ref<mlir::LogicalResult(const Dist &)> body);

} // namespace tessera::convert

#endif // TESSERA_LIB_CONVERSION_TILETOLLVM_ROLLED_H
