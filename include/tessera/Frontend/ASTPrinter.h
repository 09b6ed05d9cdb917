// Prints a syntax tree as canonical `.tile` text: 4 spaces of indent, at most 100 columns where the text allows it.
// Parsing the output gives an equal tree.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TESSERA_FRONTEND_ASTPRINTER_H
#define TESSERA_FRONTEND_ASTPRINTER_H

#include "tessera/Frontend/AST.h"

#include <string>

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace tessera {

struct PrintOptions {
  unsigned width = 100;
  unsigned indent = 4;
  /// With sources, comments come out before or behind the statement they stand at, and single blank lines between
  /// statements are kept.
  const SourceManager *sources = nullptr;
};

/// The tree must come from a parse without errors (or be built by the rules of AST.h).
void printFile(llvm::raw_ostream &os, const ast::File &file, const PrintOptions &options = {});
/// One expression or type on one line; for messages and dumps.
std::string printExpr(const ast::Expr &expr);
std::string printType(const ast::Type &type);

} // namespace tessera

#endif // TESSERA_FRONTEND_ASTPRINTER_H
