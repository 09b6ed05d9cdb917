// The public face: programs, their kernels, instances.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tessera/Frontend/Frontend.h"

#include "Declarations.h"
#include "Emitter.h"
#include "SemaKernel.h"

#include "tessera/Dialect/Tile/TileDialect.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/thread.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Verifier.h"

namespace tessera {

bool sema::onDeepStack(llvm::function_ref<bool()> work) {
  constexpr unsigned kStackBytes = 128u << 20;
  bool result = false;
  llvm::thread worker(std::optional<unsigned>(kStackBytes), [&] { result = work(); });
  worker.join();
  return result;
}

Program::Program(std::unique_ptr<sema::ModuleSet> modules) : modules(std::move(modules)) {}
Program::~Program() = default;
Program::Program(Program &&) = default;
Program &Program::operator=(Program &&) = default;

std::unique_ptr<Program> Program::loadBuffer(llvm::StringRef text, llvm::StringRef fileName,
                                             DiagnosticEngine &engine) {
  auto modules = std::make_unique<sema::ModuleSet>(engine);
  if (!modules->loadRoot(text, fileName) || !sema::checkDeclarations(*modules)) {
    return nullptr;
  }
  return std::unique_ptr<Program>(new Program(std::move(modules)));
}

std::unique_ptr<Program> Program::load(llvm::StringRef path, DiagnosticEngine &engine) {
  auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(path);
  if (!buffer) {
    engine.report(diag::file_unreadable, SourceRange(), path, buffer.getError().message())
        .help("give the path of a readable `.tile` file");
    return nullptr;
  }
  return loadBuffer((*buffer)->getBuffer(), path, engine);
}

static const ast::Kernel *kernelOf(const sema::Module &module, llvm::StringRef name) {
  auto it = module.items.find(name);
  return it == module.items.end() ? nullptr : llvm::dyn_cast<ast::Kernel>(it->second);
}

std::vector<std::string> Program::kernels() const {
  std::vector<std::string> names;
  for (const auto &file : modules->getRoot()->files) {
    for (const auto &item : file->items) {
      if (const auto *kernel = llvm::dyn_cast<ast::Kernel>(item.get())) {
        names.push_back(kernel->name.name);
      }
    }
  }
  return names;
}

std::vector<SourceRange> Program::scripts() const {
  std::vector<SourceRange> ranges;
  for (const auto &file : modules->getRoot()->files) {
    for (const auto &item : file->items) {
      const auto *import = llvm::dyn_cast<ast::Import>(item.get());
      bool script = import && llvm::StringRef(import->path).ends_with(".sched");
      if (script || llvm::isa<ast::Raw>(item.get())) {
        ranges.push_back(item->range);
      }
    }
  }
  return ranges;
}

bool Program::hasTest(llvm::StringRef kernel) const {
  return modules->getRoot()->tests.count(kernel) != 0;
}

const ast::Kernel *Program::find(llvm::StringRef name) {
  const ast::Kernel *kernel = kernelOf(*modules->getRoot(), name);
  if (!kernel) {
    std::vector<std::string> names = kernels();
    llvm::SmallVector<llvm::StringRef> known(names.begin(), names.end());
    std::string near = sema::nearestName(name, known);
    modules->getEngine()
        .report(diag::kernel_unknown, SourceRange(), name)
        .help(!near.empty()   ? "did you mean `" + near + "`?"
              : names.empty() ? std::string("the file has no kernel")
                              : "the file has `" + llvm::join(names, "`, `") + "`");
  }
  return kernel;
}

namespace {
/// Parameters in force are those of one instance.
struct ParamsScope {
  DiagnosticEngine &engine;
  explicit ParamsScope(DiagnosticEngine &engine) : engine(engine) {}
  ~ParamsScope() { engine.setParams({}); }
};
} // namespace

static sema::Instance makeInstance(sema::ModuleSet &modules, const ast::Kernel &kernel,
                                   const Settings &settings, mlir::MLIRContext &context,
                                   DiagnosticEngine &engine) {
  context.loadDialect<tile::TileDialect, mlir::scf::SCFDialect>();
  return sema::Instance{
      modules, *modules.getRoot(), kernel, settings, context, engine, {}, {}, {}, {}, {}, {}};
}

static ArgMode argMode(const sema::Argument &argument) {
  if (argument.type.kind != sema::Type::Kind::View) {
    return ArgMode::Scalar;
  }
  return argument.mode == ast::ViewMode::Out     ? ArgMode::Out
         : argument.mode == ast::ViewMode::InOut ? ArgMode::InOut
                                                 : ArgMode::In;
}

std::optional<Signature> Program::signature(llvm::StringRef name, const Settings &settings,
                                            mlir::MLIRContext &context) {
  const ast::Kernel *kernel = find(name);
  if (!kernel) {
    return std::nullopt;
  }
  DiagnosticEngine &engine = modules->getEngine();
  ParamsScope scope(engine);
  sema::Instance instance = makeInstance(*modules, *kernel, settings, context, engine);
  if (!sema::onDeepStack([&] { return sema::buildInstance(instance, false); })) {
    return std::nullopt;
  }
  Signature signature;
  signature.extents = instance.extents;
  for (const sema::Argument &argument : instance.arguments) {
    SignatureArg arg;
    arg.name = argument.decl->name.name;
    arg.mode = argMode(argument);
    arg.dtype = argument.type.element;
    arg.isOptional = argument.decl->isOptional;
    arg.isMissing = argument.isMissing;
    if (arg.isView() && !arg.isMissing) {
      arg.shape = mlir::AffineMap::get(0, instance.extents.size(), argument.extents, &context);
    }
    signature.args.push_back(std::move(arg));
  }
  return signature;
}

mlir::OwningOpRef<mlir::ModuleOp>
Program::instantiate(llvm::StringRef name, const Settings &settings, mlir::MLIRContext &context) {
  const ast::Kernel *kernel = find(name);
  if (!kernel) {
    return nullptr;
  }
  DiagnosticEngine &engine = modules->getEngine();
  ParamsScope scope(engine);
  unsigned errors = engine.errorCount();
  sema::Instance instance = makeInstance(*modules, *kernel, settings, context, engine);
  mlir::OwningOpRef<mlir::ModuleOp> module(mlir::ModuleOp::create(mlir::UnknownLoc::get(&context)));
  sema::onDeepStack(
      [&] { return sema::buildInstance(instance, true) && sema::emitKernel(instance, *module); });
  if (engine.errorCount() != errors) {
    return nullptr;
  }
  std::string problem;
  {
    mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &diagnostic) {
      problem += (problem.empty() ? "" : "; ") + diagnostic.str();
      return mlir::success();
    });
    if (mlir::succeeded(mlir::verify(*module))) {
      return module;
    }
  }
  engine.report(diag::invalid_ir, kernel->name.range, name, problem)
      .help("this is a defect of the compiler: report it with the file");
  return nullptr;
}

