//===- FuzzMlir.cpp - fuzz target of the IR --------------------------------===//
//
// Any bytes as IR with the tile dialect: parser and verifiers; what they accept prints to text that parses to the same,
// has source text or a reason why not, survives the passes, and runs within limits.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FuzzSupport.h"

#include "tessera/Check/Random.h"
#include "tessera/Dialect/Tile/Transforms/Passes.h"

#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace tessera;

static constexpr size_t kMaxBytes = 1 << 14;

static bool isKernels(mlir::ModuleOp module) {
  bool all = !module.getBody()->empty();
  for (mlir::Operation &op : *module.getBody()) {
    auto kernel = mlir::dyn_cast<tile::KernelOp>(op);
    all &= kernel && mlir::succeeded(tile::verifyKernel(kernel));
  }
  return all;
}

llvm::ArrayRef<llvm::StringLiteral> fuzz::words() { return tileWords(); }

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  llvm::StringRef text(reinterpret_cast<const char *>(data), size);
  // Element lists and resources are MLIR's own: no op of the dialect takes them.
  if (size > kMaxBytes || text.contains("dense") || text.contains("{-#")) {
    return 0;
  }
  fuzz::Session session;
  mlir::OwningOpRef<mlir::ModuleOp> module =
      mlir::parseSourceString<mlir::ModuleOp>(text, mlir::ParserConfig(&session.context));
  if (!module) {
    return 0;
  }
  fuzz::checkPrinted(*module);
  if (!isKernels(*module)) {
    return 0;
  }
  fuzz::checkSource(*module, false);
  for (auto kernel : module->getOps<tile::KernelOp>()) {
    fuzz::runSmall(kernel, hashText(text));
  }
  mlir::PassManager pm(&session.context);
  pm.addPass(tile::createKernelCanonicalizerPass());
  pm.addPass(mlir::createCSEPass());
  pm.addNestedPass<tile::KernelOp>(tile::createVerifyKernels());
  pm.addNestedPass<tile::KernelOp>(tile::createPrintAbsence());
  fuzz::require(mlir::succeeded(pm.run(*module)),
                "the passes fail on a kernel that the verifier accepts");
  return 0;
}
