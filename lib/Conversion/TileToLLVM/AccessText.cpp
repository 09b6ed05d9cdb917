// Accesses and what they cost, as text.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tessera/Conversion/AccessText.h"

#include "tessera/Conversion/Accesses.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/raw_ostream.h"

using namespace tessera;
using namespace tessera::convert;

llvm::StringRef convert::accessAssumptions() {
  return "of tiles without absent elements, where arrays and their rows begin at multiples of 32 "
         "bytes";
}

/// `8 sectors of at least 4`
static void printCounts(llvm::raw_ostream &os, bool isShared, const AccessCounts &counts) {
  if (isShared) {
    os << counts.wavefronts << " wavefronts of at least " << counts.idealWavefronts << ", degree "
       << counts.degree;
  } else {
    os << counts.sectors << " sectors of at least " << counts.idealSectors;
  }
}

void convert::printAccess(llvm::raw_ostream &os, const AccessCost &access) {
  os << "  " << access.place << ": " << access.what << ": " << access.instructions << " x "
     << access.laneBytes << " bytes a lane" << (access.isElected ? " of one thread" : "") << ", ";
  if (!access.unknown.empty()) {
    os << "unknown: " << access.unknown << (access.counts ? "; where it is 1: " : "");
  }
  if (access.counts) {
    printCounts(os, access.isShared, *access.counts);
  }
}

void convert::printMerged(llvm::raw_ostream &os, llvm::ArrayRef<std::string> lines) {
  llvm::StringMap<unsigned> times;
  for (const std::string &line : lines) {
    ++times[line];
  }
  for (const std::string &line : lines) {
    unsigned count = std::exchange(times[line], 0);
    if (count > 0) {
      os << line << (count > 1 ? " (" + std::to_string(count) + " times in the code)" : "") << "\n";
    }
  }
}
