//===- Canonicalize.cpp - canonicalize that stays in the kernel's dialects ===//
//
// Some rewrites of scf branches and loops make ops of `arith` on the way: a selection where both sides are ready, the
// constant that a condition is known to be. Absence makes the first wrong (a select is strict, a branch takes one side
// with its absence), and no op of `arith` belongs into a kernel.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tessera/Dialect/Tile/Transforms/Passes.h"

#include "mlir/Transforms/Passes.h"

namespace tessera::tile {

std::unique_ptr<mlir::Pass> createKernelCanonicalizerPass() {
  static const std::string disabled[] = {
      "(anonymous namespace)::CombineNestedIfs",
      "(anonymous namespace)::ConditionPropagation",
      "(anonymous namespace)::ConvertTrivialIfToSelect",
      "(anonymous namespace)::ReplaceIfYieldWithConditionOrValue",
      "(anonymous namespace)::WhileConditionTruth",
  };
  return mlir::createCanonicalizerPass(mlir::GreedyRewriteConfig(), disabled);
}

} // namespace tessera::tile
