// Name resolution of a whole module before any instance exists: every name is declared, once, and hides nothing. This
// is the one check that also sees the branches that no instance takes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Builtins.h"

#include "tessera/Frontend/ASTInstr.h"
#include "tessera/Frontend/Frontend.h"

#include "llvm/ADT/StringExtras.h"

namespace tessera::sema {

namespace {
class Resolver {
public:
  Resolver(const Module &module, DiagnosticEngine &engine) : module(module), engine(engine) {}

  void file(const ast::File &file) {
    for (const auto &item : file.items) {
      scopes.clear();
      push();
      this->item(*item);
    }
  }

private:
  using Names = llvm::StringMap<SourceRange>;

  void push() { scopes.emplace_back(); }
  void pop() { scopes.pop_back(); }

  bool isLocal(llvm::StringRef name) const {
    return llvm::any_of(scopes, [&](const Names &scope) { return scope.count(name) != 0; });
  }
  bool isItem(llvm::StringRef name) const {
    const Module *owner = nullptr;
    return module.find(name, owner) || module.findNamespace(name) ||
           !module.findCases(name).empty();
  }
  static bool isReserved(llvm::StringRef name) { return isReservedName(name); }

  void declare(const ast::Ident &ident) {
    llvm::StringRef name = ident.name;
    if (name.empty() || name == "_") {
      return;
    }
    for (const Names &scope : scopes) {
      auto it = scope.find(name);
      if (it == scope.end()) {
        continue;
      }
      bool same = &scope == &scopes.back();
      engine.report(same ? diag::duplicate_name : diag::shadowed_name, ident.range, name)
          .help("choose another name")
          .note(it->second, "the first declaration");
      return;
    }
    if (!module.isStd && isReserved(name)) {
      engine.report(diag::reserved_name, ident.range, name).help("choose another name");
      return;
    }
    const Module *owner = nullptr;
    const ast::Item *item = module.find(name, owner);
    // A kernel is called by nothing in a program: its name is free inside.
    if (isItem(name) && !llvm::isa_and_nonnull<ast::Kernel>(item)) {
      DiagnosticBuilder d = engine.report(diag::shadowed_name, ident.range, name);
      d.help("choose another name");
      if (item) {
        d.note(itemName(*item)->range, "the first declaration");
      }
      return;
    }
    scopes.back()[name] = ident.range;
  }

  /// Extents and free shape names: the first use declares.
  void declareExtent(const ast::Name &name) {
    const Module *owner = nullptr;
    bool kernel = llvm::isa_and_nonnull<ast::Kernel>(module.find(name.name, owner));
    if (isLocal(name.name) || (isItem(name.name) && !kernel)) {
      return;
    }
    declare(ast::Ident{name.name, name.range});
  }

  void unknown(diag::Id id, llvm::StringRef name, SourceRange range) {
    llvm::SmallVector<llvm::StringRef> known;
    for (const Names &scope : scopes) {
      for (const auto &entry : scope) {
        known.push_back(entry.getKey());
      }
    }
    for (const Module *from : modulesInReach()) {
      for (const auto &entry : from->items) {
        known.push_back(entry.getKey());
      }
      for (const auto &entry : from->cases) {
        known.push_back(entry.getKey());
      }
      for (const auto &entry : from->namespaces) {
        known.push_back(entry.getKey());
      }
    }
    llvm::append_range(known, builtinNames());
    llvm::append_range(known, builtinConstantNames());
    for (DType type : allDTypes) {
      known.push_back(tessera::name(type));
    }
    llvm::sort(known);
    std::string near = nearestName(name, known);
    DiagnosticBuilder d = engine.report(id, range, name);
    if (near.empty()) {
      d.help("declare it, or correct the spelling");
    } else {
      d.help("did you mean `" + near + "`?").fixIt(range, near);
    }
  }

  llvm::SmallVector<const Module *> modulesInReach() const {
    llvm::SmallVector<const Module *> list{&module};
    list.append(module.open.begin(), module.open.end());
    return list;
  }

  //===-- items ----------------------------------------------------------------------------------------------------===//

  void item(const ast::Item &item) {
    switch (item.kind) {
    case ast::Kind::Const: {
      const auto &constant = llvm::cast<ast::Const>(item);
      type(constant.type.get());
      expr(constant.value.get());
      break;
    }
    case ast::Kind::Struct:
      structure(llvm::cast<ast::Struct>(item));
      break;
    case ast::Kind::Fn:
      function(llvm::cast<ast::Fn>(item));
      break;
    case ast::Kind::Kernel:
      kernel(llvm::cast<ast::Kernel>(item));
      break;
    case ast::Kind::LayoutDecl:
      for (const ast::LayoutParam &param : llvm::cast<ast::LayoutDecl>(item).params) {
        expr(param.value.get());
        declare(param.name);
      }
      break;
    case ast::Kind::Instr:
      instr(llvm::cast<ast::Instr>(item));
      break;
    case ast::Kind::Sync:
      sync(llvm::cast<ast::Sync>(item));
      break;
    default:
      break;
    }
    const ast::Ident *name = itemName(item);
    if (name && !module.isStd && isReserved(name->name)) {
      engine.report(diag::reserved_name, name->range, name->name).help("choose another name");
    }
  }

