// Tokens, errors and recovery of the parser; the entry points.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tessera/Frontend/Parser.h"

#include "ParserImpl.h"

using namespace tessera;
using namespace tessera::ast;
using llvm::StringRef;

Parser::Parser(uint32_t file, LexedFile tokens, DiagnosticEngine &engine)
    : file(file), text(engine.getSources().text(file)), lexed(std::move(tokens)), engine(engine),
      docTaken(lexed.comments.size(), false) {
  // The pass over brackets reports nothing, but errors of numbers may come before those of an earlier comment.
  std::sort(lexed.errors.begin(), lexed.errors.end(),
            [](const LexError &a, const LexError &b) { return a.begin < b.begin; });
}

std::unique_ptr<ast::File> Parser::parse() {
  auto result = std::make_unique<ast::File>();
  result->file = file;
  while (!at(Tok::Eof)) {
    uint32_t start = at_;
    startEntry();
    parseItem(*result);
    if (failed) {
      syncItem();
    }
    if (at_ == start) {
      advance();
    }
  }
  finishComments(*result);
  reportLexErrors();
  return result;
}

//===-- Tokens -----------------------------------------------------------------------------------------------------===//

/// After an operator or a comma a new line is a space.
static bool continuesLine(Tok kind) {
  switch (kind) {
  case Tok::Comma:
  case Tok::Dot:
  case Tok::DotDot:
  case Tok::Assign:
  case Tok::FatArrow:
  case Tok::CompoundAssign:
  case Tok::KwAnd:
  case Tok::KwOr:
  case Tok::KwXor:
  case Tok::KwNot:
  case Tok::KwIn:
  case Tok::KwAs:
    return true;
  default:
    return kind >= Tok::Coalesce && kind <= Tok::Percent;
  }
}

void Parser::advance() {
  if (at_ + 1 < lexed.tokens.size()) {
    bool joins = continuesLine(kind());
    ++at_;
    continued = joins ? at_ : continued;
  }
}

bool Parser::accept(Tok kind) {
  if (!at(kind)) {
    return false;
  }
  advance();
  return true;
}

bool Parser::acceptWord(StringRef word) {
  if (!atWord(word)) {
    return false;
  }
  advance();
  return true;
}

/// Fix-its that append the current token to the line before; a comment there stays behind it.
void Parser::moveToPreviousLine(DiagnosticBuilder &builder) {
  uint32_t blanks = tok().end;
  while (blanks < text.size() && text[blanks] == ' ') {
    ++blanks;
  }
  builder.fixIt(previous().atEnd(), " " + textOf(tok())).fixIt({file, tok().begin, blanks}, "");
}

void Parser::complainLineStart() {
  DiagnosticBuilder builder = complain(diag::line_starts_with_operator, here(), textOf(tok()));
  moveToPreviousLine(builder);
  if (at(Tok::Minus)) {
    builder.help("end the line before with `-`, or write `(-x)` for a value of its own");
  } else {
    builder.help("end the line before with `" + textOf(tok()) + "`");
  }
}

bool Parser::acceptInfix(Tok kind) {
  if (!at(kind)) {
    return false;
  }
  if (atNewline()) {
    complainLineStart();
  }
  advance();
  return true;
}

bool Parser::expect(Tok kind, StringRef context) {
  if (at(kind) && !atNewline()) {
    advance();
    return true;
  }
  if (at(kind)) {
    DiagnosticBuilder builder = complain(diag::token_on_next_line, here(), textOf(tok()), context);
    moveToPreviousLine(builder);
    builder.help("write `" + textOf(tok()) + "` at the end of the line before");
    advance();
    return true;
  }
  error(diag::expected_token, errorPlace(), spelling(kind), context, found())
      .help("write `" + spelling(kind) + "` " + context);
  return false;
}

void Parser::takeGreater() {
  Token &token = lexed.tokens[at_];
  if (token.kind == Tok::Greater) {
    advance();
    return;
  }
  // The second half of `>>` or `>=` stays as a token of its own.
  token.kind = token.kind == Tok::Shr ? Tok::Greater : Tok::Assign;
  token.newlineBefore = false;
  ++token.begin;
}

bool Parser::startsExpr(Tok kind) const {
  switch (kind) {
  case Tok::Ident:
  case Tok::Int:
  case Tok::Float:
  case Tok::String:
  case Tok::LParen:
  case Tok::LBracket:
  case Tok::LBrace:
  case Tok::KwTrue:
  case Tok::KwFalse:
  case Tok::KwInf:
  case Tok::KwNan:
  case Tok::KwNot:
  case Tok::KwIf:
  case Tok::KwMatch:
  case Tok::KwSelf:
    return true;
  default:
    return false;
  }
}

