// Statements of scripts.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ParserImpl.h"

using namespace tessera;
using namespace tessera::script;
using llvm::StringRef;

Block Parser::parseBlock(StringRef context, bool wantsValue) {
  Block block;
  Nested nested(*this);
  uint32_t open = at_;
  uint32_t begin = tok().begin;
  if (!nested.ok || !expect(Tok::LBrace, context)) {
    return block;
  }
  Brackets scope(*this, /*newlines=*/true);
  llvm::SaveAndRestore<uint32_t> entry(entryStart);
  while (true) {
    while (accept(Tok::Semi)) {
    }
    if (blockEnds()) {
      break;
    }
    uint32_t start = at_;
    entryStart = at_;
    StmtPtr stmt = parseStmt(wantsValue);
    if (stmt && !failed) {
      block.stmts.push_back(std::move(stmt));
    }
    if (!failed && !blockEnds() && !tok().newlineBefore && !at(Tok::Semi)) {
      error(diag::expected_separator, errorPlace(), "statements", found())
          .help("put each on its own line, or write `;`");
    }
    if (failed) {
      syncStmt(start);
    }
    if (at_ == start) {
      advance();
    }
  }
  if (!accept(Tok::RBrace)) {
    entryStart = at_; // what stands here is no continuation of the line before
    error(diag::unclosed_block, errorPlace(), found())
        .note(rangeOf(lexed.tokens[open]), "the block starts here")
        .help("write `}`");
  }
  block.range = since(begin);
  return block;
}

StmtPtr Parser::parseStmt(bool wantsValue) {
  switch (tok().kind) {
  case Tok::KwLet:
    return parseLet();
  case Tok::KwFor:
    return parseFor();
  case Tok::KwWhile:
    return parseWhile();
  case Tok::KwAssume:
    return parseFacts<Assume>();
  default:
    break;
  }
  if (rejectForeign()) {
    return nullptr;
  }
  bool assigned = peek(1).kind == Tok::Assign;
  if (tok().kind == Tok::Ident && !assigned) {
    if (StmtPtr stmt = parseWordStmt()) {
      return stmt;
    }
  }
  return failed ? nullptr : parseExprStmt(wantsValue);
}

/// Statements that begin with a word that is no keyword of the lexer; null where the word is a name.
StmtPtr Parser::parseWordStmt() {
  if (atWord("return")) {
    return parseReturn();
  }
  if (atWord("try") && peek(1).kind == Tok::LBrace) {
    return parseTry();
  }
  if (atWord("require")) {
    return parseRequire();
  }
  if (atWord("print")) {
    return parsePrint();
  }
  if (atWord("trust")) {
    return parseTrust();
  }
  return atWord("expect") ? parseFacts<Expect>() : nullptr;
}

/// Words of other languages at the start of a statement or item.
bool Parser::rejectForeign() {
  static constexpr struct {
    const char *word;
    const char *replacement;
  } table[] = {{"var", "let"}, {"fn", "def"}, {"elif", "else if"},
               {"permit", ""}, {"break", ""}, {"continue", ""}};
  Tok next = peek(1).kind;
  bool startsText = isAnyWord(peek(1)) && !peek(1).newlineBefore;
  for (const auto &row : table) {
    if (textOf(tok()) != row.word || next == Tok::Assign || next == Tok::LParen) {
      continue;
    }
    StringRef replacement = row.replacement;
    if (replacement.empty() && tok().kind == Tok::Ident && (!startsText || atWord("permit"))) {
      error(diag::no_jump, here(), row.word)
          .help(atWord("permit") ? "numeric freedom is given in the source of the kernel"
                                 : "put the rest of the body into an `if`");
      return true;
    }
    if (!replacement.empty() && startsText) {
      error(DiagId::foreign_statement, here(), row.word, replacement)
          .fixIt(here(), replacement)
          .help("write `" + replacement + "`");
      return true;
    }
  }
  return false;
}

StmtPtr Parser::parseLet() {
  auto node = std::make_unique<Let>();
  uint32_t begin = tok().begin;
  advance();
  do {
    Binding binding;
    binding.target = parseTarget();
    if (failed) {
      return nullptr;
    }
    if (!at(Tok::Assign) || atNewline()) {
      error(diag::missing_initial_value, errorPlace(), found())
          .help("write `= value` behind the name");
      return nullptr;
    }
    advance();
    binding.value = parseValue();
    node->bindings.push_back(std::move(binding));
  } while (!failed && accept(Tok::Comma));
  return finishStmt(std::move(node), begin);
}

Target Parser::parseTarget() {
  Target target;
  uint32_t begin = tok().begin;
  if (!at(Tok::LBrace)) {
    target.name = parseName("after `let`");
    target.range = since(begin);
    return target;
  }
  target.isRecord = true;
  uint32_t open = at_;
  advance();
  parseList(open, Tok::RBrace, "in the pattern", [&] {
    if (!isAnyWord(tok())) {
      error(diag::expected_name, errorPlace(), "of a field", found())
          .help("write `{field: name}` with the fields that are wanted");
      return;
    }
    Ident key{textOf(tok()).str(), here()};
    bool mayStandAlone = isName(tok());
    advance();
    if (accept(Tok::Colon)) {
      if (at(Tok::Underscore)) {
        target.fields.emplace_back(std::move(key), Ident{"_", here()});
        advance();
      } else {
        Ident name = parseName("for the field");
        target.fields.emplace_back(std::move(key), std::move(name));
      }
    } else if (mayStandAlone) {
      target.fields.emplace_back(key, key);
    } else {
      error(diag::keyword_as_name, key.range, key.text).help("write `" + key.text + ": name`");
    }
  });
  target.range = since(begin);
  return target;
}

