// Copies of kernels.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tessera/Schedule/KernelCopy.h"

using namespace tessera;
using namespace tessera::schedule;

mlir::OwningOpRef<tile::KernelOp> schedule::copyWithoutReference(tile::KernelOp kernel,
                                                                 mlir::IRMapping &mapping) {
  auto copy = llvm::cast<tile::KernelOp>(kernel->cloneWithoutRegions(mapping));
  for (auto [from, to] : llvm::zip_equal(kernel->getRegions(), copy->getRegions())) {
    if (&from != &kernel.getReference()) {
      from.cloneInto(&to, mapping);
    }
  }
  return copy;
}

KernelTrial::KernelTrial(tile::KernelOp original) {
  auto around = original->getParentOfType<mlir::ModuleOp>();
  module = mlir::ModuleOp::create(around.getLoc());
  (*module)->setAttrs(around->getAttrDictionary());
  mlir::Block *body = module->getBody();
  for (mlir::Operation &op : *around.getBody()) {
    if (&op == original) {
      kernel = copyWithoutReference(original, mapping).release();
      body->push_back(kernel);
    } else if (!llvm::isa<tile::KernelOp>(op)) {
      body->push_back(op.clone(mapping));
    }
  }
}
