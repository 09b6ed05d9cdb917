// Items: imports, constants, enums, structs, functions, kernels with their clauses, tests, raw text.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "SyntaxTest.h"

using namespace tessera;
using namespace tessera::ast;
using namespace tessera::testing;
using llvm::cast;

TEST(Items, ImportConstEnum) {
  Parsed parsed(
      "import \"a/b.tile\" as b\nimport \"c.tile\"\nconst X: f32 = 1.5\nconst Y = X const Z = 2\n"
      "enum E { a,\n b }\n");
  ASSERT_EQ(parsed.errors(), "");
  EXPECT_EQ(parsed.item<Import>(0).path, "a/b.tile");
  EXPECT_EQ(parsed.item<Import>(0).alias.name, "b");
  EXPECT_FALSE(parsed.item<Import>(1).alias);
  EXPECT_EQ(cast<NamedType>(*parsed.item<Const>(2).type).name, "f32");
  EXPECT_EQ(parsed.item<Const>(3).type, nullptr);
  EXPECT_EQ(parsed.item<Const>(4).name.name, "Z");
  EXPECT_EQ(parsed.item<Enum>(5).cases[1].name, "b");
}

TEST(Items, Struct) {
  Parsed parsed("struct S<const R: i64>\n{\n a: tile<[R], f32> = -inf, b: f32\n c: i64;\n"
                " fn f(inout self, x: f32) -> f32 { x }\n ## doc\n fn g(self) { self.a = 1 }\n}\n");
  ASSERT_EQ(parsed.errors(), "");
  const auto &item = parsed.item<Struct>();
  ASSERT_EQ(item.fields.size(), 3u);
  EXPECT_NE(item.fields[0].value, nullptr);
  EXPECT_EQ(item.fields[1].value, nullptr);
  ASSERT_EQ(item.methods.size(), 2u);
  EXPECT_TRUE(item.methods[0]->params[0].isSelf);
  EXPECT_EQ(item.methods[0]->params[0].mode, ParamMode::InOut);
  EXPECT_EQ(item.methods[1]->doc, "doc");
  EXPECT_EQ(item.methods[1]->result, nullptr);
}

TEST(Items, FnParamsAndGenerics) {
  Parsed parsed(
      "fn f<S: shape, F: float, I: int, U: uint, N: number, A: any, T in {f32, bf16} = f32,\n"
      "     const K: i64 in 1..9 = 2, const B: bool = (a > b)>(const a: i64 = 3, inout b: tile<S, "
      "F>, c: f32?)\n"
      "    -> (tile<S, T>, array<[K, _], F>)\n{ (a, b) }\n");
  ASSERT_EQ(parsed.errors(), "");
  const auto &fn = parsed.item<Fn>();
  ASSERT_EQ(fn.generics.size(), 9u);
  for (unsigned i = 0; i < 6; ++i) {
    EXPECT_EQ(static_cast<unsigned>(fn.generics[i].kind), i);
  }
  EXPECT_EQ(fn.generics[6].kind, GenericKind::Set);
  EXPECT_EQ(cast<NamedType>(*fn.generics[6].defaultType).name, "f32");
  EXPECT_EQ(fn.generics[7].set->kind, Kind::Range);
  EXPECT_EQ(cast<IntLit>(*fn.generics[7].value).value, 2u);
  EXPECT_EQ(fn.generics[8].value->kind, Kind::Binary);
  EXPECT_EQ(fn.params[0].mode, ParamMode::Const);
  EXPECT_NE(fn.params[0].value, nullptr);
  EXPECT_EQ(fn.params[1].mode, ParamMode::InOut);
  EXPECT_EQ(fn.params[2].type->kind, Kind::OptionalType);
  const auto &result = cast<TupleType>(*fn.result);
  EXPECT_TRUE(cast<TileType>(*result.elements[1]).isArray);
}

