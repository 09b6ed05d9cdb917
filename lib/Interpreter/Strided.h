// Copies between a dense block and elements at regular distances. One copy is planned once, with adjacent axes merged,
// and run many times.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_LIB_INTERPRETER_STRIDED_H
#define TESSERA_LIB_INTERPRETER_STRIDED_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <cstddef>
#include <cstdint>

namespace tessera::interp {

using Shape = llvm::SmallVector<int64_t, 4>;

/// Strides, in elements, of a dense row-major block.
Shape denseStrides(llvm::ArrayRef<int64_t> shape);

/// Element (i, j, …) of a dense block of `shape` comes from source position `origin + i * strides[0] + …`.
class StridedCopy {
public:
  StridedCopy(llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<int64_t> strides, int64_t origin,
              size_t elementSize);

  void operator()(const void *source, void *target) const;
  /// target[i] &= source[…], for masks; element size 1.
  void andInto(const uint8_t *source, uint8_t *target) const;

private:
  template <class RowFn> void forEachRow(RowFn row) const;

  Shape extents, steps; // the last axis is the row
  int64_t origin;
  size_t size;
  bool empty;
};

/// `count` elements of `size` bytes; steps in elements.
void copyRow(const std::byte *source, int64_t sourceStep, std::byte *target, int64_t targetStep,
             int64_t count, size_t size);

} // namespace tessera::interp

#endif // TESSERA_LIB_INTERPRETER_STRIDED_H
