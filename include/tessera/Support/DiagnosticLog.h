// The log of emitted diagnostics that the coverage check of the tests reads.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_SUPPORT_DIAGNOSTICLOG_H
#define TESSERA_SUPPORT_DIAGNOSTICLOG_H

#include "llvm/ADT/StringRef.h"

namespace tessera {

/// Appends `code` to the file that the environment variable TESSERA_DIAG_LOG names, once per process and file; does
/// nothing where the variable is unset or empty. Safe from several threads; a file that cannot be written is ignored.
void logDiagnosticCode(llvm::StringRef code);

} // namespace tessera

#endif // TESSERA_SUPPORT_DIAGNOSTICLOG_H
