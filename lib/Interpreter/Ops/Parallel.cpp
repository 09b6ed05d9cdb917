// Steps side by side, one thread for all, and ops that an instruction does. In order of the program each is its body.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Adversary.h"
#include "Domain.h"
#include "Loop.h"

#include "llvm/ADT/SetVector.h"

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
        m.adversary->narrowToStep(place, step, steps);
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

/// What one thread has of tiles that all have made: a few elements; the others are random bits for as long as it acts.
class ScopedShare {
public:
  ScopedShare(Machine &m, llvm::ArrayRef<TileSlot> tiles) : m(m), tiles(tiles) {
    for (const TileSlot &tile : tiles) {
      TileValue &value = m.tiles[tile.index];
      kept.push_back(value);
      Ref share = m.pool.allocate(tile.type->bytes());
      m.adversary->random.fill(*tile.type, share.data(), tile.type->count);
      size_t size = tile.type->elementSize;
      for (int64_t i = 0; i < tile.type->count; ++i) {
        if (m.adversary->random.oneIn(32)) {
          std::memcpy(share.data() + i * size, value.data.data() + i * size, size);
        }
      }
      value.data = std::move(share);
    }
  }
  ~ScopedShare() {
    for (size_t i = 0; i < kept.size(); ++i) {
      m.tiles[tiles[i].index] = std::move(kept[i]);
    }
  }

private:
  Machine &m;
  llvm::ArrayRef<TileSlot> tiles;
  llvm::SmallVector<TileValue, 2> kept;
};

/// Tiles that are made outside of the op and used in it.
llvm::SmallVector<TileSlot, 2> tilesFromOutside(Compiler &c, tile::ElectOp op) {
  llvm::SetVector<mlir::Value> found;
  op.getBody().walk([&](mlir::Operation *inner) {
    for (mlir::Value operand : inner->getOperands()) {
      bool isTile = mlir::isa<mlir::RankedTensorType>(operand.getType());
      if (isTile && !op.getBody().isAncestor(operand.getParentRegion())) {
        found.insert(operand);
      }
    }
  });
  llvm::SmallVector<TileSlot, 2> tiles;
  for (mlir::Value value : found) {
    tiles.push_back(c.tile(value));
  }
  return tiles;
}

StepFn compileElect(Compiler &c, tile::ElectOp op) {
  auto code = std::make_shared<Code>();
  c.compile(op.getBody().front(), *code);
  auto tiles = tilesFromOutside(c, op);
  return [=](Machine &m) {
    ScopedContext context(m);
    std::optional<ScopedShare> share;
    if (m.adversary) {
      m.adversary->narrowToOne();
      share.emplace(m, tiles);
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
  auto instr = mlir::SymbolTable::lookupNearestSymbolFrom<tile::InstrOp>(op, op.getInstrAttr());
  tile::ExecScope scope = instr ? instr.getScope() : tile::ExecScope::thread;
  tile::OrderClass order = instr ? instr.getOrder() : tile::OrderClass::exact;
  return [=, name = "@" + op.getInstr().str()](Machine &m) {
    ScopedContext context(m);
    if (m.adversary) {
      if (!m.adversary->comesWhole(scope, name)) {
        return;
      }
      m.adversary->context().via = via;
      m.adversary->context().order = order;
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
