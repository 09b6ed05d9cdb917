//===- ExprArith.cpp - normal form of sums, products and divisions --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rules that simplify numbers while they are made. Each is an identity of integers under floor division; with
// c > 0 and g the divisor of c and of all coefficients of R:
//
//   (c * A + R) // c       = A + R // c                      (c * A + R) % c = R % c
//   (g * R + s) // (g * d) = R // d            0 <= s < g     (g * R + s) % (g * d) = g * (R % d) + s
//   (x // a) // b          = x // (a * b)                    k * (x % a) = k * x  modulo c, if c divides k * a
//   c * (x // c) + x % c   = x
//
//===----------------------------------------------------------------------===//

#include "TermOrder.h"

#include "tessera/Solver/ExprContext.h"

#include "llvm/ADT/STLExtras.h"

namespace tessera::solver {

bool mergeTerms(llvm::SmallVectorImpl<Term> &terms) {
  llvm::sort(terms, [](const Term &a, const Term &b) { return termBefore(a.atom, b.atom); });
  size_t kept = 0;
  for (size_t i = 0; i < terms.size();) {
    Term merged = terms[i++];
    for (; i < terms.size() && terms[i].atom == merged.atom; ++i) {
      std::optional<Int> both = checkedAdd(merged.coefficient, terms[i].coefficient);
      if (!both) {
        return false;
      }
      merged.coefficient = *both;
    }
    if (merged.coefficient != 0) {
      terms[kept++] = merged;
    }
  }
  terms.truncate(kept);
  return true;
}

bool ExprContext::foldDivisionPairs(llvm::SmallVectorImpl<Term> &terms, Int constant,
                                    Expr &result) {
  for (const Term &rest : terms) {
    if (!rest.atom.is(ExprKind::Mod)) {
      continue;
    }
    Int divisor = rest.atom.value();
    std::optional<Int> wanted = checkedMul(rest.coefficient, divisor);
    if (!wanted) {
      continue;
    }
    Expr inside = rest.atom.operands()[0];
    for (const Term &quotient : terms) {
      if (quotient.atom.is(ExprKind::FloorDiv) && quotient.atom.value() == divisor &&
          quotient.atom.operands()[0] == inside && quotient.coefficient == *wanted) {
        llvm::SmallVector<Term, 8> others;
        for (const Term &term : terms) {
          if (term.atom != rest.atom && term.atom != quotient.atom) {
            others.push_back(term);
          }
        }
        others.push_back({rest.coefficient, inside});
        result = sum(others, constant);
        return true;
      }
    }
  }
  return false;
}

Expr ExprContext::product(Expr a, Expr b) {
  if (Expr bad = unfit({a, b}, false); !bad.isNull()) {
    return bad;
  }
  if (b.constant()) {
    std::swap(a, b);
  }
  if (std::optional<Int> factor = a.constant()) {
    return *factor == 0 ? constant(0) : sum(Term{*factor, b}, 0);
  }
  Linear left = linearForm(a), right = linearForm(b);
  if (left.terms.size() * right.terms.size() > maxDistributed) {
    Expr factors[] = {a, b};
    llvm::sort(factors, termBefore);
    return makeAtomProduct(factors);
  }
  llvm::SmallVector<Term, 16> terms;
  std::optional<Int> constant = checkedMul(left.constant, right.constant);
  for (const Term &x : left.terms) {
    terms.push_back({right.constant, x.atom});
    std::optional<Int> scaled = checkedMul(x.coefficient, right.constant);
    if (!scaled) {
      return invalid("a number is beyond 2^120");
    }
    terms.back().coefficient = *scaled;
    for (const Term &y : right.terms) {
      std::optional<Int> coefficient = checkedMul(x.coefficient, y.coefficient);
      llvm::SmallVector<Expr, 4> factors;
      for (Expr atom : {x.atom, y.atom}) {
        if (atom.is(ExprKind::Product)) {
          factors.append(atom.operands().begin(), atom.operands().end());
        } else {
          factors.push_back(atom);
        }
      }
      if (!coefficient || factors.size() > maxDistributed) {
        return invalid("a number is beyond 2^120");
      }
      llvm::sort(factors, termBefore);
      terms.push_back({*coefficient, makeAtomProduct(factors)});
    }
  }
  for (const Term &y : right.terms) {
    std::optional<Int> scaled = checkedMul(y.coefficient, left.constant);
    if (!scaled) {
      return invalid("a number is beyond 2^120");
    }
    terms.push_back({*scaled, y.atom});
  }
  return constant ? sum(terms, *constant) : invalid("a number is beyond 2^120");
}

std::optional<std::pair<Expr, Expr>> ExprContext::asMultiple(Expr condition) {
  if (!condition.is(ExprKind::EqualZero)) {
    return std::nullopt;
  }
  Linear form = linearForm(condition.operands()[0]);
  if (form.terms.size() != 1 || form.terms[0].coefficient != 1 ||
      !form.terms[0].atom.is(ExprKind::Mod)) {
    return std::nullopt;
  }
  Expr remainder = form.terms[0].atom, x = remainder.operands()[0];
  Int c = remainder.value();
  if (!x.is(ExprKind::Symbol)) {
    return std::nullopt;
  }
  // c * q + r stays in x's range exactly when q stays in this one.
  Range range = x.range() + Range::exactly(form.constant);
  range = {range.lo ? std::optional<Int>(-solver::floorDiv(-*range.lo, c)) : std::nullopt,
           range.hi ? std::optional<Int>(solver::floorDiv(*range.hi, c)) : std::nullopt};
  if (range.isEmpty()) {
    return std::nullopt;
  }
  const Declaration &name = x.declaration();
  Expr quotient = local(name.name + "//" + toString(c), range, name.role);
  return std::pair(x, quotient * c - form.constant);
}

/// k * (x % a) is k * x modulo c when c divides k * a.
static Expr openRemainders(Expr a, Int c) {
  Linear form = linearForm(a);
  bool opened = false;
  for (Term &term : form.terms) {
    if (!term.atom.is(ExprKind::Mod)) {
      continue;
    }
    std::optional<Int> span = checkedMul(term.coefficient, term.atom.value());
    if (span && *span % c == 0) {
      term.atom = term.atom.operands()[0];
      opened = true;
    }
  }
  return opened ? a.context().sum(form.terms, form.constant) : a;
}

bool splitForDivision(Expr a, Int c, bool isMod, DivisionForm &form) {
  ExprContext &context = a.context();
  Linear all = linearForm(isMod ? openRemainders(a, c) : a);
  llvm::SmallVector<Term, 8> multiples, rest;
  Int divisor = c;
  for (const Term &term : all.terms) {
    if (term.coefficient % c == 0) {
      multiples.push_back({term.coefficient / c, term.atom});
    } else {
      rest.push_back(term);
      divisor = gcd(divisor, term.coefficient);
    }
  }
  Int remainder = floorMod(all.constant, c);
  form.outside = isMod ? context.constant(0) : context.sum(multiples, floorDiv(all.constant, c));
  for (Term &term : rest) {
    term.coefficient /= divisor;
  }
  form.inside = context.sum(rest, remainder / divisor);
  form.divisor = c / divisor;
  form.scale = divisor;
  if (form.inside.isInvalid() || form.outside.isInvalid()) {
    return false;
  }
  if (!isMod) {
    // A quotient of a quotient, with a constant in between that multiplies in.
    Linear inner = linearForm(form.inside);
    if (inner.terms.size() == 1 && inner.terms[0].coefficient == 1 &&
        inner.terms[0].atom.is(ExprKind::FloorDiv)) {
      Expr quotient = inner.terms[0].atom;
      std::optional<Int> both = checkedMul(quotient.value(), form.divisor);
      std::optional<Int> shift = checkedMul(quotient.value(), inner.constant);
      if (both && shift) {
        form.outside = form.outside + context.floorDiv(quotient.operands()[0] + *shift, *both);
        form.quotientOnly = true;
        return !form.outside.isInvalid();
      }
    }
  } else {
    form.outside = context.constant(remainder % divisor);
  }
  Range range = form.inside.range();
  if (range.lo && range.hi &&
      floorDiv(*range.lo, form.divisor) == floorDiv(*range.hi, form.divisor)) {
    Int quotient = floorDiv(*range.lo, form.divisor);
    form.outside = isMod ? form.outside + (form.inside - quotient * form.divisor) * form.scale
                         : form.outside + quotient;
    form.quotientOnly = true;
  }
  return !form.outside.isInvalid();
}

void keepExtremum(bool isMin, Expr part, llvm::SmallVectorImpl<Expr> &kept) {
  auto neverBelow = [isMin](Expr a, Expr b) {
    Range difference = isMin ? (a - b).range() : (b - a).range();
    return difference.lo && *difference.lo >= 0;
  };
  if (llvm::any_of(kept, [&](Expr other) { return neverBelow(part, other); })) {
    return;
  }
  llvm::erase_if(kept, [&](Expr other) { return neverBelow(other, part); });
  kept.push_back(part);
}

std::optional<bool> decideByRange(ExprKind kind, Range range) {
  bool pinned = range.lo && range.hi && *range.lo == *range.hi;
  switch (kind) {
  case ExprKind::LessEqualZero:
    if (range.hi && *range.hi <= 0) {
      return true;
    }
    if (range.lo && *range.lo > 0) {
      return false;
    }
    return std::nullopt;
  case ExprKind::EqualZero:
  case ExprKind::NotEqualZero:
    if (!range.contains(0)) {
      return kind == ExprKind::NotEqualZero;
    }
    if (pinned) {
      return kind == ExprKind::EqualZero;
    }
    return std::nullopt;
  default:
    return std::nullopt;
  }
}

} // namespace tessera::solver
