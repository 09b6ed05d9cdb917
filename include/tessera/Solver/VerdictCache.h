//===- VerdictCache.h - answers kept between compiles -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Answers by the hash of a query's text, the solver's version and its options. In memory, backed by any number of
// read-only files (shipped with a library of schedules) and at most one writable file (the user's). A file is text, one
// answer a line, appended to; each line carries its own checksum, so a cut, damaged or half-written line is skipped and
// counted, never believed. Writers lock; readers do not need to.
//
// A refutation from a cache is evaluated again before it is used. A proof cannot be: `Recheck` proves everything again
// and reports answers that differ.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_SOLVER_VERDICTCACHE_H
#define TESSERA_SOLVER_VERDICTCACHE_H

#include "tessera/Solver/Verdict.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

namespace tessera::solver {

struct CachedAnswer {
  Outcome outcome = Outcome::Unknown;
  UnknownCause cause = UnknownCause::None;
  uint64_t rlimit = 0;   ///< limit of an Unknown, units spent otherwise
  bool smallest = false; ///< of Refuted: the witness was made as small as possible
  std::vector<Int>
      numbers; ///< Proved: positions of the conditions used; Refuted: values of the query's atoms
};

class VerdictCache {
public:
  /// 128 bits of BLAKE3 over the parts, as 32 hexadecimal digits.
  static std::string key(llvm::StringRef text, llvm::StringRef solver, llvm::StringRef options);

  /// Adds the answers of a file. A missing file is empty. The error, if any, is a sentence with the path.
  std::optional<std::string> addReadOnly(llvm::StringRef path);
  /// Adds the answers of the text of such a file.
  void addReadOnlyText(llvm::StringRef text);
  /// Adds the answers of a file and appends new ones to it; the file and its folder are made when needed.
  std::optional<std::string> openWritable(llvm::StringRef path);

  std::optional<CachedAnswer> find(llvm::StringRef key) const;

  /// Keeps an answer: a decided one replaces an Unknown, an Unknown replaces one with a smaller limit. Appends it to the
  /// writable file when that has not got it. The error, if any, is a sentence with the path; the answer is kept in memory anyway.
  std::optional<std::string> add(llvm::StringRef key, const CachedAnswer &answer);

  /// Rewrites the writable file without damaged and replaced lines, through a new file and a rename. Answers that other
  /// processes appended since are kept.
  std::optional<std::string> compact();

  unsigned size() const { return answers.size(); }
  /// Lines that could not be read.
  unsigned damagedLines() const { return damaged; }

  /// One line of the file, with its checksum and line end; for tests and tools.
  static std::string formatLine(llvm::StringRef key, const CachedAnswer &answer);
  static std::optional<std::pair<std::string, CachedAnswer>> parseLine(llvm::StringRef line);

private:
  std::optional<std::string> load(llvm::StringRef path, bool isWritable);
  void loadText(llvm::StringRef text, bool isWritable);
  bool keep(llvm::StringRef key, const CachedAnswer &answer);

  llvm::StringMap<CachedAnswer> answers;
  llvm::StringSet<> lent; ///< keys of answers that only a read-only file has
  std::string writablePath;
  unsigned damaged = 0;
};

} // namespace tessera::solver

#endif // TESSERA_SOLVER_VERDICTCACHE_H
