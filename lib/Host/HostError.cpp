// Texts and codes of HostErrors.def, and the log of the codes that were emitted.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tessera/Host/HostError.h"

#include "tessera/Support/DiagnosticLog.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <utility>

using namespace tessera;

namespace {
struct DiagRow {
  const char *name;
  const char *code;
  const char *format;
};

constexpr DiagRow diagRows[] = {
#define TESSERA_DIAG(id, code, severity, format) {#id, code, format},
#include "tessera/Host/HostErrors.def"
};

const DiagRow &row(HostDiag id) { return diagRows[static_cast<unsigned>(id)]; }
} // namespace

unsigned tessera::numHostDiags() { return std::size(diagRows); }
llvm::StringRef tessera::hostDiagCode(HostDiag id) { return row(id).code; }
llvm::StringRef tessera::hostDiagName(HostDiag id) { return row(id).name; }
llvm::StringRef tessera::hostDiagFormat(HostDiag id) { return row(id).format; }

char HostError::ID = 0;

void HostError::log(llvm::raw_ostream &os) const { os << code() << ": " << text; }

std::error_code HostError::convertToErrorCode() const { return llvm::inconvertibleErrorCode(); }

llvm::Error tessera::makeHostError(HostDiag id, std::string text) {
  logDiagnosticCode(hostDiagCode(id));
  return llvm::make_error<HostError>(id, std::move(text));
}

std::string tessera::joinNumbers(llvm::ArrayRef<int64_t> numbers) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleaveComma(numbers, os);
  return text;
}
