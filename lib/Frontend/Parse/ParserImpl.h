// The recursive-descent parser; one class, its productions spread over Parser*.cpp by chapter of the grammar.
//
// Recovery. `error` reports and sets `failed`; while it is set, a second error at the same token is not reported. Lists
// in brackets jump to the closing bracket (Lexer pairs them), statements to the next line, items to the next item at
// the start of a line; each of these clears `failed`. `complain` reports where parsing goes on as if nothing was.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TESSERA_LIB_FRONTEND_PARSE_PARSERIMPL_H
#define TESSERA_LIB_FRONTEND_PARSE_PARSERIMPL_H

#include "tessera/Frontend/ASTInstr.h"
#include "tessera/Frontend/Diagnostics.h"
#include "tessera/Frontend/Lexer.h"

#include "llvm/Support/SaveAndRestore.h"

#include <algorithm>

namespace tessera {

class Parser {
public:
  Parser(uint32_t file, LexedFile lexed, DiagnosticEngine &engine);
  std::unique_ptr<ast::File> parse();

private:
  /// Greatest number of productions open at once; bounds the C++ stack.
  static constexpr unsigned kMaxNesting = 256;
  static constexpr unsigned kMaxErrors = 100;

  // Tokens.
  const Token &tok() const { return lexed.tokens[at_]; }
  const Token &peek(uint32_t ahead) const {
    return lexed.tokens[std::min<size_t>(at_ + ahead, lexed.tokens.size() - 1)];
  }
  Tok kind() const { return tok().kind; }
  bool at(Tok kind) const { return tok().kind == kind; }
  llvm::StringRef textOf(const Token &token) const { return text.slice(token.begin, token.end); }
  bool isWord(const Token &token, llvm::StringRef word) const {
    return token.kind == Tok::Ident && textOf(token) == word;
  }
  /// A word that is a keyword in this place only.
  bool atWord(llvm::StringRef word) const { return isWord(tok(), word); }
  /// The current token starts a line inside an entry, and lines matter here.
  bool startsLine() const { return newlines && tok().newlineBefore && at_ != entryStart; }
  /// The same, and the line before may end there: it did not end with an operator or a comma.
  bool atNewline() const { return startsLine() && at_ != continued; }
  void startEntry() { entryStart = at_; }
  SourceRange rangeOf(const Token &token) const { return {file, token.begin, token.end}; }
  SourceRange here() const { return rangeOf(tok()); }
  SourceRange previous() const {
    return at_ ? rangeOf(lexed.tokens[at_ - 1]) : SourceRange{file, 0, 0};
  }
  SourceRange since(uint32_t begin) const { return {file, begin, std::max(begin, previous().end)}; }
  bool isLineStart(const Token &token) const {
    return token.begin == 0 || text[token.begin - 1] == '\n';
  }
  void advance();
  bool accept(Tok kind);
  bool acceptWord(llvm::StringRef word);
  /// Like accept, for what stands between two operands: at the start of a line it is an error with a fix-it.
  bool acceptInfix(Tok kind);
  void complainLineStart();
  /// `context` completes "expected `{` …".
  bool expect(Tok kind, llvm::StringRef context);
  /// One `>`, splitting `>>` and `>=`.
  bool atGreater() const { return at(Tok::Greater) || at(Tok::Shr) || at(Tok::GreaterEq); }
  void takeGreater();
  bool startsExpr(Tok kind) const;
  bool startsItem(const Token &token) const;
  bool startsStmtKeyword(Tok kind) const;

  // Errors.
  std::string found() const;
  SourceRange errorPlace() const;
  bool suppressed();
  template <typename... Args>
  DiagnosticBuilder error(diag::Id id, SourceRange range, Args &&...args) {
    bool silent = suppressed();
    failed = true;
    lastError = at_;
    return emit(silent, id, range, std::forward<Args>(args)...);
  }
  template <typename... Args>
  DiagnosticBuilder complain(diag::Id id, SourceRange range, Args &&...args) {
    return emit(failed && lastError == at_, id, range, std::forward<Args>(args)...);
  }
  template <typename... Args>
  DiagnosticBuilder emit(bool silent, diag::Id id, SourceRange range, Args &&...args) {
    if (silent || tooManyErrors()) {
      scratch = Diagnostic();
      return DiagnosticBuilder(scratch);
    }
    ++numErrors;
    return engine.report(id, range, std::forward<Args>(args)...);
  }
  bool tooManyErrors();
  void reportLexErrors();
  void moveToPreviousLine(DiagnosticBuilder &builder);

  // Recovery.
  bool recoverTo(uint32_t open);
  void syncStmt(uint32_t start);
  void syncItem();
  bool skipBalanced();
  bool blockEnds() const;

