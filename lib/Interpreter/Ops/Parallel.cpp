// Steps side by side, one thread for all, and ops that an instruction does. In order of the program each is its body.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Adversary.h"
#include "Domain.h"
#include "Loop.h"

using namespace tessera;
using namespace tessera::interp;

namespace {
/// Who runs the body is narrowed for as long as it runs.
class ScopedContext {
public:
  explicit ScopedContext(Machine &m) : adversary(m.adversary) {
    if (adversary) {
      before = adversary->context();
    }
  }
  ~ScopedContext() {
    if (adversary) {
      adversary->context() = before;
    }
  }

private:
  Adversary *adversary;
  AgentContext before;
};

StepFn compilePar(Compiler &c, tile::ParOp op) {
  mlir::Block &block = op.getBody().front();
  unsigned index = c.slot(block.getArgument(0)).index;
  auto code = std::make_shared<Code>();
  c.compile(block, *code);
  uint64_t steps = op.getSteps();
  tile::Place place = op.getPlace();
  return [=](Machine &m) {
    Shuffle shuffle(steps, m.adversary ? m.adversary->random.next() : 0);
    unsigned outer = m.storage.parStep;
    for (uint64_t i = 0; i < steps && !m.stopped(); ++i) {
      uint64_t step = m.adversary ? shuffle(i) : i;
      ScopedContext context(m);
      if (m.adversary) {
        m.adversary->narrowToStep(place, step);
      }
      if (place != tile::Place::cluster) {
        m.storage.parStep = unsigned(outer * steps + step + 1);
      }
      m.setIndex(index, int64_t(step));
      m.count();
      m.run(*code);
      if (!m.stopped()) {
        m.finish(*code);
      }
    }
    m.storage.parStep = outer;
  };
}

StepFn compileElect(Compiler &c, tile::ElectOp op) {
  auto code = std::make_shared<Code>();
  c.compile(op.getBody().front(), *code);
  return [=](Machine &m) {
    ScopedContext context(m);
    if (m.adversary) {
      m.adversary->narrowToOne();
    }
    m.run(*code);
    if (!m.stopped()) {
      m.finish(*code);
    }
  };
}

StepFn compileApply(Compiler &c, tile::ApplyOp op) {
  auto body = std::make_shared<Body>();
  mlir::Block &block = op.getBody().front();
  c.compile(block, body->code);
  body->yield = c.transfer(block.getTerminator()->getOperands(), op.getResults());
  tile::Proxy via = op.getVia();
  return [=](Machine &m) {
    ScopedContext context(m);
    if (m.adversary) {
      m.adversary->context().via = via;
    }
    (*body)(m);
  };
}
} // namespace

void tessera::interp::addParallelCases(OpCases &cases) {
  cases.add<tile::ParOp>(compilePar);
  cases.add<tile::ElectOp>(compileElect);
  cases.add<tile::ApplyOp>(compileApply);
}
