// The error of the Host and Check rooms: an identifier of HostErrors.def with its text. It travels as llvm::Error, so
// callers either handle it or pass it on; nothing in these rooms aborts on what a user gave.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_HOST_HOSTERROR_H
#define TESSERA_HOST_HOSTERROR_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FormatVariadic.h"

#include <cstdint>
#include <string>

namespace tessera {

enum class HostDiag : uint16_t {
#define TESSERA_DIAG(id, code, severity, format) id,
#include "tessera/Host/HostErrors.def"
};

/// Number of rows of HostErrors.def.
unsigned numHostDiags();

/// The stable code, such as `T0807`.
llvm::StringRef hostDiagCode(HostDiag id);

/// The identifier as written in HostErrors.def.
llvm::StringRef hostDiagName(HostDiag id);

/// The text with numbered places for arguments.
llvm::StringRef hostDiagFormat(HostDiag id);

class HostError : public llvm::ErrorInfo<HostError> {
public:
  static char ID;

  HostError(HostDiag id, std::string text) : diag(id), text(std::move(text)) {}

  HostDiag id() const { return diag; }
  llvm::StringRef code() const { return hostDiagCode(diag); }
  /// The text without the code.
  llvm::StringRef getText() const { return text; }

  /// Prints `CODE: text`.
  void log(llvm::raw_ostream &os) const override;
  std::error_code convertToErrorCode() const override;

private:
  HostDiag diag;
  std::string text;
};

/// Builds the error and, where the environment names a file in TESSERA_DIAG_LOG, appends the code to it (one a line):
/// so a test run can tell which errors were ever seen.
llvm::Error makeHostError(HostDiag id, std::string text);

template <typename... Args> llvm::Error hostError(HostDiag id, Args &&...args) {
  return makeHostError(
      id, llvm::formatv(false, hostDiagFormat(id).data(), std::forward<Args>(args)...).str());
}

/// `a, b, c`, for shapes and strides in messages.
std::string joinNumbers(llvm::ArrayRef<int64_t> numbers);

} // namespace tessera

#endif // TESSERA_HOST_HOSTERROR_H
