// Texts and codes of ReferenceErrors.def, and the log of the codes that were emitted.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tessera/Reference/CheckedError.h"

#include "tessera/Support/DiagnosticLog.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace tessera;

namespace {
struct DiagRow {
  const char *code;
  const char *format;
};

constexpr DiagRow diagRows[] = {
#define TESSERA_DIAG(id, code, severity, format) {code, format},
#include "tessera/Reference/ReferenceErrors.def"
};
} // namespace

unsigned tessera::numReferenceDiags() { return std::size(diagRows); }
llvm::StringRef tessera::referenceDiagCode(ReferenceDiag id) {
  return diagRows[static_cast<unsigned>(id)].code;
}
llvm::StringRef tessera::referenceDiagFormat(ReferenceDiag id) {
  return diagRows[static_cast<unsigned>(id)].format;
}

char CheckedError::ID = 0;

void CheckedError::log(llvm::raw_ostream &os) const {
  os << code() << ": " << text << "; " << help;
}

std::error_code CheckedError::convertToErrorCode() const { return llvm::inconvertibleErrorCode(); }

llvm::Error tessera::makeCheckedError(ReferenceDiag id, std::string text, mlir::Location where,
                                      ValuesInForce values, std::string help) {
  logDiagnosticCode(referenceDiagCode(id));
  return llvm::make_error<CheckedError>(id, std::move(text), where, std::move(values),
                                        std::move(help));
}
