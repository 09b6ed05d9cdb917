// Files, lines and columns.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tessera/Frontend/SourceManager.h"

#include <algorithm>

using namespace tessera;

uint32_t SourceManager::addFile(llvm::StringRef name, llvm::StringRef text) {
  auto file = std::make_unique<File>();
  file->name = name.str();
  file->text = text.str();
  file->lineStarts.push_back(0);
  for (size_t at = text.find('\n'); at != llvm::StringRef::npos; at = text.find('\n', at + 1)) {
    file->lineStarts.push_back(static_cast<uint32_t>(at + 1));
  }
  files.push_back(std::move(file));
  return static_cast<uint32_t>(files.size() - 1);
}

llvm::StringRef SourceManager::name(uint32_t file) const {
  return file < files.size() ? llvm::StringRef(files[file]->name) : llvm::StringRef("<no source>");
}

llvm::StringRef SourceManager::text(uint32_t file) const {
  return file < files.size() ? llvm::StringRef(files[file]->text) : llvm::StringRef();
}

llvm::StringRef SourceManager::text(SourceRange range) const {
  return text(range.file).slice(range.begin, std::max(range.begin, range.end));
}

LineColumn SourceManager::lineColumn(uint32_t file, uint32_t offset) const {
  if (file >= files.size()) {
    return {};
  }
  const File &entry = *files[file];
  offset = std::min<uint32_t>(offset, static_cast<uint32_t>(entry.text.size()));
  auto after = std::upper_bound(entry.lineStarts.begin(), entry.lineStarts.end(), offset);
  unsigned line = static_cast<unsigned>(after - entry.lineStarts.begin());
  llvm::StringRef before = llvm::StringRef(entry.text).slice(entry.lineStarts[line - 1], offset);
  return {line, countCodePoints(before) + 1};
}

llvm::StringRef SourceManager::lineText(uint32_t file, unsigned line) const {
  if (file >= files.size() || line == 0 || line > files[file]->lineStarts.size()) {
    return {};
  }
  llvm::StringRef rest =
      llvm::StringRef(files[file]->text).drop_front(files[file]->lineStarts[line - 1]);
  return rest.take_until([](char c) { return c == '\n'; }).rtrim('\r');
}

uint32_t SourceManager::lineStart(uint32_t file, unsigned line) const {
  if (file >= files.size() || line == 0) {
    return 0;
  }
  const std::vector<uint32_t> &starts = files[file]->lineStarts;
  return line <= starts.size() ? starts[line - 1] : static_cast<uint32_t>(files[file]->text.size());
}

unsigned tessera::countCodePoints(llvm::StringRef bytes) {
  unsigned count = 0;
  for (unsigned char byte : bytes) {
    // Continuation bytes belong to the code point before them.
    count += (byte & 0xC0) != 0x80;
  }
  return count;
}
