// What accesses of device code cost: predicted from layouts, counted by the simulator, compared.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TESSERA_LIB_RUNNER_COSTS_H
#define TESSERA_LIB_RUNNER_COSTS_H

#include "Launch.h"

#include "tessera/Conversion/Accesses.h"
#include "tessera/Simulator/Report.h"

#include "llvm/ADT/StringSet.h"

namespace tessera {

/// Whether a launch is one that predictions speak of: every array lies row by row without gaps, begins at a multiple of 32
/// bytes, and so do its rows.
bool hasPlainArrays(const Launch &launch);

/// Launches of one module.
class Costs {
public:
  /// The markers that a report is about; counts are added up over launches.
  convert::AccessReport predicted;

  /// What a launch of an entry with so many threads to a CTA counted.
  void add(const sim::SimReport &run, llvm::StringRef entry, unsigned threads);
  void leaveOut() { ++leftOut; }

  struct Summary {
    unsigned equal = 0, different = 0, unknown = 0, notRun = 0;
  };
  /// A line for each access of the entries that were launched, and one with the sums.
  Summary print(llvm::raw_ostream &os) const;

private:
  struct Counted {
    uint64_t passes = 0; ///< times that a CTA passed the access
    std::string problem; ///< of the first launch that had one
  };
  void addAccess(uint32_t number, llvm::ArrayRef<const sim::SiteCounters *> sites,
                 unsigned threads);

  std::vector<Counted> counted;
  llvm::StringSet<> entries; ///< that were launched
  std::vector<std::string> withoutPrediction;
  unsigned launches = 0, leftOut = 0;
};

} // namespace tessera

#endif // TESSERA_LIB_RUNNER_COSTS_H
