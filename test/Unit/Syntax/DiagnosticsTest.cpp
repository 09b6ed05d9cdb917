// The engine: rendering, places, parameters in force, fix-its, the table.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "SyntaxTest.h"

#include <map>

using namespace tessera;
using namespace tessera::testing;

namespace {

std::string render(const DiagnosticEngine &engine, bool colours = false) {
  std::string result;
  llvm::raw_string_ostream os(result);
  engine.render(os, colours);
  return result;
}

} // namespace

TEST(Diagnostics, Rendering) {
  Parsed parsed("kernel k() {\n\tlet größe = f(a, b\n}\n", "k.tile");
  EXPECT_EQ(
      render(parsed.engine),
      "k.tile:2:8: error[T0004]: `ö` (U+00F6) cannot stand outside comments and strings\n"
      "    2 | \tlet größe = f(a, b\n"
      "      | \t      ^\n"
      "help: names and operators are ASCII; other characters may stand in comments and strings\n"
      "k.tile:2:9: error[T0004]: `ß` (U+00DF) cannot stand outside comments and strings\n"
      "    2 | \tlet größe = f(a, b\n"
      "      | \t       ^\n"
      "help: names and operators are ASCII; other characters may stand in comments and strings\n");
}

TEST(Diagnostics, RenderingWithNotesAndParams) {
  SourceManager sources;
  DiagnosticEngine engine(sources);
  uint32_t file = sources.addFile("a.tile", "let c = whole(N)\nlet d = 1\n");
  engine.setParams({{"N", "4096"}, {"BM", "2"}});
  engine.report(diag::unused_value, {file, 8, 16})
      .param("BK", "3")
      .note({file, 17, 20}, "declared here")
      .note("a place of its own it has not")
      .help("do this");
  EXPECT_EQ(render(engine), "a.tile:1:9: error[T0132]: the value of this expression is not used\n"
                            "    1 | let c = whole(N)\n"
                            "      |         ^~~~~~~~\n"
                            "  with: N = 4096, BM = 2, BK = 3\n"
                            "a.tile:2:1: note: declared here\n"
                            "    2 | let d = 1\n"
                            "      | ^~~\n"
                            "note: a place of its own it has not\n"
                            "help: do this\n");
  engine.clear();
  EXPECT_FALSE(engine.hasErrors());
  engine.report(diag::trailing_comma, SourceRange(), ")").fixIt({file, 0, 0}, "x");
  EXPECT_EQ(render(engine),
            "<no source>: error[T0113]: `,` before `)` has nothing after it\nhelp: insert `x`\n");
}

TEST(Diagnostics, ColoursOnlyOnRequest) {
  Parsed parsed("foo");
  EXPECT_EQ(render(parsed.engine).find('\x1b'), std::string::npos);
  std::string text;
  llvm::raw_string_ostream os(text);
  parsed.engine.render(os); // a string is no terminal
  EXPECT_EQ(text, render(parsed.engine));
}

TEST(Diagnostics, LinesAndColumns) {
  SourceManager sources;
  uint32_t file = sources.addFile("a", "ab\n\nüx\r\nlast");
  auto at = [&](uint32_t offset) {
    LineColumn place = sources.lineColumn(file, offset);
    return std::make_pair(place.line, place.column);
  };
  EXPECT_EQ(at(0), std::make_pair(1u, 1u));
  EXPECT_EQ(at(2), std::make_pair(1u, 3u));
  EXPECT_EQ(at(3), std::make_pair(2u, 1u));
  EXPECT_EQ(at(4), std::make_pair(3u, 1u));
  EXPECT_EQ(at(6), std::make_pair(3u, 2u));
  EXPECT_EQ(at(9), std::make_pair(4u, 1u));
  EXPECT_EQ(at(1000), std::make_pair(4u, 5u));
  EXPECT_EQ(sources.lineText(file, 3), "üx");
  EXPECT_EQ(sources.lineText(file, 5), "");
  EXPECT_EQ(sources.lineText(file, 0), "");
  EXPECT_EQ(sources.name(7), "<no source>");
  EXPECT_EQ(sources.text(SourceRange{file, 0, 2}), "ab");
  EXPECT_EQ(sources.text(SourceRange()), "");
}

TEST(Diagnostics, FixItsApplyInOrderAndOnce) {
  SourceManager sources;
  DiagnosticEngine engine(sources);
  engine.report(diag::unused_value, {0, 0, 1}).fixIt({0, 4, 5}, "E").fixIt({0, 0, 2}, "AB");
  engine.report(diag::unused_value, {0, 0, 1})
      .fixIt({0, 1, 3}, "lost")
      .fixIt({0, 3, 3}, "+")
      .fixIt({1, 0, 1}, "other");
  engine.report(diag::unused_value, {0, 0, 1}).fixIt({0, 3, 3}, "-").fixIt({0, 90, 91}, "outside");
  EXPECT_EQ(applyFixIts("abcde", engine.diagnostics()), "ABc+-dE");
}

TEST(Diagnostics, SortingKeepsEqualPlacesInOrder) {
  SourceManager sources;
  DiagnosticEngine engine(sources);
  engine.report(diag::unused_value, {0, 9, 9});
  engine.report(diag::unary_plus, {0, 5, 5});
  engine.report(diag::empty_set, {0, 2, 2});
  engine.report(diag::empty_index, {0, 5, 6});
  engine.sortByPosition(1);
  EXPECT_EQ(engine.diagnostics()[0].id, diag::unused_value);
  EXPECT_EQ(engine.diagnostics()[1].id, diag::empty_set);
  EXPECT_EQ(engine.diagnostics()[2].id, diag::unary_plus);
  EXPECT_EQ(engine.diagnostics()[3].id, diag::empty_index);
}

TEST(Diagnostics, TheTableIsWellFormed) {
  std::map<std::string, std::string> codes;
  for (unsigned i = 0; i < diag::num_ids; ++i) {
    const DiagnosticInfo &info = diagnosticInfo(static_cast<diag::Id>(i));
    llvm::StringRef code = info.code, message = info.message;
    EXPECT_EQ(code.size(), 5u) << info.id;
    EXPECT_TRUE(code.starts_with("T0") || code.starts_with("T11")) << info.id;
    EXPECT_FALSE(message.ends_with(".")) << info.id;
    EXPECT_FALSE(message.empty()) << info.id;
    EXPECT_FALSE(message[0] >= 'A' && message[0] <= 'Z') << info.id;
    EXPECT_TRUE(codes.emplace(info.code, info.id).second) << info.id << " and " << codes[info.code];
  }
}
