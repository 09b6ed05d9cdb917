// Parts of loops that chapters share: carried values, steps.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TESSERA_LIB_CONVERSION_TILETOLLVM_CONTROL_H
#define TESSERA_LIB_CONVERSION_TILETOLLVM_CONTROL_H

#include "Lowering.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/TypeSwitch.h"

#include <vector>

namespace tessera::convert {

/// A value that goes from one block to another: a variable for each register and for each bit of what may be absent.
class Carried {
public:
  Carried(Lowering &l, mlir::Value value);
  void store(Lowering &l, mlir::Value from);
  void load(Lowering &l, mlir::Value to) const;

private:
  mlir::Value value;
  Dist dist;
  llvm::SmallVector<int64_t, 4> shape;
  Registers variables;
  llvm::SmallVector<Factor, 2> factors; ///< bits are variables
};

std::vector<Carried> carriedOf(Lowering &l, mlir::ValueRange values);
void storeAll(Lowering &l, llvm::MutableArrayRef<Carried> carried, mlir::ValueRange from);
void loadAll(Lowering &l, llvm::ArrayRef<Carried> carried, mlir::ValueRange to);

llvm::Value *stepsOf(Lowering &l, llvm::Value *lo, llvm::Value *hi, int64_t width);
/// The step `number` (i64) of a range as the value that a body sees.
void bindStep(Lowering &l, mlir::Value step, llvm::Value *lo, llvm::Value *hi, int64_t width,
              llvm::Value *number);
/// The coordinates of a point of a launch domain from its number (i32), the last axis fastest. Numbers are below 2^31, as a
/// launch has no more CTAs.
void bindPoint(Lowering &l, mlir::Block &body, mlir::ValueRange lows, mlir::ValueRange highs,
               llvm::ArrayRef<int64_t> widths, llvm::Value *number);
/// for (number = first; number < end; ++number) body(number)
mlir::LogicalResult countedLoop(Lowering &l, llvm::Value *first, llvm::Value *end,
                                llvm::function_ref<mlir::LogicalResult(llvm::Value *)> body);

/// A loop whose body is cut into sections, some of them steps ahead.
mlir::LogicalResult lowerPipelined(Lowering &l, tile::ForOp loop);

} // namespace tessera::convert

#endif // TESSERA_LIB_CONVERSION_TILETOLLVM_CONTROL_H
