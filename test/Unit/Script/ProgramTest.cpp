// Files, imports, the choice of a schedule, settings.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ScriptTest.h"

using namespace tessera;
using namespace tessera::script;
using namespace tessera::testing;

namespace {

Program::Options filesOf(std::map<std::string, std::string> files,
                         std::vector<std::string> searchPath = {}) {
  Program::Options options;
  options.searchPath = std::move(searchPath);
  options.read = [files](llvm::StringRef path) -> std::optional<std::string> {
    auto found = files.find(path.str());
    return found == files.end() ? std::nullopt : std::optional<std::string>(found->second);
  };
  return options;
}

std::string runWith(llvm::StringRef text, std::map<std::string, std::string> files,
                    std::vector<std::string> searchPath = {}) {
  RunScript ran(text, {}, filesOf(std::move(files), std::move(searchPath)));
  return ran.errors.empty() ? ran.printed : ran.errors;
}

std::string withSettings(std::map<std::string, std::string> settings) {
  RunOptions options;
  options.settings = std::move(settings);
  RunScript ran("schedule s on sm_80 (S = choose(3, {2..5, 8}), P = mbarrier, B = true, T = \"a\") "
                "{ print S, P, B, T }",
                options);
  return ran.errors.empty() ? ran.printed : ran.errors;
}

} // namespace

TEST(ScriptProgram, Imports) {
  std::map<std::string, std::string> files = {
      {"a.sched", "def f() { print \"a\" }\ndef hidden() { }\n"},
      {"lib/b.sched", "import \"c.sched\"\ndef g() { h() }\n"},
      {"lib/c.sched", "def h() { print \"c\" }\n"}};
  EXPECT_EQ(runWith("import \"a.sched\"\nimport \"b.sched\" as b\n" + inSchedule("f(); b.g()"),
                    files, {"lib"}),
            "a\nc\n");
  // What a file imports it does not pass on.
  EXPECT_EQ(runWith("import \"lib/b.sched\" as b\n" + inSchedule("b.h()"), files),
            "3:3 T1021 there is no function or primitive `b.h`\n");
  EXPECT_EQ(runWith("import \"lib/b.sched\"\n" + inSchedule("h()"), files),
            "3:1 T1021 there is no function or primitive `h`\n");
  EXPECT_EQ(runWith("import \"a.sched\" as a\n" + inSchedule("print a"), files),
            "3:7 T1020 `a` is neither declared in the script nor a name that the kernel knows\n");
}

TEST(ScriptProgram, TheLibraryIsImportedByStd) {
  std::string call = inSchedule("print pow2_below(9, 64), pow2_below(100, 64)");
  EXPECT_EQ(runWith("import \"std/elements.sched\"\n" + call, {}), "8 64\n");
  // Not a file of that folder, and its imports are its own neighbours.
  EXPECT_EQ(runWith("import \"std/elements.sched\"\n" + call,
                    {{"std/elements.sched", "def pow2_below(a, b) { return 0 }"}}),
            "8 64\n");
  EXPECT_EQ(
      runWith("import \"std/products.sched\" as lib\n" + inSchedule("lib.pow2_below(1, 1)"), {}),
      "3:5 T1021 there is no function or primitive `lib.pow2_below`\n");
  EXPECT_EQ(runWith("import \"std/none.sched\"\n", {}),
            "1:8 T0216 `std/none.sched` cannot be imported: the library has no such file\n");
}

TEST(ScriptProgram, ImportErrors) {
  EXPECT_EQ(runWith("import \"none.sched\"\n", {}, {"lib"}),
            "1:8 T0216 `none.sched` cannot be imported: there is no such file in ., lib\n");
  EXPECT_EQ(runWith("import \"a.sched\"\n",
                    {{"a.sched", "import \"b.sched\"\n"}, {"b.sched", "import \"a.sched\"\n"}}),
            "1:8 T0217 `a.sched` imports itself, directly or through others\n"
            "1:8 T0216 `b.sched` cannot be imported: it has errors\n"
            "1:8 T0216 `a.sched` cannot be imported: it has errors\n");
  EXPECT_EQ(runWith("import \"t.sched\"\n", {{"t.sched", ""}}),
            "1:8 T0217 `t.sched` imports itself, directly or through others\n");
  EXPECT_EQ(runWith("import \"a.sched\"\nimport \"b.sched\"\n",
                    {{"a.sched", "def f() { }"}, {"b.sched", "def f() { }"}}),
            "2:8 T1025 two imports bring a function `f`\n");
  EXPECT_EQ(runWith("import \"a.sched\" as x\nimport \"b.sched\" as x\n",
                    {{"a.sched", ""}, {"b.sched", ""}}),
            "2:21 T0205 `x` is declared twice\n");
  EXPECT_EQ(runWith("def f() { }\ndef f() { }\n", {}), "2:5 T0205 `f` is declared twice\n");
}

