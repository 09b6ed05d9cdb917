// The recursive-descent parser of scripts; its productions are spread over Parser*.cpp.
//
// Recovery. `error` reports and sets `failed`; while it is set, a second error at the same token says nothing. Lists in
// brackets jump to the closing bracket, which the lexer has paired, statements to the next line or `;`, items to the next
// item at the start of a line; each of these clears `failed`. `complain` reports where parsing goes on as if nothing was.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TESSERA_LIB_SCHEDULE_SCRIPT_PARSERIMPL_H
#define TESSERA_LIB_SCHEDULE_SCRIPT_PARSERIMPL_H

#include "tessera/Frontend/Lexer.h"
#include "tessera/Schedule/ScriptDiagnostics.h"
#include "tessera/Schedule/ScriptParser.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/SaveAndRestore.h"

#include <algorithm>
#include <initializer_list>

namespace tessera::script {

class Parser {
public:
  /// `lexed` is the part `range` of the file, its offsets counted from the start of the file.
  Parser(SourceRange range, LexedFile lexed, bool isEmbedded, DiagnosticEngine &engine);
  std::unique_ptr<File> parse();

private:
  static constexpr unsigned kMaxErrors = 100;

  // Tokens.
  const Token &tok() const { return lexed.tokens[at_]; }
  const Token &peek(uint32_t ahead) const {
    return lexed.tokens[std::min<size_t>(at_ + ahead, lexed.tokens.size() - 1)];
  }
  bool at(Tok kind) const { return tok().kind == kind; }
  llvm::StringRef textOf(const Token &token) const { return text.slice(token.begin, token.end); }
  bool isWord(const Token &token, llvm::StringRef word) const {
    return token.kind == Tok::Ident && textOf(token) == word;
  }
  bool atWord(llvm::StringRef word) const { return isWord(tok(), word); }
  bool isBackQuote(const Token &token) const {
    return token.kind == Tok::Unknown && textOf(token) == "`";
  }
  /// A word that may name something; most keywords of `.tile` text have no meaning here.
  bool isName(const Token &token) const;
  /// Any word: behind a dot, before `:` or `=`.
  bool isAnyWord(const Token &token) const;
  bool startsLine() const { return newlines && tok().newlineBefore && at_ != entryStart; }
  bool atNewline() const { return startsLine() && at_ != continued; }
  bool touchesPrevious() const { return at_ && lexed.tokens[at_ - 1].end == tok().begin; }
  SourceRange rangeOf(const Token &token) const { return {file, token.begin, token.end}; }
  SourceRange here() const { return rangeOf(tok()); }
  SourceRange previous() const {
    return at_ ? rangeOf(lexed.tokens[at_ - 1]) : SourceRange{file, tok().begin, tok().begin};
  }
  SourceRange since(uint32_t begin) const { return {file, begin, std::max(begin, previous().end)}; }
  bool isLineStart(const Token &token) const {
    return token.begin == 0 || text[token.begin - 1] == '\n' || token.begin == whole.begin;
  }
  void advance();
  bool accept(Tok kind);
  bool expect(Tok kind, llvm::StringRef context);
  void complainLineStart();
  bool startsItem(const Token &token) const;
  bool startsOperand(const Token &token) const;

  // Errors.
  std::string found() const;
  SourceRange errorPlace() const;
  bool suppressed();
  template <typename Id, typename... Args>
  DiagnosticBuilder error(Id id, SourceRange range, Args &&...args) {
    bool silent = suppressed();
    failed = true;
    lastError = at_;
    return emit(silent, info(id), range, std::forward<Args>(args)...);
  }
  template <typename Id, typename... Args>
  DiagnosticBuilder complain(Id id, SourceRange range, Args &&...args) {
    return emit(failed && lastError == at_, info(id), range, std::forward<Args>(args)...);
  }
  template <typename... Args>
  DiagnosticBuilder emit(bool silent, const DiagnosticInfo &row, SourceRange range,
                         Args &&...args) {
    if (silent || tooManyErrors()) {
      scratch = Diagnostic();
      return DiagnosticBuilder(scratch);
    }
    ++numErrors;
    return engine.report(row, range, std::forward<Args>(args)...);
  }
  static const DiagnosticInfo &info(diag::Id id) { return diagnosticInfo(id); }
  static const DiagnosticInfo &info(DiagId id) { return row(id); }
  bool tooManyErrors();
  void reportLexErrors();

