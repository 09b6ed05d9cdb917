// Control: the grid, loops, branches. Carried values are variables of the thread, which LLVM promotes to registers.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Control.h"

#include "tessera/Dialect/Tile/Structure.h"
#include "tessera/Support/Mutants.h"

using namespace tessera;
using namespace tessera::convert;
using llvm::SmallVector;
using mlir::failed;
using mlir::failure;
using mlir::LogicalResult;
using mlir::Operation;
using mlir::success;

//===- carried values -----------------------------------------------------===//

Carried::Carried(Lowering &l, mlir::Value value) : value(value) {
  if (llvm::isa<tile::SpanType>(value.getType())) {
    for (int i = 0; i < 2; ++i) {
      variables.push_back(l.variable(l.b.getInt64Ty()));
    }
    return;
  }
  auto type = llvm::dyn_cast<mlir::RankedTensorType>(value.getType());
  llvm::Type *held = l.registerOf(value.getType());
  if (type) {
    shape.assign(type.getShape().begin(), type.getShape().end());
    dist = schedule::distOf(value).value_or(Dist::inRegisters(type.getShape()));
  }
  for (int64_t reg = 0; reg < dist.regs(); ++reg) {
    variables.push_back(l.variable(held));
  }
  for (AxisSet axes : l.absence.factorsOf(value)) {
    Factor factor;
    factor.axes = axes;
    factor.dist = dist.along(axes, shape.size());
    for (int64_t reg = 0; reg < factor.dist.regs(); ++reg) {
      factor.bits.push_back(l.variable(l.b.getInt1Ty()));
    }
    factors.push_back(std::move(factor));
  }
}

void Carried::store(Lowering &l, mlir::Value from) {
  if (llvm::isa<tile::SpanType>(from.getType())) {
    const SpanValue &span = l.spans.at(from);
    l.b.CreateStore(span.start, variables[0]);
    l.b.CreateStore(span.stop, variables[1]);
    return;
  }
  const TileValue &tile = l.tile(from);
  for (auto [variable, reg] : llvm::zip(variables, tile.regs)) {
    l.b.CreateStore(reg, variable);
  }
  for (const Factor &factor : factors) {
    for (int64_t reg = 0; reg < factor.dist.regs(); ++reg) {
      Coords coords = factor.dist.regCoords(reg, shape.size());
      llvm::Value *all = nullptr;
      for (const Factor &given : tile.factors) {
        if (given.axes == factor.axes) {
          all = l.both(all, l.holds(given, dist, coords));
        }
      }
      l.b.CreateStore(l.bit(TESSERA_MUTANT(459, "carried elements are all present", all,
                                           static_cast<llvm::Value *>(nullptr))),
                      factor.bits[reg]);
    }
  }
}

void Carried::load(Lowering &l, mlir::Value to) const {
  if (auto type = llvm::dyn_cast<tile::SpanType>(to.getType())) {
    l.spans[to] = {l.b.CreateLoad(l.b.getInt64Ty(), variables[0]),
                   l.b.CreateLoad(l.b.getInt64Ty(), variables[1]), type.getWidth()};
    return;
  }
  TileValue tile;
  tile.dist = dist;
  tile.shape = shape;
  llvm::Type *held = l.registerOf(to.getType());
  for (llvm::Value *variable : variables) {
    tile.regs.push_back(l.b.CreateLoad(held, variable));
  }
  for (const Factor &factor : factors) {
    Factor now = factor;
    for (llvm::Value *&bit : now.bits) {
      bit = l.b.CreateLoad(l.b.getInt1Ty(), bit);
    }
    tile.factors.push_back(std::move(now));
  }
  l.set(to, std::move(tile));
}

std::vector<Carried> convert::carriedOf(Lowering &l, mlir::ValueRange values) {
  std::vector<Carried> carried;
  for (mlir::Value value : values) {
    carried.emplace_back(l, value);
  }
  return carried;
}

void convert::storeAll(Lowering &l, llvm::MutableArrayRef<Carried> carried, mlir::ValueRange from) {
  // All are read before any is written: a step may swap them.
  for (auto [each, value] : llvm::zip(carried, from)) {
    each.store(l, value);
  }
}

void convert::loadAll(Lowering &l, llvm::ArrayRef<Carried> carried, mlir::ValueRange to) {
  for (auto [each, value] : llvm::zip(carried, to)) {
    each.load(l, value);
  }
}

//===- the grid -----------------------------------------------------------===//