  void generics(const std::vector<ast::GenericParam> &params) {
    for (const ast::GenericParam &param : params) {
      type(param.type.get());
      expr(param.set.get());
      type(param.defaultType.get());
      expr(param.value.get());
      declare(param.name);
    }
  }

  void instr(const ast::Instr &decl) {
    for (const ast::GenericParam &param : decl.generics) {
      expr(param.set.get());
      type(param.defaultType.get());
      declare(param.name);
    }
    for (const ast::InstrOperand &operand : decl.operands) {
      expr(operand.shape.get());
      type(operand.element.get());
      expr(operand.align.get());
      expr(operand.rows.get());
    }
    llvm::for_each(decl.where, [&](const auto &cond) { expr(cond.get()); });
    push();
    scopes.back()["lane"] = decl.name.range;
    for (const ast::InstrAddress &address : decl.addresses) {
      for (const auto &coord : address.coords) {
        expr(coord.get());
      }
    }
    pop();
    for (const ast::InstrOperand &operand : decl.operands) {
      declare(operand.name);
    }
    expr(decl.body.get());
  }

  void sync(const ast::Sync &decl) {
    for (const ast::SyncParam &param : decl.params) {
      type(param.type.get());
      declare(param.name);
    }
    for (const ast::SyncStep &step : decl.steps) {
      expr(step.amount.get());
    }
  }

  void structure(const ast::Struct &decl) {
    generics(decl.generics);
    Names fields;
    for (const ast::Field &field : decl.fields) {
      type(field.type.get());
      expr(field.value.get());
      unique(fields, field.name);
    }
    for (const auto &method : decl.methods) {
      unique(fields, method->name);
      push();
      function(*method);
      pop();
    }
  }

  void unique(Names &names, const ast::Ident &ident) {
    auto [it, fresh] = names.try_emplace(ident.name, ident.range);
    if (!fresh) {
      engine.report(diag::duplicate_name, ident.range, ident.name)
          .help("choose another name")
          .note(it->second, "the first declaration");
    }
  }

  void function(const ast::Fn &fn) {
    generics(fn.generics);
    for (const ast::Param &param : fn.params) {
      freeShapes(param.type.get());
    }
    for (const ast::Param &param : fn.params) {
      type(param.type.get());
      expr(param.value.get());
      if (!param.isSelf) {
        declare(param.name);
      } else {
        scopes.back()["self"] = param.name.range;
      }
    }
    type(fn.result.get());
    if (fn.body) {
      expr(fn.body.get());
    }
  }

  /// Names in the shapes of a parameter's type that nothing declares are bound by the argument.
  void freeShapes(const ast::Type *type) {
    if (!type) {
      return;
    }
    if (const auto *tile = llvm::dyn_cast<ast::TileType>(type)) {
      if (const auto *list = llvm::dyn_cast<ast::List>(tile->shape.get())) {
        for (const auto &element : list->elements) {
          shapeNames(*element);
        }
      }
    } else if (const auto *view = llvm::dyn_cast<ast::ViewType>(type)) {
      shapeNames(*view->shape);
    } else if (const auto *optional = llvm::dyn_cast<ast::OptionalType>(type)) {
      freeShapes(optional->element.get());
    } else if (const auto *tuple = llvm::dyn_cast<ast::TupleType>(type)) {
      for (const auto &part : tuple->elements) {
        freeShapes(part.get());
      }
    }
  }

  void shapeNames(const ast::Node &node) {
    if (const auto *name = llvm::dyn_cast<ast::Name>(&node)) {
      if (!isReserved(name->name)) {
        declareExtent(*name);
      } else if (!module.isStd) {
        engine.report(diag::reserved_name, name->range, name->name).help("choose another name");
      }
      return;
    }
    if (const auto *call = llvm::dyn_cast<ast::Call>(&node)) {
      for (const ast::Arg &arg : call->args) {
        shapeNames(*arg.value);
      }
      return;
    }
    ast::forEachChild(node, [&](const ast::Node &child) { shapeNames(child); });
  }

