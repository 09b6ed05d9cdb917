// Tokens, errors and recovery of the script parser; the entry points.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ParserImpl.h"

using namespace tessera;
using namespace tessera::script;
using llvm::StringRef;

Parser::Parser(SourceRange range, LexedFile tokens, bool isEmbedded, DiagnosticEngine &engine)
    : file(range.file), whole(range), text(engine.getSources().text(range.file)),
      lexed(std::move(tokens)), isEmbedded(isEmbedded), engine(engine) {
  // Back-quotes have a meaning here: where one is wrong, the parser says so.
  llvm::erase_if(lexed.errors, [&](const LexError &e) {
    return e.id == diag::unexpected_character && text.slice(e.begin, e.end) == "`";
  });
  std::sort(lexed.errors.begin(), lexed.errors.end(),
            [](const LexError &a, const LexError &b) { return a.begin < b.begin; });
}

std::unique_ptr<File> Parser::parse() {
  auto result = std::make_unique<File>();
  result->file = file;
  while (!at(Tok::Eof)) {
    uint32_t start = at_;
    entryStart = at_;
    parseItem(*result);
    if (failed) {
      syncItem();
    }
    if (at_ == start) {
      advance();
    }
  }
  reportLexErrors();
  return result;
}

//===-- Tokens -----------------------------------------------------------------------------------------------------===//

bool Parser::isAnyWord(const Token &token) const {
  return token.kind == Tok::Ident || isKeyword(token.kind);
}

bool Parser::isName(const Token &token) const {
  switch (token.kind) {
  case Tok::KwAnd:
  case Tok::KwOr:
  case Tok::KwXor:
  case Tok::KwNot:
  case Tok::KwIn:
  case Tok::KwTrue:
  case Tok::KwFalse:
  case Tok::KwInf:
  case Tok::KwNan:
  case Tok::KwImport:
  case Tok::KwLet:
  case Tok::KwFor:
  case Tok::KwWhile:
  case Tok::KwIf:
  case Tok::KwElse:
  case Tok::KwAssume:
    return false;
  default:
    return isAnyWord(token);
  }
}

/// After an operator or a comma a new line is a space.
static bool continuesLine(Tok kind) {
  switch (kind) {
  case Tok::Comma:
  case Tok::Dot:
  case Tok::DotDot:
  case Tok::Assign:
  case Tok::KwAnd:
  case Tok::KwOr:
  case Tok::KwXor:
  case Tok::KwNot:
  case Tok::KwIn:
    return true;
  default:
    return kind >= Tok::Coalesce && kind <= Tok::Percent;
  }
}

