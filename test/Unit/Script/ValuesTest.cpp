// Values and operators.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ScriptTest.h"

using namespace tessera;
using namespace tessera::script;
using namespace tessera::testing;

TEST(ScriptValues, Integers) {
  EXPECT_EQ(evaluate("12 / 4"), "3");
  EXPECT_EQ(evaluate("-7 // 2"), "-4");
  EXPECT_EQ(evaluate("-7 % 2"), "1");
  EXPECT_EQ(evaluate("7 % -2"), "-1");
  EXPECT_EQ(evaluate("7 // -1"), "-7");
  EXPECT_EQ(evaluate("7 % -1"), "0");
  EXPECT_EQ(evaluate("-16 >> 2"), "-4");
  EXPECT_EQ(evaluate("1 << 62"), "4611686018427387904");
  EXPECT_EQ(evaluate("0x1f + 0b101 + 1_000"), "1036");
  EXPECT_EQ(evaluate("6 xor 3"), "5");
}

TEST(ScriptValues, ListsAndRecords) {
  EXPECT_EQ(evaluate("[1, 2] + [3]"), "[1, 2, 3]");
  EXPECT_EQ(evaluate("[4, 5, 6][1]"), "5");
  EXPECT_EQ(evaluate("len([1, 2]) + len({a: 1}) + len(\"abc\")"), "6");
  EXPECT_EQ(evaluate("0..3"), "[0, 1, 2]");
  EXPECT_EQ(evaluate("3..0"), "[]");
  EXPECT_EQ(evaluate("2 in {1, 2}"), "true");
  EXPECT_EQ(evaluate("5 in 0..5"), "false");
  EXPECT_EQ(evaluate("{a: 1, b: [2]} == {b: [2], a: 1}"), "true");
  EXPECT_EQ(evaluate("[1] == [2] or [1] != [1, 2]"), "true");
  EXPECT_EQ(evaluate("{a: {b: \"c\"}}.a"), "{b: \"c\"}");
  EXPECT_EQ(evaluate("keys({x: 1, y: 2}), has({x: 1}, \"x\"), has({x: 1}, \"y\")"),
            "[\"x\", \"y\"] true false");
}

TEST(ScriptValues, FunctionsOfTheLanguage) {
  EXPECT_EQ(evaluate("ceil_div(7, 2), ceil_div(-7, 2), ceil_div(8, -1), ceil_div(8, 4)"),
            "4 -3 -8 2");
  EXPECT_EQ(evaluate("min(2, 3), max(2, 3)"), "2 3");
  EXPECT_EQ(evaluate("str(3) + str([warp])"), "3[warp]");
}

TEST(ScriptValues, NamesAndFacts) {
  EXPECT_EQ(evaluate("warp"), "warp");
  EXPECT_EQ(evaluate("K % 8 == 0 and not aligned(x, 16)"), "((K % 8) == 0) and not aligned(x, 16)");
  EXPECT_EQ(evaluate("-N + 2 * (M - 1)"), "-N + (2 * (M - 1))");
  EXPECT_EQ(evaluate("K in {1, 2}, 3 in {M}, K in []"), "(K == 1) or (K == 2) 3 == M false");
  EXPECT_EQ(evaluate("K in {warp}"),
            "2:7 T1050 `==` does not take the fact `K` and the name `warp`\n");
  EXPECT_EQ(evaluate("false and K == 1"), "false");
  EXPECT_EQ(evaluate("true and K == 1"), "K == 1");
  EXPECT_EQ(evaluate("K == 1 or true"), "(K == 1) or true");
  EXPECT_EQ(evaluate("provable(K % 8 == 0), provable(K == 3), provable(true)"), "true false true");
  EXPECT_EQ(evaluate("target.smem, target.arch == sm_90a"),
            "2:35 T1020 `sm_90a` is neither declared in "
            "the script nor a name that the kernel knows\n");
}

TEST(ScriptValues, Cursors) {
  EXPECT_EQ(evaluate("loop(k) == loop(k), loop(k) == loop(n), loop(k) != 3"), "true false true");
  EXPECT_EQ(evaluate("def(acc).m, loop(\"k\").body, call(st.push)"),
            "def acc.m loop k.body call st.push");
}

TEST(ScriptValues, KindsOfCursors) {
  auto cursor = [](ValueKind kind) { return Value::cursor({1, 0, kind, "c"}); };
  EXPECT_TRUE(accepts(ValueKind::Op, cursor(ValueKind::Loop)));
  EXPECT_FALSE(accepts(ValueKind::Loop, cursor(ValueKind::Op)));
  EXPECT_TRUE(accepts(ValueKind::Dim, cursor(ValueKind::Factor)));
  EXPECT_FALSE(accepts(ValueKind::Factor, cursor(ValueKind::Dim)));
  EXPECT_TRUE(accepts(ValueKind::Cursor, cursor(ValueKind::Gap)));
  EXPECT_FALSE(accepts(ValueKind::Cursor, Value::integer(1)));
  EXPECT_FALSE(accepts(ValueKind::Any, Value()));
  EXPECT_EQ(kindNames().size(), size_t(ValueKind::Kernel) + 1);
  for (const std::string &name : kindNames()) {
    EXPECT_EQ(kindNames()[size_t(*kindNamed(name))], name);
  }
}

TEST(ScriptValues, Scopes) {
  RunScript ran(inSchedule("let x = 1\n"
                           "for i in [1, 2] { let y = i; x = x + y }\n"
                           "if x == 4 { let y = 10; x = x + y }\n"
                           "let y = 5\nprint x, y"));
  EXPECT_EQ(ran.errors, "");
  EXPECT_EQ(ran.printed, "14 5\n");
}

TEST(ScriptValues, Patterns) {
  RunScript ran(inSchedule("let {a, b: {c: d}} = 1"));
  EXPECT_NE(ran.errors, "");
  RunScript good(inSchedule("let {a, b: c, d: _} = {a: 1, b: 2, d: 3, e: 4}\nprint a, c"));
  EXPECT_EQ(good.printed, "1 2\n") << good.errors;
}
