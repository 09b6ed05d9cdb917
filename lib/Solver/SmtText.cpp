//===- SmtText.cpp - a query as SMT-LIB text ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names: symbols stand between bars; constants of the translation are q!0 (quotient), z!0 (product), m!0 (minimum or
// maximum), s!0 (select), a!0 (application), c!0 (shared condition), which no symbol can be called.
//
//===----------------------------------------------------------------------===//

#include "SmtText.h"

#include "tessera/Solver/ExprContext.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

namespace tessera::solver {

std::string smtNumber(Int value) {
  return value < 0 ? "(- " + toString(-value) + ")" : toString(value);
}

llvm::StringRef SmtQuery::logic(Products products) const {
  bool nonlinear = hasProducts && products == Products::Exact;
  if (nonlinear) {
    return hasFunctions ? "QF_UFNIA" : "QF_NIA";
  }
  return hasFunctions ? "QF_UFLIA" : "QF_LIA";
}

namespace {

class Writer {
public:
  explicit Writer(Products products) : products(products) {}

  SmtQuery run(llvm::ArrayRef<Expr> conditions);

private:
  struct Factored {
    Expr shared, other;
    std::string product;
  };

  std::string number(Expr expr);
  std::string linear(const Linear &form);
  std::string condition(Expr expr);
  std::string definedCondition(Expr expr);
  std::string symbol(Expr expr);
  std::string applied(Expr expr);
  std::string quotient(Expr inside, Int divisor);
  std::string extremum(Expr expr);
  std::string product(Expr expr);
  void productFacts(const std::string &z, Expr a, Expr b);
  void sharedFactorFacts();
  void ends(const std::string &name, Range range);

  std::string fresh(char kind, bool boolean) {
    std::string name = std::string(1, kind) + "!" + std::to_string(counters[kind]++);
    declarations += "(declare-const " + name + (boolean ? " Bool)\n" : " Int)\n");
    return name;
  }
  void fact(const std::string &body) {
    definitions += "(assert " + body + ")\n";
    ++query.definitions;
  }
  void findShared(Expr expr);

