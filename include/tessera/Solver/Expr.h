//===- Expr.h - terms that proofs are made of ---------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integer terms and conditions over named symbols: what a primitive says about loops, indices and sizes. Terms are
// immutable and hash-consed in an ExprContext; two terms of one context are equal as written in normal form iff their
// handles are equal. Every term is simplified when it is made:
//
//   sums        sum of coefficient * atom + constant, atoms in a fixed order that does not depend on history
//   products    distributed over sums; a product of atoms is itself an atom and marked nonlinear
//   // and %    by positive constants, floor semantics; multiples are moved out, c * (x // c) + x % c folds to x
//   conditions  `sum <= 0`, `sum = 0`, `sum != 0` with coprime coefficients, `and`, `or`; negation is pushed inwards
//
// A term that cannot be built (a constant beyond 2^120, a divisor that is not positive, a condition where a number
// belongs) is an Invalid term with a reason; it spreads to everything made from it, and proving with it is refused.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_SOLVER_EXPR_H
#define TESSERA_SOLVER_EXPR_H

#include "tessera/Solver/Range.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

#include <map>
#include <vector>

namespace tessera::solver {

class ExprContext;
struct ExprNode;

enum class ExprKind : uint8_t {
  Invalid,
  // Numbers; Symbol and Apply may also be conditions.
  Constant,
  Symbol,
  Apply, ///< an uninterpreted function of numbers, for gathered indices and data-dependent guards
  FloorDiv, ///< operand // value
  Mod,      ///< operand % value
  Min,
  Max,
  Select, ///< operands: condition, then, else
  Product,
  Sum, ///< terms + value
  // Conditions.
  False,
  True,
  LessEqualZero,
  EqualZero,
  NotEqualZero,
  Not, ///< of a Symbol or Apply only
  And,
  Or,
};

/// What a symbol stands for; a witness is made small in sizes first, then in indices.
enum class Role : uint8_t { Size, Index, Condition };

/// A declared name: a symbol (no parameters) or an uninterpreted function.
struct Declaration {
  std::string name;
  Role role = Role::Index;
  Range range;             ///< of the value, declared; always a fact
  unsigned parameters = 0; ///< number of arguments
  bool boolean = false;
};

/// A handle to a term. Cheap to copy; valid as long as its context. `==` asks whether two terms are the same term;
/// comparisons of numbers are made with `eq`, `ne` and the operators below.
class Expr {
public:
  Expr() = default;
  explicit Expr(const ExprNode *node) : node(node) {}

  bool isNull() const { return !node; }
  ExprKind kind() const;
  bool is(ExprKind k) const { return node && kind() == k; }
  bool isInvalid() const { return is(ExprKind::Invalid); }
  bool isTrue() const { return is(ExprKind::True); }
  bool isFalse() const { return is(ExprKind::False); }
  bool isBool() const;
  /// Contains a product of two atoms.
  bool isNonlinear() const;
  std::optional<Int> constant() const;
  /// Values the term can take, from declared ranges alone.
  Range range() const;

  /// The divisor of `//` and `%`, the constant of a sum.
  Int value() const;
  llvm::ArrayRef<struct Term> terms() const;
  llvm::ArrayRef<Expr> operands() const;
  const Declaration &declaration() const;
  /// Of an Invalid term: why it could not be made.
  llvm::StringRef reason() const;
  ExprContext &context() const;

  /// As a person would write it: `128 * io + ii < M`.
  std::string str() const;

  bool operator==(Expr other) const { return node == other.node; }
  bool operator!=(Expr other) const { return node != other.node; }
  const ExprNode *raw() const { return node; }

private:
  const ExprNode *node = nullptr;
};

/// One summand of a sum.
struct Term {
  Int coefficient = 0;
  Expr atom;
};

/// A number as coefficient * atom summands and a constant.
struct Linear {
  llvm::SmallVector<Term, 4> terms;
  Int constant = 0;
};
Linear linearForm(Expr number);

Expr operator+(Expr a, Expr b);
Expr operator-(Expr a, Expr b);
Expr operator*(Expr a, Expr b);
Expr operator-(Expr a);
Expr operator+(Expr a, Int b);
Expr operator-(Expr a, Int b);
Expr operator*(Expr a, Int b);
Expr operator+(Int a, Expr b);
Expr operator-(Int a, Expr b);
Expr operator*(Int a, Expr b);
Expr floorDiv(Expr a, Int c);
/// Smallest integer >= a / c.
Expr ceilDiv(Expr a, Int c);
Expr mod(Expr a, Int c);
Expr min(Expr a, Expr b);
Expr max(Expr a, Expr b);
Expr select(Expr condition, Expr a, Expr b);

Expr eq(Expr a, Expr b);
Expr ne(Expr a, Expr b);
Expr eq(Expr a, Int b);
Expr ne(Expr a, Int b);
Expr operator<=(Expr a, Expr b);
Expr operator<(Expr a, Expr b);
Expr operator>=(Expr a, Expr b);
Expr operator>(Expr a, Expr b);
Expr operator<=(Expr a, Int b);
Expr operator<(Expr a, Int b);
Expr operator>=(Expr a, Int b);
Expr operator>(Expr a, Int b);
Expr operator<=(Int a, Expr b);
Expr operator<(Int a, Expr b);

Expr operator!(Expr a);
Expr operator&&(Expr a, Expr b);
Expr operator||(Expr a, Expr b);
Expr implies(Expr a, Expr b);

/// Values of symbols and of function applications. Conditions are 0 or 1.
struct Assignment {
  llvm::DenseMap<const ExprNode *, Int> symbols;
  std::map<std::pair<const Declaration *, std::vector<Int>>, Int> functions;

  void set(Expr symbol, Int value) { symbols[symbol.raw()] = value; }
};

/// The value of a term; nothing when a symbol or application has no value or a number leaves the span.
std::optional<Int> evaluate(Expr expr, const Assignment &assignment);

/// Replaces atoms (symbols, applications, // and % terms) by terms and simplifies again.
using Substitution = llvm::DenseMap<const ExprNode *, Expr>;
Expr substitute(Expr expr, const Substitution &substitution);

/// Symbols and applications that occur, each once, in a fixed order of the term.
void collectAtoms(llvm::ArrayRef<Expr> exprs, llvm::SmallVectorImpl<Expr> &atoms);
/// Products that occur, each once.
void collectProducts(llvm::ArrayRef<Expr> exprs, llvm::SmallVectorImpl<Expr> &products);
bool contains(Expr expr, Expr atom);

} // namespace tessera::solver

#endif // TESSERA_SOLVER_EXPR_H
