//===- TileOpt.cpp - the program `tile-opt` -------------------------------===//
//
//   .tile ──frontend──► module ──text with locations──► MlirOptMain ──► IR
//   .mlir ────────────────────────────────────────────► MlirOptMain ──► IR
//   either ─► module ─► passes ─► source printer ─► .tile text             --emit=source
//   either ─► module ─► passes ─► schedule ─► layouts ─► LLVM ─► PTX       --emit=scheduled … cubin
//   .tile ──frontend──► module ─► passes, diagnostics against comments     --verify-diagnostics
//
// The result is collected and written at once, so a failed run leaves the output file as it was.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tessera/Pipelines/TileOpt.h"

#include "DeviceOutput.h"
#include "TileInput.h"

#include "tessera/Schedule/Assign.h"
#include "tessera/Schedule/Seal.h"
#include "tessera/Target/Source/SourcePrinter.h"

#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/SourceMgr.h"
#include "mlir/IR/AsmState.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Support/Timing.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif

using namespace mlir;

namespace tessera {
namespace {

class TileOpt {
public:
  TileOpt(opt::Options options, MlirOptMainConfig config, DialectRegistry &registry)
      : options(std::move(options)), config(std::move(config)), registry(registry) {}

  int run();

private:
  LogicalResult runTile(llvm::MemoryBuffer &file, llvm::raw_ostream &os);
  LogicalResult runPiece(llvm::StringRef text, llvm::raw_ostream &os);
  LogicalResult verifyPiece(llvm::StringRef text);
  LogicalResult runSource(std::unique_ptr<llvm::MemoryBuffer> file, llvm::raw_ostream &os);
  LogicalResult runPasses(ModuleOp module);
  void prepare(MLIRContext &context);

  opt::Options options;
  MlirOptMainConfig config;
  DialectRegistry &registry;
};

} // namespace

void TileOpt::prepare(MLIRContext &context) {
  context.appendDialectRegistry(registry);
  context.loadAllAvailableDialects();
  context.allowUnregisteredDialects(config.shouldAllowUnregisteredDialects());
}

LogicalResult TileOpt::runPasses(ModuleOp module) {
  PassManager pm(module.getContext());
  if (failed(applyPassManagerCLOptions(pm)) || failed(config.setupPassPipeline(pm))) {
    return failure();
  }
  DefaultTimingManager timing;
  applyDefaultTimingManagerCLOptions(timing);
  TimingScope scope = timing.getRootScope();
  pm.enableTiming(scope);
  pm.enableVerifier(config.shouldVerifyPasses());
  return pm.run(module);
}

/// What the frontend and the passes say must be what the comments of the text expect.
LogicalResult TileOpt::verifyPiece(llvm::StringRef text) {
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  prepare(context);
  llvm::SourceMgr buffers;
  buffers.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(text, options.input),
                             llvm::SMLoc());
  SourceMgrDiagnosticVerifierHandler handler(buffers, &context, llvm::errs(),
                                             config.verifyDiagnosticsLevel());
  SourceManager sources;
  DiagnosticEngine engine(sources);
  OwningOpRef<ModuleOp> module = opt::compileTile(text, options, engine, context);
  opt::emitDiagnostics(engine, context);
  if (module) {
    // Its diagnostics are what counts, not whether it succeeds.
    (void)runPasses(*module);
  }
  return handler.verify();
}

LogicalResult TileOpt::runPiece(llvm::StringRef text, llvm::raw_ostream &os) {
  if (config.shouldVerifyDiagnostics()) {
    return verifyPiece(text);
  }
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  prepare(context);
  llvm::SourceMgr buffers;
  SourceMgrDiagnosticHandler handler(buffers, &context);
  SourceManager sources;
  DiagnosticEngine engine(sources);
  OwningOpRef<ModuleOp> module = opt::compileTile(text, options, engine, context);
  engine.render(llvm::errs());
  if (!module || (config.shouldVerifyRoundtrip() && !opt::verifySourceRoundTrip(*module))) {
    return failure();
  }
  if (options.emit == "source") {
    return success(succeeded(runPasses(*module)) && succeeded(printSource(*module, os)));
  }
  if (options.isDevice()) {
    return success(succeeded(runPasses(*module)) &&
                   succeeded(opt::emitDevice(*module, options, os)));
  }
  std::string ir;
  llvm::raw_string_ostream irStream(ir);
  module->print(irStream, OpPrintingFlags().enableDebugInfo());
  MlirOptMainConfig rest = config;
  rest.splitInputFile("").outputSplitMarker("");
  return MlirOptMain(os, llvm::MemoryBuffer::getMemBufferCopy(ir, options.input), registry, rest);
}

