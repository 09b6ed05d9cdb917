// Addresses in shared memory: a buf's layout at the coordinates of a thread's registers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TESSERA_LIB_CONVERSION_TILETOLLVM_BUFS_H
#define TESSERA_LIB_CONVERSION_TILETOLLVM_BUFS_H

#include "Lowering.h"

namespace tessera::convert {

/// The offset of an element in a slot, in elements.
int64_t offsetIn(const BufValue &buf, llvm::ArrayRef<int64_t> coords);

/// Elements at multiples of `run` along the axis begin at multiples of `step` elements, and the ones behind each, up to the
/// next multiple, follow it in memory.
bool keepsRuns(const BufValue &buf, unsigned along, int64_t run, int64_t step);
/// Neighbours along the last axis (a power of two, at most 16 bytes of them) that lie side by side, aligned to their size.
int64_t vectorIn(const BufValue &buf);

/// What the threads of a distribution add to the address of a slot.
class BufAddress {
public:
  /// `thread`: coordinates as i32 values, one for each axis, that threads add to those of registers.
  BufAddress(Lowering &l, mlir::Value buf, mlir::Value slot, llvm::ArrayRef<llvm::Value *> thread,
             const Dist &dist);
  /// Address (ptr addrspace(3)) and constant bytes of a register's element.
  llvm::Value *at(llvm::ArrayRef<int64_t> coords, int64_t &constant);

private:
  llvm::Value *general(llvm::ArrayRef<int64_t> coords);
  llvm::Value *mixed();

  Lowering &l;
  const BufValue &buf;
  llvm::SmallVector<llvm::Value *, 4> thread;
  const Dist &dist;
  llvm::Value *base = nullptr;   ///< of the slot, i64 bytes in shared memory
  llvm::Value *linear = nullptr; ///< i32 bytes of the thread where coordinates add up
  llvm::Value *folded = nullptr; ///< i32 bytes of the thread where they are XORed
  uint64_t foldedBits = 0;       ///< that it may have
};

/// Whether all cells are written whatever is absent, as zeros: every copy into the buf fills, and nothing else writes.
bool isFilledBuf(mlir::Value buf);
/// Whether one write alone fills the buf, and a group of threads reads it by an instruction, which takes whole pieces, absent
/// elements with the others: then all cells are written, those of absent elements with anything.
bool isWrittenWhole(mlir::Value buf);
/// The second half of that.
bool isReadWhole(mlir::Value buf);
/// What the spans of a read say is present.
llvm::SmallVector<Factor, 2> factorsOf(Lowering &l, tile::ReadOp read);

/// The i32 coordinates of a distribution's threads.
llvm::SmallVector<llvm::Value *, 4> threadOf(Lowering &l, const Dist &dist, unsigned rank);

} // namespace tessera::convert

#endif // TESSERA_LIB_CONVERSION_TILETOLLVM_BUFS_H
