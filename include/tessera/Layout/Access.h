// What an access costs: contiguous runs, bank conflicts in shared memory, sectors in global memory. An access layout goes
// from (register, lane, …) to one output, a position in memory counted in elements; position 0 is aligned to 128 bytes.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_LAYOUT_ACCESS_H
#define TESSERA_LAYOUT_ACCESS_H

#include "tessera/Layout/Layout.h"

#include <optional>

namespace tessera {

/// The largest n such that each aligned group of n neighbours along input `dim` maps to n neighbouring values of the single
/// output, the first a multiple of n. The size of `dim` if it is 1. Error: T0963 (unknown dim, several outputs).
llvm::Expected<int64_t> contiguousRun(const Layout &layout, llvm::StringRef dim);

/// The largest n such that n neighbouring aligned positions of `b` are neighbours in `a` also: how many elements one vector
/// copy between two memory layouts of the same coordinates can move. `b` is bijective onto its size. Errors as of
/// `rightInverse` and `compose`.
llvm::Expected<int64_t> commonVector(const Layout &a, const Layout &b);

/// A lane's access: `bytes` in one instruction, elements of `elementBytes`.
struct AccessWidth {
  int64_t elementBytes = 4;
  int64_t bytes = 4;

  int64_t elements() const { return bytes / elementBytes; }
};

struct BankReport {
  /// Groups of lanes that the hardware serves one after the other: 1 up to 4 bytes a lane, 2 for 8 bytes (half warps), 4 for
  /// 16 bytes (quarter warps).
  int64_t phases = 1;
  /// The most different words that one bank has to give in one phase, over all instructions: 1 is free of conflicts.
  int64_t degree = 1;
  /// Sum over the phases of an instruction, the worst instruction: passes through the banks.
  int64_t wavefronts = 1;
  /// Instructions, one for each group of registers and each point of inputs other than lanes, and the sum of their
  /// wavefronts.
  int64_t instructions = 1;
  int64_t total = 1;
};

/// 32 banks of 4 bytes; lanes that read the same word share it. Errors: T0977 (widths; registers not contiguous), T0978
/// (lanes, outputs, more than 2^22 accesses to look at).
llvm::Expected<BankReport> bankConflicts(const Layout &access, AccessWidth width);

/// One instruction: the first byte of each lane, nothing for a lane that does not act. At most 32 lanes; phases in which no
/// lane acts cost nothing. `bytes` is 1, 2, 4, 8 or 16, first bytes are multiples of it.
using LaneBytes = llvm::ArrayRef<std::optional<int64_t>>;
BankReport bankConflicts(LaneBytes lanes, int64_t bytes);

struct SectorReport {
  /// Different 32-byte sectors of one instruction, the worst one.
  int64_t sectors = 0;
  /// The least number that could hold the same bytes.
  int64_t ideal = 0;
  /// Sum of the sectors over all instructions.
  int64_t total = 0;
};

/// Errors as of `bankConflicts`.
llvm::Expected<SectorReport> globalSectors(const Layout &access, AccessWidth width);
/// One instruction, as above.
SectorReport globalSectors(LaneBytes lanes, int64_t bytes);

} // namespace tessera

#endif // TESSERA_LAYOUT_ACCESS_H
