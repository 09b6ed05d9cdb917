// Layouts, instructions and syncs: evaluation and checks. A declaration is checked twice: its own text when its file is
// loaded (InstrChecks), what depends on its constants for each set of constants (InstrBuild); at load one set that its
// `where` allows is tried, so that an error does not wait for a schedule.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TESSERA_LIB_FRONTEND_SEMA_DECLARATIONS_H
#define TESSERA_LIB_FRONTEND_SEMA_DECLARATIONS_H

#include "Emitter.h"

#include "tessera/Frontend/ASTInstr.h"
#include "tessera/Frontend/Instructions.h"

#include "mlir/IR/MLIRContext.h"

namespace tessera::sema {

/// Runs on a stack of its own: the walk nests as deep as its limits allow, which is more than some callers' stacks hold.
bool onDeepStack(llvm::function_ref<bool()> work);

/// All declarations of the program's files, the library's aside; false with errors reported.
bool checkDeclarations(ModuleSet &modules);

/// "`a`, `b` or `c`"
std::string orList(llvm::ArrayRef<std::string> names);

/// An instance without a kernel: declarations are emitted outside of kernels.
struct DeclarationScope {
  ast::Kernel kernel;
  Settings settings;
  Instance instance;
  mlir::Block scratch;
  Emitter emitter;

  DeclarationScope(ModuleSet &modules, const Module &owner, mlir::MLIRContext &context);
  ~DeclarationScope() { scratch.dropAllReferences(); }
};

/// The item called `name`: of `from`, its imports, the library. Null where there is none.
const ast::Item *findDeclared(ModuleSet &modules, const Module &from, llvm::StringRef name,
                              const Module *&owner);

/// Layouts as the library's notation, with the numbers worked out; parameters are names of the emitter's scopes.
class LayoutEvaluator {
public:
  LayoutEvaluator(Emitter &emitter, const instr::Place &place = {}) : e(emitter), place(place) {}

  std::optional<Layout> evaluate(const ast::Expr &expr);
  std::optional<Layout> evaluate(const Module &owner, const ast::LayoutDecl &decl,
                                 llvm::ArrayRef<int64_t> arguments, SourceRange use);
  /// Whether the name is an operation on layouts: `compose`, `swizzle`, …
  static bool isOperation(llvm::StringRef name);

private:
  struct Argument {
    llvm::StringRef name; ///< empty: by position
    int64_t value = 0;
    SourceRange range;
  };
  bool expand(const ast::Expr &expr);
  bool expandTree(const ast::Expr &expr);
  bool expandOperation(llvm::StringRef name, const ast::Call &call);
  bool expandUse(const ast::Expr &callee, const ast::Call *call);
  bool expandDecl(const Module &owner, const ast::LayoutDecl &decl,
                  llvm::ArrayRef<Argument> arguments, SourceRange use);
  bool bind(const ast::LayoutDecl &decl, llvm::ArrayRef<Argument> arguments, SourceRange use);
  bool number(const ast::Expr &expr, llvm::StringRef what);
  const ast::Item *find(const ast::Expr &callee, const Module *&owner);
  std::optional<Layout> parse(SourceRange whole);
  void append(llvm::StringRef piece, SourceRange range);

  Emitter &e;
  instr::Place place;
  std::string text;
  std::vector<std::pair<size_t, SourceRange>> places; ///< from this byte of `text` on
  llvm::SmallVector<const ast::LayoutDecl *> open;
};

/// How the body uses an operand.
struct OperandUse {
  instr::OperandMode mode = instr::OperandMode::In;
  bool read = false;
  SourceRange assigned; ///< invalid: never
};
/// One for each operand, from modes and body; nothing is reported.
std::vector<OperandUse> operandUses(const ast::Instr &decl);

/// The part between braces of an instruction's text, or what is wrong there. `{{` and `}}` stand for braces.
struct PtxHole {
  std::string text;     ///< with its braces
  std::string name;     ///< the operand or constant
  bool present = false; ///< `present_bytes(name)`
  std::string problem;  ///< empty: none
};
std::vector<PtxHole> ptxHoles(llvm::StringRef ptx);

/// Checks that need no constants; false with errors reported.
bool checkInstrText(const ast::Instr &decl, DiagnosticEngine &engine);
bool checkSyncText(const ast::Sync &decl, DiagnosticEngine &engine);

/// Values of an instruction's parameters, in their order.
using ConstantValues = std::vector<std::pair<llvm::StringRef, Value>>;

/// Builds the instruction into `module`; nothing with errors reported.
std::optional<instr::Instruction> buildInstr(ModuleSet &modules, const Module &owner,
                                             const ast::Instr &decl,
                                             const ConstantValues &constants,
                                             mlir::ModuleOp module);
/// Constants that `where` allows, the first that are found among a few; nothing where none does.
std::optional<ConstantValues> sampleConstants(ModuleSet &modules, const Module &owner,
                                              const ast::Instr &decl, mlir::MLIRContext &context);

tile::ExecScope execScope(llvm::StringRef word);
/// The way of an instruction to memory: the one of its effects that is not generic.
tile::Proxy proxyOf(const ast::Instr &decl);

/// The fragment's map is a bijection between (lane, value) and the positions of `shape`; false with errors reported at
/// `range`. `scope` is the word of the source.
bool checkFragment(Emitter &e, llvm::StringRef operand, const Layout &layout,
                   llvm::ArrayRef<int64_t> shape, llvm::StringRef scope, int64_t threads,
                   SourceRange range);
/// `[3, 8]` for a position of a tile, the first axis fastest.
std::string elementText(int64_t position, llvm::ArrayRef<int64_t> shape);
/// `1 lane`, `32 lanes`.
std::string counted(int64_t count, llvm::StringRef noun);

} // namespace tessera::sema

#endif // TESSERA_LIB_FRONTEND_SEMA_DECLARATIONS_H
