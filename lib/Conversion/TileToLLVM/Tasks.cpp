// Launch domains whose points a CTA takes one after the other, steps side by side, checked conditions.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Control.h"

#include "tessera/Support/Mutants.h"

using namespace tessera;
using namespace tessera::convert;
using mlir::failed;
using mlir::failure;
using mlir::LogicalResult;
using mlir::Operation;
using mlir::success;

/// The point that comes as number `i` (i32) where `grouped` steps of the first of two axes come together.
static llvm::Value *groupedPoint(Lowering &l, tile::TasksOp tasks, llvm::Value *i) {
  int64_t grouped = tasks.getGrouped();
  if (grouped == 0) {
    return i;
  }
  auto &b = l.b;
  auto steps = [&](unsigned axis) {
    return b.CreateTrunc(stepsOf(l, l.scalar(tasks.getLows()[axis]),
                                 l.scalar(tasks.getHighs()[axis]), tasks.getWidths()[axis]),
                         b.getInt32Ty());
  };
  llvm::Value *rows = steps(0), *columns = steps(1), *together = l.i32(grouped);
  llvm::Value *size = b.CreateMul(together, columns);
  llvm::Value *first = b.CreateMul(b.CreateUDiv(i, size), together), *rest = b.CreateURem(i, size);
  llvm::Value *height = TESSERA_MUTANT(
      518, "the last group of tasks is as high as others",
      b.CreateBinaryIntrinsic(llvm::Intrinsic::umin, together, b.CreateSub(rows, first)), together);
  llvm::Value *row = b.CreateAdd(first, b.CreateURem(rest, height));
  return b.CreateAdd(b.CreateMul(row, columns), b.CreateUDiv(rest, height));
}

/// CTA b of G takes the points b, b + G, …
static LogicalResult lowerTasks(Lowering &l, Operation *op) {
  auto tasks = llvm::cast<tile::TasksOp>(op);
  auto &b = l.b;
  mlir::Block &body = tasks.getBody().front();
  llvm::Value *points = l.i64(1);
  for (auto [lo, hi, width] : llvm::zip(tasks.getLows(), tasks.getHighs(), tasks.getWidths())) {
    points = b.CreateMul(points, stepsOf(l, l.scalar(lo), l.scalar(hi), width));
  }
  llvm::Value *first = b.CreateZExt(l.marker("ctaid", b.getInt32Ty(), {}), b.getInt64Ty());
  llvm::Value *ctas = b.CreateZExt(l.marker("nctaid", b.getInt32Ty(), {}), b.getInt64Ty());
  // Rounds of this CTA: a CTA beyond the last point has none.
  llvm::Value *left = b.CreateSub(points, first);
  left = b.CreateBinaryIntrinsic(llvm::Intrinsic::smax, left, l.i64(0));
  llvm::Value *rounds =
      b.CreateUDiv(TESSERA_MUTANT(517, "the last round of tasks is left out",
                                  b.CreateAdd(left, b.CreateSub(ctas, l.i64(1))), left),
                   ctas);
  return countedLoop(l, l.i64(0), rounds, [&](llvm::Value *round) {
    // What a task left in shared memory may still be read by some threads.
    if (TESSERA_MUTANT(519, "a task takes shared memory from the one before", true, false)) {
      l.barrier();
    }
    llvm::Value *number = b.CreateAdd(first, b.CreateMul(round, ctas));
    bindPoint(l, body, tasks.getLows(), tasks.getHighs(), tasks.getWidths(),
              groupedPoint(l, tasks, b.CreateTrunc(number, b.getInt32Ty())));
    return l.block(body);
  });
}

/// Steps have no order among them, so all threads may do one after the other: that is what this does. The elements of a step are
/// spread over the threads as everywhere.
static LogicalResult lowerPar(Lowering &l, Operation *op) {
  auto par = llvm::cast<tile::ParOp>(op);
  mlir::Block &body = par.getBody().front();
  return countedLoop(l, l.i64(0), l.i64(par.getSteps()), [&](llvm::Value *number) {
    if (TESSERA_MUTANT(520, "steps side by side share memory", true, false)) {
      l.barrier(); // shared memory of a step is the next one's
    }
    l.setScalar(body.getArgument(0), number);
    return l.block(body);
  });
}

/// Every present element of the condition holds, or the simulator says so.
static LogicalResult lowerAssert(Lowering &l, Operation *op) {
  auto check = llvm::cast<tile::AssertOp>(op);
  const TileValue &condition = l.tile(check.getCondition());
  llvm::Value *all = nullptr;
  for (int64_t reg = 0; reg < condition.dist.regs(); ++reg) {
    llvm::Value *holds = condition.regs[reg];
    if (llvm::Value *isThere = l.both(l.present(condition, reg), l.inside(condition, reg))) {
      llvm::Value *isAbsent = l.b.CreateNot(isThere);
      holds = TESSERA_MUTANT(521, "absent elements fail a check", l.b.CreateOr(holds, isAbsent),
                             l.b.CreateAnd(holds, isThere));
    }
    all = l.both(all, holds);
  }
  llvm::Value *text = l.b.CreateGlobalString(check.getText(), "assert");
  l.marker("assert", l.b.getVoidTy(), {l.bit(all), text});
  return success();
}

LowerOp convert::parallelOp(Operation *op) {
  return llvm::TypeSwitch<Operation *, LowerOp>(op)
      .Case<tile::TasksOp>([](auto) { return lowerTasks; })
      .Case<tile::ParOp>([](auto) { return lowerPar; })
      .Case<tile::AssertOp>([](auto) { return lowerAssert; })
      .Default([](Operation *) { return nullptr; });
}
