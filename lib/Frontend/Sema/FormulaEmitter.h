// Formulas: `where` conditions, `reference` and `tolerance`. Everything is a scalar; see the head of Emitter.h.
//
//   emitWhere      conditions known now are checked, others become tile.require
//   emitReference  tile.map for every `let` and output in order, tile.yield of all arrays; names into the kernel op
//   emitTolerance  the arrays of the reference come as block arguments after the kernel's
//
// Inside a map, indices are i64 scalars bound as names; an array (a `let`, an output, a view) is indexed to a scalar by
// tile.at; a missing view gives tile.absent. `if` and `match` on run-time conditions are scf.if, so only the side taken
// is evaluated. A `let` or output that reads itself is a recurrence: the array is the region's last argument.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TESSERA_LIB_FRONTEND_SEMA_FORMULAEMITTER_H
#define TESSERA_LIB_FRONTEND_SEMA_FORMULAEMITTER_H

#include "Emitter.h"

namespace tessera::sema {

class FormulaEmitter : public Emitter {
public:
  using Emitter::Emitter;

  bool isFormula() const override { return true; }
  void emitStmt(const ast::Stmt &stmt) override;
  Value emitIndex(const ast::Index &index) override;
  Value emitFold(const ast::Fold &fold, const Type *expected) override;
  std::optional<Value> emitSpecialName(llvm::StringRef name, SourceRange range,
                                       const Type *expected) override;
  std::optional<Value> emitSpecialCall(llvm::StringRef name, const ast::Call &call) override;
  Value castArray(const Value &array, DType to, std::optional<Round> round,
                  std::optional<Overflow> overflow, SourceRange range) override;

  /// One axis of an array that is being defined: its index and its range in the current block.
  struct ArrayAxis {
    ast::Ident index;
    mlir::Value lo, hi;
  };
  /// `tile.map` over `axes` with the element `value`. `name` may stand in `value` itself (a recurrence) unless it is
  /// empty. `element`: the type that the value must have, where it is given.
  Value emitMap(llvm::StringRef name, llvm::ArrayRef<ArrayAxis> axes, const ast::Expr &value,
                SourceRange range, std::optional<DType> element = std::nullopt);
  /// `let name[i in M, …] = value`; declares the name. Error with errors reported.
  Value emitArray(const ast::Ident &name, llvm::ArrayRef<ast::RefIndex> indices,
                  const ast::Expr &value, SourceRange range);

private:
  /// How an array reads itself.
  struct Recurrence {
    unsigned axis = 0;
    bool descending = false;
  };

  void emitArrayLet(const ast::Let &stmt);
  mlir::Value emitElementIndex(const ast::Expr &expr);
  mlir::Value emitBound(const ast::Expr &expr);
  std::pair<mlir::Value, mlir::Value> emitRange(const ast::Range &range);
  Value emitElement(const ast::Expr &expr, const Type *expected);
  /// Whether `value` reads `name`; false in `ok` with errors reported.
  std::optional<Recurrence> findRecurrence(llvm::StringRef name, llvm::ArrayRef<ArrayAxis> axes,
                                           const ast::Expr &value, bool &ok);
  std::optional<DType> findElementType(llvm::StringRef name, llvm::ArrayRef<ArrayAxis> axes,
                                       const ast::Expr &value);
  Value emitBody(mlir::Block &body, llvm::StringRef name, llvm::ArrayRef<ArrayAxis> axes,
                 const ast::Expr &value, std::optional<DType> self, std::optional<DType> element);
};

/// What the reference defines: names and arrays in order.
struct ReferenceArrays {
  std::vector<std::string> names;
  std::vector<Type> types; ///< Kind::Array
};

/// Fill the region's only block, which has the kernel's arguments; false with errors reported.
bool emitReference(Instance &instance, const ast::Reference &clause, mlir::Block &block,
                   ReferenceArrays &arrays);
/// The block has the arrays after the kernel's arguments; `names` gets the bounded outputs.
bool emitTolerance(Instance &instance, const ast::Tolerance &clause, const ReferenceArrays &arrays,
                   mlir::Block &block, std::vector<std::string> &names);

} // namespace tessera::sema

#endif // TESSERA_LIB_FRONTEND_SEMA_FORMULAEMITTER_H
