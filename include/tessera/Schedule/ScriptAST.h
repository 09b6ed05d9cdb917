// The syntax tree of schedule scripts. Nodes own their children; the height of a tree is bounded by the parser, so that
// walks may recurse.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TESSERA_SCHEDULE_SCRIPTAST_H
#define TESSERA_SCHEDULE_SCRIPTAST_H

#include "tessera/Frontend/SourceManager.h"

#include "llvm/Support/Casting.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tessera::script {

struct Ident {
  std::string text; ///< empty where there is none
  SourceRange range;
};

enum class Kind : uint8_t {
  // Expressions.
  Name,
  Int,
  Bool,
  String,
  List,
  Record,
  Range,
  Pattern,
  Unary,
  Binary,
  Member,
  Index,
  Call,
  If,
  // Statements.
  Let,
  Assign,
  ExprStmt,
  For,
  While,
  Try,
  Require,
  Print,
  Assume,
  Trust,
  Expect,
  Return,
};

struct Node {
  explicit Node(Kind kind) : kind(kind) {}
  virtual ~Node() = default;
  const Kind kind;
  uint16_t height = 1;
  SourceRange range;
};

struct Expr : Node {
  using Node::Node;
  bool parenthesized = false;
};
struct Stmt : Node {
  using Node::Node;
};
using ExprPtr = std::unique_ptr<Expr>;
using StmtPtr = std::unique_ptr<Stmt>;

template <Kind K, typename Base> struct NodeOf : Base {
  NodeOf() : Base(K) {}
  static bool classof(const Node *node) { return node->kind == K; }
};

struct Block {
  std::vector<StmtPtr> stmts;
  SourceRange range;
};

//===-- Expressions ------------------------------------------------------------------------------------------------===//

/// A variable, a function, a word of the machine (`warp`) or a name of the kernel. `self` is one of them.
struct Name : NodeOf<Kind::Name, Expr> {
  std::string text;
};
struct Int : NodeOf<Kind::Int, Expr> {
  int64_t value = 0;
};
struct Bool : NodeOf<Kind::Bool, Expr> {
  bool value = false;
};
struct String : NodeOf<Kind::String, Expr> {
  std::string value;
};
/// `[a, b]`, or the set `{a, b}`.
struct List : NodeOf<Kind::List, Expr> {
  bool isSet = false;
  std::vector<ExprPtr> elements;
};
struct Field {
  Ident key;
  ExprPtr value;
};
/// `{key: value, …}`
struct Record : NodeOf<Kind::Record, Expr> {
  std::vector<Field> fields;
};
/// `lo..hi`
struct Range : NodeOf<Kind::Range, Expr> {
  ExprPtr lo, hi;
};

/// What a pattern in back-quotes asks of an op: its name and its operands.
struct OpPattern {
  enum class Kind : uint8_t {
    Any,     ///< `_`
    Rest,    ///< `..`: any further operands
    Integer, ///< a constant
    Value,   ///< a value that has this name in the source
    Op       ///< an op with operands
  };
  Kind kind = Kind::Any;
  std::string name; ///< Value, Op; dotted
  int64_t integer = 0;
  std::vector<OpPattern> operands; ///< Op
};
struct Pattern : NodeOf<Kind::Pattern, Expr> {
  OpPattern pattern;
  std::string text; ///< without the back-quotes
};

enum class UnaryOp : uint8_t { Neg, Not };
struct Unary : NodeOf<Kind::Unary, Expr> {
  UnaryOp op = UnaryOp::Neg;
  ExprPtr operand;
};
enum class BinaryOp : uint8_t {
  Or,
  Xor,
  And,
  Eq,
  Ne,
  Lt,
  Le,
  Gt,
  Ge,
  In,
  Shl,
  Shr,
  Add,
  Sub,
  Mul,
  Div,
  FloorDiv,
  Mod
};
struct Binary : NodeOf<Kind::Binary, Expr> {
  BinaryOp op = BinaryOp::Add;
  SourceRange opRange;
  ExprPtr lhs, rhs;
};
/// `base.name`
struct Member : NodeOf<Kind::Member, Expr> {
  ExprPtr base;
  Ident name;
};
/// `base[index]`
struct Index : NodeOf<Kind::Index, Expr> {
  ExprPtr base, index;
};
struct Arg {
  Ident name; ///< empty: by position
  ExprPtr value;
};
/// `callee(args)`; in the short form `callee a b c` all args are by position, and which of them are keys is known only
/// where the callee is.
struct Call : NodeOf<Kind::Call, Expr> {
  ExprPtr callee; ///< a Name or a Member
  std::vector<Arg> args;
  bool isShort = false;
};
/// `if cond { } else { }`; `otherwise` holds one If for `else if`. The value is the last expression of the block taken.
struct If : NodeOf<Kind::If, Expr> {
  ExprPtr cond;
  Block then;
  std::optional<Block> otherwise;
};

