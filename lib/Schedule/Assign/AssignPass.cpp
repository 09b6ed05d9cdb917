// --tile-assign: layout assignment as a pass over the kernels of a module.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tessera/Schedule/Assign.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassRegistry.h"

using namespace tessera;

namespace {
class AssignPass : public mlir::PassWrapper<AssignPass, mlir::OperationPass<mlir::ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(AssignPass)
  llvm::StringRef getArgument() const override { return "tile-assign"; }
  llvm::StringRef getDescription() const override {
    return "distribute the tiles of sealed kernels over the threads of a CTA";
  }
  void runOnOperation() override {
    for (tile::KernelOp kernel : getOperation().getOps<tile::KernelOp>()) {
      if (mlir::failed(schedule::assignLayouts(kernel))) {
        return signalPassFailure();
      }
    }
  }
};
} // namespace

std::unique_ptr<mlir::Pass> schedule::createAssignPass() { return std::make_unique<AssignPass>(); }

void schedule::registerAssignPass() {
  mlir::registerPass([] { return createAssignPass(); });
}
