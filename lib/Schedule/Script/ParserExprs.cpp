// Expressions of scripts: operators by precedence climbing, calls, records, patterns, the short form of calls.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ParserImpl.h"

#include "llvm/ADT/StringMap.h"

using namespace tessera;
using namespace tessera::script;
using llvm::StringRef;

namespace {

/// Loosest first, as in the kernel language. `not` stands between `and` and the comparisons.
enum Precedence : unsigned { None, Or, Xor, And, Not, Comparison, Shift, Additive, Multiplicative };

struct Infix {
  Precedence precedence = None;
  BinaryOp op = BinaryOp::Add;
};

Infix infix(Tok kind) {
  switch (kind) {
  case Tok::KwOr:
    return {Or, BinaryOp::Or};
  case Tok::KwXor:
    return {Xor, BinaryOp::Xor};
  case Tok::KwAnd:
    return {And, BinaryOp::And};
  case Tok::EqEq:
    return {Comparison, BinaryOp::Eq};
  case Tok::NotEq:
    return {Comparison, BinaryOp::Ne};
  case Tok::Less:
    return {Comparison, BinaryOp::Lt};
  case Tok::LessEq:
    return {Comparison, BinaryOp::Le};
  case Tok::Greater:
    return {Comparison, BinaryOp::Gt};
  case Tok::GreaterEq:
    return {Comparison, BinaryOp::Ge};
  case Tok::KwIn:
    return {Comparison, BinaryOp::In};
  case Tok::Shl:
    return {Shift, BinaryOp::Shl};
  case Tok::Shr:
    return {Shift, BinaryOp::Shr};
  case Tok::Plus:
    return {Additive, BinaryOp::Add};
  case Tok::Minus:
    return {Additive, BinaryOp::Sub};
  case Tok::Star:
    return {Multiplicative, BinaryOp::Mul};
  case Tok::Slash:
    return {Multiplicative, BinaryOp::Div};
  case Tok::SlashSlash:
    return {Multiplicative, BinaryOp::FloorDiv};
  case Tok::Percent:
    return {Multiplicative, BinaryOp::Mod};
  default:
    return {};
  }
}

} // namespace

//===-- Operators --------------------------------------------------------------------------------------------------===//

ExprPtr Parser::parseValue() {
  uint32_t begin = tok().begin;
  ExprPtr value = parseExpr();
  if (!failed && !pathText(*value).empty() && startsOperand(tok()) && !atNewline()) {
    return parseShortForm(std::move(value), begin);
  }
  return value;
}

ExprPtr Parser::parseShortForm(ExprPtr callee, uint32_t begin) {
  auto node = std::make_unique<Call>();
  node->isShort = true;
  std::vector<const Expr *> children{callee.get()};
  node->callee = std::move(callee);
  while (!failed && (startsOperand(tok()) || at(Tok::LParen)) && !atNewline()) {
    uint32_t start = tok().begin;
    ExprPtr operand = parsePrimary();
    if (!failed) {
      operand = parsePostfix(std::move(operand), start, /*tight=*/true);
    }
    node->args.push_back({{}, std::move(operand)});
    children.push_back(node->args.back().value.get());
  }
  return finish(std::move(node), since(begin), children);
}

ExprPtr Parser::parseExpr() {
  Nested nested(*this);
  if (!nested.ok) {
    return noExpr();
  }
  ExprPtr lo = parseBinary(Or);
  if (failed || !at(Tok::DotDot) || atNewline()) {
    return lo;
  }
  return parseRange(std::move(lo), Or);
}

/// `..` and the end of a range that starts with `lo`.
ExprPtr Parser::parseRange(ExprPtr lo, unsigned minPrecedence) {
  advance();
  auto node = std::make_unique<script::Range>();
  uint32_t begin = lo->range.begin;
  node->lo = std::move(lo);
  node->hi = parseBinary(minPrecedence);
  std::vector<const Expr *> children{node->lo.get(), node->hi.get()};
  return finish(std::move(node), since(begin), children);
}

