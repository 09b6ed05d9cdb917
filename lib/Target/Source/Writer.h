//===- Writer.h - one kernel on its way to text -----------------*- C++ -*-===//
//
// A block is written op by op into a Scope. An op that nothing but the next writers need is kept as a pending
// expression instead of a `let`: the pending list is in the order of the ops, and an op takes its operands from the end
// of the list only if they stand there in the order in which its text evaluates them. Anything else flushes the list
// into `let`s. So the text is read back op for op in the same order.
//
//   WriterKernel   header, clauses, body            WriterOps      elementwise ops, casts, constants
//   WriterBlock    scopes, pending, operands        WriterTileOps  shapes, reductions, products
//   WriterControl  grid, loops, branches            WriterViews    views, spans, loads, stores, atomics
//   WriterFormula  maps and folds
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_LIB_TARGET_SOURCE_WRITER_H
#define TESSERA_LIB_TARGET_SOURCE_WRITER_H

#include "Extents.h"
#include "Literals.h"
#include "Names.h"
#include "Text.h"

#include "llvm/ADT/SetVector.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tessera::source {

/// Statements of a block, and expressions that are not written yet.
struct Scope {
  std::string out;
  llvm::SmallVector<mlir::Value> pending;
};

class Writer {
public:
  Writer(tile::KernelOp kernel, Names &names) : kernel(kernel), names(names), extents(kernel) {}

  /// The helper functions and the kernel, unformatted; nothing with an error emitted.
  std::optional<std::string> run();
  llvm::ArrayRef<std::string> functionNames() const { return functionList; }

private:
  //===-- errors -----------------------------------------------------------------------------------------------------===//
  /// Emits the first error; what is written afterwards is dropped.
  Text fail(mlir::Operation *op, const llvm::Twine &text);

  //===-- kernel (WriterKernel.cpp) ----------------------------------------------------------------------------------===//
  bool isAsWritten();
  bool claimNames();
  std::string header();
  std::string affineText(mlir::AffineExpr expr);
  std::string where();
  std::string body();
  void bindArguments(mlir::Region &region);

  //===-- formulas (WriterFormula.cpp) -------------------------------------------------------------------------------===//
  std::string reference();
  int64_t outputOf(llvm::StringRef name);
  std::string definition(tile::MapOp map, llvm::StringRef name,
                         llvm::ArrayRef<tile::MapOp> helpers);
  std::string tolerance();
  struct ArrayText {
    std::vector<std::string> indices;
    std::vector<std::string> ranges; ///< `i in lo..hi`
    Text value;
  };
  /// Writes the region; `self` is what the array calls itself.
  ArrayText mapText(tile::MapOp map, llvm::StringRef self);
  bool coversView(tile::MapOp map, unsigned argument);
  std::string arrayLet(llvm::StringRef name, const ArrayText &array);
  std::string outputText(tile::MapOp map, llvm::StringRef name, int64_t argument,
                         llvm::ArrayRef<tile::MapOp> helpers);
  Text foldText(Scope &scope, tile::FoldOp fold);
  std::string rangeText(mlir::Value lo, mlir::Value hi);

  //===-- blocks and operands (WriterBlock.cpp) ------------------------------------------------------------------------===//
  /// All ops but the terminator.
  void writeBlock(Scope &scope, mlir::Block &block);
  /// A block that gives values: `a`, `{ …; a }`, `{ …; (a, b) }`.
  Text blockText(mlir::Block &block, mlir::ValueRange values, bool braces);
  void writeOp(Scope &scope, mlir::Operation &op);
  void statement(Scope &scope, const llvm::Twine &text);
  /// Pending expressions become `let`s.
  void flush(Scope &scope);
  /// Makes the operands usable by an op whose text evaluates them in this order.
  void take(Scope &scope, mlir::ValueRange order);
  /// Names the op's results, or keeps a single one pending.
  void define(Scope &scope, mlir::Operation &op, Text text);
  bool mayWait(mlir::Operation &op, const Text &text);
  /// The text of a value that `take` made usable (or that needs none: names, constants, launch expressions).
  Text use(mlir::Value value, LiteralType place = LiteralType::Settled);
  /// A value that the checker must not know: `dynamic(…)` around constants and expressions in extents.
  Text opaque(mlir::Value value);
  Text hidden(const Text &text) { return primary("dynamic(" + text.text + ")"); }
  bool isTopLevelScalar(mlir::Value value);

  //===-- ops ----------------------------------------------------------------------------------------------------------===//
  /// The op as an expression; nothing for ops that are statements or regions. Operands in the order of evaluation are
  /// those of `evaluationOrder`.
  std::optional<Text> expression(mlir::Operation &op);
  llvm::SmallVector<mlir::Value> evaluationOrder(mlir::Operation &op);
  std::optional<Text> elementwise(mlir::Operation &op);
  /// Operands of an op that gives literals their type and shape if one operand has them.
  llvm::SmallVector<Text> alike(mlir::ValueRange operands);
  Text compareText(tile::CmpOp op);
  Text selectText(tile::SelectOp op);
  Text castText(tile::CastOp op);
  std::optional<Text> shapeOp(mlir::Operation &op);
  Text expand(tile::ExpandOp op);
  Text slice(tile::SliceOp op);
  Text keepIf(tile::KeepIfOp op);
  std::optional<Text> reduceOp(mlir::Operation &op);
  std::optional<Text> viewOp(mlir::Operation &op);
  Text spanOp(tile::SpanOp op);
  Text indexed(mlir::Value view, mlir::ValueRange indices, llvm::ArrayRef<bool> whole);
  Text viewSlice(tile::ViewSliceOp op);
  Text stored(mlir::Value value);
  Text atomic(tile::AtomicOp op);
  std::string call(llvm::StringRef name, llvm::ArrayRef<std::string> arguments);

  //===-- regions (WriterControl.cpp) ----------------------------------------------------------------------------------===//
  bool writeControl(Scope &scope, mlir::Operation &op);
  void writeGrid(Scope &scope, tile::GridOp grid);
  void writeFor(Scope &scope, tile::ForOp loop);
  void writeWhile(Scope &scope, mlir::scf::WhileOp loop);
  void writeIf(Scope &scope, mlir::scf::IfOp branch);
  void writeWith(Scope &scope, mlir::Operation &op);
  std::string domainText(mlir::Value step, mlir::Value lo, mlir::Value hi, int64_t width);
  /// `var` statements for carried values, whose names `arguments` and `results` get.
  std::vector<std::string> carry(Scope &scope, mlir::ValueRange inits,
                                 llvm::ArrayRef<mlir::Value> arguments, mlir::ValueRange results);
  /// Assigns the carried variables.
  void assign(Scope &scope, llvm::ArrayRef<std::string> variables, mlir::ValueRange values);

  tile::KernelOp kernel;
  Names &names;
  Extents extents;
  llvm::DenseMap<mlir::Value, Text> texts;
  /// Views that an array of the same name hides.
  llvm::DenseSet<mlir::Value> hiddenViews;
  std::string functions;
  std::vector<std::string> functionList;
  bool inFormula = false;
  bool failed = false;
  unsigned inlined = 0; ///< expressions of the launch that were written in place
};

} // namespace tessera::source

#endif // TESSERA_LIB_TARGET_SOURCE_WRITER_H
