//===- Text.h - pieces of `.tile` text with their precedence ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_LIB_TARGET_SOURCE_TEXT_H
#define TESSERA_LIB_TARGET_SOURCE_TEXT_H

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"

#include <string>

namespace tessera::source {

/// How tightly an expression holds together, loosest first. `Open` is `if`, `{…}`: complete only where nothing follows.
enum Prec : int {
  Open,
  Coalesce,
  Or,
  Xor,
  And,
  Not,
  Compare,
  Shift,
  Sum,
  Product,
  Minus,
  As,
  Primary
};

struct Text {
  std::string text;
  Prec prec = Primary;

  /// As an operand that must hold at least as tightly as `least`.
  std::string at(Prec least) const { return prec < least ? "(" + text + ")" : text; }
  /// As a whole expression next to other text.
  std::string whole() const { return at(Coalesce); }
};

inline Text primary(const llvm::Twine &text) { return {text.str(), Primary}; }
inline Prec tighter(Prec prec) { return static_cast<Prec>(prec + 1); }

/// `a op b`; chains to the left need no parentheses, comparisons do not chain.
inline Text infix(llvm::StringRef op, Prec prec, const Text &a, const Text &b) {
  bool chains = prec != Compare;
  return {a.at(chains ? prec : tighter(prec)) + " " + op.str() + " " + b.at(tighter(prec)), prec};
}

} // namespace tessera::source

#endif // TESSERA_LIB_TARGET_SOURCE_TEXT_H
