// Kernels from files of IR.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RunnerTest.h"

using namespace tessera;
using namespace tessera::testing;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

namespace {
const char *const twice =
    R"(tile.kernel @twice[%N "N"](%x "x": !tile.view<?xf32, in> shape ()[s0] -> (s0),
    %y "y": !tile.view<?xf32, out> shape ()[s0] -> (s0))
where {
  %c8 = tile.constant 8 : i64
  %ok = tile.cmp le, %N, %c8 : i64
  tile.require %ok, "N <= 8"
} body {
  %c0 = tile.constant 0 : i64
  tile.grid (%r = tiles(%c0 to %N by 4)) {
    %t = tile.load %x[%r] : !tile.view<?xf32, in>, !tile.span<4> -> tensor<4xf32>
    %s = tile.add %t, %t : tensor<4xf32>
    tile.store %s, %y[%r] : tensor<4xf32>, !tile.view<?xf32, out>, !tile.span<4>
  }
} reference ["y"] {
  %c0 = tile.constant 0 : i64
  %two = tile.constant 2.0 : f64
  %r = tile.map (%i in %c0 to %N) -> tensor<?xf64> {
    %e = tile.at %x[%i] : !tile.view<?xf32, in> -> f32
    %w = tile.cast %e : f32 to f64
    %p = tile.mul %w, %two : f64
    tile.yield %p : f64
  }
  tile.yield %r : tensor<?xf64>
} tolerance ["y"] (%r: tensor<?xf64>) {
  %c0 = tile.constant 0 : i64
  %eps = tile.constant 1.0e-6 : f64
  %b = tile.map (%i in %c0 to %N) -> tensor<?xf64> {
    tile.yield %eps : f64
  }
  tile.yield %b : tensor<?xf64>
}
)";

class IRTest : public RunnerTest {};

std::string replaced(std::string text, const std::string &old, const std::string &by) {
  size_t at = text.find(old);
  EXPECT_NE(at, std::string::npos);
  return text.replace(at, old.size(), by);
}
} // namespace

TEST_F(IRTest, RunsAndChecks) {
  std::string x = array<float>("x.npy", DType::f32, {5}, {1, 2, 3, 4, 5});
  Outcome outcome =
      run({file("k.mlir", twice), "--in", "x=" + x, "--out", "y=" + path("y.npy"), "--check"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(values<float>("y.npy", DType::f32), ElementsAre(2, 4, 6, 8, 10));
  EXPECT_THAT(outcome.out, HasSubstr("y in f64: 5 elements compared"));
}

// Verifies op by op, but is no kernel: the boundary pass would refuse it.
TEST_F(IRTest, RulesOfKernels) {
  std::string x = array<float>("x.npy", DType::f32, {5}, {1, 2, 3, 4, 5});
  std::string wrong =
      file("k.mlir", "tile.kernel @k[%N \"N\"](%p \"p\": i1) where {\n"
                     "  %0 = tile.fold any %i in (%N to %N) -> i1 { tile.yield %p : i1 }\n"
                     "  tile.require %0, \"p\"\n}\n");
  Outcome outcome = run({wrong, "--in", "p=true", "--set", "N=3"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.err,
              HasSubstr("k.mlir:2:8: error[T0932]: expected no `tile.fold` in `where`: a launch is "
                        "checked by scalars alone"));
}

TEST_F(IRTest, WrongBody) {
  std::string x = array<float>("x.npy", DType::f32, {5}, {1, 2, 3, 4, 5});
  std::string wrong = file("k.mlir", replaced(twice, "%s = tile.add", "%s = tile.mul"));
  Outcome outcome = run({wrong, "--in", "x=" + x, "--check"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(
      outcome.err,
      HasSubstr(
          "k.mlir:12:5: error[T0861]: `y`: outside the tolerance: 4 of 5 elements are wrong"));
}

TEST_F(IRTest, Where) {
  std::string x = array<float>("x.npy", DType::f32, {9}, {1, 2, 3, 4, 5, 6, 7, 8, 9});
  EXPECT_THAT(
      run({file("k.mlir", twice), "--in", "x=" + x}).err,
      HasSubstr(
          "k.mlir:6:3: error[T0946]: the launch does not satisfy `where`: `N <= 8` is false"));
  std::string absent =
      file("a.mlir", replaced(twice, "%ok = tile.cmp le, %N, %c8 : i64", "%ok = tile.absent : i1"));
  EXPECT_THAT(run({absent, "--in", "x=" + x}).err,
              HasSubstr("error[T0947]: the launch does not satisfy `where`: `N <= 8` is absent"));
}

TEST_F(IRTest, OutputWithoutReference) {
  std::string x = array<float>("x.npy", DType::f32, {1}, {1});
  std::string other =
      file("k.mlir", replaced(replaced(twice, "reference [\"y\"]", "reference [\"z\"]"),
                              twice + std::string(twice).find("} tolerance"), "}\n"));
  EXPECT_THAT(run({other, "--in", "x=" + x, "--check"}).err,
              HasSubstr("error[T0950]: output `y` has no reference"));
}

TEST_F(IRTest, SyntaxAndRules) {
  Outcome syntax = run({file("k.mlir", "tile.kernel @f[\n")});
  EXPECT_EQ(syntax.status, 1);
  EXPECT_THAT(syntax.err, HasSubstr("k.mlir:"));
  EXPECT_THAT(syntax.err, HasSubstr("error[T0932]: "));
  std::string rule =
      file("r.mlir", replaced(twice, "shape ()[s0] -> (s0)", "shape ()[s0] -> (s0, s0)"));
  EXPECT_THAT(run({rule}).err, HasSubstr("error[T0932]: 'tile.kernel' op"));
  EXPECT_THAT(run({file("n.mlir", "module {}\n")}).err, HasSubstr("error[T0933]"));
  EXPECT_THAT(run({file("t.mlir", twice), "--test"}).out, HasSubstr("error[T0951]"));
}
