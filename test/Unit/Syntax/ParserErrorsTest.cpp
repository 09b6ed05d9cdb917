// Every diagnostic of items, types, clauses and tests: whole message, place, and the fix where there is one.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "SyntaxTest.h"

using namespace tessera;
using namespace tessera::testing;

TEST(ItemErrors, ExpectedItem) {
  expectErrors("foo\nfn f() {}\n", "1:1 T0107 expected an item of the file, found `foo`\n");
  expectErrors("fn f() { 1 }}\nfn g() { 2 }\n",
               "1:13 T0107 expected an item of the file, found `}`\n");
  expectErrors(inConst("a b"), "1:13 T0110 expected a new line or `;` between items, found `b`\n");
  expectErrors("test\n", "1:1 T0107 expected an item of the file, found `test`\n");
}

TEST(ItemErrors, ImportsAndConstants) {
  expectErrors("import foo\n", "1:8 T0108 expected a string after `import`, found `foo`\n");
  expectErrors("import \"a\" as 3\n", "1:15 T0102 expected a name after `as`, found `3`\n");
  expectErrors("const = 5\n", "1:7 T0102 expected a name after `const`, found `=`\n");
  expectErrors("const X\nfn f() {}\n", "1:8 T0101 expected `=` and a value after the name of a "
                                       "constant, found the end of the line\n");
  expectFixed("const match = 5\n", "1:7 T0103 `match` is a keyword and cannot be a name\n",
              "const match_ = 5\n");
  expectErrors("enum E {}\n", "1:6 T0151 the enum `E` has no cases\n");
  expectErrors("enum E { a, 1 }\n", "1:13 T0102 expected a name of a case, found `1`\n");
}

TEST(ItemErrors, StructsAndFunctions) {
  expectErrors("struct S {\n fn f(self) { 1 }\n a: f32\n}\n",
               "3:2 T0152 the field `a` stands after a method\n");
  expectErrors("struct S { a: f32, b, c: f32 }\n",
               "1:21 T0101 expected `:` and the type after the name of a field, found `,`\n");
  expectErrors("struct S { a: f32 b: f32 }\n",
               "1:19 T0110 expected a new line or `;` between fields, found `b`\n");
  expectErrors("fn f(a: f32, self) {}\n", "1:14 T0153 `self` is not the first parameter\n");
  expectErrors("fn f(a) {}\n",
               "1:7 T0101 expected `:` and the type after the name of a parameter, found `)`\n");
  expectErrors(
      "fn f {}\n",
      "1:6 T0101 expected `(` and the parameters after the name of a function, found `{`\n");
  expectErrors("fn f() -> {}\n", "1:11 T0105 expected a type, found `{`\n");
  expectErrors(
      "fn f()\n",
      "1:7 T0101 expected `{` before the body of the function, found the end of the file\n");
}

TEST(ItemErrors, Types) {
  expectErrors("const X: = 5\n", "1:10 T0105 expected a type, found `=`\n");
  expectErrors("const X: tile<3, f32> = 1\n", "1:15 T0106 expected a shape, found `3`\n");
  expectErrors("const X: tile<[M] f32> = 1\n",
               "1:19 T0101 expected `,` between shape and element type, found `f32`\n");
  expectErrors("const X: tile<[M], f32 = 1\n",
               "1:24 T0101 expected `>` after the element type, found `=`\n");
  expectErrors("const X: Y<2 = 1\n",
               "1:14 T0101 expected `>` after the arguments of the type, found `=`\n");
  expectErrors("fn f(a: in view<[M], f32>) {}\n",
               "1:9 T0141 a view type stands only in the parameters of a kernel\n");
  expectFixed("fn f(a: f32?"
              "?) {}\n",
              "1:12 T0142 the type is optional already\n", "fn f(a: f32?) {}\n");
  expectFixed("fn f(a: f32? ?) {}\n", "1:14 T0142 the type is optional already\n",
              "fn f(a: f32? ) {}\n");
}

