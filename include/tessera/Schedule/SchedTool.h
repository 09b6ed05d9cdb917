// What the tool tile-sched does: runs a schedule on a kernel and writes what became of it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TESSERA_SCHEDULE_SCHEDTOOL_H
#define TESSERA_SCHEDULE_SCHEDTOOL_H

#include "tessera/Schedule/Primitive.h"

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace tessera {

/// `words` are the arguments after the program's name. Returns the exit status: 0 done, 1 the schedule or the program
/// failed, 2 the command line is wrong. With a replayer, refusals say whether their witness happens.
int runTileSched(llvm::ArrayRef<llvm::StringRef> words, llvm::raw_ostream &out,
                 llvm::raw_ostream &err, schedule::Replayer replayer = {});

} // namespace tessera

#endif // TESSERA_SCHEDULE_SCHEDTOOL_H
