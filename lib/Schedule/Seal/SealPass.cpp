//===- SealPass.cpp - the pass `tile-seal` --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tessera/Schedule/Seal.h"

#include "mlir/IR/BuiltinOps.h"

using namespace mlir;

namespace tessera {
namespace {

struct SealPass : PassWrapper<SealPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(SealPass)

  SealPass() = default;
  SealPass(const SealPass &other) : PassWrapper(other) {}

  StringRef getArgument() const override { return "tile-seal"; }
  StringRef getDescription() const override {
    return "prove that every interleaving of a scheduled kernel means its source";
  }

  void runOnOperation() override {
    SealOptions options;
    options.target = target;
    bool isSealed = true;
    std::string text;
    for (auto kernel : getOperation().getOps<tile::KernelOp>()) {
      // A solver for each kernel: names of one kernel are nothing to the next.
      solver::ExprContext context;
      solver::Solver solver(context);
      SealReport found = seal(kernel, solver, options);
      isSealed &= found.isSealed();
      text += "seal `" + kernel.getSymName().str() +
              "`: " + (found.isSealed() ? "sealed" : "open") + "\n" + found.table();
    }
    if (report) {
      llvm::outs() << text;
    }
    if (!isSealed) {
      signalPassFailure();
    }
    markAllAnalysesPreserved();
  }

  Option<bool> report{*this, "report", llvm::cl::desc("print the table of obligations"),
                      llvm::cl::init(false)};
  Option<std::string> target{*this, "target", llvm::cl::desc("target whose limits hold"),
                             llvm::cl::init("sm_80")};
};

} // namespace

std::unique_ptr<Pass> createSealPass() { return std::make_unique<SealPass>(); }

void registerSealPass() { PassRegistration<SealPass>(); }

} // namespace tessera
