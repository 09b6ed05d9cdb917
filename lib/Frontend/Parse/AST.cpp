// Walks over the syntax tree: children and structural equality.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tessera/Frontend/AST.h"

#include "tessera/Frontend/ASTInstr.h"

#include <string>
#include <tuple>

using namespace tessera;
using namespace tessera::ast;
using llvm::cast;

const char *ast::spelling(BinaryOp op) {
  static const char *const names[] = {"??", "or", "xor", "and", "==", "!=", "<", "<=", ">",
                                      ">=", "<<", ">>",  "+",   "-",  "*",  "/", "//", "%"};
  return names[static_cast<unsigned>(op)];
}

const char *ast::spelling(FoldKind fold) {
  static const char *const names[] = {"sum", "prod", "max", "min", "count", "any", "all", "first"};
  return names[static_cast<unsigned>(fold)];
}

const char *ast::spelling(OperandKind kind) {
  static const char *const names[] = {"frag", "smem", "view", "scalar", "predicate"};
  return names[static_cast<unsigned>(kind)];
}

const char *ast::spelling(EffectKind kind) {
  static const char *const names[] = {"read", "write", "update"};
  return names[static_cast<unsigned>(kind)];
}

namespace {

/// One visitor serves both walks: it hands every part of a node to `Sink` — children as nodes, the rest as text — in
/// the order of the source.
template <typename Sink> class Parts {
public:
  explicit Parts(Sink &sink) : sink(sink) {}

  void visit(const Node &node) {
    if (Expr::classof(&node)) {
      visitExpr(node);
    } else if (Type::classof(&node)) {
      visitType(node);
    } else if (Stmt::classof(&node)) {
      visitStmt(node);
    } else if (Item::classof(&node)) {
      visitItem(node);
    } else {
      visitKernelPart(node);
    }
  }

private:
  template <typename T> void child(const std::unique_ptr<T> &node) { sink.child(node.get()); }
  template <typename T> void children(const std::vector<std::unique_ptr<T>> &nodes) {
    sink.number(nodes.size());
    for (const auto &node : nodes) {
      child(node);
    }
  }
  void name(const Ident &ident) { sink.text(ident.name); }
  void names(const std::vector<Ident> &idents) {
    sink.number(idents.size());
    for (const Ident &ident : idents) {
      name(ident);
    }
  }
  void pattern(const Pattern &pattern) {
    sink.number(pattern.isTuple);
    names(pattern.names);
  }
  void refIndices(const std::vector<RefIndex> &indices) {
    sink.number(indices.size());
    for (const RefIndex &index : indices) {
      name(index.name);
      child(index.bounds);
    }
  }
  template <typename E> void option(E value) { sink.number(static_cast<uint64_t>(value)); }
  void generics(const std::vector<GenericParam> &params) {
    sink.number(params.size());
    for (const GenericParam &param : params) {
      option(param.kind);
      name(param.name);
      child(param.type);
      child(param.set);
      child(param.defaultType);
      child(param.value);
    }
  }

  void visitExpr(const Node &node);
  void visitCompound(const Node &node);
  void visitType(const Node &node);
  void visitStmt(const Node &node);
  void visitKernelPart(const Node &node);
  void visitItem(const Node &node);
  void visitDeclaration(const Node &node);
  void operands(const std::vector<InstrOperand> &list);
  void effects(const std::vector<InstrEffect> &list);
  void instr(const Instr &item);
  void sync(const Sync &item);

  Sink &sink;
};

template <typename Sink> void Parts<Sink>::visitExpr(const Node &node) {
  switch (node.kind) {
  case Kind::IntLit:
    sink.number(cast<IntLit>(node).value);
    return;
  case Kind::FloatLit:
    sink.digits(cast<FloatLit>(node).text);
    return;
  case Kind::BoolLit:
    sink.number(cast<BoolLit>(node).value);
    return;
  case Kind::StringLit:
    sink.text(cast<StringLit>(node).value);
    return;
  case Kind::Name:
    sink.text(cast<Name>(node).name);
    return;
  case Kind::Member:
    child(cast<Member>(node).base);
    name(cast<Member>(node).member);
    return;
  case Kind::Call:
    child(cast<Call>(node).callee);
    sink.number(cast<Call>(node).args.size());
    for (const Arg &arg : cast<Call>(node).args) {
      name(arg.name);
      child(arg.value);
    }
    return;
  case Kind::Index:
    child(cast<Index>(node).base);
    children(cast<Index>(node).indices);
    return;
  case Kind::Range:
    child(cast<Range>(node).lo);
    child(cast<Range>(node).hi);
    return;
  case Kind::Tiles:
    child(cast<Tiles>(node).bounds);
    child(cast<Tiles>(node).width);
    return;
  case Kind::Unary:
    option(cast<Unary>(node).op);
    child(cast<Unary>(node).operand);
    return;
  case Kind::Binary:
    child(cast<Binary>(node).lhs);
    option(cast<Binary>(node).op);
    child(cast<Binary>(node).rhs);
    return;
  case Kind::In:
    child(cast<In>(node).operand);
    child(cast<In>(node).set);
    return;
  default:
    visitCompound(node);
    return;
  }
}

template <typename Sink> void Parts<Sink>::visitCompound(const Node &node) {
  switch (node.kind) {
  case Kind::Cast:
    child(cast<Cast>(node).operand);
    name(cast<Cast>(node).type);
    names(cast<Cast>(node).modes);
    return;
  case Kind::If:
    child(cast<If>(node).cond);
    child(cast<If>(node).then);
    child(cast<If>(node).otherwise);
    return;
  case Kind::Match:
    child(cast<Match>(node).scrutinee);
    sink.number(cast<Match>(node).arms.size());
    for (const MatchArm &arm : cast<Match>(node).arms) {
      name(arm.name);
      child(arm.value);
    }
    return;
  case Kind::Block:
    children(cast<Block>(node).stmts);
    child(cast<Block>(node).value);
    return;
  case Kind::Fold:
    option(cast<Fold>(node).fold);
    name(cast<Fold>(node).var);
    child(cast<Fold>(node).bounds);
    child(cast<Fold>(node).body);
    return;
  case Kind::Tuple:
    children(cast<Tuple>(node).elements);
    return;
  case Kind::List:
    children(cast<List>(node).elements);
    return;
  case Kind::Set:
    children(cast<Set>(node).elements);
    return;
  case Kind::Edges:
    name(cast<Edges>(node).of);
    return;
  case Kind::LayoutLit:
    child(cast<LayoutLit>(node).shape);
    child(cast<LayoutLit>(node).stride);
    return;
  default:
    return; // Colon, Wildcard, ErrorExpr: nothing inside
  }
}

template <typename Sink> void Parts<Sink>::visitType(const Node &node) {
  switch (node.kind) {
  case Kind::NamedType:
    sink.text(cast<NamedType>(node).name);
    sink.number(cast<NamedType>(node).args.size());
    for (const TypeArg &arg : cast<NamedType>(node).args) {
      child(arg.type);
      child(arg.expr);
    }
    return;
  case Kind::TileType:
    option(cast<TileType>(node).isArray);
    child(cast<TileType>(node).shape);
    child(cast<TileType>(node).element);
    return;
  case Kind::ViewType:
    option(cast<ViewType>(node).mode);
    child(cast<ViewType>(node).shape);
    child(cast<ViewType>(node).element);
    return;
  case Kind::TupleType:
    children(cast<TupleType>(node).elements);
    return;
  case Kind::OptionalType:
    child(cast<OptionalType>(node).element);
    return;
  default:
    return;
  }
}

template <typename Sink> void Parts<Sink>::visitStmt(const Node &node) {
  switch (node.kind) {
  case Kind::Let:
    option(cast<Let>(node).isVar);
    pattern(cast<Let>(node).pattern);
    refIndices(cast<Let>(node).indices);
    child(cast<Let>(node).type);
    child(cast<Let>(node).value);
    return;
  case Kind::Static:
    name(cast<Static>(node).name);
    child(cast<Static>(node).value);
    return;
  case Kind::Tune:
    sink.number(cast<Tune>(node).choices.size());
    for (const Choice &choice : cast<Tune>(node).choices) {
      name(choice.name);
      child(choice.set);
    }
    return;
  case Kind::Grid:
    sink.number(cast<Grid>(node).axes.size());
    for (const Axis &axis : cast<Grid>(node).axes) {
      name(axis.name);
      child(axis.domain);
    }
    return;
  case Kind::Assign:
    child(cast<Assign>(node).place);
    child(cast<Assign>(node).value);
    child(cast<Assign>(node).fill);
    return;
  case Kind::ExprStmt:
    child(cast<ExprStmt>(node).expr);
    return;
  case Kind::For:
    name(cast<For>(node).var);
    option(cast<For>(node).isStatic);
    child(cast<For>(node).domain);
    option(cast<For>(node).isReversed);
    child(cast<For>(node).body);
    return;
  case Kind::While:
    child(cast<While>(node).cond);
    child(cast<While>(node).body);
    return;
  case Kind::Assert:
    option(cast<Assert>(node).isAssume);
    child(cast<Assert>(node).cond);
    child(cast<Assert>(node).message);
    return;
  case Kind::Unsafe:
    child(cast<Unsafe>(node).body);
    return;
  default:
    return;
  }
}

template <typename Sink> void Parts<Sink>::visitKernelPart(const Node &node) {
  switch (node.kind) {
  case Kind::RefLet:
    name(cast<RefLet>(node).name);
    refIndices(cast<RefLet>(node).indices);
    child(cast<RefLet>(node).value);
    return;
  case Kind::RefOutput:
    name(cast<RefOutput>(node).name);
    names(cast<RefOutput>(node).indices);
    child(cast<RefOutput>(node).value);
    return;
  case Kind::RefTuple:
    names(cast<RefTuple>(node).names);
    child(cast<RefTuple>(node).value);
    return;
  case Kind::Where:
    children(cast<Where>(node).conds);
    return;
  case Kind::Math:
    option(cast<Math>(node).mode);
    return;
  case Kind::Reference:
    children(cast<Reference>(node).refs);
    return;
  case Kind::Tolerance:
    option(cast<Tolerance>(node).isExact);
    sink.number(cast<Tolerance>(node).bounds.size());
    for (const Bound &bound : cast<Tolerance>(node).bounds) {
      name(bound.name);
      names(bound.indices);
      child(bound.value);
    }
    return;
  case Kind::TestAxis:
    pattern(cast<TestAxis>(node).pattern);
    child(cast<TestAxis>(node).set);
    return;
  case Kind::TestBind:
    name(cast<TestBind>(node).name);
    child(cast<TestBind>(node).value);
    return;
  case Kind::TestInput:
    name(cast<TestInput>(node).name);
    children(cast<TestInput>(node).generators);
    return;
  case Kind::TestOrder:
    name(cast<TestOrder>(node).name);
    child(cast<TestOrder>(node).set);
    return;
  case Kind::TestCases:
    child(cast<TestCases>(node).count);
    return;
  default:
    return;
  }
}

template <typename Sink> void Parts<Sink>::visitItem(const Node &node) {
  sink.text(cast<Item>(node).doc);
  switch (node.kind) {
  case Kind::Import:
    sink.text(cast<Import>(node).path);
    name(cast<Import>(node).alias);
    return;
  case Kind::Const:
    name(cast<Const>(node).name);
    child(cast<Const>(node).type);
    child(cast<Const>(node).value);
    return;
  case Kind::Enum:
    name(cast<Enum>(node).name);
    names(cast<Enum>(node).cases);
    return;
  case Kind::Struct:
    name(cast<Struct>(node).name);
    generics(cast<Struct>(node).generics);
    sink.number(cast<Struct>(node).fields.size());
    for (const Field &field : cast<Struct>(node).fields) {
      name(field.name);
      child(field.type);
      child(field.value);
    }
    children(cast<Struct>(node).methods);
    return;
  case Kind::Fn:
    name(cast<Fn>(node).name);
    generics(cast<Fn>(node).generics);
    sink.number(cast<Fn>(node).params.size());
    for (const Param &param : cast<Fn>(node).params) {
      option(param.mode);
      option(param.isSelf);
      name(param.name);
      child(param.type);
      child(param.value);
    }
    child(cast<Fn>(node).result);
    child(cast<Fn>(node).body);
    return;
  case Kind::Kernel:
    name(cast<Kernel>(node).name);
    generics(cast<Kernel>(node).generics);
    sink.number(cast<Kernel>(node).params.size());
    for (const KernelParam &param : cast<Kernel>(node).params) {
      name(param.name);
      child(param.type);
      option(param.isOptional);
    }
    children(cast<Kernel>(node).clauses);
    child(cast<Kernel>(node).body);
    return;
  case Kind::Test:
    name(cast<Test>(node).kernel);
    children(cast<Test>(node).entries);
    return;
  case Kind::LayoutDecl:
  case Kind::Instr:
  case Kind::Sync:
    visitDeclaration(node);
    return;
  case Kind::Raw:
    option(cast<Raw>(node).raw);
    sink.text(cast<Raw>(node).text);
    return;
  default:
    return;
  }
}

template <typename Sink> void Parts<Sink>::operands(const std::vector<InstrOperand> &list) {
  sink.number(list.size());
  for (const InstrOperand &operand : list) {
    name(operand.name);
    option(operand.mode);
    option(operand.kind);
    child(operand.shape);
    child(operand.element);
    child(operand.layout);
    option(operand.contiguous);
    child(operand.align);
    child(operand.rows);
    sink.number(operand.families.size());
    for (const LayoutFamily &family : operand.families) {
      name(family.major);
      option(family.all);
      names(family.layouts);
    }
  }
}

template <typename Sink> void Parts<Sink>::effects(const std::vector<InstrEffect> &list) {
  sink.number(list.size());
  for (const InstrEffect &effect : list) {
    option(effect.effect);
    names(effect.operands);
    option(effect.whole);
    name(effect.via);
  }
}

template <typename Sink> void Parts<Sink>::instr(const Instr &item) {
  name(item.name);
  generics(item.generics);
  operands(item.operands);
  name(item.arch);
  name(item.scope);
  option(item.converged);
  children(item.where);
  option(item.hasEffects);
  effects(item.effects);
  name(item.completes);
  name(item.completesOf);
  name(item.order);
  sink.number(item.addresses.size());
  for (const InstrAddress &address : item.addresses) {
    name(address.operand);
    children(address.coords);
  }
  child(item.hook);
  child(item.ptx);
  child(item.body);
}

template <typename Sink> void Parts<Sink>::sync(const Sync &item) {
  name(item.name);
  sink.number(item.params.size());
  for (const SyncParam &param : item.params) {
    name(param.name);
    option(param.kind);
    child(param.type);
  }
  name(item.arch);
  name(item.scope);
  sink.number(item.steps.size());
  for (const SyncStep &step : item.steps) {
    option(step.step);
    name(step.of);
    name(step.to);
    name(step.object);
    child(step.amount);
  }
}

template <typename Sink> void Parts<Sink>::visitDeclaration(const Node &node) {
  if (const auto *layout = llvm::dyn_cast<LayoutDecl>(&node)) {
    name(layout->name);
    sink.number(layout->params.size());
    for (const LayoutParam &param : layout->params) {
      name(param.name);
      child(param.value);
    }
    child(layout->value);
  } else if (const auto *item = llvm::dyn_cast<Instr>(&node)) {
    instr(*item);
  } else {
    sync(cast<Sync>(node));
  }
}

struct ChildSink {
  llvm::function_ref<void(const Node &)> visit;
  void child(const Node *node) {
    if (node) {
      visit(*node);
    }
  }
  void number(uint64_t) {}
  void text(llvm::StringRef) {}
  void digits(llvm::StringRef) {}
};

/// The parts of one node as lists.
struct ListSink {
  std::vector<const Node *> nodes;
  std::vector<uint64_t> numbers;
  std::vector<std::string> texts;
  void child(const Node *node) { nodes.push_back(node); }
  void number(uint64_t value) { numbers.push_back(value); }
  void text(llvm::StringRef value) { texts.push_back(value.str()); }
  void digits(llvm::StringRef value) {
    std::string plain;
    for (char c : value) {
      if (c != '_') {
        plain.push_back(c);
      }
    }
    texts.push_back(plain);
  }
};

} // namespace

void ast::forEachChild(const Node &node, llvm::function_ref<void(const Node &)> visit) {
  ChildSink sink{visit};
  Parts<ChildSink>(sink).visit(node);
}

bool ast::equal(const Node *a, const Node *b) {
  if (!a || !b || a->kind != b->kind) {
    return a == b;
  }
  ListSink left, right;
  Parts<ListSink>(left).visit(*a);
  Parts<ListSink>(right).visit(*b);
  if (left.numbers != right.numbers || left.texts != right.texts ||
      left.nodes.size() != right.nodes.size()) {
    return false;
  }
  for (size_t i = 0; i < left.nodes.size(); ++i) {
    if (!equal(left.nodes[i], right.nodes[i])) {
      return false;
    }
  }
  return true;
}

bool ast::equal(const File &a, const File &b) {
  if (a.items.size() != b.items.size()) {
    return false;
  }
  for (size_t i = 0; i < a.items.size(); ++i) {
    if (!equal(a.items[i].get(), b.items[i].get())) {
      return false;
    }
  }
  return true;
}
