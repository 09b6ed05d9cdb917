//===- Bench.cpp - what the usual questions cost --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints, for each kind of question that primitives ask, its verdict, the median time with a warm solver, with and
// without the rules, and the units that the solver spent. The time of a refutation includes the smallest witness.
//
//===----------------------------------------------------------------------===//

#include "tessera/Solver/Space.h"

#include <algorithm>
#include <cstdio>

using namespace tessera::solver;

namespace {

struct Case {
  std::string name;
  std::vector<Fact> facts;
  Obligation obligation;
};

/// Races and swaps between instances.
void addInstances(ExprContext &c, SpaceBuilder &space, std::vector<Case> &cases) {
  Expr zero = c.constant(0), m = c.size("M", 1), n = c.size("N", 1), k = c.size("K", 1);
  IndexBox tile{{space.axis("t", 0, 128), space.axis("p", 0, 4), space.axis("v", 0, 8)}};
  Expr t = tile.axes[0].variable, p = tile.axes[1].variable, v = tile.axes[2].variable;
  for (Int stride : {8, 7}) {
    Access write{"write", {p * 16 + floorDiv(t, 8), mod(t, 8) * stride + v}, Expr()};
    cases.push_back({stride == 8 ? "tile of 128 threads, race" : "same, stride wrong",
                     {},
                     space.disjoint("", tile, write, write)});
  }
  IndexBox rows{{space.axis("io", zero, ceilDiv(m, 16)), space.axis("ii", 0, 16)}};
  Expr row = 16 * rows.axes[0].variable + rows.axes[1].variable;
  Access guarded{"write", {row}, row < m};
  cases.push_back({"guarded row tiles", {}, space.disjoint("", rows, guarded, guarded)});
  IndexBox nest{{space.axis("i", zero, n), space.axis("j", zero, n)}};
  Expr i = nest.axes[0].variable, j = nest.axes[1].variable;
  Access cell{"write", {i, j}, Expr()}, other{"read", {i - 1, j + 1}, Expr()};
  cases.push_back({"swap of two loops", {}, space.disjoint("", nest, cell, cell, Pairs::Swapped)});
  cases.push_back(
      {"same, diagonal read", {}, space.disjoint("", nest, cell, other, Pairs::Swapped)});
  IndexBox loop{{space.axis("k", zero, k), space.axis("t", 0, 64)}};
  Expr step = loop.axes[0].variable, u = loop.axes[1].variable;
  Access read{"read", {step + 1, 63 - u}, Expr()}, write{"write", {step, u}, Expr()};
  cases.push_back(
      {"barrier missing at the end of a loop", {}, space.disjoint("", loop, read, write)});
}

/// Windows, coverage, alignment.
void addCells(ExprContext &c, SpaceBuilder &space, std::vector<Case> &cases) {
  Expr zero = c.constant(0), m = c.size("M", 1), n = c.size("N", 1), k = c.size("K", 1);
  IndexBox copy{{space.axis("t", 0, 128), space.axis("b", zero, ceilDiv(k, 64))}};
  Expr column = 64 * copy.axes[1].variable + 8 * mod(copy.axes[0].variable, 8);
  Access last{"read", {column + 7}, column < k};
  Fact multiple{eq(mod(k, 8), 0), "K % 8 = 0", ""};
  Obligation inside = space.contained("", copy, last, {{zero}, {k}});
  cases.push_back({"16 byte copy in bounds, K % 8 = 0", {multiple}, inside});
  cases.push_back({"same, without the fact", {}, inside});
  IndexBox cells{{space.axis("r", zero, m), space.axis("c", zero, n)}};
  IndexBox blocks{{space.axis("bi", zero, ceilDiv(m, 128)), space.axis("bj", zero, ceilDiv(n, 64)),
                   space.axis("t", 0, 128), space.axis("e", 0, 64)}};
  Expr row = 128 * blocks.axes[0].variable + blocks.axes[2].variable;
  Expr col = 64 * blocks.axes[1].variable + blocks.axes[3].variable;
  Access write{"write", {row, col}, row < m && col < n};
  cases.push_back({"output covered, with inverse",
                   {},
                   space.covered("", cells, blocks, write, *space.inverse(cells, blocks, write))});
  Expr ld = c.size("ld", 1), i = c.index("i");
  Fact whole{eq(mod(ld, 8), 0), "ld % 8 = 0", ""};
  cases.push_back(
      {"16 byte alignment of a row", {whole}, space.aligned("", 2 * ld * 3 + 32 * i, 16)});
  cases.push_back({"same, product of row and stride", {whole}, space.aligned("", 2 * ld * i, 16)});
}

/// Rings, trips, symbolic blocks.
void addLoops(ExprContext &c, SpaceBuilder &space, std::vector<Case> &cases) {
  Expr zero = c.constant(0), n = c.size("N", 1), k = c.size("K", 1);
  auto num = [&](Int value) { return c.constant(value); };
  cases.push_back({"ring of 4, waits 4 behind", {}, space.slotExclusive("", k, 4, num(4))});
  cases.push_back({"ring of 4, waits 5 behind", {}, space.slotExclusive("", k, 4, num(5))});
  cases.push_back({"ring of 4 lives with lag 1", {}, space.ringLive("", k, num(4), num(1))});
  cases.push_back({"ring of 1 stops with lag 1", {}, space.ringLive("", k, num(1), num(1))});
  cases.push_back({"parity, lead 4 of 4", {}, space.parityUnambiguous("", k, 4, num(4))});
  cases.push_back({"parity, lead 5 of 4", {}, space.parityUnambiguous("", k, 4, num(5))});
  cases.push_back(
      {"trips of two loops", {}, space.equalTrips("", zero, n, 64, zero, ceilDiv(n, 64), 1)});
  cases.push_back(
      {"split reaches every iteration", {}, space.splitCovers("", n, 96, ceilDiv(n, 96))});
  Expr bm = c.size("BM", 1), a = c.index("a"), b = c.index("b"), x = c.index("x"), y = c.index("y");
  Fact inside{0 <= x && x < bm && 0 <= y && y < bm, "x, y in [0, BM)", ""};
  Fact same{eq(a * bm + x, b * bm + y), "same cell", ""};
  cases.push_back({"symbolic block size", {inside, same}, {"", {}, eq(a, b)}});
}

struct Measured {
  Verdict verdict;
  double milliseconds = 0;
};

Measured measure(ExprContext &c, const Case &one, bool rules) {
  constexpr int rounds = 21;
  SolverOptions options;
  options.useRules = rules;
  options.recheck = true; // the memory of answers would make every round but the first free
  Solver solver(c, options);
  solver.prove(c.index("warm") * 3 < c.index("up"));
  for (const Fact &fact : one.facts) {
    solver.assume(fact);
  }
  Measured result;
  std::vector<double> times;
  for (int round = 0; round < rounds; ++round) {
    result.verdict = solver.prove(one.obligation);
    times.push_back(result.verdict.cost.milliseconds);
  }
  std::sort(times.begin(), times.end());
  result.milliseconds = times[rounds / 2];
  return result;
}

} // namespace

int main() {
  ExprContext c;
  SpaceBuilder space(c);
  std::vector<Case> cases;
  addInstances(c, space, cases);
  addCells(c, space, cases);
  addLoops(c, space, cases);
  std::vector<double> all;
  std::printf("%-40s %-8s %8s %8s %8s %7s\n", "question", "verdict", "ms", "no rules", "units",
              "checks");
  for (const Case &one : cases) {
    Measured with = measure(c, one, true), without = measure(c, one, false);
    const Verdict &v = with.verdict;
    all.push_back(with.milliseconds);
    const char *verdict = v.unknown()                      ? "unknown"
                          : v.refuted()                    ? "refuted"
                          : v.cost.by == DecidedBy::Solver ? "proved"
                                                           : "rules";
    std::printf("%-40s %-8s %8.3f %8.3f %8llu %7u\n", one.name.c_str(), verdict, with.milliseconds,
                without.milliseconds, static_cast<unsigned long long>(without.verdict.cost.rlimit),
                without.verdict.cost.checks);
  }
  std::sort(all.begin(), all.end());
  std::printf("median %.3f ms, slowest %.3f ms, %s\n", all[all.size() / 2], all.back(),
              Solver::version().c_str());
  return 0;
}