ExprPtr Parser::parseBinary(unsigned minPrecedence) {
  uint32_t begin = tok().begin;
  ExprPtr lhs = parseOperand(minPrecedence);
  bool compared = false;
  while (!failed) {
    Infix next = infix(tok().kind);
    if (next.precedence == None || next.precedence < minPrecedence) {
      break;
    }
    if (atNewline()) {
      complainLineStart();
    }
    if (next.precedence == Comparison) {
      if (compared) {
        complain(diag::chained_comparison, here(), textOf(tok()))
            .help("join the comparisons with `and`");
      }
      compared = true;
    }
    auto node = std::make_unique<Binary>();
    node->op = next.op;
    node->opRange = here();
    advance();
    node->lhs = std::move(lhs);
    node->rhs = parseBinary(next.precedence + 1);
    if (node->op == BinaryOp::In && !failed && at(Tok::DotDot) && !atNewline()) {
      node->rhs = parseRange(std::move(node->rhs), next.precedence + 1);
    }
    std::vector<const Expr *> children{node->lhs.get(), node->rhs.get()};
    lhs = finish(std::move(node), since(begin), children);
  }
  return lhs;
}

/// `not`, unary minus, or a postfix expression.
ExprPtr Parser::parseOperand(unsigned minPrecedence) {
  uint32_t begin = tok().begin;
  if (at(Tok::Minus) && peek(1).kind == Tok::Int) {
    advance();
    ExprPtr number = parseInt(/*negative=*/true);
    number->range = since(begin);
    return number;
  }
  if (!at(Tok::Minus) && !at(Tok::KwNot)) {
    ExprPtr base = parsePrimary();
    return failed ? std::move(base) : parsePostfix(std::move(base), begin, /*tight=*/false);
  }
  Nested nested(*this);
  if (!nested.ok) {
    return noExpr();
  }
  SourceRange word = here();
  auto node = std::make_unique<Unary>();
  node->op = at(Tok::Minus) ? UnaryOp::Neg : UnaryOp::Not;
  bool misplaced = node->op == UnaryOp::Not && minPrecedence > Not;
  advance();
  node->operand = node->op == UnaryOp::Neg ? parseOperand(Multiplicative + 1) : parseBinary(Not);
  if (misplaced && !failed) {
    complain(diag::not_needs_parentheses, word)
        .fixIt(word.atBegin(), "(")
        .fixIt(previous().atEnd(), ")")
        .help("write `(" + text.slice(begin, previous().end) + ")`");
  }
  const Expr *child = node->operand.get();
  return finish(std::move(node), since(begin), child);
}

/// Members, indices and calls behind `base`. An index touches what it indexes, so that `ring [a, b]` is the short form;
/// in operands of the short form (`tight`) so do calls.
ExprPtr Parser::parsePostfix(ExprPtr base, uint32_t begin, bool tight) {
  while (!failed) {
    if (at(Tok::Dot)) {
      if (atNewline()) {
        complainLineStart();
      }
      advance();
      auto node = std::make_unique<Member>();
      if (!isAnyWord(tok()) || atNewline()) {
        error(diag::expected_name, errorPlace(), "after `.`", found()).help("write a name");
        return noExpr();
      }
      node->name = {textOf(tok()).str(), here()};
      advance();
      const Expr *child = base.get();
      node->base = std::move(base);
      base = finish(std::move(node), since(begin), child);
    } else if (at(Tok::LBracket) && touchesPrevious()) {
      uint32_t open = at_;
      advance();
      auto node = std::make_unique<Index>();
      {
        Brackets scope(*this);
        node->index = parseExpr();
        if (!failed && !at(Tok::RBracket)) {
          reportUnclosed(open, Tok::RBracket);
        }
      }
      if (!failed) {
        advance();
      } else if (!recoverTo(open)) {
        return noExpr();
      }
      node->base = std::move(base);
      std::vector<const Expr *> children{node->base.get(), node->index.get()};
      base = finish(std::move(node), since(begin), children);
    } else if (at(Tok::LParen) && !startsLine() && (!tight || touchesPrevious())) {
      base = parseCall(std::move(base), begin);
    } else {
      break;
    }
  }
  return base;
}

ExprPtr Parser::parseCall(ExprPtr callee, uint32_t begin) {
  Nested nested(*this);
  if (!nested.ok) {
    return noExpr();
  }
  auto node = std::make_unique<Call>();
  uint32_t open = at_;
  if (pathText(*callee).empty() && !llvm::isa<Member>(*callee)) {
    complain(diag::not_callable, callee->range, text.slice(callee->range.begin, callee->range.end))
        .help("call a function or a primitive by its name");
  }
  advance();
  bool seenNamed = false;
  parseList(open, Tok::RParen, "in the arguments", [&] {
    Arg arg;
    if (isAnyWord(tok()) && peek(1).kind == Tok::Assign) {
      arg.name = {textOf(tok()).str(), here()};
      advance();
      advance();
      seenNamed = true;
    } else if (seenNamed) {
      complain(diag::positional_after_named, here())
          .help("put the named arguments last, or name this one too");
    }
    arg.value = parseExpr();
    node->args.push_back(std::move(arg));
  });
  std::vector<const Expr *> children{callee.get()};
  for (const Arg &arg : node->args) {
    children.push_back(arg.value.get());
  }
  node->callee = std::move(callee);
  return finish(std::move(node), since(begin), children);
}

