// Declared layouts, instructions and syncs by name; the check of all declarations when a program is loaded.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Declarations.h"

#include "tessera/Dialect/Tile/TileDialect.h"
#include "tessera/Std/StdFiles.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tessera {

int64_t instr::Operand::elements() const {
  int64_t count = 1;
  for (int64_t extent : shape) {
    count *= extent;
  }
  return count;
}

const instr::Operand *instr::Instruction::find(llvm::StringRef operand) const {
  for (const Operand &candidate : operands) {
    if (candidate.name == operand) {
      return &candidate;
    }
  }
  return nullptr;
}

namespace sema {

//===-- constants --------------------------------------------------------------------------------------------------===//

static Type constantType(const ast::GenericParam &param) {
  Type type = Type::scalar(DType::i64);
  if (param.kind != ast::GenericKind::Const) {
    type.kind = Type::Kind::DType;
  }
  return type;
}

/// Values worth a try: those of the set, or a few.
static std::vector<Value> candidates(Emitter &e, const ast::GenericParam &param, bool alone) {
  Type type = constantType(param);
  std::vector<Value> values;
  if (param.set) {
    return e.constSet(*param.set, &type).value_or(values);
  }
  switch (param.kind) {
  case ast::GenericKind::Const:
    for (int64_t n : {8, 16, 32, 64, 128, 256, 1, 2, 4}) {
      values.push_back(Value::i64(n));
    }
    for (int64_t n = 1; alone && n <= 1024; ++n) {
      values.push_back(Value::i64(n));
    }
    return values;
  case ast::GenericKind::Int:
    return {Value::dtype(DType::i32), Value::dtype(DType::i8), Value::dtype(DType::i16),
            Value::dtype(DType::i64)};
  case ast::GenericKind::UInt:
    return {Value::dtype(DType::ui32), Value::dtype(DType::ui8), Value::dtype(DType::ui16),
            Value::dtype(DType::ui64)};
  default:
    return {Value::dtype(DType::bf16), Value::dtype(DType::f32), Value::dtype(DType::f16),
            Value::dtype(DType::f64)};
  }
}

static bool whereAllows(ModuleSet &modules, const Module &owner, const ast::Instr &decl,
                        const ConstantValues &constants, mlir::MLIRContext &context) {
  DiagnosticEngine &engine = modules.getEngine();
  size_t mark = engine.beginTrial();
  DeclarationScope scope(modules, owner, context);
  for (const auto &[name, value] : constants) {
    scope.emitter.declare(name, SourceRange(), value);
  }
  bool allowed = llvm::all_of(decl.where, [&](const ast::ExprPtr &cond) {
    return scope.emitter.constBool(*cond, "a condition").value_or(true);
  });
  engine.endTrial(mark);
  return allowed;
}

std::optional<ConstantValues> sampleConstants(ModuleSet &modules, const Module &owner,
                                              const ast::Instr &decl, mlir::MLIRContext &context) {
  DeclarationScope scope(modules, owner, context);
  bool alone = llvm::count_if(decl.generics, [](const ast::GenericParam &param) {
                 return param.kind == ast::GenericKind::Const;
               }) == 1;
  std::vector<std::vector<Value>> lists;
  size_t combinations = 1;
  for (const ast::GenericParam &param : decl.generics) {
    lists.push_back(candidates(scope.emitter, param, alone));
    combinations = std::min<size_t>(combinations * lists.back().size(), 4096);
  }
  for (size_t i = 0; i < combinations; ++i) {
    ConstantValues constants;
    size_t rest = i;
    for (auto [param, list] : llvm::zip(decl.generics, lists)) {
      constants.emplace_back(param.name.name, list[rest % list.size()]);
      rest /= list.size();
    }
    if (whereAllows(modules, owner, decl, constants, context)) {
      return constants;
    }
  }
  return std::nullopt;
}

//===-- checks at load ---------------------------------------------------------------------------------------------===//

/// A layout without parameters is what it is. With parameters a few values are tried, for what is wrong with all.
static void checkLayout(ModuleSet &modules, const Module &owner, const ast::LayoutDecl &decl,
                        mlir::MLIRContext &context) {
  DiagnosticEngine &engine = modules.getEngine();
  if (LayoutEvaluator::isOperation(decl.name.name)) {
    engine.report(diag::reserved_name, decl.name.range, decl.name.name)
        .help("it is an operation on layouts; choose another name");
    return;
  }
  auto evaluate = [&](int64_t value) {
    DeclarationScope scope(modules, owner, context);
    instr::Place place{64, 64, 2};
    llvm::SmallVector<int64_t> numbers;
    DiagnosticParams params;
    for (const ast::LayoutParam &param : decl.params) {
      llvm::StringRef name = param.name.name;
      std::optional<int64_t> known;
      if (param.value) {
        known = scope.emitter.constI64(*param.value, "a parameter's default");
      }
      numbers.push_back(name == "rows" || name == "cols" ? 64
                        : name == "bytes"                ? 2
                                                         : known.value_or(value));
      params.emplace_back(name.str(), std::to_string(numbers.back()));
    }
    engine.setParams(params);
    LayoutEvaluator(scope.emitter, place).evaluate(owner, decl, numbers, decl.value->range);
    engine.setParams({});
  };
  bool ofNumbers = false;
  for (int64_t value : {8, 16, 4, 2, 32, 64, 1}) {
    size_t mark = engine.beginTrial();
    evaluate(value);
    bool good = !engine.trialFailed(mark);
    ofNumbers |= !good && engine.diagnostics()[mark].id == diag::layout_invalid;
    engine.endTrial(mark);
    if (good) {
      return;
    }
  }
  // With other numbers it may be one: that is seen where it is used.
  if (decl.params.empty() || !ofNumbers) {
    evaluate(8);
  }
}

/// Types that stand for a parameter where none is given are some that it allows.
static bool checkDefaults(ModuleSet &modules, const Module &owner, const ast::Instr &decl,
                          mlir::MLIRContext &context) {
  DeclarationScope scope(modules, owner, context);
  return llvm::all_of(decl.generics, [&](const ast::GenericParam &param) {
    if (!param.defaultType) {
      return true;
    }
    std::optional<DType> type = scope.emitter.resolveDType(*param.defaultType);
    return type && scope.emitter.bindGeneric(param, *type, param.defaultType->range);
  });
}

static void checkInstr(ModuleSet &modules, const Module &owner, const ast::Instr &decl,
                       mlir::MLIRContext &context) {
  DiagnosticEngine &engine = modules.getEngine();
  if (!checkInstrText(decl, engine) || !checkDefaults(modules, owner, decl, context)) {
    return;
  }
  std::optional<ConstantValues> constants = sampleConstants(modules, owner, decl, context);
  if (constants) {
    mlir::OwningOpRef<mlir::ModuleOp> module(
        mlir::ModuleOp::create(mlir::UnknownLoc::get(&context)));
    buildInstr(modules, owner, decl, *constants, *module);
    return;
  }
  // Where all values are listed, none will ever do.
  bool listed = llvm::all_of(decl.generics, [](const ast::GenericParam &param) {
    return param.set != nullptr || param.kind != ast::GenericKind::Const;
  });
  if (listed && !decl.where.empty() && !engine.hasErrors()) {
    engine
        .report(diag::instr_where, decl.where.front()->range,
                engine.getSources().text(decl.where.front()->range), "any listed value")
        .help("list other values, or correct the condition");
  }
}

static bool isDeclaration(const ast::Item *item) {
  return llvm::isa<ast::LayoutDecl, ast::Instr, ast::Sync>(item);
}

static void checkModule(ModuleSet &modules, const Module &module, mlir::MLIRContext &context) {
  for (const auto &file : module.files) {
    for (const auto &item : file->items) {
      if (const auto *layout = llvm::dyn_cast<ast::LayoutDecl>(item.get())) {
        checkLayout(modules, module, *layout, context);
      } else if (const auto *decl = llvm::dyn_cast<ast::Instr>(item.get())) {
        checkInstr(modules, module, *decl, context);
      } else if (const auto *sync = llvm::dyn_cast<ast::Sync>(item.get())) {
        checkSyncText(*sync, modules.getEngine());
      }
    }
  }
}

bool checkDeclarations(ModuleSet &modules) {
  // The library is not checked anew for each program; a test does it. A layout that is looked for may bring it in.
  llvm::SmallVector<const Module *> own;
  for (const auto &module : modules.getModules()) {
    bool any =
        llvm::any_of(module->items, [](const auto &entry) { return isDeclaration(entry.second); });
    if (any && !module->isStd) {
      own.push_back(module.get());
    }
  }
  if (own.empty()) {
    return true;
  }
  return onDeepStack([&] {
    mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
    context.loadDialect<tile::TileDialect, mlir::scf::SCFDialect>();
    for (const Module *module : own) {
      checkModule(modules, *module, context);
    }
    return !modules.getEngine().hasErrors();
  });
}

static bool sameConstant(const Value &a, const Value &b) {
  bool types = a.kind == Value::Kind::DType && b.kind == Value::Kind::DType;
  return types ? a.element() == b.element() : a.asI64() && a.asI64() == b.asI64();
}

/// The values of `decl`'s parameters; nothing with errors reported at `use`.
static std::optional<ConstantValues> constantValues(ModuleSet &modules, const Module &owner,
                                                    const ast::Instr &decl,
                                                    const instr::Constants &given,
                                                    mlir::MLIRContext &context, SourceRange use) {
  DeclarationScope scope(modules, owner, context);
  ConstantValues values;
  for (const auto &[name, text] : given) {
    bool known = llvm::any_of(decl.generics, [&, &name = name](const ast::GenericParam &param) {
      return param.name.name == name;
    });
    if (!known) {
      scope.emitter.error(diag::unknown_argument, use, "leave it out", decl.name.name, name)
          .note(decl.name.range, "declared here");
      return std::nullopt;
    }
  }
  for (const ast::GenericParam &param : decl.generics) {
    auto it = llvm::find_if(given, [&](const auto &pair) { return pair.first == param.name.name; });
    if (it == given.end() && param.defaultType) {
      std::optional<DType> fallback = scope.emitter.resolveDType(*param.defaultType);
      if (!fallback) {
        return std::nullopt;
      }
      values.emplace_back(param.name.name, Value::dtype(*fallback));
      continue;
    }
    if (it == given.end()) {
      scope.emitter
          .error(diag::argument_missing, use, "give it a value", decl.name.name, param.name.name)
          .note(param.range, "declared here");
      return std::nullopt;
    }
    Type type = constantType(param);
    std::optional<Value> value = scope.emitter.valueFromText(it->second, &type);
    bool fits = value && !value->isError();
    if (fits && param.set) {
      std::optional<std::vector<Value>> set = scope.emitter.constSet(*param.set, &type);
      fits = set && llvm::any_of(*set, [&](const Value &v) { return sameConstant(v, *value); });
    } else if (fits && param.kind != ast::GenericKind::Const) {
      if (!scope.emitter.bindGeneric(param, value->element(), use)) {
        return std::nullopt;
      }
    }
    if (!fits) {
      scope.emitter
          .error(diag::setting_invalid, use,
                 "write " + std::string(param.kind == ast::GenericKind::Const
                                            ? "an integer that the instruction allows"
                                            : "an element type that the instruction allows"),
                 param.name.name, it->second)
          .note(param.range, "declared here");
      return std::nullopt;
    }
    values.emplace_back(param.name.name, std::move(*value));
  }
  return values;
}

static instr::Pattern patternOf(const ast::Instr &decl) {
  instr::Pattern pattern;
  pattern.name = decl.name.name;
  pattern.arch = decl.arch.name;
  pattern.range = decl.range;
  auto isConstant = [&](llvm::StringRef name) {
    return llvm::any_of(decl.generics,
                        [&](const ast::GenericParam &param) { return param.name.name == name; });
  };
  for (const ast::GenericParam &param : decl.generics) {
    bool isConstant = param.kind == ast::GenericKind::Const;
    (isConstant ? pattern.constants : pattern.types).push_back(param.name.name);
  }
  for (auto [source, use] : llvm::zip(decl.operands, operandUses(decl))) {
    instr::OperandPattern operand;
    operand.name = source.name.name;
    operand.kind = static_cast<instr::OperandKind>(source.kind);
    operand.mode = use.mode;
    if (const auto *list = llvm::dyn_cast_or_null<ast::List>(source.shape.get())) {
      for (const ast::ExprPtr &element : list->elements) {
        instr::Axis axis;
        if (const auto *number = llvm::dyn_cast<ast::IntLit>(element.get())) {
          axis.extent = static_cast<int64_t>(number->value);
        } else if (const auto *name = llvm::dyn_cast<ast::Name>(element.get());
                   name && isConstant(name->name)) {
          axis.constant = name->name;
        }
        operand.axes.push_back(std::move(axis));
      }
    }
    if (const auto *named = llvm::dyn_cast_or_null<ast::NamedType>(source.element.get())) {
      if (isConstant(named->name)) {
        operand.dtypeConstant = named->name;
      } else {
        operand.dtype = parseDType(named->name);
      }
    } else if (source.kind == ast::OperandKind::Predicate) {
      operand.dtype = DType::i1;
    }
    pattern.operands.push_back(std::move(operand));
  }
  return pattern;
}

static instr::Sync syncOf(const ast::Sync &decl) {
  instr::Sync sync;
  sync.name = decl.name.name;
  sync.arch = decl.arch.name;
  sync.scope = execScope(decl.scope.name);
  sync.range = decl.range;
  for (const ast::SyncParam &param : decl.params) {
    sync.parameters.push_back(param.name.name);
  }
  for (const ast::SyncStep &source : decl.steps) {
    instr::SyncStep step;
    step.kind = static_cast<instr::SyncKind>(source.step);
    step.of = source.of.name;
    step.to = source.to.name;
    step.object = source.object.name;
    if (const auto *name = llvm::dyn_cast_or_null<ast::Name>(source.amount.get())) {
      step.parameter = name->name;
    } else if (const auto *number = llvm::dyn_cast_or_null<ast::IntLit>(source.amount.get())) {
      step.amount = static_cast<int64_t>(number->value);
    }
    sync.steps.push_back(std::move(step));
  }
  return sync;
}

} // namespace sema

