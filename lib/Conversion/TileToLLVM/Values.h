// What values of a kernel are in one thread.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TESSERA_LIB_CONVERSION_TILETOLLVM_VALUES_H
#define TESSERA_LIB_CONVERSION_TILETOLLVM_VALUES_H

#include "tessera/Analysis/AbsenceAnalysis.h"
#include "tessera/Schedule/Dist.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Value.h"

#include <map>
#include <memory>

namespace tessera::convert {

using schedule::Dist;
using Registers = llvm::SmallVector<llvm::Value *>;

/// A predicate over some axes of a tile.
struct Factor {
  AxisSet axes = 0;
  /// Of a span: coordinates of the axis below this number (i64, of the whole tile) are present.
  llvm::Value *count = nullptr;
  /// The span it stems from.
  mlir::Value span;
  /// Of anything else: a bit for each register of the tile's distribution restricted to `axes`.
  Dist dist;
  Registers bits;
};

/// A tile or a scalar: an element for each register, and what is present of them.
struct TileValue {
  Dist dist;
  llvm::SmallVector<int64_t, 4> shape;
  Registers regs;
  llvm::SmallVector<Factor, 2> factors;
};

struct SpanValue {
  llvm::Value *start = nullptr; ///< i64
  llvm::Value *stop = nullptr;  ///< i64, min(start + width, limit)
  int64_t width = 0;
};

struct ViewValue {
  llvm::Value *base = nullptr;
  llvm::SmallVector<llvm::Value *, 4> extents; ///< i64
  llvm::SmallVector<llvm::Value *, 4> strides; ///< i64, elements
  mlir::Value op;                              ///< the value in the kernel, for what is known of it
};

/// A buf: where it begins in the CTA's shared memory.
struct BufValue {
  int64_t offset = 0; ///< bytes
  int64_t slotBytes = 0;
  tile::BufType type;
  std::shared_ptr<Layout> layout; ///< null: rows one after the other
};

/// A ring: the numbers of the slots that are next, variables of the thread.
struct RingValue {
  tile::Protocol protocol = tile::Protocol::cta_sync;
  int64_t slots = 1;
  llvm::Value *filled = nullptr;
  llvm::Value *used = nullptr;
};

} // namespace tessera::convert

#endif // TESSERA_LIB_CONVERSION_TILETOLLVM_VALUES_H
