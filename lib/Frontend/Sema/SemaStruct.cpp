// Structs: making one, its fields, members of builtin values.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Builtins.h"
#include "Emitter.h"

namespace tessera::sema {

Type Emitter::finishStruct(std::shared_ptr<StructInstance> structure, SourceRange range) {
  if (llvm::is_contained(openStructs, structure->decl)) {
    error(diag::struct_recursion, range, "store an index instead", structure->decl->name.name)
        .note(structure->decl->name.range, "declared here");
    return Type::error();
  }
  openStructs.push_back(structure->decl);
  frames.push_back(
      std::make_unique<Frame>(Frame{structure->module, nullptr, loc(range), range, {}, {}}));
  pushScope();
  for (const auto &[name, value] : structure->generics) {
    declare(name, SourceRange(), value);
  }
  bool ok = true;
  structure->fields.clear();
  for (const ast::Field &field : structure->decl->fields) {
    Type type = resolveType(*field.type);
    ok &= !type.isError();
    structure->fields.emplace_back(field.name.name, std::move(type));
  }
  frames.pop_back();
  openStructs.pop_back();
  Type type;
  type.kind = ok ? Type::Kind::Struct : Type::Kind::Error;
  for (const auto &field : structure->fields) {
    type.parts.push_back(field.second);
  }
  type.structure = std::move(structure);
  return type;
}

namespace {
struct StructArgs {
  std::vector<std::optional<Value>> fields;
  std::vector<SourceRange> ranges;
  std::vector<std::pair<const ast::GenericParam *, Value>> generics;
};
} // namespace

static bool matchFields(Emitter &e, const ast::Struct &decl, const ast::Call &call,
                        StructArgs &args) {
  args.fields.resize(decl.fields.size());
  args.ranges.assign(decl.fields.size(), call.range);
  size_t next = 0;
  llvm::SmallVector<llvm::StringRef> known;
  for (const ast::Field &field : decl.fields) {
    known.push_back(field.name.name);
  }
  for (const ast::GenericParam &generic : decl.generics) {
    known.push_back(generic.name.name);
  }
  for (const ast::Arg &arg : call.args) {
    size_t at = decl.fields.size();
    if (arg.name) {
      for (const ast::GenericParam &generic : decl.generics) {
        if (generic.name.name == arg.name.name) {
          args.generics.emplace_back(&generic, e.constEval(*arg.value, "a generic argument"));
        }
      }
      if (!args.generics.empty() && args.generics.back().first->name.name == arg.name.name) {
        if (args.generics.back().second.isError()) {
          return false;
        }
        continue;
      }
      for (size_t i = 0; i < decl.fields.size(); ++i) {
        at = decl.fields[i].name.name == arg.name.name ? i : at;
      }
      if (at == decl.fields.size()) {
        std::string near = nearestName(arg.name.name, known);
        e.error(diag::unknown_argument, arg.name.range,
                near.empty() ? "its fields are `" + llvm::join(known, "`, `") + "`"
                             : "did you mean `" + near + "`?",
                decl.name.name, arg.name.name)
            .note(decl.name.range, "declared here");
        return false;
      }
    } else {
      at = next++;
    }
    if (at >= decl.fields.size()) {
      e.error(diag::too_many_arguments, arg.value->range, "generic parameters are given by name",
              decl.name.name, decl.fields.size(), call.args.size())
          .note(decl.name.range, "declared here");
      return false;
    }
    if (args.fields[at]) {
      e.error(diag::argument_twice, arg.value->range, "give it once", decl.fields[at].name.name);
      return false;
    }
    args.fields[at] = e.emitExpr(*arg.value);
    args.ranges[at] = arg.value->range;
    if (args.fields[at]->isError()) {
      return false;
    }
  }
  return true;
}

/// Fixes the generics: given, default, or bound by the given fields. In the struct's own frame.
static bool fixGenerics(Emitter &e, const ast::Struct &decl, const ast::Call &call,
                        StructArgs &args, llvm::StringMap<const ast::GenericParam *> &unbound) {
  for (const ast::GenericParam &generic : decl.generics) {
    unbound[generic.name.name] = &generic;
  }
  for (auto &[generic, value] : args.generics) {
    unbound.erase(generic->name.name);
    if (generic->kind == ast::GenericKind::Const && generic->type) {
      value = e.coerce(std::move(value), e.resolveType(*generic->type), call.range,
                       "the generic argument `" + generic->name.name + "`");
    }
    if (value.isError()) {
      return false;
    }
    e.declare(generic->name.name, generic->name.range, value);
  }
  for (size_t i = 0; i < decl.fields.size(); ++i) {
    if (args.fields[i] && !e.bindType(*decl.fields[i].type, *args.fields[i], args.ranges[i],
                                      "the field `" + decl.fields[i].name.name + "`")) {
      return false;
    }
  }
  for (const ast::GenericParam &generic : decl.generics) {
    if (!unbound.count(generic.name.name)) {
      continue;
    }
    Value value;
    if (generic.value) {
      value = e.settle(e.constEval(*generic.value, "a default"), generic.range);
    } else if (generic.defaultType) {
      std::optional<DType> type = e.resolveDType(*generic.defaultType);
      value = type ? Value::dtype(*type) : Value::error();
    } else {
      e.error(diag::generic_unbound, call.range,
              "give it by name: `" + decl.name.name + "(" + generic.name.name + " = …)`",
              generic.name.name)
          .note(generic.range, "declared here");
    }
    if (value.isError()) {
      return false;
    }
    unbound.erase(generic.name.name);
    e.declare(generic.name.name, generic.name.range, std::move(value));
  }
  return true;
}

Value Emitter::construct(const Module &owner, const ast::Struct &decl, const ast::Call &call) {
  StructArgs args;
  if (!matchFields(*this, decl, call, args)) {
    return Value::error();
  }
  auto structure = std::make_shared<StructInstance>();
  structure->module = &owner;
  structure->decl = &decl;
  frames.push_back(
      std::make_unique<Frame>(Frame{&owner, nullptr, loc(call.range), call.range, {}, {}}));
  pushScope();
  Value result;
  bool ok = fixGenerics(*this, decl, call, args, frames.back()->unbound);
  if (ok) {
    for (const ast::GenericParam &generic : decl.generics) {
      Binding *binding = lookup(generic.name.name);
      structure->generics.emplace_back(generic.name.name,
                                       binding ? binding->value : Value::error());
    }
    Type type = finishStruct(structure, call.range);
    ok = !type.isError();
    result.kind = Value::Kind::Struct;
    result.type = type;
    for (size_t i = 0; ok && i < decl.fields.size(); ++i) {
      const ast::Field &field = decl.fields[i];
      if (!args.fields[i] && !field.value) {
        error(diag::field_missing, call.range, "write `" + field.name.name + " = …`",
              decl.name.name, field.name.name)
            .note(field.range, "it has no default");
        ok = false;
        break;
      }
      Value value = args.fields[i] ? *args.fields[i] : emitExpr(*field.value);
      value = coerce(std::move(value), type.parts[i],
                     args.fields[i] ? args.ranges[i] : field.value->range,
                     "the field `" + field.name.name + "`");
      ok = !value.isError();
      result.parts.push_back(std::move(value));
    }
  }
  frames.pop_back();
  return ok ? result : Value::error();
}

//===-- members ----------------------------------------------------------------------------------------------------===//

static Value spanMember(Emitter &e, const Value &span, llvm::StringRef name, SourceRange range) {
  if (name == "width") {
    return Value::i64(span.width);
  }
  if (name == "start" && span.start >= 0) {
    return Value::i64(span.start);
  }
  if (name == "start" || name == "stop") {
    return e.opValue(name == "start" ? "span_start" : "span_stop", span.ssa, DType::i64, {}, range);
  }
  if (name == "index") {
    return e.opValue("span_index", span.ssa, DType::i64, {{span.width, false}}, range);
  }
  return Value::error();
}

static Value structField(Emitter &e, const Value &base, const ast::Member &expr) {
  const StructInstance &structure = *base.type.structure;
  llvm::SmallVector<llvm::StringRef> known;
  for (size_t i = 0; i < structure.fields.size(); ++i) {
    if (structure.fields[i].first == expr.member.name && i < base.parts.size()) {
      return base.parts[i];
    }
    known.push_back(structure.fields[i].first);
  }
  for (const auto &[name, value] : structure.generics) {
    if (name == expr.member.name) {
      return value;
    }
  }
  std::string near = nearestName(expr.member.name, known);
  e.error(diag::unknown_member, expr.member.range,
          near.empty() ? "its fields are `" + llvm::join(known, "`, `") + "`"
                       : "did you mean `" + near + "`?",
          base.describe(), expr.member.name)
      .note(structure.decl->name.range, "declared here");
  return Value::error();
}

Value Emitter::emitField(const Value &base, const ast::Member &expr) {
  llvm::StringRef name = expr.member.name;
  if (base.kind == Value::Kind::Struct) {
    return structField(*this, base, expr);
  }
  std::string help = "correct the spelling";
  if (base.kind == Value::Kind::Span) {
    Value member = spanMember(*this, base, name, expr.range);
    if (!member.isError()) {
      return member;
    }
    help = "a span has `.start`, `.stop`, `.index` and `.width`";
  }
  if (name == "T" && (base.kind == Value::Kind::Runtime || base.kind == Value::Kind::View)) {
    size_t rank = base.kind == Value::Kind::View ? base.type.rank : base.shape().size();
    if (rank == 2) {
      return base.kind == Value::Kind::View ? permuteView(base, {1, 0}, expr.range)
                                            : permuteTile(base, {1, 0}, expr.range);
    }
    error(diag::transpose_rank, expr.range, "for other ranks write `.permute([…])`", rank);
    return Value::error();
  }
  if (findMethod(name)) {
    help = ("it is a method: call it, `." + name + "(…)`").str();
  }
  error(diag::unknown_member, expr.member.range, help, base.describe(), name);
  return Value::error();
}

} // namespace tessera::sema
