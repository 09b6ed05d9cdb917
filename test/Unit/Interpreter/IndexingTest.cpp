// Loads: spans, whole axes, scalars, gathers, and every way in which an index can be wrong.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "InterpreterTesting.h"

using namespace tessera;
using namespace tessera::interptest;

namespace {
/// Loads from a 3x4 matrix 0 … 11 with `body` defining %r of type `type` (an 8-element store of it follows).
struct Loaded {
  RunReport report;
  Values values, present;
};
Loaded load(const std::string &type, const std::string &body, ArrayOrder order = ArrayOrder::row) {
  Values elements;
  for (int i = 0; i < 12; ++i) {
    elements.push_back(i);
  }
  Extents shape;
  llvm::SmallVector<llvm::StringRef> parts;
  llvm::StringRef(type).split(parts, 'x');
  std::string whole, flags;
  for (llvm::StringRef part : llvm::ArrayRef(parts).drop_back()) {
    shape.push_back(std::stoll(part.str()));
    whole += whole.empty() ? ":" : ", :";
    flags += part.str() + "x";
  }
  HostArray y = outputOf(DType::f32, shape), p = outputOf(DType::i1, shape);
  TestKernel kernel;
  kernel.in("x", "?x?xf32", arrayOf(DType::f32, {3, 4}, elements, order))
      .out("y", type, y)
      .out("p", flags + "i1", p);
  std::string t = "tensor<" + type + ">";
  Loaded loaded{kernel.run(body + "\n%z = tile.constant -1.0 : f32 " + t +
                           "\n%w = tile.fill_absent %r, %z : " + t + "\ntile.store %w, %y[" +
                           whole + "] : " + t + ", !tile.view<" + type +
                           ", out>\n%f = tile.present %r : " + t + "\ntile.store %f, %p[" + whole +
                           "] : tensor<" + flags + "i1>, !tile.view<" + flags + "i1, out>"),
                {},
                {}};
  if (loaded.report.succeeded()) {
    loaded.values = valuesOf(y);
    loaded.present = valuesOf(p);
  }
  return loaded;
}
std::string constant(const std::string &name, int64_t value) {
  return "%" + name + " = tile.constant " + std::to_string(value) + " : i64\n";
}
std::string span(const std::string &name, int64_t start, int64_t limit, int64_t width) {
  return constant(name + "lo", start) + constant(name + "hi", limit) + "%" + name +
         " = tile.span %" + name + "lo, %" + name + "hi : !tile.span<" + std::to_string(width) +
         ">\n";
}
const std::string twoSpans = "%r = tile.load %x[%a, %b] : !tile.view<?x?xf32, in>, !tile.span<2>, "
                             "!tile.span<3> -> tensor<2x3xf32>";
} // namespace

TEST(Indexing, SpansInEveryLayout) {
  for (ArrayOrder order : {ArrayOrder::row, ArrayOrder::col, ArrayOrder::padded, ArrayOrder::offset,
                           ArrayOrder::huge}) {
    Loaded l = load("2x3xf32", span("a", 1, 3, 2) + span("b", 0, 4, 3) + twoSpans, order);
    EXPECT_SAME(l.values, ({4, 5, 6, 8, 9, 10})) << arrayOrderName(order).str();
    l = load("2x3xf32", span("a", 2, 3, 2) + span("b", 2, 4, 3) + twoSpans, order);
    EXPECT_SAME(l.values, ({10, 11, -1, -1, -1, -1})) << arrayOrderName(order).str();
    EXPECT_SAME(l.present, ({1, 1, 0, 0, 0, 0}));
  }
}

TEST(Indexing, SpansAddOneFactorPerAxis) {
  // A sum along axis 1 finds terms in present rows and leaves absent rows absent.
  Loaded l =
      load("2xf32", span("a", 2, 3, 2) + span("b", 2, 4, 3) +
                        "%t = tile.load %x[%a, %b] : !tile.view<?x?xf32, in>, !tile.span<2>, "
                        "!tile.span<3> -> tensor<2x3xf32>\n"
                        "%r = tile.reduce sum %t along 1 : tensor<2x3xf32> -> tensor<2xf32>");
  EXPECT_SAME(l.values, ({21, -1}));
}

