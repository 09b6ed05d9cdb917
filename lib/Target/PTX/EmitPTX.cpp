// The passes between expansion and text, and who writes the text.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tessera/Target/PTX/EmitPTX.h"

#include "Backend.h"
#include "Parts.h"
#include "Writer.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassTimingInfo.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/DivRemPairs.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/BypassSlowDivision.h"

#include <chrono>
#include <mutex>

using namespace tessera::ptx;

llvm::StringRef tessera::ptx::name(Arch arch) {
  constexpr llvm::StringLiteral names[] = {"sm_80", "sm_90a", "sm_100a"};
  return names[unsigned(arch)];
}

std::optional<Arch> tessera::ptx::parseArch(llvm::StringRef text) {
  for (Arch arch : allArchs) {
    if (name(arch) == text) {
      return arch;
    }
  }
  return std::nullopt;
}

unsigned tessera::ptx::capability(Arch arch) {
  constexpr unsigned numbers[] = {80, 90, 100};
  return numbers[unsigned(arch)];
}

unsigned tessera::ptx::lowestVersion(Arch arch) {
  constexpr unsigned versions[] = {70, 80, 86};
  return versions[unsigned(arch)];
}

/// Lines only, without the sections that debuggers read: they cost the assembler time and switch off nothing here, but ptxas
/// refuses to optimise what is marked for debugging.
static void keepLinesOnly(llvm::Module &module, bool wanted) {
  if (!wanted) {
    llvm::StripDebugInfo(module);
    return;
  }
  llvm::SmallVector<llvm::DICompileUnit *> units(module.debug_compile_units());
  llvm::NamedMDNode *list = module.getNamedMetadata("llvm.dbg.cu");
  if (!list) {
    return;
  }
  // Emission kinds of units cannot be set, so each is made anew and takes the old one's functions.
  list->clearOperands();
  for (llvm::DICompileUnit *unit : units) {
    auto *lines = llvm::DICompileUnit::getDistinct(
        module.getContext(), unit->getSourceLanguage(), unit->getFile(), unit->getProducer(),
        /*isOptimized=*/true, "", 0, "", llvm::DICompileUnit::DebugDirectivesOnly,
        /*EnumTypes=*/nullptr, nullptr, nullptr, nullptr, nullptr, 0, false, false,
        llvm::DICompileUnit::DebugNameTableKind::None, false, "", "");
    list->addOperand(lines);
    for (llvm::Function &function : module) {
      if (llvm::DISubprogram *program = function.getSubprogram();
          program && program->getUnit() == unit) {
        program->replaceUnit(lines);
      }
    }
  }
}

/// Branches stay branches where a block has work to be skipped: what a thread does not need it shall not do, and guarded
/// accesses are predicated already.
static llvm::SimplifyCFGOptions quietBranches() {
  return llvm::SimplifyCFGOptions().speculateBlocks(false).hoistCommonInsts(false);
}

namespace {
/// Divisions of 64 bits ask first whether 32 are enough, as they are for nearly all extents: five times less code runs then.
struct ShortenDivisions : llvm::PassInfoMixin<ShortenDivisions> {
  static llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &) {
    const llvm::DenseMap<unsigned, unsigned> widths = {{64, 32}};
    bool isChanged = false;
    // Blocks that this makes are not looked at.
    for (llvm::BasicBlock &block : llvm::make_early_inc_range(function)) {
      isChanged |= llvm::bypassSlowDivision(&block, widths);
    }
    return isChanged ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
  }
};
} // namespace

static void optimize(llvm::Module &module, llvm::TargetMachine &machine) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager graphs;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(&machine);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(graphs);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, graphs, modules);

  // Each once: what is not used is taken away by the combiner, and terms that become equal only then ptxas finds.
  llvm::FunctionPassManager local;
  local.addPass(llvm::SROAPass(llvm::SROAOptions::PreserveCFG));
  local.addPass(llvm::EarlyCSEPass(/*UseMemorySSA=*/false));
  local.addPass(llvm::SimplifyCFGPass(quietBranches()));
  local.addPass(llvm::createFunctionToLoopPassAdaptor(llvm::LICMPass(llvm::LICMOptions()),
                                                      /*UseMemorySSA=*/true));
  local.addPass(llvm::InstCombinePass());
  // Quotients and rests are made together, what is left of pairs is taken apart.
  local.addPass(ShortenDivisions());
  local.addPass(llvm::DivRemPairsPass());

  llvm::ModulePassManager passes;
  passes.addPass(llvm::AlwaysInlinerPass(/*InsertLifetime=*/false));
  passes.addPass(llvm::GlobalDCEPass());
  passes.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(local)));
  passes.run(module, modules);
}

