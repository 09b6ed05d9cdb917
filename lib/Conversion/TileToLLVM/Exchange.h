// Elements from thread to thread through scratch memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TESSERA_LIB_CONVERSION_TILETOLLVM_EXCHANGE_H
#define TESSERA_LIB_CONVERSION_TILETOLLVM_EXCHANGE_H

#include "Lowering.h"

namespace tessera::convert {

/// Where a tile's elements lie in a row of elements: (i, j, …) at first + sum of index * stride.
struct Placing {
  llvm::SmallVector<int64_t, 4> strides;
  int64_t first = 0;

  /// Rows one after the other.
  static Placing rows(llvm::ArrayRef<int64_t> shape);
  int64_t at(llvm::ArrayRef<int64_t> coords) const;
};

/// A row of elements in the scratch memory of the CTA. Made: all threads are through with what was there before.
class Exchange {
public:
  Exchange(Lowering &l, int64_t elements, llvm::Type *element);

  /// Elements inside the tile's shape, by the thread that owns them. `ready` comes between writes and reads.
  void write(const TileValue &tile, const Placing &placing);
  void ready();
  /// Registers of what lies inside the shape.
  void read(TileValue &tile, const Placing &placing);
  /// The element of a number that all threads, or each thread of its own, computes (i32).
  llvm::Value *readAt(llvm::Value *number);

private:
  int64_t widthOf(const TileValue &tile, const Placing &placing) const;
  llvm::Value *thread(const Dist &dist, const Placing &placing);

  Lowering &l;
  llvm::Type *element;
  int64_t bytes;
  llvm::Value *base = nullptr;
};

/// `to`'s registers from `from`'s, both placed in one row of `elements`: in registers where threads keep theirs, else through
/// shared memory.
void moveElements(Lowering &l, const TileValue &from, const Placing &fromAt, TileValue &to,
                  const Placing &toAt, int64_t elements, llvm::Type *element);
/// What a register beyond the tile's shape holds: nobody looks at an element there, but a bit is joined with others that say
/// whether an element is to be touched, and then nothing is there.
llvm::Value *excessElement(llvm::Type *element);
/// Whether that needs no shared memory; then `to` has its registers.
bool moveInRegisters(const TileValue &from, const Placing &fromAt, TileValue &to,
                     const Placing &toAt, llvm::Type *element);

/// The same tile in another distribution within the warps, where shuffles and choices of registers are the cheapest way; else
/// false, and nothing is emitted.
bool moveByShuffles(Lowering &l, const TileValue &from, TileValue &to, llvm::Type *element);

/// What some factors of a tile say together, as a tile of i1 with extent 1 along all axes but `axes`.
TileValue bitsOf(Lowering &l, const TileValue &tile, llvm::ArrayRef<Factor> factors, AxisSet axes);
/// A tile of i1 as a factor.
Factor factorOf(const TileValue &bits, AxisSet axes);
/// A tile without registers, `like` restricted to `axes`, extent 1 along all others.
TileValue restricted(const TileValue &like, AxisSet axes);

int64_t elementsOf(llvm::ArrayRef<int64_t> shape);

} // namespace tessera::convert

#endif // TESSERA_LIB_CONVERSION_TILETOLLVM_EXCHANGE_H
