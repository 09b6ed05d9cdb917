// The walk that checks and emits one region of an instance. How it fits together:
//
//   Program::instantiate ─► buildInstance (Instance.h: parameters, extents, arguments)
//                        ─► one Emitter for each region of the kernel op; each declares the kernel's arguments from the
//                           block's arguments and walks its part of the tree
//
// Emitter walks statements and expressions once. What is known at compile time is folded into Values; the rest becomes
// ops at `builder`'s insertion point. Calls of `fn`s are walked again at every call with their own frame (inlining), so
// generics are checked per call. Errors are reported where they are found and become Value::error(), which every later
// step passes on in silence; the caller of instantiate looks at the engine, never at the IR, to see whether it worked.
//
// FormulaEmitter (FormulaEmitter.h) derives from it for `where`, `reference` and `tolerance`: values there are scalars
// (Shape of no axes), so arithmetic, casts, calls, `if` and `match` are the same code; it overrides the four hooks at
// the end of the class: indexing (`tile.at`), folds, the names `absent` and `present`, and statements that a formula
// does not have.
//
// The files: Emitter.cpp (frames, names, locations), SemaConst (literals, folding), SemaConvert (coerce, unify,
// broadcast, casts), SemaExpr, SemaElementwise, SemaCall (fn, methods), SemaTypes (types of the tree), SemaBuiltins*
// (one table), SemaIndex (views and tiles), SemaStmt, SemaControl (if, match, loops), SemaKernel (regions).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TESSERA_LIB_FRONTEND_SEMA_EMITTER_H
#define TESSERA_LIB_FRONTEND_SEMA_EMITTER_H

#include "Instance.h"

#include "tessera/Numeric/Modes.h"
#include "tessera/Numeric/ScalarOp.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "mlir/IR/Builders.h"

namespace tessera::sema {

/// What a name stands for.
struct Binding {
  Value value;
  SourceRange decl;
  bool isVar = false; ///< may be assigned
  /// The type that assignments must keep.
  Type type;
};

/// Names of one block.
using Scope = llvm::MapVector<llvm::StringRef, Binding>;

/// One call (or the kernel itself): names do not cross it.
struct Frame {
  const Module *module = nullptr;
  const ast::Fn *fn = nullptr; ///< null for the kernel
  mlir::Location caller;       ///< where the call stands; UnknownLoc for the kernel
  SourceRange call;
  std::vector<std::unique_ptr<Scope>> scopes;
  /// Generic parameters that no argument has bound yet.
  llvm::StringMap<const ast::GenericParam *> unbound;
};

struct Builtin;
struct BuiltinCall;

class Emitter {
public:
  /// Emits at the end of `block`.
  Emitter(Instance &instance, mlir::Block *block);
  virtual ~Emitter();

  Instance &instance;
  mlir::OpBuilder builder;
  bool stopped = false; ///< a limit was reported; nothing more is walked

  //===-- frames and names (Emitter.cpp) ---------------------------------------------------------------------------===//
  /// Declares parameters, extents and arguments from the arguments of a kernel region's block.
  void declareArguments(mlir::Block &block);
  void pushScope();
  void popScope();
  /// Names of `owner` only, up to `leaveModule`: for what an item declares, away from the place that asks.
  void enterModule(const Module &owner);
  void leaveModule();
  Binding &declare(llvm::StringRef name, SourceRange range, Value value, bool isVar = false);
  Binding *lookup(llvm::StringRef name);
  const Module &module() const { return *frames.back()->module; }
  mlir::Location loc(SourceRange range) const;
  /// The defining op's location gets the variable's name.
  void nameValue(const Value &value, llvm::StringRef name, SourceRange range);

  //===-- diagnostics ------------------------------------------------------------------------------------------------===//
  template <typename... Args>
  DiagnosticBuilder error(diag::Id id, SourceRange range, const llvm::Twine &help, Args &&...args) {
    DiagnosticBuilder d = instance.engine.report(id, range, std::forward<Args>(args)...);
    d.help(help);
    noteCalls(d);
    return d;
  }
  /// Whether this warning stands already: a program is instantiated many times.
  bool warnedBefore(diag::Id id, SourceRange range) const;
  /// Notes for the calls that led here.
  void noteCalls(DiagnosticBuilder &diagnostic);

