// The syntax tree of `.tile` files. Plain structs owned by unique_ptr; every node has a kind (isa/cast/dyn_cast of
// LLVM work) and the range of its text. After a parse without errors no Error node is in the tree and no child that
// the comments call present is null; with errors the tree is for tools only. Nesting is limited (kMaxHeight), so
// recursive walks are safe.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TESSERA_FRONTEND_AST_H
#define TESSERA_FRONTEND_AST_H

#include "tessera/Frontend/SourceManager.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Casting.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace tessera::ast {

// clang-format off: one family a line.
enum class Kind : uint8_t {
  // Expressions.
  IntLit, FloatLit, BoolLit, StringLit, Name, Member, Call, Index, Range, Tiles, Colon, Wildcard,
  Unary, Binary, In, Cast, If, Match, Block, Fold, Tuple, List, Set, Edges, LayoutLit, ErrorExpr,
  // Types.
  NamedType, TileType, ViewType, TupleType, OptionalType, ErrorType,
  // Statements.
  Let, Static, Tune, Grid, Assign, ExprStmt, For, While, Assert, Unsafe,
  // Statements of a reference.
  RefLet, RefOutput, RefTuple,
  // Clauses of a kernel.
  Where, Math, Reference, Tolerance,
  // Entries of a test.
  TestAxis, TestBind, TestInput, TestOrder, TestCases,
  // Items of a file.
  Import, Const, Enum, Struct, Fn, Kernel, Test, LayoutDecl, Instr, Sync, Raw,
};
// clang-format on

/// Greatest height of a tree below one item; the parser reports what is deeper.
constexpr unsigned kMaxHeight = 512;

struct Node {
  const Kind kind;
  uint16_t height = 1; ///< 1 + the greatest height of a child
  SourceRange range;

  explicit Node(Kind kind) : kind(kind) {}
  virtual ~Node() = default;
};

/// Abstract families: all kinds from First to Last.
template <Kind First, Kind Last> struct Family : Node {
  using Node::Node;
  static bool classof(const Node *node) { return First <= node->kind && node->kind <= Last; }
};
struct Type : Family<Kind::NamedType, Kind::ErrorType> {
  using Family::Family;
};
struct Expr : Family<Kind::IntLit, Kind::ErrorExpr> {
  /// Pairs of redundant or needed parentheses written around it (not part of `range`); layout only, no meaning.
  uint8_t parens = 0;
  using Family::Family;
};
struct Stmt : Family<Kind::Let, Kind::Unsafe> {
  using Family::Family;
};
struct Ref : Family<Kind::RefLet, Kind::RefTuple> {
  using Family::Family;
};
struct Clause : Family<Kind::Where, Kind::Tolerance> {
  using Family::Family;
};
struct TestEntry : Family<Kind::TestAxis, Kind::TestCases> {
  using Family::Family;
};
struct Item : Family<Kind::Import, Kind::Raw> {
  std::string doc; ///< `##` lines before it, without the marks, joined by newlines
  using Family::Family;
};

using ExprPtr = std::unique_ptr<Expr>;
using TypePtr = std::unique_ptr<Type>;
using StmtPtr = std::unique_ptr<Stmt>;

/// Base of the concrete nodes.
template <Kind K, typename Base> struct NodeOf : Base {
  NodeOf() : Base(K) {}
  static bool classof(const Node *node) { return node->kind == K; }
};

/// A name where it is declared or written. An empty name means: not written.
struct Ident {
  std::string name;
  SourceRange range;
  explicit operator bool() const { return !name.empty(); }
};

//===-- Expressions ------------------------------------------------------------------------------------------------===//

/// Non-negative; a sign is a Unary. `text` is as written (`0x1f`, `1_000`).
struct IntLit : NodeOf<Kind::IntLit, Expr> {
  uint64_t value = 0;
  unsigned base = 10;
  std::string text;
};

