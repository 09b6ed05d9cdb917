// Running the NVPTX backend. What it cannot select it reports as a fatal error of the process; that is caught here.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Backend.h"

#include "tessera/Support/Mutants.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Pass.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"

#include <mutex>

using namespace tessera::ptx;

extern "C" {
void LLVMInitializeNVPTXTargetInfo();
void LLVMInitializeNVPTXTarget();
void LLVMInitializeNVPTXTargetMC();
void LLVMInitializeNVPTXAsmPrinter();
}

/// Shared memory has 32-bit addresses: half the registers and instructions. The backend has only a command line option for
/// that, which says the data layout, too.
static void initialize() {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
    auto &known = llvm::cl::getRegisteredOptions();
    if (auto found = known.find("nvptx-short-ptr"); found != known.end()) {
      static_cast<llvm::cl::opt<bool> *>(found->second)->setValue(true);
    }
  });
}

llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
tessera::ptx::createMachine(const TargetOptions &options) {
  initialize();
  llvm::Triple triple("nvptx64-nvidia-cuda");
  std::string reason;
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(triple, reason);
  if (!target) {
    return llvm::createStringError("this build of LLVM has no NVPTX backend: " + reason +
                                   "; link LLVM with the target NVPTX");
  }
  unsigned lowest = lowestVersion(options.arch);
  unsigned version = options.ptxVersion != 0 ? options.ptxVersion : lowest;
  if (version < lowest) {
    return llvm::createStringError("PTX " + llvm::Twine(version / 10) + "." +
                                   llvm::Twine(version % 10) + " does not know " +
                                   name(options.arch) + "; it takes " + llvm::Twine(lowest / 10) +
                                   "." + llvm::Twine(lowest % 10) + " or higher");
  }
  llvm::TargetOptions code;
  code.AllowFPOpFusion = TESSERA_MUTANT(563, "products and sums are fused",
                                        llvm::FPOpFusion::Strict, llvm::FPOpFusion::Fast);
  std::unique_ptr<llvm::TargetMachine> machine(target->createTargetMachine(
      triple, name(options.arch), "+ptx" + std::to_string(version), code, llvm::Reloc::PIC_,
      std::nullopt, llvm::CodeGenOptLevel::Default));
  if (!machine) {
    return llvm::createStringError("LLVM's NVPTX backend does not start for " + name(options.arch));
  }
  return machine;
}

/// Passes of the backend that a module of one thread's code is compiled without, by the names that they print.
///
/// Straight line strength reduction turns the immediate offsets of accesses, which cost nothing, into a chain of registers,
/// in time that grows with the square of a block: it was four fifths of a compilation. Loop strength reduction gives each
/// address of a loop a register of its own that is added to, where a few share one: a loop of products had 117 instructions
/// with it and has 114. How wide an access is has been decided by layout assignment. The others changed no kernel, or look for
/// what a device module has not: calls of the C library, images, variables of debuggers.
static bool isLeftOut(llvm::StringRef pass) {
  static const llvm::StringSet<> names = {"Straight line strength reduction",
                                          "Loop Strength Reduction",
                                          "GPU Load and Store Vectorizer",
                                          "Nary reassociation",
                                          "Peephole Optimizations",
                                          "Speculatively execute instructions",
                                          "Constant Hoisting",
                                          "Canonicalize Freeze Instructions in Loops",
                                          "Merge disjoint stack slots",
                                          "Expand variadic functions",
                                          "Expand memcmp() to load/stores",
                                          "Partially inline calls to library functions",
                                          "Replace intrinsics with calls to vector library",
                                          "NVPTX Image Optimizer",
                                          "NVPTX Replace Image Handles",
                                          "Live DEBUG_VALUE analysis",
                                          "Remove Redundant DEBUG_VALUE analysis"};
  return names.contains(pass);
}

namespace {
/// Takes all passes but those that are left out, and the searches for common terms that only clean up behind these.
class ShorterPassManager : public llvm::legacy::PassManager {
public:
  void add(llvm::Pass *pass) override {
    bool cleansUp = isBehindLeftOut && pass->getPassName() == "Early CSE";
    isBehindLeftOut = isLeftOut(pass->getPassName());
    if (isBehindLeftOut || cleansUp) {
      delete pass;
      return;
    }
    llvm::legacy::PassManager::add(pass);
  }

private:
  bool isBehindLeftOut = false;
};

/// Errors that the backend gives to the context, kept instead of printed.
class KeptDiagnostics : public llvm::DiagnosticHandler {
public:
  explicit KeptDiagnostics(std::string &text) : text(text) {}

  bool handleDiagnostics(const llvm::DiagnosticInfo &info) override {
    if (info.getSeverity() == llvm::DS_Error) {
      llvm::raw_string_ostream os(text);
      os << (text.empty() ? "" : "; ");
      llvm::DiagnosticPrinterRawOStream printer(os);
      info.print(printer);
    }
    return true;
  }

private:
  std::string &text;
};
} // namespace

/// Where the thread's fatal error is kept; null outside of `generate`.
static thread_local std::string *fatalReason = nullptr;

/// Keeps the text and goes back to the thread's `generate`.
static void keepFatal(void *, const char *reason, bool) {
  if (fatalReason) {
    *fatalReason = reason;
  }
  if (llvm::CrashRecoveryContext *context = llvm::CrashRecoveryContext::GetCurrent()) {
    context->HandleExit(1);
  }
}

KeptFatalErrors::KeptFatalErrors() {
  llvm::CrashRecoveryContext::Enable();
  llvm::install_fatal_error_handler(keepFatal);
}

KeptFatalErrors::~KeptFatalErrors() {
  llvm::remove_fatal_error_handler();
  llvm::CrashRecoveryContext::Disable();
}

llvm::Expected<std::string> tessera::ptx::generate(llvm::Module &module,
                                                   llvm::TargetMachine &machine) {
  llvm::LLVMContext &context = module.getContext();
  std::string reason;
  llvm::SmallString<0> text;
  std::unique_ptr<llvm::DiagnosticHandler> before = context.getDiagnosticHandler();
  context.setDiagnosticHandler(std::make_unique<KeptDiagnostics>(reason));
  bool refused = false;
  auto run = [&] {
    ShorterPassManager passes;
    llvm::raw_svector_ostream os(text);
    refused = machine.addPassesToEmitFile(passes, os, nullptr, llvm::CodeGenFileType::AssemblyFile,
                                          /*DisableVerify=*/true);
    if (!refused) {
      passes.run(module);
    }
  };
  fatalReason = &reason;
  bool survived = llvm::CrashRecoveryContext().RunSafely(run);
  fatalReason = nullptr;
  context.setDiagnosticHandler(std::move(before));
  if (refused) {
    return llvm::createStringError("LLVM's NVPTX backend does not write text");
  }
  if (!survived || !reason.empty()) {
    return llvm::createStringError("LLVM's NVPTX backend cannot compile the module: " +
                                   (reason.empty() ? "it crashed" : reason));
  }
  return std::string(text);
}
