// The smallest expressions: literals, names, parentheses, lists, blocks, `if` and `match`.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ParserImpl.h"

using namespace tessera;
using namespace tessera::ast;
using llvm::StringRef;

ExprPtr Parser::parseNumber() {
  uint32_t begin = tok().begin;
  StringRef spelled = textOf(tok());
  if (at(Tok::Int)) {
    auto node = std::make_unique<IntLit>();
    node->text = spelled.str();
    node->value = decodeInt(spelled, node->base);
    advance();
    return finishExpr(std::move(node), since(begin));
  }
  auto node = std::make_unique<FloatLit>();
  node->text = spelled.str();
  advance();
  return finishExpr(std::move(node), since(begin));
}

std::unique_ptr<StringLit> Parser::parseString() {
  auto node = std::make_unique<StringLit>();
  node->value = decodeString(textOf(tok()));
  advance();
  return finish(std::move(node), previous());
}

void Parser::rejectExpr() {
  DiagnosticBuilder builder = error(diag::expected_expression, errorPlace(), found());
  if (startsLine()) {
    builder.help("write a value here; a line may end after an operator or a comma");
  } else if (at(Tok::Underscore)) {
    builder.help("`_` stands alone in an index list or a shape");
  } else if (at(Tok::Colon)) {
    builder.help("`:` stands alone in an index list");
  } else if (at(Tok::KwElse)) {
    builder.help("`else` follows the `}` of an `if`");
  } else if (startsStmtKeyword(kind())) {
    builder.help("`" + textOf(tok()) +
                 "` starts a statement; put it into a block `{ … }` or on its own line");
  } else {
    builder.help("write a value: a name, a number, a call or `( … )`");
  }
}

ExprPtr Parser::parsePrimary() {
  uint32_t begin = tok().begin;
  switch (kind()) {
  case Tok::Int:
  case Tok::Float:
  case Tok::KwInf:
  case Tok::KwNan:
    return parseNumber();
  case Tok::KwTrue:
  case Tok::KwFalse: {
    auto node = std::make_unique<BoolLit>();
    node->value = at(Tok::KwTrue);
    advance();
    return finishExpr(std::move(node), since(begin));
  }
  case Tok::String:
    return parseString();
  case Tok::Ident:
  case Tok::KwSelf: {
    auto node = std::make_unique<Name>();
    node->name = textOf(tok()).str();
    advance();
    return finishExpr(std::move(node), since(begin));
  }
  case Tok::LParen:
    return parseParens();
  case Tok::LBracket:
    return parseListExpr();
  case Tok::LBrace:
    return parseBlock("");
  case Tok::KwIf:
    return parseIf();
  case Tok::KwMatch:
    return parseMatch();
  default:
    rejectExpr();
    return errorExpr();
  }
}

ExprPtr Parser::parseParens() {
  uint32_t begin = tok().begin;
  uint32_t open = at_;
  advance();
  auto node = std::make_unique<Tuple>();
  if (at(Tok::RParen)) {
    error(diag::empty_parentheses, since(begin).to(here())).help("write a value between them");
    recoverTo(open);
    return errorExpr();
  }
  parseList(open, Tok::RParen, "in the parentheses",
            [&] { node->elements.push_back(parseExpr()); });
  if (node->elements.size() != 1) {
    return finishExpr(std::move(node), since(begin));
  }
  ExprPtr inner = std::move(node->elements.front());
  inner->parens += inner->parens < 255;
  return inner;
}

/// A shape or a list of constants. `_` is an element.
ExprPtr Parser::parseListExpr() {
  uint32_t begin = tok().begin;
  uint32_t open = at_;
  advance();
  auto node = std::make_unique<List>();
  parseList(open, Tok::RBracket, "in the list", [&] {
    if (at(Tok::Underscore)) {
      advance();
      node->elements.push_back(finishExpr(std::make_unique<Wildcard>(), previous()));
    } else {
      node->elements.push_back(parseExpr());
    }
  });
  return finishExpr(std::move(node), since(begin));
}

ExprPtr Parser::parseIf() {
  Nested nested(*this);
  if (!nested.ok) {
    return errorExpr();
  }
  uint32_t begin = tok().begin;
  auto node = std::make_unique<If>();
  advance();
  {
    llvm::SaveAndRestore<bool> angle(inAngle, false);
    node->cond = parseExpr();
    node->then = parseBlock("after the condition of `if`");
  }
  if (!failed && accept(Tok::KwElse)) {
    llvm::SaveAndRestore<bool> angle(inAngle, false);
    if (at(Tok::KwIf) && !atNewline()) {
      node->otherwise = parseIf();
    } else {
      node->otherwise = parseBlock("after `else`");
    }
  }
  return finishExpr(std::move(node), since(begin));
}

ExprPtr Parser::parseMatch() {
  Nested nested(*this);
  if (!nested.ok) {
    return errorExpr();
  }
  uint32_t begin = tok().begin;
  auto node = std::make_unique<Match>();
  advance();
  {
    llvm::SaveAndRestore<bool> angle(inAngle, false);
    node->scrutinee = parseExpr();
  }
  uint32_t open = at_;
  if (!openBlock("after the value of `match`")) {
    return finishExpr(std::move(node), since(begin));
  }
  open = at_ - 1;
  Brackets scope(*this, /*newlines=*/true);
  bool isEmpty = blockEnds();
  while (!blockEnds()) {
    uint32_t start = at_;
    startEntry();
    MatchArm arm;
    arm.name = parseIdent("of a case");
    if (!failed && expect(Tok::FatArrow, "after the name of the case")) {
      arm.value = parseExpr();
    }
    if (!failed && !accept(Tok::Comma) && !at(Tok::RBrace) && !tok().newlineBefore) {
      error(diag::expected_arm_end, errorPlace(), found())
          .help("separate the cases by `,` or lines");
    }
    if (failed) {
      syncStmt(start);
      accept(Tok::Semi);
    } else {
      node->arms.push_back(std::move(arm));
    }
  }
  if (isEmpty) {
    complain(diag::empty_match, since(begin)).help("write at least one case: `name => value`");
  }
  closeBlock(open);
  return finishExpr(std::move(node), since(begin));
}
