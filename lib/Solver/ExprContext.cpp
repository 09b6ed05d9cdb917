//===- ExprContext.cpp - interning, declarations, extrema, conditions ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Terms are interned by a hash of their structure that uses names, never addresses or counters: the order of summands,
// and with it the text of a query, is the same whatever was built before.
//
//===----------------------------------------------------------------------===//

#include "tessera/Solver/ExprContext.h"

#include "TermOrder.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/xxhash.h"

#include <algorithm>

namespace tessera::solver {

bool termBefore(Expr a, Expr b) {
  if (a == b) {
    return false;
  }
  if (a.kind() != b.kind()) {
    return a.kind() < b.kind();
  }
  if (a.is(ExprKind::Symbol)) {
    return a.declaration().name < b.declaration().name;
  }
  if (a.raw()->hash != b.raw()->hash) {
    return a.raw()->hash < b.raw()->hash;
  }
  return a.raw()->id < b.raw()->id;
}

namespace {

/// Bytes of a term's structure.
class Structure {
public:
  void number(Int value) { add(&value, sizeof(value)); }
  void word(uint64_t value) { add(&value, sizeof(value)); }
  void text(llvm::StringRef value) {
    word(value.size());
    add(value.data(), value.size());
  }
  uint64_t hash() const { return llvm::xxh3_64bits(bytes); }

private:
  void add(const void *data, size_t size) {
    const auto *first = static_cast<const uint8_t *>(data);
    bytes.append(first, first + size);
  }
  llvm::SmallVector<uint8_t, 256> bytes; // mostly a few numbers
};

bool sameTerms(llvm::ArrayRef<Term> a, llvm::ArrayRef<Term> b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [](Term x, Term y) {
           return x.coefficient == y.coefficient && x.atom == y.atom;
         });
}

} // namespace

ExprContext::ExprContext() = default;

Expr ExprContext::intern(const Draft &draft) {
  Structure structure;
  structure.word(static_cast<uint64_t>(draft.kind));
  structure.number(draft.value);
  unsigned depth = 0;
  bool nonlinear = draft.kind == ExprKind::Product;
  for (const Term &term : draft.terms) {
    structure.number(term.coefficient);
    structure.word(term.atom.raw()->hash);
    depth = std::max(depth, term.atom.raw()->depth);
    nonlinear |= term.atom.isNonlinear();
  }
  for (Expr operand : draft.operands) {
    structure.word(operand.raw()->hash);
    depth = std::max(depth, operand.raw()->depth);
    nonlinear |= operand.isNonlinear();
  }
  structure.text(draft.declaration ? llvm::StringRef(draft.declaration->name) : draft.reason);
  if (depth >= maxDepth && draft.kind != ExprKind::Invalid) {
    return invalid("a term is nested deeper than 1000");
  }

  ExprNode *&slot = table[structure.hash()];
  for (ExprNode *node = slot; node; node = node->next) {
    if (node->kind == draft.kind && node->value == draft.value &&
        node->declaration == draft.declaration && node->reason == draft.reason &&
        node->operands == draft.operands && sameTerms(node->terms, draft.terms)) {
      return Expr(node);
    }
  }
  ExprNode *node = new (allocator) ExprNode();
  node->context = this;
  node->kind = draft.kind;
  node->boolean = draft.boolean;
  node->nonlinear = nonlinear;
  node->depth = depth + 1;
  node->id = nodeCount++;
  node->hash = structure.hash();
  node->value = draft.value;
  node->terms = llvm::ArrayRef<Term>(draft.terms).copy(allocator);
  node->operands = llvm::ArrayRef<Expr>(draft.operands).copy(allocator);
  node->declaration = draft.declaration;
  node->reason = draft.reason.copy(allocator);
  node->range = draft.range;
  node->next = slot;
  slot = node;
  return Expr(node);
}

Expr ExprContext::constant(Int value) {
  if (!fits(value)) {
    return invalid("a number is beyond 2^120");
  }
  Draft draft;
  draft.kind = ExprKind::Constant;
  draft.value = value;
  draft.range = Range::exactly(value);
  return intern(draft);
}

Expr ExprContext::boolean(bool value) {
  Draft draft;
  draft.kind = value ? ExprKind::True : ExprKind::False;
  draft.boolean = true;
  return intern(draft);
}

Expr ExprContext::invalid(llvm::StringRef reason) {
  Draft draft;
  draft.reason = reason;
  return intern(draft);
}

Expr ExprContext::unfit(llvm::ArrayRef<Expr> operands, bool boolean) {
  for (Expr operand : operands) {
    if (operand.isNull()) {
      return invalid("a term is missing");
    }
    if (&operand.context() != this) {
      return invalid("a term belongs to another context");
    }
    if (operand.isInvalid()) {
      return operand;
    }
    if (operand.isBool() != boolean) {
      return invalid(boolean ? "a number stands where a condition belongs"
                             : "a condition stands where a number belongs");
    }
  }
  return Expr();
}

