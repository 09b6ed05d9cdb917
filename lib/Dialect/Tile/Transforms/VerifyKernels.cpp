//===- VerifyKernels.cpp - what each region of a kernel may hold ----------===//
//
// Rules that no single op can check: where arrays, tiles, formulas and memory belong.
//
//   body { %m = tile.map … }      error: expected no `tile.map` in `body` …
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tessera/Dialect/Tile/Transforms/Passes.h"
#include "tessera/Dialect/Tile/TypeText.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tessera::tile {

#define GEN_PASS_DEF_VERIFYKERNELS
#include "tessera/Dialect/Tile/TilePasses.h.inc"

namespace {

enum class IndexPlace { where, body, formula };

bool isArray(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && !tensor.hasStaticShape();
}

bool isTile(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.hasStaticShape();
}

/// What `op` needs that the place does not have; empty if it may stand there.
StringRef misplaced(Operation *op, IndexPlace place) {
  bool isScf = isa<scf::IfOp, scf::WhileOp, scf::YieldOp, scf::ConditionOp>(op);
  if (!isScf && !isa_and_nonnull<TileDialect>(op->getDialect())) {
    return "a kernel is made of tile ops, `scf.if` and `scf.while`";
  }
  switch (place) {
  case IndexPlace::body:
    if (isa<MapOp, FoldOp, AtOp>(op)) {
      return "formulas belong in `reference` and `tolerance`; load and reduce tiles instead";
    }
    if (isa<RequireOp>(op)) {
      return "requirements belong in `where`; use `tile.assert`";
    }
    return "";
  case IndexPlace::where:
    if (isa<MapOp, FoldOp>(op)) {
      return "a launch is checked by scalars alone";
    }
    [[fallthrough]];
  case IndexPlace::formula:
    if (isa<scf::WhileOp, scf::ConditionOp, GridOp, ForOp>(op)) {
      return "formulas have no loops; use `tile.fold` or a recurrence";
    }
    if (isScheduleOp(op)) {
      return "what a schedule makes belongs in `body`";
    }
    if (isa<LoadOp, StoreOp, AtomicOp, AssertOp, AssumeOp, PrintOp>(op)) {
      return "formulas do not touch memory; read elements with `tile.at`";
    }
    if (isa<SpanOp, SpanStartOp, SpanStopOp, SpanIndexOp, ViewGroupOp, ViewPermuteOp, ViewSliceOp,
            ViewSplitOp>(op)) {
      return "spans and parts of views belong in `body`";
    }
    return "";
  }
  return "";
}

/// The type rules of a place: arrays only in formulas, tiles only in the body.
LogicalResult verifyTypes(Operation *op, StringRef region, IndexPlace place) {
  auto check = [&](Type type) -> LogicalResult {
    if (place != IndexPlace::formula && isArray(type)) {
      return op->emitOpError()
             << "expected no array in `" << region << "`, found `" << text(type)
             << "`: tensors with `?` extents belong in `reference` and `tolerance`";
    }
    if (place != IndexPlace::body && isTile(type)) {
      return op->emitOpError() << "expected no tile in `" << region << "`, found `" << text(type)
                               << "`: formulas work on scalars";
    }
    return success();
  };
  for (Type type : op->getOperandTypes()) {
    if (failed(check(type))) {
      return failure();
    }
  }
  for (Type type : op->getResultTypes()) {
    if (failed(check(type))) {
      return failure();
    }
  }
  return success();
}

LogicalResult verifyRegion(StringRef name, Region &region, IndexPlace place) {
  bool isGood = true;
  region.walk([&](Operation *op) {
    StringRef reason = misplaced(op, place);
    if (!reason.empty()) {
      op->emitError() << "expected no `" << op->getName() << "` in `" << name << "`: " << reason;
      isGood = false;
      return;
    }
    isGood &= succeeded(verifyTypes(op, name, place));
  });
  return success(isGood);
}

struct VerifyKernels : impl::VerifyKernelsBase<VerifyKernels> {
  void runOnOperation() override {
    if (failed(verifyKernel(getOperation()))) {
      signalPassFailure();
    }
    markAllAnalysesPreserved();
  }
};

} // namespace

LogicalResult verifyKernel(KernelOp kernel) {
  // All regions are looked at, so that one run names every violation.
  bool isGood = succeeded(verifyRegion("where", kernel.getWhere(), IndexPlace::where));
  isGood &= succeeded(verifyRegion("body", kernel.getBody(), IndexPlace::body));
  isGood &= succeeded(verifyRegion("reference", kernel.getReference(), IndexPlace::formula));
  isGood &= succeeded(verifyRegion("tolerance", kernel.getTolerance(), IndexPlace::formula));
  return success(isGood);
}

} // namespace tessera::tile
