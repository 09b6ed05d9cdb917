// What is known at compile time of the divisors of index values and of the alignment of views: from constants, from the steps of
// loops and grids, from what the launch of a version has checked.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_SCHEDULE_ALIGNMENT_H
#define TESSERA_SCHEDULE_ALIGNMENT_H

#include "tessera/Dialect/Tile/TileOps.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"

namespace tessera::schedule {

class Alignment {
public:
  explicit Alignment(tile::KernelOp kernel);

  /// A power of two that divides the i64 value, whatever the launch; 2^62 for 0.
  int64_t divisor(mlir::Value value);
  /// The same of all starts and, apart from it, of all limits of a span: a vector of so many elements that begins at a multiple
  /// is wholly present or wholly absent.
  int64_t spanDivisor(mlir::Value span);
  /// Every step of the span is whole: no element of it is absent.
  bool isWhole(mlir::Value span);

  /// The address of each row of a view (every index 0 but the last) is a multiple of so many bytes; 1 where nothing is known.
  /// Of parts, groups and permuted views as far as their rows lie in rows of an argument.
  int64_t rowBytes(mlir::Value view);
  /// The last axis of the view has step 1.
  bool isContiguous(mlir::Value view);

  /// Elements of the widest access (at most 16 bytes) along the last axis of an indexed box, of those that divide `run`.
  int64_t vectorOf(mlir::Value view, mlir::ValueRange indices, llvm::ArrayRef<bool> whole,
                   int64_t run);

private:
  void readWhere();
  int64_t compute(mlir::Value value);
  int64_t rowStart(mlir::Value view);

  tile::KernelOp kernel;
  llvm::StringMap<int64_t> divisors; ///< of extents and scalars, by name
  llvm::StringMap<int64_t> aligned;  ///< views, by name
  llvm::DenseMap<mlir::Value, int64_t> known;
};

} // namespace tessera::schedule

#endif // TESSERA_SCHEDULE_ALIGNMENT_H
