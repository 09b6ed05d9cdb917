// Functions, generics, structs and builtins in the IR.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FrontendTesting.h"

namespace tessera::testing {
namespace {

TEST(Call, FunctionsAreInlinedWithTheirCallSite) {
  SourceManager sources;
  DiagnosticEngine engine(sources);
  std::string text = bodyText("    y[0, 0] = f(s)", "fn f(a: f32) -> f32 { exp(a) }");
  std::unique_ptr<Program> program = Program::loadBuffer(text, "t.tile", engine);
  ASSERT_NE(program, nullptr);
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  mlir::OwningOpRef<mlir::ModuleOp> module = program->instantiate("k", {}, context);
  ASSERT_TRUE(module);
  std::string found;
  module->walk([&](mlir::Operation *op) {
    if (op->getName().getStringRef() == "tile.exp") {
      llvm::raw_string_ostream(found) << op->getLoc();
    }
  });
  EXPECT_EQ(found, "loc(callsite(\"t.tile\":4:23 to :29 at \"t.tile\":2:15 to :19))");
}

TEST(Call, GenericsTakeTheArgumentsTypes) {
  Outcome o = compileBody(inGrid("let u = twice(t) + (twice(b[r, :]) as f32)[:, 0..8] + twice(s)"),
                          "fn twice<S: shape, F: float>(v: tile<S, F>) -> tile<S, F> { v + v }");
  ASSERT_TRUE(o.ok()) << o.rendered;
  EXPECT_THAT(o.ir, ::testing::ContainsRegex("tile.add %([0-9]+), %[0-9]+ : tensor<4x8xf32>"));
  EXPECT_THAT(o.ir, HasSubstr(": tensor<4x64xbf16>"));
  EXPECT_THAT(o.ir, HasSubstr("tile.add %s, %s : f32"));
}

TEST(Call, FreeShapeNamesAreBound) {
  Outcome o = compileBody(inGrid("let u = pad(t)\n    let v = u + zeros(f32, [4, 16])"),
                          "fn pad(v: tile<[R, C], f32>) -> tile<[R, 2 * C], f32> { cat(v, "
                          "zeros(f32, [R, C]), axis = 1) }");
  ASSERT_TRUE(o.ok()) << o.rendered;
  EXPECT_THAT(o.ir, HasSubstr("to tensor<4x16xf32>"));
}

TEST(Call, WildAxesStayWild) {
  Outcome o = compileBody(inGrid("let u = t * same(max(t, axis = 1, keep = true))"),
                          "fn same(v: tile<[R, C], f32>) -> tile<[R, C], f32> { v + 0.0 }");
  EXPECT_TRUE(o.ok()) << o.rendered;
  o = compileBody(inGrid("let u = t * same(max(t, axis = 1, keep = true))"),
                  "fn same(v: tile<[R, _], f32>) -> tile<[R, _], f32> { v + 0.0 }");
  EXPECT_TRUE(o.ok()) << o.rendered;
}

TEST(Call, LiteralsFollowTypedArguments) {
  Outcome o = compileBody("    y[0, 0] = f(1.0, b[0, 0]) as f32",
                          "fn f<F: float>(a: F, c: F) -> F { a + c }");
  ASSERT_TRUE(o.ok()) << o.rendered;
  EXPECT_THAT(o.ir, HasSubstr("tile.constant 1.000000e+00 : bf16"));
}

TEST(Call, NamedDefaultAndConstArguments) {
  const char *items = "enum Act { none, relu }\n"
                      "fn f(a: f32, by: f32 = 2.0, const act: Act = none) -> f32 { match act { "
                      "none => a * by, relu => max(a, 0.0) } }";
  Outcome o =
      compileBody("    y[0, 0] = f(s) + f(s, act = relu) + f(s, 3.0) + f(by = 4.0, a = s)", items);
  ASSERT_TRUE(o.ok()) << o.rendered;
  for (const char *part : {"tile.constant 2.000000e+00", "tile.constant 3.000000e+00",
                           "tile.constant 4.000000e+00", "tile.max"}) {
    EXPECT_THAT(o.ir, HasSubstr(part));
  }
}

TEST(Call, InOutAssignsBack) {
  Outcome o = compileBody("    var n = 1\n    let u = bump(n)\n    let v = bump(n, by = 5)\n    "
                          "y[0, 0] = (n * 100 + u * 10 + v) as f32",
                          "fn bump(inout c: i64, by: i64 = 2) -> i64 { c = c + by\n c }");
  ASSERT_TRUE(o.ok()) << o.rendered;
  EXPECT_THAT(o.ir, HasSubstr("tile.constant 8.380000e+02 : f32"));
}

TEST(Call, OptionalArguments) {
  const char *text =
      "fn f(a: f32, lim: f32?) -> f32 { if some(lim) { min(a, lim) } else { a } }\n"
      "kernel k(x: in view<[M], f32>, w: in view<[M], f32>?, lim: f32?, y: out view<[M], f32>) {\n"
      "    grid r in M\n    let a = f(x[r], lim) + (w[r] ?? 2.0)\n    y[r] = a + f(a, missing)\n}";
  Settings with, without;
  with.values = {{"w", "present"}, {"lim", "present"}};
  without.values = {{"w", "missing"}, {"lim", "missing"}};
  Outcome o = compile(text, with, "k");
  ASSERT_TRUE(o.ok()) << o.rendered;
  EXPECT_THAT(o.ir, HasSubstr("tile.min"));
  EXPECT_THAT(o.ir, HasSubstr("tile.fill_absent"));
  o = compile(text, without, "k");
  ASSERT_TRUE(o.ok()) << o.rendered;
  EXPECT_THAT(o.ir, Not(HasSubstr("tile.min")));
  EXPECT_THAT(o.ir, HasSubstr("missing = [\"w\", \"lim\"]"));
  EXPECT_THAT(o.ir, HasSubstr("tile.constant 2.000000e+00 : f32"));
  EXPECT_THAT(o.ir, Not(HasSubstr("%w")));
}

TEST(Call, AMissingViewGivesAbsentElements) {
  const char *text =
      "kernel k(x: in view<[M], f32>, w: in view<[R, 4], f32>?, y: out view<[M], f32>) {\n"
      "    grid r in tiles(M, 8)\n    y[r] = x[r] + sum(w[r, :], axis = 1)\n}";
  Settings settings;
  settings.values = {{"w", "missing"}};
  Outcome o = compile(text, settings);
  ASSERT_TRUE(o.ok()) << o.rendered;
  EXPECT_THAT(o.ir, HasSubstr("tile.absent : tensor<8x4xf32>"));
  // An extent of a missing view does not exist.
  EXPECT_THAT(o.ir, Not(HasSubstr("\"R\"")));
}

TEST(Call, MethodsAndFields) {
  const char *items = "struct Acc<const R: i64> {\n    v: tile<[R], f32> = 0.0, n: i64 = 0\n"
                      "    fn add(inout self, t: tile<[R, C], f32>) -> tile<[R, C], f32> { self.v "
                      "= self.v + sum(t, axis = 1)\n"
                      "        self.n = self.n + C\n        t * 2.0 }\n    fn mean(self) -> "
                      "tile<[R], f32> { self.v / (self.n as f32) }\n}";
  Outcome o = compileBody(
      inGrid("var a = Acc(R = 4)\n    let u = a.add(t)\n    let w = a.add(u)\n    let e = "
             "a.mean()[:, _] + a.v[:, _]\n"
             "    let c = Acc(v = a.v)\n    let k2 = zeros(f32, [c.R])\n    let g: Acc<4> = c"),
      items);
  ASSERT_TRUE(o.ok()) << o.rendered;
  EXPECT_THAT(o.ir, HasSubstr("tile.constant 1.600000e+01 : f32"));
}

TEST(Call, BuiltinsOfTheElementwiseTable) {
  Outcome o = compileBody(inGrid(
      "let a = fma(t, t, t) + copysign(t, -t) + clamp(t, 0.0, 1.0) + pow(t, 2.0, accuracy = fast)\n"
      "    let c = min_num(t, 0.0) + t.exp() + rsqrt(t, accuracy = fast) + floor(t)\n"
      "    let d = mulhi(i[r], i[r]) + clz(i[r]) + div_trunc(i[r], 3) + (i[r] << 2) + (not i[r])\n"
      "    let e = isfinite(t) and isnan(t) or isinf(t)"));
  ASSERT_TRUE(o.ok()) << o.rendered;
  for (const char *op :
       {"tile.fma", "tile.copysign", "tile.clamp", "tile.pow", "tile.min_num", "tile.exp",
        "tile.rsqrt", "#tile.accuracy<fast>", "tile.floor", "tile.mulhi", "tile.clz",
        "tile.div_trunc", "tile.shl", "tile.not", "tile.isfinite", "tile.isnan", "tile.isinf"}) {
    EXPECT_THAT(o.ir, HasSubstr(op));
  }
}

TEST(Call, BuiltinsOverAxes) {
  Outcome o = compileBody(inGrid(
      "let (v, j) = argmax(t, axis = -1)\n    let (w, l) = argmin(t, axis = 0)\n    let (p, n) = "
      "topk(t, 3, axis = 1)\n"
      "    let a = cumsum(t, axis = 1, reverse = true, exclusive = true) + cumprod(t, axis = 0) + "
      "cummax(t, axis = 1)\n"
      "    let c = scan(t, kind = min, axis = 1) + prod(t, axis = 1, keep = true, order = any)\n"
      "    let d = any(t > 0.0, axis = 1)\n    let e = all(d) and (count(d) > 2)\n    let f = "
      "absmax(t, axis = 1) + max_num(t, axis = 1)\n"
      "    let g = histogram(i[r], 16)\n    let h = bit_xor(i[r]) + bit_and(i[r], axis = 0)\n    "
      "let m = sum(b[r, :], axis = 1)\n"
      "    let z = t.sum(axis = 1)"));
  ASSERT_TRUE(o.ok()) << o.rendered;
  for (const char *op :
       {"tile.argmax", "tile.argmin", "tile.topk 3", "tile.scan sum", "reverse", "exclusive",
        "tile.scan prod", "tile.scan max", "tile.scan min", "tile.reduce prod",
        "#tile.reduce_order<any>", "tile.reduce any", "tile.reduce all", "tile.reduce count",
        "tile.reduce absmax", "tile.reduce max_num", "tile.histogram", "tile.reduce xor",
        "tensor<4x64xbf16> -> tensor<4xf32>"}) {
    EXPECT_THAT(o.ir, HasSubstr(op));
  }
}

TEST(Call, BuiltinsThatMove) {
  Outcome o = compileBody(inGrid("let a = reshape(t, [8, 4]) + permute(t, [1, 0]) + t.T\n    let c "
                                 "= expand(t, [0, 3])\n    let d = squeeze(c, [0, 3])\n"
                                 "    let e = cat(t, t, axis = 0)\n    let f = flip(t, axis = 1) + "
                                 "broadcast(s, [4, 8]) + full(f32, [4, 8], 2)\n"
                                 "    let g = iota(8)\n    let h = from_bits(f32, bits(t) xor 1)\n "
                                 "   let w = select(t > 0.0, t, 0.0)\n    let q2 = splat(s, [4])"));
  ASSERT_TRUE(o.ok()) << o.rendered;
  for (const char *op :
       {"tile.reshape", "tile.permute", "tile.expand", "tile.squeeze", "tile.cat", "tile.flip",
        "tile.splat", "tile.iota", "tile.bits", "tile.from_bits", "tile.select"}) {
    EXPECT_THAT(o.ir, HasSubstr(op));
  }
}

TEST(Call, ProductsAndRandomNumbers) {
  Outcome o = compileBody(inGrid(
      "let m = mma(b[r, :], b[r, :].T)\n    let n = mma(t, t.T, m, precision = tf32x3)\n    let p "
      "= mma(t as f64, t.T as f64)\n"
      "    let (w0, w1, w2, w3) = philox(7, 0, r.index)\n    let u = uniform(7, 1, r.index)"));
  ASSERT_TRUE(o.ok()) << o.rendered;
  EXPECT_THAT(o.ir, HasSubstr("tensor<4x64xbf16>, tensor<64x4xbf16>, tensor<4x4xf32>"));
  EXPECT_THAT(o.ir, HasSubstr("#tile.mma_precision<tf32x3>"));
  EXPECT_THAT(o.ir, HasSubstr("tensor<4x4xf64>"));
  EXPECT_THAT(o.ir, HasSubstr("tile.philox"));
  EXPECT_THAT(o.ir, HasSubstr("tensor<4xui32> to tensor<4xf32>"));
}

TEST(Call, FunctionsAsRegions) {
  Outcome o = compileBody(inGrid("let a = reduce_with(t, plus, 0.0, axis = 1)\n    let c = "
                                 "scan_with(t, plus, identity = 0.0, axis = 0, reverse = true)"),
                          "fn plus(a: f32, c: f32) -> f32 { a + c }");
  ASSERT_TRUE(o.ok()) << o.rendered;
  EXPECT_THAT(o.ir, HasSubstr("tile.reduce_with"));
  EXPECT_THAT(o.ir, HasSubstr("tile.scan_with"));
}

TEST(Call, NestingIsLimited) {
  std::string items = "fn h70(a: f32) -> f32 { a }\n";
  for (int k = 0; k < 70; ++k) {
    std::string name = "h" + std::to_string(k);
    items += "fn " + name + "(a: f32) -> f32 { h" + std::to_string(k + 1) + "(a) }\n";
  }
  Outcome o = compileBody("    y[0, 0] = h0(s)", items);
  EXPECT_EQ(only(o), "T0415 68:25 more than 64 nested calls");
  EXPECT_EQ(help(o), "call fewer functions inside each other");
  EXPECT_THAT(o.rendered, HasSubstr("note: and 56 more calls"));
}

TEST(Call, UnrollingIsLimited) {
  Outcome o = compileBody("    var n = 0\n    for j in static 0..4000 { for k in static 0..4000 { "
                          "n = n + 1 } }\n    y[0, 0] = n as f32");
  EXPECT_THAT(only(o), HasSubstr("T0415"));
  EXPECT_THAT(only(o), HasSubstr("more than 1000000 expressions"));
}

} // namespace
} // namespace tessera::testing
