// Shape and strides of an array, in elements, and what follows from them: the span of offsets, whether two elements
// share an address, and walks over the elements in index order or in address order.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_HOST_HOSTLAYOUT_H
#define TESSERA_HOST_HOSTLAYOUT_H

#include "tessera/Host/ArrayOrder.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <optional>
#include <string>

namespace tessera {

using IndexVector = llvm::SmallVector<int64_t, 4>;
using Int128 = __int128;

/// Offsets of the elements relative to the one with all indices 0, first and last included. Not valid for an array
/// without elements.
struct OffsetSpan {
  Int128 first = 0, last = 0;
};

struct HostLayout {
  IndexVector shape;
  /// In elements; any value, also negative.
  IndexVector strides;

  /// Strides for an order. Extents must be 0 or more. Nothing if a stride exceeds 64 bits and there are elements.
  static std::optional<HostLayout> get(llvm::ArrayRef<int64_t> shape, ArrayOrder order);

  unsigned rank() const { return shape.size(); }
  bool hasElements() const { return !llvm::is_contained(shape, 0); }
  /// May exceed 64 bits for shapes that no memory holds.
  Int128 numElements() const;
  OffsetSpan span() const;

  /// Offset of an element in elements. The index must be in range.
  int64_t offsetOf(llvm::ArrayRef<int64_t> index) const;

  /// Elements are adjacent in index order (last axis fastest), without gaps.
  bool isContiguous() const;

  /// Whether two indices share an offset. May take time and memory of the order of the number of elements where the
  /// strides do not nest.
  bool overlapsItself() const;

  /// Calls `visit(index, offset)` for every element, last axis fastest.
  void forEach(llvm::function_ref<void(llvm::ArrayRef<int64_t>, int64_t)> visit) const;

  /// Calls `visit(offset, stride, count)` for every row, the elements that differ in the last axis only, in index
  /// order. An array of rank 0 has one row of one element.
  void forEachRow(llvm::function_ref<void(int64_t, int64_t, int64_t)> visit) const;

  /// Calls `visit(offset, count)` for runs of adjacent elements, offsets ascending. Elements that share an offset are
  /// visited once.
  void forEachRunByOffset(llvm::function_ref<void(int64_t, int64_t)> visit) const;
};

/// For messages; no stream prints 128 bits.
std::string printDecimal(Int128 value);

/// Index tuple of the element at a position in index order.
IndexVector indexOfPosition(llvm::ArrayRef<int64_t> shape, int64_t position);

} // namespace tessera

#endif // TESSERA_HOST_HOSTLAYOUT_H
