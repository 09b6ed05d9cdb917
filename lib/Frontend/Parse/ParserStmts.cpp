// Blocks and statements.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ParserImpl.h"

using namespace tessera;
using namespace tessera::ast;
using llvm::isa;
using llvm::StringRef;

//===-- Blocks -----------------------------------------------------------------------------------------------------===//

/// The `{` of a block. Where something else stands before it on the line, that is skipped after the error.
bool Parser::openBlock(StringRef context) {
  if (failed) {
    return false;
  }
  if (expect(Tok::LBrace, context)) {
    return true;
  }
  while (!at(Tok::LBrace)) {
    if (blockEnds() || at(Tok::Semi) || tok().newlineBefore || !skipBalanced()) {
      return false;
    }
  }
  if (tok().newlineBefore) {
    return false;
  }
  advance();
  failed = false;
  return true;
}

void Parser::closeBlock(uint32_t open) {
  if (accept(Tok::RBrace)) {
    return;
  }
  DiagnosticBuilder builder = error(diag::unclosed_block, errorPlace(), found());
  builder.note(rangeOf(lexed.tokens[open]), "opened here").help("write `}` where the block ends");
}

std::unique_ptr<Block> Parser::parseBlock(StringRef context) {
  auto block = std::make_unique<Block>();
  uint32_t begin = tok().begin;
  if (!openBlock(context)) {
    return finish(std::move(block), since(begin));
  }
  uint32_t open = at_ - 1;
  Nested nested(*this);
  if (!nested.ok) {
    recoverTo(open);
    return finish(std::move(block), since(begin));
  }
  Brackets scope(*this, /*newlines=*/true);
  while (true) {
    while (accept(Tok::Semi)) {
    }
    if (blockEnds()) {
      break;
    }
    parseBlockEntry(*block);
  }
  closeBlock(open);
  return finish(std::move(block), since(begin));
}

/// One statement or the value of the block, up to its separator.
void Parser::parseBlockEntry(Block &block) {
  uint32_t start = at_;
  startEntry();
  ExprPtr value;
  StmtPtr stmt = parseStmt(value);
  if (!failed && !blockEnds() && !at(Tok::Semi) && !tok().newlineBefore) {
    DiagnosticBuilder builder =
        error(diag::expected_separator, errorPlace(), "statements", found());
    builder.help("put each on its own line, or write `;`");
    if (startsStmtKeyword(kind())) {
      builder.fixIt(previous().atEnd(), ";");
      failed = false;
    } else if (at(Tok::Comma) && block.stmts.empty() && value) {
      builder.help("`{` opens a block here; a set `{a, b}` stands after `in`, a list is `[a, b]`");
    }
  }
  bool lost = failed;
  if (failed) {
    syncStmt(start);
  }
  if (stmt) {
    block.stmts.push_back(std::move(stmt));
  }
  if (!value) {
    return;
  }
  while (accept(Tok::Semi)) {
  }
  if (blockEnds()) {
    block.value = std::move(value);
    return;
  }
  if (isa<Call, If, Match>(*value)) {
    auto node = std::make_unique<ExprStmt>();
    SourceRange range = value->range;
    node->expr = std::move(value);
    block.stmts.push_back(finish<Stmt>(std::move(node), range));
    return;
  }
  if (lost) {
    return;
  }
  DiagnosticBuilder builder = complain(diag::unused_value, value->range);
  auto *comparison = llvm::dyn_cast<Binary>(value.get());
  if (comparison && comparison->op == BinaryOp::Eq && isa<Name, Member, Index>(*comparison->lhs) &&
      !comparison->lhs->parens && !comparison->parens) {
    builder.fixIt(comparison->opRange, "=").help("to assign write `=`");
  } else {
    builder.help("only the last expression of a block is its value; give this one a name with "
                 "`let`, or remove it");
  }
}

