// Names of errors, and the report as text.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tessera/Simulator/Report.h"

#include "llvm/Support/raw_ostream.h"

using namespace tessera::sim;

llvm::StringRef tessera::sim::name(ErrorKind kind) {
  switch (kind) {
  case ErrorKind::outOfBounds:
    return "out of bounds";
  case ErrorKind::readOnly:
    return "store to an `in` array";
  case ErrorKind::misaligned:
    return "misaligned";
  case ErrorKind::unwritten:
    return "read of an `out` array before it is written";
  case ErrorKind::uninitialised:
    return "uninitialised shared memory";
  case ErrorKind::earlyRead:
    return "asynchronous copy not waited for";
  case ErrorKind::race:
    return "race";
  case ErrorKind::divergence:
    return "divergent threads";
  case ErrorKind::deadlock:
    return "deadlock";
  case ErrorKind::assertion:
    return "assertion";
  case ErrorKind::trap:
    return "trap";
  }
  return "error";
}

void SimReport::print(llvm::raw_ostream &os) const {
  for (const SimError &error : errors) {
    os << (error.site.empty() ? "" : error.site + ": ") << name(error.kind) << ": "
       << error.message;
    if (error.count > 1) {
      os << " (" << error.count << " times)";
    }
    os << '\n';
  }
  os << ctasRun << " CTAs, " << markerCalls << " marker calls, " << switches
     << " switches of threads; global memory " << globalRead << " bytes read, " << globalWritten
     << " written; shared memory " << sharedRead << " read, " << sharedWritten << " written"
     << (complete ? "" : "; the run ended early") << '\n';
  for (const SiteCounters &site : sites) {
    os << "  " << site.site << ": " << site.marker << ": " << site.executed << " executed";
    if (site.bytes) {
      os << ", " << site.bytes << " bytes";
    }
    if (site.wavefronts) {
      os << ", " << site.wavefronts << " wavefronts for " << site.idealWavefronts << ", degree "
         << site.degree;
    }
    if (site.sectors) {
      os << ", " << site.sectors << " sectors for " << site.idealSectors;
    }
    os << '\n';
  }
}