TEST(Items, Types) {
  Parsed parsed("fn f(a: X<Y<3>>, b: X<T, 3, [M, N], b * 2, tile<S, f32>, f32?>, c: (f32), d: (), "
                "e: tile<[M >> 1], f32>) {}\n"
                "const Z: X<Y<3>>= 4\n");
  ASSERT_EQ(parsed.errors(), "");
  const auto &fn = parsed.item<Fn>();
  const auto &outer = cast<NamedType>(*fn.params[0].type);
  EXPECT_NE(cast<NamedType>(*outer.args[0].type).args[0].expr, nullptr);
  const auto &args = cast<NamedType>(*fn.params[1].type).args;
  ASSERT_EQ(args.size(), 6u);
  EXPECT_EQ(args[0].type->kind, Kind::NamedType);
  EXPECT_EQ(args[1].expr->kind, Kind::IntLit);
  EXPECT_EQ(args[2].expr->kind, Kind::List);
  EXPECT_EQ(args[3].expr->kind, Kind::Binary);
  EXPECT_EQ(args[4].type->kind, Kind::TileType);
  EXPECT_EQ(args[5].type->kind, Kind::OptionalType);
  EXPECT_EQ(fn.params[2].type->kind, Kind::NamedType);
  EXPECT_TRUE(cast<TupleType>(*fn.params[3].type).elements.empty());
}

TEST(Items, KernelParams) {
  Parsed parsed("kernel k(a: in view<[M, 2 * N], T>, b: out view<S, f32>?, c: inout view<[M], "
                "f32>, d: view<[M], i8>,\n"
                "         e: f32?, out: i64, f: tile<[4], f32>) {}\n");
  ASSERT_EQ(parsed.errors(), "");
  const auto &params = parsed.item<Kernel>().params;
  ASSERT_EQ(params.size(), 7u);
  EXPECT_EQ(cast<ViewType>(*params[0].type).mode, ViewMode::In);
  EXPECT_EQ(cast<ViewType>(*params[1].type).mode, ViewMode::Out);
  EXPECT_TRUE(params[1].isOptional);
  EXPECT_EQ(cast<ViewType>(*params[1].type).shape->kind, Kind::Name);
  EXPECT_EQ(cast<ViewType>(*params[2].type).mode, ViewMode::InOut);
  EXPECT_EQ(cast<ViewType>(*params[3].type).mode, ViewMode::Unspecified);
  EXPECT_TRUE(params[4].isOptional);
  EXPECT_EQ(params[4].type->kind, Kind::NamedType);
  EXPECT_EQ(params[5].name.name, "out");
}

TEST(Items, Clauses) {
  Parsed parsed(
      "kernel k()\n where a < b,\n   c\n math fast\n where d\n"
      " reference { let m[i in M, j in 0..N] = i; y[i] = m[i, 0]\n (z, w) = f(m)\n v = 1 }\n"
      " tolerance y[i] <= 1.0 + i, exact <= 2\n{}\n"
      "kernel l() reference y = 1 tolerance exact {}\n");
  ASSERT_EQ(parsed.errors(), "");
  const auto &kernel = parsed.item<Kernel>(0);
  ASSERT_EQ(kernel.clauses.size(), 5u);
  EXPECT_EQ(cast<Where>(*kernel.clauses[0]).conds.size(), 2u);
  EXPECT_EQ(kernel.find<Math>()->mode, MathMode::Fast);
  const auto &refs = kernel.find<Reference>()->refs;
  ASSERT_EQ(refs.size(), 4u);
  EXPECT_EQ(cast<RefLet>(*refs[0]).indices[1].name.name, "j");
  EXPECT_NE(cast<RefLet>(*refs[0]).indices[1].bounds->lo, nullptr);
  EXPECT_EQ(cast<RefOutput>(*refs[1]).indices.size(), 1u);
  EXPECT_EQ(cast<RefTuple>(*refs[2]).names.size(), 2u);
  EXPECT_TRUE(cast<RefOutput>(*refs[3]).indices.empty());
  const auto &bounds = kernel.find<Tolerance>()->bounds;
  ASSERT_EQ(bounds.size(), 2u);
  EXPECT_EQ(bounds[1].name.name, "exact");
  EXPECT_TRUE(parsed.item<Kernel>(1).find<Tolerance>()->isExact);
  EXPECT_FALSE(parsed.item<Kernel>(1).find<Reference>()->isBraced);
}

