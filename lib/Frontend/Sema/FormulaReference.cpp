// `reference`: one array for each `let` and output, in order.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FormulaEmitter.h"

namespace tessera::sema {

namespace {

class ReferenceWalk {
public:
  ReferenceWalk(Instance &instance, mlir::Block &block, ReferenceArrays &arrays)
      : instance(instance), emitter(instance, &block), arrays(arrays) {
    emitter.declareArguments(block);
    emitter.pushScope();
  }

  bool run(const ast::Reference &clause);

private:
  void let(const ast::RefLet &ref);
  void output(const ast::RefOutput &ref);
  void tuple(const ast::RefTuple &ref);
  Value elementwiseOutput(const ast::RefOutput &ref, const Argument &argument, const Value &view);
  /// The argument that `name` defines; null with an error reported, or where the instance is without it.
  const Argument *findOutput(const ast::Ident &name);
  void define(const ast::Ident &name, Value array);
  void wholeArray(const ast::Ident &name, const Argument &argument, Value value, SourceRange range);
  bool checkComplete(const ast::Reference &clause);

  Instance &instance;
  FormulaEmitter emitter;
  ReferenceArrays &arrays;
  llvm::SmallVector<mlir::Value> values;
  llvm::StringMap<SourceRange> defined;
};

} // namespace

const Argument *ReferenceWalk::findOutput(const ast::Ident &name) {
  for (const Argument &argument : instance.arguments) {
    if (argument.decl->name.name != name.name) {
      continue;
    }
    if (argument.type.kind == Type::Kind::View && argument.mode != ast::ViewMode::In &&
        argument.mode != ast::ViewMode::Unspecified) {
      return argument.isMissing ? nullptr : &argument;
    }
    break;
  }
  emitter.error(diag::reference_not_output, name.range,
                "define outputs (`out`, `inout`), or write `let` for a helper", name.name);
  return nullptr;
}

void ReferenceWalk::define(const ast::Ident &name, Value array) {
  auto [it, isNew] = defined.try_emplace(name.name, name.range);
  if (!isNew) {
    emitter.error(diag::reference_twice, name.range, "give the second one another name", name.name)
        .note(it->second, "defined here");
    return;
  }
  if (array.kind == Value::Kind::Array) {
    arrays.names.push_back(name.name);
    arrays.types.push_back(array.type);
    values.push_back(array.ssa);
  }
  emitter.declare(name.name, name.range, std::move(array));
}

void ReferenceWalk::let(const ast::RefLet &ref) {
  define(ref.name, emitter.emitArray(ref.name, ref.indices, *ref.value, ref.range));
}

Value ReferenceWalk::elementwiseOutput(const ast::RefOutput &ref, const Argument &argument,
                                       const Value &view) {
  if (ref.indices.size() != argument.type.rank) {
    emitter.error(diag::reference_rank, ref.range, "write one index for each axis", ref.name.name,
                  argument.type.rank, ref.indices.size());
    return Value::error();
  }
  llvm::SmallVector<FormulaEmitter::ArrayAxis> axes;
  for (auto [axis, index] : llvm::enumerate(ref.indices)) {
    Value extent = emitter.extentOf(view, axis, index.range);
    axes.push_back({index, emitter.materialize(Value::i64(0), index.range),
                    emitter.materialize(extent, index.range)});
  }
  // What an `inout` argument reads of itself is what was there before the launch.
  bool readsItself = argument.mode != ast::ViewMode::InOut;
  return emitter.emitMap(readsItself ? llvm::StringRef(ref.name.name) : llvm::StringRef(), axes,
                         *ref.value, ref.range);
}

void ReferenceWalk::wholeArray(const ast::Ident &name, const Argument &argument, Value value,
                               SourceRange range) {
  if (value.isError()) {
    return define(name, std::move(value));
  }
  if (value.kind != Value::Kind::Array || value.type.rank != argument.type.rank) {
    emitter.error(diag::reference_not_array, range,
                  "write the formula of an element: `" + name.name + "[i, …] = …`", name.name,
                  argument.type.rank, value.describe());
    value = Value::error();
  }
  define(name, std::move(value));
}

void ReferenceWalk::output(const ast::RefOutput &ref) {
  const Argument *argument = findOutput(ref.name);
  if (!argument) {
    return;
  }
  Binding *binding = emitter.lookup(ref.name.name);
  if (!binding || binding->value.kind != Value::Kind::View) {
    return define(ref.name, Value::error()); // a second definition: reported there
  }
  Value view = binding->value;
  if (ref.indices.empty()) {
    return wholeArray(ref.name, *argument, emitter.emitExpr(*ref.value), ref.value->range);
  }
  define(ref.name, elementwiseOutput(ref, *argument, view));
}

void ReferenceWalk::tuple(const ast::RefTuple &ref) {
  Value value = emitter.emitExpr(*ref.value);
  if (!value.isError() &&
      (value.kind != Value::Kind::Tuple || value.parts.size() != ref.names.size())) {
    emitter.error(diag::reference_tuple, ref.range, "write as many outputs as the value has parts",
                  ref.names.size(), value.describe());
    value = Value::error();
  }
  for (auto [i, name] : llvm::enumerate(ref.names)) {
    if (const Argument *argument = findOutput(name)) {
      wholeArray(name, *argument, value.isError() ? value : value.parts[i], ref.value->range);
    }
  }
}

bool ReferenceWalk::checkComplete(const ast::Reference &clause) {
  bool complete = true;
  for (const Argument &argument : instance.arguments) {
    bool writable = argument.mode == ast::ViewMode::Out || argument.mode == ast::ViewMode::InOut;
    if (argument.type.kind != Type::Kind::View || !writable || argument.isMissing ||
        defined.count(argument.decl->name.name)) {
      continue;
    }
    complete = false;
    emitter
        .error(diag::reference_missing_output, clause.range,
               "write `" + argument.decl->name.name + "[…] = …` in it", argument.decl->name.name)
        .note(argument.decl->range, "declared here");
  }
  return complete;
}

bool ReferenceWalk::run(const ast::Reference &clause) {
  unsigned before = instance.engine.errorCount();
  for (const std::unique_ptr<ast::Ref> &ref : clause.refs) {
    if (const auto *asLet = llvm::dyn_cast<ast::RefLet>(ref.get())) {
      let(*asLet);
    } else if (const auto *asOutput = llvm::dyn_cast<ast::RefOutput>(ref.get())) {
      output(*asOutput);
    } else if (const auto *asTuple = llvm::dyn_cast<ast::RefTuple>(ref.get())) {
      tuple(*asTuple);
    }
  }
  checkComplete(clause);
  mlir::OperationState yield(emitter.loc(clause.range), "tile.yield");
  yield.addOperands(values);
  emitter.builder.create(yield);
  return instance.engine.errorCount() == before;
}

bool emitReference(Instance &instance, const ast::Reference &clause, mlir::Block &block,
                   ReferenceArrays &arrays) {
  return ReferenceWalk(instance, block, arrays).run(clause);
}

} // namespace tessera::sema
