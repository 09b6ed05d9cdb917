//===- Rules.cpp - contradictions found without the solver ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Rules.h. Conditions are taken apart into literals, each with the set of conditions it follows from. The rules add
// literals or rewrite them until one is false or nothing changes; the number of rounds and literals is bounded.
//
//===----------------------------------------------------------------------===//

#include "Rules.h"

#include "TermOrder.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

#include <tuple>

namespace tessera::solver {

namespace {

constexpr unsigned maxRounds = 6;
constexpr unsigned maxLiterals = 160;
constexpr unsigned maxEliminations = 24;

struct Literal {
  Expr expr;
  Positions from;
};

struct Equality {
  Expr atom, solution;
  Positions from;
};

class Refutation {
public:
  Refutation(ExprContext &context, unsigned conditions)
      : context(context), conditions(conditions), ranges(conditions) {}

  bool run(llvm::ArrayRef<Expr> given);
  Positions proof;

private:
  bool add(Expr expr, Positions from, size_t firstEquality = 0);
  bool contradiction(const Positions &from) {
    proof = from;
    return done = true;
  }

  void splitEquations();
  bool splitByDigits(const Literal &equation);
  void eliminate();
  bool eliminateOne();
  Expr solvedAtom(Expr equation, Expr &solution) const;
  void substituteAll(Expr atom, Expr solution, const Positions &from);
  void recombine(Expr atom, Expr solution, const Positions &from);
  void propagate();
  bool propagateThrough(const Literal &literal, Expr sum, int sign);
  void opposeBounds();
  void refuteLiterals();
  std::optional<Positions> whyFalse(Expr expr) const;
  std::optional<Positions> whyFalseComparison(Expr expr) const;