/// Steps of [lo, hi) by a width of 0 (indices) or more: i64, not negative.
llvm::Value *convert::stepsOf(Lowering &l, llvm::Value *lo, llvm::Value *hi, int64_t width) {
  llvm::Value *length = l.b.CreateSub(hi, lo);
  llvm::Value *positive = l.b.CreateSelect(l.b.CreateICmpSGT(hi, lo), length, l.i64(0));
  length = TESSERA_MUTANT(456, "ranges are run from behind", positive,
                          l.b.CreateBinaryIntrinsic(llvm::Intrinsic::abs, length, l.b.getFalse()));
  if (width <= 1) {
    return length;
  }
  // Without a sum that could wrap.
  llvm::Value *whole = l.b.CreateUDiv(length, l.i64(width));
  llvm::Value *rest = l.b.CreateURem(length, l.i64(width));
  llvm::Value *last = l.b.CreateZExt(l.b.CreateICmpNE(rest, l.i64(0)), l.b.getInt64Ty());
  return TESSERA_MUTANT(455, "the last step of a loop is left out", l.b.CreateAdd(whole, last),
                        whole);
}

void convert::bindStep(Lowering &l, mlir::Value step, llvm::Value *lo, llvm::Value *hi,
                       int64_t width, llvm::Value *number) {
  if (width == 0) {
    l.setScalar(step, l.b.CreateAdd(lo, number));
    return;
  }
  SpanValue span;
  span.width = width;
  span.start = l.b.CreateAdd(lo, l.b.CreateMul(number, l.i64(width)));
  llvm::Value *end = l.b.CreateAdd(span.start, l.i64(width));
  span.stop = l.b.CreateBinaryIntrinsic(llvm::Intrinsic::smin, end, hi);
  if (l.isWhole(step)) {
    span.stop = end;
  }
  l.spans[step] = span;
}

void convert::bindPoint(Lowering &l, mlir::Block &body, mlir::ValueRange lows,
                        mlir::ValueRange highs, llvm::ArrayRef<int64_t> widths,
                        llvm::Value *number) {
  llvm::Value *rest = number;
  for (size_t axis = body.getNumArguments(); axis-- > 0;) {
    llvm::Value *lo = l.scalar(lows[axis]), *hi = l.scalar(highs[axis]);
    llvm::Value *step = rest;
    if (axis > 0) {
      llvm::Value *steps = l.b.CreateTrunc(stepsOf(l, lo, hi, widths[axis]), l.b.getInt32Ty());
      step = l.b.CreateURem(rest, steps);
      rest = l.b.CreateUDiv(rest, steps);
    }
    bindStep(l, body.getArgument(axis), lo, hi, widths[axis],
             l.b.CreateZExt(step, l.b.getInt64Ty()));
  }
}

static LogicalResult lowerGrid(Lowering &l, Operation *op) {
  auto grid = llvm::cast<tile::GridOp>(op);
  mlir::Block &body = grid.getBody().front();
  bindPoint(l, body, grid.getLows(), grid.getHighs(), grid.getWidths(),
            l.marker("ctaid", l.b.getInt32Ty(), {}));
  return l.block(body);
}

//===- loops --------------------------------------------------------------===//

static llvm::BasicBlock *newBlock(Lowering &l, const llvm::Twine &name) {
  return llvm::BasicBlock::Create(l.module.getContext(), name, l.function);
}

LogicalResult convert::countedLoop(Lowering &l, llvm::Value *first, llvm::Value *end,
                                   llvm::function_ref<LogicalResult(llvm::Value *)> body) {
  llvm::AllocaInst *counter = l.variable(l.b.getInt64Ty(), "step");
  l.b.CreateStore(first, counter);
  llvm::BasicBlock *head = newBlock(l, "head"), *inside = newBlock(l, "loop"),
                   *after = newBlock(l, "after");
  l.b.CreateBr(head);
  l.b.SetInsertPoint(head);
  llvm::Value *number = l.b.CreateLoad(l.b.getInt64Ty(), counter);
  l.b.CreateCondBr(l.b.CreateICmpSLT(number, end), inside, after);
  l.b.SetInsertPoint(inside);
  if (failed(body(number))) {
    return failure();
  }
  l.b.CreateStore(l.b.CreateAdd(number, l.i64(1)), counter);
  l.b.CreateBr(head);
  l.b.SetInsertPoint(after);
  return success();
}

/// In a loop a slot is acquired after the step before released one, wherever that stands; so are those of loops within.
static void expectReleases(Lowering &l, Operation *loop) {
  loop->walk([&](tile::AcquireOp acquire) { l.released.insert(acquire.getRing()); });
}

static LogicalResult lowerFor(Lowering &l, Operation *op) {
  auto loop = llvm::cast<tile::ForOp>(op);
  if (tile::isMadeOfSections(loop)) {
    return lowerPipelined(l, loop);
  }
  expectReleases(l, loop);
  mlir::Block &body = loop.getBody().front();
  std::vector<Carried> carried = carriedOf(l, loop.getCarried());
  storeAll(l, carried, loop.getInits());
  llvm::Value *lo = l.scalar(loop.getLo()), *hi = l.scalar(loop.getHi());
  llvm::Value *steps = stepsOf(l, lo, hi, loop.getWidth());
  LogicalResult done = countedLoop(l, l.i64(0), steps, [&](llvm::Value *number) {
    if (loop.getReversed()) {
      llvm::Value *last = l.b.CreateSub(steps, l.i64(1));
      number = l.b.CreateSub(
          TESSERA_MUTANT(457, "loops downwards begin a step too far", last, steps), number);
    }
    bindStep(l, loop.getStep(), lo, hi, loop.getWidth(), number);
    loadAll(l, carried, loop.getCarried());
    if (failed(l.block(body))) {
      return failure();
    }
    storeAll(l, carried, body.getTerminator()->getOperands());
    return success();
  });
  loadAll(l, carried, loop.getResults());
  return done;
}