//===-- Statements -------------------------------------------------------------------------------------------------===//

/// A name, or with `isRecord` `{key: name, …}` (`{yes}` is short for `{yes: yes}`; the name `_` drops the field).
struct Target {
  bool isRecord = false;
  Ident name;
  std::vector<std::pair<Ident, Ident>> fields;
  SourceRange range;
};
struct Binding {
  Target target;
  ExprPtr value;
};
struct Let : NodeOf<Kind::Let, Stmt> {
  std::vector<Binding> bindings;
};
struct Assign : NodeOf<Kind::Assign, Stmt> {
  Ident name;
  ExprPtr value;
};
struct ExprStmt : NodeOf<Kind::ExprStmt, Stmt> {
  ExprPtr expr;
};
struct For : NodeOf<Kind::For, Stmt> {
  Ident var;
  ExprPtr domain;
  Block body;
};
struct While : NodeOf<Kind::While, Stmt> {
  ExprPtr cond;
  Block body;
};
/// `try { } else err { }`
struct Try : NodeOf<Kind::Try, Stmt> {
  Block body;
  Ident error;
  Block handler;
};
struct Require : NodeOf<Kind::Require, Stmt> {
  ExprPtr cond;
  ExprPtr message; ///< may be null
};
struct Print : NodeOf<Kind::Print, Stmt> {
  std::vector<ExprPtr> values;
};
struct Assume : NodeOf<Kind::Assume, Stmt> {
  std::vector<ExprPtr> facts;
};
struct Trust : NodeOf<Kind::Trust, Stmt> {
  std::string reason;
  Block body;
};
struct Expect : NodeOf<Kind::Expect, Stmt> {
  std::vector<ExprPtr> facts;
};
struct Return : NodeOf<Kind::Return, Stmt> {
  ExprPtr value; ///< may be null
};

//===-- Items ------------------------------------------------------------------------------------------------------===//

/// What a parameter or a result may be. Cursor kinds are a family: `cursor` takes all, `op` also loops, `dim` also
/// factors.
enum class ValueKind : uint8_t {
  Any,
  Int,
  Bool,
  String,
  List,
  Record,
  Layout,
  Fact,
  Name,
  Pattern,
  Cursor,
  Op,
  Loop,
  Dim,
  Factor,
  Buf,
  Ring,
  Block,
  Gap,
  Operand,
  Ops,
  Kernel,
};

struct Param {
  Ident name;
  ValueKind kind = ValueKind::Any;
  ExprPtr value; ///< default, may be null
};
/// `def name(params) -> {a, b} { … }`; the result is a record with those fields, or a kind.
struct Def {
  Ident name;
  std::vector<Param> params;
  bool hasResult = false;
  ValueKind result = ValueKind::Any;
  std::vector<Ident> resultFields;
  Block body;
  SourceRange range;
};
/// `PARAM = default`, `PARAM = choose(default, {values})`
struct ScheduleParam {
  Ident name;
  ExprPtr value;
  std::vector<ExprPtr> choices; ///< empty: any value of the default's kind
  bool isChoice = false;
};
struct Schedule {
  Ident name;
  Ident target;
  std::vector<ScheduleParam> params;
  Block body;
  SourceRange range;
};
struct Import {
  std::string path;
  SourceRange range; ///< of the path
  Ident alias;       ///< may be empty
};

struct File {
  uint32_t file = SourceRange::kNoFile;
  std::vector<Import> imports;
  std::vector<std::unique_ptr<Def>> defs;
  std::vector<std::unique_ptr<Schedule>> schedules;
};

/// The text of `a` or `a.b.c` where `expr` is such a path of names without parentheses; empty otherwise.
std::string pathText(const Expr &expr);
/// "`+`": the operator as written.
const char *spelling(BinaryOp op);
/// "an integer", "a loop", …
const char *describe(ValueKind kind);
/// The kind that `word` names in an annotation (`int`, `loop`, …).
std::optional<ValueKind> kindNamed(llvm::StringRef word);
/// All words of annotations, for messages.
const std::vector<std::string> &kindNames();

} // namespace tessera::script

#endif // TESSERA_SCHEDULE_SCRIPTAST_H
