// The printer: syntax tree to document. Expressions and types in ASTPrinter.cpp, the rest in PrinterItems.cpp.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TESSERA_LIB_FRONTEND_PARSE_PRINTERIMPL_H
#define TESSERA_LIB_FRONTEND_PARSE_PRINTERIMPL_H

#include "PrettyDoc.h"

#include "tessera/Frontend/ASTInstr.h"
#include "tessera/Frontend/ASTPrinter.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace tessera {

class Printer {
public:
  Printer(const ast::File *file, const PrintOptions &options) : file(file), options(options) {}

  Doc *printFile();
  Doc *expr(const ast::Expr &expr, unsigned minPrecedence = 0);
  Doc *type(const ast::Type &type);
  Docs &getDocs() { return docs; }

private:
  using Parts = std::vector<Doc *>;

  Doc *text(llvm::StringRef value) { return docs.text(value); }
  Doc *name(const ast::Ident &ident) { return docs.text(ident.name); }
  /// `open a, b close`, hanging.
  Doc *list(llvm::StringRef open, Parts elements, llvm::StringRef close);
  Doc *names(llvm::StringRef open, llvm::ArrayRef<ast::Ident> idents, llvm::StringRef close);
  /// `lead a, b`, hanging by the indent.
  Doc *commaList(llvm::StringRef lead, Parts elements);

  Doc *exprBody(const ast::Expr &expr);
  Doc *binary(const ast::Binary &binary);
  void binaryOperands(const ast::Expr &expr, unsigned precedence, Parts &parts);
  Doc *ifExpr(const ast::If &node);
  Doc *matchExpr(const ast::Match &node);
  Doc *range(const ast::Range &range, unsigned minPrecedence = 0);
  Doc *set(const ast::Expr &set, unsigned minPrecedence = 0);
  Doc *angleExpr(const ast::Expr &expr);

  /// `{ … }` of a block, without its group; breaks where it must.
  Doc *blockBraces(const ast::Block &block, bool alwaysBreak = false);
  Doc *pattern(const ast::Pattern &pattern);
  Doc *domain(const ast::Expr &domain);
  Doc *stmt(const ast::Stmt &stmt);
  Doc *refAxes(const std::vector<ast::RefIndex> &indices);
  Doc *letStmt(const ast::Let &let);
  Doc *forStmt(const ast::For &loop);
  Doc *ref(const ast::Ref &ref);
  Doc *clause(const ast::Clause &clause);
  Doc *testEntry(const ast::TestEntry &entry);
  Doc *generics(llvm::ArrayRef<ast::GenericParam> params);
  Doc *item(const ast::Item &item);
  Doc *structItem(const ast::Struct &item);
  Doc *fnItem(const ast::Fn &item);
  Doc *kernelItem(const ast::Kernel &item);
  /// Layouts, instructions, syncs (PrinterInstr.cpp).
  Doc *layoutItem(const ast::LayoutDecl &item);
  Doc *instrItem(const ast::Instr &item);
  Doc *syncItem(const ast::Sync &item);
  Doc *operand(const ast::InstrOperand &operand);
  Doc *family(const ast::LayoutFamily &family);
  Doc *effects(const ast::Instr &item);
  Doc *syncStep(const ast::SyncStep &step);
  Doc *stringLit(const ast::StringLit &literal);

  /// Lines with the comments and blank lines that the source has between them.
  class Lines {
  public:
    Lines(Printer &printer) : printer(printer) {}
    void add(SourceRange range, llvm::function_ref<Doc *()> make, llvm::StringRef doc = "");
    /// The comments before `end`, where the block closes.
    void finish(uint32_t end);
    void blankLine() { wantBlank = !parts.empty(); }
    bool empty() const { return parts.empty(); }
    bool hasComments() const { return sawComment; }
    Doc *take(Doc *separator);

  private:
    void push(Doc *doc, uint32_t begin);
    void comment(const ast::Comment &comment);
    Printer &printer;
    std::vector<Doc *> parts;
    uint32_t last = 0; ///< end of what was pushed last
    bool hasLast = false;
    bool wantBlank = false;
    bool sawComment = false;
  };
  bool blankAfter(uint32_t offset) const;
  const ast::Comment *nextComment(uint32_t before) const;

  const ast::File *file;
  const PrintOptions &options;
  Docs docs;
  size_t commentAt = 0;
};

} // namespace tessera

#endif // TESSERA_LIB_FRONTEND_PARSE_PRINTERIMPL_H
