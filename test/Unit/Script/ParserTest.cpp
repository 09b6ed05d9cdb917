// What the reader makes of scripts.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ScriptTest.h"

using namespace tessera;
using namespace tessera::script;
using namespace tessera::testing;

TEST(ScriptParser, HeadOfASchedule) {
  ParsedScript parsed("import \"lib/rows.sched\" as rows\nimport \"all.sched\"\n"
                      "def f(c: op, n: int = 4) -> {outer, inner} { return {outer: c, inner: n} }\n"
                      "schedule k on sm_90a (S = choose(3, {2, 3}), W = 2) { }\n");
  EXPECT_EQ(parsed.errors(), "");
  ASSERT_EQ(parsed.file->imports.size(), 2u);
  EXPECT_EQ(parsed.file->imports[0].path, "lib/rows.sched");
  EXPECT_EQ(parsed.file->imports[0].alias.text, "rows");
  ASSERT_EQ(parsed.file->defs.size(), 1u);
  const Def &def = *parsed.file->defs[0];
  EXPECT_EQ(def.params[0].kind, ValueKind::Op);
  EXPECT_EQ(def.params[1].kind, ValueKind::Int);
  EXPECT_TRUE(def.params[1].value != nullptr);
  ASSERT_EQ(def.resultFields.size(), 2u);
  EXPECT_EQ(def.resultFields[1].text, "inner");
  const Schedule &schedule = *parsed.file->schedules.at(0);
  EXPECT_EQ(schedule.target.text, "sm_90a");
  EXPECT_TRUE(schedule.params[0].isChoice);
  EXPECT_EQ(schedule.params[0].choices.size(), 2u);
  EXPECT_FALSE(schedule.params[1].isChoice);
}

static const Stmt &first(const ParsedScript &parsed) {
  return *parsed.file->schedules.at(0)->body.stmts.at(0);
}

TEST(ScriptParser, ShortForm) {
  ParsedScript parsed(inSchedule("ring [a, b] slots 3 protocol bulk"));
  EXPECT_EQ(parsed.errors(), "");
  const auto &call = llvm::cast<Call>(*llvm::cast<ExprStmt>(first(parsed)).expr);
  EXPECT_TRUE(call.isShort);
  EXPECT_EQ(call.args.size(), 5u);
  // An index touches what it indexes, an argument does not.
  ParsedScript index(inSchedule("f(a[1])"));
  EXPECT_EQ(index.errors(), "");
}

TEST(ScriptParser, Pattern) {
  ParsedScript parsed(inSchedule("f(`tile.mma(_, exp(p), -3, ..)`)"));
  EXPECT_EQ(parsed.errors(), "");
  const auto &call = llvm::cast<Call>(*llvm::cast<ExprStmt>(first(parsed)).expr);
  const auto &pattern = llvm::cast<script::Pattern>(*call.args.at(0).value);
  EXPECT_EQ(pattern.text, "tile.mma(_, exp(p), -3, ..)");
  EXPECT_EQ(pattern.pattern.name, "tile.mma");
  ASSERT_EQ(pattern.pattern.operands.size(), 4u);
  EXPECT_EQ(pattern.pattern.operands[0].kind, OpPattern::Kind::Any);
  EXPECT_EQ(pattern.pattern.operands[1].operands.at(0).name, "p");
  EXPECT_EQ(pattern.pattern.operands[2].integer, -3);
  EXPECT_EQ(pattern.pattern.operands[3].kind, OpPattern::Kind::Rest);
}

TEST(ScriptParser, PrecedenceIsThatOfTheKernelLanguage) {
  EXPECT_EQ(evaluate("1 + 2 * 3 - 4 // 2"), "5");
  EXPECT_EQ(evaluate("1 << 2 + 1"), "8");
  EXPECT_EQ(evaluate("not 1 == 2 and 3 > 2"), "true");
  EXPECT_EQ(evaluate("true or false and false"), "true");
  EXPECT_EQ(evaluate("true xor true or true"), "true");
  EXPECT_EQ(evaluate("-2 - -3"), "1");
  EXPECT_EQ(evaluate("-(2)"), "-2");
  EXPECT_EQ(evaluate("-9223372036854775808"), "-9223372036854775808");
}

TEST(ScriptParser, NewLines) {
  ParsedScript parsed(
      inSchedule("f(a,\n  b)\nlet x = 1 +\n  2; g(x)\nif x == 3 {\n h(x)\n}\nelse {\n}"));
  EXPECT_EQ(parsed.errors(), "");
  EXPECT_EQ(parsed.file->schedules.at(0)->body.stmts.size(), 4u);
}

TEST(ScriptParser, WordsOfTheKernelLanguageAreNames) {
  ParsedScript parsed(
      inSchedule("bind(m, grid); f(kernel = static, x = y.match, z = {in: 1, as: 2})"));
  EXPECT_EQ(parsed.errors(), "");
}

TEST(ScriptParser, BlocksOfATileFile) {
  SourceManager sources;
  DiagnosticEngine engine(sources);
  std::string text = "kernel k() {\n}\n\nschedule k on sm_80 {\n  print 1 +\n}\n\nconst X = 1\n";
  uint32_t file = sources.addFile("k.tile", text);
  auto begin = static_cast<uint32_t>(text.find("schedule"));
  auto end = static_cast<uint32_t>(text.find("\n\nconst"));
  std::unique_ptr<File> parsed = parseScript(SourceRange{file, begin, end}, engine);
  EXPECT_EQ(listErrors(engine), "5:12 T0104 expected an expression, found the end of the line\n");
  EXPECT_EQ(parsed->schedules.at(0)->name.text, "k");
}

TEST(ScriptParser, BlocksSeeEachOthersFunctions) {
  SourceManager sources;
  DiagnosticEngine engine(sources);
  std::string text =
      "schedule k on sm_80 {\n  f()\n}\n#\nschedule k on sm_90 { }\ndef f() { print \"f\" }\n";
  uint32_t file = sources.addFile("k.tile", text);
  auto middle = static_cast<uint32_t>(text.find('#'));
  Program program(engine);
  ASSERT_TRUE(program.loadBlocks({{file, 0, middle}, {file, middle, uint32_t(text.size())}}));
  FakeHost host;
  RunOptions options;
  std::string printed;
  llvm::raw_string_ostream os(printed);
  options.out = &os;
  EXPECT_TRUE(run(program, *program.select("k", "sm_80"), host, options));
  EXPECT_EQ(printed, "f\n");
}