//===-- the public face --------------------------------------------------------------------------------------------===//

Instructions::Instructions(Program &program) : modules(*program.modules) {}

template <typename Decl>
static const Decl *findDecl(sema::ModuleSet &modules, llvm::StringRef name,
                            const sema::Module *&owner) {
  return llvm::dyn_cast_or_null<Decl>(sema::findDeclared(modules, *modules.getRoot(), name, owner));
}

std::vector<std::string> Instructions::names() {
  std::vector<std::string> result;
  llvm::StringSet<> seen;
  auto add = [&](const sema::Module &module) {
    std::vector<std::string> names;
    for (const auto &entry : module.items) {
      if (llvm::isa<ast::Instr>(entry.second) && seen.insert(entry.getKey()).second) {
        names.push_back(entry.getKey().str());
      }
    }
    llvm::sort(names);
    llvm::append_range(result, names);
  };
  add(*modules.getRoot());
  for (const sema::Module *open : modules.getRoot()->open) {
    add(*open);
  }
  if (const sema::Module *library = modules.loadStd()) {
    for (const sema::Module *open : library->open) {
      add(*open);
    }
  }
  return result;
}

/// What the library declares, told without parsing it: each at the beginning of a line, with one space.
static const llvm::StringSet<> &libraryInstructions() {
  static const llvm::StringSet<> names = [] {
    llvm::StringSet<> found;
    for (const StdFile &file : stdFiles()) {
      for (llvm::StringRef rest = file.text; !rest.empty();) {
        llvm::StringRef line;
        std::tie(line, rest) = rest.split('\n');
        if (line.consume_front("instr ")) {
          found.insert(line.take_while([](char c) { return llvm::isAlnum(c) || c == '_'; }));
        }
      }
    }
    return found;
  }();
  return names;
}

