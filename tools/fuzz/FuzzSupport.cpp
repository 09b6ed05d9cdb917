//===- FuzzSupport.cpp - properties that every program has ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FuzzSupport.h"

#include "tessera/Dialect/Tile/Equivalence.h"
#include "tessera/Interpreter/KernelRun.h"
#include "tessera/Target/Source/SourcePrinter.h"

#include "llvm/Support/raw_ostream.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Parser/Parser.h"

#include <cstdlib>

using namespace mlir;

namespace tessera::fuzz {

void require(bool holds, const llvm::Twine &text) {
  if (!holds) {
    llvm::errs() << "fuzz: " << text << "\n";
    std::abort();
  }
}

static DialectRegistry makeRegistry() {
  DialectRegistry registry;
  registry.insert<tile::TileDialect, scf::SCFDialect, func::FuncDialect>();
  return registry;
}

Session::Session()
    : context(makeRegistry(), MLIRContext::Threading::DISABLED),
      silence(&context, [](mlir::Diagnostic &) { return success(); }) {
  context.loadAllAvailableDialects();
}

static std::string textOf(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  module->print(os, OpPrintingFlags().enableDebugInfo());
  return text;
}

void checkPrinted(ModuleOp module) {
  std::string text = textOf(module);
  OwningOpRef<ModuleOp> again =
      parseSourceString<ModuleOp>(text, ParserConfig(module.getContext()));
  require(static_cast<bool>(again), "printed IR does not parse:\n" + text);
  std::string second = textOf(*again);
  require(text == second, "printed IR prints differently:\n" + text + "\n----\n" + second);
}

void checkSource(ModuleOp module, bool mustCompile) {
  std::string text;
  llvm::raw_string_ostream os(text);
  bool printed = succeeded(printSource(module, os));
  require(printed || !mustCompile, "no source for what was compiled from source");
  if (!printed) {
    return;
  }
  SourceManager sources;
  DiagnosticEngine engine(sources);
  std::unique_ptr<Program> program = Program::loadBuffer(text, "printed.tile", engine);
  auto problems = [&] {
    std::string shown;
    llvm::raw_string_ostream stream(shown);
    engine.render(stream, false);
    return shown + text;
  };
  require(program || !mustCompile,
          "printed source does not load:\n" + (program ? std::string() : problems()));
  if (!program) {
    return;
  }
  for (auto kernel : module.getOps<tile::KernelOp>()) {
    OwningOpRef<ModuleOp> again =
        program->instantiate(kernel.getSymName(), {}, *module.getContext());
    require(again || !mustCompile,
            "printed source does not compile:\n" + (again ? std::string() : problems()));
    if (!again) {
      continue;
    }
    if (auto difference = tile::findDifference(kernel, *again->getOps<tile::KernelOp>().begin())) {
      std::string shown;
      llvm::raw_string_ostream stream(shown);
      difference->print(stream);
      require(false, "printed source is another kernel: " + shown + text);
    }
  }
}

/// Work of an op that the number of its elements does not bound.
static bool isSmall(Operation *op) {
  constexpr int64_t kMaxElements = 1 << 12, kMaxProducts = 1 << 16;
  auto isLarge = [&](Type type, int64_t most) {
    auto tile = dyn_cast<RankedTensorType>(type);
    return tile && tile.hasStaticShape() && tile.getNumElements() > most;
  };
  for (Type type : op->getResultTypes()) {
    if (isLarge(type, kMaxElements)) {
      return false;
    }
  }
  for (Type type : op->getOperandTypes()) {
    if (isLarge(type, kMaxElements)) {
      return false;
    }
  }
  if (auto mma = dyn_cast<tile::MmaOp>(op)) {
    return mma.getA().getType().getNumElements() * mma.getB().getType().getDimSize(1) <=
           kMaxProducts;
  }
  return true;
}

void runSmall(tile::KernelOp kernel, uint64_t seed) {
  bool small = true;
  kernel.walk([&](Operation *op) { small &= isSmall(op); });
  for (unsigned i = 0; i < kernel.getNumArguments(); ++i) {
    auto view = dyn_cast<tile::ViewType>(kernel.getArgType(i));
    for (int64_t extent : view ? view.getShape() : llvm::ArrayRef<int64_t>()) {
      small &= ShapedType::isDynamic(extent) || extent <= 4096;
    }
  }
  if (!small) {
    return;
  }
  RunOptions options;
  options.maxSteps = 3000;
  options.maxBytes = 1 << 22;
  options.maxErrors = 3;
  std::string printed;
  llvm::raw_string_ostream os(printed);
  options.print = &os;
  (void)runKernel(kernel, {}, seed, options);
}

} // namespace tessera::fuzz
