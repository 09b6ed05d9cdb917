// Formulas: the meaning of every word, and its corners.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tessera/Runtime/Expr.h"

#include "gtest/gtest.h"

#include <cmath>
#include <limits>
#include <set>
#include <string>

using namespace tessera::runtime;
using K = Expr::Kind;

namespace {
class SomeFacts : public Facts {
public:
  int64_t extent(unsigned index) const override { return 100 + index; }
  int64_t scalar(unsigned argument) const override { return 200 + argument; }
  double real(unsigned argument) const override { return argument == 9 ? NAN : 0.5 * argument; }
  int64_t size(unsigned argument, unsigned axis) const override {
    return 300 + 10 * argument + axis;
  }
  int64_t stride(unsigned argument, unsigned axis) const override {
    return 400 + 10 * argument + axis;
  }
  bool aligned(unsigned argument, uint64_t bytes) const override {
    return argument == 1 && bytes == 16;
  }
};

int64_t evaluate(const Expr &e) { return e.evaluate(SomeFacts()); }

int64_t combine(K kind, int64_t x, int64_t y) {
  return evaluate(Expr::make(kind, {Expr::constant(x), Expr::constant(y)}));
}

constexpr int64_t least = std::numeric_limits<int64_t>::min(),
                  most = std::numeric_limits<int64_t>::max();

TEST(Expr, Leaves) {
  EXPECT_EQ(evaluate(Expr::constant(-7)), -7);
  EXPECT_EQ(evaluate(Expr::extent(2)), 102);
  EXPECT_EQ(evaluate(Expr::scalar(3)), 203);
  EXPECT_EQ(evaluate(Expr::size(1, 2)), 312);
  EXPECT_EQ(evaluate(Expr::stride(2, 1)), 421);
  EXPECT_EQ(evaluate(Expr::aligned(1, 16)), 1);
  EXPECT_EQ(evaluate(Expr::aligned(1, 8)), 0);
}

struct Row {
  K kind;
  int64_t x, y, result;
};

TEST(Expr, EveryCombination) {
  const Row rows[] = {{K::add, 2, 3, 5},
                      {K::add, most, 1, least},
                      {K::sub, 2, 3, -1},
                      {K::sub, least, 1, most},
                      {K::mul, -4, 3, -12},
                      {K::mul, least, -1, least},
                      {K::floordiv, 7, 2, 3},
                      {K::floordiv, -7, 2, -4},
                      {K::floordiv, 7, -2, -4},
                      {K::floordiv, -7, -2, 3},
                      {K::floordiv, -8, 2, -4},
                      {K::floordiv, 7, 0, 0},
                      {K::floordiv, least, -1, least},
                      {K::mod, 7, 3, 1},
                      {K::mod, -7, 3, 2},
                      {K::mod, 7, -3, -2},
                      {K::mod, -7, -3, -1},
                      {K::mod, 7, 0, 7},
                      {K::mod, least, -1, 0},
                      {K::min, -1, 2, -1},
                      {K::max, -1, 2, 2},
                      {K::eq, 2, 2, 1},
                      {K::eq, 2, 3, 0},
                      {K::ne, 2, 3, 1},
                      {K::ne, 2, 2, 0},
                      {K::lt, 2, 3, 1},
                      {K::lt, 3, 3, 0},
                      {K::le, 3, 3, 1},
                      {K::le, 4, 3, 0},
                      {K::gt, 4, 3, 1},
                      {K::gt, 3, 3, 0},
                      {K::ge, 3, 3, 1},
                      {K::ge, 2, 3, 0},
                      {K::and_, 5, 2, 1},
                      {K::and_, 5, 0, 0},
                      {K::or_, 0, 2, 1},
                      {K::or_, 0, 0, 0}};
  for (const Row &row : rows) {
    EXPECT_EQ(combine(row.kind, row.x, row.y), row.result)
        << word(row.kind) << " " << row.x << " " << row.y;
  }
}

TEST(Expr, Floats) {
  EXPECT_EQ(evaluate(Expr::real(3)), evaluate(Expr::realConstant(1.5)));
  struct RealRow {
    K kind;
    bool less, equal, greater, unordered;
  };
  const RealRow rows[] = {{K::feq, false, true, false, false}, {K::fne, true, false, true, true},
                          {K::flt, true, false, false, false}, {K::fle, true, true, false, false},
                          {K::fgt, false, false, true, false}, {K::fge, false, true, true, false}};
  for (const RealRow &row : rows) {
    auto holds = [&](unsigned argument, double y) {
      return evaluate(Expr::make(row.kind, {Expr::real(argument), Expr::realConstant(y)})) != 0;
    };
    EXPECT_EQ(holds(3, 1.75), row.less) << word(row.kind);
    EXPECT_EQ(holds(3, 1.5), row.equal) << word(row.kind);
    EXPECT_EQ(holds(3, -INFINITY), row.greater) << word(row.kind);
    EXPECT_EQ(holds(9, 1.5), row.unordered) << word(row.kind);
    EXPECT_EQ(holds(9, NAN), row.unordered) << word(row.kind);
    EXPECT_EQ(holds(0, -0.0), row.equal) << word(row.kind);
  }
}

TEST(Expr, OneAndThreeOperands) {
  EXPECT_EQ(evaluate(Expr::make(K::neg, {Expr::constant(4)})), -4);
  EXPECT_EQ(evaluate(Expr::make(K::neg, {Expr::constant(least)})), least);
  EXPECT_EQ(evaluate(Expr::make(K::not_, {Expr::constant(4)})), 0);
  EXPECT_EQ(evaluate(Expr::make(K::not_, {Expr::constant(0)})), 1);
  for (int64_t condition : {0, 1, -5}) {
    Expr e =
        Expr::make(K::select, {Expr::constant(condition), Expr::constant(10), Expr::constant(20)});
    EXPECT_EQ(evaluate(e), condition != 0 ? 10 : 20);
  }
}

TEST(Expr, OperatorsAndEquality) {
  Expr e = (Expr::extent(0) + Expr::constant(5)) * Expr::extent(1) - Expr::constant(1);
  EXPECT_EQ(evaluate(e), 105 * 101 - 1);
  EXPECT_TRUE(e == e);
  EXPECT_FALSE(e == Expr::constant(1));
  EXPECT_FALSE(Expr::size(0, 1) == Expr::size(0, 2));
}

/// Every kind has a word of its own, so that texts are read back.
TEST(Expr, Words) {
  std::set<std::string> words;
  for (unsigned i = 0; i <= unsigned(lastKind); ++i) {
    words.insert(word(K(i)));
  }
  EXPECT_EQ(words.size(), unsigned(lastKind) + 1);
}
} // namespace
