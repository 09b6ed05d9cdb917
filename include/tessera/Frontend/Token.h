// The tokens of `.tile` text.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TESSERA_FRONTEND_TOKEN_H
#define TESSERA_FRONTEND_TOKEN_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>

namespace tessera {

enum class Tok : uint8_t {
  Eof,
  Ident,
  Int,
  Float,
  String,
  /// A character that no rule of the language uses; legal inside raw items only.
  Unknown,
  // Brackets.
  LParen,
  RParen,
  LBracket,
  RBracket,
  LBrace,
  RBrace,
  // Punctuation.
  Comma,
  Semi,
  Colon,
  Dot,
  DotDot,
  Question,
  Underscore,
  Assign,
  FatArrow,
  Arrow,
  CompoundAssign,
  // Operators.
  Coalesce,
  EqEq,
  NotEq,
  Less,
  LessEq,
  Greater,
  GreaterEq,
  Shl,
  Shr,
  Plus,
  Minus,
  Star,
  Slash,
  SlashSlash,
  Percent,
  // Keywords. Words that have a meaning in one place only (`where`, `tiles`, `order`, …) are identifiers.
  KwAnd,
  KwOr,
  KwXor,
  KwNot,
  KwIn,
  KwAs,
  KwTrue,
  KwFalse,
  KwInf,
  KwNan,
  KwImport,
  KwConst,
  KwEnum,
  KwStruct,
  KwFn,
  KwKernel,
  KwLet,
  KwVar,
  KwStatic,
  KwTune,
  KwGrid,
  KwFor,
  KwWhile,
  KwIf,
  KwElse,
  KwMatch,
  KwAssert,
  KwAssume,
  KwUnsafe,
  KwInOut,
  KwSelf,
};

struct Token {
  Tok kind = Tok::Eof;
  /// A line end lies between the previous token and this one.
  bool newlineBefore = false;
  uint32_t begin = 0;
  uint32_t end = 0;
};

inline bool isKeyword(Tok kind) { return kind >= Tok::KwAnd; }

/// The text of tokens that have only one; empty for names, numbers, strings.
llvm::StringRef spelling(Tok kind);
/// Ident for a word that is no keyword.
Tok keywordKind(llvm::StringRef word);
/// True for the names of element types (`f32`, `bf16`, `f8e4m3`, `i64`, `bool`, …), which are ordinary identifiers to
/// the parser.
bool isDTypeName(llvm::StringRef word);

} // namespace tessera

#endif // TESSERA_FRONTEND_TOKEN_H
