// A run ends: steps, calls, depth.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ScriptTest.h"

using namespace tessera;
using namespace tessera::testing;

TEST(ScriptLimits, Steps) {
  script::RunOptions options;
  options.maxSteps = 1000;
  RunScript ran(inSchedule("let n = 0\nwhile true { n = n + 1 }"), options);
  EXPECT_NE(ran.errors.find("T1071 the script is stopped after 1000 steps\n"), std::string::npos)
      << ran.errors;
  EXPECT_FALSE(ran.good);
}

TEST(ScriptLimits, Calls) {
  RunScript ran("def f(n) {\n  f(n + 1)\n}\n" + inSchedule("f(0)"));
  EXPECT_EQ(ran.errors, "2:3 T1072 `f` is called when 100 calls are open already\n");
  // The chain shows its two ends.
  EXPECT_NE(ran.rendered.find("note: 84 more calls between\n"), std::string::npos) << ran.rendered;
  EXPECT_NE(ran.rendered.find("t.sched:5:1: note: in `f`, called here"), std::string::npos);
}

TEST(ScriptLimits, Depth) {
  // Many open calls, each in the middle of a deep expression.
  std::string sum = "f(n + 1)";
  for (int i = 0; i < 100; ++i) {
    sum = "(1 + " + sum + ")";
  }
  RunScript ran("def f(n) -> int {\n  return " + sum + "\n}\n" + inSchedule("print f(0)"));
  EXPECT_NE(ran.errors.find("T1077 the script is nested too deeply: 1500 steps are open at once"),
            std::string::npos)
      << ran.errors;
}
