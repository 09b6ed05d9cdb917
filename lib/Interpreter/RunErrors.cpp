// Codes and texts of RunErrors.def, and the log of the codes that were emitted.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Machine.h"

#include "tessera/Support/DiagnosticLog.h"

using namespace tessera;

namespace {
struct DiagRow {
  const char *name;
  const char *code;
  bool warning;
  const char *format;
};

enum class Severity { error, warning };
constexpr DiagRow diagRows[] = {
#define TESSERA_DIAG(id, code, severity, format)                                                   \
  {#id, code, Severity::severity == Severity::warning, format},
#include "tessera/Interpreter/RunErrors.def"
};

const DiagRow &row(RunDiag id) { return diagRows[static_cast<unsigned>(id)]; }
} // namespace

unsigned tessera::numRunDiags() { return std::size(diagRows); }
llvm::StringRef tessera::runDiagCode(RunDiag id) { return row(id).code; }
llvm::StringRef tessera::runDiagName(RunDiag id) { return row(id).name; }
llvm::StringRef tessera::runDiagFormat(RunDiag id) { return row(id).format; }
bool tessera::isWarning(RunDiag id) { return row(id).warning; }

RunError tessera::interp::makeRunError(RunDiag id, std::string message, mlir::Location where) {
  logDiagnosticCode(runDiagCode(id));
  return RunError{id, std::move(message), where, {}, {}, {}, {}};
}