//===-- Operands ---------------------------------------------------------------------------------------------------===//

ExprPtr Parser::parsePrimary() {
  uint32_t begin = tok().begin;
  if (isBackQuote(tok())) {
    return parsePatternExpr();
  }
  switch (tok().kind) {
  case Tok::Int:
    return parseInt(/*negative=*/false);
  case Tok::Float:
  case Tok::KwInf:
  case Tok::KwNan:
    error(DiagId::float_in_script, here(), textOf(tok())).help("schedules count in whole numbers");
    return noExpr();
  case Tok::KwTrue:
  case Tok::KwFalse: {
    auto node = std::make_unique<Bool>();
    node->value = at(Tok::KwTrue);
    advance();
    return finish(std::move(node), since(begin), {});
  }
  case Tok::String: {
    auto node = std::make_unique<String>();
    node->value = decodeString(textOf(tok()));
    advance();
    return finish(std::move(node), since(begin), {});
  }
  case Tok::LParen:
    return parseParens();
  case Tok::LBracket:
    return parseListExpr();
  case Tok::LBrace:
    return parseBraces();
  case Tok::KwIf:
    return parseIf(/*wantsValue=*/true);
  default:
    break;
  }
  if (isName(tok()) && !atNewline()) {
    auto node = std::make_unique<Name>();
    node->text = textOf(tok()).str();
    advance();
    return finish(std::move(node), since(begin), {});
  }
  error(diag::expected_expression, errorPlace(), found()).help("write a value, a name or a call");
  return noExpr();
}

ExprPtr Parser::parseInt(bool negative) {
  uint32_t begin = tok().begin;
  unsigned base = 10;
  uint64_t magnitude = 0;
  // What the lexer rejected may be no number; its own error is enough.
  auto e = std::lower_bound(lexed.errors.begin(), lexed.errors.end(), tok().begin,
                            [](const LexError &e, uint32_t offset) { return e.begin < offset; });
  bool broken = e != lexed.errors.end() && e->begin <= tok().end;
  if (!broken) {
    magnitude = decodeInt(textOf(tok()), base);
  }
  uint64_t limit = negative ? uint64_t(1) << 63 : (uint64_t(1) << 63) - 1;
  if (magnitude > limit) {
    complain(DiagId::integer_range, here(), textOf(tok()))
        .help("the integers of scripts go from -9223372036854775808 to 9223372036854775807");
    magnitude = 0;
  }
  advance();
  auto node = std::make_unique<Int>();
  node->value = static_cast<int64_t>(negative ? 0 - magnitude : magnitude);
  return finish(std::move(node), since(begin), {});
}

ExprPtr Parser::parseParens() {
  uint32_t begin = tok().begin;
  uint32_t open = at_;
  advance();
  ExprPtr inner;
  {
    Brackets scope(*this);
    inner = parseExpr();
    if (!failed && !accept(Tok::RParen)) {
      reportUnclosed(open, Tok::RParen);
    }
  }
  if (failed && !recoverTo(open)) {
    return noExpr();
  }
  inner->parenthesized = true;
  inner->range = since(begin);
  return inner;
}

ExprPtr Parser::parseListExpr() {
  uint32_t begin = tok().begin;
  uint32_t open = at_;
  advance();
  auto node = std::make_unique<List>();
  std::vector<const Expr *> children;
  parseList(open, Tok::RBracket, "in the list", [&] {
    node->elements.push_back(parseExpr());
    children.push_back(node->elements.back().get());
  });
  return finish(std::move(node), since(begin), children);
}

