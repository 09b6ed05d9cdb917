//===- ExprPrint.cpp - terms as a person writes them ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conditions are printed with positive summands on both sides: `i - N + 1 <= 0` reads `i < N`.
//
//===----------------------------------------------------------------------===//

#include "TermOrder.h"

#include "tessera/Solver/ExprContext.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

namespace tessera::solver {

namespace {

enum Level { orLevel, andLevel, sumLevel, productLevel, atomLevel };

class Printer {
public:
  explicit Printer(llvm::raw_ostream &os) : os(os) {}
  void print(Expr expr, Level level);

private:
  void list(llvm::ArrayRef<Expr> exprs, llvm::StringRef separator, Level level) {
    llvm::interleave(exprs, os, [&](Expr e) { print(e, level); }, separator);
  }
  void call(llvm::StringRef name, llvm::ArrayRef<Expr> arguments) {
    os << name << '(';
    list(arguments, ", ", orLevel);
    os << ')';
  }
  void term(Int coefficient, Expr atom, bool first);
  void sum(const Linear &form);
  void comparison(Expr expr);

  llvm::raw_ostream &os;
};

void Printer::term(Int coefficient, Expr atom, bool first) {
  bool negative = coefficient < 0;
  os << (first ? (negative ? "-" : "") : (negative ? " - " : " + "));
  Int magnitude = negative ? -coefficient : coefficient;
  if (magnitude != 1) {
    os << toString(magnitude) << " * ";
    // `4 * x // 8` would read as `(4 * x) // 8`.
    print(atom, atomLevel);
    return;
  }
  print(atom, productLevel);
}

void Printer::sum(const Linear &unordered) {
  // Large strides first, as addresses are written: `128 * j + i`.
  Linear form = unordered;
  auto magnitude = [](const Term &t) { return t.coefficient < 0 ? -t.coefficient : t.coefficient; };
  llvm::sort(form.terms, [&](const Term &a, const Term &b) {
    Int x = magnitude(a), y = magnitude(b);
    return x != y ? x > y : termBefore(a.atom, b.atom);
  });
  bool first = true;
  for (bool negative : {false, true}) {
    for (const Term &summand : form.terms) {
      if ((summand.coefficient < 0) == negative) {
        term(summand.coefficient, summand.atom, first);
        first = false;
      }
    }
  }
  if (first) {
    os << toString(form.constant);
  } else if (form.constant != 0) {
    os << (form.constant < 0 ? " - " : " + ")
       << toString(form.constant < 0 ? -form.constant : form.constant);
  }
}

void Printer::comparison(Expr expr) {
  Linear form = linearForm(expr.operands()[0]);
  bool isOrder = expr.is(ExprKind::LessEqualZero);
  Linear left, right;
  for (const Term &summand : form.terms) {
    if (summand.coefficient > 0) {
      left.terms.push_back(summand);
    } else {
      right.terms.push_back({-summand.coefficient, summand.atom});
    }
  }
  // `a + 3 <= b` keeps its number; `a + 1 <= b` reads better without it.
  bool strict = isOrder && form.constant == 1;
  Int constant = form.constant - (strict ? 1 : 0);
  // Put the constant where it is positive, unless that side has other summands and the other has none.
  if (left.terms.empty() || (constant > 0 && !right.terms.empty())) {
    left.constant = constant;
  } else {
    right.constant = -constant;
  }
  sum(left);
  os << (isOrder ? (strict ? " < " : " <= ") : expr.is(ExprKind::EqualZero) ? " = " : " != ");
  sum(right);
}

void Printer::print(Expr expr, Level level) {
  auto grouped = [&](Level own, llvm::function_ref<void()> body) {
    os << (own < level ? "(" : "");
    body();
    os << (own < level ? ")" : "");
  };
  switch (expr.kind()) {
  case ExprKind::Invalid:
    os << "<" << expr.reason() << ">";
    return;
  case ExprKind::Constant:
    return grouped(expr.value() < 0 ? sumLevel : atomLevel, [&] { os << toString(expr.value()); });
  case ExprKind::Symbol:
    os << expr.declaration().name;
    return;
  case ExprKind::Apply:
    return call(expr.declaration().name, expr.operands());
  case ExprKind::FloorDiv:
  case ExprKind::Mod:
    return grouped(productLevel, [&] {
      print(expr.operands()[0], atomLevel);
      os << (expr.is(ExprKind::Mod) ? " % " : " // ") << toString(expr.value());
    });
  case ExprKind::Min:
    return call("min", expr.operands());
  case ExprKind::Max:
    return call("max", expr.operands());
  case ExprKind::Select:
    return call("select", expr.operands());
  case ExprKind::Product:
    return grouped(productLevel, [&] { list(expr.operands(), " * ", atomLevel); });
  case ExprKind::Sum: {
    Linear form = linearForm(expr);
    bool single = form.terms.size() == 1 && form.constant == 0 && form.terms[0].coefficient > 0;
    return grouped(single ? productLevel : sumLevel, [&] { sum(form); });
  }
  case ExprKind::False:
    os << "false";
    return;
  case ExprKind::True:
    os << "true";
    return;
  case ExprKind::LessEqualZero:
  case ExprKind::EqualZero:
  case ExprKind::NotEqualZero:
    return grouped(sumLevel, [&] { comparison(expr); });
  case ExprKind::Not:
    os << "not ";
    return print(expr.operands()[0], atomLevel);
  case ExprKind::And:
    return grouped(andLevel, [&] { list(expr.operands(), " and ", sumLevel); });
  case ExprKind::Or:
    return grouped(orLevel, [&] { list(expr.operands(), " or ", andLevel); });
  }
}

} // namespace

std::string Expr::str() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (isNull()) {
    os << "<a term is missing>";
  } else {
    Printer(os).print(*this, orLevel);
  }
  return text;
}

} // namespace tessera::solver
