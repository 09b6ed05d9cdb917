// Accesses as lines of a report.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_CONVERSION_ACCESSTEXT_H
#define TESSERA_CONVERSION_ACCESSTEXT_H

#include "llvm/ADT/ArrayRef.h"

#include <string>

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace tessera::convert {

/// Lines in the order of their first, equal ones as one with their number: an op may be in the code several times, before a
/// loop and in it.
void printMerged(llvm::raw_ostream &os, llvm::ArrayRef<std::string> lines);

} // namespace tessera::convert

#endif // TESSERA_CONVERSION_ACCESSTEXT_H
