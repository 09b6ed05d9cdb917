// The steps of a round trip.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RoundTripTesting.h"

#include "tessera/Dialect/Tile/Transforms/Passes.h"
#include "tessera/Target/Source/SourcePrinter.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

namespace tessera::roundtriptest {

mlir::MLIRContext &context() {
  static mlir::MLIRContext *instance = [] {
    auto *made = new mlir::MLIRContext(mlir::MLIRContext::Threading::DISABLED);
    made->loadDialect<tile::TileDialect, mlir::scf::SCFDialect>();
    return made;
  }();
  return *instance;
}

namespace {
/// Diagnostics of the context as text while it lives.
struct Collected {
  explicit Collected(std::string &problems)
      : handler(&context(), [&problems](mlir::Diagnostic &diagnostic) {
          problems += diagnostic.str() + "\n";
          return mlir::success();
        }) {}
  mlir::ScopedDiagnosticHandler handler;
};
} // namespace

Module compile(llvm::StringRef text, llvm::StringRef name, const Settings &settings,
               std::string &problems) {
  SourceManager sources;
  DiagnosticEngine engine(sources);
  Module module;
  if (std::unique_ptr<Program> program = Program::loadBuffer(text, "test.tile", engine)) {
    module = program->instantiate(name, settings, context());
  }
  llvm::raw_string_ostream os(problems);
  engine.render(os, false);
  return module;
}

Module parse(llvm::StringRef text, std::string &problems) {
  Collected collected(problems);
  return mlir::parseSourceString<mlir::ModuleOp>(text, mlir::ParserConfig(&context()));
}

std::string printIR(mlir::ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  module->print(os);
  return text;
}

bool simplify(mlir::ModuleOp module) {
  mlir::PassManager pm(&context());
  pm.addPass(tile::createKernelCanonicalizerPass());
  pm.addPass(mlir::createCSEPass());
  pm.addNestedPass<tile::KernelOp>(tile::createVerifyKernels());
  return mlir::succeeded(pm.run(module));
}

std::string printedSource(mlir::ModuleOp module, std::string &problems) {
  Collected collected(problems);
  std::string text;
  llvm::raw_string_ostream os(text);
  return mlir::succeeded(printSource(module, os)) ? text : std::string();
}

tile::KernelOp kernelOf(const Module &module) {
  mlir::ModuleOp op = module.get();
  return *op.getOps<tile::KernelOp>().begin();
}

/// Prints, compiles, compares.
static std::string checkSource(const Module &module, llvm::StringRef name, const char *what) {
  std::string problems;
  std::string text = printedSource(*module, problems);
  if (text.empty()) {
    return std::string(what) + " has no source: " + problems;
  }
  Module again = compile(text, name, {}, problems);
  if (!again) {
    return std::string(what) + ": its source does not compile:\n" + problems + text;
  }
  std::string shown;
  llvm::raw_string_ostream os(shown);
  if (std::optional<tile::KernelDifference> difference =
          tile::findDifference(kernelOf(module), kernelOf(again))) {
    difference->print(os);
    return std::string(what) + ": its source is another kernel: " + shown + text;
  }
  return "";
}

std::string checkRoundTrip(llvm::StringRef text, llvm::StringRef name, const Settings &settings,
                           const std::map<std::string, int64_t> &extents, uint64_t seed,
                           bool mustRun, bool *ran) {
  std::string problems;
  Module module = compile(text, name, settings, problems);
  if (!module) {
    return "does not compile:\n" + problems;
  }
  RunOptions options;
  options.maxSteps = 2'000'000;
  std::optional<KernelRun> first = runKernel(kernelOf(module), extents, seed, options);
  if (mustRun && (!first || !first->errors.empty())) {
    return first ? "the run fails: " + first->errors.front() : std::string("cannot be launched");
  }
  Module parsed = parse(printIR(*module), problems);
  if (!parsed) {
    return "the IR does not parse: " + problems;
  }
  if (std::optional<tile::KernelDifference> difference =
          tile::findDifference(kernelOf(module), kernelOf(parsed))) {
    return "the IR parses to another kernel: " + difference->text;
  }
  if (std::string wrong = checkSource(parsed, name, "the IR"); !wrong.empty()) {
    return wrong;
  }
  Collected collected(problems);
  if (!simplify(*parsed)) {
    return "passes fail: " + problems;
  }
  if (first && first->errors.empty()) {
    if (ran) {
      *ran = true;
    }
    std::optional<KernelRun> second = runKernel(kernelOf(parsed), extents, seed, options);
    if (!second) {
      return "the simplified kernel cannot be launched";
    }
    if (std::string wrong = first->difference(*second); !wrong.empty()) {
      return "the simplified kernel gives something else: " + wrong;
    }
  }
  return checkSource(parsed, name, "the simplified IR");
}

} // namespace tessera::roundtriptest
