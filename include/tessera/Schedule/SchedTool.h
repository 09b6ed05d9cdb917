// What the tool tile-sched does: runs a schedule on a kernel and writes what became of it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TESSERA_SCHEDULE_SCHEDTOOL_H
#define TESSERA_SCHEDULE_SCHEDTOOL_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace tessera {

/// `words` are the arguments after the program's name. Returns the exit status: 0 done, 1 the schedule or the program
/// failed, 2 the command line is wrong.
int runTileSched(llvm::ArrayRef<llvm::StringRef> words, llvm::raw_ostream &out,
                 llvm::raw_ostream &err);

} // namespace tessera

#endif // TESSERA_SCHEDULE_SCHEDTOOL_H
