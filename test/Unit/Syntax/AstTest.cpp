// Walks over the tree: children in order, heights, equality that sees every difference.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "SyntaxTest.h"

using namespace tessera;
using namespace tessera::ast;
using namespace tessera::testing;

namespace {

bool same(const char *a, const char *b) {
  Parsed left(a), right(b);
  EXPECT_EQ(left.errors(), "");
  EXPECT_EQ(right.errors(), "");
  return equal(*left.file, *right.file);
}

} // namespace

TEST(Ast, EqualIgnoresLayout) {
  EXPECT_TRUE(same("const X = (a) + 1_000", "# c\nconst X =\n  a + 1000"));
  EXPECT_TRUE(same("const X = 0x10", "const X = 16"));
  EXPECT_TRUE(same("kernel k() reference y = 1 {}", "kernel k() reference { y = 1 } {}"));
}

TEST(Ast, EqualSeesEveryDifference) {
  // Each entry differs from the next in one place.
  const char *const texts[] = {"const X = a",
                               "const Y = a",
                               "const Y: f32 = a",
                               "const Y = 1",
                               "const Y = 2",
                               "const Y = 2.0",
                               "const Y = -a",
                               "const Y = not a",
                               "const Y = a + b",
                               "const Y = a - b",
                               "const Y = b - a",
                               "const Y = a.b",
                               "const Y = a(b)",
                               "const Y = a(c = b)",
                               "const Y = a[b]",
                               "const Y = a[:]",
                               "const Y = a[_]",
                               "const Y = a[0..b]",
                               "const Y = a as f32",
                               "const Y = a as f32(sat)",
                               "const Y = a in {b}",
                               "const Y = a in b",
                               "const Y = a in edges(b)",
                               "const Y = (a, b)",
                               "const Y = [a, b]",
                               "const Y = sum(i in a: b)",
                               "const Y = max(i in a: b)",
                               "const Y = max(j in a: b)",
                               "const Y = if a { b }",
                               "const Y = if a { b } else { c }",
                               "const Y = match a { b => c }",
                               "const Y = { b }",
                               "const Y = true",
                               "const Y = false",
                               "const Y = \"a\"",
                               "## d\nconst Y = \"a\"",
                               "import \"a\"",
                               "import \"a\" as b",
                               "enum E { a }",
                               "enum E { a, b }",
                               "struct E { a: f32 }",
                               "struct E { a: f32? }",
                               "struct E { a: f32 = 1 }",
                               "fn f() {}",
                               "fn f(self) {}",
                               "fn f(inout self) {}",
                               "fn f(a: T) {}",
                               "fn f(const a: T) {}",
                               "fn f<T: any>(a: T) {}",
                               "fn f<T: int>(a: T) {}",
                               "fn f<T in {b}>(a: T) {}",
                               "fn f<const T: b>(a: T) {}",
                               "fn f(a: tile<S, T>) {}",
                               "fn f(a: array<S, T>) {}",
                               "fn f(a: (S, T)) {}",
                               "fn f(a: X<S, T>) {}",
                               "fn f() -> T {}",
                               "kernel k(a: T) {}",
                               "kernel k(a: T?) {}",
                               "kernel k(a: view<S, T>) {}",
                               "kernel k(a: in view<S, T>) {}",
                               "kernel k() where a {}",
                               "kernel k() math fast {}",
                               "kernel k() math contract {}",
                               "kernel k() reference a = b {}",
                               "kernel k() reference a[i] = b {}",
                               "kernel k() reference { let a[i in N] = b } {}",
                               "kernel k() reference (a, i) = b {}",
                               "kernel k() tolerance exact {}",
                               "kernel k() tolerance y <= a {}",
                               "kernel k() { let a = b }",
                               "kernel k() { let a[i in N] = b }",
                               "kernel k() { var a = b }",
                               "kernel k() { let (a, c) = b }",
                               "kernel k() { static a = b }",
                               "kernel k() { tune a in b }",
                               "kernel k() { grid a in b }",
                               "kernel k() { grid a in tiles(b, 1) }",
                               "kernel k() { a = b }",
                               "kernel k() { for a in b {} }",
                               "kernel k() { for a in static b {} }",
                               "kernel k() { for a in b reversed {} }",
                               "kernel k() { while b {} }",
                               "kernel k() { assert b }",
                               "kernel k() { assume b }",
                               "kernel k() { assert b, \"c\" }",
                               "kernel k() { unsafe {} }",
                               "kernel k() { b }",
                               "test k { a in b }",
                               "test k { a in tune }",
                               "test k { a = b }",
                               "test k { a from b }",
                               "test k { order a in b }",
                               "test k { cases 3 }",
                               "layout a = b",
                               "layout a = 4 : 1",
                               "instr a(b: f32) on sm_80 scope warp ptx \"\" { }",
                               "instr a(b: smem<[1], f32>) on sm_80 scope warp ptx \"\" { }",
                               "instr a(b: f32) on sm_80 scope warp ptx \"\" { b = b fill 0 }",
                               "instr a(b: f32) on sm_80 scope warp ptx \"\" { b = b }",
                               "sync a { barrier }",
                               "sync a { fence }",
                               "def a() {}",
                               "schedule a = 1"};
  for (size_t i = 0; i < std::size(texts); ++i) {
    for (size_t j = 0; j < std::size(texts); ++j) {
      EXPECT_EQ(same(texts[i], texts[j]), i == j) << texts[i] << " / " << texts[j];
    }
  }
}

TEST(Ast, ChildrenComeInOrderOfTheText) {
  Parsed parsed(readFile("examples/attention.tile"));
  ASSERT_EQ(parsed.errors(), "");
  unsigned nodes = 0;
  llvm::function_ref<void(const Node &)> *self = nullptr;
  auto visit = [&](const Node &node) {
    ++nodes;
    uint32_t last = node.range.begin;
    unsigned height = 0;
    forEachChild(node, [&](const Node &child) {
      EXPECT_GE(child.range.begin, last);
      EXPECT_LE(child.range.end, node.range.end);
      last = child.range.begin;
      height = std::max<unsigned>(height, child.height);
      (*self)(child);
    });
    EXPECT_EQ(node.height, height + 1);
  };
  llvm::function_ref<void(const Node &)> recurse(visit);
  self = &recurse;
  for (const auto &item : parsed.file->items) {
    visit(*item);
  }
  EXPECT_GT(nodes, 500u);
}

TEST(Ast, Families) {
  Parsed parsed(inKernel("let a: f32 = 1"));
  const Node &stmt = *parsed.item<Kernel>().body->stmts[0];
  EXPECT_TRUE(llvm::isa<Stmt>(stmt));
  EXPECT_FALSE(llvm::isa<Expr>(stmt));
  EXPECT_TRUE(llvm::isa<Expr>(*llvm::cast<Let>(stmt).value));
  EXPECT_TRUE(llvm::isa<Type>(*llvm::cast<Let>(stmt).type));
  EXPECT_TRUE(llvm::isa<Item>(*parsed.file->items[0]));
}