StmtPtr Parser::parseFor() {
  auto node = std::make_unique<For>();
  uint32_t begin = tok().begin;
  advance();
  node->var = parseName("after `for`");
  if (failed || !expect(Tok::KwIn, "and a list after the name")) {
    return nullptr;
  }
  node->domain = parseExpr();
  if (failed) {
    return nullptr;
  }
  node->body = parseBlock("before the body of the loop");
  return finishStmt(std::move(node), begin);
}

StmtPtr Parser::parseWhile() {
  auto node = std::make_unique<While>();
  uint32_t begin = tok().begin;
  advance();
  node->cond = parseExpr();
  if (failed) {
    return nullptr;
  }
  node->body = parseBlock("before the body of the loop");
  return finishStmt(std::move(node), begin);
}

StmtPtr Parser::parseTry() {
  auto node = std::make_unique<Try>();
  uint32_t begin = tok().begin;
  advance();
  node->body = parseBlock("after `try`");
  if (failed) {
    return nullptr;
  }
  if (!at(Tok::KwElse) || !isName(peek(1))) {
    error(DiagId::try_without_else, errorPlace(), found())
        .help("write `else err { … }`; the block may be empty");
    return nullptr;
  }
  advance();
  node->error = parseName("after `else`");
  node->handler = parseBlock("before what is done on an error");
  return finishStmt(std::move(node), begin);
}

StmtPtr Parser::parseRequire() {
  auto node = std::make_unique<Require>();
  uint32_t begin = tok().begin;
  advance();
  node->cond = parseExpr();
  if (!failed && accept(Tok::Comma)) {
    node->message = parseExpr();
  }
  return finishStmt(std::move(node), begin);
}

void Parser::parseCommas(std::vector<ExprPtr> &values) {
  do {
    values.push_back(parseExpr());
  } while (!failed && accept(Tok::Comma));
}

StmtPtr Parser::parsePrint() {
  auto node = std::make_unique<Print>();
  uint32_t begin = tok().begin;
  advance();
  parseCommas(node->values);
  return finishStmt(std::move(node), begin);
}

template <typename T> StmtPtr Parser::parseFacts() {
  auto node = std::make_unique<T>();
  uint32_t begin = tok().begin;
  advance();
  parseCommas(node->facts);
  return finishStmt(std::move(node), begin);
}

StmtPtr Parser::parseTrust() {
  auto node = std::make_unique<Trust>();
  uint32_t begin = tok().begin;
  advance();
  bool hasParens = accept(Tok::LParen);
  if (!hasParens || !at(Tok::String)) {
    error(diag::expected_string, errorPlace(), "in parentheses after `trust`", found())
        .help("say why the checks may be skipped: `trust(\"reason\") { … }`");
    return nullptr;
  }
  node->reason = decodeString(textOf(tok()));
  advance();
  if (expect(Tok::RParen, "after the reason")) {
    node->body = parseBlock("before what is trusted");
  }
  return finishStmt(std::move(node), begin);
}

StmtPtr Parser::parseReturn() {
  auto node = std::make_unique<Return>();
  uint32_t begin = tok().begin;
  if (!inFunction) {
    complain(DiagId::return_outside_function, here())
        .help(
            "end a schedule with an `if` around the rest, or move the statements into a function");
  }
  advance();
  if (!atNewline() && !at(Tok::Semi) && !blockEnds()) {
    node->value = parseValue();
  }
  return finishStmt(std::move(node), begin);
}

/// A call, an `if`, an assignment; where a block has a value also any other expression as its last statement.
StmtPtr Parser::parseExprStmt(bool wantsValue) {
  uint32_t begin = tok().begin;
  ExprPtr value = at(Tok::KwIf) ? parseIf(wantsValue) : parseValue();
  if (failed) {
    return nullptr;
  }
  if (at(Tok::Assign) && !atNewline()) {
    auto *name = llvm::dyn_cast<Name>(value.get());
    if (!name || value->parenthesized) {
      error(diag::not_a_place, value->range)
          .help("only names are assigned to; for a record make a new one");
      return nullptr;
    }
    auto node = std::make_unique<Assign>();
    node->name = {name->text, value->range};
    advance();
    node->value = parseValue();
    return finishStmt(std::move(node), begin);
  }
  if (at(Tok::CompoundAssign)) {
    StringRef op = textOf(tok());
    error(diag::compound_assignment, here(), op)
        .help("write `" + text.slice(begin, previous().end) + " = " +
              text.slice(begin, previous().end) + " " + op.drop_back() + " …`");
    return nullptr;
  }
  // A name alone is the short form without arguments, unless it is the value of the block.
  bool isLast = wantsValue && (at(Tok::RBrace) || (at(Tok::Semi) && peek(1).kind == Tok::RBrace));
  if (!isLast && !pathText(*value).empty()) {
    auto call = std::make_unique<Call>();
    call->isShort = true;
    const Expr *callee = value.get();
    call->callee = std::move(value);
    value = finish(std::move(call), since(begin), callee);
  }
  if (!llvm::isa<Call, If>(*value) && !isLast) {
    complain(diag::unused_value, value->range).help("give it a name with `let`, or remove it");
  }
  auto node = std::make_unique<ExprStmt>();
  node->expr = std::move(value);
  return finishStmt(std::move(node), begin);
}