/// A record `{a: 1}`, or a set `{1, 2}`; `{}` is a record.
ExprPtr Parser::parseBraces() {
  uint32_t begin = tok().begin;
  uint32_t open = at_;
  advance();
  bool isSet = !at(Tok::RBrace) && !(isAnyWord(tok()) && peek(1).kind == Tok::Colon);
  auto record = std::make_unique<Record>();
  auto set = std::make_unique<List>();
  set->isSet = true;
  llvm::StringMap<SourceRange> seen;
  std::vector<const Expr *> children;
  parseList(open, Tok::RBrace, isSet ? "in the set" : "in the record", [&] {
    if (isSet) {
      set->elements.push_back(parseExpr());
      children.push_back(set->elements.back().get());
      return;
    }
    Field field;
    if (!isAnyWord(tok()) || peek(1).kind != Tok::Colon) {
      error(DiagId::record_or_set, here()).help("write `key: value`; a set has no keys at all");
      return;
    }
    field.key = {textOf(tok()).str(), here()};
    auto [first, isNew] = seen.try_emplace(field.key.text, here());
    if (!isNew) {
      complain(diag::duplicate_name, here(), field.key.text)
          .note(first->second, "the first one")
          .help("remove one of them");
    }
    advance();
    advance();
    field.value = parseExpr();
    children.push_back(field.value.get());
    record->fields.push_back(std::move(field));
  });
  if (isSet) {
    return finish(std::move(set), since(begin), children);
  }
  return finish(std::move(record), since(begin), children);
}

ExprPtr Parser::parseIf(bool wantsValue) {
  Nested nested(*this);
  if (!nested.ok) {
    return noExpr();
  }
  uint32_t begin = tok().begin;
  advance();
  auto node = std::make_unique<If>();
  node->cond = parseExpr();
  if (failed) {
    return noExpr();
  }
  node->then = parseBlock("before what is done then", wantsValue);
  if (!failed && accept(Tok::KwElse)) {
    if (at(Tok::KwIf)) {
      Block block;
      auto chained = std::make_unique<ExprStmt>();
      chained->expr = parseIf(wantsValue);
      chained->range = chained->expr->range;
      block.range = chained->range;
      block.stmts.push_back(std::move(chained));
      node->otherwise = std::move(block);
    } else {
      node->otherwise = parseBlock("after `else`", wantsValue);
    }
  }
  const Expr *child = node->cond.get();
  return finish(std::move(node), since(begin), child);
}

//===-- Patterns ---------------------------------------------------------------------------------------------------===//

bool Parser::patternError(StringRef expected) {
  if (!failed) {
    error(DiagId::pattern_syntax, errorPlace(), expected, found())
        .help("a pattern is an op with its operands, as in `mma(_, _, _)`; `_` stands for any "
              "value, `..` for any further operands");
  }
  return false;
}

ExprPtr Parser::parsePatternExpr() {
  uint32_t begin = tok().begin;
  advance();
  auto node = std::make_unique<Pattern>();
  uint32_t inner = tok().begin;
  node->pattern = parsePattern();
  if (failed) {
    return noExpr();
  }
  if (!isBackQuote(tok()) || startsLine()) {
    patternError("the closing back-quote");
    return noExpr();
  }
  node->text = text.slice(inner, std::max(inner, previous().end)).str();
  advance();
  return finish(std::move(node), since(begin), {});
}

OpPattern Parser::parsePattern() {
  OpPattern result;
  Nested nested(*this);
  if (!nested.ok) {
    return result;
  }
  if (accept(Tok::Underscore)) {
    return result;
  }
  bool negative = at(Tok::Minus) && peek(1).kind == Tok::Int;
  if (negative) {
    advance();
  }
  if (at(Tok::Int)) {
    result.kind = OpPattern::Kind::Integer;
    result.integer = llvm::cast<Int>(*parseInt(negative)).value;
    return result;
  }
  if (!isAnyWord(tok()) || startsLine()) {
    patternError("an op, a name, a number or `_`");
    return result;
  }
  result.kind = OpPattern::Kind::Value;
  result.name = textOf(tok()).str();
  advance();
  while (accept(Tok::Dot)) {
    if (!isAnyWord(tok())) {
      patternError("a name after `.`");
      return result;
    }
    result.name += "." + textOf(tok()).str();
    advance();
  }
  if (!accept(Tok::LParen)) {
    return result;
  }
  result.kind = OpPattern::Kind::Op;
  for (bool more = !at(Tok::RParen); more && !failed;) {
    if (accept(Tok::DotDot)) {
      result.operands.emplace_back().kind = OpPattern::Kind::Rest;
      break;
    }
    result.operands.push_back(parsePattern());
    more = !failed && accept(Tok::Comma);
  }
  if (!failed && !accept(Tok::RParen)) {
    patternError("`,` or `)`");
  }
  return result;
}
