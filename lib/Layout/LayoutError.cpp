// Texts and codes of LayoutErrors.def, and the log of the codes that were emitted.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tessera/Layout/LayoutError.h"

#include "tessera/Support/DiagnosticLog.h"

#include "llvm/Support/raw_ostream.h"

#include <iterator>
#include <utility>

using namespace tessera;

namespace {
struct DiagRow {
  const char *code;
  const char *format;
};

constexpr DiagRow diagRows[] = {
#define TESSERA_DIAG(id, code, severity, format) {code, format},
#include "tessera/Layout/LayoutErrors.def"
};

const DiagRow &row(LayoutDiag id) { return diagRows[static_cast<unsigned>(id)]; }
} // namespace

unsigned tessera::numLayoutDiags() { return std::size(diagRows); }
llvm::StringRef tessera::layoutDiagCode(LayoutDiag id) { return row(id).code; }
llvm::StringRef tessera::layoutDiagFormat(LayoutDiag id) { return row(id).format; }

char LayoutError::ID = 0;

void LayoutError::log(llvm::raw_ostream &os) const { os << code() << ": " << text; }

std::error_code LayoutError::convertToErrorCode() const { return llvm::inconvertibleErrorCode(); }

llvm::Error tessera::makeLayoutError(LayoutDiag id, std::string text,
                                     std::optional<size_t> offset) {
  logDiagnosticCode(layoutDiagCode(id));
  return llvm::make_error<LayoutError>(id, std::move(text), offset);
}
