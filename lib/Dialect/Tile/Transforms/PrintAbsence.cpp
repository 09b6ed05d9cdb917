//===- PrintAbsence.cpp - remarks of the absence analysis -----------------===//
//
//   %t = tile.load %x[%r, %c]     remark: absent [[0], [1]]
//   %s = tile.reduce sum %t …     remark: absent [[0]]
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tessera/Analysis/AbsenceAnalysis.h"
#include "tessera/Dialect/Tile/Transforms/Passes.h"

using namespace mlir;

namespace tessera::tile {

#define GEN_PASS_DEF_PRINTABSENCE
#include "tessera/Dialect/Tile/TilePasses.h.inc"

namespace {

struct PrintAbsence : impl::PrintAbsenceBase<PrintAbsence> {
  using PrintAbsenceBase::PrintAbsenceBase;

  void runOnOperation() override {
    auto &analysis = getAnalysis<AbsenceAnalysis>();
    getOperation()->walk<WalkOrder::PreOrder>([&](Operation *op) { print(analysis, op); });
    markAllAnalysesPreserved();
  }

  void remark(const AbsenceAnalysis &analysis, Operation *op, Value value, const Twine &what) {
    if (!elementTypeOf(value.getType()) || isa<ViewType>(value.getType()) ||
        (namedOnly && !value.getLoc()->findInstanceOf<NameLoc>())) {
      return;
    }
    emitRemark(op->getLoc()) << what << "absent " << factorsText(analysis.factorsOf(value));
  }

  void print(const AbsenceAnalysis &analysis, Operation *op) {
    if (auto loop = dyn_cast<ForOp>(op)) {
      for (auto [i, argument] : llvm::enumerate(loop.getRegionIterArgs())) {
        remark(analysis, op, argument, "carried " + Twine(i) + ": ");
      }
    }
    for (auto [i, result] : llvm::enumerate(op->getResults())) {
      remark(analysis, op, result, op->getNumResults() > 1 ? "result " + Twine(i) + ": " : Twine());
    }
  }
};

} // namespace
} // namespace tessera::tile