  Products products;
  SmtQuery query;
  std::string declarations, definitions, assertions;
  llvm::DenseMap<const ExprNode *, std::string> names;
  std::map<std::pair<const ExprNode *, Int>, std::string> quotients;
  llvm::DenseSet<const ExprNode *> seenConditions, sharedConditions;
  llvm::DenseSet<const Declaration *> functions;
  std::vector<Factored> factored;
  std::map<char, unsigned> counters;
};

void Writer::ends(const std::string &name, Range range) {
  if (range.lo) {
    fact("(<= " + smtNumber(*range.lo) + " " + name + ")");
  }
  if (range.hi) {
    fact("(<= " + name + " " + smtNumber(*range.hi) + ")");
  }
}

std::string Writer::symbol(Expr expr) {
  std::string name = "|" + expr.declaration().name + "|";
  declarations += "(declare-const " + name + (expr.isBool() ? " Bool)\n" : " Int)\n");
  if (!expr.isBool()) {
    ends(name, expr.range());
  }
  query.atoms.push_back({expr, name});
  return name;
}

std::string Writer::applied(Expr expr) {
  const Declaration &function = expr.declaration();
  // The bar keeps functions apart from symbols: a symbol's name never holds `!`.
  std::string name = "|" + function.name + "!f|";
  if (functions.insert(&function).second) {
    declarations += "(declare-fun " + name + " (";
    for (unsigned i = 0; i < function.parameters; ++i) {
      declarations += i ? " Int" : "Int";
    }
    declarations += function.boolean ? ") Bool)\n" : ") Int)\n";
    query.hasFunctions = true;
  }
  std::string call = "(" + name;
  for (Expr operand : expr.operands()) {
    call += " " + number(operand);
  }
  std::string value = fresh('a', function.boolean);
  fact("(= " + value + " " + call + "))");
  if (!function.boolean) {
    ends(value, function.range);
  }
  query.atoms.push_back({expr, value});
  return value;
}

std::string Writer::quotient(Expr inside, Int divisor) {
  std::string &name = quotients[{inside.raw(), divisor}];
  if (name.empty()) {
    std::string of = number(inside);
    std::string q = fresh('q', false);
    std::string low = "(* " + toString(divisor) + " " + q + ")";
    fact("(<= " + low + " " + of + ")");
    fact("(<= " + of + " (+ " + low + " " + toString(divisor - 1) + "))");
    quotients[{inside.raw(), divisor}] = q;
    return q;
  }
  return name;
}

std::string Writer::extremum(Expr expr) {
  llvm::StringRef order = expr.is(ExprKind::Min) ? "(<= " : "(>= ";
  std::vector<std::string> operands;
  for (Expr operand : expr.operands()) {
    operands.push_back(number(operand));
  }
  std::string m = fresh('m', false), oneOf;
  for (const std::string &operand : operands) {
    fact(order.str() + m + " " + operand + ")");
    oneOf += " (= " + m + " " + operand + ")";
  }
  fact("(or" + oneOf + ")");
  return m;
}

/// Facts of z = a * b that are linear, for every sign the factors can have.
void Writer::productFacts(const std::string &z, Expr a, Expr b) {
  std::string x = number(a), y = number(b);
  auto possible = [](Range range, Int sign) {
    return sign > 0 ? !range.hi || *range.hi >= 1 : !range.lo || *range.lo <= -1;
  };
  if (a.range().contains(0)) {
    fact("(=> (= " + x + " 0) (= " + z + " 0))");
  }
  if (b.range().contains(0)) {
    fact("(=> (= " + y + " 0) (= " + z + " 0))");
  }
  fact("(=> (= " + x + " 1) (= " + z + " " + y + "))");
  fact("(=> (= " + y + " 1) (= " + z + " " + x + "))");
  auto side = [](const std::string &value, Int sign) {
    return sign > 0 ? "(>= " + value + " 1)" : "(<= " + value + " (- 1))";
  };
  auto magnitude = [](const std::string &value, Int sign) {
    return sign > 0 ? value : "(- " + value + ")";
  };
  for (Int s : {1, -1}) {
    for (Int t : {1, -1}) {
      if (possible(a.range(), s) && possible(b.range(), t)) {
        // (|a| - 1) * (|b| - 1) >= 0.
        fact("(=> (and " + side(x, s) + " " + side(y, t) + ") (>= " + magnitude(z, s * t) + " (+ " +
             magnitude(x, s) + " " + magnitude(y, t) + " (- 1))))");
      }
    }
  }
  for (auto [factor, other, name] : {std::tuple(a, b, y), std::tuple(b, a, x)}) {
    bool sign = other.range().lo && *other.range().lo >= 0;
    Range range = factor.range();
    if (sign && range.lo) {
      fact("(>= " + z + " (* " + smtNumber(*range.lo) + " " + name + "))");
    }
    if (sign && range.hi) {
      fact("(<= " + z + " (* " + smtNumber(*range.hi) + " " + name + "))");
    }
  }
  factored.push_back({a, b, z});
  if (a != b) {
    factored.push_back({b, a, z});
  }
}

/// s * d and s * e: equal for equal d and e, and at least s apart otherwise, if s is not negative.
void Writer::sharedFactorFacts() {
  constexpr unsigned maxPairs = 100;
  unsigned pairs = 0;
  for (size_t i = 0; i < factored.size(); ++i) {
    for (size_t j = i + 1; j < factored.size() && pairs < maxPairs; ++j) {
      if (factored[i].shared != factored[j].shared || factored[i].product == factored[j].product) {
        continue;
      }
      ++pairs;
      std::string s = number(factored[i].shared);
      std::string d = number(factored[i].other), e = number(factored[j].other);
      const std::string &x = factored[i].product, &y = factored[j].product;
      fact("(=> (= " + d + " " + e + ") (= " + x + " " + y + "))");
      fact("(=> (and (>= " + s + " 0) (< " + d + " " + e + ")) (<= (+ " + x + " " + s + ") " + y +
           "))");
      fact("(=> (and (>= " + s + " 0) (< " + e + " " + d + ")) (<= (+ " + y + " " + s + ") " + x +
           "))");
    }
  }
}

std::string Writer::product(Expr expr) {
  query.hasProducts = true;
  Expr rest = expr.operands()[1];
  for (Expr factor : expr.operands().drop_front(2)) {
    rest = rest * factor;
  }
  if (products == Products::Axioms) {
    std::string z = fresh('z', false);
    productFacts(z, expr.operands()[0], rest);
    return z;
  }
  std::string body = "(*";
  for (Expr factor : expr.operands()) {
    body += " " + number(factor);
  }
  std::string z = fresh('z', false);
  fact("(= " + z + " " + body + "))");
  return z;
}

std::string Writer::linear(const Linear &form) {
  std::string text;
  unsigned count = 0;
  for (const Term &term : form.terms) {
    std::string atom = number(term.atom);
    text += " " +
            (term.coefficient == 1 ? atom : "(* " + smtNumber(term.coefficient) + " " + atom + ")");
    ++count;
  }
  if (form.constant != 0 || count == 0) {
    text += " " + smtNumber(form.constant);
    ++count;
  }
  return count == 1 ? text.substr(1) : "(+" + text + ")";
}

std::string Writer::number(Expr expr) {
  if (expr.is(ExprKind::Constant) || expr.is(ExprKind::Sum)) {
    return linear(linearForm(expr));
  }
  auto known = names.find(expr.raw());
  if (known != names.end()) {
    return known->second;
  }
  std::string name;
  switch (expr.kind()) {
  case ExprKind::Symbol:
    name = symbol(expr);
    break;
  case ExprKind::Apply:
    name = applied(expr);
    break;
  case ExprKind::FloorDiv:
    name = quotient(expr.operands()[0], expr.value());
    break;
  case ExprKind::Mod:
    name = "(- " + number(expr.operands()[0]) + " (* " + toString(expr.value()) + " " +
           quotient(expr.operands()[0], expr.value()) + "))";
    break;
  case ExprKind::Min:
  case ExprKind::Max:
    name = extremum(expr);
    break;
  case ExprKind::Product:
    name = product(expr);
    break;
  default: { // Select; conditions and Invalid terms do not get here
    std::string body = "(ite " + condition(expr.operands()[0]) + " " + number(expr.operands()[1]) +
                       " " + number(expr.operands()[2]) + ")";
    name = fresh('s', false);
    fact("(= " + name + " " + body + ")");
  }
  }
  names[expr.raw()] = name;
  return name;
}

std::string Writer::definedCondition(Expr expr) {
  std::string body = expr.is(ExprKind::And) ? "(and" : "(or";
  for (Expr operand : expr.operands()) {
    body += " " + condition(operand);
  }
  body += ")";
  if (!sharedConditions.contains(expr.raw())) {
    return body;
  }
  std::string name = fresh('c', true);
  fact("(= " + name + " " + body + ")");
  names[expr.raw()] = name;
  return name;
}

std::string Writer::condition(Expr expr) {
  switch (expr.kind()) {
  case ExprKind::True:
    return "true";
  case ExprKind::False:
    return "false";
  case ExprKind::LessEqualZero:
  case ExprKind::EqualZero:
  case ExprKind::NotEqualZero: {
    Linear form = linearForm(expr.operands()[0]);
    Int constant = form.constant;
    form.constant = 0;
    std::string sides = linear(form) + " " + smtNumber(-constant) + ")";
    return expr.is(ExprKind::LessEqualZero) ? "(<= " + sides
           : expr.is(ExprKind::EqualZero)   ? "(= " + sides
                                            : "(not (= " + sides + ")";
  }
  case ExprKind::Not:
    return "(not " + condition(expr.operands()[0]) + ")";
  default:
    break;
  }
  auto known = names.find(expr.raw());
  if (known != names.end()) {
    return known->second;
  }
  if (expr.is(ExprKind::And) || expr.is(ExprKind::Or)) {
    return definedCondition(expr);
  }
  std::string name = expr.is(ExprKind::Symbol) ? symbol(expr) : applied(expr);
  names[expr.raw()] = name;
  return name;
}

void Writer::findShared(Expr expr) {
  if (!seenConditions.insert(expr.raw()).second) {
    if (expr.is(ExprKind::And) || expr.is(ExprKind::Or)) {
      sharedConditions.insert(expr.raw());
    }
    return;
  }
  for (Expr operand : expr.operands()) {
    findShared(operand);
  }
  for (const Term &term : expr.terms()) {
    findShared(term.atom);
  }
}

SmtQuery Writer::run(llvm::ArrayRef<Expr> conditions) {
  for (Expr expr : conditions) {
    findShared(expr);
  }
  for (Expr expr : conditions) {
    assertions += "(assert " + condition(expr) + ")\n";
  }
  if (products == Products::Axioms) {
    sharedFactorFacts();
  }
  query.conditions = conditions.size();
  query.text = declarations + definitions + assertions;
  return std::move(query);
}

} // namespace

SmtQuery writeSmt(llvm::ArrayRef<Expr> conditions, Products products) {
  return Writer(products).run(conditions);
}

} // namespace tessera::solver
