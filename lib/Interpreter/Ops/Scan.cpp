// Running combinations along an axis, element by element from the identity.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Mutants.h"
#include "Lanes.h"
#include "Parts.h"

#include "tessera/Dialect/Tile/DTypes.h"

#include <memory>

using namespace tessera;
using namespace tessera::interp;

namespace {
/// Calls `visit(i)` for the positions of the axis in the direction of the scan.
template <class Visit> void alongAxis(int64_t extent, bool reverse, Visit visit) {
  for (int64_t step = 0; step < extent; ++step) {
    visit(TESSERA_MUTANT(18, "reverse scan runs forward", reverse, false) ? extent - 1 - step
                                                                          : step);
  }
}

struct ScanPlan {
  Lanes lanes;
  bool reverse = false, exclusive = false;
  size_t size = 4;
  Kernel2 combine = nullptr;
  std::byte identity[16] = {};
};

/// One block [extent][inner], all elements terms up to `prefix`. Where `starts` says so, it begins anew.
void scanBlock(const ScanPlan &plan, const std::byte *in, std::byte *out, std::byte *running,
               std::byte *next, const Terms &terms, int64_t firstElement,
               llvm::ArrayRef<uint8_t> starts) {
  int64_t inner = plan.lanes.inner, rowBytes = inner * plan.size;
  auto begin = [&] {
    for (int64_t i = 0; i < inner; ++i) {
      std::memcpy(running + i * plan.size, plan.identity, plan.size);
    }
  };
  begin();
  alongAxis(plan.lanes.extent, plan.reverse, [&](int64_t i) {
    if (!starts.empty() && starts[i]) {
      begin();
    }
    if (TESSERA_MUTANT(19, "exclusive scan includes the element", plan.exclusive, false)) {
      std::memcpy(out + i * rowBytes, running, rowBytes);
    }
    if (!terms.mask) {
      if (i < terms.prefix) {
        plan.combine(running, in + i * rowBytes, running, inner);
      }
    } else {
      plan.combine(running, in + i * rowBytes, next, inner);
      for (int64_t j = 0; j < inner; ++j) {
        if (terms.has(i, firstElement + i * inner + j)) {
          std::memcpy(running + j * plan.size, next + j * plan.size, plan.size);
        }
      }
    }
    if (!TESSERA_MUTANT(19, "exclusive scan includes the element", plan.exclusive, false)) {
      std::memcpy(out + i * rowBytes, running, rowBytes);
    }
  });
}

StepFn compileScan(Compiler &c, tile::ScanOp op) {
  TileSlot x = c.tile(op.getX()), result = c.tile(op.getResult());
  auto kind = static_cast<ReduceKind>(op.getKind());
  DType from = x.type->dtype, term = result.type->dtype;
  CastKernel cast;
  if (from != term) {
    cast = c.system().cast(from, term, Round::rne, isFloat(term) ? Overflow::inf : Overflow::wrap);
  }
  ScanPlan plan;
  plan.lanes = Lanes::of(x.type->shape, op.getAxis());
  plan.reverse = op.getReverse();
  plan.exclusive = op.getExclusive();
  plan.size = result.type->elementSize;
  plan.combine = c.system().combine(kind, term);
  if (!plan.combine || (from != term && !cast) || plan.size > sizeof(plan.identity) ||
      !c.system().identity(kind, term, plan.identity)) {
    return c.undefined(op, from);
  }
  std::vector<uint8_t> starts = ReducedDim(op).scanStarts(plan.reverse);
  return [=](Machine &m) {
    Terms terms = termsAlong(m.pool, m.tiles[x.index].factors, *x.type, plan.lanes);
    llvm::ArrayRef<uint8_t> anew;
    if (m.adversary) {
      anew = starts;
    }
    Ref source = m.tiles[x.index].data;
    if (cast) {
      source = m.pool.allocate(result.type->bytes());
      cast(m.data(x.index), source.data(), x.type->count);
    }
    std::byte *out = m.make(result.index, *result.type);
    std::byte *running = m.scratch(0, std::max<size_t>(plan.lanes.inner * plan.size, 1));
    std::byte *next = m.scratch(1, std::max<size_t>(plan.lanes.inner * plan.size, 1));
    int64_t block = plan.lanes.extent * plan.lanes.inner;
    for (int64_t o = 0; o < plan.lanes.outer; ++o) {
      scanBlock(plan, source.data() + o * block * plan.size, out + o * block * plan.size, running,
                next, terms, o * block, anew);
    }
    m.tiles[result.index].factors = m.tiles[x.index].factors;
  };
}

StepFn compileScanWith(Compiler &c, tile::ScanWithOp op) {
  TileSlot x = c.tile(op.getX()), result = c.tile(op.getResult());
  unsigned identity = c.slot(op.getIdentity()).index;
  auto combine =
      std::make_shared<ScalarRegion>(c, op.getBody(), c.type(op.getIdentity().getType()));
  Lanes lanes = Lanes::of(x.type->shape, op.getAxis());
  bool reverse = op.getReverse(), exclusive = op.getExclusive();
  return [=](Machine &m) {
    if (!m.need(identity, "the identity of `tile.scan_with`")) {
      return;
    }
    size_t size = x.type->elementSize;
    Terms terms = termsAlong(m.pool, m.tiles[x.index].factors, *x.type, lanes);
    Ref source = m.tiles[x.index].data, start = m.tiles[identity].data;
    Ref running = m.pool.allocate(size);
    std::byte *out = m.make(result.index, *result.type);
    for (int64_t lane = 0; lane < lanes.outer * lanes.inner; ++lane) {
      int64_t first = lane / lanes.inner * lanes.extent * lanes.inner + lane % lanes.inner;
      std::memcpy(running.data(), start.data(), size);
      alongAxis(lanes.extent, reverse, [&](int64_t i) {
        int64_t element = first + i * lanes.inner;
        if (exclusive) {
          std::memcpy(out + element * size, running.data(), size);
        }
        if (terms.has(i, element) && !m.stopped()) {
          (*combine)(m, running.data(), source.data() + element * size, running.data());
        }
        if (!exclusive) {
          std::memcpy(out + element * size, running.data(), size);
        }
      });
      if (m.stopped()) {
        return;
      }
    }
    m.tiles[result.index].factors = m.tiles[x.index].factors;
  };
}
} // namespace

void tessera::interp::addScanCases(OpCases &cases) {
  cases.add<tile::ScanOp>(compileScan);
  cases.add<tile::ScanWithOp>(compileScanWith);
}