  // Nesting.
  struct Nested {
    Parser &parser;
    bool ok;
    explicit Nested(Parser &parser) : parser(parser), ok(parser.enter()) {}
    ~Nested() { --parser.nesting; }
  };
  bool enter();
  /// Sets range and height; a tree that is too high becomes an error (an empty block, an ErrorExpr).
  template <typename T> std::unique_ptr<T> finish(std::unique_ptr<T> node, SourceRange range) {
    seal(*node, range);
    return node;
  }
  ast::ExprPtr finishExpr(ast::ExprPtr node, SourceRange range);
  bool seal(ast::Node &node, SourceRange range);
  void reportTooDeep(SourceRange range);
  ast::ExprPtr errorExpr();

  /// Inside brackets: lines and `>` mean nothing special.
  struct Brackets {
    llvm::SaveAndRestore<bool> lines, angle;
    explicit Brackets(Parser &parser, bool newlines = false)
        : lines(parser.newlines, newlines), angle(parser.inAngle, false) {}
  };

  /// Elements and commas up to `close`, which is consumed; the opening bracket is token `open`, already consumed.
  /// `what` completes "expected `,` or `)` …".
  template <typename Element>
  void parseList(uint32_t open, Tok close, llvm::StringRef what, Element element);
  void reportUnclosed(uint32_t open, Tok close);
  bool finishListElement(uint32_t open, Tok close, llvm::StringRef what);

  // Items (ParserItems.cpp).
  void parseItem(ast::File &result);
  std::unique_ptr<ast::Item> parseItemAt();
  std::unique_ptr<ast::Item> parseWordItem();
  std::string takeDoc();
  void finishComments(ast::File &result);
  std::unique_ptr<ast::Item> parseImport();
  std::unique_ptr<ast::Item> parseConst();
  std::unique_ptr<ast::Item> parseEnum();
  std::unique_ptr<ast::Item> parseStruct();
  void parseField(ast::Struct &result);
  std::unique_ptr<ast::Fn> parseFn();
  ast::Param parseParam();
  std::unique_ptr<ast::Item> parseRaw(ast::RawKind kind);

  // Layouts, instructions and syncs (ParserInstr.cpp, ParserSync.cpp).
  std::unique_ptr<ast::Item> parseLayout();
  ast::LayoutParam parseLayoutParam();
  ast::ExprPtr parseLayoutExpr();
  ast::ExprPtr parseLayoutCall();
  std::unique_ptr<ast::Item> parseInstr();
  ast::InstrOperand parseOperand();
  void parseOperandKind(ast::InstrOperand &operand);
  void parseQualifiers(ast::InstrOperand &operand);
  void parseQualifier(ast::InstrOperand &operand, llvm::StringRef word);
  ast::LayoutFamily parseFamily();
  void parseInstrClauses(ast::Instr &item);
  bool parseInstrClause(ast::Instr &item, llvm::StringRef word);
  void parseEffects(ast::Instr &item);
  void parseEffect(ast::Instr &item);
  void parseAddress(ast::Instr &item);
  void checkInstrParts(const ast::Instr &item);
  void checkInstrBody(const ast::Instr &item);
  std::unique_ptr<ast::StringLit> parseClauseString(llvm::StringRef context);
  /// One of `words`, else an error that lists them; `what` completes "expected …".
  ast::Ident parseChoice(llvm::StringRef what, llvm::ArrayRef<llvm::StringRef> words);
  ast::Ident parseArch();
  ast::Ident parseExecScope();
  std::unique_ptr<ast::Item> parseSync();
  ast::SyncParam parseSyncParam();
  ast::SyncStep parseSyncStep();
  void parseMbarrierStep(ast::SyncStep &step);

  // Kernels and tests (ParserKernel.cpp).
  std::unique_ptr<ast::Item> parseKernel();
  ast::KernelParam parseKernelParam();
  void parseClauses(ast::Kernel &kernel);
  void syncClause();
  bool atClause() const;
  std::unique_ptr<ast::Clause> parseWhere();
  std::unique_ptr<ast::Clause> parseMath();
  std::unique_ptr<ast::Clause> parseReference();
  std::unique_ptr<ast::Clause> parseTolerance();
  std::vector<ast::RefIndex> parseRefIndices();
  std::unique_ptr<ast::Ref> parseRef();
  std::vector<ast::Ident> parseIndexNames();
  std::unique_ptr<ast::Item> parseTest();
  std::unique_ptr<ast::TestEntry> parseTestEntry();
  std::unique_ptr<ast::TestEntry> parseTestAxis(ast::Pattern pattern);
  /// The loop of `{ entry sep … }` for references, tests and struct bodies.
  template <typename Entry> void parseLines(uint32_t open, llvm::StringRef what, Entry entry);

  // Statements (ParserStmts.cpp).
  std::unique_ptr<ast::Block> parseBlock(llvm::StringRef context);
  bool openBlock(llvm::StringRef context);
  void closeBlock(uint32_t open);
  void parseBlockEntry(ast::Block &block);
  ast::StmtPtr parseStmt(ast::ExprPtr &value);
  ast::StmtPtr parseLet();
  ast::StmtPtr parseStatic();
  ast::StmtPtr parseTune();
  ast::StmtPtr parseGrid();
  ast::StmtPtr parseFor();
  ast::StmtPtr parseWhile();
  ast::StmtPtr parseAssert();
  ast::StmtPtr parseUnsafe();
  ast::StmtPtr parseAssign(ast::ExprPtr place, uint32_t begin);
  ast::StmtPtr parseCompound(ast::ExprPtr place, uint32_t begin);
  void rejectJump();
  ast::Pattern parsePattern();
  ast::ExprPtr parseDomain();
  bool checkPlace(const ast::Expr &place);
  ast::ExprPtr continueAfterBlock(ast::ExprPtr value, uint32_t begin);