bool Instructions::mayFind(llvm::StringRef name) {
  const sema::Module *owner = nullptr;
  return modules.getRoot()->find(name, owner) || libraryInstructions().contains(name);
}

std::optional<instr::Pattern> Instructions::find(llvm::StringRef name) {
  const sema::Module *owner = nullptr;
  const auto *decl = findDecl<ast::Instr>(modules, name, owner);
  return decl ? std::optional<instr::Pattern>(sema::patternOf(*decl)) : std::nullopt;
}

std::optional<instr::Sync> Instructions::findSync(llvm::StringRef name) {
  const sema::Module *owner = nullptr;
  const auto *decl = findDecl<ast::Sync>(modules, name, owner);
  return decl ? std::optional<instr::Sync>(sema::syncOf(*decl)) : std::nullopt;
}

std::optional<instr::Instruction> Instructions::lowerInstr(llvm::StringRef name,
                                                           const instr::Constants &constants,
                                                           mlir::ModuleOp module, SourceRange use) {
  const sema::Module *owner = nullptr;
  const auto *decl = findDecl<ast::Instr>(modules, name, owner);
  if (!decl) {
    std::vector<std::string> known = names();
    std::vector<llvm::StringRef> references(known.begin(), known.end());
    std::string near = sema::nearestName(name, references);
    modules.getEngine()
        .report(diag::unknown_name, use, name)
        .help(near.empty() ? "declare the instruction, or correct the spelling"
                           : "did you mean `" + near + "`?");
    return std::nullopt;
  }
  mlir::MLIRContext &context = *module.getContext();
  context.loadDialect<tile::TileDialect, mlir::scf::SCFDialect>();
  std::optional<instr::Instruction> result;
  sema::onDeepStack([&] {
    std::optional<sema::ConstantValues> values =
        sema::constantValues(modules, *owner, *decl, constants, context, use);
    if (values) {
      result = sema::buildInstr(modules, *owner, *decl, *values, module);
    }
    return true;
  });
  return result;
}

bool Instructions::hasLayout(llvm::StringRef name) {
  const sema::Module *owner = nullptr;
  return findDecl<ast::LayoutDecl>(modules, name, owner) != nullptr;
}

std::optional<Layout> Instructions::layout(llvm::StringRef name, llvm::ArrayRef<int64_t> arguments,
                                           const instr::Place &place, SourceRange use) {
  const sema::Module *owner = nullptr;
  const auto *decl = findDecl<ast::LayoutDecl>(modules, name, owner);
  if (!decl) {
    modules.getEngine()
        .report(diag::layout_unknown, use, name)
        .help("declare it: `layout " + name.str() + " = …`");
    return std::nullopt;
  }
  std::optional<Layout> result;
  sema::onDeepStack([&] {
    mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
    context.loadDialect<tile::TileDialect, mlir::scf::SCFDialect>();
    sema::DeclarationScope scope(modules, *owner, context);
    result = sema::LayoutEvaluator(scope.emitter, place).evaluate(*owner, *decl, arguments, use);
    return true;
  });
  return result;
}

} // namespace tessera