  //===-- expressions and statements ---------------------------------------------------------------------------------===//
  /// `expected` helps enum cases, `absent` and blocks; it does not convert: see coerce.
  Value emitExpr(const ast::Expr &expr, const Type *expected = nullptr);
  /// Where `value` stands inside `range`.
  static SourceRange placeOf(const Value &value, SourceRange range) {
    return value.origin.isValid() && range.contains(value.origin) ? value.origin : range;
  }
  /// The block's value, Unit without one. Opens a scope.
  Value emitBlock(const ast::Block &block, const Type *expected = nullptr);
  void emitStmts(const ast::Block &block);
  virtual void emitStmt(const ast::Stmt &stmt);

  //===-- compile time (SemaConst.cpp) ---------------------------------------------------------------------------------===//
  /// Value that must be known now; `what` names it in the error ("a tile's extent"). Emits nothing.
  Value constEval(const ast::Expr &expr, const llvm::Twine &what, const Type *expected = nullptr);
  std::optional<int64_t> constI64(const ast::Expr &expr, const llvm::Twine &what);
  std::optional<bool> constBool(const ast::Expr &expr, const llvm::Twine &what);
  /// The candidates of a Set, a Range or an Edges.
  std::optional<std::vector<Value>> constSet(const ast::Expr &set, const Type *element);
  /// A value given as text by the settings or a test ("128", "bf16", "none").
  std::optional<Value> valueFromText(llvm::StringRef text, const Type *expected);
  /// Value of a module's const.
  Value constItem(const Module &owner, const ast::Const &item);

  //===-- types (SemaTypes.cpp) ----------------------------------------------------------------------------------------===//
  Type resolveType(const ast::Type &type);
  std::optional<DType> resolveDType(const ast::Type &type);
  std::optional<Shape> resolveShape(const ast::Expr &shape);
  /// The extents of `shape` are 1 or more and the tile is not larger than the limit.
  bool checkShape(const Shape &shape, SourceRange range);
  /// Whether `type` may stand for a generic parameter; false with an error reported.
  bool bindGeneric(const ast::GenericParam &generic, DType type, SourceRange range);
  /// Resolves the fields of a struct whose generics are fixed.
  Type finishStruct(std::shared_ptr<StructInstance> structure, SourceRange range);
  /// Extent `axis` of a view or array as an i64 value.
  Value extentOf(const Value &array, unsigned axis, SourceRange range);
  /// The i64 value as an expression in extents; null where it is none.
  mlir::AffineExpr symbolicOf(const Value &value) const;
  /// tile.span; `hi` and `start` are i64.
  Value makeSpan(const Value &start, const Value &hi, int64_t width, bool exact, SourceRange range);
  /// An expression in extents as ops.
  Value emitAffine(mlir::AffineExpr expr, SourceRange range);
  /// Matches a parameter's type against an argument: binds free shape names, `S: shape` and element types in the
  /// current frame; false with an error reported.
  bool bindType(const ast::Type &type, const Value &value, SourceRange range, llvm::StringRef what);

  //===-- conversions (SemaConvert.cpp) --------------------------------------------------------------------------------===//
  /// An untyped value in a type; errors for inexact integers and finite literals that become inf or 0.
  Value toDType(const Value &value, DType type, SourceRange range);
  /// `value` as a value of type `to`: literals meet their type, a known scalar fills a tile. No silent conversion.
  Value coerce(Value value, const Type &to, SourceRange range, const llvm::Twine &what);
  /// Gives an untyped value its own type where nothing else does: i64, or f32 for floats.
  Value settle(Value value, SourceRange range);
  /// One element type for all (untyped values follow the typed ones).
  bool unify(llvm::MutableArrayRef<Value> values, SourceRange range);
  /// The common shape: only `_` broadcasts, scalars fit everything.
  std::optional<Shape> commonShape(llvm::ArrayRef<Value> values, SourceRange range);
  /// SSA value of a Const or Runtime (or span, view).
  mlir::Value materialize(const Value &value, SourceRange range);
  /// The same repeated to `shape`.
  mlir::Value materialize(const Value &value, const Shape &shape, SourceRange range);
  Value broadcastTo(const Value &value, const Shape &shape, SourceRange range);
  Value cast(Value value, DType to, std::optional<Round> round, std::optional<Overflow> overflow,
             SourceRange range);
  /// Two branches' values as one type; false with an error reported.
  bool join(Value &a, Value &b, SourceRange rangeA, SourceRange rangeB, const llvm::Twine &what);
  Type typeOf(const Value &value) const;
  mlir::Type irType(DType element) const;
  mlir::Type irType(DType element, const Shape &shape) const;

