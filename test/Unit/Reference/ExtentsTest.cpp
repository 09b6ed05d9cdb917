// Extents from shapes: bare names, linear forms, products, quotients, contradictions, and random systems.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tessera/Reference/Extents.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include "tessera/Host/HostError.h"

#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/MLIRContext.h"

#include <random>

using namespace tessera;

using ::testing::ElementsAre;
using ::testing::HasSubstr;

namespace {
class ExtentsTest : public ::testing::Test {
protected:
  mlir::AffineExpr s(unsigned i) { return mlir::getAffineSymbolExpr(i, &context); }
  mlir::AffineExpr c(int64_t value) { return mlir::getAffineConstantExpr(value, &context); }
  LaunchShapes launch(std::vector<std::string> extents) {
    return {"k", std::move(extents), {}, {}, mlir::UnknownLoc::get(&context)};
  }
  void view(LaunchShapes &to, const std::string &name, llvm::ArrayRef<mlir::AffineExpr> axes,
            std::optional<IndexVector> actual) {
    to.views.push_back(
        {name, mlir::AffineMap::get(0, to.extents.size(), axes, &context), std::move(actual)});
  }
  static std::string error(const LaunchShapes &shapes) {
    llvm::Expected<std::vector<int64_t>> result = solveExtents(shapes);
    return result ? "no error" : llvm::toString(result.takeError());
  }
  static std::vector<int64_t> solve(const LaunchShapes &shapes) {
    llvm::Expected<std::vector<int64_t>> result = solveExtents(shapes);
    if (!result) {
      ADD_FAILURE() << llvm::toString(result.takeError());
      return {};
    }
    return *result;
  }

  mlir::MLIRContext context;
};
} // namespace

TEST_F(ExtentsTest, BareNamesAndOutputs) {
  LaunchShapes shapes = launch({"M", "N"});
  view(shapes, "x", {s(0), s(1)}, IndexVector{7, 0});
  view(shapes, "y", {s(1)}, std::nullopt);
  EXPECT_THAT(solve(shapes), ElementsAre(7, 0));
}

TEST_F(ExtentsTest, LinearForms) {
  LaunchShapes shapes = launch({"T", "H", "G"});
  view(shapes, "x", {s(0), 2 * s(1)}, IndexVector{3, 14});
  view(shapes, "y", {s(1) + s(2) - 1}, IndexVector{9});
  EXPECT_THAT(solve(shapes), ElementsAre(3, 7, 3));
}

TEST_F(ExtentsTest, BareNamesComeFirst) {
  // `2 * H` alone would give 4; the bare name says 3, so the other is the contradiction.
  LaunchShapes shapes = launch({"H"});
  view(shapes, "x", {2 * s(0)}, IndexVector{8});
  view(shapes, "y", {s(0)}, IndexVector{3});
  EXPECT_EQ(
      error(shapes),
      "T0910: axis 0 of `x` has extent 8, expected 2 * H = 6; H = 3 comes from axis 0 of `y`; give "
      "arguments that agree");
}

TEST_F(ExtentsTest, Products) {
  LaunchShapes shapes = launch({"A", "B"});
  view(shapes, "x", {s(0) * s(1)}, IndexVector{12});
  EXPECT_EQ(error(shapes), "T0913: no argument gives the extents `A`, `B`; give `--set A=…,B=…`");
  shapes.given["B"] = 3;
  EXPECT_THAT(solve(shapes), ElementsAre(4, 3));
  shapes.given["B"] = 5;
  EXPECT_THAT(
      error(shapes),
      HasSubstr(
          "T0911: axis 0 of `x` has extent 12, expected a value of A * B: no whole number A"));
  shapes.given["B"] = 0;
  EXPECT_THAT(error(shapes), HasSubstr("T0913: no argument gives the extent `A`"));
}

TEST_F(ExtentsTest, QuotientsAreChecked) {
  LaunchShapes shapes = launch({"H"});
  view(shapes, "y", {s(0).floorDiv(32)}, IndexVector{3});
  EXPECT_THAT(error(shapes), HasSubstr("T0913"));
  view(shapes, "x", {s(0)}, IndexVector{100});
  EXPECT_THAT(solve(shapes), ElementsAre(100));
  shapes.views[0].actual = IndexVector{4};
  EXPECT_THAT(error(shapes), HasSubstr("T0910: axis 0 of `y` has extent 4, expected H // 32 = 3"));
}

