// The matrix product. An index k that either operand's factor over k excludes is skipped; every other absent element is
// +0 and is multiplied, which is worth a warning, because it then matters how the product was cut into tiles.
//
// An instruction knows no absence: under the adversary it multiplies what the lanes hold.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Compiler.h"
#include "../Mutants.h"
#include "Parts.h"

using namespace tessera;
using namespace tessera::interp;

namespace {
/// What one operand's factors mean: `alone` over its own row or column, `inside` over both axes, `along` over k.
struct OperandFactors {
  const Factor *alone = nullptr, *inside = nullptr, *along = nullptr, *everywhere = nullptr;

  OperandFactors(const Factors &factors, unsigned kAxis) {
    for (const Factor &factor : factors) {
      (factor.axes == axisBit(kAxis) ? along
       : factor.axes == 3            ? inside
       : factor.axes == 0            ? everywhere
                                     : alone) = &factor;
    }
  }
};

/// The operand with +0 where an element is absent for another reason than k. Sets `replaced` where that was inside a
/// row or column that exists.
Ref zeroed(Machine &m, const TileSlot &operand, const OperandFactors &factors, unsigned kAxis,
           const uint8_t *keep, bool &replaced) {
  const TileValue &value = m.tiles[operand.index];
  if (!factors.alone && !factors.inside) {
    return value.data;
  }
  size_t size = operand.type->elementSize;
  Ref copy = m.pool.allocate(operand.type->bytes());
  std::memcpy(copy.data(), value.data.data(), operand.type->bytes());
  int64_t columns = operand.type->shape[1];
  for (int64_t i = 0; i < operand.type->count; ++i) {
    int64_t row = i / columns, column = i % columns;
    int64_t k = kAxis == 0 ? row : column, other = kAxis == 0 ? column : row;
    bool exists = !factors.alone || factors.alone->mask.as<uint8_t>()[other];
    bool inside = !factors.inside || factors.inside->mask.as<uint8_t>()[i];
    if (exists && inside) {
      continue;
    }
    replaced |= exists && (!keep || keep[k]);
    if (TESSERA_MUTANT(23, "absent factors are not zeroed", true, false)) {
      std::memset(copy.data() + i * size, 0, size);
    }
  }
  return copy;
}

StepFn compileMma(Compiler &c, tile::MmaOp op) {
  TileSlot a = c.tile(op.getA()), b = c.tile(op.getB()), acc = c.tile(op.getAcc()),
           result = c.tile(op.getResult());
  auto precision = static_cast<MmaPrecision>(op.getPrecision());
  MmaKernel kernel = c.system().mma(a.type->dtype, acc.type->dtype, precision);
  if (!kernel) {
    return c.undefined(op, a.type->dtype);
  }
  int64_t rows = a.type->shape[0], depth = a.type->shape[1], columns = b.type->shape[1];
  MmaStrides strides = {depth, 1, columns, 1, columns, 1};
  ReducedDim dim(op);
  bool isInstruction = op->getParentOfType<tile::ApplyOp>() != nullptr;
  return [=](Machine &m) {
    OperandFactors left(m.tiles[a.index].factors, 1), right(m.tiles[b.index].factors, 0);
    bool usesLanes = m.adversary && isInstruction;
    Factors along;
    if (Ref own = m.adversary ? dim.ownPoints(m) : Ref()) {
      addFactor(m.pool, along, {depth}, 1, own);
    }
    for (const Factor *factor : {left.along, right.along}) {
      if (factor && !usesLanes && TESSERA_MUTANT(24, "absent k are not skipped", true, false)) {
        addFactor(m.pool, along, {depth}, 1, factor->mask);
      }
    }
    const uint8_t *keep = along.empty() ? nullptr : along[0].mask.as<uint8_t>();
    bool replaced = false;
    Ref aData = usesLanes ? m.tiles[a.index].data : zeroed(m, a, left, 1, keep, replaced);
    Ref bData = usesLanes ? m.tiles[b.index].data : zeroed(m, b, right, 0, keep, replaced);
    if (replaced) {
      m.warn(RunDiag::run_absent_product);
    }
    std::byte *out = m.make(result.index, *result.type);
    std::memcpy(out, m.data(acc.index), acc.type->bytes());
    for (int64_t k = 0; k < depth;) {
      int64_t end = k;
      while (end < depth && (!keep || keep[end])) {
        ++end;
      }
      if (end > k) {
        kernel(aData.data() + k * a.type->elementSize,
               bData.data() + k * columns * b.type->elementSize, out, rows, columns, end - k,
               strides);
      }
      k = end + 1;
    }
    Factors &factors = m.tiles[result.index].factors;
    factors = m.tiles[acc.index].factors;
    const Shape &shape = result.type->shape;
    for (const Factor *factor : {left.everywhere, right.everywhere}) {
      if (factor) {
        addFactor(m.pool, factors, shape, 0, factor->mask);
      }
    }
    if (left.alone && TESSERA_MUTANT(25, "absent rows of a product are present", true, false)) {
      addFactor(m.pool, factors, shape, axisBit(0), left.alone->mask);
    }
    if (right.alone) {
      addFactor(m.pool, factors, shape, axisBit(1), right.alone->mask);
    }
  };
}
} // namespace

void tessera::interp::addProductCases(OpCases &cases) { cases.add<tile::MmaOp>(compileMma); }