bool Parser::startsStmtKeyword(Tok kind) const {
  switch (kind) {
  case Tok::KwLet:
  case Tok::KwVar:
  case Tok::KwStatic:
  case Tok::KwTune:
  case Tok::KwGrid:
  case Tok::KwFor:
  case Tok::KwWhile:
  case Tok::KwAssert:
  case Tok::KwAssume:
  case Tok::KwUnsafe:
    return true;
  default:
    return false;
  }
}

/// Words that begin an item, and are names elsewhere.
static bool isItemWord(StringRef word) {
  return word == "test" || word == "layout" || word == "instr" || word == "sync" ||
         word == "schedule" || word == "def";
}

bool Parser::startsItem(const Token &token) const {
  switch (token.kind) {
  case Tok::KwImport:
  case Tok::KwConst:
  case Tok::KwEnum:
  case Tok::KwStruct:
  case Tok::KwFn:
  case Tok::KwKernel:
    return true;
  default:
    return token.kind == Tok::Ident && isItemWord(textOf(token));
  }
}

//===-- Errors -----------------------------------------------------------------------------------------------------===//

std::string Parser::found() const {
  if (at(Tok::Eof)) {
    return "the end of the file";
  }
  if (startsLine()) {
    return "the end of the line";
  }
  if (at(Tok::String)) {
    return "a string";
  }
  StringRef spelled = textOf(tok());
  return "`" + spelled.take_front(40).str() + (spelled.size() > 40 ? "…`" : "`");
}

/// Where something is missing: at the current token, or behind the previous one when that ends the line or the file.
SourceRange Parser::errorPlace() const {
  if (at_ && (at(Tok::Eof) || startsLine())) {
    return previous().atEnd();
  }
  return here();
}

/// A second error at the same token, or one next to a token that the lexer rejected, says nothing new. The fix of the
/// lexer's error alone would then not make the text right, so it is not offered.
bool Parser::suppressed() {
  if (failed && lastError == at_) {
    return true;
  }
  uint32_t from = at_ ? previous().begin : 0;
  auto error =
      std::lower_bound(lexed.errors.begin(), lexed.errors.end(), from,
                       [](const LexError &e, uint32_t offset) { return e.begin < offset; });
  bool any = false;
  for (; error != lexed.errors.end() && error->begin <= tok().end; ++error) {
    error->fixIts.clear();
    any = true;
  }
  return any;
}

bool Parser::tooManyErrors() {
  if (numErrors == kMaxErrors && !stopped) {
    stopped = true;
    engine.report(diag::too_many_errors, here(), kMaxErrors)
        .help("mend the first ones; the others may go with them");
    at_ = static_cast<uint32_t>(lexed.tokens.size() - 1);
  }
  return stopped;
}

void Parser::reportLexErrors() {
  unsigned reported = 0;
  for (const LexError &e : lexed.errors) {
    SourceRange range{file, e.begin, e.end};
    bool inRaw = llvm::any_of(rawRanges, [&](SourceRange raw) { return raw.contains(range); });
    if (inRaw && e.legalInRaw) {
      continue;
    }
    if (reported++ == kMaxErrors) {
      if (!stopped) {
        engine.report(diag::too_many_errors, range, kMaxErrors)
            .help("check that this is a `.tile` file in UTF-8");
      }
      return;
    }
    DiagnosticBuilder builder = engine.report(e.id, range, e.first, e.second);
    builder.help(e.help);
    for (const FixIt &fix : e.fixIts) {
      builder.fixIt(fix.range, fix.replacement);
    }
  }
}

//===-- Recovery ---------------------------------------------------------------------------------------------------===//

/// To behind the bracket that closes token `open`. False when it has none ahead: the statement is then lost.
bool Parser::recoverTo(uint32_t open) {
  uint32_t partner = lexed.partners[open];
  if (partner == LexedFile::kNoPartner || partner < at_) {
    failed = true;
    return false;
  }
  at_ = partner;
  advance();
  failed = false;
  return true;
}

/// One token, or a whole bracketed group.
bool Parser::skipBalanced() {
  uint32_t partner = lexed.partners[at_];
  if (partner != LexedFile::kNoPartner && partner > at_) {
    at_ = partner;
  }
  uint32_t before = at_;
  advance();
  return at_ != before;
}

/// To the next statement: the start of a line, a `;`, the end of the block. Always moves on from `start`.
void Parser::syncStmt(uint32_t start) {
  failed = false;
  while (!blockEnds() && !at(Tok::Semi)) {
    if (tok().newlineBefore && at_ != start) {
      return;
    }
    skipBalanced();
  }
}