  void kernel(const ast::Kernel &kernel) {
    generics(kernel.generics);
    for (const ast::KernelParam &param : kernel.params) {
      declare(param.name);
    }
    for (const ast::KernelParam &param : kernel.params) {
      freeShapes(param.type.get());
    }
    for (const ast::KernelParam &param : kernel.params) {
      type(param.type.get());
    }
    for (const auto &clause : kernel.clauses) {
      if (const auto *where = llvm::dyn_cast<ast::Where>(clause.get())) {
        for (const auto &cond : where->conds) {
          expr(cond.get());
        }
      }
    }
    push();
    if (const auto *reference = kernel.find<ast::Reference>()) {
      for (const auto &ref : reference->refs) {
        this->reference(*ref);
      }
    }
    if (const auto *tolerance = kernel.find<ast::Tolerance>()) {
      for (const ast::Bound &bound : tolerance->bounds) {
        use(bound.name);
        push();
        for (const ast::Ident &index : bound.indices) {
          declare(index);
        }
        expr(bound.value.get());
        pop();
      }
    }
    pop();
    if (kernel.body) {
      expr(kernel.body.get());
    }
  }

  void use(const ast::Ident &ident) {
    if (!isLocal(ident.name) && !isItem(ident.name)) {
      unknown(diag::unknown_name, ident.name, ident.range);
    }
  }

  void reference(const ast::Ref &ref) {
    if (const auto *let = llvm::dyn_cast<ast::RefLet>(&ref)) {
      declare(let->name);
      for (const ast::RefIndex &index : let->indices) {
        expr(index.bounds.get());
      }
      push();
      for (const ast::RefIndex &index : let->indices) {
        declare(index.name);
      }
      expr(let->value.get());
      pop();
    } else if (const auto *output = llvm::dyn_cast<ast::RefOutput>(&ref)) {
      use(output->name);
      push();
      for (const ast::Ident &index : output->indices) {
        declare(index);
      }
      expr(output->value.get());
      pop();
    } else if (const auto *tuple = llvm::dyn_cast<ast::RefTuple>(&ref)) {
      for (const ast::Ident &name : tuple->names) {
        use(name);
      }
      expr(tuple->value.get());
    }
  }

  //===-- types ----------------------------------------------------------------------------------------------------===//

  void type(const ast::Type *type) {
    if (!type) {
      return;
    }
    if (const auto *named = llvm::dyn_cast<ast::NamedType>(type)) {
      if (!isLocal(named->name) && !isItem(named->name) && !parseDType(named->name)) {
        unknown(diag::unknown_type, named->name, named->range);
      }
      for (const ast::TypeArg &arg : named->args) {
        this->type(arg.type.get());
        expr(arg.expr.get());
      }
    } else if (const auto *tile = llvm::dyn_cast<ast::TileType>(type)) {
      expr(tile->shape.get());
      this->type(tile->element.get());
    } else if (const auto *view = llvm::dyn_cast<ast::ViewType>(type)) {
      expr(view->shape.get());
      this->type(view->element.get());
    } else if (const auto *tuple = llvm::dyn_cast<ast::TupleType>(type)) {
      for (const auto &part : tuple->elements) {
        this->type(part.get());
      }
    } else if (const auto *optional = llvm::dyn_cast<ast::OptionalType>(type)) {
      this->type(optional->element.get());
    }
  }

  //===-- expressions ----------------------------------------------------------------------------------------------===//

  void name(const ast::Name &name) {
    if (!isLocal(name.name) && !isItem(name.name) && !isReserved(name.name)) {
      unknown(diag::unknown_name, name.name, name.range);
    } else if (name.name == "self" && !isLocal("self")) {
      engine.report(diag::self_outside, name.range)
          .help("only methods with a parameter `self` have it");
    }
  }

  /// The namespace that `expr` names, if it names one.
  const Module *spaceOf(const ast::Expr &expr) {
    if (const auto *name = llvm::dyn_cast<ast::Name>(&expr)) {
      return isLocal(name->name) ? nullptr : module.findNamespace(name->name);
    }
    if (const auto *member = llvm::dyn_cast<ast::Member>(&expr)) {
      const Module *outer = spaceOf(*member->base);
      return outer ? outer->findNamespace(member->member.name) : nullptr;
    }
    return nullptr;
  }

  void member(const ast::Member &member) {
    const Module *space = spaceOf(*member.base);
    if (!space) {
      return expr(member.base.get());
    }
    const Module *owner = nullptr;
    if (space->find(member.member.name, owner) || space->findNamespace(member.member.name)) {
      return;
    }
    llvm::SmallVector<llvm::StringRef> known;
    for (const auto &entry : space->items) {
      known.push_back(entry.getKey());
    }
    for (const Module *open : space->open) {
      for (const auto &entry : open->items) {
        known.push_back(entry.getKey());
      }
    }
    llvm::sort(known);
    std::string near = nearestName(member.member.name, known);
    DiagnosticBuilder d = engine.report(diag::unknown_member, member.member.range,
                                        "`" + space->name + "`", member.member.name);
    if (near.empty()) {
      d.help("correct the spelling");
    } else {
      d.help("did you mean `" + near + "`?").fixIt(member.member.range, near);
    }
  }

