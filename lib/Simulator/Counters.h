// What accesses cost: the lanes of a warp that execute one place for the n-th time are one access of the hardware, whose
// passes through the banks of shared memory or sectors of global memory are counted from the addresses alone. Nothing of
// the layout algebra's predictions is used, as it is to be judged by this.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_LIB_SIMULATOR_COUNTERS_H
#define TESSERA_LIB_SIMULATOR_COUNTERS_H

#include "Site.h"

#include "tessera/Simulator/Report.h"

#include "llvm/ADT/ArrayRef.h"

#include <vector>

namespace tessera::sim {

/// The addresses of a warp's lanes in one access, of which the low halves say enough; `active` has a bit for each lane whose
/// predicate holds.
struct WarpAccess {
  uint32_t arrived = 0, active = 0;
  uint32_t addresses[32];
};

struct BankCost {
  unsigned wavefronts = 0, ideal = 0, degree = 0;
};
/// 32 banks of 4 bytes. 8 bytes a lane are served by half warps, 16 by quarter warps; lanes that read the same word share.
BankCost bankCost(const WarpAccess &access, unsigned bytes);

struct SectorCost {
  unsigned sectors = 0, ideal = 0;
};
/// Sectors of 32 bytes.
SectorCost sectorCost(const WarpAccess &access, unsigned bytes);

class Counters {
public:
  void startLaunch(size_t sites);
  void startCta(unsigned threads, bool isCounted);
  /// Counts what lanes that diverged left open.
  void finishCta(llvm::ArrayRef<Site> sites);

  void note(const Site &site, unsigned thread, uint64_t address, bool active) {
    if (isCounting) {
      add(site, thread, address, active);
    }
  }
  SiteCounters &of(uint32_t site) { return totals[site]; }

private:
  /// Accesses of one warp at one place that not all lanes have executed yet.
  struct Open {
    uint32_t first = 0; ///< the execution of the access at `begin`
    uint32_t begin = 0;
    std::vector<WarpAccess> accesses;
    uint32_t executions[32] = {};

    bool empty() const { return begin == accesses.size(); }
  };
  /// Lanes that are further ahead than this are not grouped with the others.
  static constexpr uint32_t window = 4096;

  void add(const Site &site, unsigned thread, uint64_t address, bool active);
  void finish(const Site &site, const WarpAccess &access);
  void pop(const Site &site, Open &open);

  bool isCounting = false;
  unsigned threads = 0, warps = 0;
  std::vector<SiteCounters> totals;
  /// [site * warps + warp]
  std::vector<Open> opens;
  std::vector<uint32_t> touched;
  std::vector<bool> isTouched;
};

} // namespace tessera::sim

#endif // TESSERA_LIB_SIMULATOR_COUNTERS_H
