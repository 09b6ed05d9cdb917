//===- ExprWalk.cpp - evaluation, substitution, occurrences ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Walks over shared terms visit every term once; the depth limit of ExprContext bounds the recursion.
//
//===----------------------------------------------------------------------===//

#include "tessera/Solver/ExprContext.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

namespace tessera::solver {

namespace {

/// One evaluation under one assignment.
class Evaluation {
public:
  explicit Evaluation(const Assignment &assignment) : assignment(assignment) {}

  std::optional<Int> of(Expr expr) {
    auto known = values.find(expr.raw());
    if (known != values.end()) {
      return known->second;
    }
    std::optional<Int> value = compute(expr);
    values[expr.raw()] = value;
    return value;
  }

private:
  std::optional<Int> compute(Expr expr);
  std::optional<Int> linear(Expr expr);
  std::optional<Int> applied(Expr expr);
  std::optional<Int> extremum(Expr expr);
  std::optional<Int> product(Expr expr);
  std::optional<Int> connective(Expr expr);
  std::optional<Int> ofOperand(Expr expr) { return of(expr.operands()[0]); }

  const Assignment &assignment;
  llvm::DenseMap<const ExprNode *, std::optional<Int>> values;
};

std::optional<Int> Evaluation::linear(Expr expr) {
  std::optional<Int> total = expr.value();
  for (const Term &term : expr.terms()) {
    std::optional<Int> atom = of(term.atom);
    std::optional<Int> scaled = atom ? checkedMul(*atom, term.coefficient) : std::nullopt;
    total = scaled ? checkedAdd(*total, *scaled) : std::nullopt;
    if (!total) {
      return std::nullopt;
    }
  }
  return total;
}

std::optional<Int> Evaluation::applied(Expr expr) {
  std::vector<Int> arguments;
  for (Expr operand : expr.operands()) {
    std::optional<Int> value = of(operand);
    if (!value) {
      return std::nullopt;
    }
    arguments.push_back(*value);
  }
  auto found = assignment.functions.find({&expr.declaration(), arguments});
  return found == assignment.functions.end() ? std::nullopt : std::optional<Int>(found->second);
}

std::optional<Int> Evaluation::extremum(Expr expr) {
  std::optional<Int> best;
  for (Expr operand : expr.operands()) {
    std::optional<Int> value = of(operand);
    if (!value) {
      return std::nullopt;
    }
    best = !best                    ? *value
           : expr.is(ExprKind::Min) ? std::min(*best, *value)
                                    : std::max(*best, *value);
  }
  return best;
}

std::optional<Int> Evaluation::product(Expr expr) {
  std::optional<Int> total = 1;
  for (Expr operand : expr.operands()) {
    std::optional<Int> value = of(operand);
    total = value ? checkedMul(*total, *value) : std::nullopt;
    if (!total) {
      return std::nullopt;
    }
  }
  return total;
}

std::optional<Int> Evaluation::connective(Expr expr) {
  bool isAnd = expr.is(ExprKind::And), unknown = false;
  for (Expr operand : expr.operands()) {
    std::optional<Int> value = of(operand);
    if (value && (*value != 0) != isAnd) {
      return !isAnd;
    }
    unknown |= !value;
  }
  return unknown ? std::nullopt : std::optional<Int>(isAnd);
}

std::optional<Int> Evaluation::compute(Expr expr) {
  switch (expr.kind()) {
  case ExprKind::Invalid:
    return std::nullopt;
  case ExprKind::Constant:
    return expr.value();
  case ExprKind::Symbol: {
    auto found = assignment.symbols.find(expr.raw());
    return found == assignment.symbols.end() ? std::nullopt : std::optional<Int>(found->second);
  }
  case ExprKind::Apply:
    return applied(expr);
  case ExprKind::FloorDiv:
  case ExprKind::Mod: {
    std::optional<Int> value = ofOperand(expr);
    if (!value) {
      return std::nullopt;
    }
    return expr.is(ExprKind::Mod) ? floorMod(*value, expr.value()) : floorDiv(*value, expr.value());
  }
  case ExprKind::Min:
  case ExprKind::Max:
    return extremum(expr);
  case ExprKind::Select: {
    std::optional<Int> condition = ofOperand(expr);
    return condition ? of(expr.operands()[*condition ? 1 : 2]) : std::nullopt;
  }
  case ExprKind::Product:
    return product(expr);
  case ExprKind::Sum:
    return linear(expr);
  case ExprKind::False:
    return 0;
  case ExprKind::True:
    return 1;
  case ExprKind::LessEqualZero:
  case ExprKind::EqualZero:
  case ExprKind::NotEqualZero:
  case ExprKind::Not: {
    std::optional<Int> value = ofOperand(expr);
    if (!value) {
      return std::nullopt;
    }
    return expr.is(ExprKind::LessEqualZero)  ? *value <= 0
           : expr.is(ExprKind::NotEqualZero) ? *value != 0
                                             : *value == 0;
  }
  case ExprKind::And:
  case ExprKind::Or:
    return connective(expr);
  }
  return std::nullopt;
}

} // namespace

std::optional<Int> evaluate(Expr expr, const Assignment &assignment) {
  return expr.isNull() ? std::nullopt : Evaluation(assignment).of(expr);
}

//===----------------------------------------------------------------------===//
// Substitution
//===----------------------------------------------------------------------===//

namespace {

class Rewriting {
public:
  explicit Rewriting(const Substitution &substitution) : substitution(substitution) {}

