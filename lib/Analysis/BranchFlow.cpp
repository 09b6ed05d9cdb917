//===- BranchFlow.cpp - edges between the regions of an op ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BranchFlow.h"

using namespace mlir;

void tessera::visitEdges(RegionBranchOpInterface branch,
                         llvm::function_ref<void(Value source, Value target)> flow) {
  auto along = [&](OperandRange from, RegionSuccessor &to) {
    for (auto [source, target] : llvm::zip(from, to.getSuccessorInputs())) {
      flow(source, target);
    }
  };
  SmallVector<RegionSuccessor> successors;
  branch.getSuccessorRegions(RegionBranchPoint::parent(), successors);
  for (RegionSuccessor &to : successors) {
    along(branch.getEntrySuccessorOperands(to), to);
  }
  for (Region &region : branch->getRegions()) {
    for (Block &block : region) {
      auto end = block.empty() ? RegionBranchTerminatorOpInterface()
                               : dyn_cast<RegionBranchTerminatorOpInterface>(block.back());
      if (!end) {
        continue;
      }
      successors.clear();
      branch.getSuccessorRegions(RegionBranchPoint(end), successors);
      for (RegionSuccessor &to : successors) {
        along(end.getSuccessorOperands(to), to);
      }
    }
  }
}
