// Operators: precedence climbing from `??` (loosest) to calls, indices and members (tightest).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ParserImpl.h"

using namespace tessera;
using namespace tessera::ast;
using llvm::StringRef;

namespace {

/// Precedences, loosest first. `not` stands between `and` and the comparisons, unary `-` between `*` and `as`.
enum Precedence : unsigned {
  None = 0,
  Coalesce,
  Or,
  Xor,
  And,
  Not,
  Comparison,
  Shift,
  Additive,
  Multiplicative
};

struct Infix {
  Precedence precedence = None;
  BinaryOp op = BinaryOp::Add;
};

Infix infix(Tok kind) {
  switch (kind) {
  case Tok::Coalesce:
    return {Coalesce, BinaryOp::Coalesce};
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
    return {Comparison, BinaryOp::Eq};
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

ExprPtr Parser::parseExpr() {
  Nested nested(*this);
  return nested.ok ? parseBinary(Coalesce) : errorExpr();
}

ExprPtr Parser::parseBinary(unsigned minPrecedence, bool underNot) {
  uint32_t begin = tok().begin;
  ExprPtr lhs = at(Tok::KwNot) ? parseNot(minPrecedence <= Not) : parseUnary();
  return parseOperators(std::move(lhs), begin, minPrecedence, underNot);
}

/// The operators behind an operand that starts at `begin`.
ExprPtr Parser::parseOperators(ExprPtr lhs, uint32_t begin, unsigned minPrecedence, bool underNot) {
  while (!failed) {
    Infix next = infix(kind());
    if (next.precedence == None || next.precedence < minPrecedence || (inAngle && atGreater())) {
      break;
    }
    if (next.precedence == Comparison) {
      lhs = parseComparison(std::move(lhs), begin, underNot);
      continue;
    }
    auto node = std::make_unique<Binary>();
    node->op = next.op;
    node->opRange = here();
    acceptInfix(kind());
    node->lhs = std::move(lhs);
    node->rhs = parseBinary(next.precedence + 1);
    lhs = finishExpr(std::move(node), since(begin));
  }
  return lhs;
}

/// One comparison or `in`. What follows is not looked at.
ExprPtr Parser::parseOneComparison(ExprPtr lhs, uint32_t begin) {
  Infix next = infix(kind());
  SourceRange opRange = here();
  bool isIn = at(Tok::KwIn);
  acceptInfix(kind());
  if (isIn) {
    auto node = std::make_unique<In>();
    node->operand = std::move(lhs);
    node->set = parseSet(Shift);
    return finishExpr(std::move(node), since(begin));
  }
  auto node = std::make_unique<Binary>();
  node->op = next.op;
  node->opRange = opRange;
  node->lhs = std::move(lhs);
  node->rhs = parseBinary(Shift);
  return finishExpr(std::move(node), since(begin));
}

/// Comparisons do not chain; `a < b < c` is read to its end and proposed as `a < b and b < c`, below a `not` with
/// parentheses around it.
ExprPtr Parser::parseComparison(ExprPtr lhs, uint32_t begin, bool underNot) {
  auto continues = [&] {
    return !failed && infix(kind()).precedence == Comparison && !(inAngle && atGreater());
  };
  std::vector<SourceRange> operators;
  std::vector<FixIt> fixIts;
  bool canFix = true;
  while (continues()) {
    bool isIn = at(Tok::KwIn);
    uint32_t middle = peek(1).begin;
    lhs = parseOneComparison(std::move(lhs), begin);
    if (continues()) {
      operators.push_back(here());
      canFix &= !isIn;
      fixIts.push_back({previous().atEnd(), (" and " + text.slice(middle, previous().end)).str()});
    }
  }
  if (operators.empty() || failed) {
    return lhs;
  }
  DiagnosticBuilder builder = complain(diag::chained_comparison, operators.front(),
                                       text.slice(operators.front().begin, operators.front().end));
  if (!canFix) {
    builder.help("join the comparisons with `and`");
    return lhs;
  }
  if (underNot) {
    fixIts.insert(fixIts.begin(), {{file, begin, begin}, "("});
    fixIts.push_back({previous().atEnd(), ")"});
  }
  std::string proposal;
  uint32_t done = begin;
  for (const FixIt &fix : fixIts) {
    proposal += text.slice(done, fix.range.begin).str() + fix.replacement;
    done = fix.range.begin;
    builder.fixIt(fix.range, fix.replacement);
  }
  builder.help("write `" + proposal + text.slice(done, previous().end) + "`");
  return lhs;
}

ExprPtr Parser::parseNot(bool mayStandHere) {
  Nested nested(*this);
  if (!nested.ok) {
    return errorExpr();
  }
  uint32_t begin = tok().begin;
  SourceRange word = here();
  advance();
  auto node = std::make_unique<Unary>();
  node->op = UnaryOp::Not;
  node->operand = parseBinary(Not, /*underNot=*/true);
  if (!mayStandHere && !failed) {
    complain(diag::not_needs_parentheses, word)
        .fixIt(word.atBegin(), "(")
        .fixIt(previous().atEnd(), ")")
        .help("write `(" + text.slice(begin, previous().end) + ")`");
  }
  return finishExpr(std::move(node), since(begin));
}

ExprPtr Parser::parseUnary() {
  uint32_t begin = tok().begin;
  if (at(Tok::Plus)) {
    uint32_t end = tok().end;
    while (end < text.size() && text[end] == ' ') {
      ++end;
    }
    bool touches = begin && previous().end == begin && isKeyword(lexed.tokens[at_ - 1].kind);
    complain(diag::unary_plus, here())
        .fixIt({file, begin, end}, touches ? " " : "")
        .help("remove it");
    advance();
    begin = tok().begin;
  }
  if (at(Tok::Minus)) {
    Nested nested(*this);
    if (!nested.ok) {
      return errorExpr();
    }
    advance();
    auto node = std::make_unique<Unary>();
    node->operand = at(Tok::KwNot) ? parseNot(false) : parseUnary();
    return finishExpr(std::move(node), since(begin));
  }
  return parseCasts(parsePostfix(parsePrimary(), begin), begin);
}

/// `rz`, `sat`, …; the modes `inf` and `nan` are keywords elsewhere.
Ident Parser::parseCastMode() {
  if (!at(Tok::KwInf) && !at(Tok::KwNan)) {
    return parseIdent("of a rounding or overflow mode");
  }
  Ident mode{textOf(tok()).str(), here()};
  advance();
  return mode;
}

ExprPtr Parser::parseCasts(ExprPtr operand, uint32_t begin) {
  while (!failed && at(Tok::KwAs)) {
    acceptInfix(Tok::KwAs);
    auto node = std::make_unique<Cast>();
    node->operand = std::move(operand);
    node->type = parseIdent("of a type after `as`");
    if (!failed && at(Tok::LParen) && !atNewline()) {
      uint32_t open = at_;
      advance();
      parseList(open, Tok::RParen, "in the modes of the cast",
                [&] { node->modes.push_back(parseCastMode()); });
    }
    operand = finishExpr(std::move(node), since(begin));
    bool hasPostfix = at(Tok::LParen) || at(Tok::LBracket) || at(Tok::Dot);
    if (!failed && hasPostfix && !atNewline()) {
      complain(diag::postfix_after_cast, here(), textOf(tok()))
          .fixIt({file, begin, begin}, "(")
          .fixIt(previous().atEnd(), ")")
          .help("write `(" + text.slice(begin, previous().end) + ")" + textOf(tok()) + "…`");
      operand = parsePostfix(std::move(operand), begin);
    }
  }
  return operand;
}

ExprPtr Parser::parsePostfix(ExprPtr base, uint32_t begin) {
  while (!failed) {
    if (at(Tok::Dot)) {
      acceptInfix(Tok::Dot);
      auto node = std::make_unique<Member>();
      node->base = std::move(base);
      node->member = parseIdent("of a member after `.`");
      base = finishExpr(std::move(node), since(begin));
    } else if (at(Tok::LParen) && !atNewline()) {
      base = parseCall(std::move(base), begin);
    } else if (at(Tok::LBracket) && !atNewline()) {
      base = parseIndex(std::move(base), begin);
    } else {
      break;
    }
  }
  return base;
}

//===-- Calls and folds --------------------------------------------------------------------------------------------===//

static bool foldKind(StringRef word, FoldKind &result) {
  for (unsigned i = 0; i <= static_cast<unsigned>(FoldKind::First); ++i) {
    result = static_cast<FoldKind>(i);
    if (word == spelling(result)) {
      return true;
    }
  }
  return false;
}

/// Behind an opening `(`: `ID in … :` before any comma of this level. Inner brackets are jumped over, so that the look
/// ahead is short.
bool Parser::atFold() const {
  if (!at(Tok::Ident) || peek(1).kind != Tok::KwIn) {
    return false;
  }
  for (uint32_t i = at_ + 2; i < lexed.tokens.size(); ++i) {
    switch (lexed.tokens[i].kind) {
    case Tok::Colon:
      return true;
    case Tok::Comma:
    case Tok::Semi:
    case Tok::RParen:
    case Tok::RBracket:
    case Tok::RBrace:
    case Tok::Eof:
      return false;
    case Tok::LParen:
    case Tok::LBracket:
    case Tok::LBrace:
      if (lexed.partners[i] == LexedFile::kNoPartner) {
        return false;
      }
      i = lexed.partners[i];
      break;
    default:
      break;
    }
  }
  return false;
}

ExprPtr Parser::parseFold(const Name *callee, uint32_t begin) {
  auto node = std::make_unique<Fold>();
  uint32_t open = at_ - 1;
  if (!callee || !foldKind(callee->name, node->fold)) {
    complain(diag::not_a_fold, callee ? callee->range : since(begin),
             text.slice(begin, lexed.tokens[open].begin))
        .help("the folds are `sum`, `prod`, `max`, `min`, `count`, `any`, `all` and `first`");
  }
  Brackets scope(*this);
  node->var = parseIdent("for the variable of the fold");
  accept(Tok::KwIn);
  node->bounds = parseRange();
  if (!failed && expect(Tok::Colon, "after the range of the fold")) {
    node->body = parseExpr();
  }
  if (!failed && !accept(Tok::RParen)) {
    reportUnclosed(open, Tok::RParen);
  }
  if (failed) {
    recoverTo(open);
  }
  if (!node->body) {
    node->body = errorExpr();
  }
  return finishExpr(std::move(node), since(begin));
}

Arg Parser::parseArg(bool &seenNamed) {
  Arg arg;
  if (at(Tok::Ident) && peek(1).kind == Tok::Assign) {
    arg.name = parseIdent("");
    advance();
    seenNamed = true;
    arg.value = parseExpr();
    return arg;
  }
  if (seenNamed) {
    complain(diag::positional_after_named, here())
        .help("put the positional arguments first, or name this one too");
  }
  arg.value = parseExpr();
  return arg;
}

ExprPtr Parser::parseCall(ExprPtr callee, uint32_t begin) {
  uint32_t open = at_;
  advance();
  if (atFold()) {
    return parseFold(llvm::dyn_cast<Name>(callee.get()), begin);
  }
  auto node = std::make_unique<Call>();
  node->callee = std::move(callee);
  bool seenNamed = false;
  parseList(open, Tok::RParen, "in the arguments",
            [&] { node->args.push_back(parseArg(seenNamed)); });
  return finishExpr(std::move(node), since(begin));
}

//===-- Indices, ranges and sets -----------------------------------------------------------------------------------===//

ExprPtr Parser::parseIndexElement() {
  uint32_t begin = tok().begin;
  if (at(Tok::Underscore)) {
    advance();
    return finishExpr(std::make_unique<Wildcard>(), since(begin));
  }
  if (at(Tok::Colon)) {
    SourceRange colon = here();
    advance();
    if (startsExpr(kind()) || at(Tok::Minus)) {
      complain(diag::colon_slice, colon).fixIt(colon, "0..").help("write `0..` and the end");
      return parseExpr();
    }
    return finishExpr(std::make_unique<Colon>(), since(begin));
  }
  ExprPtr first = parseExpr();
  if (failed) {
    return first;
  }
  if (at(Tok::Colon)) {
    SourceRange colon = here();
    advance();
    bool hasEnd = startsExpr(kind()) || at(Tok::Minus);
    DiagnosticBuilder builder = complain(diag::colon_slice, colon);
    builder.help("a slice is written `start..stop`; `:` alone is the whole axis");
    if (!hasEnd) {
      return first;
    }
    builder.fixIt(colon, "..");
    parseExpr();
    return first;
  }
  if (!accept(Tok::DotDot)) {
    return first;
  }
  auto node = std::make_unique<Range>();
  node->lo = std::move(first);
  node->hi = parseExpr();
  return finishExpr(std::move(node), since(begin));
}

ExprPtr Parser::parseIndex(ExprPtr base, uint32_t begin) {
  uint32_t open = at_;
  advance();
  auto node = std::make_unique<Index>();
  node->base = std::move(base);
  parseList(open, Tok::RBracket, "in the index",
            [&] { node->indices.push_back(parseIndexElement()); });
  if (node->indices.empty() && !failed) {
    complain(diag::empty_index, since(lexed.tokens[open].begin))
        .help("write an index for every axis, `:` for a whole one");
  }
  return finishExpr(std::move(node), since(begin));
}

std::unique_ptr<ast::Range> Parser::parseRange(unsigned minPrecedence) {
  auto node = std::make_unique<Range>();
  uint32_t begin = tok().begin;
  auto part = [&] { return minPrecedence ? parseBinary(minPrecedence) : parseExpr(); };
  node->hi = part();
  if (!failed && acceptInfix(Tok::DotDot)) {
    node->lo = std::move(node->hi);
    node->hi = part();
  }
  return finish(std::move(node), since(begin));
}

/// What may stand after `in`. Inside an expression a range ends before the next comparison (`minPrecedence`).
ExprPtr Parser::parseSet(unsigned minPrecedence) {
  uint32_t begin = tok().begin;
  if (at(Tok::LBrace)) {
    uint32_t open = at_;
    advance();
    auto node = std::make_unique<Set>();
    parseList(open, Tok::RBrace, "in the set", [&] { node->elements.push_back(parseExpr()); });
    if (node->elements.empty() && !failed) {
      complain(diag::empty_set, since(begin)).help("write at least one value");
    }
    return finishExpr(std::move(node), since(begin));
  }
  if (atWord("edges") && peek(1).kind == Tok::LParen) {
    advance();
    uint32_t open = at_;
    advance();
    Brackets scope(*this);
    auto node = std::make_unique<Edges>();
    node->of = parseIdent("in `edges(…)`");
    if (!failed) {
      expect(Tok::RParen, "after the name in `edges(…)`");
    }
    if (failed) {
      recoverTo(open);
    }
    return finishExpr(std::move(node), since(begin));
  }
  return parseRange(minPrecedence);
}
