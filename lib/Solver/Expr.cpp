//===- Expr.cpp - handles of terms and the operators on them --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Expr.h. Operators take the context of their first operand; a missing operand cannot name one, so it is the one
// misuse that gives a null term, which every maker turns into an Invalid term again.
//
//===----------------------------------------------------------------------===//

#include "tessera/Solver/ExprContext.h"

namespace tessera::solver {

ExprKind Expr::kind() const { return node ? node->kind : ExprKind::Invalid; }
bool Expr::isBool() const { return node && node->boolean; }
bool Expr::isNonlinear() const { return node && node->nonlinear; }
Range Expr::range() const { return node ? node->range : Range::all(); }
Int Expr::value() const { return node->value; }
llvm::ArrayRef<Term> Expr::terms() const { return node->terms; }
llvm::ArrayRef<Expr> Expr::operands() const { return node->operands; }
const Declaration &Expr::declaration() const { return *node->declaration; }
ExprContext &Expr::context() const { return *node->context; }

llvm::StringRef Expr::reason() const { return node ? node->reason : "a term is missing"; }

std::optional<Int> Expr::constant() const {
  return is(ExprKind::Constant) ? std::optional<Int>(node->value) : std::nullopt;
}

Linear linearForm(Expr number) {
  Linear form;
  if (number.is(ExprKind::Sum)) {
    form.terms.append(number.terms().begin(), number.terms().end());
    form.constant = number.value();
  } else if (std::optional<Int> constant = number.constant()) {
    form.constant = *constant;
  } else {
    form.terms.push_back({1, number});
  }
  return form;
}

/// The context of either operand; null when both are missing.
static ExprContext *contextOf(Expr a, Expr b = Expr()) {
  return !a.isNull() ? &a.context() : !b.isNull() ? &b.context() : nullptr;
}

static Expr combine(Int x, Expr a, Int y, Expr b) {
  ExprContext *context = contextOf(a, b);
  return context ? context->sum({Term{x, a}, Term{y, b}}, 0) : Expr();
}

static Expr affine(Int x, Expr a, Int constant) {
  return a.isNull() ? a : a.context().sum(Term{x, a}, constant);
}

Expr operator+(Expr a, Expr b) { return combine(1, a, 1, b); }
Expr operator-(Expr a, Expr b) { return combine(1, a, -1, b); }
Expr operator-(Expr a) { return affine(-1, a, 0); }
Expr operator+(Expr a, Int b) { return affine(1, a, b); }
Expr operator-(Expr a, Int b) { return fits(b) ? affine(1, a, -b) : affine(1, a, b); }
Expr operator*(Expr a, Int b) { return affine(b, a, 0); }
Expr operator+(Int a, Expr b) { return b + a; }
Expr operator-(Int a, Expr b) { return affine(-1, b, a); }
Expr operator*(Int a, Expr b) { return b * a; }

Expr operator*(Expr a, Expr b) {
  ExprContext *context = contextOf(a, b);
  return context ? context->product(a, b) : Expr();
}

Expr floorDiv(Expr a, Int c) { return a.isNull() ? a : a.context().floorDiv(a, c); }
Expr ceilDiv(Expr a, Int c) { return floorDiv(a + (c - 1), c); }
Expr mod(Expr a, Int c) { return a.isNull() ? a : a.context().mod(a, c); }

Expr min(Expr a, Expr b) {
  ExprContext *context = contextOf(a, b);
  return context ? context->extremum(/*isMin=*/true, {a, b}) : Expr();
}

Expr max(Expr a, Expr b) {
  ExprContext *context = contextOf(a, b);
  return context ? context->extremum(/*isMin=*/false, {a, b}) : Expr();
}

Expr select(Expr condition, Expr a, Expr b) {
  return condition.isNull() ? condition : condition.context().select(condition, a, b);
}

static Expr compare(ExprKind kind, Expr difference) {
  return difference.isNull() ? difference : difference.context().compareZero(kind, difference);
}

Expr eq(Expr a, Expr b) { return compare(ExprKind::EqualZero, a - b); }
Expr ne(Expr a, Expr b) { return compare(ExprKind::NotEqualZero, a - b); }
Expr eq(Expr a, Int b) { return compare(ExprKind::EqualZero, a - b); }
Expr ne(Expr a, Int b) { return compare(ExprKind::NotEqualZero, a - b); }
Expr operator<=(Expr a, Expr b) { return compare(ExprKind::LessEqualZero, a - b); }
Expr operator<(Expr a, Expr b) { return compare(ExprKind::LessEqualZero, a - b + 1); }
Expr operator>=(Expr a, Expr b) { return b <= a; }
Expr operator>(Expr a, Expr b) { return b < a; }
Expr operator<=(Expr a, Int b) { return compare(ExprKind::LessEqualZero, a - b); }
Expr operator<(Expr a, Int b) { return compare(ExprKind::LessEqualZero, a - b + 1); }
Expr operator>=(Expr a, Int b) { return compare(ExprKind::LessEqualZero, b - a); }
Expr operator>(Expr a, Int b) { return compare(ExprKind::LessEqualZero, b - a + 1); }
Expr operator<=(Int a, Expr b) { return b >= a; }
Expr operator<(Int a, Expr b) { return b > a; }

Expr operator!(Expr a) { return a.isNull() ? a : a.context().negate(a); }

Expr operator&&(Expr a, Expr b) {
  ExprContext *context = contextOf(a, b);
  return context ? context->conjunction({a, b}) : Expr();
}

Expr operator||(Expr a, Expr b) {
  ExprContext *context = contextOf(a, b);
  return context ? context->disjunction({a, b}) : Expr();
}

Expr implies(Expr a, Expr b) { return !a || b; }

} // namespace tessera::solver