/// Behind an `if`, a `match` or a block that stands as a statement: an operator that would take it as an operand. Reads
/// on as if it were in parentheses, which is what the fix proposes where the whole is the value of its block.
ExprPtr Parser::continueAfterBlock(ExprPtr value, uint32_t begin) {
  if (failed || tok().newlineBefore) {
    return value;
  }
  switch (kind()) {
  case Tok::Plus:
  case Tok::Minus:
  case Tok::Star:
  case Tok::Slash:
  case Tok::SlashSlash:
  case Tok::Percent:
  case Tok::KwAs:
  case Tok::Dot:
  case Tok::LBracket:
  case Tok::LParen:
  case Tok::Coalesce:
  case Tok::EqEq:
  case Tok::NotEq:
  case Tok::Less:
  case Tok::LessEq:
  case Tok::Greater:
  case Tok::GreaterEq:
  case Tok::KwAnd:
  case Tok::KwOr:
  case Tok::KwXor:
  case Tok::Shl:
  case Tok::Shr:
    break;
  default:
    return value;
  }
  SourceRange op = here();
  SourceRange blockEnd = previous().atEnd();
  value = parseOperators(parseCasts(parsePostfix(std::move(value), begin), begin), begin);
  if (failed) {
    return value;
  }
  StringRef spelled = text.slice(op.begin, op.end);
  DiagnosticBuilder builder = complain(diag::operator_after_block, op, spelled);
  builder.help("put the whole into parentheses: `( … ) " + spelled + " …`");
  if (at(Tok::RBrace)) {
    builder.fixIt({file, begin, begin}, "(").fixIt(blockEnd, ")");
  }
  return value;
}

//===-- Statements -------------------------------------------------------------------------------------------------===//

/// Gives a statement, or an expression in `value`.
StmtPtr Parser::parseStmt(ExprPtr &value) {
  uint32_t begin = tok().begin;
  switch (kind()) {
  case Tok::KwLet:
  case Tok::KwVar:
    return parseLet();
  case Tok::KwStatic:
    return parseStatic();
  case Tok::KwTune:
    return parseTune();
  case Tok::KwGrid:
    return parseGrid();
  case Tok::KwFor:
    return parseFor();
  case Tok::KwWhile:
    return parseWhile();
  case Tok::KwAssert:
  case Tok::KwAssume:
    return parseAssert();
  case Tok::KwUnsafe:
    return parseUnsafe();
  case Tok::KwIf:
  case Tok::KwMatch:
  case Tok::LBrace:
    value = at(Tok::KwIf) ? parseIf() : at(Tok::KwMatch) ? parseMatch() : parseBlock("");
    value = continueAfterBlock(std::move(value), begin);
    return nullptr;
  default:
    break;
  }
  rejectJump();
  ExprPtr expr = parseExpr();
  if (failed) {
    return nullptr;
  }
  if (at(Tok::Assign)) {
    return parseAssign(std::move(expr), begin);
  }
  if (at(Tok::CompoundAssign)) {
    return parseCompound(std::move(expr), begin);
  }
  value = std::move(expr);
  return nullptr;
}

/// `return`, `break`, `continue` are ordinary names to the lexer; at the start of a statement they are meant.
void Parser::rejectJump() {
  bool isReturn = atWord("return");
  if (!isReturn && !atWord("break") && !atWord("continue")) {
    return;
  }
  const Token &next = peek(1);
  bool endsHere = next.newlineBefore || next.kind == Tok::Semi || next.kind == Tok::RBrace;
  if (isReturn && !endsHere && (startsExpr(next.kind) || next.kind == Tok::Minus)) {
    DiagnosticBuilder builder = complain(diag::no_jump, here(), textOf(tok()));
    builder.help("the last expression of a block is its value; write it without `return`");
    builder.fixIt({file, tok().begin, next.begin}, "");
    advance();
  } else if (endsHere) {
    error(diag::no_jump, here(), textOf(tok()))
        .help(
            isReturn
                ? "the last expression of a block is its value"
                : "put the condition into the loop: `while`, or `if` around the rest of the body");
  }
}

