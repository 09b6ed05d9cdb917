// Every error of values and names once, with its place.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ScriptTest.h"

using namespace tessera;
using namespace tessera::testing;

TEST(ScriptValueErrors, Names) {
  expectRunErrors("let place = 1\nprint plaec",
                  "3:7 T1020 `plaec` is neither declared in the script nor a name "
                  "that the kernel knows\n");
  expectRunErrors("x = 3", "2:1 T1023 `x` is assigned, but was not declared\n");
  expectRunErrors("let x = 1\nlet x = 2", "3:5 T0205 `x` is declared twice\n");
  expectRunErrors("let x = 1\nfor x in [1] { }", "3:5 T0205 `x` is declared twice\n");
  expectRunErrors("print {a: 1}.b", "2:14 T1022 the record has no `b`\n");
  expectRunErrors("print (3).b", "2:11 T1022 the integer 3 has no `b`\n");
  expectRunErrors("let {b} = {a: 1}", "2:6 T1022 the record has no `b`\n");
  expectRunErrors("let {b} = 3",
                  "2:5 T1058 a pattern in braces takes a record, found the integer 3\n");
  RunScript function("def f() { }\n" + inSchedule("print f"));
  EXPECT_NE(function.rendered.find("help: there is a function of this name; call it with `f(…)`"),
            std::string::npos);
}

TEST(ScriptValueErrors, Operands) {
  expectRunErrors("print 1 + \"a\"",
                  "2:7 T1050 `+` does not take the integer 1 and the string \"a\"\n");
  expectRunErrors("print -true", "2:7 T1050 `-` does not take `true`\n");
  expectRunErrors("print not 3", "2:7 T1050 `not` does not take the integer 3\n");
  expectRunErrors("print 3 and true", "2:7 T1050 `and` does not take the integer 3\n");
  expectRunErrors("print true and 3", "2:16 T1050 `and` does not take the integer 3\n");
  expectRunErrors("print 3 in 4", "2:12 T1050 `in` does not take the integer 4\n");
  expectRunErrors("print K + warp",
                  "2:7 T1050 `+` does not take the fact `K` and the name `warp`\n");
  expectRunErrors("print 1..true", "2:10 T1050 `..` does not take `true`\n");
  expectRunErrors("assume 3", "2:8 T1050 `assume` does not take the integer 3\n");
  expectRunErrors("if 3 { }", "2:4 T1051 a condition is true or false, found the integer 3\n");
  expectRunErrors("if K == 3 { }",
                  "2:4 T1051 a condition is true or false, found the fact `K == 3`\n");
}

TEST(ScriptValueErrors, Arithmetic) {
  const std::string big = "9223372036854775807", least = "-9223372036854775808";
  for (const char *op : {" + 1", " * 2", " << 1", " - -1"}) {
    RunScript ran(inSchedule("print " + big + op));
    EXPECT_EQ(ran.errors, "2:7 T1052 the result of `" +
                              std::string(op).substr(1, op[2] == '<' ? 2 : 1) +
                              "` does not fit in 64 bits\n");
  }
  expectRunErrors("print " + least + " // -1",
                  "2:7 T1052 the result of `//` does not fit in 64 bits\n");
  expectRunErrors("print -(" + least + ")",
                  "2:7 T1052 the result of `-` does not fit in 64 bits\n");
  EXPECT_EQ(evaluate(least + " % -1"), "0");
  expectRunErrors("print 3 // 0", "2:7 T1053 division of 3 by zero\n");
  expectRunErrors("print 3 % 0", "2:7 T1053 division of 3 by zero\n");
  expectRunErrors("print ceil_div(3, 0)", "2:7 T1053 division of 3 by zero\n");
  expectRunErrors("print 128 / 3", "2:7 T1054 the division 128 / 3 leaves 2\n");
  expectRunErrors("print 1 << 64", "2:12 T1061 a shift by 64 bits; it is 0 to 63\n");
  expectRunErrors("print 1 >> -1", "2:12 T1061 a shift by -1 bits; it is 0 to 63\n");
}

TEST(ScriptValueErrors, Lists) {
  expectRunErrors("print [1, 2][2]", "2:14 T1055 the index 2 is outside the list of 2\n");
  expectRunErrors("print [1, 2][-1]", "2:14 T1055 the index -1 is outside the list of 2\n");
  expectRunErrors("print {a: 1}[0]", "2:7 T1056 a record cannot be indexed by the integer 0\n");
  expectRunErrors("for x in 3 { }", "2:10 T1057 `for` runs over a list, found the integer 3\n");
  expectRunErrors("print len(3)",
                  "2:7 T1040 the parameter `x` of `len` is a list, a record or a string, found the "
                  "integer 3\n");
  expectRunErrors("let x = unroll(loop(k))", "2:9 T1060 `unroll(loop(k))` gives no value\n");
  expectRunErrors("let x = if false { 1 }", "2:9 T1060 `if false { 1 }` gives no value\n");
}

TEST(ScriptValueErrors, Sizes) {
  expectRunErrors("print 0..100000",
                  "2:7 T1059 the result has 100000 elements or bytes; at most 65536 are kept\n");
  expectRunErrors("let x = [1]\nwhile true { x = x + x }",
                  "3:18 T1059 the result has 131072 elements or bytes; at most 65536 are kept\n");
  expectRunErrors(
      "let x = \"a\"\nwhile true { x = x + x }",
      "3:18 T1059 the result has 2097152 elements or bytes; at most 1048576 are kept\n");
  expectRunErrors("let x = [1]\nwhile true { x = [x] }",
                  "3:18 T1059 the result has lists nested 65 deep, and so many elements or bytes; "
                  "at most 64 are kept\n");
  expectRunErrors("let x = K\nwhile true { x = x + x }",
                  "3:18 T1059 the result has 2047 elements or bytes; at most 1024 are kept\n");
}