  // Recovery.
  bool recoverTo(uint32_t open);
  void syncStmt(uint32_t start);
  void syncItem();
  bool blockEnds() const;

  // Nesting.
  struct Nested {
    Parser &parser;
    bool ok;
    explicit Nested(Parser &parser) : parser(parser), ok(parser.enter()) {}
    ~Nested() { --parser.nesting; }
  };
  bool enter();
  void reportTooDeep(SourceRange range);
  /// Sets range and height; a tree that is too high is dropped with an error.
  ExprPtr finish(std::unique_ptr<Expr> node, SourceRange range,
                 llvm::ArrayRef<const Expr *> children);
  ExprPtr noExpr();

  struct Brackets {
    llvm::SaveAndRestore<bool> lines;
    explicit Brackets(Parser &parser, bool newlines = false) : lines(parser.newlines, newlines) {}
  };
  /// Elements and commas up to `close`, which is consumed; the opening bracket is token `open`, already consumed.
  void parseList(uint32_t open, Tok close, llvm::StringRef what,
                 llvm::function_ref<void()> element);
  bool finishListElement(uint32_t open, Tok close, llvm::StringRef what);
  void reportUnclosed(uint32_t open, Tok close);

  // Items.
  void parseItem(File &result);
  Import parseImport();
  std::unique_ptr<Def> parseDef();
  Param parseParam();
  ValueKind parseKind();
  void parseResult(Def &def);
  std::unique_ptr<Schedule> parseSchedule();
  ScheduleParam parseScheduleParam();
  void splitChoice(ScheduleParam &param);
  Ident parseName(llvm::StringRef context);

  // Statements.
  Block parseBlock(llvm::StringRef context, bool wantsValue = false);
  StmtPtr parseStmt(bool wantsValue);
  StmtPtr parseWordStmt();
  bool rejectForeign();
  StmtPtr parseLet();
  Target parseTarget();
  StmtPtr parseFor();
  StmtPtr parseWhile();
  StmtPtr parseTry();
  StmtPtr parseRequire();
  StmtPtr parsePrint();
  StmtPtr parseTrust();
  StmtPtr parseReturn();
  template <typename T> StmtPtr parseFacts();
  StmtPtr parseExprStmt(bool wantsValue);
  void parseCommas(std::vector<ExprPtr> &values);
  template <typename T> StmtPtr finishStmt(std::unique_ptr<T> node, uint32_t begin) {
    node->range = since(begin);
    return node;
  }

  // Expressions.
  /// An expression, or the short form of a call.
  ExprPtr parseValue();
  ExprPtr parseShortForm(ExprPtr callee, uint32_t begin);
  ExprPtr parseExpr();
  ExprPtr parseRange(ExprPtr lo, unsigned minPrecedence);
  ExprPtr parseBinary(unsigned minPrecedence);
  ExprPtr parseOperand(unsigned minPrecedence);
  ExprPtr parsePostfix(ExprPtr base, uint32_t begin, bool tight);
  ExprPtr parsePrimary();
  ExprPtr parseInt(bool negative);
  ExprPtr parseParens();
  ExprPtr parseListExpr();
  ExprPtr parseBraces();
  ExprPtr parseIf(bool wantsValue);
  ExprPtr parseCall(ExprPtr callee, uint32_t begin);
  ExprPtr parsePatternExpr();
  OpPattern parsePattern();
  bool patternError(llvm::StringRef expected);

  uint32_t file;
  SourceRange whole;
  llvm::StringRef text;
  LexedFile lexed;
  bool isEmbedded;
  DiagnosticEngine &engine;
  uint32_t at_ = 0;
  uint32_t entryStart = 0;  ///< first token of the current statement or item
  uint32_t continued = ~0u; ///< the token behind an operator or comma
  bool newlines = true;     ///< line ends separate here
  bool failed = false;
  bool tooDeep = false; ///< reported once
  bool stopped = false; ///< too many errors
  bool inFunction = false;
  uint32_t lastError = ~0u;
  unsigned numErrors = 0;
  unsigned nesting = 0;
  Diagnostic scratch;
};

} // namespace tessera::script

#endif // TESSERA_LIB_SCHEDULE_SCRIPT_PARSERIMPL_H
