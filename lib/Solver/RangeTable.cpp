//===- RangeTable.cpp - ranges under conditions, with their reasons -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every end of a range remembers the conditions it follows from, so that a contradiction names the facts it used.
//
//===----------------------------------------------------------------------===//

#include "Rules.h"

namespace tessera::solver {

KnownRange add(const KnownRange &a, const KnownRange &b) {
  KnownRange result{a.range + b.range, a.low, a.high};
  result.low |= b.low;
  result.high |= b.high;
  return result;
}

KnownRange scale(const KnownRange &a, Int factor) {
  KnownRange result{a.range * factor, a.low, a.high};
  if (factor < 0) {
    std::swap(result.low, result.high);
  }
  return result;
}

/// The tighter of two ranges of the same number, end by end.
static bool meet(KnownRange &into, const KnownRange &other) {
  bool changed = false;
  if (other.range.lo && (!into.range.lo || *other.range.lo > *into.range.lo)) {
    into.range.lo = other.range.lo;
    into.low = other.low;
    changed = true;
  }
  if (other.range.hi && (!into.range.hi || *other.range.hi < *into.range.hi)) {
    into.range.hi = other.range.hi;
    into.high = other.high;
    changed = true;
  }
  return changed;
}

bool RangeTable::narrow(Expr atom, const KnownRange &range, std::optional<Positions> &empty) {
  auto [slot, isNew] = atoms.try_emplace(atom.raw());
  if (isNew) {
    slot->second = {atom.range(), Positions(conditions), Positions(conditions)};
  }
  bool changed = meet(slot->second, range);
  // Together with what the atom's own operands allow: `x // 8 >= 5` where x < 40.
  KnownRange all = of(atom);
  if (all.range.isEmpty()) {
    empty = all.low;
    *empty |= all.high;
  }
  return changed;
}

KnownRange RangeTable::compound(Expr atom, unsigned depth) const {
  KnownRange result{atom.range(), Positions(conditions), Positions(conditions)};
  auto operand = [&](unsigned i) { return of(atom.operands()[i], depth + 1); };
  switch (atom.kind()) {
  case ExprKind::FloorDiv: {
    KnownRange inside = operand(0);
    return {floorDiv(inside.range, atom.value()), inside.low, inside.high};
  }
  case ExprKind::Mod: {
    KnownRange inside = operand(0);
    Range range = floorMod(inside.range, atom.value());
    if (range == Range::between(0, atom.value() - 1)) {
      return result;
    }
    inside.low |= inside.high;
    return {range, inside.low, inside.low};
  }
  case ExprKind::Min:
  case ExprKind::Max: {
    // The outer end rests on one operand, the inner one on all.
    bool isMin = atom.is(ExprKind::Min);
    KnownRange all = operand(0);
    for (unsigned i = 1; i < atom.operands().size(); ++i) {
      KnownRange next = operand(i);
      Range range = isMin ? minimum(all.range, next.range) : maximum(all.range, next.range);
      if (isMin) {
        all.high = range.hi == all.range.hi ? all.high : next.high;
        all.low |= next.low;
      } else {
        all.low = range.lo == all.range.lo ? all.low : next.low;
        all.high |= next.high;
      }
      all.range = range;
    }
    return all;
  }
  case ExprKind::Select: {
    KnownRange all = operand(1), next = operand(2);
    all.range = hull(all.range, next.range);
    all.low |= next.low;
    all.high |= next.high;
    return all;
  }
  case ExprKind::Product: {
    KnownRange all = exactly(1);
    for (unsigned i = 0; i < atom.operands().size(); ++i) {
      KnownRange next = operand(i);
      all.range = all.range * next.range;
      all.low |= next.low;
      all.low |= next.high;
    }
    all.high = all.low;
    return all;
  }
  default:
    return result;
  }
}

KnownRange RangeTable::of(Expr number, unsigned depth) const {
  constexpr unsigned deepest = 12;
  if (std::optional<Int> constant = number.constant()) {
    return exactly(*constant);
  }
  if (number.is(ExprKind::Sum)) {
    KnownRange total = exactly(number.value());
    for (const Term &term : number.terms()) {
      total = add(total, scale(of(term.atom, depth), term.coefficient));
    }
    return total;
  }
  KnownRange result{number.range(), Positions(conditions), Positions(conditions)};
  if (depth < deepest) {
    meet(result, compound(number, depth));
  }
  auto known = atoms.find(number.raw());
  if (known != atoms.end()) {
    meet(result, known->second);
  }
  return result;
}

} // namespace tessera::solver
