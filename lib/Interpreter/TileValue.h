// A tile at run time: dense elements in the number system's storage, and the factors of its absence (language decision
// D1): predicates over sets of axes, all of which must hold for an element to be present.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_LIB_INTERPRETER_TILEVALUE_H
#define TESSERA_LIB_INTERPRETER_TILEVALUE_H

#include "Buffer.h"
#include "Strided.h"

#include "tessera/Numeric/DType.h"

namespace tessera::interp {

/// Set of axes, bit a for axis a.
using AxisSet = uint64_t;
constexpr unsigned maxRank = 64;

inline AxisSet axisBit(unsigned axis) { return AxisSet(1) << axis; }
inline bool contains(AxisSet set, unsigned axis) { return set >> axis & 1; }
/// The set after the axis is taken out and the axes behind it move up.
AxisSet withoutAxis(AxisSet set, unsigned axis);

/// What is static about a scalar (no axis) or tile.
struct TileType {
  DType dtype = DType::f32;
  Shape shape;
  int64_t count = 1;      ///< elements
  size_t elementSize = 1; ///< in the number system

  unsigned rank() const { return shape.size(); }
  size_t bytes() const { return count * elementSize; }
  AxisSet allAxes() const { return rank() == 64 ? ~AxisSet(0) : axisBit(rank()) - 1; }
};

/// One byte, 0 or 1, for each point of the axes' extents, row-major. A factor that holds everywhere is not kept, and of
/// two factors over one set of axes only the conjunction is: neither can be told apart by any op.
struct Factor {
  AxisSet axes = 0;
  Ref mask;
};
using Factors = llvm::SmallVector<Factor, 2>;

struct TileValue {
  Ref data;
  Factors factors;

  void reset() {
    data = Ref();
    factors.clear();
  }
};

/// Number of points of the axes' extents.
int64_t pointsOf(llvm::ArrayRef<int64_t> shape, AxisSet axes);
/// Extents of the axes.
Shape extentsOf(llvm::ArrayRef<int64_t> shape, AxisSet axes);
/// For each axis of `shape`, its stride in a mask over `axes`; 0 for an axis that the mask does not know.
Shape maskStrides(llvm::ArrayRef<int64_t> shape, AxisSet axes);

bool allOnes(const uint8_t *mask, int64_t count);

/// Adds a factor unless it holds everywhere.
void addFactor(BufferPool &pool, Factors &factors, llvm::ArrayRef<int64_t> shape, AxisSet axes,
               Ref mask);
/// Adds all factors of a value of the same shape.
void addFactors(BufferPool &pool, Factors &factors, llvm::ArrayRef<int64_t> shape,
                const Factors &more);

/// Presence of every element; null if all are present.
Ref presence(BufferPool &pool, const Factors &factors, llvm::ArrayRef<int64_t> shape);

/// The mask with its axes in the order of `newAxisOf` (the new number of each axis in the set): a factor's data after a
/// permutation. The set of new axes is returned.
AxisSet renumber(AxisSet axes, llvm::ArrayRef<int64_t> newAxisOf);
Ref permuteMask(BufferPool &pool, const Factor &factor, llvm::ArrayRef<int64_t> shape,
                llvm::ArrayRef<int64_t> newAxisOf);

} // namespace tessera::interp

#endif // TESSERA_LIB_INTERPRETER_TILEVALUE_H
