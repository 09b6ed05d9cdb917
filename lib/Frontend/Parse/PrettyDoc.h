// A small document algebra for line breaking (after Wadler, "A prettier printer", with fill lines). Texts, lines that
// break together with their group, fill lines that break one by one, nesting.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TESSERA_LIB_FRONTEND_PARSE_PRETTYDOC_H
#define TESSERA_LIB_FRONTEND_PARSE_PRETTYDOC_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <deque>
#include <string>
#include <vector>

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace tessera {

struct Doc {
  enum Kind { Text, Line, FillLine, HardLine, Concat, Nest, Group } kind = Text;
  /// Width on one line; kNever where it cannot be on one line.
  static constexpr unsigned kNever = 1u << 30;
  unsigned width = 0;
  unsigned indent = 0;     ///< Nest
  std::string text;        ///< Text, and what a Line or FillLine is when it does not break
  std::vector<Doc *> kids; ///< Concat; one for Nest and Group
};

/// Owns documents.
class Docs {
public:
  Doc *text(llvm::StringRef text);
  /// Text whose width does not count: a comment behind a statement.
  Doc *weightless(llvm::StringRef text);
  Doc *line(llvm::StringRef flat = " ");
  Doc *fillLine(llvm::StringRef flat = " ");
  Doc *hardLine();
  Doc *concat(std::vector<Doc *> kids);
  Doc *nest(unsigned indent, Doc *doc);
  Doc *group(Doc *doc);
  void print(llvm::raw_ostream &os, Doc *doc, unsigned width) const;

private:
  Doc *make(Doc::Kind kind, std::vector<Doc *> kids = {});
  std::deque<Doc> store;
};

} // namespace tessera

#endif // TESSERA_LIB_FRONTEND_PARSE_PRETTYDOC_H