  // Expressions (ParserExprs.cpp, ParserPrimary.cpp).
  ast::ExprPtr parseExpr();
  ast::ExprPtr parseBinary(unsigned minPrecedence, bool underNot = false);
  ast::ExprPtr parseOperators(ast::ExprPtr lhs, uint32_t begin, unsigned minPrecedence = 1,
                              bool underNot = false);
  ast::ExprPtr parseComparison(ast::ExprPtr lhs, uint32_t begin, bool underNot);
  ast::ExprPtr parseOneComparison(ast::ExprPtr lhs, uint32_t begin);
  ast::ExprPtr parseNot(bool mayStandHere);
  ast::ExprPtr parseUnary();
  ast::Ident parseCastMode();
  ast::ExprPtr parseCasts(ast::ExprPtr operand, uint32_t begin);
  ast::ExprPtr parsePostfix(ast::ExprPtr base, uint32_t begin);
  ast::ExprPtr parsePrimary();
  ast::ExprPtr parseNumber();
  ast::ExprPtr parseParens();
  ast::ExprPtr parseListExpr();
  ast::ExprPtr parseIf();
  ast::ExprPtr parseMatch();
  ast::ExprPtr parseCall(ast::ExprPtr callee, uint32_t begin);
  ast::ExprPtr parseFold(const ast::Name *callee, uint32_t begin);
  bool atFold() const;
  ast::Arg parseArg(bool &seenNamed);
  ast::ExprPtr parseIndex(ast::ExprPtr base, uint32_t begin);
  ast::ExprPtr parseIndexElement();
  std::unique_ptr<ast::Range> parseRange(unsigned minPrecedence = 0);
  ast::ExprPtr parseSet(unsigned minPrecedence = 0);
  std::unique_ptr<ast::StringLit> parseString();
  void rejectExpr();

  // Types (ParserTypes.cpp).
  ast::TypePtr parseType();
  ast::TypePtr parseTypeCore();
  ast::TypePtr parseNamedType();
  ast::TypePtr parseTileType(bool isArray);
  std::unique_ptr<ast::ViewType> parseViewType();
  void parseShapeAndElement(ast::ExprPtr &shape, ast::TypePtr &element, llvm::StringRef what);
  ast::ExprPtr parseShape();
  void closeAngle(llvm::StringRef what);
  ast::TypePtr errorType();
  std::vector<ast::GenericParam> parseGenerics();
  ast::GenericParam parseGeneric();
  /// `context` completes "expected a name …".
  ast::Ident parseIdent(llvm::StringRef context);

  uint32_t file;
  llvm::StringRef text;
  LexedFile lexed;
  DiagnosticEngine &engine;
  uint32_t at_ = 0;
  uint32_t entryStart = 0;  ///< first token of the current statement, entry or item
  uint32_t continued = ~0u; ///< the token behind an operator or comma
  bool newlines = true;     ///< line ends separate here
  bool inInstr = false;     ///< in the body of an instruction: `x = y fill 0`
  bool inAngle = false;     ///< directly between `<` and `>`: `>` closes
  bool failed = false;
  bool tooDeep = false; ///< reported once
  bool stopped = false; ///< too many errors
  uint32_t lastError = ~0u;
  unsigned numErrors = 0;
  unsigned nesting = 0;
  Diagnostic scratch;
  std::vector<SourceRange> rawRanges;
  std::vector<bool> docTaken; ///< per comment
};

template <typename Element>
void Parser::parseList(uint32_t open, Tok close, llvm::StringRef what, Element element) {
  Brackets scope(*this);
  while (!at(close) && !at(Tok::Eof)) {
    if (tok().newlineBefore && startsStmtKeyword(kind())) {
      reportUnclosed(open, close);
      recoverTo(open);
      return;
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
  }
}

template <typename Entry>
void Parser::parseLines(uint32_t open, llvm::StringRef what, Entry entry) {
  while (true) {
    while (accept(Tok::Semi)) {
    }
    if (blockEnds()) {
      break;
    }
    uint32_t start = at_;
    startEntry();
    entry();
    // A struct takes commas too; where one is not legal the entry has reported it.
    bool separated =
        tok().newlineBefore || at(Tok::Semi) || (at_ && lexed.tokens[at_ - 1].kind == Tok::Comma);
    if (!failed && !blockEnds() && !separated) {
      error(diag::expected_separator, errorPlace(), what, found())
          .help("put each on its own line, or write `;`");
    }
    if (failed) {
      syncStmt(start);
    }
  }
  closeBlock(open);
}

} // namespace tessera

#endif // TESSERA_LIB_FRONTEND_PARSE_PARSERIMPL_H