TEST_F(ExtentsTest, Constants) {
  LaunchShapes shapes = launch({});
  view(shapes, "x", {c(128)}, IndexVector{127});
  EXPECT_EQ(error(shapes),
            "T0910: axis 0 of `x` has extent 127, expected 128; give `x` this extent");
}

TEST_F(ExtentsTest, Contradiction) {
  LaunchShapes shapes = launch({"M", "K"});
  view(shapes, "a", {s(0), s(1)}, IndexVector{4, 5});
  view(shapes, "b", {s(1)}, IndexVector{6});
  EXPECT_THAT(
      error(shapes),
      HasSubstr("axis 0 of `b` has extent 6, expected K = 5; K = 5 comes from axis 1 of `a`"));
  shapes.given["K"] = 6;
  EXPECT_THAT(error(shapes),
              HasSubstr("axis 1 of `a` has extent 5, expected K = 6; K = 6 comes from `--set`"));
}

TEST_F(ExtentsTest, RankNegativeUnknown) {
  LaunchShapes shapes = launch({"N"});
  view(shapes, "x", {s(0) + 4}, IndexVector{3});
  EXPECT_THAT(error(shapes),
              HasSubstr("T0912: axis 0 of `x` has extent 3, so N would be -1, expected 0 or more"));
  shapes.views[0].actual = IndexVector{3, 3};
  EXPECT_THAT(error(shapes), HasSubstr("T0914: `x` has 2 axes, expected 1"));
  shapes.given["Q"] = 1;
  EXPECT_THAT(error(shapes), HasSubstr("T0916: kernel `k` has no extent `Q`; its extents are N"));
  shapes.given = {{"N", -2}};
  EXPECT_THAT(error(shapes), HasSubstr("T0919: extent `N` is set to -2, expected 0 or more"));
}

TEST_F(ExtentsTest, ShapesOfOutputs) {
  LaunchShapes shapes = launch({"N"});
  view(shapes, "y", {s(0) - 2, c(3)}, std::nullopt);
  auto shape = [&](int64_t n, DType dtype) {
    llvm::Expected<IndexVector> result =
        shapeOf(shapes.views[0], shapes.extents, {n}, dtype, shapes.where);
    return result ? joinNumbers(*result) : llvm::toString(result.takeError());
  };
  EXPECT_EQ(shape(7, DType::f32), "5, 3");
  EXPECT_THAT(shape(1, DType::f32), HasSubstr("T0912: axis 0 of `y` has extent -1"));
  EXPECT_THAT(shape(INT64_MAX, DType::i8), HasSubstr("T0915: `y` would have"));
}

TEST_F(ExtentsTest, RandomSystems) {
  // Extents are drawn, shapes computed from them: the solver must find them again, and every single changed extent of an
  // axis that some form fixes must be an error.
  std::mt19937 random(7);
  auto below = [&](int64_t n) { return std::uniform_int_distribution<int64_t>(0, n - 1)(random); };
  for (int round = 0; round < 500; ++round) {
    const unsigned count = 1 + below(4);
    std::vector<int64_t> values;
    std::vector<std::string> names;
    for (unsigned i = 0; i < count; ++i) {
      values.push_back(1 + below(20));
      names.push_back("E" + std::to_string(i));
    }
    LaunchShapes shapes = launch(names);
    for (unsigned i = 0; i < count; ++i) {
      // Extent i appears linearly, with earlier ones around it, so that it can be found once those are.
      const int64_t factor = 1 + below(3), offset = below(5);
      mlir::AffineExpr form = s(i) * factor + offset;
      int64_t value = values[i] * factor + offset;
      if (i > 0 && below(2)) {
        const unsigned other = below(i);
        form = form + s(i) * s(other);
        value += values[i] * values[other];
      }
      if (i > 0) {
        form = form + s(i - 1).floorDiv(2);
        value += values[i - 1] / 2;
      }
      view(shapes, "x" + std::to_string(i), {form}, IndexVector{value});
    }
    std::shuffle(shapes.views.begin(), shapes.views.end(), random);
    ASSERT_EQ(solve(shapes), values);
    view(shapes, "again", {s(below(count)) * 3 + 1}, IndexVector{0});
    ViewShape &again = shapes.views.back();
    for (unsigned i = 0; i < count; ++i) {
      again.map = mlir::AffineMap::get(0, count, {s(i) * 3 + 1}, &context);
      (*again.actual)[0] = values[i] * 3 + 1;
      ASSERT_EQ(solve(shapes), values);
      (*again.actual)[0] += 1 + below(2);
      ASSERT_NE(error(shapes), "no error");
    }
  }
}
