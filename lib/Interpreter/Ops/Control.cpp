// Loops and branches. A value carried from step to step has whatever factors it was yielded with.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Compiler.h"
#include "../Mutants.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

#include <memory>

using namespace tessera;
using namespace tessera::interp;

namespace {
/// A compiled block with where its values go.
struct Body {
  Code code;
  Transfer yield;

  void operator()(Machine &m) const {
    m.run(code);
    if (!m.stopped()) {
      yield(m);
      m.finish(code);
    }
  }
};

StepFn compileFor(Compiler &c, tile::ForOp op) {
  unsigned lo = c.slot(op.getLo()).index, hi = c.slot(op.getHi()).index;
  SlotRef step = c.slot(op.getStep());
  int64_t width = op.getWidth();
  bool reversed = op.getReversed();
  Transfer enter = c.transfer(op.getInits(), op.getCarried());
  auto body = std::make_shared<Body>();
  c.compile(op.getBody().front(), body->code);
  body->yield = c.transfer(op.getBody().front().getTerminator()->getOperands(), op.getCarried());
  Transfer leave = c.transfer(op.getCarried(), op.getResults());
  return [=](Machine &m) {
    if (!m.need(lo, "the first index of a loop") || !m.need(hi, "the end of a loop")) {
      return;
    }
    int64_t from = m.scalar<int64_t>(lo), to = m.scalar<int64_t>(hi);
    int64_t stride = std::max<int64_t>(width, 1);
    Wide length = std::max<Wide>(Wide(to) - from, 0);
    uint64_t steps = uint64_t((length + stride - 1) / stride);
    enter(m);
    for (uint64_t i = 0; i < steps; ++i) {
      uint64_t number =
          TESSERA_MUTANT(32, "a reversed loop ascends", reversed, false) ? steps - 1 - i : i;
      int64_t at = int64_t(from + Wide(number) * stride);
      if (width) {
        m.spans[step.index] = {at, spanStop(at, width, to)};
      } else {
        m.setIndex(step.index, at);
      }
      m.count();
      (*body)(m);
      if (m.stopped()) {
        return;
      }
    }
    leave(m);
  };
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
