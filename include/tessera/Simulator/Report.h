// What a simulated launch found and counted.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_SIMULATOR_REPORT_H
#define TESSERA_SIMULATOR_REPORT_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <string>
#include <vector>

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace tessera::sim {

enum class ErrorKind : uint8_t {
  outOfBounds,   ///< memory that belongs to no array, or beyond shared memory
  readOnly,      ///< a store to an `in` array
  misaligned,    ///< an address that is no multiple of the access
  unwritten,     ///< a read of an `out` array's element that nobody wrote
  uninitialised, ///< a read of shared memory that nobody wrote in this CTA
  earlyRead,     ///< what an asynchronous copy writes, touched before the copy is waited for
  race,          ///< two accesses that nothing orders, one of them a write
  divergence,    ///< threads of one group at different rendezvous, or ended
  deadlock,      ///< no thread can go on
  assertion,     ///< a condition of the program does not hold
  trap,          ///< a place that is never reached was reached
};
llvm::StringRef name(ErrorKind kind);

struct SimError {
  ErrorKind kind;
  /// Complete sentences.
  std::string message;
  /// `file:line:column` of the access, and of the other one where two are at fault; empty where there is none.
  std::string site, otherSite;
  uint32_t cta = 0;
  unsigned thread = 0;
  /// How often the same kind came up between the same two places.
  uint64_t count = 1;
};

/// What one marker call of the module did, all CTAs together. A warp's execution is what its lanes do when they execute the
/// place for the n-th time each.
struct SiteCounters {
  std::string site, marker;
  /// The number that the marker carries (tessera/Device/Access.h), and whether the place touches memory at all.
  uint32_t access = UINT32_MAX;
  bool touchesMemory = false;
  uint64_t executed = 0; ///< by threads, predicated off included
  uint64_t active = 0;   ///< by threads whose predicate held
  uint64_t bytes = 0;
  /// Of CTAs that are counted in detail (SimLaunch::countedCtas); a warp without an active lane does not count.
  uint64_t warpExecutions = 0;
  /// Shared memory: passes through the banks, those without any conflict, and the most words of one bank in one phase.
  uint64_t wavefronts = 0, idealWavefronts = 0, degree = 0;
  /// Global memory: 32-byte sectors, and the least number that could hold the bytes.
  uint64_t sectors = 0, idealSectors = 0;
};

struct SimReport {
  std::vector<SimError> errors;
  /// Every thread of every CTA ran to its end.
  bool complete = false;
  uint64_t ctasRun = 0, markerCalls = 0, switches = 0;
  uint64_t globalRead = 0, globalWritten = 0, sharedRead = 0, sharedWritten = 0; ///< bytes
  /// Places that some thread executed, in the order of the module.
  std::vector<SiteCounters> sites;
  /// For each array of the launch, in order, whether each element (index order) was written; empty for `in` arrays.
  std::vector<std::vector<bool>> written;

  bool clean() const { return complete && errors.empty(); }
  void print(llvm::raw_ostream &os) const;
};

} // namespace tessera::sim

#endif // TESSERA_SIMULATOR_REPORT_H
