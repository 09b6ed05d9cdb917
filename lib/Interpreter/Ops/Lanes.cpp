// Tiles along one axis.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Lanes.h"

#include "../Mutants.h"

using namespace tessera;
using namespace tessera::interp;

Lanes Lanes::of(llvm::ArrayRef<int64_t> shape, unsigned axis) {
  Lanes lanes;
  lanes.axis = axis;
  lanes.extent = shape[axis];
  for (unsigned i = 0; i < shape.size(); ++i) {
    (i < axis ? lanes.outer : lanes.inner) *= i == axis ? 1 : shape[i];
  }
  return lanes;
}

Terms tessera::interp::termsAlong(BufferPool &pool, const Factors &factors, const TileType &type,
                                  const Lanes &lanes) {
  Factors deciding;
  for (const Factor &factor : factors) {
    if (contains(factor.axes, lanes.axis)) {
      deciding.push_back(factor);
    }
  }
  Terms terms;
  terms.prefix = lanes.extent;
  if (deciding.empty()) {
    return terms;
  }
  if (deciding.size() == 1 && deciding[0].axes == axisBit(lanes.axis)) {
    auto *mask = deciding[0].mask.as<uint8_t>();
    auto *gap = static_cast<const uint8_t *>(std::memchr(mask, 0, lanes.extent));
    terms.prefix = gap ? gap - mask : lanes.extent;
    if (!std::memchr(mask + terms.prefix, 1, lanes.extent - terms.prefix)) {
      return terms;
    }
  }
  terms.mask = presence(pool, deciding, type.shape);
  return terms;
}

void tessera::interp::keepOtherFactors(Machine &m, unsigned from, const TileSlot &result,
                                       unsigned axis, bool drop) {
  Factors &kept = m.tiles[result.index].factors;
  for (const Factor &factor : m.tiles[from].factors) {
    if (contains(factor.axes, axis)) {
      continue;
    }
    if (TESSERA_MUTANT(13, "a reduction drops factors of other axes", true, false)) {
      addFactor(m.pool, kept, result.type->shape,
                drop ? withoutAxis(factor.axes, axis) : factor.axes, factor.mask);
    }
  }
}

ScalarRegion::ScalarRegion(Compiler &c, mlir::Region &region, const TileType &type) : type(&type) {
  mlir::Block &block = region.front();
  a = c.slot(block.getArgument(0)).index;
  b = c.slot(block.getArgument(1)).index;
  c.compile(block, code);
  yielded = c.slot(block.getTerminator()->getOperand(0)).index;
}

bool ScalarRegion::operator()(Machine &m, const std::byte *left, const std::byte *right,
                              std::byte *out) const {
  std::memcpy(m.make(a, *type), left, type->elementSize);
  std::memcpy(m.make(b, *type), right, type->elementSize);
  m.run(code);
  if (m.stopped()) {
    return false;
  }
  bool present = m.tiles[yielded].factors.empty();
  std::memcpy(out, m.data(yielded), type->elementSize);
  m.finish(code);
  return present;
}
