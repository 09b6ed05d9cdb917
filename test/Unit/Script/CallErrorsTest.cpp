// Every error of calls once, with its place.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ScriptTest.h"

using namespace tessera;
using namespace tessera::testing;

static std::string errorsOf(llvm::StringRef defs, llvm::StringRef body) {
  return RunScript((defs + "\n" + inSchedule(body)).str()).errors;
}

TEST(ScriptCallErrors, Callee) {
  expectRunErrors("splt(3)", "2:1 T1021 there is no function or primitive `splt`\n");
  RunScript near(inSchedule("splt(3)"));
  EXPECT_NE(near.rendered.find("help: did you mean `split`?"), std::string::npos) << near.rendered;
  expectRunErrors("let f = 3\nf(1)", "3:1 T0211 `f` cannot be called\n");
  expectRunErrors("loop(k).nothing_like(3)",
                  "2:1 T1021 there is no function or primitive `nothing_like`\n");
  expectRunErrors("(3).load(x)", "2:1 T1044 the integer 3 cannot stand before `.load(…)`\n");
  EXPECT_EQ(errorsOf("def none() { }", "(3).none()"),
            "3:1 T1044 the integer 3 cannot stand before `.none(…)`\n");
  EXPECT_EQ(errorsOf("def split() { }", ""),
            "1:5 T1024 `split` is a primitive and cannot be defined again\n");
  EXPECT_EQ(errorsOf("def len() { }", ""),
            "1:5 T1024 `len` is a primitive and cannot be defined again\n");
}

TEST(ScriptCallErrors, Arguments) {
  expectRunErrors("split(loop(k).m, 4, n = 3)", "2:21 T0222 `split` has no parameter `n`\n");
  expectRunErrors("split(loop(k).m, 4, 5)",
                  "2:21 T0223 the call has 3 arguments in order, but `split` takes 2\n");
  expectRunErrors("split(loop(k).m)", "2:1 T0224 `split` is called without `q`\n");
  expectRunErrors("split(loop(k).m, 4, q = 3)", "2:21 T0225 `q` is given twice\n");
  expectRunErrors("split(3, 4)",
                  "2:7 T1040 the parameter `d` of `split` is a dim, found the integer 3\n");
  expectRunErrors("split(loop(k).m, true)",
                  "2:18 T1040 the parameter `q` of `split` is an integer, found `true`\n");
  expectRunErrors("bind(loop(k).m, wrap)",
                  "2:17 T1041 the parameter `place` of `bind` is one of `grid`, `cluster`, "
                  "`warp`, `warpgroup`, `lane`, `reg`, `seq`, `vec`, found `wrap`\n");
  RunScript near(inSchedule("bind(loop(k).m, wrap)"));
  EXPECT_NE(near.rendered.find("help: did you mean `warp`?"), std::string::npos);
  expectRunErrors("split loop", "2:1 T0224 `split` is called without `q`\n");
  EXPECT_EQ(errorsOf("def f(n: int) { }", "f(\"a\")"),
            "3:3 T1040 the parameter `n` of `f` is an integer, found the string \"a\"\n");
  EXPECT_EQ(errorsOf("def f(n: int = true) { }", "f()"),
            "1:16 T1040 the parameter `n` of `f` is an integer, found "
            "`true`\n");
}

TEST(ScriptCallErrors, Results) {
  EXPECT_EQ(errorsOf("def f() -> int { return \"a\" }", "f()"),
            "1:25 T1042 `f` returns an integer, found the string "
            "\"a\"\n");
  EXPECT_EQ(errorsOf("def f() -> int { }", "f()"),
            "1:5 T1042 `f` returns an integer, found nothing\n");
  EXPECT_EQ(errorsOf("def f() -> {a, b} { return {a: 1} }", "f()"),
            "1:28 T1043 `f` returns a record without its field `b`\n");
}
