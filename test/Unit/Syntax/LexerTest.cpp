// Tokens, comments, and every diagnostic of the lexer with its message, place and fix.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tessera/Frontend/Lexer.h"

#include "SyntaxTest.h"

using namespace tessera;
using namespace tessera::testing;

namespace {

std::string kinds(llvm::StringRef text) {
  std::string result;
  LexedFile lexed = lex(0, text);
  for (const Token &token : lexed.tokens) {
    result += token.newlineBefore ? "\n" : " ";
    result += text.slice(token.begin, token.end).str();
  }
  return result;
}

} // namespace

TEST(Lexer, LongestTokenWins) {
  EXPECT_EQ(kinds("a??b?=c==d=>e->f"), " a ?? b ? = c == d => e -> f ");
  EXPECT_EQ(kinds("a<<b<=c//d..e.f>>=g"), " a << b <= c // d .. e . f >> = g ");
  EXPECT_EQ(kinds("1..K 1.5..2 0x1p-24..3 1e-4-1"), " 1 .. K 1.5 .. 2 0x1p-24 .. 3 1e-4 - 1 ");
  EXPECT_EQ(kinds("_ _a __ a_1"), " _ _a __ a_1 ");
}

TEST(Lexer, NewlinesAreFlags) {
  EXPECT_EQ(kinds("a\nb # c\n\n  d\r\ne"), " a\nb\nd\ne ");
  EXPECT_EQ(kinds("\xEF\xBB\xBF"
                  "a"),
            " a ");
}

TEST(Lexer, KeywordsAndDTypes) {
  EXPECT_EQ(keywordKind("kernel"), Tok::KwKernel);
  EXPECT_EQ(keywordKind("where"), Tok::Ident);
  EXPECT_EQ(keywordKind("tile"), Tok::Ident);
  EXPECT_TRUE(isDTypeName("f8e4m3"));
  EXPECT_TRUE(isDTypeName("ui16"));
  EXPECT_FALSE(isDTypeName("f33"));
  for (int kind = 0; kind <= static_cast<int>(Tok::KwSelf); ++kind) {
    llvm::StringRef word = spelling(static_cast<Tok>(kind));
    if (isKeyword(static_cast<Tok>(kind))) {
      EXPECT_EQ(keywordKind(word), static_cast<Tok>(kind)) << word.str();
    }
  }
}

TEST(Lexer, IntegersHaveValues) {
  unsigned base = 0;
  EXPECT_EQ(decodeInt("1_000", base), 1000u);
  EXPECT_EQ(base, 10u);
  EXPECT_EQ(decodeInt("0xFf_01", base), 0xFF01u);
  EXPECT_EQ(base, 16u);
  EXPECT_EQ(decodeInt("0b1_01", base), 5u);
  EXPECT_EQ(base, 2u);
  EXPECT_EQ(decodeInt("18446744073709551615", base), ~uint64_t(0));
}

TEST(Lexer, StringsHaveEscapes) {
  EXPECT_EQ(decodeString("\"a\\n\\t\\\\\\\"\\x41\""), "a\n\t\\\"A");
  EXPECT_EQ(decodeString("\"\\0\"").size(), 1u);
  EXPECT_EQ(decodeString("\"é\""), "é");
}

TEST(Lexer, BracketsPairAroundMissingOnes) {
  LexedFile lexed = lex(0, "{ ( } [ ) ]");
  EXPECT_EQ(lexed.partners[0], 2u);
  EXPECT_EQ(lexed.partners[1], LexedFile::kNoPartner);
  EXPECT_EQ(lexed.partners[3], 5u);
  EXPECT_EQ(lexed.partners[4], LexedFile::kNoPartner);
  // A `kernel` at the start of a line shows that the brace before it was not closed.
  lexed = lex(0, "{\nkernel { }");
  EXPECT_EQ(lexed.partners[0], LexedFile::kNoPartner);
  EXPECT_EQ(lexed.partners[2], 3u);
}

TEST(Lexer, Comments) {
  LexedFile lexed = lex(0, "# a  \nx # b\n## c\ny");
  ASSERT_EQ(lexed.comments.size(), 3u);
  EXPECT_TRUE(lexed.comments[0].ownLine);
  EXPECT_EQ(lexed.comments[0].end, 3u);
  EXPECT_FALSE(lexed.comments[1].ownLine);
  EXPECT_TRUE(lexed.comments[2].isDoc);
  EXPECT_EQ(lexed.comments[2].nextToken, 1u);
}

