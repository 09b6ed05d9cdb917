// One error does not hide the next, and nothing is reported twice.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "SyntaxTest.h"

#include <chrono>

using namespace tessera;
using namespace tessera::testing;

TEST(Recovery, ThreeErrorsInOneFile) {
  expectErrors("fn f(a: ) {\n"
               "    let x = 1 +\n"
               "}\n"
               "kernel k() {\n"
               "    let y = f(1, 2\n"
               "    let = 4\n"
               "}\n"
               "enum E { a b }\n",
               "1:9 T0105 expected a type, found `)`\n"
               "2:16 T0104 expected an expression, found the end of the line\n"
               "5:19 T0114 expected `)` to close `(`, found `let`\n"
               "6:9 T0102 expected a name to declare, found `=`\n"
               "8:12 T0112 expected `,` before `b` in the enum\n");
}

TEST(Recovery, EveryPartOfAKernel) {
  expectErrors("kernel k<T in {f32 bf16}>(x: in view<[M, N] f32>)\n"
               "    where a <, b\n"
               "    reference {\n"
               "        y[i = 3\n"
               "        z[i] = 4 4\n"
               "    }\n"
               "    tolerance y < 3\n"
               "{\n"
               "    let = 3\n"
               "    for i in 0..3 {\n"
               "        let x = )\n"
               "    }\n"
               "    let z =\n"
               "}\n"
               "test k { M in {1; N in {2} }\n",
               "1:20 T0112 expected `,` before `bf16` in the set\n"
               "1:45 T0101 expected `,` between shape and element type, found `f32`\n"
               "2:14 T0104 expected an expression, found `,`\n"
               "4:13 T0111 expected `,` or `]` in the indices, found `=`\n"
               "5:18 T0110 expected a new line or `;` between formulas, found `4`\n"
               "7:17 T0101 expected `<=` between the output and its bound, found `<`\n"
               "9:9 T0102 expected a name to declare, found `=`\n"
               "11:17 T0104 expected an expression, found `)`\n"
               "13:12 T0104 expected an expression, found the end of the line\n"
               "15:17 T0111 expected `,` or `}` in the set, found `;`\n"
               "15:29 T0115 expected `}` to close the block, found the end of the file\n");
}

TEST(Recovery, AMissingBraceDoesNotSwallowTheNextItem) {
  Parsed parsed("kernel a() {\n    for i in 3 {\n        f()\n}\nkernel b() {\n    let x "
                "=\n}\nstruct S { a: f32 }\n");
  EXPECT_EQ(parsed.errors(),
            "4:2 T0115 expected `}` to close the block, found the end of the line\n"
            "6:12 T0104 expected an expression, found the end of the line\n");
  EXPECT_EQ(parsed.file->items.size(), 3u);
}

TEST(Recovery, ErrorsNextToBadCharactersAreNotRepeated) {
  expectErrors(inKernel("let x = a ü b\nlet y = @"),
               "2:11 T0004 `ü` (U+00FC) cannot stand outside comments and strings\n"
               "3:9 T0006 `@` has no meaning in the language\n");
}

TEST(Recovery, AtMostAHundredErrors) {
  std::string text;
  for (int i = 0; i < 300; ++i) {
    text += "let = 1\n";
  }
  Parsed parsed(inKernel(text));
  EXPECT_EQ(parsed.engine.errorCount(), 101u);
  EXPECT_EQ(parsed.engine.diagnostics().back().code, "T0100");
}

TEST(Recovery, DeepNestingOfEveryKind) {
  std::string open, close;
  for (const char *pair : {"(", "[", "f(", "x[", "{", "-", "not ", "if a {", "if (", "match ",
                           "sum(i in ", "sum(i in n: ", "a ?? (", "{ let b = ", "a in {"}) {
    std::string text;
    for (int i = 0; i < 20000; ++i) {
      text += pair;
    }
    Parsed parsed(inConst(text));
    EXPECT_TRUE(parsed.engine.hasErrors()) << pair;
    EXPECT_LE(parsed.engine.errorCount(), 102u) << pair;
  }
  for (const char *pair : {"X<", "(", "tile<S, "}) {
    std::string text = "const A: ";
    for (int i = 0; i < 20000; ++i) {
      text += pair;
    }
    EXPECT_TRUE(Parsed(text).engine.hasErrors()) << pair;
  }
  std::string chain = "if a { 1 }";
  for (int i = 0; i < 20000; ++i) {
    chain += " else if a { 1 }";
  }
  EXPECT_TRUE(Parsed(inConst(chain)).engine.hasErrors());
  std::string calls = "a";
  for (int i = 0; i < 20000; ++i) {
    calls += i % 2 ? ".b" : "(1)";
  }
  EXPECT_TRUE(Parsed(inConst(calls)).engine.hasErrors());
}

TEST(Recovery, ShallowNestingIsFine) {
  EXPECT_EQ(Parsed(inConst(std::string(200, '(') + "a" + std::string(200, ')'))).errors(), "");
  std::string sum = "a";
  for (int i = 0; i < 400; ++i) {
    sum += " + a";
  }
  EXPECT_EQ(Parsed(inConst(sum)).errors(), "");
}

TEST(Recovery, TimeIsLinear) {
  // A quadratic pass over a megabyte would take minutes.
  auto begin = std::chrono::steady_clock::now();
  std::string line =
      "let x = sum(i in f(a[1, 2], {3}): max(j in 0..i: b[i, j] as f32) + (c * d)) ?? 0.0\n";
  std::string text;
  while (text.size() < (1u << 20)) {
    text += line;
  }
  EXPECT_EQ(Parsed(inKernel(text)).errors(), "");
  EXPECT_TRUE(Parsed(inKernel("f(" + text)).engine.hasErrors());
  std::string folds;
  while (folds.size() < (1u << 20)) {
    folds += "sum(i in a b c ";
  }
  EXPECT_TRUE(Parsed(inConst(folds)).engine.hasErrors());
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
}