/// Exact: only the text is kept. `inf` and `nan` too. See convertFloat.
struct FloatLit : NodeOf<Kind::FloatLit, Expr> {
  std::string text;
};

struct BoolLit : NodeOf<Kind::BoolLit, Expr> {
  bool value = false;
};

/// `value` has its escapes resolved.
struct StringLit : NodeOf<Kind::StringLit, Expr> {
  std::string value;
};

/// An identifier, a dtype (`f32`), an enum case, `self`, `absent`, `missing`: the checker decides.
struct Name : NodeOf<Kind::Name, Expr> {
  std::string name;
};

/// `base.member`
struct Member : NodeOf<Kind::Member, Expr> {
  ExprPtr base;
  Ident member;
};

/// `name` is empty for a positional argument; positional ones come first.
struct Arg {
  Ident name;
  ExprPtr value;
};

struct Call : NodeOf<Kind::Call, Expr> {
  ExprPtr callee;
  std::vector<Arg> args;
};

/// Every index is an expression, a Colon, a Wildcard or a Range with `lo`.
struct Index : NodeOf<Kind::Index, Expr> {
  ExprPtr base;
  std::vector<ExprPtr> indices;
};

/// `lo..hi`, or `hi` alone (`lo` null) where the grammar asks for a range. `hi` is present.
struct Range : NodeOf<Kind::Range, Expr> {
  ExprPtr lo;
  ExprPtr hi;
};

/// `tiles(bounds, width)`; stands as the domain of a Grid axis or a For only.
struct Tiles : NodeOf<Kind::Tiles, Expr> {
  std::unique_ptr<Range> bounds;
  ExprPtr width;
};

/// `:` in an index list.
struct Colon : NodeOf<Kind::Colon, Expr> {};
/// `_` in an index list or a shape.
struct Wildcard : NodeOf<Kind::Wildcard, Expr> {};

enum class UnaryOp : uint8_t { Neg, Not };
struct Unary : NodeOf<Kind::Unary, Expr> {
  UnaryOp op = UnaryOp::Neg;
  ExprPtr operand;
};

enum class BinaryOp : uint8_t {
  Coalesce, ///< `??`
  Or,
  Xor,
  And,
  Eq,
  Ne,
  Lt,
  Le,
  Gt,
  Ge,
  Shl,
  Shr,
  Add,
  Sub,
  Mul,
  Div,
  FloorDiv,
  Mod,
};
struct Binary : NodeOf<Kind::Binary, Expr> {
  BinaryOp op = BinaryOp::Add;
  SourceRange opRange;
  ExprPtr lhs;
  ExprPtr rhs;
};

/// `operand in set`; `set` is a Set, a Range or an Edges.
struct In : NodeOf<Kind::In, Expr> {
  ExprPtr operand;
  ExprPtr set;
};

/// `operand as type(mode, …)`
struct Cast : NodeOf<Kind::Cast, Expr> {
  ExprPtr operand;
  Ident type;
  std::vector<Ident> modes;
};

/// `{ stmts; value }`. `value` is the last expression of the block (call, if and match included) or null.
struct Block : NodeOf<Kind::Block, Expr> {
  std::vector<StmtPtr> stmts;
  ExprPtr value;
};

/// `otherwise` is null, an If or a Block.
struct If : NodeOf<Kind::If, Expr> {
  ExprPtr cond;
  std::unique_ptr<Block> then;
  ExprPtr otherwise;
};

struct MatchArm {
  Ident name;
  ExprPtr value;
};
struct Match : NodeOf<Kind::Match, Expr> {
  ExprPtr scrutinee;
  std::vector<MatchArm> arms;
};

enum class FoldKind : uint8_t { Sum, Prod, Max, Min, Count, Any, All, First };
/// `kind(var in bounds: body)`
struct Fold : NodeOf<Kind::Fold, Expr> {
  FoldKind fold = FoldKind::Sum;
  Ident var;
  std::unique_ptr<Range> bounds;
  ExprPtr body;
};

