// The error of the Layout room: an identifier of LayoutErrors.def with its text and, for errors in a layout's text, the
// byte where it is. It travels as llvm::Error; nothing in this room aborts on what a user gave.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_LAYOUT_LAYOUTERROR_H
#define TESSERA_LAYOUT_LAYOUTERROR_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FormatVariadic.h"

#include <cstdint>
#include <optional>
#include <string>

namespace tessera {

enum class LayoutDiag : uint16_t {
#define TESSERA_DIAG(id, code, severity, format) id,
#include "tessera/Layout/LayoutErrors.def"
};

unsigned numLayoutDiags();
/// The stable code, such as `T0966`.
llvm::StringRef layoutDiagCode(LayoutDiag id);
/// The text with numbered places for arguments.
llvm::StringRef layoutDiagFormat(LayoutDiag id);

class LayoutError : public llvm::ErrorInfo<LayoutError> {
public:
  static char ID;

  LayoutError(LayoutDiag id, std::string text, std::optional<size_t> offset)
      : diag(id), text(std::move(text)), position(offset) {}

  LayoutDiag id() const { return diag; }
  llvm::StringRef code() const { return layoutDiagCode(diag); }
  /// The text without the code.
  llvm::StringRef getText() const { return text; }
  /// For errors of the notation: the byte of the text, from 0.
  std::optional<size_t> offset() const { return position; }

  /// Prints `CODE: text`.
  void log(llvm::raw_ostream &os) const override;
  std::error_code convertToErrorCode() const override;

private:
  LayoutDiag diag;
  std::string text;
  std::optional<size_t> position;
};

/// Builds the error and, where the environment names a file in TESSERA_DIAG_LOG, appends the code to it (one a line).
llvm::Error makeLayoutError(LayoutDiag id, std::string text,
                            std::optional<size_t> offset = std::nullopt);

template <typename... Args> llvm::Error layoutError(LayoutDiag id, Args &&...args) {
  return makeLayoutError(
      id, llvm::formatv(false, layoutDiagFormat(id).data(), std::forward<Args>(args)...).str());
}

/// An error at a byte of a layout's text; the format's first place is the column, counted from 1.
template <typename... Args>
llvm::Error layoutErrorAt(size_t offset, LayoutDiag id, Args &&...args) {
  return makeLayoutError(
      id,
      llvm::formatv(false, layoutDiagFormat(id).data(), offset + 1, std::forward<Args>(args)...)
          .str(),
      offset);
}

} // namespace tessera

#endif // TESSERA_LAYOUT_LAYOUTERROR_H
