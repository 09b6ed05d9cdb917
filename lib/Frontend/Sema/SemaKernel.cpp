// One instance as a `tile.kernel`: its attributes and its four regions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SemaKernel.h"

#include "FormulaEmitter.h"

#include "tessera/Dialect/Tile/TileOps.h"

namespace tessera::sema {

static tile::AccessMode accessMode(ast::ViewMode mode) {
  return mode == ast::ViewMode::Out     ? tile::AccessMode::out
         : mode == ast::ViewMode::InOut ? tile::AccessMode::inout
                                        : tile::AccessMode::in;
}

static mlir::Type argumentType(const Emitter &e, const Argument &argument) {
  if (argument.type.kind != Type::Kind::View) {
    return e.irType(argument.type.element);
  }
  llvm::SmallVector<int64_t> shape;
  for (mlir::AffineExpr extent : argument.extents) {
    auto known = llvm::dyn_cast<mlir::AffineConstantExpr>(extent);
    shape.push_back(known ? known.getValue() : mlir::ShapedType::kDynamic);
  }
  return tile::ViewType::get(&e.instance.context, shape, e.irType(argument.type.element),
                             accessMode(argument.mode));
}

namespace {
/// Builds the op of one instance.
class KernelBuilder {
public:
  KernelBuilder(Instance &instance, mlir::ModuleOp module)
      : instance(instance), module(module), types(instance, &scratch) {}

  bool build();

private:
  mlir::Block *region(mlir::Region &region);
  void makeOp();
  mlir::Attribute strings(const std::vector<std::string> &list);
  void emitWhere();
  void emitLaunchChecks();
  void require(Emitter &e, Value condition, llvm::StringRef text, SourceRange range);
  void emitBody();
  void emitFormulas();
  void checkExactTypes(const ast::Reference &reference, const ReferenceArrays &arrays,
                       llvm::ArrayRef<std::string> bounded);

