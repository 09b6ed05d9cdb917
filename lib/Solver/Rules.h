//===- Rules.h - contradictions found without the solver ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Private to the library. Sound and quick, not complete: ranges propagated through sums, `//` and `%`; two bounds of
// one sum that miss each other; divisibility of equations; equations split by digits (8 * a + v = 8 * b + w with
// v, w in [0, 8) gives a = b and v = w); equalities substituted; alternatives ruled out one by one.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_LIB_SOLVER_RULES_H
#define TESSERA_LIB_SOLVER_RULES_H

#include "tessera/Solver/ExprContext.h"

#include "llvm/ADT/SmallBitVector.h"

namespace tessera::solver {

/// A set of conditions, by position.
using Positions = llvm::SmallBitVector;

/// Positions of conditions that contradict each other; nothing when none were found.
std::optional<std::vector<unsigned>> contradictionByRules(ExprContext &context,
                                                          llvm::ArrayRef<Expr> conditions);

/// Both ends of a range with the conditions each end rests on.
struct KnownRange {
  Range range;
  Positions low, high;
};

/// Ranges of atoms under conditions, and of terms made from them.
class RangeTable {
public:
  explicit RangeTable(unsigned conditions) : conditions(conditions) {}

  void clear() { atoms.clear(); }
  KnownRange of(Expr number) const { return of(number, 0); }
  /// Narrows an atom's range; true when something changed. `empty` is set when nothing is left.
  bool narrow(Expr atom, const KnownRange &range, std::optional<Positions> &empty);

  KnownRange exactly(Int value) const {
    return {Range::exactly(value), Positions(conditions), Positions(conditions)};
  }

private:
  KnownRange of(Expr number, unsigned depth) const;
  KnownRange compound(Expr atom, unsigned depth) const;

  unsigned conditions;
  llvm::DenseMap<const ExprNode *, KnownRange> atoms;
};

KnownRange add(const KnownRange &a, const KnownRange &b);
KnownRange scale(const KnownRange &a, Int factor);

} // namespace tessera::solver

#endif // TESSERA_LIB_SOLVER_RULES_H
