// The ops that make, ask for and take away absence.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Compiler.h"
#include "../Mutants.h"

#include "tessera/Dialect/Tile/DTypes.h"

using namespace tessera;
using namespace tessera::interp;

namespace {
StepFn compileAbsent(Compiler &c, tile::AbsentOp op) {
  TileSlot result = c.tile(op.getResult());
  return [=](Machine &m) {
    m.makeZeroed(result.index, *result.type);
    addFactor(m.pool, m.tiles[result.index].factors, result.type->shape, result.type->allAxes(),
              m.pool.allocateZeroed(result.type->count));
  };
}

StepFn compilePresent(Compiler &c, tile::PresentOp op) {
  TileSlot x = c.tile(op.getX()), result = c.tile(op.getResult());
  return [=](Machine &m) {
    std::byte *out = m.make(result.index, *result.type);
    if (Ref mask = presence(m.pool, m.tiles[x.index].factors, x.type->shape)) {
      std::memcpy(out, mask.data(), x.type->count);
    } else {
      std::memset(out, 1, x.type->count);
    }
  };
}

StepFn compileFillAbsent(Compiler &c, tile::FillAbsentOp op) {
  TileSlot x = c.tile(op.getX()), result = c.tile(op.getResult());
  unsigned fill = c.slot(op.getFill()).index;
  SelectKernel select = c.system().select(x.type->dtype);
  if (!select) {
    return c.undefined(op, x.type->dtype);
  }
  return [=](Machine &m) {
    const TileType &type = *x.type;
    TileValue &out = m.tiles[result.index];
    Ref present = presence(m.pool, m.tiles[x.index].factors, type.shape);
    if (!present) {
      out = m.tiles[x.index];
      return;
    }
    std::byte *data = m.make(result.index, type);
    select(present.as<uint8_t>(), m.data(x.index), m.data(fill), data, type.count);
    if (TESSERA_MUTANT(10, "fill_absent keeps the factors", false, true)) {
      out.factors = m.tiles[x.index].factors;
    }
    if (Ref filled = presence(m.pool, m.tiles[fill].factors, type.shape)) {
      Ref either = m.pool.allocate(type.count);
      for (int64_t i = 0; i < type.count; ++i) {
        either.as<uint8_t>()[i] = present.as<uint8_t>()[i] | filled.as<uint8_t>()[i];
      }
      addFactor(m.pool, out.factors, type.shape, type.allAxes(), std::move(either));
    }
  };
}

StepFn compileKeepIf(Compiler &c, tile::KeepIfOp op) {
  TileSlot x = c.tile(op.getX()), condition = c.tile(op.getCondition()),
           result = c.tile(op.getResult());
  AxisSet axes = 0;
  for (int64_t axis : op.getAxes()) {
    axes |= axisBit(axis);
  }
  return [=](Machine &m) {
    const TileType &type = *x.type;
    TileValue &out = m.tiles[result.index];
    out = m.tiles[x.index];
    const TileValue &cond = m.tiles[condition.index];
    int64_t points = condition.type->count;
    // The condition has extent 1 outside `axes`: its elements and its masks lie as those over `axes` alone.
    Ref mask = m.pool.allocate(points);
    std::memcpy(mask.data(), cond.data.data(), points);
    if (Ref present = presence(m.pool, cond.factors, condition.type->shape)) {
      for (int64_t i = 0; i < points; ++i) {
        mask.as<uint8_t>()[i] &= present.as<uint8_t>()[i];
      }
    }
    if (TESSERA_MUTANT(11, "keep_if's factor over all axes", true, false)) {
      addFactor(m.pool, out.factors, type.shape, axes, mask);
    } else {
      Ref wide = m.pool.allocate(type.count);
      StridedCopy(type.shape, maskStrides(type.shape, axes), 0, 1)(mask.data(), wide.data());
      addFactor(m.pool, out.factors, type.shape, type.allAxes(), wide);
    }
    for (const Factor &factor : cond.factors) {
      // Dropped, a row without a condition would count as a row whose terms are all absent.
      if (TESSERA_MUTANT(12, "the condition's own factors dropped", true, false)) {
        addFactor(m.pool, out.factors, type.shape, factor.axes & axes, factor.mask);
      }
    }
  };
}
} // namespace

void tessera::interp::addAbsenceCases(OpCases &cases) {
  cases.add<tile::AbsentOp>(compileAbsent);
  cases.add<tile::PresentOp>(compilePresent);
  cases.add<tile::FillAbsentOp>(compileFillAbsent);
  cases.add<tile::KeepIfOp>(compileKeepIf);
}
