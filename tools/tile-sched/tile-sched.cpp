// tile-sched: runs a schedule on a kernel and prints the result. What it does is the library TesseraScheduleDriver; refused
// steps are run by TesseraScheduleReplay.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tessera/Schedule/Replay.h"
#include "tessera/Schedule/SchedTool.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/raw_ostream.h"

using namespace tessera;

int main(int argc, char **argv) {
  llvm::SmallVector<llvm::StringRef> words(argv + 1, argv + argc);
  int status = runTileSched(words, llvm::outs(), llvm::errs(), schedule::replayUnderAdversary);
  llvm::outs().flush();
  return status;
}