namespace {
class Clock {
public:
  /// Milliseconds since the last call.
  double lap() {
    auto now = std::chrono::steady_clock::now();
    double passed = std::chrono::duration<double, std::milli>(now - last).count();
    last = now;
    return passed;
  }

private:
  std::chrono::steady_clock::time_point last = std::chrono::steady_clock::now();
};
} // namespace

/// Products of 8-bit floats are the only declared instructions whose text needs a later version than their target does.
static unsigned versionOfTexts(const llvm::Module &module) {
  for (const llvm::Function &function : module) {
    llvm::StringRef text = function.getFnAttribute("tessera.ptx").getValueAsString();
    if (text.contains("mma.") && (text.contains(".e4m3") || text.contains(".e5m2"))) {
      return 84;
    }
  }
  return 0;
}

static llvm::Error verify(const llvm::Module &module) {
  std::string reason;
  llvm::raw_string_ostream os(reason);
  if (llvm::verifyModule(module, &os)) {
    return llvm::createStringError("the module is not valid LLVM IR: " + reason);
  }
  return llvm::Error::success();
}

/// The writer's text, else that of LLVM's code generator.
static llvm::Expected<std::string> writeOrGenerate(llvm::Module &module,
                                                   llvm::TargetMachine &machine,
                                                   const TargetOptions &options, EmitTimes &spent) {
  if (!options.byLLVM) {
    llvm::Expected<std::string> text = writePTX(module, options);
    if (text) {
      return text;
    }
    spent.byLLVM = llvm::toString(text.takeError());
  }
  return generate(module, machine);
}

void EmitTimes::add(const EmitTimes &other) {
  expand += other.expand;
  optimize += other.optimize;
  codegen += other.codegen;
  byLLVM = byLLVM.empty() ? other.byLLVM : byLLVM;
}

static TargetOptions withVersion(TargetOptions options, const llvm::Module &module) {
  if (options.ptxVersion == 0) {
    options.ptxVersion = std::max(lowestVersion(options.arch), versionOfTexts(module));
  }
  return options;
}

llvm::Expected<std::string> tessera::ptx::emitWhole(llvm::Module &module,
                                                    const TargetOptions &given, EmitTimes &spent) {
  Clock clock;
  TargetOptions options = withVersion(given, module);
  llvm::LLVMContext &context = module.getContext();
  bool hadNames = !context.shouldDiscardValueNames();
  context.setDiscardValueNames(true);
  llvm::scope_exit restore([&] { context.setDiscardValueNames(!hadNames); });
  llvm::Expected<std::unique_ptr<llvm::TargetMachine>> machine = createMachine(options);
  if (!machine) {
    return machine.takeError();
  }
  module.setTargetTriple((*machine)->getTargetTriple());
  module.setDataLayout((*machine)->createDataLayout());
  if (llvm::Error error = expandMarkers(module, options)) {
    return error;
  }
  keepLinesOnly(module, options.lineInfo);
  if (options.verify) {
    if (llvm::Error error = verify(module)) {
      return error;
    }
  }
  spent.expand = clock.lap();
  optimize(module, **machine);
  spent.optimize = clock.lap();
  llvm::Expected<std::string> text = writeOrGenerate(module, **machine, options, spent);
  spent.codegen = clock.lap();
  return text;
}

llvm::Expected<std::string> tessera::ptx::emitPTX(llvm::Module &module, const TargetOptions &given,
                                                  EmitTimes *times) {
  TargetOptions options = withVersion(given, module);
  // Whether there is such a target is said before anything is divided.
  if (llvm::Error error = createMachine(options).takeError()) {
    return error;
  }
  KeptFatalErrors kept;
  std::mutex guard;
  return emitInParts(module, llvm::TimePassesIsEnabled ? 1 : options.threads,
                     [&](llvm::Module &part) {
                       EmitTimes spent;
                       llvm::Expected<std::string> text = emitWhole(part, options, spent);
                       std::lock_guard<std::mutex> lock(guard);
                       if (times) {
                         times->add(spent);
                       }
                       return text;
                     });
}
