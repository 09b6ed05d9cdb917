// Loops and branches. A value carried from step to step has whatever factors it was yielded with.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Mutants.h"
#include "Loop.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace tessera;
using namespace tessera::interp;

LoopPlan LoopPlan::make(Compiler &c, tile::ForOp op) {
  LoopPlan plan;
  plan.lo = c.slot(op.getLo()).index;
  plan.hi = c.slot(op.getHi()).index;
  plan.step = c.slot(op.getStep());
  plan.width = op.getWidth();
  plan.reversed = op.getReversed();
  plan.enter = c.transfer(op.getInits(), op.getCarried());
  plan.body = std::make_shared<Body>();
  mlir::Block &block = op.getBody().front();
  c.compile(block, plan.body->code);
  plan.body->yield = c.transfer(block.getTerminator()->getOperands(), op.getCarried());
  plan.leave = c.transfer(op.getCarried(), op.getResults());
  return plan;
}

std::optional<LoopPlan::Range> LoopPlan::range(Machine &m) const {
  if (!m.need(lo, "the first index of a loop") || !m.need(hi, "the end of a loop")) {
    return std::nullopt;
  }
  Range range{m.scalar<int64_t>(lo), m.scalar<int64_t>(hi), 0};
  int64_t stride = std::max<int64_t>(width, 1);
  Wide length = std::max<Wide>(Wide(range.to) - range.from, 0);
  range.steps = uint64_t((length + stride - 1) / stride);
  return range;
}

void LoopPlan::setStep(Machine &m, const Range &range, uint64_t i) const {
  uint64_t number =
      TESSERA_MUTANT(32, "a reversed loop ascends", reversed, false) ? range.steps - 1 - i : i;
  int64_t at = int64_t(range.from + Wide(number) * std::max<int64_t>(width, 1));
  if (width) {
    m.spans[step.index] = {at, spanStop(at, width, range.to)};
  } else {
    m.setIndex(step.index, at);
  }
}

void LoopPlan::run(Machine &m) const {
  std::optional<Range> steps = range(m);
  if (!steps) {
    return;
  }
  enter(m);
  for (uint64_t i = 0; i < steps->steps; ++i) {
    setStep(m, *steps, i);
    m.count();
    (*body)(m);
    if (m.stopped()) {
      return;
    }
  }
  leave(m);
}

namespace {
StepFn compileFor(Compiler &c, tile::ForOp op) {
  if (!op.getBody().front().getOps<tile::SectionOp>().empty()) {
    return compileSectionedFor(c, op);
  }
  return [plan = LoopPlan::make(c, op)](Machine &m) { plan.run(m); };
}

StepFn compileIf(Compiler &c, mlir::scf::IfOp op) {
  unsigned condition = c.slot(op.getCondition()).index;
  auto branch = [&](mlir::Region &region) {
    auto body = std::make_shared<Body>();
    if (!region.empty()) {
      c.compile(region.front(), body->code);
      body->yield = c.transfer(region.front().getTerminator()->getOperands(), op.getResults());
    }
    return body;
  };
  auto then = branch(op.getThenRegion()), otherwise = branch(op.getElseRegion());
  return [=](Machine &m) {
    if (m.need(condition, "the condition of `if`")) {
      (m.scalar<uint8_t>(condition) ? *then : *otherwise)(m);
    }
  };
}

StepFn compileWhile(Compiler &c, mlir::scf::WhileOp op) {
  mlir::Block &before = op.getBefore().front(), &after = op.getAfter().front();
  auto test = mlir::cast<mlir::scf::ConditionOp>(before.getTerminator());
  Transfer enter = c.transfer(op.getInits(), before.getArguments());
  auto first = std::make_shared<Code>();
  c.compile(before, *first);
  unsigned condition = c.slot(test.getCondition()).index;
  Transfer proceed = c.transfer(test.getArgs(), after.getArguments());
  Transfer leave = c.transfer(test.getArgs(), op.getResults());
  auto body = std::make_shared<Body>();
  c.compile(after, body->code);
  body->yield = c.transfer(after.getTerminator()->getOperands(), before.getArguments());
  return [=](Machine &m) {
    enter(m);
    while (true) {
      m.count();
      m.run(*first);
      if (m.stopped() || !m.need(condition, "the condition of `while`")) {
        return;
      }
      bool again = m.scalar<uint8_t>(condition);
      (again ? proceed : leave)(m);
      m.finish(*first);
      if (!again) {
        return;
      }
      (*body)(m);
      if (m.stopped()) {
        return;
      }
    }
  };
}
} // namespace

void tessera::interp::addControlCases(OpCases &cases) {
  cases.add<tile::ForOp>(compileFor);
  cases.add<mlir::scf::IfOp>(compileIf);
  cases.add<mlir::scf::WhileOp>(compileWhile);
}