//===----------------------------------------------------------------------===//
// Declarations
//===----------------------------------------------------------------------===//

/// Names go into SMT-LIB between bars; `!`, `'`, `#` and `~` are kept for names that are made here.
static std::string cleanName(llvm::StringRef name) {
  std::string result;
  for (char c : name.take_front(200)) {
    bool plain = c > ' ' && c < 127 && c != '|' && c != '\\' && c != '!' && c != '\'' && c != '#' &&
                 c != '~';
    result.push_back(plain ? c : '_');
  }
  return result.empty() ? "_" : result;
}

const Declaration *ExprContext::declare(Declaration wanted, bool reuse) {
  auto &known = names[wanted.name];
  for (const Declaration *declaration : known) {
    if (reuse && declaration->role == wanted.role && declaration->range == wanted.range &&
        declaration->parameters == wanted.parameters && declaration->boolean == wanted.boolean) {
      return declaration;
    }
  }
  if (!known.empty()) {
    wanted.name += "#" + std::to_string(known.size() + 1);
  }
  declarations.push_back(std::make_unique<Declaration>(std::move(wanted)));
  known.push_back(declarations.back().get());
  return known.back();
}

Expr ExprContext::symbol(llvm::StringRef name, Role role, Range range) {
  if (range.isEmpty()) {
    return invalid(("the range declared for `" + name + "` is empty").str());
  }
  if ((range.lo && !fits(*range.lo)) || (range.hi && !fits(*range.hi))) {
    return invalid("a number is beyond 2^120");
  }
  return symbolOf(declare({cleanName(name), role, range, 0, role == Role::Condition}));
}

Expr ExprContext::fresh(llvm::StringRef name, Role role, Range range) {
  if (names[cleanName(name)].empty()) {
    return symbol(name, role, range);
  }
  Expr known = symbol(name, role, range); // checks the range
  return known.isInvalid()
             ? known
             : symbolOf(declare({cleanName(name), role, range, 0, role == Role::Condition},
                                /*reuse=*/false));
}

Expr ExprContext::local(llvm::StringRef name, Range range, Role role) {
  if (range.isEmpty()) {
    return invalid("the range declared for `" + name.str() + "` is empty");
  }
  return symbolOf(declare({cleanName(name) + "~", role, range, 0, false}));
}

Expr ExprContext::symbolOf(const Declaration *declaration) {
  Draft draft;
  draft.kind = ExprKind::Symbol;
  draft.declaration = declaration;
  draft.boolean = declaration->boolean;
  draft.range = declaration->range;
  return intern(draft);
}

Expr ExprContext::size(llvm::StringRef name, Int lo, std::optional<Int> hi) {
  return symbol(name, Role::Size, {lo, hi});
}

Expr ExprContext::index(llvm::StringRef name, Range range) {
  return symbol(name, Role::Index, range);
}

Expr ExprContext::condition(llvm::StringRef name) {
  return symbol(name, Role::Condition, Range::all());
}

Expr ExprContext::prime(Expr symbol) {
  if (!symbol.is(ExprKind::Symbol)) {
    return invalid("only a symbol has another instance");
  }
  Declaration wanted = symbol.declaration();
  wanted.name += "'";
  return symbolOf(declare(std::move(wanted)));
}

const Declaration *ExprContext::function(llvm::StringRef name, unsigned parameters, Range range) {
  return declare({cleanName(name), Role::Index, range, std::max(parameters, 1u), false});
}

const Declaration *ExprContext::predicate(llvm::StringRef name, unsigned parameters) {
  return declare({cleanName(name), Role::Condition, Range::all(), std::max(parameters, 1u), true});
}

Expr ExprContext::apply(const Declaration *function, llvm::ArrayRef<Expr> arguments) {
  if (Expr bad = unfit(arguments, false); !bad.isNull()) {
    return bad;
  }
  if (!function || function->parameters != arguments.size()) {
    return invalid("a function is applied to a wrong number of arguments");
  }
  if (function->range.isEmpty()) {
    return invalid("the range declared for `" + function->name + "` is empty");
  }
  Draft draft;
  draft.kind = ExprKind::Apply;
  draft.declaration = function;
  draft.operands = arguments;
  draft.boolean = function->boolean;
  draft.range = function->range;
  return intern(draft);
}

//===----------------------------------------------------------------------===//
// Atoms that the arithmetic of ExprArith.cpp asks for
//===----------------------------------------------------------------------===//

Expr ExprContext::makeAtomProduct(llvm::ArrayRef<Expr> factors) {
  Draft draft;
  draft.kind = ExprKind::Product;
  draft.operands = factors;
  draft.range = Range::exactly(1);
  bool square = factors.size() == 2 && factors[0] == factors[1];
  for (Expr factor : factors) {
    draft.range = draft.range * factor.range();
  }
  if (square) {
    draft.range = intersect(draft.range, Range::atLeast(0));
  }
  return intern(draft);
}

