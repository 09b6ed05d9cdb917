// What hosts report, as users see it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ScriptTest.h"

using namespace tessera;
using namespace tessera::testing;

TEST(ScriptHostErrors, Refusal) {
  expectRunErrors("split(loop(k).m, 2)\nsplit(loop(k).m, -1)",
                  "3:1 T1073 `split` refused: the factor -1 is not positive\n");
}

TEST(ScriptHostErrors, DeadCursor) {
  RunScript ran(inSchedule("let k = loop(k)\nunroll(k)\nhoist(def(acc), k)"));
  EXPECT_EQ(ran.rendered, "t.sched:4:1: error[T1074]: the cursor `loop k` given to `hoist` is "
                          "gone: `unroll` consumed it\n"
                          "    4 | hoist(def(acc), k)\n"
                          "      | ^~~~~~~~~~~~~~~~~~\n"
                          "t.sched:3:1: note: consumed here\n"
                          "    3 | unroll(k)\n"
                          "      | ^~~~~~~~~\n"
                          "help: use what `unroll` returned\n");
}

TEST(ScriptHostErrors, AmbiguousCursor) {
  expectRunErrors(
      "let k = loop(twice)\nunroll(k)\nsplit(k.m, 2)",
      "4:9 T1075 the cursor `loop twice` given to `.m` stands for 2 places: `twice.first`, "
      "`twice.second`\n");
}

TEST(ScriptHostErrors, NotFound) {
  expectRunErrors("let k = loop(nothing)",
                  "2:9 T1076 `loop` finds nothing: the kernel has no loop `nothing`\n");
  expectRunErrors("print loop(k).missing",
                  "2:15 T1076 `.missing` finds nothing: loop k has no dim `missing`\n");
}

TEST(ScriptHostErrors, Require) {
  expectRunErrors("require 1 == 2, \"one is not two\"", "2:1 T1070 one is not two\n");
  expectRunErrors("require 1 == 2", "2:1 T1070 `1 == 2` does not hold\n");
}

TEST(ScriptHostErrors, TrustMayBeForbidden) {
  SourceManager sources;
  DiagnosticEngine engine(sources);
  script::Program program(engine);
  ASSERT_TRUE(program.loadBuffer(inSchedule("trust(\"x\") { unroll(loop(k)) }"), "t.sched"));
  FakeHost host;
  host.trustForbidden = true;
  EXPECT_FALSE(script::run(program, *program.schedules().front(), host, {}));
  EXPECT_EQ(listErrors(engine), "2:1 T1073 `trust` refused: `--no-trust` forbids it\n");
  EXPECT_EQ(host.log(), "");
}
