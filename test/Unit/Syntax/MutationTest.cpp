// Random damage to the example kernels: the parser reports, it never crashes; what it accepts, it prints and reads again.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "SyntaxTest.h"

#include <random>

using namespace tessera;
using namespace tessera::testing;

namespace {

bool hasErrorNode(const ast::Node &node) {
  bool found = node.kind == ast::Kind::ErrorExpr || node.kind == ast::Kind::ErrorType;
  ast::forEachChild(node, [&](const ast::Node &child) { found |= hasErrorNode(child); });
  return found;
}

void check(const std::string &text) {
  Parsed parsed(text);
  for (const Diagnostic &d : parsed.engine.diagnostics()) {
    ASSERT_LE(d.range.begin, d.range.end);
    ASSERT_LE(d.range.end, text.size());
    ASSERT_FALSE(d.message.empty());
    ASSERT_FALSE(d.help.empty() && d.fixIts.empty()) << d.message;
  }
  std::string rendered;
  llvm::raw_string_ostream os(rendered);
  parsed.engine.render(os, false);
  parsed.fixed();
  if (parsed.engine.hasErrors()) {
    // The only error has a fix: applying it must be enough.
    if (parsed.engine.diagnostics().size() == 1 && parsed.hasFixIts()) {
      ASSERT_EQ(Parsed(parsed.fixed()).errors(), "") << rendered;
    }
    return;
  }
  for (const auto &item : parsed.file->items) {
    ASSERT_FALSE(hasErrorNode(*item)) << text;
  }
  std::string printed = print(*parsed.file);
  Parsed again(printed);
  ASSERT_EQ(again.errors(), "") << text << "\n--- printed\n" << printed;
  ASSERT_TRUE(ast::equal(*parsed.file, *again.file)) << text << "\n--- printed\n" << printed;
}

const char *const kPieces[] = {
    "(",          ")",          "[",           "]",         "{",     "}",
    "<",          ">",          ">>",          ",",         ";",     "\n",
    "\"",         "#",          "if ",         "else ",     "let ",  "for ",
    "in ",        "kernel ",    "fn ",         "match ",    "=>",    "..",
    "-",          "not ",       "as ",         "?",         "??",    "sum(i in n: ",
    "0x",         "1_",         "\xFF",        "\xC3\xA9",  "_",     ":",
    "reference ", "where ",     "tune ",       "static ",   "test ", "schedule s ",
    "self",       "\\",         "layout l = ", "instr ",    "sync ", "fill ",
    "frag<",      "effects { ", " : ",         "on sm_80 ", "def "};

} // namespace

class MutationTest : public ::testing::TestWithParam<const char *> {};

TEST_P(MutationTest, Bytes) {
  std::string original = readFile(std::string("examples/") + GetParam());
  ASSERT_FALSE(original.empty());
  std::mt19937 random(1);
  for (int round = 0; round < 400; ++round) {
    std::string text = original;
    for (unsigned n = 1 + random() % 4; n; --n) {
      size_t at = random() % text.size();
      switch (random() % 3) {
      case 0:
        text[at] = static_cast<char>(random() % 256);
        break;
      case 1:
        text.erase(at, 1 + random() % 8);
        break;
      case 2:
        text.insert(at, text.substr(random() % text.size(), random() % 24));
        break;
      }
    }
    check(text);
  }
}

TEST_P(MutationTest, Pieces) {
  std::string original = readFile(std::string("examples/") + GetParam());
  std::mt19937 random(2);
  for (int round = 0; round < 400; ++round) {
    std::string text = original;
    for (unsigned n = 1 + random() % 3; n; --n) {
      text.insert(random() % text.size(), kPieces[random() % std::size(kPieces)]);
    }
    check(text);
  }
}

TEST_P(MutationTest, Truncation) {
  std::string original = readFile(std::string("examples/") + GetParam());
  for (size_t length = 0; length < original.size(); length += 7) {
    check(original.substr(0, length));
  }
}

INSTANTIATE_TEST_SUITE_P(All, MutationTest, ::testing::ValuesIn(kExamples), [](const auto &info) {
  return llvm::StringRef(info.param).drop_back(5).str();
});
INSTANTIATE_TEST_SUITE_P(Library, MutationTest, ::testing::Values("../lib/Std/instructions.tile"),
                         [](const auto &) { return "instructions"; });