static LogicalResult lowerWhile(Lowering &l, Operation *op) {
  auto loop = llvm::cast<mlir::scf::WhileOp>(op);
  expectReleases(l, loop);
  std::vector<Carried> before = carriedOf(l, loop.getBefore().getArguments());
  std::vector<Carried> after = carriedOf(l, loop.getResults());
  storeAll(l, before, loop.getInits());
  llvm::BasicBlock *head = newBlock(l, "while"), *inside = newBlock(l, "do"),
                   *end = newBlock(l, "done");
  l.b.CreateBr(head);
  l.b.SetInsertPoint(head);
  loadAll(l, before, loop.getBefore().getArguments());
  if (failed(l.block(loop.getBefore().front()))) {
    return failure();
  }
  auto condition = llvm::cast<mlir::scf::ConditionOp>(loop.getBefore().front().getTerminator());
  storeAll(l, after, condition.getArgs());
  l.b.CreateCondBr(l.scalar(condition.getCondition()), inside, end);
  l.b.SetInsertPoint(inside);
  loadAll(l, after, loop.getAfter().getArguments());
  if (failed(l.block(loop.getAfter().front()))) {
    return failure();
  }
  storeAll(l, before, loop.getAfter().front().getTerminator()->getOperands());
  l.b.CreateBr(head);
  l.b.SetInsertPoint(end);
  loadAll(l, after, loop.getResults());
  return success();
}

static LogicalResult lowerIf(Lowering &l, Operation *op) {
  auto branch = llvm::cast<mlir::scf::IfOp>(op);
  std::vector<Carried> results = carriedOf(l, branch.getResults());
  llvm::BasicBlock *blocks[] = {newBlock(l, "then"), newBlock(l, "else")}, *end = newBlock(l, "fi");
  const TileValue &condition = l.tile(branch.getCondition());
  // An absent condition counts as false.
  llvm::Value *isTrue = l.both(condition.regs.front(), l.present(condition, 0));
  l.b.CreateCondBr(isTrue, blocks[0], blocks[1]);
  for (auto [number, region] : llvm::enumerate(branch->getRegions())) {
    l.b.SetInsertPoint(blocks[number]);
    if (!region.empty()) {
      if (failed(l.block(region.front()))) {
        return failure();
      }
      storeAll(l, results, region.front().getTerminator()->getOperands());
    }
    l.b.CreateBr(end);
  }
  l.b.SetInsertPoint(end);
  loadAll(l, results, branch.getResults());
  return success();
}

/// One thread of the CTA.
static LogicalResult lowerElect(Lowering &l, Operation *op) {
  auto elect = llvm::cast<tile::ElectOp>(op);
  llvm::BasicBlock *inside = newBlock(l, "elected"), *end = newBlock(l, "all");
  llvm::Value *isFirst = l.b.CreateICmpEQ(l.b.CreateOr(l.lane(), l.warp()), l.i32(0));
  l.b.CreateCondBr(isFirst, inside, end);
  l.b.SetInsertPoint(inside);
  l.isElected = true;
  LogicalResult done = l.block(elect.getBody().front());
  l.isElected = false;
  if (failed(done)) {
    return failure();
  }
  l.b.CreateBr(end);
  l.b.SetInsertPoint(end);
  return success();
}

//===- statements ---------------------------------------------------------===//

/// Ends of regions are read by the op around them; what is said of a program makes no code.
static LogicalResult lowerNothing(Lowering &, Operation *) { return success(); }

LowerOp convert::controlOp(Operation *op) {
  return llvm::TypeSwitch<Operation *, LowerOp>(op)
      .Case<tile::GridOp>([](auto) { return lowerGrid; })
      .Case<tile::ForOp>([](auto) { return lowerFor; })
      .Case<tile::ElectOp>([](auto) { return lowerElect; })
      .Case<mlir::scf::IfOp>([](auto) { return lowerIf; })
      .Case<mlir::scf::WhileOp>([](auto) { return lowerWhile; })
      .Case<tile::YieldOp, mlir::scf::YieldOp, mlir::scf::ConditionOp, tile::AssumeOp,
            tile::PrintOp>([](auto) { return lowerNothing; })
      .Default([](Operation *) { return nullptr; });
}
