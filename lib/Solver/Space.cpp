//===- Space.cpp - obligations about instances and cells ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Space.h.
//
//===----------------------------------------------------------------------===//

#include "tessera/Solver/Space.h"

#include "llvm/ADT/STLExtras.h"

namespace tessera::solver {

llvm::SmallVector<Expr, 4> IndexBox::variables() const {
  llvm::SmallVector<Expr, 4> result;
  for (const Axis &axis : axes) {
    result.push_back(axis.variable);
  }
  return result;
}

Axis SpaceBuilder::axis(llvm::StringRef name, Expr lo, Expr hi) {
  return {context.index(name), lo, hi};
}

Axis SpaceBuilder::axis(llvm::StringRef name, Int lo, Int hi) {
  return axis(name, context.constant(lo), context.constant(hi));
}

Expr SpaceBuilder::inside(const Axis &axis) {
  return axis.lo <= axis.variable && axis.variable < axis.hi;
}

std::vector<Fact> SpaceBuilder::facts(const IndexBox &box, llvm::StringRef provenance) {
  std::vector<Fact> result;
  for (const Axis &axis : box.axes) {
    result.push_back({inside(axis),
                      axis.variable.str() + " in [" + axis.lo.str() + ", " + axis.hi.str() + ")",
                      provenance.str()});
  }
  return result;
}

static Substitution primes(ExprContext &context, const IndexBox &box, unsigned shared) {
  Substitution substitution;
  for (size_t i = shared; i < box.axes.size(); ++i) {
    substitution[box.axes[i].variable.raw()] = context.prime(box.axes[i].variable);
  }
  return substitution;
}

Expr SpaceBuilder::inSecond(Expr expr, const IndexBox &box, unsigned shared) {
  return substitute(expr, primes(context, box, shared));
}

IndexBox SpaceBuilder::second(const IndexBox &box, unsigned shared) {
  Substitution substitution = primes(context, box, shared);
  IndexBox result;
  for (const Axis &axis : box.axes) {
    result.axes.push_back({substitute(axis.variable, substitution),
                           substitute(axis.lo, substitution), substitute(axis.hi, substitution)});
  }
  return result;
}

Obligation SpaceBuilder::wrong(llvm::StringRef title, llvm::StringRef reason) {
  return {title.str(), {}, context.invalid(reason)};
}

void SpaceBuilder::addFacts(Obligation &obligation, const IndexBox &box,
                            llvm::StringRef provenance) {
  for (Fact &fact : facts(box, provenance)) {
    bool known = llvm::any_of(obligation.facts,
                              [&](const Fact &other) { return other.condition == fact.condition; });
    if (!known) {
      obligation.facts.push_back(std::move(fact));
    }
  }
}

void SpaceBuilder::addGuard(Obligation &obligation, Expr guard, llvm::StringRef name) {
  if (!guard.isNull()) {
    obligation.facts.push_back({guard, "guard of " + name.str(), ""});
  }
}

Expr SpaceBuilder::pairCondition(const IndexBox &box, const IndexBox &other, Pairs pairs,
                                 unsigned shared) {
  llvm::SmallVector<Expr, 4> cases, equalSoFar;
  size_t count = box.axes.size();
  if (pairs == Pairs::Swapped) {
    if (count < shared + 2) {
      return context.invalid("two loops that change places are needed");
    }
    llvm::SmallVector<Expr, 4> all;
    for (size_t i = shared; i + 2 < count; ++i) {
      all.push_back(eq(box.axes[i].variable, other.axes[i].variable));
    }
    all.push_back(box.axes[count - 2].variable < other.axes[count - 2].variable);
    all.push_back(box.axes[count - 1].variable > other.axes[count - 1].variable);
    return context.conjunction(all);
  }
  for (size_t i = shared; i < count; ++i) {
    Expr mine = box.axes[i].variable, theirs = other.axes[i].variable;
    if (pairs == Pairs::Different) {
      cases.push_back(ne(mine, theirs));
      continue;
    }
    equalSoFar.push_back(mine < theirs);
    cases.push_back(context.conjunction(equalSoFar));
    equalSoFar.back() = eq(mine, theirs);
  }
  return context.disjunction(cases);
}

Obligation SpaceBuilder::disjoint(llvm::StringRef title, const IndexBox &box, const Access &a,
                                  const Access &b, Pairs pairs, unsigned shared) {
  if (a.coordinates.size() != b.coordinates.size()) {
    return wrong(title, "two accesses of one buffer have different numbers of coordinates");
  }
  IndexBox other = second(box, shared);
  Obligation obligation{title.str(), {}, Expr()};
  addFacts(obligation, box, "first instance");
  addFacts(obligation, other, "second instance");
  Expr order = pairCondition(box, other, pairs, shared);
  obligation.facts.push_back({order, order.str(), "two instances"});
  addGuard(obligation, a.guard, a.name);
  addGuard(obligation, b.guard.isNull() ? b.guard : inSecond(b.guard, box, shared), b.name);
  llvm::SmallVector<Expr, 4> apart;
  for (auto [x, y] : llvm::zip_equal(a.coordinates, b.coordinates)) {
    apart.push_back(ne(x, inSecond(y, box, shared)));
  }
  obligation.goal = context.disjunction(apart);
  return obligation;
}

Obligation SpaceBuilder::covered(llvm::StringRef title, const IndexBox &cells, const IndexBox &box,
                                 const Access &access, llvm::ArrayRef<Expr> inverse) {
  if (inverse.size() != box.axes.size()) {
    return wrong(title, "an inverse needs one number for each variable of the instances");
  }
  if (access.coordinates.size() != cells.axes.size()) {
    return wrong(title, "the access and the cells have different numbers of coordinates");
  }
  Obligation obligation{title.str(), {}, Expr()};
  addFacts(obligation, cells, "a cell");
  Substitution at;
  for (auto [axis, number] : llvm::zip_equal(box.axes, inverse)) {
    at[axis.variable.raw()] = number;
  }
  llvm::SmallVector<Expr, 8> claims;
  for (const Axis &axis : box.axes) {
    claims.push_back(substitute(inside(axis), at));
  }
  if (!access.guard.isNull()) {
    claims.push_back(substitute(access.guard, at));
  }
  for (auto [axis, coordinate] : llvm::zip_equal(cells.axes, access.coordinates)) {
    claims.push_back(eq(substitute(coordinate, at), axis.variable));
  }
  obligation.goal = context.conjunction(claims);
  return obligation;
}

namespace {

/// A variable of the instances that occurs in a coordinate.
struct Digit {
  unsigned axis = 0;
  Int weight = 0;
};

} // namespace

/// Takes digits off `rest`, largest weight first; false when two digits would overlap.
static bool decode(llvm::SmallVectorImpl<Digit> &digits, const IndexBox &box, Expr rest,
                   llvm::SmallVectorImpl<Expr> &result) {
  llvm::sort(digits, [](const Digit &a, const Digit &b) { return a.weight > b.weight; });
  for (size_t i = 0; i < digits.size(); ++i) {
    const Axis &axis = box.axes[digits[i].axis];
    bool last = i + 1 == digits.size();
    if (last && digits[i].weight != 1) {
      return false;
    }
    Expr digit = last ? rest : floorDiv(rest, digits[i].weight);
    // Digits count from their axis' lower bound, which was taken off the coordinate before.
    result[digits[i].axis] = digit + axis.lo;
    rest = last ? rest : mod(rest, digits[i].weight);
  }
  return true;
}

std::optional<llvm::SmallVector<Expr, 4>>
SpaceBuilder::inverse(const IndexBox &cells, const IndexBox &box, const Access &access) {
  if (access.coordinates.size() != cells.axes.size()) {
    return std::nullopt;
  }
  llvm::SmallVector<Expr, 4> result(box.axes.size());
  for (auto [cell, coordinate] : llvm::zip_equal(cells.axes, access.coordinates)) {
    if (!coordinate.raw() || coordinate.isBool() || coordinate.isInvalid()) {
      return std::nullopt;
    }
    Linear form = linearForm(coordinate);
    llvm::SmallVector<Digit, 4> digits;
    Expr rest = cell.variable - form.constant;
    for (const Term &term : form.terms) {
      auto at = llvm::find_if(box.axes, [&](const Axis &a) { return a.variable == term.atom; });
      if (at == box.axes.end()) {
        bool mixed =
            llvm::any_of(box.axes, [&](const Axis &a) { return contains(term.atom, a.variable); });
        if (mixed) {
          return std::nullopt;
        }
        rest = rest - term.atom * term.coefficient;
        continue;
      }
      unsigned position = at - box.axes.begin();
      if (term.coefficient <= 0 || !result[position].isNull()) {
        return std::nullopt;
      }
      result[position] = at->lo; // taken; the digit follows
      rest = rest - at->lo * term.coefficient;
      digits.push_back({position, term.coefficient});
    }
    if (!digits.empty() && !decode(digits, box, rest, result)) {
      return std::nullopt;
    }
  }
  // Variables that no coordinate holds may take any value.
  for (auto [axis, value] : llvm::zip_equal(box.axes, result)) {
    value = value.isNull() ? axis.lo : value;
  }
  return result;
}

Obligation SpaceBuilder::overWindow(llvm::StringRef title, const IndexBox &box,
                                    const Access &access, const Window &window, bool isInside) {
  size_t rank = access.coordinates.size();
  if (window.lo.size() != rank || window.extent.size() != rank) {
    return wrong(title, "the access and the window have different numbers of coordinates");
  }
  Obligation obligation{title.str(), {}, Expr()};
  addFacts(obligation, box);
  addGuard(obligation, access.guard, access.name);
  llvm::SmallVector<Expr, 8> claims;
  for (size_t i = 0; i < rank; ++i) {
    claims.push_back(window.lo[i] <= access.coordinates[i] &&
                     access.coordinates[i] < window.lo[i] + window.extent[i]);
  }
  Expr all = context.conjunction(claims);
  obligation.goal = isInside ? all : !all;
  return obligation;
}

Obligation SpaceBuilder::contained(llvm::StringRef title, const IndexBox &box, const Access &access,
                                   const Window &window) {
  return overWindow(title, box, access, window, /*isInside=*/true);
}

Obligation SpaceBuilder::outside(llvm::StringRef title, const IndexBox &box, const Access &access,
                                 const Window &window) {
  return overWindow(title, box, access, window, /*isInside=*/false);
}

Obligation SpaceBuilder::equal(llvm::StringRef title, const IndexBox &box, const Access &a,
                               const Access &b) {
  if (a.coordinates.size() != b.coordinates.size()) {
    return wrong(title, "two accesses of one buffer have different numbers of coordinates");
  }
  Obligation obligation{title.str(), {}, Expr()};
  addFacts(obligation, box);
  llvm::SmallVector<Expr, 8> claims;
  for (auto [x, y] : llvm::zip_equal(a.coordinates, b.coordinates)) {
    claims.push_back(eq(x, y));
  }
  Expr first = a.guard.isNull() ? context.boolean(true) : a.guard;
  Expr other = b.guard.isNull() ? context.boolean(true) : b.guard;
  obligation.goal =
      implies(first, other) && implies(other, first) && implies(first, context.conjunction(claims));
  return obligation;
}

} // namespace tessera::solver