/// `(a, b)`; two elements or more.
struct Tuple : NodeOf<Kind::Tuple, Expr> {
  std::vector<ExprPtr> elements;
};
/// `[a, _, b]`: a shape, or a list of constants. Elements are expressions or Wildcards.
struct List : NodeOf<Kind::List, Expr> {
  std::vector<ExprPtr> elements;
};
/// `{a, b}` after `in`.
struct Set : NodeOf<Kind::Set, Expr> {
  std::vector<ExprPtr> elements;
};
/// `edges(of)` after `in`.
struct Edges : NodeOf<Kind::Edges, Expr> {
  Ident of;
};
/// `shape : stride` in a layout; both are numbers or nested tuples of such.
struct LayoutLit : NodeOf<Kind::LayoutLit, Expr> {
  ExprPtr shape;
  ExprPtr stride;
};
struct ErrorExpr : NodeOf<Kind::ErrorExpr, Expr> {};

//===-- Types ------------------------------------------------------------------------------------------------------===//

/// An argument of `Name<…>`: exactly one is set. A lone identifier is a NamedType, even if it names a constant.
struct TypeArg {
  TypePtr type;
  ExprPtr expr;
};
/// `f32`, `T`, `Pair<64>`
struct NamedType : NodeOf<Kind::NamedType, Type> {
  std::string name;
  std::vector<TypeArg> args;
};
/// `tile<shape, element>` or `array<shape, element>`; `shape` is a Name or a List.
struct TileType : NodeOf<Kind::TileType, Type> {
  bool isArray = false;
  ExprPtr shape;
  TypePtr element;
};
enum class ViewMode : uint8_t { Unspecified, In, Out, InOut };
/// `in view<[M, N], T>`; only as the type of a kernel's parameter. Unspecified means In.
struct ViewType : NodeOf<Kind::ViewType, Type> {
  ViewMode mode = ViewMode::Unspecified;
  ExprPtr shape;
  TypePtr element;
};
/// `(A, B)`; `()` has no elements.
struct TupleType : NodeOf<Kind::TupleType, Type> {
  std::vector<TypePtr> elements;
};
/// `T?`
struct OptionalType : NodeOf<Kind::OptionalType, Type> {
  TypePtr element;
};
struct ErrorType : NodeOf<Kind::ErrorType, Type> {};

//===-- Statements -------------------------------------------------------------------------------------------------===//

/// One name, or `(a, b)` with isTuple.
struct Pattern {
  std::vector<Ident> names;
  bool isTuple = false;
  SourceRange range;
};

/// `name in bounds`
struct RefIndex {
  Ident name;
  std::unique_ptr<Range> bounds;
};
/// `let pattern: type = value` or `var name: type = value`; `type` may be null. With `indices`, in a `fn` that formulas
/// call: the array `let name[i in M, …] = value`.
struct Let : NodeOf<Kind::Let, Stmt> {
  bool isVar = false;
  Pattern pattern;
  std::vector<RefIndex> indices;
  TypePtr type;
  ExprPtr value;
};
struct Static : NodeOf<Kind::Static, Stmt> {
  Ident name;
  ExprPtr value;
};
/// `name in set`; `set` is a Set, a Range or an Edges.
struct Choice {
  Ident name;
  ExprPtr set;
};
struct Tune : NodeOf<Kind::Tune, Stmt> {
  std::vector<Choice> choices;
};
/// `name in domain`; `domain` is a Tiles or a Range.
struct Axis {
  Ident name;
  ExprPtr domain;
};
struct Grid : NodeOf<Kind::Grid, Stmt> {
  std::vector<Axis> axes;
};
/// `place` is a Name, a Member or an Index. `fill` (`place = value fill 0`) stands in the body of an instruction only and
/// may be null.
struct Assign : NodeOf<Kind::Assign, Stmt> {
  ExprPtr place;
  ExprPtr value;
  ExprPtr fill;
};
/// A Call, an If or a Match that is not the last of its block.
struct ExprStmt : NodeOf<Kind::ExprStmt, Stmt> {
  ExprPtr expr;
};
struct For : NodeOf<Kind::For, Stmt> {
  Ident var;
  ExprPtr domain; ///< Tiles or Range
  bool isStatic = false;
  bool isReversed = false;
  std::unique_ptr<Block> body;
};
struct While : NodeOf<Kind::While, Stmt> {
  ExprPtr cond;
  std::unique_ptr<Block> body;
};
struct Assert : NodeOf<Kind::Assert, Stmt> {
  bool isAssume = false;
  ExprPtr cond;
  std::unique_ptr<StringLit> message; ///< may be null
};
struct Unsafe : NodeOf<Kind::Unsafe, Stmt> {
  std::unique_ptr<Block> body;
};