  /// Builds `tile.<mnemonic>` with one result.
  mlir::Value op(llvm::StringRef mnemonic, mlir::ValueRange operands, mlir::Type result,
                 SourceRange range, llvm::ArrayRef<mlir::NamedAttribute> attributes = {});
  /// The same as a Runtime value.
  Value opValue(llvm::StringRef mnemonic, mlir::ValueRange operands, DType element,
                const Shape &shape, SourceRange range,
                llvm::ArrayRef<mlir::NamedAttribute> attributes = {});
  mlir::NamedAttribute attr(llvm::StringRef name, int64_t value);
  mlir::NamedAttribute attr(llvm::StringRef name, llvm::ArrayRef<int64_t> values);
  mlir::NamedAttribute unitAttr(llvm::StringRef name);
  mlir::NamedAttribute attr(llvm::StringRef name, mlir::Attribute value);
  /// A value as an operand of arithmetic: missing scalars and `absent` (of `type`) become tile.absent; errors for what
  /// is no number.
  Value operand(Value value, SourceRange range, std::optional<DType> type = std::nullopt);

  //===-- arithmetic (SemaElementwise.cpp) -----------------------------------------------------------------------------===//
  Value elementwise(ScalarOp op, llvm::SmallVector<Value, 3> operands, SourceRange range,
                    Accuracy accuracy = Accuracy::strict);
  Value compare(CmpPredicate predicate, Value lhs, Value rhs, SourceRange range);
  Value select(Value condition, Value a, Value b, SourceRange range);
  Value fillAbsent(Value value, Value fill, SourceRange range);
  /// A condition of `if`, `while`, `assert`: bool; a scalar unless `allowTile`.
  Value condition(const ast::Expr &expr, bool allowTile = false);

  //===-- control (SemaControl.cpp) ------------------------------------------------------------------------------------===//
  Value emitIf(const ast::If &expr, const Type *expected);
  Value emitMatch(const ast::Match &expr, const Type *expected);
  void emitFor(const ast::For &stmt);
  void emitWhile(const ast::While &stmt);
  /// scf.if: both sides are walked into their regions; variables assigned in either become results.
  Value emitDynamicIf(mlir::Value condition, llvm::function_ref<Value()> then,
                      llvm::function_ref<Value()> otherwise, SourceRange range,
                      SourceRange thenRange, SourceRange elseRange);

  //===-- calls (SemaCall.cpp, SemaBuiltins*.cpp) ----------------------------------------------------------------------===//
  Value emitCall(const ast::Call &call, const Type *expected);
  /// Inlines `fn`. `self` is bound for methods; `selfPlace` takes it back for `inout self`.
  Value inlineFn(const Module &owner, const ast::Fn &fn, const ast::Call &call, const Value *self,
                 const ast::Expr *selfPlace);
  /// Binds `params` to the call's arguments in the current frame (the callee's); `values` are in the order of params.
  bool bindParams(const std::vector<ast::Param> &params, std::vector<std::optional<Value>> &values,
                  llvm::ArrayRef<SourceRange> ranges, const ast::Call &call);
  Value construct(const Module &owner, const ast::Struct &decl, const ast::Call &call);
  Value emitBuiltin(const Builtin &builtin, const ast::Call &call, const Value *self,
                    const Type *expected);

  /// Binds and walks `fn` in its own frame; `out` gets the parameters' last values, `newSelf` that of `inout self`.
  Value invoke(const Module &owner, const ast::Fn &fn, const ast::Call &call,
               std::vector<std::optional<Value>> &values, llvm::ArrayRef<SourceRange> ranges,
               llvm::ArrayRef<std::pair<const ast::GenericParam *, Value>> given, const Value *self,
               std::vector<Value> &out, Value &newSelf);
  /// Calls `fn` with values at hand (the region of reduce_with and scan_with).
  Value inlineValues(const Module &owner, const ast::Fn &fn, llvm::ArrayRef<Value> values,
                     const ast::Call &call);
  Value permuteTile(const Value &tile, llvm::ArrayRef<int64_t> order, SourceRange range);
  Value permuteView(const Value &view, llvm::ArrayRef<int64_t> order, SourceRange range);