LogicalResult TileOpt::runTile(llvm::MemoryBuffer &file, llvm::raw_ostream &os) {
  const MlirOptMainConfig &given = config; // the non-const name of the output's marker sets it
  llvm::StringRef marker = given.inputSplitMarker(), between = given.outputSplitMarker();
  bool isDefault = marker == kDefaultSplitMarker;
  bool ok = true, first = true;
  for (const std::string &piece :
       opt::splitInput(file.getBuffer(), isDefault ? "# -----" : marker)) {
    if (!first && !between.empty()) {
      os << between << "\n";
    }
    first = false;
    ok &= succeeded(runPiece(piece, os));
  }
  return success(ok);
}

/// IR to `.tile` text, or to device code.
LogicalResult TileOpt::runSource(std::unique_ptr<llvm::MemoryBuffer> file, llvm::raw_ostream &os) {
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  prepare(context);
  llvm::SourceMgr buffers;
  buffers.AddNewSourceBuffer(std::move(file), llvm::SMLoc());
  SourceMgrDiagnosticHandler handler(buffers, &context);
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(buffers, ParserConfig(&context));
  if (!module || failed(runPasses(*module))) {
    return failure();
  }
  return options.isDevice() ? opt::emitDevice(*module, options, os) : printSource(*module, os);
}

int TileOpt::run() {
  std::string problem;
  std::unique_ptr<llvm::MemoryBuffer> file = openInputFile(options.input, &problem);
  if (!file) {
    return opt::usageError(problem, "give the path of a readable `.tile` or `.mlir` file");
  }
  if (options.isTile() && options.kernel.empty() && !options.settings.values.empty()) {
    if (size_t kernels = opt::countKernels(file->getBuffer()); kernels > 1) {
      return opt::usageError("`--set` is given for a file of " + llvm::Twine(kernels) + " kernels",
                             "say which one is meant: `--kernel=NAME`");
    }
  }
  std::string result;
  llvm::raw_string_ostream os(result);
  LogicalResult done = options.isTile() ? runTile(*file, os)
                       : options.emit == "source" || options.isDevice()
                           ? runSource(std::move(file), os)
                           : MlirOptMain(os, std::move(file), registry, config);
  if (failed(done)) {
    // As mlir-opt: what was printed of a failed run still shows, in no file.
    if (options.output == "-") {
      llvm::outs() << result;
    }
    return 1;
  }
  llvm::Error error = llvm::writeToOutput(options.output, [&](llvm::raw_ostream &stream) {
    stream << result;
    return llvm::Error::success();
  });
  if (error) {
    return opt::usageError("cannot write `" + options.output +
                               "`: " + llvm::toString(std::move(error)),
                           "give a file in a folder that can be written to");
  }
  return 0;
}

/// A compilation is short and its memory grows to the end: what is given back is soon asked for again, a page at a time.
static void keepMemory() {
#ifdef __GLIBC__
  mallopt(M_TOP_PAD, 16 << 20);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
#endif
}

int tileOptMain(int argc, char **argv, DialectRegistry &registry) {
  keepMemory();
  llvm::InitLLVM init(argc, argv);
  registerSealPass();
  schedule::registerAssignPass();
  std::string header = registerCLIOptions("Tessera compiler\n", registry);
  // Kept to the end: the options of passes are pieces of these texts.
  std::vector<std::string> arguments = opt::translateArguments(argc, argv);
  std::optional<opt::Options> options = opt::parseOptions(arguments, header);
  if (!options) {
    return 2;
  }
  MlirOptMainConfig config = MlirOptMainConfig::createFromCLOptions();
  if (config.shouldShowDialects() || config.shouldListPasses() || config.shouldRunReproducer()) {
    return asMainReturnCode(MlirOptMain(argc, argv, options->input, options->output, registry));
  }
  return TileOpt(std::move(*options), std::move(config), registry).run();
}

} // namespace tessera
