//===- RandomTest.cpp - every answer against enumeration ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random facts and goals over a few symbols with small declared ranges, decided three ways: by trying all values, by
// rules and solver together, and by the solver alone. Also holds simplification against evaluation: a term built from
// symbols and a term built from their values have the same value.
//
//===----------------------------------------------------------------------===//

#include "tessera/Solver/Solver.h"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <gtest/gtest.h>
#include <random>

using namespace tessera::solver;

namespace {

constexpr Int lo = -3, hi = 4;

/// TESSERA_RANDOM_FACTOR=100 makes a long run of every test.
unsigned times(unsigned rounds) {
  const char *factor = std::getenv("TESSERA_RANDOM_FACTOR");
  return rounds * (factor ? std::max(1, std::atoi(factor)) : 1);
}

class Terms {
public:
  Terms(ExprContext &context, unsigned seed) : c(context), random(seed) {
    for (const char *name : {"x", "y", "z"}) {
      symbols.push_back(c.index(name, Range::between(lo, hi)));
    }
  }

  Expr number(int depth) {
    if (depth == 0) {
      return pick(3) ? symbols[pick(3)] : c.constant(Int(pick(9)) - 4);
    }
    switch (pick(8)) {
    case 0:
    case 1:
      return number(depth - 1) + number(depth - 1);
    case 2:
      return number(depth - 1) - number(depth - 1) * (Int(pick(7)) - 3);
    case 3:
      return floorDiv(number(depth - 1), 1 + pick(6));
    case 4:
      return mod(number(depth - 1), 1 + pick(6));
    case 5:
      return pick(2) ? min(number(depth - 1), number(depth - 1))
                     : max(number(depth - 1), number(depth - 1));
    case 6:
      return select(condition(depth - 1), number(depth - 1), number(depth - 1));
    default:
      return products ? number(depth - 1) * number(depth - 1) : number(depth - 1) * Int(pick(5));
    }
  }

  Expr condition(int depth) {
    switch (pick(depth > 0 ? 8 : 5)) {
    case 0:
      return number(depth) <= number(depth);
    case 1:
      return number(depth) < number(depth);
    case 2:
      return eq(number(depth), number(depth));
    case 3:
      return ne(number(depth), number(depth));
    case 4: {
      Int divisor = 2 + pick(4);
      return eq(mod(symbols[pick(3)], divisor), pick(unsigned(divisor)));
    }
    case 5:
      return condition(depth - 1) && condition(depth - 1);
    case 6:
      return condition(depth - 1) || condition(depth - 1);
    default:
      return !condition(depth - 1);
    }
  }

  unsigned pick(unsigned count) { return random() % count; }

