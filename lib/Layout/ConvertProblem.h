// A conversion prepared for the planners: both layouts over the same inputs and outputs, split at the same atoms.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_LIB_LAYOUT_CONVERTPROBLEM_H
#define TESSERA_LIB_LAYOUT_CONVERTPROBLEM_H

#include "Digits.h"

#include "tessera/Layout/Convert.h"

namespace tessera {

/// Numbers of the inputs after preparation.
enum ThreadDim : unsigned { regDim, laneDim, warpDim, blockDim };

/// A digit of the registers that both layouts have outside of the atoms.
struct RegisterLoop {
  int64_t extent = 1;
  int64_t fromPlace = 0; // 0: the target repeats the value
  int64_t toPlace = 0;
};

struct LinearProblem {
  Digits from;
  Digits to;
  llvm::SmallVector<RegisterLoop> loops;
};

struct ConvertProblem {
  Layout from;
  Layout to;
  int64_t elementBytes = 4;
  /// Set if inside equal atoms both are linear and outside both are the same.
  std::optional<LinearProblem> linear;

  int64_t lanes() const { return from.ins()[laneDim].size(); }
  int64_t warps() const { return from.ins()[warpDim].size(); }
};

/// Images of the bits of one input, ascending places.
llvm::SmallVector<uint64_t> imagesOf(const Digits &digits, unsigned in);
/// Place values of the same bits.
llvm::SmallVector<int64_t> placesOf(const Digits &digits, unsigned in);

/// What a thread's bit of the target is made of: bits of registers and lanes of the source, in the same warp.
struct Source {
  uint64_t registers = 0; // bits of the source's registers
  uint64_t lanes = 0;
};
struct SourceMap {
  llvm::SmallVector<Source> registers;
  llvm::SmallVector<Source> lanes;
  llvm::SmallVector<Source> warps;
};
/// Nothing if some element comes from another warp or block.
std::optional<SourceMap> sourcesWithinWarps(const LinearProblem &problem);

/// Error T0980 where data crosses warps.
llvm::Expected<ConversionPlan> planShuffle(const ConvertProblem &problem);
llvm::Expected<ConversionPlan> planShared(const ConvertProblem &problem);

} // namespace tessera

#endif // TESSERA_LIB_LAYOUT_CONVERTPROBLEM_H
