// Turns the text of a file into tokens, comments and errors, all at once. Errors are kept aside, because text that the
// language has no token for is legal inside raw items, which only the parser recognises.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TESSERA_FRONTEND_LEXER_H
#define TESSERA_FRONTEND_LEXER_H

#include "tessera/Frontend/Diagnostics.h"
#include "tessera/Frontend/Token.h"

#include <string>
#include <vector>

namespace tessera {

/// Longest file and longest number that are read.
constexpr uint32_t kMaxFileBytes = 16u << 20;
constexpr uint32_t kMaxNumberBytes = 512;

struct LexedComment {
  uint32_t begin = 0;
  uint32_t end = 0;
  uint32_t nextToken = 0; ///< index of the token after it
  bool ownLine = false;
  bool isDoc = false; ///< starts with `##`
};

struct LexError {
  diag::Id id = diag::num_ids;
  uint32_t begin = 0;
  uint32_t end = 0;
  std::string first;  ///< {0} of the message
  std::string second; ///< {1} of the message
  std::string help;
  std::vector<FixIt> fixIts;
  bool legalInRaw = false;
};

struct LexedFile {
  static constexpr uint32_t kNoPartner = ~0u;

  std::vector<Token> tokens; ///< ends with Eof
  /// For a bracket the index of its other half, kNoPartner where there is none (and for all other tokens).
  std::vector<uint32_t> partners;
  std::vector<LexedComment> comments;
  std::vector<LexError> errors;
};

/// `text` has at most kMaxFileBytes bytes.
LexedFile lex(uint32_t file, llvm::StringRef text);

/// The value of a string token (with its quotes), escapes resolved.
std::string decodeString(llvm::StringRef token);
/// The value of an integer token that lexed without error.
uint64_t decodeInt(llvm::StringRef token, unsigned &base);

} // namespace tessera

#endif // TESSERA_FRONTEND_LEXER_H