  ExprContext &c;
  std::vector<Expr> symbols;
  bool products = false;

private:
  std::mt19937 random;
};

void forAllValues(const std::vector<Expr> &symbols,
                  const std::function<void(const Assignment &)> &visit) {
  Assignment at;
  std::function<void(size_t)> next = [&](size_t i) {
    if (i == symbols.size()) {
      visit(at);
      return;
    }
    for (Int value = lo; value <= hi; ++value) {
      at.set(symbols[i], value);
      next(i + 1);
    }
  };
  next(0);
}

TEST(RandomTest, SimplificationKeepsValues) {
  for (unsigned seed = 0; seed < times(400); ++seed) {
    ExprContext c;
    Terms terms(c, seed);
    terms.products = true;
    Expr term = terms.number(3), truth = terms.condition(2);
    forAllValues(terms.symbols, [&](const Assignment &at) {
      if (terms.pick(8)) {
        return;
      }
      Substitution constants;
      for (Expr symbol : terms.symbols) {
        constants[symbol.raw()] = c.constant(at.symbols.lookup(symbol.raw()));
      }
      // The same seed builds the same term from constants, so every rule that fired is compared with folding.
      ASSERT_EQ(substitute(term, constants).constant(), evaluate(term, at))
          << seed << ": " << term.str();
      ASSERT_EQ(substitute(truth, constants).isTrue(), evaluate(truth, at) == 1) << truth.str();
      ASSERT_TRUE(term.range().contains(*evaluate(term, at))) << term.str();
    });
  }
}

/// The same random choices with symbols and with values in their place.
TEST(RandomTest, TermsOfSymbolsAndOfValuesAgree) {
  for (unsigned seed = 0; seed < times(3000); ++seed) {
    ExprContext c;
    Terms symbolic(c, seed), concrete(c, seed);
    symbolic.products = concrete.products = true;
    Assignment at;
    std::mt19937 random(seed + 1);
    for (size_t i = 0; i < symbolic.symbols.size(); ++i) {
      Int value = lo + Int(random() % unsigned(hi - lo + 1));
      at.set(symbolic.symbols[i], value);
      concrete.symbols[i] = c.constant(value);
    }
    Expr term = symbolic.number(3), folded = concrete.number(3);
    ASSERT_EQ(evaluate(term, at), folded.constant()) << seed << ": " << term.str();
    Expr truth = symbolic.condition(2), known = concrete.condition(2);
    ASSERT_EQ(evaluate(truth, at) == 1, known.isTrue()) << seed << ": " << truth.str();
  }
}

/// Enumerates, then compares both ways of proving. Returns the outcome.
Outcome compare(unsigned seed, bool products) {
  ExprContext c;
  Terms terms(c, seed);
  terms.products = products;
  std::vector<Expr> facts;
  for (unsigned i = terms.pick(4); i > 0; --i) {
    facts.push_back(terms.condition(1 + terms.pick(2)));
  }
  Expr goal = terms.condition(2);
  unsigned instances = 0;
  forAllValues(terms.symbols, [&](const Assignment &at) {
    bool all = evaluate(goal, at) == 0;
    for (Expr fact : facts) {
      all = all && evaluate(fact, at) == 1;
    }
    instances += all;
  });
  for (bool rules : {true, false}) {
    SolverOptions options;
    options.useRules = rules;
    options.maxTightenings = seed % 2 ? 40 : 0;
    Solver solver(c, options);
    for (Expr fact : facts) {
      solver.assume(fact);
    }
    Verdict verdict = solver.prove(goal);
    EXPECT_EQ(verdict.proved(), instances == 0) << seed << ": " << verdict.str() << "\n"
                                                << goal.str();
    EXPECT_FALSE(verdict.unknown()) << seed << ": " << verdict.str();
    if (verdict.refuted()) {
      // Symbols that simplification removed may have any value.
      Assignment at = verdict.witness.assignment;
      for (Expr symbol : terms.symbols) {
        auto value = at.symbols.find(symbol.raw());
        EXPECT_TRUE(value == at.symbols.end() || symbol.range().contains(value->second)) << seed;
      }
      EXPECT_EQ(evaluate(goal, at), 0) << seed;
      for (Expr fact : facts) {
        EXPECT_EQ(evaluate(fact, at), 1) << seed << ": " << fact.str();
      }
    }
  }
  return instances ? Outcome::Refuted : Outcome::Proved;
}

TEST(RandomTest, LinearVerdictsAgreeWithEnumeration) {
  unsigned refuted = 0, proved = 0;
  for (unsigned seed = 0; seed < times(150); ++seed) {
    ++(compare(seed, /*products=*/false) == Outcome::Refuted ? refuted : proved);
  }
  EXPECT_GT(refuted, 20u);
  EXPECT_GT(proved, 20u);
}

TEST(RandomTest, VerdictsWithProductsAgreeWithEnumeration) {
  for (unsigned seed = 1000; seed < 1000 + times(40); ++seed) {
    compare(seed, /*products=*/true);
  }
}

TEST(RandomTest, SeedsThatOnceFailed) {
  // A size written as a multiple left its declared range.
  for (unsigned seed : {2459u, 3241u}) {
    compare(seed, /*products=*/true);
  }
}

} // namespace
