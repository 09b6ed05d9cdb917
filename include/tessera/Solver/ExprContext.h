//===- ExprContext.h - owner and maker of terms -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One context per compile; terms live as long as it. Not thread safe. Symbols are found by name: the same name with the
// same declaration is the same symbol; with another declaration it is another symbol, printed as `name#2`. Two loops of one
// name need `fresh`.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_SOLVER_EXPRCONTEXT_H
#define TESSERA_SOLVER_EXPRCONTEXT_H

#include "tessera/Solver/Expr.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Allocator.h"

#include <memory>

namespace tessera::solver {

/// The stored form of a term. Read it through Expr.
struct ExprNode {
  ExprContext *context = nullptr;
  ExprKind kind = ExprKind::Invalid;
  bool boolean = false;
  bool nonlinear = false;
  unsigned depth = 0;
  unsigned id = 0;
  uint64_t hash = 0;
  Int value = 0;
  llvm::ArrayRef<Term> terms;
  llvm::ArrayRef<Expr> operands;
  const Declaration *declaration = nullptr;
  llvm::StringRef reason;
  Range range;
  ExprNode *next = nullptr;
};

class ExprContext {
public:
  /// Terms nested deeper than this are Invalid: walks over terms are recursive.
  static constexpr unsigned maxDepth = 1000;
  /// Products of sums with more summands than this stay undistributed.
  static constexpr unsigned maxDistributed = 64;

  ExprContext();
  ExprContext(const ExprContext &) = delete;
  ExprContext &operator=(const ExprContext &) = delete;

  Expr constant(Int value);
  Expr boolean(bool value);
  Expr invalid(llvm::StringRef reason);

  /// A size of the program, at least `lo`.
  Expr size(llvm::StringRef name, Int lo = 0, std::optional<Int> hi = std::nullopt);
  Expr index(llvm::StringRef name, Range range = Range::all());
  /// A condition nothing is known about.
  Expr condition(llvm::StringRef name);
  Expr symbol(llvm::StringRef name, Role role, Range range);
  /// A symbol that nothing else has: a number after the name where it is taken.
  Expr fresh(llvm::StringRef name, Role role, Range range = Range::all());
  /// A symbol of one obligation, printed as `name~`. No symbol of the program ends so, so facts of the program never
  /// speak about it.
  Expr local(llvm::StringRef name, Range range = Range::all(), Role role = Role::Index);
  /// The symbol of another instance: the same declaration under the name with one more apostrophe. No other way makes
  /// a name that ends in an apostrophe, so an instance never meets a symbol of the program.
  Expr prime(Expr symbol);

  /// An uninterpreted function; values lie in `range`.
  const Declaration *function(llvm::StringRef name, unsigned parameters,
                              Range range = Range::all());
  const Declaration *predicate(llvm::StringRef name, unsigned parameters);
  Expr apply(const Declaration *function, llvm::ArrayRef<Expr> arguments);

  Expr sum(llvm::ArrayRef<Term> terms, Int constant);
  Expr product(Expr a, Expr b);
  /// For a condition `x % c = r` about a symbol x: the symbol x and c * q + r, where q is a symbol that stands for x // c
  /// wherever it appears. Nothing for other conditions.
  std::optional<std::pair<Expr, Expr>> asMultiple(Expr condition);
  Expr floorDiv(Expr a, Int c);
  Expr mod(Expr a, Int c);
  Expr extremum(bool isMin, llvm::ArrayRef<Expr> numbers);
  Expr select(Expr condition, Expr a, Expr b);

  /// kind: LessEqualZero, EqualZero or NotEqualZero.
  Expr compareZero(ExprKind kind, Expr number);
  Expr negate(Expr condition);
  Expr conjunction(llvm::ArrayRef<Expr> conditions);
  Expr disjunction(llvm::ArrayRef<Expr> conditions);

  /// Number of distinct terms made so far.
  unsigned size() const { return nodeCount; }

private:
  struct Draft;
  Expr intern(const Draft &draft);
  Expr makeAtomProduct(llvm::ArrayRef<Expr> factors);
  Expr negateOnce(Expr condition);
  Expr connective(bool isAnd, llvm::ArrayRef<Expr> conditions);
  const Declaration *declare(Declaration declaration, bool reuse = true);
  Expr symbolOf(const Declaration *declaration);
  /// The reason to give up: an Invalid operand, a term of another context or of the wrong sort; null when all is well.
  Expr unfit(llvm::ArrayRef<Expr> operands, bool boolean);
  bool foldDivisionPairs(llvm::SmallVectorImpl<Term> &terms, Int constant, Expr &result);

  llvm::BumpPtrAllocator allocator;
  llvm::DenseMap<uint64_t, ExprNode *> table;
  llvm::DenseMap<const ExprNode *, Expr> negations;
  llvm::StringMap<llvm::SmallVector<const Declaration *, 1>> names;
  std::vector<std::unique_ptr<Declaration>> declarations;
  unsigned nodeCount = 0;
};

} // namespace tessera::solver

#endif // TESSERA_SOLVER_EXPRCONTEXT_H
