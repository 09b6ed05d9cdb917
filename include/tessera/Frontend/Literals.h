// Exact conversion of number literals. A literal is kept as text until it meets a type; then it is rounded once, to
// nearest, ties to even.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TESSERA_FRONTEND_LITERALS_H
#define TESSERA_FRONTEND_LITERALS_H

#include "tessera/Frontend/AST.h"

#include "llvm/ADT/APFloat.h"

namespace tessera {

struct ConvertedFloat {
  llvm::APFloat value;
  bool exact = true;
  bool overflow = false;  ///< a finite literal that became inf (or NaN in formats without inf)
  bool underflow = false; ///< a literal other than zero that became 0
};

/// Value of a float literal (`1.5`, `1e-4`, `0x1p-24`, `inf`, `nan`) in `semantics` (APFloat::IEEEsingle(), …).
/// `text` is what the lexer accepted.
ConvertedFloat convertFloat(llvm::StringRef text, const llvm::fltSemantics &semantics);
/// Value of an integer literal in a float type; inexact is an error for the user, see `exact`.
ConvertedFloat convertInt(uint64_t value, const llvm::fltSemantics &semantics);

/// True when a float literal's value is a whole number that fits; gives it (for `4e3` where an integer is asked for).
bool floatAsInteger(llvm::StringRef text, uint64_t &value);

} // namespace tessera

#endif // TESSERA_FRONTEND_LITERALS_H
