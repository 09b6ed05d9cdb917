// tile-run: runs the kernels of a file, or its tests. What it does is the library TesseraRunner.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tessera/Runner/Runner.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/raw_ostream.h"

int main(int argc, char **argv) {
  llvm::SmallVector<llvm::StringRef> words(argv + 1, argv + argc);
  const int status = tessera::runTileRun(words, llvm::outs(), llvm::errs());
  llvm::outs().flush();
  return status;
}