TEST(Indexing, EmptySpansTouchNothing) {
  for (auto [start, limit] : {std::pair<int64_t, int64_t>{3, 3},
                              {100, 4},
                              {-50, -60},
                              {INT64_MIN, INT64_MIN},
                              {INT64_MAX, 3}}) {
    Loaded l = load("2x3xf32", span("a", start, limit, 2) + span("b", 0, 4, 3) + twoSpans);
    EXPECT_TRUE(l.report.succeeded()) << explain(l.report);
    EXPECT_SAME(l.present, ({0, 0, 0, 0, 0, 0}));
  }
}

TEST(Indexing, ScalarsDropTheirAxis) {
  Loaded l = load("3xf32", constant("i", 2) + span("b", 1, 4, 3) +
                               "%r = tile.load %x[%i, %b] : !tile.view<?x?xf32, in>, i64, "
                               "!tile.span<3> -> tensor<3xf32>");
  EXPECT_SAME(l.values, ({9, 10, 11}));
  l = load("1xf32", constant("i", 1) + constant("j", 3) +
                        "%s = tile.load %x[%i, %j] : !tile.view<?x?xf32, in>, i64, i64 -> f32\n"
                        "%r = tile.splat %s : f32 to tensor<1xf32>");
  EXPECT_SAME(l.values, ({7}));
}

TEST(Indexing, GathersTakeTheTilesAxes) {
  std::string gather = R"(
    %c = tile.constant 2 : i64 tensor<2x2xi64>
    %i = tile.iota : tensor<4xi64>
    %q = tile.reshape %i : tensor<4xi64> to tensor<2x2xi64>
    %k = tile.mod %q, %c : tensor<2x2xi64>
    %r = tile.load %x[%k, %j] : !tile.view<?x?xf32, in>, tensor<2x2xi64>, i64 -> tensor<2x2xf32>)";
  Loaded l = load("2x2xf32", constant("j", 1) + gather);
  EXPECT_SAME(l.values, ({1, 5, 1, 5}));
  // Absent indices give absent elements, whatever number they hold.
  l = load("3x2xf32", R"(
    %i = tile.iota : tensor<3xi64>
    %m = tile.constant 1000 : i64 tensor<3xi64>
    %n = tile.mul %i, %m : tensor<3xi64>
    %zero = tile.constant 0 : i64 tensor<3xi64>
    %c = tile.cmp eq, %i, %zero : tensor<3xi64>
    %k = tile.keep_if %n, %c over [0] : tensor<3xi64>, tensor<3xi1>
)" + span("b", 1, 3, 2) +
                          "%r = tile.load %x[%k, %b] : !tile.view<?x?xf32, in>, tensor<3xi64>, "
                          "!tile.span<2> -> tensor<3x2xf32>");
  EXPECT_SAME(l.values, ({1, 2, -1, -1, -1, -1}));
}

TEST(Indexing, GathersByEveryIntegerType) {
  for (const char *type : {"i8", "i16", "i32", "i64", "ui8", "ui16", "ui32", "ui64"}) {
    std::string t = type;
    Loaded l =
        load("2xf32", constant("j", 3) + "%k = tile.constant 2 : " + t + " tensor<2x" + t +
                          ">\n%r = tile.load %x[%k, %j] : !tile.view<?x?xf32, in>, tensor<2x" + t +
                          ">, i64 -> tensor<2xf32>");
    EXPECT_SAME(l.values, ({11, 11})) << type;
  }
}

namespace {
void expectRefused(const Loaded &loaded, const std::string &code, const std::string &part) {
  ASSERT_EQ(codes(loaded.report.errors), std::vector<std::string>{code});
  EXPECT_NE(loaded.report.errors[0].message.find(part), std::string::npos)
      << loaded.report.errors[0].message;
}
} // namespace