  Expr of(Expr expr) {
    auto wanted = substitution.find(expr.raw());
    if (wanted != substitution.end()) {
      return wanted->second;
    }
    auto known = rewritten.find(expr.raw());
    if (known != rewritten.end()) {
      return known->second;
    }
    Expr result = rebuild(expr);
    rewritten[expr.raw()] = result;
    return result;
  }

private:
  Expr rebuild(Expr expr);

  const Substitution &substitution;
  llvm::DenseMap<const ExprNode *, Expr> rewritten;
};

Expr Rewriting::rebuild(Expr expr) {
  ExprContext &context = expr.context();
  llvm::SmallVector<Expr, 4> operands;
  bool same = true;
  for (Expr operand : expr.operands()) {
    operands.push_back(of(operand));
    same &= operands.back() == operand;
  }
  llvm::SmallVector<Term, 8> terms;
  for (const Term &term : expr.terms()) {
    terms.push_back({term.coefficient, of(term.atom)});
    same &= terms.back().atom == term.atom;
  }
  if (same) {
    return expr;
  }
  switch (expr.kind()) {
  case ExprKind::Apply:
    return context.apply(&expr.declaration(), operands);
  case ExprKind::FloorDiv:
    return context.floorDiv(operands[0], expr.value());
  case ExprKind::Mod:
    return context.mod(operands[0], expr.value());
  case ExprKind::Min:
  case ExprKind::Max:
    return context.extremum(expr.is(ExprKind::Min), operands);
  case ExprKind::Select:
    return context.select(operands[0], operands[1], operands[2]);
  case ExprKind::Product: {
    Expr result = operands[0];
    for (Expr factor : llvm::drop_begin(operands)) {
      result = context.product(result, factor);
    }
    return result;
  }
  case ExprKind::Sum:
    return context.sum(terms, expr.value());
  case ExprKind::LessEqualZero:
  case ExprKind::EqualZero:
  case ExprKind::NotEqualZero:
    return context.compareZero(expr.kind(), operands[0]);
  case ExprKind::Not:
    return context.negate(operands[0]);
  case ExprKind::And:
    return context.conjunction(operands);
  case ExprKind::Or:
    return context.disjunction(operands);
  default: // no operands: the same term was returned above
    return expr;
  }
}

/// Calls `visit` on every distinct term, operands first.
template <typename Visit>
void walk(Expr expr, llvm::DenseSet<const ExprNode *> &seen, Visit visit) {
  if (expr.isNull() || !seen.insert(expr.raw()).second) {
    return;
  }
  for (Expr operand : expr.operands()) {
    walk(operand, seen, visit);
  }
  for (const Term &term : expr.terms()) {
    walk(term.atom, seen, visit);
  }
  visit(expr);
}

} // namespace

Expr substitute(Expr expr, const Substitution &substitution) {
  return expr.isNull() || substitution.empty() ? expr : Rewriting(substitution).of(expr);
}

void collectAtoms(llvm::ArrayRef<Expr> exprs, llvm::SmallVectorImpl<Expr> &atoms) {
  llvm::DenseSet<const ExprNode *> seen;
  for (Expr expr : exprs) {
    walk(expr, seen, [&](Expr e) {
      if (e.is(ExprKind::Symbol) || e.is(ExprKind::Apply)) {
        atoms.push_back(e);
      }
    });
  }
}

void collectProducts(llvm::ArrayRef<Expr> exprs, llvm::SmallVectorImpl<Expr> &products) {
  llvm::DenseSet<const ExprNode *> seen;
  for (Expr expr : exprs) {
    walk(expr, seen, [&](Expr e) {
      if (e.is(ExprKind::Product)) {
        products.push_back(e);
      }
    });
  }
}

bool contains(Expr expr, Expr atom) {
  llvm::DenseSet<const ExprNode *> seen;
  bool found = false;
  walk(expr, seen, [&](Expr e) { found |= e == atom; });
  return found;
}

} // namespace tessera::solver