  ExprContext &context;
  unsigned conditions;
  RangeTable ranges;
  /// Ranges of whole sums without their constant, from the literals themselves.
  llvm::DenseMap<const ExprNode *, KnownRange> sums;
  std::vector<Literal> literals;
  llvm::DenseSet<const ExprNode *> present;
  std::vector<Equality> eliminated; ///< in order; a solution holds no atom eliminated before
  llvm::DenseMap<const ExprNode *, Literal> solved;
  bool done = false;
  bool changed = false;
};

/// Adds a literal after rewriting it by the equalities found so far; true when it ends the search.
bool Refutation::add(Expr expr, Positions from, size_t firstEquality) {
  for (size_t i = firstEquality; i < eliminated.size(); ++i) {
    Expr rewritten =
        substitute(expr, Substitution{{eliminated[i].atom.raw(), eliminated[i].solution}});
    if (rewritten != expr) {
      expr = rewritten;
      from |= eliminated[i].from;
    }
  }
  if (done || expr.isTrue() || expr.isInvalid()) {
    return done;
  }
  if (expr.isFalse()) {
    return contradiction(from);
  }
  if (expr.is(ExprKind::And)) {
    for (Expr part : expr.operands()) {
      if (add(part, from, eliminated.size())) {
        return true;
      }
    }
    return false;
  }
  if (literals.size() < maxLiterals && present.insert(expr.raw()).second) {
    literals.push_back({expr, from});
    changed = true;
  }
  return false;
}

//===----------------------------------------------------------------------===//
// Equations
//===----------------------------------------------------------------------===//

/// sum of big terms + sum of small terms + k = 0 where the big coefficients share the divisor g and the small part can
/// reach one multiple of g only: both parts are then known.
bool Refutation::splitByDigits(const Literal &equation) {
  Linear form = linearForm(equation.expr.operands()[0]);
  auto magnitude = [](Int value) { return value < 0 ? -value : value; };
  llvm::sort(form.terms, [&](const Term &a, const Term &b) {
    Int x = magnitude(a.coefficient), y = magnitude(b.coefficient);
    return x != y ? x > y : termBefore(a.atom, b.atom);
  });
  Int divisor = 0;
  for (size_t big = 1; big <= form.terms.size(); ++big) {
    divisor = gcd(divisor, form.terms[big - 1].coefficient);
    if (divisor == 1) {
      return false;
    }
    llvm::ArrayRef<Term> all = form.terms;
    Expr small = context.sum(all.drop_front(big), floorMod(form.constant, divisor));
    KnownRange reach = ranges.of(small);
    if (!reach.range.lo || !reach.range.hi) {
      continue;
    }
    Int first = -floorDiv(-*reach.range.lo, divisor), last = floorDiv(*reach.range.hi, divisor);
    Positions from = equation.from;
    from |= reach.low;
    from |= reach.high;
    if (first > last) {
      contradiction(from);
      return true;
    }
    if (first == last && big < form.terms.size()) {
      std::optional<Int> multiple = checkedMul(first, divisor);
      if (!multiple) {
        return false;
      }
      Int outer = floorDiv(form.constant, divisor) * divisor;
      add(eq(small, *multiple), from);
      add(context.compareZero(ExprKind::EqualZero,
                              context.sum(all.take_front(big), outer + *multiple)),
          from);
      return true;
    }
  }
  return false;
}

void Refutation::splitEquations() {
  for (size_t i = 0; i < literals.size() && !done; ++i) {
    Literal literal = literals[i];
    if (literal.expr.is(ExprKind::EqualZero) && splitByDigits(literal)) {
      // The two parts say the same as the whole.
      literals[i].expr = context.boolean(true);
    }
  }
  llvm::erase_if(literals, [](const Literal &literal) { return literal.expr.isTrue(); });
}

/// An atom that the equation defines: coefficient 1 or -1 and no other occurrence. Symbols give the most.
Expr Refutation::solvedAtom(Expr equation, Expr &solution) const {
  Linear form = linearForm(equation.operands()[0]);
  for (bool symbols : {false, true}) {
    for (const Term &term : form.terms) {
      bool unit = term.coefficient == 1 || term.coefficient == -1;
      bool digit = term.atom.is(ExprKind::Mod) || term.atom.is(ExprKind::FloorDiv);
      if (!unit || (symbols ? !term.atom.is(ExprKind::Symbol) : !digit)) {
        continue;
      }
      llvm::SmallVector<Term, 4> others;
      bool elsewhere = false;
      for (const Term &other : form.terms) {
        if (other.atom != term.atom) {
          others.push_back({-term.coefficient * other.coefficient, other.atom});
          elsewhere |= contains(other.atom, term.atom) || contains(term.atom, other.atom);
        }
      }
      if (elsewhere) {
        continue;
      }
      solution = context.sum(others, -term.coefficient * form.constant);
      if (!solution.isInvalid()) {
        return term.atom;
      }
    }
  }
  return Expr();
}

/// x // c = a and x % c = b give x = c * a + b.
void Refutation::recombine(Expr atom, Expr solution, const Positions &from) {
  solved[atom.raw()] = {solution, from};
  bool isMod = atom.is(ExprKind::Mod);
  if (!isMod && !atom.is(ExprKind::FloorDiv)) {
    return;
  }
  Expr inside = atom.operands()[0];
  Expr partner = isMod ? context.floorDiv(inside, atom.value()) : context.mod(inside, atom.value());
  auto found = solved.find(partner.raw());
  if (found != solved.end()) {
    Expr quotient = isMod ? found->second.expr : solution;
    Expr rest = isMod ? solution : found->second.expr;
    Positions both = from;
    both |= found->second.from;
    add(eq(inside, quotient * atom.value() + rest), both);
  }
}

void Refutation::substituteAll(Expr atom, Expr solution, const Positions &from) {
  std::vector<Literal> old = std::move(literals);
  literals.clear();
  present.clear();
  eliminated.push_back({atom, solution, from});
  for (Literal &literal : old) {
    if (add(literal.expr, literal.from, eliminated.size() - 1)) {
      return;
    }
  }
  // What was declared about the atom now holds for its solution.
  Range range = atom.range();
  if (range.lo) {
    add(*range.lo <= solution, from);
  }
  if (range.hi) {
    add(solution <= *range.hi, from);
  }
  recombine(atom, solution, from);
  if (!done) {
    recombine(solution, atom, from);
  }
}

bool Refutation::eliminateOne() {
  for (size_t i = 0; i < literals.size(); ++i) {
    if (!literals[i].expr.is(ExprKind::EqualZero)) {
      continue;
    }
    Expr solution;
    Expr atom = solvedAtom(literals[i].expr, solution);
    // A size that is a multiple takes products and addresses along: M % 128 = 0 makes M * i a multiple.
    if (auto multiple = context.asMultiple(literals[i].expr)) {
      std::tie(atom, solution) = *multiple;
    }
    if (!atom.isNull()) {
      Positions from = literals[i].from;
      literals.erase(literals.begin() + i);
      substituteAll(atom, solution, from);
      changed = true;
      return true;
    }
  }
  return false;
}

void Refutation::eliminate() {
  while (!done && eliminated.size() < maxEliminations && eliminateOne()) {
  }
}

//===----------------------------------------------------------------------===//
// Ranges
//===----------------------------------------------------------------------===//

/// From sign * sum <= 0: every summand is at most what the smallest values of the others leave.
bool Refutation::propagateThrough(const Literal &literal, Expr sum, int sign) {
  Linear form = linearForm(sum);
  bool narrowed = false;
  for (size_t i = 0; i < form.terms.size() && !done; ++i) {
    KnownRange rest = ranges.exactly(form.constant * sign);
    for (size_t j = 0; j < form.terms.size(); ++j) {
      if (j != i) {
        rest = solver::add(rest,
                           scale(ranges.of(form.terms[j].atom), form.terms[j].coefficient * sign));
      }
    }
    if (!rest.range.lo) {
      continue;
    }
    Int coefficient = form.terms[i].coefficient * sign;
    Positions from = literal.from;
    from |= rest.low;
    // coefficient * x <= -rest.lo
    KnownRange bound{Range::all(), from, from};
    if (coefficient > 0) {
      bound.range.hi = floorDiv(-*rest.range.lo, coefficient);
    } else {
      bound.range.lo = -floorDiv(-*rest.range.lo, -coefficient);
    }
    std::optional<Positions> empty;
    narrowed |= ranges.narrow(form.terms[i].atom, bound, empty);
    if (empty) {
      contradiction(*empty);
    }
  }
  return narrowed;
}

void Refutation::propagate() {
  constexpr unsigned maxSweeps = 4;
  ranges.clear();
  bool narrowed = true;
  for (unsigned sweep = 0; sweep < maxSweeps && narrowed && !done; ++sweep) {
    narrowed = false;
    for (const Literal &literal : literals) {
      bool equation = literal.expr.is(ExprKind::EqualZero);
      if (done || (!equation && !literal.expr.is(ExprKind::LessEqualZero))) {
        continue;
      }
      Expr sum = literal.expr.operands()[0];
      narrowed |= propagateThrough(literal, sum, 1);
      if (equation && !done) {
        narrowed |= propagateThrough(literal, sum, -1);
      }
    }
  }
}

/// The part of a sum without its constant, with a positive first coefficient; sum = sign * part + constant.
static Expr variablePart(ExprContext &context, const Linear &form, int &sign) {
  sign = form.terms[0].coefficient < 0 ? -1 : 1;
  llvm::SmallVector<Term, 4> terms(form.terms.begin(), form.terms.end());
  for (Term &term : terms) {
    term.coefficient *= sign;
  }
  return context.sum(terms, 0);
}

/// Two literals about one sum: `x - y <= 2` and `x - y >= 3`.
void Refutation::opposeBounds() {
  sums.clear();
  for (const Literal &literal : literals) {
    bool equation = literal.expr.is(ExprKind::EqualZero);
    if (!equation && !literal.expr.is(ExprKind::LessEqualZero)) {
      continue;
    }
    Linear form = linearForm(literal.expr.operands()[0]);
    int sign = 1;
    Expr part = variablePart(context, form, sign);
    // sign * part + constant <= 0
    Int limit = -form.constant * sign;
    KnownRange bound{Range::all(), literal.from, literal.from};
    if (sign > 0 || equation) {
      bound.range.hi = limit;
    }
    if (sign < 0 || equation) {
      bound.range.lo = limit;
    }
    auto [slot, isNew] = sums.try_emplace(part.raw(), bound);
    KnownRange &known = slot->second;
    if (!isNew && bound.range.lo && (!known.range.lo || *bound.range.lo > *known.range.lo)) {
      known.range.lo = bound.range.lo;
      known.low = bound.low;
    }
    if (!isNew && bound.range.hi && (!known.range.hi || *bound.range.hi < *known.range.hi)) {
      known.range.hi = bound.range.hi;
      known.high = bound.high;
    }
    if (known.range.isEmpty()) {
      Positions both = known.low;
      both |= known.high;
      contradiction(both);
      return;
    }
  }
}

//===----------------------------------------------------------------------===//
// Literals that cannot hold
//===----------------------------------------------------------------------===//

std::optional<Positions> Refutation::whyFalseComparison(Expr expr) const {
  Expr number = expr.operands()[0];
  KnownRange range = ranges.of(number);
  Linear form = linearForm(number);
  int sign = 1;
  Expr part = variablePart(context, form, sign);
  auto known = sums.find(part.raw());
  if (known != sums.end()) {
    KnownRange whole = solver::add(scale(known->second, sign), ranges.exactly(form.constant));
    if (whole.range.lo && (!range.range.lo || *whole.range.lo > *range.range.lo)) {
      range.range.lo = whole.range.lo;
      range.low = whole.low;
    }
    if (whole.range.hi && (!range.range.hi || *whole.range.hi < *range.range.hi)) {
      range.range.hi = whole.range.hi;
      range.high = whole.high;
    }
  }
  std::optional<bool> truth = decideByRange(expr.kind(), range.range);
  if (!truth || *truth) {
    return std::nullopt;
  }
  if (expr.is(ExprKind::NotEqualZero)) {
    range.low |= range.high;
    return range.low;
  }
  return range.range.lo && *range.range.lo > 0 ? range.low : range.high;
}

std::optional<Positions> Refutation::whyFalse(Expr expr) const {
  switch (expr.kind()) {
  case ExprKind::False:
    return Positions(conditions);
  case ExprKind::LessEqualZero:
  case ExprKind::EqualZero:
  case ExprKind::NotEqualZero:
    return whyFalseComparison(expr);
  case ExprKind::And:
    for (Expr part : expr.operands()) {
      if (std::optional<Positions> why = whyFalse(part)) {
        return why;
      }
    }
    return std::nullopt;
  case ExprKind::Or: {
    Positions all(conditions);
    for (Expr part : expr.operands()) {
      std::optional<Positions> why = whyFalse(part);
      if (!why) {
        return std::nullopt;
      }
      all |= *why;
    }
    return all;
  }
  default:
    return std::nullopt;
  }
}

void Refutation::refuteLiterals() {
  for (size_t i = 0; i < literals.size() && !done; ++i) {
    Literal literal = literals[i];
    if (std::optional<Positions> why = whyFalse(literal.expr)) {
      *why |= literal.from;
      contradiction(*why);
      return;
    }
    if (present.contains(context.negate(literal.expr).raw())) {
      for (const Literal &other : literals) {
        if (other.expr == context.negate(literal.expr)) {
          Positions both = literal.from;
          both |= other.from;
          contradiction(both);
          return;
        }
      }
    }
    if (!literal.expr.is(ExprKind::Or)) {
      continue;
    }
    Positions from = literal.from;
    llvm::SmallVector<Expr, 4> left;
    for (Expr part : literal.expr.operands()) {
      if (std::optional<Positions> why = whyFalse(part)) {
        from |= *why;
      } else {
        left.push_back(part);
      }
    }
    if (left.size() < literal.expr.operands().size()) {
      literals[i].expr = context.boolean(true);
      add(context.disjunction(left), from);
    }
  }
}

bool Refutation::run(llvm::ArrayRef<Expr> given) {
  // The last conditions are the goal and the innermost facts: they must not be the ones beyond the limit.
  for (unsigned i = given.size(); i-- > 0;) {
    Positions from(conditions);
    from.set(i);
    if (add(given[i], from)) {
      return true;
    }
  }
  for (unsigned round = 0; round < maxRounds && !done; ++round) {
    changed = false;
    propagate();
    if (!done) {
      opposeBounds();
    }
    if (!done) {
      refuteLiterals();
    }
    if (!done) {
      splitEquations();
    }
    if (!done) {
      eliminate();
    }
    if (!changed) {
      break;
    }
  }
  return done;
}

} // namespace

std::optional<std::vector<unsigned>> contradictionByRules(ExprContext &context,
                                                          llvm::ArrayRef<Expr> conditions) {
  Refutation refutation(context, conditions.size());
  if (!refutation.run(conditions)) {
    return std::nullopt;
  }
  std::vector<unsigned> used;
  for (unsigned position : refutation.proof.set_bits()) {
    used.push_back(position);
  }
  return used;
}

} // namespace tessera::solver
