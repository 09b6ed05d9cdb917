// How a tile gets from one distribution over threads to another: within the registers of each thread, by warp shuffles, or
// through shared memory. A plan is data that says what every thread does; `ConvertCost` says what that costs.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_LAYOUT_CONVERT_H
#define TESSERA_LAYOUT_CONVERT_H

#include "tessera/Layout/Access.h"
#include "tessera/Layout/Layout.h"

#include <optional>
#include <utility>
#include <vector>

namespace tessera {

enum class ConvertPath { registers, shuffle, shared };

llvm::StringRef toString(ConvertPath path);

/// Instructions of one warp.
struct ConvertCost {
  int64_t shuffles = 0;
  /// Choices of a register by lane or warp.
  int64_t selects = 0;
  /// Byte permutations that take 32-bit registers of narrow elements apart and put them together; an estimate.
  int64_t permutes = 0;
  int64_t stores = 0;
  int64_t loads = 0;
  /// Passes through the banks of shared memory, of stores and loads together.
  int64_t wavefronts = 0;
  int64_t blockBarriers = 0;
  int64_t warpBarriers = 0;

  /// Quarters of a cycle of one multiprocessor: arithmetic has 128 lanes a cycle, shuffles and banks 32. A barrier of the
  /// block and the way through memory count as 30 cycles each, a barrier of the warp as 2.
  int64_t quarterCycles() const;
};

/// One step: every thread gives one register (or several packed ones) and takes one. Threads are numbered
/// warp * lanes + lane.
struct ShuffleRound {
  /// Every lane takes from itself: no shuffle, only a choice of registers.
  bool local = false;
  /// Set if every lane takes from lane XOR this.
  std::optional<int64_t> laneXor;
  /// The lane, of the same warp, each thread takes from.
  std::vector<int64_t> sourceLane;
  /// The source register each thread gives.
  std::vector<int64_t> given;
  /// The target register each thread fills.
  std::vector<int64_t> filled;
};

struct ShufflePlan {
  int64_t lanes = 1;
  int64_t warps = 1;
  /// Elements that move together in one register: offsets to add to `given` and `filled`.
  std::vector<int64_t> packGiven;
  std::vector<int64_t> packFilled;
  std::vector<ShuffleRound> rounds;
  /// Target registers that hold what others hold, (from, to), in order, after all rounds.
  std::vector<std::pair<int64_t, int64_t>> copies;
};

struct SharedPlan {
  /// Tile axes -> offset in elements.
  Layout store;
  AccessWidth width;
  /// Registers in the order of accesses: each `width.elements()` neighbours are one access. Registers of the source that
  /// repeat others are left out.
  std::vector<int64_t> writeOrder;
  std::vector<int64_t> readOrder;
  /// Threads with one of these bits in their lane or warp number hold what others hold and do not write.
  int64_t silentLanes = 0;
  int64_t silentWarps = 0;
  BankReport write;
  BankReport read;
  /// Each warp reads only what it wrote.
  bool withinWarps = false;

  int64_t elements() const { return store.outs().front().size; }
};

struct ConversionPlan {
  ConvertPath path = ConvertPath::registers;
  ConvertCost cost;
  /// For `registers` and `shuffle`.
  std::optional<ShufflePlan> shuffle;
  std::optional<SharedPlan> shared;
};

/// `from` and `to` have inputs `register`, `lane`, `warp`, `block` (absent ones have one point) and the same outputs and
/// sizes; both reach every element; lanes, warps and blocks agree in number. Elements have 1 to 16 bytes. Without `path` the
/// cheapest plan. Each block keeps its own elements. Errors: T0979 (the layouts do not fit together), T0980 (not possible
/// by the path asked for).
llvm::Expected<ConversionPlan> planConversion(const Layout &from, const Layout &to,
                                              int64_t elementBytes,
                                              std::optional<ConvertPath> path = std::nullopt);

} // namespace tessera

#endif // TESSERA_LAYOUT_CONVERT_H