//===-- References and clauses -------------------------------------------------------------------------------------===//

/// `let name[i in M, …] = value`
struct RefLet : NodeOf<Kind::RefLet, Ref> {
  Ident name;
  std::vector<RefIndex> indices;
  ExprPtr value;
};
/// `name[i, j] = value`; without indices `name = value` (a whole array or a rank-0 output).
struct RefOutput : NodeOf<Kind::RefOutput, Ref> {
  Ident name;
  std::vector<Ident> indices;
  ExprPtr value;
};
/// `(a, b) = value`
struct RefTuple : NodeOf<Kind::RefTuple, Ref> {
  std::vector<Ident> names;
  ExprPtr value;
};

struct Where : NodeOf<Kind::Where, Clause> {
  std::vector<ExprPtr> conds;
};
enum class MathMode : uint8_t { Strict, Contract, Fast };
struct Math : NodeOf<Kind::Math, Clause> {
  MathMode mode = MathMode::Strict;
};
struct Reference : NodeOf<Kind::Reference, Clause> {
  bool isBraced = false;
  std::vector<std::unique_ptr<Ref>> refs;
};
/// `name[indices] <= value`
struct Bound {
  Ident name;
  std::vector<Ident> indices;
  ExprPtr value;
};
struct Tolerance : NodeOf<Kind::Tolerance, Clause> {
  bool isExact = false;
  std::vector<Bound> bounds;
};

//===-- Tests ------------------------------------------------------------------------------------------------------===//

/// `M in set`, `(E, K) in set`, `BM in tune` (`set` null). `set` is a Set, a Range or an Edges.
struct TestAxis : NodeOf<Kind::TestAxis, TestEntry> {
  Pattern pattern;
  ExprPtr set;
};
/// `name = value`
struct TestBind : NodeOf<Kind::TestBind, TestEntry> {
  Ident name;
  ExprPtr value;
};
/// `name from generator, …`; a generator is a Name or a Call.
struct TestInput : NodeOf<Kind::TestInput, TestEntry> {
  Ident name;
  std::vector<ExprPtr> generators;
};
/// `order name in set`
struct TestOrder : NodeOf<Kind::TestOrder, TestEntry> {
  Ident name;
  ExprPtr set;
};
/// `cases 150`
struct TestCases : NodeOf<Kind::TestCases, TestEntry> {
  std::unique_ptr<IntLit> count;
};

//===-- Items ------------------------------------------------------------------------------------------------------===//

enum class GenericKind : uint8_t { Shape, Float, Int, UInt, Number, Any, Set, Const };
/// Kind constraint: `name: shape`. Set: `name in set [= defaultType]`. Const: `const name: type [in set] [= value]`.
struct GenericParam {
  GenericKind kind = GenericKind::Any;
  Ident name;
  TypePtr type;        ///< Const
  ExprPtr set;         ///< Set; Const: may be null. A Set, a Range or an Edges
  TypePtr defaultType; ///< Set: may be null
  ExprPtr value;       ///< Const: may be null
  SourceRange range;
};

