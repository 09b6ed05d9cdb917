// The library written in the language itself (lib/Std/*.tile) and its schedules (lib/Std/schedules/*.sched), as text inside
// the binary.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TESSERA_STD_STDFILES_H
#define TESSERA_STD_STDFILES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace tessera {

struct StdFile {
  llvm::StringRef name; ///< "math.tile", "rows.sched"
  llvm::StringRef text;
};

/// All files, sorted by name.
llvm::ArrayRef<StdFile> stdFiles();

} // namespace tessera

#endif // TESSERA_STD_STDFILES_H