Pattern Parser::parsePattern() {
  Pattern pattern;
  uint32_t begin = tok().begin;
  if (at(Tok::LParen) && !atNewline()) {
    pattern.isTuple = true;
    uint32_t open = at_;
    advance();
    parseList(open, Tok::RParen, "in the names",
              [&] { pattern.names.push_back(parseIdent("in the pattern")); });
    if (pattern.names.size() < 2 && !failed) {
      complain(diag::short_pattern, since(begin)).help("for one name leave the parentheses out");
    }
  } else {
    pattern.names.push_back(parseIdent("to declare"));
  }
  pattern.range = since(begin);
  return pattern;
}

StmtPtr Parser::parseLet() {
  auto node = std::make_unique<Let>();
  uint32_t begin = tok().begin;
  node->isVar = at(Tok::KwVar);
  advance();
  if (node->isVar && at(Tok::LParen)) {
    complain(diag::var_pattern, here())
        .help("declare each with its own `var`, or take the parts with `let` first");
  }
  node->pattern = parsePattern();
  if (!failed && !node->isVar && !node->pattern.isTuple && at(Tok::LBracket) && !atNewline()) {
    node->indices = parseRefIndices();
  }
  if (!failed && acceptInfix(Tok::Colon)) {
    node->type = parseType();
  }
  if (!failed && at(Tok::Assign)) {
    acceptInfix(Tok::Assign);
    node->value = parseExpr();
  } else if (!failed) {
    error(diag::missing_initial_value, errorPlace(), found())
        .help("write `= value`; every name has a value from the start");
  }
  return finish<Stmt>(std::move(node), since(begin));
}

StmtPtr Parser::parseStatic() {
  auto node = std::make_unique<Static>();
  uint32_t begin = tok().begin;
  advance();
  node->name = parseIdent("after `static`");
  if (!failed && expect(Tok::Assign, "after the name of a static value")) {
    node->value = parseExpr();
  }
  return finish<Stmt>(std::move(node), since(begin));
}

StmtPtr Parser::parseTune() {
  auto node = std::make_unique<Tune>();
  uint32_t begin = tok().begin;
  advance();
  do {
    Choice choice;
    choice.name = parseIdent("of a tuning parameter");
    if (!failed && expect(Tok::KwIn, "after the name of a tuning parameter")) {
      choice.set = parseSet();
    }
    node->choices.push_back(std::move(choice));
  } while (!failed && acceptInfix(Tok::Comma));
  return finish<Stmt>(std::move(node), since(begin));
}

/// `tiles(range, width)` or a range.
ExprPtr Parser::parseDomain() {
  uint32_t begin = tok().begin;
  if (!atWord("tiles") || peek(1).kind != Tok::LParen) {
    return parseRange();
  }
  auto node = std::make_unique<Tiles>();
  advance();
  uint32_t open = at_;
  advance();
  Brackets scope(*this);
  node->bounds = parseRange();
  if (!failed && expect(Tok::Comma, "and the width after the range of `tiles`")) {
    node->width = parseExpr();
  }
  if (!failed && !accept(Tok::RParen)) {
    reportUnclosed(open, Tok::RParen);
  }
  if (failed) {
    recoverTo(open);
  }
  return finishExpr(std::move(node), since(begin));
}

StmtPtr Parser::parseGrid() {
  auto node = std::make_unique<Grid>();
  uint32_t begin = tok().begin;
  advance();
  do {
    Axis axis;
    axis.name = parseIdent("of a grid axis");
    if (!failed && expect(Tok::KwIn, "after the name of a grid axis")) {
      axis.domain = parseDomain();
    }
    node->axes.push_back(std::move(axis));
  } while (!failed && acceptInfix(Tok::Comma));
  return finish<Stmt>(std::move(node), since(begin));
}

