// `tolerance`: one array of bounds, in f64, for each output that is named.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FormulaEmitter.h"

namespace tessera::sema {

static const Argument *findArgument(const Instance &instance, llvm::StringRef name) {
  for (const Argument &argument : instance.arguments) {
    if (argument.decl->name.name == name) {
      return &argument;
    }
  }
  return nullptr;
}

/// The arrays of the reference, as names over the kernel's arguments.
static void declareArrays(FormulaEmitter &emitter, const ReferenceArrays &arrays,
                          mlir::Block &block) {
  size_t first = block.getNumArguments() - arrays.names.size();
  emitter.pushScope();
  for (auto [i, name] : llvm::enumerate(arrays.names)) {
    Value array;
    array.kind = Value::Kind::Array;
    array.type = arrays.types[i];
    array.ssa = block.getArgument(first + i);
    emitter.declare(name, SourceRange(), std::move(array));
  }
}

/// The bound as an array; Error with errors reported.
static Value emitBound(FormulaEmitter &emitter, const ast::Bound &bound, const Argument &argument,
                       const Value &view) {
  if (!bound.indices.empty() && bound.indices.size() != argument.type.rank) {
    emitter.error(diag::reference_rank, bound.name.range, "write one index for each axis, or none",
                  bound.name.name, argument.type.rank, bound.indices.size());
    return Value::error();
  }
  llvm::SmallVector<FormulaEmitter::ArrayAxis> axes;
  for (unsigned axis = 0; axis < argument.type.rank; ++axis) {
    ast::Ident index = bound.indices.empty() ? ast::Ident() : bound.indices[axis];
    SourceRange range = bound.value->range;
    Value extent = emitter.extentOf(view, axis, range);
    axes.push_back(
        {index, emitter.materialize(Value::i64(0), range), emitter.materialize(extent, range)});
  }
  Value array = emitter.emitMap("", axes, *bound.value, bound.value->range, DType::f64);
  if (!array.isError() && array.element() != DType::f64) {
    emitter.error(diag::tolerance_type, bound.value->range, "convert it: `… as f64`",
                  bound.name.name, name(array.element()));
    return Value::error();
  }
  return array;
}

bool emitTolerance(Instance &instance, const ast::Tolerance &clause, const ReferenceArrays &arrays,
                   mlir::Block &block, std::vector<std::string> &names) {
  unsigned before = instance.engine.errorCount();
  FormulaEmitter emitter(instance, &block);
  emitter.declareArguments(block);
  llvm::StringMap<Value> views;
  for (const Argument &argument : instance.arguments) {
    if (Binding *binding = emitter.lookup(argument.decl->name.name)) {
      views[argument.decl->name.name] = binding->value;
    }
  }
  declareArrays(emitter, arrays, block);
  llvm::SmallVector<mlir::Value> bounds;
  for (const ast::Bound &bound : clause.bounds) {
    const Argument *argument = findArgument(instance, bound.name.name);
    bool isArray = llvm::is_contained(arrays.names, bound.name.name);
    if (argument && argument->isMissing) {
      continue;
    }
    if (!argument || argument->type.kind != Type::Kind::View || !isArray) {
      emitter.error(diag::tolerance_unknown, bound.name.range,
                    "bound outputs that the reference defines", bound.name.name);
      continue;
    }
    if (llvm::is_contained(names, bound.name.name)) {
      emitter.error(diag::tolerance_twice, bound.name.range, "keep one of them", bound.name.name);
      continue;
    }
    Value array = emitBound(emitter, bound, *argument, views[bound.name.name]);
    if (!array.isError()) {
      names.push_back(bound.name.name);
      bounds.push_back(array.ssa);
    }
  }
  mlir::OperationState yield(emitter.loc(clause.range), "tile.yield");
  yield.addOperands(bounds);
  emitter.builder.create(yield);
  return instance.engine.errorCount() == before;
}

} // namespace tessera::sema