//===-- parameters -------------------------------------------------------------------------------------------------===//

static std::vector<std::string> candidateTexts(sema::Emitter &e, const ast::Expr *set,
                                               const SourceManager &sources) {
  std::vector<std::string> texts;
  if (const auto *listed = llvm::dyn_cast_or_null<ast::Set>(set)) {
    for (const auto &element : listed->elements) {
      texts.push_back(sources.text(element->range).str());
    }
  } else if (set) {
    if (std::optional<std::vector<sema::Value>> values = e.constSet(*set, nullptr)) {
      for (const sema::Value &value : *values) {
        texts.push_back(value.spelling());
      }
    }
  }
  return texts;
}

static Parameter genericParameter(sema::Emitter &e, const ast::GenericParam &generic,
                                  const SourceManager &sources) {
  Parameter parameter;
  parameter.name = generic.name.name;
  parameter.candidates = candidateTexts(e, generic.set.get(), sources);
  if (generic.kind != ast::GenericKind::Const) {
    parameter.kind = ParameterKind::Type;
    if (generic.defaultType) {
      parameter.fallback = sources.text(generic.defaultType->range).str();
    }
    return parameter;
  }
  parameter.kind = ParameterKind::Const;
  sema::Type type = e.resolveType(*generic.type);
  parameter.type = type.str();
  if (type.kind == sema::Type::Kind::Enum && parameter.candidates.empty()) {
    for (const ast::Ident &item : type.enumeration->cases) {
      parameter.candidates.push_back(item.name);
    }
  } else if (type.isScalar() && type.element == DType::i1 && parameter.candidates.empty()) {
    parameter.candidates = {"false", "true"};
  }
  if (generic.value) {
    parameter.fallback = sources.text(generic.value->range).str();
  }
  return parameter;
}

std::vector<Parameter> Program::parameters(llvm::StringRef name) {
  const ast::Kernel *kernel = find(name);
  std::vector<Parameter> list;
  if (!kernel) {
    return list;
  }
  // Sets may name what only an instance fixes: errors on the way are not the user's.
  SourceManager &sources = modules->getEngine().getSources();
  DiagnosticEngine quiet(sources);
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  Settings settings;
  sema::Instance instance = makeInstance(*modules, *kernel, settings, context, quiet);
  mlir::Block scratch;
  sema::Emitter e(instance, &scratch);
  for (const ast::GenericParam &generic : kernel->generics) {
    list.push_back(genericParameter(e, generic, sources));
  }
  for (const ast::KernelParam &param : kernel->params) {
    if (param.isOptional) {
      list.push_back(
          {param.name.name, ParameterKind::Optional, "", {"missing", "present"}, std::nullopt});
    }
  }
  for (const auto &stmt : kernel->body->stmts) {
    if (const auto *tune = llvm::dyn_cast<ast::Tune>(stmt.get())) {
      for (const ast::Choice &choice : tune->choices) {
        list.push_back({choice.name.name, ParameterKind::Tune, "i64",
                        candidateTexts(e, choice.set.get(), sources), std::nullopt});
      }
    } else if (const auto *fixed = llvm::dyn_cast<ast::Static>(stmt.get())) {
      list.push_back({fixed->name.name, ParameterKind::Static, "i64", {}, std::nullopt});
    }
  }
  scratch.dropAllReferences();
  return list;
}

} // namespace tessera