StmtPtr Parser::parseFor() {
  auto node = std::make_unique<For>();
  uint32_t begin = tok().begin;
  advance();
  node->var = parseIdent("of the loop variable");
  if (!failed && expect(Tok::KwIn, "after the loop variable")) {
    node->isStatic = accept(Tok::KwStatic);
    bool isTiles = atWord("tiles") && peek(1).kind == Tok::LParen;
    if (node->isStatic && isTiles) {
      complain(diag::static_tiles, previous())
          .help("`static` unrolls a range such as `0..4`; leave it out here");
    }
    node->domain = parseDomain();
    node->isReversed = !failed && !atNewline() && acceptWord("reversed");
  }
  node->body = parseBlock("after the range of `for`");
  return finish<Stmt>(std::move(node), since(begin));
}

StmtPtr Parser::parseWhile() {
  auto node = std::make_unique<While>();
  uint32_t begin = tok().begin;
  advance();
  node->cond = parseExpr();
  node->body = parseBlock("after the condition of `while`");
  return finish<Stmt>(std::move(node), since(begin));
}

StmtPtr Parser::parseAssert() {
  auto node = std::make_unique<Assert>();
  uint32_t begin = tok().begin;
  node->isAssume = at(Tok::KwAssume);
  advance();
  node->cond = parseExpr();
  if (!failed && acceptInfix(Tok::Comma)) {
    if (at(Tok::String)) {
      node->message = parseString();
    } else {
      error(diag::expected_string, errorPlace(), "for the message", found())
          .help("write the message in `\"`");
    }
  }
  return finish<Stmt>(std::move(node), since(begin));
}

StmtPtr Parser::parseUnsafe() {
  auto node = std::make_unique<Unsafe>();
  uint32_t begin = tok().begin;
  advance();
  node->body = parseBlock("after `unsafe`");
  return finish<Stmt>(std::move(node), since(begin));
}

bool Parser::checkPlace(const Expr &place) {
  if (isa<Name, Member, Index>(place) && !place.parens) {
    return true;
  }
  complain(diag::not_a_place, place.range)
      .help(isa<Tuple>(place) ? "take the parts with `let (a, b) = …`, then assign each"
                              : "the left side is a name, a member `a.b` or an element `a[i]`");
  return false;
}

StmtPtr Parser::parseAssign(ExprPtr place, uint32_t begin) {
  checkPlace(*place);
  acceptInfix(Tok::Assign);
  auto node = std::make_unique<Assign>();
  node->place = std::move(place);
  node->value = parseExpr();
  if (inInstr && !failed && !atNewline() && acceptWord("fill")) {
    node->fill = parseExpr();
  }
  return finish<Stmt>(std::move(node), since(begin));
}

/// `x += e` is read to its end, then proposed as `x = x + e`.
StmtPtr Parser::parseCompound(ExprPtr place, uint32_t begin) {
  checkPlace(*place);
  StringRef target = text.slice(begin, previous().end);
  SourceRange opRange = here();
  StringRef op = textOf(tok()).drop_back();
  advance();
  auto node = std::make_unique<Assign>();
  uint32_t value = tok().begin;
  node->value = parseExpr();
  node->place = std::move(place);
  if (!failed) {
    bool needsParens = isa<Binary, In, Unary, If, Match>(*node->value) && !node->value->parens;
    DiagnosticBuilder builder =
        complain(diag::compound_assignment, opRange,
                 textOf({Tok::CompoundAssign, false, opRange.begin, opRange.end}));
    builder.help("write `" + target + " = " + target + " " + op + " …`");
    builder.fixIt(opRange, "= " + target + " " + op);
    if (needsParens) {
      builder.fixIt({file, value, value}, "(").fixIt(previous().atEnd(), ")");
    }
  }
  return finish<Stmt>(std::move(node), since(begin));
}
