// How the elements of a test array lie in memory.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_HOST_ARRAYORDER_H
#define TESSERA_HOST_ARRAYORDER_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>

namespace tessera {

enum class ArrayOrder : uint8_t {
  /// Last axis adjacent, no gaps.
  row,
  /// First axis adjacent, no gaps.
  col,
  /// As `row`, with a gap after each row (the last axis).
  padded,
  /// As `row`, starting one element after a 64-byte boundary: aligned to one element only.
  offset,
  /// The outermost axis with more than one element has a stride that spreads the array over more than 2^31 elements.
  huge,
};

constexpr unsigned numArrayOrders = 5;

/// As written in a test block.
llvm::StringRef arrayOrderName(ArrayOrder order);

/// Error: T0855.
llvm::Expected<ArrayOrder> parseArrayOrder(llvm::StringRef name);

} // namespace tessera

#endif // TESSERA_HOST_ARRAYORDER_H