TEST(Indexing, OutOfRangeIsAnError) {
  std::string scalar = "%s = tile.load %x[%i, %j] : !tile.view<?x?xf32, in>, i64, i64 -> f32\n"
                       "%r = tile.splat %s : f32 to tensor<1xf32>";
  expectRefused(load("1xf32", constant("i", 3) + constant("j", 0) + scalar), "T0870",
                "index 3 of axis 0");
  expectRefused(load("1xf32", constant("i", 0) + constant("j", -1) + scalar), "T0870",
                "index -1 of axis 1");
  expectRefused(load("1xf32", constant("i", INT64_MAX) + constant("j", 0) + scalar), "T0870",
                "expected 0 <= index < 3");
  expectRefused(load("2x3xf32", span("a", 2, 4, 2) + span("b", 0, 4, 3) + twoSpans), "T0871",
                "span 2..4 of axis 0");
  expectRefused(load("2x3xf32", span("a", -1, 3, 2) + span("b", 0, 4, 3) + twoSpans), "T0871",
                "span -1..1");
  std::string gather =
      "%r = tile.load %x[%k, %j] : !tile.view<?x?xf32, in>, tensor<2xui64>, i64 -> tensor<2xf32>";
  expectRefused(
      load("2xf32", constant("j", 0) +
                        "%k = tile.constant 18446744073709551615 : ui64 tensor<2xui64>\n" + gather),
      "T0870", "axis 0");
  expectRefused(load("1xf32", "%i = tile.absent : i64\n" + constant("j", 0) + scalar), "T0872",
                "an index is absent");
}

TEST(Indexing, SpanValues) {
  Evaluated r = evaluate({{"a", "i64", {5}}, {"b", "i64", {7}}}, "4xi64", R"(
    %s = tile.span %a, %b : !tile.span<4>
    %r = tile.span_index %s : !tile.span<4> -> tensor<4xi64>)");
  EXPECT_SAME(r.values, ({5, 6, 0, 0}));
  EXPECT_EQ(r.present, (std::vector<int>{1, 1, 0, 0}));
  EXPECT_SAME(evaluate({{"a", "i64", {5}}, {"b", "i64", {7}}}, "i64", R"(
    %s = tile.span %a, %b : !tile.span<4>
    %r = tile.span_stop %s : !tile.span<4>)")
                  .values,
              ({7}));
  EXPECT_SAME(evaluate({{"a", "i64", {5}}, {"b", "i64", {70}}}, "i64", R"(
    %s = tile.span %a, %b : !tile.span<4>
    %r = tile.span_stop %s : !tile.span<4>)")
                  .values,
              ({9}));
  EXPECT_SAME(evaluate({{"a", "i64", {5}}, {"b", "i64", {2}}}, "i64", R"(
    %s = tile.span %a, %b : !tile.span<4>
    %t = tile.span_stop %s : !tile.span<4>
    %u = tile.span_start %s : !tile.span<4>
    %r = tile.sub %u, %t : i64)")
                  .values,
              ({3}));
}

TEST(Indexing, ExactSpansMustFit) {
  std::string body = R"(
    %s = tile.span %a, %b exact : !tile.span<4>
    %r = tile.span_stop %s : !tile.span<4>)";
  EXPECT_SAME(evaluate({{"a", "i64", {0}}, {"b", "i64", {4}}}, "i64", body).values, ({4}));
  Evaluated r = evaluate({{"a", "i64", {0}}, {"b", "i64", {5}}}, "i64", body, /*mayFail=*/true);
  ASSERT_EQ(codes(r.report.errors), std::vector<std::string>{"T0880"});
  EXPECT_NE(r.report.errors[0].message.find("at least 5"), std::string::npos);
  r = evaluate({}, "i64", R"(
    %a = tile.constant -9223372036854775808 : i64
    %b = tile.constant 9223372036854775807 : i64
    %s = tile.span %a, %b exact : !tile.span<4>
    %r = tile.span_stop %s : !tile.span<4>)",
               /*mayFail=*/true);
  EXPECT_EQ(codes(r.report.errors), std::vector<std::string>{"T0880"});
  r = evaluate({{"b", "i64", {5}}}, "i64", R"(
    %a = tile.absent : i64
    %s = tile.span %a, %b : !tile.span<4>
    %r = tile.span_stop %s : !tile.span<4>)",
               /*mayFail=*/true);
  EXPECT_EQ(codes(r.report.errors), std::vector<std::string>{"T0872"});
}
