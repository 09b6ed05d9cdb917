// Random damage to scripts: the reader and the run report, they never crash and never run on.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Examples.h"
#include "ScriptTest.h"

#include <chrono>
#include <random>

using namespace tessera;
using namespace tessera::testing;

namespace {

void check(const std::string &text) {
  script::RunOptions options;
  options.maxSteps = 20000;
  SourceManager sources;
  DiagnosticEngine engine(sources);
  FakeHost host;
  script::Program program(engine);
  if (program.loadBuffer(text, "t.sched")) {
    ASSERT_FALSE(engine.hasErrors());
    for (const script::Schedule *schedule : program.schedules()) {
      size_t before = engine.diagnostics().size();
      bool good = script::run(program, *schedule, host, options);
      ASSERT_EQ(good, engine.diagnostics().size() == before) << text;
      ASSERT_EQ(host.openMarks(), 0u) << text;
      if (!good) {
        break;
      }
    }
  } else {
    ASSERT_TRUE(engine.hasErrors()) << text;
  }
  for (const Diagnostic &d : engine.diagnostics()) {
    ASSERT_LE(d.range.begin, d.range.end) << d.message;
    ASSERT_FALSE(d.message.empty());
    ASSERT_FALSE(d.help.empty() && d.fixIts.empty()) << d.message;
  }
  std::string rendered;
  llvm::raw_string_ostream os(rendered);
  engine.render(os, false);
  applyFixIts(text, engine.diagnostics());
}

const char *const kPieces[] = {
    "(",      ")",      "[",        "]",       "{",         "}",       ",",
    ";",      "\n",     "\"",       "#",       "`",         "if ",     "else ",
    "let ",   "for ",   "in ",      "def ",    "schedule ", "return ", "try ",
    "while ", "trust(", "require ", "expect ", "print ",    "..",      "-",
    "not ",   "self",   ".",        "=",       "==",        " and ",   "9223372036854775807 ",
    "1.5",    "\xFF",   "\xC3\xA9", "_",       ":",         "->",      "import ",
    "k ",     "mm.m ",  "%",        "//"};

} // namespace

class ScriptMutation : public ::testing::TestWithParam<const char *> {};

TEST_P(ScriptMutation, Original) {
  RunScript ran(GetParam());
  EXPECT_TRUE(ran.good) << ran.rendered;
}

TEST_P(ScriptMutation, Bytes) {
  std::mt19937 random(1);
  for (int round = 0; round < 400; ++round) {
    std::string text = GetParam();
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

TEST_P(ScriptMutation, Pieces) {
  std::mt19937 random(2);
  for (int round = 0; round < 400; ++round) {
    std::string text = GetParam();
    for (unsigned n = 1 + random() % 3; n; --n) {
      text.insert(random() % text.size(), kPieces[random() % std::size(kPieces)]);
    }
    check(text);
  }
}

TEST_P(ScriptMutation, Truncation) {
  std::string original = GetParam();
  for (size_t length = 0; length < original.size(); length += 3) {
    check(original.substr(0, length));
  }
}

INSTANTIATE_TEST_SUITE_P(All, ScriptMutation, ::testing::ValuesIn(kScripts));

TEST(ScriptReader, TimeIsLinear) {
  auto seconds = [](const std::string &text) {
    auto start = std::chrono::steady_clock::now();
    ParsedScript parsed(text);
    EXPECT_LE(parsed.engine.diagnostics().size(), 102u);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  const std::string pieces[] = {"let a = b(c, {d: 1}).e[2] + 3\n",
                                "f x y 3\n",
                                "((((",
                                "{a: [",
                                "`mma(_, ",
                                "1 + ",
                                "a.b.c",
                                "if a { ",
                                "$ ",
                                "try { } else e { }\n",
                                "0x "};
  for (const std::string &piece : pieces) {
    std::string text = "schedule s on sm_80 {\n";
    while (text.size() < (1u << 20)) {
      text += piece;
    }
    EXPECT_LT(seconds(text), 8.0) << piece; // quadratic time would be minutes
  }
}
