// Texts and codes of LayoutErrors.def, and the log of the codes that were emitted.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tessera/Layout/LayoutError.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>
#include <iterator>
#include <mutex>
#include <set>
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

void appendToLog(llvm::StringRef code) {
  const char *path = std::getenv("TESSERA_DIAG_LOG");
  if (!path || !*path) {
    return;
  }
  // Once per process is enough: property tests provoke one error thousands of times.
  static std::mutex mutex;
  static std::set<std::pair<std::string, std::string>> logged;
  std::lock_guard<std::mutex> lock(mutex);
  if (!logged.emplace(path, code.str()).second) {
    return;
  }
  std::error_code error;
  llvm::raw_fd_ostream log(path, error, llvm::sys::fs::OF_Append);
  // The log is an aid for tests: that it cannot be written must not hide the error being reported.
  if (!error) {
    log << code << '\n';
    log.close();
  }
  log.clear_error();
}
} // namespace

unsigned tessera::numLayoutDiags() { return std::size(diagRows); }
llvm::StringRef tessera::layoutDiagCode(LayoutDiag id) { return row(id).code; }
llvm::StringRef tessera::layoutDiagFormat(LayoutDiag id) { return row(id).format; }

char LayoutError::ID = 0;

void LayoutError::log(llvm::raw_ostream &os) const { os << code() << ": " << text; }

std::error_code LayoutError::convertToErrorCode() const { return llvm::inconvertibleErrorCode(); }

llvm::Error tessera::makeLayoutError(LayoutDiag id, std::string text,
                                     std::optional<size_t> offset) {
  appendToLog(layoutDiagCode(id));
  return llvm::make_error<LayoutError>(id, std::move(text), offset);
}
