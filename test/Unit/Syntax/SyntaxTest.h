// Shared by the tests of the syntax room: parse a text, look at its tree as text, check its diagnostics.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TESSERA_TEST_UNIT_SYNTAX_SYNTAXTEST_H
#define TESSERA_TEST_UNIT_SYNTAX_SYNTAXTEST_H

#include "gtest/gtest.h"

#include "tessera/Frontend/ASTInstr.h"
#include "tessera/Frontend/ASTPrinter.h"
#include "tessera/Frontend/Parser.h"

#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <string>

namespace tessera::testing {

/// A parsed text with all that it needs to live.
struct Parsed {
  explicit Parsed(llvm::StringRef text, llvm::StringRef name = "t.tile")
      : engine(sources), text(text.str()) {
    file = parseBuffer(text, name, engine);
  }
  /// All diagnostics as `line:column code message`, one a line.
  std::string errors() const {
    std::string result;
    for (const Diagnostic &d : engine.diagnostics()) {
      LineColumn place = sources.lineColumn(d.range.file, d.range.begin);
      result += std::to_string(place.line) + ":" + std::to_string(place.column) + " " + d.code +
                " " + d.message + "\n";
    }
    return result;
  }
  std::string fixed() const { return applyFixIts(text, engine.diagnostics()); }
  bool hasFixIts() const {
    for (const Diagnostic &d : engine.diagnostics()) {
      if (!d.fixIts.empty()) {
        return true;
      }
    }
    return false;
  }
  template <typename T> const T &item(size_t index = 0) const {
    return llvm::cast<T>(*file->items.at(index));
  }

  SourceManager sources;
  DiagnosticEngine engine;
  std::string text;
  std::unique_ptr<ast::File> file;
};

inline std::string print(const ast::File &file, const PrintOptions &options = {}) {
  std::string result;
  llvm::raw_string_ostream os(result);
  printFile(os, file, options);
  return result;
}

inline std::string readFile(const std::string &path) {
  auto buffer = llvm::MemoryBuffer::getFile(std::string(TESSERA_SOURCE_DIR) + "/" + path);
  return buffer ? (*buffer)->getBuffer().str() : std::string();
}

inline const char *const kExamples[] = {
    "attention.tile", "cumsum_reverse.tile", "gemm.tile",     "ngram_hash.tile",
    "softmax.tile",   "swiglu_cast.tile",    "topk_gate.tile"};

/// The text parses without a diagnostic, and its printed form gives an equal tree and prints the same again.
inline void expectRoundTrip(llvm::StringRef text) {
  Parsed first(text);
  ASSERT_EQ(first.errors(), "") << text.str();
  std::string printed = print(*first.file);
  Parsed second(printed);
  ASSERT_EQ(second.errors(), "") << printed;
  EXPECT_TRUE(ast::equal(*first.file, *second.file)) << text.str() << "\n--- printed\n" << printed;
  EXPECT_EQ(print(*second.file), printed);
}

/// `body` as the body of a kernel's reference-free shell.
inline std::string inKernel(llvm::StringRef body) {
  return ("kernel k() {\n" + body + "\n}\n").str();
}
/// An expression as the value of a constant.
inline std::string inConst(llvm::StringRef expr) { return ("const X = " + expr + "\n").str(); }

/// The text gives exactly these diagnostics (`line:column code message` lines); if there are fix-its, the text with
/// all of them applied parses without any.
inline void expectErrors(const std::string &text, const std::string &errors) {
  Parsed parsed(text);
  EXPECT_EQ(parsed.errors(), errors) << text;
  for (const Diagnostic &d : parsed.engine.diagnostics()) {
    EXPECT_FALSE(d.help.empty() && d.notes.empty() && d.fixIts.empty())
        << d.message << ": no way out";
  }
}
inline void expectFixed(const std::string &text, const std::string &errors,
                        const std::string &fixed) {
  expectErrors(text, errors);
  Parsed parsed(text);
  EXPECT_TRUE(parsed.hasFixIts()) << text;
  EXPECT_EQ(parsed.fixed(), fixed);
  EXPECT_EQ(Parsed(parsed.fixed()).errors(), "") << parsed.fixed();
}

} // namespace tessera::testing

#endif // TESSERA_TEST_UNIT_SYNTAX_SYNTAXTEST_H