  //===-- places -------------------------------------------------------------------------------------------------------===//
  void assign(const ast::Expr &place, Value value, SourceRange valueRange);
  /// An index list of a view: SSA indices, which axes are `:`, and the box. `ok` false with an error reported.
  struct ViewIndex {
    bool ok = false;
    llvm::SmallVector<mlir::Value> indices;
    llvm::SmallVector<bool> whole;
    Shape box;
    bool gathers = false;
  };
  ViewIndex indexView(const Value &view, const ast::Index &index);
  /// `tile[:, _, 0..4]`
  Value indexTile(Value tile, const ast::Index &index);
  /// `tiles(lo..hi, W)` or `lo..hi`. `step` is the value of one step without its SSA value.
  struct Domain {
    bool ok = false;
    mlir::Value lo, hi;
    Value loValue, hiValue;
    int64_t width = 0;
    Value step;
  };
  Domain emitDomain(const ast::Expr &domain);
  /// Known parts become SSA values, so that a loop or branch can carry them.
  Value dynamic(const Value &value, SourceRange range);
  /// `tile` to the elements of `view[…]`: a store. `conflict` as in the source.
  void store(const Value &view, const ast::Index &index, Value value, SourceRange valueRange,
             llvm::StringRef conflict);
  /// A view as the base of a store or atomic; null type with an error reported.
  Value writableView(const ast::Expr &base, llvm::StringRef how);

  //===-- hooks of formulas --------------------------------------------------------------------------------------------===//
  virtual bool isFormula() const { return false; }
  /// `base[…]` where base is a view, a tile or an array.
  virtual Value emitIndex(const ast::Index &index);
  /// Base: an error, folds belong to formulas.
  virtual Value emitFold(const ast::Fold &fold, const Type *expected);
  /// Names that only formulas have (`absent`); nothing where `name` is not one.
  virtual std::optional<Value> emitSpecialName(llvm::StringRef name, SourceRange range,
                                               const Type *expected);
  /// Calls that only formulas have (`present(x)`); nothing where `name` is not one.
  virtual std::optional<Value> emitSpecialCall(llvm::StringRef name, const ast::Call &call);
  /// A whole array converted element by element; base: an error, arrays belong to formulas.
  virtual Value castArray(const Value &array, DType to, std::optional<Round> round,
                          std::optional<Overflow> overflow, SourceRange range);

  /// `std`, `std.ref`, an import's name; null where `expr` is none.
  Module *namespaceOf(const ast::Expr &expr);

protected:
  friend struct BuiltinCall;

  Value itemValue(const Module &owner, const ast::Item &item, SourceRange range);
  Value emitField(const Value &base, const ast::Member &expr);
  Value emitExprKind(const ast::Expr &expr, const Type *expected);
  Value emitName(const ast::Name &expr, const Type *expected);
  Value emitMember(const ast::Member &expr, const Type *expected);
  Value emitUnary(const ast::Unary &expr, const Type *expected);
  Value emitBinary(const ast::Binary &expr, const Type *expected);
  Value emitIn(const ast::In &expr);
  Value emitCast(const ast::Cast &expr);
  Value emitTuple(const ast::Tuple &expr, const Type *expected);

  void emitLet(const ast::Let &stmt);
  void emitGrid(const ast::Grid &stmt);
  void emitAssert(const ast::Assert &stmt);

  /// Variables of this frame that `nodes` assign (places, `inout` arguments), in order of declaration.
  std::vector<llvm::StringRef> assignedVars(llvm::ArrayRef<const ast::Node *> nodes);

  std::vector<std::unique_ptr<Frame>> frames;
  unsigned depth = 0; ///< of emitExpr, against stack exhaustion through nested calls
  uint64_t steps = 0; ///< of emitExpr, against endless unrolling
  bool gridSeen = false;
  llvm::SmallVector<const ast::Struct *> openStructs; ///< whose fields are being resolved
};

} // namespace tessera::sema

#endif // TESSERA_LIB_FRONTEND_SEMA_EMITTER_H
