// What the tool tile-run does: runs a kernel of a file on arrays from .npy files, or the tests of a file.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_RUNNER_RUNNER_H
#define TESSERA_RUNNER_RUNNER_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace tessera {

/// `words` are the arguments after the program's name. Reports on tests go to `out`, errors of a run to `err`. Returns the
/// exit status: 0 everything held, 1 a check or the program failed, 2 the command line is wrong.
int runTileRun(llvm::ArrayRef<llvm::StringRef> words, llvm::raw_ostream &out,
               llvm::raw_ostream &err);

} // namespace tessera

#endif // TESSERA_RUNNER_RUNNER_H