enum class ParamMode : uint8_t { Plain, Const, InOut };
/// `self` has isSelf, the name "self" and no type.
struct Param {
  ParamMode mode = ParamMode::Plain;
  bool isSelf = false;
  Ident name;
  TypePtr type;
  ExprPtr value; ///< default, may be null
  SourceRange range;
};

/// `name: type` with `isOptional` for a trailing `?` (`type` itself is then not an OptionalType).
struct KernelParam {
  Ident name;
  TypePtr type;
  bool isOptional = false;
  SourceRange range;
};

struct Import : NodeOf<Kind::Import, Item> {
  std::string path;
  SourceRange pathRange;
  Ident alias; ///< may be empty
};
struct Const : NodeOf<Kind::Const, Item> {
  Ident name;
  TypePtr type; ///< may be null
  ExprPtr value;
};
struct Enum : NodeOf<Kind::Enum, Item> {
  Ident name;
  std::vector<Ident> cases;
};
struct Fn : NodeOf<Kind::Fn, Item> {
  Ident name;
  std::vector<GenericParam> generics;
  std::vector<Param> params;
  TypePtr result; ///< null: no value
  std::unique_ptr<Block> body;
};
struct Field {
  Ident name;
  TypePtr type;
  ExprPtr value; ///< default, may be null
  SourceRange range;
};
struct Struct : NodeOf<Kind::Struct, Item> {
  Ident name;
  std::vector<GenericParam> generics;
  std::vector<Field> fields;
  std::vector<std::unique_ptr<Fn>> methods;
};
struct Kernel : NodeOf<Kind::Kernel, Item> {
  Ident name;
  std::vector<GenericParam> generics;
  std::vector<KernelParam> params;
  std::vector<std::unique_ptr<Clause>> clauses; ///< as written; `where` may repeat, the others not
  std::unique_ptr<Block> body;

  /// The clause of type C (Math, Reference, Tolerance), or null.
  template <typename C> const C *find() const {
    for (const std::unique_ptr<Clause> &clause : clauses) {
      if (const auto *found = llvm::dyn_cast<C>(clause.get())) {
        return found;
      }
    }
    return nullptr;
  }
};
/// `test kernel { entries }`
struct Test : NodeOf<Kind::Test, Item> {
  Ident kernel;
  std::vector<std::unique_ptr<TestEntry>> entries;
};
/// `def` is a function of schedules.
enum class RawKind : uint8_t { Schedule, Def };
/// Text that other readers parse: from the keyword to the end of the last token, verbatim.
struct Raw : NodeOf<Kind::Raw, Item> {
  RawKind raw = RawKind::Schedule;
  Ident name; ///< the identifier after the keyword; empty when there is none
  std::string text;
};

/// A comment that is not a doc comment. `range` covers the mark and the text, not the line end.
struct Comment {
  SourceRange range;
  std::string text;     ///< with its `#`
  bool ownLine = false; ///< nothing but blanks before it on its line
};

struct File {
  uint32_t file = SourceRange::kNoFile;
  std::vector<std::unique_ptr<Item>> items;
  std::vector<Comment> comments; ///< in order of position; for the printer
};

//===-- Walks ------------------------------------------------------------------------------------------------------===//

/// Calls `visit` for every direct child that is present, in the order of the text.
void forEachChild(const Node &node, llvm::function_ref<void(const Node &)> visit);

/// Same structure and same names, numbers and texts; ranges, parentheses, comments and number spelling aside.
bool equal(const Node *a, const Node *b);
bool equal(const File &a, const File &b);

/// "`+`", "`??`": the operator as written.
const char *spelling(BinaryOp op);
const char *spelling(FoldKind fold);

} // namespace tessera::ast

#endif // TESSERA_FRONTEND_AST_H