TEST(LexerErrors, ForeignOperators) {
  expectFixed(inConst("a&&b | c"),
              "1:12 T0007 `&&` is not an operator; it is written `and`\n"
              "1:16 T0007 `|` is not an operator; it is written `or`\n",
              inConst("a and b or c"));
  expectFixed(inConst("!a ^ ~b"),
              "1:11 T0007 `!` is not an operator; it is written `not`\n"
              "1:14 T0007 `^` is not an operator; it is written `xor`\n"
              "1:16 T0007 `~` is not an operator; it is written `not`\n",
              inConst("not a xor not b"));
}

TEST(LexerErrors, Characters) {
  expectFixed(inConst("a ≤ b"),
              "1:13 T0004 `≤` (U+2264) cannot stand outside comments and strings\n",
              inConst("a <= b"));
  expectErrors(inConst("größe"),
               "1:13 T0004 `ö` (U+00F6) cannot stand outside comments and strings\n"
               "1:14 T0004 `ß` (U+00DF) cannot stand outside comments and strings\n");
  expectErrors(inConst("1 $ 2"), "1:13 T0006 `$` has no meaning in the language\n");
  expectErrors(inConst("'a'"), "1:11 T0006 `'` has no meaning in the language\n"
                               "1:13 T0006 `'` has no meaning in the language\n");
  expectErrors("# caf\xE9\n", "1:6 T0002 byte 0xE9 is not valid UTF-8 here\n");
  expectErrors("import \"\xC3(\"\n", "1:9 T0002 byte 0xC3 is not valid UTF-8 here\n");
  expectErrors("\xFF", "1:1 T0002 byte 0xFF is not valid UTF-8 here\n");
  expectFixed("const X = 1 # a\x01z\n", "1:16 T0005 control character 0x01 in the text\n",
              "const X = 1 # a z\n");
  expectFixed(std::string("const X\0 = 1\n", 13), "1:8 T0005 control character 0x00 in the text\n",
              "const X  = 1\n");
  expectFixed("const X = 1 # \xE2\x80\xAE\n",
              "1:15 T0003 the invisible character U+202E changes the direction of the text\n",
              "const X = 1 # \n");
}

TEST(LexerErrors, Numbers) {
  expectFixed(inConst("1__0_"),
              "1:12 T0010 `_` in a number stands between two digits\n"
              "1:13 T0010 `_` in a number stands between two digits\n"
              "1:15 T0010 `_` in a number stands between two digits\n",
              inConst("10"));
  expectFixed(inConst("1. + 2"), "1:11 T0011 digits are missing after the point of `1.`\n",
              inConst("1.0 + 2"));
  expectFixed(inConst(".5e3"), "1:11 T0012 digits are missing before the point of `.5e3`\n",
              inConst("0.5e3"));
  expectErrors(inConst("0x"), "1:11 T0013 the number `0x` has no digits\n");
  expectErrors(inConst("0b"), "1:11 T0013 the number `0b` has no digits\n");
  expectFixed(inConst("0x1.8"), "1:11 T0014 the hexadecimal float `0x1.8` has no exponent\n",
              inConst("0x1.8p0"));
  expectErrors(inConst("1f32"), "1:12 T0015 `f32` directly after the number `1`\n");
  expectErrors(inConst("1.5e"), "1:14 T0015 `e` directly after the number `1.5`\n");
  expectErrors(inConst(std::string(600, '1')),
               "1:11 T0016 the number has 600 characters; at most 512 are read\n");
  expectFixed(inConst("007 + 00.5"),
              "1:11 T0017 the number `007` starts with zeros that mean nothing\n"
              "1:17 T0017 the number `00.5` starts with zeros that mean nothing\n",
              inConst("7 + 0.5"));
  expectErrors(inConst("0b12"), "1:11 T0018 `2` is not a binary digit\n");
  expectErrors(inConst("18446744073709551616"),
               "1:11 T0019 the integer `18446744073709551616` does not fit in 64 bits\n");
}

TEST(LexerErrors, Strings) {
  expectFixed("import \"a\\q\"\n", "1:10 T0020 `\\q` is not an escape\n", "import \"a\\\\q\"\n");
  expectFixed("import \"abc\nconst X = 1\n", "1:8 T0021 the string is not closed\n",
              "import \"abc\"\nconst X = 1\n");
}

TEST(LexerErrors, FileSize) {
  std::string text((16u << 20) + 1, ' ');
  Parsed parsed(text);
  EXPECT_EQ(parsed.errors(),
            "1:1 T0001 the file has 16777217 bytes; at most 16777216 bytes are read\n");
  EXPECT_EQ(Parsed(std::string(16u << 20, ' ')).errors(), "");
}

TEST(LexerErrors, TooMany) {
  Parsed parsed(inConst(std::string(150, '$')));
  EXPECT_EQ(parsed.engine.errorCount(), 101u);
  EXPECT_EQ(parsed.engine.diagnostics().back().message,
            "more than 100 errors; the rest is not shown");
}
