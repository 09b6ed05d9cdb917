// Elementwise ops that come to their results together.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_LIB_CONVERSION_TILETOLLVM_CHAINS_H
#define TESSERA_LIB_CONVERSION_TILETOLLVM_CHAINS_H

#include "Lowering.h"

namespace tessera::convert {

/// The op and elementwise ops behind it together, or nothing more to do where an earlier one has taken it along; nothing where
/// nothing is gained by that.
std::optional<mlir::LogicalResult> lowerChain(Lowering &lowering, mlir::Operation *op);

} // namespace tessera::convert

#endif // TESSERA_LIB_CONVERSION_TILETOLLVM_CHAINS_H