TEST(ItemErrors, Generics) {
  expectFixed(
      "fn f<T: i64>(a: T) {}\n",
      "1:9 T0143 expected `shape`, `float`, `int`, `uint`, `number` or `any`, found `i64`\n",
      "fn f<const T: i64>(a: T) {}\n");
  expectErrors(
      "fn f<T: foo>(a: T) {}\n",
      "1:9 T0143 expected `shape`, `float`, `int`, `uint`, `number` or `any`, found `foo`\n");
  expectErrors("fn f<T>(a: T) {}\n",
               "1:7 T0144 the generic parameter `T` has no constraint, found `>`\n");
  expectErrors("fn f<const T>(a: T) {}\n",
               "1:13 T0101 expected `:` and the type after the name of a constant, found `>`\n");
  expectErrors("fn f<T: any (a: T) {}\n",
               "1:13 T0101 expected `>` after the generic parameters, found `(`\n");
}

TEST(ItemErrors, Kernels) {
  expectErrors("kernel k(a: in f32) {}\n", "1:13 T0145 `in` stands before a view only\n");
  expectErrors("kernel k()\n  foo bar\n{}\n",
               "2:3 T0146 expected a clause or the body of the kernel, found `foo`\n");
  Parsed twice("kernel k() math strict math fast {}\n");
  EXPECT_EQ(twice.errors(), "1:24 T0147 a second `math` clause\n");
  ASSERT_EQ(twice.engine.diagnostics()[0].notes.size(), 1u);
  EXPECT_EQ(twice.engine.diagnostics()[0].notes[0].range.begin, 11u);
  expectErrors("kernel k() math quick\n{ f() }\n",
               "1:17 T0148 expected `strict`, `contract` or `fast` after `math`, found `quick`\n");
  expectErrors("kernel k() reference y[] = 1 {}\n", "1:23 T0149 the list of indices is empty\n");
  expectErrors("kernel k() reference { let y = 1 } {}\n",
               "1:30 T0150 expected `[` and the axes of `y`, found `=`\n");
  expectErrors("kernel k() reference { let y[i] = 1 } {}\n",
               "1:31 T0101 expected `in` and the range after the name of an axis, found `]`\n");
  expectErrors("kernel k() reference { y[i] + 1 } {}\n",
               "1:29 T0101 expected `=` after the output, found `+`\n");
  expectErrors("kernel k() tolerance y < 3 {}\n",
               "1:24 T0101 expected `<=` between the output and its bound, found `<`\n");
  expectErrors(
      "kernel k()\n",
      "1:11 T0101 expected `{` before the body of the kernel, found the end of the file\n");
}

TEST(ItemErrors, UnclosedBlock) {
  Parsed parsed("kernel k() {\n    let x = 1\nkernel m() { f() }\n");
  EXPECT_EQ(parsed.errors(),
            "2:14 T0115 expected `}` to close the block, found the end of the line\n");
  ASSERT_EQ(parsed.engine.diagnostics()[0].notes.size(), 1u);
  EXPECT_EQ(parsed.engine.diagnostics()[0].notes[0].range.begin, 11u);
  EXPECT_EQ(parsed.file->items.size(), 2u);
  expectErrors("fn f() {\n  let x = 1",
               "2:12 T0115 expected `}` to close the block, found the end of the file\n");
}

TEST(ItemErrors, Tests) {
  expectErrors("test k {\n (A, B) in tune\n}\n",
               "2:12 T0155 `in tune` is for one name, not for a tuple\n");
  expectErrors("test k { x from normal, 3 }\n",
               "1:25 T0156 expected the name or the call of a generator\n");
  expectErrors("test k { x }\n", "1:12 T0157 expected an entry of the test, found `}`\n");
  expectErrors("test k { x in }\n", "1:15 T0104 expected an expression, found `}`\n");
  expectErrors("test k { x in {1} y in {2} }\n",
               "1:19 T0110 expected a new line or `;` between entries, found `y`\n");
  expectErrors("test k { 3 in {1} }\n", "1:10 T0102 expected a name to declare, found `3`\n");
}

TEST(ItemErrors, Raw) {
  expectErrors("schedule s {\n  (a\n}\n", "2:3 T0154 `(` has no counterpart\n");
  expectErrors("def l() {} )\nfn f() {}\n", "1:12 T0154 `)` has no counterpart\n");
}

TEST(ItemErrors, SetAfterIn) {
  expectErrors("fn f<T in >(a: T) {}\n", "1:11 T0104 expected an expression, found `>`\n");
  expectErrors(inKernel("tune A in edges(3)"),
               "2:17 T0102 expected a name in `edges(…)`, found `3`\n");
}