/// Interns `terms` + constant; terms are sorted, distinct and without zeros.
static Range rangeOfSum(llvm::ArrayRef<Term> terms, Int constant) {
  Range range = Range::exactly(constant);
  for (const Term &term : terms) {
    range = range + term.atom.range() * term.coefficient;
  }
  return range;
}

Expr ExprContext::sum(llvm::ArrayRef<Term> given, Int constant) {
  llvm::SmallVector<Term, 8> terms;
  std::optional<Int> total = checkedAdd(constant, 0);
  for (const Term &term : given) {
    if (Expr bad = unfit(term.atom, false); !bad.isNull()) {
      return bad;
    }
    Linear part = linearForm(term.atom);
    std::optional<Int> scaled = checkedMul(part.constant, term.coefficient);
    total = scaled && total ? checkedAdd(*total, *scaled) : std::nullopt;
    for (const Term &inner : part.terms) {
      std::optional<Int> coefficient = checkedMul(inner.coefficient, term.coefficient);
      if (!coefficient) {
        return invalid("a number is beyond 2^120");
      }
      terms.push_back({*coefficient, inner.atom});
    }
  }
  if (!total || !mergeTerms(terms)) {
    return invalid("a number is beyond 2^120");
  }
  Expr folded;
  if (foldDivisionPairs(terms, *total, folded)) {
    return folded;
  }
  if (terms.empty()) {
    return this->constant(*total);
  }
  if (terms.size() == 1 && terms[0].coefficient == 1 && *total == 0) {
    return terms[0].atom;
  }
  Draft draft;
  draft.kind = ExprKind::Sum;
  draft.terms = terms;
  draft.value = *total;
  draft.range = rangeOfSum(terms, *total);
  return intern(draft);
}

Expr ExprContext::floorDiv(Expr a, Int c) {
  if (Expr bad = unfit(a, false); !bad.isNull()) {
    return bad;
  }
  if (c <= 0) {
    return invalid("a divisor is not positive");
  }
  DivisionForm form;
  if (!splitForDivision(a, c, /*isMod=*/false, form)) {
    return invalid("a number is beyond 2^120");
  }
  if (form.quotientOnly) {
    return form.outside;
  }
  Draft draft;
  draft.kind = ExprKind::FloorDiv;
  draft.value = form.divisor;
  draft.operands = form.inside;
  draft.range = solver::floorDiv(form.inside.range(), form.divisor);
  return form.outside + intern(draft);
}

Expr ExprContext::mod(Expr a, Int c) {
  if (Expr bad = unfit(a, false); !bad.isNull()) {
    return bad;
  }
  if (c <= 0) {
    return invalid("a divisor is not positive");
  }
  DivisionForm form;
  if (!splitForDivision(a, c, /*isMod=*/true, form)) {
    return invalid("a number is beyond 2^120");
  }
  if (form.quotientOnly) {
    return form.outside;
  }
  Draft draft;
  draft.kind = ExprKind::Mod;
  draft.value = form.divisor;
  draft.operands = form.inside;
  draft.range = floorMod(form.inside.range(), form.divisor);
  return form.outside + intern(draft) * form.scale;
}

Expr ExprContext::extremum(bool isMin, llvm::ArrayRef<Expr> numbers) {
  if (Expr bad = unfit(numbers, false); !bad.isNull()) {
    return bad;
  }
  if (numbers.empty()) {
    return invalid("the minimum of nothing");
  }
  ExprKind kind = isMin ? ExprKind::Min : ExprKind::Max;
  llvm::SmallVector<Expr, 4> kept;
  for (Expr number : numbers) {
    llvm::ArrayRef<Expr> parts = number.is(kind) ? number.operands() : llvm::ArrayRef(number);
    for (Expr part : parts) {
      keepExtremum(isMin, part, kept);
    }
  }
  llvm::sort(kept, termBefore);
  if (kept.size() == 1) {
    return kept[0];
  }
  Draft draft;
  draft.kind = kind;
  draft.operands = kept;
  draft.range = kept[0].range();
  for (Expr operand : llvm::ArrayRef(kept).drop_front()) {
    draft.range =
        isMin ? minimum(draft.range, operand.range()) : maximum(draft.range, operand.range());
  }
  return intern(draft);
}

Expr ExprContext::select(Expr condition, Expr a, Expr b) {
  if (Expr bad = unfit(condition, true); !bad.isNull()) {
    return bad;
  }
  if (!a.isNull() && !b.isNull() && a.isBool() && b.isBool()) {
    return (condition && a) || (!condition && b);
  }
  if (Expr bad = unfit({a, b}, false); !bad.isNull()) {
    return bad;
  }
  if (condition.isTrue() || a == b) {
    return a;
  }
  if (condition.isFalse()) {
    return b;
  }
  Draft draft;
  draft.kind = ExprKind::Select;
  Expr operands[] = {condition, a, b};
  draft.operands = operands;
  draft.range = hull(a.range(), b.range());
  return intern(draft);
}

} // namespace tessera::solver