TEST(Items, TestEntries) {
  Parsed parsed(
      "test k { M in {0, 1}; (E, K) in {(1, 2)}; N in 0..5; L in edges(B); BM in tune\n R = 7\n"
      " x from normal, all(-inf),\n   ints(-1, R - 1)\n order x in {row, col}; cases 40; order in "
      "{1}; cases = 3 }\n");
  ASSERT_EQ(parsed.errors(), "");
  const auto &entries = parsed.item<ast::Test>().entries;
  ASSERT_EQ(entries.size(), 11u);
  EXPECT_TRUE(cast<TestAxis>(*entries[1]).pattern.isTuple);
  EXPECT_EQ(cast<TestAxis>(*entries[2]).set->kind, Kind::Range);
  EXPECT_EQ(cast<TestAxis>(*entries[3]).set->kind, Kind::Edges);
  EXPECT_EQ(cast<TestAxis>(*entries[4]).set, nullptr);
  EXPECT_EQ(cast<TestBind>(*entries[5]).name.name, "R");
  EXPECT_EQ(cast<TestInput>(*entries[6]).generators.size(), 3u);
  EXPECT_EQ(cast<TestOrder>(*entries[7]).name.name, "x");
  EXPECT_EQ(cast<TestCases>(*entries[8]).count->value, 40u);
  EXPECT_EQ(cast<TestAxis>(*entries[9]).pattern.names[0].name, "order");
  EXPECT_EQ(cast<TestBind>(*entries[10]).name.name, "cases");
}

TEST(Items, RawIsVerbatim) {
  std::string schedule =
      "schedule s on sm_80 (A = choose(1, {1, 2})) {\n  let x = op(`mma(_, _)`) @ 3  # note\n}";
  std::string def = "def f(x: op) {\n  return x @ 3\n}";
  Parsed parsed("## about s\n" + schedule + "\n\n" + def + "  # after\nfn f() {}\n");
  ASSERT_EQ(parsed.errors(), "");
  EXPECT_EQ(parsed.item<Raw>(0).text, schedule);
  EXPECT_EQ(parsed.item<Raw>(0).name.name, "s");
  EXPECT_EQ(parsed.item<Raw>(0).doc, "about s");
  EXPECT_EQ(parsed.item<Raw>(1).text, def);
  EXPECT_EQ(parsed.item<Raw>(1).raw, RawKind::Def);
  ASSERT_EQ(parsed.file->comments.size(), 1u);
  EXPECT_EQ(parsed.file->comments[0].text, "# after");
}

TEST(Items, DocsAndComments) {
  Parsed parsed("# plain\n\n## first\n##\n## second\nfn f() {} # behind\n## lost\n");
  ASSERT_EQ(parsed.errors(), "");
  EXPECT_EQ(parsed.item<Fn>().doc, "first\n\nsecond");
  ASSERT_EQ(parsed.file->comments.size(), 3u);
  EXPECT_TRUE(parsed.file->comments[0].ownLine);
  EXPECT_FALSE(parsed.file->comments[1].ownLine);
}

TEST(Items, SoftWordsAreNames) {
  Parsed parsed(inKernel(
      "let test = 1; let tile = test; let view = tile; var order = view; let where = order\n"
      "let tiles = 3; let schedule = tiles; let reversed = 2; let out = 1; let edges = f(tiles)"));
  EXPECT_EQ(parsed.errors(), "");
}