  void call(const ast::Call &call) {
    expr(call.callee.get());
    const auto *name = llvm::dyn_cast<ast::Name>(call.callee.get());
    const Module *owner = nullptr;
    bool userFn = name ? module.find(name->name, owner) != nullptr : false;
    for (const ast::Arg &arg : call.args) {
      bool word =
          !userFn && arg.name && isWordArgument(arg.name.name) && llvm::isa<ast::Name>(*arg.value);
      if (!word) {
        expr(arg.value.get());
      }
    }
  }

  void expr(const ast::Expr *expr) {
    if (!expr) {
      return;
    }
    switch (expr->kind) {
    case ast::Kind::Name:
      return name(llvm::cast<ast::Name>(*expr));
    case ast::Kind::Member:
      return member(llvm::cast<ast::Member>(*expr));
    case ast::Kind::Call:
      return call(llvm::cast<ast::Call>(*expr));
    case ast::Kind::Cast: {
      const auto &cast = llvm::cast<ast::Cast>(*expr);
      this->expr(cast.operand.get());
      if (!parseDType(cast.type.name) && !isLocal(cast.type.name)) {
        unknown(diag::unknown_type, cast.type.name, cast.type.range);
      }
      return;
    }
    case ast::Kind::Block:
      return block(llvm::cast<ast::Block>(*expr));
    case ast::Kind::Fold: {
      const auto &fold = llvm::cast<ast::Fold>(*expr);
      this->expr(fold.bounds.get());
      push();
      declare(fold.var);
      this->expr(fold.body.get());
      return pop();
    }
    case ast::Kind::Edges:
      return;
    case ast::Kind::Match:
      this->expr(llvm::cast<ast::Match>(expr)->scrutinee.get());
      for (const ast::MatchArm &arm : llvm::cast<ast::Match>(expr)->arms) {
        if (module.findCases(arm.name.name).empty()) {
          unknown(diag::unknown_name, arm.name.name, arm.name.range);
        }
        this->expr(arm.value.get());
      }
      return;
    default:
      ast::forEachChild(*expr, [&](const ast::Node &child) {
        if (const auto *inner = llvm::dyn_cast<ast::Expr>(&child)) {
          this->expr(inner);
        }
      });
    }
  }

  void block(const ast::Block &block) {
    push();
    for (const auto &stmt : block.stmts) {
      this->stmt(*stmt);
    }
    expr(block.value.get());
    pop();
  }

  void stmt(const ast::Stmt &stmt) {
    switch (stmt.kind) {
    case ast::Kind::Let: {
      const auto &let = llvm::cast<ast::Let>(stmt);
      type(let.type.get());
      for (const ast::RefIndex &index : let.indices) {
        expr(index.bounds.get());
      }
      if (!let.indices.empty()) {
        // An array in index notation may read itself.
        for (const ast::Ident &name : let.pattern.names) {
          declare(name);
        }
        push();
        for (const ast::RefIndex &index : let.indices) {
          declare(index.name);
        }
        expr(let.value.get());
        return pop();
      }
      expr(let.value.get());
      for (const ast::Ident &name : let.pattern.names) {
        declare(name);
      }
      return;
    }
    case ast::Kind::Static:
      expr(llvm::cast<ast::Static>(stmt).value.get());
      return declare(llvm::cast<ast::Static>(stmt).name);
    case ast::Kind::Tune:
      for (const ast::Choice &choice : llvm::cast<ast::Tune>(stmt).choices) {
        expr(choice.set.get());
        declare(choice.name);
      }
      return;
    case ast::Kind::Grid:
      for (const ast::Axis &axis : llvm::cast<ast::Grid>(stmt).axes) {
        expr(axis.domain.get());
      }
      for (const ast::Axis &axis : llvm::cast<ast::Grid>(stmt).axes) {
        declare(axis.name);
      }
      return;
    case ast::Kind::For: {
      const auto &loop = llvm::cast<ast::For>(stmt);
      expr(loop.domain.get());
      push();
      declare(loop.var);
      expr(loop.body.get());
      return pop();
    }
    default:
      ast::forEachChild(stmt, [&](const ast::Node &child) {
        if (const auto *inner = llvm::dyn_cast<ast::Expr>(&child)) {
          expr(inner);
        }
      });
    }
  }

  const Module &module;
  DiagnosticEngine &engine;
  std::vector<Names> scopes;
};
} // namespace

void resolveNames(const Module &module, DiagnosticEngine &engine) {
  Resolver resolver(module, engine);
  for (const auto &file : module.files) {
    resolver.file(*file);
  }
}

} // namespace tessera::sema
