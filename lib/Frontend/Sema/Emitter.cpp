// Frames, names and locations of the walk.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Emitter.h"

#include "mlir/IR/Location.h"

namespace tessera::sema {

Emitter::Emitter(Instance &instance, mlir::Block *block)
    : instance(instance), builder(&instance.context) {
  builder.setInsertionPointToEnd(block);
  auto frame = std::make_unique<Frame>(Frame{
      &instance.module, nullptr, mlir::UnknownLoc::get(&instance.context), SourceRange(), {}, {}});
  frame->scopes.push_back(std::make_unique<Scope>());
  frames.push_back(std::move(frame));
  for (const auto &[name, value] : instance.parameters) {
    declare(name, SourceRange(), value);
  }
  for (const auto &fixed : instance.fixedExtents) {
    declare(fixed.getKey(), SourceRange(), Value::i64(fixed.getValue()));
  }
}

Emitter::~Emitter() = default;

void Emitter::declareArguments(mlir::Block &block) {
  for (auto [i, name] : llvm::enumerate(instance.extents)) {
    Value extent = Value::runtime(block.getArgument(i), DType::i64);
    extent.symbolic = mlir::getAffineSymbolExpr(i, &instance.context);
    declare(name, instance.extentRanges.lookup(name), std::move(extent));
  }
  for (auto [i, argument] : llvm::enumerate(instance.arguments)) {
    const ast::KernelParam &decl = *argument.decl;
    Value value;
    if (argument.isMissing) {
      value = Value::missing(argument.type);
      value.extents = argument.extents;
      value.argument = i;
    } else if (argument.type.kind == Type::Kind::View) {
      value.kind = Value::Kind::View;
      value.type = argument.type;
      value.ssa = block.getArgument(argument.position);
      value.extents = argument.extents;
      value.argument = i;
    } else if (argument.position >= 0) {
      value = Value::runtime(block.getArgument(argument.position), argument.type.element);
    }
    declare(decl.name.name, decl.name.range, std::move(value));
  }
}

void Emitter::pushScope() { frames.back()->scopes.push_back(std::make_unique<Scope>()); }

void Emitter::popScope() { frames.back()->scopes.pop_back(); }

void Emitter::enterModule(const Module &owner) {
  frames.push_back(std::make_unique<Frame>(
      Frame{&owner, nullptr, mlir::UnknownLoc::get(&instance.context), SourceRange(), {}, {}}));
  pushScope();
}

void Emitter::leaveModule() { frames.pop_back(); }

Binding &Emitter::declare(llvm::StringRef name, SourceRange range, Value value, bool isVar) {
  Binding &binding = (*frames.back()->scopes.back())[name];
  binding.type = typeOf(value);
  binding.value = std::move(value);
  binding.decl = range;
  binding.isVar = isVar;
  return binding;
}

Binding *Emitter::lookup(llvm::StringRef name) {
  for (auto &scope : llvm::reverse(frames.back()->scopes)) {
    auto it = scope->find(name);
    if (it != scope->end()) {
      return &it->second;
    }
  }
  return nullptr;
}

mlir::Location Emitter::loc(SourceRange range) const {
  mlir::MLIRContext *context = &instance.context;
  if (!range.isValid()) {
    return frames.back()->caller;
  }
  const SourceManager &sources = instance.engine.getSources();
  LineColumn begin = sources.lineColumn(range.file, range.begin);
  LineColumn end = sources.lineColumn(range.file, range.end);
  mlir::Location here =
      mlir::FileLineColRange::get(mlir::StringAttr::get(context, sources.name(range.file)),
                                  begin.line, begin.column, end.line, end.column);
  return frames.size() == 1 ? here
                            : mlir::Location(mlir::CallSiteLoc::get(here, frames.back()->caller));
}

void Emitter::nameValue(const Value &value, llvm::StringRef name, SourceRange range) {
  if (!value.ssa || value.kind == Value::Kind::View) {
    return;
  }
  mlir::Operation *op = value.ssa.getDefiningOp();
  if (op && !llvm::isa<mlir::NameLoc>(op->getLoc()) &&
      op->getBlock() == builder.getInsertionBlock()) {
    op->setLoc(mlir::NameLoc::get(mlir::StringAttr::get(&instance.context, name), op->getLoc()));
  }
}

bool Emitter::warnedBefore(diag::Id id, SourceRange range) const {
  return llvm::any_of(instance.engine.diagnostics(), [&](const Diagnostic &d) {
    return d.id == id && d.range.file == range.file && d.range.begin == range.begin;
  });
}

void Emitter::noteCalls(DiagnosticBuilder &diagnostic) {
  size_t shown = 0;
  for (size_t i = frames.size(); i-- > 1;) {
    if (!frames[i]->fn || !frames[i]->call.isValid()) {
      continue;
    }
    if (++shown > 8) {
      diagnostic.note("and " + std::to_string(i) + " more calls");
      break;
    }
    diagnostic.note(frames[i]->call, "in this call of `" + frames[i]->fn->name.name + "`");
  }
}

} // namespace tessera::sema
