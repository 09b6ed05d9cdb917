//===- QueryLog.cpp - every query as a file -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See QueryLog.h.
//
//===----------------------------------------------------------------------===//

#include "tessera/Solver/QueryLog.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

namespace tessera::solver {

static std::string describe(llvm::StringRef path, llvm::StringRef why) {
  return ("cannot write the query `" + path + "`: " + why).str();
}

std::optional<std::string> QueryLog::open(llvm::StringRef wanted) {
  if (std::error_code error = llvm::sys::fs::create_directories(wanted)) {
    return describe(wanted, error.message());
  }
  folder = wanted.str();
  count = 0;
  return std::nullopt;
}

/// A comment must not end in the middle: text of the program may hold line ends.
static void writeComment(llvm::raw_ostream &os, llvm::StringRef comment) {
  while (!comment.empty()) {
    auto [line, rest] = comment.split('\n');
    os << "; ";
    for (char c : line) {
      os << (c < ' ' && c != '\t' && c >= 0 ? ' ' : c);
    }
    os << '\n';
    comment = rest;
  }
}

std::optional<std::string> QueryLog::write(const LoggedQuery &query) {
  if (!isOpen()) {
    return std::nullopt;
  }
  llvm::SmallString<128> path(folder);
  llvm::sys::path::append(path, llvm::formatv("q{0,0+4}-{1}.smt2", count++, query.hash).str());
  std::error_code error;
  llvm::raw_fd_ostream os(path, error);
  if (error) {
    return describe(path, error.message());
  }
  for (const std::string &comment : query.comments) {
    writeComment(os, comment);
  }
  llvm::StringRef status = !query.outcome                       ? "unknown"
                           : *query.outcome == Outcome::Proved  ? "unsat"
                           : *query.outcome == Outcome::Refuted ? "sat"
                                                                : "unknown";
  llvm::StringRef words = status == "unsat" ? "proved" : status == "sat" ? "refuted" : "unknown";
  os << "; verdict: " << words << "\n"
     << "(set-option :rlimit " << query.rlimit << ")\n"
     << "(set-logic " << query.logic << ")\n"
     << "(set-info :status " << status << ")\n"
     << query.text << "(check-sat)\n";
  os.close();
  if (os.has_error()) {
    os.clear_error();
    return describe(path, "the file could not be written in full");
  }
  return std::nullopt;
}

} // namespace tessera::solver
