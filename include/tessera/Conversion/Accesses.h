// What the accesses of a kernel's code cost, predicted from layouts: no code is run, no address is looked at.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_CONVERSION_ACCESSES_H
#define TESSERA_CONVERSION_ACCESSES_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace tessera::convert {

/// Sums over the instructions of an access and the warps of a CTA, each time the code is passed.
struct AccessCounts {
  int64_t warpInstructions = 0; ///< with at least one lane that acts
  int64_t bytes = 0;            ///< moved by lanes that act
  /// Shared memory: passes through the banks, those without any conflict, the most words of one bank in one phase.
  int64_t wavefronts = 0, idealWavefronts = 0, degree = 0;
  /// Global memory: 32-byte sectors, and the least number that could hold the bytes.
  int64_t sectors = 0, idealSectors = 0;
};

/// A group of markers that one op puts into the code side by side: the loads of a tile, the writes of an exchange.
struct AccessCost {
  std::string entry;     ///< symbol of the kernel's or version's function
  std::string place;     ///< `file:line:column`
  std::string what;      ///< "load of `x`"
  bool isShared = false; ///< memory of the CTA; else global
  const void *alloc =
      nullptr; ///< of a buf, the `tile.alloc` of the kernel that was lowered; not to be followed afterwards
  bool isWrite = false;     ///< atomics, too
  bool isElected = false;   ///< one thread of the CTA does it
  int64_t laneBytes = 0;    ///< of a lane in the widest instruction
  int64_t instructions = 0; ///< that each thread passes
  /// Under the assumptions below; nothing where even these leave it open.
  std::optional<AccessCounts> counts;
  /// What the counts depend on that nobody has checked; empty where they are known under the assumptions.
  std::string unknown;
};

/// Numbered by position, as the numbers on marker calls (tessera/Device/Access.h). Assumed is a tile without absent elements,
/// and of global memory that arrays and their rows begin at multiples of 32 bytes and that rows do not overlap.
using AccessReport = std::vector<AccessCost>;

/// The assumptions in a sentence.
llvm::StringRef accessAssumptions();
/// One access on a line, indented, without the end of the line.
void printAccess(llvm::raw_ostream &os, const AccessCost &access);

} // namespace tessera::convert

#endif // TESSERA_CONVERSION_ACCESSES_H
