//===- TermOrder.h - rules that the term maker applies ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Private to the library: the order of summands and the arithmetic rules behind ExprContext's makers.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_LIB_SOLVER_TERMORDER_H
#define TESSERA_LIB_SOLVER_TERMORDER_H

#include "tessera/Solver/ExprContext.h"

namespace tessera::solver {

/// A term before it is interned.
struct ExprContext::Draft {
  ExprKind kind = ExprKind::Invalid;
  bool boolean = false;
  Int value = 0;
  llvm::ArrayRef<Term> terms;
  llvm::ArrayRef<Expr> operands;
  const Declaration *declaration = nullptr;
  llvm::StringRef reason;
  Range range;
};

/// A strict total order that depends on names and structure only.
bool termBefore(Expr a, Expr b);

/// Sorts, adds up equal atoms and drops zeros; false when a coefficient leaves the span.
bool mergeTerms(llvm::SmallVectorImpl<Term> &terms);

/// a // c = outside + inside // divisor        a % c = outside + scale * (inside % divisor)
struct DivisionForm {
  bool quotientOnly = false; ///< `outside` is the whole result
  Expr outside, inside;
  Int divisor = 1, scale = 1;
};
bool splitForDivision(Expr a, Int c, bool isMod, DivisionForm &form);

/// Adds `part` to the operands of a minimum (maximum) unless another one is always smaller (larger).
void keepExtremum(bool isMin, Expr part, llvm::SmallVectorImpl<Expr> &kept);

/// The truth of `x kind 0` when all of `range` agrees.
std::optional<bool> decideByRange(ExprKind kind, Range range);

} // namespace tessera::solver

#endif // TESSERA_LIB_SOLVER_TERMORDER_H
