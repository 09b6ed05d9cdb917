// Barriers, fences, groups of asynchronous ops: nothing where ops run one after the other.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Adversary.h"
#include "../Compiler.h"

using namespace tessera;
using namespace tessera::interp;

namespace {
StepFn compileBarrier(Compiler &c, tile::BarrierOp op) {
  return [scope = op.getScope()](Machine &m) {
    if (m.adversary) {
      m.adversary->barrier(scope);
    }
  };
}

StepFn compileFence(Compiler &c, tile::FenceOp op) {
  return [](Machine &m) {
    if (m.adversary) {
      m.adversary->fence();
    }
  };
}

StepFn compileGroupCommit(Compiler &c, tile::GroupCommitOp op) {
  return [via = op.getVia()](Machine &m) {
    if (m.adversary) {
      m.adversary->groupCommit(via);
    }
  };
}

StepFn compileGroupWait(Compiler &c, tile::GroupWaitOp op) {
  return [via = op.getVia(), pending = uint64_t(op.getPending())](Machine &m) {
    if (m.adversary) {
      m.adversary->groupWait(via, pending);
    }
  };
}
} // namespace

void tessera::interp::addSyncCases(OpCases &cases) {
  cases.add<tile::BarrierOp>(compileBarrier);
  cases.add<tile::FenceOp>(compileFence);
  cases.add<tile::GroupCommitOp>(compileGroupCommit);
  cases.add<tile::GroupWaitOp>(compileGroupWait);
}