void Parser::advance() {
  if (at_ + 1 < lexed.tokens.size()) {
    bool joins = continuesLine(tok().kind);
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

bool Parser::expect(Tok kind, StringRef context) {
  if (at(kind) && !atNewline()) {
    advance();
    return true;
  }
  if (at(kind)) {
    SourceRange token = here();
    complain(diag::token_on_next_line, token, tessera::spelling(kind), context)
        .fixIt(previous().atEnd(), " " + tessera::spelling(kind))
        .fixIt(token, "")
        .help("write `" + tessera::spelling(kind) + "` at the end of the line before");
    advance();
    return true;
  }
  error(diag::expected_token, errorPlace(), tessera::spelling(kind), context, found())
      .help("write `" + tessera::spelling(kind) + "` " + context);
  return false;
}

/// The operator at the start of a line belongs to the line before.
void Parser::complainLineStart() {
  SourceRange token = here();
  uint32_t blanks = token.end;
  while (blanks < text.size() && text[blanks] == ' ') {
    ++blanks;
  }
  complain(diag::line_starts_with_operator, token, textOf(tok()))
      .fixIt(previous().atEnd(), " " + textOf(tok()))
      .fixIt({file, token.begin, blanks}, "")
      .help("end the line before with `" + textOf(tok()) + "`");
}

bool Parser::startsItem(const Token &token) const {
  if (token.kind == Tok::KwImport) {
    return true;
  }
  auto next = static_cast<uint32_t>(&token - lexed.tokens.data()) + 1;
  bool named =
      next < lexed.tokens.size() && isName(lexed.tokens[next]) && !lexed.tokens[next].newlineBefore;
  return named && (isWord(token, "def") || isWord(token, "schedule"));
}

bool Parser::startsOperand(const Token &token) const {
  switch (token.kind) {
  case Tok::Int:
  case Tok::String:
  case Tok::LBracket:
  case Tok::LBrace:
  case Tok::KwTrue:
  case Tok::KwFalse:
    return true;
  default:
    return isName(token) || isBackQuote(token);
  }
}

//===-- Errors -----------------------------------------------------------------------------------------------------===//

std::string Parser::found() const {
  if (at(Tok::Eof)) {
    return isEmbedded ? "the end of the schedule" : "the end of the file";
  }
  if (startsLine()) {
    return "the end of the line";
  }
  if (at(Tok::String)) {
    return "a string";
  }
  StringRef spelled = textOf(tok());
  if (isBackQuote(tok())) {
    return "a back-quote";
  }
  return "`" + spelled.take_front(40).str() + (spelled.size() > 40 ? "…`" : "`");
}

SourceRange Parser::errorPlace() const {
  if (at_ && (at(Tok::Eof) || startsLine())) {
    return previous().atEnd();
  }
  return here();
}

/// A second error at the same token, or one next to a token that the lexer rejected, says nothing new.
bool Parser::suppressed() {
  if (failed && lastError == at_) {
    return true;
  }
  uint32_t from = at_ ? previous().begin : 0;
  auto e = std::lower_bound(lexed.errors.begin(), lexed.errors.end(), from,
                            [](const LexError &e, uint32_t offset) { return e.begin < offset; });
  bool any = false;
  for (; e != lexed.errors.end() && e->begin <= tok().end; ++e) {
    e->fixIts.clear();
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
    if (isEmbedded && !e.legalInRaw) {
      continue; // the frontend has reported it
    }
    SourceRange range{file, e.begin, e.end};
    if (reported++ == kMaxErrors) {
      if (!stopped) {
        engine.report(diag::too_many_errors, range, kMaxErrors)
            .help("check that this is a script in UTF-8");
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

/// To the next statement: the start of a line, a `;`, the end of the block. Always moves on from `start`.
void Parser::syncStmt(uint32_t start) {
  failed = false;
  while (!blockEnds() && !at(Tok::Semi)) {
    if (tok().newlineBefore && at_ != start) {
      return;
    }
    uint32_t partner = lexed.partners[at_];
    if (partner != LexedFile::kNoPartner && partner > at_) {
      at_ = partner;
    }
    advance();
  }
}

void Parser::syncItem() {
  failed = false;
  while (!at(Tok::Eof) && !(isLineStart(tok()) && startsItem(tok()))) {
    advance();
  }
}

/// At `}`, the end of the file, or an item that shows that the `}` is missing.
bool Parser::blockEnds() const {
  return at(Tok::RBrace) || at(Tok::Eof) || (isLineStart(tok()) && startsItem(tok()));
}

void Parser::parseList(uint32_t open, Tok close, StringRef what,
                       llvm::function_ref<void()> element) {
  Brackets scope(*this);
  while (!at(close) && !at(Tok::Eof)) {
    bool isOver = at(Tok::RBrace) || at(Tok::RParen) || at(Tok::RBracket);
    bool isStmt = at(Tok::KwLet) || at(Tok::KwFor) || at(Tok::KwWhile);
    if (isOver || (tok().newlineBefore && isStmt)) {
      break;
    }
    element();
    if (failed) {
      recoverTo(open);
      return;
    }
    if (!finishListElement(open, close, what)) {
      return;
    }
  }
  if (!accept(close)) {
    reportUnclosed(open, close);
    recoverTo(open);
  }
}

/// The bracket that token `open` opened is missing; where a statement begins the place is the end of the line before.
void Parser::reportUnclosed(uint32_t open, Tok close) {
  SourceRange place = tok().newlineBefore && at_ ? previous().atEnd() : errorPlace();
  error(diag::unclosed_bracket, place, tessera::spelling(close),
        tessera::spelling(lexed.tokens[open].kind), found())
      .note(rangeOf(lexed.tokens[open]), "opened here")
      .help("write `" + tessera::spelling(close) + "`");
}

bool Parser::finishListElement(uint32_t open, Tok close, StringRef what) {
  if (at(Tok::Comma)) {
    SourceRange comma = here();
    advance();
    if (at(close)) {
      complain(diag::trailing_comma, comma, tessera::spelling(close))
          .fixIt(comma, "")
          .help("remove it");
    }
    return true;
  }
  if (at(close)) {
    return true;
  }
  bool isOver = at(Tok::Eof) || at(Tok::RBrace) || at(Tok::RParen) || at(Tok::RBracket);
  if (isOver) {
    reportUnclosed(open, close);
  } else if (startsOperand(tok()) && !at(Tok::LBrace)) {
    error(diag::missing_comma, errorPlace(), found(), what)
        .fixIt(previous().atEnd(), ",")
        .help("insert `,`");
    failed = false;
    return true;
  } else {
    error(diag::expected_list_end, errorPlace(), tessera::spelling(close), what, found())
        .note(rangeOf(lexed.tokens[open]), "opened here")
        .help("write `,` before the next one, `" + tessera::spelling(close) + "` after the last");
  }
  recoverTo(open);
  return false;
}

//===-- Nesting ----------------------------------------------------------------------------------------------------===//

void Parser::reportTooDeep(SourceRange range) {
  if (!tooDeep) {
    tooDeep = true;
    error(diag::too_deep, range, kMaxNesting, kMaxHeight)
        .help("give parts of it a name with `let`, or make a function of them");
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

ExprPtr Parser::finish(ExprPtr node, SourceRange range, llvm::ArrayRef<const Expr *> children) {
  node->range = range;
  unsigned height = 0;
  for (const Expr *child : children) {
    height = std::max<unsigned>(height, child ? child->height : 0);
  }
  if (height >= kMaxHeight) {
    reportTooDeep(range);
    return noExpr();
  }
  node->height = static_cast<uint16_t>(height + 1);
  return node;
}

/// Stands for an expression that could not be read; an error was reported, so nobody evaluates it.
ExprPtr Parser::noExpr() {
  auto node = std::make_unique<Name>();
  node->range = errorPlace();
  return node;
}

//===-- Entry points -----------------------------------------------------------------------------------------------===//

static std::unique_ptr<File> parseRange(SourceRange range, bool isEmbedded,
                                        DiagnosticEngine &engine) {
  StringRef part = engine.getSources().text(range);
  if (part.size() > kMaxFileBytes) {
    engine.report(diag::file_too_large, range.atBegin(), part.size(), kMaxFileBytes)
        .help("split the file and import its parts");
    auto result = std::make_unique<File>();
    result->file = range.file;
    return result;
  }
  size_t before = engine.diagnostics().size();
  LexedFile lexed = lex(range.file, part);
  uint32_t shift = range.begin;
  for (Token &token : lexed.tokens) {
    token.begin += shift;
    token.end += shift;
  }
  for (LexError &e : lexed.errors) {
    e.begin += shift;
    e.end += shift;
    for (FixIt &fix : e.fixIts) {
      fix.range.begin += shift;
      fix.range.end += shift;
    }
  }
  std::unique_ptr<File> result = Parser(range, std::move(lexed), isEmbedded, engine).parse();
  engine.sortByPosition(before);
  return result;
}

std::unique_ptr<File> script::parseScript(StringRef text, StringRef name,
                                          DiagnosticEngine &engine) {
  uint32_t file = engine.getSources().addFile(name, text);
  return parseRange({file, 0, static_cast<uint32_t>(std::min<size_t>(text.size(), ~0u))}, false,
                    engine);
}

std::unique_ptr<File> script::parseScript(SourceRange range, DiagnosticEngine &engine) {
  return parseRange(range, true, engine);
}