TEST(ScriptProgram, ImportedFunctionsHideNoPrimitiveEither) {
  EXPECT_EQ(
      runWith("import \"a.sched\" as a\n" + inSchedule(""), {{"a.sched", "\ndef split() { }"}}),
      "2:5 T1024 `split` is a primitive and cannot be defined again\n");
}

TEST(ScriptProgram, RunsAgainAfterAnError) {
  SourceManager sources;
  DiagnosticEngine engine(sources);
  Program program(engine);
  ASSERT_TRUE(program.loadBuffer(
      "schedule k on sm_80 (S = choose(1, {0, 1})) { split(loop(k).m, S) }", "t.sched"));
  FakeHost host;
  RunOptions options;
  options.settings = {{"S", "0"}};
  EXPECT_FALSE(run(program, *program.select("k", "sm_80"), host, options));
  EXPECT_TRUE(run(program, *program.select("k", "sm_80"), host, {}));
  EXPECT_EQ(host.log(), "split(loop k.m, 1)\n");
}

TEST(ScriptProgram, MissingFile) {
  SourceManager sources;
  DiagnosticEngine engine(sources);
  Program program(engine, filesOf({}));
  EXPECT_FALSE(program.load("none.sched"));
  EXPECT_EQ(listErrors(engine),
            "1:1 T0221 `none.sched` cannot be read: there is no such file, or it is no text\n");
}

TEST(ScriptProgram, Targets) {
  SourceManager sources;
  DiagnosticEngine engine(sources);
  Program program(engine);
  ASSERT_TRUE(program.loadBuffer(
      "schedule k on sm_80 { }\nschedule k on sm_90 { }\nschedule k on sm_100a { }\n"
      "schedule other on sm_90a { }\nschedule k on sm_90a { }\n",
      "t.sched"));
  auto line = [&](llvm::StringRef target) {
    const Schedule *found = program.select("k", target);
    return found ? sources.lineColumn(found->range.file, found->range.begin).line : 0;
  };
  EXPECT_EQ(line("sm_80"), 1u);
  EXPECT_EQ(line("sm_90"), 2u);
  EXPECT_EQ(line("sm_90a"), 5u);
  EXPECT_EQ(line("sm_90f"), 2u);
  EXPECT_EQ(line("sm_100a"), 3u);
  EXPECT_EQ(listErrors(engine), "");
  EXPECT_EQ(line("sm_100"), 0u);
  EXPECT_EQ(line("sm_8"), 0u);
  EXPECT_EQ(listErrors(engine), "1:1 T1026 there is no schedule `k` for the target `sm_100`\n"
                                "1:1 T1026 there is no schedule `k` for the target `sm_8`\n");
}

TEST(ScriptProgram, TwoSchedulesForOneTarget) {
  EXPECT_EQ(RunScript("schedule k on sm_80 { }\nschedule k on sm_80 { }\n").errors,
            "2:10 T1027 `k` has two schedules for the target `sm_80`\n");
}

TEST(ScriptProgram, Settings) {
  EXPECT_EQ(withSettings({}), "3 mbarrier true a\n");
  EXPECT_EQ(withSettings({{"S", "8"}, {"P", "bulk"}, {"B", "false"}, {"T", "3"}}),
            "8 bulk false 3\n");
  EXPECT_EQ(withSettings({{"S", "4"}}), "4 mbarrier true a\n");
  EXPECT_EQ(withSettings({{"S", "5"}}),
            "1:22 T1029 the parameter `S` is one of 2, 3, 4, 8, found the integer 5\n");
  EXPECT_EQ(withSettings({{"B", "3"}}),
            "1:62 T1029 the parameter `B` is true or false, found the integer 3\n");
  EXPECT_EQ(withSettings({{"SS", "3"}}), "1:10 T1028 the schedule `s` has no parameter `SS`\n");
  EXPECT_EQ(RunScript("schedule s on sm_80 (S = choose(1, {2, 3})) { }").errors,
            "1:22 T1029 the parameter `S` is one of 2, 3, found the integer 1\n");
}