void Parser::syncItem() {
  failed = false;
  while (!at(Tok::Eof)) {
    if (isLineStart(tok()) && startsItem(tok())) {
      return;
    }
    advance();
  }
}

/// At `}`, the end of the file, or an item that shows that the `}` is missing.
bool Parser::blockEnds() const {
  switch (kind()) {
  case Tok::RBrace:
  case Tok::Eof:
  case Tok::KwKernel:
  case Tok::KwStruct:
  case Tok::KwEnum:
  case Tok::KwImport:
    return true;
  case Tok::KwConst:
    return isLineStart(tok());
  case Tok::KwFn:
    return isLineStart(tok());
  default:
    return false;
  }
}

bool Parser::finishListElement(uint32_t open, Tok close, StringRef what) {
  if (at(Tok::Comma)) {
    SourceRange comma = here();
    advance();
    if (at(close)) {
      complain(diag::trailing_comma, comma, spelling(close)).fixIt(comma, "").help("remove it");
    }
    return true;
  }
  if (at(close)) {
    return true;
  }
  bool isOver = at(Tok::Eof) || at(Tok::RBrace) || at(Tok::RParen) || at(Tok::RBracket) ||
                (tok().newlineBefore && startsStmtKeyword(kind()));
  if (close != Tok::RBrace && isOver) {
    reportUnclosed(open, close);
  } else if (startsExpr(kind()) && !at(Tok::LBrace)) {
    error(diag::missing_comma, errorPlace(), found(), what)
        .fixIt(previous().atEnd(), ",")
        .help("insert `,`");
    failed = false;
    return true;
  } else {
    error(diag::expected_list_end, errorPlace(), spelling(close), what, found())
        .note(rangeOf(lexed.tokens[open]), "opened here")
        .help("write `,` before the next one, `" + spelling(close) + "` after the last");
  }
  recoverTo(open);
  return false;
}

/// The bracket that token `open` opened is missing; where a statement begins the place is the end of the line before.
void Parser::reportUnclosed(uint32_t open, Tok close) {
  SourceRange place = tok().newlineBefore && at_ ? previous().atEnd() : errorPlace();
  error(diag::unclosed_bracket, place, spelling(close), spelling(lexed.tokens[open].kind), found())
      .note(rangeOf(lexed.tokens[open]), "opened here")
      .help("write `" + spelling(close) + "`");
}

//===-- Nesting ----------------------------------------------------------------------------------------------------===//

void Parser::reportTooDeep(SourceRange range) {
  if (!tooDeep) {
    tooDeep = true;
    error(diag::too_deep, range, kMaxNesting, kMaxHeight)
        .help("give parts of it a name with `let`");
  }
  failed = true;
}

bool Parser::enter() {
  if (++nesting <= kMaxNesting) {
    return true;
  }
  reportTooDeep(here());
  return false;
}

bool Parser::seal(Node &node, SourceRange range) {
  node.range = range;
  unsigned height = 0;
  forEachChild(node, [&](const Node &child) { height = std::max<unsigned>(height, child.height); });
  if (height < kMaxHeight) {
    node.height = static_cast<uint16_t>(height + 1);
    return true;
  }
  reportTooDeep(range);
  if (auto *block = llvm::dyn_cast<Block>(&node)) {
    block->stmts.clear();
    block->value = nullptr;
    block->height = 1;
    return true;
  }
  node.height = kMaxHeight;
  return false;
}

ExprPtr Parser::finishExpr(ExprPtr node, SourceRange range) {
  if (seal(*node, range)) {
    return node;
  }
  auto replacement = std::make_unique<ErrorExpr>();
  replacement->range = range;
  return replacement;
}

ExprPtr Parser::errorExpr() {
  auto node = std::make_unique<ErrorExpr>();
  node->range = errorPlace();
  return node;
}

//===-- Entry points -----------------------------------------------------------------------------------------------===//

std::unique_ptr<ast::File> tessera::parseFile(uint32_t file, DiagnosticEngine &engine) {
  StringRef text = engine.getSources().text(file);
  if (text.size() > kMaxFileBytes) {
    engine.report(diag::file_too_large, {file, 0, 0}, text.size(), kMaxFileBytes)
        .help("split the file and import its parts");
    auto result = std::make_unique<ast::File>();
    result->file = file;
    return result;
  }
  size_t before = engine.diagnostics().size();
  std::unique_ptr<ast::File> result = Parser(file, lex(file, text), engine).parse();
  engine.sortByPosition(before);
  return result;
}

std::unique_ptr<ast::File> tessera::parseBuffer(StringRef text, StringRef fileName,
                                                DiagnosticEngine &engine) {
  return parseFile(engine.getSources().addFile(fileName, text), engine);
}
