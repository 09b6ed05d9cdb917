// From a module to code of the host, and launches of it.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tessera/Simulator/Simulator.h"

#include "Program.h"

#include "llvm/ExecutionEngine/Orc/ExecutionUtils.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/SROA.h"

#include <mutex>

using namespace tessera;
using namespace tessera::sim;

/// More than this many instructions take longer to compile well than the simulator takes to run them badly.
static constexpr unsigned largeModule = 12000;

static bool isLarge(const llvm::Module &module) {
  return module.getInstructionCount() > largeModule;
}

/// The simplification of functions, once: simulated code is to run, not to be measured.
static void simplify(llvm::Module &module) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  llvm::ModulePassManager passes;
  passes.addPass(llvm::AlwaysInlinerPass());
  if (isLarge(module)) {
    llvm::FunctionPassManager few;
    few.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
    few.addPass(llvm::EarlyCSEPass());
    passes.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(few)));
  } else {
    passes.addPass(
        llvm::createModuleToFunctionPassAdaptor(builder.buildFunctionSimplificationPipeline(
            llvm::OptimizationLevel::O1, llvm::ThinOrFullLTOPhase::None)));
  }
  passes.addPass(llvm::GlobalDCEPass());
  passes.run(module, modules);
}

static llvm::Error verify(llvm::Module &module, llvm::StringRef when) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (llvm::verifyModule(module, &os)) {
    return llvm::createStringError("the module to simulate is not valid LLVM IR " + when + ": " +
                                   text);
  }
  return llvm::Error::success();
}

static llvm::Expected<std::unique_ptr<llvm::orc::LLJIT>> makeJit(bool isLarge) {
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
  });
  auto target = llvm::orc::JITTargetMachineBuilder::detectHost();
  if (!target) {
    return target.takeError();
  }
  target->setCodeGenOptLevel(isLarge ? llvm::CodeGenOptLevel::None
                                     : llvm::CodeGenOptLevel::Default);
  return llvm::orc::LLJITBuilder().setJITTargetMachineBuilder(std::move(*target)).create();
}

static llvm::Error defineSymbols(llvm::orc::LLJIT &jit) {
  llvm::orc::SymbolMap symbols;
  for (const RuntimeFunction &function : runtimeFunctions()) {
    symbols[jit.mangleAndIntern(function.name)] = {
        llvm::orc::ExecutorAddr::fromPtr(function.address),
        llvm::JITSymbolFlags::Exported | llvm::JITSymbolFlags::Callable};
  }
  llvm::orc::JITDylib &library = jit.getMainJITDylib();
  if (llvm::Error error = library.define(llvm::orc::absoluteSymbols(std::move(symbols)))) {
    return error;
  }
  // Functions of the C library that bodies and strict functions use.
  auto host = llvm::orc::DynamicLibrarySearchGenerator::GetForCurrentProcess(
      jit.getDataLayout().getGlobalPrefix());
  if (!host) {
    return host.takeError();
  }
  library.addGenerator(std::move(*host));
  return llvm::Error::success();
}

static llvm::Error lookUp(Program &program) {
  for (auto &entry : program.entries) {
    auto address = program.jit->lookup(entrySymbol(entry.getKey()));
    if (!address) {
      return address.takeError();
    }
    entry.getValue().call = address->toPtr<Machine::Entry>();
  }
  for (Site &site : program.sites) {
    if (!site.instruction) {
      continue;
    }
    auto address = program.jit->lookup(bodySymbol(site.number));
    if (!address) {
      return address.takeError();
    }
    site.instruction->run = address->toPtr<void (*)(void **)>();
  }
  return llvm::Error::success();
}

static llvm::Error prepare(llvm::Module &module, Program &program) {
  module.setDataLayout(program.jit->getDataLayout());
  module.setTargetTriple(program.jit->getTargetTriple());
  if (llvm::Error error = verify(module, "as given")) {
    return error;
  }
  if (llvm::Error error = expandModule(module, program)) {
    return error;
  }
  if (llvm::Error error = verify(module, "after the expansion of markers")) {
    return error;
  }
  simplify(module);
  return llvm::Error::success();
}

llvm::Expected<std::unique_ptr<Simulator>> Simulator::create(std::unique_ptr<llvm::Module> module,
                                                             llvm::orc::ThreadSafeContext context) {
  // From here on the module does not outlive its context.
  llvm::orc::ThreadSafeModule owned(std::move(module), std::move(context));
  auto jit = makeJit(owned.withModuleDo([](llvm::Module &held) { return isLarge(held); }));
  if (!jit) {
    return jit.takeError();
  }
  auto program = std::make_unique<Program>();
  program->jit = std::move(*jit);
  program->machine = std::make_unique<Machine>(program->sites, program->shared);
  llvm::Error prepared =
      owned.withModuleDo([&](llvm::Module &module) { return prepare(module, *program); });
  if (prepared) {
    return std::move(prepared);
  }
  if (llvm::Error error = defineSymbols(*program->jit)) {
    return std::move(error);
  }
  if (llvm::Error error = program->jit->addIRModule(std::move(owned))) {
    return std::move(error);
  }
  if (llvm::Error error = lookUp(*program)) {
    return std::move(error);
  }
  return std::unique_ptr<Simulator>(new Simulator(std::move(program)));
}

Simulator::Simulator(std::unique_ptr<Program> program) : program(std::move(program)) {}
Simulator::~Simulator() = default;

std::vector<std::string> Simulator::entries() const {
  std::vector<std::string> names;
  for (const auto &entry : program->entries) {
    names.push_back(entry.getKey().str());
  }
  llvm::sort(names);
  return names;
}

llvm::Expected<SimReport> Simulator::run(llvm::StringRef name, const SimLaunch &launch) {
  auto found = program->entries.find(name);
  if (found == program->entries.end()) {
    return llvm::createStringError("the module has no entry `" + name + "`; it has " +
                                   llvm::join(entries(), ", "));
  }
  const EntryPoint &entry = found->getValue();
  unsigned threads = launch.threads ? launch.threads : entry.threads;
  uint64_t shared = launch.sharedBytes.value_or(entry.sharedBytes);
  if (launch.arguments.size() != entry.parameters) {
    return llvm::createStringError("entry `" + name + "` has " + llvm::Twine(entry.parameters) +
                                   " parameters, the launch gives " +
                                   llvm::Twine(launch.arguments.size()));
  }
  if (threads == 0 || threads > 1024) {
    return llvm::createStringError("a CTA has 1 to 1024 threads, not " + llvm::Twine(threads));
  }
  if (shared > SharedMemory::capacity) {
    return llvm::createStringError("a CTA has up to " + llvm::Twine(SharedMemory::capacity) +
                                   " bytes of shared memory, not " + llvm::Twine(shared));
  }
  return program->machine->run(entry.call, launch, threads, shared);
}
