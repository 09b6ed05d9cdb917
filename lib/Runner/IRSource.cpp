// Kernels from a file of IR.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "KernelSource.h"
#include "Versions.h"

#include "tessera/Dialect/Tile/DTypes.h"
#include "tessera/Dialect/Tile/Transforms/Passes.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"

using namespace tessera;

namespace {
class IRSource : public KernelSource {
public:
  explicit IRSource(mlir::OwningOpRef<mlir::ModuleOp> module) : module(std::move(module)) {}

  std::vector<std::string> kernels() override {
    std::vector<std::string> names;
    for (tile::KernelOp kernel : module->getOps<tile::KernelOp>()) {
      if (!isVersion(kernel)) {
        names.push_back(kernel.getSymName().str());
      }
    }
    return names;
  }
  bool hasKernel(llvm::StringRef name) override {
    return static_cast<bool>(module->lookupSymbol<tile::KernelOp>(name));
  }
  std::vector<Parameter> parameters(llvm::StringRef) override { return {}; }
  std::optional<Signature> signature(llvm::StringRef kernel, const Settings &, bool *) override {
    return signatureOf(module->lookupSymbol<tile::KernelOp>(kernel));
  }
  tile::KernelOp instantiate(llvm::StringRef kernel, const Settings &, bool *) override {
    return module->lookupSymbol<tile::KernelOp>(kernel);
  }
  bool hasTest(llvm::StringRef) override { return false; }
  std::optional<TestSpec> testSpec(llvm::StringRef, const Settings &) override {
    return std::nullopt;
  }
  std::optional<TestValue> resolve(llvm::StringRef, const DeferredValue &,
                                   const std::map<std::string, std::string> &) override {
    return std::nullopt;
  }

private:
  static Signature signatureOf(tile::KernelOp kernel);

  mlir::OwningOpRef<mlir::ModuleOp> module;
};

ArgMode modeOf(tile::AccessMode mode) {
  return mode == tile::AccessMode::in    ? ArgMode::In
         : mode == tile::AccessMode::out ? ArgMode::Out
                                         : ArgMode::InOut;
}
} // namespace

Signature IRSource::signatureOf(tile::KernelOp kernel) {
  Signature signature;
  const unsigned extents = kernel.getExtents();
  for (unsigned i = 0; i < kernel.getNumArguments(); ++i) {
    if (i < extents) {
      signature.extents.push_back(kernel.getArgName(i).str());
      continue;
    }
    SignatureArg argument;
    argument.name = kernel.getArgName(i).str();
    argument.dtype = dtypeOf(kernel.getArgType(i));
    argument.mode = ArgMode::Scalar;
    if (auto view = llvm::dyn_cast<tile::ViewType>(kernel.getArgType(i))) {
      argument.mode = modeOf(view.getMode());
      argument.shape = kernel.getShapeMap(i);
    }
    signature.args.push_back(std::move(argument));
  }
  return signature;
}

/// What the boundary pass asks of kernels; errors go to the context's handler.
static mlir::LogicalResult verifyKernels(mlir::ModuleOp module) {
  for (tile::KernelOp kernel : module.getOps<tile::KernelOp>()) {
    if (mlir::failed(tile::verifyKernel(kernel))) {
      return mlir::failure();
    }
  }
  return mlir::success();
}

std::unique_ptr<KernelSource>
tessera::openIRSource(llvm::StringRef path, mlir::MLIRContext &context, Reporter &reporter) {
  context.loadDialect<tile::TileDialect, mlir::scf::SCFDialect>();
  bool failed = false;
  mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() != mlir::DiagnosticSeverity::Error) {
      return mlir::success();
    }
    failed = true;
    std::string help = "correct the IR; `tile-opt` prints and checks such files";
    std::vector<std::pair<std::optional<mlir::Location>, std::string>> notes;
    for (mlir::Diagnostic &note : diagnostic.getNotes()) {
      notes.emplace_back(note.getLocation(), note.str());
    }
    reporter.report(
        makeRunnerError(RunnerDiag::source_mlir, diagnostic.str(), diagnostic.getLocation(), help));
    return mlir::success();
  });
  auto module = mlir::parseSourceFile<mlir::ModuleOp>(path, &context);
  if (!module && !failed) {
    reporter.report(
        runnerError(RunnerDiag::source_read, "correct the IR", path, "it is no module"));
  }
  if (!module || mlir::failed(verifyKernels(*module))) {
    return nullptr;
  }
  return std::make_unique<IRSource>(std::move(module));
}
