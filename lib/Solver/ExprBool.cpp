//===- ExprBool.cpp - normal form of conditions ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Comparisons with coprime coefficients, flat and sorted connectives, negation pushed down to the comparisons.
//
//===----------------------------------------------------------------------===//

#include "TermOrder.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

namespace tessera::solver {

Expr ExprContext::compareZero(ExprKind kind, Expr number) {
  if (Expr bad = unfit(number, false); !bad.isNull()) {
    return bad;
  }
  if (std::optional<bool> known = decideByRange(kind, number.range())) {
    return boolean(*known);
  }
  Linear form = linearForm(number);
  Int divisor = 0;
  for (const Term &term : form.terms) {
    divisor = gcd(divisor, term.coefficient);
  }
  bool isOrder = kind == ExprKind::LessEqualZero;
  if (!isOrder && floorMod(form.constant, divisor) != 0) {
    return boolean(kind == ExprKind::NotEqualZero);
  }
  // sum + k <= 0 with all coefficients multiples of d: sum / d <= floor(-k / d).
  Int constant = -solver::floorDiv(-form.constant, divisor);
  bool flip = !isOrder && form.terms[0].coefficient < 0;
  for (Term &term : form.terms) {
    term.coefficient = term.coefficient / divisor * (flip ? -1 : 1);
  }
  Expr normal = sum(form.terms, flip ? -constant : constant);
  if (std::optional<bool> known = decideByRange(kind, normal.range())) {
    return boolean(*known);
  }
  Draft draft;
  draft.kind = kind;
  draft.boolean = true;
  draft.operands = normal;
  return intern(draft);
}

Expr ExprContext::negate(Expr condition) {
  if (Expr bad = unfit(condition, true); !bad.isNull()) {
    return bad;
  }
  // Shared conditions are negated once: without this, chains of exclusive choices take exponential time.
  auto known = negations.find(condition.raw());
  if (known != negations.end()) {
    return known->second;
  }
  Expr negated = negateOnce(condition);
  negations[condition.raw()] = negated;
  return negated;
}

Expr ExprContext::negateOnce(Expr condition) {
  switch (condition.kind()) {
  case ExprKind::True:
    return boolean(false);
  case ExprKind::False:
    return boolean(true);
  case ExprKind::LessEqualZero:
    return compareZero(ExprKind::LessEqualZero, 1 - condition.operands()[0]);
  case ExprKind::EqualZero:
    return compareZero(ExprKind::NotEqualZero, condition.operands()[0]);
  case ExprKind::NotEqualZero:
    return compareZero(ExprKind::EqualZero, condition.operands()[0]);
  case ExprKind::Not:
    return condition.operands()[0];
  case ExprKind::And:
  case ExprKind::Or: {
    llvm::SmallVector<Expr, 8> negated;
    for (Expr operand : condition.operands()) {
      negated.push_back(negate(operand));
    }
    return connective(condition.is(ExprKind::Or), negated);
  }
  default: {
    Draft draft;
    draft.kind = ExprKind::Not;
    draft.boolean = true;
    draft.operands = condition;
    return intern(draft);
  }
  }
}

Expr ExprContext::connective(bool isAnd, llvm::ArrayRef<Expr> conditions) {
  if (Expr bad = unfit(conditions, true); !bad.isNull()) {
    return bad;
  }
  ExprKind kind = isAnd ? ExprKind::And : ExprKind::Or;
  llvm::SmallVector<Expr, 8> kept;
  for (Expr condition : conditions) {
    llvm::ArrayRef<Expr> parts =
        condition.is(kind) ? condition.operands() : llvm::ArrayRef(condition);
    for (Expr part : parts) {
      if (part.is(isAnd ? ExprKind::False : ExprKind::True)) {
        return part;
      }
      if (!part.is(isAnd ? ExprKind::True : ExprKind::False)) {
        kept.push_back(part);
      }
    }
  }
  llvm::sort(kept, termBefore);
  kept.erase(std::unique(kept.begin(), kept.end()), kept.end());
  for (Expr part : kept) {
    // Only atoms: negating a connective here would make the cost quadratic in its size.
    if (!part.is(ExprKind::And) && !part.is(ExprKind::Or) &&
        llvm::is_contained(kept, negate(part))) {
      return boolean(!isAnd);
    }
  }
  if (kept.empty()) {
    return boolean(isAnd);
  }
  if (kept.size() == 1) {
    return kept[0];
  }
  Draft draft;
  draft.kind = kind;
  draft.boolean = true;
  draft.operands = kept;
  return intern(draft);
}

Expr ExprContext::conjunction(llvm::ArrayRef<Expr> conditions) {
  return connective(/*isAnd=*/true, conditions);
}

Expr ExprContext::disjunction(llvm::ArrayRef<Expr> conditions) {
  return connective(/*isAnd=*/false, conditions);
}

} // namespace tessera::solver