  Instance &instance;
  mlir::ModuleOp module;
  mlir::Block scratch;
  Emitter types; ///< for types only
  tile::KernelOp op;
};
} // namespace

mlir::Attribute KernelBuilder::strings(const std::vector<std::string> &list) {
  llvm::SmallVector<mlir::Attribute> attributes;
  for (const std::string &text : list) {
    attributes.push_back(mlir::StringAttr::get(&instance.context, text));
  }
  return mlir::ArrayAttr::get(&instance.context, attributes);
}

void KernelBuilder::makeOp() {
  mlir::MLIRContext *context = &instance.context;
  mlir::Builder builder(context);
  llvm::SmallVector<mlir::Attribute> argTypes, shapes;
  std::vector<std::string> names = instance.extents, missing;
  argTypes.assign(instance.extents.size(), mlir::TypeAttr::get(builder.getI64Type()));
  for (const Argument &argument : instance.arguments) {
    if (argument.isMissing) {
      missing.push_back(argument.decl->name.name);
      continue;
    }
    names.push_back(argument.decl->name.name);
    argTypes.push_back(mlir::TypeAttr::get(argumentType(types, argument)));
    if (argument.type.kind == Type::Kind::View) {
      shapes.push_back(mlir::AffineMapAttr::get(
          mlir::AffineMap::get(0, instance.extents.size(), argument.extents, context)));
    } else {
      shapes.push_back(builder.getUnitAttr());
    }
  }
  llvm::SmallVector<mlir::NamedAttribute> values;
  for (const auto &[name, value] : instance.paramsInForce()) {
    values.push_back(builder.getNamedAttr(name, builder.getStringAttr(value)));
  }
  const auto *math = instance.kernel.find<ast::Math>();
  const auto *tolerance = instance.kernel.find<ast::Tolerance>();
  mlir::OperationState state(types.loc(instance.kernel.name.range),
                             tile::KernelOp::getOperationName());
  state.addAttribute("sym_name", builder.getStringAttr(instance.kernel.name.name));
  state.addAttribute("arg_types", builder.getArrayAttr(argTypes));
  state.addAttribute("arg_names", strings(names));
  state.addAttribute("extents", builder.getI64IntegerAttr(instance.extents.size()));
  state.addAttribute("shapes", builder.getArrayAttr(shapes));
  if (math && math->mode != ast::MathMode::Strict) {
    state.addAttribute("math",
                       tile::MathModeAttr::get(context, math->mode == ast::MathMode::Contract
                                                            ? tile::MathMode::contract
                                                            : tile::MathMode::fast));
  }
  if (tolerance && tolerance->isExact) {
    state.addAttribute("tolerance_exact", builder.getUnitAttr());
  }
  if (!values.empty()) {
    state.addAttribute("instance", builder.getDictionaryAttr(values));
  }
  if (!missing.empty()) {
    state.addAttribute("missing", strings(missing));
  }
  for (int i = 0; i < 4; ++i) {
    state.addRegion();
  }
  mlir::OpBuilder at = mlir::OpBuilder::atBlockEnd(module.getBody());
  op = llvm::cast<tile::KernelOp>(at.create(state));
}

mlir::Block *KernelBuilder::region(mlir::Region &region) {
  auto *block = new mlir::Block();
  region.push_back(block);
  mlir::MLIRContext *context = &instance.context;
  for (unsigned i = 0; i < op.getNumArguments(); ++i) {
    llvm::StringRef name = op.getArgName(i);
    SourceRange range =
        i < instance.extents.size() ? instance.extentRanges.lookup(name) : SourceRange();
    for (const Argument &argument : instance.arguments) {
      range = argument.position == static_cast<int>(i) ? argument.decl->name.range : range;
    }
    block->addArgument(op.getArgType(i),
                       mlir::NameLoc::get(mlir::StringAttr::get(context, name), types.loc(range)));
  }
  return block;
}

//===-- where ------------------------------------------------------------------------------------------------------===//

void KernelBuilder::require(Emitter &e, Value condition, llvm::StringRef text, SourceRange range) {
  mlir::Value ssa = e.materialize(condition, range);
  if (!ssa) {
    return;
  }
  mlir::OperationState state(e.loc(range), tile::RequireOp::getOperationName());
  state.addOperands(ssa);
  state.addAttribute("text", e.builder.getStringAttr(text));
  e.builder.create(state);
}

void KernelBuilder::emitWhere() {
  mlir::Block *block = region(op.getWhere());
  FormulaEmitter e(instance, block);
  e.declareArguments(*block);
  const SourceManager &sources = instance.engine.getSources();
  for (const auto &clause : instance.kernel.clauses) {
    const auto *where = llvm::dyn_cast<ast::Where>(clause.get());
    for (size_t i = 0; where && i < where->conds.size(); ++i) {
      const ast::Expr &cond = *where->conds[i];
      Value value = e.condition(cond);
      if (std::optional<bool> known = value.asBool(); known && !*known) {
        e.error(diag::where_violated, cond.range, "choose other values for the instance",
                sources.text(cond.range), instance.kernel.name.name);
      } else if (!known && !value.isError()) {
        require(e, std::move(value), sources.text(cond.range), cond.range);
      }
    }
  }
  for (const auto &stmt : instance.kernel.body->stmts) {
    const auto *fixed = llvm::dyn_cast<ast::Static>(stmt.get());
    const Value *chosen = fixed ? instance.findParameter(fixed->name.name) : nullptr;
    if (!chosen || chosen->isError()) {
      continue;
    }
    Value value = e.compare(CmpPredicate::eq, e.emitExpr(*fixed->value), *chosen, fixed->range);
    if (std::optional<bool> known = value.asBool(); known && !*known) {
      e.error(diag::setting_contradicts, fixed->range, "leave the setting out", fixed->name.name,
              chosen->spelling(), sources.text(fixed->value->range));
    } else if (!known && !value.isError()) {
      require(e, std::move(value),
              fixed->name.name + " = " + sources.text(fixed->value->range).str(), fixed->range);
    }
  }
}

void KernelBuilder::emitLaunchChecks() {
  mlir::Block *block = &op.getWhere().front();
  Emitter e(instance, block);
  e.declareArguments(*block);
  for (const LaunchCheck &check : instance.launchChecks) {
    Value holds = e.compare(CmpPredicate::le, e.emitAffine(check.lhs, check.range),
                            e.emitAffine(check.rhs, check.range), check.range);
    require(e, std::move(holds), check.text, check.range);
  }
  if (block->empty()) {
    op.getWhere().getBlocks().clear();
  }
}

//===-- body, reference, tolerance ---------------------------------------------------------------------------------===//

static void yield(Emitter &e, mlir::ValueRange values = {}) {
  mlir::OperationState state(e.builder.getUnknownLoc(), tile::YieldOp::getOperationName());
  state.addOperands(values);
  e.builder.create(state);
}

void KernelBuilder::emitBody() {
  mlir::Block *block = region(op.getBody());
  Emitter e(instance, block);
  e.declareArguments(*block);
  Type unit = Type::unit();
  e.emitBlock(*instance.kernel.body, &unit);
  if (e.builder.getInsertionBlock() != block) {
    yield(e);
  }
  for (const Argument &argument : instance.arguments) {
    bool output = argument.type.kind == Type::Kind::View && argument.mode == ast::ViewMode::Out;
    if (output && !argument.isMissing && !argument.stored && !instance.engine.hasErrors() &&
        !e.warnedBefore(diag::out_never_stored, argument.decl->range)) {
      e.error(diag::out_never_stored, argument.decl->range,
              "store to it, or leave the argument out", argument.decl->name.name);
    }
  }
}

/// Where in `reference` an output is defined.
static SourceRange placeOf(const ast::Reference &reference, llvm::StringRef name) {
  for (const auto &ref : reference.refs) {
    const auto *output = llvm::dyn_cast<ast::RefOutput>(ref.get());
    if (output && output->name.name == name) {
      return output->name.range;
    }
  }
  return reference.range;
}

/// Outputs without a bound are compared bit by bit, so their reference has their element type.
void KernelBuilder::checkExactTypes(const ast::Reference &reference, const ReferenceArrays &arrays,
                                    llvm::ArrayRef<std::string> bounded) {
  for (auto [name, type] : llvm::zip(arrays.names, arrays.types)) {
    if (llvm::is_contained(bounded, name)) {
      continue;
    }
    for (const Argument &argument : instance.arguments) {
      bool output = argument.decl->name.name == name && argument.type.kind == Type::Kind::View;
      if (output && argument.type.element != type.element) {
        types.error(diag::tolerance_exact_type, placeOf(reference, name),
                    "convert it: `… as " + tessera::name(argument.type.element) +
                        "`, or bound the difference",
                    name, tessera::name(argument.type.element), tessera::name(type.element));
      }
    }
  }
}

void KernelBuilder::emitFormulas() {
  const auto *reference = instance.kernel.find<ast::Reference>();
  const auto *tolerance = instance.kernel.find<ast::Tolerance>();
  if (!reference) {
    if (tolerance) {
      types.error(diag::tolerance_without_reference, tolerance->range, "write a `reference`");
    }
    return;
  }
  ReferenceArrays arrays;
  if (!emitReference(instance, *reference, *region(op.getReference()), arrays)) {
    return;
  }
  op.setReferenceNamesAttr(llvm::cast<mlir::ArrayAttr>(strings(arrays.names)));
  for (const Argument &argument : instance.arguments) {
    bool written = argument.type.kind == Type::Kind::View && argument.mode != ast::ViewMode::In &&
                   !argument.isMissing;
    if (!tolerance && written && isFloat(argument.type.element)) {
      types.error(diag::tolerance_missing, instance.kernel.name.range,
                  "write `tolerance " + argument.decl->name.name + "[…] <= …` or `tolerance exact`",
                  argument.decl->name.name);
      return;
    }
  }
  if (!tolerance || tolerance->isExact) {
    return checkExactTypes(*reference, arrays, {});
  }
  mlir::Block *block = region(op.getTolerance());
  mlir::Block &source = op.getReference().front();
  if (mlir::Operation *end = source.empty() ? nullptr : &source.back()) {
    for (auto [name, value] : llvm::zip(arrays.names, end->getOperands())) {
      block->addArgument(
          value.getType(),
          mlir::NameLoc::get(mlir::StringAttr::get(&instance.context, name), value.getLoc()));
    }
  }
  std::vector<std::string> bounded;
  if (emitTolerance(instance, *tolerance, arrays, *block, bounded)) {
    op.setToleranceNamesAttr(llvm::cast<mlir::ArrayAttr>(strings(bounded)));
    checkExactTypes(*reference, arrays, bounded);
  }
}

bool KernelBuilder::build() {
  makeOp();
  emitWhere();
  emitBody();
  emitFormulas();
  emitLaunchChecks();
  return !instance.engine.hasErrors();
}

bool emitKernel(Instance &instance, mlir::ModuleOp module) {
  return KernelBuilder(instance, module).build();
}

} // namespace tessera::sema
