//===- Space.h - obligations that many primitives share -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Iteration spaces, accesses and the questions asked about them, in the form the solver likes: one coordinate per
// dimension, never flattened; two instances instead of a quantifier; a written-out inverse instead of "some instance".
// Every maker returns an Obligation: prove it with Solver::prove. A wrong argument (a missing term, lists of different
// lengths, a step that is not positive) gives an Obligation whose goal is Invalid with a reason, so its verdict is
// Unknown and says why.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_SOLVER_SPACE_H
#define TESSERA_SOLVER_SPACE_H

#include "tessera/Solver/Solver.h"

namespace tessera::solver {

/// lo <= variable < hi.
struct Axis {
  Expr variable, lo, hi;
};

/// All instances of a loop nest or of a set of threads; later axes may use earlier variables in their bounds.
struct IndexBox {
  llvm::SmallVector<Axis, 4> axes;

  llvm::SmallVector<Expr, 4> variables() const;
};

/// What one instance touches: a cell by its logical coordinates, if the guard holds.
struct Access {
  std::string name; ///< `write of A at row.tile:6`
  llvm::SmallVector<Expr, 4> coordinates;
  Expr guard; ///< null: always
};

/// lo <= coordinate < lo + extent, one pair for each dimension.
struct Window {
  llvm::SmallVector<Expr, 4> lo, extent;
};

/// Which pairs of instances a question is about.
enum class Pairs {
  Different, ///< any two: the loop runs in parallel
  Earlier,   ///< the first one comes before the second in program order
  Swapped, ///< the order of the last two axes changes them: earlier in the outer, later in the inner one
};

class SpaceBuilder {
public:
  explicit SpaceBuilder(ExprContext &context) : context(context) {}

  //===--- spaces -------------------------------------------------------===//

  /// An axis with a new variable; bounds as given, declared as facts of the box.
  Axis axis(llvm::StringRef name, Expr lo, Expr hi);
  Axis axis(llvm::StringRef name, Int lo, Int hi);
  static Expr inside(const Axis &axis);
  std::vector<Fact> facts(const IndexBox &box, llvm::StringRef provenance = "");

  /// The second of two instances: variables of the axes from `shared` on get an apostrophe, bounds follow.
  IndexBox second(const IndexBox &box, unsigned shared = 0);
  Expr inSecond(Expr expr, const IndexBox &box, unsigned shared = 0);

  //===--- instances ----------------------------------------------------===//

  /// No cell is touched by `a` in one instance and by `b` in another one, for the pairs asked about. The first
  /// `shared` axes have the same value in both instances. Phases of barriers and the like are further coordinates.
  Obligation disjoint(llvm::StringRef title, const IndexBox &box, const Access &a, const Access &b,
                      Pairs pairs = Pairs::Different, unsigned shared = 0);

  /// Every cell of `cells` is touched by the instance of `box` that `inverse` names, in terms of the variables of
  /// `cells`. Nothing is claimed about other instances: `disjoint` says that there is only one.
  Obligation covered(llvm::StringRef title, const IndexBox &cells, const IndexBox &box,
                     const Access &access, llvm::ArrayRef<Expr> inverse);

  /// The instance that touches a cell, for accesses that are sums of digits (`16 * io + ii`): each variable in one
  /// coordinate, inner extents constant. A guess to be proved by `covered`; nothing when the form is another one.
  std::optional<llvm::SmallVector<Expr, 4>> inverse(const IndexBox &cells, const IndexBox &box,
                                                    const Access &access);

  /// The access stays inside the window.
  Obligation contained(llvm::StringRef title, const IndexBox &box, const Access &access,
                       const Window &window);
  /// The access never meets the window.
  Obligation outside(llvm::StringRef title, const IndexBox &box, const Access &access,
                     const Window &window);
  /// Both accesses touch the same cell in every instance in which either is made.
  Obligation equal(llvm::StringRef title, const IndexBox &box, const Access &a, const Access &b);

  //===--- loops --------------------------------------------------------===//

  /// Trips of `for v in [lo, hi) step`.
  Expr trips(Expr lo, Expr hi, Int step = 1);
  Obligation equalTrips(llvm::StringRef title, Expr lo1, Expr hi1, Int step1, Expr lo2, Expr hi2,
                        Int step2);
  /// Equal lower and equal upper bounds, as fusing two loops needs.
  Obligation equalBounds(llvm::StringRef title, Expr lo1, Expr hi1, Expr lo2, Expr hi2);
  /// A loop [lo, hi) may be cut at `at`.
  Obligation cutInside(llvm::StringRef title, Expr lo, Expr at, Expr hi);

  /// extent = factor * full + rest with 0 <= rest < factor; `ceiling` blocks of `factor` cover the extent.
  struct Split {
    Expr full, rest, ceiling;
  };
  Split split(Expr extent, Int factor);
  /// The factor divides the extent.
  Obligation splitExact(llvm::StringRef title, Expr extent, Int factor);
  /// i = factor * (i // factor) + i % factor visits every i of [0, extent) under the guard `i < extent`, and the outer
  /// loop of `outer` trips reaches it.
  Obligation splitCovers(llvm::StringRef title, Expr extent, Int factor, Expr outer);

  /// value = residue modulo `modulus`.
  Obligation aligned(llvm::StringRef title, Expr value, Int modulus, Int residue = 0);

  /// Quotient and remainder by a positive symbol; the facts define them with a product.
  struct SymbolicDivision {
    Expr quotient, remainder;
    std::vector<Fact> facts;
  };
  SymbolicDivision divideBySymbol(Expr number, Expr divisor);

  //===--- rings of slots -----------------------------------------------===//

  /// The closed form: a ring is free of deadlock and of early reuse iff slots > lead + lag, where the writer's stage runs
  /// `lead` steps ahead of the reader's and a slot is released `lag` steps after it was read.
  Obligation queueRule(llvm::StringRef title, Expr slots, Expr lead, Expr lag);
  /// The write of step kp and the read of step kc of one slot (step % slots) are ordered for all `steps`: the reader
  /// waits for its token, the writer waits until step kp - `behind` was read.
  Obligation slotExclusive(llvm::StringRef title, Expr steps, Int slots, Expr behind);
  /// No state in which writer and reader both wait.
  Obligation ringLive(llvm::StringRef title, Expr steps, Expr slots, Expr lag);
  /// A reader that waits for parity (k // slots) % 2 of its slot cannot be lapped when the writer is at most `lead`
  /// steps ahead.
  Obligation parityUnambiguous(llvm::StringRef title, Expr steps, Int slots, Expr lead);

private:
  Obligation wrong(llvm::StringRef title, llvm::StringRef reason);
  void addFacts(Obligation &obligation, const IndexBox &box, llvm::StringRef provenance = "");
  void addGuard(Obligation &obligation, Expr guard, llvm::StringRef name);
  Expr pairCondition(const IndexBox &box, const IndexBox &other, Pairs pairs, unsigned shared);
  Obligation overWindow(llvm::StringRef title, const IndexBox &box, const Access &access,
                        const Window &window, bool inside);

  ExprContext &context;
};

} // namespace tessera::solver

#endif // TESSERA_SOLVER_SPACE_H
