// `try`: transactions, what it catches, what it does not.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ScriptTest.h"

using namespace tessera;
using namespace tessera::testing;

TEST(ScriptTry, UndoesTheKernelAndTheVariables) {
  RunScript ran(inSchedule(
      "let n = 1, d = loop(k).m\n"
      "try { split(d, 4); n = 2; split(d, 0); n = 3 } else err { print n, err.message }\n"
      "split(d, 8)"));
  EXPECT_EQ(ran.errors, "");
  EXPECT_EQ(ran.printed, "1 `split` refused: the factor 0 is not positive\n");
  EXPECT_EQ(ran.log, "split(loop k.m, 8)\n");
}

TEST(ScriptTry, KeepsWhatSucceeded) {
  RunScript ran(
      inSchedule("let n = 1\ntry { split(loop(k).m, 4); n = 2 } else err { n = 3 }\nprint n"));
  EXPECT_EQ(ran.printed, "2\n");
  EXPECT_EQ(ran.log, "split(loop k.m, 4)\n");
}

TEST(ScriptTry, Nests) {
  RunScript ran(
      inSchedule("let n = 0, d = loop(k).m\n"
                 "try {\n"
                 "  n = 1\n"
                 "  try { split(d, 2); n = 2; require false } else e { print \"inner\", n }\n"
                 "  split(d, 3)\n"
                 "  n = 5\n"
                 "  require n == 6, \"n is \" + str(n)\n"
                 "} else e { print e.message, e.primitive, e.code, n }\n"
                 "split(d, 4)"));
  EXPECT_EQ(ran.errors, "");
  EXPECT_EQ(ran.printed, "inner 1\nn is 5 require T1070 0\n");
  EXPECT_EQ(ran.log, "split(loop k.m, 4)\n");
}

TEST(ScriptTry, LeavesFunctions) {
  RunScript ran(
      "def deep(n: int) { let local = n; if n == 0 { split(loop(k).m, 0) }; deep(n - 1) }\n" +
      inSchedule("let n = 1\ntry { n = 4; deep(5) } else err { print err.code }\nlet local = "
                 "7\nprint n, local"));
  EXPECT_EQ(ran.errors, "");
  EXPECT_EQ(ran.printed, "split_factor\n1 7\n");
}

TEST(ScriptTry, ReturnsFromTheBlock) {
  RunScript ran("def f() -> int { try { return 3 } else e { return 4 } }\n"
                "def g() -> int { try { require false } else e { return 5 } }\n" +
                inSchedule("print f(), g()"));
  EXPECT_EQ(ran.errors, "");
  EXPECT_EQ(ran.printed, "3 5\n");
}

TEST(ScriptTry, CatchesDeadAndAmbiguousCursors) {
  RunScript ran(inSchedule("let k = loop(k), t = loop(twice)\nunroll(k); unroll(t)\n"
                           "try { unroll(k) } else e { print e.message }\n"
                           "try { unroll(t) } else e { print e.message }\n"
                           "try { loop(nothing) } else e { print e.message }"));
  EXPECT_EQ(ran.errors, "");
  EXPECT_EQ(ran.printed, "the cursor `loop k` given to `unroll` is gone: `unroll` consumed it\n"
                         "the cursor `loop twice` given to `unroll` stands for 2 places: "
                         "`twice.first`, `twice.second`\n"
                         "`loop` finds nothing: the kernel has no loop `nothing`\n");
}

TEST(ScriptTry, ErrorsOfTheScriptAreNotCaught) {
  expectRunErrors("try { split(loop(k).m, 2); let x = 1 + true } else e { print \"never\" }",
                  "2:36 T1050 `+` does not take the integer 1 and `true`\n");
  expectRunErrors("try { while true { } } else e { }",
                  "2:13 T1071 the script is stopped after 4194304 steps\n");
}

TEST(ScriptTry, SealedKernelsRefuse) {
  RunScript ran(inSchedule("seal()\ntry { unroll(loop(k)) } else e { print e.message }"));
  EXPECT_EQ(ran.printed, "`unroll` refused: the kernel is sealed\n");
  expectRunErrors("split(loop(k).m, 2)\nseal()\nunroll(loop(k))",
                  "4:1 T1073 `unroll` refused: the kernel is sealed\n");
}

TEST(ScriptTry, TrustIsLeftOnErrors) {
  RunScript ran(inSchedule(
      "try { trust(\"me\") { require false } } else e { }\ntrust(\"you\") { unroll(loop(k)) }"));
  EXPECT_EQ(ran.log, "trust you\nunroll(loop k)\nend of trust\n");
}
