// Reductions over the registers, lanes and warps of a tile.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TESSERA_LIB_CONVERSION_TILETOLLVM_REDUCER_H
#define TESSERA_LIB_CONVERSION_TILETOLLVM_REDUCER_H

#include "Lowering.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <functional>
#include <map>

namespace tessera::convert {

/// What is combined: one value, or a value with its index.
using State = llvm::SmallVector<llvm::Value *, 2>;
using Combine = std::function<llvm::Expected<State>(const State &, const State &)>;

/// A power of two of the position along the axis, and what has it.
struct PositionBit {
  int64_t value;
  tile::Place place;
  int64_t mask = 0; ///< bit of the lane's or warp's number
};

class Reducer {
public:
  Reducer(Lowering &l, const TileValue &x, unsigned axis, bool isTree, Combine combine)
      : l(l), x(x), axis(axis), isTree(isTree), combine(std::move(combine)) {}

  /// The combination is told its sides in the order of their positions; without this it must not care.
  void keepSides() { keepsSides = true; }

  /// Whether the distribution gives every bit of the position to one place.
  bool readBits();
  /// The total of a list of partial results by the register's position along the axis.
  llvm::Expected<State> reduce(std::map<int64_t, State> partials);

private:
  using Partials = std::map<int64_t, State>;

  llvm::Error overRegisters(Partials &partials, int64_t value);
  llvm::Error overLanes(Partials &partials, const PositionBit &bit);
  /// Bits of the warp's number, one after the other in the order of combination, in one exchange.
  llvm::Error overWarps(Partials &partials, llvm::ArrayRef<int64_t> masks, bool sharesOut);
  /// How many of the bits from here on are combined over warps together: of positions that warps have, or have got.
  size_t runOfWarps(size_t first, llvm::SmallVectorImpl<int64_t> &masks) const;
  llvm::Expected<State> withPartner(const State &mine, const State &theirs, llvm::Value *number,
                                    int64_t mask);
  State exchanged(const State &state, int64_t mask);
  int64_t topBit(const Partials &partials) const;

  Lowering &l;
  const TileValue &x;
  unsigned axis;
  bool isTree;
  bool keepsSides = false;
  Combine combine;
  llvm::SmallVector<PositionBit> bits;       ///< in the order of combination
  std::map<int64_t, int64_t> sharedOut;      ///< bits of registers that lanes hold now
  std::map<int64_t, int64_t> sharedOutWarps; ///< those that warps hold
};

/// States of all threads in scratch memory, for other warps to read: written, made ready, read.
class WarpExchange {
public:
  /// Room for `count` states like one. All threads are through with what was there before.
  WarpExchange(Lowering &l, const State &like, size_t count);

  void write(size_t index, const State &state);
  void ready();
  /// The state `index` + `more` (i32; null for 0) of the lane of a warp.
  State read(llvm::Value *warp, size_t index, llvm::Value *more = nullptr);

private:
  llvm::Value *at(size_t value, llvm::Value *warp, llvm::Value *more);

  Lowering &l;
  llvm::SmallVector<llvm::Type *, 2> types;
  llvm::SmallVector<int64_t, 2> sizes, offsets;
  int64_t stateBytes = 0;
  llvm::Value *base = nullptr;
};

/// Registers of the operand that a result's register is made of, by their position along the axis.
llvm::SmallVector<std::pair<int64_t, int64_t>> registersOf(const TileValue &x, unsigned axis,
                                                           llvm::ArrayRef<int64_t> kept);
/// Factors of the operand that speak of the axis; all others stay with the result, renumbered where the axis leaves.
TileValue splitFactors(const TileValue &x, unsigned axis, TileValue &result, bool leaves = true);
mlir::LogicalResult notHeld(Lowering &l, mlir::Operation *op, const TileValue &x);

/// Values with indices: which goes before the other; no element is the index -1.
Combine argCombination(Lowering &l, DType type, bool isMax);

/// The region of `reduce_with`, `scan_with` on two elements that may be missing: a value and i1 whether there is one.
Combine regionCombination(Lowering &l, mlir::Region &region);

} // namespace tessera::convert

#endif // TESSERA_LIB_CONVERSION_TILETOLLVM_REDUCER_H
