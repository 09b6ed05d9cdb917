// Owns the text of every `.tile` file of one compilation and turns byte offsets into lines and columns.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TESSERA_FRONTEND_SOURCEMANAGER_H
#define TESSERA_FRONTEND_SOURCEMANAGER_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace tessera {

/// Half-open range of byte offsets in one file. `file` is an index of a SourceManager; `kNoFile` marks nodes that no
/// text stands behind (built by a program).
struct SourceRange {
  static constexpr uint32_t kNoFile = ~0u;

  uint32_t file = kNoFile;
  uint32_t begin = 0;
  uint32_t end = 0;

  bool isValid() const { return file != kNoFile; }
  bool contains(SourceRange other) const {
    return file == other.file && begin <= other.begin && other.end <= end;
  }
  /// The empty ranges at the two edges: where an insertion goes.
  SourceRange atBegin() const { return {file, begin, begin}; }
  SourceRange atEnd() const { return {file, end, end}; }
  /// From the start of this range to the end of `last`.
  SourceRange to(SourceRange last) const { return {file, begin, last.end}; }
};

/// One-based line, one-based column. A column counts Unicode code points, so that it is what an editor shows.
struct LineColumn {
  unsigned line = 1;
  unsigned column = 1;
};

class SourceManager {
public:
  /// Takes a copy of `text`; returns the file's index. The text of a file never moves afterwards.
  uint32_t addFile(llvm::StringRef name, llvm::StringRef text);

  unsigned size() const { return files.size(); }
  llvm::StringRef name(uint32_t file) const;
  llvm::StringRef text(uint32_t file) const;
  /// The text of a range; empty where the range is invalid or out of the file.
  llvm::StringRef text(SourceRange range) const;

  /// Never fails: offsets past the end mean the end.
  LineColumn lineColumn(uint32_t file, uint32_t offset) const;
  /// The line `line` (one-based) without its line end; empty when there is none.
  llvm::StringRef lineText(uint32_t file, unsigned line) const;
  uint32_t lineStart(uint32_t file, unsigned line) const;

private:
  struct File {
    std::string name;
    std::string text;
    std::vector<uint32_t> lineStarts;
  };
  std::vector<std::unique_ptr<File>> files;
};

/// Number of code points in `bytes`; a broken byte counts as one.
unsigned countCodePoints(llvm::StringRef bytes);

} // namespace tessera

#endif // TESSERA_FRONTEND_SOURCEMANAGER_H
