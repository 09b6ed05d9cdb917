//===- SmtText.h - a query as SMT-LIB text ------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Private to the library. The text is the only translation of terms: the solver parses it, the cache hashes it and the
// log writes it, so what is kept is what was solved. Quantifier free; `//` and `%` become one quotient with its two
// bounds, other compound numbers become a constant with its defining constraints, so shared terms are written once.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_LIB_SOLVER_SMTTEXT_H
#define TESSERA_LIB_SOLVER_SMTTEXT_H

#include "tessera/Solver/Expr.h"

namespace tessera::solver {

/// How a product of atoms is written.
enum class Products {
  Exact, ///< as a product: any answer holds
  Axioms, ///< as a new constant with linear facts about products: `unsat` holds, a model must be checked
};

struct SmtQuery {
  /// Declarations, `definitions` assertions that hold for every instance, one assertion for each condition.
  std::string text;
  unsigned definitions = 0;
  unsigned conditions = 0;
  /// Symbols and applications, and the constants of the text that stand for them.
  llvm::SmallVector<std::pair<Expr, std::string>, 8> atoms;
  bool hasFunctions = false;
  bool hasProducts = false;

  llvm::StringRef logic(Products products) const;
};

SmtQuery writeSmt(llvm::ArrayRef<Expr> conditions, Products products);

/// A number in SMT-LIB's notation, which has no negative literals.
std::string smtNumber(Int value);

} // namespace tessera::solver

#endif // TESSERA_LIB_SOLVER_SMTTEXT_H
