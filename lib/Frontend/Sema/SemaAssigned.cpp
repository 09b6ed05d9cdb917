// Which variables a part of the tree may assign: what a loop has to carry.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Emitter.h"

namespace tessera::sema {

/// The name at the root of a place: `a` of `a.b[i].c`.
static const ast::Name *rootOf(const ast::Expr *place) {
  while (place) {
    if (const auto *name = llvm::dyn_cast<ast::Name>(place)) {
      return name;
    }
    if (const auto *member = llvm::dyn_cast<ast::Member>(place)) {
      place = member->base.get();
    } else if (const auto *index = llvm::dyn_cast<ast::Index>(place)) {
      place = index->base.get();
    } else {
      return nullptr;
    }
  }
  return nullptr;
}

namespace {
class Collector {
public:
  Collector(Emitter &e, Module *(*spaceOf)(Emitter &, const ast::Expr &))
      : e(e), spaceOf(spaceOf) {}

  llvm::StringSet<> names;

  void walk(const ast::Node &node) {
    if (const auto *assignment = llvm::dyn_cast<ast::Assign>(&node)) {
      add(assignment->place.get());
    } else if (const auto *call = llvm::dyn_cast<ast::Call>(&node)) {
      visitCall(*call);
    }
    ast::forEachChild(node, [&](const ast::Node &child) { walk(child); });
  }

private:
  void add(const ast::Expr *place) {
    if (const ast::Name *name = rootOf(place)) {
      names.insert(name->name);
    }
  }

  void visitCall(const ast::Call &call) {
    const Module *owner = nullptr;
    const ast::Item *item = nullptr;
    if (const auto *name = llvm::dyn_cast<ast::Name>(call.callee.get())) {
      item = e.module().find(name->name, owner);
    } else if (const auto *member = llvm::dyn_cast<ast::Member>(call.callee.get())) {
      if (Module *space = spaceOf(e, *member->base)) {
        item = space->find(member->member.name, owner);
      } else if (methodMayAssign(*member)) {
        add(member->base.get());
      }
    }
    if (const auto *fn = llvm::dyn_cast_or_null<ast::Fn>(item)) {
      addInOut(*fn, call);
    }
  }

  void addInOut(const ast::Fn &fn, const ast::Call &call) {
    size_t next = 0;
    for (const ast::Arg &arg : call.args) {
      for (size_t i = 0; i < fn.params.size(); ++i) {
        bool matches = arg.name ? fn.params[i].name.name == arg.name.name : i == next;
        if (matches && fn.params[i].mode == ast::ParamMode::InOut) {
          add(arg.value.get());
        }
      }
      next += arg.name ? 0 : 1;
    }
  }

  /// Only `inout self` of the struct assigns; what is not known here is taken to assign.
  bool methodMayAssign(const ast::Member &member) {
    const ast::Name *root = rootOf(member.base.get());
    Binding *binding = root ? e.lookup(root->name) : nullptr;
    if (!binding || !binding->isVar) {
      return false;
    }
    if (binding->value.kind != Value::Kind::Struct || root != member.base.get()) {
      return true;
    }
    for (const auto &method : binding->value.type.structure->decl->methods) {
      if (method->name.name == member.member.name) {
        return !method->params.empty() && method->params.front().isSelf &&
               method->params.front().mode == ast::ParamMode::InOut;
      }
    }
    return true;
  }

  Emitter &e;
  Module *(*spaceOf)(Emitter &, const ast::Expr &);
};
} // namespace

std::vector<llvm::StringRef> Emitter::assignedVars(llvm::ArrayRef<const ast::Node *> nodes) {
  Collector collector(*this, [](Emitter &e, const ast::Expr &expr) { return e.namespaceOf(expr); });
  for (const ast::Node *node : nodes) {
    collector.walk(*node);
  }
  std::vector<llvm::StringRef> vars;
  for (const auto &scope : frames.back()->scopes) {
    for (const auto &[name, binding] : *scope) {
      if (binding.isVar && collector.names.contains(name)) {
        vars.push_back(name);
      }
    }
  }
  return vars;
}

} // namespace tessera::sema
